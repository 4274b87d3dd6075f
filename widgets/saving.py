"""What a saved or exported notebook keeps of a widget: a form that needs no kernel.

A widget lives as long as its kernel. A notebook that was saved with it would show "model not found" when it is opened
again, and its export would ask the network for help. So where an output can be seen in another way (a stepper as its
page, a plot as its picture), the widget is left out of the file; in the open notebook it stays.

Jupyter's server and nbconvert load this module: their settings, in jupyter/ beside it, are installed with the package.
"""

from typing import Any

WIDGET = "application/vnd.jupyter.widget-view+json"
SEEN = {"text/html", "image/svg+xml", "image/png"}


def without_widgets(model: dict[str, Any], **_: Any) -> None:
    """What the server calls with each file before it is written.

    >>> data = {WIDGET: {"model_id": "7"}, "text/html": "<p>a page", "text/plain": "Stepper"}
    >>> without_widgets({"type": "notebook", "content": {"cells": [{"outputs": [{"data": data}]}]}})
    >>> list(data)
    ['text/html', 'text/plain']
    """
    if model["type"] == "notebook":
        for cell in model["content"]["cells"]:
            drop_widgets(cell)


def exported(notebook: Any, resources: Any) -> tuple[Any, Any]:
    """What nbconvert calls with each notebook before it is written, and after it was executed."""
    outputs = [output for cell in notebook.cells for output in drop_widgets(cell)]
    if not any(WIDGET in output.get("data", {}) for output in outputs):
        notebook.metadata.pop("widgets", None)  # their state, which nothing shows
    return notebook, resources


def drop_widgets(cell: dict[str, Any]) -> list[dict[str, Any]]:
    """A cell's outputs, without the widget in those that have another form."""
    outputs = cell.get("outputs", [])
    for output in outputs:
        data = output.get("data", {})
        if SEEN & data.keys():
            data.pop(WIDGET, None)
    return outputs


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    server.contents_manager.register_pre_save_hook(without_widgets)
