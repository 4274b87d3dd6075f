// A text of the picture: its lines, and the room that it finds where its number was moved.
import { SVG, write } from "./elements.js";

const AIR = 4; // pixels between a text and the edge of its box
const LINE = 18; // pixels from one line of a text to the next, as in layout.py

/** Write the lines of a text in the picture; beside an arrow, its middle stays where it is. */
export function writeLines(text, lines) {
  if (lines.length === 1) return write(text, lines[0]);
  const first = text.classList.contains("part") ? ((1 - lines.length) * LINE) / 2 : 0;
  const rows = lines.map((line, i) => {
    const row = document.createElementNS(SVG, "tspan");
    row.setAttribute("x", text.getAttribute("x"));
    row.setAttribute("dy", i ? LINE : first);
    row.textContent = line;
    return row;
  });
  text.replaceChildren(...rows);
}

/** A number that was moved may be longer than any that was recorded: it takes all the room that its row has, and no more. */
export function squeeze(text) {
  const node = text.closest(".mg-node");
  if (!node) return;
  const box = node.querySelector(".shape").getBBox();
  const beside = (look) => node.querySelector(look)?.getBBox() ?? { x: box.x, width: 0 };
  const isBox = text.classList.contains("box");
  const name = node.querySelector(".name");
  if (isBox) name.style.visibility = "";
  text.dataset.x ??= text.getAttribute("x");
  for (const row of text.children.length ? text.children : [text]) {
    row.removeAttribute("textLength");
    row.setAttribute("x", text.dataset.x);
    const to = box.x + box.width - AIR;
    const from = ({ x, width }) => x + width + AIR;
    const length = row.getComputedTextLength();
    const begins = ({ x }) => Number(x) - length / 2;
    let first = from(beside(isBox ? ".name" : text.classList.contains("grad") ? ".sign" : ".none"));
    if (begins(text.dataset) >= first && begins(text.dataset) + length <= to) continue;
    if (isBox && length > to - first) {
      name.style.visibility = "hidden"; // the envelope says it, too
      first = from(beside(".envelope"));
    }
    row.setAttribute("x", (first + to) / 2);
    if (length <= to - first) continue;
    row.setAttribute("textLength", to - first);
    row.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
}

/** Beside two arrows from one box to another there may be too little room for longer numbers: one goes up, the other down. */
export function apart(text, isMoved) {
  text.removeAttribute("transform");
  if (!isMoved) return;
  const box = text.getBBox();
  for (const other of text.ownerSVGElement.querySelectorAll(".has-part .part")) {
    if (other === text || !other.textContent) continue;
    const { x, y, width, height } = other.getBBox();
    const meet = x < box.x + box.width && box.x < x + width && y < box.y + box.height && box.y < y + height;
    if (!meet) continue;
    const upper = text.getBBox().y <= y ? text : other;
    for (const one of [text, other]) one.setAttribute("transform", `translate(0 ${one === upper ? -LINE / 2 : LINE / 2})`);
  }
}
