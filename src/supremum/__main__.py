"""Run the command: ``python -m supremum``."""

from .cli import main

main(prog_name="supremum")
