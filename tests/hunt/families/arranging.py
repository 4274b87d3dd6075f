"""Shapes: reshaped, joined, split, turned, repeated, with all spellings of their arguments, some of them wrong, also of
tensors without elements or dimensions."""

KINDS = True
WAYS = (
    "{x}.reshape({shape})|{x}.reshape(-1)|m.reshape({x}, (-1, {n}))|{x}.view(shape={shape})|{x}.view(*{shape})|"
    "m.flatten({x}, {d}, {e})|{x}.permute({order})|{x}.permute(*{order})|"
    "m.permute({x}, dims={order})|{x}.transpose({d}, {e})|{x}.mT|m.movedim({x}, {d}, {e})|"
    "m.movedim({x}, ({d}, {e}), ({e}, {d}))|m.swapaxes({x}, {d}, {e})|{x}.squeeze()|{x}.squeeze({d})|"
    "{x}.squeeze(({d}, {e}))|{x}.unsqueeze({d})|m.unsqueeze({x}, dim={e})|{x}.expand({k}, *{x}.shape)|"
    "{x}.expand(-1, {n})|{x}.broadcast_to(({k}, {n}))|{x}.repeat({k}, {n})|{x}.repeat(({k}, {n}, 2))|"
    "m.tile({x}, ({k},))|{x}.tile(dims=(2, {n}))|{x}.repeat_interleave({k}, {d})|m.repeat_interleave({x}, {k})|"
    "m.repeat_interleave({x}, m.tensor([{k}, 1]), dim={d})|m.flip({x}, ({d},))|{x}.flip({d}, {e})|"
    "{x}.flip(dims=[{d}])|m.roll({x}, {k}, {d})|m.roll({x}, ({k}, -1), ({d}, {e}))|m.roll({x}, shifts={k})|"
    "m.cat([{x}, {y}], {d})|"
    "m.cat([{x}, {y}, {x}], dim={d})|m.cat(({x}, T([])), {d})|m.stack([{x}, {y}], {d})|"
    "m.stack([{x}, {x} * 2], dim={e})|m.hstack([{x}, {y}])|m.vstack(({x}, {y}))|"
    "{x}.split({k}, {d})[0]|m.cat({x}.split({k}, dim={d}), {d})|{x}.split([1, {k}], {d})[-1]|"
    "{x}.chunk({k}, {d})[-1]|"
    "{x}.unbind({d})[0]|m.meshgrid({x}, {y}, indexing='{ij}')[0]|m.tril({x}, {e})|"
    "m.triu({x}, diagonal={d})|m.diagonal({x}, {d}, {d}, {e})|m.diagonal({x}, offset={e})|m.diag({x}, {d})|"
    "m.diag_embed({x}, {e})|m.diag_embed({x}, {d}, {d}, {e})|"
    "m.narrow({x}, {d}, {k}, {n})|m.select({x}, {d}, {e})|m.atleast_2d({x})|m.atleast_1d({x})|"
    "m.ravel({x})|m.broadcast_tensors({x}, {y})[1]|m.as_strided({x}.reshape(-1), ({k}, {n}), (1, {k}))|"
    "m.as_strided({x}.contiguous(), ({k},), ({n},), {e})|{x} * m.diff({y}, {n}, {d})|m.diff({x}, {n}, {d})|"
    "{x}.unfold({d}, {k}, {n})|{x}.unfold({d}, {n}, {k})|m.cumsum({x}, {d})|m.cumprod({x}, {d})"
).split("|")


def write(sketch) -> None:
    draw, names = sketch.random, []
    for name in "ab"[: draw.randint(1, 2)]:
        shape = sketch.shape(lengths=(1, 2, 3, 3, 0) if sketch.chance(0.1) else (1, 2, 3))
        sketch.add(f"{name} = T({sketch.numbers(shape)}).detach().reshape({shape}).clone().requires_grad_()")
        names.append(name)
    leaves = list(names)
    for i in range(draw.randint(1, 4)):
        x, y = sketch.pick(names[-2:]), sketch.pick(names)
        shape = list(sketch[x].shape)
        draw.shuffle(shape)
        order = draw.sample(range(len(shape)), len(shape))
        given = {
            "x": x,
            "y": y,
            "shape": shape,
            "order": tuple(order),
            "k": draw.randint(0, 3),
            "n": draw.randint(1, 3),
        }
        given |= {"d": sketch.dim(x), "e": draw.randint(-2, 2), "ij": sketch.pick(["ij", "xy"])}
        if sketch.add(f"v{i} = {sketch.pick(WAYS).format(**given)}"):
            names.append(f"v{i}")
    out = [name for name in dict.fromkeys([names[-1], sketch.pick(names)]) if sketch[name].requires_grad]
    if out:
        sketch.add(f"g = second([{', '.join(out)}], {', '.join(leaves)})")
