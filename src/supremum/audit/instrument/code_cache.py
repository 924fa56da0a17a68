"""Instrumented code on disk, beside what Python itself compiled of a file.

A file in ``__pycache__`` (or below `sys.pycache_prefix`) holds a module's code as it was before its
probes and the numbers of its places were put in, and the places. It is used while the module's
source and all that made the code are the same, and only if nobody else can have written it.
Whatever goes wrong, the module is instrumented anew.
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
from ..checks import stores
from ..model import locations
from ..model.locations import Table
from ..record import shown_variables

_HASH = 8  # bytes
# which instrumenting uses
_OTHERS = tuple(
    str(module.__file__) for module in (locations, stores, functions, catalogue, shown_variables)
)


class CachedCode(NamedTuple):
    """Where the code of a module is kept.

    Attributes:
        file: the module's source.
        path: the file that holds its code.
        key: what that begins with if it is of this source, and made as it would be now.
    """

    file: str
    path: Path
    key: bytes

    def read(self) -> tuple[CodeType, Table] | None:
        """Return the code and its places, or None if they are not there, or not to be trusted."""
        try:
            with self.path.open("rb") as opened:
                if not _is_private(os.fstat(opened.fileno())) or not self._has_private_folder():
                    return None
                kept = memoryview(opened.read())
            content = kept[2 * _HASH :]
            if kept[: 2 * _HASH] != self.key + source_hash(content):
                return None
            code, *packed = marshal.loads(content)  # noqa: S302  # nobody else can have written it
            return code, Table(self.file, tuple(packed))
        except (OSError, EOFError, TypeError, ValueError):
            return None

    def write(self, code: CodeType, places: Table) -> None:
        """Keep some code and its places, if that can be done."""
        content = marshal.dumps((code, *places.parts))
        # two processes may write at once
        new = self.path.with_name(f"{self.path.name}.{os.getpid()}.{id(content)}")
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self._has_private_folder():
                return
            try:
                descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(descriptor, "wb") as opened:
                    opened.write(self.key + source_hash(content) + content)
                new.replace(self.path)
            except OSError:
                with suppress(OSError):
                    new.unlink()

    def _has_private_folder(self) -> bool:
        return _is_private(self.path.parent.stat())


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
        status, made_by = Path(file).stat(), _made_by()
        plain = cache_from_source(file)
    except (OSError, NotImplementedError):
        return None
    key = repr((made_by, file, status.st_mtime_ns, status.st_size, changed_by)).encode()
    changed = "-changed" if changed_by else ""
    path = f"{plain.removesuffix('.pyc')}-supremum-{__version__}{changed}.pyc"
    return CachedCode(file, Path(path), source_hash(key))


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
    parts += [path.read_bytes() for path in (*sources, *map(Path, _OTHERS))]
    return source_hash(b"\0".join(parts))


def _is_private(status: os.stat_result) -> bool:
    """Return whether a file or folder is ours, and nobody else can write to it."""
    if sys.platform == "win32":  # which has other means
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022
