"""Hooks on tensors and on nodes: when each is called, what it may return, and what is refused, as PyTorch answers."""

import weakref

import pytest

import minigrad as mg

from ..oracle import answer, assert_same, leaf, recorded


def shown(value):
    return [shown(one) for one in value] if isinstance(value, tuple | list) else repr(value)


def all_kinds(how):
    """The order of all hooks on the way to one leaf."""

    def question(m):
        said = []

        def note(name, answer=None):
            def hook(*seen):
                seen = [one for one in seen if one is not x]
                said.append([name, shown(seen)])
                return answer and answer(*seen)

            return hook

        x = leaf(m, 1, 2)
        y = x * 2
        z = y * 3
        for name in ("x first", "x second"):
            x.register_hook(note(name))
        y.register_hook(note("y"))
        y.retain_grad()
        y.register_hook(note("y doubled", lambda grad: grad * 2))
        for name, node in (("y", y.grad_fn), ("z", z.grad_fn), ("x", y.grad_fn.next_functions[0][0])):
            node.register_hook(note(name + " post"))
            node.register_prehook(note(name + " pre"))
        x.register_post_accumulate_grad_hook(note("x accumulated"))
        if how == "grad":
            found = m.autograd.grad(z.sum(), [x])
        else:
            found = z.sum().backward(create_graph=how == "create_graph")
        return [said, shown([y.grad, x.grad, found or ()])]

    return question


def pre(hook):
    """A hook before the node of a product."""

    def question(m):
        x = leaf(m, 1, 2)
        y = x * 2
        y.grad_fn.register_prehook(hook)
        y.sum().backward()
        return shown(x.grad)

    return question


def post(hook, both=False):
    """A hook after the node of a product."""

    def question(m):
        x, w = leaf(m, 1, 2), leaf(m, 3, 4)
        y = x * w if both else x * 2
        y.grad_fn.register_hook(hook)
        y.sum().backward()
        return shown([x.grad, w.grad])

    return question


def node_of_a_leaf_that_nobody_keeps(m):
    """Hooks on it go with it; those on the leaf stay."""
    x, seen = leaf(m, 1, 2), []
    edge = m.autograd.graph.get_gradient_edge
    x.register_hook(lambda grad: seen.append("tensor"))
    x.register_post_accumulate_grad_hook(lambda x: seen.append("accumulated"))
    handles = [edge(x).node.register_prehook(lambda gs: seen.append("pre")), edge(x).node.register_hook(print)]
    (x * 2).sum().backward()
    return [seen, len(handles)]


def gradients_that_were_kept(m):
    """What a hook on a leaf's node saw stays as it was; a gradient that is kept twice is recorded by neither."""
    x, seen = leaf(m, 1, 2), []
    y = x * x
    y.retain_grad()
    node = y.grad_fn.next_functions[0][0]
    node.register_hook(lambda inner, outer: seen.append(outer[0]))
    (y * y).sum().backward(create_graph=True)
    (y * y).sum().backward()
    return shown([seen[0].detach(), y.grad])


def a_leafs_node_after_its_gradient_was_changed(m):
    """What its hook sees is the gradient that lies in `.grad` by now, if that was the first there."""
    x, seen = leaf(m, 1, 2), []
    y = x * 3
    x.register_post_accumulate_grad_hook(lambda x: seen.append(shown(x.grad.add_(0.5))))
    y.grad_fn.next_functions[0][0].register_hook(lambda inner, outer: seen.append(shown(outer)))
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    return [seen, shown(x.grad)]


def a_second_output_that_was_changed(m):
    """In place it becomes the first output of another node, on which hooks are hung from then on."""
    x, seen = leaf(m, 1, 3), []
    mean = m.var_mean(x)[1]
    mean.mul_(2)
    mean.register_hook(lambda gradient: seen.append(repr(gradient)))
    mean.retain_grad()
    (mean * 5).backward()
    return [seen, mean.output_nr, shown([mean.grad, x.grad])]


def a_recorded_gradient_that_was_kept_is_changed(m):
    """What is done to it does not reach the graph."""
    x = leaf(m, 1, 2)
    y = x * x
    y.retain_grad()
    (y**3).sum().backward(create_graph=True)
    name = y.grad.grad_fn.name()
    with m.no_grad():
        y.grad.zero_()
    x.grad.sum().backward()
    return [name, shown(x.grad.detach())]


def of_several_outputs(operation):
    """Outputs without a gradient have no place among those that a node's hooks see."""

    def question(m):
        x, seen = leaf(m, 1, 3, 2), []
        out = operation(x)
        out.grad_fn.register_prehook(lambda gs: seen.append(shown(gs)))
        out.grad_fn.register_hook(lambda inner, outer: seen.append(shown([inner, outer])))
        (out * 2).sum().backward()
        return [seen, shown(x.grad)]

    return question


def post_of_stretched(m):
    x, w, seen = leaf(m, 1, 2), leaf(m, 3), []
    y = x * w
    y.grad_fn.register_hook(lambda inner, outer: seen.append(shown([inner, outer])) or (inner[0], inner[1] * 10))
    y.sum().backward()
    return [seen, shown([x.grad, w.grad])]


def on_accumulator(**hooks):
    def question(m):
        x = leaf(m, 1, 2)
        y = x * 2
        accumulator = y.grad_fn.next_functions[0][0]
        for kind, hook in hooks.items():
            getattr(accumulator, kind)(hook)
        y.sum().backward()
        return shown(x.grad)

    return question


def retained(*changes):
    """What a tensor keeps that was changed in place after it was told to keep its gradient."""

    def question(m):
        x, seen = leaf(m, 1, 2), []
        y = x * 2
        y.retain_grad()
        y.register_hook(lambda grad: seen.append(repr(grad)))
        for change in changes:
            change(y)
        (y * 7).sum().backward()
        return [shown([y.grad, x.grad]), y.retains_grad, seen]

    return question


def view_retained(m):
    x = leaf(m, 1, 2)
    y = x * 2
    view = y[:1]
    view.retain_grad()
    y.mul_(3)
    (y.sum() + view.sum()).backward()
    return [shown(view.grad), view.retains_grad]


def accumulated(hook):
    def of(m):
        x = leaf(m, 1)
        x.register_post_accumulate_grad_hook(hook)
        x.sum().backward()
        return shown(x)

    return of


QUESTIONS = {
    **{f"all kinds, {how}": all_kinds(how) for how in ("backward", "grad", "create_graph")},
    "pre: a tuple": pre(lambda gs: (gs[0] * 10,)),
    "pre: nothing": pre(lambda gs: None),
    "pre: a tensor": pre(lambda gs: gs[0] * 10),
    "pre: a list": pre(lambda gs: [gs[0] * 10]),
    "pre: no gradient": pre(lambda gs: (None,)),
    "pre: two": pre(lambda gs: (gs[0], gs[0])),
    "pre: another shape": pre(lambda gs: (gs[0][:1],)),
    "pre: another type": pre(lambda gs: (gs[0].double(),)),
    "pre: a number": pre(lambda gs: (3,)),
    "post: a tuple": post(lambda gi, go: (gi[0] * 10, None)),
    "post: a tensor": post(lambda gi, go: gi[0] * 10),
    "post: one of two": post(lambda gi, go: (gi[0] * 10,)),
    "post: three": post(lambda gi, go: (gi[0], None, None)),
    "post: a number": post(lambda gi, go: (3, None)),
    "post: another shape": post(lambda gi, go: (gi[0][:1], None)),
    "post: another type": post(lambda gi, go: (gi[0].double(), None)),
    "post: where none was": post(lambda gi, go: (gi[0], gi[0])),
    "post: both": post(lambda gi, go: (gi[0] * 10, gi[1] * 3), both=True),
    "post: none for one": post(lambda gi, go: (None, gi[1]), both=True),
    "post: of a stretched input": post_of_stretched,
    "node of a leaf that nobody keeps": node_of_a_leaf_that_nobody_keeps,
    "gradients that were kept": gradients_that_were_kept,
    "a leaf's node after its gradient was changed": a_leafs_node_after_its_gradient_was_changed,
    "a second output that was changed": a_second_output_that_was_changed,
    "a recorded gradient that was kept is changed": a_recorded_gradient_that_was_kept_is_changed,
    "max": of_several_outputs(lambda x: x.max(0)[0]),
    "sort": of_several_outputs(lambda x: x.sort()[0]),
    "unbind": of_several_outputs(lambda x: x.unbind()[1]),
    "accumulator, pre: a tuple": on_accumulator(register_prehook=lambda gs: (gs[0] * 10,)),
    "accumulator, post: nothing": on_accumulator(register_hook=lambda gi, go: ()),
    "accumulator, post: something": on_accumulator(register_hook=lambda gi, go: (go[0],)),
    "accumulated: something": accumulated(lambda x: x.grad.mul_(2)),
    "accumulated: the leaf": accumulated(
        lambda x: None if x.data.sub_(x.grad) is None else x
    ),  # as a step of SGD in a line does
    "accumulated: another shape": accumulated(lambda x: x.grad[:0]),
    "retained": retained(),
    "retained, then changed": retained(lambda y: y.mul_(3)),
    "retained, then changed twice": retained(lambda y: y.mul_(3), lambda y: y.retain_grad(), lambda y: y.mul_(5)),
    "retained, then a part changed": retained(lambda y: y[:1].mul_(3)),
    "retained, then a part set": retained(lambda y: y.__setitem__(0, 5.0)),
    "a view retained, then its base changed": view_retained,
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_answers(name):
    ours, theirs = answer(QUESTIONS[name], mg), recorded("hooks")[name]
    if isinstance(theirs, dict):
        kind, words = theirs["raises"]
        ours, theirs = ours["raises"], [kind, words.partition("\n")[0]]
        ours = [ours[0], ours[1].partition("\n")[0]]
    assert_same(ours, theirs)


def test_a_hook_that_raises_keeps_no_graph():
    x = leaf(mg, 1.0)
    y = x.exp()
    y.register_hook(lambda gradient: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        y.backward()
    node = weakref.ref(y.grad_fn)
    del y
    assert node() is None
