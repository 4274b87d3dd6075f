// Why a gradient is the number that it is: the routes along which it came, each with its slopes; or what made it zero or nan.
import { h } from "./elements.js";
import { setOf } from "./matrices.js";
import { NOT_YET, data, format, isBad, numbers, real } from "./run.js";
import { word } from "./words.js";

const ROUTES = 8; // that are told one by one

/** What was sent in a gradient's backward, up to a position; `from` are all results of a node that it had reached. */
function sent(trace, position) {
  const { frames, edges } = trace;
  const first = frames.findLastIndex(({ kind }, i) => i < position && kind === "seeded");
  const starts = new Map(); // node -> the value with which the backward begins there
  for (let i = first; frames[i]?.kind === "seeded"; i--) starts.set(frames[i].node, gradientIn(frames[i], frames[i].node));
  const parts = [];
  for (let i = first + 1; i < position; i++) {
    const { kind, edge, arithmetic, changes = [] } = frames[i];
    const part = changes.find(([target, field]) => target === `e${edge}` && field === "part")?.[3];
    if (kind === "summed") parts.at(-1).part = part; // over the axes that were stretched: so it arrives
    if (kind !== "sent") continue;
    const slope = arithmetic?.template === "{0} × {1}" ? arithmetic.inputs[1] : null;
    const joined = changes.filter(([, field]) => field === "joins").map(([target]) => Number(target.slice(1)));
    const from = [edge, ...joined].map((one) => edges[one].to);
    parts.push({ frame: i, edge, from, to: edges[edge].from, slope, part });
  }
  return { starts, parts, first };
}

const gradientIn = ({ changes = [] }, node) =>
  changes.find(([target, field, , after]) => target === `n${node}` && field === "grad" && after != null)?.[3];

/** The routes to a node, each a list of what was sent on the way; and how many there are. */
function routesTo(node, { starts, parts }) {
  const into = new Map();
  for (const part of parts) into.set(part.to, [...(into.get(part.to) ?? []), part]);
  const counts = new Map();
  for (const start of starts.keys()) counts.set(start, 1);
  // What comes to a node was sent before the node sends: in this order all counts above are known.
  const at = (one) => counts.get(one) ?? 0;
  for (const { from, to } of parts) counts.set(to, from.map(at).reduce((all, many) => all + many, at(to)));
  const found = [];
  const open = [{ node, way: [] }];
  while (open.length && found.length < ROUTES) {
    const { node: here, way } = open.pop();
    if (starts.has(here)) found.push({ start: here, way });
    for (const part of (into.get(here) ?? []).toReversed()) {
      for (const one of part.from.toReversed()) open.push({ node: one, way: [part, ...way] });
    }
  }
  return { found, count: at(node) };
}

/** What a gradient was when something was sent on. */
function upstream({ frames }, first, { frame, from: [from] }) {
  for (let i = frame; i >= first; i--) {
    const value = gradientIn(frames[i], from);
    if (value !== undefined) return value;
    if (frames[i].kind === "seeded" && i < first) break;
  }
  return null;
}

const isZero = (value) => {
  const numbers = data(value) ?? [real(value?.low), real(value?.high)];
  return numbers.length > 0 && numbers.every((x) => x === 0);
};

/** The first factor that is zero or nan, from a node on towards the loss: `{part}`, `{start}`, or `{cancels}`. */
function culprit(trace, told, node, broken) {
  const { values } = trace;
  for (let at = node, steps = 0; steps <= trace.nodes.length; steps++) {
    const into = told.parts.filter(({ to }) => to === at);
    if (!into.length) return told.starts.has(at) ? { start: at } : null;
    if (!broken && into.some(({ part }) => !isZero(values[part]))) return { cancels: into };
    const part = into.find((one) => !broken || isBad(values[one.part]?.text ?? ""));
    if (!part) return null;
    const above = values[upstream(trace, told.first, part)];
    if (!(broken ? isBad(above?.text ?? "") : isZero(above))) return { part, above };
    at = part.from[0];
  }
  return null;
}

/** The section of a node's gradient; `go` leads to a frame. */
export function whyOf(trace, position, number, go) {
  const { nodes, values } = trace;
  const name = (node) => nodes[node].name;
  const told = sent(trace, position);
  const into = told.parts.filter(({ to }) => to === number);
  const text = (value) => values[value]?.text ?? NOT_YET;
  const bracketed = (one) => (one.startsWith("-") ? `(${one})` : one);
  const arrived = [...(told.starts.has(number) ? [told.starts.get(number)] : []), ...into.map(({ part }) => part)];
  const section = [h("h3", { class: "mg-why-title" }, word("why.title"))];
  if (!into.length) {
    const why = told.starts.has(number) ? "begins" : told.first < 0 ? "not_begun" : "none";
    return [...section, h("p", {}, word(`why.${why}`, { name: name(number), value: text(told.starts.get(number)) }))];
  }
  const broken = arrived.some((part) => isBad(text(part)));
  const isNumber = (value) => value?.data?.length === 1 && !value.dtype?.startsWith("complex");
  const areNumbers = arrived.every((part) => isNumber(values[part]));
  const total = areNumbers ? arrived.reduce((all, part) => all + numbers(values[part])[0], 0) : null;
  const texts = arrived.map((part) => (areNumbers ? format(numbers(values[part])[0]) : text(part)));
  const sum = texts.map((one, i) => (i ? bracketed(one) : one)).join(" + ");
  if (broken || total === 0 || arrived.every((part) => isZero(values[part]))) section.push(blame(culprit(trace, told, number, broken)));
  const { found, count } = routesTo(number, told);
  const steps = new Set(told.parts.map(({ from: [first] }) => first)).size;
  const loss = [...told.starts.keys()].map(name).join(", ");
  section.push(h("p", {}, word("why.routes", { count, loss, name: name(number) }), " ", word("why.steps", { count: steps })));
  const links = [...new Set(found.flatMap(({ way }) => way))];
  const noFactor = [...new Set(links.filter(({ slope }) => slope === null).flatMap(({ from }) => from.map(name)))];
  const single = links.every(({ slope }) => slope !== null && values[slope].data?.length === 1);
  if (noFactor.length) section.push(h("p", {}, word("why.no_factor", { count: noFactor.length, names: noFactor.join(", ") })));
  else if (!single) section.push(h("p", {}, word("why.arrays")));
  else section.push(h("ol", { class: "mg-routes" }, found.map(route)));
  if (single && count > found.length) section.push(h("p", {}, word("why.more", { count: count - found.length })));
  section.push(h("p", {}, setOf(total !== null && arrived.length > 1 ? `${word("why.sum", { sum })} = ${format(total)}` : word("why.sum", { sum }))));
  return section;

  function route({ start, way }) {
    const slopes = way.map(({ slope }) => numbers(values[slope])[0]);
    const seed = numbers(values[told.starts.get(start)])?.[0] ?? 1;
    const product = [seed, ...slopes].reduce((all, x) => all * x, 1);
    const factors = (seed === 1 ? slopes : [seed, ...slopes]).map(format).map((one, i) => (i ? bracketed(one) : one));
    const way_ = [start, ...way.map(({ to }) => to)].map(name).join(" → ");
    return h("li", {}, way_, h("br"), [...(factors.length > 1 ? [factors.join(" × ")] : []), format(product)].join(" = "));
  }

  function blame(found) {
    if (!found) return [];
    if (found.cancels) return h("p", {}, word("why.cancels", { sum: found.cancels.map(({ part }) => bracketed(text(part))).join(" + ") }));
    if (found.start !== undefined) return h("p", {}, word("why.begins", { name: name(found.start), value: text(told.starts.get(found.start)) }));
    const { part, above } = found;
    const places = { sender: name(part.from[0]), target: name(part.to), above: above?.text ?? NOT_YET, part: text(part.part) };
    const slope = part.slope === null ? "" : word("why.slope", { slope: text(part.slope) });
    const button = h("button", { type: "button", onclick: () => go(part.frame + 1) }, word("why.go"));
    return h("p", { class: "mg-culprit" }, word("why.culprit", places), " ", slope, " ", button);
  }
}
