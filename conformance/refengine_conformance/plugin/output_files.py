"""What a run of pytest writes: reports, and a log of the conversation.

It is imported only where an adapter is given.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from refengine.errors import Malformed
from refengine.formats.files_to_write import check_written
from refengine_conformance.report.reports import read_target
from refengine_conformance.runner.conversation_log import begin_log, end_log

_REPORT = "--hearts-report"
_LOG = "--hearts-log"
_READ = ("--hearts-corpus", "--hearts-known", "--hearts-profile")


def report_targets(config: pytest.Config) -> list[tuple[str, str]]:
    """The formats and files of the reports; raises Malformed for a wrong one."""
    return [read_target(one, _REPORT) for one in config.getoption(_REPORT)]


def begin_writing(
    config: pytest.Config, command: tuple[str, ...], spread: bool
) -> None:
    """Look at the files that are to be written, and begin the log, if one is.

    It is written by the processes too that this one starts. Raises UsageError where a
    file cannot be written, or must not be, and for a report where the tests are
    `spread` over processes.
    """
    log = config.getoption(_LOG)
    read = [config.getoption(flag) or "" for flag in _READ]
    try:
        targets = report_targets(config)
        if targets and spread:
            why = "one process must run all tests"
            raise pytest.UsageError(f"{_REPORT} cannot be used with -n: {why}")
        written = [(_REPORT, file) for _, file in targets]
        if log:
            written.append((_LOG, log))
        check_written(written, filter(None, read), command)
        if log:
            begin_log(Path(log), sys.argv, _LOG)
            config.add_cleanup(end_log)
    except Malformed as error:
        raise pytest.UsageError(str(error)) from None
