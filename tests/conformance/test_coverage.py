"""How many functions of a library the rules know: what counts, what is left out, what is told."""

import sys
import types
from pathlib import Path

import numpy as np
import pytest

import supremum
from supremum.conformance.library import Library, load
from supremum.conformance.questions import asked_functions
from supremum.core.functions import canonical, function
from supremum.core.systems import system

sys.path.insert(0, str(Path(__file__).parents[1] / "peers"))  # where it lies
import covered as module
from covered import Coverage, coverable, coverage, covered, functions_of, left_out, public_names


@pytest.fixture(scope="module")
def of_numpy():
    return coverage("numpy")


def test_every_public_name_of_numpy_is_counted_once(of_numpy):
    parts = {"": np, "linalg.": np.linalg, "fft.": np.fft}
    public = {
        f"{part}{name}"
        for part, root in parts.items()
        for name in dir(root)
        if name[0] != "_"
        and callable(getattr(root, name))
        and not isinstance(getattr(root, name), type | types.ModuleType)
    }
    along = {n for n in of_numpy.names if n.endswith((".reduce", ".accumulate"))}
    assert {*of_numpy.names} - along == public
    assert len(set(of_numpy.names)) == len(of_numpy.names)
    assert not {*of_numpy.names} & {"float32", "ndarray", "vectorize", "linalg", "_NoValue", "pi"}
    assert {"add", "linalg.inv", "fft.fft", "add.reduce", "divide.accumulate"} <= {*of_numpy.names}


def test_what_runs_along_an_axis_counts_for_ufuncs_of_two_operands_and_one_result(of_numpy):
    along = {n for n in of_numpy.names if n.endswith((".reduce", ".accumulate"))}
    ufuncs = {n for n, f in vars(np).items() if isinstance(f, np.ufunc)}
    binary = {n for n in ufuncs if getattr(np, n).nin == 2 and getattr(np, n).nout == 1}
    plain = {n for n in binary if getattr(np, n).signature is None}
    assert along == {f"{n}.{m}" for n in plain for m in ("reduce", "accumulate")}
    assert "matmul" in binary - plain
    assert not {"sin.reduce", "divmod.reduce", "matmul.reduce"} & along


def test_the_catalogue_has_every_ufunc_of_numpy_and_leaves_none_out(of_numpy):
    ufuncs = [n for n, f in vars(np).items() if isinstance(f, np.ufunc)]
    assert len(ufuncs) > 100
    methods = [n for n in of_numpy.names if n.endswith((".reduce", ".accumulate"))]
    assert [n for n in [*ufuncs, *methods] if canonical(n) is None] == []
    out = {n for names in of_numpy.left_out.values() for n in names}
    assert not out & {*ufuncs, *methods}


def test_the_rules_of_numpy_have_every_ufunc_with_its_methods(of_numpy):
    ufuncs = {n for n, f in vars(np).items() if isinstance(f, np.ufunc)}
    assert {n for n in of_numpy.missing if n.partition(".")[0] in ufuncs} == set()


def test_every_name_is_known_left_out_or_missing(of_numpy):
    out = [n for names in of_numpy.left_out.values() for n in names]
    parts = [*of_numpy.known, *out, *of_numpy.missing]
    assert sorted(parts) == sorted(of_numpy.names)
    assert of_numpy.dependent == len(of_numpy.names) - len(out)
    assert of_numpy.percent == 100 * len(of_numpy.known) / of_numpy.dependent


def test_what_is_known_has_a_rule_that_numpy_is_asked_about(of_numpy):
    asked = set(asked_functions(load("numpy"), system("numpy")))
    assert of_numpy.known["divide"] == ("true_divide",)
    assert all({*functions} <= asked for functions in of_numpy.known.values())
    assert all(
        function(name).category == "several" or canonical(name) not in asked
        for name in of_numpy.missing
        if function(name)
    )


def test_a_name_in_a_part_of_a_library_is_the_function_of_its_last_word(of_numpy):
    assert of_numpy.known["linalg.norm"] == ("norm",)
    assert "savez" in of_numpy.left_out["reads or writes files"]
    assert "linalg.test" in of_numpy.left_out["is about settings, the installation or its tests"]


@pytest.mark.parametrize(
    ("name", "functions"),
    [
        ("split", ("split[0]",)),
        ("chunk", ("split[0]",)),
        ("frexp", ("frexp[0]", "frexp[1]")),
        ("linalg.svd", ("svd[0]", "svd[1]", "svd[2]")),
        ("special.gammainc", ("igamma",)),
        ("Tensor.mul", ("multiply",)),
        ("unknown", ()),
        ("equal", ()),
        ("eq", ("equal",)),
        ("cond", ()),
        ("linalg.cond", ("cond",)),
    ],
)
def test_a_public_name_stands_for_functions_of_the_catalogue(name, functions):
    library = Library("numpy", "", names={"equal": "eq", "cond": "linalg.cond"})
    assert functions_of(library, name) == functions


class Array:
    """An array, whose methods count where there is no function of their name."""

    def add(self):
        """Count as the function add."""

    def only_a_method(self):
        """Count, as Array.only_a_method."""


LIBRARY = {
    "add": lambda: 0,
    "multiply": lambda: 0,
    "frobnicate": lambda: 0,
    "frob_nicate": lambda: 0,
    "equal": lambda: 0,
    "eq": lambda: 0,
    "Class": Array,
    "_private": lambda: 0,
    "constant": 1,
    "part": types.ModuleType("part"),
}
LISTED = "# What is left out.\nis odd:\n    frob*\n    Array.*\nis about tensors:\n    equal\n"


@pytest.fixture
def fake(monkeypatch, tmp_path):
    """Return a function that gives the coverage of a library with NumPy's rules."""
    root = types.ModuleType("root")
    vars(root).update(LIBRARY)
    fake = Library("numpy", "fake==1.0 other==2.0", names={"equal": "eq"}, unasked=("multiply",))
    vars(fake).update(namespaces=lambda: (root, Array), version=lambda: "1.1")
    monkeypatch.setattr(module, "load", lambda _: fake)
    monkeypatch.setattr(module, "LISTS", tmp_path)

    def of(listed=LISTED, **changes):
        (tmp_path / "fake.txt").write_text(listed)
        vars(root).update(changes.pop("more", {}))
        vars(fake).update(changes)
        return coverage("fake")

    return of


def test_functions_and_methods_of_no_function_count_and_nothing_else(fake):
    found = fake()
    functions = {"add", "multiply", "frobnicate", "frob_nicate", "equal", "eq"}
    assert {*found.names} == functions | {"Array.only_a_method"}
    assert (found.system, found.installed, found.written_for) == ("fake", "1.1", "1.0")


def test_what_the_library_is_not_asked_about_is_missing(fake):
    found = fake()
    assert found.known == {"add": ("add",), "eq": ("equal",)}
    assert found.missing == ("multiply",)
    assert (found.dependent, f"{found.percent:.1f}") == (3, "66.7")
    assert fake(unasked=()).missing == ()


def test_names_are_left_out_by_the_reason_and_a_star_is_any_letters(fake):
    assert fake().left_out == {
        "is odd": ("frob_nicate", "frobnicate", "Array.only_a_method"),
        "is about tensors": ("equal",),
    }
    assert fake().stale == ()


def test_a_new_release_shows_what_is_new_as_missing(fake):
    assert fake(more={"brand_new": len}).missing == ("brand_new", "multiply")


@pytest.mark.parametrize(
    ("line", "stale"),
    [
        ("gone", "gone is not there"),
        ("gone*", "gone* is not there"),
        ("add", "add is known"),
        ("*dd", "add is known"),
        ("equal", "equal is listed twice"),
    ],
)
def test_what_is_left_out_and_need_not_be_is_stale(fake, line, stale):
    found = fake(f"{LISTED}is gone:\n    {line}\n")
    assert found.stale == (stale,)
    assert "add" not in found.known or line not in ("add", "*dd")


def test_without_a_name_that_depends_on_dtypes_all_are_known(fake):
    assert fake(f"{LISTED}is all:\n    add eq multiply\n").percent == 100


def test_a_library_that_is_not_installed_is_refused_in_one_line(golden, fake):
    def version():
        raise ImportError("No module named 'fake'")

    with pytest.raises(supremum.RulesError) as caught:
        fake(version=version)
    golden(caught.value)


@pytest.mark.parametrize("name", ["nump", "paddle"])
def test_rules_without_a_list_are_refused(name):
    with pytest.raises(supremum.RulesError) as caught:
        coverage(name)
    assert caught.value.candidates == (("numpy",) if name == "nump" else ())


def test_a_table_says_how_many_and_what_is_missing(golden, fake):
    golden(covered([fake()]))


def test_a_library_of_which_nothing_is_missing_is_said_to_have_nothing_missing(fake):
    assert covered([fake(unasked=())]).splitlines()[-1] == (
        "fake has a rule or a reason for every name."
    )


def test_nearly_a_hundred_is_not_told_as_a_hundred():
    names = tuple(map(str, range(3000)))
    known = dict.fromkeys(names[1:], ("add",))
    found = Coverage("a", "1", "1", names, known, {})
    assert "99.9" in covered([found])
    assert "100" not in covered([found])


@pytest.mark.parametrize("name", coverable())
def test_every_list_reads_as_names_of_one_reason_each(name):
    reasons = left_out(name)
    assert all(reason and names for reason, names in reasons.items())
    listed = [n for names in reasons.values() for n in names]
    assert len(set(listed)) == len(listed)
    assert all(list(names) == sorted(names) for names in reasons.values())


def test_numpys_list_is_not_stale(of_numpy):
    if of_numpy.installed != of_numpy.written_for:
        pytest.skip("the list is of another release")
    assert of_numpy.stale == ()
    assert {*of_numpy.names} == {*public_names(load("numpy"))}
