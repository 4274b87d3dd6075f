"""docs/names.md keeps its promises."""

import importlib.util
import re
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def test_a_name_that_is_listed_as_working_works():
    spec = importlib.util.spec_from_file_location("make_names", DOCS / "make_names.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    listed, found = ((DOCS / "names.md").read_text(encoding="utf-8"), script.page())
    for before, now in zip(*(re.split(r"^###? ", page, flags=re.MULTILINE)[1:] for page in (listed, found))):
        missing = set(re.findall(r"`([^`|]+)`(?= ·|$)", before, re.MULTILINE)) - set(re.findall(r"`([^`|]+)`", now))
        assert not missing, before.splitlines()[0]
        gone = [name for name in re.findall(r"^\| `([^`]+)`", now, re.MULTILINE) if f"| `{name}`" not in before]
        assert not gone, "these worked: " + ", ".join(gone)
