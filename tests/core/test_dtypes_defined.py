"""Dtypes of one's own: what they hold, who knows them, and which are refused."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import supremum
from supremum import DTypeError, dtype
from supremum.core import dtypes
from supremum.custom import PromotionSystem, define

POSIT16 = {"kind": "float", "bits": 16, "precision": 12, "max": 2.0**56, "has_inf": False}
ARROWS = "b -> i8 -> i16 -> posit16 -> f32; f16 -> f32"


@pytest.fixture(autouse=True)
def own():
    """Forget, before and after, the dtypes that were defined."""

    def forget():
        for name in dtypes._DEFINED:
            del dtypes.CATALOGUE[name]
        dtypes._DEFINED.clear()

    before = dict(dtypes._DEFINED), {name: dtypes.CATALOGUE[name] for name in dtypes._DEFINED}
    forget()
    yield
    forget()
    dtypes._DEFINED.update(before[0])
    dtypes.CATALOGUE.update(before[1])


@pytest.fixture
def posit16():
    return define("posit16", **POSIT16)


def refusal(**parts):
    with pytest.raises(DTypeError) as caught:
        define(**{"name": "mine16", **POSIT16, **parts})
    return caught.value


def test_a_dtype_has_the_facts_that_were_given(posit16):
    assert (posit16.name, posit16.kind, posit16.bits, posit16.precision) == (
        "posit16", "float", 16, 12,
    )  # fmt: skip
    assert (posit16.max, posit16.min) == (2.0**56, -(2.0**56))
    assert (posit16.has_inf, posit16.has_nan, posit16.signed_zero) == (False, True, False)
    assert (posit16.weak, posit16.code, posit16.part) == (False, None, posit16)
    assert (posit16.min_exponent, posit16.max_exponent, posit16.smallest_normal) == (None,) * 3
    assert define("other16", **{**POSIT16, "min": 0.0, "min_exponent": -56}).min_exponent == -56


@pytest.mark.parametrize(
    ("kind", "bits", "facts"),
    [
        ("signed", 24, (23, 2**23 - 1, -(2**23))),
        ("unsigned", 24, (24, 2**24 - 1, 0)),
        ("signed", 256, (255, 2**255 - 1, -(2**255))),
        ("bool", 1, (1, 1, 0)),
    ],
)
def test_what_integers_hold_follows_from_their_width(kind, bits, facts):
    d = define("mine", kind=kind, bits=bits)
    assert (d.precision, d.max, d.min) == facts
    assert (d.has_inf, d.has_nan) == (False, False)


def test_what_a_complex_dtype_holds_follows_from_its_part(posit16):
    d = define("cposit32", kind="complex", bits=32, part=posit16)
    assert (d.part, d.bits, d.precision, d.max) == (posit16, 32, 12, 2.0**56)
    assert not d.has_inf
    again = pickle.loads(pickle.dumps(d))
    assert again is d
    assert again.part is posit16


def test_it_is_found_by_its_name_and_written_as_it(golden, posit16):
    assert dtype("posit16") is posit16
    assert "posit16" in supremum.names()
    assert (str(posit16), repr(posit16)) == ("posit16", "supremum.dtype('posit16')")
    assert posit16 == "posit16"
    assert posit16 != "float16"
    with pytest.raises(DTypeError) as caught:
        dtype("posit17")
    golden(caught.value)


def test_copies_and_pickles_are_the_same_object(posit16):
    assert copy.copy(posit16) is posit16
    assert copy.deepcopy([posit16])[0] is posit16
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(posit16, protocol)) is posit16


def in_another_process(code):
    ran = subprocess.run(
        [sys.executable, "-c", f"import pickle, supremum\n{code}"],
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout, ran.stderr.strip().rpartition("\n")[2]


def test_a_pickle_defines_it_in_another_process(posit16):
    part = define("cposit32", kind="complex", bits=32, part=posit16)
    rules = PromotionSystem.from_lattice(ARROWS, "mine")
    pickled = pickle.dumps((part, posit16, rules))
    code = f"""
part, posit16, rules = pickle.loads({pickled!r})
print(posit16, posit16.precision, part.part is posit16, supremum.dtype("posit16") is posit16)
print(rules.promote_types("int16", "posit16") is posit16)
"""
    assert in_another_process(code) == ("posit16 12 True True\nTrue\n", "")


def test_a_pickle_of_another_dtype_of_that_name_is_refused(posit16):
    code = f"""
supremum.custom.define("posit16", kind="float", bits=16, precision=3, max=2.0)
pickle.loads({pickle.dumps(posit16)!r})
"""
    assert in_another_process(code) == (
        "",
        "supremum.core.errors.DTypeError: the dtype 'posit16' is defined here with other facts",
    )


def test_lattices_tables_explanations_laws_and_criteria_know_it(posit16):
    rules = PromotionSystem.from_lattice(ARROWS, "mine")
    assert rules.promote_types("int8", "posit16") is posit16
    assert rules.result_type(posit16, "float16") is dtype("float32")
    assert [d.name for d in rules.dtypes] == [
        "bool", "int8", "int16", "float16", "posit16", "float32",
    ]  # fmt: skip
    told = rules.explain("int16", posit16)
    assert told.result is posit16
    assert str(told).endswith("May lose precision: int16 carries 15 bits, posit16 carries 12.")
    assert supremum.laws(rules).hold
    lost = supremum.custom.criteria(rules)["precision loss"].cases
    assert [[d.name for d in case] for case in lost] == [["int16", "posit16", "posit16"]]
    assert repr(rules) == "<PromotionSystem 'mine': a lattice of 6 dtypes>"
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert supremum.diff(rules, "jax").operands
    table = PromotionSystem.from_table("        posit16 i8\nposit16 posit16 posit16\ni8 posit16 i8")
    assert table.promote_types("int8", posit16) is posit16
    assert "posit16" in supremum.show.render(table.table(), "markdown")
    assert supremum.table(rules, "int8", posit16)[dtype("int8"), posit16] is posit16


def test_rules_that_lack_it_refuse_it(golden, posit16):
    with pytest.raises(supremum.PromotionError) as caught:
        supremum.promote_types(posit16, "int8")
    golden(caught.value)
    (answer,) = supremum.compare(posit16, "int8", systems=["numpy"])
    assert answer.result is None


def test_functions_may_give_it(golden, posit16):
    functions = "sin = integer: posit16; posit16: f32\nadd = posit16: -"
    rules = PromotionSystem.from_lattice(ARROWS, "mine", functions=functions)
    assert rules.result_type("int8", op="sin") is posit16
    assert rules.result_type(posit16, op="sin") is dtype("float32")
    with pytest.raises(supremum.PromotionError) as caught:
        rules.result_type(posit16, posit16, op="add")
    golden(caught.value)


@pytest.mark.parametrize("library", ["numpy", "jax"])
def test_no_library_has_it(golden, posit16, library):
    with pytest.raises(DTypeError) as caught:
        posit16.to(library)
    golden(caught.value)
    with pytest.raises(TypeError):
        np.dtype(posit16)


def test_the_same_dtype_may_be_defined_again(posit16):
    assert define("posit16", **POSIT16) is posit16
    assert define("posit16", **{**POSIT16, "min": -(2.0**56)}) is posit16


@pytest.mark.parametrize(
    "changed",
    [{"precision": 11}, {"max": 2.0}, {"kind": "complex"}, {"bits": 17}, {"has_inf": True}],
)
def test_another_dtype_of_its_name_is_refused(golden, posit16, changed):
    parts = {**POSIT16, **changed}
    if "kind" in changed:
        parts = {"kind": "complex", "bits": 32, "part": posit16}
    with pytest.raises(DTypeError) as caught:
        define("posit16", **parts)
    golden(caught.value)
    assert dtype("posit16") is posit16


@pytest.mark.parametrize(
    "name",
    [
        "float32",
        "bool",
        "i8",
        "f32",
        "half",
        "f4",
        "b",
        "d",
        "longdouble",
        "float128",
        "int",
        "long",
    ],
)
def test_a_name_that_is_or_was_read_as_a_dtype_is_taken(golden, name):
    error = refusal(name=name)
    golden(error)
    assert error.given == name


@pytest.mark.parametrize(
    "name", ["object", "str", "string", "bytes", "datetime64", "void", "category"]
)
def test_a_name_of_what_is_not_a_number_is_taken(name):
    # otherwise NumPy's arrays of objects and text would be read as it
    assert refusal(name=name).given == name


@pytest.mark.parametrize("name", ["", "posit 16", "16posit", "int*", "posit-16", "pósit", 3, None])
def test_what_is_not_a_name_is_refused(golden, name):
    error = refusal(name=name)
    golden(error)
    assert error.given == name


@pytest.mark.parametrize(
    "parts",
    [
        {"bits": 0},
        {"bits": -8},
        {"bits": 1.5},
        {"bits": True},
        {"bits": 1 << 17},
        {"precision": None},
        {"precision": 0},
        {"precision": 17},
        {"max": None},
        {"max": -1.0},
        {"max": float("nan")},
        {"max": float("inf")},
        {"max": "1"},
        {"min": 2.0**57},
        {"kind": "number"},
        {"kind": "complex"},
        {"kind": "complex", "part": "float8_e5m2"},
        {"kind": "complex", "part": dtype("int8")},
        {"kind": "complex", "part": dtype("float32")},
        {"colour": "red"},
        {"weak": True},
    ],
)  # fmt: skip
def test_a_dtype_that_cannot_be_is_refused(golden, parts):
    golden(refusal(**parts))
    assert "mine16" not in supremum.names()


def test_threads_that_define_the_same_dtype_get_the_same_object():
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as pool:
        for i in range(50):
            name = f"mine{i}"
            made = list(pool.map(lambda _, name=name: define(name, **POSIT16), range(8)))
            assert {id(d) for d in made} == {id(dtype(name))}
