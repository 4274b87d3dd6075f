// Equations as MathML, from texts such as `∂b/∂a = cos(a)`.
import { fill } from "./elements.js";
import { ROWS, rowsOf } from "./matrices.js";

const MATH = "http://www.w3.org/1998/Math/MathML";
// `layers[0].weight` and `params["w"]` are names; in `x[0]` a number is taken out of x.
const TOKEN =
  /∂[\p{L}\p{N}_.…[\]"]+\/∂[\p{L}\p{N}_.…[\]"]+|(?:\d+\.)*[\p{L}_∂](?:[\p{L}\p{N}_.]|\["[^"]*"\]|\[\d+\](?=[.₀-₉]|\["))*(?:…[\p{L}\p{N}_.]+)?|\d+(?:\.\d+)?(?:e[-+]?\d+)?|\*\*|[+!<>=]=|\S/gu;
const WORDS = new Set(["if", "else", "and", "or", "not", "over", "sum", "where", "all"]);
const SIGN = { "-": "−", "*": "·", "!=": "≠", "<=": "≤", ">=": "≥" };

/** An equation cut into `[tag, text]`: identifiers, numbers, operators, and fractions such as ∂a/∂b. */
export function tokens(text) {
  return [...text.matchAll(TOKEN)].map(({ 0: token, index }) => {
    if (/^∂.*\/∂/.test(token)) return ["mfrac", token];
    if (WORDS.has(token) && text[index + token.length] !== "(") return ["mtext", `\u00a0${token}\u00a0`];
    if (/^(\d+\.)*[\p{L}_∂]/u.test(token)) return ["mi", token];
    return [/^\d/.test(token) ? "mn" : "mo", token];
  });
}

/** A matrix in whose columns the points stand below each other: what a number is shorter than others is there, but unseen. */
function matrix(text) {
  const rows = rowsOf(text).map((row) => row.map((cell) => cell.replace("-", "−").split(/(?=\.)/)));
  const longest = (column, half) =>
    rows.map((row) => row[column][half] ?? "").reduce((a, b) => (b.length > a.length ? b : a));
  const unseen = (digits) => (digits ? m("mphantom", m("mn", digits)) : []);
  const cell = ([whole, broken = ""], column) => {
    const [before, after] = [longest(column, 0), longest(column, 1)];
    const parts = [before.slice(0, before.length - whole.length), whole + broken, after.slice(broken.length)];
    return m("mtd", m("mrow", unseen(parts[0]), m("mn", parts[1]), unseen(parts[2])));
  };
  return m("mrow", m("mo", "["), m("mtable", ...rows.map((row) => m("mtr", ...row.map(cell)))), m("mo", "]"));
}

/** How many lines an equation takes: a matrix has one for each of its rows. */
export function linesIn(text, most) {
  const deep = (side) => Math.max(1, 0.8 * ((side.match(ROWS)?.[1].match(/\[/g) ?? []).length + 0.5));
  const lines = cutAtSigns(text).slice(1).flatMap((side) => cutToFit(side, most));
  return lines.reduce((sum, side) => sum + deep(side), 0);
}

/** How many characters wide a text is when it is typeset: of a fraction, one half. */
const wide = (text) => text.replace(/∂[^\s/]+\/(?=∂)/g, "").length;

/** A side in lines of at most so many characters; a sign begins a line, a matrix stays whole. */
function cutToFit(side, most = Infinity) {
  if (wide(side) <= most || ROWS.test(side)) return [side];
  const lines = [];
  for (const piece of side.split(/(?<![-+*/@·×=→]) /))
    if (lines.length && wide(`${lines.at(-1)} ${piece}`) <= most) lines.push(`${lines.pop()} ${piece}`);
    else lines.push(piece);
  return lines;
}

const m = (tag, ...children) => fill(document.createElementNS(MATH, tag), children);
/** One token; letters stand upright, as they do in code. */
function atom(tag, text) {
  if (tag === "mfrac") {
    const fraction = m("mfrac", ...text.split("/").map((part) => atom("mi", part)));
    fraction.dataset.term = text.replace(/^.*\/∂/, "");
    return fraction;
  }
  const element = m(tag, SIGN[text] ?? text);
  if ("()".includes(text)) element.setAttribute("stretchy", "false"); // else they grow as high as a fraction beside them
  if (tag === "mi") {
    element.setAttribute("mathvariant", "normal");
    element.dataset.term = text.replace(/(\.grad|ᵀ|\.m?T)$/, "");
  }
  return element;
}

function space() {
  const element = m("mspace");
  element.setAttribute("width", "0.3em");
  return element;
}

/** One side of an equation as a row; `x ** 2` becomes a power. */
function row(text) {
  const found = text.match(ROWS);
  if (found) {
    const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)];
    return m("mrow", before ? row(before) : [], matrix(found[1]), after ? row(after) : []);
  }
  const done = [];
  const cut = tokens(text);
  const apart = [...text.matchAll(TOKEN)].map(({ index }) => text[index - 1] === " ");
  for (let i = 0; i < cut.length; i++) {
    if (cut[i][1] === "**" && done.length && i + 1 < cut.length && cut[i + 1][0] !== "mo") {
      done.push(m("msup", done.pop(), atom(...cut[++i])));
      continue;
    }
    const around = i ? [cut[i - 1], cut[i]] : [];
    const areWords = around.map(([tag]) => tag !== "mo" && tag !== "mtext");
    const isSet = i && apart[i] && ((areWords[0] && around[1][1] === "[") || (around[0][1] === "]" && areWords[1])); // y with [0] set to 5
    if (i && (areWords.every(Boolean) || isSet)) done.push(space());
    done.push(atom(...cut[i]));
    const before = cut[i - 1];
    const opens = !before || before[0] === "mtext" || (before[0] === "mo" && !")]".includes(before[1]));
    if (cut[i][1] === "-" && opens) done.at(-1).setAttribute("form", "prefix"); // the minus of a negative number
  }
  return m("mrow", ...done);
}

/** An equation's lines, after what stands on the left: `= b`, `= c` of `a = b = c`; `1`, `→ 2` of `w: 1 → 2`. */
export function cutAtSigns(text) {
  const changed = text.match(/^([^ ]+:) ([^=]+) (→ [^=]+)$/);
  return changed ? changed.slice(1) : text.split(/ (?=\+?= )/);
}

/** `a = b = c` typeset: the left side once, each `= …` on a line of its own, or on several if it is wider; or all in one line. */
export function mathml(text, inline = false, most = Infinity) {
  const math = document.createElementNS(MATH, "math");
  math.setAttribute("alttext", text);
  const [left, ...sides] = cutAtSigns(text);
  if (inline || sides.length === 0) {
    math.append(row(text));
    return math;
  }
  math.setAttribute("display", "block");
  const line = (first, side) => {
    const [, sign, rest] = side.match(/^(\+?= |→ )?(.*)$/s);
    return m("mtr", m("mtd", first), m("mtd", m("mrow", sign ? m("mo", sign.trim()) : [space(), space()], row(rest))));
  };
  const lines = sides.flatMap((side) => cutToFit(side, most));
  math.append(m("mtable", ...lines.map((side, i) => line(i ? m("mrow") : row(left), side))));
  return math;
}
