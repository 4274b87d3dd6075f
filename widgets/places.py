"""What a notebook keeps of a widget: its picture and its words, and a place for the widget itself.

A widget lives as long as its kernel, and where its packages are. An output that names it would show "model not found"
when the notebook is opened again, on another server, or on a page. So the output names none, and has two parts:

1. the picture, as PNG, with the words behind it: what GitHub, paper and a notebook without trust show;
2. a place: an empty element, and the words again. Where scripts run, it opens itself (web/open.js): the living widget
   moves in, or the page that the place brought, packed; and picture and words give way to it.

The place is made of elements that sanitisers know: they drop the attributes, which could run, and leave the words.
"""

import base64
import gzip
import html
import secrets
import sys
from collections.abc import Sequence
from typing import Any

import anywidget
import ipywidgets
import traitlets
from IPython import get_ipython
from IPython.display import display, update_display

from . import web

MOST = 4_000_000  # characters of a page that is kept in a notebook; a run of a thousand nodes takes three million
# What starts without a script element: the element is told when it comes into the page. The first time is enough.
OPEN = html.escape(web.joined(["open"]).replace("\n", ""))


def place(name: str, title: str = "", page: str = "", height: int = 0, words: Sequence[str] = ()) -> str:
    """HTML that keeps a place.

    Args:
        name: whose place it is.
        title: what a screen reader says of the page.
        page: what is shown where the widget does not live; a document of its own.
        height: of the page, in pixels.
        words: what is said where nothing may run, a line each.

    >>> place("7", words=["b is 2 < 3."]).endswith("</abbr><ol><li>b is 2 &lt; 3.</li></ol>")
    True
    """
    packed = ""
    if page and len(page) <= MOST:
        packed = base64.b64encode(gzip.compress(page.encode(), mtime=0)).decode()
        packed = f' data-title="{html.escape(title)}" data-height="{height}" data-page="{packed}"'
    said = "".join(f"<li>{html.escape(line)}</li>" for line in words)
    look = "display:block;min-height:1px;content-visibility:auto"
    start = f'<abbr data-place="{name}" style="{look}" oncontentvisibilityautostatechange="{OPEN}"{packed}>'
    return f"{start}</abbr>{f'<ol>{said}</ol>' if said else ''}"


class Placed(anywidget.AnyWidget):
    """A widget that an output keeps a place for.

    Attributes:
        place: the name of its places.
        unseen: whether it has not been in any page yet. What appears for the first time may take the focus.
    """

    displayed = False  # whether an output of its own shows it
    place = traitlets.Unicode().tag(sync=True)
    unseen = traitlets.Bool(True).tag(sync=True)

    @traitlets.default("place")
    def _name(self) -> str:
        return secrets.token_hex(8)

    def kept(self) -> tuple[tuple[dict[str, str], dict[str, Any]], str]:
        """The picture, and the HTML of the place."""
        raise NotImplementedError  # each kind of widget has its own picture

    def _ipython_display_(self) -> None:
        (data, said), kept = self.kept()
        self.displayed = not shows_widgets_by_name_only()  # where the output is the widget, nothing may replace it
        if not self.displayed:
            view: Any = self._repr_mimebundle_()
            display({**(view[0] if isinstance(view, tuple) else view), **data}, metadata=said, raw=True)
        else:
            display(data, metadata=said, raw=True, display_id=self.place)
            display({"text/html": kept}, raw=True)

    def keep(self, data: dict[str, Any]) -> None:
        """Let the notebook have other words, or another picture. What lives in the place stays as it is."""
        if self.displayed:
            update_display(data, raw=True, display_id=self.place)
            self.send({"kept": data})


class Inside(Placed):
    """A place for a widget of ipywidgets' own.

    Args:
        inside: the widget.
        shown: its picture, as `raster.output` makes it.
    """

    _esm = web.joined(["places", "inside"])
    inside = traitlets.Instance(ipywidgets.Widget).tag(sync=True, **ipywidgets.widget_serialization)

    def __init__(self, inside: ipywidgets.Widget, shown: tuple[dict[str, str], dict[str, Any]]) -> None:
        super().__init__(inside=inside)
        self.shown = shown

    def kept(self) -> tuple[tuple[dict[str, str], dict[str, Any]], str]:
        return self.shown, place(self.place)


def shows_widgets_by_name_only() -> bool:
    """Whether the notebook is open in Colab or VS Code, which load a widget only where an output names it.

    Both fall back to the output's other forms when the widget is gone.
    """
    shell = get_ipython()
    return "google.colab" in sys.modules or (shell is not None and "__vsc_ipynb_file__" in shell.user_ns)
