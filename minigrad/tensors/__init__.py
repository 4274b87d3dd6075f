"""Tensors made, described, stored and read back."""
