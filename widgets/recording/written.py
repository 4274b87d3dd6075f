"""Tensors as the user wrote them at a line: `w`, `self.w`, `params["w"]`, `layers[0].weight`.

What stands there is looked up, and never run: no property, no method and no `__getitem__` of the user's is called.

>>> import minigrad as mg, sys
>>> params = {"w": mg.tensor(2.0)}
>>> next(resolved(chains('params["w"] * 3'), sys._getframe()))
('params["w"]', tensor(2.))
"""

import ast
import functools
import linecache
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from types import CodeType, FrameType
from typing import Any

from minigrad import Tensor
from minigrad.words.source import is_ours, located, named_in

from .known import as_seen, is_module, seen

ENTRIES = 1000  # of a list or a dictionary, among which a name is looked for
DEPTH = 5  # how far inside what a variable holds: `self.layers[0].weights[1]`
MANY = 10_000  # things of one depth, for what a program holds may be large, and go round in a circle
HISTORY = ("In", "Out")  # what a notebook keeps of its cells: nobody calls a tensor so
NOTHING = object()
PLAIN = frozenset({bool, int, float, complex, str, bytes, type(None)})  # of these types is most of what lists hold


@functools.lru_cache(4096)
def written(mark: tuple[CodeType, int]) -> tuple[ast.expr, ...]:
    """What stands in the user's expression and may be a tensor, as `chains` finds it."""
    return chains(located(mark).whole.strip())


def chains(text: str) -> tuple[ast.expr, ...]:
    """All names, attributes and elements that stand in a program."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        try:
            tree = ast.parse(f"({text})")  # it goes on over several lines
        except SyntaxError:
            return ()
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute | ast.Subscript))


def resolved(expressions: Iterable[ast.expr], frame: FrameType) -> Iterator[tuple[str, Tensor]]:
    """The tensors for which these expressions stand in a frame, by name; of a list or a dictionary its elements."""
    scopes = frame.f_locals, frame.f_globals
    for expression in expressions:
        name, thing = look_up(expression, scopes)
        if (tensor := seen(thing)) is not None:
            yield name, tensor
        else:
            for path, one in entries(name, thing):
                if (tensor := seen(one)) is not None:
                    yield path, tensor


def look_up(expression: ast.expr, scopes: tuple[Any, Any]) -> tuple[str, Any]:
    """What an expression is called and stands for; `NOTHING` where only running it would tell."""
    if isinstance(expression, ast.Name):
        return expression.id, next((scope[expression.id] for scope in scopes if expression.id in scope), NOTHING)
    if isinstance(expression, ast.Attribute):
        name, owner = look_up(expression.value, scopes)
        return f"{name}.{expression.attr}", attributes(owner).get(expression.attr, NOTHING)
    if isinstance(expression, ast.Subscript):
        name, owner = look_up(expression.value, scopes)
        key = key_of(expression.slice, scopes)
        if isinstance(owner, dict) and isinstance(key, str | int):
            return element(name, key), owner.get(key, NOTHING)
        if isinstance(owner, list | tuple) and isinstance(key, int) and -len(owner) <= key < len(owner):
            return element(name, key % len(owner)), owner[key]
    return "", NOTHING


def key_of(expression: ast.expr, scopes: tuple[Any, Any]) -> Any:
    """A constant, or what a variable holds."""
    try:
        return ast.literal_eval(expression)
    except ValueError:
        return look_up(expression, scopes)[1]


def element(name: str, key: Any) -> str:
    return f'{name}["{key}"]' if isinstance(key, str) else f"{name}[{key}]"


def attributes(thing: Any) -> dict[str, Any]:
    """What an object of the user's, or a module, holds by name."""
    if is_module(thing):
        own = *thing.named_children(), *thing.named_parameters(recurse=False), *thing.named_buffers(recurse=False)
        return {**vars(thing), **dict(own)}
    return getattr(thing, "__dict__", {}) if not isinstance(thing, type) else {}


def entries(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """What a list or a dictionary holds but plain numbers and texts, by name; of a long one its beginning."""
    pairs: Iterable[tuple[Any, Any]] = ()
    if isinstance(thing, dict):
        pairs = [(key, one) for key, one in islice(thing.items(), ENTRIES) if isinstance(key, (str, int))]
    elif isinstance(thing, list | tuple):
        pairs = enumerate(thing[:ENTRIES])
    yield from ((element(name, key), one) for key, one in pairs if type(one) not in PLAIN)


def held(frame: FrameType) -> Iterator[tuple[str, Any]]:
    """The tensors and modules that a frame's variables hold, by the way to them: the shortest ways first, and last what
    a loop has put into a variable, for in its next round that is another one."""
    passing = filled_by_loops(frame.f_code)
    named = [(name, thing) for name, thing in named_in(frame) if name not in HISTORY]
    row = [(name, thing) for name, thing in named if name not in passing]
    for depth in range(DEPTH):
        if depth:
            row = list(islice((inner for path, thing in row for inner in inside(path, thing)), MANY))
        yield from ((path, one) for path, thing in row if (one := as_seen(thing)) is not None)
    yield from ((name, one) for name, thing in named if name in passing and (one := as_seen(thing)) is not None)


def inside(path: str, thing: Any) -> Iterator[tuple[str, Any]]:
    """What a list, a dictionary or an object of the user's holds; a tensor and a module are looked at as a whole."""
    if isinstance(thing, dict | list | tuple):
        yield from entries(path, thing)
    elif not isinstance(thing, type) and as_seen(thing) is None and is_users(type(thing).__module__):
        yield from ((f"{path}.{name}", one) for name, one in [*attributes(thing).items()][:ENTRIES])


@functools.lru_cache(1024)
def is_users(name: str) -> bool:
    """Whether a module was written by the user: in a notebook or in a file beside it, and is in no package."""
    file = getattr(sys.modules.get(name), "__file__", None)
    if file is None:
        return name == "__main__"
    return not is_ours(file) and "site-packages" not in file and not file.startswith(sys.base_prefix)


@functools.lru_cache(1024)
def filled_by_loops(code: CodeType) -> frozenset[str]:
    """The variables that a `for` of this code fills."""
    first, last = code.co_firstlineno, max((line for _, _, line in code.co_lines() if line), default=0)
    loops = loops_of("".join(linecache.getlines(code.co_filename)))
    return frozenset(name for line, name in loops if first <= line <= last)


@functools.lru_cache(128)
def loops_of(text: str) -> list[tuple[int, str]]:
    """The line and the variables of each `for` in a program, also of those in brackets."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return []
    targets = [node.target for node in ast.walk(tree) if isinstance(node, ast.For | ast.comprehension)]
    names = [name for target in targets for name in ast.walk(target)]
    return [(name.lineno, name.id) for name in names if isinstance(name, ast.Name)]
