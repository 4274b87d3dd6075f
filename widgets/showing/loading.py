"""Runs that were written to files: what `to_json()` and `save()` wrote, read again.

>>> import minigrad as mg, widgets
>>> a = mg.tensor(3.0, requires_grad=True)
>>> with widgets.record() as run:
...     (a * a).backward()
>>> load(run.to_json()).equations() == run.equations()
True
"""

import base64
import binascii
import gzip
import json
import re
import zlib
from os import PathLike
from pathlib import Path
from typing import Any

from ..telling.check import check
from .page import DATA
from .run import Run


def load(source: str | PathLike[str]) -> Run:
    """A run, to be stepped through again.

    Args:
        source: what `to_json()` returned, the name of a file in which that stands, or a page that `save()` wrote.

    Raises:
        ValueError: one sentence that says what is wrong with it.
    """
    text = source if isinstance(source, str) and source.lstrip()[:1] in ("{", "<") else read(source)
    packed = re.search(DATA.format("([^<]*)</script>"), text) if text.lstrip()[:1] == "<" else None
    if packed is not None:
        traits = parsed(unpacked(packed[1]))
        document = traits.get("trace") if isinstance(traits, dict) else None
    elif text.lstrip()[:1] == "<":
        raise ValueError("this page holds no recorded run, or only the beginning of one")
    else:
        document = parsed(text)
    run = Run()
    run.trace = check(document)
    return run


def read(path: str | PathLike[str]) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{Path(path).name} is no text, and so no recorded run") from None


def unpacked(data: str) -> str:
    """The text that a page keeps packed."""
    try:
        return gzip.decompress(base64.b64decode(data, validate=True)).decode()
    except (binascii.Error, EOFError, OSError, zlib.error):
        raise ValueError("the data of this page is damaged; save the run once more") from None


def parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        ends = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        why = "it ends in the middle" if ends else f"line {error.lineno}, column {error.colno} is no JSON"
        raise ValueError(f"this run is damaged: {why}") from None
    except RecursionError:
        raise ValueError("this is no recorded run of minigrad") from None
