"""Embedding: a learned vector for each word."""

from ..autograd.grad_mode import no_grad
from ..creation import empty
from ..tensor import Tensor
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter


class Embedding(Module):
    """A table of vectors; whole numbers in, their vectors out.

    >>> import minigrad as mg
    >>> Embedding(10, 3)(mg.tensor([[1, 2], [4, 1]])).shape
    minigrad.Size([2, 2, 3])
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        device=None,
        dtype=None,
    ) -> None:
        super().__init__()
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError("Padding_idx must be within num_embeddings")
            padding_idx %= num_embeddings
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        self.weight = Parameter(empty(num_embeddings, embedding_dim, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values; the padding's vector is zero."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    @classmethod
    def from_pretrained(cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None) -> "Embedding":
        """A layer over vectors that exist already."""
        count, size = embeddings.shape
        layer = cls(count, size, padding_idx=padding_idx, dtype=embeddings.dtype)
        layer.weight = Parameter(embeddings, requires_grad=not freeze)
        return layer

    def forward(self, input: Tensor) -> Tensor:
        return F.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq)

    def extra_repr(self) -> str:
        options = {
            "padding_idx": (self.padding_idx, None),
            "max_norm": (self.max_norm, None),
            "norm_type": (self.norm_type, 2),
            "scale_grad_by_freq": (self.scale_grad_by_freq, False),
        }
        unusual = [f", {name}={value}" for name, (value, usual) in options.items() if value != usual]
        return f"{self.num_embeddings}, {self.embedding_dim}" + "".join(unusual)
