"""Ask PyTorch all questions of the tests, and keep its answers: python -m tests.record"""

import importlib
import json
import warnings

from .oracle import DATA, answer, judge

SOURCES = {  # the file in data/: the test module that asks, and its name for the questions
    "rows": ("tests.ops.test_rows", "QUESTIONS"),
    "types": ("tests.ops.test_rows", "TYPES"),
    "saved_versions": ("tests.core.test_saved_versions", "QUESTIONS"),
    "views": ("tests.core.test_views", "QUESTIONS"),
    "edges": ("tests.ops.test_edges", "QUESTIONS"),
    "small_programs": ("tests.test_small_programs", "QUESTIONS"),
    "twins": ("tests.ops.test_twins", "QUESTIONS"),
    "kinks": ("tests.ops.test_kinks", "QUESTIONS"),
    "composed": ("tests.ops.test_composed", "QUESTIONS"),
    "misuse": ("tests.autograd.test_misuse", "QUESTIONS"),
    "order": ("tests.core.test_order", "QUESTIONS"),
    "meta": ("tests.autograd.test_meta", "QUESTIONS"),
    "function": ("tests.autograd.test_function", "QUESTIONS"),
    "hooks": ("tests.core.test_hooks", "QUESTIONS"),
    "forward_ad": ("tests.autograd.test_forward_ad", "QUESTIONS"),
    "graph": ("tests.autograd.test_graph", "QUESTIONS"),
    "modes": ("tests.core.test_modes", "QUESTIONS"),
    "gradcheck": ("tests.autograd.test_gradcheck", "QUESTIONS"),
    "dtypes": ("tests.test_dtypes", "QUESTIONS"),
    "creation": ("tests.test_creation", "QUESTIONS"),
    "spellings": ("tests.test_spellings", "QUESTIONS"),
    "printing": ("tests.words.test_printing", "QUESTIONS"),
    "random_stream": ("tests.test_random_stream", "QUESTIONS"),
    "sampling": ("tests.test_sampling", "QUESTIONS"),
    "tensor": ("tests.test_tensor", "QUESTIONS"),
    "functional": ("tests.autograd.test_functional", "QUESTIONS"),
    "func": ("tests.test_func", "QUESTIONS"),
    "reverse": ("tests.autograd.test_reverse", "QUESTIONS"),
    "layers": ("tests.nn.test_layers", "QUESTIONS"),
    "first_values": ("tests.nn.test_layers", "VALUES"),
    "modules": ("tests.nn.test_module", "QUESTIONS"),
    "losses": ("tests.nn.test_losses", "QUESTIONS"),
    "trained": ("tests.optim.test_optimizers", "TRAINED"),
    "optimizers": ("tests.optim.test_optimizers", "QUESTIONS"),
    "data_loading": ("tests.utils.test_data", "QUESTIONS"),
    "schedules": ("tests.optim.test_lr_scheduler", "QUESTIONS"),
}


def questions(file: str) -> dict:
    module, name = SOURCES[file]
    return getattr(importlib.import_module(module), name)


def record(file: str, m) -> dict:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {id: answer(question, m) for id, question in questions(file).items()}


def text(answers: dict) -> str:
    """One line for each answer, so that a diff shows which one changed."""
    lines = [f"{json.dumps(id)}: {json.dumps(found, ensure_ascii=False)}" for id, found in answers.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    DATA.mkdir(exist_ok=True)
    for file in SOURCES:
        (DATA / f"{file}.json").write_text(text(record(file, judge())), encoding="utf-8")
        print(f"{file}: {len(questions(file))} answers")
