"""Modules that hold modules: in a row, in a list, by name."""

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any

from ..tensor import Tensor
from .module import Module, indented, typename
from .parameter import Parameter


class _Numbered(Module):
    """Modules under the names 0, 1, 2, …"""

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._part(index)
        return list(self)[self._place(index)]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, list(self._modules)[self._place(index)], module)

    def __delitem__(self, index: Any) -> None:
        modules = list(self)
        del modules[index if isinstance(index, slice) else self._place(index)]
        self._set(modules)

    def append(self, module: Module) -> Any:
        """Add a module at the end."""
        self.register_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Any:
        """Add several modules at the end."""
        for module in list(modules):
            self.append(module)
        return self

    def __iadd__(self, modules: Iterable[Module]) -> Any:
        return self.extend(modules)

    def insert(self, index: int, module: Module) -> Any:
        """Add a module before the one at `index`."""
        modules = list(self)
        modules.insert(index, module)
        self._set(modules)
        return self

    def pop(self, index: int = -1) -> Module:
        """Take a module out."""
        module = self[index]
        del self[index]
        return module

    def _place(self, index: int) -> int:
        index = operator.index(index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of range")
        return index % len(self)

    def _set(self, modules: list) -> None:
        self._modules.clear()
        self.extend(modules)

    def _part(self, at: slice) -> Any:
        """The same kind of module with some of the parts."""
        kind: Any = type(self)
        return kind(list(self)[at])


class Sequential(_Numbered):
    """Modules one after another: the output of each is the input of the next.

    >>> import minigrad as mg
    >>> Sequential(mg.nn.Flatten(), mg.nn.ReLU())(mg.tensor([[[-1.0, 2.0]]]))
    tensor([[0., 2.]])
    """

    def __init__(self, *modules: Any) -> None:
        super().__init__()
        named = modules[0].items() if len(modules) == 1 and isinstance(modules[0], OrderedDict) else enumerate(modules)
        for name, module in named:
            self.register_module(str(name), module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)  # type: ignore[misc]
        return input

    def __add__(self, modules: "Sequential") -> "Sequential":
        return Sequential(*self).__iadd__(modules)

    def __iadd__(self, modules: "Sequential") -> "Sequential":  # type: ignore[override]
        if not isinstance(modules, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(modules)} is given.")
        return self.extend(modules)

    def insert(self, index: int, module: Module) -> Any:
        """Add a module before the one at `index`."""
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        return super().insert(index, module)

    def _part(self, at: slice) -> "Sequential":
        return type(self)(OrderedDict(list(self._modules.items())[at]))


class ModuleList(_Numbered):
    """A list whose modules count as parts of the module that has it."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self.extend(modules or ())

    def __add__(self, modules: Iterable[Module]) -> "ModuleList":
        return ModuleList([*self, *modules])

    def _lines(self) -> list[str]:
        """Neighbours that look the same share a line."""
        groups: list[tuple[str, list[int]]] = []
        for index, module in enumerate(self):
            if groups and groups[-1][0] == repr(module):
                groups[-1][1].append(index)
            else:
                groups.append((repr(module), [index]))
        return [
            f"({at[0]}): {indented(text)}" if len(at) == 1 else f"({at[0]}-{at[-1]}): {len(at)} x {indented(text)}"
            for text, at in groups
        ]


class ModuleDict(Module):
    """A dict whose modules count as parts of the module that has it."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        self.update(modules or {})

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.register_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def keys(self) -> Iterable[str]:
        return self._modules.keys()

    def values(self) -> Iterable[Any]:
        return self._modules.values()

    def items(self) -> Iterable[tuple[str, Any]]:
        return self._modules.items()

    def update(self, modules: Any) -> None:
        """Add modules from a dict or from pairs."""
        for key, module in modules.items() if hasattr(modules, "items") else modules:
            self[key] = module

    def pop(self, key: str) -> Any:
        """Take a module out."""
        return self._modules.pop(key)

    def clear(self) -> None:
        self._modules.clear()


class ParameterList(Module):
    """A list whose tensors count as parameters of the module that has it."""

    def __init__(self, values: Iterable[Tensor] | None = None) -> None:
        super().__init__()
        self.extend(values or ())

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parameters.values())

    def __getitem__(self, index: Any) -> Any:
        found = list(self)[index]
        return type(self)(found) if isinstance(index, slice) else found

    def __setitem__(self, index: int, value: Tensor) -> None:
        setattr(self, str(range(len(self))[index]), as_parameter(value))

    def append(self, value: Tensor) -> "ParameterList":
        """Add a parameter at the end."""
        self.register_parameter(str(len(self)), as_parameter(value))
        return self

    def extend(self, values: Iterable[Tensor]) -> "ParameterList":
        """Add several parameters at the end."""
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        return described(self, lambda parameter: repr(parameter.dtype))


class ParameterDict(Module):
    """A dict whose tensors count as parameters of the module that has it."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        for key, value in dict(parameters or {}).items():
            self[key] = value

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def __contains__(self, key: str) -> bool:
        return key in self._parameters

    def __getitem__(self, key: str) -> Any:
        return self._parameters[key]

    def __setitem__(self, key: str, value: Tensor) -> None:
        self.register_parameter(key, as_parameter(value))

    def keys(self) -> Iterable[str]:
        return self._parameters.keys()

    def values(self) -> Iterable[Any]:
        return self._parameters.values()

    def items(self) -> Iterable[tuple[str, Any]]:
        return self._parameters.items()

    def extra_repr(self) -> str:
        return described(self, typename)


def as_parameter(value: Tensor) -> Parameter:
    return value if isinstance(value, Parameter) else Parameter(value)


def described(holder: Module, kind_of: Any) -> str:
    """A list of parameters as text: the type and the size of each."""
    return "\n".join(
        f"  ({name}): Parameter containing: [{kind_of(value)} of size {'x'.join(map(str, value.shape))}]"
        for name, value in holder._parameters.items()
        if value is not None
    )
