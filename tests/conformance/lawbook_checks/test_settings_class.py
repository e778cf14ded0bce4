"""Tests that the settings class is what the generator makes from `lowered`."""

from pathlib import Path

import pytest

from refengine_conformance.lawbook_checks import registry
from refengine_conformance.lawbook_checks.settings_class import (
    OPTIONS,
    SETTINGS,
    with_all_settings,
)

CLASS = (registry.PACKAGE / SETTINGS).read_text("utf-8")
LOWERED = (registry.PACKAGE / OPTIONS).read_text("utf-8")
LAST = '        ties_played_on=flag("ties", "play_on"),\n'


def test_the_class_is_what_is_lowered() -> None:
    assert with_all_settings(CLASS, LOWERED) == CLASS


@pytest.mark.parametrize("name", ["players", "pass_cycle", "has_limit", "deals"])
def test_a_setting_that_the_class_lacks_comes_where_lowered_gives_it(name: str) -> None:
    lines = CLASS.splitlines(keepends=True)
    short = "".join(
        line
        for line in lines
        if not line.strip().startswith((f"{name}:", f"self.{name}:", f"self.{name},"))
    )
    assert len(short.splitlines()) == len(lines) - 3
    assert with_all_settings(short, LOWERED) == CLASS


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        ('flag("ties", "three")', "bool"),
        ('not flag("ties", "three")', "bool"),
        ('number("ties")', "i64"),
        ('_TIES[word("ties")]', "i64"),
        ("tuple(one for one in ())", "tuple[int, ...]"),
    ],
)
def test_a_new_setting_is_taken_kept_and_pickled_with_its_type(
    made: str, kind: str
) -> None:
    found = with_all_settings(
        CLASS, LOWERED.replace(LAST, f"{LAST}        three_tie={made},\n")
    )
    new = [
        f"        three_tie: {kind},",
        "        self.three_tie: Final = three_tie",
        "            self.three_tie,",
    ]
    assert [line for line in found.splitlines() if "three_tie" in line] == new
    without = [line for line in found.splitlines(True) if "three_tie" not in line]
    assert "".join(without) == CLASS


def test_a_source_without_what_it_looks_for_stays_as_it_is() -> None:
    assert with_all_settings("", LOWERED) == ""
    assert with_all_settings(CLASS, "") == CLASS


def test_the_command_writes_the_class_and_its_check_finds_an_old_one(
    spec: Path, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package / OPTIONS).write_text(LOWERED.replace(LAST, ""), "utf-8")
    said = f"{SETTINGS}: Rules is not what lowered gives\n"
    assert registry.main(["--check"], spec, package) == 1
    assert said in capsys.readouterr().out
    assert registry.main([], spec, package) == 0
    assert said not in capsys.readouterr().out
    assert registry.main(["--check"], spec, package) == 0
    assert (package / SETTINGS).read_text("utf-8") != CLASS
