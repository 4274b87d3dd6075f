"""How a person may call an operation: its arguments, the names under which they may be given, and what is refused."""

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, wraps
from typing import Any

import numpy as np

TORCH_NAMES = {"a": "self", "b": "other", "out": "result"}  # how `_saved_…` attributes and keyword arguments call them
# NumPy's words, which PyTorch accepts as well
SYNONYMS = {"axis": "dim", "axes": "dim", "axis0": "dim0", "axis1": "dim1", "keepdims": "keepdim"}
SYNONYMS |= {"x": "input", "x1": "input", "x2": "other", "input": "A"}
# what an argument of some name is, in all operations
TENSORS = frozenset(
    "input A B mat mat1 mat2 vec vec1 vec2 batch1 batch2 tensor mask index target query key weight bias pos_weight "
    "running_mean running_var src".split()
)
SURE = TENSORS - {"index", "src", "mask"} | {"x1", "x2", "tensor1", "tensor2", "input1", "input2"}  # never numbers
OPTIONAL = frozenset("running_mean running_var".split())  # of these, those that may be None without a default
INTEGERS = frozenset(
    "dim dim0 dim1 dim2 dims start_dim end_dim chunks diagonal offset k n start length groups axis0 axis1 size sizes "
    "shifts normalized_shape kernel_size stride padding dilation pad split_size_or_sections num_classes "
    "ignore_index".split()
)
BOOLEANS = frozenset(
    "keepdim largest sorted descending unbiased log_target log_input full swap equal_nan is_causal".split()
)
NUMBERS = frozenset(
    "alpha beta eps negative_slope min_val max_val threshold lambd margin delta rtol atol maxnorm dx momentum".split()
)
EXACTLY: dict[str, set] = dict.fromkeys(BOOLEANS, {bool}) | dict.fromkeys(NUMBERS, {int, float})  # before each call
EXACTLY |= dict.fromkeys(("ignore_index", "num_classes"), {int})
MISUSES = (AttributeError, IndexError, RuntimeError, TypeError, ValueError)  # what comes of an argument of a wrong type


def ill_typed(name: str, arguments: Iterable[tuple[str, Any]], defaults: Mapping = {}) -> TypeError | None:
    """The refusal of the first argument of a wrong type, if there is one: asked when a call has failed."""
    for position, (argument, value) in enumerate(arguments, 1):
        if (argument == "input" and position > 1) or (value is None and defaults.get(argument, ...) is None):
            continue
        expected = wanted(argument, value)
        if expected:
            kind = type(value).__name__
            is_others = kind == "Tensor" and not hasattr(value, "_data")  # that of another library
            kind = f"{type(value).__module__}.{kind}" if is_others else kind
            return TypeError(f"{name}(): argument '{argument}' (position {position}) must be {expected}, not {kind}")
    return None


def wanted(argument: str, value) -> str | None:
    """What an argument of this name must be, where the value is something else."""
    if argument == "tensors" and not isinstance(value, list | tuple):
        return "tuple of Tensors"
    if argument in TENSORS | SURE or (argument == "other" and isinstance(value, str | list | tuple | None)):
        may_be_other = value is None and argument in OPTIONAL
        may_be_other |= argument == "index" and not isinstance(value, list)  # `select` takes a number, `x[index]` much
        may_be_other |= argument == "src" and isinstance(value, int | float | complex)  # `scatter` takes a number
        return None if may_be_other or hasattr(value, "_data") else "Tensor"
    if argument == "padding" and isinstance(value, str):
        return None
    if argument in INTEGERS:
        several = value if isinstance(value, list | tuple) else (value,)
        several = [one for one in several if not isinstance(one, list | tuple)]  # `tensordot` takes two lists
        if any(type(one) is bool or not hasattr(one, "__index__") or getattr(one, "ndim", 0) for one in several):
            return "tuple of ints" if isinstance(value, list | tuple) else "int"
    if argument in NUMBERS:
        is_number = hasattr(value, "_data") and not value.ndim  # a tensor without dimensions
        return None if is_number or isinstance(value, int | float | complex | np.generic) else "Number"
    return "bool" if argument in BOOLEANS and type(value) is not bool else None


def checked(function: Callable, name: str) -> Callable:
    """A function of several rows, which says what is wrong with its arguments as PyTorch's parser of arguments does."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    first = 0 if name in ("pow", "float_power") else 1  # of a number, too
    sure = [place for place, word in enumerate(names) if word in SURE and (word != "input" or place < first)]
    defaults = defaults_of(function)
    exact = defaults.keys() & EXACTLY.keys()

    @wraps(function)
    def form(*args, **options):
        try:
            for place in sure:
                if place < len(args) and not (hasattr(args[place], "_data") or args[place] is None):
                    raise TypeError
            if exact:
                given = [(word, value) for word, value in (*zip(names, args), *options.items()) if word in exact]
                if any(type(value) not in EXACTLY[word] for word, value in given) and ill_typed(name, given, defaults):
                    raise TypeError
            return function(*args, **options)
        except MISUSES:
            return called_again(function, name, args, options)

    return form


def defaults_of(function: Callable) -> dict[str, Any]:
    """The arguments that may be left out, and what stands for them then."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return dict(zip(reversed(names), reversed(function.__defaults__ or ()))) | (function.__kwdefaults__ or {})


def called_again(function: Callable, name: str, args: tuple, options: dict):
    """After an error: the call in PyTorch's words instead of NumPy's, or what is wrong with the arguments."""
    known = inspect.signature(function).parameters
    meant = {word if word in known else SYNONYMS.get(word, word): value for word, value in options.items()}
    if meant.keys() != options.keys():
        return function(*args, **meant)
    error, refusal = sys.exc_info()[1], None
    own, said = f"{function.__qualname__}()", str(error)
    try:
        bound = inspect.signature(function).bind(*args, **options)
        refusal = ill_typed(name, bound.arguments.items(), defaults_of(function))
    except TypeError as misfit:  # too many, too few or misnamed, as Python says: of this function by its public name
        refusal = TypeError(f"{name}()" + (said.removeprefix(own) if said.startswith(own) else f" {misfit}"))
    if not refusal and isinstance(error, AttributeError):  # of what is no tensor
        refusal = TypeError(f"{name}(): {error}")
    if refusal:
        raise refusal from None
    raise


class Signature:
    """The arguments of an operation: the inputs, which are tensors, and then its options.

    >>> import minigrad as mg
    >>> Signature(lambda a, dim=None: a, ("a",)).bind((mg.ones(2),), {"axis": 0})
    (tensor([1., 1.]), 0)
    """

    name = "op"
    numbers: frozenset = frozenset((int, float, bool))

    def __init__(self, forward: Any, inputs: tuple, alone: bool = False) -> None:
        self.inputs = self.parameters = inputs
        self.presets: dict[str, Any] = {}
        self.many = False  # whether it takes any number of inputs: `*tensors`
        if not isinstance(forward, np.ufunc):
            code = forward.__code__  # which says in no time what `inspect.signature` says slowly
            self.many = bool(code.co_flags & inspect.CO_VARARGS)
            self.parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            self.presets = defaults_of(forward)
        if not self.many and self.parameters[: len(inputs)] != inputs:
            raise TypeError(f"the inputs {inputs} must come first in the forward, which has {self.parameters}")
        self.left_out = dict(self.presets)  # what stands for an argument that is not given
        if alone:  # for the inputs alone there is another form, so in this one the first option must be given
            del self.left_out[self.parameters[len(inputs)]]
        # the arguments from `first` up to `last` are inputs, all others options
        self.first = len(self.parameters) if self.many else 0
        self.last = sys.maxsize if self.many else len(inputs)
        self.only_inputs = not self.many and inputs == self.parameters
        required = [i for i, name in enumerate(self.parameters) if name not in self.presets]
        self.required = required[-1] + 1 if required else 0
        self.filling = tuple(self.presets.get(name) for name in self.parameters)  # for what is left out at the end

    def bind(self, args: tuple, options: dict) -> tuple:
        """All arguments in the order of the forward."""
        if self.many:
            return (*(self._named((), options) if options else self.filling), *args)
        return self._named(args, options)

    def _named(self, args: tuple, options: dict) -> tuple:
        if len(args) > len(self.parameters):
            most = len(self.parameters)
            raise TypeError(
                f"{self.name}() takes {most} positional argument{'s' * (most != 1)} but {len(args)} were given"
            )
        values = dict(zip(self.parameters, args))
        for given, value in options.items():
            name = self.by_spelling.get(given)
            if name is None:
                raise TypeError(f"{self.name}() got an unexpected keyword argument '{given}'")
            if name in values:
                raise TypeError(f"{self.name}() got multiple values for argument '{given}'")
            values[name] = value
        values = self.left_out | values
        missing = [self.torch_name(name) for name in self.parameters if name not in values]
        if missing:
            shown = ", ".join(f'"{name}"' for name in missing)
            raise TypeError(f"{self.name}() missing {len(missing)} required positional arguments: {shown}")
        return tuple([values[name] for name in self.parameters])

    @cached_property
    def by_spelling(self) -> dict[str, str]:
        """The keywords under which each argument may be given: ours, PyTorch's and NumPy's."""
        found = dict.fromkeys(("self", "A"), self.parameters[0]) if self.parameters else {}  # A is a matrix
        for name in reversed(self.parameters):  # where two could be meant, the first is
            found |= {self.torch_name(name): name, name: name}
        numpys = {word: found[torchs] for word, torchs in SYNONYMS.items() if torchs in found}
        return numpys | found

    def torch_name(self, name: str) -> str:
        return "input" if name == self.parameters[0] else TORCH_NAMES.get(name, name)

    def constant(self, value, position: int):
        """An argument that is no Tensor, as NumPy takes it."""
        if isinstance(value, np.generic):
            value = value.item()
        if self.numbers and isinstance(value, bool | int | float | complex):
            return value
        name = self.parameters[min(position, len(self.parameters) - 1)]
        if isinstance(value, np.ndarray) or (value is None and name in self.presets):
            return value
        raise self.no_tensor(position, value)

    def no_tensor(self, position: int, value) -> TypeError:
        name = self.torch_name(self.parameters[min(position, len(self.parameters) - 1)])
        kind = type(value).__name__
        return TypeError(f"{self.name}(): argument '{name}' (position {position + 1}) must be Tensor, not {kind}")

    def unsuited(self, args) -> TypeError | None:
        """The refusal of the first input that is neither a tensor nor a number, if there is one."""
        inputs = args[self.first : self.last]
        numbers = any(isinstance(value, np.ndarray | np.generic) for value in inputs) and int | float | complex
        for position, value in enumerate(inputs, self.first):
            if not isinstance(value, np.ndarray | np.generic | (numbers or np.generic)):
                return self.no_tensor(position, value)
        return None

    def signature(self) -> inspect.Signature:
        """How the operation is called, in PyTorch's words."""
        return InTorchsWords(self)


class InTorchsWords(inspect.Signature):
    """The signature of an operation: its parameters are made when somebody asks, which most never do."""

    def __init__(self, op: Signature) -> None:
        super().__init__()
        self.op = op

    @property
    def parameters(self):
        kind, defaults, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, self.op.presets, inspect.Parameter.empty
        names = {name: self.op.torch_name(name) for name in self.op.parameters}
        found = [inspect.Parameter(names[name], kind, default=defaults.get(name, empty)) for name in names]
        return inspect.Signature(found).parameters

    def replace(self, **changes) -> inspect.Signature:  # type: ignore[override]
        return inspect.Signature(list(self.parameters.values())).replace(**changes)
