"""Plans: what computes a function is made once for some dtypes, and is data."""

import numpy as np
import pytest

import supremum
from supremum.arrays import plan as plans

CALLS = (
    "x + y", "x + 1", "xp.sum(x, axis=0)", "xp.sum(x, dtype=xp.float32)", "xp.mean(y)",
    "xp.any(x, keepdims=True)", "xp.cumulative_sum(x)", "xp.where(y > 0, x, y)",
    "xp.where(y > 0, x, 1)", "xp.concat([x, y, x])", "xp.stack([x, y], axis=1)",
    "xp.clip(x, 0, y)", "y.__iadd__(x)",
)  # fmt: skip


@pytest.mark.parametrize("what", CALLS)
@pytest.mark.parametrize("rules", ["numpy", "jax", "torch"])
def test_a_call_is_planned_once(monkeypatch, rules, what):
    xp = supremum.namespace(supremum.system(rules).replace(name=f"{rules} of its own"))
    made = []

    def counted(engine, name, *args, **options):
        made.append(name)
        return plan(engine, name, *args, **options)

    plan = plans.plan
    monkeypatch.setattr("supremum.arrays.operations.plan", counted)
    x, y = xp.asarray([1, 2, 3], dtype=xp.int16), xp.asarray([0.5, 2, -1], dtype=xp.float32)
    eval(what, {"xp": xp, "x": x, "y": y})  # it is ours
    assert made
    first = len(made)
    for _ in range(3):
        eval(what, {"xp": xp, "x": x, "y": y})  # it is ours
    assert len(made) == first


def test_plans_can_be_compared_and_printed():
    xp = supremum.namespace("numpy")
    x, y = xp.ones(2, dtype=xp.int32), xp.ones(3, dtype=xp.float32)
    assert xp.plan("add", x, y) == xp.plan("add", x + x, -y) != xp.plan("add", y, x)
    assert repr(xp.plan("add", x, 1)) == (
        "Plan(function='add', operands=('int32', 'int'), compute=supremum.dtype('int32'), "
        "key=int32, backend='numpy', into=False)"
    )
    other = supremum.namespace("jax")
    assert other.plan("add", other.ones(2, dtype="int32"), 1.5).key.dtype.name == "float64"


@pytest.mark.parametrize("rules", ["numpy", "jax", "torch", "array-api"])
def test_the_explanation_and_the_plan_agree(rules):
    xp = supremum.namespace(rules)
    arrays = [getattr(xp, d)(1) for d in ("bool", "int8", "uint8", "int32", "float32", "complex64")]
    for x in arrays:
        for y in [*arrays, True, 1, 1.5]:
            for name in ("add", "maximum", "divide", "less"):
                try:
                    made = xp.plan(name, x, y)
                except (supremum.PromotionError, supremum.DTypeError):
                    continue
                assert xp.explain(x, y, op=name).result is made.key.dtype


# What is computed, and how many times the memory of y its result takes.
MEMORY = {
    "xp.where(c, x, y)": 1,
    "xp.concat([x, y])": 2,
    "xp.clip(y, -1, 1)": 1,
    "xp.clip(y, x, 2.0)": 1,
    "y.__iadd__(x)": 0,
}


@pytest.mark.parametrize("what", MEMORY)
def test_casts_take_no_memory_of_their_own(what):
    import tracemalloc

    xp = supremum.namespace("numpy")
    code = compile(what, "what", "eval")
    n = 200_000
    x, y = xp.ones(n, dtype=xp.int16), xp.ones(n, dtype=xp.float32)
    c = x > 0
    eval(code, {"xp": xp, "c": c[:3], "x": x[:3], "y": y[:3]})  # it is ours
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    found = eval(code, {"xp": xp, "c": c, "x": x, "y": y})  # the same
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.dtype == "float32"
    assert peak - before < (MEMORY[what] + 0.1) * 4 * n + 10_000


def test_a_narrow_result_of_where_is_what_numpy_chooses():
    xp = supremum.namespace("numpy")
    rng = np.random.default_rng(3)
    for n in (5, 20_000):
        c, x, y = rng.random(n) > 0.5, rng.integers(-9, 9, n, np.int8), rng.random(n)
        found = xp.where(xp.asarray(c), xp.asarray(x), xp.asarray(y))
        assert (np.asarray(found) == np.where(c, x, y)).all()
        broadcast = xp.where(xp.asarray(c[:1]), xp.asarray(x), 2.5)
        assert (np.asarray(broadcast) == np.where(c[:1], x, 2.5)).all()
