# what Python 3.12 has: type aliases, generic functions and classes, quotes in f-strings
import typing

type Pair[T] = tuple[T, T]
type Numbers = list[int | Numbers]


def first[T: (int, str), *Ts, **P](x: T, *more: *Ts, n: int = 1 + 1) -> T:
    local = x * n
    return local + [x, x][0]


class Box[T](list[T], metaclass=type):
    size: T = 1 + 1
    type Inner = dict[str, T]

    def get[U](self, default: U = 2 * 3) -> T | U:
        return (self[0] if self else default) * 2 + super().__len__()

    values = [x * 2 for x in range(size)]


class Odd[T](dict(a=list)["a"]):
    pass


def outer(k):
    class Local[T](Box[T]):
        total = k + 1
        twice = [k * n for n in range(2)]

        def method[V](self, v: V = k * 2) -> V:
            return v + k

    type Alias = Local[int]
    return Local().method(), Local.total, Local.twice, Alias.__value__.__name__


print(first(2), first("a"), first.__type_params__, Pair.__value__, Numbers.__value__, Pair[int])
print(Box([3]).get(), Box().get(), Box.values, Box.__type_params__, Box.Inner.__value__, outer(2))
print(f"{'a' + "b" * 2!r:>{"10"}} {f"{f"{1 + 1}"}"} {"\n".join(["x", "y"])} {[
    1 + 1,  # a comment
]}")
x = 3
print([x * y for x in range(2) for y in [x + 1]], x, [(lambda: x + i)() for i in range(2)])


class Comprehended:
    x = 5
    values = [x for _ in range(1)] if False else [locals().get("x", 0) + k for k in range(2)]


print(isinstance(Comprehended.values, list), typing.get_type_hints(first))


def inlined(n):
    before = sorted(locals())
    squares = [v * v + n for v in range(n)]
    return before, sorted(locals()), [sorted(locals()) for v in range(1)], squares


print(inlined(2))
