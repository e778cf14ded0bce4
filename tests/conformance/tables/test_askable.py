"""Tests of which clauses can be asked at a table, and which of them a run asked."""

import tomllib

import attrs
import pytest

from refengine import Deal, Ruleset, profile_names
from refengine.formats.protocol import CAPABILITIES
from refengine.formats.trace import Trace
from refengine.lawbook.options import Value
from refengine_conformance.mutants.source_edits import CORPUS, judging_clauses
from refengine_conformance.runner.results import Case, EngineCard, Outcome
from refengine_conformance.runner.table import Table
from refengine_conformance.runner.transcripts import probes_asked
from refengine_conformance.tables.askable import (
    CAPABILITY,
    KITTY,
    NO_SUCH_GAME,
    REASONS,
    REVOKES,
    SMALL_PACK,
    START,
    STOCK,
    askable,
    can_show,
    clauses_asked,
    clauses_needed_by_corpus,
    clauses_of_table,
    is_empty,
    why_left_out,
    why_not_asked_about,
)
from refengine_conformance.tables.corpus_lines import corpus_lines
from tests.support.tables import whole


def card(*capabilities: str) -> EngineCard:
    return EngineCard("e", "1", "C", ("any",), ("any",), capabilities)


ABLE = card(*CAPABILITIES)


def test_no_clause_that_a_line_needs_is_empty_under_its_ruleset() -> None:
    number = (CORPUS / "index.jsonl").read_bytes().count(b"\n")
    assert len(corpus_lines()) == number  # none is retired
    needed = [(line, one) for line in corpus_lines() for one in line.necessary]
    reasons = tomllib.loads((CORPUS / "reasons.toml").read_text("utf-8")).values()
    excused = {clause for one in reasons for clause in one.get("clauses", ())}
    judged = {one["number"] for one in judging_clauses()}
    assert (
        {clause for _, clause in needed}
        == judged - excused
        == {*clauses_needed_by_corpus()}
    )
    wrong = [(line.id, one) for line, one in needed if is_empty(one, line.ruleset)]
    assert wrong == []


@pytest.mark.parametrize(
    ("clause", "empty", "there"),
    [
        ("5.5", {}, {"first_trick_points": "barred"}),
        ("5.4a", {"heart_leads": "free"}, {}),
        ("8.3", {"moon": "none"}, {}),
        ("8.3a", {"moon": "none"}, {}),
        ("8.6a", {"moon": "others_plus"}, {}),
        ("9.7a", {"moon": "self_minus"}, {}),
        ("8.8", {}, {"no_trick_points": 5}),
        ("9.2", {}, {"exact_limit_becomes": 0}),
        ("4.4", {"pass_cycle": ()}, {}),
        ("4.3", {"pass_cycle": ("left",)}, {"pass_cycle": ("hold",)}),
        ("4.2", {"pass_cycle": ("scatter",)}, {}),
        ("4.10", {}, {"pass_cycle": ("mix",)}),
        ("4.9a", {}, {"pass_unseen": True}),
        ("4.9", {"pass_unseen": True}, {}),
        (
            "4.9",
            {"pass_unseen": True, "pass_cycle": ("left", "hold")},
            {"pass_unseen": True, "pass_cycle": ("left", "mix")},
        ),
        (
            "4.9c",
            {"pass_unseen": True, "pass_cycle": ("scatter",)},
            {"pass_unseen": True},
        ),
        (
            "8.3b",
            {"moon": "others_plus", "revokes": "penalised", "revoke_ends_deal": True},
            {"moon": "others_plus", "revokes": "penalised"},
        ),
        (
            "8.3b",
            {"moon": "none", "revokes": "penalised"},
            {"moon": "choice_one", "revokes": "penalised"},
        ),
        (
            "8.3c",
            {"moon": "none", "bonus_card": "TD", "moon_needs_bonus": True},
            {"bonus_card": "JD", "moon_needs_bonus": True},
        ),
    ],
)
def test_options_make_a_clause_empty(
    clause: str, empty: dict[str, Value], there: dict[str, Value]
) -> None:
    assert is_empty(clause, Ruleset("estmesh-hearts", 4, empty))
    assert not is_empty(clause, Ruleset("estmesh-hearts", 4, there))


def test_across_counts_for_the_players_at_the_table() -> None:
    cycle = {"pass_cycle": ("across",), "undealt": "kitty"}
    three, four = (Ruleset("estmesh-hearts", n, cycle) for n in (3, 4))
    assert is_empty("4.1a", four)
    assert not is_empty("4.1a", three)
    assert is_empty("4.2", three)


@pytest.mark.parametrize(
    ("clause", "reason"),
    [
        ("6.5", STOCK),
        ("3.6", STOCK),
        ("5.13", KITTY),
        ("3.10", SMALL_PACK),
        ("5.1a", SMALL_PACK),
        ("8.3a", SMALL_PACK),
        ("7.6b", REVOKES),
        ("9.9", REVOKES),
        ("3.10a", NO_SUCH_GAME),
        ("4.6a", NO_SUCH_GAME),
    ],
)
def test_a_clause_is_left_out_for_a_reason(clause: str, reason: str) -> None:
    found = askable(whole("estmesh-hearts"), ABLE)
    assert reason in REASONS
    assert found.left_out[clause] == reason
    assert clause not in found.clauses


@pytest.mark.parametrize(("size", "reason"), [(14, SMALL_PACK), (13, None)])
def test_a_whole_pack_can_leave_a_deal_without_clubs_if_so_many_cards_are_left_over(
    size: int, reason: str | None
) -> None:
    """A kitty of ten cards cannot hold all thirteen clubs; one of thirteen can."""
    table = whole("estmesh-hearts", 3, undealt="kitty", hand_size=size)
    left_out = askable(table, ABLE).left_out
    assert left_out.get("5.1a") == reason
    # The queen and the hearts are in play in a kitty, too (0.9).
    assert left_out["8.3a"] == SMALL_PACK


def test_a_stock_hides_no_card_of_a_whole_pack_from_play() -> None:
    table = whole("pokerwiner-domino", 3, moon="others_plus")
    assert askable(table, ABLE).left_out["8.3a"] == SMALL_PACK
    small = attrs.evolve(table, hands=6, pack="any")
    assert "8.3a" in askable(small, ABLE).clauses


def test_what_no_game_can_ask_about_is_not_looked_for() -> None:
    table = whole("estmesh-hearts")
    assert why_left_out("3.10a", table, ABLE) == NO_SUCH_GAME
    looked_for = clauses_of_table(table)
    assert {"3.10a", "4.6a"}.isdisjoint(looked_for)
    assert {"3.11", "5.3", "9.5"} <= {*looked_for}
    small = Table(ruleset=table.ruleset, hands=4)
    assert "3.10a" in clauses_of_table(small)


def test_what_is_not_declared_is_left_out_and_nothing_else() -> None:
    deals = Table(ruleset=Ruleset("estmesh-hearts"), hands="full", starts=["deal"])
    found = askable(deals, card("step", "legal", "probe", "pass"))
    assert found.left_out["3.1"] == START
    assert found.left_out["2.7"] == found.left_out["5.10"] == CAPABILITY
    more = askable(deals, card("step", "legal", "probe", "pass", "observe"))
    assert "5.10" in more.clauses
    assert {*found.clauses} < {*more.clauses}


def test_an_engine_that_shuffles_its_own_pack_is_asked_of_no_wrong_deal() -> None:
    shuffles = card(*(one for one in CAPABILITIES if one != "given_deals"))
    wrong_deals = {"3.8a", "3.8b", "3.8c", "3.8d"}
    anything = askable(whole("gamerules-domino"), ABLE)
    found = askable(whole("gamerules-domino"), shuffles)
    assert {*anything.clauses} - {*found.clauses} == wrong_deals
    assert {found.left_out[clause] for clause in wrong_deals} == {CAPABILITY}
    refused = [
        probe
        for line in corpus_lines()
        if isinstance(line.read, Trace)
        for step in line.read.steps
        for probe in step.refuse
    ]
    deals = [one for one in refused if isinstance(one.act, Deal)]
    assert deals
    assert probes_asked(ABLE, tuple(refused)) == tuple(refused)
    assert probes_asked(shuffles, tuple(deals)) == ()
    others = [one for one in refused if one not in deals]
    assert probes_asked(shuffles, tuple(refused)) == tuple(others)


@pytest.mark.parametrize("profile", profile_names())
def test_every_clause_is_askable_or_empty_or_left_out(profile: str) -> None:
    found = askable(whole(profile), ABLE)
    assert {*found.left_out.values()} <= {*REASONS}
    for clause in clauses_needed_by_corpus():
        counted = (clause in found.clauses) + (clause in found.left_out)
        if not counted:
            assert is_empty(clause, whole(profile).ruleset)
        assert counted <= 1


def test_a_clause_that_some_game_shows_can_be_asked_in_any_case() -> None:
    shows = {"t-1": {"5.1a": frozenset({"legal"})}}
    assert "5.1a" in askable(whole("estmesh-hearts"), ABLE, shows).clauses
    blind = askable(whole("estmesh-hearts"), card("step"), shows)
    assert "5.1a" not in blind.clauses


def test_replaying_shows_what_playing_shows() -> None:
    assert can_show(card("replay"), ["step"])
    assert can_show(card("step"), ["probe"])
    assert not can_show(card("replay"), ["probe"])
    assert not can_show(card("replay", "views"), ["views"])


def test_without_steps_less_is_asked_than_is_declared() -> None:
    assert not can_show(card("replay", "events"), ["events"])
    assert not can_show(card("replay", "clause"), ["clause"])
    assert can_show(card("replay", "clause", "probe"), ["clause"])
    assert can_show(card("replay", "clause", "revokes"), ["clause"])


def test_an_adapter_that_can_only_count_games_is_asked_for_counts_alone() -> None:
    counts = card("enumerate", "legal", "probe")
    assert can_show(counts, ["enumerate"])
    assert not can_show(counts, ["step", "legal", "probe"])


def test_asked_is_what_a_scored_case_of_the_kind_would_have_shown() -> None:
    shows = {
        "t-1": {"5.3": frozenset({"probe"}), "5.10": frozenset({"observe.taken"})},
        "t-2": {"5.8": frozenset({"step"})},
    }
    cases = (
        Case("t-1", "observe", Outcome.NOT_RUN, note="the game ended too early"),
        Case("t-1", "probe", Outcome.FAIL),
        Case("t-2", "replay", Outcome.PASS),
    )
    assert clauses_asked(cases, shows, ABLE) == {"5.3", "5.8"}
    why = why_not_asked_about("5.10", shows, {}, cases)
    assert why == "the game ended too early"
    unreached = {"9.5": "no deal ends a match"}
    assert why_not_asked_about("9.5", shows, unreached, cases) == unreached["9.5"]
    assert "no game" in why_not_asked_about("9.6", shows, unreached, cases)
    assert "not chosen" in why_not_asked_about("5.3", shows, {}, ())


def test_what_is_observed_is_asked_by_the_fields_that_are_told() -> None:
    shows = {
        "t-1": {
            "9.3": frozenset({"observe.match", "observe.over"}),
            "8.1": frozenset({"observe.score"}),
            "9.1": frozenset({"observe.totals"}),
        }
    }
    told = frozenset({"score", "over"})
    cases = (
        Case("t-1", "step", Outcome.PASS),
        Case("t-1", "observe", Outcome.PASS, told=told),
    )
    assert clauses_asked(cases, shows, ABLE) == {"9.3", "8.1"}
    why = why_not_asked_about("9.1", shows, {}, cases)
    assert why == "your adapter does not tell totals"


def test_what_was_answered_unsupported_is_asked_of_nobody() -> None:
    shows = {"t-1": {"8.1": frozenset({"observe.score"}), "5.3": frozenset({"probe"})}}
    told = frozenset({"score"})
    cases = (
        Case("t-1", "observe", Outcome.UNSUPPORTED, told=told),
        Case("t-1", "probe", Outcome.UNSUPPORTED),
    )
    assert clauses_asked(cases, shows, ABLE) == frozenset()


def test_without_probe_a_refused_act_is_tried_itself() -> None:
    shows = {"t-1": {"5.3": frozenset({"probe"})}}
    played = (Case("t-1", "step", Outcome.PASS),)
    assert clauses_asked(played, shows, card("step")) == {"5.3"}
    assert clauses_asked(played, shows, card("step", "probe")) == frozenset()


def test_a_field_that_is_told_in_other_games_alone_is_named() -> None:
    shows = {"t-1": {"5.13": frozenset({"observe.kitty"})}}
    cases = (
        Case("t-1", "step", Outcome.PASS),
        Case("t-1", "observe", Outcome.PASS, told=frozenset({"score"})),
        Case("t-2", "observe", Outcome.PASS, told=frozenset({"kitty"})),
    )
    why = why_not_asked_about("5.13", shows, {}, cases)
    assert why == "your adapter does not tell kitty in the games that show it"


def test_of_games_that_went_wrong_only_what_was_not_told_in_them_is_said() -> None:
    shows = {"t-1": {"9.1": frozenset({"observe.totals"})}}
    told = frozenset({"score"})
    failed = Case("t-1", "observe", Outcome.FAIL, told=told)
    why = why_not_asked_about("9.1", shows, {}, (failed,))
    assert why == "your adapter did not tell totals in the games that show it"
    stopped = Case("t-1", "step", Outcome.CRASH, note="the adapter exited with code 1")
    assert why_not_asked_about("9.1", shows, {}, (failed, stopped)) == stopped.note
