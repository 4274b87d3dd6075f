"""Hooks of every kind on tensors, leaves and nodes, which look on, replace, refuse or take themselves off; several
backwards, whole and in part; and what all of them saw, in order.
"""

KINDS = True
MAKE = (
    "{a} * {b}|{a} + {b}|{a}.sin()|{a}.exp()|{a} * 2|{a}.sum()|{a}.split(1)[0]|{a}.max(0)[0]|{a}.unbind()[-1]|"
    "{a}.clone()|{a}.relu()|{a}[:1]|{a}.sort(0)[0]"
).split("|")
ANSWER = (
    "None|None|{s} * 2|{s}|{s} * {s}|{s}.detach() + 1|None if {s} is None else {s} * 3|handles[0].remove()|log[99]|"
    "{s}.float()|{s}.sum()|3|(None if len(log) % 2 else {s} * 5)"
).split("|")
AFTER = "None|(gi[0] * 2, *gi[1:])|(None,) * len(gi)|gi|go".split("|")
NOTE = """def as_it_is(one):
    return one.detach().clone() if m.is_tensor(one) else [as_it_is(x) for x in one] if isinstance(one, tuple) else one
def note(name, answer=lambda *seen: None):
    def hook(*seen):
        log.append([name, *map(as_it_is, seen)])
        return answer(*seen)
    return hook"""


def write(sketch) -> None:
    for line in ("log, handles = [], []", NOTE):
        sketch.add(line)
    leaves = [sketch.leaf(name, sketch.pick([(2,), (3,), (2, 2)]) if i == 0 else (2,)) for i, name in enumerate("xy")]
    names = list(leaves)
    for i in range(sketch.random.randint(2, 6)):
        if sketch.add(f"v{i} = {sketch.pick(MAKE).format(a=sketch.pick(names[-3:]), b=sketch.pick(names))}"):
            names.append(f"v{i}")
        if sketch.chance(0.1):
            sketch.add(f"{names[-1]}.mul_({sketch.pick(names)})")
        if sketch.chance(0.6):
            hang(sketch, names, i)
    out = f"{names[-1]}.sum()" + f" + {sketch.pick(names)}.sum()" * sketch.chance(0.4)
    sketch.add(f"out = {out}")
    for i in range(sketch.random.randint(0, 3)):
        hang(sketch, names, i)
    for i in range(sketch.random.randint(1, 3)):
        sketch.add(backward(sketch, names, i))
        sketch.add(f"log.append('-- {i}')")
    sketch.add(f"kept = [v.grad for v in [{', '.join(names)}] if v.is_leaf or v.retains_grad]")


def backward(sketch, names: list, i: int) -> str:
    some = ", ".join(dict.fromkeys(sketch.pick(names) for _ in range(sketch.random.randint(1, 3))))
    retain = sketch.pick(["retain_graph=True", "retain_graph=True", "create_graph=True", ""])
    edges = ", ".join(f"m.autograd.graph.get_gradient_edge({one})" for one in some.split(", "))
    return sketch.pick(
        [
            f"out.backward({retain})",
            f"out.backward({retain})",
            f"out.backward(inputs=[{some}], {retain})",
            f"g{i} = m.autograd.grad(out, [{some}], allow_unused=True, {retain})",
            f"g{i} = m.autograd.grad(out, [{edges}], allow_unused=True, {retain})",
            f"out.backward(inputs=[{edges}], {retain})",
            f"m.autograd.backward(m.autograd.graph.get_gradient_edge(out), {retain})",
        ]
    )


def hang(sketch, names: list, i: int) -> None:
    at = sketch.pick(names)
    answer, label = sketch.pick(ANSWER), f"'{at} {sketch.random.randrange(100)}'"
    before = sketch.pick(["None", answer if answer in ("None", "log[99]") else f"({answer},)"]).format(s="gs[0]")
    one = f"note({label}, lambda g: {answer.format(s='g')})"
    pre, post = f"note({label}, lambda gs: {before})", f"note({label}, lambda gi, go: {sketch.pick(AFTER)})"
    some = ", ".join(dict.fromkeys(sketch.pick(names) for _ in range(2)))
    mode, plain = sketch.pick(["all", "any"]), f"note({label})"
    sketch.add(
        sketch.pick(
            [
                f"handles.append({at}.register_hook({one}))",
                f"handles.append({at}.register_hook({one}))",
                f"{at}.retain_grad()",
                f"handles.append({at}.register_post_accumulate_grad_hook(note({label}, lambda t: None)))",
                f"handles.append(m.autograd.graph.get_gradient_edge({at}).node.register_prehook({pre}))",
                f"handles.append(m.autograd.graph.get_gradient_edge({at}).node.register_hook({post}))",
                f"handles.append(m.autograd.graph.register_multi_grad_hook([{some}], {plain}, mode='{mode}'))",
                "handles and handles.pop().remove()",
            ]
        )
    )
