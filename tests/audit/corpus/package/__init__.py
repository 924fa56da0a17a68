"""A package that runs."""

NAMES = ["package" + str(1 + 1)]
