"""Runs a script that an audited program starts, watched: ``python run_script.py SCRIPT ...``."""  # noqa: INP001  # a folder on the path of other processes, not a package

import sys
from importlib import import_module
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[3]
_PLACE = str(_PACKAGE.parent)
_added = _PLACE not in sys.path
if _added:
    sys.path.append(_PLACE)
processes = import_module(f"{_PACKAGE.name}.audit.runner.processes")
if _added:
    sys.path.remove(_PLACE)
sys.exit(processes.script_in_child())
