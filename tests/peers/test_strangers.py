"""Programs as people write them are answered as the live libraries do; see strangers.py."""

import pytest

from . import strangers


@pytest.mark.parametrize("name", strangers.PEERS)
def test_programs_as_people_write_them(name, count):
    told = []
    counts = strangers.ask(name, 150, 11, told.append)
    total = sum(counts.values())
    count(f"strangers, {name}: {dict(counts)}")
    assert [line for line in told if line.startswith("wrong")] == []
    assert counts["not modelled"] <= 0.08 * total
