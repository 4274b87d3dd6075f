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
from ..numbers.dtypes import NUMBERS, element
from ..numbers.memory import row_by_row
from ..words.calling import checked
from .elementwise import kept_where
from .gathering import along_dim, as_mask, places_of, positions_along, slices
from .index import as_arrays, changed, check_bounds, check_put, pick, put_at, tensors_among
from .public import public
from .shape import atleast_1d, check_dim, reshape_to

# the nodes of those whose result lies as the tensor does; PyTorch's others give it row by row
AS_GIVEN = "IndexPutBackward0", "IndexFillBackward0", "IndexFillBackward1"


def writing(write, **settings):
    """A row that writes to a copy, and in place to the tensor itself.

    `at` is an index as NumPy takes it; `node` is the name that PyTorch gives to this way of saying it.
    """
    return op(lambda a, b, at, node: changed(write, a if node in AS_GIVEN else row_by_row(a), at, b),
        places="at", memory="apart",
        write=lambda target, a, b, at, node: write(target, at, b), grad_fn=lambda a, b, at, node: node,
        **settings)  # fmt: skip


# fmt: off
placed_number = writing(put_at, a=lambda g, at, node: placed(g, 0, at, node),
    says="a, with a[at] = b", rules_say={"a": "{g}, but 0 where {a} was replaced"})
# of several values for one place, one is kept, and no rule says which
placed = writing(put_at, linear=True, holomorphic=False, overloads={"b": placed_number},
    a=lambda g, at, node: placed(g, 0, at, node), b=lambda g, at: pick(g, at),
    says="a, with a[at] = b", rules_say={"a": "{g}, but 0 where {a} was replaced", "b": "{g} where {b} was put"})
added = writing(functools.partial(put_at, add=True), linear=True, holomorphic=False,
    a=lambda g: g, b=lambda g, at: pick(g, at), says="a, with a[at] += b")
masked_fill_number = op(lambda a, b, mask: row_by_row(np.where(mask, element(b, a.dtype), a)), places="mask",
    elementwise=True, mixes=False, memory="any", grad_fn="MaskedFillBackward0", a=lambda g, mask: kept_where(g, ~mask))
masked_fill_with = op(lambda a, b, mask: np.where(mask, np.asarray(b).astype(a.dtype), a), places="mask", linear=True,
    overloads={"b": masked_fill_number}, grad_fn="MaskedFillBackward1", a=lambda g, mask: kept_where(g, ~mask),
    b=lambda g, mask: kept_where(g, mask))
# fmt: on


def both(arrange) -> tuple[Callable, Callable]:
    """A function and its in-place twin, from a function that says which row to run on which arguments.

    The first of these is the tensor itself, or a vector of one for a number.
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
    function.__name__ = function.__qualname__ = arrange.__qualname__ = arrange.__name__.strip("_")
    twin.__name__ = twin.__qualname__ = function.__name__ + "_"
    twin.__doc__ = f"`{function.__name__}`, written over the tensor itself."
    return public("function method")(function), public("function method")(checked(twin, twin.__name__))


def _scatter(input, dim, index, src=None, *, value=None):
    """`out[index[i][j]][j] = src[i][j]` along dim 0, and likewise along the others; `src` may be a number.

    >>> import minigrad as mg
    >>> mg.zeros(3).scatter(0, mg.tensor([2, 0]), mg.tensor([5.0, 7.0]))
    tensor([7., 0., 5.])
    """
    if isinstance(value, Tensor):
        raise TypeError("scatter(): a tensor is given as `src`, not as `value`")
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
    source = source if alpha == 1 else source * element(alpha, source.array.dtype).item()
    return added, a, source, at, "IndexAddBackward0"


def _index_copy(input, dim, index, source):
    """Other slices at these positions along a dimension."""
    if isinstance(source, Tensor) and source.ndim != input.ndim and source.ndim and input.ndim:
        raise IndexError(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source "
            f"dimensionality ({source.ndim}), destination dimensionality ({input.ndim})"
        )
    a, at, source = slices("index_copy_", input, dim, index, source)
    return placed, a, source, at, "IndexCopyBackward0"


def _index_fill(input, dim, index, value):
    """One number in all slices at these positions along a dimension."""
    check_dim(dim, input.ndim)
    places, dim, a = np.unique(places_of("index_fill", index)), dim % max(input.ndim, 1), atleast_1d(input)
    if index.ndim > 1:
        raise RuntimeError("Index is supposed to be a vector")
    if isinstance(value, Tensor):
        if value.ndim or (value.is_complex() and not input.is_complex()):
            raise RuntimeError("index_fill_ takes one number as value, and a real one where the tensor is real")
        value = value.clone() if value is input else value.to(input.dtype)
    at = check_bounds((slice(None),) * dim + (places,), a.shape)
    node = f"IndexFillBackward{int(isinstance(value, Tensor))}"
    return placed, a, value.item() if isinstance(value, np.generic) else value, at, node


def _index_put(input, indices, values, accumulate=False):
    """`input[indices] = values`, or `+=` with `accumulate`; the indices are a tuple of tensors."""
    if not isinstance(indices, tuple | list) or not all(isinstance(one, Tensor) for one in (*indices, values)):
        raise TypeError("index_put(): takes a tuple of tensors as indices, and a tensor of values")
    check_put(input, values)
    at = as_arrays(tuple(indices))
    check_bounds(at, input.shape)
    return (added if accumulate else placed), input, values, at, "IndexPutBackward0"


def _masked_fill(input, mask, value):
    """`value` where the mask is True.

    >>> import minigrad as mg
    >>> x = mg.tensor([1.0, -2.0])
    >>> x.masked_fill(x < 0, 0)
    tensor([1., 0.])
    """
    if not isinstance(value, (Tensor, np.ndarray, *NUMBERS)):
        raise TypeError(f"masked_fill(): argument 'value' must be Number or Tensor, not {type(value).__name__}")
    if isinstance(value, Tensor) and value.is_complex() > input.is_complex():
        raise RuntimeError("value cannot be converted to the tensor's type without overflow")
    if isinstance(value, Tensor) and value.ndim:
        raise RuntimeError(
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
        )
    mask = as_mask(mask, "masked_fill_ only supports boolean masks, but got mask with dtype {}")
    return masked_fill_with, input, value, mask


scatter, scatter_ = both(_scatter)
scatter_add, scatter_add_ = both(_scatter_add)
index_add, index_add_ = both(_index_add)
index_copy, index_copy_ = both(_index_copy)
index_fill, index_fill_ = both(_index_fill)
index_put, index_put_ = both(_index_put)
masked_fill, masked_fill_ = both(_masked_fill)
