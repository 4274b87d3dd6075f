"""What a function's code names: nothing else can it look up, unless by a name that it makes up."""

import dis
import types
from collections.abc import Callable, Iterator
from typing import Any

NAMING = frozenset("getattr hasattr setattr delattr".split())  # who uses these may be told the name of an attribute
# And these may read any.
BY_ANY_NAME = NAMING | set("vars dir format __dict__ __getattribute__ __getattr__ attrgetter methodcaller".split())
CAUGHT, LEFT = "PUSH_EXC_INFO", "WITH_EXCEPT_START"  # as Python handles exceptions; at the end of a `with`, too
OUR_MODES = frozenset("no_grad enable_grad inference_mode set_grad_enabled".split())  # which pass over no error
USERS = "."  # before the word of what matters only if the user's own code names it
WHETHER = "*"  # stands for the word of who asks whether an attribute is there
# By sign, or by instruction: the methods that may be asked.
METHODS = {"UNARY_NEGATIVE": {"__neg__"}, "UNARY_INVERT": {"__invert__"}, "==": {"__eq__"}, "!=": {"__ne__"}}
METHODS["CALL"] = METHODS["CALL_FUNCTION_EX"] = {"__call__"}
METHODS |= dict.fromkeys("<>", {"__lt__", "__gt__"}) | dict.fromkeys(("<=", ">="), {"__le__", "__ge__"})
METHODS |= dict.fromkeys(("BINARY_SUBSCR", "BINARY_SLICE", "[]"), {"__getitem__"})
METHODS |= dict.fromkeys(("STORE_SUBSCR", "STORE_SLICE"), {"__setitem__"})
SIGNS = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "@": "matmul", "**": "pow"}
for _sign, _name in (SIGNS | {"&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift"}).items():
    METHODS[_sign] = {f"__{_name}__", f"__r{_name}__"}
    METHODS[f"{_sign}="] = METHODS[_sign] | {f"__i{_name}__"}


def codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """A function's code, and that of the functions written inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_in(constant)


def once(function: Callable) -> Callable:
    """What it says of a code, remembered by the code's id, because a hash takes long; no other gets it meanwhile."""
    known: dict[int, tuple] = {}

    def said(code: types.CodeType) -> Any:
        if id(code) not in known:
            known[id(code)] = function(code), code
        return known[id(code)][0]

    return said


@once
def globals_of(code: types.CodeType) -> list[str]:
    """The names that a function looks up outside of itself, or writes there."""
    found = (one for each in codes_in(code) for one in dis.get_instructions(each))
    return sorted({one.argval for one in found if one.opname == "LOAD_NAME" or one.opname.endswith("_GLOBAL")})


@once
def words_of(code: types.CodeType) -> set[str]:
    """The names, the strings and the signs in a function's code: no attribute or key of another name is read by it."""
    found = {word for one in codes_in(code) for word in (*one.co_names, *one.co_consts) if isinstance(word, str)}
    steps = [[one for one in dis.get_instructions(each) if one.opname != "PRECALL"] for each in codes_in(code)]
    found = found.union(*(METHODS.get(x, ()) for some in steps for one in some for x in (one.opname, one.argrepr)))
    if told := {word for word in found & NAMING if all(is_told(word, some) for some in steps)}:
        found = found - told | {WHETHER}
    if any(map(passes_over, steps)):
        found = found | {WHETHER}
    return found | {"getattr"} if any(one.opname == "MATCH_CLASS" for some in steps for one in some) else found


def passes_over(steps: list[dis.Instruction]) -> bool:
    """Whether an error may be passed over, such as that something is not there: by `try`, or at the end of a `with`."""
    kinds = [one.opname for one in steps]
    return kinds.count(CAUGHT) > min(kinds.count(LEFT), sum(one.argval in OUR_MODES for one in steps))


def is_told(word: str, steps: list[dis.Instruction]) -> bool:
    """Whether `getattr`, or one like it, is only called with a name that stands there: `hasattr(net, "bias")`."""
    for at in (number for number, step in enumerate(steps) if step.argval == word):
        depth, end = 0, at
        while depth < 2 and end + 2 < len(steps):  # until what has the attribute, and the name, are on the stack
            end += 1
            depth += dis.stack_effect(steps[end].opcode, steps[end].arg, jump=False)
        name, then = steps[end], steps[end + 1 + steps[end + 1].opname.startswith("LOAD_")]
        is_call = steps[at].opname == "LOAD_GLOBAL" and then.opname == "CALL"
        if not (is_call and name.opname == "LOAD_CONST" and isinstance(name.argval, str)):
            return False
    return True
