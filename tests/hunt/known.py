"""Disagreements that stay, each with the reason why ours is the better answer, or the same one."""

import re
from typing import NamedTuple

ACCEPTED = r"^line \d+: accepted, PyTorch \w+Error"  # here; PyTorch refuses it
REFUSED = r"^line \d+: \w+Error, PyTorch accepted"


class Known(NamedTuple):
    reason: str
    pattern: str  # what is found in a shrunk program of this kind
    example: tuple  # lines in which the two still disagree
    found: str = ""  # and in what they disagree on
    family: str = ""  # of one family only


KNOWN: tuple[Known, ...] = (
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
        ACCEPTED,
    ),
    Known(
        "0 to the power of a complex number is flat where it is 0; PyTorch multiplies by the logarithm of 0",
        r"dtype=m.complex128(?s:.*) \*\* (?s:.*)(first|second)",
        ("z = T([1 + 1j], dtype=m.complex128)", "v = (0) ** z", "g = first([v], z)"),
        r"nan",
    ),
    Known(
        "a stretched view of a computed tensor, filled as a whole: its gradient is 0, which PyTorch fails to write",
        r"expand\((?s:.*)(zero_|fill_)\((?s:.*)(first|second)",
        ("x = T([1.0, 2.0])", "y = x * 1", "v = y.expand(2, 2)", "v.zero_()", "g = first(y, x)"),
        ACCEPTED,
    ),
    Known(
        "a norm of nothing: its slope has a derivative of 0, not nan",
        r"(reshape\(\(0|T\(\[\]\))(?s:.*)norm\((?s:.*)second",
        ("x = T([]).reshape((0, 2))", "y = m.linalg.vector_norm(x, 3)", "g = second(y, x)"),
        r"nan",
    ),
    Known(
        "the direction of a complex number that is 0 does not turn",
        r"sgn\((?s:.*)second",
        ("z = T([0j, 1j], dtype=m.complex128)", "v = m.sgn(z * 1)", "g = second(v, z)"),
        r"nan",
    ),
    Known(
        "a Function that changed a view in place, and has no gradient for it: the rest of the base keeps its own; "
        "PyTorch loses it",
        r"mark_dirty\((?s:.*)return None, g(?s:.*)(\[:1\]|\.view\()",
        (
            "class F(m.autograd.Function):\n"
            "    forward = staticmethod(lambda ctx, a, b: [a.mul_(2), ctx.mark_dirty(a)][0])\n"
            "    def backward(ctx, g):\n        return None, g[:1]",
            "x, w = T([1.0, 2.0]), T([1.0])",
            "y = x * 1",
            "z = F.apply(y[:1], w)",
            "g = first(y, x)",
        ),
        r"values|requires_grad: True, PyTorch False",
    ),
    Known(
        "a Function that changed a view in place, and that no gradient reaches, is asked for its gradient all the same",
        r"mark_dirty\((?s:.*)return None|return None(?s:.*)mark_dirty\(",
        (
            "class F(m.autograd.Function):\n"
            "    forward = staticmethod(lambda ctx, a: [a.mul_(2), ctx.mark_dirty(a), ctx.save_for_backward(a)][0])\n"
            "    backward = staticmethod(lambda ctx, g: ctx.saved_tensors[0] * g)",
            "class G(m.autograd.Function):\n"
            "    forward = staticmethod(lambda ctx, a: a * 2)\n"
            "    def backward(ctx, g):\n        return None",
            "x = T([1.0, 2.0])",
            "y = G.apply(F.apply(F.apply((x * 1)[:1])))",
            "g = first(y, x)",
        ),
        REFUSED,
    ),
    Known(
        "an output has no tangent where jvp gives None, or a tangent changed in place, where PyTorch stumbles",
        r"def jvp\((?s:.*)return (u|v)",
        (
            "class F(m.autograd.Function):\n"
            "    forward = staticmethod(lambda ctx, x, y: [ctx.set_materialize_grads(False), x * y][1])\n"
            "    @staticmethod\n    def jvp(ctx, u, v):\n        return v",
            "d = D(T([1.0], grad=False), T([2.0], grad=False))",
            "r = F.apply(d, T([1.0], grad=False))",
        ),
        ACCEPTED,
        "jvp_functions",
    ),
    Known(
        "a stretched tensor is not written to, not even one number everywhere, which PyTorch finds deprecated",
        r"expand(_as)?\((?s:.*)((tril|triu|index_fill|masked_fill|index_copy|scatter|copy)_\("
        r"|\[(i|v\d* > 0)\] = )",
        ("x = T([1.0, 2.0], grad=False)", "v = x.expand(2, 2)[:, :1]", "v.tril_()"),
        REFUSED + r"|\A[^\n]*values",
    ),
    Known(
        "numbers that are read while others take their place are read as they were; in PyTorch the order decides",
        r"(\] = |\+= |(copy|add|sub|mul|div)_\()[ckv]\d?",
        (
            "k = T([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], grad=False)",
            "v1, v2 = k.permute(2, 1, 0), k.swapaxes(0, 1)",
            "v2[1:] = v1[1:]",
        ),
        r"\A([ckv]\d?\.values[^\n]*\n?)+\Z",
    ),
    Known(
        "what is made of an inference tensor has not been changed yet; PyTorch counts how it was filled",
        r"inference_mode(?s:.*)_version",
        (
            "x = T([1.0, 2.0])",
            "with m.inference_mode():\n    y = x * 2",
            "z = y.sum(0)",
            "versions = [z._version]",
        ),
        r"^versions",
    ),
    Known(
        "a view that was taken under no_grad and used since asks for a gradient, also when its base was detached",
        r"(no_grad|inference_mode)\(\)(?s:.*)detach_\(\)",
        (
            "x = T([1.0, 2.0]) * 1",
            "with m.no_grad():\n    v = x[:1]",
            "y = v * 1",
            "x.detach_()",
        ),
        r"requires_grad: True, PyTorch False",
    ),
    Known(
        "modules that hold each other are gone through once; PyTorch goes round and round",
        r"\.new = n(?s:.*)n\.new = o",
        ("n, o = m.nn.ReLU(), m.nn.Tanh()", "o.new = n", "n.new = o", "n.double()"),
        ACCEPTED,
    ),
    Known(
        "where a slope is flat its own slope is 0, whatever arrives there; in PyTorch nan times 0 is nan",
        r"smooth_l1_loss|huber_loss|relu\(",
        (
            "x, t, r = T([[0.5, 2.0], [1.0, -3.0]]), T([0.0, 5.0], grad=False), T([0.0])",
            "y = F.smooth_l1_loss(x @ T([1.0, 2.0], grad=False), t, reduction='none')",
            "g = first(y, x, create_graph=True)[0]",
            "h = first(g * (r / r), x)",
        ),
        r"nan",
    ),
    Known(
        "of many numbers at equal steps the last digit, as the processor rounds",
        r"arange\(.*1e-3",
        ("a = m.arange(1, 2, 1e-3, dtype=m.float16)", "v = repr(a[21])"),
        r"^(v|kinds)",
    ),
    Known(
        "halves beside wider numbers are rounded once, at the end",
        r"float16",
        (
            "b = T([0.72, 0.78]).detach().to(m.float16)",
            "v0 = F.cross_entropy(b, m.tensor([0.0, 1.0]))",
        ),
        r"values",
        "mixed_types",
    ),
    Known(
        "each sample is a part of the batch's memory, and as_strided counts from its beginning, as outside of vmap",
        r"vmap\((?s:.*)as_strided\(|as_strided\((?s:.*)vmap\(",
        (
            "a = T([[1.0, 2.0], [3.0, 4.0]], grad=False)",
            "r = m.func.vmap(lambda a: m.as_strided(a, (1,), (1,), 1))(a)",
        ),
    ),
    Known(
        "the gradient of a loss of duals is there, as all are that have a rule",
        r"D\((?s:.*)(mse_loss|kl_div|huber_loss|smooth_l1_loss|norm)\((?s:.*)first",
        (
            "a, b = T([1.0, 2.0]), T([0.5, 0.3])",
            "d = D(b, T([1.0, 1.0], grad=False))",
            "v0, v1 = F.mse_loss(a, d), m.log1p(d)",
            "g = first([v0, v1], a, b, retain_graph=True)",
        ),
        r"accepted, PyTorch RuntimeError",
        "tangents",
    ),
    Known(
        "at the origin no angle is steeper than another, forwards and backwards; PyTorch's tangent is nan there",
        r"D\((?s:.*)atan2_?\(",
        ("d = D(T([0.0], grad=False), T([1.0], grad=False))", "y = d.atan2(d)"),
        r"tangent: (?s:.*)nan",
    ),
    Known(
        "a gradient for each output, and an output to start from: PyTorch drops gradients that are too many, unread, "
        "and starts from nothing at all; what is refused before the backward runs has freed nothing",
        r"\[(y, z|m\.ones_like.*|None, .*|)\](?s:.*)|(grad|backward)\(\[\]",
        ("x = T([1.0, 2.0])", "x.backward([m.ones_like(x), x])"),
        r"\Aline \d+: (RuntimeError, PyTorch accepted|accepted, PyTorch RuntimeError)",
        "grad_options",
    ),
    Known(
        "the gradient that was given, asked for: its numbers, without create_graph, and not the tensor itself",
        r"grad\(",
        ("x, w = T([1.0, 2.0]), T([3.0, 4.0])", "y = x * 2", "g = m.autograd.grad(y, [y, x], w)"),
        r"requires_grad: False|is_leaf: True",
        "grad_options",
    ),
    Known(
        "of a batch of gradients what is unused has a batch of zeros",
        r"is_grads_batched=True.*materialize_grads=True",
        (
            "x, w = T([1.0, 2.0]), T([3.0, 4.0])",
            "y = x * 2",
            "g = m.autograd.grad(y, w, m.eye(2).double(), is_grads_batched=True, materialize_grads=True)",
        ),
        r"values",
        "grad_options",
    ),
    Known(
        "a gradient that is zero everywhere is zeros, to which the next may be added; PyTorch's refuses it",
        r"create_graph=True(?s:.*)backward\((?s:.*)backward\(",
        (
            "x = T([1.0, -2.0])",
            "y = x.abs().sum() + 0 * (x * x).sum()",
            "g = m.autograd.grad(x.abs().sum(), x, create_graph=True)[0]",
            "(g * g).sum().backward()",
            "x.abs().sum().backward()",
        ),
        r"\A(line \d+: accepted, PyTorch RuntimeError\n)?x\.grad",
    ),
    Known(
        "a derivative that is constant has no history, whether or not it was asked for all at once",
        r"create_graph=True, vectorize=True",
        (
            "x = T([1.0, 2.0])",
            "two = lambda a: (a * 2, a.sin())",
            "j = m.autograd.functional.jacobian(two, (x,), create_graph=True, vectorize=True)",
        ),
        r"is_leaf: True|requires_grad: False",
    ),
    Known(
        "a node in which anomaly mode found nan has not been freed",
        r"detect_anomaly(?s:.*)(backward|grad|second)\((?s:.*)(backward|grad|second)\(",
        (
            "x = T([m.nan, 1.0])",
            "y = (x * 1).norm()",
            "with m.autograd.detect_anomaly(): y.backward()",
            "y.backward()",
        ),
        r"accepted, PyTorch RuntimeError|KeyError, PyTorch RuntimeError",
        "anomalies",
    ),
    Known(
        "what is new is not written elsewhere: no operation takes `out`",
        r"out=",
        ("b = m.tensor([True])", "r = m.ones((2,), out=b)"),
        r"^line \d+: TypeError, PyTorch (accepted|\w+Error)",
    ),
    Known(
        "meshgrid of batches and of one vector for all: PyTorch loses a size, and says that it is 34359738370",
        r"meshgrid(?s:.*)vmap\(",
        (
            "a, b = m.ones(2, 2), m.ones(3)",
            "f = lambda a, b: m.meshgrid(a, b, indexing='ij')",
            "r = m.func.vmap(f, in_dims=(0, None), out_dims=-1)(a, b)",
        ),
        ACCEPTED + "|refuses to show",
    ),
    Known(
        "a number's remainder of division by a tensor: PyTorch has no derivative for it, ours is that of two tensors",
        r"__rmod__|\d % ",
        ("x = T([2.5])", "v = 7 % x", "g = first([v], x)"),
        ACCEPTED,
    ),
    Known(
        "a node called by hand does the whole of its step: what was stretched is summed, in the input's own type",
        r"grad_fn\(",
        ("x, y = T([1.0, 2.0]), T([[3.0, 4.0], [5.0, 6.0]])", "g = (x * y).grad_fn(m.ones(2, 2).double())"),
        r"^[gv]",
    ),
    Known(
        "what was made in inference mode may be differentiated, also within a function that leads to a parameter",
        r"inference_mode\(\): k(?s:.*)f\.",
        (
            "x, w, f = T([1.0, 2.0], grad=False), T([3.0, 4.0]), m.func",
            "with m.inference_mode(): k = x * 2",
            "v = f.jacrev(lambda a: f.grad(lambda b: (b * b * w).sum())(a))(k)",
        ),
        ACCEPTED,
    ),
    Known(
        "what is wrong twice is refused in both, each for what comes to light first",
        r"tensordot|repeat_interleave|register_parameter|einsum|tile|scatter|embedding"
        r"|new_zeros|addmm|\[.*(np\.|tensor).*\] = |mark_dirty\((?s:.*)\[:1\]",
        ("y = T(1.0).repeat_interleave(-1, 3)",),
        r"\A(line \d+: \w+Error, PyTorch \w+Error\n?)+\Z",
    ),
    Known(
        "a number has a dimension 0 along which it may be repeated, as it may be summed",
        r"repeat_interleave\(",
        ("y = T(1.0).repeat_interleave(2, 0)",),
        ACCEPTED,
    ),
    Known(
        "a place beyond the end is refused, also where nothing is picked there",
        r"\[(range|.*range\(0|.*\[\]|.*m\.tensor\(\[False\]|(None, )?m\.tensor\(\[0\]\), (m|:2:2))",
        ("x = T([[1.0, 2.0]])", "y = x[[], [5]]"),
        REFUSED,
    ),
    Known(
        "copies side by side may be counted by one number, a dimension to squeeze left open, a bool held by bools",
        r"tile\(x, 5|squeeze\(x, None|clamp\(x|embedding\(k, w, 1.5",
        ("x = T([1.0, 2.0])", "y = m.tile(x, 5)"),
        ACCEPTED,
    ),
    Known(
        "memory cannot be seen as numbers of another type",
        r"\.view\(m\.",
        ("x = T([1.0, 2.0])", "y = x.view(m.float32)"),
        REFUSED,
    ),
    Known(
        "the other factors of a product are multiplied also where there are infinities and several zeros among them",
        r"(m\.inf|nan)(?s:.*)prod\(",
        ("a = T([0.0, 0.0, m.inf])", "g = first(a.prod(), a)", "v = a.prod()"),
        r"nan",
    ),
    Known(
        "numbers that have grown beyond all bounds, or past them in one library",
        r"class (Cube|Exp)((?s:.*)(Cube|Exp)Layer\(\)){2}|atan\(z\)(?s:.*)dist|m\.cat\(\[(\w+), \4\.real",
        ("z = T([-1j], dtype=m.complex128)", "v = m.atan(z) * 0.5", "w = m.dist(v, T([0j], dtype=m.complex128))"),
        r"inf|e\+\d\d\d|nan",
    ),
    Known(
        "nothing cannot be rolled along a dimension that it does not have",
        r"roll\(",
        ("y = m.roll(T([]), 1, 2)",),
        REFUSED,
    ),
    Known(
        "integers have no softmax, also if there are none",
        r"T\(\[\]\)(?s:.*)[sS]oftmax\((?s:.*)long\(\)",
        ("x = T([])", "y = F.softmax(x.detach().long(), dim=0)"),
        REFUSED,
    ),
    Known(
        "a step of an optimizer leaves the gradients as they are; with foreach and nesterov PyTorch writes over them",
        r"nesterov=True.*foreach=True|foreach=True.*nesterov=True",
        (
            "p = T([1.0])",
            "p.grad = m.ones(1).double()",
            "m.optim.SGD([p], 0.1, momentum=0.5, nesterov=True, foreach=True).step()",
        ),
        r"grad\.values",
    ),
    Known(
        "a running sum of true and false is true or false where that is asked for",
        r"cum(sum|prod)\(.*dtype=m\.bool",
        ("y = m.ones(2).cumsum(0, dtype=m.bool)",),
        ACCEPTED,
    ),
    Known(
        "the oldest way to say `alpha`, between the two operands, is gone",
        r"((add|sub|subtract)\(\w+, [^,]*|\.(add|sub|subtract)_?\([^,]*), [-\w.:\[\]]+\)",
        ("x = T([1.0, 2.0])", "y = m.sub(x, 2, x)"),
        REFUSED,
    ),
    Known(
        "a tangent may lead to what it does not depend on, with a gradient of 0",
        r"D\((?s:.*)first\(tangent",
        (
            "a, b = D(T([[1.0]], grad=False), T([[2.0]], grad=False)), D(T([1.0]), T([2.0], grad=False))",
            "v = F.linear(a, a, b)",
            "h = [one.detach() for one in first(tangent(v), b)]",
        ),
        r"accepted, PyTorch (Value|Runtime)Error",
    ),
    Known(
        "a node that was mended after a change in place stands for two of PyTorch's, and sees what both of them see",
        r"get_gradient_edge(?s:.*)register_hook",
        (
            "log, x = [], T([1.0, 2.0])",
            "y = x * 1",
            "y[:1].mul_(x[1])",
            "hook = lambda gi, go: log.append([one.detach() for one in gi if one is not None])",
            "m.autograd.graph.get_gradient_edge(y).node.register_hook(hook)",
            "y.sum().backward()",
        ),
        r"^log",
        "hooks",
    ),
    Known(
        "operands of mixed types meet in the wider one, as in arithmetic; PyTorch's kernels refuse some mixtures, of "
        "others the first one's type decides, and of nothing they refuse nothing",
        r"F\.\w+\(|m\.nn\.\w+Loss",
        (
            "a, b = T([[0.5, 0.7]], grad=False), m.tensor([[0.5, 0.3]])",
            "v = F.binary_cross_entropy_with_logits(a, b)",
        ),
        r"dtype: |accepted, PyTorch (Runtime|NotImplemented)Error|float16",
        "mixed_types",
    ),
    Known(
        "nothing of a type that is refused is refused, too",
        r"T\(\[\]\)\.detach\(\)\.reshape\(\(0, 2\)\)\.to",
        ("a = T([]).detach().reshape((0, 2)).to(m.int32)", "v = F.softmax(a, 1)"),
        REFUSED,
        "mixed_types",
    ),
    Known(
        "a source of scatter may be larger than its index: the gradient of what is not used is 0; PyTorch loses it",
        r"scatter(_add)?_?\((?s:.*)(first|second|backward)",
        (
            "w, s = T([0.5, 2.0]), T([1.0, 2.0, 3.0])",
            "v = w.scatter(0, m.tensor([1, 0]), s)",
            "g = first(v, w, s, create_graph=True)",
        ),
        ACCEPTED,
    ),
    Known(
        "of two almost equal numbers in float32 the normalised ones keep few digits, and so do their gradients",
        r"layer_norm\(",
        (
            "d = m.tensor([0.79, 0.9]).requires_grad_()",
            "F.layer_norm(d, (2,), d, d).sum().backward()",
        ),
        r"grad\.values",
        "mixed_types",
    ),
    Known(
        "no channels have no statistics to be asked for",
        r"BatchNorm\dd\(|Loss",
        ("x = m.zeros((2, 0))", "layer = m.nn.BatchNorm1d(0)", "layer.eval()", "y = layer(x)"),
        r"accepted",
        "empty_nets",
    ),
    Known(
        "inside of a function's gradient, too, a batch leaves its mean and variance behind",
        r"BatchNorm(?s:.*)m\.func\.",
        (
            "net = m.nn.BatchNorm1d(2).double()",
            "g = still(m.func.grad(lambda a: net(a).sum())(T([[1.0, 2.0], [3.0, 5.0]], grad=False)))",
        ),
        ACCEPTED,
    ),
    Known(
        "the running sum or product of one bool in place is refused, as it is of many",
        r"cum(sum|prod)_\(",
        ("x = m.tensor(True)", "x.cumsum_(0)"),
        REFUSED,
    ),
    Known(
        "as_strided reads numbers that its input does not show: their gradient goes to whom they belong to, not lost",
        r"as_strided\(",
        ("a = T([1.0, 2.0])", "v = (a * 1).as_strided((1,), (2,)).as_strided((2,), (1,))", "g = first(v, a)"),
        r"^g",
    ),
    Known(
        "0 to the power of 0 is 1; and where a power of 0 has no limit, both say so, each in its own way",
        r"dtype=m.complex128(?s:.*)\*\*",
        ("z = T([0, 0.5j, -1 + 0.5j], dtype=m.complex128, grad=False)", "v = 0 ** z"),
        r"nan",
    ),
    Known(
        "of a singular value's two vectors the signs are free, but for their product; of two rows LAPACKs differ",
        r"svd\(",
        ("x = T([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]], grad=False)", "u, s, v = m.svd(x)"),
        r"values",
    ),
    Known(
        "integers that were compared in place with what asks for a gradient ask for none, though PyTorch's do",
        r"\.(eq|ne|lt|le|gt|ge|(not_)?equal|(less|greater)(_equal)?)_\(",
        ("x, i = T([1.0, 2.0]), m.tensor([1, 2])", "i.lt_(x)"),
        r"requires_grad: False|is_leaf: True",
    ),
    Known(
        "a real tensor that met a complex one: PyTorch fails to bring its gradient back to real numbers",
        r"dtype=m.complex128(?s:.*)(m\.dist|m\.where)\((?s:.*)(first|second)",
        ("z = T([1j], dtype=m.complex128)", "w = T([0.5])", "v = m.dist(z, w)", "g = first([v], z, w)"),
        ACCEPTED,
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
        ACCEPTED,
    ),
    Known(
        "an inference tensor that must not be changed stays as it was; PyTorch changes its numbers, and then refuses",
        r"inference_mode\(\):\n    \w+ = (?s:.*)\n *\w+(\.diagonal\(\))?(\.\w+_\(| [*+]=|\[)",
        ("x = T([0.5, 2.0])", "with m.inference_mode():\n    y = x * 2", "y.mul_(3)"),
        r"values",
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
        REFUSED,
    ),
    Known(
        "what was put in the place of a constant's numbers, or changed behind the engine's back, after the forward: "
        "PyTorch's backward computes with the new ones here and there, although the forward never saw them",
        r"\.data = |\.data\.mul_|force=True\)\.fill",
        ("c, x = T([1.0, 2.0], grad=False), T([1.0, 2.0])", "y = x * c", "c.data = c.data * 2", "g = first(y, x)"),
    ),
    Known(
        "of what index_add and index_copy are given the derivative needs the shape alone; PyTorch keeps it, and "
        "refuses a changed one",
        r"index_(add|copy)_?\((?s:.*)(_\(|\] = )(?s:.*)(first|second)",
        (
            "x = T([0.5, 2.0])",
            "c = x * 1.5",
            "y = c.index_add(0, m.tensor([0, 1]), c)",
            "c.zero_()",
            "g = first(y, x)",
        ),
        ACCEPTED,
    ),
    Known(
        "a leaf that lost a dimension in place under no_grad: an older operation sends it a gradient of the old shape, "
        "which PyTorch refuses and we bring to the new one",
        r"no_grad\(\): \w+\.((un)?squeeze|transpose|t)_\(",
        (
            "x = T(0.5)",
            "y = T([0.4])",
            "v = y + y",
            "with m.no_grad(): y.squeeze_()",
            "g = second([y, x.expand(1)], x, y)",
        ),
        ACCEPTED + r"|^g",
    ),
    Known(
        "a window that lies in the border alone has no place in the image: one before it, in PyTorch any",
        r"max_pool.*(padding.*dilation|dilation.*padding)",
        (
            "x = T([[[1.0, 2.0]]])",
            "y = m.nn.functional.max_pool2d(x, (1, 2), padding=(0, 1), dilation=(1, 3), return_indices=True)",
        ),
        r"^(y|out)\[1\]|^g",
    ),
    Known(
        "a second derivative that PyTorch has not implemented, or not for a bias without a weight",
        r"_product_attention(?s:.*)(second|first\(tangent)|(layer|batch)_norm\((?!.*weight).*bias(?s:.*)(first|second)",
        (
            "x, b = T([[0.5, 1.0], [2.0, 0.3]]), T([1.0, 2.0])",
            "y = m.nn.functional.batch_norm(x, None, None, bias=b, training=True)",
            "g = second(y * y, x, b)",
        ),
        ACCEPTED,
    ),
    Known(
        "the curvature at a probability of exactly 0 or 1: both hold it back by a bound, PyTorch by its square",
        r"\b[01]\.0\b(?s:.*)binary_cross_entropy\((?s:.*)second",
        (
            "x, t = T([1.0]), T([0.87], grad=False)",
            "y = m.nn.functional.binary_cross_entropy(x, t)",
            "g = second(y, x)",
        ),
    ),
    Known(
        "the gradient of a mean of nothing, zero, has itself a derivative: zero, not nan",
        r"(ignore_index|-100)(?s:.*)second",
        ("x = T([[0.5, 1.0]])", "y = m.nn.functional.nll_loss(x, m.tensor([1]), ignore_index=1)", "g = second(y, x)"),
        r"nan",
    ),
    Known(
        "in place with a negative slope: what the slope depends on is kept here, and refused by PyTorch",
        r"(?i)(elu|leaky_?relu)\(.*inplace=True(?s:.*)(first|second)",
        ("x = T([1.0])", "z = x * 1", "y = m.nn.functional.elu(z, alpha=-1, inplace=True)", "g = first(y, x)"),
        ACCEPTED,
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
        "a sequence grows by any list of modules",
        r"Sequential(?s:.*)\+= \[",
        ("n = m.nn.Sequential()", "n += [m.nn.ReLU()]"),
        ACCEPTED,
    ),
    Known(
        "a module finds its place among named ones, or before the last of a list, where PyTorch loses it or stumbles",
        r"insert\(|del n\[|ModuleList(?s:.*)\n\w\.\w+ = ",
        ("n = m.nn.ModuleList([m.nn.ReLU(), m.nn.Tanh()])", "n.insert(-1, m.nn.GELU())", "v = repr(n)"),
    ),
    Known(
        "a huber loss against integers, which PyTorch computes, has a gradient",
        r"\.long\(\)(?s:.*)huber_loss",
        ("x = T([0.5])", "t = x.detach().long()", "y = m.nn.functional.huber_loss(x, t)", "g = first(y, x)"),
        ACCEPTED,
    ),
    Known(
        "means of no parts at all have a gradient, zero; PyTorch refuses to compute it",
        r"adaptive_avg_pool.*\b0\b(?s:.*)(first|second|backward)",
        ("x = T([[[1.0, 2.0]]])", "y = m.nn.functional.adaptive_avg_pool2d(x, 0)", "g = first(y, x)"),
        ACCEPTED,
    ),
    Known(
        "a tangent's own derivative: what a normalisation, a determinant … has saved, PyTorch takes for constant",
        r"(_norm|linalg|det\(|cross_entropy|dist|softmax|logsumexp|amax|amin|cumprod|inv\()"
        r"(?s:.*)(first\(tangent|tangent)",
        (
            "x = T([[0.5, -1.0, 2.0]])",
            "y = m.nn.functional.layer_norm(D(x, T([[1.0, 2.0, 0.5]], grad=False)), (3,))",
            "g = [one.detach() for one in first(tangent(y), x)]",
        ),
    ),
    Known(
        "the tangent of a determinant's gradient is that of the gradient, also where no backward is recorded",
        r"(?s)^(?=.*\bD\().*(det|solve)\(.*first",
        (
            "x = T([[0.5, -1.0], [2.0, 0.3]])",
            "y = m.linalg.det(D(x, T([[1.0, 2.0], [0.5, 0.1]], grad=False)))",
            "g = first(y, x)",
        ),
        r"tangent",
    ),
    Known(
        "forward mode follows from the rule for the backward, so it is there for all that has one",
        r"D\(",
        (
            "x = D(T([[[[1.0, 2.0]]]], grad=False), T([[[[1.0, 1.0]]]], grad=False))",
            "y = F.scaled_dot_product_attention(x, x, x)",
        ),
        r"accepted, PyTorch NotImplementedError",
    ),
    Known(
        "a hook for several gradients, one of them a leaf's, hears of `autograd.grad`; PyTorch does not support it yet",
        r"register_multi_grad_hook\((?!.*mode='any')(?s:.*)autograd\.grad\(",
        (
            "x, log = T([1.0, 2.0]), []",
            "m.autograd.graph.register_multi_grad_hook([x], log.append, mode='all')",
            "g = m.autograd.grad((x * 2).sum(), x)",
        ),
        ACCEPTED,
    ),
    Known(
        "True is Python's 1, and so a size or a value; PyTorch takes it for neither here",
        r"(expand|repeat|tile|reshape|select|unfold)\(.*True",
        ("x = T([1.0, 2.0])", "y = x.repeat(True)"),
        ACCEPTED,
    ),
    Known(
        "a number of NumPy is a number: its fraction is cut off where whole ones are asked for",
        r"tensor\(.*np\.float.*dtype=m\.(u?int|bool)",
        ("x = m.tensor(np.float32(2.5), dtype=m.int64)",),
        ACCEPTED,
    ),
    Known(
        "an index with two ellipses is ambiguous, and refused in NumPy's words",
        r"\[.*\.\.\..*\.\.\.\]",
        ("x = T([1.0, 2.0])", "y = x[..., ...]"),
        REFUSED,
    ),
    Known(
        "the slope of softplus is a sigmoid, whose own derivative needs its result alone; PyTorch keeps the input",
        r"softplus(?s:.*)create_graph=True",
        (
            "x = T([1.0, 2.0])",
            "y = x * 1",
            "g = first(m.nn.functional.softplus(y), x, create_graph=True)",
            "y.zero_()",
            "h = first(g, x)",
        ),
        ACCEPTED,
    ),
    Known(
        "a stretched dual cannot be filled, after which its tangent, too, would have to be written to several times",
        r"D\((?s:.*)expand(?s:.*)(\.\w+_\(|\] = )",
        ("x = D(T([1.0, 2.0], grad=False), T([3.0, 4.0], grad=False))", "x.expand(2, 2).fill_(2.0)"),
        REFUSED,
    ),
    Known(
        "of equal elements the first; which one PyTorch's partial sorting finds depends on where they stand",
        r"topk|kthvalue",
        ("x = T([3.0, 3.0, 1.0, 3.0])", "y = x.topk(2)", "g = first(y[0], x)"),
        r"^y(\[1\]|\.)|^v\d(\[1\]|\.)|^g",
    ),
    Known(
        "a layer's norm differentiated for its weight under vmap, and once more: differences deny PyTorch's",
        r"(?s)layer_norm(?=.*first\().*vmap\(fn\.grad",
        (
            "fn = m.func",
            "x, w = T([[1.0, 2.0, 0.5], [0.3, -1.0, 2.0]]), T([1.0, -2.0, 0.5])",
            "f = lambda x, w: F.layer_norm(x, (3,), w).square().sum()",
            "g = first(fn.vmap(fn.grad(f, 1), (0, None))(x, w), x)",
        ),
        r"^g",
    ),
    Known(
        "any call with any arguments: PyTorch's parser refuses by the type of each argument what computes here",
        r"v\d = .*\(",
        ("v1 = m.tensor(2).prod(None)",),
        ACCEPTED,
        "calls",
    ),
    Known(
        "a fraction is no number of parts",
        r"(split|chunk)\(\w+, [ty](\.T)?\)",
        ("x, t = m.ones(2, 2), m.tensor(1.85)", "v = m.split(x, t)"),
        REFUSED,
        "calls",
    ),
    Known(
        "there are no equal steps from true to false",
        r"linspace\(.*dtype=m\.(bool|uint8)",
        ("x = m.linspace(-2, 1, 1, dtype=m.bool)",),
        REFUSED,
    ),
    Known(
        "a view of what unpack_dual gave has a tangent of its own: what is written to it stays there",
        r"unpack_dual(?s:.*)v\d+(\.\w+_\(|\[.*\] = )",
        (
            "fwd, x, y = m.autograd.forward_ad, T([1.0, 2.0], grad=False), T([0.5, 2.0], grad=False) * 1",
            "d = D(x, T([3.0, 4.0], grad=False))",
            "v0 = fwd.unpack_dual(y).primal",
            "with m.no_grad(): v4 = v0.view(-1)",
            "v4.add_(d)",
        ),
        r"tangent",
    ),
    Known(
        "a view that a Function says to have no derivative: in PyTorch it asks for a gradient, and hands it nowhere",
        r"mark_non_differentiable\((?s:.*)\.apply\([rFps]",
        (
            "class F(m.autograd.Function):\n"
            "    forward = staticmethod(lambda ctx, a: [o := a.expand(2, 1), ctx.mark_non_differentiable(o)][0])",
            "class G(m.autograd.Function):\n"
            "    forward, backward = staticmethod(lambda ctx, a: a.sum()), staticmethod(lambda ctx, g: g)",
            "x = T([1.0])",
            "r = G.apply(F.apply(x))",
            "r.backward()",
        ),
        REFUSED + r"|^log",
        "functions",
    ),
    Known(
        "refused in both, by what came to light first; or an argument too many that does no harm",
        r"cross_entropy\(x, None|no_grad\(None|conv1d\(b|narrow\(\w, [^,]*, [a-z]"
        r"|scatter\(x, 1, i, z, -7|m\.any\(b, [vx]",
        ("x = T([1.0, 2.0])", "y = m.narrow(x, 0, x, 2)"),
        r"^line \d+: (\w+Error|accepted), PyTorch \w+Error",
        "misuse",
    ),
    Known(
        "a tensor of several numbers is no option of a layer; PyTorch makes a layer that cannot run",
        r"m\.nn\.[A-Z]\w*\(",
        ("n = m.nn.Softmax(m.tensor([0, 2]))",),
        r"^line \d+: TypeError, PyTorch (accepted|RuntimeError)",
        "misuse",
    ),
    Known(
        "a mask that hooks have packed as numbers: PyTorch's backward refuses it, ours takes what is not 0 for true",
        r"t\.float\(\)(?s:.*)m\.(where|maximum)",
        (
            "x = T([1.0, 2.0])",
            "hooks = m.autograd.graph.saved_tensors_hooks(lambda t: t.float(), lambda p: p.double())",
            "with hooks: y = m.where(x > 1, x, 1)",
            "g = first(y, x)",
        ),
        ACCEPTED,
        "packing",
    ),
    Known(
        "a schedule that is refused has left no trace in its optimizer",
        r"OneCycleLR",
        (
            "optimizer = m.optim.SGD([T([1.0])])",
            "schedule = m.optim.lr_scheduler.OneCycleLR(optimizer, 0.3, total_steps=8)",
            "state = optimizer.state_dict()",
        ),
        r"initial_lr: None",
    ),
    Known(
        "a flag of an optimizer is no number below 0",
        r"(maximize|nesterov)=-",
        ("optimizer = m.optim.SGD([T([1.0])], momentum=0.5, nesterov=-1)",),
        REFUSED,
    ),
    Known(
        "a second backward is refused in both, after more or less was unpacked",
        r"checkpoint\((?s:.*)second\((?s:.*)\.backward\(",
        (
            "log, x = [], T([1.0, 2.0])",
            "pack, unpack = lambda t: t, lambda p: [log.append('unpack'), p][1]",
            "v = x.exp() * x",
            "with m.autograd.graph.saved_tensors_hooks(pack, unpack):\n"
            "    v = m.utils.checkpoint.checkpoint(lambda a: a.exp() ** 2, v, use_reentrant=False)",
            "g = second(v, x)",
            "v.sum().backward()",
        ),
        r"^log: ",
        "packing",
    ),
    Known(
        "the linear form of one vector is a view in PyTorch; a Function that changes it gets no zeros for nothing",
        r"(?s)(?=.*mark_dirty).*return None",
        (
            "class F(m.autograd.Function):\n"
            "    forward = staticmethod(lambda ctx, a: [ctx.mark_dirty(a), a.mul_(2)][1])\n"
            "    backward = staticmethod(lambda ctx, g: 2 * g)",
            "class G(m.autograd.Function):\n"
            "    forward = staticmethod(lambda ctx, a: a * 2)\n"
            "    backward = staticmethod(lambda ctx, g: None)  # as with `return None`",
            "x = T([1.0, 2.0])",
            "v = m.nn.functional.linear(x, T([[1.0, 2.0], [3.0, 4.0]]), T([1.0, 2.0]))",
            "G.apply(F.apply(v)).sum().backward()",
        ),
        r"array\(\[0\., 0\.\]\).*PyTorch None",
        "functions_in_nets",
    ),
    Known(
        "true and false have no conjugate to be written over them",
        r"conj_physical_\(b\)",
        ("b = m.tensor([True, False])", "v = m.conj_physical_(b)"),
        REFUSED,
    ),
    Known(
        "the second derivative of a complex norm at 0, where it has no first one",
        r"(?s)(?=.*alpha=-1\))(?=.*_norm\().*second",
        (
            "z = T([1 + 1j, 2j], dtype=m.complex128)",
            "v = m.linalg.vector_norm(m.add(z, z, alpha=-1).cumprod(0), 3, dim=0)",
            "g = second([v], z)",
        ),
        r"nan",
        "complex_numbers",
    ),
    Known(
        "the last bit of a float32, where it is printed: NumPy's exponential function is not PyTorch's",
        r"\.exp\(\)",
        (
            "x = m.tensor([2.0, float('-inf')]).exp()",
            "m.set_printoptions(precision=8)",
            "v = repr(x)",
            "m.set_printoptions(profile='default')",
        ),
        r"^shown|^v:",
        "printing",
    ),
    Known(
        "vmap is a loop here, and so may do what PyTorch has no rule for",
        r"(gaussian_nll|hstack|> 0\]|sgn|"
        r"broadcast_tensors|masked_select|nonzero|unique)(?s:.*)vmap\(",
        (
            "a = T([[[1.0, 2.0]], [[3.0, 1.0]]], grad=False)",
            "f = lambda x: x[x > 0]",
            "r = m.func.vmap(f)(a)",
        ),
        ACCEPTED,
    ),
    Known(
        "the slope of a sign, which is 0 everywhere, can be shown when vmap has it, too; PyTorch's cannot",
        r"sgn(?s:.*)vmap\(fn\.(grad|jacrev)",
        (
            "fn, a = m.func, T([1.0, 2.0], grad=False)",
            "f = lambda a: m.sgn(a)",
            "r = still(fn.vmap(fn.grad(lambda *x: f(*x).sum()), in_dims=(0,), out_dims=-1)(a))",
        ),
        r"refuses to show",
    ),
    Known(
        "how often a checkpoint asks for what it keeps: more often in PyTorch, where the same comes of it",
        r"checkpoint\(",
        (
            "log, x = [], T([1.0, 2.0])",
            "unpack = lambda p: [log.append('unpack'), p][1]",
            "with m.autograd.graph.saved_tensors_hooks(lambda t: t, unpack):\n"
            "    v = m.utils.checkpoint.checkpoint(lambda a: a / (a * a + 1), x, use_reentrant=False)",
            "g = second(v.sum(), x)",
            "h = second(v.sum(), x)",
        ),
        r"\Alog: [^\n]*\Z",
        "packing",
    ),
    Known(
        "PyTorch's jacfwd never finds an argument that is counted from the back, and takes all for constant",
        r"(jacfwd|hessian)\(.*(, |argnums=)\(?-1\b",
        ("f, a = (lambda a, b: a * b), T([1.0, 2.0], grad=False)", "j = still(m.func.jacfwd(f, -1)(a, a))"),
        r"values",
    ),
    Known(
        "one number, copied onto itself through a view that might be stretched, stays what it is",
        r"expand\((?s:.*)copy_\(",
        ("x = T(0.5, grad=False)", "v, w = x.flatten(), x.expand(1)", "v.copy_(w)"),
        ACCEPTED,
        "scalars",
    ),
    Known(
        "a diagonal without elements begins nowhere: what lies in memory from there on is not the same",
        r"diagonal\((?s:.*)as_strided\(",
        ("a = T([[[1.0], [2.0]], [[3.0], [4.0]]])", "v = m.diagonal(a, -1, -1, 0).reshape(-1).as_strided((1,), (1,))"),
        r"values|RuntimeError, PyTorch accepted",
        "arranging",
    ),
    Known(
        "slices that come back from vmap as they are make a new tensor, not the one that was cut",
        r"vmap\(",
        ("a = T([1.0, 2.0])", "r = m.func.vmap(lambda a: a.t())(a)"),
        r"\Ar\.is_leaf: False, PyTorch True\Z",
    ),
    Known(
        "a batch without slices can be cut into chunks, of which there are none",
        r"vmap\(.*chunk_size",
        ("a = T([])", "r = still(m.func.vmap(m.func.grad(lambda a: a.sum()), in_dims=(-1,), chunk_size=1)(a))"),
        ACCEPTED,
    ),
    Known(
        "a linear map is one node here, which keeps its input, and has the name of the last of several in PyTorch",
        r"F\.linear\((?s:.*)_saved_self",
        ("w = T([[1.0, 2.0]])", "v = F.linear(T([1.0, 3.0]), w)", "told = getattr(v.grad_fn, '_saved_self', None)"),
        r"PyTorch None",
        "nodes",
    ),
    Known(
        "operands of two types are kept in the one in which they met",
        r"float(?s:.*)_saved_self",
        ("x = T([1.0, 2.0])", "v = x.float() ** x", "told = v.grad_fn._saved_self"),
        r"dtype: 'float64', PyTorch 'float32'",
        "nodes",
    ),
    Known(
        "the powers of one number, the zeroth alone, depend on it as all powers do: with a slope of 0",
        r"vander\(",
        ("y = T([0.5])", "v = m.vander(y)"),
        r"requires_grad: True, PyTorch False",
    ),
    Known(
        "a view that was rearranged under no_grad is not written to with a tangent that asks for a gradient",
        r"no_grad\(\): \w+\.(un)?squeeze_\((?s:.*)(\] = |copy_\()",
        (
            "d, y = D(T([1.0, 2.0]), T([3.0, 4.0], grad=False)), D(T([0.5, 1.0]), T([1.0, 2.0], grad=False)) * 1",
            "v = y.view_as(y)",
            "v.pow_(2)",
            "with m.no_grad(): v.unsqueeze_(0)",
            "v[...] = d",
        ),
        REFUSED,
        "dual_views",
    ),
    Known(
        "a parameter that is named twice has momentum when its second turn comes; PyTorch has looked before the first",
        r"SGD\(\[x, x\].*momentum",
        (
            "x = T([1.0, 2.0])",
            "optimizer = m.optim.SGD([x, x], lr=1, momentum=0.5, dampening=0.3)",
            "x.grad = m.ones(2).double()",
            "optimizer.step()",
        ),
        r"values",
    ),
    Known(
        "bounds that have crossed: PyTorch holds a number by the one or the other, as its kernel takes many or few",
        r"logit_?\((\w+, )?1\)",
        ("z = T([0.25, 0.7])", "v = z.logit(1)"),
        r"values",
        "calls",
    ),
    Known(
        "one of several views, saved and then written over through another one: its history is not asked for again",
        r"(split\(1\)|unbind\(\))\[(?s:.*)mul_\(",
        ("v = T([1.0, 2.0]).exp()", "w, u = v.split(1)[0], v[:1]", "u.mul_(w)", "u.sum().backward(inputs=[v])"),
        ACCEPTED,
        "hooks",
    ),
    Known(
        "a place may be a tensor without dimensions, and no vector of one number",
        r"select\([^)]*tensor\(\[|select\(.*\[",
        ("v = m.select(T([[2.0, 1.0]]), 1, m.tensor([0]))",),
        REFUSED,
        "calls",
    ),
    Known(
        "a number that overlapping windows show several times is changed once; in PyTorch as often as it is shown",
        r"\.unfold\((?s:.*)(_\(|\] = |[*+]= )",
        ("k = T([1.0, 2.0, 3.0], grad=False)", "v = k.unfold(0, 2, 1)", "v.pow_(2)"),
        r"values|tangent",
    ),
    Known(
        "bounds are two tensors or two numbers; of one of each PyTorch takes the tensor, where it wants no gradient",
        r"cl(am|i)p_?\((\w+, )?([sth], -?\d|-?\d[.\d]*, [sth]|m\.tensor)",
        ("z = T([[0.5, 1.5]], grad=False)", "v = z.clip(m.tensor(1), 2)"),
        REFUSED,
        "calls",
    ),
    Known(
        "a triangle with a 0 on its diagonal has no inverse: the derivative of QR is refused, not nan",
        r"qr\((?s:.*)(first|second)",
        ("y = T([[0.0, 1.93, 0.07]])", "v = m.linalg.qr(y, 'complete')[0].abs()", "g = first([v], y)"),
        REFUSED,
        "decompositions",
    ),
    Known(
        "an element of Q that is 0 but for rounding: its sign, and so the slope of its size, is chance",
        r"qr\(\w+\)\[0\]\.abs\(\)(?s:.*)second",
        ("y = T([[-0.0, -0.36], [-0.91, -0.12]])", "v = m.linalg.qr(y)[0].abs()", "g = second([v], y)"),
        r"e-1[67]",
        "decompositions",
    ),
    Known(
        "on the line where acosh jumps, the sign of a 0 decides, and after two of them that is rounding",
        r"acosh\((?s:.*)acosh\(",
        ("z = T([-1j, 1j], dtype=m.complex128)", "v = m.acosh(m.acosh(z.cumprod(0)))"),
        r"1\.57079633j",
        "complex_numbers",
    ),
    Known(
        "atan has a pole at i and at -i; what stands beside the infinite part is no number to rely on",
        r"atan\(",
        ("z = T([-1j, 0.5-0.3j], dtype=m.complex128)", "v = m.atan(z).diff()"),
        r"nan\s*[+-]infj",
        "complex_numbers",
    ),
    Known(
        "what has no gradient or was changed is named at once, and no tensor is refused; PyTorch looks afterwards",
        r"mark_(non_differentiable|dirty)\((?s:.*)apply\((\w+, None|\[)",
        (
            "log, x = [], T([1.33, -1.5])",
            "class F(m.autograd.Function):\n"
            "    def forward(ctx, a, b):\n"
            "        ctx.mark_non_differentiable(b)\n"
            "        log.append(ctx.needs_input_grad)\n"
            "        return a.view(-1)\n"
            "    backward = staticmethod(lambda ctx, g: (g, g))",
            "r = F.apply(x, None)",
        ),
        r"log: \[\]",
        "function_misuse",
    ),
    Known(
        "a batch of gradients that is refused leaves the graph as it was, for the next backward",
        r"is_grads_batched=True(?s:.*)\.backward\(",
        (
            "x, w = T([-1.48]), T([-1.15])",
            "y = x.sin()",
            "g = m.autograd.grad([y], [x, w], m.ones(2, 1).double(), is_grads_batched=True)",
            "y.backward(m.ones_like(y))",
        ),
        ACCEPTED,
        "grad_options",
    ),
    Known(
        "a prehook that takes itself off its node while it runs: what it answers counts, and is refused",
        r"register_prehook\((?s:.*)\.remove\(\)",
        (
            "x = T([[1.0, 2.0], [3.0, 4.0]])",
            "v = x.sin()",
            "w = v[:1]",
            "w.mul_(w)",
            "out = (v * 2).sum()",
            "h = [m.autograd.graph.get_gradient_edge(v).node.register_prehook(lambda gs: (h[0].remove(),))]",
            "out.backward(retain_graph=True)",
        ),
        REFUSED,
        "hooks",
    ),
    Known(
        "the result of a power is kept where the derivative for its exponent asks for it; PyTorch keeps it always",
        r"_saved_result",
        (
            "x, w = T([[0.31, 1.64]]), T([[0.76, 1.71]], grad=False)",
            "v = (w + x) ** w",
            "told = getattr(v.grad_fn, '_saved_result', None)",
        ),
        r"^told\d*: None",
        "nodes",
    ),
    Known(
        "a view without elements does not tell where it begins in memory; PyTorch counts from there",
        r"\[\d:\](?s:.*)as_strided\(",
        ("x = T([[1.0, 2.0], [3.0, 4.0]])", "v = (x * 1).split(1)[0][1:].as_strided((1,), (1,))"),
        REFUSED,
        "views",
    ),
    Known(
        "a tensor with gaps, or a stretched one, that was cut off no longer shows whose memory it reads",
        r"(expand\(|::2|permute|diagonal)(?s:.*)detach\(\)(?s:.*)as_strided\(",
        (
            "k = T([0.72, 1.2, -0.13], grad=False)",
            "with m.inference_mode():\n    v1 = k.expand(2, *k.shape)",
            "v6 = v1.detach()",
            "v8 = v6.as_strided((2,), (1,))",
        ),
        REFUSED,
        "views",
    ),
    Known(
        "of two that lie differently, the first of them no view, the result lies in rows; PyTorch's lies as the first. "
        "To ask how they lie would cost each sum and product a fortieth of its time",
        r"[+*/-] (?s:.*)\.view\(-1\)",
        ("k = T([[1.0, 2.0], [3.0, 4.0]], grad=False)", "v = k.t() * 2 + k", "w = v.view(-1)"),
        ACCEPTED,
        "views",
    ),
    Known(
        "images whose channels stand last in memory keep that order in PyTorch when they are joined or get a border",
        r"permute\(\(0, 3, 1, 2\)\)(?s:.*)(m\.cat|m\.stack|F\.pad)\(",
        (
            "v = T([[[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]]], grad=False).permute((0, 3, 1, 2))",
            "r = m.cat([v, v]).stride()",
        ),
        r"",
        "layouts",
    ),
    Known(
        "a leaf that was rearranged under no_grad gives its gradient in its new shape, also where it has a tangent",
        r"D\((?s:.*)no_grad\(\): \w+\.(swap\w+|transpose)_\((?s:.*)first",
        (
            "x = T([[-0.66, -1.8], [1.66, 0.89], [0.4, -1.15]])",
            "d = D(x, T([[0.11, -0.86], [1.63, -1.15], [1.58, 0.75]], grad=False))",
            "with m.no_grad(): x.swapaxes_(0, -1)",
            "g = first([x], x)",
        ),
        ACCEPTED,
        "dual_views",
    ),
    Known(
        "where nothing is chosen anyhow, a mask of another length is refused all the same",
        r"np\.array\(\[False\](?s:.*)\] = ",
        (
            "x = T([[[0.09], [-0.55]], [[-1.4], [1.53]]])",
            "z = (x * 1)[None][np.int64(-1), range(1), :0]",
            "z[2:, m.tensor([0]), np.array([False], dtype=bool)] = T(1.7)",
        ),
        REFUSED,
        "indexing",
    ),
    Known(
        "a normalised number that is 0 but for rounding: on which side of relu's bend it lies is chance",
        r"layer_norm\((?s:.*)relu\(\)(?s:.*)first",
        (
            "i = T([[1.24, 1.4, 1.01, 0.39], [1.4, 0.24, 1.33, 1.28], [0.45, 0.58, 0.32, 0.45]])",
            "y = F.layer_norm(i, (4,)).relu()",
            "g = first(y, i)",
        ),
        r"values",
        "layers_twice",
    ),
    Known(
        "a view that was changed under no_grad, and its base with it, may be looked at again",
        r"no_grad\(\): \w+\.\w+_\(\)(?s:.*)\[0\]",
        (
            "x = T([[1.85, -1.46], [-1.54, 0.6], [1.99, -0.52]], grad=False)",
            "y = T([[0.8, -1.41], [-1.47, -0.28], [-1.37, 1.22]])",
            "v = x.select(-1, 0)",
            "d = D(y, T([[1.32, 0.29], [1.05, 1.75], [-1.35, -1.39]], grad=False))",
            "x.index_add_(0, m.tensor([0]), d[:1])",
            "x.div_(2)",
            "with m.no_grad(): v.tanh_()",
            "w = v[0]",
        ),
        ACCEPTED,
        "dual_views",
    ),
    Known(
        "where no gradient is there, no value is out of bounds; PyTorch stumbles over the empty list",
        r"clip_grad_value_\(",
        ("x = T([1.0, 2.0])", "m.nn.utils.clip_grad_value_([x], 0.5)"),
        ACCEPTED,
    ),
    Known(
        "a determinant of 0 has a slope where one row may vary; PyTorch divides by a pivot that it made up",
        r"\bdet\((?s:.*)(first|second)",
        ("x = T([[0.0, 1.0], [0.0, 0.0]])", "v = m.linalg.det(x)", "g = first(v, x)"),
        r"values",
        "decompositions",
    ),
    Known(
        "small integers times small integers are computed in the type of the sum; PyTorch's slopes overflow",
        r"int8\)(?s:.*)addcmul\((?s:.*)(first|second)",
        (
            "x, i = T([1.0, 2.0]), m.tensor([90, -3]).to(m.int8)",
            "v = m.addcmul(x, i, x, value=63)",
            "g = first(v, x)",
        ),
        r"values",
    ),
    Known(
        "the third derivative of a normalisation: PyTorch's second takes the mean and the deviation for constants",
        r"(batch|layer)_norm\((?s:.*)create_graph(?s:.*)create_graph",
        (
            "x = T([[0.5, -1.0, 2.0], [1.5, 0.2, -0.3]])",
            "y = F.layer_norm(x, (3,)).sin().sum()",
            "g = m.autograd.grad(y, x, create_graph=True)[0]",
            "h = m.autograd.grad((g**2).sum(), x, create_graph=True)[0]",
            "k = m.autograd.grad((h**2).sum(), x)[0]",
        ),
        r"values",
    ),
    Known(
        "m.relu and F.relu are one function, whose second argument is `inplace`; PyTorch's m.relu has none",
        r"m\.relu\([^,)]+, [^)]+\)",
        ("x = T([1.0, 2.0])", "r = m.relu(x, x)"),
        r"PyTorch TypeError",
    ),
    Known(
        "a number may stand at the left of a comparison or a remainder, too",
        r"m\.(eq|ne|lt|le|gt|ge|greater|less|not_equal|fmod)\(-?\d",
        ("x = T([1.0, 2.0])", "v = m.gt(3, x)"),
        ACCEPTED,
    ),
    Known(
        "a row of zeros for an empty tensor: PyTorch then takes its neighbours' gradients from the wrong place",
        r"m\.zeros\((0|\d, 0)\)(?s:.*)block_diag\(",
        ("x, e = T([[1.0, 2.0]]), m.zeros(0)", "v = m.block_diag(e, x)", "g = first(v, x)"),
        r"^g",
    ),
    Known(
        "real numbers that are summed or multiplied as complex ones have a gradient, which is real",
        r"dtype=m\.complex(?s:.*)(first|second)",
        ("x = T([1.0, 2.0])", "v = x.prod(dtype=m.complex128)", "g = first(v, x)"),
        ACCEPTED,
    ),
    Known(
        "all dimensions, said as none: PyTorch's gradient of a variance then takes each number for a sample of its own",
        r"(var|std)(_mean)?\(\w*,? ?\(\)(?s:.*)(first|second)",
        ("x = T([1.0, 2.0, 4.0])", "v = m.var(x, ())", "g = first(v, x)"),
        r"^g",
    ),
    Known(
        "a sinc is curved at 0, by a third of -π²; PyTorch divides 0 by 0",
        r"\b0\.0\b(?s:.*)sinc_?\((?s:.*)second",
        ("x = T([0.0, 0.5])", "v = x.sinc()", "g = second(v, x)"),
        r"^g",
    ),
    Known(
        "infinity is real: PyTorch multiplies it by a complex 1 first, and its imaginary part is then no number",
        r"[+-] m\.inf",
        ("x = m.tensor([1 + 2j])", "v = x + m.inf"),
        r"^v",
    ),
    Known(
        "what is true or false has no tangent, also where it takes the place of numbers",
        r"D\((?s:.*)logical_\w+_\(",
        ("d = D(T([1.0, 0.0], grad=False), T([3.0, 4.0], grad=False)) * 1", "d.logical_not_()"),
        r"tangent",
    ),
    Known(
        "filters without channels give zeros, one for each filter; PyTorch's result has no channels then",
        r"conv1d\(m\.zeros\(\d, 0",
        ("v = F.conv1d(m.zeros(2, 0, 3), m.zeros(2, 0, 3))",),
        r"^v",
    ),
    Known(
        "where all targets weigh nothing, the mean is no number, and nothing moves it",
        r"m\.zeros\((?s:.*)(nll_loss|cross_entropy)\(.*w",
        (
            "x, t, w = T([[0.5, -0.5]]), m.tensor([1]), m.zeros(2).double()",
            "v = F.nll_loss(x, t, w)",
            "g = first(v, x)",
        ),
        r"^g",
    ),
    Known(
        "the gradient of a matrix that is its own adjoint is its own adjoint, for the upper factor as for the lower",
        r"dtype=m.complex128(?s:.*)cholesky\(\w+, upper=True",
        (
            "x = T([[4.0, 1j], [-1j, 5.0]], dtype=m.complex128)",
            "u = m.linalg.cholesky(x, upper=True)",
            "g = first(u, x)",
        ),
        r"^g",
    ),
    Known(
        "the median of a stretched tensor is one of its numbers; PyTorch sorts them where they lie, one upon another",
        r"expand\((?s:.*)median\(",
        ("x = m.tensor([7.0]).expand(4)", "v = x.median(0)"),
        r"^v",
    ),
    Known(
        "at its bend prelu's second backward takes another side in PyTorch than its first",
        r"\b0\.0\b(?s:.*)prelu\((?s:.*)second",
        ("x, w = T([0.0, -1.0]), T([0.25])", "v = F.prelu(x, w)", "g = second(v, x, w)"),
        r"^g",
    ),
    Known(
        "an angle's slope by small integers is computed in the type of the angle; PyTorch squares them in their own",
        r"(u?int8)\)?(?s:.*)atan2_?\((?s:.*)(first|second)",
        ("x, i = T([1.0, 2.0]), m.tensor([90, -3]).to(m.int8)", "v = m.atan2(x, i)", "g = first(v, x)"),
        r"^g",
    ),
    Known(
        "a number that lies on its bound moves with itself, not with the bound, forwards as backwards",
        r"D\((?s:.*)(clamp|clip)",
        (
            "x, d = T([2.0, 3.0], grad=False), D(T([2.0, 5.0], grad=False), T([7.0, 8.0], grad=False))",
            "v = x.clamp(d)",
        ),
        r"^v\.tangent",
    ),
    Known(
        "a conjugate has numbers of its own; PyTorch's shows another tensor's, whose signs it turns when they are read",
        r"(\.conj\(\)|\.m?H\b|adjoint\(\))(?s:.*)(_\(|\] = )",
        ("z = m.tensor([1 + 2j])", "v = z.conj()", "z.mul_(2)"),
        r"values",
    ),
    Known(
        "what follows a loss's target is its reduction; PyTorch takes the word for a `size_average` that is true",
        r"F\.\w+_loss\(\w+, \w+, '(sum|none)'",
        ("x, y = T([1.0, 2.0]), T([0.0, 5.0])", "v = F.l1_loss(x, y, 'none')"),
        r"values",
    ),
    Known(
        "a view is saved by itself, without the rest of its memory: two views, saved together, are two",
        r"save",
        (
            "import io",
            "x, file = m.ones(3), io.BytesIO()",
            "m.save([x, x[1:]], file)",
            "file.seek(0)",
            "a, b = m.load(file)",
            "b.zero_()",
            "del file",
        ),
        r"^a\.",
    ),
    Known(
        "on its threshold a softplus is still curved; PyTorch's second derivative begins the straight line there",
        r"softplus\(.*, .*, (?s:.*)second",
        ("x = T([1.0, 0.5])", "v = F.softplus(x, 2, 2)", "g = second(v, x)"),
        r"^g",
    ),
    Known(
        "functions of functions heed hooks on saved tensors, and checkpoints; PyTorch refuses the two together",
        r"(saved_tensors_hooks|checkpoint)(?s:.*)func\.|func\.(?s:.*)(saved_tensors_hooks|checkpoint)",
        (
            "x = T([1.0, 2.0], grad=False)",
            "with m.autograd.graph.saved_tensors_hooks(m.Tensor.clone, m.Tensor.clone):\n"
            "    v = m.func.grad(lambda a: a.sin().sum())(x)",
        ),
        ACCEPTED,
    ),
    Known(
        "a tensor from outside may be changed in place within a function of a function, as everywhere",
        r"func\.\w+\((?s:.*)_\(",
        ("x, k = T([1.0, 2.0], grad=False), m.ones(2)", "v = m.func.grad(lambda a: (a * k.mul_(2)).sum())(x)"),
        ACCEPTED + r".*\nk",
    ),
    Known(
        "tangents travel in inference mode, too; PyTorch loses them, and has a wrong one after a change in place",
        r"D\((?s:.*)inference_mode",
        ("d = D(m.ones(2), m.ones(2))", "with m.inference_mode():\n    d.mul_(2)"),
        r"tangent",
    ),
    Known(
        "a hook for several tensors is called, too, where a leaf is what is differentiated",
        r"multi_grad_hook",
        ("x, log = T(2.0), []", "h = m.autograd.graph.register_multi_grad_hook([x], log.append)", "x.backward()"),
        r"^log",
    ),
    Known(
        "more gradients than tensors are refused; PyTorch leaves out the last",
        r"\.backward\(\[|grad\(",
        ("x = T([1.0, 2.0])", "y = x * 2", "y.backward([x.detach(), x.detach()])"),
        REFUSED,
    ),
    Known(
        "an array of NumPy's stands for a tensor, and may be all that an operation is given: the rules of the tables "
        "are NumPy's own, too",
        r"m\.\w+\((\w+, )?np\.(ones|array|arange)\(",
        ("x = m.ones(2)", "v = m.add(x, np.ones(2))", "w = m.sin(np.ones(2)).sum()"),
        ACCEPTED,
    ),
    Known(
        "a tensor with one number stands for it, where PyTorch's parser wants a tensor without dimensions",
        r"value=m\.tensor\(\[",
        ("x = m.ones(2)", "v = x.addcmul(x, x, value=m.tensor([2.0]))"),
        ACCEPTED,
    ),
    Known(
        "a number may stand for the sign that is copied, and for the other end of lerp",
        r"m\.(copysign|lerp)\(",
        ("x = m.ones(2)", "v = m.lerp(x, 3.0, 0.5)", "w = m.copysign(1.0, x)"),
        ACCEPTED,
    ),
    Known(
        "what PyTorch takes by name only may stand in its place as well",
        r"addc(mul|div)_?\(",
        ("x = m.ones(2)", "v = m.addcmul(x, x, x, 2.0)"),
        ACCEPTED,
    ),
)


def reason_for(lines: list[str], found: list[str], family: str) -> str | None:
    text = "\n".join(lines)
    fitting = (known for known in KNOWN if known.family in ("", family) and re.search(known.pattern, text))
    return next((known.reason for known in fitting if re.search(known.found, "\n".join(found))), None)
