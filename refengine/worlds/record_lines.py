"""Records and single announcements as lines of JSON.

`docs/formats.md` says what every key means.
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from refengine.formats.fields import (
    act_fields,
    act_of,
    if_given,
    ruleset_fields,
    ruleset_of,
    start_fields,
    start_of,
)
from refengine.formats.normal_form import (
    Json,
    call_with_place,
    call_with_places,
    read_seat,
    read_sets,
)
from refengine.formats.record_shapes import (
    AnnouncedObject,
    RecordObject,
    SeenSetupObject,
)
from refengine.formats.wire import decode, encode, line_of
from refengine.game.acts import to_sequence
from refengine.game.observe import Event
from refengine.game.setups import Match
from refengine.game.values.cardset import Card, CardSet, card
from refengine.worlds.announcements import Opening, SeenSetup, Told
from refengine.worlds.seat_record import SeatRecord

# Written


def write_record(record: SeatRecord) -> bytes:
    """The record as a line of JSON, without the line ending."""
    return encode(record_fields(record))


def record_fields(record: SeatRecord) -> Json:
    """The record as a JSON value."""
    found: Json = {
        "record": 1,
        "ruleset": ruleset_fields(record.ruleset),
        "seat": record.seat,
    }
    found |= opening_fields(record.opening)
    found["told"] = [told_fields(one) for one in record.told]
    return found


def write_told(one: Told) -> bytes:
    """The announcement of one act as a line of JSON, without the line ending."""
    return encode(told_fields(one))


def told_fields(one: Told) -> Json:
    """The announcement of one act as a JSON value."""
    event = one.event
    found: Json = {"seat": event.seat, "kind": event.kind}
    if event.act is not None:
        found["act"] = act_fields(event.act)
    if event.hand:
        found["hand"] = str(event.hand)
    if one.leader is not None:
        found["leader"] = one.leader
    if one.received is not None:
        found["received"] = {str(giver): got.value for giver, got in one.received}
    if one.totals is not None:
        found["totals"] = list(one.totals)
    return found


def opening_fields(opening: Opening) -> Json:
    """The announcement of how a game begins, under the key `setup` or `match`."""
    if isinstance(opening, Match):
        return start_fields(opening)
    none = (CardSet(),) * len(opening.held)
    # Written like a setup, without what is hidden: the hands, the stock and the kitty.
    found = start_fields(opening.with_cards(none, (), CardSet()))["setup"]
    del found["hands"]
    found |= {
        "hand": str(opening.hand),
        "held": list(opening.held),
        "pack": str(opening.pack),
    }
    if opening.stock:
        found["stock"] = opening.stock
    if opening.kitty:
        found["kitty"] = opening.kitty
    if opening.leads is not None:
        found["leads"] = opening.leads
    return {"setup": found}


# Read


def read_record(line: object) -> SeatRecord:
    """The record in this line, given as bytes, text, or the value read from JSON.

    Raises Malformed, naming the place, if anything cannot be read, and Refused if a
    clause forbids the ruleset. Whether any deal fits the record is not checked here.
    """
    found = decode(line_of(line), RecordObject)
    return SeatRecord(
        ruleset_of(found.ruleset),
        found.seat,
        _opening(found),
        call_with_places("told", _told, found.told),
    )


def read_told(line: object) -> Told:
    """The announcement of one act in a line, given as bytes, text, or a JSON value.

    Raises Malformed, naming the place, if anything cannot be read.
    """
    return _told(decode(line_of(line), AnnouncedObject))


def _told(line: AnnouncedObject) -> Told:
    act = None
    if not isinstance(line.act, UnsetType):
        act = call_with_place("act", act_of, line.seat, line.act)
    received = None
    if not isinstance(line.received, UnsetType):
        received = call_with_place("received", _givers, line.received)
    hand = call_with_place("hand", CardSet, line.hand)
    return Told(
        Event(line.kind, line.seat, act, hand),
        leader=if_given(line.leader),
        received=received,
        totals=if_given(line.totals),
    )


def _givers(given: dict[str, str]) -> tuple[tuple[int, Card], ...]:
    return tuple(
        sorted((read_seat(giver), card(text)) for giver, text in given.items())
    )


def _opening(found: RecordObject) -> Opening:
    if not isinstance(found.setup, UnsetType):
        return call_with_place("setup", _seen, found.setup)
    match = start_of(UNSET, found.match)
    assert isinstance(match, Match)
    return match


def _seen(line: SeenSetupObject) -> SeenSetup:
    taken = if_given(line.taken)
    return SeenSetup(
        dealer=line.dealer,
        deal=line.deal,
        totals=if_given(line.totals),
        hand=call_with_place("hand", CardSet, line.hand),
        held=line.held,
        pack=call_with_place("pack", CardSet, line.pack),
        stock=line.stock,
        kitty=line.kitty,
        limit_reached=line.limit_reached,
        leads=if_given(line.leads),
        leader=if_given(line.leader),
        trick=call_with_place("trick", to_sequence, line.trick),
        out=line.out,
        taken=None if taken is None else read_sets(taken, "taken"),
        tricks=if_given(line.tricks),
        hearts_broken=line.hearts_broken,
        first_trick=line.first_trick,
    )
