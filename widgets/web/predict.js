import { keepAnswers, keptAnswers, score } from "./answers.js";
import { h, write } from "./elements.js";
import { SIGNS, asked, format, grade, gradeNode, parse } from "./run.js";

/** Ask before showing: the number, its sign, or the node that comes next. */
export class Predict {
  constructor(stepper) {
    this.stepper = stepper;
    this.frame = null; // the frame that is asked about; null: nothing is asked
    this.how = h(
      "select",
      { "aria-label": "Ask me for", onchange: () => this.show() },
      [
        ["number", "the number"],
        ["sign", "only the sign"],
        ["node", "the next node"],
      ].map(([value, text]) => h("option", { value }, text)),
    );
    this.again = h("button", { type: "button", class: "mg-again", onclick: () => this.startOver() }, "Start over");
    this.score = h("span", { class: "mg-score" });
    this.question = h("p", { class: "mg-question" });
    this.input = h("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      "aria-label": "Your answer",
      size: 10,
    });
    this.choice = h("select", { "aria-label": "The next node" });
    this.signs = h(
      "span",
      { class: "mg-signs" },
      Object.keys(SIGNS).map((sign) =>
        h(
          "button",
          {
            type: "button",
            "aria-label": { "+": "positive", 0: "zero", "−": "negative" }[sign],
            onclick: () => this.answer(sign),
          },
          sign,
        ),
      ),
    );
    this.check = h("button", { type: "submit", class: "mg-primary" }, "Check");
    this.skip = h("button", { type: "button", onclick: () => this.reveal() }, "Show me");
    this.verdict = h("p", { class: "mg-verdict", role: "status" });
    this.refused = h("span", { class: "mg-refused", role: "status" });
    this.form = h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          this.answer(this.how.value === "node" ? Number(this.choice.value) : this.input.value);
        },
      },
      this.input,
      this.choice,
      this.signs,
      this.check,
      this.skip,
      this.refused,
    );
    this.element = h(
      "section",
      { class: "mg-predict", "aria-label": "Predict" },
      h("div", {}, this.question, this.form, this.verdict),
      h("div", { class: "mg-side" }, h("label", {}, "Ask me for ", this.how), h("span", {}, this.score, this.again)),
    );
    const kept = this.answers.length ? [] : keptAnswers(stepper.model, stepper.trace);
    if (kept.length) this.answers = kept;
    this.done = new Set(this.answers.map(({ frame }) => frame));
  }

  get answers() {
    return this.stepper.model.get("answers") ?? [];
  }

  set answers(answers) {
    this.stepper.set("answers", answers);
    keepAnswers(this.stepper.model, this.stepper.trace, answers);
  }

  /** Forget all answers, and go back to the start. */
  startOver() {
    this.answers = [];
    this.done.clear();
    this.stepper.go(0);
    this.stepper.transport.next.focus({ preventScroll: true });
  }

  /** The first frame of these that has an unanswered question. */
  pending(from, to) {
    for (let i = from; i < to; i++)
      if (
        this.stepper.trace.frames[i].ask &&
        !this.done.has(i) &&
        (this.how.value === "node" || this.target(i) !== null)
      )
        return i;
    return null;
  }

  target(i) {
    const answer = asked(this.stepper.trace.frames[i].ask, this.stepper.trace.values);
    return typeof answer === "number" ? answer : null;
  }

  ask(i) {
    this.frame = i;
    this.input.value = "";
    write(this.refused, "");
    write(this.verdict, "");
    this.verdict.className = "mg-verdict";
    this.show();
    this.focus();
  }

  focus() {
    const field = { number: this.input, node: this.choice, sign: this.signs.firstChild }[this.how.value];
    field.focus({ preventScroll: true });
  }

  show() {
    const { trace } = this.stepper;
    const how = this.how.value;
    const open = this.frame !== null;
    write(this.score, this.answers.length ? score(this.answers) : "no answers yet");
    this.again.hidden = this.answers.length === 0;
    this.form.hidden = !open;
    this.input.hidden = how !== "number";
    this.signs.hidden = how !== "sign";
    this.choice.hidden = how !== "node";
    this.check.hidden = how === "sign";
    if (!open) {
      const ended = this.stepper.position === this.stepper.last;
      const invitation = ended ? "Nothing is left to ask." : "Press Next. Before a number is shown, you are asked for it.";
      return write(this.question, this.verdict.textContent ? "" : invitation);
    }
    const { question } = trace.frames[this.frame].ask;
    const asks = {
      number: question,
      sign: `${question} Only the sign.`,
      node: "Which node comes next? Choose or click it.",
    };
    write(this.question, asks[how]);
    if (how === "node" && !this.choice.options.length)
      this.choice.append(
        ...trace.nodes.flatMap((node, i) =>
          node.kind === "constant" ? [] : [h("option", { value: i }, node.label ?? node.name ?? `node ${i}`)],
        ),
      );
  }

  answer(given) {
    const { trace, state } = this.stepper;
    const i = this.frame;
    const frame = trace.frames[i];
    if (this.how.value === "number" && Number.isNaN(parse(given))) {
      write(this.refused, given.trim() && "That is not a number. Write it as 0.5, −2 or 1/3.");
      this.input.focus({ preventScroll: true });
      return this.input.select();
    }
    const { right, diagnosis } =
      typeof given === "number"
        ? gradeNode(trace, state, frame, given)
        : grade(frame.ask, given, trace.values, this.how.value);
    this.answers = [
      ...this.answers,
      { frame: i, given: typeof given === "number" ? `n${given}` : given, right, diagnosis },
    ];
    const truth = typeof given === "number" ? (trace.nodes[frame.node]?.label ?? "") : format(this.target(i));
    this.reveal({ right, words: [right ? "" : diagnosis, `It is ${truth}.`].filter(Boolean).join(" ") });
  }

  /** Show what was asked for, with a verdict if there was an answer. */
  reveal(verdict = null) {
    const i = this.frame;
    this.done.add(i);
    this.close();
    this.stepper.go(i + 1);
    if (verdict) {
      this.verdict.replaceChildren(h("b", {}, verdict.right ? "Right. " : "Not quite. "), verdict.words);
      this.verdict.className = `mg-verdict ${verdict.right ? "mg-right" : "mg-wrong"}`;
    }
    this.show();
    this.stepper.transport.next.focus({ preventScroll: true });
  }

  close() {
    this.frame = null;
    write(this.verdict, "");
    this.verdict.className = "mg-verdict";
    this.show();
  }
}
