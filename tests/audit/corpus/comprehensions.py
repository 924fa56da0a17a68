# comprehensions: nested, in functions, classes, modules, lambdas in what they run over, scopes
import inspect


def log(x):
    print("log", x)
    return x


k = 2
print([x * y for x in range(log(3)) for y in range(x + k) if x + y != log(2)])
print([[x * y + k for x in [z + 1 for z in range(y)]] for y in range(3)])
print({x + k: [y * k for y in (x, x + 1)] for x in [1, 2]}, {x % k for x in range(5)})
print(sorted(x**k for x in (y + 1 for y in (z * 2 for z in range(3)))))
print([f(2) for f in [lambda v, n=n: v * n + k for n in range(3)]])
print([(lambda a: a + k)(x) for x in map(lambda b: b * log(k), [1, 2])])
print(list(map(lambda x: [x * y for y in (lambda z: [z + x, z * 2])(x)], [1, 2])))
print([x for x in [1, 2, 3] if x * 2 > k if x + 1 < 4], [*range(k)], {**{str(k + 1): k}}, (*"ab",))
print([a + b[0] for a, *b in [(1, 2, 3), (4, 5)]], [t[0] + 1 for t[0] in [3, 4]] if (t := [0]) else 0)


def function(n):
    squares = [x * x + n for x in range(n)]
    inner = [lambda: x * n + len(squares) for x in squares]
    nested = [[i * j + n for j in range(i + n)] for i in range(n)]
    lazily = (x * f() for x, f in zip(squares, inner))
    print(sorted(locals()), [sorted(locals()) for x in range(1)] if False else "")
    return squares, [f() for f in inner], nested, list(lazily), sum(n * v for v in squares) * 2


print(function(3))


class Body:
    n = 3
    from_iterable = [x * 2 for x in range(n + 1)]
    try:
        hidden = [x * n for x in range(n)]
    except NameError as error:
        print(error)
    lambdas = [lambda self, i=i: i * 2 + self.n for i in range(n * 1)]
    nested = [[x + y for x in range(2)] for y in [z * 2 for z in range(n - 1)]]


print(Body.from_iterable, [f(Body) for f in Body.lambdas], Body.nested)


def recursive(n):
    return [x * y for x in range(n + 1) for y in recursive(n - 1)] if n else [1, 2]


print(recursive(3))


def deep(n):
    # an expression in a comprehension in itself, and in what a class runs over
    class Local:
        values = [x + y * n for x in (deep(n - 1) if n else [1]) for y in (lambda: deep(0) if n else [2])()]
        total = sum(values) + n
        total += sum(deep(n - 1)) * 2 if n else 0

    return [*Local.values, Local.total]


print(deep(2))


def generator_in_generator(values):
    return sum(x * sum(x + y for y in values if y * 2 != x) for x in (v + 1 for v in values))


print(generator_in_generator([1, 2, 3]))
x = "outer"
print([x for x in range(2)], x, [(x, y) for x in [1] for y in [x + 1]])
print([i for i in inspect.signature(function).parameters], [c for c in "abc"][::-1])
print([{"a": [q + 1 for q in range(p)]}["a"] for p in range(3)][-1][0] * 2, [[] for _ in range(2)])
print(all(a < b for a, b in zip([1, 2], [2, 3])), [not a for a in [0, 1]], [-a for a in [0, 1]])
