"""Lines with their correct ids, for people who write or edit traces by hand."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

import msgspec

from refengine.errors import Malformed
from refengine.formats import parsing
from refengine.formats.logs import read_log
from refengine.formats.minideals import mini_fields, read_mini
from refengine.formats.normal_form import call_with_place
from refengine.formats.openings import opening_id, read_opening
from refengine.formats.replaying import kind_of
from refengine.formats.trace import (
    Trace,
    applied,
    opened,
    read_trace,
    spec_version,
    trace_id,
    verdict_text,
)
from refengine.game.verdicts import Irregular, Refused
from refengine.lawbook.clause_names import names_parts

_PREFIXES: Final = {"trace": "t", "mini": "m"}
# Numbers stay text: Python refuses to read a number with thousands of digits.
_DECODER: Final = json.JSONDecoder(parse_int=str, parse_float=str)


class Stamped(NamedTuple):
    """A line with its correct id, that id, and in `was` the id that the line had.

    `was` is empty if the line had no id.
    A log has no id: both ids are then empty, and the line differs only in white space.
    """

    line: bytes
    id: str
    was: str


def stamped(line: bytes) -> Stamped:
    """Return the line with its correct `id` and with the current edition as its `spec`.

    A line for an edition 1.0.x keeps its `spec`. The rest stays as it is, including any
    wrong expectations, but white space between the parts is dropped, since
    `write_trace` writes none.
    Raises Malformed if the line cannot be read even with an id and a spec, if it is for
    a version of the book by which the engine cannot judge, or if an act is not legal or
    irregular as the line says.
    """
    kind = kind_of(line)
    plain = parsing.parse_line(line)
    dense = _without_white_space(line)
    if kind == "log":
        read_log(dense)
        return Stamped(dense, "", "")
    prefix = _PREFIXES[kind]
    was = plain.get("id", "")
    said = plain.get("spec", spec_version())
    blank = _with_values(dense, kind, {"id": f"{prefix}-{'0' * 16}", "spec": said})
    right = _id_of_mini(blank) if kind == "mini" else _id_of_trace(blank)
    # The names of clauses in a line are those of its edition.
    spec = spec_version() if names_parts(said) else said
    made = _with_values(dense, kind, {"id": right, "spec": spec})
    return Stamped(made, right, str(was))


def _without_white_space(line: bytes) -> bytes:
    try:
        return msgspec.json.format(line.strip(b" \t\r\n"), indent=-1)
    except msgspec.DecodeError as error:  # such as NaN, under a key that is skipped
        raise Malformed(f"no JSON: {error}", "one JSON object a line") from None


def _id_of_mini(line: bytes) -> str:
    mini = read_mini(line)
    opened(mini.ruleset, mini.setup)
    found: str = mini_fields(mini, mini.counted or {})["id"]
    return found


def _id_of_trace(line: bytes) -> str:
    opening = read_opening(line)
    return _id_of_played(read_trace(line)) if opening is None else opening_id(opening)


def _id_of_played(trace: Trace) -> str:
    """The id of a trace.

    Raises Malformed unless every act is legal or irregular as the trace says.
    """
    state = opened(trace.ruleset, trace.start)
    for place, step in enumerate(trace.steps):
        where = f"steps[{place}]"
        verdict = call_with_place(where, state.verdict, step.act)
        irregular = isinstance(verdict, Irregular)
        if isinstance(verdict, Refused) or irregular != bool(step.breaks):
            found = f"{step.act} of seat {step.act.seat}, {verdict_text(verdict)}"
            allowed = "an irregular act" if step.breaks else "a legal act"
            raise Malformed(found, allowed, where)
        state = applied(state, step.act, verdict)
    return trace_id(trace)


def _with_values(line: bytes, kind: str, values: dict[str, Any]) -> bytes:
    """Return the line with the keys in `values` set to these values.

    Keys that the line lacks are put after the key that shows its kind, such as `trace`.
    The rest of the text is not touched, so that every number keeps its digits.
    """
    text = line.decode("utf-8")
    parts: list[str] = []
    missing = dict(values)
    kept = 0
    place = 1
    after_kind = 0
    while text[place : place + 1] == '"':
        key, colon = _DECODER.raw_decode(text, place)
        _, end = _DECODER.raw_decode(text, colon + 1)
        if key in missing:
            parts += [text[kept : colon + 1], _written(missing.pop(key))]
            kept = end
        elif key == kind:
            parts.append(text[kept:end])
            kept = end
            after_kind = len(parts)
        place = end + 1
    added = [f",{_written(key)}:{_written(missing[key])}" for key in missing]
    parts[after_kind:after_kind] = added
    return "".join([*parts, text[kept:]]).encode("utf-8")


def _written(value: object) -> str:
    return msgspec.json.encode(value).decode()
