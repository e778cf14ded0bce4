"""Tests of exhaustion: its scope, the faults it finds, and resuming a killed run."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import refengine
from refengine import profile, profile_names
from refengine.chapters import cards, draw, score
from refengine.chapters.cards import HEARTS, SPADES, Mask
from refengine.chapters.layout import Hand, Position
from refengine.chapters.settings import Rules
from refengine.lawbook import book
from refengine.lawbook.options import BY_NAME, Value
from refengine.machine import ending, judging, position
from refengine.machine.notation import read_sequence, read_set
from refengine_conformance import proofs
from refengine_conformance.data import data
from refengine_conformance.exhaustion import small_deals
from refengine_conformance.exhaustion.plain_forms import (
    plain_form_of,
    position_in_plain_form,
)
from refengine_conformance.exhaustion.scope import (
    OPTIONS,
    PACK,
    PENALTY,
    DealShape,
    Options,
    deal_shapes,
    deals_of_pack,
    deciding_options,
    early_ends_to_walk,
    group_into_families,
    is_plain_pack,
    kitties_to_walk,
    named_cards,
    option_pairs_to_walk,
    packs_to_walk,
    scores_to_walk,
    split_into_units,
    values_to_walk,
)
from refengine_conformance.exhaustion.small_deals import (
    NEVER,
    all_clause_pairs,
    clause_pairs_fields,
    walk_units,
)
from refengine_conformance.exhaustion.walk import Tally, Walk
from refengine_conformance.jobs.journals import Journal
from refengine_conformance.proofs import legality
from tests.support.commands import run_process
from tests.support.planted_transitions import (
    altered,
    nobody_new_is_out,
    still_first,
    still_led,
    stock_turned,
    trick_uncounted,
    won_by_the_next,
)

pytestmark = pytest.mark.unmeasured

interpreted = pytest.mark.skipif(
    refengine.__mode__ != "interpreted", reason="functions cannot be replaced"
)

SETTLED: Options = (("opening_leader", "lowest_club"), ("revokes", "rejected"))
TINY = DealShape("gamerules-domino", 2, (), 2, stock=1)
SMALL = (
    TINY,
    DealShape("estmesh-hearts", 3, (("undealt", "kitty"),), 1, kitty=1),
    DealShape("pokerwiner-domino", 3, (), 1, stock=1),
    DealShape("heartsgame-tiles", 3, (), 1),
    DealShape(
        "pokerwiner-hearts",
        2,
        (
            ("opening_leader", "lowest_club"),
            ("opening_card", "lowest_club"),
            ("heart_leads", "when_broken"),
            ("first_trick_points", "barred"),
            ("queen_duty", "when_safe"),
            ("queen_breaks_hearts", True),
            ("revokes", "rejected"),
        ),
        2,
    ),
)


LARGER = DealShape("gamerules-domino", 3, (), 1, stock=2)  # a winner who is out


def tally(chosen: tuple[DealShape, ...], whole: bool = False) -> Tally:
    total = Tally()
    for unit in split_into_units(chosen, whole):
        total += Walk(unit).tally()
    return total


def test_the_pack_is_that_of_the_book() -> None:
    text = book.clause("1.8").text
    assert read_sequence(text.split("`")[1]) == PACK


def test_the_scope_is_every_profile_and_every_pair_of_options_of_a_decision() -> None:
    found = deal_shapes(False)
    assert {shape.profile for shape in found} == set(profile_names())
    assert len(set(map(str, found))) == len(found)
    for shape in found:
        assert shape.ruleset.players == shape.players
        assert shape.cards <= len(PACK)
    sizes = {(shape.label, shape.sizes) for shape in found}
    for name in profile_names():
        base = profile(name)
        stock = "+2" if base.options["undealt"] == "stock" else ""
        for size, wanted in ((1, {2, 3, 4}), (2, {2, 3})):
            tables = wanted & set(base.players) or {min(base.players)}
            assert {(name, f"{table}x{size}{stock}") for table in tables} <= sizes
    kitty = ("estmesh-hearts", "3x1+k2"), ("estmesh-hearts", "3x2+k2")
    assert set(kitty) <= sizes
    for options in option_pairs_to_walk():
        own = {shape.sizes for shape in found if set(options) <= set(shape.options)}
        for deal in ("2x1", "3x1", "2x2", "3x2"):
            assert {deal, f"{deal}+1", f"{deal}+2"} <= own
    costly = {("heart_points", "face"), ("king_points", 7), ("ace_points", 7)}
    pairs_wanted = {
        frozenset([(one, first), (other, second)])
        for one, other in combinations(deciding_options(), 2)
        for first in values_to_walk(one)
        for second in values_to_walk(other)
        # a card that costs points is barred from the first trick, and is no other rule
        if not {(one, first), (other, second)} & costly
        or ("first_trick_points", "barred") in ((one, first), (other, second))
        or BY_NAME[one].base == first
        or BY_NAME[other].base == second
    }
    walked_pairs = {
        frozenset(pair)
        for options in option_pairs_to_walk()
        for pair in combinations(options, 2)
    }
    assert pairs_wanted == walked_pairs


def test_each_new_option_is_walked_alone_and_with_what_bears_on_it() -> None:
    def pairs(found: list[Options]) -> set[tuple[tuple[str, Value], ...]]:
        changed = [
            tuple(one for one in options if one[1] != BY_NAME[one[0]].base)
            for options in found
        ]
        return set(changed)

    early = list(map(set, pairs(early_ends_to_walk())))
    ends = ("deal_ends", "no_points_left")
    assert {ends} in early
    for one in (
        *[("king_points", 7), ("ace_points", 7), ("heart_points", "face")],
        *[("heart_points", 0), ("queen_points", 0), ("bonus_card", "JD")],
        *[("queen_waits", "lead"), ("queen_waits", "play")],
        *[("queen_breaks_hearts", True), ("direction", "counterclockwise")],
    ):
        assert {one, ends} in early
    kitty = ("undealt", "kitty")
    kitties = list(map(set, pairs(kitties_to_walk())))
    for to in ("first_trick", "last_trick"):
        assert {("kitty_to", to), kitty} in kitties
        for name in deciding_options():
            for value in values_to_walk(name):
                if value != BY_NAME[name].base:
                    assert {("kitty_to", to), kitty, (name, value)} in kitties
    scores = list(map(set, pairs(scores_to_walk())))
    moon = {("moon", "self_minus"), ("bonus_card", "JD")}
    for new in (("moon_needs_bonus", True), ("king_points", 7), ends):
        assert moon | {new} in scores
        for other in (("ace_points", 7), ("queen_points", 0), ("heart_points", "face")):
            assert moon | {new, other} in scores


def test_what_the_book_refuses_is_not_walked() -> None:
    for options in scores_to_walk():
        values = dict(options)
        assert values["heart_points"] != 0 or values["moon"] == "none"
        if values.get("deal_ends") == "no_points_left":
            assert not values.get("sun_points")
            assert not values.get("no_trick_points")


def test_a_family_moves_alike() -> None:
    found = group_into_families(deal_shapes(False))
    together = [shape for family in found for shape in family.shapes]
    assert sorted(map(str, together)) == sorted(map(str, deal_shapes(False)))
    for family in found:
        for shape in family.shapes:
            assert shape.sizes == family.one_shape.sizes
            options = shape.ruleset.options
            for name, value in family.transition:
                own = options[name]
                assert (own != 0 if name in PENALTY else own) == value
    names = [str(unit) for unit in split_into_units(deal_shapes(False), False)]
    assert len(set(names)) == len(names)


def test_plain_packs_are_one_of_each_kind() -> None:
    def kind(pack: tuple[int, ...]) -> tuple[int, ...]:
        cards = set(pack)
        queen = read_sequence("QS")[0] in cards
        groups = ["2C 3C AC", "2D JD", "2H 3H AH"]
        groups += ["2S", "KS AS"] if queen else ["2S KS AS"]
        return (queen, *[len(cards & set(read_sequence(one))) for one in groups])

    for size in range(1, 9):
        chosen = list(combinations(PACK, size))
        plain = [pack for pack in chosen if is_plain_pack(pack)]
        assert len({kind(pack) for pack in plain}) == len(plain)
        assert {kind(pack) for pack in plain} == {kind(pack) for pack in chosen}


@pytest.mark.parametrize(
    ("option", "named", "suit"),
    [
        (("bonus_card", "JD"), "JD", "2D JD"),
        (("king_points", 7), "KS", "2S KS AS"),
        (("ace_points", 7), "AS", "2S KS AS"),
        (("heart_points", "face"), "2H 3H AH", "2H 3H AH"),
    ],
)
def test_a_suit_in_which_a_card_scores_by_name_or_rank_is_walked_as_it_is(
    option: tuple[str, Value], named: str, suit: str
) -> None:
    shape = DealShape("pokerwiner-hearts", 3, (option, *SETTLED), 1)
    (family,) = group_into_families([shape])
    assert family.named == tuple(read_sequence(named))
    walked = packs_to_walk(family, False)
    # whatever of the suit is in play, some pack has just that of it
    own = set(read_sequence(suit))
    of_suit = {frozenset(own & set(pack)) for pack in combinations(PACK, 3)}
    assert {frozenset(own & set(pack)) for pack in walked} == of_suit
    card = read_set(named.split()[-1])
    begun = position.first_position(
        shape.ruleset.rules, (card, read_set("2C"), read_set("3C")), (), Mask(0), 0
    )
    hands, *_ = plain_form_of(begun, family.named)
    assert card in hands


def test_the_ten_of_diamonds_names_no_card_of_the_pack() -> None:
    shape = DealShape("pokerwiner-hearts", 3, (("bonus_card", "TD"), *SETTLED), 1)
    assert named_cards(shape) == ()


def test_a_deal_with_the_jack_and_two_hearts_is_walked() -> None:
    options = scores_to_walk()[0] + SETTLED
    shape = DealShape("pokerwiner-hearts", 3, options, 1)
    (unit,) = split_into_units([shape], False)
    assert read_sequence("JD 2H 3H") in packs_to_walk(unit.family, unit.whole)


def test_deals_are_all_deals() -> None:
    pack = PACK[: TINY.cards]
    found = list(deals_of_pack(TINY, pack))
    assert len(found) == len(set(found)) == 6 * 5
    kitty = DealShape("estmesh-hearts", 3, (("undealt", "kitty"),), 1, kitty=2)
    assert len(list(deals_of_pack(kitty, PACK[:5]))) == 5 * 4 * 3


def test_small_scopes_have_no_fault_and_pairs_that_can_meet() -> None:
    total = tally(SMALL)
    assert total.faults == ()
    assert total.deals < total.positions
    met = {entry.split(" ")[0] for entry in total.pairs}
    assert {"5.2+5.4", "5.3+5.6"} <= met
    assert not {"5.2+5.3", "5.2+5.6", "5.3+5.4", "5.4+5.6", "5.5b+5.6"} & met


def test_nothing_is_lost_by_the_reductions() -> None:
    small = DealShape("pokerwiner-hearts", 2, SMALL[-1].options, 2)
    reduced, whole = tally((small,)), tally((small,), whole=True)
    assert reduced.pairs == whole.pairs
    assert reduced.faults == whole.faults == ()
    assert reduced.deals < whole.deals
    assert reduced.positions < whole.positions


def test_rulesets_walked_together_come_to_what_they_come_to_alone() -> None:
    chosen = [
        shape
        for shape in deal_shapes(False)
        if shape.sizes == "2x2" and shape.label == OPTIONS
    ]
    chosen = chosen[::9]
    assert len(group_into_families(chosen)) < len(chosen)
    together = tally(tuple(chosen))
    alone = [tally((shape,)) for shape in chosen]
    assert together.games == sum(one.deals for one in alone)
    assert together.deals < together.games
    assert together.pairs == frozenset[str]().union(*[one.pairs for one in alone])
    assert together.positions <= sum(one.positions for one in alone)


def test_positions_as_found_go_on_as_they_did() -> None:
    unit = split_into_units([TINY], False)[0]
    walk = Walk(unit)
    begun = position.first_position(
        walk.rules,
        (read_set("2C JD"), read_set("AC 2D")),
        read_sequence("3C"),
        Mask(0),
        0,
    )
    now = position.after_play(walk.rules, begun, read_set("AC"))
    now = position.after_play(walk.rules, now, read_set("2C"))
    assert now.leader == 1
    key = plain_form_of(now)
    plain = read_set("2D"), read_set("JD")
    assert tuple(key) == (plain, read_sequence("2C"), Mask(0), False)
    found = position_in_plain_form(key)
    assert found.leader == found.turn == 0
    assert position.playable(walk.rules, found) == read_set("2D")
    assert position.playable(walk.rules, now) == read_set("2D")
    assert plain_form_of(found) == key


def _never(*_: object) -> bool:
    return False


def _narrow_to_nothing(rules: Rules, now: Position, allowed: Any) -> Any:
    if now.led or rules.hearts_free or now.hearts_broken:
        return allowed
    return Mask(allowed & ~HEARTS)


def _lose_the_card(now: Position) -> Position:
    return altered(AFTER_DRAW(now), hands=now.hands)


def _ends_at_once(rules: Rules, hands: Any, played: Any) -> bool:
    return rules.ends_without_points


def _one_point_more(rules: Rules, cards: Any) -> int:
    return int(POINTS(rules, cards)) + bool(cards & SPADES)


def _drawn_by_another(now: Position) -> Position:
    after = AFTER_DRAW(now)
    hands = [*now.hands]
    other = (now.turn + 1) % len(hands)
    drawn = after.hand & ~now.hand
    hands[other] = Hand(Mask(hands[other].cards | drawn))
    return altered(after, hands=tuple(hands))


def _draws_kept(rules: Rules, now: Position, card: Mask) -> Position:
    return altered(AFTER_PLAY(rules, now, card), drew=now.drew)


def _draw_forgotten(now: Position) -> Position:
    return altered(AFTER_DRAW(now), drew=now.drew)


def _draw_breaks_hearts(now: Position) -> Position:
    return altered(AFTER_DRAW(now), hearts_broken=not now.hearts_broken)


def _two_of_clubs_too(rules: Rules, now: Position) -> Mask:
    legal = PLAYABLE(rules, now)
    return Mask(legal | read_set("2C")) if legal else legal


PLAYABLE = position.playable
POINTS = cards.points_of
AFTER_DRAW = position.after_draw
AFTER_PLAY = position.after_play
BEFORE = vars(position)["play_the_queen"]
FAULTS: list[tuple[Any, str, Callable[..., Any], str]] = [
    (position, "follow_suit", lambda now, allowed: allowed, "by the book"),
    (position, "hold_back_hearts", _narrow_to_nothing, "deadlock"),
    (position, "draw_is_due", _never, "is legal, and breaks"),
    (judging, "must_draw_to_lead", _never, "by the book"),
    (position, "after_draw", _lose_the_card, "drew another card than"),
    (position, "beats", lambda led, best, card: card > best, "wins, not"),
    (position, "breaks_hearts", _never, "hearts broken"),
    (position, "next_leader", lambda winner, out, players: winner, "leads, not"),
    (
        position,
        "suit_led",
        lambda now, card: SPADES,
        "another suit is led",
    ),
    (position, "playable", _two_of_clubs_too, ": 2C legal, but not held"),
    (position, "_after_trick", stock_turned, "the stock or kitty has changed"),
    (position, "add_trick", won_by_the_next, "the trick does not lie before seat"),
    (position, "add_trick", trick_uncounted, "the trick is not counted, or"),
    (position, "add_trick", still_first, "or the next is first"),
    (position, "after_draw", _draw_forgotten, "the draw is not recorded"),
    (position, "after_draw", _drawn_by_another, "drew another card than"),
    (position, "after_draw", _draw_breaks_hearts, "drew, and `hearts_broken` has"),
    (position, "after_play", _draws_kept, "the cards drawn are still on record"),
    (position, "_after_trick", nobody_new_is_out, "another leader or other seats out"),
    (position, "_after_trick", still_led, "a suit is still led"),
    (draw, "rest_of_stock", lambda talon: talon.stock, "the pack is not complete"),
]
NEW = (
    DealShape("pokerwiner-domino", 3, (), 1, stock=1),
    DealShape("pokerwiner-hearts", 2, early_ends_to_walk()[0] + SETTLED, 2),
    *[
        DealShape("estmesh-hearts", 3, options + SETTLED, 1, kitty=1)
        for options in kitties_to_walk()
        if ("kitty_to", "first_trick") in options
    ][:1],
    *[
        DealShape("pokerwiner-hearts", 3, options + SETTLED, 1)
        for options in scores_to_walk()
        if ("moon_needs_bonus", True) in options
    ],
)


@interpreted
@pytest.mark.parametrize(
    ("module", "name", "planted", "said"),
    [
        (position, "no_points_left", _ends_at_once, "leads, not"),
        (position, "no_points_left", _never, "leads, not"),
        (position, "takes_kitty", _never, "the kitty to -1, not"),
        (score, "points_of", _one_point_more, "by the book seat"),
        (score, "moon_lacks_bonus", _never, "by the book seat -1"),
        (ending, "stock_goes_to", lambda *_: -1, "the stock to seat -1, not"),
    ],
)
def test_a_planted_fault_of_a_new_option_is_found(
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    planted: Callable[..., Any],
    said: str,
) -> None:
    assert tally(NEW).faults == ()
    monkeypatch.setattr(module, name, planted)
    assert any(said in fault for fault in tally(NEW).faults)


@interpreted
@pytest.mark.parametrize(("module", "name", "planted", "said"), FAULTS)
def test_a_planted_fault_is_found_in_a_tiny_scope(
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    planted: Callable[..., Any],
    said: str,
) -> None:
    monkeypatch.setattr(module, name, planted)
    larger = name == "next_leader" or planted in (nobody_new_is_out, stock_turned)
    chosen = (LARGER,) if larger else SMALL[:1] + SMALL[2:]
    faults = tally(chosen).faults
    assert faults
    assert any(said in fault for fault in faults), faults
    assert all("hands" in fault for fault in faults)


@interpreted
def test_a_planted_fault_of_one_ruleset_is_found_among_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen = [
        shape
        for shape in deal_shapes(False)
        if shape.sizes == "2x2" and shape.label == OPTIONS
    ]

    def planted(rules: Rules, now: Position, allowed: Any) -> Any:
        if rules.queen_duty and rules.first_trick_barred:
            return allowed
        return BEFORE(rules, now, allowed)

    monkeypatch.setattr(position, "play_the_queen", planted)
    assert any("by the book ['5.6']" in fault for fault in tally(tuple(chosen)).faults)


def test_pairs_are_met_or_proved_never_to_meet() -> None:
    titles = {theorem.title for theorem in proofs.theorems()}
    assert set(NEVER.values()) <= titles
    proved = {"+".join(pair) for pair in legality.NEVER_MEET}
    assert proved == {pair for pair, title in NEVER.items() if "never meet" in title}
    assert set(NEVER) < set(all_clause_pairs())
    found = clause_pairs_fields(Tally(pairs=frozenset({"5.2+5.4 one", "5.2+5.4 two"})))
    assert found["meet"] == {"5.2+5.4": ["one", "two"]}
    assert found["never"] == NEVER
    assert found["open"] == [
        pair for pair in all_clause_pairs() if pair not in NEVER and pair != "5.2+5.4"
    ]
    wrong = Tally(pairs=frozenset({"5.2+5.3 one"}))
    assert "5.2+5.3" not in clause_pairs_fields(wrong)["never"]
    (said,) = small_deals.disproved_pairs(wrong)
    assert said.startswith("5.2+5.3 met, and is proved never to: ")


def test_what_met_in_the_whole_scope_is_written_and_nothing_is_open() -> None:
    path = data("pairs.json")
    written = json.loads(path.read_text("utf-8"))
    assert written["open"] == []
    assert written["never"] == NEVER
    assert set(written["meet"]) | set(written["never"]) == set(all_clause_pairs())
    met = {entry.split(" ")[0] for entry in tally(SMALL).pairs}
    assert met <= set(written["meet"])


def test_a_shape_that_there_is_not_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        small_deals.main(["--only", "hearst"])
    assert ended.value.code == 3
    assert "no shape has 'hearst' in its name" in capsys.readouterr().err


def test_a_journal_of_some_shapes_is_not_one_of_others() -> None:
    assert len({small_deals.journal_scope(one) for one in ("", "hearts", "2x1")}) == 3


def test_a_report_names_pairs_that_never_meet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert small_deals.main(["--only", "openspiel-hearts 4x1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "5.2+5.6" in lines[-2]
    assert lines[-1].endswith("faults: 0")


@interpreted
def test_a_fault_makes_the_exit_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(position, "follow_suit", lambda now, allowed: allowed)
    monkeypatch.setattr(small_deals, "_verdicts", {})
    assert small_deals.main(["--only", "gamerules-domino 2x2+1"]) == 1
    assert "hands 2" in capsys.readouterr().out


@interpreted
def test_a_file_that_cannot_be_used_is_no_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    only = ["--only", "gamerules-domino 2x2+1"]
    gone = tmp_path / "gone" / "file"
    assert small_deals.main([*only, "--units", str(gone)]) == 3
    assert "cannot be read: no such file" in capsys.readouterr().err
    blank = tmp_path / "blank"
    blank.write_text("\n")
    assert small_deals.main([*only, "--units", str(blank)]) == 3
    assert capsys.readouterr().err == f"{blank} names no units\n"
    blank.write_text("nobody 1x1\n")
    assert small_deals.main([*only, "--units", str(blank)]) == 3
    assert capsys.readouterr().err == f"{blank} names units that do not exist\n"
    assert small_deals.main([*only, "--pairs", str(gone)]) == 3
    said = capsys.readouterr()
    assert "cannot be written: no such file" in said.err
    assert "faults: 0" in said.out  # what was walked is not lost


def test_only_the_units_of_a_file_are_walked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    only = "gamerules-domino 2x1"  # without a stock, and with one or two cards in it
    chosen = [shape for shape in deal_shapes(False) if only in str(shape)]
    assert len(chosen) == 3
    *_, unit = split_into_units(chosen, False)
    file = tmp_path / "units"
    file.write_text(f"{unit}\n", "utf-8")
    assert small_deals.main(["--only", only, "--units", str(file)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("1 rulesets and sizes, ")


def test_units_through_an_executor_give_the_same() -> None:
    work = split_into_units(SMALL, False)
    alone = walk_units(work, Journal(None, ""))
    with ThreadPoolExecutor(2) as executor:
        assert walk_units(work, Journal(None, ""), executor) == alone


def test_a_killed_run_goes_on_and_gives_the_same_result(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    module = "refengine_conformance.exhaustion.small_deals"
    command = [sys.executable, "-m", module, "--only", "hearts 2x1"]
    root = Path(small_deals.__file__).parents[1]
    with subprocess.Popen([*command, "--resume", str(path)], cwd=root) as running:
        while running.poll() is None:
            if path.exists() and path.read_bytes().count(b"\n") > 4:
                running.kill()
                break
            time.sleep(0.005)
    assert running.returncode == -signal.SIGKILL
    before = path.read_bytes().count(b"\n")
    outputs = [
        run_process(*command, *more, cwd=root, check=True).stdout.splitlines()
        for more in (["--resume", str(path)], [])
    ]
    assert path.read_bytes().count(b"\n") > before

    def without_seconds(lines: list[str]) -> list[str]:
        return [
            part for line in lines for part in line.split(", ") if part[-2:] != " s"
        ]

    assert without_seconds(outputs[0]) == without_seconds(outputs[1])


def test_a_file_that_is_no_journal_is_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "file"
    path.write_text("something else\n")
    assert small_deals.main(["--only", "openspiel", "--resume", str(path)]) == 3
    assert capsys.readouterr().err.count("\n") == 1
