"""Runs a program with other texts in the place of its files, which stay as they are.

It runs in a process of its own: ``python -m supremum.audit.trial.changed FILE SCRIPT ...``,
where FILE has a `Texts` as JSON.
"""

from __future__ import annotations

import json
import pickle
import runpy
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final, TypedDict

FAILED: Final = "supremum: --check fails: "
"""What the last line of a program begins with whose check failed."""

_DEEPEST: Final = 6
_PLAIN: Final = (bool, int, float, complex, str, bytes, type(None))


class Texts(TypedDict):
    """What a program runs with.

    Attributes:
        files: the text of each file that is to have another one, by its path.
        check: the expression whose value is kept once the program has ended, or ``""``.
        result: the file that the value is written to.
        as_module: whether the program is the name of a module.
    """

    files: dict[str, str]
    check: str
    result: str
    as_module: bool


def main(given: Texts, name: str) -> None:
    """Run a program; `sys.argv` is what it is to find there."""
    _read_from(given["files"])
    module = ModuleType("__main__")
    try:
        if given["as_module"]:
            vars(module).update(runpy.run_module(name, run_name="__main__", alter_sys=True))
        else:
            _run(module, Path(name).absolute(), given["files"])
    except SystemExit:
        _keep(given, vars(module))
        raise
    _keep(given, vars(module))


def _read_from(files: dict[str, str]) -> None:
    """Have modules loaded from texts rather than from their files."""
    as_it_is = SourceFileLoader.get_code

    def get_code(self: Any, fullname: str) -> CodeType | None:
        path = str(Path(self.get_filename(fullname)).resolve())
        if path in files:
            return compile(files[path], path, "exec", dont_inherit=True)
        return as_it_is(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign]  # of this program


def _run(main: ModuleType, file: Path, files: dict[str, str]) -> None:
    vars(main).update(__file__=str(file), __builtins__=sys.modules["builtins"])
    sys.modules["__main__"] = main
    sys.path[0] = str(file.resolve().parent)
    text = files.get(str(file.resolve())) or file.read_bytes()
    exec(compile(text, str(file), "exec", dont_inherit=True), vars(main))  # noqa: S102  # the program


def _keep(given: Texts, names: dict[str, Any]) -> None:
    """Write the value of the expression, or end with why it has none."""
    if given["check"]:
        try:
            value = _plain(eval(given["check"], names))  # noqa: S307  # the user's own expression
        except Exception as error:  # noqa: BLE001  # whatever it raises
            sys.exit(f"{FAILED}{type(error).__name__}: {error}")
        Path(given["result"]).write_bytes(pickle.dumps(value))


def _plain(value: Any, depth: int = 0) -> Any:
    """Return a value as what Python has by itself, of objects their attributes."""
    if type(value) in _PLAIN:
        return value
    if hasattr(value, "tolist") and hasattr(value, "dtype"):
        return value.tolist()
    if depth > _DEEPEST:
        return type(value).__name__
    if isinstance(value, (list, tuple)):
        return [_plain(inner, depth + 1) for inner in value]
    attributes = value if isinstance(value, dict) else getattr(value, "__dict__", None)
    if attributes is None:
        return repr(value)
    return {repr(key): _plain(inner, depth + 1) for key, inner in attributes.items()}


if __name__ == "__main__":
    description = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    del sys.argv[:2]
    main(description, sys.argv[0])
