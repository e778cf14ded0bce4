"""Exhaustion: its scope, the faults it finds, and that a killed run goes on."""

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
from conformance import exhaustion
from conformance.executors import Journal
from conformance.exhaustion import (
    PACK,
    Shape,
    Tally,
    as_found,
    deals,
    exhausted,
    is_plain,
    packs,
    pair_options,
    shapes,
    units,
)
from refengine import book, draw, judging, position, profile, profile_names
from refengine.cards import HEARTS, SPADES, Mask
from refengine.notation import read_sequence
from refengine.play import Position
from refengine.rules import Rules

interpreted = pytest.mark.skipif(
    refengine.__mode__ != "interpreted", reason="functions cannot be replaced"
)

TINY = Shape("gamerules-domino", 2, (), 2, stock=1)
SMALL = (
    TINY,
    Shape("estmesh-hearts", 3, (("undealt", "kitty"),), 1, kitty=1),
    Shape("pokerwiner-domino", 3, (), 1, stock=1),
    Shape("heartsgame-tiles", 3, (), 1),
    Shape(
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


LARGER = Shape("gamerules-domino", 3, (), 1, stock=2)  # a winner who is out


def tally(chosen: tuple[Shape, ...], whole: bool = False) -> Tally:
    total = Tally()
    for unit in units(chosen, whole):
        total += exhaustion.Walk(unit).tally()
    return total


def test_the_pack_is_that_of_the_book() -> None:
    text = book.clause("1.8").text
    assert read_sequence(text.split("`")[1]) == PACK


def test_the_scope_is_every_profile_and_every_pair_of_options_of_a_decision() -> None:
    found = shapes(False)
    assert {shape.profile for shape in found} == set(profile_names())
    assert len(set(map(str, found))) == len(found)
    for shape in found:
        assert shape.ruleset.players == shape.players
        assert shape.cards <= len(PACK)
    for name in profile_names():
        tables = {shape.players for shape in found if shape.profile == name}
        assert {2, 3, 4} & set(profile(name).players) <= tables
    wanted = {
        frozenset([(one, first), (other, second)])
        for one, other in combinations(exhaustion.deciding_options(), 2)
        for first in exhaustion._values(one)
        for second in exhaustion._values(other)
    }
    walked_pairs = {
        frozenset(pair)
        for options in pair_options()
        for pair in combinations(options, 2)
    }
    assert wanted == walked_pairs


def test_plain_packs_are_one_of_each_kind() -> None:
    def kind(pack: tuple[int, ...]) -> tuple[int, ...]:
        cards = set(pack)
        queen = read_sequence("QS")[0] in cards
        groups = ["2C 3C AC", "2D JD", "2H 3H AH"]
        groups += ["2S", "KS AS"] if queen else ["2S KS AS"]
        return (queen, *[len(cards & set(read_sequence(one))) for one in groups])

    for size in range(1, 9):
        chosen = list(combinations(PACK, size))
        plain = [pack for pack in chosen if is_plain(pack)]
        assert len({kind(pack) for pack in plain}) == len(plain)
        assert {kind(pack) for pack in plain} == {kind(pack) for pack in chosen}


def test_deals_are_all_deals() -> None:
    pack = packs(TINY, True)[0]
    found = list(deals(TINY, pack))
    assert len(found) == len(set(found)) == 6 * 5
    kitty = Shape("estmesh-hearts", 3, (("undealt", "kitty"),), 1, kitty=2)
    assert len(list(deals(kitty, PACK[:5]))) == 5 * 4 * 3


def test_small_scopes_have_no_fault_and_pairs_that_can_meet() -> None:
    total = tally(SMALL)
    assert total.faults == ()
    assert total.deals < total.positions
    assert {"5.2+5.4", "5.3+5.6"} <= total.pairs
    assert not {"5.2+5.3", "5.2+5.6", "5.3+5.4", "5.4+5.6"} & total.pairs


def test_nothing_is_lost_by_the_reductions() -> None:
    small = Shape("pokerwiner-hearts", 2, SMALL[-1].options, 2)
    reduced, whole = tally((small,)), tally((small,), whole=True)
    assert reduced.pairs == whole.pairs
    assert reduced.faults == whole.faults == ()
    assert reduced.deals < whole.deals
    assert reduced.positions < whole.positions


def test_positions_as_found_go_on_as_they_did() -> None:
    unit = units([TINY], False)[0]
    walk = exhaustion.Walk(unit)
    begun = position.first_position(
        walk.rules,
        (Mask(0b11), Mask(0b1100)),
        read_sequence("AC"),
        Mask(0),
        0,
    )
    now = position.after_play(walk.rules, begun, Mask(0b100))
    now = position.after_play(walk.rules, now, Mask(0b1))
    found, pack = as_found(now)
    assert pack == 0b1000000001010
    assert position.playable(walk.rules, found) == position.playable(walk.rules, now)
    assert as_found(found) == (found, pack)


def _never(*_: object) -> bool:
    return False


def _narrow_to_nothing(rules: Rules, now: Position, allowed: Any) -> Any:
    if now.led or rules.hearts_free or now.hearts_broken:
        return allowed
    return Mask(allowed & ~HEARTS)


def _lose_the_card(now: Position) -> Position:
    after = AFTER_DRAW(now)
    return Position(**(vars(after) | {"hands": now.hands}))


AFTER_DRAW = position.after_draw
FAULTS: list[tuple[Any, str, Callable[..., Any], str]] = [
    (position, "follow_suit", lambda now, allowed: allowed, "by the book"),
    (position, "hold_back_hearts", _narrow_to_nothing, "deadlock"),
    (position, "draw_is_due", _never, "legal beside"),
    (judging, "must_draw_to_lead", _never, "by the book"),
    (position, "after_draw", _lose_the_card, "the pack is not all there"),
    (position, "beats", lambda led, best, card: card > best, "wins, not"),
    (position, "breaks_hearts", _never, "hearts broken"),
    (position, "next_leader", lambda winner, out, players: winner, "leads, not"),
    (
        position,
        "suit_led",
        lambda now, card: SPADES,
        "the book",
    ),
    (draw, "rest_of_stock", lambda talon: talon.stock, "the pack is not all there"),
]


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
    chosen = (LARGER,) if name == "next_leader" else SMALL[:1] + SMALL[2:]
    faults = tally(chosen).faults
    assert faults
    assert any(said in fault for fault in faults), faults
    assert all("hands" in fault for fault in faults)


def test_a_report_names_pairs_that_never_meet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert exhaustion.main(["--only", "openspiel-hearts"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "5.2+5.6" in lines[-2]
    assert lines[-1].endswith("faults: 0")


@interpreted
def test_a_fault_makes_the_exit_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(position, "follow_suit", lambda now, allowed: allowed)
    assert exhaustion.main(["--only", "gamerules-domino 2x2+1"]) == 1
    assert "hands 2C" in capsys.readouterr().out


def test_units_through_an_executor_give_the_same() -> None:
    work = units(SMALL, False)
    alone = exhausted(work, Journal(None, ""))
    with ThreadPoolExecutor(2) as executor:
        assert exhausted(work, Journal(None, ""), executor) == alone


def test_a_killed_run_goes_on_and_gives_the_same_result(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    command = [sys.executable, "-m", "conformance.exhaustion", "--only", "hearts 2x1"]
    root = Path(exhaustion.__file__).parents[1]
    with subprocess.Popen([*command, "--resume", str(path)], cwd=root) as running:
        while running.poll() is None:
            if path.exists() and path.read_bytes().count(b"\n") > 4:
                running.kill()
                break
            time.sleep(0.005)
    assert running.returncode == -signal.SIGKILL
    before = path.read_bytes().count(b"\n")
    outputs = [
        subprocess.run(
            [*command, *more], cwd=root, capture_output=True, text=True, check=True
        ).stdout.splitlines()
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
    assert exhaustion.main(["--only", "openspiel", "--resume", str(path)]) == 3
    assert capsys.readouterr().err.count("\n") == 1
