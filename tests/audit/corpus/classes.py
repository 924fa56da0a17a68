# classes: private names, super, metaclasses, hooks, descriptors, slots, data classes, enums
import abc
import collections
import dataclasses
import enum
import functools
import typing


def log(x):
    print("log", x)
    return x


class Namespace(dict):
    """A class body's namespace that tells whoever reads it."""

    def __getitem__(self, key):
        value = super().__getitem__(key)
        print("read", key)
        return value

    def __setitem__(self, key, value):
        print("write", key)
        super().__setitem__(key, value)


class Meta(type):
    @classmethod
    def __prepare__(meta, name, bases, **options):
        print("prepare", name, sorted(options))
        return Namespace()

    def __new__(meta, name, bases, namespace, **options):
        return super().__new__(meta, name, bases, dict(namespace))

    def __init__(cls, name, bases, namespace, **options):
        super().__init__(name, bases, namespace)
        cls.order = [n for n in namespace if n[0] != "_"]

    def __call__(cls, *args):
        made = super().__call__(*args)
        print("made", cls.__name__)
        return made

    def __add__(cls, other):
        return cls.__name__ + other.__name__

    def __getitem__(cls, key):
        return f"{cls.__name__}[{key}]"


class Told(metaclass=Meta, option=1 + 1):
    a = 1
    b = a + a * 2
    c = [a, b][a] - b
    a += b
    table = {}
    table["x"] = a + b
    table["x"] += b * 2
    d = log(a) + a
    e = (a < b) + len([a, b])
    del c

    def method(self):
        return super().__repr__()[:1] + "!"

    class Inner:
        z = 1 + 1


print(Told.order, Told.b, Told.table, Told() and Told + Told, Told[1 + 1], Told().method())


class Odd(type):
    """A metaclass whose classes compare, and have no hash."""

    def __eq__(cls, other):
        print("compared")
        return True


class Unhashable(metaclass=Odd):
    def __add__(self, other):
        return self

    def __getitem__(self, i):
        return self

    def __eq__(self, other):
        return self

    def __repr__(self):
        return "Unhashable"


def unhashable():
    u = Unhashable()
    u += 1
    u[0] if u[1] == u else 2
    return (u + 1)[0], u == 1, [u][0], (lambda: u)()


print(unhashable(), (Unhashable() + 1)[0], Unhashable() == 1)


class Private:
    __size = 1 + 1
    __slots__ = ("__value", "other")

    def __init__(self, value):
        self.__value = value * self.__size
        self.__value += self.__size + 1
        self.other = __name = self.__value * 2
        print(sorted(locals()), __name + 1)

    def __twice(self):
        return self.__value * 2

    def get(self):
        try:
            return self.__twice() + self.__missing
        except AttributeError as error:
            return str(error)

    @staticmethod
    def __helper(__x, *, __y=2):
        return __x * __y

    def use(self):
        return self.__helper(3) + self.__helper(4, _Private__y=1 + 4)


p = Private(3)
print(p.get(), p.use(), p.other, p._Private__value, hasattr(p, "__dict__"))


class Base:
    registry = []

    def __init_subclass__(cls, /, weight=1, **more):
        super().__init_subclass__(**more)
        cls.weight = weight * 2
        Base.registry += [cls.__name__]

    def __class_getitem__(cls, item):
        return cls.__name__ + str(item)

    def size(self):
        return 1

    @classmethod
    def make(cls):
        return cls()

    @property
    def area(self):
        return self.size() * 2

    @area.setter
    def area(self, value):
        print("set", value)

    @area.deleter
    def area(self):
        print("deleted")


class Child(Base, weight=2 + 1):
    def size(self):
        return super().size() + super(Child, self).size() * 3

    @classmethod
    def make(cls):
        return super().make()

    @property
    def area(self):
        return super().area + 1

    def through(self):
        return [super(Child, self).size() + n for n in range(2)], (lambda: super(Child, self).size() + 1)()

    def where(self):
        return __class__.__name__ + "!"


child = Child.make()
print(child.size(), child.area, Child.weight, Base.registry, Base[1 + 1], child.through(), child.where())
b = Base()
b.area += 1 + 1
del b.area


class Descriptor:
    def __set_name__(self, owner, name):
        print("named", owner.__name__, name)
        self.name = name

    def __get__(self, instance, owner=None):
        print("get", self.name)
        return instance.__dict__.get(self.name, 1) if instance is not None else self

    def __set__(self, instance, value):
        print("set", self.name, value)
        instance.__dict__[self.name] = value

    def __delete__(self, instance):
        print("delete", self.name)


class Described:
    value = Descriptor()
    real = Descriptor()

    def __getattr__(self, name):
        print("getattr", name)
        return 2

    @functools.cached_property
    def cached(self):
        return self.value * log(3)


d = Described()
d.value += 2 + 3
d.value = d.value * d.missing + d.real
d.real -= 1
del d.value
print(d.value, d.cached + d.cached, vars(d), Described.value.name + "!")


@dataclasses.dataclass(order=True, frozen=True, slots=True)
class Data:
    x: int
    y: float = 1.5 * 2
    z: list = dataclasses.field(default_factory=lambda: [1] * 2, compare=False)

    def __post_init__(self):
        object.__setattr__(self, "x", self.x + 1)


print(Data(1), Data(1) < Data(2), Data(1, 2) == Data(1, 2), dataclasses.replace(Data(1), x=5), hash(Data(1)) == hash(Data(1)))
try:
    Data(1).x = 2 + 2
except dataclasses.FrozenInstanceError as error:
    print(error)


class Weekday(enum.IntEnum):
    MONDAY = 1
    TUESDAY = MONDAY + 1
    _ignore_ = ["n"]
    n = 5 * 2

    def next(self):
        return Weekday((self + 1) % 3 or 1)


class Flag(enum.Flag):
    A = enum.auto()
    B = enum.auto()
    BOTH = A | B
    ALL = BOTH | 4


print(list(Weekday), Weekday.MONDAY.next(), Weekday.TUESDAY + 1, Flag.A | Flag.B, Flag.BOTH & ~Flag.A, list(Flag))


class Named(typing.NamedTuple):
    a: int
    b: int = 2 * 3

    def total(self):
        return self.a + self.b


print(Named(1), Named(1).total(), Named(1) + (3,), Named(2)[0] * 2, Named(1)._replace(a=1 + 1))


class Abstract(abc.ABC):
    @property
    @abc.abstractmethod
    def n(self): ...


try:
    Abstract()
except TypeError as error:
    print(error)


class Operators:
    def __init__(self, name):
        self.name = name

    def __getattr__(self, name):
        raise AttributeError(name)

    def __repr__(self):
        return self.name

    def __contains__(self, item):
        return bool(log(item))

    def __invert__(self):
        return Operators("~" + self.name)

    def __matmul__(self, other):
        return NotImplemented

    def __rmatmul__(self, other):
        return Operators(f"({other!r} @ {self.name})")

    def __imatmul__(self, other):
        return NotImplemented

    def __divmod__(self, other):
        return self.name, other

    def __pow__(self, other, modulo=None):
        return self.name, other, modulo

    def __ior__(self, other):
        print("ior", other)
        return 5

    def __delitem__(self, index):
        print("delitem", index)

    def __setitem__(self, index, value):
        print("setitem", index, value)

    def __getitem__(self, index):
        print("getitem", index)
        return self


a, b = Operators("a"), Operators("b")
print(1 in a, ~a, 2 @ a, divmod(a, 1), pow(a, 2, 3), a**2)
b |= 3 + 4
print(b)
del a[1:2, ..., 1 + 2]
a[1:2, ::3, ..., None] = a[1 + 1 :]
a[1:2] |= 1
a[..., 0] |= a[0] ** 1
try:
    a @ None
except TypeError as error:
    print(error)
try:
    a @= Operators
except TypeError as error:
    print(error)
print(collections.namedtuple("N", "x y")(1, 2)[1] * 2, type("Made", (Base,), {"n": 1 + 1}, weight=4).weight)
