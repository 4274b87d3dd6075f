// What each key does.
import { h } from "./elements.js";

const KEYS = [
  ["→", "next step"],
  ["←", "previous step"],
  ["Home End", "start, end"],
  ["[ ]", "previous, next phase"],
  ["Space", "play, pause"],
  ["− +", "larger, smaller steps"],
  ["Enter", "inspect the current node"],
  ["b", "stop at the chosen node"],
  ["Shift+→ Shift+←", "run to the next, the last stop"],
  ["/", "find by name, operation or regular expression"],
  ["p", "predict before you see"],
  ["Esc", "close, clear"],
  ["?", "this help"],
  ["Ctrl+wheel", "zoom; drag to move"],
];

export function helpPanel(close) {
  const keys = (names) => names.split(" ").map((name) => h("kbd", {}, name));
  return h(
    "div",
    { class: "mg-help", role: "dialog", "aria-label": "Help", hidden: true },
    h("h3", {}, "Walk through it with the keys"),
    h(
      "dl",
      {},
      KEYS.map(([names, what]) => [h("dt", {}, keys(names)), h("dd", {}, what)]),
    ),
    h(
      "p",
      { class: "mg-quiet" },
      "Blue is a value, orange a gradient; a dotted box is still to come. A dash means “not yet”, which is not zero.",
    ),
    h("button", { type: "button", onclick: close }, "Close"),
  );
}
