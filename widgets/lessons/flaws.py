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

from .coding import Code, called
from .complaints import differences
from .kinds import Mistake, Question
from .observer import Refused

COUSINS = 6  # so many choices of its numbers are tried
PLACE = re.compile(r"\{\w*\}")


def flaws(question: Question) -> list[str]:
    """What is wrong with it, a sentence each."""
    found = list(dict.fromkeys(written(question)))
    return found or list(dict.fromkeys(tried(question) if isinstance(question, Code) else computed(question)))


def written(question: Question) -> list[str]:
    """What can be seen without computing anything."""
    listed = {"hints": question.hints, "options": question.options, "mistakes": question.mistakes}
    found = [f"its {name} must be a list, not {value!r}" for name, value in listed.items() if isinstance(value, str)]
    texts: list[tuple[str, Any]] = [("its prompt", question.prompt), ("its because", question.because)]
    texts += [(f"each of its {name}", one) for name in ("hints", "options") for one in listed[name]]
    texts += [("what a mistake says", one.says) for one in question.mistakes if isinstance(one, Mistake)]
    found += [f"{name} must be a text, not {value!r}" for name, value in texts if not isinstance(value, str)]
    if question.tolerance is not None and not (isinstance(question.tolerance, int | float) and question.tolerance >= 0):
        found.append(f"its tolerance must be a number that is not negative, not {question.tolerance!r}")
    if not isinstance(question.given, Mapping) or not all(map(is_filled, question.given.values())):
        found.append('given must have a list of values for each name, such as {"a": [3.0, 4.0]}')
    if not all(isinstance(one, Fault | Mistake) for one in question.mistakes):
        found.append("each of its mistakes must be a fault of the engine, or a Mistake(says, leads_to)")
    if question.kind in ("choice", "order") and len(set(question.options)) < max(2, len(question.options)):
        found.append("its options must be two or more, each another one")
    if isinstance(question, Code) and not question.name.isidentifier():
        found.append(f"name must be that of the function, not {question.name!r}")
    if isinstance(question, Code) and not callable(question.cases):
        if not isinstance(question.cases, list | tuple):
            found.append(f"its cases must be a list, or a function that makes one, not {question.cases!r}")
        elif not question.cases:
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
            return [f"its answers cannot be computed: {told(error)}"]
        texts = (asked.prompt, *asked.hints, asked.because, *(says for _, says in asked.wrong))
        open_texts = filter(PLACE.search, texts)
        found += [f"nothing is given for {', '.join(PLACE.findall(text))}: {text}" for text in open_texts]
        numbers = sorted(map(str, range(len(question.options))))
        if question.kind == "order" and sorted(asked.answer.split(",")) != numbers:
            found.append("its answer must have each of its options once")
        if asked.picture and (best := nearest_curve(asked.picture)) != asked.answer:
            found.append(
                f"its curve lies nearest to the dashed one at {question.places[best]}, which is not its answer"
            )
        if seed == 0 and len(asked.wrong) < len(question.mistakes):
            found.append("one of its mistakes leads to the right answer, or where another one leads")
    return found


def nearest_curve(picture: Mapping[str, Any]) -> int:
    """The number of the place at which the slider's curve lies nearest to the one to match."""
    distances = [
        max(abs(y - wanted) for (_, y), (_, wanted) in zip(curve, picture["target"])) for curve in picture["curves"]
    ]
    return distances.index(min(distances))


def tried(question: Code) -> list[str]:
    """What shows when the right function is called, and those that are known to be wrong."""
    try:
        rights = [(one.case, one.right) for one in question.tries() if one.right is not None]
    except Exception as error:
        return [f"its reference cannot be called on its cases: {told(error)}"]
    found = []
    for mistake in question.mistakes:
        wrong = mistake.leads_to if isinstance(mistake, Mistake) and rights else None
        try:
            is_right = wrong and all(
                next(differences(called(wrong, case, question.any_grad), right), None) is None for case, right in rights
            )
        except Exception as error:
            found.append(f"one of its mistakes cannot be called on its cases: {told(error)}")
        else:
            found += ["one of its mistakes does what its reference does"] * bool(is_right)
    return found


def told(error: Exception) -> str:
    """An error that a function of a teacher's raised, or that it does not take these arguments."""
    return f"it takes {error}" if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
