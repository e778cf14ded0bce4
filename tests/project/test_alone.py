"""Tests that the rules library works without the conformance package."""

import pytest

from refengine.cli.main import SECTIONS
from refengine_conformance.data import data
from tests.support.commands import run_python

pytestmark = pytest.mark.interpreted("about what is imported")

ALONE = """
import importlib.metadata, sys
sys.modules["refengine_conformance"] = None
importlib.metadata.entry_points = lambda **_: ()
from refengine.cli.main import main
"""
ONE = f"{ALONE}main.main(sys.argv[1:])"
EVERY = f"""{ALONE}
for name in sys.argv[1:]:
    try:
        main.main([name, "--help"])
    except SystemExit as ended:
        assert ended.code == 0, name
"""
OTHERS = {"adapter", "conform", "matrix"}
"""The commands that belong to the other package."""


def test_every_command_of_ours_is_there() -> None:
    ours = [name for rows in SECTIONS.values() for name in rows if name not in OTHERS]
    done = run_python(EVERY, *ours)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("Usage: ") == len(ours)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("rule 5.3", "5.3 Follow suit"),
        (f"judge {data('examples', '10-log.jsonl')}", "legal"),
        (f"replay {data('corpus', 'smoke.jsonl')}", "0 not"),
        ("profile estmesh-hearts", "5."),
    ],
)
def test_it_answers_as_ever(words: str, said: str) -> None:
    done = run_python(ONE, *words.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_a_command_of_the_other_package_says_what_to_install(name: str) -> None:
    done = run_python(ONE, name)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        f"refengine: {name} is not installed here: pip install refengine-conform\n"
    )
