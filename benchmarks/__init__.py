"""How fast minigrad is, side by side with its peers: `python -m benchmarks`."""
