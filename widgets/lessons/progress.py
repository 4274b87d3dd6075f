"""What a learner opened, tried and found: one small JSON file in the folder of their notebooks, and nowhere else.

    {"version": 1, "lessons": {"05_gradients_add_up": {"slope of y": {"0": {
        "tries": [{"given": "4", "right": false, "says": "…"}], "hints": 0, "outcome": "right"}}}}}

The number is the seed: 0 for the lesson's own question, others for its cousins. `outcome` is "right", "shown" when the
learner asked for the answer, "" before.
"""

import json
import os
import threading
from copy import deepcopy
from pathlib import Path
from typing import Any

from .. import course
from ..words import say

VERSION = 1
ANSWERS = "application/vnd.minigrad.answers+json"  # what an output keeps of them, beside its words
Entry = dict[str, Any]
NOTHING: Entry = {"tries": [], "hints": 0, "outcome": ""}
CHANGING = threading.RLock()  # what one thread has read and changes, another one shall not write meanwhile


def path() -> Path:
    return course.folder() / "progress.json"


def read() -> dict[str, dict[str, dict[str, Entry]]]:
    """What is known of each lesson. A file that cannot be read is put aside, and told of."""
    place = path()
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
        return {lesson: checked(entries) for lesson, entries in found["lessons"].items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, KeyError, AttributeError):
        aside = place.with_name("progress that could not be read.json")
        place.replace(aside)
        print(say("lesson.progress_unreadable", file=repr(aside.name)))
        return {}


def checked(entries: Any) -> dict[str, dict[str, Entry]]:
    for seeds in entries.values():
        for entry in seeds.values():
            if not (isinstance(entry["tries"], list) and isinstance(entry["outcome"], str)):
                raise TypeError("no entry of ours")
            int(entry["hints"]), [one["given"] + one["says"] for one in entry["tries"]]
    return entries


def write(lessons: dict[str, dict[str, dict[str, Entry]]]) -> None:
    """Aside first: a full disk, or a kernel that is killed, leaves the old file whole."""
    place = path()
    place.parent.mkdir(parents=True, exist_ok=True)
    aside = place.with_name(f"{place.name}.{os.getpid()}.part")
    text = json.dumps({"version": VERSION, "lessons": lessons}, ensure_ascii=False, indent=1)
    with CHANGING:
        aside.write_text(text + "\n", encoding="utf-8")
        aside.replace(place)


def opened(lesson: str) -> None:
    """A lesson counts as opened when its first cell ran."""
    with CHANGING:
        lessons = read()
        if lesson not in lessons:
            write(lessons | {lesson: {}})


def empty() -> Entry:
    return deepcopy(NOTHING)


def entry(lesson: str, question: str, seed: int) -> Entry:
    found = read().get(lesson, {}).get(question, {}).get(str(seed), NOTHING)
    return deepcopy(found)


def keep(lesson: str, question: str, seed: int, entry: Entry) -> None:
    """Read anew before: other notebooks may have written meanwhile."""
    with CHANGING:
        lessons = read()
        lessons.setdefault(lesson, {}).setdefault(question, {})[str(seed)] = entry
        write(lessons)


def reset(lesson: str | None = None) -> None:
    """Forget one lesson, or all."""
    with CHANGING:
        lessons = read()
        write({name: entries for name, entries in lessons.items() if lesson not in (None, name)})


def right_at_first(entry: Entry) -> bool:
    return entry["outcome"] == "right" and entry["hints"] == 0 and entry["tries"][0]["right"]
