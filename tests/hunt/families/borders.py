"""Borders around one to three dimensions: wide and negative, with room and without, empty tensors."""

FORMS = ("{x}", "{x}.transpose(0, -1)", "{x} * 2", "{x}.long()")


def write(sketch) -> None:
    pick, chance = sketch.pick, sketch.chance
    shape = tuple(pick((1, 2, 3, 4) if chance(0.95) else (0, 1)) for _ in range(sketch.random.randint(1, 5)))
    while len(shape) > 2 and chance(0.3):
        shape = shape[1:]
    sketch.leaf("x", shape)
    sides = 2 * sketch.random.randint(1, min(3, len(shape)))
    wide = pick([(0, 1), (0, 1, 2), (-1, 0, 1, 2), (-2, -1, 0, 1, 3), (-1, 0)])
    pad = tuple(pick(wide) for _ in range(sides + (chance(0.03))))
    value = f", value={pick((0, 1.5, -2, 'None'))}" if chance(0.4) else ""
    form = pick(FORMS).format(x="x") if chance(0.3) else "x"
    if not sketch.add(f"y = m.nn.functional.pad({form}, {pad}{value})"):
        return
    if sketch["y"].requires_grad and sketch["y"].numel():
        sketch.add("g = second(y * y, x)" if chance(0.5) else "(y * y).sum().backward()")
