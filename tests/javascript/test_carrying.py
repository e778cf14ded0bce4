"""Tests of the translator to JavaScript: language differences and what it rejects."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from carrying import build
from carrying.translate import Unsupported

from tests.javascript import sample, sample_values
from tests.javascript.sample import Pile
from tests.support.node import node_prints

pytestmark = pytest.mark.interpreted("about the source, which is carried over")
SAMPLES = ["tests.javascript.sample", "tests.javascript.sample_values"]
MASKS = [0, 1, sample.FULL, sample.ODD, 2**51, 2**26, 2**26 - 1, 2**27 - 1]
MASKS += [Random(one).getrandbits(52) for one in range(40)]
ROWS: list[tuple[int, ...]] = [(), (3,), (1, 2, 3, 4), (5, 5, 0, 3)]
PILES = [Pile(1, ("a",)), Pile(1, ("a",)), Pile(1), Pile(2, ("a",))]
CASES: list[tuple[str, list[Any]]] = [
    *[("bits", [one, other]) for one in MASKS for other in MASKS],
    *[("lowest_and_rest", [one]) for one in MASKS],
    *[("rounded", [one, other]) for one in (0, 1, 5, 13, 51) for other in (1, 4, 13)],
    *[
        ("truths", [row, number, text, other])
        for row in ROWS
        for number, text, other in [(0, "", None), (1, "a", PILES[0])]
    ],
    *[("chosen", [row, (9,), number]) for row in ROWS for number in (0, 3)],
    *[
        ("same", [one, other, row, ROWS[2]])
        for one in PILES
        for other in PILES
        for row in ROWS
    ],
    *[("places", [ROWS[2], at]) for at in range(4)],
    ("by_name", [4]),
    *[("rows", [row]) for row in ROWS if row],
    ("table", [("a", "bb", "ccc")]),
    *[("loops", [most]) for most in range(6)],
    *[("between", [1, value, 4]) for value in range(6)],
    ("swapped", [1, 2]),
    ("thrice", [5]),
    *[("flags", [one, number]) for one in (False, True) for number in (0, 1, 2)],
]
NUMBERS: list[list[int]] = [[], [3], [1, 2, 3], [5, 4, 3, 2], [1, 2, 3, 4, 5]]
TEXTS = ["", "a", "a b", " ab  c. ", "12", "a\nb\n", "a\U0001f0a1b", "\u2028", "a.a"]
CASES += [
    *[("sides", [text, at]) for text in "NES" for at in range(3)],
    *[("faults", [text]) for text in ("N", "E", "S", "W", "")],
    *[("made", [text, row]) for text in "NE" for row in NUMBERS],
    *[
        ("matched", [value, text])
        for value in (True, 3, 9, "a", "c", [], [1], [1, 2, 3], None)
        for text in ("", "N", "E")
    ],
    *[
        ("told", [value, 11, flag])
        for value in (
            *TEXTS,
            "it's",
            'a "word"',
            "'\"",
            "\\",
            5,
            -1,
            None,
            True,
            [1, "a"],
        )
        for flag in (False, True)
    ],
    *[("words", [text]) for text in TEXTS],
    *[("tables", [keys]) for keys in ([], ["a"], ["b", "aa", "10", "9", "2"])],
    *[(name, [a, b]) for name in ("sets", "heaps") for a in NUMBERS for b in NUMBERS],
    *[("streams", [most]) for most in range(6)],
    *[("picked", [row]) for row in (*NUMBERS, [10, 9, 21, 3, 12])],
    *[("given", [text, 4]) for text in ("", "head")],
    *[
        ("kinds", [value])
        for value in (0, 1, True, "", "a", [], [1], {}, {"a": 1}, None)
    ],
    *[("inside", [number]) for number in range(5)],
]
ASKING = """
import * as carried from "./samples.mjs";
import { readFileSync } from "node:fs";

const { sample$Pile } = carried;
const isPile = (value) => value !== null && typeof value === "object" && "new" in value;
const piles = new Map(); // the same values are the same objects in both languages
function read(value) {
  if (!isPile(value)) return value;
  if (!piles.has(value.which)) piles.set(value.which, new sample$Pile(...value.new));
  return piles.get(value.which);
}
const called = (name) => carried[`sample$${name}`] ?? carried[`sample_values$${name}`];
const isTable = (value) => value?.constructor === Object && !isPile(value);
const given = (value) => isTable(value) ? new Map(Object.entries(value)) : read(value);
const answer = ([name, all]) => called(name)(...all.map(given));
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(answer)));
"""


def written(value: Any) -> Any:
    """The value as JSON; a pile becomes its fields and its index in `PILES`."""
    if isinstance(value, Pile):
        which = next(at for at, one in enumerate(PILES) if one is value)
        return {"new": [int(value.cards), list(value.names)], "which": which}
    return value


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The results that JavaScript gives for all cases."""
    folder = tmp_path_factory.mktemp("carried")
    text, names = build.carried_over(SAMPLES)
    (folder / "samples.mjs").write_text(build.as_module(text, names), "utf-8")
    (folder / "ask.mjs").write_text(ASKING, "utf-8")
    asked = [[name, [written(one) for one in given]] for name, given in CASES]
    said = node_prints("ask.mjs", given=json.dumps(asked), cwd=folder)
    found: list[Any] = json.loads(said)
    return found


@pytest.mark.parametrize("name", sorted({name for name, _ in CASES}))
def test_both_languages_answer_alike(name: str, answers: list[Any]) -> None:
    asked = [at for at, (one, _) in enumerate(CASES) if one == name]
    for at in asked:
        module = sample if hasattr(sample, name) else sample_values
        expected = getattr(module, name)(*CASES[at][1])
        assert answers[at] == json.loads(json.dumps(expected)), CASES[at]


REFUSED = {
    "print(1)": "print(1)",
    "try:\n        pass\n    finally:\n        pass": "try",
    "return a + 0.5": "0.5",
    "return [1, 2][::2]": "[1, 2][::2]",
    "return 2**60 + 2305843009213693952": "2305843009213693952",
    "return 1 < a + 1 < 3": "1 < a + 1 < 3",
    "return {(a, 1): 2}": "(a, 1)",
    "return {a: 1}.popitem()": "popitem",
    "return 'a' < 'b'": "'a' < 'b'",
    "with open('a') as b:\n        pass": "with open",
    "global x": "global x",
    "return f'{a!a}'": "{a!a}",
    "del a": "del a",
    "for b in [1]:\n        pass\n    else:\n        pass": "for b in",
    "return max(*[a, a])": "max(*[a, a])",
    "class Both(One, Other): ...": "class Both(One, Other)",
}


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines of the error for a module with all bodies and classes in `REFUSED`."""
    folder = tmp_path_factory.mktemp("outside")
    lines = ["x = 1", "def inside(a: int) -> int:", "    return a"]
    lines += ["class One: ...", "class Other: ..."]
    for at, body in enumerate(REFUSED):
        function = [f"def f{at}(a: int) -> object:", f"    {body}", "    return a"]
        lines += [body] if body.startswith("class ") else function
    (folder / "outside.py").write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(Unsupported) as refused:
        build.carried_over(["outside"], root=folder)
    return str(refused.value).splitlines()


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_outside_the_subset_is_refused_with_its_place(
    body: str, outside: list[str]
) -> None:
    told = outside[list(REFUSED).index(body)]
    assert re.match(r"outside:\d+: ", told)
    assert REFUSED[body] in told
    assert len(outside) == len(REFUSED)


def test_a_text_that_does_not_check_is_not_carried_over(tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("def f(a: int) -> str:\n    return a\n")
    with pytest.raises(ValueError, match="Incompatible return value"):
        build.carried_over(["outside"], root=tmp_path)


def test_the_build_writes_the_same_bytes_twice_as_module_and_as_script(
    rules: Path, tmp_path: Path
) -> None:
    build.main(str(tmp_path))
    for name in ("rules.mjs", "rules.js"):
        assert (tmp_path / name).read_bytes() == (rules.parent / name).read_bytes()
    ask = (
        "require('vm').runInThisContext(require('fs').readFileSync('rules.js', 'utf8')"
    )
    program = f"{ask} + '; console.log(refengine.cards(`10h qs`))')"
    assert node_prints("-e", program, cwd=tmp_path) == "TH QS\n"
