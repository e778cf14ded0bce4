"""Tests of the state as a whole: its methods, and the messages when it refuses."""

import pickle
import re
from copy import copy, deepcopy
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import refengine
from refengine import Malformed, Play, Refused, Ruleset, State, new_deal, new_match
from refengine.chapters.cards import CLUBS
from refengine.chapters.layout import Packet
from refengine.chapters.revoke import Revoke
from refengine.game import acts
from refengine.game.setups import Match, Setup
from refengine.game.values.cardset import CARDS, CardSet, card
from refengine.game.values.legal import Due
from refengine.game.verdicts import Irregular, Legal
from refengine.lawbook.book import clause, clauses
from refengine.lawbook.profiles import profile
from refengine.machine.core import CutRound, DealStart
from refengine.machine.due import position_of
from tests.support.depth import depth
from tests.support.playing import cards_played, played, played_deal
from tests.support.refusing import malformed, refused
from tests.support.strategies import domino, hearts, states

TWO = ["2C 4D", "3C 5D"]


def two() -> State:
    return new_deal(hearts(2), TWO)


# Verbs


def test_after_does_one_act_upon_the_other() -> None:
    acts = (Play(0, "2C"), Play(1, "3C"))
    state = two().after(*acts)
    assert state == two().apply(acts[0]).apply(acts[1]) == two().play("2C").play("3C")
    assert state.acts == acts
    assert two().after() == two()


def test_play_takes_a_card_or_its_notation() -> None:
    assert two().play("2C") == two().play(card("2C"))


def test_play_and_draw_are_refused_like_the_acts_they_are() -> None:
    assert refused(two().play, "4D") == two().verdict(Play(0, "4D"))
    assert refused(two().draw).what == acts.Draw(0)
    over = cards_played(two(), "2C 3C 5D 4D")
    with pytest.raises(Refused):
        over.play("2C")
    with pytest.raises(Refused):
        over.draw()


def test_play_lets_a_revoke_happen_where_revokes_are_penalised() -> None:
    state = new_deal(hearts(2, revokes="penalised"), TWO).play("2C")
    assert state.play("5D").revokes[0].seat == 1


@settings(max_examples=depth(80), deadline=None)
@given(state=states(), seed=st.integers(0, 999))
def test_play_number_plays_like_play(state: State, seed: int) -> None:
    numbers = state.legal_numbers()
    assert numbers == [one.number for one in state.legal.cards]
    if numbers:
        number = Random(seed).choice(numbers)
        quick = state.play_number(number)
        slow = state.apply(Play(state.turn[0], CARDS[number]))
        assert quick == slow
        assert repr(quick) == repr(slow)
        assert quick.completed == slow.completed


def test_a_random_act_is_not_made_when_all_is_over() -> None:
    over = cards_played(two(), "2C 3C 5D 4D")
    with pytest.raises(Malformed, match="found a game that is over"):
        over.random_act(Random(0))


def test_random_acts_depend_on_the_generator_alone() -> None:
    start = new_match(Ruleset("estmesh-hearts", 4, {"limit": 20}))
    one, again, other = (played(start, Random(seed)) for seed in (1, 1, 2))
    assert one == again != other


def test_random_play_comes_to_every_legal_act() -> None:
    state = new_deal(
        hearts(2, pass_cycle=["left"], pass_count=1, pass_unseen=True),
        ["2C 3C", "4C 5C"],
    )
    seen = {state.random_act(Random(seed)) for seed in range(60)}
    assert seen == {acts.Pass(0, "2C"), acts.Pass(0, "3C"), acts.PassUnseen(0)}


# What is due


@pytest.mark.parametrize(
    ("state", "due", "text"),
    [
        (new_match(hearts(2)), Due("cut", (0, 1), ways=52), "cut one of 52 cards"),
        (new_match(hearts(2), dealer=1), Due("deal", (1,)), "deal"),
        (
            new_deal(hearts(2, pass_cycle=["left"], pass_count=1), TWO),
            Due("pass", (0, 1), ways=2),
            "pass in one of 2 ways",
        ),
        (
            new_deal(
                hearts(2, pass_cycle=["left"], pass_count=2, pass_unseen=True), TWO
            ),
            Due("pass", (0, 1), ways=1, forward=True),
            "pass in one way",
        ),
        (
            new_match(hearts(2), pack="2C 3C").apply(acts.Cut(0, "2C")),
            Due("cut", (1,), ways=1),
            "cut the last card",
        ),
        (two(), Due("play", (0,), CardSet("2C")), "play 2C"),
        (
            new_deal(domino(), ["2H", "3C"], dealer=1, stock="4H"),
            Due("draw", (0,)),
            "draw",
        ),
        (
            new_deal(hearts(2, moon="choice_all"), ["3C", "2C"]).play("2C").play("3C"),
            Due("over", ()),
            "over",
        ),
    ],
)
def test_what_is_due_is_a_plain_value(state: State, due: Due, text: str) -> None:
    assert state.legal.due == due
    assert str(state.legal.due) == text
    assert repr(state.legal) == f"<LegalActs seat {list(due.turn)}: {text}>"


def test_a_moon_that_is_due_shows_its_choices() -> None:
    state = played_deal(hearts(3, moon="choice_one"), ["4C", "QS", "2H"], "4C QS 2H")
    assert str(state.legal.due) == "moon self_minus or 1 or 2"


def test_legal_acts_answer_like_a_collection() -> None:
    legal = two().legal
    assert Play(0, "2C") in legal
    assert card("2C") in legal
    assert card("4D") not in legal
    assert Play(0, "4D") not in legal
    assert "2C" in legal
    assert "4D" not in legal
    with pytest.raises(Malformed, match="a rank of"):
        "play 2C" in legal  # noqa: B015 - the question itself is refused
    assert list(legal) == [Play(0, "2C")]
    assert legal


def test_deals_and_mixes_are_due_but_not_listed() -> None:
    state = new_match(hearts(2), dealer=0, pack="2C 3C")
    assert acts.Deal(0, ["2C", "3C"]) in state.legal
    assert state.legal
    with pytest.raises(TypeError, match="random_act"):
        list(state.legal)


# Verdicts in words


def test_a_refusal_says_who_may_not_do_what_and_by_which_clauses() -> None:
    verdict = two().verdict(Play(0, "4D"))
    assert isinstance(verdict, Refused)
    assert str(verdict) == f"seat 0 may not play 4D: 5.2 {clause('5.2').title}"
    assert repr(verdict) == "Refused(('5.2',), Play(0, '4D'))"
    several = new_match(hearts(2)).verdict(Play(0, "4D"))
    assert isinstance(several, Refused)
    assert several.clauses == ("2.4",)
    assert str(Refused(("99.9",), "this")) == "this is refused: 99.9"


def test_a_refusal_is_matched_by_its_clauses_and_by_what_is_refused() -> None:
    match two().verdict(Play(0, "4D")):
        case Refused((first, *_), Play(0, one)):
            assert (first, str(one)) == ("5.2", "4D")
        case _:
            pytest.fail("no refusal of that play")


def test_a_state_explains_an_act_as_the_command_does() -> None:
    act = Play(0, "4D")
    ruling = two().explain(act)
    assert ruling == refengine.explain(two(), act)
    assert ruling.clauses == ("5.2",)
    with pytest.raises(Malformed, match="a seat from 0 to 1"):
        two().explain(Play(2, "4D"))


def test_verdicts_are_values() -> None:
    verdict = two().verdict(Play(0, "4D"))
    assert verdict == two().verdict(Play(0, "4D"))
    assert hash(verdict) == hash(two().verdict(Play(0, "4D")))
    assert verdict != two().verdict(Play(0, "3C"))
    assert verdict != "refused"
    assert two().verdict(Play(0, "2C")) == Legal()
    assert Irregular(("5.3",)) == Irregular(("5.3",))


@pytest.mark.parametrize("clauses", ["5.3", 5, None, [5.3], ("5.3", 7)])
def test_the_clauses_of_a_verdict_are_a_tuple_of_texts(clauses: Any) -> None:
    with pytest.raises(Malformed, match="allowed: a tuple of clauses"):
        Irregular(clauses)


def test_a_list_of_clauses_becomes_a_tuple() -> None:
    found: Any = ["5.3"]
    assert Irregular(found) == Irregular(("5.3",))
    assert hash(Irregular(found)) == hash(Irregular(("5.3",)))


def test_the_legal_acts_of_equal_states_are_equal() -> None:
    legal, other = two().legal, two().play("2C").legal
    same = two().legal
    assert (legal == same, legal == other, legal == list(same)) == (True, False, False)
    assert hash(legal) == hash(same)
    assert len({legal, same, other}) == 2
    elsewhere = new_deal(hearts(2).having(queen_points=5), TWO).legal
    assert elsewhere.cards == legal.cards
    assert elsewhere != legal


def test_legal_acts_can_be_copied_and_pickled() -> None:
    legal = two().legal
    for kept in (copy(legal), deepcopy(legal), pickle.loads(pickle.dumps(legal))):
        assert kept == legal
        assert list(kept) == list(legal) != []
        assert (Play(0, "2C") in kept, Play(0, "4D") in kept) == (True, False)


@pytest.mark.parametrize(
    "act",
    [
        Play(2, "2C"),
        acts.Claim(0, 2, 1),
        acts.Claim(2, 0, 1),
        acts.MoonChoice(0, 2),
        acts.Scatter(0, {2: "2C"}),
        acts.Cut(12, "2C"),
        acts.Mix(2, ["2C"]),
    ],
)
def test_an_act_for_a_seat_that_is_not_there_is_malformed(act: acts.Act) -> None:
    for ask in (two().verdict, two().apply, two().legal.__contains__):
        error = malformed(ask, act)
        assert (error.where, error.allowed) == ("seat", "a seat from 0 to 1")


# Questions


def test_a_trick_is_completed_by_the_act_that_completes_it() -> None:
    state = two().play("2C")
    assert state.completed is None
    state = state.play("3C")
    assert state.completed is not None
    assert state.completed.winner == 1
    assert state.play("5D").completed is None
    ruleset = hearts(2, revokes="penalised", revoke_until="trick_quitted")
    won = new_deal(ruleset, TWO).play("2C").play("3C")
    assert won.apply(acts.QuitTrick(1)).completed is None
    assert won.completed is not None


def test_before_the_first_deal_there_is_nothing() -> None:
    state = new_match(hearts(3))
    assert (state.hands, state.taken, state.tricks, state.points) == ((), (), (), ())
    assert (state.stock, state.kitty, state.out, state.drew) == ((), CardSet(), (), ())
    assert (state.table, state.history, state.revokes) == (None, (), ())
    assert (state.score, state.winners, state.dealer) == (None, None, None)
    assert not state.hearts_broken


def test_a_deal_not_yet_played_has_nothing_taken() -> None:
    state = new_deal(hearts(2, pass_cycle=["left"], pass_count=1), TWO)
    assert state.taken == (CardSet(), CardSet())
    assert state.points == state.tricks == state.observe(0).points == (0, 0)
    assert state.out == ()


def drawn(state: State, seat: int) -> list[str]:
    """The words on the line for this seat in the text of a state, less its asterisk."""
    lines = [re.match(rf"(\*?) *{seat} (.*)", line) for line in str(state).splitlines()]
    [found] = [line for line in lines if line]
    assert (found[1] == "*") == (seat in state.turn)
    return found[2].split()


def test_the_table_is_drawn_as_text() -> None:
    state = two().play("2C")
    assert str(state).splitlines()[0] == "pokerwiner-hearts, deal 1, play 3C"
    assert drawn(state, 0) == ["2C", "4D", "0", "0"]
    assert drawn(state, 1) == ["3C", "5D", "0", "0"]
    stock = new_deal(domino(), ["5C 6D", "2D 3H"], dealer=1, stock="4H 7C")
    assert str(stock).splitlines()[-1] == "stock 2, kitty 0"
    over = cards_played(state, "3C 5D 4D")
    assert drawn(over, 0) == ["-", "0", "0"]
    assert "cut one of 52 cards" in str(new_match(hearts(2)))


@settings(max_examples=depth(40), deadline=None)
@given(state=states())
def test_every_card_of_a_hand_stands_in_the_drawing(state: State) -> None:
    for seat, hand in enumerate(state.hands):
        assert set(str(hand).split()) <= set(drawn(state, seat))
        assert drawn(state, seat)[-1] == str(state.totals[seat])


def test_states_differ_where_rules_or_cards_do() -> None:
    assert two() != new_deal(hearts(2, deals=2), TWO)
    assert two() != new_deal(hearts(2), ["2C 5D", "3C 4D"])
    assert two() == State.open(hearts(2), Setup(dealer=0, hands=TWO))
    assert two() != two().core
    assert two().core != two()
    assert len({two(), two(), two().play("2C")}) == 2


def test_how_a_state_was_reached_does_not_count() -> None:
    one = new_match(hearts(2), pack="2C 3C").after(acts.Cut(0, "2C"), acts.Cut(1, "3C"))
    other = new_match(hearts(2), pack="2C 3C").after(
        acts.Cut(1, "3C"), acts.Cut(0, "2C")
    )
    assert one == other
    assert one.acts != other.acts


# The book behind it


def test_a_clause_is_found_by_its_number() -> None:
    found = clause("5.3")
    assert (found.number, found.title, found.kind) == ("5.3", "Follow suit", "forbid")
    assert clauses()["5.3"] is found


@pytest.mark.parametrize("number", ["5.99", "", "five", 5])
def test_a_clause_that_is_not_in_the_book_is_malformed(number: Any) -> None:
    assert repr(number) in malformed(clause, number).found


# Bad input to the verbs: never another exception than ours


@pytest.mark.parametrize("bad", [5, None, [], 1.5, b"QS", object()])
def test_what_is_no_card_is_malformed_everywhere(bad: Any) -> None:
    for read in (two().play, partial(Play, 0), card, CardSet("QS").__contains__):
        malformed(read, bad)
    if bad != 5:  # only `Card` itself takes numbers
        malformed(refengine.Card, bad)


@pytest.mark.parametrize("bad", [5, None, 1.5, object()])
def test_what_is_no_set_of_cards_is_malformed_everywhere(bad: Any) -> None:
    for read in (partial(acts.Pass, 0), partial(Match, None), CardSet, refengine.cards):
        malformed(read, bad)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Ruleset([]),  # type: ignore[arg-type]
        lambda: profile([]),
        lambda: clause([]),
        lambda: Ruleset("estmesh-hearts", 4, [1]),  # type: ignore[arg-type]
        lambda: Ruleset("estmesh-hearts", 4, 5),  # type: ignore[arg-type]
        lambda: new_match("estmesh-hearts"),  # type: ignore[arg-type]
        lambda: new_deal(hearts(2), TWO, nonsense=1),
        lambda: State.open(hearts(2), 5),  # type: ignore[arg-type]
        lambda: two().apply("2C"),  # type: ignore[arg-type]
        lambda: two().verdict(None),  # type: ignore[arg-type]
        lambda: new_deal(hearts(2), TWO, leader=0, hearts_broken="no"),
        lambda: new_deal(hearts(2), TWO, totals=[]),
        lambda: new_deal(hearts(2), TWO, leader=0, taken=[]),
        lambda: new_deal(hearts(2), TWO, leader=0, tricks=[]),
        lambda: new_deal(hearts(2), TWO, deal=10**30),
        lambda: acts.Claim(0, 1, 10**30),
    ],
)
def test_what_is_of_another_kind_altogether_is_malformed(make: Any) -> None:
    error = malformed(make)
    assert error.found
    assert error.allowed


def test_states_are_equal_by_what_they_hold_and_copied_as_themselves() -> None:
    state = two().play("2C")
    again = two().play("2C")
    assert state == again
    assert hash(state) == hash(again)
    assert state != two()
    assert copy(state) is state
    assert deepcopy(state) is state


def test_small_values_are_equal_and_hashed_by_what_they_hold() -> None:
    before = position_of(two().core)
    packet, revoke = Packet(CLUBS, (), False), Revoke(1, 2, 0, before, 0)
    assert packet == Packet(CLUBS, (), False)
    assert hash(packet) == hash(Packet(CLUBS, (), False))
    assert revoke == Revoke(1, 2, 0, before, 0)
    assert hash(revoke) == hash(Revoke(1, 2, 0, before, 0))
    cut: object = CutRound((), 0)
    assert cut != DealStart(0, 1, (), False)
    assert cut != ((), 0)
