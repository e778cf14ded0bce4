import json
import re

import msgspec
import pytest

from refengine.chapters.table import PHASES
from refengine.formats import protocol, shapes
from refengine.formats.minideals import check_mini, read_mini
from refengine.formats.protocol import CAPABILITIES
from refengine.formats.trace import read_log, replay_log
from tests.support import places

FORMATS = (places.DOCS / "formats.md").read_text("utf-8")
ADAPTERS = (places.DOCS / "adapters.md").read_text("utf-8")
COMMANDS = ["generate", "replay", "show", "annotate", "convert"]
COMMANDS += ["serve", "schema", "enumerate", "stamp"]
BLOCKS = re.findall(r"```json\n(.*?)\n```", FORMATS, re.DOTALL)
LINES = [
    kind
    for kind in (vars(shapes) | vars(protocol)).values()
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

    book = set(re.findall(r"\b\d\.\d+[a-z]?\b", clause("0.7a").text))
    page = set(re.findall(r"\b\d\.\d+[a-z]?\b", ADAPTERS))
    opening = {
        number for number in book if number.startswith(("2.6", "3.9", "3.12", "4.11"))
    }
    opening |= {"5.2a", "8.10", "8.10a", "9.8", "9.8a"}

    assert book - opening <= page
