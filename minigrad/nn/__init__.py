"""Networks, after PyTorch. For now the functions; see `minigrad.nn.functional`."""

from . import functional
