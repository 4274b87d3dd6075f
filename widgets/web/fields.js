// Where an answer is given: a line of text, one of several, all in an order, or a picture with a slider.
//
// A field has an `element`; `given`, the answer as text ("" while there is none); `missing`, what is said then; `focus()`;
// and `end()`, after which it only shows.
import { SVG, h, roving, write } from "./elements.js";
import { word } from "./words.js";

/** Text in which `backticks` enclose code. */
export const phrased = (text) => text.split("`").map((part, i) => (i % 2 ? h("code", {}, part) : part));

const SIGNS = [
  ["+", `+ ${word("signs.positive")}`],
  ["0", `0 ${word("signs.zero")}`],
  ["−", `− ${word("signs.negative")}`],
];
let groups = 0; // radio buttons that belong together have a name of their own

class Written {
  constructor() {
    this.missing = word("fields.write_first");
    const look = { type: "text", "aria-label": word("ask.answer"), autocomplete: "off", spellcheck: "false" };
    this.element = h("input", look);
  }

  get given() {
    return this.element.value.trim();
  }

  set given(text) {
    this.element.value = text;
  }

  focus() {
    this.element.focus({ preventScroll: true });
    this.element.select();
  }

  end() {
    this.element.readOnly = true;
  }
}

class Chosen {
  constructor({ kind, options }) {
    const name = `mg-ask-${groups++}`;
    const choices = kind === "sign" ? SIGNS : options.map((text, i) => [i, text]);
    this.missing = word("fields.choose_first");
    this.element = h(
      "div",
      { class: `mg-ask-choices mg-ask-${kind}`, role: "radiogroup", "aria-label": word("ask.answer") },
      choices.map(([value, text]) => h("label", {}, h("input", { type: "radio", name, value }), h("span", {}, phrased(text)))),
    );
    this.all = [...this.element.querySelectorAll("input")];
  }

  get given() {
    return this.all.find((one) => one.checked)?.value ?? "";
  }

  set given(text) {
    for (const one of this.all) one.checked = one.value === text;
  }

  focus() {
    (this.all.find((one) => one.checked) ?? this.all[0]).focus({ preventScroll: true });
  }

  end() {
    for (const one of this.all) one.disabled = true;
  }
}

/** Its items are picked one after the other, which numbers them; those that have no number yet stand below. */
class Ordered {
  constructor({ options }) {
    this.missing = word("fields.order_first");
    this.picked = [];
    this.items = options.map((text, i) =>
      h("button", { type: "button", onclick: () => this.pick(i) }, h("b", {}), h("span", {}, phrased(text))),
    );
    this.list = h("ol", { onkeydown: (event) => this.moved(event) }, this.items.map((item) => h("li", {}, item)));
    roving(this.list, "button");
    this.told = h("p", { class: "mg-ask-told", role: "status" });
    this.element = h(
      "div",
      { class: "mg-ask-order", role: "group", "aria-label": word("ask.answer") },
      h("p", { class: "mg-ask-how" }, word("fields.order_how")),
      this.list,
      this.told,
    );
    this.show();
  }

  get given() {
    return this.picked.length === this.items.length ? this.picked.join(",") : "";
  }

  set given(text) {
    this.picked = text.split(",").map(Number);
    this.show();
  }

  pick(i) {
    if (this.ended) return;
    this.picked = this.picked.includes(i) ? this.picked.filter((one) => one !== i) : [...this.picked, i];
    this.show(i);
  }

  moved(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation(); // alone, the arrows lead from one item to the next
    const i = this.items.indexOf(event.target);
    const [from, to] = [this.picked.indexOf(i), this.picked.indexOf(i) + step];
    if (this.ended || from < 0 || to < 0 || to >= this.picked.length) return;
    [this.picked[from], this.picked[to]] = [this.picked[to], i];
    this.show(i);
  }

  show(moved = null) {
    const others = [...this.items.keys()].filter((i) => !this.picked.includes(i));
    this.list.append(...[...this.picked, ...others].map((i) => this.items[i].parentElement));
    for (const [i, item] of this.items.entries()) {
      const at = this.picked.indexOf(i) + 1;
      write(item.firstChild, at ? `${at}.` : "");
      item.setAttribute("aria-pressed", at > 0);
      item.tabIndex = -1;
    }
    const item = this.items[moved] ?? this.list.querySelector("button");
    item.tabIndex = 0;
    if (moved === null) return;
    item.focus({ preventScroll: true }); // moving an element takes the focus from it
    const at = this.picked.indexOf(moved) + 1;
    const told = { item: item.lastChild.textContent, number: at, all: this.items.length };
    write(this.told, word(at ? "fields.picked" : "fields.taken_back", told));
  }

  focus() {
    this.list.querySelector("[tabindex='0']").focus({ preventScroll: true });
  }

  end() {
    this.ended = true;
    for (const item of this.items) item.disabled = true;
  }
}

const [WIDTH, HEIGHT, ROOM] = [360, 210, 14]; // of the picture, and around it

/** A slider, and the curve that belongs to its place beside the dashed one. */
class Drawn {
  constructor({ picture, answer }) {
    this.picture = picture;
    this.missing = "";
    this.curve = drawn("path", { class: "mg-ask-curve" });
    const [place, last] = [picture.label || word("fields.slider"), picture.places.length - 1];
    this.place = place;
    this.slider = h("input", { type: "range", min: 0, max: last, step: 1, "aria-label": place, oninput: () => this.show() });
    this.slider.value = answer === 0 ? last : 0;
    this.at = h("output", {});
    this.view = new View([...picture.curves, picture.target], picture.target);
    const label = word("fields.curves", { axis: picture.x || "x", slider: place });
    this.element = h(
      "div",
      { class: "mg-ask-picture" },
      drawn(
        "svg",
        { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
        this.view.axes(picture.x || "x", picture.y || ""),
        this.curve,
        drawn("path", { class: "mg-ask-target", d: this.view.path(picture.target) }),
      ),
      h("label", {}, this.slider, this.at),
    );
    this.show();
  }

  get given() {
    return this.slider.value;
  }

  set given(text) {
    this.slider.value = text;
    this.show();
  }

  show() {
    const { curves, places, target } = this.picture;
    const curve = curves[this.slider.value];
    this.curve.setAttribute("d", this.view.path(curve));
    const place = `${this.place} = ${short(places[this.slider.value])}`;
    write(this.at, place);
    const off = Math.max(...curve.map(([, y], i) => Math.abs(y - target[i]?.[1])).filter(Number.isFinite));
    const seen = word("fields.distance", { place, most: short(off) }); // by an eye
    this.slider.setAttribute("aria-valuetext", seen);
  }

  focus() {
    this.slider.focus({ preventScroll: true });
  }

  end() {
    this.slider.disabled = true;
  }
}

/** From numbers to places in the picture. A curve that runs far away from the target is cut off. */
class View {
  constructor(curves, target) {
    const xs = curves.flat().map(([x]) => x);
    const [low, high] = ends(curves.flat().map(([, y]) => y));
    const [bottom, top] = ends(target.map(([, y]) => y));
    const more = top - bottom || high - low;
    [this.left, this.right] = ends(xs);
    [this.low, this.high] = [Math.max(low, bottom - more), Math.min(high, top + more)];
  }

  x(x) {
    return ROOM + ((x - this.left) / (this.right - this.left || 1)) * (WIDTH - 2 * ROOM);
  }

  y(y) {
    return HEIGHT - ROOM - ((y - this.low) / (this.high - this.low || 1)) * (HEIGHT - 2 * ROOM);
  }

  path(points) {
    return `M${points.map(([x, y]) => `${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`).join("L")}`;
  }

  /** The axes, at zero where that is in sight, with the numbers at their ends. */
  axes(x, y) {
    const inside = (low, high) => Math.min(Math.max(0, low), high);
    const [across, up] = [this.y(inside(this.low, this.high)), this.x(inside(this.left, this.right))];
    const below = across + 13 > HEIGHT ? across - 5 : across + 13;
    const beside = up > WIDTH / 2 ? { x: up - 4, "text-anchor": "end" } : { x: up + 4 };
    return [
      drawn("path", { class: "mg-ask-axes", d: `M0 ${across}H${WIDTH}M${up} 0V${HEIGHT}` }),
      drawn("text", { x: 2, y: below }, short(this.left)),
      drawn("text", { x: WIDTH - 2, y: below, "text-anchor": "end" }, `${x} = ${short(this.right)}`),
      drawn("text", { ...beside, y: 11 }, `${y && `${y} = `}${short(this.high)}`),
      drawn("text", { ...beside, y: HEIGHT - 3 }, short(this.low)),
    ];
  }
}

const ends = (numbers) => [Math.min(...numbers), Math.max(...numbers)];
const short = (x) => String(Number(x.toPrecision(3))).replace("-", "−");

function drawn(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat());
  return element;
}

const KINDS = { number: Written, shape: Written, sign: Chosen, choice: Chosen, order: Ordered, picture: Drawn };

export const fieldFor = (question) => new KINDS[question.kind](question);
