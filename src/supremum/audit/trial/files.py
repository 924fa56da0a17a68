"""The files of a program: read as Python reads them, checked, and written whole or not at all."""

from __future__ import annotations

import difflib
import io
import os
import shutil
import stat
import subprocess
import tempfile
import time
import tokenize
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from ..model.wording import near

_SITES: Final = frozenset({"site-packages", "dist-packages"})
_SECOND: Final = 10**9


class Source(NamedTuple):
    """A file of source: its text, without a byte order mark, and its encoding."""

    text: str
    encoding: str


def decoded(data: bytes) -> Source:
    """Return what Python reads in a file.

    Raises:
        SyntaxError: if it names an encoding that does not exist.
        UnicodeDecodeError: if it is not in its encoding.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return Source(data.decode(encoding), encoding)


class FileChangedError(Exception):
    """Another program has changed a file meanwhile."""

    def __init__(self, place: Path) -> None:
        super().__init__(f"{near(str(place))} was changed by another program; it is left as it is")


class Files:
    """The files that are changed, with what was in them.

    Args:
        folders: the folders whose files may be changed.
        force: whether uncommitted files may be, too.
        to_read: whether nothing is to be written.

    Attributes:
        before: what was in each file that was read.
        now: what is in it now.
        copies: where each changed file that lies in no work tree of git is kept as it was.
    """

    def __init__(
        self, folders: Iterable[Path], *, force: bool = False, to_read: bool = False
    ) -> None:
        self._folders = [folder.resolve() for folder in folders]
        self._force = force
        self._to_read = to_read
        self._times: dict[Path, int] = {}
        self._ours: dict[Path, set[bytes]] = {}  # what was read from each, and written to it
        self._started = 0
        self.before: dict[Path, bytes] = {}
        self.now: dict[Path, bytes] = {}
        self.copies: dict[Path, Path] = {}

    def start(self) -> None:
        """Note that a run starts: what changes from now on is another text than the one that ran.

        The clock is that of the file system, which may lag behind the one of Python.
        """
        with tempfile.TemporaryFile() as probe:
            self._started = _changed_at(os.fstat(probe.fileno()))

    def refused(self, paths: Iterable[str]) -> list[str]:
        """Return why files must not be changed, a line for each of those."""
        new = dict.fromkeys(p for p in map(Path, paths) if p.resolve() not in self.before)
        why = {path: self._why_not(path.resolve()) for path in new}
        return [f"{near(str(path))} {reason}" for path, reason in why.items() if reason]

    def _why_not(self, place: Path) -> str:
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
        if self._to_read:
            return ""
        # root may write all, which is no reason to do it
        if not (os.access(place, os.W_OK) and status.st_mode & stat.S_IWUSR):
            return "is not writable"
        if not os.access(place.parent, os.W_OK):
            return "is in a folder that is not writable"
        return "" if self._force else _why_uncommitted(place)

    def source(self, path: str) -> Source:
        """Return a file as it is now, and keep what it was before.

        Raises:
            OSError: if it cannot be read.
            SyntaxError, UnicodeDecodeError: if it is not text.
        """
        place = Path(path).resolve()
        if place not in self.now:
            self.before[place] = self.now[place] = place.read_bytes()
            self._ours[place] = {self.now[place]}
            self._times[place] = place.stat().st_mtime_ns
        return decoded(self.now[place])

    def write(self, contents: Mapping[Path, bytes]) -> None:
        """Write files, each of them whole or not at all.

        Raises:
            FileChangedError: if another program has changed one meanwhile.
        """
        there = {place: place.read_bytes() for place in contents}
        for place, content in there.items():
            if content not in self._ours[place]:
                raise FileChangedError(place)
        for place, content in contents.items():
            self._ours[place].add(content)  # an interrupt may come as soon as it is there
            if content != there[place]:
                # compiled code is known by the size of its source, and the time in seconds
                self._times[place] = max(self._times[place] + _SECOND, time.time_ns())
                try:
                    self._keep(place)
                    _replace(place, content, mtime=self._times[place])
                except BaseException:
                    self._unkeep(place, there[place])
                    raise
            self.now[place] = content
            self._unkeep(place, content)

    def _keep(self, place: Path) -> None:
        """Keep a file as it was beside itself, unless git has it or that is done already.

        No file that is there is written over: another fix may have kept it.
        """
        if place in self.copies or _is_in_git(place):
            return
        for number in count(1):
            more = f".{number}" if number > 1 else ""
            copy = place.with_name(f"{place.name}.orig{more}")
            with suppress(FileExistsError), copy.open("xb") as new:
                self.copies[place] = copy
                new.write(self.before[place])
                break
        shutil.copystat(place, copy)

    def _unkeep(self, place: Path, content: bytes) -> None:
        """Remove what was kept of a file if that is what the file has."""
        if content == self.before[place] and place in self.copies:
            self.copies.pop(place).unlink(missing_ok=True)

    @property
    def kept(self) -> str:
        """Where the files are kept as they were, in a sentence; ``""`` if git has them."""
        names = [near(str(copy)) for copy in self.copies.values()]
        if len(names) > 1:
            several = f"{', '.join(names[:-1])} and {names[-1]}"
            return f"The files as they were are kept in {several}, since git does not have them."
        kept = f"The file as it was is kept in {names[0]}" if names else ""
        return kept and f"{kept}, since git does not have it."

    def patch(self) -> bytes:
        """Return the changes as a patch that ``git apply`` and ``patch -p1`` read."""
        found = []
        for place, content in self.before.items():
            old, new = (io.BytesIO(data).readlines() for data in (content, self.now[place]))
            name = Path(near(str(place))).as_posix().encode()
            for line in difflib.diff_bytes(
                difflib.unified_diff, old, new, b"a/" + name, b"b/" + name, lineterm=b"\n"
            ):
                is_cut = not line.endswith(b"\n")
                found.append(line + b"\n\\ No newline at end of file\n" * is_cut)
        return b"".join(found)


def _replace(place: Path, content: bytes, *, mtime: int) -> None:
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


def _is_in_git(place: Path) -> bool:
    return any((folder / ".git").exists() for folder in place.parents)


def _why_uncommitted(place: Path) -> str:
    """Return why git could not bring a file back as it is, or ``""`` if it can or knows nothing."""
    if not _is_in_git(place):
        return ""
    force = "--force changes it all the same"
    git = shutil.which("git")
    if git is None:
        return f"is in a git repository, and there is no git to ask; {force}"
    asked = [git, "--literal-pathspecs", "status", "--porcelain", "--ignored", "--", place.name]
    quiet = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    done = subprocess.run(  # noqa: S603  # git, with a name of a file
        asked, cwd=place.parent, env=quiet, capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["?"])[0]
        return f"is in a git repository that git cannot read ({why}); {force}"
    states = {
        "!!": f"is ignored by git, which could not bring it back; {force}",
        "??": "is not committed to git; commit it, or use --force",
        "": "",
    }
    return states.get(done.stdout[:2], "has uncommitted changes; commit them, or use --force")


def _changed_at(status: os.stat_result) -> int:
    return status.st_mtime_ns if os.name == "nt" else status.st_ctime_ns
