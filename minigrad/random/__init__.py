"""Random numbers: PyTorch's own, from the same seed.

>>> import minigrad as mg
>>> _ = mg.random.manual_seed(0)
>>> mg.rand(2)
tensor([0.4963, 0.7682])

`stream` has the words that a seed leads to, `draws` how each distribution spends them, `sampling` the tensors made so.
"""

from ..words import absent
from . import draws, sampling  # here, or asking for them would ask __getattr__, which looks for a name that is near
from .stream import get_rng_state, initial_seed, manual_seed, seed, set_rng_state

__getattr__ = absent.answer(__name__)
