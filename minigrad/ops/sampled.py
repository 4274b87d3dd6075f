"""Functions known at points only: their integral by trapezoids, and their derivative by differences."""

from ..tensor import Tensor
from .joining import cat
from .reduction import cumsum, sum
from .shape import check_dim


def between(y, dim):
    """What follows, and what comes before, for each step along a dimension."""
    steps = max(y.shape[dim] - 1, 0)
    return y.narrow(dim, y.shape[dim] - steps, steps), y.narrow(dim, 0, steps)


def checked(name: str, y, x, dim) -> Tensor | None:
    """The points in a shape that fits the values, or PyTorch's refusal."""
    if not y.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    check_dim(dim, y.ndim)
    for one, said in ((y, "`y`"), (x, "`x` or `y`")):
        if one is not None and one.array.dtype.kind == "b":
            raise RuntimeError(f"{name}: received a bool input for {said}, but bool is not supported")
    if x is None:
        return x
    if x.ndim == 1 < y.ndim:
        if x.shape[0] != y.shape[dim]:
            raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
        return x.reshape([-1 if i == dim % y.ndim else 1 for i in range(y.ndim)])
    x = x.reshape((1,) * (y.ndim - x.ndim) + x.shape)
    if x.shape[dim] != y.shape[dim]:
        raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
    return x


def trapezoid(y, x=None, *, dx=1, dim=-1):
    """The area under a line through points, at `x` or `dx` apart.

    >>> import minigrad as mg
    >>> mg.trapezoid(mg.tensor([0.0, 1.0, 4.0]))
    tensor(3.)
    """
    x = checked("trapezoid", y, x, dim)
    if not y.shape[dim]:
        return sum(y, dim)
    if x is None:
        ends = y.select(dim, 0) + y.select(dim, -1)
        return (sum(y, dim) - ends * 0.5) * dx
    later, earlier = between(y, dim)
    return sum((later + earlier) * x.diff(dim=dim), dim) / 2


def cumulative_trapezoid(y, x=None, *, dx=1, dim=-1):
    """The area under a line through points, up to each of them but the first."""
    x = checked("cumulative_trapezoid", y, x, dim)
    later, earlier = between(y, dim)
    if x is None:
        return cumsum((later + earlier) * (dx / 2), dim)
    return cumsum((later + earlier) * x.diff(dim=dim), dim) / 2


# == derivatives ===========================================================================================


def gradient(input, *, spacing=1, dim=None, edge_order=1):
    """The slope at each point, from its neighbours: one tensor for each dimension.

    >>> import minigrad as mg
    >>> mg.gradient(mg.tensor([0.0, 1.0, 4.0]))
    (tensor([1., 2., 3.]),)
    """
    places = [dim] if isinstance(dim, int) else list(range(input.ndim) if dim is None else dim)
    for d in places:
        check_dim(d, input.ndim)
    places = [d % input.ndim for d in places]
    for d in places:
        if places.count(d) > 1:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    steps = list(spacing) if isinstance(spacing, tuple | list) else [spacing] * len(places)
    if len(steps) != len(places):
        wish = (
            f"a scalar, or a list of length equal to 'self.dim() = {input.ndim}', since dim argument was not given, but got a list of "
            f"length {len(steps)}"
            if dim is None
            else "a scalar or it's spacing and dim arguments to have the same length, but got a spacing argument of length "
            f"{len(steps)} and a dim argument of length {len(places)}."
        )
        raise RuntimeError(f"torch.gradient expected spacing to be unspecified, {wish}")
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    if any(input.shape[d] <= edge_order for d in places):
        raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    return tuple(slope(input, d, step, edge_order) for d, step in zip(places, steps))


def slope(y, dim, step, edge_order):
    """Inside, that of the parabola through a point and its neighbours; at the edges that of a line, or of a parabola too."""
    n = y.shape[dim]
    even = not isinstance(step, Tensor) or not step.ndim
    gaps = step if even else step.diff().reshape([-1 if i == dim else 1 for i in range(y.ndim)])

    if not even and gaps.numel() != n - 1:
        raise RuntimeError(f"torch.gradient expected {n} coordinates for dimension {dim}, but got {gaps.numel() + 1}")

    def gap(start, length):
        return step if even else gaps.narrow(dim, start, length)

    def three(start, length):
        return [y.narrow(dim, start + i, length) for i in range(3)]

    left, middle, right = three(0, n - 2)
    before, after = gap(0, n - 2), gap(1, n - 2)
    inside = (right - left) / step / 2 if even else parabola((left, middle, right), before, after, 1)
    if edge_order == 1:
        first, last = ((y.narrow(dim, i + 1, 1) - y.narrow(dim, i, 1)) / gap(i, 1) for i in (0, n - 2))
    else:
        first = parabola(three(0, 1), gap(0, 1), gap(1, 1), 0)
        last = parabola(three(n - 3, 1), gap(n - 3, 1), gap(n - 2, 1), 2)
    return cat((first, inside, last), dim)


def parabola(points, before, after, at):
    """The slope of the parabola through three points, at one of them."""
    where = (0, before, before + after)
    slopes = []
    for i, y in enumerate(points):
        j, k = (other for other in range(3) if other != i)
        slopes.append(y * ((2 * where[at] - where[j] - where[k]) / ((where[i] - where[j]) * (where[i] - where[k]))))
    return slopes[0] + slopes[1] + slopes[2]
