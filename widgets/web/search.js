// Finding nodes by name, operation, type or label; the text is a regular expression if it can be one.
import { h, write } from "./elements.js";
import { word } from "./words.js";

export class Search {
  constructor(stepper) {
    this.stepper = stepper;
    this.input = h("input", {
      type: "search",
      placeholder: word("search.node"),
      "aria-label": word("search.how"),
      title: word("search.title"),
      oninput: () => this.find(),
      onkeydown: (event) => this.key(event),
    });
    this.count = h("output", { class: "mg-quiet" });
    this.element = h("span", { class: "mg-find" }, this.input, this.count);
    this.matches = [];
  }

  find() {
    const text = this.input.value.trim();
    const fits = tester(text);
    const fields = ({ name, op, type, label }) => [name, op, type, label].filter(Boolean);
    const { nodes } = this.stepper.trace;
    this.matches = text ? nodes.flatMap((node, i) => (fields(node).some(fits) ? [`n${i}`] : [])) : [];
    this.at = -1;
    this.stepper.mark("found", this.matches);
    write(this.count, text ? word("search.found", { count: this.matches.length }) : "");
  }

  /** Enter goes to the next match, with Shift to the one before. */
  key(event) {
    if (event.key !== "Enter" || !this.matches.length) return;
    event.preventDefault();
    const step = event.shiftKey ? this.matches.length - 1 : 1;
    this.at = (Math.max(this.at, event.shiftKey ? 0 : -1) + step) % this.matches.length;
    this.stepper.select(this.matches[this.at]);
    write(this.count, word("search.match", { number: this.at + 1, all: this.matches.length }));
  }

  focus() {
    this.input.focus({ preventScroll: true });
  }

  clear() {
    this.input.value = "";
    this.find();
  }
}

function tester(text) {
  try {
    const pattern = new RegExp(text, "i");
    return (field) => pattern.test(field);
  } catch {
    return (field) => field.toLowerCase().includes(text.toLowerCase());
  }
}
