// A leaf's number is moved: all others follow. Beside it, what its gradient promised and what happened, and the curve of the
// loss with its tangent. In predict mode the change is asked for first.
import { Curve } from "./curve.js";
import { h, write } from "./elements.js";
import { NOT_YET, format, parse } from "./run.js";
import { word } from "./words.js";

const LEAVES = ["leaf", "parameter"];
const SHOWN = 40; // numbers of a value, at most, that the trace tells in full
const PIXELS = 4; // that a number is dragged over for one step
const [NEARLY, ABOUT] = [0.02, 0.1]; // how far an answer may be from what was promised, and from what happened

export class Nudge {
  constructor(stepper) {
    this.stepper = stepper;
    this.live = stepper.live;
    this.asked = new Set(); // the numbers of which a change has been predicted
    const choose = () => this.choose(...this.which.value.split(" ").map(Number));
    this.which = h("select", { "aria-label": word("nudge.which"), onchange: choose }, this.choices());
    const look = { type: "text", inputmode: "decimal", size: 10, autocomplete: "off", title: word("nudge.how") };
    this.field = h("input", { ...look, "aria-label": word("nudge.number"), onchange: () => this.typed() });
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.field.addEventListener("wheel", (event) => this.turned(event), { passive: false });
    this.back = h("button", { type: "button", onclick: () => this.putBack() }, word("nudge.put_back"));
    this.told = h("p", { class: "mg-nudge-told", role: "status" });
    this.answer = h("input", { type: "text", inputmode: "decimal", size: 8, autocomplete: "off", "aria-label": word("nudge.answer") });
    const check = h("button", { type: "submit", class: "mg-primary" }, word("ask.check"));
    const tell = h("button", { type: "button", onclick: () => this.judged("") }, word("predict.show_me"));
    this.question = h("p", { class: "mg-nudge-question" });
    this.form = h("form", { hidden: true }, this.question, this.answer, check, tell);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.judge(this.answer.value);
    });
    this.curve = new Curve();
    const row = h("div", { class: "mg-nudge-row" }, h("label", {}, `${word("nudge.move")} `, this.which), this.field, this.back);
    const parts = this.live.why ? h("p", {}, word("nudge.cannot", { why: this.live.why })) : [row, this.form, this.told];
    const label = { class: "mg-nudge", hidden: true, "aria-label": word("nudge.title") };
    this.element = h("section", label, h("div", {}, parts), this.live.why ? [] : this.curve.element);
    stepper.picture.canvas.addEventListener("pointerdown", (event) => this.grabbed(event), { capture: true });
  }

  /** Each number that may be moved, for the list; and each leaf that is too large for it. */
  choices() {
    if (this.live.why) return [];
    const { nodes, live, values } = this.live.trace;
    const isLarge = ({ kind, start }, node) => LEAVES.includes(kind) && !(node in live.leaves) && values[start?.value]?.low !== undefined;
    const large = nodes.filter(isLarge).map(({ name }) => h("option", { disabled: true }, word("nudge.too_many", { name, most: SHOWN })));
    const small = Object.entries(live.leaves).flatMap(([node, slot]) => {
      const [, shape] = this.live.tape.slots[slot];
      const places = Array.from({ length: shape.reduce((product, n) => product * n, 1) }, (_, i) => i);
      return places.map((i) => h("option", { value: `${node} ${i}` }, `${nodes[node].name}${shape.length ? `[${this.at(i, shape)}]` : ""}`));
    });
    return [...small, ...large];
  }

  at(i, shape) {
    return shape.map((n, axis) => Math.floor(i / shape.slice(axis + 1).reduce((product, m) => product * m, 1)) % n).join(", ");
  }

  // -- opening -------------------------------------------------------------------------------------------------

  open(on, node = null) {
    this.element.hidden = !on;
    this.stepper.options.nudge.setAttribute("aria-pressed", on);
    this.stepper.root.classList.toggle("mg-nudging", on);
    if (!on) this.putBack();
    else if (!this.live.why) {
      const { leaves } = this.live.trace.live;
      const inspected = this.stepper.inspected?.slice(1);
      this.choose(Number(node ?? (inspected in leaves ? inspected : Object.keys(leaves)[0])), 0);
      this.stepper.mark("movable", Object.keys(leaves).map((leaf) => `n${leaf}`));
    }
    if (!on) this.stepper.mark("movable", []);
    this.stepper.body.fit();
  }

  /** A lesson offers a leaf of this name to be moved. */
  begin(name) {
    const node = this.live.trace.nodes.findIndex((one) => name && one.name === name);
    if (node >= 0) this.open(true, this.live.why || node in this.live.trace.live.leaves ? node : null);
  }

  toggle(on) {
    this.open(on);
    if (on) this.focus();
    else this.stepper.picture.canvas.focus({ preventScroll: true });
  }

  focus() {
    if (!this.live.why) this.field.focus({ preventScroll: true });
    this.field.select();
  }

  /** From here on this number is moved. */
  choose(node, index) {
    const { trace, tape } = this.live;
    Object.assign(this, { node, index, slot: trace.live.leaves[node], pending: null });
    this.which.value = `${node} ${index}`;
    this.name = this.which.selectedOptions[0].textContent;
    this.loss = this.lossOf(node);
    const number = (slot, i) => (slot === undefined ? NaN : tape.arrays[slot][i]);
    this.from = { x: this.number, loss: number(this.loss.slot, 0), gradient: number(this.loss.gradient, index) };
    const size = Math.max(Math.abs(this.from.x) || 0, 0.1);
    this.step = 10 ** (Math.floor(Math.log10(size)) - 1);
    this.form.hidden = true;
    this.draw();
    this.show();
  }

  get number() {
    return this.live.tape.given.get(this.slot)[this.index];
  }

  /** The result of the backward that the run is in (or else the next one), and what arrives from it at a leaf. */
  lossOf(leaf) {
    const { frames, values, nodes } = this.live.trace;
    const starts = frames.flatMap(({ kind }, i) => (kind === "seeded" ? [i] : []));
    const from = starts.findLast((i) => i < this.stepper.position) ?? starts[0] ?? frames.findLastIndex(({ kind }) => kind === "made");
    const until = starts.find((i) => i > from) ?? frames.length;
    const { node } = frames[from] ?? {};
    let [value, gradient] = [nodes[node]?.start?.value, undefined];
    frames.forEach(({ changes = [] }, i) => {
      for (const [target, field, , after] of changes) {
        if (target === `n${node}` && field === "value" && i <= from) value = after;
        if (target === `n${leaf}` && field === "grad" && after != null && i > from && i < until) gradient = after;
      }
    });
    const single = values[value]?.shape === undefined || values[value].shape.every((n) => n === 1);
    return { name: nodes[node]?.name, slot: single ? values[value]?.slot : undefined, gradient: this.slotOf(values[gradient], leaf) };
  }

  /** Where a gradient stands; one that never moves stands nowhere, and is the number that it is. */
  slotOf(value, leaf) {
    if (value === undefined || value.slot !== undefined) return value?.slot;
    const slot = this.live.tape.arrays.length;
    this.live.tape.arrays.push(Float64Array.from(value.data ?? []));
    this.live.tape.slots.push(["float64", this.live.tape.slots[this.live.trace.live.leaves[leaf]][1]]);
    this.live.recorded.push(this.live.tape.arrays[slot].slice());
    return slot;
  }

  // -- moving --------------------------------------------------------------------------------------------------

  /** The number shall be this one: at once, or after its effect has been predicted. */
  want(x) {
    if (this.live.why || Number.isNaN(x) || x === this.number) return;
    const key = `${this.node} ${this.index}`;
    if (this.stepper.model.get("predict") && !this.asked.has(key) && Number.isFinite(this.from.gradient)) return this.ask(x);
    this.wanted = x;
    this.settling ??= requestAnimationFrame(() => {
      this.settling = null;
      this.move(this.wanted);
    });
  }

  move(x) {
    const before = this.live.differs;
    this.live.move(this.slot, this.index, x);
    this.follow(before);
  }

  /** All that shows a number which is another one now. */
  follow(before) {
    const { stepper, live } = this;
    stepper.root.classList.toggle("mg-moved", live.moved.size > 0);
    const { values } = live.trace;
    const touched = (value) => before[values[value]?.slot] || live.differs[values[value]?.slot];
    for (const [target, fields] of Object.entries(stepper.state))
      for (const [field, value] of Object.entries(fields)) if (touched(value)) stepper.show(target, field, value);
    if (stepper.previewed) for (const [id, value] of stepper.firstValues) stepper.picture.preview(id, value);
    stepper.narration.show(stepper.inner ? stepper.elementsAhead()[stepper.inner - 1] : null);
    stepper.inspector.show();
    if (Math.abs(this.number - this.from.x) > this.curve.span) this.draw();
    this.show();
  }

  putBack() {
    if (this.live.why) return;
    const before = this.live.differs;
    this.live.restore();
    this.asked.clear();
    if (this.slot === undefined) return;
    this.follow(before);
    this.choose(this.node, this.index);
  }

  /** So many steps further; what is reached has no more digits than the step. */
  by(steps) {
    const digits = Math.max(0, -Math.log10(this.step));
    this.want(Number(((this.wanted ?? this.number) + steps * this.step).toFixed(Math.round(digits))));
    this.wanted = this.settling ? this.wanted : null;
  }

  typed() {
    const x = parse(this.field.value);
    if (Number.isNaN(x)) write(this.told, word("judging.no_number"));
    else this.want(x);
  }

  key(event) {
    const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (event.key === "Enter") this.typed();
    const asks = event.key === "Enter" && !this.form.hidden; // the focus is in its answer, which is not to be sent
    if (steps || asks) event.preventDefault();
    if (steps) this.by(steps * (event.shiftKey ? 10 : 1));
  }

  turned(event) {
    if (document.activeElement !== this.field) return;
    event.preventDefault();
    this.by(event.deltaY < 0 ? 1 : -1);
  }

  /** A leaf's number in the picture is dragged. */
  grabbed(down) {
    const text = down.target.closest?.("text.value");
    const node = text?.closest(".mg-node.movable")?.dataset.id.slice(1);
    if (!node || down.button || this.element.hidden) return;
    down.stopPropagation(); // the picture stays where it is
    if (Number(node) !== this.node) this.choose(Number(node), 0);
    const from = this.number;
    const move = ({ clientX, clientY, shiftKey }) => {
      const steps = Math.round((clientX - down.clientX - (clientY - down.clientY)) / PIXELS);
      this.stepper.picture.viewport.dragged ||= steps !== 0; // so that letting go chooses nothing
      this.want(Number((from + steps * this.step * (shiftKey ? 10 : 1)).toPrecision(6)));
    };
    this.stepper.picture.viewport.dragged = false;
    addEventListener("pointermove", move);
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => removeEventListener("pointermove", move), { once: true });
  }

  // -- asking --------------------------------------------------------------------------------------------------

  ask(x) {
    this.pending ??= x;
    const places = { name: this.name, from: format(this.from.x), to: format(this.pending), gradient: format(this.from.gradient) };
    write(this.question, word("nudge.question", { ...places, loss: this.loss.name }));
    if (!this.form.hidden) return;
    this.form.hidden = false;
    this.answer.value = "";
    write(this.told, "");
    this.stepper.body.fit();
    this.answer.focus({ preventScroll: true });
  }

  judge(text) {
    const given = parse(text);
    if (Number.isNaN(given)) return write(this.told, word("judging.no_number"));
    const [nudge, { gradient, loss }] = [this.pending - this.from.x, this.from];
    const promised = gradient * nudge;
    const happened = this.loss.slot === undefined ? promised : this.live.would([this.slot, this.index], this.pending, this.loss.slot) - loss;
    const near = (right, share) => Math.abs(given - right) <= share * Math.abs(right) + 1e-9;
    const right = near(promised, NEARLY) || near(happened, ABOUT);
    const wrong = near(gradient, NEARLY) ? "is_gradient" : near(-promised, NEARLY) ? "is_opposite" : "is_other";
    this.judged(right ? word("ask.right") : `${word("ask.wrong")} ${word(`nudge.${wrong}`, { nudge: format(nudge) })}`);
  }

  judged(words) {
    this.asked.add(`${this.node} ${this.index}`);
    this.form.hidden = true;
    this.verdict = words;
    this.move(this.pending);
    this.pending = null;
    this.stepper.body.fit();
    this.focus();
  }

  // -- what is said and drawn ----------------------------------------------------------------------------------

  show() {
    const { x, loss, gradient } = this.from;
    if (document.activeElement !== this.field || parse(this.field.value) !== this.number) this.field.value = String(Number(this.number.toPrecision(7)));
    this.back.disabled = !this.live.moved.size;
    const [nudge, now] = [this.number - x, this.loss.slot === undefined ? NaN : this.live.tape.arrays[this.loss.slot][0]];
    const places = { name: this.name, loss: this.loss.name ?? NOT_YET, from: format(x), to: format(this.number), nudge: format(nudge) };
    const numbers = { before: format(loss), after: format(now), happened: format(now - loss) };
    const promise = { gradient: format(gradient), promised: format(gradient * nudge) };
    const key = Number.isNaN(gradient) && this.loss.gradient === undefined ? "no_gradient" : nudge ? "promise" : "start";
    const said = [
      this.verdict,
      word(`nudge.${key}`, { ...places, ...numbers, ...promise }),
      this.live.decidesOtherwise && word("nudge.decided"),
    ];
    write(this.told, said.filter(Boolean).join(" "));
    this.verdict = "";
    this.curve.show(this.number, now);
  }

  /** The curve of the loss against this number, and the tangent where it was. */
  draw() {
    const { tape } = this.live;
    const of = this.loss.slot;
    this.curve.draw(this.from, this.number, of !== undefined && ((at) => this.live.would([this.slot, this.index], at, of)));
    tape.run();
    this.curve.element.setAttribute("aria-label", word("nudge.curve", { loss: this.loss.name ?? "", name: this.name }));
  }
}
