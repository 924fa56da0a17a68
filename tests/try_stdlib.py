"""Run tests of Python's own library with and without an audit: what fails must be the same.

    python tests/try_stdlib.py                 all that are listed here
    python tests/try_stdlib.py test_statistics test_enum

The test modules are watched, and the modules that they test, in a process of their own each. Needs
a Python that has its test suite, the package ``test``. Left out is ``test_sys_settrace``: a trace
function hears of calls of probes. Exits 1 where an audit makes a difference.
"""

import importlib
import io
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESTED = {
    "test_argparse": "argparse",
    "test_asyncgen": "",
    "test_asyncio.test_queues": "asyncio",
    "test_asyncio.test_tasks": "asyncio",
    "test_augassign": "",
    "test_bisect": "bisect",
    "test_class": "",
    "test_collections": "",
    "test_compare": "",
    "test_complex": "",
    "test_contextlib": "contextlib",
    "test_contextlib_async": "contextlib",
    "test_copy": "copy",
    "test_coroutines": "",
    "test_dataclasses": "dataclasses",
    "test_decimal": "_pydecimal decimal numbers",
    "test_decorators": "",
    "test_descr": "",
    "test_dictcomps": "",
    "test_difflib": "difflib",
    "test_enum": "enum",
    "test_except_star": "",
    "test_exceptions": "",
    "test_extcall": "",
    "test_float": "",
    "test_fractions": "fractions numbers",
    "test_fstring": "",
    "test_functools": "functools",
    "test_generators": "",
    "test_genexps": "",
    "test_global": "",
    "test_grammar": "",
    "test_heapq": "heapq",
    "test_int": "",
    "test_json": "json",
    "test_keywordonlyarg": "",
    "test_list": "test.list_tests test.seq_tests",
    "test_listcomps": "",
    "test_metaclass": "",
    "test_named_expressions": "",
    "test_patma": "",
    "test_pickle": "pickle test.pickletester",
    "test_positional_only_arg": "",
    "test_raise": "",
    "test_random": "random",
    "test_scope": "",
    "test_set": "",
    "test_setcomps": "",
    "test_slice": "",
    "test_statistics": "statistics fractions random",
    "test_string": "string",
    "test_super": "",
    "test_textwrap": "textwrap",
    "test_traceback": "traceback",
    "test_typing": "typing",
    "test_unpack": "",
    "test_unpack_ex": "",
    "test_weakref": "weakref",
    "test_with": "",
}
"""The test modules, and the modules that are watched beside each."""


def run(name: str, tested: str, *, watched: bool) -> None:
    """Run one test module in this process, and print what came of it as JSON."""
    from supremum import audit
    from supremum.audit.probes import import_hook

    include = [f"test.{name}", *tested.split()]
    if name.count("."):
        include.append(f"test.{name.partition('.')[0]}")
    if watched:
        audit.install(*include, roots=())
    for module in list(sys.modules):
        if any(module == of or module.startswith(f"{of}.") for of in tested.split()):
            del sys.modules[module]  # it is imported again, in either case
    with audit.watch() as found:
        suite = unittest.defaultTestLoader.loadTestsFromName(f"test.{name}")
        result = unittest.TextTestRunner(io.StringIO(), verbosity=0).run(suite)
        report = found.report
    loaders = [getattr(sys.modules.get(of), "__loader__", None) for of in include]
    told = {
        "run": result.testsRun,
        "failed": {str(test): trace for test, trace in [*result.failures, *result.errors]},
        "watched": sum(isinstance(loader, import_hook.Loader) for loader in loaders),
        "unwatched": import_hook.UNWATCHED,
        "problems": report.problems,
    }
    Path("told.json").write_text(json.dumps(told), encoding="utf-8")


def told_by(name: str, *, watched: bool) -> dict[str, object]:
    """Return what a test module does in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--run", name, "watched" if watched else ""]
        try:
            ended = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, timeout=900, check=False
            )
        except subprocess.TimeoutExpired:
            return {"run": 0, "failed": {"the process": "takes too long"}, "watched": 0}
        path = Path(folder, "told.json")
        if not path.exists():
            return {"run": 0, "failed": {"the process": ended.stderr[-2000:]}, "watched": 0}
        return json.loads(path.read_text(encoding="utf-8"))


def main() -> None:
    """Compare the test modules that are named, or all."""
    different = False
    for name in sys.argv[1:] or TESTED:
        plain, audited = (told_by(name, watched=watched) for watched in (False, True))
        more = {t: told for t, told in audited["failed"].items() if t not in plain["failed"]}
        less = [t for t in plain["failed"] if t not in audited["failed"]]
        counts = f"{len(plain['failed'])} fail without, {len(audited['failed'])} with"
        watched = f"{audited['watched']} modules watched"
        print(f"{name}: {plain['run']} and {audited['run']} tests run, {counts}; {watched}")
        for test, told in more.items():
            last = (told.strip().splitlines() or ["ends without a word"])[-1]
            print(f"    fails with an audit alone: {test}\n        {last}")
        for test in less:
            print(f"    fails without an audit alone: {test}")
        for kind in ("unwatched", "problems"):
            if audited.get(kind):
                print(f"    {kind}: {audited[kind]}")
        same = plain["run"] == audited["run"] > 0 and not more and not less
        different |= not same or not audited["watched"]
        sys.stdout.flush()
    sys.exit(different)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        importlib.import_module("supremum.audit")
        run(sys.argv[2], TESTED.get(sys.argv[2], ""), watched=bool(sys.argv[3]))
    else:
        main()
