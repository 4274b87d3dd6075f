// Where a stepper lives: in a notebook, as an anywidget, or in an exported page.
import { h } from "./elements.js";
import { Model, given, unpacked } from "./model.js";
import { Stepper } from "./stepper.js";
import { letGo, waitForPlaces } from "./places.js";
import { word } from "./words.js";

/** Show a stepper in an element; the function that comes back ends it. */
function render({ model, el }) {
  const stepper = new Stepper(model, el);
  return () => stepper.close();
}

/** In a notebook, a living stepper moves into the places that outputs keep for it. */
function initialize({ model }) {
  return waitForPlaces(model, (place, takeFocus) => {
    const { root } = new Stepper(model, place);
    letGo(place, root);
    if (!takeFocus) return;
    root.querySelector(".mg-next").focus({ preventScroll: true });
    requestAnimationFrame(() => root.scrollIntoView({ block: "nearest" }));
  });
}

/** The address of a page says where it is, so that a reload, or a link, opens it there. */
function keepStep(index) {
  try {
    history.replaceState(null, "", `#step=${index}`);
  } catch {
    // in a notebook's frame there is no address to keep it in
  }
}

/** Make steppers of all places in a page that is theirs: its address keeps the step, and keys go to the first of them. */
export async function mount(page) {
  const { step } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  for (const place of page.querySelectorAll(".mg-place")) {
    await mountIn(place, step);
    place.model?.on("change:index", () => keepStep(place.model.get("index")));
    if (place.model) printTheEnd(place.model);
  }
  page.querySelector(".mg-next")?.focus({ preventScroll: true });
  if (window !== parent) requestAnimationFrame(() => setTimeout(fitFrame));
}

/** Paper shows the end of a run that nobody has begun to walk through, unless it asks. */
function printTheEnd(model) {
  addEventListener("beforeprint", () => {
    if (model.get("index") || model.get("predict")) return;
    model.set("index", model.get("trace").frames.length);
    addEventListener("afterprint", () => model.set("index", 0), { once: true });
  });
}

/** A notebook's frame is no higher than what is in it; open.js hears of it. */
function fitFrame() {
  document.body.style.padding = 0;
  const height = document.querySelector("main").offsetHeight;
  if (height && height < innerHeight) parent.postMessage(height, "*");
}

/** Make a stepper of one place: a script with the trace, packed, beside the picture that it is for. */
export async function mountIn(place, step) {
  const before = [...place.childNodes];
  try {
    const traits = await unpacked(place.querySelector("script").textContent);
    const svg = place.querySelector("svg");
    if (svg) traits.views = { "": new XMLSerializer().serializeToString(svg), ...traits.views };
    if (step !== undefined) traits.index = Math.min(Math.max(Number(step) || 0, 0), traits.trace.frames.length);
    const start = { index: 0, node: "", playing: false, level: 3, answers: given([]), predict: false };
    place.model = new Model({ ...start, ...traits });
    render({ model: place.model, el: place });
  } catch (error) {
    place.replaceChildren(h("p", { class: "mg-damaged", role: "alert" }, word("page.damaged")), ...before.slice(1));
    console.warn(error);
  }
}

export default { initialize, render };
