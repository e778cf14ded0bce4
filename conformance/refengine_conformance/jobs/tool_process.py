"""Runs one tool, and copes if nobody reads its output to the end.

It is run as `python -m refengine_conformance.jobs.tool_process stop MODULE ARGUMENTS`,
or with `go-on` in place of `stop` for a tool that has to reach its verdict even when
nobody reads its output. None of the rules are imported here: a tool may have to load
them in a special way.
"""

from __future__ import annotations

import runpy
import sys
from typing import Final

from refengine.jobs.unread_output import unread_output

STOP: Final = "stop"
GO_ON: Final = "go-on"


if __name__ == "__main__":
    how, *sys.argv = sys.argv[1:]
    with unread_output(how == GO_ON):
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
