import json
import re
import shlex
from pathlib import Path

import msgspec
import pytest

from refengine.chapters.table import PHASES
from refengine.cli.main import main
from refengine.formats import protocol, record_shapes, shapes
from refengine.formats.logs import read_log, replay_log
from refengine.formats.minideals import check_mini, read_mini
from refengine.formats.protocol import CAPABILITIES
from tests.support import places

FORMATS = (places.DOCS / "formats.md").read_text("utf-8")
ADAPTERS = (places.DOCS / "adapters.md").read_text("utf-8")
COMMANDS = ["generate", "replay", "show", "annotate", "convert"]
COMMANDS += ["serve", "schema", "enumerate", "stamp"]
BLOCKS = re.findall(r"```json\n(.*?)\n```", FORMATS, re.DOTALL)
LINES = [
    kind
    for kind in (vars(shapes) | vars(protocol) | vars(record_shapes)).values()
    if isinstance(kind, type) and issubclass(kind, shapes.Line)
]


@pytest.mark.parametrize("kind", LINES, ids=lambda kind: kind.__name__)
def test_every_key_is_documented(kind: type[shapes.Line]) -> None:
    page = FORMATS + ADAPTERS
    for field in msgspec.structs.fields(kind):
        name = field.encode_name
        assert f"`{name}`" in page or f'"{name}"' in page, name


def test_every_example_on_the_page_is_json_and_the_whole_lines_are_right() -> None:
    assert len(BLOCKS) >= 5
    for block in BLOCKS:
        plain = json.loads(block)
        if "log" in plain:
            assert replay_log(read_log(block.encode()))[0] == []
        if "mini" in plain:
            assert check_mini(read_mini(block.encode())) == []


def test_every_command_op_capability_and_phase_is_documented() -> None:
    for command in COMMANDS:
        assert f"`refengine {command}" in FORMATS
    for op in protocol.OPS:
        assert f'"op":"{op}"' in ADAPTERS
    for capability in CAPABILITIES:
        assert f"`{capability}`" in ADAPTERS
    for phase in PHASES:
        assert f"`{phase}`" in FORMATS


def test_the_definition_of_clause_sets_names_the_clauses_of_the_book() -> None:
    from refengine.lawbook.book import clause

    book = set(re.findall(r"\b\d+\.\d+[a-z]?\b", clause("0.7a").text))
    page = set(re.findall(r"\b\d+\.\d+[a-z]?\b", ADAPTERS))
    opening = {
        number for number in book if number.startswith(("2.6", "3.9", "3.12", "4.11"))
    }
    opening |= {"5.2a", "5.14b", "5.14c", "5.14d", "8.10", "8.10a"}
    opening |= {"9.8a", "9.8b", "9.8c", "9.8d"}

    assert book - opening <= page


def test_the_example_of_a_club_is_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (toml,) = re.findall(r"```toml\n(.*?)```", FORMATS, re.DOTALL)
    Path("friday.toml").write_text(toml, "utf-8")
    _, _, session = FORMATS.partition("$ refengine profile friday.toml\n")
    shown, *others = session.partition("```")[0].split("$ refengine ")
    with pytest.raises(SystemExit):
        main.main(["profile", "friday.toml"])
    assert capsys.readouterr().out == shown
    assert [command.split()[0] for command in others] == ["play", "conform"]
    Path("friday.toml").write_text(toml.replace("common-hearts", "whist"), "utf-8")
    with pytest.raises(SystemExit) as ended:
        main.main(shlex.split(others[0]))
    wrong = 'friday.toml.base: found "whist"; allowed: one of '
    assert capsys.readouterr().err.startswith(f"refengine: {wrong}")
    assert wrong in FORMATS
    assert ended.value.code == 3
