"""The expressions of `engine_trial.toml`, asked of Supremum beside the live libraries.

The table has no answers: both give the same, or both refuse. What Supremum gives otherwise stands
below ``open``, with the cause, and is checked to differ, so that none stays there when its cause is
gone.
"""

import ast
import functools
import importlib
import operator
import os
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest

import supremum

from . import test_trial_groups as trial
from .strangers import described, judged

TABLE = tomllib.loads(Path(__file__).with_name("engine_trial.toml").read_text(encoding="utf-8"))
OPEN = TABLE.pop("open")
FREE = "free"  # nobody names the rules, and arrays are NumPy's
# The rules of Keras that a process asks, by the backend that it begins with.
ON_BACKEND = {"": "keras", "jax": "keras:backend=jax"}
# What `xp` and an array are, where no alias of the trial's says it.
NAMESPACES = {"keras": "keras.ops", "dask": "dask.array", "array-api": "array_api_strict"}


class Row(NamedTuple):
    """An expression, and whose rules are asked."""

    group: str
    rules: str
    text: str


def _rows():
    opened = {Row(x["group"], x["rules"], text): x["cause"] for x in OPEN for text in x["texts"]}
    rows = [
        Row(name, rules, text)
        for name, group in TABLE.items()
        for rules, texts in group.items()
        if rules != "what"
        for text in texts
    ]
    assert len(rows) == len({*rows}), "a row stands there twice"
    assert not opened.keys() - {*rows}, "what is open is a row of the table"
    backend = os.environ.get("KERAS_BACKEND", "")
    return [
        pytest.param(
            row,
            id=f"{row.group}-{row.rules}-{row.text}",
            marks=[pytest.mark.xfail(reason=opened[row], strict=True)] if row in opened else [],
        )
        for row in rows
        if not row.rules.startswith("keras") or row.rules == ON_BACKEND.get(backend)
    ]


def _array(library, *found):
    """Return a live array: where the former trial makes none, one of what it makes of NumPy."""
    if library not in NAMESPACES:
        return trial.make("numpy" if library == FREE else library, *found)
    made, space = trial.make("numpy", *found), _space(library)
    return (space.array if library == "keras" else space.asarray)(made)


def _import(library):
    """Skip a row if the library is not installed."""
    if library in NAMESPACES:
        pytest.importorskip(NAMESPACES[library].partition(".")[0])
    elif library != FREE:
        trial._module(trial.ALIASES[library])


def _space(library):
    return importlib.import_module(NAMESPACES[library])


def _asked(row):
    """Return what the live library gives, and what Supremum gives."""
    library, _, options = row.rules.partition(":")
    arrays = {}

    def put(found):
        arrays[name := f"x{len(arrays)}_"] = _array(library, *found.groups())
        return name

    with trial._setting(library, options), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = trial.OPERAND.sub(put, row.text)
        names = {"xp": _space(library)} if library in NAMESPACES else {}
        found = _live(text, {**names, **arrays}), _ours(text, row.rules, arrays)
    return found if library == "jax" else tuple(map(_strong, found))


def _strong(found):
    """Return an answer without its weakness, which counts for JAX alone."""
    return (found[0], False) if type(found) is tuple else found


def _live(text, names):
    try:
        found = trial.evaluated(text, **names)
        return described(_added(found) if type(found) is tuple else found)
    except Exception as error:  # noqa: BLE001  # whatever a library raises
        return error


def _added(operands):
    """Return the sum of operands, from the left: of Polars, as columns and literals."""
    pl = sys.modules.get("polars")
    if pl is None or not any(isinstance(x, pl.Series) for x in operands):
        return functools.reduce(operator.add, operands)
    return pl.select(functools.reduce(operator.add, map(pl.lit, operands))).to_series()


def _ours(text, rules, arrays):
    own = {} if rules == FREE else {"system": rules}
    try:
        if isinstance(ast.parse(text, mode="eval").body, ast.Tuple):
            operands = trial.evaluated(text, **arrays)
            return described(supremum.explain(*operands, **own).result)
        return described(supremum.explain(text, **own, **arrays).results[0])
    except supremum.SupremumError as error:
        return error


@pytest.mark.parametrize("row", _rows())
def test_supremum_gives_what_the_library_gives(row):
    library = row.rules.partition(":")[0]
    _import(library)
    wanted, found = _asked(row)
    assert judged(wanted, found) in ("equal", "both refuse"), (wanted, found)


@pytest.mark.skipif("KERAS_BACKEND" in os.environ, reason="this process has a backend already")
def test_keras_on_jax_too():
    pytest.importorskip("keras")
    asked = [sys.executable, "-m", "pytest", "-q", "-pno:cacheprovider", "-kkeras", __file__]
    environment = {**os.environ, "KERAS_BACKEND": "jax"}
    done = subprocess.run(asked, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
