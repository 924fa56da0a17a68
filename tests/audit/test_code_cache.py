"""Instrumented code is kept on disk, and later imports do without instrumenting."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import supremum
from supremum.audit.probes import code_cache, import_hook

pytestmark = pytest.mark.thorough

CACHING = {"PYTHONDONTWRITEBYTECODE": ""}
MODULE = "def double(x):\n    return x * 2 + abs(x)\n"


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Return a function that loads a module.

    It gives what `double` of 3 is, and whether the module was instrumented.
    """
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    rewritten = []
    rewrite = import_hook.rewrite

    def counted(tree, file):
        rewritten.append(file)
        return rewrite(tree, file)

    monkeypatch.setattr(import_hook, "rewrite", counted)
    path = tmp_path / "module.py"
    path.write_text(MODULE)

    def load_module():
        rewritten.clear()
        namespace = {}
        exec(import_hook.Loader("module", str(path)).get_code("module"), namespace)
        assert probes_of(namespace["double"].__code__)
        return namespace["double"](3), bool(rewritten)

    return load_module


def probes_of(code):
    return [c for c in code.co_consts if getattr(c, "__module__", "") == "supremum.audit.log.hooks"]


def kept_in(folder):
    return sorted(Path(folder).rglob("*supremum*"))


def test_code_is_instrumented_once(load, tmp_path):
    assert load() == (9, True)
    assert load() == (9, False)
    assert load() == (9, False)
    (kept,) = kept_in(tmp_path)
    tag = f"{sys.implementation.cache_tag}-supremum-{supremum.__version__}"
    assert kept == tmp_path / "__pycache__" / f"module.{tag}.pyc"


def test_a_source_that_changed_is_instrumented_anew(load, tmp_path):
    load()
    (tmp_path / "module.py").write_text(MODULE.replace("2", "5"))
    os.utime(tmp_path / "module.py", ns=(1, 1))
    assert load() == (18, True)
    assert load() == (18, False)
    os.utime(tmp_path / "module.py", ns=(1, 2))
    assert load() == (18, True)
    with (tmp_path / "module.py").open("a") as opened:
        opened.write("#\n")
    os.utime(tmp_path / "module.py", ns=(1, 2))
    assert load() == (18, True)


def test_a_module_that_moved_is_instrumented_anew(load, tmp_path):
    load()
    (tmp_path / "moved").mkdir()
    for name in ("module.py", "__pycache__"):
        (tmp_path / name).rename(tmp_path / "moved" / name)
    (kept,) = kept_in(tmp_path)
    assert code_cache.cached(str(tmp_path / "moved" / "module.py")).path == str(kept)
    assert code_cache.cached(str(tmp_path / "moved" / "module.py")).read() is None


def test_code_that_other_sources_of_this_package_made_is_not_used(load, monkeypatch):
    load()
    before = code_cache._made_by()
    code_cache._made_by.cache_clear()
    assert code_cache._made_by() == before
    monkeypatch.setattr(code_cache, "_made_by", lambda: b"edited")
    assert load() == (9, True)
    assert load() == (9, False)


def test_code_is_made_by_all_modules_that_instrument(monkeypatch, tmp_path):
    for name in ("statements.py", "code_cache.py"):
        (tmp_path / name).write_text("")
    monkeypatch.setattr(code_cache, "__file__", str(tmp_path / "code_cache.py"))
    made_by = code_cache._made_by.__wrapped__
    first = made_by()
    (tmp_path / "statements.py").write_text("# edited\n")
    assert made_by() != first


@pytest.mark.parametrize("optimize", [0, 1])
def test_asserts_are_in_code_that_is_not_optimized(write, command, optimize):
    write("def check(x):\n    assert abs(x) * 2 < 5, 'too large'\n    return x\n", "module.py")
    write("import module\nprint(module.check(3))\n")
    environment = {**CACHING, "PYTHONOPTIMIZE": str(optimize)}
    for _ in range(2):
        ended = command("program.py", env=environment)
        assert (ended.stdout == "3\n") == bool(optimize), ended
        other = command("program.py", env={**environment, "PYTHONOPTIMIZE": str(1 - optimize)})
        assert (other.stdout == "3\n") != bool(optimize)


def test_nothing_is_kept_if_python_keeps_nothing(load, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert load() == (9, True)
    assert load() == (9, True)
    assert not kept_in(tmp_path)


def test_code_is_kept_where_python_keeps_its_own(load, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "kept"))
    load()
    assert load() == (9, False)
    assert not (tmp_path / "__pycache__").exists()
    assert len(kept_in(tmp_path / "kept")) == 1


@pytest.mark.parametrize(
    "harm",
    [
        lambda _: b"",
        lambda content: content[:7],
        lambda content: content[:8],
        lambda content: content[:-1],
        lambda content: content[: len(content) // 2],
        lambda content: content[:4] + bytes([content[4] ^ 1]) + content[5:],
        lambda _: b"no code\n" * 50,
    ],
)
def test_a_file_that_is_damaged_is_made_anew(load, tmp_path, harm):
    load()
    (kept,) = kept_in(tmp_path)
    kept.write_bytes(harm(kept.read_bytes()))
    assert load() == (9, True)
    assert load() == (9, False)


def test_a_folder_that_cannot_be_written_does_no_harm(load, tmp_path):
    (tmp_path / "__pycache__").write_text("this is no folder\n")
    assert load() == (9, True)
    assert load() == (9, True)
    assert {path.name for path in tmp_path.iterdir()} == {"module.py", "__pycache__"}


def test_a_write_that_fails_leaves_nothing_behind(load, tmp_path, monkeypatch):
    def full(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr(Path, "replace", full)
    assert load() == (9, True)
    assert not kept_in(tmp_path)


LOSES = """
import numpy as np
def widen(x):
    return x * np.hanning(8)
"""


@pytest.mark.parametrize("first", ["one", "two"])
def test_findings_are_at_the_same_places_as_before(write, command, first):
    write(LOSES, "one.py")
    write("\n\n" + LOSES, "two.py")
    program = "import numpy as np, {}, {}\nx = np.ones(8, np.float32)\none.widen(x); two.widen(x)\n"
    write(program.format("one", "two"))
    assert command("program.py", env=CACHING).returncode == 0
    other = {"one": "two", "two": "one"}[first]
    write(program.format(first, other))  # so the numbers of the places are others
    told = []
    for environment in ({"PYTHONDONTWRITEBYTECODE": "1"}, CACHING):
        ended = command("-o", "report.json", "program.py", env=environment)
        assert ended.returncode == 0, ended.stderr
        told.append(json.loads(Path("report.json").read_text(encoding="utf-8")))
    assert told[0] == told[1]
    assert {(Path(f["file"]).name, f["line"]) for f in told[0]["findings"]} == {
        ("one.py", 4),
        ("two.py", 6),
    }


def test_processes_may_write_at_the_same_time(write, tmp_path):
    source = "".join(f"def f{n}(x):\n    return x * {n} + abs(x)\n" for n in range(300))
    write(source, "module.py")
    write("import module\nprint(module.f7(3))\n")
    command = [sys.executable, "-m", "supremum", "audit", "program.py"]
    environment = {**os.environ, **CACHING}
    for _ in range(2):
        started = [
            subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            for _ in range(4)
        ]
        assert [process.communicate(timeout=100)[0] for process in started] == [b"24\n"] * 4
    (kept,) = kept_in(tmp_path)
    assert kept.suffix == ".pyc"
