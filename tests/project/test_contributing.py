"""Tests that folders, modules and commands are as CONTRIBUTING.md describes them."""

import re

import pytest

from refengine_conformance.commands.conform_command import TOOLS
from tests.support import places

pytestmark = pytest.mark.interpreted("about the checkout")

TEXT = (places.ROOT / "CONTRIBUTING.md").read_text("utf-8")
MAKEFILE = (places.ROOT / "Makefile").read_text("utf-8")
ROOMS = ("refengine", "conformance/refengine_conformance")


def rows(package: str) -> list[list[str]]:
    table = TEXT.partition(f"\n| `{package}/` |")[2].partition("\n\n")[0]
    lines = [line for line in table.splitlines() if line.startswith("| `")]
    return [line.strip("| ").split(" | ") for line in lines]


@pytest.mark.parametrize("package", ROOMS)
def test_every_room_is_on_the_map_and_no_other(package: str) -> None:
    shown = {
        name.rstrip("/")
        for room, *_ in rows(package)
        for name in re.findall(r"`([^`]+/)`", room)
    }
    made = {path.parent.name for path in (places.ROOT / package).glob("*/__init__.py")}
    assert shown == made


@pytest.mark.parametrize("package", ROOMS)
def test_where_one_starts_reading_there_is_a_module(package: str) -> None:
    for room, _, start, *_ in ([*row, ""] for row in rows(package)):
        folders = [name.rstrip("/") for name in re.findall(r"`([^`]+)`", room)]
        for module in re.findall(r"`([^`]+\.py)`", start):
            paths = [places.ROOT / package / folder / module for folder in folders]
            paths.append(places.ROOT / package / module)
            assert any(path.is_file() for path in paths), module


@pytest.mark.parametrize("command", sorted({*re.findall(r"`make ([a-z-]+)`", TEXT)}))
def test_every_make_command_is_a_target(command: str) -> None:
    assert re.search(rf"^{command}:", MAKEFILE, re.MULTILINE)


def test_every_tool_is_in_the_table_of_commands() -> None:
    table = TEXT.partition("was `python -m`")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)) == {*TOOLS}


def test_the_workflow_calls_the_same_targets() -> None:
    flow = (places.ROOT / ".github/workflows/check.yml").read_text("utf-8")
    assert re.findall(r"run: make (\S+)", flow) == ["check", "test", "conform"]
    hooks = (places.ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert "entry: make check\n" in hooks


def test_the_map_leads_to_the_scoring_of_the_moon() -> None:
    (path,) = re.findall(r"`(refengine/\S+)` is that chapter.*moon is scored", TEXT)
    assert "moon" in (places.ROOT / path).read_text("utf-8")
    name = re.search(r"`score\.(\w+)`", TEXT)
    assert name is not None
    assert f"def {name[1]}(" in (places.ROOT / path).read_text("utf-8")
