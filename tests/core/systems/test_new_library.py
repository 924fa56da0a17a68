"""Adding a library adds one file: its rules, and the facts of it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import supremum

SOURCE = Path(supremum.__file__).parent

TOY = '''
"""The rules of Toy: integers and floats of two widths, and a square root of its own."""

from typing import Literal

from ..dtypes import by_name
from ..function_rules import Defaults
from ..libraries import Library
from ..system import PromotionSystem

LIBRARY = Library(
    "Toy",
    ("toy", "toylib"),
    import_as=("toy", "toy"),
    dtypes_in="toy:kinds",
    dtype_names=(("float32", "single"),),
    read_as=(("single", "float32"), ("double", "float64")),
    float64_functions=("interp",),
    rules_as_set=lambda module: f"toy:wide={module.is_wide}",
)

ARROWS = """
    b -> i* -> i16 -> i32 -> f* -> f32 -> f64
"""
FUNCTIONS = """
    add, multiply, same =
    sin = b: f32; integer: f64
    sum = bool integer: INT
"""


def build(*, wide: bool = False, mode: Literal["usual", "odd"] = "usual") -> PromotionSystem:
    """Return Toy's rules."""
    integer, real = ("int32", "float64") if wide else ("int16", "float32")
    return PromotionSystem.from_lattice(
        ARROWS,
        "toy",
        widths={"int*": integer, "float*": real},
        functions=FUNCTIONS,
        follow=True,
        defaults=Defaults(by_name(integer), by_name(real), by_name("complex64"), by_name("int32")),
        label="wide" if wide else "",
        version="3.1",
        source="measured on toy.add",
    )
'''

STUB = """
class DType:
    def __init__(self, name):
        self.name = name


class kinds:
    single = DType("single")
    double = DType("double")
    int16 = DType("int16")


class Array:
    dtype = shape = None

    def __init__(self, dtype, *shape):
        self.dtype, self.shape = dtype, shape

    def __add__(self, other):
        return Array(max(self.dtype, other.dtype, key=order.index), *self.shape)


def interp(x, y):
    return Array(kinds.double, *x.shape)


order = [kinds.int16, kinds.single, kinds.double]
is_wide = False
"""

PROGRAM = """
import toy

x = toy.Array(toy.kinds.single, 3)
w = toy.Array(toy.kinds.double, 3)
x + w
z = toy.interp(x, w)
x + z
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """Return a function that runs code where the package has one more file, and gives its lines."""
    folder = tmp_path_factory.mktemp("toy")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(SOURCE, folder / "supremum", ignore=ignore)
    (folder / "supremum" / "core" / "systems" / "toy.py").write_text(TOY.lstrip(), encoding="utf-8")
    (folder / "toy.py").write_text(STUB, encoding="utf-8")

    def run(code):
        ran = subprocess.run(
            [sys.executable, "-c", f"import supremum as s\n{code}"],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(folder)},
            cwd=folder,
        )
        assert (ran.returncode, ran.stderr) == (0, "")
        return ran.stdout.splitlines()

    assert run("print(s.__file__)") == [str(folder / "supremum" / "__init__.py")]
    return run


def test_it_is_listed_and_found_by_its_name_with_its_options(toy):
    assert toy(
        """
print(s.systems().count("toy"), s.system("toy") is s.system("toy", wide=False))
print(s.options("toy"))
print(repr(s.system("toy", wide=True)), s.system("toy").title, s.system("toy").version)
print(s.system("toy").default_dtypes.float, s.system("toy", wide=True).default_dtypes.int)
try:
    s.system("tyo")
except s.RulesError as error:
    print(error.candidates[0])
"""
    ) == [
        "1 True",
        "{'wide': (False, True), 'mode': ('usual', 'odd')}",
        "supremum.system('toy', wide=True) Toy 3.1",
        "float32 int32",
        "toy",
    ]


def test_it_answers_and_explains(toy):
    assert toy(
        """
print(s.promote_types("int16", "float32", system="toy"), s.result_type("int16", 1.5, system="toy"))
print(s.result_type(1.5, system="toy"), s.system("toy", wide=True).result_type(1.5))
print(s.explain("int16", "int16", op="add", system="toy").result)
print(s.explain("int16", op="sqrt", system="toy").applied.why)
print(s.explain("int16", op="cumsum", system="toy").result)
try:
    s.result_type("int16", "int8", system="toy")
except s.PromotionError as error:
    print(error)
"""
    ) == [
        "float32 float32",
        "float32 float64",
        "int16",
        "sqrt converts int16 to float64.",
        "int16",
        (
            "cannot promote int16 and int8 under Toy rules: int8 is not supported by these rules; "
            "cast to int16 first"
        ),
    ]


def test_it_has_laws_and_criteria_and_is_compared(toy):
    assert toy(
        """
print(s.laws("toy").hold, s.custom.criteria("toy")["overflow"].cases)
print([a.result.name for a in s.compare("int32", 1.5) if a.system == "toy"])
print(s.diff("toy", "jax").first.name, len(s.table("toy").nodes))
from supremum.core.libraries import libraries
print(libraries()["toy"].title)
"""
    ) == ["True ()", "['float32']", "toy 7", "Toy"]


def test_its_dtypes_and_arrays_are_recognised(toy):
    assert toy(
        """
import toy
print(s.dtype(toy.kinds.single), s.dtype(toy.kinds.int16))
print(s.custom.operand(toy.Array(toy.kinds.single, 2, 3)))
print(s.custom.operand(toy.Array(toy.kinds.single)).describe())
print(s.result_type(toy.Array(toy.kinds.int16, 3), 1.5, system="toy"))
print(s.dtype("float32").to("toy") is toy.kinds.single, s.dtype("int16").to("toy").name)
try:
    s.dtype("int8").to("toy")
except s.DTypeError as error:
    print(error)
"""
    ) == [
        "float32 int16",
        (
            "Operand(text='float32[2, 3]', dtype=supremum.dtype('float32'), weak=False, "
            "form='array', library='Toy', shape=(2, 3), value=None, swapped=False)"
        ),
        "Toy array",
        "float32",
        "True int16",
        "toy does not have the dtype int8",
    ]


def test_arrays_compute_by_it(toy):
    assert toy(
        """
xp = s.namespace("toy")
x = xp.asarray([1, 4])
print(x.dtype, xp.asarray(1.5).dtype)
print((x + 1.5).dtype, (x + x).dtype)
print(xp.sqrt(x).dtype, xp.sum(x).dtype, xp.mean(x).dtype)
print(xp.zeros(2).dtype, xp.arange(3).dtype, xp.argmax(x).dtype)
print([float(e) for e in xp.sqrt(x)])
wide = s.namespace("toy", wide=True)
print(wide.asarray([1]).dtype, (wide.asarray([1]) + 1.5).dtype)
"""
    ) == [
        "int16 float32",
        "float32 int16",
        "float64 int16 float32",
        "float32 int16 int32",
        "[1.0, 2.0]",
        "int32 float64",
    ]


def test_the_command_knows_it(toy):
    assert toy(
        """
from click.testing import CliRunner
from supremum.commands import main
told = CliRunner().invoke(main, ["explain", "int16", "1.5", "--system", "toy"])
print(told.exit_code, told.stdout.splitlines()[0])
print("toy" in CliRunner().invoke(main, ["systems"]).stdout)
"""
    ) == ["0 float32                                        toy rules", "True"]


def test_the_audit_asks_its_facts(toy, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    assert toy(
        f"""
import json, os
from click.testing import CliRunner
from supremum.commands import main
os.chdir({str(tmp_path)!r})
CliRunner().invoke(main, ["audit", "-o", "report.json", "program.py"])
for x in json.load(open("report.json"))["findings"]:
    print(x["kind"], x["line"], x["cause"]["dtype"], x["places"][0]["line"])
import toy
from supremum.audit.log.known_functions import rules_of
print(rules_of(toy.Array(toy.kinds.single, 3)) is s.system("toy"))
toy.is_wide = True
print(rules_of(toy.Array(toy.kinds.single, 3)) is s.system("toy", wide=True))
"""
    ) == ["widening 5 float64 6", "widening 7 float64 8", "True", "True"]
