"""Send functions, pickled by value, to a fresh interpreter that nothing watches."""

import pickle
import subprocess
import sys

import cloudpickle
import numpy as np

RECEIVER = """
import pickle, sys
function, model = pickle.load(sys.stdin.buffer)
print(function([1.0, 2.0]), model.predict(3.0))
"""


def scale(values):
    values = np.asarray(values, dtype=np.float32)
    out = values * np.linspace(0, 1, len(values))  # planted
    out += max(v * 2 for v in out)
    out[0] = 1.5
    return out.tolist()


def make(factor):
    def function(values):
        return [value * factor for value in scale(values)]

    return function


class Model:
    def predict(self, x):
        return x @ self if isinstance(x, Model) else -x * 2


parcel = cloudpickle.dumps((make(2.0), Model()))
received = subprocess.run(
    [sys.executable, "-c", RECEIVER], input=parcel, capture_output=True, check=True
)
print(received.stdout.decode().strip())
print(pickle.loads(parcel)[0]([1.0, 2.0]))
