"""Write docs/ops.md: every row of the tables in minigrad/ops/, as the engine itself knows it.

    .venv/bin/python docs/make_ops.py

What is written here is read from the rows, so it is true by construction; a test holds docs/ops.md to it.
"""

import ast
import inspect
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import minigrad.nn  # noqa: F401 - so that all tables are there
from minigrad import Tensor, ones, ops
from minigrad.core.row import Op

PAGE = Path(__file__).parent / "ops.md"
HEAD = """# The operations

<!-- Made by docs/make_ops.py from the tables in minigrad/ops/. Change a row there, then run that script. -->

One line for each row of the tables: as it is written, and below that its name in the table where this is another.

- **Called as**: `mg.` a function, which is also a method where PyTorch has one; `x.` a method only (`x.sin_` changes
  `x` itself); `F.` a function of `minigrad.nn.functional` only. A dash: operators or other functions use the row.
- **Gradient**: `∂out/∂a = …` where the rule multiplies the incoming gradient by that, element by element; otherwise
  `∂L/∂a = …` says how the gradient of `a` is made from the incoming gradient `g`. Where an input was broadcast, the
  engine sums afterwards.
- **Kept**: what the node holds on to until the backward, as attributes of `grad_fn`. Only what is needed by inputs that
  require a gradient is kept.
"""
BANNER = re.compile(r"^# == (.+?) =+$", re.MULTILINE)


def families() -> Iterator[tuple[str, str, list[Op]]]:
    """Each file of the tables and each of its groups with the rows, in the order of the file."""
    for table in ops.TABLES:
        source = inspect.getsource(table)
        banners = [(source.count("\n", 0, found.start()) + 1, found[1]) for found in BANNER.finditer(source)]
        groups: dict[str, list[Op]] = {}
        for statement in ast.parse(source).body:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            row = getattr(table, target.id, None) if isinstance(target, ast.Name) else None
            if hasattr(row, "op"):
                title = next((title for line, title in reversed(banners) if line < statement.lineno), "")
                groups.setdefault(title, []).append(row)
        title = table.__doc__.strip().splitlines()[0].rstrip(".")
        for group, rows in groups.items():
            yield title, group, rows


def callers(row) -> list[str]:
    """The names under which a person calls a row."""
    names = [
        f"mg.{name}" for name, function in ops.functions.items() if function is row or only_the_input(function) is row
    ]
    methods = [name for name, method in vars(Tensor).items() if method is row and not name.startswith("_")]
    names += [f"x.{name}" for name in methods if f"mg.{name}" not in names]
    names += [f"F.{name}" for name, function in ops.functional.items() if function is row and f"mg.{name}" not in names]
    return names + [f"x.{row.op.name}_"] * hasattr(Tensor, f"{row.op.name}_")


def only_the_input(function):
    """The row that a function calls where it is given nothing but its input."""
    return function.op.overloads.get(None) if hasattr(function, "op") else None


def node_names(op: Op) -> list[str]:
    """The names that a node of this row may have; where the arguments decide, all of them."""
    if not any(op.rules.values()):
        return []
    if not callable(op.grad_fn):
        return [op.choose_node(()).__name__]
    found = []
    for values in itertools.product([ones(2, 2), ones(2), 1, None], repeat=len(op.parameters)):
        try:
            found.append(op.grad_fn(*values))
        except (TypeError, AttributeError, ValueError, RuntimeError):
            pass  # no arguments that a person would pass
    return sorted({name for name in found if isinstance(name, str)})


def line(row) -> str:
    """One line of the table."""
    op = row.op
    options = [f"{name}={op.presets[name]!r}" if name in op.presets else name for name in op.parameters]
    written = op.says or f"{op.name}({', '.join([*options, *[f'*{name}' for name in op.inputs if op.many]])})"
    formulas = [op.derivative(name) for name in op.inputs if op.rules[name]]
    needed = dict.fromkeys(name for x in op.inputs if op.rules[x] for name in op.needs(x) if name != "i")
    kept = [op.save(name).attribute for name in sorted(needed, key=op.rank)]
    cells = [[written, *[op.name] * (op.says is not None)], callers(row), node_names(op), formulas, kept]
    return f"| {' | '.join('<br>'.join(map(code, cell)) or '–' for cell in cells)} |"


def code(text: str) -> str:
    return f"`{text}`".replace("|", r"\|")


def page() -> str:
    """The whole reference."""
    lines, last = [HEAD], ""
    for family, group, rows in families():
        if family != last:
            lines.append(f"## {family}\n")
            last = family
        if group:
            title = group[0].upper() + group[1:] if group.split()[0].isalpha() else group
            lines.append(f"### {title}\n")
        lines.append("| row | called as | node | gradient | kept |\n|---|---|---|---|---|")
        lines += [*map(line, rows), ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
