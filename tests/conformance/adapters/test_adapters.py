"""The example adapters beside our engine: act by act, over their own pipes."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from refengine import (
    OPTIONS,
    Act,
    Claim,
    Irregular,
    Match,
    Refused,
    Ruleset,
    Setup,
    State,
)
from refengine.formats.fields import (
    act_fields,
    drawn_by,
    due_fields,
    normal_state_fields,
    ruleset_fields,
    start_fields,
    view_fields,
)
from refengine.lawbook.clause_names import gone_back, names_parts
from refengine.lawbook.editions import edition
from refengine_conformance.generators.strategies import (
    may_be_found,
    mended,
)
from refengine_conformance.runner.adapter_edition import ruleset_for, why_later
from refengine_conformance.runner.results import Limits
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.selection import (
    CORPUS,
    Choice,
    Selection,
    beside_corpus,
)
from tests.support import places
from tests.support.node import NODE
from tests.support.strategies import (
    moments,
    some_act,
    some_match,
    some_setup,
    some_value,
)

LONGEST = 200
FIRST = "1.0.0"
IN_ORDER = ("trick", "seat", "state")
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
    (places.ADAPTERS / "hearts_adapter.mjs")
    .read_text("utf-8")
    .partition("PLAYS = `")[2]
    .partition("`")[0]
    .split()
)

Json = dict[str, Any]


class Adapter:
    """A process that speaks the adapter protocol."""

    def __init__(self, *command: str) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe)
        self.seq = 0
        self.hello = self.ask(op="hello", protocol=1)["ok"]

    def ask(self, **request: object) -> Json:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.seq += 1
        line = json.dumps({"seq": self.seq, **request}) + "\n"
        self.process.stdin.write(line.encode())
        self.process.stdin.flush()
        answer: Json = json.loads(self.process.stdout.readline())
        assert answer.pop("seq") == self.seq
        assert len(answer) == 1
        return answer

    def open(self, state: State) -> Json:
        ruleset = ruleset_for(state.ruleset, self.spec)
        return self.ask(op="open", ruleset=ruleset, **start_fields(state.start))

    @property
    def spec(self) -> str:
        """The edition that it was written for."""
        found: str = self.hello.get("spec", FIRST)
        return found

    def close(self) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(b'{"seq":0,"op":"bye"}\n')
        self.process.stdin.close()
        code = self.process.wait(5)
        self.process.stdout.close()
        return code


def command(name: str, folder: Path = places.ADAPTERS) -> list[str]:
    path = str(folder / name)
    if name.endswith(".py"):
        return [sys.executable, path]
    return [NODE, path]


@pytest.fixture(scope="module")
def js() -> Iterator[Adapter]:
    adapter = Adapter(*command("hearts_adapter.mjs"))
    yield adapter
    assert adapter.close() == 0


@pytest.fixture(scope="module")
def plain() -> Iterator[Adapter]:
    adapter = Adapter(*command("plain_adapter.py"))
    yield adapter
    assert adapter.close() == 0


def answer_of(state: State, act: Act) -> Json:
    verdict = state.verdict(act)
    if isinstance(verdict, Refused):
        return {"refused": {"clauses": sorted(verdict.clauses)}}
    if isinstance(verdict, Irregular):
        return {"ok": {"breaks": sorted(verdict.clauses)}}
    return {"ok": {}}


def check_act(adapter: Adapter, op: str, state: State, act: Act) -> None:
    """One answer beside ours; clauses by the names of the edition of the adapter."""
    ours = answer_of(state, act)
    theirs = adapter.ask(op=op, seat=act.seat, act=act_fields(act))
    scored = "clauses" in adapter.hello["capabilities"]
    if scored and not names_parts(adapter.spec) and "refused" in ours:
        # The first edition refuses an early claim by other clauses (ruling 42).
        scored = not (isinstance(act, Claim) and "7.7" in ours["refused"]["clauses"])
        ours = {"refused": {"clauses": [*gone_back(ours["refused"]["clauses"])]}}
    if scored:
        theirs.get("refused", {}).get("clauses", []).sort()
    elif "refused" in ours:
        ours, theirs = {"refused": {}}, {name: {} for name in theirs}
    assert theirs == ours, (state, act)


def check_moment(adapter: Adapter, state: State, drew: Any, seat: int) -> None:
    assert adapter.ask(op="legal") == {"ok": due_fields(state.legal.due)}
    ours = normal_state_fields(state, drew)
    theirs = adapter.ask(op="observe")["ok"]
    if "revokes" in theirs:
        theirs["revokes"].sort(key=lambda one: tuple(one[name] for name in IN_ORDER))
    if state.acts and isinstance(state.acts[-1], Claim) and state.phase != "play":
        ours["drew"] = theirs["drew"]  # no turn is in progress any more
    whole = "stock" in adapter.hello["capabilities"]
    assert theirs == (ours if whole else {name: ours[name] for name in theirs})
    if "views" in adapter.hello["capabilities"]:
        view = adapter.ask(op="observe", seat=seat)
        assert view == {"ok": view_fields(state.observe(seat))}


def play_in_lockstep(adapter: Adapter, state: State, rng: Random) -> int:
    """Play one game on both sides and compare every answer; the number of acts."""
    assert adapter.open(state) == {"ok": {}}
    drew = None
    for count in range(LONGEST):
        check_moment(adapter, state, drew, rng.randrange(state.ruleset.players))
        acts = [some_act(rng, state) for _ in range(3)]
        for act in acts:
            check_act(adapter, "probe", state, act)
        done = [act for act in acts if not isinstance(state.verdict(act), Refused)]
        if not done or rng.random() < 0.6:
            if state.over:
                return count
            done = [state.random_act(rng)]
        check_act(adapter, "step", state, done[0])
        before, state = state, state.apply(done[0])
        drew = drawn_by(before, done[0], state)
    return LONGEST


def some_supported_ruleset(rng: Random) -> Ruleset:
    """A ruleset without kitty, scatter, mix and passing unseen."""
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
    """A deal as found, a match or a position under such a ruleset."""
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
    found = [state]
    for moment in moments(state, rng, rng.randint(1, 40), wild=0.0):
        if may_be_found(moment):
            found.append(State.open(moment.ruleset, Setup.of(moment)))
    return found[-1]


def some_plain_opening(rng: Random) -> State:
    """A deal as found of plain Hearts for four."""
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


def games_beside(adapter: Adapter, opening: Any, seeds: range) -> int:
    """Games in lockstep, one a seed; the number of their acts."""
    acts = 0
    for seed in seeds:
        rng = Random(seed)
        acts += play_in_lockstep(adapter, opening(rng), rng)
    return acts


@pytest.mark.parametrize("block", range(5))
def test_the_javascript_engine_answers_as_ours_does(js: Adapter, block: int) -> None:
    seeds = range(block * 100, block * 100 + 50)
    assert games_beside(js, some_supported_opening, seeds) > 700


@pytest.mark.slow
@pytest.mark.parametrize("block", range(5, 20))
def test_it_does_in_more_games(js: Adapter, block: int) -> None:
    seeds = range(block * 100, block * 100 + 100)
    assert games_beside(js, some_supported_opening, seeds) > 1_500


@pytest.mark.parametrize("block", range(5))
def test_the_plain_engine_answers_as_ours_does(plain: Adapter, block: int) -> None:
    seeds = range(block * 200, block * 200 + 50)
    assert games_beside(plain, some_plain_opening, seeds) > 700


@pytest.mark.slow
@pytest.mark.parametrize("block", range(5, 10))
def test_it_does_in_more_games_too(plain: Adapter, block: int) -> None:
    seeds = range(block * 200, block * 200 + 200)
    assert games_beside(plain, some_plain_opening, seeds) > 3_000


def test_a_replay_says_what_the_single_requests_say(js: Adapter) -> None:
    for seed in range(60):
        rng = Random(seed)
        state = some_supported_opening(rng)
        assert js.open(state) == {"ok": {}}
        steps, seen = [], []
        for _ in range(LONGEST):
            if state.over:
                break
            act = state.random_act(rng)
            steps.append({"seat": act.seat, "act": act_fields(act)})
            assert js.ask(op="step", **steps[-1]) == {"ok": {}}
            seen.append(js.ask(op="observe")["ok"])
            state = state.apply(act)
        ruleset = ruleset_for(state.ruleset, js.spec)
        trace = {"trace": 1, "ruleset": ruleset, "steps": steps}
        answer = js.ask(op="replay", trace=trace | start_fields(state.start))["ok"]
        assert [step["then"] for step in answer["steps"]] == seen
        assert answer["end"] == (seen[-1] if seen else answer["end"])


def test_what_an_adapter_cannot_do_it_says(js: Adapter, plain: Adapter) -> None:
    kitty = Ruleset("estmesh-hearts", 4, {"undealt": "kitty"})
    assert "unsupported" in js.open(State.open(kitty, Match()))
    assert "unsupported" in js.ask(op="enumerate", limit=5)
    assert "unsupported" in plain.open(State.open(Ruleset("estmesh-hearts"), Match()))
    assert "unsupported" in plain.ask(op="replay", trace={})


@pytest.mark.parametrize(
    ("option", "value", "taken"),
    [("new_option", 1, False), ("deals", 1, True), ("limit", 100, True)],
)
def test_an_option_that_an_adapter_does_not_know_is_declined(
    js: Adapter, plain: Adapter, option: str, value: object, taken: bool
) -> None:
    setup = {"dealer": 3, "deal": 4, "hands": ["2C", "3C", "4C", "5C"]}
    ruleset = ruleset_fields(Ruleset("estmesh-hearts"), every=True)
    ruleset["options"] |= {option: value}
    for adapter in (js, plain):
        answer = adapter.ask(op="open", ruleset=ruleset, setup=setup)
        assert ("ok" in answer) == taken
        assert taken or option in answer["unsupported"]


@pytest.mark.parametrize("name", ["hearts_adapter.mjs", "plain_adapter.py"])
@pytest.mark.parametrize("base", [{"new_option": 0}, {}, None])
def test_an_option_that_an_adapter_does_not_know_is_fine_at_its_base_value(
    name: str, base: Json | None, tmp_path: Path
) -> None:
    shutil.copytree(places.ADAPTERS, tmp_path / "adapters")
    if base is not None:
        (tmp_path / "corpus").mkdir()
        known = json.loads((CORPUS / "profiles.json").read_text("utf-8"))["base"]
        text = json.dumps({"base": known | base})
        (tmp_path / "corpus" / "profiles.json").write_text(text, "utf-8")
    adapter = Adapter(*command(name, tmp_path / "adapters"))
    setup = {"dealer": 3, "deal": 4, "hands": ["2C", "3C", "4C", "5C"]}
    ruleset = ruleset_fields(Ruleset("estmesh-hearts"), every=True)
    found = {}
    for value in (0, 1):
        ruleset["options"]["new_option"] = value
        answer = adapter.ask(op="open", ruleset=ruleset, setup=setup)
        found[value] = next(iter(answer))
    assert found == {0: "ok" if base else "unsupported", 1: "unsupported"}
    assert adapter.close() == 0


def test_the_second_reader_scores_no_deal_under_an_option_it_does_not_know(
    tmp_path: Path,
) -> None:
    shutil.copytree(places.ADAPTERS, tmp_path / "adapters")
    profiles = json.loads((CORPUS / "profiles.json").read_text("utf-8"))
    profiles["base"]["new_option"] = 0
    (tmp_path / "corpus").mkdir()
    text = json.dumps(profiles)
    (tmp_path / "corpus" / "profiles.json").write_text(text, "utf-8")
    trace: Json = {
        "trace": 1,
        "name": "wrong score",
        "ruleset": {"profile": "estmesh-hearts", "players": 4},
        "setup": {"dealer": 3, "deal": 4, "hands": ["2C", "3C", "4C", "5C"]},
        "steps": [
            {"seat": seat, "act": {"play": card}}
            for seat, card in enumerate(["2C", "3C", "4C", "5C"])
        ],
        "end": {"score": [1, 2, 3, 4]},
    }
    for value, code in ((0, 1), (1, 0)):
        trace["ruleset"] |= {"options": {"new_option": value}}
        (tmp_path / "one.jsonl").write_text(json.dumps(trace), "utf-8")
        reader = command("reader.mjs", tmp_path / "adapters")
        done = subprocess.run([*reader, str(tmp_path / "one.jsonl")], check=False)
        assert done.returncode == code


def test_a_request_without_a_game_is_an_error(js: Adapter) -> None:
    kitty = Ruleset("estmesh-hearts", 4, {"undealt": "kitty"})
    js.open(State.open(kitty, Match()))
    for op in ("legal", "observe"):
        assert "error" in js.ask(op=op)
    assert "error" in js.ask(op="step", seat=0, act={"play": "2C"})


def test_the_example_in_javascript_speaks_of_events_and_openings() -> None:
    adapter = (NODE, str(places.ADAPTERS / "hearts_adapter.mjs"))
    beside = beside_corpus(Choice())
    settings = Settings(command=adapter, limits=Limits(op=60.0))
    found = run(Selection((), beside=beside), settings)
    for kind, least in (("events", 15), ("openings", 70)):
        cases = [case for case in found.cases if case.kind == kind]
        number = Counter(str(case.outcome) for case in cases)
        assert number.keys() == {"pass", "unsupported"}
        assert number["pass"] > least
        assert not any(kind in case.note for case in cases)
    assert found.passed == found.scored
