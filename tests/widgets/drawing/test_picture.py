"""The picture: all that the trace says is in it, in its place; and what it says at each position is true."""

import itertools
import random
import re
import xml.etree.ElementTree as ElementTree

import pytest

import minigrad as mg
from widgets.drawing import layout, picture
from widgets.drawing.grouping import grouped
from widgets.drawing.layout import CHARACTER, FONT_SIZE, LayoutError, columns
from widgets.showing.run import record

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</text><script>alert(1)</script>",
    "a&lt;b &amp; &#60;",
    'quote " and \\" and \\\\"',
    r"\N \G \l \n",
    "{a|b|<port> c}",
    "]]> <!-- x -->",
    "梯度 ∂L/∂a",
]
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


def lesson(label="b = sin(a)", group="f"):
    """A trace with a bit of everything: b = sin(a), c = b * b, loss = c * 2, and the way back."""
    return {
        "schema": 1,
        "title": label,
        "values": [
            {"text": "0"}, {"text": "2.125"}, {"text": "[0.8503, 0.8503]"}, {"text": "1"},
            {"text": "3×40: -1 … 1", "shape": [3, 40], "thumb": PIXEL},
        ],
        "groups": [{"name": group, "kind": "function"}, {"name": group, "kind": "module", "parent": 0}],
        "nodes": [
            {"kind": "leaf", "name": "a", "label": "a", "type": "AccumulateGrad", "start": {"value": 1}},
            {"kind": "operation", "name": "b", "label": label, "type": "SinBackward0", "group": 1},
            {"kind": "operation", "name": "c", "label": "c = b * b", "group": 0},
            {"kind": "constant", "name": "2.125", "label": "2.125", "start": {"value": 1}},
            {"kind": "operation", "name": "loss", "label": "loss = c * 2"},
            {"kind": "parameter", "name": "w", "label": "w", "start": {"value": 4, "box": 1}},
            {"kind": "input", "name": "x", "label": "x", "start": {"value": 4}},
            {"kind": "output", "name": "o", "label": "output 0"},
        ],
        "edges": [
            {"from": 0, "to": 1, "slot": 0}, {"from": 1, "to": 2, "slot": 0}, {"from": 1, "to": 2, "slot": 1},
            {"from": 2, "to": 4, "slot": 0}, {"from": 3, "to": 4, "slot": 1}, {"from": 5, "to": 4, "slot": 2},
            {"from": 6, "to": 4, "slot": 3}, {"from": 2, "to": 7, "slot": 0},
        ],
        "frames": [
            {"kind": "made", "node": 1, "changes": [["n1", "value", None, 2]]},
            {"kind": "made", "node": 2, "changes": [["n2", "value", None, 4], ["n7", "value", None, 0]]},
            {"kind": "made", "node": 4, "changes": [["n4", "value", None, 1]]},
            {"kind": "seeded", "node": 4, "changes": [["n4", "grad", None, 3]]},
            {"kind": "sent", "node": 4, "edge": 3, "changes": [["e3", "part", None, 2], ["n2", "grad", None, 2]]},
            {"kind": "visited", "node": 4, "changes": [["n4", "done", False, True], ["e3", "part", 2, None]]},
            {"kind": "deposited", "node": 0, "changes": [["n0", "box", None, 2]]},
            {"kind": "error", "node": 2, "changes": [["n2", "broken", False, True], ["n1", "freed", False, True]]},
        ],
    }  # fmt: skip


def chain(count):
    """Numbers multiplied, one after the other, by weights; and the parts of the way back."""
    trace = {"title": "chain", "values": [{"text": "0.1235"}], "groups": [], "nodes": [], "edges": [], "frames": []}
    for number in range(count):
        kind, name = ("parameter", f"w{number}") if number % 3 == 1 else ("operation", f"v{number}")
        trace["nodes"].append({"kind": kind, "name": name, "label": name, "start": {"value": 0}})
        if kind == "operation" and number:
            for source in range(max(number - 2, 0), number):
                edge = len(trace["edges"])
                trace["edges"].append({"from": source, "to": number})
                trace["frames"].append({"kind": "sent", "changes": [[f"e{edge}", "part", None, 0]]})
    return trace


def read(text):
    return ElementTree.fromstring(text)


def things(tree, kind):
    """The groups of a kind, by id."""
    found = [g for g in tree.iter(f"{SVG}g") if g.get("class").split()[0] == f"mg-{kind}"]
    assert len({g.get("data-id") for g in found}) == len(found)
    return {g.get("data-id"): g for g in found}


def texts(group):
    return {text.get("class").split()[0]: text.text or "" for text in group.iter(f"{SVG}text")}


def classes(group):
    return set(group.get("class").split())


def rectangle(node):
    """Left, top, right, bottom of a box, from its transform and its outline."""
    x, y = map(float, re.findall(r"[-\d.]+", node.get("transform")))
    shape = next(path for path in node.iter(f"{SVG}path") if path.get("class") == "shape").get("d")
    across = [float(number) for number in re.findall(r"[MH](-?[\d.]+)", shape)]
    down = [float(number) for number in re.findall(r"(?:M-?[\d.]+ |V)(-?[\d.]+)", shape)]
    radius = float((re.findall(r"a([\d.]+)", shape) or ["0"])[0])
    width = max(across) + radius
    return x, y, x + width, y + max(down) + radius


def check(tree):
    """Boxes apart; in their frames; texts in their boxes, by our own metric."""
    nodes = things(tree, "node")
    places = {name: rectangle(node) for name, node in nodes.items()}
    for (_, a), (_, b) in itertools.combinations(places.items(), 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    for name, node in nodes.items():
        left, top, right, bottom = places[name]
        small = classes(node) & {"constant", "outside"}
        character = CHARACTER * 11 / FONT_SIZE if small else CHARACTER
        lines = []
        for text in node.iter(f"{SVG}text"):
            width = columns(text.text or "") * character
            x, y = left + float(text.get("x")), top + float(text.get("y"))
            start = x if text.get("class") in ("sign", "name") else x - width / 2
            assert left + 3 < start and start + width < right - 3, (name, text.text)
            assert top + character < y < bottom - 3
            lines.append((start, start + width, y))
        for (start, end, y), (other, stop, below) in itertools.combinations(lines, 2):
            assert y != below or end <= other or stop <= start, (name, "two texts on each other")
    for group in things(tree, "group").values():
        frame = next(group.iter(f"{SVG}rect"))
        x, y, width, height = (float(frame.get(key)) for key in ("x", "y", "width", "height"))
        for left, top, right, bottom in places.values():
            inside = x <= left and right <= x + width and y <= top and bottom <= y + height
            apart = right <= x or x + width <= left or bottom <= y or y + height <= top
            assert inside or apart
            assert not inside or y + 18 < top, "a frame's title lies on a box"


@pytest.mark.parametrize("direction", ["TB", "LR", "auto"])
@pytest.mark.parametrize("index", [0, 3, 5, 8])
def test_everything_is_there_and_in_its_place(direction, index):
    tree = read(picture.svg(lesson(), index, direction))
    assert things(tree, "node").keys() == {f"n{i}" for i in range(8)}
    assert things(tree, "edge").keys() == {f"e{i}" for i in range(8)}
    assert things(tree, "group").keys() == {"g0", "g1"}
    check(tree)


def test_what_is_shown_at_each_position():
    start, sent, end = (read(picture.svg(lesson(), index)) for index in (0, 5, 8))
    nodes = things(start, "node")
    assert texts(nodes["n0"]) == {"title": "a", "value": "2.125", "name": ".grad", "box": "–"}
    assert texts(nodes["n1"])["value"] == "" and "has-value" not in classes(nodes["n1"])
    assert texts(nodes["n3"]) == {"title": "2.125"}, "a number is not told twice"
    assert texts(nodes["n4"])["grad"] == "–", "not yet is not zero"
    assert "has-box" in classes(nodes["n5"]) and texts(nodes["n5"])["box"] == "2.125"

    nodes, edges = things(sent, "node"), things(sent, "edge")
    assert {"has-value", "has-grad", "result", "now"} <= classes(nodes["n4"])
    assert texts(nodes["n2"])["grad"] == "[0.8503, 0.8503]"
    assert {"has-part", "now"} <= classes(edges["e3"]) and texts(edges["e3"])["part"] == "[0.8503, 0.8503]"
    assert classes(edges["e1"]) == {"mg-edge"} and texts(edges["e1"]) == {}

    nodes = things(end, "node")
    assert {"broken"} <= classes(nodes["n2"]) and {"freed"} <= classes(nodes["n1"]) and {"done"} <= classes(nodes["n4"])
    assert "has-part" not in classes(things(end, "edge")["e3"])
    assert texts(nodes["n0"])["box"] == "[0.8503, 0.8503]"
    assert not [node for node in nodes.values() if "now" in classes(node)], "the finished picture is still"


def test_a_picture_of_a_large_value():
    images = [
        {
            name: next(node.iter(f"{SVG}image"), None)
            for name, node in things(read(picture.svg(lesson(), i)), "node").items()
        }
        for i in (0, 2)
    ]
    assert images[0]["n5"].get("href") == images[1]["n2"].get("href") == f"data:image/png;base64,{PIXEL}"
    assert images[0]["n2"].get("href") is None and images[0]["n0"] is None


@pytest.mark.parametrize(
    ("shape", "size"), [([50], (30, 12)), ([8, 8], (30, 30)), ([100, 2], (12, 30)), ([2, 3, 8], (30, 22.5))]
)
def test_a_small_picture_has_the_proportions_of_its_value(shape, size):
    trace = lesson()
    trace["values"][4]["shape"] = shape
    image = next(things(read(picture.svg(trace)), "node")["n6"].iter(f"{SVG}image"))
    assert (float(image.get("width")), float(image.get("height"))) == size


def test_stepping_changes_classes_and_texts_only():
    def still(text):
        tree = read(text)
        for element in tree.iter():
            element.attrib.pop("class", None), element.attrib.pop("href", None)
            element.text = None
        return ElementTree.tostring(tree)

    assert len({still(picture.svg(lesson(), index)) for index in range(9)}) == 1


def test_kinds_are_told_apart_without_colour():
    nodes = things(read(picture.svg(lesson())), "node")
    looks = {
        next(
            iter(
                classes(node)
                - {"mg-node"}
                - {c for c in classes(node) if "has-" in c or c in ("done", "result", "freed", "broken")}
            )
        ): sorted(path.get("class") for path in node.iter(f"{SVG}path"))
        for node in nodes.values()
    }
    assert looks["leaf"] == ["envelope", "flap", "shape", "slit"]
    assert looks["parameter"] == ["bar", "envelope", "flap", "shape", "slit"]
    assert looks["operation"] in (["shape"], ["inner", "shape"])
    sheet = picture.STYLE.read_text(encoding="utf-8")
    assert ".constant .shape { stroke-dasharray" in sheet and ".output .shape { stroke-dasharray" in sheet
    assert "a9 9" in next(nodes["n1"].iter(f"{SVG}path")).get("d"), "an operation is round"
    assert "a" not in next(nodes["n0"].iter(f"{SVG}path")).get("d"), "a leaf has corners"


def test_each_look_of_a_box_is_explained():
    looks = set(re.findall(r"\.mg-node\.([a-z]+)(?:\.[a-z]+)* \.shape", picture.STYLE.read_text(encoding="utf-8")))
    legend = (picture.STYLE.parent.parent / "web" / "help.js").read_text(encoding="utf-8")
    told = set(re.findall(r"[a-z]+", " ".join(re.findall(r'^  \["([a-z -]+)", "', legend, re.MULTILINE))))
    assert looks - told <= {"outside", "upstream", "downstream"}  # a name alone, and what a button has just marked
    assert looks & told >= {"leaf", "parameter", "input", "constant", "now", "next", "freed", "broken", "selected"}


@pytest.mark.parametrize("text", HOSTILE)
def test_names_are_text(text):
    trace = lesson(text, text)
    trace["values"][2]["text"] = text
    trace["nodes"][1]["type"] = text
    for drawn in (picture.svg(trace), *picture.views(trace).values()):
        tree = read(drawn)
        known = {"svg", "style", "title", "g", "rect", "path", "text", "image"}
        assert {element.tag.removeprefix(SVG) for element in tree.iter()} <= known
        assert texts(things(tree, "node")["n1"])["title"] == layout.shorten(text)
        assert texts(things(tree, "group")["g1"])["title"] == layout.shorten(text)
        check(tree)
    words = picture.dot(trace)
    assert len(layout.lay_out(words)[0].boxes) == 8, "still DOT"
    assert re.findall(r"n\d+ -> n\d+", words) == re.findall(r"n\d+ -> n\d+", picture.dot(lesson()))


def test_the_same_trace_gives_the_same_picture():
    first = picture.svg(lesson(), 4), picture.dot(lesson(), 4), picture.views(lesson())
    layout.KNOWN.clear()
    assert (picture.svg(lesson(), 4), picture.dot(lesson(), 4), picture.views(lesson())) == first


def test_dot_text():
    trace = lesson()
    trace["nodes"], trace["edges"], trace["groups"] = trace["nodes"][:3], trace["edges"][:3], trace["groups"][:1]
    trace["nodes"][1]["group"], trace["frames"] = 0, trace["frames"][:1]
    assert picture.dot(trace, direction="LR") == (
        "digraph {\n"
        "\tgraph [newrank=true nodesep=0.25 rankdir=LR ranksep=0.40]\n"
        "\tnode [fixedsize=true shape=box]\n"
        "\tedge [arrowsize=0.9]\n"
        '\tn0 [label="a\\n2.125\\n.grad –" color="#007a57" fillcolor="#e0efeb" fontname=monospace fontsize=13'
        " height=0.9722 penwidth=2.5 style=filled width=1.3126]\n"
        "\tsubgraph cluster_g0 {\n"
        '\t\tgraph [label=<<table border="0" cellspacing="0" cellpadding="0" fixedsize="true" width="8" height="18">'
        "<tr><td>f</td></tr></table>> labeljust=l margin=10]\n"
        '\t\tn1 [label="b = sin(a)\\n[0.8503, 0.8503]" color="#0068c9" fillcolor="#e0edf9" fontname=monospace'
        ' fontsize=13 height=0.6667 style="filled,rounded" width=2.0400]\n'
        '\t\tn2 [label="c = b * b" color="#0068c9" fillcolor="#e0edf9" fontname=monospace fontsize=13'
        ' height=0.5139 peripheries=2 style="filled,rounded" width=1.3662]\n'
        "\t}\n"
        "\tn0 -> n1 [id=e0]\n"
        "\tn1 -> n2 [id=e1]\n"
        "\tn1 -> n2 [id=e2]\n"
        "}\n"
    )


def test_a_picture_alone_brings_its_looks():
    text = picture.svg(lesson())
    assert "prefers-color-scheme:dark" in text and "fill: #1a1a1a; fill: var(--mg-ink)" in text
    assert re.search(r'<svg [^>]*role="img" aria-label="b = sin\(a\)">', text)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|<script| id=", text)


def test_views_bring_no_looks():
    (view,) = picture.views(lesson()).values()
    assert "<style" not in view and 'class="paper"' not in view


def test_positions():
    assert picture.svg(lesson(), -1) == picture.svg(lesson(), 8) == picture.svg(lesson())
    with pytest.raises(IndexError, match="positions 0 to 8, but not 9"):
        picture.svg(lesson(), 9)
    with pytest.raises(TypeError, match="a position is a whole number, or None for the last, but not 'end'"):
        picture.svg(lesson(), "end")


def test_gradients_have_a_place_beside_their_arrows():
    trace = chain(60)
    tree = read(picture.svg(trace))
    assert "crowded" not in classes(tree) and "crowded" in classes(read(picture.svg(chain(200))))
    places = [rectangle(node) for node in things(tree, "node").values()]
    parts = [text for edge in things(tree, "edge").values() for text in edge.iter(f"{SVG}text")]
    assert len(parts) == len(trace["edges"])
    for part in parts:
        x, y, width = float(part.get("x")), float(part.get("y")), columns(part.text) * CHARACTER * 12 / FONT_SIZE
        assert part.get("class") == "part beside"
        assert not [1 for left, top, right, low in places if left < x + width and x < right and top < y < low]


def test_a_small_matrix_beside_an_arrow_looks_like_one():
    w, x = mg.ones(2, 3, requires_grad=True), mg.ones(3, 2)
    with record() as run:
        ((w @ x) * mg.tensor([[1.0, -2.0], [3.0, 40.0]])).sum().backward()
    tree = read(run.svg())
    texts = [[row.text for row in edge.iter(f"{SVG}tspan")] for edge in things(tree, "edge").values()]
    assert ["⎡\xa01\xa0-2⎤", "⎣\xa03\xa040⎦"] in texts and not [1 for text in tree.iter() if "[[" in (text.text or "")]
    parts = [text for edge in things(tree, "edge").values() for text in edge.iter(f"{SVG}text") if len(text)]
    boxes = [rectangle(node) for node in things(tree, "node").values()]
    for part in parts:
        first, *others = [float(row.get("dy")) for row in part]
        top, low = float(part.get("y")) + first - 12, float(part.get("y")) + first + sum(others)
        assert first == -9 * len(others) and not [
            1 for box in boxes if box[0] < float(part.get("x")) < box[2] and top < box[3] and box[1] < low
        ]


def test_a_big_graph_folds():
    trace = grouped(chain(10_000))
    shown = picture.views(trace)
    assert len(shown) == 101 and shown[""].count("mg-node folded") == 100
    seen = []
    for name, text in shown.items():
        tree = read(text)
        nodes = things(tree, "node")
        seen += [key for key, node in nodes.items() if key and key[0] == "n" and "outside" not in classes(node)]
        if name in ("", "g7"):
            check(tree)
    assert sorted(seen) == sorted(f"n{i}" for i in range(10_000))
    folded = things(read(shown[""]), "node")["g0"]
    assert texts(folded) == {"title": "v0 … v99", "count": "100 nodes"}
    edges = things(read(shown[""]), "edge")
    merged = {name for name, edge in edges.items() if "merged" in classes(edge)}
    assert len(edges) == 99 and len(merged) > 50
    assert merged == {name for name in edges if " " in name}


@pytest.mark.parametrize("seed", range(5))
def test_any_graph(seed):
    choose = random.Random(seed)
    kinds = ["leaf", "parameter", "input", "constant", "operation", "operation", "output"]
    words = ["0", "-0.6667", "[-0.6667, 1, 2, -3.25]", "64×100: -1.25 … 1", "梯度"]
    trace = {"title": "any", "values": [{"text": word} for word in words], "nodes": [], "edges": [], "frames": []}
    trace["values"][3] |= {"thumb": PIXEL, "shape": [64, 100]}
    trace["groups"] = [
        {"name": "f" * (3 * i + 1), "kind": "module"} | ({"parent": i // 2} if i else {}) for i in range(5)
    ]
    for number in range(40):
        node = {"kind": choose.choice(kinds), "name": f"v{number}", "label": "x" * choose.randint(1, 40)}
        trace["nodes"].append(node | ({"group": choose.randrange(5)} if choose.random() < 0.6 else {}))
        for field in ("value", "grad", "box"):
            if choose.random() < 0.6:
                change = [f"n{number}", field, None, choose.randrange(5)]
                trace["frames"].append({"kind": "made", "node": number, "changes": [change]})
        for slot in range(min(number, choose.randint(0, 3))):
            trace["frames"].append({"kind": "sent", "changes": [[f"e{len(trace['edges'])}", "part", None, 1]]})
            trace["edges"].append({"from": choose.randrange(number), "to": number, "slot": slot})
    for direction in ("TB", "LR"):
        check(read(picture.svg(trace, direction=direction)))


def test_the_direction_in_which_it_is_larger():
    across = {"kind": "operation", "label": "a long label for a box = f(x)"}
    tall = {"title": "", "values": [], "groups": [], "frames": [], "nodes": [{"kind": "constant", "label": "1"}] * 12}
    tall["edges"] = [{"from": i, "to": i + 1} for i in range(11)]
    wide = {**tall, "nodes": [across] * 6, "edges": [{"from": i, "to": 5} for i in range(5)]}
    assert [picture.whole(trace).direction for trace in (tall, wide, lesson())] == ["LR", "LR", "TB"]


def test_without_graphviz_one_sentence(monkeypatch):
    monkeypatch.setattr(layout, "commands", list)
    layout.KNOWN.clear()
    with pytest.raises(LayoutError, match="no Graphviz was found; install"):
        picture.svg(lesson())


@pytest.mark.parametrize("direction", ["TB", "LR"])
@pytest.mark.parametrize("count", [2, 4, 5])
def test_iterations_stand_in_their_order_each_with_what_is_in_it(count, direction):
    w, b, x = mg.tensor(0.5, requires_grad=True), mg.tensor(0.0, requires_grad=True), mg.tensor([1.0, 2.0])
    with record(iterations=count) as run:
        for _ in range(count):
            ((w * x - b) ** 2).mean().backward()
    whole = picture.whole(run.trace, direction)
    layout = picture.laid_out({"": whole})[""]
    across = 0 if direction == "TB" else 1
    frames = [layout.frames[f"cluster_g{one['group']}"] for one in run.trace["iterations"]]
    starts = [first[across] for first, _ in frames]
    assert len(starts) == count and starts == sorted(starts)
    for one, (first, last) in zip(run.trace["iterations"], frames):
        inside = [i for i, node in enumerate(run.trace["nodes"]) if node.get("group") == one["group"]]
        assert len(inside) == 4
        for i in inside:
            box, at = whole.boxes[f"n{i}"], layout.boxes[f"n{i}"]
            size = box.width, box.height
            assert all(low <= at[side] - size[side] / 2 for side, low in enumerate(first))
            assert all(at[side] + size[side] / 2 <= high for side, high in enumerate(last))
    for number, edge in enumerate(run.trace["edges"]):  # an arrow ends at its own box
        at, box = layout.boxes[f"n{edge['to']}"], whole.boxes[f"n{edge['to']}"]
        tip = layout.arrows[f"e{number}"].tip
        assert all(abs(a - b) <= size / 2 + 1 for a, b, size in zip(tip, at, (box.width, box.height)))


def test_the_arrows_of_all_results_that_sent_a_part_carry_it_and_one_says_it():
    x = mg.tensor([1.0, 2.0, 3.0], requires_grad=True)
    with record() as run:
        a, b, c = x.unbind()
        (a * b).backward()
    root = ElementTree.fromstring(run.svg())
    arrows = {one.get("data-id"): one for one in root if "mg-edge" in one.get("class", "")}
    ends = {(run.trace["nodes"][edge["to"]]["name"]): arrows[f"e{i}"]
            for i, edge in enumerate(run.trace["edges"]) if edge["from"] == 0}  # fmt: skip
    assert {name: one.get("class") for name, one in ends.items()} == {
        "a": "mg-edge has-part", "b": "mg-edge joins", "c": "mg-edge",
    }  # fmt: skip
    parts = {name: [inner.get("class") for inner in one] for name, one in ends.items()}
    assert parts["a"][:3] == ["line", "head", "back"] and parts["a"][3].startswith("part")
    assert parts["b"] == ["line", "head", "back"] and parts["c"] == ["line", "head"]
    with record() as run:  # in the next backward nothing of it is left
        a, b = x[:2].unbind()
        (a * b).backward(retain_graph=True)
        a.backward()
    assert not any(one.get("class") == "mg-edge joins" for one in ElementTree.fromstring(run.svg()))
