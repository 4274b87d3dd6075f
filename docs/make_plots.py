"""Draw the pictures of docs/plots.md: each is the last value of the examples above its link.

.venv/bin/python docs/make_plots.py
"""

import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent / "plots.md"


def drawn() -> Iterator[tuple[str, Any]]:
    """The path of each picture, and what the examples above it show."""
    names: dict[str, Any] = {}
    text = re.sub(r"^```.*$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    *parts, _ = re.split(r"!\[[^]]*\]\((plots/\w+\.svg)\)", text)
    for examples, path in zip(parts[::2], parts[1::2]):
        *others, last = doctest.DocTestParser().get_examples(examples)
        for example in others:
            exec(example.source, names)
        yield path, eval(last.source, names)


if __name__ == "__main__":
    for path, plot in drawn():
        plot.save(PAGE.parent / path)
