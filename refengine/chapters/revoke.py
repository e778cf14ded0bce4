"""Chapter 7, Revokes: correction, claim and penalty."""

from typing import Final, final

from mypy_extensions import i64

from refengine.chapters.cards import Mask, count, points_of
from refengine.chapters.layout import Position
from refengine.chapters.settings import NEXT_LEAD, TRICK_COMPLETE, TRICK_QUITTED, Rules
from refengine.sealing import seal

MADE: Final = 0
CORRECTED: Final = 1
ESTABLISHED: Final = 2


@final
class Revoke:
    """A revoke: its seat, its trick (counted from 1), its card and its fate.

    `before` is the position before the card was played.
    """

    def __init__(
        self,
        seat: i64,
        trick: i64,
        card: i64,
        before: Position,
        fate: i64,
    ) -> None:
        self.seat: Final = seat
        self.trick: Final = trick
        self.card: Final = card
        self.before: Final = before
        self.fate: Final = fate

    def _key(self) -> tuple[object, ...]:
        return (self.seat, self.trick, self.card, self.before, self.fate)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Revoke) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.seat, self.trick, self.card, self.fate))

    def __reduce__(self) -> tuple[object, ...]:
        return Revoke, self._key()


seal(Revoke)


def with_fate(revoke: Revoke, fate: i64) -> Revoke:
    """The same revoke with this fate: made, corrected or established."""
    return Revoke(revoke.seat, revoke.trick, revoke.card, revoke.before, fate)


def revoke_accepted(rules: Rules, broken: tuple[str, ...]) -> bool:
    """Whether a card that breaks exactly these clauses is accepted as irregular.

    Clauses 7.1, 7.1a, 7.2.
    """
    return rules.revokes_penalised and broken == ("5.3",)


def time_to_correct(
    rules: Rules, trick: i64, done: i64, table_empty: bool, closed: bool
) -> bool:
    """Whether a revoke in this trick can still be corrected.

    `done` is the number of completed tricks; `closed` says whether a quit, a draw for
    the lead or a claim has closed the last of them.
    Clause 7.4.
    """
    if trick > done:
        return True
    if trick < done or rules.revoke_until == TRICK_COMPLETE:
        return False
    return table_empty and not closed


def draw_ends_correction(rules: Rules) -> bool:
    """Whether a draw for the next lead ends the time for correction.

    Clause 7.4.
    """
    return rules.revoke_until == NEXT_LEAD


def claim_ends_correction(trick: i64, done: i64, ended: bool) -> bool:
    """Whether an accepted claim on this trick itself ends the time for correction.

    It does in the last trick of a deal, since no lead can follow.
    Clause 7.4a.
    """
    return ended and trick == done


def restored(revokes: tuple[Revoke, ...], corrected: Revoke) -> tuple[Revoke, ...]:
    """The revokes of the deal once this one is corrected.

    Any revoke whose card is taken back together with this one's is dropped, unless it
    has already been corrected or established.
    Clause 7.5b.
    """
    kept: list[Revoke] = []
    for revoke in revokes:
        if revoke is corrected:
            kept.append(with_fate(revoke, CORRECTED))
        elif (
            revoke.fate != MADE
            or revoke.trick < corrected.trick
            or count(revoke.before.table) < count(corrected.before.table)
        ):
            kept.append(revoke)
    return tuple(kept)


def no_quitting(rules: Rules) -> bool:
    """Whether turning a trick face down is not an act of the game under the ruleset.

    Clause 7.6a.
    """
    return not rules.revokes_penalised or rules.revoke_until != TRICK_QUITTED


def not_the_winner(seat: i64, winner: i64) -> bool:
    """Whether this seat did not win the last trick; `winner` is -1 if there was none.

    Clause 7.6b.
    """
    return seat != winner


def led_since(winner: i64, table_empty: bool) -> bool:
    """Whether a card has been led since the last trick, if there was one.

    Clause 7.6c.
    """
    return winner >= 0 and not table_empty


def quit_before(winner: i64, table_empty: bool, quitted: bool) -> bool:
    """Whether the last trick, if any, has already been quit, with no lead since.

    Clause 7.6d.
    """
    return winner >= 0 and table_empty and quitted


def no_trick_to_quit(ended_by_claim: bool) -> bool:
    """Whether there is nothing to quit because a claim has ended the deal.

    Clause 7.6e.
    """
    return ended_by_claim


def too_early_to_claim(
    rules: Rules, trick: i64, done: i64, correctable: bool, last: bool
) -> bool:
    """Whether the trick is incomplete, or a revoke in it could still be corrected.

    Whether there was a revoke makes no difference, so that the answer gives nothing
    away. In the last trick of a deal, the claim itself ends the time for correction.
    Clause 7.7.
    """
    if trick > done:
        return True
    return rules.revokes_penalised and correctable and not last


def revoke_at(revokes: tuple[Revoke, ...], seat: i64, trick: i64) -> Revoke | None:
    """The revoke by this seat in this trick that is neither corrected nor established.

    The result is None if there is no such revoke; a claim is then false.
    Clause 7.7a.
    """
    for revoke in revokes:
        if revoke.seat == seat and revoke.trick == trick and revoke.fate == MADE:
            return revoke
    return None


def revoke_of(revokes: tuple[Revoke, ...], seat: i64, card: i64) -> Revoke | None:
    """The revoke by this seat with this card that is neither corrected nor established.

    The result is None if there is no such revoke.
    Clause 7.3.
    """
    for revoke in revokes:
        if revoke.seat == seat and revoke.card == card and revoke.fate == MADE:
            return revoke
    return None


def established(revokes: tuple[Revoke, ...], claimed: Revoke) -> tuple[Revoke, ...]:
    """The revokes of the deal once this one is established.

    Clause 7.8.
    """
    return tuple(
        [
            with_fate(revoke, ESTABLISHED) if revoke is claimed else revoke
            for revoke in revokes
        ]
    )


def penalty(rules: Rules, in_play: Mask) -> i64:
    """The points that one established revoke costs.

    Clauses 7.9, 7.10.
    """
    if rules.revoke_costs_all:
        return points_of(rules, in_play)
    return rules.revoke_points


def score_of_ended_deal(rules: Rules, in_play: Mask, revoker: i64) -> tuple[int, ...]:
    """The score of a deal that a revoke ended: the penalty and nothing else.

    Clause 7.9.
    """
    score = [0 for _ in range(rules.players)]
    score[revoker] = int(penalty(rules, in_play))
    return tuple(score)


def revoke_penalties(
    rules: Rules, in_play: Mask, revokes: tuple[Revoke, ...]
) -> tuple[int, ...]:
    """The points that established revokes cost each seat if the deal goes on.

    The result is empty if no revoke was made. A revoke that nobody claims costs
    nothing.
    Clauses 7.8a, 7.10.
    """
    if not revokes:
        return ()
    costs = [0 for _ in range(rules.players)]
    for revoke in revokes:
        if revoke.fate == ESTABLISHED:
            costs[revoke.seat] = int(costs[revoke.seat] + penalty(rules, in_play))
    return tuple(costs)


def revokers(revokes: tuple[Revoke, ...]) -> tuple[int, ...]:
    """The seats with an established revoke, which can shoot neither moon nor sun.

    Clause 8.3b.
    """
    if not revokes:
        return ()
    return tuple([int(revoke.seat) for revoke in revokes if revoke.fate == ESTABLISHED])
