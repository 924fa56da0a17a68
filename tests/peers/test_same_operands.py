"""The same operands as names and as arrays of each library, and every library's dtype objects."""

from itertools import combinations_with_replacement, product

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import torch

import supremum

pytestmark = pytest.mark.filterwarnings(
    "ignore:ComplexHalf support is experimental:UserWarning"  # PyTorch says so of complex32
)

SHARED = [
    *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    *("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"),
    *("bfloat16", "float16", "float32", "float64", "complex64", "complex128"),
    *("uint1", "uint2", "uint4", "int1", "int2", "int4"),
]


def jax_array(dtype):
    with jax.enable_x64(True):  # from NumPy, as jnp.zeros may make one-bit arrays out of bool's
        return jax.device_put(np.zeros(2, dtype.to("jax")))


AS = {
    "name": lambda dtype: dtype.name,
    "dtype": lambda dtype: dtype,
    "NumPy": lambda dtype: np.zeros(2, dtype.to("numpy")),
    "NumPy, other byte order": lambda dtype: np.zeros(2, dtype.to("numpy").newbyteorder()),
    "NumPy scalar": lambda dtype: np.zeros((), dtype.to("numpy"))[()],
    "JAX": jax_array,
    "PyTorch": lambda dtype: torch.zeros(2, dtype=dtype.to("torch")),
}
OPERANDS = {name: {how: make(supremum.dtype(name)) for how, make in AS.items()} for name in SHARED}


def answer(rules, *operands):
    try:
        return rules.result_type(*operands)
    except supremum.PromotionError:
        return "refused"


def takes_scalars(rules):
    """Tell whether a scalar is what an array is: not to rules with ranks, and some refuse it."""
    return not rules.ranked and answer(rules, "float32", np.float32(0)) != "refused"


def takes_over(rules, how, other):
    """Return whether NumPy takes over beside a tensor, whatever PyTorch's rules say."""
    forms = {how.partition(",")[0], other.partition(",")[0]}
    return rules.name == "torch" and forms == {"NumPy", "PyTorch"}


USUAL = ("jax", "numpy", "tensorflow", "torch")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in USUAL else pytest.mark.thorough)
        for name in supremum.systems()
    ],
)
def test_every_pair_in_every_form(name, count):
    rules, tried = supremum.system(name), 0
    forms = [how for how in AS if how != "NumPy scalar" or takes_scalars(rules)]
    for a, b in product(SHARED, SHARED):
        want = answer(rules, a, b)
        for how, other in product(forms, repeat=2):
            x, y = OPERANDS[a][how], OPERANDS[b][other]
            answered = "refused" if takes_over(rules, how, other) else want
            assert answer(rules, x, y) == answered, (rules, a, how, b, other)
            tried += 1
    count(
        f"{len(SHARED)} dtypes as names and as NumPy, JAX and PyTorch arrays, "
        f"under the rules of {name}: {tried:,} pairs, all equal"
    )


def test_every_triple_in_mixed_forms():
    rules = supremum.system("jax")
    for a, b, c in combinations_with_replacement(SHARED, 3):
        want = answer(rules, a, b, c)
        x, y, z = OPERANDS[a]["NumPy"], OPERANDS[b]["JAX"], OPERANDS[c]["PyTorch"]
        for operands in ((x, y, z), (z, y, x), (a, y, z), (x, b, z), (x, y, c)):
            assert answer(rules, *operands) == want, (a, b, c)


def test_python_numbers_with_every_form():
    rules = supremum.system("jax")
    for name, number in product(SHARED, (True, 1, 1.0, 1j)):
        want = answer(rules, name, number)
        for how, x in OPERANDS[name].items():
            assert answer(rules, x, number) == want, (name, how, number)


def test_operands_say_where_they_come_from():
    for how, library in (("NumPy", "NumPy"), ("JAX", "JAX"), ("PyTorch", "PyTorch")):
        for name in SHARED:
            found = supremum.custom.operand(OPERANDS[name][how])
            assert (found.dtype.name, found.library, found.rank) == (name, library, 1)


# What each library has besides dtypes of numbers, and the word by which it is refused.
FAMILIES = [
    *("generic", "number", "integer", "signedinteger", "unsignedinteger"),
    *("inexact", "floating", "complexfloating", "flexible", "character"),
]
NOT_NUMBERS = {
    **dict.fromkeys(FAMILIES, "family"),
    "str_": "text",
    "bytes_": "text",
    "void": "record",
    "record": "record",
    "object_": "object",
    "datetime64": "date",
    "timedelta64": "time span",
}


def scalar_types(module):
    return {
        n: x for n, x in vars(module).items() if isinstance(x, type) and issubclass(x, np.generic)
    }


@pytest.mark.parametrize("module", [np, ml_dtypes], ids=lambda m: m.__name__)
def test_scalar_types(module, count):
    known = 0
    for name, x in scalar_types(module).items():
        if x.__name__ in NOT_NUMBERS:
            with pytest.raises(supremum.DTypeError, match=NOT_NUMBERS[x.__name__]):
                supremum.dtype(x)
            continue
        assert supremum.dtype(x).to("numpy") == np.dtype(x), name
        known += 1
    count(f"{module.__name__} {module.__version__}: {known} scalar types recognised")


def test_a_class_derived_from_a_scalar_type_changes_nothing():
    class Metres(np.float32):
        pass

    assert supremum.dtype(np.float32) is supremum.dtype(np.dtype("float32"))
    assert supremum.result_type(Metres(1), np.int8(1)).name == "float32"


def test_numpys_dtype_objects():
    for code in np.typecodes["All"]:
        dtype = np.dtype(code)
        if code in "SUOVMm":
            with pytest.raises(
                supremum.DTypeError, match=r"is (text|an object|a record|a date|a time)"
            ):
                supremum.dtype(dtype)
            continue
        for order in "<>=":
            found = supremum.dtype(dtype.newbyteorder(order))
            assert found.to("numpy") == dtype.newbyteorder("="), (code, order)
            assert np.dtype(found) == dtype.newbyteorder("=")
    for refused in (np.dtypes.StringDType(), np.dtype([("a", "f4")]), np.dtype("datetime64[ns]")):
        with pytest.raises(
            supremum.DTypeError, match="only bool and numbers, such as float32, are promoted here"
        ):
            supremum.dtype(refused)


def test_ml_dtypes_dtype_objects_are_told_from_numpys_of_the_same_letter():
    # ml_dtypes gives its dtypes letters, and some are letters of NumPy's
    for name, x in scalar_types(ml_dtypes).items():
        assert supremum.dtype(np.dtype(x)).name == name
        assert supremum.dtype(np.zeros(2, x).dtype).to("numpy") == np.dtype(x)


def test_jax_numpys_dtypes(count):
    members = {n: x for n, x in vars(jnp).items() if isinstance(x, type) and hasattr(x, "dtype")}
    scalars = {n: x for n, x in members.items() if isinstance(getattr(x, "dtype", None), np.dtype)}
    for x in scalars.values():
        assert supremum.dtype(x).to("jax") == x.dtype
        assert supremum.dtype(x.dtype).to("jax") == x.dtype
    assert {"bool_", "int4", "bfloat16", "float8_e4m3fnuz", "complex128"} <= scalars.keys()
    count(f"jax.numpy: {len(scalars)} scalar types recognised")


def test_torchs_dtypes(count):
    members = {n: x for n, x in vars(torch).items() if isinstance(x, torch.dtype)}
    refused = set()
    for x in members.values():
        name = str(x).removeprefix("torch.")
        if name not in supremum.names():
            with pytest.raises(supremum.DTypeError, match=f"cannot promote torch.{name}: "):
                supremum.dtype(x)
            refused.add(name)
            continue
        found = supremum.dtype(x)
        assert found.name == name
        assert found.to("torch") is x
        assert supremum.custom.operand(torch.empty(2, dtype=x)).dtype is found
    assert refused == {
        *("bits8", "bits16", "bits1x8", "bits2x4", "bits4x2"),  # bits without a meaning
        *("qint8", "qint32", "quint8", "quint2x4", "quint4x2"),  # quantised
        *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (3, 5, 6, 7)),
        "float4_e2m1fn_x2",  # two numbers an element
    }
    count(f"torch {torch.__version__}: {len(members)} dtypes, {len(refused)} refused by name")


@pytest.mark.parametrize("library", ["numpy", "jax", "torch"])
def test_every_dtype_to_a_library_and_back(library):
    refused = {}
    for name in supremum.names():
        dtype = supremum.dtype(name)
        try:
            found = dtype.to(library)
        except supremum.DTypeError as error:
            refused[name] = str(error)
        else:
            assert supremum.dtype(found) is dtype
    for name, message in refused.items():
        assert f"{library} does not have the dtype {name}" in message
    assert {"int*", "float*", "complex*"} <= refused.keys()
    if library != "torch":
        assert refused.keys() == {"int*", "float*", "complex*", "int128", "uint128"}
