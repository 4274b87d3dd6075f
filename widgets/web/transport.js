// The buttons that move through a run, and the slider under which its phases stand.
import { h, icon, write } from "./elements.js";
import { Loop } from "./loop.js";
import { word } from "./words.js";

const PLAY = "M8 5l11 7-11 7z";
const PAUSE = "M8 5v14M16 5v14";

export class Transport {
  constructor(stepper) {
    const { model, last } = stepper;
    const withKey = (label, key) => word("transport.with_key", { label, key });
    const button = (label, key, path, onclick) =>
      h("button", { type: "button", "aria-label": label, title: withKey(label, key), onclick }, icon(path));
    this.back = [
      button(word("transport.first"), "Home", "M18 6l-6 6 6 6M7 6v12", () => stepper.go(0)),
      button(word("transport.previous_phase"), "[", "M18 6l-6 6 6 6M11 6l-6 6 6 6", () => stepper.phase(-1)),
      button(word("transport.previous"), "←", "M15 5l-7 7 7 7", () => stepper.previous()),
    ];
    this.play = button(word("transport.play"), "Space", PLAY, () => stepper.play(!model.get("playing")));
    this.play.classList.add("mg-play");
    const next = word("transport.next");
    const look = { type: "button", class: "mg-primary mg-next", title: withKey(next, "→"), onclick: () => stepper.next() };
    this.next = h("button", look, h("span", {}, next), icon("M9 5l7 7-7 7"));
    this.on = [
      this.next,
      button(word("transport.next_phase"), "]", "M6 6l6 6-6 6M13 6l6 6-6 6", () => stepper.phase(1)),
      button(word("transport.last"), "End", "M6 6l6 6-6 6M17 6v12", () => stepper.go(last)),
    ];
    const slide = () => stepper.go(Number(this.slider.value));
    const range = { type: "range", min: 0, max: last, step: 1, oninput: slide };
    this.slider = h("input", { ...range, "aria-label": word("transport.position") });
    this.counter = h("output", { class: "mg-counter" });
    this.phases = h("div", { class: "mg-phases", "aria-hidden": "true" });
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(this.phases);
    this.loop = stepper.trace.iterations.length > 1 ? new Loop(stepper) : null;
    this.element = h(
      "div",
      { class: "mg-transport", role: "toolbar", "aria-label": word("transport.title") },
      h("div", { class: "mg-buttons" }, this.back, this.play, this.on),
      h("div", { class: "mg-scrub" }, this.loop?.element, this.slider, this.phases),
      this.counter,
    );
  }

  show({ position, inner, last, phaseNow, range, trace }) {
    this.showRange(range, trace.phases);
    this.loop?.show();
    for (const mark of this.phases.children) mark.classList.toggle("mg-active", mark.phase === phaseNow);
    this.slider.value = position;
    const at = { number: position, last, phase: phaseNow?.title ?? phaseNow?.kind };
    this.slider.setAttribute("aria-valuetext", word(phaseNow ? "transport.place_in_phase" : "transport.place", at));
    write(this.counter, `${position} / ${last}`);
    for (const button of this.back) button.setAttribute("aria-disabled", position === 0 && !inner);
    for (const button of this.on) button.setAttribute("aria-disabled", position === last);
  }

  /** A name that would be cut is not shown: the mark says it when it is pointed at. */
  fit() {
    for (const mark of this.phases.children) mark.classList.toggle("mg-tight", mark.scrollWidth > mark.clientWidth);
  }

  /** The slider, and under it the phases, of all steps or of one iteration. */
  showRange(range, phases) {
    if (this.range?.first === range.first && this.range.last === range.last) return;
    this.range = range;
    this.slider.min = range.first;
    this.slider.max = range.last;
    const here = phases.filter(({ first, last }) => first < range.last && range.first <= last);
    this.phases.replaceChildren(
      ...here.map((phase) => {
        const mark = h("span", { title: phase.title ?? phase.kind }, phase.title ?? phase.kind);
        mark.style.flexGrow = Math.min(phase.last + 1, range.last) - Math.max(phase.first, range.first);
        mark.phase = phase;
        return mark;
      }),
    );
    this.fit();
  }

  showPlaying(playing) {
    this.play.replaceChildren(icon(playing ? PAUSE : PLAY));
    this.play.setAttribute("aria-label", word(playing ? "transport.pause" : "transport.play"));
  }
}
