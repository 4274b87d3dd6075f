"""Calls that are right but for one thing: an argument of the wrong type, out of range, left out, too many, misnamed."""

KINDS = True
CALLS = (
    """
m.abs(x)|m.add(x, z)|m.sub(x, z)|m.div(x, z)|m.exp(x)|m.log(z)|m.sqrt(z)|m.sin(x)|m.tanh(x)|m.sigmoid(x)|m.relu(x)
m.round(x)|m.sum(x, 1)|m.sum(x)|m.amax(x, 1)|m.var(x)|m.matmul(x, w)|m.dot(v, v)|m.outer(v, v)
m.transpose(x, 0, 1)|m.squeeze(x, 0)|m.unsqueeze(x, 0)|m.flatten(x)|m.flatten(t, 1, 2)|m.stack([x, z], 0)
m.chunk(x, 2, 1)|m.tril(x)|m.diag(v)|m.gather(x, 1, i)|m.masked_fill(x, b, 0.5)|m.scatter(x, 1, i, z)
m.scatter_add(x, 1, i, z)|m.topk(x, 2)|m.argsort(x)|m.any(b)|m.einsum("ij,jk->ik", x, w)|m.addmm(u, x, w)
m.zeros_like(x)|m.narrow(x, 1, 0, 2)|m.unbind(x)|m.tile(x, (2, 1))|m.diff(x)|m.masked_select(x, b)
m.nonzero(x)|m.remainder(x, 2)|m.square(x)|m.linalg.inv(q)|x.view(3, 2)|x.view(-1)|v.expand(2, 3)|x.t()
x.item()|x.tolist()|x.size(0)|x.dim()|x.detach()|x.clone()|z.requires_grad_()|x.register_hook(print)|s.retain_grad()
x.float()|z.mul_(x0)|z.zero_()|x.new_zeros(2)|x.sum(0)|x.reshape(6)
x.masked_fill(b, 1.0)|x @ w|x + z|x * z|x / z|2 ** x|x // 2|x % 2|x > 0|x == z|b & b
F.cross_entropy(x, k0)|F.embedding(k, w)|F.conv1d(t, t)|F.max_pool2d(t, 1)|m.zeros(2, 3)|m.ones((2,))
m.from_numpy(np.ones(2))|m.manual_seed(0)|m.nn.Linear(3, 2)|m.nn.Linear(3, 2)(z)
m.nn.Dropout(0.5)|m.nn.LayerNorm(3)|m.nn.Embedding(4, 2)|m.nn.Sequential(m.nn.ReLU())
m.nn.Softmax(1)|m.is_tensor(x)|m.no_grad()
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
WRONG = "'a' None [1.0] [1,2] (0,1) 5 -7 1.5 {} x v k b m.float32 [x]".split()
NAMES = "dim keepdim dtype foo other input self axis size p alpha value reduction out index".split()


def write(sketch) -> None:
    sketch.add("F, x0 = m.nn.functional, m.ones(2, 3)")
    sketch.leaf("x", (2, 3))
    sketch.add("z, z0, w, v, q, t = m.ones(2, 3), m.ones(2, 3), m.ones(3, 2), m.ones(3), m.eye(3), m.ones(2, 2, 2)")
    sketch.add("z, z0, w, v, q, t = z.double(), z0.double(), w.double(), v.double(), q.double(), t.double()")
    sketch.add("i, k, k0, b, s = m.tensor([[0, 1, 2]]), m.tensor([0, 2, 1]), m.tensor([0, 1]), x > 0, x.sum()")
    sketch.add(
        "u, u3, p, p0 = m.ones(2, 2).double(), m.ones(4, 3).double(), x.detach().sigmoid(), m.rand(2, 3).double()"
    )
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
