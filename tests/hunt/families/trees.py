"""`func` over dicts, lists and several arguments: argnums, has_aux, dims of trees, nets as functions."""

MAKE = (
    "fn.grad(f, argnums={n})(a, b)|fn.grad(f, {n})(a, b=b)|fn.grad_and_value(f, {n})(a, b)|"
    "fn.grad(h, has_aux=True)(a, b)|"
    "fn.jacrev(v, argnums={n})(a, b)|fn.jacfwd(v, argnums={n})(a, b)|fn.jacrev(d)(a, b)|fn.jacfwd(d, {n})(a, b)|"
    "fn.hessian(f, argnums={n})(a, b)|fn.grad(t)({{'p': a, 'q': [b, a]}})|fn.vjp(v, a, b)[1](a)|"
    "fn.vjp(d, a, b)[1]({{'s': a, 'c': b}})|"
    "fn.jvp(v, (a, b), (b, a))|fn.jvp(d, (a, b), (a, a))|fn.jvp(f, (a,), (a,))|fn.vmap(v, in_dims={i})(a, b)|"
    "fn.vmap(v, in_dims={i}, out_dims={o})(A, b)|fn.vmap(d, in_dims={i})(A, B)|fn.vmap(v, {i}, {o})(A, B)|"
    "fn.vmap(t, in_dims=({{'p': 0, 'q': [None, 1]}},))({{'p': A, 'q': [b, B]}})|"
    "fn.vmap(fn.grad(f, {n}), (0, None))(A, b)|"
    "fn.vmap(lambda a: {{'x': a.sum(), 'y': [a, b]}})(A)|fn.vmap(lambda a: 3)(A)|fn.vmap(lambda a: a.sum().item())(A)|"
    "fn.vmap(v, chunk_size={k})(A, B)|fn.jacrev(v, chunk_size={k})(a, b)|"
    "fn.functional_call(net, {{'weight': A[:, :2]}}, (B[:, :2],))|"
    "fn.functional_call(net, dict(net.named_parameters()), a[:2])|"
    "fn.functional_call(net, {{'nothing': a}}, (a[:2],))|"
    "fn.grad(lambda p: fn.functional_call(net, p, (a[:2],)).sum())(dict(net.named_parameters()))|"
    ""
    "fn.grad(lambda a: a)(a)|fn.grad(lambda a: a.sum().item())(a)|fn.grad(f)(3.0, b)|fn.grad(f, {n})(a.long(), b)|"
    "fn.jvp(v, a, b)|fn.jvp(v, (a, b), (a,))|fn.jvp(v, (a, b), (a, a[:1]))|fn.vjp(v, a, b)[1](a, a)|"
    "fn.vmap(v)(a, A)|fn.vmap(v, in_dims=(0, 5))(A, B)|fn.vmap(v, in_dims=(0, 0, 0))(A, B)|"
    "fn.vmap(f, in_dims=())(a, b)|"
    "fn.vmap(v, out_dims=(0, 1))(A, B)|fn.vmap(lambda a, b: (a, b), out_dims=(0, 1))(A, B)|"
    "fn.vmap(v, out_dims=None)(A, B)|"
    "fn.grad(fn.grad(lambda a: (a ** 3).sum()))(a[0])|fn.vmap(fn.vmap(f))(A, B)|"
    "fn.vmap(fn.vmap(lambda a: a * 2, out_dims=-1), 1)(A)"
).split("|")


def write(sketch) -> None:
    pick = sketch.pick
    sketch.add("fn, net = m.func, m.nn.Linear(2, 3).double()")
    sketch.add("net.weight.data, net.bias.data = m.ones(3, 2).double() * 0.5, m.ones(3).double()")
    for name, shape in zip("abAB", ((3,), (3,), (3, 3), (3, 3))):
        sketch.leaf(name, shape, 0.2, 1.5, grad=name == "a" and sketch.chance(0.3))
    for line in (
        "f = lambda a, b: (a * a * b).sum()", "v = lambda a, b: a.sin() * b",
        "t = lambda d: (d['p'] * d['q'][0] * d['q'][1]).sum()",
        "d = lambda a, b: {'s': a * b, 'c': a.cos()}", "h = lambda a, b: ((a * b).sum(), {'aux': a * 2})",
    ):  # fmt: skip
        sketch.add(line)
    for i in range(sketch.random.randint(1, 3)):
        given = {
            "n": pick(["0", "1", "(0, 1)", "(1, 0)", "(0,)", "-1", "2", "[0]", "(0, 0)"][: pick([3, 9])]),
            "i": pick("0|(0, 0)|(0, None)|(None, 0)|(1, None)|(-1, 0)|None|(None, None)|[0, 0]|1".split("|")),
            "o": pick(["0", "1", "-1", "(0,)", "2", "-3", "None"]), "k": pick(["1", "2", "3", "7", "None"]),
        }  # fmt: skip
        sketch.add(f"r{i} = still({pick(MAKE).format(**given)})")
    sketch.add("leaks = [a.grad, a.requires_grad, b.requires_grad, m.is_grad_enabled()]")
