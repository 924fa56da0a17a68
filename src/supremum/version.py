"""The release of Supremum, which every part may import."""

__version__ = "0.1.0"
