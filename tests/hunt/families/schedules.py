"""Schedules of learning rates: several in turn, with odd options, rates changed by hand, groups added, states kept."""

SCHEDULES = (
    "StepLR(o, {n}, {g})|MultiStepLR(o, [1, {n}], {g})|ExponentialLR(o, {g})|CosineAnnealingLR(o, {n}, {e})|"
    "CosineAnnealingLR(o, {n})|LinearLR(o, {f}, {e}, {n})|LinearLR(o)|ConstantLR(o, {f}, {n})|"
    "LambdaLR(o, lambda epoch: {g} ** epoch)|PolynomialLR(o, {n}, {g})"
).split("|")
OPTIMIZERS = (
    "SGD([x], 0.1)|Adam([x])|SGD([{'params': [x]}, {'params': [w], 'lr': 0.5}], 0.1)|"
    "SGD([{'params': [x], 'initial_lr': 0.2}], 0.1)"
).split("|")
BETWEEN = (
    "s.step()|s.step()|t.step()|o.step()|o.param_groups[0]['lr'] *= 0.5|"
    "kept = (lambda state: lambda: state)(copy.deepcopy(s.state_dict()))|s.load_state_dict(kept())|"
    "o.load_state_dict(copy.deepcopy(o.state_dict()))|"
    "o.add_param_group({'params': [T([2.0])], 'lr': 0.3})|s.last_epoch = {n}"
).split("|")


def write(sketch) -> None:
    pick = sketch.pick

    def filled(text: str) -> str:
        given = {
            "n": "1 2 3 4".split(),
            "g": "0.5 0.9 1 2".split(),
            "e": "0 0.01 0.3".split(),
            "f": "0.5 0.25 1".split(),
        }
        for name, values in given.items():
            text = text.replace(f"{{{name}}}", pick(values))
        return text

    sketch.add("import copy")
    sketch.add("x, w = T([1.0, 2.0]), T([3.0])")
    sketch.add(f"o = m.optim.{pick(OPTIMIZERS)}")
    for name in "st":
        sketch.add(f"{name} = m.optim.lr_scheduler.{filled(pick(SCHEDULES))}")
    for i in range(sketch.random.randint(3, 10)):
        sketch.add(filled(pick(BETWEEN)))
        sketch.add(f"rates{i} = [[group['lr'] for group in o.param_groups], s.get_last_lr(), s.last_epoch]")
