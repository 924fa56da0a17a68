"""The wrong groups of docs/howto/check-type-stubs.md, each in a program of three lines.

The program is run, and mypy says which type its expression has.
"""

import re
import subprocess
import sys
from importlib import metadata

import pytest

from supremum.conformance.stubs.cells import Cell
from supremum.conformance.stubs.revealed import short

pytest.importorskip("mypy")


def is_installed(name, release):
    """Return whether a distribution is installed, in a release that begins so."""
    try:
        return f"{metadata.version(name)}.".startswith(f"{release}.")
    except metadata.PackageNotFoundError:
        return False


# The stubs; an expression of arrays x and y of these dtypes; what it gives; what they state.
WRONG = [
    ("numpy 2", "x + y", "int8", "uint64", "float64", "signedinteger[Any]"),
    ("numpy 2", "x @ y", "int64", "uint64", "float64", "signedinteger[Any]"),
    ("numpy 2", "numpy.vdot(x, y)", "uint64", "int8", "float64", "signedinteger[Any]"),
    ("numpy 2", "x & 2", "uint8", "", "uint8", "signedinteger[Any]"),
    ("numpy 2", "2 << x", "uint64", "", "uint64", "signedinteger[Any]"),
    ("numpy 2.4", "numpy.cumsum(x)", "uint8", "", "uint64", "unsignedinteger[_8Bit]"),
    ("numpy 2.5", "numpy.cumsum(x)", "uint8", "", "uint64", "signedinteger[_32Bit | _64Bit]"),
    ("numpy 2.5", "numpy.sum(x)", "uint64", "", "uint64", "signedinteger[_32Bit | _64Bit]"),
    ("numpy 2", "x / 2", "float32", "", "float32", "float64"),
    ("numpy 2", "x / y", "float16", "bool", "float16", "float64"),
    ("numpy 2", "x / y", "float32", "int16", "float32", "float64"),
    ("numpy 2", "x / y", "uint8", "float16", "float16", "float64"),
    ("scipy-stubs 1.18", "scipy.special.softmax(x)", "int8", "", "float16", "float64"),
    ("scipy-stubs 1.18", "scipy.linalg.solve(x, y)", "float16", "int8", "float32", "float64"),
]
ASKED = [row for row in WRONG if is_installed(*row[0].split())]

PROGRAM = """\
import numpy.typing, scipy.linalg, scipy.special
{operands}
reveal_type({expression})
"""
OPERAND = "{name}: numpy.typing.NDArray[numpy.{dtype}] = numpy.ones((1, 1), numpy.{dtype})"


def program(expression, x, y):
    given = [("x", x), *([("y", y)] if y else ())]
    operands = "; ".join(OPERAND.format(name=name, dtype=dtype) for name, dtype in given)
    return PROGRAM.format(operands=operands, expression=expression)


@pytest.fixture(scope="module")
def stated(tmp_path_factory):
    """Return what mypy reveals in the program of each row."""
    folder = tmp_path_factory.mktemp("programs")
    for number, row in enumerate(ASKED):
        (folder / f"program{number}.py").write_text(program(*row[1:4]))
    names = [f"program{number}.py" for number in range(len(ASKED))]
    words = ["-m", "mypy", "--config-file=", "--no-incremental", *names]
    run = subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False
    )
    found = re.findall(r'program(\d+)\.py:3: note: Revealed type is "(.*)"', run.stdout)
    return {int(number): text for number, text in found}


@pytest.mark.parametrize("number", range(len(ASKED)), ids=[" ".join(row[:4]) for row in ASKED])
def test_what_stubs_state_is_wrong(stated, number):
    _, expression, x, y, given, revealed = ASKED[number]
    found = []
    exec(program(expression, x, y), {"reveal_type": found.append})
    assert found[0].dtype.name == given
    assert short(stated[number]) == revealed
    assert Cell("", (), expression, given, "", stated[number]).verdict == "wrong"
