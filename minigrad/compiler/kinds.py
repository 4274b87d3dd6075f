"""What is known of a thing by its class: is it a constant, is it the user's own, can all that it holds be seen?"""

import abc
import collections
import functools
import sys
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..core.row import Op
from ..core.tensor import Tensor
from ..numbers.dtypes import dtype
from ..numbers.size_and_device import Size, device
from .overhearing import is_own

CONSTANTS = (
    bool, int, float, complex, str, bytes, type(None), type(Ellipsis), slice, range, dtype, device, Size, np.dtype,
    np.generic,
)  # fmt: skip
FIXED: tuple = (types.MethodDescriptorType, np.ufunc, Op, types.GetSetDescriptorType, types.MemberDescriptorType)
FIXED += (types.WrapperDescriptorType, types.ClassMethodDescriptorType, types.GenericAlias, types.UnionType)
FIXED += (type(collections.namedtuple("_", "field").field),)  # type: ignore[attr-defined]
FIXED += (type(vars(abc.ABC)["_abc_impl"]),)
# What consists of other things, and how these are called.
PARTS: dict[type, tuple] = {property: ("fget", "fset"), staticmethod: ("__func__",), classmethod: ("__func__",)}
PARTS[object] = ()  # one that is nothing but itself
PARTS[functools.partial] = ("func", "args", "keywords")
PARTS[functools.cached_property] = ("func", "attrname")
WAYS = {f"__{way}__" for way in "getitem len iter bool".split()}  # into a list or dict
INNER = {"_data", *vars(Tensor)}  # what we write on a tensor ourselves


class Simple:
    """An object of which all stands in its `__dict__`."""


def is_users(kind: type) -> bool:
    """Whether a class is the user's own."""
    return is_users_module(kind.__module__)


@functools.lru_cache(1000)
def is_users_module(name: str) -> bool:
    filename = getattr(sys.modules.get(name), "__dict__", {}).get("__file__") or ""
    return (not filename or is_own(filename)) and name != "builtins"


def is_minigrads(kind: type) -> bool:
    return kind.__module__.startswith("minigrad.")


@functools.lru_cache(1000)
def has_more(kind: type) -> bool:
    """Whether an object of this class holds more than its items and its `__dict__`, or has own ways to its items."""
    is_collection = issubclass(kind, dict | list | tuple | set | frozenset)
    has_ways = is_collection and any(WAYS & vars(one).keys() for one in kind.__mro__ if is_users(one))
    return has_ways or any(getattr(one, "__slots__", ()) for one in kind.__mro__ if not is_minigrads(one))


def is_simple(value: Any) -> bool:
    """Whether all that an object holds stands in its `__dict__`, or is known here."""
    kind = type(value)
    has_all = is_minigrads(kind) or kind.__basicsize__ <= Simple.__basicsize__ or kind is types.SimpleNamespace
    return isinstance(value, CONSTANTS) or (has_all and hasattr(value, "__dict__"))


@functools.cache
def given_by(kind: Any) -> set:
    """The names in what makes an object of a class, and those of a layer's options."""
    made = (vars(one).get("__init__") for one in kind.__mro__)
    codes = [one.__code__ for one in made if isinstance(one, types.FunctionType)]
    parts = [one for code in codes for one in (code.co_names, *code.co_consts)]
    return {name for one in parts for name in (one if type(one) is tuple else (one,))} | {*getattr(kind, "_names", ())}


def gained(value: Any) -> bool:
    """Whether an object of ours has attributes that its user gave to it."""
    kind: Any = type(value)
    return is_minigrads(kind) and not vars(value).keys() <= given_by(kind)


def is_constant(value: Any) -> bool:
    """Whether a value is told by its type and itself: a user's own kind of number may have attributes, too."""
    return isinstance(value, CONSTANTS) and not is_users(type(value))


def exactly(keys: Iterable) -> list:
    """Keys in their order; told apart are 1, True and 1.0, and 0.0 and -0.0."""
    return [(type(key), repr(key)) if isinstance(key, CONSTANTS) else id(key) for key in keys]


def attributes_of(tensor: Tensor) -> dict[str, Any]:
    """What the user has written on a tensor."""
    return {name: value for name, value in vars(tensor).items() if name[0] != "_" or name not in INNER}
