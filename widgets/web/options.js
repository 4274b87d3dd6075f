// The row below: how large a step is, how fast it plays, what is found, and what is switched on.
import { h } from "./elements.js";
import { helpPanel } from "./help.js";
import { word } from "./words.js";

const LEVELS = ["phase", "node", "contribution", "element"];
const SPEEDS = [0.5, 1, 2, 4, 8];
const DELAY = 1200; // milliseconds between two steps at speed 1

export class Options {
  constructor(stepper) {
    this.stepper = stepper;
    const levels = LEVELS.map((name, i) => [i + 1, word(`options.${name}`)]);
    const speeds = SPEEDS.map((speed) => [speed, `${speed}×`]);
    const level = () => stepper.setLevel(Number(this.level.value));
    this.level = choice(word("options.step_how"), levels, level);
    this.speed = choice(word("options.speed_how"), speeds);
    this.speed.value = 1;
    const ask = () => stepper.setPredict(!stepper.model.get("predict"));
    this.predict = toggle(word("options.predict"), word("options.predict_how"), ask);
    const move = () => stepper.nudge.toggle(stepper.nudge.element.hidden);
    this.nudge = toggle(word("nudge.move"), word("nudge.open"), move);
    this.picture = toggle(word("picture.title"), word("options.picture_how"), () => this.showPicture(!this.pictured));
    this.helpButton = toggle("?", word("options.help_how"), () => this.help(this.panel.hidden));
    this.helpButton.setAttribute("aria-label", word("help.title"));
    this.panel = helpPanel(() => this.help(false));
    this.element = h(
      "div",
      { class: "mg-options" },
      h("label", {}, h("span", {}, `${word("options.step_by")} `), this.level),
      h("label", {}, h("span", {}, `${word("options.speed")} `), this.speed),
      stepper.search.element,
      h("span", { class: "mg-toggles" }, this.predict, this.nudge, this.picture, this.helpButton),
    );
  }

  /** Milliseconds between two steps. */
  get delay() {
    return DELAY / Number(this.speed.value);
  }

  showPicture(on) {
    this.pictured = on;
    this.stepper.root.classList.toggle("mg-no-picture", !on);
    this.picture.setAttribute("aria-pressed", on);
  }

  help(on) {
    this.panel.hidden = !on;
    this.helpButton.setAttribute("aria-pressed", on);
    (on ? this.panel.querySelector("button") : this.helpButton).focus({ preventScroll: true });
  }
}

function choice(title, entries, onchange) {
  const options = entries.map(([value, text]) => h("option", { value }, text));
  return h("select", { title, onchange }, options);
}

function toggle(name, title, onclick) {
  return h("button", { type: "button", title, "aria-pressed": "false", onclick }, name);
}
