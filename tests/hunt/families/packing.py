"""What a forward saves: packed, changed or promised (a checkpoint) and asked for again by several backwards; in what
order, and by whom.
"""

KINDS = True
MAKE = (
    "{a} * {b}|{a} / ({b} * {b} + 1)|{a}.sin()|{a}.exp()|{a}.tanh()|{a}.sigmoid()|{a} ** 2|{a} + {b}|{a} * 2|{a}.sum()|"
    "m.where({a} > {b}, {a}, {b})|m.maximum({a}, {b})|({a} + {b}).mul_({b})|{a}.exp() * 2|{a}.cumsum(0)|"
    "m.atan2({a}, {b})|{a}.square().sqrt()|F.apply({a}, {b})|{a}.softmax(0)|{a}.abs()|{a}.log1p() if 0 else {a}.cos()"
).split("|")
PACK = (
    "t|(t * 2 if t.is_floating_point() else t)|t.clone()|t.detach()|t.float()|(t, 1)|[t.tolist(), t.dtype]|t.mul_(1)|"
    "log[99]"
).split("|")
UNPACK = {
    "(t, 1)": "p[0]",
    "[t.tolist(), t.dtype]": "m.tensor(p[0], dtype=p[1])",
    "t.float()": "p.double() if p.is_floating_point() else p",
}
HELP = """def pack(t):
    log.append(['pack', t.detach().clone()])
    return {0}
def unpack(p):
    log.append('unpack')
    return {1}"""
FUNCTION = """class F(m.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        out = a * b
        ctx.save_for_backward(b, a, out)
        return out
    @staticmethod
    def backward(ctx, g):
        b, a, out = ctx.saved_tensors
        return g * b, g * a"""


def write(sketch) -> None:
    pack = sketch.pick(PACK[: sketch.pick([1, 4, len(PACK)])])
    for line in ("log = []", FUNCTION, HELP.format(pack, UNPACK.get(pack, sketch.pick(["p", "p", "p", "3"])))):
        sketch.add(line)
    shape = sketch.pick([(2,), (2,), (1,)])
    names = [sketch.leaf(name, shape, grad=i == 0 or sketch.chance(0.7)) for i, name in enumerate("xy")]
    for i in range(sketch.random.randint(1, 4)):
        kind, body = sketch.pick(["plain", "hooks", "hooks", "checkpoint", "hooks around"]), []
        inner = ["a", "b"]
        for j in range(sketch.random.randint(1, 4)):
            body.append(f"c{j} = {sketch.pick(MAKE).format(a=sketch.pick(inner[-2:]), b=sketch.pick(inner))}")
            inner.append(f"c{j}")
        if sketch.chance(0.15):
            body.insert(1, "c9 = m.autograd.grad((a * c0).sum(), [a, b], allow_unused=True, retain_graph=True)")
        text = "\n    ".join([f"def f{i}(a, b):", *body, f"return {inner[-1]}"])
        call = f"f{i}({sketch.pick(names)}, {sketch.pick(names)})"
        if kind in ("checkpoint", "hooks around"):
            draws = sketch.chance(0.5)
            call = call.replace("(", ", ").replace(")", f", use_reentrant=False, preserve_rng_state={draws})")
            call = f"m.utils.checkpoint.checkpoint({call}"
        if "hooks" in kind:
            call = f"with m.autograd.graph.saved_tensors_hooks(pack, unpack):\n    v{i} = {call}"
        else:
            call = f"v{i} = {call}"
        sketch.add(text)
        if sketch.add(call):
            names.append(f"v{i}")
    sketch.add(f"out = {names[-1]}.sum() + {sketch.pick(names)}.sum()")
    leaves = [name for name in "xy" if sketch[name].requires_grad]
    for _ in range(sketch.random.randint(1, 3)):
        some = ", ".join(dict.fromkeys(sketch.pick(leaves) for _ in range(2)))
        sketch.add(
            sketch.pick(
                [
                    "out.backward()",
                    "out.backward(retain_graph=True)",
                    f"out.backward(inputs=[{some}], retain_graph=True)",
                    f"g = second(out, {some})",
                    f"g = m.autograd.grad(out, [{some}], allow_unused=True, retain_graph=True)",
                ]
            )
        )
        if sketch.chance(0.1):
            sketch.add(f"with m.no_grad(): {sketch.pick(names)}.mul_(2)")
