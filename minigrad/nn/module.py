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
from typing import Any, TypeVar

from ..dtypes import SHORT_NAMES, TYPES, dtype, of, to_numpy
from ..tensor import Tensor, device
from .hooked_call import HookedCall
from .loading import IncompatibleKeys, load_state
from .parameter import Parameter

Self = TypeVar("Self", bound="Module")


class Module(HookedCall):
    """The base of all layers and networks: write `__init__` and `forward`, and call the object."""

    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, "Module | None"]

    def __init__(self) -> None:
        HookedCall.__init__(self)
        self.__dict__.update(
            training=True,
            _parameters={},
            _buffers={},
            _passing=set(),  # the names of buffers that are not part of the state
            _modules={},
        )

    # -- attributes: parameters, buffers and modules are kept apart ------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        if isinstance(value, Parameter):
            self._move(name, "_parameters", "parameters")
            self.register_parameter(name, value)
        elif name in own.get("_parameters", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            own["_parameters"][name] = None
        elif isinstance(value, Module):
            self._move(name, "_modules", "module")
            own["_modules"][name] = value
        elif name in own.get("_modules", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            own["_modules"][name] = None
        elif name in own.get("_buffers", ()):
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{typename(value)}' as buffer '{name}' "
                    "(torch.nn.Buffer, torch.Tensor or None expected)"
                )
            own["_buffers"][name] = value
        else:
            object.__setattr__(self, name, value)

    def _move(self, name: str, kind: str, called: str) -> None:
        """A name stands for one thing: take it out of wherever else it was."""
        own = self.__dict__
        if kind not in own:
            raise AttributeError(f"cannot assign {called} before Module.__init__() call")
        for place in (own, own["_parameters"], own["_buffers"], own["_modules"]):
            if place is not own[kind]:
                place.pop(name, None)
        own["_passing"].discard(name)

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for kind in ("_parameters", "_buffers", "_modules"):
            if kind in own and name in own[kind]:
                return own[kind][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for kind in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__[kind]:
                del self.__dict__[kind][name]
                self._passing.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = {*super().__dir__(), *self._parameters, *self._buffers, *self._modules}
        return sorted(name for name in names if not name[0].isdigit())

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Count a parameter among the module's own, under a name."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name(name, "parameter", self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Keep a tensor that is part of the state but is not learned, such as a running mean."""
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name(name, "buffer", self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        (self._passing.discard if persistent else self._passing.add)(name)

    def register_module(self, name: str, module: "Module | None") -> None:
        """Make another module a part of this one, under a name."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{typename(module)} is not a Module subclass")
        self._check_name(name, "module", self._modules)
        self._modules[name] = module

    add_module = register_module

    def _check_name(self, name: str, kind: str, among: dict) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        if hasattr(self, name) and name not in among:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."' + (f", got: {name}" if kind == "module" else ""))
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')

    # -- what it consists of ---------------------------------------------------------------------------------------

    def named_children(self) -> Iterator[tuple[str, "Module"]]:
        """The modules right inside this one, each once."""
        seen: set = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator["Module"]:
        return (module for _, module in self.named_children())

    def named_modules(
        self, memo: set | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, "Module"]]:
        """This module and all inside it, under names like `encoder.0`."""
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
        return (module for _, module in self.named_modules())

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """All that is learned, each once, under names like `encoder.0.weight`."""
        return self._members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All that is kept without being learned."""
        return self._members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
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

    def get_submodule(self, target: str) -> "Module":
        """The module of a name like `encoder.0`."""
        module: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def get_parameter(self, target: str) -> Parameter:
        """The parameter of a name like `encoder.0.weight`."""
        return self._get(target, "_parameters", "an nn.Parameter")

    def get_buffer(self, target: str) -> Tensor:
        """The buffer of a name like `norm.running_mean`."""
        return self._get(target, "_buffers", "a buffer")

    def _get(self, target: str, kind: str, called: str) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        if name not in module.__dict__[kind]:
            raise AttributeError(f"`{name}` is not {called}")
        return getattr(module, name)

    # -- changing all of it ----------------------------------------------------------------------------------------

    def apply(self: Self, fn: Callable[["Module"], Any]) -> Self:
        """Call `fn` with every module, the innermost first: the usual way to set initial values."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self: Self, mode: bool = True) -> Self:
        """Behave as in training: dropout drops, batch norm uses the batch's own statistics."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        for module in self.modules():
            module.training = mode
        return self

    def eval(self: Self) -> Self:
        """Behave as in use."""
        return self.train(False)

    def requires_grad_(self: Self, requires_grad: bool = True) -> Self:
        """Say whether all parameters shall be learned; `False` freezes the module."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Empty every parameter's `.grad`: to None, or to zeros."""
        for parameter in self.parameters():
            clear(parameter, set_to_none)

    def to(self: Self, *args: Any, dtype: Any = None, **options: Any) -> Self:
        """Turn floating parameters and buffers into another floating type: `model.to(minigrad.float64)`."""
        options.pop("non_blocking", None)
        for given in (*args, *options.values()):
            if isinstance(given, Tensor):
                dtype = given.dtype
            elif isinstance(given, str | device):
                device(given)  # refuses what is not the CPU
            elif given is not None and not isinstance(given, bool):
                dtype = given
        if dtype is None:
            return self
        wanted = of(to_numpy(dtype))
        if not (wanted.is_floating_point or wanted.is_complex):
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={wanted}"
            )
        return self._convert(wanted)

    def _convert(self: Self, wanted: dtype) -> Self:
        for tensor in itertools.chain(self.parameters(), self.buffers()):
            if not tensor.is_floating_point() and not tensor.is_complex():
                continue
            gradient, tensor.grad = tensor.grad, None
            tensor.data = tensor.data.to(wanted)
            tensor.grad = gradient if gradient is None else gradient.data.to(wanted)
        return self

    def float(self: Self) -> Self:
        return self._convert(TYPES["float32"])

    def double(self: Self) -> Self:
        return self._convert(TYPES["float64"])

    def half(self: Self) -> Self:
        return self._convert(TYPES["float16"])

    def cpu(self: Self) -> Self:
        """Where it always is."""
        return self

    # -- its state -------------------------------------------------------------------------------------------------

    def state_dict(
        self, *, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> "OrderedDict[str, Tensor]":
        """All parameters and persistent buffers by name: what is worth saving. They share the module's memory."""
        state: OrderedDict = OrderedDict() if destination is None else destination
        for path, module in self.named_modules(remove_duplicate=False):
            for name, tensor in module._own_state():
                state[prefix + joined(path, name)] = tensor if keep_vars else tensor.detach()
        return state

    def _own_state(self) -> Iterator[tuple[str, Tensor]]:
        for name, tensor in (*self._parameters.items(), *self._buffers.items()):
            if tensor is not None and name not in self._passing:
                yield name, tensor

    def load_state_dict(self, state_dict: Any, strict: bool = True, assign: bool = False) -> IncompatibleKeys:
        """Copy the numbers of a `state_dict` into this module; `strict`: the names must be the same on both sides."""
        return load_state(self, state_dict, strict, assign)

    # -- as text ---------------------------------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """What stands in the parentheses besides the parts; each layer writes its own."""
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def _lines(self) -> list[str]:
        return [f"({name}): {indented(repr(module))}" for name, module in self._modules.items()]

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines, extra_lines = self._lines(), extra.split("\n") if extra else []
        if len(extra_lines) == 1 and not lines:
            return f"{self._get_name()}({extra})"
        inside = "".join(f"\n  {line}" for line in (*extra_lines, *lines))
        return f"{self._get_name()}({inside}\n)" if inside else f"{self._get_name()}()"


def clear(parameter: Tensor, set_to_none: bool) -> None:
    """Empty one `.grad`."""
    if parameter.grad is None:
        return
    if set_to_none:
        parameter.grad = None
    else:
        parameter.grad = parameter.grad.detach() if parameter.grad.requires_grad else parameter.grad
        parameter.grad.zero_()


def joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def indented(text: str) -> str:
    """All lines but the first moved in by two."""
    return text.replace("\n", "\n  ")


def typename(value: Any) -> str:
    """How PyTorch's messages name the type of a value."""
    if isinstance(value, Tensor):
        return f"torch.{SHORT_NAMES[value.dtype.name]}Tensor"
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
