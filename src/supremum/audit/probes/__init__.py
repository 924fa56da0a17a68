"""Instrumented code: the program's own syntax tree with probes in it, and its import."""
