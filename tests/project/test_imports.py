"""Who imports whom: downwards alone, nowhere in functions, and few third-party packages."""

import ast
import re
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

import supremum

SOURCE = Path(supremum.__file__).parent

# The floors of three parts, from the ground up: a file imports from lower floors alone, types
# included. What ends in a slash is a folder, whose files may import each other.
FLOORS = {
    "core": """
        errors number_formats catalogue
        libraries display rule_files shapes
        foreign functions shapes_linalg
        dtypes
        lattice table losses operands
        fold limits shape_effects
        steps answers
        common_steps
        hints explanation
        function_rules
        rules
        promotion
        system
        systems/jax systems/numpy
        systems/tensorflow
        systems/*
        systems completion
        deciding
        evaluation/text evaluation/numbers evaluation/facts
        evaluation/names evaluation/record evaluation/arguments
        evaluation/calls evaluation/place evaluation/parts
        evaluation/evaluate
        evaluation/called
        evaluation/expression evaluation/code
        analysis/laws analysis/compare
        analysis/criteria analysis/differences analysis/compare_code
        ask explain""",
    "audit": """
        model/
        kinds/
        log/
        stops/
        probes/ preview/ edits/
        report/
        runner/
        options
        trial/
        api
        with_statement
        notebook
        cli
        sweeping/
        plugin/
        pytest_plugin
        __main__""",
    "arrays": """
        functions
        array
        decide
        backends/
        engine
        views
        conversion
        operand
        ways
        plan
        operations
        indexing
        operators
        data_types
        creation
        elementwise
        fft
        inspection
        manipulation
        reductions
        linalg
        searching
        numpy_functions
        ufuncs
        extension
        interop
        signatures
        space
""",
}
# What files import beside the core, their own folder and the standard library; {} is the library
# that the file is named after.
OUTSIDE = """
    arrays/*: numpy
    arrays/array.py: pyarrow
    arrays/interop.py: einops
    arrays/backends/*: ml_dtypes array_api_compat {}
    audit/*: supremum.__version__ supremum.version supremum.terminal
    audit/cli.py: click
    audit/[p]*: pytest _pytest
    audit/*/comparison.py: numpy
    audit/sweeping/*: numpy pytest rich
    audit/*notebook*: IPython traitlets
    audit/with_statement.py: IPython
    audit/*/html.py: jinja2
    audit/*/lines.py: pygments
    audit/*/dynamo.py: torch
    commands/*: supremum.* click rich
    conformance/pytest.py: pytest
    conformance/libraries/*: numpy {}
    conformance/libraries/keras.py: jax
    conformance/libraries/array_api.py: array_api_strict
    design/model.py: ortools
    design/base.py: supremum.show
    export/templating.py: jinja2
    show/*/places.py: fast_sugiyama
    show/*/files.py: typst
"""
ROWS = [line.strip().split(": ") for line in OUTSIDE.strip().splitlines()]
ALL = sorted(SOURCE.rglob("*.py"))
FACES = {"__init__", "analysis", "evaluation"}  # of parts and of folders: they have no floor
PARTS = sorted({path.relative_to(SOURCE).parts[0] for path in ALL if path.parent != SOURCE})


FOR_TYPES = {"supremum.audit.options", "supremum.audit.Watch"}  # which are higher, in two files


def each(parts):
    paths = [path.relative_to(SOURCE) for path in ALL if path.relative_to(SOURCE).parts[0] in parts]
    return pytest.mark.parametrize("path", paths, ids=str)


def imports(code, path):
    """Yield what code at a path imports, as full names, and whether it does so in a function."""
    package = ("supremum", *path.parts[:-1])
    for node in ast.walk(ast.parse(code)):
        inside = bool(getattr(node, "col_offset", 0))
        if isinstance(node, ast.Import):
            yield from ((alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            names = [node.module] if node.module else [alias.name for alias in node.names]
            yield from ((".".join((*above, name)), inside) for name in names)


def module(path):
    """Return the name of a file in its part."""
    return ".".join(path.with_suffix("").parts[1:]).removesuffix(".__init__")


def place(part, name):
    """Return the floor of a module of a part, and the word that stands for it there."""
    for number, line in enumerate(FLOORS[part].split("\n")):
        for word in line.split():
            if fnmatch(f"{name.replace('.', '/')}/", f"{word}*" if word[-1] == "/" else f"{word}/"):
                return number, word
    raise LookupError(f"{name} has no floor in {part}")


def not_lower(code, path):
    """Return what a file imports of its part that is of no lower floor, or inside a function."""
    part = path.parts[0]
    floor, word = place(part, module(path))
    found = []
    for name, inside in imports(code, path):
        if name.startswith(f"supremum.{part}.") and name not in FOR_TYPES:
            other, theirs = place(part, name.split(".", 2)[2])
            lower = other < floor or (theirs == word and word.endswith("/"))
            found += [] if lower and not (inside and part == "core") else [name]
    return found


def outside(code, path):
    """Return what a file imports that is neither allowed nor the core's nor its folder's."""
    rows = [names for pattern, names in ROWS if fnmatch(str(path), pattern)]
    allowed = f"supremum.core supremum.{path.parts[0]} {' '.join(rows)}"
    allowed = allowed.replace("{}", path.stem.partition("_")[0]).split()
    found = {name for name, _ in imports(code, path)} - sys.stdlib_module_names
    found = {".".join(n.split(".")[: 1 + n.startswith("supremum.")]) for n in found}
    found -= sys.stdlib_module_names
    return {name for name in found if not any(fnmatch(name, word) for word in allowed)}


def code_of(path):
    return (SOURCE / path).read_text("utf-8")


@each(FLOORS)
def test_each_file_imports_from_lower_floors_alone(path):
    if module(path) not in FACES:
        assert not_lower(code_of(path), path) == []


@each(PARTS)
def test_each_file_imports_few_packages(path):
    assert outside(code_of(path), path) == set()


def test_every_floor_has_files():
    for part, text in FLOORS.items():
        files = [*(SOURCE / part).rglob("*.py"), *(SOURCE / part).rglob("*.pyi")]
        names = {module(path.relative_to(SOURCE)) for path in files} - FACES
        assert {place(part, name)[1] for name in names} == {*text.split()}


def test_the_core_itself_imports_nothing():
    assert [*imports(code_of("core/__init__.py"), Path("core/x.py"))] == []


def test_the_rules_are_found_by_one_module_and_no_other_imports_by_name():
    # the others import other libraries, whose dtypes and data frames they are asked for
    dynamic = [p for p in ALL if "import_module(" in p.read_text("utf-8") and "core" in p.parts]
    assert sorted(p.name for p in dynamic) == sorted(["dtypes.py", "__init__.py", "table.py"])


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_inside_the_package_are_relative(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import | ast.ImportFrom):
            assert not re.match(r"(from|import) supremum\b", ast.unparse(node))


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import numpy", {"numpy"}),
        ("from . import rules", ["supremum.core.rules"]),
        ("from .systems.jax import build", ["supremum.core.systems.jax"]),
        ("from .. import show", {"supremum.show"}),
        ("def f():\n    from .errors import DTypeError", ["supremum.core.errors"]),
        ("if TYPE_CHECKING:\n    from .system import System", ["supremum.core.system"]),
        ("import json\nfrom .errors import DTypeError\nfrom . import dtypes", []),
    ],
)
def test_an_import_that_is_not_allowed_would_be_noticed(code, found):
    check = outside if isinstance(found, set) else not_lower
    assert check(code, Path("core/lattice.py")) == found
