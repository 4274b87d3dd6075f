"""Modules that hold modules: in a row, in a list, by name."""

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, MutableMapping
from typing import Any

from .module import Module, indented


class _Numbered(Module):
    """Parts under the names 0, 1, 2, …"""

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._some(index)
        return self._modules[self._name(index)]

    def __setitem__(self, index: int, part: Any) -> None:
        setattr(self, self._name(index), part)

    def __delitem__(self, index: int | slice) -> None:
        names = list(self._modules)
        taken = names[index] if isinstance(index, slice) else [self._name(index)]
        self._set([part for name, part in self._modules.items() if name not in taken])

    def pop(self, key: int) -> Any:
        """Take a module out, and return it."""
        module = self[key]
        del self[key]
        return module

    def append(self, module: Any) -> Any:
        """Add a module at the end."""
        self.register_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Any]) -> Any:
        """Add several modules at the end."""
        for module in list(modules):
            self.append(module)
        return self

    __iadd__ = extend

    def insert(self, index: int, module: Any) -> Any:
        """Add a module before the one at `index`."""
        modules = list(self)
        modules.insert(index, module)
        self.append(module)  # which refuses what is none, before anything is taken out
        self._set(modules)

    def _name(self, index: int) -> str:
        index = operator.index(index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of range")
        return list(self._modules)[index]

    def _set(self, parts: list) -> None:
        self._modules.clear()
        self.extend(parts)

    def _some(self, at: slice) -> Any:
        """Some of the parts, held in the same way."""
        kind: Any = type(self)
        return kind(list(self)[at])


class Sequential(_Numbered):
    """Modules one after another: the output of each is the input of the next.

    >>> import minigrad as mg
    >>> mg.nn.Sequential(mg.nn.Flatten(), mg.nn.ReLU())(mg.tensor([[[-1.0, 2.0]]]))
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

    def __add__(self, other: "Sequential") -> "Sequential":
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        return Sequential(*self, *other)

    def insert(self, index: int, module: Any) -> "Sequential":
        """Add a module before the one at `index`."""
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        super().insert(index, module)
        return self

    def _some(self, at: slice) -> "Sequential":
        return type(self)(OrderedDict(list(self._modules.items())[at]))


class ModuleList(_Numbered):
    """A list whose modules count as parts of the module that has it.

    >>> import minigrad as mg
    >>> mg.nn.ModuleList([mg.nn.Linear(2, 2), mg.nn.ReLU(), mg.nn.ReLU()])
    ModuleList(
      (0): Linear(in_features=2, out_features=2, bias=True)
      (1-2): 2 x ReLU()
    )
    """

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self.extend(modules or ())

    def __add__(self, others: Iterable[Any]) -> "ModuleList":
        return ModuleList([*self, *others])

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


class ModuleDict(Module, MutableMapping):
    """A dict whose modules count as parts of the module that has it.

    >>> import minigrad as mg
    >>> parts = mg.nn.ModuleDict({"bend": mg.nn.ReLU()})
    >>> parts["bend"](mg.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    # two are equal only if they are one, as any other module
    __eq__, __hash__ = object.__eq__, object.__hash__

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        self.update(modules or {})

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def items(self) -> Any:
        """The names with the modules."""
        return self._modules.items()

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
