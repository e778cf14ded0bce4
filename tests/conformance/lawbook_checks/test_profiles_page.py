"""Tests that the page and the file that compare all profiles are up to date."""

import json
from pathlib import Path

import attrs
import pytest

from refengine import OPTIONS, Ruleset, profile_names
from refengine.formats.fields import ruleset_fields
from refengine.lawbook.profiles import profile
from refengine_conformance.lawbook_checks import profiles_page


def test_the_page_and_the_file_are_current() -> None:
    assert profiles_page.PAGE.read_text("utf-8") == profiles_page.page_markdown()
    assert profiles_page.FILE.read_text("utf-8") == profiles_page.profiles_json()


def test_the_file_has_what_an_adapter_is_sent() -> None:
    found = json.loads(profiles_page.FILE.read_text("utf-8"))
    assert list(found["base"]) == [option.name for option in OPTIONS]
    assert list(found["profiles"]) == list(profile_names())
    for name, one in found["profiles"].items():
        sent = ruleset_fields(Ruleset(name), every=True)
        assert one["options"] == sent["options"]
        assert one["usual_players"] == sent["players"]
        assert set(one["players"]) <= set(one["players_with_kitty"])


def test_what_is_out_of_date_is_said_and_then_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("PAGE", profiles_page.page_markdown()), ("FILE", "{}")):
        path = tmp_path / name
        path.write_text(text, "utf-8")
        monkeypatch.setattr(profiles_page, name, path)
    assert profiles_page.main(["--check"]) == 1
    assert capsys.readouterr().out == (
        "FILE is not what the profiles say: run `make registry`\n"
    )
    assert profiles_page.main([]) == 0
    assert profiles_page.main(["--check"]) == 0


def test_a_page_that_is_missing_is_out_of_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(profiles_page, "PAGE", tmp_path / "profiles.md")
    assert profiles_page.main(["--check"]) == 1
    assert capsys.readouterr().out == (
        "profiles.md is not what the profiles say: run `make registry`\n"
    )


def test_numbers_of_players_with_a_gap_are_no_range() -> None:
    one = attrs.evolve(profile("estmesh-hearts"), players=(3, 5))
    assert profiles_page.players_cell(one) == "3, 5 (with a kitty 3–10)"
