"""Forward mode: operations of all kinds on duals, some of which are made of others; gradients of and with tangents."""

import re

from ...ops.cases import ANY, CASES

EXPRESSIONS = [  # those that need no helper, with their shapes
    (re.sub(r"\bints\(", "m.tensor(", one.expression), one)
    for one in CASES
    if not one.torch
    and one.inputs
    and not re.search(r"\b(assign|changed|rows|n\.|bools|floats|detach)\b", one.expression)
]
BROADCAST = [((2, 3), (2, 3), (2, 3)), ((2, 3), (3,), (2, 1)), ((), (2,), ()), ((3,), (3,), (1,))]
OTHER = "{0} * 0.97|{0} + 0.01|({0} * {0}) / {0}|m.exp(m.log({0}.abs())) * m.sign({0})|{0}.clone()|{0}".split("|")


def write(sketch) -> None:
    outputs, leaves = [], []
    for round in range(sketch.random.randint(1, 3)):
        expression, case = sketch.pick(EXPRESSIONS)
        shapes, made = sketch.pick(case.shapes or BROADCAST), []
        for name, shape in zip(case.inputs, shapes):
            low, high = case.domains.get(name, ANY)
            own, grad = f"{name}{round}", sketch.chance(0.5)
            alike = [other for other in made if other in sketch and tuple(sketch[other].shape) == shape]
            if alike and sketch.chance(0.5) and (low, high) == case.domains.get(alike[-1][0], ANY):
                sketch.add(f"{own} = {sketch.pick(OTHER).format(alike[-1])}")
            else:
                value = f"T({sketch.numbers(shape, low, high)}, grad={grad})"
                sketch.add(f"{own} = {value}")
                if grad:
                    leaves.append(own)
                if sketch.chance(0.8):
                    own = f"{own}d"
                    sketch.add(f"{own} = D({own[:-1]}, T({sketch.numbers(shape)}, grad={sketch.chance(0.2)}))")
            made.append(own)
        for name, own in zip(case.inputs, made):
            expression = re.sub(rf"\b{name}\b", own, expression)
        if sketch.add(f"v{round} = {expression}"):
            outputs.append(f"v{round}")
    if outputs and leaves and sketch.chance(0.6):
        sketch.add(f"g = first([{', '.join(outputs)}], {', '.join(leaves)}, retain_graph=True)")
    single = [name for name in outputs if hasattr(sketch[name], "requires_grad")]
    recorded = [name for name in single if sketch["tangent"](sketch[name]).requires_grad]
    if recorded and leaves and sketch.chance(0.5):
        sketch.add(f"h = [one.detach() for one in first(tangent({sketch.pick(recorded)}), {', '.join(leaves)})]")
