"""What a module consists of: parameters, buffers and other modules, kept apart, and found again by name.

>>> import minigrad as mg
>>> net = mg.nn.Sequential(mg.nn.Linear(2, 1), mg.nn.BatchNorm1d(1))
>>> [name for name, _ in net.named_parameters()]
['0.weight', '0.bias', '1.weight', '1.bias']
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..core.tensor import Tensor
from ..numbers.dtypes import typename
from ..words import absent
from .parameter import Parameter

if TYPE_CHECKING:
    from .module import Module


class Part(NamedTuple):
    """A kind of what a module consists of: its type, its name, and what is said of another type."""

    kind: Any
    name: str
    refusal: str  # of what becomes an attribute
    registering: str  # and of what is registered


class HasParts:
    """What has parts: an attribute that is a parameter or a module is one, and so is a buffer that was registered."""

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, "Module | None"]

    def __init__(self) -> None:
        self.__dict__.update(_parameters={}, _buffers={}, _modules={})
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
        self._check_value(place, name, value, part.refusal)
        if name not in own[place]:  # a name stands for one thing: not for what it was before
            for other in (own, *(own[one] for one in PARTS)):
                other.pop(name, None)
            own["_passing"].discard(name)
            if place == "_parameters":
                self._check_name(place, name)
        own[place][name] = value

    def _check_value(self, place: str, name: str, value: Any, refusal: str) -> None:
        part = PARTS[place]
        if place not in self.__dict__:
            several = "s" * (part.name == "parameter")
            raise AttributeError(f"cannot assign {part.name}{several} before Module.__init__() call")
        if value is not None and not isinstance(value, part.kind):
            hint = f"; {value.__name__} is a class: {value.__name__}(...) makes one" if isinstance(value, type) else ""
            given = getattr(value, "__name__", typename(value))  # of a function or a class its own
            raise TypeError(refusal.format(given=given, name=name) + hint)

    def _check_name(self, place: str, name: str) -> None:
        kind = PARTS[place].name
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        if hasattr(self, name) and name not in self.__dict__[place]:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name or not name:
            got = f", got: {name}" if kind == "module" else ""
            raise KeyError(f"{kind} name can't " + (f'contain "."{got}' if name else 'be empty string ""'))

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for place in PARTS:
            if place in own and name in own[place]:
                return own[place][name]
        if name in PARTS:
            raise AttributeError(f"{type(self).__name__}.__init__() must call super().__init__() before all else")
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
        self._check_value(place, name, value, PARTS[place].registering)
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
        yield prefix, self  # type: ignore[misc]  # all that has parts is a Module
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
            for name, member in getattr(module, kind).items():
                if member is not None and member not in seen:
                    if remove_duplicate:
                        seen.add(member)
                    yield joined(path, name), member


PARTS = {  # by the name of the dict in which a module keeps them
    "_parameters": Part(
        Parameter,
        "parameter",
        "cannot assign '{given}' as parameter '{name}' (torch.nn.Parameter or None expected)",
        "cannot assign '{given}' object to parameter '{name}' (torch.nn.Parameter or None required)",
    ),
    "_modules": Part(
        HasParts,
        "module",
        "cannot assign '{given}' as child module '{name}' (torch.nn.Module or None expected)",
        "{given} is not a Module subclass",
    ),
    "_buffers": Part(
        Tensor,
        "buffer",
        "cannot assign '{given}' as buffer '{name}' (torch.Tensor or None expected)",
        "cannot assign '{given}' object to buffer '{name}' (torch Tensor or None required)",
    ),
}


def joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
