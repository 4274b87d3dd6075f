"""Anomaly mode on, off, nested and as a flag, around forwards and backwards where something is not a number."""

KINDS = True
MAKE = (
    "{a} * 2|{a}.sqrt()|{a}.log()|{a} / {a}|({a} - {a}).sqrt()|{a} * float('nan')|{a}.exp()|({a} * 0).norm()|"
    "F.apply({a})|"
    "G.apply({a})|{a}[:1]|{a}.sum()|m.where({a} > 0, {a}.sqrt(), {a})|{a} * x|({a} * 0).pow(0.5)|{a}.clone()|{a}.relu()"
).split("|")
MODES = (
    "m.autograd.detect_anomaly()|m.autograd.detect_anomaly(check_nan=False)|m.autograd.set_detect_anomaly(True)|"
    "m.autograd.set_detect_anomaly(False)|m.no_grad()|m.autograd.set_detect_anomaly(True, check_nan=False)|"
    "m.autograd.set_detect_anomaly(True, False)|m.autograd.detect_anomaly(True)"
).split("|")
FUNCTIONS = """class F(m.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2
    @staticmethod
    def backward(ctx, g):
        return g * float('nan')
class G(m.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a.clone()
    @staticmethod
    def backward(ctx, g):
        raise KeyError('lost')"""
PASSES = (
    "out.backward()|out.backward(retain_graph=True)|g = m.autograd.grad(out, x, retain_graph=True)|"
    "g = second(out, x)|out.backward(create_graph=True)|h = m.autograd.functional.jacobian(lambda a: a.sqrt(), x * 0)"
).split("|")


def write(sketch) -> None:
    sketch.add(FUNCTIONS)
    sketch.leaf("x", (2,))
    if sketch.chance(0.2):
        sketch.add(
            f"m.autograd.set_detect_anomaly({sketch.pick(['True', 'False', 'True, False', 'True, check_nan=False'])})"
        )
    lines, name = [], "x"
    for i in range(sketch.random.randint(1, 4)):
        lines.append(f"v{i} = {sketch.pick(MAKE).format(a=name)}")
        name = f"v{i}"
        if sketch.chance(0.15):
            lines.append(f"{name}.register_hook(lambda g: g * float('nan'))")
        if sketch.chance(0.1):
            lines.append(f"{name}.mul_(2)")
    lines.append(f"out = {name}.sum()")
    if sketch.chance(0.5):
        sketch.add(f"with {sketch.pick(MODES)}:\n    " + "\n    ".join(lines))
    else:
        for line in lines:
            sketch.add(line)
    for _ in range(sketch.random.randint(1, 2)):
        with_mode = f"with {sketch.pick(MODES)}: " if sketch.chance(0.6) else ""
        sketch.add(f"{with_mode}{sketch.pick(PASSES)}")
    sketch.add("flags = [m.is_anomaly_enabled(), m.is_anomaly_check_nan_enabled()]")
    sketch.add("m.autograd.set_detect_anomaly(False)\nkept = [x.grad if x.grad is None else x.grad.detach()]")
