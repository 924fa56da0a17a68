"""The functions of a namespace, and what decides them: whole, in use, for rules of one's own."""

import numpy as np
import pytest

import supremum
from supremum.arrays import space
from supremum.arrays.decide import Decider
from supremum.arrays.functions import BINARY, COMPARISONS, METHODS, UNARY
from supremum.core.functions import canonical
from supremum.custom import PromotionSystem

# The rules that functions of another name, or that take an option, go by.
GO_BY = {
    **dict.fromkeys(("ifft", "fftn", "ifftn"), "fft"),
    **dict.fromkeys(("hfft", "irfftn"), "irfft"),
    **dict.fromkeys(("ihfft", "rfftn"), "rfft"),
    **dict.fromkeys(("unique_all", "unique_counts", "unique_inverse", "unique_values"), "unique"),
    "isin": "equal",
    "matrix_power": "eye inv same",
    "vector_norm": "norm norm_max norm_sum",
}
# What makes, moves, counts or asks. It keeps a dtype, has a default one, or is told which.
WITHOUT_RULES = {
    "__array_namespace_info__", "all", "any", "arange", "argsort", "asarray", "astype",
    "broadcast_arrays", "broadcast_shapes", "broadcast_to", "can_cast", "count_nonzero", "empty",
    "empty_like", "expand_dims", "fftfreq", "fftshift", "finfo", "flip", "from_dlpack", "full",
    "full_like", "ifftshift", "iinfo", "isdtype", "matrix_transpose", "meshgrid", "moveaxis",
    "nonzero", "ones", "ones_like", "permute_dims", "repeat", "reshape", "result_type", "rfftfreq",
    "roll", "sort", "squeeze", "take", "take_along_axis", "tile", "tril", "triu", "unstack",
    "zeros", "zeros_like",
}  # fmt: skip
CHAPTERS = (*space._CHAPTERS, space.fft, space.linalg)
PUBLIC = {name for chapter in CHAPTERS for name in chapter.__all__}
DECIDED = {rule for name in PUBLIC - WITHOUT_RULES for rule in GO_BY.get(name, name).split()}


def test_a_function_has_one_place():
    assert {*UNARY, *BINARY, *GO_BY, *WITHOUT_RULES} <= PUBLIC
    assert not {*UNARY, *BINARY, *GO_BY} & WITHOUT_RULES


def test_the_catalogue_has_each_function_under_one_name():
    assert [name for name in sorted(DECIDED) if canonical(name) is None] == []
    elementwise = [*UNARY, *BINARY]
    assert len({canonical(name) for name in elementwise}) == len(elementwise)


@pytest.mark.parametrize("rules", supremum.systems())
def test_there_is_a_rule_for_each_function_under_all_rules(rules):
    known = Decider(supremum.system(rules)).rules
    assert [name for name in sorted(DECIDED) if known.rule(name) is None] == []


def test_operators_are_functions_of_the_namespace():
    assert {*METHODS.values(), *COMPARISONS.values()} <= {*BINARY, "matmul"}


def test_a_namespace_leaves_the_rules_alone():
    rules = supremum.system("numpy")
    same = supremum.system("numpy").replace()
    decider = Decider(rules)
    assert rules == same
    assert decider.given is rules
    assert (decider.rules.name, decider.rules == rules) == ("numpy", False)
    assert decider.rules.rule("norm_max") is not None
    with pytest.raises(supremum.RulesError):
        supremum.result_type("int8", system="numpy", op="norm_max")


@pytest.mark.parametrize(
    ("rules", "options", "defaults"),
    [
        ("jax", {}, "int64 float64 complex128 int64"),
        ("jax", {"x64": False}, "int32 float32 complex64 int32"),
        ("numpy", {}, "int64 float64 complex128 int64"),
        ("torch", {}, "int64 float32 complex64 int64"),
        ("torch", {"default_dtype": "float64"}, "int64 float64 complex128 int64"),
        ("array-api", {"version": "2021.12"}, "int64 float64 complex128 int64"),
        ("array-api", {"version": "2025.12"}, "int64 float64 complex128 int64"),
    ],
)
def test_default_dtypes(rules, options, defaults):
    decider = Decider(supremum.system(rules, **options))
    assert " ".join(d.name for d in decider.defaults) == defaults
    whole = decider.defaults.int
    assert decider.decide("argmax", "int8").dtype is decider.rules.result_type(whole)


@pytest.mark.parametrize(
    ("base", "exponent", "wanted"),
    [
        ("int8", 2, "int8"),
        ("int8", "int64", "int8"),
        ("uint64", "int8", "uint64"),
        ("bool", "uint8", "int32"),
        ("float16", "int64", "float16"),
        (2, "int8", "int64*"),
        (2.0, "int8", "float64*"),
        ("int8", "float32", "float32"),
    ],
)
def test_an_integer_exponent_without_dimensions_is_an_int_by_jax_rules(base, exponent, wanted):
    x, y = (JAX.asarray(2, dtype=d) if isinstance(d, str) else d for d in (base, exponent))
    for found in (x**y, JAX.pow(x, y), np.power(x, y), JAX.operate("pow", x, y)):
        assert f"{found.dtype}{'*' * found.weak_type}" == wanted
    assert JAX.plan("pow", x, y).key is found.key


def test_powers_are_multiplied_out_by_jax_rules():
    half = JAX.asarray([1.3], dtype="float16")
    assert (half**5).tolist() == (half * (half * half) * (half * half)).tolist()
    assert (half**5).tolist() != [float(np.float16(half[0].item() ** 5))]
    assert (JAX.asarray([3], dtype="int8") ** 300).tolist() == [pow(3, 300, 256)]
    x = JAX.asarray([1.0, 2.0])
    y = x**1
    y[0] = 5.0
    assert x.tolist() == [1.0, 2.0]
    assert (x**0).tolist() == [1.0, 1.0]


JAX = supremum.namespace("jax", backend="numpy")
WEAK_INT, WEAK_FLOAT, STRONG = JAX.asarray(2), JAX.asarray(1.5), JAX.asarray([2], dtype="int16")


@pytest.mark.parametrize(
    ("name", "operands", "dtype", "weak"),
    [
        ("add", (WEAK_INT, 1), "int64", True),
        ("add", (WEAK_INT, WEAK_FLOAT), "float64", True),
        ("add", (WEAK_INT, STRONG), "int16", False),
        ("sin", (WEAK_FLOAT,), "float64", True),
        ("equal", (WEAK_INT, 1), "bool", True),
        ("equal", (WEAK_INT, STRONG), "bool", False),
        ("logical_and", (WEAK_INT, 1), "bool", False),
        ("isfinite", (WEAK_INT,), "bool", False),
        ("isfinite", (WEAK_FLOAT,), "bool", True),
        ("sum", (WEAK_INT,), "int64", False),
        ("argmax", (WEAK_INT,), "int64", False),
        ("pow", (WEAK_INT, 2), "int64", True),
        ("pow", (WEAK_INT, WEAK_INT), "int64", False),
        ("pow", (STRONG, 2), "int16", False),
    ],
)
def test_weakness_by_jax_rules(name, operands, dtype, weak):
    decision = Decider(supremum.system("jax")).decide(name, *operands)
    assert (decision.dtype.name, decision.weak) == (dtype, weak)


NUMBERS_ALONE = [
    "cupy", "dask", "dpnp", "duckdb", "numba", "numexpr", "numpy", "numpy-legacy", "pytensor",
]  # fmt: skip


def test_under_these_rules_numbers_alone_are_weak():
    systems = map(supremum.system, supremum.systems())
    assert [rules.name for rules in systems if not rules.weak_arrays] == NUMBERS_ALONE


@pytest.mark.parametrize("rules", NUMBERS_ALONE)
def test_arrays_are_strong_where_numbers_alone_are_weak(rules):
    decider = Decider(supremum.system(rules))
    assert not decider.keeps_weak
    assert not decider.decide("add", 1, 2).weak


def test_what_is_computed_in_the_dtype_of_the_operands():
    decider = Decider(supremum.system("numpy"))
    for name, operand, dtype, compute in (
        ("argmax", "float32", "int64", "float32"),
        ("equal", "int8", "bool", "int8"),
        ("abs", "complex64", "float32", "complex64"),
        ("sum", "int8", "int64", "int64"),
    ):
        operands = (operand,) if name != "equal" else (operand, operand)
        found = decider.decide(name, *operands)
        assert (found.dtype.name, found.compute.name) == (dtype, compute), name


def test_what_numpy_joins_otherwise():
    xp = supremum.namespace("numpy")
    short, single, half = (xp.ones(2, dtype=name) for name in ("int16", "float32", "float16"))
    assert (short + single).dtype.name == "float32"
    decide = xp.engine.decider.decide
    assert decide("solve", short, single).dtype.name == "float64"
    assert decide("linspace", half, 1).dtype.name == "float16"
    assert decide("linspace", short, 1).dtype.name == "float64"
    with pytest.raises(supremum.PromotionError, match=r"float16\[2\].* under NumPy rules"):
        decide("solve", half, half)


ARROWS = "i8 -> i16 -> f16"
WEAK = f"i* -> {ARROWS}; i* -> f* -> f16"


def own(arrows, **options):
    return supremum.namespace(PromotionSystem.from_lattice(arrows, "mine", **options))


@pytest.mark.parametrize(
    ("arrows", "options", "defaults"),
    [
        (ARROWS, {}, "int16 float16 complex128 int64"),
        (WEAK, {}, "int16 float16 complex128 int64"),
        (WEAK, {"widths": {}}, "int16 float16 complex128 int64"),
        (WEAK, {"widths": {"int*": "int8"}}, "int8 float16 complex128 int64"),
        ("u8 -> u16 -> bf16, f16 -> f32", {}, "uint16 float32 complex128 int64"),
        ("bf16, f16 -> c64", {}, "int64 float16 complex64 int64"),
        ("i* -> i8 -> i64; f*", {}, "int64 float64 complex128 int64"),
    ],
)
def test_default_dtypes_are_among_those_of_the_rules(arrows, options, defaults):
    assert " ".join(d.name for d in own(arrows, **options).engine.decider.defaults) == defaults


@pytest.mark.parametrize("options", [{}, {"widths": {}}, {"widths": {"int*": "int16"}}])
def test_rules_of_ones_own_with_weak_numbers(options):
    xp = own(WEAK, **options)
    x = xp.ones(2, dtype="int8")
    for made, dtype, weak in (
        (xp.asarray(1), "int16", True),
        (xp.asarray(1) + 1, "int16", True),
        (xp.asarray(1.5) * xp.asarray(2), "float16", True),
        (xp.asarray([1, 2]), "int16", False),
        (x + 1, "int8", False),
        (x + xp.asarray(1), "int8", False),
        (x + 1.5, "float16", False),
        (x / x, "float16", False),
        (xp.sum(x), "int8", False),
        (xp.zeros(2), "float16", False),
        (xp.arange(2), "int16", False),
        (xp.linspace(0, 1, 2), "float16", False),
    ):
        assert (made.dtype.name, made.weak_type) == (dtype, weak)


def test_indices_are_not_as_narrow_as_the_rules_integers():
    xp = own(WEAK)
    x = xp.concat([xp.zeros(300, dtype="int8"), xp.ones(1, dtype="int8")])
    found = xp.argmax(x)
    assert (found.dtype.name, int(found), xp.engine.decider.defaults.index.name) == (
        "int64",
        300,
        "int64",
    )
    assert int(xp.searchsorted(x, xp.ones(1, dtype="int8"))[0]) == 300
    assert supremum.namespace("jax", x64=False).engine.decider.defaults.index.name == "int32"


def test_rules_of_ones_own_without_weak_numbers():
    xp = own(ARROWS)
    x = xp.ones(2, dtype="int8")
    for made, dtype in (
        (xp.asarray(1), "int16"),
        (xp.asarray(1.5), "float16"),
        (x + xp.asarray(1), "int16"),
        (x / x, "float16"),
        (xp.zeros(2), "float16"),
    ):
        assert (made.dtype.name, made.weak_type) == (dtype, False)
    with pytest.raises(supremum.PromotionError) as caught:
        x + 1
    assert str(caught.value) == (
        "on the numpy backend: cannot apply add to int8[2] and 1 under mine rules: int* is not "
        "supported by these rules; cast to int8 first"
    )


def test_a_number_of_a_kind_that_rules_lack_is_refused():
    with pytest.raises(supremum.PromotionError) as caught:
        own(WEAK).asarray(1j)
    assert str(caught.value) == (
        "cannot promote complex128 under mine rules: complex128 is not supported by these rules; "
        "cast to bool, int8, int16 or float16 first"
    )


LATTICE = "i8 -> i16 -> f16"
TABLE = supremum.custom.Table(
    (a := supremum.dtype("int8"), b := supremum.dtype("float16")),
    {(a, a): a, (a, b): b, (b, a): b, (b, b): b},
)


@pytest.mark.parametrize(
    "rules",
    [
        supremum.custom.PromotionSystem.from_lattice(LATTICE, name="mine"),
        supremum.custom.PromotionSystem("mine", TABLE),
        supremum.system("jax-lax"),
    ],
    ids=["lattice", "table", "jax-lax"],
)
def test_rules_without_bool_have_what_comparisons_give(rules):
    xp = supremum.namespace(rules, backend="numpy")
    x, y = (xp.asarray([1, 2, 3], dtype=name) for name in ("int8", "float16"))
    big = x > xp.ones_like(x)
    assert (big.dtype, big.tolist()) == (xp.bool, [False, True, True])
    assert xp.all(big | ~big)
    assert xp.any(xp.logical_and(big, y == y[0])).tolist() is False
    assert xp.where(big, x, xp.zeros_like(x)).tolist() == [0, 2, 3]
    assert x[big].tolist() == [2, 3]
    assert xp.asarray(True).dtype == xp.bool
    with pytest.raises(supremum.PromotionError, match=r"add to bool\[3\] and int8\[3\]"):
        big + x


def test_defaults_may_be_dtypes_without_a_short_code():
    xp = own("i8 -> float8_e5m2")
    x = xp.asarray([1, 2], dtype=xp.int8)
    for found in (xp.sin(x), x / x, xp.mean(x), xp.linalg.vector_norm(x)):
        assert found.dtype == xp.float8_e5m2
    assert (x / x).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("order", [(1, 300, 1), (300, 1, 300)])
def test_rules_that_look_at_values_look_at_each(order):
    xp = supremum.namespace("numpy-legacy")
    x = xp.ones(2, dtype="uint8")
    wanted = {1: "uint8", 300: "uint16"}
    for number in order:
        assert (x + number).dtype.name == wanted[number]
        assert xp.where(x > 0, x, number).dtype.name == wanted[number]


def test_what_is_put_together_keeps_dtypes_that_functions_lack():
    narrow = JAX.asarray([1, 2], dtype="int4")
    assert JAX.concat([narrow, narrow]).dtype == JAX.stack([narrow] * 3).dtype == JAX.int4
    with pytest.raises(supremum.PromotionError, match="add is not defined for int4"):
        narrow + narrow


def test_bools_to_the_power_of_two_are_squared_by_the_operator_of_numpy():
    for rules, wanted in {"numpy": "int8", "numpy-legacy": "int8", "jax": "int32"}.items():
        own = supremum.namespace(rules, backend="numpy")
        bools = own.asarray([True, False])
        found = [(bools**2).dtype.name, (bools**3).dtype.name, own.pow(bools, 2).dtype.name]
        assert found == [wanted, *["int32" if rules == "jax" else "int64"] * 2]


BYTES = [1, 2, 250]


@pytest.mark.parametrize(
    ("rules", "bounds", "wanted"),
    [
        ("numpy", (-1, 300), BYTES),
        ("numpy", (-1, None), BYTES),
        ("numpy", (None, 300), BYTES),
        ("numpy", (2, 300), [2, 2, 250]),
        ("numpy", (300, 400), OverflowError),
        ("numpy", (-5, -2), OverflowError),
        ("jax", (-1, 300), OverflowError),
        ("torch", (-1, 300), OverflowError),
        ("array-api", (-1, 300), OverflowError),
    ],
)
def test_bounds_that_a_dtype_does_not_hold(rules, bounds, wanted):
    xp = supremum.namespace(rules, backend="numpy")
    x = xp.asarray(BYTES, dtype=xp.uint8)
    if wanted is OverflowError:
        with pytest.raises(OverflowError, match="the int is treated as uint8"):
            xp.clip(x, *bounds)
        return
    found = xp.clip(x, *bounds)
    assert (found.dtype, found.shape) == (xp.uint8, (3,))
    assert found.tolist() == wanted


@pytest.mark.parametrize(
    ("rules", "ints", "wanted"),
    [
        ("numpy", [2**63], "uint64"),
        ("numpy", [1, 2**63], "float64"),
        ("numpy", [[2**63], [2**64 - 1]], "uint64"),
        ("numpy", [2**64], OverflowError),
        ("torch", [2**63], "uint64"),
        ("torch", [-1, 2**63], supremum.PromotionError),
        ("jax", [2**63], OverflowError),
        ("array-api", [2**63], OverflowError),
    ],
)
def test_ints_in_lists_have_the_dtypes_of_ints_alone(rules, ints, wanted):
    xp = supremum.namespace(rules, backend="numpy")
    if isinstance(wanted, str):
        assert xp.asarray(ints).dtype == wanted
    else:
        with pytest.raises(wanted):
            xp.asarray(ints)


def test_membership_is_strong_where_a_comparison_with_a_number_is_weak():
    x = JAX.asarray([1, 2])
    assert (x == 1.5).weak_type
    assert not JAX.isin(x, 1.5).weak_type
