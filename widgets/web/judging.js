// What is said of an answer to a question of a lesson, word for word as lessons/judging.py says it.
const NO_NUMBER = "That is not a number. Write it as 0.5, −2 or 1/3.";
const NO_SHAPE = "That is not a shape. Write it as (3, 1); () is a tensor without dimensions.";
const OTHER_SIGN = "The sign is the other one.";
const NUMBER = /^(?:[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|[+-]?inf|nan)$/i;

/** An answer that is none of the kind. It is no try, and the message says how to write one. */
export class Unreadable extends Error {}

/** `{ right, says }`: whether an answer is right; if it is not, which mistake leads to it. */
export function judge(question, text) {
  const given = read(question.kind, text);
  const same = question.kind === "number" ? near(question.tolerance ?? 0) : (one, other) => one === other;
  if (same(given, question.answer)) return { right: true, says: "" };
  const mistake = (question.wrong ?? []).find(([wrong]) => same(given, wrong));
  const otherSign = question.kind === "number" && same(-given, question.answer);
  return { right: false, says: mistake?.[1] ?? (otherSign ? OTHER_SIGN : "") };
}

/** How numbers are compared. JSON has words for those that are not finite. */
function near(tolerance) {
  return (given, answer) => {
    const wanted = real(String(answer));
    return Object.is(given, wanted) || given === wanted || Math.abs(given - wanted) <= tolerance;
  };
}

/** An answer in the form in which it is compared. */
export function read(kind, text) {
  const plain = text.trim().replaceAll("−", "-");
  if (kind === "number") return readNumber(plain);
  if (kind === "shape") return readShape(plain);
  if (kind === "sign") return plain.replaceAll("-", "−");
  return kind === "order" ? plain.replaceAll(" ", "") : Number(plain);
}

function readNumber(text) {
  if (/^[+-]?[0-9]+,[0-9]+$/.test(text))
    throw new Unreadable(`Write a point in the number, not a comma: ${text.replace(",", ".")}.`);
  const parts = text.split("/").map((part) => part.trim());
  if (parts.length > 2 || !parts.every((part) => NUMBER.test(part))) throw new Unreadable(NO_NUMBER);
  const [top, bottom = 1] = parts.map(real);
  if (bottom === 0) throw new Unreadable(NO_NUMBER);
  return top / bottom;
}

const real = (text) => Number(text.toLowerCase().replace("inf", "Infinity")); // "nan" is none of JavaScript's: NaN

function readShape(text) {
  const [, ...inner] = /^(?:\(([^()]*)\)|\[([^\][]*)\]|([^\][()]+))$/.exec(text) ?? [null, "?"];
  const bare = (inner.find(Boolean) ?? "").replace(/^[ ,]+|[ ,]+$/g, "");
  const sizes = bare ? bare.split(/\s*[,×x]\s*|\s+/) : [];
  if (!sizes.every((size) => /^[0-9]+$/.test(size))) throw new Unreadable(NO_SHAPE);
  return sizes.map((size) => size.replace(/^0+(?=.)/, "")).join(",");
}
