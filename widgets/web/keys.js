// All keys of a stepper: how each is written, what it does by the name of its words, and what it does.
import { keepKeys } from "./places.js";
import { word } from "./words.js";

const KEYS = [
  ["→", "next", { ArrowRight: (stepper) => stepper.next() }],
  ["←", "previous", { ArrowLeft: (stepper) => stepper.previous() }],
  ["Home End", "ends", { Home: (stepper) => stepper.go(0), End: (stepper) => stepper.go(stepper.last) }],
  ["[ ]", "phases", { "[": (stepper) => stepper.phase(-1), "]": (stepper) => stepper.phase(1) }],
  [
    "n N",
    "iterations",
    { n: (stepper) => stepper.sameStep(1), N: (stepper) => stepper.sameStep(-1) },
  ],
  ["Space", "play", { " ": (stepper) => stepper.play(!stepper.model.get("playing")) }],
  [
    "− +",
    "level",
    { "-": (stepper) => stepper.setLevel(stepper.level - 1), "+": (stepper) => stepper.setLevel(stepper.level + 1) },
  ],
  ["Enter", "inspect", { Enter: (stepper) => stepper.inspect() }],
  ["b", "stop", { b: (stepper) => stepper.stopHere() }],
  [
    "Shift+→ Shift+←",
    "run",
    { "Shift+ArrowRight": (stepper) => stepper.run(1), "Shift+ArrowLeft": (stepper) => stepper.run(-1) },
  ],
  ["/", "find", { "/": (stepper) => stepper.search.focus() }],
  ["p", "predict", { p: (stepper) => stepper.setPredict(!stepper.model.get("predict")) }],
  ["m", "move", { m: (stepper) => stepper.nudge.toggle(stepper.nudge.element.hidden) }],
  ["w", "why", { w: (stepper) => stepper.inspected && stepper.inspector.explain(Number(stepper.inspected.slice(1))) }],
  ["Esc", "close", { Escape: (stepper) => stepper.escape() }],
  ["?", "help", { "?": (stepper) => stepper.options.help(stepper.options.panel.hidden) }],
  ["Ctrl+wheel", "zoom", {}], // which the picture hears itself
];

const ACTIONS = Object.assign({}, ...KEYS.map(([, , actions]) => actions));

/** What a reader is told: pairs of how the keys are written, and what they do. */
export const TOLD = KEYS.map(([names, what]) => [names.split(" "), word(`keys.${what}`)]);

/** Let a stepper hear its keys while the focus is in it. */
export function hearKeys(stepper) {
  const { root } = stepper;
  root.addEventListener("keydown", (event) => pressed(stepper, event));
  // A click on a bare spot would leave the focus to a notebook's cell.
  root.addEventListener("click", () => {
    if (!root.contains(document.activeElement)) stepper.narration.words.focus({ preventScroll: true });
  });
  keepKeys(root);
}

function pressed(stepper, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.stopPropagation(); // in a notebook, letters are commands: `x` would cut the cell
  const { predict, narration } = stepper;
  const typing = event.target.matches("input:not([type=range]), select");
  const answering = event.target.matches(".mg-predict input") && event.key === "p"; // no number has a p in it
  if (typing && event.key !== "Escape" && !answering) return;
  if (event.target.matches("button") && (event.key === " " || event.key === "Enter")) return; // it presses the button
  const action = (event.shiftKey && ACTIONS[`Shift+${event.key}`]) || ACTIONS[event.key];
  if (!action) return;
  event.preventDefault();
  const before = stepper.position;
  action(stepper);
  // Who came in from below, with Shift+Tab, shall read what a step did or what it asks; who reads a panel stays there.
  const asked = predict.frame !== null;
  if ((stepper.position === before && !asked) || event.target.closest(".mg-panels")) return;
  requestAnimationFrame(() => {
    if (asked) predict.element.scrollIntoView({ block: "nearest" });
    narration.element.scrollIntoView({ block: "nearest" });
  });
}
