import { h } from "./elements.js";
import { describe, parse } from "./run.js";

/** Where playing and running stop. */
export class Stops {
  constructor(stepper) {
    this.stepper = stepper;
    this.list = h("ul", { class: "mg-stops" });
    const operations = [...new Set(stepper.trace.nodes.map((node) => node.op).filter(Boolean))].sort();
    const option = ([value, text]) => h("option", { value }, text);
    this.kind = h(
      "select",
      { "aria-label": "Stop when", onchange: () => this.showInput() },
      [
        ["second", "a gradient is added to another in .grad"],
        ["nan", "NaN or Inf appears"],
        ["above", "a gradient is larger than …"],
        ...operations.map((op) => [`op ${op}`, `operation ${op}`]),
      ].map(option),
    );
    this.bound = h("input", { type: "text", inputmode: "decimal", value: "1", "aria-label": "Bound", hidden: true });
    this.element = h(
      "div",
      { class: "mg-scroll", role: "region", tabindex: 0, "aria-label": "Stops" },
      h(
        "p",
        { class: "mg-quiet" },
        "Playing and running stop where one of these happens. b stops at the chosen node; the code has its own button.",
      ),
      h(
        "form",
        { class: "mg-actions", onsubmit: (event) => this.add(event) },
        this.kind,
        this.bound,
        h("button", { type: "submit" }, "Add"),
      ),
      this.list,
      h(
        "div",
        { class: "mg-actions" },
        h("button", { type: "button", onclick: () => stepper.run(-1) }, "Run back to the last stop"),
        h("button", { type: "button", onclick: () => stepper.run(1) }, "Run to the next stop"),
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
            "aria-label": `Remove: ${describe(trace, stop)}`,
            onclick: () => this.stepper.toggleStop(stop),
          },
          "Remove",
        ),
      );
    if (this.list.contains(document.activeElement)) this.kind.focus({ preventScroll: true }); // its button goes
    this.list.replaceChildren(
      ...(breakpoints.length ? breakpoints.map(item) : [h("li", { class: "mg-quiet" }, "No stops yet.")]),
    );
  }
}
