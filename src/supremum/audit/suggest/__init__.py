"""Suggested changes: for each cause and each stop, what to type instead."""
