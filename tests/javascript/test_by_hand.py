"""Tests that handwritten JavaScript names no option, clause or penalty."""

import re
from pathlib import Path

import pytest

from refengine.lawbook.options import OPTIONS
from refengine.lawbook.profiles import profile_names
from refengine.rulings.asking.questions import KINDS
from tests.support.places import ROOT

pytestmark = pytest.mark.interpreted("about the source, which is carried over")
BESIDE_THE_RULES = sorted((ROOT / "js").glob("*.mjs"))
BY_HAND = [*BESIDE_THE_RULES, *sorted((ROOT / "site" / "static").glob("*.js"))]
# Keys and words of the formats, which some options are called by as well.
_FORMATS = {
    *("play", "draw", "mix", "stock", "kitty", "revokes", "moon", "self_minus"),
    *("others_plus", "none", "all", "any", "no"),
    *(key for keys in KINDS.values() for key in keys),
}
_OPTIONS = {one.name for one in OPTIONS} | {*profile_names()}
_VALUES = {word for one in OPTIONS for word in one.words}
_TEXT = re.compile(r"""\"([^"\n]*)\"|'([^'\n]*)'|`([^`]*)`""")
_CLAUSE = re.compile(r"(?<![\d.])[1-9]\d?\.[1-9]\d*[a-z]?(?![\d.])")
_PENALTIES = {"13", "26", "39", "51", "52"}
_BITS = {"runtime.mjs": {"26"}}  # half of the bits of a mask


def code_of(path: Path) -> str:
    lines = path.read_text("utf-8").splitlines()
    return "\n".join(re.sub(r"(?<!:)//.*", "", line) for line in lines)


def texts_in(code: str) -> set[str]:
    return {one or other or third for one, other, third in _TEXT.findall(code)}


def names_in(code: str) -> set[str]:
    """The texts, and the words with an underscore, since most options have one."""
    return texts_in(code) | set(re.findall(r"\w+_\w+", code))


def test_what_is_written_by_hand_is_known() -> None:
    names = {path.name for path in BESIDE_THE_RULES}
    assert names == {
        *("runtime.mjs", "asking.mjs", "games.mjs", "adapter.mjs", "lockstep.mjs"),
        "searching.mjs",
    }
    guide = (ROOT / "docs" / "javascript.md").read_text("utf-8")
    assert all(f"`{name}`" in guide for name in names)


@pytest.mark.parametrize("path", BY_HAND, ids=lambda path: path.name)
def test_it_holds_no_option_and_no_clause(path: Path) -> None:
    code = code_of(path)
    assert not names_in(code) & _OPTIONS - _FORMATS
    assert not [text for text in texts_in(code) if _CLAUSE.search(text)]


@pytest.mark.parametrize("path", BESIDE_THE_RULES, ids=lambda path: path.name)
def test_it_holds_no_value_and_no_number_of_cards_or_points(path: Path) -> None:
    code = code_of(path)
    assert not texts_in(code) & _VALUES - _FORMATS
    numbers = set(re.findall(r"(?<![\w.$])\d+(?![\w.])", code))
    assert numbers & _PENALTIES <= _BITS.get(path.name, set())


def test_an_option_or_a_clause_would_be_seen() -> None:
    code = "const a = `queen_waits`; say('5.4b'); x = \"barred\"; y = z.ace_points;"
    texts = texts_in(code)
    assert names_in(code) & _OPTIONS == {"queen_waits", "ace_points"}
    assert texts & _VALUES - _FORMATS == {"barred"}
    assert [text for text in texts if _CLAUSE.search(text)] == ["5.4b"]
