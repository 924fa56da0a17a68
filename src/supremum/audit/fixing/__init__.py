"""Typing the suggestions of an audit into a program, and checking that it still does the same."""
