// The slider that goes through the iterations of a loop, over the course of its loss.
import { SVG, h, write } from "./elements.js";
import { format, real } from "./run.js";
import { word } from "./words.js";

const HEIGHT = 20; // of the course of the loss, in units of its own

export class Loop {
  constructor(stepper) {
    this.stepper = stepper;
    const { iterations } = stepper.trace;
    const slide = () => stepper.iterate(Number(this.slider.value) - 1);
    this.slider = h("input", {
      ...{ type: "range", min: 1, max: iterations.length, step: 1, oninput: slide },
      ...{ "aria-label": word("loop.iteration"), title: word("loop.how") },
    });
    this.words = h("output", { class: "mg-iteration" });
    const track = h("div", { class: "mg-track" }, this.course(), this.slider);
    this.element = h("div", { class: "mg-loop" }, this.words, track);
  }

  /** The loss of an iteration; null where it has none of one number. */
  loss({ loss }) {
    const number = real(this.stepper.trace.values[loss]?.data?.[0]);
    return typeof number === "number" ? number : null;
  }

  /** A line of all losses, from the lowest at the bottom to the highest at the top. */
  course() {
    const { iterations } = this.stepper.trace;
    const losses = iterations.map((iteration) => this.loss(iteration));
    const finite = losses.filter(Number.isFinite);
    const [low, high] = [Math.min(...finite), Math.max(...finite)];
    const height = (loss) => HEIGHT - 1 - ((loss - low) / (high - low || 1)) * (HEIGHT - 2);
    const points = losses.flatMap((loss, i) => (Number.isFinite(loss) ? [`${i},${height(loss).toFixed(2)}`] : []));
    const svg = document.createElementNS(SVG, "svg");
    const line = document.createElementNS(SVG, "polyline");
    line.setAttribute("points", points.join(" "));
    svg.setAttribute("viewBox", `0 0 ${Math.max(1, iterations.length - 1)} ${HEIGHT}`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    svg.append(line);
    return svg;
  }

  show() {
    const { iterations } = this.stepper.trace;
    const here = this.stepper.iterationAt(this.stepper.position);
    const loss = this.loss(iterations[here]);
    this.slider.value = here + 1;
    const at = { number: here + 1, all: iterations.length };
    const place = loss === null ? word("loop.place", at) : word("loop.place_with_loss", { ...at, loss: format(loss) });
    this.slider.setAttribute("aria-valuetext", place);
    const { folded } = iterations[here];
    write(this.words, word(folded ? "loop.folded" : "loop.title", at));
    this.words.title = folded ? word("loop.unfold", at) : "";
  }
}
