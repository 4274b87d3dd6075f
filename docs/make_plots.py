"""Draw the pictures of docs/plots.md and docs/compile.md: each is the last value of the examples above its link.

.venv/bin/python docs/make_plots.py
"""

import doctest
import linecache
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
PAGES = [DOCS / "plots.md", DOCS / "compile.md"]


def drawn(page: Path) -> Iterator[tuple[str, Any]]:
    """The path of each picture of a page, and what the examples above it show."""
    names: dict[str, Any] = {}
    text = re.sub(r"^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    *parts, _ = re.split(r"!\[[^]]*\]\((plots/\w+\.svg)\)", text)
    for examples, path in zip(parts[::2], parts[1::2]):
        *others, last = doctest.DocTestParser().get_examples(examples)
        for example in others:
            where = f"<{page.name}:{example.lineno}>"  # a plan names results as these lines do, so they must be found
            linecache.cache[where] = len(example.source), None, example.source.splitlines(True), where
            exec(compile(example.source, where, "exec"), names)
        yield path, eval(last.source, names)


if __name__ == "__main__":
    for path, plot in (found for page in PAGES for found in drawn(page)):
        plot.save(DOCS / path)
