"""Judge how an adapter counts all the games that a mini-deal allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from msgspec import to_builtins

from refengine.errors import Malformed
from refengine.formats import protocol
from refengine.formats.minideals import Mini
from refengine.formats.normal_form import Json
from refengine.formats.trace import opened, written_alike
from refengine.game.values.cardset import CardSet
from refengine.rulings.broken_clauses import named_clauses
from refengine_conformance.runner.answers import AnyAnswer, FormError
from refengine_conformance.runner.cases import plain_text
from refengine_conformance.runner.declared import is_applicable, why_not_asked
from refengine_conformance.runner.driver import Adapter, BrokenError
from refengine_conformance.runner.results import (
    Case,
    EngineCard,
    Fault,
    Outcome,
    Thrown,
    not_declared,
)
from refengine_conformance.runner.transcripts import (
    Judged,
    Reply,
    Unanswered,
    capabilities_for_start,
    capabilities_for_undealt,
    opening_fields,
    reply_in_answer,
)

_LIMIT: Final = 100_000  # games; more only if a mini-deal needs it


def mini_needs(mini: Mini) -> tuple[str, ...]:
    """The capabilities needed to count the games of a mini-deal."""
    found = capabilities_for_start(mini.setup)
    options = mini.ruleset.options
    found |= capabilities_for_undealt(options)
    due = opened(mini.ruleset, mini.setup).legal.due
    if due.kind == "pass":
        counted = (mini.counted or {}).get("divide", {})
        found.add("scatter" if any("scatter" in key for key in counted) else "pass")
        if due.forward:
            found.add("forward")
    if str(options["moon"]).startswith("choice"):
        found.add("moon.choice")
    return tuple(sorted(found))


def mini_cases(adapter: Adapter, mini: Mini) -> Judged:
    """Have the adapter count all games of a mini-deal, and judge its only case."""
    card = adapter.card
    if reason := why_not_asked(card, mini.ruleset, mini_needs(mini)):
        applicable = is_applicable(card, mini.ruleset)
        case = _case(mini, Outcome.UNSUPPORTED, reason, applicable=applicable)
        return Judged((case,))
    if not card.can("enumerate"):
        return Judged((_case(mini, Outcome.UNSUPPORTED, not_declared("enumerate")),))
    try:
        case = _case_of_count(mini, _count(adapter, mini))
    except BrokenError as error:
        return Judged((_case(mini, error.outcome, str(error)),), gone=True)
    except FormError as error:
        case = _case(mini, Outcome.PROTOCOL, str(error))
    return Judged((case,))


def unasked_mini(
    mini: Mini, outcome: Outcome, reason: str, card: EngineCard | None = None
) -> tuple[Case, ...]:
    """The cases of a mini-deal that is retired, or that the run did not get to.

    `card` is what the adapter declares, or None if it has declared nothing yet.
    """
    declared = card is None or is_applicable(card, mini.ruleset)
    applicable = declared and outcome is not Outcome.RETIRED
    return (_case(mini, outcome, reason, applicable=applicable),)


def _case(mini: Mini, outcome: Outcome, note: str = "", **more: Any) -> Case:
    profile = mini.ruleset.profile
    return Case(mini.id, "enumerate", outcome, profile, note=note, **more)


def _case_of_count(mini: Mini, said: Json | Reply | Unanswered | Thrown) -> Case:
    """The case that results from the adapter's answer to the request for a count."""
    if isinstance(said, Reply):
        cited = named_clauses.those_of_the_book(said.clauses)
        fault = Fault(0, "open", cited, "the deal", "ok", str(said))
        return _case(mini, Outcome.FAIL, faults=(fault,))
    if isinstance(said, Thrown):
        return _case(mini, Outcome.ERROR, said.note, thrown=said)
    if isinstance(said, Unanswered):
        return _case(mini, Outcome.UNSUPPORTED, str(said))
    assert mini.counted is not None
    faults = tuple(_count_faults(mini.counted, said))
    return _case(mini, Outcome.FAIL if faults else Outcome.PASS, faults=faults)


def _count(adapter: Adapter, mini: Mini) -> Json | Reply | Unanswered | Thrown:
    """Ask the adapter to begin a mini-deal and count its games.

    Returns its counts in normal form, or else the first answer that was not `ok`.
    """
    fields = opening_fields(mini.ruleset, mini.setup, adapter.card)
    answer = adapter.ask("open", **fields)
    if not isinstance(answer.ok, protocol.Empty):
        return _instead_of_ok("open", answer)
    most = max([_LIMIT, *(mini.counted or {}).get("plies", [])])
    answer = adapter.ask("enumerate", limit=most)
    if not isinstance(answer.ok, protocol.EnumerateOk):
        return _instead_of_ok("enumerate", answer)
    return _normal_count(to_builtins(answer.ok))


def _instead_of_ok(op: str, answer: AnyAnswer) -> Reply | Unanswered | Thrown:
    """What the answer to a request for `op` gives instead of `ok`."""
    if isinstance(answer.error, str):
        return Thrown(0, op, answer.error)
    return reply_in_answer(answer)


def _normal_count(counted: Json) -> Json:
    """A count in normal form: scores and first acts sorted, the same act named once."""
    divide: Counter[str] = Counter()
    for act, games in counted["divide"].items():
        divide[_normal_first_act(act)] += games
    scores = sorted(counted["scores"], key=lambda one: one["score"])
    return counted | {"divide": dict(sorted(divide.items())), "scores": scores}


def _normal_first_act(text: str) -> str:
    """The text of a first act, with the cards of a pass or parts of a scatter sorted.

    If the text is not an act, the result never matches an expected act.
    """
    word, _, rest = text.partition(" ")
    if word == "pass" and rest:
        with suppress(Malformed):
            return f"{word} {CardSet(rest)}"
    if word == "scatter":
        return " ".join([word, *sorted(rest.split(" "), key=_seat_and_text)])
    return text


def _seat_and_text(part: str) -> tuple[int, str]:
    """The sort key of a part of a scatter, such as `2:KH`: its seat, then its text."""
    seat = part.partition(":")[0]
    return (int(seat) if seat.isdecimal() and len(seat) < 3 else 99), part


def _count_faults(expected: Json, got: Json) -> Iterator[Fault]:
    """Yield a fault for each difference between two counts.

    Those in the games that begin with a given act come before those in all games.
    """
    for act in sorted({*expected["divide"], *got["divide"]}):
        games, said = expected["divide"].get(act, 0), got["divide"].get(act, 0)
        if games != said:
            asked = f"games that begin with {act}"
            yield Fault(0, "divide", (), asked, str(games), str(said))
    same_games = all(expected[name] == got[name] for name in ("games", "plies"))
    for name in ("games", "plies", "scores"):
        if not written_alike(expected[name], got[name]):
            clauses = ("8.1",) if name == "scores" and same_games else ()
            wanted, said = plain_text(expected[name]), plain_text(got[name])
            yield Fault(0, name, clauses, name, wanted, said)
