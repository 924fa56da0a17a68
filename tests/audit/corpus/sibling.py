# imported by other programs: what it says of itself is as without an audit
"""Its docstring."""

from __future__ import annotations

import os
import sys

SIZE = 2 + 3
print("sibling", __name__, os.path.basename(__file__), __doc__, __package__ == "", SIZE * 2)
print(os.path.basename(__cached__), __spec__.name, __spec__.origin == __file__, "__main__" in sys.modules)


def double(x):
    return x * 2


def fail(n):
    return n / (n - n) + 1


def fail_together(n):
    caught = []
    for step in range(n):
        try:
            fail(step + 1)
        except ZeroDivisionError as error:
            caught.append(error)
    raise ExceptionGroup("together", caught)


class Shape:
    def __init__(self, side: int) -> None:
        self.side = side

    def __mul__(self, k: int) -> Shape:
        return Shape(self.side * k)

    def __repr__(self) -> str:
        return f"Shape({self.side})"
