"""A language that no one speaks: English, its words in ⟦…⟧. What is seen without the marks stands in no file."""

import json
import re
from pathlib import Path
from string import Formatter

import pytest

from widgets import language
from widgets.words import english, of_the_engine

# What stands in formulas, names and messages of Python: the same in each language.
CODE = re.compile(
    r"\w+Backward\d|AccumulateGrad|\w+\.py|\bfloat32|\b[\w.]+\([^()]*\)|\w*Error: .*|`[^`]*`"
    r"|\b(?:grad|part|sum|ones|dim|keepdim|if|else|where|bool|None|True|False|true|false|nan|inf)\b",
    re.DOTALL,
)


def marked(template: str) -> str:
    parts = Formatter().parse(template)
    return "".join(
        (f"⟦{text}⟧" if re.search("[A-Za-z]", text) else text) + ("" if name is None else f"{{{name}}}")
        for text, name, *_ in parts
    )


def marked_language(path: Path) -> Path:
    """The file of it."""
    lines = []
    for key, entry in (english() | of_the_engine()).items():
        forms = {"": entry} if isinstance(entry, str) else {f".{form}": text for form, text in entry.items()}
        lines += [f"{key}{form} = {json.dumps(marked(text), ensure_ascii=False)}" for form, text in forms.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def marks(tmp_path):
    """The marked language is spoken."""
    language(marked_language(tmp_path / "marked.toml"))
    yield
    language()


def unmarked(text: str, names: set[str]) -> list[str]:
    """The words of a text that are not marked, and are no names and no code."""
    while (fewer := re.sub("⟦[^⟦⟧]*⟧", " ", text)) != text:
        text = fewer
    return [word for word in re.findall(r"[A-Za-z]{2,}", CODE.sub(" ", text)) if word not in names]
