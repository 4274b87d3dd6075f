// A widget of ipywidgets' own, such as a plot with sliders, in the place that its output keeps for it.
import { waitForPlaces } from "./places.js";

async function show(model, place) {
  const inside = await model.widget_manager.get_model(model.get("inside").replace("IPY_MODEL_", ""));
  const view = await model.widget_manager.create_view(inside);
  place.replaceChildren(view.el);
  view.luminoWidget.processMessage({ type: "after-attach" }); // only what is told so takes on its style and layout
}

export default {
  initialize: ({ model }) => waitForPlaces(model, (place) => show(model, place)),
  render: ({ model, el }) => show(model, el),
};
