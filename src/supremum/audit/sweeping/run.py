"""A sweep from the outside: which processes it has, in which order, and what goes on later."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, suppress
from importlib import metadata
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from ...core.errors import RulesError, short
from ..cli import check_writable
from .missing import is_dotted, no_module
from .table import Known, Row, Sweep, read_baseline
from .target import Target
from .verdicts import VERDICTS

Progress = Callable[[str, int, int], None]
"""Called with what was done last, how much of it is done, and of how much."""


class _Server:
    """A process that has the modules imported.

    Args:
        config: the modules; whether the audit looks inside of them; the tests to run first.
        started: where it is added, before it has imported anything.
    """

    def __init__(self, config: dict[str, Any], started: list[_Server]) -> None:
        words = [sys.executable, "-m", f"{__package__}.worker", json.dumps(config)]
        self._errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115  # as long as it
        self._process = subprocess.Popen(  # noqa: S603  # ours
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True,
            start_new_session=True,
        )  # fmt: skip
        started.append(self)
        self.first = self._read()

    def ask(self, job: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a job."""
        with suppress(BrokenPipeError):
            print(json.dumps(job), file=self._process.stdin, flush=True)
        return self._read()

    def _read(self) -> dict[str, Any]:
        stream: IO[str] | None = self._process.stdout
        line = stream.readline() if stream else ""
        if line:
            return dict(json.loads(line))
        self._errors.seek(0)
        last = self._errors.read().strip().rpartition("\n")[2]
        return {"error": f"the process that imports it ended: {last or self._process.wait()}"}

    def kill(self) -> None:
        """End the process, and that of the call that lasts."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def close(self) -> None:
        """Close what it was connected by."""
        with suppress(BrokenPipeError):
            self._process.communicate()
        self._errors.close()


class _Servers:
    """The processes that rows come from: each thread has one of the package, and one of it watched.

    Args:
        config: see `_Server`.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        self._config = config
        self._own = threading.local()
        self._started: list[_Server] = []
        self._idle: list[_Server] = []
        self.setting = ""

    def start(self, collect: str = "") -> list[tuple[str, str, str]]:
        """Return the module, name and kind of each function.

        Args:
            collect: the tests or the script to run; if there is none, a thread takes over the
                process that answers.

        Raises:
            RulesError: if the modules cannot be imported, or have no public functions.
        """
        server = _Server({**self._config, "collect": collect}, self._started)
        if "error" in server.first:
            raise RulesError(server.first["error"], self._config["modules"])
        self._idle = [] if collect else [server]
        self.setting = str(server.first.get("setting", ""))
        return [tuple(subject) for subject in server.first["subjects"]]

    def row(self, job: dict[str, Any], kind: str) -> Row:
        """Return the row of a function, with the line where its width is introduced."""
        found = self._asked("plain", job)
        line: dict[str, Any] = {}
        if found.get("leaf") is not None:
            again = {**job, "again": found["again"], "limit": 4 * job["limit"]}
            line = self._asked("watched", again)
        if "error" in found:
            found = {"verdict": "crash", "detail": found["error"]}
        said = {name: found[name] for name in Row._fields if name in found}
        said["dtypes"] = tuple(said.get("dtypes", ()))
        return Row(job["name"], job["dtype"], kind, **said, line=line if "file" in line else None)

    def _asked(self, name: str, job: dict[str, Any]) -> dict[str, Any]:
        """Return the answer of this thread's process, which is started anew if it has ended."""
        own = vars(self._own)
        if name not in own and name == "plain" and self._idle:
            own[name] = self._idle.pop()
        elif name not in own:
            own[name] = _Server({**self._config, "inside": name == "watched"}, self._started)
        found: dict[str, Any] = own[name].ask(job)
        if "error" in found:
            del own[name]
        return found

    def kill(self) -> None:
        """End all processes; threads that wait for one go on."""
        for server in self._started:
            server.kill()

    def close(self) -> None:
        """End all processes, once no thread waits for one."""
        self.kill()
        for server in self._started:
            server.close()


def sweep(
    *modules: str,
    dtypes: str | Iterable[str] = "float32",
    examples: str = "",
    limit: float = 10.0,
    jobs: int = 1,
    only: Iterable[str] = (),
    baseline: str | Known = "",
    resume: bool = False,
    progress: Progress | None = None,
) -> Sweep:
    """Call the public functions of modules with arrays of some dtypes, and return what they do.

    Each call runs in a process of its own. The values are compared with those of the same call with
    float64. Functions that widen are called again with the audit looking inside of their package.

    Args:
        modules: their names; or classes of arrays or tables, such as ``pandas.DataFrame``.
        dtypes: a float or integer dtype, or several.
        examples: a folder or file of tests, or a script, whose calls are repeated where docstrings
            have none.
        limit: how many seconds a call may take.
        jobs: how many processes call functions at once.
        only: the names of the functions to call, with their module or without; by default all.
        baseline: the file of a baseline, or what it says.
        resume: whether rows are kept in the folder ``.supremum`` until all are there.
        progress: hears of each row.

    Raises:
        RulesError: if a module is not there or has no public functions, or a file is not there.
        DTypeError: for an unknown dtype, or one of another kind.
    """
    asked = (dtypes,) if isinstance(dtypes, str) else tuple(dict.fromkeys(dtypes))
    only = (only,) if isinstance(only, str) else only
    _check(modules, asked, examples)
    known = read_baseline(baseline) if isinstance(baseline, str) and baseline else baseline or {}
    version = _version(modules[0])
    chosen = frozenset(only)
    said = (*modules, version, *asked, examples, limit, *sorted(chosen), *_times(modules))
    kept = _Kept(said, in_use=resume)
    rows, complete, setting = kept.rows, False, ""
    with suppress(KeyboardInterrupt), tempfile.TemporaryDirectory() as folder:
        records = str(Path(folder) / "calls") if examples else ""
        config = {
            "modules": modules, "only": sorted(chosen), "inside": False, "collect": "",
            "records": records,
        }  # fmt: skip
        with closing(_Servers(config)) as servers:
            subjects = servers.start(examples)
            setting = servers.setting
            wanted = [
                ({"name": f"{module}.{name}", "dtype": d, "limit": limit, "records": records}, kind)
                for module, name, kind in subjects
                for d in asked
            ]
            there = {(row.name, row.dtype) for row in rows}
            with closing(_rows(servers, wanted, there, jobs)) as coming:
                for row, done in coming:
                    kept.add(row)
                    if progress is not None:
                        progress(row.name, done, len(wanted))
        complete = True
    if complete:
        kept.forget()
    order = list(VERDICTS)
    ordered = sorted(rows, key=lambda row: (order.index(row.verdict), row.name, row.dtype))
    return Sweep(modules, version, asked, tuple(ordered), dict(known), complete, examples, setting)


def _check(modules: Iterable[str], dtypes: Iterable[str], examples: str) -> None:
    """Refuse what no process needs to be started for."""
    for name in modules:
        if not isinstance(name, str):
            raise RulesError(f"sweep takes names, not {short(name)}; type {_by_name(name)}", name)
        if not is_dotted(name):
            raise no_module(name)
    for name in dtypes:
        Target(name)
    if examples and not Path(examples.partition("::")[0]).exists():
        what = f"there are no examples at {examples!r}; name a test or a script"
        raise RulesError(what, examples)


def _by_name(x: Any) -> str:
    """Return how a module, or one function, is named to `sweep`."""
    module = getattr(x, "__module__", None)
    if isinstance(x, ModuleType) or module is None:
        return f"sweep({getattr(x, '__name__', 'mypackage.core')!r})"
    name = getattr(x, "__name__", type(x).__name__)
    return f"sweep({module!r}, only=[{name!r}])"


def _rows(
    servers: _Servers,
    wanted: list[tuple[dict[str, Any], str]],
    there: set[tuple[str, str]],
    jobs: int,
) -> Generator[tuple[Row, int], None, None]:
    """Yield the rows that are not there yet as they come, and how many are done."""
    left = [job for job in wanted if (job[0]["name"], job[0]["dtype"]) not in there]
    with ThreadPoolExecutor(jobs) as pool:
        try:
            futures = [pool.submit(servers.row, *job) for job in left]
            for done, future in enumerate(as_completed(futures), len(wanted) - len(left) + 1):
                yield future.result(), done
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            servers.kill()


class _Kept:
    """The rows of a sweep that was interrupted, in a file, until it is complete.

    Args:
        asked: what was asked for: only the same sweep goes on.
        in_use: whether there is a file at all.
    """

    def __init__(self, asked: tuple[Any, ...], *, in_use: bool) -> None:
        digest = hashlib.sha256(repr(asked).encode()).hexdigest()[:12]
        self._path = Path(".supremum") / f"sweep-{digest}.jsonl" if in_use else None
        self.rows: list[Row] = []
        if self._path is not None and self._path.exists():
            for line in self._path.read_text(encoding="utf-8").splitlines():
                with suppress(ValueError):  # the last may be cut off
                    name, dtype, kind, verdict, dtypes, *rest = json.loads(line)
                    self.rows.append(Row(name, dtype, kind, verdict, tuple(dtypes), *rest))

    def add(self, row: Row) -> None:
        """Add a row."""
        self.rows.append(row)
        if self._path is not None:
            with suppress(OSError):  # then there is no folder, which is said
                self._path.parent.mkdir(exist_ok=True)
                ignore = self._path.with_name(".gitignore")
                if not ignore.exists():
                    ignore.write_text("*\n", encoding="utf-8")
            check_writable(str(self._path))
            with self._path.open("a", encoding="utf-8") as file:
                print(json.dumps(row), file=file)

    def forget(self) -> None:
        """Remove the file."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def _version(module: str) -> str:
    root = module.partition(".")[0]
    with suppress(metadata.PackageNotFoundError):
        names = metadata.packages_distributions().get(root, [root])
        return metadata.version(names[0])
    return ""


def _times(modules: Iterable[str]) -> list[float]:
    """Return when the source of each package was changed last."""
    found = []
    for root in dict.fromkeys(name.partition(".")[0] for name in modules):
        spec = PathFinder.find_spec(root, [str(Path.cwd()), *sys.path])
        places = spec.submodule_search_locations or [spec.origin or ""] if spec else []
        files = [f for place in places for f in (Path(place), *Path(place).rglob("*.py"))]
        found.append(max((f.stat().st_mtime for f in files if f.exists()), default=0.0))
    return found
