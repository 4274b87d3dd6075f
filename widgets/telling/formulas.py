"""How the rule of an operation is written: in the user's names, with the options that it was called with."""

import ast
import re
import warnings
from typing import Any

import numpy as np

from minigrad.words import formula
from minigrad.words.formula import title

from .calls import name_of
from .words import renamed

WEIGHTED = {  # rules of a cross entropy in which the right classes have a weight of their own
    "a": "{weight} * (sigmoid({a}) * (1 + ({pos_weight} - 1) * {target}) - {pos_weight} * {target}) / {count}",
    "target": "{weight} * ({pos_weight} * softplus(-{a}) - softplus({a})) / {count}",
}


def rule(op: Any, name: str, names: dict[str, str], known: dict[str, Any], factored: bool = True) -> tuple[bool, str]:
    """How the gradient of one input is made, in the user's names; first whether it is a factor of the gradient `g`.

    Args:
        factored: whether it may be one. Where nan or inf is involved, 0 times it is not what a rule makes of it.

    >>> import minigrad as mg
    >>> rule(mg.sin.op, "a", {"a": "x"}, {})
    (True, 'cos(x)')
    >>> rule(mg.mm.op, "mat2", {"a": "x", "g": "∂L/∂y"}, {})
    (False, 'xᵀ @ ∂L/∂y')
    """
    if op.name == "matmul" and {1, 3} <= {min(np.ndim(one), 3) for one in known.values()}:
        return False, through(op, names)  # of many matrices and a vector: no short formula
    if op.name == "matmul" and [np.ndim(known.get(one, 0)) for one in "ab"] == [1, 1]:
        return True, names["b" if name == "a" else "a"]  # of two vectors, a number
    if op.name == "vector_norm" and known.get("ord") == 2 and np.all(known.get("out", 0)):
        return True, "{a} / {out}".format_map(Names(names))
    told = getattr(op, "rules_say", {}).get(name)
    if op.name == "cross_entropy_of_logit" and names.get("pos_weight", "1") != "1":
        told = WEIGHTED.get(name, told)
    if told is not None:
        count = _sharing(name, known)
        text = told.format_map(Names(names, count=count)).removesuffix(" / 1").replace(" * None", "")
        text = re.sub(r"^(-?)1 \* ", r"\1", text)
        text = text.replace(" · its weight", "" if np.all(known.get("weights", 0) == 1) else " · its weight")
        if "{g}" not in told and not factored:
            return False, through(op, names)
        return "{g}" not in told, TRANSPOSED.sub(r"(\1)ᵀ", text)
    if not hasattr(op, "rules_say") or formula.rule_text(op.rules[name]) is None:
        return False, op.derivative(name).partition(" = ")[2]
    factor, text = formula.whole(op, op.rules[name], factored)
    text = simplified(text, op, known)
    if len(text) > formula.LONGEST or "sent back" in text:
        return False, through(op, names)
    return factor, TRANSPOSED.sub(r"(\1)ᵀ", renamed(text, names).replace(".mT", "ᵀ"))


def through(op: Any, names: dict[str, str]) -> str:
    """What is said of a rule that is long, or made of helpers."""
    told = formula.through(op).format_map(Names(names))
    return told.removesuffix(title(op)) + (name_of(op) if " " not in title(op) else title(op))


TRANSPOSED = re.compile(r"(∂[^\s()]+/∂[^\s()ᵀ]+)ᵀ")  # the gradient, not the name below it, is turned


class Names(dict):
    """Names by themselves where there is no other."""

    def __missing__(self, name: str) -> str:
        return name


def _sharing(name: str, known: dict[str, Any]) -> int:
    """How many elements of an input share the gradient of one result, where the result is a mean."""
    means = known.get("reduction", "mean") == "mean"
    return np.size(known.get(name, 0)) // max(np.size(known.get("out", 0)), 1) if means else 1


def simplified(text: str, op: Any, known: dict[str, Any]) -> str:
    """A rule in which numbers stand for options, and what follows from that is worked out.

    >>> import minigrad as mg
    >>> simplified("exponent * a ** (exponent - 1) if exponent != 0 else a", mg.sin.op, {"exponent": 2})
    '2 * a'
    """
    if " if " not in text and not any(name in text and is_option(one) for name, one in known.items()):
        return text
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:  # it is told in words
        return text
    return ast.unparse(_Simplified(op, known).visit(tree))


def is_option(value: Any) -> bool:
    """Whether it is a number of Python's; what an operation computed is one of NumPy's."""
    return isinstance(value, int | float) and not isinstance(value, np.generic)


class _Simplified(ast.NodeTransformer):
    def __init__(self, op: Any, known: dict[str, Any]) -> None:
        numbers = {name: one for name, one in known.items() if is_option(one) and name not in op.inputs}
        self.numbers = {name: float(one) if isinstance(one, float) else one for name, one in numbers.items()}
        self.known = {**known, "len": len, "isinstance": isinstance, "float": float}

    def visit_Name(self, tree: ast.Name) -> ast.expr:
        return ast.Constant(self.numbers[tree.id]) if tree.id in self.numbers else tree

    def visit_Call(self, tree: ast.Call) -> ast.expr:
        if isinstance(tree.func, ast.Attribute) and tree.func.attr == "is_complex":
            return ast.Constant(np.asarray(self.known.get(ast.unparse(tree.func.value))).dtype.kind == "c")
        return self.generic_visit(tree)  # type: ignore[return-value]

    def visit_IfExp(self, tree: ast.IfExp) -> ast.expr:
        try:
            holds = eval(_compiled(self.visit(tree.test)), dict(self.known))  # a formula of our own tables
        except (NameError, AttributeError, ValueError, TypeError):
            return self.generic_visit(tree)  # type: ignore[return-value]
        return self.visit(tree.body if holds else tree.orelse)

    def visit_BoolOp(self, tree: ast.BoolOp) -> ast.expr:
        names = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
        if all(name in self.numbers or self.known.get(name, tree) is None for name in names):
            return ast.Constant(eval(_compiled(tree), dict(self.known)))
        return self.generic_visit(tree)  # type: ignore[return-value]

    def visit_BinOp(self, tree: ast.BinOp) -> ast.expr:
        self.generic_visit(tree)
        if isinstance(tree.left, ast.Constant) and isinstance(tree.right, ast.Constant):
            return ast.Constant(eval(_compiled(tree)))
        match tree:
            case ast.BinOp(left=left, op=ast.Mult() | ast.Div() | ast.Pow(), right=ast.Constant(value=1)):
                return left
            case ast.BinOp(left=ast.Constant(value=1), op=ast.Mult(), right=right):
                return right
            case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=0)):
                return ast.Constant(1)
        return tree


def _compiled(tree: ast.expr) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # `2 is None`, where a number stands for a name now
        return compile(ast.fix_missing_locations(ast.Expression(tree)), "<rule>", "eval")
