# annotations as text, and what is made of them
from __future__ import annotations

import dataclasses
import inspect
import typing

Number = typing.Union[int, float]
x: Number = 1 + 1
y: list[Number] | None
print(__annotations__)


def function(a: Number, *args: "x + 1", b: missing.name[1 + 2] = 1 + 1, **more: 3 * x) -> list[x * 2]:
    local: undefined + 1 = a * 2
    other: undefined
    (parenthesised): int = local + 1
    return [local, parenthesised]


class Class:
    a: Number = x * 2
    b: Class | None = None
    c: "typing.ClassVar[int]" = 1 + 1

    def method(self: Class, other: Class) -> Class:
        self.n: int = 1 + 1
        self.m[self.n - 2]: int = 5
        return self

    m = [0]


@dataclasses.dataclass
class Data:
    n: int = 1 + 1
    c: typing.ClassVar[int] = 2
    i: dataclasses.InitVar[int] = 3


print(function.__annotations__, function(2), Class.__annotations__, Class().method(1).m)
print(typing.get_type_hints(Class), typing.get_type_hints(Class.method), dataclasses.fields(Data)[0].type)
print(inspect.signature(function), [f.name for f in dataclasses.fields(Data)], Data())
