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
  const after = (look) => {
    const { x, width } = node.querySelector(look)?.getBBox() ?? { x: box.x, width: 0 };
    return x + width + AIR;
  };
  const [isBox, name, to] = [text.classList.contains("box"), node.querySelector(".name"), box.x + box.width - AIR];
  if (isBox) name.style.visibility = "";
  text.dataset.x ??= text.getAttribute("x");
  const middle = Number(text.dataset.x);
  for (const row of text.children.length ? text.children : [text]) {
    row.removeAttribute("textLength");
    row.setAttribute("x", middle);
    const length = row.getComputedTextLength();
    let from = after(isBox ? ".name" : text.classList.contains("grad") ? ".sign" : ".none");
    if (2 * Math.min(middle - from, to - middle) >= length) continue;
    if (isBox && length > to - from) {
      name.style.visibility = "hidden"; // the envelope says it, too
      from = after(".envelope");
    }
    row.setAttribute("x", (from + to) / 2);
    if (length <= to - from) continue;
    row.setAttribute("textLength", to - from);
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
    const shift = box.y <= y ? -LINE / 2 : LINE / 2;
    if (meet) [text, other].forEach((one, i) => one.setAttribute("transform", `translate(0 ${i ? -shift : shift})`));
  }
}
