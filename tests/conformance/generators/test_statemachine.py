from random import Random

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from refengine.formats.normal_form import Json
from refengine.formats.trace import replay
from refengine.game.verdicts import Refused
from refengine_conformance.generators.statemachine import (
    HeartsMachine,
    Reference,
    machine_for,
    properties_for,
)
from refengine_conformance.generators.strategies import (
    recorded,
    some_opening,
    some_script,
)

FEW = settings(
    max_examples=8,
    stateful_step_count=12,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
)


class TooFree(Reference):
    """An engine that lists every card of the hand as legal."""

    def legal(self) -> Json:
        found = super().legal()
        if "play" in found:
            found["play"] = str(self.state.hands[self.state.turn[0]])
        return found


class Playing(Reference):
    """An engine that always lists cards to play: none when another act is due."""

    def legal(self) -> Json:
        return {"play": "", **super().legal()}


class Hasty(Reference):
    """An engine that always says that hearts are broken, even before the deal."""

    def observe(self) -> Json:
        return {"hearts_broken": True}


class Touchy(Reference):
    """An engine that carries out every legal act that is only probed."""

    def judge(self, seat: int, act: Json) -> str:
        found = super().judge(seat, act)
        if found == "legal":
            self.act(seat, act)
        return found


class Backwards(Reference):
    """An engine that gives some lists in reverse order, which means the same."""

    def legal(self) -> Json:
        found = super().legal()
        for name in ("turn", "moon"):
            if name in found:
                found[name] = found[name][::-1]
        return found

    def observe(self) -> Json:
        found = super().observe()
        found["turn"] = found["turn"][::-1]
        if "hands" in found:
            found["hands"] = [" ".join(one.split()[::-1]) for one in found["hands"]]
        return found


class Wavering(Backwards):
    """An engine that reverses the order of its lists every second time."""

    backwards = False

    def legal(self) -> Json:
        self.backwards = not self.backwards
        return super().legal() if self.backwards else Reference.legal(self)

    def observe(self) -> Json:
        return super().observe() if self.backwards else Reference.observe(self)


class Narrow(Reference):
    """An engine that supports games of four players and no others."""

    def open(self, ruleset: Json, start: Json) -> bool:
        return super().open(ruleset, start) if ruleset["players"] == 4 else False


class MatchesAlone(Reference):
    """An engine that supports whole matches and nothing else."""

    def open(self, ruleset: Json, start: Json) -> bool:
        return "match" in start and super().open(ruleset, start)


def run(machine: type[HeartsMachine]) -> None:
    run_state_machine_as_test(machine, settings=FEW)


@pytest.mark.parametrize("profile", ["gamerules-domino", "dominorules-tiles", ""])
def test_the_reference_agrees_with_the_book(profile: str) -> None:
    run(machine_for(Reference, profile))


def test_what_an_engine_says_may_come_in_any_order() -> None:
    run(machine_for(Backwards, "heartsgame-tiles"))


def test_games_that_an_engine_does_not_support_are_left_out() -> None:
    run(machine_for(Narrow, "estmesh-hearts"))


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        (TooFree, "due is"),
        (Playing, "due is"),
        (Hasty, "hearts_broken is False, the engine says True"),
    ],
)
def test_a_wrong_engine_is_found(engine: type[Reference], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        run(machine_for(engine, "estmesh-hearts"))


def test_an_engine_that_acts_when_it_is_asked_is_found() -> None:
    with pytest.raises((AssertionError, Refused)):
        run(machine_for(Touchy, "estmesh-hearts"))


class NeverOver(Reference):
    """An engine that says that a card may be led even when the game is over."""

    def legal(self) -> Json:
        over = self.state.over
        return {"turn": [0], "play": "2C"} if over else super().legal()


def test_a_game_that_is_replayed_ends_as_in_the_book() -> None:
    tests = properties_for(NeverOver, "pokerwiner-domino")()
    with pytest.raises(AssertionError, match="due is"):
        tests.test_games_replay()


def test_the_properties_hold_for_the_reference() -> None:
    tests = properties_for(Reference, "pokerwiner-domino")()
    tests.test_games_replay()
    tests.test_a_try_changes_nothing()
    tests.test_legal_cards_are_those_judged_legal()


def test_the_properties_can_be_tried_on_an_engine_that_opens_only_matches() -> None:
    tests = properties_for(MatchesAlone, "pokerwiner-domino")()
    tests.test_legal_cards_are_those_judged_legal()


def test_another_order_is_no_change() -> None:
    tests = properties_for(Wavering, "heartsgame-tiles")()
    tests.test_a_try_changes_nothing()


@pytest.mark.parametrize("name", ["heartsgame-tiles", "gamerules-domino", ""])
@pytest.mark.parametrize("seed", range(5))
def test_recorded_games_replay(name: str, seed: int) -> None:
    rng = Random(seed)
    state = some_opening(rng, name)
    script = some_script(rng, state, wild=0.3)
    assert replay(recorded(script)) == []
    assert name in ("", script.ruleset.profile)
