"""Functions with a jvp of their own, plain or for `func`: in place, views, several outputs; alone and in chains."""

BODY = (  # the forward on x, y, and how it moves with u, v; a, b are what was saved
    "x * y;u * b + a * v|x.sin();u * a.cos()|(x * y, x.sum());(u * b + a * v, u.sum())|x * 2 + y;2 * u + v|"
    "x.exp() * y;(u * b + v) * a.exp()|(x - y, x + y, x * 3);(u - v, u + v, u * 3)|"
    "x.flatten()[:1] * 2;u.flatten()[:1] * 2|x @ y.T;u @ b.T + a @ v.T"
).split("|")
BACK = {  # and its gradients
    "x * y": "g * b, g * a",
    "x.sin()": "g * a.cos(), None",
    "(x * y, x.sum())": "g * b + h, g * a",
    "x * 2 + y": "g * 2, g",
    "x.exp() * y": "g * b * a.exp(), g * a.exp()",
    "x.flatten()[:1] * 2": "None, None",
    "x @ y.T": "g @ b, g.T @ a",
    "(x - y, x + y, x * 3)": "g + h + 3 * k, h - g",
}
USES = (
    "fn.jvp(n, (x,), (y,))|fn.grad(n)(x)|fn.hessian(n)(x)|fn.jacfwd(n)(x)|fn.jacrev(n)(x)|fn.vmap(n)(m.stack([x, y]))|"
    "fn.jvp(fn.grad(n), (x,), (y,))|fn.vmap(fn.grad(n))(m.stack([x, y]))|m.autograd.functional.hessian(n, x)|"
    "m.autograd.functional.jvp(n, x, y)|fn.vjp(n, x)[1](m.ones(()).double())"
).split("|")
OTHER = "x.mul_(y)|x.mul_(2).add_(y)|x.view_as(x)|x[:1]|x|x * y".split("|")
MOVED = (
    "u.mul_(b).add_(a * v)|u.mul_(2).add_(v)|u.mul_(2)|u.view_as(u)|u[:1]|u|u * 2|u + v|u.clone()|v|u.add_(v)|"
    "(u, v)|u.sum()"
).split("|")


def write(sketch) -> None:
    shape = sketch.pick([(2, 2), (1, 2)])
    sketch.add("fn = m.func")
    body, moved = sketch.pick(BODY).split(";")
    back, free = BACK[body], sketch.chance(0.3)
    if free:
        body, moved, back = sketch.pick(OTHER), sketch.pick(MOVED), "None, None"
    lines = ["class Op(m.autograd.Function):"]
    if sketch.chance(0.5):
        lines += ["    generate_vmap_rule = True"]
    save = ["ctx.save_for_backward(x, y)", "ctx.save_for_forward(x, y)"]
    save += ["ctx.set_materialize_grads(False)"] * sketch.chance(0.1)
    dirty = ["ctx.mark_dirty(x)"] * ("_(" in body and sketch.chance(0.9))
    if sketch.chance(0.5) and not dirty:
        lines += ["    @staticmethod", "    def forward(x, y):", f"        return {body}"]
        lines += ["    @staticmethod", "    def setup_context(ctx, inputs, output):", "        x, y = inputs"]
        lines += [f"        {one}" for one in save]
    else:
        lines += ["    @staticmethod", "    def forward(ctx, x, y):", *(f"        {one}" for one in save + dirty)]
        lines += [f"        return {body}"]
    lines += [
        "    @staticmethod",
        "    def jvp(ctx, u, v):",
        "        a, b = ctx.saved_tensors",
        f"        return {moved}",
    ]
    lines += ["    @staticmethod", "    def backward(ctx, g, h=0, k=0):", "        a, b = ctx.saved_tensors"]
    lines += [f"        return {back}"]
    sketch.add("\n".join(lines))
    for name in "xy":
        sketch.add(f"{name} = T({sketch.numbers(shape)}, grad={sketch.chance(0.5)})")
    if sketch.chance(0.5) or free:
        for name in "xy":
            if sketch.chance(0.7):
                sketch.add(f"d{name} = D({name}, T({sketch.numbers(shape)}, grad=False))")
        p, q = ("d" + name if "d" + name in sketch else name for name in "xy")
        before = sketch.pick(["{}", "{} * 1", "{}.sin()"])
        sketch.add(f"r = Op.apply({before.format(p)}, {sketch.pick([q, q, p]) if not dirty else q})")
        sketch.add(f"s = {sketch.pick(['r * 2', 'r[0]', 'r.sum()', 'Op.apply(r, r * 2)'])}")
    else:
        sketch.add("several = lambda r: r if isinstance(r, tuple) else (r,)")
        sketch.add("n = lambda a: sum(one.sum() for one in several(Op.apply(a, y * a)))")
        way = sketch.pick(USES)
        sketch.add(f"r = still({way})")
    leaves = [name for name in "xy" if sketch[name].requires_grad]
    if leaves and "s" in sketch and sketch.chance(0.6):
        sketch.add(f"g = first([s, {leaves[0]} * 2], {', '.join(leaves)})")
