"""The user's program while it runs: at which line it is, and in which calls."""

import sys
from types import CodeType, FrameType

from minigrad.words.source import is_ours

from .known import MODULE_CALLS, RECORDING, UPDATES, is_forward
from .moments import Call, Where
from .names import Names


class Program:
    """What the frames of a running program tell.

    Args:
        names: what the user calls modules and tensors.
        base: the frame at which the program begins. A module (or a notebook's cell) that is met before takes its place.
        outermost: a function that is the whole program, and so is not shown as a call.

    Attributes:
        calls: all that have happened, each one after the call in which it is.
        scope: the frame whose variables are the user's, as far as is known.
        entry: the call of ours that the user's line makes.
        line: the frame in which that line runs.
    """

    def __init__(self, names: Names, base: FrameType | None, outermost: CodeType | None) -> None:
        self.names, self.base, self.outermost = names, base, outermost
        self.calls: list[Call] = []
        self.scope = base
        self.entry: FrameType | None = None
        self.line: FrameType | None = None
        self._path: list[tuple[FrameType, int]] = []  # the calls that run, outermost first, with their numbers

    def path(self) -> list[tuple[FrameType, int]]:
        """The user's calls, the outermost first, and the instruction at which each one is."""
        frame: FrameType | None = sys._getframe(1)
        found = []
        while frame is not None:
            if not is_ours(frame.f_code.co_filename) or frame is self.base:
                found.append((frame, frame.f_lasti))
            if frame is self.base or frame.f_code.co_name == "<module>":
                break
            frame = frame.f_back
        return found[::-1]

    def here(self) -> tuple[Where, list[FrameType]]:
        """The user's line, and the frames in which a name may stand, the innermost call first."""
        frame: FrameType | None = sys._getframe(1)
        frames, mark, updating, inner = [], None, False, None
        while frame is not None and frame is not self.base:
            code = frame.f_code
            if not is_ours(code.co_filename):
                if mark is None:
                    mark, self.entry, self.line = (code, frame.f_lasti), inner, frame
                if code.co_name == "<module>":
                    break
                if code.co_name[0] != "<" and not is_forward(frame) and code is not self.outermost:
                    frames.append(frame)
            elif code in MODULE_CALLS:
                frames.append(frame)
            elif code in UPDATES:
                updating = True
            inner, frame = frame, frame.f_back
        if frame is not None:
            self.scope = frame
            if mark is None:
                mark, self.entry, self.line = (frame.f_code, frame.f_lasti), inner, frame
        call = self._call(frames) if frames or self._path else None
        return Where(call, mark, all(records() for records in RECORDING), updating), self.with_scope(frames)

    def after(self, path: list[tuple[FrameType, int]]) -> int:
        """The number that the next call had when those that run in these frames had begun."""
        frames = [frame for frame, _ in path]
        return 1 + max((number for frame, number in self._path if frame in frames), default=-1)

    def with_scope(self, frames: list[FrameType]) -> list[FrameType]:
        return frames if self.scope is None else [*frames, self.scope]

    def forget(self) -> None:
        """The program has ended: its frames are let go."""
        self.base = self.scope = self.entry = self.line = None
        self._path.clear()
        self.names.forget_frames()

    def _call(self, frames: list[FrameType]) -> int | None:
        """The number of the innermost call; a frame that is still the same object is still the same call."""
        path: list[tuple[FrameType, int]] = []
        parent: int | None = None
        for depth, frame in enumerate(reversed(frames)):
            if depth < len(self._path) and self._path[depth][0] is frame:
                parent = self._path[depth][1]
            else:
                self._path = self._path[:depth]
                self.names.forget_frames()
                self.calls.append(self._told(frame, frames[len(frames) - depth :], parent))
                parent = len(self.calls) - 1
            path.append((frame, parent))
        self._path = path
        return parent

    def _told(self, frame: FrameType, around: list[FrameType], parent: int | None) -> Call:
        if frame.f_code in MODULE_CALLS:
            module = frame.f_locals["self"]
            name = self.names.of_module(module, self.with_scope(around))
            return Call(": ".join(filter(None, (name, type(module).__name__))), "module", parent)
        name = frame.f_code.co_qualname.rpartition("<locals>.")[2].removesuffix(".__call__")
        return Call(f"{name}()", "function", parent)
