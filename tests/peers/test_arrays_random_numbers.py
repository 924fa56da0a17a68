"""Random numbers on PyTorch, JAX and Dask: in the dtype and range asked for, by their own draws."""

import numpy as np
import pytest

import supremum
from supremum.core.dtypes import by_name, names

jax = pytest.importorskip("jax")
torch = pytest.importorskip("torch")
dask = pytest.importorskip("dask")

BACKENDS = ("torch", "jax", "dask")
OF_KIND = {
    "float": [by_name(name) for name in names() if by_name(name).kind == "float"],
    "int": [by_name(n) for n in names() if by_name(n).kind in ("bool", "signed", "unsigned")],
}
each_backend = pytest.mark.parametrize("backend", BACKENDS)


@pytest.fixture(autouse=True)
def _all_of_jax():
    jax.config.update("jax_enable_x64", True)


def drawn(backend, seed=1):
    return supremum.random(supremum.namespace("jax", backend=backend), seed)


def known(backend, kind):
    """Return the dtypes of a kind that a backend has under JAX's rules."""
    xp = supremum.namespace("jax", backend=backend)
    found = [d for d in OF_KIND[kind] if d.name in dir(xp)]
    if backend == "jax":  # it names some that it does not make on a processor
        lacks = ("int1", "uint1", "float6_e2m3fn", "float6_e3m2fn")
        found = [d for d in found if d.name not in lacks]
    assert len(found) > 7
    return found


def computed(x, d):
    """Return an array of NumPy, whose dtype must be the one of ours."""
    assert x.dtype == d
    values = np.asarray(x)
    assert values.dtype == np.dtype(d.to("numpy"))
    return values


@each_backend
def test_uniform_numbers_are_in_the_interval_in_every_float_dtype(backend):
    for d in known(backend, "float"):
        asked = 0
        for low, high in ((0, 1), (0.1, 0.3), (-0.3, -0.1), (-1, 2), (0.26, 3.9), (d.min, d.max)):
            try:
                x = drawn(backend).uniform(low, high, 2000, dtype=d)
            except (OverflowError, ValueError) as error:
                text = str(error)
                assert f"{d} has no number in" in text or f"does not fit {d}" in text
                continue
            asked += 1
            found = computed(x, d).astype(np.float64)
            assert all(low <= one < high for one in set(found.tolist())), (d, low, high)
            exact = (d.bits or 0) > 8 and high < 4
            assert not exact or abs(found.mean() - (low + high) / 2) < (high - low) / 25
        assert asked > 1, d


@each_backend
def test_normal_numbers_have_the_mean_and_the_deviation(backend):
    for d in known(backend, "float"):
        if d.min >= 0:
            continue
        found = computed(drawn(backend).normal(0.5, 0.25, 20_000, dtype=d), d).astype(np.float64)
        assert abs(found.mean() - 0.5) < 0.01, d
        assert abs(found.std() - 0.25) < 0.01 + 2.0**-d.precision / 2, d


@each_backend
def test_integers_are_each_as_likely_and_reach_both_ends_of_every_dtype(backend):
    for d in known(backend, "int"):
        least, largest = int(d.min), int(d.max)
        for low in (least, max(least, largest - 2)):
            high = min(low + 3, largest + 1)
            found = computed(drawn(backend).integers(low, high, 3000, dtype=d), d)
            values, counts = np.unique(found.astype(object), return_counts=True)
            assert [int(one) for one in values] == list(range(low, high)), d
            assert min(counts) > 3000 / (high - low) * 0.85, d


@each_backend
@pytest.mark.parametrize(
    ("d", "low", "high"),
    [
        ("uint64", 0, 2**64),
        ("uint64", 5, 3 * 2**62),
        ("uint64", 2**63 - 9, 2**64),
        ("int64", -(2**63), 2**63),
        ("int64", -(2**62), 2**63),
        ("int64", -(2**63), -(2**62)),
        ("int32", -(2**31), 2**30),
        ("uint32", 0, 2**32),
        ("int64", -5, 2**32),
    ],
)
def test_integers_of_wide_intervals_are_each_as_likely(backend, d, low, high):
    found = computed(drawn(backend).integers(low, high, 8000, dtype=d), by_name(d))
    places = [int(one) - low for one in found]
    assert min(places) >= 0
    assert max(places) < high - low
    counts = np.bincount([8 * place // (high - low) for place in places], minlength=8)
    assert min(counts) > 880
    assert max(counts) < 1120


def every(draw):
    """Return what each method draws."""
    p = [0.1, 0.2, 0.3, 0.2, 0.2]
    return [
        x.tolist()
        for x in (
            draw.uniform(-1, 1, 5, dtype="float16"),
            draw.uniform(-1e308, 1.5e308, 5),
            draw.normal(shape=(2, 3)),
            draw.integers(0, 100, 5),
            draw.integers(0, 2**40, 5),
            draw.choice(50, 5),
            draw.choice(5, 2, replace=False, p=p),
            draw.choice(5, (2, 2), p=p),
            draw.permutation(20),
            draw.uniform(),
        )
    ]


@each_backend
def test_the_same_seed_draws_the_same_and_each_call_draws_anew(backend):
    draw = drawn(backend, 7)
    first = every(draw)
    assert first == every(drawn(backend, 7))
    second = every(draw)
    assert all(one != another for one, another in zip(first[:6], second, strict=False))
    seeds = (0, 1, 8, 2**31, 2**32 - 1)
    assert len({str(drawn(backend, seed).normal(shape=3).tolist()) for seed in seeds}) == 5
    state = drawn(backend, 7)
    for refused in ("uniform(1, 1)", "normal(dtype='int8')", "choice(3, 4, replace=False)"):
        with pytest.raises((ValueError, TypeError), match=f"on the {backend} backend under JAX"):
            eval(f"state.{refused}")
    assert every(state) == first


@each_backend
def test_choices_are_elements_with_dtype_and_weakness(backend):
    xp, draw = supremum.namespace("jax", backend=backend), drawn(backend)
    x = xp.asarray([[1, 2], [3, 4], [5, 6]], dtype="int16")
    found = draw.choice(x, (4, 5))
    assert (found.shape, found.dtype) == ((4, 5, 2), "int16")
    pairs = {tuple(row) for row in np.asarray(found).reshape(-1, 2).tolist()}
    assert pairs == {(1, 2), (3, 4), (5, 6)}
    assert sorted(draw.permutation(x).tolist()) == x.tolist()
    assert sorted(draw.choice(x, 3, replace=False).tolist()) == x.tolist()
    assert sorted(draw.permutation(9).tolist()) == list(range(9))
    assert draw.choice(x, (2, 0)).shape == (2, 0, 2)
    weak = xp.reshape(xp.asarray(2), (1,))
    assert weak.weak_type
    assert draw.choice(weak, 2).weak_type
    assert draw.permutation(weak).weak_type


@each_backend
@pytest.mark.parametrize("replace", [True, False])
def test_choices_are_as_likely_as_p_says(backend, replace):
    draw, p = drawn(backend), [0.0, 0.5, 0.125, 0.0, 0.375, 0.0]
    if replace:
        found = np.asarray(draw.choice(6, 10_000, p=p))
    else:
        found = np.asarray([draw.choice(6, 2, replace=False, p=p).tolist() for _ in range(150)])
        found = found[:, 0]
    shares = np.bincount(found, minlength=6) / len(found)
    assert np.allclose(shares, p, atol=0.03 if replace else 0.15)
    assert not shares[[0, 3, 5]].any()


def test_the_library_draws():
    first = torch.rand(3, generator=torch.Generator().manual_seed(4), dtype=torch.float32)
    assert drawn("torch", 4).uniform(shape=3, dtype="float32").tolist() == first.tolist()
    key = jax.random.fold_in(jax.random.key(4), 1)
    wanted = jax.random.normal(key, (3,), "float32").tolist()
    assert drawn("jax", 4).normal(shape=3, dtype="float32").tolist() == wanted
    lazy = dask.array.random.default_rng(4).random(3).compute(scheduler="synchronous")
    assert drawn("dask", 4).uniform(shape=3).tolist() == lazy.tolist()


def test_jax_draws_inside_compiled_functions_and_after_them():
    draw = drawn("jax")
    xp = supremum.namespace("jax", backend="jax")

    @jax.jit
    def noisy(x):
        return x + draw.uniform(shape=3) + draw.integers(0, 2**40, 3) + draw.choice(x, 3)

    x = noisy(xp.ones(3))
    assert x.tolist() == noisy(xp.ones(3)).tolist()
    assert drawn("jax").uniform(shape=3).tolist() != draw.uniform(shape=3).tolist()


def test_jax_without_64_bits_says_what_to_type():
    jax.config.update("jax_enable_x64", False)
    with pytest.raises(supremum.DTypeError, match=r"uniform on the jax backend .* x64=False"):
        drawn("jax").uniform()
    draw = supremum.random(supremum.namespace("jax", x64=False, backend="jax"), 7)
    found = [draw.uniform(), draw.normal(), draw.integers(-(2**31), 2**31, 3), draw.choice(5)]
    assert [x.dtype.name for x in found] == ["float32", "float32", "int32", "int32"]
    assert draw.choice(3, 4, p=[0, 1, 0]).tolist() == [1] * 4


def test_dask_draws_when_it_is_computed_in_chunks_of_the_usual_size():
    draw = drawn("dask")
    with dask.config.set({"array.chunk-size": "4KiB"}):
        x = draw.uniform(shape=5000, dtype="bfloat16")
        assert len(x.chunks[0]) > 1
        n = draw.integers(0, 9, (5000,), dtype="int8")
        assert len(n.chunks[0]) > 1
    assert x.compute(scheduler="synchronous").tolist() == x.compute(scheduler="threads").tolist()
    picked = x[x > 0.5]
    with pytest.raises(ValueError, match=r"not known yet; compute it with x.native.compute_chunk"):
        draw.choice(picked)
