// What a notebook's output keeps a place for, while there is a kernel.
//
// The output is HTML that needs no kernel (`places.py`), so that a saved notebook shows the same wherever it is opened. A
// widget that lives waits here, under its name, for the places that are kept for it: those in the page, and those that come.

/** The table of those who wait is the page's: each widget brings a module of its own. */
const waiting = (globalThis.minigradPlaces ??= new Map());

/** Let a widget move into each place of its name; `moveIn` gets the place, and whether it shall take the focus. */
export function waitForPlaces(model, moveIn) {
  const name = model.get("place");
  const enter = (place) => {
    const first = model.get("unseen");
    if (first) {
      model.set("unseen", false);
      model.save_changes();
    }
    const focus = first && runByHand(place);
    place.takeOver("widget");
    moveIn(place, focus);
  };
  waiting.set(name, enter);
  model.on("msg:custom", ({ kept }) => kept && keep(model, kept));
  for (const place of document.querySelectorAll(`[data-place="${name}"][data-open]`)) enter(place);
  return () => waiting.delete(name);
}

/** The cell that has the place of a widget among its outputs, if a notebook of JupyterLab or Notebook 7 shows it. */
export function cellOf(model) {
  const cells = model.widget_manager?.context?.model?.cells ?? [];
  return [...cells].find(({ outputs }) => outputs && [...each(outputs)].some((output) => keepsPlace(output, model)));
}

export function* each(outputs) {
  for (let i = 0; i < outputs.length; i++) yield outputs.get(i);
}

const keepsPlace = ({ data }, model) => [data["text/html"] ?? ""].flat().join("").includes(`data-place="${model.get("place")}"`);

/** Show other data in the output above a place. After a reload, no page knows the name any more by which kernels call it. */
function keep(model, data) {
  const { outputs } = cellOf(model) ?? {};
  if (!outputs) return;
  const above = [...each(outputs)].findIndex((output) => keepsPlace(output, model)) - 1;
  const output = outputs.get(above).toJSON();
  if (JSON.stringify(output.data) !== JSON.stringify(data)) outputs.set(above, { ...output, data });
}

/** Whether the learner has just run the cell of this place and looks on: they are in it, or in the next one, and do not type. */
function runByHand(place) {
  const cell = place.closest(".jp-Cell");
  const active = document.querySelector(".jp-Notebook:not(.p-mod-hidden, .lm-mod-hidden) .jp-Cell.jp-mod-active");
  if (!cell || (active !== cell && active?.previousElementSibling !== cell)) return false;
  const at = document.activeElement;
  const typing = at.closest("input, textarea, [contenteditable=true]");
  const blank = typing?.closest(".jp-Cell") === active && !typing.textContent.trim();
  return at === document.body || (at.closest(".jp-Notebook") !== null && (!typing || blank));
}

/** The ways out of a place: Esc, which the widget says by the event `leave`, to its cell; Shift+Enter to the one below. */
export function letGo(place, root) {
  root.addEventListener("leave", () => leave(place, false));
  place.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    leave(place, true);
  }, { capture: true }); // the widget keeps its keys to itself
}

/** From inside a place to its cell; or to the one below, as Shift+Enter does. */
function leave(place, below) {
  const cell = place.closest(".jp-Cell");
  const next = (below && cell?.nextElementSibling) || cell;
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

/** JupyterLab shall leave the keys to a widget, but for those with Ctrl or ⌘: Ctrl+S saves. Notebook 7 asks the focused element. */
export function keepKeys(root) {
  const leaveKeys = ({ ctrlKey, metaKey, target }) => {
    for (const element of [root, target])
      element?.toggleAttribute("data-lm-suppress-shortcuts", !ctrlKey && !metaKey);
  };
  for (const name of ["keydown", "keyup", "focusin"]) root.addEventListener(name, leaveKeys);
  leaveKeys({});
}
