"""Hooks that change things: gradients and views of them in place, leaves, other hooks, a backward inside a backward."""

HOOKS = (
    "kept.append(g)|x.data.mul_(2)|g.detach().clone()|g * w|"
    "(x.detach().requires_grad_() ** 2).sum().backward()|handle.remove()|x.register_hook(lambda h: h * 3)|"
    "log.append(m.autograd.grad((x * 3).sum(), x))|m.is_grad_enabled()|g.requires_grad|g.expand(2, 2, 2)|"
    "g.float()|None|w.grad.zero_()|g.clone().mul_(3)|g[0]|(g * g).sum()|3|g.numpy()"
).split("|")
WHERE = "x w h h h k k".split()


def write(sketch) -> None:
    sketch.leaf("x", (2, 2))
    sketch.leaf("w", (2, 2))
    sketch.add("log, kept, handle = [], [], x.register_hook(lambda g: None)")
    sketch.add(f"h = x * {sketch.pick(['w', '2', 'x', 'w.t()'])}")
    more = ["h.sin()", "h[:1]", "h.view(4)", "h + w", "h.sum(0)", "h @ w", "h.t()", "h.expand(2, 2, 2)"]
    sketch.add(f"k = {sketch.pick(more)}")
    for i in range(sketch.random.randint(1, 3)):
        body, where = sketch.pick(HOOKS), sketch.pick(WHERE)
        answer = sketch.chance(0.5) and "=" not in body
        lines = [f"def hook{i}(g):", f"    log.append(['{where}', g.detach().clone()])"]
        lines += [f"    {'return ' if answer else ''}{body}"]
        sketch.add("\n".join(lines))
        if sketch.chance(0.2):
            how = sketch.pick(["h.grad_fn.register_prehook", "k.grad_fn.register_prehook"])
            sketch.add(f"{how}(lambda gs: hook{i}(gs[0]))")
        elif sketch.chance(0.15):
            sketch.add(f"x.register_post_accumulate_grad_hook(lambda p: hook{i}(p.grad))")
        else:
            sketch.add(f"{where}.register_hook(hook{i})")
    if sketch.chance(0.3):
        sketch.add("h.retain_grad()")
    out = sketch.pick(["k.sum()", "(k * k).sum()", "k.sum() + h.sum()", "k.exp().mean()"])
    how = sketch.pick(["retain_graph=True", "", "create_graph=True", "inputs=[x]"])
    sketch.add(f"out = {out}\nout.backward({how})")
    sketch.add("kept = [one.detach() for one in kept]")
    if sketch.chance(0.5):
        sketch.add("out.backward()" if sketch.chance(0.5) else "g = m.autograd.grad((x * w).sum(), [x, w])")
