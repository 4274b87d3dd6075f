import { h, reveal, roving } from "./elements.js";
import { writeSet } from "./matrices.js";
import { TEXTS } from "./picture.js";
import { NOT_YET, isBad } from "./run.js";
import { word } from "./words.js";

/** A table of all nodes, with what the picture shows; complete without it. */
export class Ledger {
  constructor(stepper) {
    this.stepper = stepper;
    this.rows = stepper.trace.nodes.map((node, i) => {
      const name = h(
        "button",
        { type: "button", class: "mg-name", tabindex: i ? -1 : 0, onclick: () => stepper.picked(i) },
        node.name ?? node.label ?? word("table.unnamed", { number: i }),
      );
      const cell = (field) => h("td", { class: `mg-${field}` }, TEXTS[field] || NOT_YET);
      const row = h(
        "tr",
        { "data-id": `n${i}` },
        h("th", { scope: "row" }, name),
        h("td", {}, node.formula ?? word(`table.${node.kind}`)),
        cell("value"),
        cell("grad"),
        cell("box"),
      );
      row.cells_ = { value: row.children[2], grad: row.children[3], box: row.children[4] };
      return row;
    });
    const titles = [...["node", "made_by", "value", "gradient"].map((name) => word(`table.${name}`)), ".grad"];
    const head = titles.map((title) => h("th", { scope: "col" }, title));
    this.element = h(
      "div",
      { class: "mg-scroll", role: "region", tabindex: 0, "aria-label": word("table.title") },
      h("table", { class: "mg-ledger" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, this.rows)),
    );
    roving(this.element, "button.mg-name");
  }

  show(target, field, value) {
    if (target[0] !== "n") return;
    const row = this.rows[Number(target.slice(1))];
    const cell = row.cells_[field];
    if (cell) {
      writeSet(cell, value == null ? NOT_YET : this.stepper.trace.values[value].text);
      cell.classList.toggle("mg-bad", isBad(cell.textContent));
    }
    else row.classList.toggle(field, Boolean(value));
  }

  reveal(id) {
    if (id && !this.element.hidden) reveal(this.element, this.rows[Number(id.slice(1))]);
  }
}
