"""What stubs state, held against the library that they describe."""

import importlib
import json
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from supremum import RulesError
from supremum.commands import main
from supremum.conformance import stubs
from supremum.conformance.stubs import asking, cells, checkers, found, revealed
from supremum.conformance.stubs.cells import Cell

FLOATS = ("float16", "float32", "float64", np.dtype("g").name)
INTS = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))

ARRAY = "numpy.ndarray[tuple[Any, ...], numpy.dtype[{}]]"
TYPES = [
    (ARRAY.format("numpy.float64"), ["float64"]),
    (ARRAY.format("numpy.floating[numpy._typing._nbit_base._32Bit]"), ["float32"]),
    (ARRAY.format("numpy.complexfloating[_32Bit, _32Bit]"), ["complex64"]),
    (ARRAY.format("numpy.floating[Any]"), FLOATS),
    (ARRAY.format("numpy.integer"), INTS),
    (ARRAY.format("numpy.bool[bool]"), ["bool"]),
    (ARRAY.format("Any"), ["Any"]),
    (ARRAY.format("Never"), []),
    ("NDArray[numpy.bool[builtins.bool]]", ["bool"]),
    ("signedinteger[_32Bit | _64Bit]", ["int32", "int64"]),
    ("numpy.float32 | Any", ["Any", "float32"]),
    ("bool", ["Python bool"]),
    ("builtins.float", ["Python float", "float64"]),
    ("numpy.ndarray[Any, Any]", ["Any"]),
    ("numpy.ndarray[tuple[int, fallback=a.B[int]], numpy.dtype[numpy.int8]]", ["int8"]),
    ("NoReturn", []),
    ("-", []),
    ("def (x: int) -> str", ["def (x: int) -> str"]),
    ("builtins.str", ["builtins.str"]),
]


@pytest.mark.parametrize(("text", "dtypes"), TYPES, ids=[text for text, _ in TYPES])
def test_what_a_type_means(text, dtypes):
    assert revealed.dtypes_of(text) == set(dtypes)


@pytest.mark.parametrize(
    ("text", "library", "verdict"),
    [
        ("numpy.float32", "float32", "exact"),
        ("-", "-", "exact"),
        ("Never", "-", "exact"),
        ("numpy.floating[Any]", "float32", "vague"),
        ("numpy.float32 | numpy.float64", "float32", "vague"),
        ("numpy.float64 | Any", "float32", "vague"),
        ("float", "float64", "vague"),
        ("Any", "float32", "unknown"),
        ("numpy.float64", "float32", "wrong"),
        ("numpy.floating[Any]", "complex64", "wrong"),
        ("bool", "bool", "wrong"),
        ("-", "float32", "rejected"),
        ("Never", "float32", "rejected"),
        ("Any", "-", "accepted"),
        ("numpy.float64", "-", "accepted"),
    ],
)
def test_verdicts(text, library, verdict):
    cell = Cell("add", (), "", library, "", text)
    assert cell.verdict == verdict


def test_every_cell_is_python_and_is_answered():
    given = {name: list(cells.cells(name)) for name in cells.LIBRARIES}
    assert {name: len(asked) for name, asked in given.items()} == {"numpy": 10_864, "scipy": 1_120}
    known = set(cells.variables()) | {"numpy", "scipy"}
    for name, asked in given.items():
        assert len({cell.text for cell in asked}) == len(asked)
        for cell in asked:
            first, *_ = compile(cell.code, name, "eval").co_names
            assert first in known
    answered = list(cells.answered("numpy", given["numpy"]))
    # the rules are those of np.power, and ** computes a square otherwise
    differs = {cell.text: (cell.library, cell.rules) for cell in answered}
    differs = {text: pair for text, pair in differs.items() if len(set(pair)) > 1}
    assert differs == {"bool[3] ** 2": ("int8", "int64")}


def test_operands_have_kinds():
    cell = Cell("add", ("int8[3]", "float32[]", "2j"), "")
    assert cell.kinds == ("2j", "float", "signed")


def test_differences_are_grouped_by_cause():
    def differs(function, text, *operands):
        return Cell(function, operands, text, "float32", "float32", "numpy.float64")

    same = [
        differs(name, f"{a} {name} 2", a, "2")
        for name in ("add", "subtract")
        for a in ("float32[3]", "float16[3]")
    ]
    other = differs("add", "int8[3] + 2", "int8[3]", "2")
    right = differs("add", "right", "int8[3]", "2")._replace(revealed="numpy.float32")
    first, second = found.grouped([other, *same, right])
    assert first.functions == ("add", "subtract")
    assert (first.operands, len(first.cells)) == (("2", "float"), 4)
    assert (second.operands, second.cells) == (("2", "signed"), (other,))


MYPY = """\
cells.py:3: note: Revealed type is "Any"
cells.py:4: error: Unsupported operand types for + ("A[B]" and "C")  [operator]
cells.py:4: note: Revealed type is "Any"
"""
PYRIGHT = json.dumps({
    "generalDiagnostics": [
        {"range": {"start": {"line": line}}, "severity": severity, "message": message}
        for line, severity, message in [
            (2, "information", 'Type of "a + b" is "Any"'),
            (3, "information", 'Type of "a + b" is "Any"'),
            (3, "error", 'Operator "+" not supported'),
            (4, "warning", "deprecated"),
        ]
    ]
})  # fmt: skip


@pytest.mark.parametrize(("checker", "output"), [("mypy", MYPY), ("pyright", PYRIGHT)])
def test_output_is_read_by_line(checker, output):
    assert set(checkers.CHECKERS[checker].read(output)) == {(3, "Any"), (4, ""), (4, "Any")}


@pytest.fixture
def stated(monkeypatch):
    """Let mypy state what NumPy gives, but for sums of ints, and let pyright be missing."""
    monkeypatch.setattr(cells, "LIBRARIES", {"numpy": "sum sqrt"})
    monkeypatch.setattr(cells, "OPERATORS", {})

    def ask(checker, _, __, asked):
        if checker == "pyright":
            raise RulesError("pyright is not installed; type pip install pyright")
        return [
            cell._replace(revealed="numpy.int8" if cell.text == "numpy.sum(int8[3])"
                          else f"numpy.{cell.library}")
            for cell in asked
        ]  # fmt: skip

    monkeypatch.setattr(asking, "ask", ask)
    monkeypatch.setattr(asking, "release", lambda _: "1.0")


@pytest.mark.usefixtures("stated")
def test_measurements():
    mypy, pyright = stubs.conform_stubs("stubs:numpy")
    assert mypy.counts == dict.fromkeys(cells.VERDICTS, 0) | {"exact": 27, "wrong": 1}
    assert (mypy.verdict, pyright.verdict) == ("differs", "not measured")
    (difference,) = mypy.to_dict()["differences"]
    assert (difference["stated"], difference["library"], difference["rules"]) == (
        "int8", "int64", "int64",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ([], 1),
        (["--baseline", "known.json"], 0),
        (["--baseline", "known.json", "--require"], 1),
        (["--baseline", "other.json"], 1),
        (["--write-baseline", "new.json"], 0),
        (["--baseline", "missing.json"], 2),
        (["--seed", "3"], 2),
        (["numpy"], 2),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else str(given),
)
@pytest.mark.usefixtures("stated")
def test_exit_statuses(tmp_path, monkeypatch, options, status):
    monkeypatch.chdir(tmp_path)
    found.write_baseline("known.json", stubs.conform_stubs("stubs:numpy"))
    found.write_baseline("other.json", [])
    assert CliRunner().invoke(main, ["conform", "stubs:numpy", *options]).exit_code == status


def test_baselines_go_with_stubs():
    assert CliRunner().invoke(main, ["conform", "numpy", "--baseline", "x"]).exit_code == 2


def test_a_missing_checker_is_one_line(monkeypatch):
    monkeypatch.setattr(cells, "LIBRARIES", {"numpy": "sum"})
    monkeypatch.setattr(cells, "OPERATORS", {})
    monkeypatch.setattr(checkers, "find_spec", lambda _: None)
    monkeypatch.setattr(checkers.shutil, "which", lambda _: None)
    result = CliRunner().invoke(main, ["conform", "stubs:numpy"])
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        f"stubs:numpy by {name}: not measured: {name} is not installed; type pip install {name}"
        for name in checkers.CHECKERS
    ]


def test_a_library_without_types_and_stubs_is_not_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(asking, "LIBRARIES", {"bare_wares": "sum"})
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (missing, *_) = stubs.conform_stubs("stubs:bare_wares")
    assert missing.reason == "bare_wares is not installed; type pip install bare_wares"
    (tmp_path / "bare_wares").mkdir()
    (tmp_path / "bare_wares" / "__init__.py").touch()
    importlib.invalidate_caches()
    (missing, *_) = stubs.conform_stubs("stubs:bare_wares")
    assert missing.verdict == "not measured"
    assert missing.reason == "bare_wares-stubs is not installed; type pip install bare_wares-stubs"


@pytest.mark.parametrize("name", ["numppy", ".", "no/such/folder"])
def test_names_that_are_no_stubs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RulesError, match="numpy-stubs or scipy-stubs"):
        stubs.conform_stubs(f"stubs:{name}")


def test_a_folder_of_stubs_is_read_instead(tmp_path, monkeypatch):
    pytest.importorskip("mypy")
    monkeypatch.setattr(cells, "LIBRARIES", {"numpy": "sum"})
    monkeypatch.setattr(cells, "OPERATORS", {})
    monkeypatch.setattr(asking, "CHECKERS", ["mypy"])
    folder = tmp_path / "numpy-stubs"
    folder.mkdir()
    types = "class generic: ...\n" + "".join(f"class {d}(generic): ...\n" for d in cells.DTYPES)
    (folder / "__init__.pyi").write_text(f"{types}def sum(x: object) -> float32: ...\n")
    (folder / "typing.pyi").write_text("NDArray = list\n")
    (mypy,) = stubs.conform_stubs(f"stubs:{tmp_path}")
    assert {cell.stated for cell in mypy.cells} == {"float32"}
    assert mypy.counts["exact"] == 1
