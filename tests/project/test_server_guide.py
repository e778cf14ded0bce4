"""Tests of docs/server.md: its code runs, and no seat is told too much."""

import asyncio
import json
import re
from contextlib import suppress
from typing import Any

import pytest

from refengine import Ruleset, State
from refengine.json import (
    read_act,
    read_event,
    read_view,
    write_act,
    write_event,
    write_view,
)
from tests.support import places

GUIDE = (places.DOCS / "server.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
ACTS = [one for one in re.findall(r"`(\{.*?\})`", GUIDE) if "seat" not in one]
RULESET = Ruleset("common-hearts", options={"limit": 10})


def code(place: int, known: dict[str, Any] | None = None) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "guide", **(known or {})}
    exec(compile(BLOCKS[place], f"server.md[{place}]", "exec"), names)
    return names


SERVER, PLAYER = code(0), code(2)
TAKE_BACK = code(1, SERVER)["take_back"]


class Watched:
    """The server of the guide, which also records each act and the state before it."""

    def __init__(self) -> None:
        self.server = SERVER["Server"](RULESET)
        self.made: list[tuple[State, Any]] = []
        make = self.server.make

        def watched(act: Any) -> None:
            before = self.server.state
            make(act)
            self.made.append((before, act))

        self.server.make = watched


async def on_a_port(server: Any) -> tuple[Any, int]:
    listening = await asyncio.start_server(server.player, "127.0.0.1", 0)
    return listening, listening.sockets[0].getsockname()[1]


Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def asking(port: int, *lines: bytes) -> Connection:
    """A connection that has sent these lines."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"".join(lines))
    return reader, writer


async def sitting(port: int, seat: int, key: str | None = None) -> Connection:
    """A connection that asks for this seat, with a key of its own by default."""
    asked = {"seat": seat, "key": key or f"key of {seat}"}
    return await asking(port, json.dumps(asked).encode() + b"\n")


async def full(server: Any, port: int) -> list[Connection]:
    """A connection for each seat, once the cards are dealt."""
    seated = [await sitting(port, seat) for seat in range(4)]
    while server.state.phase != "pass":
        await asyncio.sleep(0.001)
    return seated


async def closed(listening: Any, server: Any, *writers: asyncio.StreamWriter) -> None:
    """Close all connections, and wait until the server has forgotten them."""
    listening.close()
    for writer in (*server.players.values(), *writers):
        writer.close()
    while server.players:
        await asyncio.sleep(0.001)
    for writer in writers:
        with suppress(ConnectionError):
            await writer.wait_closed()
    await asyncio.sleep(0.01)


async def played() -> tuple[Watched, list[list[dict[str, Any]]]]:
    watched = Watched()
    listening, port = await on_a_port(watched.server)
    play = PLAYER["play"]
    players = [asyncio.create_task(play(port, seat)) for seat in range(4)]
    await asyncio.wait_for(watched.server.over.wait(), 60)
    await closed(listening, watched.server)
    told = await asyncio.wait_for(asyncio.gather(*players), 60)
    await asyncio.sleep(0.01)
    return watched, told


def test_the_server_has_about_eighty_lines_of_code() -> None:
    lines = [line.strip() for line in BLOCKS[0].splitlines()]
    assert len([one for one in lines if one and '"""' not in one]) <= 78


def test_four_players_play_a_match_and_are_told_what_they_may_know() -> None:
    watched, told = asyncio.run(played())
    assert watched.server.state.over
    assert max(watched.server.state.totals) >= 10
    for seat, (first, *messages) in enumerate(told):
        assert first["view"]["seat"] == seat
        assert first["ruleset"]["profile"] == "common-hearts"
        assert len(messages) == len(watched.made)
        for message, (before, act) in zip(messages, watched.made, strict=True):
            assert message == {
                "event": write_event(before.event(act, seat)),
                "view": write_view(before.apply(act).observe(seat)),
            }
            assert read_event(message["event"]) == before.event(act, seat)
            hidden = act.kind in ("deal", "mix") or (
                act.kind == "pass" and act.seat != seat
            )
            assert ("act" in message["event"]) is not hidden
            assert read_view(message["view"]).seat == seat


async def spoiled(lines: list[bytes]) -> tuple[State, State, list[dict[str, Any]]]:
    """The states before and after seat 0 sends these lines, and the errors it gets."""
    server = SERVER["Server"](RULESET)
    listening, port = await on_a_port(server)
    seated = await full(server, port)
    reader, writer = seated[0]
    while "event" not in json.loads(await reader.readline()):
        pass
    before = server.state
    writer.write(b"".join(lines))
    answers: list[dict[str, Any]] = []
    while len(answers) < len(lines):
        try:
            line = await asyncio.wait_for(reader.readline(), 60)
        except ConnectionError:
            line = b""
        if not line:
            break
        answers += [one for one in [json.loads(line)] if "error" in one]
    await closed(listening, server, *[writer for _, writer in seated])
    return before, server.state, answers


def test_a_bad_line_is_answered_and_changes_nothing() -> None:
    lines = [
        b"\n",
        b"play\n",
        b'{"play":"2C"}\n',
        b'{"seat":1,"play":"2C"}\n',
        b"\xff\n",
    ]
    before, after, answers = asyncio.run(spoiled(lines))
    assert before == after
    assert len(answers) == len(lines)
    assert "2.4" in answers[2]["error"]


def test_a_line_without_end_costs_the_connection() -> None:
    before, after, answers = asyncio.run(spoiled([b"x" * 200_000]))
    assert (before, answers) == (after, [])


async def rejoined() -> None:
    server = SERVER["Server"](RULESET)
    listening, port = await on_a_port(server)
    early = await sitting(port, 3)
    await early[0].readline()
    early[1].write(b'{"cut":"2C"}\n')
    answer = json.loads(await early[0].readline())
    assert "until all seats are taken" in answer["error"]
    early[1].close()  # before the table is full
    while server.players:
        await asyncio.sleep(0.001)
    assert server.state.phase == "cut"

    seated = await full(server, port)
    for seat in (1, 2):
        seated[seat][1].close()
    while set(server.players) != {0, 3}:
        await asyncio.sleep(0.001)
    strangers = [
        await sitting(port, 1, "key of 2"),
        await sitting(port, 4),
        await asking(port, b'{"play":"2C"}\n'),
        await asking(port, b"[" * 50_000 + b"\n"),
    ]
    for reader, _ in strangers:
        assert await asyncio.wait_for(reader.read(), 60) == b""
    assert set(server.players) == {0, 3}

    # Seat 0 comes again before its old connection is known to be lost.
    again = [await sitting(port, seat) for seat in (2, 1, 0)]
    for seat, (reader, _) in zip((2, 1, 0), again, strict=True):
        first = json.loads(await reader.readline())
        assert read_view(first["view"]) == server.state.observe(seat)
        assert first["view"]["seat"] == seat
        assert first["view"]["hand"]
    left = await asyncio.wait_for(seated[0][0].read(), 60)
    assert b"error" not in left
    assert set(server.players) == {0, 1, 2, 3}
    opened = [early, *seated, *strangers, *again]
    await closed(listening, server, *[writer for _, writer in opened])


def test_a_seat_goes_to_its_key_alone_whenever_it_was_left() -> None:
    asyncio.run(rejoined())


async def unread() -> None:
    server = SERVER["Server"](RULESET)
    listening, port = await on_a_port(server)
    seated = await full(server, port)
    while 1 in server.players:  # seat 1 reads nothing
        server.tell(1, text="x" * 100_000)
        await asyncio.sleep(0)
    assert set(server.players) == {0, 2, 3}
    await closed(listening, server, *[writer for _, writer in seated])


def test_who_does_not_read_is_cut_off() -> None:
    asyncio.run(unread())


async def taken_back() -> tuple[State, State, list[dict[str, Any]]]:
    server = SERVER["Server"](RULESET)
    listening, port = await on_a_port(server)
    seated = await full(server, port)
    dealt = server.state
    TAKE_BACK(server)
    assert server.state is dealt  # the cards have just been dealt
    hand = [str(card) for card in dealt.hands[0]][:3]
    server.make(read_act(0, {"pass": " ".join(hand)}))
    TAKE_BACK(server)
    told = []
    for reader, _ in seated:
        message: dict[str, Any] = {}
        while "undone" not in message:
            message = json.loads(await asyncio.wait_for(reader.readline(), 60))
        told.append(message)
    await closed(listening, server, *[writer for _, writer in seated])
    return dealt, server.state, told


def test_an_act_is_taken_back_and_each_seat_gets_its_view() -> None:
    dealt, state, told = asyncio.run(taken_back())
    assert state == dealt
    views = [read_view(message["view"]) for message in told]
    assert views == [dealt.observe(seat) for seat in range(4)]


@pytest.mark.parametrize("text", ACTS)
def test_the_acts_that_the_guide_shows_are_acts(text: str) -> None:
    assert write_act(read_act(0, text)) == json.loads(text)


def test_serving_ends_with_the_match(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Every player is sent the final view, and nothing is logged."""
    made: list[Any] = []
    opened, start = SERVER["Server"], asyncio.start_server
    ports: list[int] = []

    def making(ruleset: Ruleset) -> Any:
        made.append(opened(ruleset))
        return made[0]

    async def starting(*args: Any) -> asyncio.Server:
        listening = await start(*args)
        ports.append(listening.sockets[0].getsockname()[1])
        return listening

    async def one_match() -> tuple[list[dict[str, Any]], ...]:
        serving = asyncio.create_task(SERVER["serve"](RULESET, 0))
        while not ports:
            await asyncio.sleep(0.001)
        _, writer = await asyncio.open_connection("127.0.0.1", ports[0])
        play = PLAYER["play"]
        told = await asyncio.gather(*[play(ports[0], seat) for seat in range(4)])
        writer.close()
        await asyncio.wait_for(serving, 60)
        return tuple(told)

    monkeypatch.setitem(SERVER, "Server", making)
    monkeypatch.setattr(asyncio, "start_server", starting)
    told = asyncio.run(one_match())
    over = made[0].state
    assert over.over
    for seat, messages in enumerate(told):
        assert messages[-1]["view"] == write_view(over.observe(seat))
    assert not caplog.records


async def stopped() -> None:
    serving = asyncio.create_task(SERVER["serve"](RULESET, 0))
    await asyncio.sleep(0.01)
    serving.cancel()
    with suppress(asyncio.CancelledError):
        await serving


def test_a_server_that_is_stopped_says_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    asyncio.run(stopped())
    assert not caplog.records
