// Walks a trace: where it is, what holds there, where it may stop. It knows no page; a stepper is a player that is seen.
import { Live } from "./live.js";
import { elements, hits, reduce, start, stops } from "./run.js";

export class Player {
  /** `model` has the traits: trace, index, level, node, playing. What changes the index reaches `moveTo`. */
  constructor(model) {
    this.model = model;
    this.trace = { edges: [], groups: [], phases: [], iterations: [], values: [], files: [], frames: [], ...model.get("trace") };
    this.live = new Live(this.trace);
    this.trace = this.live.trace;
    this.frames = this.trace.frames;
    this.last = this.frames.length;
    this.state = start(this.trace);
    this.position = 0;
    this.inner = 0; // elements of the next frame that have been walked through, at level 4
    this.breakpoints = [];
    this.read();
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
    this.firstValues = new Map(); // node -> what it shows first, where it has nothing at the start
    for (const { kind, changes = [] } of frames)
      for (const [id, field, before, after] of kind === "made" ? changes : [])
        if (field === "value" && before == null && !this.firstValues.has(id)) this.firstValues.set(id, after);
    this.inside = new Map(); // frame -> its elements
  }

  /** Set a trait, for whoever listens. */
  set(name, value) {
    this.model.set(name, value);
    this.model.save_changes();
  }

  clamp(position) {
    return Math.min(this.last, Math.max(0, position));
  }

  // -- where it is ---------------------------------------------------------------------------------------------

  get level() {
    return this.model.get("level") || 3;
  }

  /** The node of the last frame, or of the one that we are inside of; before the first one there is none. */
  get here() {
    const node = this.frames[this.inner ? this.position : this.position - 1]?.node;
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
    return chosen && this.state[chosen] ? chosen : this.centre;
  }

  /** The phase of the last frame. */
  get phaseNow() {
    const { phases } = this.trace;
    return phases.find(({ first, last }) => first < this.position && this.position <= last + 1) ?? phases[0];
  }

  /** The iteration of a loop in which a position is: its number from 0; what comes before the loop belongs to the first. */
  iterationAt(position) {
    const { iterations } = this.trace;
    return Math.max(0, iterations.findLastIndex(({ first }) => first < Math.max(position, 1)));
  }

  /** What the slider of steps covers: the iteration of the position, or all. */
  get range() {
    const { iterations } = this.trace;
    const here = this.iterationAt(this.position);
    return here === 0 && iterations.length < 2
      ? { first: 0, last: this.last }
      : { first: here && iterations[here].first, last: iterations[here].last + 1 };
  }

  // -- what is near --------------------------------------------------------------------------------------------

  /** All that a node was made from ("inputs"), or that was made from it ("uses"). */
  reached(node, way) {
    const nodes = new Set([node]);
    const edges = new Set();
    for (const at of nodes) {
      for (const { edge, other } of this.around[at][way]) {
        nodes.add(other); // a set may grow while it is walked through
        edges.add(edge);
      }
    }
    return ids(nodes, edges);
  }

  /** All that is at most so many arrows away from a node. */
  near(id, arrows) {
    const nodes = new Set([Number(id.slice(1))]);
    const edges = new Set();
    for (let hop = 0; hop < arrows; hop++) {
      for (const node of [...nodes]) {
        for (const { edge, other } of [...this.around[node].inputs, ...this.around[node].uses]) {
          nodes.add(other);
          edges.add(edge);
        }
      }
    }
    return ids(nodes, edges);
  }

  // -- moving --------------------------------------------------------------------------------------------------

  /** Go to a position: the model's index changes, and with it everything that listens to it. */
  go(position, inner = 0) {
    this.wanted = inner;
    const target = this.clamp(position);
    if (target === this.model.get("index")) this.moveTo(target);
    else this.set("index", target);
  }

  moveTo(position) {
    const net = reduce(this.state, this.frames, this.position, position);
    this.position = position;
    this.inner = this.wanted ?? 0;
    this.wanted = 0;
    this.moved(net);
  }

  /** What changed on the way, for who shows it: target -> field -> [before, after]. */
  moved(_net) {}

  next() {
    if (this.inner < this.elementsAhead().length) this.within(1);
    else this.go(this.stopAfter(this.position));
  }

  previous() {
    if (this.inner > 0) return this.within(-1);
    if (this.position === 0) return;
    const stop = this.stopsAt[this.level - 1].findLast((position) => position < this.position) ?? 0;
    this.go(stop, this.elementsAhead(stop).length);
  }

  /** To the next element of the step that comes, or to the one before. */
  within(direction) {
    this.inner += direction;
    this.moved(new Map());
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

  /** To the first step of an iteration; one that is told in one line has only that. */
  iterate(number) {
    const { iterations } = this.trace;
    this.go(iterations[Math.min(iterations.length - 1, Math.max(0, number))].first + 1);
  }

  /** To the same step in the next iteration, or in the one before. */
  sameStep(direction) {
    const { iterations } = this.trace;
    const here = this.iterationAt(this.position);
    const there = iterations[here + direction];
    if (!there) return;
    const now = this.frames[this.position - 1];
    const alike = (from, to) => this.frames.slice(from, to).flatMap((frame, i) => (isSame(frame, now) ? [from + i] : []));
    const count = now ? alike(iterations[here].first, this.position).length : 0;
    const found = alike(there.first, there.last + 1)[count - 1];
    this.go((found ?? there.first) + 1);
  }

  /** To the next frame (or the last one) at which one of these stops. */
  run(direction, places = this.breakpoints) {
    let i = this.position + (direction > 0 ? 0 : -2);
    while (i >= 0 && i < this.last && !places.some((place) => hits(this.trace, place, i))) i += direction;
    this.go(direction > 0 ? i + 1 : Math.max(0, i + 1));
  }

  setLevel(level) {
    this.set("level", Math.min(4, Math.max(1, level)));
  }

  // -- stopping ------------------------------------------------------------------------------------------------

  /** Whether one of the frames from a position on is where this place stops. */
  isAhead(place) {
    return this.frames.some((_, i) => i >= this.position && hits(this.trace, place, i));
  }

  /** Stop at a place from now on, or no longer. */
  toggleStop(place) {
    const same = (stop) => JSON.stringify(stop) === JSON.stringify(place);
    this.breakpoints = this.breakpoints.some(same)
      ? this.breakpoints.filter((stop) => !same(stop))
      : [...this.breakpoints, place];
  }

  play(on) {
    if (on === Boolean(this.model.get("playing"))) return;
    if (on && this.position === this.last) this.go(0);
    this.set("playing", on);
  }

  /** One step of playing; whether it goes on. */
  advance() {
    const before = this.position;
    this.next();
    const stops = (i) => this.breakpoints.some((place) => hits(this.trace, place, i));
    const passed = this.frames.findIndex((_, i) => i >= before && i < this.position && stops(i));
    if (passed >= 0) this.go(passed + 1);
    const failed = this.frames[this.position - 1]?.kind === "error";
    return this.position < this.last && passed < 0 && !failed;
  }
}

/** Whether two frames are the same step of a loop: the same thing happens for the same expression. */
const isSame = (frame, other) => frame.kind === other.kind && String(frame.at) === String(other.at);

const ids = (nodes, edges) => [...[...nodes].map((n) => `n${n}`), ...[...edges].map((e) => `e${e}`)];

/** The node and the edge of a frame. */
export function targets(frame) {
  return [frame?.node == null ? null : `n${frame.node}`, frame?.edge == null ? null : `e${frame.edge}`].filter(Boolean);
}
