// Where the answers of a learner are kept. In a notebook: in the metadata of the cell, which stays when the cell is run again,
// and as an output below the stepper, which is read where no kernel lives. In a page of its own: by the browser.
import { h } from "./elements.js";
import { cellOf, each } from "./places.js";
import { word } from "./words.js";

const KEPT = "minigrad"; // what the cell's metadata call it

/** The same run has the same name. */
function nameOfRun({ title, frames }) {
  const text = frames.map(({ ask = [], equation }) => [...ask.map(({ question }) => question), equation].join(" ")).join("\n");
  let hash = 0;
  for (const letter of text) hash = (31 * hash + letter.codePointAt(0)) | 0;
  return `minigrad answers: ${title} ${hash}`;
}

export function keepAnswers(model, trace, answers) {
  const name = nameOfRun(trace);
  try {
    if (answers.length) localStorage.setItem(name, JSON.stringify(answers));
    else localStorage.removeItem(name);
  } catch {
    // a frame that can reach nothing keeps nothing
  }
  const cell = cellOf(model);
  if (!cell) return;
  const { [name]: _, ...others } = cell.getMetadata(KEPT)?.answers ?? {};
  const all = answers.length ? { ...others, [name]: answers } : others;
  cell.setMetadata(KEPT, Object.keys(all).length ? { answers: all } : undefined);
  showBelow(cell.outputs, model.get("place"), trace, answers);
}

/** What was answered before to the questions of this run. */
export function keptAnswers(model, trace) {
  const name = nameOfRun(trace);
  const kept = cellOf(model)?.getMetadata(KEPT)?.answers?.[name];
  if (kept) return kept;
  try {
    return JSON.parse(localStorage.getItem(name)) ?? [];
  } catch {
    return [];
  }
}

/** The output below the stepper: made with the first answer, and taken away with the last. */
function showBelow(outputs, place, trace, answers) {
  const mark = `data-answers-of="${place}"`;
  const at = [...each(outputs)].findIndex(({ data }) => data["text/html"]?.includes(mark));
  if (!answers.length) return void (at < 0 || outputs.remove(at));
  const lines = [score(answers), ...answers.map((answer) => lineOf(trace, answer))];
  const [first, ...rest] = lines;
  const list = h("ol", {}, rest.map((line) => h("li", {}, line)));
  const kept = { "data-answers-of": place, "data-answers": JSON.stringify(answers) };
  const html = new XMLSerializer().serializeToString(h("div", kept, h("p", {}, first), list));
  const data = { "text/html": html, "text/plain": lines.join("\n") };
  const output = { output_type: "display_data", data, metadata: {} };
  if (at < 0) outputs.add(output);
  else outputs.set(at, output);
}

/** How many questions were answered right at the first try. */
export function score(answers) {
  const first = answers.filter((answer) => answer.try === 1);
  return word("answers.score", { right: first.filter(({ right }) => right).length, count: first.length });
}

function lineOf({ frames, nodes }, { frame, kind, given, right, diagnosis }) {
  const ofNumber = kind === "sign" ? "number" : kind;
  const question = frames[frame]?.ask?.find((one) => one.kind === ofNumber)?.question ?? word("answers.which_node");
  const said = kind === "node" ? (nodes[given.slice(1)]?.label ?? given) : given;
  return word(right ? "answers.right" : "answers.wrong", { question, given: said, diagnosis }).trim();
}
