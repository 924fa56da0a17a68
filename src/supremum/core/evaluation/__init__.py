"""Expressions: reading them, evaluating them step by step, and the record of the steps."""
