"""The files of a program: read as Python reads them, checked, and written whole or not at all."""

from __future__ import annotations

import io
import os
import shutil
import stat
import subprocess
import tempfile
import time
import tokenize
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from ..model.wording import near

_SITES: Final = frozenset({"site-packages", "dist-packages"})
_SECOND: Final = 10**9
_BYTE_ORDER_MARK: Final = "\N{BYTE ORDER MARK}"


class Source(NamedTuple):
    """A file of source.

    Attributes:
        text: the text, without the byte order mark, with its own line ends.
        encoding: its encoding.
        mark: the byte order mark, or ``""``.
    """

    text: str
    encoding: str
    mark: str

    def encoded(self, text: str) -> bytes:
        """Return another text in the same form.

        Raises:
            UnicodeEncodeError: if the encoding lacks a character of it.
        """
        return (self.mark + text).encode(self.encoding)


def decoded(data: bytes) -> Source:
    """Return what Python reads in a file.

    Raises:
        SyntaxError: if it names an encoding that does not exist.
        UnicodeDecodeError: if it is not in its encoding.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    if encoding == "utf-8-sig":
        return Source(data.decode("utf-8-sig"), "utf-8", _BYTE_ORDER_MARK)
    return Source(data.decode(encoding), encoding, "")


class Files:
    """The files that are changed, with what was in them.

    Args:
        folders: the folders whose files may be changed.
        force: whether uncommitted files may be, too.
    """

    def __init__(self, folders: Iterable[Path], *, force: bool) -> None:
        self._folders = [folder.resolve() for folder in folders]
        self._force = force
        self._times: dict[Path, int] = {}
        self._written: dict[Path, bytes] = {}
        self._started = 0
        self.before: dict[Path, bytes] = {}
        self.now: dict[Path, bytes] = {}

    def start(self) -> None:
        """Note that a run starts: what changes from now on is another text than the one that ran.

        The clock is that of the file system, which may lag behind the one of Python.
        """
        with tempfile.TemporaryFile() as probe:
            self._started = _changed_at(os.fstat(probe.fileno()))

    def refused(self, paths: Iterable[str], *, to_read: bool = False) -> list[str]:
        """Return why files must not be changed, a line for each of those.

        Args:
            paths: the paths of the files.
            to_read: whether nothing is to be written.
        """
        new = dict.fromkeys(p for p in map(Path, paths) if p.resolve() not in self.before)
        told = {p: self._why_not(p, to_read=to_read) for p in new}
        if not (to_read or self._force):
            fine = [p for p in new if not told[p]]
            told |= {p: why for p, why in uncommitted(fine).items() if why}
        return [f"{near(str(p))} {why}" for p, why in told.items() if why]

    def _why_not(self, path: Path, *, to_read: bool) -> str:
        place = path.resolve()
        if not place.is_file():
            return "is not a file"
        inside = any(folder in place.parents for folder in self._folders)
        if not inside or _SITES.intersection(place.parts):
            folder = near(str(self._folders[0]))
            there = "the current folder" if folder == "." else f"the folder {folder}"
            return f"is outside of {there}; fix changes the program's own files only"
        status = place.stat()
        if _changed_at(status) > self._started:
            return "has changed since the program was started; run fix again"
        if to_read:
            return ""
        # root may write all, which is no reason to do it
        is_writable = os.access(place, os.W_OK) and status.st_mode & stat.S_IWUSR
        if not is_writable:
            return "is not writable"
        return "" if os.access(place.parent, os.W_OK) else "is in a folder that is not writable"

    def source(self, path: str) -> Source:
        """Return a file as it is now, and keep what it was before.

        Raises:
            OSError: if it cannot be read.
            SyntaxError, UnicodeDecodeError: if it is not text.
        """
        place = Path(path).resolve()
        if place not in self.now:
            self.before[place] = self.now[place] = place.read_bytes()
            self._times[place] = place.stat().st_mtime_ns
        return decoded(self.now[place])

    def write(self, contents: Mapping[Path, bytes]) -> None:
        """Write files, each of them whole or not at all.

        Raises:
            FileChangedError: if another program has changed one meanwhile.
        """
        for place in contents:  # an interrupt may have come when a file was there, and not noted
            if place.read_bytes() not in (self.now[place], self._written.get(place)):
                raise FileChangedError(place)
        for place, content in contents.items():
            if content == self.now[place] == self._written.get(place, content):
                continue
            # compiled code is known by the size of its source, and the time in seconds
            self._times[place] = max(self._times[place] + _SECOND, time.time_ns())
            self._written[place] = content
            replace(place, content, mtime=self._times[place])
            self.now[place] = content


class FileChangedError(Exception):
    """Another program has changed a file meanwhile."""

    def __init__(self, place: Path) -> None:
        super().__init__(f"{near(str(place))} was changed by another program; it is left as it is")
        self.place = place


def replace(place: Path, content: bytes, *, mtime: int) -> None:
    """Put a new file in the place of another: at any time, one of the two is there, and whole."""
    status = place.stat()
    handle, name = tempfile.mkstemp(prefix=f".{place.name}.", suffix=".tmp", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as new:
            new.write(content)
            new.flush()
            os.fsync(new.fileno())
        shutil.copymode(place, name)
        if hasattr(os, "chown"):
            with suppress(OSError):  # only root may give a file away
                os.chown(name, status.st_uid, status.st_gid)
        os.utime(name, ns=(status.st_atime_ns, mtime))
        Path(name).replace(place)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def uncommitted(paths: Sequence[Path]) -> dict[Path, str]:
    """Return why git could not bring files back as they are, for those that lie in a repository."""
    return {path: _why_uncommitted(path.resolve()) for path in paths}


def _why_uncommitted(place: Path) -> str:
    if not any((folder / ".git").exists() for folder in place.parents):
        return ""
    git = shutil.which("git")
    if git is None:
        return "is in a git repository, and there is no git to ask; --force changes it all the same"
    asked = [git, "--literal-pathspecs", "status", "--porcelain", "--ignored", "--", place.name]
    quiet = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    done = subprocess.run(  # noqa: S603  # git, with a name of a file
        asked, cwd=place.parent, env=quiet, capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["?"])[0]
        return (
            f"is in a git repository that git cannot read ({why}); --force changes it all the same"
        )
    if done.stdout.startswith("!!"):
        return "is ignored by git, which could not bring it back; --force changes it all the same"
    if done.stdout.startswith("??"):
        return "is not committed to git; commit it, or use --force"
    if done.stdout:
        return "has uncommitted changes; commit them, or use --force"
    return ""


def _changed_at(status: os.stat_result) -> int:
    return status.st_mtime_ns if os.name == "nt" else status.st_ctime_ns
