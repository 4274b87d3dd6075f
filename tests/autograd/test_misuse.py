"""What a learner types wrong, and the answer: PyTorch's error, in PyTorch's words.

Each row is a program whose last line is refused. Where PyTorch's words would not help here (they name its C++ types,
its other devices, or its overloads), the second column says what ours must contain, with the type where that differs.
"""

import re

import numpy as np
import pytest

import minigrad as mg

from ..oracle import answer, kind_of, recorded

SETUP = """
x = m.tensor([1.0, 2.0, 3.0], requires_grad=True)
s = m.tensor(2.0, requires_grad=True)
w = m.ones(2, 3, requires_grad=True)
i = m.tensor([1, 2, 3])
"""
SAME = None

ROWS = [
    # backward
    ("x.backward()", SAME),
    ("(x * 2).backward()", SAME),
    ("m.ones(3).sum().backward()", SAME),
    ("i.sum().backward()", SAME),
    ("x.sum().backward(m.ones(3))", SAME),
    ("(x * 2).backward(m.ones(2))", SAME),
    ("(x * 2).backward(2.0)", SAME),
    ("x.sum().backward([1.0])", "gradient"),
    ("(x * 2).backward([1, 1, 1])", SAME),
    ("m.autograd.grad(x * 2, x, 'abc')", SAME),
    ("y = (x * x).sum(); y.backward(); y.backward()", SAME),
    ("y = x.exp().sum(); y.backward(); m.autograd.grad(y, x)", SAME),
    ("y = x * x; y.sum().backward(); y.grad_fn._saved_self", SAME),
    ("m.autograd.backward([x.sum(), s], [m.ones(())])", "2 tensors and 1 grad"),
    ("m.autograd.backward([x, s], [None, None])", SAME),
    ("m.autograd.backward(x, m.ones(4))", SAME),
    ("x.sum().backward(inputs=[])", SAME),
    ("x.sum().backward(inputs=[m.ones(3)])", SAME),
    ("x.sum().backward(inputs=x.detach())", SAME),
    ("s.detach().backward()", SAME),
    ("with m.no_grad(): y = x.sum()\ny.backward()", SAME),
    ("m.inference_mode()(lambda: x * 1)().sum().backward()", SAME),
    # autograd.grad
    ("m.autograd.grad(x, x)", SAME),
    ("m.autograd.grad(x.sum(), s)", SAME),
    ("m.autograd.grad(x.sum(), [x, s])", SAME),
    ("m.autograd.grad(x.sum(), m.ones(3))", SAME),
    ("m.autograd.grad(x.sum(), x.detach())", SAME),
    ("a = m.ones(2); m.autograd.grad(a.sum(), a)", SAME),
    ("m.autograd.grad(m.ones(()), x)", SAME),
    ("m.autograd.grad(x.sum(), x, m.ones(2))", SAME),
    ("m.autograd.grad([x.sum(), s], x, [m.ones(())])", "2 tensors and 1 grad"),
    ("m.autograd.grad(x.sum(), [x, s], allow_unused=False, materialize_grads=True)", SAME),
    ("m.autograd.grad(x.sum(), 'x')", "Tensor"),
    (
        "m.autograd.grad(x * 2, x, m.ones(3), is_grads_batched=True)",
        "first dimension of each grad_output as the batch.*0. has a shape of .*Size..3.. and output.0.",
    ),
    ("m.autograd.grad(x.sum(), x, m.ones(()), is_grads_batched=True)", "RuntimeError: .*as the batch dimension"),
    ("m.autograd.grad(x.sum(), x, is_grads_batched=True)", "RuntimeError: .*grad_outputs"),
    ("(g,) = m.autograd.grad((x * x).sum(), x); m.autograd.grad(g.sum(), x)", SAME),
    ("y = x * x; m.autograd.grad(y.sum(), x); m.autograd.grad(y.sum(), x)", SAME),
    # no tensor, no number
    ("m.sin(x.grad)", SAME),
    ("m.sin('x')", SAME),
    ("m.sum(None)", SAME),
    ("m.add(None, 1)", "argument 'input' .* must be Tensor, not NoneType"),
    ("m.cat([1, 2])", SAME),
    ("m.stack([x, None])", SAME),
    ("m.cat(3)", SAME),
    ("m.nn.functional.linear(3, w)", SAME),
    ("m.nn.functional.linear(x, None)", SAME),
    ("m.full((2,), 'a')", "argument 'fill_value' must be Number, not str"),
    ("m.arange('a')", "argument 'end' must be Number, not str"),
    ("m.arange(0, 'a')", "argument 'end' must be Number, not str"),
    ("m.zeros(2.5)", "must be tuple of ints, not float"),
    ("m.linspace(0, 1, -1)", SAME),
    ("m.set_grad_enabled('no')", SAME),
    ("x.repeat()", SAME),
    # conditions and classes
    ("m.where(x, x, x)", SAME),
    ("m.nn.functional.cross_entropy(w, m.ones(2))", SAME),
    ("m.nn.functional.cross_entropy(w, i)", SAME),
    ("m.nn.functional.nll_loss(w, m.ones(2))", SAME),
    ("m.nn.functional.mse_loss(x, m.ones(2))", SAME),
    # requires_grad
    ("m.tensor([1, 2], requires_grad=True)", SAME),
    ("m.tensor(True, requires_grad=True)", SAME),
    ("m.arange(3, requires_grad=True)", SAME),
    ("m.zeros(3, dtype=m.int64, requires_grad=True)", SAME),
    ("i.requires_grad_()", SAME),
    ("i.requires_grad = True", SAME),
    ("(x * 2).requires_grad_(False)", SAME),
    ("y = x * 2; y.requires_grad = False", SAME),
    ("x.detach().retain_grad()", SAME),
    ("x.detach().register_hook(print)", SAME),
    ("(x * 2).register_post_accumulate_grad_hook(print)", SAME),
    # .grad
    ("x.grad = 1.0", SAME),
    ("x.grad = m.ones(2)", "size|shape"),
    ("x.grad = i", "dtype|type"),
    ("x.grad = x", SAME),
    # hooks
    ("x.register_hook(lambda g: 'no'); x.sum().backward()", SAME),
    ("x.register_hook(lambda g: g[:2]); x.sum().backward()", SAME),
    ("x.register_hook(lambda g: g.double()); x.sum().backward()", SAME),
    ("y = x * 2; y.grad_fn.register_hook(lambda i, o: (i[0], i[0])); y.sum().backward()", SAME),
    # in place
    ("x.add_(1)", SAME),
    ("x += 1", SAME),
    ("x[0] = 1.0", SAME),
    ("x.zero_()", SAME),
    ("x[:2].mul_(2)", SAME),
    ("y = x * 1; z = y * y; y.add_(1); z.sum().backward()", "is at version 1; expected version 0"),
    ("y = x.exp(); y.add_(1); y.sum().backward()", "output 0 of Exp.*is at version 1; expected version 0"),
    ("m.ones(3).add_(m.ones(2, 3))", SAME),
    ("m.ones(3, dtype=m.int64).mul_(0.5)", SAME),
    ("i += 0.5", SAME),
    ("m.ones(1).expand(3).add_(1)", SAME),
    ("w.unbind()[0].mul_(2)", "is a view and is being modified inplace|a view of a leaf"),
    ("(a, b) = (w * 1).unbind(); a.mul_(2)", SAME),
    ("m.ones(3).fill_(m.ones(2))", SAME),
    # leaving the tensor
    ("x.numpy()", SAME),
    ("np.asarray(x)", SAME),
    ("x.item()", SAME),
    ("float(x)", "converted to Scalar|only one element"),
    ("int(x)", "converted to Scalar|only one element"),
    ("bool(x)", SAME),
    ("if x > 1: pass", SAME),
    ("bool(m.zeros(0))", SAME),
    ("len(s)", SAME),
    ("list(s)", SAME),
    ("for _ in s: pass", SAME),
    ("[1, 2, 3][s]", SAME),
    ("range(x)", SAME),
    # shapes
    ("m.ones(2, 3) + m.ones(4)", SAME),
    ("m.ones(2, 3) * m.ones(2)", SAME),
    ("m.ones(2, 3) @ m.ones(2, 3)", SAME),
    ("m.ones(2, 3) @ m.ones(2)", SAME),
    ("m.ones(3) @ m.ones(2)", SAME),
    ("m.ones(4, 2, 3) @ m.ones(4, 6)", SAME),
    ("m.ones(4, 1, 2, 3) @ m.ones(5, 4, 6)", SAME),
    ("m.ones(3, 2, 4) @ m.ones(2, 4, 6)", SAME),
    ("m.ones(5, 3, 2, 4) @ m.ones(2, 4, 6)", SAME),
    ("s @ x", SAME),
    ("m.mm(x, w)", SAME),
    ("m.mv(w, w)", "vector expected, got 2D and 2D"),
    ("m.dot(w, x)", "1D tensors expected.* got 2D and 1D tensors"),
    ("m.bmm(w, w)", "3D tensor"),
    ("x.reshape(2, 2)", SAME),
    ("x.view(5)", SAME),
    ("w.t().view(-1)", SAME),
    ("x.reshape(-1, -1)", SAME),
    ("w.permute(0)", SAME),
    ("w.permute(0, 0)", "dim 0 appears multiple times in the list of dims"),
    ("w.permute(0, 5)", SAME),
    ("w.transpose(0, 5)", SAME),
    ("m.ones(2, 2, 2).t()", SAME),
    ("x.unsqueeze(5)", SAME),
    ("m.ones(2).expand(3)", SAME),
    ("w.expand(2)", SAME),
    ("w.expand(-1, 4)", SAME),
    ("m.nn.functional.glu(w)", SAME),
    ("m.cdist(w, m.ones(2, 2))", SAME),
    ("m.cdist(w, m.ones(2, 1))", SAME),
    ("m.linalg.solve(m.zeros(2, 2), m.ones(2))", SAME),
    ("m.linalg.solve(m.stack([m.eye(2), m.zeros(2, 2)]), m.ones(2, 2, 1))", SAME),
    ("m.linalg.cholesky(m.stack([m.eye(2), -m.eye(2)]))", r"\(Batch element 1\): The factorization"),
    ("w.sum(5)", SAME),
    ("w.mean(-3)", SAME),
    ("w.softmax(2)", SAME),
    ("m.softmax(x)", SAME),
    ("w.cumsum(2)", SAME),
    ("w.split(0)", SAME),
    ("x.split(-1)", SAME),
    ("x.split([1, 1])", SAME),
    ("x.chunk(0)", SAME),
    ("m.cat([])", SAME),
    ("m.cat(x)", SAME),
    ("m.cat(x, x)", SAME),
    ("m.stack(x, x)", SAME),
    ("m.max(x, x, x)", "argument 'keepdim' .* must be bool, not Tensor"),
    ("m.cat([x, w])", SAME),
    ("m.cat([w, m.ones(2, 2)])", SAME),
    ("m.cat([s, s])", SAME),
    ("m.stack([])", SAME),
    ("m.stack([x, w])", SAME),
    ("m.diag(m.ones(2, 2, 2))", SAME),
    ("m.max(m.zeros(0))", SAME),
    ("m.argmax(m.zeros(0))", SAME),
    # indices
    ("x[3]", SAME),
    ("x[-4]", SAME),
    ("w[0, 3]", SAME),
    ("w[0, 0, 0]", SAME),
    ("s[0]", SAME),
    ("x['a']", "IndexError: .*valid indices"),
    ("x[1.0]", "indices"),
    ("x[m.tensor([5])]", SAME),
    ("x[m.tensor([1.0])]", SAME),
    ("x[m.tensor([True, False])]", SAME),
    ("m.zeros(3)[0] = m.ones(2)", SAME),
    ("z = m.zeros(3); z[0:2] = m.ones(3)", SAME),
    ("m.gather(x, 0, m.tensor([5]))", SAME),
    ("m.index_select(x, 0, m.tensor([5]))", "index 5 is out of bounds for dimension 0 with size 3"),
    ("x.select(0, 5)", SAME),
    ("x.narrow(0, 2, 5)", SAME),
    # types
    ("x @ i", SAME),
    ("w @ m.ones(3, dtype=m.float64)", "same dtype, but .*: float != double"),
    ("m.mean(i)", SAME),
    ("x + 'a'", r"unsupported operand type\(s\) for \+: 'Tensor' and 'str'"),
    ("x + None", r"unsupported operand type\(s\) for \+: 'Tensor' and 'NoneType'"),
    ("x * [1.0, 2.0, 3.0]", "only integer tensors of a single element can be converted to an index"),
    ("m.add(x)", "missing 1 required positional arguments: \"other\""),
    ("m.sin()", SAME),
    ("m.sin(x, x)", SAME),
    ("m.sum(x, dimension=0)", "unexpected keyword argument 'dimension'"),
    ("-m.tensor([True])", SAME),
    ("m.tensor([True]) - m.tensor([True])", SAME),
    ("~x", SAME),
    ("x & x", SAME),
    ("m.tensor(['a'])", "TypeError: .*invalid data type 'str'"),
    ("m.tensor([[1, 2], [3]])", SAME),
    ("m.tensor([[1, 2], 3])", "ValueError: expected sequence of length 2 at dim 1 .got number."),
    ("m.tensor([1, [2, 3]])", "ValueError: expected number at dim 1 .got sequence of length 2."),
    ("m.tensor([m.ones(2), m.ones(2)])", SAME),
    ("m.tensor(None)", SAME),
    ("m.tensor([1.0], dtype='float32')", "'dtype' must be torch.dtype, not str"),
    ("m.from_numpy([1, 2])", SAME),
    ("m.from_numpy(np.array(['a']))", "can't convert np.ndarray of type"),
    ("m.zeros(-1)", SAME),
    ("m.zeros(2, -3)", SAME),
    ("m.ones('a')", "must be tuple of ints, not str"),
    ("m.arange(0, 3, -1)", SAME),
    ("m.arange(0, 3, 0)", SAME),
    ("m.eye(-1)", SAME),
    ("m.ones(2, device='cuda')", "RuntimeError: .*CPU only"),
    ("x.to('gpu')", "CPU only|cpu"),
    ("m.device('tpu')", "CPU only|cpu"),
    ("m.set_default_dtype(m.int64)", SAME),
    ("x.missing", "has no attribute 'missing'"),
    ("x.data = 3", SAME),
    # functions
    ("m.clamp(x)", SAME),
    ("m.masked_fill(x, i, 0.0)", "boolean masks|bool"),
    ("m.nn.functional.mse_loss(x, x, reduction='average')", SAME),
    ("m.nn.functional.binary_cross_entropy(x, x)", SAME),
    ("m.nn.functional.binary_cross_entropy(x / 4, x[:2] / 4)", SAME),
    ("m.nn.functional.binary_cross_entropy(x / 4, x.detach() / 4, weight=x)", SAME),
    ("m.nn.functional.binary_cross_entropy_with_logits(x, x.detach(), pos_weight=x)", SAME),
    ("m.nn.functional.cross_entropy(w, w.detach(), reduction='average')", SAME),
    ("m.nn.functional.cross_entropy(w, m.tensor([0, 3]))", SAME),
    ("m.nn.functional.cross_entropy(w, m.tensor([0]))", SAME),
    ("m.nn.functional.nll_loss(w, m.tensor([0, -1]))", SAME),
    ("m.softmax(m.tensor([1, 2]), 0)", SAME),
    ("m.log_softmax(m.tensor([1, 2]), 0)", SAME),
    ("m.nn.functional.huber_loss(x, x, delta=-1.0)", SAME),
    ("m.nn.functional.gelu(x, approximate='no')", SAME),
    ("m.nn.functional.linear(x, m.ones(2, 2))", SAME),
    ("m.nn.Linear(3, 2)(m.ones(2))", SAME),
    ("m.nn.functional.conv2d(m.ones(1, 2, 4, 4), m.ones(1, 3, 2, 2))", SAME),
    ("m.nn.functional.conv2d(m.ones(1, 1, 1, 1), m.ones(1, 1, 2, 2))", SAME),
    ("m.nn.functional.conv2d(m.ones(4), m.ones(1, 1, 2, 2))", SAME),
    ("m.nn.functional.conv2d(m.ones(1, 4, 3, 3), m.ones(4, 2, 2, 2), groups=3)", SAME),
    ("m.nn.functional.conv2d(m.ones(1, 4, 3, 3), m.ones(4, 2, 2, 2), groups=0)", SAME),
    ("m.nn.functional.conv2d(m.ones(1, 3, 3, 3), m.ones(4, 2, 2, 2), groups=2)", SAME),
    ("m.nn.functional.conv2d(m.ones(1, 4, 3, 3), m.ones(4, 4, 2, 2), m.ones(3))", SAME),
    ("m.nn.functional.conv2d(m.ones(1, 4, 3, 3), m.ones(4, 4, 2))", "expected"),
    # grad modes, forward mode
    ("m.set_grad_enabled()", SAME),
    ("m.no_grad(True)()", r"TypeError: no_grad\(\) takes no flag: set_grad_enabled\(mode\) does"),
    ("m.enable_grad(mode=True)", r"enable_grad\(\) takes no flag"),
    ("m.autograd.forward_ad.make_dual(x, x)", SAME),
    ("with m.autograd.forward_ad.dual_level(): m.autograd.forward_ad.make_dual(x, m.ones(2))", SAME),
    ("f = m.autograd.forward_ad\nwith f.dual_level(): f.make_dual(f.make_dual(x, x), x)", SAME),
    ("with m.autograd.forward_ad.dual_level(): m.autograd.forward_ad.make_dual(i, i)", SAME),
    ("with m.autograd.forward_ad.dual_level(), m.autograd.forward_ad.dual_level(): pass", SAME),
    ("m.autograd.forward_ad.exit_dual_level()", "a forward AD level that is not under way"),
    ("m.inference_mode()(lambda: m.ones(2))().requires_grad_()", SAME),
    ("m.inference_mode()(lambda: m.ones(2))()._version", SAME),
    ("m.inference_mode()(lambda: m.ones(2))().add_(1)", SAME),
    ("x * m.inference_mode()(lambda: m.ones(3))()", SAME),
    ("import copy; copy.deepcopy(x * 2)", "Only Tensors created explicitly by the user"),
    # functions, modules and data
    ("m.autograd.Function(x)", "RuntimeError: a Function is not called: use Function.apply"),
    ("m.autograd.graph.saved_tensors_hooks(1, 2).__enter__()", "TypeError: .* takes two functions"),
    ("m.func.functional_call(m.nn.Identity(), x)", "to be a dict, or a list/tuple of dicts, but got Tensor"),
    ("m.utils.data.TensorDataset([1, 2], x)", "TypeError: TensorDataset takes Tensors, but got list, Tensor"),
    ("m.nn.Identity().cuda().tensor", "AttributeError: cuda does not exist: this engine runs on the CPU only"),
    # checks
    ("m.autograd.gradcheck(m.sin, 3)", "at least one input tensor to require gradient"),
    ("m.autograd.gradcheck(m.sin, m.ones(2, dtype=m.float64))", "at least one input tensor to require gradient"),
    ("m.autograd.gradcheck(lambda x: x.detach() * x, m.ones(1, dtype=m.float64).requires_grad_())", "mismatch"),
]  # fmt: skip


def attempt(code):
    """The question: with what type and words is it refused?"""

    def refusal(m):
        space = {"m": m, "np": np}
        exec(SETUP, space)
        try:
            exec(code, space)
        except Exception as error:
            return [kind_of(error), first_line(error)]
        return "not refused"

    return refusal


def first_line(error) -> str:
    return str(error).strip().partition("\n")[0]


QUESTIONS = {code: attempt(code) for code, _ in ROWS}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("code", "words"), ROWS, ids=QUESTIONS)
def test_the_refusal(code, words):
    ours, theirs = answer(QUESTIONS[code], mg), recorded("misuse")[code]
    assert ours != "not refused"
    if words is SAME:
        assert ours == theirs
    elif "Error: " in words:  # a type of our own as well
        assert re.match(words, ": ".join(ours))
    else:
        assert ours[0] == theirs[0] and ours[1] and re.search(words, ours[1])


def test_no_row_is_there_twice():
    assert len(QUESTIONS) == len(ROWS) > 60


def test_each_row_says_what_it_expects():
    assert [code for code, words in ROWS if words == ""] == []
