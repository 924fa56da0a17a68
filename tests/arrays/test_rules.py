"""Rules for a block: `supremum.rules`."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import supremum
from supremum import PromotionError

xp = supremum.namespace("jax", backend="numpy")
x, y = xp.ones(2, dtype=xp.int32), xp.ones(2, dtype=xp.float32)


def result():
    return (x + y).dtype.name


def test_a_block_has_its_rules_and_blocks_nest():
    assert result() == "float32"
    with supremum.rules("numpy") as numpy:
        assert (result(), xp.rules) == ("float64", numpy)
        with supremum.rules("torch"):
            assert result() == "float32"
            with supremum.rules("array-api"), pytest.raises(supremum.PromotionError):
                result()
        assert result() == "float64"
    assert (result(), xp.rules.name) == ("float32", "jax")


def test_an_exception_ends_a_block():
    with pytest.raises(ZeroDivisionError), supremum.rules("numpy"):
        1 / 0  # noqa: B018  # it is to raise
    assert result() == "float32"


def test_unknown_rules_change_nothing():
    with pytest.raises(supremum.RulesError), supremum.rules("numpy", x64=True):
        raise AssertionError
    assert result() == "float32"


def test_arrays_are_made_by_the_rules_of_the_block():
    made = {"jax": "float64", "jax32": "float32", "torch": "float32", "array-api": "float64"}
    blocks = {
        "jax": supremum.rules("jax"),
        "jax32": supremum.rules("jax", x64=False),
        "torch": supremum.rules("torch"),
        "array-api": supremum.rules("array-api"),
    }
    for name, block in blocks.items():
        with block:
            assert xp.zeros(1).dtype.name == made[name]
    with supremum.rules("numpy"):
        assert not xp.asarray(1).weak_type
    assert xp.asarray(1).weak_type


def test_a_block_decides_what_an_operator_in_place_makes_of_an_array():
    for rules, made in (("jax", "float64"), ("torch", None)):
        first = second = xp.asarray([1, 2])
        with supremum.rules(rules):
            if made is None:
                with pytest.raises(PromotionError, match="would put float32 into int64"):
                    second += 0.5
            else:
                second += 0.5
        assert second is first
        assert first.dtype.name == (made or "int64")


def test_rules_of_ones_own():
    mine = supremum.custom.PromotionSystem.from_lattice("i32 -> f32 -> f16", name="upside down")
    with supremum.rules(mine):
        assert (y + xp.ones(2, dtype=xp.float16)).dtype.name == "float16"


def test_a_block_may_be_a_decorator():
    assert supremum.rules("numpy")(result)() == "float64"


def test_each_thread_has_its_own():
    barrier = threading.Barrier(3, timeout=20)

    def run(rules):
        with supremum.rules(rules):
            barrier.wait()  # all are inside their blocks
            found = result()
            barrier.wait()
        return found, result()

    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(run, ["numpy", "torch", "jax"]))
    assert found == [("float64", "float32"), ("float32", "float32"), ("float32", "float32")]


def test_each_task_has_its_own():
    async def run(rules, met):
        with supremum.rules(rules):
            await met.wait()
            return result()

    async def main():
        met = asyncio.Event()
        tasks = [asyncio.create_task(run(rules, met)) for rules in ("numpy", "jax")]
        await asyncio.sleep(0)  # both are inside their blocks
        outside = result()
        met.set()
        return outside, await asyncio.gather(*tasks)

    assert asyncio.run(main()) == ("float32", ["float64", "float32"])


def test_a_generator_lends_its_block_to_whoever_runs_it():
    """As `decimal.localcontext` does: a block that yields is in force until it goes on."""

    def numbers():
        with supremum.rules("numpy"):
            yield result()

    running = numbers()
    assert (next(running), result()) == ("float64", "float64")
    running.close()
    assert result() == "float32"


def test_what_came_before_does_not_change_what_a_huge_int_gives():
    xp = supremum.namespace("torch", backend="numpy")
    for x in (xp.ones(2), xp.ones(2, dtype=xp.int32)):
        for _ in range(2):
            for compute in (lambda x=x: x + 2**70, lambda x=x: xp.where(x > 0, x, 2**70)):
                with pytest.raises(supremum.PromotionError, match="does not fit 64 bits"):
                    compute()
            x + 1
            xp.where(x > 0, x, 1)
