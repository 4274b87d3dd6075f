"""Operations of one's own as layers of a net, beside shared ones; trained, and differentiated twice."""

FUNCTIONS = {
    "Square": ("x * x", "2 * x * g"),
    "Cube": ("x ** 3", "3 * x * x * g"),
    "Exp": ("x.exp()", "out * g"),
    "Straight": ("x.round()", "g"),
    "Reverse": ("x.clone()", "-g"),
    "Clip": ("x.clamp(-1, 1)", "g * (x.abs() < 1)"),
    "Sign": ("(x > 0).to(x.dtype)", "g * x.sigmoid() * (1 - x.sigmoid())"),
    "Twice": ("x.mul_(2)", "2 * g"),
    "Same": ("x.view_as(x)", "g * 2"),
    "Norm": ("x / x.norm()", "(g - out * (g * out).sum()) / x.norm()"),
    "Wrong": ("x * 3", "g.sum()"),
    "Flat": ("x * 2", "None"),
}
CLASS = """class {0}(m.autograd.Function):
    @staticmethod
    def forward({1}):
        {2}out = {3}
        {4}return out
    {5}@staticmethod
    def backward(ctx, g):
        x, out = ctx.saved_tensors
        return {6}
class {0}Layer(m.nn.Module):
    def forward(self, x):
        return {0}.apply(x)"""
SETUP = """@staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)
    """
SAVE, DIRTY = "ctx.save_for_backward(x, out)\n        ", "ctx.mark_dirty(x)\n        "
LAYERS = "m.nn.Linear(3, 3)|m.nn.Tanh()|shared|m.nn.LayerNorm(3)|m.nn.Sigmoid()|shared".split("|")


def write(sketch) -> None:
    pick, names = sketch.pick, []
    sketch.add("shared = m.nn.Linear(3, 3)")
    for name in sketch.random.sample(list(FUNCTIONS), sketch.random.randint(1, 2)):
        forward, backward = FUNCTIONS[name]
        dirty = DIRTY * (name == "Twice" and sketch.chance(0.9))
        parts = (
            ("x", "", forward, "", SETUP) if sketch.chance(0.3) and not dirty else ("ctx, x", dirty, forward, SAVE, "")
        )
        text = CLASS.format(name, *parts, backward)
        if sketch.add(text):
            names.append(f"{name}Layer()")
    layers = [pick(LAYERS) for _ in range(2)]
    for name in names * pick([1, 1, 2]):
        layers.insert(sketch.random.randint(0, len(layers)), name)
    sketch.add(f"net = m.nn.Sequential(m.nn.Linear(2, 3), {', '.join(layers)}).double()")
    sketch.leaf("x", pick([(2,), (4, 2)]), grad=sketch.chance(0.6))
    sketch.add("optimizer = m.optim.SGD(net.parameters(), lr=0.1, momentum=0.5)")
    for _ in range(sketch.random.randint(0, 2)):
        sketch.add("optimizer.zero_grad()\nloss = (net(x) ** 2).mean()\nloss.backward()\noptimizer.step()")
    sketch.add("weights = [p.detach().clone() for p in net.parameters()]")
    inputs = pick(["net[0].weight", "net[0].weight, net[0].bias", "x" if sketch["x"].requires_grad else "net[0].bias"])
    sketch.add(f"g = {pick(['first', 'second'])}({pick(['net(x)', '(net(x) ** 2).mean()'])}, {inputs})")
