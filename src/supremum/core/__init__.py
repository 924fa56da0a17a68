"""The engine: dtypes, joins, promotion systems and what can be asked of them.

It imports the standard library and itself alone, so a copy of this folder works by itself, under
any name.
"""
