// The stepper: walks a recorded run forward and back, in a notebook (as an anywidget) and in an exported page.
//
// It has no dependencies, fetches nothing and asks no kernel. docs/trace.md says what a trace is. Names, code and
// labels in it are data: they reach the page as text nodes and attributes only, never as markup.

import { h, write } from "./elements.js";
import { Player, targets } from "./player.js";
import { hearKeys } from "./keys.js";
import { Picture, TEXTS } from "./picture.js";
import { Code } from "./code.js";
import { Ledger } from "./ledger.js";
import { Inspector } from "./inspector.js";
import { Program } from "./program.js";
import { Stops } from "./breakpoints.js";
import { Nudge } from "./nudge.js";
import { Predict } from "./predict.js";
import { Transport } from "./transport.js";
import { Narration } from "./narration.js";
import { Search } from "./search.js";
import { Body } from "./body.js";
import { Options } from "./options.js";
import { word } from "./words.js";

export class Stepper extends Player {
  constructor(model, el) {
    super(model);
    this.marks = {}; // class -> the ids that bear it, with their elements
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
      "change:asks": () => this.predict.change(),
    };
    for (const [name, listener] of Object.entries(this.listeners)) {
      model.on(name, listener);
      listener(); // show how it is
    }
  }

  // -- how it looks --------------------------------------------------------------------------------------------

  build() {
    this.transport = new Transport(this);
    this.narration = new Narration(this);
    this.picture = new Picture(this);
    this.code = new Code(this);
    this.ledger = new Ledger(this);
    this.inspector = new Inspector(this);
    this.program = new Program(this);
    this.stops = new Stops(this);
    this.predict = new Predict(this);
    this.nudge = new Nudge(this);
    this.search = new Search(this);
    this.body = new Body(this, { inspect: this.inspector, table: this.ledger, program: this.program, stops: this.stops });
    this.tabs = this.body.tabs;
    this.options = new Options(this);
    const parts = [this.transport, this.narration, this.predict, this.nudge, this.body, this.options].map((part) => part.element);
    const name = word("stepper.title", { title: this.trace.title ?? "" });
    this.root = h("div", { class: "mg-stepper", role: "group", "aria-label": name }, parts, this.options.panel);
    hearKeys(this);
    this.root.style.setProperty("--mg-height", `${this.model.get("height") || 560}px`);
    this.tabs.open(0);
    this.body.watch();
    this.options.showPicture(this.picture.exists);
    this.stops.show();
    this.nudge.begin(this.model.get("move"));
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
    this.previewed = false;
    this.showPreview();
  }

  /** Before the first step: what the forward will compute, in grey; unless it is to be predicted. */
  showPreview() {
    const on = this.position === 0 && !this.inner && !this.model.get("predict");
    if (on === Boolean(this.previewed)) return;
    this.previewed = on;
    for (const [id, value] of this.firstValues) this.picture.preview(id, on ? value : null);
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

  go(position, inner = 0) {
    if (this.model.get("predict")) this.predict.close(); // with what was said of the last answer
    super.go(position, inner);
  }

  moved(net) {
    for (const [target, fields] of net)
      for (const [field, [before, after]] of fields) if (before !== after) this.show(target, field, after);
    this.showPosition();
  }

  next() {
    if (this.predict.frame !== null) return this.predict.focus();
    const asks = this.model.get("predict") && this.inner === 0;
    const question = asks ? this.predict.pending(this.position, this.stopAfter(this.position)) : null;
    if (question === null) {
      const before = this.position;
      super.next();
      this.picture.openAround(this.here);
      const edge = this.frames[this.position - 1]?.edge;
      if (this.position === before + 1 && edge != null) this.picture.travel(`e${edge}`);
      return;
    }
    this.play(false);
    this.nudge.putBack(); // it asks about the numbers that were recorded
    this.go(question.at);
    this.predict.ask(question);
  }

  previous() {
    super.previous();
    this.picture.openAround(this.centre);
  }

  runTo(place) {
    if (this.isAhead(place)) this.run(1, [place]);
    else write(this.narration.hint, word("stepper.nothing_more"));
  }

  toggleStop(place) {
    super.toggleStop(place);
    this.stops.changed();
  }

  stopHere() {
    if (this.inspected) this.toggleStop({ kind: "node", value: Number(this.inspected.slice(1)) });
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
    if (this.position !== this.armed || this.advance()) this.showPlaying(); // or another view of the model has moved on
    else this.play(false);
  }

  showLevel() {
    this.options.level.value = this.level;
    this.narration.reserve();
    if (!this.elementsAhead().length) this.inner = 0;
    this.showPosition();
  }

  // -- what is shown of a position -----------------------------------------------------------------------------

  showPosition() {
    const [done, ahead] = [this.frames[this.position - 1], this.frames[this.position]];
    const inside = this.inner ? this.elementsAhead()[this.inner - 1] : null;
    const frame = inside ? ahead : done;
    this.root.dataset.index = this.position;
    this.root.dataset.phase = frame?.kind === "error" ? "error" : (this.phaseNow?.kind ?? "forward");
    this.picture.showIteration();
    this.showPreview();
    this.transport.show(this);
    this.narration.show(inside);
    if (this.model.get("predict")) this.predict.show();
    this.mark("now", targets(frame));
    this.mark("next", inside || this.predict.ahead?.kind === "node" ? [] : targets(ahead));
    this.code.show(frame?.at ?? (this.position === 0 ? ahead?.at : null));
    this.program.show();
    this.inspector.show();
    if (this.picture.focused) this.picture.showFocus();
    if (this.picture.name) this.picture.showCrumbs();
    this.bringIntoSight(this.centre);
  }

  // -- choosing, tracing ------------------------------------------------------------------------------

  /** A node was clicked: it answers an open question, or is inspected. */
  picked(number) {
    if (this.predict.open?.kind === "node") return this.predict.answer(number);
    this.select(this.model.get("node") === `n${number}` ? "" : `n${number}`);
  }

  select(id) {
    this.set("node", id);
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
      for (const panel of [this.code, this.program, this.ledger]) panel.reveal(this.inSight);
    });
  }

  inspect() {
    if (!this.inspected) return;
    this.select(this.inspected);
    this.tabs.open(0);
  }

  /** Show only what a node was made from ("inputs"), or what was made from it ("uses"). */
  traceWay(node, way) {
    const again = this.traced?.node === node && this.traced?.way === way;
    this.traced = node === null || again ? null : { node, way };
    const ids = this.traced ? this.reached(node, way) : [];
    this.mark("upstream", way === "inputs" ? ids : []);
    this.mark("downstream", way === "uses" ? ids : []);
    if (this.traced) this.picture.only(ids);
    else this.picture.showFocus();
    this.inspector.show();
  }

  // -- asking, closing -----------------------------------------------------------------------------------------

  setPredict(on) {
    this.set("predict", on);
  }

  showPredict() {
    const on = Boolean(this.model.get("predict"));
    this.options.predict.setAttribute("aria-pressed", on);
    if (!on && this.predict.element.matches(":focus-within")) this.transport.next.focus({ preventScroll: true });
    this.predict.element.hidden = !on;
    this.predict.close();
    this.showPosition();
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
    if (!this.nudge.element.hidden) return this.nudge.toggle(false);
    if (this.model.get("node")) return this.select("");
    this.root.dispatchEvent(new Event("leave")); // a notebook takes the focus back
  }

  close() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.settling);
    this.body.close();
    this.narration.observer.disconnect();
    this.transport.observer.disconnect();
    this.picture.viewport.observer.disconnect();
    for (const [name, listener] of Object.entries(this.listeners)) this.model.off(name, listener);
  }
}
