"""Dual tensors through hooks on what is saved and through checkpoints: forward mode over a backward that unpacks."""

from .packing import MAKE

KINDS = True
MAKES = [make for make in MAKE if "F.apply" not in make]
MAKES += ["F.apply({a})", "{a}.logsumexp(0) * {b}", "{a}.cumprod(0)", "{a}.var() * {b}", "m.outer({a}, {b}).sum(0)"]
HOOKS = (
    "m.clone, m.clone|m.Tensor.detach, m.clone|lambda t: (t,), lambda p: p[0]|"
    "lambda t: t * 2 if t.is_floating_point() else t, lambda t: t / 2 if t.is_floating_point() else t"
).split("|")
SQUARE = """class F(m.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        ctx.save_for_forward(a)
        return a * a
    @staticmethod
    def backward(ctx, g):
        return 2 * g * ctx.saved_tensors[0]
    @staticmethod
    def jvp(ctx, t):
        return 2 * t * ctx.saved_tensors[0]"""


def write(sketch) -> None:
    pick = sketch.pick
    sketch.add("cp = m.utils.checkpoint.checkpoint")
    sketch.add(SQUARE)
    names = [sketch.leaf(name, (2,), grad=name == "x" or sketch.chance(0.5)) for name in "xyz"]
    sketch.add(f"d = D({pick(names)}, T({sketch.numbers((2,))}, grad=False))")
    names.append("d")
    for i in range(sketch.random.randint(1, 3)):
        body, inner = [], ["a", "b"]
        for j in range(sketch.random.randint(1, 3)):
            body.append(f"c{j} = {pick(MAKES).format(a=pick(inner[-2:]), b=pick(inner))}")
            inner.append(f"c{j}")
        sketch.add("\n    ".join([f"def f{i}(a, b):", *body, f"return {inner[-1]}"]))
        given, how = f"{pick(names[-2:])}, {pick(names)}", pick(["checkpoint", "checkpoint", "hooks", "plain"])
        call = f"v{i} = f{i}({given})"
        if how == "checkpoint":
            call = f"v{i} = cp(f{i}, {given}, use_reentrant=False)"
        if how == "hooks":
            call = f"with m.autograd.graph.saved_tensors_hooks({pick(HOOKS)}): {call}"
        if sketch.add(call):
            names.append(f"v{i}")
    some = ", ".join([one for one in "xyz" if sketch[one].requires_grad])
    sketch.add(f"g = {pick(['first', 'first', 'second'])}({names[-1]}, {some})")
    if sketch.chance(0.5):
        sketch.add(f"h = first({names[-1]}, {some}, create_graph=True)")
