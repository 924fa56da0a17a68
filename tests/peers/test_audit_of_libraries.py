"""The audit on what particular libraries do: traces, tables, lazy arrays and mixed precision.

Each program is modelled on a public issue, which it names, and has one line to mend. The first
finding is that line, and what is typed instead leaves nothing to find.
"""

import importlib.util
import runpy
from pathlib import Path

import pytest

from supremum import audit

PROGRAMS = Path(__file__).parent / "audit_programs"

JAX, PANDAS, DASK, XARRAY, TORCH = "jax", "pandas", "dask", "xarray", "torch"

# Each program: its library, the kind of its first finding, whether the finding has the fix, and
# the fix: what is there, and what to type instead.
PLANTED = {
    "retracing_total": (JAX, "retracing", True, "0.0", "jnp.float32(0.0)"),
    "retracing_state": (JAX, "retracing", True, "0.0", "jnp.float32(0.0)"),
    "retracing_array": (
        JAX, "retracing", True, "jnp.array(1e6)", "jnp.array(1e6, dtype=jnp.float32)",
    ),
    "retracing_step": (JAX, "retracing", True, "1", "1.0"),
    "retracing_attribute": (JAX, "retracing", True, 'float("inf")', 'jnp.float32(float("inf"))'),
    "retracing_integers": (
        JAX, "retracing", True, "jnp.zeros((), jnp.int32)", "jnp.zeros((), jnp.float32)",
    ),
    "table_merge": (
        PANDAS, "precision-loss", True, 'users.merge(messages, on="user", how="left")',
        'users.merge(messages.astype({"message": "Int64"}), on="user", how="left")',
    ),
    "table_join": (
        PANDAS, "precision-loss", True, "left.join(keys)",
        'left.join(keys.astype({"key": "Int64"}))',
    ),
    "table_rows": (
        PANDAS, "precision-loss", True, "table.iterrows()", "table.astype(object).iterrows()",
    ),
    "table_apply": (
        PANDAS, "precision-loss", True,
        """table.apply(lambda row: f"{int(row['id'])}:{row['v']}", axis=1)""",
        """table.astype(object).apply(lambda row: f"{int(row['id'])}:{row['v']}", axis=1)""",
    ),
    "table_reindex": (
        PANDAS, "precision-loss", True, 'ids.reindex(["a", "b", "c"])',
        'ids.astype("Int64").reindex(["a", "b", "c"])',
    ),
    "table_concat": (
        PANDAS, "precision-loss", True, "pd.concat([events, notes], ignore_index=True)",
        'pd.concat([events.astype({"at": "Int64"}), notes], ignore_index=True)',
    ),
    "table_previous": (
        PANDAS, "precision-loss", False, 'table.groupby("k")["id"].shift()',
        'table.astype({"id": "Int64"}).groupby("k")["id"].shift()',
    ),
    "table_means": (
        PANDAS, "precision-loss", False, 'rows.pivot_table(index="day"',
        'rows.astype({"n": "Int64"}).pivot_table(aggfunc="first", index="day"',
    ),
    "table_store": (
        PANDAS, "precision-loss", False, "table.loc[1",
        'table = table.astype({"id": "Int64"})\ntable.loc[1',
    ),
    "lazy_overlap": (DASK, "meta-mismatch", True, "np.array(())", "np.array((), dtype=np.float32)"),
    "lazy_ufunc": (
        XARRAY, "meta-mismatch", True,
        'xr.apply_ufunc(scaled, raster, dask="parallelized", output_dtypes=[float])',
        'xr.apply_ufunc(scaled, raster, dask="parallelized", output_dtypes=[np.float32])',
    ),
    "lazy_blocks": (
        DASK, "meta-mismatch", True, "values.map_blocks(centred, dtype=np.float32)",
        "values.map_blocks(centred, dtype=np.float64)",
    ),
    "lazy_delayed": (
        DASK, "meta-mismatch", True, "da.from_delayed(read(4), shape=(4,), dtype=np.float32)",
        "da.from_delayed(read(4), shape=(4,), dtype=np.float64)",
    ),
    "lazy_coordinates": (
        XARRAY, "widening", True, "np.linspace(-90, 90, n)",
        "np.linspace(-90, 90, n, dtype=np.float32)",
    ),
    "mixed_norm": (
        TORCH, "widening", True, "self.weight * hidden.to(dtype)",
        "(self.weight * hidden).to(dtype)",
    ),
    "mixed_positions": (
        TORCH, "precision-loss", False, "torch.arange(count, dtype=dtype)",
        "torch.arange(count, dtype=torch.float32)",
    ),
    "mixed_rotary": (
        TORCH, "precision-loss", False, "torch.arange(count).type_as(frequencies)",
        "torch.arange(count).to(torch.float32)",
    ),
    "mixed_indices": (
        JAX, "precision-loss", False, "jnp.arange(1000, dtype=jnp.bfloat16)",
        "jnp.arange(1000, dtype=jnp.float32)",
    ),
}  # fmt: skip

# Programs whose cause is far from where it shows: the library, the kind of finding, and the fix.
FAR = {
    "torch_training": (
        "torch",
        "widening",
        "np.hanning(length).astype(np.float32, copy=False)",
    ),
    "torch_gains": (
        "torch",
        "widening",
        "np.float32(np.sqrt(power))",
    ),
    "torch_running": (
        "torch",
        "narrowing-store",
        "torch.full((channels,), 1e-3, dtype=torch.float16)",
    ),
    "jax_outside": (
        "jax",
        "widening",
        "jnp.linspace(0, 1, width // 2, dtype=jnp.float32)",
    ),
    "jax_traced": ("jax", "widening", "jnp.linspace(0, 1, width, dtype=jnp.float32)"),
    "jax_argument": (
        "jax",
        "widening",
        "np.hanning(length).astype(np.float32, copy=False)",
    ),
    "jax_bfloat16": ("jax", "widening", "jnp.bfloat16(0.1)"),
    "jax_weak": ("jax", "weak-type-lost", "jnp.asarray(1e-3)"),
    "jax_recompiled": ("jax", "weak-type-lost", "jnp.asarray(0.9)"),
    "dask_window": (
        "dask",
        "widening",
        "da.linspace(0, 1, length, chunks=chunks, dtype=np.float32)",
    ),
    "dask_blocks": ("dask", "widening", "np.ones(width, dtype=np.float32)"),
    "pandas_csv": (
        "pandas",
        "widening",
        "",  # a column may be of text
    ),
    "pandas_columns": (
        "pandas",
        "widening",
        "np.linspace(0, 1, len(data), dtype=np.float32)",
    ),
    "pandas_rolling": (
        "pandas",
        "widening",
        'data["level"].rolling(3, min_periods=1).mean().astype("float32")',
    ),
    "xarray_weights": (
        "xarray",
        "widening",
        "np.linspace(-90, 90, rows, dtype=np.float32)",
    ),
    "pickled": (
        "cloudpickle",
        "widening",
        "np.linspace(0, 1, len(values), dtype=np.float32)",
    ),
}

# What else is to be changed in a program for its mend to hold.
BESIDES = {
    "mixed_positions": ("torch.ones(4, dtype=dtype)", "torch.ones(4)"),
    "mixed_rotary": (".to(torch.bfloat16)", ""),
}


@pytest.fixture
def audited(tmp_path, capsys):
    """Return a function that runs a text with and without the audit, and gives its findings."""

    def run(text):
        path = tmp_path / f"program{len([*tmp_path.iterdir()])}.py"
        path.write_text(text)
        runpy.run_path(str(path), run_name="__main__")
        plain = capsys.readouterr().out
        report = audit.run(str(path))
        assert capsys.readouterr().out == plain
        assert plain
        assert report.problems == ()
        return report.findings

    return run


def needs(library):
    """Skip a test where a library is not installed."""
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")


@pytest.mark.parametrize("name", PLANTED)
def test_the_first_finding_is_the_line_to_mend(name, audited):
    library, kind, is_suggested, cause, mend = PLANTED[name]
    needs(library)
    text = (PROGRAMS / f"{name}.py").read_text()
    lines = text.splitlines()
    planted = next(number for number, line in enumerate(lines, 1) if "# planted" in line)
    first = audited(text)[0]
    assert (first.line, first.kind, first.elsewhere) == (planted, kind, False)
    assert first.suggestion == (mend if is_suggested else "")
    if is_suggested:
        assert first.text == cause
    assert cause in lines[planted - 1]
    lines[planted - 1] = lines[planted - 1].replace(cause, mend)
    mended = "\n".join(lines).replace(*BESIDES.get(name, ("", "")))
    assert audited(f"{mended}\n") == ()


@pytest.mark.parametrize("name", FAR)
def test_one_cause_is_one_finding(name, audited):
    library, kind, suggestion = FAR[name]
    needs(library)
    text = (PROGRAMS / f"{name}.py").read_text()
    lines = text.splitlines()
    [planted] = [number for number, line in enumerate(lines, 1) if "# planted" in line]
    [found] = audited(text)
    assert (found.line, found.kind, found.elsewhere) == (planted, kind, False)
    assert found.suggestion == suggestion
    assert found.text in lines[planted - 1]
    if suggestion:
        assert audited(text.replace(found.text, suggestion, 1)) == ()


def test_signatures_are_those_that_jax_traces(audited, caplog):
    needs(JAX)
    import jax

    text = (PROGRAMS / "retracing_total.py").read_text()
    with jax.log_compiles(), caplog.at_level("WARNING"):
        first = audited(text)[0]
    # once without the audit, once with it
    traced = [
        r for r in caplog.records if "Finished tracing" in r.message and "smooth" in r.message
    ]
    assert len(traced) == 2 * 2
    assert first.places[0].told.endswith("traced 2 times")


def test_tensors_without_values_are_checked(audited):
    needs(TORCH)
    made = "torch.zeros(3, device='meta', dtype=torch.float16)"
    first = audited(f"import torch\ny = {made} * torch.ones(3, device='meta')\nprint(y.shape)\n")[0]
    assert (first.kind, first.line) == ("widening", 2)


def test_integers_of_a_table_that_fit_are_a_note(audited):
    needs(PANDAS)
    text = (PROGRAMS / "table_merge.py").read_text().replace("10903837274216", "10")
    first = audited(text)[0]
    assert (first.kind, first.severity, first.suggestion) == ("mixed-kind", "note", "")
    told = "int64 'message' becomes float64 where a value is missing; \"Int64\" keeps integers"
    assert first.places[0].told == told


MERGED = """
import pandas as pd

left = pd.DataFrame({"k": [1, 2], "n": [10, 20], "f": [1.0, 2.0]})
right = pd.DataFrame({"k": [1, 3], "n": [10, 20]})
floats = pd.DataFrame({"k": [1.0, 3.0]})
print(%s)
"""
# What is marked, and what is said of it.
MERGES = {
    'pd.merge(left, right, on="k", how="left")': "right: int64 'n' becomes float64 where a",
    'left.merge(right, on="k", how="right")': "left: int64 'n' becomes float64 where a",
    'left.merge(right, on="k", how="left", suffixes=(None, "_r"))': "right: int64 'n' becomes",
    'left.join(right[1:], suffixes=("", "_r"))': "right[1:]: int64 'k' becomes float64 where a",
    'pd.merge(floats, right, on="k")': "right: int64 'k' becomes float64 among floats; make",
}


@pytest.mark.parametrize("merge", MERGES)
def test_the_table_whose_column_becomes_floats_is_marked(audited, merge):
    needs(PANDAS)
    place = audited(MERGED % merge)[0].places[0]
    assert f"{place.operands[0].text}: {place.told}".startswith(MERGES[merge])


KEYS = """
import pandas as pd

ids = pd.DataFrame({"k": [1, 2**53, 2**53 + 1], "n": [10, 20, 30]})
floats = pd.DataFrame({"k": [1.0, 2.0**53], "f": [0.5, 0.25]})
print(%s)
"""
# How tables are merged, with the table whose key is marked; "" where all pairs are of equal keys.
PAIRED = {
    'ids.merge(floats, on="k")': "ids",
    "pd.merge(floats, ids)": "ids",
    'pd.merge(ids, floats, "inner", "k")': "ids",
    'pd.merge_ordered(floats, ids, on="k")': "ids",
    'ids.astype({"k": "uint64"}).merge(floats)': 'ids.astype({"k": "uint64"})',
    'ids.astype({"k": "Int64"}).merge(floats)': 'ids.astype({"k": "Int64"})',
    'ids.merge(floats.rename(columns={"k": "l"}), left_on="k", right_on="l")': "ids",
    'ids.merge(floats.set_index("k"), left_on="k", right_index=True)': "ids",
    'ids.merge(floats, left_on=ids["k"], right_on="k")': "ids",
    'ids.join(floats.set_index("k"), on="k")': "ids",
    'floats.set_index("k").join([ids.set_index("k"), pd.DataFrame(index=[1])])':
        'ids.set_index("k")',
    'floats.set_index("k").join(ids.set_index("k"))': 'ids.set_index("k")',
    'ids["k"].to_frame().merge(floats["k"])': 'ids["k"].to_frame()',
    'ids[:2].merge(floats, on="k")': "",
    'ids.merge(floats[:1], on="k")': "",
    'ids.merge(floats, how="cross")': "",
    "ids.merge(ids)": "",
    'ids.astype(str).merge(floats.astype(str), on="k")': "",
}  # fmt: skip


@pytest.mark.parametrize("merge", PAIRED)
def test_keys_that_are_paired_with_others_are_found(audited, merge):
    needs(PANDAS)
    found = [f for f in audited(KEYS % merge) if f.kind == "precision-loss"]
    places = [f.places[0] for f in found]
    assert [p.operands[0].text for p in places] == ([PAIRED[merge]] if PAIRED[merge] else [])
    for place in places:
        assert (
            ": 9007199254740993 is paired with 9007199254740992; make both integers" in place.told
        )


# What a table is made of, with the column that has integers of Python and lacks some.
TABLES = {
    "pd.DataFrame([[1, 17], [2, None], [3, 42]], columns=['k', 'n'])": "int64 'n' becomes float64",
    "pd.DataFrame([{'k': 1, 'n': 17}, {'k': 2}, {'k': 3, 'n': 4}])": "int64 'n' becomes float64",
    "pd.DataFrame({'k': [1, 2], 'n': [17, None]})": "int64 'n' becomes float64",
    "pd.DataFrame.from_dict({'n': [17, None]})": "int64 'n' becomes float64",
    "pd.DataFrame({'k': [1, 2], 'n': [17.0, None]})": "",
    "pd.DataFrame([[1.0, 2], [float('nan'), 3]])": "",
    "pd.DataFrame([[1, 17], [2, None]], dtype='Int64')": "",
}


@pytest.mark.parametrize("table", TABLES)
def test_integers_that_a_table_is_made_of_are_followed(audited, table):
    needs(PANDAS)
    found = audited(f"import pandas as pd\ntable = {table}\nprint(table.dtypes)\n")
    told = [finding.places[0].told for finding in found]
    assert [text.partition(" where ")[0] for text in told] == (
        [TABLES[table]] if TABLES[table] else []
    )


def test_small_integers_of_xarray_become_floats_too(audited):
    needs(XARRAY)
    classes = 'xr.DataArray(np.array([10, 50, 210], np.uint8), dims="x", name="class")'
    source = f"""\
import numpy as np
import xarray as xr
classes = {classes}
classes = classes.assign_coords(x=[0, 1, 2])
print(classes.where(classes > 20).dtype, classes.reindex(x=[0, 5]).dtype)
"""
    (found,) = audited(source)
    assert (found.kind, found.line) == ("mixed-kind", 5)
    assert found.places[0].text.startswith("classes.reindex")
    assert found.places[0].told.startswith("uint8 'class' becomes float32 where a value is missing")


STATE = """
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class State:
    weights: jax.Array
    rate: float


@jax.jit
def step(key, state, **more):
    noise = jax.random.normal(key, state.weights.shape)
    return State(state.weights + state.rate * noise * more["scale"], jnp.float32(0.1))


key = jax.random.key(0)
state = State(jnp.ones(3), 0.1)
for _ in range(3):
    state = step(key, state, scale=jnp.ones(3))
print(state.weights.shape)
"""


def test_states_and_keys_are_looked_into(audited):
    needs(JAX)
    (found,) = audited(STATE)
    assert (found.kind, found.text, found.suggestion) == ("retracing", "0.1", "jnp.float32(0.1)")
    assert "state['rate'] is float32* (weak) first" in found.places[0].told


BATCHES = """
import jax
import jax.numpy as jnp
import numpy as np

total = jax.jit(lambda labels: labels.sum())
for dtype in {dtypes}:
    print(total(np.ones(3, dtype)))
"""


def test_integers_that_go_back_and_forth_at_one_call_are_told(audited):
    needs(JAX)
    (found,) = audited(BATCHES.format(dtypes='("int32", "uint8", "int32", "uint8")'))
    assert (found.kind, found.text) == ("retracing", "np.ones(3, dtype)")
    assert "labels is int32, uint8, and int32 again: traced 2 times" in found.places[0].told


def test_a_loop_over_dtypes_of_integers_is_meant(audited):
    needs(JAX)
    assert audited(BATCHES.format(dtypes='("int32", "uint8", "int16")')) == ()


STORES = """
import numpy as np
import pandas as pd

table = pd.DataFrame({"a": [2**53 + 1, 2]}, index=[0, 1])
table["b"] = pd.Series([2**53 + 1], index=[1])
table.loc[5, "b"] = 1.0
column = pd.Series([2**53 + 1, 3])
column.iloc[0] = np.nan
del column
print(table.shape)
"""


def test_what_is_stored_in_tables_is_looked_at_afterwards(audited):
    needs(PANDAS)
    found = [(f.line, f.kind, f.suggestion) for f in audited(STORES)]
    # a column that is gone before anything is looked at tells nothing
    assert found == [(6, "precision-loss", ""), (7, "precision-loss", "")]
