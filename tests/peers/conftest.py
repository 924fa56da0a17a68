"""What the live libraries were asked, counted below the tests' results; and what is near."""

import numpy as np
import pytest

TOLERANCE = {"bfloat16": 2e-2, "float16": 2e-3}


@pytest.fixture
def count(record_property):
    """Return what takes a line for the summary."""
    return lambda line: record_property("count", line)


@pytest.fixture
def near_enough():
    """Return what tells whether arrays differ by no more than rounding in the dtype of the last."""

    def compare(found, wanted):
        tolerance = TOLERANCE.get(wanted.dtype.name, 1e-5)
        pair = np.asarray(found).astype(complex), np.asarray(wanted).astype(complex)
        return np.allclose(*pair, rtol=tolerance, atol=tolerance, equal_nan=True)

    return compare


def pytest_terminal_summary(terminalreporter):
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "call":
                for name, line in report.user_properties:
                    if name == "count":
                        terminalreporter.write_line(line)
