"""Explanations, word by word: what they print, and what they carry."""

import copy
import json
import pickle

import numpy as np
import pytest

import supremum
from supremum import PromotionSystem, dtype
from supremum.core import operands


class WeakArray:
    """A weakly typed array, as JAX's operators give."""

    __module__ = "jax"
    shape = (3,)
    dtype = np.dtype("float32")
    weak_type = True

    def __repr__(self):
        return "weak"


NARROW = supremum.system("jax", x64=False)
STRICT = supremum.system("jax", mode="strict")

PRINTED = [
    (
        ["int32", "float16", 1.0],
        "jax",
        """
float16                                        jax rules, x64 on

  int32     dtype                  int32 → int64 → float* → float16
  float16   dtype                  float16
  1.0       Python float, weak     float* → float16

float16 is the least dtype that all three reach: in these rules every float is above every integer.
May lose precision: int32 carries 31 bits, float16 carries 11.
May overflow: int32 reaches 2147483647, float16 reaches 65504.
""",
    ),
    (
        ["int16", 1],
        "jax",
        """
int16                                          jax rules, x64 on

  int16     dtype                  int16
  1         Python int, weak       int* → int8 → int16

int16 is the least dtype that both reach: a weak dtype takes the width of what it meets.
""",
    ),
    (
        [1, 1.0],
        "jax",
        """
float64                                        jax rules, x64 on

  1         Python int, weak       int* → int8 → int16 → int32 → int64 → float*
  1.0       Python float, weak     float*

float* is the least dtype that both reach.
float* is weak, and its default width is float64.
""",
    ),
    (
        ["uint8"],
        "jax",
        """
uint8                                          jax rules, x64 on

  uint8     dtype                  uint8

Only one operand; its dtype is kept.
""",
    ),
    (
        [np.ones((2, 3), np.float32), np.float64(1), "float64"],
        "jax",
        """
float64                                              jax rules, x64 on

  float32[2, 3]   NumPy array            float32 → float64
  float64()       NumPy scalar           float64
  float64         dtype                  float64

float64 is the least dtype that all three reach.
""",
    ),
    (
        ["bool", np.True_],
        "jax",
        """
bool                                           jax rules, x64 on

  bool      dtype                  bool
  bool()    NumPy scalar           bool

All operands are bool.
""",
    ),
    (
        ["uint8", "int8"],
        "jax",
        """
int16                                          jax rules, x64 on

  uint8     dtype                  uint8 → int16
  int8      dtype                  int8 → int16

int16 is the least dtype that both reach: it holds the values of each.
Wider than every operand: 16 bits, where they have 8.
""",
    ),
    (
        ["bfloat16", "float16"],
        "jax",
        """
float32                                         jax rules, x64 on

  bfloat16   dtype                  bfloat16 → float32
  float16    dtype                  float16 → float32

float32 is the least dtype that both reach: neither bfloat16 nor float16 is above the other.
Wider than every operand: 32 bits, where they have 16.
""",
    ),
    (
        [WeakArray(), 1],
        "jax",
        """
float64                                                        jax rules, x64 on

  float32[3]   JAX array, weak                     float32
  1            Python int, weak, treated as int64  int64 → float* → float16 → float32

float32 is the least dtype that both reach: in these rules every float is above every integer.
Every operand is weak, so float32 is weak, and its default width is float64.
""",
    ),
    (
        [np.int64(1), 1.5],
        NARROW,
        """
float32                                                 jax rules, x64 off

  int64()   NumPy scalar, treated as int32  int32 → int64 → float*
  1.5       Python float, weak              float*

float* is the least dtype that both reach.
float* is weak, and its default width is float32.
May lose precision: int64 carries 63 bits, float32 carries 24.
""",
    ),
    (
        ["uint32", "int32"],
        NARROW,
        """
int32                                          jax rules, x64 off

  uint32    dtype                  uint32 → int32
  int32     dtype                  int32

int32 is the least dtype that both reach.
May lose precision: uint32 carries 32 bits, int32 carries 31.
May overflow: uint32 reaches 4294967295, int32 reaches 2147483647.
""",
    ),
    (
        ["int32", 1],
        STRICT,
        """
int32                                          jax rules, x64 on, strict

  int32     dtype                  int32
  1         Python int, weak       int* → int32

int32 is the least dtype that both reach: a weak dtype takes the width of what it meets.
""",
    ),
    (
        ["uint64", "int8", "bfloat16"],
        "jax-original",
        """
float64                                         jax-original rules

  uint64     dtype                  uint64 → float64
  int8       dtype                  int8 → float64
  bfloat16   dtype                  bfloat16 → float64

Step by step: uint64 and int8 give float64 (uint64 and int8 have no integer dtype in common, \
so they meet in float64), then float64 and bfloat16 give float64 (float64 holds every value of \
bfloat16).
May lose precision: uint64 carries 64 bits, float64 carries 53.
""",
    ),
    (
        [True, 1.5],
        "python",
        """
float*                                         python rules

  True      Python bool, an int    int* → float*
  1.5       Python float, weak     float*

float* is the least dtype that both reach.
""",
    ),
    (
        ["complex64", "bool"],
        PromotionSystem.from_lattice("c64 -> f32 -> i8 -> b", "mine", label="lossy"),
        """
bool                                             mine rules, lossy

  complex64   dtype                  complex64 → float32 → int8 → bool
  bool        dtype                  bool

bool is the least dtype that both reach.
Drops the imaginary part of complex64.
""",
    ),
]


@pytest.mark.parametrize(("operands", "system", "printed"), PRINTED, ids=lambda x: str(x)[:40])
def test_an_explanation_prints_its_three_steps(operands, system, printed):
    assert str(supremum.explain(*operands, system=system)) == printed.strip("\n")


@pytest.mark.parametrize(
    ("count", "said"),
    [(2, "both"), (3, "all three"), (4, "all four"), (5, "all five"), (6, "all 6")],
)
def test_the_reason_counts_the_operands(count, said):
    told = supremum.explain("int8", *["int16"] * (count - 1))
    assert told.reason == f"int16 is the least dtype that {said} reach."


def test_the_reason_says_where_integers_reach_floats_by_arrows_alone():
    told = supremum.explain("uint16", "float16", system="jep9407-option1")
    assert told.reason == (
        "float64 is the least dtype that both reach: "
        "in these rules an integer promotes to a float only along an arrow."
    )


def test_an_explanation_carries_its_steps():
    told = supremum.explain("int32", "float16", 1.0)
    assert told.result is told.node is dtype("float16")
    assert (told.weak, told.system, told.label) == (False, "jax", "x64 on")
    assert told.setting == {"x64": True, "mode": "standard", "version": "0.10.2"}
    assert [op.text for op in told.operands] == ["int32", "float16", "1.0"]
    assert [t.node.name for t in told.classified] == ["int32", "float16", "float*"]
    assert [t.why for t in told.classified] == ["dtype", "dtype", "Python float, weak"]
    assert [[d.name for d in path] for path in told.paths] == [
        ["int32", "int64", "float*", "float16"],
        ["float16"],
        ["float*", "float16"],
    ]
    assert told.join is supremum.system("jax").lattice
    assert told.steps == ()
    assert (told.title, told.applied) == ("JAX", None)
    assert told.settled == (dtype("float16"), False, "")
    assert repr(told) == "<Explanation: float16 of int32, float16, 1.0 under jax rules>"


@pytest.mark.parametrize(
    ("operands", "weak"),
    [([1], True), ([1, 1.5], True), ([1, "int8"], False), ([WeakArray()], True), ([True], False)],
    ids=str,
)
def test_a_result_goes_on_deferring_where_every_operand_does(operands, weak):
    assert supremum.explain(*operands).weak is weak


def test_an_explanation_of_a_table_has_the_ends_of_each_path():
    told = supremum.explain("uint64", "int8", "float64", system="jax-original")
    assert [[d.name for d in path] for path in told.paths] == [
        ["uint64", "float64"],
        ["int8", "float64"],
        ["float64"],
    ]


def test_an_explanation_is_plain_data_too():
    told = supremum.explain("int64", 1, system=NARROW)
    plain = told.as_dict()
    assert plain == {
        "result": "int32",
        "weak": False,
        "system": "jax",
        "setting": {"x64": False, "mode": "standard", "version": "0.10.2"},
        "operands": [
            {
                "operand": "int64",
                "dtype": "int64",
                "taken_as": "int32",
                "why": "dtype, treated as int32",
                "path": ["int32"],
            },
            {
                "operand": "1",
                "dtype": "int*",
                "taken_as": "int*",
                "why": "Python int, weak",
                "path": ["int*", "int8", "int16", "int32"],
            },
        ],
        "node": "int32",
        "steps": [],
        "reason": (
            "int32 is the least dtype that both reach: "
            "a weak dtype takes the width of what it meets."
        ),
        "settled": "",
        "function": None,
        "aside": "",
        "losses": [
            "May lose precision: int64 carries 63 bits, int32 carries 31.",
            "May overflow: int64 reaches 9223372036854775807, int32 reaches 2147483647.",
        ],
    }
    assert json.loads(json.dumps(plain)) == plain


def test_settling_is_plain_data_too():
    plain = supremum.explain("uint64", "int64").as_dict()
    assert (plain["result"], plain["node"], plain["weak"]) == ("float64", "float*", True)
    assert plain["settled"] == "float* is weak, and its default width is float64."


def test_every_explanation_agrees_with_the_answer(asked):
    for system in ("jax", "jax-original", "jep9407-option2"):
        rules = supremum.system(system)
        for a in rules.dtypes:
            for b in rules.dtypes:
                if asked(rules, a, b) is None:
                    continue
                told = rules.explain(a, b)
                assert told.node is rules.promote_types(a, b)
                assert told.result is rules.result_type(a, b)
                assert all(path[-1] is told.node for path in told.paths)
                assert str(told).startswith(f"{told.result} ")


def test_a_refusal_is_refused_and_not_explained_away():
    with pytest.raises(supremum.PromotionError) as caught:
        supremum.explain("int32", "float32", system="jax-lax")
    assert str(caught.value) == (
        "cannot promote int32 and float32 under jax.lax rules (x64 on): "
        "jax.lax does not promote: its operands must have one dtype; jax.numpy promotes them; "
        "cast to float32 first, for example with x.astype('float32')"
    )


def test_an_exponent_that_does_not_join_is_said_not_to_count():
    power = supremum.explain("bool", 2, op="pow")
    assert power.result is dtype("int32")
    assert power.reason == "Only bool decides."
    assert power.note == "2 does not change the dtype"
    assert supremum.explain("bool", "int8", op="pow").note == ""


def test_a_reason_that_begins_with_an_operand_is_written_as_it_is():
    """An array may be called x, or be weak; neither is a word that begins a sentence."""
    read = [operands.parse("float32[3]"), operands.parse("int8[]")._replace(text="x")]
    assert (
        supremum.system("torch").explain(*read).reason
        == "x, without dimensions, defers to float32."
    )


@pytest.mark.parametrize("name", supremum.systems())
def test_an_explanation_can_be_pickled_and_copied(name):
    dtypes = supremum.system(name).dtypes
    why = supremum.explain(min(dtypes, key=lambda d: (d.weak, d.kind == "bool")), system=name)
    for again in (pickle.loads(pickle.dumps(why)), copy.deepcopy(why)):  # our own
        assert str(again) == str(why)
        assert again.setting == why.setting
