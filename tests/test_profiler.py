"""Profiling some steps of a loop: which steps a schedule names, and what is told at the end of each cycle."""

import gzip
import json
import subprocess
import sys
import warnings

import pytest

import minigrad as mg

from .oracle import answer, assert_same, recorded


def plan(**arguments):
    return lambda m: [m.profiler.schedule(**arguments)(step).name for step in range(12)]


def cycles(steps, **arguments):
    """What `on_trace_ready` sees, each time: the number of steps begun, and how often a few things ran."""

    def question(m):
        told = []

        def tell(prof):
            counts = {row.key: row.count for row in prof.key_averages()}
            names = ("ProfilerStep*", "block", "MulBackward0")
            told.append([prof.step_num, prof.current_action.name, [counts.get(name, 0) for name in names]])

        x = m.ones(2, requires_grad=True)
        chosen = {"schedule": m.profiler.schedule(**arguments)} if arguments else {}
        activities = [m.profiler.ProfilerActivity.CPU]
        with m.profiler.profile(activities=activities, on_trace_ready=tell, **chosen) as prof:
            for _ in range(steps):
                with m.profiler.record_function("block"):
                    y = (x * 2).sum()
                y.backward()
                prof.step()
        return told

    return question


QUESTIONS = {
    "a cycle": plan(wait=1, warmup=1, active=2),
    "once": plan(wait=1, warmup=1, active=2, repeat=1),
    "twice, later": plan(wait=1, warmup=1, active=2, repeat=2, skip_first=2),
    "the first wait left out": plan(wait=2, warmup=1, active=1, repeat=2, skip_first=1, skip_first_wait=1),
    "no wait": plan(wait=0, warmup=1, active=1),
    "no active step": plan(wait=1, warmup=1, active=0),
    "a negative step": lambda m: m.profiler.schedule(wait=1, warmup=1, active=1)(-1),
    "two cycles": cycles(9, wait=1, warmup=1, active=2, repeat=2),
    "ends while recording": cycles(3, wait=0, warmup=1, active=3),
    "ends while warming up": cycles(1, wait=0, warmup=3, active=3),
    "cycle after cycle": cycles(5, wait=0, warmup=1, active=1),
    "no schedule": cycles(3),
    "averages before the start": lambda m: m.profiler.profile().key_averages(),
    "a trace before the start": lambda m: m.profiler.profile().export_chrome_trace("trace.json"),
    "events before the start": lambda m: m.profiler.profile().events(),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", QUESTIONS)
def test_as_pytorch_answered(name):
    assert_same(answer(QUESTIONS[name], mg), recorded("profiler")[name])


def run(steps=4, **options):
    x = mg.ones(2, 3, requires_grad=True)
    with mg.profiler.profile(**options) as prof:
        for _ in range(steps):
            (x * 2).sum().backward()
            prof.step()
    return prof


def test_shapes_memory_and_lines_where_they_were_asked_for():
    prof = run(record_shapes=True, profile_memory=True, with_stack=True)
    mul = next(event for event in prof.events() if event.name == "aten::mul")
    assert mul.input_shapes == [[2, 3]] and mul.cpu_memory_usage == 24 and "(x * 2)" in mul.stack[0]
    table = prof.key_averages(group_by_input_shape=True).table(sort_by="cpu_time_total", row_limit=5)
    assert "Input Shapes" in table and "CPU Mem" in table


def test_a_step_contains_what_ran_in_it():
    schedule = mg.profiler.schedule(wait=1, warmup=1, active=2, repeat=1)
    steps = [event for event in run(schedule=schedule).events() if event.key == "ProfilerStep*"]
    assert [event.name for event in steps] == ["ProfilerStep#2", "ProfilerStep#3"]
    assert all("MulBackward0" in [child.name for child in event.cpu_children] for event in steps)


@pytest.mark.parametrize("use_gzip", [False, True])
def test_each_cycle_is_written_where_tensorboard_looks(tmp_path, use_gzip):
    handler = mg.profiler.tensorboard_trace_handler(str(tmp_path / "log"), "me", use_gzip)
    run(8, schedule=mg.profiler.schedule(wait=1, warmup=1, active=2, repeat=2), on_trace_ready=handler)
    files = sorted((tmp_path / "log").iterdir())
    assert len(files) == 2 and all(file.name.startswith("me.") for file in files)
    for file in files:
        text = gzip.open(file, "rt").read() if use_gzip else file.read_text()
        assert any(event["name"] == "MulBackward0" for event in json.loads(text)["traceEvents"])


def test_start_and_stop_do_without_the_block():
    prof = mg.profiler.profile()
    prof.start()
    mg.ones(2) * 2
    prof.stop()
    mg.ones(2) * 2
    assert [(row.key, row.count) for row in prof.key_averages()] == [("aten::mul", 1)]
    assert mg.autograd.events.listeners == []


def test_bad_input(tmp_path):
    with pytest.raises(AssertionError, match="No valid profiler activities found"):
        mg.profiler.profile(activities=[])
    with pytest.raises(RuntimeError, match=r"schedule\(0\) must give a ProfilerAction, but gave 3"):
        mg.profiler.profile(schedule=lambda step: 3)
    (tmp_path / "file").write_text("")
    with pytest.raises(RuntimeError, match="Can't create directory"):
        mg.profiler.tensorboard_trace_handler(str(tmp_path / "file"))(None)
    actions = [mg.profiler.ProfilerAction.RECORD, mg.profiler.ProfilerAction.NONE]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(1, schedule=lambda step: actions[step])
    assert "RECORD followed by NONE" in str(caught[0].message)


def test_it_is_found_under_its_name_from_the_first_time_on():
    code = "import minigrad; print(minigrad.profiler.__name__)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "minigrad.profiler\n"
