// Where a stepper lives: in a notebook, as an anywidget, or in an exported page.
import { Stepper } from "./stepper.js";
import { leave, waitForPlaces } from "./places.js";

/** Show a stepper in an element; the function that comes back ends it. */
function render({ model, el }) {
  const stepper = new Stepper(model, el);
  return () => stepper.close();
}

/** In a notebook, a living stepper moves into the places that outputs keep for it. */
function initialize({ model }) {
  return waitForPlaces(model, (place, takeFocus) => {
    const { root } = new Stepper(model, place);
    root.addEventListener("leave", () => leave(place, false));
    place.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      leave(place, true);
    }, { capture: true }); // the stepper keeps its keys to itself
    if (!takeFocus) return;
    root.querySelector(".mg-next").focus({ preventScroll: true });
    requestAnimationFrame(() => root.scrollIntoView({ block: "nearest" }));
  });
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

/** Make steppers of all places in a page: a script with the trace as JSON, beside the picture that it is for. */
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

export default { initialize, render };
