// What is asked of a run, and what is said of an answer. It shows nothing.
import { data, parse } from "./run.js";
import { word } from "./words.js";

export const SIGNS = { "+": 1, 0: 0, "−": -1 };

/** The number that is asked for: one element of a value; null if the trace does not hold it. */
export const asked = ({ answer, element = 0 }, values) => data(values[answer])?.[element] ?? null;

const onlyTheSign = ({ question }) => `${question} ${word("verdicts.only_the_sign")}`;

// "chosen" questions are those of `asks`, pairs of a frame and a kind; who wants more is asked for each "number", for its
// "sign" alone, or for the "node" that comes next.
/** The questions that are put, in the order of the positions `at` which they are put. */
export function questionsOf({ frames, values, misconceptions }, asks, how = "chosen") {
  const isFinite = (one) => one.answer === undefined || Number.isFinite(asked(one, values));
  const said = ([given, number]) => [given, misconceptions[number] ?? ""];
  const told = frames.flatMap(({ ask = [] }, frame) =>
    ask.map((one) => ({
      ...one,
      ...{ wrong: one.wrong?.map(said), options: one.options?.map(said) }, // with the sentences
      ...{ frame, at: one.before ?? frame },
    })),
  );
  const all = told.filter(isFinite);
  const numbers = all.filter(({ kind }) => kind === "number");
  const named = new Set(asks.map(([frame, kind]) => `${frame} ${kind}`));
  const found = {
    chosen: () => all.filter(({ frame, kind }) => named.has(`${frame} ${kind}`)),
    number: () => numbers,
    sign: () => numbers.map((one) => ({ ...one, kind: "sign", question: onlyTheSign(one) })),
    node: () => numbers.map(({ frame, at }) => ({ frame, at, kind: "node", question: word("answers.node") })),
  }[how]();
  return found.toSorted((one, other) => one.at - other.at);
}

/** Whether two numbers agree to about the digits that are shown. */
const close = (a, b) => Object.is(a, b) || Math.abs(a - b) <= Math.max(0.01 * Math.abs(b), 1e-6);

/** Grade an answer: `{right, diagnosis}`. A wrong one is compared with known misconceptions; else it is told how it is wrong. */
export function grade(question, given, values) {
  if (question.kind === "rule") {
    const sentence = question.options.find(([formula]) => formula === given)[1];
    return { right: !sentence, diagnosis: sentence };
  }
  const answer = asked(question, values);
  if (question.kind === "sign") {
    const right = SIGNS[given] === Math.sign(answer);
    return { right, diagnosis: right ? "" : word("verdicts.wrong_sign") };
  }
  const x = parse(given);
  const known = (question.wrong ?? []).map(([value, sentence]) => ({ value: data(values[value])?.[0], sentence }));
  const nearest = known
    .filter(({ value }) => close(x, value))
    .sort((a, b) => Math.abs(x - a.value) - Math.abs(x - b.value))[0];
  if (close(x, answer) && !(nearest && Math.abs(x - nearest.value) < Math.abs(x - answer)))
    return { right: true, diagnosis: "" };
  return { right: false, diagnosis: nearest ? nearest.sentence : inWords(x, answer, question.kind) };
}

/** How a number differs from the right one, without telling that. */
function inWords(x, answer, kind) {
  if (kind === "paths") return word(x < answer ? "verdicts.more_paths" : "verdicts.fewer_paths");
  if (close(-x, answer)) return word("verdicts.other_sign");
  if (answer !== 0 && Math.sign(x) !== Math.sign(answer)) return word("verdicts.sign");
  return word(Math.abs(x) > Math.abs(answer) ? "verdicts.smaller" : "verdicts.larger");
}

/** Grade a guess at the node that comes next; a wrong one is told what that node still waits for. */
export function gradeNode(trace, state, frame, given) {
  const { nodes, edges = [] } = trace;
  if (given === frame.node) return { right: true, diagnosis: "" };
  const name = (i) => nodes[i]?.name ?? nodes[i]?.label ?? "?";
  const { kind } = nodes[given] ?? {};
  const wrong = (key, sender) => ({ right: false, diagnosis: word(`verdicts.${key}`, { name: name(given), sender }) });
  if (kind === "constant" || kind === "input") return wrong(`is_${kind}`);
  if (frame.kind === "made") {
    const missing = edges.find((edge) => edge.to === given && state[`n${edge.from}`].value === undefined);
    if (state[`n${given}`].value !== undefined) return wrong("has_value");
    if (missing) return wrong("needs", name(missing.from));
  } else {
    if (state[`n${given}`].done) return wrong("is_done");
    const rest = trace.frames.slice(trace.frames.indexOf(frame));
    const end = rest.findIndex((one, i) => i && one.kind === "seeded" && rest[i - 1].kind !== "seeded");
    const coming = rest.slice(0, end < 0 ? rest.length : end).filter((one) => one.kind === "sent");
    const owing = coming.find((one) => edges[one.edge].from === given);
    if (owing) return wrong("waits", name(edges[owing.edge].to));
    if (state[`n${given}`].grad === undefined) return wrong("no_gradient");
  }
  return wrong("youngest");
}
