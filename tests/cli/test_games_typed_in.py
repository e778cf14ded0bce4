"""Tests that commands that read traces also read games as people write them down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from refengine import Ruleset, Setup, State
from refengine.cli.files import lines_of_file
from refengine.formats.positions import write_position
from refengine.formats.wire import LONGEST_LINE
from tests.support.commands import Runner
from tests.support.lines import played_log
from tests.support.refusing import malformed

pytestmark = pytest.mark.usefixtures("folder")

COMMON = "--profile common-hearts"
GAME = """\
rules: common-hearts
players: Ann, Ben, Carl, Dora
deal 4
dealer: Dora
hand Ann: 2C 9D QH
hand Ben: 5C QS 3H
hand Carl: JD 4S 2H
hand Dora: KC 7D KH
1. Ann: 2C 5C JD KC -> Dora
2. Dora: 7D 9D QS 2H -> Ann
3. Ann: QH 3H 4S KH -> Dora
score: 14 0 0 3
"""


def test_a_right_game_is_judged_and_shown_again(run: Runner, judge: Runner) -> None:
    code, out, err = judge(GAME)
    assert (code, err) == (0, "")
    assert out.startswith("FILE:1\nUnder Hearts as most people play it")
    assert "Nothing in it is against these rules." in out
    code, shown, _ = run("show friday.hearts")
    assert code == 0
    Path("again").write_text(shown, "utf-8")
    assert run("show again")[1] == shown
    assert "1. seat 0: 2C 5C JD KC -> seat 3\n" in shown


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("7D 9D QS 2H -> Ann", "7D QH QS 2H -> Dora", "5.3"),
        ("KC -> Dora", "KC -> Ann", "Dora has won it, but the record says Ann."),
        (
            "score: 14 0 0 3",
            "score: 13 0 1 3",
            "it states the score of the deal as Ann: 13, Ben: 0, Carl: 1, Dora: 3;",
        ),
        ("1. Ann: 2C 5C JD KC", "1. Ben: 5C JD KC 2C", "5.1 The opening leader"),
    ],
)
def test_what_is_wrong_is_found(judge: Runner, old: str, new: str, said: str) -> None:
    assert GAME.count(old) == 1
    code, out, _ = judge(GAME.replace(old, new), COMMON)
    assert code == 1
    assert said in " ".join(out.split())


def test_a_deal_goes_on_after_a_card_that_was_against_the_rules(judge: Runner) -> None:
    wrong = GAME.replace("2. Dora: 7D 9D QS 2H -> Ann", "2. Dora: 7D QH QS 2H -> Dora")
    wrong = wrong.replace("3. Ann: QH 3H 4S KH -> Dora", "3. Dora: KH 9D 3H 4S -> Dora")
    code, out, _ = judge(wrong.replace("score: 14 0 0 3", "score: 17 17 17 0"), COMMON)
    assert code == 1
    assert "5.3" in out
    assert "states the score" not in out


def test_what_follows_is_taken_and_what_is_granted_is_said(judge: Runner) -> None:
    tricks = "pack: 2C 5C JD KC 7D 9D QS 2H\n2C 5C JD KC\n7D 9D QS 2H\n"
    code, out, err = judge(tricks)
    assert code == 0
    assert "Nothing in it is against these rules." in out
    assert err.splitlines() == [
        "FILE:1: taken for granted: common-hearts is played",
        "FILE:1: taken for granted: seat 0 led first",
        "FILE:1: taken for granted: the cards are those held after the pass",
        "FILE:1: taken for granted: seat 3 dealt",
    ]
    assert "spot-hearts" in judge(tricks, "--profile spot-hearts")[1]


def test_several_matches_in_a_file_are_judged_one_by_one(judge: Runner) -> None:
    two = f"match: first\n{GAME}\nmatch: second\n{GAME.replace('14 0 0 3', '0 0 0 0')}"
    code, out, _ = judge(two, COMMON, "--json")
    first, second = map(json.loads, out.splitlines())
    assert code == 1
    assert (first["line"], second["line"]) == ("FILE:1", "FILE:15")


def test_other_commands_read_it_too(run: Runner) -> None:
    Path("game").write_text(GAME, "utf-8")
    assert run("explain game --at 3")[1].startswith("Seat 2 may play JD")
    code, out, _ = run("annotate game")
    assert code == 0
    assert json.loads(out)["steps"][0]["act"]["play"] == "2C"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("deal 1\n2C 3C\n2C 3C 4X\n", "FILE:3: found '4X'; allowed: cards such as QS"),
        ("rules: whist\n2C 3C\n", "FILE:1: found 'whist'"),
        ("hello\nworld\n", "FILE:1: found no JSON"),
        ("Ann 2C, Ben 3C\nAnn 5C, Ben 4C\n", "found no rules"),  # for two players
        (
            "rules: common-hearts\ndeal 1\nhand N: 2C\n",
            "FILE:1: deals[0]: found 0 of 52 cards, and no hands",
        ),
        (
            "rules: spot-hearts\nposition: spot-hearts/4@1.1.0~0 0 1 - 2C/3C/4C/5C - 0 "
            "- - -\n2C ??\n",
            "FILE:1: deals[0]: found a card of trick 1 that nobody wrote down",
        ),
        (
            "rules: gamerules-domino\n2C ?? 4C 5C\n",
            "FILE:1: found no hands, where cards are drawn; allowed: the hands",
        ),
    ],
)
def test_what_cannot_be_read_or_judged_is_told(
    judge: Runner, text: str, said: str
) -> None:
    code, out, err = judge(text)
    assert (code, out) == (3, "")
    assert said in err


NOTE = """\
players: Ann, Ben, Carl, Dora
deal 4
2C 5C JD KC -> Dora
Dora: 7D 9D QS 2H
Dora: 3H ?? ?? 5D
Carl: 4D JC 4C AC
score: 1 2 3 4

deal 5
2C 3C ?? 5C
4D 5D 6D 7D
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "2C QS 4C 5C\n7C 8C 9C TC\n",
            "is against the rules: 5.3 Follow suit and 5.5 No points on the first "
            "trick.",
        ),
        (
            "2C QS 4C 5C\n",
            "from some hands it breaks 5.5 No points on the first trick, or 5.3 Follow "
            "suit and 5.5.",
        ),
        (
            "9D TD JD QD\n",
            "is against the rules: 5.1 The opening leader or 5.2 The opening card.",
        ),
    ],
)
def test_one_clause_or_the_other_is_said_only_where_hands_break_one_of_them(
    judge: Runner, text: str, told: str
) -> None:
    assert told in " ".join(judge(text, COMMON)[1].split())


def test_what_is_known_in_part_is_judged_as_far_as_it_is_known(judge: Runner) -> None:
    code, out, err = judge(NOTE, COMMON)
    first, second = " ".join(out.split()).split("FILE:1 deal 5")
    assert code == 1
    assert "Trick 1, Carl: the jack of diamonds cannot be judged: from some" in first
    assert "Trick 2, Carl: the two of hearts is against the rules: 5.3 Fol" in first
    assert "Trick 3, Dora: the three of hearts is against the rules: 2.3 T" in first
    assert "The score 1 2 3 4: no deal gives these scores together" in first
    assert "14 plays: 6 legal, 2 against the rules, 6 that cannot be judged." in first
    assert "the four of diamonds cannot be judged: nothing tells who" in second
    assert "7 plays: 3 legal, 0 against the rules, 4 that cannot be judged." in second
    assert err.splitlines()[0] == "FILE:1 deal 4: taken for granted: Ann led first"


def test_a_deal_in_part_as_plain_values(judge: Runner) -> None:
    code, out, _ = judge(NOTE.replace("-> Dora", "-> Ben"), "--json")
    first, second, match = map(json.loads, out.splitlines())
    assert match["match"] == {
        "deals": 2,
        "over": False,
        "outcome": "fail",
        "winners": [],
    }
    assert code == 1
    assert (first["line"], first["outcome"]) == ("FILE:1 deal 4", "fail")
    assert first["winners"] == [{"trick": 1, "expected": 3, "got": 1}]
    assert first["impossible_score"] == [1, 2, 3, 4]
    assert first["plays"][2] == {
        "trick": 1,
        "seat": 2,
        "play": "JD",
        "standing": "unknown",
        "clauses": ["5.3"],
    }
    assert (second["outcome"], "winners" in second) == ("pass", False)
    out = judge("2C 5C 6C KC -> N\n")[1]
    assert "Trick 1: seat 3 has won it, but the record says seat 0. [5.10]" in out


def test_where_a_lead_was_wrong_what_follows_it_is_not_known(judge: Runner) -> None:
    code, out, _ = judge("3C 2C 6C KC\n")
    said = " ".join(out.split())
    assert code == 1
    assert "three of clubs is against the rules: 5.1 The opening leader" in said
    assert "two of clubs cannot be judged: it depends on what was wrong" in said


def test_whole_deals_beside_one_in_part_are_judged_as_ever(judge: Runner) -> None:
    code, out, _ = judge(f"{GAME}\ndeal 5\n2C 3C 4C 5C\n", COMMON, "--json")
    first, second, _ = map(json.loads, out.splitlines())
    places = [first["line"], second["line"]]
    assert (code, places) == (0, ["FILE:1 deal 4", "FILE:1 deal 5"])
    assert first["outcome"] == second["outcome"] == "pass"
    assert "plays" not in first
    assert len(second["plays"]) == 4


def test_one_hand_is_enough_to_judge_its_own_plays(judge: Runner) -> None:
    code, out, _ = judge("deal 4\nhand E: 5C 6C 7D\n2C 7D 8C KC\n")
    assert code == 1
    assert "seat 1: the seven of diamonds is against the rules: 5.3" in out


def test_a_deal_in_part_is_shown_and_not_explained(run: Runner) -> None:
    Path("note").write_text("2C 5C ?? KC\n", "utf-8")
    code, out, _ = run("show note")
    assert (code, out.splitlines()[-2]) == (0, "1. 2C 5C ?? KC")
    code, _, err = run("explain note --at 1")
    assert code == 3
    assert "a card of trick 1 that nobody wrote down" in err


ROWS = """\
Deal,Leader,Card1,Card2,Card3,Card4,Winner
4,Ann,2C,5C,JD,KC,Dora
4,Dora,7D,9D,QS,2H,Ann
"""


TRICKS = """\
item = "trick"
[trick]
leader = "Leader"
cards = "[Card1, Card2, Card3, Card4]"
winner = "Winner"
"""


def test_games_in_files_of_other_people_are_brought_in(
    run: Runner, judge: Runner
) -> None:
    Path("club.csv").write_text(ROWS, "utf-8")
    Path("club.toml").write_text(f'players = ["Ann", "Ben", "Carl", "Dora"]\n{TRICKS}')
    code, out, err = run("convert --map club.toml club.csv")
    assert code == 0
    assert "2. Dora: 7D 9D QS 2H -> Ann" in out
    assert err == "club.csv, row 2: taken for granted: 'Deal' is not read\n"
    code, out, _ = judge(out, COMMON)
    assert code == 0
    assert "the queen of spades cannot be judged: " in " ".join(out.split())
    games = [{"tricks": [{"leader": "Ben", "cards": {"Ben": "2C", "Ann": "3C"}}]}]
    Path("log.json").write_text(json.dumps({"deals": games}), "utf-8")
    code, out, err = run("convert --map deals log.json")
    assert code == 0
    assert err.startswith("log.json, item 1: taken for granted: Ben and Ann sit")


def test_what_cannot_be_brought_in_is_told_with_its_place(run: Runner) -> None:
    rows = ROWS.replace("Ann", "N").replace("Dora", "W").replace("JD", "JX")
    Path("club.csv").write_text(rows, "utf-8")
    code, out, err = run("convert --map tricks club.csv no-such-file")
    assert (code, out) == (3, "")
    first, second = err.splitlines()
    assert first.startswith("club.csv, row 2: found 'JX")
    assert second.startswith("no-such-file: ")
    code, _, err = run("convert --map tricks --log club.csv")
    assert (code, err.splitlines()[-1]) == (
        3,
        "refengine: --map cannot be used with --option or --log",
    )
    code, _, err = run("convert --map trick club.csv")
    assert code == 3
    assert "--map: found 'trick'; allowed: " in err
    assert "did you mean tricks" in err


def whole_deal() -> str:
    """A deal of 52 cards: each seat holds one suit, and North wins every trick."""
    lines = ["deal 4"]
    for rank in "23456789TJQKA":
        known = f"{rank}C {rank}D {rank}H {rank}S"
        lines.append(f"N: {known.replace('9D', '??')} -> N")
    return "\n".join(lines)


def test_the_score_of_cards_as_they_were_taken(judge: Runner) -> None:
    """North takes all hearts and the queen, so the others score 26 each (8.3, 8.5)."""
    code, out, _ = judge(f"{whole_deal()}\nscore: 26 0 0 0\n", COMMON)
    assert code == 1
    assert (
        "The record says that the score is 26 0 0 0; as the cards were taken: 0 "
        in (" ".join(out.split()))
    )
    _, out, _ = judge(f"{whole_deal()}\nscore: 26 0 0 0\n", COMMON, "--json")
    assert json.loads(out)["wrong_score"] == {
        "expected": [0, 26, 26, 26],
        "got": [26, 0, 0, 0],
    }
    code, out, err = judge(f"{whole_deal()}\nscore: 0 26 26 26\n", COMMON, "--json")
    assert (code, err, "score" in json.loads(out)) == (0, "", False)


PASSED = """\
players: Ann, Ben, Carl, Dora
deal 1
dealer: Dora
pass: left
hand Ann: 2C 3C 4C 5C
hand Ben: 6C 7C 8C 9C
hand Carl: 2D 3D 4D 5D
hand Dora: 2H 3H 4H 5S
passes Ann: 3C 4C 5C
passes Ben: 7C 8C 9C
passes Carl: 3D 4D 5D
passes Dora: 3H 4H 5S
1. Ann: 2C 6C 7C 3D -> Carl
2. Dora: 4D 4H 6C 8C
"""


def test_a_deal_that_cannot_go_on_is_judged_to_its_last_card(judge: Runner) -> None:
    """Carl won the first trick and so must lead (5.10), but Dora leads, against 2.3."""
    code, out, _ = judge(PASSED, COMMON, "--json")
    found = json.loads(out)
    assert (code, len(found["plays"])) == (1, 8)
    assert found["plays"][4] == {
        "trick": 2,
        "seat": 3,
        "play": "4D",
        "standing": "illegal",
        "clauses": ["2.3"],
    }


def test_where_a_pass_is_unknown_so_are_two_hands(judge: Runner) -> None:
    """Dora's pass to Ann is not recorded, so the hands of these two are unknown."""
    lines = [one for one in PASSED.splitlines() if not one.startswith("passes Dora")]
    played = [*lines[:-2], "1. Ann: 2C 7C 8C 3S", "2. Carl: 2D 3H AH 3C"]
    code, out, err = judge("\n".join(played), COMMON, "--json")
    assert (code, err) == (1, "")
    assert [
        (one["seat"], one["play"], one["standing"], one["clauses"])
        for one in json.loads(out)["plays"]
    ] == [
        (0, "2C", "legal", []),
        (1, "7C", "illegal", ["5.7"]),  # he has passed it
        (2, "8C", "unknown", []),  # on what cannot lie there
        (3, "3S", "unknown", []),
        (2, "2D", "legal", []),
        (3, "3H", "unknown", ["5.3"]),
        (0, "AH", "unknown", ["5.3"]),
        (1, "3C", "legal", []),
    ]


def test_where_the_pass_was_wrong_nothing_is_said_of_the_play(judge: Runner) -> None:
    """Ann cannot pass a card that Ben holds (4.5)."""
    code, out, _ = judge(PASSED.replace("Ann: 3C 4C 5C", "Ann: 3C 4C 9C"), COMMON)
    assert code == 1
    assert "4.5" in out
    assert "plays:" not in out


def test_play_on_from_a_position_is_judged_as_far_as_it_goes(judge: Runner) -> None:
    hands = ("2C 6C", "3C 7C", "4C 8C", "5C 9C")
    state = State.open(Ruleset("spot-hearts"), Setup(dealer=3, deal=4, hands=hands))
    text = f"rules: spot-hearts\nposition: {write_position(state.play('2C'))}\n"
    code, out, _ = judge(f"{text}1... 3C 4C 5C\n2. N: 6C 7C 8C 9C\n")
    assert (code, "2.3" in out, "plays:" in out) == (1, True, False)


def test_deals_of_which_one_cannot_go_on_are_judged_apart(judge: Runner) -> None:
    """Ann must lead to the third trick, but Ben does, against 2.3.

    The totals of the second deal are checked against those that the record gives for
    the first (9.1).
    """
    wrong = GAME.replace("deal 4", "deal 1\npass: hold")
    wrong = wrong.replace("3. Ann: QH 3H 4S KH -> Dora", "3. Ben: 3H 4S KH QH -> Dora")
    other = GAME.split("deal 4\n")[1].replace("dealer: Dora", "dealer: Ann")
    text = f"{wrong}totals: 14 0 0 3\ndeal 2\n{other}totals: 28 0 0 5\n"
    rules = "rules: common-hearts, pass_cycle=hold"
    code, out, _ = judge(text.replace("rules: common-hearts", rules))
    first, second = out.split("FILE:1 deal 2")
    assert code == 1
    assert "Trick 3, Ben: the three of hearts is against the rules: 2.3 Turn" in first
    assert (
        "it states the totals as Ann: 28, Ben: 0, Carl: 0, Dora: 5; by these rules "
        "that is Ann: 28, Ben: 0, Carl: 0, Dora: 6."
    ) in " ".join(second.split())


def test_the_totals_of_a_deal_that_cannot_go_on(judge: Runner) -> None:
    text = whole_deal().replace("deal 4", "deal 4\nbefore: 10 20 30 40")
    text += "\ntotals: 10 46 56 67\n"
    code, out, _ = judge(text, COMMON)
    assert code == 1
    assert (
        "the totals are 10 46 56 67; as the cards were taken: 10 46 56 66. [9.1]"
        in (" ".join(out.split()))
    )
    found = json.loads(judge(text, COMMON, "--json")[1])
    assert found["wrong_totals"] == {
        "expected": [10, 46, 56, 66],
        "got": [10, 46, 56, 67],
    }


def test_deals_that_do_not_follow_each_other_are_judged_apart(judge: Runner) -> None:
    _, other = GAME.split("Carl, Dora\n")
    code, out, _ = judge(GAME + other.replace("deal 4", "deal 8"), COMMON, "--json")
    *deals, match = map(json.loads, out.splitlines())
    places = [deal["line"] for deal in deals]
    assert (code, places) == (0, ["FILE:1 deal 4", "FILE:1 deal 8"])
    assert match["match"]["outcome"] == "pass"


def test_annotate_says_what_is_missing_in_a_deal_known_in_part(run: Runner) -> None:
    Path("part").write_text("2C 5C JD KC\n7D 9D QS 2H\n", "utf-8")
    code, out, err = run("annotate part")
    assert (code, out) == (3, "")
    assert "part:1: deals[0]: found 8 of 52 cards, and no hands" in err


def test_hands_that_no_deal_has_are_told_with_the_place_of_the_game(
    run: Runner,
) -> None:
    game = GAME.replace("2C 9D QH\n", "2C 9D QH 3C\n")
    Path("uneven").write_text(game, "utf-8")
    for command in ("annotate", "show"):
        code, out, err = run(f"{command} uneven")
        assert (code, out) == (3, "")
        assert err.startswith("uneven:1: ")
        assert "3.12d" in err
        assert "the hands have 4, 3, 3 and 3 cards" in err


def test_a_line_that_is_too_long_is_told_with_the_name_of_its_file() -> None:
    Path("long.jsonl").write_bytes(b'{"trace"' + b" " * LONGEST_LINE + b"\n")
    error = malformed(list, lines_of_file("long.jsonl"))
    assert str(error).startswith("long.jsonl: ")


def test_an_illegal_card_of_a_log_is_told_where_it_is_shown_or_annotated(
    run: Runner,
) -> None:
    """The queen of spades neither follows a club (5.3) nor may be played yet (5.5)."""
    hands = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "KC 7D KH"]
    setup = {"dealer": 3, "deal": 4, "hands": hands}
    Path("log").write_bytes(played_log("common-hearts", setup, "2C QS JD KC"))
    assert "refused by 5.3, 5.5" in run("show log")[1]
    code, _, err = run("annotate log")
    assert (code, "refused by 5.3, 5.5" in err) == (1, True)


def test_a_line_that_is_too_long_spoils_no_other_file(run: Runner) -> None:
    Path("long").write_text("x" * 2001 + "\n", "utf-8")
    Path("good").write_text(GAME, "utf-8")
    code, out, err = run("show long good")
    assert code == 3
    assert err.startswith("long:1: ")
    assert "estmesh" not in out
    assert out == run("show good")[1]


def test_explain_says_in_which_deal_the_error_is(run: Runner) -> None:
    Path("part").write_text("rules: common-hearts\ndeal 1\nhand N: 2C\n", "utf-8")
    code, out, err = run("explain part")
    assert (code, out) == (3, "")
    assert "part:1: deals[0]: found 0 of 52 cards, and no hands" in err
