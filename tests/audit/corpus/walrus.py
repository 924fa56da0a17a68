# assignment expressions, wherever they may stand, and operands that they change in between
def log(x):
    print("log", x)
    return x


def in_function():
    x = 1
    print(x + (x := 10) + x, (x := x + 1) * x, [x := 2, x + 1, (x := x * 3)])
    print((y := f"{(z := 3) + 1}") + y * z, y[(i := 1) - 1 : (j := i + 1)], i, j)
    if (n := log(4)) > 3 and (m := n - 4) == 0:
        print(n * m)
    while (n := n - 1) > 0:
        print("while", n)
    print([last := v * 2 for v in range(3)], last, any((w := v) * 2 > 2 for v in range(4)), w)
    print({(k := v): (u := v + k) for v in range(2)}, k, u)
    total = 0
    print([total := total + v for v in range(5)], total)
    print((lambda p, q=(d := 5): (r := p + q) * r + d)(1), log(a := 1) + a)
    table = {}
    table[(key := "a") + "b"] = (value := "v" * 2) + value
    table[(key := "c")] = 1
    table[key] += (key := 5) + 1
    print(table, key, value)
    assert (checked := x) == x, (message := "no")
    with (holder := Holder()) as held:
        print(held is holder, checked)
    return (result := x) + result


class Holder:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    size = (width := 2) * width


x = 1
print(x + (x := 10) + x, (x := x + 1) * x, [x := 2, x + 1, (x := x * 3)])
print(in_function(), Holder.size, Holder.width)
print([last := v * 2 for v in range(3)], last)
print([[inner := a * b for b in range(2)] for a in [c + 1 for c in range(2)]], inner)
if any((found := v) ** 2 > 10 for v in range(10)):
    print(found + 1)
x = [1, 2, 3]
i = 1
x[(i := 0)], x[i + 1] = x[i + 1], x[(i := 0)]
print(x, i, (x := x + [i]), x)


def counter():
    n = 0

    def step():
        nonlocal n
        n += 1
        return n

    # a name that a call changes while it is an operand
    return n + step() * 10 + n + step() * (n := 100) + n


print(counter())


def removes():
    global gone
    gone = 5

    def remove():
        global gone
        del gone
        return 1

    return gone * remove()


print(removes())


def removes_by_name():
    globals()["lost"] = 5
    return lost + globals().pop("lost") * 2


print(removes_by_name())
