# generators: send, throw, close, yield from, and what is left of them
import inspect
import sys
import traceback


def log(x):
    print("log", x)
    return x


def counter(n):
    total = 0
    try:
        while True:
            try:
                got = yield total * 2
                total += log(got) + (yield total + 1)
            except ValueError as error:
                print("caught", error, total)
                total = -total
    finally:
        print("closed", total)


c = counter(3)
print(next(c), c.send(4), c.send(5), c.throw(ValueError("x")), c.send(2))
c.close()


def outer():
    result = (yield from inner(log(1) + 1)) * 2
    print("result", result)
    return result + (yield from inner(5))


def inner(n):
    got = yield n * 2
    print("got", got)
    return n + (got or 0)


o = outer()
try:
    print(next(o), o.send(10), o.send(20))
except StopIteration as stop:
    print("stop", stop.value)


def failing():
    yield 1 + 1
    yield 1 / 0 + 1


for function in (
    lambda: list(failing()),
    lambda: [x * 2 for x in failing()],
    lambda: sum(x for x in failing()),
):
    try:
        function()
    except ZeroDivisionError:
        traceback.print_exc()

g = (log(x) * 2 + y for x in range(log(3)) for y in [log(x) - 1, x**2] if y + 1 > 0)
print(next(g), next(g), inspect.getgeneratorstate(g))
print(list(g))

# several generators of one expression, taken in turns
gens = [(a * b + log(a * 10) * b for a in range(3)) for b in (1, 2)]
print([(next(gens[0]), next(gens[1])) for _ in range(3)])


def nest(depth):
    return (x + sum(nest(depth - 1)) * x for x in [1, 2]) if depth else iter([1])


print(list(nest(3)))


def shared(values):
    gens = []
    for v in values:
        gens.append((x * 2 + (next(gens[x - 1], 0) if 0 < x < v else v) * x for x in range(v)))
    return [list(g) for g in reversed(gens)]


print(shared([1, 2, 3]))


def delegate():
    try:
        yield from failing()
    except ZeroDivisionError:
        print("delegated", sys.exc_info()[0])
        return "done" + "!"


d = delegate()
print(next(d))
try:
    next(d)
except StopIteration as stop:
    print(stop.value)


class Iterated:
    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n > 3:
            raise StopIteration
        return self.n * log(self.n)


first, *rest = Iterated()
print(first, rest, dict(enumerate(Iterated())), max(Iterated()) + 1)


def not_started():
    yield 1


n = not_started()
try:
    n.send(1 + 1)
except TypeError as error:
    print(error)
try:
    n.throw(KeyError("k" * 2))
except KeyError as error:
    print(error, n.gi_frame)


def returns_in_finally():
    try:
        yield 1 + 1
        return 2 * 3
    finally:
        yield 4 + 1


print(list(returns_in_finally()))


def leaks():
    try:
        yield 1
    except GeneratorExit:
        yield 2


k = leaks()
next(k)
try:
    k.close()
except RuntimeError as error:
    print(error)
print((lambda: (yield))().send(None), [*map(lambda v: v + 1, (i * i for i in range(3)))])
