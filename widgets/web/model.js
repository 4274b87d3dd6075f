// The traits of a widget without a kernel behind them: what an exported page keeps packed, and what its frame brings.
export class Model {
  constructor(traits) {
    this.traits = traits;
    this.listeners = {};
  }

  get(name) {
    return this.traits[name];
  }

  set(name, value) {
    if (this.traits[name] === value) return;
    this.traits[name] = value;
    for (const listener of this.listeners[`change:${name}`] ?? []) listener();
  }

  save_changes() {}

  on(name, listener) {
    (this.listeners[name] ??= new Set()).add(listener);
  }

  off(name, listener) {
    this.listeners[name]?.delete(listener);
  }
}

/** What a script element keeps as JSON, compressed, in letters. */
export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

/** What a learner has answered, if a notebook's frame shows this page: open.js reads it from an output of the cell. */
export function given(otherwise) {
  try {
    return window === parent ? otherwise : JSON.parse(window.name);
  } catch {
    return otherwise;
  }
}
