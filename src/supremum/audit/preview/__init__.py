"""The dtypes that a program would have under the rules of another library."""
