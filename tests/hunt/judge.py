"""Run a program in one library; say where two runs differ."""

import contextlib
import functools
import re
import warnings

import numpy as np

from minigrad.tensors.trees import each
from minigrad.words.printing import printoptions

from ..oracle import code, kind_of

IGNORED = {"m", "T", "F", "D", "tangent", "still", "first", "second", "np", "__builtins__", "__warningregistry__"}


def vocabulary(m) -> dict:
    """The names that a program may use beside those that it makes itself."""
    leave_level(m)

    def T(values, grad=True, dtype=None):
        """A leaf."""
        return m.tensor(values, dtype=dtype or m.float64, requires_grad=grad)

    def D(value, tangent):
        """A dual tensor. The level is entered with the first, and left when all is told."""
        with contextlib.suppress(RuntimeError):
            m.autograd.forward_ad.enter_dual_level()
        return m.autograd.forward_ad.make_dual(value, tangent)

    def tangent(dual):
        found = m.autograd.forward_ad.unpack_dual(dual).tangent
        return m.zeros_like(dual).detach() if found is None else found

    def still(value):
        """The numbers alone: whether a zero has a history is not the question."""
        return each(lambda one: one.detach() if hasattr(one, "detach") else one, value)

    def first(outputs, *inputs, create_graph=False, retain_graph=None):
        """The derivatives of one output or several, along fixed weights; zero for an input that has no part in them."""
        live = [(out, weight(out, i)) for i, out in enumerate(listed(outputs)) if out is not None and out.requires_grad]
        outputs, weights = zip(*live)
        found = m.autograd.grad(outputs, inputs, weights, retain_graph, create_graph, allow_unused=True)
        return [m.zeros_like(x).detach() if g is None else g for x, g in zip(inputs, found)]

    def second(outputs, *inputs):
        """First derivatives, and those of these: by the inputs, and by the weights that the outputs have."""
        outputs = [out for out in listed(outputs) if out.requires_grad]
        weights = [weight(out, i).requires_grad_() for i, out in enumerate(outputs)]
        found = m.autograd.grad(outputs, inputs, weights, create_graph=True, allow_unused=True)
        reached = any(g is not None and g.requires_grad for g in found)
        again = first(found, *inputs, *weights) if reached else map(m.zeros_like, [*inputs, *weights])
        return [m.zeros_like(x) if g is None else g.detach() for x, g in zip(inputs, found)] + [
            g.detach() for g in again
        ]

    def weight(tensor, i):
        count = int(np.prod(tuple(tensor.shape)))
        values = np.cos(np.arange(count) + 1.0 + i).reshape(tuple(tensor.shape))
        return m.tensor(values).to(tensor.dtype)

    known = {"m": m, "np": np, "F": m.nn.functional, "T": T, "D": D, "tangent": tangent, "still": still}
    return known | {"first": first, "second": second}


def leave_level(m) -> None:
    with contextlib.suppress(RuntimeError):
        m.autograd.forward_ad.exit_dual_level()


def listed(value) -> list:
    return list(value) if isinstance(value, list | tuple) else [value]


@printoptions(namespace="torch")  # a name of three letters more breaks lines elsewhere
def run(m, lines) -> tuple[dict, dict]:
    """What a program leaves behind: its variables, and for each line that was refused, by what."""
    m.set_grad_enabled(True)
    m.default_generator.manual_seed(0)  # `torch.manual_seed` takes the time of a line: it writes down who calls
    m.set_printoptions(profile="default")  # a line that was left out may have been the one that did it
    space, refused = vocabulary(m), {}
    ours = m.__name__ == "minigrad"
    for i, line in enumerate(lines):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            warnings.filterwarnings(
                "ignore", category=RuntimeWarning, module=r"minigrad\."
            )  # as `import minigrad` does
            try:
                exec(code(line), space)
            except Exception as error:
                refused[i] = kind_of(error)
            if ours and i not in refused and any(issubclass(one.category, RuntimeWarning) for one in heard):
                space[f"warning in line {i}"] = str(heard[0].message)  # NumPy's own; PyTorch has none of that kind
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = {name: told(value, space["tangent"]) for name, value in space.items() if name not in IGNORED}
    finally:
        leave_level(m)
    return found, refused


def told(value, tangent):
    """A variable in a form that does not tell which library it is from."""
    if hasattr(value, "detach"):
        try:
            return facts_of(value, tangent)
        except RuntimeError:
            return "it refuses to show itself"
    if isinstance(value, list | tuple):
        return [told(one, tangent) for one in value]
    if isinstance(value, dict):
        return {str(name): told(one, tangent) for name, one in value.items()}
    if isinstance(value, str):
        return re.sub(r"0x[0-9a-f]+", "0x…", value.replace("minigrad.", "torch."))
    if value is None or isinstance(value, bool | int | float | complex | np.ndarray | np.generic):
        return value
    return "an object"


def facts_of(tensor, tangent) -> dict:
    facts = {"dtype": str(tensor.dtype).partition(".")[2], "requires_grad": tensor.requires_grad}
    grad = tensor.grad if tensor.is_leaf else None
    if grad is not None:
        facts["grad"] = told(grad, tangent)
    if tensor.dtype.is_floating_point:
        facts["tangent"] = array_of(tangent(tensor))
    return facts | {"is_leaf": tensor.is_leaf, "values": array_of(tensor)}


def array_of(tensor) -> np.ndarray:
    tensor = tensor.detach().resolve_conj().resolve_neg() if hasattr(tensor, "resolve_conj") else tensor.detach()
    return np.array(tensor.numpy(force=True))


def difference(ours, theirs, kinds: bool = False) -> list[str]:
    """Where two runs differ, a line each. `kinds`: the exceptions have to be of the same kind, too."""
    (left, no), (right, their_no) = ours, theirs
    found = []
    for i in sorted(no.keys() | their_no.keys()):
        here, there = no.get(i, "accepted"), their_no.get(i, "accepted")
        if here != there and (kinds or "accepted" in (here, there)):
            found.append(f"line {i}: {here}, PyTorch {there}")
    for name in sorted(left.keys() | right.keys()):
        found += [f"{name}{where}" for where in apart(left.get(name), right.get(name))]
    return found


def apart(one, other) -> list[str]:
    """Where two told values differ; numbers may be apart by rounding."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = sorted(one.keys() | other.keys())
        return [f".{name}{where}" for name in names for where in apart(one.get(name), other.get(name))]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [f"[{i}]{where}" for i, pair in enumerate(zip(one, other)) for where in apart(*pair)]
    numbers = (np.ndarray, np.generic, float, complex)
    if isinstance(one, numbers) and isinstance(other, numbers):
        same = alike(np.asarray(one), np.asarray(other))
    else:
        same = type(one) is type(other) and bool(np.all(one == other))
    return [] if same else [f": {short(one)}, PyTorch {short(other)}"]


def alike(one: np.ndarray, other: np.ndarray) -> bool:
    if one.shape != other.shape or one.dtype.kind != other.dtype.kind:
        return False
    if one.dtype.kind in "biu":
        return np.array_equal(one, other)
    if one.dtype == other.dtype and one.tobytes() == other.tobytes():
        return True  # to the last bit, as most are: that is told quickly
    coarse = min(one.dtype.itemsize, other.dtype.itemsize) < (16 if one.dtype.kind == "c" else 8)
    half = one.dtype.itemsize == 2
    within = 2e-2 if half else 2e-4 if coarse else 1e-6  # some float64 was float32 before
    with np.errstate(all="ignore"):
        close = functools.partial(np.allclose, rtol=within, atol=within * 0.1, equal_nan=True)
        return close(one, other) or (close(one.real, other.real) and close(one.imag, other.imag))  # inf + 1j


def short(value) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) < 200 else text[:200] + "…"
