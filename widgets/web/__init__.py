"""The JavaScript and the style sheet of the stepper. There is no build step: some modules are read as one text."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from .. import words

HERE = Path(__file__).parent


def joined(names: Sequence[str]) -> str:
    """Modules as one that needs no other: a notebook's widget and an inlined script can fetch nothing.

    Every stored stepper holds it, so it comes without comments, indentation and needless line ends, and only the last
    module exports. No text in it runs over lines, or holds `//` after a blank. Before `words` stand the rooms of the
    words that the modules ask for.

    >>> "import " in joined(["run", "elements"])
    False
    >>> joined(["words", "tabs"])[:41]
    'const SAID = {"panels.title":"Panels","pa'
    """
    *inner, last = ((HERE / f"{name}.js").read_text(encoding="utf-8") for name in names)
    text = "\n".join([*(re.sub("^export (?!default)", "", one, flags=re.MULTILINE) for one in inner), last])
    text = re.sub(r"^[ \t]*(?:import .*|//.*|/\*\*.*\*/)?\n|^[ \t]+|[ \t]+// .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?<=[,;({[])\n|\n(?=[])}])", "", text)
    return f"{table(text)}\n{text}" if "words" in names else text


def table(text: str) -> str:
    """The words that a script asks for, as its first line; none of them can end the element that holds it."""
    asked = words.rooms(set(re.findall(r"[`\"](\w+)\.(?=[\w$])", text)))
    return f"const SAID = {json.dumps(asked, ensure_ascii=False, separators=(',', ':'))};".replace("<", "\\u003c")
