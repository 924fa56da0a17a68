# an exception that nobody catches, with a cause, a context and a note
import atexit

atexit.register(print, "at the end")


def inner(n):
    return [10 / (m - n) + n for m in range(n + 2)]


def outer(n):
    try:
        return {"a": inner(n) + [n * 2]}["b"]
    except ZeroDivisionError as error:
        error.add_note("a note")
        raise KeyError(n + 1) from error


class Holder:
    def __init__(self):
        self.values = [lambda k: outer(k + 1) + 1]


print("before", flush=True)
total = 1 + Holder().values[0](1 + 1) * 2
print("never")
