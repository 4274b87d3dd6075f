"""Products of vectors and matrices: linear in each factor, so the other factor is each one's derivative."""

import math
from functools import partial

import numpy as np

from ..core.row import op
from ..core.tensor import Tensor
from ..numbers.dtypes import element, short_name
from ..words.refusals import unlike
from .elementwise import NONE, mul
from .in_place import copied
from .public import public
from .reduction import spread
from .shape import check_fit, diagonal_scatter, reshape_to, t, unsqueeze

# PyTorch composes some products from several nodes; ours is one, with the name of the outermost of theirs
PRODUCT_NAMES = {(1, 1): "DotBackward0", (2, 1): "MvBackward0", (2, 2): "MmBackward0", (1, 2): "SqueezeBackward4"}


def left_rule(g, a_shape, b):
    """The gradient of a @ b for a, g @ bᵀ, where one of the two is a vector and stands as a row or a column."""
    if len(b.shape) == 1:
        return unsqueeze(g, -1) * b
    parts = b @ unsqueeze(g, -1)
    return parts.reshape(parts.shape[:-1])


def right_rule(g, a, b_shape):
    """The gradient of a @ b for b, aᵀ @ g, where one of the two is a vector."""
    if len(a.shape) == 1:
        return unsqueeze(a, -1) * unsqueeze(g, -2) if len(b_shape) > 1 else g * a
    parts = a.mT @ unsqueeze(g, -1)
    return parts.reshape(parts.shape[:-1])


def product(a, b):
    if a.dtype is not b.dtype:
        raise RuntimeError(of_two_types(a, b))
    if not a.shape or not b.shape:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {a.ndim}D and {b.ndim}D")
    try:  # row by row, also where the heads of an attention were brought to the front
        return np.matmul(a, b, order="C") if len(a.shape) > 3 else np.matmul(a, b)
    except ValueError:
        raise misfit(a.shape, b.shape) from None


def of_two_types(a, b) -> str:
    """PyTorch's words for two factors of different types."""
    one, other = (short_name(x) for x in (a, b))
    if a.ndim == b.ndim == 1:
        return f"dot : expected both vectors to have same dtype, but found {one} and {other}"
    if b.ndim > 2:
        return f"expected scalar type {one} but found {other}"
    return f"expected m1 and m2 to have the same dtype, but got: {IN_C[a.dtype.name]} != {IN_C[b.dtype.name]}"


IN_C = {
    "bool": "bool", "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int",
    "int64": "long int", "float16": "c10::Half", "float32": "float", "float64": "double",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
}  # fmt: skip


def same_type(one: str, other: str, a, b) -> None:
    if a.dtype is not b.dtype:
        raise RuntimeError(f"{one} and {other} must have the same dtype, but got {short_name(a)} and {short_name(b)}")


def product_of_matrices(a, mat2):
    if a.ndim != 2 or mat2.ndim != 2:
        raise RuntimeError(f"{'self' if a.ndim != 2 else 'mat2'} must be a matrix")
    if a.dtype is mat2.dtype:
        try:
            return a.dot(mat2)  # of matrices the same as `np.matmul`, only faster
        except ValueError:
            pass
    return product(a, mat2)  # which says what does not fit


def of_one_length(a, b) -> tuple:
    """Two vectors whose elements can be multiplied in pairs."""
    if a.dtype is not b.dtype:
        raise RuntimeError(of_two_types(a, b))
    if a.shape != b.shape:
        raise misfit(a.shape, b.shape)
    return a, b


def misfit(a: tuple, b: tuple) -> RuntimeError:
    """PyTorch's words for two shapes that cannot be multiplied."""
    if len(a) == len(b) == 1:
        return RuntimeError(
            f"inconsistent tensor size, expected tensor [{a[0]}] and src [{b[0]}] to have the same number of elements, "
            f"but got {a[0]} and {b[0]} elements respectively"
        )
    *batch, rows, size = (1, *a)
    if len(b) < 3:  # one matrix, or one vector, for all rows of a batch
        rows *= math.prod(batch)
        if len(b) == 1:
            return RuntimeError(f"size mismatch, got input ({rows}), mat ({rows}x{size}), vec ({b[0]})")
        return RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({rows}x{size} and {b[0]}x{b[1]})")
    batches = a[:-2], b[:-2]
    if refusal := unlike(batches):
        return refusal
    count = math.prod(np.broadcast_shapes(*batches))
    expected = f"Expected size for first two dimensions of batch2 tensor to be: [{count}, {size}]"
    return RuntimeError(f"{expected} but got: [{count}, {b[-2]}].")


# fmt: off
matrices = partial(op, linear="each",
    a=lambda g, mat2: g @ mat2.mT, mat2=lambda g, a: a.mT @ g, says="a @ mat2", refuses="b")
mm = matrices(product_of_matrices, public="function method", rules_say={"mat2": "{a}ᵀ @ {g}"})
bmm_of = matrices(lambda a, mat2: product_of_batches(a, mat2), grad_fn="BmmBackward0", kernel="bmm")
matmul = op(product, ufunc=np.matmul, elementwise=False, linear="each",
    grad_fn=lambda a, b: PRODUCT_NAMES.get((a.ndim, b.ndim), "UnsafeViewBackward0"),
    a=lambda g, a_shape, b: g @ b.mT if len(a_shape) > 1 < len(b.shape) else left_rule(g, a_shape, b),
    b=lambda g, a, b_shape: a.mT @ g if len(b_shape) > 1 < len(a.shape) else right_rule(g, a, b_shape),
    says="a @ b", public="function method", refuses="b", spoken="the matrix product of {} and {}",
    rules_say={"a": "{g} @ {b}ᵀ", "b": "{a}ᵀ @ {g}"})
# fmt: on


def matmul_or_mm(input, other):
    """`input @ other`; of two matrices in a node that is called as in PyTorch, and saves by the same names."""
    if isinstance(other, Tensor):
        return (mm if input._data.ndim == 2 == other._data.ndim else matmul).op.run(input, other)
    return matmul.op.run(input, other) if isinstance(other, np.ndarray) else NotImplemented


def with_product(bias, mat1, mat2):
    if mat1.dtype is not mat2.dtype:
        same_type("mat1", "mat2", mat1, mat2)
    return onto(product_of_matrices(mat1, mat2), bias)


def onto(found, bias):
    same_type("self", "mat2", bias, found)
    return stretched_onto(found, bias)


def stretched_onto(found, bias):
    """A product with something added to it, which may be stretched; the product not."""
    try:
        out = found + bias
    except ValueError:  # NumPy's, of which the engine would tell the shapes of the factors
        out = None
    if out is None or out.shape != found.shape:
        check_fit(bias.shape, found.shape)
    return out


vdot = op(
    lambda a, b: np.vdot(*of_one_length(*in_dims("vdot", a, b, (1, 1), "1D tensors expected"))),
    holomorphic=False,
    refuses="b",
    a=lambda g, b: g.conj() * b,
    b=lambda g, a: g * a,
    says="conj(a) @ b",
    numbers=NONE,
    public="function method",
    kernel="dot",
)
# in one node as in PyTorch; mat2 is a transposed weight, and its gradient is laid out likewise
addmm_of = op(with_product, numbers=NONE, grad_fn="AddmmBackward0",
    bias=lambda g: g, mat1=lambda g, mat2: g @ mat2.mT, mat2=lambda g, mat1: (g.mT @ mat1).mT,
    says="bias + mat1 @ mat2", refuses="b", rules_say={"mat2": "{mat1}ᵀ @ {g}"})  # fmt: skip


def with_factors(found, bias, beta, alpha, mixed=False):
    """beta · bias + alpha · a product; at beta = 0 the bias counts for nothing, not even where it is nan.

    `mixed`: of any types, and integers by whole numbers only.
    """
    if found.dtype.kind in ("biu" if mixed else "b") and float in (type(beta), type(alpha)):
        name = "beta" if type(beta) is float else "alpha"
        raise RuntimeError(f"For integral input tensors, argument {name} must not be a floating point number.")
    bias = bias * factor(beta, bias.dtype) if beta else np.zeros_like(bias)
    return (stretched_onto if mixed else onto)(found * factor(alpha, found.dtype), bias)


def factor(number, kind):
    """A number that integers are multiplied by, as C has it: without its fraction."""
    return element(number, kind) if kind.kind in "biu" else number


def outer_of(vec1, vec2):
    for name, x in (("vec1", vec1), ("vec2", vec2)):
        if x.ndim != 1:
            raise RuntimeError(f"addr: Expected 1-D argument {name}, but got {x.ndim}-D")
    return np.multiply.outer(vec1, vec2)


# fmt: off
factored = partial(op, numbers=NONE, bias=lambda g, beta: g * beta, public="")
of_matrices = partial(factored, says="beta * bias + alpha * mat1 @ mat2",
    mat1=lambda g, mat2, alpha: g @ mat2.mT * alpha, mat2=lambda g, mat1, alpha: mat1.mT @ g * alpha)
addmm_with_factors = of_matrices(lambda bias, mat1, mat2, beta, alpha: with_factors(
    product_of_matrices(mat1, mat2), bias, beta, alpha), grad_fn="AddmmBackward0", refuses="b")
baddbmm_of = of_matrices(lambda bias, mat1, mat2, beta, alpha: with_factors(
    product_of_batches(mat1, mat2), bias, beta, alpha), grad_fn="BaddbmmBackward0", refuses="b", kernel="baddbmm")
addbmm_of = of_matrices(lambda bias, mat1, mat2, beta, alpha: with_factors(
    product_of_batches(mat1, mat2).sum(0, mat1.dtype), bias, beta, alpha), grad_fn="AddbmmBackward0",
    says="beta * bias + alpha * sum(mat1 @ mat2, dim=0)", refuses="b", kernel="addbmm")
addmv_of = factored(lambda bias, mat, vec, beta, alpha: with_factors(
    product(*in_dims("addmv", mat, vec, (2, 1), "vector + matrix @ vector expected")), bias, beta, alpha),
    grad_fn="AddmvBackward0", mat=lambda g, vec, alpha: unsqueeze(g, -1) * vec * alpha,
    vec=lambda g, mat, alpha: mat.mT @ g * alpha, says="beta * bias + alpha * mat @ vec")
addr_of = factored(lambda bias, vec1, vec2, beta, alpha: with_factors(outer_of(vec1, vec2), bias, beta, alpha, True),
    grad_fn="AddrBackward0", mixes=True, vec1=lambda g, vec2, alpha: g @ vec2 * alpha,
    vec2=lambda g, vec1, alpha: g.mT @ vec1 * alpha, says="beta * bias + alpha * vec1 · vec2ᵀ")
# fmt: on


@public("function method twin", twin=copied)
def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    """`beta * input + alpha * (mat1 @ mat2)`."""
    for name, x in (("mat1", mat1), ("mat2", mat2)):
        if x.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix, got {x.ndim}-D tensor")
    if beta == alpha == 1:
        return addmm_of(input, mat1, mat2)
    return addmm_with_factors(input, mat1, mat2, beta, alpha)


@public("functional")
def linear(input, weight, bias=None):
    """`input @ weightᵀ + bias`: what a layer of a network computes.

    >>> import minigrad as mg
    >>> mg.nn.functional.linear(mg.ones(1, 2), mg.tensor([[1.0, 2.0]]), mg.tensor([0.5]))
    tensor([[3.5000]])
    """
    if bias is not None and input.ndim == 2:
        return addmm_of(bias, input, t(weight))
    if not input.ndim or not weight.ndim:
        sizes = f"{input.ndim}D and {weight.ndim}D"
        raise RuntimeError(f"both arguments to linear need to be at least 1D, but they are {sizes}")
    if bias is None:
        return matmul(input, t(weight))
    if bias.ndim == 1 or bias.ndim - bias.shape.count(1) == 1:  # a vector: the rows of all samples together
        rows = addmm_of(bias, reshape_to(input, (math.prod(input.shape[:-1]), input.shape[-1])), t(weight))
        return reshape_to(rows, (*input.shape[:-1], rows.shape[-1]))
    return matmul(input, t(weight)).add_(bias)


def in_dims(name: str, a, b, dims: tuple, complaint: str) -> tuple:
    """Both factors, if they have these counts of dimensions."""
    if (a.ndim, b.ndim) != dims:
        raise RuntimeError(f"{name}: {complaint}, got {a.ndim}D and {b.ndim}D tensors")
    return a, b


@public("function method")
def mv(input, vec):
    """`input @ vec`, for a matrix and a vector only."""
    return matmul(*in_dims("mv", input, vec, (2, 1), "vector + matrix @ vector expected"))


@public("function method")
def bmm(input, mat2):
    """`input @ mat2`, for two batches of matrices only."""
    return bmm_of(input, mat2)


def product_of_batches(a, mat2):
    a, mat2 = in_dims("bmm", a, mat2, (3, 3), "batch1 and batch2 must be 3D tensors")
    if len(a) != len(mat2):
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{len(a)}, {a.shape[2]}] "
            f"but got: [{len(mat2)}, {mat2.shape[1]}]."
        )
    return product(a, mat2)


@public("function method")
def dot(input, tensor):
    """`input @ tensor`, for two vectors only."""
    return matmul(*in_dims("dot", input, tensor, (1, 1), "1D tensors expected"))


@public("function method")
def outer(input, vec2):
    """Each element of one vector times each of the other."""
    for name, x in (("self", input), ("vec2", vec2)):
        if x.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {x.ndim}-D")
    return mul(reshape_to(input, (-1, 1)), vec2)


trace = op(lambda a: np.trace(matrix(a), dtype=np.int64 if a.dtype.kind == "u" else None), linear=True,
    a=lambda g, a_shape: diagonal_scatter(spread(g, (min(a_shape),), 0), a_shape, 0, 0, 1),
    public="function method", rules_say={"a": "{g} on the diagonal, 0 elsewhere"})  # fmt: skip


def matrix(a):
    if a.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {a.ndim}")
    return a
