"""Combine columns of a table, one of which was given as it came from NumPy."""

import numpy as np
import pandas as pd


def table(rows):
    x = np.sin(np.arange(rows, dtype=np.float32))
    return pd.DataFrame({"x": x, "y": x * x})


def weigh(data):
    data["w"] = np.linspace(0, 1, len(data))  # planted
    return data


def scores(data):
    part = data[data["y"] > 0.1]
    data["score"] = data["x"] * data["w"]
    data["root"] = data.y * data.w
    return (part["x"] * part["w"]).sum()


def doubled(data):
    twice = data * 2
    return (twice["x"] * twice["w"]).sum(), data.assign(z=lambda d: d["y"] + d["w"])["z"].sum()


data = weigh(table(20))
print(f"{scores(data):.4f}", [f"{total:.4f}" for total in doubled(data)])
