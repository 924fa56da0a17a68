"""The process that has a package imported, and calls its functions: each in a process of its own.

It reads a job from each line of stdin, and writes the answer to stdout. What crashes or hangs costs
one answer.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from ...core.errors import RulesError, SupremumError
from ..api import install
from . import calling, examples
from .calling import Outcome
from .lines import introduced
from .subjects import Subject, subjects
from .target import Target
from .verdicts import CALLED, worst

_CALLS_IN_ALL: Final = 6
"""How many time limits one function has, for its example and all calls of it."""

_ENVIRONMENT: Final = {"MPLBACKEND": "agg", "JAX_ENABLE_X64": "1"}
"""What is set unless it is: examples open no windows, and float64 is there to compare with."""

_WITH_X64: Final = "JAX with 64-bit types on; JAX_ENABLE_X64=0 before the command leaves them off"


def main() -> None:
    """Answer jobs until there are no more."""
    config = sys.argv[1]
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    widens_jax = "JAX_ENABLE_X64" not in os.environ
    os.environ.update({**_ENVIRONMENT, **os.environ})
    os.dup2(2, 1)  # what is printed on import goes where complaints go
    try:
        known = _known(config)
        first: dict[str, Any] = {"subjects": [(s.module, s.name, s.kind) for s in known.values()]}
        first["setting"] = _WITH_X64 if widens_jax and "jax" in sys.modules else ""
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a package raises on import
        is_ours = isinstance(error, SupremumError)
        what = ", ".join(json.loads(config)["modules"])
        first = {"error": str(error) if is_ours else f"{what}: {type(error).__name__}: {error}"}
    print(json.dumps(first), file=out, flush=True)
    for line in sys.stdin:
        print(json.dumps(_answer(config, json.loads(line))), file=out, flush=True)


@cache
def _known(config: str) -> dict[str, Subject]:
    """Return the subjects of the modules that a configuration names, imported now."""
    given = json.loads(config)
    warnings.simplefilter("ignore")
    if given["inside"]:
        install(*{name.partition(".")[0] for name in given["modules"]}, roots=())
    only = {*given["only"]}
    found = [s for name in given["modules"] for s in subjects(name)]
    if missing := only - {name for s in found for name in (s.name, s.full_name)}:
        raise RulesError(f"there is no function {min(missing)!r} to sweep", missing)
    found = [s for s in found if not only or {s.name, s.full_name} & only]
    known: dict[tuple[Any, ...], Subject] = {}
    for subject in found:  # a module may have those of another
        known.setdefault((id(subject.owner), subject.name.partition(".")[2]), subject)
    if given["collect"]:
        with Path(given["records"]).open("ab") as file:
            examples.of_path(given["collect"], list(known.values()), file)
    return {subject.full_name: subject for subject in known.values()}


def _answer(config: str, job: dict[str, Any]) -> dict[str, Any]:
    """Return what a process of its own answers to a job, or what ended it."""
    can_fork = "fork" in multiprocessing.get_all_start_methods() and not _has_threads()
    method = "fork" if can_fork else "spawn"
    context: Any = multiprocessing.get_context(method)
    ours, theirs = context.Pipe()
    process = context.Process(target=_child, args=(config, job, theirs))
    process.start()
    theirs.close()
    try:
        return _heard(ours, job["limit"])
    finally:
        process.kill()
        process.join()


def _has_threads() -> bool:
    """Return whether JAX has begun to compute, whose threads a process that is forked lacks."""
    bridge = sys.modules.get("jax._src.xla_bridge")
    return bool(getattr(bridge, "_backends", None))


def _heard(child: Connection, limit: float) -> dict[str, Any]:
    phase, found, end = "at its start", None, time.monotonic() + _CALLS_IN_ALL * limit
    ended, how = "time limit", f"no answer within {limit:g} s, "
    while child.poll(max(min(limit, end - time.monotonic()), 0)):
        try:
            what, value = child.recv()
        except EOFError:
            ended, how = "crash", "the process ended "
            break
        if what == "done":
            return dict(value)
        phase, found = (value, found) if what == "phase" else (phase, value)
    if found is not None and phase in ("in an example", "in float64 again"):
        return dict(found)
    return Outcome(ended, detail=how + phase)._asdict()


def _child(config: str, job: dict[str, Any], parent: Connection) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    sys.path.insert(0, str(Path.cwd()))
    try:
        task = _line if "again" in job else _row
        answer = task(_known(config)[job["name"]], job, lambda *said: parent.send(said))
    except BaseException as error:  # noqa: BLE001  # whatever it is, it is about this function
        answer = Outcome("fails", detail=f"{type(error).__name__}: {error}"[:200])._asdict()
    parent.send(("done", answer))
    os._exit(0)  # threads of the package may never end


def _sources(
    subject: Subject, job: dict[str, Any]
) -> Iterator[tuple[str, Callable[[], Iterable[examples.Call]]]]:
    """Yield where calls of a subject come from, in words, and what gets them."""
    yield "docstring", lambda: examples.of_docstring(subject, job["limit"] / 2)
    if job["records"]:
        yield "tests", lambda: examples.read_calls(job["records"]).get(subject.full_name, [])
    yield "signature", lambda: examples.of_signature(subject)


def _calls(get: Callable[[], Iterable[examples.Call]]) -> list[examples.Call]:
    return sorted(get(), key=lambda call: (call.rank, call.names_dtype))


_NONE: Final = Outcome("not called", detail="no example, and no arrays that it takes are known")


class _Search:
    """The search for the call of a function that matters most.

    Args:
        subject: the function.
        job: what is asked.
        say: is called with ``"phase"`` and what is about to be done, or ``"found"`` and an answer.
    """

    def __init__(
        self, subject: Subject, job: dict[str, Any], say: Callable[[str, Any], None]
    ) -> None:
        self._subject, self._job, self._say = subject, job, say
        self._best = _NONE
        self._tried: tuple[str, str, int] = ("", "", 0)
        self._answer: dict[str, Any] = self._best._asdict()

    def answer(self) -> dict[str, Any]:
        """Return what the function does, by the first source that has a call that works."""
        for source, get in _sources(self._subject, self._job):
            if source == "signature" and self._best.verdict == "takes no arrays":
                break
            self.tell("in an example")
            if self._has(source, _calls(get)):
                break
        return self._answer

    def _has(self, source: str, calls: list[examples.Call]) -> bool:
        """Return whether one of some calls works; each is measured, unless that takes long."""
        target, began, count = Target(self._job["dtype"]), time.monotonic(), 0
        for number, call in enumerate(calls):
            self._tried = call.source, source, number
            outcome = calling.measure(self._subject, call, target, self.tell)
            if self._matters(outcome):
                self._best, self._answer = outcome, self._as_answer(outcome)
            self._say("found", self._answer)
            count += outcome.verdict in CALLED and outcome.verdict != "no arrays"
            is_slow = time.monotonic() - began > self._job["limit"] / 2
            if count >= examples.MOST_CALLS or (count and (is_slow or source == "signature")):
                break
        return self._best.verdict in CALLED

    def tell(self, phase: str, outcome: Outcome | None = None) -> None:
        """Say what is about to be done, and what is known until then if it matters."""
        if outcome is not None and self._matters(outcome):
            self._say("found", self._as_answer(outcome))
        self._say("phase", phase)

    def _matters(self, outcome: Outcome) -> bool:
        """Return whether an outcome matters more than the best one."""
        return (
            self._best is _NONE or worst(self._best.verdict, outcome.verdict) != self._best.verdict
        )

    def _as_answer(self, outcome: Outcome) -> dict[str, Any]:
        seen, source, number = self._tried
        again = [source, number, outcome.plan, outcome.leaf]
        return {**outcome._asdict(), "source": seen, "again": again}


def _row(subject: Subject, job: dict[str, Any], say: Callable[[str, Any], None]) -> dict[str, Any]:
    """Return what a function does with a dtype."""
    return _Search(subject, job, say).answer()


def _line(subject: Subject, job: dict[str, Any], say: Callable[[str, Any], None]) -> dict[str, Any]:
    """Return the line at which a dtype is introduced in a call that was measured."""
    say("phase", "in an example")
    source, number, plan, leaf = job["again"]
    target = Target(job["dtype"])
    call = _calls(dict(_sources(subject, job))[source])[number]
    arguments = calling.convert(call, target, calling.plans(target)[plan])
    found = introduced(subject, arguments, target, leaf)
    return {} if found is None else found._asdict()


if __name__ == "__main__":
    main()
