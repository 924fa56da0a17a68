# assignments of every form, with side effects, in the order of their evaluation
import traceback


def log(x):
    print("log", x)
    return x


class Logged:
    def __init__(self, name):
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "data", {})

    def __getattr__(self, name):
        print("getattr", self.name, name)
        return self.data.setdefault(name, 1)

    def __setattr__(self, name, value):
        print("setattr", self.name, name, value)
        self.data[name] = value

    def __delattr__(self, name):
        print("delattr", self.name, name)

    def __getitem__(self, index):
        print("getitem", self.name, index)
        return self.data.setdefault(str(index), 1)

    def __setitem__(self, index, value):
        print("setitem", self.name, index, value)
        self.data[str(index)] = value

    def __delitem__(self, index):
        print("delitem", self.name, index)


class InPlace:
    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        print("add", other)
        return InPlace(self.n + other)

    def __radd__(self, other):
        print("radd", other)
        return InPlace(self.n - other)

    def __imul__(self, other):
        print("imul", other)
        self.n *= other
        return self

    def __isub__(self, other):
        print("isub", other)
        return "replaced"

    def __ipow__(self, other):
        return NotImplemented

    def __pow__(self, other):
        return f"power {other}"

    def __repr__(self):
        return f"InPlace({self.n})"


box = Logged("box")


def which(name):
    print("which", name)
    return box


box.a = log(1) + 1
which("store")[log("i")] = log(2) * 2
which("slice")[log(1) : log(2) + 1 : log(3)] = log(4) - 1
which("tuple")[log(1), log(2) :, ..., None] = log(5) + 1
which("attribute").b = log(6) * 1
which("in place")[log("i") + "!"] += log(7) * 2
which("in place slice")[log(1) : log(2)] -= log(8) * 2
which("in place tuple")[log(1) :, log(2)] *= log(9) + 1
which("in place attribute").c += log(10) * 2
which("nested").d, which("list")[log(0) + 1], [x, *y] = log(1) + 1, log(2) * 2, [3, *[4, 5]]
first = which("chain").e = which("chain")[log("k")] = log(11) + 1
(box.f), [box[log(1)]] = 1 + 1, [2 * 2]
for box.g, box[log(2) + 1] in [(1, 2), (3, 4)]:
    pass
with open("/dev/null") as box.h:
    box.h
del which("del").a, which("del")[log(1) + 1], which("del")[log(1) : log(2)]
print(x, y, first)


def in_function():
    box = Logged("inner")
    which = lambda name: print("which", name) or box
    box.a = log(1) + 1
    which("store")[log("i")] = log(2) * 2
    which("slice")[log(1) : log(2) + 1 : log(3)] = log(4) - 1
    which("tuple")[log(1), log(2) :, ..., None] = log(5) + 1
    which("in place")[log("i") + "!"] += log(7) * 2
    which("in place slice")[log(1) : log(2)] -= log(8) * 2
    which("in place tuple")[log(1) :, log(2)] *= log(9) + 1
    which("in place attribute").c += log(10) * 2
    first = which("chain").e = which("chain")[log("k")] = log(11) + 1
    box[log(1)][log(2) + 1 :] if False else None
    a, (b, *c), *d = log(1), [log(2) + 1, 3, 4], *[5, 6], log(7)
    del which("del").a, which("del")[log(1) + 1], a
    print(b, c, d, first)
    value = InPlace(1)
    same = value
    value *= log(2) + 1
    print(value is same, value)
    value += log(3) * 2
    print(value is same, value)
    value **= 2
    print(value)
    holder = {"v": InPlace(5)}
    holder["v"] *= 2
    holder["v"] -= 1
    print(holder)
    number = 1
    number += InPlace(log(3))
    number -= log(1)
    print(number)
    items = [1, 2, 3]
    alias = items
    items += [log(4) + 1]
    items[1:2] += [log(5) * 2]
    items[0] += 1
    items *= 2
    print(alias, alias is items)
    pair = ([1], 2)
    try:
        pair[0] += [log(6)]
    except TypeError as error:
        print(error, pair)
    text = "a"
    text += "b" * log(2)
    text *= 2
    flags = 6
    flags |= 1; flags &= ~2; flags ^= 8; flags <<= 2; flags >>= 1; flags //= 2; flags %= 7; flags **= 2; flags /= 2
    print(text, flags)


in_function()
value = InPlace(1)
same = value
value *= log(2) + 1
print(value is same, value)
value -= 1
value += "!" * log(2)
print(value)
pair = ([1], 2)
try:
    pair[0] += [log(6)]
except TypeError as error:
    print(error, pair)
count = 1


def outer():
    total = 1

    def inner():
        nonlocal total
        global count, new
        total += log(1) * 2
        count += log(2) * 2
        count *= total
        new = count + 1
        new -= 1
        return total

    return inner() + total, count


print(outer(), count, new)


def unbound():
    try:
        missing += log(1) + 1
    except UnboundLocalError as error:
        print(error)
    try:
        log(2) + later
    except UnboundLocalError as error:
        print(error)
    later = 1
    del later
    try:
        later * 2
    except UnboundLocalError as error:
        print(error)


unbound()
try:
    undefined += log(1) + 1
except NameError:
    traceback.print_exc()


class Body:
    count += 1
    items = [count]
    items += [count * 2]
    items[0] -= log(1)
    box.z += items[1] * 2
    global from_class
    from_class = 1 + 1
    from_class += 2


print(Body.count, count, Body.items, from_class, vars(Body).keys() - vars(InPlace).keys())


def again(n):
    # the same places, run while they run
    class Local:
        table = {"a": n, "b": [n]}
        table["a"] += (again(n - 1) if n else 0) + 1
        table["b"] += again_list(n - 1) if n else [0]
        table["b"][0] -= len(str(again(n - 1) if n else 0)) + n

    return Local.table["a"] + Local.table["b"][0]


def again_list(n):
    return [again(n) + 1]


print(again(3))


# several targets, parts of values among them: what comes first is there for what comes later
at, items = 0, [0] * 4
at, items[at] = log(1), log(7)
items[0], box[log("of")], *rest = iter((1, 2, 3, 4))
(items[1], second), *box[at + 1] = (log(8), 9), 3, 4
items[0], items[1] = items[1], items[0]
third = which("one")[log(3)] = items[2] = log(5) + 1
try:
    items[0], which("left alone")[1] = log(1), 2, 3
except ValueError as error:
    print(error)
for at, items[at] in enumerate("abc"):
    print(at, items)
for box[log("for")] in range(2):
    pass
else:
    print(at, items, rest, second, third)


def several(items, at=0):
    at, items[at] = log(1), log(7)
    items[0], box[log("of")], *rest = iter((1, 2, 3, 4))
    (items[1], second), *box[at + 1] = (log(8), 9), 3, 4
    items[0], items[1] = items[1], items[0]
    third = which("one")[log(3)] = items[2] = log(5) + 1
    for at, (items[at], last) in enumerate(["ab", "cd"]):
        print(at, items, last)
    print(rest, second, third)
    (
        items[0],
        [box["l"], items[9]],
    ) = (
        log(1),
        (2, 3),
    )


try:
    several([0] * 4)
except IndexError:
    traceback.print_exc()


class Swapped:
    pair = [1, 2]
    pair[0], pair[1] = pair[1], pair[0]


print(Swapped.pair, sorted(vars(Swapped))[-1], [name for name in globals() if name[0] == "@"])
