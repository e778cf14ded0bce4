"""Tests of whole numbers of every kind and size, wherever one is taken.

Whatever has the method `__index__`, as numbers of numpy do, counts as a whole number
here, as in Python; only True and False do not. The compiled rules calculate in 64 bits,
so a number that does not fit must be rejected before it reaches them, and with the same
error in every mode.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import refengine
from refengine import Malformed, Play, Ruleset, Setup, json, new_deal, new_match
from refengine.formats.generate import Manner, random_deals, random_traces
from refengine.formats.minideals import enumerate_games
from refengine.formats.trace import Step, Trace
from refengine.game import acts
from refengine.game.world import possible_world
from refengine.lawbook.book import SPEC
from refengine.lawbook.options import option_named
from refengine.lawbook.profiles import profile_of_toml
from refengine.learning.actions import act_for, action_mask, choices, numbers_for
from refengine.learning.episodes import Episode, Episodes, chance_from
from refengine.learning.observations import numbers, observation_of, planes, view
from refengine.learning.seat_env import SeatEnv
from refengine.learning.spiel_state import SpielGame
from refengine.learning.tables_env import TablesEnv
from refengine.machine.perft import Games, perft
from refengine.machine.playouts import playout, playouts, started
from refengine.rulings.asking.ask import answer
from refengine.rulings.submitted_game import moment_at
from refengine.rulings.typed_position import ByHand
from refengine.worlds.announcements import opening_for, told
from refengine.worlds.sampling import Worlds, worlds
from refengine.worlds.searching import play_worlds, try_acts
from refengine_conformance.runner.table import Table
from tests.support.playing import cards_played
from tests.support.refusing import malformed, refused

HEARTS = Ruleset("estmesh-hearts")
HANDS = ["2C", "QS", "2H", "3H"]
STATE = new_deal(HEARTS, HANDS, dealer=3, deal=4)
PASSING = new_deal(HEARTS, ["2C 3C 4C", "QS KS AS", "2H 3H 4H", "5H 6H 7H"], dealer=3)
RECORD = refengine.SeatRecord.of(STATE, 1)
PLAY = Play(0, "2C")
GAME = Trace(ruleset=HEARTS, start=STATE.start, steps=(Step(PLAY),))


class Whole:
    """A whole number that is not an `int`, like those of numpy."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


def position(**more: object) -> Any:
    """A state during play, with the cards `HANDS` and with some fields replaced."""
    fields: dict[str, Any] = {"dealer": 3, "deal": 4, "leader": 0, **more}
    return new_deal(HEARTS, HANDS, **fields)


def seen(**more: object) -> refengine.SeenSetup:
    """The deal of `HANDS` as one seat sees it, with some fields replaced."""
    fields: dict[str, Any] = {"dealer": 3, "deal": 4, "hand": "2C", "held": [1] * 4}
    return refengine.SeenSetup(**fields | {"pack": "2C QS 2H 3H"} | more)


def traces(made: Any, **more: Any) -> list[Trace]:
    """Short random games from the generator `made`, with some arguments replaced."""
    given: dict[str, Any] = {"matches": 1, "seed": 1, **more}
    manner = Manner(refusals=given.pop("refusals", 0), most_acts=given.pop("most", 3))
    return list(made(HEARTS, given["matches"], given["seed"], manner))


def games_counted(**more: Any) -> tuple[int, list[int]]:
    """The number of games from `STATE`, and the number of acts at each depth."""
    given: dict[str, Any] = {"limit": 10, "depth": 0, "most": 10, **more}
    counted = Games(given["limit"])
    perft(STATE.core, given["depth"], counted, given["most"])
    return counted.games, counted.plies


def stepped(seat: Any, action: Any) -> Any:
    """The observation and the information that a seat gets after this action."""
    env = SeatEnv(HEARTS, seat, deal=4)
    env.reset(seed=1)
    return {**env.step(action)[0], **env.step(action)[4]}


def spiel() -> Any:
    """The first state of an OpenSpiel-like game whose deal has a pass."""
    return SpielGame(HEARTS, deal=1).new_initial_state(1)


def episode() -> Episode:
    """The beginning of an episode whose deal has a pass."""
    return Episodes(HEARTS, deal=1).begun(chance_from(1))


FIRST = spiel().legal_actions()[0]

# What takes a whole number up to a limit, and a number that it takes.
Taking = Callable[[Any], object]
LIMITED: dict[str, tuple[Taking, int]] = {
    "Match": (refengine.Match, 2),
    "new_match dealer": (lambda one: new_match(HEARTS, dealer=one), 2),
    "Setup dealer": (lambda one: Setup(dealer=one, hands=HANDS), 2),
    "new_deal dealer": (lambda one: position(dealer=one), 2),
    "deal": (lambda one: position(deal=one), 8),
    "totals": (lambda one: position(totals=[one, 0, 0, 0]), 7),
    "leader": (lambda one: position(leader=one), 1),
    "out": (lambda one: Setup(dealer=0, hands=HANDS, leader=0, out=[one]), 1),
    "tricks": (lambda one: Setup(dealer=0, hands=HANDS, tricks=[one] * 4), 1),
    "Cut": (lambda one: acts.Cut(one, "2C"), 2),
    "Deal": (lambda one: acts.Deal(one, HANDS), 2),
    "Pass": (lambda one: acts.Pass(one, "2C"), 2),
    "Scatter": (lambda one: acts.Scatter(one, {1: "2C"}), 2),
    "Scatter to": (lambda one: acts.Scatter(0, {one: "2C"}), 2),
    "PassUnseen": (acts.PassUnseen, 2),
    "Mix": (lambda one: acts.Mix(one, HANDS), 2),
    "Draw": (acts.Draw, 2),
    "Play": (lambda one: Play(one, "2C"), 2),
    "Retract": (lambda one: acts.Retract(one, "2C"), 2),
    "QuitTrick": (acts.QuitTrick, 2),
    "Claim": (lambda one: acts.Claim(one, 1, 1), 2),
    "Claim against": (lambda one: acts.Claim(0, one, 1), 2),
    "Claim trick": (lambda one: acts.Claim(0, 1, one), 2),
    "MoonChoice": (lambda one: acts.MoonChoice(one, "self_minus"), 2),
    "MoonChoice of a seat": (lambda one: acts.MoonChoice(0, one), 2),
    "State.play_number": (STATE.play_number, 0),
    "State.observe": (STATE.observe, 1),
    "State.event": (lambda one: STATE.event(PLAY, one), 1),
    "possible_world": (lambda one: possible_world(STATE, one, Random(0)), 1),
}
# What takes a number, or has a limit of another kind.
TAKEN: dict[str, tuple[Taking, int]] = {
    "Card": (refengine.Card, 36),
    "Suit": (refengine.Suit, 2),
    "Rank": (refengine.Rank, 12),
    "CardSet mask": (lambda one: refengine.CardSet(mask=one), 5),
    "CardSet.of_mask": (refengine.CardSet.of_mask, 5),
    "players": (lambda one: Ruleset("estmesh-hearts", one), 4),
    "an option": (lambda one: Ruleset("estmesh-hearts", 4, {"limit": one}), 50),
    "Option.read": (lambda one: option_named("limit").read(one), 50),
    **LIMITED,
    "undo": (lambda one: json.undo(STATE.play("2C"), one), 1),
    "json.read_act": (lambda one: json.read_act(one, {"play": "2C"}), 2),
    "numbers in JSON": (
        lambda one: json.read_act(0, {"claim": {"seat": one, "trick": one}}),
        1,
    ),
    "SeatRecord": (lambda one: refengine.SeatRecord(HEARTS, one, refengine.Match()), 1),
    "SeatRecord.of": (lambda one: refengine.SeatRecord.of(STATE.play("2C"), one), 1),
    "opening_for": (lambda one: opening_for(STATE, one), 1),
    "told": (lambda one: told(STATE, PLAY, one), 1),
    "Told leader": (lambda one: refengine.Told(STATE.event(PLAY, 1), leader=one), 1),
    "Told totals": (
        lambda one: refengine.Told(STATE.event(PLAY, 1), totals=[one] * 4),
        1,
    ),
    "SeenSetup dealer": (lambda one: seen(dealer=one), 2),
    "SeenSetup deal": (lambda one: seen(deal=one), 8),
    "SeenSetup held": (lambda one: seen(held=[one] * 4), 1),
    "SeenSetup totals": (lambda one: seen(totals=[one] * 4), 1),
    "SeenSetup stock": (lambda one: seen(stock=one), 1),
    "SeenSetup leads": (lambda one: seen(leads=one), 1),
    "SeenSetup leader": (lambda one: seen(leader=one), 1),
    "worlds": (lambda one: worlds(RECORD, one), 2),
    "worlds seed": (lambda one: worlds(RECORD, 2, one), 3),
    "Worlds.draw": (lambda one: Worlds(RECORD).draw(one, one), 2),
    "play_worlds": (lambda one: play_worlds(RECORD, one), 2),
    "play_worlds seed": (lambda one: play_worlds(RECORD, 2, seed=one), 3),
    "try_acts": (
        lambda one: try_acts(refengine.SeatRecord.of(STATE, 0), one, seed=one),
        2,
    ),
    "started": (started, 3),
    "playout": (lambda one: playout(STATE.core, one).seed, 3),
    "playouts": (lambda one: playouts([STATE.core], one, 3).seed, 2),
    "playouts seed": (lambda one: playouts([STATE.core], 2, one).seed, 3),
    "Games": (lambda one: games_counted(limit=one), 9),
    "perft depth": (lambda one: games_counted(depth=one), 1),
    "perft most": (lambda one: games_counted(most=one), 1),
    "enumerate_games": (lambda one: enumerate_games(STATE, one), 9),
    "random_traces": (lambda one: traces(random_traces, matches=one), 2),
    "random_traces seed": (lambda one: traces(random_traces, seed=one), 2),
    "random_deals": (lambda one: traces(random_deals, matches=one), 2),
    "random_deals seed": (lambda one: traces(random_deals, seed=one), 2),
    "Manner refusals": (lambda one: traces(random_traces, refusals=one), 1),
    "Manner most_acts": (lambda one: traces(random_traces, most=one), 2),
    "moment_at": (lambda one: moment_at(GAME, one), 1),
    "Table hands": (lambda one: Table(ruleset=HEARTS, hands=one), 5),
    "a question": (lambda one: answer({"ask": "turn", "leader": one}), 2),
    "a question's totals": (lambda one: answer({"ask": "end", "totals": [one] * 4}), 9),
    "ByHand leader": (lambda one: ByHand(ruleset=HEARTS, hand="2C", leader=one), 2),
    "ByHand stock": (lambda one: ByHand(ruleset=HEARTS, hand="2C", stock=one), 2),
    "choices": (lambda one: choices(PASSING, one), 1),
    "choices given": (lambda one: choices(PASSING, 0, [one]), 1),
    "action_mask": (lambda one: action_mask(PASSING, one).tolist(), 1),
    "act_for": (lambda one: act_for(STATE, one, 0), 0),
    "act_for number": (lambda one: act_for(PASSING, 0, one, [1, 2]), 0),
    "act_for given": (lambda one: act_for(PASSING, 0, 2, [0, one]), 1),
    "numbers_for": (lambda one: numbers_for(acts.MoonChoice(0, 1), one), 4),
    "planes": (planes, 4),
    "numbers": (numbers, 4),
    "observation_of": (lambda one: seen_by(observation_of(STATE, one)), 1),
    "observation given": (lambda one: seen_by(observation_of(PASSING, 0, [one])), 1),
    "view": (lambda one: view(observation_of(STATE, 1), one), 1),
    "Episodes deal": (lambda one: Episodes(HEARTS, deal=one).deal, 2),
    "seed": (lambda one: Episodes(HEARTS).begun(chance_from(one)).state, 2),
    "Episode.observation": (lambda one: seen_by(episode().observation(one)), 1),
    "Episode.mask": (lambda one: episode().mask(one).tolist(), 0),
    "Episode.choose": (lambda one: chosen(one), FIRST),
    "SeatEnv": (lambda one: seen_by(stepped(one, 0)), 2),
    "SeatEnv.step": (lambda one: seen_by(stepped(2, one)), 1),
    "TablesEnv": (lambda one: TablesEnv(HEARTS, one).num_envs, 2),
    "SpielGame seed": (lambda one: str(SpielGame(HEARTS).new_initial_state(one)), 2),
    "legal_actions": (lambda one: spiel().legal_actions(one), 0),
    "legal_actions_mask": (lambda one: spiel().legal_actions_mask(one), 0),
    "information_state": (lambda one: spiel().information_state_tensor(one), 1),
    "apply_action": (lambda one: spiel().child(one).history(), FIRST),
    "action_to_string player": (lambda one: spiel().action_to_string(one, FIRST), 0),
    "action_to_string": (lambda one: spiel().action_to_string(0, one), FIRST),
}
# What takes no number as large as those below, or none at all.
BOUNDED: dict[str, Taking] = {
    **{name: taking for name, (taking, _) in LIMITED.items()},
    "card": refengine.card,
    "cards": refengine.cards,
    "clause": refengine.clause,
    "profile": refengine.profile,
    "Ruleset": lambda one: Ruleset(one),
    "options": lambda one: Ruleset("estmesh-hearts", 4, one),
    "new_match pack": lambda one: new_match(HEARTS, pack=one),
    "new_deal hands": lambda one: new_deal(HEARTS, one),
    "new_deal hand": lambda one: new_deal(HEARTS, [one] * 4),
    "all totals": lambda one: position(totals=one),
    "stock": lambda one: position(stock=one),
    "kitty": lambda one: position(kitty=one),
    "limit_reached": lambda one: position(limit_reached=one),
    "trick": lambda one: position(trick=one),
    "all out": lambda one: position(out=one),
    "taken": lambda one: position(taken=[one] * 4),
    "hearts_broken": lambda one: position(hearts_broken=one),
    "first_trick": lambda one: position(first_trick=one),
    "Play card": lambda one: Play(0, one),
    "State.play": STATE.play,
    "State.verdict": STATE.verdict,
    "State.apply": STATE.apply,
}

SIZES = {
    "beyond 31 bits": 2**31,
    "beyond 63 bits": 2**63,
    "below 64 bits": -(2**63) - 1,
    "beyond 64 bits": 2**64,
    "10**30": 10**30,
    "too long to be written": 10**5000,
    "too long, and negative": -(10**5000),
}

any_size = pytest.mark.parametrize("number", SIZES.values(), ids=SIZES)
taking = pytest.mark.parametrize(("taking", "number"), TAKEN.values(), ids=TAKEN)


def seen_by(observation: dict[str, Any]) -> dict[str, Any]:
    """The observation with its arrays turned into lists, so that `==` compares it."""
    return {
        name: array.tolist() if isinstance(array, np.ndarray) else array
        for name, array in observation.items()
    }


def chosen(number: Any) -> tuple[int, ...]:
    """The numbers chosen for a pass after `number` is chosen first."""
    one = episode()
    one.choose(number)
    return one.given


@pytest.mark.parametrize("kind", [Whole, np.int64, np.uint8])
@taking
def test_every_kind_of_whole_number_is_kept_as_the_int_that_it_is(
    taking: Taking, number: int, kind: Any
) -> None:
    assert taking(kind(number)) == taking(number)
    assert repr(taking(kind(number))) == repr(taking(number))


@pytest.mark.parametrize(
    "other", [True, False, np.True_, 1.0, "1", b"1", np.float64(1), 1j]
)
@taking
def test_what_is_true_or_false_or_has_no_index_is_no_number(
    taking: Taking, number: int, other: Any
) -> None:
    with pytest.raises(Malformed):
        taking(other)


# Any size


@any_size
@pytest.mark.parametrize("taking", BOUNDED.values(), ids=BOUNDED)
def test_a_number_that_is_too_large_is_malformed(taking: Taking, number: int) -> None:
    assert str(malformed(taking, number))


@any_size
@pytest.mark.parametrize("name", [one.name for one in refengine.OPTIONS])
def test_a_value_that_is_too_large_is_malformed(name: str, number: int) -> None:
    with pytest.raises(Malformed, match=rf"options\.{name}"):
        Ruleset("estmesh-hearts", 4, {name: number})


@any_size
def test_a_number_of_players_that_is_too_large_is_refused(number: int) -> None:
    error = refused(Ruleset, "estmesh-hearts", number)
    assert error.clauses == ("2.6",)
    assert "2.6 Number of players" in str(error)


@pytest.mark.parametrize("key", ["players", "usual_players", "players_with_kitty"])
@pytest.mark.parametrize(
    "number", [53, 2**64, -1, 10**5000], ids=["53", "64", "-1", "5000"]
)
def test_a_profile_for_more_players_than_cards_is_malformed(
    key: str, number: int
) -> None:
    text = (SPEC / "profiles" / "estmesh-hearts.toml").read_text("utf-8")
    value = f"{number:#x}" if number > 0 else f"{number}"
    value = value if key == "usual_players" else f"[{value}]"
    lines = [line for line in text.splitlines() if not line.startswith(f"{key} =")]
    with pytest.raises(Malformed, match="from 1 to 52"):
        profile_of_toml("\n".join([f"{key} = {value}", *lines]))


def test_a_profile_with_a_number_too_long_to_be_read_is_malformed() -> None:
    with pytest.raises(Malformed, match="a profile in TOML"):
        profile_of_toml(f"usual_players = {'9' * 5000}")


@pytest.mark.parametrize(
    "number",
    [-1, 52, -52, 100, Whole(52), "x", "5", None, 1.0, True, [1], b"1"],
)
def test_what_is_not_the_number_of_a_card_cannot_be_played(number: Any) -> None:
    with pytest.raises(Malformed, match="the number of a card, from 0 to 51"):
        STATE.play_number(number)


@pytest.mark.parametrize("dealer", ["0", b"0", 0.0, True, [0], -1, 13])
def test_a_dealer_is_a_seat(dealer: Any) -> None:
    with pytest.raises(Malformed, match="a seat, a whole number from 0 to 12"):
        new_deal(HEARTS, HANDS, dealer=dealer)
    with pytest.raises(Malformed, match="a seat, a whole number from 0 to 12"):
        new_match(HEARTS, dealer=dealer)


def test_a_deal_has_a_dealer() -> None:
    none: Any = None
    with pytest.raises(Malformed, match="found None; allowed: a seat"):
        new_deal(HEARTS, STATE.hands, dealer=none)
    assert new_match(HEARTS, dealer=None).phase == "cut"


def test_a_number_is_not_played_where_no_play_is_due() -> None:
    shot = cards_played(STATE, "2C QS 2H 3H")
    over = shot.apply(acts.MoonChoice(0, "self_minus"))
    assert over.over
    for state in (new_match(HEARTS), shot, over):
        verdict = state.verdict(Play((*state.turn, 0)[0], "2C"))
        assert refused(state.play_number, 0) == verdict


@pytest.mark.parametrize(
    "limit", [2**63, 10**30, 10**5000], ids=["2**63", "10**30", "10**5000"]
)
def test_games_are_counted_up_to_any_limit(limit: int) -> None:
    assert enumerate_games(STATE, limit).games == 2
