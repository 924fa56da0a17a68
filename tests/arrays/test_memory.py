"""A chain of operations allocates what it does when it is written by hand in NumPy."""

import tracemalloc

import numpy as np
import pytest

import supremum

SIZE = 200_000
WRAPPERS = 4096  # bytes: the objects that hold arrays, and no array
F32 = np.float32


def chain(x, y, z):
    a = x + y
    a = a * z
    a = a - y
    a = a / z
    return a + 1.0


def chain_with_a_cast(x, y, z):
    a = x.astype(F32)
    a += y
    a = a * z
    a = a - y
    a = a / z
    return a + 1.0


def peak(function, *operands):
    function(*operands)  # plans are made once
    return min(traced(function, *operands) for _ in range(3))


def traced(function, *operands):
    """Return what is allocated meanwhile, by other threads, too."""
    tracemalloc.start()
    function(*operands)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


@pytest.mark.parametrize(
    ("dtype", "by_hand"),
    [("int32", chain_with_a_cast), ("int16", chain_with_a_cast), ("float32", chain)],
)
@pytest.mark.parametrize("size", [SIZE // 100, SIZE, SIZE * 4])
def test_five_operations_allocate_what_they_do_by_hand(dtype, by_hand, size):
    xp = supremum.namespace("jax", backend="numpy")
    operands = np.ones(size, dtype), np.ones(size, F32), np.full(size, 2, F32)
    ours = map(xp.asarray, operands)
    least = 2 * size * 4  # one result is computed from another
    assert least <= peak(by_hand, *operands) <= least + WRAPPERS
    assert least <= peak(chain, *ours) <= least + WRAPPERS


@pytest.mark.parametrize("size", [SIZE // 100, SIZE, SIZE * 4])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_cast_operand_needs_no_memory_but_the_result_s(size, order):
    xp = supremum.namespace("jax", backend="numpy")
    x = np.ones((size // 100, 100), "int32", order=order)
    y = np.ones((size // 100, 100), F32)
    ours = xp.asarray(x), xp.asarray(y)
    assert peak(lambda a, b: a + b, *ours) <= size * 4 + WRAPPERS + 2 * 8192 * 4  # ufunc's buffers
