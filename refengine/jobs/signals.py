"""Handling the signals that end a run, so that no process it started outlives it.

A signal raises an exception in the main thread of the command, so that everything that
is open is closed on the way out. A worker might mistake that exception for a failure of
its work, so it ends what it started and exits at once. Code that must not be
interrupted is put in a `held` block.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_ends: dict[object, Callable[[], None]] = {}
_deep = 0
_waiting: list[int] = []


def code_of(number: int) -> int:
    """The exit code that a shell reports for a process ended by this signal."""
    return 128 + number


def remember(thing: object, end: Callable[[], None]) -> None:
    """Register `end`, to be called if a signal ends this process.

    `forget(thing)` removes it again.
    """
    _ends[thing] = end


def forget(thing: object) -> None:
    """Remove the function that `remember` has registered for `thing`, if any."""
    _ends.pop(thing, None)


def end_all() -> None:
    """Call every function that `remember` has registered."""
    for end in [*_ends.values()]:
        end()


@contextmanager
def held() -> Iterator[None]:
    """Return a context that delays the signals that end a run until it is left.

    A process that is started in the context can thus be passed to `remember` before a
    signal ends anything.
    """
    global _deep
    _deep += 1
    try:
        yield
    finally:
        _deep -= 1
        if not _deep and _waiting:
            signal.raise_signal(_waiting.pop())


def _put_off(number: int) -> bool:
    if _deep:
        _waiting[:] = [number]
    return bool(_deep)


@contextmanager
def unwinding() -> Iterator[None]:
    """Return a context in which a signal raises an exception in the main thread.

    When the exception leaves the context, `end_all` is called.
    SIGINT raises KeyboardInterrupt, and the others SystemExit with their exit code. A
    second signal ends the process at once. A signal that is ignored stays ignored, as
    `nohup` requires. In any thread but the main one, it has no effect.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        number: signal.signal(number, _unwind)
        for number in ENDING
        if signal.getsignal(number) not in (signal.SIG_IGN, None)
    }
    try:
        yield
    finally:
        if any(signal.getsignal(number) is _leave for number in before):
            end_all()
        for number, handler in before.items():
            signal.signal(number, handler)


def _unwind(number: int, frame: FrameType | None) -> None:
    if _put_off(number):
        return
    for one in ENDING:  # the first has come; the next ends the process
        if signal.getsignal(one) is _unwind:
            signal.signal(one, _leave)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(code_of(number))


def _leave(number: int, frame: FrameType | None) -> None:
    """End what this process has started, and exit, unless the signal is put off."""
    if not _put_off(number):
        end_all()
        os._exit(code_of(number))


# Workers


def begin_worker(
    first: Callable[..., None] | None, arguments: tuple[object, ...]
) -> None:
    """Prepare this process as a worker, then call `first`, if any, with its arguments.

    SIGTERM and SIGHUP end the worker unless they were ignored. SIGINT does nothing
    here: Ctrl-C is for the run alone, which ends its workers.
    """
    signal.signal(signal.SIGINT, _do_nothing)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    if first is not None:
        first(*arguments)


def _do_nothing(number: int, frame: FrameType | None) -> None:
    """Do nothing; unlike an ignored signal, this is not inherited by an adapter."""


@contextmanager
def blocked() -> Iterator[None]:
    """Block the signals; a worker started in this block unblocks them when ready."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
