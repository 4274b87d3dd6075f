"""How operations, rules and sums are written and said."""

import ast
import re
import warnings
from typing import Any

import numpy as np

from minigrad.words import formula
from minigrad.words.formula import title

from ..words import operation, places, say
from .marks import in_brackets
from .trace import brief

NAME = re.compile(r"(?<![\w.'\"])[A-Za-z_]\w*(?!\w*(?:[(]|=[^=]))", re.ASCII)  # not called, no attribute, no keyword


USUALLY = dict.fromkeys(("descending", "stable", "skip"), "False")  # options that are told if they are something else
# How a person writes what rules need not write so: of a copy, a rule names only what is copied.
COPIES = {"clone": "{a}.clone()", "contiguous": "{a}.contiguous()", "to_copy": "{a}.to({dtype})"}
CALLED = {
    "floor_divide": "{a} // {b}", "remainder_by_number": "{a} % {b}", "remainder": "{a} % {b}",
    "masked_fill_number": "masked_fill({a}, {mask}, {b})", "once": "unique({a})",
}  # fmt: skip


def written(op: Any, words: list[str]) -> str:
    """An operation on words, as a person writes it: `a + b`, `sum(a, dim=0)`.

    >>> import minigrad as mg
    >>> written(mg.mul.op, ["w", "x"]), written(mg.sum.op, ["a", "0", "False"])
    ('w * x', 'sum(a, dim=0)')
    """
    names = getattr(op, "parameters", ())
    if not names or len(names) != len(words):
        called_as = name_of(op) if hasattr(op, "rules_say") else op.name
        dim = [f"dim={word}" for name, word in zip(names, words) if name == "dim" and word != "0"]
        return f"{called_as}({', '.join([*words[len(names) :], *dim])})"  # what comes before are options
    called = dict(zip(names, words))
    if "index" in called:
        called["index"] = called["index"].strip("(,)")
    if op.name in COPIES | CALLED:
        return (COPIES | CALLED)[op.name].format_map(called)
    if op.name == "convolution":
        return f"{name_of(op)}({', '.join(_of_convolution(called))})"
    told = set(NAME.findall(op.says or ""))
    usual = {**dict.fromkeys(set(names) - told, "None"), **USUALLY, **{x: str(one) for x, one in op.presets.items()}}
    left_out = {name for name, word in zip(names, words) if word == usual.get(name)}
    options = [f"{name}={word}" for name, word in list(zip(names, words))[len(op.inputs) :] if name not in left_out]
    if op.says and not left_out & told and all(one.partition("=")[0] in told or op.public == "" for one in options):
        return renamed(op.says, called).removesuffix(" / 1")
    return f"{name_of(op)}({', '.join([*words[: len(op.inputs)], *options])})"


def name_of(op: Any) -> str:
    """What an operation is called; of a row with nodes of several names, what the row's own name begins with.

    >>> import minigrad as mg
    >>> name_of(mg.sin.op), name_of(mg.ops.joining.split_to.op)
    ('sin', 'split')
    """
    name = title(op)
    return name if name.isidentifier() else op.name.partition("_")[0]


USUAL = {"bias": "None", "stride": "1", "padding": "0", "dilation": "1", "groups": "1"}


def _of_convolution(called: dict[str, str]) -> list[str]:
    """Its arguments, without the options that are as usual in each dimension."""
    told = {name: word for name, word in called.items() if set(re.findall(r"\w+", word)) != {USUAL.get(name)}}
    return [word if name in ("a", "weight", "bias") else f"{name}={word}" for name, word in told.items()]


def spoken(op: Any, words: list[str]) -> str:
    """An operation on words, as a person says it; nothing where we do not know how."""
    sentence = operation(op)
    count = len(places(sentence))
    return sentence.format(*words) if 0 < count <= len(words) else ""


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
        return False, formula.through(op).format_map(Names(names))  # of many matrices and a vector: no short formula
    if op.name == "matmul" and [np.ndim(known.get(one, 0)) for one in "ab"] == [1, 1]:
        return True, names["b" if name == "a" else "a"]  # of two vectors, a number
    told = getattr(op, "rules_say", {}).get(name)
    if told is not None:
        count = _sharing(name, known)
        text = told.format_map(Names(names, count=count)).removesuffix(" / 1")
        if "{g}" not in told and not factored:
            return False, formula.through(op).format_map(Names(names))
        return "{g}" not in told, TRANSPOSED.sub(r"(\1)ᵀ", text)
    if not hasattr(op, "rules_say") or formula.rule_text(op.rules[name]) is None:
        return False, op.derivative(name).partition(" = ")[2]
    factor, text = formula.whole(op, op.rules[name], factored)
    text = simplified(text, op, known)
    if len(text) > formula.LONGEST or "sent back" in text:
        return False, formula.through(op).format_map(Names(names))
    return factor, TRANSPOSED.sub(r"(\1)ᵀ", renamed(text, names).replace(".mT", "ᵀ"))


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
        if (
            isinstance(tree.right, ast.Constant)
            and tree.right.value == 1
            and not isinstance(tree.op, ast.Add | ast.Sub)
        ):
            return tree.left
        return tree


def _compiled(tree: ast.expr) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # `2 is None`, where a number stands for a name now
        return compile(ast.fix_missing_locations(ast.Expression(tree)), "<rule>", "eval")


def renamed(text: str, names: dict[str, str]) -> str:
    """A formula with other names; what is not known keeps its own.

    >>> renamed("cos(a) @ bᵀ", {"a": "x1", "b": "w"})
    'cos(x1) @ wᵀ'
    """
    return NAME.sub(lambda word: names.get(word[0], word[0]), text)


def bracketed(text: str) -> str:
    """In brackets where it would be torn apart as a factor.

    >>> bracketed("-2"), bracketed("cos(a)"), bracketed("1 - a * a"), bracketed("1e-05")
    ('(-2)', 'cos(a)', '(1 - a * a)', '1e-05')
    """
    text, depth = in_brackets(text), 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and (c in "+-" and text[i - 1] != "e" or c == "*" or c == "/"):
            return f"({text})"
    return text


PROSE = re.compile(r"(?<!\w)(?!if|else|and|or|not|in|for)[a-z]+ (?!if |else |and |or |not |in |for )[a-z]+(?!\w)")


def is_prose(text: str) -> bool:
    """Whether a rule is told in words, and is no formula.

    >>> is_prose("g where x was picked"), is_prose("g * x if x > 0 else 0")
    (True, False)
    """
    return bool(PROSE.search(text))


def is_choice(text: str) -> bool:
    """Whether a formula ends with what holds otherwise, so that an equals sign behind it would be read wrongly.

    >>> is_choice("g where a > 0, else 0"), is_choice("g · (1 if a > 0 else 0)"), is_choice("g · where(a, 1, 0)")
    (True, False, False)
    """
    return re.search(r"\b(where|else) ", re.sub(r"\([^()]*\)", "", text)) is not None


def sum_text(before: Any, part: Any, after: Any) -> str:
    """`4 + (-1) = 3`; of arrays only the sum."""
    if np.size(after) != 1:
        return brief(after)
    return f"{brief(before)} + {bracketed(brief(part))} = {brief(after)}"


def shape_text(value: Any) -> str:
    return "×".join(map(str, np.shape(value))) or say("values.one_number")


def bare(node: Any) -> str:
    """What a node is called, without the C++ namespace that PyTorch has before some names."""
    return node.name().rpartition(":")[2]
