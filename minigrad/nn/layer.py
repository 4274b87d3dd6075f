"""Layer: a module that calls one function, with options.

>>> from minigrad.nn import functional as F
>>> class Leaky(Layer, of=F.leaky_relu):
...     negative_slope: float = 0.01
>>> Leaky(0.5)
Leaky(negative_slope=0.5)
>>> import minigrad as mg
>>> Leaky(0.5)(mg.tensor([-2.0, 2.0]))
tensor([-1.,  2.])
"""

import inspect
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any, dataclass_transform

from ..core.tensor import Tensor
from ..words import help
from ..words.calling import misfitting
from .module import Module

REQUIRED = Parameter.empty


@dataclass_transform(eq_default=False)
class Layer(Module):
    """The annotated names of a subclass are the options it is made with, in this order, and those of its function `of`.

    A loss takes `reduction`, and what is written below it, by name only.
    """

    __signature__ = _options = Signature()
    _names: tuple[str, ...] = ()  # of the options
    _inputs = -1  # how many inputs the function takes before the options, if it has these in the same order
    _function: Callable = staticmethod(lambda input: input)
    _shown: str | None = None

    def __init_subclass__(cls, of: Callable | None = None, shown: str | None = None) -> None:
        """`shown` are the options in the printed form, or that itself, with options in braces; if omitted, all are."""
        if of is not None:
            cls._function = staticmethod(of)
        if shown is not None:
            cls._shown = shown
        options = dict(cls._options.parameters)
        for name, annotation in inspect.get_annotations(cls).items():
            by_name = name == "reduction" or "reduction" in options
            kind = Parameter.KEYWORD_ONLY if by_name else Parameter.POSITIONAL_OR_KEYWORD
            options[name] = Parameter(name, kind, default=getattr(cls, name, Parameter.empty), annotation=annotation)
            if name in cls.__dict__:
                delattr(cls, name)  # each layer has its own, and none is found on the class
        cls.__signature__ = cls._options = Signature(list(options.values()))
        cls._names = tuple(options)
        taken = list(inspect.signature(cls._function).parameters)
        settings = [one for one in options if one != "inplace"]
        start = taken.index(settings[0]) if settings and settings[0] in taken else 1
        cls._inputs = start if taken[start : start + len(settings)] == settings else -1

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__()
        try:
            given = self._options.bind(*args, **options)
        except TypeError as error:
            words = misfitting(str(error), self._names) + self._hint(args)
            raise TypeError(f"{type(self).__name__}.__init__() {words}") from None
        given.apply_defaults()
        for name, value in given.arguments.items():
            if isinstance(value, Tensor) and value.numel() > 1 and name not in ("weight", "pos_weight"):
                raise TypeError(f"{type(self).__name__}.__init__() {name} cannot be a tensor{self._hint((value,))}")
            if name in ("weight", "pos_weight"):  # of classes: saved and converted with the module
                self.register_buffer(name, value)
            else:
                setattr(self, name, value)

    def _hint(self, given: tuple) -> str:
        """For who gives a tensor to the class, which makes the layer that takes it."""
        is_hasty = any(isinstance(one, Tensor) for one in given)
        return f"; tensors are given to the layer that it makes: {type(self).__name__}(...)(input)" if is_hasty else ""

    def options(self) -> dict[str, Any]:
        """The options by name."""
        return {name: getattr(self, name) for name in self._names}

    def forward(self, *inputs: Any) -> Any:
        if not self._names:
            return self._function(*inputs)
        options, given = self.options(), len(inputs) + 1
        if given > 2 and "inplace" in options:
            raise TypeError(f"{type(self).__name__}.forward() takes 2 positional arguments but {given} were given")
        if options.pop("inplace", False):  # not every function can write over its input
            return self._function(*inputs, **options, inplace=True)
        if len(inputs) == self._inputs:  # by place an operation takes its options faster than by name
            return self._function(*inputs, *options.values())
        return self._function(*inputs, **options)

    def extra_repr(self) -> str:
        options = self.options()
        if self._shown and "{" in self._shown:
            return self._shown.format(**options)
        names = options if self._shown is None else self._shown.split()
        return ", ".join(f"{name}={options[name]!r}" for name in names if name != "inplace" or options[name])


def layer(name: str, of: Callable, doc: str, shown: str | None = None, base: type = Layer, **options: Any) -> Any:
    """A line of a table: what the layer calls, what it does, and its options with their defaults, or REQUIRED."""
    contents: dict = {"__doc__": help.with_example(doc, f"nn.{name}"), "__module__": f"{__package__}.layers"}
    contents["__annotations__"] = dict.fromkeys(options, Any)
    given = {option: value for option, value in options.items() if value is not REQUIRED}
    return type(name, (base,), contents | given, of=of, shown=shown)  # type: ignore[call-overload]
