"""Tests of `identify`, which finds the rules that an engine really plays."""

import json
import shlex
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import attrs
import pytest

from refengine import OPTIONS, Ruleset
from refengine.cli.main import main
from refengine.errors import Malformed
from refengine.game.acts import Pass, Scatter
from refengine.game.setups import Setup
from refengine.game.typed import ruleset_flags
from refengine.game.values.cardset import CardSet
from refengine.lawbook.editions import edition
from refengine.lawbook.profiles import profile, profile_names
from refengine_conformance.commands import conform_identify_command
from refengine_conformance.diagnosis.effects import (
    Neighbour,
    effects_of,
    key_of,
    two_options_away,
)
from refengine_conformance.diagnosis.fitting_rulesets import Heard
from refengine_conformance.identify import identify as identifying
from refengine_conformance.identify import led_games
from refengine_conformance.identify.deals_to_lead import (
    deal_to_lead,
    shapes_of_deal,
    table_of_shape,
)
from refengine_conformance.identify.identify import (
    Identified,
    Loss,
    RatedRuleset,
    identify,
)
from refengine_conformance.identify.led_games import LedDeal, lead
from refengine_conformance.identify.nearest_rules import Nearest
from refengine_conformance.identify.restated_rules import as_changes_to
from refengine_conformance.identify.sent_ruleset import ruleset_to_send
from refengine_conformance.identify.words import sentences
from refengine_conformance.runner.driver import Adapter, CannotRunError
from refengine_conformance.runner.results import EngineCard, Limits
from refengine_conformance.runner.run_time import ENDLESS, RunOverError, RunTime
from refengine_conformance.runner.table import Table, hands_and_pack
from refengine_conformance.selftest.identified_engines import (
    IdentifiedRow,
    masked_command,
    masked_ruleset,
)
from refengine_conformance.selftest.planted_faults import (
    engine_with_name,
    fault_with_id,
    write_engine,
)
from refengine_conformance.tables.candidates import candidate
from refengine_conformance.tables.layouts import SUITS
from refengine_conformance.tables.likings import LIKINGS

COMMONEST = Ruleset(
    "estmesh-hearts", 4, {"first_trick_points": "barred", "moon": "others_plus"}
)
REFERENCE = ("builtin:reference",)
COMMAND = ("node", "my engine.mjs")


# The reference behind a filter: from the twelfth game on it dies or fails, as the first
# argument says, or it declines every game.
FAILING = """
import json, sys
from pathlib import Path
from refengine.formats.serve import Session
how, count = sys.argv[1], Path(sys.argv[2])
games = 0
session = Session()
for line in sys.stdin.buffer:
    asked = json.loads(line)
    answer = session.handle(line)
    if asked["op"] == "open":
        games = int(count.read_text()) + 1 if count.is_file() else 1
        count.write_text(str(games))
    late = games >= 12 and asked["op"] == "legal"
    if how == "dies" and late:
        sys.exit(7)
    if how == "fails" and late:
        answer = json.dumps({"seq": asked["seq"], "error": "no clone"}).encode()
    if how == "declines" and asked["op"] == "open":
        said = {"seq": asked["seq"], "unsupported": "whole hands only"}
        answer = json.dumps(said).encode()
    if answer is None:
        break
    sys.stdout.buffer.write(answer + b"\\n")
    sys.stdout.flush()
"""


def failing(how: str, tmp_path: Path) -> tuple[str, ...]:
    program = tmp_path / "failing.py"
    program.write_text(FAILING)
    return (sys.executable, str(program), how, str(tmp_path / "count"))


class Scripted:
    """An adapter without a process: a function answers every request except `hello`."""

    stderr = b""

    def __init__(
        self, answer: Callable[[dict[str, Any]], dict[str, Any]], **hello: object
    ) -> None:
        self.answer = answer
        self.hello = {
            "protocol": 1,
            "name": "it",
            "version": "1",
            "language": "Py",
            "profiles": "any",
            "players": "any",
            "deviations": [],
            "capabilities": ["step", "legal", "pass"],
            **hello,
        }

    def exchange(self, line: bytes, limit: float) -> bytes:
        asked = json.loads(line)
        said = {"ok": self.hello} if asked["op"] == "hello" else self.answer(asked)
        return json.dumps({"seq": asked["seq"], **said}).encode()

    def quiet(self, seconds: float) -> None:
        pass

    def end(self, line: bytes, limit: float) -> str:
        return ""

    def kill(self, why: str = "") -> None:
        pass


THREES = ("2C 5C QS", "3C 4C 6C", "7C 8C 9C", "TC JC QC")


def led_deal(hands: Iterable[CardSet]) -> LedDeal:
    """A first deal with these hands, through which an engine can be led."""
    return LedDeal(Setup(dealer=0, deal=1, hands=tuple(hands)), LIKINGS[0](0), "seed")


def led(answers: dict[str, dict[str, Any]], **hello: object) -> Heard:
    """The record of an engine that is led through a deal of three cards each.

    The engine has one answer for each of these ops, and answers ok to every other op.
    """
    adapter = Scripted(lambda asked: answers.get(asked["op"], {"ok": {}}), **hello)
    deal = led_deal(map(CardSet, THREES))
    return lead(Adapter(adapter, Limits()), COMMONEST, deal)


REFUSED = {"refused": {"clauses": ["4.2"]}}


def test_refused_acts_are_tried_in_one_place_and_the_last_stays() -> None:
    due = {"ok": {"turn": [0], "pass": 286}}
    said: dict[str, dict[str, Any]] = {"legal": due, "step": REFUSED}
    adapter = Scripted(lambda asked: said.get(asked["op"], {"ok": {}}))
    whole = led_deal(map(CardSet, SUITS))
    heard = lead(Adapter(adapter, Limits()), COMMONEST, whole)
    (moment,) = heard.transcript.moments
    assert len(heard.trace.steps) == 1
    assert len(moment.refuse) == 7
    due = {"ok": {"turn": [0], "play": "2C 5C"}}
    heard = led({"legal": due, "step": REFUSED})
    assert heard.tells
    assert len(heard.trace.steps) == 1


def test_a_whole_hand_is_passed_where_there_is_one_way_to_pass() -> None:
    heard = led({"legal": {"ok": {"turn": [0], "pass": 1}}, "step": REFUSED})
    first, _ = heard.transcript.moments[0].refuse[0]
    assert first.act == Pass(0, CardSet(THREES[0]))


def test_cards_that_are_scattered_are_held_no_longer() -> None:
    adapter = Adapter(Scripted(lambda asked: {"ok": {}}), Limits())
    deal = led_deal(map(CardSet, THREES))
    one = led_games._Leading(adapter, COMMONEST, deal)
    one._follow(Scatter(0, {1: "2C", 2: "5C"}))
    assert one.hands[0] == CardSet("QS")


def test_what_an_engine_says_of_seats_and_hands_is_only_heard() -> None:
    assert not led({"legal": {"ok": {"turn": [4], "play": "2C"}}}).tells
    for hands in (["2C 2C 5C", *THREES[1:]], [*THREES[1:]]):
        due = {"ok": {"turn": [0], "play": "2C"}}
        seen = {"ok": {"hands": hands}}
        can = ["step", "legal", "observe"]
        heard = led({"legal": due, "observe": seen}, capabilities=can)
        assert heard.transcript.broke is None
        assert heard.transcript.moments[0].then == {"hands": hands}


def test_an_opening_that_is_refused_is_told_and_the_starts_are_of_its_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deals: dict[str, Any] = {"starts": ["deal"], "pack": "full", "cards": "2C QS"}
    tables = [
        {"profile": "estmesh-hearts", "players": [4], **deals},
        {"profile": "common-hearts", "players": [3], "starts": ["match"]},
    ]
    refusal = {"refused": {"clauses": ["2.6"]}}
    adapter = Scripted(lambda asked: refusal, tables=tables)
    monkeypatch.setattr(identifying, "transport_of", lambda command: adapter)
    found = identify(("it",), players=3)
    assert found.declined == (("refused by 2.6", found.asked),)
    assert (found.starts, found.pack, found.cards) == (("match",), "any", CardSet())
    found = identify(("it",))
    assert (found.starts, found.pack) == (("deal",), "full")
    assert found.cards == CardSet("2C QS")
    assert identify(("it",), hands=3).pack is None


def test_an_engine_that_does_not_say_what_is_due_is_asked_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adapter = Scripted(lambda asked: {"ok": {}}, capabilities=["step", "pass"])
    monkeypatch.setattr(identifying, "transport_of", lambda command: adapter)
    found = identify(("it",))
    assert (found.asked, found.exit_code) == (0, 4)
    assert [*sentences(found, COMMAND)] == [
        "It cannot be led, since it does not declare `legal` and `step`."
    ]


def test_the_answers_of_the_last_round_count_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = identifying._Identifying(REFERENCE, Limits(), ENDLESS)
    one.sent = COMMONEST
    rounds: list[object] = []

    def nearest(fit: object, begin: object) -> Nearest:
        rounds.append(begin)
        wrong = (led({}),) if len(rounds) > 6 else ()
        return Nearest(COMMONEST, wrong)

    monkeypatch.setattr(identifying, "nearest_rules", nearest)
    monkeypatch.setattr(identifying, "one_option_away", lambda ruleset: ())
    monkeypatch.setattr(identifying, "two_options_away", lambda ruleset: ())
    monkeypatch.setattr(one, "_tell_apart", lambda ruleset, others: True)
    assert one._nearest()[0].unexplained


def card(profiles: tuple[str, ...], players: tuple[int | str, ...]) -> EngineCard:
    return EngineCard("it", "1", "Go", profiles, players, ("step", "legal"))


@pytest.mark.unmeasured
def test_the_commonest_rules_are_named_and_nothing_else_is_in_doubt() -> None:
    found = identify(masked_command(COMMONEST))
    assert found.exit_code == 0
    assert found.rulesets[0].ruleset == Ruleset("common-hearts", 4)
    assert found.contains(COMMONEST)
    assert found.rulesets[0].unexplained == 0
    assert {name for name, _ in found.undecided} <= {"undealt"}
    said = "\n".join(sentences(found, COMMAND))
    name = "Hearts as most people play it (common-hearts)"
    assert said.startswith(f"It plays {name}, 4 players.")


@pytest.mark.unmeasured
def test_an_engine_of_the_first_edition_is_named_by_its_profiles(
    tmp_path: Path,
) -> None:
    engine = engine_with_name("counting_py")
    found = identify(write_engine(engine, tmp_path))
    assert found.rulesets[0].ruleset.profile in edition("1.0.0").members["profiles"]


@pytest.mark.unmeasured
def test_rules_with_a_stock_are_named_too() -> None:
    own = Ruleset("pokerwiner-domino", 4, {"pass_unseen": True, "revokes": "rejected"})
    found = identify(masked_command(own))
    assert found.exit_code == 0
    assert found.contains(own)
    assert not found.contains(own.having(queen_points=12))
    assert IdentifiedRow(engine="it", own=own, found=found).right
    wrong = IdentifiedRow(engine="it", own=own.having(queen_points=12), found=found)
    assert str(wrong).startswith("BAD it")


@pytest.mark.unmeasured
def test_a_masked_ruleset_is_found() -> None:
    own = masked_ruleset(11)
    found = identify(masked_command(own), players=own.players)
    assert found.exit_code == 0
    assert found.contains(own)


@pytest.mark.slow  # half a minute; a masked engine and one with a stock stay
@pytest.mark.unmeasured
def test_an_engine_that_obeys_is_named_as_what_it_was_sent() -> None:
    found = identify(REFERENCE, players=3)
    assert found.contains(Ruleset("common-hearts", 3))
    assert found.exit_code == 0


@pytest.mark.unmeasured
def test_a_bug_leaves_something_unexplained(tmp_path: Path) -> None:
    engine = engine_with_name("counting_py")
    fault = fault_with_id(engine, "led_suit_not_cleared")
    found = identify(write_engine(engine, tmp_path, fault))
    assert found.exit_code == 1
    assert found.rulesets[0].unexplained > 0
    said = [*sentences(found, COMMAND)]
    assert said[0].startswith("The nearest rules are ")
    assert "a bug, or a rule" in " ".join(said)
    [command] = (line for line in said if line.startswith("  refengine"))
    typed = shlex.split(command)[3:]
    flags = [*ruleset_flags(found.rulesets[0].ruleset)]
    assert typed[: len(flags)] == flags
    assert typed[-3:] == ["--", *COMMAND]


@pytest.mark.parametrize(
    ("how", "outcome", "says"),
    [
        ("dies", "crash", "ended with exit code 7"),
        ("fails", "error", "your adapter failed with no clone"),
    ],
)
def test_a_failure_in_any_game_is_named_counted_and_decides_the_exit_code(
    how: str, outcome: str, says: str, tmp_path: Path
) -> None:
    found = identify(failing(how, tmp_path), players=3)
    (loss,) = found.losses
    assert (loss.outcome, loss.first) == (outcome, 12)
    assert 11 < loss.games <= found.asked - 11
    assert found.exit_code == 2
    assert found.fields()["losses"] == [attrs.asdict(loss)]
    first, *more = sentences(found, COMMAND)
    assert first.startswith(f"In {loss.games} games, first in game 12, ")
    assert not any("everything in" in line for line in more)
    assert says in first


def test_what_an_adapter_declines_is_told_in_its_own_words(tmp_path: Path) -> None:
    found = identify(failing("declines", tmp_path))
    assert (found.answered, found.exit_code) == (0, 4)
    assert found.asked > 0
    assert found.declined == (("whole hands only", found.asked),)
    assert found.fields()["declined"][0]["message"] == "whole hands only"
    said = [*sentences(found, COMMAND)]
    assert "too few" in said[0]
    assert said[1] == f"In {found.asked} games it said: whole hands only"
    assert "--profile" in said[2]


def test_the_ruleset_that_is_sent_can_be_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given: list[object] = []

    def identified(command: object, *, sent: object, **more: object) -> Identified:
        given.append(sent)
        return Identified(rulesets=(), undecided=(), asked=3, answered=0)

    monkeypatch.setattr(conform_identify_command, "identify", identified)
    flags = ("--profile", "pokerwiner-hearts", "--option", "queen_points=7")
    assert exit_code_of(*flags, "--players", "6", "--", "it") == 4
    assert exit_code_of("--option", "moon=none", "--", "it") == 4
    assert exit_code_of("--", "it") == 4
    assert given == [
        Ruleset("pokerwiner-hearts", 6, {"queen_points": 7}),
        Ruleset("common-hearts", 4, {"moon": "none"}),
        None,
    ]
    assert exit_code_of("--profile", "whist", "--", "it") == 3


def test_one_game_that_failed_is_named_once() -> None:
    loss = Loss(outcome="crash", message="it ended", games=1, first=3)
    found = Identified(rulesets=(), undecided=(), asked=5, answered=0, losses=(loss,))
    assert next(sentences(found, COMMAND)) == "In game 3, it ended"


def test_games_that_cannot_begin_under_the_rules_are_not_called_right() -> None:
    named = RatedRuleset(ruleset=COMMONEST, explains=7, unexplained=0)
    found = Identified(rulesets=(named,), undecided=(), asked=11, answered=9)
    *_, last = sentences(found, COMMAND)
    begun = "the 7 games that can be begun with them"
    right = "is right (9 of 11 games answered)."
    assert last == f"Under these rules everything in {begun} {right}"


def test_no_value_is_a_word_and_a_guess_is_called_one() -> None:
    named = RatedRuleset(ruleset=COMMONEST, explains=2, unexplained=7)
    found = Identified(
        rulesets=(named,),
        undecided=(("pass_cycle", ((), ("left",))),),
        asked=9,
        answered=9,
    )
    assert found.is_guess
    said = "\n".join(sentences(found, COMMAND))
    assert "pass_cycle: nothing or left" in said
    assert "That is a guess" in said
    shown = "--hands any --starts deal,position,match -- node 'my engine.mjs'"
    assert said.splitlines()[-1 - len(found.undecided)].endswith(shown)
    whole = attrs.evolve(found, hands="full", starts=("deal",))
    said = "\n".join(sentences(whole, COMMAND))
    assert "--hands full --starts deal -- node 'my engine.mjs'" in said
    needs = attrs.evolve(found, pack="full", cards=CardSet("2C QS"))
    said = "\n".join(sentences(needs, COMMAND))
    assert "match --needs-card 2C --needs-card QS --pack full -- node" in said
    removed = attrs.evolve(named, ruleset=Ruleset("heartsgame-tiles", 5))  # without 2C
    assert not attrs.evolve(needs, rulesets=(removed,)).nearest_table.cards
    sure = attrs.evolve(found, rulesets=(attrs.evolve(named, explains=8),))
    assert "a guess" not in "\n".join(sentences(sure, COMMAND))


def test_the_time_ends_it() -> None:
    with pytest.raises(RunOverError):
        identify(REFERENCE, time=RunTime.from_now(0.5))


@pytest.mark.parametrize("hands", [0, 14])
def test_hands_that_cannot_be_dealt_are_refused(
    hands: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code_of("--hands", str(hands), "--", *REFERENCE) == 3
    assert "--hands" in capsys.readouterr().err


def test_what_cannot_be_started_is_said() -> None:
    with pytest.raises(CannotRunError):
        identify(("no-such-engine",))


def test_the_ruleset_sent_is_that_of_the_first_table_else_of_the_first_profile() -> (
    None
):
    table = Table(ruleset=COMMONEST, hands="full")
    anybody = card(("any",), ("any",))
    assert ruleset_to_send(anybody, [table], None) == (COMMONEST, "full")
    assert ruleset_to_send(anybody, [], None)[0] == Ruleset("estmesh-hearts", 4)
    assert ruleset_to_send(anybody, [table], 5)[0] == Ruleset("common-hearts", 5)
    older = attrs.evolve(anybody, spec="1.0.0")
    assert ruleset_to_send(older, [table], 5)[0] == Ruleset("dominorules-tiles", 5)
    three = card(("gamerules-domino",), (3,))
    assert ruleset_to_send(three, [], None)[0] == Ruleset("gamerules-domino", 3)
    for number in (40, 0):
        with pytest.raises(Malformed, match=f"found {number}"):
            ruleset_to_send(anybody, [], number)


@pytest.mark.parametrize("players", [None, 4])
def test_a_profile_that_is_newer_than_the_edition_declared_is_named(
    players: int | None,
) -> None:
    """The message does not depend on the number of players given."""
    older = attrs.evolve(card(("common-hearts",), ("any",)), spec="1.0.0")
    with pytest.raises(Malformed, match=r"common-hearts is not in edition 1\.0\.0"):
        ruleset_to_send(older, [], players)


def test_a_ruleset_is_sent_whatever_is_declared() -> None:
    usual = Ruleset("estmesh-hearts", 4)
    for profiles in ((), ("spider",)):
        assert ruleset_to_send(card(profiles, ("any",)), [], None)[0] == usual
    both = card(("spider", "omnibus-hearts"), (3, 5))
    assert ruleset_to_send(both, [], None)[0] == Ruleset("omnibus-hearts", 5)


def test_rules_are_told_as_changes_to_any_profile() -> None:
    """A moon that depends on who wins the match needs a limit (9.8d)."""
    moon = {"moon": "others_plus_unless_losing", "limit": 70, "limit_rule": "reach"}
    wanted = [Ruleset("openspiel-hearts", 4, moon)]
    wanted += [
        Ruleset(name, 4) for name in profile_names() if 4 in profile(name).players
    ]
    assert len(wanted) > 5
    for ruleset in wanted:
        for other in wanted:
            told = as_changes_to(other.profile, ruleset)
            assert told is not None
            assert told.profile == other.profile
            assert effects_of(told) == effects_of(ruleset)
    told = as_changes_to("openspiel-hearts", wanted[0])
    assert told == wanted[0]


def test_rules_are_told_without_changes_that_make_no_difference_at_the_table() -> None:
    """Three have nobody across (4.1a), and two pass to each other either way round."""
    three = Ruleset("common-hearts", 3, {"pass_cycle": ("left", "right", "hold")})
    assert as_changes_to("common-hearts", three) == Ruleset("common-hearts", 3)
    other_way = {"direction": "counterclockwise"}
    two = Ruleset("pokerwiner-hearts", 2, other_way)
    assert as_changes_to("pokerwiner-hearts", two) == Ruleset("pokerwiner-hearts", 2)
    four = Ruleset("pokerwiner-hearts", 4, other_way)
    assert as_changes_to("pokerwiner-hearts", four) == four


def test_cycles_alike_at_the_table_are_not_undecided() -> None:
    plain = Ruleset("common-hearts", 3)
    same = plain.having(pass_cycle=("left", "right", "hold"))
    assert identifying._undecided((plain, same)) == ()
    left = plain.having(pass_cycle=("left",))
    assert identifying._undecided((plain, same, left)) == (
        ("pass_cycle", (plain.options["pass_cycle"], ("left",))),
    )


def test_rules_of_the_same_effect_are_one_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two players pass to each other, whatever the pass is called."""
    right, left, scattered = (
        Ruleset("pokerwiner-hearts", 2, {"pass_cycle": (way,)})
        for way in ("right", "left", "scatter")
    )
    near = {right: scattered, scattered: left}
    monkeypatch.setattr(
        identifying,
        "one_option_away",
        lambda ruleset: [Neighbour("pass_cycle", near[ruleset])],
    )
    monkeypatch.setattr(identifying, "two_options_away", lambda ruleset: ())
    one = identifying._Identifying(REFERENCE, Limits(), ENDLESS)
    one.sent = right
    assert one._others(right) == [scattered]


def test_what_makes_no_difference_is_not_told_apart() -> None:
    left = Ruleset("estmesh-hearts", 4, {"pass_cycle": ("left",)})
    again = Ruleset("estmesh-hearts", 4, {"pass_cycle": ("left", "left")})
    assert effects_of(left) == effects_of(again)
    held = Ruleset("estmesh-hearts", 4, {"pass_cycle": ("hold",)})
    never = Ruleset("estmesh-hearts", 4, {"pass_cycle": ()})
    assert effects_of(held) == effects_of(never)
    assert effects_of(left) != effects_of(held)


def test_a_pass_that_does_not_exist_at_the_table_makes_no_difference() -> None:
    """Three players have nobody across (4.1a), so that this cycle passes nothing."""
    across = Ruleset("common-hearts", 3, {"pass_cycle": ("across",), "pass_count": 2})
    never = Ruleset("common-hearts", 3, {"pass_cycle": (), "pass_count": 3})
    assert effects_of(across) == effects_of(never)


@pytest.mark.parametrize(
    "way", [{"pass_cycle": ("right",)}, {"pass_cycle": ("across",)}]
)
def test_two_players_play_and_pass_to_each_other_whatever_it_is_called(
    way: dict[str, Any],
) -> None:
    left = {"pass_cycle": ("left",), "direction": "clockwise"}
    one = Ruleset("pokerwiner-hearts", 2, left)
    other = Ruleset("pokerwiner-hearts", 2, {**way, "direction": "counterclockwise"})
    assert effects_of(one) == effects_of(other)


@pytest.mark.parametrize("name", ["common-hearts", "omnibus-hearts"])
def test_rulesets_two_options_away_differ_in_effect_from_each_other(name: str) -> None:
    ruleset = Ruleset(name)
    keys = [key_of(one) for one in (ruleset, *two_options_away(ruleset))]
    assert len({*keys}) == len(keys) > 10


def test_the_fields_are_those_of_the_contract() -> None:
    named = RatedRuleset(ruleset=COMMONEST, explains=3, unexplained=1)
    found = Identified(
        rulesets=(named,), undecided=(("ties", ("shared",)),), asked=5, answered=4
    )
    fields = found.fields()
    assert fields.keys() == {
        *("rulesets", "undecided", "asked", "answered", "losses", "declined")
    }
    assert fields["undecided"] == [{"option": "ties", "values": ["shared"]}]
    (one,) = fields["rulesets"]
    assert one["profile"] == "estmesh-hearts"
    assert (one["players"], one["explains"], one["unexplained"]) == (4, 3, 1)
    assert one["options"].keys() == {option.name for option in OPTIONS}
    assert found.exit_code == 1


def exit_code_of(*words: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main(["conform", "identify", *words])
    return ended.value.code


def test_the_command_says_it_in_words_and_in_json(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    named = RatedRuleset(ruleset=COMMONEST, explains=9, unexplained=0)
    made = Identified(
        rulesets=(named,),
        undecided=(("undealt", ("none", "kitty")),),
        asked=11,
        answered=9,
    )
    monkeypatch.setattr(conform_identify_command, "identify", lambda *_, **__: made)
    assert exit_code_of("--json", "--", *REFERENCE) == 0
    assert json.loads(capsys.readouterr().out) == made.fields()
    assert exit_code_of("--hands", "full", "--", *REFERENCE) == 0
    said = capsys.readouterr().out
    title = "Hearts as the Estmesh tutorial has it (estmesh-hearts)"
    assert said.startswith(f"It plays {title}, 4 players, with")
    assert "(9 of 11 games answered)" in said
    assert "Cards left over from the deal (undealt: none or kitty)" in said


def test_the_command_says_why_it_found_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert exit_code_of("--", "no-such-engine") == 2
    assert exit_code_of("--limit-run", "0.3", "--", *REFERENCE) == 4
    assert "0.3 s, was up" in capsys.readouterr().err
    assert exit_code_of("--hands", "many", "--", *REFERENCE) == 3


# What a stranger's engine may run into


def test_the_help_says_how_many_players_a_named_ruleset_has(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert exit_code_of("--help") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "usual for the profile where a ruleset is named" in said


def test_every_ruleset_that_is_named_may_be_played() -> None:
    plain = Ruleset("estmesh-hearts", 4)
    kitty = plain.having(undealt="kitty", hand_size="all", removal="none")
    found = Identified(
        rulesets=tuple(
            RatedRuleset(ruleset=one, explains=29, unexplained=0)
            for one in (plain, kitty)
        ),
        undecided=(("undealt", ("none", "kitty")),),
        asked=44,
        answered=29,
    )
    assert all(found.contains(one.ruleset) for one in found.rulesets)
    assert not found.contains(plain.having(queen_points=12))
    assert not attrs.evolve(found, rulesets=()).contains(plain)


def first_packet(ruleset: Ruleset, hands: Iterable[CardSet], ways: int) -> CardSet:
    """The first packet tried on an engine that reports `ways` possible passes."""
    due: dict[str, Any] = {"ok": {"turn": [0], "pass": ways}}
    adapter = Scripted(lambda asked: due if asked["op"] == "legal" else {"ok": {}})
    heard = lead(Adapter(adapter, Limits()), ruleset, led_deal(hands))
    first = heard.trace.steps[0].act
    assert isinstance(first, Pass)
    return first.cards


@pytest.mark.parametrize(
    ("ruleset", "size", "ways"),
    [(COMMONEST, 5, 10), (Ruleset("common-hearts", 3), 8, 56)],
)
def test_of_two_sizes_of_a_packet_the_usual_one_is_tried_first(
    ruleset: Ruleset, size: int, ways: int
) -> None:
    """Five cards have 10 packets of two, and as many of three; eight have 56 of three.

    There are also 56 ways to scatter two of eight, but this engine declares no scatter.
    """
    hands = (CardSet(suit[:size]) for suit in SUITS[: ruleset.players])
    assert len(first_packet(ruleset, hands, ways)) == 3


def test_a_packet_of_most_of_a_hand_is_passed_if_it_is_the_usual_one() -> None:
    """A hand of 26 cards has as many packets of 20 cards as it has packets of six."""
    ruleset = Ruleset(
        "pokerwiner-hearts", 2, {"pass_cycle": ["left"], "pass_count": 20}
    )
    hands = (CardSet([*SUITS[0], *SUITS[1]]), CardSet([*SUITS[2], *SUITS[3]]))
    assert len(first_packet(ruleset, hands, 230_230)) == 20


def test_a_kitty_that_is_not_declared_is_not_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dealt: list[dict[str, Any]] = []

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        if asked["op"] == "open":
            dealt.append(asked["setup"])
        if asked["op"] == "legal":
            return {"ok": {"turn": [0], "play": "2C"}}
        return REFUSED if asked["op"] == "step" else {"ok": {}}

    adapter = Scripted(answer, capabilities=["step", "legal"])
    monkeypatch.setattr(identifying, "transport_of", lambda command: adapter)
    one = identifying._Identifying(("it",), Limits(), ENDLESS)
    one.sent = Ruleset("common-hearts", 3)
    one._lead("any")
    assert dealt
    assert not any("kitty" in setup for setup in dealt)


@pytest.mark.parametrize(("players", "size"), [(3, 17), (4, 12), (5, 10)])
def test_a_kitty_is_offered_to_any_number_that_can_have_one(
    players: int, size: int
) -> None:
    """With a kitty, four players hold 12 cards each, others as many as fit (3.4a)."""
    shapes = shapes_of_deal(Ruleset("common-hearts", players), "any")
    assert (size, "kitty") in {(one.size, one.talon) for one in shapes}


@pytest.mark.parametrize(
    ("sent", "size", "cards"),
    [
        (Ruleset("gamerules-domino", 3), 17, 51),
        (Ruleset("estmesh-hearts", 5, {"undealt": "kitty"}), 10, 50),
    ],
)
def test_whole_hands_without_a_talon_are_offered_whatever_is_sent(
    sent: Ruleset, size: int, cards: int
) -> None:
    """One ruleset sent has a hand size; five play the other only with a kitty (2.6)."""
    shapes = shapes_of_deal(sent, "any")
    assert (size, "none", cards) in {
        (one.size, one.talon, len(one.pack)) for one in shapes
    }


def test_a_table_of_a_shape_has_the_cards_of_the_shape() -> None:
    """Three hold 17 cards each, without the two of clubs or diamonds (3.3, 3.3a)."""
    sent = Ruleset("common-hearts", 3)
    shapes = shapes_of_deal(sent, "any")
    assert not any(
        table_of_shape(sent, one).why_not(deal_to_lead(sent, one, 0).setup)
        for one in shapes
    )
    plain = [one for one in shapes if one.talon == "none"]
    missing = [f"{CardSet(SUITS[0] + SUITS[1]) - CardSet(one.pack)}" for one in plain]
    assert missing == ["2D", "2C"]
    for shape in plain:
        made = candidate(table_of_shape(sent, shape), 1, 0)
        assert made is not None
        assert hands_and_pack(sent, made.script.start) == (17, CardSet(shape.pack))


def test_a_profile_that_needs_a_kitty_at_this_table_is_told() -> None:
    one = identifying._Identifying(REFERENCE, Limits(), ENDLESS)
    one.sent = Ruleset("common-hearts", 5)
    kitty = Ruleset("estmesh-hearts", 5, {"undealt": "kitty"})
    said = Ruleset("common-hearts", 5, dict(kitty.options))
    assert one._as_profile(said) == kitty


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        ("at 0x{:x}", "at 0x9"),
        (f"card {{}}: {200 * 'x'}", f"card 9: {111 * 'x'}…"),
    ],
    ids=["an address", "cut"],
)
def test_errors_that_differ_in_a_number_are_one_loss(
    error: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = iter(range(9, 10_000))
    adapter = Scripted(lambda asked: {"error": error.format(next(calls))})
    monkeypatch.setattr(identifying, "transport_of", lambda command: adapter)
    found = identify(("it",))
    assert [one.games for one in found.losses] == [found.asked]
    assert found.losses[0].message == shown
