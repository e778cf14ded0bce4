"""What is taken over from an earlier run, what is tried again, and what is false."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from refengine_conformance.jobs.executors import source_digest
from refengine_conformance.mutants import designed, operators, source_edits
from refengine_conformance.strength import recorded

PLAY = operators.variants_of_module("play")[:4]
DRAW = operators.variants_of_module("draw")[:2]
MUTANTS = {one.id: one for one in (*PLAY, *DRAW)}
KILLED, ALIVE = PLAY[0].id, PLAY[1].id
LINES = ("t-1", "t-2")


def document(**basis: Any) -> dict[str, Any]:
    """A run in which t-1 killed two mutants, one an import, and one survived."""
    kills: dict[str, dict[str, list[str]]] = {"t-1": {}, "import": {}}
    for name, line in ((KILLED, "t-1"), (DRAW[0].id, "t-1"), (PLAY[2].id, "import")):
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
        PLAY[2].id: ["import", ""],
        DRAW[0].id: ["t-1", ""],
    }
    assert recorded.fates_taken_over({}, MUTANTS, LINES) == {}


def test_a_changed_module_has_all_its_mutants_tried() -> None:
    modules = recorded.basis_of_fates(MUTANTS.values(), LINES)["modules"]
    changed = document(modules=modules | {"play": "another"})
    kept = recorded.fates_taken_over(changed, MUTANTS, LINES)
    assert kept == {DRAW[0].id: ["t-1", ""]}


def test_survivors_hang_on_new_lines_alone_and_the_killed_on_one_line() -> None:
    kept = recorded.fates_taken_over(document(), MUTANTS, ("t-2", "t-3"))
    assert kept.keys() == {ALIVE, PLAY[2].id}
    assert recorded.new_lines(document(), ("t-2", "t-3")) == ("t-3",)
    assert recorded.new_lines(document(), ("t-2",)) == ()
    assert recorded.new_lines({}, LINES) == LINES


def test_a_misread_option_hangs_on_the_options_and_others_on_what_they_edit() -> None:
    by_kind = {one.id.partition(":")[0]: one for one in designed.designed_mutants()}
    assert recorded.modules_changed(by_kind["swap"]) == {"options"}
    off = by_kind["off"]
    assert recorded.modules_changed(off) == {
        edit.function.split(".")[0] for edit in off.edits
    }


def test_comments_and_docstrings_change_nothing_and_all_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "chapters" / "play.py"
    path.parent.mkdir()
    monkeypatch.setattr(source_edits, "package_folder", lambda: tmp_path)
    monkeypatch.setattr(
        source_edits, "file_of_module", lambda name: f"chapters/{name}.py"
    )

    def digest(text: str) -> str:
        path.write_text(text)
        recorded.digest_of_module.cache_clear()
        return recorded.digest_of_module("play")

    try:
        plain = digest("def f(a):\n    return a\n")
        assert (
            digest('"""Of play."""\n\n\ndef f(a):\n    "Its a."\n    return a  # a\n')
            == plain
        )
        assert digest("def f(a):\n    return -a\n") != plain
    finally:
        recorded.digest_of_module.cache_clear()


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
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "a"], check=True)
    asked = subprocess.run(
        [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    )
    assert recorded.seed_of_commit(tmp_path) == asked.stdout.strip()


def test_a_fate_that_comes_out_otherwise_is_false() -> None:
    known = {"a": ["t-1", ""], "b": ["", ""], "c": ["time", ""], "d": ["t-1", ""]}
    found = {"a": ["t-1", "1 legal"], "b": ["", ""], "c": ["crash", ""]}
    assert recorded.false_records(known, found | {"d": ["t-1", ""]}, ()) == []
    wrong = {"a": ["", ""], "b": ["t-2", ""], "c": ["t-1", ""], "d": ["t-2", ""]}
    assert recorded.false_records(known, wrong, ("t-9",)) == [
        "false: a is recorded as killed by t-1, is a survivor",
        "false: b is recorded as a survivor, is killed by t-2",
        "false: c is recorded as killed by time, is killed by t-1",
        "false: d is recorded as killed by t-1, is killed by t-2",
    ]
    assert not recorded.false_records({"b": known["b"]}, wrong, ("t-2",))


def test_what_outlasted_the_tests_is_alive_until_its_module_changes() -> None:
    names = [KILLED, ALIVE, DRAW[0].id]
    tested: dict[str, Any] = {
        "seconds": 6.0,
        "alive": [ALIVE, DRAW[0].id, "gone"],
        "basis": {"play": recorded.digest_of_module("play"), "draw": "another"},
    }
    assert recorded.still_alive(tested, names, 6.0) == {ALIVE}
    assert recorded.still_alive(tested, names, 60.0) == set()
