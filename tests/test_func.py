"""Functions of functions: against PyTorch's answers, and modules as functions."""

import re

import numpy as np
import pytest

import minigrad
from minigrad import func
from tests.oracle import answer, judge, kind_of, recorded


def bumpy(x):
    return (x.sin() * x.exp()).sum()


def both(pair):
    return pair[0], pair[1]


CASES = {  # T: the functions; x, y: vectors, y requires grad; s, r: numbers, r requires grad; m: the library
    "grad": lambda T, x, y, s, r, m: T.grad(m.sin)(s),
    "third derivative": lambda T, x, y, s, r, m: T.grad(T.grad(T.grad(m.sin)))(s),
    "grad at a tensor with a history": lambda T, x, y, s, r, m: T.grad(m.sin)(r),
    "grad with a parameter outside": lambda T, x, y, s, r, m: T.grad(lambda v: (y * v).sum())(x),
    "grad of a structure": lambda T, x, y, s, r, m: T.grad(lambda d: (d["a"] * d["b"][0]).sum())(
        {"a": x, "b": [x * 2]}
    ),
    "grad, one argument": lambda T, x, y, s, r, m: T.grad(lambda a, b: a * b, argnums=1)(s, s * 2),
    "grad, both arguments": lambda T, x, y, s, r, m: T.grad(lambda a, b: a * b, argnums=(1, 0))(s, s * 2),
    "grad, last argument": lambda T, x, y, s, r, m: T.grad(lambda a, b: a * b, argnums=-1)(s, s * 2),
    "grad, aux": lambda T, x, y, s, r, m: T.grad(lambda a: (a * a, a + 1), has_aux=True)(s),
    "grad_and_value": lambda T, x, y, s, r, m: T.grad_and_value(lambda a: a * a)(s),
    "grad_and_value, aux": lambda T, x, y, s, r, m: T.grad_and_value(lambda a: (a * a, a + 1), has_aux=True)(s),
    "grad of a vector": lambda T, x, y, s, r, m: T.grad(lambda a: a)(x),
    "grad of no tensor": lambda T, x, y, s, r, m: T.grad(lambda a: 3)(x),
    "grad of a constant": lambda T, x, y, s, r, m: T.grad(lambda a: m.ones(()))(x),
    "grad, argument missing": lambda T, x, y, s, r, m: T.grad(lambda a: a * 2, argnums=3)(s),
    "grad, no argument": lambda T, x, y, s, r, m: T.grad(lambda a: a * 2, argnums="a")(s),
    "grad, no_grad outside": lambda T, x, y, s, r, m: m.no_grad()(lambda: (T.grad(bumpy)(y), T.grad(bumpy)(x)))(),
    "grad, no_grad inside": lambda T, x, y, s, r, m: T.grad(lambda a: (a - m.no_grad()(lambda: a**2)()).sum())(x),
    "vjp": lambda T, x, y, s, r, m: T.vjp(lambda a, b: (a * b, a.sum()), x, x * 3)[0],
    "vjp pulls": lambda T, x, y, s, r, m: T.vjp(lambda a, b: (a * b, a.sum()), x, x * 3)[1]((x, s)),
    "vjp pulls, one argument": lambda T, x, y, s, r, m: T.vjp(lambda a: a * 2, x)[1](x),
    "vjp pulls, a structure": lambda T, x, y, s, r, m: T.vjp(lambda d: d["a"] * 2, {"a": x})[1](x),
    "vmap, nothing": lambda T, x, y, s, r, m: T.vmap(lambda: 1)(),
    "vmap, random numbers": lambda T, x, y, s, r, m: T.vmap(lambda a: a + m.rand(()))(x),
    "vmap, random numbers in dropout": lambda T, x, y, s, r, m: T.vmap(m.nn.functional.dropout)(x),
    "vmap, the same random numbers": lambda T, x, y, s, r, m: (
        m.manual_seed(1),
        T.vmap(lambda a: a + m.rand(2), randomness="same")(grid(m)[:, :2]),
    )[1],
    "vmap, randomness unknown": lambda T, x, y, s, r, m: T.vmap(m.sin, randomness="some")(x),
    "jvp": lambda T, x, y, s, r, m: T.jvp(lambda a: a**2, (x,), (x,)),
    "jvp of tuples": lambda T, x, y, s, r, m: T.jvp(lambda a, b: (a**2 * b, b), (x, x * 3), (x, x)),
    "jvp, aux": lambda T, x, y, s, r, m: T.jvp(lambda a: (a**2, a + 1), (x,), (x,), has_aux=True),
    "jvp at a list": lambda T, x, y, s, r, m: T.jvp(lambda a: a, [x], [x]),
    "jvp of a jvp": lambda T, x, y, s, r, m: T.jvp(
        lambda a: T.jvp(lambda b: b**3, (a,), (m.ones(2),))[1], (x,), (m.ones(2),)
    ),
    "jvp of a jvp, mixed": lambda T, x, y, s, r, m: T.jvp(
        lambda a: T.jvp(lambda b: a * b, (a,), (m.ones(2),))[1], (x,), (m.ones(2),)
    ),
    "grad of a jvp": lambda T, x, y, s, r, m: T.grad(lambda v: T.jvp(lambda q: q**3, (v,), (x,))[1].pow(2).sum())(x),
    "jacrev": lambda T, x, y, s, r, m: T.jacrev(lambda a: a**2)(x),
    "jacfwd": lambda T, x, y, s, r, m: T.jacfwd(lambda a: a**2)(x),
    "jacrev of structures": lambda T, x, y, s, r, m: T.jacrev(lambda a, b: {"q": a * b["z"]}, (0, 1))(x, {"z": x}),
    "jacfwd of structures": lambda T, x, y, s, r, m: T.jacfwd(lambda a, b: {"q": a * b["z"]}, (0, 1))(x, {"z": x}),
    "jacrev, aux": lambda T, x, y, s, r, m: T.jacrev(lambda a: (a * 2, a + 1), has_aux=True)(x),
    "jacfwd, aux": lambda T, x, y, s, r, m: T.jacfwd(lambda a: (a * 2, a + 1), has_aux=True)(x),
    "jacrev at no tensor": lambda T, x, y, s, r, m: T.jacrev(lambda a: a)(3),
    "hessian": lambda T, x, y, s, r, m: T.hessian(bumpy)(x),
    "hessian, two arguments": lambda T, x, y, s, r, m: T.hessian(lambda a, b: (a**2 * b).sum(), (0, 1))(x, x * 3),
    "reverse over reverse": lambda T, x, y, s, r, m: T.jacrev(T.jacrev(bumpy))(x),
    "forward over forward": lambda T, x, y, s, r, m: T.jacfwd(T.jacfwd(bumpy))(x),
    "reverse over forward": lambda T, x, y, s, r, m: T.jacrev(T.jacfwd(bumpy))(x),
    "three forward": lambda T, x, y, s, r, m: T.jacfwd(T.jacfwd(T.jacfwd(bumpy)))(x),
    "reverse, forward, reverse": lambda T, x, y, s, r, m: T.jacrev(T.jacfwd(T.jacrev(bumpy)))(x),
    "forward, reverse, forward": lambda T, x, y, s, r, m: T.jacfwd(T.jacrev(T.jacfwd(bumpy)))(x),
    "vmap": lambda T, x, y, s, r, m: T.vmap(m.dot)(grid(m), grid(m)),
    "vmap, one argument whole": lambda T, x, y, s, r, m: T.vmap(lambda a, b: a + b, in_dims=(0, None))(
        grid(m), m.ones(3)
    ),
    "vmap along columns": lambda T, x, y, s, r, m: T.vmap(lambda a: a * 2, in_dims=1, out_dims=1)(grid(m)),
    "vmap, two results": lambda T, x, y, s, r, m: T.vmap(lambda a: (a * 2, a.sum()), out_dims=(1, 0))(grid(m)),
    "vmap, last": lambda T, x, y, s, r, m: T.vmap(lambda a: (a * 2, a.sum()), out_dims=-1)(grid(m)),
    "vmap of a dict": lambda T, x, y, s, r, m: T.vmap(lambda d, k: d["a"] * d["b"] * k, in_dims=(0, None))(
        {"a": x, "b": y.detach()}, s
    ),
    "vmap, constant result": lambda T, x, y, s, r, m: T.vmap(lambda a: (a, 3), out_dims=(0, None))(x),
    "vmap with a keyword": lambda T, x, y, s, r, m: T.vmap(lambda a, k: a * k)(x, k=x),
    "vmap of a grad": lambda T, x, y, s, r, m: T.vmap(T.grad(bumpy))(grid(m)),
    "grad of a vmap": lambda T, x, y, s, r, m: T.grad(lambda a: T.vmap(bumpy)(a).sum())(grid(m)),
    "vmap of a vmap": lambda T, x, y, s, r, m: T.vmap(T.vmap(lambda a: a * 2))(grid(m)),
    "vmap, sizes": lambda T, x, y, s, r, m: T.vmap(lambda a, b: a)(m.ones(2), m.ones(3)),
    "vmap over nothing": lambda T, x, y, s, r, m: T.vmap(lambda a: a, in_dims=(None,))(x),
    "vmap, in_dims": lambda T, x, y, s, r, m: T.vmap(lambda a: a, in_dims=None)(x),
    "vmap of a number": lambda T, x, y, s, r, m: T.vmap(lambda a: a)(s),
    "vmap of no tensor": lambda T, x, y, s, r, m: T.vmap(lambda a: a)(3),
    "vmap to no tensor": lambda T, x, y, s, r, m: T.vmap(lambda a: 3)(x),
}


def grid(m):
    return m.arange(6.0).reshape(2, 3)


def printed(case):
    """What a case gives, as it is printed; of an error, its kind: the words are ours."""

    def question(m):
        x, y = m.tensor([1.0, 2.0]), m.tensor([3.0, 4.0], requires_grad=True)
        try:
            return str(case(m.func, x, y, m.tensor(0.5), m.tensor(0.5, requires_grad=True), m))
        except Exception as error:
            return {"raises": kind_of(error)}

    return question


def in_place(change):
    """A function that copies its argument and changes the copy."""
    return lambda x: (lambda y: [change(y, x), y][1])(x * 1)


FUNCTIONS = {  # m, F: the functions of networks; each of a vector
    "mse_loss of what depends on itself": lambda m, F: lambda x: F.mse_loss(x, 2 * x) ** 2,
    "huber_loss": lambda m, F: lambda x: F.huber_loss(x, 3 * x),
    "smooth_l1_loss": lambda m, F: lambda x: F.smooth_l1_loss(x, x * x),
    "binary_cross_entropy_with_logits": lambda m, F: lambda x: F.binary_cross_entropy_with_logits(x, (3 * x).sigmoid()),
    "solve": lambda m, F: lambda x: m.linalg.solve(m.diag(x) + 1, x * x),
    "sin_": lambda m, F: in_place(lambda y, x: y.sin_()),
    "mul_": lambda m, F: in_place(lambda y, x: y.mul_(x)),
    "mul_ and exp_": lambda m, F: in_place(lambda y, x: y.mul_(x).exp_()),
    "mul_ by a copy": lambda m, F: in_place(lambda y, x: y.mul_(y.clone())),
    "a part changed": lambda m, F: in_place(lambda y, x: y[:1].mul_(x[1:]).exp_()),
    "an element set": lambda m, F: in_place(lambda y, x: y.__setitem__(0, x[1] * x[0])),
    "a constant changed": lambda m, F: lambda x: m.ones(2)[1:].mul_(x[:1] ** 3),
}
WAYS = {  # T: the functions; of a function f, at x
    "hessian": lambda T, f, x: T.hessian(lambda a: (f(a) ** 2).sum())(x),
    "jacfwd": lambda T, f, x: T.jacfwd(f)(x),
    "gradient of a jvp": lambda T, f, x: T.grad(lambda a: T.jvp(f, (a,), (a * 2,))[1].sum())(x),
    "jvp of a gradient": lambda T, f, x: T.jvp(T.grad(lambda a: (f(a) ** 2).sum()), (x,), (x * 3,)),
    "vmap": lambda T, f, x: T.vmap(T.jacfwd(f))(x.expand(2, 2)),
}
UNSUITED = {  # PyTorch refuses the second and the last; of a solution's second derivatives it gives wrong ones
    ("gradient of a jvp", "solve"),
    ("jvp of a gradient", "huber_loss"),
    ("vmap", "solve"),
    ("vmap", "a constant changed"),
}
CASES |= {
    f"{way}, {name}": lambda T, x, y, s, r, m, way=way, name=name: WAYS[way](
        T, FUNCTIONS[name](m, m.nn.functional), x.double()
    )
    for way in WAYS
    for name in FUNCTIONS
    if (way, name) not in UNSUITED
}


linear = lambda m, given, **options: m.func.functional_call(m.nn.Linear(1, 1), given, (m.ones(1),), **options)  # noqa: E731
REFUSED = {
    "jvp, no dual": lambda T, x, y, s, r, m: T.jvp(lambda a: 3, (x,), (x,)),
    "jvp, nothing": lambda T, x, y, s, r, m: T.jvp(lambda a: None, (x,), (x,)),
    "jvp, another shape": lambda T, x, y, s, r, m: T.jvp(lambda a: a, (x,), (s,)),
    "jvp, not strict": lambda T, x, y, s, r, m: T.jvp(lambda a: m.ones(1), (x,), (x,)),
    "jvp, a list of tangents": lambda T, x, y, s, r, m: T.jvp(lambda a: a, (x,), [x]),
    "jvp, a tangent alone": lambda T, x, y, s, r, m: T.jvp(lambda a: a, (x,), x),
    "jvp of nothing": lambda T, x, y, s, r, m: T.jvp(lambda: s, (), ()),
    "jvp of a number": lambda T, x, y, s, r, m: T.jvp(lambda a: a, (1.0,), (1.0,)),
    "jvp in place": lambda T, x, y, s, r, m: [T.jvp(lambda a: a.mul_(2), (x,), (s.expand(2).clone(),)), x],
    "vjp, nothing": lambda T, x, y, s, r, m: T.vjp(lambda a: None, x),
    "vjp, a number": lambda T, x, y, s, r, m: T.vjp(lambda a: 3, x),
    "vjp, an integer": lambda T, x, y, s, r, m: T.vjp(lambda a: (a, a.argmax()), x),
    "vjp, another structure": lambda T, x, y, s, r, m: T.vjp(lambda a: {"p": a}, x)[1](x),
    "vjp, too many": lambda T, x, y, s, r, m: T.vjp(lambda a: a, x)[1]((x, x)),
    "jacfwd, random numbers": lambda T, x, y, s, r, m: T.jacfwd(lambda a: a * m.rand(()))(x),
    "jacrev, an integer": lambda T, x, y, s, r, m: T.jacrev(lambda a: a.argmax())(x),
    "grad, complex": lambda T, x, y, s, r, m: T.grad(lambda a: (a * 1j).sum())(x),
    "jacrev, complex": lambda T, x, y, s, r, m: T.jacrev(lambda a: a * 1j)(x),
    "jacfwd, complex": lambda T, x, y, s, r, m: T.jacfwd(lambda a: a * 1j)(x),
    "jacrev of complex": lambda T, x, y, s, r, m: T.jacrev(lambda a: a.real)(x * 1j),
    "hessian of complex": lambda T, x, y, s, r, m: T.hessian(lambda a: a.abs().sum())(x * 1j),
    "jacfwd of nothing": lambda T, x, y, s, r, m: T.jacfwd(lambda a: a * 2)(m.ones(0)).shape,
    "argnums twice": lambda T, x, y, s, r, m: T.grad(lambda a, b: (a * b).sum(), argnums=(-1, 1))(x, x),
    "argnums of floats": lambda T, x, y, s, r, m: T.grad(lambda a: a.sum(), argnums=(0.0,))(x),
    "vmap, out_dims too large": lambda T, x, y, s, r, m: T.vmap(lambda a: a.sum(), out_dims=1)(grid(m)),
    "vmap, out_dims None": lambda T, x, y, s, r, m: T.vmap(lambda a: a.sum(), out_dims=None)(grid(m)),
    "vmap, out_dims too few": lambda T, x, y, s, r, m: T.vmap(lambda a: (a, a), out_dims=(0,))(x),
    "vmap, in_dims too few": lambda T, x, y, s, r, m: T.vmap(lambda a, b: a, in_dims=(0,))(x, x),
    "vmap, out_dims a letter": lambda T, x, y, s, r, m: T.vmap(lambda a: a, out_dims="a")(x),
    "vmap, in_dims a float": lambda T, x, y, s, r, m: T.vmap(lambda a: a, in_dims=(0.5,))(x),
    "vmap of an empty batch": lambda T, x, y, s, r, m: T.vmap(lambda a: a * 2, out_dims=1)(m.ones(0, 2)).shape,
    "jacrev to nothing": lambda T, x, y, s, r, m: T.jacrev(lambda a: ())(x),
    "jvp to an empty list": lambda T, x, y, s, r, m: T.jvp(lambda a: [], (x,), (x,)),
    "jvp, strict": lambda T, x, y, s, r, m: T.jvp(lambda a: (a, s), (x,), (x,), strict=True),
    "jvp, strict, and all take part": lambda T, x, y, s, r, m: T.jvp(lambda a: a * 2, (x,), (x,), strict=True),
    "jvp of a jvp, strict": lambda T, x, y, s, r, m: T.jvp(
        lambda a: T.jvp(lambda b: s, (a,), (a,), strict=True)[1], (x,), (x,)
    ),
    "argnums in a list": lambda T, x, y, s, r, m: T.grad(lambda a: a.sum(), argnums=[0])(x),
    "jacrev in chunks of nothing": lambda T, x, y, s, r, m: T.jacrev(lambda a: a, chunk_size=0)(x),
    "vmap, a whole argument changed": lambda T, x, y, s, r, m: [
        T.vmap(lambda a, b: b.add_(a[:2]), (0, None))(grid(m), x)
    ],
    "call, strict": lambda T, x, y, s, r, m: linear(m, {"weight": m.ones(1, 1), "bias": m.ones(1)}, strict=True)[0],
    "call, strict, one missing": lambda T, x, y, s, r, m: linear(m, {"weight": m.ones(1, 1)}, strict=True),
    "call, strict, one too many": lambda T, x, y, s, r, m: linear(
        m, {"weight": m.ones(1, 1), "bias": m.ones(1), "slope": x}, strict=True
    ),
    "call, a number as weight": lambda T, x, y, s, r, m: linear(m, {"weight": 3})[0],
}
AUX = {
    "a number": lambda a: (a.sum(), 3),
    "no pair": lambda a: a.sum(),
    "a list": lambda a: [a.sum(), a],
    "a dict": lambda a: (a.sum(), {"q": a}),
    "an integer": lambda a: (a.sum(), a.argmax()),
}
for kind, f in AUX.items():
    REFUSED |= {
        f"grad, {kind} as aux": lambda T, x, y, s, r, m, f=f: T.grad(f, has_aux=True)(x),
        f"vjp, {kind} as aux": lambda T, x, y, s, r, m, f=f: T.vjp(f, x, has_aux=True)[2],
        f"jvp, {kind} as aux": lambda T, x, y, s, r, m, f=f: T.jvp(f, (x,), (x,), has_aux=True),
        f"jacrev, {kind} as aux": lambda T, x, y, s, r, m, f=f: T.jacrev(f, has_aux=True)(x),
        f"jacfwd, {kind} as aux": lambda T, x, y, s, r, m, f=f: T.jacfwd(f, has_aux=True)(x),
    }

QUESTIONS = {name: printed(case) for name, case in (CASES | REFUSED).items()}


@pytest.mark.parametrize("name", QUESTIONS)
def test_against_recorded(name):
    assert answer(QUESTIONS[name], minigrad) == recorded("func")[name]


@pytest.mark.parametrize("name", QUESTIONS)
def test_against_pytorch(name):
    assert answer(QUESTIONS[name], judge()) == recorded("func")[name]


WORDS = {
    "grad of a vector": "got tensor with 1 dims. Maybe you wanted to use the vjp or jacrev APIs",
    "grad of no tensor": "Expected f(*args) to return a Tensor, got",
    "grad, no pair as aux": "should be a tuple: (output, aux) if has_aux is True",
    "grad, argument missing": "Got argnum=3, but only 1 positional inputs",
    "argnums in a list": "argnums must be int or Tuple[int, ...], got: <class 'list'>",
    "argnums twice": "argnums elements must be unique, got (1, 1)",
    "vjp, an integer": "must be floating-point or complex Tensors, got minigrad.int64",
    "vjp, another structure": "as pytree structure of outputs to the function",
    "jvp, a list of tangents": "Expected primals and tangents to be tuples of the same structure",
    "jvp to an empty list": "Expected f to be a function that has non-empty output (got output = [])",
    "jvp, strict": "The output of f is independent of the inputs. This is not allowed with strict=True.",
    "jvp of a number": "Expected primals and tangents to contain Tensors, at least one, and nothing else",
    "jacrev, complex": "jacrev: Expected all inputs and outputs to be real",
    "call, strict, one too many": "Error(s) in reparametrizing for Linear:\n\tUnexpected key(s): 'slope'.",
    "call, strict, one missing": "Error(s) in reparametrizing for Linear:\n\tMissing key(s): 'bias'.",
    "vmap, a whole argument changed": "each slice would change it once more",
    "vmap, sizes": "the same size in the mapped dimension, got sizes [2, 3]",
    "vmap of no tensor": "cannot slice int along in_dim=0; None hands an argument over whole",
    "vmap to no tensor": "must return Tensors, or out_dims be None",
    "vmap, out_dims None": "only where all slices have the same result",
    "vmap, in_dims too few": "in_dims must be an int, None, or a tuple of 2 of them, but is (0,)",
    "vmap, random numbers": "called random operation while in randomness error mode",
}


@pytest.mark.parametrize("name", WORDS)
def test_an_error_says_what_is_wrong(name):
    x, y, s = minigrad.tensor([1.0, 2.0]), minigrad.tensor([3.0, 4.0]), minigrad.tensor(0.5)
    with pytest.raises((RuntimeError, ValueError), match=re.escape(WORDS[name])):
        (CASES | REFUSED)[name](func, x, y, s, s, minigrad)


def test_no_grad_is_touched():
    w = minigrad.ones(2, requires_grad=True)
    func.grad(lambda x: (w * x).sum())(w)
    assert w.grad is None


@pytest.mark.parametrize("inside", [False, True], ids=["called", "pulled"])
def test_what_is_under_no_grad_alone_has_no_history(inside):
    """The value where the function is called, the gradient where it is pulled."""
    x = minigrad.tensor(2.0, requires_grad=True)
    with minigrad.set_grad_enabled(inside):
        value, pull = func.vjp(lambda x: x**3, x)
    with minigrad.set_grad_enabled(not inside):
        (slope,) = pull(minigrad.tensor(1.0))
    assert value.requires_grad == inside and slope.requires_grad != inside
    if not inside:
        assert minigrad.autograd.grad(slope, x)[0].item() == 12


def test_what_a_function_changes_beside_its_inputs_keeps_the_numbers_alone():
    """Else its history, and with it those of all calls before, would live on in it."""
    x, rows, rate = minigrad.tensor([1.0, 2.0]), minigrad.zeros(2, 2), minigrad.tensor(0.5, requires_grad=True)

    def changing(x, mean, factor):
        return (x * mean.mul_(0.5).add_(x * factor)).sum()

    for beside in (minigrad.zeros(2), rows[0]):
        assert func.grad(changing)(x, beside, 1).tolist() == func.jacrev(changing)(x, beside * 0, 1).tolist() == [2, 4]
        assert beside.tolist() == [1, 2] and not beside.requires_grad
    assert not rows.requires_grad
    mean = minigrad.zeros(2)
    func.grad(changing)(x, mean, rate)
    assert minigrad.autograd.grad(mean.sum(), rate)[0].item() == 3  # which is no part of this call alone


def test_a_slice_may_be_changed_by_what_is_differentiated():
    x, means = minigrad.tensor([[1.0, 2.0], [3.0, 4.0]]), minigrad.zeros(2, 2)
    slopes = func.vmap(func.grad(lambda x, mean: (x * mean.add_(x)).sum()))(x, means)
    assert slopes.tolist() == (2 * x).tolist() and means.tolist() == x.tolist() and not means.requires_grad


def test_what_is_changed_has_its_part_in_a_derivative_around():
    def outer(x):
        mean = minigrad.zeros(1)
        slope = func.grad(lambda x, mean: (x * mean.add_(x * x)).sum())(x, mean)
        return (slope * mean).sum()

    assert func.grad(outer)(minigrad.tensor([2.0])).item() == 96  # of 3x² · x²


def test_what_is_pulled_is_made_of_tensors():
    _, pull = func.vjp(lambda x: x**3, minigrad.tensor(2.0))
    assert pull(None)[0].item() == 12
    with pytest.raises(TypeError, match="gradients can be either Tensors or None, but got float"):
        pull(1.0)


def test_a_gradient_that_is_0_asks_for_none():
    w = minigrad.tensor(3.0, requires_grad=True)
    found = func.grad(func.grad(lambda x: (x * w).sum()))(minigrad.tensor(1.0))
    assert found.item() == 0 and not found.requires_grad


def test_the_derivative_of_a_derivative_reaches_what_is_outside():
    w = minigrad.tensor(3.0, requires_grad=True)
    func.grad(lambda x: w**2 * x**2)(minigrad.tensor(5.0)).backward()
    assert w.grad.item() == 60


def test_what_the_backward_of_a_function_brings_in_is_reached():
    w = minigrad.tensor(3.0, requires_grad=True)

    class Scaled(minigrad.autograd.Function):
        forward = staticmethod(lambda a: a * w)
        setup_context = staticmethod(lambda ctx, inputs, output: None)
        backward = staticmethod(lambda ctx, g: g * w)

    value = func.grad_and_value(Scaled.apply)(minigrad.tensor(2.0))
    assert value[0].requires_grad and not value[1].requires_grad
    value[0].backward()
    assert w.grad.item() == 1


def test_vmap_is_differentiable_and_draws_anew_or_the_same():
    x = minigrad.ones(4, requires_grad=True)
    func.vmap(lambda a: a**2)(x).sum().backward()
    assert x.grad.tolist() == [2.0] * 4
    minigrad.manual_seed(0)
    noisy = func.vmap(lambda a: a + minigrad.rand(()), randomness="different")(x.detach())
    same = func.vmap(lambda a: a + minigrad.rand(()), randomness="same")(x.detach())
    assert len(set(noisy.tolist())) == 4 and len(set(same.tolist())) == 1


def test_each_column_finds_what_the_first_found():
    """PyTorch makes 6 of the 4."""
    x, y = minigrad.tensor([1.0, 2.0]), minigrad.tensor([5.0, 10.0])
    part = x[1:]
    assert func.jacfwd(lambda a: a.mul_(a))(x).tolist() == [[2, 0], [0, 4]]
    assert part.tolist() == [4] and x.tolist() == [1, 4]
    assert func.jacfwd(lambda a, b: a * b.mul_(2))(x, y).tolist() == [[10, 0], [0, 20]] and y.tolist() == [10, 20]


def test_a_matrix_with_no_rows_or_columns():
    x, empty = minigrad.ones(2), minigrad.ones(0)
    assert func.jacrev(lambda a: a[:0])(x).shape == (0, 2)
    assert func.jacrev(lambda a: a * 2)(empty).shape == (0, 0)


class TestModules:
    def layer(self, seed=0):
        minigrad.manual_seed(seed)
        return minigrad.nn.Linear(3, 2)

    def test_other_parameters_for_one_call(self):
        layer, x = self.layer(), minigrad.ones(3)
        own = layer.weight
        given = {"weight": minigrad.zeros(2, 3), "bias": minigrad.tensor([1.0, 2.0])}
        assert func.functional_call(layer, given, (x,)).tolist() == [1.0, 2.0]
        assert layer.weight is own

    def test_own_parameters_again_after_an_error(self):
        layer = self.layer()
        own = layer.weight
        with pytest.raises(RuntimeError):
            func.functional_call(layer, {"weight": minigrad.zeros(5, 5)}, (minigrad.ones(3),))
        assert layer.weight is own

    def test_what_the_module_replaces_is_replaced_in_the_dict_and_else_in_the_module(self):
        class Counter(minigrad.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("calls", minigrad.tensor(0))
                self.register_buffer("total", minigrad.tensor(0.0))

            def forward(self, x):
                self.calls, self.total = self.calls + 1, self.total + x
                return self.total

        counter, given, x = Counter(), {"total": minigrad.tensor(10.0)}, minigrad.tensor(2.0)
        found = [func.functional_call(counter, one, x).item() for one in (given, given, (given, {}))]
        assert found == [12, 14, 16] and given["total"].item() == 14
        assert counter.calls.item() == 3 and counter.total.item() == 0

    def test_what_the_module_deletes_comes_back(self):
        class Once(minigrad.nn.Module):
            def forward(self, x):
                del self.scale
                return x

        once, x = Once(), minigrad.tensor(2.0)
        once.register_buffer("scale", x)
        assert func.functional_call(once, {"scale": x * 2}, x) is x and once.scale is x

    def test_tied_parameters_change_together(self):
        pair = minigrad.nn.Sequential(minigrad.nn.Linear(2, 2, bias=False), minigrad.nn.Linear(2, 2, bias=False))
        pair[1].weight = pair[0].weight
        given = {"0.weight": minigrad.eye(2) * 3}
        assert func.functional_call(pair, given, (minigrad.ones(2),)).tolist() == [9.0, 9.0]

    def test_the_gradient_of_the_parameters(self):
        layer, x = self.layer(), minigrad.ones(3)
        parameters = {name: one.detach() for name, one in layer.named_parameters()}
        found = func.grad(lambda p: func.functional_call(layer, p, (x,)).sum())(parameters)
        assert found["weight"].tolist() == [[1.0] * 3] * 2 and found["bias"].tolist() == [1.0] * 2

    def test_an_ensemble(self):
        layers, x = [self.layer(0), self.layer(1)], minigrad.rand(3)
        states = [dict(layer.named_parameters()) for layer in layers]
        stacked = {name: minigrad.stack([state[name] for state in states]) for name in states[0]}
        together = func.vmap(lambda p: func.functional_call(layers[0], p, (x,)))(stacked)
        assert np.allclose(together.detach(), minigrad.stack([layer(x) for layer in layers]).detach())


def test_vmap_of_nothing_is_told_what_it_needs():
    for call in (lambda f: f(), lambda f: minigrad.func.vmap(f, in_dims=None)(minigrad.ones(2))):
        with pytest.raises(ValueError, match="got no inputs to slice: it needs a Tensor among them"):
            call(minigrad.func.vmap(minigrad.sin))
