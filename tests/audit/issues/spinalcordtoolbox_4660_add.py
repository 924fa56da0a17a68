"""spinalcordtoolbox/spinalcordtoolbox#4660: a mask of int16 to which fractions are added.

In place, NumPy refuses to cut them off.
"""
# raises: UFuncOutputCastingError

import argparse

import numpy as np


def load_volume(kind, shape=(20, 20, 6)):
    rng = np.random.default_rng(len(kind))
    if kind == "seg":
        return (rng.random(shape) > 0.6).astype(np.int16)
    return rng.random(shape).astype(np.float32)


def get_data_arrays(shape, values):
    arrays = []
    for value in values:
        if value in ("seg", "soft"):
            arrays.append(load_volume(value, shape))
        else:
            arrays.append(np.full(shape, float(value), np.float32))
    return arrays


def apply_operation(data, operation, values):
    arrays = get_data_arrays(data.shape, values)
    if operation == "add":
        data += np.sum(arrays, axis=0)  # <- stopped
        # fixed: data = data + np.sum(arrays, axis=0)
    elif operation == "sub":
        data -= np.sum(arrays, axis=0)
    elif operation == "mul":
        data *= np.prod(arrays, axis=0)
    return data


def main(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("-i", default="seg")
    parser.add_argument("-add", nargs="+", default=["soft", "0.5"])
    args = parser.parse_args(argv)
    data = load_volume(args.i)
    out = apply_operation(data, "add", args.add)
    print("mean %.4f" % out.mean())
    print("max %.4f" % out.max())


main([])
