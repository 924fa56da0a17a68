"""Running a program from its first line to its exit code."""
