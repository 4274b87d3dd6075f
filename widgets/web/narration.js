// One plain sentence for what happened, one for what comes, and the equation of it.
import { h, write } from "./elements.js";
import { cutAtSigns, linesIn, mathml } from "./equations.js";
import { ROWS, rowsOf, writeSet } from "./matrices.js";
import { word } from "./words.js";

const MANY = 4; // leaves, above which they are only counted
const SMALLEST = 11; // pixels of an equation's letters
const TOGETHER = 3; // steps that are told together when one press takes several, and backwards that are foretold

const listed = (names) =>
  names.length > 1 ? word("list.and", { before: names.slice(0, -1).join(", "), last: names.at(-1) }) : names.join();

export class Narration {
  constructor(stepper) {
    this.stepper = stepper;
    this.say = h("p", { class: "mg-say" });
    this.hint = h("p", { class: "mg-hint" });
    const live = { class: "mg-words", tabindex: 0, role: "status", "aria-live": "polite" };
    this.words = h("div", live, this.say, this.hint);
    const look = { class: "mg-equation", tabindex: 0, role: "group", "aria-label": word("narration.equation") };
    this.equation = h("div", look);
    this.element = h("div", { class: "mg-narration" }, this.words, this.equation);
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.element);
  }

  /** What is inside a step ({at, text}) or null; else the frames up to the position, and what comes. */
  show(inside) {
    const { frames, position, inner } = this.stepper;
    const done = frames[position - 1];
    if (inside) {
      const places = { number: inner, all: this.stepper.elementsAhead().length, at: `[${inside.at.join(", ")}]` };
      write(this.say, word(inside.at.length ? "narration.inside_at" : "narration.inside", places));
    } else writeSet(this.say, done ? this.told(position) : this.beginning());
    this.element.scrollTop = 0;
    const ahead = frames[position] && word("narration.next", { what: this.coming(position) });
    writeSet(this.hint, ahead ?? word("narration.end"));
    const equation = inside ? inside.text : done?.equation;
    if ((equation ?? "") === this.equation.title) return;
    this.equation.title = equation ?? "";
    this.typeset();
  }

  typeset() {
    const text = this.equation.title;
    this.equation.replaceChildren(...(text ? [mathml(text, false, this.most)] : []));
    this.link();
    this.fit();
  }

  /** Keep to a height, and scroll what is more; null: be as high as the longest sentence and equation of the run. */
  within(height) {
    this.element.classList.toggle("mg-within", height !== null);
    this.element.style.height = height === null ? "" : `${height}px`;
  }

  /** An equation that is too wide is written smaller, as far as it can be read. */
  fit() {
    const math = this.equation.firstElementChild;
    if (!math) return;
    math.style.fontSize = "";
    const pane = this.equation;
    for (let size = parseFloat(getComputedStyle(math).fontSize); pane.clientWidth && size > SMALLEST; ) {
      const { width, height } = math.getBoundingClientRect(); // once more: what is between the letters shrinks less
      const share = Math.min(pane.clientWidth / width, pane.clientHeight / height);
      if (share >= 1) break;
      size = Math.max(SMALLEST, size * share - 0.2);
      math.style.fontSize = `${size}px`;
    }
  }

  /** What is going to happen, before the first step. */
  beginning() {
    const { trace, model, range } = this.stepper;
    const frames = trace.frames.slice(0, range.last); // of a loop, its first iteration
    const rounds = trace.iterations.length;
    const name = (node) => trace.nodes[node]?.name ?? word("narration.result");
    const starts = frames.flatMap(({ kind }, i) => (kind === "seeded" ? [i] : []));
    const made = frames.slice(0, starts[0]).filter(({ kind }) => kind === "made").length;
    const backward = (first, i) => {
      const own = frames.slice(first, starts[i + 1]);
      const filled = [...new Set(own.flatMap(({ kind, node }) => (kind === "deposited" ? [`${name(node)}.grad`] : [])))];
      const leaves = filled.length > MANY ? word("narration.leaves", { number: filled.length }) : listed(filled);
      return word(filled.length ? "narration.backward_into" : "narration.backward", { name: name(frames[first].node), leaves });
    };
    const asks = model.get("predict");
    const operations = word("narration.operations", { count: made });
    const told = [
      made && word(asks ? "narration.forward" : "narration.forward_shown", { count: made, operations }),
      ...[...new Set(starts.map(backward))].slice(0, TOGETHER),
      rounds > 1 && word("narration.rounds", { number: rounds }),
      word("narration.press_next"),
    ];
    return told.filter(Boolean).join(" ");
  }

  /** Names in the equation are linked with their boxes: by their colour, and where one is pointed at. */
  link() {
    const { trace, picture } = this.stepper;
    this.ids ??= new Map(trace.nodes.flatMap(({ kind, name }, i) => (kind === "constant" ? [] : [[name, i]])));
    for (const term of this.equation.querySelectorAll("[data-term]")) {
      const node = this.ids.get(term.dataset.term);
      if (node === undefined) continue;
      const { kind } = trace.nodes[node];
      const gradient = term.localName === "mfrac" || term.textContent.endsWith(".grad");
      term.classList.add("mg-term", gradient ? "mg-of-gradient" : `mg-of-${kind}`);
      term.dataset.node = `n${node}`;
      term.addEventListener("pointerenter", () => this.stepper.mark("linked", picture.exists ? [`n${node}`] : []));
      term.addEventListener("pointerleave", () => this.stepper.mark("linked", []));
    }
  }

  /** Underline the terms of a node that is pointed at; null of none. */
  point(id) {
    for (const term of this.equation.querySelectorAll("[data-node]"))
      term.classList.toggle("mg-pointed", term.dataset.node === id);
  }

  /** The sentences of all frames since the last stop, if they are few. */
  told(position) {
    const { frames, level, stopsAt } = this.stepper;
    const said = (frame) => frame.say ?? frame.kind;
    const stops = stopsAt[level - 1];
    const from = stops.includes(position) ? stops.findLast((stop) => stop < position) : position - 1;
    if (position - from <= TOGETHER) return frames.slice(from, position).map(said).join(" ");
    return word("narration.steps", { number: position - from, last: said(frames[position - 1]) });
  }

  coming(position) {
    const { frames, level, trace, predict } = this.stepper;
    if (predict.ahead) return word("narration.question"); // what is said here would be its answer
    const phase = level === 1 && trace.phases.find(({ last }) => last >= position);
    if (phase) return word("narration.all_of", { phase: phase.title ?? phase.kind });
    return frames[position].hint ?? frames[position].kind;
  }

  resized() {
    this.reserve();
    this.typeset();
  }

  /** Keep so much room for the words that nothing below them ever jumps. */
  reserve() {
    const width = this.words.clientWidth;
    const { frames, level, stopsAt } = this.stepper;
    if (!width || this.stepper.root.dataset.phase === "error" || this.reserved === `${width} ${level}`) return;
    this.reserved = `${width} ${level}`;
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${SMALLEST}px ${getComputedStyle(this.equation).fontFamily}`;
    const sides = frames.flatMap(({ equation }) => cutAtSigns(equation ?? "").map((side, i, [left]) => (i ? left + side : side)));
    const wide = sides.map((side) => pen.measureText(side.replace(/∂[^\s/]+\/(?=∂)/g, "")).width); // of a fraction, one half
    const column = 0.4 * (this.element.clientWidth - 64);
    const isBelow = this.element.classList.toggle("mg-below", 1.2 * Math.max(0, ...wide) + 20 > column); // too wide for it: below the words
    const characters = (isBelow ? width : column) / pen.measureText("0").width; // that fit on a line
    this.most = 1.2 * Math.max(0, ...wide) + 20 > width ? Math.floor(0.8 * characters) - 6 : Infinity;
    const lines = (element, texts, least, most) => {
      const { fontSize, fontFamily } = getComputedStyle(element);
      pen.font = `${fontSize} ${fontFamily}`;
      const longest = texts.toSorted((a, b) => b.length - a.length).slice(0, 8);
      const widest = Math.max(0, ...longest.map((text) => pen.measureText(text).width));
      return Math.min(most, Math.max(least, Math.ceil((1.1 * widest) / width))); // lines are seldom filled to the end
    };
    const calm = stopsAt[level - 1].filter((stop) => stop && frames[stop - 1].kind !== "error");
    const sentences = [this.beginning(), ...calm.map((stop) => this.told(stop))];
    const hints = frames.map(({ hint }) => word("narration.next", { what: hint ?? "" }));
    const heights = frames.map(({ equation }) => linesIn(equation ?? "", this.most));
    const rows = Math.max(0, ...sentences.map((text) => (text.match(ROWS) ? rowsOf(text.match(ROWS)[1]).length : 0)));
    const room = {
      say: lines(this.say, sentences, 2, 5) + Math.max(0, 0.7 * rows - 1), // a matrix makes its line higher
      hint: lines(this.hint, [...hints, word("narration.end")], 1, 3),
      equation: Math.min(4, Math.max(0, ...heights)),
    };
    for (const [name, value] of Object.entries(room)) this.element.style.setProperty(`--mg-${name}-lines`, value);
  }
}
