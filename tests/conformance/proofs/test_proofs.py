"""Tests that the theorems hold, and that a planted error breaks the right one."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from refengine.chapters import deal as dealing
from refengine.chapters import draw, passing, play, revoke, score
from refengine.chapters.cards import HEARTS, QUEEN, Mask
from refengine.chapters.layout import Position, Talon
from refengine.chapters.settings import LEFT, RIGHT, WAITS_TO_PLAY, Rules
from refengine.chapters.table import SEAT
from refengine.lawbook import formal
from refengine.lawbook.book import clauses
from refengine.lawbook.options import OPTIONS, Value, lowered
from refengine.machine import ending, judging, position, stepping
from refengine_conformance import proofs
from refengine_conformance.exhaustion.scope import PENALTY, TRANSITION
from refengine_conformance.lawbook_checks.book_check import LINES
from refengine_conformance.proofs import (
    Outcome,
    Theorem,
    book_theorem,
    prove,
    scoring,
    symbolic,
    theorems,
)
from refengine_conformance.proofs.settings import BASES, MOVING, SymbolicOptions
from refengine_conformance.proofs.theorem import holds_in_model, number_in_model
from tests.support.planted_transitions import (
    AFTER_TRICK,
    altered,
    nobody_new_is_out,
    still_first,
    still_led,
    stock_turned,
    trick_uncounted,
)

pytestmark = pytest.mark.skipif(
    bool(symbolic.why_no_proofs()), reason=symbolic.why_no_proofs()
)

TWO_TABLES = (2, 3)
THEOREMS = {theorem.title: theorem for theorem in theorems()}


def titled(words: str) -> Theorem:
    found = [theorem for title, theorem in THEOREMS.items() if words in title]
    assert len(found) == 1, [theorem.title for theorem in found]
    return found[0]


def outcome(words: str, seats: Sequence[int] = TWO_TABLES) -> Outcome:
    return prove(titled(words), seats)


def test_a_symbol_is_restricted_only_within_a_run() -> None:
    with pytest.raises(RuntimeError, match="outside a run"):
        symbolic.assume(symbolic.a_flag("any").formula)


def test_a_formula_is_not_taken_for_a_truth_value() -> None:
    with pytest.raises(TypeError, match="is a formula"):
        symbolic.formula_of(symbolic.a_mask("cards").term == 0)


def test_a_theorem_without_a_case_is_not_proved() -> None:
    nothing = Theorem("nothing", ("5.3",), lambda seats: iter(()))
    assert "not proved" in prove(nothing).failure


LONG = (  # ten seconds and more each; `make strength` proves all
    "the narrowing clauses named rule the card out; none if it is legal",
    "who shoots the moon has taken all that it takes; nobody else has",
    "the judge of a play: turn, conditions, then legality",
)


def test_the_long_theorems_are_some_of_ours() -> None:
    assert set(LONG) < set(THEOREMS)


@pytest.mark.parametrize(
    "title",
    [
        pytest.param(title, marks=[pytest.mark.slow] if title in LONG else [])
        for title in THEOREMS
    ],
)
def test_the_theorem_holds(title: str) -> None:
    # for two seats here; `make strength` proves it for two to four
    proved = prove(THEOREMS[title], (2,))
    assert proved.failure == ""
    assert proved.paths > 0


def test_every_theorem_names_clauses_of_the_book() -> None:
    for theorem in THEOREMS.values():
        assert theorem.clauses
        assert set(theorem.clauses) <= clauses().keys()


def test_every_formal_line_has_its_theorem() -> None:
    assert proofs.functions_by_clause().keys() == LINES.keys()
    for number in LINES:
        assert any(f"of {number} say" in title for title in THEOREMS)


def _free(now: Position, allowed: Mask) -> Mask:
    return allowed


def _to_nothing(now: Position, allowed: Mask) -> Mask:
    return Mask(allowed & now.led) if now.led else allowed


def _hearts_never(rules: Rules, now: Position, allowed: Mask) -> Mask:
    if now.led or rules.hearts_free or now.hearts_broken:
        return allowed
    return Mask(allowed & ~HEARTS)


def _unnarrowed(rules: Rules, now: Position, allowed: Mask) -> Mask:
    return allowed


def _hearts_held_back_for_ever(rules: Rules, now: Position, allowed: Mask) -> Mask:
    return allowed if now.led else Mask(allowed & ~HEARTS) or allowed


def _hearts_held_back_where_free(rules: Rules, now: Position, allowed: Mask) -> Mask:
    held_back = rules.hearts_free and not now.led
    return Mask(allowed & ~HEARTS) or allowed if held_back else allowed


def _queen_waits_for_ever(rules: Rules, now: Position, allowed: Mask) -> Mask:
    return Mask(allowed & ~QUEEN) or allowed if rules.queen_waits else allowed


def _queen_waits_to_the_last(rules: Rules, now: Position, allowed: Mask) -> Mask:
    if rules.queen_waits != WAITS_TO_PLAY or now.hearts_broken:
        return allowed
    return Mask(allowed & ~QUEEN)


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


def _hearts_first(rules: Rules, now: Position, allowed: Mask) -> Mask:
    """A planted error: if the first trick bars points, any hearts must be played."""
    barred = rules.first_trick_barred and now.piles.first
    return Mask(allowed & HEARTS) or allowed if barred else allowed


def _all_without_her(rules: Rules, now: Position, allowed: Mask) -> Mask:
    """A planted error: 5.5b allows the whole hand if the queen is already excluded."""
    if not allowed & QUEEN and rules.queen_waits and not now.hearts_broken:
        return now.hand
    return HOLD_BACK_QUEEN(rules, now, allowed)


HOLD_BACK_QUEEN = play.hold_back_queen


@pytest.mark.parametrize(
    ("name", "planted", "words", "shown"),
    [
        ("follow_suit", _free, "the card that ends a draw", "hand"),
        ("hold_back_hearts", _unnarrowed, "the card that ends a draw", "H"),
        ("no_points_at_first", _hearts_first, "points at a barred", "barred"),
        ("hold_back_queen", _all_without_her, "the queen waits: she", "queen_waits"),
        ("follow_suit", _free, "whoever can follow must", "hand"),
        ("follow_suit", _to_nothing, "no card may be played if", "trick"),
        ("follow_suit", _other_suits, "whoever can follow must", "hand"),
        ("follow_suit", _reads_too_much, "legal cards are", "position.best"),
        ("hold_back_hearts", _hearts_never, "something legal", "H"),
        ("hold_back_hearts", _unnarrowed, "unbroken hearts are led", "H"),
        ("play_the_queen", _queen_always, "legal cards are", "queen_duty=when_safe"),
        ("opening_card", _two_clubs, "legal cards are", "first trick"),
        ("hold_back_queen", _unnarrowed, "the queen waits", "queen_waits="),
        ("hold_back_queen", _queen_waits_for_ever, "need not wait is free", "QS"),
        ("hold_back_queen", _queen_waits_to_the_last, "something legal", "hand QS"),
        ("no_points_at_first", _unnarrowed, "points at a barred", "barred"),
        ("draw_is_due", _no_draws, "no card may be played if", "stock"),
        ("play_the_queen", _queen_always, "whoever cannot follow", "when_safe"),
        ("hold_back_hearts", _hearts_never, "a leader with hearts alone", "H"),
        ("hold_back_hearts", _unnarrowed, "a leader with hearts and the queen", "QS"),
        ("hold_back_hearts", _hearts_held_back_for_ever, "free or broken hearts", "H"),
        ("opening_card", _unnarrowed, "a club opens", "first trick"),
        ("play_the_queen", _unnarrowed, "the queen goes where", "when_safe"),
        (
            "hold_back_hearts",
            _hearts_held_back_where_free,
            "heart_leads when_broken leaves no card",
            "H",
        ),
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
    assert shown in broken.failure
    if "position." not in shown:
        assert broken.failure.startswith("BROKEN by hand ")


@pytest.mark.parametrize(
    "places",
    [
        (0, 1, 2, 4, 3, 5),
        (0, 1, 2, 3, 5, 4),
        (0, 1, 2, 3, 4),
        (0, 1, 2, 3, 5),
        (1, 2, 3, 4, 5),
    ],
)
def test_a_table_of_narrowing_clauses_that_the_play_does_not_follow_is_found(
    monkeypatch: pytest.MonkeyPatch, places: tuple[int, ...]
) -> None:
    table = tuple(position.NARROWING[place] for place in places)
    monkeypatch.setattr(position, "NARROWING", table)
    broken = outcome("what may be played is what the table")
    assert broken.failure.startswith("BROKEN by hand ")


def test_a_narrowing_clause_under_the_number_of_another_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numbers = ("5.2", "5.4", "5.3", "5.5", "5.5b", "5.6")
    functions = (function for _, function in position.NARROWING)
    table = tuple(zip(numbers, functions, strict=True))
    monkeypatch.setattr(position, "NARROWING", table)
    broken = outcome("what may be played is what the table")
    assert broken.failure.startswith("BROKEN by hand ")


def test_clauses_that_meet_though_they_are_said_not_to_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If 5.3 narrowed a lead as 5.2 does, both would rule out the same card."""
    opening, _, *others = position.NARROWING
    table = (opening, ("5.3", opening[1]), *others)
    monkeypatch.setattr(position, "NARROWING", table)
    broken = outcome("5.2 and 5.4 never meet 5.3")
    assert broken.failure.startswith("BROKEN by hand ")


def test_a_planted_error_of_the_verdict_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(position, "narrowing_broken", _once_named)
    broken = outcome("the narrowing clauses named")
    assert "card " in broken.failure


def _by_another_number(rules: Rules, now: Position, card: Mask) -> tuple[str, ...]:
    broken = NARROWING_BROKEN(rules, now, card)
    return (*broken, "5.8") if broken else ()


NARROWING_BROKEN = position.narrowing_broken


@pytest.mark.slow
def test_the_judge_of_a_play_names_no_clause_that_is_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(judging, "narrowing_broken", _by_another_number)
    assert outcome("the judge of a play").failure.startswith("BROKEN by hand ")


def test_a_draw_that_reads_a_cost_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def planted(rules: Rules, now: Position) -> bool:
        return bool(rules.queen_points) and DRAW_IS_DUE(rules, now)

    monkeypatch.setattr(draw, "draw_is_due", planted)
    broken = outcome("costs decide nothing")
    assert broken.failure == "not proved: it reads queen_points"
    assert proofs.main(["--only", "costs decide nothing"]) == 1
    assert capsys.readouterr().out.endswith(": 0 proved, 0 broken, 1 not proved\n")


DRAW_IS_DUE = draw.draw_is_due


def test_an_option_that_is_no_symbol_cannot_be_fixed() -> None:
    for name in ("pass_cycle", "queen_duties"):  # a list, and what is no option
        with pytest.raises(KeyError, match=f"no symbols: {name}"):
            SymbolicOptions().rules(4, **{name: "no"})


def test_a_counterexample_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(position, "follow_suit", _free)
    hand, trick, *rest = outcome("whoever can follow must").failure.split("; ")
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
        ("5.5b", "not hearts_broken", "first_trick"),
        ("5.5b", "leading and ", ""),
        ("5.5b", "nonempty(allowed - queen, allowed)", "allowed - queen"),
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
    assert broken.failure.startswith("BROKEN by hand ")


@pytest.mark.parametrize(
    ("name", "planted", "number"),
    [
        ("follow_suit", _free, "5.3"),
        ("hold_back_hearts", _hearts_never, "5.4"),
        ("no_points_at_first", _unnarrowed, "5.5"),
        ("hold_back_queen", _queen_waits_for_ever, "5.5b"),
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
    assert broken.failure.startswith("BROKEN by hand ")


def _wrong_winner(led: Mask, best: Mask, card: Mask) -> Any:
    return card > best


def _kept_hand(now: Position) -> Position:
    return altered(AFTER_DRAW(now), hand=now.hand)


AFTER_DRAW = position.after_draw


def _draws_kept(*given: Any, **trick: Any) -> Position:
    return altered(AFTER_TRICK(*given, **trick), drew=given[1].drew)


def _leader_is_out(*given: Any, out: Any, **trick: Any) -> Position:
    return altered(AFTER_TRICK(*given, out=out, **trick), out=SEAT[0] | SEAT[1])


def _lost_trick(piles: Any, trick: Mask, winner: int) -> Any:
    return piles


def _both_best(rules: Rules, now: Position, card: Mask) -> Any:
    """A planted error: a losing card of the suit led is added to the best card."""
    after: Any = AFTER_PLAY(rules, now, card)
    if not isinstance(after, Position):
        return after
    return altered(after, best=after.best | card & after.led)


def test_the_best_card_of_a_trick_is_proved_to_be_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(position, "after_play", _both_best)
    broken = outcome("the highest card", (3,))
    assert broken.failure.startswith("BROKEN by hands ")


def _other_turn_draws(now: Position) -> Position:
    return altered(AFTER_DRAW(now), hands=now.hands[::-1])


def _back_to_the_lead(before: Position, now: Position) -> Position:
    return altered(BACK(before, now), turn=before.leader)


BACK = position.taken_back


def _same_turn(rules: Rules, now: Position, card: Mask) -> Position:
    return altered(AFTER_PLAY(rules, now, card), turn=now.leader)


def _reads_the_moon(rules: Rules, now: Position, card: Mask) -> Position:
    return AFTER_PLAY(rules, now, card) if rules.moon else now


def _lead_in_turn(*given: Any) -> Position:
    begun = FIRST(*given)
    return altered(begun, played=begun.hands[0].cards)


def _kitty_always(core: Any, back: Any, kitty: Any) -> Any:
    return stepping._with_received(core, back, kitty)


def _kitty_forgotten(piles: Any, talon: Any, seat: int, hand: Any) -> Any:
    cards, tricks = piles.won_by(seat)
    return score.Haul(cards | hand, tricks)


def _nothing_arrives(way: int, packets: Any) -> Any:
    return tuple(Mask(0) for _ in packets)


def _all_cards(rules: Rules, cards: Any) -> Any:
    return scoring.CARDS.count(cards) * rules.heart_points


def _no_faces(rules: Rules, cards: Any) -> Any:
    hearts = scoring.CARDS.count(cards & HEARTS) * rules.heart_points
    queen = rules.queen_points if cards & QUEEN else 0
    return hearts + queen + scoring.CARDS.king_and_ace(rules, cards)


def _king_for_ace(rules: Rules, cards: Any) -> Any:
    return rules.king_points if cards & scoring.CARDS.ACE else 0


def _hearts_and_queen_only(rules: Rules) -> Any:
    penalty = HEARTS if scoring.CARDS.hearts_cost(rules) else Mask(0)
    return Mask(penalty | QUEEN) if rules.queen_points else penalty


def _penalties_alone(rules: Rules, hands: Any, played: Any) -> bool:
    if not rules.ends_without_points:
        return False
    left = scoring.CARDS.penalty_cards(rules) & ~played
    return not any(hand.cards & left for hand in hands)


def _ends_always(rules: Rules, hands: Any, played: Any) -> bool:
    return rules.ends_without_points


def _kitty_by_points(
    rules: Rules, talon: Any, trick: Any, first: bool, last: bool
) -> bool:
    return bool(talon.kitty and talon.kitty_to < 0 and trick & HEARTS)


def _places_exchanged(
    rules: Rules, talon: Any, trick: Any, first: bool, last: bool
) -> bool:
    return TAKES_KITTY(rules, talon, trick, last, first)


def _moon_with_the_queen(rules: Rules, in_play: Any) -> bool:
    return bool(in_play & HEARTS and in_play & QUEEN)


def _moon_of_one_heart(rules: Rules, in_play: Any) -> bool:
    queen = not rules.queen_points or bool(in_play & QUEEN)
    return queen and bool(in_play & HEARTS)


def _never_lacking(rules: Rules, in_play: Any) -> bool:
    return False


def _scores_turned(*given: Any) -> Any:
    return DEAL_SCORE(*given)[::-1]


def _first_cards_for_all(rules: Rules, pack: Mask, hauls: Any, *given: Any) -> Any:
    same = tuple(score.Haul(hauls[0].cards, one.tricks) for one in hauls)
    return DEAL_SCORE(rules, pack, same, *given)


def _kitty_in_mid_trick(*given: Any) -> Any:
    """A planted error: the kitty goes to the seat that is winning the trick so far."""
    after: Any = AFTER_PLAY(*given)
    if not isinstance(after, Position):
        return after
    talon = after.talon
    moved = Talon(talon.stock, talon.drawn, talon.kitty, after.winner)
    return altered(after, talon=moved)


def _first_hand_alone(rules: Rules, hands: Any, played: Any) -> bool:
    return NO_POINTS_LEFT(rules, hands[:1], played)


def _left_of_seat_0(rules: Rules, hands: Any, dealer: int) -> int:
    return OPENING_LEADER(rules, hands, 0)


def _the_other_way(way: int, seat: int, players: int) -> int:
    return RECEIVER({LEFT: RIGHT, RIGHT: LEFT}.get(way, way), seat, players)


def _sun_without_tricks(rules: Rules, hauls: Any, shooter: int) -> bool:
    return rules.sun_points != 0


def _sun_without_the_left(rules: Rules, hauls: Any, shooter: int) -> bool:
    left = hauls[(shooter + 1) % len(hauls)]
    return rules.sun_points != 0 and left.tricks == 0


OPENING_LEADER = play.opening_leader
RECEIVER = passing.receiver
TAKES_KITTY = play.takes_kitty
DEAL_SCORE = score.deal_score
NO_POINTS_LEFT = play.no_points_left


AFTER_PLAY = position.after_play
FIRST = position.first_position


@pytest.mark.parametrize(
    ("module", "name", "planted", "words"),
    [
        (position, "beats", _wrong_winner, "the highest card"),
        (position, "breaks_hearts", _no_draws, "hearts are broken by"),
        (position, "after_draw", _kept_hand, "a draw keeps"),
        (position, "add_trick", _lost_trick, "the end of a trick keeps"),
        (position, "add_trick", trick_uncounted, "the winner takes the trick"),
        (position, "add_trick", still_first, "the winner takes the trick"),
        (position, "_after_trick", still_led, "the end of a trick keeps"),
        (position, "_after_trick", nobody_new_is_out, "play goes on while two do"),
        (position, "_after_trick", _draws_kept, "the winner takes the trick"),
        (position, "_after_trick", stock_turned, "the winner takes the trick"),
        (position, "_after_trick", _leader_is_out, "the end of a trick keeps"),
        (position, "suit_led", lambda now, card: card, "the highest card"),
        (position, "first_position", _lead_in_turn, "at the opening lead"),
        (position, "first_position", _lead_in_turn, "the first position has all"),
        (play, "next_to_play", lambda rules, seat, out: 1 - seat, "the turn goes to"),
        (draw, "next_leader", lambda winner, *_: winner, "the winner leads, or"),
        (position, "after_draw", _other_turn_draws, "after a draw, who"),
        (position, "after_play", _same_turn, "after a play, who"),
        (position, "play_has_ended", _no_draws, "play goes on while two do"),
        (play, "opening_leader", _left_of_seat_0, "the lowest club opens"),
        (score, "shot_the_sun", _sun_without_tricks, "sun its points"),
        (score, "sun_without_moon", _no_draws, "combinations are refused"),
        (play, "opening_card_beside_left", _no_draws, "combinations are refused"),
        (play, "no_points_left", _ends_always, "play goes on while two do"),
        (play, "no_points_left", _penalties_alone, "play may end early"),
        (play, "no_points_left", _no_draws, "in a deal that would be over"),
        (play, "no_points_left", _ends_always, "leaves in the hands costs"),
        (play, "takes_kitty", _kitty_by_points, "the kitty goes with"),
        (play, "takes_kitty", _places_exchanged, "the kitty goes with"),
        (play, "takes_kitty", _places_exchanged, "wins the kitty has it"),
        (play, "takes_kitty", _kitty_by_points, "a kitty lying"),
        (position, "taken_back", _back_to_the_lead, "after a card is taken back"),
        (passing, "exchange", _nothing_arrives, "a scatter moves"),
        (passing, "not_the_pile", _no_draws, "a mix gives back"),
        (stepping, "after_mix", _kitty_always, "picking up what"),
        (ending, "captured", _kitty_forgotten, "each card counts for one seat"),
        (score, "trickless", lambda *_: 0, "a score is points"),
        (scoring.CARDS, "points_of", _all_cards, "the points of cards apart"),
        (scoring.CARDS, "points_of", _no_faces, "the points of cards apart"),
        (scoring.CARDS, "king_and_ace", _king_for_ace, "the points of cards apart"),
        (scoring.CARDS, "penalty_cards", _hearts_and_queen_only, "penalty cards are"),
        (score, "moon_is_in_play", _moon_with_the_queen, "who shoots the moon"),
        (score, "moon_is_in_play", _moon_of_one_heart, "who shoots the moon"),
        (score, "moon_lacks_bonus", _never_lacking, "who shoots the moon"),
        (score, "moon_without_penalties", _no_draws, "combinations are refused"),
        (score, "deal_score", _scores_turned, "a score is points"),
        (score, "deal_score", _first_cards_for_all, "a score is points"),
        (position, "after_play", _kitty_in_mid_trick, "a play moves exactly one"),
        (play, "no_points_left", _first_hand_alone, "leaves in the hands costs"),
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
    assert outcome(words, (2,)).failure.startswith("BROKEN by hands ")


@pytest.mark.parametrize(
    ("module", "name", "planted", "words"),
    [
        (score, "shot_the_sun", _sun_without_the_left, "sun its points"),
        (passing, "receiver", _the_other_way, "a pass left"),
        (passing, "receiver", _the_other_way, "a pass right"),
    ],
)
def test_what_two_seats_do_not_show_three_do(
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    planted: Callable[..., Any],
    words: str,
) -> None:
    monkeypatch.setattr(module, name, planted)
    assert not outcome(words, (2,)).failure
    assert outcome(words, (3,)).failure.startswith("BROKEN by hands ")


def _early_if_there_was_one(
    core: Any, seat: int, against: int, trick: int
) -> tuple[str, ...]:
    """A claim judged as in edition 1.0.0, where fewer claims were too early.

    If the accused did not revoke in a complete trick, the claim is false (7.7a).
    """
    broken = CLAIM(core, seat, against, trick)
    revokes = core.record.revokes
    complete = broken == ("7.7",) and trick <= core.position.piles.done
    if complete and revoke.revoke_at(revokes, against, trick) is None:
        return ("7.7a",)
    return broken


def _never_early(*_: object) -> bool:
    return False


def _any_revoke(revokes: Any, seat: int, trick: int) -> Any:
    return revokes[0] if revokes else None


CLAIM = judging.claim_breaks
BY_HAND, BY_CLAIM = "BROKEN by hand", "BROKEN by a claim against"


@pytest.mark.parametrize(
    ("module", "name", "planted", "words", "begins"),
    [
        (play, "follow_suit", _to_nothing, "5.3 leaves some", BY_HAND),
        (
            play,
            "hold_back_hearts",
            _hearts_held_back_where_free,
            "5.4 alone leaves no more cards at when_broken",
            BY_HAND,
        ),
        (draw, "draw_is_due", _no_draws, "a draw is due by 6.1", BY_HAND),
        (judging, "claim_breaks", _early_if_there_was_one, "refused alike", BY_CLAIM),
        (judging, "too_early_to_claim", _never_early, "refused alike", BY_CLAIM),
        (judging, "revoke_at", _any_revoke, "false exactly where no revoke", BY_CLAIM),
        (judging, "ended_by_claim", _never_early, "except after 7.7b", BY_CLAIM),
    ],
)
def test_a_planted_error_of_a_clause_breaks_what_is_said_of_it_alone(
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    planted: Callable[..., Any],
    words: str,
    begins: str,
) -> None:
    monkeypatch.setattr(module, name, planted)
    assert outcome(words).failure.startswith(f"{begins} ")


def _twos_of_all_suits(rules: Rules) -> Mask:
    return REMOVED(lowered(rules.players, {**BASES, "removal": "lowest"}))


def _ace_low(hearts: Mask) -> int:
    return int(FACES(hearts)) - (13 if hearts & 2**51 else 0)


REMOVED = dealing.removed_cards
FACES = scoring.CARDS.faces_of


@pytest.mark.parametrize(
    ("module", "name", "planted", "words", "shown"),
    [
        (dealing, "removed_cards", _twos_of_all_suits, "lowest cards", "players, "),
        (scoring.CARDS, "faces_of", _ace_low, "faces added up", "hearts AH"),
    ],
)
def test_a_planted_error_is_found_among_all_cases(
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    planted: Callable[..., Any],
    words: str,
    shown: str,
) -> None:
    monkeypatch.setattr(module, name, planted)
    assert shown in outcome(words).failure


def test_a_heart_costs_a_number_or_its_face_in_symbols() -> None:
    options = SymbolicOptions()
    rules = options.rules(4)
    for value, points, face in ((0, 0, False), (1000, 1000, False), ("face", 0, True)):
        solver = symbolic.z3.Solver()
        solver.add(*options.assumptions, options.has_value("heart_points", value))
        assert solver.check() == symbolic.z3.sat
        model = solver.model()
        assert number_in_model(model, symbolic.term_of(rules.heart_points)) == points
        assert holds_in_model(model, rules.hearts_cost_face) is face
        named = [one for one in options.shown(model) if one.startswith("heart_points")]
        assert named == [f"heart_points={value}"]


def test_a_play_that_reads_another_option_is_not_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(position, "after_play", _reads_the_moon)
    assert "it reads moon" in outcome("a play keeps", (2,)).failure


def test_what_moves_the_cards_is_what_exhaustion_puts_together() -> None:
    names = {*TRANSITION, *PENALTY, "kitty_to", "bonus_card"}
    plain = vars(lowered(4, BASES))
    for option in OPTIONS:
        values: list[Value] = [
            *option.words,
            *([] if option.least is None else [option.least, option.most]),
        ]
        if isinstance(option.base, bool):
            values = [False, True]
        for value in values if not isinstance(option.base, tuple) else ():
            changed = vars(lowered(4, {**BASES, option.name: value}))
            fields = {field for field in plain if changed[field] != plain[field]}
            if option.name not in names:
                assert not fields & set(MOVING), option.name
            elif changed != plain:
                assert fields & set(MOVING), option.name


def test_the_table_is_printed_and_says_what_is_broken(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert proofs.main(["--only", "legal cards are"]) == 0
    assert "1 proved, 0 broken" in capsys.readouterr().out
    monkeypatch.setattr(position, "follow_suit", _to_nothing)
    assert proofs.main(["--only", "no card may be played if"]) == 1
    said = capsys.readouterr().out
    assert "BROKEN by hand " in said
    assert said.endswith(": 0 proved, 1 broken\n")


def test_a_theorem_that_there_is_not_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        proofs.main(["--only", "no such theorem"])
    assert ended.value.code == 3
    assert "'no such theorem' in its title" in capsys.readouterr().err


def test_without_z3_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(symbolic, "z3", None)
    assert proofs.main([]) == 2
    assert capsys.readouterr().err.count("\n") == 1
