"""What people write beside operators and functions: lengths, dtypes, lists, stores, choices."""

import math
import re

import numpy as np
import pytest

import supremum
from supremum import ExpressionError, PromotionError

X, Y = np.ones(3, np.int32), np.ones(3, np.float32)

# Of x, which is int32, and y, which is float32, of three elements each.
WRITTEN = """
x / len(x)
y / len(x)
y.sum() / y.size
y.mean() * x.shape[0]
x.ndim * y
x.shape[-1]
x.astype(y.dtype)
x.astype('f8')
x.astype('<i2')
np.zeros(3, dtype=x.dtype)
np.zeros(x.shape, y.dtype)
x + [1, 2, 3]
[0.5, 1.5, 2.5] * y
np.maximum(y, [1, 2, 3])
np.array([x, y])
np.array([y, y])
np.stack([x, [1, 2, 3]])
np.select([x > 0, x < 0], [x, y])
np.select([x > 0], [y], 2)
np.add(x, y, out=y)
np.sum(y, where=x > 0)
np.max(x, initial=0)
np.add(x, 1, dtype=np.float64)
np.average(y, weights=x)
np.average(x, weights=y)
np.average(y, weights=[1, 2, 3])
np.finfo(y.dtype).eps * y
np.iinfo(x.dtype).max
sum([y, y])
sum(x)
max(y.max(), y.min())
y if x.sum() > 0 else y * 2
np.add.outer(np.uint8(1), 1)
np.add.accumulate(y)
np.minimum.accumulate(y)[0] * y
math.sqrt(x.size) * y
np.cov(x, y)
x.tolist()
np.allclose(x, y)
np.result_type(x, y)
np.diff(x, prepend=0)
np.complex64(2).item() * np.float64(1)
""".strip().splitlines()


@pytest.mark.parametrize("text", WRITTEN)
def test_it_is_what_numpy_gives(text):
    live = eval(text, {"np": np, "math": math, "x": X.copy(), "y": Y.copy()})  # it is ours
    live = live[0] if isinstance(live, list) else live
    kind = {"bool": "bool"}.get(type(live).__name__, f"{type(live).__name__}*")
    wanted = kind if type(live) in (bool, int, float, complex) else supremum.dtype(
        live if isinstance(live, np.dtype) else live.dtype).name  # fmt: skip
    names = set(re.findall(r"\b[xy]\b", text))
    given = {name: value for name, value in {"x": X, "y": Y}.items() if name in names}
    assert supremum.explain(text, system="numpy", **given).result.name == wanted


def test_both_ways_that_values_may_go_have_to_agree():
    with pytest.raises(ExpressionError, match="the values decide whether it is int32 or float"):
        supremum.explain("max(x.max(), 1.0)", system="numpy", x=X)
    with pytest.raises(ExpressionError, match="is no condition"):
        supremum.explain("x if x > 0 else y", system="numpy", x=X, y=Y)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("float32[3].add_(int32[3])", "float32"),
        ("int32[3].clamp_(0, 2)", "int32"),
        ("int32[3].type_as(float16[3])", "float16"),
        ("torch.add(int32[3], int8[3], alpha=2)", "int32"),
        ("float32[3] / int64[3].numel()", "float32"),
        ("torch.equal(int8[3], int8[3])", "bool"),
        ("float64[3] * float64[3].size(0)", "float64"),
    ],
)
def test_what_tensors_have(text, wanted):
    assert supremum.explain(text, system="torch").result.name == wanted


def test_a_store_that_lowers_the_kind_is_refused():
    with pytest.raises(ExpressionError, match="float32 is not stored in int32"):
        supremum.explain("int32[3].add_(float32[3])", system="torch")
    with pytest.raises(ExpressionError, match="float64 is not stored in x"):
        supremum.explain("np.add(x, y, out=x)", system="numpy", x=X, y=Y)


def test_an_array_of_numpy_in_the_memory_of_which_a_tensor_is_made_keeps_its_dtype():
    found = supremum.explain("torch.from_numpy(np.ones(3)) * float32[3]")
    assert (found.system, found.result.name) == ("torch", "float64")


def test_updates_of_jax_keep_the_dtype():
    found = supremum.explain("int8[3].at[0].set(1.5) + int16[3]", system="jax")
    assert [step.result.dtype.name for step in found.steps] == ["int8", "int16"]


@pytest.mark.parametrize(
    ("text", "system"),
    [
        ("int8[3] + [1, 2, 3]", "jax"),
        ("torch.add(int8[3], [1, 2, 3])", "torch"),
        ("int8[3][[0, 1]]", "jax"),
        ("np.add.at(int8[3], 0, 1)", "numpy"),
        ("float32[3].dtype + 1", "numpy"),
        ("np.finfo(int8[3].dtype).eps", "numpy"),
        ("float32[3] + float32[4]", "numpy"),
        ("float32[2, 3] @ float32[2, 3]", "numpy"),
        ("float32[3][7]", "numpy"),
        ("float32[3].item()", "numpy"),
        ("np.array([float32[3], float32[4]])", "numpy"),
        ("torch.allclose(int8[3], int16[3])", "torch"),
    ],
)
def test_what_the_library_refuses_is_refused(text, system):
    with pytest.raises((ExpressionError, PromotionError)):
        supremum.explain(text, system=system)


def test_an_index_beyond_the_end_is_an_element_of_jax():
    assert supremum.explain("float32[3][7]", system="jax").result.name == "float32"
