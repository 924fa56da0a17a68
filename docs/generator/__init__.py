"""What writes the generated parts of the documentation: tables, console output, drawings, stubs.

`docs/regenerate.py` is the command. A page asks for a part by a comment, ``<!-- NAME -->``, and
each name is one function that is registered in `blocks.BLOCKS`. `made` has the pages that are made
as a whole, when the site is built.
"""
