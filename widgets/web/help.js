// The panel that says what each key does.
import { SVG, h } from "./elements.js";
import { TOLD } from "./keys.js";
import { word } from "./words.js";

/** What each class of a box means, in the order in which they are told; the first of them is what a box is. */
export const LOOKS = [
  ["operation has-value", "result"],
  ["operation", "to_come"],
  ["operation has-value result", "start"],
  ["leaf has-value", "leaf"],
  ["parameter has-value", "parameter"],
  ["input has-value", "input"],
  ["constant has-value", "constant"],
  ["folded", "folded"],
  ["operation has-value now", "now"],
  ["operation has-value next", "next"],
  ["operation has-value freed", "freed"],
  ["operation has-value selected", "selected"],
  ["operation has-value broken", "broken"],
  ["operation has-value stop", "stop"],
  ["output has-value", "output"],
].map(([classes, name]) => [classes, word(`looks.${name}`)]);

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
    { class: "mg-help", role: "dialog", "aria-label": word("help.title"), hidden: true },
    h("h2", {}, word("help.keys")),
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
    h("h2", {}, word("help.looks")),
    h(
      "ul",
      { class: "mg-legend" },
      LOOKS.map(([classes, words]) => h("li", {}, sample(classes), words)),
    ),
    h("p", { class: "mg-quiet" }, word("help.colours")),
    h("button", { type: "button", onclick: close }, word("help.close")),
  );
}
