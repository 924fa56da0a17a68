# decorators and defaults: in which order they run, and on what
import functools
import inspect


def log(x):
    print("log", x)
    return x


def deco(name, *more):
    print("deco", name, more)

    def decorate(f):
        print("decorate", name, f.__name__)

        @functools.wraps(f)
        def wrapped(*args, **kwargs):
            print("call", name)
            return f(*args, **kwargs)

        return wrapped

    return decorate


@deco("a" + "b", 1 * 2)
@(lambda f: f)
@deco("c")
def function(a, b=log(1) + 1, /, c=log(2) * 2, *args, d, e=log(3) - 1, **kwargs):
    """Its docstring."""
    return a + b * c, args, d - e, kwargs


print(function(1, d=2), function(1, 2, 3, 4, *[5, 6], d=7, **{"x": 8, "y": log(9) + 1}))
print(inspect.signature(function), function.__doc__, function.__wrapped__.__defaults__, function.__name__)


@[deco("in a list")][len("a") - 1]
class Decorated:
    @staticmethod
    def static(x=log(1) + 1):
        return x * 2

    @classmethod
    def of_class(cls, x):
        return cls.__name__ * x

    @property
    @functools.lru_cache
    def prop(self):
        return log(1) + 1

    @prop.setter
    def prop(self, value):
        print("set", value)

    @functools.singledispatchmethod
    def dispatched(self, x):
        return "any", x * 2

    @dispatched.register
    def _(self, x: int):
        return "int", x + 1


d = Decorated()
print(d.dispatched(1), d.dispatched("a"), d.__class__.static())


def calls(*args, **kwargs):
    print(args, kwargs)
    return args


class Mapping:
    def keys(self):
        print("keys")
        return ["k1", "k2"]

    def __getitem__(self, key):
        print("item", key)
        return key + "!"


def stars():
    print("iterated")
    yield log(1)
    yield log(2)


calls(*stars(), log(3) + 1, *stars(), a=log(4) * 2, **Mapping(), b=log(5), **{"c": log(6) + 1})
print(*stars(), *calls(*[log(7)] * 2), sep=log("-") * 2, end=log("!") + "\n")
for wrong in (
    lambda: calls(**{"a": 1}, **{"a": log(2) + 1}),
    lambda: calls(*1 + log(1)),
    lambda: calls(**[1] * 2),
    lambda: function(log(1)),
    lambda: function(a=log(1) + 1, d=2),
    lambda: (lambda: 0)(log(1) + 2, x=2),
):
    try:
        wrong()
    except TypeError as error:
        print(error)
f = functools.partial(calls, 1 + 1, x=2 * 2)
f(3, y=4)
print(functools.reduce(lambda a, b: a * 10 + b, [1, 2, 3]), sorted([3, 1, 2], key=lambda v: -v))
