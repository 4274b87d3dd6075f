"""What sorts, counts and picks the largest, of numbers that are equal or stand on a kink, and of none at all."""

import math

KINDS = True
TIED = (
    "m.sort({x}, {d})|m.sort({x}, stable=True, descending=True)|{x}.sort(dim={d}, descending=True)|"
    "m.argsort({x}, dim={d}, stable=True)|{x}.median()|m.median({x}, {d}, keepdim=True).values|m.nanmedian({x})|"
    "m.max({x})|m.min({x}, {d})|m.max({x}, dim={d}, keepdim=True)|{x}.amax({d})|m.amin({x}, ({d},))|"
    "m.amax({x}, dim=())|m.argmax({x}, {d})|{x}.argmin(keepdim=True)|m.maximum({x}, {y})|m.minimum({x}, 1 - {y})|"
    "m.max({x}, {y})|m.clamp({x}, 0, 1)|m.clamp({x}, min={y})|"
    "m.clamp({x}, {y}, {y} + 1)|{x}.clamp(max=1)|m.relu({x})|m.abs({x} - 1)|"
    "m.where({x} > 1, {x}, {y})|m.sign({x}) * {x}|m.cumsum({x}, {d})|m.cumprod({x}, {d})|"
    "m.prod({x})|m.prod({x}, {d})|m.diff({x}, 1, {d})|"
    "m.unique({x}.detach(), return_counts=True)|m.count_nonzero({x}, {d})|m.nonzero({x})|"
    "m.norm({x})|m.norm({x}, 1, {d})|m.norm({x}, float('inf'))|m.std({x}, {d})|"
    "m.std({x} * 0 + 1)"
).split("|")
APART = (  # of equal elements PyTorch's choice depends on how it looks for them
    "m.topk({x}, {k}, {d})|m.topk({x}, {k}, largest=False)|"
    "{x}.topk(k={k}, dim={d})|"
    "m.median({x}, {d})|m.nanmedian({x}, {d}, True)"
).split("|")


def write(sketch) -> None:
    draw = sketch.random
    shape = sketch.shape(lengths=(1, 2, 3, 4, 0) if sketch.chance(0.1) else (1, 2, 3, 4))
    count, tied = math.prod(shape), sketch.chance(0.8)
    few = sketch.pick([[0.0, 1.0, -1.0, 2.0], [1.0, 2.0], [0.0, 1.0, float("nan")] if sketch.chance(0.1) else [1.0]])
    for name in "xy":
        flat = [sketch.pick(few) for _ in range(count)] if tied else draw.sample([i / 4 - 3 for i in range(99)], count)
        text = str(flat).replace("nan", "float('nan')")
        sketch.add(f"{name} = T({text}).detach().reshape({shape}).clone().requires_grad_()")
    names = []
    for i in range(draw.randint(1, 2)):
        given = {"x": "x", "y": "y", "d": sketch.dim("x"), "e": draw.randint(-2, 2), "k": draw.randint(0, 3)}
        line = f"v{i} = {sketch.pick(TIED if tied or sketch.chance(0.7) else APART).format(**given)}"
        names += [f"v{i}"] * sketch.add(line)
    live = []
    for name in names:
        parts = sketch[name] if isinstance(sketch[name], tuple) else [sketch[name]]
        live += [f"{name}[{j}]" if len(parts) > 1 else name for j, part in enumerate(parts) if part.requires_grad]
    if live:
        sketch.add(f"g = first([{', '.join(live)}], x, y)")
