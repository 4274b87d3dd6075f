"""Programs in which the two libraries once disagreed: each is mended, and stays so."""

import math

import pytest

import minigrad

from ..oracle import judge
from .judge import difference, run

MATRIX = "x = T([[1.0, 2.0], [0.5, -1.0]]); y = x * 1; "
KEEPS = (  # a Function that changes its mind about what it saves, and whose last argument is left out
    "F = type(m.autograd.Function)('F', (m.autograd.Function,), {'__module__': 'here', "
    "'forward': staticmethod(lambda ctx, a, b, c=1: [ctx.save_for_backward(3), ctx.save_for_backward(b), a * b][2]), "
    "'backward': staticmethod(lambda ctx, g: (g * ctx.saved_tensors[0], g))})"
)
NODE = "x, y = T([[1.0, 2.0]]), T([0.5, 1.0]) * 1; at = lambda one: m.autograd.graph.get_gradient_edge(one).node; "
FIRST = (  # a module that learns, and none of whose inputs asks for a gradient, before another one
    "x, net, last = m.ones(2), m.nn.Linear(2, 2), m.nn.Identity(); "
    "hook = net.register_full_backward_hook(lambda n, i, o: None); "
)
AGAIN = "x.tanh().sum().backward(); log = [g[0] for g in log[0]]"
THREE = "x, y, w = T([[1.0, 2.0]]), T([[0.0, 5.0]]), T([[0.5, 2.0]])"
BATCH = "T([[1.0, 2.0], [4.0, 7.0]])"
RUN = "y.sum().backward(); s = dict(n.state_dict())"
HOOKED = "j = o.register_step_post_hook(lambda *a: k.append(a[2])); o.step(); h.remove(); o.step(lambda: 3)"
STATE = "{'weight': T([[2.0]], grad=False), 'bias': T([1.0], grad=False)}"
GROUPS = "m.optim.SGD([{'params': [T([1.0])], 'initial_lr': 0.5}], lr=0.25), m.optim.lr_scheduler"
RATE = "r = o.param_groups[0]['lr']"
DERIVED = "x, J = T([1.0, 2.0], grad=False), m.autograd.functional"
JACOBIAN = f"{DERIVED}.jacobian"
HESSIANS = "a, b = (m.func.hessian(lambda x: (e(x) * c).sum())(x) for c in (w, w.detach())); g = first([a], w)"
TO_THE_BIT = "r = [(o.step(), s.step(), repr(s.get_last_lr()))[2] for i in range(12)]"
INFERRED = "x, f = T([3.0, 4.0]), lambda a: (a * a * k).sum(); with m.inference_mode(): k = x * 2"
HOOKED_VIEWS = "log, x = [], T([1.0, 2.0, 3.0]); y = x * 1; v = y[:2]; v.register_hook(log.append)"
CALLED = (
    "x, n, f = T([[1.0, 2.0]]), m.nn.Linear(2, 1).double(), m.func.functional_call; "
    "P = {k: p.detach() for k, p in n.named_parameters()}"
)
TIED = (
    "n[1].weight, f = n[0].weight, m.func.functional_call; v = f(n, {'0.weight': x, '1.weight': x * 2}, x); "
    "w = f(n, {'0.weight': x, '1.weight': x * 2}, x, tie_weights=False); u = f(n, {'0.weight': x, '1.weight': x}, x)"
)
BOTH_HOOKED = "b.register_hook(lambda g: log.append(['b', g])); a.register_hook(lambda g: log.append(['a', g]))"
OWN_STEP = (  # an optimizer that steps in its own way
    "w, log = T([1.0]), []; "
    "Own = type('Own', (m.optim.Optimizer,), {'step': lambda self, closure=None: log.append([self.defaults, closure])})"
)
STEPPED = (
    "o.register_step_pre_hook(lambda o, *given: log.append(['before', given])); "
    "o.register_step_post_hook(lambda o, *given: log.append(['after', given])); v = o.step()"
)
ASKS = (  # what a backward may ask its context, which in PyTorch is the node
    "log, NAMES = [], ['name', 'next_functions', 'metadata', 'shape', 'edges']; "
    "F = type(m.autograd.Function)('F', (m.autograd.Function,), {'__module__': 'here', "
    "'forward': staticmethod(lambda ctx, a: a * 2), "
    "'backward': staticmethod(lambda ctx, g: [log.append([hasattr(ctx, n) for n in NAMES] + [ctx.name()]), g][1])})"
)
IN_FUNC = "x, p, J = T([3.0, 4.0], grad=False), T([1.0, 2.0]), m.autograd.functional; G, V = m.func.grad, m.func.vmap"
DETACHED = "with m.autograd.graph.saved_tensors_hooks(m.Tensor.detach, lambda kept: kept): y = (d * w).sin()"
MAPPED = (  # Functions with and without a way through vmap: neither, a generated one, their own, both
    "x, OWN = T([3.0, 4.0], grad=False), {'vmap': staticmethod(lambda info, dims, a: (a * 2, 0))}; "
    "STATIC = {'forward': staticmethod(lambda a: a * 2), 'setup_context': staticmethod(lambda ctx, i, o: None)}; "
    "MAKE = lambda **k: type(m.autograd.Function)('F', (m.autograd.Function,), {'__module__': 'here', **STATIC, **k}); "
    "FS = [MAKE(), MAKE(generate_vmap_rule=True), MAKE(**OWN), MAKE(generate_vmap_rule=True, **OWN)]"
)
FROZEN = (  # a leaf that asks for no gradient any more, when one arrives
    "log, x, w = [], T([1.0]), T([2.0]); y = x * w; x.requires_grad_(False); a = y.grad_fn.next_functions[0][0]; "
)
PACKED = "x, H = T([1.0, 2.0]), m.autograd.graph.saved_tensors_hooks(abs, abs)"
SLOPES = "g = [first(one, x, create_graph=True)[0] for one in y]; h = first(g, x)"  # which are flat, and say so
FOUND = f"""
x = m.tensor([1, 2], dtype=m.uint8); y = m.where(x > 1, x, 300)
x = m.tensor([1, 2], dtype=m.uint8); y = m.where(x > 1, -1, x)
x = T([1.0, 2.0], grad=False); y = m.where(x > 1, x.float(), 1e300)
x = m.tensor([1, 2], dtype=m.uint8); y = F.pad(x, (1, 1), value=300)
x = T([1.0, 2.0], grad=False); x.expand(2, 2).fill_(m.tensor(2.0))
x = T([1.0, 2.0], grad=False); t = D(T(2.0, grad=False), T(1.0, grad=False)); x.expand(2, 2).fill_(t)
x = m.tensor([1j, 0], dtype=m.bool); y = m.as_tensor(1j, dtype=m.bool)
x = T([[1.0, 2.0], [3.0, 4.0]]); y = x.amax(x); z = m.tril(x, x)
w = T([[1.0, 2.0], [3.0, 4.0]]); y = F.linear(w, w[0], T([1.0])); z = F.linear(w, w[0], T(1.0)); v = F.linear(w, w, 1.0)
x, w = T([[[1.0, 2.0]]]), T([[1.0, 2.0], [3.0, 4.0]]); y = F.linear(x, w, T([[[1.0, 2.0]]]))
x, w, b = T([[[1.0, 2.0]]]), T([1.0, 2.0]), T(1.0); y = F.linear(x, w, b); g = first(y, x, w, b)
x = T([1.0, 2.0]); i = m.tensor([1.0, 2.0]); i.lt_(x); j = x * 1; j.ge_(2); k = x * 1; k.ne_(x); g = first(k, x)
x = m.tensor([1, 2], dtype=m.uint8); y = x ** 300; x **= 300; z = x ** -1
x = m.tensor([1.0, 2.0]).half(); y = m.where(x > 1, x, 70000.0); z = m.where(x > 1, 1e300, x)
x = m.tensor([1.0, 2.0]).half(); y = x.masked_fill(x > 1, 70000.0); x.fill_(70000.0)
x = T([[1.0, 2.0]]); a = m.dot(x[0], None); b = m.tril(x, 1.5); c = x.sum(0, 5)
x = T([[1.0, 2.0]]); a = x.argmax(keepdim=3); b = x.var(unbiased=3); c = x.topk(1, largest=5)
x = T([[1.0, 2.0]]); a = x.sum(keepdim=True); b = x.mean(keepdim=True); c = x.max(keepdim=True)
x = T([[1.0, 2.0]]); a = m.addmm(5, x, x.t()); b = m.dot(x[0], None)
x = T([[1.0, 2.0]]); y = x.squeeze(0); z = x.squeeze(0.0); v = x.squeeze([0.0])
a = m.arange(0.5, 0.2, 1, dtype=m.int64); b = m.arange(0, 5, 0.5, dtype=m.int64)
a = m.arange(0, -0.5, 2.5, dtype=m.int64)
c = T([1.0]) * 1; m.set_grad_enabled(False); v = c[0]; m.set_grad_enabled(True); c.relu_(); v.requires_grad_()
x = T([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]); y = F.max_pool2d(x, 3, padding=(1, 2), dilation=2)
x = m.tensor([3, 2], dtype=m.uint8); y = m.add(x, x, alpha=-3); z = m.add(x, x, alpha=300); v = m.add(x, x, alpha=[1.0])
a = m.zeros(2, 3, size=[1, 2]); b = m.ones(size=(2,)); c = F.adaptive_avg_pool2d(m.ones(1, 2, 2), (1, 3, 2))
x = T([]).reshape(0, 2, 3, 3).detach().requires_grad_(); y = F.max_pool2d(x, 2, return_indices=True)[0]; g = first(y, x)
d = D(T([1.0]), T([3.0], grad=False)); y = d * 1; m.set_grad_enabled(False); y.t_(); m.set_grad_enabled(True); y.sin_()
x = T([1.0, 2.0]); v = x.new_zeros(2, dtype=())
t = m.tensor(0.3); v = t.ge_(2); x = T(2.0, grad=False); x.eq_(2.0)
y = F.layer_norm(T([[1.0, 2.0]]), (2,)); v = y.grad_fn._saved_weight
x, t = m.ones(1, 2), m.tensor([0]); y = F.cross_entropy(x, t, m.tensor([1, 2])); z = F.nll_loss(x, t, T([1.0, 2.0]))
y = F.linear(m.zeros(0), m.zeros(3, 0), m.ones(3)); z = F.linear(m.zeros(2, 2), m.ones(1, 2), m.ones(1).double())
x = T([1.0, 2.0]); x.grad = x.detach(); del x.grad; z = x * x; x.data = m.zeros(3); v = x[0]; v.backward()
mean, var, x = m.zeros(2), m.ones(2), m.zeros(0, 2); y = F.batch_norm(x, mean, var, training=True)
q, k = m.ones(2, 2), m.ones(0, 2); y = F.scaled_dot_product_attention(q, k, k); s = [k.stride(), q[:, :0].stride()]
a = m.tensor([[1, 0]]); y = F.nll_loss(a, m.tensor([0])); z = F.binary_cross_entropy(a, a); v = m.clone(m.nn.ReLU())
x = T([[-0.21, 1.14], [-1.11, 0.85], [0.39, 1.01]]); v = x.var(1, correction=2); g = second([v], x)
x = T([1.0, 2.0]); y = m.add(x, x, alpha=True); z = m.sub(x, 1, alpha=True); v = m.chunk(x, 1.5); w = m.sum(x, dtype=x)
x = T([1.0, 2.0]); c = x * 1; d = D(x.detach(), c.detach()); m.set_grad_enabled(False); v = c[:1]; c.mul_(d); v[0] = 1
x = m.tensor(True); v = +x; a = m.tensor([1j]); a.abs_(); i = m.tensor([1]); y = F.gelu(i, approximate='tanh')
x = m.tensor([2]).to(m.uint8); a, b, c, d = x.all(), x.any(), x.all(0), m.any(x, 0, keepdim=True)
x = m.tensor([2, -1, 1, -1]).to(m.int8); a = x ** m.tensor([-1, -2, -3, 3]); b = (-1) ** x; c = 2 ** m.tensor(-1)
x = T([1.0, 2.0]); a = x.dot(None); b = x.view_as(None); c = F.conv1d(m.ones(2, 2, 2), None); d = x.outer(2)
k = T([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], grad=False); k.t_(); v = k.as_strided((2,), (1,)); v.mul_(2)
x = T([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]); y = x.t() * 1; v = y.as_strided((2, 2), (1, 2)); v.mul_(3); g = first(y, x)
y = m.ones(4); v = y.as_strided((2, 2), (2, 1)); y.data = m.ones(2); w = v * 2; u = y.as_strided((2, 2), (2, 1))
x = T([[1.0, 2.0], [3.0, 4.0]], grad=False); d = D(x, x * 2); d.transpose_(0, -1); x.requires_grad_(); v = d.is_leaf
x, y = T([1.0, 2.0]), T([3.0, 4.0]); z = x * y; p = m.nn.Parameter(x.detach()); p.data.mul_(2); z.sum().backward()
x, y = T([1.0, 2.0]), T([3.0, 4.0]); z = x * y; p = m.nn.Parameter(x, False); p.copy_(y); z.sum().backward()
x, b = T([1.0, 2.0]), T([[3.0, 4.0]]); c = x * 1; v = c.expand(2, 2); v[1:] = b; g = first(c, x, b)
k, w = T([1.0, 2.0], grad=False), T([3.0, 4.0]); v = k[:]; v[1:] = w[1:]; v.copy_(w)
A = m.ones(3, 3); f = lambda d: d['p'] * d['q'][0]; v = m.func.vmap(f, ({{'p': 0, 'q': [1]}},))({{'p': A, 'q': [A]}})
x = T([1.0, 2.0]); o = m.optim.AdamW([x], weight_decay=0); x.grad = x.detach() * 2; o.step(); v = x._version
{KEEPS}; x, w = T([1.0]), T([2.0]); y = F.apply(x, b=w); g = first(y, x, w)
x = m.repeat_interleave(m.tensor([0, 2, 1])); y = m.repeat_interleave(m.tensor([0.5]))
x = T([[1.0, 2.0]]); v = x[1:]; w = v.view_as(v); w.cumsum_(0); s = [w._is_view(), w._base is x]
{MATRIX}u, s, v = m.linalg.svd(y); y.zero_(); g = first(s, x)
{MATRIX}u, s, v = m.linalg.svd(y); u.zero_(); g = first(s, x)
{MATRIX}w, v = m.linalg.eigh(y); y.zero_(); g = first([w, v * v], x)
h = m.tensor([[0.5, 1.5, -2.0]]); v = h.kron(m.tensor([1 + 2j, 3])); z = h.nanmean(dtype=m.float64)
h = m.tensor([[0.5, 1.5, -2.0]]); v = m.norm(h, m.tensor(0.3), [0], dtype=m.float64); w = h.norm(dtype=m.float64)
x, i, s = T([1.0, 2.0]), m.tensor([0, 1, 1]), m.tensor(2); a = i.corrcoef(); b = s.corrcoef(); c = s.cov(); d = i.cov()
x, i = T([1.0, 2.0]), m.tensor([0, 1, 1]); c = m.kron(i, x); g = first(c, x); d = m.tensor(2).kron(x)
t, y = T(0.3), T([[1.0, 2.0], [0.5, 1.0]]); v = m.cosine_similarity(t, y); g = second(v, t, y)
y = T([]); v = m.trapezoid(y, m.ones(1, 2, 2)); w = m.trapezoid(m.ones(2, 0), dim=0)
x = m.ones(6); v = F.dropout(x, m.tensor(0.3)); w = m.nn.Dropout(m.tensor(0.3))(x)
a, b = m.tensor(1.0), m.ones(2); v = m.atleast_1d(a, b); w = m.atleast_2d([a, b]); u = m.atleast_3d(a, b)
a = m.tensor(1.0); v = m.atleast_1d((a,)); e = m.atleast_2d(); w = m.atleast_1d(3)
x, w = T([1.0, 2.0]), T([3.0]); o = m.optim.Adam([x, x, w]); (x * w).sum().backward(); o.step(); s = o.state_dict()
x = T([1.0, 2.0]); o = m.optim.AdamW([x], betas=[0.5, 0.9]); r = repr(o); s = o.state_dict()
{NODE}v = y.sum(); v.mul_(x); h = at(x).register_prehook(lambda g: 3); (y + x).sum().backward()
{NODE}z = x * 1; y[0] = 1; z.copy_(x); n = [at(one).name() for one in (x, y, z, x + 1)] + [repr(y)]
{FIRST}h = last.register_full_backward_hook(lambda n, i, o: (None,)); last(net(x)).sum().backward(); g = net.weight.grad
x, y = T([1.0, 2.0]), T([3.0, 4.0]); h = m.autograd.functional.hessian(lambda a, b: (a * b).sum(), (x, y), True)
log, x = [], T([1.0, 2.0]); y = x.tanh(); y.grad_fn.register_hook(lambda *g: log.append(g)); y.sum().backward(); {AGAIN}
x = T([[1.0, 2.0]]); v = m.block_diag(x); w = m.block_diag(x, m.ones(1), x.float()); g = second([v, w], x)
x = T([[2.0]]); v = m.matrix_power(x, 1); w = m.chain_matmul(x); s = [v is x, w is x]; u = m.matrix_power(x, -1)
x = T([[1.0, 2.0]]); v = x.sum_to_size(1, 2); w = x.sum_to_size((1, 1)); s = [v is x, w is x]
x = T([[1.0, 2.0]]); v = m.isin(x, x[0]); w = m.isin(x, 1.0); u = m.isin(x, x[0], invert=True); z = m.isin(2, x)
x = m.tensor(-3, dtype=m.int8); y = m.tensor(254, dtype=m.uint8); x += y; x.add_(m.tensor(300)); x.copy_(m.tensor(300))
x = m.tensor([[1.0, 2.0], [3.0, 4.0]]); a = x.softmax(None); b = x.log_softmax(dim=None); c = m.softmax(x, (0, 1))
x = m.tensor([[1.0, 2.0], [3.0, 4.0]]); a = F.softmin(x); b = F.softmin(x[0]); c = F.softmin(x[None])
x = m.arange(6.0); v = x[::2].ravel(); v.add_(1); w = x.ravel(); w.mul_(2); u = T([1.0]).ravel()
x = m.tensor([[2 + 1j, 1], [0.5j, -3]], dtype=m.complex128, requires_grad=True); v = m.logdet(x); g = second(v, x)
x = m.tensor([m.nan, m.inf, -m.inf, 3.0]).half(); v = x.nan_to_num(); w = x.nan_to_num(1, 2, 3)
x, y, w = T([[1.0, -2]]), T([[1.0, 0.0]]), T([0.5, 2]); v = F.multilabel_soft_margin_loss(x, y, w); g = second(v, x, w)
x, w = T([[1.0], [2.0]]), T([0.5, 2.0]); v = F.multilabel_soft_margin_loss(x, (x > 1).long(), w, reduction='none')
x = T(0.5); v = F.kl_div(x, x, reduction='batchmean'); g = first(v, x)
i = m.tensor([3]); a = m.hypot(i, i); b = m.logaddexp(i, i); c = m.logaddexp2(i > 0, i); d = m.hypot(i.float(), i)
i = m.tensor([1, 90]); i.deg2rad_(); i.clamp_min_(1.5); i.addcdiv_(i, i); i.clamp_max_(2.5)
i = m.tensor([1, 90]); i.clamp_max_(2); i.addcmul_(i, i)
a = m.tensor([300.0], dtype=m.int8); b = m.tensor([m.nan], dtype=m.int64); c = m.tensor([-1.0], dtype=m.uint8)
a = m.tensor([2.0**31], dtype=m.int32); b = m.tensor([1, -2.5], dtype=m.int8); c = m.tensor([-1], dtype=m.uint8)
x, i = T([1.0, 2.0]), m.tensor([90, -3]).to(m.int8); v = m.addcmul(x, i, x, value=63); v = v.detach()
x = T([1.0, 2.0]); v = m.addcmul(x, x, m.tensor([2, 4]), value=3); g = second(v, x); w = m.addcmul(v, v, v * 1j)
i, j = m.tensor([3, -2]), m.tensor([5, 7]).to(m.int8); v = m.addcmul(i, i, j, value=2.5); w = m.addcdiv(i, j, i)
x = T([1.0, 2.0]); v = m.addcdiv(x, x, x.exp(), value=3); g = second(v, x); w = m.addcdiv(x, *x.int())
i = m.tensor([0, 5]).to(m.uint8); v = F.threshold(i, 3, 2.5); w = m.frac(i); u = m.lerp(i, i, 0.5)
t, i = m.tensor(2), m.tensor([0]); v = t.index_fill(0, i, 7); t.index_fill_(0, i, t)
y, i = m.arange(6.0).reshape(2, 3), m.tensor([1]); y.index_fill_(1, i, np.float32(2)); y.index_fill_(0, i, y[0])
y, i = m.arange(6.0).reshape(2, 3), m.tensor([1, 0]); y.index_copy_(0, i, y[:, :1]); y.index_copy_(1, i, m.ones(2))
x = T([2.0, 1.0, 3.0]); a = x.kthvalue(2); c = x.kthvalue(-1); d = x[0].kthvalue(1); g = first(a[0], x)
a = m.multinomial(m.tensor([1, 2]), 1); b = m.float_power(np.float32(2), m.tensor([1, 2])); c = F.gelu(m.tensor([1j]))
x = m.tensor([1.0, 0.0]); a = m.linalg.vector_norm(x, 3, dtype=m.float64); b = m.count_nonzero(x, ()); c = m.all(x, ())
x = T(2.0); v = m.logcumsumexp(x, 0); g = second(v, x); a = m.any(m.zeros(2), (), True); b = m.logit(m.tensor(0.5j))
x, b = T([[2.0, 1.0], [0.5, 3.0]]), T([[1.0, 2.0]]); v = m.linalg.solve(x, b, left=False); g = second(v, x, b)
z = m.tensor([1 + 2j, -1j], requires_grad=True); o = m.optim.Adam([z]); z.grad = m.tensor([3j, 1]); o.step(); o.step()
z = m.tensor(1 + 2j, requires_grad=True); o = m.optim.RMSprop([z], momentum=1); z.grad = z * 3j; o.step(); o.step()
x = T([1.0]); o = m.optim.AdamW([x]); a = list(o.param_groups[0]); b = list(o.state_dict()['param_groups'][0])
x = T([1.0]); x.grad = x * m.inf; a = m.nn.utils.clip_grad_norm_(x, 1.0, error_if_nonfinite=True, foreach=True)
x = m.tensor([[3, 1], [1, 2]]).to(m.uint8); v = m.trace(x); w = x.int().trace()
a = m.abs_([0]); b = m.where([0], (0, 1)); c = m.logical_and(0, 1); d = m.isnan([0]); e = m.clamp_(1, 2)
x = m.ones(2); a = F.pairwise_distance(x, 2); b = m.dist(2, x); c = m.bincount([1]); d = m.sin_(0); e = m.signbit(2)
x = m.tensor([-1.0, 2.0]); a = F.elu(x, 1.0, False); b = F.leaky_relu(x, 0.2, True); c = F.silu(x, True, 1)
x = m.tensor([-1.0, 2.0]); a = F.celu(x, 2.0, True); b = F.hardtanh(x, -1, 1, True); c = F.relu6(x, True)
x = m.ones(2, 3); a = m.lerp(x, m.ones(2), 0.3); b = m.lerp(x, x.double(), 0.3); c = m.lerp(x, x.double(), x)
x, w = T([1.0, 2.0]).half(), m.tensor(0.7).double(); v = m.lerp(x, x * 3, w); z = x.lerp_(x, w)
x = m.ones(2, 2, 2); v = m.cov(x); w = m.corrcoef(x); u = m.cov(x[0]); y = F.layer_norm(m.tensor(1.0), ())
a, b = m.ones(2, 3), m.ones(3); v = m.addmv(m.ones(2, 2), a, b); w = m.addmv(m.ones(1), a, b, beta=2, alpha=3)
a, b = m.ones(1, 2, 2), m.ones(3, 2, 2); v = m.baddbmm(b[None], a, a); w = m.baddbmm(b[0], a, a); u = m.addr(b, *a[0])
x = m.ones(2, 2).half(); a = m.linalg.inv(x); b = m.linalg.det(x); c = m.linalg.svd(x); d = m.slogdet(x); e = m.mm(x, x)
x = m.ones(2, 2).half(); a = m.linalg.qr(x); b = m.linalg.eigh(x); c = m.linalg.cholesky(x); d = m.linalg.solve(x, x)
x = m.ones(4, 2, 3); y = m.matmul(x, m.ones(2)); z = m.matmul(x, m.ones(3)); v = x[0] @ m.ones(2)
a = F.cosine_similarity((0, 1), m.ones(2)); b = m.equal(m.ones(2), 1j); c = m.cdist(None, m.ones(2, 2))
n = m.nn.Linear(1, 1); o = m.optim.Adam(n.named_parameters()); s = o.state_dict(); r = [repr(o), *o.param_groups[0]]
n = m.nn.Linear(1, 1); o = m.optim.SGD([('a', n.weight), n.bias]); p = m.optim.SGD([('a', 3)]); q = m.optim.SGD([()])
n = m.nn.Linear(1, 1); o = m.optim.SGD(n.named_parameters()); o.add_param_group({{'params': T([1.0])}})
x = T([[1.0, 3.0, 2.0]]); v = [f(1)[0].grad_fn._saved_indices for f in (x.sort, x.max, x.topk, x.median)]
x, y = T([1.0]), T([2.0, 3.0]); v = m.nn.ReLU()(x, y); w = m.nn.ELU(0.5)(x, y); a = F.relu(x, y)
x = T([1.0, 2.0]); names = [repr(one) for one in (x[:], x[...], x[None][:, :], m.copysign(x, x), m.copysign(x, -1))]
i = m.tensor([7, -7]); v = [m.div(i, 2, rounding_mode=r) for r in (None, 'floor', 'trunc')]
x = T([1.567, -2.5]); w = x.round(decimals=1); v = m.autograd.grad(w.sum(), x)
x = T([5.0, -5.0]); v = [first(m.div(x, x - 2, rounding_mode=r), x) for r in (None, 'trunc')]
a = F.relu(3, True); b = F.silu(3, True); c = F.relu([1], inplace=True)
x = m.tensor([-1.0, 2.0]); a = F.relu(input=x, inplace=True); y = x * 1; b = F.elu(input=y, alpha=2.0, inplace=True)
x = m.ones(2); w = m.div(x, 2, rounding_mode='up'); v = x.round_(decimals=0)
x = m.tensor([5.55, -5.0]); x.div_(2, rounding_mode='floor'); x.round_(decimals=-1); a = m.round(x, decimals=1.5)
a, b = m.linspace(1e-3, 5, 5, dtype=m.complex64), m.linspace(1 + 1j, 2, 3); c = m.linspace(0, 1j, 4, dtype=m.complex128)
a = [m.logspace(*ends, 3) for ends in ((1 + 1j, 2), (1, 2j), (0, 2))]; b = m.linspace(1j, 2, 3, dtype=m.float32)
a = m.numel(3); b = m.is_complex(3); c = m.is_floating_point('a'); d = m.is_inference(None)
x = T([[1.0, 2.0], [3.0, 5.0]]); a, b, c = F.softmax(x), F.log_softmax(x), F.softmin(x); g = second([a, b, c], x)
x = m.ones(3); a = F.softmax(x, None, 3, m.float64); b = F.softmin(x[None, None], dtype=m.float64); c = m.softmax(x)
x = m.tensor([1j]); a = m.div(x, 2, rounding_mode=None); b = m.div(x, 2, rounding_mode='trunc'); x.div_(2)
i = m.tensor([1]); a = m.div(i, 0, rounding_mode=None); b = m.div(i > 0, i > 0, rounding_mode=None)
x = m.ones(2, 2); a = m.combinations(x); b = m.cartesian_prod(x); c = m.chain_matmul(x[0]); d = m.vander(x)
x = m.ones(4); a = m.hsplit(x); b = m.vsplit(x, 1); c = m.dsplit(x, 1); d = x.tensor_split(1.5); e = x.take(1)
x = m.tensor([1j]); a = m.nansum(x); b = m.cummax(x, 0); c = m.isposinf(x); d = m.rad2deg(x); e = m.isin(x, x)
a = m.nanmean(m.tensor([1])); b = m.bincount(m.tensor([True])); c = m.isin(m.tensor([1]), [1]); d = m.flipud(m.ones(()))
y = m.ones(2, 3); a = m.trapezoid(y, y[:, 0]); b = m.trapezoid(y > 0); c = m.cumulative_trapezoid(y, y[:, 0])
x, y = T([[1.0, 2.0], [4.0, 7.0]]), T([[3.0], [5.0]]); v = m.diff(x, 2, prepend=y, append=x); g = second(v * v, x, y)
x = m.ones(2, 3); a = m.diff(x, prepend=2); b = m.diff(x, prepend=m.ones(())); c = x.diff(0, append=x)
p = T([1.0]); o = m.optim.SGD([('a', p)]); o.load_state_dict(m.optim.SGD([p]).state_dict()); s = [*o.param_groups[0]]
x, k, v = m.ones(2), m.tensor([1]), m.tensor(1j); a = x.masked_fill(x > 0, v); b = x.index_fill(0, k, v)
x, k = m.ones(2), m.tensor([True, False]); a = x.masked_scatter(k, x.double()); x.masked_scatter_(k, x.half())
x = m.ones(2); a = m.matrix_power(x, 2); b = m.renorm(x, 2, 0, 1.0); c = x.H; d = x.cumsum((0,)); e = x.prod((0,))
x = m.zeros(0); a = m.cat([x, x], 1); b = m.cat([x, m.ones(2, 2)], 1); c = m.cat([x, m.ones(1)], 1)
i, x = m.tensor([1, 2]), T([1.0, 2.0]); v = F.cosine_similarity(i, x, dim=0); g = second(v, x)
i = m.tensor([1, 2]); a = F.cosine_similarity(i, i, dim=0); b = F.cosine_similarity(i * 1j, i, dim=0)
a, b = float(m.tensor(1 + 0j)), int(m.tensor([2 + 0j])); c = complex(m.tensor(1 + 1j))
x = T([[1.0, 2.0, 4.0], [3.0, 5.0, 1.0]]); r = [repr(m.corrcoef(x)), repr(m.corrcoef(x[0]))]
a = m.ones(2, 2); v = a.index_fill(-2, m.tensor([0]), 3); v.detach_(); s = [v._is_view(), v.is_contiguous()]
i = m.tensor([1, 2]); a = F.hardsigmoid(i); b = F.hardswish(i); c = F.hardshrink(i); d = F.softshrink(i); e = F.glu(i)
x = m.ones(2, 3); a = m.inner(x, m.ones(1)); b = m.inner(x, x); c = m.cross(x, x[0]); d = m.cross(x, x.double())
x, w = T([0.32, -1.91, 2.0]), T([1.0, -0.49, 0.0]); v = x.fmod(w); g = second(v, x, w)
x = T(2.0); v = x.kthvalue(1, 0, True); w = x.kthvalue(1, keepdim=True); g = first(w[0], x)
i = m.tensor([True]); a = F.logsigmoid(i); b = F.threshold(i, 1, 0); c = m.erfc(m.tensor([1j]))
x, y = T([[0.5, 1.0]]), T([[0.2, 0.8], [0.1, 0.9]]); v = F.kl_div(x, y, reduction='batchmean'); g = second(v, x, y)
i = m.tensor([1]); a = F.kl_div(i, i); b = F.kl_div(i.float(), i)
i = m.tensor([1]); c = F.margin_ranking_loss(i, i, i, reduction='batchmean')
x = T([-1.0, 0.0, 2.0]); v = F.celu(x, -0.5); g = second(v, x); w = F.celu(x); h = second(w, x); a = F.celu(x.int())
x = T([[0.0, 3.0], [0.0, 4.0]]); v = x.norm(3, 0); g = first(v, x, create_graph=True)[0]; h = first(g, x)
x = m.zeros(2, 0); a = x.var(1, correction=-1); b = x.std(correction=-2); c = m.ones(2, 1).var(1, correction=-1)
i = m.tensor([[255, 200]]).to(m.uint8); a = i.sum_to_size(1, 1); b = i.sum_to_size(1); c = (i > 1).sum_to_size(1, 1)
i = m.tensor([3, 1, 2]).to(m.uint8); a = m.trapezoid(i, dx=-1); b = m.cumulative_trapezoid(i, dx=-1)
x = T([[1.0, 2.0], [3.0, 4.0]]); v = x.take_along_dim(m.tensor([[-1], [2]]), 1); g = first(v, x)
x = m.ones(2, 3).half(); a = F.batch_norm(x, m.zeros(3), m.ones(3))
x = m.ones(2, 3).half(); b = F.batch_norm(x, m.zeros(3), m.ones(3), m.ones(3))
x = m.ones(2, 3); a = x.unflatten(2, (3, 1)); b = m.renorm(x, 2, 2, 1.0); c = x[:0].unflatten(1, (-1, 3))
x = m.ones(2, 3); d = x.unflatten(-1, [3, -1])
x = m.ones(3); a = x.hsplit(0); b = x.hsplit(2); c = x.tensor_split(0); d = F.glu(x); e = x.tensor_split(2)
x = m.ones(2, 2); a = x.rot90(1, (0, 0)); b = x.rot90(1, (0, -2)); c = x[0].rot90(); d = x.rot90(3, [-1, 0])
x = m.ones(2, 2); e = x.rot90(0, (1, 1))
x = m.ones(2); a = x.roll(1.0); b = x.roll(1j); c = x.roll((1.0,)); d = x.roll(m.tensor(1)); e = m.dist(x, 2)
x = m.ones(2); c = m.addcmul(x, 2, x); d = m.addcdiv(x, x, 2); x.float_power_(2)
x = m.ones(2).double(); x.float_power_(2); x.float_power_(1j); z = m.tensor([1j]); z.float_power_(2)
i = m.tensor([1]); i.float_power_(2)
z = m.tensor([[1 + 2j, 3, 1j], [2, 1 - 1j, 0.5]]); a = m.corrcoef(z); b = m.corrcoef(z[0]); c = m.corrcoef(z.real)
i = m.tensor([[1, 2]]); a = m.addr(i, i[0, :1], i[0], beta=2.0)
i = m.tensor([1, 2]).to(m.uint8); a = m.addcmul(i, i, i, value=-1)
c = m.full(m.tensor(2), 1)
x = m.ones(2, 2, 2); n = m.tensor(1); v = x.movedim(n, n * 0); w = m.linspace(0, 1, n * 3)
x = m.ones(2, 3, 4).permute(2, 0, 1); v = [y.view(-1) for y in (x.sum(1), x.mean(2), x.amax(1), x.var(1), x.cumsum(1))]
x = m.ones(2, 3, 4).permute(2, 0, 1); v = [y.view(-1) for y in (x.norm(dim=1), x.logsumexp(1), x.prod(1), x.any(1))]
x = m.arange(6.0).view(2, 3).t(); v = F.pad(x, (1, 1)).view(-1); w = F.one_hot(x.long()).view(-1)
x = m.arange(6.0).view(2, 3).t(); v = x.masked_fill(x > 2, 0.0).view(-1); w = m.arange(3).expand(2, 3).flip(0).view(-1)
x, y = T([[1.0, 2.0]]), T([[3.0, 4.0], [5.0, 6.0]]); v = m.einsum('ij,jk->ki', x, y).view(-1); g = second(v, x, y)
x = m.arange(3).expand(2, 3); s = [y.stride() for y in (x.float(), x.sin(), x + 0.5, x.clone(), x.clamp(1.5))]
x = m.arange(6.0).view(2, 3).t(); v = m.cat([x, x]).view(-1); w = m.stack([x, x], 1).view(-1); u = x.softmax(0).view(-1)
x = m.arange(6.0).view(2, 3).t(); v = F.layer_norm(x, (2,)).view(-1); w = m.nn.BatchNorm1d(2)(x).view(-1)
n, x = m.nn.BatchNorm1d(2).eval(), m.arange(6.0).view(1, 3, 2).mT; v = n(x).view(-1); u = x.log_softmax(1).view(-1)
x, t = m.eye(2), m.tensor([[0], [1]]); a = F.cross_entropy(x, t); b = F.nll_loss(x, t); c = F.nll_loss(x[0], t[0])
x = m.ones(2, 3); a = F.cross_entropy(x[0], m.tensor([0, 1])); b = F.cross_entropy(x[:, :, None], m.tensor([0, 1]))
x = m.ones(2, 3, 4); a = F.nll_loss(x, m.zeros(2, 3).long()); b = F.nll_loss(x, m.zeros(2).long())
x, f = m.full((2,), 0.5), F.binary_cross_entropy; a = f(x, x * 3); b = f(x, -x, reduction='none'); c = f(x, x * m.nan)
i = m.tensor([], dtype=m.int64); a = F.one_hot(i); b = F.one_hot(i, 3); c = m.bincount(m.tensor([-1]))
x = m.ones(3); a = F.scaled_dot_product_attention(x, x, x); b = F.scaled_dot_product_attention(x[None], x, x[None])
x = m.tensor([-0.0]); a = [m.signbit(one) for one in (F.elu(x), F.selu(x), F.softshrink(x), F.softshrink(x - 0.1))]
x = T([0.5, -2.0]); v = [f(x).grad_fn.name() for f in (F.mish, F.celu, F.selu, F.hardswish, F.softshrink, F.hardshrink)]
x, w = T([0.5, m.nan]), T([m.nan, 2.0]); v, u = m.fmax(x, w), x.deg2rad(); n = [v.grad_fn.name(), u.grad_fn.name()]
x = m.ones(2); a = x.to('cpu', m.float32, False, True); v = [x is a, x.to(x, True, True) is x, x.to(x, False) is x]
i = m.tensor(200).to(m.uint8); a = i.sum_to_size(()); x = T(2.0); b = x.sum_to_size(()); v = [b is x, b.grad_fn.name()]
x = T([[2.0, 1.0], [5.0, 4.0]]); v, i = x.kthvalue(2, 0); w = [v._is_view(), v.grad_fn.name()]; g = second(v, x)
x = m.arange(24.0).view(2, 3, 4); v, i = x.kthvalue(2, 1); s = [v.stride(), i.stride(), m.cross(x, x, dim=1).stride()]
x = T([1.0, 3.0]); v, i = x.cummax(0); w, j = x[0].cummin(0); n = [v.grad_fn.name(), w.grad_fn.name(), w._is_view()]
x, w = m.ones(1, 2, 3, 3), m.ones(2, 3, 3, 3); y = F.conv_transpose2d(x, w, None, 2, padding=1).view(-1)
w, b = T([0.5]), T(-1.0); a = F.prelu(b, w); c = F.prelu(b, w[0]); g = second([a, c, F.prelu(w, w[0])], b, w)
a = F.batch_norm(m.ones(0), m.ones(0), m.ones(0)); i = m.ones(3, 2).bool(); b = F.batch_norm(i, i[0], i[0])
i = m.ones(2, 1).int(); a = F.layer_norm(i, (1,)); b = F.layer_norm(i * 1j, (1,)); c = m.nn.BatchNorm1d(1)(i)
x, w = m.ones(1, 1, 4), m.ones(1, 1, 2); a = F.conv1d(T([[[3.0, 2.0]]]), w); b = F.conv1d(x, w, T([1.0]))
x, w = m.ones(1, 1, 4).long(), m.ones(1, 1, 2); a = F.conv1d(x, w); b = F.conv1d(x, w.long())
x, n = m.ones(1, 1, 4, 4).double(), m.nn.Conv2d(1, 1, 2); a = F.conv_transpose2d(x, n.weight); b = n(x)
x = m.ones(2, 2); a = m.eye(2, -1); b = x.rot90(1, (0,)); c = x.rot90(1, [0, 1, 0]); d = m.allclose(x, m.ones(3))
x, f = m.ones(1, 2, 2), F.adaptive_avg_pool2d; a = f(x, ()); b = f(x, (-1, 2)); c = f(x[0], 1)
x = m.ones(1, 2, 2); d = F.adaptive_avg_pool2d(x.long(), (1, 2)); e = F.adaptive_avg_pool2d(x * 1j, (1, 2))
x, i = m.ones(3), m.ones(3).byte(); a = x.masked_scatter(i, x); b = x.masked_scatter(i > 0, x[:2])
a = m.logspace(0, 1.2, 4, dtype=m.int64); b = m.logspace(0.5, 2.9, 3, 5.0, dtype=m.uint8)
a = m.logspace(0, 1, -1); b = m.logspace(0, 1, 3, device='cpu'); c = m.logspace(m.tensor(0), m.tensor(1.0), 2)
x = m.ones(2, 2); a = F.triplet_margin_loss(x, x, x, margin=0.0); b = F.triplet_margin_loss(x, x, x, margin=-1)
i = m.ones(2).long(); i.normal_(); i.uniform_(); j = i > 0; j.uniform_()
m.set_default_dtype(m.float16); a = m.where(m.tensor([True]), 1.0, 0.5); m.set_default_dtype(m.float32)
a = m.arange(end=3); b = m.arange(); x = m.ones(2); c = x.new_zeros(size=(2,)); d = m.linalg.det(A=m.eye(2))
x = m.ones(3, 3); x[0] = 2; x.requires_grad_(); v = m.linalg.svdvals(x)[0]; g = first(v, x)
x = T([[2.0, 0.0], [0.0, 2.0]]); w, v = m.linalg.eigh(x); g = first(v, x); h = second(m.linalg.eigvalsh(x), x)
x = T([[2.0, 0.0], [0.0, 2.0]]); u, s, v = m.linalg.svd(x); g = first(u, x); h = second(s, x); k = first(v, x)
x = T([[2.0, 0.0], [0.0, 2.0]]); a = first(m.linalg.svdvals(x), x); b = first(m.linalg.eigvalsh(x), x)
x, y = T([0.0, 1.0, 2.0]), T([-1.0, -1.0, 2.0]); v = m.xlogy(x, y); g = m.autograd.grad(v[2], (x, y))
x = m.ones(2, 3, 4).permute(2, 0, 1); y = F.dropout(x, 0.5); x.uniform_(); z = m.ones(3).expand(2, 3); w = F.dropout(z)
x = m.ones(2, 3).t(); x.bernoulli_(0.4); y = m.ones(3, 2).bernoulli_(x / 2); x.bernoulli_(y / 2 + 0.2); x.normal_()
x = m.ones(30, 2); x.normal_(); y = x[::2]; z = y.clone(); z.normal_(); x.t().normal_(); w = F.dropout(x.t(), 0.2)
o, S = m.optim.SGD([T([1.0])], lr=0.5), m.optim.lr_scheduler; a = S.LinearLR(o, 0.0); b = S.LinearLR(o, 2.0)
o, S = m.optim.SGD([T([1.0])], lr=0.5), m.optim.lr_scheduler; a = S.ConstantLR(o, 2.0); b = S.LinearLR(o, 0.5, -1.0)
x, n = m.ones(2, 2, 3), m.tensor(2); u = m.movedim(x, (n, 0), [0, n])
a, b = m.ones(2), m.ones(2, 2); v = F.margin_ranking_loss(a, b, b); w = F.triplet_margin_loss(a, b, b)
a, b = m.ones(2), m.ones(2, 2); u = F.soft_margin_loss(a, b)
a, b = m.ones(2), m.ones(2, 2); v = F.cosine_embedding_loss(a, a, m.ones(2)); w = F.cosine_embedding_loss(b, b, b)
a, b = m.ones(2), m.ones(2, 2); u = F.soft_margin_loss(b, a)
x, w = m.ones(3, 2), m.ones(2).double(); y = F.batch_norm(x, None, None, w, w, True); z = F.layer_norm(x, (2,), w)
x = T([[1.0, 2.0]]); a = x.sum(dtype=m.int64); b = x.cumsum(0, dtype=m.int32); c = x.detach().prod(dtype=m.int64)
x = m.ones(1, 1, 3, 0); a = F.adaptive_avg_pool2d(x, (2, 2)); b = F.adaptive_avg_pool2d(x[0], 2)
x, w = m.ones(3, 2).half(), m.ones(2); y = F.batch_norm(x, None, None, w, w, True); z = F.layer_norm(x, (2,), w)
x = T([[0.5, 1.5]]); a = m.sum(input=x); b = m.mean(input=x); c = m.prod(input=x); g = first([a, b, c], x)
x = T([[0.5, 1.5]]); a = m.linalg.matrix_power(input=m.eye(2), n=2); b = m.dist(x=x, other=x)
i = m.tensor([3, -3, 1]); i.pow_(m.tensor([2, -1, 3])); i **= m.tensor([1, 2, 3])
x = m.arange(4.0); v = x.take(m.tensor(1)); v.add_(1); w = x.take(m.tensor(-1)); s = [v._is_view(), x[1].item()]
i = m.tensor([3, 0, -3]); a = F.threshold(i, -0.5, 2); b = F.threshold(i, 0.5, 2); c = F.threshold(i.double(), 0.5, 2)
r = [repr(m.slogdet(m.eye(2))), repr(m.linalg.slogdet(m.eye(2)))]
x = T([[0.5, 1.5]]); a = m.softmax(x, 1, m.float64); b = x.log_softmax(0, None); c = m.softmax(x, -1, m.float32)
i, k = m.tensor([1, 2]), m.tensor([[True, False], [True, True]]); a = m.masked_scatter(i, k, m.arange(3)); b = i + a
x = m.ones(2); a = F.elu(x, [1]); b = F.elu(x, None); c = F.celu(x, [1]); d = F.leaky_relu(x, (0.1,))
x = m.ones(2); a = F.elu(x, m.tensor(2.0)); b = F.elu(x, np.float32(2)); c = F.elu(x, True); d = F.elu(x, m.ones(1))
x = m.ones(2); a = F.huber_loss(x, x, delta=[1]); b = F.smooth_l1_loss(x, x, beta=None); c = F.softshrink(x, -0.5)
x = m.ones(2, 2); a = m.addmm(x, x, x, alpha=None); b = m.add(x, x, alpha=[1]); c = F.layer_norm(x, (2,), eps=[1])
x = m.ones(2, 2); a = F.kl_div(x, x, log_target=1); b = m.isclose(x, x, equal_nan=None); c = m.allclose(x, x, -1.0)
x = m.ones(2, 2); a = F.one_hot(m.tensor([1]), 2.0); b = F.cross_entropy(x, m.tensor([0, 1]), ignore_index=1.5)
x = m.ones(2, 3); a = F.prelu(x[0], m.ones(3)); b = F.prelu(x, m.ones(3, 1)); c = F.prelu(x, m.ones(3))
x = m.ones(2, 3); a = x.matrix_power(1); b = m.renorm(x, 0, 0, 1.0); c = m.renorm(x, 2, 0, -1.0)
x = m.ones(2, 3); a = m.linalg.multi_dot([x[None], x.T]); c = m.linalg.multi_dot([x])
x = m.ones(2, 3); b = m.index_fill(x, 0, m.tensor([[0]]), 1.0)
x = T([[1.0, 2.0], [3.0, 4.0]]); v = x[:, [1, 0]].view(-1); w = x[..., m.tensor([[1]])].view(2); g = second(v, x)
x = m.arange(24.0).view(2, 3, 4); s = [x[:, [0, 1]].stride(), x[:, 1, [2, 0]].stride(), x[..., x[0, 0] > 1].stride()]
x = T([1.0, 2.0]); f = lambda x: x**3; s = [j(f)(x).stride() for j in (m.func.jacfwd, m.func.jacrev)]
x = T([[1.0, 2.0, 3.0]]); f = lambda x: (x**3).prod(); h = m.func.hessian(f)(x); s = h.stride()
n = m.nn.BatchNorm1d(2).double(); y = m.utils.checkpoint.checkpoint(n, {BATCH}, use_reentrant=False); {RUN}
i, t = m.inf, m.tensor([0.0, 0.5, 1.0]); a = [F.binary_cross_entropy_with_logits(0 * t + c, t).item() for c in (i, -i)]
{THREE}; v = F.mse_loss(x, y, weight=w); g = second(v, x, y, w); u = F.l1_loss(x, y, weight=w[0])
{THREE}; v = [F.l1_loss(x, y, reduction=r, weight=w) for r in ('sum', 'mean', 'none')]; g = second(v, x, w)
w, k = T([1.0]), []; o = m.optim.SGD([w]); h = o.register_step_pre_hook(lambda o, a, b: k.append(len(a))); {HOOKED}
w = T([1.0]); o = m.optim.SGD([w]); h = o.register_step_pre_hook(lambda o, a, b: ((o, lambda: 3), b)); v = o.step()
n, s = m.nn.Linear(1, 1).double(), {STATE}; v = n.load_state_dict(s, assign=True); k = n.weight is s['weight']
n = m.nn.BatchNorm1d(2); s = m.nn.BatchNorm1d(2).state_dict(); n.load_state_dict(s, assign=True); v = n.state_dict()
o, S = {GROUPS}; a = S.StepLR(o, 1, 0.1, -1); b = S.StepLR(o, 1, 0.1, 2); {RATE}
o, S = m.optim.SGD([T([1.0])], lr=0.5), m.optim.lr_scheduler; b = S.StepLR(o, 1, 0.1, last_epoch=2)
o, S = {GROUPS}; a = S.CosineAnnealingLR(o, 9, 0.1, 2); o.step(); a.step(); b = S.LambdaLR(o, abs, 1); {RATE}
o, S = {GROUPS}; a = S.ExponentialLR(o, 0.5, 2); o.step(); a.step(); b = S.LinearLR(o, last_epoch=1); {RATE}
o, S = {GROUPS}; a = S.MultiStepLR(o, [3], 0.5, 2); b = S.ConstantLR(o, 0.5, 3, 2); S.PolynomialLR(o, 5, 2.0, 1); {RATE}
a, r = m.full((2, 2), m.nan), m.ones(2, 2); v = m.addmm(a, r, r, beta=0); w = m.addmv(a[0], r, r[0], beta=0)
a, r = m.full((2, 2), m.nan), m.ones(2, 2); v = m.addr(a, r[0], r[0], beta=0); w = m.addbmm(a, r[None], r[None], beta=0)
a, x = T([[m.nan, 1.0]]), T([[2.0, 3.0]]); v = m.addmm(a, x, x.T @ x, beta=0); g = first(v, a, x)
{JACOBIAN}; a = J(m.sin, x, False, False, True); b = J(m.exp, x, strict=True)
{JACOBIAN}; a = J(m.sin, x, vectorize=True, strategy='forward-mode')
{JACOBIAN}; a = J(lambda a, b: a, (x, x), strict=True); b = J(m.sin, x, strategy='forward-mode')
{DERIVED}; a = J.hvp(m.sum, x, x, strict=True); b = J.hessian(m.sum, x, strict=True)
{DERIVED}; a = J.jvp(lambda a: x, x, x, strict=True); b = J.vjp(m.sin, x, x, strict=True)
x = m.ones(1, 2); y = m.tensor([*x.t().stride(), *x.expand(3, 1, 2).stride()])
x = m.ones(2, 2); y = m.tensor([*x.t()[..., None].stride(), *x[:1].stride(), *x[:, :1].stride()])
x = m.ones(2, 3).t(); y = m.tensor(m.zeros_like(x).stride() + m.full_like(x, 2).stride())
m.manual_seed(0); x = m.ones(5, 4).t(); y = m.rand_like(x); z = m.randn_like(x); v = m.randint_like(x, 9); w = m.rand(1)
m.manual_seed(0); x = m.ones(5, 1).expand(5, 4); y = m.rand_like(x); z = m.randn_like(x); w = m.randn_like(x[:1])
x = m.ones(2, 3).t(); y = m.tensor(x.clone(memory_format=m.contiguous_format).stride() + x.clone().stride())
x = m.ones(2, 3).t(); y = m.tensor(m.ones_like(x, memory_format=m.contiguous_format).stride())
m.manual_seed(0); x = m.bernoulli(m.tensor(0.5)); y = m.tensor(m.multinomial(m.ones(3, 2).t(), 2).stride())
x = T([1 + 7j, 3 - 2j], dtype=m.complex128); y = m.logsumexp(x, 0); z = m.logsumexp(x[:1], 0); g = first([y.real], x)
x = T([1.5]); y = (x * 1).acosh_(); z = (x * 1).asinh_(); v = (x / 2).atanh_().detach()
x = T([1.5]); y = (x * 1).asinh_(); g = first([y], x)
x = m.tensor([201, 100, 7], dtype=m.uint8); y = m.trapezoid(x, m.tensor([1, 200, 3], dtype=m.uint8))
x = m.tensor([201, 100, 7], dtype=m.uint8); y = m.cumulative_trapezoid(x, x.flip(0)); z = m.cumulative_trapezoid(x)
x = m.tensor([[[5]]], dtype=m.uint8); y = m.index_add(x, 0, m.tensor([0]), x, alpha=-1); z = m.addbmm(x[0], x, x)
x = m.tensor([[[5]]]); y = m.addmv(x[0, 0], x[0], x[0, 0], beta=0.6, alpha=1.9); z = m.baddbmm(x, x, x, beta=-1.5)
x = m.tensor([True, False]); y = m.addr(x, x, x); z = m.addr(x.long(), x.long(), x.long(), alpha=0.5)
x = m.ones(1, 2, 2); a = F.avg_pool2d(x * 1j, 2); b = F.scaled_dot_product_attention(x, x, x, is_causal=None)
x = m.ones(3, 4); v = m.multinomial(x, 1); s = v.stride(); w = v.view(-1); u = m.multinomial(x, 2).view(6)
x = m.tensor([0, 5], dtype=m.uint8); a = m.div(x, 300, rounding_mode=None); b = m.div(x, -1, rounding_mode=None)
i = m.tensor([1, 2]).int(); a = m.repeat_interleave(i); b = m.repeat_interleave(i[:0]); c = m.addr(-i, i > 0, i > 1)
x, w, e = T([[0.1, 0.2], [0.3, 0.4]], grad=False), T([[1.0, 2.0], [3.0, 1.0]]), m.linalg.matrix_exp; {HESSIANS}
o, S = {GROUPS}; s = S.CosineAnnealingLR(o, 5, 0.01); {TO_THE_BIT}
o, S = {GROUPS}; s = S.LinearLR(o, 0.3, 0.9, 7); {TO_THE_BIT}
o, S = {GROUPS}; s = S.PolynomialLR(o, 7, 0.9); {TO_THE_BIT}
x = m.ones(2, 2); a = x.float({{}}); b = x.long(None); c = x.to(memory_format='a')
x = T([3.0, 4.0]); with m.inference_mode(): k, g = x * 2, m.func.grad(lambda a: (a * a).sum())(x); v = k.is_inference()
x = T([3.0, 4.0]); with m.inference_mode(): g = m.func.vjp(lambda a: a * a, x.detach()); h = g[1](m.ones(2).double())
{INFERRED}; with m.inference_mode(): v, w = m.func.hessian(f)(k), m.func.jvp(m.func.grad(f), (x,), (x,))
{INFERRED}; with m.no_grad(): v = m.func.grad(f)(k); w = m.func.grad(f)(x.detach()); y = x * k
{INFERRED}; with m.inference_mode(): v = [one.is_inference() for one in m.func.jvp(f, (k,), (x,))]
x, f = T([3.0, 4.0]), lambda a: (a**3).sum(); with m.no_grad(): v = m.func.jvp(m.func.grad(f), (x,), (x,))
x = T([3.0, 4.0]); with m.inference_mode(): k, w = x.mul(2).mul_(2), m.ones(2).add_(1); y = x + k; v = x * k; u = w * x
m.set_grad_enabled(0); v = m.is_grad_enabled(); with m.set_grad_enabled(1): w = 2
o = m.optim.SGD([T([1.0])], 0.5); h = o.register_step_pre_hook(lambda *a: (1, 2, 3)); o.step()
x, V, R = m.ones(2), m.func.vmap, lambda x: x + m.rand(1); V(R)(x); a, b = V(R, randomness='same')(x), m.rand(2)
x = m.ones(2); a = m.func.vmap(m.sin, chunk_size=0)(x); b = m.func.vmap(m.sin, chunk_size=1)(x)
{CALLED}; g = m.func.grad(lambda p: f(n, p, x).sum())(P)
{CALLED}; v = f(n, (P, {{'bias': x[0, :1]}}), x); w = f(n, [P, {{}}], x)
n, x = m.nn.Sequential(m.nn.Linear(1, 1, False), m.nn.Linear(1, 1, False)), m.ones(1, 1); {TIED}
log, x = [], T([[1.0, 2.0], [3.0, 4.0]]); a, b = (x * 1).unbind(0); {BOTH_HOOKED}; (a + b).sum().backward()
log, x = [], T([[1.0, 2.0], [3.0, 4.0]]); a, b = (x * 1).unbind(0); {BOTH_HOOKED}; a.sum().backward()
import copy; x = m.arange(6.0).view(2, 3); v = copy.deepcopy([x, x.t(), x[1:, ::2], x.detach()]); v[0][1, 2] = 9
import copy; x = m.arange(6.0).view(2, 3).t() * 1; v = copy.deepcopy([x, x[1:], x.expand(2, 3, 2)]); v[1][0, 0] = 9
import copy; n = m.nn.BatchNorm1d(2); n.v = n.running_mean[:1]; c = copy.deepcopy(n); c.running_mean.fill_(7); v = c.v
w = T([1.0]); a = m.optim.SGD([w], 0.1, foreach=True, fused=True); b = m.optim.Adam([w], foreach=True, fused=True)
{OWN_STEP}; o = Own([w], {{}}); {STEPPED}; o.step(closure=abs); s = m.optim.lr_scheduler.LambdaLR(o, abs); s.step()
{OWN_STEP}; o = type('Other', (Own,), {{}})([w], {{}}); {STEPPED}
{OWN_STEP}; k = {{'step': lambda self: (Own.step(self), 3)[1]}}; o = type('Other', (Own,), k)([w], {{}}); {STEPPED}
w, log = T([1.0]), []; o = m.optim.SGD([w]); {STEPPED}; o.step(lambda: 4); o.step(closure=lambda: 5)
x, check = T([2.0]), m.autograd.gradcheck; a = check(lambda x: {{'y': x}}, x); b = check(lambda x: (x, None), x)
x = T([2.0]); h = x.register_post_accumulate_grad_hook(lambda p: 3); x.sum().backward(); h.remove(); x.sum().backward()
{ASKS}; F.apply(T([2.0])).sum().backward()
{IN_FUNC}; v = G(lambda a: (a.sin().sum().backward(), a.sum())[1])(x); w = V(lambda a: (p.sum().backward(), a)[1])(x)
{IN_FUNC}; v = G(lambda a: J.jvp(m.sin, a, a)[1].sum())(x); w = G(lambda a: J.jacobian(m.sin, a).sum())(x)
{IN_FUNC}; v = G(lambda a: a.requires_grad_().sum())(x); u = G(lambda a: (a * 2).retain_grad() or a.sum())(x); p.sin_()
n = m.nn.Module(); n.p = m.nn.Parameter(m.tensor(1.0)); n.load_state_dict({{'p': m.ones(1) * 2}}); v = n.p
n = m.nn.Module(); n.p = m.nn.Parameter(m.tensor(1.0)); n.load_state_dict({{'p': m.ones(2)}})
x = T([[1.0, 2.0], [3.0, 4.0]]); v = x.gather(1, m.tensor([[0], [1]])); k = v.grad_fn.next_functions[0][0].name()
x = T([[1.0, 2.0], [3.0, 4.0]]); v = x.gather(0, m.tensor([[0], [1]])); w = x.gather(1, m.tensor([[1]]))
{HOOKED_VIEWS}; v.mul_(2); y.sum().backward()
{HOOKED_VIEWS}; y.mul_(2); v.register_hook(lambda g: log.append(g * 3)); v.sum().backward()
{HOOKED_VIEWS}; y.mul_(2); k = v.grad_fn is None; v.register_hook(lambda g: log.append(g * 3)); v.sum().backward()
log, x, y = [], T([1.0, 2.0]), m.ones(2); m.autograd.graph.register_multi_grad_hook([y, x], log.append, mode='any')
x = T([1.0, 2.0]); y = x * 1; m.ones(2).sum().backward(inputs=[y]); s = y.retains_grad
x, B = T([2.0]), m.autograd.backward; k = x.detach(); B(x, k, grad_variables=k); B(x, None, grad_variables=k)
{MAPPED}; v = [F.generate_vmap_rule for F in FS]; w = m.func.vmap(FS[0].apply)(x)
{MAPPED}; w = m.func.vmap(FS[1].apply)(x); v = m.func.vmap(FS[2].apply)(x); u = m.func.vmap(FS[3].apply)(x)
w = T([1.0, 2.0]); a, d = (w**2).sum(), w.data; w.data = d * 2; b = (w**3).sum(); w.data = d * 5; (a + b).backward()
w = T([1.0, 2.0]); d = w.detach().requires_grad_(); a = (w * d).sum(); w.data = w.data * 10; a.backward()
w = T([1.0, 2.0]); y = w * 2; a = (y**2).sum(); y.data = y.data * 3; a.backward()
y = m.nn.AdaptiveAvgPool2d(1)(m.zeros(3))
v = T([1.0]).volatile
d, w = D(m.ones(2), m.ones(2) * 3), m.ones(2) * 2; w.requires_grad_(); {DETACHED}; v = first(y, w, create_graph=True)
x, C = T([1.0, 2.0]), m.utils.checkpoint.checkpoint; d = D(x, x); v = first(C(m.sin, d, use_reentrant=False), x)
v = None in m.ones(2)
v = "a" in m.ones(2)
x = m.tensor([1.0, 2.0]); v = 2 in x, m.tensor(3) in x, True in x; w = [*reversed(x)]; u = reversed(x).stride()
w = T([1.0, 2.0]); w.data = m.tensor([1, 2])
w = T([1.0, 2.0]); w.requires_grad = 1
v = m.ones(2, 3).size(-1); m.ones(2, 3).size(2)
v = m.randint(3, size=(4,)).numel(), m.randint(size=(4,), high=1)
v = m.randint(1, high=2, size=(4,)); m.randint(0, 2.5, (2,))
m.randint(1, 3, (2,), foo=3); m.randint(low=1, size=(2,)); m.randint(0, 5)
m.eye(2.0); m.randperm(2.5); m.zeros(2, requires_grad=1); m.nn.functional.pad(m.ones(2), 1)
v = m.ones(2, requires_grad=None)
x, f = m.tensor([1, 2]), lambda a: a.sum() * 1.5; v = m.func.grad(f)(x); w = m.func.vjp(f, x); u = m.func.jacrev(f)(x)
n = m.nn.Sequential(*map(m.nn.Linear, (1, 2, 3), (4, 5, 6))); del n[1:2]; r = repr(n), repr(n.pop(0)), repr(n); n.pop(5)
n = m.nn.ModuleList([m.nn.ReLU(), m.nn.ELU()]); r = repr(n + n), repr(n.pop(0)); k = m.nn.Sequential(n); k = repr(k + k)
x, v = T([[1.0, 2.0, 3.0]]), T(5.0); y = x.index_fill(1, m.tensor([0, 0, 1]), v); g = second(y, x, v); k = str(y)
x, v = T([1.0, 2.0]), T(5.0); y = (x * 1).index_fill_(0, m.tensor([1, 1]), v); g = first(y, x, v); k = y.grad_fn.name()
x = T([3.0, 0.0]); x.norm(0).backward(); y = T([3.0, 0.0]); (y.norm(0) + y.sum()).backward(); z = m.dist(x, y, 0)
x = T([[2.0], [3.0]]); v, u = m.var_mean(x, 1); g = first(u, x); s, w = m.std_mean(x, 1); h = first(w, x)
x, L = T([[4.0, 1.0], [2.0, 5.0]]), m.linalg; u = L.cholesky(x, upper=True); g = second(u, x); k = u.grad_fn.name()
x, L = T([[4.0, 1.0], [1.0, 5.0]]), m.linalg; k = [v.stride() for v in (L.inv(x), *L.qr(x), *L.svd(x), *L.eigh(x))]
x, L = T([[4.0, 1.0], [1.0, 5.0]]), m.linalg; k = [v.stride() for v in (L.cholesky(x), L.solve(x, x), *m.svd(x))]
m.linalg.inv(T([[4.0, 1.0], [1.0, 5.0]])).view(-1)
x, C = T([1.0, 2.0]), m.utils.checkpoint.checkpoint; d = D(x, x); v = C(lambda a: a.softmax(0), d, use_reentrant=False)
s = m.ones(2, 3).shape; v = [repr(one) for one in (s + s, (1,) + s, s * 2, 2 * s, m.Size([True, m.tensor(2)]))]
m.Size([1.5]); m.ones(2).shape + [1]; m.Size(["a"])
x = m.arange(6.0).reshape(2, 3); x[np.array(0)].zero_(); x[0, np.array(1)].fill_(5)
x = m.ones(2, 3); del x[0]
x = m.ones(2, 3); y = x[0, [[0, 1], [1]]]
x = m.ones(2, 3); y = x[{0}]; z = x[1j]; v = x[int]
x = m.zeros(2, 3); x[[0, 1, 1], [0, 1]] = 2.0
x = m.zeros(3, 2, dtype=m.complex64); x[(0, 1), (1, 0)] = m.ones(2)
x = m.zeros(2, 3); y = x[np.bool_(True)]; z = x[:, np.bool_(False)]
x = m.ones(2, 3); x.prod(True); x.chunk(True); m.cat([x], True); x.unsqueeze(True); x.std(0, keepdim=1)
x, y = m.ones(3), m.zeros(2, 3); v = m.max(x, y), x.var(False), x.repeat_interleave(np.int64(2), 0)
F.soft_margin_loss(T([1.0]), m.ones(1), reduction="abc"); F.batch_norm(m.ones(2, 1), None, None, training="x")
m.cross(m.ones(2, 3), m.ones(2, 3), 5); m.isclose(m.ones(2), 2); m.ones(2).reshape_as(5); m.ones(2, dtype=3)
m.add(None, 1, alpha=2); m.remainder("a", 2); m.ones(2).pow("a"); m.ones(2).tensor_split(None); m.ones(2).view("a")
o, s = {GROUPS}; g = m.optim.SGD([T([1.0])], lr=0.5); s.ConstantLR(g, factor=2.0); v = [*g.param_groups[0]]
m.vdot(m.ones(2), m.ones(3)); m.combinations(m.ones(2), -1); v = m.combinations(m.ones(2), 0); m.tril_indices(-1, 2)
m.linspace(0, None, 2); m.linspace(0, 1, True); m.eye(True); v = m.tensor(2**63, dtype=m.float32)
x = m.ones(2); x.size(True); x.size(1.5); x.size("a"); v = x.size(0), x.size(-1), x.size()
x = m.ones(2); x.normal_(None); x.normal_("a"); x.uniform_(0, "b"); x.bernoulli_([]); m.multinomial(x, 1, 0); m.eye(int)
x = T([[1.0, 2.0]]); y = m.linalg.vector_norm(input=x, ord=2); z = F.one_hot(input=m.tensor([0, 1]), num_classes=2)
m.cat(input=[m.ones(2)]); m.std(input=m.ones(2), axis=0, foo=1)
A = m.eye(2); m.linalg.eigh(A, UPLO="x"); m.linalg.eigvalsh(A, "up"); v = m.linalg.eigh(A, "u")[0]
F.layer_norm(m.ones(2), (2,), eps=1j); F.huber_loss(m.ones(2), m.ones(2), delta=1j)
x = m.tensor([0.5, 2.0], requires_grad=True); y = F.soft_margin_loss(x, m.tensor([1, -1])); y.backward()
x = m.ones(2, 3); x.permute(0, 1, 2); x.permute(0, 0); x.permute(0); x.permute(0, 2); x.tensor_split(2, 5)
b = m.tensor([True, False]); b.fill_(None); b.fill_("a"); b.pow(None); b.pow_("a"); x = m.ones(2); x.pow_([1])
n, x = m.nn.BatchNorm1d(3), m.ones(4, 5, 3); m.func.vmap(n)(x); s = n.running_mean.tolist(); n.eval(); m.func.vmap(n)(x)
x, r, q = m.ones(4, 5, 3), m.zeros(4, 3), m.ones(4, 3); m.func.vmap(lambda *a: F.batch_norm(*a, training=True))(x, r, q)
n = m.nn.BatchNorm1d(3); s = dict(n.state_dict()); del s["num_batches_tracked"]; r = str(n.load_state_dict(s))
n = m.nn.BatchNorm1d(3); s = n.state_dict(); del s["num_batches_tracked"]; n.load_state_dict(s)
x, n = T([[1.0, 2.0]]), m.tensor(0); y = m.cat([x, F.pad(x, (n, 0))], n), m.stack([x, x], n); n += 1; g = first(y, x)
x = m.ones(2, requires_grad=True); x.grad = m.ones(1).expand(2); (x * 2).sum().backward(); g = x.grad
x = m.ones(2, requires_grad=True); x.grad = m.ones(2, 2).diagonal(); (x * 2).sum().backward(); g = x.grad
d = m.device("cpu", 1); v = d == "cpu", d == m.device("cpu:1"), d == m.device("cpu"); s = str(d), repr(d)
W = T([[1.0, 2.0], [3.0, 4.0]]); (T([[1.0, 2.0]]) @ W.T).exp().sum().backward(create_graph=True); v = W.grad.view(-1)
W = m.ones(2, 3).t().requires_grad_(); (W * 2).sum().backward(); v = W.grad.stride()
x = m.ones(2, 3); v = x.t() + m.ones(3, 2); w = v.view(-1); s = v.stride(), m.where(x.t() > 0, x.t(), v).stride()
q = m.ones(2, 3, 4, 5).transpose(1, 2); s = (q @ q.mT).stride(); s = m.ones(2, 3).t().erf().stride()
x = m.ones(2); F.pad(x, (1, 1), value="3"); F.pad(x, (1, 1), value=1j); m.ones(2, dtype=m.complex64).fill_("1")
x, L = T([[[m.nan, 1.0], [1.0, 1.0]], [[2.0, 0.0], [0.0, 4.0]]]), m.linalg; y = L.det(x); z = L.slogdet(x)
x, L = T([[[m.nan, 1.0], [1.0, 1.0]], [[2.0, 0.0], [0.0, 4.0]]]), m.linalg; y = L.inv(x); z = L.solve(x, x[1])
m.linalg.svd(T([[m.nan, 1.0], [1.0, 1.0]]))
x = T([[m.nan, 1.0, 2.0], [3.0, -4.0, 5.0], [6.0, 7.0, -8.0]]); y = m.linalg.inv(x); z = m.linalg.solve(x, x[:, 1])
{PACKED}; with H: y = x.gather(0, m.tensor([1, 1])); g = second(y, x)
{PACKED}; with H: y = x.index_select(0, m.tensor([1, 1])); g = second(y, x)
x = T([1.0, 2.0]); y = m.mul(2j, x), m.div(2j, x); g = [first([one * (1 + 3j)], x) for one in y]; z = m.sub(2j, T(1.0))
L, A = m.linalg, T([[2.0, 1.0], [0.0, 4.0]]); x = L.solve(A, A[0]); s = x.grad_fn.name(); g = second(x, A)
L, A = m.linalg, T([[[2.0, 1.0], [0.0, 4.0]]]); L.solve(A, A[0], left=False); L.solve(A, A[:, 0], left=False)
e = 100 * m.eye(2); y = m.matrix_exp(m.stack([e, e / 1e5])); z = m.matrix_exp(m.tensor([[m.inf, 0.0], [0.0, 1.0]]))
{MATRIX}y[:] = y[0]; k = m.ones(2, 2).cumsum(0); k[...] = k[1:]; v = y[0]; v[:] = v[1:]; g = first(y, x)
x = T([[[1.0, 2.0]]]); y = F.max_pool2d(x, 1), F.avg_pool2d(x, 1), F.adaptive_avg_pool2d(x, 2); {SLOPES}
x = T([[0.5, -1.0]]); y = F.nll_loss(x, m.tensor([1])), F.pad(x, (1, 0), "reflect"); {SLOPES}
x, w = T([0.5, -1.0]), m.tensor([0.25]).double(); y = [F.prelu(x, w)]; {SLOPES}
e = m.nn.Embedding.from_pretrained(m.ones(2, 3), padding_idx=0); r = m.rand(2), e.weight, e.padding_idx
w = m.nn.Linear(2, 3).weight; r = m.nn.init._calculate_fan_in_and_fan_out(w); m.nn.init.orthogonal_(w, 2)
{FROZEN}x.register_post_accumulate_grad_hook(lambda one: log.append(['after', one.grad])); y.backward()
{FROZEN}a.register_hook(lambda i, o: log.append([i, o])); y.backward(create_graph=True); a(T([3.0], grad=False))
a, v = m.tensor([[1, 2]]), m.tensor([1.0]); r = m.addr(a, v, v, beta=0.5), m.addr(v, a[0], a[0], alpha=0.6)
{MATRIX}d, n = [1], m.tensor(1); v = y.roll([1], d), y.amax((n,)) * y.sum(d); d[0] = 0; n.zero_(); g = first(v, x)
v = m.ones(1, 3).broadcast_to(2, 3), m.broadcast_to(m.ones(1, 3), size=(2, 3)), m.ones(1).broadcast_to((2, 2))
x, y = m.zeros(2, dtype=m.uint8), m.zeros(2, dtype=m.int8); x.copy_(300); y.copy_(-129)
z = T([1 + 2j, 3 + 4j], dtype=m.complex128); w = T([5.0, 6.0]); y = z * 2; y.imag = w; y.real *= w; g = first(y, z, w)
z, x = m.tensor([1 + 2j]), m.ones(2); z.imag = 3; x.real = m.zeros(2); x.imag = m.ones(2)
x = m.ones(2, 3, 4).transpose(0, 2); s = x.median(1).values.stride(), x.count_nonzero(1).stride()
x = m.tensor([[1, 0], [2, 3], [0, 4]]); s = [one.stride() for one in x.nonzero(as_tuple=True)]
m.zeros(2, 0).kthvalue(1, 1); m.tensor([True]).median(); m.tensor([1j]).median()
x, s = T([[1.0], [2.0]]), m.ones(1).double(); F.batch_norm(x, s, s, eps=-1e-5); F.batch_norm(x[:1], s, s, training=True)
q, k = m.ones(1, 1, 2, 2), m.tensor([[True, False]]); y = F.scaled_dot_product_attention(q, q, q, k, is_causal=True)
d = m.utils.data; r = [x for x in d.DataLoader(range(4), 2, timeout=0, worker_init_fn=None, persistent_workers=False)]
w, n = T(3.0), m.ones(1); m.full((2,), w); m.full_like(n, w); m.arange(w); m.arange(n); m.full((2,), n)
n = m.ones(1); m.linspace(n, 2, 3); m.logspace(1, n[None], 2); v = m.linspace(T(1.0), n[0], 2), m.logspace(0, T(1.0), 2)
a = np.ones(2); v = m.asarray(a), m.asarray(a, copy=True), m.asarray([1, 2.0]), m.asarray(3, dtype=m.float64); a[0] = 5
x = T([1.0]) * 1; v = m.asarray(x, copy=True), m.asarray(x, dtype=m.float32), m.asarray([1.0], requires_grad=True)
m.asarray([1], copy=False); m.asarray(m.ones(1), dtype=m.float64, copy=False); m.ones(3).narrow(0, True, 1)
x = T([m.nan, 1.0, -4.0, 3.0]); y = F.hardsigmoid(x), F.hardswish(x); g = first(y, x)
z = T([complex(-2, -0.0), complex(-2, 0.0), 2 - 1j], dtype=m.complex128); g = second(m.acosh(z), z)
x = T([-1.0]); F.celu(x, 0); y = F.celu_(x * 1, 0.5), F.selu_(x * 1), F.threshold_(x * 1, 0.1, 0.2)
w, x = T(0.5), m.ones(2); F.leaky_relu(x, w); x.add(x, alpha=w); x.addcmul(x, x, value=w); x.mul_(w); F.elu(x, w)
x, w = m.ones(2), m.tensor(0.5); y = F.leaky_relu(-x, w), x.add(x, alpha=w), x.addcdiv(x, x, value=w)
m.ceil(m.tensor([1j])); m.floor(m.tensor([1j])); m.trunc(m.tensor([True]))
x, t = m.ones(2), m.zeros(2, dtype=m.float64); v = F.huber_loss(x, t), F.huber_loss(t, x); F.prelu(t, x[:1])
x, y = T([1.0, 2.0]), m.ones(2); m.vdot(x, y); m.linalg.norm(T([[[1.0]]]), 2, (0, 1, 2)); z = m.linalg.norm(y)
w, x = T(0.5), m.ones(2, 2); F.pad(x, (1, 1), value=w); F.batch_norm(x, None, None, training=True, eps=w)
w, x = T(0.5), m.ones(2); F.margin_ranking_loss(x, x, x, margin=w); m.trapezoid(x, dx=w); F.huber_loss(x, x, delta=w)
x = T([7.0, -1.0, 2.0]); F.relu6(x, inplace=True); y = F.relu6(x * 1, True); z = y.grad_fn.name(); g = first(y, x)
m.randint(0, 300, (3,), dtype=m.uint8); m.randint(3, 5, (3,), dtype=m.bool); m.empty(3, dtype=m.bool).random_(3)
x = m.arange(6); x.roll((), ()); x.roll([]); m.vander(x, N=-1); m.bincount(x, minlength=-1); m.bincount(x, m.ones(3))
x = m.eye(2); y = m.linalg.solve(x, m.ones(2)); z = m.linalg.solve(x, m.tensor(1.0))
x = T([1.0, 2.0]); a = x.unflatten(0, (2, -1)); b = x.unflatten(-1, ()); c = x.unflatten(0, (3,))
m.manual_seed(3); m.cuda.manual_seed(4); m.cuda.manual_seed_all(5); x = m.rand(2)
m.cdist(m.ones(2, 3), m.ones(2, 1)); m.cdist(m.ones(2, 1), m.ones(3, 2)); x = m.cdist(m.ones(2, 1), m.ones(3, 1))
x = T([2.0, 2.0]); a = first([x.std().sqrt()], x); b = first([m.std_mean(x)[0] * m.inf], x); c = first([x.std() * 2], x)
"""


@pytest.mark.parametrize("program", FOUND.strip().splitlines())
def test_what_was_found_is_mended(program):
    lines = program.split("; ")
    assert not difference(run(minigrad, lines), run(judge(), lines), kinds=True)


def test_a_sinc_is_curved_at_0():
    """PyTorch says nan."""
    x = minigrad.tensor(0.0, dtype=minigrad.float64, requires_grad=True)
    (slope,) = minigrad.autograd.grad(x.sinc(), x, create_graph=True)
    assert minigrad.autograd.grad(slope, x)[0].item() == pytest.approx(-(math.pi**2) / 3)


def test_what_was_once_the_fourth_argument_of_a_loss_is_no_class():
    """PyTorch's `size_average`."""
    with pytest.raises(TypeError, match="ignore_index"):
        minigrad.nn.functional.cross_entropy(minigrad.ones(2, 2), minigrad.tensor([0, 1]), None, True)


def test_a_large_gradient_costs_a_matrix_exponential_no_digits():
    """PyTorch loses as many digits as the gradient is larger than 1."""
    x = minigrad.tensor([[0.5, 1.0], [-1.0, 2.0]], dtype=minigrad.float64, requires_grad=True)
    y = minigrad.matrix_exp(x)
    one, large = (minigrad.autograd.grad(y.sum() * size, x, retain_graph=True)[0] for size in (1.0, 2.0**40))
    assert large.tolist() == (one * 2.0**40).tolist()


def test_one_singular_matrix_leaves_the_slope_of_another_ones_logdet_as_it_is():
    """PyTorch refuses to record it, and else has nan in some places and inf in others."""
    x = minigrad.stack([2 * minigrad.eye(2), minigrad.zeros(2, 2)]).requires_grad_()
    for record in (False, True):
        (slope,) = minigrad.autograd.grad(x.logdet().sum(), x, create_graph=record)
        assert slope[0].tolist() == [[0.5, 0.0], [0.0, 0.5]] and slope[1].isnan().all()
    assert minigrad.autograd.grad(slope[0].sum(), x)[0][0].tolist() == [[-0.25, -0.25], [-0.25, -0.25]]


def test_a_number_that_is_filled_in_where_a_tensor_is_stretched_has_no_gradient_from_each_place():
    """PyTorch writes it, and refuses the backward; here the gradient was counted as often as the number is shown."""
    x, w = minigrad.ones(2, requires_grad=True), minigrad.tensor(5.0, requires_grad=True)
    with pytest.raises(RuntimeError, match="single memory location"):
        (x * 1).expand(3, 2).masked_fill_(minigrad.tensor([True, False]), w)
