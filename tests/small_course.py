"""A course of two lessons, in a folder: what the tests build pages of."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

QUESTIONS = '''"""What lesson 1 asks."""

from widgets.lessons import Mistake, choice, number

QUESTIONS = {
    "slope": number(
        "How steep is `a·a` at a = {a}?",
        lambda a: 2 * a,
        given={"a": [3.0, 5.0]},
        mistakes=[Mistake("That is a·a itself.", lambda a: a * a)],
        hints=["a is used twice."],
        because="3 + 3.",
    ),
    "first": choice("Which is visited first?", ["y", "a"], answer="y"),
    "unasked": choice("Is this asked on the page?", ["yes", "no"], answer="no"),
}
'''
ONE = """# 1 · A square

The product of `a` with itself: $y = a^2$. Read
[the next one](02_a_sine.ipynb#What-it-is,-again), or [below](#The-rule).
---
import minigrad as mg
from widgets import Lesson, plot_tangent, record

lesson = Lesson("01_a_square")
---
plot_tangent(lambda a: a * a, 1.0, live=True)
---
## Predict

Think *before* you look.
---
lesson.ask("slope")
---
a = mg.tensor(3.0, requires_grad=True)
with record() as run:
    y = a * a
    y.backward()
---
%%after slope
run.step()
---
%%after slope
print("So it is", a.grad.item())
---
lesson.ask("first")
---
%%after unasked
print("nobody asks")
---
run.step(predict=True)
---
## The rule

$$\\frac{\\partial y}{\\partial a} = \\begin{bmatrix} 1 & \\cos a \\\\ 0 & \\sum_i a_i \\end{bmatrix}$$

| step | number |
|---|--:|
| first | 1 |
---
lesson.review()
---
lesson.summary()
"""
TWO = """# 2 · A sine

Back to [the square](01_a_square.ipynb).
---
from widgets import plot_activations

plot_activations(["tanh"])
---
## What it is, again

The zebra sleeps: `sin` bends.

```python
f(x)
```
---
print("long " * 60)  # a line of code, too wide for a telephone
---
# raises-exception
1 / 0
"""
INDEX = """# A small course

| lesson | the idea |
|---|---|
| [1 · A square](01_a_square.ipynb) | a times `a` |
| [2 · A sine](02_a_sine.ipynb) | it bends |
"""


def notebook(text: str) -> nbformat.NotebookNode:
    """A notebook of the cells that --- divides; those that begin as prose does are prose."""
    cells = []
    for source in text.strip().split("\n---\n"):
        if source.startswith("# raises-exception"):
            cells.append(new_code_cell(source.partition("\n")[2], metadata={"tags": ["raises-exception"]}))
        else:
            cells.append((new_markdown_cell if source.startswith("#") else new_code_cell)(source))
    return new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})


def write_small_course(folder: Path) -> Path:
    """The two lessons, what they ask, and their index."""
    (folder / "exercises").mkdir(parents=True)
    (folder / "exercises" / "01_a_square.py").write_text(QUESTIONS, encoding="utf-8")
    for name, text in (("01_a_square", ONE), ("02_a_sine", TWO), ("index", INDEX)):
        nbformat.write(notebook(text), folder / f"{name}.ipynb")
    return folder
