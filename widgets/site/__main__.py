"""python -m widgets.site [FOLDER]: see docs/site.md."""

import argparse
import sys
import time
from pathlib import Path

from .. import course
from .pages import build
from .prose import Broken


def main() -> int:
    parser = argparse.ArgumentParser(prog="go.py site", description="Build the course as static pages.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("site"), help="where to; default: site")
    parser.add_argument("--notebooks", type=Path, default=course.ORIGINALS, help="default: those of the course")
    arguments = parser.parse_args()
    start = time.monotonic()
    try:
        pages = build(arguments.folder, arguments.notebooks)
    except Broken as problem:
        print(f"{problem}\nNothing is written.", file=sys.stderr)
        return 1
    size = sum(page.stat().st_size for page in pages) / 1e6
    print(f"{len(pages)} pages, {size:.1f} MB, in {time.monotonic() - start:.0f} s: open {pages[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
