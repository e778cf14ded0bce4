"""Tests of which results of an earlier run are reused, tried again or rejected."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from refengine.jobs.executors import source_digest
from refengine_conformance.jobs import reached
from refengine_conformance.mutants import designed, operators, source_edits
from refengine_conformance.strength import recorded
from tests.support.commands import run_process

PLAY = operators.variants_of_module("play")[:4]
OFF = next(one for one in designed.designed_mutants() if one.id.startswith("off:"))
DRAW = operators.variants_of_module("draw")[:2]
MUTANTS = {one.id: one for one in (*PLAY, *DRAW, OFF)}
KILLED, ALIVE = PLAY[0].id, PLAY[1].id
LINES = {"t-1": "a", "t-2": "b"}  # with the digest of what each rests on


def document(**basis: Any) -> dict[str, Any]:
    """The document of a run in which four mutants were killed and one survived."""
    kills: dict[str, dict[str, list[str]]] = {"t-1": {}, "t-2": {}, "import": {}}
    killed = ((KILLED, "t-1"), (DRAW[0].id, "t-1"), (PLAY[2].id, "import"))
    for name, line in (*killed, (OFF.id, "t-2")):
        head, tail = recorded.split_mutant_id(name)
        kills[line].setdefault(head, []).append(tail)
    return {
        "kills": kills,
        "survivors": [{"id": ALIVE, "change": "", "argument": 0}],
        "basis": recorded.basis_of_fates(MUTANTS.values(), LINES) | basis,
    }


def test_what_has_not_changed_is_taken_over_and_nothing_that_was_never_tried() -> None:
    assert recorded.fates_taken_over(document(), MUTANTS, LINES) == {
        KILLED: ["t-1", ""],
        ALIVE: ["", ""],
        DRAW[0].id: ["t-1", ""],
        OFF.id: ["t-2", ""],
    }
    assert recorded.fates_taken_over({}, MUTANTS, LINES) == {}


def test_a_changed_function_has_all_its_mutants_tried() -> None:
    (function,) = recorded.definitions_changed(PLAY[0])
    functions = recorded.basis_of_fates(MUTANTS.values(), LINES)["functions"]
    changed = document(functions=functions | {function: "another"})
    kept = recorded.fates_taken_over(changed, MUTANTS, LINES)
    assert DRAW[0].id in kept
    assert not any(
        function in recorded.definitions_changed(MUTANTS[one]) for one in kept
    )


def test_a_changed_base_has_everything_tried() -> None:
    assert recorded.fates_taken_over(document(base="another"), MUTANTS, LINES) == {}


def test_survivors_rest_on_changed_lines_alone_and_the_killed_on_one_line() -> None:
    now = {"t-2": "b", "t-3": "c"}
    kept = recorded.fates_taken_over(document(), MUTANTS, now)
    assert kept.keys() == {ALIVE, OFF.id}
    assert recorded.changed_lines(document(), now) == ("t-3",)
    assert recorded.changed_lines(document(), {"t-2": "b"}) == ()
    assert recorded.changed_lines({}, LINES) == tuple(LINES)


def test_a_line_that_rests_on_a_changed_function_vouches_for_nothing() -> None:
    now = LINES | {"t-1": "another"}
    assert recorded.changed_lines(document(), now) == ("t-1",)
    kept = recorded.fates_taken_over(document(), MUTANTS, now)
    assert kept.keys() == {ALIVE, OFF.id}


def test_what_was_killed_without_a_line_is_tried_each_time() -> None:
    assert recorded.recorded_fates(document())[PLAY[2].id] == "import"
    assert PLAY[2].id not in recorded.fates_taken_over(document(), MUTANTS, LINES)


def test_a_designed_mutant_rests_on_its_edits_and_others_do_not() -> None:
    changed = document(edits={OFF.id: "another"})
    kept = recorded.fates_taken_over(changed, MUTANTS, LINES)
    assert kept.keys() == recorded.fates_taken_over(
        document(), MUTANTS, LINES
    ).keys() - {OFF.id}


def test_a_misread_option_rests_on_the_options_and_others_on_what_they_edit() -> None:
    by_kind = {one.id.partition(":")[0]: one for one in designed.designed_mutants()}
    assert recorded.definitions_changed(by_kind["swap"]) == {
        "options",
        "options.lowered",
    }
    off = by_kind["off"]
    assert recorded.definitions_changed(off) == {edit.function for edit in off.edits}


def test_a_line_rests_on_its_text_and_on_what_it_calls() -> None:
    digest = recorded.digest_of_line(b"{}", ["play.follow_suit", "score.moon_worth"])
    assert digest == recorded.digest_of_line(
        b"{}", ["score.moon_worth", "play.follow_suit"]
    )
    assert digest != recorded.digest_of_line(b"{}", ["play.follow_suit"])
    assert digest != recorded.digest_of_line(
        b"[]", ["play.follow_suit", "score.moon_worth"]
    )


def test_what_has_no_definition_of_its_own_rests_on_its_module() -> None:
    whole = recorded.digest_of_definition("play")
    assert recorded.digest_of_definition("play.<lambda>") == whole
    assert recorded.digest_of_definition("play.follow_suit") != whole


@pytest.fixture
def digest_of(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], str]]:
    """A function that gives the digest of a definition, given its module's text."""

    def digest(text: str, name: str) -> str:
        monkeypatch.setattr(source_edits, "tree_of_module", lambda _: ast.parse(text))
        recorded.digest_of_definition.cache_clear()
        return recorded.digest_of_definition(name)

    yield digest
    recorded.digest_of_definition.cache_clear()


TREES = {
    "play": "from refengine.machine import core\n\n\ndef f():\n    return core.X\n",
    "core": (
        "X = 1\n\n\ndef g():\n"
        "    from refengine.chapters import cards\n    return cards.K\n"
    ),
    "cards": (
        "Y = 1\n\n\nclass K:\n    Z = Y\n\n    def m(self):\n        return Q\n\n\n"
        "Q = 1\n\n\ndef h():\n    return Y\n"
    ),
}


@pytest.fixture
def line_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Callable[..., str]]:
    """A function that gives the digest of a line that uses these functions.

    Keyword arguments replace the texts of modules in `TREES`.
    """
    kept = [
        recorded.digest_of_definition,
        recorded._outside_functions,
        reached._module,
        reached._read,
    ]

    def file_of(name: str) -> Path | None:
        path = tmp_path / f"{name.rpartition('.')[2]}.py"
        return path if path.is_file() else None

    def digest(*functions: str, **trees: str) -> str:
        texts = TREES | trees
        for name, text in texts.items():
            (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.setattr(
            source_edits, "tree_of_module", lambda name: ast.parse(texts[name])
        )
        monkeypatch.setattr(reached, "file_of", file_of)
        for one in kept:
            one.cache_clear()
        return recorded.digest_of_line(b"{}", functions)

    yield digest
    for one in kept:
        one.cache_clear()


def changed(module: str, old: str, new: str) -> dict[str, str]:
    """A dictionary from the name of a module to its text with one passage replaced."""
    assert TREES[module].count(old) == 1
    return {module: TREES[module].replace(old, new)}


@pytest.mark.parametrize(
    ("functions", "trees", "same"),
    [
        (["play.f"], changed("core", "X = 1", "X = 2"), False),
        (["play.f"], {"play": TREES["play"] + "print()\n"}, False),
        (["play.f"], {"core": TREES["core"] + "print()\n"}, False),
        (["play.f"], {"play": TREES["play"] + "X = 2\n"}, True),
        (["play.f"], {"core": TREES["core"] + "Z = 2\n"}, True),
        (
            ["play.f"],
            {"play": "from refengine.chapters import cards\n" + TREES["play"]},
            True,
        ),
        (["play.f"], changed("core", "return cards.K", "return 2"), True),
        (["play.f"], {"core": TREES["core"] + "\n\ndef new(a):\n    pass\n"}, True),
        (
            ["play.f"],
            {"play": "@cache\ndef new(a):\n    pass\n" + TREES["play"]},
            True,
        ),
        (["play.f"], changed("cards", "Y = 1", "Y = 2"), True),
        (["core.g"], changed("cards", "Y = 1", "Y = 2"), False),
        (["core.g"], changed("cards", "Z = Y", "Z = 3"), False),
        (["core.g"], changed("cards", "Q = 1", "Q = 2"), True),
        (["core.g"], changed("cards", "return Q", "return 2"), True),
        (["core.g"], changed("cards", "return Y", "return 3"), True),
        (["core.g"], {"play": TREES["play"] + "X = 2\n"}, True),
        (["cards.K.m"], changed("cards", "Q = 1", "Q = 2"), False),
        (["cards.K.m"], changed("cards", "Z = Y", "Z = 2"), False),
        (["cards.K.m"], changed("cards", "return Y", "return 3"), True),
        (["cards.<lambda>"], changed("cards", "Y = 1", "Y = 2"), False),
        (["cards.<lambda>"], changed("cards", "return Y", "return"), True),
    ],
)
def test_a_line_rests_on_what_the_names_in_its_calls_lead_to(
    line_of: Callable[..., str],
    functions: list[str],
    trees: dict[str, str],
    same: bool,
) -> None:
    plain = line_of(*functions)
    assert (line_of(*functions, **trees) == plain) == same


def test_a_word_for_people_in_a_profile_decides_nothing() -> None:
    says = "".join(recorded._profiles())
    assert "'limit': 100" in says
    assert "'summary'" not in says


@pytest.mark.parametrize("name", ["play", "play.f"])
def test_what_is_edited_of_a_class_or_a_module_rests_on_no_function(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def digest(text: str) -> str:
        monkeypatch.setattr(source_edits, "tree_of_module", lambda _: ast.parse(text))
        for one in (recorded.digest_of_edited, recorded.digest_of_definition):
            one.cache_clear()
        return recorded.digest_of_edited(name)

    plain = "X = 1\n\n\nclass f:\n    Y = 2\n"
    before = digest(plain)
    more = "import re\n" + plain + "\n    def m(self): pass\n"
    is_class = name == "play.f"
    assert (digest(more) == before) == is_class
    assert digest("import re\n" + plain + "\n\ndef g(): pass\n") == before
    assert digest(plain.replace("2", "3")) != before
    assert (digest(plain.replace("1", "3")) == before) == is_class
    for one in (recorded.digest_of_edited, recorded.digest_of_definition):
        one.cache_clear()


@pytest.mark.parametrize("name", ["play", "play.f"])
def test_comments_and_docstrings_change_nothing_and_all_else_does(
    name: str, digest_of: Callable[[str, str], str]
) -> None:
    plain = digest_of("def f(a):\n    return a\n", name)
    told = '"""Of play."""\n\n\ndef f(a):\n    "Its a."\n    return a  # a\n'
    assert digest_of(told, name) == plain
    assert digest_of("def f(a):\n    return -a\n", name) != plain


def test_words_below_a_constant_change_nothing(
    digest_of: Callable[[str, str], str],
) -> None:
    told = digest_of('X = "a"\n"""A letter."""\n', "play")
    assert told == digest_of('X = "a"\n', "play") != digest_of('X = "b"\n', "play")


def test_a_change_beside_a_function_is_none_of_it(
    digest_of: Callable[[str, str], str],
) -> None:
    alone = digest_of("def f(a):\n    return a\n", "play.f")
    beside = "X = 1\n\n\ndef f(a):\n    return a\n\n\ndef g(a):\n    return a\n"
    assert digest_of(beside, "play.f") == alone


def test_the_share_is_drawn_by_the_seed() -> None:
    names = [str(number) for number in range(10_000)]
    one = recorded.tried_again(names, "one")
    assert one == recorded.tried_again(names, "one")
    assert one != recorded.tried_again(names, "two")
    assert 240 < len(one) < 360
    assert recorded.tried_again(names, "one", 1.0) == names


def test_the_seed_is_the_commit_or_else_the_source(tmp_path: Path) -> None:
    assert recorded.seed_of_commit(tmp_path) == source_digest()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(tmp_path)]
    run_process(*git, "init", "--quiet")
    run_process(*git, "commit", "--quiet", "--allow-empty", "-m", "a")
    asked = run_process(*git, "rev-parse", "HEAD")
    assert asked.returncode == 0
    assert recorded.seed_of_commit(tmp_path) == asked.stdout.strip()


def test_a_fate_that_comes_out_otherwise_is_false() -> None:
    known = {"a": ["t-1", ""], "b": ["", ""], "c": ["time", ""], "d": ["t-1", ""]}
    found = {"a": ["t-1", "1 legal"], "b": ["", ""], "c": ["crash", ""]}
    assert recorded.false_records(known, found | {"d": ["t-1", ""]}, ()) == []
    wrong = {"a": ["", ""], "b": ["t-2", ""], "c": ["t-1", ""], "d": ["t-2", ""]}
    assert recorded.false_records(known, wrong, ("t-9",)) == [
        "false: a is recorded as killed by t-1, but is a survivor",
        "false: b is recorded as a survivor, but is killed by t-2",
        "false: c is recorded as killed by a time limit, but is killed by t-1",
        "false: d is recorded as killed by t-1, but is killed by t-2",
    ]
    assert recorded.false_records({"e": ["t-1", ""]}, {"e": ["import", ""]}, ()) == [
        "false: e is recorded as killed by t-1, but is killed by an error on import"
    ]
    assert not recorded.false_records({"b": known["b"]}, wrong, ("t-2",))


def test_code_that_has_moved_is_missed_and_not_left_out_in_silence() -> None:
    assert all(recorded._files_of(*places) for places in recorded._CODE_OF.values())
    with pytest.raises(ValueError, match=r"matches proofs/moved\.py"):
        recorded._files_of("proofs/*.py", "proofs/moved.py")
