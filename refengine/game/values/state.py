"""The state of a game at one moment, as an immutable value that users hold."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final, SupportsIndex, assert_never, cast, final

import attrs
from mypy_extensions import mypyc_attr

from refengine.chapters.cards import EMPTY, card_at, cards_in, numbers_of
from refengine.chapters.draw import drawn_now
from refengine.chapters.layout import Packet
from refengine.chapters.match import lowest_totals
from refengine.chapters.play import next_to_play
from refengine.chapters.revoke import CORRECTED, ESTABLISHED
from refengine.chapters.score import MINUS, PLUS
from refengine.chapters.table import CUTTING, OVER, PHASES, PLAYING
from refengine.errors import Malformed, shown
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
)
from refengine.game.observe import Event, View, cards_cut, event_of, view_of
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Setup, Start, opened, setup_of
from refengine.game.shuffling import random_act
from refengine.game.tricks import Table, Trick, last_trick, table_of, tricks_of
from refengine.game.values.cardset import CARDS, Card, CardSet
from refengine.game.values.cardset import card as card_of
from refengine.game.values.legal import LegalActs
from refengine.game.values.masks import (
    masks_of,
    number_given,
    numbers_in,
    random_given,
    seat_given,
    sets_of,
)
from refengine.game.verdicts import Irregular, Legal, Refused, Verdict
from refengine.machine import judging, stepping
from refengine.machine.core import Core, Past
from refengine.machine.due import (
    dealer_now,
    number_now,
    position_of,
    seats_due,
    seats_of,
    totals_now,
)
from refengine.machine.holdings import (
    hands_now,
    kitty_now,
    points_now,
    stock_now,
    taken_now,
)
from refengine.machine.position import playable
from refengine.sealing import close, seal

if TYPE_CHECKING:
    from refengine.rulings.explain import Ruling

_LEGAL: Final = Legal()


@attrs.frozen
class RevokeNote:
    """A revoke in the deal; `state` is open, corrected, standing or established."""

    seat: int
    trick: int
    state: str


@final
@mypyc_attr(free_list_len=1)
class State:
    """The state of a match, or of a game with a single deal, at one moment.

    It is made by `new_match`, `new_deal` or `State.open`. Applying an act gives a new
    state, and no state ever changes. Two states of matches, or two of setups, are equal
    if their rulesets, cuts, cards, scores and records of the deal are equal, whatever
    acts led to them. State cannot be subclassed, and allows no weak references.
    """

    __slots__ = ("__dict__",)  # no weak references, as when compiled

    def __init__(
        self, ruleset: Ruleset, start: Start, core: Core, past: Past | None = None
    ) -> None:
        self.ruleset: Final = ruleset
        self.start: Final = start
        self.core: Final = core
        self.past: Final = past

    @staticmethod
    def open(ruleset: Ruleset, start: Start | None = None) -> State:
        """The first state of a game; by default, of a match that begins with the cut.

        Raises Malformed if an argument is of the wrong type or does not fit the table,
        and Refused if a clause forbids the start.
        """
        start = Match() if start is None else start
        return State(ruleset, start, opened(ruleset, start))

    # What is to be done

    @property
    def legal(self) -> LegalActs:
        """The acts that are legal now."""
        return LegalActs(self.core, self)

    def verdict(self, act: Act) -> Verdict:
        """Whether the act is legal, irregular or refused, and by which clauses (0.7a).

        Raises Malformed unless `act` is the act of a seat at the table.
        """
        broken = self._broken(act)
        if not broken:
            return _LEGAL
        if isinstance(act, Play) and judging.is_irregular(self.core, broken):
            return Irregular(broken)
        return Refused(broken, act)

    def apply(self, act: Act) -> State:
        """The state after the act, whether it was legal or irregular.

        Raises Refused, and changes nothing, if the act is refused, and Malformed if it
        is not an act or names a seat that is not at the table.
        Clause 0.10.
        """
        verdict = self.verdict(act)
        if isinstance(verdict, Refused):
            raise verdict
        core = self._after(act, isinstance(verdict, Irregular))
        return State(self.ruleset, self.start, core, Past(self.past, act, -1))

    def after(self, *acts: Act) -> State:
        """The state after these acts, applied one after the other."""
        state = self
        for act in acts:
            state = state.apply(act)
        return state

    def play(self, card: object) -> State:
        """The state after the seat to act plays this card, a Card or its notation.

        Raises Refused if the play is refused, and Malformed if `card` is not a card.
        """
        number = (card if isinstance(card, Card) else card_of(card)).number
        core = self.core
        playing = core.phase == PLAYING
        if playing and playable(core.rules, position_of(core)) & card_at(number):
            return self.play_number(number)
        return self.apply(Play(self.seat_in_turn, CARDS[number]))

    def draw(self) -> State:
        """The state after the seat to act draws; raises Refused if no draw is due."""
        return self.apply(Draw(self.seat_in_turn))

    def legal_numbers(self) -> list[int]:
        """The numbers (0 to 51) of the cards that may be played now, lowest first.

        Together with `play_number`, this is the fastest way through a deal.
        """
        core = self.core
        if core.phase != PLAYING:
            return []
        return numbers_of(playable(core.rules, position_of(core)))

    def play_number(self, number: SupportsIndex) -> State:
        """The state after the seat to act plays the card with this number.

        The number must come from `legal_numbers` of this state; whether the card may be
        played is not checked again.
        Raises Malformed if no card has this number, and Refused outside play.
        """
        whole = number_given(number)
        before = self.core
        if before.phase != PLAYING:
            return self.apply(Play(self.seat_in_turn, CARDS[whole]))
        core = stepping.after_card_played(before, whole, False)
        past = Past(self.past, None, position_of(before).turn * 52 + whole)
        return State(self.ruleset, self.start, core, past)

    def random_act(self, rng: Random) -> Act:
        """A random legal act of the first seat that is to act, even a deal or a mix.

        Only `rng.random()` is used, so the choice is the same on every platform.
        Raises Malformed if the game is over (see `over`) or `rng` has no `random()`.
        """
        if self.core.phase == OVER:
            wanted = "one in which an act is due"
            raise Malformed("a game that is over", wanted, "state")
        return random_act(self.core, self.legal.due, random_given(rng))

    def _broken(self, act: object) -> tuple[str, ...]:
        """The clauses that forbid the act; raises Malformed as `verdict` does."""
        core = self.core
        if not isinstance(act, Act):
            raise Malformed(shown(act)[:40], "an act, such as Play(0, '2C')")
        seat_given(act.seat, self.ruleset.players)
        match act:
            case Play(seat, card):
                return judging.play_breaks(core, seat, card.number)
            case Draw(seat):
                return judging.draw_breaks(core, seat)
            case Cut(seat, card):
                return judging.cut_breaks(core, seat, card.number)
            case Deal(seat, hands, stock, kitty):
                return judging.deal_breaks(
                    core, seat, masks_of(hands), numbers_in(stock), kitty.mask
                )
            case Pass() | Scatter() | PassUnseen():
                return judging.pass_breaks(core, act.seat, self._packet(act))
            case Mix(seat, hands, kitty):
                return judging.mix_breaks(core, seat, masks_of(hands), kitty.mask)
            case Retract(seat, card):
                return judging.retract_breaks(core, seat, card.number)
            case QuitTrick(seat):
                return judging.quit_breaks(core, seat)
            case Claim(seat, against, trick):
                seat_given(against, self.ruleset.players)
                return judging.claim_breaks(core, seat, against, trick)
            case MoonChoice(seat, choice):
                return judging.moon_breaks(core, seat, self._settled(choice))
            case _:
                assert_never(act)

    def _after(self, act: Act, irregular: bool) -> Core:
        """The state of the match after an act that is not refused."""
        core = self.core
        match act:
            case Play(_, card):
                return stepping.after_card_played(core, card.number, irregular)
            case Draw():
                return stepping.after_card_drawn(core)
            case Cut(seat, card):
                return stepping.after_cut(core, seat, card.number)
            case Deal(_, hands, stock, kitty):
                return stepping.after_deal(
                    core, masks_of(hands), numbers_in(stock), kitty.mask
                )
            case Pass() | Scatter() | PassUnseen():
                return stepping.after_pass(core, act.seat, self._packet(act))
            case Mix(_, hands, kitty):
                return stepping.after_mix(core, masks_of(hands), kitty.mask)
            case Retract(seat, card):
                return stepping.after_retract(core, seat, card.number)
            case QuitTrick():
                return stepping.after_quit(core)
            case Claim(_, against, trick):
                return stepping.after_claim(core, against, trick)
            case MoonChoice(_, choice):
                return stepping.after_moon_choice(core, self._settled(choice))
            case _:
                assert_never(act)

    def _packet(self, act: Pass | Scatter | PassUnseen) -> Packet:
        match act:
            case Pass(_, cards):
                return Packet(cards.mask, (), False)
            case Scatter(_, pairs):
                addressed = [-1] * self.ruleset.players
                for to, card in pairs:
                    seat_given(to, self.ruleset.players)
                    addressed[to] = card.number
                given = cards_in(tuple(card.number for _, card in pairs))
                return Packet(given, tuple(addressed), False)
            case PassUnseen():
                return Packet(EMPTY, (), True)
            case _:
                assert_never(act)

    def _settled(self, choice: str | int) -> int:
        if isinstance(choice, int):
            seat_given(choice, self.ruleset.players)
            return choice
        return MINUS if choice == "self_minus" else PLUS

    # What can be seen

    @property
    def phase(self) -> str:
        """The phase, one of `cut deal pass mix play moon over` (2.4)."""
        return PHASES[self.core.phase]

    @property
    def turn(self) -> tuple[int, ...]:
        """The seats that are to act; empty when the game is over."""
        return tuple(seats_of(seats_due(self.core)))

    @property
    def seat_in_turn(self) -> int:
        """The first seat that is to act; 0 when the game is over.

        Every play and draw is then refused, but even a refused act needs a seat.
        """
        return (*self.turn, 0)[0]

    @property
    def over(self) -> bool:
        """Whether no act is due: the match, or the single deal of a setup, is over."""
        return self.core.phase == OVER

    @property
    def dealer(self) -> int | None:
        """The dealer of the deal in progress or of the next; None during the cut."""
        if self.core.phase == CUTTING:
            return None
        return int(dealer_now(self.core))

    @property
    def deal(self) -> int:
        """The number of the deal in progress or of the next one, counted from 1."""
        return int(number_now(self.core))

    @property
    def cut(self) -> tuple[Card | None, ...]:
        """The card each seat cut in the latest round, or None; empty without a cut."""
        return cards_cut(self.core)

    @property
    def hands(self) -> tuple[CardSet, ...]:
        """The cards in each hand, by seat; empty before the first deal."""
        return sets_of(hands_now(self.core))

    @property
    def stock(self) -> tuple[Card, ...]:
        """The cards left in the stock, top card first."""
        return tuple(CARDS[number] for number in stock_now(self.core))

    @property
    def kitty(self) -> CardSet:
        """The kitty; empty once somebody has taken it."""
        return CardSet.of_mask(kitty_now(self.core))

    @property
    def taken(self) -> tuple[CardSet, ...]:
        """The cards that each seat has taken, including any kitty."""
        return sets_of(taken_now(self.core))

    @property
    def tricks(self) -> tuple[int, ...]:
        """The number of tricks that each seat has won."""
        if self.core.position is None:
            return (0,) * len(self.core.dealt.hands)
        return self.core.position.piles.tricks

    @property
    def points(self) -> tuple[int, ...]:
        """The penalty points of the cards that each seat has taken, before scoring."""
        return points_now(self.core)

    @property
    def table(self) -> Table | None:
        """The trick in progress, at first empty; None outside the phase of play."""
        return table_of(self.core)

    @property
    def history(self) -> tuple[Trick, ...]:
        """The tricks completed so far in the deal."""
        return tricks_of(self.core)

    @property
    def completed(self) -> Trick | None:
        """The trick that the last act completed; None if it completed none."""
        past = self.past
        if past is None or not (past.played >= 0 or isinstance(past.act, Play)):
            return None
        return last_trick(self.core) if not position_of(self.core).table else None

    @property
    def hearts_broken(self) -> bool:
        """Whether hearts are broken in this deal (5.9), whatever the ruleset."""
        return self.core.position is not None and self.core.position.hearts_broken

    @property
    def out(self) -> tuple[int, ...]:
        """The seats that hold no card; empty before cards are dealt."""
        return tuple(seat for seat, hand in enumerate(self.hands) if not hand)

    @property
    def drew(self) -> tuple[Card, ...]:
        """The cards drawn so far in the present turn."""
        if self.core.phase != PLAYING:
            return ()
        return tuple(CARDS[number] for number in drawn_now(position_of(self.core)))

    @property
    def revokes(self) -> tuple[RevokeNote, ...]:
        """The revokes of the deal, in the order in which they happened."""
        return tuple(
            RevokeNote(
                int(revoke.seat),
                int(revoke.trick),
                "corrected"
                if revoke.fate == CORRECTED
                else "established"
                if revoke.fate == ESTABLISHED
                else "open"
                if judging.correctable(self.core, revoke.trick)
                else "standing",
            )
            for revoke in self.core.record.revokes
        )

    @property
    def score(self) -> tuple[int, ...] | None:
        """The score of the deal, by seat; None until the deal has been scored."""
        result = self.core.result
        return result.score if result is not None and result.score else None

    @property
    def totals(self) -> tuple[int, ...]:
        """The totals by seat after the last scored deal, or else at the start."""
        return totals_now(self.core)

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The winners once the match is over; None until then.

        If the game is a single deal, these are the winners of a match with the totals
        after it, or None if such a match would go on.
        """
        result = self.core.result
        if result is None or not result.over:
            return None
        return tuple(seats_of(lowest_totals(result.totals)))

    @property
    def acts(self) -> tuple[Act, ...]:
        """All acts that led from `start` to this state, in order."""
        acts: list[Act] = []
        past = self.past
        while past is not None:
            if past.played < 0:
                acts.append(cast(Act, past.act))
            else:
                acts.append(Play(past.played // 52, CARDS[past.played % 52]))
            past = past.before
        return tuple(reversed(acts))

    def observe(self, seat: object) -> View:
        """What this seat knows (2.7), and nothing else.

        Raises Malformed if there is no such seat.
        """
        return view_of(self.core, seat_given(seat, self.ruleset.players))

    def event(self, act: Act, seat: object) -> Event:
        """What this seat is told if this act is applied now (2.8).

        Raises Refused if the act is refused, and Malformed for an invalid act or seat.
        """
        seen_by = seat_given(seat, self.ruleset.players)
        return event_of(act, self.apply(act).core, seen_by)

    def explain(self, act: Act) -> Ruling:
        """The ruling on this act now, as `refengine explain` prints it.

        Raises Malformed unless `act` is the act of a seat at the table.
        """
        from refengine.rulings.explain import explain

        return explain(self, act)

    # Value semantics

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, State)
            and self.ruleset == other.ruleset
            and self.core == other.core
        )

    def __hash__(self) -> int:
        return hash((self.ruleset, self.core))

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: object) -> State:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _reopened, (self.ruleset, self.start, self.acts)

    def __repr__(self) -> str:
        acts = ", ".join(map(repr, self.acts))
        after = f".after({acts})" if acts else ""
        return f"State.open({self.ruleset!r}, {self.start!r}){after}"

    def _repr_svg_(self) -> str:
        from refengine.pictures import state_svg

        return state_svg(self)

    def __str__(self) -> str:
        lines = [
            f"{self.ruleset.profile}, deal {self.deal}, {self.legal.due}",
            f" seat    {'hand':<38} points total",
        ]
        table = dict(zip(self.seats_on_table, self._table_cards(), strict=True))
        for seat, hand in enumerate(self.hands):
            mark = "*" if seat in self.turn else " "
            card = table.get(seat, "  ")
            held = str(hand) or "-"
            points = self.points[seat]
            total = self.totals[seat]
            lines.append(f"{mark}{seat:3}  {card} {held:<38} {points:6} {total:5}")
        if self.stock or self.kitty:
            lines.append(f"stock {len(self.stock)}, kitty {len(self.kitty)}")
        return "\n".join(lines)

    def _table_cards(self) -> tuple[Card, ...]:
        return self.table.cards if self.table is not None else ()

    @property
    def seats_on_table(self) -> list[int]:
        """The seats that have played to the trick in progress, in the order of play."""
        if self.table is None:
            return []
        rules = self.core.rules
        out = position_of(self.core).out
        seats = [self.table.leader]
        for _ in self.table.cards[1:]:
            seats.append(int(next_to_play(rules, seats[-1], out)))
        return seats[: len(self.table.cards)]


seal(State)
close(State)


def _reopened(ruleset: Ruleset, start: Start, acts: tuple[Act, ...]) -> State:
    return State.open(ruleset, start).after(*acts)


def new_match(
    ruleset: Ruleset, *, dealer: SupportsIndex | None = None, pack: object = ""
) -> State:
    """Begin a match, with the cut or, if a dealer is given, with the first deal.

    If a pack is named, as notation or as cards, it replaces the 52 cards (3.10).
    Raises Malformed for a dealer or a pack that cannot exist, and Refused if the pack
    does not fit the players (3.9d) or the hands are too small for the pass (4.11).
    """
    return State.open(ruleset, Match(dealer, pack))


def new_deal(
    ruleset: Ruleset, hands: object, *, dealer: SupportsIndex = 0, **more: object
) -> State:
    """Begin a single deal with these hands; `more` may hold any other `Setup` fields.

    Raises Malformed or Refused for an impossible deal (3.12, 3.12a, 4.11).
    """
    names = [field.name for field in attrs.fields(Setup)]
    for name in more:
        if name not in names:
            raise Malformed(name, f"one of {', '.join(names)}", "setup")
    fields: dict[str, Any] = {"dealer": dealer, "hands": hands, **more}
    return State.open(ruleset, setup_of(fields))
