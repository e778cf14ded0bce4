"""The README shows what really happens."""

import doctest
import re
import shlex

import pytest

from refengine.cli.main import main
from refengine_conformance.openspiel import lockstep
from refengine_conformance.openspiel.one_deal import NotInstalled
from tests.support import places

README = places.ROOT / "README.md"


def shown(command: str) -> str:
    """What the README says that this command prints."""
    _, _, rest = README.read_text("utf-8").partition(f"$ {command}\n")
    return rest.partition("```")[0].strip()


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the command line really prints."""
    with pytest.raises(SystemExit):
        main.main(list(words))
    return capsys.readouterr().out.strip()


def without_time(text: str) -> str:
    """The text without the version line and the seconds, which differ by machine."""
    text = re.sub(r"^refengine .*$", "", text, flags=re.MULTILINE)
    return re.sub(r"^ +seconds +[\d.]+$", "", text, flags=re.MULTILINE).strip()


def test_the_session_of_the_readme_is_what_happens() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert (failed, tried > 5) == (0, True)


def test_the_output_of_make_conform_is_the_real_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    try:
        lockstep.lockstep(1)
    except NotInstalled as missing:
        pytest.skip(str(missing))  # the README shows it installed
    made, building, rest = shown("make conform").split("\n", 2)
    assert made == "making the environment in .venv"
    assert building == "building refengine (half a minute where there is a C compiler)"
    assert without_time(printed(capsys, "conform", "all")) == without_time(rest)


@pytest.mark.parametrize(
    "command",
    [
        "rule 5.5",
        "profiles",
        'explain --hand "QS JD 2H" --trick 5C --first-trick '
        "--option first_trick_points=barred --card QS",
    ],
)
def test_other_output_is_the_real_one(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert printed(capsys, *shlex.split(command)) == shown(f"refengine {command}")


@pytest.mark.interpreted("about a file of the checkout")
def test_the_corpus_has_as_many_lines_as_the_readme_says() -> None:
    index = (places.ROOT / "conformance" / "corpus" / "index.jsonl").read_text("utf-8")
    assert f"as well: {len(index.splitlines())} lines" in README.read_text("utf-8")
