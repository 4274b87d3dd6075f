import { h, reveal, roving, write } from "./elements.js";
import { word } from "./words.js";

/** The learner's own lines. The active line and part of it are marked; a click on a line shows its nodes. */
export class Code {
  constructor(stepper) {
    this.stepper = stepper;
    this.files = stepper.trace.files ?? [];
    this.active = [];
    this.title = h("h2", {}, word("panels.code"));
    this.actions = h("span", { class: "mg-actions" });
    this.list = h("div", { class: "mg-lines", role: "group", tabindex: 0, "aria-label": word("code.lines") });
    this.element = h(
      "section",
      { class: "mg-code", hidden: this.files.length === 0 },
      h("header", {}, this.title, this.actions),
      this.list,
    );
    roving(this.list, "button.mg-line");
    if (this.files.length) this.open(0);
  }

  open(number) {
    this.number = number;
    const file = this.files[number];
    const first = file.first ?? 1;
    write(this.title, file.name);
    this.lines = file.lines.map((written, i) => {
      const text = written.replace(/^ +/, (spaces) => "\u00a0".repeat(spaces.length)); // no line ends before its first word
      const line = first + i;
      const button = h(
        "button",
        { type: "button", class: "mg-line", tabindex: i ? -1 : 0, "data-line": line, onclick: () => this.choose(line) },
        h("span", { class: "mg-number" }, String(line)),
        h("code", {}, text),
      );
      button.text = text;
      return button;
    });
    this.list.replaceChildren(...this.lines);
    this.active = [];
    this.showStops();
  }

  /** Mark a place `[file, line, column, end_line, end_column]`, or nothing. */
  show(at) {
    for (const button of this.active ?? []) {
      button.classList.remove("mg-active");
      button.lastChild.textContent = button.text;
    }
    this.active = [];
    if (!at || !this.files[at[0]]) return;
    if (at[0] !== this.number) this.open(at[0]);
    const [, line, column, endLine, endColumn] = at;
    const first = this.files[at[0]].first ?? 1;
    for (let i = line; i <= endLine; i++) {
      const button = this.lines[i - first];
      if (!button) continue;
      const characters = [...button.text];
      const from = i === line ? column : characters.length - button.text.trimStart().length;
      const to = i === endLine ? endColumn : characters.length;
      const cut = (a, b) => characters.slice(a, b).join("");
      button.lastChild.replaceChildren(cut(0, from), h("mark", {}, cut(from, to)), cut(to));
      button.classList.add("mg-active");
      this.active.push(button);
    }
  }

  reveal() {
    if (this.active.length) reveal(this.list, this.active[0]);
  }

  /** Show which nodes a line made. */
  choose(line) {
    const { stepper, number } = this;
    this.chosen = this.chosen === line ? null : line;
    for (const button of this.lines) button.setAttribute("aria-pressed", Number(button.dataset.line) === this.chosen);
    const made =
      this.chosen == null
        ? []
        : stepper.trace.nodes.flatMap((node, i) =>
            node.at?.[0] === number && node.at[1] <= line && line <= node.at[3] ? [`n${i}`] : [],
          );
    stepper.mark("found", made);
    const action = (label, f) => h("button", { type: "button", onclick: f }, label);
    const place = { kind: "line", value: [number, line] };
    this.actions.replaceChildren(
      ...(this.chosen == null
        ? []
        : [
            action(word("code.run_to_here"), () => stepper.runTo(place)),
            action(word("code.stop_here"), () => stepper.toggleStop(place)),
          ]),
    );
  }

  showStops() {
    const lines = this.stepper.breakpoints.filter(({ kind, value }) => kind === "line" && value[0] === this.number);
    for (const button of this.lines ?? [])
      button.classList.toggle(
        "mg-stop",
        lines.some(({ value }) => value[1] === Number(button.dataset.line)),
      );
  }
}
