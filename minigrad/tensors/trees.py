"""Things in nested tuples, lists and dicts.

>>> leaves({"a": 1, "b": (2, [3])})
[1, 2, 3]
"""

from collections.abc import Callable, Iterable
from typing import Any


def each(function: Callable, tree: Any) -> Any:
    """The same structure, with the function's answer in place of each thing in it.

    >>> each(str, {"a": 1, "b": (2, [3])})
    {'a': '1', 'b': ('2', ['3'])}
    """
    if isinstance(tree, dict):
        return type(tree)((key, each(function, one)) for key, one in tree.items())
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(each(function, one) for one in tree))
    if isinstance(tree, (tuple, list)):
        return type(tree)(each(function, one) for one in tree)
    return function(tree)


def leaves(tree: Any) -> list:
    """The things in a structure, in order."""
    if not isinstance(tree, (tuple, list, dict)):
        return [tree]
    return [leaf for one in (tree.values() if isinstance(tree, dict) else tree) for leaf in leaves(one)]


def refilled(tree: Any, values: Iterable) -> Any:
    """The same structure with other things in it.

    >>> refilled((1, [2]), "ab")
    ('a', ['b'])
    """
    remaining = iter(values)
    return each(lambda _: next(remaining), tree)


def structure(tree: Any) -> str:
    """What a structure looks like, whatever is in it.

    >>> structure({"a": 1, "b": (2, [3])})
    "{'a': *, 'b': (*, [*])}"
    """
    return repr(each(lambda _: "*", tree)).replace("'*'", "*")
