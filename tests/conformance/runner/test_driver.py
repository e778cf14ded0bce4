"""Tests of the pipes to one adapter: what is accepted, and how the rest is reported."""

import json
import sys
import time
from contextlib import suppress
from math import inf
from pathlib import Path
from select import select

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refengine.errors import Malformed
from refengine.formats.serve import Session
from refengine_conformance.runner.answers import FormError, OutOfStepError, read_answer
from refengine_conformance.runner.driver import (
    STDERR_KEPT,
    Adapter,
    BrokenError,
    Builtin,
    CannotRunError,
    Process,
    WrongProtocolError,
    transport_of,
)
from refengine_conformance.runner.results import Limits, Outcome
from tests.support.adapters import Planted

pytestmark = pytest.mark.interpreted("about processes and pipes")

QUICK = Limits(op=0.4, batch=0.4, hello=5.0, bye=0.4)
HEAD = """
import json, os, sys, time
def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()
HELLO = {"protocol": 1, "name": "n", "version": "1", "language": "Python",
         "profiles": "any", "players": [4], "capabilities": ["step"]}
def requests():
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "hello":
            say(json.dumps({"seq": request["seq"], "ok": HELLO}) + chr(10))
        else:
            yield request
"""


def started(body: str, limits: Limits = QUICK) -> Adapter:
    command = (sys.executable, "-S", "-c", HEAD + body)
    return Adapter(Process(command), limits)


def broken(body: str, op: str = "step") -> BrokenError:
    adapter = started(body)
    with pytest.raises(BrokenError) as caught:
        adapter.ask(op, seat=0, act={"play": "QS"})
    return caught.value


def answers(template: str) -> str:
    return f"for r in requests(): say({template!r}.replace('SEQ', str(r['seq'])))\n"


# Conversations that go well


def test_answers_are_matched_with_their_requests() -> None:
    adapter = started(answers('{"seq":SEQ,"ok":{}}\n'), Limits())
    for number in range(2, 52):  # `hello` was the first
        assert adapter.ask("step", seat=0, act={"play": "QS"}).seq == number
    assert adapter.requests == 51
    assert adapter.card.plays("estmesh-hearts", 4)
    assert not adapter.card.plays("estmesh-hearts", 5)
    adapter.kill()


@pytest.mark.parametrize(
    "body",
    [
        answers('{ "seq": SEQ, "x-note": null, "ok": { } }\r\n'),
        "for r in requests():\n"
        "    for one in json.dumps({'seq': r['seq'], 'ok': {}}) + chr(10): say(one)\n",
        "os.close(2)\n" + answers('{"seq":SEQ,"ok":{}}\n'),
    ],
    ids=[
        "spaces, line ends and x keys",
        "an answer in pieces",
        "a stderr that is closed",
    ],
)
def test_what_is_allowed_ends_no_conversation(body: str) -> None:
    adapter = started(body, Limits())
    for _ in range(3):
        adapter.ask("step")
    adapter.kill()


def test_neither_side_waits_for_the_other_where_much_is_written() -> None:
    body = """
for line in sys.stdin.buffer:
    sys.stderr.write("e" * 300_000)
    r = json.loads(line)
    ok = HELLO if r["op"] == "hello" else {}
    say(json.dumps({"seq": r["seq"], "ok": ok}) + chr(10))
"""
    adapter = started(body, Limits())
    adapter.ask("step", filler="x" * 3_000_000)
    assert len(adapter.stderr) == STDERR_KEPT
    adapter.kill()


@pytest.mark.parametrize(
    "said",
    [
        '"error": "no deck"',
        '"ok": {"spec": "9.9.9"}',
        '"ok": {"protocol": 2}',
        '"unsupported": "1"',
    ],
)
def test_what_an_adapter_writes_beside_a_wrong_hello_is_kept(said: str) -> None:
    body = f"""
for line in sys.stdin.buffer:
    sys.stderr.write("no deck, says engine.py")
    sys.stderr.flush()
    wrong = json.loads('{{{said}}}')
    if "ok" in wrong:
        wrong = {{"ok": {{**HELLO, **wrong["ok"]}}}}
    say(json.dumps({{"seq": json.loads(line)["seq"], **wrong}}) + chr(10))
"""
    with pytest.raises(CannotRunError) as caught:
        started(body, Limits())
    assert caught.value.stderr == "no deck, says engine.py"


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ("    break", []),
        ("    pass", ["bye: still running after 0.4 s; it should have ended"]),
        (
            "    say('bye' + chr(10))\n    break",
            ["bye: got the answer 'bye\\n'; wanted none"],
        ),
    ],
    ids=["it ends the process", "it must", "it is not answered"],
)
def test_bye_is_the_end(body: str, faults: list[str]) -> None:
    adapter = started(f"for r in requests():\n{body}\n")
    adapter.end()
    assert adapter.faults == faults


def test_a_line_before_bye_is_no_answer_to_it() -> None:
    body = (
        "for r in requests():\n"
        "    say(json.dumps({'seq': r['seq'], 'ok': {}}) + chr(10))\n"
        "    time.sleep(0.1)\n"
        "    say('done' + chr(10))\n"
    )
    process = Process((sys.executable, "-S", "-c", HEAD + body))
    adapter = Adapter(process, QUICK)
    adapter.ask("step")
    select([process._out], [], [])
    adapter.end()
    (fault,) = adapter.faults
    assert fault.startswith("got a line that nobody asked for: 'done")


# Conversations that do not


@pytest.mark.parametrize(
    ("body", "outcome", "says"),
    [
        ("for r in requests(): time.sleep(9)", "timeout", "no answer within 0.4 s"),
        ("for r in requests(): say('{'); time.sleep(9)", "timeout", "no answer"),
        ("for r in requests(): sys.exit(7)", "crash", "ended with exit code 7"),
        ("for r in requests(): os.abort()", "crash", "was killed by SIGABRT"),
        ("for r in requests(): say('{'); os._exit(0)", "crash", "middle of a line"),
        (answers("no JSON\n"), "protocol", "got no JSON"),
        (answers("playing 2C\n"), "protocol", "; the line is 'playing 2C'"),
        (
            answers('playing 2C\n{"seq":SEQ,"ok":{}}\n'),
            "protocol",
            "a line that nobody asked for: 'playing 2C'",
        ),
        (answers("\n"), "protocol", "an empty line"),
        (answers("[1]\n"), "protocol", "got a list"),
        (answers('{"seq":99,"ok":{}}\n'), "protocol", "got 99; wanted the number 2"),
        (answers('{"seq":"SEQ","ok":{}}\n'), "protocol", "got the text '2'; wanted"),
        (answers('{"seq":true,"ok":{}}\n'), "protocol", "got True; wanted"),
        (answers('{"ok":{}}\n'), "protocol", "got no seq"),
        (answers('{"seq":null,"ok":{}}\n'), "protocol", "got null"),
        (answers(f'{{"seq":1{"0" * 20},"ok":{{}}}}\n'), "protocol", "got 1e+20"),
        (answers('{"seq":SEQ,"ok":{}}\n{"seq":3,"ok":{}}\n'), "protocol", "asked for"),
        (answers('{"seq":SEQ,"ok":{}}\n{"se'), "protocol", "nobody asked for"),
        ("for r in requests(): say(chr(97) * (17 << 20))", "protocol", "16 MiB"),
        (
            'for r in requests(): os.write(1, b\'{"seq":2,"ok\\xff":{}}\\n\')',
            "protocol",
            "got byte 0xff at place 13; wanted UTF-8",
        ),
    ],
)
def test_each_way_to_lose_a_conversation_has_its_sentence(
    body: str, outcome: str, says: str
) -> None:
    error = broken(body + "\n")
    assert (error.outcome, says in str(error)) == (outcome, True), str(error)


def test_an_answer_behind_a_byte_order_mark_is_no_stray_line() -> None:
    marked = b'\xef\xbb\xbf{"seq":2,"ok":{}}\n'
    error = broken(f"for r in requests(): os.write(1, {marked!r})\n")
    assert error.outcome is Outcome.PROTOCOL
    assert str(error).endswith("got a byte order mark; wanted UTF-8 without one")


def test_a_line_of_pictures_of_cards_is_cut_like_any_other() -> None:
    planted = Planted(lambda session, request, answer: answer)
    adapter = planted.adapter()
    pictures = ("\U0001f0a1" * 61).encode()  # each is four bytes long
    planted.habit = lambda session, request, answer: pictures
    with pytest.raises(BrokenError, match="' and so on; only answers"):
        adapter.ask("no-such-op")


def test_an_adapter_that_is_only_slow_is_not_told_to_flush() -> None:
    process = Process((sys.executable, "-S", "-c", HEAD + answers('{"seq":SEQ}\n')))
    Adapter(process, QUICK)
    process._send(b'{"op":"step","seq":2}\n', inf, inf)
    select([process._out], [], [])
    assert str(process._late(9)) == "no answer within 9 s, the time limit"


@pytest.mark.parametrize(
    "body",
    ["sys.stdin.close(); time.sleep(0.1); os._exit(3)", "time.sleep(0.1); os._exit(3)"],
    ids=["it closes its input", "it ends"],
)
def test_an_adapter_that_ends_while_much_is_written_is_a_crash(body: str) -> None:
    hello = 'r = json.loads(sys.stdin.readline())\nsay(json.dumps({"seq": 1, '
    adapter = started(hello + f'"ok": HELLO}}) + chr(10))\n{body}\n', Limits())
    with pytest.raises(BrokenError, match="ended with exit code 3") as caught:
        adapter.ask("step", filler="x" * 1_000_000)
    assert caught.value.outcome is Outcome.CRASH


def test_whole_lines_before_the_end_are_not_cut() -> None:
    hello = 'r = json.loads(sys.stdin.readline())\nsay(json.dumps({"seq": 1, '
    body = '"ok": HELLO}) + chr(10))\ntime.sleep(0.1)\nsay("oops" + chr(10))\n'
    adapter = started(f"{hello}{body}os._exit(3)\n", Limits())
    with pytest.raises(BrokenError) as caught:
        adapter.ask("step", filler="x" * 1_000_000)
    assert "middle of a line" not in str(caught.value)


def test_what_is_said_between_two_requests_is_noticed() -> None:
    body = (
        "for r in requests():\n"
        "    say(json.dumps({'seq': r['seq'], 'ok': {}}) + chr(10))\n"
        "    time.sleep(0.05)\n"
        "    say('done' + chr(10))\n"
    )
    process = Process((sys.executable, "-S", "-c", HEAD + body))
    adapter = Adapter(process, Limits())
    adapter.ask("step")
    select([process._out], [], [])
    with pytest.raises(BrokenError, match="nobody asked for: 'done"):
        adapter.ask("step")


def test_what_the_adapter_started_ends_with_it(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    body = f"""
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open({str(mark)!r}, "w").write(str(child.pid))
for r in requests(): time.sleep(60)
"""
    assert broken(body).outcome is Outcome.TIMEOUT
    pid = int(mark.read_text())
    deadline = time.monotonic() + 5
    while _lives(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not _lives(pid)


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


# hello


@pytest.mark.parametrize(
    ("hello", "error", "says"),
    [
        ('{"seq":1,"ok":{}}', CannotRunError, "got no protocol"),
        ('{"seq":1,"ok":{"protocol":2}}', WrongProtocolError, "speaks protocol 2"),
        (
            '{"seq":1,"ok":{"protocol":2,"rate":0.5,"note":null}}',
            WrongProtocolError,
            "speaks protocol 2",
        ),
        ('{"seq":1,"ok":{"protocol":"2"}}', CannotRunError, "field ok.protocol"),
        ('{"seq":1,"ok":{"protocol":false}}', CannotRunError, "field ok.protocol"),
        ('{"seq":1,"unsupported":"1"}', WrongProtocolError, "does not speak protocol"),
        ('{"seq":1,"error":"no"}', CannotRunError, "got error 'no'"),
        ('{"seq":1,"ok":{"protocol":1', CannotRunError, "no answer within"),
        ("hello", CannotRunError, "no JSON"),
    ],
)
def test_a_wrong_hello_is_the_end(
    hello: str, error: type[CannotRunError], says: str
) -> None:
    end = "" if hello.endswith("1") else "\\n"
    program = f"input(); print({hello!r}, end='{end}', flush=True); input()"
    transport = Process((sys.executable, "-S", "-c", program))
    with pytest.raises(CannotRunError, match=says) as caught:
        Adapter(transport, Limits(hello=1.0))
    assert type(caught.value) is error


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("input(); print('{}')", "the line is '> {}'"),
        ("time.sleep(0.3)", "exit code 0 in the middle of a line"),
    ],
)
def test_a_line_begun_before_hello_is_judged_with_its_answer(
    body: str, says: str
) -> None:
    """It must not matter whether the line arrives before or after `hello` is sent."""
    program = f"import time; print('> ', end='', flush=True); {body}"
    transport = Process((sys.executable, "-S", "-c", program))
    time.sleep(0.2)
    with pytest.raises(CannotRunError, match=says):
        Adapter(transport, Limits())


@pytest.mark.parametrize(
    ("body", "closed"),
    [
        (
            "sys.stdin.readline(); os.close(0); "
            "say(json.dumps({'seq': 1, 'ok': HELLO}) + chr(10))",
            "input",
        ),
        ("for r in requests(): os.close(1); time.sleep(9)", "output"),
        (
            "for r in requests(): say('{'); os.close(1); time.sleep(9)",
            "output in the middle of a line",
        ),
    ],
)
def test_an_adapter_that_goes_on_running_has_closed_one_of_its_pipes(
    body: str, closed: str
) -> None:
    error = broken(f"{body}\ntime.sleep(9)\n")
    assert error.outcome is Outcome.CRASH
    assert str(error) == f"the adapter closed its {closed}, but goes on running"


def test_noise_right_behind_hello_is_noticed() -> None:
    body = "for r in requests(): pass\n"
    loud = HEAD.replace(
        "+ chr(10))\n        else", "+ chr(10) + 'ready')\n        else"
    )
    with pytest.raises(CannotRunError, match="nobody asked for: 'ready'"):
        Adapter(Process((sys.executable, "-S", "-c", loud + body)), QUICK)


def test_a_command_that_is_not_there_says_so() -> None:
    with pytest.raises(CannotRunError, match="cannot be started: No such file"):
        transport_of(("./not-there", "x"))


def test_built_in_adapters_are_named_exactly() -> None:
    assert isinstance(transport_of(("builtin:reference",)), Builtin)
    for name, allowed in (
        ("builtin:referense", "builtin:reference or"),
        ("builtin:mutant:no-such-mutant", "an id such as"),
    ):
        with pytest.raises(Malformed, match=f"allowed: {allowed} "):
            transport_of((name,))


def test_an_unknown_op_must_be_answered_unsupported() -> None:
    adapter = started(answers('{"seq":SEQ,"ok":{}}\n'), Limits())
    adapter.check_unknown_op()
    assert adapter.faults == ["an unknown op: got the answer ok; wanted unsupported"]
    adapter.kill()
    refusing = b'{"seq":%d,"refused":{"clauses":[]}}'
    planted = Planted(lambda session, request, answer: answer)
    adapter = planted.adapter()
    planted.habit = lambda session, request, answer: refusing % request["seq"]
    adapter.check_unknown_op()
    assert adapter.faults == [
        "an unknown op: got the answer refused; wanted unsupported"
    ]
    honest = Adapter(Builtin(Session().handle), QUICK)
    honest.check_unknown_op()
    honest.end()
    assert honest.faults == []


# The form of an answer


@pytest.mark.parametrize(
    ("op", "line", "says"),
    [
        ("step", '{"seq":7.0,"ok":{}}', "field seq: got 7.0; wanted a whole number"),
        ("step", '{"seq":7}', "got none of the keys; wanted exactly one of ok"),
        ("step", '{"seq":7,"ok":{},"error":"x"}', "got the keys ok, error"),
        ("step", '{"seq":7,"ok":{},"ok":{}}', "got the key 'ok' twice"),
        ("step", '{"seq":7,"ok":null}', "field ok: got null"),
        ("step", '{"seq":7,"ok":true}', "field ok: got true; wanted an object"),
        ("step", '{"seq":7,"ok":{"broken":["5.3"]}}', "got the key 'broken'"),
        ("step", '{"seq":7,"ok":{"breaks":[]}}', "field ok.breaks: got no clause"),
        ("step", '{"seq":7,"refused":["5.3"]}', "field refused: got a list"),
        ("step", '{"seq":7,"refused":{"clauses":["H-5"]}}', "got 'H-5'"),
        ("step", '{"seq":7,"refused":{"clauses":["5.3","5.3"]}}', "a clause twice"),
        ("legal", '{"seq":7,"refused":{}}', "got refused; wanted ok"),
        ("legal", '{"seq":7,"ok":{"play":"2C"}}', "got no turn"),
        ("legal", '{"seq":7,"ok":{"turn":[0],"play":["2C"]}}', "field ok.play"),
        ("legal", '{"seq":7,"ok":{"turn":[0]}}', "got none of the keys"),
        ("observe", '{"seq":7,"ok":{"score":[1.5]}}', "got 1.5"),
        ("observe", '{"seq":7,"ok":{"stock":99999999999}}', "got 99999999999"),
        ("view", '{"seq":7,"ok":{"seat":1,"hands":[]}}', "got the key 'hands'"),
        ("enumerate", '{"seq":7,"ok":{"games":1}}', "got no plies"),
        ("replay", '{"seq":7,"ok":{"steps":[{"answer":{}}]}}', "none of the keys"),
    ],
)
def test_a_wrong_form_is_one_sentence_with_field_got_and_wanted(
    op: str, line: str, says: str
) -> None:
    with pytest.raises(FormError) as caught:
        read_answer(line.encode(), op, 7)
    said = str(caught.value)
    assert not isinstance(caught.value, OutOfStepError)
    assert "line 7 of its output" in said
    assert "seq 7" in said
    assert says in said
    assert "; wanted " in said
    assert "\n" not in said


def test_a_number_of_any_length_is_a_wrong_answer_and_no_lost_conversation() -> None:
    line = b'{"seq":7,"ok":{"stock":%s}}' % (b"9" * 5000)
    with pytest.raises(FormError) as caught:
        read_answer(line, "observe", 7)
    assert not isinstance(caught.value, OutOfStepError)


def test_a_line_with_a_byte_order_mark_is_no_answer() -> None:
    with pytest.raises(OutOfStepError):
        read_answer(b'\xef\xbb\xbf{"seq":7,"ok":{}}', "step", 7)


@given(line=st.binary(max_size=80))
def test_no_line_at_all_is_more_than_a_wrong_form(line: bytes) -> None:
    for op in ("hello", "legal", "step", "replay"):
        with suppress(FormError):
            read_answer(line, op, 1)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(("ok", "seq", "turn", "play", "steps", "then", "x-a")),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_no_json_at_all_is_more_than_a_wrong_form(value: object) -> None:
    line = json.dumps({"seq": 1, "ok": value}).encode()
    for op in ("legal", "step", "observe", "replay", "enumerate"):
        try:
            read_answer(line, op, 1)
        except OutOfStepError:
            pytest.fail("the conversation could go on")
        except FormError as error:
            said = str(error)
            assert "wanted " in said  # most values are of a right form


@pytest.mark.slow
def test_a_step_over_a_pipe_takes_under_100_microseconds() -> None:
    body = """
for line in sys.stdin.buffer:
    if b"hello" in line:
        say(json.dumps({"seq": 1, "ok": HELLO}) + chr(10))
    else:
        seq = line[line.index(b'"seq":') + 6:].split(b",")[0]
        os.write(1, b'{"seq":%s,"ok":{}}\\n' % seq)
"""
    adapter = started(body, Limits())
    best = 1.0
    for _ in range(20):
        begun = time.perf_counter()
        for _ in range(500):
            adapter.ask("step", seat=2, act={"play": "QS"})
        best = min(best, (time.perf_counter() - begun) / 500)
    adapter.kill()
    assert best < 100e-6
