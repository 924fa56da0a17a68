# when objects die, and how many references they have
import gc
import sys
import weakref

gc.disable()
alive = []


class Thing:
    def __init__(self, name="thing"):
        self.name = name
        alive.append(weakref.ref(self))

    def __del__(self):
        print("died", self.name)

    def __add__(self, other):
        return Thing(self.name + "+")

    def __mul__(self, other):
        return 2.0

    def __iadd__(self, other):
        return Thing(self.name + "=")

    def __sub__(self, other):
        raise ValueError("minus")

    def __getitem__(self, index):
        return index

    def __setitem__(self, index, value):
        print("stored", index)

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1

    def __call__(self, other=None):
        return 3

    def __neg__(self):
        return -1

    def method(self, *args):
        return len(args)


def function():
    print("result", (Thing("a") + 1).name, Thing("b") * 2)
    print("after")
    Thing("number") * 2
    print("item")
    Thing("item")[0]
    print("compared")
    Thing("left") == Thing("right")
    print("called")
    Thing("called")(Thing("argument"))
    print("negative")
    -Thing("negative")
    print("method")
    Thing("method").method(Thing("x"))
    print("stored")
    Thing("base")[0] = Thing("value")
    print("in place")
    t = Thing("t")
    t += 1
    print("rebound")
    t = None
    print("caught")
    try:
        Thing("m") - 1
    except ValueError:
        print("in handler")
    print("nested")
    try:
        [Thing("n")][0].method(Thing("o") - Thing("p"))
    except ValueError as error:
        print("handler", error)
    print("comprehension", [Thing(str(n)) * n for n in range(2)])
    print("generator", sum(Thing(str(n)) * n for n in range(2)))
    print("condition", 1 if Thing("c") == 1 else 2)
    print("end")


function()
print("module")
print("result", (Thing("a") + 1).name, Thing("b") * 2)
Thing("item")[0]
Thing("left") == Thing("right")
Thing("called")(Thing("argument"))
Thing("base")[0] = Thing("value")
t = Thing("t")
t += 1
t = None
try:
    Thing("m") - 1
except ValueError:
    print("in handler")
try:
    [Thing("n")][0].method(Thing("o") - Thing("p"))
except ValueError:
    print("in handler")
print("comprehension", [Thing(str(n)) * n for n in range(2)])


class Body:
    Thing("item")[0]
    try:
        Thing("class") - 1
    except ValueError:
        print("in handler")


def suppressed():
    import contextlib

    with contextlib.suppress(ValueError):
        Thing("suppressed") - 1
    print("after suppress")
    for _ in range(2):
        try:
            Thing("looped") - 1
        except ValueError:
            continue
        finally:
            print("finally")
    print("after loop")


suppressed()
print([r() for r in alive if r() is not None], gc.garbage)


def counts():
    x = []
    print(sys.getrefcount(x), sys.getrefcount(x) + 1, (lambda v: sys.getrefcount(v))(x) - sys.getrefcount(x))
    y = x + [x]
    print(sys.getrefcount(x), sys.getrefcount(y))


counts()
items = []
print(sys.getrefcount(items))
weak = weakref.WeakValueDictionary()
weak["a"] = Thing("weak")
print(len(weak))
kept = weak["b"] = Thing("strong")
print(len(weak), weak["b"].name + "!")


def closure():
    thing = Thing("closed")
    return lambda: thing.name * 2


print(closure()())
proxy = weakref.proxy(kept)
print(proxy * 2, proxy[1 + 1], weakref.getweakrefcount(kept))
del kept
try:
    proxy + 1
except ReferenceError as error:
    print(error)


def passing():
    class Gone:
        pass

    gone = Gone()
    print([gone][0] is gone, str(gone)[:1] + "")
    return weakref.ref(Gone)


kind = passing()
gc.collect()
print(kind() is None)


class Last:
    def __del__(self):
        print("at the end", flush=True)


last = Last()
print(str(last)[:1])
