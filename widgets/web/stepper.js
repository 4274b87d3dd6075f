// The stepper: walks a recorded run forward and back, in a notebook (as an anywidget) and in an exported page.
//
// It has no dependencies, fetches nothing and asks no kernel. docs/trace.md says what a trace is. Names, code and
// labels in it are data: they reach the page as text nodes and attributes only, never as markup.

import { elements, hits, reduce, start, stops } from "./run.js";
import { h, icon, write } from "./elements.js";
import { mathml } from "./equations.js";
import { Picture, TEXTS } from "./picture.js";
import { Code } from "./code.js";
import { Ledger } from "./ledger.js";
import { Inspector } from "./inspector.js";
import { Stops } from "./breakpoints.js";
import { Predict } from "./predict.js";

const LEVELS = ["phase", "node", "contribution", "element"];
const SPEEDS = [0.5, 1, 2, 4, 8];
const PAUSE = 1200; // milliseconds between two steps at speed 1

const THE_END = "This is the end. Go back with ←, or click any number to read why it is so.";

const KEYS = [
  ["→", "next step"],
  ["←", "previous step"],
  ["Home End", "start, end"],
  ["[ ]", "previous, next phase"],
  ["Space", "play, pause"],
  ["− +", "larger, smaller steps"],
  ["Enter", "inspect the current node"],
  ["Shift+→ Shift+←", "run to the next, the last stop"],
  ["b", "stop at the chosen node"],
  ["/", "search by name, operation or regular expression"],
  ["p", "predict before you see"],
  ["Esc", "close, clear"],
  ["?", "this help"],
  ["Ctrl+wheel", "zoom; drag to move"],
];

class Stepper {
  constructor(model, el) {
    this.model = model;
    this.trace = model.get("trace");
    this.trace.edges ??= [];
    this.trace.groups ??= [];
    this.trace.phases ??= [];
    this.trace.values ??= [];
    this.frames = this.trace.frames ??= [];
    this.last = this.frames.length;
    this.state = start(this.trace);
    this.position = 0;
    this.inner = 0; // elements of the next frame that have been walked through, at level 4
    this.breakpoints = [];
    this.marks = {}; // class -> ids that bear it
    this.read();
    this.root = h("div", {
      class: "mg-stepper",
      "data-lm-suppress-shortcuts": "true",
      role: "group",
      "aria-label": `Stepper: ${this.trace.title ?? ""}`,
    });
    this.root.style.setProperty("--mg-height", `${model.get("height") || 520}px`);
    this.build();
    el.replaceChildren(this.root);
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.observer = new ResizeObserver(() => this.reserve());
    this.observer.observe(this.root);
    this.drawAll();
    this.moveTo(this.clamp(model.get("index") ?? 0));
    this.listeners = {
      "change:index": () => this.moveTo(this.clamp(model.get("index"))),
      "change:node": () => this.showSelected(),
      "change:playing": () => this.showPlaying(),
      "change:level": () => this.showLevel(),
      "change:predict": () => this.showPredict(),
      "change:answers": () => this.predict.show(),
    };
    for (const [name, listener] of Object.entries(this.listeners)) model.on(name, listener);
    this.showPlaying();
  }

  /** What can be told once from the trace: who is beside whom, what happens where, where one may stop. */
  read() {
    const { nodes, edges, frames, phases } = this.trace;
    this.around = nodes.map(() => ({ inputs: [], uses: [] }));
    edges.forEach(({ from, to }, edge) => {
      this.around[to].inputs.push({ edge, other: from });
      this.around[from].uses.push({ edge, other: to });
    });
    this.history = nodes.map(() => []); // frames at each node, and of what arrives there
    frames.forEach((frame, i) => {
      for (const node of new Set([frame.node, edges[frame.edge]?.from])) if (node != null) this.history[node].push(i);
    });
    this.stopsAt = [1, 2, 3, 3].map((level) => stops(frames, level));
    this.borders = [...new Set([0, ...phases.map((phase) => phase.last + 1), this.last])];
    this.inside = new Map(); // frame -> its elements
  }

  clamp(position) {
    return Math.min(this.last, Math.max(0, position));
  }

  // -- how it looks --------------------------------------------------------------------------------------------

  build() {
    const uid = Math.random().toString(36).slice(2); // several steppers may be on one page
    const button = (label, keys, path, action, extra = {}, ...text) =>
      h(
        "button",
        { type: "button", "aria-label": label, title: keys ? `${label} (${keys})` : label, onclick: action, ...extra },
        icon(path),
        ...text,
      );
    this.firstButton = button("First", "Home", "M18 6l-6 6 6 6M7 6v12", () => this.go(0));
    this.phaseBackButton = button("Previous phase", "[", "M18 6l-6 6 6 6M11 6l-6 6 6 6", () => this.phase(-1));
    this.previousButton = button("Previous", "←", "M15 5l-7 7 7 7", () => this.previous());
    this.playButton = button("Play", "Space", "M8 5l11 7-11 7z", () => this.play(!this.model.get("playing")), {
      class: "mg-play",
    });
    this.nextButton = button(
      "Next",
      "→",
      "M9 5l7 7-7 7",
      () => this.next(),
      { class: "mg-primary mg-next", "aria-label": null },
      h("span", {}, "Next"),
    );
    this.nextButton.prepend(this.nextButton.lastChild);
    this.phaseButton = button("Next phase", "]", "M6 6l6 6-6 6M13 6l6 6-6 6", () => this.phase(1));
    this.lastButton = button("Last", "End", "M6 6l6 6-6 6M17 6v12", () => this.go(this.last));
    this.scrubber = h("input", {
      type: "range",
      min: 0,
      max: this.last,
      step: 1,
      "aria-label": "Position",
      oninput: () => this.go(Number(this.scrubber.value)),
    });
    this.counter = h("output", { class: "mg-counter" });
    const length = ({ first, last }) => last - first + 1;
    const share = (phase) =>
      h(
        "span",
        { class: `mg-phase-${phase.kind}`, style: null, title: phase.title ?? phase.kind },
        phase.title ?? phase.kind,
      );
    this.phaseMarks = this.trace.phases.map((phase) => {
      const mark = share(phase);
      mark.style.flexGrow = length(phase);
      return mark;
    });

    this.say = h("p", { class: "mg-say" });
    this.hint = h("p", { class: "mg-hint" });
    this.equation = h("div", { class: "mg-equation", tabindex: 0, role: "group", "aria-label": "Equation" });
    this.words = h(
      "div",
      { class: "mg-words", tabindex: 0, role: "status", "aria-live": "polite" },
      this.say,
      this.hint,
    );

    this.picture = new Picture(this);
    this.code = new Code(this);
    this.ledger = new Ledger(this);
    this.inspector = new Inspector(this);
    this.stops = new Stops(this);
    this.predict = new Predict(this);
    this.tabs = [
      ["Inspect", this.inspector],
      ["Table", this.ledger],
      ["Stops", this.stops],
    ].map(([name, panel], i) => {
      Object.assign(panel.element, { id: `mg-${uid}-${i}` });
      panel.element.setAttribute("role", "tabpanel");
      const tab = h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `mg-${uid}-tab-${i}`,
          "aria-controls": panel.element.id,
          tabindex: i ? -1 : 0,
          onclick: () => this.openTab(i),
        },
        name,
      );
      panel.element.setAttribute("aria-labelledby", tab.id);
      panel.element.removeAttribute("aria-label");
      return { tab, panel };
    });
    const tablist = h(
      "div",
      { class: "mg-tabs", role: "tablist", "aria-label": "Panels", onkeydown: (event) => this.tabKey(event) },
      this.tabs.map(({ tab }) => tab),
    );

    const option = (value, text) => h("option", { value }, text);
    this.levelSelect = h(
      "select",
      {
        title: "How much one press of Next does (− and +)",
        onchange: () => this.setLevel(Number(this.levelSelect.value)),
      },
      LEVELS.map((name, i) => option(i + 1, name)),
    );
    this.speedSelect = h(
      "select",
      { title: "How fast Play goes" },
      SPEEDS.map((speed) => option(speed, `${speed}×`)),
    );
    this.speedSelect.value = 1;
    this.search = h("input", {
      type: "search",
      placeholder: "Find a node",
      "aria-label": "Find by name, operation or regular expression",
      title: "Find (/)",
      oninput: () => this.find(),
      onkeydown: (event) => this.searchKey(event),
    });
    this.found = h("output", { class: "mg-quiet" });
    const toggle = (name, title, action) =>
      h("button", { type: "button", title, "aria-pressed": "false", onclick: action }, name);
    this.predictButton = toggle("Predict", "Answer before you see (p)", () =>
      this.setPredict(!this.model.get("predict")),
    );
    this.pictureButton = toggle("Picture", "Show or hide the picture", () =>
      this.showPicture(this.root.classList.contains("mg-no-picture")),
    );
    this.helpButton = toggle("?", "Keys (?)", () => this.help(this.helpPanel.hidden));
    this.helpButton.setAttribute("aria-label", "Help");
    this.helpPanel = h(
      "div",
      { class: "mg-help", role: "dialog", "aria-label": "Help", hidden: true },
      h("h3", {}, "Walk through it with the keys"),
      h(
        "dl",
        {},
        KEYS.map(([keys, what]) => [
          h(
            "dt",
            {},
            keys.split(" ").map((key) => h("kbd", {}, key)),
          ),
          h("dd", {}, what),
        ]),
      ),
      h(
        "p",
        { class: "mg-quiet" },
        "Blue is a value, orange a gradient; a dashed box is still to come. A dash means “not yet”, which is not zero.",
      ),
      h("button", { type: "button", onclick: () => this.help(false) }, "Close"),
    );

    this.root.append(
      h(
        "div",
        { class: "mg-transport", role: "toolbar", "aria-label": "Steps" },
        h(
          "div",
          { class: "mg-buttons" },
          this.firstButton,
          this.phaseBackButton,
          this.previousButton,
          this.playButton,
          this.nextButton,
          this.phaseButton,
          this.lastButton,
        ),
        h(
          "div",
          { class: "mg-scrub" },
          this.scrubber,
          h("div", { class: "mg-phases", "aria-hidden": "true" }, this.phaseMarks),
        ),
        this.counter,
      ),
      h("div", { class: "mg-narration" }, this.words, this.equation),
      this.predict.element,
      h(
        "div",
        { class: "mg-body" },
        this.picture.element,
        h(
          "div",
          { class: "mg-panels" },
          this.code.element,
          h(
            "section",
            { class: "mg-tabbed" },
            tablist,
            this.tabs.map(({ panel }) => panel.element),
          ),
        ),
      ),
      h(
        "div",
        { class: "mg-options" },
        h("label", {}, "Step by ", this.levelSelect),
        h("label", {}, "Speed ", this.speedSelect),
        h("span", { class: "mg-find" }, this.search, this.found),
        h("span", { class: "mg-toggles" }, this.predictButton, this.pictureButton, this.helpButton),
      ),
      this.helpPanel,
    );
    this.openTab(0);
    this.showLevel();
    this.showPicture(this.picture.exists);
    this.showPredict();
    this.stops.show();
  }

  /** Keep so much room for the words that nothing below them ever jumps. */
  reserve() {
    const width = this.words.clientWidth;
    if (!width || width === this.reserved) return;
    this.reserved = width;
    const lines = (element, texts, least, most) => {
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = getComputedStyle(element).font;
      const longest = texts.toSorted((a, b) => b.length - a.length).slice(0, 8);
      const widest = Math.max(0, ...longest.map((text) => pen.measureText(text).width));
      return Math.min(most, Math.max(least, Math.ceil((1.1 * widest) / width))); // lines are seldom filled to the end
    };
    const room = {
      say: lines(
        this.say,
        this.frames.map(({ kind, say }) => (kind === "error" ? "" : (say ?? ""))),
        2,
        4,
      ),
      hint: lines(this.hint, [...this.frames.map((frame) => `Next: ${frame.hint ?? ""}`), THE_END], 1, 3),
      equation: Math.min(4, Math.max(0, ...this.frames.map(({ equation }) => equation?.match(/ \+?= /g)?.length ?? 0))),
    };
    for (const [name, value] of Object.entries(room)) this.root.style.setProperty(`--mg-${name}-lines`, value);
  }

  /** Let every element show the state: after another view was opened. */
  drawAll() {
    for (const [target, fields] of Object.entries(this.state)) {
      for (const field of new Set([...Object.keys(TEXTS), ...Object.keys(fields)]))
        this.show(target, field, fields[field]);
    }
    const marks = this.marks;
    this.marks = {};
    for (const [name, ids] of Object.entries(marks)) this.mark(name, ids.keys());
  }

  show(target, field, value) {
    this.picture.show(target, field, value);
    this.ledger.show(target, field, value);
  }

  /** Give a class to what stands for these ids, in the picture and in the table, and take it from all else. */
  mark(name, ids) {
    const before = this.marks[name] ?? new Map();
    const after = new Map();
    for (const id of ids) {
      const shown =
        before.get(id) ??
        [this.picture.find(id), id[0] === "n" && this.ledger.rows[Number(id.slice(1))]].filter(Boolean);
      after.set(id, shown);
    }
    for (const [id, shown] of before) if (!after.has(id)) for (const element of shown) element.classList.remove(name);
    for (const shown of after.values()) for (const element of shown) element.classList.add(name);
    this.marks[name] = after;
  }

  // -- moving --------------------------------------------------------------------------------------------------

  /** Go to a position: the model's index changes, and with it everything that listens to it. */
  go(position, inner = 0) {
    if (this.predict.frame !== null) this.predict.close();
    this.wanted = inner;
    const target = this.clamp(position);
    if (target === this.model.get("index")) return this.moveTo(target);
    this.model.set("index", target);
    this.model.save_changes();
  }

  moveTo(position) {
    const net = reduce(this.state, this.frames, this.position, position);
    this.position = position;
    this.inner = this.wanted ?? 0;
    this.wanted = 0;
    for (const [target, fields] of net)
      for (const [field, [before, after]] of fields) if (before !== after) this.show(target, field, after);
    this.showPosition();
  }

  next() {
    if (this.predict.frame !== null) return this.predict.input.focus({ preventScroll: true });
    const stop = this.stopAfter(this.position);
    const question = this.model.get("predict") && this.inner === 0 ? this.predict.pending(this.position, stop) : null;
    if (question !== null) {
      this.play(false);
      this.go(question);
      return this.predict.ask(question);
    }
    if (this.inner < this.elementsAhead().length) {
      this.inner += 1;
      return this.showPosition();
    }
    this.go(stop);
  }

  previous() {
    if (this.inner > 0) {
      this.inner -= 1;
      return this.showPosition();
    }
    const stop = this.stopsAt[this.level - 1].findLast((position) => position < this.position) ?? 0;
    this.go(stop, this.elementsAhead(stop).length);
  }

  get level() {
    return this.model.get("level") || 3;
  }

  stopAfter(position) {
    return this.stopsAt[this.level - 1].find((stop) => stop > position) ?? this.last;
  }

  /** At the finest level: what happens inside the next frame. One element alone is told by the equation. */
  elementsAhead(position = this.position) {
    if (this.level < 4 || position >= this.last) return [];
    if (!this.inside.has(position)) {
      const found = elements(this.frames[position].arithmetic, this.trace.values);
      this.inside.set(position, found.length > 1 ? found : []);
    }
    return this.inside.get(position);
  }

  phase(direction) {
    const border =
      direction > 0 ? this.borders.find((b) => b > this.position) : this.borders.findLast((b) => b < this.position);
    this.go(border ?? (direction > 0 ? this.last : 0));
  }

  /** To the next frame (or the last one) at which one of these stops. */
  run(direction, places = this.breakpoints) {
    let i = this.position + (direction > 0 ? 0 : -2);
    while (i >= 0 && i < this.last && !places.some((place) => hits(this.trace, place, i))) i += direction;
    this.go(direction > 0 ? i + 1 : Math.max(0, i + 1));
  }

  runTo(place) {
    const there = this.frames.some((_, i) => i >= this.position && hits(this.trace, place, i));
    if (there) return this.run(1, [place]);
    write(this.hint, "Nothing more happens there.");
  }

  toggleStop(place) {
    const same = (stop) => JSON.stringify(stop) === JSON.stringify(place);
    this.breakpoints = this.breakpoints.some(same)
      ? this.breakpoints.filter((stop) => !same(stop))
      : [...this.breakpoints, place];
    this.mark(
      "stop",
      this.breakpoints.filter(({ kind }) => kind === "node").map(({ value }) => `n${value}`),
    );
    this.stops.show();
    this.code.showStops();
    this.inspector.show();
  }

  play(on) {
    if (on === Boolean(this.model.get("playing"))) return;
    if (on && this.position === this.last) this.go(0);
    this.model.set("playing", on);
    this.model.save_changes();
  }

  showPlaying() {
    const playing = Boolean(this.model.get("playing"));
    this.playButton.replaceChildren(icon(playing ? "M8 5v14M16 5v14" : "M8 5l11 7-11 7z"));
    this.playButton.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.words.setAttribute("aria-live", playing ? "off" : "polite"); // nobody can listen that fast
    clearTimeout(this.timer);
    if (playing) this.timer = setTimeout(() => this.tick(), PAUSE / Number(this.speedSelect.value));
  }

  tick() {
    const before = this.position;
    this.next();
    const passed = this.frames
      .slice(before, this.position)
      .findIndex((_, k) => this.breakpoints.some((place) => hits(this.trace, place, before + k)));
    if (passed >= 0) this.go(before + passed + 1);
    if (this.position === this.last || passed >= 0 || this.frames[this.position - 1]?.kind === "error")
      this.play(false);
    else this.showPlaying();
  }

  setLevel(level) {
    this.model.set("level", Math.min(4, Math.max(1, level)));
    this.model.save_changes();
  }

  showLevel() {
    this.levelSelect.value = this.level;
    if (this.inner) {
      this.inner = 0;
      this.showPosition();
    }
  }

  // -- what is shown of a position -----------------------------------------------------------------------------

  /** The node of the last frame, where we are; before the first one there is none. */
  get here() {
    const node = this.frames[this.position - 1]?.node;
    return node == null ? null : `n${node}`;
  }

  /** Where to look: at the current node, or before the first frame at the one that comes. */
  get centre() {
    const next = this.frames[this.position]?.node;
    return this.here ?? (next == null ? null : `n${next}`);
  }

  /** The node that is told about: the chosen one, or else the current one. */
  get inspected() {
    const chosen = this.model.get("node");
    return chosen && this.state[chosen] ? chosen : this.here;
  }

  showPosition() {
    const { frames, position, inner } = this;
    const done = frames[position - 1];
    const ahead = frames[position];
    const inside = inner ? this.elementsAhead()[inner - 1] : null;
    const frame = inside ? ahead : done;
    const phase =
      this.trace.phases.find(({ first, last }) => first < position && position <= last + 1) ?? this.trace.phases[0];
    this.root.dataset.index = position;
    this.root.dataset.phase = frame?.kind === "error" ? "error" : (phase?.kind ?? "forward");
    this.phaseMarks.forEach((mark, i) => mark.classList.toggle("mg-active", this.trace.phases[i] === phase));
    this.scrubber.value = position;
    this.scrubber.setAttribute(
      "aria-valuetext",
      `step ${position} of ${this.last}${phase ? `, ${phase.title ?? phase.kind}` : ""}`,
    );
    write(this.counter, `${position} / ${this.last}`);
    write(
      this.say,
      inside
        ? `Inside: element ${inner} of ${this.elementsAhead().length}${inside.at.length ? `, at [${inside.at.join(", ")}]` : ""}.`
        : done
          ? (done.say ?? done.kind)
          : "Nothing has happened yet. Press Next, or the key →.",
    );
    write(
      this.hint,
      ahead
        ? `Next: ${this.level === 1 ? (this.trace.phases.find(({ last }) => last >= position)?.title ?? ahead.hint) : (ahead.hint ?? ahead.kind)}`
        : THE_END,
    );
    const equation = inside ? inside.text : done?.equation;
    if (equation !== this.equation.title) {
      this.equation.title = equation ?? "";
      this.equation.replaceChildren(...(equation ? [mathml(equation)] : []));
    }
    const atStart = position === 0 && !inner;
    for (const button of [this.firstButton, this.phaseBackButton, this.previousButton])
      button.setAttribute("aria-disabled", atStart);
    for (const button of [this.nextButton, this.phaseButton, this.lastButton])
      button.setAttribute("aria-disabled", position === this.last);
    const edge = (which) => (which?.edge == null ? [] : [`e${which.edge}`]);
    this.mark("now", [...(frame?.node == null ? [] : [`n${frame.node}`]), ...edge(frame)]);
    this.mark("next", ahead && !inside ? [...(ahead.node == null ? [] : [`n${ahead.node}`]), ...edge(ahead)] : []);
    this.code.show(frame?.at ?? (position === 0 ? ahead?.at : null));
    this.inspector.show();
    if (this.picture.focused) this.picture.showFocus();
    this.bringIntoSight(this.centre);
  }

  // -- choosing, finding, tracing ------------------------------------------------------------------------------

  /** A node was clicked: it answers an open question, or is inspected. */
  picked(number) {
    if (this.predict.frame !== null && this.predict.how.value === "node") return this.predict.answer(number);
    this.select(this.model.get("node") === `n${number}` ? "" : `n${number}`);
  }

  select(id) {
    this.model.set("node", id);
    this.model.save_changes();
  }

  showSelected() {
    const id = this.model.get("node");
    this.mark("selected", id && this.state[id] ? [id] : []);
    if (this.traced && id !== `n${this.traced.node}`) this.traceWay(null);
    this.inspector.show();
    if (!id || !this.state[id]) return;
    if (this.openPanel !== this.ledger) this.openTab(0);
    this.code.show(this.trace.nodes[Number(id.slice(1))].at);
    this.bringIntoSight(id);
  }

  /** Scroll picture, code and table to a node, once before the next painting: to measure takes a layout. */
  bringIntoSight(id) {
    this.inSight = id;
    this.settling ??= requestAnimationFrame(() => {
      this.settling = null;
      this.picture.follow(this.inSight);
      this.code.reveal();
      this.ledger.reveal(this.inSight);
    });
  }

  /** Show only what a node was made from ("inputs"), or what was made from it ("uses"). */
  traceWay(node, way) {
    const again = this.traced?.node === node && this.traced?.way === way;
    this.traced = node === null || again ? null : { node, way };
    const reached = new Set(this.traced ? [node] : []);
    const edges = new Set();
    for (const at of reached) {
      for (const { edge, other } of this.traced ? this.around[at][way] : []) {
        reached.add(other); // a set may grow while it is walked through
        edges.add(edge);
      }
    }
    const ids = [...[...reached].map((n) => `n${n}`), ...[...edges].map((e) => `e${e}`)];
    this.mark("upstream", way === "inputs" ? ids : []);
    this.mark("downstream", way === "uses" ? ids : []);
    if (this.traced) this.picture.only(ids);
    else this.picture.showFocus();
    this.inspector.show();
  }

  find() {
    const text = this.search.value.trim();
    let test = (field) => field.toLowerCase().includes(text.toLowerCase());
    try {
      const pattern = new RegExp(text, "i");
      test = (field) => pattern.test(field);
    } catch {
      // not a regular expression: search for the text as it stands
    }
    const fits = ({ name, op, type, label }) => [name, op, type, label].some((field) => field && test(field));
    this.matches = text ? this.trace.nodes.flatMap((node, i) => (fits(node) ? [i] : [])) : [];
    this.mark(
      "found",
      this.matches.map((i) => `n${i}`),
    );
    write(this.found, text ? `${this.matches.length} found` : "");
    this.match = -1;
  }

  searchKey(event) {
    if (event.key !== "Enter" || !this.matches?.length) return;
    event.preventDefault();
    this.match = (this.match + (event.shiftKey ? this.matches.length - 1 : 1)) % this.matches.length;
    this.select(`n${this.matches[this.match]}`);
    write(this.found, `${this.match + 1} of ${this.matches.length}`);
  }

  // -- switches ------------------------------------------------------------------------------------------------

  openTab(number) {
    this.tabs.forEach(({ tab, panel }, i) => {
      tab.setAttribute("aria-selected", i === number);
      tab.tabIndex = i === number ? 0 : -1;
      panel.element.hidden = i !== number;
    });
    this.openPanel = this.tabs[number].panel;
    this.bringIntoSight(this.inspected);
  }

  tabKey(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (this.tabs.findIndex(({ tab }) => tab === event.target) + step + this.tabs.length) % this.tabs.length;
    this.openTab(next);
    this.tabs[next].tab.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  showPicture(on) {
    this.root.classList.toggle("mg-no-picture", !on);
    this.pictureButton.setAttribute("aria-pressed", on);
  }

  setPredict(on) {
    this.model.set("predict", on);
    this.model.save_changes();
  }

  showPredict() {
    const on = Boolean(this.model.get("predict"));
    this.predictButton.setAttribute("aria-pressed", on);
    this.predict.element.hidden = !on;
    this.predict.close();
  }

  help(on) {
    this.helpPanel.hidden = !on;
    this.helpButton.setAttribute("aria-pressed", on);
    (on ? this.helpPanel.querySelector("button") : this.helpButton).focus({ preventScroll: true });
  }

  /** Close or clear the topmost thing. */
  escape() {
    if (!this.helpPanel.hidden) return this.help(false);
    if (this.predict.frame !== null) return this.predict.reveal();
    if (this.search.value) {
      this.search.value = "";
      this.find();
      return this.picture.canvas.focus({ preventScroll: true });
    }
    if (this.traced) return this.traceWay(null);
    this.select("");
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation(); // in a notebook, letters are commands: `x` would cut the cell
    const typing = event.target.matches("input:not([type=range]), select");
    if (typing && event.key !== "Escape") return;
    if (event.target.matches("button") && (event.key === " " || event.key === "Enter")) return; // it presses the button
    const action = {
      ArrowRight: () => (event.shiftKey ? this.run(1) : this.next()),
      ArrowLeft: () => (event.shiftKey ? this.run(-1) : this.previous()),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      "[": () => this.phase(-1),
      "]": () => this.phase(1),
      " ": () => this.play(!this.model.get("playing")),
      "+": () => this.setLevel(this.level + 1),
      "-": () => this.setLevel(this.level - 1),
      b: () => this.inspected && this.toggleStop({ kind: "node", value: Number(this.inspected.slice(1)) }),
      p: () => this.setPredict(!this.model.get("predict")),
      "/": () => this.search.focus({ preventScroll: true }),
      "?": () => this.help(this.helpPanel.hidden),
      Enter: () => this.inspected && (this.select(this.inspected), this.openTab(0)),
      Escape: () => this.escape(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  close() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.settling);
    this.observer.disconnect();
    this.picture.observer.disconnect();
    for (const [name, listener] of Object.entries(this.listeners)) this.model.off(name, listener);
  }
}

// -- mounts

/** Show a stepper in an element; the function that comes back ends it. */
function render({ model, el }) {
  const stepper = new Stepper(model, el);
  return () => stepper.close();
}

/** The model of an exported page: the traits without a kernel behind them. */
class Model {
  constructor(traits) {
    this.traits = traits;
    this.listeners = {};
  }

  get(name) {
    return this.traits[name];
  }

  set(name, value) {
    if (this.traits[name] === value) return;
    this.traits[name] = value;
    for (const listener of this.listeners[`change:${name}`] ?? []) listener();
  }

  save_changes() {}

  on(name, listener) {
    (this.listeners[name] ??= new Set()).add(listener);
  }

  off(name, listener) {
    this.listeners[name]?.delete(listener);
  }
}

/** Make steppers of all places in an exported page: a script with the trace as JSON, beside the picture that it is for. */
export function mount(page) {
  for (const place of page.querySelectorAll(".mg-place")) {
    const traits = JSON.parse(place.querySelector("script").textContent);
    const svg = place.querySelector("svg");
    if (svg) traits.views = { "": new XMLSerializer().serializeToString(svg), ...traits.views };
    place.model = new Model({ index: 0, node: "", playing: false, level: 3, answers: [], predict: false, ...traits });
    render({ model: place.model, el: place });
  }
  page.querySelector(".mg-next")?.focus({ preventScroll: true });
}

export default { render };
