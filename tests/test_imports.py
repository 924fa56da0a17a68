"""Who imports whom: the core imports the standard library and itself, one way."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import supremum

SOURCE = Path(supremum.__file__).parent

# Each module of the core may import those before it.
ORDER = [
    "errors",
    "formats",
    "dtypes",
    "operands",
    "lattice",
    "table",
    "operators",
    "losses",
    "explain",
    "steps",
    "memo",
    "files",
    "sources",
    "system",
    "laws",
    "criteria",
    "systems",
    "compare",
]
FILES = [SOURCE / f"{name}.py" for name in ORDER if name != "systems"]
CORE = FILES + sorted((SOURCE / "systems").glob("*.py"))
SHOW = sorted((SOURCE / "show").glob("*.py"))
AUDIT = sorted((SOURCE / "audit").rglob("*.py"))
ARRAYS = sorted((SOURCE / "arrays").rglob("*.py"))


def loaded_by(code):
    """Return the modules that a fresh interpreter has after running some code."""
    printed = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport json, sys\nprint(json.dumps(list(sys.modules)))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return {name.partition(".")[0] for name in json.loads(printed)}


def third_party(modules, before=frozenset()):
    return {m for m in modules - before if m not in sys.stdlib_module_names} - {"supremum"}


@pytest.fixture(scope="module")
def empty():
    """The modules of an interpreter that has run nothing; some environments add their own."""
    return loaded_by("pass")


USES = {
    "import": "import supremum",
    "ask": "import supremum; supremum.result_type('int32', 'float16', 1.0)",
    "ask about dtypes": (
        "import supremum as s; s.result_type(s.dtype('int8'), s.dtype('float16'))\n"
        "s.system('jax', x64=False).result_type(s.dtype('int4'), 1)"
    ),
    "explain": "import supremum; str(supremum.explain('int8', 'uint8', system='jax-original'))",
    "check": "import supremum; supremum.laws.check(supremum.system('python'))",
    "show": "import supremum; supremum.show.render(supremum.system('python').table(), 'html')",
    "arrays": "import supremum; supremum.namespace; supremum.rules",
    "every system": "import supremum as s; [s.system(name) for name in s.systems()]",
}


@pytest.mark.parametrize("code", USES.values(), ids=USES)
def test_the_core_loads_the_standard_library_alone(empty, code):
    assert third_party(loaded_by(code), empty) == set()


@pytest.mark.parametrize("name", ["numpy", "click", "rich"])
def test_a_third_party_module_would_be_noticed(empty, name):
    assert name in third_party(loaded_by(f"import supremum, {name}"), empty)


def test_the_command_is_what_loads_click_and_rich(empty):
    assert {"click", "rich"} <= third_party(loaded_by("import supremum.cli"), empty)


def test_nothing_needs_numpy():
    code = (
        "import sys; sys.modules['numpy'] = None; sys.modules['ml_dtypes'] = None\n"
        "import supremum as s\n"
        "int8, half = s.dtype('int8'), s.dtype('float16')\n"
        "assert s.result_type(int8, half) is s.promote_types(int8, half) is half\n"
        "assert s.result_type(int8, 1.0).name == 'float64'\n"
        "assert s.system('jax', x64=False).result_type(s.dtype('int4'), s.dtype('int*')).bits == 4"
    )
    loaded_by(code)


def test_what_loads_slowly_is_loaded_when_it_is_asked_for():
    lazy = {"difflib", "fractions", "tomllib", "ctypes", "csv"}
    assert lazy & loaded_by("import supremum") == lazy & loaded_by("pass")
    assert "csv" in loaded_by("import supremum; supremum.show")


def imports(tree):
    """Return the modules that code imports, and for those of `supremum` which part of it."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [alias.name for alias in node.names]
            found += (
                [f"supremum.{n}" for n in names] if node.module == "supremum" else [node.module]
            )
    return found


def forbidden(code, module, order):
    """Return what a module of some name may not import: third parties, and modules after it."""
    place = order.index(module) if module in order else len(order)
    found = []
    for name in imports(ast.parse(code)):
        root, _, rest = name.partition(".")
        part = rest.partition(".")[0]
        if root == "supremum":
            earlier = part in order[:place]
            if not earlier and part != module:
                found.append(name)
        elif root not in sys.stdlib_module_names:
            found.append(name)
    return found


def part_of(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", CORE, ids=lambda path: str(path.relative_to(SOURCE)))
def test_each_module_of_the_core_imports_those_before_it_alone(path):
    assert forbidden(path.read_text(encoding="utf-8"), part_of(path), ORDER) == []


@pytest.mark.parametrize("path", SHOW, ids=lambda path: path.name)
def test_drawings_import_the_core_alone(path):
    assert forbidden(path.read_text(encoding="utf-8"), "show", ORDER) == []


@pytest.mark.parametrize("path", AUDIT, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_audit_imports_the_core_and_what_runs_it_alone(path):
    runs_it = {"click"} if path.name == "command.py" else set()
    runs_it |= {"pytest", "_pytest"} if path.name.startswith("pytest_") else set()
    runs_it |= {"torch"} if path.name == "dynamo.py" else set()  # once the program has it
    found = set(forbidden(path.read_text(encoding="utf-8"), "audit", ORDER))
    assert {name.partition(".")[0] for name in found - {"supremum.__version__"}} <= runs_it


@pytest.mark.parametrize("path", ARRAYS, ids=lambda path: str(path.relative_to(SOURCE)))
def test_arrays_import_the_core_and_each_backend_its_library(path):
    # arrays of NumPy come in and go out on every backend
    needs = {"numpy"}
    if path.parent.name == "backends":
        needs |= {"ml_dtypes", "array_api_compat", path.stem.partition("_")[0]}
    found = set(forbidden(path.read_text(encoding="utf-8"), "arrays", ORDER))
    assert {name.partition(".")[0] for name in found} <= needs


@pytest.mark.parametrize("backend", ["numpy", "torch", "jax", "dask", "cupy"])
def test_a_backend_loads_no_library_but_its_own(empty, backend):
    others = {"numpy", "torch", "jax", "dask", "cupy"} - {backend, "numpy"}
    code = f"import supremum\ntry: supremum.namespace(backend={backend!r})\nexcept ImportError: 0"
    assert not others & third_party(loaded_by(code), empty)


def test_every_module_has_its_place_in_the_order():
    modules = {part_of(path) for path in SOURCE.rglob("*.py")}
    assert set(ORDER) <= modules
    assert modules - set(ORDER) == {
        "__init__",
        "__main__",
        "arrays",
        "audit",
        "cli",
        "cli_parts",
        "conformance",
        "show",
    }


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import numpy", ["numpy"]),
        ("from rich.text import Text", ["rich.text"]),
        ("from supremum import laws", ["supremum.laws"]),
        ("from supremum.systems import system", ["supremum.systems"]),
        ("import supremum.show", ["supremum.show"]),
        ("def f():\n    from supremum.system import PromotionSystem", ["supremum.system"]),
        ("if True:\n    import click", ["click"]),
        ("import json\nfrom supremum.errors import DTypeError\nfrom supremum import dtypes", []),
    ],
)
def test_an_import_that_is_not_allowed_would_be_noticed(code, found):
    assert forbidden(code, "lattice", ORDER) == found
