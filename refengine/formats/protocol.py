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
    """Say who you are, and what you can do."""

    seq: Number
    protocol: Number


class OpenRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="open"):
    """Begin a game and forget the one before."""

    seq: Number
    ruleset: RulesetObject
    setup: SetupObject | UnsetType = UNSET
    match: MatchObject | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless there is either a setup or a match."""
        check_one_start(self.setup, self.match)


class LegalRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="legal"):
    """Say what is due now."""

    seq: Number


class StepRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="step"):
    """Apply this act."""

    seq: Number
    seat: Seat
    act: Act


class ProbeRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="probe"):
    """Say what the answer to this act would be."""

    seq: Number
    seat: Seat
    act: Act


class ObserveRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="observe"):
    """Say what can be seen, overall or by one seat."""

    seq: Number
    seat: Seat | UnsetType = UNSET


class EventRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="event"):
    """Say what one seat was told of the last act."""

    seq: Number
    seat: Seat


class ReplayRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="replay"):
    """Replay a whole trace."""

    seq: Number
    trace: BareTrace


class EnumerateRequest(
    Line, frozen=True, kw_only=True, tag_field="op", tag="enumerate"
):
    """Count all games from here on."""

    seq: Number
    limit: Positive


class ByeRequest(Line, frozen=True, kw_only=True, tag_field="op", tag="bye"):
    """End the conversation."""

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
    """Where an engine knowingly departs from the book, and why."""

    clause: ClauseNumber
    note: str


class TableObject(Line, frozen=True, kw_only=True):
    """Games of one profile that an engine plays; only `profile` is required.

    `hands` is the number of cards dealt to each seat, or `full` for the number that the
    whole pack gives, or `any`. `cards` holds the cards that must be in play.
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
    """An engine and what it can do; `spec` is the edition for which it was written."""

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
    """The act is applied, or would be; it is irregular if it breaks clauses."""

    breaks: list[ClauseNumber] | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless any `breaks` given are clause numbers, each once."""
        if not isinstance(self.breaks, UnsetType):
            check_clauses(self.breaks, "breaks")


class EventOk(Line, frozen=True, kw_only=True):
    """What a seat was told of the last act, with `act` only if it may be known."""

    kind: ToldKind
    seat: Seat
    act: Act | UnsetType = UNSET


class Refusal(Line, frozen=True, kw_only=True):
    """The act is refused, by these clauses if the engine names any."""

    clauses: list[ClauseNumber] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Raise Malformed unless the clauses are clause numbers, each given once."""
        if self.clauses:
            check_clauses(self.clauses, "clauses")


class Verdict(Line, frozen=True, kw_only=True):
    """The answer for one act in a replay: like the answer to `step`, without `seq`."""

    ok: StepOk | UnsetType = UNSET
    refused: Refusal | UnsetType = UNSET
    unsupported: str | UnsetType = UNSET
    error: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless exactly one key is given."""
        check_exactly_one_key(self, ())


class StepReplayed(Line, frozen=True, kw_only=True):
    """What happened at one step of a trace."""

    legal: DueObject | UnsetType = UNSET
    answer: Verdict
    refuse: list[Verdict] | UnsetType = UNSET
    irregular: list[Verdict] | UnsetType = UNSET
    then: Fields | UnsetType = UNSET


class ReplayOk(Line, frozen=True, kw_only=True):
    """What happened in a trace."""

    steps: list[StepReplayed]
    end: Fields | UnsetType = UNSET


class EnumerateOk(Line, frozen=True, kw_only=True):
    """The counts of all games of a small deal."""

    games: Natural
    plies: list[Natural]
    divide: dict[str, Natural]
    scores: list[Scored]


class Empty(Line, frozen=True):
    """Done, with nothing more to say."""


class Answer(Line, frozen=True, kw_only=True):
    """An answer: exactly one key besides `seq`; the type of `ok` depends on the op."""

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
