"""Tests that rulings given to a seat reveal nothing of the hands hidden from it."""

from random import Random

import pytest

from refengine import Ruleset, SeatRecord, State, explain, new_deal, new_match
from refengine.errors import Malformed
from refengine.game import acts
from refengine.game.acts import Act
from refengine.worlds.sampling import worlds
from tests.support.playing import cards_played

GAMES = [
    ("gamerules-domino", 3),
    ("pokerwiner-domino", 4),
    ("dominorules-tiles", 4),
    ("common-hearts", 4),
]


def acts_to_ask(rng: Random, state: State, seat: int) -> list[Act]:
    """Acts of this seat, legal or not, whose verdict does not depend on other hands."""
    cards = [*state.hands[seat]]
    others = [card for hand in state.hands for card in hand]
    plays: list[Act] = [
        acts.Play(seat, card) for card in [*cards[:4], *rng.sample(others, 2)]
    ]
    early = acts.Claim(seat, (seat + 1) % state.ruleset.players, len(state.history) + 1)
    return [*plays, acts.Draw(seat), early]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_worlds_of_one_seat_get_the_same_rulings(name: str, players: int) -> None:
    rng = Random(11)
    asked = 0
    for _ in range(3):
        state = new_match(Ruleset(name, players), dealer=0)
        for _ in range(rng.randint(players + 2, 40)):
            state = state.apply(state.random_act(rng))
        if state.phase != "play":
            continue
        seat = rng.randrange(players)
        record = SeatRecord.of(state, seat)
        some = worlds(record, 3, seed=rng.randrange(1000))
        for act in acts_to_ask(rng, state, seat):
            texts = {explain(one, act, known=False).text for one in some}
            assert len(texts) == 1, [*map(str.splitlines, texts)]
            asked += 1
    assert asked > 6


def test_whether_the_next_seat_has_to_draw_is_not_told() -> None:
    rules = Ruleset("gamerules-domino", 3)
    begun = [
        new_deal(rules, ["5D 6S", other, "2S 3S"], stock="7C KD 8H", dealer=2)
        for other in ("3C 4D", "3C 4H")
    ]
    with_suit, without = (state.play("5D") for state in begun)
    act = acts.Play(2, "2S")

    assert explain(with_suit, act, False).text == explain(without, act, False).text
    assert "must draw" in explain(without, act).text


def test_the_card_on_top_of_the_stock_is_not_named() -> None:
    rules = Ruleset("gamerules-domino", 2)
    state = new_deal(rules, ["5D 6S", "3C 4H"], stock="7C KD 8H", dealer=1).play("5D")

    assert "seven of clubs" in explain(state, acts.Draw(1)).text
    (said,) = explain(state, acts.Draw(1), known=False).follows
    assert str(said) == ("Seat 1 takes the top card of the stock and keeps it. [6.4]")


def test_a_claim_is_answered_by_making_it() -> None:
    rules = Ruleset("dominorules-tiles", 4, {"pass_cycle": []})
    hands = ["2C 9D", "5C 3H", "4C 7S", "KC 8S"]
    state = new_deal(rules, hands, dealer=3).play("2C")
    early = explain(state, acts.Claim(0, 1, 1), known=False)
    assert early.clauses == ("7.7",)
    state = cards_played(state, "5C 4C KC 8S")

    assert explain(state, acts.Claim(0, 1, 1)).clauses == ("7.7a",)
    with pytest.raises(Malformed, match="make the claim"):
        explain(state, acts.Claim(0, 1, 1), known=False)


def test_an_early_claim_is_answered_alike_whether_there_was_a_revoke() -> None:
    rules = Ruleset("pokerwiner-hearts", 4, {"pass_cycle": []})
    texts = set()
    for other in ("3C", "3D"):
        hands = ["2C 9D", f"5D {other}", "4C 7S", "KC 8S"]
        begun = new_deal(rules, hands, dealer=3, leader=0)
        state = cards_played(begun, "2C 5D 4C KC")
        assert bool(state.revokes) == (other == "3C")
        texts.add(explain(state, acts.Claim(0, 1, 1), known=False).text)
    (text,) = texts
    assert "It is too early to claim anything in that trick" in text


def test_nobody_can_change_the_book() -> None:
    from refengine import clauses

    with pytest.raises(AttributeError):
        clauses().pop("5.3")  # type: ignore[attr-defined]  # that is the test
    assert clauses()["5.3"].title == "Follow suit"


def test_a_correction_does_not_tell_of_the_revoke_of_another() -> None:
    rules = Ruleset("pokerwiner-hearts", 4, {"pass_cycle": []})
    texts = set()
    for other in ("4C", "4D"):
        hands = ["2C 9D", "5D 3C", f"{other} 7S", "KC 8S"]
        state = cards_played(new_deal(rules, hands, dealer=3, leader=0), "2C 5D 7S")
        assert len(state.revokes) == (2 if other == "4C" else 1)
        texts.add(explain(state, acts.Retract(1, "5D"), known=False).text)
    assert len(texts) == 1


def test_that_nobody_holds_a_club_is_not_told() -> None:
    rules = Ruleset("gamerules-domino", 3, {"opening_leader": "lowest_club"})
    texts = {
        explain(
            new_deal(rules, [hand, "3D 4H", "2S 3S"], stock="7C KD 8H", dealer=2),
            acts.Play(1, "3D"),
            known=False,
        ).text
        for hand in ("5C 6S", "5D 6S")
    }
    assert len(texts) == 1
