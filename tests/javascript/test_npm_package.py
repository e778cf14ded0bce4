"""Tests of the npm package of the rules: its contents, and its guide."""

import json
import re
import tarfile
from pathlib import Path

import pytest
from carrying import package
from carrying.declarations import declarations

import refengine
from refengine.lawbook.editions import EDITIONS
from refengine.lawbook.options import OPTIONS
from refengine.lawbook.profiles import profile_names
from tests.support.node import node_prints
from tests.support.places import ROOT

pytestmark = pytest.mark.interpreted("about JavaScript")
GUIDE = (ROOT / "docs" / "javascript.md").read_text("utf-8")
EXAMPLES = re.findall(r"```js\n(.+?)```\n\n```\n(.+?)```", GUIDE, re.DOTALL)


@pytest.fixture(scope="module")
def installed(rules: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the package is installed."""
    folder = tmp_path_factory.mktemp("installed")
    (packed,) = rules.parent.glob("refengine-*.tgz")
    with tarfile.open(packed) as tar:
        tar.extractall(folder, filter="data")
    modules = folder / "node_modules"
    modules.mkdir()
    (folder / "package").rename(modules / "refengine")
    return folder


def run(folder: Path, text: str) -> str:
    """The output of a module with this text, run in this folder."""
    (folder / "example.mjs").write_text(text, "utf-8")
    return node_prints("example.mjs", cwd=folder)


@pytest.mark.parametrize("at", range(len(EXAMPLES)))
def test_the_examples_of_the_guide_print_what_it_says(installed: Path, at: int) -> None:
    code, printed = EXAMPLES[at]
    assert run(installed, code) == printed


def test_the_guide_has_examples() -> None:
    assert len(EXAMPLES) == 2


def test_it_says_what_it_is(installed: Path) -> None:
    home = installed / "node_modules" / "refengine"
    manifest = json.loads((home / "package.json").read_text("utf-8"))
    assert manifest["version"] == refengine.__version__
    assert manifest["editions"] == list(EDITIONS)
    assert {path.name for path in home.iterdir()} == {"package.json", *package.MEMBERS}
    about = run(installed, 'import { about } from "refengine"; console.log(about);')
    assert f"'{refengine.__version__}'" in about
    guide = (home / "README.md").read_text("utf-8")
    assert guide.startswith("# The rules in JavaScript\n")
    assert "](" not in guide
    assert "By hand" not in guide


def test_its_guide_says_where_that_is_which_the_package_lacks() -> None:
    guide = package.readme()
    named = {*re.findall(r"[\w./-]+\.(?:md|m?js|mts)\b", guide)} - {*package.MEMBERS}
    assert named == {f"docs/{one}.md" for one in ("adapters", "formats", "questions")}
    assert all((ROOT / one).is_file() for one in named)
    for line in guide.splitlines():
        if any(one in line for one in ("make ", "build/", *named)):
            assert "in a checkout of refengine" in line.lower()


def test_its_adapter_is_a_command(installed: Path) -> None:
    home = installed / "node_modules" / "refengine"
    manifest = json.loads((home / "package.json").read_text("utf-8"))
    command = home / manifest["bin"]["refengine-adapter"]
    assert command.stat().st_mode & 0o111
    assert command.read_text("utf-8").startswith("#!/usr/bin/env node\n")


def test_all_that_is_declared_is_there_and_the_other_way_round(installed: Path) -> None:
    names = "Object.keys(refengine).filter((one) => !one.includes('$')).sort().join()"
    there = run(
        installed, f'import * as refengine from "refengine"; console.log({names});'
    )
    declared = re.findall(
        r"^export (?:function|class|const) (\w+)", declarations(), re.MULTILINE
    )
    assert there.strip().split(",") == sorted(declared)


def test_every_option_and_profile_is_declared() -> None:
    text = declarations()
    for name in (*(one.name for one in OPTIONS), *profile_names()):
        assert re.search(rf"\b{name}\b", text), name


def test_the_same_files_give_the_same_bytes(rules: Path, tmp_path: Path) -> None:
    for path in rules.parent.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (old,) = tmp_path.glob("refengine-*.tgz")
    before = old.read_bytes()
    old.rename(tmp_path / "refengine-0.0.1.tgz")
    package.main(str(tmp_path))
    (new,) = tmp_path.glob("refengine-*.tgz")
    assert new.read_bytes() == before
