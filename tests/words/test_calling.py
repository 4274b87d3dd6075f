"""What is said of arguments that do not fit: in the function's own name, and never as Python or NumPy would say it."""

import re
import warnings

import pytest

import minigrad as mg
from minigrad import ops
from minigrad.core.row import op
from minigrad.words import formula
from minigrad.words.calling import PYTHONS

from ..hunt.judge import difference, run
from ..oracle import judge

WRONG = (None, "x", [None], {}, object, 1.5, True, slice(1))
STATEFUL = "bernoulli multinomial normal rand randn randint randperm empty dropout apply_ map_ map2_".split()


@pytest.mark.parametrize("name", sorted(name for name in ops.functions if name.strip("_") not in STATEFUL))
def test_no_refusal_speaks_of_what_a_person_did_not_write(name):
    x = mg.ones(2, 3)
    calls = [(wrong, *rest) for wrong in WRONG for rest in ((), (1,), (x,))] + [(x, wrong) for wrong in WRONG]
    for args in calls + [(x, x, wrong) for wrong in WRONG] + [(x, 0, wrong) for wrong in WRONG]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ops.functions[name](*args)
        except (TypeError, ValueError, RuntimeError, IndexError, AttributeError) as error:
            said = str(error).partition("\n")[0]
            spoken_of = re.match(r"(\w+)\(", said)
            assert said and not PYTHONS.search(said.partition("- got")[0]), args
            assert not spoken_of or spoken_of[1].rstrip("_") in formula.known | {"shape"}, (said, args)


@pytest.mark.parametrize("function", [mg.sin, mg.std, mg.cumsum])
def test_who_asks_for_a_result_in_another_tensor_is_told_what_to_write(function):
    with pytest.raises(TypeError, match=r"'out': .* write out\.copy_\(result\)"):
        function(mg.ones(2), out=mg.ones(2))


# PyTorch refuses these lines, or some of them; here they were taken, and gave numbers that nobody had asked for, or the
# refusal spoke of something else
BAD = """
p, y = T([0.2, 0.5], grad=False), T([1.0, 0.0], grad=False); F.binary_cross_entropy(p, y, weight=T([[1.0], [2.0]]))
p, y = T([0.2, 0.5], grad=False), T([1.0, 0.0], grad=False); w = m.ones(2, 1).double(); \
    F.binary_cross_entropy(p, y, w); F.binary_cross_entropy_with_logits(p, y, w); \
    F.binary_cross_entropy_with_logits(p, y, pos_weight=w); F.binary_cross_entropy_with_logits(p, y, pos_weight=2.0)
q = m.ones(2, 2); F.scaled_dot_product_attention(q, q, q, m.ones(2, 2).long()); \
    v = F.scaled_dot_product_attention(q, q, q, m.ones(2, 2).double())
q = m.ones(2, 2).double(); v = F.scaled_dot_product_attention(q, q, q, m.tensor([[0.0, -1.0]]))
x = m.ones(4, 2); F.batch_norm(x, None, m.ones(2), training=True); F.batch_norm(x, m.ones(2), None)
x = m.ones(2); F.hinge_embedding_loss(x, None); m.where(1.5, x, x); x.where(True, x)
x = m.ones(2, 3); x.hsplit({}); x.hsplit(True); m.vsplit(x, [1.5]); x.tensor_split({}); v = x.hsplit(m.tensor(3))
x = m.ones(2, 2); m.take_along_dim(x, m.tensor([0]), 1); m.take_along_dim(x, m.tensor([[True]]), 1)
y = m.ones(2, 3, 1); v = m.trapezoid(y, m.tensor([[0.0, 1, 3]]), dim=1); m.trapezoid(m.ones(3), m.ones(2, 3))
v = m.cumulative_trapezoid(m.ones(2, 3), m.tensor([0.0, 2]), dim=0); m.trapezoid(m.tensor(2.0))
x = m.tensor([1.0, 2]); v = m.max(x, m.tensor(0), True); m.max(x, m.tensor(0.0), True); x.max(keepdim=True)
x = m.ones(2); x.to(m.float64, m.float32); x.to("cpu", m.float64, True, True, x); x.to(m.int64, dtype=m.int8)
m.cumsum([1.0], 0, dtype=m.float64); m.logspace([1], 2, 3); m.linalg.svd(m.ones(2)); m.linalg.qr(m.ones(2))
x, y = m.zeros(1, 3), m.tensor([0]); v = F.nll_loss(x, y, ignore_index=m.tensor(1)); F.nll_loss(x, y, ignore_index=[0])
x, i = m.ones(2), m.tensor([0]); m.scatter(x, 0, i, 1.0, 7); m.masked_fill(x, x > 0, "a"); v = m.scatter(x, 0, i, 3.0)
x = m.ones(2); m.diff(x, 0, 0, "a"); m.diff(x, prepend=1); m.cov(m.ones(2, 2, 2)); m.cdist(x, x)
x = m.ones(2); m.multinomial([1.0], 1); m.normal("a", 1, (2,)); x.index_fill_("a", m.tensor([0]), 1)
m.ones(1, 1).logical_and_(m.ones(2, 2)); m.ones(1).copy_(m.ones(2)); m.nn.Conv2d(1, 2, 1.5); m.nn.Conv1d(1, 2, None)
v = m.nn.Conv2d(1, 2, np.int64(2), padding=[1, 0]).kernel_size; m.broadcast_to(m.ones(2), m.tensor(2.0))
x = m.ones(2, 3); F.prelu(x, m.ones(2)); F.cosine_similarity(x, m.ones(2)); m.nn.linear(1, 1); m.optim.sgd([], 0.1)
x = m.ones(1, 4, 4); v = m.nn.MaxPool2d(np.int64(2))(x), m.nn.LayerNorm(np.int64(4))(x), F.avg_pool2d(x, 2, stride=[])
x = m.ones(1, 4, 4); F.avg_pool2d(x, 2, divisor_override=1.5); F.avg_pool2d(x, 2, divisor_override=[])
x = m.ones(2); m.pow([1, 2], x); m.float_power([1, 2], x); v = m.pow(2, x), m.pow(True, x)
F.conv2d(m.ones(1, 1, 3, 3), m.ones(1, 1, 0, 0)); m.nn.Conv2d(1, 2, 0)(m.ones(1, 3, 3)); m.nn.Sequential(m.nn.ReLU)
m.ones(2, -1); m.zeros(-1); m.empty("a"); m.nn.Linear(2, "a"); m.nn.Linear(-1, 2); m.arange(0, 1, float("nan"))
x = m.tensor(1.0); x.size(0); x.stride(0); x.stride("a"); v = m.ones(2, 3).stride(-2), m.ones(2, 3).size(-1)
x = m.zeros(2); x.bernoulli_(m.ones(3)); m.bernoulli(0.5); m.einsum("", x); m.nn.utils.clip_grad_value_([], "a")
m.ones(2).take(m.tensor([5])); m.ones(2).take(m.tensor([-3])); v = m.ones(2).take(m.tensor([-2]))
i, b, x = (m.tensor([0]),), m.ones(1), m.ones(3); x.index_put(i, b, accumulate="a"); x.index_put_(i, b, 1); \
    x.index_add(0, i[0], b, alpha="a"); v = x.index_put(i, b, True)
x = m.ones(2, 3); x.cumsum(True); x.tril(True); x.softmax(True); x.cumsum(m.tensor([1])); m.diff(x, m.tensor([1])); \
    m.chunk(x, m.tensor(1.5)); v = x.cumsum(m.tensor(1)), m.meshgrid(x[0], x[1]), m.cartesian_prod(x[0], x[1])
x = m.ones(1, 4, 4); m.linalg.eigh(x, UPLO=1); m.meshgrid(x[0, 0], indexing=2); F.avg_pool2d(x, 2, 1, 0, False, []); \
    F.unfold(x, 2, padding=("a",)); x.flip(dims=(0, 3)); x.flip(dims=(0, 0)); v = x.flip(dims=(0, 1))
x = m.ones(2, 2); m.sum(x, [[0]]); m.logsumexp(x, ([],)); x.sum((True,)); v = x.sum((m.tensor([1]), 0)), x.sum([0, 1])
x = m.ones(3); x.index_fill(0, x, 1); x.index_copy(0, m.tensor([0, 1]), m.ones(1)); x ** m.ones(5); F.layer_norm(x, 3)
x = T([1.0, 2.0, 3.0]); y = (x * x).sum(); x.data = m.ones(2).double(); y.backward()
x = m.ones(2, 3); m.max(x, m.ones(2)); m.argmax(x, [0]); x.softmax((0,)); m.cat([x], [0]); m.transpose(x, [0], 1)
m.ones(2, device=[]); m.ones(2, device=2.5); m.rand(2, size=3); m.zeros(2, size=(3,)); v = m.zeros(size=(3,))
"""


@pytest.mark.parametrize("program", BAD.strip().splitlines())
def test_bad_input_is_refused_where_pytorch_refuses_it(program):
    lines = [line.strip() for line in program.split("; ")]
    assert not difference(run(mg, lines), run(judge(), lines), kinds=True)


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: mg.zeros("a"), "zeros(): argument 'size' must be tuple of ints, not str"),
        (lambda: mg.ones(2).reshape(None), "reshape(): argument 'shape' must be tuple of ints, not NoneType"),
        (lambda: mg.ones(2).max(keepdim=True), "max() received an invalid combination of arguments - got (Tensor, "),
        (lambda: mg.where(mg.ones(2) > 0, "a", 1.0), "where(): argument 'input' (position 2) must be Tensor, not str"),
        (lambda: mg.ones(2).squeeze("a"), "squeeze(): argument 'dim' (position 1) must be int, not str"),
        (lambda: mg.squeeze(mg.ones(2), "a"), "squeeze(): argument 'dim' (position 2) must be int, not str"),
        (lambda: mg.ones(2).T.add("a"), "add(): argument 'other' (position 1) must be Tensor, not str"),
        (lambda: mg.ones(2).flatten(end_dim="a"), "flatten(): argument 'end_dim' must be int, not str"),
        (lambda: mg.trace(mg.ones(2, 2), 1, trace=1), "trace() takes 1 positional argument but 2 were given"),
        (lambda: mg.std(mg.ones(2), 0, dim=1), "std() got multiple values for argument 'dim'"),
        (lambda: mg.ones(2).to("float64"), "the device asked for is 'float64'; the type is minigrad.float64"),
        (
            lambda: mg.ones(2).masked_fill(mg.ones(2) > 0, "a"),
            "masked_fill(): argument 'value' must be Number or Tensor",
        ),
        (lambda: mg.scatter_add(mg.ones(2), 0, mg.tensor([0]), 1.0), "scatter_add(): argument 'src' must be Tensor"),
        (
            lambda: mg.ones(1, 1).logical_and_(mg.ones(2, 2)),
            "output with shape [1, 1] doesn't match the broadcast shape [2, 2]",
        ),
        (lambda: mg.ones(2).__rpow__(1, 2), "__rpow__() takes 2 positional arguments but 3 were given"),
        (lambda: mg.nn.Conv2d(1, 2, 1.5), "Conv2d: an int or a tuple of ints is expected, not 1.5"),
        (lambda: mg.nn.linear(1, 1), "has no attribute 'linear'"),
        (lambda: mg.optim.sgd([], 0.1), "Did you mean 'SGD'?"),
        (lambda: mg.optim.Linear(2, 1), "has no attribute 'Linear'; "),
        (lambda: mg.optim.Linear(2, 1), ". Did you mean 'nn.Linear'?"),
        (lambda: mg.backward(mg.ones(1)), ". Did you mean 'Tensor.backward'?"),
        (lambda: mg.ones(2, 3).sum(dims=1), "sum() got an unexpected keyword argument 'dims'. Did you mean 'dim'?"),
        (lambda: mg.cov(mg.ones(2), corection=1), "argument 'corection'. Did you mean 'correction'?"),
        (lambda: mg.nn.MSELoss(reductoin="sum"), "argument 'reductoin'. Did you mean 'reduction'?"),
        (lambda: mg.optim.Adam([mg.nn.Parameter()], beta1=0.9), "argument 'beta1'. Did you mean 'betas'?"),
        (lambda: mg.optim.SGD(0.1, iter([])), "SGD: lr must be a number, but is list_iterator"),
        (lambda: mg.ones(2, dtype="float64"), "must be torch.dtype, not str; the type is minigrad.float64"),
        (lambda: mg.ones(2).clamp("a"), "clamp(): argument 'min' (position 1) must be Number, not str"),
        (lambda: mg.ones(2).fill_("a"), "got (Tensor, str), but expected (input, value)"),
        (
            lambda: mg.nn.functional.layer_norm(mg.ones(3), 3),
            "'normalized_shape' (position 2) must be tuple of ints, not",
        ),
        (lambda: mg.autograd.Variable(mg.ones(1).numpy()), "Variable data has to be a tensor, but got numpy.ndarray"),
        (lambda: mg.cat([mg.ones(1)], [0]), "cat(): argument 'dim' (position 2) must be int, not list"),
        (lambda: mg.argmax(mg.ones(1), (0,)), "argmax(): argument 'dim' (position 2) must be int, not tuple"),
        (lambda: mg.ones(1).max(0).sum(), "'minigrad.return_types.max' object has no attribute 'sum'; it is a tuple"),
        (lambda: mg.nn.Sequential(mg.relu), "relu is not a Module subclass"),
        (
            lambda: mg.broadcast_tensors(mg.ones(2), mg.ones(3)),
            "The size of tensor a (2) must match the size of tensor b (3)",
        ),
        (lambda: mg.nn.functional.prelu(mg.ones(2, 3), mg.ones(2)), "parameter numbers = 2 and channel size = 3"),
        (lambda: mg.nn.Sequential(mg.nn.ReLU), "ReLU is a class: ReLU(...) makes one"),
        (lambda: setattr(mg.ones(2), "T", 1), "property 'T' of 'Tensor' object has no setter"),
        (
            lambda: mg.ones(2, 3)[[0, 1], [0, 1, 2]],
            "indexing tensors could not be broadcast together with shapes [2], [3]",
        ),
        (lambda: mg.autograd.functional.jacobian(mg.sin, mg.ones(2), strategy="x"), "or \"reverse-mode\", but got 'x'"),
        (lambda: mg.nn.functional.conv1d(mg.ones(1, 3), mg.ones(1, 1, 0)), "but got a weight of size [1, 1, 0]"),
        (lambda: mg.randint_like([1], 3), "randint_like(): argument 'input' must be Tensor, not list"),
    ],
)
def test_an_error_names_the_argument_by_what_was_written(call, said):
    with pytest.raises((TypeError, RuntimeError, IndexError, AttributeError, AssertionError), match=re.escape(said)):
        call()


@pytest.mark.parametrize(
    "declare, said",
    [
        (lambda: op(1, a=lambda g: g), "op(): the forward must be a function of arrays, not int"),
        (lambda: op(lambda a: a, b=lambda g: g), "the inputs ('b',) must come first in the forward, which has ('a',)"),
        (
            lambda: op(lambda a, n: a, a=lambda g, m: g)(mg.ones(2, requires_grad=True), 1),
            "asks for 'm', none of a, n, out",
        ),
        (
            lambda: op(lambda a: a, a=lambda a, g: g)(mg.ones(2, requires_grad=True)),
            "which comes first, a rule asks for 'g'",
        ),
    ],
)
def test_an_operation_that_is_declared_wrongly_says_what_is_wrong(declare, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        declare()


def test_a_hook_of_a_module_is_spoken_of_by_no_name_of_ours():
    layer = mg.nn.Linear(2, 2)
    layer.register_full_backward_hook(lambda module, before, after: (mg.ones(3),))
    with pytest.raises(RuntimeError, match="hook 'hook' has changed the size of value"):
        layer(mg.ones(2, requires_grad=True)).sum().backward()
