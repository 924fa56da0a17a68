"""These are programs for `test_grammar.py` to run, not tests."""

collect_ignore_glob = ["*"]
