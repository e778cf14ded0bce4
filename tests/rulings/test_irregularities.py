"""Tests of the law of irregularities, against the engine and the sources."""

import json
from functools import partial

import pytest

from refengine import Claim, Play, Ruleset, State, new_deal, profile_names
from refengine.lawbook import book
from refengine.rulings.irregularities import (
    cost_words,
    knows_revokes,
    moments_after,
    profiles_with_revokes,
    revoke_sections,
)
from refengine.rulings.irregularity_words import IRREGULAR
from tests.support import places
from tests.support.commands import Runner, error_of

pytestmark = pytest.mark.interpreted("about a page; test_revoke is played compiled")

PAGE = places.DOCS / "irregularities.md"
TOO_LATE, TOO_EARLY = ("7.4",), ("7.7",)
# From the sources: when it may be taken back and when claimed, moment by moment (card
# played, trick complete, turned, next lead, end of the deal, last trick if somebody can
# revoke in it).
CAN = {
    "heartsgame-tiles": ["back", "claim", "claim", "claim"],
    "dominorules-tiles": ["back", "back", "claim", "claim", "claim"],
    "pokerwiner-hearts": ["back", "back", "claim", "claim"],
    "pokerwiner-domino": ["back", "back", "claim", "claim", "both"],
}
COSTS = {
    "heartsgame-tiles": "13 points",
    "dominorules-tiles": "13 points",
    "pokerwiner-hearts": "all the points there are, 26 with the full pack",
    "pokerwiner-domino": "all the points there are, 13 with the full pack",
}


def test_the_profiles_with_revokes_are_those_of_the_sources() -> None:
    assert {one.profile for one in profiles_with_revokes()} == set(CAN)


@pytest.mark.parametrize(
    "ruleset", profiles_with_revokes(), ids=lambda one: one.profile
)
def test_each_moment_is_as_the_sources_have_it(ruleset: Ruleset) -> None:
    moments = moments_after(ruleset)
    for moment, can in zip(moments, CAN[ruleset.profile], strict=True):
        assert moment.correct == (() if can in ("back", "both") else TOO_LATE)
        assert moment.claim == (() if can in ("claim", "both") else TOO_EARLY)


@pytest.mark.parametrize(
    "ruleset", profiles_with_revokes(), ids=lambda one: one.profile
)
def test_the_cost_is_what_the_engine_charges(ruleset: Ruleset) -> None:
    assert cost_words(ruleset) == COSTS[ruleset.profile]
    hands = ["2C 6C 6D", "3C 4C 9D", "5C QS 8D", "TC JC 2H"]
    state = new_deal(ruleset, hands, dealer=3, leader=0).play("2C")
    seat = state.turn[0]
    thrown = "9D" if seat == 1 else "2H"
    state = state.apply(Play(seat, thrown))
    while len(state.history) < 2:
        state = state.play(next(iter(state.legal.cards)))
    claimed = state.apply(Claim(0, seat, 1))
    (cost,) = [
        one
        for section in revoke_sections(ruleset)[3:]
        for one in section.sentences
        if "points" in one.text and one.clauses[0] in ("7.9", "7.10")
    ]
    if cost.clauses == ("7.9",):
        assert claimed.phase == "over"
        assert claimed.score is not None
        in_play = {"pokerwiner-hearts": 14, "pokerwiner-domino": 1}
        wanted = in_play.get(ruleset.profile, 13)
        assert [claimed.score[seat], sum(claimed.score)] == [wanted, wanted]
        return
    plain, charged = played_out(state), played_out(claimed)
    assert plain.score is not None
    assert charged.score is not None
    assert charged.score[seat] - plain.score[seat] == 13


def played_out(state: State) -> State:
    while state.phase == "play":
        state = state.play(next(iter(state.legal.cards)))
    return state


EARLY = {"deal_ends": "no_points_left", "sun_points": 0}  # 5.14c allows no sun there
WITHOUT_STOCK = [name for name in profile_names() if not name.endswith("-domino")]
GAMES = [
    *((name, {}) for name in profile_names()),
    *((name, EARLY) for name in WITHOUT_STOCK),  # 5.14b allows no stock there
]


@pytest.mark.parametrize("until", ["trick_complete", "trick_quitted", "next_lead"])
@pytest.mark.parametrize(("name", "ends"), GAMES)
def test_words_and_moments_agree_under_every_window(
    name: str, ends: dict[str, str | int], until: str
) -> None:
    options = {"revokes": "penalised", "revoke_until": until, **ends}
    ruleset = Ruleset(name, 4, options)
    told = {one.text for part in revoke_sections(ruleset) for one in part.sentences}
    (window,) = [
        key
        for key in ("trick_complete", "trick_quitted", "next_lead")
        if IRREGULAR[key][0] in told
    ]
    moments = {one.name: one for one in moments_after(ruleset)}
    assert window == until
    open_after = not moments["the trick is complete"].correct
    assert open_after is (until != "trick_complete")
    assert ("the trick is turned face down" in moments) is (until == "trick_quitted")
    last = moments.get("it was in the last trick of the deal")
    stock = ruleset.options["undealt"] == "stock"
    assert (last is not None) is (stock or ends == EARLY)
    if last is not None:
        assert (not last.correct) is (until != "trick_complete")
        assert last.claim == ()
        assert any(text.startswith("In the last trick") for text in told) is (
            until != "trick_complete"
        )


LATER = ["back", "claim", "claim"]  # where the next lead ends the time
NO_HEARTS = {"deal_ends": "no_points_left", "heart_points": 0}


@pytest.mark.parametrize("players", [2, 3, 13])
@pytest.mark.parametrize(
    ("options", "can"),
    [
        ({}, LATER),
        ({"direction": "counterclockwise"}, LATER),
        ({"undealt": "stock", "hand_size": 3, "removal": "none"}, [*LATER, "both"]),
        (NO_HEARTS, [*LATER, "both"]),
        ({**NO_HEARTS, "queen_waits": "play"}, [*LATER, "both"]),
        ({**NO_HEARTS, "bonus_card": "JD"}, [*LATER, "both"]),
        ({**NO_HEARTS, "queen_points": 0}, ["both", "both", "both"]),
    ],
    ids=str,
)
def test_the_moments_are_found_for_any_table(
    options: dict[str, str | int], players: int, can: list[str]
) -> None:
    ruleset = Ruleset("pokerwiner-hearts", players, options)
    found = [
        "both" if not (one.correct or one.claim) else "claim" if one.correct else "back"
        for one in moments_after(ruleset)
    ]
    assert found[1:] == can  # two seats complete the trick with the revoke itself


def test_a_kitty_counts_for_nobody_in_a_deal_that_a_claim_ended() -> None:
    assert all("kitty" in IRREGULAR[name][0] for name in ("ends", "ends scored"))


def test_where_a_revoke_is_refused_there_is_nothing_more_to_say() -> None:
    ruleset = Ruleset("estmesh-hearts")
    assert not knows_revokes(ruleset)
    (only,) = revoke_sections(ruleset)
    assert only.sentences[-1].clauses == ("7.2",)


def test_every_sentence_cites_the_book() -> None:
    for template, *clauses in IRREGULAR.values():
        assert template.endswith(".")
        assert clauses
        assert set(clauses) <= set(book.clauses())


def test_the_page_is_what_the_command_makes(run: Runner) -> None:
    assert run("irregularities", "--markdown") == (0, PAGE.read_text("utf-8"), "")


def test_the_command(run: Runner) -> None:
    run = partial(run, "irregularities")
    code, out, _ = run()
    assert code == 0
    assert out.count("Moment by moment") == 4
    code, out, _ = run("--profile", "estmesh-hearts")
    assert (code, "Moment" in out) == (0, False)
    options = ["--option", "revokes=penalised", "--option", "revoke_until=next_lead"]
    code, out, _ = run("--profile", "estmesh-hearts", *options)
    assert "taken back: yes         claimed: no [7.7]" in out
    assert "A player whose revoke was claimed cannot shoot the moon" in out
    code, out, _ = run("--json")
    found = json.loads(out)
    assert [one["ruleset"]["profile"] for one in found] == sorted(CAN)
    assert found[0]["moments"][0]["claim"] == ["7.7"]
    code, out, _ = run("--profile", "gamerules-domino", "--json")
    assert json.loads(out)[0]["moments"] == []
    ends = ("--profile", "heartsgame-tiles", "--option", "deal_ends=no_points_left")
    code, out, _ = run(*ends)
    assert (code, out.count("taken back: ")) == (0, 5)
    code, out, err = run("--option", "moon=none")
    assert (code, out, err) == (3, "", "refengine: --option needs --profile\n")
    error_of(run, "--profile", "whist")
    three = json.loads(
        run("--profile", "heartsgame-tiles", "--players", "3", "--json")[1]
    )
    assert three[0]["ruleset"]["players"] == 3
    assert "--players needs --profile" in error_of(run, "--players", "3")


@pytest.mark.parametrize(
    "words",
    [
        ("--json",),
        ("--profile", "heartsgame-tiles"),
        ("--players", "3"),
        ("--option", "moon=none"),
    ],
)
def test_the_page_is_always_of_all_profiles(
    run: Runner, words: tuple[str, ...]
) -> None:
    said = error_of(run, "irregularities", "--markdown", *words)
    assert "--markdown takes no other flags" in said
