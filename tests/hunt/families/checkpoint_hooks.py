"""Checkpoints around parts of a net, and hooks of tensors, nodes and modules inside and outside of them."""

KINDS = True
HELP = """def note(name, answer=lambda *seen: None):
    def hook(*seen):
        log.append([name, m.is_grad_enabled(), *(one.detach().clone() for one in seen if m.is_tensor(one))])
        return answer(*seen)
    return hook
def hung(t, name, answer=lambda g: None):
    if t.requires_grad:
        t.register_hook(note(name, answer))
    return t"""
BODIES = (
    "a.sin() * b|hung(a * b, 'in') * a|hung(a.exp(), 'in', lambda g: g * 2).tanh()|(a * b).relu() + a|net(a) * b|"
    "hung(net(a), 'in') + b|F.dropout(a, 0.5) * b|cp(lambda c: c.sin() * c, a, use_reentrant=False) * b|"
    "(a * b, a + b)[0]|a * b + w|hung(a.clone().mul_(2), 'in') * b|net(a * b).detach() + a|a.where(a > 0, b)"
).split("|")
HOOKS = (
    "{v}.register_hook(note('{v}'))|{v}.register_hook(note('{v} 2', lambda g: g * 3))|{v}.retain_grad()|"
    "{v}.grad_fn.register_hook(note('node', lambda gi, go: None))|"
    "{v}.grad_fn.register_prehook(note('pre', lambda go: None))|"
    "net.register_forward_hook(note('forward', lambda *s: None))|"
    "net.register_full_backward_hook(note('full', lambda *s: None))|"
    "net.register_forward_pre_hook(note('before', lambda mod, a: (a[0] * 2,)))|"
    "w.register_post_accumulate_grad_hook(note('after'))|"
    "m.autograd.graph.register_multi_grad_hook([{v}, w], note('several'))"
).split("|")


def write(sketch) -> None:
    pick = sketch.pick
    sketch.add("cp, log = m.utils.checkpoint.checkpoint, []")
    sketch.add(HELP)
    sketch.add("net = m.nn.Sequential(m.nn.Linear(2, 2), m.nn.Tanh()).double()")
    for name in "xyw":
        sketch.leaf(name, (2,), grad=name == "w" or sketch.chance(0.8))
    names = ["x", "y"]
    for i in range(sketch.random.randint(1, 4)):
        if sketch.chance(0.5):
            sketch.add(pick(HOOKS).format(v=pick(names)))
        more = pick(["", "", ", preserve_rng_state=False"])
        options = f"use_reentrant=False{more}"
        body, given = f"lambda a, b: {pick(BODIES)}", f"{pick(names)}, {pick(names)}"
        if sketch.add(f"v{i} = cp({body}, {given}, {options})" if sketch.chance(0.7) else f"v{i} = ({body})({given})"):
            names.append(f"v{i}")
    sketch.add(f"out = ({names[-1]} * {pick(names)}).sum()")
    for i in range(sketch.random.randint(1, 2)):
        keep = pick(["retain_graph=True", "retain_graph=True", ""])
        some = pick(["x, w", "w", "x, y"])
        sketch.add(
            pick(
                [
                    f"out.backward({keep})",
                    f"g{i} = m.autograd.grad(out, [{some}], allow_unused=True, {keep})",
                    f"out.backward(inputs=[{some}], {keep})",
                ]
            )
        )
    sketch.add("kept = [one.grad for one in (x, y, w, *net.parameters())]")
