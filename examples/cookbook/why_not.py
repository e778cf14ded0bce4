"""Why an act is refused, for the player who tried it, and for a program."""

from refengine import Play, Refused, Ruleset, State, explain, new_deal

HANDS = ["2C 3H", "QS 4C", "5C 2H", "3C 5H"]


def try_play(state: State, seat: int, card: str) -> tuple[State, str]:
    """The state after the play, or the unchanged state with the reasons against it."""
    act = Play(seat, card)
    try:
        return state.apply(act), ""
    except Refused:
        # known=False: nothing is said that depends on the hands of others.
        ruling = explain(state, act, known=False)
        reasons = " ".join(said.text for said in ruling.why)
        return state, f"{ruling.headline}. {reasons}"


def card_by_card(state: State, seat: int, card: str) -> dict[str, str]:
    """The verdict on each card in the hand, `yes`, `no` or `revoke`, for a screen."""
    ruling = state.explain(Play(seat, card))
    return {str(one.card): one.word for one in ruling.cards}


def options_behind(state: State, seat: int, card: str) -> list[str]:
    """The names of the house rules on which the ruling about this play depends."""
    return [one.option for one in state.explain(Play(seat, card)).mattered]


if __name__ == "__main__":
    start = new_deal(Ruleset("common-hearts"), HANDS, dealer=3, deal=4).play("2C")
    print(try_play(start, 1, "QS")[1])
    print(card_by_card(start, 1, "QS"))
    print(options_behind(start, 1, "QS"))
    print(start.explain(Play(1, "QS")))  # all of it, as `refengine explain` prints it
