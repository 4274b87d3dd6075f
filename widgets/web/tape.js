// Instructions of a trace (docs/trace.md), followed on typed arrays: what NumPy was asked, asked again with other numbers.
import { real } from "./run.js";

const ARRAYS = { float32: Float32Array, float16: Float32Array, bool: Uint8Array }; // all else is computed in float64
/** To the nearest number of a type; of two, to the even one. */
export const ROUNDED = { float32: Math.fround, float16: half };
export const isInteger = (dtype) => dtype.startsWith("int");

const sign = (x) => (Number.isNaN(x) ? NaN : Math.sign(x));
const known = (pick) => (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : pick(a, b));
const even = (x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x)); // halves go to the even number

function half(x) {
  const step = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(x))), -14) - 10);
  const near = Number.isFinite(x) && x ? even(x / step) * step : x;
  return Math.abs(near) > 65504 ? Math.sign(near) * Infinity : near;
}

/** What one element is made of those of other arrays, by NumPy's name. */
export const ELEMENTWISE = {
  negative: (a) => -a, positive: (a) => a, conjugate: (a) => a, absolute: Math.abs, sign, sin: Math.sin, cos: Math.cos,
  tan: Math.tan, arcsin: Math.asin, arccos: Math.acos, arctan: Math.atan, sinh: Math.sinh, cosh: Math.cosh,
  tanh: Math.tanh, arcsinh: Math.asinh, arccosh: Math.acosh, arctanh: Math.atanh, exp: Math.exp, exp2: (a) => 2 ** a,
  expm1: Math.expm1, log: Math.log, log2: Math.log2, log10: Math.log10, log1p: Math.log1p, sqrt: Math.sqrt,
  cbrt: Math.cbrt, square: (a) => a * a, reciprocal: (a) => 1 / a, floor: Math.floor, ceil: Math.ceil, rint: even,
  trunc: Math.trunc, isnan: Number.isNaN, isinf: (a) => Math.abs(a) === Infinity, isfinite: Number.isFinite,
  logical_not: (a) => !a, add: (a, b) => a + b, subtract: (a, b) => a - b, multiply: (a, b) => a * b,
  divide: (a, b) => a / b, power: (a, b) => (a === 1 ? 1 : a ** b), fmod: (a, b) => a % b,
  remainder: (a, b) => (b === Infinity ? (a < 0 ? b : a) : a - b * Math.floor(a / b)),
  floor_divide: (a, b) => (Math.abs(a) === Infinity ? NaN : Math.floor(a / b)), maximum: Math.max, minimum: Math.min, fmax: known(Math.max),
  fmin: known(Math.min), arctan2: Math.atan2, hypot: Math.hypot, copysign: (a, b) => (1 / b < 0 || b < 0 ? -1 : 1) * Math.abs(a),
  logaddexp: (a, b) => (a === b ? a + Math.LN2 : Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)))),
  greater: (a, b) => a > b, greater_equal: (a, b) => a >= b, less: (a, b) => a < b, less_equal: (a, b) => a <= b,
  equal: (a, b) => a === b, not_equal: (a, b) => a !== b, logical_and: (a, b) => a && b, logical_or: (a, b) => a || b,
  logical_xor: (a, b) => !a !== !b, where: (a, b, c) => (a ? b : c), astype: (a) => a,
}; // prettier-ignore

/** What many elements become: where it begins, how one more is taken in, and what becomes of it in the end. */
export const REDUCTIONS = {
  sum: [0, (all, x) => all + x],
  mean: [0, (all, x) => all + x, (all, count) => all / count],
  prod: [1, (all, x) => all * x],
  max: [-Infinity, Math.max],
  min: [Infinity, Math.min],
  all: [true, (all, x) => all && x],
  any: [false, (all, x) => all || x],
};
const LARGER = { argmax: (x, best) => x > best, argmin: (x, best) => x < best };

const count = (shape) => shape.reduce((product, n) => product * n, 1);

/** For each element of a shape its place in another one, of which some axes have a step of 0. */
function places(shape, steps) {
  const found = new Int32Array(count(shape));
  const at = shape.map(() => 0);
  for (let i = 0, place = 0; i < found.length; i++) {
    found[i] = place;
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      place += steps[axis];
      if (++at[axis] < shape[axis]) break;
      place -= steps[axis] * shape[axis];
      at[axis] = 0;
    }
  }
  return found;
}

/** How far apart the elements along each axis are; 0 where `without` holds. */
function steps(shape, without = () => false) {
  let step = 1;
  return shape.map((_, i) => shape.length - 1 - i).map((axis) => {
    const own = without(axis) ? 0 : step;
    if (own) step *= shape[axis];
    return own;
  }).toReversed();
}

/** Where an array of one shape is read that is stretched to another. */
function stretched(from, to) {
  const own = steps(from, (axis) => from[axis] === 1);
  return places(to, [...to.slice(from.length).map(() => 0), ...own]);
}

/** How an instruction is carried out: each gets the arrays, their shapes, and what else its line has; and gives a function. */
const HOW = {
  same: () => () => {},
  copy: ([from], out) => () => out.set(from),
  take: (all, out, shapes, [from]) => {
    const starts = all.map((_, i) => all.slice(0, i).reduce((sum, { length }) => sum + length, 0));
    const of = from.map((place) => starts.findLastIndex((start) => start <= place));
    return () => from.forEach((place, i) => (out[i] = place < 0 ? 0 : all[of[i]][place - starts[of[i]]]));
  },
  put: ([from], out, [shape], [to, whole]) => written(from, out, shape, to, whole, false),
  put_add: ([from], out, [shape], [to, whole]) => written(from, out, shape, to, whole, true),
  cumsum: ([from], out, [shape], [axis]) => {
    const step = count(shape.slice(axis + 1));
    const first = (i) => Math.floor(i / step) % shape[axis] === 0;
    return () => from.forEach((x, i) => (out[i] = first(i) ? x : x + out[i - step]));
  },
  matmul: ([a, b], out, [one, other], _, shape) => {
    const left = one.length > 1 ? one : [1, ...one];
    const right = other.length > 1 ? other : [...other, 1];
    const [n, k, m] = [left.at(-2), left.at(-1), right.at(-1)];
    const batch = shape.slice(0, shape.length - (one.length > 1) - (other.length > 1));
    const [starts, others] = [stretched(left.slice(0, -2), batch), stretched(right.slice(0, -2), batch)];
    return () => {
      for (let i = 0; i < out.length; i++) {
        const [which, row, column] = [Math.floor(i / (n * m)), Math.floor(i / m) % n, i % m];
        const [from, with_] = [(starts[which] * n + row) * k, others[which] * k * m + column];
        let sum = 0;
        for (let j = 0; j < k; j++) sum += a[from + j] * b[with_ + j * m];
        out[i] = sum;
      }
    };
  },
};

function written(from, out, shape, to, whole, adds) {
  const at = to ?? Array.from(out.keys());
  const source = stretched(shape, whole);
  return () => {
    for (let i = 0; i < at.length; i++) out[at[i]] = adds ? out[at[i]] + from[source[i]] : from[source[i]];
  };
}

function elementwise(f, all, out, shapes, shape) {
  const [a, b, c] = all;
  const [at, with_, or] = shapes.map((own) => (out.length > 1 ? stretched(own, shape) : new Int32Array(1)));
  if (!b) return () => { for (let i = 0; i < out.length; i++) out[i] = f(a[at[i]]); };
  if (!c) return () => { for (let i = 0; i < out.length; i++) out[i] = f(a[at[i]], b[with_[i]]); };
  return () => { for (let i = 0; i < out.length; i++) out[i] = f(a[at[i]], b[with_[i]], c[or[i]]); };
}

function reduced([first, take, end = (all) => all], [from], out, [shape], [axes]) {
  const into = places(shape, steps(shape, (axis) => axes.includes(axis)));
  const sums = new Float64Array(out.length);
  return () => {
    sums.fill(first);
    for (let i = 0; i < from.length; i++) sums[into[i]] = take(sums[into[i]], from[i]);
    for (let i = 0; i < out.length; i++) out[i] = end(sums[i], from.length / out.length);
  };
}

/** Where along its axes the largest element is; the first NaN counts as that. */
function arg(larger, [from], out, [shape], [axes]) {
  const into = places(shape, steps(shape, (axis) => axes.includes(axis)));
  return () => {
    const [best, seen] = [new Float64Array(out.length), new Int32Array(out.length)];
    for (let i = 0; i < from.length; i++) {
      const [x, at] = [from[i], into[i]];
      if (!seen[at] || (!Number.isNaN(best[at]) && (Number.isNaN(x) || larger(x, best[at])))) [best[at], out[at]] = [x, seen[at]];
      seen[at]++;
    }
  };
}

/** Instructions on typed arrays. */
export class Tape {
  constructor({ slots, given, lines }) {
    this.slots = slots.map((entry) => (typeof entry[0] === "string" ? [entry[0], entry.slice(1)] : ["float32", entry]));
    this.given = new Map(given.map(([slot, data]) => [slot, data.map((x) => (ROUNDED[this.slots[slot][0]] ?? Number)(real(x)))]));
    this.arrays = this.slots.map(([dtype, shape]) => new (ARRAYS[dtype] ?? Float64Array)(count(shape)));
    for (const [name, result, args] of lines) if (name === "same") this.arrays[result] = this.arrays[args[0]];
    this.lines = lines.map((line) => this.rounded(line, this.planned(line)));
  }

  planned([name, result, args, ...more]) {
    const all = args.map((slot) => this.arrays[slot]);
    const shapes = args.map((slot) => this.slots[slot][1]);
    const [[dtype, shape], out] = [this.slots[result], this.arrays[result]];
    if (Object.hasOwn(ELEMENTWISE, name)) {
      const f = ELEMENTWISE[name];
      const whole = isInteger(dtype) ? (...numbers) => Math.trunc(f(...numbers)) : f;
      return elementwise(whole, all, out, shapes, shape);
    }
    if (Object.hasOwn(REDUCTIONS, name)) return reduced(REDUCTIONS[name], all, out, shapes, more);
    if (Object.hasOwn(LARGER, name)) return arg(LARGER[name], all, out, shapes, more);
    if (Object.hasOwn(HOW, name)) return HOW[name](all, out, shapes, more, shape);
    throw new Error(`no page computes ${name}`);
  }

  /** What a line makes of float16, which is computed in float32. */
  rounded([, result], run) {
    const out = this.arrays[result];
    return this.slots[result][0] === "float16" ? () => (run(), out.forEach((x, i) => (out[i] = half(x)))) : run;
  }

  run() {
    for (const [slot, data] of this.given) this.arrays[slot].set(data);
    for (const line of this.lines) line();
  }
}
