"""Tensors with some of their elements replaced or added to.

Two rows do it all: `placed` writes, `added` adds. Their derivative for what was put in is to pick it out again.
"""

import functools
from collections.abc import Callable

import numpy as np

from ..core.forward import apply
from ..core.modes import picking
from ..core.row import op
from ..core.tensor import Tensor
from ..numbers.dtypes import element
from .elementwise import kept_where
from .gathering import along_dim, as_mask, positions_along, same_type, size_of, slices
from .index import as_arrays, changed, check_bounds, check_put, pick, put, put_at, tensors_among
from .public import public
from .shape import broadcast_tensors, check_fit, reshape_to


def writing(write, **settings):
    """A row that writes to a copy, and in place to the tensor itself.

    `at` is an index as NumPy takes it; `node` is the name that PyTorch gives to this way of saying it.
    """
    return op(
        lambda a, b, at, node: changed(write, a, at, b),
        write=lambda target, a, b, at, node: write(target, at, b),
        places="at",
        memory="apart",
        grad_fn=lambda a, b, at, node: node,
        **settings,
    )


placed_number = writing(
    put_at,
    a=lambda g, at, node: placed(g, 0, at, node),
    says="a, with a[at] = b",
    rules_say={"a": "{g}, but 0 where {a} was replaced"},
)
placed = writing(  # of several values for one place, one is kept, and no rule says which
    put_at,
    linear=True,
    holomorphic=False,
    overloads={"b": placed_number},
    a=lambda g, at, node: placed(g, 0, at, node),
    b=lambda g, at: pick(g, at),
    says="a, with a[at] = b",
    rules_say={"a": "{g}, but 0 where {a} was replaced", "b": "{g} where {b} was put"},
)
added = writing(
    functools.partial(put_at, add=True),
    linear=True,
    holomorphic=False,
    a=lambda g: g,
    b=lambda g, at: pick(g, at),
    says="a, with a[at] += b",
)
masked_fill_number = op(
    lambda a, b, mask: np.where(mask, element(b, a.dtype), a),
    places="mask",
    elementwise=True,
    mixes=False,
    memory="any",
    grad_fn="MaskedFillBackward0",
    a=lambda g, mask: kept_where(g, ~mask),
)
masked_fill_with = op(
    lambda a, b, mask: np.where(mask, np.asarray(b).astype(a.dtype), a),
    places="mask",
    linear=True,
    overloads={"b": masked_fill_number},
    memory="any",
    grad_fn="MaskedFillBackward1",
    a=lambda g, mask: kept_where(g, ~mask),
    b=lambda g, mask: kept_where(g, mask),
)
masked_scattered = op(
    lambda a, b, mask: changed(fill_mask, a, mask, b),
    places="mask",
    grad_fn="MaskedScatterBackward0",
    write=lambda target, a, b, mask: fill_mask(target, mask, b),
    linear=True,
    holomorphic=False,
    a=lambda g, mask: kept_where(g, ~mask),
    b=lambda g, b_shape, mask: reshape_to(
        put(pick(g, mask), (size_of(b_shape),), slice(np.count_nonzero(mask))), b_shape
    ),
    rules_say={"a": "{g}, but 0 where {a} was replaced", "b": "{g} where {b} was put"},
)


def fill_mask(target, mask, b):
    put_at(target, mask, np.reshape(b, -1)[: np.count_nonzero(mask)])


# == as people call them: each with its in-place twin ======================================================


def both(arrange) -> tuple[Callable, Callable]:
    """A function and its in-place twin, from a function that says which row to run on which arguments.

    The first of them is the tensor itself, or a vector of one for a number.
    """

    def arranged(run):
        @functools.wraps(arrange)
        def call(input, *args, **options):
            row, *values = arrange(input, *args, **options)
            with picking(tensors_among((*args, *options.values()))):
                return run(input, row, values)

        return call

    def copied(input, row, values):
        out = row(*values)
        return out if values[0] is input else reshape_to(out, input.shape)

    def overwritten(input, row, values):
        apply(row.op.overload(values).op, values, into=values[0])
        return input

    function, twin = arranged(copied), arranged(overwritten)
    function.__name__ = function.__qualname__ = arrange.__name__.strip("_")
    twin.__name__ = twin.__qualname__ = function.__name__ + "_"
    twin.__doc__ = f"`{function.__name__}`, written over the tensor itself."
    return public("function method")(function), public("function method")(twin)


def _scatter(input, dim, index, src=None, value=None):
    """`out[index[i][j]][j] = src[i][j]` along dim 0, and likewise along the others; `src` may be a number.

    >>> import minigrad as mg
    >>> mg.zeros(3).scatter(0, mg.tensor([2, 0]), mg.tensor([5.0, 7.0]))
    tensor([7., 0., 5.])
    """
    if isinstance(value, Tensor):
        raise TypeError(
            "scatter() received an invalid combination of arguments: a tensor is given as `src`, not as `value`"
        )
    if not isinstance(src, Tensor):
        a, dim, places, _ = along_dim("scatter", input, dim, index)
        return placed, a, value if src is None else src, positions_along(places, dim), "ScatterBackward1"
    a, dim, places, source = along_dim("scatter", input, dim, index, src)
    return placed, a, source, positions_along(places, dim), "ScatterBackward0"


def _scatter_add(input, dim, index, src):
    """`out[index[i][j]][j] += src[i][j]` along dim 0, and likewise along the others."""
    a, dim, places, source = along_dim("scatter_add", input, dim, index, src)
    return added, a, source, positions_along(places, dim), "ScatterAddBackward0"


def _index_add(input, dim, index, source, *, alpha=1):
    """The slices of `source`, added to those of `input` at the positions `index` along `dim`."""
    a, at, source = slices("index_add_", input, dim, index, source)
    return added, a, source if alpha == 1 else source * source.array.dtype.type(alpha).item(), at, "IndexAddBackward0"


def _index_copy(input, dim, index, source):
    """The slices of `source` in place of those of `input` at the positions `index` along `dim`."""
    a, at, source = slices("index_copy_", input, dim, index, source, short=False)
    return placed, a, source, at, "IndexCopyBackward0"


def _index_fill(input, dim, index, value):
    """One number in all slices at the positions `index` along `dim`."""
    a, (*before, places), _ = slices("index_fill_", input, dim, index, short=False, refusal=IndexError)
    if isinstance(value, Tensor) and value.ndim:
        raise RuntimeError(
            f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
        )
    once = np.unique(places % max(a.shape[len(before)], 1))  # a slice that is named twice is filled once
    return placed, a, value, (*before, once), f"IndexFillBackward{int(isinstance(value, Tensor))}"


def _index_put(input, indices, values, accumulate=False):
    """`input[indices] = values`, or `+=` with `accumulate`; the indices are a tuple of tensors."""
    for i, one in enumerate(indices if isinstance(indices, tuple | list) else [indices]):
        if not isinstance(indices, tuple | list) or not isinstance(one, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(one).__name__}")
    if not isinstance(values, Tensor):
        raise TypeError(f"index_put(): argument 'values' (position 2) must be Tensor, not {type(values).__name__}")
    check_put(input, values)
    at = as_arrays(tuple(indices))
    check_bounds(at, input.shape)
    return (added if accumulate else placed), input, values, at, "IndexPutBackward0"


BOOLEAN = "{} only supports boolean masks, but got mask with dtype {{}}"


def _masked_fill(input, mask, value):
    """`value` where the mask is True.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, -2.0])
    >>> x.masked_fill(x < 0, 0)
    tensor([1., 0.])
    """
    if isinstance(value, Tensor) and value.ndim:
        raise RuntimeError(
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
        )
    return masked_fill_with, input, value, as_mask(mask, BOOLEAN.format("masked_fill_"))


def _masked_scatter(input, mask, source):
    """The elements of `source`, one after another, where the mask is True."""
    mask = as_mask(mask, BOOLEAN.format("masked_scatter_"))
    same_type("masked_scatter", input, source, "expected self and source to have same dtypes")
    check_fit(mask.shape, input.shape)
    mask = np.broadcast_to(mask, input.shape)
    if source.numel() < int(mask.sum()):
        raise RuntimeError("Number of elements of source < number of ones in mask")
    return masked_scattered, input, source, mask


scatter, scatter_ = both(_scatter)
scatter_add, scatter_add_ = both(_scatter_add)
index_add, index_add_ = both(_index_add)
index_copy, index_copy_ = both(_index_copy)
index_fill, index_fill_ = both(_index_fill)
index_put, index_put_ = both(_index_put)
masked_fill, masked_fill_ = both(_masked_fill)
masked_scatter_of, masked_scatter_ = both(_masked_scatter)
masked_scatter_of.public = None


@public("function method")
def masked_scatter(input, mask, source):
    """The elements of `source`, one after another, where the mask is True."""
    return masked_scatter_of(broadcast_tensors(input, mask)[0], mask, source)
