"""Tests of chapter 10, on procedure at the table, and of its questions and answers."""

import json
import re
from typing import Any

import attrs
import pytest

from refengine.errors import Malformed
from refengine.lawbook import at_the_table, book
from refengine.lawbook.at_the_table import (
    TableRuling,
    meets,
    read_table_rulings,
    table_rulings,
)
from refengine.lawbook.options import BY_NAME
from refengine.lawbook.profiles import profile, profile_names
from refengine.lawbook.reading import PROCEDURE, mentions, place_in_book, read_book
from tests.support.commands import run_given

pytestmark = pytest.mark.interpreted("about the text of the book")

RULINGS = table_rulings()
CHAPTER = {
    passage.number: passage
    for passage in read_book(book.SPEC)
    if passage.number.startswith("10.")
}
PROCEDURES = [one for one in book.clauses().values() if one.kind == PROCEDURE]

FILE = """
[[clause]]
number = "10.2"
question = "Does it count?"
words = ["odd"]
ask = [
    { name = "when", text = "When?", answers = { now = "now", late = "later" } },
    { name = "who", text = "Who?", answers = { you = "you", me = "I", all = "all" } },
]
outcome = [
    { if = { when = "now" }, says = "Yes.", clauses = ["10.2"] },
    { if = { when = "late", who = ["you", "me"] }, says = "No.", clauses = CITED },
    { if = { when = "late", who = "all" }, says = "Ask.", clauses = ["10.4"] },
]
""".replace("CITED", '["10.2", "10.3"]')


# The book and its questions


def test_every_clause_of_procedure_is_a_question_and_nothing_else_is() -> None:
    assert list(RULINGS) == [one.number for one in PROCEDURES]
    assert all(number.startswith("10.") for number in RULINGS)


def test_only_chapter_ten_is_for_people_and_it_stands_last() -> None:
    numbers = list(book.clauses())
    assert numbers == sorted(numbers, key=place_in_book)
    assert numbers[-1] == "10.25"
    assert numbers[numbers.index("10.1") - 1].startswith("9.")
    assert all(not one.functions and not one.bites for one in PROCEDURES)


@pytest.mark.parametrize("number", RULINGS)
def test_an_outcome_cites_clauses_that_exist(number: str) -> None:
    passage = CHAPTER[number]
    near = {number, *mentions(passage.text)}
    for outcome in RULINGS[number].outcomes:
        for cited in outcome.clauses:
            assert book.clause(cited).kind != "withdrawn"
        assert near & set(outcome.clauses)
        assert len(set(outcome.clauses)) == len(outcome.clauses)


@pytest.mark.parametrize("number", RULINGS)
def test_what_is_read_aloud_is_a_question_or_a_sentence(number: str) -> None:
    ruling = RULINGS[number]
    assert "?" in ruling.question
    assert ruling.words
    for one in ruling.ask:
        assert one.text.endswith("?")
        assert len(one.answers) > 1
        assert len(set(one.answers.values())) == len(one.answers)
    for outcome in ruling.outcomes:
        assert outcome.says.endswith(".")
        assert outcome.says[0].isupper()


def test_people_are_told_what_they_must_not_do_and_never_that_nobody_must() -> None:
    for passage in CHAPTER.values():
        assert not re.search(r"\b(?:[Nn]obody|[Nn]o \w+) MUST\b", passage.text)


# Quarrels: the answer reasoned from the chapter, before the data are asked


@pytest.mark.parametrize(
    ("number", "answers", "begins", "cited"),
    [
        # The two of clubs is in another hand, and the next player has not followed yet.
        ("10.14", "trick=yes when=before", "No: the card is taken", "10.12"),
        ("10.14", "trick=yes when=after", "Yes: the trick is pl", "10.14"),
        # A heart was led, and two tricks later somebody says so: ruling 46.
        ("10.18a", "when=after", "It stands, and hearts are bro", "5.9"),
        # Ruling 43: the game has no time that turning a trick over could end.
        ("10.16a", "rule=no who=winner", "No: anybody may", "10.16a"),
        ("10.16a", "rule=yes who=winner", "Yes: the trick is q", "7.6"),
        # Thirteen cards each were dealt to four, and one of them has fourteen.
        ("10.9", "why=nothing stock=no when=no", "The deal is void", "10.1b"),
        ("10.9", "why=nothing stock=yes when=no", "The hands stand", "10.9"),
        # The queen falls on the floor, face up.
        ("10.12", "", "No: it goes back into the hand", "2.7a"),
        # The double fault of ruling 46, late: it costs what a revoke costs.
        ("10.18b", "revokes=penalised when=late", "What any revoke", "7.9"),
        ("10.19", "revokes=rejected when=late", "It is judged", "10.18"),
        # Article 25 of Foster's.
        ("10.19a", "who=accused", "Yes: the claim counts as true", "7.8"),
        # One of three opponents does not want to give the moon away.
        ("10.22", "agree=no rules=yes", "No: the hand is taken up", "10.12"),
        # Two players hold 12 and 14 after the pass: one of them passed four cards.
        (
            "10.8",
            "pass=yes when=seen known=no",
            "It is a pass of the wrong number",
            "10.10",
        ),
        # The dealer flips the jack of diamonds over, and nobody has passed yet.
        ("10.8a", "who=dealer when=before", "Yes: the deal is void", "10.8a"),
        # Four players passed right on a left deal, and picked the cards up.
        ("10.10a", "when=seen all=yes", "The pass stands", "10.10a"),
        # One of three did not play to the second trick; the third is under way.
        ("10.15", "when=after stock=no", "The winner stays. The n", "10.15"),
        # A trick left somebody out, and the next deal is on the table.
        ("10.15", "when=late stock=no", "Nothing is done any mo", "10.15"),
        ("10.15", "when=late stock=yes", "Nothing is done any m", "10.15"),
        # A card of the first deal lies under the table while the second is played.
        (
            "10.9",
            "why=lost stock=no when=yes",
            "It is too late: the score of the deal stands",
            "10.12a",
        ),
        (
            "10.12a",
            "found=known stock=yes when=yes",
            "It is too late: the score of the deal stands",
            "10.12a",
        ),
        # It is found in time, there is a stock, and nobody is believed.
        (
            "10.12a",
            "found=there stock=yes when=no",
            "It belongs to the hand that the cards show it came from; where they do",
            "10.4",
        ),
        # One of the others threw the hand in, and everybody nodded.
        (
            "10.12b",
            "agree=yes apart=no",
            "The rest counts as agreed, as long as",
            "10.22",
        ),
        # The second revoker is named when the claim on the first has ended the deal.
        (
            "10.19",
            "revokes=penalised when=late",
            "Everybody may claim it, unless a claim has already ended the deal",
            "7.7b",
        ),
        # South dealt for East, and the player on the left of South has led.
        (
            "10.7",
            "when=after",
            "The deal stands and counts as dealt by the player whose turn it was. "
            "Where the player on the dealer's left leads first",
            "10.14",
        ),
        # It was looked for, and not found: before the next deal, and after it.
        (
            "10.12a",
            "found=gone stock=no when=no",
            "The pack is not right: the deal is void",
            "10.8b",
        ),
        (
            "10.12a",
            "found=gone stock=no when=yes",
            "It is too late: the score of the deal stands",
            "10.12a",
        ),
        # A card is missing, and may lie under the table.
        ("10.8b", "when=before", "The deal is void and is dealt again", "10.12a"),
        # The two cards were a heart, the first of the deal, and a club.
        (
            "10.15a",
            "when=during cost=no",
            "The dearer card goes back into the hand. The winner of the trick stays "
            "the winner, and hearts are as if that card had never been played",
            "10.15a",
        ),
        # The first trick with points was gathered by the wrong player, kitty and all.
        (
            "10.15b",
            "when=before",
            "The trick goes to the player who won it, with the kitty",
            "5.10",
        ),
        # A leader with nothing but hearts owed a draw (6.2): no other card is there.
        (
            "10.18a",
            "when=before",
            "It is taken back and has broken nothing; the player draws or leads",
            "10.18",
        ),
        # A spectator speaks of a revoke where none can be claimed (7.7a).
        (
            "10.23",
            "what=error",
            "It counts as if a player had said it: the error is noticed, and where "
            "revokes are penalised a revoke may be claimed",
            "10.1a",
        ),
        # One of four gave nothing to the mix, and the dealer has shuffled the pile.
        ("10.10b", "what=mixed when=played all=no", "It has no effect", "10.10"),
        # Two forgot to pass to each other: all hands are right, and the deal stands.
        (
            "10.10b",
            "what=some when=played all=no",
            "The passes stand as they were made, unless a hand has too many",
            "10.9",
        ),
        (
            "10.10",
            "mix=player when=played number=few",
            "The passes stand as they were made, unless a hand has too many",
            "10.9",
        ),
        # The wrong card lies open when it is taken back.
        ("10.18", "turn=no when=before", "No: it is taken back as", "10.12"),
        (
            "10.18b",
            "revokes=penalised when=before",
            "Nothing: it is taken back as an exposed card",
            "10.12",
        ),
        # "That five was mine", says the player whose card was found on the floor.
        ("10.24", "ended=no why=asked", "It may be told", "10.12a"),
        # Half of the table remembers a club, half a spade, and the trick is gone.
        ("10.4a", "cards=no who=even", "Play goes on as if", "10.4a"),
        # "Careful, she is shooting!" at a table that has agreed on nothing.
        ("10.24a", "what=advice agreed=no", "It is against", "2.5"),
        # The last train goes, and the others say: go.
        ("10.21", "seat=no leave=yes", "The match ends with", "9.5"),
        # The limit of 100 was reached two deals ago.
        ("10.20a", "when=no limit=over", "Yes: the match ended", "9.3"),
    ],
)
def test_quarrels_are_answered_as_the_chapter_says(
    number: str, answers: str, begins: str, cited: str
) -> None:
    answered = dict(answer.split("=") for answer in answers.split())
    outcome = RULINGS[number].outcome(answered)
    assert outcome.says.startswith(begins)
    assert cited in outcome.clauses


def test_nobody_says_which_of_two_cards_was_meant_once_the_next_lead_is_made() -> None:
    (when,) = RULINGS["10.13"].ask
    early = {name: said for name, said in when.answers.items() if name != "late"}
    assert all("before the next lead" in said for said in early.values())


def test_to_settle_an_error_only_the_players_own_cards_are_told() -> None:
    (why,) = [one for one in RULINGS["10.24"].ask if one.name == "why"]
    assert "their own cards" in why.answers["asked"]


def test_what_was_seen_is_never_chosen_again() -> None:
    for number in ("10.10", "10.11"):
        seen = [one.says for one in RULINGS[number].outcomes if "unseen" in one.says]
        assert seen
    for own, said in (("no", "draws them unseen"), ("yes", "nothing follows")):
        assert said in RULINGS["10.11"].outcome({"own": own}).says


# The options


def test_what_an_answer_needs_are_values_of_options() -> None:
    for ruling in RULINGS.values():
        assert bool(ruling.arises) is (ruling.otherwise is not None)
        if ruling.otherwise is not None:
            assert {*ruling.otherwise.clauses} <= {*book.clauses()}
        every = [*ruling.arises]
        for one in ruling.ask:
            assert {*one.only} <= {*one.answers}
            every += [need for needs in one.only.values() for need in needs]
        for need in every:
            for name, values in need.items():
                assert {*values} <= {*BY_NAME[name].words}, name


@pytest.mark.parametrize("name", profile_names())
def test_a_ruling_under_a_profile_is_the_ruling_with_what_the_options_say(
    name: str,
) -> None:
    options = profile(name).options
    for ruling in RULINGS.values():
        if not meets(options, ruling.arises):
            continue
        left = ruling.under(options)
        settled = {}
        for one in ruling.ask:
            possible = one.possible(options)
            assert possible, (ruling.number, one.name)
            if len(possible) == 1:
                settled[one.name] = possible[0]
        assert [one.name for one in left.ask] == [
            one.name for one in ruling.ask if one.name not in settled
        ]
        for given in left.combinations():
            there = ruling.outcome({**given, **settled})
            here = left.outcome(given)
            assert (here.says, here.clauses) == (there.says, there.clauses)


# Foster


def test_every_article_of_fosters_has_an_answer_or_a_reason() -> None:
    (table,) = CHAPTER["10.25"].tables
    rows = {row[0]: row[1:] for row in table.rows}
    articles: set[int] = set()
    for where in rows:
        if where.startswith("article"):
            first, *last = map(int, re.findall("[0-9]+", where))
            articles |= set(range(first, (last or [first])[0] + 1))
    assert articles == set(range(1, 31))
    for cell, answer in rows.values():
        assert mentions(answer) or "because" in answer or "not read" in cell
    without = [answer for _, answer in rows.values() if answer.startswith("without")]
    assert all("effect here, because" in answer for answer in without)
    assert len(without) == 5


# The reader of the file


def test_a_file_is_read_into_questions() -> None:
    (ruling,) = read_table_rulings(FILE).values()
    assert ruling.question == "Does it count?"
    assert [one.name for one in ruling.ask] == ["when", "who"]
    assert len(list(ruling.combinations())) == 6
    assert ruling.outcome({"when": "late", "who": "me"}).says == "No."
    assert ruling.outcome({"who": "me", "when": "now"}).says == "Yes."
    assert ruling.lines() == [
        "Does it count?",
        "- When? Now.",
        "  Yes. (10.2)",
        "- When? Later. Who? You, or I.",
        "  No. (10.2, 10.3)",
        "- When? Later. Who? All.",
        "  Ask. (10.4)",
    ]
    assert attrs.evolve(
        ruling, ask=(), outcomes=(attrs.evolve(ruling.outcomes[0], answers={}),)
    ).lines() == ["Does it count?", "- Yes. (10.2)"]
    assert ruling.fields()["outcomes"][1] == {
        "if": {"when": ["late"], "who": ["you", "me"]},
        "says": "No.",
        "clauses": ["10.2", "10.3"],
    }
    assert ruling.fields()["ask"][0] == {
        "name": "when",
        "text": "When?",
        "answers": {"now": "now", "late": "later"},
    }


@pytest.mark.parametrize(
    ("answers", "found"),
    [
        ({"when": "now"}, "one for each of when, who"),
        ({"when": "now", "who": "me", "why": "x"}, "one for each of when, who"),
        ({"when": "never", "who": "me"}, "one of now, late"),
    ],
)
def test_answers_that_were_not_asked_for_are_malformed(
    answers: dict[str, str], found: str
) -> None:
    (ruling,) = read_table_rulings(FILE).values()
    with pytest.raises(Malformed, match=found):
        ruling.outcome(answers)


def test_a_question_without_conditions_takes_no_answers() -> None:
    ruling: TableRuling = RULINGS["10.3"]
    assert list(ruling.combinations()) == [{}]
    with pytest.raises(Malformed, match="none"):
        ruling.outcome({"when": "now"})


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('{ when = "now" }', '{ when = "then" }', "the answer then to when"),
        ('{ when = "now" }', '{ why = "now" }', "the answer now to why"),
        ('{ when = "now" }', '{ when = "now", who = "me" }', "0 outcomes"),
        ('who = "all" }', 'who = ["all", "me"] }', "2 outcomes"),
        ('who = ["you", "me"] }', "who = [] }", "0 outcomes"),
    ],
)
def test_a_question_with_a_gap_or_two_answers_is_malformed(
    old: str, new: str, found: str
) -> None:
    assert FILE.count(old) == 1
    with pytest.raises(Malformed, match=found) as caught:
        read_table_rulings(FILE.replace(old, new))
    assert caught.value.where == "10.2"


def test_an_outcome_that_nothing_leads_to_and_a_clause_twice_are_malformed() -> None:
    more = '    { if = { who = [] }, says = "Never.", clauses = ["10.2"] },\n]'
    with pytest.raises(Malformed, match="an outcome without answers"):
        read_table_rulings(FILE[::-1].replace("]", more[::-1], 1)[::-1])
    with pytest.raises(Malformed, match=r"10\.2 again"):
        read_table_rulings(FILE * 2)


# The command line and the formats


def shown(*arguments: str) -> str:
    code, out, err = run_given(*arguments)
    assert code == 0, err
    return out


def test_rule_prints_the_question_and_what_follows() -> None:
    text = shown("rule", "10.12a")
    assert text.startswith("10.12a A lost card  [procedure]\n")
    assert (
        " A card was lost and is found again. Whose is it? "
        "- Where is the card? It was found, and we know which hand it left. Has the "
        "next deal been dealt, or the result of the match been agreed? No. "
        "It goes back into that hand and counts as held all the time. (10.12a) "
    ) in " ".join(text.split())
    assert "Ruling: whoever destroys the proof" in shown("rule", "10.19a")
    assert "?\n- " not in shown("rule", "5.3")


def test_rule_gives_the_question_as_json_where_there_is_one() -> None:
    found = json.loads(shown("rule", "10.14", "--json"))
    assert found["at_the_table"] == RULINGS["10.14"].fields()
    assert "at_the_table" not in json.loads(shown("rule", "9.9", "--json"))


def test_a_clause_of_chapter_ten_is_cited_like_any_other() -> None:
    assert "10.14a" in shown("cite", "10.14a")
    assert shown(
        "cite",
        f"HFR 10.1@{book.registry()['version']}~{book.clause('10.1').fingerprint}",
    )


def test_the_schemas_know_clause_numbers_from_0_to_99() -> None:
    text = json.dumps(json.loads(shown("schema")))
    (pattern,) = {
        json.loads(f'"{one}"')
        for one in re.findall(r'"(\^[^"]*hjkmnp-z[^"]*\$)"', text)
    }
    for number in ("0.1", "5.4b", "9.9", "10.1", "10.14a", "99.1"):
        assert re.fullmatch(pattern, number)
    for number in ("100.1", "05.1", "10.0", "10.1i", "10"):
        assert not re.fullmatch(pattern, number)


def test_the_questions_lie_in_the_package() -> None:
    assert at_the_table.FILE.parent == book.REGISTRY.parent
    assert at_the_table.FILE.is_file()


def test_nothing_of_it_can_be_changed() -> None:
    rulings: Any = RULINGS
    with pytest.raises(TypeError):
        rulings["10.2"] = None
