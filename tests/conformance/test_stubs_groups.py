"""The groups of wrong types that stubs have, each in a program of three lines.

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
pytestmark = pytest.mark.thorough


def is_installed(name, release):
    """Return whether a distribution is installed, in a release that begins so."""
    try:
        return f"{metadata.version(name)}.".startswith(f"{release}.")
    except metadata.PackageNotFoundError:
        return False


# The stubs; who reads them; an expression of arrays x and y of these dtypes; what it gives; and
# what they state.
# fmt: off
WRONG = [
    ("numpy 2", "mypy", "x + y", "int8", "uint64", "float64", "signedinteger[Any]"),
    ("numpy 2", "mypy", "x @ y", "int64", "uint64", "float64", "signedinteger[Any]"),
    ("numpy 2", "mypy", "numpy.vdot(x, y)", "uint64", "int8", "float64", "signedinteger[Any]"),
    ("numpy 2", "mypy", "x & 2", "uint8", "", "uint8", "signedinteger[Any]"),
    ("numpy 2", "mypy", "2 << x", "uint64", "", "uint64", "signedinteger[Any]"),
    ("numpy 2.4", "mypy", "numpy.cumsum(x)", "uint8", "", "uint64", "unsignedinteger[_8Bit]"),
    ("numpy 2.5", "mypy", "numpy.cumsum(x)", "uint8", "", "uint64",
     "signedinteger[_32Bit | _64Bit]"),
    ("numpy 2.5", "mypy", "numpy.sum(x)", "uint64", "", "uint64",
     "signedinteger[_32Bit | _64Bit]"),
    ("numpy 2", "mypy", "x / 2", "float32", "", "float32", "float64"),
    ("numpy 2", "mypy", "x / y", "float16", "bool", "float16", "float64"),
    ("numpy 2", "mypy", "x / y", "float32", "int16", "float32", "float64"),
    ("numpy 2", "mypy", "x / y", "uint8", "float16", "float16", "float64"),
    ("numpy 2", "pyright", "numpy.concatenate([x, y])", "int8", "uint8", "int16",
     "signedinteger[_8Bit] | unsignedinteger[_8Bit]"),
    ("numpy 2", "pyright", "numpy.concatenate([x, y])", "float64", "complex64", "complex128",
     "float64 | complexfloating[_32Bit, _32Bit]"),
    ("numtype 2.4", "mypy", "numpy.where(x == x, x, y)", "int8", "uint64", "float64", "integer"),
    ("numtype 2.4", "mypy", "numpy.vdot(x, y)", "uint64", "int16", "float64", "integer"),
    ("numtype 2.4", "mypy", "numpy.sum(x)", "int8", "", "int64", "int8"),
    ("numtype 2.4", "mypy", "numpy.cumsum(x)", "bool", "", "int64", "bool_[bool]"),
    ("numtype 2.4", "mypy", "numpy.fft.fft(x)", "float16", "", "complex64", "complex128"),
    ("numtype 2.4", "mypy", "x ** 2", "bool", "", "int8", "int64"),
    ("numtype 2.4", "pyright", "numpy.concatenate([x, y])", "int8", "uint8", "int16",
     "int8 | uint8"),
    ("numtype 2.4", "pyright", "numpy.where(x == x, x, y)", "int16", "float16", "float32",
     "int16 | float16"),
    ("scipy-stubs 1.18", "mypy", "scipy.special.softmax(x)", "int8", "", "float16", "float64"),
    ("scipy-stubs 1.18", "mypy", "scipy.linalg.solve(x, y)", "float16", "int8", "float32",
     "float64"),
]
# fmt: on
# Where NumType is installed, it is read instead of NumPy's own stubs.
OWN = "numtype" if is_installed("numtype", "2") else "numpy"
ASKED = [
    row
    for row in WRONG
    if is_installed(*row[0].split()) and row[0].split()[0] in (OWN, "scipy-stubs")
]
CHECKERS = {
    "mypy": ["--config-file=", "--no-incremental"],
    "pyright": [f"--pythonpath={sys.executable}"],
}

PROGRAM = """\
import numpy.typing{imports}
{operands}
reveal_type({expression})
"""
OPERAND = "{name}: numpy.typing.NDArray[numpy.{dtype}] = numpy.ones((1, 1), numpy.{dtype})"


def program(expression, x, y):
    given = [("x", x), *([("y", y)] if y else ())]
    operands = "; ".join(OPERAND.format(name=name, dtype=dtype) for name, dtype in given)
    imports = ", scipy.linalg, scipy.special" * ("scipy" in expression)
    return PROGRAM.format(imports=imports, operands=operands, expression=expression)


@pytest.fixture(scope="module")
def stated(tmp_path_factory):
    """Return what each checker that is installed reveals in the program of each row."""
    folder = tmp_path_factory.mktemp("programs")
    for number, row in enumerate(ASKED):
        (folder / f"program{number}.py").write_text(program(*row[2:5]))
    names = [f"program{number}.py" for number in range(len(ASKED))]
    found = {}
    for checker, options in CHECKERS.items():
        words = [sys.executable, "-m", checker, *options, *names]
        run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        said = r'program(\d+)\.py:3:.*(?:Revealed type|Type of ".*") is "(.*)"'
        found |= {(checker, int(n)): text for n, text in re.findall(said, run.stdout)}
    return found


@pytest.mark.parametrize("number", range(len(ASKED)), ids=[" ".join(row[:5]) for row in ASKED])
def test_what_stubs_state_is_wrong(stated, number):
    _, checker, expression, x, y, given, revealed = ASKED[number]
    pytest.importorskip(checker)
    found = []
    exec(program(expression, x, y), {"reveal_type": found.append})
    text = stated[checker, number]
    assert found[0].dtype.name == given
    assert short(text) == revealed
    assert Cell("", (), expression, given, "", text).verdict == "wrong"
