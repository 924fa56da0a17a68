"""What the live libraries were asked, counted below the tests' results."""

import pytest

COUNTS = pytest.StashKey[list[str]]()


def pytest_configure(config):
    config.stash[COUNTS] = []


@pytest.fixture
def count(request):
    """Return what takes a line for the summary."""
    return request.config.stash[COUNTS].append


def pytest_terminal_summary(terminalreporter, config):
    for line in config.stash[COUNTS]:
        terminalreporter.write_line(line)
