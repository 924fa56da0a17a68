# match: every kind of pattern, guards, what is bound, what is asked of the subject and when
import dataclasses
import enum


def log(x):
    print("log", x)
    return x


class Colour(enum.Enum):
    RED = 1 + 0
    BLUE = RED + 1


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0 * 1.0


class Odd:
    __match_args__ = ("first", "second")

    @property
    def first(self):
        print("first")
        return 1 + 1

    @property
    def second(self):
        print("second")
        return [1, 2 * 3]

    def __eq__(self, other):
        print("eq", other)
        return log(other == 7)

    __hash__ = None


def which(subject):
    match subject:
        case 0 | 1 | -1:
            return "small"
        case 1.5 | -2.5 | 1 + 2j | -3 - 1j:
            return "number"
        case "text" | b"bytes":
            return "text"
        case None | True | False:
            return "singleton"
        case Colour.RED | Colour.BLUE as colour:
            return f"colour {colour.name + '!'}"
        case []:
            return "empty"
        case [x] if log(x) and x * 2 > 4:
            return f"one {x + 1}"
        case [x, y] | (x, y, _) if (total := log(x) + y) > 3:
            return f"two {total * 2}"
        case [first, *middle, last] if middle + [last]:
            return f"many {first + last} {middle * 2}"
        case {"kind": "a", "value": int(value) | float(value)}:
            return f"mapping {value * 2}"
        case {"kind": kind, **rest} if rest:
            return f"mapping {kind + '!'} {sorted(rest)}"
        case {}:
            return "any mapping"
        case Point(x=0, y=0):
            return "origin"
        case Point(x, y=float() as y) if x - y:
            return f"point {x + y}"
        case Point():
            return "a point"
        case Odd(2, [_, six]) if six == 6 + 1:
            return "never"
        case Odd(first, second):
            return f"odd {first + 1} {second * 2}"
        case str() | bytes() as text:
            return f"other {text * 2}"
        case int() | float() as number:
            return f"number {number + 1}"
        case (_):
            return "anything"


subjects = [
    0, 1, -1, True, 1.5, -2.5, 1 + 2j, -3 - 1j, "text", b"bytes", None, Colour.RED, Colour.BLUE,
    [], [1], [3], [1, 2], (2, 3, 4), [1, 2, 3, 4], (0, 0), {"kind": "a", "value": 2},
    {"kind": "b", "more": 1}, {"kind": "c"}, {"z": 1}, Point(0, 0), Point(1, 2.0), Point(1, 2),
    Odd(), "abc", 10, 10.5, object,
]  # fmt: skip
for subject in subjects:
    print(which(subject))

match log(1) + log(2), [log(3)]:
    case (3, [y]) if log(y) == y * 1:
        print("module level", y * 2)
match = lambda x: x * 2
case = 3
print(match(case) + 1)


class Matching:
    match [n * 2 for n in range(3)]:
        case [_, *rest]:
            total = sum(rest) + 1
    del rest


print(Matching.total, [n for n in vars(Matching) if n[0] != "_"])
try:
    match 1:
        case Odd(1, 2, 3):
            pass
        case int(1, 2):
            pass
except TypeError as error:
    print(error)
