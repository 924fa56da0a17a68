"""Watches that overlap: each has the findings of its own thread or task, and says what is out."""

import asyncio
import contextvars
import threading

import pytest

from supremum import audit
from supremum.audit.record import hooks

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


def watching(work):
    def step(wait):
        with audit.watch() as watch:
            wait()
            work()
            wait()
        return watch

    return step


def test_two_threads_have_their_own_findings(kernel):
    one, two = at_once(watching(kernel.first), watching(kernel.second))
    assert (found(one), found(two)) == (FIRST, SECOND)
    assert one.report.problems == two.report.problems == ()


def test_one_that_goes_on_has_none_of_the_other(kernel):
    def long(wait):
        with audit.watch() as watch:
            wait()
            wait()
            wait()
            kernel.first()
        return watch

    def short(wait):
        wait()
        with audit.watch() as watch:
            wait()
            kernel.second()
        kernel.second()  # which is nobody's
        wait()
        return watch

    one, two = at_once(long, short)
    assert (found(one), found(two)) == (FIRST, SECOND)


def test_requests_of_one_thread_have_their_own_findings(kernel):
    async def request(work, begun, other):
        with audit.watch() as watch:
            begun.set()
            await other.wait()
            work()
            await asyncio.sleep(0)
            await asyncio.to_thread(work)
            await asyncio.gather(helper(work), helper(work))
        return watch

    async def helper(work):
        await asyncio.sleep(0)
        work()

    async def serve():
        one, two = asyncio.Event(), asyncio.Event()
        return await asyncio.gather(
            request(kernel.first, one, two), request(kernel.second, two, one)
        )

    one, two = asyncio.run(serve())
    assert found(one) == [("np.hanning(8)", 8)]
    assert found(two) == [("np.hamming(8)", 8)]
    assert one.report.problems == two.report.problems == ()


def test_a_watch_around_requests_has_what_is_in_none(kernel):
    async def request():
        with audit.watch() as watch:
            await asyncio.sleep(0)
            kernel.second()
        return watch

    async def serve():
        with audit.watch() as around:
            watches = await asyncio.gather(request(), request())
            kernel.first()
        return around, *watches

    around, *requests = asyncio.run(serve())
    assert found(around) == FIRST
    assert [found(one) for one in requests] == [SECOND, SECOND]


def test_what_belongs_to_no_watch_is_left_out_and_the_report_says_so(kernel):
    def without(wait):
        wait()
        kernel.second()
        wait()

    one, two, _ = at_once(watching(kernel.first), watching(kernel.first), without)
    for watch in (one, two):
        assert found(watch) == FIRST
        [told] = watch.report.problems
        assert told.startswith(
            "what threads without a watch of their own did while several watches"
        )
        assert "Not judged: what threads without a watch" in str(watch)


def test_a_thread_in_the_context_of_a_watch_is_heard_by_it(kernel):
    def step(wait):
        with audit.watch() as watch:
            wait()
            context = contextvars.copy_context()
            thread = threading.Thread(target=context.run, args=(kernel.second,))
            thread.start()
            thread.join()
            wait()
        return watch

    one, two = at_once(step, watching(kernel.first))
    assert (found(one), found(two)) == (SECOND, FIRST)
    assert one.report.problems == ()


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


def test_counts_are_right_where_scalars_are_no_longer_looked_at(kernel):
    def step(wait):
        with audit.watch() as watch:
            kernel.many(500)
            wait()
            kernel.many(500)
            wait()
        return watch

    one, two = at_once(step, step)
    for watch in (one, two):
        [finding] = watch.findings
        assert 999 <= finding.places[0].count <= 1000  # one may be amid a probe at the switch


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


def test_what_one_raises_leaves_the_others_alone(kernel):
    def raising(wait):
        with audit.watch(on_finding="raise") as watch:
            wait()
            with pytest.raises(audit.AuditStop):
                kernel.first()
            wait()
        return watch

    one, two = at_once(raising, watching(kernel.second))
    assert found(one)[0][0] == "np.hanning(8)"
    assert found(two) == SECOND
