"""Tests of what this process does at a signal that ends a run.

Those in `tests/conformance/runner` try whole runs.
"""

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from refengine.jobs import signals

pytestmark = pytest.mark.interpreted("about processes")


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Set the signal handlers of a program in a terminal, and restore the old ones.

    Signals may be ignored at first, as in a program started in the background.
    """
    before = {number: signal.getsignal(number) for number in signals.ENDING}
    for number in signals.ENDING:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def ended() -> Iterator[list[str]]:
    """A list to which the word `it` is added when the registered object is ended."""
    found: list[str] = []
    thing = object()
    signals.remember(thing, lambda: found.append("it"))
    yield found
    signals.forget(thing)


def test_a_signal_unwinds_the_run_and_ends_what_it_started(ended: list[str]) -> None:
    with pytest.raises(SystemExit) as left, signals.unwinding():
        signal.raise_signal(signal.SIGTERM)
    assert (left.value.code, ended) == (143, ["it"])
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_ctrl_c_is_the_interrupt_that_python_knows(ended: list[str]) -> None:
    with pytest.raises(KeyboardInterrupt), signals.unwinding():
        signal.raise_signal(signal.SIGINT)
    assert ended == ["it"]


def test_a_run_that_nothing_ends_leaves_all_as_it_was(ended: list[str]) -> None:
    before = [signal.getsignal(number) for number in signals.ENDING]
    with signals.unwinding():
        assert [signal.getsignal(number) for number in signals.ENDING] != before
    assert [signal.getsignal(number) for number in signals.ENDING] == before
    assert ended == []


def test_what_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with signals.unwinding():
        signal.raise_signal(signal.SIGHUP)
    with pytest.raises(SystemExit), signals.unwinding():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    signal.raise_signal(signal.SIGHUP)
    signals.begin_worker(None, ())
    signal.raise_signal(signal.SIGHUP)
    signal.raise_signal(signal.SIGINT)  # which is for the run alone


def test_outside_the_main_thread_no_signal_is_touched() -> None:
    """Python refuses to set a handler there, so that any attempt ends the thread."""
    before = [signal.getsignal(number) for number in signals.ENDING]
    found: list[object] = []

    def work() -> None:
        with signals.unwinding():
            found.extend(signal.getsignal(number) for number in signals.ENDING)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == before


def test_a_second_signal_leaves_at_once_but_cuts_nothing_in_two(
    monkeypatch: pytest.MonkeyPatch, ended: list[str]
) -> None:
    left: list[int] = []
    monkeypatch.setattr(os, "_exit", left.append)

    def interrupted_twice() -> None:
        with signals.unwinding():
            try:
                with signals.held():
                    signal.raise_signal(signal.SIGTERM)
                    assert ended == []
            finally:
                with signals.held():
                    signal.raise_signal(signal.SIGHUP)
                    assert (left, ended) == ([], [])
                assert (left, ended) == ([129], ["it"])

    with pytest.raises(SystemExit) as end:
        interrupted_twice()
    assert end.value.code == 143
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_worker_begins_with_what_it_is_given() -> None:
    begun: list[str] = []
    signals.begin_worker(begun.append, ("work",))
    assert begun == ["work"]
