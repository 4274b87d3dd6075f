"""Products along named dimensions: `einsum`, and what it says in fewer words.

Each is a composition: the dimensions are brought into the order of a matrix product, multiplied, and put back.
"""

import math
import re

from .elementwise import mul
from .matrix import matmul, mismatch
from .reduction import sum
from .shape import diagonal, permute_to, reshape_to, unsqueeze


def einsum(equation, *operands):
    """A sum of products, in Einstein's notation: dimensions with the same letter run together, those not in the result are summed.

    >>> import minigrad as mg
    >>> a = mg.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> mg.einsum("ij,jk->ik", a, a), mg.einsum("ii", a)
    (tensor([[ 7., 10.],
            [15., 22.]]), tensor(5.))
    """
    if len(operands) == 1 and isinstance(operands[0], tuple | list):
        operands = tuple(operands[0])
    inputs, arrow, result = equation.replace(" ", "").partition("->")
    inputs = inputs.split(",")
    if len(inputs) != len(operands):
        raise RuntimeError("einsum(): fewer operands were provided than specified in the equation" if len(inputs) > len(operands)
                           else "einsum(): more operands were provided than specified in the equation")
    terms = [spelled_out(term, operand, i) for i, (term, operand) in enumerate(zip(inputs, operands))]
    free = max((sorted(set(term) & set(UNNAMED)) for term, _ in terms), key=len)  # what the ellipsis stands for
    if not arrow:
        letters = "".join(inputs).replace(".", "")
        result = "..." + "".join(sorted(one for one in set(letters) if letters.count(one) == 1))
    result = result.replace("...", "".join(reversed(free)))
    sizes = sizes_by_letter(terms)
    for letter in result:
        if letter not in sizes:
            raise RuntimeError(f"einsum(): output subscript {letter} does not appear in the equation for any input operand")
    (term, x), *others = terms
    for i, (other, y) in enumerate(others):
        needed = set(result).union(*[later for later, _ in others[i + 1 :]])
        term, x = pair(term, x, other, y, needed)
    gone = tuple(i for i, letter in enumerate(term) if letter not in result)
    x = sum(x, gone) if gone else x
    term = "".join(letter for letter in term if letter in result)
    return permute_to(x, tuple(term.index(letter) for letter in result)) if term else x


UNNAMED = "".join(map(chr, range(0x3B1, 0x3C9)))  # letters that nobody writes: the last dimension of `...` is the first


def spelled_out(term: str, x, i: int) -> tuple:
    """A term with a letter for each dimension; where a letter comes twice, the diagonal is taken."""
    if re.search(r"[^A-Za-z.]", term) or term.replace("...", "").count("."):
        raise RuntimeError(f"einsum(): invalid subscript given at index {i} in the equation string, subscripts must be in [a-zA-Z]")
    if "..." in term:
        free = x.ndim - len(term) + 3
        term = term.replace("...", UNNAMED[:free][::-1] if free > 0 else "")
    if len(term) != x.ndim:
        raise RuntimeError(f"einsum(): the number of subscripts in the equation ({len(term)}) does not match the number of dimensions "
                           f"({x.ndim}) for operand {i} and no ellipsis was given")
    for letter in set(term):
        while term.count(letter) > 1:
            first, second = term.index(letter), term.rindex(letter)
            if x.shape[first] != x.shape[second]:
                raise RuntimeError(f"einsum(): subscript {letter} is repeated for operand {i} but the sizes don't match, {x.shape[second]} != {x.shape[first]}")
            x = diagonal(x, 0, first, second)
            term = "".join(one for at, one in enumerate(term) if at not in (first, second)) + letter
    return term, x


def sizes_by_letter(terms) -> dict:
    sizes: dict = {}
    for i, (term, x) in enumerate(terms):
        for letter, n in zip(term, x.shape):
            if 1 not in (n, sizes.get(letter, 1)) and n != sizes[letter]:
                raise RuntimeError(f"einsum(): subscript {letter} has size {n} for operand {i} which does not broadcast with previously seen size {sizes[letter]}")
            sizes[letter] = max(n, sizes.get(letter, 1)) if 0 not in (n, sizes.get(letter)) else 0
    return sizes


def pair(left: str, a, right: str, b, needed) -> tuple:
    """Two operands as one: letters that both have and nobody needs any more are summed, as a matrix product does."""
    for one, x, other in ((left, a, right), (right, b, left)):
        lonely = tuple(i for i, letter in enumerate(one) if letter not in other and letter not in needed)
        if lonely:
            x = sum(x, lonely)
            one = "".join(letter for i, letter in enumerate(one) if i not in lonely)
        left, a, right, b = (one, x, right, b) if other is right else (left, a, one, x)
    both = [letter for letter in left if letter in right]
    stretched = any(a.shape[left.index(letter)] != b.shape[right.index(letter)] for letter in both)
    summed = [letter for letter in both if letter not in needed]
    if not summed or stretched:  # an elementwise product, with a dimension for each letter
        every = left + "".join(letter for letter in right if letter not in left)
        a, b = (aligned(x, term, every) for x, term in ((a, left), (b, right)))
        x, gone = mul(a, b), tuple(every.index(letter) for letter in summed)
        return "".join(letter for letter in every if letter not in summed), sum(x, gone) if gone else x
    batch = [letter for letter in both if letter in needed]
    rows, columns = ([letter for letter in term if letter not in both] for term in (left, right))
    a = permute_to(a, tuple(left.index(letter) for letter in batch + rows + summed))
    b = permute_to(b, tuple(right.index(letter) for letter in batch + summed + columns))
    size = dict(zip(batch + rows + summed, a.shape)) | dict(zip(batch + summed + columns, b.shape))
    lengths = [math.prod(size[letter] for letter in letters) for letters in (rows, summed, columns)]
    shape = tuple(size[letter] for letter in batch)
    x = matmul(reshape_to(a, (*shape, lengths[0], lengths[1])), reshape_to(b, (*shape, lengths[1], lengths[2])))
    return "".join(batch + rows + columns), reshape_to(x, tuple(size[letter] for letter in batch + rows + columns))


def aligned(x, term: str, every: str):
    x = permute_to(x, tuple(term.index(letter) for letter in every if letter in term)) if term else x
    for i, letter in enumerate(every):
        x = x if letter in term else unsqueeze(x, i)
    return x


# == what einsum says in fewer words =======================================================================


def tensordot(a, b, dims=2):
    """The last `dims` dimensions of `a` multiplied with the first of `b` and summed; or the dimensions named for each."""
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        dims = (list(range(a.ndim - dims, a.ndim)), list(range(dims)))
    ours, theirs = ([d % max(x.ndim, 1) for d in ([each] if isinstance(each, int) else list(each))] for x, each in zip((a, b), dims))
    for d, e in zip(ours, theirs):
        if a.shape[d] != b.shape[e]:
            raise RuntimeError(f"contracted dimensions need to match, but first has size {a.shape[d]} in dim {d} and second has size "
                               f"{b.shape[e]} in dim {e}")
    rows, columns = ([d for d in range(x.ndim) if d not in used] for x, used in ((a, ours), (b, theirs)))
    length = math.prod(a.shape[d] for d in ours)
    left = reshape_to(permute_to(a, (*rows, *ours)), (math.prod(a.shape[d] for d in rows), length))
    right = reshape_to(permute_to(b, (*theirs, *columns)), (length, math.prod(b.shape[d] for d in columns)))
    return reshape_to(matmul(left, right), tuple(a.shape[d] for d in rows) + tuple(b.shape[d] for d in columns))


def inner(input, other):
    """The sum of products along the last dimension of both."""
    if not input.ndim or not other.ndim:
        return input * other
    if input.shape[-1] != other.shape[-1]:
        raise RuntimeError("inner() the last dimension must match on both input tensors but got shapes "
                           f"{list(input.shape)} and {list(other.shape)}")
    return tensordot(input, other, ([-1], [-1]))


def kron(input, other):
    """Each element of the one times the whole other, in a grid of blocks."""
    ndim = max(input.ndim, other.ndim)
    a, b = (reshape_to(x, (1,) * (ndim - x.ndim) + tuple(x.shape)) for x in (input, other))
    wide = [n for pair in zip(a.shape, (1,) * ndim) for n in pair]
    thin = [n for pair in zip((1,) * ndim, b.shape) for n in pair]
    return reshape_to(mul(reshape_to(a, tuple(wide)), reshape_to(b, tuple(thin))), tuple(n * m for n, m in zip(a.shape, b.shape)))


def chain_matmul(*matrices):
    """A product of several matrices, from left to right."""
    matrices = tuple(matrices[0]) if len(matrices) == 1 and isinstance(matrices[0], tuple | list) else matrices
    return multi_dot(matrices)


def multi_dot(tensors):
    """A product of several matrices, the longest inner dimension first; the ends may be vectors."""
    tensors = list(tensors)
    if len(tensors) < 2:
        raise RuntimeError("multi_dot(): expected at least 2 tensors but got " + str(len(tensors)))
    first, last = tensors[0].ndim == 1, tensors[-1].ndim == 1
    tensors[0] = unsqueeze(tensors[0], 0) if first else tensors[0]
    tensors[-1] = unsqueeze(tensors[-1], 1) if last else tensors[-1]
    while len(tensors) > 1:
        for a, b in zip(tensors, tensors[1:]):
            if a.shape[1] != b.shape[0]:
                raise RuntimeError(f"multi_dot(): tensors {mismatch(a.shape, b.shape)}")
        at = max(range(len(tensors) - 1), key=lambda i: tensors[i].shape[1])
        tensors[at : at + 2] = [matmul(tensors[at], tensors[at + 1])]
    return reshape_to(tensors[0], tensors[0].shape[first : 2 - last])
