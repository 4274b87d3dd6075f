"""A Function that returns too much, too little, the wrong shape or no tensor at all; and what its context is asked."""

FORWARDS = (
    "a * b|(a * b, a + b)|a|a.view(-1)|[a * b]|3|None|(a * b, 3)|(a * b, None)|a.detach()|a * b, b|{'a': a}|(a, a)|()|"
    "a.sum().item()|(a * b).long()|m.no_grad().__class__|(a.sin(), (b, a))|'text'"
).split("|")
BEFORE = (
    "ctx.save_for_backward(a, b)|ctx.save_for_backward(a, None)|ctx.save_for_backward(a * b)|ctx.a, ctx.b = a, b|"
    "ctx.save_for_backward(3)|ctx.save_for_backward(a)\n        ctx.save_for_backward(b, a)|ctx.n = 3|"
    "ctx.mark_dirty(a)|ctx.mark_dirty(a.mul_(2))|ctx.mark_non_differentiable(b)|ctx.set_materialize_grads(False)|"
    "log.append(ctx.needs_input_grad)|log.append([a.requires_grad, m.is_grad_enabled()])|ctx.saved_tensors|"
    "log.append(ctx.saved_tensors)|ctx.save_for_backward((a, b))|ctx.save_for_backward(*[a, b])|pass"
).split("|")
BACKWARDS = (
    "g * 2, g|g|(g,)|(g, g, g)|None|(None, None)|(g, None)|g.sum(), g|(g[None], g)|3, g|(g.float(), g)|[g, g]|"
    "gs|(gs[0], gs[-1])|g * ctx.saved_tensors[0], g|g * ctx.a, g * ctx.b|(g * b, g)|(g.expand(2, 2), g)|"
    "(g, g, None)|(g, g, None, None)|(g.mul_(2), g)|(x * g, g)|(g * 1j, g)|(g.detach(), g)|log[99]"
).split("|")
CALLS = (
    "F.apply(x, w)|F.apply(x, w)|F.apply(x, k)|F.apply(x, 3.0)|F.apply(x)|F.apply(x, w, 3)|F.apply(x, b=w)|"
    "F.apply(x * 1, w)|"
    "F.apply(x, x)|F()(x, w)|F.apply(k, w)|F.apply([x], w)|F.apply(x, None)|F.forward(None, x, w)|F.apply(x.long(), w)|"
    "F.apply((x * 1)[:], w)|F.apply(x * 2, (x * 2).view(-1))"
).split("|")


def write(sketch) -> None:
    pick, chance = sketch.pick, sketch.chance
    sketch.add("log = []")
    sketch.leaf("x", (2,))
    sketch.leaf("w", (2,))
    sketch.leaf("k", (2,), grad=False)
    forward = pick(FORWARDS[:4] if chance(0.5) else FORWARDS)
    backward = pick(BACKWARDS[:2] if chance(0.4) else BACKWARDS)
    before = "\n        ".join(pick(BEFORE) for _ in range(sketch.random.randint(0, 2))) or "pass"
    first = pick(["@staticmethod", "@staticmethod", "@staticmethod", "@staticmethod", ""])
    once = pick(["", "", "", "\n    @m.autograd.function.once_differentiable"])
    more = pick(["", "", "", ", c=None", ", *more"])
    body = f"""class F(m.autograd.Function):
    {first or "pass"}
    def forward(ctx, a, b{more}):
        {before}
        return {forward}
    @staticmethod{once}
    def backward(ctx, *gs):
        g = gs[0]
        log.append([one if one is None else one.detach() for one in gs])
        return {backward}"""
    sketch.add(body)
    for i in range(sketch.random.randint(1, 2)):
        sketch.add(f"r{i} = {pick(CALLS[:3] if chance(0.6) else CALLS)}")
    sketch.add(
        "out = sum((one * one).sum() for one in (r0 if isinstance(r0, (list, tuple)) else [r0]) if m.is_tensor(one))"
    )
    sketch.add(
        pick(["out.backward()", "g = second(out, x, w)", "g = first(out, x, w)", "out.backward(create_graph=True)"])
    )
    sketch.add("kept = [one if one is None else one.detach() for one in (x.grad, w.grad)]")
