"""The core stays what a newcomer reads in an hour: small, below everything else, and described as it is."""

import ast
import io
import re
import tokenize
from importlib.util import resolve_name
from pathlib import Path

import pytest

import minigrad

ROOT = Path(minigrad.__file__).parent
FILES = sorted((ROOT / "core").glob("*.py"))
ARCHITECTURE = ROOT.parent / "docs" / "architecture.md"
ORDER = (  # a file imports only files that stand before it
    "modes events tensor unbroadcast hooks graph views op_node forward row backward"
).split()
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER
}  # fmt: skip
each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def lines_of_code(file: Path) -> int:
    """How many lines are neither blank nor a comment nor a docstring."""
    text = file.read_text(encoding="utf-8")
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            lines.difference_update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(lines)


def imports(file: Path) -> set[str]:
    """The modules of minigrad that a file imports, wherever it does; those for a type checker's eyes are left out."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    unseen = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node not in unseen:
            module = resolve_name("." * node.level + (node.module or ""), "minigrad.core")
            found |= {f"{module}.{alias.name}" for alias in node.names} if not node.module else {module}
    return {name for name in found if name.startswith("minigrad")}


def test_it_is_read_in_an_hour():
    assert len(FILES) <= 12
    assert sum(map(lines_of_code, FILES)) <= 1500


@each_file
def test_no_file_is_long(file):
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 300


@each_file
def test_it_imports_nothing_that_stands_above_it(file):
    assert {name.split(".")[1] for name in imports(file)} <= {"core", "numbers", "words"}
    own = {name.split(".")[2] for name in imports(file) if name.startswith("minigrad.core.")}
    before = ORDER[: ORDER.index(file.stem)] if file.stem in ORDER else []
    assert own <= set(before)


@each_file
def test_it_knows_no_operation_by_name(file):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    named = [node for node in ast.walk(tree) if isinstance(node, ast.Compare) and "op.name" in ast.unparse(node)]
    assert not named


def test_the_walk_through_it_tells_true_lengths():
    row = r"\| \[`(\w+)\.py`\]\(\.\./minigrad/core/\w+\.py\) \|.*\| (\d+) \|"
    told = dict(re.findall(row, ARCHITECTURE.read_text(encoding="utf-8")))
    assert told == {
        file.stem: str(len(file.read_text(encoding="utf-8").splitlines())) for file in FILES if file.stem != "__init__"
    }
