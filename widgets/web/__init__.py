"""The JavaScript and the style sheet of the stepper. There is no build step: some modules are read as one text."""

import re
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).parent


def joined(names: Iterable[str]) -> str:
    """Modules as one that needs no other: a notebook's widget and an inlined script can fetch nothing.

    Every stored stepper holds it, so it comes without comments, indentation and needless line ends. No text in it runs
    over lines, or holds `//` after a blank.

    >>> "import " in joined(["run", "elements"])
    False
    """
    text = "\n".join((HERE / f"{name}.js").read_text(encoding="utf-8") for name in names)
    text = re.sub(r"^[ \t]*(?:import .*|//.*|/\*\*.*\*/)?\n|^[ \t]+|[ \t]+// .*$", "", text, flags=re.MULTILINE)
    return re.sub(r"(?<=[,({[])\n", "", text)
