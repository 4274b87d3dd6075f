"""Values that a learner's function made: as a document, which brings no code with it, in words, and compared.

>>> import minigrad as mg
>>> yours, right = mg.tensor([1.0, 2.0]), mg.tensor([0.0, 2.0])
>>> difference(read(written(yours)), right)
Difference(place='', yours='tensor([1., 2.])', right='tensor([0., 2.])', in_form=False, wanted='')
"""

import ast
import base64
import linecache
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import minigrad as mg
from minigrad import Tensor, nn

from ..words import say

FEW = 12  # elements that a sentence holds
SHORT = 60  # characters of a function in it
CLOSE = 1e-4  # another way to the same number rounds otherwise
ROUGH = 1e-2  # in half precision


@dataclass(frozen=True)
class Other:
    """What is known of a value that is neither tensor nor number, text or list."""

    kind: str


class Difference(NamedTuple):
    """Where two values differ first, and both there, in words."""

    place: str
    yours: str
    right: str
    in_form: bool  # in kind, shape or type: the numbers were not compared
    wanted: str = ""  # a tensor or an array, where it is none


# == as documents ==========================================================================================


def written(value: Any) -> Any:
    """A value as a document."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Tensor):
        grad = written(value.grad) if value.is_leaf else None
        return {"tensor": packed(value.detach().numpy()), "connected": value.requires_grad, "grad": grad}
    if isinstance(value, np.ndarray):
        return {"array": packed(value)}
    if isinstance(value, nn.Module):
        value = dict(value.named_parameters())
    if isinstance(value, dict):
        return {"keys": written(list(value)), "items": written(list(value.values()))}
    if isinstance(value, list | tuple):
        items = [written(one) for one in value]
        return items if isinstance(value, list) else {"tuple": items}
    return {"other": type(value).__name__}


def read(document: Any) -> Any:
    """The value again; a tensor as a leaf, a module as a dict of its parameters."""
    if isinstance(document, list):
        return [read(one) for one in document]
    match document:
        case {"tensor": parts, "connected": connected, "grad": grad}:
            tensor = mg.tensor(unpacked(parts), requires_grad=connected)
            tensor.grad = read(grad)
            return tensor
        case {"array": parts}:
            return unpacked(parts)
        case {"tuple": items}:
            return tuple(read(items))
        case {"keys": keys, "items": items}:
            return dict(zip(read(keys), read(items)))
        case {"other": kind}:
            return Other(kind)
    return document


def packed(array: np.ndarray) -> list[Any]:
    return [array.dtype.str, list(array.shape), base64.b64encode(array.tobytes()).decode()]


def unpacked(parts: list[Any]) -> np.ndarray:
    kind, shape, data = parts
    return np.frombuffer(base64.b64decode(data), np.dtype(kind)).reshape(shape).copy()


# == in words ==============================================================================================


def shown(value: Any) -> str:
    """A value in a few words.

    >>> shown(mg.tensor([[1.0], [-2.0]], requires_grad=True)), shown(mg.zeros(8, 8)), shown(2 / 3), shown([None, "a"])
    ('tensor([[1.], [-2.]])', 'a tensor of shape (8, 8)', '0.666667', "[None, 'a']")
    >>> shown(shown), shown(np.sin), shown((2.0,)), shown(Other("Module"))
    ('shown', 'sin', '(2,)', 'a Module')
    """
    if isinstance(value, Tensor | np.ndarray):
        if plain(value).size > FEW:
            return say("things.of_shape", thing=named(value), shape=tuple(value.shape))
        text = repr(value.detach() if isinstance(value, Tensor) else value)
        return re.sub(r"(\[) +", r"\1", " ".join(text.split()))
    if isinstance(value, list | tuple):
        inside = ", ".join([shown(one) for one in value[:FEW]] + ["…"] * (len(value) > FEW))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{shown(key)}: {shown(one)}' for key, one in value.items())}}}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if value is None or isinstance(value, bool | int | str):
        return repr(value)
    return (
        lambda_text(value) if getattr(value, "__name__", "") == "<lambda>" else getattr(value, "__name__", named(value))
    )


def lambda_text(function: Any) -> str:
    """A lambda as it is written, if that can be found and is short."""
    code = function.__code__
    spans = set(code.co_positions())
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:
        return say("things.function")
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda) and span(node.body) in spans and node.lineno == code.co_firstlineno:
            text = ast.unparse(node)
            return text if len(text) <= SHORT else say("things.function")
    return say("things.function")


def span(tree: ast.expr) -> tuple[int | None, ...]:
    return tree.lineno, tree.end_lineno, tree.col_offset, tree.end_col_offset


def named(value: Any) -> str:
    """What kind of thing it is, with its article."""
    name = value.kind if isinstance(value, Other) else type(value).__name__
    if name in ("Tensor", "ndarray"):
        return say("things.tensor" if name == "Tensor" else "things.array")
    return say("things.thing_with_vowel" if name[0] in "AEIOUaeiou" else "things.thing", name=name)


# == compared ==============================================================================================


def difference(yours: Any, right: Any, place: str = "") -> Difference | None:
    """Where one value differs from the right one, if it does; a tensor without dimensions may stand for a number."""
    if kind(right) == "number" and isinstance(yours, Tensor | np.ndarray) and yours.shape == ():
        yours = yours.item()
    if kind(yours) != kind(right):
        wanted = named(right) if isinstance(right, Tensor | np.ndarray) else ""
        return Difference(place, shown(yours), shown(right), True, wanted)
    if isinstance(right, Tensor | np.ndarray):
        return in_form(yours, right, place) or in_numbers(yours, right, place) or in_grad(yours, right, place)
    if isinstance(right, list | tuple | dict):
        return in_items(yours, right, place)
    is_same = close(yours, right).all() if kind(right) == "number" else yours == right
    return None if is_same else Difference(place, *apart(yours, right), False)


def kind(value: Any) -> str:
    """What a value is; int and float are both numbers, and a tuple may be a list."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number"
    return "list" if isinstance(value, tuple) else type(value).__name__


def in_form(yours: Any, right: Any, place: str) -> Difference | None:
    if yours.shape != right.shape:
        words = [say("things.shape", shape=tuple(one.shape)) for one in (yours, right)]
        return Difference(place, words[0], words[1], True)
    if yours.dtype != right.dtype and not are_whole(yours, right):
        one, other = (f"dtype {str(value.dtype).removeprefix('minigrad.')}" for value in (yours, right))
        return Difference(place, one, other, True)
    return None


def are_whole(*arrays: Any) -> bool:
    """Whether all are arrays of whole numbers: how wide these are is the machine's affair."""
    return all(isinstance(one, np.ndarray) and one.dtype.kind in "iu" for one in arrays)


def in_numbers(yours: Any, right: Any, place: str) -> Difference | None:
    ours, others = plain(yours), plain(right)
    alike = close(ours, others)
    if alike.all():
        return None
    if others.size <= FEW and shown(yours) != shown(right):
        return Difference(place, shown(yours), shown(right), False)
    index = tuple(map(int, np.argwhere(~alike)[0]))
    return Difference(f"{place}{list(index) if index else ''}", *apart(ours[index].item(), others[index].item()), False)


def in_grad(yours: Any, right: Any, place: str) -> Difference | None:
    if not isinstance(right, Tensor) or yours.grad is right.grad is None:
        return None
    return difference(yours.grad, right.grad, f"{place}.grad")


def in_items(yours: Any, right: Any, place: str) -> Difference | None:
    if len(yours) != len(right):
        words = [say("things.values", count=len(one)) for one in (yours, right)]
        return Difference(place, words[0], words[1], True)
    if isinstance(right, dict) and list(yours) != list(right):
        words = [say("things.keys", keys=shown(list(one))) for one in (yours, right)]
        return Difference(place, words[0], words[1], True)
    places = right if isinstance(right, dict) else range(len(right))
    return next(filter(None, (difference(yours[at], right[at], f"{place}[{at!r}]") for at in places)), None)


def close(yours: Any, right: Any) -> np.ndarray:
    """Which numbers are the same but for rounding."""
    share = ROUGH if np.asarray(right).dtype == np.float16 else CLOSE
    return np.asarray(np.isclose(yours, right, rtol=share, atol=share / 10, equal_nan=True))


def plain(value: Any) -> np.ndarray:
    return value.detach().numpy() if isinstance(value, Tensor) else value


def apart(yours: Any, right: Any) -> tuple[str, str]:
    """Two values in words that differ."""
    texts = shown(yours), shown(right)
    return texts if texts[0] != texts[1] else (repr(yours), repr(right))
