"""The values of a written record of a match, any part of which may be unknown.

These values hold what a record says, right or wrong, without regard to the rules. Seats
are numbered as elsewhere, from 0 on, to the left. What the record does not say is None
or empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import attrs

from refengine.chapters.table import SEATS
from refengine.errors import Malformed, harmless
from refengine.formats.written.names_written import check_names
from refengine.game.acts import (
    Act,
    Claim,
    Cut,
    Draw,
    MoonChoice,
    Pass,
    PassUnseen,
    QuitTrick,
    Retract,
    Scatter,
    to_number,
    to_seat_or_none,
)
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import Card, CardSet

Numbers = tuple[int, ...]
Hands = tuple[CardSet | None, ...]
"""A hand for each seat (None if nobody wrote it down), or empty if there are none."""

PassAct = Pass | Scatter | PassUnseen
Happened = Claim | Draw | MoonChoice | QuitTrick | Retract
"""What can happen in play besides plays; a `Draw` here is not followed by a play."""

DIRECTIONS: Final = ("left", "right", "across", "hold", "scatter", "mix")
"""The words for a pass, which are the entries in the pass cycle."""

_REMARK_IN_NAME: Final = re.compile(r"[{}#%]|//")


def _number_or_none(value: object) -> int | None:
    return None if value is None else to_number(value)


@attrs.frozen(kw_only=True)
class Laid:
    """A card of a trick; `card` is None if it was played but nobody wrote it down.

    `seat` is who played the card, if that is written next to the card itself. `drew` is
    how many cards were drawn before it was played, and `revoke` says whether it was
    marked as a revoke.
    """

    card: Card | None
    seat: int | None = attrs.field(default=None, converter=to_seat_or_none)
    drew: int = 0
    revoke: bool = False


@attrs.frozen(kw_only=True)
class WrittenTrick:
    """A trick as a record gives it, which may be only a part of the trick.

    The cards are in the order played, unless all have seats: then their order means
    nothing unless `in_order` is true, as when somebody played out of turn, and if there
    is no `leader`, it is unknown who led. If `goes_on` is true, the cards come after
    those of the trick that are already on the table, as when a card has been taken
    back. `winner` is the seat that won according to the record, whoever won by the
    rules, and `points` are the points that the record gives for the trick.
    """

    cards: tuple[Laid, ...]
    leader: int | None = attrs.field(default=None, converter=to_seat_or_none)
    winner: int | None = attrs.field(default=None, converter=to_seat_or_none)
    goes_on: bool = False
    points: int | None = None
    in_order: bool = False


@attrs.frozen(kw_only=True)
class WrittenDeal:
    """A deal as it was written down.

    `dealt` holds the hands before the pass and `held` those after it; if no cards were
    passed, they are in `dealt`. `course` holds the tricks and whatever else happened,
    in order. `before` holds the totals before the deal, and `reached` says whether the
    limit had been reached by then. If the deal is known only from some moment of its
    play on, `position` is that moment, as a line that `refengine.formats.positions`
    writes. `cuts` holds the acts of a cut written down between the deal before and this
    one. `remarks` holds comments for people.
    """

    number: int | None = attrs.field(default=None, converter=_number_or_none)
    cuts: tuple[Cut, ...] = ()
    dealer: int | None = attrs.field(default=None, converter=to_seat_or_none)
    direction: str = ""
    before: Numbers = ()
    reached: bool = False
    position: str = ""
    dealt: Hands = ()
    stock: tuple[Card, ...] = ()
    kitty: CardSet | None = None
    passes: tuple[PassAct, ...] = ()
    mixed: bool = False
    held: Hands = ()
    course: tuple[WrittenTrick | Happened, ...] = ()
    score: Numbers = ()
    totals: Numbers = ()
    winners: Numbers = ()
    remarks: tuple[str, ...] = ()

    @property
    def tricks(self) -> tuple[WrittenTrick, ...]:
        """The tricks of the deal, each as a whole even if another act interrupted it.

        A card that was taken back is left out and so, if the cards are in the order
        played, are the cards between its play and its retraction (7.5).
        """
        found: list[WrittenTrick] = []
        for one in self.course:
            if isinstance(one, Retract) and found:
                found[-1] = _without(found[-1], one.card)
            elif isinstance(one, WrittenTrick) and one.goes_on and found:
                found[-1] = attrs.evolve(
                    found[-1],
                    cards=(*found[-1].cards, *one.cards),
                    winner=one.winner,
                    points=one.points,
                )
            elif isinstance(one, WrittenTrick):
                found.append(one)
        return tuple(found)


def _without(trick: WrittenTrick, card: Card) -> WrittenTrick:
    """Return the trick without a card that has been taken back.

    If the record names the card twice, the later one goes. If the cards are in the
    order played, the cards after it go too (7.5).
    """
    in_order = trick.in_order or None in [one.seat for one in trick.cards]
    for place in reversed(range(len(trick.cards))):
        if trick.cards[place].card == card:
            after = () if in_order else trick.cards[place + 1 :]
            cards = (*trick.cards[:place], *after)
            return attrs.evolve(trick, cards=cards, winner=None, points=None)
    return trick


@attrs.define
class DealSoFar:
    """A deal as known so far: the fields of a WrittenDeal, with the hands by seat."""

    number: int | None = None
    cuts: list[Cut] = attrs.field(factory=list)
    dealer: int | None = None
    direction: str = ""
    before: Numbers = ()
    reached: bool = False
    position: str = ""
    dealt: dict[int, CardSet] = attrs.field(factory=dict)
    stock: tuple[Card, ...] = ()
    kitty: CardSet | None = None
    passes: list[PassAct] = attrs.field(factory=list)
    mixed: bool = False
    held: dict[int, CardSet] = attrs.field(factory=dict)
    course: list[WrittenTrick | Happened] = attrs.field(factory=list)
    score: Numbers = ()
    totals: Numbers = ()
    winners: Numbers = ()
    remarks: list[str] = attrs.field(factory=list)

    def written(self, players: int) -> WrittenDeal:
        """The deal as a `WrittenDeal`, at a table of at least this many players."""
        return WrittenDeal(
            number=self.number,
            cuts=tuple(self.cuts),
            dealer=self.dealer,
            direction=self.direction,
            before=self.before,
            reached=self.reached,
            position=self.position,
            dealt=_hands(self.dealt, players),
            stock=self.stock,
            kitty=self.kitty,
            passes=tuple(self.passes),
            mixed=self.mixed,
            held=_hands(self.held, players),
            course=tuple(self.course),
            score=self.score,
            totals=self.totals,
            winners=self.winners,
            remarks=tuple(self.remarks),
        )


def _hands(by_seat: dict[int, CardSet], players: int) -> Hands:
    """The hands by seat, None for one that is not known; empty if there are none."""
    number = max([players, *[seat + 1 for seat in by_seat]])
    return tuple(by_seat.get(seat) for seat in range(number)) if by_seat else ()


@attrs.frozen(kw_only=True)
class WrittenMatch:
    """A match, or a part of one, as it was written down.

    `names` are the players by seat, or empty if the record names only seats. `players`
    is the number of players, or None if the record does not show it. `begins` says
    whether the match begins with the first of these deals. `dealer` is the seat that
    deals it if there was no cut for the deal; if there was one, its acts are in `cuts`.
    `pack` holds the cards of the pack if it is not the usual one. `granted` holds the
    assumptions made when the match was read, and is ignored when records are compared.
    Raises Malformed if the parts do not fit one table, or if a name, a remark or the
    title is not of the right form.
    """

    name: str = ""
    names: tuple[str, ...] = ()
    ruleset: Ruleset | None = None
    players: int | None = None
    begins: bool = False
    dealer: int | None = attrs.field(default=None, converter=to_seat_or_none)
    pack: CardSet = attrs.field(factory=CardSet)
    cuts: tuple[Cut, ...] = ()
    deals: tuple[WrittenDeal, ...] = ()
    remarks: tuple[str, ...] = ()
    granted: tuple[str, ...] = attrs.field(default=(), eq=False)

    def __attrs_post_init__(self) -> None:
        players = self.players
        if self.ruleset is not None and players != self.ruleset.players:
            allowed = f"{self.ruleset.players}, as in the rules"
            raise Malformed(f"{players} players", allowed, "players")
        if players is not None and not 2 <= players <= SEATS:
            raise Malformed(f"{players} players", f"2 to {SEATS}", "players")
        if self.names and len(self.names) != players:
            found = f"{len(self.names)} names"
            raise Malformed(found, f"one for each of {players} players", "names")
        check_names(self.names)
        _check_remarks([self.name] if self.name else [], "name")
        if _REMARK_IN_NAME.search(self.name):
            allowed = "a title without the signs of a remark: # // % { }"
            raise Malformed(f"{self.name!r:.60}", allowed, "name")
        _check_remarks(self.remarks, "remarks")
        if self.dealer is not None:
            _check_seats([self.dealer], players, "dealer")
        _check_seats((cut.seat for cut in self.cuts), players, "cuts")
        for place, deal in enumerate(self.deals):
            _check_deal(deal, players, f"deals[{place}]")

    def begun_by(self, place: int) -> WrittenMatch | None:
        """The match that begins with the deal at this place, but without its deals.

        None unless the record says that a match begins there, or has a cut there.
        """
        if place == 0:
            return attrs.evolve(self, deals=()) if self.begins else None
        cuts = self.deals[place].cuts
        if not cuts:
            return None
        return attrs.evolve(self, begins=True, dealer=None, cuts=cuts, deals=())

    def seat_text(self, seat: int) -> str:
        """What the record calls a seat: its player's name, or else, say, `seat 0`."""
        return self.names[seat] if self.names else f"seat {seat}"


LONGEST_TEXT: Final = 1990
"""The characters of a title or a remark, so that a line with it can be read again."""


def as_title(text: str) -> str:
    """The text as the title of a record, without the characters that mark a remark."""
    told = harmless(text, LONGEST_TEXT)
    plain = "".join(" " if one in "{}#%" else one for one in told)
    return harmless(" ".join(re.sub("//+", "/", plain).split()), LONGEST_TEXT)


def _check_remarks(remarks: Iterable[str], where: str) -> None:
    """Raise Malformed, with the place, unless each remark is a line of text."""
    for place, one in enumerate(remarks):
        if not one or harmless(one) != one or " ".join(one.split()) != one:
            allowed = "a line of text, without blanks around it"
            raise Malformed(f"{one!r:.60}", allowed, f"{where}[{place}]")


def _check_deal(deal: WrittenDeal, players: int | None, where: str) -> None:
    """Raise Malformed, with the place, unless a deal fits a table."""
    if deal.direction and deal.direction not in DIRECTIONS:
        allowed = ", ".join(DIRECTIONS)
        raise Malformed(f"{deal.direction!r:.40}", allowed, f"{where}.direction")
    _check_remarks(deal.remarks, f"{where}.remarks")
    for name in ("before", "dealt", "held", "score", "totals"):
        found = getattr(deal, name)
        if found and players is not None and len(found) != players:
            allowed = f"{players}, one for each seat"
            raise Malformed(f"{len(found)}", allowed, f"{where}.{name}")
    _check_seats(_seats_named(deal), players, where)


def _check_seats(seats: Iterable[int], players: int | None, where: str) -> None:
    """Raise Malformed for a seat not at a table of this size, if the size is known."""
    for seat in seats:
        if players is not None and seat >= players:
            allowed = f"a seat from 0 to {players - 1}"
            raise Malformed(f"seat {seat}", allowed, where)


def _seats_named(deal: WrittenDeal) -> Iterable[int]:
    """Every seat that the deal names."""
    yield from deal.winners
    if deal.dealer is not None:
        yield deal.dealer
    for one in (*deal.cuts, *deal.passes, *deal.course):
        if isinstance(one, WrittenTrick):
            seats = [one.leader, one.winner, *[laid.seat for laid in one.cards]]
            yield from [seat for seat in seats if seat is not None]
        else:
            yield from _seats_of_act(one)


def _seats_of_act(act: Act) -> Iterable[int]:
    yield act.seat
    if isinstance(act, Claim):
        yield act.against
    elif isinstance(act, Scatter):
        yield from [to for to, _ in act.cards]
    elif isinstance(act, MoonChoice) and isinstance(act.choice, int):
        yield act.choice
