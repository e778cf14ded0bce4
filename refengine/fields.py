"""Acts, what is due and what can be seen, as plain JSON values (docs/formats.md)."""

from __future__ import annotations

from typing import Any

from refengine.acts import (
    Act,
    Claim,
    Cut,
    Deal,
    Draw,
    Forward,
    Mix,
    Moon,
    Pass,
    Play,
    Quit,
    Retract,
    Scatter,
)
from refengine.cardset import Card, CardSet
from refengine.legal import Due
from refengine.observe import View
from refengine.state import State
from refengine.tricks import Table, Trick


def sequence(cards: tuple[Card, ...]) -> str:
    """The cards in their order, as text."""
    return " ".join([card.value for card in cards])


def _choice(choice: str | int) -> str | dict[str, int]:
    return {"one": choice} if isinstance(choice, int) else choice


def act_fields(act: Act) -> dict[str, Any]:
    """The act without its seat: an object with exactly one key."""
    match act:
        case Cut(_, card):
            return {"cut": card.value}
        case Deal(_, hands, stock, kitty):
            deal: dict[str, Any] = {"hands": [str(hand) for hand in hands]}
            if stock:
                deal["stock"] = sequence(stock)
            if kitty:
                deal["kitty"] = str(kitty)
            return {"deal": deal}
        case Pass(_, cards):
            return {"pass": str(cards)}
        case Scatter(_, pairs):
            return {"pass": {str(to): card.value for to, card in pairs}}
        case Forward():
            return {"forward": 1}
        case Mix(_, hands, kitty):
            mix: dict[str, Any] = {"hands": [str(hand) for hand in hands]}
            if kitty:
                mix["kitty"] = str(kitty)
            return {"mix": mix}
        case Draw():
            return {"draw": 1}
        case Play(_, card):
            return {"play": card.value}
        case Retract(_, card):
            return {"retract": card.value}
        case Quit():
            return {"quit": 1}
        case Claim(_, against, trick):
            return {"claim": {"seat": against, "trick": trick}}
        case Moon(_, choice):
            return {"moon": _choice(choice)}


def due_fields(due: Due) -> dict[str, Any]:
    """What is due now: `turn`, and one key for what."""
    found: dict[str, Any] = {"turn": list(due.turn)}
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


def trick_fields(trick: Trick) -> dict[str, Any]:
    """A completed trick."""
    return {
        "leader": trick.leader,
        "cards": sequence(trick.cards),
        "winner": trick.winner,
    }


def table_fields(table: Table) -> dict[str, Any]:
    """A trick in progress."""
    return {"leader": table.leader, "cards": sequence(table.cards)}


def _texts(sets: tuple[CardSet, ...]) -> list[str]:
    return [str(one) for one in sets]


def _cut(cards: tuple[Card | None, ...]) -> list[str]:
    return [card.value if card else "" for card in cards]


def match_fields(state: State) -> dict[str, Any]:
    """Whether the match is over, and who won it."""
    if state.winners is None:
        return {"over": False}
    return {"over": True, "winners": list(state.winners)}


def state_fields(state: State) -> dict[str, Any]:
    """Every field of an observation that there is at this moment."""
    fields: dict[str, Any] = {
        "phase": state.phase,
        "turn": list(state.turn),
        "totals": list(state.totals),
        "match": match_fields(state),
        "over": state.over,
    }
    if state.dealer is not None:
        fields["dealer"] = state.dealer
        fields["deal"] = state.deal
    if state.cut:
        fields["cut"] = _cut(state.cut)
    if state.hands:
        fields |= _deal_fields(state)
    if state.table is not None:
        fields["table"] = table_fields(state.table)
    if state.score is not None:
        fields["score"] = list(state.score)
    if state.completed is not None:
        fields["trick"] = trick_fields(state.completed)
    return fields


def _deal_fields(state: State) -> dict[str, Any]:
    return {
        "hearts_broken": state.hearts_broken,
        "drew": sequence(state.drew),
        "out": list(state.out),
        "hands": _texts(state.hands),
        "taken": _texts(state.taken),
        "tricks": list(state.tricks),
        "stock": sequence(state.stock),
        "kitty": str(state.kitty),
        "points": list(state.points),
        "revokes": [
            {"seat": note.seat, "trick": note.trick, "state": note.state}
            for note in state.revokes
        ],
    }


def _passed(
    passed: CardSet | tuple[tuple[int, Card], ...],
) -> str | dict[str, str]:
    if isinstance(passed, CardSet):
        return str(passed)
    return {str(seat): card.value for seat, card in passed}


def view_fields(view: View) -> dict[str, Any]:
    """What a seat knows; keys with nothing to say are left out."""
    fields: dict[str, Any] = {
        "seat": view.seat,
        "hand": str(view.hand),
        "held": list(view.held),
        "stock": view.stock,
        "kitty": view.kitty,
        "history": [trick_fields(trick) for trick in view.history],
        "hearts_broken": view.hearts_broken,
        "points": list(view.points),
        "totals": list(view.totals),
    }
    if view.passed is not None:
        fields["passed"] = _passed(view.passed)
    if view.received is not None:
        fields["received"] = _passed(view.received)
    if view.drew:
        fields["drew"] = sequence(view.drew)
    if view.table is not None:
        fields["table"] = table_fields(view.table)
    if view.legal is not None:
        fields["legal"] = due_fields(view.legal)
    if view.cut:
        fields["cut"] = _cut(view.cut)
    return fields
