"""Tests that the maintainers' tools reject wrong arguments as the commands do."""

import pytest

from refengine_conformance.jobs.tool_arguments import (
    ToolArguments,
    not_negative,
    positive,
)
from tests.support import places

pytestmark = pytest.mark.interpreted("about the checkout")


def test_wrong_arguments_are_one_line_and_exit_code_3(
    capsys: pytest.CaptureFixture[str],
) -> None:
    parser = ToolArguments("refengine conform tool")
    parser.add_argument("--games", type=int)
    parser.add_argument("--jobs", type=positive)
    parser.add_argument("--masked", type=not_negative)
    assert parser.parse_args(["--jobs", "2"]).jobs == 2
    assert parser.parse_args(["--masked", "0"]).masked == 0
    number = "allowed: a number of 1 or more"
    for words, said in (
        (["--nosuch"], "unrecognized arguments: --nosuch"),
        (["two\nlines\x1b"], r"unrecognized arguments: two\nlines\x1b"),
        (["--games", "x"], "argument --games: invalid int value: 'x'"),
        (["--jobs", "x"], f"argument --jobs: found 'x'; {number}"),
        (["--jobs", "0"], f"argument --jobs: found '0'; {number}"),
        (["--jobs", "-1"], f"argument --jobs: found '-1'; {number}"),
        (
            ["--jobs", "1000000000000"],
            "argument --jobs: found '1000000000000'; "
            "allowed: a number of at most 12 digits",
        ),
        (
            ["--masked", "-1"],
            "argument --masked: found '-1'; allowed: a number of 0 or more",
        ),
    ):
        with pytest.raises(SystemExit) as ended:
            parser.parse_args(words)
        assert ended.value.code == 3
        assert capsys.readouterr() == ("", f"refengine conform tool: {said}\n")


def test_every_tool_reads_its_arguments_so() -> None:
    paths = (places.ROOT / "conformance").rglob("*.py")
    texts = {path: path.read_text("utf-8") for path in paths}
    assert sum("ToolArguments(" in text for text in texts.values()) > 10
    assert [path for path, text in texts.items() if "ArgumentParser(" in text] == []
