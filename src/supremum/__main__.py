"""Run the command: ``python -m supremum``."""

import sys

# A file click.py in the current folder belongs to the program that is audited there.
_here = [] if sys.flags.safe_path else [sys.path.pop(0)]

from .commands import main  # noqa: E402  # once that folder is out of the way

main.get_command(None, *sys.argv[1:2] or [""])  # loads what that command needs
if "audit" in sys.argv[1:2]:
    from .audit import cli as _audit  # noqa: F401  # it imports what the audit needs
sys.path[:0] = _here
main(prog_name="supremum")
