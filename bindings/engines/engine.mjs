// What the adaptors for node share: MECHANISM.json, both calls of the protocol
// (bindings/PROGRAMS.md), joints as freedoms, and packages of npm.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// ---- Vectors and quaternions, the scalar first ---------------------------------------------------
export const add = (a, b) => a.map((e, i) => e + b[i]);
export const scale = (s, a) => a.map(e => s * e);
export const sub = (a, b) => add(a, scale(-1, b));
export const dot = (a, b) => a.reduce((s, e, i) => s + e * b[i], 0);
export const cross = (a, b) => [0, 1, 2].map(i => a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
export const conjugate = ([w, x, y, z]) => [w, -x, -y, -z];
export const multiply = ([a, ...u], [b, ...v]) =>
  [a * b - dot(u, v), ...add(add(scale(a, v), scale(b, u)), cross(u, v))];
export const rotate = (q, v) => multiply(multiply(q, [0, ...v]), conjugate(q)).slice(1);
export const across = v => {  // at right angles to a unit vector
  const u = cross(v, Math.abs(v[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]);
  return scale(1 / Math.hypot(...u), u);
};

// Of xx, yy, zz, xy, xz, yz by Jacobi's rotations: the principal values, and the rotation from their frame.
export function principal([xx, yy, zz, xy, xz, yz]) {
  const A = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
  let q = [1, 0, 0, 0], D;
  for (let sweep = 0; sweep < 10; ++sweep)
    for (const k of [0, 1, 2]) {
      const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(e => rotate(q, e));
      D = axes.map(u => axes.map(v => dot(u, A.map(row => dot(row, v)))));
      const i = (k + 1) % 3, j = (k + 2) % 3, gap = D[i][i] - D[j][j];
      const half = Math.atan2(2 * D[i][j] * (gap < 0 ? -1 : 1), Math.abs(gap)) / 4;  // the small turn
      q = multiply(q, [Math.cos(half), ...scale(Math.sin(half), [0, 1, 2].map(e => Number(e === k)))]);
    }
  return { values: D.map((row, i) => row[i]), q };
}

export class Refused extends Error {}  // exit status 3

const still = { x: [0, 0, 0], q: [1, 0, 0, 0], v: [0, 0, 0], w: [0, 0, 0] };

export class Mechanism {
  // Points have the inertia pointInertia m r^2, r the distance of their joints, else 1 m.
  constructor(file, pointInertia) {
    Object.assign(this, JSON.parse(fs.readFileSync(file)));
    if (!this.bodies) throw new Refused('the file has no rigid bodies');
    this.bodies.forEach((b, i) => {
      b.start = { x: b.position, q: b.rotation, v: b.velocity, w: b.angular_velocity };
      const ends = this.joints.flatMap(j => j.points.filter((_, side) => j.bodies[side] === i));
      const r = Math.max(0, ...ends.map(p => Math.hypot(...p))) || 1;
      if (b.kind === 'point') b.inertia = [...Array(3).fill(pointInertia * b.mass * r * r), 0, 0, 0];
    });
    this.joints.forEach(j => { j.type = j.as ?? j.type; });
    this.tree = this.bodies.map((_, i) => this.joints.find(j => j.tree && j.bodies[1] === i));
    this.loops = this.joints.filter(j => !j.tree);
  }
  start(body) { return body < 0 ? still : this.bodies[body].start; }
  inSpace(body, p) { return add(this.start(body).x, rotate(this.start(body).q, p)); }
  pointIn(body, p) { return this.directionIn(body, sub(p, this.start(body).x)); }
  directionIn(body, d) { return rotate(conjugate(this.start(body).q), d); }
  place(j) { return this.inSpace(j.bodies[1], j.points[1]); }
  axis(j, side) { return rotate(this.start(j.bodies[side]).q, j.axes[side]); }

  // The motions that make up a joint, in this order, with axes in space at the start.
  freedoms(j) {
    const slide = axis => ({ kind: 'slide', axis }), turn = axis => ({ kind: 'turn', axis });
    const x = [1, 0, 0], y = [0, 1, 0], z = [0, 0, 1], ball = { kind: 'ball', axis: z };
    const all = {
      revolute: a => [turn(a)], spherical: () => [ball], universal: (a, b) => [turn(a), turn(b)],
      cylindrical: a => [slide(a), turn(a)], prismatic: a => [slide(a)], inline: a => [slide(a), ball],
      slot: a => [slide(a), turn(z)], parallel: a => [slide(x), slide(y), slide(z), turn(a)],
      fixed: () => [],
      free: () => this.planar ? [slide(x), slide(y), turn(z)] : [slide(x), slide(y), slide(z), ball],
    };
    if (!all[j.type]) throw new Refused(`joint ${j.name}: type ${j.type}`);
    return all[j.type](...(j.axes ? [this.axis(j, 0), this.axis(j, 1)] : []));
  }
  rates(j, freedom) {
    const [a, b] = j.bodies.map(i => this.start(i)), w = sub(b.w, a.w), p = this.place(j);
    if (freedom.kind === 'ball') return w;
    const v = sub(add(b.v, cross(b.w, sub(p, b.x))), add(a.v, cross(a.w, sub(p, a.x))));
    return [dot(freedom.axis, freedom.kind === 'slide' ? v : w)];
  }
}

// A package in the folder DAEMARK_NODE_MODULES or where NODE_PATH says.
export async function load(name) {
  const named = process.env.DAEMARK_NODE_MODULES;
  const paths = named ? [named, path.dirname(path.resolve(named))] : [process.cwd()];
  let file;
  try {
    file = createRequire(import.meta.url).resolve(name, { paths });
  } catch {
    console.error(`npm package ${name} is missing: npm install ${name}, and name its folder ` +
      'node_modules in DAEMARK_NODE_MODULES or NODE_PATH');
    process.exit(1);
  }
  let folder = path.dirname(file);
  while (!fs.existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json')));
  return { version, module: (await import(pathToFileURL(file))).default };
}

// Steps are counted. step(t) goes one on from t; get(i) is the state of body i.
function integrate(m, h, every, out, evaluations, { step, get }) {
  const names = ['x', 'y', 'z', 'e0', 'e1', 'e2', 'e3', 'vx', 'vy', 'vz', 'wx', 'wy', 'wz'];
  const lines = [['t', ...m.bodies.flatMap(b => names.map(n => `${b.name}.${n}`))].join(',')];
  const { begin, spacing, count } = m.times;
  let cpu = 0;
  for (let k = 0; k <= count; ++k) {
    const before = process.cpuUsage();
    for (let i = 0; k > 0 && i < every; ++i) step(begin + (k - 1) * spacing + i * h);
    const used = process.cpuUsage(before);
    cpu += (used.user + used.system) / 1e6;
    const states = m.bodies.map((_, i) => get(i));
    lines.push([begin + k * spacing, ...states.flatMap(s => [...s.x, ...s.q, ...s.v, ...s.w])].join(','));
  }
  fs.writeFileSync(out, lines.join('\n') + '\n');
  const steps = every * count;
  console.log(JSON.stringify({ cpu_seconds: cpu, steps, evaluations: steps * evaluations }));
}

// engine: name, version, variants, accepts, pointInertia [m r^2], make(mechanism, variant, tight, h),
// evaluations(variant) a step.
export async function main(engine) {
  const [file, name, step, out] = process.argv.slice(2);
  if (file === '--describe') {
    const { version, variants, accepts } = engine;
    console.log(JSON.stringify({ name: engine.name, version, variants, accepts }, null, 1));
    return;
  }
  try {
    if (!out) throw new Error('usage: --describe | MECHANISM.json VARIANT STEP OUT.csv');
    if (!engine.variants.some(v => v.name === name)) throw new Error(`no variant ${name}: see --describe`);
    const m = new Mechanism(file, engine.pointInertia);
    const strange = m.features.find(f => !engine.accepts.includes(f));
    if (strange) throw new Refused(`${engine.name} cannot express ${strange}`);
    const every = Math.round(m.times.spacing / Number(step));
    if (!(every >= 1 && Math.abs(every * step / m.times.spacing - 1) < 1e-9))
      throw new Refused(`step ${step} does not divide the spacing of output times, ${m.times.spacing}`);
    const [variant, tight] = name.split(':'), h = m.times.spacing / every;
    integrate(m, h, every, out, engine.evaluations(variant), await engine.make(m, variant, !!tight, h));
  } catch (error) {
    console.error(error.message);
    process.exitCode = error instanceof Refused ? 3 : 1;
  }
}
