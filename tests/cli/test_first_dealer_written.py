"""Tests that the cut for the first deal is checked wherever somebody wrote it down."""

import json

import pytest

from tests.support.commands import Runner

HEAD = "rules: common-hearts, 4 players\nplayers: Ann, Ben, Carl, Dora\n"
ANN = "cut Ann: 3C\ncut Ben: AH\ncut Carl: 9D\ncut Dora: KS\n"  # Ann deals (3.1b)
PART = "2C 5C 7C KC\n"
# Two deals of a pack of four cards, in which nobody has a choice.
PACK = "pack: 2C 3C 4C 5C\n"
WHOLE = """\
deal {number}
dealer: {dealer}
hand Ann: 2C
hand Ben: 3C
hand Carl: 4C
hand Dora: 5C
1. Ann: 2C 3C 4C 5C -> Dora
score: 0 0 0 0
"""
HOLD = "rules: common-hearts, 4 players, pass_cycle=\nplayers: Ann, Ben, Carl, Dora\n"
LOWEST = "Dora deals, but Ann drew the lowest card. [3.1b]"


def part(dealer: str, number: str = "1") -> str:
    return f"deal {number}\ndealer: {dealer}\n{PART}"


def two(first: str, second: str) -> str:
    """Two whole deals, dealt by these players."""
    return WHOLE.format(number=1, dealer=first) + WHOLE.format(number=2, dealer=second)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ANN + part("Dora"), LOWEST),
        (ANN + part("Dora", "-"), LOWEST),
        (ANN + part("Dora") + "\n" + part("Ann", "2"), LOWEST),
        (part("Dora").replace("\n", f"\n{ANN}", 1), LOWEST),
        # Of a tie, those tied cut again (3.1c).
        (
            ANN.replace("9D", "3D") + "cut Ann: KH\ncut Carl: 2D\n" + part("Ann"),
            "Ann deals, but Carl drew the lowest card. [3.1b]",
        ),
        # Two of the cards are enough to say who does not deal.
        (
            "cut Ann: 3C\ncut Ben: AH\n" + part("Ben"),
            "Ben deals, but cannot have drawn the lowest card. [3.1b]",
        ),
        (
            ANN.replace("9D", "3D") + part("Dora"),
            "Dora deals, but cannot have drawn the lowest card. [3.1b]",
        ),
        (
            ANN.replace("KS", "AH") + part("Ann"),
            "Dora may not cut AH: somebody has already drawn the ace of hearts in this "
            "round of the cut. [3.1f]",
        ),
        (
            ANN + "cut Ben: 2D\n" + part("Ann"),
            "Ben may not cut 2D: it is not Ben's turn: Ann is to act; this is not the "
            "time for it: the next thing to do is to deal. [2.3, 2.4]",
        ),
        # The deal passes to the left: to Ben, Carl and Dora (3.2).
        (
            ANN + part("Carl", "4"),
            "Carl deals, but the deal passes to Dora. [3.2]",
        ),
        (
            "the match begins, dealer: Dora\n" + part("Ann"),
            "Ann deals, but Dora is named as first dealer. [3.1]",
        ),
        (
            ANN + part("Ann") + "score: 5 8 13 0\n" + ANN + part("Ben", "2"),
            "There is a second cut in the match. [3.1d]",
        ),
        # A match that begins further down has a cut of its own.
        (
            ANN + part("Ann") + "score: 5 8 13 0\n" + ANN + part("Dora"),
            LOWEST,
        ),
    ],
)
def test_a_dealer_whom_the_cut_contradicts_is_named(
    judge: Runner, text: str, said: str
) -> None:
    code, out, _ = judge(HEAD + text)
    assert code == 1
    assert said in " ".join(out.split())
    assert out.count("[2.") + out.count("[3.") == 1


@pytest.mark.parametrize(
    "text",
    [
        ANN + part("Ann"),
        ANN + part("Dora", "4"),
        ANN + PART,
        ANN.replace("9D", "3D") + part("Carl"),  # who may have won the next round
        "cut Ben: 9H\ncut Carl: 9D\n" + part("Dora"),
        "cut Ben: 9H\ncut Carl: 9D\n" + part("Carl"),
        "the match begins\n" + part("Carl"),
        "the match begins, dealer: Carl\n" + part("Carl"),
        ANN + part("Ann") + "score: 5 8 13 0\n" + part("Ben", "2"),
        ANN + part("Ann") + ANN.replace("3C", "AC") + part("Carl"),
    ],
)
def test_nothing_is_said_against_a_dealer_who_may_be_right(
    judge: Runner, text: str
) -> None:
    code, out, _ = judge(HEAD + text)
    assert code == 0, out


def test_the_cut_before_a_whole_match_is_judged(judge: Runner) -> None:
    begun = HOLD + PACK
    cuts = "cut Ann: 3C\ncut Ben: 5C\ncut Carl: 4C\ncut Dora: 2C\n"
    assert judge(begun + cuts + two("Dora", "Ann"))[0] == 0
    for text, clause in (
        (cuts + two("Ann", "Ben"), "3.1b"),
        (cuts.replace("cut Carl: 4C\n", "") + two("Dora", "Ann"), "2.4"),
        (cuts.replace("4C", "5C") + two("Dora", "Ann"), "3.1f"),
        (cuts.replace("4C", "4D") + two("Dora", "Ann"), "3.1e"),
    ):
        for words in ((), ("--match",)):
            code, out, _ = judge(begun + text, "--json", *words)
            first, second, match = map(json.loads, out.splitlines())
            assert code == 1
            assert [one["clauses"] for one in first["begins"]] == [[clause]]
            assert (second["outcome"], match["match"]["deals"]) == ("pass", 2)


def test_plain_values_say_seats_of_a_card_that_may_not_be_cut(judge: Runner) -> None:
    code, out, _ = judge(HEAD + ANN + "cut Ben: 2D\n" + part("Ann"), "--json")
    assert code == 1
    [said] = json.loads(out)["begins"]
    assert said["text"].startswith(
        "seat 1 may not cut 2D: it is not seat 1's turn: seat 0 is to act; "
    )


def test_a_cut_between_two_whole_deals_is_one_too_many(judge: Runner) -> None:
    first, second = (
        WHOLE.format(number=n, dealer=w) for n, w in ((1, "Dora"), (2, "Ann"))
    )
    code, out, _ = judge(f"{HOLD}{PACK}{first}cut Ann: 2C\n{second}")
    assert code == 1
    assert "There is a second cut in the match. [3.1d]" in out


@pytest.mark.parametrize("text", [ANN, "the match begins, dealer: Dora\n"])
def test_a_match_of_which_only_the_beginning_is_written_is_legal(
    judge: Runner, text: str
) -> None:
    code, _, err = judge(HEAD + text)
    assert (code, err) == (0, "")
    assert judge(HEAD + ANN.replace("KS", "AH"))[0] == 1  # drawn twice (3.1f)
    code, out, err = judge(HEAD + text, "--match")
    assert (code, out) == (3, "")
    assert "found no deal; allowed: the deals of a match" in err


def test_where_nobody_says_who_dealt_the_cut_does(judge: Runner) -> None:
    """Ann leads the two of clubs, but it is Ben who drew the lowest card."""
    cuts = "cut Ann: 3C\ncut Ben: 2C\ncut Carl: 4C\ncut Dora: 5C\n"
    deal = WHOLE.format(number=1, dealer="Ben")
    text = HOLD + PACK + cuts + deal.replace("dealer: Ben\n", "")
    code, _, err = judge(text)
    assert (code, err) == (0, "")


def test_the_deal_with_which_a_match_begins_has_the_first_pass(judge: Runner) -> None:
    rules = HOLD.replace("pass_cycle=", "pass_count=1")
    pack = "pack: 2C 3C 4C 5C 2D 3D 4D 5D\n"
    deal = """\
pass: right
dealer: Dora
hand Ann: 2C 2D
hand Ben: 3C 3D
hand Carl: 4C 4D
hand Dora: 5C 5D
passed Ann: 2D
passed Ben: 3D
passed Carl: 4D
passed Dora: 5D
1. Ann: 2C 3C 4C 5C -> Dora
"""
    begins = "the match begins, dealer: Dora\n"
    code, out, _ = judge(rules + pack + begins + deal)
    assert (code, "passed right, where the pass goes left. [4.1]" in out) == (1, True)
    assert judge(rules + pack + begins + deal.replace("right", "left"))[0] == 0
    assert judge(rules + pack + deal)[0] == 0  # it may be any deal of a match
