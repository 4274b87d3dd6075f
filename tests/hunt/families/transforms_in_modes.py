"""Functions of functions in grad modes: of tensors made in a mode or outside, with others captured; used afterwards."""

KINDS = True
MODES = "m.no_grad()|m.inference_mode()|m.inference_mode()|m.enable_grad()|m.set_grad_enabled(False)".split("|")
BODIES = (
    "a * {c}|a.sin() * {c} + a|(a * {c}).exp()|a * a * a|a.clone().mul_({c})|{c} * 2 + a.square()|a.view(-1) * {c}|"
    "m.where(a > 1, a, {c})|Own.apply(a) * {c}|m.func.grad(lambda b: (b * b * {c}).sum())(a)|a.detach() * a"
).split("|")
CALLS = (
    "f.grad(lambda a: ({body}).sum())({x})|f.vjp(lambda a: {body}, {x})[1](m.ones(2).double())|"
    "f.jvp(lambda a: {body}, ({x},), (m.ones(2).double(),))|f.jacrev(lambda a: {body})({x})|"
    "f.jacfwd(lambda a: {body})({x})|f.hessian(lambda a: ({body}).sum())({x})|"
    "f.grad_and_value(lambda a: ({body}).sum())({x})|f.vmap(lambda a: {body})(m.stack([{x}, {x}]))|"
    "f.vmap(f.grad(lambda a: ({body}).sum()))(m.stack([{x}, {x}]))"
).split("|")
OWN = """class Own(m.autograd.Function):
    generate_vmap_rule = True
    @staticmethod
    def forward(a): return a * a
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)
    @staticmethod
    def backward(ctx, g): return g * 2 * ctx.saved_tensors[0]
    @staticmethod
    def jvp(ctx, t): return t * 2 * ctx.saved_tensors[0]"""


def write(sketch) -> None:
    pick = sketch.pick
    sketch.add("f = m.func")
    sketch.add(OWN)
    names = [sketch.leaf("x", (2,), grad=False), sketch.leaf("y", (2,), grad=False), sketch.leaf("w", (2,))]
    for i in range(sketch.random.randint(2, 4)):
        body = pick(BODIES).format(c=pick(names))
        call = pick(CALLS).format(body=body, x=pick(names[:2] + [n for n in names if n[0] == "k"]))
        made = f"k{i} = {pick(names)} * 2"
        if sketch.chance(0.7):
            line = f"with {pick(MODES)}: " + (f"{made}; v{i} = {call}" if sketch.chance(0.5) else f"v{i} = {call}")
        else:
            line = f"v{i} = {call}"
        sketch.add(line)
        names += [name for name in (f"k{i}",) if name in sketch]
    sketch.add(f"u = {pick(names)} * {pick(names)} + w")
    sketch.add("g = still(m.autograd.grad(u.sum(), w, allow_unused=True))")
