"""The engine's values as plain JSON values, and objects of `shapes` as engine values.

JSON values are written in normal form: sets in the order of the book, lists of seats in
ascending order, and no key whose value is the default. Values that are read are brought
into that form too, so that two of them mean the same if and only if they are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from msgspec import UNSET, UnsetType

from refengine.formats import shapes
from refengine.formats.normal_form import (
    Json,
    call_with_place,
    normal_revokes,
    read_seat,
    read_sets,
    sequence_text,
)
from refengine.game.acts import (
    Act,
    Claim,
    Cut,
    Deal,
    Draw,
    Mix,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    QuitTrick,
    Retract,
    Scatter,
    to_sequence,
)
from refengine.game.observe import View
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Setup, Start
from refengine.game.tricks import Table, Trick
from refengine.game.values.cardset import Card, CardSet
from refengine.game.values.legal import Due
from refengine.game.values.state import State
from refengine.lawbook.options import Value

T = TypeVar("T")


def _choice(choice: str | int) -> str | dict[str, int]:
    return {"one": choice} if isinstance(choice, int) else choice


def _texts(sets: tuple[CardSet, ...]) -> list[str]:
    return [str(one) for one in sets]


# Written: acts, and what is due


def act_fields(act: Act) -> Json:
    """The act without its seat: an object with exactly one key."""
    match act:
        case Cut(_, card):
            return {"cut": card.value}
        case Deal(_, hands, stock, kitty):
            deal: Json = {"hands": _texts(hands)}
            if stock:
                deal["stock"] = sequence_text(stock)
            if kitty:
                deal["kitty"] = str(kitty)
            return {"deal": deal}
        case Pass(_, cards):
            return {"pass": str(cards)}
        case Scatter(_, pairs):
            return {"pass": _addressed(pairs)}
        case PassUnseen():
            return {"forward": 1}
        case Mix(_, hands, kitty):
            mix: Json = {"hands": _texts(hands)}
            if kitty:
                mix["kitty"] = str(kitty)
            return {"mix": mix}
        case Draw():
            return {"draw": 1}
        case Play(_, card):
            return {"play": card.value}
        case Retract(_, card):
            return {"retract": card.value}
        case QuitTrick():
            return {"quit": 1}
        case Claim(_, against, trick):
            return {"claim": {"seat": against, "trick": trick}}
        case _:
            return {"moon": _choice(act.choice)}


def _addressed(pairs: tuple[tuple[int, Card], ...]) -> dict[str, str]:
    return {str(seat): card.value for seat, card in pairs}


def due_fields(due: Due) -> Json:
    """What is due, as an object with `turn` and a key for its kind, such as `play`.

    If a pass is due, there may also be the key `forward`.
    """
    found: Json = {"turn": list(due.turn)}
    if due.kind == "play":
        found["play"] = str(due.cards)
    elif due.kind in ("cut", "pass"):
        found[due.kind] = due.ways
        if due.forward:
            found["forward"] = 1
    elif due.kind == "moon":
        found["moon"] = [_choice(choice) for choice in due.choices]
    elif due.kind == "over":
        found["over"] = True
    else:
        found[due.kind] = 1
    return found


def legal_fields(state: State) -> Json | str:
    """What is due, in the form that `legal` has in a step of a trace.

    If a play is due, this is the text of the cards that may be played. Otherwise, it is
    what `due_fields` returns, without `turn`.
    """
    found = due_fields(state.legal.due)
    del found["turn"]
    cards: Json | str = found.get("play", found)
    return cards


# Written: what can be seen


def trick_fields(trick: Trick) -> Json:
    """A completed trick as an object: its leader, cards and winner."""
    return {
        "leader": trick.leader,
        "cards": sequence_text(trick.cards),
        "winner": trick.winner,
    }


def table_fields(table: Table) -> Json:
    """A trick in progress as an object: its leader and cards."""
    return {"leader": table.leader, "cards": sequence_text(table.cards)}


def _cut(cards: tuple[Card | None, ...]) -> list[str] | None:
    return [card.value if card else "" for card in cards] or None


def match_fields(state: State) -> Json:
    """Whether the match is over and, if it is, who won it, as an object."""
    if state.winners is None:
        return {"over": False}
    return {"over": True, "winners": list(state.winners)}


def revoke_fields(state: State) -> list[Json]:
    """The revokes of the deal, in the order in which they happened."""
    return [
        {"seat": note.seat, "trick": note.trick, "state": note.state}
        for note in state.revokes
    ]


def drawn_by(before: State, act: Act, after: State) -> tuple[Card, ...]:
    """The cards that the seat of `act` has drawn so far in its turn, `act` included."""
    if isinstance(act, Play):
        return before.drew
    return after.drew if act.seat in after.turn else ()


Asked = Callable[[State], Any]


def _dealt(make: Asked) -> Asked:
    """Return a function that calls `make`, but returns None until cards are dealt."""
    return lambda state: make(state) if state.core.dealt.hands else None


FIELDS: Final[dict[str, Asked]] = {
    "cut": lambda state: _cut(state.cut),
    "phase": lambda state: state.phase,
    "turn": lambda state: list(state.turn),
    "dealer": lambda state: state.dealer,
    "deal": lambda state: None if state.dealer is None else state.deal,
    "trick": lambda state: state.completed and trick_fields(state.completed),
    "table": lambda state: state.table and table_fields(state.table),
    "hearts_broken": _dealt(lambda state: state.hearts_broken),
    "drew": _dealt(lambda state: sequence_text(state.drew)),
    "out": _dealt(lambda state: list(state.out)),
    "hands": _dealt(lambda state: _texts(state.hands)),
    "taken": _dealt(lambda state: _texts(state.taken)),
    "tricks": _dealt(lambda state: list(state.tricks)),
    "stock": _dealt(lambda state: sequence_text(state.stock)),
    "kitty": _dealt(lambda state: str(state.kitty)),
    "points": _dealt(lambda state: list(state.points)),
    "revokes": _dealt(revoke_fields),
    "score": lambda state: None if state.score is None else list(state.score),
    "totals": lambda state: list(state.totals),
    "match": match_fields,
    "over": lambda state: state.over,
}
"""Each field of an observation as a function of the state; None means no value."""


def state_fields(state: State, drew: tuple[Card, ...] | None = None) -> Json:
    """Every field of an observation that has a value in this state.

    `drew` holds the cards drawn in its turn by the seat that acted last, as `drawn_by`
    returns them; by default, it holds those drawn by the seat whose turn it is.
    """
    asked = {name: ask(state) for name, ask in FIELDS.items()}
    found = {name: value for name, value in asked.items() if value is not None}
    if drew is not None and "drew" in found:
        found["drew"] = sequence_text(drew)
    return found


def normal_state_fields(state: State, drew: tuple[Card, ...] | None = None) -> Json:
    """Every field of an observation that has a value, in normal form, as in a trace."""
    found = state_fields(state, drew)
    if "revokes" in found:
        found["revokes"] = normal_revokes(found["revokes"])
    return found


def asserted_field(
    state: State, name: str, drew: tuple[Card, ...] | None = None
) -> Any:
    """One field of an observation in normal form, or None if it has no value."""
    found = FIELDS[name](state)
    if found is None:
        return None
    if name == "revokes":
        return normal_revokes(found)
    if name == "drew" and drew is not None:
        return sequence_text(drew)
    return found


def _passed(passed: CardSet | tuple[tuple[int, Card], ...]) -> str | dict[str, str]:
    return str(passed) if isinstance(passed, CardSet) else _addressed(passed)


def view_fields(view: View) -> Json:
    """What a seat knows, as an object; keys that would say nothing are left out."""
    found: Json = {
        "seat": view.seat,
        "hand": str(view.hand),
        "held": list(view.held),
        "stock": view.stock,
        "kitty": view.kitty,
    }
    if view.passed is not None:
        found["passed"] = _passed(view.passed)
    if view.received is not None:
        found["received"] = _passed(view.received)
    if view.drew:
        found["drew"] = sequence_text(view.drew)
    if view.table is not None:
        found["table"] = table_fields(view.table)
    found["history"] = [trick_fields(trick) for trick in view.history]
    found["hearts_broken"] = view.hearts_broken
    found["points"] = list(view.points)
    if view.legal is not None:
        found["legal"] = due_fields(view.legal)
    found["totals"] = list(view.totals)
    if view.cut:
        found["cut"] = _cut(view.cut)
    return found


# Written: how a game begins


def ruleset_fields(ruleset: Ruleset, every: bool = False) -> Json:
    """The ruleset as an object, with the options that differ from its profile.

    If `every` is true, the object holds every option.
    """
    found: Json = {"profile": ruleset.profile, "players": ruleset.players}
    options = ruleset.options if every else ruleset.changed
    if options:
        found["options"] = option_fields(options)
    return found


def option_fields(options: Mapping[str, Value]) -> Json:
    """The options and their values in JSON form, with lists instead of tuples."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in options.items()
    }


def start_fields(start: Start) -> Json:
    """How a game begins, under the key `setup` or `match`."""
    if isinstance(start, Setup):
        return {"setup": setup_fields(start)}
    match: Json = {}
    if start.dealer is not None:
        match["dealer"] = start.dealer
    if start.pack:
        match["pack"] = str(start.pack)
    return {"match": match}


def setup_fields(setup: Setup) -> Json:
    """A setup, of a deal or of a position in a deal, as an object."""
    found: Json = {"dealer": setup.dealer, "deal": setup.deal}
    if setup.totals and any(setup.totals):
        found["totals"] = list(setup.totals)
    found["hands"] = _texts(setup.hands)
    if setup.stock:
        found["stock"] = sequence_text(setup.stock)
    if setup.kitty:
        found["kitty"] = str(setup.kitty)
    if setup.limit_reached:
        found["limit_reached"] = True
    if setup.leader is not None:
        found |= _position_fields(setup, setup.leader)
    return found


def _position_fields(setup: Setup, leader: int) -> Json:
    found: Json = {"phase": "play", "leader": leader}
    if setup.trick:
        found["trick"] = sequence_text(setup.trick)
    if setup.out:
        found["out"] = list(setup.out)
    if setup.taken and any(setup.taken):
        found["taken"] = _texts(setup.taken)
    if setup.tricks and any(setup.tricks):
        found["tricks"] = list(setup.tricks)
    if setup.hearts_broken:
        found["hearts_broken"] = True
    if setup.first_trick:
        found["first_trick"] = True
    return found


# Read


def act_of(seat: int, line: shapes.Act) -> Act:
    """The act by this seat that a line describes.

    Raises Malformed if a word is not a card, a card appears twice, or a key is not a
    seat.
    """
    key = next(key for key in _ACTS if getattr(line, key) is not UNSET)
    return call_with_place(key.rstrip("_"), _ACTS[key], seat, getattr(line, key))


def pass_of(seat: int, given: str | dict[str, str]) -> Act:
    """The pass by this seat of the cards in `given`.

    `given` is the text of a set of cards or, in a scatter, an object whose keys are
    seats and whose values are the cards that go to them. Raises Malformed if a word is
    not a card, if a card appears twice, or if a key is not a seat.
    """
    if isinstance(given, str):
        return Pass(seat, given)
    return Scatter(seat, {read_seat(to): card for to, card in given.items()})


def choice_of(choice: str | shapes.OneSeat) -> str | int:
    """How the moon is settled: a word, or the number of the one seat that pays."""
    return choice.one if isinstance(choice, shapes.OneSeat) else choice


def _deal(seat: int, line: shapes.DealtCards) -> Act:
    return Deal(
        seat,
        read_sets(line.hands, "hands"),
        call_with_place("stock", to_sequence, line.stock),
        call_with_place("kitty", CardSet, line.kitty),
    )


def _mix(seat: int, line: shapes.MixedCards) -> Act:
    return Mix(
        seat,
        read_sets(line.hands, "hands"),
        call_with_place("kitty", CardSet, line.kitty),
    )


_ACTS: Final[dict[str, Callable[[int, Any], Act]]] = {
    "play": Play,
    "draw": lambda seat, mark: Draw(seat),
    "pass_": pass_of,
    "cut": Cut,
    "deal": _deal,
    "forward": lambda seat, mark: PassUnseen(seat),
    "mix": _mix,
    "retract": Retract,
    "quit": lambda seat, mark: QuitTrick(seat),
    "claim": lambda seat, line: Claim(seat, line.seat, line.trick),
    "moon": lambda seat, choice: MoonChoice(seat, choice_of(choice)),
}


def ruleset_of(line: shapes.RulesetObject) -> Ruleset:
    """The ruleset that a line names.

    Raises Malformed for a name or a value that is not in the book, and Refused if a
    clause forbids the number of players or the combination of options.
    """
    return call_with_place("ruleset", Ruleset, line.profile, line.players, line.options)


def if_given(value: T | UnsetType) -> T | None:
    """The value of a key, or None if the key was not given."""
    return None if isinstance(value, UnsetType) else value


def start_of(
    setup: shapes.SetupObject | UnsetType, match: shapes.MatchObject | UnsetType
) -> Start:
    """How a game begins, from the setup or the match in a line.

    Raises Malformed if a word is not a card, or if one text names a card twice.
    """
    if isinstance(setup, shapes.SetupObject):
        return call_with_place("setup", setup_of, setup)
    assert isinstance(match, shapes.MatchObject)
    return Match(
        if_given(match.dealer), call_with_place("match.pack", CardSet, match.pack)
    )


def setup_of(line: shapes.SetupObject) -> Setup:
    """The deal, or the position in a deal, that the `setup` of a line describes.

    Raises Malformed if a word is not a card, or if one text names a card twice.
    """
    taken = if_given(line.taken)
    return Setup(
        dealer=line.dealer,
        deal=line.deal,
        totals=if_given(line.totals),
        hands=read_sets(line.hands, "hands"),
        stock=call_with_place("stock", to_sequence, line.stock),
        kitty=call_with_place("kitty", CardSet, line.kitty),
        limit_reached=line.limit_reached,
        leader=if_given(line.leader),
        trick=call_with_place("trick", to_sequence, line.trick),
        out=line.out,
        taken=None if taken is None else read_sets(taken, "taken"),
        tricks=if_given(line.tricks),
        hearts_broken=line.hearts_broken,
        first_trick=line.first_trick,
    )
