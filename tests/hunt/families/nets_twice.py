"""Whole nets of layers differentiated twice: penalties on gradients, Hessians times vectors, gradients of gradients."""

IMAGE = (
    "Conv2d(2, 2, 2)|ConvTranspose2d(2, 2, 2, 2)|Conv2d(2, 2, 3, padding=1)|Conv2d(2, 2, 1, stride=2)|BatchNorm2d(2)|"
    "MaxPool2d(2, 1)|AvgPool2d(2, 1)|Tanh()|Softplus()|Conv2d(2, 2, 2, groups=2, bias=False)|GELU()|ELU()|"
    "AdaptiveAvgPool2d(2)"
).split("|")
FLAT = ("Linear(4, 4)|LayerNorm(4)|Tanh()|BatchNorm1d(4)|GELU()|Softmax(1)|Sigmoid()|Linear(4, 4, bias=False)|").split(
    "|"
)
ATTEND = "F.scaled_dot_product_attention(h, h.sin(), h.cos()) * 1", "F.layer_norm(h, (4,))", "h.softmax(0) @ h.t() @ h"
START = """for i, p in enumerate(net.parameters()):
    p.data = (m.arange(p.numel()).double() + i).cos().reshape(p.shape) * 0.6"""
ASK = (
    "g = m.autograd.grad(out, x, create_graph=True)[0]\n(g ** 2).sum().backward()",
    "g = m.autograd.grad(out, list(net.parameters()), create_graph=True, allow_unused=True)\n"
    "sum((one * one).sum() for one in g if one is not None).backward()",
    "hvp = m.autograd.functional.hvp(lambda a: forward(a).sum(), x, m.ones_like(x))",
    "g = second(out, x)",
    "j = still(m.func.jvp(m.func.grad(lambda a: forward(a).sum()), (x.detach(),), (x.detach(),)))",
    "out.backward(create_graph=True)\n(x.grad ** 2).sum().backward()",
)


def write(sketch) -> None:
    image = sketch.chance(0.5)
    table = IMAGE if image else FLAT
    layers = [f"m.nn.{sketch.pick(table)}" for _ in range(sketch.random.randint(1, 4))]
    sketch.add(f"net = m.nn.Sequential({', '.join(layers)}).double()")
    sketch.add(START)
    sketch.leaf("x", (2, 2, 2, 3) if image else (2, 4))
    after = sketch.pick(ATTEND) if not image and sketch.chance(0.6) else "h"
    sketch.add(f"def forward(a):\n    h = net(a)\n    return {after}")
    sketch.add("out = (forward(x) ** 2).sum()")
    if sketch.chance(0.2):
        sketch.add("net.eval()")
    sketch.add(sketch.pick(ASK))
    sketch.add("grads = [p.grad for p in net.parameters()]\nx.grad = x.grad if x.grad is None else x.grad.detach()")
    sketch.add("grads = [one if one is None else one.detach() for one in grads]")
