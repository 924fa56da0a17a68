"""The laws: which rules keep them, and the counterexamples of those that do not."""

from functools import cache
from itertools import combinations_with_replacement, permutations, product

import pytest

import supremum
from supremum import PromotionError, RulesError, dtype
from supremum.custom import PromotionSystem

NAMES = [
    "existence",
    "idempotence",
    "commutativity",
    "associativity",
    "monotonicity",
    "n-ary order",
]


class Rules:
    """Rules of a few dtypes that join from the left, written as a mapping of pairs."""

    name = "mine"

    def __init__(self, dtypes, cells):
        self.dtypes = tuple(map(dtype, dtypes))
        self.cells = cells

    def promote_types(self, first, *rest):
        for other in rest:
            first = self.cells[first, other]
            if first is None:
                raise PromotionError("refused")
        return first


class LastWins(Rules):
    """Rules that answer three dtypes or more with the last one, whatever their pairs say."""

    def promote_types(self, *dtypes):
        return dtypes[-1] if len(dtypes) > 2 else super().promote_types(*dtypes)


@cache
def checked_jax(x64, mode):
    return supremum.laws(supremum.system("jax", x64=x64, mode=mode))


def broken(found):
    return [law.name for law in found.laws if not law.holds]


@pytest.mark.parametrize("x64", [True, False])
@pytest.mark.parametrize("mode", ["standard", "strict"])
def test_jax_keeps_every_law(x64, mode):
    found = checked_jax(x64, mode)
    assert broken(found) == []
    assert found.hold
    assert all(law.counterexample == law.operands == () for law in found.laws)
    assert [law.cases for law in found.laws if law.name != "monotonicity"] == [
        35**2,
        35,
        35**2,
        35**3,
        35 * 36 * 37 // 6,
    ]


@pytest.mark.parametrize(
    ("x64", "mode", "refused", "comparable"),
    [
        (True, "standard", (618, 0, 618, 32_562, 5_736), 305),
        (False, "standard", (618, 0, 618, 32_562, 5_736), 306),
        (True, "strict", (1_084, 0, 1_084, 42_390, 7_607), 88),
        (False, "strict", (1_084, 0, 1_084, 42_390, 7_607), 88),
    ],
)
def test_what_jax_refuses_is_counted(x64, mode, refused, comparable):
    rules = supremum.system("jax", x64=x64, mode=mode)
    found = checked_jax(x64, mode)
    counts = tuple(law.refused for law in found.laws if law.name != "monotonicity")
    assert counts == refused
    assert found["existence"].refused == sum(map(sum, unanswered(rules.table())))
    assert found["monotonicity"].cases == 35 * comparable
    assert sum(rules.lattice.leq(a, b) for a, b in product(rules.dtypes, repeat=2)) == comparable


def unanswered(table):
    return [[answer is None for answer in row] for row in table.rows()]


ON_LATTICES = [n for n in supremum.systems() if supremum.system(n).lattice is not None]


@pytest.mark.parametrize("name", [n for n in ON_LATTICES if not n.startswith("jax")])
def test_rules_on_a_lattice_keep_every_law(name):
    assert broken(supremum.laws(supremum.system(name))) == []


@pytest.mark.parametrize("x64", [True, False])
def test_rules_that_promote_nothing_keep_every_law(x64):
    found = supremum.laws(supremum.system("jax-lax", x64=x64))
    assert broken(found) == []
    assert (found["existence"].cases, found["existence"].refused) == (34**2, 34**2 - 40)


def test_the_original_rules_fail_associativity(golden):
    found = supremum.laws(supremum.system("jax-original"))
    golden(found)
    assert found["associativity"].operands == tuple(map(dtype, ["uint64", "int8", "float16"]))
    assert not found.hold


def test_numpys_triple_of_the_document_is_a_counterexample():
    rules = PromotionSystem.from_table(
        """
              u8   i8   i16  f16  f32
        u8    u8   i16  i16  f16  f32
        i8    i16  i8   i16  f16  f32
        i16   i16  i16  i16  f32  f32
        f16   f16  f16  f32  f16  f32
        f32   f32  f32  f32  f32  f32
        """,
        "numpy's",
    )
    found = supremum.laws(rules)
    assert found["associativity"].counterexample == (
        "(uint8 ∨ int8) ∨ float16 = int16 ∨ float16 = float32",
        "uint8 ∨ (int8 ∨ float16) = uint8 ∨ float16 = float16",
    )


BREAKING = {
    "a join that meets none of its operands": (
        """
              i8   i16  i32
        i8    -    i32  -
        i16   i32  -    -
        i32   -    -    -
        """,
        {
            "existence": (
                "int8 ∨ int16 = int32",
                "int8 ∨ int32 = refused",
                "int16 ∨ int32 = refused",
            )
        },
    ),
    "a dtype that is not itself": (
        """
              i8   i16
        i8    i8   i8
        i16   i8   i8
        """,
        {"idempotence": ("int16 ∨ int16 = int8",)},
    ),
    "the right operand wins": (
        """
              i8   i16
        i8    i8   i16
        i16   i8   i16
        """,
        {
            "commutativity": ("int8 ∨ int16 = int16", "int16 ∨ int8 = int8"),
            "n-ary order": (
                "promote_types(int8, int16, int8) = int8",
                "promote_types(int8, int8, int16) = int16",
            ),
        },
    ),
    "each beats another, in a ring": (
        """
              i8   i16  i32
        i8    i8   i8   i32
        i16   i8   i16  i16
        i32   i32  i16  i32
        """,
        {
            "associativity": (
                "(int8 ∨ int16) ∨ int32 = int8 ∨ int32 = int32",
                "int8 ∨ (int16 ∨ int32) = int8 ∨ int16 = int8",
            ),
            "monotonicity": (
                "int8 ≤ int32, since int8 ∨ int32 = int32",
                "int8 ∨ int16 = int8, which is not ≤ int32 ∨ int16 = int16",
            ),
            "n-ary order": (
                "promote_types(int16, int32, int8) = int8",
                "promote_types(int8, int16, int32) = int32",
                "promote_types(int8, int32, int16) = int16",
            ),
        },
    ),
}


@pytest.mark.parametrize(("table", "counterexamples"), BREAKING.values(), ids=BREAKING)
def test_each_law_can_be_broken_and_is_shown_with_both_sides(table, counterexamples):
    found = supremum.laws(PromotionSystem.from_table(table))
    shown = {law.name: law.counterexample for law in found.laws if not law.holds}
    assert shown == counterexamples


def test_the_tables_that_break_laws_break_each_of_them():
    assert {law for _, counterexamples in BREAKING.values() for law in counterexamples} == {*NAMES}


def test_the_order_of_three_operands_can_matter_where_that_of_two_does_not():
    a, b = dtype("int8"), dtype("int16")
    cells = {(a, a): a, (a, b): b, (b, a): b, (b, b): b}
    assert supremum.laws(Rules(["int8", "int16"], cells)).hold
    found = supremum.laws(LastWins(["int8", "int16"], cells))
    assert broken(found) == ["n-ary order"]
    assert (
        found["n-ary order"].counterexample
        == (
            "promote_types(int8, int8, int16) = int16",
            "promote_types(int8, int16, int8) = int8",
        )[::-1]
    )
    assert found["n-ary order"].failures == 2


def test_a_grouping_that_is_refused_where_another_is_not_is_a_failure():
    rules = PromotionSystem.from_table(
        """
              i8   u8   i16
        i8    i8   i16  -
        u8    i16  u8   -
        i16   -    -    i16
        """
    )
    assert supremum.laws(rules)["associativity"].counterexample == (
        "(uint8 ∨ uint8) ∨ int8 = uint8 ∨ int8 = int16",
        "uint8 ∨ (uint8 ∨ int8) = uint8 ∨ int16 = refused",
    )


def test_rules_that_refuse_everything_fail_nothing():
    found = supremum.laws(PromotionSystem.from_table("i8 i16\ni8 - -\ni16 - -"))
    assert broken(found) == []
    assert [(law.cases, law.refused) for law in found.laws] == [
        (4, 4),
        (2, 2),
        (4, 4),
        (8, 8),
        (0, 0),
        (4, 4),
    ]


def test_every_table_of_two_dtypes_is_judged_as_by_the_formulas():
    a, b = dtype("int8"), dtype("int16")
    pairs = list(product((a, b), repeat=2))
    verdicts = set()
    for answers in product((a, b, None), repeat=4):
        cells = dict(zip(pairs, answers, strict=True))
        found = supremum.laws(Rules(["int8", "int16"], cells))
        expected = by_the_formulas((a, b), cells)
        assert [law.failures for law in found.laws] == expected
        verdicts.add(tuple(broken(found)))
    assert len(verdicts) == 19


def by_the_formulas(dtypes, cells):
    """Return how many cases break each law, written down as in a textbook."""

    def join(a, b):
        return None if a is None or b is None else cells[a, b]

    def at_most(a, b):
        return join(a, b) is b

    answered = [(a, b, c) for (a, b), c in cells.items() if c is not None]
    triples = list(product(dtypes, repeat=3))
    return [
        sum(not (at_most(a, c) and at_most(b, c)) for a, b, c in answered),
        sum(cells[a, a] not in (a, None) for a in dtypes),
        sum(cells[a, b] is not cells[b, a] for a, b in cells),
        sum(join(join(a, b), c) is not join(a, join(b, c)) for a, b, c in triples),
        sum(
            at_most(a, b)
            and join(b, c) not in (None, join(a, c))
            and not at_most(join(a, c), join(b, c))
            for a, b, c in triples
        ),
        sum(
            len({join(join(a, b), c) for a, b, c in permutations(triple)}) > 1
            for triple in combinations_with_replacement(dtypes, 3)
        ),
    ]


def test_an_operation_on_three_operands_does_not_depend_on_their_order():
    dtypes = supremum.system("jax").dtypes
    usual = [d.name for d in dtypes if d.weak or d.bits > 8 or d.name in ("bool", "uint8", "int8")]
    operands = [*usual, "int4", "float8_e5m2", True, 1, 1.5, 2j]
    tried = 0
    for x64 in (True, False):
        rules = supremum.system("jax", x64=x64)

        def answer(*operands, rules=rules):
            try:
                return rules.result_type(*operands)
            except PromotionError:
                return None

        for triple in combinations_with_replacement(operands, 3):
            assert len({answer(*p) for p in permutations(triple)}) == 1
            tried += 1
    assert tried == 2 * 24 * 25 * 26 // 6


def test_a_report_says_what_was_tried(golden):
    found = supremum.laws(supremum.system("python"))
    assert [law.name for law in found.laws] == NAMES
    assert [law.says for law in found.laws] == [
        "a ∨ b is at or above a and b",
        "a ∨ a = a",
        "a ∨ b = b ∨ a",
        "(a ∨ b) ∨ c = a ∨ (b ∨ c)",
        "a ≤ b gives a ∨ c ≤ b ∨ c",
        "promote_types(a, b, c) in any order",
    ]
    golden(supremum.laws(supremum.system("jep9407-categories")))


def test_a_report_is_plain_data_too():
    found = supremum.laws(PromotionSystem.from_table("i8 i16\ni8 i8 i8\ni16 i8 i8", "mine"))
    plain = found.to_dict()
    assert (plain["system"], plain["hold"]) == ("mine", False)
    assert [row["law"] for row in plain["laws"]] == NAMES
    assert plain["laws"][1] == {
        "law": "idempotence",
        "says": "a ∨ a = a",
        "holds": False,
        "cases": 2,
        "refused": 0,
        "failures": 1,
        "counterexample": ["int16 ∨ int16 = int8"],
        "operands": ["int16"],
    }


@pytest.mark.parametrize("ask", [supremum.laws, supremum.custom.criteria])
def test_what_are_not_rules_is_refused(golden, ask):
    with pytest.raises(RulesError) as caught:
        ask(None)
    golden(caught.value)
