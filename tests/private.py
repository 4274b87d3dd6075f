"""What a learner must never read: names of ours that are offered nowhere, called or used as a value."""

import re

from minigrad import ops
from minigrad.words.formula import is_helper, title

HELPERS = {name for table in ops.TABLES for name, value in vars(table).items() if is_helper(name, value)}
HELPERS -= {title(row.op) for row in ops.rows.values()} | {"changed"}  # PyTorch's own words, and one of the cases
PRIVATE = re.compile(rf"(?<![\w.])(?:{'|'.join(sorted(HELPERS))})\(|\w_shape\b|(?<![\w.])_[a-z]|replay=|node=")


def texts(document):
    """All strings of a trace that are sentences, formulas or labels; the learner's own code is theirs."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, list):
        for one in document:
            yield from texts(one)
    elif isinstance(document, dict):
        for key, one in document.items():
            if key not in ("source", "code", "lines", "saved", "op"):
                yield from texts(one)
