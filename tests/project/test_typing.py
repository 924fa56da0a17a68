"""What type checkers and editors see of the package, of namespaces above all."""

import ast
import inspect
import json
import os
import re
import subprocess
import sys
from doctest import DocTestParser
from pathlib import Path
from types import UnionType
from typing import get_origin

import pytest
from generator import signatures

import supremum
from supremum.arrays import functions
from supremum.arrays.extension import CONSTANTS

pytestmark = pytest.mark.thorough

SOURCE = Path(supremum.__file__).parents[1]

STUB = signatures.write().read_text("utf-8")
CLASSES = {node.name: node for node in ast.parse(STUB).body if isinstance(node, ast.ClassDef)}

RULES = [
    supremum.namespace(name, backend="numpy") for name in ("jax", "numpy", "torch", "array-api")
]
SPACES = {
    "functions": (RULES, ("DataTypes", "Functions")),
    "linalg": ([xp.linalg for xp in RULES], ("LinearAlgebra",)),
    "fft": ([xp.fft for xp in RULES], ("FourierTransforms",)),
}


@pytest.mark.parametrize(("spaces", "classes"), SPACES.values(), ids=SPACES)
def test_the_signatures_list_all_that_a_namespace_binds(spaces, classes):
    body = [node for name in classes for node in CLASSES[name].body]
    methods = {node.name for node in body if isinstance(node, ast.FunctionDef)}
    attributes = {node.target.id for node in body if isinstance(node, ast.AnnAssign)}
    for space in spaces:
        own = {name for name in dir(space) if name not in dir(type(space))}
        assert own - {"backend", "engine", "fft", "linalg"} <= methods | attributes
        assert {name for name in own if inspect.ismethod(getattr(space, name))} == methods
    if "DataTypes" in classes:
        dtypes = {name for name in supremum.names() if name.isidentifier()}
        assert attributes - CONSTANTS.keys() <= dtypes


def test_signatures_are_what_functions_take():
    assert "engine" not in STUB
    takes = {name: xp for xp in RULES for name in dir(xp) if inspect.ismethod(getattr(xp, name))}
    for node in CLASSES["Functions"].body:
        if isinstance(node, ast.FunctionDef):
            given = list(inspect.signature(getattr(takes[node.name], node.name)).parameters)
            arguments = node.args
            every = [*arguments.posonlyargs, *arguments.args]
            every += [arguments.vararg] if arguments.vararg else []
            every += arguments.kwonlyargs
            assert arguments.kwarg is None
            assert ["self", *(n for n in given if n != "others")] == [a.arg for a in every]
            assert ast.get_docstring(node)


ARRAYS = """
from typing import Any, assert_type

import numpy as np

import supremum
from supremum.arrays import Array, DataType
from supremum.arrays.linalg import SVD

xp = supremum.namespace("jax", backend="numpy")
x = xp.asarray([[1, 2], [3, 4]], dtype=xp.float32)
assert_type(x, Array)

# operators
assert_type(x + 1, Array)
assert_type(1 + x, Array)
assert_type(2.0 ** x, Array)
assert_type(x @ x, Array)
assert_type(-x, Array)
assert_type(abs(x), Array)
assert_type(x[0], Array)
assert_type(x[..., None], Array)
assert_type(x[x > 1], Array)
assert_type(x == 1, Array)
assert_type(1 > x, Array)
assert_type((x > 1) & (x < 3) | ~(x != 2), Array)
assert_type(1 << xp.int8(1) ^ 3, Array)
assert_type(divmod(x, 2), tuple[Array, Array])
assert_type(1 in x, bool)
x += 1
x @= x
x[0] = 2
assert_type(x, Array)
assert_type([row for row in x], list[Array])
assert_type(float(x[0, 0]), float)

# attributes
assert_type(x.T, Array)
assert_type(x.dtype, DataType)
assert_type(x.dtype.bits, int | None)
assert_type(x.dtype.name, str)
assert_type(x.shape, tuple[int | None, ...])
assert_type(x.astype(xp.int8), Array)

# functions
assert_type(xp.sum(x, axis=(0, 1), dtype=xp.float64), Array)
assert_type(xp.sum(x, axis=0, keepdims=True), Array)
assert_type(xp.sin(1.0), Array)
assert_type(xp.add(x, np.ones(2)), Array)
assert_type(xp.clip(x, 0, max=x), Array)
assert_type(xp.where(x > 0, x, 0), Array)
assert_type(xp.concat([x, x]), Array)
assert_type(xp.zeros(x.shape), Array)
assert_type(xp.reshape(x, (-1,)), Array)
assert_type(xp.meshgrid(x[0], x[0], indexing="ij"), tuple[Array, ...])
assert_type(xp.unique_all(x).values, Array)
assert_type(xp.unique_counts(x)[1], Array)
assert_type(xp.isdtype(x.dtype, "integral"), bool)
assert_type(xp.result_type(x, 1), DataType)
assert_type(xp.finfo(xp.float32).eps, float)
assert_type(xp.iinfo(xp.int8).max, int)
assert_type(xp.__array_namespace_info__().default_dtypes(), dict[str, Any])
assert_type(xp.linalg.svd(x), SVD)
assert_type(xp.linalg.svd(x).U, Array)
assert_type(xp.linalg.eigh(x).eigenvalues, Array)
assert_type(xp.linalg.vector_norm(x, axis=0), Array)
assert_type(xp.fft.fft(x), Array)
assert_type(xp.fft.irfftn(x, axes=(0,)), Array)
assert_type(xp.on("numpy").backend, str)

# dtypes and constants
assert_type(xp.float32, DataType)
assert_type(xp.bool, DataType)
assert_type(xp.bfloat16(1.5), Array)
assert_type(xp.pi, float)
assert_type(xp.newaxis, None)


def scaled(x: Array, by: float) -> Array:
    return xp.sqrt(x) * by / xp.max(x)
"""

RULES_AND_AUDIT = """
from typing import assert_type

import supremum
from supremum import DType, Explanation
from supremum.audit import Finding, Report
from supremum.core.evaluation.record import ExpressionExplanation
from supremum.custom import Lattice, PromotionSystem, Table

assert_type(supremum.result_type("int8", 1), DType)
assert_type(supremum.promote_types("int8", "float16", system="numpy"), DType)
jax = supremum.system("jax", x64=False)
assert_type(jax, PromotionSystem)
assert_type(jax.promote_types("int8", "float16"), DType)
assert_type(jax.result_type("int8", 1.0, op="add"), DType)
assert_type(jax.table(), Table[DType])
assert_type(supremum.explain("int8", 1), Explanation)
assert_type(supremum.explain(1.0).reason, str)
assert_type(supremum.explain("int8", op="exp"), Explanation)
assert_type(supremum.explain("a + 1", a="int8"), Explanation | ExpressionExplanation)
assert_type(supremum.explain("a + 1", a="int8").result, DType)
assert_type(jax.explain("int8", 1), Explanation)
assert_type(supremum.laws(jax).laws[0].holds, bool)

text = Lattice("a -> b -> c")
assert_type(text, Lattice[str])
assert_type(text.join("a", "b"), str)
assert_type(Lattice("1 -> 2", node=int), Lattice[int])
assert_type(Lattice({1: [2]}), Lattice[int])
assert_type(Table.parse("  a\\na a"), Table[str])
assert_type(Table.parse("  1\\n1 1", node=int), Table[int])
assert_type(Table.from_rows({"a": {"a": "a"}}, node=str), Table[str])
mine = PromotionSystem.from_lattice("i8 -> i16 -> f32", name="mine")
assert_type(mine.result_type("int8", "int16"), DType)

with supremum.rules("numpy") as rules:
    assert_type(rules, PromotionSystem)
supremum.audit.install()
with supremum.audit.watch(forbid="float64") as watch:
    assert_type(watch.findings, tuple[Finding, ...])
supremum.audit.uninstall()
assert_type(watch.report, Report)
assert_type(supremum.audit.render(watch.report, "json"), str)
assert_type(supremum.audit.last_report(), Report | None)
"""


def tutorial():
    """Return the Python of the tutorial as a program, with what it shows printed."""
    page = SOURCE.parent / "docs" / "tutorial.md"
    lines = []
    if page.exists():
        for example in DocTestParser().get_examples(page.read_text("utf-8")):
            (node,) = ast.parse(example.source).body
            is_shown = isinstance(node, ast.Expr)
            lines.append(f"print({ast.unparse(node)})" if is_shown else example.source)
    return "\n".join([*lines, ""])


MISTAKES = """
import supremum
from supremum.arrays import Array

xp = supremum.namespace()
x = xp.ones(3)
xp.summ(x)  # "Namespace" has no attribute "summ"
xp.linalg.norm(x)  # "LinearAlgebra" has no attribute "norm"
xp.fft.fft3(x)  # "FourierTransforms" has no attribute "fft3"
xp.float23  # "Namespace" has no attribute "float23"
x.sum()  # "Array" has no attribute "sum"
x.dtype.width  # "DataType" has no attribute "width"
xp.unique_all(x).value  # "UniqueAll" has no attribute "value"
xp.sin(x, out=x)  # Unexpected keyword argument "out" for "sin" of "Functions"
xp.sum(x, axes=0)  # Unexpected keyword argument "axes" for "sum" of "Functions"
xp.sum(x, axis="rows")  # Argument "axis" to "sum" of "Functions" has incompatible type "str"
xp.sum(x, 0)  # Too many positional arguments for "sum" of "Functions"
xp.add(x)  # Too few arguments for "add" of "Functions"
xp.astype(x)  # Too few arguments for "astype" of "Functions"
total: float = xp.sum(x)  # Incompatible types in assignment (expression has type "Array"
both: bool = x == x  # Incompatible types in assignment (expression has type "Array"


def first(x: Array) -> int:
    return x[0]  # Incompatible return value type (got "Array", expected "int")


supremum.resulttype(1)  # Module has no attribute "resulttype"
supremum.audit.whatch()  # Module has no attribute "whatch"
"""

OPERATORS = [f"__{name}__" for name in functions.METHODS]
OPERATORS += [f"__r{name}__" for name in functions.METHODS]
OPERATORS += [f"__{name}__" for name in functions.COMPARISONS]
OPERATORS += ["__neg__", "__pos__", "__abs__", "__invert__", "__getitem__", "__contains__"]


def every_name():
    """Return a program that names all that namespaces, arrays and dtypes have."""
    xp = RULES[0]
    names = {
        "xp": {name for xp in RULES for name in dir(xp)},
        "xp.linalg": dir(xp.linalg),
        "xp.fft": dir(xp.fft),
        "xp.ones(1)": [*OPERATORS, *(name for name in dir(xp.ones(1)) if not name.startswith("_"))],
        "xp.int8": supremum.DType.__slots__,
        "supremum": supremum.__all__,
        "supremum.audit": supremum.audit.__all__,
        "supremum.custom": supremum.custom.__all__,
    }
    lines = [f"{owner}.{name}" for owner, found in names.items() for name in sorted(found)]
    return "\n".join(["import supremum", "xp = supremum.namespace()", *lines, ""])


RIGHT = {"arrays": ARRAYS, "rules_and_audit": RULES_AND_AUDIT}
RIGHT |= {"tutorial": tutorial()}
PROGRAMS = {**RIGHT, "mistakes": MISTAKES, "every_name": every_name()}


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """Return a folder with the programs."""
    folder = tmp_path_factory.mktemp("programs")
    for name, text in PROGRAMS.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    return folder


def by_mypy(folder):
    """Yield what mypy finds: the program, the line and what is wrong there."""
    # errors inside the package are for `make lint`; an installed one shows its users none
    options = ["--strict", "--config-file=", "--follow-imports=silent", "--no-error-summary"]
    installed = "site-packages" in SOURCE.parts
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, *(f"{name}.py" for name in PROGRAMS)],
        cwd=folder,
        env=os.environ | ({} if installed else {"MYPYPATH": str(SOURCE)}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    for line in done.stdout.splitlines():
        name, number, kind, said = re.fullmatch(r"(\w+)\.py:(\d+): (\w+): (.*)", line).groups()
        if kind == "error":
            yield name, int(number), said


def by_pyright(folder):
    """Yield what pyright finds; a bare name is no mistake in `every_name`."""
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(SOURCE)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    told = json.loads(done.stdout)
    assert told["summary"]["filesAnalyzed"] == len(PROGRAMS)
    for found in told["generalDiagnostics"]:
        if found["severity"] == "error" and found.get("rule") != "reportUnusedExpression":
            yield Path(found["file"]).stem, found["range"]["start"]["line"] + 1, found["message"]


@pytest.fixture(scope="module", params=[by_mypy, by_pyright])
def found(request, programs):
    """What a checker finds: for each program the wrong lines, with what is said of each."""
    pytest.importorskip(request.param.__name__.removeprefix("by_"))
    wrong = {name: {} for name in PROGRAMS}
    for name, number, said in request.param(programs):
        wrong[name].setdefault(number, said)
    return wrong


@pytest.mark.parametrize("name", RIGHT)
def test_what_programs_use_has_types(found, name):
    assert found[name] == {}


def test_every_name_is_known(found):
    assert found["every_name"] == {}


def test_mistakes_are_found_in_their_lines(found, request):
    lines = enumerate(MISTAKES.splitlines(), 1)
    wanted = {number: line.partition("  # ")[2] for number, line in lines if "  # " in line}
    assert found["mistakes"].keys() == wanted.keys()
    if "by_pyright" in request.node.name:
        return  # which has other words
    for number, said in found["mistakes"].items():
        assert said.startswith(wanted[number])


@pytest.mark.parametrize("program", [ARRAYS, RULES_AND_AUDIT], ids=["arrays", "rules_and_audit"])
def test_what_programs_get_is_of_these_types(program):
    def check(value, wanted):
        kind = get_origin(wanted) or wanted
        assert value is wanted is None or isinstance(value, wanted if kind is UnionType else kind)

    exec(program.replace("assert_type", "Any", 1), {"assert_type": check})
