import { h } from "./elements.js";
import { describe, parse } from "./run.js";
import { word } from "./words.js";

/** Where playing and running stop. */
export class Stops {
  constructor(stepper) {
    this.stepper = stepper;
    this.list = h("ul", { class: "mg-stops" });
    const operations = [...new Set(stepper.trace.nodes.map((node) => node.op).filter(Boolean))].sort();
    const option = ([value, text]) => h("option", { value }, text);
    this.kind = h(
      "select",
      { "aria-label": word("stops.when"), onchange: () => this.showInput() },
      [
        ["second", word("stops.when_second")],
        ["nan", word("stops.nan")],
        ["above", word("stops.when_above")],
        ...operations.map((op) => [`op ${op}`, word("stops.op", { name: op })]),
      ].map(option),
    );
    const bound = { type: "text", inputmode: "decimal", value: "1", "aria-label": word("stops.bound"), hidden: true };
    this.bound = h("input", bound);
    this.element = h(
      "div",
      { class: "mg-scroll", role: "region", tabindex: 0, "aria-label": word("panels.stops") },
      h("p", { class: "mg-quiet" }, word("stops.how")),
      h(
        "form",
        { class: "mg-actions", onsubmit: (event) => this.add(event) },
        this.kind,
        this.bound,
        h("button", { type: "submit" }, word("stops.add")),
      ),
      this.list,
      h(
        "div",
        { class: "mg-actions" },
        h("button", { type: "button", onclick: () => stepper.run(-1) }, word("stops.run_back")),
        h("button", { type: "button", onclick: () => stepper.run(1) }, word("stops.run_on")),
      ),
    );
  }

  showInput() {
    this.bound.hidden = this.kind.value !== "above";
  }

  add(event) {
    event.preventDefault();
    const [kind, op] = this.kind.value.split(/ (.*)/s);
    const value = kind === "above" ? parse(this.bound.value) : op;
    if (!Number.isNaN(value)) this.stepper.toggleStop(value === undefined ? { kind } : { kind, value });
  }

  /** Another stop, or one less: it is seen wherever stops are. */
  changed() {
    const { stepper } = this;
    const nodes = stepper.breakpoints.filter(({ kind }) => kind === "node");
    stepper.mark("stop", nodes.map(({ value }) => `n${value}`));
    this.show();
    stepper.code.showStops();
    stepper.inspector.show();
  }

  show() {
    const { trace, breakpoints } = this.stepper;
    const item = (stop) =>
      h(
        "li",
        {},
        h("span", {}, describe(trace, stop)),
        h(
          "button",
          {
            type: "button",
            "aria-label": word("stops.remove_one", { stop: describe(trace, stop) }),
            onclick: () => this.stepper.toggleStop(stop),
          },
          word("stops.remove"),
        ),
      );
    if (this.list.contains(document.activeElement)) this.kind.focus({ preventScroll: true }); // its button goes
    this.list.replaceChildren(
      ...(breakpoints.length ? breakpoints.map(item) : [h("li", { class: "mg-quiet" }, word("stops.none"))]),
    );
  }
}
