"""How a person writes a rule: read from the rule's own source, so that there is nothing to keep in step.

>>> import minigrad as mg
>>> print(derivative(mg.div.op, "b"))
∂out/∂b = -(a / b / b)
"""

import ast
import contextlib
import copy
import functools
import inspect
import math
import re
import textwrap
from collections.abc import Callable

from .source import lines_of


@functools.lru_cache(1024)
def rule_text(rule) -> str | None:
    """The expression of a lambda as it stands in the table; for a longer rule its name; None where there is no file."""
    if rule.__name__ != "<lambda>":
        return f"{rule.__name__}(g, …)"
    spans = [span for span in rule.__code__.co_positions() if None not in span]
    spans = [span for span in spans if (span[0], span[2]) != (span[1], span[3])]  # the function's own start is empty
    first = min((line, column) for line, _, column, _ in spans)
    last = max((line, column) for _, line, _, column in spans)
    lines = lines_of(rule.__code__.co_filename)[first[0] - 1 : last[0]]
    if not lines:  # typed at a prompt
        return None
    lines[-1] = lines[-1].encode()[: last[1]].decode()
    lines[0] = lines[0].encode()[first[1] :].decode()
    return " ".join(line.strip() for line in lines)


LONGEST = 120  # characters of a formula that a person reads


def derivative(op, name: str) -> str:
    """`∂out/∂a = …` where the rule multiplies `g` by that; else how the gradient itself is made."""
    if op.rules.get(name) is None:
        return f"no gradient flows to {name}"
    if name in op.rules_say:
        factor, text = "{g}" not in op.rules_say[name], as_written(op.rules_say[name])
    elif rule_text(op.rules[name]) is None:
        return f"∂L/∂{name}: the rule has no source to read"
    else:
        factor, text = whole(op, op.rules[name])
        if len(text) > LONGEST:
            factor, text = False, as_written(through(op))
    return f"∂out/∂{name} = {text}" if factor else f"∂L/∂{name} = {text}"


@functools.lru_cache(1024)
def whole(op, rule: Callable, factored: bool = True) -> tuple[bool, str]:
    """Whether a rule is a factor of `g` (if it may be one), and its formula, however long, of what people know."""
    tree = WrittenOut(rule.__globals__).visit(ast.parse(rule_text(rule) or "g", mode="eval").body)
    if any(is_helper(one.id, rule.__globals__.get(one.id)) for one in ast.walk(tree) if isinstance(one, ast.Name)):
        return False, as_written(through(op))
    local = _without_g(tree) if op.elementwise and factored else None
    return local is not None, ast.unparse(tree if local is None else local)


def through(op) -> str:
    """What is said where a formula would be long or made of helpers: which operation the gradient goes through."""
    return "{g}, sent back through " + title(op)


def as_written(text: str) -> str:
    """A sentence with each name in braces as itself."""
    return re.sub(r"{(\w+)}", r"\1", text)


def title(op) -> str:
    """What an operation is called outside of the tables: as its node in the graph is.

    >>> import minigrad as mg
    >>> title(mg.sin.op), title(mg.ops.elementwise.clamp_to_numbers.op)
    ('sin', 'clamp')
    """
    if op.grad_fn is None:
        return op.name
    if callable(op.grad_fn):
        return op.name if op.public != "" or op.name in known else "this operation"
    return re.sub(r"(?<!^)(?=[A-Z][a-z])", "_", op.grad_fn.partition("Backward")[0]).lower()


# == helpers, written out ==================================================================================


known: set[str] = set()  # the names that people know: those under which the tables offer something


def written_as(text: str) -> Callable:
    """For a helper of the tables that people need not know: what they write instead of a call of it."""

    def mark(function):
        function.written = text
        return function

    return mark


def is_helper(name: str, value) -> bool:
    """Whether it is known in our tables only: a row or a function that is offered nowhere."""
    if name in known or not callable(value) or isinstance(value, type):
        return False
    return value.op.public == "" if hasattr(value, "op") else (value.__module__ or "").startswith("minigrad")


class WrittenOut(ast.NodeTransformer):
    """Replaces the helpers by their own expressions, as far as they are expressions."""

    def __init__(self, space: dict, inside: tuple = ()) -> None:
        self.space, self.inside = space, inside  # the globals of the rule; the helpers that are being written out

    def visit_Name(self, tree: ast.Name) -> ast.expr:
        value = self.space.get(tree.id)
        if isinstance(value, float) and math.isfinite(value):  # a constant of the table
            return ast.Constant(float(f"{value:.4g}"))
        if tree.id.endswith("_shape"):
            return ast.Attribute(ast.Name(tree.id.removesuffix("_shape")), "shape")
        return tree

    def visit_Attribute(self, tree: ast.Attribute) -> ast.expr:
        if isinstance(tree.value, ast.Name) and tree.value.id == "math":
            return ast.Name("π" if tree.attr == "pi" else tree.attr)
        return tree

    def visit_Call(self, tree: ast.Call) -> ast.expr:
        name = tree.func.id if isinstance(tree.func, ast.Name) else ""
        function = self.space.get(name)
        arguments = [self.visit(one) for one in tree.args]
        if function is None or tree.keywords or not is_helper(name, function) or function in self.inside:
            count, names = (len(arguments), ()) if function is None else options_of(function)
            options = list(map(ast.keyword, names, arguments[count:]))
            options += [ast.keyword(one.arg, self.visit(one.value)) for one in tree.keywords]
            return ast.Call(self.visit(tree.func), arguments[:count], options)
        found = expression(function)
        if found is None or len(found[0]) < len(arguments):
            return ast.Call(tree.func, arguments, [])
        names, body, space, defaults = found
        values = defaults | dict(zip(names, arguments))
        body = WrittenOut(space, (*self.inside, function)).visit(copy.deepcopy(body))
        return Substituted(values).visit(body)


def options_of(function) -> tuple[int, tuple]:
    """How many operands are written before the options of a function, and what those are called.

    >>> import minigrad as mg
    >>> options_of(mg.sum), options_of(mg.stack)
    ((1, ('dim', 'keepdim')), (1, ('dim',)))
    """
    if hasattr(function, "op"):
        names, count = function.op.parameters, len(function.op.inputs)
    else:
        given = inspect.signature(function).parameters.values()
        names, count = tuple(one.name for one in given), sum(one.default is one.empty for one in given)
    return count, names[count:]


class Substituted(ast.NodeTransformer):
    """Puts values for names."""

    def __init__(self, values: dict) -> None:
        self.values = values

    def visit_Name(self, tree: ast.Name) -> ast.expr:
        return copy.deepcopy(self.values.get(tree.id, tree))


def expression(function) -> tuple[tuple, ast.expr, dict, dict] | None:
    """A helper as one expression: its parameters, the expression, its globals, and its defaults."""
    function = inspect.unwrap(function)
    text = function.op.says if hasattr(function, "op") else getattr(function, "written", None)
    with contextlib.suppress(SyntaxError, OSError, TypeError):
        if text is not None or hasattr(function, "op"):
            said = ast.parse(text or "", mode="eval").body
            if hasattr(function, "op"):
                return function.op.parameters, said, {}, {}
            body: ast.expr | None = said
        else:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
            body = folded(tree.body, {}) if isinstance(tree, ast.FunctionDef) else None
        code = function.__code__
        names = code.co_varnames[: code.co_argcount]
        defaults = dict(zip(reversed(names), map(ast.Constant, reversed(function.__defaults__ or ()))))
        return None if body is None else (names, body, {} if text else function.__globals__, defaults)
    return None


def folded(statements: list, values: dict) -> ast.expr | None:
    """What a function returns, as one expression: its variables filled in, each `if` as a choice of two values."""
    for i, one in enumerate(statements):
        if isinstance(one, ast.Return):
            return one.value and Substituted(values).visit(copy.deepcopy(one.value))
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            values = values | {one.targets[0].id: Substituted(values).visit(copy.deepcopy(one.value))}
        elif isinstance(one, ast.If) and not one.orelse:
            so, else_so = folded([*one.body, *statements[i + 1 :]], values), folded(statements[i + 1 :], values)
            test = Substituted(values).visit(copy.deepcopy(one.test))
            return ast.IfExp(test, so, else_so) if so and else_so else None
        elif not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)):
            return None
    return None


# == the factor by which `g` is multiplied =================================================================


def _without_g(tree):
    """The factor by which `g` is multiplied, or None where the rule is no such product."""
    match tree:
        case ast.Name(id="g"):
            return ast.Constant(1)
        case ast.Constant(value=0):
            return tree
        case ast.Call(func=ast.Name(id="where"), args=[test, *values]) if not _uses_g(test):
            chosen = [_without_g(value) for value in values]
            return ast.Call(tree.func, [test, *chosen], []) if all(chosen) else None
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _without_g(operand)
            return inner and ast.UnaryOp(tree.op, inner)
        case ast.IfExp(test=test, body=body, orelse=other) if not _uses_g(test):
            chosen = [_without_g(body), _without_g(other)]
            return ast.IfExp(test, *chosen) if all(chosen) else None
        case ast.BinOp(left=ast.UnaryOp(op=ast.USub(), operand=left)):  # -g * a is -(g * a)
            return _without_g(ast.UnaryOp(ast.USub(), ast.BinOp(left, tree.op, tree.right)))
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div(), right=right) if not _uses_g(right):
            inner = _without_g(left)
            if isinstance(tree.op, ast.Mult) and isinstance(inner, ast.Constant) and inner.value == 1:
                return right
            return inner and ast.BinOp(inner, tree.op, right)
    return None


def _uses_g(tree) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "g" for node in ast.walk(tree))
