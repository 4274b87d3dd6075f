"""The package `widgets` under a name that no file of yours has.

In a folder with a widgets.py of its own, `import widgets` finds that file. This package has the same names:

    from minigrad_widgets import record, step
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from widgets import *  # noqa: F403 - so that editors complete its names
else:
    _HOME = Path(__file__).resolve().parents[1] / "widgets"
    __path__ = [str(_HOME)]  # modules are found there, whatever `widgets` is
    exec(compile((_HOME / "__init__.py").read_text(encoding="utf-8"), str(_HOME / "__init__.py"), "exec"))
