// What a person reads: the entries of widgets/words/english.toml, or of another language, which `web.joined` writes into
// the constant SAID before this.

/** What stands under a key, with these in its places; of two forms the one that its place `count` wants. */
export function word(key, places = {}) {
  const entry = SAID[key];
  const template = entry.many ? entry[places.count === 1 ? "one" : "many"] : entry;
  return template.replace(/\{(\w+)\}/g, (_, name) => places[name]);
}
