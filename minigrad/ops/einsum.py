"""Products along named dimensions: `einsum`, and what it says in fewer words.

Each is a composition: the dimensions are brought into the order of a matrix product, multiplied, and put back.
"""

import math
import string
from functools import lru_cache

from ..core.tensor import Tensor
from .elementwise import mul
from .joining import length_of
from .matrix import bmm_of
from .public import public
from .reduction import sum
from .shape import diagonal, distinct, permute_to, reshape_to, unsqueeze


@public("function")
def einsum(*args):
    """A sum of products, in Einstein's notation: a dimension whose letter is not in the result is summed over.

    In place of letters each operand may be followed by numbers, a list of them: `einsum(a, [0, 1], a, [1, 2], [0, 2])`.

    >>> import minigrad as mg
    >>> a = mg.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mg.einsum("ij,jk->ik", a, a), mg.einsum("ii", a)
    (tensor([[ 7., 10.],
            [15., 22.]]), tensor(5.))
    """
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its "
            "subscripts list"
        )
    equation, *operands = lettered(args) if isinstance(args[0], Tensor) else args
    if not isinstance(equation, str):
        given = type(equation).__name__
        raise TypeError(f"einsum(): write the equation as a string, such as 'ij,jk->ik', not as {given}")
    operands = operands[0] if len(operands) == 1 and isinstance(operands[0], tuple | list) else operands
    for i, one in enumerate(operands):
        if not isinstance(one, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 1, but got {type(one).__name__}")
    check(equation, *[tuple(one.shape) for one in operands])
    terms, result = parsed(equation)
    pairs = [spelled_out(term, x) for term, x in zip(terms, operands)]
    free = max((set(term) & set(UNNAMED) for term, _ in pairs), key=len)  # what the ellipsis stands for
    result = result.replace("...", "".join(sorted(free, reverse=True)))
    return contracted(pairs, result, {letter for term, _ in pairs for letter in term})


def lettered(args: tuple) -> list:
    """Operands, each before the list of its dimensions, and perhaps that of the result: as an equation."""
    count = len(args) // 2
    terms = ["".join(map(letter_of, dims)) for dims in args[1::2]]
    result = "->" + "".join(map(letter_of, args[-1])) if len(args) % 2 else ""
    return [",".join(terms) + result, *args[: 2 * count : 2]]


def letter_of(number) -> str:
    """The letter for a dimension's number; their order is that of the numbers."""
    if number is Ellipsis:
        return "..."
    if not hasattr(number, "__index__") or not 0 <= number < len(LETTERS):
        raise ValueError(
            f"einsum(): the dimensions of an operand are a list of numbers from 0 to 51 and `...`, but got {number!r}"
        )
    return LETTERS[number]


def contracted(pairs, result: str, known: set):
    """The operands multiplied, and summed over all letters that are not in the result."""
    x, *others = [aligned(x, term, result + "".join(sorted(known - set(result)))) for term, x in pairs]
    summed = range(len(result), len(known))
    if not others:
        return sum(x, tuple(summed)) if summed else x
    for i, y in enumerate(others, 1):
        x = product(x, y, [dim for dim in summed if all(later.shape[dim] == 1 for later in others[i:])])
    return reshape_to(x, x.shape[: len(result)]) if summed else x


LETTERS = string.ascii_uppercase + string.ascii_lowercase
UNNAMED = "".join(map(chr, range(0x100, 0x180)))  # letters that nobody writes: the last dimension of `...` is the first


@lru_cache
def check(equation: str, *shapes: tuple) -> None:
    """PyTorch's refusals of an equation that does not fit these shapes."""
    for at, one in enumerate(equation.replace("->", "  ", 1)):
        if one not in LETTERS + ",. ":
            refuse(f"invalid subscript given at index {at} in the equation string, subscripts must be in [a-zA-Z]")
    terms, result = parsed(equation)
    if len(terms) != len(shapes):
        refuse(
            f"{'fewer' if len(terms) > len(shapes) else 'more'} operands were provided than specified in the equation"
        )
    sizes: dict[str, int] = {}
    for i, (term, shape) in enumerate(zip(terms, shapes)):
        check_dots(term, f"operand {i}")
        count, open_ended = len(term.replace("...", "")), "..." in term
        if count > len(shape) or (count < len(shape) and not open_ended):
            how, none = ("is more than", "") if open_ended else ("does not match", " and no ellipsis was given")
            dimensions = f"the number of dimensions ({len(shape)}) for operand {i}{none}"
            refuse(f"the number of subscripts in the equation ({count}) {how} {dimensions}")
        own: dict[str, int] = {}
        for letter, n in zip(without_dots(term, len(shape)), shape):
            said = "a dimension of the ellipsis" if letter in UNNAMED else f"subscript {letter}"
            if own.setdefault(letter, n) != n:
                refuse(f"{said} is repeated for operand {i} but the sizes don't match, {n} != {own[letter]}")
            if n != 1 and sizes.setdefault(letter, n) != n:
                seen = f"which does not broadcast with previously seen size {sizes[letter]}"
                refuse(f"{said} has size {n} for operand {i} {seen}")
    check_dots(result, "output")
    for letter in result.replace("...", ""):
        if not any(letter in term for term in terms):
            refuse(f"output subscript {letter} does not appear in the equation for any input operand")
        if result.count(letter) > 1:
            refuse(f"output subscript {letter} appears more than once in the output")


def check_dots(term: str, where: str) -> None:
    if "." in term.replace("...", "", 1):
        why = "for which an ellipsis was already found" if "..." in term else "that is not part of any ellipsis"
        refuse(f"found '.' for {where} {why}")


def refuse(why: str):
    raise RuntimeError(f"einsum(): {why}")


def parsed(equation: str) -> tuple:
    """The letters of each operand, and those of the result, which may be left out."""
    inputs, arrow, result = equation.partition("->")
    terms, result = inputs.replace(" ", "").split(","), result.replace(" ", "")
    letters = "".join(terms).replace(".", "")
    return terms, result if arrow else "..." + "".join(sorted(one for one in letters if letters.count(one) == 1))


def without_dots(term: str, ndim: int) -> str:
    """A term with letters in place of its ellipsis."""
    return term.replace("...", UNNAMED[: ndim - len(term.replace("...", ""))][::-1])


def spelled_out(term: str, x) -> tuple:
    """A term with a letter for each dimension; where a letter comes twice, the diagonal is taken."""
    term = without_dots(term, x.ndim)
    for letter in set(term):
        while term.count(letter) > 1:
            first, second = term.index(letter), term.rindex(letter)
            x = diagonal(x, 0, first, second)
            term = "".join(one for at, one in enumerate(term) if at not in (first, second)) + letter
    return term, x


def aligned(x, term: str, every: str):
    """An operand with a dimension for each letter, of length 1 where it has none."""
    x = permute_to(x, tuple(term.index(letter) for letter in every if letter in term))
    for dim, letter in enumerate(every):
        x = x if letter in term else unsqueeze(x, dim)
    return x


def product(a, b, summed):
    """Two operands as one: a matrix product, where both are longer than 1 along dimensions that are to be summed."""
    lonely = [tuple(dim for dim in summed if y.shape[dim] == 1 != x.shape[dim]) for x, y in ((a, b), (b, a))]
    a, b = (sum(x, dims, True) if dims else x for x, dims in zip((a, b), lonely))
    inner = [dim for dim in summed if a.shape[dim] != 1]
    if not inner:
        return mul(a, b)
    outer = [dim for dim in range(a.ndim) if dim not in inner]
    batch = [dim for dim in outer if a.shape[dim] != 1 != b.shape[dim]]
    rows = [dim for dim in outer if b.shape[dim] == 1]
    columns = [dim for dim in outer if a.shape[dim] == 1 != b.shape[dim]]
    if rows and columns and columns[-1] < rows[0]:  # so that the product lies as the result does
        a, b, rows, columns = b, a, columns, rows
    left = as_matrices(a, batch, rows, inner, columns)
    right = as_matrices(b, batch, inner, columns, rows)
    order = (*batch, *rows, *inner, *columns)
    lengths = (1 if dim in inner else (a if a.shape[dim] != 1 else b).shape[dim] for dim in order)
    x = reshape_to(bmm_of(left, right), tuple(lengths))
    return permute_to(x, tuple(map(order.index, range(a.ndim))))


def as_matrices(x, batch, rows, columns, absent):
    """Matrices, in a row, of an operand's dimensions in this order."""
    lengths = [math.prod(x.shape[dim] for dim in dims) for dims in (batch, rows, columns)]
    return reshape_to(permute_to(x, (*batch, *rows, *columns, *absent)), tuple(lengths))


@public("function")
def tensordot(a, b, dims=2):
    """The last `dims` dimensions of `a` multiplied with the first of `b` and summed; or those that are named."""
    dims = (dims.item() if dims.numel() == 1 else dims.tolist()) if isinstance(dims, Tensor) else dims
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.ndim, b.ndim):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims = range(a.ndim - dims, a.ndim), range(dims)
    if len(dims[0]) != len(dims[1]):
        raise RuntimeError("both dimension lists should have same length")
    lengths = [(length_of(a, d), length_of(b, e)) for d, e in zip(*dims)]
    ours, theirs = (distinct(named, x.ndim) for x, named in zip((a, b), dims))
    if a.dtype is not b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    first, second = UNNAMED[: a.ndim], list(UNNAMED[a.ndim : a.ndim + b.ndim])
    for d, e, (n, m) in zip(ours, theirs, lengths):
        if n != m and 1 not in (n, m):
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {n} in dim {d} and second has size {m} "
                f"in dim {e}"
            )
        second[e] = first[d]
    result = "".join(letter for letter in (*first, *second) if letter not in first or letter not in second)
    return contracted([(first, a), ("".join(second), b)], result, {*first, *second})
