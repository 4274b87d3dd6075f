// The panel that says what each key does.
import { SVG, h } from "./elements.js";
import { TOLD } from "./keys.js";

/** What each class of a box means, in the order in which they are told; the first of them is what a box is. */
export const LOOKS = [
  ["operation has-value", "the result of an operation"],
  ["operation", "a result that is still to come"],
  ["operation has-value result", "where a backward starts"],
  ["leaf has-value", "a leaf; the envelope is its .grad"],
  ["parameter has-value", "a parameter of a module"],
  ["input has-value", "a tensor that wants no gradient"],
  ["constant has-value", "a number in your code"],
  ["folded", "several nodes in one box; a click or Enter opens it"],
  ["operation has-value now", "here it happens now"],
  ["operation has-value next", "here it goes on"],
  ["operation has-value freed", "what it saved was let go"],
  ["operation has-value selected", "the node that you chose"],
  ["operation has-value broken", "an error"],
  ["operation has-value stop", "where playing stops"],
  ["output has-value", "one of several results"],
];

function sample(classes) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "mg-sample");
  svg.setAttribute("viewBox", "-3 -3 46 26");
  svg.setAttribute("aria-hidden", "true");
  const box = document.createElementNS(SVG, "g");
  box.setAttribute("class", `mg-node ${classes}`);
  const shape = (name, d) => {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", name);
    path.setAttribute("d", d);
    box.append(path);
  };
  if (classes.startsWith("folded")) shape("sheet", "M4 -2h38v18h-38z");
  shape("shape", "M0 0h40v20h-40z");
  if (classes.includes("result")) shape("inner", "M3.5 3.5h33v13h-33z");
  if (classes.startsWith("parameter")) shape("bar", "M0 0h5v20h-5z");
  if (/^(leaf|parameter)/.test(classes)) {
    shape("envelope", "M9 6h13v9h-13z");
    shape("flap", "M9 6l6.5 5l6.5 -5");
  }
  svg.append(box);
  return svg;
}

export function helpPanel(close) {
  return h(
    "div",
    { class: "mg-help", role: "dialog", "aria-label": "Help", hidden: true },
    h("h2", {}, "Walk through it with the keys"),
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
    h("h2", {}, "What a box says by its look"),
    h(
      "ul",
      { class: "mg-legend" },
      LOOKS.map(([classes, words]) => h("li", {}, sample(classes), words)),
    ),
    h("p", { class: "mg-quiet" }, "Blue is a value, orange a gradient. A dash means “not yet”, which is not zero."),
    h("button", { type: "button", onclick: close }, "Close"),
  );
}
