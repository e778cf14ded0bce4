"""Somebody else's games judged, under one ruleset and under all."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from refengine import Irregular, Play, Ruleset
from refengine.cli.main import main
from refengine.formats.generate import Manner, random_traces
from refengine.formats.trace import Step, Trace, write_trace
from refengine.rulings.judge import judge_game, judge_under_all_profiles, profiles_for
from refengine.rulings.submitted_game import read_game
from refengine_conformance.diagnosis.rulesets_of_game import (
    fits_whole_game,
    options_that_differ,
    rulesets_that_fit,
)
from tests.rulings.test_games import DEAL, MOON, REVOKING, line_of
from tests.support.disputed import Dispute, disputes

pytestmark = pytest.mark.interpreted("about what is said; test_explain rules compiled")

Run = tuple[int, str, str]
Runner = Callable[..., Run]
DISPUTES = disputes()


@pytest.fixture
def judge(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Runner:
    def call(line: bytes, *words: str) -> Run:
        path = tmp_path / "game.jsonl"
        path.write_bytes(line + b"\n")
        with pytest.raises(SystemExit) as ended:
            main.main(["judge", str(path), *words])
        shown = capsys.readouterr()
        code = ended.value.code
        assert isinstance(code, int)
        return code, shown.out.replace(str(path), "FILE"), shown.err

    return call


def as_game(dispute: Dispute) -> Trace:
    """The dispute as somebody's trace, which takes every act for legal."""
    state = dispute.state
    acts = (*state.acts, dispute.act)
    steps = tuple(Step(act) for act in acts)
    return Trace(ruleset=state.ruleset, start=state.start, steps=steps)


@pytest.mark.parametrize("dispute", DISPUTES, ids=lambda one: one.id)
def test_every_dispute_is_judged_as_the_book_was_read(dispute: Dispute) -> None:
    judgement = judge_game(as_game(dispute))
    refused = dispute.verdict == "refused"
    assert judgement.clauses == (dispute.clauses if refused else ())
    assert judgement.legal is not refused
    if refused:
        assert judgement.illegal is not None
        assert judgement.illegal.place == len(dispute.state.acts) + 1
    marked = [one for one in judgement.revokes if one.act == dispute.act]
    assert bool(marked) is (dispute.verdict == "irregular")
    if "score" in dispute.answer.get("then", {}):
        score = dispute.answer["then"]["score"]
        stated = attrs.evolve(as_game(dispute), end={"score": score})
        assert judge_game(stated).fits
        wrong = attrs.evolve(stated, end={"score": [one + 1 for one in score]})
        assert [one.what for one in judge_game(wrong).wrong] == ["end.score"]


def test_one_game_is_judged_under_the_rules_of_every_answer() -> None:
    """The acts are those that the first answer was asked about."""
    for dispute in DISPUTES:
        first = next(
            one
            for one in DISPUTES
            if one.id.rpartition("-")[0] == dispute.id.rpartition("-")[0]
        )
        judgement = judge_game(as_game(first), dispute.state.ruleset)
        wanted = dispute.clauses if dispute.verdict == "refused" else ()
        assert judgement.clauses == wanted


HOUSE = {"first_trick_points": "barred"}
HANDS = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "7D KC KH"]
SETUP = {"dealer": 3, "deal": 4, "hands": HANDS}
PLAYS = "2C 5C 2H KC KH QH 3H 4S 7D 9D QS JD"


def logged(*score: int, **options: str) -> bytes:
    line = json.loads(line_of("estmesh-hearts", SETUP, PLAYS))
    line["ruleset"]["options"] = options
    line |= {"score": score, "totals": score}
    return json.dumps(line).encode()


JUDGED = """\
FILE:1
Under estmesh-hearts, 4 players, first_trick_points=barred
  card 3: Seat 2 may not play 2H: 5.5 No points on the first trick
    The two of hearts costs points, and no such card may go to the first trick while
    another one will do, here JD or 4S. [5.5]
The same game elsewhere
  dominorules-tiles, estmesh-hearts and pokerwiner-hearts: legal from the first act to
    the last.
  gamerules-domino and pokerwiner-domino: legal, but not all that is stated is right.
  heartsgame-tiles: card 2: seat 3 may not play 5C. [5.7]
  openspiel-hearts: card 3: seat 2 may not play 2H. [5.5]
Rules that fit the whole game, nearest first
  estmesh-hearts: differs in first_trick_points.
  dominorules-tiles: differs in removal, first_trick_points, revokes, revoke_until,
  revoke_ends_deal and limit_rule.
  pokerwiner-hearts: differs in removal, pass_cycle, opening_leader, opening_card,
  heart_leads, first_trick_points, moon, revokes, revoke_until, revoke_points,
  revoke_ends_deal and limit.
"""


def test_a_game_is_judged_by_its_own_rules_and_by_all_others(judge: Runner) -> None:
    code, out, _ = judge(logged(0, 0, 13, 4, **HOUSE))
    assert (code, out) == (1, JUDGED)
    code, out, _ = judge(logged(0, 0, 13, 4))
    assert code == 0
    assert "Nothing in it is against these rules." in out
    assert "estmesh-hearts: the rules that are named." in out
    code, out, _ = judge(logged(0, 0, 13, 4), "--profile", "openspiel-hearts")
    assert (code, "elsewhere" in out) == (1, False)


def test_a_wrong_score_is_counted_out(judge: Runner) -> None:
    code, out, _ = judge(logged(0, 0, 0, 17))
    assert code == 1
    for part in (
        "At the end it states the score of the deal as [0,0,0,17]",
        "by these rules that is\n  [0,0,13,4]. [8.1]",
        "For cards that cost points: seat 2: 13, seat 3: 4. [8.1]",
        "No ruleset of the book fits",
    ):
        assert part in out


def test_json_says_the_same(judge: Runner) -> None:
    code, out, _ = judge(logged(0, 0, 13, 4, **HOUSE), "--json")
    found = json.loads(out)
    assert (code, found["outcome"]) == (1, "fail")
    assert (found["illegal"]["at"], found["illegal"]["clauses"]) == (3, ["5.5"])
    under = {one["ruleset"]["profile"]: one for one in found["under"][1:]}
    assert under["openspiel-hearts"]["clauses"] == ["5.5"]
    assert under["dominorules-tiles"]["fits"]
    assert found["fits"][0]["differs"] == ["first_trick_points"]
    wrong = json.loads(judge(logged(0, 0, 0, 17), "--json")[1])["wrong"]
    assert wrong[0]["clauses"] == ["8.1"]


def test_a_game_that_cannot_begin_says_why(judge: Runner) -> None:
    setup = {**DEAL, "deal": 1, "hands": ["2C", "3C", "4C", "5C"]}
    code, out, _ = judge(line_of("estmesh-hearts", setup, "2C"))
    assert code == 1
    assert "the game cannot begin" in out
    assert "4.11" in out
    found = json.loads(judge(line_of("estmesh-hearts", setup, "2C"), "--json")[1])
    assert "4.11" in found["cannot_begin"]


def test_what_stands_beside_the_cards_is_judged_too(judge: Runner) -> None:
    passes = ["2C 3C 4C", "5C 6C", "8C 9C TC", "JC QC KC"]
    words = ["--profile", "estmesh-hearts"]
    code, out, _ = judge(
        line_of("estmesh-hearts", DEAL, "2C", **{"pass": passes}), *words
    )
    assert (code, "before the first card: Seat 1 may not pass 5C 6C: 4.4" in out) == (
        1,
        True,
    )
    line = line_of("estmesh-hearts", MOON, "AC QS 2H 3H", moon={"one": 2})
    code, out, _ = judge(line, *words)
    assert (code, "after the last card: Seat 0 may not choose moon one 2" in out) == (
        1,
        True,
    )
    early = line_of("estmesh-hearts", REVOKING, "2C 5C 7C", score=[0] * 4)
    code, out, _ = judge(early, *words)
    assert (
        code,
        "by these rules that is not settled yet" in " ".join(out.split()),
    ) == (
        1,
        True,
    )
    unsettled = line_of("estmesh-hearts", MOON, "AC QS 2H 3H", score=[15, 0, 0, 0])
    code, out, _ = judge(unsettled, *words)
    assert (code, "Seat 0 has taken every card that costs points" in out) == (1, True)
    assert "under" not in json.loads(judge(early, *words, "--json")[1])


def test_a_revoke_that_stands_is_told(judge: Runner) -> None:
    code, out, _ = judge(line_of("dominorules-tiles", REVOKING, "2C QS 7C"))
    assert code == 0
    assert "card 2: Seat 1 may not play QS, but it is not refused either" in out
    found = json.loads(
        judge(line_of("dominorules-tiles", REVOKING, "2C QS 7C"), "--json")[1]
    )
    assert found["revokes"] == [{"at": 2, "seat": 1, "act": {"play": "QS"}}]


def test_a_house_rule_is_found_from_a_game_that_shows_it(judge: Runner) -> None:
    played = Ruleset("estmesh-hearts", options={"heart_leads": "free", "limit": 1})
    (trace,) = random_traces(played, 1, 3, Manner(refusals=1))
    claimed = attrs.evolve(trace, ruleset=played.having(heart_leads="when_broken"))
    assert not judge_game(claimed).fits
    assert judge_game(claimed, played).fits
    code, out, _ = judge(write_trace(claimed))
    assert code == 1
    assert "hearts may be led at any time" in " ".join(out.split())
    assert "Before step" in out


def test_two_house_rules_are_found_together() -> None:
    hands = ["2C 3H", "QS 5C", "2H 4H", "3C 6C"]
    setup = {"dealer": 3, "deal": 4, "hands": hands, "phase": "play", "leader": 0}
    line = json.loads(line_of("estmesh-hearts", setup, "3H QS 2H 3C 2C 5C 4H 6C"))
    line |= {"score": [14, 0, 0, 1], "totals": [14, 0, 0, 1]}
    found = rulesets_that_fit(read_game(json.dumps(line).encode()))
    assert {"heart_leads", "queen_points"} in [set(fit.differs) for fit in found]
    line["plays"] = "3H QS 2H 3C 2C 6C 5C 4H"
    assert rulesets_that_fit(read_game(json.dumps(line).encode())) == ()


def test_a_revoke_stated_where_there_is_none_is_a_wrong_statement() -> None:
    game = read_game(line_of("estmesh-hearts", REVOKING, "2C 5C 7C"))
    assert isinstance(game.ruleset, Ruleset)
    steps = (Step(Play(0, "2C"), breaks=("5.3",)), Step(Play(1, "QS")))
    state = next(iter(judge_under_all_profiles(game)))
    trace = Trace(ruleset=state.ruleset, start=game.setup, steps=steps)  # type: ignore[union-attr]  # it is a log
    judgement = judge_game(trace)
    assert judgement.illegal is not None
    assert [one.step for one in judgement.wrong] == [1]
    assert not isinstance(judgement.illegal.state.verdict(steps[0].act), Irregular)


def test_a_view_and_a_field_are_stated_wrong(judge: Runner) -> None:
    view = {"seat": 1, "hand": "QS"}
    steps: list[dict[str, Any]] = [
        {"seat": 0, "act": {"play": "2C"}, "then": {"turn": [3], "view": view}}
    ]
    line = {
        "trace": 1,
        "id": "t-0000000000000000",
        "spec": "1.0.0",
        "ruleset": {"profile": "estmesh-hearts", "players": 4},
        "setup": SETUP,
        "steps": steps,
    }
    code, out, _ = judge(json.dumps(line).encode())
    assert code == 1
    assert (
        "After step 1 it states who is to act as [3]; by these rules that is [1]."
        in (" ".join(out.split()))
    )
    assert "view.hand" in out


def test_rulesets_are_compared_by_what_has_an_effect() -> None:
    profiles = list(profiles_for(6))
    assert [one.profile for one in profiles] == [
        "pokerwiner-domino",
        "pokerwiner-hearts",
    ]
    assert options_that_differ(*profiles)
    assert options_that_differ(profiles[0], profiles[0]) == ()
    game = read_game(logged(0, 0, 13, 4))
    assert not fits_whole_game(game, Ruleset("pokerwiner-hearts", 5))


NO_SEAT = line_of("estmesh-hearts", REVOKING, "2C", seats=[9])


@pytest.mark.parametrize("text", [NO_SEAT, b"{", b'{"mini": 1}', b'{"log": 1}', b"[]"])
def test_what_is_no_game_ends_in_one_message(judge: Runner, text: bytes) -> None:
    code, out, err = judge(text)
    assert (code, out, err.count("\n")) == (3, "", 1)
