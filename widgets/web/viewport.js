// What is seen of a large drawing: the middle and the scale become the SVG's viewBox. It moves, zooms, and has a minimap.
import { SVG, h } from "./elements.js";

const LARGE = 60; // things in a drawing from which on a minimap helps
const READABLE = 0.85; // the scale below which the texts are too small to read: their 13 pixels are 11 then
const WIDE = 0.8; // but a drawing that is a little too wide shall not be cut at its side

export class Viewport {
  /** `settled` is called when the pane got another size or another drawing. */
  constructor(canvas, settled) {
    this.canvas = canvas;
    this.settled = settled;
    this.size = { width: 0, height: 0 };
    this.view = { scale: 1, x: 0, y: 0 }; // what stands in the middle
    this.least = null; // how small the whole may be drawn to fit; null where somebody has zoomed
    this.minimap = h("div", { class: "mg-minimap", hidden: true, "aria-hidden": "true" });
    this.listen();
    this.paper = matchMedia("print");
    this.paper.addEventListener("change", () => this.svg && this.look());
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(canvas);
  }

  /** Show a drawing; `elements` are what it is made of, by id. */
  open(svg, elements) {
    this.svg = svg;
    this.elements = elements;
    this.boxes = null;
    const [x, y, width, height] = (svg.getAttribute("viewBox") ?? "0 0 100 100").split(/[\s,]+/).map(Number);
    this.whole = { x, y, width, height };
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    this.canvas.replaceChildren(svg);
    this.minimap.hidden = elements.size <= LARGE;
    this.resized(true);
  }

  /** Where no drawing can be shown: a sentence. */
  close(sentence) {
    this.svg = null;
    this.canvas.replaceChildren(sentence);
  }

  resized(anew = false) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const first = anew || !this.size.width;
    this.size = { width, height };
    if (!width || !this.svg) return;
    if (first) this.fit(READABLE);
    else this.scale();
    this.settled();
  }

  /** Fit the whole into the pane, but not smaller than `least`, in which it can still be read; then its beginning. */
  fit(least = 0) {
    this.least = least;
    Object.assign(this.view, { x: this.whole.x, y: this.whole.y });
    this.scale(); // brings what is outside back to the border: the top is the beginning
  }

  /** As large as the pane allows, which may get another size; a scale that a person chose stays. */
  scale() {
    const [across, down] = [this.size.width / this.whole.width, this.size.height / this.whole.height];
    const least = across > WIDE ? Math.min(this.least, across) : this.least;
    if (this.least !== null) this.view.scale = Math.max(least, Math.min(across, down, 1.25));
    this.look();
  }

  zoom(factor, x = this.view.x, y = this.view.y) {
    this.least = null;
    const scale = Math.min(4, Math.max(0.05, this.view.scale * factor));
    const by = this.view.scale / scale;
    this.view = { scale, x: x + (this.view.x - x) * by, y: y + (this.view.y - y) * by };
    this.look();
  }

  /** Show things in their own size, at least. */
  enlarge() {
    if (this.view.scale < 1) this.zoom(1 / this.view.scale);
  }

  look() {
    const [width, height] = [this.size.width / this.view.scale, this.size.height / this.view.scale];
    const inside = (at, from, length, seen) =>
      seen >= length ? from + length / 2 : Math.min(Math.max(at, from + seen / 2), from + length - seen / 2);
    this.view.x = inside(this.view.x, this.whole.x, this.whole.width, width);
    this.view.y = inside(this.view.y, this.whole.y, this.whole.height, height);
    const box = [this.view.x - width / 2, this.view.y - height / 2, width, height].map((x) => x.toFixed(2));
    const { x, y, width: wide, height: high } = this.whole;
    this.svg.setAttribute("viewBox", (this.paper.matches ? [x, y, wide, high] : box).join(" "));
    this.movable = width < this.whole.width - 1 || height < this.whole.height - 1;
    this.canvas.classList.toggle("mg-movable", this.movable);
    this.showMinimap(box);
  }

  /** Where each thing is, in the SVG's own units; asked once for all, as nothing ever moves. */
  places() {
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
    return this.boxes;
  }

  /** Move the view only if a thing is not in it. */
  follow(id) {
    const box = this.movable && this.size.width && this.places().get(id);
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
      const map = document.createElementNS(SVG, "svg");
      map.owner = this.svg;
      map.setAttribute("viewBox", `${this.whole.x} ${this.whole.y} ${this.whole.width} ${this.whole.height}`);
      const rectangle = (name, at) => {
        const rect = document.createElementNS(SVG, "rect");
        rect.setAttribute("class", name);
        for (const [key, value] of Object.entries(at)) rect.setAttribute(key, value.toFixed(1));
        return rect;
      };
      for (const [key, at] of this.places()) if (key[0] === "n") map.append(rectangle("dot", at));
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
}
