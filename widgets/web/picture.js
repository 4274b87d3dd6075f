import { NOT_YET, besideArrow, curve, isBad, linesOf } from "./run.js";
import { SVG, h, icon, write } from "./elements.js";
import { LOOKS } from "./help.js";
import { apart, squeeze, writeLines } from "./texts.js";
import { Viewport } from "./viewport.js";
import { word } from "./words.js";

export const TEXTS = { value: "", grad: NOT_YET, box: NOT_YET, part: "" }; // what each shows while there is nothing
const NEAR = 2; // arrows away from the current node that the focus view shows

const [STATIONS, JOURNEY] = [12, 450]; // points on the way of a gradient, and its milliseconds

/** The drawn graph. Graphviz laid it out once; from then on only classes, texts and the visible part change. */
export class Picture {
  constructor(stepper) {
    this.stepper = stepper;
    this.views = stepper.model.get("views") ?? {};
    this.elements = new Map(); // data-id -> element of the open view
    this.crumbs = h("div", { class: "mg-crumbs", role: "group", "aria-label": word("picture.groups") });
    this.canvas = h("div", {
      class: "mg-canvas",
      tabindex: 0,
      role: "group",
      "aria-label": word("picture.graph"),
    });
    this.canvas.addEventListener("click", (event) => this.clicked(event));
    this.canvas.addEventListener("pointerover", (event) => this.explain(event.target.closest?.(".mg-node")));
    this.canvas.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches(".folded")) this.opened(event, event.target.dataset.id);
    });
    this.viewport = new Viewport(this.canvas, () => stepper.bringIntoSight(stepper.centre));
    const tool = (label, path, action) =>
      h("button", { type: "button", class: "mg-tool", "aria-label": label, title: label, onclick: action }, icon(path));
    this.focusButton = h(
      "button",
      {
        type: "button",
        class: "mg-tool mg-word",
        "aria-pressed": "false",
        title: word("picture.focus_how", { number: NEAR }),
        onclick: () => this.focusView(!this.focused),
      },
      word("picture.focus"),
    );
    this.element = h(
      "div",
      { class: "mg-picture", role: "group", "aria-label": word("picture.title") },
      h("div", { class: "mg-sheet" }, this.canvas, this.viewport.minimap),
      h(
        "div",
        { class: "mg-tools" },
        this.crumbs,
        this.focusButton,
        tool(word("picture.zoom_out"), "M5 12h14", () => this.viewport.zoom(1 / 1.25)),
        tool(word("picture.zoom_in"), "M5 12h14M12 5v14", () => this.viewport.zoom(1.25)),
        tool(word("picture.fit"), "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5", () => this.viewport.fit()),
      ),
    );
    this.open("");
  }

  get exists() {
    return Boolean(this.views[""]);
  }

  /** Show a view: "" is the whole, "g3" the inside of a folded group. */
  open(name) {
    this.name = name;
    this.elements.clear();
    const parsed =
      this.views[name] && new DOMParser().parseFromString(this.views[name], "image/svg+xml").documentElement;
    if (!parsed || parsed.localName !== "svg")
      return this.viewport.close(h("p", { class: "mg-empty" }, word("picture.none")));
    this.svg = document.importNode(parsed, true);
    this.svg.classList.add("mg-graph");
    for (const script of this.svg.querySelectorAll("script, foreignObject")) script.remove();
    for (const folded of this.svg.querySelectorAll(".folded")) {
      folded.setAttribute("tabindex", 0);
      folded.setAttribute("role", "button");
    }
    for (const element of this.svg.querySelectorAll("[data-id]")) {
      element.classList.remove("done", "freed", "broken", "joins", "lost"); // what stands alone shows the end
      for (const id of element.dataset.id.split(" ")) this.elements.set(id, element); // an arrow may stand for several
    }
    this.showCrumbs();
    this.viewport.open(this.svg, this.elements);
  }

  /** Where the open view is; and the way to where the run is now, if that is elsewhere. */
  showCrumbs() {
    const { groups } = this.stepper.trace;
    const path = [];
    for (let name = this.name; name; name = this.parent(name)) path.unshift(name);
    const crumb = (name, text, current) =>
      h("button", { type: "button", "aria-current": current && "page", onclick: () => this.enter(name) }, text);
    const title = (name) => (name ? groups[Number(name.slice(1))].name : word("picture.whole"));
    const crumbs = path.length ? ["", ...path].map((name) => crumb(name, title(name), name === this.name)) : [];
    const { centre } = this.stepper;
    if (path.length && centre !== null && !this.find(centre))
      crumbs.push(crumb(this.viewOf(centre), word("picture.go_there")));
    this.crumbs.replaceChildren(...crumbs);
  }

  /** The view that shows a node itself. */
  viewOf(id) {
    const { nodes, groups } = this.stepper.trace;
    let group = nodes[Number(id.slice(1))].group;
    while (group != null && !this.views[`g${group}`]) group = groups[group].parent;
    return group == null ? "" : `g${group}`;
  }

  /** The view round a view: the nearest group above it that has one. An iteration stands in the whole graph. */
  parent(name) {
    const { groups } = this.stepper.trace;
    let up = groups[Number(name.slice(1))].parent;
    while (up != null && (!this.views[`g${up}`] || groups[up].kind === "iterations")) up = groups[up].parent;
    return up == null ? "" : `g${up}`;
  }

  /** Open the graph of the iteration in which the run is; one without a graph leaves that of an earlier one open. */
  showIteration() {
    const { trace, position } = this.stepper;
    const { group } = trace.iterations[this.stepper.iterationAt(position)] ?? {};
    if (group === undefined || group === this.iteration) return;
    this.iteration = group;
    const name = this.views[`g${group}`] ? `g${group}` : "";
    if (name !== this.name) this.enter(name);
  }

  /** Open the group in which a node is, and close those in which it is not. */
  openAround(id) {
    const shown = id === null ? null : this.elements.get(id);
    if (!this.exists || id === null || (shown && !shown.classList.contains("outside"))) return;
    const view = this.viewOf(id);
    if (view !== this.name && this.views[view]) this.enter(view);
  }

  /** What a node will show is seen in grey before the first step; null takes it back. */
  preview(id, value) {
    const element = this.elements.get(id);
    const text = element?.querySelector("text.value");
    if (!text) return;
    element.classList.toggle("preview", value !== null);
    if (value !== null) this.put(text, linesOf(this.stepper.trace.values[value]));
    else this.show(id, "value", this.stepper.state[id].value);
  }

  put(text, lines) {
    writeLines(text, lines);
    const { size } = this.stepper.live.moved;
    if (text.classList.contains("part")) apart(text, size);
    else if (size || text.dataset.x) squeeze(text);
  }

  /** The gradient of an edge travels along its arrow, from the node that sends it. */
  travel(id) {
    const element = id && this.elements.get(id);
    const [line, part] = element ? [element.querySelector("path.line"), element.querySelector("text.part")] : [];
    if (!line || !part || !matchMedia("(prefers-reduced-motion: no-preference)").matches) return;
    const [length, rest] = [line.getTotalLength(), { x: part.getAttribute("x"), y: part.getAttribute("y") }];
    const moves = Array.from({ length: STATIONS + 1 }, (_, i) => {
      const { x, y } = line.getPointAtLength(length * (1 - i / STATIONS));
      return { transform: `translate(${x - rest.x}px, ${y - rest.y}px)` };
    });
    const traveller = part.cloneNode(true);
    traveller.classList.add("traveller");
    element.append(traveller);
    traveller.animate(moves, JOURNEY).onfinish = () => traveller.remove();
  }

  enter(name) {
    this.open(name);
    this.stepper.drawAll();
  }

  /** What stands for a node here: its own element, or the folded group round it. */
  find(id) {
    if (this.elements.has(id)) return this.elements.get(id);
    let group = id[0] === "n" ? this.stepper.trace.nodes[Number(id.slice(1))].group : null;
    while (group != null && !this.elements.get(`g${group}`)?.classList.contains("folded"))
      group = this.stepper.trace.groups[group].parent;
    return group == null ? undefined : this.elements.get(`g${group}`);
  }

  /** Whether another one of the edges that an arrow stands for has something to show. */
  another(element, target, field) {
    const others = field === "part" && element.classList.contains("merged") ? element.dataset.id.split(" ") : [];
    return others.some((id) => id !== target && this.stepper.state[id].part != null);
  }

  /** Let one field of a node or an edge show its value. */
  show(target, field, value) {
    const element = this.elements.get(target);
    if (!element) return;
    if (!(field in TEXTS)) return void element.classList.toggle(field, Boolean(value));
    const known = value == null ? null : this.stepper.trace.values[value];
    element.classList.toggle(`has-${field}`, known !== null || this.another(element, target, field));
    const text = element.querySelector(`text.${field}`);
    if (text) {
      this.put(text, known ? (field === "part" ? besideArrow(known) : linesOf(known)) : [TEXTS[field]]);
      text.classList.toggle("bad", known !== null && isBad(known.text));
    }
    const line = element.querySelector(`path.of-${field}`);
    if (line) line.setAttribute("d", curve(known, line.dataset.at.split(" ").map(Number)));
    const thumb = field === "value" && element.querySelector("image.thumb");
    if (thumb && known?.thumb) thumb.setAttribute("href", `data:image/png;base64,${known.thumb}`);
    else if (thumb) thumb.removeAttribute("href");
  }

  /** What a box is, what it looks like and why, for who points at it. */
  explain(box) {
    if (!box) return this.stepper.narration.point(null);
    const looks = LOOKS.filter(([classes]) => classes.split(" ").every((name) => box.classList.contains(name)));
    const [kind, ...states] = looks.map(([, words]) => words);
    this.stepper.narration.point(box.dataset.id);
    let title = box.querySelector("title");
    if (!title) box.prepend((title = document.createElementNS(SVG, "title")));
    title.said ??= title.textContent;
    write(title, [title.said, [kind, ...states].filter(Boolean).join("; ")].filter(Boolean).join("\n"));
  }

  opened(event, id) {
    event.preventDefault();
    event.stopPropagation();
    this.enter(id);
    this.canvas.focus({ preventScroll: true });
  }

  clicked(event) {
    const target = event.target.closest?.("[data-id]");
    if (!target || this.viewport.dragged) return;
    const id = target.dataset.id;
    const asksWhy = event.target.closest("text.grad, text.box") && this.stepper.predict.open?.kind !== "node";
    if (asksWhy) this.stepper.inspector.explain(Number(id.slice(1)));
    else if (target.classList.contains("folded")) this.opened(event, id);
    else if (id[0] === "n") this.stepper.picked(Number(id.slice(1)));
  }

  /** Bring a node into sight. */
  follow(id) {
    const element = id == null ? null : this.find(id);
    if (element) this.viewport.follow(element.dataset.id);
  }

  /** Dim all but a few nodes and edges; null shows everything again. */
  only(ids) {
    this.svg?.classList.toggle("dimmed", ids !== null);
    this.stepper.mark("near", ids ?? []);
  }

  focusView(on) {
    this.focused = on;
    this.focusButton.setAttribute("aria-pressed", on);
    if (on) this.viewport.enlarge();
    this.showFocus();
  }

  showFocus() {
    const { centre } = this.stepper;
    this.only(this.focused && centre !== null ? this.stepper.near(centre, NEAR) : null);
  }
}
