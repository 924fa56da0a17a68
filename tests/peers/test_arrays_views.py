"""Programs that write to arrays and to views do what NumPy does on each backend, or are refused."""

import sys
from pathlib import Path

import numpy as np
import pytest

import supremum

sys.path.append(str(Path(__file__).parents[1] / "arrays"))

from views import in_step, program  # it lies there

SETTINGS = [(rules, backend) for backend in ("torch", "jax", "dask") for rules in ("jax", "numpy")]


@pytest.mark.parametrize(("rules", "backend"), SETTINGS)
def test_random_programs_do_what_numpy_does_but_for_the_lines_that_are_refused(rules, backend):
    pytest.importorskip(backend)
    xp = supremum.namespace(rules, backend=backend)
    refused, lines = 0, 0
    for seed in range(60):
        one = program(seed)
        own = xp.reshape(xp.arange(12, dtype=xp.float32), (3, 4))
        refused += in_step(one, xp, own, np.arange(12, dtype=np.float32).reshape(3, 4))
        lines += len(one)
    assert 0 < refused < lines * (0.1 if backend == "torch" else 0.3)


# A write that would be seen in another array, and what makes that one.
WRITES = {
    "v += 1": "v = xp.reshape(x, (6,))",
    "v[:, 0] += 1": "v = x[1:]; w = x[:, 0]",
    "v[:, 0] = 2": "v = x.T; w = x[0]",
    "x[0, 0] = 5": "v = xp.moveaxis(x, 0, 1)",
    "x[0] = 1": "v = x[:, 1]",
    "x += 1": "v = xp.flip(x)",
    "x[:, 1:] = x[:, :-1]": "",
    "x -= x[0]": "",
}
# What to type instead, and what nobody is left to see.
INSTEAD = {
    "x[0, ...] = 1": "",
    "x[0][...] = 1": "",
    "v[...] = 1": "v = x[0]",
    "v += 1; v[0] = 7": "v = x[0]",
    "x[1:] += 1": "",
    "x[0][1:] *= 3": "",
    "x[:, 1:] -= x[:, :1]": "",
    "x[0], x[1] = x[1] + 0, x[0] + 0": "",
    "x[1:, ...] = x[1:] + 1": "v = x[0] + 1",
    "x[0] = 1": "v = xp.asarray(x[1], copy=True)",
    "x[0] = 2": "v = x[1]; del v",
    "x[0] = 3": "v = x[1]",
    "x[:, 1:] = 3": "v = x[0, :1]",
    "x[1:] = x[:-1]": "",
    "x[:, 1:] = xp.asarray(x[:, :-1], copy=True)": "",
    "x[...] = x - x[0]": "",
    "v += 1": "v = xp.reshape(x, (6,)); del x",
    "x[0, 1] += 1": "",
    "v[0] = 1": "v = x.T",
    "v[1] += 2": "v = x.T; w = x[0, :1]",
    "xp.squeeze(x[:1], axis=0)[0] = 1": "",
    "v[0, 0] = 1": "v = xp.expand_dims(xp.unstack(x)[0], axis=0)",
    "v[0, 0] = 5": "v = xp.moveaxis(x, 0, 1)",
    "v += 3": "v = xp.moveaxis(xp.moveaxis(x, 1, 0)[1:, ...], 0, 1)",
    "xp.permute_dims(xp.expand_dims(x, axis=0), (2, 0, 1))[1, 0] += 1": "",
    "xp.flip(x, axis=1)[:, 0] = 1": "",
    "v.mT[0] *= 2": "v = x[:, 1:]",
    "x[x > 2] += 1": "v = x[x > 2]",
}


def after(xp, *lines):
    """Return what x and v are after a program, as lists, and what it raises."""
    names = {"xp": xp, "x": xp.reshape(xp.arange(6, dtype=xp.float32), (2, 3))}
    error = None
    try:
        for line in lines:
            exec(line, names)  # it is ours
    except ValueError as caught:
        error = caught
    return [names[name].tolist() for name in ("x", "v") if name in names], error


@pytest.mark.parametrize("backend", ["jax", "dask"])
@pytest.mark.parametrize("rules", ["jax", "numpy"])
def test_a_write_that_another_array_would_see_is_refused_with_what_to_type(rules, backend):
    pytest.importorskip(backend)
    xp = supremum.namespace(rules, backend=backend)
    for write, before in WRITES.items():
        found, error = after(xp, before, write)
        assert type(error) is ValueError, write
        assert f"the {backend} backend has copied them" in str(error), write
        assert "with y = xp.asarray(x[0], copy=True)" in str(error), write
        assert found == after(xp, before)[0], write
    for write, before in INSTEAD.items():
        if backend == "dask" and "x > 2" in write:  # it stores one value by a mask
            continue
        assert after(xp, before, write) == after(
            supremum.namespace(rules, backend="numpy"), before, write
        ), write


@pytest.mark.parametrize("backend", ["jax", "dask"])
@pytest.mark.parametrize("is_alive", [False, True])
def test_views_of_views_of_views_lead_back_a_few_steps(backend, is_alive):
    pytest.importorskip(backend)
    xp = supremum.namespace("jax", backend=backend)
    x = whole = xp.zeros(3, dtype=xp.float32)
    for _ in range(1500 if backend == "jax" else 150):
        x = xp.flip(x, axis=0)
    if not is_alive:
        del whole
        x[0] = 1
        assert x.tolist() == [1, 0, 0]
        return
    with pytest.raises(ValueError, match="copied them"):  # it is too far away
        x[0] = 1
    near = xp.flip(xp.expand_dims(whole, axis=0), axis=1)
    del x
    near[0, 0] = 2
    assert whole.tolist() == [0, 0, 2]


def test_what_pytorch_broadcast_is_not_written_to():
    pytest.importorskip("torch")
    xp = supremum.namespace("jax", backend="torch")
    x = xp.broadcast_to(xp.zeros(1), (3,))
    with pytest.raises(ValueError, match=r"copy it first, with x = xp.asarray\(x, copy=True\)"):
        x += 1
    with pytest.raises(ValueError, match="copy it first"):
        x[0] = 1
    same = xp.broadcast_to(xp.zeros((1, 2)), (1, 2))
    same += 1
    assert (x.tolist(), same.tolist()) == ([0, 0, 0], [[1, 1]])


@pytest.mark.parametrize("backend", ["numpy", "torch", "jax", "dask"])
@pytest.mark.parametrize("name", ["bfloat16", "float16"])
def test_narrow_floats_are_added_up_as_float32_and_rounded_once(backend, name):
    pytest.importorskip(backend)
    xp = supremum.namespace("jax", backend=backend)
    d, rng = getattr(xp, name), np.random.default_rng(0)
    values = rng.random(3000, np.float32)
    x = xp.asarray(values, dtype=d)
    wide = np.asarray(xp.astype(x, xp.float32))

    def rounded(number):
        return float(xp.asarray(np.float32(number), dtype=d))

    factors = xp.asarray(values[:300] / 2 + 0.75, dtype=d)
    of_factors = np.asarray(xp.astype(factors, xp.float32))
    near = np.float32(1e-5) if name == "float16" else np.float32(1e-4)
    for found, expected in {
        "sum": (xp.sum(x), wide.sum()),
        "mean": (xp.mean(x), wide.mean()),
        "std": (xp.std(x), wide.std()),
        "prod": (xp.prod(factors), of_factors.prod()),
        "cumulative_sum": (xp.cumulative_sum(x)[-1], wide.sum()),
        "trace": (xp.linalg.trace(xp.eye(3000, dtype=d)), 3000.0),
        "vector_norm": (xp.linalg.vector_norm(x), np.linalg.norm(wide)),
        "matrix_norm": (xp.linalg.matrix_norm(xp.reshape(x, (60, 50))), np.linalg.norm(wide)),
        "vecdot": (xp.vecdot(x, x), wide @ wide),
        "matmul": (x @ x, wide @ wide),
        "tensordot": (xp.tensordot(x, x, axes=1), wide @ wide),
    }.values():
        assert found.dtype == d
        one = {rounded(expected * (1 - near)), rounded(expected), rounded(expected * (1 + near))}
        assert float(found) in one, found


def test_views_of_tensors_are_those_of_numpy():
    pytest.importorskip("torch")
    xp = supremum.namespace("torch", backend="torch")
    x = xp.asarray([1.0, 2.0])
    made = [+x, xp.conj(x), xp.real(x)]
    made[0] += 1
    made[1] += 1
    made[2] += 1
    a, _ = xp.meshgrid(x, x)
    a[0, 0] = 9
    x[1:] = x[:-1]
    assert (x.tolist(), a.tolist()) == ([1, 1], [[9, 2], [1, 2]])
