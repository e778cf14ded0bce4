"""Converting views and events (what a seat knows or is told) to JSON and back.

Views are written by `fields.view_fields`, as they are in traces.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import UNSET, UnsetType

from refengine.errors import Malformed
from refengine.formats import shapes
from refengine.formats.fields import act_fields, act_of, choice_of, if_given
from refengine.formats.normal_form import (
    Json,
    call_with_place,
    call_with_places,
    read_seat,
)
from refengine.game.acts import to_sequence
from refengine.game.observe import Event, View
from refengine.game.tricks import Table, Trick
from refengine.game.values.cardset import Card, CardSet, card
from refengine.game.values.legal import Due

_DUE: Final = ("cut", "deal", "pass_", "mix", "draw", "play", "moon", "over")

Passed = CardSet | tuple[tuple[int, Card], ...]


def told_fields(event: Event) -> Json:
    """The kind and seat of an act, and the act itself if the event contains it."""
    found: Json = {"kind": event.kind, "seat": event.seat}
    if event.act is not None:
        found["act"] = act_fields(event.act)
    return found


def event_fields(event: Event) -> Json:
    """What a seat is told about an act, and the hand of that seat after it."""
    found = told_fields(event)
    if event.hand:
        found["hand"] = str(event.hand)
    return found


def event_of(line: shapes.EventObject) -> Event:
    """The event that a line describes.

    Raises Malformed if a word is not a card, or if the act is not of the stated kind.
    """
    hand = call_with_place("hand", CardSet, line.hand)
    if isinstance(line.act, UnsetType):
        return Event(line.kind, line.seat, None, hand)
    act = call_with_place("act", act_of, line.seat, line.act)
    if act.kind != line.kind:
        raise Malformed(f"a {act.kind}", f"a {line.kind}, as kind says", "act")
    return Event(line.kind, line.seat, act, hand)


def view_of(line: shapes.WholeView) -> View:
    """The view that a line describes, for a table with a seat for each of `totals`.

    Raises Malformed if a word is not a card, if one text names a card twice, or if a
    seat or a list does not fit the table.
    """
    players = len(line.totals)
    sizes = (len(line.held), len(line.points), len(if_given(line.cut) or ()))
    for name, size in zip(("held", "points", "cut"), sizes, strict=True):
        if size not in (0, players):
            raise Malformed(f"{size}", f"{players}, one for each seat", name)
    _at_table([line.seat], players, "seat")
    return View(
        seat=line.seat,
        hand=call_with_place("hand", CardSet, line.hand),
        held=tuple(line.held),
        stock=line.stock,
        kitty=line.kitty,
        passed=call_with_place("passed", _passed, line.passed, players),
        received=call_with_place("received", _passed, line.received, players),
        drew=call_with_place("drew", to_sequence, if_given(line.drew) or ""),
        table=call_with_place("table", _table, line.table, players),
        history=tuple(call_with_places("history", _trick, line.history, players)),
        hearts_broken=line.hearts_broken,
        points=tuple(line.points),
        legal=call_with_place("legal", _due, line.legal, players),
        totals=tuple(line.totals),
        cut=call_with_place("cut", _cut, if_given(line.cut) or []),
    )


def _at_table(seats: Iterable[int], players: int, where: str = "") -> None:
    for seat in seats:
        if seat >= players:
            allowed = f"a seat from 0 to {players - 1}, as totals has"
            raise Malformed(f"seat {seat}", allowed, where)


def _passed(line: str | dict[str, str] | UnsetType, players: int) -> Passed | None:
    if isinstance(line, UnsetType):
        return None
    if isinstance(line, str):
        return CardSet(line)
    pairs = {read_seat(seat): card(text) for seat, text in line.items()}
    _at_table(pairs, players)
    CardSet.checked(pairs.values())  # no card goes to two seats
    return tuple(sorted(pairs.items()))


def _table(line: shapes.TableNow | UnsetType, players: int) -> Table | None:
    if isinstance(line, UnsetType):
        return None
    _at_table([line.leader], players, "leader")
    return Table(line.leader, call_with_place("cards", to_sequence, line.cards))


def _trick(line: shapes.TrickDone, players: int) -> Trick:
    _at_table([line.leader, line.winner], players)
    cards = call_with_place("cards", to_sequence, line.cards)
    return Trick(line.leader, cards, line.winner)


def _cut(cards: list[str]) -> tuple[Card | None, ...]:
    CardSet.checked([text for text in cards if text])  # each is drawn once (3.1f)
    return tuple([card(text) if text else None for text in cards])


def _due(line: shapes.DueNow | UnsetType, players: int) -> Due | None:
    """What is due, read from the form that `fields.due_fields` writes."""
    if isinstance(line, UnsetType):
        return None
    turn = tuple(sorted({*line.turn}))
    _at_table(turn, players, "turn")
    (key,) = [key for key in _DUE if getattr(line, key) is not UNSET]
    found = getattr(line, key)
    kind = key.rstrip("_")
    if kind == "play":
        return Due(kind, turn, call_with_place("play", CardSet, found))
    if kind == "moon":
        choices = tuple(map(choice_of, found))
        _at_table([one for one in choices if isinstance(one, int)], players, "moon")
        return Due(kind, turn, choices=choices)
    if kind in ("cut", "pass"):
        return Due(kind, turn, ways=found, forward=line.forward is not UNSET)
    return Due(kind, turn)
