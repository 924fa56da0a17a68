"""Instrumented code on disk, beside what Python itself compiled of a file.

A file in ``__pycache__`` (or below `sys.pycache_prefix`) holds a module's code as it was before its
probes and the numbers of its places were put in, and the places. It is used while the module's
source and all that made the code are the same, and trusted as Python's own file beside it.
"""

from __future__ import annotations

import marshal
import os
import sys
from contextlib import suppress
from functools import cache
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from types import CodeType
from typing import NamedTuple

from ...core import catalogue, functions
from ...version import __version__
from ..log import formulas, shown_variables, stores
from ..model import locations
from ..model.locations import Table
from .rewriter import compilers

# which instrumenting uses
_OTHERS = tuple(
    str(module.__file__)
    for module in (locations, stores, functions, catalogue, shown_variables, formulas)
)


class CachedCode(NamedTuple):
    """Where the code of a module is kept.

    Attributes:
        file: the module's source.
        path: the file that holds its code.
        key: what that begins with if it is of this source, and made as it would be now.
    """

    file: str
    path: str
    key: bytes

    def read(self) -> tuple[CodeType, Table] | None:
        """Return the code and its places, or None if they are not there, or of another source."""
        try:
            with open(self.path, "rb") as opened:  # noqa: PTH123  # hundreds of modules: a path takes as long
                kept = memoryview(opened.read())
            if kept[: len(self.key)] != self.key:
                return None
            code, *packed = marshal.loads(kept[len(self.key) :])  # noqa: S302  # as Python's own beside it
            return code, Table(self.file, tuple(packed))
        except (OSError, EOFError, TypeError, ValueError):
            return None

    def write(self, code: CodeType, places: Table) -> None:
        """Keep some code and its places, if that can be done."""
        content = self.key + marshal.dumps((code, *places.parts))
        path = Path(self.path)
        new = path.with_name(f"{path.name}.{os.getpid()}.{id(content)}")  # two may write at once
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                new.write_bytes(content)
                new.replace(path)
            except OSError:
                new.unlink()


def cached(file: str, *changed_by: object) -> CachedCode | None:
    """Return where the code of a source file is kept, or None if none is to be.

    Ask before the source is read: it may change at any time.

    Args:
        file: the source file.
        changed_by: what else decides how its code is made, if something changes it first.
    """
    if sys.dont_write_bytecode:
        return None
    try:
        status, made_by = os.stat(file), _made_by()  # noqa: PTH116  # the same
        plain = cache_from_source(file)
    except (OSError, NotImplementedError):
        return None
    key = repr((made_by, file, status.st_mtime_ns, status.st_size, changed_by)).encode()
    changed = "-changed" if changed_by else ""
    path = f"{plain.removesuffix('.pyc')}-supremum-{__version__}{changed}.pyc"
    return CachedCode(file, path, source_hash(key))


@cache
def _made_by() -> bytes:
    """Return a hash of what decides how code is instrumented, compiled and written.

    Raises:
        OSError: where the sources of this package cannot be read.
    """
    sources = sorted(Path(__file__).parent.glob("*.py"))
    parts = [MAGIC_NUMBER, sys.version.encode(), sys.byteorder.encode()]
    # without columns, where Python was asked for that
    parts.append(repr([*compile("x", "x", "eval").co_positions()]).encode())
    parts.append(repr(sorted(compilers())).encode())
    parts += [path.read_bytes() for path in (*sources, *map(Path, _OTHERS))]
    return source_hash(b"\0".join(parts))
