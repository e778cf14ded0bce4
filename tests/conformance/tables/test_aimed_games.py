"""Tests of aimed games, which are built so that certain clauses decide them.

Each must need the clauses it was built for, and the same seed must give the same games.
Only one table with small hands is searched, which takes seconds. The published sets
show that whole hands are searched as well.
"""

import errno
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from refengine import (
    Irregular,
    Malformed,
    Match,
    Ruleset,
    Setup,
    State,
    new_deal,
    new_match,
)
from refengine.formats.fields import legal_fields
from refengine.formats.trace import Trace, read_trace, replay, write_trace
from refengine.game.acts import Act, Claim, Deal, Play, QuitTrick, Retract
from refengine.game.setups import setup_of
from refengine.game.values.cardset import CARDS, Card
from refengine_conformance.corpus_tools import evidence
from refengine_conformance.generators.strategies import (
    Move,
    Script,
    moments_of,
    recorded,
)
from refengine_conformance.mutants.loading import mutant_workers
from refengine_conformance.runner.fault_dictionary import kinds_wrong
from refengine_conformance.runner.table import STARTS as ALL_STARTS
from refengine_conformance.runner.table import Table
from refengine_conformance.tables import (
    aimed_games,
    aiming,
    built_ends,
    candidates,
    deals,
    direction,
    layouts,
    moments,
)
from refengine_conformance.tables.aimed_games import AimedLine, AimedSet, aimed_set
from refengine_conformance.tables.askable import clauses_of_table
from refengine_conformance.tables.slim_lines import slim_line
from refengine_conformance.tables.steady_random import SteadyRandom
from tests.support.adapters import Json, Planted
from tests.support.commands import Runner
from tests.support.tables import SEED, barred, candidate_at, whole

SMALL = barred(4, "deal", "match-dealer")
FLAGS = ("--option", "first_trick_points=barred", "--hands", "4")
STARTS = ("--starts", "deal,match-dealer")
DEAL = ("deal",)
WHOLE = whole(
    "estmesh-hearts", 4, DEAL, first_trick_points="barred", moon="others_plus"
)
REVOKES = whole("dominorules-tiles", 4, DEAL)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        patch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)  # mutants run there
        yield folder / "refengine" / "tables"


@pytest.fixture(scope="module")
def found(cache: Path) -> AimedSet:
    return aimed_set(SMALL, clauses_of_table(SMALL), SEED)


# The set


def test_every_game_is_right_and_of_the_table(found: AimedSet) -> None:
    assert len({one.id for one in found.lines}) == len(found.lines) > 10
    for one in found.lines:
        trace = read_trace(one.line)
        assert trace.id == one.id == json.loads(one.line)["id"]
        assert json.loads(one.line)["x-aim"] == [*one.shows]
        assert replay(trace) == []
        assert trace.ruleset == SMALL.ruleset
        if isinstance(trace.start, Setup):
            assert [len(hand) for hand in trace.start.hands] == [4] * 4
        else:
            assert isinstance(trace.start, Match)
            assert trace.start.dealer is not None


def test_a_plain_game_can_be_begun_by_an_engine_that_sets_nothing(
    found: AimedSet,
) -> None:
    plain = [read_trace(one.line).start for one in found.lines if one.plain]
    assert len(plain) > 5
    for start in plain:
        assert isinstance(start, Setup)
        assert (start.dealer, start.deal) == (0, 1)
        assert not any(start.totals or ())
    for one in found.lines:
        start = read_trace(one.line).start
        if not one.plain and isinstance(start, Setup):
            assert (start.dealer, start.deal) != (0, 1) or any(start.totals or ())


def off_and_wrong(task: tuple[str, tuple[str, ...]]) -> list[str]:
    """Those of these clauses without which the line is still answered rightly."""
    line, clauses = task
    trace = read_trace(line.encode())
    return [one for one in clauses if not evidence.diverges(f"off:{one}", trace)]


def test_each_game_needs_the_clauses_that_it_was_built_for(found: AimedSet) -> None:
    tasks = [(one.line.decode(), tuple(one.shows)) for one in found.lines]
    with mutant_workers(1) as pool:
        assert [*pool.map(off_and_wrong, tasks)] == [[] for _ in tasks]


def test_nearly_every_clause_has_two_games_and_a_plain_one_first(
    found: AimedSet,
) -> None:
    by_clause: dict[str, list[AimedLine]] = {}
    for one in found.lines:
        for clause in one.shows:
            by_clause.setdefault(clause, []).append(one)
    asked = clauses_of_table(SMALL)
    assert {*by_clause} | {*found.unreached} == {*asked}
    assert len(found.unreached) <= 2
    assert {"5.2", "5.3", "5.4", "5.5", "5.9", "5.10", "8.1", "8.3"} <= {*by_clause}
    assert sum(len(lines) < 2 for lines in by_clause.values()) <= 3
    # only a match, or another deal than the first, can show these
    elsewhere = {"3.1d", "3.2", "3.8a", "3.8c", "3.8d", "3.10", "3.10a", "3.11"}
    elsewhere |= {"3.12f", "4.1", "4.3", "9.3", "9.5"}
    without = {c for c, some in by_clause.items() if not any(o.plain for o in some)}
    assert without <= elsewhere


def test_a_line_asserts_little_but_where_it_matters(found: AimedSet) -> None:
    for one in found.lines:
        steps = json.loads(one.line)["steps"]
        assert any("legal" in step for step in steps)
        assert sum("then" in step for step in steps) < len(steps) / 2
        assert not any(step.get("view") for step in steps)


# The end of a match


def lowest(totals: Sequence[int]) -> set[int]:
    return {seat for seat, total in enumerate(totals) if total == min(totals)}


def endings(table: Table, numbers: Iterable[int]) -> Iterator[tuple[Setup, State]]:
    """The setup and last state of each variant of these deals, with other totals."""
    for number in numbers:
        for variant, _ in built_ends.ends_shown(table, SEED, number, ()):
            one = built_ends.with_variant(table, SEED, number, variant, False)
            if one is not None and isinstance(one.script.start, Setup):
                *_, end = moments_of(one.script)
                yield one.script.start, end


def test_deals_end_where_a_total_at_the_limit_becomes_another() -> None:
    options = {"exact_limit_becomes": 50, "moon": "others_plus"}
    table = whole("estmesh-hearts", 4, DEAL, **options)
    seen: set[str] = set()
    for start, end in endings(table, range(0, 90, 3)):
        assert end.score is not None
        before = start.totals or (0, 0, 0, 0)
        sums = [one + two for one, two in zip(before, end.score, strict=True)]
        assert end.totals == tuple(50 if one == 100 else one for one in sums)
        exact = [seat for seat in range(4) if sums[seat] == 100]
        seen |= {"two at once"} if len(exact) > 1 else set()
        seen |= {"beside one beyond"} if exact and max(sums) > 100 else set()
        seen |= {"of nothing"} if any(not end.score[seat] for seat in exact) else set()
        if exact and max(sums) > 100 and lowest(sums) != lowest(end.totals):
            seen.add("for who wins")
    assert seen == {"two at once", "beside one beyond", "of nothing", "for who wins"}


def test_deals_are_played_on_after_a_tie_and_end_where_nobody_is_at_the_limit() -> None:
    table = whole("estmesh-hearts", 4, DEAL, ties="play_on", moon="others_plus")
    seen = set()
    for start, end in endings(table, range(0, 60, 3)):
        result = end.core.result
        assert result is not None
        alone = len(lowest(end.totals)) == 1
        reached = start.limit_reached or max(end.totals) >= 100
        assert result.over == (reached and alone)
        if start.limit_reached:
            seen.add((max(end.totals) >= 100, alone))
    assert seen == {(False, False), (False, True), (True, False), (True, True)}


def test_what_comes_about_at_an_end_has_its_name() -> None:
    """Each name says how a total reached the limit, or how a moon affected it."""
    resets = {"exact_limit_becomes": 50, "moon": "others_plus"}
    choices = {"ties": "play_on", "moon": "choice_all"}
    seen: set[str] = set()
    saved = {**resets, "bonus_card": "JD"}  # who has it may come down to the limit
    for options in (resets, choices, saved):
        table = whole("estmesh-hearts", 4, DEAL, **options)
        for number in range(0, 120, 3):
            for _, names in built_ends.ends_shown(table, SEED, number, ()):
                seen |= {*names}
    assert seen >= {
        "reset: of two at once",
        "reset: beside a total beyond the limit",
        "reset: for who wins",
        "reset: of a seat that scored nothing",
        "reset: from above",
        *(f"reset: of seat {seat}" for seat in range(4)),
        "moon: played on, over: True, won by the shooter: True",
        "moon: not played on, over: False, won by the shooter: False",
    }


def test_other_totals_change_nothing_of_the_play() -> None:
    one = candidates.candidate(WHOLE, SEED, 3)
    other = built_ends.with_variant(WHOLE, SEED, 3, 5, True)
    assert one is not None
    assert other is not None
    assert other.script.moves == one.script.moves
    assert other.script.start != one.script.start
    assert not other.plain


def test_what_decides_the_end_is_shown_by_some_totals_and_nothing_else_is() -> None:
    with mutant_workers(1) as pool:
        names = ("off:9.3", "off:9.5", "off:5.3")
        shown = pool.submit(aiming.ends, WHOLE.fields(), SEED, 0, names).result()
    assert len(shown) > 8
    assert {name for one in shown for name in one.moments} == {"off:9.3", "off:9.5"}


# The first trick


def test_those_who_have_played_their_last_card_to_it_count_as_players() -> None:
    rules = Ruleset("gamerules-domino", 3, {"hand_size": 1})
    name = "first trick: void, the last to play"
    state = new_deal(rules, ["2C", "3C", "5D"], dealer=2, deal=1, stock="4D 2H 6D 3H")
    state = state.play("2C")
    assert name not in moments.moments_before(state)
    state = state.play("3C").draw().draw().draw().draw()
    assert (state.out, state.legal.due.kind) == ((0, 1), "play")
    assert name in moments.moments_before(state)
    assert "out: in the middle of a trick" not in moments.moments_before(state)


# Whole matches


@pytest.mark.parametrize("number", [3, 15, 17])
def test_where_there_is_no_limit_a_match_is_tied_after_its_last_deal(
    number: int,
) -> None:
    rules = Ruleset("common-hearts", 4, {"limit": "none", "deals": 3})
    one = candidates.whole_match(Table(ruleset=rules), 1, number)
    assert one is not None
    assert moments.WHOLE_TIED in one.moments
    *_, end = moments_of(one.script)
    assert end.over
    assert len(lowest(end.totals)) > 1


@pytest.fixture(scope="module")
def matches(found: AimedSet) -> list[AimedLine]:
    names = {moments.WHOLE, moments.WHOLE_TIED}
    return [one for one in found.lines if names & {*one.moments}]


def test_two_matches_are_played_from_the_first_deal_to_the_end(
    matches: list[AimedLine],
) -> None:
    ends = []
    for one in matches:
        trace = read_trace(one.line)
        assert isinstance(trace.start, Match)
        moves = tuple(Move(step.act) for step in trace.steps)
        *before, end = moments_of(Script(trace.ruleset, trace.start, moves))
        assert end.over
        assert not any(state.over for state in before)
        assert end.deal > 4
        assert max(end.totals) >= 100 > max(before[-1].totals)
        assert {"totals", "match", "over"} <= {*trace.end}
        ends.append(end.totals)
    shared = [totals.count(min(totals)) > 1 for totals in ends]
    assert sorted(shared) == [False, True]


def never_over(request: Json) -> None:
    """A fault: the limit is ignored in matches, but not in games given by a setup."""
    if request["op"] == "open" and "match" in request:
        request["ruleset"].setdefault("options", {})["limit"] = 1000


def test_a_match_that_never_ends_is_red_though_single_deals_know_the_limit(
    found: AimedSet, matches: list[AimedLine]
) -> None:
    red = []
    for one in found.lines:
        cases = Planted(mishear=never_over).cases(read_trace(one.line))
        if kinds_wrong([*cases.values()]):
            red.append(one)
    assert red == matches


def test_where_no_match_is_begun_there_is_none(cache: Path) -> None:
    deals_alone = attrs.evolve(SMALL, starts=("deal",))
    assert candidates.whole_match(deals_alone, SEED, 0) is None
    assert candidates.whole_match(SMALL, SEED, 0) is not None


# The cache


def test_a_file_that_is_broken_is_made_again_the_same(
    found: AimedSet, cache: Path
) -> None:
    (file,) = cache.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-100])
    again = aimed_set(SMALL, clauses_of_table(SMALL), SEED, jobs=1)
    assert again == found
    assert file.read_bytes() == whole
    assert [*cache.iterdir()] == [file]


@pytest.fixture
def nothing_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of an empty cache; every search in it finds nothing."""
    nothing: dict[str, object] = {"lines": [], "unreached": {}, "unseen": []}
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(aimed_games, "_searched", lambda *asked: nothing)
    return tmp_path


LIST = rb'"lines":[{"id":"t","line":"{\"trace\":1,\"id\":1,\"spec\":1}","shows":[]}]'


@pytest.mark.parametrize(
    ("there", "instead"),
    [(b"unseen", b"\xffnseen"), (b'"lines":[]', LIST)],
    ids=["no UTF-8", "a list for an object"],
)
def test_a_file_that_is_not_what_was_kept_is_made_again(
    nothing_found: Path, there: bytes, instead: bytes
) -> None:
    aimed_set(SMALL, ["5.3"], SEED)
    (file,) = (nothing_found / "refengine" / "tables").iterdir()
    whole = file.read_bytes()
    assert there in whole
    file.write_bytes(whole.replace(there, instead))
    assert aimed_set(SMALL, ["5.3"], SEED) == AimedSet((), {}, ())
    assert file.read_bytes() == whole


def test_what_is_kept_is_not_searched_for_again(
    found: AimedSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aimed_games, "_searched", lambda *asked: 1 / 0)
    assert aimed_set(SMALL, clauses_of_table(SMALL), SEED) == found
    with pytest.raises(ZeroDivisionError):
        aimed_set(SMALL, clauses_of_table(SMALL), SEED + 1)


def test_a_cache_that_cannot_be_written_does_no_harm(nothing_found: Path) -> None:
    (nothing_found / "refengine").write_text("no folder")
    assert aimed_set(SMALL, ["5.3"], SEED) == AimedSet((), {}, ())


def test_nothing_stays_in_a_cache_that_is_full(
    monkeypatch: pytest.MonkeyPatch, nothing_found: Path
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr(Path, "replace", full)
    assert aimed_set(SMALL, ["5.3"], SEED) == AimedSet((), {}, ())
    assert not [one for one in nothing_found.rglob("*") if one.is_file()]


def test_a_search_that_fails_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aimed_games, "_PROCESS", "refengine_conformance.no_such")
    # else a digest of no module would be kept, and other games filed under it
    monkeypatch.setattr(aimed_games, "_source_digest", lambda: "")
    with pytest.raises(RuntimeError, match="the search for games"):
        aimed_set(SMALL, ["5.3"], SEED + 2)


def test_a_second_look_at_a_game_adds_to_what_the_first_one_found() -> None:
    witnesses = aiming._Witnesses()
    here, there = aiming.Place("3 legal", True), aiming.Place("end score", False)
    witnesses.add(aiming.Kills(252, True, {"off:5.3": here}))
    witnesses.add(aiming.Kills(252, True, {"off:8.3": there}))
    assert witnesses.enough("off:5.3") == witnesses.enough("off:8.3") == [252]


def test_candidates_that_come_to_one_line_show_together_what_each_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moon, last = "moon: with every trick", "moon: complete with the last trick"
    kinds, score = ("legal", "probe"), ("observe.score",)
    games = [
        aiming.SlimGame("t-1", "{}", {"off:5.3": kinds}, (moon,), False),
        aiming.SlimGame("t-2", "{}", {"off:5.3": kinds}, (), False),
        aiming.SlimGame("t-1", "{}", {"off:8.3": score}, (last, moon), True),
    ]
    monkeypatch.setattr(aiming._Search, "_slim_games", lambda *asked: iter(games))
    with ThreadPoolExecutor(1) as pool:  # to which no task is given
        work = aiming._Search(pool, SMALL.fields(), SEED)
        found = work.result(["off:5.3", "off:8.3", "off:9.5"], (), ())
    one, other = found["lines"]
    assert (one["id"], other["id"]) == ("t-1", "t-2")
    assert one["shows"] == {"5.3": kinds, "8.3": score}
    assert one["moments"] == (moon, last)
    assert (one["plain"], other["plain"]) == (True, False)
    assert [*found["unreached"]] == ["9.5"]


def test_a_moment_is_unseen_if_neither_a_line_nor_a_candidate_seen_reaches_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A line may come from a game that the first search for moments did not examine."""
    in_line, in_sight = "moon: with every trick", "moon: with a trick lost"
    games = [aiming.SlimGame("t-1", "{}", {}, (in_line,), True)]
    monkeypatch.setattr(aiming._Search, "_slim_games", lambda *asked: iter(games))
    with ThreadPoolExecutor(1) as pool:  # to which no task is given
        work = aiming._Search(pool, SMALL.fields(), SEED)
        seen = [aiming.Sight(3, True, (in_sight,))]
        unseen = {*work.result((), (), seen)["unseen"]}
    assert {in_line, in_sight}.isdisjoint(unseen)
    assert "moon: complete with the last trick" in unseen


def test_a_clause_is_unreached_because_no_game_needs_it_or_none_can_be_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(aiming._Search, "_slim_games", lambda *asked: iter(()))
    with ThreadPoolExecutor(1) as pool:  # to which no task is given
        work = aiming._Search(pool, SMALL.fields(), SEED)
        none = work.result(["off:5.3"], (), ())
        some = work.result(["off:5.3"], (), [aiming.Sight(3, True, ())])
    assert none["unreached"] == {"5.3": "no game can be built for this table"}
    why = "none of 332 games built for this table needs it"
    assert some["unreached"] == {"5.3": why}


def test_the_first_search_ends_where_the_further_one_begins() -> None:
    looked_through = [number for chunk in aiming.CHUNKS for number in chunk]
    assert looked_through == [*range(aiming.LOOKED_THROUGH)]


# Candidates


OTHER_HANDS = Table(ruleset=Ruleset("gamerules-domino", 3), hands=4, starts=ALL_STARTS)
BESIDE_KITTY = Table(
    ruleset=Ruleset("estmesh-hearts", 4, {"undealt": "kitty"}),
    hands=4,
    starts=("match", "match-dealer"),
)


def test_where_the_ruleset_names_other_hands_every_game_is_a_deal_as_found() -> None:
    """A match of gamerules-domino deals six cards each (3.4), but here it is four."""
    starts = [
        candidates.random_game(OTHER_HANDS, SEED, number).start for number in range(40)
    ]
    starts += [
        candidate_at(OTHER_HANDS, number, tried=False).script.start
        for number in range(40)
    ]
    for start in starts:
        assert isinstance(start, Setup)
        assert start.leader is None
        assert [len(hand) for hand in start.hands] == [4] * 3
    no_deal = attrs.evolve(OTHER_HANDS, starts=("position", "match", "match-dealer"))
    for number in range(4):
        assert candidates.candidate(no_deal, SEED, number) is None
        assert candidates.whole_match(no_deal, SEED, number) is None
        assert candidates.whole_match(OTHER_HANDS, SEED, number) is None
        with pytest.raises(Malformed, match="a table at which a game can be dealt"):
            candidates.random_game(no_deal, SEED, number)


def test_where_a_match_names_its_pack_as_many_cards_are_dealt_as_can_be() -> None:
    """With four players, the kitty then has at most three cards (3.10)."""
    packs = []
    for number in range(40):
        packs.append(candidates.random_game(BESIDE_KITTY, SEED, number).start)
        one = candidate_at(BESIDE_KITTY, number, tried=False)
        packs.append(one.script.start)
    sizes = set()
    for start in packs:
        assert isinstance(start, Match)
        sizes.add(len(start.pack))
    assert sizes == {16, 17, 18, 19}


def deals_in(rules: Ruleset, start: Match, told: Sequence[Act]) -> int:
    """The number of deals made when two are wanted and these acts are carried out."""
    acts = iter(told)
    director: Any = SimpleNamespace(
        ruleset=rules, next_act=lambda rng, state: next(acts, None)
    )
    script, _ = candidates._played(SteadyRandom("1"), None, start, director, 2)
    return sum(isinstance(one.act, Deal) for one in script.moves)


def test_a_claim_between_two_deals_ends_no_deal() -> None:
    options = {"pass_cycle": [], "direction": "clockwise"}
    rules = Ruleset("heartsgame-tiles", 3, options)
    first = [Play(0, "2C"), Play(1, "3D"), Play(2, "4C")]  # seat 1 revokes
    second = [Play(2, "4D"), Play(0, "2D"), Play(1, "3C")]
    dealt = ["2C 2D", "3C 3D", "4C 4D"]
    told: list[Act] = [Deal(0, dealt), *first, *second, Claim(0, 1, 1), Deal(1, dealt)]
    assert deals_in(rules, Match(0, "2C 3C 4C 2D 3D 4D"), told) == 2


def test_a_deal_that_ends_twice_is_one_deal() -> None:
    """An ended deal goes on if a card of its last trick is taken back (7.4a, 7.5)."""
    options = {"deal_ends": "no_points_left", "pass_cycle": []}
    rules = Ruleset("dominorules-tiles", 3, options)
    hands = ["2C 2D 5D", "3C 3D 2H", "4C 4D 6D"]
    told: list[Act] = [
        Deal(0, hands),
        *(Play(0, "2C"), Play(1, "2H"), Play(2, "4C")),  # seat 1 revokes; it ends
        *(Retract(1, "2H"), Play(1, "3C"), Play(2, "4C")),
        *(Play(2, "4D"), Play(0, "2D"), Play(1, "3D")),
        *(Play(2, "6D"), Play(0, "5D"), Play(1, "2H")),  # it ends again
        Deal(1, hands),
    ]
    assert deals_in(rules, Match(0, "2C 3C 4C 2D 3D 4D 5D 6D 2H"), told) == 2


def test_the_queen_takes_the_place_of_a_heart_that_need_not_be_there() -> None:
    pack = [Card("2C"), layouts.QUEEN, *layouts.HEARTS[:3]]
    hand = layouts._hearts_queen_and_another(SteadyRandom("1"), 5, pack)
    assert {*hand} == {*pack}


def test_a_king_that_costs_points_is_kept_back() -> None:
    """The king of spades is a penalty card in Black Maria (1.4)."""
    for profile, kept in (("black-maria", "AD"), ("common-hearts", "KS")):
        state = new_match(Ruleset(profile, 4), dealer=0)
        taste = direction._takes_all_at_the_end(0)
        held = [Card("KS"), Card("AD")]
        liked = max(held, key=lambda card: taste(state, 1, card))
        assert liked == Card(kept)


def test_a_seat_that_is_out_is_passed_over_when_others_ask_who_is_winning() -> None:
    """Seat 1 is out, and seat 3 gives its heart away if seat 2 is to be loaded."""
    rules = Ruleset("gamerules-domino", 4)
    position = Setup(
        dealer=3,
        hands=["4D 6D", "", "7D 8D", "9D TH QS"],
        leader=0,
        trick="3C 5C",
        out=[1],
        taken=["", "2C 6C 7C 8C", "", ""],
        tricks=[0, 1, 0, 0],
    )
    state = State.open(rules, position)
    assert state.turn == (3,)
    for subject, liked in ((2, Card("TH")), (1, Card("9D")), (0, Card("9D"))):
        taste = direction.loaded_on(subject)
        held = [Card("9D"), Card("TH")]
        assert max(held, key=lambda card: taste(state, 3, card)) == liked


@pytest.mark.parametrize("hands", ["any", "full", 3])
@pytest.mark.parametrize("cycle", [("scatter",), ("hold", "scatter", "mix")])
def test_where_no_hand_is_large_enough_for_the_pass_there_is_no_candidate(
    cycle: tuple[str, ...], hands: int | str
) -> None:
    """Each of eight seats would scatter seven cards, but holds at most six."""
    ruleset = Ruleset("pokerwiner-hearts", 8, {"pass_cycle": cycle})
    table = Table(ruleset=ruleset, hands=hands, starts=("deal", "match-dealer"))
    passes = set()
    for number in range(24):
        one = candidates.candidate(table, SEED, number)
        if one is not None:
            start = one.script.start
            assert isinstance(start, Setup)
            passes.add(cycle[(start.deal - 1) % len(cycle)])
    # A match needs hands for the whole cycle, a deal for its own pass: three cards are
    # just enough for the mix.
    assert passes == {*cycle} - {"scatter"}
    assert candidates.whole_match(table, SEED, 0) is None


def test_where_hands_cannot_hold_the_cards_needed_there_is_no_candidate() -> None:
    needed = "2C 3C 4C 2D 3D 4D QS KS AS 2H 3H 4H 5H"
    ruleset = Ruleset("estmesh-hearts", 4)
    table = Table(ruleset=ruleset, hands=3, starts=DEAL, cards=needed)
    assert [candidates.candidate(table, SEED, one) for one in range(3)] == [None] * 3


def test_the_top_of_two_suits_is_the_top_where_a_hand_is_one_card() -> None:
    for seed in range(9):
        (card,) = layouts._highest_of_two_suits(Random(seed), 1, [*CARDS])
        assert card.value in ("AC", "AD", "AS")


def test_no_hand_has_two_cards_beside_hearts_where_the_pack_has_one() -> None:
    for seed in "12345":
        pack = [Card("2C"), *layouts.HEARTS]
        assert layouts._long_hearts(SteadyRandom(seed), 6, pack) == []


def test_no_hand_keeps_a_low_card_for_the_last_trick_where_the_pack_is_hearts() -> None:
    assert layouts.highest_and_a_low_one(Random(1), 2, [*layouts.HEARTS]) == []


def test_a_hand_to_win_all_tricks_but_the_last_holds_no_card_twice() -> None:
    """The five highest of eight cards are also among the eight lowest."""
    pack = [*CARDS[:8]]  # the clubs from the two to the nine
    for seed in range(9):
        hand = layouts.highest_and_a_low_one(Random(seed), 6, pack)
        assert len({*hand}) == len(hand) == 6
        assert {*hand} > {*pack[3:]}


@pytest.mark.parametrize("number", [0, 2, 7, 20])
def test_a_candidate_depends_on_its_number_alone(number: int) -> None:
    one = candidates.candidate(WHOLE, SEED, number)
    assert one == candidates.candidate(WHOLE, SEED, number)
    assert one is not None
    bare = candidate_at(WHOLE, number, tried=False)
    assert [move.act for move in bare.script.moves] == [
        move.act for move in one.script.moves
    ]
    assert bare.moments == one.moments
    other = candidates.candidate(WHOLE, SEED + 1, number)
    assert other is not None
    assert other.script.start != one.script.start


def test_whole_hands_are_led_where_engines_go_wrong() -> None:
    seen: set[str] = set()
    for number in range(80):
        one = candidate_at(WHOLE, number, tried=False)
        seen |= {*one.moments}
    assert seen >= {
        "first trick: nothing but penalty cards",
        "first trick: nothing but hearts",
        "lead: nothing but hearts, unbroken",
        "lead: hearts and the queen, unbroken",
        "opening: a card that was passed",
        "moon: one card short",
        "moon: with a trick lost",
        "totals: at the limit",
        "totals: the lowest tied at the end",
    }


def test_a_moment_is_where_a_game_says_that_it_is_and_nowhere_else() -> None:
    one = candidate_at(WHOLE, 0)
    assert one.moments
    found: dict[str, set[int]] = {}
    for step, (before, after) in enumerate(pairwise(moments_of(one.script)), 1):
        met = (*moments.moments_before(before), *moments.moments_after(before, after))
        for name in met:
            found.setdefault(name, set()).add(step)
    assert found == {name: {*steps} for name, steps in one.moments.items()}


def test_moments_of_a_small_deal() -> None:
    ruleset = Ruleset("estmesh-hearts", 4, {"pass_cycle": [], "moon": "others_plus"})
    hands = ["2H 3H", "2C 3C", "4C QS", "5D 6D"]
    state = State.open(ruleset, Setup(dealer=0, deal=1, hands=hands))
    assert [*moments.moments_before(state)] == ["opening: several clubs"]
    state = state.apply(Play(1, "2C"))
    assert [*moments.moments_before(state)] == ["one card to follow: clubs"]
    state = state.apply(Play(2, "4C")).apply(Play(3, "5D"))
    assert [*moments.moments_before(state)] == [
        "first trick: nothing but penalty cards",
        "first trick: nothing but hearts",
    ]
    state = state.apply(Play(0, "2H")).apply(Play(2, "QS"))
    last = state.apply(Play(3, "6D")).apply(Play(0, "3H"))
    after = last.apply(Play(1, "3C"))
    assert {*moments.moments_after(last, after)} >= {
        "moon: with every trick",
        "moon: complete with the last trick",
    }


def test_revokes_are_played_and_what_follows_them_where_they_are_accepted() -> None:
    kinds: set[type] = set()
    seen: set[str] = set()
    for number in range(3, 60, 4):
        one = candidate_at(REVOKES, number, tried=False)
        seen |= {*one.moments}
        for state, move in zip(moments_of(one.script), one.script.moves, strict=False):
            kinds.add(type(move.act))
            if isinstance(state.verdict(move.act), Irregular):
                kinds.add(Irregular)
    assert kinds >= {Irregular, Retract, Claim, QuitTrick}
    assert seen >= {*moments.REVOKES.values(), moments.UNCLAIMED}
    for number in range(0, 20, 4):
        one = candidate_at(REVOKES, number, tried=False)
        assert not any("revoke" in name for name in one.moments)


# Random games


def test_a_random_game_depends_on_its_number_alone() -> None:
    games = [candidates.random_game(WHOLE, SEED, number) for number in range(4)]
    assert games == [candidates.random_game(WHOLE, SEED, number) for number in range(4)]
    assert len({str(game.start) for game in games}) == 4
    for game in games:
        assert moments_of(game)[-1].over
        assert replay(recorded(game)) == []


def test_no_game_can_be_dealt_at_a_table_without_enough_cards() -> None:
    table = Table(ruleset=Ruleset("estmesh-hearts", 4), hands=2, starts=DEAL)
    with pytest.raises(Malformed, match="a table at which a game can be dealt"):
        candidates.random_game(table, SEED, 0)


# `conform deals`


def written(line: bytes) -> tuple[Trace, dict[str, object]]:
    trace = read_trace(line)
    return trace, json.loads(line)


def test_lines_stand_by_themselves_and_have_the_same_id(found: AimedSet) -> None:
    some = [*deals.deal_lines(SMALL, SEED)]
    assert len(some) == len(found.lines)
    for line, one in zip(some, found.lines, strict=True):
        trace, fields = written(line)
        ruleset = fields["ruleset"]
        assert isinstance(ruleset, dict)
        assert {*ruleset["options"]} == {*SMALL.ruleset.options}
        assert fields["id"] == trace.id == one.id
        assert trace.ruleset.changed == SMALL.ruleset.changed
        assert read_trace(write_trace(trace)).id == one.id
        assert fields["x-aim"] == [*one.shows]


def test_random_games_follow_the_aimed_ones(found: AimedSet) -> None:
    number = len(found.lines)
    some = [*deals.deal_lines(SMALL, SEED, number + 3)]
    assert some[:number] == [*deals.deal_lines(SMALL, SEED)]
    for line in some[number:]:
        trace, fields = written(line)
        assert "x-aim" not in fields
        assert replay(trace) == []
        state = State.open(trace.ruleset, trace.start)
        assert trace.steps[0].legal == legal_fields(state)
    assert [*deals.deal_lines(SMALL, SEED, 2)] == some[:2]
    assert [*deals.deal_lines(SMALL, SEED, 0)] == []


def test_games_can_be_asked_for_by_clause(found: AimedSet) -> None:
    some = [*deals.deal_lines(SMALL, SEED, clause="8.3")]
    assert [json.loads(line)["id"] for line in some] == [
        one.id for one in found.lines if "8.3" in one.shows
    ]
    with pytest.raises(Malformed):
        [*deals.deal_lines(SMALL, SEED, clause="6.4")]


def test_the_command_writes_what_replay_accepts(
    found: AimedSet, tmp_path: Path, run: Runner
) -> None:
    file = tmp_path / "deals.jsonl"
    asked = ("conform", "deals", *FLAGS, *STARTS, "--deals", "30")
    assert run(*asked, "--output", str(file))[0] == 0
    assert len(file.read_bytes().splitlines()) == 30
    assert run("replay", str(file))[0] == 0
    assert run(*asked)[:2] == (0, file.read_text("utf-8"))


def test_the_command_takes_a_clause_and_says_what_it_cannot_do(
    found: AimedSet, tmp_path: Path, run: Runner
) -> None:
    asked = ("conform", "deals", *FLAGS, *STARTS)
    code, out, _ = run(*asked, "--clause", "8.3")
    shown = sum("8.3" in one.shows for one in found.lines)
    assert (code, len(out.splitlines())) == (0, shown)
    assert run(*asked, "--clause", "6.4")[0] == 3
    assert run(*asked, "--clause", "17.4")[0] == 3
    code, _, err = run(*asked, "--output", str(tmp_path / "nowhere" / "deals.jsonl"))
    assert code == 3
    assert "cannot be written: there is no folder" in err


def test_a_penalty_card_that_would_win_is_not_given_away() -> None:
    """With its queen, seat 1 would win the trick itself (5.10)."""
    hands = ["3D", "2S QS", "5D 6S", "7D 8S"]
    ruleset = Ruleset("common-hearts")
    state = new_deal(ruleset, hands, dealer=3, deal=4, leader=0, trick="JS")
    taste = direction.loaded_on(0)
    assert taste(state, 1, Card("2S")) > taste(state, 1, Card("QS"))


# What a game asserts, and where it begins


def test_a_refusal_that_shows_only_when_the_act_is_made_is_kept() -> None:
    """Seat 1 holds a club and may not discard a heart (5.3)."""
    hands = ["2C 3H", "5C 4H", "4C 5H", "KC 6H"]
    setup = setup_of({"dealer": 0, "deal": 4, "hands": hands})
    acts = [Play(0, "2C"), Play(1, "5C"), Play(2, "4C"), Play(3, "KC")]
    moves = tuple(map(Move, acts))
    trace = recorded(Script(Ruleset("estmesh-hearts", 4), setup, moves))
    (refused,) = trace.steps[1].refuse
    place = f"2 refuse {refused.act}"
    for where in (place, f"{place} when it is made"):
        assert slim_line(trace, [where], {}).steps[1].refuse == (refused,)


def test_the_card_of_a_revoke_that_another_seat_takes_back_is_kept() -> None:
    """Only the seat that has revoked may take its card back (7.3)."""
    ruleset = Ruleset("dominorules-tiles", 4, {"pass_cycle": ()})
    hands = ["2C 9D", "5C 6D", "4C 7D", "KC 8D"]
    cards = ("2C", "9D", "6D")
    others = tuple(Retract(seat, card) for card in cards for seat in (2, 3))
    moves = (
        Move(Play(0, "2C")),
        Move(Play(1, "6D")),  # a revoke: the seat holds 5C
        Move(Play(2, "4C"), tries=others),
    )
    setup = setup_of({"dealer": 3, "hands": hands})
    slim = slim_line(recorded(Script(ruleset, setup, moves)), (), {})
    assert Retract(2, "6D") in [one.act for one in slim.steps[2].refuse]


def test_once_taken_back_the_card_of_a_revoke_is_like_any_other() -> None:
    ruleset = Ruleset("dominorules-tiles", 4, {"pass_cycle": ()})
    hands = ["2C 9D", "5C 6D", "4C 7D", "KC 8D"]
    tries = tuple(Retract(seat, card) for card in ("2C", "6D") for seat in (2, 3))
    moves = (
        Move(Play(0, "2C")),
        Move(Play(1, "6D")),
        Move(Retract(1, "6D")),
        Move(Play(1, "5C"), tries=tries),
    )
    setup = setup_of({"dealer": 3, "hands": hands})
    slim = slim_line(recorded(Script(ruleset, setup, moves)), (), {})
    kept = [one.act for one in slim.steps[3].refuse if one.act in tries]
    assert kept == [*tries[:2]]


def test_no_total_is_at_the_limit_before_the_deal() -> None:
    """The match would then be over already (9.3)."""
    table = whole("omnibus-hearts", 4)
    for score in ((-36, 0, 0, 0), (-36, -1, -2, -3)):
        for number in range(200):
            rng = SteadyRandom(str(number))
            assert max(candidates._aimed_totals(rng, table, score)) < 100


def test_a_deal_needs_cards_for_its_own_pass_alone() -> None:
    """A scatter would take twelve cards from each seat, more than anybody has."""
    ruleset = Ruleset("pokerwiner-hearts", 13, {"pass_cycle": ("left", "scatter")})
    table = Table(ruleset=ruleset, starts=DEAL)
    assert candidates.candidate(table, SEED, 0) is not None  # deal 1, to the left
    assert candidates.random_game(table, SEED, 0).moves
