"""Trials: changes are typed in, the program runs again, and the runs are compared."""
