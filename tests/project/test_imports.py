"""Who imports whom: the core imports the standard library and itself, one way."""

import ast
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from tempfile import gettempdir

import pytest

import supremum

SOURCE = Path(supremum.__file__).parent

# The floors of the core, from the ground up: a file imports from lower floors alone.
FLOORS = [
    "errors number_formats catalogue",
    "libraries display rule_files",
    "foreign functions",
    "dtypes",
    "lattice table losses operands",
    "fold",
    "steps cache",
    "common_steps",
    "hints explanation",
    "function_rules",
    "rules",
    "promotion",
    "system",
    "systems.jax systems.numpy",
    "systems.tensorflow",
    "systems.*",
    "systems completion",
    "expressions.text expressions.ranks expressions.numbers",
    "expressions.names expressions.record expressions.arguments",
    "expressions.calls",
    "expressions.tracer",
    "analysis.laws analysis.compare",
    "analysis.criteria analysis.differences",
    "ask explain",
]
# The parts of the audit, in the order of imports; those of one line do not import each other.
AUDIT_ORDER = [
    ("model",),
    ("source",),
    ("kinds",),
    ("checks",),
    ("libraries",),
    ("record",),
    ("stops",),
    ("instrument", "preview", "suggest"),
    ("report",),
    ("runner",),
    ("options",),
    ("fixing",),
    ("api",),
    ("notebook",),
    ("cli",),
    ("editor",),
    ("plugin",),
    ("pytest_plugin",),
]
# What is in it may import what stands before it, types included; from `indexing` to `searching` are
# the chapters of functions.
ARRAYS_ORDER = [
    "functions",
    "array",
    "decide",
    "backends",
    "engine",
    "views",
    "conversion",
    "operand",
    "plan",
    "operations",
    "indexing",
    "operators",
    "data_types",
    "creation",
    "elementwise",
    "fft",
    "inspection",
    "manipulation",
    "reductions",
    "linalg",
    "searching",
    "numpy_values",
    "numpy_functions",
    "ufuncs",
    "extension",
    "signatures",
    "space",
    "evaluation",
]
CORE = sorted((SOURCE / "core").rglob("*.py"))
PARTS = {
    folder: sorted((SOURCE / folder).rglob("*.py"))
    for folder in ("arrays", "audit", "conformance", "design", "export", "show")
}
ALL = sorted(SOURCE.rglob("*.py"))


def each(paths):
    return pytest.mark.parametrize("path", paths, ids=lambda path: str(path.relative_to(SOURCE)))


def loaded_by(code, *, whole=False):
    """Return the modules that a fresh interpreter has after running some code.

    They are named by what comes before the first dot, unless their whole names are asked for.
    """
    printed = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        check=True,
        cwd=gettempdir(),  # which is in no project
    ).stdout
    names = printed.decode().splitlines()[-1].split()
    return {name if whole else name.partition(".")[0] for name in names}


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
    "ask about a function": "import supremum as s; s.result_type('int8', op='sqrt')",
    "explain": "import supremum; str(supremum.explain('int8', 'uint8', system='jax-original'))",
    "check": "import supremum; supremum.laws('python'); supremum.criteria('python')",
    "compare": "import supremum; supremum.compare('int8', 1); supremum.diff('numpy', 'jax')",
    "define": "import supremum; supremum.define('mine8', kind='unsigned', bits=8)",
    "draw": "import supremum; supremum.system('jax').draw().render('svg')",
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


ASK = "from supremum.cli import main\ntry: main({})\nexcept SystemExit: pass"


def test_the_command_is_what_loads_click(empty):
    for words in (["explain", "int32 + float32"], ["table"], ["systems"]):
        assert third_party(loaded_by(ASK.format(words)), empty) == {"click"}


def test_an_explanation_starts_without_what_only_other_commands_need():
    loaded = loaded_by(ASK.format(["explain", "int32", "float32"]), whole=True)
    loaded |= loaded_by(ASK.format(["explain", "int32 + float32"]), whole=True)
    others = {"cli_audit", "cli_systems", "cli_tables", "show", "arrays", "core.systems.polars"}
    assert "supremum.cli_questions" in loaded
    assert not {f"supremum.{name}" for name in others} & loaded
    slow = {"json", "rich", "runpy", "shutil", "textwrap", "tomllib", "traceback"}
    assert slow & loaded <= loaded_by("import click", whole=True)


def test_an_audit_starts_without_what_only_other_commands_need():
    loaded = loaded_by("import supremum.cli, supremum.audit.cli", whole=True)
    others = {"compare", "criteria", "expressions", "laws"}
    assert "supremum.core.system" in loaded
    assert not {f"supremum.core.{name}" for name in others} & loaded
    assert not {"rich", "click.shell_completion", "tomllib"} & loaded


def test_nothing_needs_numpy():
    code = (
        "import sys; sys.modules['numpy'] = None; sys.modules['ml_dtypes'] = None\n"
        "import supremum as s\n"
        "int8, half = s.dtype('int8'), s.dtype('float16')\n"
        "assert s.result_type(int8, half) is s.promote_types(int8, half) is half\n"
        "assert s.result_type(int8, 1.0).name == 'float64'\n"
        "narrow = s.system('jax', x64=False)\n"
        "assert narrow.result_type(s.dtype('int4'), s.dtype('int*')).bits == 4\n"
        "assert int8 == 'int8' != half and not hasattr(int8, '__numpy_dtype__')"
    )
    loaded_by(code)


def test_what_loads_slowly_is_loaded_when_it_is_asked_for():
    lazy = {"difflib", "fractions", "tomllib", "ctypes", "csv"}
    assert lazy & loaded_by("import supremum") == lazy & loaded_by("pass")
    assert "csv" in loaded_by("import supremum; supremum.show")


def imports(code, path):
    """Return what code at a path imports: full names, and whether the module does so as it loads.

    Of our own modules it is the module, and for ``from . import`` each name. What only type
    checkers import is left out.
    """
    package = ("supremum", *Path(path).parts[:-1])
    found = []

    def add(node, at_once):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            return
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            at_once = False
        if isinstance(node, ast.Import):
            found.extend((alias.name, at_once) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = ".".join(package[: len(package) + 1 - node.level]) if node.level else ""
            module = ".".join(filter(None, (above, node.module)))
            names = [f"{module}.{a.name}" for a in node.names] if not node.module else [module]
            found.extend((name, at_once) for name in names)
        for child in ast.iter_child_nodes(node):
            add(child, at_once)

    add(ast.parse(code), True)
    return found


def floor(name):
    """Return the number of the floor of a file of the core; of its folder's, the one for all."""
    floors = enumerate(names.split() for names in FLOORS)
    return next((i for i, names in floors if any(fnmatch(name, x) for x in names)), None)


def not_lower(code, path):
    """Return what a file of the core imports that is not of a lower floor, wherever it does so."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = path.parts[1 : len(path.parts) - node.level]
            names = [node.module] if node.module else [alias.name for alias in node.names]
            whole = [".".join((*above, name)) for name in names]
            place = floor(name_of(path))
            lower = node.level < len(path.parts) and all((floor(x) or 0) < place for x in whole)
            found += [] if lower and not node.col_offset else whole
        elif isinstance(node, ast.ImportFrom | ast.Import):
            names = (
                [node.module] if isinstance(node, ast.ImportFrom) else [x.name for x in node.names]
            )
            found += [x for x in names if x.partition(".")[0] not in sys.stdlib_module_names]
    return found


def name_of(path):
    """Return the name of a file of the core, as the floors have it."""
    return ".".join(path.with_suffix("").parts[1:]).removesuffix(".__init__")


def relative(path):
    return path.relative_to(SOURCE)


@each([p for p in CORE if p != SOURCE / "core" / "__init__.py"])
def test_each_file_of_the_core_imports_from_lower_floors_alone(path):
    assert not_lower(path.read_text(encoding="utf-8"), relative(path)) == []


def test_the_core_itself_imports_nothing():
    assert imports((SOURCE / "core" / "__init__.py").read_text(encoding="utf-8"), "core/x.py") == []


def test_the_rules_are_found_by_one_module_and_no_other_imports_by_name():
    dynamic = {
        str(relative(path))
        for path in CORE
        if any(
            isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )
    }
    # the last one imports other libraries, whose dtypes it is asked for
    assert dynamic == {"core/systems/__init__.py", "core/dtypes.py"}


@each(ALL)
def test_imports_inside_the_package_are_relative(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names.append(node.module)
        assert not [name for name in names if name.partition(".")[0] == "supremum"]


def outside(path):
    """Return what a file of a folder imports that is neither the core nor of its own folder."""
    folder = relative(path).parts[0]
    found = set()
    for name, _ in imports(path.read_text(encoding="utf-8"), relative(path)):
        root, *rest = name.split(".")
        if root == "supremum" and rest[:1] not in (["core"], [folder]):
            found.add(name)
        elif root != "supremum" and root not in sys.stdlib_module_names:
            found.add(root)
    return found


@each(PARTS["show"])
def test_drawings_import_the_core_and_what_draws_them_alone(path):
    needs = {"layers.py": {"fast_sugiyama"}, "files.py": {"typst"}}
    assert outside(path) <= needs.get(path.name, set())


@each(PARTS["export"])
def test_an_export_imports_the_core_alone(path):
    assert outside(path) == set()


@each(PARTS["audit"])
def test_the_audit_imports_the_core_and_what_runs_it_alone(path):
    runs_it = {"click"} if path.name == "cli.py" else set()
    runs_it |= {"pytest", "_pytest"} if relative(path).parts[1].startswith("p") else set()
    runs_it |= {"numpy"} if path.name == "comparison.py" else set()  # to compare files of arrays
    runs_it |= {"IPython", "traitlets"} if path.stem.startswith("notebook") else set()
    runs_it |= {"html.py": {"jinja2"}, "lines.py": {"pygments"}}.get(path.name, set())
    runs_it |= {"pygls", "lsprotocol"} if path.name == "editor.py" else set()
    runs_it |= {"libcst"} if path.name == "candidates.py" else set()
    runs_it |= {"torch"} if path.name == "dynamo.py" else set()  # once the program has it
    assert outside(path) - {"supremum.__version__", "supremum.spelling"} <= runs_it


@each([p for p in PARTS["audit"] if p != SOURCE / "audit" / "__init__.py"])
def test_each_part_of_the_audit_imports_those_before_it_alone(path):
    own = relative(path).parts[1].removesuffix(".py")
    place = next(i for i, parts in enumerate(AUDIT_ORDER) if own in parts)
    before = {own}.union(*AUDIT_ORDER[:place])
    found = imports(path.read_text(encoding="utf-8"), relative(path))
    parts = {name.split(".")[2] for name, _ in found if name.startswith("supremum.audit.")}
    assert parts <= before


@each(PARTS["arrays"])
def test_arrays_import_the_core_and_each_backend_its_library(path):
    # arrays of NumPy come in and go out on every backend
    needs = {"numpy"}
    if path.parent.name == "backends":
        needs |= {"ml_dtypes", "array_api_compat", path.stem.partition("_")[0]}
    assert outside(path) <= needs


@each([p for p in PARTS["arrays"] if p != SOURCE / "arrays" / "__init__.py"])
def test_each_part_of_the_arrays_imports_those_before_it_alone_for_types_too(path):
    own = relative(path).parts[1].removesuffix(".py")
    before = {own, *ARRAYS_ORDER[: ARRAYS_ORDER.index(own)]}
    code = path.read_text(encoding="utf-8").replace("if TYPE_CHECKING:", "if True:")
    found = imports(code, relative(path))
    parts = {name.split(".")[2] for name, _ in found if name.startswith("supremum.arrays.")}
    assert parts <= before


@each(PARTS["conformance"])
def test_the_measurement_imports_the_core_and_each_file_its_library(path):
    needs = {"pytest.py": {"pytest"}, "command.py": {"click"}}.get(path.name, set())
    if path.parent.name == "libraries":
        library = path.stem.partition("_")[0] if path.stem != "array_api" else "array_api_strict"
        needs |= {library, "numpy"}
        needs |= {"jax"} if library == "keras" else set()  # which runs on it
    assert outside(path) <= needs


@each(PARTS["design"])
def test_the_design_imports_the_core_and_its_solver_alone(path):
    assert outside(path) <= ({"ortools"} if path.name == "model.py" else set())


@pytest.mark.parametrize("backend", ["numpy", "torch", "jax", "dask", "cupy"])
def test_a_backend_loads_no_library_but_its_own(empty, backend):
    others = {"numpy", "torch", "jax", "dask", "cupy"} - {backend, "numpy"}
    code = f"import supremum\ntry: supremum.namespace(backend={backend!r})\nexcept ImportError: 0"
    assert not others & third_party(loaded_by(code), empty)


def test_every_file_of_the_core_has_a_floor():
    files = {name_of(relative(path)) for path in CORE} - {"__init__", "analysis", "expressions"}
    assert {name for name in files if floor(name) is None} == set()
    listed = [name for names in FLOORS for name in names.split() if "*" not in name]
    assert len(listed) == len({*listed})


def test_the_package_has_these_parts_alone():
    parts = {relative(path).parts[0].removesuffix(".py") for path in ALL}
    assert parts == {
        "__init__",
        "__main__",
        "cli",
        "cli_audit",
        "cli_design",
        "cli_draw",
        "cli_questions",
        "cli_export",
        "cli_show",
        "cli_tables",
        "cli_rules",
        "cli_systems",
        "cli_parts",
        "core",
        "spelling",
        *PARTS,
    }


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import numpy", ["numpy"]),
        ("from rich.text import Text", ["rich.text"]),
        ("from . import rules", ["rules"]),
        ("from .lattice import Lattice", ["lattice"]),
        ("from .systems import system", ["systems"]),
        ("from .systems.jax import build", ["systems.jax"]),
        ("from .. import show", ["show"]),
        ("import supremum.show", ["supremum.show"]),
        ("def f():\n    from .dtypes import dtype", ["dtypes"]),
        ("def f():\n    from difflib import get_close_matches", []),
        ("class C:\n    from .system import PromotionSystem", ["system"]),
        ("if True:\n    import click", ["click"]),
        ("if TYPE_CHECKING:\n    from .system import PromotionSystem", ["system"]),
        ("import json\nfrom .errors import DTypeError\nfrom . import dtypes", []),
    ],
)
def test_an_import_that_is_not_allowed_would_be_noticed(code, found):
    assert not_lower(code, Path("core/lattice.py")) == found
