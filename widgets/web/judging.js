// What is said of an answer to a question of a lesson, word for word as lessons/judging.py says it.
import { word } from "./words.js";
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
  return { right: false, says: mistake?.[1] ?? (otherSign ? word("judging.other_sign") : "") };
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
    throw new Unreadable(word("judging.a_comma", { number: text.replace(",", ".") }));
  const parts = text.split("/").map((part) => part.trim());
  if (parts.length > 2 || !parts.every((part) => NUMBER.test(part))) throw new Unreadable(word("judging.no_number"));
  const [top, bottom = 1] = parts.map(real);
  if (bottom === 0) throw new Unreadable(word("judging.no_number"));
  return top / bottom;
}

const real = (text) => Number(text.toLowerCase().replace("inf", "Infinity")); // "nan" is none of JavaScript's: NaN

function readShape(text) {
  const [, ...inner] = /^(?:\(([^()]*)\)|\[([^\][]*)\]|([^\][()]+))$/.exec(text) ?? [null, "?"];
  const bare = (inner.find(Boolean) ?? "").replace(/^[ ,]+|[ ,]+$/g, "");
  const sizes = bare ? bare.split(/\s*[,×x]\s*|\s+/) : [];
  if (!sizes.every((size) => /^[0-9]+$/.test(size))) throw new Unreadable(word("judging.no_shape"));
  return sizes.map((size) => size.replace(/^0+(?=.)/, "")).join(",");
}
