"""Calls that are right but for one thing: an argument of the wrong type, out of range, left out, too many, misnamed."""

KINDS = True
CALLS = """
m.abs(x)|m.add(x, z)|m.sub(x, z)|m.mul(x, 2)|m.div(x, z)|m.pow(x, 2)|m.exp(x)|m.log(z)|m.sqrt(z)|m.sin(x)|m.tanh(x)
m.sigmoid(x)|m.relu(x)|m.maximum(x, z)|m.where(b, x, z)|m.clamp(x, 0, 1)|m.round(x)|m.sum(x, 1)|m.sum(x)|m.mean(x, 0)
m.prod(x, 1)|m.max(x)|m.max(x, 1)|m.min(x, 0)|m.amax(x, 1)|m.argmax(x, 1)|m.std(x, 1)|m.var(x)|m.norm(x)|m.cumsum(x, 1)
m.logsumexp(x, 1)|m.softmax(x, 1)|m.log_softmax(x, 1)|m.matmul(x, w)|m.mm(x, w)|m.mv(x, v)|m.dot(v, v)|m.bmm(t, t)
m.outer(v, v)|m.transpose(x, 0, 1)|m.permute(x, (1, 0))|m.reshape(x, (3, 2))|m.squeeze(x, 0)|m.unsqueeze(x, 0)|m.flatten(x)
m.flatten(t, 1, 2)|m.flip(x, (0,))|m.roll(x, 1, 0)|m.cat([x, z])|m.cat((x, z), 1)|m.stack([x, z], 0)|m.split(x, 1)
m.chunk(x, 2, 1)|m.tril(x)|m.triu(x, 1)|m.diag(v)|m.diagonal(x, 0)|m.gather(x, 1, i)|m.index_select(x, 1, k)
m.masked_fill(x, b, 0.5)|m.scatter(x, 1, i, z)|m.scatter_add(x, 1, i, z)|m.take(x, k)|m.sort(x, 1)|m.topk(x, 2)|m.argsort(x)
m.any(b)|m.all(b, 1)|m.isnan(x)|m.eq(x, z)|m.lt(x, 0)|m.allclose(x, z)|m.equal(x, z)|m.einsum("ij,jk->ik", x, w)
m.tensordot(x, w, 1)|m.addmm(u, x, w)|m.zeros_like(x)|m.full_like(x, 2)|m.narrow(x, 1, 0, 2)|m.select(x, 0, 1)|m.unbind(x)
m.movedim(t, 0, 1)|m.repeat_interleave(x, 2)|m.tile(x, (2, 1))|m.diff(x)|m.masked_select(x, b)|m.nonzero(x)|m.unique(x)
m.broadcast_to(v, (2, 3))|m.lerp(x, z, 0.5)|m.atan2(x, z)|m.fmod(x, z)|m.remainder(x, 2)|m.median(x)|m.kthvalue(x, 1)
m.trace(x)|m.kron(x, z)|m.square(x)|m.linalg.norm(x)|m.linalg.inv(q)|m.linalg.det(q)|m.linalg.solve(q, v)|m.cross(x, z)
x.view(3, 2)|x.view(-1)|v.expand(2, 3)|x.repeat(1, 2)|x.t()|x.item()|x.tolist()|x.size(0)|x.dim()|s.backward()|x.detach()
x.clone()|z.requires_grad_()|x.register_hook(print)|s.retain_grad()|x.to(m.float32)|x.type()|x.float()|z.add_(1)|z.mul_(x0)
z.zero_()|z.fill_(2)|z.copy_(x0)|z.clamp_(0, 1)|x.view_as(z)|v.expand_as(x)|x.new_zeros(2)|x.new_full((2,), 1.0)|x.sum(0)
x.mean(1, True)|x.reshape(6)|x.permute(1, 0)|x.max(1)|x.argmin(0)|x.squeeze(0)|x.unsqueeze(-1)|x.transpose(0, 1)|x.T
x.masked_fill(b, 1.0)|x.index_select(0, k0)|z.index_add_(1, k, z0)|x.gather(1, i)|x.matmul(w)|x @ w|x + z|x - z|x * z|x / z
x ** 2|2 ** x|x // 2|x % 2|x > 0|x == z|x[0]|x[0, 1]|x[:, 1:]|x[b]|x[k0]|-x|~b|b & b|F.relu(x)|F.linear(x, u3)
F.mse_loss(x, z)|F.cross_entropy(x, k0)|F.nll_loss(x, k0)|F.l1_loss(x, z)|F.softmax(x, 1)|F.dropout(x, 0.5)|F.one_hot(k, 4)
F.embedding(k, w)|F.layer_norm(x, (3,))|F.gelu(x)|F.leaky_relu(x, 0.1)|F.binary_cross_entropy(p, p0)|F.pad(x, (1, 1))
F.conv1d(t, t)|F.max_pool2d(t, 1)|F.normalize(x)|F.cosine_similarity(x, z)|m.zeros(2, 3)|m.ones((2,))|m.full((2,), 1.5)
m.arange(5)|m.arange(1, 5, 2)|m.linspace(0, 1, 3)|m.eye(2)|m.eye(2, 3)|m.rand(2)|m.randn(2, 2)|m.randint(0, 5, (2,))
m.tensor([1.0, 2.0])|m.tensor(1)|m.as_tensor([1])|m.from_numpy(np.ones(2))|m.logspace(0, 1, 3)|m.randperm(4)|m.manual_seed(0)
m.autograd.grad(s, x)|m.autograd.backward(s)|m.nn.Linear(3, 2)|m.nn.Linear(3, 2)(z)|m.nn.Dropout(0.5)|m.nn.LayerNorm(3)
m.nn.BatchNorm1d(3)|m.nn.Embedding(4, 2)|m.nn.Sequential(m.nn.ReLU())|m.nn.Conv2d(1, 2, 3)|m.nn.Parameter(z)|m.nn.Softmax(1)
m.optim.SGD([x], 0.1)|m.optim.Adam([x], 0.1)|m.is_tensor(x)|m.set_grad_enabled(True)|m.no_grad()|m.result_type(x, z)
""".replace("\n", "|").strip("|").split("|")
WRONG = "'a' None [1.0] [1,2] (0,1) 5 -7 1.5 True {} x v k b m.float32 int object() 1j [x] np.ones(2) m.tensor(1) 'sum'".split()
NAMES = "dim keepdim dtype foo other input self axis requires_grad size p alpha value reduction out index".split()


def write(sketch) -> None:
    sketch.add("F, x0 = m.nn.functional, m.ones(2, 3)")
    sketch.leaf("x", (2, 3))
    sketch.add("z, z0, w, v, q, t = m.ones(2, 3), m.ones(2, 3), m.ones(3, 2), m.ones(3), m.eye(3), m.ones(2, 2, 2)")
    sketch.add("z, z0, w, v, q, t = z.double(), z0.double(), w.double(), v.double(), q.double(), t.double()")
    sketch.add("i, k, k0, b, s = m.tensor([[0, 1, 2]]), m.tensor([0, 2, 1]), m.tensor([0, 1]), x > 0, x.sum()")
    sketch.add("u, u3, p, p0 = m.ones(2, 2).double(), m.ones(4, 3).double(), x.detach().sigmoid(), m.rand(2, 3).double()")
    for number in range(3):
        sketch.add(f"r{number} = {spoilt(sketch, sketch.pick(CALLS))}")


def spoilt(sketch, call: str) -> str:
    """A call with one thing wrong."""
    if "(" not in call:  # an operator or an index
        first, _, last = call.rpartition(" ") if " " in call else call.partition("x")
        return f"{first} {sketch.pick(WRONG)}" if " " in call and "[" not in call else f"x[{sketch.pick(WRONG)}]"
    head, _, rest = call.rpartition(")")[0].partition("(") if not call.endswith("(z)") else (call[:-3], "", "z")
    args, depth = [""], 0
    for letter in rest:
        depth += (letter in "([") - (letter in ")]")
        args = [*args, ""] if letter == "," and not depth else [*args[:-1], args[-1] + letter]
    args = [one.strip() for one in args if one.strip()]
    kind = sketch.pick(["type", "type", "type", "type", "more", "fewer", "name", "value"])
    at = sketch.random.randrange(len(args) + 1)
    if kind in ("type", "value") and args:
        args[at % len(args)] = sketch.pick(WRONG)
    elif kind == "fewer":
        args = args[:-1]
    elif kind == "name":
        args.append(f"{sketch.pick(NAMES)}={sketch.pick(WRONG)}")
    else:
        args.append(sketch.pick(WRONG))
    return f"{head}({', '.join(args)})"
