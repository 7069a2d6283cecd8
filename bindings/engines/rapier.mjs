#!/usr/bin/env node
// Rapier of npm (single precision) as a method: impulse joints of bodies whose frames are those of
// space at the start, since both frames of a joint share one axis.
import { Refused, add, across, cross, dot, load, main, multiply, principal, rotate, scale, sub } from './engine.mjs';

const { version, module: R } = await load('@dimforge/rapier3d-compat');
const variants = ['4 solver iterations, as installed', '50 solver iterations'].map((iterations, tight) => ({
  name: 'impulse' + (tight ? ':tight' : ''),
  steps: 'fixed',
  settings: `impulse joints, ${iterations}; no colliders, no sleeping, damping 0; single precision; ` +
    'loads are forces held over a step; points have the inertia 1e-6 m r^2',
}));

const xyz = ([x, y, z]) => ({ x, y, z }), list = o => [o.x, o.y, o.z], one = { w: 1, x: 0, y: 0, z: 0 };

function data(m, j) {
  const place = m.place(j), axis = xyz(m.axis(j, 0));
  const [a, b] = j.bodies.map(i => xyz(sub(place, m.start(i).x)));
  const locked = { cylindrical: 2 + 4 + 16 + 32, slot: 2 + 4, inline: 2 + 4, parallel: 16 + 32 };
  if (j.type === 'spherical' || (m.planar && j.type === 'inline')) return R.JointData.spherical(a, b);
  if (j.type === 'revolute') return R.JointData.revolute(a, b, axis);
  if (j.type === 'prismatic') return R.JointData.prismatic(a, b, axis);
  if (j.type === 'fixed') return R.JointData.fixed(a, one, b, one);
  if (locked[j.type]) return R.JointData.generic(a, b, axis, locked[j.type]);
  throw new Refused(`Rapier has no joint of type ${j.type}`);
}

// The loads at the beginning of a step: apply(body, force in the mass centre, moment).
function loads(m, get, apply) {
  const state = i => i < 0 ? m.start(-1) : get(i);
  const pairs = [...m.torsion_springs, ...m.torsion_dampers].map(s => {
    const mark = across(m.axis(s, 0)), start = s.start_angle ?? 0;
    return { ...s, start, turned: start, marks: s.bodies.map(b => m.directionIn(b, mark)) };
  });
  const on = (i, force, moment) => { if (i >= 0) apply(i, force, moment); };
  const zero = [0, 0, 0];
  return () => {
    for (const s of pairs) {
      const [a, b] = s.bodies.map(state), axis = rotate(a.q, s.axes[0]);
      const from = rotate(a.q, s.marks[0]), to = rotate(b.q, s.marks[1]);
      const angle = s.start + Math.atan2(dot(axis, cross(from, to)), dot(from, to));
      s.turned = angle + 2 * Math.PI * Math.round((s.turned - angle) / (2 * Math.PI));
      const moment = -(s.stiffness ?? 0) * (s.turned - (s.free_angle ?? 0)) -
        (s.coefficient ?? 0) * dot(axis, sub(b.w, a.w));
      on(s.bodies[1], zero, scale(moment, axis)), on(s.bodies[0], zero, scale(-moment, axis));
    }
    for (const s of [...m.springs, ...m.dampers]) {
      const [a, b] = s.bodies.map(state), arms = [a, b].map((e, side) => rotate(e.q, s.points[side]));
      const d = sub(add(b.x, arms[1]), add(a.x, arms[0])), length = Math.hypot(...d), n = scale(1 / length, d);
      const rate = dot(n, sub(add(b.v, cross(b.w, arms[1])), add(a.v, cross(a.w, arms[0]))));
      const f = scale(-(s.stiffness ?? 0) * (length - (s.free_length ?? 0)) - (s.coefficient ?? 0) * rate, n);
      on(s.bodies[1], f, cross(arms[1], f)), on(s.bodies[0], scale(-1, f), cross(f, arms[0]));
    }
    for (const l of m.forces) on(l.body, l.value, cross(rotate(get(l.body).q, l.point), l.value));
    for (const l of m.moments) on(l.body, zero, l.value);
  };
}

async function make(m, variant, tight, h) {
  await R.init();
  const world = new R.World(xyz(m.gravity));
  world.timestep = h;
  world.numSolverIterations = tight ? 50 : 4;
  const ground = world.createRigidBody(R.RigidBodyDesc.fixed());
  const bodies = m.bodies.map(b => {
    const { values, q } = b.inertia.slice(3).some(e => e !== 0) ? principal(b.inertia) : { values: b.inertia, q: [1, 0, 0, 0] };
    const [w, x, y, z] = multiply(b.rotation, q);
    const desc = R.RigidBodyDesc.dynamic().setTranslation(...b.position).setLinvel(...b.velocity)
      .setAngvel(xyz(b.angular_velocity)).setCanSleep(false).setLinearDamping(0).setAngularDamping(0)
      .setAdditionalMassProperties(b.mass, xyz([0, 0, 0]), xyz(values), { w, x, y, z });
    return world.createRigidBody(desc);
  });
  const body = i => i < 0 ? ground : bodies[i];
  for (const j of m.joints)
    if (j.type !== 'free') world.createImpulseJoint(data(m, j), body(j.bodies[0]), body(j.bodies[1]), true);
  const get = i => {
    const b = bodies[i], { w, x, y, z } = b.rotation();
    return { x: list(b.translation()), q: multiply([w, x, y, z], m.bodies[i].rotation), v: list(b.linvel()), w: list(b.angvel()) };
  };
  const apply = loads(m, get, (i, force, moment) => {
    bodies[i].addForce(xyz(force), true), bodies[i].addTorque(xyz(moment), true);
  });
  return {
    get,
    step: () => {
      for (const b of bodies) b.resetForces(true), b.resetTorques(true);
      apply(), world.step();
    },
  };
}

await main({
  name: 'Rapier', version, variants, pointInertia: 1e-6, make, evaluations: () => 1,
  accepts: ['free', 'revolute', 'spherical', 'cylindrical', 'prismatic', 'inline', 'slot', 'parallel', 'fixed', 'loops',
    'point', 'springs', 'dampers', 'torsion_springs', 'torsion_dampers', 'forces', 'moments'],
});
