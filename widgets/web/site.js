// A page of the course (site.py): what was answered, what waits for an answer, the search, the colours.
import { h, write } from "./elements.js";
import { unpacked } from "./model.js";
import { lessons, mountAsks, store } from "./ask.js";
import { word } from "./words.js";

const page = document.body;

// -- what was answered -------------------------------------------------------------------------------------------

const rightAtFirst = ({ outcome, hints, tries }) => outcome === "right" && hints === 0 && tries[0]?.right;

/** Of a lesson's questions, as an element's data name them: how many are over, how many were right at the first try. */
function counted({ dataset }) {
  const known = lessons()[dataset.lesson];
  const questions = JSON.parse(dataset.questions);
  const over = questions.map((name) => known?.[name]?.[0]).filter((entry) => entry?.outcome);
  return { opened: known !== undefined, all: questions.length, over: over.length, first: over.filter(rightAtFirst).length };
}

const told = ({ all, over, first }) => word("site.told", { all, over, first });

/** On the course's map, each lesson says how far one is. */
function showProgress() {
  const sum = { opened: 0, all: 0, over: 0, first: 0 };
  const rows = [...document.querySelectorAll(".map > li")];
  for (const row of rows) {
    const counts = counted(row);
    for (const name of Object.keys(sum)) sum[name] += Number(counts[name]);
    row.querySelector(".so-far")?.remove();
    const opened = word(counts.opened ? "site.opened" : "site.not_opened");
    const words = counts.opened && counts.all ? `${opened} ${told(counts)}` : opened;
    const bar = counts.all > 0 && h("progress", { max: counts.all, value: counts.over, "aria-hidden": "true" });
    row.append(h("p", { class: "so-far" }, bar, words));
  }
  const [words] = document.querySelectorAll(".progress > p");
  if (words) write(words, `${word("site.lessons", { opened: sum.opened, all: rows.length })} ${sum.all ? told(sum) : ""}`);
}

function forget() {
  if (!confirm(word("site.forget"))) return;
  store({});
  showProgress();
}

// -- what waits for an answer ------------------------------------------------------------------------------------

/** Show what waited for questions that are over, and count them. */
function showWaited() {
  const known = lessons()[page.dataset.lesson] ?? {};
  const over = ({ after }) => asked.get(after)?.get("outcome") || known[after]?.[0]?.outcome;
  for (const part of document.querySelectorAll(".after")) part.classList.toggle("open", Boolean(over(part.dataset)));
  for (const words of document.querySelectorAll(".summary")) write(words, told(counted(page)));
}

/** "Show me": the question counts as over, its answer shown. A question in code has no field here. */
function waive(part) {
  const name = part.dataset.after;
  if (asked.has(name)) asked.get(name).set("outcome", "shown");
  else {
    const all = lessons();
    (all[page.dataset.lesson] ??= {})[name] = { 0: { tries: [], hints: 0, outcome: "shown" } };
    store(all);
    showWaited();
    part.classList.add("open"); // where nothing can be kept
  }
  part.querySelector(".waited").focus({ preventScroll: true });
}

/** The questions of this page, by name. */
const asked = new Map();

async function openLesson() {
  const all = lessons();
  all[page.dataset.lesson] ??= {};
  store(all);
  await mountAsks(document);
  for (const { model, question } of document.querySelectorAll(".mg-ask")) {
    if (!model) continue;
    asked.set(question, model);
    for (const trait of ["tries", "hints", "outcome"]) model.on(`change:${trait}`, showWaited);
  }
  for (const part of document.querySelectorAll(".after"))
    part.querySelector("button").addEventListener("click", () => waive(part));
  showWaited();
}

// -- search ------------------------------------------------------------------------------------------------------

const MOST = 12; // results
const AROUND = 60; // letters of the text before a word that was found
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

class Search {
  constructor(field, list, status) {
    Object.assign(this, { field, list, status, at: -1 });
    field.addEventListener("input", () => this.look());
    field.addEventListener("focus", () => this.look());
    field.addEventListener("keydown", (event) => this.pressed(event));
    field.addEventListener("blur", () => this.close());
    list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
    list.addEventListener("click", (event) => this.go(event.target.closest("li")));
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest?.("input, select, textarea")) return;
      event.preventDefault();
      field.focus();
    });
  }

  /** What there is to find; unpacked once. */
  async read() {
    const all = await unpacked(document.querySelector("#sections script").textContent);
    return all.map((section) => ({ section, where: section.map(plain) }));
  }

  async look() {
    this.sections ??= this.read();
    const sections = await this.sections;
    const words = plain(this.field.value).split(/\s+/).filter(Boolean);
    if (!words.length) return this.close();
    const found = sections
      .map(({ section, where }) => ({ section, rank: ranked(where, words) }))
      .filter(({ rank }) => rank > 0)
      .sort((one, other) => other.rank - one.rank); // stable: in the order of the course
    this.list.replaceChildren(...found.slice(0, MOST).map(({ section }, i) => result(section, words, i)));
    write(this.status, found.length ? word("site.found", { number: found.length }) : word("site.nothing"));
    if (!found.length) this.list.append(h("li", { class: "nothing", role: "option", "aria-disabled": "true" }, word("site.nothing")));
    this.list.hidden = false;
    this.field.setAttribute("aria-expanded", "true");
    this.choose(-1);
  }

  pressed(event) {
    const last = this.list.querySelectorAll("[data-to]").length - 1;
    if (event.key === "Escape") {
      if (!this.list.hidden) event.preventDefault();
      this.close();
    } else if (event.key === "ArrowDown") this.choose(this.at < last ? this.at + 1 : 0);
    else if (event.key === "ArrowUp") this.choose(this.at > 0 ? this.at - 1 : last);
    else if (event.key === "Enter") this.go(this.list.children[Math.max(this.at, 0)]);
    else return;
    event.preventDefault();
  }

  choose(at) {
    this.at = at;
    [...this.list.children].forEach((row, i) => row.setAttribute("aria-selected", String(i === at)));
    const row = this.list.children[at];
    if (row?.id) this.field.setAttribute("aria-activedescendant", row.id);
    else this.field.removeAttribute("aria-activedescendant");
    row?.scrollIntoView({ block: "nearest" });
  }

  go(row) {
    if (!row?.dataset.to || this.list.hidden) return;
    this.close();
    location.href = row.dataset.to;
  }

  close() {
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.field.removeAttribute("aria-activedescendant");
  }
}

/** How well a section fits: every word must be in it; in a heading counts more than in the text. */
function ranked([, , title, heading, text], words) {
  let rank = 0;
  for (const part of words) {
    const here = 8 * heading.includes(part) + 4 * title.includes(part) + text.includes(part);
    if (!here) return 0;
    rank += here;
  }
  return rank;
}

/** A line of results: the heading, the lesson, and the text around the first word. */
function result([file, anchor, title, heading, text], words, number) {
  const start = Math.max(0, ...words.map((one) => plain(text).indexOf(one) - AROUND));
  const part = `${start ? "…" : ""}${text.slice(start, start + 3 * AROUND)}${text.length > start + 3 * AROUND ? "…" : ""}`;
  const to = `${encodeURIComponent(file)}#${encodeURIComponent(anchor)}`;
  const where = heading === title ? "" : h("span", { class: "of" }, title);
  return h("li", { role: "option", id: `found-${number}`, "data-to": to }, h("b", {}, heading), where, h("span", {}, marked(part, words)));
}

/** A text with the words that were looked for marked. */
function marked(text, words) {
  const pattern = new RegExp(`(${words.map((one) => one.replace(/[^\p{L}\p{N}]/gu, "\\$&")).join("|")})`, "iu");
  return text.split(pattern).map((part, i) => (i % 2 ? h("mark", {}, part) : part));
}

// -- colours, and what is too wide -------------------------------------------------------------------------------

const THEME = "minigrad colours";

function chooseColours(theme) {
  const { dataset } = document.documentElement;
  if (theme) dataset.jpThemeLight = String(theme === "light");
  else delete dataset.jpThemeLight;
  try {
    localStorage.setItem(THEME, theme);
  } catch {
    // then it holds for this page
  }
}

/** What scrolls to the side can be reached by keyboard, and only that. */
function reachWide() {
  for (const wide of document.querySelectorAll("main :is(pre, .wide, .formula)"))
    if (!wide.closest(".mg-stepper")) wide.tabIndex = wide.scrollWidth > wide.clientWidth ? 0 : -1;
}

// -- start -------------------------------------------------------------------------------------------------------

const choice = document.querySelector(".tools select");
const now = document.documentElement.dataset.jpThemeLight;
choice.value = now === undefined ? "" : now === "true" ? "light" : "dark";
choice.addEventListener("change", () => chooseColours(choice.value));
new Search(...document.querySelectorAll(".tools input, #found, .tools [role=status]"));
document.querySelector(".progress button")?.addEventListener("click", forget);
new ResizeObserver(reachWide).observe(page);
if (page.dataset.lesson) openLesson();
else showProgress();
addEventListener("storage", page.dataset.lesson ? showWaited : showProgress); // another page is open
addEventListener("pageshow", ({ persisted }) => persisted && !page.dataset.lesson && showProgress()); // back from a lesson
