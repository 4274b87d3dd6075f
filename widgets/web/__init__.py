"""The JavaScript and the style sheet of the stepper. There is no build step: some modules are read as one text."""

import re
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent


def joined(names: Iterable[str]) -> str:
    """Modules as one that needs no other: a notebook's widget and an inlined script can fetch nothing.

    Every stored stepper holds it, so it comes without comments and indentation; no text in it runs over lines.

    >>> "import " in joined(["run", "elements"])
    False
    """
    text = "\n".join((HERE / f"{name}.js").read_text(encoding="utf-8") for name in names)
    return re.sub(r"^[ \t]*(?:import .*|//.*|/\*\*.*\*/)?\n|^[ \t]+", "", text, flags=re.MULTILINE)
