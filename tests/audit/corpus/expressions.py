# expressions: f-strings, slices, numbers, texts, odd results of operators, long chains
import decimal
import fractions
import unittest.mock


def log(x):
    print("log", x)
    return x


def texts():
    x, width, table = 3.14159, 10, {"a": {"b": 2}}
    print(f"{x:.2f} {x!r:>{width + 2}} {x * 2 = :{width}.{width - 7}f} {table['a']['b'] + 1 = !s:>5}")
    print(f"{log(1) + 1}{{}}{log('q')!a}" f" and {'nested ' + f'{x + 1:.{width - 8}f}'}" rf"\n{x}" "plain")
    print(f"""{
        x + 1
    :.3f} {[v * 2 for v in range(3)]!r} {(lambda v: v + 1)(2)} { {"k": x * 2}["k"]:g}""")
    print("%s %d" % (x + 1, width * 2), "%(a)s" % {"a": 1 + 1}, b"%d" % (1 + 1), "a" "b" * 2, "a" + "b" < "b")
    print("{} {x[a]}".format(width + 1, x={"a": 1 + 1}), "-" * 3 + "=" * 2, 3 * "ab", b"a" + b"b", "abc"[-1] * 2)
    text = ""
    for i in range(20000):
        text += str(i)
    more = b""
    for i in range(100):
        more += b"x" * i
    return len(text), len(more)


print(texts())


class Index:
    def __getitem__(self, index):
        return index

    def __index__(self):
        return 2


def slices():
    i, values = Index(), list(range(10))
    print(i[1], i[1:2], i[::], i[1:2:3], i[:, 1], i[..., None], i[1:2, ::3], i[()], i[(1,)], i[1,], i[-1 + 2 :])
    print(values[1:-1][::2][-1], values[slice(1, 3)][0], values[i], values[: i : 1], [values][0][1] * 2)
    values[2:4] = values[5:7] + [1]
    values[::3] = [v * 2 for v in values[::3]]
    values[-1], values[0] = values[0], values[-1]
    del values[1:3], values[-1]
    print(values, (1, 2, 3)[1:], "text"[::-1], {(1, slice): 2}[1, slice] + 1, i[*[1, 2], 3], i[*values[:2]])
    table = {}
    table[1, 2] = table[(3, 4)] = 1 + 1
    table[1, 2] += 1
    table["k"] = [0] * 3
    table["k"][1:] = [5 + 1, 7]
    table["k"][0] -= 1
    print(table)


slices()


def numbers():
    print(1_000 + 0x1F * 0b11 - 0o17, 1e3 / 3, 1j * 1j, -2**2, (-2) ** 2, 2**-1, --1, ~5, +True, not 0, -0.0)
    print(7 // -2, 7 % -2, -7 // 2, divmod(-7, 2), 2 ** 3 ** 2, 1 << 10 >> 2 & 0xF | 3 ^ 1, 10**20 + 1, 0.1 + 0.2)
    print(complex(1, 2) * 3 - 1j, abs(3 + 4j), (1 + 2j).real + (1 + 2j).imag, 1 == 1.0 == True, float("nan") == float("nan"))
    print(decimal.Decimal("1.1") + 1, fractions.Fraction(1, 3) * 2 + 1, round(2.5) + round(-1.5), 5 .real + 5..imag)
    print(True + True, None is None, ... is Ellipsis, () + (1,), [1] * 2 + [2], {1} | {2}, {"a": 1} | {"b": 2}, {1, 2} - {1})
    print(1 if [] else 2 + 3, (1, 2) < (1, 3), [1, 2] == [1, 2] != [3], "a" in "abc" and "x" not in "abc", 1 < 2 > 0)


numbers()


class Array:
    """Compares as arrays do, and has no truth."""

    def __init__(self, name="array"):
        self.name = name

    def __eq__(self, other):
        return Array(f"({self.name} == {other})")

    __hash__ = None

    def __ne__(self, other):
        return [self.name, other]

    def __bool__(self):
        raise ValueError("no truth")

    def __repr__(self):
        return self.name

    def __mul__(self, other):
        return NotImplemented

    def __rmul__(self, other):
        return Array(f"{other} * {self.name}")

    def __neg__(self):
        return None

    def __pos__(self):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Array(f"{self.name}.{name}")

    def __call__(self, *args, **kwargs):
        return Array(f"{self.name}({args}, {kwargs})")


def odd():
    a = Array()
    print(a == 1, a != 2, 3 * a, -a, +a is a, a.dtype, a.dtype.name == "f", a.T, a.real.x(1 + 1, k=a)(2))
    for wrong in (lambda: a * 2, lambda: (a == 1) and 2, lambda: 1 < a < 2, lambda: a @ a, lambda: ~a, lambda: a[0] + 1):
        try:
            wrong()
        except (TypeError, ValueError) as error:
            print(error)
    mock = unittest.mock.MagicMock(name="mock")
    mock.real + 1
    mock[1 + 1] = mock.a(1 + 1, b=mock.T) * 2
    mock.x += 1
    mock[0] += mock == 2
    -mock.shape[0]
    print([(c[0], len(c.args)) for c in mock.mock_calls], mock.call_count)


odd()
a = Array("module")
print(a == 1, a != 2, 3 * a, -a, +a is a, a.dtype.name == "f", a.T, (a == 1) is True)
chain = eval("+".join(["a_" + str(i % 7) for i in range(1000)]), {f"a_{i}": i for i in range(7)})
print(chain)
print([lambda: 0, lambda x, *y, k=1 + 1, **z: (x + k, y, z)][1](1, 2, 3, m=4 * 2), (lambda: (yield 1))().__next__())
