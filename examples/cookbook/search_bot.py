"""A Monte Carlo bot: it deals the unseen cards many times and tries out its acts."""

from random import Random

from refengine import Act, Match, Ruleset, SeatRecord, State, new_match
from refengine.worlds.searching import legal_acts, try_acts


def choose(record: SeatRecord, worlds: int) -> Act:
    """The act that costs this seat least on average, over `worlds` possible deals."""
    now = len(record.told)
    acts = list(legal_acts(record))
    acts = Random(now).sample(acts, min(len(acts), 12))  # 286 ways to pass
    if len(acts) == 1:
        return acts[0]
    tried = try_acts(record, worlds, "avoid points", seed=now, acts=acts)
    return min(tried, key=lambda one: one.mean).act


def play_deal(ruleset: Ruleset, seat: int, worlds: int, seed: int) -> State:
    """The state after a deal: `seat` searches, and the others act at random.

    The searching seat is told only of the events, as it would be by a server.
    """
    rng = Random(seed)
    state = new_match(ruleset, dealer=0)
    record = SeatRecord(ruleset, seat, Match(dealer=0))
    while state.score is None:
        if state.seat_in_turn == seat and state.phase in ("pass", "play", "moon"):
            act = choose(record, worlds)
        else:
            act = state.random_act(rng)
        record = record.after(state.event(act, seat))
        state = state.apply(act)
    return state


if __name__ == "__main__":
    print(play_deal(Ruleset("common-hearts"), 1, worlds=5, seed=7).score)
