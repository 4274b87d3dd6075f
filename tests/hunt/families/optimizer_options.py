"""Optimizers with odd options, parameters and moments: what is refused, what is stepped, what their state says."""

PARAMETERS = (
    "[x]|[x, w]|[w, x]|[x, x]|[]|x|[x * 1]|[x.detach()]|iter([x, w])|(p for p in (x, w))|{'params': [x]}|"
    "[{'params': x}]|"
    "[{'params': [x], 'lr': 0.5}, {'params': [w]}]|[{'params': [x]}, {'params': [x]}]|[{'params': [w], 'lr': -1.0}]|"
    "[{'params': []}]|[3]|[None]|x.tolist()|[{'lr': 0.1}]|{x, w}|[h, x]|[e, x]|[x, z]"
).split("|")
OPTIONS = {
    "SGD": "momentum=0.9|momentum=-1|dampening=0.5|nesterov=True|momentum=0.9, nesterov=True|weight_decay=-0.1|"
    "momentum=0.5, dampening=0.3|maximize=True|momentum=1|weight_decay=0.1, maximize=True",
    "Adam": "betas=(0.5, 0.5)|betas=(1.0, 0.9)|betas=(0.0, 0.0)|eps=-1|eps=0.0|weight_decay=0.3|maximize=True|"
    "betas=(-0.1, 0.9)|betas=[0.5, 0.9]|weight_decay=-1|amsgrad=True|amsgrad=False",
    "AdamW": "weight_decay=0.3|weight_decay=0|betas=(0.1, 0.2)|eps=1.0|maximize=True|amsgrad=True, maximize=True",
    "RMSprop": "alpha=0.5|alpha=-1|alpha=1.0|momentum=0.5|weight_decay=0.2|eps=0.5|alpha=0|"
    "centered=True|centered=True, momentum=0.5",
}
RATES = "lr=0.1 lr=0.0 lr=-0.1 lr=1 lr=1e-3".split()
BETWEEN = (
    "optimizer.zero_grad()|optimizer.zero_grad(set_to_none=False)|x.grad = None|x.grad = m.ones_like(x)|x.grad.mul_(2)|"
    "x.data = x.data * 2|optimizer.param_groups[0]['lr'] = 0.05|x.requires_grad_(False)|w.grad = m.ones(3).double()|"
    "optimizer.add_param_group({'params': [w]})|optimizer.add_param_group({'params': w, 'lr': 0.2})|"
    "optimizer.add_param_group([w])|optimizer.state[x] = {}|optimizer.load_state_dict(optimizer.state_dict())|"
    "optimizer.load_state_dict(kept)|kept = copy.deepcopy(optimizer.state_dict())|optimizer = copy.deepcopy(optimizer)|"
    "optimizer = pickle.loads(pickle.dumps(optimizer))|x.grad = x.grad.float()|optimizer.defaults['lr'] = 3|"
    "x.grad = m.zeros_like(x) * float('nan')|x.backward(m.ones_like(x))|"
    "optimizer.step(closure)|v = optimizer.step(closure)|with m.enable_grad(): optimizer.step()|optimizer.step(3)"
).split("|")
ASK = (
    "repr(optimizer)|list(optimizer.param_groups[-1])|sorted(optimizer.state_dict())|"
    "[sorted(group) == sorted(group) for group in optimizer.param_groups]|"
    "[len(group['params']) for group in optimizer.param_groups]|optimizer.state_dict()['state']|len(optimizer.state)|"
    "[group['lr'] for group in optimizer.param_groups]|optimizer.defaults['lr']|x in optimizer.state"
).split("|")
CLOSURE = """def closure():
    optimizer.zero_grad()
    loss = ((x * w) ** 2).sum()
    loss.backward()
    return loss"""


def write(sketch) -> None:
    pick, chance = sketch.pick, sketch.chance
    sketch.add("import copy, pickle")
    sketch.leaf("x", (3,))
    sketch.leaf("w", (3,), grad=chance(0.8))
    sketch.add("h, e = m.ones(3).half().requires_grad_(), m.zeros(0, requires_grad=True)")
    sketch.add("z = m.tensor([1 + 2j, -1j, 3], requires_grad=True); z.grad = m.tensor([2j, 1, 1 - 1j])")
    sketch.add(CLOSURE)
    name = pick(list(OPTIONS))
    options = [pick(RATES), pick(OPTIONS[name].split("|"))]
    given = ", ".join(options[: sketch.random.randint(0, 2)])
    sketch.add(f"optimizer = m.optim.{name}({pick(PARAMETERS if chance(0.5) else PARAMETERS[:3])}, {given})")
    for i in range(sketch.random.randint(1, 5)):
        if chance(0.6):
            sketch.add(f"loss{i} = (x * w).sin().sum()\nloss{i}.backward()")
        if chance(0.5):
            sketch.add(pick(BETWEEN))
        if chance(0.7):
            sketch.add("optimizer.step()")
        if chance(0.3):
            sketch.add(f"told{i} = {pick(ASK)}")
    sketch.add("after = [x.detach(), w.detach(), x.grad, w.grad, x._version]")
