"""Functions of functions, composed: grad, vjp, jvp, linearize, jacobians, hessian and vmap, one in another."""

VECTORS = (  # functions of a vector, as lambdas of `a`
    "a.sin()|a ** 3|a * a.sum()|m.stack([a.sum(), a.prod(), a[0]])|a.exp() * y|a.cumsum(0)|m.cat([a, a * a])|"
    "F.softmax(a, 0)|m.outer(a, a).sum(0)|a.flip(0) * a|a.tanh() / (1 + a * a)|m.where(a > 0, a, a * a)|"
    "a[1:] * a[:-1]|m.ones(2).sum() * a|a.detach() * a|a * y|m.sort(a)[0] * a"
).split("|")
NUMBERS = (
    "(a ** 3).sum()|a.sin().prod()|F.smooth_l1_loss(a, a.sin())|(a.sin() * y).sum()|"
    "(a * a).sum().sqrt()|F.binary_cross_entropy_with_logits(a, a.sigmoid())|a.logsumexp(0)|a.dot(a)|"
    "m.outer(a, a.sin()).trace()|a.var()|a[0] * a[-1]|a.max() * a.sum()|(a.detach() * a).sum()|"
    "m.nn.functional.gelu(a).sum()|(a.var() + 1).sqrt() * a[0]"
).split("|")
OF_VECTORS = (  # a function of a vector again, from one (V) or from one that returns a number (N)
    "fn.grad({N})(a)|fn.jvp({V}, (a,), (a * 2,))[1]|fn.vjp({V}, a)[1]({V}(a))[0]|fn.jacrev({V})(a).sum(0)|"
    "fn.jacfwd({V})(a).sum(0)|fn.hessian({N})(a).sum(0)|fn.hessian({N})(a)[0]|"
    "fn.vmap({N})(m.stack([a, a * a]))|fn.vmap({V}, in_dims=1, out_dims=1)(m.stack([a, a.sin()], 1)).sum(1)|"
    "fn.grad_and_value({N})(a)[0]|fn.jvp({V}, (a,), (y,))[1]|fn.vmap(fn.grad({N}))(m.stack([a, a + 1])).sum(0)|"
    "fn.jacfwd({V}, randomness='same')(a)[0]|fn.jvp(fn.grad({N}), (a,), (y,))[1]|"
    "fn.vjp(fn.grad({N}), a)[1](y)[0]|fn.grad(lambda b: {N}(b * a))(y)|"
    "fn.jacrev(lambda b, c: {V}(b * c), argnums=(0, 1))(a, y)[1].sum(0)|fn.jacrev({V}, chunk_size=1)(a)[-1]|"
    "fn.grad(lambda d: {N}(d['p'] * d['q'][0]))({{'p': a, 'q': (y,)}})['q'][0]|"
    "fn.grad(lambda b: ({N}(b), b * 2), has_aux=True)(a)[1]"
).split("|")
OF_NUMBERS = (
    "{V}(a).sum()|{V}(a).pow(2).sum()|{N}(a) * 2|fn.jvp({N}, (a,), (y,))[1]|{V}(a)[0]|{N}(a.sin())|fn.vjp({N}, a)[0]"
).split("|")
RESULTS = (
    "{V}({x})|fn.jacfwd({V})({x})|fn.jacrev({V})({x})|fn.vmap({V})(m.stack([{x}, {x} * 2]))|"
    "fn.hessian({N})({x})|fn.grad({N})({x})"
).split("|")


def write(sketch) -> None:
    length = sketch.pick([2, 3])
    sketch.add("fn = m.func")
    sketch.leaf("x", (length,), 0.2, 1.5, grad=sketch.chance(0.5))
    sketch.leaf("y", (length,), 0.2, 1.5, grad=sketch.chance(0.3))
    vectors, numbers = [], []
    for i in range(2):
        sketch.add(f"v{i} = lambda a: {sketch.pick(VECTORS)}")
        sketch.add(f"n{i} = lambda a: {sketch.pick(NUMBERS)}")
        vectors.append(f"v{i}")
        numbers.append(f"n{i}")
    for i in range(2, 2 + sketch.random.randint(0, 2)):
        given = {"V": sketch.pick(vectors[-2:]), "N": sketch.pick(numbers[-2:])}
        sketch.add(f"v{i} = lambda a: {sketch.pick(OF_VECTORS).format(**given)}")
        sketch.add(f"n{i} = lambda a: {sketch.pick(OF_NUMBERS).format(**given)}")
        vectors.append(f"v{i}")
        numbers.append(f"n{i}")
    given = {"V": vectors[-1], "N": numbers[-1], "x": "x"}
    call = sketch.pick(RESULTS).format(**given)
    sketch.add(f"r = still({call})")
    leaves = [name for name in "xy" if sketch[name].requires_grad]
    if leaves and sketch.chance(0.7):
        sketch.add(f"g = first([{call}, {leaves[0]} * 2], {', '.join(leaves)})")
    elif not leaves:
        sketch.add(f"leaks = ({call}).requires_grad")
