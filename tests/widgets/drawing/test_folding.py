"""Folding: nothing is lost, nothing is shown twice, and no view is too full to be read."""

import random

from widgets.drawing.folding import FAR, NEIGHBOURS, views
from widgets.drawing.grouping import Tree, grouped


def chain(count, **more):
    edges = [{"from": i, "to": i + 1} for i in range(count - 1)]
    return {
        "nodes": [{"kind": "operation", "name": f"v{i}"} for i in range(count)],
        "edges": edges,
        "groups": [],
        **more,
    }


def network(layers, neurons, inputs):
    """Modules in modules, as a scalar network has them."""
    trace = {"nodes": [], "edges": [], "groups": [{"name": "net", "kind": "module"}]}

    def add(group, *sources):
        trace["nodes"].append({"kind": "operation", "group": group} if group is not None else {"kind": "input"})
        number = len(trace["nodes"]) - 1
        trace["edges"] += [{"from": source, "to": number} for source in sources]
        return number

    def inside(name, parent):
        trace["groups"].append({"name": name, "kind": "module", "parent": parent})
        return len(trace["groups"]) - 1

    values = [add(None) for _ in range(inputs)]
    for layer in range(layers):
        here = inside(f"layer {layer}", 0)
        one = [inside(f"neuron {i}", here) for i in range(neurons)]
        values = [add(group, *[add(group, value) for value in values]) for group in one]
    add(None, *values)
    return trace


def check(trace, limit=300):
    """Each node is in one place; each arrow is drawn where both of its ends are; no view is too full."""
    shown, tree = views(trace, limit), Tree(trace)
    places = [node for view in shown.values() for node in view.nodes]
    assert sorted(places) == list(range(len(trace["nodes"])))
    for name, view in shown.items():
        assert name == ("" if view.inside is None else f"g{view.inside}")
        assert len(view.nodes) + len(view.folded) <= limit
        within = set(tree.below(view.inside))
        for group, count in view.folded.items():
            assert f"g{group}" in shown and group in within
            assert count == tree.sizes[group] > 1
        boxes = (
            {f"n{i}" for i in view.nodes + view.outside}
            | {f"g{g}" for g in view.folded}
            | set(view.more)
            | set(view.again)
        )
        assert all(tail in boxes and head in boxes for tail, head, _ in view.arrows)
        pairs = [(tail, head) for tail, head, _ in view.arrows if "n" not in (tail[0] + head[0])]
        assert len(pairs) == len(set(pairs)), "arrows between folded boxes are merged"
    drawn = {number for view in shown.values() for _, _, numbers in view.arrows for number in numbers}
    assert drawn == set(range(len(trace["edges"])))
    return shown


def test_a_small_graph_is_shown_whole():
    trace = network(2, 4, 3)
    assert grouped(trace) is trace
    (view,) = check(trace).values()
    assert len(view.frames) == len(trace["groups"]) and not view.folded and not view.outside
    assert view.frames[0] == 0, "outer frames come first"


def test_alike_groups_fold_together_the_deepest_first():
    trace = network(2, 16, 16)
    whole = check(trace)[""]
    assert len(whole.folded) == 32
    assert [trace["groups"][group]["name"] for group in whole.frames] == ["net", "layer 0", "layer 1"]


def test_when_that_is_not_enough_larger_ones_fold():
    trace = network(10, 30, 10)
    shown = check(trace)
    assert all(trace["groups"][group]["name"].startswith("layer") for group in shown[""].folded)


def test_an_opened_group_shows_its_neighbours_but_not_all():
    trace = network(2, 16, 16)
    shown = check(trace)
    first = next(view for name, view in shown.items() if name and view.inside in shown[""].folded)
    assert len(first.outside) <= 2 * NEIGHBOURS and first.more
    assert not set(first.outside) & set(first.nodes)


def test_a_long_chain_is_cut_into_blocks():
    trace = grouped(chain(10_000))
    shown = check(trace)
    assert len(shown[""].folded) == 100 and not shown[""].nodes
    assert trace["groups"][0] == {"name": "v0 … v99", "kind": "block"}
    assert grouped(trace) is trace


def test_blocks_of_blocks():
    trace = grouped(chain(40_000))
    assert len(check(trace)[""].folded) == 4
    assert trace["groups"][-1]["name"] == "v30000 … v39999"


def test_what_is_made_of_nothing_is_in_the_block_that_uses_it():
    trace = chain(0)
    trace["nodes"] = [{"kind": "parameter"}] * 400 + [{"kind": "operation"}] * 401
    trace["edges"] = [{"from": i, "to": 401 + i} for i in range(400)]
    trace["edges"] += [{"from": 400 + i, "to": 401 + i} for i in range(400)]
    trace = grouped(trace)
    groups = [node["group"] for node in trace["nodes"]]
    apart = sum(groups[edge["from"]] != groups[edge["to"]] for edge in trace["edges"])
    assert apart <= 2 * len(trace["groups"])


def test_parameters_are_in_the_module_that_uses_them():
    def module(name, parent=None, kind="module"):
        return {"name": name, "kind": kind} | ({} if parent is None else {"parent": parent})

    trace = chain(0, groups=[module("net"), module("a", 0), module("b", 0), module("f", 1, "function"), module("c")])
    trace["nodes"] = [{"kind": "parameter", "name": name} for name in ("own", "shared", "everywhere", "unused")]
    trace["nodes"] += [{"kind": "leaf"}] + [{"kind": "operation", "group": group} for group in (3, 3, 2, 4, 1)]
    uses = [(0, 5), (0, 6), (1, 5), (1, 7), (2, 6), (2, 8), (4, 5)]
    trace["edges"] = [{"from": tail, "to": head} for tail, head in uses]
    assert [node.get("group") for node in grouped(trace)["nodes"]] == [1, 0, None, None, None, 3, 3, 2, 4, 1]
    assert "group" not in trace["nodes"][0], "the trace that came in is left alone"


def test_groups_as_deep_as_calls_can_be():
    trace = chain(
        3000, groups=[{"name": f"f{i}", "kind": "function"} | ({"parent": i - 1} if i else {}) for i in range(3000)]
    )
    for number, node in enumerate(trace["nodes"]):
        node["group"] = number
    shown = check(trace)
    assert len(shown[""].frames) <= 6 and len(shown) > 100


def test_any_tree_of_groups():
    for seed in range(40):
        choose = random.Random(seed)
        groups = [{"name": str(i), "kind": "module"} for i in range(choose.randint(0, 60))]
        for number, group in enumerate(groups):
            if number and choose.random() < 0.8:
                group["parent"] = choose.randrange(number)
        trace = chain(choose.randint(1, 800), groups=groups)
        for node in trace["nodes"]:
            if groups and choose.random() < 0.7:
                node["group"] = choose.randrange(len(groups))
        for _ in range(200):
            tail, head = sorted(choose.choices(range(len(trace["nodes"])), k=2))
            if tail != head:
                trace["edges"].append({"from": tail, "to": head})
        limit = choose.choice([100, 300])
        check(grouped(trace, limit), limit)


def test_in_a_large_graph_each_leaf_is_in_the_call_that_uses_it():
    groups = [{"name": f"Neuron{i}()", "kind": "function"} for i in range(200)]
    nodes = [{"kind": "leaf", "name": f"w{i}"} for i in range(200)]
    nodes += [{"kind": "operation", "name": f"v{i}", "group": i} for i in range(200)]
    trace = {"groups": groups, "nodes": nodes, "edges": [{"from": i, "to": 200 + i, "slot": 0} for i in range(200)]}
    assert [node["group"] for node in grouped(trace)["nodes"][:200]] == list(range(200))
    assert grouped(trace, limit=400) is trace


def test_far_arrows_of_a_tangle_begin_beside_their_heads():
    count = 120
    nodes = [{"kind": "leaf", "name": "x"}, *({"kind": "operation", "name": f"v{i}"} for i in range(count))]
    edges = [{"from": i, "to": i + 1, "slot": 0} for i in range(count)]
    edges += [{"from": 0, "to": i + 1, "slot": 1} for i in range(1, count)]
    whole = views({"nodes": nodes, "edges": edges})[""]
    far = [head for tail, head, _ in whole.arrows if tail.startswith("again")]
    assert far == [f"n{i}" for i in range(FAR + 1, count + 1)]
    assert set(whole.again.values()) == {(0, head) for head in far}
    assert len(whole.arrows) == len(edges) and not views({"nodes": nodes, "edges": edges[:count]})[""].again
