"""Tests of each kind of question: its keys, the words of its answer, and its errors."""

import json
import shlex
from typing import Any

import pytest

from refengine import Malformed
from refengine.lawbook import book
from refengine.rulings.asking.answer_text import answer_lines
from refengine.rulings.asking.answers import HEADLINES, answer_fields
from refengine.rulings.asking.ask import answer
from refengine.rulings.asking.questions import DEFAULT_PROFILE, KINDS, NEEDED
from refengine.rulings.sentences import ANSWERED
from tests.support.asking import ALL, COMMON, HEARTS, TOOK_ALL, ask, rules, wrong
from tests.support.commands import Runner, error_of


class Recorder:
    """A stand-in for IPython's printer that keeps the text a notebook would show."""

    def __init__(self) -> None:
        self.said = ""

    def text(self, obj: str) -> None:
        self.said += obj


def test_an_answer_is_shown_as_it_is_printed() -> None:
    for question in (
        {"ask": "end", "totals": [104, 57, 88, 57]},
        {"ask": "card", "hand": "QS 2H", "card": "QS", "trick": "5C"},
    ):
        found = answer(question)
        recorder = Recorder()
        found._repr_pretty_(recorder, cycle=False)
        assert str(found) == found.text == recorder.said
        assert str(found).splitlines() == [*answer_lines(found)]
        assert found.cited == answer_fields(found)["cited"] != []
        if found.ruling is not None:
            recorder = Recorder()
            found.ruling._repr_pretty_(recorder, cycle=False)
            assert recorder.said == str(found.ruling)


# Which clauses decide


@pytest.mark.parametrize(
    ("deal", "clause"), [(1, "4.2"), (2, "4.2"), (3, "4.2"), (4, "4.3")]
)
def test_where_the_cards_go_is_cited(deal: int, clause: str) -> None:
    assert clause in ask("pass", rules("common-hearts", 4), deal=deal).clauses


@pytest.mark.parametrize("way", ["scatter", "mix"])
def test_cards_for_everybody_or_for_a_pile_go_to_no_side(way: str) -> None:
    found = ask("pass", rules("estmesh-hearts", pass_cycle=[way]), deal=1)
    assert not {"4.2", "4.3"} & {*found.clauses}


@pytest.mark.parametrize(
    ("profile_name", "cards", "said"),
    [
        ("common-hearts", "2C KS AS", True),
        ("common-hearts", "3C KS AS", False),
        ("black-maria", "2C KS AS", False),
    ],
)
def test_the_lowest_club_may_be_passed(
    profile_name: str, cards: str, said: bool
) -> None:
    game = rules(profile_name, 4)
    found = ask("pass", game, hand=f"{cards} 4D 5D", cards=cards)
    assert found.verdict == "legal"
    assert ("5.1b" in found.clauses) is said


@pytest.mark.parametrize(
    ("profile_name", "said"), [("black-maria", True), ("pokerwiner-hearts", False)]
)
def test_what_the_high_spades_cost_is_said_where_they_cost(
    profile_name: str, said: bool
) -> None:
    taken = ["QS KS AS 2H 3H", "", "4H 5H 6H 7H 8H 9H TH JH QH KH AH"]
    found = ask("score", rules(profile_name, 3), taken=taken)
    assert ("1.5b" in found.clauses) is said


def test_a_shooter_with_a_choice_is_asked_for_it() -> None:
    tiles, taken = rules("heartsgame-tiles", 4), ["", ALL, "", ""]
    (asked,) = answer_fields(ask("score", tiles, taken=taken))["asks"]
    assert asked["name"] == "choice"
    assert {*asked["answers"]} == {"self_minus", "0", "2", "3"}
    chosen = answer_fields(ask("score", tiles, taken=taken, choice=3))
    assert [row[-1] for row in chosen["rows"]] == [0, 0, 0, 26]
    assert "asks" not in chosen


# Questions that are wrong


# A right question of each kind, and what it is wrong to say in it.
RIGHT: dict[str, dict[str, Any]] = {
    "card": {"hand": "QS", "card": "QS"},
    "hand": {"hand": "QS"},
    "score": {"taken": TOOK_ALL},
    "end": {"totals": [0] * 4},
    "revoke": {"when": "trick"},
    "pass": {"hand": "2C 3C 4C 5C", "cards": "2C 3C 4C"},
    "turn": {"leader": 0},
    "opening": {},
    "table": {"number": "10.14"},
}
NOT_PLAYED_ON = "reached: found true; allowed: false, since ties are not played on"
NO_HAND = "allowed: cards of the pack, no more than it can deal to everybody"
REFUSED = "rules.options: this combination of options is refused: "
THREE = rules("common-hearts", 3)
EARLY = rules("common-hearts", deal_ends="no_points_left")
ENDS = rules("pokerwiner-hearts")
DOMINO = rules("gamerules-domino", 4)


@pytest.mark.parametrize("kind", RIGHT)
def test_a_right_question_is_answered(kind: str) -> None:
    assert ask(kind, COMMON, **RIGHT[kind]).headline


@pytest.mark.parametrize(
    ("kind", "more", "complaint"),
    [
        ("end", {"total": [1]}, "did you mean totals?"),
        ("end", {"totals": [1, 2]}, "totals: found 2; allowed: 4, one for"),
        ("end", {"totals": [1, 2, 3, True]}, "totals: found [1, 2, 3, True]"),
        ("end", {"totals": "1 2 3 4"}, "totals: found '1 2 3 4'"),
        ("end", {"reached": 1}, "reached: found 1; allowed"),
        ("end", {"reached": True}, NOT_PLAYED_ON),
        ("score", {"reached": True}, NOT_PLAYED_ON),
        ("end", {"deals": 0}, "deals: found 0"),
        ("revoke", {"when": "soon"}, "when: found 'soon'; allowed: one of trick,"),
        ("turn", {"leader": 4}, "leader: found seat 4; allowed: a seat from 0 to"),
        ("turn", {"out": [0, 5]}, "out: found seat 5"),
        ("turn", {"out": [0, 1, 2, 3]}, "out: found every seat"),
        ("turn", {"trick": "5C", "out": [0]}, "leader: found seat 0"),
        (
            *("turn", {"trick": "5C 6C 7C 8C 9C"}),
            "trick: found 5 cards; allowed: 4 or fewer",
        ),
        ("turn", {"trick": "5C 5C"}, "trick: found"),
        ("hand", {"hand": "QS QX"}, "hand: found 'QX'"),
        ("hand", {"hand": ["QS"]}, "hand: found ['QS']"),
        (
            *("hand", {"hand": "QS", "stock": 49, "rules": DOMINO}),
            "stock: found 49 cards; allowed: 48 or fewer",
        ),
        ("card", {"card": "QS 2H"}, "card: found 'QS 2H'"),
        ("hand", {"first_trick": "no"}, "first_trick: found 'no'"),
        ("hand", {"trick": "QS"}, "QS on the table and in the"),
        ("score", {"taken": [ALL, "QS", "", ""]}, "taken: found QS twice"),
        ("score", {"taken": [ALL, 1, "", ""]}, "taken: found"),
        ("score", {"taken": [ALL, "QX", "", ""]}, "taken: found 'QX'"),
        ("score", {"taken": [HEARTS, "", "", ""]}, "taken: found nobody with"),
        (
            *("score", {"taken": [f"{ALL} 2D", "", ""], "rules": THREE}),
            "taken: found 2D; allowed: cards of the pack",
        ),
        ("score", {"tricks": [0, 5, 5, 3]}, "tricks: found no trick for seat 0"),
        ("score", {"tricks": [4, 4, 4, 0]}, "tricks: found 12; allowed: 13 in all"),
        ("score", {"tricks": [9, 5, 0, 0], "rules": EARLY}, "allowed: 13 or fewer"),
        ("score", {"revokes": [1, 2], "rules": ENDS}, "allowed: one seat: the first"),
        (
            *("score", {"revokes": [1, 2]}),
            "revokes: found seats 1 and 2; allowed: no seat: a card that fails",
        ),
        (
            *("score", {"choice": 1}),
            "choice: found seat 0 may not choose moon one 1: 8.6a",
        ),
        (
            *("score", {"taken": [HEARTS, "QS", "", ""], "choice": "self_minus"}),
            "choice: found self_minus; allowed: no choice: none is due",
        ),
        (
            *("score", {"choice": "minus"}),
            "choice: found 'minus'; allowed: self_minus, others_plus or a seat",
        ),
        ("pass", {"hand": "QS", "cards": "QS"}, "hand: found 1 card; allowed: 3"),
        ("pass", {"hand": "2D 3C 4C 5C", "cards": "2D 3C 4C", "rules": THREE}, NO_HAND),
        ("pass", {"hand": f"{HEARTS} 2C 3C 4C"}, NO_HAND),
        (
            *("opening", {"players": 4, "rules": rules("common-hearts", hand_size=9)}),
            f"{REFUSED}3.9 ",
        ),
        ("opening", {"players": 0}, "players: found 0"),
        ("opening", {"hands": [13, 13]}, "hands: found 2 hands; allowed: 4"),
        ("opening", {"rules": 4}, "rules: found 4"),
        ("table", {"number": "5.3"}, "number: found '5.3'; allowed: one of"),
        ("table", {"number": 10}, "number: found 10; allowed: a string"),
        (
            *("table", {"number": "10.3", "answers": {"who": "me"}}),
            "answers: found 'who'; allowed: answers to none",
        ),
        (
            *("table", {"answers": {"when": "never"}}),
            "answers.when: found 'never'; allowed: one of before, after",
        ),
        (
            *("table", {"answers": {"when": 1}}),
            "answers: found {'when': 1}; allowed: names and strings",
        ),
        ("turn", {"rules": []}, "rules: found []"),
        ("turn", {"rules": {"name": "x"}}, "rules: found the key 'name'"),
        ("turn", {"rules": {"profile": "hearts"}}, "rules.profile: found 'hearts'"),
        (
            *("turn", {"rules": rules("common-hearts", limit="x")}),
            "rules.options.limit: found 'x'",
        ),
        (
            *("turn", {"rules": rules("common-hearts", sun_points=9, moon="none")}),
            f"{REFUSED}8.10a ",
        ),
    ],
    ids=lambda one: str(one)[:60],
)
def test_a_wrong_question_ends_in_one_message(
    kind: str, more: dict[str, Any], complaint: str
) -> None:
    assert complaint in wrong(ask=kind, **{**RIGHT[kind], **more})


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        ({}, "ask: found None; allowed: one of card, hand"),
        ({"ask": "scores"}, "did you mean score?"),
        ({"ask": "end"}, "totals: found nothing; allowed: a list of whole numbers"),
    ],
    ids=["no kind", "another kind", "no totals"],
)
def test_a_question_says_what_is_asked_and_all_that_it_takes(
    question: dict[str, Any], complaint: str
) -> None:
    assert complaint in wrong(**question)


def test_what_is_no_object_is_no_question() -> None:
    with pytest.raises(Malformed, match="an object with ask"):
        answer("turn")


# What is said


def test_every_answer_cites_clauses_of_the_book() -> None:
    cited = [one for _, *clauses in ANSWERED.values() for one in clauses]
    assert set(cited) - {"{clause}", "{ends}"} <= set(book.clauses())
    rulings = {"may play", "must draw"}  # as those of explain, without a full stop
    for name, said in HEADLINES.items():
        assert said.endswith(".") is (name not in rulings)


def test_every_kind_has_its_keys() -> None:
    assert set(KINDS) == set(NEEDED)
    for kind, needed in NEEDED.items():
        assert set(needed) <= set(KINDS[kind])


# The command


@pytest.mark.parametrize(
    ("words", "kind", "question"),
    [
        (
            "--hand 'QS JD 2H' --trick 5C --first-trick --card QS",
            "card",
            {"hand": "QS JD 2H", "trick": "5C", "first_trick": True, "card": "QS"},
        ),
        ("--hand QS --seat 2", "hand", {"hand": "QS", "seat": 2}),
        ("--hand QS --draw", "draw", {"hand": "QS"}),
        ("--pass --deal 2", "pass", {"deal": 2}),
        (
            "--pass --hand 'QS KH AH 2C' --cards 'QS KH AH'",
            "pass",
            {"hand": "QS KH AH 2C", "cards": "QS KH AH"},
        ),
        (
            f"--score '{ALL} / / /' --totals '9, 8 7 6' --choice others_plus",
            "score",
            {"taken": TOOK_ALL, "totals": [9, 8, 7, 6], "choice": "others_plus"},
        ),
        (
            f"--score '{ALL} / / /' --tricks '9 4 0 0' --choice 1"
            " --option moon=choice_one",
            "score",
            {"taken": TOOK_ALL, "tricks": [9, 4, 0, 0], "choice": 1}
            | {"rules": rules("estmesh-hearts", moon="choice_one")},
        ),
        (
            "--score /// --revoked 1 --profile pokerwiner-hearts",
            "score",
            {"taken": [""] * 4, "revokes": [1], "rules": rules("pokerwiner-hearts")},
        ),
        ("--end --totals '99 0 0 0' --players 4", "end", {"totals": [99, 0, 0, 0]}),
        ("--revoke trick", "revoke", {"when": "trick"}),
        ("--turn --leader 0 --out 1", "turn", {"leader": 0, "out": [1]}),
        ("--opening --players 5", "opening", {"players": 5}),
        (
            "--table 10.14 --answer trick=no",
            "table",
            {"number": "10.14", "answers": {"trick": "no"}},
        ),
        ("--table 10.14", "table", {"number": "10.14"}),
        ("""--question '{"ask": "turn", "leader": 1}'""", "turn", {"leader": 1}),
    ],
    ids=lambda one: str(one)[:60],
)
def test_the_command_asks_what_the_question_asks(
    run: Runner, words: str, kind: str, question: dict[str, Any]
) -> None:
    found = answer({"ask": kind, **question})
    typed = shlex.split(words)
    if "--profile" not in typed and kind != "table":  # which needs no rules
        typed += ["--profile", DEFAULT_PROFILE]
    code, out, _ = run("explain", *typed)
    assert (code, out) == (0, "\n".join([*answer_lines(found), ""]))
    code, out, _ = run("explain", *typed, "--json")
    assert code == 0
    assert json.loads(out) == json.loads(json.dumps(answer_fields(found)))


def test_what_is_played_is_taken_for_granted_where_nobody_says_it(run: Runner) -> None:
    said = "you play estmesh-hearts, as no --profile names another game"
    words = ["--hand", "QS", "--trick", "5C"]
    _, out, _ = run("explain", *words)
    first = "this is not the first trick of the deal"
    assert f"Taken for granted: {said}; {first}" in " ".join(out.split())
    assert said in json.loads(run("explain", *words, "--json")[1])["granted"]
    named = ["--profile", "estmesh-hearts"]
    assert "no --profile" not in run("explain", *words, *named)[1]
    assert "no --profile" not in run("explain", "--table", "10.14")[1]
    assert "The rules:" not in run("explain", "--table", "10.14")[1]
    assert "--answer revokes=penalised" in run("explain", "--table", "10.19")[1]
    assert "--answer revokes=" not in run("explain", "--table", "10.19", *named)[1]
    asked = """{"ask": "turn", "leader": 2, "rules": {"profile": "spot-hearts"}}"""
    assert "no --profile" not in run("explain", "--question", asked)[1]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--end --turn", "found end and turn; allowed: one of them"),
        ("game.jsonl --turn", "found FILE and turn"),
        ("--score /// --draw", "found score and draw; allowed: one of them"),
        ("--hand QS --card QS --draw", "found draw and card; allowed: one of them"),
        ("--end --totals '9 x'", "--totals: found '9 x'"),
        ("--table 10.14 --answer no", "--answer: found 'no'"),
        ("--question {", "--question: found"),
        ("--question 7", "found 7; allowed: an object with ask"),
        ("""--question '{"ask": "turn"}' --profile whist""", "--profile: found"),
        ("--turn --players 5", "5 can play common-hearts"),
        ("--turn --option limit=50 --option limit=60", "--option: found limit twice"),
        ("--table 10.14 --answer a=b --answer a=c", "--answer: found a twice"),
        ("--turn --deal 2", "turn: found the key 'deal'"),
    ],
)
def test_a_question_typed_wrong_ends_in_one_message(
    run: Runner, words: str, complaint: str
) -> None:
    assert complaint in error_of(run, "explain", *shlex.split(words))


def test_the_file_of_a_club_is_a_profile_here_too(run: Runner, tmp_path: Any) -> None:
    club = tmp_path / "friday.toml"
    club.write_text(
        'name = "friday"\ntitle = "Friday"\nbase = "common-hearts"\nplayers = [3, 4]\n'
        "[options]\nlimit = 50\n",
        "utf-8",
    )
    words = ["--end", "--totals", "50 3 4 5", "--profile", str(club)]
    out = run("explain", *words)[1]
    assert out.startswith("The match is over: seat 1 wins with 3.")
    sun = ["--option", "sun_points=5", "--option", "moon=none"]
    code, _, err = run("explain", *words, *sun)
    assert code == 3
    assert "8.10a" in err


def test_an_opening_names_its_players_right() -> None:
    assert ask("opening", players=1).headline == "No game of the book is for 1 player."
    complaint = wrong(ask="opening", rules={"players": "six"})
    assert complaint.startswith("rules.players: found 'six'")
    usual = answer({"ask": "opening", "rules": {"players": None}})
    assert usual == answer({"ask": "opening"})
