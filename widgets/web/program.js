import { h, reveal, roving } from "./elements.js";
import { word } from "./words.js";

const NOT_YET_READ = "…"; // who shall predict does not read the answer

/** The run as lines of NumPy: those at work are lit, and a line leads to its step. docs/trace.md says what they are. */
export class Program {
  constructor(stepper) {
    this.stepper = stepper;
    const { program } = stepper.trace; // of a run that was saved earlier there is none
    const { why_not, head = [], lines = [], simplified = [] } = program ?? {};
    this.head = head.map((text) => h("p", {}, text));
    const whole = lines.map(([text, why, frames], i) => ({ text, why: why === lines[i - 1]?.[1] ? "" : why, frames }));
    const row = (entry) => {
      if (!Array.isArray(entry)) return whole[entry];
      const [text, why, frames] = entry;
      return frames ? { text, why, frames } : { ...whole[text], why, gone: true };
    };
    this.forms = [whole, simplified.map(row)];
    this.list = h("div", { class: "mg-written", role: "group", tabindex: 0, "aria-label": word("panels.program_lines") });
    this.simplify = h(
      "button",
      { type: "button", onclick: () => this.open(1 - this.form) },
      word("panels.simplify"),
    );
    const actions = h("span", { class: "mg-actions" }, this.simplify);
    const told = why_not ? h("p", { class: "mg-empty" }, why_not) : [actions, this.list];
    this.element = program && h("div", { class: "mg-program" }, told);
    roving(this.list, "button");
    this.open(0);
  }

  /** Show the whole program (0), or beside each other what a compiler leaves of it and what it leaves out (1). */
  open(form) {
    this.form = form;
    this.simplify.setAttribute("aria-pressed", form === 1);
    this.lit = [];
    this.at = new Map(); // frame -> its rows
    this.rows = this.forms[form].map((line, i) => {
      const code = h("code");
      const look = { type: "button", class: line.gone && "mg-gone", tabindex: i ? -1 : 0 };
      const row = h("button", { ...look, onclick: () => this.choose(line) }, code);
      for (const frame of line.frames) this.at.set(frame, [...(this.at.get(frame) ?? []), row]);
      return Object.assign(row, { code, line });
    });
    this.list.replaceChildren(...this.head, ...this.rows);
    this.show();
    this.reveal();
  }

  /** To the step at which a line is done. */
  choose({ frames }) {
    if (frames.length && !this.isAhead(frames)) this.stepper.go(frames.at(-1) + 1);
  }

  /** Whether a line is not to be read yet. */
  isAhead(frames) {
    return this.stepper.model.get("predict") && frames.at(-1) >= this.stepper.position;
  }

  /** Light the lines of the step that was made; before the first one, those that come. */
  show() {
    const { position, inner, level, stopsAt } = this.stepper;
    const stops = stopsAt[level - 1];
    const to = inner || !position ? position + 1 : position;
    const from = inner || !stops.includes(to) ? to - 1 : (stops.findLast((stop) => stop < to) ?? 0);
    for (const row of this.lit) row.removeAttribute("aria-current");
    const frames = Array.from({ length: to - from }, (_, i) => from + i);
    this.lit = [...new Set(frames.flatMap((frame) => this.at.get(frame) ?? []))];
    for (const row of this.lit) row.setAttribute("aria-current", "step");
    for (const row of this.rows) this.write(row);
  }

  write(row) {
    const { text, why, frames, gone } = row.line;
    const ahead = Boolean(this.isAhead(frames));
    if (row.ahead === ahead) return;
    row.ahead = ahead;
    row.setAttribute("aria-disabled", ahead || !frames.length);
    const remark = why && h("span", { class: "mg-why" }, `# ${why}`);
    row.code.replaceChildren(...(ahead ? [NOT_YET_READ] : [h(gone ? "del" : "span", {}, text), remark || ""]));
  }

  reveal() {
    if (!this.list.clientHeight) return; // another panel is open
    for (const row of this.lit.toReversed()) reveal(this.list, row);
  }
}
