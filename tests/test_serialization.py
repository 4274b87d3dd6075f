"""A file keeps what was put in, runs no code, and is whole or as it was before."""

import io
import math
import pickle
from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import given, strategies as st

import minigrad
from minigrad import load, save

NUMBERS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
STRUCTURES = st.recursive(
    NUMBERS,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=12,
)


def returned(obj):
    file = io.BytesIO()
    save(obj, file)
    return load(io.BytesIO(file.getvalue()))


def test_the_old_file_stays_whole(tmp_path, monkeypatch):
    save(1, tmp_path / "file")

    def full(stream, **members):
        stream.write(b"half of it")
        raise OSError("no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(np, "savez", full)
        with pytest.raises(OSError, match="no space left"):
            save(minigrad.ones(1000), tmp_path / "file")
    with pytest.raises(TypeError):
        save(object(), tmp_path / "file")
    assert load(tmp_path / "file") == 1


@given(STRUCTURES)
def test_any_structure_comes_back(obj):
    found = returned(obj)
    assert found == obj and repr(found) == repr(obj)


def test_kinds():
    obj = OrderedDict(a=minigrad.float16, b=minigrad.Size([2, 3]), d=-0.0, e={(1, 2): [math.inf]}, f=2**70)
    found = returned(obj)
    assert repr(found) == repr(obj) and type(found) is OrderedDict and type(found["b"]) is minigrad.Size
    assert math.isnan(returned(math.nan)) and returned(np.float32(0.5)) == 0.5


@pytest.mark.parametrize("name", ["bool", "uint8", "int64", "float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (2, 3)])
def test_tensors(name, shape):
    x = minigrad.tensor(np.arange(math.prod(shape)).reshape(shape)).to(getattr(minigrad, name))
    found = returned(x)
    assert found.dtype is x.dtype and found.shape == x.shape and found.tolist() == x.tolist()
    assert found.is_leaf and not found.requires_grad
    found += 1 if name != "bool" else False  # its memory may be written


def test_a_transposed_or_partial_tensor():
    x = minigrad.arange(6).reshape(2, 3)
    assert returned(x.T).tolist() == x.T.tolist()
    file = io.BytesIO()
    save(minigrad.zeros(1000, 1000)[0, :2], file)
    assert len(file.getvalue()) < 2000


def test_what_requires_grad_and_what_is_a_parameter():
    x = minigrad.ones(2, requires_grad=True)
    frozen = minigrad.nn.Parameter(minigrad.ones(1), requires_grad=False)
    a, b, c, d = returned([x, x * 2, minigrad.nn.Parameter(minigrad.ones(1)), frozen])
    assert (a.requires_grad, b.requires_grad, c.requires_grad, d.requires_grad) == (True, True, True, False)
    assert b.is_leaf and type(b) is minigrad.Tensor
    assert type(c) is type(d) is minigrad.nn.Parameter


def test_one_and_the_same_stays_so():
    x = minigrad.ones(2)
    a, b, c = returned({"a": x, "b": x, "c": x.detach()}).values()
    assert a is b and c is not a


def test_the_state_of_a_model_and_its_optimizer(tmp_path):
    def trained(steps, restored=None):
        minigrad.manual_seed(0)
        model = minigrad.nn.Sequential(minigrad.nn.Linear(3, 4), minigrad.nn.BatchNorm1d(4), minigrad.nn.Linear(4, 1))
        optimizer = minigrad.optim.Adam(model.parameters(), lr=0.1)
        if restored:
            model.load_state_dict(restored["model"])
            optimizer.load_state_dict(restored["optimizer"])
        for _ in range(steps):
            optimizer.zero_grad()
            model(minigrad.arange(12.0).reshape(4, 3)).pow(2).sum().backward()
            optimizer.step()
        return {"model": model.state_dict(), "optimizer": optimizer.state_dict()}

    path = tmp_path / "state"
    save(trained(2), path)
    resumed, straight = trained(3, load(path)), trained(5)
    for name, value in straight["model"].items():
        assert resumed["model"][name].tolist() == value.tolist()


class Executed:
    def __reduce__(self):
        return (pytest.fail, ("code was run",))


@pytest.mark.parametrize("thing", [Executed(), bytearray(2), len, [1, {"a": object()}]])
def test_what_cannot_be_saved(thing):
    with pytest.raises(TypeError, match="what can be saved are Tensors, numbers, strings"):
        save(thing, io.BytesIO())


def test_the_place_of_what_cannot_be_saved():
    with pytest.raises(TypeError, match=r"cannot save a object at \['a'\]\[1\];"):
        save({"a": [0, object()]}, io.BytesIO())


def test_a_pickle_is_not_run(tmp_path):
    for content in (pickle.dumps(Executed()), arrays(structure=np.array([Executed()], object))):
        path = tmp_path / "file"
        path.write_bytes(content)
        with pytest.raises(RuntimeError, match="^cannot load '.*file': expected a file that minigrad.save wrote"):
            load(path)


def arrays(**members) -> bytes:
    file = io.BytesIO()
    np.savez(file, **members)
    return file.getvalue()


def test_every_truncation_is_noticed(tmp_path):
    path, whole = tmp_path / "file", io.BytesIO()
    save({"x": minigrad.arange(5)}, whole)
    for length in range(len(whole.getvalue())):
        path.write_bytes(whole.getvalue()[:length])
        with pytest.raises(RuntimeError, match="cannot load '.*file': expected a file that minigrad.save wrote"):
            load(path)


def test_a_damaged_number_is_noticed(tmp_path):
    whole = io.BytesIO()
    save(minigrad.arange(5) + 1000, whole)
    damaged = whole.getvalue().replace((1003).to_bytes(8, "little"), (9999).to_bytes(8, "little"))
    with pytest.raises(RuntimeError, match="cannot load 'BytesIO': .*Bad CRC-32"):
        load(io.BytesIO(damaged))


def structure(text: str) -> bytes:
    return arrays(structure=np.frombuffer(text.encode(), np.uint8))


FOREIGN = {
    b"": "damaged or of another kind",
    b"hello": "damaged or of another kind",
    arrays(a=np.ones(2)): "structure is not a file in the archive",
    structure("{"): "damaged or of another kind",
    structure("[]"): "damaged or of another kind",
    structure('{"format": "minigrad 99"}'): "its format is 'minigrad 99', and this version reads 'minigrad 1'",
    structure('{"format": "minigrad 1", "tensors": [], "content": {"tensor": 0}}'): "list index out of range",
    structure('{"format": "minigrad 1", "tensors": [], "content": {"exec": "1"}}'): "exec",
    structure('{"format": "minigrad 1", "tensors": [{}], "content": 1}'): "array_0",
    structure('{"format": "minigrad 1", "tensors": [], "content": ' + '{"list": [' * 9000): "damaged",
}


@pytest.mark.parametrize("content", FOREIGN, ids=FOREIGN.values())
def test_a_foreign_file(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(RuntimeError) as failure:
        load(path)
    assert str(path) in str(failure.value) and FOREIGN[content] in str(failure.value)


def test_a_file_of_pytorch(tmp_path):
    torch = pytest.importorskip("torch")
    torch.save({"x": torch.ones(2)}, tmp_path / "file")
    with pytest.raises(RuntimeError, match="of another kind, such as one of PyTorch's"):
        load(tmp_path / "file")


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nothing")


def test_numpy_reads_it(tmp_path):
    save([minigrad.arange(3)], tmp_path / "file")
    with np.load(tmp_path / "file", allow_pickle=False) as members:
        assert members["array_0"].tolist() == [0, 1, 2]


def test_what_a_call_says_wrongly_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing"):
        save(1, tmp_path / "missing" / "file")
    save(1, tmp_path / "file")
    with pytest.raises(TypeError, match="unexpected keyword argument 'map_locaton'"):
        load(tmp_path / "file", map_locaton="cpu")


def test_the_place_to_load_to():
    file = io.BytesIO()
    save(1, file)
    for place in ("cpu", {"cuda:0": "cpu"}, lambda storage, location: storage):
        file.seek(0)
        assert load(file, map_location=place, weights_only=True) == 1
    with pytest.raises(RuntimeError, match="this engine runs on the CPU only"):
        load(file, map_location="cuda")
