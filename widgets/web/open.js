// The handler of a place that has come into an open page (see places.py, which puts this text into an attribute).
// A widget that lives moves in, now or when it comes to life; otherwise the page that the output brought is shown in a
// frame, which can reach nothing. Picture and words give way to either.
(async (place) => {
  const data = place.dataset;
  if ("open" in data) return;
  data.open = "";
  const dress = (scheme) => {
    for (const picture of document.querySelectorAll(".jp-RenderedSVG, .output_svg")) picture.style.colorScheme = scheme;
  };
  place.takeOver = (by) => {
    data.open = by;
    if (by === "widget") dress(""); // it brought a style sheet, which follows the theme (colours.py)
    const picture = place.closest(".jp-OutputArea-child, .output_area")?.previousElementSibling;
    const words = place.nextElementSibling;
    place.style.contentVisibility = "visible";
    for (const still of [picture, words]) if (still) still.style.display = "none";
  };
  // The paper round it is light or dark, whatever the reader's system prefers.
  const colour = (at) => getComputedStyle(at).backgroundColor;
  let paper = place;
  while (paper.parentElement && /^transparent$|, 0\)$/.test(colour(paper))) paper = paper.parentElement;
  const [red, green, blue, seen = 1] = colour(paper).match(/[\d.]+/g) ?? [];
  const isLight = !(Number(seen) && 0.3 * red + 0.6 * green + 0.1 * blue < 128);
  dress(isLight ? "light" : "dark");
  const live = globalThis.minigradPlaces?.get(data.place);
  if (live) live(place);
  else if (data.page) {
    const bytes = Uint8Array.from(atob(data.page), (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const frame = document.createElement("iframe");
    // Forms, because an answer is submitted, if only to the page's own script: its policy lets no form go elsewhere.
    frame.sandbox = "allow-scripts allow-forms";
    frame.title = data.title;
    const most = place.closest(".jp-WindowedPanel-outer")?.clientHeight || innerHeight;
    frame.style.cssText = `width:100%;height:${Math.min(data.height, Math.max(480, most))}px;border:0`;
    const page = await new Response(unpacked).text();
    frame.srcdoc = page.replace("<html", `<html data-jp-theme-light="${isLight}"`);
    // What a learner has answered is another output of the cell.
    frame.name = document.querySelector(`[data-answers-of="${data.place}"]`)?.dataset.answers ?? "";
    window.addEventListener("message", (event) => {
      if (event.source === frame.contentWindow) frame.style.height = `${Number(event.data)}px`;
    });
    // Did it come to life while this was unpacked?
    if (data.open) return;
    place.replaceChildren(frame);
    place.takeOver("page");
  }
})(this);
