"""Asks the NumPy that runs this for every operator, and what `--target` predicts of another one.

Run as ``python numpy_operators.py TARGET``, it prints as JSON, for each operation by its name and
its operands, what came out here, and what comes out by the rules of the target.
"""

import json
import operator
import sys
import warnings

import numpy as np

from supremum import system
from supremum.audit.preview.target import Target

OPERATORS = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "true_divide": operator.truediv,
    "floor_divide": operator.floordiv,
    "remainder": operator.mod,
    "power": operator.pow,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "left_shift": operator.lshift,
    "right_shift": operator.rshift,
    "less": operator.lt,
    "equal": operator.eq,
}
IN_PLACE = {
    "add": operator.iadd,
    "true_divide": operator.itruediv,
    "power": operator.ipow,
    "left_shift": operator.ilshift,
}
KINDS = {"bool": ("",), "uint": (8, 16, 32, 64), "int": (8, 16, 32, 64), "float": (16, 32, 64)}
DTYPES = [f"{kind}{bits}" for kind, widths in KINDS.items() for bits in widths]
DTYPES += ["complex64", "complex128"]
NUMBERS = (
    True,
    0,
    1,
    2,
    3,
    200,
    300,
    -1,
    -200,
    70_000,
    2**40,
    2**63,
    0.1,
    0.5,
    2.0,
    7e4,
    1e300,
    2j,
)
VALUES = {"b": (True,), "u": (3, 200), "i": (3, -2, 100), "f": (0.5, 3.0, 0.1), "c": (1.5 + 2j,)}


def operands():
    """Yield how each operand is written, and a function that makes it."""
    for name in DTYPES:
        kind = np.dtype(name)
        for value in VALUES[kind.kind]:
            yield f"{name}[{value}]", lambda k=kind, v=value: np.full(3, v, k)
            yield f"{name}[]({value})", lambda k=kind, v=value: np.array(v, k)
            yield f"{name}({value})", lambda k=kind, v=value: k.type(v)
    for number in NUMBERS:
        yield repr(number), lambda n=number: n


def shown(result):
    """Return the dtype of a result, and of a comparison its first value."""
    if result.dtype == object:
        return "object"
    value = f" {np.asarray(result).flat[0]}" if result.dtype == bool else ""
    return f"{result.dtype}{value}"


class Told:
    """What a target says of one operation."""

    def __init__(self, rules):
        self.changed = False
        self.target = Target(rules, self.differs)

    def differs(self, *_, told, **__):
        self.changed = " here, " in told or "otherwise" in told


def main(target):
    rules = system(target)
    found = {}
    every = list(operands())
    for name, compute in OPERATORS.items():
        for left, make_left in every:
            for right, make_right in every:
                key = f"{name} {left} {right}"
                asked = [(key, compute, False)]
                if name in IN_PLACE and "[" in left:
                    asked.append((f"i{key}", IN_PLACE[name], True))
                for said, function, in_place in asked:
                    a, b = make_left(), make_right()
                    if not hasattr(a, "dtype") and not hasattr(b, "dtype"):
                        continue
                    found[said] = one(rules, name, function, a, b, in_place=in_place)
    json.dump(found, sys.stdout)


def one(rules, name, function, a, b, *, in_place):
    before = a.copy() if in_place else a
    try:
        result = function(a, b)
    except (TypeError, OverflowError, ValueError) as error:
        return [type(error).__name__.replace("UFuncTypeError", "TypeError"), None]
    if not hasattr(result, "dtype"):  # a number of Python's
        return [type(result).__name__, None]
    here = shown(result)
    if here == "object":
        return ["object", None]
    told = Told(rules)
    if name in ("less", "equal"):
        told.target.compared(0, result, (a, b), name)
        [(_, there)] = told.target.lines[0]
        value = np.asarray(result).flat[0]
        return [here, f"bool {value != told.changed}" if there == "bool" else there]
    into = result if in_place and result is a else None
    told.target.operated(
        0, result, (before, b) if into is not None else (a, b), name, in_place=into is not None
    )
    [(_, there)] = told.target.lines[0]
    return [here, f"{there} {np.asarray(result).flat[0]}" if there == "bool" else there]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    main(sys.argv[1])
