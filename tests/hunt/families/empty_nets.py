"""Layers and losses that are given nothing: no samples, no features, no positions; forward, backward, states."""

LAYERS = (
    "Linear(2, 3)|Linear(0, 3)|Linear(2, 0)|Linear(2, 3, bias=False)|Conv1d(2, 3, 2)|Conv2d(2, 3, 1)|"
    "BatchNorm1d(2)|BatchNorm2d(2)|LayerNorm(2)|LayerNorm((0,))|Embedding(3, 2)|Flatten()|Dropout(0.5)|ReLU()|"
    "Softmax(1)|LogSoftmax(-1)|MaxPool2d(2)|AvgPool2d(2)|AdaptiveAvgPool2d(1)|GELU()|Tanh()|Identity()|"
    "Softmax(0)|BatchNorm1d(0)|ELU()"
).split("|")
LOSSES = (
    "MSELoss()|L1Loss(reduction='sum')|CrossEntropyLoss()|NLLLoss()|BCELoss()|HuberLoss(delta=2.0)|BCEWithLogitsLoss()|"
    "CrossEntropyLoss(reduction='none')|CrossEntropyLoss(reduction='sum')"
).split("|")
SHAPES = [
    (0, 2),
    (2, 0),
    (0,),
    (0, 2, 3),
    (1, 2, 0),
    (0, 2, 3, 3),
    (1, 0, 2, 2),
    (1, 2, 0, 3),
    (0, 0),
    (2, 2),
    (1, 2, 3),
]


def write(sketch) -> None:
    shape = sketch.pick(SHAPES)
    sketch.add(f"x = m.zeros({shape}, dtype=m.float64, requires_grad=True)")
    sketch.add(f"layer = m.nn.{sketch.pick(LAYERS)}.double()")
    if sketch.chance(0.2):
        sketch.add("layer.eval()")
    sketch.add("y = layer(x.long()) if isinstance(layer, m.nn.Embedding) else layer(x)")
    if "y" in sketch and hasattr(sketch["y"], "detach") and sketch.chance(0.5):
        sketch.add(f"loss = m.nn.{sketch.pick(LOSSES)}")
        target = sketch.pick(["m.zeros_like(y).detach()", "m.zeros(y.shape[:1]).long()", "m.zeros(0).long()"])
        sketch.add(f"y = loss(y, {target})")
    sketch.add("y.sum().backward()")
    sketch.add("grads = [p.grad for p in layer.parameters()] + [b.clone() for b in layer.buffers()]")
    if sketch.chance(0.5):
        sketch.add(f"optimizer = m.optim.{sketch.pick(['SGD', 'Adam'])}(layer.parameters(), 0.1)\noptimizer.step()")
        sketch.add("norm = m.nn.utils.clip_grad_norm_(layer.parameters(), 1.0)")
