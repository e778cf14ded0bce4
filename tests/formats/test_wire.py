import gzip
import io
import json
from functools import cache
from random import Random
from typing import Any

import pytest

from refengine import Malformed
from refengine.formats import protocol, shapes, wire
from refengine.formats.fields import ruleset_fields, start_fields
from refengine.formats.parsing import parse_line
from refengine.formats.schemas import KINDS
from refengine.formats.schemas import schema as made_schema
from refengine.formats.trace import read_trace, write_trace
from refengine_conformance.data import data
from tests.support import refusing
from tests.support.depth import depth
from tests.support.schema_check import fits
from tests.support.strategies import some_ruleset, some_start
from tests.support.traces_made import some_trace

schema = cache(made_schema)
EXAMPLES = data("examples")
STEP = b'{"seat":0,"act":{"play":"2C"}}'
TRACE = (
    b'{"trace":1,"id":"t-0123456789abcdef","spec":"1.0.0","ruleset":{"profile":'
    b'"estmesh-hearts","players":4},"setup":{"dealer":3,"deal":4,"hands":["2C","QS",'
    b'"2H","3H"]},"steps":[STEP]}'
)


def trace_with(step: bytes) -> bytes:
    return TRACE.replace(b"STEP", step)


def malformed(line: bytes, kind: Any = shapes.TraceObject) -> Malformed:
    return refusing.malformed(wire.decode, line, kind)


@pytest.mark.parametrize("wrong", ["null", "1.5", "true", "[]"])
def test_the_wrong_card_among_several_by_seat_is_named(wrong: str) -> None:
    line = f'{{"pass":{{"1":"QS","2":{wrong}}}}}'.encode()
    assert malformed(line, shapes.Act).where == "pass.2"


def test_what_is_written_is_read_back() -> None:
    line = trace_with(STEP)

    assert line == wire.encode(wire.decode(line, shapes.TraceObject))


def test_white_space_and_escapes_make_no_difference() -> None:
    line = trace_with(STEP)
    spaced = json.dumps(json.loads(line), indent=1).replace("\n", " ").encode()
    escaped = line.replace(b'"2C"', b'"\\u0032C"') + b"\r\n"

    read = wire.decode(line, shapes.TraceObject)
    assert read == wire.decode(spaced, shapes.TraceObject)
    assert read == wire.decode(escaped, shapes.TraceObject)


def test_a_key_where_a_text_may_stand_too_is_named_with_those_allowed() -> None:
    step = b'{"seat":0,"act":{"moon":{"jump":1}}}'

    assert str(malformed(trace_with(step))) == (
        "steps[0].act.moon: found the key 'jump'; allowed: one, or x- and more"
    )


def test_a_wrong_entry_is_found_among_options_that_are_no_lists() -> None:
    options = b'"players":4,"options":{"limit":100,"pass_cycle":["left",3]}}'
    line = trace_with(STEP).replace(b'"players":4}', options)

    assert str(malformed(line)) == (
        "ruleset.options.pass_cycle[1]: found 3; allowed: text"
    )


def test_a_tuple_of_an_engine_in_python_is_read_as_a_list_is() -> None:
    seen = {"totals": (0, "x"), "hands": ("2C", (3,))}
    for name, said in (
        ("totals", 'totals[1]: found "x"; allowed: a whole number'),
        ("hands", "hands[1]: found a list; allowed: cards as a string"),
    ):
        one = {name: seen[name]}
        error = refusing.malformed(wire.convert_to_kind, shapes.Fields, one)
        assert str(error).startswith(said)


def test_keys_that_begin_with_x_are_skipped_at_any_level() -> None:
    line = trace_with(STEP)
    extra = b'"x-note":[null,1.5,{"a":1,"a":2},[["deep"]]],'
    noted = line.replace(b"{", b"{" + extra)

    assert noted.count(extra) == line.count(b"{")
    read = wire.decode(line, shapes.TraceObject)
    assert read == wire.decode(noted, shapes.TraceObject)


def test_an_option_that_begins_with_x_is_skipped_too() -> None:
    line = b'{"profile":"estmesh-hearts","players":4,"options":{"x-a":1,"limit":50}}'

    assert wire.decode(line, shapes.RulesetObject).options == {"limit": 50}


NINES = "9" * 5000
ONE = "exactly one of cut"
MOON_OR_SEAT = '"others_plus" or "self_minus" or an object'
STEPS: list[tuple[str, str, str, str]] = [
    ('{"seat":0}', "", "no act", "must be given"),
    ('{"seat":0,"act":{}}', ".act", "none of the keys", ONE),
    ('{"seat":0,"act":{"play":"2C","draw":1}}', ".act", "the keys draw, play", ONE),
    ('{"seat":0,"act":{"plai":"2C"}}', ".act", "the key 'plai'", "play"),
    ('{"seat":13,"act":{"draw":1}}', ".seat", "13", "at most 12"),
    ('{"seat":-1,"act":{"draw":1}}', ".seat", "-1", "at least 0"),
    ('{"seat":"0","act":{"draw":1}}', ".seat", '"0"', "number"),
    ('{"seat":0,"act":{"draw":2}}', ".act.draw", "2", "1"),
    ('{"seat":0,"act":{"draw":true}}', ".act.draw", "true", "1"),
    ('{"seat":0,"act":{"play":null}}', ".act.play", "null", "out"),
    ('{"seat":0.0,"act":{"draw":1}}', ".seat", "0.0", "whole"),
    ('{"seat":1e0,"act":{"draw":1}}', ".seat", "1e0", "whole"),
    ('{"seat":NaN,"act":{"draw":1}}', ".seat", "NaN", "whole"),
    (f'{{"seat":{NINES},"act":{{"draw":1}}}}', ".seat", NINES[:40], "2147483647"),
    ('{"seat":2147483648,"act":{"draw":1}}', ".seat", "2147483648", "2147483647"),
    ('{"seat":0,"seat":0,"act":{"draw":1}}', "", "the key 'seat' twice", "once"),
    ('{"seat":0,"act":{"moon":"both"}}', ".act.moon", '"both"', MOON_OR_SEAT),
    ('{"seat":0,"act":{"pass":{"1":2}}}', ".act.pass.1", "2", "text"),
    ('{"seat":0,"act":[]}', ".act", "a list", "an object"),
    ('{"seat":0,"act":"2C"}', ".act", '"2C"', "an object"),
    ('{"seat":0,"act":{"play":{"card":"2C"}}}', ".act.play", "an object", "text"),
    (
        '{"seat":0,"act":{"draw":1},"legal":{"forward":1,"cut":3}}',
        *(".legal", "forward without pass", "together with pass"),
    ),
    (
        '{"seat":0,"act":{"draw":1},"legal":{"over":false}}',
        *(".legal", "over: false", "over: true"),
    ),
    (
        '{"seat":0,"act":{"draw":1},"then":{"phase":"tea"}}',
        *(".then.phase", '"tea"', '"cut"'),
    ),
]
LINES: list[tuple[bytes, str, str, str]] = [
    (TRACE.replace(b'"setup"', b'"x-setup"'), "", "neither setup nor match", "one of"),
    (TRACE.replace(b'"setup"', b'"match":{},"setup"'), "", "setup and match", "one of"),
    (TRACE.replace(b'"deal"', b'"phase":"play","deal"'), "setup", "phase", "leader"),
    (TRACE.replace(b'"deal"', b'"leader":1,"deal"'), "setup", "no phase", '"play"'),
    (TRACE.replace(b'"trace":1', b'"trace":2'), "trace", "2", "1"),
    (b"[1]", "", "a list", "an object"),
    (b"7", "", "7", "an object"),
    (b"null", "", "null", "a value"),
    (b"", "", "an empty line", "one JSON object"),
    (b" \t", "", "an empty line", "one JSON object"),
    (b'{"trace":1', "", "no JSON", "one JSON object"),
    (b'{"trace":1} {}', "", "no JSON", "one JSON object"),
    *((mark, "", "a comment", "one JSON") for mark in (b"// mine", b"  # x", b"/* x")),
    *(
        (mark, "", "the marker of an unresolved merge conflict", "one JSON object")
        for mark in (b"<<<<<<< HEAD", b"=======", b">>>>>>> mine", b"||||||| 1234567")
    ),
    (b"\0" * 4096, "", "NUL bytes, as a crash may leave", "one JSON object"),
    (b"```json", "", "the fence of a code block", "one JSON object"),
    (b"\xef\xbb\xbf{}", "", "a byte order mark", "without one"),
    (b'{"trace":"\xff"}', "", "byte 0xff at place 11", "UTF-8"),
    (b'{"name":"\\ud800"}', "name", "'\\ud800'", "whole characters"),
    (b'{"\\ud800":1}', "", "'\\ud800'", "whole characters"),
    (b'{"steps":' + b"[" * 20 + b"]" * 20 + b"}", "steps" + "[0]" * 15, "", "16"),
    (b'{"x-a":' + b"[" * 20 + b"]" * 20 + b"}", "x-a", "deeper", "16"),
    (b'{"steps":' * 200_000, "", "nesting too deep", "16"),
]


LINES += [
    (trace_with(step.encode()), f"steps[0]{where}", found, allowed)
    for step, where, found, allowed in STEPS
]


@pytest.mark.parametrize(
    ("line", "where", "found", "allowed"),
    LINES,
    ids=[f"{found}-{at}" for at, (_, _, found, _) in enumerate(LINES)],
)
def test_a_malformed_line_says_where_what_was_found_and_what_is_allowed(
    line: bytes, where: str, found: str, allowed: str
) -> None:
    error = malformed(line.replace(b"STEP", STEP))

    assert error.where == where
    assert found in error.found
    assert allowed in error.allowed


def test_sixteen_levels_are_read() -> None:
    line = b'{"x-a":' + b"[" * 15 + b"]" * 15 + b',"profile":"a","players":4}'

    assert wire.decode(line, shapes.RulesetObject).players == 4
    assert malformed(line.replace(b"[]", b"[[]]"), shapes.RulesetObject).where == "x-a"


@pytest.mark.parametrize(
    ("clauses", "found"),
    [
        ([], "no clause"),
        (["5.0"], "'5.0'"),
        (["05.1"], "'05.1'"),
        (["100.1"], "'100.1'"),
        (["5.3i"], "'5.3i'"),
        (["5.3"] * 2, "twice"),
    ],
)
def test_clauses_are_numbers_each_once(clauses: list[str], found: str) -> None:
    with pytest.raises(Malformed, match=found):
        shapes.check_clauses(clauses, "clauses")


def test_clauses_are_put_in_the_order_of_the_book() -> None:
    in_order = ("2.3", "5.3", "5.10a", "5.10b", "9.9", "10.1")
    mixed = ["5.10b", "10.1", "5.3", "9.9", "5.10a", "2.3"]
    assert shapes.check_clauses(mixed, "") == in_order


# Streams


def test_a_line_that_is_too_long_is_passed_over_and_the_next_one_read() -> None:
    long = b"x" * (wire.LONGEST_LINE + 1) + b"y" * wire.LONGEST_LINE
    found = list(wire.lines_of(io.BytesIO(b"a\n" + long + b"\nb\n" + long)))

    assert [found[0], found[2]] == [b"a\n", b"b\n"]
    assert [len(long) + 1, len(long)] == [
        int(one.found.split()[3]) for one in found[1::2] if isinstance(one, Malformed)
    ]


def test_a_line_of_16_mib_is_read() -> None:
    line = b'"' + b"x" * (wire.LONGEST_LINE - 3) + b'"\n'

    assert [line] == list(wire.lines_of(io.BytesIO(line)))


@pytest.mark.parametrize(
    "spoiled", [lambda one: one[:-9], lambda one: one[:40] + b"!" * 60]
)
def test_a_broken_gzip_file_gives_what_can_be_read_and_says_so(spoiled: Any) -> None:
    noise = bytes(Random(1).randrange(97, 122) for _ in range(40_000))
    packed = spoiled(gzip.compress(b"first\n" + noise))

    stream: Any = gzip.open(io.BytesIO(packed))  # noqa: SIM115
    with pytest.raises(Malformed, match="read to its end"), stream:
        list(wire.lines_of(stream))


# Schemas


def test_every_example_fits_its_schema() -> None:
    for path in sorted(EXAMPLES.glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            plain = json.loads(line)
            kind = next(kind for kind in ("trace", "log", "mini") if kind in plain)
            assert fits(plain, schema(kind)), path


def test_every_schema_names_its_draft_and_allows_x_keys() -> None:
    for name in KINDS:
        found = schema(name)
        assert found["$schema"].endswith("2020-12/schema")
        assert "x-is" not in json.dumps(found)
        for part in found["$defs"].values():
            assert part["additionalProperties"] is False
            assert "^x-" in part["patternProperties"]


STRANGE: list[Any] = [
    *(0, 1, -1, 12, 13, 2**31, 0.5, None, True),
    *("", "QS", "QS 2H", "QS  2H", "2X", "play", "5.3", "5.3i", "1.0.0"),
    *([], ["5.3", "5.3"], [1]),
    *({}, {"one": 3}, {"1": "QS"}, {"01": "QS"}, {"x-a": 1}),
]


def some_spoiling(rng: Random, value: Any) -> Any:
    """The value with one part changed at random."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        kind = rng.random()
        if kind < 0.08:
            return {one: it for one, it in value.items() if one != key}
        if kind < 0.12:
            return {**value, "spoiled": 1}
        if kind < 0.2:
            return {**value, "x-spoiled": None}
        return {**value, key: some_spoiling(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.9:
        place = rng.randrange(len(value))
        return [*value[:place], some_spoiling(rng, value[place]), *value[place + 1 :]]
    return rng.choice(STRANGE)


BEYOND_SCHEMAS = (
    "twice",  # a card, or a seat
    "is refused: ",
    "a version from",
    "a card such as",
    "each card once",
)


def test_the_schema_takes_what_the_reader_takes_and_the_reverse() -> None:
    rng = Random(5)
    taken = refused = 0
    trace_schema = schema("trace")
    for number in range(depth(20)):
        trace = some_trace(Random(number), longest=8)
        plain = json.loads(write_trace(trace))
        assert fits(plain, trace_schema)
        for _ in range(60):
            spoiled = some_spoiling(rng, plain)
            fitting = fits(spoiled, trace_schema)
            try:
                read_trace(json.dumps(spoiled).encode())
            except Malformed as error:
                refused += not fitting
                beyond = any(word in str(error) for word in BEYOND_SCHEMAS)
                assert beyond or not fitting, spoiled
            else:
                taken += 1
                assert fitting, spoiled
    assert taken > depth(60)
    assert refused > depth(500)


def test_requests_fit_their_schema() -> None:
    requests: list[Any] = [
        {"seq": 1, "op": "hello", "protocol": 1},
        {"seq": 2, "op": "observe", "seat": 1, "x-why": 1},
        {"seq": 3, "op": "step", "seat": 1, "act": {"play": "QS"}},
        {"seq": 4, "op": "bye"},
    ]
    for request in requests:
        assert fits(request, schema("request"))
        assert not fits({**request, "more": 1}, schema("request"))
    assert not fits({"seq": 5, "op": "fly"}, schema("request"))


@pytest.mark.parametrize(
    ("line", "kind", "found"),
    [
        (b'{"seq":1,"ok":{},"error":"both"}', protocol.Answer, "the keys ok, error"),
        (b'{"seq":1}', protocol.Answer, "none of the keys"),
        (b'{"ok":{},"refused":{}}', protocol.Verdict, "the keys ok, refused"),
    ],
)
def test_an_answer_has_exactly_one_key(line: bytes, kind: Any, found: str) -> None:
    assert found == malformed(line, kind).found
    assert not fits(json.loads(line), made_schema("answer"))


def test_starts_fit_their_schemas() -> None:
    for number in range(200):
        rng = Random(number)
        ruleset = some_ruleset(rng)
        start = some_start(rng, ruleset)
        assert fits(ruleset_fields(ruleset), schema("ruleset"))
        assert fits(ruleset_fields(ruleset, every=True), schema("ruleset"))
        for name, plain in start_fields(start).items() if start else ():
            assert fits(plain, schema(name))


def test_what_stands_beside_a_word_is_allowed_too() -> None:
    said = {
        "protocol": 1,
        "name": "x",
        "version": "1",
        "language": "C",
        "profiles": "any",
        "players": 4,
        "capabilities": [],
    }
    with pytest.raises(Malformed, match=r'players: found 4; allowed: "any" or a list$'):
        wire.convert_to_kind(protocol.HelloOk, said)
    table = {"profile": "common-hearts", "hands": 0}
    with pytest.raises(Malformed, match=r"or a whole number, at least 1$"):
        wire.convert_to_kind(protocol.TableObject, table)


def test_nothing_in_a_list_is_no_key_to_leave_out() -> None:
    with pytest.raises(Malformed, match=r"a\[1\]: found null; allowed: a value$"):
        parse_line(b'{"a": ["2C", null]}')


def test_a_refusal_without_clauses_fits_its_schema() -> None:
    assert fits({"seq": 3, "refused": {"clauses": []}}, schema("answer"))
