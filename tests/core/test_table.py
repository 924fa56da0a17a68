"""Joins that are written down pair by pair."""

import pickle

import pytest

import supremum
from supremum.core.table import REFUSED
from supremum.custom import LatticeError, NoJoinError, PromotionSystem, Table

TEXT = """
       a  b  c
    a  a  b! -
    b  b  b  c
    c  -  c  c
"""


@pytest.fixture
def table():
    return Table.parse(TEXT)


def test_a_table_is_read_row_by_row(table):
    assert table.nodes == ("a", "b", "c")
    assert table.rows() == [["a", "b", None], ["b", "b", "c"], [None, "c", "c"]]
    assert table["a", "b"] == "b"
    assert table["a", "c"] is None
    assert REFUSED == "-"


def test_a_mark_is_no_part_of_the_answer(table):
    assert table.marked == {("a", "b")}


def test_a_table_knows_its_nodes(table):
    assert "a" in table
    assert "z" not in table
    assert len(table) == 3
    assert table["z", "a"] is None


def test_a_table_need_not_be_symmetric():
    table = Table("ab", {("a", "b"): "b"})
    assert table["a", "b"] == "b"
    assert table["b", "a"] is None


@pytest.mark.parametrize(
    ("nodes", "answer", "steps"),
    [
        (["a"], "a", [("a", "a", "a", "")]),
        (["a", "b"], "b", [("a", "b", "b", "")]),
        (["a", "b", "c"], "c", [("a", "b", "b", ""), ("b", "c", "c", "")]),
        (
            ["a", "b", "c", "b"],
            "c",
            [("a", "b", "b", ""), ("b", "c", "c", ""), ("c", "b", "c", "")],
        ),
    ],
)
def test_nodes_are_joined_pair_by_pair_from_the_left(table, nodes, answer, steps):
    assert table.join(*nodes) == answer
    assert table.steps(*nodes) == steps


@pytest.mark.parametrize(
    ("nodes", "pair"),
    [
        (["a", "c"], ("a", "c")),
        (["a", "c", "b"], ("a", "c")),
        (["a", "a", "c"], ("a", "c")),
        (["z"], ("z", "z")),
        (["b", "z"], ("b", "z")),
    ],
)
def test_the_first_pair_without_an_answer_is_named(golden, table, nodes, pair):
    with pytest.raises(NoJoinError) as caught:
        table.join(*nodes)
    golden(caught.value)
    assert caught.value.nodes == pair


def test_a_single_node_without_an_answer_for_itself_is_refused():
    with pytest.raises(NoJoinError):
        Table("a", {}).join("a")


def test_a_join_of_no_nodes_is_refused(golden, table):
    with pytest.raises(LatticeError) as caught:
        table.join()
    golden(caught.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", None),
        ("\n  \n", None),
        ("a b\na a", 2),
        ("a b\na a b\n\nb b b b", 4),
        ("a\na z", 2),
        ("a b\na a b\nb a !", 3),
    ],
)
def test_text_that_is_not_a_table_is_refused(golden, text, line):
    with pytest.raises(LatticeError) as caught:
        Table.parse(text)
    golden(caught.value)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a b\na a b\na a a\nb b b", "a"),
        ("a b a\na a b a\nb b b b", "a"),
        ("a b\na a b", "b"),
        ("a\na a\nb a", "b"),
    ],
)
def test_rows_and_columns_have_the_same_names_once_each(golden, text, name):
    with pytest.raises(LatticeError) as caught:
        Table.parse(text)
    golden(caught.value)
    assert caught.value.nodes == (name,)


def test_an_answer_without_a_row_is_refused(golden):
    with pytest.raises(LatticeError) as caught:
        Table("ab", {("a", "b"): "c"})
    golden(caught.value)
    assert caught.value.nodes == ("a", "b")


def test_a_part_keeps_its_cells_its_marks_and_answers_from_elsewhere(table):
    part = table.only("ba")
    assert part.nodes == ("b", "a")
    assert part.rows() == [["b", "b"], ["b", "a"]]
    assert part.marked == {("a", "b")}
    wider = Table("abc", {("a", "b"): "c", ("c", "c"): "c"}).only("ab")
    assert wider.rows() == [[None, "c"], [None, None]]
    assert wider.nodes == ("a", "b")


def test_differences_are_the_shared_pairs_that_answer_differently(table):
    other = Table.parse("b a z\n b b a z\n a b a z\n z z z z")
    assert table.differences(other) == [("b", "a")]
    assert other.differences(table) == [("b", "a")]
    assert table.differences(table) == []


def test_an_answer_and_a_refusal_differ(table):
    other = Table("abc", {**cells(table), ("a", "c"): "c"})
    assert table.differences(other) == [("a", "c")]


def test_nodes_can_be_renamed(table):
    upper = table.map(str.upper)
    assert upper.nodes == ("A", "B", "C")
    assert upper.rows()[0] == ["A", "B", None]
    assert upper.marked == {("A", "B")}
    assert table.map(str.upper, "CBA").nodes == ("C", "B", "A")


def test_tables_are_equal_when_their_answers_are(table):
    assert table == Table("cba", cells(table))
    assert hash(table) == hash(Table("cba", cells(table)))
    assert table != Table("abc", {})
    assert table != Table("abcd", cells(table))
    assert table != TEXT


def test_a_table_says_how_large_it_is(table, golden):
    golden(repr(table))


def test_a_table_pickles(table):
    again = pickle.loads(pickle.dumps(table))
    assert again == table
    assert again.marked == table.marked


def cells(table):
    return {
        (a, b): table[a, b] for a in table.nodes for b in table.nodes if table[a, b] is not None
    }


@pytest.mark.parametrize(
    "table",
    [
        "      i8   int8\ni8    i8   i8\nint8  i8   i8",
        "      i8   u8\ni8    i8   u8\nint8  i8   i8\nu8    i8   i8",
        {"i8": {"i8": "i8"}, "int8": {"i8": "i8"}},
        {"i8": {"i8": "i8", "int8": "u8"}, "u8": {"u8": "u8"}},
    ],
    ids=["rows and columns", "rows", "mapping", "row of a mapping"],
)
def test_a_table_may_not_name_one_dtype_twice(table):
    with pytest.raises(supremum.custom.LatticeError):
        PromotionSystem.from_table(table)
