// A question of a lesson: a field, a verdict, hints, and the answer last. In a notebook as an anywidget, or in a page.
//
// It judges by itself, so that no kernel is asked. What a lesson's author wrote gets into the page as text, never as markup.
import { h, write } from "./elements.js";
import { Model, given, unpacked } from "./model.js";
import { keepKeys, letGo, waitForPlaces } from "./places.js";
import { Unreadable, judge } from "./judging.js";
import { fieldFor, phrased } from "./fields.js";
import { word } from "./words.js";

class Ask {
  constructor(model, el, question) {
    this.model = model;
    this.question = question;
    this.field = fieldFor(question);
    this.hint = h("button", { type: "button", onclick: () => this.giveHint() });
    this.give = h("button", { type: "button", onclick: () => this.set({ outcome: "shown" }) }, word("ask.show"));
    this.verdict = h("p", { class: "mg-ask-verdict", role: "status", tabindex: -1 });
    this.hints = h("ol", { class: "mg-ask-hints", "aria-label": word("ask.hints"), "aria-live": "polite" });
    const check = h("button", { class: "mg-primary" }, word("ask.check"));
    this.actions = h("div", { class: "mg-ask-actions" }, check, this.hint, this.give);
    this.form = h("form", { onsubmit: (event) => this.submitted(event) }, this.field.element, this.actions);
    const prompt = h("p", { class: "mg-ask-prompt" }, phrased(question.prompt));
    const name = word("ask.question", { prompt: prompt.textContent });
    this.root = h("div", { class: "mg-asked", role: "group", "aria-label": name }, prompt, this.form, this.verdict, this.hints);
    keepKeys(this.root);
    this.root.addEventListener("keydown", (event) => this.pressed(event));
    el.replaceChildren(this.root);
    this.listener = () => this.follow();
    for (const name of STATE) model.on(`change:${name}`, this.listener);
    this.follow();
  }

  /** Show what was answered, here or in another place; what is being typed stays while a hint is asked for. */
  follow() {
    if (this.last && this.last !== this.followed) this.field.given = this.last.given;
    this.followed = this.last;
    this.show();
  }

  close() {
    for (const name of STATE) this.model.off(`change:${name}`, this.listener);
  }

  get tries() {
    return this.model.get("tries");
  }

  /** The try that the verdict is about: the last one, unless an earlier one was right. */
  get last() {
    return this.tries.find(({ right }) => right) ?? this.tries.at(-1);
  }

  set(traits) {
    const inside = this.root.contains(document.activeElement);
    for (const [name, value] of Object.entries(traits)) this.model.set(name, value);
    this.model.save_changes();
    this.show();
    if (inside) this.focus();
  }

  /** To the field; to the verdict, once the question is over. */
  focus() {
    if (this.model.get("outcome")) this.verdict.focus({ preventScroll: true });
    else this.field.focus();
    this.root.scrollIntoView({ block: "nearest" });
  }

  /** In a notebook letters are commands: `x` would cut the cell. */
  pressed(event) {
    if (event.ctrlKey || event.metaKey) return;
    event.stopPropagation();
    if (event.key === "Escape") this.root.dispatchEvent(new Event("leave"));
  }

  submitted(event) {
    event.preventDefault();
    const { given } = this.field;
    if (this.model.get("outcome")) return;
    if (!given) return this.refuse(this.field.missing);
    if (given === this.tries.at(-1)?.given) return this.set({}); // pressed twice, tried once
    try {
      const { right, says } = judge(this.question, given);
      // The outcome first: each change is shown, and what is right shall not be called wrong in between.
      this.set({ outcome: right ? "right" : "", tries: [...this.tries, { given, right, says }] });
    } catch (problem) {
      if (!(problem instanceof Unreadable)) throw problem;
      this.refuse(problem.message);
    }
  }

  refuse(words) {
    this.say("refused", "", words);
    this.field.focus();
  }

  giveHint() {
    this.set({ hints: this.model.get("hints") + 1 });
  }

  // -- how it looks --------------------------------------------------------------------------------------------

  show() {
    const { hints = [], kind, answer, shown, because = "" } = this.question;
    const { last } = this;
    const [seen, outcome] = [this.model.get("hints"), this.model.get("outcome")];
    this.actions.hidden = outcome !== "";
    this.hint.hidden = seen >= hints.length;
    this.give.hidden = seen < hints.length || (!hints.length && !last);
    write(this.hint, word("ask.hint", { number: seen + 1, all: hints.length }));
    for (const hint of hints.slice(this.hints.children.length, seen)) this.hints.append(h("li", {}, phrased(hint)));
    if (outcome === "shown") {
      this.field.given = kind === "number" || kind === "shape" ? shown : String(answer);
      this.say("shown", word("ask.shown"), `${shown}. ${because}`);
    } else if (outcome === "right") this.say("right", word("ask.right"), because);
    else if (last) this.say("wrong", word("ask.wrong"), last.says);
    else this.say("", "", "");
    if (outcome) this.field.end();
  }

  say(look, first, words) {
    const parts = [first && h("b", {}, phrased(first)), first && words && " ", ...phrased(words)];
    const unchanged = h("p", {}, parts).textContent === this.verdict.textContent;
    this.verdict.className = `mg-ask-verdict mg-ask-${look}`;
    if (!unchanged) this.verdict.replaceChildren(...parts); // an equal text would be announced again
  }
}

const STATE = ["tries", "hints", "outcome"];

// -- where it lives ----------------------------------------------------------------------------------------------

/** Show a question in an element; the function that comes back ends it. */
async function render({ model, el }) {
  const ask = new Ask(model, el, await unpacked(model.get("question")));
  return () => ask.close();
}

/** In a notebook, a living question moves into the places that outputs keep for it. */
function initialize({ model }) {
  return waitForPlaces(model, async (place, takeFocus) => {
    const ask = new Ask(model, place, await unpacked(model.get("question")));
    letGo(place, ask.root);
    if (takeFocus) ask.focus();
  });
}

/** Make questions of all places in a page: an element with the question, packed, and what is read where no script runs. */
export async function mountAsks(page) {
  for (const place of page.querySelectorAll(".mg-ask")) {
    try {
      const { question, ...entry } = await unpacked(place.querySelector("script").textContent);
      const model = new Model({ tries: [], hints: 0, outcome: "", ...entry, ...given({}), ...remembered(question) });
      new Ask(model, place, question);
      Object.assign(place, { model, question: question.name });
      for (const name of STATE) model.on(`change:${name}`, () => remember(question, model));
    } catch (error) {
      place.querySelector("p").append(" ", word("ask.damaged"));
      console.warn(error);
    }
  }
  if (window !== parent) new ResizeObserver(tellHeight).observe(page.documentElement);
}

/** A notebook's frame is as high as the question in it; open.js hears of it. */
function tellHeight() {
  parent.postMessage(document.documentElement.offsetHeight, "*");
}

const SHELF = "minigrad"; // of the browser's storage; it has the form of the progress file (lessons/progress.py)

/** What was answered in all lessons, as far as this browser knows. */
export function lessons() {
  try {
    return JSON.parse(localStorage.getItem(SHELF))?.lessons ?? {};
  } catch {
    return {}; // a page that can reach nothing, or something else that stands there
  }
}

const remembered = ({ lesson, name, seed }) => lessons()[lesson]?.[name]?.[seed] ?? {};

function remember({ lesson, name, seed }, model) {
  const all = lessons();
  const seeds = ((all[lesson] ??= {})[name] ??= {});
  seeds[seed] = Object.fromEntries(STATE.map((one) => [one, model.get(one)]));
  store(all);
}

/** Keep what was answered in all lessons. */
export function store(all) {
  try {
    localStorage.setItem(SHELF, JSON.stringify({ version: 1, lessons: all }));
  } catch {
    // a frame that can reach nothing keeps nothing
  }
}

export default { initialize, render };
