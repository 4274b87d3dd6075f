// The handler of a place that has come into an open page (see places.py, which puts this text into an attribute).
// A widget that lives moves in; otherwise the page that the output brought is shown in a frame, which can reach nothing.
(async (place) => {
  const data = place.dataset;
  if ("open" in data) return;
  data.open = "";
  const live = globalThis.minigradPlaces?.get(data.place);
  if (!live && !data.page) return;
  const output = place.closest(".jp-OutputArea-child, .output_area")?.previousElementSibling;
  place.style.contentVisibility = "visible";
  if (place.nextElementSibling) place.nextElementSibling.style.display = "none";
  if (live) live(place);
  else {
    const bytes = Uint8Array.from(atob(data.page), (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    frame.title = data.title;
    frame.style.cssText = `width:100%;height:${data.height}px;border:0`;
    frame.srcdoc = await new Response(unpacked).text();
    place.replaceChildren(frame);
  }
  if (output) output.style.display = "none";
})(this);
