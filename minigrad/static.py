"""Define once, run many: TensorFlow 1 in small, as a contrast to a graph that each forward makes anew.

Here a call computes nothing. It notes a step, and which steps it takes; `Session.run` then does those that are asked
for, with the operations and the derivatives of this very engine. Use it as `import minigrad.static as tf`.

>>> reset_default_graph()
>>> x = placeholder(float32, shape=(None, 2))
>>> w = Variable([[3.0], [4.0]])
>>> loss = reduce_sum(matmul(x, w) ** 2.0)
>>> (slope,) = gradients(loss, [w])
>>> update = w.assign(w - 0.5 * slope)
>>> loss, slope
(<tf.Tensor 'Sum:0' shape=() dtype=float32>, <tf.Tensor 'gradients:0' shape=(2, 1) dtype=float32>)
>>> with Session() as session:
...     session.run(global_variables_initializer())
...     for _ in range(2):
...         value, new = session.run([loss, update], feed_dict={x: [[1.0, 0.0]]})
...         print(value, new.tolist())
9.0 [[0.0], [4.0]]
0.0 [[0.0], [4.0]]
"""

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from itertools import count
from typing import Any

import numpy as np

from . import autograd
from .compiler.compiled import Compiled
from .compiler.explaining import told
from .core.modes import set_grad_enabled
from .core.tensor import Tensor as Value
from .numbers.dtypes import TYPES, dtype
from .ops import functions as eager
from .random import sampling
from .tensors import creation, trees
from .words.source import here

float16, float32, float64, int32, int64 = (TYPES[name] for name in "float16 float32 float64 int32 int64".split())
_names: Counter = Counter()
_sequence = count()
_variables: list = []  # those that `global_variables_initializer` fills


def reset_default_graph() -> None:
    """Forget the variables and the names given so far."""
    _variables.clear()
    _names.clear()


class InvalidArgumentError(ValueError):
    """A step cannot do with what the run gave it."""


class Tensor:
    """A step that has not run: how to compute it, from which steps. Its numbers exist only inside `Session.run`."""

    __array_ufunc__ = None  # so that NumPy leaves `array * step` to this class

    def __init__(self, kind: str, compute: Callable, inputs: Iterable = (), shape=None, type: Any = float32) -> None:
        self.name = kind if kind not in _names else f"{kind}_{_names[kind]}"
        _names[kind] += 1
        self.compute, self.inputs, self.dtype = compute, tuple(inputs), type
        self.shape: Any = shape
        self.number, self.place = next(_sequence), here()  # a step is younger than all that it takes

    def __repr__(self) -> str:
        return f"<tf.{type(self).__name__} '{self.name}:0' shape={shown(self.shape)} dtype={self.dtype.name}>"

    def __bool__(self) -> bool:
        raise TypeError(
            f"'{self.name}' has no value before Session.run, so `if` cannot ask for it: control flow would have to be "
            "part of the graph, which is fixed. With minigrad's own tensors it is Python's."
        )

    __iter__ = None  # nor can it be looped over


def shown(shape: tuple | None) -> str:
    """A shape as TensorFlow writes it: a question mark for what only the run will tell."""
    return "<unknown>" if shape is None else str(tuple(shape)).replace("None", "?")


# == operations ============================================================================================


def step(kind: str, function: Callable) -> Callable:
    """An operation that is noted: called with steps, and with numbers or arrays in between."""

    def note(*args, **options) -> Tensor:
        inputs = [one for one in args if isinstance(one, Tensor)]

        def compute(session, *values) -> Value:
            remaining = iter(values)
            given = (next(remaining) if isinstance(one, Tensor) else one for one in args)
            return function(*(creation.as_tensor(x) if isinstance(x, np.ndarray) else x for x in given), **options)

        return Tensor(kind, compute, inputs, *foreseen(kind, compute, inputs))

    return note


def foreseen(kind: str, compute: Callable, inputs: list) -> tuple:
    """Shape and type of a result, as far as they are known: what stays the same when the unknown sizes change."""
    found = []
    for unknown in (2, 3):
        try:
            likes = [[unknown if n is None else n for n in one.shape] for one in inputs]
            found.append(compute(None, *(creation.zeros(n, dtype=one.dtype) for n, one in zip(likes, inputs))))
        except (RuntimeError, IndexError, TypeError):  # TypeError: a shape of which nothing is known
            if all(one.shape is not None and None not in one.shape for one in inputs):
                given = ", ".join(shown(one.shape) for one in inputs)
                raise ValueError(f"Dimensions must fit for '{kind}', but the input shapes are {given}") from None
            return None, inputs[0].dtype  # it may fit in the run
    return tuple(n if n == m else None for n, m in zip(*(one.shape for one in found))), found[0].dtype


SAME = "matmul maximum minimum add pow exp log sqrt square sin cos tanh sigmoid abs reshape transpose"
OTHERWISE = {"subtract": "sub", "multiply": "mul", "divide": "div", "negative": "neg", "relu": "relu"}
functions = {
    name: step(name.title().replace("Matm", "MatM"), eager[OTHERWISE.get(name, name)])
    for name in (*SAME.split(), *OTHERWISE)
}
globals().update(functions)
OPERATORS = {"sub": "subtract", "mul": "multiply", "truediv": "divide"} | {n: n for n in ("add", "pow", "matmul")}
for _operator, _name in OPERATORS.items():
    setattr(Tensor, f"__{_operator}__", lambda self, other, f=functions[_name]: f(self, other))
    setattr(Tensor, f"__r{_operator}__", lambda self, other, f=functions[_name]: f(other, self))
setattr(Tensor, "__neg__", functions["negative"])  # noqa: B010 - like those above
reduce_sum = step("Sum", lambda x, axis=None, keepdims=False: eager["sum"](x, axis, keepdims))
reduce_mean = step("Mean", lambda x, axis=None, keepdims=False: eager["mean"](x, axis, keepdims))

# == where numbers come from ===============================================================================


def constant(value, dtype: dtype | None = None) -> Tensor:
    """A value that is the same in every run."""
    kept = creation.tensor(np.asarray(value).tolist(), dtype=dtype)
    return Tensor("Const", lambda session: kept, (), tuple(kept.shape), kept.dtype)


def zeros(shape, dtype: dtype = float32) -> Tensor:
    """Zeros."""
    return constant(np.zeros(shape), dtype)


def random_normal(shape, mean: float = 0.0, stddev: float = 1.0, dtype: dtype = float32) -> Tensor:
    """Numbers from a normal distribution, new ones in every run."""
    shape = tuple(shape)
    return Tensor("random_normal", lambda _: sampling.randn(shape, dtype=dtype) * stddev + mean, (), shape, dtype)


def placeholder(dtype: dtype, shape=None, name: str = "Placeholder") -> Tensor:
    """A place for data that each run brings along, in `feed_dict`. None stands for a size that may change."""

    def missing(session):
        kind = f"dtype {dtype.name} and shape {shown(place.shape)}"
        raise InvalidArgumentError(f"You must feed a value for placeholder tensor '{place.name}' with {kind}")

    place = Tensor(name, missing, (), None if shape is None else tuple(shape), dtype)
    return place


class Variable(Tensor):
    """A value that outlives a run. It lives in the session, from `global_variables_initializer` on."""

    def __init__(self, initial_value, name: str = "Variable") -> None:
        start = initial_value if isinstance(initial_value, Tensor) else constant(initial_value)
        super().__init__(name, self.read, (), start.shape, start.dtype)
        self.initializer = self.assign(start)
        _variables.append(self)

    def read(self, session: "Session") -> Value:
        if self not in session.kept:
            raise InvalidArgumentError(
                f"Attempting to use uninitialized value {self.name}; run global_variables_initializer() first"
            )
        return session.kept[self]

    def assign(self, value) -> Tensor:
        """A step that gives the variable a new value, and has it as its own."""
        value = value if isinstance(value, Tensor) else constant(value, self.dtype)
        check_shape(value.shape, self, "Cannot assign a value")

        def write(session, new: Value) -> Value:
            check_shape(tuple(new.shape), self, "Cannot assign a value")
            session.kept[self] = new
            return new

        return Tensor("Assign", write, [value], self.shape, self.dtype)


def global_variables_initializer() -> Tensor:
    """A step that gives all variables noted so far their initial values."""
    return Tensor("init", lambda session, *values: None, [variable.initializer for variable in _variables])


def check_shape(given: Any, place: Tensor, refusal: str) -> None:
    if given is None or place.shape is None:
        return
    if len(given) != len(place.shape) or any(None not in (n, m) and n != m for n, m in zip(given, place.shape)):
        raise ValueError(
            f"{refusal} of shape {shown(given)} for Tensor '{place.name}:0', which has shape '{shown(place.shape)}'"
        )


# == derivatives ===========================================================================================


class Gradients(Tensor):
    """The step that asks the engine for gradients; those that are handed out take one each."""

    def __init__(self, ys: list, xs: list) -> None:
        def slopes(session, *values) -> tuple:
            ends, starts = values[: len(ys)], values[len(ys) :]
            ones = [creation.ones_like(end) for end in ends]
            return autograd.grad(ends, starts, ones, create_graph=True, materialize_grads=True)

        super().__init__("gradients_of", slopes, ys + xs)
        self.targets = xs


def gradients(ys, xs) -> list:
    """For each of `xs` a step with the gradient of the sum of `ys`; None where they do not depend on it."""
    ys, xs = (list(some) if isinstance(some, list | tuple) else [some] for some in (ys, xs))
    before = ancestors(ys)
    used = [x for x in dict.fromkeys(xs) if x in before]
    whole = [Gradients(ys, used)] if used else []
    slopes = {x: Tensor("gradients", lambda _, all, i=i: all[i], whole, x.shape, x.dtype) for i, x in enumerate(used)}
    return [slopes.get(x) for x in xs]


def ancestors(steps: Iterable, known: Iterable = ()) -> set:
    """The steps, and all that they need; what only leads to those already `known` is left out."""
    found, stack = set(), list(steps)
    while stack:
        one = stack.pop()
        if one not in found:
            found.add(one)
            stack += () if one in known else one.inputs
    return found


# == running ===============================================================================================


class Session(AbstractContextManager):
    """Where steps run, and where variables keep their values from one run to the next.

    Only those steps run that lead to what is fetched. From the second run on they are a plan (`minigrad.compile`).
    """

    def __init__(self) -> None:
        self.kept: dict[Variable, Value] = {}
        self._routes: dict[tuple, Route] = {}

    def run(self, fetches, feed_dict: dict | None = None) -> Any:
        """The values of `fetches` (a step, or steps in lists, tuples and dicts) as NumPy has them."""
        route, values = self.route(fetches, feed_dict)
        found = iter(route.run(self, values))
        return trees.each(lambda _: as_numpy(next(found)), fetches)

    def explain(self, fetches, feed_dict: dict | None = None) -> None:
        """Run once, and print what the plan of this run does."""
        compiled, given, names = self.planning(fetches, feed_dict)
        told(compiled, given, {}, names)

    def planning(self, fetches, feed_dict: dict | None = None) -> tuple[Compiled, tuple, dict[int, str]]:
        """What a plan of this run is made from: the function, its arguments, and what they are called, by their ids."""
        route, values = self.route(fetches, feed_dict)
        given = route.given(self, values)
        names = {id(value): source.name for source, value in zip(route.sources, given)}
        return Compiled(route.compute, alone=True), (given,), names

    def route(self, fetches, feed_dict: dict | None) -> tuple["Route", dict]:
        """The steps to these fetches from what is fed, and that."""
        values = {place: fed(place, value) for place, value in (feed_dict or {}).items()}
        key = tuple(trees.leaves(fetches)), tuple(values)
        if key not in self._routes:
            self._routes[key] = Route(*key)
        return self._routes[key], values

    def __exit__(self, *exception) -> None:
        """Nothing has to be closed."""


class Route:
    """The steps that lead to some fetches, in their order: those that bring values, and those that compute."""

    def __init__(self, wanted: tuple, fed: tuple) -> None:
        steps = sorted(ancestors(wanted, fed), key=lambda one: one.number)
        self.wanted = wanted
        self.sources = [one for one in steps if one in fed or not one.inputs]
        self.steps = [one for one in steps if one not in self.sources]
        self.targets = {x for one in steps if isinstance(one, Gradients) for x in one.targets}
        self.compiled = Compiled(self.compute, alone=True)

    def given(self, session: Session, values: dict) -> list:
        """What the sources bring to one run."""
        return [values[one] if one in values else computed(one, session, []) for one in self.sources]

    def run(self, session: Session, values: dict) -> list:
        found, written = self.compiled(self.given(session, values))
        for variable, new in written.items():
            session.kept[variable] = new.detach()
        return found

    def compute(self, given: list) -> tuple[list, dict]:
        """The values that are wanted, and those that are assigned to variables."""
        values, session = dict(zip(self.sources, given)), Session()
        with set_grad_enabled(bool(self.targets)):
            for one in (*self.sources, *self.steps):
                if one not in values:
                    values[one] = computed(one, session, [values[earlier] for earlier in one.inputs])
                if one in self.targets and not values[one].requires_grad:
                    values[one] = values[one].detach().requires_grad_()
        return [values[one] for one in self.wanted], session.kept


def computed(one: Tensor, session: Session, inputs: list) -> Any:
    """The value of a step; what fails names the line that defined it."""
    try:
        return one.compute(session, *inputs)
    except InvalidArgumentError:
        raise
    except (RuntimeError, IndexError, ValueError) as error:
        words = str(error).partition("\n")[0]
        raise InvalidArgumentError(f"{words}\n[[node {one.name}, defined at {one.place}]]") from None


def as_numpy(value: Value | None) -> Any:
    return None if value is None else value.detach().numpy().copy()[()]


def fed(place, value) -> Value:
    """What `feed_dict` has for a step, in the step's type, if it has the step's shape."""
    array = np.asarray(value)
    check_shape(array.shape, place, "Cannot feed value")
    return creation.tensor(array, dtype=place.dtype)
