// Making elements. Names, code and labels are data: they get into the page as text nodes and attributes, never as markup.
export const SVG = "http://www.w3.org/2000/svg";

export function fill(element, children) {
  element.append(...children.flat(2).filter((child) => child != null && child !== false)); // strings become text nodes
  return element;
}

/** An HTML element: `h("button", {class: "x", onclick: f}, "text", child)`. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value != null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  return fill(element, children);
}

export function icon(path) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

/** Write a text only where it differs: an equal write would still cost a layout, and be announced again. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Bring a child into sight by scrolling its own panel, never the page. */
export function reveal(panel, child) {
  const [outer, inner] = [panel.getBoundingClientRect(), child.getBoundingClientRect()];
  if (inner.top < outer.top + 8) panel.scrollTop -= outer.top - inner.top + 40;
  else if (inner.bottom > outer.bottom - 8) panel.scrollTop += inner.bottom - outer.bottom + 40;
}

/** Of many things in a panel one can be reached with Tab; up and down go on from there. */
export function roving(panel, selector) {
  panel.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.target.matches(selector)) return;
    const all = [...panel.querySelectorAll(selector)];
    const next = all[all.indexOf(event.target) + step];
    if (next) {
      event.target.tabIndex = -1;
      next.tabIndex = 0;
      next.focus({ preventScroll: true });
      reveal(panel, next);
    }
    event.preventDefault();
    event.stopPropagation();
  });
}
