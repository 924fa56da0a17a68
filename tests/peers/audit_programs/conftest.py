"""The programs here are run by tests, and none of them is one."""

collect_ignore_glob = ["*.py"]
