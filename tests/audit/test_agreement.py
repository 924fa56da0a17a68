"""Whether two runs of a program agree, by samples of what its operations gave."""

import numpy as np
import pytest

from supremum.audit.log.samples import Sample, SampledRow, read_samples
from supremum.audit.trial.agreement import Agreement, agreement, steady
from supremum.audit.trial.comparison import tolerance

WITHIN = tolerance("float32")


def row(name, *values, line=1, kind="f", scale=None, time=1):
    """Return what an operation gave once."""
    largest = max(map(abs, values), default=0.0) if scale is None else scale
    sample = Sample(time, kind, [len(values)], largest, list(values))
    return SampledRow("program.py", line, name, [sample])


A, B, C = row("add", 1.0, 2.0), row("multiply", 3.0), row("sum", 3.0)


@pytest.mark.parametrize(
    ("before", "after", "compared", "difference"),
    [
        ([A, B, C], [A, B, C], 3, ""),
        ([A, B], [A, row("multiply", 3.0 + 1e-5)], 2, ""),
        ([A, B], [A, row("multiply", 3.1)], 1, "line 1: multiply: 3 became 3.1"),
        ([A, B, C], [A, row("abs", 1.0), B, C], 3, ""),
        ([A, B, C], [A, C], 2, ""),
        ([row("add", 5.0, kind="i")], [row("add", 6.0, kind="i")], 0, "line 1: add: 5 became 6"),
        ([row("add", 1e-9, scale=1e9)], [row("add", 0.0, scale=1e9)], 1, ""),
        ([A], [row("add", 1.0)], 0, "line 1: add: the shape (2,) became (1,)"),
        ([A], [row("add", 1.0, np.inf)], 0, "line 1: add: 2 became inf"),
        ([row("add", np.nan)], [row("add", np.nan)], 1, ""),
        (
            [row("add", 1.0, time=1)],
            [row("add", 1.0, time=16)],
            0,
            "line 1: add is computed 1 time or more, and then 16 times",
        ),
    ],
)
def test_operations_agree_in_their_order(before, after, compared, difference):
    found = agreement(before, after, WITHIN)
    assert (found.compared, found.difference) == (compared, difference)
    assert bool(found) == (not difference)


def test_a_run_that_ended_early_is_compared_as_far_as_it_went():
    first = row("add", 1.0, time=1)
    more = first._replace(samples=[*first.samples, *row("add", 3.0, time=2).samples])
    other = first._replace(samples=[*row("add", 2.0, time=1).samples, *more.samples[1:]])
    assert agreement([first], [more], WITHIN, goes_on=True) == Agreement(1)
    assert agreement([first], [more], WITHIN).difference
    assert agreement([first], [other], WITHIN, goes_on=True).difference
    assert agreement([more], [first], WITHIN, goes_on=True).difference


def test_numbers_far_from_zero_keep_their_range_but_in_half_precision():
    before = row("sqrt", *(0.9 + 0.0002 * n for n in range(8)))
    after = row("sqrt", *(0.9014 - 0.0002 * n for n in range(8)))
    assert agreement([before], [after], WITHIN).gross
    assert not agreement([before], [after], tolerance("bfloat16")).gross


def test_numbers_that_merge_do_not_agree():
    times = [1.7e9 + 0.25 * n for n in range(8)]
    [sample] = row("add", 1.0).samples
    before, after = (
        row("add", 1.0)._replace(samples=[sample._replace(values=x, scale=2e9)])
        for x in (times, 8 * [1.7e9])
    )
    found = agreement([before], [after], WITHIN)
    assert found.difference == "line 1: add: of 8 different numbers, 1 is left"


@pytest.mark.parametrize(
    ("before", "after", "is_gross"),
    [
        ([2.0, 1e-4], [2.0, 2e-4], False),  # rounding, beside the largest
        ([2.0, 0.1], [2.0, 0.12], True),
        ([4e6 + n for n in range(8)], [4e6 + n + 0.01 for n in range(8)], True),
        ([280.0 + n for n in range(8)], [280.0 + n + 1e-4 for n in range(8)], False),
    ],
)
def test_gross_differences_are_those_that_no_rounding_explains(before, after, is_gross):
    found = agreement([row("add", *before)], [row("add", *after)], WITHIN)
    assert bool(found.gross) is is_gross


def test_runs_that_have_little_in_common_do_not_agree():
    assert not agreement([A, B, C], [C], WITHIN)
    assert not agreement([], [], WITHIN)


def test_what_is_drawn_anew_each_time_is_not_compared():
    drawn, again = row("random", 0.5), row("random", 0.25)
    kept = steady([A, drawn, B], [A, again, B])
    assert kept == [A, drawn._replace(samples=[]), B]
    assert agreement(kept, [A, row("random", 0.75), B], WITHIN) == Agreement(2, others=1)


def test_samples_are_of_some_results_and_are_read_as_they_were_written(tmp_path, command, write):
    program = write("""\
        import numpy as np
        x = np.linspace(0, 1, 1000)
        total = np.zeros(3, np.float32)
        for n in range(100):
            total += n
        y = (x + 1j) * 2
        z = np.empty(3)
        kept = x.astype(np.float32)
    """)
    path = tmp_path / "rows.json"
    assert command("--samples", path, program).returncode == 0
    rows, _ = read_samples(path)
    assert {r.name for r in rows} == {"linspace", "zeros", "add", "multiply"}
    (counted,) = [r for r in rows if len(r.samples) > 1]
    assert [s.time for s in counted.samples] == [1, 2, 4, 8, 16, 32]
    assert counted.samples[-1].values == [sum(range(32))] * 3
    (drawn,) = [r.samples[0] for r in rows if r.name == "linspace"]
    assert (drawn.shape, len(drawn.values), drawn.scale) == ([1000], 32, 1.0)
    (product,) = [r.samples[0] for r in rows if r.name == "multiply"]
    assert (product.kind, len(product.values)) == ("c", 64)
