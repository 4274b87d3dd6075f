"""Disagreements that stay, each with the reason why ours is the better answer, or the same one."""

import re
from typing import NamedTuple


class Known(NamedTuple):
    reason: str
    pattern: str  # what is found in a shrunk program of this kind
    example: tuple  # lines in which the two still disagree


KNOWN: tuple[Known, ...] = (
    Known(
        "refused in both: here the tensor that stands for keepdim is read as a number first",
        r"\.sum\(0, x\)",
        ("x = T([[1.0, 2.0], [3.0, 4.0]])", "y = x.sum(0, x)"),
    ),
    Known(
        "the gradient of a number that both bounds stretch: PyTorch writes it into memory of the wrong shape",
        r"clamp\(a, b, c\)(?s:.*)(first|second)",
        (
            "a = T([1.0])",
            "b = T([0.5])",
            "c = T([[2.0], [3.0]], grad=False)",
            "v = m.clamp(a, b, c)",
            "g = first([v], a, b)",
        ),
    ),
    Known(
        "0 to the power of a complex number is flat where it is 0; PyTorch multiplies by the logarithm of 0",
        r"\(0\) \*\* ",
        ("z = T([1 + 1j], dtype=m.complex128)", "v = (0) ** z", "g = first([v], z)"),
    ),
    Known(
        "the condition of no matrices at all has a history, as all other results have",
        r"reshape\(\(0,(?s:.*)cond",
        ("y = T([]).detach().reshape((0, 1, 1)).requires_grad_()", "v = m.linalg.cond(y)"),
    ),
    Known(
        "a real tensor that met a complex one: PyTorch fails to bring its gradient back to real numbers",
        r"dtype=m.complex128(?s:.*)(m\.dist|m\.where)\((?s:.*)(first|second)",
        ("z = T([1j], dtype=m.complex128)", "w = T([0.5])", "v = m.dist(z, w)", "g = first([v], z, w)"),
    ),
    Known(
        "the recorded backward of a squared distance needs the difference alone; PyTorch keeps what it was made of",
        r"mse_loss(?s:.*)create_graph=True",
        (
            "w = T([0.5, 2.0])",
            "y = m.nn.functional.mse_loss(w, T([1.0, 3.0], grad=False))",
            "g = first([y], w, create_graph=True)",
            "with m.no_grad():\n    w[0] = 3",
            "h = first(g, w)",
        ),
    ),
    Known(
        "an inference tensor that must not be changed stays as it was; PyTorch changes its numbers, and then refuses",
        r"inference_mode\(\):\n    \w+ = (?s:.*)\n *\w+(\.\w+_\(| [*+]=|\[)",
        ("x = T([0.5, 2.0])", "with m.inference_mode():\n    y = x * 2", "y.mul_(3)"),
    ),
    Known(
        "detach_() of an output that a recorded backward has used as well: refused, as where the forward had used it",
        r"create_graph=True(?s:.*)detach_\(\)",
        (
            "x = T([0.5, 2.0])",
            "y = x.softmax(0)",
            "g = first([y], x, create_graph=True)",
            "y.detach_()",
            "h = first([one for one in g if one.requires_grad], x)",
        ),
    ),
    Known(
        "what was put in the place of a tensor's numbers, or changed behind the engine's back, after the forward: "
        "PyTorch's backward computes with the new ones here and there, although the forward never saw them",
        r"\.data = \w+\.data|\.data\.mul_|force=True\)\.fill",
        ("x = T([0.5, 2.0])", "c = x * 1.5", "y = c * c", "c.data = c.data * 2", "g = first(y, x)"),
    ),
    Known(
        "of the source of index_add the derivative needs the shape alone; PyTorch keeps it, and refuses a changed one",
        r"index_add\(",
        (
            "x = T([0.5, 2.0])",
            "c = x * 1.5",
            "y = c.index_add(0, m.tensor([0, 1]), c)",
            "c.zero_()",
            "g = first(y, x)",
        ),
    ),
    Known(
        "a leaf that lost a dimension in place under no_grad: an older operation sends it a gradient of the old shape, "
        "which PyTorch refuses and we bring to the new one",
        r"no_grad\(\): \w+\.squeeze_\(\)",
        (
            "x = T(0.5)",
            "y = T([0.4])",
            "v = y + y",
            "with m.no_grad(): y.squeeze_()",
            "g = second([y, x.expand(1)], x, y)",
        ),
    ),
    Known(
        "a window that lies in the border alone has no place in the image: -1, where PyTorch gives one beyond the end",
        r"max_pool.*(padding.*dilation|dilation.*padding)",
        ("x = T([[[1.0, 2.0]]])", "y = m.nn.functional.max_pool1d(x, 2, padding=1, dilation=3, return_indices=True)"),
    ),
    Known(
        "a circular border wider than what negative padding leaves: PyTorch copies from memory not yet written",
        r"circular",
        ("x = T([[[1.0], [2.0]]])", "y = m.nn.functional.pad(x, (1, -1), 'circular')"),
    ),
    Known(
        "a second derivative that PyTorch has not implemented, or not for a bias without a weight",
        r"(multi_margin_loss|[hH]ardsigmoid|_product_attention)(?s:.*)second|(layer|group|batch|instance)_norm\((?!.*weight).*bias(?s:.*)(first|second)",
        ("x = T([0.5])", "y = m.nn.functional.hardsigmoid(x)", "g = second(y, x)"),
    ),
    Known(
        "a second derivative at the kink, where PyTorch's first and second disagree with each other",
        r"-?\b0\.0[,\])](?s:.*)prelu(?s:.*)second",
        ("x, w = T([0.0]), T([-0.47])", "y = m.nn.functional.prelu(x, w)", "g = second(y * y, x, w)"),
    ),
    Known(
        "the gradient of a mean of nothing, zero, has itself a derivative: zero, not nan",
        r"(nll_loss|cross_entropy)\(.*ignore_index(?s:.*)second",
        ("x = T([[0.5, 1.0]])", "y = m.nn.functional.nll_loss(x, m.tensor([1]), ignore_index=1)", "g = second(y, x)"),
    ),
    Known(
        "in place with a negative slope: what the slope depends on is kept here, and refused by PyTorch",
        r"(?i)(elu|celu|leaky_?relu)\(.*-.*inplace=True",
        ("x = T([1.0])", "z = x * 1", "y = m.nn.functional.elu(z, alpha=-1, inplace=True)", "g = first(y, x)"),
    ),
    Known(
        "attention: a negative scale turns PyTorch's ruled out keys, -inf, into inf; and not all of its kernels "
        "refuse a mask beside is_causal",
        r"is_causal=True, scale=-|attn_mask=mask, is_causal",
        (
            "q = T([[[[1.3, -0.4], [-1.0, 0.1], [-0.9, 0.9]]]])",
            "y = m.nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True, scale=-1.0)",
        ),
    ),
    Known(
        "a list of parameters holds parameters, and nothing else; it has no forward",
        r"Parameter(List|Dict)",
        ("n = m.nn.ParameterList([m.ones(2)])", "n += [m.nn.ReLU()]"),
    ),
    Known(
        "a module finds its place among named ones, or before the last of a list, where PyTorch loses it or stumbles",
        r"insert\(",
        ("n = m.nn.ModuleList([m.nn.ReLU(), m.nn.Tanh()])", "n.insert(-1, m.nn.GELU())", "v = repr(n)"),
    ),
    Known(
        "a state without numbers of versions, in which PyTorch misses no num_batches_tracked",
        r"BatchNorm(?s:.*)load_state_dict",
        ("n = m.nn.BatchNorm1d(3)", "v = repr(n.load_state_dict({}, strict=False))"),
    ),
    Known(
        "a huber loss against integers, which PyTorch computes, has a gradient",
        r"\.long\(\)(?s:.*)huber_loss",
        ("x = T([0.5])", "t = x.detach().long()", "y = m.nn.functional.huber_loss(x, t)", "g = first(y, x)"),
    ),
    Known(
        "means of no parts at all have a gradient, zero; PyTorch refuses to compute it",
        r"adaptive_avg_pool(?s:.*)(first|second|backward)",
        ("x = T([[[1.0, 2.0]]])", "y = m.nn.functional.adaptive_avg_pool1d(x, 0)", "g = first(y, x)"),
    ),
    Known(
        "a tangent's own derivative: what a normalisation, a determinant … has saved, PyTorch takes for constant",
        r"(_norm|linalg|det\(|renorm|copysign|glu|cross_entropy|triplet|dist|softmax|logsumexp|logcumsumexp|amax|amin|cumprod|inv\()"
        r"(?s:.*)(first\(tangent|tangent)",
        (
            "x = T([[0.5, -1.0, 2.0]])",
            "y = m.nn.functional.layer_norm(D(x, T([[1.0, 2.0, 0.5]], grad=False)), (3,))",
            "g = [one.detach() for one in first(tangent(y), x)]",
        ),
    ),
    Known(
        "the tangent of a determinant's gradient is that of the gradient, also where no backward is recorded",
        r"(det|slogdet|solve)\((?s:.*)first",
        (
            "x = T([[0.5, -1.0], [2.0, 0.3]])",
            "y = m.linalg.det(D(x, T([[1.0, 2.0], [0.5, 0.1]], grad=False)))",
            "g = first(y, x)",
        ),
    ),
    Known(
        "products that were scattered move with what they are products of; PyTorch's tangent is zero",
        r"D\((?s:.*)scatter_reduce.*prod",
        (
            "x = T([0.5, 2.0], grad=False)",
            "y = D(x, T([1.0, 3.0], grad=False)).scatter_reduce(0, m.tensor([0, 0]), x, 'prod')",
        ),
    ),
    Known(
        "forward mode follows from the rule for the backward, so it is there for all that has one",
        r"D\((?s:.*)(index_reduce|dist\(|huber|soft_margin|heaviside)",
        ("x = D(T([1.0, 2.0], grad=False), T([1.0, 1.0], grad=False))", "y = m.cdist(x[None], x[None] * 2)"),
    ),
    Known(
        "a hook for several gradients, one of them a leaf's, hears of `autograd.grad`; PyTorch does not support it yet",
        r"register_multi_grad_hook(?s:.*)mode='all'(?s:.*)autograd\.grad\(",
        (
            "x, log = T([1.0, 2.0]), []",
            "m.autograd.graph.register_multi_grad_hook([x], log.append, mode='all')",
            "g = m.autograd.grad((x * 2).sum(), x)",
        ),
    ),
    Known(
        "vmap is a loop here, and so may do what PyTorch has no rule for",
        r"(chain_matmul|gaussian_nll|cov\(|corrcoef|scatter_reduce|index_reduce|column_stack|hstack|dstack|lstsq|> 0\]|"
        r"take_along_dim|broadcast_tensors|masked_select|nonzero|unique|bincount|histc|combinations)(?s:.*)vmap\(",
        (
            "a = T([[[1.0, 2.0]], [[3.0, 1.0]]], grad=False)",
            "f = lambda x: m.chain_matmul(x, x.T)",
            "r = m.func.vmap(f)(a)",
        ),
    ),
)


def reason_for(lines: list[str]) -> str | None:
    text = "\n".join(lines)
    return next((known.reason for known in KNOWN if re.search(known.pattern, text)), None)
