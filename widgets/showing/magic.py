"""`%%step`: a whole cell, recorded and stepped.

    %%step
    loss = ((w * x - y) ** 2).mean()
    loss.backward()

With a name, `%%step run`, the recorded run stays in that variable.
"""

from typing import Any

from IPython import get_ipython
from IPython.display import display

from .run import Run


def step_cell(line: str, cell: str) -> None:
    """Run a cell, and show the stepper of what happened in it; `%%step name` keeps the run in a variable."""
    shell, name = get_ipython(), line.strip()
    if name and not name.isidentifier():
        raise ValueError(f"%%step takes at most the name of a variable for the run, but got {name!r}")
    with Run() as run:
        result = shell.run_cell(cell)
        if result.error_in_exec is not None:
            run.failed(result.error_in_exec)
    if result.error_before_exec is None and run.happened:
        if name:
            shell.user_ns[name] = run
        display(run.step())


def register(shell: Any) -> None:
    """Make the magic known."""
    shell.register_magic_function(step_cell, magic_kind="cell", magic_name="step")
