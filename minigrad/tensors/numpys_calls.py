"""NumPy's functions, called with a tensor: `np.sin(x)` is `minigrad.sin(x)`, recorded.

>>> import numpy as np
>>> import minigrad as mg
>>> np.exp(mg.tensor(0.0, requires_grad=True))
tensor(1., grad_fn=<ExpBackward0>)
"""

import numpy as np

from ..core.tensor import Tensor
from ..ops import functions, rows
from ..words.calling import SYNONYMS

BY_UFUNC = {row.op.ufunc: row for row in rows.values() if row.op.ufunc}
BY_UFUNC |= {np.power: functions["pow"], np.clip: functions["clamp"], np.remainder: functions["remainder"]}
BY_UFUNC |= {np.positive: lambda a: a}
NUMPYS_OWN = "sort median nanmedian unique nonzero".split()  # to which the two libraries give different answers


def array_ufunc(self, ufunc, method, *inputs, **options):
    """`np.sin(tensor)` is `minigrad.sin(tensor)`, recorded."""
    if method == "reduce" and ufunc is np.add:
        return functions["sum"](inputs[0], options.get("axis", 0), bool(options.get("keepdims")))
    row = BY_UFUNC.get(ufunc)
    if method != "__call__" or row is None or options:
        raise TypeError(
            f"np.{ufunc.__name__}{'' if method == '__call__' else '.' + method} with {', '.join(options) or 'these'} "
            "arguments is not available for a minigrad Tensor; use a minigrad function, or tensor.detach().numpy()"
        )
    return row(*inputs)


def array_function(self, function, types, args, options):
    """`np.sum(tensor)` is `minigrad.sum(tensor)`; what minigrad lacks, NumPy does on the numbers alone."""
    name = function.__name__
    if function in (np.shape, np.ndim, np.size):
        return function(*(one.array if isinstance(one, Tensor) else one for one in args), **options)
    own = functions.get({"max": "amax", "min": "amin"}.get(name, name))
    if own is not None and getattr(np, name, None) is function and name not in NUMPYS_OWN:
        given = {SYNONYMS.get(word, word): value for word, value in options.items() if value is not np._NoValue}
        return own(*args, **given)
    return function(*plain(args), **plain(options))


def plain(value):
    """Arrays instead of tensors, in lists and tuples too."""
    if isinstance(value, Tensor):
        return value.numpy()
    if isinstance(value, tuple | list):
        return type(value)(map(plain, value))
    return {name: plain(one) for name, one in value.items()} if isinstance(value, dict) else value


Tensor.__array_ufunc__, Tensor.__array_function__ = array_ufunc, array_function  # type: ignore[attr-defined]
