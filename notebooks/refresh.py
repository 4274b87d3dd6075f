"""Execute the notebooks of the course and store what they show, so that a diff shows only what changed.

    python3 go.py refresh                         all notebooks of this folder
    python3 go.py refresh notebooks/01_x.ipynb    these only
    python3 go.py refresh --check                 write nothing; fail if a file would change

Two runs give the same bytes: whatever differs between two runs (times, model ids, temporary paths), between
two machines (kernel version, folders) or with each edit of the engine (line numbers in tracebacks) is not stored.
"""

import argparse
import re
import sys
from pathlib import Path

import nbformat
from nbclient.exceptions import CellExecutionError

from widgets.course import can_run
from widgets.site.notebook import execute

FOLDER = Path(__file__).resolve().parent
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
# What a living widget moves into, and the packed page for a place without one: another in each run. Its words stay.
PLACE = re.compile(r"<abbr data-place=.*?</abbr>", re.DOTALL)


def course() -> list[Path]:
    """All notebooks of this folder, in the order of the course."""
    return sorted(p for p in FOLDER.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)


def normalise(notebook: nbformat.NotebookNode) -> str:
    """The text to store for an executed notebook."""
    notebook.nbformat_minor = max(notebook.nbformat_minor, 5)
    notebook.metadata.pop("widgets", None)
    notebook.metadata.update(kernelspec=KERNEL, language_info={"name": "python"})
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.metadata.pop("execution", None)
            if "nbval-ignore-output" in cell.metadata.get("tags", []):
                cell.outputs = []
            for output in cell.outputs:
                _normalise_output(output)
            cell.outputs = [output for output in cell.outputs if output.get("data", True)]
    return nbformat.writes(notebook, sort_keys=True) + "\n"


def _normalise_output(output: nbformat.NotebookNode) -> None:
    if output.output_type == "error":
        output.traceback = [f"{output.ename}: {output.evalue}"]  # the rest is paths and line numbers
    elif "data" in output:
        output.data.pop(WIDGET_VIEW, None)  # a reopened file has no such model; the other forms of the output stay
        if "text/html" in output.data:
            output.data["text/html"] = PLACE.sub("", output.data["text/html"])
            if not output.data["text/html"]:
                del output.data["text/html"]


def refreshed(path: Path) -> str:
    """Execute a notebook; the text that its file should have."""
    notebook = nbformat.read(path, as_version=4)
    execute(notebook, path.parent)
    return normalise(notebook)


def main() -> int:
    parser = argparse.ArgumentParser(prog="go.py refresh", description="Execute notebooks and store what they show.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file would change")
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of the course")
    arguments = parser.parse_args()
    failed = False
    if missing := [str(path) for path in arguments.notebooks if not path.is_file()]:
        parser.error(f"there is no notebook {', '.join(missing)}")
    for path in arguments.notebooks or course():
        if not can_run(path):
            print(f"{path.name}: needs PyTorch, which is not installed; nothing is stored")
            continue
        try:
            text = refreshed(path)
        except CellExecutionError as error:
            print(f"{path.name}: a cell failed, nothing is stored\n{error}")
            failed = True
            continue
        changed = text != path.read_text(encoding="utf-8")
        print(f"{path.name}: {('stale' if arguments.check else 'refreshed') if changed else 'up to date'}", flush=True)
        if changed and not arguments.check:
            path.write_text(text, encoding="utf-8", newline="\n")
        failed |= changed and arguments.check
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
