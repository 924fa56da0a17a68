"""What a test run is asked to audit: by options, and by the markers of each test."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import pytest

from ...core.errors import RulesError, SupremumError, did_you_mean
from .. import options
from ..cli import check_writable
from ..kinds import read_dtypes, read_kinds
from ..options import Options
from ..report import known_format


class MarkerOptions(NamedTuple):
    """What the markers of a test ask for.

    Attributes:
        audit: whether the test is audited at all.
        allow: the kinds that are left out.
        forbid: the dtypes that fail it.
        fail_on: the kinds that fail it, or None for those of the run.
    """

    audit: bool = True
    allow: frozenset[str] = frozenset()
    forbid: frozenset[str] = frozenset()
    fail_on: frozenset[str] | None = None


def marker_options(item: pytest.Item) -> MarkerOptions:
    """Return what the markers of a test ask for, the closest first.

    `audit` and `fail_on` are those of the closest marker that has them; what is allowed and
    forbidden adds up.

    Raises:
        UsageError: for an unknown word, kind or dtype.
    """
    found = MarkerOptions()
    known = MarkerOptions._fields
    try:
        for marker in [*item.iter_markers("promotion")][::-1]:
            if marker.args:
                form = '@pytest.mark.promotion(allow="widening")'
                raise RulesError(f"a promotion marker takes names, as in {form}", marker.args)
            for name in marker.kwargs:
                if name not in known:
                    hint = did_you_mean(name, known)[0] or f"; there are {', '.join(known)}"
                    raise RulesError(f"a promotion marker has no {name!r}{hint}", name)
            found = MarkerOptions(
                bool(marker.kwargs.get("audit", found.audit)),
                found.allow | read_kinds(marker.kwargs.get("allow", "")),
                found.forbid | read_dtypes(marker.kwargs.get("forbid", "")),
                read_kinds(marker.kwargs["fail_on"], notes=False)
                if "fail_on" in marker.kwargs
                else found.fail_on,
            )
    except SupremumError as error:
        raise pytest.UsageError(f"{item.nodeid}: {_one_line(error)}") from None
    return found


def read(config: pytest.Config, given: dict[str, Any]) -> Options:
    """Return what the audit is asked to do.

    Args:
        config: pytest's.
        given: the options of the plugin.

    Raises:
        UsageError: for a value that cannot be.
    """
    ours = {n: given[n] for n in ("fail_on", "forbid", "target", "include", "baseline")}
    for name in ("fail_on", "forbid"):
        ours[name] = ",".join(ours[name] or ())
    try:
        asked = options.combined(options.from_project(config.rootpath), ours)
        for path in [*(given["output"] or ()), *filter(None, [given["write_baseline"]])]:
            check_writable(path)
        for path in given["output"] or ():
            known_format(path)
    except SupremumError as error:
        own = "|".join(name.replace("_", "-") for name in given)
        message = re.sub(rf"--({own})\b", r"--promotion-\1", _one_line(error))
        raise pytest.UsageError(f"promotion audit: {message}") from None
    return asked


def _one_line(error: SupremumError) -> str:
    return " ".join(str(error).split())
