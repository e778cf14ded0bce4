"""Tests that the deals of a match that somebody wrote down are checked together."""

import json
from collections.abc import Callable
from random import Random

import attrs
import pytest

from refengine import Ruleset, State, new_match
from refengine.formats.fields import trick_fields
from refengine.formats.trace import Step, Trace, write_trace
from refengine.formats.written.games_written import written_game
from refengine.formats.written.mapped_written import mapped_games
from refengine.formats.written.maps_written import game_map
from refengine.formats.written.reading_written import read_written
from refengine.formats.written.writing_written import write_written
from refengine.formats.written.written_match import WrittenDeal, WrittenMatch
from tests.support.commands import Runner

COMMON = "--profile common-hearts"
# All three cards are passed, so that each hand is that of another player: in the first
# two deals that of the right neighbour. In the first, Carl throws a heart on the first
# trick with two diamonds in the hand. Ann takes every trick, and one heart, twice.
# Then Ben takes all.
HANDS = """\
hand Ann: 2C 5S 3S
hand Ben: 2H 4D 3D
hand Carl: 3C 6S 5D
hand Dora: 4C 7S 6D
passes Ann: 2C 5S 3S
passes Ben: 2H 4D 3D
passes Carl: 3C 6S 5D
passes Dora: 4C 7S 6D
"""
MATCH = f"""\
rules: common-hearts, 4 players, first_trick_points=barred, limit=2
players: Ann, Ben, Carl, Dora
pack: 2C 3C 4C 3D 4D 5D 6D 3S 5S 6S 7S 2H

deal 1
dealer: Dora
pass: left
{HANDS}
1. Ben: 2C 2H 3C 4C -> Ann
2. Ann: 7S 5S 4D 6S -> Ann
3. Ann: 6D 3S 3D 5D -> Ann
score: 9 0 0 0
totals: 9 0 0 0

deal 2
dealer: Carl
pass: left
{HANDS}
1. Ben: 2C 4D 3C 4C -> Ann
2. Ann: 7S 5S 2H 6S -> Ann
3. Ann: 6D 3S 3D 5D -> Ann
score: 1 0 0 0
totals: 10 0 0 0

deal 3
dealer: Dora
pass: across
before: 10 0 5 0
{HANDS}
1. Carl: 2C 4D 3C 4C -> Ben
2. Ben: 7S 5S 2H 6S -> Ben
3. Ben: 6D 3S 3D 5D -> Ben
score: 0 1 0 0
"""
HEAD, FIRST, SECOND, THIRD = MATCH.split("deal ")
# The first deal as it should have been: the two of hearts comes a trick later.
RIGHT = FIRST.replace("2C 2H 3C 4C", "2C 4D 3C 4C").replace("7S 5S 4D", "7S 5S 2H")
RIGHT = RIGHT.replace("9 0 0 0", "1 0 0 0")


def test_every_fault_of_a_written_match_is_named_in_order(judge: Runner) -> None:
    for words in ((), ("--match",)):
        code, out, err = judge(MATCH, *words)
        assert code == 1
        assert err.count("taken for granted") == 1
        assert "deal 2 is played like deal 5, since its cards went that way" in err
        flat = " ".join(out.split())
        places = [
            flat.index(part)
            for part in (
                "FILE:1 deal 1 trick 1: Carl may not play 2H: 5.5",
                "At the end it states the score of the deal as Ann: 9, Ben: 0, "
                "Carl: 0, Dora: 0; by these rules that is Ann: 1, Ben: 0, Carl: 0, "
                "Dora: 0. [8.1]",
                "FILE:1 deal 2 Carl deals, but the deal passes to Ann. [3.2]",
                "Passed left, where right comes after left. [4.1]",
                "FILE:1 deal 3 The match was over before this deal: Ann stood at 2. "
                "[9.3]",
                "Carl begins with 5, but 0 is carried over. [9.1]",
                "3 of 3 deals are wrong.",
                "The right totals are Ann: 2, Ben: 1, Carl: 0, Dora: 0. [9.1]",
                "The match is over, and Ben, Carl and Dora share the win. [9.5]",
            )
        ]
        assert places == sorted(places)


def test_what_follows_from_a_fault_is_not_told_as_another(judge: Runner) -> None:
    """A deal passed in the wrong direction is judged with the hands that resulted."""
    _, out, _ = judge(MATCH, "--json")
    *deals, match = map(json.loads, out.splitlines())
    assert "illegal" not in deals[1]
    assert [one["clauses"] for one in deals[1]["begins"]] == [["3.2"], ["4.1"]]
    assert [one["totals"] for one in deals] == [
        [1, 0, 0, 0],
        [2, 0, 0, 0],
        [2, 1, 0, 0],
    ]
    assert match["match"]["winners"] == [1, 2, 3]  # after deal 2, which ended it


def test_one_card_that_nobody_wrote_down_leaves_the_rest_judged(judge: Runner) -> None:
    text = MATCH.replace("1. Ben: 2C 4D 3C 4C -> Ann", "1. Ben: 2C 4D ?? 4C -> Ann")
    code, out, _ = judge(text, "--json")
    *deals, match = map(json.loads, out.splitlines())
    assert code == 1
    assert "plays" in deals[1]
    assert [one["clauses"] for one in deals[1]["begins"]] == [["3.2"], ["4.1"]]
    assert deals[1]["totals"] == [2, 0, 0, 0]  # by the stated score (9.1)
    assert [one["clauses"] for one in deals[2]["begins"]] == [["9.3"], ["9.1"]]
    assert match["match"]["winners"] == [1, 2, 3]
    silent = text.replace("score: 1 0 0 0\ntotals: 10 0 0 0\n", "")
    *deals, match = map(json.loads, judge(silent, "--json")[1].splitlines())
    assert "totals" not in deals[1]
    # What Carl begins with can no longer be held against anything
    assert deals[2]["begins"] == []
    assert deals[2]["outcome"] == "pass"
    assert deals[2]["totals"] == [10, 1, 5, 0]
    assert match["match"]["over"]
    assert "Carl deals, but the deal passes to Ann" in judge(text)[1]


NOTES = """\
rules: common-hearts, 4 players
players: Ann, Ben, Carl, Dora
deal {}
Ann leads the two of clubs
{}
deal {}
Ann leads the two of clubs
{}
"""


@pytest.mark.parametrize(
    ("totals", "told"),
    [
        # Each fault is told where it is made, and carried on after that (9.1)
        (("5 8 13 0", "18 16 18 0"), ()),
        (("5 8 14 0", "18 16 19 0"), (("5 8 14 0", "5 8 13 0"),)),
        (
            ("5 8 14 0", "50 50 50 50"),
            (("5 8 14 0", "5 8 13 0"), ("50 50 50 50", "18 16 19 0")),
        ),
    ],
)
def test_totals_are_the_sums_of_stated_scores_where_cards_do_not_tell_them(
    judge: Runner, totals: tuple[str, str], told: tuple[tuple[str, str], ...]
) -> None:
    first, second = (f"totals: {one}" for one in totals)
    text = NOTES.format(1, f"score: 5 8 13 0\n{first}", 2, f"score: 13 8 5 0\n{second}")
    code, out, _ = judge(text)
    assert code == bool(told)
    flat = " ".join(out.split())
    assert flat.count("The record says that the totals are") == len(told)
    for stated, right in told:
        words = f"totals are {stated}; with this score added: {right}. [9.1]"
        assert words in flat
    assert "By the record the totals are Ann: 18, Ben: 16, Carl: 18, Dora: 0" in flat
    assert "The match goes on. [9.3]" in flat


def test_where_no_score_is_stated_nothing_is_said_against_the_totals(
    judge: Runner,
) -> None:
    code, out, _ = judge(NOTES.format(1, "totals: 5 8 14 0", 2, "totals: 50 50 50 50"))
    assert code == 0
    assert "Ann: 50, Ben: 50, Carl: 50, Dora: 50" in out
    # What is added to them later is held against the sums (9.1)
    text = NOTES.format(1, "totals: 5 8 13 0", 2, "score: 0 0 13 13\ntotals: 5 8 26 12")
    code, out, _ = judge(text)
    assert (code, "with this score added: 5 8 26 13. [9.1]" in out) == (1, True)
    code, out, _ = judge(NOTES.format(1, "", 2, "score: 0 0 13 13"))
    assert (code, "the totals are not known. [9.1]" in out) == (0, True)


@pytest.mark.parametrize(
    ("totals", "winners", "told"),
    [
        # Ben and Carl are level, and share the win (9.5)
        ("103 45 45 63", "Ben, Carl", ""),
        ("103 45 45 63", "Ben", "over, won by Ben and Carl. [9.5]"),
        ("95 45 53 63", "Ben", "not over. [9.3]"),
    ],
)
def test_winners_are_those_by_the_stated_scores(
    judge: Runner, totals: str, winners: str, told: str
) -> None:
    after = [int(one) for one in totals.split()]
    before = " ".join(str(a - b) for a, b in zip(after, (13, 5, 5, 3), strict=True))
    lines = f"before: {before}\nscore: 13 5 5 3\ntotals: {totals}\nwinners: {winners}"
    ended = after[0] >= 100
    text = NOTES.format(7, lines, 8, "score: 13 5 5 3")
    code, out, _ = judge(text)
    flat = " ".join(out.split())
    assert code == 1
    over = "The match was over before this deal: Ann stood at 103. [9.3]"
    assert (over in flat) is ended
    said = f"match is over, won by {winners}; by the totals it is {told}"
    assert (said in flat) is bool(told)
    assert ("Ben and Carl share the win. [9.5]" in flat) is ended
    alone = text.partition("deal 8")[0]
    assert judge(alone)[0] == bool(told)
    first = json.loads(judge(text, "--json")[1].splitlines()[0])
    won = [1, 2] if ended else []
    if told:
        wrong = first["wrong_match"]
        assert wrong["expected"] == {"over": ended, "winners": won}
        assert wrong["got"] == {"over": True, "winners": [1]}


def test_a_deal_that_is_missing_leaves_open_what_was_carried_on(judge: Runner) -> None:
    third = THIRD.replace("dealer: Dora", "dealer: Ben")
    for text in (third, third.replace("before: 10 0 5 0\n", "")):
        assert judge(f"{HEAD}deal {RIGHT}deal {text}")[0] == 0
    # Nobody knows whether that was the end
    assert judge(f"{HEAD}deal {RIGHT}deal {text}winners: Dora")[0] == 0
    told = f"{third.replace('before: 10 0 5 0', '')}totals: 17 40 8 3\n"
    code, out, _ = judge(f"{HEAD}deal {RIGHT}deal {told}", "--json")
    assert code == 0
    assert json.loads(out.splitlines()[1])["totals"] == [17, 40, 8, 3]
    # By its dealer a deal is the second, whatever it is called
    called = SECOND.replace("2\ndealer: Carl\npass: left", "3\ndealer: Ann")
    _, out, _ = judge(f"{HEAD}deal {RIGHT}deal {called}")
    assert "It is called deal 3 but is deal 2. [4.1]" in out


def test_the_totals_of_a_deal_alone_may_be_those_of_a_later_one(judge: Runner) -> None:
    alone = RIGHT.removeprefix("1\n")
    head = HEAD.replace(", limit=2", "")
    code, said, _ = judge(f"{head}deal -\n{alone}")
    assert (code, "Nothing in it is against these rules." in said) == (0, True)
    later = alone.replace("totals: 1 0 0 0", "totals: 31 7 0 9")
    code, said, granted = judge(f"{head}deal -\n{later}")
    assert (code, "Nothing in it is against these rules." in said) == (0, True)
    assert "it is deal 5, since its totals are not its score" in granted
    # The number says that it is the first
    code, said, _ = judge(f"{head}deal 1\n{later}")
    assert (code, "[9.1]" in said) == (1, True)


def test_a_deal_that_cannot_be_judged_leaves_the_others_told_once(
    judge: Runner,
) -> None:
    """In the third deal North has one card but plays two; the others are reported."""
    good = "deal 2\n2C 3C 4C 5C\n\ndeal 1\n2C 3C 4C 5C\n\n"
    bad = "deal 1\npass: hold\nhand seat 0: 2C\n1. N: 2C 3C 4C 5C\n2. W: 6C 7C 8C 9C\n"
    code, out, err = judge(good + bad)
    assert code == 3
    assert out.count("FILE:1 deal 2\n") == out.count("FILE:1 deal 1\n") == 1
    assert "than the 1 of its hand" in err


def test_deals_with_the_same_place_are_deals_each(judge: Runner) -> None:
    text = "deal 2\n2C 3C 4C 5C\n\ndeal 2\n2C 3C 4C 5C\n"
    code, out, _ = judge(text, "--match")
    assert code == 1
    assert "It is called deal 2 but is deal 3. [4.1]" in out
    assert "1 of 2 deals is wrong." in out


def test_a_deal_1_begins_another_match(judge: Runner) -> None:
    code, out, _ = judge(f"{HEAD}deal {SECOND}deal {FIRST}", "--json")
    assert code == 1
    second, first = map(json.loads, out.splitlines())
    assert [second["line"], first["line"]] == ["FILE:1 deal 2", "FILE:1 deal 1"]
    assert len(second["begins"]) == 1


@pytest.mark.parametrize(
    ("word", "fits"), [("left", False), ("right", True), ("hold", False)]
)
def test_a_word_for_the_pass_is_held_against_the_number_of_the_deal(
    judge: Runner, word: str, fits: bool
) -> None:
    """A wrong word is reported even if a card is unknown, and a right word never."""
    part = SECOND.replace(f"{HANDS}\n", "").replace("pass: left", f"pass: {word}")
    whole = f"{HEAD}deal {part}"
    for text in (whole, whole.replace("1. Ben: 2C 4D 3C", "1. Ben: 2C 4D ??")):
        code, out, err = judge(text)
        said = "Deal 2: " in out
        assert (code, said) == (int(not fits), not fits)
        assert ("deal 2 is played like deal" in err) == (not fits and "??" not in text)
    unnumbered = whole.replace("deal 2", "deal -")
    assert judge(unnumbered.replace("totals: 10 0 0 0\n", ""))[0] == 0


def test_deals_of_which_the_pass_is_unknown_are_judged_as_a_match(
    judge: Runner,
) -> None:
    """Dora draws the lowest card and deals; Ann, on the left, deals next (3.2)."""
    cut = "cut Ann: 3C\ncut Ben: 4C\ncut Carl: 3D\ncut Dora: 2C\n"
    second = SECOND.replace("Carl\npass: left", "Ann\npass: right")
    second = second.replace("10 0 0 0", "2 0 0 0")
    text = f"{HEAD}{cut}deal {RIGHT}deal {second}".replace(HANDS, "")
    code, out, err = judge(text)
    assert "the cards are those held after the pass" in err
    assert code == 0, out
    code, out, _ = judge(text.replace("cut Dora: 2C", "cut Dora: 5S"))
    assert code == 1
    assert "Dora deals, but cannot have drawn the lowest card. [3.1b]" in out


@pytest.mark.parametrize(
    ("rules", "word", "clauses"),
    [
        # With an odd number, no deal has the pass across (4.1a).
        ("common-hearts, 3 players", "across", "[4.1, 4.1a]"),
        ("common-hearts, 4 players", "across", ""),
        ("common-hearts, 3 players", "hold", ""),
        ("common-hearts, 4 players", "scatter", "[4.1]"),
        ("spot-hearts, 4 players, pass_cycle=left,across", "right", "[4.1]"),
        ("black-maria, 3 players", "right", ""),
        ("black-maria, 3 players", "hold", "[4.1]"),
        ("pokerwiner-hearts, 4 players", "left", "[4.1]"),
    ],
)
def test_a_pass_of_no_deal_is_wrong_whatever_the_number(
    judge: Runner, rules: str, word: str, clauses: str
) -> None:
    low = "3C" if "maria" in rules else "2C"  # which is not in the pack of three
    text = f"rules: {rules}\ndeal -\npass: {word}\n{low} 5C 7C\n"
    code, out, _ = judge(text)
    assert (code, clauses in out) == (int(bool(clauses)), True)
    assert ("assed" in out or "scatter" in out) == bool(clauses)


RECEIVERS = """\
players: Ann, Ben, Carl, Dora

deal 2
Ann passes to Ben: 2C 3C 4C
Ben gives Carl 5C 6C 7C
Carl passed Dora 8C 9C TC
pass Dora -> Ann JC QC KC
1. Ben: 2C 2D 3D 4D
"""


def test_who_passed_to_whom_says_which_way_the_cards_went(judge: Runner) -> None:
    code, out, _ = judge(RECEIVERS)
    assert code == 1
    assert "Deal 2: passed left, where right comes after left. [4.1]" in out
    assert judge(RECEIVERS.replace("deal 2", "deal 1"))[0] == 0
    # A word is held against the number itself; of two ways, none is sure.
    worded = RECEIVERS.replace("deal 2", "deal 2\npass: right")
    two = RECEIVERS.replace("Carl passed Dora", "Carl passed Ben")
    for text in (worded, two):
        assert "passed left" not in judge(text)[1]
    sides = RECEIVERS.replace("players: Ann, Ben, Carl, Dora\n", "")
    for name, side in zip(("Ann", "Ben", "Carl", "Dora"), "NESW", strict=True):
        sides = sides.replace(name, side)
    assert "passed left" in judge(sides)[1]


def test_a_wrong_word_beside_cards_that_went_the_right_way_is_all_that_is_wrong(
    judge: Runner,
) -> None:
    across = RIGHT.replace("pass: left", "pass: across")
    code, out, _ = judge(f"{HEAD}deal {across}", "--json")
    found = json.loads(out)
    assert code == 1
    assert "illegal" not in found
    assert found["begins"] == [
        {"text": "deal 1: passed across, where the pass goes left", "clauses": ["4.1"]}
    ]


TRICKS = """\
players: Ann, Ben, Carl, Dora
pack: 2C 3C 4C 5C QS 3S AS 2H
1. Ann: 2C 3C 4C 5C -> Dora (0)
2. Dora: 3S AS QS 2H -> Ann (14)
"""
TABLE = """\
pack: 2C 3C 4C 5C QS 3S AS 2H

| trick | Led | Ann | Ben | Carl | Dora | won by | Pts |
|---|---|---|---|---|---|---|---|
| 1 | Ann | 2C | 3C | 4C | 5C | Dora | - |
| 2 | Dora | AS | QS | 2H | 3S | Ann | 14 |
"""


@pytest.mark.parametrize(
    "text",
    [
        TRICKS,
        TRICKS.replace("(14)", "+14").replace("(0)", ""),
        TRICKS.replace(" (14)", ", 14 pts ouch").replace("(0)", "no points"),
        TABLE,
    ],
)
def test_points_beside_a_trick_are_held_against_its_cards(
    judge: Runner, text: str
) -> None:
    """The queen costs 13, and each heart costs 1 (8.1)."""
    code, out, _ = judge(text, COMMON)
    assert (code, "the record gives it" in out) == (0, False)
    wrong = text.replace("14", "13")
    code, out, _ = judge(wrong, COMMON)
    assert code == 1
    said = "Trick 2: the record gives it 13 points, but its cards cost 14. [8.1]"
    assert said in out
    found = json.loads(judge(wrong, "--json")[1])
    assert [one["clauses"] for one in found["beside"]] == [["8.1"]]


def test_a_bonus_card_may_be_counted_in_a_trick_or_not(judge: Runner) -> None:
    head = "players: 4\npack: 2C 3C 4C AC TD 5D 6D 7D\n1. 2C 3C 4C AC -> seat 3\n"
    for points, code in (("0", 0), ("-10", 0), ("10", 1)):
        text = f"{head}2. TD 5D 6D 7D -> seat 3 ({points})\n"
        assert judge(text, "--profile", "omnibus-hearts")[0] == code


def test_points_are_read_through_a_map_and_of_the_deals_of_a_match(
    judge: Runner,
) -> None:
    rows = "Deal,Leader,Card1,Card2,Card3,Card4,Winner,Points\n"
    rows += "1,N,2C,5C,JC,QS,W,13\n2,N,2C,5C,JC,QS,W,12\n"
    [(_, match)] = mapped_games(rows, game_map("tricks"))
    text = write_written(match)
    assert read_written(text) == attrs.evolve(match, granted=())
    code, out, _ = judge(text, COMMON, "--json")
    first, second, _ = map(json.loads, out.splitlines())
    assert code == 1
    assert "beside" not in first
    assert second["beside"][0]["text"].startswith("trick 1: the record gives it 12")


def test_the_rules_of_the_flags_are_those_for_as_many_as_play(judge: Runner) -> None:
    three = "players: Ann, Ben, Carl\n1. Ann: 2C 5C JC -> Carl\n"
    code, out, err = judge(three, COMMON)
    assert code == 0
    assert "3 players" in out
    assert "common-hearts" not in err


# Matches that were played


def played(name: str, players: int, seed: int) -> WrittenMatch:
    """A random match of at most six deals, as it would be written down."""
    chance, state = Random(seed), new_match(Ruleset(name, players))
    while not state.over and state.deal < 6:
        state = state.apply(state.random_act(chance))
    return written_game(new_match(state.ruleset), state.acts)


def without_hands(deal: WrittenDeal) -> WrittenDeal:
    return attrs.evolve(deal, dealt=(), held=(), passes=(), kitty=None)


def without_a_card(deal: WrittenDeal) -> WrittenDeal:
    trick = deal.tricks[2]
    unknown = attrs.evolve(trick.cards[1], card=None)
    cards = (trick.cards[0], unknown, *trick.cards[2:])
    course = (*deal.course[:2], attrs.evolve(trick, cards=cards), *deal.course[3:])
    return attrs.evolve(without_hands(deal), course=course)


LEFT_OUT: tuple[Callable[[WrittenDeal], WrittenDeal], ...] = (
    lambda deal: deal,  # nothing
    without_hands,
    lambda deal: attrs.evolve(without_hands(deal), course=deal.course[:-1]),
    without_a_card,
    lambda deal: attrs.evolve(deal, number=None, dealer=None, direction=""),
)


@pytest.mark.parametrize("name", ["common-hearts", "spot-hearts", "pokerwiner-hearts"])
@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_is_said_against_a_match_of_which_parts_are_missing(
    judge: Runner, name: str, seed: int
) -> None:
    chance = Random(seed)
    match = played(name, 4, seed)
    deals = [chance.choice(LEFT_OUT)(one) for one in match.deals[:-1]]
    missing = chance.choice([None, 1, 2])
    if missing is not None:
        del deals[missing]
    text = write_written(
        attrs.evolve(match, begins=False, dealer=None, cuts=(), deals=tuple(deals))
    )
    code, out, _ = judge(text)
    assert code == 0, text + out


UNEVEN = """\
hand Ann: 2C 9D
hand Ben: 5C QS
hand Carl: JD 4S
hand Dora: KC
1. Ann: 2C 5C JD KC
"""


@pytest.mark.parametrize("deals", ["deal 4\n{0}", "deal 4\n{0}\ndeal 8\n{0}"])
def test_a_deal_that_cannot_begin_is_told_and_not_judged(
    judge: Runner, deals: str
) -> None:
    text = "rules: common-hearts, 4 players\nplayers: Ann, Ben, Carl, Dora\n"
    code, out, err = judge(text + deals.format(UNEVEN))
    assert (code, out) == (3, "")
    assert "Hands of one size" in err


def test_who_has_won_is_told_in_words_behind_a_card_that_stands(judge: Runner) -> None:
    """Carl had a club (5.3); the queen of diamonds is the highest of trick 2 (5.10)."""
    text = UNEVEN.replace("4S", "4C").replace("QS", "QD").replace("KC\n1", "KC 7D\n1")
    text = f"{text} -> Dora\n".replace("\n ->", " ->")
    code, out, _ = judge(
        "rules: common-hearts, 4 players\nplayers: Ann, Ben, Carl, Dora\ndeal 4\n"
        f"{text}2. Dora: 7D 9D QD 4C -> Carl\n"
    )
    assert code == 1
    assert "trick 1: Carl may not play JD: 5.3" in out
    assert "Trick 2: Ben has won it, but the record says Carl. [5.10]" in out


def test_a_moon_given_to_one_names_the_player(judge: Runner) -> None:
    """Carl has taken every card that costs points, and may not choose one (8.6a)."""
    _, out, _ = judge(
        "rules: dominorules-tiles, 4 players\n"
        "pack: 2C 3C 4C AC 5D 2S QS KS AS 2H 3H AH\n"
        "players: Ann, Ben, Carl, Dora\ndeal 4\ndealer: Dora\n"
        "hand Ann: 2C 5D 2H\nhand Ben: 3C QS 3H\nhand Carl: AC KS AH\n"
        "hand Dora: 4C 2S AS\n1. Ann: 2C 3C AC 4C -> Carl\n"
        "2. Carl: KS 2S 2H QS -> Carl\n3. Carl: AH AS 5D 3H -> Carl\n"
        "moon Carl: one Ben\n",
        "--profile",
        "dominorules-tiles",
    )
    assert "Carl may not choose moon one Ben: 8.6a" in out


def test_what_else_a_trick_is_said_to_be_is_told_as_it_stands(judge: Runner) -> None:
    state = new_match(Ruleset("common-hearts", 4), dealer=0)
    rng = Random(1)
    while not state.history:
        state = state.apply(state.random_act(rng))
    steps = [Step(act) for act in state.acts]
    assert state.completed is not None
    trick = {**trick_fields(state.completed), "leader": 9}
    steps[-1] = attrs.evolve(steps[-1], then={"trick": trick})
    game = Trace(ruleset=state.ruleset, start=state.start, steps=tuple(steps))
    assert '"leader":9' in judge(write_trace(game), COMMON)[1]


@pytest.mark.parametrize("flags", [(), ("--match",)])
def test_a_right_written_match_is_judged_with_match_too(
    judge: Runner, flags: tuple[str, ...]
) -> None:
    rng, state = Random(1), new_match(Ruleset("common-hearts"), dealer=0)
    while state.deal < 3:
        state = state.apply(state.random_act(rng))
    written = written_game(State.open(state.ruleset, state.start), state.acts)
    code, _, err = judge(write_written(written), *COMMON.split(), *flags)
    assert code == 0, err


# Carl wins tricks 1 and 2, and with the second the queen of spades; trick 3 is Ben's.
# No card of trick 1 may be taken back once trick 2 is led (7.4), and until then no
# claim on it may be made (7.7).
AROUND = """\
rules: dominorules-tiles, 4 players
pack: 2C 3C 4C AC 5D 2S 3S QS KS 2H 3H AH
players: Ann, Ben, Carl, Dora
deal 4
dealer: Dora
hand Ann: 2C 5D 2H
hand Ben: 3C QS AH
hand Carl: AC KS 3H
hand Dora: 4C 2S 3S
1. Ann: 2C 3C AC {} -> Carl
{}
2. Carl: KS 3S 5D QS -> Carl
{}
3. {}
"""
ITS_RULES = "--profile=dominorules-tiles"


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("claim Ben: Dora in trick 1", "", [(5, ["7.7"])]),
        ("quit Ben", "", [(5, ["7.6b"])]),
        ("", "retract Dora: 2S", [(9, ["7.4"])]),
        ("quit Ben", "claim Ann: Carl in trick 1", [(5, ["7.6b"]), (10, ["7.7a"])]),
    ],
)
def test_a_refused_act_that_is_no_play_is_told_and_changes_nothing(
    judge: Runner, first: str, second: str, told: list[tuple[int, list[str]]]
) -> None:
    """What is refused changes nothing (0.10), so that the deal is played and scored."""
    revoke = "retract" in second  # of the two of spades, so that the club is left
    laid, left = ("2S!", "4C") if revoke else ("4C", "2S")
    text = AROUND.format(laid, first, second, f"Carl: 3H {left} 2H AH -> Ben")
    code, out, _ = judge(f"{text}score: 0 3 13 0\n", "--json", ITS_RULES)
    found = json.loads(out)
    refused = [found["illegal"], *found["further"]]
    assert [(one["at"], one["clauses"]) for one in refused] == told
    assert (code, found["wrong"], len(found["revokes"])) == (1, [], int(revoke))
    out = judge(f"{text}score: 0 3 0 13\n", ITS_RULES)[1]
    assert "rules that is Ann: 0, Ben: 3, Carl: 13, Dora: 0" in out
    assert "With that card standing" not in judge(text, ITS_RULES)[1]


def test_a_refused_act_is_told_though_a_later_card_stops_the_game(
    judge: Runner,
) -> None:
    """Ann leads to trick 3, though Carl has won trick 2 (2.3)."""
    text = AROUND.format("4C", "quit Ben", "", "Ann: 2H AH 3H 2S")
    code, out, _ = judge(text)
    assert code == 1
    assert "step 5: Ben may not turn a trick face down: 7.6b" in out
    assert "Trick 3, Ann: the two of hearts is against the rules: 2.3" in out
    found = json.loads(judge(text, "--json")[1])
    assert [(one["at"], one["clauses"]) for one in found["acts"]] == [(5, ["7.6b"])]


TRICK = "2C 5C 7C KC\nscore: 5 8 13 0\n"
WHO = "players: Ann, Ben, Carl, Dora\n"


@pytest.mark.parametrize(
    "text",
    [
        f"deal 1\ndealer: Ann\n{TRICK}"
        f"the match begins, dealer: Ben\ndeal 1\ndealer: Ben\n{TRICK}",
        f"deal -\n{TRICK}winners: Dora\n",
        f"deal -\n{TRICK}totals: 34 20 30 20\n",
        "deal -\n2C 5C 7C KC\ntotals: 20 30 40 14\nwinners: Dora\n",
    ],
)
def test_nobody_is_accused_of_what_a_record_leaves_open(
    text: str, judge: Runner
) -> None:
    """A later match has its own first dealer, and a deal may be any of its match."""
    rules = "rules: common-hearts, 4 players, limit=none, deals=4"
    code, out, _ = judge(f"{rules}\n{WHO}{text}")
    assert code == 0, out
    if "40 14" not in text:  # totals under the limit: nobody can have won
        code, out, _ = judge(f"rules: common-hearts, 4 players\n{WHO}{text}")
        assert code == 0, out


def test_a_wrong_card_taken_back_at_once_is_no_second_error(judge: Runner) -> None:
    code, out, _ = judge(
        "rules: common-hearts, 4 players, pass_cycle=\n"
        f"pack: 2C 3C 4C 5C 5D 6D 7D 8D 2H 3H 4H 5H\n{WHO}deal 1\ndealer: Ben\n"
        "hand Ann: 2C 6D 3H\nhand Ben: 3C 7D 4H\nhand Carl: 4C 8D 5H\n"
        "hand Dora: 5C 5D 2H\n1. Ann: 2C 3C 4C 5C\n2. Dora: 2H\nretract Dora: 2H\n"
        "2... Dora: 5D 6D 7D 8D\n3. Carl: 5H 2H 3H 4H\n"
    )
    assert "may not take back" not in out
    assert code == 0


def test_beside_a_deal_that_cannot_be_judged_the_others_are_judged_whole(
    judge: Runner,
) -> None:
    trick = "1. Ann: 2C 3C 4C 5C"
    good = f"players: Ann, Ben, Carl, Dora\ndeal 2\n{trick} -> Dora (3)\n\n"
    bad = f"deal 1\npass: hold\nhand Ann: 2C\n{trick}\n2. Dora: 6C 7C 8C 9C\n"
    code, out, err = judge(good + bad, COMMON)
    assert (code, "than the 1 of its hand" in err) == (3, True)
    assert "the record gives it 3 points, but its cards cost 0" in " ".join(out.split())


@pytest.mark.parametrize("words", [(), ("--match",)])
def test_a_card_written_down_twice_hides_no_other_fault(
    judge: Runner, words: tuple[str, ...]
) -> None:
    text = TRICKS.replace("3C 4C 5C -> Dora", "3C 3C 5C -> Dora").replace("14", "13")
    code, out, _ = judge(text, COMMON, *words)
    assert code == 1
    assert "Trick 2: the record gives it 13 points" in " ".join(out.split())


def test_who_has_won_is_told_though_later_totals_are_unknown(judge: Runner) -> None:
    later = THIRD[1:].replace("before: 10 0 5 0\n", "")
    _, out, _ = judge(f"{HEAD}deal {FIRST}deal {SECOND}deal 7{later}")
    flat = " ".join(out.split())
    assert "After the last deal the totals are not known. [9.1]" in flat
    assert "The match is over, and Ben, Carl and Dora share the win. [9.5]" in flat


def test_a_deal_after_one_that_cannot_be_judged_is_not_taken_for_the_first(
    judge: Runner,
) -> None:
    trick = "1. Ann: 2C 3C 4C 5C"
    bad = f"deal 1\npass: hold\nhand Ann: 2C\n{trick}\n2. Dora: 6C 7C 8C 9C\n\n"
    cut = "cut Ann: 3C\ncut Ben: 2C\ncut Carl: 4C\ncut Dora: 5C\n"
    text = f"players: Ann, Ben, Carl, Dora\n{bad}{cut}deal\npass: right\n{trick}\n"
    code, out, _ = judge(text, COMMON)
    assert code == 3
    assert "passed right" not in out
