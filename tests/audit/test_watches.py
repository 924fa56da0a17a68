"""Watches: one hears of all threads and tasks, the inner of two hears, and others are refused."""

import asyncio
import contextvars
import sys
import threading

import pytest

import supremum
from supremum import audit
from supremum.audit.log import hooks
from supremum.audit.report.report import Watched
from supremum.audit.runner.watching import Watching, why_nothing

KERNEL = """\
import numpy as np

ONE = np.ones(8, np.float32)

def first():
    return ONE * np.hanning(8)

def second():
    return ONE * np.hamming(8)

def many(times):
    total = np.float64(0)
    two = np.float32(2)
    for _ in range(times):
        total = two * np.float64(3)
    return total
"""
FIRST, SECOND = [("np.hanning(8)", 2)], [("np.hamming(8)", 2)]


@pytest.fixture
def kernel(write, tmp_path, monkeypatch):
    """Return a module that is watched."""
    monkeypatch.syspath_prepend(tmp_path)
    write(KERNEL, "overlapping_kernel.py")
    audit.install(roots=[tmp_path])
    import overlapping_kernel

    yield overlapping_kernel
    audit.uninstall()
    assert hooks.active() is None


def found(watch):
    return [(finding.text, finding.count) for finding in watch.findings]


def at_once(*steps):
    """Run functions in threads of their own, each of which waits for the others where it says."""
    barrier = threading.Barrier(len(steps), timeout=20)
    results, errors = {}, []

    def run(number, step):
        try:
            results[number] = step(barrier.wait)
        except Exception as error:  # noqa: BLE001  # it is raised below
            errors.append(error)
            barrier.abort()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(steps)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return [results[number] for number in range(len(steps))]


def test_one_alone_hears_of_all_threads(kernel):
    with audit.watch() as watch:
        at_once(lambda _: kernel.first(), lambda _: kernel.second())
    assert sorted(found(watch)) == sorted(FIRST + SECOND)


def test_the_inner_of_one_thread_hears_of_all_threads(kernel):
    with audit.watch() as outer:
        kernel.first()
        with audit.watch() as inner:
            at_once(lambda _: kernel.second())
        kernel.first()
    assert found(outer) == [("np.hanning(8)", 4)]
    assert found(inner) == SECOND
    assert inner.report.problems == ()


@pytest.mark.parametrize("works", ["in a thread", "in a task"])
def test_a_watch_is_refused_while_another_thread_or_task_watches(kernel, works):
    def watch():
        with audit.watch():
            pass

    async def task():
        watch()

    async def serve():
        with audit.watch():
            await asyncio.gather(asyncio.to_thread(watch) if works == "in a thread" else task())

    with pytest.raises(supremum.RulesError, match="hears of this one, too"):
        asyncio.run(serve())
    with audit.watch() as after:
        kernel.first()
    assert found(after) == FIRST


@pytest.mark.parametrize("times", [64, 65, 100, 126, 127, 1000])
def test_each_time_counts_where_scalars_are_no_longer_looked_at(kernel, times):
    with audit.watch() as watch:
        kernel.many(times)
    [finding] = watch.findings
    assert finding.places[0].count == times


def test_a_watch_may_be_ended_in_another_context(kernel):
    watch = audit.watch()
    first = contextvars.copy_context().run(watch.__enter__)
    kernel.first()
    watch.__exit__(None, None, None)
    with audit.watch() as second:
        kernel.second()
    assert (found(first), found(second)) == (FIRST, SECOND)


def test_a_library_that_computes_inside_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", sys)
    what = Watching(Watched(1, ()), (), libraries=True)
    assert "; expressions of Polars run inside it" in why_nothing(what)
