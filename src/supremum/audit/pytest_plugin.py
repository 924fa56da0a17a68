"""The pytest plugin: ``pytest --promotion-audit``.

Every run of pytest imports this module, so it holds the options alone. What does the work is
imported when it is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest

if TYPE_CHECKING:
    from . import Watch


class Setting(NamedTuple):
    """An option of the plugin, on the command line and in the configuration file.

    Attributes:
        metavar: what its value is called; ``""`` for a switch.
        many: whether it may be given more than once.
        is_file: whether it names a file.
        help: what it does.
    """

    metavar: str
    many: bool
    is_file: bool
    help: str


SETTINGS: Final = {
    "audit": Setting("", False, False, "find which lines widen, mix or lose precision"),
    "why": Setting("", False, False, "explain errors about dtypes that fail tests, and no more"),
    "fail_on": Setting(
        "KINDS", True, False, "fail each test in which one of these kinds is found, or all"
    ),
    "forbid": Setting("DTYPES", True, False, "dtypes that must not come up"),
    "target": Setting("NAME", False, False, "the rules that the code may move to"),
    "include": Setting("PACKAGE", True, False, "an installed package to look inside"),
    "baseline": Setting("FILE", False, True, "findings that are known already"),
    "write_baseline": Setting("FILE", False, True, "write what is found as a baseline"),
    "output": Setting("FILE", True, True, "write a report; its suffix is its format"),
}
"""The options: ``fail_on`` is ``--promotion-fail-on``, and ``promotion_fail_on`` in a file."""

_NAMES: Final = [name.replace("_", "-") for name in SETTINGS]
OWN: Final = {f"--{name}": f"--promotion-{name}" for name in _NAMES}
"""The options of the command, each as pytest has it."""

INSTEAD: Final = {
    **OWN,
    **dict.fromkeys(("--supremum", "--promotion", "--promotion-run"), OWN["--audit"]),
    **dict.fromkeys(
        (
            "--kinds",
            "--promotion-kinds",
            "--promotion-fail",
            "--promotion-audit-fail",
            "--promotion-audit-fail-on",
        ),
        OWN["--fail-on"],
    ),
    **dict.fromkeys(("--dtype", "--dtypes", "--no-float64"), f"{OWN['--forbid']} float64"),
    "--promotion-report": f"{OWN['--output']} report.html",
    "--promotion-system": OWN["--target"],
    **{name.replace("-", "_").replace("__", "--"): name for name in OWN.values()},
}
"""What people type that pytest does not know, with what to type."""

MARKER: Final = (
    "promotion(allow=KINDS, fail_on=KINDS, forbid=DTYPES, audit=True): "
    "what the promotion audit allows here, and what it fails a test for"
)
UNWATCHED_PROPERTY: Final = "promotion_audit"
"""The property of a test that used the fixture where nothing was watched before."""

_RUN: Final = "supremum promotion audit"
_MISTAKEN: Final = frozenset({"promotion_audit", "no_promotion", "no_widening", "supremum"})
"""Markers that are meant to be ours."""

_MARKED: Final = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options to the command line and to the configuration file."""
    group = parser.getgroup("promotion audit", "which line widens, mixes or loses precision")
    for name, setting in SETTINGS.items():
        flag = OWN[f"--{name.replace('_', '-')}"]
        if not setting.metavar:
            group.addoption(flag, action="store_true", default=False, help=setting.help)
            parser.addini(f"promotion_{name}", setting.help, type="bool", default=False)
            continue
        action = "append" if setting.many else "store"
        group.addoption(flag, action=action, metavar=setting.metavar, help=setting.help)
        kind: Any = "args" if setting.many else "string"
        parser.addini(f"promotion_{name}", setting.help, type=kind, default=None)


def settings(config: pytest.Config) -> dict[str, Any]:
    """Return what the command line says, and the configuration file where it says nothing.

    Paths on the command line are relative to the folder that pytest was started in, those in a
    configuration file to its folder.
    """
    found: dict[str, Any] = {}
    for name, setting in SETTINGS.items():
        value = given(config, name)
        folder = config.invocation_params.dir
        if not value:
            value = config.getini(f"promotion_{name}")
            folder = (config.inipath or config.rootpath / "pytest.ini").parent
        if value and setting.is_file:
            value = [str(folder / Path(path)) for path in (value if setting.many else [value])]
            value = value if setting.many else value[0]
        found[name] = value
    return found


def given(config: pytest.Config, name: str) -> Any:
    """Return an option of the command line, which is known before the others are read."""
    return getattr(config.known_args_namespace, f"promotion_{name}", None)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> None:
    """Begin the audit before the first of the user's own modules is imported.

    What pytest says if no plugin knows an option ends with what is told here.
    """
    if typed := [name for word in args if (name := word.partition("=")[0]) in INSTEAD]:
        parser.extra_info["promotion audit"] = f"type {INSTEAD[typed[0]]} instead of {typed[0]}"
    asked = early_config.getini("promotion_audit") or any(given(early_config, n) for n in SETTINGS)
    if asked:
        from .plugin.run import begin

        early_config.pluginmanager.register(begin(early_config, settings(early_config)), _RUN)
    elif f"{__package__}.runner.user_code" in sys.modules:  # as in supremum audit -m pytest
        from .plugin.modules import join_audit

        join_audit()


def pytest_configure(config: pytest.Config) -> None:
    """Say what the marker is."""
    config.addinivalue_line("markers", MARKER)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse markers that are meant to be ours, and count ours if nobody reads them."""
    marked = 0
    own = " ".join(config.getini("markers"))
    for item in items:
        names = {mark.name for mark in item.iter_markers()}
        marked += "promotion" in names
        for name in names & _MISTAKEN:
            if name not in own:
                how = '@pytest.mark.promotion(fail_on="widening"), and run pytest --promotion-audit'
                raise pytest.UsageError(f"there is no marker {name!r}; type {how}")
    if not config.pluginmanager.has_plugin(_RUN):
        config.stash[_MARKED] = marked


@pytest.fixture
def promotion_audit(request: pytest.FixtureRequest) -> Iterator[Watch]:
    """What the promotion audit has found in the running test: `findings`, `report`, and as text.

    Without ``--promotion-audit`` only what is imported in the test itself is watched.
    """
    run = request.config.pluginmanager.get_plugin(_RUN)
    if run is not None:
        yield run.watch()
        return
    from .plugin.run import alone

    with alone(request.config, settings(request.config), request.node) as (watch, unwatched):
        if unwatched:
            request.node.user_properties.append((UNWATCHED_PROPERTY, unwatched))
        yield watch


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report the tests whose modules were imported before the fixture could watch them."""
    unwatched: dict[str, None] = {}
    tests = 0
    for report in (r for reports in terminalreporter.stats.values() for r in reports):
        if getattr(report, "when", "") == "call":
            for name, value in report.user_properties:
                if name == UNWATCHED_PROPERTY:
                    tests += 1
                    unwatched |= dict.fromkeys(value)
    marked = terminalreporter.config.stash.get(_MARKED, 0)
    if marked:
        terminalreporter.section("promotion audit")
        terminalreporter.line(
            f"Not heeded: @pytest.mark.promotion of {marked} test{'s' * (marked > 1)}; "
            "type pytest --promotion-audit"
        )
    if not tests or not unwatched:
        return
    terminalreporter.section("promotion audit")
    shown = ", ".join(list(unwatched)[:5]) + (", ..." if len(unwatched) > 5 else "")
    terminalreporter.line(
        f"{tests} test{'s' * (tests > 1)} used promotion_audit without --promotion-audit: "
        f"modules that were imported before are not watched: {shown}"
    )
