"""What is said of plays that, according to a record, were made before their turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refengine.chapters.table import next_in_turn
from refengine.formats.written.written_match import WrittenTrick
from refengine.game.rulesets import Ruleset
from refengine.rulings.sentences import Said
from refengine.rulings.words import seat_words


def plays_before_their_turn(
    ruleset: Ruleset, tricks: Sequence[WrittenTrick]
) -> Iterator[Said]:
    """A sentence on each play of a deal that was made before its turn (2.3).

    The seat passed over played afterwards: such a play stands, and the trick counts as
    if all had played in turn (10.14a). Tricks for which the record does not tell the
    order in which every seat played are left out.
    """
    for number, trick in enumerate(tricks, 1):
        seats = [one.seat for one in trick.cards if one.seat is not None]
        everybody = len(seats) == len({*seats}) == ruleset.players
        if not trick.in_order or not everybody:
            continue
        waiting = [seats[0]]
        while len(waiting) < ruleset.players:
            waiting.append(int(next_in_turn(ruleset.rules, waiting[-1])))
        for seat in seats:
            if seat != waiting[0]:
                who, due = seat_words(seat), seat_words(waiting[0])
                text = f"trick {number}: {who} plays before {due}, whose turn it is"
                yield Said(
                    f"{text}; the card stands, as if all had played in turn",
                    ("2.3", "10.14a"),
                )
            waiting.remove(seat)
