"""A file keeps what was put in, runs no code, and is whole or absent."""

import io
import math
import os
import pickle
from collections import OrderedDict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@given(STRUCTURES)
def test_any_structure_comes_back(obj):
    found = returned(obj)
    assert found == obj and repr(found) == repr(obj)


def test_what_a_user_set_on_a_tensor_comes_back():
    x, weight = minigrad.ones(2), minigrad.nn.Parameter(minigrad.zeros(1))
    x.label, x.parts, x.itself, weight.decay = "dog", [weight, 0.5], x, False
    (weight * 2).sum().backward()
    found = returned({"x": x, "weight": weight})
    assert found["x"].label == "dog" and found["x"].itself is found["x"] and found["x"].parts[1] == 0.5
    assert found["x"].parts[0] is found["weight"] and found["weight"].decay is False
    assert {name for name in vars(found["weight"]) if not name.startswith("_")} == {"decay"}


def test_what_cannot_be_kept_of_a_tensor_is_named():
    x = minigrad.ones(2)
    x.change = len
    with pytest.raises(TypeError, match=r"cannot save a builtin_function_or_method at \[0\]\.change"):
        returned([x])


def test_a_file_cannot_reach_into_the_engine():
    x = minigrad.ones(2)
    x.label = 1
    file = io.BytesIO()
    save(x, file)
    members = dict(np.load(io.BytesIO(file.getvalue())))
    members["structure"] = np.frombuffer(members["structure"].tobytes().replace(b'"label"', b'"_data"'), np.uint8)
    harmful = io.BytesIO()
    np.savez(harmful, **members)
    with pytest.raises(RuntimeError, match="it sets '_data', which is the engine's own"):
        load(io.BytesIO(harmful.getvalue()))


def test_kinds():
    obj = OrderedDict(a=minigrad.float16, b=minigrad.Size([2, 3]), c=1 + 2j, d=-0.0, e={(1, 2): [math.inf]}, f=2**70)
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
    c.fill_(5)
    assert a.tolist() == [5.0, 5.0] and a._version == 1


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
    loop: list = []
    loop.append(loop)
    with pytest.raises(TypeError, match="a structure that contains itself"):
        save(loop, io.BytesIO())


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
    b"": "but it is empty",
    b"hello": "but it is no zip archive: it begins with b'hello'",
    arrays(a=np.ones(2)): "it has no member 'structure'",
    structure("{"): "damaged or of another kind",
    structure("[]"): "damaged or of another kind",
    structure('{"format": "minigrad 99"}'): "its format is 'minigrad 99', and this version reads 'minigrad 1'",
    structure('{"format": "minigrad 1", "tensors": [], "content": {"tensor": 0}}'): "list index out of range",
    structure('{"format": "minigrad 1", "tensors": [], "content": {"exec": "1"}}'): "exec",
    structure('{"format": "minigrad 1", "tensors": [{"array": 0}], "content": 1}'): "array_0",
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
    with pytest.raises(RuntimeError, match="this is a pickle of PyTorch's, which could run code"):
        load(tmp_path / "file")


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nothing")


def test_the_old_file_stays_whole(tmp_path, monkeypatch):
    path = tmp_path / "file"
    save(1, path)

    def full(*args):
        raise OSError("no space left on device")

    for step in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, step, full)
            with pytest.raises(OSError, match="no space left"):
                save(minigrad.ones(1000), path)
    with pytest.raises(TypeError):
        save(object(), path)
    assert load(path) == 1 and os.listdir(tmp_path) == ["file"]


def test_a_link_and_permissions_stay(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    save(1, path)
    path.chmod(0o640)
    link.symlink_to(path)
    save(2, link)
    assert link.is_symlink() and load(path) == 2 and path.stat().st_mode & 0o777 == 0o640


def test_numpy_reads_it(tmp_path):
    save([minigrad.arange(3)], tmp_path / "file")
    with np.load(tmp_path / "file", allow_pickle=False) as members:
        assert members["array_0"].tolist() == [0, 1, 2]


ODD = [{1, 2}, b"\x00\xff", minigrad.device("cpu"), [{b"a"}, {"where": minigrad.device("cpu")}]]


@pytest.mark.parametrize("thing", ODD)
def test_sets_bytes_and_devices_come_back(thing):
    assert repr(returned(thing)) == repr(thing)


def test_what_a_call_says_wrongly_is_refused(tmp_path):
    with pytest.raises(RuntimeError, match="Parent directory .*missing does not exist."):
        save(1, tmp_path / "missing" / "file")
    save(1, tmp_path / "file", _use_new_zipfile_serialization=True)
    with pytest.raises(TypeError, match="unexpected keyword argument 'map_locaton'"):
        load(tmp_path / "file", map_locaton="cpu")


def test_the_place_to_load_to():
    file = io.BytesIO()
    save(1, file)
    file.seek(0)
    assert load(file, map_location="cpu", weights_only=True) == 1
    with pytest.raises(RuntimeError, match="this engine runs on the CPU only"):
        load(file, map_location="cuda")
