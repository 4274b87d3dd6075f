"""Small networks trained for some steps: optimizers with their options, schedules, groups, states saved and loaded."""

# a bias right before a batch norm has a gradient of rounding only, which steps of equal size make visible
UNBIASED = "m.nn.Tanh(), m.nn.Linear(4, 4, bias=False), m.nn.BatchNorm1d(4)"
LAYERS = ("m.nn.Tanh()", "m.nn.ReLU()", "m.nn.GELU()", "m.nn.LayerNorm(4)", UNBIASED, "m.nn.Linear(4, 4)",
          "m.nn.Linear(4, 4, bias=False)", "m.nn.Sigmoid()", "m.nn.Softmax(1)",
          "m.nn.ELU(0.5)", "m.nn.Identity()", "m.nn.Softplus()")  # fmt: skip
COMMON = {"weight_decay": (0.1, 0.5), "maximize": (True, False), "lr": (0.1, 0.01, 0.5)}
OPTIMIZERS = {
    "SGD": {"momentum": (0.9, 0.5), "dampening": (0.1, 0), "nesterov": (True, False)},
    "Adam": {"betas": ((0.5, 0.9), (0.0, 0.5)), "eps": (1e-8, 0.1)},
    "AdamW": {"betas": ((0.5, 0.9),), "eps": (1e-8, 0.1)},
    "RMSprop": {"alpha": (0.99, 0.5), "eps": (1e-8, 0.1), "momentum": (0.9, 0)},
}
SCHEDULES = (
    "StepLR({o}, 2, 0.5)", "ExponentialLR({o}, 0.9)",
    "LambdaLR({o}, lambda step: 0.9**step)",
)  # fmt: skip
LOSSES = (
    "((net(x) - t) ** 2).mean()",
    "m.nn.functional.mse_loss(net(x), t)",
    "m.nn.functional.l1_loss(net(x), t)",
    "m.nn.functional.cross_entropy(net(x), c)",
    "m.nn.functional.huber_loss(net(x), t, reduction='sum') / 9",
)
STEP = """loss = {loss}
losses.append(loss.item())
optimizer.zero_grad({zero})
loss.backward()
{clip}optimizer.step(){schedule}"""
START = """for i, p in enumerate(net.parameters()):
    p.data = (m.arange(p.numel()).double() + i).cos().reshape(p.shape) * 0.6"""


def write(sketch) -> None:
    pick, chance = sketch.pick, sketch.chance
    layers = ["m.nn.Linear(3, 4)", *(pick(LAYERS) for _ in range(sketch.random.randint(0, 3))), "m.nn.Linear(4, 2)"]
    sketch.add(f"net = m.nn.Sequential({', '.join(layers)}).double()")
    sketch.add(START)
    sketch.leaf("x", (5, 3), grad=False)
    sketch.leaf("t", (5, 2), grad=False)
    sketch.add("c = m.tensor([0, 1, 1, 0, 1])")
    sketch.add("losses = []")
    name = pick(list(OPTIMIZERS))
    optimizer(sketch, name)
    if chance(0.3):
        sketch.add("text = repr(optimizer)")
    plan = f"schedule = m.optim.lr_scheduler.{pick(SCHEDULES).format(o='optimizer')}"
    scheduled = chance(0.4) and sketch.add(plan)
    fill = {
        "loss": pick(LOSSES),
        "zero": pick(("", "", "set_to_none=False")),
        "clip": pick(("", "", "", "m.nn.utils.clip_grad_norm_(net.parameters(), 0.5)\n")),
        "schedule": "\nschedule.step()" if scheduled else "",
    }  # fmt: skip
    step = STEP.format(**fill)
    for _ in range(sketch.random.randint(1, 6)):
        sketch.add(step)
        if chance(0.15):
            change(sketch)
    sketch.add("after = [p.detach().clone() for p in net.parameters()] + [b.clone() for b in net.buffers()]")
    sketch.add("state = optimizer.state_dict()")
    if scheduled and "Lambda" not in plan:
        sketch.add("rates = [schedule.last_epoch, [group['lr'] for group in optimizer.param_groups]]")
    if chance(0.3):
        sketch.add("import copy\nkept = copy.deepcopy(optimizer.state_dict())")
        optimizer(sketch, name)
        sketch.add("optimizer.load_state_dict(kept)")
        sketch.add(step.replace("\nschedule.step()", ""))
        sketch.add("later = [p.detach().clone() for p in net.parameters()]")
        sketch.add("state = optimizer.state_dict()")


def optimizer(sketch, name: str) -> None:
    pick, chance = sketch.pick, sketch.chance
    options = OPTIMIZERS[name] | COMMON
    given = {key: pick(values) for key, values in options.items() if chance(0.35)}
    if chance(0.05):
        given[pick(list(given) or ["lr"])] = pick((-1, -0.5))
    if chance(0.2):
        given["foreach"] = pick((True, False, None))
    text = "".join(f", {key}={value!r}" for key, value in given.items())
    params = pick(("net.parameters()", "net.parameters()", "list(net.parameters())[:-1]",
                   "[{'params': net[0].parameters(), 'lr': 0.03}, {'params': [net[-1].weight, net[-1].bias]}]",
                   "[{'params': [net[0].weight], 'weight_decay': 0.2}, {'params': net[-1].parameters()}]",
                   "[{'params': net[0].weight}]"))  # fmt: skip
    sketch.add(f"optimizer = m.optim.{name}({params}{text})")


def change(sketch) -> None:
    """What people do in the midst of a training."""
    sketch.add(sketch.pick((
        "optimizer.param_groups[0]['lr'] *= 0.5", "net[0].weight.requires_grad_(False)", "net.eval()", "net.train()",
        "optimizer.add_param_group({'params': [net[-1].bias]})", "optimizer.state.clear()", "net[0].bias.grad = None",
        "with m.no_grad():\n    net[0].weight.mul_(0.9)", "optimizer.zero_grad()", "optimizer.step()",
        "optimizer.step(lambda: losses.append(7.0))", "net[0].bias.requires_grad_(False)\nnet[0].bias.grad = None",
    )))  # fmt: skip
