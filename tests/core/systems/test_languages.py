"""Julia, MATLAB and R, cell by cell: what their documents say, and what R itself gave.

Nothing asks Julia and MATLAB, so what is written here was typed from their documents, in their own
words; the rules are written otherwise.
"""

from itertools import product

import pytest

import supremum
from supremum.core.dtypes import from_code
from supremum.core.operands import Operand, operand
from supremum.core.systems import named

CAVEAT = "by its documents, not confirmed"
INTEGERS = ("u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64")
CODES = ("b", *INTEGERS, "f16", "f32", "f64", "c64", "c128")


def array(code, rank=1):
    return Operand(f"{code}[{'3' * rank}]", from_code(code), False, "array", rank=rank)


def answer(rules, *operands, op=None):
    """Return the code of an answer, or a dash."""
    try:
        return rules.result_type(*operands, op=op).code
    except supremum.PromotionError:
        return "-"


def table(text):
    """Return the cells of a table, row by row."""
    head, *rows = (line.split() for line in text.strip().splitlines())
    return {(a, b): cell for a, *cells in rows for b, cell in zip(head, cells, strict=True)}


# The methods of promote_rule in base/int.jl, float.jl and bool.jl of Julia: the result, and the two
# types it is of. The methods for Complex are in the function below.
PROMOTE_RULES = """
    i16  = i16 with i8 u8
    i32  = i32 with i16 i8 u16 u8
    i64  = i64 with i16 i32 i8 u16 u32 u8
    u16  = u16 with i8 u8
    u32  = u32 with i16 i8 u16 u8
    u64  = u64 with i16 i32 i8 u16 u32 u8
    u8   = u8 with i8
    u16  = u16 with i16
    u32  = u32 with i32
    u64  = u64 with i64
    f16  = f16 with i8 i16 i32 i64 b u8 u16 u32 u64
    f32  = f32 with i8 i16 i32 i64 b u8 u16 u32 u64
    f64  = f64 with i8 i16 i32 i64 b u8 u16 u32 u64
    f32  = f32 with f16
    f64  = f64 with f16 f32
    u8   = u8 with b
    u16  = u16 with b
    u32  = u32 with b
    u64  = u64 with b
    i8   = i8 with b
    i16  = i16 with b
    i32  = i32 with b
    i64  = i64 with b
"""
PARTS = {"c64": "f32", "c128": "f64"}


def promote_rules():
    found = {}
    for line in PROMOTE_RULES.strip().splitlines():
        result, _, pair = line.partition(" = ")
        first, _, others = pair.partition(" with ")
        for other in others.split():
            found[frozenset((first, other))] = result.strip()
    return found


def of_julia(a, b, rules):
    if a == b:
        return a
    if a in PARTS or b in PARTS:  # Complex{T} and S give Complex{promote_type(T, S)}
        part = of_julia(PARTS.get(a, a), PARTS.get(b, b), rules)
        return next(code for code, own in PARTS.items() if own == part)
    return rules[frozenset((a, b))]


def test_every_pair_of_julia_is_what_its_methods_say():
    rules, julia = promote_rules(), supremum.system("julia")
    assert {d.code for d in julia.dtypes} == {*CODES}
    expected = {pair: of_julia(*pair, rules) for pair in product(CODES, repeat=2)}
    assert len(expected) == 196
    found = {pair: answer(julia, *map(array, pair)) for pair in expected}
    assert found == expected


# What base/bool.jl, int.jl, div.jl, intfuncs.jl, reduce.jl and float.jl say of some operators.
@pytest.mark.parametrize(
    ("op", "operands", "result"),
    [
        ("add", "b b", "i64"), ("subtract", "b b", "i64"), ("multiply", "b b", "b"),
        ("negative", "b", "i64"), ("add", "i8 i8", "i8"), ("add", "i64 f32", "f32"),
        ("true_divide", "i8 i8", "f64"), ("true_divide", "b b", "f64"),
        ("true_divide", "i64 f32", "f32"), ("true_divide", "u64 c64", "c64"),
        ("floor_divide", "i8 u16", "i16"), ("floor_divide", "u16 i8", "u16"),
        ("floor_divide", "i32 u8", "i32"), ("floor_divide", "u8 i32", "u32"),
        ("floor_divide", "b b", "b"), ("floor_divide", "i8 f16", "f16"),
        ("floor_divide", "c64 i8", "-"),
        ("remainder", "i8 u16", "u16"), ("remainder", "u16 i8", "i16"),
        ("power", "i8 i64", "i8"), ("power", "f32 i64", "f32"), ("power", "i64 f32", "f32"),
        ("power", "b b", "b"), ("power", "c64 i64", "c64"),
        ("bitwise_and", "b b", "b"), ("bitwise_and", "i8 u16", "u16"),
        ("bitwise_and", "f32 i8", "-"),
        ("left_shift", "u8 i64", "u8"), ("left_shift", "b b", "i64"),
        ("less", "c64 i8", "-"),
        ("equal", "c64 i8", "b"), ("abs", "c128", "f64"),
        ("sum", "b", "i64"), ("sum", "u8", "u64"), ("sum", "i32", "i64"), ("sum", "f16", "f16"),
        ("prod", "b", "b"), ("prod", "i16", "i64"), ("max", "c64", "-"),
    ],
)  # fmt: skip
def test_an_operator_of_julia_gives_what_its_method_says(op, operands, result):
    assert answer(supremum.system("julia"), *map(array, operands.split()), op=op) == result


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("julia", {True: "b", 2: "i64", 2.5: "f64", 1j: "c128"}),
        ("r", {True: "b", 2: "f64", 2.5: "f64", 1j: "c128"}),
        ("matlab", {True: "b", 2: "f64", 2.5: "f64", 1j: "c128"}),
    ],
)
def test_a_number_has_the_type_of_the_literal(name, numbers):
    rules = supremum.system(name)
    assert {x: answer(rules, operand(x)) for x in numbers} == numbers


def test_an_int_beyond_64_bits_is_refused_by_julia_alone():
    assert answer(supremum.system("julia"), operand(2**63)) == "-"
    assert answer(supremum.system("r"), operand(2**63)) == "f64"


# MathWorks, "Valid Combinations of Unlike Classes", without characters.
CLASSES = """
              integer single  double  logical
    integer   integer integer integer integer
    single    integer single  single  single
    double    integer single  double  double
    logical   integer single  double  logical
"""
# MathWorks, "Integers" and "Floating-Point Numbers": what goes with double, with single and with an
# integer; what is not named there is refused.
OPERATIONS = """
              integer single  double  logical
    integer   -       -       integer -
    single    -       single  single  single
    double    integer single  double  double
    logical   -       single  double  logical
"""
REAL = ("b", *INTEGERS, "f32", "f64")
CLASS = {"b": "logical", "f32": "single", "f64": "double", **dict.fromkeys(INTEGERS, "integer")}
CODE = {"-": "-", "single": "f32", "double": "f64", "logical": "b"}


def of_classes(text, a, b):
    found = table(text)[CLASS[a], CLASS[b]]
    return next(x for x in (a, b) if x in INTEGERS) if found == "integer" else CODE[found]


def test_every_pair_of_a_concatenation_of_matlab_is_as_in_its_table():
    rules = supremum.system("matlab", operation="concatenation")
    expected = {(a, b): of_classes(CLASSES, a, b) for a, b in product(REAL, repeat=2)}
    assert len(expected) == 121
    assert {pair: answer(rules, *map(array, pair)) for pair in expected} == expected


@pytest.mark.parametrize("ranks", [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_every_pair_of_an_operation_of_matlab_is_as_it_says(ranks):
    rules = supremum.system("matlab")
    found, expected = {}, {}
    for a, b in product(REAL, repeat=2):
        said = of_classes(OPERATIONS, a, b)
        if a in INTEGERS and b in INTEGERS:
            said = a if a == b else "-"
        doubles = [rank for code, rank in zip((a, b), ranks, strict=True) if code == "f64"]
        if {CLASS[a], CLASS[b]} == {"integer", "double"} and doubles == [1]:
            said = "-"  # the double must be a scalar
        expected[a, b] = said
        found[a, b] = answer(rules, array(a, ranks[0]), array(b, ranks[1]))
    assert found == expected


def test_a_complex_array_of_matlab_has_the_class_of_its_parts():
    for operation in ("arithmetic", "concatenation"):
        rules = supremum.system("matlab", operation=operation)
        for a, b in product(("b", "f32", "f64", "c64", "c128"), repeat=2):
            if {a, b} & {"c64", "c128"}:
                single = {a, b} & {"f32", "c64"}
                assert answer(rules, array(a), array(b)) == ("c64" if single else "c128")
            assert answer(rules, array("c128"), array("i8")) == "-"


def test_the_first_double_with_dimensions_is_remembered_among_three():
    rules = supremum.system("matlab")
    assert answer(rules, array("f64"), array("f64", 0), array("i8")) == "-"
    assert answer(rules, array("f64", 0), array("i8"), operand(1)) == "i8"
    assert answer(rules, array("b"), array("b"), op="add") == "f64"


# What typeof gives on R 4.2.2: rows and columns are logical, integer, double and complex.
OF_R = {
    "concat": "b i32 f64 c128 | i32 i32 f64 c128 | f64 f64 f64 c128 | c128 c128 c128 c128",
    "add": "i32 i32 f64 c128 | i32 i32 f64 c128 | f64 f64 f64 c128 | c128 c128 c128 c128",
    "multiply": "i32 i32 f64 c128 | i32 i32 f64 c128 | f64 f64 f64 c128 | c128 c128 c128 c128",
    "true_divide": "f64 f64 f64 c128 | f64 f64 f64 c128 | f64 f64 f64 c128 | c128 c128 c128 c128",
    "power": "f64 f64 f64 c128 | f64 f64 f64 c128 | f64 f64 f64 c128 | c128 c128 c128 c128",
    "floor_divide": "i32 i32 f64 - | i32 i32 f64 - | f64 f64 f64 - | - - - -",
    "remainder": "i32 i32 f64 - | i32 i32 f64 - | f64 f64 f64 - | - - - -",
    "equal": "b b b b | b b b b | b b b b | b b b b",
    "less": "b b b - | b b b - | b b b - | - - - -",
    "maximum": "i32 i32 f64 - | i32 i32 f64 - | f64 f64 f64 - | - - - -",
}
KINDS_OF_R = ("b", "i32", "f64", "c128")


@pytest.mark.parametrize("op", OF_R)
def test_every_pair_of_r_is_what_it_gave(op):
    rules = supremum.system("r")
    expected = [row.split() for row in OF_R[op].split("|")]
    found = [[answer(rules, array(a), array(b), op=op) for b in KINDS_OF_R] for a in KINDS_OF_R]
    assert found == expected
    if op == "concat":
        joins = [[answer(rules, array(a), array(b)) for b in KINDS_OF_R] for a in KINDS_OF_R]
        assert joins == expected


# where it is said that nobody asked


def test_only_what_was_not_asked_has_the_caveat():
    unconfirmed = {name for name in supremum.systems() if supremum.system(name).caveat}
    assert unconfirmed == {"julia", "matlab"}
    assert supremum.system("matlab").label == CAVEAT
    joined = supremum.system("matlab", operation="concatenation")
    assert joined.label == f"concatenation, {CAVEAT}"
    assert not supremum.system("r").label


def test_what_can_be_asked_is_confirmed():
    from supremum.conformance import conformable

    assert not {"julia", "matlab"} & {*conformable()}
    assert "r" in conformable()


@pytest.mark.parametrize(
    "words",
    [
        "explain b f32 -s {0}", "explain b f32 -s {0} --format json",
        "explain bool[3]*float32[3] -s {0}", "compare b f32 -s {0} -s numpy",
        "compare b f32 -s {0} --format json", "compare b[3]*f32[3] -s {0}",
        "compare i8[3] i16[3] -s matlab", "table {0}", "table {0} --format markdown",
        "diff {0} numpy", "diff numpy {0} --summary", "diff {0} numpy --format json",
        "systems", "systems {0}", "systems --format json", "laws {0}", "laws {0} --format json",
        "criteria {0}", "draw julia", "export julia", "export julia --to json",
        "export julia --to markdown", "export julia --to rust",
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["julia", "matlab"])
def test_it_is_said_wherever_the_rules_are_shown(run, words, name):
    shown = run(*words.format(name).split())
    assert CAVEAT in " ".join((shown.stdout + shown.stderr).split())


@pytest.mark.parametrize("name", ["julia", "matlab"])
def test_it_is_said_in_refusals_and_on_the_page(name):
    from supremum.show.explore.data import _system
    from supremum.show.explore.encode import Encoder

    with pytest.raises(supremum.PromotionError, match=CAVEAT):
        supremum.result_type("int8", "float8_e5m2", system=name)
    assert _system(Encoder(), named(name))["caveat"] == CAVEAT
