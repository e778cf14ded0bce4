"""Tests of what follows from the rest of a record, and of what is said if nothing."""

from collections.abc import Callable

import attrs
import pytest

from refengine import CardSet, Malformed, Ruleset, State, profile_names
from refengine.formats.generate import Manner, random_deals
from refengine.formats.trace import opened, replay
from refengine.formats.written.completing_written import (
    PartKnown,
    completed,
    completed_parts,
)
from refengine.formats.written.games_written import written_game
from refengine.formats.written.played_written import start_written, trace_written
from refengine.formats.written.reading_written import read_written
from refengine.formats.written.turns_written import passed_by_seat
from refengine.formats.written.writing_written import write_written
from refengine.formats.written.written_match import WrittenDeal, WrittenMatch
from refengine.game.acts import Play
from refengine.game.values.cardset import CARDS

Part = Callable[[WrittenDeal], WrittenDeal]
LEFT_OUT: dict[str, Part] = {
    "hands": lambda deal: attrs.evolve(deal, dealt=(), held=()),
    "hands before the pass": lambda deal: attrs.evolve(deal, dealt=()),
    "hands and passes": lambda deal: attrs.evolve(deal, dealt=(), held=(), passes=()),
    "passes": lambda deal: attrs.evolve(deal, passes=()),
    "dealer": lambda deal: attrs.evolve(deal, dealer=None),
    "all but tricks and score": lambda deal: WrittenDeal(
        course=deal.course, score=deal.score
    ),
}
RULESETS = {
    **{name: Ruleset(name) for name in profile_names()},
    "scatter": Ruleset("common-hearts", 4, {"pass_cycle": ["scatter"]}),
    "mix": Ruleset("common-hearts", 4, {"pass_cycle": ["mix"]}),
}
WITHOUT_STOCK = [
    name for name, rules in RULESETS.items() if rules.options["undealt"] != "stock"
]


def deals(name: str) -> list[WrittenMatch]:
    """Random deals, one for each kind of pass, played out and written down."""
    found = []
    for trace in random_deals(RULESETS[name], 4, 7, Manner()):
        state = State.open(trace.ruleset, trace.start)
        found.append(written_game(state, [step.act for step in trace.steps]))
    return found


@pytest.mark.parametrize("part", LEFT_OUT)
@pytest.mark.parametrize("name", WITHOUT_STOCK)
def test_a_deal_of_which_a_part_is_left_out_still_fits(name: str, part: str) -> None:
    for match in deals(name):
        [deal] = match.deals
        short = attrs.evolve(match, deals=(LEFT_OUT[part](deal),))
        whole = completed(short).match
        assert replay(trace_written(whole)) == []
        assert trace_written(whole).steps[-1].then["score"] == list(deal.score)


def test_what_was_passed_follows_from_the_hands_before_and_after() -> None:
    for match in deals("common-hearts"):
        [deal] = match.deals
        for part in ("passes", "hands before the pass"):
            short = attrs.evolve(match, deals=(LEFT_OUT[part](deal),))
            [found] = completed(short).match.deals
            assert found.dealt == deal.dealt
            assert sorted(found.passes, key=lambda one: one.seat) == sorted(
                deal.passes, key=lambda one: one.seat
            )


def told(text: str, ruleset: Ruleset | None = None) -> tuple[WrittenDeal, list[str]]:
    found = completed(read_written(text), ruleset)
    return found.match.deals[-1], list(found.granted)


FOUR = "2C 5C JD KC\n7D 9D QS 2H\n3H 4S KH QH\n"
SMALL = f"pack: 2C 5C JD KC 7D 9D QS 2H 3H 4S KH QH\n{FOUR}"
HEARTS = "rules: common-hearts, 4 players\n"


def test_what_is_granted_is_said_once_for_all_deals() -> None:
    deal, granted = told(SMALL, Ruleset("common-hearts"))
    assert granted == [
        "common-hearts is played",
        "seat 0 led first",
        "the cards are those held after the pass",
        "seat 3 dealt",
    ]
    assert deal.position
    assert told(f"{SMALL}deal 2\n{FOUR}", Ruleset("common-hearts"))[1] == granted


@pytest.mark.parametrize(
    ("text", "number", "dealer"),
    [
        (f"deal -\npass: hold\n{FOUR}", 4, 3),
        (f"deal -\npass: across\n{FOUR}", 3, 3),
        (f"deal -\npass: scatter\n{FOUR}", 1, 3),
        (f"deal 3\ndealer: seat 2\n{FOUR}score: 1 2 3 20\ndeal -\n{FOUR}", 4, 3),
        (f"deal -\npass: hold\nseat 2: {FOUR}", 4, 1),
        ("deal 4\nS=2C, W=5C, N=JD, E=KC\n7D 9D QS 2H\n3H 4S KH QH\n", 4, 1),
    ],
)
def test_number_and_dealer_follow(text: str, number: int, dealer: int) -> None:
    pack = SMALL.splitlines()[0]
    deal, _ = told(f"{HEARTS}{pack}\n{text}")
    assert (deal.number, deal.dealer) == (number, dealer)


def test_the_leader_follows_from_the_hands() -> None:
    hands = "hand N: 9D 5C\nhand E: JD QS\nhand S: KC 2H\nhand W: 2C 7D\n"
    deal, granted = told(f"{HEARTS}deal 4\n{hands}2C 5C JD KC\n")
    assert (deal.dealer, granted) == (2, ["seat 2 dealt"])


def test_where_the_order_is_not_told_the_lead_is_that_of_the_rules() -> None:
    """The lead goes to the lowest club, or to the seat left of the dealer (5.1)."""
    tricks = "S=2C, W=5C, N=JD, E=KC\n7D 9D QS 2H\n3H 4S KH QH\n"
    for profile, dealer, leader in (
        ("common-hearts", "dealer: N\n", 2),
        ("pokerwiner-hearts", "dealer: N\n", 1),
        ("pokerwiner-hearts", "", 2),  # as it is written, for want of better
    ):
        text = f"rules: {profile}, 4 players\n{SMALL.splitlines()[0]}\ndeal 4\n"
        _, granted = told(f"{text}{dealer}{tricks}")
        assert granted[0] == f"seat {leader} led first"


def test_the_lead_follows_from_the_dealer_where_the_next_seat_leads() -> None:
    """In deal 2 the dealer follows from deal 1 (3.2)."""
    first = f"rules: pokerwiner-hearts, 4 players\n{SMALL.splitlines()[0]}\ndeal 1\n"
    first = f"{first}dealer: N\n{FOUR}score: 1 2 3 20\n"
    for second in (FOUR, "E=7D, S=9D, W=QS, N=2H\n2C 5C JD KC\n3H 4S KH QH\n"):
        deal, granted = told(f"{first}deal 2\n{second}")
        assert deal.dealer == 1
        assert granted == ["seat 1 led first", "seat 2 led first"]


def test_the_lead_is_that_of_the_lowest_club_in_hands_as_dealt() -> None:
    hands = "hand N: 5C 9D\nhand E: JC QS\nhand S: 2C KC\nhand W: 9C 7D\n"
    deal, granted = told(f"{HEARTS}deal 4\n{hands}N=5C, E=JC, S=KC, W=9C\n")
    assert (deal.dealer, granted) == (1, ["seat 2 led first", "seat 1 dealt"])
    # What was passed right is in the hand of the seat that got it
    given = "pass: right\npasses N: 5C\npasses E: JC\npasses S: 2C\npasses W: 9C\n"
    passed = f"{HEARTS[:-1]}, pass_count=1\ndeal 2\n{given}{hands}"
    deal, granted = told(f"{passed}N=9D, E=QS, S=KC, W=7D\n")
    assert granted == ["seat 1 led first", "seat 0 dealt"]


def test_nobody_led_to_a_trick_that_is_not_there() -> None:
    hands = "hand N: 9D 5C\nhand E: JD QS\nhand S: KC 2H\nhand W: 2C 7D\n"
    assert told(f"{HEARTS}deal 4\n{hands}")[1] == ["seat 3 dealt"]


@pytest.mark.parametrize("card", ["2C", "N=2C"])
def test_the_first_card_of_a_record_may_be_taken_back(card: str) -> None:
    match = read_written(f"{HEARTS}{card}\nretract N: 2C\n")
    [part] = completed_parts(match)
    assert isinstance(part, PartKnown)
    assert part.granted == ()


def test_a_kitty_that_nobody_wrote_down_is_what_was_not_played() -> None:
    deal, _ = told(
        "rules: pokerwiner-hearts, 3 players, removal=none, undealt=kitty\n"
        "pack: 2C 3C 4C 5C 6C 7C 8C\ndeal -\npass: hold\n2C 3C 4C\n5C 6C 7C\n"
    )
    assert deal.kitty == CardSet("8C")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FOUR, "found 12 of 52 cards, and no hands; allowed: the hands, or every tri"),
        (f"{SMALL[:-3]}??\n", "found a card of trick 3 that nobody wrote down"),
        (SMALL[:-4], "found 11 of 12 cards, and no hands"),
        (f"{SMALL[:-3]}2C\n", "found 2C played twice, and no hands"),
        (f"{SMALL[:-3]}9C\n", "found 9C, not in the pack, and no hands"),
        (f"kitty: 2C\n{SMALL}", "found a kitty of 2C, with no card left, and no hands"),
        (SMALL.replace("pack:", "pack: 4C"), "found 4C left over, and no hands"),
        ("deal 1\nhand N: 2C 3C\n2C 5C JD KC\n", "found 4 of 52 cards"),
    ],
)
def test_hands_that_do_not_follow_are_not_made_up(text: str, said: str) -> None:
    with pytest.raises(Malformed) as found:
        told(HEARTS + text)
    assert said in str(found.value)
    assert "deals[0]" in str(found.value)


def test_a_position_says_all_that_it_takes() -> None:
    line = "position: spot-hearts/4@1.1.0~0 0 1 - 2C/3C/4C/5C - 0 - - -"
    deal, granted = told(f"rules: spot-hearts, 4 players\n{line}\n2C 3C 4C 5C\n")
    assert deal.dealt == ()
    assert granted == []


def test_where_cards_are_drawn_hands_do_not_follow() -> None:
    said = "found no hands; allowed: the hands and stock$"
    with pytest.raises(Malformed, match=said):
        told("rules: gamerules-domino, 4 players\ndeal 1\n2C 3C 4C 5C\n")


def test_there_are_no_rules_by_themselves() -> None:
    with pytest.raises(Malformed, match="found no rules"):
        told(SMALL)


ALONE = """\
hand Ann: 2C 9D QH
hand Ben: 5C QS 3H
hand Carl: JD 4S 2H
hand Dora: KC 7D KH
1. Ann: 2C 5C JD KC
2. Dora: 7D 9D QS 2H
3. Ann: QH 3H 4S KH
score: 14 0 0 3
"""


@pytest.mark.parametrize(
    ("rules", "totals", "number"),
    [
        ("common-hearts", "14 0 0 3", 1),
        ("common-hearts", "34 1 7 3", 5),  # the next that is passed to the left
        ("common-hearts, pass_cycle=hold", "34 1 7 3", 2),
        ("common-hearts, pass_cycle=", "34 1 7 3", 2),  # any later deal will do
        ("common-hearts, limit=none, deals=4", "34 1 7 3", 1),  # no deal 5 is played
        ("common-hearts, limit=none, deals=8", "34 1 7 3", 5),
        ("common-hearts, limit=14, exact_limit_becomes=7", "7 0 0 3", 1),  # 9.2
    ],
)
def test_a_deal_whose_totals_are_not_its_score_is_not_the_first(
    rules: str, totals: str, number: int
) -> None:
    players = "players: Ann, Ben, Carl, Dora"
    text = f"rules: {rules}\n{players}\ndeal -\n{ALONE}totals: {totals}\n"
    deal, granted = told(text)
    assert deal.number == number
    said = f"it is deal {number}, since its totals are not its score"
    assert (said in granted) == (number > 1)


TABLE = "players: Ann, Ben, Carl, Dora\n"


def test_a_deal_before_which_nobody_has_a_point_is_the_first() -> None:
    """A match begins with every total at 0 (9.1), so here the totals are wrong."""
    text = f"{HEARTS}{TABLE}deal -\nbefore: 0 0 0 0\n{ALONE}totals: 14 0 0 4\n"
    deal, granted = told(text)
    assert deal.number == 1
    assert not [one for one in granted if "it is deal" in one]


def test_a_deal_that_its_pass_makes_the_second_is_not_said_to_be_the_fifth() -> None:
    deal, granted = told(
        f"{HEARTS}{TABLE}deal -\npass: right\n{ALONE}totals: 34 1 7 3\n"
    )
    assert deal.number == 2
    assert not [one for one in granted if "it is deal" in one]


def test_a_card_that_was_passed_is_led_by_whoever_got_it() -> None:
    text = (
        "rules: black-maria, 3 players\nplayers: Ann, Ben, Carl\ndeal 1\n"
        "hand Ann: QS 2C 3C 4C\nhand Ben: 5C 6C 7C 8C\nhand Carl: 9C TC JC KC\n"
        "passes Ann: QS 2C 3C\npasses Ben: 5C 6C 7C\npasses Carl: 9C TC JC\n"
        "1. QS 4C 8C\n"
    )
    [deal] = completed(read_written(text)).match.deals
    assert deal.dealer == 1


def test_a_kitty_is_what_written_hands_leave() -> None:
    cards = [str(one) for one in CARDS if str(one) != "QS"]
    hands = "".join(f"hand seat {at}: {' '.join(cards[at::3])}\n" for at in range(3))
    rules = "rules: pokerwiner-hearts, 3 players, removal=none, undealt=kitty"
    deal, _ = told(f"{rules}\ndeal 1\ndealer: 2\n{hands}")
    assert deal.kitty == CardSet("QS")


def test_a_hand_that_was_not_dealt_is_reported_where_nothing_is_passed() -> None:
    rules = "rules: common-hearts, 4 players, pass_cycle=hold\n"
    pack = SMALL.splitlines()[0]
    _, granted = told(f"{rules}{TABLE}{pack}\ndeal 1\nhand Ann: 2C 9D KH\n{FOUR}")
    assert "Ann was not dealt KH, since it is played by Carl" in granted


HELD = (
    f"{TABLE}deal 1\nheld Ann: 2C 9C QH\nheld Ben: 5C QS 3H\n"
    "held Carl: JC 4S 2H\nheld Dora: KC 7D KH\n"
)


def test_who_opens_out_of_turn_is_judged_and_not_refused() -> None:
    match = completed(read_written(f"{HEARTS}{HELD}1. Ben: 5C JC KC 2C\n")).match
    act = trace_written(match).steps[0].act
    assert isinstance(act, Play)
    assert (act.seat, str(act.card)) == (1, "5C")
    assert match.ruleset is not None
    assert opened(match.ruleset, start_written(match)).turn == (0,)


def test_any_club_may_open() -> None:
    rules = "rules: common-hearts, 4 players, opening_card=any_club\n"
    text = f"{rules}{HELD}Ann=9C, Ben=5C, Carl=JC, Dora=KC\n"
    assert "Ben led first" not in completed(read_written(text)).granted


def test_a_deal_one_has_no_dealer_from_the_match_before() -> None:
    rules = "rules: pokerwiner-hearts, 4 players\n"
    text = f"{rules}{TABLE}deal 2\ndealer: Ann\n{ALONE}deal 1\n{ALONE}"
    deal, granted = told(text)
    assert deal.dealer == 3
    assert "Dora dealt" in granted


def test_the_way_of_a_pass_shows_in_a_deal_that_is_not_finished() -> None:
    """Carl plays KH, which Dora passed to the right, but the pass of deal 1 is left."""
    deal, granted = told(
        f"rules: common-hearts, 4 players, pass_count=1\n{TABLE}deal 1\npass: right\n"
        "hand Ann: 2C 9D QH\nhand Ben: 5C QS 3H\n"
        "hand Carl: JD 4S 2H\nhand Dora: 7D KC KH\n"
        "passes Ann: QH\npasses Ben: 3H\npasses Carl: 2H\npasses Dora: KH\n"
        "2C 5C JD KC\n7D 9D QS KH\n3H 2H\n"
    )
    assert deal.number == 2
    assert "deal 1 is played like deal 2, since its cards went that way" in granted


def test_a_pass_that_no_play_shows_went_the_way_that_is_written() -> None:
    """No card passed has been played yet, so the plays fit a pass to the left too."""
    deal, _ = told(
        f"rules: common-hearts, 4 players, pass_count=1\n{TABLE}deal 1\npass: right\n"
        "hand Ann: 2C 9D QH\nhand Ben: 5C QS 3H\n"
        "hand Carl: JD 4S 2H\nhand Dora: 7D KC KH\n"
        "passes Ann: QH\npasses Ben: 3H\npasses Carl: 2H\npasses Dora: KH\n"
        "2C 5C JD KC\n"
    )
    assert deal.number == 2


def test_a_deal_apart_from_its_match_is_without_the_cut_before_it() -> None:
    """Otherwise it would be read again as the first deal of a match."""
    head = "rules: common-hearts\nplayers: Ann, Ben, Carl, Dora\n"
    trick = "1. Ann: 2C 5C JC KC\n"
    match = read_written(f"{head}deal 6\n{trick}cut Ann: 2C\ndeal 7\n{trick}")
    assert match.deals[1].cuts
    for part in completed_parts(match, apart=True):
        again = read_written(write_written(part.match))
        assert (again.begins, again.cuts) == (False, ())


def test_a_second_pass_of_a_seat_is_not_that_of_another() -> None:
    text = (
        f"rules: common-hearts, 4 players, pass_count=1\n{TABLE}deal 1\n"
        "hand Ann: 2C 9D QH\nhand Ben: 5C QS 3H\n"
        "hand Carl: JD 4S 2H\nhand Dora: 7D KC KH\n"
        "passes Ann: QH\npasses Ann: 9D\npasses Ben: 3H\npasses Carl: 2H\n"
        "2C 5C JD KC\n"
    )
    with pytest.raises(Malformed, match="found a pass that nobody wrote down"):
        told(text)
    deal = read_written(text).deals[0]
    given = [(0, CardSet("QH")), (1, CardSet("3H")), (2, CardSet("2H"))]
    assert [*passed_by_seat(deal).items()] == given


@pytest.mark.parametrize(
    ("line", "number"), [("deal 1", 1), ("deal -", 2), ("deal 2", 2)]
)
def test_between_two_players_left_and_right_are_the_same(
    line: str, number: int
) -> None:
    rules = "rules: pokerwiner-hearts, 2 players, pass_cycle=left, right, pass_count=1"
    deal, granted = told(
        f"{rules}\npack: 2C 3C 4C 5C\n{line}\ndealer: E\npass: right\n2C 3C\n4C 5C\n"
    )
    assert deal.number == number
    assert not [one for one in granted if "is played like" in one]
