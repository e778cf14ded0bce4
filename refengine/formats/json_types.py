"""The objects of the formats as typed dictionaries, for programs that hold plain JSON.

`refengine.formats.shapes` defines the same objects as types into which lines are read;
a test keeps the two in step.
"""

from typing import Literal, NotRequired, TypedDict

OptionJson = bool | int | str | list[str]


class RulesetJson(TypedDict):
    """A profile, a number of players, and the options that differ from the profile."""

    profile: str
    players: int
    options: NotRequired[dict[str, OptionJson]]


class MatchJson(TypedDict, total=False):
    """A match that begins with the cut or, given a `dealer`, with the first deal."""

    dealer: int
    pack: str


class SetupJson(TypedDict):
    """A single deal or, if `phase` and `leader` are given, a position in a deal."""

    dealer: int
    deal: int
    totals: NotRequired[list[int]]
    hands: list[str]
    stock: NotRequired[str]
    kitty: NotRequired[str]
    limit_reached: NotRequired[bool]
    phase: NotRequired[Literal["play"]]
    leader: NotRequired[int]
    trick: NotRequired[str]
    out: NotRequired[list[int]]
    taken: NotRequired[list[str]]
    tricks: NotRequired[list[int]]
    hearts_broken: NotRequired[bool]
    first_trick: NotRequired[bool]


class DealtJson(TypedDict):
    """The cards as dealt: the hands and any stock and kitty."""

    hands: list[str]
    stock: NotRequired[str]
    kitty: NotRequired[str]


class MixedJson(TypedDict):
    """The mixed cards as they are dealt back to each seat, and any new kitty."""

    hands: list[str]
    kitty: NotRequired[str]


class ClaimedJson(TypedDict):
    """Whom a claim accuses of a revoke, and in which trick."""

    seat: int
    trick: int


class OneSeatJson(TypedDict):
    """The one seat that pays for the moon."""

    one: int


ChoiceJson = Literal["self_minus", "others_plus"] | OneSeatJson

ActJson = TypedDict(  # `pass` is a keyword of Python, so these cannot be classes
    "ActJson",
    {
        "cut": str,
        "deal": DealtJson,
        "pass": str | dict[str, str],
        "forward": Literal[1],
        "mix": MixedJson,
        "draw": Literal[1],
        "play": str,
        "retract": str,
        "quit": Literal[1],
        "claim": ClaimedJson,
        "moon": ChoiceJson,
    },
    total=False,
)
"""An act without its seat: an object with exactly one key."""

DueJson = TypedDict(
    "DueJson",
    {
        "turn": list[int],
        "cut": NotRequired[int],
        "deal": NotRequired[Literal[1]],
        "pass": NotRequired[int],
        "forward": NotRequired[Literal[1]],
        "mix": NotRequired[Literal[1]],
        "draw": NotRequired[Literal[1]],
        "play": NotRequired[str],
        "moon": NotRequired[list[ChoiceJson]],
        "over": NotRequired[bool],
    },
)
"""What is due: `turn`, one key for its kind and, with `pass`, perhaps `forward`."""


class TrickJson(TypedDict):
    """A completed trick."""

    leader: int
    cards: str
    winner: int


class TableJson(TypedDict):
    """The trick in progress."""

    leader: int
    cards: str


class ViewJson(TypedDict):
    """What one seat knows."""

    seat: int
    hand: str
    held: list[int]
    stock: int
    kitty: int
    passed: NotRequired[str | dict[str, str]]
    received: NotRequired[str | dict[str, str]]
    drew: NotRequired[str]
    table: NotRequired[TableJson]
    history: list[TrickJson]
    hearts_broken: bool
    points: list[int]
    legal: NotRequired[DueJson]
    totals: list[int]
    cut: NotRequired[list[str]]


class EventJson(TypedDict):
    """What one seat is told about an act, and the hand of that seat after it."""

    kind: str
    seat: int
    act: NotRequired[ActJson]
    hand: NotRequired[str]


class StepJson(TypedDict):
    """An act of a game; if it has `breaks`, it was irregular."""

    seat: int
    act: ActJson
    breaks: NotRequired[list[str]]


class GameJson(TypedDict):
    """A game so far: a trace in which nothing is expected."""

    trace: Literal[1]
    id: str
    spec: str
    ruleset: RulesetJson
    setup: NotRequired[SetupJson]
    match: NotRequired[MatchJson]
    steps: list[StepJson]
