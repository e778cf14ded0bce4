"""A bot that follows a rule: it looks at what its seat sees, and nothing else."""

from random import Random

from refengine import (
    Act,
    Card,
    Pass,
    Play,
    Rank,
    Ruleset,
    State,
    Suit,
    View,
    card,
    new_match,
)

QUEEN = card("QS")


def danger(one: Card) -> tuple[bool, bool, Rank]:
    """A sort key: other cards first, then hearts, each by rank, and the queen last."""
    return one == QUEEN, one.suit == Suit.HEARTS, one.rank


def choose(view: View) -> Act:
    """The act that the bot chooses for a seat that is to pass or to play."""
    assert view.legal is not None
    if view.legal.kind == "pass":
        return Pass(view.seat, sorted(view.hand, key=danger)[-3:])
    allowed = list(view.legal.cards)
    trick = view.table.cards if view.table else ()
    if not trick:
        return Play(view.seat, min(allowed, key=danger))
    led = trick[0].suit
    if allowed[0].suit != led:
        return Play(view.seat, max(allowed, key=danger))
    winning = max(one.rank for one in trick if one.suit == led)
    under = [one for one in allowed if one.rank < winning]
    return Play(view.seat, max(under) if under else min(allowed))


def play_deal(ruleset: Ruleset, seat: int, seed: int) -> State:
    """The state after a deal: `seat` follows the rule, and the others act at random."""
    rng = Random(seed)
    state = new_match(ruleset, dealer=0)
    while state.score is None:
        if state.seat_in_turn == seat and state.phase in ("pass", "play"):
            state = state.apply(choose(state.observe(seat)))
        else:
            state = state.apply(state.random_act(rng))
    return state


if __name__ == "__main__":
    for seed in range(5):
        print(play_deal(Ruleset("common-hearts"), 2, seed).score)
