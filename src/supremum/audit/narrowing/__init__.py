"""Narrower dtypes for the arrays of a program, within a tolerance of its results."""
