# try, finally, return, loops, with, conditions, chained comparisons, short circuits
import contextlib
import sys


def log(x):
    print("log", x)
    return x


def over_return(n):
    try:
        return log(n) + 1
    finally:
        print("finally", n * 2)
        if n > 1:
            return log(n) * 10


def in_loop():
    total = 0
    for i in range(5):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            total += i * 2
        except ValueError:
            pass
        else:
            total += log(i) + 1
        finally:
            total += 100 * i
    else:
        total = -1
    while total > 0:
        total -= log(150) * 2
        if total < -1000:
            break
    else:
        total -= 1
    return total


def swallowed():
    while True:
        try:
            return 1 / (log(1) - 1)
        finally:
            break
    return sys.exc_info()


def handled():
    try:
        try:
            log([])[0] + 1
        except (KeyError, IndexError) as error:
            name = type(error).__name__ + "!"
            raise ValueError(name * 2)
        finally:
            print(sys.exc_info()[0], 1 + 1)
    except ValueError as error:
        print(error, type(error.__context__).__name__)
        try:
            error
        finally:
            del error
    try:
        error
    except UnboundLocalError as unbound:
        print(unbound)


print(over_return(1), over_return(2), in_loop(), swallowed())
handled()


class Manager:
    def __init__(self, name, swallow=False):
        print("new", name)
        self.name, self.swallow = name, swallow

    def __enter__(self):
        print("enter", self.name)
        return self.name * 2

    def __exit__(self, kind, error, trace):
        print("exit", self.name, kind and kind.__name__, trace and trace.tb_lineno)
        return self.swallow


with Manager("a") as a, Manager("b" + "c", swallow=log(1) == 1) as (b, *c), Manager("d"):
    print(a + b, c)
    {}[log(1) + 1]
with (Manager("e") as e, Manager("f")):
    print(e)
with contextlib.suppress(ZeroDivisionError), contextlib.ExitStack() as stack:
    stack.callback(print, "callback", 1 + 1)
    stack.enter_context(Manager("g"))
    log(1) / (log(1) - 1)


class Chatty:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        print("lt", self.n, other)
        return self.n < getattr(other, "n", other)

    def __gt__(self, other):
        print("gt", self.n, other)
        return self.n > getattr(other, "n", other)

    def __eq__(self, other):
        print("eq", self.n)
        return NotImplemented

    def __bool__(self):
        print("bool", self.n)
        return bool(self.n)

    def __repr__(self):
        return f"Chatty({self.n})"


def conditions():
    one, two, none = Chatty(1), Chatty(2), Chatty(0)
    print(log(1) < log(2) < log(0) < log(5), 1 < log(3) == 3 != log(4) in [4] is not None)
    print(one < two < none < one, one == two, one != two, 3 > one, one in [two, one], one is two)
    print(none or one and two, not one, none and log(1) or log(2) + 1, one if none else two)
    print([log(1), log(2)][log(0) > 1 or log(1) == 1], (log(0) and 1 / 0) or "safe")
    print(1 if log(1) + 1 > 1 else log(2) / 0, (one or 1 / 0), not (none and 1 / 0))


conditions()
one, none = Chatty(1), Chatty(0)
print(one < log(2) < none < one, none or one and log(2) + 1, not one, log(1) < 2 < log(3))
assert log(1) + 1 == 2, log("never")
try:
    assert log(1) + 1 == 3, log("a message") * 2
except AssertionError as error:
    print(error)
if log(1) - 1:
    pass
elif (log(2) + 1) > 2:
    print("elif")
else:
    print("else")
for i, (j, *k) in enumerate([(1, 2, 3), (4, 5)]):
    print(i + j, k * 2)
for log.attribute in range(2):
    print(log.attribute + 1)
x = y = z = log([1]) + [2]
print(x is y is z, [1] < [2] < [3, *x])
pass
...
Ellipsis
if True: print(1 + 1); print(2 * 2)
lambda: (yield)
