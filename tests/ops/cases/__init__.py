"""Every row of the tables as expressions: for each file of minigrad/ops/ a file of cases."""

from importlib import import_module
from pathlib import Path

from .case import ANY, Case, names

HELPERS = {"__init__", "case", "by_numpy"}
TABLES = sorted(file.stem for file in Path(__file__).parent.glob("*.py") if file.stem not in HELPERS)

CASES: list[Case] = [one for table in TABLES for one in import_module(f".{table}", __package__).CASES]
for _i, _case in enumerate(CASES):  # the same expression may stand for several shapes
    if any(_case.id == other.id for other in CASES[:_i]):
        _case.id += f" {_case.shapes[0]}"
