"""Small programs, one a line: what each of them shows is what PyTorch shows, and its errors are PyTorch's, too."""

import ast
import copy
import pickle
from math import inf, nan

import numpy as np
import pytest

import minigrad as mg

from .oracle import answer, assert_same, recorded

PROGRAMS = r"""
# a value that is missing, and what it does to a gradient
T([nan, 1., -0., -2.]).sign(), T([nan, 1.]).sgn(), T([nan, 2]).sign_(), T([True, False]).sign()
x = T([nan, 1., 0., -1.], requires_grad=True); x.abs().sum().backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); F.l1_loss(x, m.ones(3)).backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); F.smooth_l1_loss(x, m.ones(3)).backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); F.huber_loss(x, m.ones(3)).backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); x.norm(1).backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); x.norm(inf).backward(); x.grad
x = T([nan, 1., 0.], requires_grad=True); x.amax().backward(); x.grad
x = T([[nan, 1.], [1., 1.]], requires_grad=True); x.amin(1).sum().backward(); x.grad
x = T([nan, 1., nan], requires_grad=True); (x.max() + 2 * x.min()).backward(); x.grad
# a variance without degrees of freedom
T([1., 2.]).var(correction=2), T([1., 2.]).std(correction=3), T([]).var(), T([1.]).std(), m.zeros(2, 0).var(0)
x = T([1., 2.], requires_grad=True); x.var(correction=3).backward(); x.grad
x = T([1., 2.], requires_grad=True); x.std(correction=3).backward(); x.grad
x = T([1., 2., 1.5], requires_grad=True); x.std(correction=3).backward(); x.grad
x = T([[1., 1.], [1., 2.]], requires_grad=True); x.var(1, correction=5).sum().backward(); x.grad + 0
x = T([[1., 1.], [1., 2.]], requires_grad=True); x.std(1, correction=2).sum().backward(); x.grad
x = T([[1., 1.], [1., 2.]], requires_grad=True); m.var_mean(x, correction=5)[0].backward(); x.grad + 0
x = T([[1., 1.], [1., 2.]], requires_grad=True); m.std_mean(x, 1, correction=5)[0].sum().backward(); x.grad + 0
T([1, 2]).var()
T([True]).std()
# copies
x = T([1.]); x.note = [3]; y = copy.deepcopy(x); y.note, y.note is x.note
x = T([1.], requires_grad=True); x.sum().backward(); x.grad.note = 3; copy.deepcopy(x).grad.note
x = nn.Parameter(T([1.])); x.note = 3; hasattr(copy.deepcopy(x), "note"), copy.copy(x).note
# numbers of a type that an operation is not for
m.floor(T([True]))
m.abs(T([True]))
T([1j]) < T([1j])
m.maximum(T([1j]), T([1.]))
m.argmax(T([True, False]))
m.sort(T([1j]))
F.elu(T([-1]))
m.norm(T([1]))
F.mse_loss(T([1]), T([2]))
m.sign(T([1j]))
T([1, 2]) // 0
T([1, 2]) % T([0, 1])
T([1.]) // 0, T([-1.]) % 0
m.div(T([5]), 0)
T([1], dtype=m.uint8) * 300, T([1], dtype=m.int8) + 200, T([1], dtype=m.uint8) - 2
T([1]) ** -1
# operators
T([1]) == None, T([1]) != "a", T([1]) == [1], T([1]) in [None, T([1])]
T([1]) < None
T([1, 2]) @ 2
x = T([7, 8]); y = x; y //= 2; y %= 3; y |= 4; y &= 6; y ^= 1; x, y is x, x._version
x = T([1]); x //= 2.; x
# special functions
# shapes, indices and conditions that do not fit
m.ones(2, 3).repeat(2)
m.ones(2, 3).roll((1, 1), 0)
m.tril(m.ones(3))
m.ones(2, 3).expand(-1, -1, 3)
m.movedim(m.ones(2, 3), 0, 5)
m.outer(m.ones(2, 2), m.ones(2))
m.trace(m.ones(2))
m.cat([m.ones(0), m.ones(2, 2)], 1), m.arange(6).reshape(2, 3).flip(0, 1), m.split(m.ones(0), 0)
m.cat([m.ones(2), 3])
x = m.arange(24).reshape(2, 3, 4); x[[[0, 1], [1, 0]]], x[[slice(0, 1), 0]], x[[0, 1]].shape
m.where(T([1]), T([1.]), 2.)
# options of networks' functions, and what they refuse
F.mse_loss(m.ones(2), m.ones(3))
F.cross_entropy(m.ones(2, 3), T([0]))
F.cross_entropy(m.ones(2, 3), T([0., 1.]))
F.cross_entropy(m.ones(2, 3), m.ones(2, 3).long())
F.cross_entropy(m.ones(2, 3), T([0, 1], dtype=m.int32))
F.cross_entropy(m.ones(2, 3), T([0, 1], dtype=m.uint8)), m.softmax(m.ones(0), 0), m.log_softmax(m.ones(2, 0), 1)
F.cross_entropy(m.ones(2, 3), T([0, 1]), weight=T([1.]))
F.cross_entropy(m.ones(2, 3), m.ones(2, 3), ignore_index=0)
x = m.arange(6.).reshape(1, 1, 6).requires_grad_(); y = F.conv1d(x, m.ones(1, 1, 2), padding="same"); y.sum().backward(); y, x.grad
F.conv2d(m.arange(16.).reshape(1, 1, 4, 4), m.arange(6.).reshape(1, 1, 2, 3), padding="same"), F.conv1d(m.ones(1, 1, 5), m.ones(1, 1, 2), padding="same", dilation=3)
F.conv2d(m.ones(1, 1, 4, 4), m.ones(1, 1, 2, 2), padding="foo")
F.conv2d(m.ones(1, 1, 4, 4), m.ones(1, 1, 2, 2), stride=2, padding="same")
F.conv1d(m.ones(1, 1, 6), m.ones(1, 1, 3), stride=0)
F.conv1d(m.ones(1, 1, 6), m.ones(1, 1, 3), padding=-1)
# new tensors
T([300], dtype=m.uint8)
T(2 ** 63)
T([1j], dtype=m.float32)
T([-1], dtype=m.uint8), T([-2 ** 63]), m.arange(2.5, dtype=m.int64), m.arange(0.5, 3.5, dtype=m.int32)
m.full(2, 1)
m.arange(0, inf)
m.linspace(0, 1, -1)
m.from_numpy(m.arange(3).numpy()[::-1])
# modules that hold modules, and what is pickled
x = nn.Sequential(nn.ReLU()); y = x; y += nn.Sequential(nn.Tanh()); x, y is x
x = m.ones(2, requires_grad=True); x.note = 3; y = pickle.loads(pickle.dumps(x)); y, y.note, y.is_leaf, pickle.loads(pickle.dumps(x * 2)), copy.copy(x).note
x = nn.Linear(2, 2); y = pickle.loads(pickle.dumps(x)); type(y.weight).__name__, bool((y.weight == x.weight).all()), y.training, y.weight.requires_grad, y(m.ones(1, 2)).shape
x = nn.BatchNorm1d(2); x(m.ones(2, 2)); y = pickle.loads(pickle.dumps(x)); y.running_mean, list(y.state_dict())
m.zeros(size=(2,)), m.ones(size=[1, 2]), m.empty(size=(2, 3)).shape
m.rand(2, dtype=m.int64)
m.randn(2, dtype=m.int64)
# sizes and options of layers that are not possible
F.batch_norm(m.ones(2, 3), None, None)
F.batch_norm(m.ones(2, 3), m.zeros(2), m.ones(2))
F.layer_norm(m.ones(2, 3), (2, 3), weight=m.ones(3))
F.embedding(T([0.]), m.ones(3, 2))
F.embedding(T([0]), m.ones(3, 2), padding_idx=4)
F.max_pool2d(m.ones(1, 4, 4), 2, stride=0)
F.hardtanh(T([1.]), 2., 1.)
x = m.ones(2); x.grad = m.ones(3); x
x = m.ones(1, requires_grad=True); m.autograd.grad(x * 2, [])
# the old form of a decomposition
# integers as in C, whoever writes them
x = m.zeros(3, dtype=m.uint8); x[0] = -1; x[[1]] = -1; x[x == 0] = -2; x, x.scatter(0, T([0]), -4)
x = m.zeros(2, dtype=m.uint8); x[:] = -1; y = m.zeros(2, dtype=m.int8); y[0] = T(300); x, y
x = m.zeros(2, dtype=m.int8); x[0] = 300; x
x = m.zeros(2, dtype=m.int32); x[x == 0] = 2**33; x
x = m.zeros(2, dtype=m.int64); x[0] = nan; x
x = m.zeros(2, dtype=m.uint8); x[:] = 300; x
x = m.zeros(2); x[:1] = 1j; x
x = m.zeros(2); x.fill_(1e40)
m.zeros(2, dtype=m.int8).scatter(0, T([1]), 300)
# the different elements, which have a history without a derivative
x = T([1., 2., 1.], requires_grad=True); m.unique(x), x.unique(return_counts=True), m.unique(x.detach())
x = T([[1.], [2.], [1.]], requires_grad=True); m.unique(x, dim=0)
x = T([1., 2., 1.], requires_grad=True); m.unique(x).sum().backward()
x = T([[1.], [2.], [1.]], requires_grad=True); m.unique(x, dim=0).sum().backward()
# of several results one is used
x = T([3.], requires_grad=True); m.autograd.grad(m.var_mean(x)[1], x), m.autograd.grad(m.std_mean(x)[1], x), m.autograd.grad(m.std_mean(x)[0], x)
# NumPy's words for arguments
x = m.arange(6.).reshape(2, 3); m.max(x, axis=1), x.min(axis=0, keepdims=True), x.sort(axis=0), x.median(axis=1), m.topk(x, 1, axis=0), m.stack([x, x], axis=2)
# the second derivative of the determinant of a singular matrix
m.func.hessian(lambda a: m.outer(a, a.sin()).det() + (a * a).sum())(T([0.9, 0.67], dtype=m.float64)).round() + 0
F.linear(m.ones(3, 2, 3), m.ones(4, 3), m.arange(8.).reshape(2, 4)), F.linear(m.ones(2, 2, 3), m.ones(4, 3), m.ones(2, 1, 4))
m.median(m.zeros(2, 0), 1)
# to the last bit
m.linspace(-1, 1, 15).tolist(), m.linspace(0, 6.28, 25).tolist(), m.linspace(-0.3, 0.7, 8, dtype=m.float64).tolist()
"""
PROGRAMS = [line for line in PROGRAMS.strip().split("\n") if not line.startswith("#")]


def program(line: str):
    *steps, shown = ast.parse(line).body
    if not isinstance(shown, ast.Expr):
        raise ValueError(f"a program ends with what it shows: {line}")
    before = compile(ast.Module(steps, []), "program", "exec")
    last = compile(ast.Expression(shown.value), "program", "eval")

    def question(m):
        names = {"m": m, "T": m.tensor, "nn": m.nn, "F": m.nn.functional, "nan": nan, "inf": inf}
        names |= {"copy": copy, "pickle": pickle}
        exec(before, names)
        return repr(eval(last, names))

    return question


QUESTIONS = {line: program(line) for line in PROGRAMS}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", QUESTIONS)
def test_a_program_shows_what_it_shows_in_pytorch(line):
    ours, theirs = answer(QUESTIONS[line], mg), recorded("small_programs")[line]
    if "raises" in theirs:  # after PyTorch's words our errors go on with the user's variables
        ours["raises"][1] = ours["raises"][1].partition("\n")[0]
    assert_same(ours, theirs)


def test_no_program_is_there_twice():
    assert len(QUESTIONS) == len(PROGRAMS)


def test_a_variance_that_nothing_is_known_of_is_warned_of():
    with pytest.warns(
        UserWarning, match=r"std_mean\(\): degrees of freedom is <= 0. Correction should be strictly less"
    ):
        mg.std_mean(mg.ones(2), correction=2)


@pytest.mark.parametrize("value", [[1, 2, 3], "a", np.ones(3)])
def test_only_tensors_and_numbers_are_assigned(value):
    with pytest.raises(TypeError, match="can't assign a .* to a torch.FloatTensor; make a tensor of it first"):
        mg.zeros(2, 3)[0] = value


def test_an_unpickled_array_is_like_any_other():
    array = pickle.loads(pickle.dumps(np.ones((2, 2), np.float32)))
    for tensor in (mg.tensor(array), mg.from_numpy(array), mg.as_tensor(array)):
        assert (tensor @ mg.ones(2)).tolist() == [2.0, 2.0]


@pytest.mark.parametrize("name", ["nn.functional.grid_sample", "linalg.lu"])
def test_a_name_that_is_not_there_says_where_the_others_are(name):
    module, _, last = name.rpartition(".")
    with pytest.raises(AttributeError, match=f"module 'minigrad.{module}' has no attribute '{last}'; .*names.md lists"):
        eval(f"mg.{name}")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("mg.sin(0.5)", "sin(): argument 'input' (position 1) must be Tensor, not float"),
        ("mg.exp([1.0])", "exp(): argument 'input' (position 1) must be Tensor, not list"),
        (
            "mg.clamp(type('Tensor', (), {'requires_grad': 1})(), 0)",
            "must be Tensor, not tests.test_small_programs.Tensor",
        ),
        ("mg.flatten('a')", "flatten(): argument 'input' (position 1) must be Tensor, not str"),
        ("mg.gather(mg.ones(2), 0, [0])", "gather(): argument 'index' (position 3) must be Tensor, not list"),
        ("mg.flatten(mg.ones(2), 'a')", "flatten(): argument 'start_dim' (position 2) must be int, not str"),
        ("mg.zeros(2, 'a')", "argument 'size' must be tuple of ints, but found element of type str"),
        ("mg.zeros(True)", "argument 'size' (position 1) must be tuple of ints, not bool"),
        ("mg.ones(2).view(int)", "must be tuple of ints, but found element of type type"),
        ("mg.ones(2).reshape()", "missing 1 required positional arguments"),
        ("mg.ones(2).requires_grad_('a')", "argument 'requires_grad' (position 1) must be bool, not str"),
        ("mg.matmul(mg.ones(2), 1.5)", "matmul(): argument 'other' (position 2) must be Tensor, not float"),
    ],
)
def test_an_argument_of_a_wrong_type_is_named(call, says):
    with pytest.raises(TypeError) as caught:
        eval(call)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("mg.cat([mg.ones(2)], dim=5)", IndexError),
        ("mg.flatten(mg.ones(2), 1, 2)", IndexError),
        ("mg.ones(2).view(-7)", RuntimeError),
        ("mg.ones(2, 2).flip(0, 0)", RuntimeError),
    ],
)
def test_a_dimension_that_is_not_there_is_refused(call, kind):
    with pytest.raises(kind):
        eval(call)


def test_the_square_of_truth_is_an_integer():
    assert mg.tensor([True]).square().dtype == mg.int64
