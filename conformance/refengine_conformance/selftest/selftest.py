"""Who checks the runner: bad adapters, each with the outcome that it must get."""

from __future__ import annotations

from functools import cache
from typing import Final

import attrs

from refengine.jobs.own_python import own_command
from refengine_conformance.data import data
from refengine_conformance.report.reports import text
from refengine_conformance.runner.results import Limits, Outcome, Run
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.selection import Choice, Selection, of_files

_FOLDER: Final = data("adapters")
TRACES: Final = _FOLDER / "selftest.jsonl"
_PROGRAM: Final = """
import sys
sys.path[:0] = [sys.argv[1]]
from refengine_conformance.selftest.bad_adapters import main
main(sys.argv[2])
"""
LIMITS: Final = Limits(
    op=1.0, batch=5.0, hello=4.0, bye=0.5, restarts_in_a_row=1, restarts=3
)


@attrs.frozen
class Must:
    """What must happen to a bad adapter.

    If a `kind` is named, some case of it has this `outcome`; the command ends with
    `exit`, and the summary contains `says`.
    """

    exit: int
    says: str
    kind: str = ""
    outcome: Outcome = Outcome.FAIL
    ways: str = "step"


_PROTOCOL: Final = Outcome.PROTOCOL
BAD: Final[dict[str, Must]] = {
    "good": Must(0, "pass rate 100%", "step", Outcome.PASS, "both"),
    "writes_slowly": Must(0, "pass rate 100%", "step", Outcome.PASS),
    "tells_late": Must(0, "pass rate 100%", "step", Outcome.PASS),
    "tells_once": Must(0, "pass rate 100%", "step", Outcome.PASS),
    "tells_never": Must(0, "pass rate 100%", "step", Outcome.PASS),
    "judges_passes_together": Must(0, "pass rate 100%", "step", Outcome.PASS),
    "judges_passes_by_step": Must(0, "pass rate 100%", "step", Outcome.PASS),
    "accepts_all": Must(1, "got:         ok", "probe"),
    "refuses_all": Must(1, "got:         refused", "step"),
    "crashes_on_refusal": Must(2, "ended with exit code 1", "probe", Outcome.CRASH),
    "kills_itself": Must(2, "was killed by SIGABRT", "probe", Outcome.CRASH),
    "errors_on_refusal": Must(
        2, "your adapter failed 2 times with illegal move", "probe", Outcome.ERROR
    ),
    "errors_in_replay": Must(2, "DataCloneError", "replay", Outcome.ERROR, "replay"),
    "unsupported_refusal": Must(0, "coverage", "probe", Outcome.UNSUPPORTED),
    "hangs": Must(2, "no answer within 1 s", "probe", Outcome.TIMEOUT),
    "answers_late": Must(2, "no answer within 1 s", "step", Outcome.TIMEOUT),
    "noise": Must(2, "nobody asked for: 'DEBUG hello'", "step", Outcome.NOT_RUN),
    "noise_later": Must(2, "nobody asked for: 'playing a card'", "step", _PROTOCOL),
    "wrong_seq": Must(2, "as it was sent", "legal", _PROTOCOL),
    "string_seq": Must(2, "got the text '1'; wanted the number 1"),
    "no_seq": Must(2, "field seq: got no seq", "step", _PROTOCOL),
    "extra_line": Must(2, "nobody asked for", "step", _PROTOCOL),
    "empty_line": Must(2, "nobody asked for", "legal", _PROTOCOL),
    "dies_half_way": Must(2, "in the middle of a line", "legal", Outcome.CRASH),
    "long_line": Must(2, "longer than 16 MiB", "legal", _PROTOCOL),
    "invalid_utf8": Must(2, "wanted UTF-8", "legal", _PROTOCOL),
    "two_keys": Must(1, "got the keys ok, refused", "step", _PROTOCOL),
    "null_answer": Must(1, "got null", "step", _PROTOCOL),
    "cards_as_list": Must(1, "field ok.play: got a list", "legal", _PROTOCOL),
    "no_such_card": Must(1, "10C", "legal", _PROTOCOL),
    "wrong_legal": Must(1, "5.2 The opening card", "legal"),
    "wrong_clause": Must(1, "refused by 3.8", "clauses"),
    "changes_on_probe": Must(1, "0.10 A refused act changes nothing", "probe"),
    "wipes_on_refusal": Must(1, "0.10 A refused act changes nothing", "step"),
    "forgets_to_open": Must(1, "wrong answer", "step"),
    "leaks_cards": Must(1, "2.7a What a seat does not know", "views"),
    "leaks_key": Must(1, "got the key 'hands'", "views", _PROTOCOL),
    "other_protocol": Must(3, "speaks protocol 2; wanted 1", "step", Outcome.NOT_RUN),
    "other_capability": Must(2, "ok.capabilities[0]: got 'steps'"),
    "no_capabilities": Must(4, "no case was scored", "step", Outcome.UNSUPPORTED),
    "knows_everything": Must(1, "an unknown op", "step", Outcome.PASS),
    "answers_before": Must(2, "hello", "step", Outcome.NOT_RUN),
    "never_flushes": Must(2, "no answer within 4 s", "step", Outcome.NOT_RUN),
    "exits_at_once": Must(2, "ended with exit code 0", "step", Outcome.NOT_RUN),
    "ignores_bye": Must(1, "bye: still running", "step", Outcome.PASS),
    "not_there": Must(2, "cannot be started", "step", Outcome.NOT_RUN),
}


@attrs.frozen
class Checked:
    """A bad adapter and what happened to it; `wrong` is empty if that was right."""

    name: str
    wrong: str
    said: str


@cache
def selftest_traces() -> Selection:
    """The few traces that every bad adapter is asked."""
    return of_files([TRACES], Choice())


def run_bad_adapter(name: str) -> Run:
    """The run of one bad adapter."""
    settings = Settings(
        command=bad_adapter_command(name), limits=LIMITS, ways=BAD[name].ways
    )
    return run(selftest_traces(), settings)


def bad_adapter_command(name: str) -> tuple[str, ...]:
    """The command that starts a bad adapter."""
    if name == "not_there":
        return ("./no-such-adapter",)
    return own_command("-c", _PROGRAM, str(_FOLDER.parent.parent), name)


def check_bad_adapter(name: str) -> Checked:
    """Run one bad adapter, and compare with what must happen to it."""
    must, found = BAD[name], run_bad_adapter(name)
    summary = text(found)
    wrong = []
    if found.exit_code != must.exit:
        wrong.append(f"exit {found.exit_code}, must be {must.exit}")
    if must.says not in summary:
        wrong.append(f"the summary does not say {must.says!r}")
    if must.kind and not any(
        case.kind == must.kind and case.outcome is must.outcome for case in found.cases
    ):
        wrong.append(f"no case {must.kind} with the outcome {must.outcome}")
    if found.bugs:
        wrong.append(f"a fault of ours: {found.bugs[0]}")
    said = next((line for line in summary.splitlines() if must.says in line), "")
    return Checked(
        name, "; ".join(wrong), f"exit {found.exit_code}: {said.strip():.150}"
    )
