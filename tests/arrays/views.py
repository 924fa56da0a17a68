"""Random programs that write to arrays and to views of them, for each backend and for NumPy."""

import random
import re

import numpy as np

FLOAT = "float32"


def program(seed):
    """Return the lines of a program: `xp` and `a` are there, and `out` gets what is seen."""
    draw = random.Random(seed)
    shapes = {"a": (3, 4)}
    lines = []
    for step in range(12):
        name = draw.choice(sorted(shapes))
        shape = shapes[name]
        kind = draw.choice(["view", "view", "in place", "in place", "store", "drop", "copy"])
        if kind == "view":
            text, made = _view(draw, name, shape)
            shapes[f"v{step}"] = made
            lines.append(f"v{step} = {text}")
        elif kind == "copy":
            shapes[f"v{step}"] = shape
            lines.append(f"v{step} = {name} * 2")
        elif kind == "in place":
            operator, value = draw.choice([("+=", 1), ("*=", 2), ("-=", 3)])
            lines.append(f"{name} {operator} {value}")
        elif kind == "store" and shape:
            index = draw.choice(
                ["...", "slice(None, 1)", "slice(None, None, -1)", *["0"][: shape[0]]]
            )
            lines.append(f"{name}[{index}] = {draw.randrange(100)}")
        elif kind == "drop" and len(shapes) > 2 and name != "a":
            del shapes[name]
            lines.append(f"del {name}")
    lines += [f"out.append({name})" for name in sorted(shapes)]
    return lines


def _view(draw, name, shape):
    """Return an expression for a view, and its shape."""
    ways = [(f"{name}[...]", shape), (f"xp.flip({name})", shape)]
    size = 1
    for n in shape:
        size *= n
    ways.append((f"xp.reshape({name}, ({size},))", (size,)))
    ways.append((f"xp.expand_dims({name}, axis=0)", (1, *shape)))
    if shape:
        first, *rest = shape
        ways += [
            (f"{name}[1:]", (max(first - 1, 0), *rest)),
            (f"{name}[::-1]", shape),
            (f"{name}[:2]", (min(first, 2), *rest)),
        ]
        if first:
            ways.append((f"{name}[0]", tuple(rest)))
    if len(shape) == 2:
        ways += [(f"{name}.T", shape[::-1]), (f"xp.permute_dims({name}, (1, 0))", shape[::-1])]
    return draw.choice(ways)


def run(lines, xp, a):
    """Return what a program sees at its end, as lists, or the error that it stops with."""
    out = []
    try:
        exec("\n".join(lines), {"xp": xp, "a": a, "out": out})  # it is ours
    except ValueError as error:
        return type(error).__name__
    return [x.tolist() for x in out]


def in_step(lines, xp, own, a):
    """Run a program on NumPy without the lines that a namespace refuses; return how many there are.

    Raises:
        AssertionError: if the two see something else at its end.
    """
    ours = {"xp": xp, "a": own, "out": []}
    theirs = {"xp": np, "a": a, "out": []}
    refused = 0
    for line in lines:
        try:
            exec(line, ours)  # it is ours
        except (ValueError, NotImplementedError) as error:
            assert re.search("has copied them|stores neither .* nor by a slice back", str(error))  # noqa: PT017  # the rest is not
            refused += 1
        else:
            exec(line, theirs)  # the same
    assert [x.tolist() for x in ours["out"]] == [x.tolist() for x in theirs["out"]], lines
    return refused
