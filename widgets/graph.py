"""The graph of a result as a picture: what was made from what, the values on the way, and each leaf's mailbox.

>>> import minigrad as mg
>>> a = mg.tensor(3.0, requires_grad=True)
>>> b = a + a
>>> draw(b, names={"a": a, "b": b})
a          AccumulateGrad  3  .grad –
b = a + a  AddBackward0    6
"""

import itertools
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from minigrad import Tensor
from minigrad.autograd import events
from minigrad.autograd.graph import AccumulateGrad, Node, OpNode, node_of

from . import layout

LIMIT = 400  # nodes; a larger picture can be laid out, but nobody can read it
NOT_YET = "–"  # a gradient that has not come is not zero
UNKNOWN: Any = object()  # a value that nobody kept


class Drawing:
    """A drawn graph: shown as a picture in a notebook, and as an outline where there are no pictures.

    Attributes:
        dot: the picture as DOT text.
        outline: the same facts as lines of text.
    """

    def __init__(self, dot: str, outline: str, title: str) -> None:
        self.dot, self.outline, self.title = dot, outline, title

    @property
    def svg(self) -> str:
        """The picture; `LayoutError` where it cannot be made."""
        if not self.dot:
            raise layout.LayoutError(self.outline)
        return layout.svg(self.dot, self.title)

    def save(self, path: str | Path) -> None:
        """Write the picture to a file, as SVG or as DOT text by the file's ending."""
        path = Path(path)
        if path.suffix not in (".svg", ".dot"):
            raise ValueError(f"a drawing is saved as .svg or .dot, not as '{path.name}'")
        path.write_text(self.svg if path.suffix == ".svg" else self.dot, encoding="utf-8", newline="\n")

    def __repr__(self) -> str:
        return self.outline

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        shown = {"text/plain": self.outline}
        try:
            if self.dot:
                shown["image/svg+xml"] = self.svg
        except layout.LayoutError as error:
            print(error, file=sys.stderr)
        return shown


def draw(
    *results: Tensor | Callable[[], Any],
    names: Mapping[str, Tensor] | None = None,
    direction: str = "TB",
    limit: int = LIMIT,
) -> Drawing:
    """Draw how results were made, from the leaves down.

    A graph keeps only what its backward needs. So the picture shows the values that it kept and those of variables; a
    value that is gone is marked "not kept". To see all of them, hand over the program instead of its result.

    Args:
        results: one Tensor or several; or a function without arguments that returns them, which is run and watched.
        names: what to call tensors; the caller's variables if omitted. What has no name becomes v1, v2, …
        direction: "TB" draws from top to bottom, "LR" from left to right.
        limit: how many nodes are drawn at most.

    >>> import minigrad as mg
    >>> a = mg.tensor([0.0, 1.0], requires_grad=True)
    >>> draw(lambda: 2 * mg.sin(a) + 1)
    a            AccumulateGrad  [0, 1]       .grad –
    v1 = sin(a)  SinBackward0    [0, 0.8415]
    v2 = v1 * 2  MulBackward0    [0, 1.683]
    v3 = v2 + 1  AddBackward0    [1, 2.683]
    """
    sheet = layout.Sheet(direction)
    reader = Reader()
    tensors: tuple = results
    if len(results) == 1 and not isinstance(results[0], Tensor) and callable(results[0]):
        tensors = reader.watch(results[0])
    if not tensors or not all(isinstance(tensor, Tensor) for tensor in tensors):
        raise TypeError(f"draw() takes Tensors, or a function that returns them, but got {tensors!r}")
    if names is None:
        frame = sys._getframe(1)
        scopes: tuple = (frame.f_locals, frame.f_globals)
    elif all(isinstance(tensor, Tensor) for tensor in names.values()):
        scopes = (names,)
    else:
        raise TypeError("names must be a dictionary from names to Tensors")
    for scope in scopes:
        for name, value in scope.items():
            if isinstance(value, Tensor) and (names is not None or not name.startswith("_")):
                reader.know(value, name)

    nodes = reachable([node_of(tensor) for tensor in tensors if tensor.requires_grad])
    if len(nodes) > limit:
        return Drawing("", f"A graph of {len(nodes):,} nodes; at most {limit:,} are drawn, see draw(…, limit=…).", "")
    boxes = reader.read(nodes, tensors)
    for number, box in enumerate(boxes):
        box.id = f"n{number}"
        sheet.box(box.id, box.kind, box.lines(), box.mailbox)
        for slot, source in enumerate(box.inputs):
            sheet.arrow(source.id, box.id, f"{box.id}-{slot}")
    title = ", ".join(reader.box_of(tensor).name for tensor in tensors)
    return Drawing(sheet.dot, outline(boxes), f"Computation graph of {title}")


def reachable(roots: list[Node]) -> list[Node]:
    """All nodes that the roots lead to, oldest first."""
    seen = set(roots)
    stack = list(seen)
    while stack:
        for target in stack.pop().edges:
            if target is not None and target not in seen:
                seen.add(target)
                stack.append(target)
    return sorted(seen, key=lambda node: node.sequence)


@dataclass
class Box:
    """What is drawn as one box."""

    kind: str  # one of layout.LOOKS
    name: str = ""  # the variable, a number, or v1, v2, …
    formula: str = ""  # how it was made
    node: str = ""  # the name of its node in the graph
    value: Any = UNKNOWN
    shape: tuple = ()
    mailbox: str | None = None
    inputs: list["Box"] = field(default_factory=list)  # one for each argument slot: `a + a` has two
    id: str = ""

    def title(self) -> str:
        return " = ".join(filter(None, (self.name, self.formula)))

    def text(self) -> str:
        """The value in a few characters."""
        if self.value is not UNKNOWN:
            return brief(self.value)
        return f"{count(self.shape)}, not kept" if self.shape else "not kept"

    def lines(self) -> list[str]:
        value = [] if self.value is None or self.name == self.text() else [self.text()]
        return [self.title(), *value, *filter(None, [self.node])]


def outline(boxes: list[Box]) -> str:
    """All boxes but those of bare numbers, which the formulas name, as a table."""
    rows = [
        (box.title(), box.node or box.kind, box.text() if box.value is not None else "", box.mailbox or "")
        for box in boxes
        if box.kind != "constant" or box.name not in ("?", box.text()) or len(boxes) == 1
    ]
    widths = [max(layout.columns(row[i]) for row in rows) for i in range(3)]
    lines = ["  ".join(cell + " " * (w - layout.columns(cell)) for cell, w in zip(row, [*widths, 0])) for row in rows]
    if any("?" in row[0] for row in rows):
        lines.append("? is a value that the graph does not hold: no derivative needs it, or a backward has let it go.")
    return "\n".join(line.rstrip() for line in lines)


def brief(value) -> str:
    """A value in a few characters: a number, up to four numbers, or how many there are and between which bounds.

    >>> brief(2.0), brief(np.array([0, 0.5])), brief(np.ones((64, 100)))
    ('2', '[0, 0.5]', '64×100 values: all 1')
    """
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        return layout.shorten(repr(value), 12)
    if array.ndim == 0:
        return number(array)
    if array.ndim == 1 and 0 < array.size <= 4:
        return f"[{', '.join(map(number, array))}]"
    if array.size == 0 or array.dtype.kind == "c":
        return count(array.shape)
    low, high = number(array.min()), number(array.max())
    return f"{count(array.shape)}: {f'all {low}' if low == high else f'{low} … {high}'}"


def number(value) -> str:
    return str(value) if value.dtype.kind in "biu" else f"{value + 0:.4g}"  # + 0: never a minus before zero


def count(shape: tuple) -> str:
    return "×".join(map(str, shape)) + " values"


def gradient(tensor: Tensor) -> str:
    """What is in a tensor's mailbox."""
    return f".grad {NOT_YET if tensor.grad is None else brief(tensor.grad._data)}"


def formula(node: Node, inputs: list[str], known: dict[str, str]) -> str:
    """How a value was made, as a person writes it: `a + b`, `sum(a, dim=0)`."""
    if not isinstance(node, OpNode):
        return f"{re.sub(r'Backward[0-9]*$', '', node.name())}({', '.join(inputs)})"
    op = node.op
    if op.many:
        return f"{op.name}({', '.join(inputs)})"
    known = known | {op.inputs[i]: name for i, name in zip(op.slots, inputs)}
    if op.says:
        known = dict.fromkeys(op.parameters, "?") | known
        return re.sub("[A-Za-z_][A-Za-z_0-9]*", lambda word: known.get(word[0], word[0]), op.says)
    options = [name for name in op.parameters[len(op.inputs) :] if name in known]
    options = [f"{name}={known[name]}" for name in options if known[name] != brief(op.defaults.get(name))]
    return f"{op.name}({', '.join([known.get(name, name) for name in op.inputs] + options)})"


def place(tensor: Tensor):
    """What tells a tensor apart: the node and output that made it; the leaf; or, as a node keeps no more of a tensor
    without a history, its array."""
    if tensor.grad_fn is not None:
        return tensor.grad_fn, tensor.output_nr
    return id(tensor) if tensor.requires_grad else id(tensor._data)


class Reader:
    """Reads boxes off a graph, with what is known besides it: names, and values that the graph itself did not keep."""

    def __init__(self) -> None:
        self.names: dict = {}  # by place
        self.values: dict = {}  # by place, as arrays
        self.arguments: dict[Node, list] = {}  # of operations that were watched
        self.boxes: dict = {}  # by place, in the order of the drawing
        self._fresh = (f"v{i}" for i in itertools.count(1))

    def know(self, tensor: Tensor, name: str | None = None) -> None:
        """Remember a tensor's value, and its name; the first name counts."""
        where = place(tensor)
        self.values.setdefault(where, tensor._data)
        if name:
            self.names.setdefault(where, layout.shorten(name, 16))

    def watch(self, program: Callable[[], Any]) -> tuple:
        """Run a program and remember what it computes; its results."""
        made: list[events.Made] = []
        with events.listen(made.append, events.Made, source=True):
            results = program()
        for event in made:
            if event.node is not None:
                self.arguments[event.node] = event.values
            inputs = [value for value in event.values if isinstance(value, Tensor)]
            outputs = event.output if isinstance(event.output, tuple) else (event.output,)
            for tensor, name in zip(inputs, event.source.names if event.source else ()):
                self.know(tensor, name)
            for tensor in outputs:
                self.know(tensor, event.source.name if event.source and len(outputs) == 1 else None)
        return results if isinstance(results, tuple) else (results,)

    def read(self, nodes: list[Node], results: tuple) -> list[Box]:
        """One box for each node, constant, and output of an operation that has several."""
        for node in nodes:
            if isinstance(node, AccumulateGrad):
                tensor = node.variable
                self.add(id(tensor), Box("leaf", node=node.name(), value=tensor._data, mailbox=gradient(tensor)))
            else:
                self.operation(node)
        for tensor in results:
            self.know(tensor)
            box = self.box_of(tensor)
            box.kind = "result" if tensor.grad_fn else box.kind
        for where in self.values.keys() & self.boxes.keys():
            self.boxes[where].value = self.values[where]
        return list(self.boxes.values())

    def operation(self, node: Node) -> None:
        kept, inputs = self.kept(node), []
        for slot, (target, index) in enumerate(node.next_functions):
            value = kept.get(slot, UNKNOWN)
            source = self.constant(value) if target is None else self.source(target, index)
            if source.value is UNKNOWN:
                source.value = value
            inputs.append(source)
        box = Box("operation", node=node.name(), inputs=inputs, shape=node.shape)
        known = {name: word for name, value in kept.items() if (word := self.word(value))}
        box.formula = formula(node, [source.name for source in inputs], known)
        if node.outputs > 1:
            box.value = None  # each output has a box of its own
            self.boxes[node, None] = box
            return
        box.value = kept.get("out", UNKNOWN)
        retained = node.hooks.retain[0]() if node.hooks and 0 in node.hooks.retain else None
        box.mailbox = None if retained is None else gradient(retained)
        self.add((node, 0), box)

    def word(self, value) -> str:
        """What stands for a known value in a formula; nothing for a nameless array."""
        return self.names.get(id(value)) or ("" if isinstance(value, np.ndarray) and value.ndim else brief(value))

    def kept(self, node: Node) -> dict:
        """The arguments of an operation that are known, by name and by slot."""
        if not isinstance(node, OpNode):
            return {}
        op, known = node.op, dict[Any, Any]()
        if node in self.arguments:
            values = self.arguments[node]
            known |= enumerate(values[op.first :]) if op.many else {}
            known |= zip(op.parameters, values)
        else:
            for i, save in enumerate(node.plan.saves):
                try:
                    known[save.name] = node.unpack(i)
                except RuntimeError:
                    pass  # freed by a backward, or overwritten in place
        if not op.many:
            known |= {slot: known[name] for slot, i in enumerate(op.slots) if (name := op.inputs[i]) in known}
        return {key: value._data if isinstance(value, Tensor) else value for key, value in known.items()}

    def source(self, node: Node, index: int) -> Box:
        """The box of one output of a node."""
        where = id(node.variable) if isinstance(node, AccumulateGrad) else (node, index)
        if where in self.boxes:
            return self.boxes[where]
        box = Box("output", formula=f"output {index}", inputs=[self.boxes[node, None]], shape=node.expects(index)[0])
        return self.add(where, box)

    def constant(self, value) -> Box:
        """The box of an argument through which no gradient flows: an array or a number."""
        where = id(value) if isinstance(value, np.ndarray | np.generic) else object()
        if where in self.boxes:
            return self.boxes[where]
        nameless = where not in self.names and not np.ndim(value)
        return self.add(where, Box("constant", ("?" if value is UNKNOWN else brief(value)) * nameless, value=value))

    def box_of(self, tensor: Tensor) -> Box:
        return self.source(node_of(tensor), tensor.output_nr) if tensor.requires_grad else self.constant(tensor._data)

    def add(self, where, box: Box) -> Box:
        """Keep a box under the user's name for it, or one of ours."""
        if not box.name:
            taken = self.names.values()
            box.name = self.names.get(where) or next(name for name in self._fresh if name not in taken)
        self.boxes[where] = box
        return box
