"""Tests that a ruling says in words what the engine decided, with the clauses."""

import importlib.metadata
import json
from pathlib import Path
from typing import Any

import pytest

import refengine
from refengine import OPTIONS, Card, Draw, Play, Ruleset, State, new_deal, new_match
from refengine.formats import wire
from refengine.formats.trace import read_trace
from refengine.game import acts
from refengine.game.values.cardset import CARDS
from refengine.json import save
from refengine.lawbook import book
from refengine.lawbook.profiles import profile, profile_names
from refengine.machine.position import NARROWING, playable
from refengine.rulings.consequences import consequences, whose_turn
from refengine.rulings.explain import Ruling, explain, ruling_fields
from refengine.rulings.reasons import why_a_card
from refengine.rulings.ruling_text import ruling_lines
from refengine.rulings.sentences import FOLLOWS, WHY, WHY_NOT, why_forbidden
from refengine.rulings.typed_position import ByHand, open_typed_position
from refengine.rulings.words import option_meaning, other_values
from refengine_conformance.runner.selection import CORPUS
from tests.support.commands import Runner, error_of, run_given
from tests.support.disputed import Dispute, disputes
from tests.support.lines import line_of, played_trace
from tests.support.playing import cards_played
from tests.support.refusing import malformed

DISPUTES = disputes()
OF_ACTS = (
    "2.3 2.4 3.1e 3.1f 3.8a 3.8b 3.8c 3.8d 4.4 4.5 4.6a 4.6b 4.9 4.10c 4.10d 4.10e "
    "5.2 5.3 5.4 5.5 5.5b 5.6 5.7 6.1 6.2 6.3 7.3 7.4 7.6a 7.6b 7.6c 7.6d 7.6e 7.7 "
    "7.7a 7.7b 8.6a 8.6b"
)


def text_of(ruling: Ruling) -> str:
    return "\n".join(ruling_lines(ruling))


@pytest.mark.parametrize("dispute", DISPUTES, ids=lambda one: one.id)
def test_every_dispute_is_ruled_as_the_book_was_read(dispute: Dispute) -> None:
    ruling = explain(dispute.state, dispute.act)
    assert type(ruling.verdict).__name__.lower() == dispute.verdict
    assert ruling.clauses == dispute.clauses
    if ruling.clauses:
        assert [one.clauses for one in ruling.why] == [(n,) for n in dispute.clauses]
    if "legal" in dispute.answer and ruling.cards:
        allowed = [str(one.card) for one in ruling.cards if one.word == "yes"]
        assert " ".join(allowed) == dispute.answer["legal"]
    assert json.loads(json.dumps(ruling_fields(ruling)))["why"]
    all_sentences_are_whole(ruling)


def all_sentences_are_whole(ruling: Ruling) -> None:
    told = [*ruling.why, *ruling.follows, *(one.sentence for one in ruling.mattered)]
    told += [one for card in ruling.cards for one in card.why]
    for one in [*told, *whose_turn(ruling.before)]:
        assert one.clauses, one
        assert all(number in book.clauses() for number in one.clauses)
        assert one.text[0].isupper()
        assert one.text.endswith(".")
        assert "{" not in one.text
        assert "None" not in one.text
    assert text_of(ruling).count("HFR") == len(ruling.cited)


def test_each_clause_that_can_be_named_has_its_own_sentence() -> None:
    assert set(OF_ACTS.split()) == set(WHY_NOT)
    said = why_forbidden("3.9a")
    assert said.clauses == ("3.9a",)
    assert said.text in book.clause("3.9a").text


def test_every_sentence_cites_a_clause_of_the_book() -> None:
    cited = [clause for _, clause in WHY.values()]
    for _, *clauses in FOLLOWS.values():
        cited += [clause for clause in clauses if clause != "{clause}"]
    assert set(cited) <= set(book.clauses())


def test_the_narrowing_clauses_are_asked_in_the_order_of_the_book() -> None:
    for dispute in DISPUTES:
        core = dispute.state.core
        if core.position is None or dispute.state.legal.due.kind != "play":
            continue
        allowed = core.position.hand
        for _, narrow in NARROWING:
            allowed = narrow(core.rules, core.position, allowed)
        assert allowed == playable(core.rules, core.position)


def test_every_value_of_every_option_has_words() -> None:
    for name in profile_names():
        values = profile(name).options
        for option in OPTIONS:
            now = values[option.name]
            for value in (now, *other_values(option, now)):
                assert "{" not in option_meaning(option.name, value)


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("sun_points", 0, "a moon with every trick counts like any other moon"),  # 8.4
        ("heart_leads", "when_broken", "hearts are not led before they are broken"),
        # Noticing undoes nothing: the card stands unless its player corrects it (7.2).
        (
            "revokes",
            "penalised",
            "a card that fails to follow suit stands, but the mistake can be claimed",
        ),
    ],
)
def test_a_value_means_what_its_clause_says(
    option: str, value: str | int, said: str
) -> None:
    assert option_meaning(option, value) == said


def test_hearts_wait_for_the_queen_as_well_where_she_breaks_them() -> None:
    assert "before they are broken" in WHY_NOT["5.4"]  # by her, 5.9a


def ruled(state: State, card: str) -> Ruling:
    return explain(state, Play(state.turn[0], card))


def words_of(ruling: Ruling) -> str:
    return " ".join(map(str, (*ruling.why, *ruling.follows)))


def in_words(state: State, act: acts.Act) -> str:
    """The ruling on an act in this state, in words."""
    return words_of(explain(state, act))


BARRED = {"first_trick_points": "barred"}
HOUSE = Ruleset("estmesh-hearts", options=BARRED)
HANDS = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "7D KC KH"]


def test_a_ruling_for_a_reader_who_has_only_played_on_a_phone() -> None:
    state = new_deal(HOUSE, HANDS, dealer=3, deal=4).play("2C").play("5C")
    assert text_of(ruled(state, "2H")) + "\n" == PHONE


PHONE = """\
Seat 2 may not play 2H: 5.5 No points on the first trick

  The rules: Hearts as the Estmesh tutorial has it (estmesh-hearts), 4 players; Points
  on the first trick: no (first_trick_points=barred).
  On the table: 2C by seat 0, 5C by seat 1.
  Seat 2 holds JD 4S 2H.
  Seat 2 is next to play. [5.12]

Why
  The two of hearts costs points, and no such card may be played to the first trick
  while another one will do, here JD or 4S. [5.5]

The hand, card by card
  JD  yes     Clubs were led and seat 2 has none: another suit will do. [5.8]
              It costs nothing, so it may be played to the first trick. [5.5]
  4S  yes     Clubs were led and seat 2 has none: another suit will do. [5.8]
              It costs nothing, so it may be played to the first trick. [5.5]
  2H  no      The two of hearts costs points, and no such card may be played to the
              first trick while another one will do, here JD or 4S. [5.5] (depends on
              first_trick_points)

What follows
  A refused act changes nothing; seat 2 is to act. [0.10]

Where tables differ
  At this table cards that cost points are kept out of the first trick
  (first_trick_points=barred). Where cards that cost points may be played to the first
  trick (first_trick_points=allowed), it would be allowed. [5.5]

How to read this
  Seats are numbered from 0, going round to the left. A card is its rank, then its suit:
  QS is the queen of spades, TD the ten of diamonds. [2.1, 1.9]

Cited
  HFR 0.10@1.1.0~8d6c20be  A refused act changes nothing
  HFR 5.5@1.1.0~2c3f1be8  No points on the first trick
  HFR 5.8@1.1.0~173ba9df  Any other card
"""


def test_where_some_cards_are_refused_not_any_card_will_do() -> None:
    state = new_deal(HOUSE, HANDS, dealer=3, deal=4).play("2C").play("5C")
    ruling = ruled(state, "JD")
    assert [one.word for one in ruling.cards] == ["yes", "yes", "no"]
    assert "another suit will do. [5.8]" in words_of(ruling)
    assert "any card" not in words_of(ruling)


def disputed(name: str) -> Ruling:
    (dispute,) = [one for one in DISPUTES if one.id == name]
    return explain(dispute.state, dispute.act)


def mattered(name: str) -> str:
    return " ".join(str(one.sentence) for one in disputed(name).mattered)


def test_the_options_on_which_the_end_turned_are_told() -> None:
    hundred = mattered("exactly-a-hundred-0")
    assert "with limit_rule=exceed the match goes on. [9.3]" in hundred
    assert "with exact_limit_becomes=0 the totals are seat 0: 0, seat 1: 50" in hundred
    exceeded = mattered("exactly-a-hundred-1")
    assert "with limit_rule=reach the match is over, won by seat 1. [9.3]" in exceeded
    tied = mattered("plus-unless-it-ties-0")
    assert "with ties=play_on the score of the deal is seat 0: 0, seat 1: 14" in tied
    assert "with moon=choice_all seat 0 chooses how the moon counts" in tied


def test_a_revoke_is_told_with_the_option_that_lets_it_stand() -> None:
    refused = mattered("heart-on-first-trick-with-a-club-in-hand-2")
    assert "(revokes=penalised), it would stand as a mistake" in refused
    stands = mattered("heart-on-first-trick-with-a-club-in-hand-0")
    assert "(revokes=rejected), it would be refused. [5.3]" in stands


def test_a_revoke_of_whoever_plays_last_is_not_said_to_be_taken_back() -> None:
    options = {"revokes": "penalised", "revoke_until": "trick_complete"}
    state = new_deal(Ruleset("estmesh-hearts", 4, options), HANDS, dealer=3, deal=4)
    ruling = ruled(cards_played(state, "2C 5C JD"), "7D")
    assert "claimed later and, if there is still time, taken back" in ruling.headline
    assert "It can no longer be taken back" in words_of(ruling)


TAKEN_BACK = (
    "The card goes back without penalty, and the play goes on from there as if it and "
    "the cards after it had not been played. [7.5]"
)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "kitty-back-after-a-correction-0",
            ["The kitty goes back to its place. [7.5]"],
        ),
        ("correction-and-broken-hearts-1", ["Hearts are unbroken again. [7.5]"]),
        (
            "correction-and-the-kitty-0",
            [
                "Hearts are unbroken again. [7.5]",
                "The kitty goes back to its place. [7.5]",
            ],
        ),
        (
            "draw-before-the-lead-0",
            ["Cards drawn from the stock since then stay drawn. [7.5a]"],
        ),
    ],
)
def test_a_correction_tells_what_goes_back_and_what_stays(
    name: str, told: list[str]
) -> None:
    found = [str(one) for one in disputed(name).follows]
    assert found == [TAKEN_BACK, *told, "Seat 1 plays another card. [7.5]"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "play-instead-of-drawing-1",
            "Only a failure to follow suit can stand as a mistake; this cannot. [7.1a]",
        ),
        (
            "moon-by-a-revoker-0",
            "A player whose revoke was claimed cannot shoot the moon in this deal. "
            "[8.3b]",
        ),
        (
            "moon-by-a-revoker-0",
            "For revokes that were claimed: seat 3: 13. [7.10]",
        ),
        (
            "moon-of-another-than-the-revoker-0",
            "The moon of the other player stands. [8.3b]",
        ),
        (
            "moon-of-another-than-the-revoker-4",
            "Seat 0 has taken every trick as well. [8.4]",
        ),
        (
            "moon-of-another-than-the-revoker-4",
            "Everybody else gets the points: seat 1: 52, seat 2: 52, seat 3: 52. "
            "[8.5, 8.5a]",
        ),
        (
            "load-the-moon-on-one-0",
            "Seat 1 alone gets the points: seat 1: 14. [8.5, 8.5c]",
        ),
        (
            "no-trick-bonus-beside-a-moon-0",
            "For having taken no trick: seat 1: -5, seat 2: -5, seat 3: -5. [8.8]",
        ),
        (
            "exactly-a-hundred-2",
            "Seat 0 reached exactly 100, which becomes 50. [9.2]",
        ),
        (
            "survivors-hand-0",
            "The cards left in seat 1's hand (3H 4H) count against it. [6.8]",
        ),
        (
            "survivors-hand-0",
            "What is left of the stock counts for nobody. [6.8a]",
        ),
        (
            "survivors-hand-1",
            "What is left of the stock goes to seat 1 and counts as well. [6.8a]",
        ),
        (
            "everybody-out-at-once-0",
            "All hands are empty; seat 1 played last and takes the rest of the stock, "
            "which counts. [6.8b]",
        ),
        (
            "everybody-out-at-once-1",
            "What is left of the stock counts for nobody. [6.8b]",
        ),
        (
            "last-player-finishes-trick-0",
            "Seat 1 still has to play: a trick once begun is finished. [6.6a]",
        ),
        (
            "winner-out-counter-clockwise-0",
            "Seat 0 is out, so the nearest player to that player's left who still has "
            "cards leads: seat 1. [6.7]",
        ),
        (
            "winner-out-may-i-lead-a-heart-0",
            "Seat 0 is out, so the nearest player to that player's left who still has "
            "cards leads: seat 2. [6.7]",
        ),
        (
            "cut-tie-0",
            "Seats 1 and 2 are tied for the lowest card and draw again. [3.1c]",
        ),
        (
            "drew-the-queen-to-lead-0",
            "It is the card that seat 0 drew for this lead: it must be led. [6.4a]",
        ),
        (
            "the-moon-on-myself-0",
            "Whoever shot the moon must name somebody else. [8.6b]",
        ),
        ("claimed-once-already-1", "A claim has already ended this deal. [7.7b]"),
    ],
)
def test_what_the_book_rules_is_said_in_words(name: str, said: str) -> None:
    ruling = disputed(name)
    told = [*ruling.why, *ruling.follows, *whose_turn(ruling.before)]
    told += [one for card in ruling.cards for one in card.why]
    assert said in map(str, told)


def test_a_ring_of_unseen_passes_moves_nothing() -> None:
    ruleset = Ruleset("estmesh-hearts", options={"pass_unseen": True})
    state = new_deal(ruleset, HANDS)
    state = state.after(acts.PassUnseen(0), acts.PassUnseen(1), acts.PassUnseen(2))
    told = in_words(state, acts.PassUnseen(3))
    assert "Nobody gave a card, so nothing moves. [4.9b]" in told


def test_a_revoke_taken_back_with_another_is_gone() -> None:
    state = new_deal(Ruleset("dominorules-tiles"), HANDS, dealer=3, deal=4)
    state = cards_played(state, "2C QS JD KH")
    told = in_words(state, acts.Retract(1, "QS"))
    assert "is gone with them. [7.5b]" in told


# A position typed by hand


def typed(words: str, **more: Any) -> State:
    ruleset = more.pop("ruleset", Ruleset("estmesh-hearts"))
    return open_typed_position(ByHand(ruleset=ruleset, hand=words, **more))


DOMINO = Ruleset("gamerules-domino", 3)


def test_a_typed_hand_is_judged_like_the_same_hand_in_a_game() -> None:
    state = typed("QS JD 2H", trick="5C", first_trick=True, ruleset=HOUSE)
    assert (state.turn, str(state.legal.cards)) == ((1,), "JD")
    assert str(typed("2H 3H").legal.cards) == "2H 3H"
    assert str(typed("2S 3H").legal.cards) == "2S"
    assert str(typed("2S 3H", hearts_broken=True).legal.cards) == "2S 3H"
    assert str(typed("2S 3H", trick="4H 5H", leader=2).legal.cards) == "3H"
    assert typed("2S 3H", trick="4H").hearts_broken
    assert str(typed("2C 9C KD", first_trick=True).legal.cards) == "2C"
    assert str(typed("4D QS 2H", first_trick=True).legal.cards) == "4D QS"
    whole = "3C 5C 9C 2D 5D 9D KD 2S 5S QS 2H 5H 9H"
    assert str(typed(whole, trick="2C", first_trick=True).legal.cards) == "3C 5C 9C"


def test_of_a_typed_hand_nothing_is_said_that_hangs_on_the_others() -> None:
    last = typed("5C 2H", trick="9C 8C 7C")
    told = explain(last, Play(3, "5C"), known=False).follows
    assert [one.clauses for one in told] == [("5.10",)]
    domino = typed("5C 2H", trick="9C", ruleset=DOMINO)
    told = explain(domino, Play(1, "5C"), known=False).follows
    assert [one.clauses for one in told] == [("5.12",)]


def test_a_typed_hand_with_a_stock_draws() -> None:
    assert typed("4D QS", trick="2C", ruleset=DOMINO).legal.due.kind == "draw"
    dry = typed("4D QS", trick="2C", ruleset=DOMINO, stock=0)
    assert str(dry.legal.cards) == "4D QS"
    drawn = typed("4D QS 7C", trick="2C", ruleset=DOMINO, drew="7C")
    assert str(drawn.legal.cards) == "7C"
    assert drawn.drew == (Card("7C"),)
    ruling = explain(drawn, Play(1, "7C"), known=False)
    assert "drew for" in words_of(ruling)


def test_a_typed_hand_may_have_drawn_more_than_its_share_of_the_pack() -> None:
    """With a stock, hands may have different sizes (3.12u, 6.4)."""
    clubs_and_diamonds = " ".join(map(str, CARDS[:20]))
    domino = Ruleset("gamerules-domino", 4)
    state = typed(clubs_and_diamonds, trick="9D", ruleset=domino)
    assert str(state.legal.cards) == "2D 3D 4D 5D 6D 7D 8D"
    assert len(state.stock) == 4


# A hand of a whole pack, from a real dispute: it cannot lead, whoever holds the clubs.
NO_CLUB = "2S 4S 8S 9S QS KS AS 3H 5H 8H TH QH KH"


@pytest.mark.parametrize(
    ("words", "more", "complaint"),
    [
        ("QS", {"trick": "QS"}, "each card once"),
        ("QS 2H", {"drew": "3C"}, "cards of the hand"),
        ("QS", {"trick": "2C 3C 4C 5C"}, "a trick in progress"),
        ("QS", {"leader": 4}, "a seat from 0 to 3"),
        ("", {}, "1 card or more"),
        (" ".join(map(str, CARDS[:14])), {}, "no more than there are"),
        ("2C QS", {"trick": "5C", "first_trick": True}, "no other can have a lower"),
        (
            NO_CLUB,
            {"first_trick": True},
            "another has a lower club (5.1); allowed: the",
        ),
        ("QS 2H", {"drew": "2H"}, "3.12g"),
        ("QS 2H", {"stock": 2}, "3.12g"),
    ],
    ids=lambda one: str(one)[:30],
)
def test_an_impossible_hand_is_refused_with_a_reason(
    words: str, more: dict[str, Any], complaint: str
) -> None:
    assert complaint in str(malformed(lambda: typed(words, **more)))


# The command


RULES = ("--profile", "common-hearts")


def test_explain_takes_a_hand(run: Runner) -> None:
    words = ["--hand", "QS JD", "--trick", "5C", "--first-trick"]
    words += ["--option", "first_trick_points=barred"]
    code, out, _ = run("explain", *words, "--card", "QS")
    assert code == 0
    assert out.startswith("Seat 1 may not play QS: 5.5")
    assert "game; this is the first trick" in " ".join(out.split())
    assert run("explain", *words)[1].startswith("Seat 1 may play JD\n")
    found = json.loads(run("explain", *words, "--json")[1])
    assert found["cards"][1]["clauses"] == ["5.5"]
    domino = ["--profile", "gamerules-domino", "--hand", "QS JD", "--trick", "5C"]
    out = run("explain", *domino)[1]
    assert out.startswith("Seat 1 must draw from the stock\n")
    assert "the stock holds 4 cards" in " ".join(out.split())
    assert "Seat 1 may draw." in run("explain", *domino, "--draw")[1]
    assert run("explain", *words, "--first-trick") == run("explain", *words)


def test_what_is_granted_is_in_the_json_too(run: Runner) -> None:
    said = "you play estmesh-hearts, as no --profile names another game"
    words = ("explain", "--hand", "QS JD", "--trick", "5C", "--json")
    granted = [json.loads(run(*words, *more)[1])["granted"] for more in ((), RULES)]
    assert [said in one for one in granted] == [True, False]


@pytest.mark.parametrize(
    "words",
    [
        ("FILE", *RULES),
        ("FILE", "--option", "moon=none"),
        ("FILE", "--players", "0"),
        ("FILE", "--trick", "5C"),
        ("FILE", "--seat", "1"),
        ("FILE", "--deal", "3"),
        ("FILE", "--corpus", "FILE"),
        ("--hand", "QS", "--line", "3"),
        ("--hand", "QS", "--at", "2"),
        ("--hand", "QS", "--corpus", "FILE"),
        ("--question", '{"ask": "turn", "leader": 1}', "--seat", "1"),
        ("--question", '{"ask": "turn", "leader": 1, "rules": {}}', "--players", "4"),
    ],
)
def test_a_flag_that_would_be_left_unread_is_refused(
    run: Runner, game: str, words: tuple[str, ...]
) -> None:
    typed = [game if one == "FILE" else one for one in words]
    assert words[-2] in error_of(run, "explain", *typed)


FOUND = {"dealer": 3, "deal": 4, "hands": HANDS}


def write_lines(path: Path, *lines: Any) -> str:
    """Write each of these objects as a line of JSON to a file, and return its path."""
    path.write_bytes(b"".join(line_of(one) + b"\n" for one in lines))
    return str(path)


@pytest.fixture
def game(tmp_path: Path) -> str:
    """The path of a file with a trace that ends in a refused card, and with its log."""
    cards = ("2C", "5C", "2H")
    trace = played_trace("estmesh-hearts", FOUND, *cards, options=BARRED)
    trace["steps"][1]["refuse"] = [
        {"act": {"play": card}, "clauses": ["5.3", "5.5"]} for card in ("QS", "3H")
    ]
    log = {key: trace[key] for key in ("ruleset", "setup")}
    plays = " ".join(cards)
    return write_lines(
        tmp_path / "game.jsonl", trace, {"log": 1, **log, "plays": plays}
    )


def test_explain_takes_a_trace_and_a_log(run: Runner, game: str) -> None:
    for line in ("1", "2"):
        code, out, _ = run("explain", game, "--line", line)
        assert code == 0
        assert out == PHONE
        code, out, _ = run("explain", game, "--line", line, "--at", "2")
        assert out.startswith("Seat 1 may play 5C.\n")
        code, out, _ = run("explain", game, "--line", line, "--json")
        assert (json.loads(out)["at"], json.loads(out)["clauses"]) == (3, ["5.5"])


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["FILE", "--at", "4"], "found place 4; the game is judged up to 3"),
        (["FILE", "--line", "3"], "found 2 lines; allowed: a line 3"),
        (["none.jsonl"], "none.jsonl"),
        ([], "found nothing to explain; allowed: a FILE, or a question such as --hand"),
        (["FILE", "--hand", "QS"], "found FILE and hand; allowed: one of them"),
        (["--hand", "QX"], "'QX'"),
        (["--hand", "QS", "--card", "1H"], "'1H'"),
        (["--hand", "QS", "--profile", "whist"], "'whist'"),
        (["--hand", "QS", "--option", "moon"], "name=value"),
    ],
)
def test_bad_input_ends_in_one_message(
    run: Runner, game: str, words: list[str], complaint: str
) -> None:
    assert complaint in error_of(
        run, "explain", *(game if one == "FILE" else one for one in words)
    )


@pytest.mark.parametrize(
    "text",
    [
        b'{"mini": 1}',
        b'{"trace": 1}',
        b"[1]",
        b"what?",
        b'{"case": 1, "outcome": "fail"}',
        b'{"case": "t-0000000000000001/step", "outcome": "", "faults": [{"step": 1, '
        b'"question": "act", "asked": "", "expected": "", "got": ""}]}',
        b"x" * (wire.LONGEST_LINE + 1),
    ],
    ids=["mini", "no trace", "list", "no JSON", "no case", "unknown case", "too long"],
)
def test_a_line_that_is_no_game_ends_in_one_message(
    run: Runner, tmp_path: Path, text: bytes
) -> None:
    path = tmp_path / "line.jsonl"
    path.write_bytes(text + b"\n")
    code, _, err = run("explain", str(path))
    assert (code, err.count("\n")) == (3, 1)


def test_a_report_is_explained_whole(run: Runner, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "report.jsonl", {"report": 1}, {"outcomes": {}})
    code, out, err = run("explain", path, "--line", "2")
    assert (code, out) == (3, "")
    assert "--line is for a trace or a log, and FILE is a report" in err


def test_games_of_a_package_that_is_not_installed_are_said_to_come_with_it(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = report(tmp_path, "t-0000000000000001/step", fault("act", "act"))
    said = "found no trace t-0000000000000001; allowed: a trace of the published corpus"
    there = run("explain", path)
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: ())
    alone = run("explain", path)
    assert (there[0], there[1], alone[0], alone[1]) == (3, "", 3, "")
    assert f"{said}; see --corpus" in there[2]
    assert f"{said}, which comes with refengine-conform; see --corpus" in alone[2]


# A failed exchange


def fault(question: str, asked: str, step: int = 3) -> dict[str, object]:
    said = {"expected": "refused by 5.5", "got": "ok"}
    return {"step": step, "question": question, "asked": asked, **said}


def report(tmp_path: Path, case: str, *faults: dict[str, object]) -> str:
    return write_lines(
        tmp_path / "report.jsonl",
        {"report": 1, "limits": {"op": 2.0}},
        {"case": "t-1/step", "outcome": "pass"},
        {"case": case, "outcome": "fail", "faults": list(faults)},
        {"end": 1},
    )


def test_a_failed_exchange_is_explained(run: Runner, game: str, tmp_path: Path) -> None:
    asked = fault("act", "may it be played?")
    name = report(tmp_path, "t-0000000000000000/step", asked, fault("end", "x", 0))
    code, out, _ = run("explain", name, "--corpus", game)
    assert code == 0
    assert out.splitlines()[:4] == [
        "t-0000000000000000/step, step 3: may it be played?",
        "  the book says   refused by 5.5",
        "  the engine says ok",
        "  Seat 2 may not play 2H: 5.5 No points on the first trick",
    ]
    assert "here JD or 4S. [5.5]" in out
    assert "the end: x" in out
    code, out, _ = run("explain", name, "--corpus", game, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["ruling"]["clauses"] for line in lines] == [["5.5"], ["5.5"]]
    probe = fault("refuse", "may seat 1 play 3H?", 2)
    name = report(tmp_path, "t-0000000000000000/probe", probe)
    assert "may not play 3H" in run("explain", name, "--corpus", game)[1]
    actless = played_trace("estmesh-hearts", FOUND, options=BARRED)
    none = write_lines(tmp_path / "none.jsonl", actless)
    end = report(tmp_path, "t-0000000000000000/step", fault("end.turn", "x", 0))
    code, out, _ = run("explain", end, "--corpus", none)
    assert (code, "the end: x" in out) == (0, True)
    late = report(tmp_path, "t-0000000000000000/step", fault("act", "", 4))
    code, _, err = run("explain", late, "--corpus", game)
    assert (code, "a step from 0 to 3" in err) == (3, True)


def test_of_a_mini_deal_only_what_was_counted_is_told(
    run: Runner, tmp_path: Path
) -> None:
    name = report(tmp_path, "m-0000000000000000/enumerate", fault("games", "games", 0))
    told = """\
m-0000000000000000/enumerate, the end: games
  the book says   refused by 5.5
  the engine says ok

"""
    assert run("explain", name)[:2] == (0, told)
    assert json.loads(run("explain", name, "--json")[1])["ruling"] is None


def test_what_a_step_asks_beside_the_hand_is_told(run: Runner, tmp_path: Path) -> None:
    claim = {"act": {"claim": {"seat": 0, "trick": 1}}, "clauses": ["7.7"]}
    heart = {"act": {"play": "QH"}, "clauses": ["5.2"]}
    step = {"seat": 0, "act": {"play": "2C"}, "refuse": [claim, heart]}
    line = played_trace("estmesh-hearts", FOUND, step)
    name = write_lines(tmp_path / "asked.jsonl", line)
    code, out, _ = run("explain", name)
    assert code == 0
    assert out.count("Also asked") == 1
    assert "Seat 0 may not claim a revoke of seat 0 in trick 1: 7.7" in out
    asked = json.loads(run("explain", name, "--json")[1])["asked"]
    assert [one["clauses"] for one in asked] == [["7.7"]]


def test_a_probe_of_the_published_corpus_is_explained(
    run: Runner, tmp_path: Path
) -> None:
    line = CORPUS_LINE
    trace = read_trace(line)
    probes = trace.steps[2].refuse
    asked = [fault("refuse", f"may seat 1 play {one.act}?") for one in probes]
    code, out, _ = run("explain", report(tmp_path, f"{trace.id}/clauses", *asked))
    assert code == 0
    for one in probes:
        assert f"Seat 1 may not play {one.act}: {one.clauses[0]} " in out


CORPUS_LINE = next(
    line
    for line in (CORPUS / "smoke.jsonl").read_bytes().splitlines()
    if b"t-728f977f4d4516cb" in line
)


# What follows, where no dispute asks for it


PLAIN = Ruleset("estmesh-hearts")


def test_what_three_are_dealt_to_pass_leaves_across_out() -> None:
    """Three players never pass across (4.1a)."""
    hands = ["2C 5C", "4C QS", "JD 4S"]
    for cycle, said in (
        (["left", "across"], "every deal has a pass to the left. [4.1]"),
        (["across"], "no cards are passed in this deal. [4.1a]"),
        ([], "no cards are passed in this deal. [4.1]"),
    ):
        ruleset = Ruleset("common-hearts", 3, {"pass_cycle": cycle, "pass_count": 1})
        state = new_match(ruleset, dealer=2, pack=" ".join(hands))
        told = words_of(explain(state, acts.Deal(2, hands)))
        assert said.casefold() in told.casefold()


def test_a_match_is_told_from_the_cut_to_the_first_lead() -> None:
    ruleset = Ruleset("pokerwiner-hearts", 2)
    pack = "2C AC QS 2H"
    start = new_match(ruleset, pack=pack)
    ruling = explain(start, acts.Cut(0, "2C"))
    assert "Still to draw for the first deal: seat 1. [3.1]" in words_of(ruling)
    state = start.apply(ruling.act)
    assert whose_turn(state) == ()
    ruling = explain(state, acts.Cut(1, "QS"))
    assert "Seat 0 drew the lowest card and deals first. [3.1b]" in words_of(ruling)
    state = state.apply(ruling.act)
    ruling = explain(state, acts.Deal(0, ["2C QS", "AC 2H"]))
    told = words_of(ruling)
    assert "2 cards for each player of a pack of 4 cards; all cards are dealt" in told
    assert "No cards are passed in this deal. [4.1]" in told
    assert "Seat 1 leads first. [5.1]" in told
    refused = in_words(state, acts.Deal(0, ["2C", "AC 2H QS"]))
    assert "Not every player is dealt a hand of the right size: 2 cards" in refused
    refused = in_words(state, acts.Deal(0, ["2C 3C", "AC 2C"], "QS", "KH"))
    for said in (
        "the wrong number of cards for the stock: it must be 0 cards. [3.8b]",
        "the wrong number of cards for the kitty: it must be 0 cards. [3.8c]",
        "exactly once, and no other card; missing: the two of hearts; dealt twice: "
        "the two of clubs; not in the pack: 3C and KH. [3.8d]",
    ):
        assert said in refused
    over = cards_played(state.apply(ruling.act), "AC 2C 2H QS")
    assert "everything is over" in in_words(over, acts.Cut(0, "2C"))
    assert "nobody is to act any more" in in_words(over, acts.Cut(0, "2C"))


def test_a_card_of_the_cut_is_refused_for_one_of_two_reasons() -> None:
    start = new_match(Ruleset("pokerwiner-hearts", 2), pack="2C AC QS 2H")
    state = start.apply(acts.Cut(0, "2C"))
    drawn = in_words(state, acts.Cut(1, "2C"))
    assert "already drawn the two of clubs in this round of the cut. [3.1f]" in drawn
    foreign = in_words(state, acts.Cut(1, "3C"))
    assert (
        "the pack that the cut uses, and the three of clubs is not in it. [3.1e]"
        in foreign
    )


def test_what_a_mix_does_wrong_is_told_apart() -> None:
    hands = ["2C 9D", "3C 8S", "4C 7S", "5C QS"]
    discards = ["9D", "8S", "7S", "QS"]
    for joins, said in (
        (False, "for the kitty: here the kitty has no part in the mix. [4.10d]"),
        (True, "for the kitty: here it had 1 card before the mix. [4.10d]"),
    ):
        options = {"undealt": "kitty", "pass_cycle": ["mix"], "pass_count": 1}
        ruleset = Ruleset("estmesh-hearts", 4, {**options, "mix_kitty": joins})
        state = new_deal(ruleset, hands, dealer=2, kitty="2H")
        for seat, card in enumerate(discards):
            state = state.apply(acts.Pass(seat, card))
        more = "" if joins else "2H"
        told = in_words(state, acts.Mix(2, ["9D 8S", "", "7S", "QS"], more))
        assert said in told
        assert "as many cards as that player gave away. [4.10c]" in told
        assert "exactly the cards of the pile, each once. [4.10e]" in told


def test_why_a_trick_cannot_be_quit_now() -> None:
    options = {"revoke_until": "trick_quitted", "revoke_ends_deal": True}
    ruleset = Ruleset("pokerwiner-hearts", 3, options)
    state = new_deal(ruleset, ["2C 9D TD", "5C QS 3H", "KC JD 8S"], dealer=2)
    nobody = in_words(state, acts.QuitTrick(0))
    assert "no trick of this deal has been completed here. [7.6b]" in nobody
    state = cards_played(state, "2C 3H KC")
    other = in_words(state, acts.QuitTrick(0))
    assert "may turn it face down; here seat 2 won it. [7.6b]" in other
    done = state.apply(acts.QuitTrick(2))
    assert "The trick already lies face down. [7.6d]" in in_words(
        done, acts.QuitTrick(2)
    )
    late = in_words(state.play("JD"), acts.QuitTrick(2))
    assert "its lead has turned the one before face down. [7.6c]" in late
    ended = in_words(done.apply(acts.Claim(0, 1, 1)), acts.QuitTrick(2))
    assert "A claim has ended this deal, so there is nothing" in ended
    plain = new_deal(Ruleset("pokerwiner-hearts", 3), ["2C", "3C", "4C"], dealer=2)
    assert "is not an act of the game: it needs no permission" in in_words(
        plain, acts.QuitTrick(0)
    )


def test_a_deal_that_passes_says_how() -> None:
    state = new_match(PLAIN, dealer=0, pack=" ".join(map(str, CARDS[:12])))
    hands = ["2C 3C 4C", "5C 6C 7C", "8C 9C TC", "JC QC KC"]
    ruling = explain(state, acts.Deal(0, hands))
    assert "the passes are, in turn: left, right, across, hold. [4.1]" in words_of(
        ruling
    )
    state = state.apply(ruling.act)
    assert "seat 0 was dealt 2C 3C 4C. [4.5]" in in_words(
        state, acts.Pass(0, "2C 3C QS")
    )
    ruling = explain(state, acts.Pass(0, "2C"))
    assert "the wrong number of cards: 3 cards must be passed. [4.4]" in words_of(
        ruling
    )
    told = [str(one.sentence) for one in ruling.mattered]
    assert told == ["At this table 3 cards are passed (pass_count=3). [4.4]"]
    early = explain(state, Play(0, "2C"))
    assert "not the time for it: cards are being passed. [2.4]" in words_of(early)
    held = new_deal(PLAIN, HANDS, dealer=3, deal=4)
    assert [str(one) for one in whose_turn(held)] == ["Seat 0 leads first. [5.1]"]
    clubless = new_deal(PLAIN, ["QS", "2H", "3H", "4D"], dealer=3, deal=4)
    assert [one.clauses for one in whose_turn(clubless)] == [("5.1a",)]
    position = new_deal(PLAIN, ["QS", "2H", "3H", "4D"], leader=1)
    assert whose_turn(position) == ()


def test_a_mix_is_told() -> None:
    ruleset = Ruleset(
        "estmesh-hearts", options={"pass_cycle": ["mix"], "pass_count": 1}
    )
    state = new_deal(ruleset, ["2C", "3C", "4C", "5C"])
    state = state.after(acts.Pass(0, "2C"), acts.Pass(1, "3C"), acts.Pass(2, "4C"))
    assert "the dealer mixes them. [4.10]" in in_words(state, acts.Pass(3, "5C"))


def test_a_kitty_in_the_mix_is_told_and_may_come_back_to_a_player() -> None:
    options = {"undealt": "kitty", "pass_cycle": ["mix"], "pass_count": 1}
    ruleset = Ruleset("estmesh-hearts", 4, {**options, "mix_kitty": True})
    state = new_deal(ruleset, ["2C", "3C", "4C", "5C"], dealer=2, kitty="2H")
    for seat, card in enumerate(["2C", "3C", "4C"]):
        state = state.apply(acts.Pass(seat, card))
    last = acts.Pass(3, "5C")
    assert "mixes them with the kitty. [4.10, 4.10b]" in in_words(state, last)
    state = state.apply(last)
    told = in_words(state, acts.Mix(2, ["2H", "2C", "3C", "4C"], "5C"))
    assert "as before, out of those that were mixed. [4.10c]" in told


def test_draws_are_told_card_by_card() -> None:
    domino = Ruleset("gamerules-domino", 2)
    state = new_deal(domino, ["2C 3D", "4D QS"], stock="5D 6C", dealer=1).play("2C")
    first = explain(state, Draw(1))
    assert "Clubs were led and seat 1 has none, so seat 1 must draw" in words_of(first)
    assert (
        "has no card of the suit led and must draw from the stock. [6.1]"
        in words_of(first)
    )
    second = explain(state.draw(), Draw(1))
    assert "Now the six of clubs must be played. [6.4a]" in words_of(second)
    dry = new_deal(domino, ["2C 3D", "4D QS"], stock="5D", dealer=1).play("2C")
    assert "may play at once, here 4D, 5D or QS. [6.5]" in in_words(dry, Draw(1))
    duty = Ruleset("gamerules-domino", 2, {"queen_duty": "when_safe"})
    owed = new_deal(duty, ["2C 3D", "4D 5D"], stock="QS", dealer=1).play("2C")
    told = in_words(owed, Draw(1))
    assert "seat 1 may play at once, here the queen of spades. [6.5]" in told
    assert "6.4a" not in told
    hearts = new_deal(domino, ["2H 3H", "4D QS"], stock="4H 5C", dealer=1)
    told = in_words(hearts, Draw(0))
    assert "must draw from the stock until another suit comes. [6.2]" in told
    assert "Seat 0 has nothing but hearts, which cannot be led yet" in told
    led = new_deal(domino, ["AC 2H 3H", "4C QS 2S"], stock="4H", dealer=1).play("AC")
    told = words_of(ruled(led, "4C"))
    assert (
        "Seat 0 leads to the next trick. [5.11] Seat 0 has nothing but hearts" in told
    )


@pytest.mark.parametrize(
    ("until", "window"),
    [
        ("next_lead", "until a claim on that trick is accepted"),
        ("trick_quitted", "until the trick is turned face down, a claim on it"),
    ],
)
def test_a_revoke_in_the_last_trick_is_told_with_its_own_time(
    until: str, window: str
) -> None:
    """No lead follows the last trick, and a claim is possible at once (7.4a, 7.7c)."""
    options = {"revoke_until": until, "revoke_ends_deal": False, "revoke_points": 1}
    ruleset = Ruleset("pokerwiner-domino", 2, options)
    state = new_deal(ruleset, ["2C", "6D"], stock="7C", dealer=1).play("2C").draw()
    told = words_of(ruled(state, "6D"))
    assert f"Seat 1 may still take it back, {window}" in told
    assert "Anybody may claim it at once" in told
    state = state.play("6D")
    assert f"time to take the card back, {window}" in in_words(
        state, acts.Retract(1, "6D")
    )
    told = in_words(state, acts.Claim(0, 1, 1))
    assert "every player may claim, from the last card of the deal until" in told
    assert "The deal goes on" not in told
    assert "seat 1 pays 1 point, and the deal is scored anew" in told


def test_the_kitty_goes_with_the_first_trick_that_costs() -> None:
    ruleset = Ruleset("estmesh-hearts", options={"undealt": "kitty"})
    hands = ["2C 3D", "3C 4D", "4C 5D", "2H 3H"]
    state = new_deal(ruleset, hands, kitty="QS", dealer=3, deal=4)
    told = words_of(ruled(cards_played(state, "2C 3C 4C"), "2H"))
    assert "so seat 2 takes the kitty (QS) with it. [5.13]" in told


def test_where_there_is_no_stock_nothing_is_said_of_one() -> None:
    state = new_deal(Ruleset("gamerules-domino", 2), ["2C", "3C"], dealer=1).play("2C")
    last = Play(1, "3C")
    said = list(consequences(state, last, state.apply(last), known=True))
    assert "5.14" in {clause for one in said for clause in one.clauses}
    assert all({"6.8a", "6.8b"}.isdisjoint(one.clauses) for one in said)


# As a value


def test_the_text_of_a_ruling_is_what_the_command_prints(
    run: Runner, tmp_path: Path
) -> None:
    state = new_deal(Ruleset("estmesh-hearts"), ["2C", "QS", "2H", "3H"], deal=4)
    save(state.play("2C"), tmp_path / "game.jsonl")
    ruling = refengine.explain(state, Play(0, "2C"))
    assert run("explain", str(tmp_path / "game.jsonl")) == (0, f"{ruling.text}\n", "")
    assert str(ruling) == ruling.text


def test_a_ruling_has_the_titles_of_the_clauses_that_it_cites() -> None:
    state = new_deal(Ruleset("estmesh-hearts"), ["2C", "QS", "2H", "3H"], deal=4)
    ruling = refengine.explain(state, Play(1, "QS"))
    assert ruling.verdict == state.verdict(Play(1, "QS"))
    assert ruling.clauses == ("2.3",)
    assert {"2.3", "0.10"} <= {*ruling.titles} == {*ruling.cited}
    for number, title in ruling.titles.items():
        assert title == book.clause(number).title
        assert f"{number}@" in ruling.text


def test_who_leads_after_a_pass_is_not_told_to_one_seat() -> None:
    """Unless a leader is announced, only the holder knows of the lowest club (2.7a)."""
    rules = Ruleset("estmesh-hearts", 4, {"pass_count": 1})
    texts = set()
    for others in (("2C 7S", "4C 8S"), ("4C 7S", "2C 8S")):
        state = new_deal(rules, ["5C 6D", *others, "KD 9S"])
        passes = (acts.Pass(1, "7S"), acts.Pass(2, "8S"), acts.Pass(3, "9S"))
        own = acts.Pass(0, "6D")
        texts.add(explain(state.after(*passes), own, known=False).text)
    assert len(texts) == 1


def test_what_comes_back_from_a_mix_has_not_changed_hands() -> None:
    ruleset = Ruleset("estmesh-hearts", 4, {"pass_cycle": ["mix"], "pass_count": 1})
    given = ["2C", "3C", "4C", "5C"]
    passes = [acts.Pass(seat, card) for seat, card in enumerate(given)]
    state = new_deal(ruleset, given).after(*passes)
    told = explain(state, acts.Mix(0, [*given[1:], given[0]])).follows
    numbers = {number for one in told for number in one.clauses}
    assert "4.8" not in numbers
    assert "4.10" in numbers


def test_a_claim_while_a_moon_is_due_ends_no_trick() -> None:
    ruleset = Ruleset("heartsgame-tiles", 4, {"direction": "clockwise"})
    state = new_deal(ruleset, ["AC AS", "3C 2H", "4C 2D", "5C QS"], dealer=3, deal=4)
    state = cards_played(state, "3C 2D 5C AC AS 2H 4C QS")
    assert state.phase == "moon"
    follows = explain(state, acts.Claim(1, against=2, trick=1)).follows
    told = " ".join(one.text for one in follows)
    assert "last trick" not in told
    assert "goes on" not in told
    assert told.count("Seat 0 has taken every card that costs points") == 1


def test_a_single_club_opens_the_deal() -> None:
    ruleset = Ruleset("common-hearts", 4, {"pass_cycle": []})
    state = new_deal(ruleset, ["5C", "6C", "7C", "8C"], dealer=3)
    found = [*why_a_card(state, Card("5C"))]
    assert [one.clauses for one in found] == [("5.2",)]
    assert "no club" not in found[0].text


def test_where_no_stock_is_left_any_card_is_by_6_5() -> None:
    typed = ByHand(
        ruleset=Ruleset("gamerules-domino", 4), hand="2D 3D", trick="5C", stock=0
    )
    found = why_a_card(open_typed_position(typed), Card("2D"))
    assert ("6.5",) in [one.clauses for one in found]


def test_with_a_stock_another_seat_may_open_a_position() -> None:
    """Clause 3.12v requires the opening leader only where there is no stock."""
    domino, hands = Ruleset("gamerules-domino", 3), ["2C 3D", "4D QS", "5C 6H"]
    for leader, told in ((0, ["Seat 0 leads first. [5.1]"]), (1, [])):
        state = new_deal(
            domino, hands, stock="7C", dealer=2, leader=leader, first_trick=True
        )
        assert [str(one) for one in whose_turn(state)] == told


def test_the_stock_is_none_of_the_cards_left_in_the_hand_of_a_survivor() -> None:
    """The stock goes into that hand only after the play has ended (6.8a)."""
    domino = Ruleset("gamerules-domino", 2, {"survivor_takes_stock": True})
    state = new_deal(domino, ["2C 3C", "4D 5C"], stock="6D 7H KS", dealer=1)
    told = in_words(cards_played(state, "2C 5C 4D draw"), Play(0, "6D"))
    assert "The cards left in seat 0's hand (3C) count against it. [6.8]" in told
    assert "stock goes to seat 0 and counts as well. [6.8a]" in told


def test_a_quit_after_the_last_trick_does_not_end_the_deal() -> None:
    """The last play ends the deal, so the bonus card matters for that play only."""
    ruleset = Ruleset("pokerwiner-hearts", 3, {"revoke_until": "trick_quitted"})
    state = cards_played(new_deal(ruleset, ["2C", "3C", "JD"], dealer=2), "2C 3C")
    last = explain(state, Play(2, "JD"))
    assert "bonus_card" in [one.option for one in last.mattered]
    quitting = explain(state.play("JD"), acts.QuitTrick(1))
    assert "bonus_card" not in [one.option for one in quitting.mattered]


def test_a_claim_that_ends_the_deal_ends_the_time_for_correction() -> None:
    """But for the claim, seat 0 could still take back its spade (7.4)."""
    ruleset = Ruleset("pokerwiner-hearts", 3)
    state = new_deal(ruleset, ["2C 9D TS", "5C QS 3H", "KC JD 8S"], dealer=2)
    state = cards_played(state, "2C 3H KC JD TS")
    told = in_words(state.apply(acts.Claim(2, 1, 1)), acts.Retract(0, "TS"))
    assert "here that can be done only until a claim ends the deal. [7.4]" in told


def test_a_corpus_that_can_be_read_only_once_is_enough(
    game: str, tmp_path: Path
) -> None:
    wrong = [fault("act", "may it be played?")]
    case = {"case": "t-0000000000000000/step", "outcome": "fail", "faults": wrong}
    name = write_lines(tmp_path / "report.jsonl", {"report": 1}, case, case)
    given = Path(game).read_bytes()
    code, out, _ = run_given("explain", name, "--corpus", "-", given=given)
    assert (code, out.count("the engine says ok")) == (0, 2)
