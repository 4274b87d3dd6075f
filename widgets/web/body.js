// What stands below the words: the picture, and beside it the code and the panels, within the height of the window.
import { h } from "./elements.js";
import { Tabs } from "./tabs.js";
import { word } from "./words.js";

const NARROW = 720; // pixels, as in stepper.css
const LEAST = 300; // pixels of height for the picture and the panels
const SENTENCE = 100; // and for the words above them

export class Body {
  /** `panels`: by name, what has an element of its own, or none where there is nothing to show. */
  constructor(stepper, panels) {
    this.stepper = stepper;
    this.codePanel = h("div", { class: "mg-code-panel" });
    const all = [...Object.entries(panels), ["code", { element: this.codePanel }]].filter(([, { element }]) => element);
    this.tabs = new Tabs(
      all.map(([name, { element }]) => [word(`panels.${name}`), element]),
      () => stepper.bringIntoSight(stepper.inspected),
    );
    this.tabs.tabs.at(-1).hidden = true; // until it is narrow
    this.panels = h("div", { class: "mg-panels" }, stepper.code.element, this.tabs.element);
    this.element = h("div", { class: "mg-body" }, stepper.picture.element, this.panels);
    this.fitted = () => this.fit();
    this.observer = new ResizeObserver(this.fitted);
  }

  /** Fit whenever the stepper or the window changes its size. */
  watch() {
    this.observer.observe(this.stepper.root);
    addEventListener("resize", this.fitted);
  }

  close() {
    this.observer.disconnect();
    removeEventListener("resize", this.fitted);
  }

  /** All of the stepper is at most as high as the window, or the notebook in it, unless that is very low. */
  fit() {
    this.placeCode();
    const { root, narration, model } = this.stepper;
    const notebook = root.closest(".jp-WindowedPanel-outer"); // bars are above it and below
    const seen = Math.min(innerHeight, notebook?.clientHeight || innerHeight);
    const high = (element) => element.getBoundingClientRect().height; // `offsetHeight` rounds it
    const room = () => Math.floor(seen - (high(root) - high(this.element)));
    narration.within(null);
    if (room() < LEAST) narration.within(Math.max(SENTENCE, narration.element.offsetHeight - (LEAST - room())));
    this.element.style.height = `${Math.min(model.get("height") || 560, Math.max(LEAST, room()))}px`;
  }

  /** The code stands above the other panels, or, where it is narrow, is one of them. */
  placeCode() {
    const { root, code } = this.stepper;
    const narrow = root.clientWidth <= NARROW && !code.element.hidden;
    const tab = this.tabs.tabs.at(-1);
    if (tab.hidden === !narrow) return;
    tab.hidden = !narrow;
    if (narrow) this.codePanel.append(code.element);
    else this.panels.prepend(code.element);
    if (!narrow && this.tabs.number === this.tabs.tabs.length - 1) this.tabs.open(0);
  }
}
