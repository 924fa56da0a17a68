"""The rules of libraries: the laws that they keep and break, their options, and what they say.

What they answer is asked of the libraries themselves, by `conform`.
"""

from functools import cache
from itertools import product

import pytest

import supremum
from supremum import dtype
from supremum.core.operands import parse

pytestmark = pytest.mark.thorough

DOCUMENTS = {name for name in supremum.systems() if name.startswith("jep9407-")}
DOCUMENTS |= {"jax-original", "python"}
ALL = [
    (name, dict(zip(supremum.options(name), values, strict=True)))
    for name in supremum.systems()
    for values in product(*supremum.options(name).values())
]


@cache
def checked(name, **options):
    return supremum.laws(supremum.system(name, **options))


def parsed(x):
    return parse(x) if isinstance(x, str) else x


def test_numpy_adds_up_otherwise_by_the_grouping_and_both_sums_are_shown():
    law = checked("numpy")["associativity"]
    assert {d.name for d in law.operands} == {"int8", "uint8", "float16"}
    a, b, c = law.operands
    numpy = supremum.system("numpy")
    left, right = numpy.promote_types(a, b), numpy.promote_types(b, c)
    first, second = numpy.promote_types(left, c), numpy.promote_types(a, right)
    assert {first.name, second.name} == {"float16", "float32"}
    assert law.counterexample == (
        f"({a} ∨ {b}) ∨ {c} = {left} ∨ {c} = {first}",
        f"{a} ∨ ({b} ∨ {c}) = {a} ∨ {right} = {second}",
    )


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("mlx", {}),
        ("polars", {"operation": "expression"}),
        ("polars", {"operation": "series"}),
        ("polars", {"operation": "concat"}),
        ("tensorflow", {"mode": "safe"}),
        ("tensorflow", {"mode": "explicit"}),
        ("pyarrow", {"operation": "concat"}),
        ("torch", {}),
    ],
)
def test_the_order_of_three_operands_matters_and_the_report_shows_how(name, options):
    law = checked(name, **options)["n-ary order"]
    assert not law.holds
    assert len(law.counterexample) >= 2
    answers = {line.rpartition(" = ")[2] for line in law.counterexample}
    assert len(answers) == len(law.counterexample)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("jax", {}),
        ("jax", {"x64": False}),
        ("jax", {"mode": "strict"}),
        ("jax-lax", {}),
        *(("keras", options) for name, options in ALL if name == "keras"),
        ("tensorflow", {"mode": "all"}),
        ("array-api", {"version": "2024.12"}),
        ("pyarrow", {"operation": "add"}),
        ("torch", {"version": "1.10"}),
    ],
)
def test_neither_order_nor_grouping_matters(name, options):
    assert checked(name, **options).hold


@pytest.mark.parametrize("name", ["dpnp", "tinygrad", "numpy-legacy"])
def test_the_grouping_matters_and_the_order_does_not(name):
    found = checked(name)
    assert not found["associativity"].holds
    assert found["n-ary order"].holds
    assert found["commutativity"].holds


def test_the_order_matters_in_numpy_for_dtypes_of_ml_dtypes_alone():
    numpy = supremum.system("numpy")
    own = [d for d in numpy.dtypes if not d.weak and d.name != "bfloat16"]
    own = [d for d in own if d.kind == "bool" or d.bits >= (8 if "int" in d.name else 16)]
    own = [d for d in own if d.name not in ("complex32", "bcomplex32")]

    class Own:
        name, dtypes = "numpy's own", tuple(own)
        promote_types = staticmethod(numpy.promote_types)

    found = supremum.laws(Own())
    assert found["n-ary order"].holds
    assert not found["associativity"].holds
    assert not checked("numpy")["n-ary order"].holds


@pytest.mark.parametrize(("name", "options"), ALL, ids=str)
def test_every_value_of_every_option_builds(name, options):
    rules = supremum.system(name, **options)
    assert rules.name == name
    assert rules.setting == options
    assert rules.source
    assert rules.dtypes
    assert bool(rules.version) == (name not in DOCUMENTS)


@pytest.mark.parametrize(("name", "options"), ALL, ids=str)
def test_a_dtype_with_itself_is_itself_or_refused_with_what_to_do(name, options):
    rules = supremum.system(name, **options)
    for d in rules.dtypes:
        if d.weak:
            continue
        try:
            assert rules.promote_types(d, d) is d
        except supremum.PromotionError as error:
            assert f"cannot promote {d} and {d} under " in str(error)  # noqa: PT017  # it may also answer
            assert "cast" in str(error)  # noqa: PT017  # it may also answer


@pytest.mark.parametrize(("name", "options"), ALL, ids=str)
def test_what_some_rules_lack_they_refuse_with_what_they_have(name, options):
    rules = supremum.system(name, **options)
    missing = [dtype(text) for text in ("float8_e8m0fnu", "bcomplex32", "int32") if
               dtype(text) not in rules.dtypes]  # fmt: skip
    for d in missing:
        with pytest.raises(supremum.PromotionError) as caught:
            rules.promote_types(d, rules.dtypes[0])
        assert f"{d} is not supported by these rules; cast to " in str(caught.value)


@pytest.mark.parametrize(("name", "options"), ALL, ids=str)
def test_every_answer_of_a_pair_is_a_dtype_of_the_rules(name, options):
    rules = supremum.system(name, **options)
    table = rules.table()
    answers = {table[a, b] for a, b in product(rules.dtypes, repeat=2)} - {None}
    assert answers <= set(rules.dtypes)


REFUSED = [
    ("numpy", 2**70),
    ("torch", "uint16[]", "int8[]", "bfloat16[]"),
    ("tensorflow:mode=all", "int8[3]", 2**31),
    ("tensorflow", "int8[3]", "int16[3]"),
    ("tensorflow", 1.0, "float64[3]"),
    ("mlx", "int8[3]", 300),
    ("paddle", "int8[3]", "int16[3]"),
    ("pyarrow", "float32[3]", 2**24 + 1),
    ("pyarrow", "float16[3]", "float16[3]"),
    ("pandas:operation=concat", "bool[3]", "int8[3]"),
    ("numba", 2**64),
    ("ndonnx", "float16[3]", "bool[3]", "int8[3]"),
    ("duckdb", "uint64[3]", "int8[3]"),
    ("pytensor", "bool[3]", True),
    ("dpnp:fp64=false", "float64[3]", "int8[3]"),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: " ".join(map(str, case)))
def test_a_refusal_says_why_and_what_to_do(case, golden):
    name, *operands = case
    with pytest.raises(supremum.PromotionError) as caught:
        supremum.system(name).result_type(*map(parsed, operands))
    golden(caught.value)


def test_a_tie_of_tinygrad_is_marked_and_told(golden):
    rules = supremum.system("tinygrad")
    pair = dtype("float8_e4m3fn"), dtype("float8_e5m2")
    assert pair in rules.table().marked
    assert len(rules.table().marked) == 12
    told = rules.explain(*pair)
    assert told.result is dtype("float16")
    golden(told.reason)


def test_an_explanation_of_pytorch_says_which_operands_give_way(golden):
    told = str(supremum.system("torch").explain(*map(parse, ("int64[3]", "int8[]"))))
    assert "  int64[3]" in told
    assert "array, 0-d" in told
    golden(told)


@pytest.mark.parametrize("op", ["equal", "power", "logical_and"])
@pytest.mark.parametrize("other", ["float16", "bfloat16", "complex64"])
def test_dtypes_that_duckdb_lacks_are_refused_beside_one_that_decides_alone(op, other):
    with pytest.raises(supremum.PromotionError, match=f"{other} is not supported|take {other}"):
        supremum.explain("int8", other, op=op, system="duckdb")


def test_what_does_not_change_the_dtype_is_named():
    note = supremum.explain("int8", "float32", op="true_divide", system="duckdb").note
    assert note == "the dtype does not depend on int8"
