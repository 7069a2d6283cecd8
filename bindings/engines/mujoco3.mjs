#!/usr/bin/env node
// MuJoCo 3 of npm as a method: joints are freedoms of bodies, loops are `connect` and `weld`.
import { Refused, add, cross, load, main, multiply, scale, sub, conjugate } from './engine.mjs';

const { version, module } = await load('@mujoco/mujoco');
const integrators = { euler: 'Euler', rk4: 'RK4', implicit: 'implicit', implicitfast: 'implicitfast' };
const loops = ['solref (0.02, 1), solimp (0.9, 0.95, 0.001, 0.5, 2), as installed',
  'solref (2 STEP, 1), solimp (0.9999, 0.9999, 0.001, 0.5, 2)'];
const variants = Object.keys(integrators).flatMap(name => loops.map((loop, tight) => ({
  name: name + (tight ? ':tight' : ''),
  steps: 'fixed',
  settings: `integrator ${integrators[name]}; loops with ${loop}; contacts off, no geoms: bodies have ` +
    'inertial alone; Newton solver, tolerance 1e-8, 100 iterations; no automatic reset; springs in ' +
    'joints or tendons; points have the inertia 1e-12 m r^2',
})));

// The torsion springs of the joint of body i, as one.
function springs(m, i) {
  let k = 0, kf = 0, c = 0;
  for (const s of m.torsion_springs.filter(s => s.joint === i))
    k += s.stiffness, kf += s.stiffness * (s.free_angle - (s.start_angle ?? 0));
  for (const s of m.torsion_dampers.filter(s => s.joint === i)) c += s.coefficient;
  return `stiffness="${k}" springref="${k > 0 ? kf / k : 0}" damping="${c}"`;
}

// The tree joint in which a torsion spring acts.
function jointOf(m, s) {
  const i = s.bodies[1], last = i < 0 ? undefined : m.freedoms(m.tree[i]).at(-1);
  const off = last && Math.hypot(...sub(m.axis(s, 0), last.axis));
  if (last?.kind !== 'turn' || m.tree[i].bodies[0] !== s.bodies[0] || off > 1e-9 || m.tree[i].type === 'universal')
    throw new Refused('a torsion spring that is about no joint of the tree');
  return i;
}

function xml(m, integrator, tight, h, order) {
  const joints = i => m.freedoms(m.tree[i]).map((f, k, all) =>
    `<joint type="${{ slide: 'slide', turn: 'hinge', ball: 'ball' }[f.kind]}" pos="${m.tree[i].points[1].join(' ')}" ` +
    `axis="${m.directionIn(i, f.axis).join(' ')}" ${k + 1 === all.length ? springs(m, i) : ''}/>`).join('');
  const tendons = [...m.springs, ...m.dampers];
  const sites = body => tendons.map((s, k) => [0, 1].filter(side => s.bodies[side] === body).map(side =>
    `<site name="s${k}_${side}" pos="${s.points[side].join(' ')}"/>`).join('')).join('');
  const children = parent => sites(parent) + m.bodies.map((b, i) => {
    if (m.tree[i].bodies[0] !== parent) return '';
    order.push(i);
    return `<body name="b${i}" pos="${m.pointIn(parent, b.position).join(' ')}" ` +
      `quat="${multiply(conjugate(m.start(parent).q), b.rotation).join(' ')}"><inertial pos="0 0 0" ` +
      `mass="${b.mass}" fullinertia="${b.inertia.join(' ')}"/>${joints(i)}${children(i)}</body>`;
  }).join('');
  const name = b => b < 0 ? 'world' : `b${b}`;
  const closing = m.loops.map(j => {
    const hard = tight ? `solref="${2 * h} 1" solimp="0.9999 0.9999 0.001 0.5 2"` : '';
    const both = `body1="${name(j.bodies[1])}" body2="${name(j.bodies[0])}" ${hard}`;
    if (j.type === 'fixed') return `<weld ${both}/>`;
    if (!['spherical', 'revolute'].includes(j.type) && !(m.planar && j.type === 'inline'))
      throw new Refused(`MuJoCo has no loop joint of type ${j.type}`);
    const length = Math.max(...j.points.map(p => Math.hypot(...p))) || 1;  // to a second point of the axis
    const points = [j.points[1], ...(j.type === 'revolute' ? [add(j.points[1], scale(length, j.axes[1]))] : [])];
    return points.map(p => `<connect ${both} anchor="${p.join(' ')}"/>`).join('');
  }).join('');
  const between = tendons.map((s, k) => `<spatial stiffness="${s.stiffness ?? 0}" springlength="${s.free_length ?? 0}" ` +
    `damping="${s.coefficient ?? 0}"><site site="s${k}_0"/><site site="s${k}_1"/></spatial>`).join('');
  return `<mujoco><compiler angle="radian" balanceinertia="false" boundmass="0" boundinertia="0"/>
    <option timestep="${h}" gravity="${m.gravity.join(' ')}" integrator="${integrators[integrator]}" solver="Newton"
      tolerance="1e-8" iterations="100"><flag contact="disable" autoreset="disable"/></option>
    <worldbody>${children(-1)}</worldbody><equality>${closing}</equality><tendon>${between}</tendon></mujoco>`;
}

async function make(m, integrator, tight, h) {
  const mj = await module(), order = [];
  for (const s of [...m.torsion_springs, ...m.torsion_dampers]) s.joint = jointOf(m, s);
  const model = mj.MjModel.from_xml_string(xml(m, integrator, tight, h, order));
  const data = new mj.MjData(model), look = new mj.MjData(model);
  const id = m.bodies.map((_, i) => 1 + order.indexOf(i));
  m.bodies.forEach((b, i) => {
    const rates = m.freedoms(m.tree[i]).flatMap(f => {
      const r = m.rates(m.tree[i], f);
      return f.kind === 'ball' ? m.directionIn(i, r) : r;  // in the child's frame
    });
    rates.forEach((r, k) => { data.qvel[model.body_dofadr[id[i]] + k] = r; });
  });
  let fresh = false;
  return {
    step: () => { mj.mj_step(model, data); fresh = false; },
    get: i => {
      if (!fresh) {  // positions of bodies belong to the beginning of a step
        look.qpos.set(data.qpos), look.qvel.set(data.qvel);
        mj.mj_kinematics(model, look), mj.mj_comPos(model, look), mj.mj_comVel(model, look);
        fresh = true;
      }
      const part = (array, size, at) => [...array.slice(size * at, size * at + size)], b = id[i];
      const [wx, wy, wz, ...v] = part(look.cvel, 6, b), w = [wx, wy, wz], x = part(look.xipos, 3, b);
      const centre = part(look.subtree_com, 3, model.body_rootid[b]);  // where cvel is taken
      return { x, q: part(look.xquat, 4, b), v: add(v, cross(w, sub(x, centre))), w };
    },
  };
}

await main({
  name: 'MuJoCo', version, variants, pointInertia: 1e-12, make,
  accepts: ['free', 'revolute', 'spherical', 'universal', 'cylindrical', 'prismatic', 'inline', 'slot', 'parallel',
    'fixed', 'loops', 'point', 'springs', 'dampers', 'torsion_springs', 'torsion_dampers'],
  evaluations: variant => variant === 'rk4' ? 4 : 1,
});
