"""Deciding what an operation does to dtypes, and which of its operands is the cause."""
