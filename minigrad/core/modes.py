"""Grad modes: whether operations are recorded. Each thread has its own."""

import contextlib
import functools
import inspect
import threading
import warnings
from threading import get_ident
from typing import Any, NamedTuple


class State(NamedTuple):
    """How operations are treated in one thread."""

    grad: bool = True  # whether they are recorded now
    enabled: bool = True  # what was asked for last; in inference mode nothing is recorded all the same
    inference: bool = False


class _Modes(threading.local):
    state = State()
    picking_by: tuple | list = ()  # the tensors of which the rows that run take their `places`
    without_tangents = False  # whether no operation heeds them now, though a level of forward mode is under way
    transforms: tuple = ()  # the names of the functions of `func` that are under way


modes = _Modes()
# The threads in which nothing is recorded, and those in inference mode. While they are empty, nobody need ask more.
paused: set[int] = set()
inferring: set[int] = set()


class Joint(tuple):
    """The version counters of all tensors that an index is made of, as one."""

    def __getitem__(self, i):
        return sum([counter[0] for counter in self]) if i == 0 else None


@contextlib.contextmanager
def picking(by):
    """While it lasts, elements are picked by these tensors (or counters): a node needs them as they are now."""
    before, modes.picking_by = modes.picking_by, by
    try:
        yield
    finally:
        modes.picking_by = before


def switch(state: State) -> None:
    """Change how the operations of this thread are treated from now on."""
    modes.state, thread = state, get_ident()
    (paused.discard if state.grad else paused.add)(thread)
    if state.inference or inferring:
        (inferring.add if state.inference else inferring.discard)(thread)


dual_levels: list = []  # not empty while tangents travel along with the values (forward mode)
packers: list = []  # not empty while somebody packs what is saved for a backward (see autograd/graph.py)


@contextlib.contextmanager
def without_tangents():
    """What this thread computes inside is about tangents, or behind their back, and carries none itself."""
    before, modes.without_tangents = modes.without_tangents, True
    try:
        yield dual_levels[-1:]
    finally:
        modes.without_tangents = before


NO_GRAD, INFERENCE = State(False, False), State(False, False, True)


class Mode:
    """A context manager that is a decorator too: of functions, of generators (only while they run) and of classes."""

    def __call__(self, decorated):
        if inspect.isclass(decorated):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions. "
                "You should only decorate functions or methods. To preserve the current behavior of class decoration, "
                "you can directly decorate the `__init__` method and nothing else.",
                FutureWarning,
                stacklevel=2,
            )
            decorated.__init__ = self(decorated.__init__)
            return decorated
        if inspect.isgeneratorfunction(decorated):
            return self._decorate_generator(decorated)

        @functools.wraps(decorated)
        def wrapper(*args, **kwargs):
            with self.fresh():
                return decorated(*args, **kwargs)

        return wrapper

    def _decorate_generator(self, decorated):
        @functools.wraps(decorated)
        def wrapper(*args, **kwargs):
            generator = decorated(*args, **kwargs)
            step, sent = generator.send, None
            while True:
                try:
                    with self.fresh():  # left again before each yield: the caller never sees the generator's mode
                        produced = step(sent)
                except StopIteration as stop:
                    return stop.value
                try:
                    step, sent = generator.send, (yield produced)
                except GeneratorExit:
                    with self.fresh():
                        generator.close()
                    raise
                except BaseException as error:
                    step, sent = generator.throw, error

        return wrapper

    def fresh(self):
        """A manager of the same mode with a memory of its own, so that a decorated function may call itself."""
        return type(self)()

    def __enter__(self):
        self.before = modes.state
        switch(self.state(self.before))

    def __exit__(self, *exception):
        switch(self.before)


class _Bare(Mode):
    """A mode without arguments, which may decorate without parentheses: `@no_grad`."""

    def __new__(cls, *decorated: Any, **flags: Any) -> Any:
        if flags or (decorated and not all(map(callable, decorated))):
            raise TypeError(f"{cls.__name__}() takes no flag: set_grad_enabled(mode) does")
        return cls.__call__(object.__new__(cls), *decorated) if decorated else object.__new__(cls)


class no_grad(_Bare):
    """Operations inside are not recorded, whatever their inputs require.

    >>> import minigrad as mg
    >>> @mg.no_grad()
    ... def doubler(x):
    ...     return x * 2
    >>> doubler(mg.ones(1, requires_grad=True)).requires_grad
    False
    """

    def state(self, now: State) -> State:
        return NO_GRAD if not now.inference else INFERENCE


class enable_grad(_Bare):
    """Operations inside are recorded, even within `no_grad`; not within `inference_mode`."""

    def state(self, now: State) -> State:
        return State(not now.inference, True, now.inference)


class set_grad_enabled(Mode):
    """Recording on or off by a flag: as a call it holds from now on, as a context manager until the block ends.

    >>> import minigrad as mg
    >>> with mg.set_grad_enabled(False):
    ...     mg.is_grad_enabled()
    False
    """

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            kind = type(mode).__name__
            raise TypeError(f"set_grad_enabled(): argument 'enabled' (position 1) must be bool, not {kind}")
        self.before, self.mode = modes.state, bool(mode)
        switch(self.state(self.before))

    def __call__(self, decorated):
        switch(self.before)  # a decorator acts when the function runs, not where it stands
        return super().__call__(decorated)

    def __enter__(self):
        switch(self.state(modes.state))  # what was there before was remembered when the object was made

    def fresh(self):
        return set_grad_enabled(self.mode)

    def state(self, now: State) -> State:
        return State(self.mode and not now.inference, self.mode, now.inference)

    def __repr__(self) -> str:
        return f"minigrad.autograd.grad_mode.set_grad_enabled(mode={self.mode})"
