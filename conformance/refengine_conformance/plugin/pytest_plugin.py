"""The conformance suite as pytest tests: `pytest --hearts-adapter "node my.js"`.

There is one test for each trace. With `--hearts-by clause` there is one for each clause
instead, and one more for the games that concern no clause. The games are those of the
published corpus, whose ids stay the same from release to release. If options name a
table, or if `hello` declares tables and no corpus is requested, the games of those
tables are used instead. If nothing can be scored, one additional test fails. Unless an
adapter is given, only the table options are imported from the rest of this package.

The adapter has to say hello before anything is collected; if it does not, that is a
usage error. If tests are spread over processes, only the process that starts the others
asks for this hello, and it sends them the tables and capabilities that the adapter
declares.
"""

from __future__ import annotations

import argparse
from contextlib import suppress
from typing import Final

import pytest

from refengine_conformance.tables.flags import TABLE_FLAGS, Flag


def _seconds(text: str) -> float:
    """Read a time limit in seconds; raise ArgumentTypeError for anything else."""
    from refengine_conformance.runner.run_time import is_limit

    with suppress(ValueError):
        seconds = float(text)
        if is_limit(seconds):
            return seconds
    wanted = "a number of seconds above 0 and at most a week"
    raise argparse.ArgumentTypeError(f"got {text!r:.40}; wanted {wanted}")


_USUAL: Final = "trace"  # the default of --hearts-by, which needs no adapter
_FLAGS: Final = (
    Flag(
        "adapter",
        "COMMAND",
        "the adapter of the engine under test, such as 'node my.js'",
    ),
    Flag(
        "by",
        "{trace,clause}",
        "one test for each trace (the default) or for each clause",
        choices=(_USUAL, "clause"),
    ),
    Flag(
        "tier",
        "{smoke,core}",
        "the published corpus, whatever tables the adapter declares: smoke takes "
        "seconds (the default without a table), core a minute",
        choices=("smoke", "core"),
    ),
    Flag(
        "corpus",
        "PATH",
        "a corpus folder or a file of traces in place of the bundled corpus; with it, "
        "or with a tier, --hearts-profile keeps only the traces of the profile",
    ),
    Flag(
        "known",
        "FILE",
        "a file of known failures: tests in which nothing else is wrong are xfail",
    ),
    Flag(
        "report",
        "FORMAT:FILE",
        "write a report at the end, repeatable: text, jsonl, junit, markdown or html",
        many=True,
    ),
    Flag(
        "log",
        "FILE",
        "write the whole conversation with the adapter to this file, as it goes",
    ),
    Flag(
        "limit-hello",
        "SECONDS",
        "seconds for hello, as --limit-hello of refengine conform run",
        kind=_seconds,
    ),
    Flag(
        "limit-op",
        "SECONDS",
        "seconds for a request, as --limit-op of refengine conform run",
        kind=_seconds,
    ),
    # A wrong choice is found when the table is read, like anything else wrong with it.
    *(
        one._replace(help=one.help.replace("--", "--hearts-"), choices=())
        for one in TABLE_FLAGS
    ),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the suite, all of them named `--hearts-…`."""
    group = parser.getgroup("hearts", "conformance with the Hearts Family Rules")
    for flag in _FLAGS:
        group.addoption(
            f"--hearts-{flag.name}",
            metavar=flag.metavar,
            help=flag.help,
            **flag.reading(),
        )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker `hearts`, and refuse options given without an adapter.

    Raises UsageError for any option of the suite that is given without an adapter. An
    empty value counts as not given, and so does the default of `--hearts-by`.
    """
    config.addinivalue_line("markers", "hearts: a test of --hearts-adapter")
    if config.getoption("--hearts-adapter") is None:
        for flag in _FLAGS:
            given = config.getoption(f"--hearts-{flag.name}")
            if given not in (None, "", []) and (flag.name, given) != ("by", _USUAL):
                raise pytest.UsageError(f"--hearts-{flag.name} needs --hearts-adapter")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Begin the suite if an adapter is given, or raise UsageError if that fails."""
    if session.config.getoption("--hearts-adapter") is not None:
        from refengine_conformance.plugin.suite_run import SuiteRun

        session.config.pluginmanager.register(SuiteRun(session), "hearts-suite")
