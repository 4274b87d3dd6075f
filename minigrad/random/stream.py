"""PyTorch's stream of random words from a seed.

Every random number comes from one stream of 32-bit words, the Mersenne Twister that NumPy ships as `RandomState`. How
each distribution spends those words is in `draws.py`: same seed and same calls, same numbers.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np

from ..numbers.size_and_device import device as Device

if TYPE_CHECKING:  # at run time numpy.typing would cost a third of the whole import
    from numpy.typing import DTypeLike

    from ..core.tensor import Tensor

# The bytes of PyTorch's own generator state, so that a saved state can move between the two.
STATE_LAYOUT = np.dtype(
    [("initial_seed", "<u8"), ("left", "<i4"), ("seeded", "<i4"), ("next", "<u8"), ("words", "<u8", 624)]
    + [("normal_x", "<f8"), ("normal_y", "<f8"), ("normal_rho", "<f8"), ("normal_is_valid", "<i4"), ("unused", "V12")]
)


class Generator:
    """A stream of random words that a seed decides, and the normal number left over from the last odd draw.

    >>> import minigrad as mg
    >>> mg.rand(2, generator=mg.Generator().manual_seed(0))
    tensor([0.4963, 0.7682])
    """

    def __init__(self, device: Device | str = "cpu") -> None:
        if str(device) != "cpu":
            raise RuntimeError(f"Device type {device} is not supported for Generator, only cpu is")
        self.device = Device("cpu")
        self.manual_seed(67280421310721)

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream that belongs to `seed`, with nothing left over."""
        if not isinstance(seed, int | np.integer):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._initial_seed = int(seed) % 2**64
        self._started: np.random.RandomState | None = None
        self.spare_normal: float | None = None
        return self

    @property
    def _engine(self) -> np.random.RandomState:
        """The stream, started when its first word is drawn: importing `np.random` takes its time."""
        if self._started is None:
            self._started = np.random.RandomState(self._initial_seed % 2**32)
        return self._started

    def seed(self) -> int:
        """Start a stream nobody can foresee, and return its seed.

        >>> import minigrad as mg
        >>> seed = mg.seed()
        >>> seed == mg.initial_seed()
        True
        """
        return self.manual_seed(int.from_bytes(os.urandom(8))).initial_seed()

    def initial_seed(self) -> int:
        """The seed the stream started from.

        >>> import minigrad as mg
        >>> mg.manual_seed(6).initial_seed(), mg.initial_seed()
        (6, 6)
        """
        return self._initial_seed

    def get_state(self) -> Tensor:
        """Where the stream stands, as the 5056 bytes PyTorch uses.

        >>> import minigrad as mg
        >>> state = mg.get_rng_state()
        >>> first = mg.rand(2)
        >>> _ = mg.set_rng_state(state)
        >>> mg.equal(first, mg.rand(2))
        True
        """
        engine = self._engine.get_state(legacy=False)["state"]
        state = np.zeros((), STATE_LAYOUT)
        state["initial_seed"], state["seeded"], state["words"] = self._initial_seed, True, engine["key"]
        state["left"], state["next"] = 625 - engine["pos"], engine["pos"]
        if self.spare_normal is not None:
            state["normal_y"], state["normal_is_valid"] = self.spare_normal, True
        from ..core.tensor import wrap  # not at import: a stream of words needs no tensors

        return wrap(np.frombuffer(state.tobytes(), np.uint8).copy())

    def set_state(self, new_state: Tensor | np.ndarray) -> Generator:
        """Go on from where `get_state` was called, here or in PyTorch.

        >>> import minigrad as mg
        >>> twin = mg.Generator().set_state(mg.get_rng_state())
        >>> mg.equal(mg.rand(2), mg.rand(2, generator=twin))
        True
        """
        state = np.asarray(new_state)
        if state.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if state.size != STATE_LAYOUT.itemsize:
            expected = f"Expected a CPUGeneratorImplState of size {STATE_LAYOUT.itemsize}"
            raise RuntimeError(f"{expected} but found the input RNG state size to be {state.size}")
        fields = np.frombuffer(state.tobytes(), STATE_LAYOUT)[0]
        self._initial_seed = int(fields["initial_seed"])
        # PyTorch leaves `next` at 0 before the very first word; `left` tells that all 624 are used up.
        position = 624 if fields["left"] == 1 else int(fields["next"])
        engine = {"key": fields["words"].astype(np.uint32), "pos": position}
        self._engine.set_state({"bit_generator": "MT19937", "state": engine})
        self.spare_normal = float(fields["normal_y"]) if fields["normal_is_valid"] else None
        return self

    def words(self, count: int) -> np.ndarray:
        """The next `count` 32-bit words."""
        return self._engine.randint(0, 2**32, count, dtype=np.uint32)

    def wide_words(self, count: int) -> np.ndarray:
        """The next `count` 64-bit words, each two 32-bit ones, the high half first."""
        halves = self.words(2 * count).astype(np.uint64).reshape(count, 2)
        return halves[:, 0] << np.uint64(32) | halves[:, 1]

    def unit(self, count: int, dtype: DTypeLike) -> np.ndarray:
        """`count` uniform numbers in [0, 1): 53 random bits each for float64, else 24 bits as float32."""
        if np.dtype(dtype) == np.float64:
            return (self.wide_words(count) & np.uint64(2**53 - 1)) * 2.0**-53
        return (self.words(count) & np.uint32(2**24 - 1)).astype(np.float32) * np.float32(2.0**-24)


default_generator = Generator()
default_generator.seed()


def manual_seed(seed: int) -> Generator:
    """Seed the default generator.

    >>> import minigrad as mg
    >>> _ = mg.manual_seed(0)
    >>> mg.rand(2)
    tensor([0.4963, 0.7682])
    """
    return default_generator.manual_seed(int(seed))


seed, initial_seed = default_generator.seed, default_generator.initial_seed
get_rng_state, set_rng_state = default_generator.get_state, default_generator.set_state
