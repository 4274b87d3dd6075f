// `[[1, 0], [0, 1]]` in a text, set as a matrix of two rows; and `∂a/∂b`, which is not torn apart at the end of a line.
import { h } from "./elements.js";

export const ROWS = /\[(\[[^[\]]*\](?:, \[[^[\]]*\])*)\]/;

/** The numbers of a matrix, from what `ROWS` has found: a list for each row. */
export function rowsOf(text) {
  return text.slice(1, -1).split("], [").map((row) => row.split(", "));
}

/** A text with its matrices set in rows. Who copies it, or hears it, gets what was written. */
export function setOf(text) {
  const pieces = [];
  let rest = text;
  for (let found; (found = rest.match(ROWS)); rest = rest.slice(found.index + found[0].length))
    pieces.push(derivativesOf(rest.slice(0, found.index)), matrixOf(rowsOf(found[1])));
  return h("span", {}, pieces, derivativesOf(rest));
}

/** A text whose derivatives stay on one line, as far as they fit on one. */
function derivativesOf(text) {
  const cut = text.split(/(∂[^\s/]+\/∂[^\s,;:)]*[^\s,;:.)])/); // what stands between two pieces of text is a derivative
  return cut.map((piece, i) => (i % 2 ? h("span", { class: "mg-quotient" }, piece) : piece));
}

/** Write a text so, where it differs. */
export function writeSet(element, text) {
  if (element.textContent !== text) element.replaceChildren(setOf(text));
}

function matrixOf(rows) {
  const unseen = (text) => h("span", { class: "mg-unseen" }, text);
  const row = (cells, i) => [unseen(i ? "], [" : "[["), cells.map((cell, j) => [j ? unseen(", ") : [], h("b", {}, cell)])];
  const matrix = h("span", { class: "mg-matrix" });
  matrix.style.gridTemplateColumns = `repeat(${rows[0].length}, auto)`;
  matrix.append(...rows.flatMap(row).flat(2), unseen("]]"));
  return matrix;
}
