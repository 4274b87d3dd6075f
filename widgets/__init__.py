"""Everything that a person looks at. It listens to minigrad, which knows nothing of it.

>>> import minigrad as mg
>>> from widgets import draw
>>> a = mg.tensor(0.0, requires_grad=True)
>>> draw(2 * mg.sin(a), names={"a": a})
a            AccumulateGrad  0         .grad –
v1 = sin(a)  SinBackward0    not kept
v2 = v1 * 2  MulBackward0    0
"""

from .graph import Drawing, draw
from .layout import LayoutError
