"""What an audit is asked to do: checked once, from the command, Python or ``pyproject.toml``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..core.deciding import check_project, rules_as_installed
from ..core.errors import RulesError, did_you_mean
from ..core.system import PromotionSystem
from ..core.systems import find, system
from .kinds import FORBIDDEN, KNOWN, PORTED, STOPPED, base_name, read_dtypes, read_kinds
from .log.recorder import Recorder
from .log.settings import Device, Settings
from .log.suppressions import Suppression, Suppressions, from_settings
from .model.locations import LOCATIONS
from .model.provenance import Effect, Origin

if TYPE_CHECKING:
    from .report.report import Finding, Report
    from .runner.watching import Watching

Announce = Callable[[Origin, Effect], None]

ACTIONS: Final = ("report", "warn", "raise", "pdb")
"""What may be done when something is found: tell of it at the end, or at once."""

Fingerprint = tuple[str, str, str]

Baseline = Mapping[Fingerprint, int | None]
"""What is known already, and of how many findings; None for any number, as older files have it."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """What an audit is asked to do.

    Attributes:
        kinds: the kinds of finding to tell of, each with its notes.
        fail_on: the kinds that make the audit fail; a note does only if it is named, or by ``all``.
        forbid: the dtypes that must not come up.
        target: the rules that the program may move to, or None.
        include: installed packages to look inside.
        on_finding: one of `ACTIONS`.
        allow: what is allowed, and where.
        baseline: the findings that are known already.
        tries: whether findings have candidates, for somebody who tries them.
    """

    kinds: frozenset[str] = frozenset(KNOWN)
    fail_on: frozenset[str] = frozenset()
    forbid: frozenset[str] = frozenset()
    target: PromotionSystem | None = None
    include: tuple[str, ...] = ()
    on_finding: str = "report"
    allow: tuple[Suppression, ...] = ()
    baseline: Baseline = field(default_factory=dict)
    tries: bool = False

    def recorder(self) -> Recorder:
        """Return a recorder that does what was asked."""
        from .runner.on_finding import ANNOUNCE

        announce = self._announced(ANNOUNCE[self.on_finding])
        allowed = Suppressions(self.allow)
        settings = Settings(self.forbid, allowed, announce, device=device(self.target))
        recorder = Recorder(settings)
        if self.target is not None:
            from .preview.porting import Preview

            recorder.follow(Preview(recorder, self.target))
        return recorder

    def _announced(self, act: Announce | None) -> Announce | None:
        """Return what to do at once of the findings that the report will have."""
        if act is None:
            return None

        def announce(origin: Origin, effect: Effect) -> None:
            if base_name(effect.kind) not in self.kinds:
                return
            from .report.findings import findings_of

            if not self.baseline or not_known([findings_of(origin, [effect])], self.baseline):
                act(origin, effect)

        return announce

    def report(
        self, recorder: Recorder, watching: Watching | None = None, program: Path | None = None
    ) -> Report:
        """Return what a recorder found, without what is known already.

        Args:
            recorder: the recorder.
            watching: what was watched, if a whole program was audited.
            program: the script, if it is one.
        """
        from .probes.import_hook import UNWATCHED

        # not needed to start a program
        from .report.findings import findings, predicted, results
        from .report.report import Report
        from .runner.user_code import warned_in
        from .runner.watching import stops_of, why_nothing

        recorder.count_all()
        missed = watching.missed if watching else ()
        found = findings(recorder.log, self.kinds, tries=self.tries)
        elsewhere = watching.stops if watching else ()
        if STOPPED in self.kinds and (recorder.stops or elsewhere):
            from .report.stopped import in_order  # most programs end well

            found = in_order([*stops_of(recorder, tries=self.tries), *elsewhere], found)
        new = not_known(found, self.baseline)
        files = {LOCATIONS[origin.location].file for origin in recorder.log.origins.values()}
        target = recorder.followers[0].target if recorder.followers else None
        return Report(
            new,
            recorder.log.operations,
            tuple(recorder.settings.suppressions.unused(files)),
            tuple({**dict(missed), **dict(warned_in(recorder.warned)), **UNWATCHED}.items()),
            _problems(recorder),
            self.target.name if self.target else "",
            len(found) - len(new),
            predicted(target.lines) if target else (),
            tuple(sorted(target.unknown)) if target else (),
            watching.watched if watching else None,
            why_nothing(watching, program, recorder.failure)
            if not (found or recorder.log.operations)
            else "",
            results(recorder.log),
            self.target.label if self.target else "",
            self.fail_on,
        )


_ALLOW: Final = 'allow = [{file = "tests/*", kinds = ["widening"], reason = "..."}]'
_INSTEAD: Final = {
    **dict.fromkeys(
        (
            "exclude",
            "extend_exclude",
            "ignore",
            "extend_ignore",
            "per_file_ignores",
            "omit",
            "skip",
        ),
        _ALLOW,
    ),
    **dict.fromkeys(("select", "extend_select", "enable", "rules"), 'kinds = ["widening"]'),
    **dict.fromkeys(("strict", "error", "fail", "exit_code"), 'fail_on = ["all"]'),
    **dict.fromkeys(("packages", "modules"), 'include = ["scipy"]'),
    **dict.fromkeys(("args", "argv"), "arguments=['--n', '8'], in audit.run"),
}
"""What other tools' settings are called here."""


def read(**given: Any) -> Options:
    """Return options from plain values: texts of kinds and dtypes, names of rules and files.

    Args:
        given: ``kinds``, ``fail_on`` and ``forbid`` as texts with commas or sequences; ``target``
            as rules or a text such as ``jax:x64=false`` or ``my_rules.toml``; ``include`` as
            names of packages; ``on_finding``; ``allow`` as tables; ``baseline`` as the path of a
            file.

    Raises:
        RulesError: for an unknown name, kind or action, or a baseline that cannot be read.
        DTypeError: for an unknown dtype.
    """
    readers: dict[str, Any] = {
        "kinds": read_kinds,
        "fail_on": lambda kinds: read_kinds(kinds, notes=False),
        "forbid": read_dtypes,
        "target": lambda name: _target(name) if name else None,
        "include": lambda names: tuple([names] if isinstance(names, str) else names),
        "on_finding": _action,
        "allow": lambda entries: tuple(from_settings(entries)),
        "baseline": lambda path: read_baseline(path) if path else {},
    }
    for name in given:
        if name not in readers:
            instead = f"; write {_INSTEAD[name]}" if name in _INSTEAD else ""
            hint, close = (instead, ()) if instead else did_you_mean(name, list(readers))
            known = hint or f"; there are {', '.join(readers)}"
            raise RulesError(f"an audit has no option {name!r}{known}", name, close)
    asked = Options(**{name: readers[name](value) for name, value in given.items()})
    if PORTED in asked.fail_on and device(asked.target):  # whose mismatch is a dtype that it lacks
        return replace(asked, fail_on=asked.fail_on | {FORBIDDEN})
    return asked


def device(target: PromotionSystem | None) -> Device | None:
    """Return the device of a target, which lacks dtypes that its library has; None for none."""
    if target is None or target.origin is None or target.library is None:
        return None
    usual = system(target.origin.name)
    lacks = frozenset(d.name for d in usual.dtypes if d not in target.dtypes)
    return Device(lacks, target.library) if lacks else None


def _target(given: str | PromotionSystem) -> PromotionSystem:
    """Return the rules that a text names, or that a file describes.

    Those that are named without options have the ones that the library is installed with.
    """
    if isinstance(given, PromotionSystem):
        return given
    rules = find(given)
    return rules if ":" in given else rules_as_installed(rules)


def from_project(folder: Path) -> dict[str, Any]:
    """Return what ``[tool.supremum.audit]`` says in the ``pyproject.toml`` above a folder.

    Raises:
        RulesError: if that file is not valid TOML, or the options are in a file that is not read.
    """
    for place in (folder, *folder.parents):
        path = place / "pyproject.toml"
        if (own := place / "supremum.toml").is_file():
            raise RulesError(f"{own} is not read; write [tool.supremum.audit] in {path}", own)
        if path.is_file():
            import tomllib

            try:
                found = tomllib.loads(path.read_text(encoding="utf-8"))
            except ValueError as error:
                raise RulesError(f"{path} is not valid TOML: {error}", path) from None
            given: Any = found
            check_project(path, found)
            for name in ("tool", "supremum", "audit"):
                given = given.get(name, {}) if isinstance(given, dict) else None
            if not isinstance(given, dict):
                raise RulesError(f"{path}: [tool.supremum.audit] is a table of options", path)
            return {name.replace("-", "_"): value for name, value in given.items()}
    return {}


def combined(project: dict[str, Any], given: dict[str, Any]) -> Options:
    """Return the options of a project, with those given in their place."""
    return read(**{**project, **{name: value for name, value in given.items() if value}})


def relative(finding: Finding) -> frozenset[Fingerprint]:
    """Return what a finding is known by in a baseline, wherever the project lies."""
    found = set()
    for file, kind, text in finding.fingerprints:
        path = Path(file)
        with suppress(ValueError):
            path = path.resolve().relative_to(Path.cwd())
        found.add((path.as_posix(), kind, text))
    return frozenset(found)


def not_known(found: Sequence[Finding], baseline: Baseline) -> tuple[Finding, ...]:
    """Return the findings that a baseline does not know; the first in a file are those it does."""
    left, known = dict(baseline), set()
    for number, finding in sorted(enumerate(found), key=lambda pair: (pair[1].file, pair[1].span)):
        prints = relative(finding)
        if prints <= left.keys() and all(left[x] != 0 for x in prints):
            known.add(number)
            left |= {x: count - 1 for x in prints if (count := left[x]) is not None}
    return tuple(finding for number, finding in enumerate(found) if number not in known)


def write_baseline(path: str, report: Report) -> None:
    """Write the findings of a report down, so that later audits leave them out."""
    entries = Counter(x for finding in report.findings for x in relative(finding))
    rows = [
        {"file": file, "kind": kind, "text": text, "count": count}
        for (file, kind, text), count in sorted(entries.items())
    ]
    text = json.dumps({"version": 1, "findings": rows}, indent=1)
    Path(path).write_text(text + "\n", encoding="utf-8")


def _problems(recorder: Recorder) -> tuple[str, ...]:
    """Return what of the settings could not be read, and which places could not be judged."""
    places = ((LOCATIONS[number], error) for number, error in recorder.log.problems.items())
    judged = (f"{place.file}:{place.line}: {error}" for place, error in places)
    return (*recorder.settings.suppressions.mistakes, *judged)


def read_baseline(path: str) -> Baseline:
    """Return the findings that a baseline knows, and how many of each.

    Raises:
        RulesError: where the file cannot be read, or is not a baseline file.
    """
    try:
        rows = json.loads(Path(path).read_text(encoding="utf-8"))["findings"]
        return {(row["file"], row["kind"], row["text"]): row.get("count") for row in rows}
    except OSError as error:
        more = "write one with --write-baseline"
        raise RulesError(
            f"baseline {path!r} cannot be read: {error.strerror}; {more}", path
        ) from None
    except (ValueError, KeyError, TypeError):
        msg = f"{path!r} is not a baseline file; write one with --write-baseline"
        raise RulesError(msg, path) from None


def without_baseline(options: Options) -> Options:
    """Return the options as they are without what is known already."""
    return replace(options, baseline={})


def _action(name: str) -> str:
    if name not in ACTIONS:
        hint, close = did_you_mean(name, ACTIONS)
        raise RulesError(f"on_finding is {', '.join(ACTIONS)}, not {name!r}{hint}", name, close)
    return name
