// What can be computed from a trace without showing anything: states, stops, elements. docs/trace.md says what
// a trace is.
import { word } from "./words.js";
export const NOT_YET = "–"; // a gradient that has not come is not zero

// -- numbers

/** A number in at most four significant digits, as Python's `.4g` writes it. */
export function format(x) {
  if (typeof x !== "number") return String(x);
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x < 0 ? "-inf" : "inf";
  if (x === 0) return "0";
  const [digits, exponent] = x.toExponential(3).split("e");
  if (exponent < -4 || exponent > 3) return `${Number(digits)}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
  return String(Number(x.toPrecision(4)));
}

/** The number that a person typed (`0.54`, `0,54`, `-1/3`, `2e-3`); NaN if it is none. */
export function parse(text) {
  const parts = text.trim().replaceAll("−", "-").replaceAll(",", ".").split("/");
  if (parts.length > 2 || parts.some((part) => !/^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(part))) return NaN;
  return parts.length === 2 ? Number(parts[0]) / Number(parts[1]) : Number(parts[0]);
}

const NO_BREAK = "\u00a0"; // a space that a picture does not leave out
const MATRIX = 4; // rows and columns of a matrix that a box shows as one, at most
const [SHORT, LONG] = [5, 40]; // so many numbers in a row make a curve

/** What a box says of a value: its text; of a small matrix its rows. As `boxes.lines_of` in Python. */
export function linesOf(value) {
  const { shape = [], data: numbers } = value;
  if (shape.length !== 2 || !numbers?.length || Math.max(...shape) > MATRIX) return [value.text];
  const words = numbers.map((x) => (typeof x === "boolean" ? (x ? "True" : "False") : format(x)));
  const wide = Math.max(...words.map((word) => word.length));
  const rows = Array.from({ length: shape[0] }, (_, i) =>
    words
      .slice(i * shape[1], (i + 1) * shape[1])
      .map((word) => word.padStart(wide, NO_BREAK))
      .join(NO_BREAK),
  );
  if (rows.length === 1) return [`[${rows[0]}]`];
  return rows.map((row, i) => (i === 0 ? `⎡${row}⎤` : i === rows.length - 1 ? `⎣${row}⎦` : `⎢${row}⎥`));
}

/** A row of numbers as a line in a place; nothing for anything else. As `boxes.curve` in Python. */
export function curve(value, [left, top, width, height]) {
  const { shape = [], data: numbers = [] } = value ?? {};
  const isRow = shape.filter((n) => n !== 1).length === 1 && numbers.length >= SHORT && numbers.length <= LONG;
  if (!isRow || numbers.some((x) => typeof x !== "number")) return "";
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const [step, scale] = [width / (numbers.length - 1), height / (high - low || 1)];
  return `M${numbers.map((x, i) => `${(left + i * step).toFixed(1)} ${(top + (high - x) * scale).toFixed(1)}`).join("L")}`;
}

const [BESIDE, DEEP] = [16, 3]; // characters and lines beside an arrow, at most

/** What stands beside an arrow: of several numbers that take too much room, how they range. As `boxes.beside_arrow`. */
export function besideArrow(value) {
  const [lines, numbers] = [linesOf(value), value.data ?? []];
  const fits = lines.length <= DEEP && lines.every((line) => line.length <= BESIDE);
  if (fits || numbers.length < 2 || numbers.some((x) => typeof x === "string")) return lines;
  const [low, high] = [format(Math.min(...numbers)), format(Math.max(...numbers))];
  return [low === high ? word("values.all", { number: low }) : `${low} … ${high}`];
}

export const isBad = (text) => /\b(nan|inf)\b/.test(text);

const SPOKEN = { nan: NaN, inf: Infinity, "-inf": -Infinity }; // JSON has no such numbers; complex ones stay texts
export const real = (x) => (typeof x === "string" ? (SPOKEN[x] ?? x) : x);
export const data = (value) => value?.data?.map(real) ?? null;

/** A value's numbers as its type has them; `data` are the shortest decimals, which may round to other digits. */
export const numbers = (value) => data(value)?.map((x) => (value.dtype || typeof x !== "number" ? x : Math.fround(x))) ?? null;

// -- frames

/** What differs between two positions: target -> field -> [from, to]. Going back undoes, so both ways are exact. */
export function changes(frames, from, to) {
  const net = new Map();
  const step = Math.sign(to - from);
  for (let position = from; position !== to; position += step) {
    const list = frames[step > 0 ? position : position - 1].changes ?? [];
    for (const [target, field, before, after] of step > 0 ? list : list.toReversed()) {
      if (!net.has(target)) net.set(target, new Map());
      const fields = net.get(target);
      const first = fields.has(field) ? fields.get(field)[0] : ((step > 0 ? before : after) ?? null);
      fields.set(field, [first, (step > 0 ? after : before) ?? null]);
    }
  }
  return net;
}

/** The state of all nodes and edges before the first frame: target -> field -> value. */
export function start(trace) {
  const state = {};
  trace.nodes.forEach((node, i) => (state[`n${i}`] = { ...node.start }));
  (trace.edges ?? []).forEach((_, i) => (state[`e${i}`] = {}));
  return state;
}

/** Move a state from one position to another; what changed on the way. */
export function reduce(state, frames, from, to) {
  const net = changes(frames, from, to);
  for (const [target, fields] of net) {
    for (const [field, [, value]] of fields) {
      if (value === null || value === false) delete state[target][field];
      else state[target][field] = value;
    }
  }
  return net;
}

/** Where a step of this size may stop. Levels: 1 phase, 2 node, 3 contribution, 4 element. */
export function stops(frames, level) {
  const ends = frames.flatMap((frame, i) => ((frame.level ?? 3) <= level ? [i + 1] : []));
  return [...new Set([0, ...ends, frames.length])];
}

// -- the elements of one step

const size = (shape) => shape.reduce((product, n) => product * n, 1);

/** Row-major place of a flat number: `place(5, [2, 3])` is `[1, 2]`. */
function place(flat, shape) {
  const at = [];
  for (const n of shape.toReversed()) {
    at.unshift(flat % n);
    flat = Math.floor(flat / n);
  }
  return at;
}

/** Flat number of a place, in a shape that may have been broadcast: sizes of 1 are repeated. */
function flat(at, shape) {
  const own = at.slice(at.length - shape.length);
  return shape.reduce((sum, n, i) => sum * n + (n === 1 ? 0 : own[i]), 0);
}

const bracketed = (x) => (format(x).startsWith("-") ? `(${format(x)})` : format(x));

const WRITE = {
  map: (terms, template) =>
    template.replace(/(^|[(,] ?)?\{(\d+)\}/g, (_, opens, i) =>
      opens === undefined ? bracketed(terms[i]) : opens + format(terms[i]),
    ),
  sum: (terms) => plus(terms.map(format)),
  mean: (terms) => `(${plus(terms.map(format))}) / ${terms.length}`,
  matmul: (terms) => plus(terms.map(([a, b]) => `${format(a)} × ${bracketed(b)}`)),
};

function plus(terms) {
  const shown = terms.length > 8 ? [...terms.slice(0, 4), "…", ...terms.slice(-2)] : terms;
  return shown.join(" + ").replaceAll("+ -", "− ");
}

/** What happens inside a step, element by element: `[{at: [0, 1], text: "sin(0.5) = 0.4794"}]`; none if too large. */
export function elements(arithmetic, values) {
  if (!arithmetic) return [];
  const inputs = arithmetic.inputs.map((i) => ({ data: data(values[i]), shape: values[i]?.shape ?? [] }));
  const output = { data: data(values[arithmetic.output]), shape: values[arithmetic.output]?.shape ?? [] };
  if (!output.data || inputs.some((input) => !input.data)) return [];
  const terms = TERMS[arithmetic.how](inputs, output, arithmetic);
  return output.data.map((result, i) => ({
    at: place(i, output.shape),
    text: `${WRITE[arithmetic.how](terms[i], arithmetic.template)} = ${format(result)}`,
  }));
}

/** For each kind of arithmetic: the numbers that go into each element of the output. */
const TERMS = {
  map: (inputs, output) =>
    output.data.map((_, i) => {
      const at = place(i, output.shape);
      return inputs.map((input) => input.data[flat(at, input.shape)]);
    }),
  sum: ([input], output, { axes }) => {
    const kept = input.shape.map((n, axis) =>
      axes && !axes.some((a) => a === axis || a + input.shape.length === axis) ? n : 1,
    );
    const terms = output.data.map(() => []);
    input.data.forEach((x, i) => terms[flat(place(i, input.shape), kept)].push(x));
    return terms;
  },
  mean: (...all) => TERMS.sum(...all),
  matmul: ([a, b], output) => {
    const left = a.shape.length > 1 ? a.shape : [1, ...a.shape];
    const right = b.shape.length > 1 ? b.shape : [...b.shape, 1];
    const [n, k, m] = [left.at(-2), left.at(-1), right.at(-1)];
    const batch = output.shape.slice(0, output.shape.length - (a.shape.length > 1) - (b.shape.length > 1));
    return output.data.map((_, i) => {
      const [row, column] = place(i % (n * m), [n, m]);
      const at = place(Math.floor(i / (n * m)), batch);
      const inner = [...Array(k).keys()];
      return inner.map((j) => [a.data[flat([...at, row, j], left)], b.data[flat([...at, j, column], right)]]);
    });
  },
};

// -- breakpoints

const bounds = (value) => data(value) ?? [value?.low, value?.high].filter((x) => x !== undefined).map(real);
const arriving = (frame, fields) =>
  (frame.changes ?? []).filter(([, field, , after]) => fields.includes(field) && after != null);

const TESTS = {
  line: (trace, frame, [file, line]) => frame.at?.[0] === file && frame.at[1] <= line && line <= frame.at[3],
  node: (trace, frame, node) => frame.node === node,
  op: (trace, frame, op) => frame.node != null && trace.nodes[frame.node].op === op,
  second: (trace, frame) =>
    (frame.changes ?? []).some(([, field, before, after]) => field === "box" && before != null && after != null),
  nan: (trace, frame) =>
    arriving(frame, ["value", "grad", "box", "part"]).some(([, , , v]) =>
      bounds(trace.values[v]).some((x) => !Number.isFinite(x)),
    ),
  above: (trace, frame, bound) =>
    arriving(frame, ["grad", "box", "part"]).some(([, , , v]) =>
      bounds(trace.values[v]).some((x) => Math.abs(x) > bound),
    ),
};

/** Whether frame i is where a breakpoint stops: `{kind: "line" | "node" | "op" | "second" | "nan" | "above", value}`. */
export function hits(trace, { kind, value }, i) {
  const at = (j) => j >= 0 && TESTS[kind](trace, trace.frames[j], value);
  const places = kind === "line" || kind === "node" || kind === "op"; // a place stops where it is entered
  return at(i) && !(places && at(i - 1));
}

export function describe(trace, { kind, value }) {
  if (kind === "line") return word("stops.line", { number: value[1], file: trace.files[value[0]].name });
  if (kind === "node") return word("stops.node", { name: trace.nodes[value].name ?? trace.nodes[value].label });
  if (kind === "op") return word("stops.op", { name: value });
  if (kind === "second") return word("stops.second");
  return kind === "nan" ? word("stops.nan") : word("stops.above", { bound: value });
}
