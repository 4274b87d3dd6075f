"""How fast the stepper answers in a browser, and how large its files are: `python -m benchmarks.stepper`.

First how long it takes from a program to its stepper and to its page: by the clock, and of the processor (with
Graphviz's part); a recorded run of so many operations with their backward, and of so many training steps.

A click's time is that until its handler has changed the page, in a page of a real run; half of the clicks are faster,
nine tenths are faster than the second figure. The browser's own painting comes on top. Needs the package playwright.
"""

import json
import os
import tempfile
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter

from playwright.sync_api import Browser, sync_playwright

import minigrad as mg
from tests.browser.conftest import CHROMIUM_OPTIONS, find_chromium
from widgets.drawing import picture
from widgets.showing.page import page
from widgets.showing.run import Run, record

from .pictures import chain

CLICKS = """async clicks => {
    const next = document.querySelector(".mg-next"), times = [];
    for (let i = 0; i < clicks; i++) {
        await new Promise(painted => requestAnimationFrame(() => setTimeout(painted)));
        const start = performance.now();
        next.click();
        times.push(performance.now() - start);
    }
    return times;
}"""
# As fast as a keyboard can: no pause between the events.
HOLD = """steps => {
    const root = document.querySelector(".mg-stepper"), graph = root.querySelector(".mg-canvas");
    const start = performance.now();
    for (let i = 0; i < steps; i++)
        graph.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, repeat: true }));
    return [Number(root.dataset.index), performance.now() - start];
}"""

# How long it takes until all that a moved number changes has been written: in the frame after the key.
MOVES = """async moves => {
    const field = document.querySelector(".mg-nudge input"), ask = requestAnimationFrame, times = [];
    window.requestAnimationFrame = f => ask(time => {
        const start = performance.now();
        f(time);
        times.push(performance.now() - start);
    });
    for (let i = 0; i < moves; i++) {
        field.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowUp", bubbles: true }));
        await new Promise(painted => ask(() => setTimeout(painted)));
    }
    return times;
}"""


def operations(count: int) -> Run:
    """A recorded run of so many operations on numbers, and their backward."""
    weights = [mg.tensor(0.5 + i / count, requires_grad=True) for i in range(count // 3)]
    with record() as run:
        value = weights[0]
        for weight in weights:
            value = mg.sin(value * weight) + 0.1
        value.backward()
    return run


def training(count: int) -> Run:
    """A small network that takes so many steps."""
    mg.manual_seed(0)
    net = mg.nn.Sequential(mg.nn.Linear(2, 8), mg.nn.Tanh(), mg.nn.Linear(8, 1))
    optimizer = mg.optim.SGD(net.parameters(), lr=0.1)
    x, y = mg.randn(16, 2), mg.randn(16, 1)
    with record() as run:
        for _ in range(count):
            optimizer.zero_grad()
            ((net(x) - y) ** 2).mean().backward()
            optimizer.step()
    return run


def opening() -> None:
    print("| what is recorded | frames | step() | processor | page |\n|---|---|---|---|---|")
    operations(10).step()  # what is imported when first needed
    for program, counts in (operations, (100, 300, 1000, 3000)), (training, (200, 1000)):
        for count in counts:
            clock, processor = perf_counter(), sum(os.times()[:4])
            run = program(count)
            run.step()
            took = perf_counter() - clock, sum(os.times()[:4]) - processor
            size = kilobytes(page(run.trace, run.views()))
            name = f"{count:,} {'operations' if program is operations else 'training steps'}"
            print(f"| {name} | {len(run.trace['frames']):,} | {took[0]:.1f} s | {took[1]:.1f} s | {size} |")


def main() -> None:
    opening()
    print("\n| nodes | frames | trace | page | click: median | 90 % | reach | 1,000 steps of a held key |")
    print("|---|---|---|---|---|---|---|---|")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_OPTIONS)
        for count, reach in ((70, None), (300, 4), (1000, 16)):
            trace = chain(count)
            path = Path(folder) / "page.html"
            path.write_text(page(trace, picture.views(trace, limit=2 * count)), encoding="utf-8")  # all in one view
            shown = browser.new_page()
            shown.goto(path.as_uri())
            shown.locator(".mg-stepper").wait_for()
            times = shown.evaluate(CLICKS, 200)
            before = int(shown.locator(".mg-stepper").get_attribute("data-index"))
            index, held = shown.evaluate(HOLD, 1000)
            last = len(trace["frames"])
            assert index == min(before + 1000, last), "a step was dropped"
            print(
                f"| {len(trace['nodes'])} | {last} | {kilobytes(trace_text(trace))} | {kilobytes(path.read_text())} "
                f"| {median(times):.1f} ms | {quantiles(times, n=10)[-1]:.1f} ms | {f'{reach} ms' if reach else ''} "
                f"| {f'{held / 1000:.1f} s, none dropped' if last > before + 1000 else ''} |"
            )
            shown.close()
        moving(browser, Path(folder))
        browser.close()


def moving(browser: Browser, folder: Path) -> None:
    """A leaf's number is moved, and all others follow."""
    print(
        "\n| operations on numbers | boxes | instructions | a move: median | 90 % | reach |\n|---|---|---|---|---|---|"
    )
    for count in (30, 100, 300):
        run = operations(count)
        run.save(folder / "moved.html", index=len(run.trace["frames"]), move="value")
        shown = browser.new_page()
        shown.goto((folder / "moved.html").as_uri())
        shown.locator(".mg-nudge input").first.wait_for()
        times = shown.evaluate(MOVES, 100)
        lines, boxes = len(run.trace["live"]["lines"]), len(run.trace["nodes"])
        slow, reach = quantiles(times, n=10)[-1], "16 ms" if count == 300 else ""
        print(f"| {count} | {boxes} | {lines} | {median(times):.1f} ms | {slow:.1f} ms | {reach} |")
        shown.close()


def trace_text(trace: dict) -> str:
    return json.dumps(trace, ensure_ascii=False, separators=(",", ":"))


def kilobytes(text: str) -> str:
    return f"{len(text.encode()) / 1000:.0f} kB"


if __name__ == "__main__":
    main()
