"""The audit: which line of a real program widens, mixes or loses precision.

`run` audits a script, as does the module itself: ``supremum.audit("train.py")``. What stands in
``with supremum.audit():`` is audited by itself, with the functions of yours that it calls.
`install` has what is imported from now on watched, and `watch` hears what that code does
meanwhile. The command ``supremum audit`` and the pytest plugin are made of these. Names are
imported when they are asked for: every run of pytest loads the plugin.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import Watch, install, last_report, run, uninstall, watch, why
    from .kinds import KINDS, Kind
    from .log.settings import AuditStop
    from .log.suppressions import Suppression
    from .options import Options
    from .report import FORMATS, render
    from .report.places import Mark, Place
    from .report.report import Finding, Report
    from .report.stopped import Stop
    from .sweeping.run import sweep
    from .sweeping.table import Row, Sweep
    from .trial.fix import fix
    from .trial.fixed import Fixed, FixError
    from .trial.narrow import narrow
    from .trial.narrowed import Narrowed, Narrowing

__all__ = [
    "FORMATS",
    "KINDS",
    "AuditStop",
    "Finding",
    "FixError",
    "Fixed",
    "Kind",
    "Mark",
    "Narrowed",
    "Narrowing",
    "Options",
    "Place",
    "Report",
    "Row",
    "Stop",
    "Suppression",
    "Sweep",
    "Watch",
    "fix",
    "install",
    "last_report",
    "narrow",
    "render",
    "run",
    "sweep",
    "uninstall",
    "watch",
    "why",
]  # fmt: skip

_HOMES = {
    "FORMATS": "report", "KINDS": "kinds", "Suppression": "log.suppressions",
    "AuditStop": "log.settings", "Finding": "report.report", "Kind": "kinds",
    "FixError": "trial.fixed", "Fixed": "trial.fixed", "fix": "trial.fix",
    "Mark": "report.places", "Narrowed": "trial.narrowed", "Narrowing": "trial.narrowed",
    "narrow": "trial.narrow", "Options": "options", "Place": "report.places",
    "Report": "report.report", "Watch": "api", "install": "api",
    "last_report": "api", "render": "report", "run": "api", "uninstall": "api", "watch": "api",
    "Stop": "report.stopped", "why": "api",
    "Row": "sweeping.table", "Sweep": "sweeping.table", "sweep": "sweeping.run",
}  # fmt: skip
# What people look for, and what to type.
_INSTEAD = {
    **dict.fromkeys(("Audit", "audit", "check", "profile", "run_path", "trace"),
                    "run('train.py')"),
    **dict.fromkeys(("begin", "disable", "enable", "end", "patch", "start", "stop"),
                    "watch() in a with statement, after supremum.audit.install() and before your "
                    "own imports; it gives the report"),
    **dict.fromkeys(("allow", "disable_kind", "ignore"),
                    "run('train.py', kinds=['widening']), or # supremum: allow KIND REASON on a "
                    "line"),
    **dict.fromkeys(("html", "save", "to_html"), "render(report, 'html')"),
    **dict.fromkeys(("json", "to_json"), "render(report, 'json')"),
    **dict.fromkeys(("findings", "report"), "last_report()"),
    "forbid": "run('train.py', forbid=['float64'])",
    "explain": "why(error)",
}  # fmt: skip


if not TYPE_CHECKING:  # to whom other names are mistakes

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            hint = f"; type supremum.audit.{_INSTEAD[name]}" if name in _INSTEAD else ""
            message = f"module {__name__!r} has no attribute {name!r}{hint}"
            raise AttributeError(message, name=name, obj=None)
        found = getattr(import_module(f".{_HOMES[name]}", __name__), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return __all__


class _Audit(ModuleType):
    """The module, which is called to audit a program, as `run` is, or in a ``with`` statement."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        if not (args or "script" in options):
            return import_module(f"{__name__}.with_statement").Audited(**options)
        return import_module(f"{__name__}.api").run(*args, **options)


sys.modules[__name__].__class__ = _Audit
