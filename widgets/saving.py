"""What a saved notebook keeps of a widget: a form that needs no kernel.

A widget lives as long as its kernel. A notebook that was saved with it would show "model not found" when it is opened
again, and would ask the network for help when it is exported. So where an output can be seen in another way (a stepper
as its page, a plot as its picture), the widget is left out of the file; in the open notebook it stays.

Jupyter's server loads this module: server.json, beside it, is installed among the server's settings.
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
    if model["type"] != "notebook":
        return
    for cell in model["content"]["cells"]:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if SEEN & data.keys():
                data.pop(WIDGET, None)


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    server.contents_manager.register_pre_save_hook(without_widgets)
