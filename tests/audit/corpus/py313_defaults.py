# what Python 3.13 has: defaults of type parameters, static attributes, locals that are snapshots
import sys


class Box[T = int, **P = [int, T]]:
    def __init__(self):
        self.a = 1 + 1
        self.b: int = self.a * 2
        self.c += 1 if hasattr(self, "c") else 0

    c = 0

    def other(self):
        self.d = [x * 2 for x in range(2)]


print(Box.__static_attributes__ == tuple(Box.__static_attributes__), sorted(Box.__static_attributes__), Box.__firstlineno__)
print([p.__default__ for p in Box.__type_params__], Box().b)


def snapshots(a):
    b = a * 2 + len(str(a))
    first = locals()
    b += 1
    second = locals()
    first["new"] = 1
    return first, second["b"] - first["b"], sorted(second)


print(snapshots(2))


def written(a):
    b = a + 1
    sys._getframe().f_locals["b"] = 10 * a
    return b


print(written(2))
