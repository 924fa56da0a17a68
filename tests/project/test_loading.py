"""What is loaded: `import supremum` has the standard library alone, and each use what it needs."""

import subprocess
import sys
from tempfile import gettempdir

import pytest


def loaded_by(code):
    """Return the modules that a fresh interpreter has after running some code."""
    printed = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        check=True,
        cwd=gettempdir(),  # which is in no project
    ).stdout
    return {*printed.decode().splitlines()[-1].split()}


def third_party(modules, before=frozenset()):
    packages = {name.partition(".")[0] for name in modules - before}
    return packages - sys.stdlib_module_names - {"supremum"}


@pytest.fixture(scope="module")
def empty():
    """The modules of an interpreter that has run nothing; some environments add their own."""
    return loaded_by("pass")


COMMAND = "from supremum.commands import main\ntry: main({})\nexcept SystemExit: pass"
EXPLAIN = [["explain", "int32", "float32"], ["explain", "int32 + float32"]]
BACKEND = "import supremum\ntry: supremum.namespace(backend={!r})\nexcept ImportError: 0"
# what is run, the packages that it may load, and the modules that it does not
USES = {
    "import": ("import supremum", "", "difflib fractions tomllib ctypes csv"),
    "the core": (
        """
import supremum as s
s.result_type('int32', 'float16', 1.0), s.result_type(s.dtype('int8'), s.dtype('float16'))
s.system('jax', x64=False).result_type(s.dtype('int4'), 1), s.result_type('int8', op='sqrt')
str(s.explain('int8', 'uint8', system='jax-original'))
s.laws('python'), s.custom.criteria('python'), s.compare('int8', 1), s.diff('numpy', 'jax')
s.custom.define('mine8', kind='unsigned', bits=8), [s.system(name) for name in s.systems()]""",
        "",
        "",
    ),
    "what shows": (
        """
import supremum as s
s.system('jax').draw().render('svg'), s.show.render(s.system('python').table(), 'html')
s.namespace, s.rules""",
        "fast_sugiyama",
        "",
    ),
    **{
        f"the command {words[0]}": (COMMAND.format(words), "click", "")
        for words in (["table"], ["systems"])
    },
    **{
        " ".join(words): (
            COMMAND.format(words),
            "click",
            "supremum.commands.audit supremum.commands.systems supremum.show supremum.arrays",
        )
        for words in EXPLAIN
    },
    "an audit": (
        "import supremum.commands, supremum.audit.cli",
        "click",
        "supremum.core.analysis.laws supremum.core.evaluation rich click.shell_completion tomllib",
    ),
    **{
        f"arrays on {name}": (
            BACKEND.format(name),
            f"numpy ml_dtypes array_api_compat {name}",
            " ".join({"torch", "jax", "dask", "cupy"} - {name}),
        )
        for name in ("numpy", "torch", "jax", "dask", "cupy")
    },
}


@pytest.mark.parametrize(("code", "packages", "others"), USES.values(), ids=USES)
def test_what_a_use_loads(empty, code, packages, others):
    loaded = loaded_by(code)
    if not code.startswith("import supremum\ntry"):  # a library loads what it needs itself
        assert third_party(loaded, empty) <= {*packages.split()}
    assert not {*others.split()} & (loaded - empty)


def test_an_explanation_loads_no_slow_module_that_click_does_not():
    slow = {"json", "rich", "runpy", "shutil", "textwrap", "tomllib", "traceback"}
    assert slow & loaded_by(COMMAND.format(EXPLAIN[0])) <= loaded_by("import click")


def test_a_third_party_module_would_be_noticed(empty):
    assert third_party(loaded_by("import supremum, numpy"), empty) == {"numpy"}


def test_nothing_needs_numpy():
    loaded_by("""
import sys; sys.modules['numpy'] = None; sys.modules['ml_dtypes'] = None
import supremum as s
int8, half = s.dtype('int8'), s.dtype('float16')
assert s.result_type(int8, half) is s.promote_types(int8, half) is half
assert s.result_type(int8, 1.0).name == 'float64'
narrow = s.system('jax', x64=False)
assert narrow.result_type(s.dtype('int4'), s.dtype('int*')).bits == 4
assert int8 == 'int8' != half and not hasattr(int8, '__numpy_dtype__')""")
