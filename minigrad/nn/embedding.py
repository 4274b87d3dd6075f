"""Embedding: a learned vector for each word."""

from ..core.modes import no_grad
from ..core.tensor import Tensor
from ..tensors.creation import empty
from . import functional as F, init
from .module import Module
from .parameter import Parameter


class Embedding(Module):
    """A table of vectors; whole numbers in, their vectors out.

    >>> import minigrad as mg
    >>> mg.nn.Embedding(10, 3)(mg.tensor([[1, 2], [4, 1]])).shape
    minigrad.Size([2, 2, 3])
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None, *,
        _weight: Tensor | None = None, _freeze: bool = False, device=None, dtype=None,
    ) -> None:  # fmt: skip
        super().__init__()
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError("Padding_idx must be within num_embeddings")
            padding_idx %= num_embeddings
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        if _weight is not None and _weight.shape != (num_embeddings, embedding_dim):
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        table = empty(num_embeddings, embedding_dim, device=device, dtype=dtype) if _weight is None else _weight
        self.weight = Parameter(table, not _freeze)
        if _weight is None:
            self.reset_parameters()

    @classmethod
    def from_pretrained(cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None) -> "Embedding":
        """A table of vectors that are known already; unless `freeze` is False, they are not learned.

        >>> import minigrad as mg
        >>> mg.nn.Embedding.from_pretrained(mg.tensor([[1.0, 2.0], [3.0, 4.0]]))(mg.tensor(1))
        tensor([3., 4.])
        """
        if embeddings.dim() != 2:
            raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
        count, length = embeddings.shape
        return cls(count, length, padding_idx, _weight=embeddings, _freeze=freeze)

    def reset_parameters(self) -> None:
        """Draw new initial values; the padding's vector is zero."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"
