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
from typing import Any, NamedTuple

import numpy as np

from minigrad import Tensor
from minigrad.autograd import events
from minigrad.autograd.graph import AccumulateGrad, Node, OpNode, node_of

from . import layout, picture

LIMIT = 400  # nodes; a larger picture can be laid out, but nobody can read it
NOT_YET = "–"  # a gradient that has not come is not zero
UNKNOWN = "?"  # a value that nobody kept


class Drawing:
    """A drawn graph: shown as a picture in a notebook, and as an outline where there are no pictures.

    Attributes:
        outline: the same facts as lines of text.
    """

    def __init__(self, trace: dict[str, Any] | None, outline: str, direction: str = "TB") -> None:
        self.trace, self.outline, self.direction = trace, outline, direction

    @property
    def svg(self) -> str:
        """The picture; `LayoutError` where it cannot be made."""
        if self.trace is None:
            raise layout.LayoutError(self.outline)
        return picture.svg(self.trace, direction=self.direction)

    @property
    def dot(self) -> str:
        """The picture as DOT text."""
        return "" if self.trace is None else picture.dot(self.trace, direction=self.direction)

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
            if self.trace is not None:
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
        direction: "TB" draws from top to bottom, "LR" from left to right, "auto" as it fits better.
        limit: how many nodes are drawn at most.

    >>> import minigrad as mg
    >>> a = mg.tensor([0.0, 1.0], requires_grad=True)
    >>> draw(lambda: 2 * mg.sin(a) + 1)
    a            AccumulateGrad  [0, 1]       .grad –
    v1 = sin(a)  SinBackward0    [0, 0.8415]
    v2 = v1 * 2  MulBackward0    [0, 1.683]
    v3 = v2 + 1  AddBackward0    [1, 2.683]
    """
    if direction not in ("TB", "LR", "auto"):
        raise ValueError(f"direction must be 'TB' (downwards), 'LR' (to the right) or 'auto', not {direction!r}")
    reader = Reader()
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
    tensors: tuple = results
    if len(results) == 1 and not isinstance(results[0], Tensor) and callable(results[0]):
        tensors = reader.watch(results[0])
    if not tensors or not all(isinstance(tensor, Tensor) for tensor in tensors):
        raise TypeError(f"draw() takes Tensors, or a function that returns them, but got {tensors!r}")

    nodes = reachable([node_of(tensor) for tensor in tensors if tensor.requires_grad])
    if len(nodes) > limit:
        return Drawing(None, f"A graph of {len(nodes):,} nodes; at most {limit:,} are drawn, see draw(…, limit=…).")
    boxes = reader.read(nodes, tensors)
    title = ", ".join(reader.box_of(tensor).name for tensor in tensors)
    return Drawing(as_trace(boxes, f"Computation graph of {title}"), outline(boxes), direction)


def as_trace(boxes: list["Box"], title: str) -> dict[str, Any]:
    """The boxes as a trace in which nothing happens."""
    trace: dict[str, Any] = {"title": title, "values": [], "groups": [], "nodes": [], "edges": [], "frames": []}
    for number, box in enumerate(boxes):
        box.number = number
        start = {}
        for name, text in (("value", box.text()), ("box", box.mailbox)):
            if text and text != NOT_YET:
                start[name] = len(trace["values"])
                trace["values"].append({"text": text})
        trace["nodes"].append(
            {"kind": box.kind, "name": box.name, "label": box.title(), "type": box.node, "start": start}
        )
        trace["edges"] += [{"from": box.inputs[i].number, "to": number, "slot": i} for i in range(len(box.inputs))]
    return trace


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

    kind: str  # leaf, constant, operation or output
    name: str = ""  # the variable, a number, or v1, v2, …
    formula: str = ""  # how it was made
    node: str = ""  # the name of its node in the graph
    value: str | None = UNKNOWN  # as text; None where the box has none
    shape: tuple = ()
    mailbox: str | None = None
    inputs: list["Box"] = field(default_factory=list)  # one for each argument slot: `a + a` has two
    number: int = 0

    def title(self) -> str:
        return " = ".join(filter(None, (self.name, self.formula)))

    def text(self) -> str:
        """The value, or that it is gone."""
        if self.value == UNKNOWN:
            return f"{count(self.shape)}, not kept" if self.shape else "not kept"
        return self.value or ""


def outline(boxes: list[Box]) -> str:
    """All boxes but those of bare numbers, which the formulas name, as a table."""
    rows = [
        (box.title(), box.node or box.kind, box.text(), f".grad {box.mailbox}" if box.mailbox else "")
        for box in boxes
        if box.kind != "constant" or box.name not in (UNKNOWN, box.text()) or len(boxes) == 1
    ]
    widths = [max(layout.columns(row[i]) for row in rows) for i in range(3)]
    lines = ["  ".join(cell + " " * (w - layout.columns(cell)) for cell, w in zip(row, [*widths, 0])) for row in rows]
    if any(UNKNOWN in row[0] for row in rows):
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


def is_array(value) -> bool:
    return isinstance(value, np.ndarray | np.generic)


def number(value) -> str:
    return str(value) if value.dtype.kind in "biu" else f"{value + 0:.4g}"  # + 0: never a minus before zero


def count(shape: tuple) -> str:
    return "×".join(map(str, shape)) + " values"


def gradient(tensor: Tensor) -> str:
    """What is in a tensor's mailbox."""
    return NOT_YET if tensor.grad is None else brief(tensor.grad._data)


def formula(node: Node, inputs: list[str], known: dict[str, str]) -> str:
    """How a value was made, as a person writes it: `a + b`, `sum(a, dim=0)`."""
    if not isinstance(node, OpNode):
        return f"{re.sub(r'Backward[0-9]*$', '', node.name())}({', '.join(inputs)})"
    op = node.op
    if op.many:
        return f"{op.name}({', '.join(inputs)})"
    known = known | {op.inputs[i]: name for i, name in zip(op.slots, inputs)}
    if op.says:
        known = dict.fromkeys(op.parameters, UNKNOWN) | known
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


class Known(NamedTuple):
    """A value that is known, in words of the moment when it was: it may be changed in place later."""

    data: Any  # the array or number itself, to tell it apart
    text: str

    @classmethod
    def of(cls, value) -> "Known":
        data = value._data if isinstance(value, Tensor) else value
        return cls(data, brief(data))


class Reader:
    """Reads boxes off a graph, with what is known besides it: names, and values that the graph itself did not keep."""

    def __init__(self) -> None:
        self.names: dict = {}  # by place
        self.values: dict = {}  # by place: Tensors, or texts
        self.arguments: dict[Node, list[Known]] = {}  # of operations that were watched
        self.boxes: dict = {}  # by place, in the order of the drawing
        self._made: list[events.Made] = []  # keeps alive what the places stand for
        self._fresh = (f"v{i}" for i in itertools.count(1))

    def know(self, tensor: Tensor, name: str | None = None, text: str | None = None) -> None:
        """Remember a tensor's value and name; the first of each counts."""
        where = place(tensor)
        self.values.setdefault(where, text or tensor)
        if name:
            self.names.setdefault(where, layout.shorten(name, 16))

    def watch(self, program: Callable[[], Any]) -> tuple:
        """Run a program and remember what it computes; its results."""
        with events.listen(self.hear, events.Made, source=True):
            results = program()
        return results if isinstance(results, tuple) else (results,)

    def hear(self, event: events.Made) -> None:
        self._made.append(event)
        values = [Known.of(value) for value in event.values]
        if event.node is not None:
            self.arguments[event.node] = values
        inputs = [(value, known) for value, known in zip(event.values, values) if isinstance(value, Tensor)]
        for (tensor, known), name in zip(inputs, event.source.names if event.source else [None] * len(inputs)):
            self.know(tensor, name, known.text)
        outputs = event.output if isinstance(event.output, tuple) else (event.output,)
        for tensor in outputs:
            name = event.source.name if event.source and len(outputs) == 1 else None
            self.know(tensor, name, Known.of(tensor).text)

    def read(self, nodes: list[Node], results: tuple) -> list[Box]:
        """One box for each node, constant, and output of an operation that has several."""
        for node in nodes:
            if isinstance(node, AccumulateGrad):
                self.source(node, 0)
            else:
                self.operation(node)
        for tensor in results:
            self.know(tensor)
            self.box_of(tensor)
        for where in self.values.keys() & self.boxes.keys():
            value = self.values[where]
            self.boxes[where].value = value if isinstance(value, str) else brief(value._data)
        return list(self.boxes.values())

    def operation(self, node: Node) -> None:
        kept, inputs = self.kept(node), []
        for slot, (target, index) in enumerate(node.next_functions):
            known = kept.get(slot, Known(None, UNKNOWN))
            source = self.constant(known) if target is None else self.source(target, index)
            if source.value == UNKNOWN:
                source.value = known.text
            inputs.append(source)
        words = {name: word for name, known in kept.items() if (word := self.word(known))}
        box = Box("operation", node=node.name(), inputs=inputs, shape=node.shape)
        box.formula = formula(node, [source.name for source in inputs], words)
        if node.outputs > 1:
            box.value = None  # each output has a box of its own
            self.boxes[node, None] = box
            return
        box.value = kept["out"].text if "out" in kept else UNKNOWN
        retained = node.hooks.retain[0]() if node.hooks and 0 in node.hooks.retain else None
        box.mailbox = None if retained is None else gradient(retained)
        self.add((node, 0), box)

    def word(self, known: Known) -> str:
        """What stands for a known value in a formula; nothing for a nameless array."""
        nameless_array = is_array(known.data) and known.data.ndim > 0
        return self.names.get(id(known.data)) or ("" if nameless_array else known.text)

    def kept(self, node: Node) -> dict[Any, Known]:
        """The arguments of an operation that are known, by name and by slot."""
        if not isinstance(node, OpNode):
            return {}
        op, known = node.op, dict[Any, Known]()
        if node in self.arguments:
            values = self.arguments[node]
            known |= enumerate(values[op.first :]) if op.many else {}
            known |= zip(op.parameters, values)
        else:
            for i, save in enumerate(node.plan.saves):
                try:
                    known[save.name] = Known.of(node.unpack(i))
                except RuntimeError:
                    pass  # freed by a backward, or overwritten in place
        if not op.many:
            known |= {slot: known[name] for slot, i in enumerate(op.slots) if (name := op.inputs[i]) in known}
        return known

    def source(self, node: Node, index: int) -> Box:
        """The box of a leaf, or of one output of an operation."""
        if isinstance(node, AccumulateGrad):
            tensor = node.variable
            leaf = Box("leaf", node=node.name(), value=brief(tensor._data), mailbox=gradient(tensor))
            return self.boxes.get(id(tensor)) or self.add(id(tensor), leaf)
        if (node, index) in self.boxes:
            return self.boxes[node, index]
        box = Box("output", formula=f"output {index}", inputs=[self.boxes[node, None]], shape=node.expects(index)[0])
        return self.add((node, index), box)

    def constant(self, known: Known) -> Box:
        """The box of an argument through which no gradient flows: an array or a number."""
        where = id(known.data) if is_array(known.data) else object()
        if (where, known.text) in self.boxes:
            return self.boxes[where, known.text]
        name = self.names.get(where) or ("" if np.ndim(known.data) else known.text)
        return self.add((where, known.text), Box("constant", name, value=known.text))

    def box_of(self, tensor: Tensor) -> Box:
        if tensor.requires_grad:
            return self.source(node_of(tensor), tensor.output_nr)
        return self.constant(Known.of(tensor))

    def add(self, where, box: Box) -> Box:
        """Keep a box under the user's name for it, or one of ours."""
        if not box.name:
            taken = self.names.values()
            box.name = self.names.get(where) or next(name for name in self._fresh if name not in taken)
        self.boxes[where] = box
        return box
