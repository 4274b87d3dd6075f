"""What is wrong with a question, for whoever writes it: told when the lesson is opened, before a learner meets it.

>>> from widgets.lessons import choice
>>> flaws(choice("Which of {many}?", ["one", "two"], "three"))
["its answers cannot be computed: ValueError: 'three' is none of its options: 'one', 'two'"]
>>> flaws(choice("Which of {many}?", ["one", "two"], "two"))
['nothing is given for {many}: Which of {many}?']
"""

import re
from collections.abc import Mapping
from typing import Any

from minigrad.faults import Fault

from .coding import Code
from .kinds import Mistake, Question

COUSINS = 6  # so many choices of its numbers are tried
PLACE = re.compile(r"\{\w*\}")


def flaws(question: Question) -> list[str]:
    """What is wrong with it, a sentence each."""
    found = list(dict.fromkeys(written(question)))
    return found or ([] if isinstance(question, Code) else list(dict.fromkeys(computed(question))))


def written(question: Question) -> list[str]:
    """What can be seen without computing anything."""
    listed = {"hints": question.hints, "options": question.options, "mistakes": question.mistakes}
    found = [f"its {name} must be a list, not {value!r}" for name, value in listed.items() if isinstance(value, str)]
    if not isinstance(question.given, Mapping) or not all(map(is_filled, question.given.values())):
        found.append('given must have a list of values for each name, such as {"a": [3.0, 4.0]}')
    if not all(isinstance(one, Fault | Mistake) for one in question.mistakes):
        found.append("each of its mistakes must be a fault of the engine, or a Mistake(says, leads_to)")
    if question.kind in ("choice", "order") and len(set(question.options)) < max(2, len(question.options)):
        found.append("its options must be two or more, each another one")
    if isinstance(question, Code) and not question.name.isidentifier():
        found.append(f"name must be that of the function, not {question.name!r}")
    if isinstance(question, Code) and not callable(question.cases) and not question.cases:
        found.append("its list of cases is empty")
    return found


def is_filled(values: Any) -> bool:
    return isinstance(values, list | tuple) and len(values) > 0


def computed(question: Question) -> list[str]:
    """What shows with the lesson's numbers, or with those of another day."""
    found = []
    for seed in range(min(question.cousins + 1, COUSINS)):
        try:
            asked = question.asked("", "", seed)
        except Exception as error:  # whatever a function of a teacher's raises
            return [f"its answers cannot be computed: {type(error).__name__}: {error}"]
        texts = (asked.prompt, *asked.hints, asked.because, *(says for _, says in asked.wrong))
        open_texts = filter(PLACE.search, texts)
        found += [f"nothing is given for {', '.join(PLACE.findall(text))}: {text}" for text in open_texts]
        if seed == 0 and len(asked.wrong) < len(question.mistakes):
            found.append("one of its mistakes leads to the right answer, or where another one leads")
    return found
