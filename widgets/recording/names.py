"""What the user calls a tensor or a module: by a variable that holds it, or by its way through the modules.

This is the one place that answers it: for the recorder while a program runs, for the reader of a graph, for a drawing.

>>> import minigrad as mg
>>> x, names = mg.tensor(2.0), Names()
>>> names.give([("x", x)])
>>> names.by_place[place(x)]
'x'
"""

import re
from collections.abc import Iterable, Sequence
from types import CodeType, FrameType
from typing import Any

from minigrad import Tensor
from minigrad.nn import Parameter

from .known import MODULE_CALLS, is_forward, is_module, seen
from .moments import is_elsewhere, place
from .written import filled_by_loops, held, resolved, written

INNER = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")  # which have frames of their own, and know little


class Names:
    """The user's names of tensors, by place. Somebody keeps these tensors alive, so that an id means one of them."""

    def __init__(self) -> None:
        self.by_place: dict = {}
        self._tables: dict[FrameType, dict[int, tuple[str, Any]]] = {}  # by frame, then by id: a name and what bears it

    def give(self, named: Iterable[tuple[str, Tensor]], also_arrays: bool = False) -> None:
        """Name tensors that have no name yet; if wanted also their arrays, which are all that a node may have kept."""
        for name, tensor in named:
            self.by_place.setdefault(place(tensor), name)
            if also_arrays and not is_elsewhere(tensor):  # of another engine's, each array is a copy of its own
                self.by_place.setdefault(id(tensor.numbers), name)

    def find(self, tensor: Tensor, frames: Sequence[FrameType], at: Any = None) -> None:
        """Name a tensor as these frames do, the innermost call first; at an earlier place if one is given."""
        name = self._held(tensor, frames)
        if not (name and name.isidentifier() and not self._is_passing(name, frames)):  # a variable that is no loop's
            name = self._parameter(tensor, frames) or name
        if name:
            self.by_place.setdefault(at or place(tensor), name)

    def as_written(self, line: tuple[CodeType, int], frame: FrameType, around: Sequence[FrameType]) -> None:
        """Name what stands in the user's expression, which runs in this frame, as these calls around it do.

        What a module is given is called as outside, a parameter bears its module's names, and what a loop goes through
        is called after what it goes through.
        """
        passing, in_module = filled_by_loops(frame.f_code), is_forward(frame)
        nearest = [*around[:1], frame] if frame.f_code.co_name in INNER else [frame]
        for name, tensor in resolved(written(line), frame):
            if place(tensor) in self.by_place:
                continue
            is_passing = tensor.requires_grad and name.partition(".")[0].partition("[")[0] in passing
            if tensor.made_by is not None:
                name = is_passing and self._held(tensor, nearest) or name
            elif is_passing or isinstance(tensor, Parameter):
                continue
            elif in_module and name.isidentifier():
                self.find(tensor, around)
            elif name.isidentifier():
                name = self._held(tensor, nearest) or name  # the first variable: `y` of `y = x` is soon another's
            self.by_place.setdefault(place(tensor), name)

    def of_module(self, module: Any, around: Sequence[FrameType]) -> str:
        """What the module around it calls a module, or else the user; "" where nobody has a name for it."""
        owner = next((frame.f_locals["self"] for frame in around if frame.f_code in MODULE_CALLS), None)
        paths = [path for path, one in owner.named_modules() if one is module] if owner is not None else []
        return paths[0] if paths else self._held(module, around) or ""

    def forget_frames(self) -> None:
        """Other calls run now, with other variables."""
        self._tables.clear()

    def _is_passing(self, name: str, frames: Sequence[FrameType]) -> bool:
        return any(name in filled_by_loops(frame.f_code) for frame in frames)

    def _held(self, thing: Any, frames: Sequence[FrameType]) -> str | None:
        """The shortest way to a tensor or a module from the variables of the first frame that has one."""
        for frame in frames:
            if frame.f_code not in MODULE_CALLS:
                table = self._tables.get(frame, {})
                if id(thing) not in table:  # it may have got its name since
                    table = self._tables[frame] = table_of(frame)
                if id(thing) in table:
                    return table[id(thing)][0]
        return None

    def _parameter(self, tensor: Tensor, frames: Sequence[FrameType]) -> str | None:
        """The way to a parameter from a module that is being called, or from one that a variable leads to."""
        for i, frame in enumerate(frames):
            if frame.f_code in MODULE_CALLS and (path := path_to(tensor, frame.f_locals["self"])):
                return self._from_outside(path, frames[i:])
        for frame in frames if isinstance(tensor, Parameter) else ():
            for name, module in held(frame):
                path = path_to(tensor, module) if is_module(module) else None
                if path:
                    is_short = "." in path and not path[0].isdigit() and name.isidentifier()
                    return subscripted(path if is_short else f"{name}.{path}")
        return None

    def _from_outside(self, path: str, frames: Sequence[FrameType]) -> str:
        """The way to a parameter of the module that is called first here, from the first module that has a name for it,
        and no number as in `nn.Sequential`.
        """
        for i, frame in enumerate(frames):
            if frame.f_code in MODULE_CALLS:
                path = ".".join(filter(None, (self.of_module(frame.f_locals["self"], frames[i + 1 :]), path)))
                if not path[0].isdigit():
                    break
        return subscripted(path)


def subscripted(path: str) -> str:
    """A parameter's path as a person writes it.

    >>> subscripted("encoder.0.weight"), subscripted("0.weight")
    ('encoder[0].weight', '0.weight')
    """
    return re.sub(r"\.(\d+)(?=\.)", r"[\1]", path)


def path_to(parameter: Tensor, module: Any) -> str | None:
    return next((path for path, one in module.named_parameters() if seen(one) is parameter), None)


def table_of(frame: FrameType) -> dict[int, tuple[str, Any]]:
    """A frame's names of tensors and modules, by id; each is held, so that nothing else can get its id."""
    table: dict[int, tuple[str, Any]] = {}
    for name, thing in held(frame):
        table.setdefault(id(thing), (name, thing))
    return table


def variables(frame: FrameType | None) -> list[tuple[str, Tensor]]:
    """The tensors that a frame has names for."""
    return [(name, thing) for name, thing in held(frame) if isinstance(thing, Tensor)] if frame is not None else []
