"""What the engine says: each kind of event at the right moment, with the right content."""

import inspect
from collections import Counter

import numpy as np
import pytest

import minigrad as mg
from minigrad.autograd import walk
from minigrad.core import events
from minigrad.core.events import (
    KINDS,
    Accumulated,
    Deposited,
    Failed,
    Freed,
    HookCalled,
    Made,
    Mutated,
    Saved,
    Sent,
    Visited,
    Zeroed,
)

from ..oracle import scalar


class Tape(list):
    """Listens and keeps what was said, arrays as they were then."""

    def __call__(self, event):
        arrays = {name: held.copy() for name, held in event._asdict().items() if isinstance(held, np.ndarray)}
        self.append(event._replace(**arrays))

    def of(self, kind) -> list:
        return [event for event in self if type(event) is kind]

    def kinds(self) -> list:
        return [type(event).__name__ for event in self]


@pytest.fixture
def tape():
    tape = Tape()
    with events.listen(tape):
        yield tape


def numbers(value):
    return None if value is None else np.asarray(getattr(value, "array", value)).tolist()


# == the forward ===========================================================================================


def test_made_tells_the_operation_its_arguments_its_result_and_its_node(tape):
    x = scalar(mg, 3.0)
    y = x * 2
    (made,) = tape.of(Made)
    assert made.op is mg.mul.op and made.output is y and made.node is y.grad_fn
    assert made.values[0] is x and made.values[1] == 2
    assert 0 < made.started <= made.ended


def test_a_change_in_place_tells_what_was_there_and_comes_before_what_follows_from_it(tape):
    y = mg.ones(3, requires_grad=True) * 2
    part = y[:2]
    tape.clear()
    part.mul_(10)
    changes = [(made.op.name, numbers(made.before)) for made in tape.of(Made)]
    assert changes[0] == ("mul", [2.0, 2.0]) and [name for name, _ in changes[1:]] == ["overlay", "pick_view"]
    assert [(change.tensor, change.version) for change in tape.of(Mutated)] == [(part, 1), (y, 1)]


def test_a_change_of_an_inference_tensor_is_told_and_not_counted(tape):
    with mg.inference_mode():
        x = mg.ones(2) * 2
        x.tanh_()
    assert [(change.tensor, change.version) for change in tape.of(Mutated)] == [(x, 0)]


def test_made_without_a_node_where_nothing_is_recorded(tape):
    with mg.no_grad():
        scalar(mg, 3.0) * 2
    mg.ones(2) + 1
    assert [made.node for made in tape.of(Made)] == [None, None]
    assert not tape.of(Saved)


def test_made_tells_all_outputs(tape):
    parts = mg.ones(4, requires_grad=True).split(2)
    (made,) = tape.of(Made)
    assert made.output == parts and made.node is parts[0].grad_fn is parts[1].grad_fn


def test_saved_follows_made_once_for_each_value(tape):
    x, y = scalar(mg, 3.0), scalar(mg, 5.0)
    z = x * y
    z.exp()
    assert tape.kinds() == ["Made", "Saved", "Saved", "Made", "Saved"]
    assert [(saved.name, numbers(saved.value)) for saved in tape.of(Saved)][:2] == [("a", 3.0), ("b", 5.0)]
    assert tape.of(Saved)[0].node is z.grad_fn
    name, value = tape.of(Saved)[2].name, tape.of(Saved)[2].value
    assert name == "out" and numbers(value) == pytest.approx(np.exp(15.0))


def test_only_what_the_backward_needs_is_saved(tape):
    x, y = scalar(mg, 3.0), mg.tensor(5.0, dtype=float)
    x * y
    x + y
    assert [saved.name for saved in tape.of(Saved)] == ["b"]


def test_mutated_tells_the_new_version(tape):
    x = mg.ones(2)
    x.mul_(3)
    x += 1
    x[0] = 7.0
    mutated = tape.of(Mutated)
    assert [event.version for event in mutated] == [1, 2, 3] and all(event.tensor is x for event in mutated)
    assert mutated[0].op is mg.mul.op


def test_zeroed_by_zero_and_by_none(tape):
    x = scalar(mg, 3.0)
    (x * 2).backward()
    gradient = x.grad
    x.grad.zero_()
    x.grad = None
    first, second = tape.of(Zeroed)
    assert first.tensor is gradient and numbers(first.before) == 2.0 and numbers(first.after) == 0.0
    assert second.tensor is x and numbers(second.before) == 0.0 and second.after is None
    x.grad = None
    assert len(tape.of(Zeroed)) == 2  # there was nothing to take away


# == the source ============================================================================================


def sources(function):
    tape = Tape()
    with events.listen(tape, Made, source=True):
        function()
    return [made.source for made in tape.of(Made)]


def test_the_source_is_the_sub_expression():
    def learner():
        x = scalar(mg, 3.0)
        return (x * 2 + 1).sin()

    times, plus, sine = sources(learner)
    line = inspect.getsource(learner).splitlines()[2]
    for source, text in ((times, "x * 2"), (plus, "x * 2 + 1"), (sine, "(x * 2 + 1).sin()")):
        assert source.function == "learner" and source.text.strip() == line.strip()
        assert source.text[source.column : source.end_column] == text
    assert times.line == times.end_line == inspect.getsourcelines(learner)[1] + 2
    assert times.filename == __file__


def test_the_source_knows_the_learners_names():
    def learner():
        weight = scalar(mg, 3.0)
        product = weight * weight
        loss = product.sin() + product
        loss += 1
        return mg.cos(loss)

    found = sources(learner)
    assert [source.name for source in found] == ["product", None, "loss", "loss", None]
    assert found[0].names == ("weight", "weight")
    assert found[1].names == ("product",) and found[2].names == (None, "product")
    assert found[4].names == ("loss",)


def test_the_source_spans_lines_and_counts_characters():
    def learner():
        ä = scalar(mg, 3.0)
        return (
            ä
            * ä
        )  # fmt: skip

    (source,) = sources(learner)
    assert source.end_line == source.line + 1
    assert source.text[source.column :].startswith("ä") and source.end_column > source.column


def test_without_being_asked_nobody_looks_for_the_source(tape):
    scalar(mg, 3.0) * 2
    assert tape.of(Made)[0].source is None


# == the backward ==========================================================================================


def test_the_story_of_a_square(tape):
    x = scalar(mg, 3.0)
    y = x * x
    tape.clear()
    y.backward()
    assert tape.kinds() == ["Seeded", "Visited", "Freed", "Sent", "Sent", "Accumulated", "Deposited"]
    seeded, visited, freed, first, second, accumulated, deposited = tape
    assert seeded.node is visited.node is freed.node is y.grad_fn and seeded.index == 0
    assert numbers(seeded.gradient) == numbers(visited.gradient) == 1.0
    assert [numbers(part) for part in visited.parts] == [3.0, 3.0]
    assert (first.slot, second.slot) == (0, 1) and first.target is second.target is deposited.node
    assert (numbers(accumulated.before), numbers(accumulated.part), numbers(accumulated.after)) == (3.0, 3.0, 6.0)
    assert deposited.tensor is x and deposited.before is None and numbers(deposited.after) == 6.0
    assert visited.started <= visited.ended


def test_sent_tells_the_un_broadcast_apart(tape):
    x = mg.ones(3, requires_grad=True)
    (x * mg.full((2, 3), 5.0)).sum().backward()
    sent = next(event for event in tape.of(Sent) if event.target.is_leaf)
    assert numbers(sent.whole) == [[5.0] * 3] * 2 and numbers(sent.part) == [10.0] * 3


def test_sent_is_whole_where_nothing_was_broadcast(tape):
    x = mg.ones(3, requires_grad=True)
    (x * 2).backward(mg.ones(3))
    (sent,) = tape.of(Sent)
    assert numbers(sent.whole) == numbers(sent.part) == [2.0] * 3


def test_a_second_backward_deposits_onto_what_is_there(tape):
    x = scalar(mg, 3.0)
    for _ in range(2):
        (x * 2).backward()
    first, second = tape.of(Deposited)
    assert (first.before, numbers(first.after)) == (None, 2.0)
    assert (numbers(second.before), numbers(second.part), numbers(second.after)) == (2.0, 2.0, 4.0)


def test_nothing_is_freed_with_retain_graph(tape):
    x = scalar(mg, 3.0)
    y = x * x
    y.backward(retain_graph=True)
    assert not tape.of(Freed)
    y.backward()
    assert len(tape.of(Freed)) == 1


def test_what_saved_nothing_is_not_freed(tape):
    (scalar(mg, 3.0) + 1).backward()
    assert not tape.of(Freed)


def test_grad_deposits_nothing(tape):
    x = scalar(mg, 3.0)
    mg.autograd.grad(x * x, x)
    assert not tape.of(Deposited) and len(tape.of(Sent)) == 2


def test_hooks_are_told_with_before_and_after(tape):
    x = scalar(mg, 3.0)
    y = x * 2

    def tenfold(grad):
        return grad * 10

    y.register_hook(tenfold)
    y.retain_grad()
    y.grad_fn.register_prehook(lambda outputs: None)
    y.grad_fn.register_hook(lambda inputs, outputs: None)
    x.register_post_accumulate_grad_hook(lambda tensor: None)
    y.backward()
    calls = tape.of(HookCalled)
    assert [call.kind for call in calls] == ["tensor", "retain_grad", "pre", "post", "accumulated"]
    assert calls[0].hook is tenfold and (numbers(calls[0].before), numbers(calls[0].after)) == (1.0, 10.0)
    assert numbers(calls[1].after) == 10.0 and calls[4].after is x
    assert x.grad.item() == 20.0


def test_an_error_is_told_with_the_node_where_it_happened(tape):
    x = scalar(mg, 3.0)
    y = x * 1
    z = y * y
    y.add_(1)
    with pytest.raises(RuntimeError) as raised:
        z.backward()
    (failed,) = tape.of(Failed)
    assert failed.node is z.grad_fn and failed.error is raised.value
    assert tape[-1] is failed


def test_every_kind_is_told(tape):
    x = scalar(mg, 3.0)
    y = x * x
    y.register_hook(lambda grad: None)
    y.backward()
    x.grad.zero_()
    with pytest.raises(RuntimeError):
        y.backward()
    assert {type(event) for event in tape} == set(KINDS)


# == sums ==================================================================================================


def network():
    draw = np.random.default_rng(0).normal
    w1, w2, b = (mg.tensor(draw(size=shape), requires_grad=True) for shape in ((3, 4), (4, 2), (4,)))
    hidden = mg.tanh(mg.tensor(draw(size=(5, 3))) @ w1 + b)
    return ((hidden @ w2) ** 2).mean() + (w2 * w2).sum() * 0.1 + b.sum(), (w1, w2, b)


@pytest.mark.parametrize("create_graph", [False, True])
def test_the_sum_of_the_deposits_is_the_gradient(tape, create_graph):
    leaves = None
    for _ in range(3):
        loss, leaves = network() if leaves is None else (network_again(leaves), leaves)
        loss.backward(create_graph=create_graph)
    for leaf in leaves:
        deposits = [event for event in tape.of(Deposited) if event.tensor is leaf]
        assert len(deposits) == 3 and deposits[0].before is None
        total = sum(np.asarray(numbers(event.part)) for event in deposits)
        np.testing.assert_allclose(total, leaf.grad.detach().numpy(), rtol=1e-12)


def network_again(leaves):
    w1, w2, b = leaves
    return (w1.sin().sum() * b.sum() + (w2 @ w1[:2, :]).sum()) * 0.3


@pytest.mark.parametrize("create_graph", [False, True])
def test_before_plus_part_is_after_everywhere(tape, create_graph):
    loss, _ = network()
    loss.backward(create_graph=create_graph)
    sums = tape.of(Accumulated) + [event for event in tape.of(Deposited) if event.before is not None]
    assert sums
    for event in sums:
        before, part, after = (np.asarray(numbers(x)) for x in (event.before, event.part, event.after))
        np.testing.assert_array_equal(before + part, after)


def test_each_slot_is_sent_once_and_arrives(tape):
    loss, _ = network()
    loss.backward()
    edges = Counter()
    for visited in tape.of(Visited):
        for slot, (target, index) in enumerate(visited.node.next_functions):
            if target is not None:
                edges[visited.node, slot, target, index] += 1
    sent = Counter((event.node, event.slot, event.target, event.index) for event in tape.of(Sent))
    assert sent == edges and set(sent.values()) == {1}
    arrivals = Counter(event.target for event in tape.of(Sent))
    accumulated = Counter(event.node for event in tape.of(Accumulated))
    assert accumulated == Counter({node: count - 1 for node, count in arrivals.items() if count > 1})


def test_a_node_is_visited_after_all_that_is_sent_to_it_and_never_again(tape):
    loss, _ = network()
    loss.backward()
    done = set()
    for event in tape:
        if isinstance(event, Sent):
            assert event.target not in done
        if isinstance(event, Visited | Deposited):
            assert event.node not in done
            done.add(event.node)


def test_walk_and_listening_tell_the_same_story(tape):
    loss, _ = network()
    tape.clear()
    walked = [type(event).__name__ for event in walk(loss, retain_graph=True)]
    assert tape.kinds() == []  # who walks, listens
    loss.backward(retain_graph=True)
    assert tape.kinds() == walked


# == listening =============================================================================================


def test_nobody_listens_after_the_block():
    tape = Tape()
    with events.listen(tape):
        scalar(mg, 1.0) * 2
    count = len(tape)
    (scalar(mg, 1.0) * 2).backward()
    assert count and len(tape) == count and not events.listeners


def test_a_listener_is_removed_when_the_block_fails():
    with pytest.raises(ZeroDivisionError), events.listen(print, source=True):
        1 / 0  # noqa: B018
    assert not events.listeners and not events.wants_source


def test_a_listener_that_fails_is_heard_and_the_engine_stays_usable():
    def refuse(event):
        raise ZeroDivisionError

    x = scalar(mg, 2.0)
    with events.listen(refuse, Visited), pytest.raises(ZeroDivisionError):
        (x * x).backward()
    (x * x).backward()
    assert x.grad.item() == 4.0 and mg.is_grad_enabled()


def test_a_listener_hears_the_kinds_it_named():
    tape = Tape()
    with events.listen(tape, Deposited, Made):
        (scalar(mg, 1.0) * 2).backward()
    assert tape.kinds() == ["Made", "Deposited"]


def test_two_listeners_hear_the_same_in_the_order_of_arrival():
    heard = []
    with events.listen(lambda event: heard.append("first"), Made):
        with events.listen(lambda event: heard.append("second"), Made):
            scalar(mg, 1.0) * 2
        scalar(mg, 1.0) * 2
    assert heard == ["first", "second", "first"]


def test_the_same_function_may_listen_twice_and_leave_once():
    tape = Tape()
    with events.listen(tape, Made):
        with events.listen(tape, Made):
            scalar(mg, 1.0) * 2
        scalar(mg, 1.0) * 2
    assert len(tape) == 3


@pytest.mark.parametrize("arguments", [(None,), (print, int), (print, Made, "Sent")])
def test_what_is_no_listener_is_refused(arguments):
    with pytest.raises(TypeError, match="takes a function and kinds of events"), events.listen(*arguments):
        pass
    assert not events.listeners


def test_what_a_recorded_backward_computes_stands_where_it_was_asked_for():
    def learner():
        x = scalar(mg, 3.0)
        y = x**3
        mg.autograd.grad(y, x, create_graph=True)

    forward, *backward = sources(learner)
    assert forward.expression == "x**3" and len(backward) > 1
    assert {source.expression for source in backward} == {"mg.autograd.grad(y, x, create_graph=True)"}


def test_listening_changes_no_number():
    quiet, leaves = network()
    quiet.backward()
    with events.listen(Tape(), source=True):
        loud, others = network()
        loud.backward()
    for one, other in zip(leaves, others):
        assert one.grad.numpy().tobytes() == other.grad.numpy().tobytes()


def test_the_nodes_of_events_are_those_that_a_person_sees():
    heard = []
    x = mg.tensor(2.0, requires_grad=True)
    y = x * x  # made while nobody listened
    with events.listen(heard.append):
        y.sin().backward()
    nodes = {event.node for event in heard if getattr(event, "node", None) is not None}
    nodes |= {event.target for event in heard if isinstance(event, events.Sent)}
    assert {type(node).__name__ for node in nodes} == {"SinBackward0", "MulBackward0", "AccumulateGrad"}
    assert y.grad_fn in nodes


def test_what_a_node_saved_can_be_read_from_an_event():
    with events.listen(lambda made: seen.append(made.node._saved_self.item()), events.Made):
        seen = []
        mg.tensor(2.0, requires_grad=True).sin()
    assert seen == [2.0]
