"""What a Python runs first that an audited program starts: the audit, and nothing that shows."""  # noqa: INP001  # a folder on the path of other processes, not a package


def _start() -> None:
    import sys
    from importlib import import_module
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec
    from pathlib import Path

    here = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != here]
    spec = PathFinder.find_spec(__name__)  # the one that would have been run without us
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(module_from_spec(spec))
    package = here.parents[2]
    place = str(package.parent)
    added = place not in sys.path
    if added:
        sys.path.append(place)
    try:
        processes = import_module(f"{package.name}.audit.runner.processes")
        try:
            processes.begin()
        except Exception as error:  # noqa: BLE001  # the program runs all the same
            processes.lose(error)
    finally:
        if added and place in sys.path:
            sys.path.remove(place)


_start()
