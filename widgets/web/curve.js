// A small picture: how a result depends on one number, the tangent at a place, and where it is now.
import { SVG } from "./elements.js";

const POINTS = 40;
const [BROAD, TALL] = [190, 84];

export class Curve {
  constructor() {
    this.element = document.createElementNS(SVG, "svg");
    for (const [name, value] of Object.entries({ class: "mg-nudge-curve", role: "img", viewBox: `0 0 ${BROAD} ${TALL}` }))
      this.element.setAttribute(name, value);
  }

  /** `from` has the place `x`, the `loss` there, and its `gradient`; `find` gives the loss at a place, or is false. */
  draw({ x, loss, gradient }, now, find) {
    this.point = null;
    this.element.replaceChildren();
    this.element.toggleAttribute("hidden", !find);
    this.span = Math.max(1, Math.abs(x), 1.5 * Math.abs(now - x));
    if (!find) return;
    const places = Array.from({ length: POINTS + 1 }, (_, i) => x + this.span * ((2 * i) / POINTS - 1));
    const points = places.map((at) => [at, find(at)]).filter(([, height]) => Number.isFinite(height));
    const heights = points.map(([, height]) => height);
    const [low, high] = heights.length ? [Math.min(...heights), Math.max(...heights)] : [0, 1];
    this.across = (at) => 6 + ((at - x + this.span) / (2 * this.span)) * (BROAD - 12);
    this.up = (at) => (Number.isFinite(at) ? TALL - 8 - ((at - low) / (high - low || 1)) * (TALL - 16) : TALL - 8);
    const line = (all) => `M${all.map(([at, height]) => `${this.across(at).toFixed(1)} ${this.up(height).toFixed(1)}`).join("L")}`;
    const ends = [-this.span, this.span].map((away) => [x + away, loss + away * gradient]);
    if (Number.isFinite(gradient)) this.part("path", { class: "tangent", d: line(ends) });
    if (points.length) this.part("path", { class: "line", d: line(points) });
    this.part("circle", { class: "from", r: 3, cx: this.across(x), cy: this.up(loss) });
    this.point = this.part("circle", { class: "point", r: 4.5, cx: this.across(now), cy: this.up(loss) });
  }

  part(tag, attributes) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    this.element.append(element);
    return element;
  }

  /** Where it is now. */
  show(x, loss) {
    this.point?.setAttribute("cx", this.across(x));
    this.point?.setAttribute("cy", this.up(loss));
  }
}
