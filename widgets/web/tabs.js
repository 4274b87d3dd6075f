// Panels of which one is shown.
import { h } from "./elements.js";
import { word } from "./words.js";

export class Tabs {
  /** `panels`: [name, element] each; `opened` hears of each change. */
  constructor(panels, opened) {
    this.opened = opened;
    const uid = Math.random().toString(36).slice(2); // several steppers may be on one page
    this.panels = panels.map(([, element]) => element);
    this.tabs = panels.map(([name, element], i) => {
      element.id = `mg-${uid}-${i}`;
      const names = { id: `mg-${uid}-tab-${i}`, "aria-controls": element.id };
      const tab = h("button", { type: "button", role: "tab", ...names, onclick: () => this.open(i) }, name);
      element.setAttribute("role", "tabpanel");
      element.setAttribute("aria-labelledby", tab.id);
      return tab;
    });
    const look = { class: "mg-tabs", role: "tablist", "aria-label": word("panels.title") };
    const row = h("div", { ...look, onkeydown: (event) => this.key(event) }, this.tabs);
    this.element = h("section", { class: "mg-tabbed" }, row, this.panels);
  }

  open(number) {
    this.number = number;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", i === number);
      tab.tabIndex = i === number ? 0 : -1;
      this.panels[i].hidden = i !== number;
    });
    this.opened();
  }

  key(event) {
    const shown = this.tabs.filter((tab) => !tab.hidden);
    const step = { ArrowRight: 1, ArrowLeft: shown.length - 1 }[event.key];
    if (!step) return;
    const next = shown[(shown.indexOf(this.tabs[this.number]) + step) % shown.length];
    this.open(this.tabs.indexOf(next));
    this.tabs[this.number].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
