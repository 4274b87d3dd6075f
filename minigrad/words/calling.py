"""How a person may call an operation: its arguments, the names under which they may be given, and what is refused."""

import inspect
import operator
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, wraps
from types import NoneType
from typing import Any

import numpy as np

from . import formula
from .absent import nearest
from .source import is_method

TORCH_NAMES = {"a": "self", "b": "other", "out": "result"}  # how `_saved_…` attributes and keyword arguments call them
# NumPy's words, which PyTorch accepts as well
SYNONYMS = {"axis": "dim", "axes": "dim", "axis0": "dim0", "axis1": "dim1", "keepdims": "keepdim"}
SYNONYMS |= {"x": "input", "x1": "input", "x2": "other", "input": "A"}
INSTEAD = {"out": ": every result is a new tensor here; write out.copy_(result)"}  # of an argument that is nowhere
# what an argument of some name is, in all operations
TENSORS = frozenset(
    "input A B mat mat1 mat2 vec vec1 vec2 batch1 batch2 tensor mask index target query key weight bias pos_weight "
    "running_mean running_var src".split()
)
SURE = TENSORS - {"index", "src", "mask"}  # never numbers
SURE |= set("condition x1 x2 tensor1 tensor2 input1 input2 prepend append".split())
OPTIONAL = frozenset("running_mean running_var".split())  # of these, those that may be None without a default
INTEGERS = frozenset(
    "dim dim0 dim1 dim2 dims start_dim end_dim chunks diagonal offset k n start length groups axis0 axis1 size sizes "
    "shifts normalized_shape kernel_size stride padding dilation pad split_size_or_sections num_classes "
    "ignore_index".split()
)
BOOLEANS = frozenset(
    "keepdim largest sorted descending unbiased log_target log_input full swap equal_nan is_causal training stable "
    "some upper accumulate with_replacement return_inverse return_counts as_tuple ceil_mode full_matrices "
    "count_include_pad".split()
)
STRINGS = frozenset("UPLO indexing".split())
EITHER = ("max", "min", "tensordot")  # these take a tensor in the place of a dimension, too
NUMBERS = frozenset(
    "alpha beta eps negative_slope min_val max_val threshold lambd margin delta rtol atol maxnorm dx momentum".split()
)
EXACTLY: dict[str, set] = dict.fromkeys(BOOLEANS, {bool}) | dict.fromkeys(STRINGS, {str})  # before each call
EXACTLY |= dict.fromkeys(NUMBERS, {int, float})
EXACTLY |= dict.fromkeys(INTEGERS, {int, list, tuple, type(None)})
EXACTLY |= dict.fromkeys(("ignore_index", "num_classes"), {int})
# what Python and NumPy say of what they cannot do with an argument, which does not tell whose fault it is
PYTHONS = re.compile(
    r"object has no attribute|object is not|unsupported operand|bad operand|not supported between|cannot be interpreted"
    r"|has no len|truth value of an|integer scalar arrays|unhashable|argument must be a|tuple index out of range"
    r"|slice indices|operands could not be broadcast|setting an array element|Cannot cast|iteration over a"
    r"|multiply sequence|only integer tensors|a number is expected"
)
MISUSES = (AttributeError, IndexError, RuntimeError, TypeError, ValueError)  # what comes of an argument of a wrong type


def ill_typed(
    name: str, arguments: Iterable[tuple[str, Any]], defaults: Mapping = {}, by_name: Iterable[str] = ()
) -> TypeError | None:
    """The refusal of the first argument of a wrong type, if there is one: asked when a call has failed."""
    for position, (argument, value) in enumerate(arguments, 1):
        if (argument == "input" and position > 1) or (value is None and defaults.get(argument, ...) is None):
            continue
        expected = wanted(argument, value, name)
        if expected:
            found = f"not {kind_of(value)}"
            if expected == "tuple of ints" and isinstance(value, tuple | list):
                place, one = next((i, one) for i, one in enumerate(value) if not is_whole(one))
                found = f"but found element of type {kind_of(one)} at pos {place}"
            where = "" if argument in by_name else placed(name, position)
            return TypeError(f"{name}(): argument '{argument}'{where} must be {expected}, {found}")
    return None


def placed(name: str, position: int) -> str:
    """Where an argument was written, if the function has it in this place: the first of `x.sum(0)` is its second."""
    return f" (position {position - is_method(name)})"


def kind_of(value) -> str:
    """What the type of an argument is called, with its library where that is another one."""
    kind = type(value)
    is_others = kind.__module__ == "numpy" or (kind.__name__ == "Tensor" and not hasattr(value, "_data"))
    return f"{kind.__module__}.{kind.__name__}" if is_others else kind.__name__


def received(name: str, args: Iterable, options: Mapping, signature: inspect.Signature) -> TypeError:
    """The refusal of arguments of which no one alone can be blamed: what came, and what was expected."""
    given = ", ".join([*map(kind_of, args), *(f"{word}={kind_of(value)}" for word, value in options.items())])
    plain = [one.replace(annotation=one.empty) for one in signature.parameters.values()]
    expected = signature.replace(parameters=plain, return_annotation=signature.empty)
    return TypeError(f"{name}() received an invalid combination of arguments - got ({given}), but expected {expected}")


def wanted(argument: str, value, function: str = "") -> str | None:
    """What an argument of this name must be, where the value is something else."""
    if function in EITHER and argument in ("dim", "dims") and hasattr(value, "_data"):
        return None
    if argument == "tensors" and not isinstance(value, list | tuple):
        return "tuple of Tensors"
    if argument in TENSORS | SURE or (argument == "other" and isinstance(value, str | list | tuple | None)):
        may_be_other = value is None and argument in OPTIONAL
        may_be_other |= argument == "index" and not isinstance(value, list)  # `select` takes a number, `x[index]` much
        may_be_other |= argument == "src" and isinstance(value, int | float | complex)  # `scatter` takes a number
        return None if may_be_other or hasattr(value, "_data") else "Tensor"
    if argument == "padding" and isinstance(value, str):
        return None
    if argument == "normalized_shape" and not isinstance(value, list | tuple):
        return "tuple of ints"
    if argument in INTEGERS:
        several = value if isinstance(value, list | tuple) else (value,)
        if argument != "dim":  # `tensordot` takes two lists, a size may be one
            several = [one for one in several if not isinstance(one, list | tuple)]
        if getattr(value, "ndim", 0) or not all(map(is_whole, several)):
            return "tuple of ints" if isinstance(value, list | tuple) else "int"
    if argument in NUMBERS or argument in ("exponent", "min", "max"):
        is_tensor = hasattr(value, "_data")  # which is a number, unless it waits for a gradient; bounds are many
        is_number = is_tensor and not (argument in NUMBERS and (value.ndim or value.requires_grad))
        if isinstance(value, complex) and argument not in ("alpha", "beta", "exponent"):
            return "float"
        return None if is_number or isinstance(value, int | float | complex | np.generic) else "Number"
    if argument in STRINGS and not isinstance(value, str):
        return "str"
    return "bool" if argument in BOOLEANS and type(value) is not bool else None


def settled(numbers):
    """Whole numbers as nobody changes them any more: a list as a tuple, a tensor as its number."""
    if isinstance(numbers, list | tuple):
        return tuple(map(settled, numbers))
    return operator.index(numbers) if hasattr(numbers, "__index__") else numbers


def is_whole(number) -> bool:
    """Whether this is a whole number, as a tensor of one may be; a flag is none."""
    try:
        return type(number) is not bool and operator.index(number) is not None
    except TypeError:
        return False


def checked(function: Callable, name: str) -> Callable:
    """A function of several rows, which says what is wrong with its arguments as PyTorch's parser of arguments does."""
    plain = inspect.unwrap(function)
    names = plain.__code__.co_varnames[: plain.__code__.co_argcount]
    first = 0 if name in ("pow", "float_power") else 1  # of a number, too
    presets = defaults_of(plain)
    sure = [  # with what may stand there instead
        (place, (NoneType,) if word in OPTIONAL or presets.get(word, ...) is None else ())
        for place, word in enumerate(names)
        if word in SURE and (word != "input" or place < first)
    ]
    places = dict.fromkeys(presets, sys.maxsize) | {word: place for place, word in enumerate(names)}  # or by name only
    kinds = {word: EXACTLY[word] | {type(presets.get(word))} for word in places if word in EXACTLY}
    if "unbiased" in kinds:
        del kinds["dim"]  # `x.var(False)` says whether it is, and no dimension
    exact = [(place, word, kinds[word]) for word, place in places.items() if word in kinds]

    @wraps(function)
    def form(*args, **options):
        try:
            for place, instead in sure:
                if place < len(args) and not (hasattr(args[place], "_data") or isinstance(args[place], instead)):
                    raise TypeError
            given = len(args)
            for place, word, types in exact:
                value = args[place] if place < given else options.get(word, form)  # itself, where none is given
                if type(value) not in types and value is not form and wanted(word, value, name):
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
    error, signature = sys.exc_info()[1], inspect.signature(function)
    known = signature.parameters
    refusal: Exception | None = None
    synonyms = SYNONYMS | {"input": next(iter(known), "")}
    synonyms = {word: own for word, own in synonyms.items() if own in known.keys() - {"tensors"}}
    meant = {word if word in known else synonyms.get(word, word): value for word, value in options.items()}
    if meant.keys() != options.keys() and len(meant) == len(options):
        return checked(function, name)(*args, **meant)
    several = next((one.name for one in known.values() if one.kind is one.VAR_POSITIONAL), "size")
    if several in options and several in known:  # `x.flip(dims=(0, 1))`
        args, options = (*args, options[several]), {word: one for word, one in options.items() if word != several}
    own, said = f"{function.__qualname__}()", str(error)
    try:
        bound = signature.bind(*args, **options)
        bound.apply_defaults()
        refusal = ill_typed(name, bound.arguments.items(), defaults_of(inspect.unwrap(function)), options)
        refusal = refusal or (no_fit(name, bound.arguments, said) if PYTHONS.search(said) else None)
    except TypeError as misfit:  # too many, too few or misnamed, as Python says: of this function by its public name
        words = said.removeprefix(own).lstrip() if said.startswith(own) else str(misfit)
        refusal = TypeError(f"{name}() {misfitting(words, known)}")
    if not refusal and said.startswith("argument '"):
        refusal = TypeError(f"{name}(): {said}".replace("argument 'size'", f"argument '{several}'"))
    inner = re.match(r"(\w+)\(\)", said)  # a row that only the tables know
    if not refusal and (PYTHONS.search(said) or (inner and inner[1] not in formula.known | {name})):
        refusal = received(name, args, options, signature)
    if refusal:
        raise refusal from None
    raise


def misfitting(said: str, known: Iterable[str]) -> str:
    """What Python says of arguments that do not fit, as a sentence about who gets them, and what to write instead."""
    odd = re.search(r"unexpected keyword argument '(\w+)'$", said)
    said = said if said.startswith(("got", "missing", "takes")) else f"got {said}"
    return said + (INSTEAD.get(odd[1]) or nearest(odd[1], known)) if odd else said


def no_number(name: str, arguments: Mapping, said: str) -> TypeError | None:
    """The refusal of a list in the place of one whole number, where that is what Python stumbled over."""
    kind = re.search(r"'(list|tuple)'", said)
    for position, (argument, value) in enumerate(arguments.items(), 1):
        if kind and argument in INTEGERS and type(value).__name__ == kind[1]:
            return TypeError(f"{name}(): argument '{argument}'{placed(name, position)} must be int, not {kind[1]}")
    return None


def no_fit(name: str, arguments: Mapping, said: str) -> Exception | None:
    """What may be meant by an error of Python's: a number in the place of the second tensor, a dimension too high."""
    ndim = next((value.ndim for value in arguments.values() if hasattr(value, "_data")), 0)
    dim, other = arguments.get("dim"), arguments.get("other")
    if refusal := no_number(name, arguments, said):
        return refusal
    if other is not None and not hasattr(other, "_data"):
        where = placed(name, [*arguments].index("other") + 1)
        return TypeError(f"{name}(): argument 'other'{where} must be Tensor, not {kind_of(other)}")
    if "tuple index" in said and isinstance(dim, int) and not -ndim <= dim < ndim:
        range_ = f"[{-max(ndim, 1)}, {max(ndim, 1) - 1}]"
        return IndexError(f"Dimension out of range (expected to be in range of {range_}, but got {dim})")
    return None


class Signature:
    """The arguments of an operation: the inputs, which are tensors, and then its options.

    >>> import minigrad as mg
    >>> Signature(lambda a, dim=None: a, ("a",)).bind((mg.ones(2),), {"axis": 0})
    (tensor([1., 1.]), 0)
    """

    name = "op"
    public: str | None = None
    grad_fn: Any = None
    outputs: tuple | None = None
    numbers: frozenset = frozenset((int, float, bool))

    @property
    def called(self) -> str:
        """What a person calls it: a row that is offered nowhere is a form of one that its node is named after."""
        return formula.title(self) if self.public == "" and isinstance(self.grad_fn, str) else self.name

    def __init__(self, forward: Any, inputs: tuple, alone: bool = False) -> None:
        self.inputs = self.parameters = inputs
        self.presets: dict[str, Any] = {}
        self.many = False  # whether it takes any number of inputs: `*tensors`
        if not callable(forward):
            raise TypeError(f"op(): the forward must be a function of arrays, not {kind_of(forward)}")
        if not isinstance(forward, np.ufunc):
            code = forward.__code__  # which says in no time what `inspect.signature` says slowly
            self.many = bool(code.co_flags & inspect.CO_VARARGS)
            self.parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            self.presets = defaults_of(forward)
        if not self.many and self.parameters[: len(inputs)] != inputs:
            raise TypeError(
                f"op(): what is no setting is an input, and the inputs {inputs} must come first in the forward, which "
                f"has {self.parameters}"
            )
        # the arguments that are settled before each call, unless they have one of these types
        self.exact = [(i, EXACTLY[word] - {list, tuple}) for i, word in enumerate(self.parameters) if word in EXACTLY]
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

    def option(self, place: int, given):
        """An option, to which no gradient flows: a tensor without dimensions is its number, which decides no type."""
        if not hasattr(given, "_data"):
            return given
        if not given.ndim and given._data.dtype.kind in "iuf":
            if given.requires_grad:  # which would wait in vain
                raise TypeError(f"{self.called}(): argument '{self.parameters[place]}' must be Number, not Tensor")
            return given.item()
        return given.detach() if given.requires_grad else given

    def settled(self, args: tuple, position: int) -> tuple:
        """The arguments after a look at this one: a backward reads its list as it was in the forward."""
        value, of_whole = args[position], self.parameters[position] in INTEGERS
        is_usual = of_whole and isinstance(value, list | tuple) and set(map(type, value)) <= {int}  # quick to see
        if not is_usual and (error := ill_typed(self.called, zip(self.parameters, args), self.presets)):
            raise error
        return (*args[:position], settled(value), *args[position + 1 :]) if of_whole else args

    def _named(self, args: tuple, options: dict) -> tuple:
        if len(args) > len(self.parameters):
            most = len(self.parameters)
            raise TypeError(
                f"{self.called}() takes {most} positional argument{'s' * (most != 1)} but {len(args)} were given"
            )
        values = dict(zip(self.parameters, args))
        for given, value in options.items():
            name = self.by_spelling.get(given)
            if name is None:
                odd = misfitting(f"got an unexpected keyword argument '{given}'", self.by_spelling)
                raise TypeError(f"{self.called}() {odd}")
            if name in values:
                raise TypeError(f"{self.called}() got multiple values for argument '{given}'")
            values[name] = value
        values = self.left_out | values
        missing = [self.torch_name(name) for name in self.parameters if name not in values]
        if missing:
            shown = ", ".join(f'"{name}"' for name in missing)
            raise TypeError(f"{self.called}() missing {len(missing)} required positional arguments: {shown}")
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

    def output_called(self, name: str) -> int:
        """The place of an output for which a rule asks."""
        outputs = self.outputs or ("out",)
        if name not in outputs:
            known = ", ".join((*self.parameters, *outputs))
            raise TypeError(
                f"{self.called}: beside the gradient, which comes first, a rule asks for '{name}', none of {known}"
            )
        return outputs.index(name)

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
        name = "input" if name == "self" else name
        given = f"argument '{name}'{placed(self.called, position + 1)} must be Tensor, not {kind_of(value)}"
        return TypeError(f"{self.called}(): {given}")

    def unsuited(self, args) -> TypeError | None:
        """The refusal of the first input that is neither a tensor nor a number, if there is one."""
        inputs = args[self.first : self.last]
        numbers = any(isinstance(value, np.ndarray | np.generic) for value in inputs) and int | float | complex
        for position, value in enumerate(inputs, self.first):
            if not isinstance(value, np.ndarray | np.generic | (numbers or np.generic)):
                return self.no_tensor(position, value)
        return None

    def derivative(self, name: str) -> str:
        """How a person writes the rule of one input: `∂out/∂a = cos(a)`."""
        return formula.derivative(self, name)

    def __repr__(self) -> str:
        return f"Op({self.name}{self.signature()})"

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
