"""A run as one HTML file: it steps without a kernel, without a network, and from a disk.

>>> html = page({"title": "</script>", "values": [], "nodes": [], "frames": []}, {}, "A lesson")
>>> "connect-src" in html, "<title>A lesson</title>" in html, html.count("</script>")
(False, True, 2)
"""

import base64
import gzip
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

from .. import colours, web
from ..telling.chosen import chosen
from ..words import in_html

HERE = Path(__file__).parents[1]
# The scripts, each after those that it imports.
MODULES = (
    "words run tape live questions player elements model places matrices equations viewport keys help texts picture "
    "code ledger why inspector program breakpoints answers predict curve nudge loop transport narration search tabs "
    "body options stepper mount"
).split()
DATA = '<script type="application/gzip">{}'  # what a place shows, packed
STYLES = "drawing/picture.css", "web/stepper.css"
PAGE_STYLE = (
    "body{margin:0;padding:16px;background:var(--mg-paper);color:var(--mg-ink);"
    "font:14px/1.5 system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}"
    "h1{margin:0 0 12px;font-size:20px;font-weight:600;overflow-wrap:anywhere}"
)
PLACE_STYLE = (  # of a stepper that is none yet
    ".mg-place{max-width:1400px}.mg-place>svg{max-width:100%;height:auto}"
    ".mg-place>table :is(td,th){text-align:left;padding:2px 12px 2px 0;vertical-align:top}"
)


def page(trace: dict[str, Any], views: dict[str, str], title: str | None = None, **traits: Any) -> str:
    """A document that shows a trace: the stepper; and without JavaScript its picture and what happened, in words.

    Args:
        trace: see docs/trace.md.
        views: its pictures by name, as `picture.views` makes them; "" is the whole. May be empty.
        title: the heading; the trace's own title if omitted.
        traits: where the stepper starts, such as `index` and `level`.
    """
    title = trace.get("title", "") if title is None else title
    heading = f"<h1>{html.escape(title)}</h1>" if title else ""
    body = f"{heading}{place(trace, views, **traits)}"
    return document(title, body, style() + PAGE_STYLE + PLACE_STYLE, module() + "\nmount(document);\n")


def document(title: str, body: str, look: str, script: str) -> str:
    """A page in which nothing may be fetched, and nothing run but the two texts of ours."""
    policy = (
        f"default-src 'none'; form-action 'none'; script-src {digest(script)}; style-src {digest(look)}; img-src data:"
    )
    return (
        f'<!doctype html><html lang="{in_html("language.code")}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title or 'minigrad')}</title><style>{look}</style></head><body><main>{body}"
        f'</main><script type="module">{script}</script></body></html>\n'
    )


def place(trace: dict[str, Any], views: dict[str, str], **traits: Any) -> str:
    """Where a page has a stepper: its data, beside what is shown until the script has run."""
    traits = {"asks": chosen(trace), **traits, "trace": trace}
    traits["views"] = {name: svg for name, svg in views.items() if name}
    rows = "".join(
        f"<tr><td>{number}</td><td>{html.escape(frame.get('say', frame['kind']))}</td></tr>"
        for number, frame in enumerate(trace.get("frames", []), 1)
    )
    heads = f"<th>{in_html('inspector.step')}</th><th>{in_html('page.what_happened')}</th>"
    return (
        f'<div class="mg-place"><p class="mg-still">{in_html("page.still")}</p>{DATA.format(packed(traits))}</script>'
        f"{views.get('', '')}<table><thead><tr>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def packed(data: Any) -> str:
    """JSON, compressed: a tenth of its size, none of its texts can end the element that holds it, and what is damaged
    cannot be unpacked."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 5, mtime=0)).decode()


def module() -> str:
    """The stepper's modules as one."""
    return web.joined(MODULES)


def style() -> str:
    """The style sheets of stepper and picture, without comments and blanks: every stored stepper holds them."""
    text = colours.css() + "".join((HERE / name).read_text(encoding="utf-8") for name in STYLES)
    return re.sub(r"\s*/\*.*?\*/\s*|(?<=[{};:])\s+|\s+(?=[{}])", "", text, flags=re.DOTALL)


def digest(text: str) -> str:
    """What a Content-Security-Policy calls a text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
