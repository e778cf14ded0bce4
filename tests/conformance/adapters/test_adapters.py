"""Tests that the example adapters answer as our engine does.

They are compared in random games and in single requests.
"""

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from refengine import OPTIONS, Match, Refused, Ruleset, State
from refengine.formats.fields import FIELDS
from refengine.formats.trace import Trace
from refengine.lawbook.editions import edition
from refengine_conformance.generators.strategies import Move, mended
from refengine_conformance.runner.declared import why_later
from refengine_conformance.runner.results import Limits, Outcome
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.selection import (
    CORPUS,
    Choice,
    Selection,
    beside_corpus,
)
from tests.support import places
from tests.support.adapters import Json, Talk, asked, directed
from tests.support.lockstep import position_out_of
from tests.support.node import NODE
from tests.support.strategies import (
    some_act,
    some_match,
    some_setup,
    some_value,
)

LONGEST = 200
FIRST = "1.0.0"
JAVASCRIPT, PLAIN = "hearts_adapter.mjs", "plain_adapter.py"
SMALL: Json = {"dealer": 3, "deal": 4, "hands": ["2C", "3C", "4C", "5C"]}
ESTMESH = Ruleset("estmesh-hearts")
GAMES = 20
PLAIN_KINDS = {"step", "legal", "probe", "observe"}
KITTY = Ruleset("estmesh-hearts", 4, {"undealt": "kitty"})
PLAIN_OPTIONS: dict[str, tuple[object, ...]] = {
    "pass_cycle": ([], ["left"], ["right"], ["across", "hold"], ["hold"]),
    "pass_count": (1, 2, 3),
    "first_trick_points": ("barred", "allowed"),
    "queen_breaks_hearts": (True, False),
    "heart_leads": ("free", "when_broken", "when_broken"),
    "hearts_or_queen_leader": ("queen", "any"),
    "opening_card": ("any", "any_club", "lowest_club"),
    "bonus_card": ("none", "JD", "TD"),
    "moon": ("none", "choice_all", "choice_one", "self_minus", "others_plus"),
    "limit": (26, 100),
    "limit_rule": ("exceed", "reach"),
}
JS_OPTIONS = (
    (places.ADAPTERS / JAVASCRIPT)
    .read_text("utf-8")
    .partition("PLAYS = `")[2]
    .partition("`")[0]
    .split()
)


def command(name: str, folder: Path = places.ADAPTERS) -> list[str]:
    path = str(folder / name)
    return [NODE if name.endswith(".mjs") else sys.executable, path]


@pytest.fixture(scope="module", params=[JAVASCRIPT, PLAIN])
def example(request: pytest.FixtureRequest) -> Iterator[Talk]:
    with Talk(command(request.param)) as talk:
        yield talk


def some_game(rng: Random, state: State) -> Trace:
    """A random game; before each act, three random acts are probed.

    The act carried out is sometimes one of the three.
    """

    def direct(state: State) -> Move | None:
        tries = tuple(some_act(rng, state) for _ in range(3))
        done = [act for act in tries if not isinstance(state.verdict(act), Refused)]
        chosen = done[0] if done and rng.random() < 0.4 else None
        if len(state.acts) == LONGEST or (state.over and chosen is None):
            return None
        act = chosen or state.random_act(rng)
        return Move(act, tries, rng.randrange(state.ruleset.players))

    return directed(state, direct)


def some_games(
    opening: Callable[[Random], State], seeds: Iterable[int]
) -> Iterator[Trace]:
    """Random games, one for each seed; `opening` makes the first state of each."""
    for rng in map(Random, seeds):
        yield some_game(rng, opening(rng))


def some_supported_ruleset(rng: Random) -> Ruleset:
    """A random ruleset without a kitty, scatter, mix or passing unseen."""
    cycle = [
        rng.choice(["left", "right", "across", "hold"])
        for _ in range(rng.randint(0, 4))
    ]
    options = {
        option.name: some_value(rng, option)
        for option in OPTIONS
        if option.name in JS_OPTIONS and rng.random() < 0.3
    }
    options |= {"pass_unseen": False, "pass_cycle": cycle, "undealt": "none"}
    name = rng.choice([*edition(FIRST).members["profiles"]])
    if "domino" in name:
        options["undealt"] = "stock"
    if rng.random() < 0.5:
        options["revokes"] = "penalised"
    return mended(name, rng.randrange(13), options)


def some_supported_opening(rng: Random) -> State:
    """A random match, deal or position under a ruleset that the adapter supports.

    The ruleset belongs to edition 1.0.0.
    """
    ruleset = some_supported_ruleset(rng)
    while why_later(ruleset, FIRST):
        ruleset = some_supported_ruleset(rng)
    kind = rng.random()
    start = some_match(rng, ruleset) if kind < 0.3 else some_setup(rng, ruleset)
    if start is None:
        ruleset = ruleset.having(pass_cycle=[])
        start = some_setup(rng, ruleset)
    state = State.open(ruleset, start)
    if kind < 0.8 or isinstance(start, Match):
        return state
    return position_out_of(state, rng)


def some_plain_opening(rng: Random) -> State:
    """The beginning of a random deal of plain Hearts for four players."""
    options = {
        name: rng.choice(values)
        for name, values in PLAIN_OPTIONS.items()
        if rng.random() < 0.4
    }
    name = rng.choice(["estmesh-hearts", "openspiel-hearts"])
    if name == "openspiel-hearts":
        options.pop("limit", None)
    ruleset = Ruleset(name, 4, options)
    start = some_setup(rng, ruleset)
    assert start is not None
    return State.open(ruleset, start)


def passed_and_untold(
    name: str, opening: Callable[[Random], State], block: int
) -> tuple[set[str], set[str]]:
    """The kinds of cases that an adapter passes, and the fields that it never reports.

    It has to answer as our engine does in the random games of a block of seeds. The cut
    is not counted as a field, since not every block has a match that begins with one.
    """
    games = some_games(opening, range(block * 100, block * 100 + GAMES))
    found = asked(games, command(name))
    assert (found.exit_code, found.faults) == (0, ())
    told = set[str]().union(*(case.told for case in found.cases))
    kinds = {case.kind for case in found.cases if case.outcome is Outcome.PASS}
    return kinds, {*FIELDS} - told - {"cut"}


def blocks(number: int) -> list[Any]:
    """The numbers of the blocks of seeds; those from 5 on are marked as slow."""
    slow = [pytest.param(one, marks=pytest.mark.slow) for one in range(5, number)]
    return [*range(5), *slow]


@pytest.mark.parametrize("block", blocks(20))
def test_the_javascript_engine_answers_as_ours_does(block: int) -> None:
    kinds = {*PLAIN_KINDS, "clause", "clauses", "views", "replay"}
    found = passed_and_untold(JAVASCRIPT, some_supported_opening, block)
    assert found == (kinds, set())


@pytest.mark.parametrize("block", blocks(10))
def test_the_plain_engine_answers_as_ours_does(block: int) -> None:
    untold = {"drew", "kitty", "out", "revokes", "stock"}
    assert passed_and_untold(PLAIN, some_plain_opening, block) == (PLAIN_KINDS, untold)


def test_what_an_adapter_cannot_do_it_says(example: Talk) -> None:
    assert "unsupported" in example.open(KITTY, match={})
    assert "unsupported" in example.ask("enumerate", limit=5)


def test_the_plain_engine_plays_no_matches_and_replays_nothing() -> None:
    with Talk(command(PLAIN)) as talk:
        assert "unsupported" in talk.open(ESTMESH, match={})
        assert "unsupported" in talk.ask("replay", trace={})


def test_the_plain_engine_counts_a_card_given_twice_as_two() -> None:
    hands = ["2C 3C 4C 5C", "6C 7C 8C 9C", "2D 3D 4D 5D", "6D 7D 8D 9D"]
    with Talk(command(PLAIN)) as talk:
        assert "ok" in talk.open(
            ESTMESH, setup={"dealer": 3, "deal": 1, "hands": hands}
        )
        for given, answer in (("2C 2C 3C 4C", "refused"), ("2C 3C 4C", "ok")):
            assert answer in talk.ask("probe", seat=0, act={"pass": given})


@pytest.mark.parametrize(
    ("option", "value", "taken"),
    [("new_option", 1, False), ("deals", 3, True), ("limit", 50, True)],
)
def test_an_option_that_an_adapter_does_not_know_is_declined_and_no_other(
    example: Talk, option: str, value: object, taken: bool
) -> None:
    answer = example.open(ESTMESH, {option: value}, setup=SMALL)
    assert ("ok" in answer) == taken
    assert taken or option in answer["unsupported"]


def test_the_plain_engine_adds_no_faces() -> None:
    with Talk(command(PLAIN)) as talk:
        faces = talk.open(ESTMESH, {"heart_points": "face"}, setup=SMALL)
        assert faces == {"unsupported": "heart_points 'face'"}
        assert "ok" in talk.open(ESTMESH, {"heart_points": 2}, setup=SMALL)


@pytest.mark.parametrize("name", [JAVASCRIPT, PLAIN])
@pytest.mark.parametrize(
    ("hands", "score"),
    [
        (["KC", "2H", "3H", "4C"], [0, 2, 2, 2]),  # all the hearts are a moon
        (["KC", "QS", "3H", "4C"], [1, 0, 0, 0]),  # one heart is none, queen or not
    ],
)
def test_a_moon_where_the_queen_costs_nothing_needs_two_hearts(
    name: str, hands: list[str], score: list[int]
) -> None:
    """8.3a, which the runner asks of no engine of edition 1.0.0."""
    options = {"queen_points": 0, "moon": "others_plus"}
    with Talk(command(name)) as talk:
        assert "ok" in talk.open(ESTMESH, options, setup={**SMALL, "hands": hands})
        for seat in (3, 0, 1, 2):
            assert "ok" in talk.plays(seat, hands[seat])
        assert talk.ask("observe")["ok"]["score"] == score


def with_base(folder: Path, base: Json) -> Path:
    """A copy of the adapters' folder, next to profiles with these extra base values."""
    profiles = json.loads((CORPUS / "profiles.json").read_text("utf-8"))
    profiles["base"] |= base
    (folder / "corpus").mkdir()
    (folder / "corpus" / "profiles.json").write_text(json.dumps(profiles), "utf-8")
    return shutil.copytree(places.ADAPTERS, folder / "adapters")


@pytest.mark.parametrize("name", [JAVASCRIPT, PLAIN])
@pytest.mark.parametrize("base", [{"new_option": 0}, {}, None])
def test_an_option_that_an_adapter_does_not_know_is_fine_at_its_base_value(
    name: str, base: Json | None, tmp_path: Path
) -> None:
    adapters = with_base(tmp_path, base or {})
    if base is None:
        shutil.rmtree(tmp_path / "corpus")
    with Talk(command(name, adapters)) as talk:
        said = [talk.open(ESTMESH, {"new_option": one}, setup=SMALL) for one in (0, 1)]
        assert [*said[0]] == ["ok" if base else "unsupported"]
        assert [*said[1]] == ["unsupported"]


def test_the_second_reader_scores_no_deal_under_an_option_it_does_not_know(
    tmp_path: Path,
) -> None:
    reader = command("reader.mjs", with_base(tmp_path, {"new_option": 0}))
    trace: Json = {
        "trace": 1,
        "name": "wrong score",
        "ruleset": {"profile": "estmesh-hearts", "players": 4},
        "setup": SMALL,
        "steps": [
            {"seat": seat, "act": {"play": card}}
            for seat, card in enumerate(SMALL["hands"])
        ],
        "end": {"score": [1, 2, 3, 4]},
    }
    for value, code in ((0, 1), (1, 0)):
        trace["ruleset"] |= {"options": {"new_option": value}}
        (tmp_path / "one.jsonl").write_text(json.dumps(trace), "utf-8")
        done = subprocess.run([*reader, str(tmp_path / "one.jsonl")], check=False)
        assert done.returncode == code


def test_a_request_without_a_game_is_an_error() -> None:
    with Talk(command(JAVASCRIPT)) as talk:
        talk.open(KITTY, match={})
        for op in ("legal", "observe"):
            assert "error" in talk.ask(op)
        assert "error" in talk.plays(0, "2C")


def test_the_example_in_javascript_speaks_of_events_and_openings() -> None:
    beside = beside_corpus(Choice())
    settings = Settings(command=tuple(command(JAVASCRIPT)), limits=Limits(op=60.0))
    found = run(Selection((), beside=beside), settings)
    for kind, least in (("events", 15), ("openings", 70)):
        cases = [case for case in found.cases if case.kind == kind]
        number = Counter(str(case.outcome) for case in cases)
        assert number.keys() == {"pass", "unsupported"}
        assert number["pass"] > least
        assert not any(kind in case.note for case in cases)
    assert found.passed == found.scored
