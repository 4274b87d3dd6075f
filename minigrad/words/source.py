"""Where in the user's code something happens, down to the sub-expression, and what the user calls it.

Python 3.11 knows the columns of every instruction. The first frame outside this package is the user's; the
instruction it is at gives the sub-expression, and its statement gives the name the result is about to receive.
"""

import ast
import contextlib
import functools
import linecache
import os
import sys
from collections.abc import Iterator
from types import FrameType, ModuleType
from typing import Any, NamedTuple

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
SWITCHES = ("no_grad", "inference_mode", "set_grad_enabled")  # the blocks in which nothing is recorded
# Whose code is not the user's: this package, and what calls a decorated function; a tool of one's own adds its own.
PACKAGES = [PACKAGE, contextlib.__file__]


class Source(NamedTuple):
    """A place in the user's code: lines count from 1, columns from 0 (in characters), ends are exclusive."""

    filename: str
    function: str
    line: int
    end_line: int
    column: int
    end_column: int
    name: str | None  # the variable to which the sub-expression is assigned as a whole
    names: tuple  # the user's names of the operation's inputs, None where there is none

    @property
    def text(self) -> str:
        """The line of code."""
        return "".join(lines_of(self.filename)[self.line - 1 : self.line]).rstrip("\n")

    @property
    def expression(self) -> str:
        """The sub-expression; of one over several lines its first line."""
        return self.whole.partition("\n")[0].strip()

    @property
    def whole(self) -> str:
        """The sub-expression with all its lines."""
        *before, last = lines_of(self.filename)[self.line - 1 : self.end_line] or [""]
        return "".join([*before, last[: self.end_column]])[self.column :]

    def __str__(self) -> str:
        return f"{spot(self.filename, self.line)}: {self.text.strip()}"


def spot(filename: str, line: int) -> str:
    """A line in words: a cell of a notebook has no name that a person knows."""
    return f"line {line} of its cell" if is_cell(filename) else f"{os.path.basename(filename)}:{line}"


def is_cell(filename: str) -> bool:
    return "ipykernel_" in filename or filename.startswith("<ipython-input")


def user_frame(depth: int = 2) -> FrameType | None:
    """The innermost frame that is the user's own; the search starts `depth` calls up from here."""
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None and is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


@functools.cache
def is_ours(filename: str) -> bool:
    """Whether a file is none of the user's."""
    return filename.startswith(tuple(PACKAGES))


def mark(depth: int) -> tuple | None:
    """The user's position when memory is changed, as cheaply as it can be kept; `located` tells it."""
    frame = sys._getframe(depth)
    user = user_frame(depth + 2) if is_ours(frame.f_code.co_filename) else frame
    return user and (user.f_code, user.f_lasti)


def here(values=()) -> Source | None:
    """The user's position in the running thread, and the user's names of `values`."""
    frame = user_frame()
    return frame and located((frame.f_code, frame.f_lasti), tuple(name_of(value, frame) for value in values))


def located(marked: tuple, names: tuple = ()) -> Source:
    """The place that a mark stands for."""
    code, instruction = marked
    line, end_line, column, end_column = _position(code, instruction)
    span = (line, column, end_line, end_column)
    columns = _characters(code.co_filename, line, column), _characters(code.co_filename, end_line, end_column)
    name = _names(text_of(code.co_filename)).get(span)
    return Source(code.co_filename, code.co_name, line, end_line, *columns, name, names)


def name_of(value, frame) -> str | None:
    """The variable of a frame that holds this very object."""
    return next((name for name, held in named_in(frame) if held is value), None)


def named_in(frame: FrameType) -> Iterator[tuple[str, Any]]:
    """The names that stand in a frame and what they stand for: its own before those of its module."""
    for scope in (frame.f_locals, frame.f_globals):
        for name, held in scope.items():
            if name[:1] != "_":
                yield name, held
        if scope is frame.f_globals:
            return


@functools.lru_cache(4096)
def _position(code, instruction: int) -> tuple:
    """The span of one instruction; where Python kept no columns (-X no_debug_ranges), the line alone."""
    for index, span in enumerate(code.co_positions()):
        if index * 2 == instruction:
            line = span[0] or code.co_firstlineno
            return (line, span[1] or line, span[2] or 0, span[3] or 0)
    return (code.co_firstlineno, code.co_firstlineno, 0, 0)


def _characters(filename: str, line: int, byte: int) -> int:
    """Python counts columns in UTF-8 bytes; people and pictures count characters."""
    text = "".join(lines_of(filename)[line - 1 : line])
    return len(text.encode()[:byte].decode(errors="ignore"))


@functools.lru_cache(512)
def assignments(text: str) -> list[tuple[str, ast.expr | ast.stmt, str]]:
    """What a program calls its values: each name, the expression, and the block that turned recording off around it.

    Of `x += y` and of `a, b = c` the whole statement is the expression.
    """
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return []
    found: list[tuple[str, ast.expr | ast.stmt, str]] = []
    blocks: list[tuple[ast.AST, str]] = [(tree, "")]
    for node, within in blocks:  # grows meanwhile
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                found.append((name, value, within))
            case ast.Assign(targets=[ast.Tuple(elts=parts) | ast.List(elts=parts)]):
                found += [(one.id, node, within) for one in parts if isinstance(one, ast.Name)]
            case ast.AugAssign(target=ast.Name(id=name)):
                found.append((name, node, within))
            case ast.With():
                managers = [ast.unparse(item.context_expr) for item in node.items]
                within = next((f"`with {one}`" for one in managers if any(word in one for word in SWITCHES)), within)
        blocks += [(child, within) for child in ast.iter_child_nodes(node)]
    return found


@functools.lru_cache(512)
def _names(text: str) -> dict[tuple, str]:
    """By the place of its expression, each name of a program."""
    named = [(name, x) for name, x, _ in assignments(text) if not (isinstance(x, ast.Assign) or chooses(x))]
    return {(x.lineno, x.col_offset, x.end_lineno, x.end_col_offset): name for name, x in named}


def chooses(expression: ast.AST) -> bool:
    """Whether its value is one of those that it is given: `max(losses)` computes comparisons, and is none of them."""
    function = expression.func if isinstance(expression, ast.Call) else None
    return isinstance(function, ast.Name) and function.id in ("max", "min", "sorted")


def is_method(name: str) -> bool:
    """Whether the call under way was written `x.name(…)`, so that Python put x before all that was given."""
    frame = user_frame()
    source = frame and located((frame.f_code, frame.f_lasti))
    try:
        written = ast.parse(source.whole.strip(), mode="eval").body if source else None
    except SyntaxError:
        return False
    match written:
        case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if frame and attr.rstrip("_") == name.rstrip("_"):
            first, *names = ast.unparse(owner).split(".")
            held = value_of(first, frame)
            for one in names:  # of a module alone, for what else could be asked may do something
                held = getattr(held, one, None) if isinstance(held, ModuleType) else None
            return not isinstance(held, ModuleType | type)
    return False


def lines_of(filename: str) -> list[str]:
    """The lines of a file or a cell; none of what `exec` was given, which all goes by one name."""
    return [] if filename == "<string>" else linecache.getlines(filename)


def text_of(filename: str) -> str:
    return "".join(lines_of(filename))


def value_of(name: str, frame: FrameType) -> Any:
    return frame.f_locals.get(name, frame.f_globals.get(name))


def is_tensor(value) -> bool:
    """Whether a variable of the user's holds a Tensor, a class that stands above this file."""
    return hasattr(type(value), "grad_fn")
