"""Who counts the references to an object finds as many as without an audit."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.thorough

PANDAS = """
import warnings
import numpy as np
import pandas as pd

df = pd.DataFrame({"a": [1.0, 2, 3], "b": [1, 2, 3]})

def work():
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        <BODY>
    print([w.category.__name__ for w in told])
work()
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    <BODY>
print([w.category.__name__ for w in told])
"""


@pytest.mark.parametrize(
    "body",
    [
        'df["a"][0] = 1',
        'df["a"][df["b"] > 1] = np.float32(2)',
        'df["a"][0] += 1',
        'df["a"].iloc[0] = 3',
        'df["a"].fillna(0, inplace=True)',
        'df[["a"]].replace(1, 2, inplace=True)',
    ],
)
def test_pandas_warns_of_what_changes_a_temporary_table(write, command, body):
    pytest.importorskip("pandas", minversion="3")
    path = write(PANDAS.replace("<BODY>", body))
    plain = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    assert "ChainedAssignmentError" in plain.stdout
    ended = command("program.py")
    assert ended.stdout.splitlines()[:2] == plain.stdout.splitlines(), ended.stderr
