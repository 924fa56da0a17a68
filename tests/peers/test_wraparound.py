"""What is said to wrap around does so in the live library, or is refused there."""

import re

import numpy as np
import pytest

import supremum

OPERATORS = {"subtract": "a - b", "add": "a + b", "multiply": "a * b", "negative": "-a"}
MADE = {
    "numpy": ("numpy", "array([{n}], lib.uint8)"),
    "torch": ("torch", "tensor([{n}], dtype=lib.uint8)"),
    "jax": ("jax.numpy", "asarray([{n}], 'uint8')"),
    "tensorflow": ("tensorflow", "constant([{n}], 'uint8')"),
    "mlx": ("mlx.core", "array([{n}], lib.uint8)"),
    "dask": ("dask.array", "from_array(np.array([{n}], 'uint8'))"),
    "pandas": ("pandas", "Series([{n}], dtype='uint8')"),
}


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("name", MADE)
def test_common_numbers_wrap_around(name, op):
    module, made = MADE[name]
    lib = pytest.importorskip(module)
    asked = ["uint8"] if op == "negative" else ["uint8", "uint8"]
    try:
        (told,) = supremum.explain(*asked, op=op, system=name).remarks
    except supremum.PromotionError:
        pytest.skip("the rules refuse it")
    computation, result = re.fullmatch(r"May wrap around: (.*) is (\d+) in uint8\.", told).groups()
    names = dict(zip("ab", re.findall(r"\d+", computation), strict=False))
    arrays = {
        key: eval(f"lib.{made.format(n=n)}", {"lib": lib, "np": np}) for key, n in names.items()
    }
    found = eval(OPERATORS[op], arrays)
    assert _item(found) == int(result)


def _item(x):
    if hasattr(x, "compute"):
        x = x.compute()
    return int(x.tolist()[0] if hasattr(x, "tolist") else x.numpy()[0])


def test_duckdb_refuses_what_its_dtype_does_not_hold():
    duckdb = pytest.importorskip("duckdb")
    assert supremum.explain("uint8", "uint8", op="subtract", system="duckdb").remarks == []
    with pytest.raises(duckdb.OutOfRangeException):
        duckdb.sql("select 0::utinyint - 1::utinyint").fetchall()
