"""The release of Supremum, and where its documentation is; every part may import it."""

__version__ = "0.1.0"

SITE = "https://supremum.readthedocs.io/en/latest/"
"""Where the documentation is, which help and reports link to."""
