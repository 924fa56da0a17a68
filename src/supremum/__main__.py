"""Run the command: ``python -m supremum``."""

from supremum.cli import main

main(prog_name="supremum")
