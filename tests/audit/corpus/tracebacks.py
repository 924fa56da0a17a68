# each kind of operation fails, and the traceback of each is printed: frames, lines and carets
import sys
import traceback


class Odd:
    def __add__(self, other):
        raise ValueError("added")

    def __iadd__(self, other):
        raise ValueError("added in place")

    def __getitem__(self, index):
        raise ValueError(f"item {index}")

    def __setitem__(self, index, value):
        raise ValueError(f"store {index}")

    def __neg__(self):
        raise ValueError("negative")

    def __lt__(self, other):
        raise ValueError("less")

    def __call__(self, *args, **kwargs):
        raise ValueError("called")

    def __bool__(self):
        raise ValueError("truth")

    @property
    def real(self):
        raise ValueError("attribute")

    def __format__(self, spec):
        raise ValueError("formatted")

    def __hash__(self):
        raise ValueError("hashed")


odd, one, nothing, table = Odd(), 1, None, {"a": {"b": [1, 2]}}


def tell(function):
    try:
        function()
    except Exception as error:
        traceback.print_exc()
        frames = traceback.extract_tb(error.__traceback__)
        print([(f.name, f.lineno, f.end_lineno, f.colno, f.end_colno, f.line) for f in frames])


def binary():
    return one + (one * nothing) + one


def nested():
    return (one + one) * (one / (one - one)) ** (one + one)


def unary():
    return one + -odd


def compared():
    return one + one < (one, 2)


def compared_odd():
    return [one] == [one] and odd < one * 2


def chained():
    return 0 <= one < 2 <= one + "2"


def subscript():
    return table["a"]["b"][one + 5] + 1


def slices():
    return table["a"]["b"][one:"x":one] + 1


def key():
    return table["a"]["c"]["d"] * 2


def called():
    return str(int(float("x" + str(one)) + 1) + 1)


def arguments():
    return divmod(one + one, one - one) + divmod(*[one, 0], **{})


def too_many():
    return tell(one, two := 2, *[3], four=4)


def method():
    return "abc".index("z" * one) + one


def chain_of_methods():
    return (
        "abc".upper()
        .lower()
        .center(
            one + 5,
            "too long" * one,
        )
        .strip()
    )


def attribute():
    return one + odd.real + one


def no_attribute():
    return one + one.missing.real + one


def truth():
    return odd and one + 1


def truth_of_result():
    return (one + one) if odd else one


def in_place():
    number = one
    number += number * nothing
    return number


def in_place_odd():
    value = odd
    value += one + one


def in_place_unbound():
    unbound += one + one


def in_place_attribute():
    odd.missing += one * one


def in_place_item():
    table["a"]["b"][one + one] += one * one


def in_place_item_odd():
    odd[one : one + 1] += one * one


def store():
    odd[one + one] = one * one


def store_slice():
    table["a"]["b"][one + one : nothing : one] = one * one


def store_value():
    table["a"]["b"][one] = one * nothing


def unpack():
    first, second = table["a"]["b"] + [one + 1]


def unpack_starred():
    first, *rest, last = table["z" * 0]


def delete():
    del table["a"]["b"][one + one * 8]


def generator():
    return sum(one / (n - 2) for n in range(4 * one))


def comprehension():
    return [n * 2 for n in [3 / (m - 1) + one for m in range(3)] if n + one]


def comprehension_of_set():
    return {n + one: {odd for _ in range(one)} for n in range(2)}


def function_in_lambda():
    return (lambda n: n + (lambda m: m / 0)(n + 1))(one)


def text():
    return f"{one + 1:{one + 5}d} {one / 0 + 1!r:>{one}}"


def text_odd():
    return f"{one} {odd:{one + 1}} {one + 2}"


def asserted():
    assert one + one == 3, f"it is {one + one}"


def raised():
    raise ValueError("raised", one + one) from KeyError(one * 2)


def raised_while_handling():
    try:
        one / 0 + 1
    except ZeroDivisionError:
        one + nothing * 2


def chained_from():
    try:
        table["x"] + one
    except KeyError as error:
        raise RuntimeError(one + 2) from error


def not_chained():
    try:
        table["x"] + one
    except KeyError:
        raise RuntimeError(one + 2) from None


def grouped():
    caught = []
    for function in (binary, key):
        try:
            function()
        except Exception as error:
            caught.append(error)
    raise ExceptionGroup("both", [*caught, ExceptionGroup("deeper", [OSError(one + 1)])])


def grouped_and_sorted():
    try:
        grouped()
    except* TypeError as group:
        print("type", group.exceptions)
    except* KeyError as group:
        print("key", [type(e).__name__ for e in group.exceptions], one + one)
        one / 0


def noted():
    try:
        binary()
    except TypeError as error:
        error.add_note("a note" * (one + one))
        raise


def finally_over():
    try:
        return one / 0
    finally:
        print("in between", one + one)


def awaited():
    async def inner():
        return one + await other()

    async def other():
        return one / (one - one)

    inner().send(nothing)


def decorated():
    @(lambda f: f.missing + one)
    def function():
        return one


def default():
    def function(a=one + one, b=one / 0):
        return a


def in_class():
    class Inside:
        size = one + one
        part = size / (size - 2)


def matched():
    match one + one:
        case 2 if one / 0 > one:
            return 1


def with_statement():
    with open("/dev/null") as file, odd[one + one] as other:
        return file, other


def looped():
    for n in range(one + 2):
        while n + one:
            n = n + 1 / (n - 1)


def multi_line():
    return one + one * (one // (one - 1))


def wide():
    return "é" + "日本語" * one + f"{'ü' + one}" + "ß"


def recursive(n=3):
    return one + recursive(n - 1) if n else one / 0


for function in list(vars().values()):
    if type(function) is type(tell) and function is not tell:
        print("--", function.__name__)
        tell(function)
try:
    one + (one / 0) * [n + one for n in range(3)][one]
except ZeroDivisionError:
    traceback.print_exc()
try:
    odd[one] += one + one
except ValueError:
    traceback.print_exc()
try:
    one.real += one * one
except AttributeError:
    traceback.print_exc()
try:
    table["a"]["b"] @= one + one
except TypeError:
    traceback.print_exc()
try:
    raise ValueError(sum(one / (n - 1) for n in [one + m for m in range(0, 2)]))
except ZeroDivisionError:
    traceback.print_exc(file=sys.stdout)
