// The stepper: walks a recorded run forward and back, in a notebook (as an anywidget) and in an exported page.
//
// It has no dependencies, fetches nothing and asks no kernel. docs/trace.md says what a trace is. Names, code and
// labels in it are data: they reach the page as text nodes and attributes only, never as markup.

import { elements, hits, reduce, start, stops } from "./run.js";
import { h, write } from "./elements.js";
import { Picture, TEXTS } from "./picture.js";
import { Code } from "./code.js";
import { Ledger } from "./ledger.js";
import { Inspector } from "./inspector.js";
import { Stops } from "./breakpoints.js";
import { Predict } from "./predict.js";
import { Transport } from "./transport.js";
import { Narration } from "./narration.js";
import { Search } from "./search.js";
import { Tabs } from "./tabs.js";
import { Options } from "./options.js";

export class Stepper {
  constructor(model, el) {
    this.model = model;
    this.trace = { edges: [], groups: [], phases: [], values: [], files: [], frames: [], ...model.get("trace") };
    this.frames = this.trace.frames;
    this.last = this.frames.length;
    this.state = start(this.trace);
    this.position = 0;
    this.inner = 0; // elements of the next frame that have been walked through, at level 4
    this.breakpoints = [];
    this.marks = {}; // class -> the ids that bear it, with their elements
    this.read();
    this.build();
    el.replaceChildren(this.root);
    this.drawAll();
    this.listeners = {
      "change:index": () => this.moveTo(this.clamp(model.get("index"))),
      "change:node": () => this.showSelected(),
      "change:playing": () => this.showPlaying(),
      "change:level": () => this.showLevel(),
      "change:predict": () => this.showPredict(),
      "change:answers": () => this.predict.show(),
    };
    for (const [name, listener] of Object.entries(this.listeners)) {
      model.on(name, listener);
      listener(); // show how it is
    }
  }

  /** What can be told once from the trace: who is beside whom, what happens where, where one may stop. */
  read() {
    const { nodes, edges, frames, phases } = this.trace;
    this.around = nodes.map(() => ({ inputs: [], uses: [] }));
    edges.forEach(({ from, to }, edge) => {
      this.around[to].inputs.push({ edge, other: from });
      this.around[from].uses.push({ edge, other: to });
    });
    this.history = nodes.map(() => []); // frames at each node, and of what arrives there
    frames.forEach((frame, i) => {
      for (const node of new Set([frame.node, edges[frame.edge]?.from])) if (node != null) this.history[node].push(i);
    });
    this.stopsAt = [1, 2, 3, 3].map((level) => stops(frames, level));
    this.borders = [...new Set([0, ...phases.map((phase) => phase.last + 1), this.last])];
    this.inside = new Map(); // frame -> its elements
  }

  clamp(position) {
    return Math.min(this.last, Math.max(0, position));
  }

  // -- how it looks --------------------------------------------------------------------------------------------

  build() {
    this.transport = new Transport(this);
    this.narration = new Narration(this);
    this.picture = new Picture(this);
    this.code = new Code(this);
    this.ledger = new Ledger(this);
    this.inspector = new Inspector(this);
    this.stops = new Stops(this);
    this.predict = new Predict(this);
    this.search = new Search(this);
    const panels = { Inspect: this.inspector, Table: this.ledger, Stops: this.stops };
    this.tabs = new Tabs(
      Object.entries(panels).map(([name, panel]) => [name, panel.element]),
      () => this.bringIntoSight(this.inspected),
    );
    this.options = new Options(this);
    const parts = [
      this.transport.element,
      this.narration.element,
      this.predict.element,
      h(
        "div",
        { class: "mg-body" },
        this.picture.element,
        h("div", { class: "mg-panels" }, this.code.element, this.tabs.element),
      ),
      this.options.element,
      this.options.panel,
    ];
    const name = `Stepper: ${this.trace.title ?? ""}`;
    this.root = h(
      "div",
      { class: "mg-stepper", role: "group", "aria-label": name, onkeydown: (e) => this.key(e) },
      parts,
    );
    // JupyterLab shall leave the keys alone, but for those with Ctrl or ⌘: Ctrl+S saves.
    const leave = ({ ctrlKey, metaKey }) => this.root.toggleAttribute("data-lm-suppress-shortcuts", !ctrlKey && !metaKey);
    for (const name of ["keydown", "keyup", "focusin"]) this.root.addEventListener(name, leave);
    leave({});
    this.root.style.setProperty("--mg-height", `${this.model.get("height") || 560}px`);
    this.tabs.open(0);
    this.options.showPicture(this.picture.exists);
    this.stops.show();
  }

  /** Let every element show the state: after another view was opened. */
  drawAll() {
    for (const [target, fields] of Object.entries(this.state)) {
      for (const field of new Set([...Object.keys(TEXTS), ...Object.keys(fields)]))
        this.show(target, field, fields[field]);
    }
    const marks = this.marks;
    this.marks = {};
    for (const [name, ids] of Object.entries(marks)) this.mark(name, ids.keys());
  }

  show(target, field, value) {
    this.picture.show(target, field, value);
    this.ledger.show(target, field, value);
  }

  /** Give a class to what stands for these ids, in the picture and in the table, and take it from all else. */
  mark(name, ids) {
    const before = this.marks[name] ?? new Map();
    const after = new Map();
    for (const id of ids) {
      const shown =
        before.get(id) ??
        [this.picture.find(id), id[0] === "n" && this.ledger.rows[Number(id.slice(1))]].filter(Boolean);
      after.set(id, shown);
    }
    for (const [id, shown] of before) if (!after.has(id)) for (const element of shown) element.classList.remove(name);
    for (const shown of after.values()) for (const element of shown) element.classList.add(name);
    this.marks[name] = after;
  }

  // -- moving --------------------------------------------------------------------------------------------------

  /** Go to a position: the model's index changes, and with it everything that listens to it. */
  go(position, inner = 0) {
    if (this.model.get("predict")) this.predict.close(); // with what was said of the last answer
    this.wanted = inner;
    const target = this.clamp(position);
    if (target === this.model.get("index")) return this.moveTo(target);
    this.model.set("index", target);
    this.model.save_changes();
  }

  moveTo(position) {
    const net = reduce(this.state, this.frames, this.position, position);
    this.position = position;
    this.inner = this.wanted ?? 0;
    this.wanted = 0;
    for (const [target, fields] of net)
      for (const [field, [before, after]] of fields) if (before !== after) this.show(target, field, after);
    this.showPosition();
  }

  next() {
    if (this.predict.frame !== null) return this.predict.focus();
    const stop = this.stopAfter(this.position);
    const question = this.model.get("predict") && this.inner === 0 ? this.predict.pending(this.position, stop) : null;
    if (question !== null) {
      this.play(false);
      this.go(question);
      return this.predict.ask(question);
    }
    if (this.inner < this.elementsAhead().length) {
      this.inner += 1;
      return this.showPosition();
    }
    this.go(stop);
  }

  previous() {
    if (this.inner > 0) {
      this.inner -= 1;
      return this.showPosition();
    }
    const stop = this.stopsAt[this.level - 1].findLast((position) => position < this.position) ?? 0;
    this.go(stop, this.elementsAhead(stop).length);
  }

  get level() {
    return this.model.get("level") || 3;
  }

  stopAfter(position) {
    return this.stopsAt[this.level - 1].find((stop) => stop > position) ?? this.last;
  }

  /** At the finest level: what happens inside the next frame. One element alone is told by the equation. */
  elementsAhead(position = this.position) {
    if (this.level < 4 || position >= this.last) return [];
    if (!this.inside.has(position)) {
      const found = elements(this.frames[position].arithmetic, this.trace.values);
      this.inside.set(position, found.length > 1 ? found : []);
    }
    return this.inside.get(position);
  }

  phase(direction) {
    const border =
      direction > 0 ? this.borders.find((b) => b > this.position) : this.borders.findLast((b) => b < this.position);
    this.go(border ?? (direction > 0 ? this.last : 0));
  }

  /** To the next frame (or the last one) at which one of these stops. */
  run(direction, places = this.breakpoints) {
    let i = this.position + (direction > 0 ? 0 : -2);
    while (i >= 0 && i < this.last && !places.some((place) => hits(this.trace, place, i))) i += direction;
    this.go(direction > 0 ? i + 1 : Math.max(0, i + 1));
  }

  runTo(place) {
    const there = this.frames.some((_, i) => i >= this.position && hits(this.trace, place, i));
    if (there) return this.run(1, [place]);
    write(this.narration.hint, "Nothing more happens there.");
  }

  toggleStop(place) {
    const same = (stop) => JSON.stringify(stop) === JSON.stringify(place);
    this.breakpoints = this.breakpoints.some(same)
      ? this.breakpoints.filter((stop) => !same(stop))
      : [...this.breakpoints, place];
    this.mark(
      "stop",
      this.breakpoints.filter(({ kind }) => kind === "node").map(({ value }) => `n${value}`),
    );
    this.stops.show();
    this.code.showStops();
    this.inspector.show();
  }

  play(on) {
    if (on === Boolean(this.model.get("playing"))) return;
    if (on && this.position === this.last) this.go(0);
    this.model.set("playing", on);
    this.model.save_changes();
  }

  showPlaying() {
    const playing = Boolean(this.model.get("playing"));
    this.transport.showPlaying(playing);
    this.narration.words.setAttribute("aria-live", playing ? "off" : "polite"); // nobody can listen that fast
    clearTimeout(this.timer);
    if (playing) this.timer = setTimeout(() => this.tick(), this.options.delay);
    this.armed = this.position;
  }

  tick() {
    if (this.position !== this.armed) return this.showPlaying(); // another view of the same model has moved on
    const before = this.position;
    this.next();
    const stops = (i) => this.breakpoints.some((place) => hits(this.trace, place, i));
    const passed = this.frames.findIndex((_, i) => i >= before && i < this.position && stops(i));
    if (passed >= 0) this.go(passed + 1);
    const failed = this.frames[this.position - 1]?.kind === "error";
    if (this.position === this.last || passed >= 0 || failed) this.play(false);
    else this.showPlaying();
  }

  setLevel(level) {
    this.model.set("level", Math.min(4, Math.max(1, level)));
    this.model.save_changes();
  }

  showLevel() {
    this.options.level.value = this.level;
    this.narration.reserve();
    if (!this.elementsAhead().length) this.inner = 0;
    this.showPosition();
  }

  // -- what is shown of a position -----------------------------------------------------------------------------

  /** The node of the last frame, or of the one that we are inside of; before the first one there is none. */
  get here() {
    const node = this.frames[this.inner ? this.position : this.position - 1]?.node;
    return node == null ? null : `n${node}`;
  }

  /** Where to look: at the current node, or before the first frame at the one that comes. */
  get centre() {
    const next = this.frames[this.position]?.node;
    return this.here ?? (next == null ? null : `n${next}`);
  }

  /** The node that is told about: the chosen one, or else the current one. */
  get inspected() {
    const chosen = this.model.get("node");
    return chosen && this.state[chosen] ? chosen : this.here;
  }

  /** The phase of the last frame. */
  get phaseNow() {
    const { phases } = this.trace;
    return phases.find(({ first, last }) => first < this.position && this.position <= last + 1) ?? phases[0];
  }

  showPosition() {
    const [done, ahead] = [this.frames[this.position - 1], this.frames[this.position]];
    const inside = this.inner ? this.elementsAhead()[this.inner - 1] : null;
    const frame = inside ? ahead : done;
    this.root.dataset.index = this.position;
    this.root.dataset.phase = frame?.kind === "error" ? "error" : (this.phaseNow?.kind ?? "forward");
    this.transport.show(this);
    this.narration.show(inside);
    if (this.model.get("predict")) this.predict.show();
    this.mark("now", targets(frame));
    this.mark("next", inside ? [] : targets(ahead));
    this.code.show(frame?.at ?? (this.position === 0 ? ahead?.at : null));
    this.inspector.show();
    if (this.picture.focused) this.picture.showFocus();
    if (this.picture.name) this.picture.showCrumbs();
    this.bringIntoSight(this.centre);
  }

  // -- choosing, tracing ------------------------------------------------------------------------------

  /** A node was clicked: it answers an open question, or is inspected. */
  picked(number) {
    if (this.predict.frame !== null && this.predict.how.value === "node") return this.predict.answer(number);
    this.select(this.model.get("node") === `n${number}` ? "" : `n${number}`);
  }

  select(id) {
    this.model.set("node", id);
    this.model.save_changes();
  }

  showSelected() {
    const id = this.model.get("node");
    this.mark("selected", id && this.state[id] ? [id] : []);
    if (this.traced && id !== `n${this.traced.node}`) this.traceWay(null);
    this.inspector.show();
    if (!id || !this.state[id]) return;
    if (this.ledger.element.hidden) this.tabs.open(0);
    this.code.show(this.trace.nodes[Number(id.slice(1))].at);
    this.bringIntoSight(id);
  }

  /** Scroll picture, code and table to a node, once before the next painting: to measure takes a layout. */
  bringIntoSight(id) {
    this.inSight = id;
    this.settling ??= requestAnimationFrame(() => {
      this.settling = null;
      this.picture.follow(this.inSight);
      this.code.reveal();
      this.ledger.reveal(this.inSight);
    });
  }

  /** Show only what a node was made from ("inputs"), or what was made from it ("uses"). */
  traceWay(node, way) {
    const again = this.traced?.node === node && this.traced?.way === way;
    this.traced = node === null || again ? null : { node, way };
    const reached = new Set(this.traced ? [node] : []);
    const edges = new Set();
    for (const at of reached) {
      for (const { edge, other } of this.traced ? this.around[at][way] : []) {
        reached.add(other); // a set may grow while it is walked through
        edges.add(edge);
      }
    }
    const ids = [...[...reached].map((n) => `n${n}`), ...[...edges].map((e) => `e${e}`)];
    this.mark("upstream", way === "inputs" ? ids : []);
    this.mark("downstream", way === "uses" ? ids : []);
    if (this.traced) this.picture.only(ids);
    else this.picture.showFocus();
    this.inspector.show();
  }

  // -- keys ----------------------------------------------------------------------------------------------------

  setPredict(on) {
    this.model.set("predict", on);
    this.model.save_changes();
  }

  showPredict() {
    const on = Boolean(this.model.get("predict"));
    this.options.predict.setAttribute("aria-pressed", on);
    if (!on && this.predict.element.matches(":focus-within")) this.transport.next.focus({ preventScroll: true });
    this.predict.element.hidden = !on;
    this.predict.close();
  }

  /** Close or clear the topmost thing. */
  escape() {
    if (!this.options.panel.hidden) return this.options.help(false);
    if (this.predict.frame !== null) return this.predict.reveal();
    if (this.search.input.value) {
      this.search.clear();
      return this.picture.canvas.focus({ preventScroll: true });
    }
    if (this.traced) return this.traceWay(null);
    this.select("");
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation(); // in a notebook, letters are commands: `x` would cut the cell
    const typing = event.target.matches("input:not([type=range]), select");
    const answering = event.target === this.predict.input && event.key === "p"; // no number has a p in it
    if (typing && event.key !== "Escape" && !answering) return;
    if (event.target.matches("button") && (event.key === " " || event.key === "Enter")) return; // it presses the button
    const action = {
      ArrowRight: () => (event.shiftKey ? this.run(1) : this.next()),
      ArrowLeft: () => (event.shiftKey ? this.run(-1) : this.previous()),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      "[": () => this.phase(-1),
      "]": () => this.phase(1),
      " ": () => this.play(!this.model.get("playing")),
      "+": () => this.setLevel(this.level + 1),
      "-": () => this.setLevel(this.level - 1),
      b: () => this.inspected && this.toggleStop({ kind: "node", value: Number(this.inspected.slice(1)) }),
      p: () => this.setPredict(!this.model.get("predict")),
      "/": () => this.search.input.focus({ preventScroll: true }),
      "?": () => this.options.help(this.options.panel.hidden),
      Enter: () => this.inspected && (this.select(this.inspected), this.tabs.open(0)),
      Escape: () => this.escape(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    const before = this.position;
    action();
    // Who came in from below, with Shift+Tab, shall read what a step did or what it asks; who reads a panel stays there.
    const asked = this.predict.frame !== null;
    if ((this.position === before && !asked) || event.target.closest(".mg-panels")) return;
    requestAnimationFrame(() => {
      if (asked) this.predict.element.scrollIntoView({ block: "nearest" });
      this.narration.element.scrollIntoView({ block: "nearest" });
    });
  }

  close() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.settling);
    this.narration.observer.disconnect();
    this.picture.observer.disconnect();
    for (const [name, listener] of Object.entries(this.listeners)) this.model.off(name, listener);
  }
}

/** The node and the edge of a frame. */
function targets(frame) {
  return [frame?.node == null ? null : `n${frame.node}`, frame?.edge == null ? null : `e${frame.edge}`].filter(Boolean);
}
