"""How a person writes a rule: read from the rule's own source, so that there is nothing to keep in step.

>>> import minigrad as mg
>>> print(derivative(mg.div.op, "b"))
∂out/∂b = -(a / b / b)
"""

import ast
import linecache


def rule_text(rule) -> str | None:
    """The expression of a lambda as it stands in the table; for a longer rule its name; None where there is no file."""
    if rule.__name__ != "<lambda>":
        return f"{rule.__name__}(g, …)"
    spans = [span for span in rule.__code__.co_positions() if None not in span]
    spans = [span for span in spans if (span[0], span[2]) != (span[1], span[3])]  # the function's own start is empty
    first = min((line, column) for line, _, column, _ in spans)
    last = max((line, column) for _, line, _, column in spans)
    lines = linecache.getlines(rule.__code__.co_filename)[first[0] - 1 : last[0]]
    if not lines:  # typed at a prompt
        return None
    lines[-1] = lines[-1].encode()[: last[1]].decode()
    lines[0] = lines[0].encode()[first[1] :].decode()
    return " ".join(line.strip() for line in lines)


def derivative(op, name: str) -> str:
    """`∂out/∂a = …` where the rule multiplies `g` by that; else how the gradient itself is made."""
    rule = op.rules.get(name)
    if rule is None:
        return f"no gradient flows to {name}"
    text = rule_text(rule)
    if text is None:
        return f"∂L/∂{name}: the rule has no source to read"
    local = _without_g(ast.parse(text, mode="eval").body) if op.elementwise else None
    if local is not None:
        return f"∂out/∂{name} = {ast.unparse(local)}"
    return f"∂L/∂{name} = {text}"


def _without_g(tree):
    """The factor by which `g` is multiplied, or None where the rule is no such product."""
    if isinstance(tree, ast.Name):
        return ast.Constant(1) if tree.id == "g" else None
    if ast.unparse(tree) == "nothing(g)":
        return ast.Constant(0)
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        inner = _without_g(tree.operand)
        return inner and ast.UnaryOp(tree.op, inner)
    if isinstance(tree, ast.IfExp) and not _uses_g(tree.test):
        body, other = _without_g(tree.body), _without_g(tree.orelse)
        return body and other and ast.IfExp(tree.test, body, other)
    if not isinstance(tree, ast.BinOp) or not isinstance(tree.op, ast.Mult | ast.Div):
        return None
    if _uses_g(tree.right):
        return None
    inner = _without_g(tree.left)
    if inner is None:
        return None
    if isinstance(inner, ast.Constant) and inner.value == 1:
        return tree.right if isinstance(tree.op, ast.Mult) else ast.BinOp(inner, tree.op, tree.right)
    if isinstance(inner, ast.UnaryOp) and isinstance(inner.operand, ast.Constant) and inner.operand.value == 1:
        whole = tree.right if isinstance(tree.op, ast.Mult) else ast.BinOp(inner.operand, tree.op, tree.right)
        return ast.UnaryOp(inner.op, whole)
    return ast.BinOp(inner, tree.op, tree.right)


def _uses_g(tree) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "g" for node in ast.walk(tree))
