// The panel that says what each key does.
import { h } from "./elements.js";
import { TOLD } from "./keys.js";

export function helpPanel(close) {
  return h(
    "div",
    { class: "mg-help", role: "dialog", "aria-label": "Help", hidden: true },
    h("h3", {}, "Walk through it with the keys"),
    h(
      "dl",
      {},
      TOLD.map(([names, what]) => [
        h(
          "dt",
          {},
          names.map((name) => h("kbd", {}, name)),
        ),
        h("dd", {}, what),
      ]),
    ),
    h(
      "p",
      { class: "mg-quiet" },
      "Blue is a value, orange a gradient; a dotted box is still to come. A dash means “not yet”, which is not zero.",
    ),
    h("button", { type: "button", onclick: close }, "Close"),
  );
}
