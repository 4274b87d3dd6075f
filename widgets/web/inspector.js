import { h } from "./elements.js";
import { mathml } from "./equations.js";
import { setOf } from "./matrices.js";
import { NOT_YET, format, numbers, real } from "./run.js";
import { whyOf } from "./why.js";
import { word } from "./words.js";

/** Everything about one node, up to this moment. */
export class Inspector {
  constructor(stepper) {
    this.stepper = stepper;
    this.element = h("div", {
      class: "mg-scroll mg-inspector",
      role: "region",
      tabindex: 0,
      "aria-label": word("inspector.title"),
    });
  }

  /** Tell of a gradient why it is this number, or no longer. */
  explain(number) {
    this.explained = this.explained === number ? null : number;
    this.stepper.select(`n${number}`);
    this.stepper.tabs.open(0);
    this.show();
    const answer = this.element.querySelector(".mg-why-title");
    if (answer) this.element.scrollTop += answer.getBoundingClientRect().top - this.element.getBoundingClientRect().top - 8;
  }

  show() {
    const buttons = () => [...this.element.querySelectorAll("button")];
    const focused = buttons().indexOf(document.activeElement);
    this.element.replaceChildren(...(this.stepper.inspected === null ? [this.nothing()] : this.told()));
    if (focused >= 0) (buttons()[focused] ?? this.element).focus({ preventScroll: true });
  }

  nothing() {
    return h("p", { class: "mg-empty" }, word("inspector.empty"));
  }

  told() {
    const { trace, position, inspected, history, state } = this.stepper;
    const number = Number(inspected.slice(1));
    const node = trace.nodes[number];
    const now = state[inspected];
    const past = history[number].filter((i) => i < position);
    const value = trace.values[now.value];
    const shape = value?.shape ?? node.shape ?? [];
    const collects = node.kind === "leaf" || node.kind === "parameter" || now.box !== undefined;
    const facts = [[word("table.value"), "value"], [word("table.gradient"), "grad"]];
    if (collects) facts.push([".grad", "box"]);
    const small = [
      word(`inspector.${node.kind}`),
      node.type,
      shape.length ? word("inspector.shape", { shape: shape.join("×") }) : word("inspector.number"),
      value?.dtype ?? node.dtype ?? "float32",
      now.version && word("inspector.changed", { count: now.version }),
    ];
    return [
      h("h2", {}, node.label ?? node.name),
      h("p", { class: "mg-quiet" }, small.filter(Boolean).join(" · ")),
      h(
        "dl",
        { class: "mg-facts" },
        facts.map(([name, field]) => [h("dt", {}, name), h("dd", { class: `mg-${field}` }, this.value(now[field]))]),
      ),
      this.elements(inspected),
      this.explained === number && whyOf(trace, position, number, (frame) => this.stepper.go(frame)),
      this.actions(number),
      this.rules(node),
      this.saved(node, state, now.freed),
      this.deposits(number, past),
      this.history(past),
    ]
      .flat(Infinity)
      .filter(Boolean);
  }

  /** A value in full: a number, a row or a grid of numbers; of a large one its bounds and a thumbnail. */
  value(number) {
    if (number == null) return NOT_YET;
    const value = this.stepper.trace.values[number];
    const shape = value.shape ?? [];
    if (!value.data) {
      if (value.low === undefined) return value.text;
      const [low, high] = [value.low, value.high].map((bound) => format(real(bound)));
      const words = word("inspector.bounds", { shape: shape.join("×"), low, high });
      const src = `data:image/png;base64,${value.thumb}`;
      return value.thumb ? [words, h("img", { class: "mg-thumb", alt: word("inspector.heat_map"), src })] : words;
    }
    if (shape.length === 0) return String(value.data[0]);
    const columns = shape.at(-1) || 1;
    const cells = numbers(value).map((x, i) => h("td", { title: String(value.data[i]) }, format(x)));
    const rows = [];
    for (let i = 0; i < cells.length; i += columns) rows.push(h("tr", {}, cells.slice(i, i + columns)));
    return h("table", { class: "mg-grid" }, h("tbody", {}, rows));
  }

  /** Inside a step: what was computed so far, the latest first. */
  elements(inspected) {
    const { inner, here } = this.stepper;
    if (!inner || inspected !== here) return null;
    const row = ({ at, text }) => h("li", {}, at.length ? `[${at.join(", ")}]  ${text}` : text);
    const done = this.stepper.elementsAhead().slice(0, inner).toReversed();
    return [h("h3", {}, word("inspector.elements")), h("ol", { class: "mg-elements" }, done.map(row))];
  }

  actions(number) {
    const { stepper } = this;
    const place = { kind: "node", value: number };
    const toggle = (label, title, on, f) =>
      h("button", { type: "button", title, "aria-pressed": on, onclick: f }, label);
    const traced = stepper.traced?.node === number ? stepper.traced.way : null;
    return h(
      "div",
      { class: "mg-actions" },
      h(
        "button",
        { type: "button", title: word("inspector.run_to_here"), onclick: () => stepper.runTo(place) },
        word("code.run_to_here"),
      ),
      toggle(
        word("code.stop_here"),
        word("inspector.stop_here"),
        stepper.breakpoints.some((b) => b.kind === "node" && b.value === number),
        () => stepper.toggleStop(place),
      ),
      this.stepper.phaseNow?.kind !== "forward" &&
        toggle(word("why.button"), word("why.how"), this.explained === number, () => this.explain(number)),
      toggle(word("inspector.made_from"), word("inspector.made_from_how"), traced === "inputs", () =>
        stepper.traceWay(number, "inputs"),
      ),
      toggle(word("inspector.used_by"), word("inspector.used_by_how"), traced === "uses", () =>
        stepper.traceWay(number, "uses"),
      ),
    );
  }

  rules(node) {
    const rules = (node.rules ?? []).filter(Boolean);
    const look = { class: "mg-equation", tabindex: 0, role: "group", "aria-label": word("inspector.rule") };
    return (
      rules.length > 0 && [
        h("h3", {}, word("inspector.rules")),
        // What is said in words may be long, and a formula does not wrap.
        rules.map((rule) => h("div", look, rule.startsWith("∂") ? mathml(rule, true) : rule)),
        rules.some((rule) => !rule.startsWith("∂")) && h("p", { class: "mg-quiet" }, word("inspector.g")),
      ]
    );
  }

  /** What the rules need, each as it was then: what was changed in place since may not be used any more. */
  saved(node, state, freed) {
    if (!node.saved?.length) return null;
    const item = ({ name, of, node: box, version = 0 }) => {
      const today = state[`n${box}`]?.version ?? 0;
      const key = today === version || freed ? "inspector.version" : "inspector.version_then";
      return h("li", {}, h("b", {}, name), of === name ? "" : `: ${of}`, `, ${word(key, { version, today })}`);
    };
    const title = word(freed ? "inspector.had_saved" : "inspector.saved");
    return [h("h3", {}, title), h("ul", { class: freed ? "mg-freed" : null }, node.saved.map(item))];
  }

  /** What went into `.grad` and out of it. */
  deposits(number, past) {
    const { frames, values } = this.stepper.trace;
    const rows = past.flatMap((i) =>
      (frames[i].changes ?? []).flatMap(([target, field, before, after]) => {
        if (target !== `n${number}` || field !== "box") return [];
        const text = (v) => (v == null ? NOT_YET : values[v].text);
        return [
          h(
            "tr",
            {},
            h("td", {}, this.jump(i)),
            h("td", {}, word(`inspector.deposit_${frames[i].kind}`)),
            h("td", {}, setOf(text(before))),
            h("td", {}, setOf(text(after))),
          ),
        ];
      }),
    );
    const head = ["step", "what", "before", "after"].map((name) => h("th", { scope: "col" }, word(`inspector.${name}`)));
    return (
      rows.length > 0 && [
        h("h3", {}, word("inspector.mailbox")),
        h("table", { class: "mg-deposits" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)),
      ]
    );
  }

  /** What happened at this node, the latest first. */
  history(past) {
    const { frames } = this.stepper.trace;
    const shown = past.slice(-12).toReversed();
    const items = shown.map((i) =>
      h(
        "li",
        {},
        this.jump(i),
        h(
          "div",
          {},
          setOf(frames[i].say ?? frames[i].kind),
          frames[i].equation &&
            h(
              "div",
              { class: "mg-equation", tabindex: 0, role: "group", "aria-label": word("narration.equation") },
              mathml(frames[i].equation),
            ),
        ),
      ),
    );
    return (
      shown.length > 0 && [
        h(
          "h3",
          {},
          past.length > shown.length
            ? word("inspector.last_steps", { shown: shown.length, all: past.length })
            : word("inspector.history"),
        ),
        h("ol", { class: "mg-history" }, items),
      ]
    );
  }

  jump(i) {
    const look = { type: "button", class: "mg-jump", "aria-label": word("inspector.go_to", { step: i + 1 }) };
    return h("button", { ...look, onclick: () => this.stepper.go(i + 1) }, String(i + 1));
  }
}
