"""Tests of which statements a piece of code reaches by the names that it uses."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from refengine_conformance.jobs import reached

TEXTS = {
    "p": "",
    "p.a": (
        "import os\n"
        "from json import loads as read\n"
        "from p import b, c\n"
        "from p.b import Kind as K\n"
        "LIMIT = 3\n"
        "OTHER = 4\n"
        "def work(n, LIMIT=LIMIT):\n"
        "    OTHER = n\n"
        "    return [b.helper(K) for n in read(OTHER)]\n"
        "def late():\n"
        "    from p import c\n"
        "    return c\n"
        "def local(b):\n"
        "    return b.unused\n"
        "if __name__ == '__main__':\n"
        "    local(1)\n"
    ),
    "p.b": (
        "from p.c import DEEP as DEEPER\n"
        "class Kind:\n"
        "    '''A kind.'''\n"
        "    deep = DEEPER\n"
        "    def method(self):\n"
        "        return hidden()\n"
        "def helper(kind):\n"
        "    'Helps.'\n"
        "    return kind  # so\n"
        "def hidden(): pass\n"
        "def unused(): pass\n"
    ),
    "p.c": "DEEP = {1}\nSHALLOW = 2\nDEEP.add(SHALLOW)\n",
    "p.d": (
        "import p.b\nfrom p.b import helper\nX = p.b\n"
        "try:\n    Y = 1\nfinally:\n    Y = 2\n"
    ),
    "p.e": "def __getattr__(name):\n    return name\n",
}


@pytest.fixture(autouse=True)
def modules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Make the made-up modules in `TEXTS` the only modules that can be found."""
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)

    def file_of(name: str) -> Path | None:
        return tmp_path / name if name in TEXTS else None

    monkeypatch.setattr(reached, "file_of", file_of)
    kept: list[Callable[[], None]] = [
        reached._module.cache_clear,
        reached._read.cache_clear,
    ]
    for clear in kept:
        clear()
    yield
    for clear in kept:
        clear()


def names(*starts: reached.Place, functions: bool = True) -> set[str]:
    """The statements that are reached, each given as the first name in it."""
    found = reached.code_reached(starts, "p", functions)
    return {
        text.split("'")[1] if "'" in text else text  # `Assign(targets=[Name(id='X'`
        for text in found
    }


@pytest.mark.parametrize(
    ("name", "found"),
    [
        (
            "work",
            {"work", "LIMIT", "json.loads", "helper", "Kind", "DEEP", "hidden"}
            | {"SHALLOW"},
        ),
        ("late", {"late", "DEEP", "SHALLOW"}),
        ("local", {"local"}),
        ("LIMIT", {"LIMIT"}),
    ],
)
def test_a_name_leads_to_all_that_its_statement_names(
    name: str, found: set[str]
) -> None:
    assert names(("p.a", name)) == found


def test_outside_of_functions_no_function_is_reached() -> None:
    start = ("p.a", "work"), ("p.b", "Kind")
    assert names(*start, functions=False) == {"Kind", "DEEP", "SHALLOW"}


def test_a_whole_module_is_all_that_it_binds_itself() -> None:
    assert names(("p.b", reached.ALL), functions=False) == {"Kind", "DEEP", "SHALLOW"}
    assert "hidden" in names(("p.d", "X"))
    assert names(("p.d", "helper")) == {"helper"}
    assert names(("p.d", "Y")) == {"Y"}


def test_a_name_made_when_it_is_asked_for_leads_to_what_makes_it() -> None:
    assert names(("p.e", "late")) == {"__getattr__"}


def test_words_for_people_are_no_part_of_what_is_reached() -> None:
    found = reached.code_reached([("p.b", "Kind"), ("p.b", "helper")], "p")
    assert not [one for one in found if "A kind" in one or "Helps" in one]


def test_what_is_not_there_leads_nowhere() -> None:
    assert reached.code_reached([("p.b", "nothing"), ("p.none", "x")], "p") == set()
    assert reached.code_reached([("json", "loads")], "p") == {"json.loads"}
