// A run whose numbers move: its values and sentences say what its instructions find, so that whatever shows them need not know.
import { format } from "./run.js";
import { ROUNDED, Tape, isInteger } from "./tape.js";
import { word } from "./words.js";

const SLOT = /⟦(\(?)(\d+)\)?⟧/g; // in a sentence: a number, or one that stands in brackets when it is negative
const SENTENCES = ["say", "hint", "equation"];
const CELLS = 12; // rows and columns of a heat map, at most

/** Numbers in a few characters, as `brief` in Python. */
export function brief(dtype, shape, numbers) {
  const one = (x) => (dtype === "bool" ? (x ? "True" : "False") : isInteger(dtype) ? String(x) : format(x));
  if (!shape.length) return one(numbers[0]);
  const all = Array.from(numbers, one);
  if (shape.length === 1 && all.length && all.length <= 4) return `[${all.join(", ")}]`;
  if (shape.length === 2 && all.length && (all.length <= 4 || Math.max(...shape) <= 3)) {
    const rows = Array.from({ length: shape[0] }, (_, i) => all.slice(i * shape[1], (i + 1) * shape[1]));
    return `[${rows.map((row) => `[${row.join(", ")}]`).join(", ")}]`;
  }
  const size = shape.length === 1 ? word("values.of_a_row", { size: shape[0] }) : shape.join("×");
  if (!all.length) return size;
  const [low, high] = [one(Math.min(...numbers)), one(Math.max(...numbers))];
  return `${size}: ${low === high ? word("values.all", { number: low }) : `${low} … ${high}`}`;
}

/** The shortest decimal that is this number in its own type. */
export function shortest(dtype, x) {
  const round = ROUNDED[dtype];
  if (!round || !Number.isFinite(x)) return x;
  for (let digits = 1; digits < 9; digits++) if (round(Number(x.toPrecision(digits))) === x) return Number(x.toPrecision(digits));
  return Number(x.toPrecision(9));
}

export class Live {
  /** `trace` as it was recorded; the one here follows what is moved, or `why` says why none of its numbers can be. */
  constructor(trace) {
    this.trace = trace;
    this.why = trace.live ? trace.live.not : word("live.old");
    this.moved = new Map(); // by slot: index -> number
    if (this.why) return;
    try {
      this.tape = new Tape(trace.live);
      this.tape.run();
    } catch (error) {
      this.why = word("live.damaged");
      return console.warn(error);
    }
    this.recorded = this.tape.arrays.map((array) => array.slice());
    this.start = new Map([...this.tape.given].map(([slot, numbers]) => [slot, [...numbers]]));
    this.differs = this.recorded.map(() => false);
    this.told = new Map(); // what is said of slots, until numbers move again
    const [values, frames] = [trace.values.map((one) => this.value(one)), trace.frames.map((one) => this.frame(one))];
    this.trace = { ...trace, values, frames };
  }

  // -- moving --------------------------------------------------------------------------------------------------

  /** Put a number into a leaf; the same one as at the start takes it back. */
  move(slot, index, x) {
    const numbers = this.tape.given.get(slot);
    const [start, put] = [this.start.get(slot), (ROUNDED[this.tape.slots[slot][0]] ?? Number)(x)];
    numbers[index] = put;
    if (!this.moved.has(slot)) this.moved.set(slot, new Map());
    if (put === start[index]) this.moved.get(slot).delete(index);
    else this.moved.get(slot).set(index, put);
    if (!this.moved.get(slot).size) this.moved.delete(slot);
    return this.follow();
  }

  /** Put all numbers back. */
  restore() {
    for (const [slot, numbers] of this.start) this.tape.given.set(slot, [...numbers]);
    this.moved.clear();
    return this.follow();
  }

  /** Compute all anew. */
  follow() {
    this.tape.run();
    this.told.clear();
    this.differs = this.tape.arrays.map((array, slot) => array.some((x, i) => !Object.is(x, this.recorded[slot][i])));
  }

  /** What a slot's element would be, were a leaf's number another one; nothing is shown of it. */
  would([slot, index], x, of, at = 0) {
    const numbers = this.tape.given.get(slot);
    const before = numbers[index];
    numbers[index] = x;
    this.tape.run();
    const found = this.tape.arrays[of][at];
    numbers[index] = before;
    return found;
  }

  /** Whether a number by which Python decided is another one now. */
  get decidesOtherwise() {
    return (this.trace.live.decided ?? []).some((slot) => this.differs[slot]);
  }

  // -- telling -------------------------------------------------------------------------------------------------

  text(slot) {
    const [dtype, shape] = this.tape.slots[slot];
    return brief(dtype, shape, this.tape.arrays[slot]);
  }

  said(template) {
    return template.replace(SLOT, (_, bracket, slot) => {
      const text = this.text(slot);
      return bracket && text.startsWith("-") ? `(${text})` : text;
    });
  }

  /** A value that is read as it is now. */
  value(recorded) {
    const { slot } = recorded;
    if (slot === undefined) return recorded;
    const now = (name, find) => () => {
      if (!this.differs[slot] || recorded[name] === undefined) return recorded[name];
      const key = `${slot} ${name}`;
      if (!this.told.has(key)) this.told.set(key, find(...this.tape.slots[slot], this.tape.arrays[slot]));
      return this.told.get(key);
    };
    const element = (dtype, x) => (dtype === "bool" ? Boolean(x) : shortest(dtype, x));
    return withGetters(recorded, {
      text: now("text", brief),
      data: now("data", (dtype, _, numbers) => Array.from(numbers, (x) => element(dtype, x))),
      low: now("low", (_dtype, _shape, numbers) => Math.min(...numbers)),
      high: now("high", (_dtype, _shape, numbers) => Math.max(...numbers)),
      thumb: now("thumb", (_, shape, numbers) => heatMap(shape, numbers)),
    });
  }

  /** A frame whose sentences name the numbers of now. */
  frame(recorded) {
    if (!recorded.live) return recorded;
    const now = (name) => {
      const template = recorded.live[name] ?? ""; // an older document says null where a sentence could not follow
      const slots = [...template.matchAll(SLOT)].map(([, , slot]) => Number(slot));
      return () => (slots.some((slot) => this.differs[slot]) ? this.said(template) : recorded[name]);
    };
    return withGetters(recorded, Object.fromEntries(SENTENCES.filter((name) => name in recorded).map((name) => [name, now(name)])));
  }
}

const withGetters = (entry, getters) =>
  Object.defineProperties({ ...entry }, Object.fromEntries(Object.entries(getters).map(([name, get]) => [name, { get, enumerable: true }])));

/** A tiny picture of numbers, as base64 of a PNG, as `thumb` in Python. */
function heatMap(shape, numbers) {
  const columns = shape.at(-1);
  const every = (count) => Math.ceil(count / CELLS);
  const [down, across] = [every(numbers.length / columns), every(columns)];
  const canvas = document.createElement("canvas");
  [canvas.height, canvas.width] = [Math.ceil(numbers.length / columns / down), Math.ceil(columns / across)];
  const pen = canvas.getContext("2d");
  const most = Math.max(...Array.from(numbers, Math.abs).filter(Number.isFinite)) || 1;
  const look = getComputedStyle(document.querySelector(".mg-stepper") ?? document.body);
  for (let row = 0; row < canvas.height; row++)
    for (let column = 0; column < canvas.width; column++) {
      const share = numbers[row * down * columns + column * across] / most;
      pen.fillStyle = look.getPropertyValue(share > 0 ? "--mg-value" : "--mg-negative");
      pen.globalAlpha = Math.min(1, Math.abs(share)) || 0;
      pen.fillRect(column, row, 1, 1);
    }
  return canvas.toDataURL().split(",")[1];
}
