"""Tensors of random numbers: PyTorch's names over `draws.py`.

>>> manual_seed(6).initial_seed()
6
>>> randn(4, 4)[0]
tensor([-1.2113,  0.6304, -1.4713, -1.3352])
"""

from functools import partial

import numpy as np

from ..core.forward import apply
from ..core.tensor import Tensor, wrap
from ..core.views import check_overwritable
from ..numbers.dtypes import is_differentiable, of, unsupported
from ..ops.copying import draw as drawn
from ..ops.rearranging import memory_order
from ..ops.shape import expanded, inverse
from ..tensors.creation import check_whole, like, made, number, numpy_type, shape_of
from ..words import help
from ..words.refusals import unlike
from . import draws
from .stream import Generator, default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state


def check_tensor(function: str, input) -> None:
    if not isinstance(input, Tensor):
        raise TypeError(f"{function}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")


def _sampler(name: str, draw, kernel: str, doc: str):
    """A function of a shape, in all the ways in which PyTorch takes one."""

    def sample(*shape, size=None, generator=None, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
        kind = numpy_type(dtype)
        if not is_differentiable(kind):
            raise unsupported(kernel, kind)
        array = draw(generator, shape_of(name, shape, size), dtype=kind)
        return made(array, requires_grad, device)

    sample.__name__ = sample.__qualname__ = name
    sample.__doc__ = help.with_example(doc, name)
    return sample


rand = _sampler("rand", draws.uniform, "check_uniform_bounds", "Numbers spread evenly over [0, 1).")
randn = _sampler("randn", draws.normal, "normal_kernel_cpu", "Numbers from the standard normal distribution.")


def randint(*args, generator=None, dtype=None, device=None, requires_grad: bool = False, **named) -> Tensor:
    """`randint(high, size)` or `randint(low, high, size)`: whole numbers from `low` up to but not including `high`.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.randint(1, 7, (5,))
    tensor([3, 4, 6, 1, 2])
    """
    *bounds, size = (*args, named["size"]) if "size" in named else args or (None,)
    low, high = ([named[name]] if name in named else [] for name in ("low", "high"))
    bounds = [*low, *bounds, *high]
    if not 1 + len(low) <= len(bounds) <= 2 or not named.keys() <= {"low", "high", "size"}:
        raise TypeError("randint() takes (high, size) or (low, high, size)")
    low, high = (0, *bounds)[-2:]
    if not isinstance(size, tuple | list):
        raise TypeError(f"randint(): argument 'size' must be tuple of ints, not {type(size).__name__}")
    for name, bound in {"low": low, "high": high}.items():
        check_whole("randint", name, bound)
    kind = np.dtype(np.int64) if dtype is None else numpy_type(dtype)
    shape = shape_of("randint", (size,))
    check_fit("randint", int(low), int(high), kind)
    return made(draws.randint(generator, int(low), int(high), shape, kind), requires_grad, device)


def check_fit(function: str, low: int, high: int, kind: np.dtype) -> None:
    """Whole numbers that shall be drawn must be numbers of the type."""
    limits = np.iinfo(kind) if kind.kind in "iu" else None
    least, most = (limits.min, limits.max) if limits else (0, 1)
    if kind.kind in "biu" and low < high and not least <= low < high <= most + 1:
        raise RuntimeError(f"{function}(): not all whole numbers from {low} to {high - 1} fit into {of(kind)}")


def randint_like(input: Tensor, low: int = 0, high: int | None = None, *, dtype=None, **options) -> Tensor:
    """`randint` in the shape and type of another tensor; of one bound, that is `high`.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.randint_like(mg.rand(3), 10)
    tensor([0., 3., 9.])
    """
    low, high = (0, low) if high is None else (low, high)

    def randint_of(shape, **more):
        return randint(low, high, tuple(shape), **more)

    randint_of.__name__ = "randint"
    return like(randint_of)(input, dtype=dtype, **options)


def randperm(n: int, *, generator=None, dtype=None, device=None) -> Tensor:
    """The numbers from 0 to n - 1 in a random order.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.randperm(5)
    tensor([4, 0, 1, 3, 2])
    """
    check_whole("randperm", "n", n)
    return made(draws.randperm(generator, n, np.int64 if dtype is None else numpy_type(dtype)), on=device)


def normal(
    mean: float | Tensor = 0.0, std: float | Tensor = 1.0, size=None, *, generator=None, dtype=None, device=None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """Normal numbers: of one mean and one deviation in a given size, or one around each of the means in a Tensor.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.normal(5.0, 0.1, (3,)), mg.normal(mg.tensor([0.0, 100.0]), 1.0)
    (tensor([5.1541, 4.9707, 4.7821]), tensor([ 0.5684, 98.9155]))
    """
    given = [one for one in (mean, std) if isinstance(one, Tensor)]
    if bool(given) is (size is not None):
        raise TypeError("normal() takes two numbers and a size, or Tensors of means or deviations and no size")
    if not given:
        mean, std = number("normal", "mean", mean), number("normal", "std", std)
        numbers = draws.normal(generator, shape_of("normal", (size,)), mean, std, numpy_type(dtype))
        return made(numbers, requires_grad, device)
    kind = _type_of(given[0], "normal_kernel_cpu", "fc")
    deviations = std.array if isinstance(std, Tensor) else std
    if np.any(deviations < 0):
        raise RuntimeError("normal expects all elements of std >= 0.0")
    if wrong := unlike([one.shape for one in given]):
        raise wrong
    around, deviations = np.broadcast_arrays(mean.array if isinstance(mean, Tensor) else mean, deviations)
    numbers = draws.normal(generator, around.shape, dtype=kind) * deviations + around
    form = isinstance(mean, Tensor) + 2 * isinstance(std, Tensor)
    return drawn(given[0], numbers.astype(kind), f"NormalBackward{form}")


def bernoulli(input: Tensor, p: float | None = None, *, generator=None) -> Tensor:
    """1 with the probability that `input` names, else 0; with `p`, that is the probability for all.

    >>> import minigrad as mg
    >>> mg.bernoulli(mg.tensor([0.0, 1.0])), mg.bernoulli(mg.tensor([5.0, 6.0]), p=1)
    (tensor([0., 1.]), tensor([1., 1.]))
    """
    check_tensor("bernoulli", input)
    if isinstance(p, Tensor):
        raise TypeError("bernoulli(): argument 'p' must be a number, not Tensor; x.bernoulli_(p) takes a Tensor")
    if p is not None:
        return drawn(input, draws.bernoulli(generator, float(p), input.shape, input.array.dtype), "NotImplemented")
    if not input.is_floating_point():
        raise unsupported("bernoulli_tensor_cpu_p_", input.array.dtype)
    return drawn(input, draws.bernoulli(generator, input.array), "BernoulliBackward0")


def multinomial(input: Tensor, num_samples: int, replacement: bool = False, *, generator=None) -> Tensor:
    """Indices, each drawn as often as its weight in `input` says.

    >>> import minigrad as mg
    >>> mg.multinomial(mg.tensor([0.0, 0.0, 2.0]), 3, replacement=True)
    tensor([2, 2, 2])
    """
    check_tensor("multinomial", input)
    check_whole("multinomial", "num_samples", num_samples)
    if type(replacement) is not bool:
        raise TypeError(f"multinomial(): argument 'replacement' must be bool, not {type(replacement).__name__}")
    return wrap(draws.multinomial(generator, input.array, num_samples, replacement))


one_by_one = _sampler("randn", partial(draws.normal, blocks=False), "normal_kernel_cpu", "")
rand_like, randn_like = like(rand), like(randn, otherwise=one_by_one)


def _type_of(tensor: Tensor, kernel: str, kinds: str) -> np.dtype:
    """The type of number in which it may be filled."""
    if tensor.array.dtype.kind not in kinds:
        raise unsupported(kernel, tensor.array.dtype)
    return tensor.array.dtype


def _filled(tensor: Tensor, node: str, numbers: np.ndarray) -> Tensor:
    """Random numbers, in the order of memory, in place of what was there, on which nothing depends any longer."""
    check_overwritable(tensor, (tensor,))
    order = memory_order(tensor)
    numbers = numbers.reshape([tensor.shape[dim] for dim in order]).transpose(inverse(order))
    return apply(drawn.op, (tensor, numbers, node), into=tensor)


def uniform_(self, a: float = 0.0, b: float = 1.0, *, generator=None) -> Tensor:
    """Numbers spread evenly over [a, b).

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.empty(3).uniform_(-1, 1)
    tensor([-0.0075,  0.5364, -0.8230])
    """
    a, b = number("uniform_", "from", a), number("uniform_", "to", b)
    kind = _type_of(self, "check_uniform_bounds", "fc")
    return _filled(self, "UniformBackward0", draws.uniform(generator, self.shape, a, b, kind))


def normal_(self, mean: float = 0.0, std: float = 1.0, *, generator=None) -> Tensor:
    """Normal numbers.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.empty(3).normal_(mean=10)
    tensor([11.5410,  9.7066,  7.8212])
    """
    mean, std = number("normal_", "mean", mean), number("normal_", "std", std)
    kind = _type_of(self, "normal_kernel_cpu", "fc")
    numbers = draws.normal(generator, self.shape, mean, std, kind, self.is_contiguous())
    return _filled(self, "NormalBackward0", numbers)


def bernoulli_(self, p=0.5, *, generator=None) -> Tensor:
    """1 with probability p, else 0.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.empty(3).bernoulli_(mg.tensor([0.0, 0.5, 1.0]))
    tensor([0., 0., 1.])
    """
    node = f"BernoulliBackward{1 if isinstance(p, Tensor) else 2}"
    if isinstance(p, Tensor):
        p = expanded(p.array, self.shape).transpose(memory_order(self))
    else:
        p = number("bernoulli_", "p", p)
    return _filled(self, node, draws.bernoulli(generator, p, self.shape, self.array.dtype))


def random_(self, *bounds, generator=None, **named) -> Tensor:
    """Whole numbers: below a bound, `x.random_(to)`, or also not below another, `x.random_(low, to)`.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.empty(5, dtype=mg.long).random_(10)
    tensor([4, 9, 3, 0, 3])
    """
    given = (*bounds, *named.values())
    if len(given) not in (1, 2) or not named.keys() <= {"to"}:
        raise TypeError("random_() takes one whole number or two: (to) or (low, to)")
    for argument, bound in zip(("from", "to")[-len(given) :], given):
        check_whole("random_", argument, bound)
    low, high = (0, *map(int, given))[-2:]
    kind = _type_of(self, "random_from_to", "biuf")
    check_fit("random_", low, high, kind)
    return _filled(self, f"RandomBackward{2 - len(given)}", draws.randint(generator, low, high, self.shape, kind))


for _function in (uniform_, normal_, random_, bernoulli_, bernoulli, multinomial):
    setattr(Tensor, _function.__name__, _function)

functions = {"default_generator": default_generator} | {
    function.__name__: function
    for function in (
        rand, randn, randint, randperm, normal, bernoulli, multinomial, rand_like, randn_like, randint_like,
        manual_seed, seed, initial_seed, Generator,
    )
} | {"get_rng_state": get_rng_state, "set_rng_state": set_rng_state}  # fmt: skip
