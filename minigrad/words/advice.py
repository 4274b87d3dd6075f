"""What an error of the backward says after PyTorch's words: the user's own variables and lines, and the usual remedy.

All of it is worked out when the error is raised, from the running frames and the program's text; a program that makes
no mistake pays nothing for it.
"""

import ast
import linecache
from collections.abc import Callable, Iterator
from types import FrameType, FunctionType, ModuleType
from typing import Any, NamedTuple

from ..numbers.dtypes import is_differentiable, short_name
from .source import assignments, is_cell, is_tensor, located, name_of, spot, text_of, user_frame, value_of

FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
    "freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors "
    "after calling backward."
)
HINT = (
    "enable anomaly detection to find the operation that failed to compute its gradient, with "
    "torch.autograd.set_detect_anomaly(True, check_nan=False)."
)
CUTS = ("detach", "detach_", "data", "item", "tolist", "numpy")  # what leaves the graph, as a method or an attribute
HOLDERS: dict[type, Callable] = {}  # classes whose objects hold tensors, and who lists them: `nn` adds Module

# == a second backward =====================================================================================


def freed(node) -> str:
    """The refusal to use a graph that has let go of what it saved: which step it was, and what to do."""
    made, subject = "", "the result"
    if node.source is not None:  # somebody listened, so the place is known
        made, subject = f", which made `{node.source.name or node.source.expression}` ({node.source})", node.source.name
    else:
        for tensor, name, frame in sorted(variables(), key=lambda one: one[0]._node.sequence):
            if reaches(tensor._node, node):
                how = "which made" if tensor._node is node else "a step on the way to"
                made, subject = f", {how} `{name}`{place(definition(name, frame))}", f"`{name}`"
                break
    return (
        f"{FREED}\n{node.name()}{made}, let go of what it had saved when the first backward ran. Give that one "
        f"retain_graph=True, or compute {subject} anew before each backward; what a loop carries from one round to the "
        "next needs a detach()."
    )


def variables() -> Iterator[tuple[Any, str, FrameType]]:
    """The user's variables that hold a recorded result, from the innermost frame outwards to that of the module."""
    frame = user_frame()
    while frame is not None:
        for name, value in list(frame.f_locals.items()):
            if is_tensor(value) and value._node is not None and not name.startswith("_"):
                yield value, name, frame
        frame = frame.f_back if frame.f_code.co_name != "<module>" else None


def reaches(start, node) -> bool:
    """Whether a gradient that starts at one node arrives at another, which is older than all in between."""
    stack, seen = [start], {start}
    while stack:
        one = stack.pop()
        if one is node:
            return True
        ahead = [t for t in one.edges if t is not None and t not in seen and t.sequence >= node.sequence]
        seen.update(ahead)
        stack += ahead
    return False


# == a loss without a history ==============================================================================


def unrecorded(tensor, position: int | None = None) -> str:
    """Why a tensor has no history, as far as the program's text tells, and what to do."""
    frame = user_frame()
    if frame is None:
        return ""
    name = name_of(tensor, frame)
    step = definition(name, frame) if name else None if position is None else differentiated(frame, position)
    subject = f"`{name}`" if name else f"`{ast.unparse(step.expression)}`" if step else "The tensor"
    if not is_differentiable(tensor._data.dtype):
        return f"\n{subject} holds {tensor.dtype}{place(step)}; only floating point numbers have gradients."
    return "\n" + reason(subject, step, frame)


def reason(subject: str, step: "Step | None", frame: FrameType) -> str:
    """Go back from one variable to those that it was computed from, until a step explains the missing history."""
    steps, seen, leaves = [(subject, step)], set[str](), dict[str, Step | None]()
    for name, made in steps:  # grows meanwhile
        inputs = names_in(made.expression, frame) if made else []
        parts = list(ast.walk(made.expression)) if made else []
        is_outside = bool(made and made.within) or any(map(leaves_graph, parts))
        if any(map(differentiates, parts)) and not is_outside:
            history = "that has a history only if its backward got create_graph=True, and if it is no constant"
            return f"{name} comes from a gradient{place(made)}; {history}."
        cut = next((node for node in parts if cuts(node, frame)), None)
        if isinstance(cut, ast.Attribute):
            kept = ast.unparse(cut.value)
            return f"{name} was cut off from the graph by `.{cut.attr}`{place(made)}; compute it from `{kept}` itself."
        sources = [one for one in inputs if live(frame, one)]
        if made and sources:
            operands = " and ".join(f"`{one}`" for one in sources)
            where = "where recording was off, or by a step without derivative"
            where = f"inside {made.within}" if made.within else where
            return f"{name} was computed from {operands} {where}{place(made)}."
        if made and is_outside and name.strip("`") in inputs and not isinstance(made.expression, ast.AugAssign):
            return (
                f"{name} was given a new value that does not require grad{place(made)}; change the old one in place, "
                "inside `with no_grad():`, or call requires_grad_() on the new one."
            )
        if not inputs:
            leaves[name] = made
        earlier = made and (made.filename, made.expression.lineno)
        steps += [(f"`{one}`", definition(one, frame, earlier)) for one in inputs if one not in seen]
        seen.update(inputs)
    if list(leaves) in ([], [subject]):
        made = leaves.get(subject, step)
        return f"{subject} was made without requires_grad=True{place(made)}; set it there, or with requires_grad_()."
    which = "which does not require grad" if len(leaves) == 1 else "none of which requires grad"
    return f"{subject} depends on {', '.join(leaves)}, {which}; call requires_grad_() on it before the computation."


def differentiates(node: ast.AST) -> bool:
    """Whether an expression has a gradient here: `grad(loss, w)`, `autograd.grad(loss, w)`, `w.grad`."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "grad"
    return called or (isinstance(node, ast.Attribute) and node.attr == "grad")


def leaves_graph(node: ast.AST) -> bool:
    """Whether an expression leaves the graph here: `pred.detach()`."""
    return isinstance(node, ast.Attribute) and node.attr in CUTS


def cuts(node: ast.AST, frame: FrameType) -> bool:
    """Whether something that has a gradient to give is cut off here."""
    return leaves_graph(node) and any(live(frame, one) for one in names_in(node, frame))


def live(frame: FrameType, name: str) -> bool:
    """Whether a variable has a gradient to give: a tensor, or a module's parameters."""
    return any(one.requires_grad for one in held(frame, name))


def held(frame: FrameType, name: str) -> list:
    """The tensors that a variable stands for: itself, or a module's parameters."""
    value = value_of(name, frame)
    found = next((tensors_in(value) for kind, tensors_in in HOLDERS.items() if isinstance(value, kind)), [value])
    return list(filter(is_tensor, found))


def names_in(expression: ast.AST, frame: FrameType) -> list[str]:
    """The variables in an expression that hold tensors, or modules with some."""
    given = expression.value if isinstance(expression, ast.Assign) else expression
    names = dict.fromkeys(node.id for node in ast.walk(given) if isinstance(node, ast.Name))
    return [name for name in names if held(frame, name)]


# == a value overwritten in place ==========================================================================


def overwritten(value, counter: list, version: int, made_by, index, kept: str) -> str:
    """PyTorch's words for a saved value that was changed in place; and what it does not say: by whom, what to do."""
    name = made_by.name().partition("Backward")[0] if made_by is not None and not made_by.is_leaf else ""
    whose = f", which is output {index} of {name}," if name else ""
    change, place = "an in-place operation", ""
    if len(counter) > 1 and counter[1] is not None:
        source = located(counter[1])
        change, place = f"`{source.expression}`" if source.expression else change, f" ({source})"
    return (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[torch.{short_name(value)}Tensor {list(value.shape)}]{whose} is at version {counter[0]}; "
        f"expected version {version} instead. Hint: {HINT}\n"
        f"{kept}; then {change} changed it{place}. Write the result to a new tensor, or change a clone()."
    )


# == the program's text ====================================================================================


class Step(NamedTuple):
    """An expression of the user's program: what a variable was computed by."""

    expression: ast.expr | ast.stmt
    filename: str
    within: str  # the block that turned recording off around it, if one did

    def __str__(self) -> str:
        line = self.expression.lineno
        return f"{spot(self.filename, line)}: {linecache.getline(self.filename, line).strip()}"


def place(step: Step | None) -> str:
    return f" ({step})" if step else ""


def definition(name: str, frame: FrameType, until: tuple[str, int] | None = None) -> Step | None:
    """The assignment that gave a variable its value: the last one before a line, in that file or an earlier cell.

    Where none stands before, as in a loop, the last of all. Without `until` the line is the one that runs.
    """
    here, line = until or (frame.f_code.co_filename, frame.f_lineno + 1)
    for filename in (here, *cells(here)):
        found = [Step(made, filename, within) for one, made, within in assignments(text_of(filename)) if one == name]
        before = [step for step in found if filename != here or step.expression.lineno < line]
        if found:
            return max(before or found, key=lambda step: step.expression.lineno)
    return None


def cells(filename: str) -> list[str]:
    """The other cells of a notebook, the latest first."""
    return [one for one in reversed(linecache.cache) if is_cell(one) and one != filename] if is_cell(filename) else []


def differentiated(frame: FrameType, position: int) -> Step | None:
    """The expression whose derivative is asked for, where it has no name: `x.sum()` in `x.sum().backward()`."""
    source = located((frame.f_code, frame.f_lasti))
    try:
        call = ast.parse(source.expression, mode="eval").body
    except SyntaxError:
        return None
    if not isinstance(call, ast.Call):
        return None
    asked = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    root = value_of(ast.unparse(asked).partition(".")[0], frame)
    is_call = any(isinstance(node, ast.Call) for node in ast.walk(asked))
    if call.args and not is_call and isinstance(root, ModuleType | FunctionType):  # grad(x.sum(), w)
        asked = call.args[0]
    if isinstance(asked, ast.List | ast.Tuple) and position < len(asked.elts):
        asked = asked.elts[position]
    asked.lineno = source.line
    return Step(asked, source.filename, "")
