"""The requests and answers of the adapter protocol, as types."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, get_args

from msgspec import UNSET, Meta, UnsetType, field

from refengine.errors import Malformed
from refengine.formats.shapes import (
    Act,
    BareTrace,
    Cards,
    ClauseNumber,
    DueNow,
    DueObject,
    Fields,
    Line,
    MatchObject,
    Natural,
    Number,
    OptionValue,
    Positive,
    RulesetObject,
    Scored,
    Seat,
    SetupObject,
    SpecVersion,
    ToldKind,
    ViewObject,
    check_clauses,
    check_exactly_one_key,
    check_one_start,
)

# Requests of the adapter protocol


class HelloRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="hello"):
    """A request to say which engine the adapter connects, and what it can do."""

    seq: Number
    protocol: Number


class OpenRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="open"):
    """A request to begin a game and to forget any earlier game."""

    seq: Number
    ruleset: RulesetObject
    setup: SetupObject | UnsetType = UNSET
    match: MatchObject | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless there is either a setup or a match."""
        check_one_start(self.setup, self.match)


class LegalRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="legal"):
    """A request to say which acts are due now."""

    seq: Number


class StepRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="step"):
    """A request to apply an act to the game."""

    seq: Number
    seat: Seat
    act: Act


class ProbeRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="probe"):
    """A request to say what the answer to an act would be, without applying it."""

    seq: Number
    seat: Seat
    act: Act


class ObserveRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="observe"):
    """A request to describe the game: all of it, or what one seat can see of it."""

    seq: Number
    seat: Seat | UnsetType = UNSET


class EventRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="event"):
    """A request to say what one seat was told about the last act."""

    seq: Number
    seat: Seat


class ReplayRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="replay"):
    """A request to replay a whole trace."""

    seq: Number
    trace: BareTrace


class EnumerateRequest(
    Line, frozen=True, kw_only=True, tag_field="op", tag="enumerate"
):
    """A request to count all games that can be played from the current state on."""

    seq: Number
    limit: Positive


class ByeRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="bye"):
    """A request to end the conversation."""

    seq: Number = 0


Request = (
    HelloRequest
    | OpenRequest
    | LegalRequest
    | StepRequest
    | ProbeRequest
    | ObserveRequest
    | EventRequest
    | ReplayRequest
    | EnumerateRequest
    | ByeRequest
)
OPS: Final = tuple(str(one.__struct_config__.tag) for one in get_args(Request))

CAPABILITIES: Final = (
    "step",
    "legal",
    "probe",
    "clause",
    "clauses",
    "observe",
    "views",
    "events",
    "openings",
    "replay",
    "enumerate",
    "setup.position",
    "match",
    "given_deals",
    "pass",
    "scatter",
    "mix",
    "forward",
    "stock",
    "kitty",
    "moon.choice",
    "revokes",
)
"""What an adapter can declare that it supports."""

# Answers of the adapter protocol

_Players = Annotated[int, Meta(ge=2, le=13)]


class Deviation(Line, frozen=True, kw_only=True):
    """A clause of the book that an engine does not follow, and a note that says why."""

    clause: ClauseNumber
    note: str


class TableObject(Line, frozen=True, kw_only=True):
    """A description of games that an engine can play; only `profile` is required.

    `hands` is the number of cards dealt to each seat, `full` for the number when the
    whole pack is dealt, or `any` for every number. `cards` holds the cards that must be
    in play.
    """

    profile: str
    players: list[_Players] = field(default_factory=list)
    options: dict[str, OptionValue] = field(default_factory=dict)
    hands: Literal["full", "any"] | Positive = "any"
    starts: list[Literal["deal", "position", "match", "match-dealer"]] = field(
        default_factory=list
    )
    pack: Literal["full", "any"] | UnsetType = UNSET
    cards: Cards = ""


class HelloOk(Line, frozen=True, kw_only=True):
    """What an engine is and can do; `spec` is the edition for which it was written."""

    protocol: Number
    name: str
    version: str
    language: str
    profiles: list[str] | Literal["any"]
    players: list[_Players] | Literal["any"]
    capabilities: list[str]
    deviations: list[Deviation] = field(default_factory=list)
    tables: list[TableObject] = field(default_factory=list)
    spec: SpecVersion = "1.0.0"

    def __post_init__(self) -> None:
        """Raise Malformed for a capability that the protocol does not have."""
        for place, name in enumerate(self.capabilities):
            if name not in CAPABILITIES:
                allowed = f"one of {', '.join(CAPABILITIES)}"
                raise Malformed(f"{name!r:.40}", allowed, f"capabilities[{place}]")


class StepOk(Line, frozen=True, kw_only=True):
    """The answer that an act has been applied or, in a probe, would be applied.

    If the act is irregular, `breaks` holds the clauses that it breaks.
    """

    breaks: list[ClauseNumber] | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed if `breaks` is given but is not a list of clause numbers.

        Also raise it if the list is empty or holds a number twice.
        """
        if not isinstance(self.breaks, UnsetType):
            check_clauses(self.breaks, "breaks")


class EventOk(Line, frozen=True, kw_only=True):
    """What a seat was told about the last act, with `act` only if it may know that."""

    kind: ToldKind
    seat: Seat
    act: Act | UnsetType = UNSET


class Refusal(Line, frozen=True, kw_only=True):
    """The answer that an act is refused, and the clauses if the engine names any."""

    clauses: list[ClauseNumber] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Raise Malformed unless the clauses are clause numbers, each given once."""
        if self.clauses:
            check_clauses(self.clauses, "clauses")


class Verdict(Line, frozen=True, kw_only=True):
    """The answer for one act in a replay: the answer to `step`, without `seq`."""

    ok: StepOk | UnsetType = UNSET
    refused: Refusal | UnsetType = UNSET
    unsupported: str | UnsetType = UNSET
    error: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless exactly one key is given."""
        check_exactly_one_key(self, ())


class StepReplayed(Line, frozen=True, kw_only=True):
    """An engine's results for one step of a trace that it has replayed."""

    legal: DueObject | UnsetType = UNSET
    answer: Verdict
    refuse: list[Verdict] | UnsetType = UNSET
    irregular: list[Verdict] | UnsetType = UNSET
    then: Fields | UnsetType = UNSET


class ReplayOk(Line, frozen=True, kw_only=True):
    """An engine's results for a trace that it has replayed."""

    steps: list[StepReplayed]
    end: Fields | UnsetType = UNSET


class EnumerateOk(Line, frozen=True, kw_only=True):
    """The counts of all games of a small deal."""

    games: Natural
    plies: list[Natural]
    divide: dict[str, Natural]
    scores: list[Scored]


class Empty(Line, frozen=True):
    """The answer to a request that has been carried out and has no result."""


class Answer(Line, frozen=True, kw_only=True):
    """Any answer, with exactly one key besides `seq`.

    The form of `ok` depends on the request that is answered.
    """

    seq: Number | UnsetType = UNSET
    ok: dict[str, Any] | UnsetType = UNSET
    refused: Refusal | UnsetType = UNSET
    unsupported: str | UnsetType = UNSET
    error: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless exactly one key is given."""
        check_exactly_one_key(self, ("seq",))


OK_OF: Final[dict[str, type[Line]]] = {
    "hello": HelloOk,
    "open": Empty,
    "legal": DueNow,
    "step": StepOk,
    "probe": StepOk,
    "observe": Fields,
    "observe of a seat": ViewObject,
    "event": EventOk,
    "replay": ReplayOk,
    "enumerate": EnumerateOk,
}
"""The type of the value under `ok` in the answer to each op."""
