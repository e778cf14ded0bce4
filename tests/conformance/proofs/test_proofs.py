"""Proofs: the theorems hold, and an error in function or book breaks the right one."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from refengine.chapters import passing, play, score
from refengine.chapters.cards import HEARTS, QUEEN, Mask
from refengine.chapters.layout import Position
from refengine.chapters.settings import Rules
from refengine.lawbook import formal
from refengine.lawbook.book import clauses
from refengine.lawbook.options import OPTIONS, lowered
from refengine.machine import ending, position, stepping
from refengine_conformance import proofs
from refengine_conformance.exhaustion.scope import PENALTY, TRANSITION
from refengine_conformance.lawbook_checks.book_check import LINES
from refengine_conformance.proofs import (
    Proved,
    Theorem,
    book_theorem,
    prove,
    scoring,
    symbolic,
    theorems,
)
from refengine_conformance.proofs.settings import MOVING

pytestmark = pytest.mark.skipif(
    bool(symbolic.why_no_proofs()), reason=symbolic.why_no_proofs()
)

TWO_TABLES = (2, 3)
THEOREMS = {theorem.title: theorem for theorem in theorems()}


def titled(words: str) -> Theorem:
    found = [theorem for title, theorem in THEOREMS.items() if words in title]
    assert len(found) == 1, [theorem.title for theorem in found]
    return found[0]


def outcome(words: str, seats: Sequence[int] = TWO_TABLES) -> Proved:
    return prove(titled(words), seats)


LONG = "5.2 meets no 5.3 or 5.6, 5.4 no 5.3 or 5.6, at one decision"  # half a minute


@pytest.mark.parametrize(
    "title",
    [
        pytest.param(title, marks=pytest.mark.slow if title == LONG else ())
        for title in THEOREMS
    ],
)
def test_the_theorem_holds(title: str) -> None:
    # for two seats here; `make strength` proves it for two to four
    proved = prove(THEOREMS[title], (2,))
    assert proved.counterexample == ""
    assert proved.paths > 0


def test_every_theorem_names_clauses_of_the_book() -> None:
    for theorem in THEOREMS.values():
        assert theorem.clauses
        assert set(theorem.clauses) <= clauses().keys()


def test_every_formal_line_has_its_theorem() -> None:
    assert proofs.functions_by_clause().keys() == LINES.keys()
    for number in LINES:
        assert any(f"formal line of {number} is" in title for title in THEOREMS)


def _free(now: Position, allowed: Mask) -> Mask:
    return allowed


def _to_nothing(now: Position, allowed: Mask) -> Mask:
    return Mask(allowed & now.led) if now.led else allowed


def _hearts_never(rules: Rules, now: Position, allowed: Mask) -> Mask:
    if now.led or rules.hearts_free or now.hearts_broken:
        return allowed
    return Mask(allowed & ~HEARTS)


def _hearts_always(rules: Rules, now: Position, allowed: Mask) -> Mask:
    return allowed


def _queen_always(rules: Rules, now: Position, allowed: Mask) -> Mask:
    return QUEEN if rules.queen_duty and now.led else allowed


def _other_suits(now: Position, allowed: Mask) -> Mask:
    return Mask(allowed & ~now.led) or allowed


def _no_draws(*_: object) -> bool:
    return False


def _two_clubs(rules: Rules, now: Position, allowed: Mask) -> Mask:
    return allowed if now.led or not now.piles.first else Mask(1)


def _reads_too_much(now: Position, allowed: Mask) -> Mask:
    return play.follow_suit(now, allowed) if now.best else allowed


def _once_named(rules: Rules, now: Position, card: Mask) -> tuple[str, ...]:
    return () if not now.led or now.led & card else ("5.3",)


@pytest.mark.parametrize(
    ("name", "planted", "words", "shown"),
    [
        ("follow_suit", _free, "who can follow plays", "hand"),
        ("follow_suit", _to_nothing, "nothing may be played exactly", "trick"),
        ("follow_suit", _other_suits, "who can follow plays", "hand"),
        ("follow_suit", _reads_too_much, "legal cards lie", "position.best"),
        ("hold_back_hearts", _hearts_never, "something legal", "H"),
        ("hold_back_hearts", _hearts_always, "unbroken hearts are led", "H"),
        ("play_the_queen", _queen_always, "legal cards lie", "queen_duty=when_safe"),
        ("opening_card", _two_clubs, "legal cards lie", "first trick"),
        ("no_points_at_first", _hearts_always, "points at a barred", "barred"),
        ("draw_is_due", _no_draws, "nothing may be played exactly", "stock"),
    ],
)
def test_a_planted_error_breaks_the_theorem_and_shows_a_hand(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    planted: Callable[..., Any],
    words: str,
    shown: str,
) -> None:
    monkeypatch.setattr(position, name, planted)
    broken = outcome(words)
    assert shown in broken.counterexample
    if "position." not in shown:
        assert broken.counterexample.startswith("BROKEN by hand ")


@pytest.mark.parametrize("places", [(0, 1, 2, 4, 3), (0, 1, 2, 3), (1, 2, 3, 4)])
def test_a_table_of_narrowing_clauses_that_the_play_does_not_follow_is_found(
    monkeypatch: pytest.MonkeyPatch, places: tuple[int, ...]
) -> None:
    table = tuple(position.NARROWING[place] for place in places)
    monkeypatch.setattr(position, "NARROWING", table)
    broken = outcome("what may be played is what the table")
    assert broken.counterexample.startswith("BROKEN by hand ")


def test_a_narrowing_clause_under_the_number_of_another_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numbers = ("5.2", "5.4", "5.3", "5.5", "5.6")
    functions = (function for _, function in position.NARROWING)
    table = tuple(zip(numbers, functions, strict=True))
    monkeypatch.setattr(position, "NARROWING", table)
    broken = outcome("what may be played is what the table")
    assert broken.counterexample.startswith("BROKEN by hand ")


def test_a_planted_error_of_the_verdict_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(position, "narrowing_broken", _once_named)
    broken = outcome("no narrowing clause is named")
    assert "card " in broken.counterexample


def test_a_counterexample_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position, "follow_suit", _free)
    hand, trick, *rest = outcome("who can follow plays").counterexample.split("; ")
    assert len(hand.removeprefix("BROKEN by hand ").split()) == 2
    assert len(trick.split()) == 2
    assert rest == ["card " + rest[0].split()[-1], "nothing given"]


@pytest.mark.parametrize(
    ("number", "old", "new"),
    [
        ("5.2", "lowest(allowed & clubs)", "allowed & clubs"),
        ("5.2", " and not drew", ""),
        ("5.2", "allowed & clubs)", "hand & clubs)"),
        ("5.3", "nonempty(allowed & suit(led), allowed)", "allowed & suit(led)"),
        ("5.4", "not hearts_broken", "hearts_broken"),
        ("5.4", "is any and", "is queen and"),
        ("5.5", "penalty", "hearts"),
        ("5.6", "{KS AS}", "{AS}"),
        ("5.6", "led <= spades and ", ""),
        ("6.1", " and stock", ""),
        ("6.2", "hand <= hearts", "hand <= hearts | queen"),
    ],
)
def test_a_changed_formal_line_is_not_the_function(
    number: str, old: str, new: str
) -> None:
    lines = [
        formal.parse_formal_line(line.line.replace(old, new)) for line in LINES[number]
    ]
    assert [line.line for line in lines] != [line.line for line in LINES[number]]
    broken = prove(book_theorem(number, lines))
    assert broken.counterexample.startswith("BROKEN by hand ")


@pytest.mark.parametrize(
    ("name", "planted", "number"),
    [
        ("follow_suit", _free, "5.3"),
        ("hold_back_hearts", _hearts_never, "5.4"),
        ("no_points_at_first", _hearts_always, "5.5"),
        ("play_the_queen", _queen_always, "5.6"),
        ("opening_card", _two_clubs, "5.2"),
    ],
)
def test_a_changed_function_is_not_the_formal_line(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    planted: Callable[..., Any],
    number: str,
) -> None:
    monkeypatch.setattr(play, name, planted)
    broken = prove(book_theorem(number, LINES[number]))
    assert broken.counterexample.startswith("BROKEN by hand ")


def _wrong_winner(led: Mask, best: Mask, card: Mask) -> Any:
    return card > best


def _kept_hand(now: Position) -> Position:
    return Position(**(vars(AFTER_DRAW(now)) | {"hand": now.hand}))


AFTER_DRAW = position.after_draw


def _lost_trick(piles: Any, trick: Mask, winner: int) -> Any:
    return piles


@pytest.mark.parametrize(
    ("name", "planted", "words"),
    [
        ("beats", _wrong_winner, "the highest card"),
        ("breaks_hearts", _no_draws, "hearts are broken by"),
        ("after_draw", _kept_hand, "a draw keeps"),
        ("add_trick", _lost_trick, "the end of a trick keeps"),
        ("suit_led", lambda now, card: card, "the highest card"),
    ],
)
def test_a_planted_error_of_a_transition_breaks_its_theorem(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    planted: Callable[..., Any],
    words: str,
) -> None:
    monkeypatch.setattr(position, name, planted)
    assert outcome(words, (2,)).counterexample.startswith("BROKEN by hands ")


def _other_turn_draws(now: Position) -> Position:
    after = AFTER_DRAW(now)
    return Position(**(vars(after) | {"hands": now.hands[::-1]}))


def _back_to_the_lead(before: Position, now: Position) -> Position:
    return Position(**(vars(BACK(before, now)) | {"turn": before.leader}))


BACK = position.taken_back


def _same_turn(rules: Rules, now: Position, card: Mask) -> Position:
    return Position(**(vars(AFTER_PLAY(rules, now, card)) | {"turn": now.leader}))


def _reads_the_moon(rules: Rules, now: Position, card: Mask) -> Position:
    return AFTER_PLAY(rules, now, card) if rules.moon else now


def _lead_in_turn(*given: Any) -> Position:
    begun = FIRST(*given)
    return Position(**(vars(begun) | {"played": begun.hands[0].cards}))


def _kitty_always(core: Any, back: Any, kitty: Any) -> Any:
    return stepping._with_received(core, back, kitty)


def _kitty_forgotten(piles: Any, talon: Any, seat: int, hand: Any) -> Any:
    cards, tricks = piles.won_by(seat)
    return score.Haul(cards | hand, tricks)


def _nothing_arrives(way: int, packets: Any) -> Any:
    return tuple(Mask(0) for _ in packets)


def _all_cards(rules: Rules, cards: Any) -> Any:
    return scoring.DECK.count(cards) * rules.heart_points


AFTER_PLAY = position.after_play
FIRST = position.first_position


@pytest.mark.parametrize(
    ("module", "name", "planted", "words"),
    [
        (position, "first_position", _lead_in_turn, "at the opening lead"),
        (position, "after_draw", _other_turn_draws, "after a draw, who"),
        (position, "after_play", _same_turn, "after a play, who"),
        (position, "play_has_ended", _no_draws, "play goes on while two do"),
        (position, "taken_back", _back_to_the_lead, "after a card is taken back"),
        (passing, "exchange", _nothing_arrives, "a scatter moves"),
        (passing, "wrong_mix", _no_draws, "a mix gives back"),
        (stepping, "after_mix", _kitty_always, "picking up what"),
        (ending, "captured", _kitty_forgotten, "each card counts for one seat"),
        (score, "trickless", lambda *_: 0, "a score is points"),
        (scoring.DECK, "points_of", _all_cards, "the points of cards apart"),
    ],
)
def test_a_planted_error_breaks_the_theorem_of_its_chapter(
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    planted: Callable[..., Any],
    words: str,
) -> None:
    monkeypatch.setattr(module, name, planted)
    assert outcome(words, (2,)).counterexample.startswith("BROKEN by hands ")


def test_a_play_that_reads_another_option_is_not_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(position, "after_play", _reads_the_moon)
    assert "it reads moon" in outcome("a play keeps", (2,)).counterexample


def test_what_moves_the_cards_is_what_exhaustion_puts_together() -> None:
    names = {"direction", "opening_leader", "queen_breaks_hearts"} | set(PENALTY)
    assert set(TRANSITION) | set(PENALTY) == names
    bases = {option.name: option.base for option in OPTIONS}
    plain = vars(lowered(4, bases))
    for option in OPTIONS:
        values = option.words or ([False, True] if option.least is None else [0, 7])
        for value in values if not isinstance(option.base, tuple) else ():
            changed = vars(lowered(4, bases | {option.name: value}))
            fields = {field for field in plain if changed[field] != plain[field]}
            if option.name not in names:
                assert not fields & set(MOVING), option.name


def test_the_table_is_printed_and_says_what_is_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert proofs.main(["--only", "legal cards lie"]) == 0
    assert "1 proved, 0 broken" in capsys.readouterr().out
    monkeypatch.setattr(position, "follow_suit", _to_nothing)
    assert proofs.main(["--only", "nothing may be played exactly"]) == 1
    assert "BROKEN by hand " in capsys.readouterr().out


def test_without_z3_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(symbolic, "z3", None)
    assert proofs.main([]) == 2
    assert capsys.readouterr().err.count("\n") == 1
