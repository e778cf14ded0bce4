"""Tests of rows, the single questions of a table: right, and chosen for their clauses.

They must be the same every time, and readable with three lines of code.
"""

import csv
import io
import json
import re
import shutil
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from refengine import (
    Malformed,
    Match,
    Pass,
    Play,
    Refused,
    Ruleset,
    Scatter,
    Setup,
    State,
    new_deal,
    new_match,
)
from refengine.chapters.passing import cycle_at_table
from refengine.formats.fields import ruleset_fields
from refengine.rulings.asking.ask import answer
from refengine_conformance.generators.strategies import moments_of
from refengine_conformance.runner.table import Table
from refengine_conformance.tables import row_search
from refengine_conformance.tables.flags import SEED
from refengine_conformance.tables.publish import (
    FOLDER,
    ROWS,
    WITH_ROWS,
    main,
    named_tables,
)
from refengine_conformance.tables.row_kinds import KINDS, Step
from refengine_conformance.tables.row_search import chosen_questions, decided_clauses
from refengine_conformance.tables.rows import as_csv, as_json, rows_for_table
from tests.support import places
from tests.support.commands import Runner
from tests.support.page_tests import PageTest, example
from tests.support.tables import barred, candidate_at

pytestmark = pytest.mark.interpreted("about files")

PAGE = (places.ROOT / "docs" / "rows.md").read_text("utf-8")
COMMONEST, DOMINO = WITH_ROWS
FILES = [(name, kind) for name in WITH_ROWS for kind in KINDS]
FILES.remove((DOMINO, "passes"))  # Domino Hearts knows no pass
SMALL = barred(4)


def text_of(name: str, kind: str) -> str:
    return (FOLDER / ROWS / f"{name}-{kind}.csv").read_text("utf-8")


def rows_of(name: str, kind: str) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(text_of(name, kind)))]


def test_there_is_a_file_for_all_that_a_table_knows() -> None:
    files = {path.name for path in (FOLDER / ROWS).iterdir()}
    assert files == {f"{name}-{kind}.csv" for name, kind in FILES}
    assert cycle_at_table(dict(named_tables())[DOMINO].ruleset.rules) == ()


@pytest.mark.parametrize(("name", "kind"), FILES)
def test_a_line_may_be_split_at_its_commas(name: str, kind: str) -> None:
    text = text_of(name, kind)
    assert '"' not in text
    heads, *lines = text.splitlines()
    assert text.endswith("\n")
    assert 20 <= len(lines) <= 100
    assert len({*lines}) == len(lines)
    known = [*KINDS[kind].given, *KINDS[kind].right, "clauses"]
    assert heads.split(",") == [one for one in known if one in heads.split(",")]
    for line, row in zip(lines, rows_of(name, kind), strict=True):
        assert line.split(",") == [*row.values()]
        assert row["clauses"]


# Right: by a computation of our own, and by what `refengine explain` says

HEARTS = '''"""Hearts for four, as somebody writes it in an afternoon."""

RANKS = "23456789TJQKA"


def winner(cards):
    led = [card for card in cards if card[1] == cards[0][1]]
    return cards.index(max(led, key=lambda card: RANKS.index(card[0])))


def costs(card):
    return 13 if card == "QS" else int(card[1] == "H")


def legal(hand, trick, first_trick, hearts_broken):
    if not trick:
        if first_trick:
            return ["2C"]
        if hearts_broken:
            return hand
        return [card for card in hand if card[1] != "H"] or hand
    same = [card for card in hand if card[1] == trick[0][1]]
    if same or not first_trick:
        return same or hand
    return [card for card in hand if not costs(card)] or hand


def scores(taken):
    points = [sum(map(costs, cards)) for cards in taken]
    return [26 - one for one in points] if 26 in points else points


def receiver(deal, seat):
    step = [0, 1, 3, 2][deal % 4]
    return (seat + step) % 4 if step else None


def may_pass(hand, cards):
    return len(cards) == 3 and set(cards) <= set(hand)


def winners(totals):
    over = max(totals) >= 100
    return [seat for seat in range(4) if over and totals[seat] == min(totals)]
'''


@cache
def hearts() -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec(compile(HEARTS, "hearts.py", "exec"), found)
    return found


def test_the_rows_of_the_commonest_rules_are_those_of_an_engine_of_our_own() -> None:
    for row in rows_of(COMMONEST, "tricks"):
        place = hearts()["winner"](row["trick"].split())
        assert row["seats"].split()[place] == row["winner"]
        first = int(row["leader"])
        assert row["seats"].split() == [str((first + one) % 4) for one in range(4)]
    for row in rows_of(COMMONEST, "legal"):
        told = [row[name] == "yes" for name in ("first_trick", "hearts_broken")]
        may = hearts()["legal"](row["hand"].split(), row["trick"].split(), *told)
        assert sorted(may) == sorted(row["may"].split())
    for row in rows_of(COMMONEST, "scores"):
        taken = [cards.split() for cards in row["taken"].split("|")]
        assert hearts()["scores"](taken) == [int(one) for one in row["scores"].split()]
    for row in rows_of(COMMONEST, "passes"):
        to = hearts()["receiver"](int(row["deal"]), int(row["seat"]))
        good = hearts()["may_pass"](row["hand"].split(), row["cards"].split())
        assert row["to"] == ("" if to is None else str(to))
        assert row["allowed"] == ("yes" if good and to is not None else "no")
    assert {row["to"] for row in rows_of(COMMONEST, "passes") if row["deal"] > "4"}
    for row in rows_of(COMMONEST, "ends"):
        won = hearts()["winners"]([int(one) for one in row["totals"].split()])
        assert row["over"] == ("yes" if won else "no")
        assert row["winners"].split() == [str(seat) for seat in won]


def test_the_rows_of_domino_hearts_are_those_of_a_computation_of_our_own() -> None:
    for row in rows_of(DOMINO, "tricks"):
        out = {int(one) for one in row["out"].split()}
        order = [(int(row["leader"]) + one) % 4 for one in range(4)]
        seats = [str(seat) for seat in order if seat not in out]
        assert row["seats"].split() == seats
        assert row["winner"] == seats[hearts()["winner"](row["trick"].split())]
    for row in rows_of(DOMINO, "legal"):
        hand, trick = row["hand"].split(), row["trick"].split()
        may = [card for card in hand if not trick or card[1] == trick[0][1]]
        if not trick and row["hearts_broken"] == "no":
            may = [card for card in hand if card[1] != "H"]
            may = may or ([] if int(row["stock"]) else hand)
        draws = not may and int(row["stock"]) > 0
        assert row["draw"] == ("yes" if draws else "no")
        assert row["may"].split() == ([] if draws else may or hand)
    for row in rows_of(DOMINO, "scores"):
        taken = [cards.split() for cards in row["taken"].split("|")]
        assert [str(len(cards)) for cards in taken] == row["scores"].split()


@pytest.mark.parametrize(("name", "kind"), FILES)
def test_explain_takes_a_row_for_a_question_and_says_the_same(
    name: str, kind: str
) -> None:
    rules = dict(named_tables())[name].ruleset
    said = ruleset_fields(rules, every=True)
    for row in rows_of(name, kind)[::4]:
        given: dict[str, Any] = {
            key: _as_asked(key, row[key]) for key in KINDS[kind].given if row.get(key)
        }
        found = answer({"rules": said, "ask": KINDS[kind].ask, **given})
        if kind == "tricks":
            assert found.headline.startswith(f"Seat {row['winner']} ")
        elif kind == "legal":
            may = [str(one.card) for one in found.cards if one.word == "yes"]
            assert row["may"].split() == may
        elif kind == "passes":
            legal = "yes" if found.verdict == "legal" else "no"
            assert legal == row["allowed"]
        elif kind == "scores":
            scored = [str(one[found.columns.index("this deal")]) for one in found.rows]
            assert scored == row["scores"].split()
        else:
            assert ("is over" in found.headline) == (row["over"] == "yes")


def _as_asked(key: str, text: str) -> object:
    if key in ("hand", "trick", "cards", "drew"):
        return text
    if key == "taken":
        return text.split("|")
    if text in ("yes", "no"):
        return text == "yes"
    return [int(one) for one in text.split()] if key in _LISTS else int(text)


_LISTS = ("tricks", "totals", "out")


# Found


def steps_of(name: str, numbers: range) -> Iterator[Step]:
    return steps_at(dict(named_tables())[name], numbers)


def steps_at(table: Table, numbers: range) -> Iterator[Step]:
    for number in numbers:
        script = candidate_at(table, number, tried=False).script
        acts = [move.act for move in script.moves]
        for (before, after), act in zip(
            pairwise(moments_of(script)), acts, strict=True
        ):
            yield Step(before, act, after)


WHAT = {"tricks", "legal", "scores", "passes", "ends"}


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("commonest-4", WHAT),
        ("common-hearts-5", WHAT),
        ("omnibus-hearts-4", WHAT),
        ("pokerwiner-hearts-10", WHAT - {"passes"}),
        ("black-maria-3", WHAT),
        ("dominorules-tiles-4", WHAT),
        ("heartsgame-tiles-3", WHAT),
    ],
)
def test_a_question_without_its_game_has_the_answer_of_the_game(
    name: str, kinds: set[str]
) -> None:
    seen: set[str] = set()
    for step in steps_of(name, range(9)):
        before, act, after = step
        raised: set[str] = set()
        for kind, one in KINDS.items():
            for _, asked in one.questions(step):
                assert {*asked} <= {*one.given}
                try:
                    right = one.answer(before.ruleset, asked)
                except (Malformed, Refused):
                    continue
                raised.add(kind)
                if kind == "tricks":
                    assert right["winner"] == after.history[-1].winner
                    assert right["seats"] == [*before.seats_on_table, before.turn[0]]
                elif kind == "legal":
                    assert right["may"] == str(before.legal.cards)
                elif kind == "passes":
                    made = _packet(act, before.ruleset.players)
                    assert right["allowed"] == (asked["cards"] == made != "")
                elif kind == "scores":
                    assert right["scores"] == [*(after.score or ())]
                else:
                    result = after.core.result
                    assert result is not None
                    assert right["over"] == result.over
        ended = before.phase in ("play", "moon") and after.phase in ("deal", "over")
        if ended and not after.revokes:  # no stock is left: the cards tell it all
            assert {"scores", "ends"} <= raised
        seen |= raised
    assert seen == kinds


def test_every_card_asked_about_is_in_play() -> None:
    """In a deal of four cards each, sixteen cards are in play (0.9)."""
    asked_of = {"legal": 0, "passes": 0}
    for number in range(12):
        start = candidate_at(SMALL, number, tried=False).script.start
        assert isinstance(start, Setup)
        in_play = {str(card) for hand in start.hands for card in hand}
        for step in steps_at(SMALL, range(number, number + 1)):
            for kind, column in (("legal", "trick"), ("passes", "cards")):
                for _, asked in KINDS[kind].questions(step):
                    assert {*asked[column].split()} <= in_play
                    asked_of[kind] += bool(asked[column])
    assert min(asked_of.values()) > 20


def _packet(act: object, players: int) -> str:
    if not isinstance(act, Scatter):
        return str(act.cards) if isinstance(act, Pass) else ""
    return " ".join(
        str(act.cards[(act.seat + step) % players]) for step in range(1, players)
    )


# Chosen


def test_every_cell_has_its_rows_before_any_has_more() -> None:
    cells = {key: ["off:5.3", "led: clubs"] for key in (b"1", b"2", b"3")}
    cells |= {b"4": ["always:breaks_hearts"], b"5": ["led: hearts"]}
    assert {*chosen_questions(cells, 4)} == {b"1", b"2", b"4", b"5"}
    assert {*chosen_questions(cells, 9)} == {*cells}
    assert len(chosen_questions(cells, 2)) == 2


def test_a_row_names_what_it_needs_or_else_what_would_be_wrong() -> None:
    times = {"off:5.3": 9, "off:5.2": 9, "inverted:5.4": 1}
    assert decided_clauses([*times], times) == ["5.2", "5.3"]
    times = {"always:play.breaks_hearts": 2, "inverted:5.3": 3}
    assert decided_clauses([*times], times) == ["5.9", "5.9a"]
    assert decided_clauses(["inverted:5.3"], times) == ["5.3"]
    assert decided_clauses([], {}) == []


@pytest.mark.parametrize(
    ("kind", "clauses"),
    [
        ("tricks", {"5.10", "5.11"}),
        ("legal", {"5.2", "5.3", "5.4", "5.4a", "5.5", "5.5a"}),
        ("scores", {"8.1", "8.3", "8.5a"}),
        ("passes", {"4.1", "4.2", "4.3", "4.4", "4.5"}),
        ("ends", {"9.3", "9.5"}),
    ],
)
def test_the_clauses_of_the_commonest_rules_are_decided(
    kind: str, clauses: set[str]
) -> None:
    decided = [row["clauses"].split() for row in rows_of(COMMONEST, kind)]
    for clause in clauses:
        assert sum(clause in some for some in decided) >= 2, clause


# Made


def test_two_workers_find_what_one_does() -> None:
    one = rows_for_table(SMALL, "legal", 1, 40, jobs=1)
    assert one == rows_for_table(SMALL, "legal", 1, 40, jobs=2)
    assert len(one) == 40


@pytest.mark.parametrize(("name", "kind"), FILES)
def test_rows_that_are_made_again_are_the_same(name: str, kind: str) -> None:
    table = dict(named_tables())[name]
    made = as_csv(kind, rows_for_table(table, kind, SEED))
    assert "".join(f"{line}\n" for line in made) == text_of(name, kind)


def test_the_command_of_the_sets_writes_the_rows_of_a_table(tmp_path: Path) -> None:
    assert main([COMMONEST, "--rows", "--out", str(tmp_path)]) == 0
    made = {path.name: path.read_text("utf-8") for path in (tmp_path / ROWS).iterdir()}
    assert made == {
        f"{name}-{kind}.csv": text_of(name, kind)
        for name, kind in FILES
        if name == COMMONEST
    }
    assert [path.name for path in tmp_path.iterdir()] == [ROWS]


def test_a_hand_that_is_passed_whole_is_no_card_too_many() -> None:
    rules = Ruleset("common-hearts", 4)
    state = State.open(rules, Match(0, "2C 3C 4C 2D 3D 4D 2S 3S 4S 2H 3H 4H"))
    while state.phase != "pass":
        state = state.apply(state.random_act(Random(1)))
    act = state.random_act(Random(1))
    found = [*KINDS["passes"].questions(Step(state, act, state.apply(act)))]
    names = {key.partition(": ")[2] for keys, _ in found for key in keys}
    assert names == {"", "right", "one too few", "none", "one that is not held"}


def test_json_says_the_same_as_csv_with_its_rules() -> None:
    rows = rows_for_table(SMALL, "scores", 1, 20)
    found = json.loads("\n".join(as_json("scores", rows, SMALL)))
    assert found["what"] == "scores"
    assert found["ruleset"]["options"]["first_trick_points"] == "barred"
    assert found["rows"] == rows
    heads, *lines = as_csv("scores", rows)
    assert heads == "taken,tricks,scores,clauses"
    taken = rows[0]["taken"]
    assert lines[0].startswith("|".join(taken) + ",")


def test_the_command_prints_rows_or_says_why_there_are_none(
    tmp_path: Path, run: Runner
) -> None:
    flags = "--option first_trick_points=barred --hands 4 --starts deal --seed 1"
    asked = ("conform", "rows", "--what", "legal", "--rows", "9", *flags.split())
    code, printed, _ = run(*asked)
    assert code == 0
    assert len(printed.splitlines()) == 10
    file = tmp_path / "rows.csv"
    assert run(*asked, "--output", str(file)) == (0, "", "")
    assert file.read_text("utf-8") == printed
    assert run(*asked, "--output", "-") == (0, printed, "")
    _, as_object, _ = run(*asked, "--format", "json")
    assert len(json.loads(as_object)["rows"]) == 9
    none = ("conform", "rows", "--what", "passes", "--profile", "gamerules-domino")
    assert run(*none) == (
        3,
        "",
        "refengine: --what: found passes; allowed: something that happens at this "
        "table\n",
    )
    nowhere = str(tmp_path / "no" / "rows.csv")
    for early in (asked, none):  # said before any row is sought
        code, _, said = run(*early, "--output", nowhere)
        assert code == 3
        assert "rows.csv: cannot be written: there is no folder" in said


# As on the page

MJS = """const RANKS = "23456789TJQKA";
const costs = (card) => (card === "QS" ? 13 : Number(card[1] === "H"));
export function winner(cards) {
  let best = 0;
  cards.forEach((card, at) => {
    const more = RANKS.indexOf(card[0]) > RANKS.indexOf(cards[best][0]);
    if (card[1] === cards[0][1] && more) best = at;
  });
  return best;
}
export function legal(hand, trick, first, broken) {
  const or = (cards, others) => (cards.length ? cards : others);
  if (!trick.length && first) return ["2C"];
  const plain = hand.filter((card) => card[1] !== "H");
  if (!trick.length) return broken ? hand : or(plain, hand);
  const same = hand.filter((card) => card[1] === trick[0][1]);
  if (same.length || !first) return or(same, hand);
  return or(hand.filter((card) => !costs(card)), hand);
}
export function scores(taken) {
  const points = taken.map((cards) =>
    cards.reduce((sum, card) => sum + costs(card), 0),
  );
  return points.includes(26) ? points.map((one) => 26 - one) : points;
}
"""
FAULTS = {
    "python": [
        (
            "any suit wins",
            "led = [card for card in cards if card[1] == cards[0][1]]",
            "led = cards",
        ),
        ("the ten is low", '"23456789TJQKA"', '"T23456789JQKA"'),
        ("four and five change places", '"23456789TJQKA"', '"23546789TJQKA"'),
        ("ten and jack change places", '"23456789TJQKA"', '"23456789JTQKA"'),
        (
            "hearts are never held back",
            'if card[1] != "H"] or hand\n    same',
            "] or hand\n    same",
        ),
        ("hearts are held back for ever", "if hearts_broken:", "if False:"),
        ("only hearts are barred", "if not costs(card)]", 'if card[1] != "H"]'),
        ("only the queen is barred", "if not costs(card)]", 'if card != "QS"]'),
        ("points stay barred", "if same or not first_trick:", "if same:"),
        (
            "no points are barred once hearts are broken",
            "if same or not first_trick:",
            "if same or not first_trick or hearts_broken:",
        ),
        (
            "a hand of points has no card",
            "if not costs(card)] or hand",
            "if not costs(card)]",
        ),
        (
            "hearts are held back in discards as well",
            "return same or hand\n",
            'return same or hearts_broken and hand or [c for c in hand if c[1] != "H"]'
            " or hand\n",
        ),
        (
            "no suit is followed before hearts are broken",
            "if same or not first_trick:",
            "same = same if hearts_broken else []\n    if same or not first_trick:",
        ),
        (
            "no suit is followed on the first trick",
            "same = [card",
            "same = [] if first_trick else [card",
        ),
        ("no moon", "if 26 in points", "if False"),
        ("hearts alone are a moon", "if 26 in points", "if max(points) > 12"),
        ("the queen costs twelve", "13 if", "12 if"),
        (
            "the passes end with the fourth deal",
            "[deal % 4]",
            "[deal] if deal < 4 else 0",
        ),
        ("right comes after across", "[0, 1, 3, 2]", "[0, 1, 2, 3]"),
        ("any number is passed", "len(cards) == 3 and ", ""),
        (
            "any card is passed",
            "len(cards) == 3 and set(cards) <= set(hand)",
            "len(cards) == 3",
        ),
        ("a hundred is not enough", ">= 100", "> 100"),
        ("the highest total wins", "== min(totals)", "== max(totals)"),
    ],
    "javascript": [("the moon takes 26 off", "26 - one", "one - 26")],
}


@pytest.mark.parametrize(
    ("language", "engine", "test", "text"),
    [
        ("python", "hearts.py", "test_hearts.py", HEARTS),
        ("javascript", "hearts.mjs", "hearts.test.mjs", MJS),
    ],
    ids=["python", "javascript"],
)
def test_the_tests_of_the_page_pass_and_find_each_fault(
    language: str, engine: str, test: str, text: str, tmp_path: Path
) -> None:
    """The folder has what a student has: the rows, the functions and their tests."""
    for path in (FOLDER / ROWS).glob(f"{COMMONEST}-*.csv"):
        shutil.copy(path, tmp_path)
    (tmp_path / test).write_text(example(PAGE, language), "utf-8")
    (tmp_path / engine).write_text(text, "utf-8")
    page = PageTest(language, tmp_path / test, tmp_path / engine)
    assert page.passed() > 150
    for what, good, bad in FAULTS[language]:
        assert page.said_with(good, bad), what


def test_each_rank_wins_over_the_next_below_it() -> None:
    """Two neighbouring ranks meet in the suit led, and either may be played first."""
    ranks = "23456789TJQKA"
    won = set()
    for row in rows_of(COMMONEST, "tricks"):
        trick = row["trick"].split()
        taken = trick[row["seats"].split().index(row["winner"])]
        led = [card[0] for card in trick if card[1] == taken[1]]
        won |= {taken[0] + one for one in led}
    assert {high + low for low, high in pairwise(ranks)} <= won


def test_the_rows_of_the_page_are_rows_of_the_file() -> None:
    shown = re.search(r"```text\n(leader,.*?)```", PAGE, re.DOTALL)
    assert shown is not None
    assert {*shown[1].splitlines()} <= {*text_of(COMMONEST, "tricks").splitlines()}


def test_where_nothing_is_left_to_pass_a_later_deal_is_asked_about_too() -> None:
    """Three players have nobody across, so that deal 1 has no pass (4.1a)."""
    rules = Ruleset("common-hearts", 3, {"pass_cycle": ["across"]})
    before = new_match(rules, dealer=0)
    act = before.random_act(Random(1))
    found = KINDS["passes"].questions(Step(before, act, before.apply(act)))
    assert [asked["deal"] for _, asked in found] == [1, 2]


@pytest.mark.parametrize(("kind", "clause"), [("scores", "9.7"), ("ends", "8.9")])
def test_a_clause_of_another_chapter_that_decides_a_row_is_switched_off(
    kind: str, clause: str
) -> None:
    """Totals can decide how a moon is scored, and one at the limit can be set back."""
    assert f"off:{clause}" in row_search._mutants(kind, (clause,))
    assert f"off:{clause}" not in row_search._mutants("passes", (clause,))


def test_a_heart_is_not_put_where_a_draw_was_due() -> None:
    """A seat without the suit led draws as long as there is a stock (6.1)."""
    rules = Ruleset("gamerules-domino", 3, {"hand_size": 3})
    hands = ["2C 3C 4C", "5C 7S 2H", "6C 7C 8C"]
    for stock, broken in (("9C 8D", [False]), ("", [False, True])):
        state = new_deal(rules, hands, dealer=2, stock=stock)
        before = state.play("2C").play("5C")
        step = Step(before, Play(2, "6C"), before.play("6C"))
        asked = [question for _, question in KINDS["legal"].questions(step)]
        assert [one["hearts_broken"] for one in asked] == broken


@pytest.mark.parametrize(
    ("hand", "broken"), [("5C 4D", [False]), ("5C 5H", [False, True])]
)
def test_a_heart_is_not_put_where_other_cards_were_left(
    hand: str, broken: list[bool]
) -> None:
    """On a first trick, hearts are discarded only from hands of penalty cards (5.5)."""
    rules = Ruleset("common-hearts", 3, {"pass_cycle": ()})
    state = new_deal(rules, ["2C 4H", hand, "7C 3H"], dealer=2)
    before = state.play("2C").play("5C")
    step = Step(before, Play(2, "7C"), before.play("7C"))
    asked = [question for _, question in KINDS["legal"].questions(step)]
    assert [one["hearts_broken"] for one in asked] == broken


@pytest.mark.parametrize(
    ("cards", "tricks"),
    [
        (("QS", "4C"), ["2C QS 4C"]),
        (("4C", "QS"), ["2C 4C QS", "2C 4C 2H"]),
    ],
)
def test_points_on_the_table_are_not_in_the_hand_of_who_plays_after_them(
    cards: tuple[str, str], tricks: list[str]
) -> None:
    """Seat 2 may discard a heart only if both of its cards are penalty cards (5.5)."""
    hand_with = {"QS": "QS 2H", "4C": "4C 5D"}
    rules = Ruleset("common-hearts", 4, {"pass_cycle": ()})
    hands = ["2C 3C", *(hand_with[card] for card in cards), "6C 3H"]
    state = new_deal(rules, hands, dealer=3)
    before = state.play("2C").play(cards[0]).play(cards[1])
    step = Step(before, Play(3, "6C"), before.play("6C"))
    asked = [question for _, question in KINDS["legal"].questions(step)]
    assert [one["trick"] for one in asked] == tricks
