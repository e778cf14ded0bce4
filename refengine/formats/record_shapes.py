"""The form of a line that records what one seat was told during a game, act by act."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType, field

from refengine.formats.shapes import (
    Act,
    BySeat,
    Cards,
    Line,
    Mark,
    MatchObject,
    Natural,
    Number,
    Positive,
    RulesetObject,
    Seat,
    ToldKind,
    check_one_start,
    check_phase_and_leader,
)


class SeenSetupObject(Line, frozen=True, kw_only=True):
    """The start of a deal, or a position in a deal, as far as one seat may see it."""

    dealer: Seat
    deal: Positive = 1
    totals: list[Number] | UnsetType = UNSET
    hand: Cards
    held: list[Natural]
    pack: Cards
    stock: Natural = 0
    kitty: Natural = 0
    limit_reached: bool = False
    leads: Seat | UnsetType = UNSET
    phase: Literal["play"] | UnsetType = UNSET
    leader: Seat | UnsetType = UNSET
    trick: Cards = ""
    out: list[Seat] = field(default_factory=list)
    taken: list[Cards] | UnsetType = UNSET
    tricks: list[Natural] | UnsetType = UNSET
    hearts_broken: bool = False
    first_trick: bool = False

    def __post_init__(self) -> None:
        """Raise Malformed unless `phase` and `leader` are given together."""
        check_phase_and_leader(self.phase, self.leader)


class AnnouncedObject(Line, frozen=True, kw_only=True):
    """What one seat is told about an act, and what is announced along with the act."""

    seat: Seat
    kind: ToldKind
    act: Act | UnsetType = UNSET
    hand: Cards = ""
    leader: Seat | UnsetType = UNSET
    received: BySeat | UnsetType = UNSET
    totals: list[Number] | UnsetType = UNSET


class RecordObject(Line, frozen=True, kw_only=True):
    """All that one seat was told during a game."""

    record: Mark
    ruleset: RulesetObject
    seat: Seat
    setup: SeenSetupObject | UnsetType = UNSET
    match: MatchObject | UnsetType = UNSET
    told: list[AnnouncedObject] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Raise Malformed unless there is either a setup or a match."""
        check_one_start(self.setup, self.match)
