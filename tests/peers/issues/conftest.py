"""These are programs for `test_issues.py` to run, not tests."""

collect_ignore_glob = ["*"]
