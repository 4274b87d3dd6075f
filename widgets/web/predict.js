import { keepAnswers, keptAnswers, score } from "./answers.js";
import { h, reveal, write } from "./elements.js";
import { mathml } from "./equations.js";
import { SIGNS, asked, grade, gradeNode, questionsOf } from "./questions.js";
import { format, parse } from "./run.js";
import { word } from "./words.js";

const WAYS = ["chosen", "number", "sign", "node"];
const TRIES = 2; // before there is a hint

/** Ask before showing: which rule runs, which node comes next, how many paths there are, a number or its sign. */
export class Predict {
  constructor(stepper) {
    this.stepper = stepper;
    this.open = null; // the question that is asked; null: nothing is asked
    this.hints = 0; // how many of its hints are shown
    this.how = h(
      "select",
      { "aria-label": word("predict.ask_for"), onchange: () => this.change() },
      WAYS.map((value) => h("option", { value }, word(`predict.ask_${value}`))),
    );
    const again = { type: "button", class: "mg-again", onclick: () => this.startOver() };
    this.again = h("button", again, word("predict.start_over"));
    this.score = h("span", { class: "mg-score" });
    this.question = h("p", { class: "mg-question" });
    this.input = h("input", {
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      "aria-label": word("predict.answer"),
      size: 10,
    });
    const enter = (event) => event.key === "Enter" && (event.preventDefault(), this.form.requestSubmit());
    this.choice = h("select", { "aria-label": word("predict.next_node"), onkeydown: enter });
    this.options = h("div", { class: "mg-choices", role: "radiogroup", "aria-label": word("predict.the_rule") });
    this.signs = h(
      "span",
      { class: "mg-signs" },
      Object.keys(SIGNS).map((sign) =>
        h(
          "button",
          {
            type: "button",
            "aria-label": word(`signs.${{ "+": "positive", 0: "zero", "−": "negative" }[sign]}`),
            onclick: () => this.answer(sign),
          },
          sign,
        ),
      ),
    );
    this.check = h("button", { type: "submit", class: "mg-primary" }, word("ask.check"));
    this.help = h("button", { type: "button", class: "mg-hint-button", onclick: () => this.helpMe() });
    this.verdict = h("p", { class: "mg-verdict", role: "status" });
    this.refused = h("span", { class: "mg-refused", role: "status" });
    this.form = h(
      "form",
      {
        onsubmit: (event) => {
          event.preventDefault();
          this.answer(this.given());
        },
      },
      this.input,
      this.choice,
      this.options,
      this.signs,
      this.check,
      this.help,
      this.refused,
    );
    this.element = h(
      "section",
      { class: "mg-predict", "aria-label": word("options.predict") },
      h("div", { class: "mg-asks" }, this.question, this.form),
      this.verdict,
      h(
        "div",
        { class: "mg-side" },
        h("label", {}, `${word("predict.ask_for")} `, this.how),
        h("span", {}, this.score, this.again),
      ),
    );
    const kept = this.answers.length ? [] : keptAnswers(stepper.model, stepper.trace);
    if (kept.length) this.answers = kept;
    this.change();
  }

  get answers() {
    return this.stepper.model.get("answers") ?? [];
  }

  set answers(answers) {
    this.stepper.set("answers", answers);
    keepAnswers(this.stepper.model, this.stepper.trace, answers);
  }

  /** The frame that is asked about. */
  get frame() {
    return this.open?.frame ?? null;
  }

  /** Ask for something else from now on. */
  change() {
    this.questions = questionsOf(this.stepper.trace, this.stepper.model.get("asks") ?? [], this.how.value);
    this.done = new Set(this.questions.filter((question) => this.isAnswered(question)));
    this.close();
  }

  tries({ frame, kind }) {
    return this.answers.filter((answer) => answer.frame === frame && answer.kind === kind);
  }

  isAnswered(question) {
    const tries = this.tries(question);
    return tries.some(({ right }) => right) || tries.length >= TRIES + (question.hints?.length ?? 0);
  }

  /** Forget all answers, and go back to the start. */
  startOver() {
    this.answers = [];
    this.done.clear();
    this.stepper.go(0);
    this.stepper.transport.next.focus({ preventScroll: true });
  }

  /** The first question that is open, of those that are put from one position to before another. */
  pending(from, to = from + 1) {
    return this.questions.find((one) => from <= one.at && one.at < to && !this.done.has(one)) ?? null;
  }

  /** What is asked before the next step, if anything is. */
  get ahead() {
    return this.stepper.model.get("predict") ? this.pending(this.stepper.position) : null;
  }

  ask(question) {
    this.close();
    this.open = question;
    this.input.value = "";
    if (question.kind === "rule") this.offer(question.options.map(([formula]) => formula));
    this.show();
    this.focus();
  }

  /** Formulas to choose from. */
  offer(formulas) {
    this.options.replaceChildren(
      ...formulas.map((value) => h("label", {}, h("input", { type: "radio", name: "rule", value, "aria-label": value }), mathml(value, true))),
    );
  }

  get field() {
    const free = this.options.querySelector("input:not(:disabled)");
    return { rule: free, node: this.choice, sign: this.signs.firstChild }[this.open.kind] ?? this.input;
  }

  focus() {
    this.field.focus({ preventScroll: true });
  }

  show() {
    const { trace, root } = this.stepper;
    const kind = this.open?.kind;
    write(this.score, this.answers.length ? score(this.answers) : word("predict.no_answers"));
    this.again.hidden = this.answers.length === 0;
    this.form.hidden = !kind;
    this.input.hidden = kind !== "number" && kind !== "paths";
    this.signs.hidden = kind !== "sign";
    this.choice.hidden = kind !== "node";
    this.options.hidden = kind !== "rule";
    this.check.hidden = kind === "sign";
    if (root) root.dataset.asking = kind ?? "";
    if (!kind) {
      const more = this.pending(this.stepper.position, this.stepper.last);
      const invitation = word(more ? "predict.invitation" : "predict.nothing_left");
      return write(this.question, this.verdict.textContent ? "" : invitation);
    }
    write(this.question, this.open.question);
    write(this.help, this.hints < (this.open.hints?.length ?? 0) ? word("predict.hint") : word("predict.show_me"));
    const called = ({ label, name }, number) => label ?? name ?? word("table.unnamed", { number });
    if (kind === "node" && !this.choice.options.length)
      this.choice.append(
        ...trace.nodes.flatMap((node, i) =>
          node.kind === "constant" ? [] : [h("option", { value: i }, called(node, i))],
        ),
      );
  }

  /** What stands in the field: a number as it was typed, a formula, or the number of a node. */
  given() {
    if (this.open.kind === "node") return Number(this.choice.value);
    if (this.open.kind === "rule") return this.options.querySelector("input:checked")?.value ?? null;
    return this.input.value;
  }

  /** Why an answer is none; empty if it is one. */
  refusal(given) {
    if (this.open.kind === "rule") return given === null ? word("predict.choose") : "";
    const isNumber = this.open.kind === "number" || this.open.kind === "paths";
    return isNumber && Number.isNaN(parse(given)) ? word("judging.no_number") : "";
  }

  answer(given) {
    const { trace, state } = this.stepper;
    const { frame, kind, hints = [] } = this.open;
    const refusal = this.refusal(given);
    write(this.refused, String(given ?? "x").trim() && refusal);
    if (refusal) {
      this.focus();
      return this.input.select();
    }
    const isNode = kind === "node";
    const { right, diagnosis } = isNode
      ? gradeNode(trace, state, trace.frames[frame], given)
      : grade(this.open, given, trace.values);
    const tried = this.tries(this.open).length + 1;
    const kept = { frame, kind, given: isNode ? `n${given}` : given, right, diagnosis, try: tried };
    this.answers = [...this.answers, kept];
    if (right) return this.reveal(true, this.truth());
    if (tried >= TRIES + hints.length) return this.reveal(false, `${diagnosis} ${this.truth()}`);
    this.hints = Math.max(this.hints, Math.min(hints.length, tried - TRIES + 1));
    this.say(false, `${diagnosis} ${word("predict.try_again")}`);
    this.show();
    const chosen = this.options.querySelector("input:checked");
    if (kind === "rule") Object.assign(chosen, { disabled: true, checked: false });
    this.focus();
    this.input.select();
  }

  /** The next hint, or at last the answer. */
  helpMe() {
    if (this.hints === (this.open.hints?.length ?? 0)) return this.reveal();
    this.hints += 1;
    this.say(null, "");
    this.show();
    this.focus();
  }

  /** Say whether an answer was right, with the last hint. */
  say(right, words) {
    const hint = this.hints && this.open.hints[this.hints - 1];
    this.verdict.replaceChildren(
      ...(right === null ? [] : [h("b", {}, `${word(right ? "ask.right" : "ask.wrong")} `)]),
      words,
      ...(hint ? [h("span", { class: "mg-given-hint" }, h("b", {}, `${word("predict.given_hint")} `), hint)] : []),
    );
    this.verdict.className = `mg-verdict ${{ true: "mg-right", false: "mg-wrong" }[right] ?? ""}`;
    reveal(this.element, this.verdict);
  }

  truth() {
    const { nodes, frames, values } = this.stepper.trace;
    const { kind, frame, options } = this.open;
    if (kind === "rule") return word("predict.it_sends", { formula: options.find(([, sentence]) => !sentence)[0] });
    if (kind === "node") return word("ask.it_is", { answer: nodes[frames[frame].node]?.label ?? "" });
    return word("ask.it_is", { answer: format(asked(this.open, values)) });
  }

  /** Show what was asked for, with a verdict if there was an answer. */
  reveal(right = null, words = this.truth()) {
    const { at } = this.open;
    this.done.add(this.open);
    this.close();
    this.stepper.go(this.pending(at) ? at : at + 1);
    this.say(right, words);
    this.show();
    this.stepper.transport.next.focus({ preventScroll: true });
  }

  close() {
    this.open = null;
    this.hints = 0;
    write(this.refused, "");
    write(this.verdict, "");
    this.verdict.className = "mg-verdict";
    this.show();
  }
}
