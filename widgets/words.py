"""How operations, rules and sums are written and said."""

import ast
import functools
import re
from typing import Any

import numpy as np

from .trace import brief

NAME = re.compile(r"(?<![\w.'\"])[A-Za-z_]\w*(?!\w*[(])", re.ASCII)  # a name that is not called, and no attribute
SPOKEN = {  # how an operation is said; others are only written
    "neg": "the negative of {}",
    "add": "{} plus {}",
    "sub": "{} minus {}",
    "mul": "{} times {}",
    "div": "{} divided by {}",
    "sin": "the sine of {}",
    "cos": "the cosine of {}",
    "tan": "the tangent of {}",
    "exp": "e to the power of {}",
    "log": "the logarithm of {}",
    "sqrt": "the square root of {}",
    "square": "the square of {}",
    "tanh": "the hyperbolic tangent of {}",
    "sigmoid": "the sigmoid of {}",
    "relu": "{}, or 0 if that is negative",
    "abs": "the size of {}",
    "power_of_number": "{} to the power of {}",
    "sum": "the sum of {}",
    "mean": "the mean of {}",
    "matmul": "the matrix product of {} and {}",
}


def written(op: Any, words: list[str]) -> str:
    """An operation on words, as a person writes it: `a + b`, `sum(a, dim=0)`.

    >>> import minigrad as mg
    >>> written(mg.mul.op, ["w", "x"]), written(mg.sum.op, ["a", "0", "False"])
    ('w * x', 'sum(a, dim=0)')
    """
    names = getattr(op, "parameters", ())
    if not names or len(names) != len(words):
        return f"{op.name}({', '.join(words[len(names) :])})"  # what comes before are options
    called = dict(zip(names, words))
    if op.name in WRITTEN:
        return WRITTEN[op.name].format_map(called | {"at": called.get("index", "").strip("(,)")})
    if op.name == "convolution":
        return f"{title(op)}({', '.join(_of_convolution(called))})"
    left_out = {name for name, word in zip(names, words) if word == str(op.defaults.get(name, op))}
    if op.says and not left_out:
        return renamed(op.says, called)
    options = [f"{name}={word}" for name, word in list(zip(names, words))[len(op.inputs) :] if name not in left_out]
    return f"{title(op)}({', '.join([*words[: len(op.inputs)], *options])})"


WRITTEN = {  # operations whose arguments a person writes in a form of their own
    "pick": "{a}[{at}]",
    "pick_view": "{a}[{at}]",
    "negative_log_likelihood": "nll_loss({a}, reduction={reduction})",
}
USUAL = {"bias": "None", "stride": "1", "padding": "0", "dilation": "1", "groups": "1"}


def _of_convolution(called: dict[str, str]) -> list[str]:
    """Its arguments, without the options that are as usual in each dimension."""
    told = {name: word for name, word in called.items() if set(re.findall(r"\w+", word)) != {USUAL.get(name)}}
    return [word if name in ("a", "weight", "bias") else f"{name}={word}" for name, word in told.items()]


def title(op: Any) -> str:
    """What an operation is called outside of the tables: as its node in the graph is.

    >>> import minigrad as mg
    >>> title(mg.sin.op), title(mg.ops.elementwise.clamp_to_numbers.op)
    ('sin', 'clamp')
    """
    if not isinstance(op.grad_fn, str):
        return op.name
    return re.sub(r"(?<!^)(?=[A-Z])", "_", op.grad_fn.partition("Backward")[0]).lower()


def spoken(op: Any, words: list[str]) -> str:
    """An operation on words, as a person says it; nothing where we do not know how."""
    sentence = SPOKEN.get(op.name, "")
    count = sentence.count("{}")
    return sentence.format(*words) if 0 < count <= len(words) else ""


SAID = {  # rules that say more in words than in the functions they are made of, by operation and input
    ("pick", "a"): "{g} where {a} was picked, 0 elsewhere",
    ("pick_view", "a"): "{g} where {a} was picked, 0 elsewhere",
    ("negative_log_likelihood", "a"): "-{g} · its weight / {total} at each right class, 0 elsewhere",
    ("convolution", "a"): "{g} times {weight}, each added where its window was",
    ("convolution", "weight"): "{g} times the window of {a} under it, all summed",
    ("convolution", "bias"): "{g}, summed in each channel",
    ("mm", "mat2"): "{a}ᵀ @ {g}",
    ("matmul", "b"): "{a}ᵀ @ {g}",
    ("addmm_of", "mat2"): "{mat1}ᵀ @ {g}",
    ("relu", "a"): "{g} where {out} > 0, else 0",
    ("t", "a"): "{g}ᵀ",
    ("transpose", "a"): "{g}, transposed back",
    ("permute", "a"): "{g}, permuted back",
    ("reshape", "a"): "{g} in the shape of {a}",
    ("view", "a"): "{g} in the shape of {a}",
    ("flatten", "a"): "{g} in the shape of {a}",
    ("squeeze", "a"): "{g} in the shape of {a}",
    ("unsqueeze", "a"): "{g} in the shape of {a}",
    ("expand", "a"): "{g}, summed over the copies of {a}",
}
SHARES = ("sum", "mean", "squared_error")  # each element of a sum gets all of the gradient, of a mean one share


def rule(op: Any, name: str, names: dict[str, str], known: dict[str, Any]) -> tuple[bool, str]:
    """How the gradient of one input is made, in the user's names; first whether it is a factor of the gradient `g`.

    >>> import minigrad as mg
    >>> rule(mg.sin.op, "a", {"a": "x"}, {})
    (True, 'cos(x)')
    >>> rule(mg.mm.op, "mat2", {"a": "x", "g": "∂L/∂y"}, {})
    (False, 'xᵀ @ ∂L/∂y')
    """
    if (op.name, name) in SAID:
        return False, SAID[op.name, name].format_map(Names(names))
    if op.name in SHARES:
        return True, _share(op, name, names, known)
    left, _, right = _derivative(op, name, op.rules[name]).partition(" = ")
    return left.startswith("∂out"), renamed(simplified(right, op, known), names).replace(".mT", "ᵀ")


@functools.lru_cache(1024)
def _derivative(op: Any, name: str, _: Any) -> str:
    return op.derivative(name)


class Names(dict):
    """Names by themselves where there is no other."""

    def __missing__(self, name: str) -> str:
        return name


def _share(op: Any, name: str, names: dict[str, str], known: dict[str, Any]) -> str:
    means = op.name == "mean" or known.get("reduction") == "mean"
    shares = np.size(known.get(name, 0)) // max(np.size(known.get("out", 0)), 1) if means else 1
    factor = "1"
    if op.name == "squared_error":
        one, other = (names["a"], names["target"]) if name == "a" else (names["target"], names["a"])
        factor = f"2 * ({one} - {other})"
    return factor if shares == 1 else f"{factor} / {shares}"


def simplified(text: str, op: Any, known: dict[str, Any]) -> str:
    """A rule in which numbers stand for options, and what follows from that is worked out.

    >>> import minigrad as mg
    >>> simplified("exponent * a ** (exponent - 1) if exponent != 0 else a", mg.sin.op, {"exponent": 2})
    '2 * a'
    """
    if " if " not in text and not any(name in text and isinstance(known[name], int | float) for name in known):
        return text
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:  # it is told in words
        return text
    return ast.unparse(_Simplified(op, known).visit(tree))


class _Simplified(ast.NodeTransformer):
    def __init__(self, op: Any, known: dict[str, Any]) -> None:
        numbers = {name: one for name, one in known.items() if isinstance(one, int | float) and name not in op.inputs}
        self.numbers = {name: float(one) if isinstance(one, float) else one for name, one in numbers.items()}
        self.known = {**known, **shapes(known), "len": len}

    def visit_Name(self, tree: ast.Name) -> ast.expr:
        return ast.Constant(self.numbers[tree.id]) if tree.id in self.numbers else tree

    def visit_Call(self, tree: ast.Call) -> ast.expr:
        self.generic_visit(tree)
        if isinstance(tree.func, ast.Name) and tree.func.id == "raised":  # a power, only faster
            return self.visit_BinOp(ast.BinOp(tree.args[0], ast.Pow(), tree.args[1]))
        return tree

    def visit_IfExp(self, tree: ast.IfExp) -> ast.expr:
        try:
            holds = eval(_compiled(tree.test), dict(self.known))  # a formula of our own tables
        except (NameError, AttributeError, ValueError, TypeError):
            return self.generic_visit(tree)  # type: ignore[return-value]
        return self.visit(tree.body if holds else tree.orelse)

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


def shapes(known: dict[str, Any]) -> dict[str, tuple]:
    """What rules call `a_shape`."""
    return {f"{name}_shape": value.shape for name, value in known.items() if hasattr(value, "shape")}


def _compiled(tree: ast.expr) -> Any:
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
    depth = 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and (c in "+-" and text[i - 1] != "e" or c == "*" or c == "/"):
            return f"({text})"
    return text


def sum_text(before: Any, part: Any, after: Any) -> str:
    """`4 + (-1) = 3`; of arrays only the sum."""
    if np.size(after) != 1:
        return brief(after)
    return f"{brief(before)} + {bracketed(brief(part))} = {brief(after)}"


def shape_text(value: Any) -> str:
    return "×".join(map(str, np.shape(value))) or "1 number"
