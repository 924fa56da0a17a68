"""The source of a program, parsed once: names, positions, and where a value was made."""
