from . import NAMES


def twice(x):
    return x * 2


def fail(n):
    return NAMES[n + 1] * 2
