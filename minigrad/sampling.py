"""Tensors of random numbers: PyTorch's names over `draws.py`.

>>> manual_seed(6).initial_seed()
6
>>> randn(4, 4)[0]
tensor([-1.2113,  0.6304, -1.4713, -1.3352])
"""

import numpy as np

from . import draws
from .autograd.engine import apply
from .autograd.views import check_overwritable
from .creation import made, numpy_type, shape_of
from .dtypes import is_differentiable, unsupported
from .ops.copying import draw as drawn
from .random import Generator, default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from .tensor import Tensor, wrap


def _sampler(name: str, draw, kernel: str, doc: str):
    """A function of a shape, in all the ways in which PyTorch takes one."""

    def sample(*size, generator=None, dtype=None, device=None, requires_grad: bool = False, **more) -> Tensor:
        size = more.pop("size", size)
        if more:
            raise TypeError(f"{name}() got an unexpected keyword argument '{next(iter(more))}'")
        kind = numpy_type(dtype)
        if not is_differentiable(kind):
            raise unsupported(kernel, kind)
        array = draw(generator, shape_of(size if isinstance(size, tuple) else (size,)), dtype=kind)
        return made(array, requires_grad, device)

    sample.__name__ = sample.__qualname__ = name
    sample.__doc__ = doc
    return sample


rand = _sampler("rand", draws.uniform, "check_uniform_bounds", "Numbers spread evenly over [0, 1).")
randn = _sampler("randn", draws.normal, "normal_kernel_cpu", "Numbers from the standard normal distribution.")


def randint(*args, generator=None, dtype=None, device=None, requires_grad: bool = False, **named) -> Tensor:
    """`randint(high, size)` or `randint(low, high, size)`: whole numbers from `low` up to but not including `high`."""
    low, high, size = args if len(args) == 3 else (0, *args) if len(args) == 2 else (None, None, None)
    low, high, size = named.get("low", low or 0), named.get("high", high), named.get("size", size)
    if high is None or size is None:
        raise TypeError("randint() takes (high, size) or (low, high, size)")
    kind = np.dtype(np.int64) if dtype is None else numpy_type(dtype)
    return made(draws.randint(generator, int(low), int(high), shape_of((size,)), kind), requires_grad, device)


def randperm(n: int, *, generator=None, dtype=None, device=None) -> Tensor:
    """The numbers from 0 to n - 1 in a random order."""
    return made(draws.randperm(generator, n, np.int64 if dtype is None else numpy_type(dtype)), on=device)


def normal(mean=0.0, std=1.0, size=None, *, generator=None, dtype=None, device=None) -> Tensor:
    """Normal numbers of one mean and deviation and a given size, or with one of each for every element."""
    if isinstance(mean, Tensor) or isinstance(std, Tensor):
        plain = [value.array if isinstance(value, Tensor) else value for value in (mean, std)]
        return made(draws.normal_around(generator, *plain), on=device)
    if size is None:
        raise TypeError("normal() needs a size where neither mean nor std is a Tensor")
    return made(draws.normal(generator, shape_of((size,)), mean, std, numpy_type(dtype)), on=device)


def bernoulli(input: Tensor, p: float | None = None, *, generator=None) -> Tensor:
    """1 with the probability that `input` names, else 0; with `p`, that is the probability for all.

    >>> import minigrad as mg
    >>> bernoulli(mg.tensor([0.0, 1.0])), bernoulli(mg.tensor([5.0, 6.0]), p=1)
    (tensor([0., 1.]), tensor([1., 1.]))
    """
    if isinstance(p, Tensor):
        raise TypeError("bernoulli(): argument 'p' must be a number, not Tensor; x.bernoulli_(p) takes a Tensor")
    if p is not None:
        return drawn(input, draws.bernoulli(generator, float(p), input.shape, input.array.dtype), "NotImplemented")
    floating("bernoulli_tensor_cpu_p_", input)
    return drawn(input, draws.bernoulli(generator, input.array), "BernoulliBackward0")


def poisson(input: Tensor, generator=None) -> Tensor:
    """How many events happen where `input` says how many are expected; the gradient is 0, as PyTorch has it.

    >>> import minigrad as mg
    >>> _ = manual_seed(0)
    >>> poisson(mg.tensor([0.0, 3.0, 100.0]))
    tensor([ 0.,  6., 96.])
    """
    floating("poisson_cpu", input)
    return drawn(input, draws.poisson(generator, input.array), "PoissonBackward0")


def floating(name: str, input: Tensor) -> None:
    if not input.is_floating_point():
        raise unsupported(name, input.array.dtype)


def multinomial(input: Tensor, num_samples: int, replacement: bool = False, *, generator=None) -> Tensor:
    """Indices, each drawn as often as its weight in `input` says."""
    return wrap(draws.multinomial(generator, input.array, num_samples, replacement))


def _like(make):
    def like(input: Tensor, *, generator=None, dtype=None, device=None, requires_grad: bool = False) -> Tensor:
        kind = input.dtype if dtype is None else dtype
        return make(input.shape, generator=generator, dtype=kind, device=device, requires_grad=requires_grad)

    like.__name__ = like.__qualname__ = make.__name__ + "_like"
    like.__doc__ = f"`{make.__name__}` in the shape and type of another tensor."
    return like


rand_like, randn_like = _like(rand), _like(randn)


def randint_like(input: Tensor, low, high=None, *, generator=None, dtype=None) -> Tensor:
    """`randint` in the shape and type of another tensor."""
    low, high = (0, low) if high is None else (low, high)
    return randint(low, high, input.shape, generator=generator, dtype=input.dtype if dtype is None else dtype)


# == written over a tensor =================================================================================


def _filled(tensor: Tensor, node: str, draw, *along) -> Tensor:
    """Random numbers in place of what was there, of which nothing depends on it any longer."""
    check_overwritable(tensor, (tensor,))
    numbers = draws.fill(np.empty_like(tensor.array), draw, *along)
    return apply(drawn.op, (tensor, numbers, node), into=tensor)


def uniform_(self, a=0.0, b=1.0, *, generator=None) -> Tensor:
    """Numbers spread evenly over [a, b)."""
    return _filled(self, "UniformBackward0", lambda shape: draws.uniform(generator, shape, a, b, self.array.dtype))


def normal_(self, mean=0.0, std=1.0, *, generator=None) -> Tensor:
    """Normal numbers."""
    contiguous = self.is_contiguous()
    return _filled(
        self, "NormalBackward0", lambda shape: draws.normal(generator, shape, mean, std, self.array.dtype, contiguous)
    )


def bernoulli_(self, p=0.5, *, generator=None) -> Tensor:
    """1 with probability p, else 0."""
    node = f"BernoulliBackward{1 if isinstance(p, Tensor) else 2}"
    if isinstance(p, Tensor):
        return _filled(self, node, lambda _, p: draws.bernoulli(generator, p, dtype=self.array.dtype), p.array)
    return _filled(self, node, lambda shape: draws.bernoulli(generator, p, shape, self.array.dtype))


def random_(self, low=0, high=None, *, generator=None) -> Tensor:
    """Whole numbers from `low` up to but not including `high`."""
    node = f"RandomBackward{2 if (low, high) == (0, None) else 1 if high is None else 0}"
    low, high = (0, low) if high is None and low else (low, high)
    return _filled(self, node, lambda shape: draws.randint(generator, low, high, shape, self.array.dtype))


def exponential_(self, lambd=1.0, *, generator=None) -> Tensor:
    """Numbers from the exponential distribution."""
    return _filled(
        self, "ExponentialBackward0", lambda shape: draws.exponential(generator, shape, lambd, self.array.dtype)
    )


def cauchy_(self, median=0.0, sigma=1.0, *, generator=None) -> Tensor:
    """Numbers from the Cauchy distribution."""
    return _filled(
        self, "CauchyBackward0", lambda shape: draws.cauchy(generator, shape, median, sigma, self.array.dtype)
    )


def log_normal_(self, mean=1.0, std=2.0, *, generator=None) -> Tensor:
    """Numbers whose logarithms are normal."""
    return _filled(
        self, "LogNormalBackward0", lambda shape: draws.log_normal(generator, shape, mean, std, self.array.dtype)
    )


def geometric_(self, p, *, generator=None) -> Tensor:
    """How many trials it takes to the first success, each with probability p."""
    return _filled(self, "GeometricBackward0", lambda shape: draws.geometric(generator, shape, p, self.array.dtype))


IN_PLACE = (uniform_, normal_, bernoulli_, random_, exponential_, cauchy_, log_normal_, geometric_)
for _function in (*IN_PLACE, bernoulli, multinomial):
    setattr(Tensor, _function.__name__, _function)

functions = {
    function.__name__: function
    for function in (
        rand, randn, randint, randperm, normal, bernoulli, multinomial, poisson, rand_like, randn_like, randint_like,
        manual_seed, seed, initial_seed, get_rng_state, set_rng_state,
    )
} | {"Generator": Generator, "default_generator": default_generator}  # fmt: skip
