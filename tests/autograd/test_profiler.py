"""The profiler: what it counts, how times nest, what its table and its trace look like."""

import re

import pytest

import minigrad as mg
from minigrad.autograd.profiler import profile, record_function
from minigrad.core import events


def run():
    x = mg.ones(2, 3, requires_grad=True)
    with profile() as prof:
        with record_function("label"):
            y = x
            for _ in range(5):
                y = y / 2 * x
        y.sum().backward()
    return prof


def test_every_operation_and_every_node_is_counted():
    counts = {row.key: row.count for row in run().key_averages()}
    assert counts["aten::div"] == counts["aten::mul"] == 5
    assert counts["DivBackward0"] == counts["MulBackward0"] == 5
    assert counts["aten::sum"] == counts["SumBackward0"] == counts["label"] == 1


def test_a_label_contains_what_ran_inside_it_and_nothing_else():
    label = next(event for event in run().function_events if event.name == "label")
    assert sorted({child.name for child in label.cpu_children}) == ["aten::div", "aten::mul"]
    inside = sum(child.cpu_time_total for child in label.cpu_children)
    assert label.self_cpu_time_total == pytest.approx(label.cpu_time_total - inside)


def test_self_times_add_up_to_the_whole():
    prof = run()
    assert prof.self_cpu_time_total == pytest.approx(sum(e.self_cpu_time_total for e in prof.function_events))


def test_the_table_is_laid_out_in_columns_and_sorted():
    table = run().key_averages().table(sort_by="self_cpu_time_total")
    lines = table.splitlines()
    titles = ["Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg", "# of Calls"]
    assert re.split(r"\s{2,}", lines[1].strip()) == titles
    assert lines[0] == lines[2] and set(lines[0]) == {"-", " "}
    assert len({len(line) for line in lines[:-1]}) == 1
    shares = [float(line.split()[1].rstrip("%")) for line in lines[3:-2]]
    assert shares == sorted(shares, reverse=True) and sum(shares) == pytest.approx(100, abs=0.1)
    assert re.fullmatch(r"Self CPU time total: \d+\.\d{3}(us|ms|s)", lines[-1])
    assert len(run().key_averages().table(row_limit=2).splitlines()) == 7
    assert "aten::mul" in run().table()  # of the single events


def test_afterwards_nobody_listens():
    run()
    assert events.listeners == []


def test_bad_input():
    with pytest.raises(ValueError, match="sort_by must be one of"):
        run().table(sort_by="speed")
    prof = run()
    with pytest.raises(RuntimeError, match="not reentrant"), prof:
        pass
