"""An audited program cannot tell: a corpus of Python's grammar runs as it does without an audit."""

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import supremum
from supremum.audit.probes import import_hook, plain_code

pytestmark = pytest.mark.thorough

CORPUS = Path(__file__).with_name("corpus")
NEWER = {"py312_generics.py": (3, 12), "py313_defaults.py": (3, 13)}
PARTS = {"conftest.py", "raises.py"}  # imported by others, and by pytest
PROGRAMS = sorted(path.name for path in CORPUS.glob("*.py") if path.name not in PARTS)

TERMS = "\n".join(f"{'+--++*--++-*'[n % 12]} {'x' if n % 2 else n}" for n in range(1000))
# no files for people: one is long, one does not parse, the others are not in UTF-8 as it is usual
MADE = {
    "long.py": f"""# one expression of a thousand terms, and one of many brackets
import numpy as np
x, a = 1.5, np.float32([1, 2])
def terms(x):
    return (x
{TERMS})
print(terms(x), terms(a))
print({"(" * 60}x{" + x)" * 60}, {"abs(" * 60}a{")" * 60})
print(x + 1{" + x - x" * 600})
print({" and ".join(["x > 1"] * 800)})
text = {" + ".join(["str(x)"] * 400)}
print(len(text), [[[[x + 1]]]][0][0][0][0] * 2)
""".encode(),
    "broken.py": b"# no Python: what imports it is told so\nx = 1 +\n",
    "encoded.py": """# -*- coding: latin-1 -*-
import inspect
import traceback

text = "été" * 2
print(ascii(text))
try:
    nomé = "é" + "ü" * 2 + (1 + len("é"))
except TypeError:
    print(ascii(traceback.format_exc()))
def f(é):
    return é + 1
print(ascii(inspect.getsource(f)))
""".encode("latin-1"),
    "byte_order_mark.py": b"\xef\xbb\xbf'''A docstring.'''\n\n"
    b'print(ascii("\xc3\xa9") + "!" * 2, __doc__)\nprint(1 / (1 - 1))\n',
    "syntax_warnings.py": b"""x = [1, 2]
print(x is (), "\\d" + "e", warned := 1)
assert (x, "always true")
print(1if x else 2 + 3)
x = lambda: (1)(2)
""",
}
ENVIRONMENT = {
    **os.environ,
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONPATH": str(Path(supremum.__file__).parents[1]),
}


def newer(name):
    return sys.version_info < NEWER.get(name, (3,))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A copy of the corpus, with the files that are made."""
    place = tmp_path_factory.mktemp("audited") / "corpus"
    shutil.copytree(CORPUS, place, ignore=shutil.ignore_patterns("__pycache__", "conftest.py"))
    for name, source in MADE.items():
        (place / name).write_bytes(source)
    return place


@pytest.fixture(scope="module")
def kept(folder, tmp_path_factory):
    """A copy of the corpus, in which compiled code is kept."""
    place = tmp_path_factory.mktemp("kept") / "corpus"
    return shutil.copytree(folder, place, ignore=shutil.ignore_patterns("__pycache__"))


def both(folder, *command, environment=(), options=()):
    """Run a program without an audit and with one; return both, and the report."""
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    audit = ("-m", "supremum", "audit", "-o", str(report), *options)
    started = [
        subprocess.Popen(
            [sys.executable, "-W", "default", *before, *command],
            cwd=folder,
            env={**ENVIRONMENT, **dict(environment)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for before in ((), audit)
    ]
    ended = [process.communicate(timeout=100) for process in started]
    codes = [process.returncode for process in started]
    return *[(*told, code) for told, code in zip(ended, codes, strict=True)], report


@pytest.mark.parametrize("name", [*PROGRAMS, *(name for name in MADE if name != "broken.py")])
def test_output_errors_and_exit_code_are_those_without_an_audit(folder, name):
    if newer(name):
        pytest.skip(f"{name} is in the grammar of Python {'.'.join(map(str, NEWER[name]))}")
    plain, audited, report = both(folder, name)
    assert audited[0].decode() == plain[0].decode()
    assert audited[1].decode() == plain[1].decode()
    assert audited[2] == plain[2]
    assert plain[0] + plain[1]  # it says something
    told = json.loads(report.read_text(encoding="utf-8"))
    assert told["unwatched"] == []
    if name == "arrays.py":
        assert told["operations"] > 100


@pytest.mark.parametrize("name", [*PROGRAMS, *(name for name in MADE if name != "broken.py")])
def test_code_that_is_kept_runs_as_code_that_is_made_anew(kept, name):
    """Run a program as a module, so that its own code is kept, too."""
    if newer(name):
        pytest.skip(f"{name} is in the grammar of Python {'.'.join(map(str, NEWER[name]))}")
    module = name.removesuffix(".py")
    caching = {"PYTHONDONTWRITEBYTECODE": ""}
    both(kept, "-m", module, environment=caching)
    (code,) = (kept / "__pycache__").glob(f"{module}.*supremum*")
    written = code.stat().st_mtime_ns
    plain, audited, _ = both(kept, "-m", module, environment=caching)
    # one program prints what has loaded it
    assert audited[0].decode().replace(" Loader\n", " SourceFileLoader\n") == plain[0].decode()
    assert audited[1].decode() == plain[1].decode()
    assert audited[2] == plain[2]
    assert code.stat().st_mtime_ns == written


@pytest.mark.parametrize(
    "command", [["-m", "package", "an argument"], ["package_of_main"], ["-m", "sibling"]]
)
def test_packages_and_folders_run_as_modules_do(folder, command):
    place = folder / "package_of_main"
    if not place.exists():
        place.mkdir()
        shutil.copy(folder / "sibling.py", place / "sibling.py")
        (place / "__main__.py").write_text(
            "import sibling, sys\nprint(sys.argv)\nsibling.fail(2)\n"
        )
    plain, audited, report = both(folder, *command)
    assert audited == plain
    assert plain[1].startswith(b"Traceback") or plain[0]
    assert json.loads(report.read_text(encoding="utf-8"))["unwatched"] == []


def test_all_of_the_corpus_is_watched(folder):
    for path in folder.glob("*.py"):
        if path.name == "broken.py" or newer(path.name):
            continue
        source = path.read_bytes()
        with pytest.warns() if path.name == "syntax_warnings.py" else plain_code.silence():
            code = import_hook.compiled(source, str(path))
        assert str(path) not in import_hook.UNWATCHED
        assert probes_in(code) > 0, path.name


def probes_in(code):
    """Return how often some code, and all code inside, refers to a probe."""
    inside = sum(probes_in(c) for c in code.co_consts if hasattr(c, "co_consts"))
    probes = [
        c for c in code.co_consts if getattr(c, "__module__", "") == "supremum.audit.log.hooks"
    ]
    return len(probes) + inside


def test_the_corpus_has_every_form_of_the_grammar(folder):
    found = set()
    for path in folder.glob("**/*.py"):
        if path.name != "broken.py" and not newer(path.name):
            with plain_code.silence():
                found |= {type(node) for node in ast.walk(ast.parse(path.read_bytes()))}
    kinds = [ast.stmt, ast.expr, ast.pattern, ast.operator, ast.unaryop, ast.cmpop, ast.boolop]
    kinds += [ast.excepthandler, ast.expr_context, getattr(ast, "type_param", ast.excepthandler)]
    forms = {form for kind in kinds for form in kind.__subclasses__()}
    assert len(forms) > 90
    old = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "AugLoad", "AugStore", "Param"}
    old |= {"Index", "ExtSlice", "Suite"}
    assert {form.__name__ for form in forms - found} - old == set()


def test_an_interrupt_ends_the_program_and_leaves_the_report(folder):
    (folder / "endless.py").write_text(
        "import numpy as np\nx = np.ones(2, np.float32) * np.hanning(2)\n"
        "print('ready', flush=True)\nwhile True: x * 1\n"
    )
    report = folder / "interrupted.json"
    command = [sys.executable, "-m", "supremum", "audit", "-o", str(report), "endless.py"]
    process = subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert errors.decode().startswith("Traceback (most recent call last):\n")
    assert "supremum" not in errors.decode()
    assert errors.endswith(b"KeyboardInterrupt\n")
    (found,) = json.loads(report.read_text(encoding="utf-8"))["findings"]
    assert (found["line"], found["kind"]) == (2, "widening")


def test_an_interrupt_while_an_array_is_read_shows_the_program_alone(folder):
    (folder / "read.py").write_text(
        "import numpy as np\n"
        "class Armed(np.ndarray):\n"
        "    @property\n"
        "    def dtype(self):\n"
        "        raise KeyboardInterrupt\n"
        "np.ones(2, np.float32).view(Armed)\n"
    )
    command = [sys.executable, "-m", "supremum", "audit", "-o", os.devnull, "read.py"]
    ended = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, check=False)
    errors = ended.stderr.decode().splitlines()
    assert [line for line in errors if line.startswith("  File")] == [
        f'  File "{folder / "read.py"}", line 6, in <module>'
    ]
    assert errors[-1] == "KeyboardInterrupt"


def test_output_that_nobody_reads_ends_as_without_an_audit(folder):
    (folder / "prints.py").write_text("print('x' * 10)\n")
    (folder / "prints_much.py").write_text("for n in range(100_000): print('x' * n)\n")
    for name in ("prints.py", "prints_much.py"):
        told = []
        for before in ([], ["-m", "supremum", "audit", "-o", os.devnull]):
            reader, writer = os.pipe()
            os.close(reader)
            environment = {k: v for k, v in ENVIRONMENT.items() if k != "PYTHONUNBUFFERED"}
            ended = subprocess.run(
                [sys.executable, *before, name],
                cwd=folder,
                env=environment,
                stdout=writer,
                stderr=subprocess.PIPE,
                check=False,
            )
            os.close(writer)
            told.append((ended.returncode, ended.stderr.decode()))
        assert told[1] == told[0]
        assert "BrokenPipeError" in told[0][1]
