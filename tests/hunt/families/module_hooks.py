"""Modules within modules, with hooks of all kinds around them: what each sees, in order, what its answer does, and what
is left after an error; forwards with several arguments, and first and second backwards.
"""

KINDS = True
PARTS = (
    "m.nn.Tanh()|m.nn.Identity()|Times()|Times()|Pair()|m.nn.Sequential(Times(), m.nn.Sigmoid())|m.nn.ReLU()|Named()"
).split("|")
MODULES = """class Times(m.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = m.nn.Parameter(m.tensor([0.5, -1.5], dtype=m.float64))
    def forward(self, x, by=2):
        return x * self.w * by
class Pair(m.nn.Module):
    def forward(self, x, y=None):
        return x * 2, x.sin() if y is None else y, 3
class Named(m.nn.Module):
    def forward(self, x):
        return {'out': x * 3}"""
NOTE = """def note(name, answer):
    def hook(module, *seen):
        log.append([name, *(list(one) if isinstance(one, tuple) else one for one in seen)])
        return answer(*seen)
    return hook"""
HOOKS = {
    "register_forward_pre_hook": ("a", "None|None|(a[0] * 2,)|a[0]|a[:1]|(a[0].detach(),)|log[99]"),
    "register_forward_hook": ("a, out", "None|None|out|out * 2 if m.is_tensor(out) else out|log[99]|None"),
    "register_full_backward_pre_hook": (
        "go",
        "None|None|go|(go[0] * 2,) if go[0] is not None else None|go + go|log[99]",
    ),
    "register_backward_hook": ("gi, go", "None|None|gi|log[99]"),
    "register_full_backward_hook": (
        "gi, go",
        "None|None|gi|(gi[0] * 2,) if gi[0] is not None else None|(None,)|gi + gi|log[99]",
    ),
}


def write(sketch) -> None:
    for line in ("log, handles = [], []", MODULES, NOTE):
        sketch.add(line)
    sketch.leaf("x", (2,), grad=sketch.chance(0.8))
    sketch.leaf("y", (2,), grad=sketch.chance(0.8))
    names = []
    for i in range(sketch.random.randint(1, 3)):
        sketch.add(f"m{i} = {sketch.pick(PARTS)}")
        names.append(f"m{i}")
    for i in range(sketch.random.randint(1, 5)):
        sketch.add(hook(sketch, sketch.pick(names), i))
    value = "x"
    for i in range(sketch.random.randint(1, 3)):
        more = sketch.pick(["", "", "", ", y", ", 3", ", by=5", ", y=y"])
        if sketch.add(f"v{i} = {sketch.pick(names)}({value}{more})"):
            found, value = sketch[f"v{i}"], f"v{i}"
            value += "[0]" if isinstance(found, tuple) else "['out']" if isinstance(found, dict) else ""
        if sketch.chance(0.15):
            sketch.add("handles.pop().remove()")
    sketch.add(f"out = ({value} * {value}).sum() + y.sum()")
    weights = [f"{name}.w" for name in names if hasattr(sketch[name], "w")]
    inputs = ", ".join(sketch.random.sample(["x", "y", *weights], sketch.random.randint(1, 2)))
    for i in range(sketch.random.randint(1, 2)):
        sketch.add(
            sketch.pick(
                [
                    "out.backward(retain_graph=True)",
                    "out.backward()",
                    f"g{i} = m.autograd.grad(out, [{inputs}], allow_unused=True, retain_graph=True)",
                    f"h{i} = second(out, {inputs})",
                ]
            )
        )
    sketch.add(f"kept = [{', '.join(f'{one}.grad' for one in ['x', 'y', *weights])}]")


def hook(sketch, name: str, i: int) -> str:
    kind = sketch.pick(list(HOOKS))
    given, answers = HOOKS[kind]
    noted = f"note('{kind[9:]} {i}', lambda {given}: {sketch.pick(answers.split('|'))})"
    before = ", prepend=True" * (kind != "register_backward_hook" and sketch.chance(0.2))
    return f"handles.append({name}.{kind}({noted}{before}))"
