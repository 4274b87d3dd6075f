import { h } from "./elements.js";
import { mathml } from "./equations.js";
import { setOf } from "./matrices.js";
import { NOT_YET, counted, format, real } from "./run.js";

const KINDS = {
  leaf: "a leaf: you made it, and it wants a gradient",
  parameter: "a parameter: a leaf that a module trains",
  input: "an input: it wants no gradient",
  constant: "a constant",
  operation: "the result of an operation",
  output: "one of several results",
};

/** Everything about one node, up to this moment. */
export class Inspector {
  constructor(stepper) {
    this.stepper = stepper;
    this.element = h("div", {
      class: "mg-scroll mg-inspector",
      role: "region",
      tabindex: 0,
      "aria-label": "About one node",
    });
  }

  show() {
    const buttons = () => [...this.element.querySelectorAll("button")];
    const focused = buttons().indexOf(document.activeElement);
    this.element.replaceChildren(...(this.stepper.inspected === null ? [this.nothing()] : this.told()));
    if (focused >= 0) (buttons()[focused] ?? this.element).focus({ preventScroll: true });
  }

  nothing() {
    return h("p", { class: "mg-empty" }, "Press Next, or click a node, to read about it here.");
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
    const facts = [["Value", "value"], ["Gradient", "grad"], collects && [".grad", "box"]].filter(Boolean);
    const small = [
      KINDS[node.kind] ?? node.kind,
      node.type,
      shape.length ? `shape ${shape.join("×")}` : "one number",
      value?.dtype ?? node.dtype ?? "float32",
      now.version && `changed in place ${counted(now.version, "time")}`,
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
      const words = `${shape.join("×")}, from ${format(real(value.low))} to ${format(real(value.high))}`;
      return value.thumb
        ? [words, h("img", { class: "mg-thumb", alt: "heat map", src: `data:image/png;base64,${value.thumb}` })]
        : words;
    }
    if (shape.length === 0) return String(value.data[0]);
    const columns = shape.at(-1) || 1;
    const rows = [];
    for (let i = 0; i < value.data.length; i += columns)
      rows.push(
        h(
          "tr",
          {},
          value.data.slice(i, i + columns).map((x) => h("td", { title: String(x) }, format(real(x)))),
        ),
      );
    return h("table", { class: "mg-grid" }, h("tbody", {}, rows));
  }

  /** Inside a step: what was computed so far, the latest first. */
  elements(inspected) {
    const { inner, here } = this.stepper;
    if (!inner || inspected !== here) return null;
    const row = ({ at, text }) => h("li", {}, at.length ? `[${at.join(", ")}]  ${text}` : text);
    const done = this.stepper.elementsAhead().slice(0, inner).toReversed();
    return [h("h3", {}, "Element by element"), h("ol", { class: "mg-elements" }, done.map(row))];
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
        { type: "button", title: "Go on until something happens at this node", onclick: () => stepper.runTo(place) },
        "Run to here",
      ),
      toggle(
        "Stop here",
        "Play and run will stop at this node (b)",
        stepper.breakpoints.some((b) => b.kind === "node" && b.value === number),
        () => stepper.toggleStop(place),
      ),
      toggle("Made from", "Show only what this was made from", traced === "inputs", () =>
        stepper.traceWay(number, "inputs"),
      ),
      toggle("Used by", "Show only what was made from this", traced === "uses", () => stepper.traceWay(number, "uses")),
    );
  }

  rules(node) {
    const rules = (node.rules ?? []).filter(Boolean);
    return (
      rules.length > 0 && [
        h("h3", {}, "Its rules"),
        rules.map((rule) =>
          h("div", { class: "mg-equation", tabindex: 0, role: "group", "aria-label": "rule" }, mathml(rule, true)),
        ),
      ]
    );
  }

  /** What the rules need, each as it was then: what was changed in place since may not be used any more. */
  saved(node, state, freed) {
    if (!node.saved?.length) return null;
    const item = ({ name, of, node: box, version = 0 }) => {
      const today = state[`n${box}`]?.version ?? 0;
      const changed = today === version ? "" : `, but its memory is at version ${today} now`;
      return h("li", {}, h("b", {}, name), of === name ? "" : `: ${of}`, `, version ${version}${freed ? "" : changed}`);
    };
    const title = freed ? "What it had saved for backward, now let go" : "What it saved for backward";
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
            h("td", {}, DEPOSITS[frames[i].kind] ?? frames[i].kind),
            h("td", {}, setOf(text(before))),
            h("td", {}, setOf(text(after))),
          ),
        ];
      }),
    );
    const head = ["Step", "What", "Before", "After"].map((title) => h("th", { scope: "col" }, title));
    return (
      rows.length > 0 && [
        h("h3", {}, "Its .grad so far"),
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
              { class: "mg-equation", tabindex: 0, role: "group", "aria-label": "equation" },
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
          past.length > shown.length ? `The last ${shown.length} of ${past.length} steps here` : "What happened here",
        ),
        h("ol", { class: "mg-history" }, items),
      ]
    );
  }

  jump(i) {
    return h(
      "button",
      { type: "button", class: "mg-jump", "aria-label": `Go to step ${i + 1}`, onclick: () => this.stepper.go(i + 1) },
      String(i + 1),
    );
  }
}

const DEPOSITS = { deposited: "deposit", zeroed: "zeroed", hook: "changed by a hook", mutated: "changed in place" };
