"""Programs that write to arrays and to views of them do on each backend what NumPy does."""

import sys
from pathlib import Path

import numpy as np
import pytest

import supremum

sys.path.append(str(Path(__file__).parents[1] / "arrays"))

from views import program, run  # it lies there

SETTINGS = [(rules, backend) for backend in ("torch", "jax", "dask") for rules in ("jax", "numpy")]


@pytest.mark.parametrize(("rules", "backend"), SETTINGS)
def test_random_programs_do_what_numpy_does(rules, backend):
    pytest.importorskip(backend)
    xp = supremum.namespace(rules, backend=backend)
    for seed in range(60):
        lines = program(seed)
        expected = run(lines, np, np.arange(12, dtype=np.float32).reshape(3, 4))
        own = run(lines, xp, xp.reshape(xp.arange(12, dtype=xp.float32), (3, 4)))
        assert own == expected, (seed, lines)


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
