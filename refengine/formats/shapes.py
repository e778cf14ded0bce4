"""The objects that make up the lines of every format, as types."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field, structs

from refengine.errors import Malformed

LARGEST: Final = 2**31 - 1
CLAUSE: Final = r"(0|[1-9][0-9]?)\.([1-9][0-9]{0,2})([a-hjkmnp-z]?)"
ID: Final = r"-[0-9a-f]{16}"
SPEC: Final = r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})"

Number = Annotated[int, Meta(ge=-LARGEST - 1, le=LARGEST)]
Positive = Annotated[int, Meta(ge=1, le=LARGEST)]
Natural = Annotated[int, Meta(ge=0, le=LARGEST)]
Seat = Annotated[int, Meta(ge=0, le=12)]
Mark = Literal[1]
Cards = Annotated[str, Meta(extra_json_schema={"x-is": "cards"})]
OneCard = Annotated[str, Meta(extra_json_schema={"x-is": "card"})]
CardOrNone = Annotated[str, Meta(extra_json_schema={"x-is": "card or none"})]
ClauseNumber = Annotated[str, Meta(extra_json_schema={"x-is": "clause"})]
SpecVersion = Annotated[str, Meta(extra_json_schema={"x-is": "spec"})]
TraceId = Annotated[str, Meta(extra_json_schema={"x-is": "trace id"})]
MiniId = Annotated[str, Meta(extra_json_schema={"x-is": "mini id"})]
BySeat = Annotated[dict[str, OneCard], Meta(extra_json_schema={"x-is": "by seat"})]
OptionValue = bool | Number | str | list[str]

_CLAUSE: Final = re.compile(CLAUSE)


class Line(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The base class of every object in a line, frozen and without unknown keys."""


@cache
def _attributes(line: type[Line], beside: tuple[str, ...]) -> dict[str, str]:
    """The attribute for each key that an object may have, except those in `beside`."""
    pairs = zip(line.__struct_encode_fields__, line.__struct_fields__, strict=True)
    return {key: name for key, name in pairs if key not in beside}


def check_exactly_one_key(line: Line, beside: tuple[str, ...]) -> None:
    """Raise Malformed unless exactly one key is given, apart from those in `beside`."""
    values = structs.astuple(line)
    if not beside and values.count(UNSET) == len(values) - 1:
        return
    names = _attributes(type(line), beside)
    given = [key for key, name in names.items() if getattr(line, name) is not UNSET]
    if len(given) != 1:
        found = f"the keys {', '.join(given)}" if given else "none of the keys"
        raise Malformed(found, f"exactly one of {', '.join(names)}")


# Ruleset, setup, match


class RulesetObject(Line, frozen=True, kw_only=True):
    """A profile, a number of players, and the options that differ from the profile."""

    profile: str
    players: Positive
    options: dict[str, OptionValue] = {}


class MatchObject(Line, frozen=True, kw_only=True):
    """A match that begins with the cut or, given a `dealer`, with the first deal."""

    dealer: Seat | UnsetType = UNSET
    pack: Cards = ""


class SetupObject(Line, frozen=True, kw_only=True):
    """A single deal or, if `phase` and `leader` are given, a position in a deal."""

    dealer: Seat
    deal: Positive
    totals: list[Number] | UnsetType = UNSET
    hands: list[Cards]
    stock: Cards = ""
    kitty: Cards = ""
    limit_reached: bool = False
    phase: Literal["play"] | UnsetType = UNSET
    leader: Seat | UnsetType = UNSET
    trick: Cards = ""
    out: list[Seat] = []
    taken: list[Cards] | UnsetType = UNSET
    tricks: list[Natural] | UnsetType = UNSET
    hearts_broken: bool = False
    first_trick: bool = False

    def __post_init__(self) -> None:
        """Raise Malformed unless `phase` and `leader` are given together."""
        check_phase_and_leader(self.phase, self.leader)


def check_phase_and_leader(phase: str | UnsetType, leader: int | UnsetType) -> None:
    """Raise Malformed unless `phase` and `leader` are given together."""
    if (phase is UNSET) != (leader is UNSET):
        found = "phase without leader" if leader is UNSET else "no phase"
        raise Malformed(found, 'in a position "phase": "play" and a leader')


# Acts and what is due


class DealtCards(Line, frozen=True, kw_only=True):
    """The cards as dealt: the hands and any stock and kitty."""

    hands: list[Cards]
    stock: Cards = ""
    kitty: Cards = ""


class MixedCards(Line, frozen=True, kw_only=True):
    """The mixed cards as they are dealt back to each seat, and any new kitty."""

    hands: list[Cards]
    kitty: Cards = ""


class Claimed(Line, frozen=True, kw_only=True):
    """Whom a claim accuses of a revoke, and in which trick."""

    seat: Seat
    trick: Positive


class OneSeat(Line, frozen=True, kw_only=True):
    """The one seat that pays for the moon."""

    one: Seat


Choice = Literal["self_minus", "others_plus"] | OneSeat


class Act(Line, frozen=True, kw_only=True):
    """An act without its seat: an object with exactly one key."""

    cut: OneCard | UnsetType = UNSET
    deal: DealtCards | UnsetType = UNSET
    pass_: Cards | BySeat | UnsetType = field(name="pass", default=UNSET)
    forward: Mark | UnsetType = UNSET
    mix: MixedCards | UnsetType = UNSET
    draw: Mark | UnsetType = UNSET
    play: OneCard | UnsetType = UNSET
    retract: OneCard | UnsetType = UNSET
    quit: Mark | UnsetType = UNSET
    claim: Claimed | UnsetType = UNSET
    moon: Choice | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless exactly one key is given."""
        check_exactly_one_key(self, ())


class DueObject(Line, frozen=True):
    """What is due: one key for its kind and, with `pass`, perhaps `forward`."""

    cut: Natural | UnsetType = UNSET
    deal: Mark | UnsetType = UNSET
    pass_: Natural | UnsetType = field(name="pass", default=UNSET)
    forward: Mark | UnsetType = UNSET
    mix: Mark | UnsetType = UNSET
    draw: Mark | UnsetType = UNSET
    play: Cards | UnsetType = UNSET
    moon: list[Choice] | UnsetType = UNSET
    over: bool | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless exactly one thing is due.

        Also raise it for `forward` without `pass`, and if `over` is false.
        """
        check_exactly_one_key(self, ("turn", "forward"))
        if self.forward is not UNSET and self.pass_ is UNSET:
            raise Malformed("forward without pass", "forward only together with pass")
        if self.over is False:
            raise Malformed("over: false", "over: true, or no such key")


class DueNow(DueObject, frozen=True, kw_only=True):
    """What is due, with the seats that are to act."""

    turn: list[Seat]


# What can be seen


class TrickDone(Line, frozen=True, kw_only=True):
    """A completed trick."""

    leader: Seat
    cards: Cards
    winner: Seat


class TableNow(Line, frozen=True, kw_only=True):
    """The trick in progress."""

    leader: Seat
    cards: Cards


class RevokeObject(Line, frozen=True, kw_only=True):
    """A revoke in the deal."""

    seat: Seat
    trick: Positive
    state: Literal["open", "corrected", "standing", "established"]


class MatchNow(Line, frozen=True, kw_only=True):
    """Whether the match is over, and who won."""

    over: bool
    winners: list[Seat] | UnsetType = UNSET


class ViewObject(Line, frozen=True, kw_only=True):
    """What one seat knows."""

    seat: Seat
    hand: Cards | UnsetType = UNSET
    held: list[Natural] | UnsetType = UNSET
    stock: Natural | UnsetType = UNSET
    kitty: Natural | UnsetType = UNSET
    passed: Cards | BySeat | UnsetType = UNSET
    received: Cards | BySeat | UnsetType = UNSET
    drew: Cards | UnsetType = UNSET
    table: TableNow | UnsetType = UNSET
    history: list[TrickDone] | UnsetType = UNSET
    hearts_broken: bool | UnsetType = UNSET
    points: list[Number] | UnsetType = UNSET
    legal: DueNow | UnsetType = UNSET
    totals: list[Number] | UnsetType = UNSET
    cut: list[CardOrNone] | UnsetType = UNSET


class WholeView(ViewObject, frozen=True, kw_only=True):
    """What one seat knows, with every key that all views contain."""

    hand: Cards
    held: list[Natural]
    stock: Natural
    kitty: Natural
    history: list[TrickDone]
    hearts_broken: bool
    points: list[Number]
    totals: list[Number]


class Fields(Line, frozen=True, kw_only=True):
    """What a trace asserts, or an engine reports, about one moment of a game."""

    cut: list[CardOrNone] | UnsetType = UNSET
    phase: Literal["cut", "deal", "pass", "mix", "play", "moon", "over"] | UnsetType = (
        UNSET
    )
    turn: list[Seat] | UnsetType = UNSET
    dealer: Seat | UnsetType = UNSET
    deal: Positive | UnsetType = UNSET
    trick: TrickDone | UnsetType = UNSET
    table: TableNow | UnsetType = UNSET
    hearts_broken: bool | UnsetType = UNSET
    drew: Cards | UnsetType = UNSET
    out: list[Seat] | UnsetType = UNSET
    hands: list[Cards] | UnsetType = UNSET
    taken: list[Cards] | UnsetType = UNSET
    tricks: list[Natural] | UnsetType = UNSET
    stock: Cards | UnsetType = UNSET
    kitty: Cards | UnsetType = UNSET
    points: list[Number] | UnsetType = UNSET
    revokes: list[RevokeObject] | UnsetType = UNSET
    score: list[Number] | UnsetType = UNSET
    totals: list[Number] | UnsetType = UNSET
    match: MatchNow | UnsetType = UNSET
    over: bool | UnsetType = UNSET
    view: ViewObject | UnsetType = UNSET


# Traces, logs, mini-deals


class AskedObject(Line, frozen=True, kw_only=True):
    """A probe: an act that is not carried out, and the clauses that it should break."""

    act: Act
    clauses: list[ClauseNumber]
    seat: Seat | UnsetType = UNSET


class Question(Line, frozen=True, kw_only=True):
    """A probe: an act that is not carried out; any clauses given are ignored."""

    act: Act
    clauses: list[str] = []
    seat: Seat | UnsetType = UNSET


ToldKind = Literal[
    "cut",
    "deal",
    "pass",
    "scatter",
    "forward",
    "mix",
    "draw",
    "play",
    "retract",
    "quit",
    "claim",
    "moon",
]


class ToldObject(Line, frozen=True, kw_only=True):
    """What a seat is told about an act: its kind, and the act if it may know that."""

    seat: Seat
    kind: ToldKind
    act: Act | UnsetType = UNSET


class EventObject(Line, frozen=True, kw_only=True):
    """What one seat is told about an act, and the hand of that seat after it."""

    kind: ToldKind
    seat: Seat
    act: Act | UnsetType = UNSET
    hand: Cards = ""


class OpeningObject(Line, frozen=True, kw_only=True):
    """A statement that the game cannot begin, with the clauses that forbid it."""

    clauses: list[ClauseNumber]


class StepObject(Line, frozen=True, kw_only=True):
    """One act of a trace, and what is expected before and after it."""

    seat: Seat
    act: Act
    legal: Cards | DueObject | UnsetType = UNSET
    breaks: list[ClauseNumber] | UnsetType = UNSET
    refuse: list[AskedObject] = []
    irregular: list[AskedObject] = []
    then: Fields | UnsetType = UNSET
    told: list[ToldObject] = []


class BareStep(Line, frozen=True, kw_only=True):
    """One act of a trace that an engine is to replay without judging expectations."""

    seat: Seat
    act: Act
    legal: Cards | DueObject | UnsetType = UNSET
    breaks: list[ClauseNumber] | UnsetType = UNSET
    refuse: list[Question] = []
    irregular: list[Question] = []
    then: Fields | UnsetType = UNSET
    told: list[ToldObject] = []


class TraceObject(Line, frozen=True, kw_only=True):
    """A trace: a game, and what is expected at its steps and at its end."""

    trace: Mark
    id: TraceId
    spec: SpecVersion
    name: str = ""
    ruleset: RulesetObject
    setup: SetupObject | UnsetType = UNSET
    match: MatchObject | UnsetType = UNSET
    steps: list[StepObject]
    end: Fields | UnsetType = UNSET
    opening: OpeningObject | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless there is either a setup or a match.

        Also raise it if a refused opening has steps or an end.
        """
        check_one_start(self.setup, self.match)
        if self.opening is not UNSET and (self.steps or self.end is not UNSET):
            found = "steps" if self.steps else "end"
            raise Malformed(found, "no steps and no end with opening")


class BareTrace(Line, frozen=True, kw_only=True):
    """A trace that an engine is to replay without judging expectations."""

    trace: Mark
    id: str = ""
    spec: str = ""
    name: str = ""
    ruleset: RulesetObject
    setup: SetupObject | UnsetType = UNSET
    match: MatchObject | UnsetType = UNSET
    steps: list[BareStep]
    end: Fields | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless there is either a setup or a match."""
        check_one_start(self.setup, self.match)


def check_one_start(setup: Line | UnsetType, match: Line | UnsetType) -> None:
    """Raise Malformed unless there is either a setup or a match."""
    if (setup is UNSET) == (match is UNSET):
        found = "neither setup nor match" if setup is UNSET else "setup and match"
        raise Malformed(found, "exactly one of setup, match")


class LogObject(Line, frozen=True, kw_only=True):
    """A deal as another program logged it."""

    log: Mark
    ruleset: RulesetObject
    setup: SetupObject
    pass_: list[Cards | BySeat] | UnsetType = field(name="pass", default=UNSET)
    plays: Cards = ""
    seats: list[Seat] | UnsetType = UNSET
    moon: Choice | UnsetType = UNSET
    score: list[Number] | UnsetType = UNSET
    totals: list[Number] | UnsetType = UNSET


class Scored(Line, frozen=True, kw_only=True):
    """A score, and the number of games that end with it."""

    score: list[Number]
    games: Positive


class MiniObject(Line, frozen=True, kw_only=True):
    """A small deal, with the counts of all its games."""

    mini: Mark
    id: MiniId
    spec: SpecVersion
    ruleset: RulesetObject
    setup: SetupObject
    games: Natural
    plies: list[Natural]
    divide: dict[str, Natural]
    scores: list[Scored]


class MiniAsked(Line, frozen=True, kw_only=True):
    """A small deal whose games are to be counted."""

    mini: Mark
    id: str = ""
    spec: str = ""
    ruleset: RulesetObject
    setup: SetupObject
    games: Natural = 0
    plies: list[Natural] = []
    divide: dict[str, Natural] = {}
    scores: list[Scored] = []


# Clause numbers


def check_clauses(clauses: list[str], where: str) -> tuple[str, ...]:
    """The clause numbers in the order of the book.

    Raises Malformed for anything that is not a clause number, for a number given twice,
    and for an empty list.
    """
    if not clauses:
        raise Malformed("no clause", "at least one", where)
    for number in clauses:
        if not _order(number):
            raise Malformed(f"{number!r:.40}", "a clause number such as 5.4b", where)
    if len(set(clauses)) != len(clauses):
        raise Malformed("a clause twice", "each clause once", where)
    return tuple(sorted(clauses, key=lambda number: _order(number) or (0, 0, "")))


@lru_cache(1000)
def _order(number: str) -> tuple[int, int, str] | None:
    """The key by which a clause number is sorted, or None if it is not well formed."""
    match = _CLAUSE.fullmatch(number)
    return (int(match[1]), int(match[2]), match[3]) if match else None
