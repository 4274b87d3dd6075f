"""Right answers to lesson 18, as one types or writes them."""

from minigrad.autograd.graph import saved_tensors_hooks


def kept_bytes(f, x):
    kept = {}

    def pack(tensor):
        kept[tensor.data_ptr()] = tensor.nbytes
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        f(x)
    return sum(kept.values())


SOLUTIONS = {
    "keeps nothing": "h + h",
    "a row of sines": "20000",
    "run again": "8",
    "how many parts": "6",
    "bytes kept": kept_bytes,
}
