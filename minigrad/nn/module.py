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

import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from ..core.tensor import Tensor
from ..numbers.dtypes import TYPES, of, to_numpy, typename
from ..tensors.conversions import asked
from ..tensors.history import empty_gradient
from ..words import absent, advice
from .hooked_call import HookedCall
from .loading import EXTRA_STATE, IncompatibleKeys, load_state
from .parameter import Parameter

Self = TypeVar("Self", bound="Module")


class Part(NamedTuple):
    """A kind of what a module consists of: its type, and what messages call both."""

    kind: Any
    name: str
    expected: str


class Module(HookedCall):
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
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, "Module | None"]

    def __init__(self) -> None:
        self.__dict__.update(training=True, _parameters={}, _buffers={}, _modules={})
        self.__dict__["_passing"] = set()  # the names of buffers that are not part of the state

    # -- attributes: parameters, buffers and modules are kept apart ------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        for place, part in PARTS.items():
            if (isinstance(value, part.kind) and place != "_buffers") or name in own.get(place, ()):
                break
        else:
            object.__setattr__(self, name, value)
            return
        self._check_value(place, name, value)
        if name not in own[place]:  # a name stands for one thing: not for what it was before
            for other in (own, *(own[one] for one in PARTS)):
                other.pop(name, None)
            own["_passing"].discard(name)
            if place == "_parameters":
                self._check_name(place, name)
        own[place][name] = value

    def _check_value(self, place: str, name: str, value: Any) -> None:
        part = PARTS[place]
        if place not in self.__dict__:
            raise AttributeError(f"cannot assign {part.name} before Module.__init__() call")
        if value is not None and not isinstance(value, part.kind):
            what = f"'{typename(value)}' as {part.name} '{name}'"
            raise TypeError(f"cannot assign {what} ({part.expected} or None expected)")

    def _check_name(self, place: str, name: str) -> None:
        kind = PARTS[place].name
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        if hasattr(self, name) and name not in self.__dict__[place]:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name or not name:
            raise KeyError(f"{kind} name can't " + ('contain "."' if name else 'be empty string ""'))

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for place in PARTS:
            if place in own and name in own[place]:
                return own[place][name]
        if instead := absent.sentences().get(f"Module.{name}"):
            raise AttributeError(f"{name} does not exist: {instead}")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for place in PARTS:
            if name in self.__dict__[place]:
                del self.__dict__[place][name]
                self._passing.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = {*super().__dir__(), *self._parameters, *self._buffers, *self._modules}
        return sorted(name for name in names if not name[0].isdigit())

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Count a parameter among the module's own, under a name.

        >>> import minigrad as mg
        >>> module = mg.nn.Module()
        >>> module.register_parameter("bias", mg.nn.Parameter(mg.zeros(1)))
        >>> list(module.parameters())[0] is module.bias
        True
        """
        self._register("_parameters", name, param)

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Keep a tensor that is part of the state but is not learned, such as a running mean.

        >>> import minigrad as mg
        >>> module = mg.nn.Module()
        >>> module.register_buffer("mean", mg.zeros(1))
        >>> list(module.state_dict()), list(module.parameters())
        (['mean'], [])
        """
        self._register("_buffers", name, tensor)
        (self._passing.discard if persistent else self._passing.add)(name)

    def register_module(self, name: str, module: "Module | None") -> None:
        """Make another module a part of this one, under a name.

        >>> import minigrad as mg
        >>> module = mg.nn.Module()
        >>> module.register_module("bend", mg.nn.ReLU())
        >>> module.bend
        ReLU()
        """
        self._register("_modules", name, module)

    add_module = register_module

    def _register(self, place: str, name: str, value: Any) -> None:
        self._check_value(place, name, value)
        self._check_name(place, name)
        self.__dict__[place][name] = value

    # -- what it consists of ---------------------------------------------------------------------------------------

    def named_children(self) -> Iterator[tuple[str, "Module"]]:
        """The modules right inside this one, each once.

        >>> import minigrad as mg
        >>> net = mg.nn.Sequential(mg.nn.Flatten(), mg.nn.ReLU())
        >>> list(net.named_children())
        [('0', Flatten(start_dim=1, end_dim=-1)), ('1', ReLU())]
        """
        seen: set = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator["Module"]:
        """The modules right inside this one, each once, without their names."""
        return (module for _, module in self.named_children())

    def named_modules(
        self, memo: set | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, "Module"]]:
        """This module and all inside it, under names like `encoder.0`.

        >>> import minigrad as mg
        >>> net = mg.nn.Sequential(mg.nn.Sequential(mg.nn.ReLU()))
        >>> [name for name, _ in net.named_modules()]
        ['', '0', '0.0']
        """
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, joined(prefix, name), remove_duplicate)

    def modules(self) -> Iterator["Module"]:
        """This module and all inside it, without their names."""
        return (module for _, module in self.named_modules())

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """All that is learned, each once, under names like `encoder.0.weight`.

        >>> import minigrad as mg
        >>> net = mg.nn.Sequential(mg.nn.Linear(2, 1), mg.nn.ReLU())
        >>> [(name, tuple(p.shape)) for name, p in net.named_parameters()]
        [('0.weight', (1, 2)), ('0.bias', (1,))]
        """
        return self._members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All that is learned, each once: what an optimizer is given."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All that is kept without being learned.

        >>> import minigrad as mg
        >>> [name for name, _ in mg.nn.BatchNorm1d(2).named_buffers()]
        ['running_mean', 'running_var', 'num_batches_tracked']
        """
        return self._members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All that is kept without being learned, without names."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def _members(self, kind: str, prefix: str, recurse: bool, remove_duplicate: bool) -> Iterator[tuple[str, Any]]:
        seen: set = set()
        holders = self.named_modules(None, prefix, remove_duplicate) if recurse else [(prefix, self)]
        for path, module in holders:
            for name, member in module.__dict__[kind].items():
                if member is not None and member not in seen:
                    if remove_duplicate:
                        seen.add(member)
                    yield joined(path, name), member

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
                tensor.grad = gradient if gradient is None else gradient.data.to(wanted)
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
        state: OrderedDict = OrderedDict() if destination is None else destination
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


PARTS = {  # by the name of the dict in which a module keeps them
    "_parameters": Part(Parameter, "parameter", "torch.nn.Parameter"),
    "_modules": Part(Module, "module", "torch.nn.Module"),
    "_buffers": Part(Tensor, "buffer", "torch.Tensor"),
}


def joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def indented(text: str) -> str:
    """All lines but the first moved in by two."""
    return text.replace("\n", "\n  ")


advice.HOLDERS[Module] = Module.parameters  # an error may speak of a module by the user's name for it
