"""The audit: which line of a real program widens, mixes or loses precision.

`run` audits a script or a module; `install` has what is imported from now on watched, and
`watch` hears what that code does meanwhile. The command ``supremum audit`` and the pytest plugin
are made of these. Names are imported when they are asked for: every run of pytest loads the plugin.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .allowances import Allowance
    from .formats import FORMATS, render
    from .kinds import KINDS, Kind
    from .ledger import AuditStop
    from .options import Options
    from .report import Finding, Mark, Place, Report
    from .watching import Watch, install, run, uninstall, watch

__all__ = [
    "FORMATS", "KINDS", "Allowance", "AuditStop", "Finding", "Kind", "Mark", "Options", "Place",
    "Report", "Watch", "install", "render", "run", "uninstall", "watch",
]  # fmt: skip

_HOMES = {
    "FORMATS": "formats", "KINDS": "kinds", "Allowance": "allowances", "AuditStop": "ledger",
    "Finding": "report", "Kind": "kinds", "Mark": "report", "Options": "options",
    "Place": "report", "Report": "report", "Watch": "watching", "install": "watching",
    "render": "formats", "run": "watching", "uninstall": "watching", "watch": "watching",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=None)
    found = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = found
    return found
