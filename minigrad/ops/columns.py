"""Patches of images as the columns of a matrix, and back: a convolution is a product with `unfold`'s result."""

import math

from ..core.row import op
from .convolution import add_patches, blank, bordered, counts, flat_columns, patches
from .pooling import planes
from .public import public


def columns(a, kernel, dilation, padding, stride):
    found = flat_columns(patches(bordered(planes(a), padding, padding), kernel, stride, dilation))
    return found.reshape(*a.shape[:-3], *found.shape[1:]).copy()


def added_back(a, shape, kernel, dilation, padding, stride):
    padded, out = blank((math.prod(shape[:-3]), *shape[-3:]), padding, a.dtype)
    places = patches(padded, kernel, stride, dilation)
    add_patches(places, a.reshape(places.shape), kernel)
    return out.reshape(shape).copy()


# fmt: off
unfolded = op(columns, linear=True, grad_fn="Im2ColBackward0", refuses="i", kernel="im2col_out_cpu",
    a=lambda g, a_shape, kernel, dilation, padding, stride: folded(g, a_shape, kernel, dilation, padding, stride),
    says="unfold(a)", rules_say={"a": "{g}, each number added back where it was"})
folded = op(added_back, linear=True, grad_fn="Col2ImBackward0", refuses="bi", kernel="col2im_out_cpu",
    a=lambda g, kernel, dilation, padding, stride: unfolded(g, kernel, dilation, padding, stride),
    says="fold(a)", rules_say={"a": "the patches of {g}"})
# fmt: on


# == as people call them ===================================================================================


def two_of_each(**given) -> list[tuple]:
    """The options for two dimensions, where one number may be given for both."""
    pairs = {name: tuple(one) if isinstance(one, tuple | list) else (one, one) for name, one in given.items()}
    for name, pair in pairs.items():
        if len(pair) != 2:
            raise RuntimeError(f"It is expected {name} equals to 2, but got size {len(pair)}")
        word, least = name.partition("_")[0], int(name != "padding")
        if name != "output_size" and min(pair) < least:
            says, each = ("greater than zero", word) if least else ("non-negative", "pad")
            height = f"{each}_height: {pair[0]} {each}_width: {pair[1]}"
            raise RuntimeError(f"{name.replace('_', ' ')} should be {says}, but got {height}")
    return list(pairs.values())


def found_in(size, kernel, dilation, padding, stride) -> list[int]:
    """How many patches of an image there are along each dimension."""
    return counts([n + 2 * p for n, p in zip(size, padding)], kernel, stride, dilation)


def check_dimensions(input, least: int, wanted: str) -> None:
    """Beside `least` dimensions there may be one of a batch, which may be empty."""
    if input.ndim not in (least, least + 1) or 0 in input.shape[-least:]:
        dims = f"{least}D or {least + 1}D (batch mode)"
        raise RuntimeError(f"Expected {dims} tensor {wanted}, but got: {list(input.shape)}")


@public("functional")
def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Each patch of an image as one column: (batch, channels, height, width) → (batch, channels · kernel, patches).

    >>> import minigrad as mg, minigrad.nn.functional as F
    >>> F.unfold(mg.arange(9.0).reshape(1, 1, 3, 3), 2)
    tensor([[[0., 1., 3., 4.],
             [1., 2., 4., 5.],
             [3., 4., 6., 7.],
             [4., 5., 7., 8.]]])
    """
    asked = two_of_each(kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)
    check_dimensions(input, 3, "with possibly 0 batch size and other non-zero dimensions for input")
    fits = found_in(input.shape[-2:], *asked)
    if min(fits) < 1:
        kernel, dilation, padding, _ = asked
        raise RuntimeError(
            f"Given input with spatial size {tuple(input.shape[-2:])}, kernel_size={kernel}, dilation={dilation}, "
            f"padding={padding}, calculated shape of the array of sliding blocks as {tuple(fits)}, but its components "
            "must be at least one."
        )
    return unfolded(input, *asked)


@public("functional")
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """The columns of `unfold` added back into an image: where patches overlap, their numbers add up."""
    size, *asked = two_of_each(
        output_size=output_size, kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride
    )
    check_dimensions(input, 2, "for input with possibly 0 batch size and non-zero dimensions")
    rows, found = input.shape[-2:]
    each, fits = math.prod(asked[0]), found_in(size, *asked)
    if rows % each:
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
            f"input.size(1)={rows} and kernel_size={asked[0]}."
        )
    if min(fits) < 1 or found != math.prod(fits):
        kernel, dilation, padding, stride = asked
        raise RuntimeError(
            f"Given output_size={size}, kernel_size={kernel}, dilation={dilation}, padding={padding}, stride={stride}, "
            f"expected size of input's dimension 2 to match the calculated number of sliding blocks {fits[0]} * "
            f"{fits[1]} = {math.prod(fits)}, but got input.size(2)={found}."
        )
    return folded(input, (*input.shape[:-2], rows // each, *size), *asked)
