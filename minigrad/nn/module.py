"""Module: a part of a network, which knows its parameters, its parts, and how to run.

>>> import minigrad as mg
>>> class Twice(Module):
...     def __init__(self):
...         super().__init__()
...         self.inner = mg.nn.Linear(2, 2)
...
...     def forward(self, x):
...         return self.inner(self.inner(x))
>>> Twice()
Twice(
  (inner): Linear(in_features=2, out_features=2, bias=True)
)
"""

import functools
import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, TypeVar

from ..core.tensor import Tensor
from ..numbers.dtypes import TYPES, of, to_numpy
from ..tensors.conversions import asked
from ..tensors.history import empty_gradient
from ..words import advice
from .hooked_call import HookedCall
from .loading import EXTRA_STATE, IncompatibleKeys, load_state
from .parts import HasParts

Self = TypeVar("Self", bound="Module")


class Module(HookedCall, HasParts):
    """The base of all layers and networks: write `__init__` and `forward`, and call the object.

    >>> import minigrad as mg
    >>> class Line(mg.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.slope = mg.nn.Parameter(mg.tensor(2.0))
    ...
    ...     def forward(self, x):
    ...         return self.slope * x
    >>> line = Line()
    >>> line(mg.tensor(3.0)).backward()
    >>> [(name, p.grad) for name, p in line.named_parameters()]
    [('slope', tensor(3.))]
    """

    training: bool
    _version: int = 1  # of what `state_dict` gives
    _since: dict[str, int] = {}  # names that an older version lacks

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__module__.startswith(__package__):
            name_methods(cls)

    def __init__(self) -> None:
        self.__dict__["training"] = True
        super().__init__()

    # -- changing all of it ----------------------------------------------------------------------------------------

    def apply(self: Self, fn: Callable[["Module"], Any]) -> Self:
        """Call `fn` with every module, the innermost first: the usual way to set initial values.

        >>> import minigrad as mg
        >>> net = mg.nn.Sequential(mg.nn.Linear(2, 1), mg.nn.ReLU())
        >>> _ = net.apply(lambda part: print(type(part).__name__))
        Linear
        ReLU
        Sequential
        """
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self: Self, mode: bool = True) -> Self:
        """Behave as in training: dropout drops, batch norm uses the batch's own statistics.

        >>> import minigrad as mg
        >>> net = mg.nn.Sequential(mg.nn.Dropout())
        >>> net.training, net.train(False)[0].training
        (True, False)
        """
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)  # which may do it in its own way
        return self

    def eval(self: Self) -> Self:
        """Behave as in use.

        >>> import minigrad as mg
        >>> mg.nn.Dropout().eval()(mg.ones(3))
        tensor([1., 1., 1.])
        """
        return self.train(False)

    def requires_grad_(self: Self, requires_grad: bool = True) -> Self:
        """Say whether all parameters shall be learned; `False` freezes the module.

        >>> import minigrad as mg
        >>> layer = mg.nn.Linear(2, 1).requires_grad_(False)
        >>> layer(mg.ones(1, 2)).requires_grad
        False
        """
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Empty every parameter's `.grad`: to None, or to zeros.

        >>> import minigrad as mg
        >>> layer = mg.nn.Linear(1, 1)
        >>> layer(mg.ones(1, 1)).sum().backward()
        >>> layer.zero_grad()
        >>> layer.weight.grad is None
        True
        """
        for parameter in self.parameters():
            empty_gradient(parameter, set_to_none)

    def to(self: Self, *args: Any, dtype: Any = None, device: Any = None, non_blocking: bool = False) -> Self:
        """Turn floating parameters and buffers into another floating type: `model.to(minigrad.float64)`.

        >>> import minigrad as mg
        >>> mg.nn.Linear(2, 1).to(mg.float64).weight.dtype
        minigrad.float64
        """
        dtype = asked(args, dtype, device)
        if dtype is None:
            return self
        wanted = of(to_numpy(dtype))
        if not (wanted.is_floating_point or wanted.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={wanted}"
            )
        for tensor in itertools.chain(self.parameters(), self.buffers()):
            if tensor.is_floating_point() or tensor.is_complex():
                gradient, tensor.grad = tensor.grad, None
                tensor.data = tensor.data.to(wanted)
                if gradient is not None:
                    gradient.data, tensor.grad = gradient.data.to(wanted), gradient
        return self

    def float(self: Self) -> Self:
        """Turn floating parameters and buffers into float32."""
        return self.to(TYPES["float32"])

    def double(self: Self) -> Self:
        """Turn floating parameters and buffers into float64."""
        return self.to(TYPES["float64"])

    def cpu(self: Self) -> Self:
        """Where it always is."""
        return self

    # -- its state -------------------------------------------------------------------------------------------------

    def state_dict(
        self, *, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> "OrderedDict[str, Tensor]":
        """All parameters and persistent buffers by name: what is worth saving. They share the module's memory.

        A class that defines `get_extra_state()` and `set_extra_state(state)` has something of its own saved with them.

        >>> import minigrad as mg
        >>> layer = mg.nn.Linear(2, 1)
        >>> state = layer.state_dict()
        >>> _ = mg.nn.init.ones_(layer.weight)
        >>> list(state), state["weight"]
        (['weight', 'bias'], tensor([[1., 1.]]))
        """
        state: Any = destination
        if state is None:
            state = OrderedDict()
            state._metadata = OrderedDict()  # by the path of each module, the version of what it saves
        if hasattr(state, "_metadata"):
            state._metadata[prefix[:-1]] = {"version": self._version}
        for name, tensor in self._own_state():
            state[prefix + name] = tensor if keep_vars else tensor.detach()
        if hasattr(type(self), "get_extra_state"):
            state[prefix + EXTRA_STATE] = self.get_extra_state()
        for name, module in self._modules.items():
            if module is not None:  # which may have its own way, too
                module.state_dict(destination=state, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        return state

    def _own_state(self) -> Iterator[tuple[str, Tensor]]:
        for name, tensor in (*self._parameters.items(), *self._buffers.items()):
            if tensor is not None and name not in self._passing:
                yield name, tensor

    def load_state_dict(self, state_dict: Any, strict: bool = True, assign: bool = False) -> IncompatibleKeys:
        """Copy the numbers of a `state_dict` into this module; `strict`: the names must be the same on both sides.

        With `assign` the tensors themselves take the places of this module's own.

        >>> import minigrad as mg
        >>> one, other = mg.nn.Linear(2, 1), mg.nn.Linear(2, 1)
        >>> one.load_state_dict(other.state_dict())
        <All keys matched successfully>
        >>> mg.equal(one.weight, other.weight)
        True
        """
        return load_state(self, state_dict, strict, assign)

    # -- as text ---------------------------------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """What stands in the parentheses besides the parts; each layer writes its own."""
        return ""

    def _lines(self) -> list[str]:
        return [f"({name}): {indented(repr(module))}" for name, module in self._modules.items()]

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines, extra_lines = self._lines(), extra.split("\n") if extra else []
        if len(extra_lines) == 1 and not lines:
            return f"{type(self).__name__}({extra})"
        inside = "".join(f"\n  {line}" for line in (*extra_lines, *lines))
        return f"{type(self).__name__}({inside}\n)" if inside else f"{type(self).__name__}()"


def name_methods(kind: type) -> None:
    """Give a layer its inherited methods under its own name, by which Python's errors call them, not the base's."""
    for base in kind.__mro__[1 : kind.__mro__.index(Module)]:
        for name, method in vars(base).items():
            if isinstance(method, FunctionType) and name not in vars(kind):
                own = FunctionType(method.__code__, method.__globals__, name, method.__defaults__, method.__closure__)
                setattr(kind, name, functools.update_wrapper(own, method))
                own.__kwdefaults__, own.__qualname__ = method.__kwdefaults__, f"{kind.__name__}.{name}"


for base in (HookedCall, HasParts):
    for name, method in vars(base).items():
        if isinstance(method, FunctionType):
            method.__qualname__ = f"Module.{name}"


def indented(text: str) -> str:
    """All lines but the first moved in by two."""
    return text.replace("\n", "\n  ")


advice.HOLDERS[Module] = Module.parameters  # an error may speak of a module by the user's name for it
