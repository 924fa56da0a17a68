"""Fixing a program or a function: what is asked, read once, and done."""

from __future__ import annotations

import inspect
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from .. import options
from ..runner import commands, program
from .files import Files
from .fixed import Fixed, FixError, check_tolerance
from .rounds import Fixing
from .runs import Runner

_PASSED_ON: Final = ("kinds", "forbid", "target", "include")

# A program that calls a function: it is found by its file, as it may be of no package.
_CALL: Final = """\
import importlib, importlib.util, pickle, sys
sys.path[:0] = {path!r}
if {file!r}:
    spec = importlib.util.spec_from_file_location({module!r}, {file!r})
    module = importlib.util.module_from_spec(spec)
    sys.modules[{module!r}] = module
    spec.loader.exec_module(module)
else:
    module = importlib.import_module({module!r})
with open({given!r}, "rb") as given:
    arguments, named = pickle.load(given)
result = getattr(module, {name!r})(*arguments, **named)
with open({result!r}, "wb") as kept:
    pickle.dump(result, kept)
"""

# A program that runs a notebook: no file in the folder hides a module of ours meanwhile.
_NOTEBOOK: Final = """\
import sys
here = [] if sys.flags.safe_path else [sys.path.pop(0)]
from supremum.audit.runner.program import run_notebook
sys.path[:0] = here
sys.exit(run_notebook(sys.argv[1], sys.argv[2:]))
"""


def fix(
    subject: str | Callable[..., Any],
    /,
    arguments: Sequence[Any] = (),
    *,
    as_module: bool = False,
    diff: bool = False,
    force: bool = False,
    compare: Sequence[str] = (),
    tolerance: float | None = None,
    reads: bool = False,
    command: str = "supremum fix",
    progress: Callable[[str], None] = lambda _: None,
    **asked: Any,
) -> Fixed:
    """Type the suggestions of an audit into a program, as far as it gives the same results.

    The program runs in a process of its own: with the audit, as it is, and again after each round
    of changes. A change that gives other results than the tolerance allows is undone.

    Args:
        subject: the path of a script or a notebook; or a function at the top level of a file,
            whose result is compared, too.
        arguments: what the script finds in `sys.argv`, or what the function is called with.
        as_module: whether `subject` is the name of a module, as for ``python -m``.
        diff: whether the changes of one run are returned as a patch, and nothing is written.
        force: whether files with uncommitted changes are changed.
        compare: files that the program writes outside of its folder and the current one, and
            that are compared as those are: ``.npy``, ``.npz``, ``.json``, and text, such as
            ``.csv``.
        tolerance: how far numbers may be apart, relative to the larger one; by default 512 times
            the epsilon of the narrower dtype.
        reads: whether the program is given the standard input of this process.
        command: how the user calls this, for messages.
        progress: called with what is being done.
        asked: the options of the audit ``kinds``, ``forbid``, ``target`` and ``include``, as
            texts.

    Raises:
        FixError: if the program cannot be fixed, or a file must not be changed.
        RulesError: if there is no such program, or for an unknown option.
    """
    for name in asked:
        if name not in _PASSED_ON:
            raise FixError(f"a fix has no option {name!r}; there are {', '.join(_PASSED_ON)}", name)
    options.read(**{name: value for name, value in asked.items() if value})
    check_tolerance(tolerance)
    for path in compare:
        if Path(path).is_dir():
            raise FixError(f"{path!r} is a folder; name a file that the program writes", path)
    given = [*_words(asked)]
    with _called(subject, arguments, as_module=as_module) as (plain, audited, root, rest):
        folders = [] if diff else [*dict.fromkeys((Path.cwd(), root.resolve()))]
        words = [*given, *audited]
        runner = Runner(plain, words, compared=compare, folders=folders, reads=reads, **rest)
        files = Files([root, Path.cwd()], force=force, to_read=diff)
        fixing = Fixing(runner, files, command=command, given=tolerance, progress=progress)
        return fixing.proposed() if diff else fixing.checked()


def _words(asked: dict[str, Any]) -> Iterator[str]:
    """Yield the options of an audit as words of its command."""
    for name, value in asked.items():
        if name == "include" and value:
            for package in [value] if isinstance(value, str) else value:
                yield from (f"--{name}", package)
        elif value:
            if not isinstance(value, (str, list, tuple, set, frozenset)):
                raise FixError(f"{name} is a text, not {value!r}", value)
            yield from (f"--{name}", value if isinstance(value, str) else ",".join(sorted(value)))


@contextmanager
def _called(
    subject: str | Callable[..., Any], arguments: Sequence[Any], *, as_module: bool
) -> Iterator[tuple[list[str], list[str], Path, dict[str, Any]]]:
    """Give the words that run a program, those that name it to the audit, and its folder."""
    if not isinstance(subject, (str, os.PathLike)):
        with TemporaryDirectory() as folder:
            yield _function(subject, arguments, Path(folder))
        return
    name = os.fspath(subject)
    if as_module:
        found = program.module(name, arguments)
        words = ["-m", name, "--", *arguments]
        yield ["-m", name, *arguments], words, Path(found.root), {}
        return
    found = program.script(name, arguments)
    if found.notebook is not None:
        words = [name, "--", *arguments]
        yield ["-c", _NOTEBOOK, name, *arguments], words, Path(found.root), {}
        return
    place = Path(name) if Path(name).exists() else commands.find(name)
    if place is None:
        raise FixError(f"{name!r} is not a file; name a script, or -m MODULE", name)
    yield [str(place), *arguments], [name, "--", *arguments], Path(found.root), {}


def _function(
    function: Callable[..., Any], arguments: Sequence[Any], folder: Path
) -> tuple[list[str], list[str], Path, dict[str, Any]]:
    """Write a program that calls a function, and give what `_called` gives."""
    name, module = getattr(function, "__qualname__", ""), getattr(function, "__module__", "")
    try:
        file = Path(inspect.getsourcefile(inspect.unwrap(function)) or "")
    except TypeError:
        file = Path()
    found = getattr(sys.modules.get(module), name, None) if "." not in name else None
    if found is not function or not file.is_file():
        what = name or repr(function)
        raise FixError(f"{what} is not a function at the top level of a file", function)
    try:
        (folder / "arguments").write_bytes(pickle.dumps((tuple(arguments), {})))
    except Exception as error:  # noqa: BLE001  # pickle lets any out
        raise FixError(f"the arguments of {name} cannot be pickled: {error}", arguments) from None
    is_main = module == "__main__"
    own = file.resolve().parent
    result = folder / "result"
    source = _CALL.format(
        path=[str(own)] if is_main else [p for p in sys.path if p],
        file=str(file) if is_main else "",
        module="__supremum_main__" if is_main else module,
        name=name,
        given=str(folder / "arguments"),
        result=str(result),
    )
    script = folder / "call.py"
    script.write_text(source, encoding="utf-8")
    root = own if is_main else file.resolve().parents[module.count(".")]
    return [str(script)], [str(script)], root, {"result": result}
