"""Tests of citations of rulesets: making, reading and comparing with the edition."""

import json
from typing import Any

import pytest
from hypothesis import given

from refengine import Malformed, Ruleset, profile, profile_names
from refengine.game import cited_rulesets
from refengine.game.cited_rulesets import look_up_ruleset
from refengine.lawbook import book, ruleset_citation
from refengine.lawbook.editions import UnknownEdition, edition, profile_fingerprint
from refengine.lawbook.ruleset_citation import RulesetCitation
from refengine_conformance.generators.strategies import rulesets
from tests.support.commands import Runner

TODAY = book.version()
ESTMESH = "estmesh-hearts/4@1.0.0~8a411677"


def wording(text: str) -> str:
    """The message about this citation, which is checked to be false."""
    found = look_up_ruleset(text)
    assert (found.true, found.same, found.ruleset) == (False, False, None)
    return found.wording


def test_a_ruleset_is_cited_by_profile_players_version_digest_and_changes() -> None:
    digest = profile_fingerprint("estmesh-hearts")
    start = f"estmesh-hearts/4@{TODAY}~{digest}"
    assert Ruleset("estmesh-hearts").citation == start
    changed = {
        "limit": 50,
        "pass_unseen": True,
        "pass_cycle": ["left", "hold"],
        "first_trick_points": "barred",
    }
    assert Ruleset("estmesh-hearts", 4, changed).citation == (
        f"{start} pass_cycle=left,hold pass_unseen=true first_trick_points=barred "
        "limit=50"
    )
    assert Ruleset("estmesh-hearts", 4, {"pass_cycle": []}).citation == (
        f"{start} pass_cycle="
    )


@pytest.mark.parametrize("name", profile_names())
def test_every_profile_is_cited_truly(name: str) -> None:
    for players in profile(name).players:
        ruleset = Ruleset(name, players)
        found = look_up_ruleset(ruleset.citation)
        assert (found.true, found.same, found.ruleset) == (True, True, ruleset)


@given(ruleset=rulesets())
def test_any_ruleset_is_found_again_by_its_citation(ruleset: Ruleset) -> None:
    assert str(RulesetCitation.read(ruleset.citation)) == ruleset.citation
    found = look_up_ruleset(ruleset.citation)
    assert (found.true, found.ruleset) == (True, ruleset)


def test_a_citation_of_the_first_edition_is_true_for_ever() -> None:
    found = look_up_ruleset(f"{ESTMESH} first_trick_points=barred")
    made = Ruleset("estmesh-hearts").having(first_trick_points="barred")
    assert (found.true, found.ruleset) == (True, made)
    assert edition("1.0.0").fingerprint("profiles", "estmesh-hearts") == "8a411677"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "estmesh-hearts/4@1.0.0~8a411678",
            "1.0.0 has no such profile: there estmesh-hearts is ~8a411677",
        ),
        ("mine/4@1.0.0~8a411677", "1.0.0 has no profile mine"),
        (
            "estmesh-hearts/5@1.0.0~8a411677",
            "estmesh-hearts is not for 5 players in 1.0.0",
        ),
        (
            "estmesh-hearts/11@1.0.0~8a411677 undealt=kitty",
            "estmesh-hearts is not for 11 players in 1.0.0",
        ),
    ],
)
def test_a_false_citation_says_what_is_false(text: str, said: str) -> None:
    assert wording(text) == said


def test_players_with_a_kitty_are_those_of_the_edition() -> None:
    assert look_up_ruleset("estmesh-hearts/5@1.0.0~8a411677 undealt=kitty").true


def hide(monkeypatch: pytest.MonkeyPatch, option: str, values: list[Any]) -> None:
    """Change the first edition: give an option these values or, if none, remove it."""
    first = edition("1.0.0")
    options = {**first.members["options"]}
    if values:
        options[option] = {**options[option], "values": values}
    else:
        del options[option]
    members = {**first.members, "options": options}
    fake = type(first)(first.version, first.date, members)
    monkeypatch.setattr(cited_rulesets, "edition", lambda version: fake)


@pytest.mark.parametrize(
    ("change", "values", "said"),
    [
        ("limit=50", [], "1.0.0 has no option limit"),
        ("limit=50", ["none", {"from": 60, "to": 90}], "limit does not take 50 in"),
        ("moon=none", ["choice_all"], "moon does not take none in 1.0.0"),
        ("pass_cycle=mix", [{"list_of": ["left"]}], "pass_cycle does not take mix in"),
        ("pass_unseen=true", [False], "pass_unseen does not take true in 1.0.0"),
    ],
)
def test_an_option_or_value_younger_than_the_edition_is_not_of_it(
    monkeypatch: pytest.MonkeyPatch, change: str, values: list[Any], said: str
) -> None:
    assert look_up_ruleset(f"{ESTMESH} {change}").true
    hide(monkeypatch, change.partition("=")[0], values)
    assert wording(f"{ESTMESH} {change}").startswith(said)


@pytest.mark.parametrize(
    "text",
    [
        "estmesh-hearts/4",
        "estmesh-hearts/4@1.0.0",
        "estmesh-hearts@1.0.0~8a411677",
        "estmesh-hearts/04@1.0.0~8a411677",
        "estmesh-hearts/4@1.0~8a411677",
        "estmesh-hearts/4@1.0.0~8A411677",
        f"{ESTMESH} ",
        f"{ESTMESH} rain=true",
        f"{ESTMESH} limit=many",
        f"{ESTMESH} limit=050",
        f"{ESTMESH} pass_unseen=yes",
        f"{ESTMESH} limit=50 moon=none",
        f"{ESTMESH} limit=50 limit=60",
        f"{ESTMESH} limit=100",
        f"{ESTMESH} pass_cycle=left,right,across,hold",
        f" {ESTMESH}",
    ],
)
def test_what_is_not_exactly_a_citation_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        look_up_ruleset(text)


def test_options_out_of_order_are_shown_in_order() -> None:
    with pytest.raises(Malformed) as refused:
        look_up_ruleset(f"{ESTMESH} limit=50 moon=none")
    assert refused.value.allowed == f"{ESTMESH} moon=none limit=50"


def test_a_version_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownEdition, match=r"there is no edition 1\.7\.0"):
        look_up_ruleset("estmesh-hearts/4@1.7.0~8a411677")


def test_a_ruleset_that_the_book_refuses_says_so() -> None:
    found = look_up_ruleset(f"{ESTMESH} opening_leader=left_of_dealer")
    assert (found.true, found.ruleset) == (True, None)
    assert ", but this combination of options is refused: " in found.wording
    assert "5.2a" in found.wording
    assert "ruleset" not in found.fields()


def test_a_profile_that_has_changed_since_says_in_what(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = edition("1.0.0")
    estmesh = first.members["profiles"]["estmesh-hearts"]
    before = {**estmesh, "options": {**estmesh["options"], "limit": 50}}
    profiles = {**first.members["profiles"], "estmesh-hearts": before}
    fake = type(first)("1.0.0", "", {**first.members, "profiles": profiles})
    monkeypatch.setattr(cited_rulesets, "edition", lambda version: fake)
    monkeypatch.setattr(book, "version", lambda: "1.9.0")
    digest = fake.fingerprint("profiles", "estmesh-hearts")
    found = look_up_ruleset(f"estmesh-hearts/4@1.0.0~{digest} moon=none")
    assert (found.true, found.same) == (True, False)
    assert found.wording == "the profile has changed since 1.0.0, in limit"
    assert found.ruleset == Ruleset("estmesh-hearts", 4, {"limit": 50, "moon": "none"})


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("1.0.0", "the profile of 1.0.0 is still that of 1.9.0, a draft"),
        ("1.9.0", "this is the profile of 1.9.0, a draft"),
    ],
)
def test_a_draft_is_named_as_one(
    monkeypatch: pytest.MonkeyPatch, version: str, said: str
) -> None:
    first = edition("1.0.0")
    monkeypatch.setattr(book, "version", lambda: "1.9.0")
    monkeypatch.setattr(cited_rulesets, "edition_today", lambda: first)
    found = look_up_ruleset(f"estmesh-hearts/4@{version}~8a411677")
    assert (found.true, found.same, found.wording) == (True, True, said)


def test_the_command_answers_what_a_ruleset_is(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = Ruleset("estmesh-hearts", 4, {"pass_cycle": (), "limit": 50}).citation
    code, out, _ = run("cite", today)
    assert code == 0
    assert out.startswith(f"{today}\nThis is the profile of {TODAY}")
    assert out.endswith(
        "  estmesh-hearts for 4 players\n  pass_cycle: an empty list\n  limit: 50\n"
    )
    monkeypatch.setattr(ruleset_citation, "version", lambda: "1.9.0")
    _, out, _ = run("cite", today)
    assert "\nToday it is cited as estmesh-hearts/4@1.9.0~" in out
    code, out, _ = run("cite", "estmesh-hearts/4@1.0.0~00000000")
    assert code == 1
    assert out.splitlines()[1:] == [
        "1.0.0 has no such profile: there estmesh-hearts is ~8a411677."
    ]


def test_the_command_answers_as_json(run: Runner) -> None:
    today = Ruleset("estmesh-hearts", 4, {"limit": 50}).citation
    _, out, _ = run("cite", today, "5.3", "--json")
    ruleset, clause = json.loads(out)
    assert (ruleset["true"], ruleset["same"], ruleset["in_full"]) == (True, True, today)
    assert ruleset["ruleset"]["options"]["limit"] == 50
    assert ruleset["ruleset"]["options"]["pass_cycle"][0] == "left"
    assert (clause["number"], clause["true"]) == ("5.3", True)


@pytest.mark.parametrize("name", profile_names())
def test_a_profile_is_shown_with_its_fingerprint(run: Runner, name: str) -> None:
    citation = Ruleset(name).citation
    assert run("profile", name)[1].endswith(f"cite as: {citation}\n")
    read = json.loads(run("profile", name, "--json")[1])
    assert read["citation"] == citation
    assert read["fingerprint"] == profile_fingerprint(name)
