import { NOT_YET } from "./run.js";
import { SVG, h, icon, write } from "./elements.js";

export const TEXTS = { value: "", grad: NOT_YET, box: NOT_YET, part: "" }; // what each shows while there is nothing
const LARGE = 60; // nodes from which on a minimap helps
const READABLE = 0.8; // the scale below which the texts are too small to read: their 13 pixels are 10 then
const NEAR = 2; // arrows away from the current node that the focus view shows

/** The drawn graph. Graphviz laid it out once; from then on only classes, texts and the visible part change. */
export class Picture {
  constructor(stepper) {
    this.stepper = stepper;
    this.views = stepper.model.get("views") ?? {};
    this.elements = new Map(); // data-id -> element of the open view
    this.size = { width: 0, height: 0 };
    this.view = { scale: 1, x: 0, y: 0 }; // what stands in the middle
    this.crumbs = h("nav", { class: "mg-crumbs", "aria-label": "Opened groups" });
    this.canvas = h("div", {
      class: "mg-canvas",
      tabindex: 0,
      role: "group",
      "aria-label": "Graph. Press ? for the keys.",
    });
    this.minimap = h("div", { class: "mg-minimap", hidden: true, "aria-hidden": "true" });
    const tool = (label, path, action) =>
      h("button", { type: "button", class: "mg-tool", "aria-label": label, title: label, onclick: action }, icon(path));
    this.focusButton = h(
      "button",
      {
        type: "button",
        class: "mg-tool mg-word",
        "aria-pressed": "false",
        title: `Show only what is ${NEAR} arrows away`,
        onclick: () => this.focusView(!this.focused),
      },
      "Focus",
    );
    this.element = h(
      "section",
      { class: "mg-picture", "aria-label": "Picture" },
      h("div", { class: "mg-sheet" }, this.canvas, this.minimap),
      h(
        "div",
        { class: "mg-tools" },
        this.crumbs,
        this.focusButton,
        tool("Zoom out", "M5 12h14", () => this.zoom(1 / 1.25)),
        tool("Zoom in", "M5 12h14M12 5v14", () => this.zoom(1.25)),
        tool("Fit the whole graph", "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5", () => this.fit()),
      ),
    );
    this.listen();
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.canvas);
    this.open("");
  }

  get exists() {
    return Boolean(this.views[""]);
  }

  /** Show a view: "" is the whole, "g3" the inside of a folded group. */
  open(name) {
    this.name = name;
    this.elements.clear();
    this.boxes = null;
    const parsed =
      this.views[name] && new DOMParser().parseFromString(this.views[name], "image/svg+xml").documentElement;
    if (!parsed || parsed.localName !== "svg") {
      this.canvas.replaceChildren(
        h(
          "p",
          { class: "mg-empty" },
          "There is no picture here. To see one, install the Python package pygraphviz, or Graphviz. The words say it all, too.",
        ),
      );
      return;
    }
    this.svg = document.importNode(parsed, true);
    this.svg.classList.add("mg-graph");
    for (const script of this.svg.querySelectorAll("script, foreignObject")) script.remove();
    const box = (this.svg.getAttribute("viewBox") ?? "0 0 100 100").split(/[\s,]+/).map(Number);
    this.whole = { x: box[0], y: box[1], width: box[2], height: box[3] };
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    for (const element of this.svg.querySelectorAll("[data-id]"))
      for (const id of element.dataset.id.split(" ")) this.elements.set(id, element); // an arrow may stand for several
    this.canvas.replaceChildren(this.svg);
    this.showCrumbs();
    this.minimap.hidden = this.elements.size <= LARGE;
    this.resized(true);
  }

  /** Where the open view is; and the way to where the run is now, if that is elsewhere. */
  showCrumbs() {
    const { groups } = this.stepper.trace;
    const path = [];
    for (let name = this.name; name; name = this.parent(name)) path.unshift(name);
    const crumb = (name, text, current) =>
      h("button", { type: "button", "aria-current": current && "page", onclick: () => this.enter(name) }, text);
    const title = (name) => (name ? groups[Number(name.slice(1))].name : "Whole graph");
    const crumbs = path.length ? ["", ...path].map((name) => crumb(name, title(name), name === this.name)) : [];
    const { centre } = this.stepper;
    if (path.length && centre !== null && !this.find(centre))
      crumbs.push(crumb(this.viewOf(centre), "Go where it is now"));
    this.crumbs.replaceChildren(...crumbs);
  }

  /** The view that shows a node itself. */
  viewOf(id) {
    const { nodes, groups } = this.stepper.trace;
    let group = nodes[Number(id.slice(1))].group;
    while (group != null && !this.views[`g${group}`]) group = groups[group].parent;
    return group == null ? "" : `g${group}`;
  }

  /** The view round a view: the nearest group above it that has one. */
  parent(name) {
    let up = this.stepper.trace.groups[Number(name.slice(1))].parent;
    while (up != null && !this.views[`g${up}`]) up = this.stepper.trace.groups[up].parent;
    return up == null ? "" : `g${up}`;
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
    if (text) write(text, known ? known.text : TEXTS[field]);
    const thumb = field === "value" && element.querySelector("image.thumb");
    if (thumb && known?.thumb) thumb.setAttribute("href", `data:image/png;base64,${known.thumb}`);
    else if (thumb) thumb.removeAttribute("href");
  }

  // What is seen of it: the view's middle and scale become the SVG's viewBox.

  resized(anew = false) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const first = anew || !this.size.width;
    this.size = { width, height };
    if (!width || !this.svg) return;
    if (first) this.fit(READABLE);
    else this.look();
    this.stepper.bringIntoSight(this.stepper.centre);
  }

  /** Fit the whole into the pane, but not smaller than `least`, in which it can still be read; then its beginning. */
  fit(least = 0) {
    const { x, y, width, height } = this.whole;
    const scale = Math.max(least, Math.min(this.size.width / width, this.size.height / height, 1.25));
    this.view = { scale, x, y };
    this.look(); // brings what is outside back to the border: the top is the beginning
  }

  zoom(factor, x = this.view.x, y = this.view.y) {
    const scale = Math.min(4, Math.max(0.05, this.view.scale * factor));
    const by = this.view.scale / scale;
    this.view = { scale, x: x + (this.view.x - x) * by, y: y + (this.view.y - y) * by };
    this.look();
  }

  look() {
    const [width, height] = [this.size.width / this.view.scale, this.size.height / this.view.scale];
    const inside = (at, from, length, seen) =>
      seen >= length ? from + length / 2 : Math.min(Math.max(at, from + seen / 2), from + length - seen / 2);
    this.view.x = inside(this.view.x, this.whole.x, this.whole.width, width);
    this.view.y = inside(this.view.y, this.whole.y, this.whole.height, height);
    const box = [this.view.x - width / 2, this.view.y - height / 2, width, height].map((x) => x.toFixed(2));
    this.svg.setAttribute("viewBox", box.join(" "));
    this.movable = width < this.whole.width - 1 || height < this.whole.height - 1;
    this.canvas.classList.toggle("mg-movable", this.movable);
    this.showMinimap(box);
  }

  /** Where a node is, in the SVG's own units; asked once for all, as nothing ever moves. */
  boxOf(id) {
    if (!this.boxes) {
      const outer = this.svg.getScreenCTM()?.inverse();
      this.boxes = new Map();
      for (const [key, element] of this.elements) {
        if (key[0] === "e" || !outer) continue;
        const box = element.getBBox();
        const corner = outer.multiply(element.getScreenCTM());
        const at = (x, y) => new DOMPoint(x, y).matrixTransform(corner);
        const [a, b] = [at(box.x, box.y), at(box.x + box.width, box.y + box.height)];
        this.boxes.set(key, { x: a.x, y: a.y, width: b.x - a.x, height: b.y - a.y });
      }
    }
    const element = this.find(id);
    return element && this.boxes.get(element.dataset.id);
  }

  /** Move the view only if the current node is not in it. */
  follow(id) {
    if (!this.movable || id == null || !this.size.width) return;
    const box = this.boxOf(id);
    if (!box) return;
    const [width, height] = [this.size.width / this.view.scale, this.size.height / this.view.scale];
    const away = (from, length, middle, seen) => from < middle - seen / 2 || from + length > middle + seen / 2;
    if (!away(box.x, box.width, this.view.x, width) && !away(box.y, box.height, this.view.y, height)) return;
    this.view.x = box.x + box.width / 2;
    this.view.y = box.y + box.height / 2;
    this.look();
  }

  showMinimap(box) {
    if (this.minimap.hidden) return;
    if (this.minimap.firstChild?.owner !== this.svg) {
      this.boxOf("");
      const map = document.createElementNS(SVG, "svg");
      map.owner = this.svg;
      map.setAttribute("viewBox", `${this.whole.x} ${this.whole.y} ${this.whole.width} ${this.whole.height}`);
      const rectangle = (name, at) => {
        const rect = document.createElementNS(SVG, "rect");
        rect.setAttribute("class", name);
        for (const [key, value] of Object.entries(at)) rect.setAttribute(key, value.toFixed(1));
        return rect;
      };
      for (const [key, at] of this.boxes) if (key[0] === "n") map.append(rectangle("dot", at));
      map.append(rectangle("seen", { x: 0, y: 0, width: 1, height: 1 }));
      map.addEventListener("pointerdown", (event) => {
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
        Object.assign(this.view, { x: at.x, y: at.y });
        this.look();
      });
      this.minimap.replaceChildren(map);
    }
    const seen = this.minimap.firstChild.lastChild;
    ["x", "y", "width", "height"].forEach((name, i) => seen.setAttribute(name, box[i]));
  }

  listen() {
    this.canvas.addEventListener("click", (event) => {
      const target = event.target.closest?.("[data-id]");
      if (!target || this.dragged) return;
      const id = target.dataset.id;
      if (target.classList.contains("folded")) this.enter(id);
      else if (id[0] === "n") this.stepper.picked(Number(id.slice(1)));
    });
    this.canvas.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey || !this.svg) return; // the plain wheel scrolls the page
        event.preventDefault();
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
        this.zoom(Math.exp(-event.deltaY / 300), at.x, at.y);
      },
      { passive: false },
    );
    this.canvas.addEventListener("pointerdown", (down) => {
      this.dragged = false;
      if (!this.movable || down.button || down.pointerType === "touch") return;
      const from = { ...this.view };
      const move = (event) => {
        const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
        if (!this.dragged && Math.hypot(dx, dy) < 4) return;
        this.dragged = true;
        Object.assign(this.view, { x: from.x - dx / from.scale, y: from.y - dy / from.scale });
        this.look();
      };
      const end = () => removeEventListener("pointermove", move);
      addEventListener("pointermove", move);
      addEventListener("pointerup", end, { once: true });
      addEventListener("pointercancel", end, { once: true });
    });
    this.canvas.addEventListener("touchmove", (event) => this.pinch(event), { passive: false });
    this.canvas.addEventListener("touchend", () => (this.fingers = null));
  }

  /** Two fingers move and zoom; one scrolls the page. */
  pinch(event) {
    if (event.touches.length !== 2 || !this.svg) return;
    event.preventDefault();
    const [a, b] = event.touches;
    const apart = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    const now = { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2, apart };
    const before = this.fingers ?? now;
    this.view.x -= (now.x - before.x) / this.view.scale;
    this.view.y -= (now.y - before.y) / this.view.scale;
    this.zoom(now.apart / before.apart);
    this.fingers = now;
  }

  /** Dim all but a few nodes and edges; null shows everything again. */
  only(ids) {
    this.svg?.classList.toggle("dimmed", ids !== null);
    this.stepper.mark("near", ids ?? []);
  }

  focusView(on) {
    this.focused = on;
    this.focusButton.setAttribute("aria-pressed", on);
    if (on && this.view.scale < 1) this.zoom(1 / this.view.scale);
    this.showFocus();
  }

  showFocus() {
    const { around, centre } = this.stepper;
    if (!this.focused || centre === null) return this.only(null);
    const reached = new Set([Number(centre.slice(1))]);
    const edges = new Set();
    for (let hop = 0; hop < NEAR; hop++) {
      for (const node of [...reached]) {
        for (const { edge, other } of [...around[node].inputs, ...around[node].uses]) {
          reached.add(other);
          edges.add(edge);
        }
      }
    }
    this.only([...[...reached].map((n) => `n${n}`), ...[...edges].map((e) => `e${e}`)]);
  }
}
