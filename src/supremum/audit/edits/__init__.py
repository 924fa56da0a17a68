"""Changes of a program: for each cause and each stop, what to type instead, and how to spell it."""
