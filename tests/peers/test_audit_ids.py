"""Identifiers that become floats in tables, as columns are read, joined, masked or cast."""

from textwrap import dedent

import pytest

from supremum import audit

HEAD = """
import io

import numpy as np
import pandas as pd
import xarray as xr

LARGE, SMALL = 2**53 + 1, 3


def csv(number):
    return io.StringIO(f"id,x\\n{number},1.5\\n,2\\n4,1\\n")


def records(number):
    return io.StringIO(f'[{{"id": {number}}}, {{"id": null}}]')


def frame(number):
    return pd.DataFrame({"k": [1, 2], "id": [number, 4], "w": [0.5, 0.25]})


def labelled(number):
    return xr.DataArray(np.array([number, 4]), dims="x", coords={"x": [0, 1]}, name="id")

"""
# What becomes of the ids in each line, beside of floats: warnings say that values change.
LINES = {
    "pd.read_csv(csv(LARGE))": "precision-loss",
    "pd.read_csv(csv(SMALL))": "mixed-kind",
    "pd.read_csv(csv(LARGE), dtype={'id': 'Int64'})": None,
    "pd.read_csv(csv(LARGE), dtype={'id': float})": None,
    "pd.read_csv(csv(1.23e17))": "mixed-kind",
    "pd.read_csv(io.StringIO('id,x\\n3.5,1\\n,2\\n'))": None,
    "pd.read_csv(io.StringIO('id,x\\n3,1\\n4,2\\n'))": None,
    "pd.read_json(records(LARGE))": "precision-loss",
    "frame(LARGE).merge(pd.DataFrame({'k': [2, 3]}), on='k', how='outer')": "precision-loss",
    "frame(SMALL).merge(pd.DataFrame({'k': [2, 3]}), on='k', how='outer')": "mixed-kind",
    "frame(SMALL).merge(pd.DataFrame({'k': [1, 2]}), on='k', how='outer')": None,
    "frame(LARGE).T": "precision-loss",
    "frame(LARGE).astype({'id': 'float32'})": "precision-loss",
    "frame(LARGE).astype({'id': 'int32'})": "wraparound",
    "frame(SMALL).astype({'id': 'int32', 'w': 'float32'})": None,
    "labelled(LARGE).where(labelled(LARGE) > 5)": "precision-loss",
    "labelled(SMALL).where(labelled(SMALL) > 3)": "mixed-kind",
    "labelled(SMALL).where(labelled(SMALL) > 3, 0)": None,
    "labelled(LARGE).reindex(x=[0, 1, 2])": "precision-loss",
    "labelled(LARGE).shift(x=1)": "precision-loss",
    "xr.align(labelled(LARGE), labelled(SMALL)[1:], join='outer')": "mixed-kind",
    "xr.merge([labelled(LARGE), xr.DataArray([1], {'x': [5]}, 'x', 'n')], join='outer')":
        "precision-loss",
}  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_ids_that_become_floats_are_found(tmp_path, line):
    for library in ("pandas", "xarray"):
        pytest.importorskip(library)
    program = tmp_path / "program.py"
    program.write_text(f"{dedent(HEAD)}made = {line}\n", encoding="utf-8")
    last = len(program.read_text(encoding="utf-8").splitlines())
    found = [f.kind for f in audit.run(str(program)).findings if f.line == last]
    assert found == ([LINES[line]] if LINES[line] else [])
