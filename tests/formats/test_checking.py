"""Tests that the quick check of a line accepts nothing that a full replay rejects."""

import json
from random import Random
from typing import Any

import attrs
import pytest

from refengine import Malformed, Match, Pass, Ruleset, Setup, State
from refengine.chapters.cards import EMPTY, Mask
from refengine.formats import shapes, wire
from refengine.formats.fast import checked_fields, scanning
from refengine.formats.fast.observed import OBSERVED
from refengine.formats.fast.scanning import NO_NUMBER, WRONG, WRONG_SET, Scan
from refengine.formats.fields import FIELDS
from refengine.formats.generate import Manner, random_trace
from refengine.formats.logs import agreed_log, read_log, replay_log, write_log
from refengine.formats.replaying import judge_line, kind_of
from refengine.formats.trace import (
    Trace,
    agreed_trace,
    canonical,
    read_trace,
    replay,
    rules_written,
    trace_id,
    write_trace,
)
from refengine.game.setups import Start
from refengine.rulings.broken_clauses import named_clauses
from refengine_conformance.runner import results
from tests.support.lines import MOON, NO_ID, changed, line_of, moon_log
from tests.support.playing import dealt, played
from tests.support.spoiling import leaves, spoiled_leaf, with_leaf

RULESETS = [
    Ruleset("estmesh-hearts"),
    Ruleset("estmesh-hearts", 4, {"pass_cycle": ["scatter"], "moon": "choice_one"}),
    Ruleset("estmesh-hearts", 4, {"pass_unseen": True, "limit": 60}),
    Ruleset("estmesh-hearts", 4, {"undealt": "kitty", "pass_cycle": ["mix"]}),
    Ruleset("estmesh-hearts", 4, {"ties": "play_on", "limit": 20}),
    Ruleset("gamerules-domino", 3),
    Ruleset("pokerwiner-domino", 8),
    Ruleset("pokerwiner-hearts", 13),
]
SHORT = Ruleset("estmesh-hearts", 4, {"pass_cycle": [], "limit": 30})
MOONS = "QS 2H 2C 3C 4C 5C 6C 7C"
QUIET = Manner(most_acts=80)


def made(ruleset: Ruleset, seed: int, start: Start | None = None) -> Trace:
    return random_trace(ruleset, start or Match(), Random(seed), QUIET, "a game")


HANDS = ["2C 5D", "3C 9H", "4C 4H", "KC 5H"]
SMALL = made(SHORT, 1, Setup(dealer=3, hands=HANDS))


def plain_of(trace: Trace) -> Any:
    return json.loads(write_trace(trace))


def renamed(plain: Any) -> bytes:
    """The line of this trace, with the id that its contents require."""
    trace = read_trace(line_of(plain))
    return line_of({**plain, "id": trace_id(trace)})


def renamed_if_read(plain: Any) -> bytes:
    """The line with its right id, or unchanged if it cannot be read."""
    try:
        return renamed(plain)
    except Malformed:
        return line_of(plain)


@pytest.mark.parametrize("ruleset", RULESETS, ids=repr)
def test_what_our_writer_writes_is_agreed_to(ruleset: Ruleset) -> None:
    for seed in (1, 2):
        trace = made(ruleset, seed)
        line = write_trace(trace)
        assert agreed_trace(line) == agreed_trace(line + b"\r\n") == trace_id(trace)
        assert replay(read_trace(line)) == []


def test_moons_packs_dealers_and_setups_are_agreed_to() -> None:
    moons = 0
    for seed in range(12):
        for start in (Match(2, MOONS), Match(None, MOONS)):
            line = write_trace(made(SHORT.having(moon="choice_one"), seed, start))
            assert agreed_trace(line)
            moons += line.count(b'{"moon":')
    assert moons > 10
    for more in ({}, {"totals": [1, -2, 0, 4]}, {"limit_reached": True}):
        setup = Setup(dealer=3, deal=2, hands=HANDS, **more)
        ruleset = SHORT.having(ties="play_on")
        assert agreed_trace(write_trace(made(ruleset, 1, setup)))
    kitty = Setup(dealer=0, hands=HANDS, kitty="QS 2H")
    assert agreed_trace(write_trace(made(SHORT.having(undealt="kitty"), 1, kitty)))
    stock = Setup(dealer=0, hands=HANDS, stock="QS 2H 7C")
    assert agreed_trace(write_trace(made(Ruleset("gamerules-domino", 4), 1, stock)))


def test_totals_of_nothing_are_left_to_the_reader_that_explains() -> None:
    plain = plain_of(made(SHORT, 1, Setup(dealer=3, deal=2, hands=HANDS)))
    plain["setup"] = {"dealer": 3, "deal": 2, "totals": [0] * 4} | plain["setup"]
    line = line_of(plain)
    assert not agreed_trace(line)  # its id is that of the line without them
    judged = judge_line(line)
    assert (judged.id, list(judged.findings)) == (plain["id"], [])


@pytest.mark.parametrize("kind", ["trace", "log", "mini"])
def test_what_a_line_is_does_not_hang_on_a_key_of_somebody_s_own(kind: str) -> None:
    assert kind_of(b'{"x-note":NaN,"%s":1}' % kind.encode()) == kind


def spoilings(trace: Trace, seed: int, number: int) -> list[bytes]:
    """Lines of the trace, each with one value changed and with the id made right."""
    rng = Random(seed)
    plain = plain_of(trace)
    found = list(leaves(plain))
    lines: list[bytes] = []
    for path, value in rng.sample(found, min(number, len(found))):
        try:
            lines.append(
                renamed(with_leaf(plain, path, spoiled_leaf(rng, path, value)))
            )
        except Malformed:
            continue  # no line of the format, so nobody agrees to it
    return lines


def test_no_spoiled_trace_is_agreed_to() -> None:
    tried = agreed = 0
    for ruleset in (*RULESETS[:6], SHORT.having(moon="choice_all")):
        pack = "" if ruleset.options["pass_cycle"] or ruleset.players < 4 else MOONS
        trace = made(ruleset, 5, Match(1, pack))
        for line in spoilings(trace, 6, 40):
            tried += 1
            if agreed_trace(line):
                agreed += 1
                assert replay(read_trace(line)) == []
    assert tried > 150
    assert agreed < tried / 10  # a hand turned round is another one as true


def test_no_change_of_a_byte_is_agreed_to_without_reason() -> None:
    steps = tuple(attrs.evolve(step, then={}) for step in SMALL.steps)
    line = write_trace(attrs.evolve(SMALL, steps=steps, end={}))
    rng = Random(3)
    for place in range(len(line)):
        for new in (b"", bytes([rng.randrange(256)]), line[place : place + 1] * 2):
            other = line[:place] + new + line[place + 1 :]
            if other != line and agreed_trace(other):
                assert replay(read_trace(other)) == []
    assert not any(agreed_trace(line[:end]) for end in range(len(line)))


def test_a_line_in_another_layout_is_agreed_to_as_well() -> None:
    trace = made(SHORT, 4)
    plain = plain_of(trace)
    for line in (json.dumps(plain), json.dumps(plain, sort_keys=True, indent=None)):
        assert not agreed_trace(line.encode())
        assert not judge_line(line.encode()).findings
    plain["end"]["totals"][0] += 1
    (finding,) = judge_line(renamed(plain)).findings
    assert finding.what == "end.totals"


def test_a_line_that_ends_in_its_ruleset_is_not_agreed_to() -> None:
    assert not agreed_log(b'{"log":1,"ruleset":{"profile":"estmesh-hearts"')


def test_a_log_is_explained_where_it_is_not_agreed_to() -> None:
    assert not judge_line(moon_log()).findings
    (finding,) = judge_line(moon_log(score=[0, 0, 15, 0])).findings
    assert str(finding).startswith("end of the deal.score: expected [0,0,15,0]")


FIRST = "steps[0]"
DEALT = f"{FIRST}.act.deal"
ESTMESH = {"profile": "estmesh-hearts", "players": 4}


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("spec", "0.1.0"),
        ("name", "\\"),
        ("name", "é"),
        ("ruleset", {**ESTMESH, "profile": "whist"}),
        ("ruleset.options", {"ties": "shared"}),
        ("match", {"dealer": 4, "pack": MOONS}),
        ("match", {"dealer": 2, "pack": ""}),
        ("match", {"dealer": 2, "pack": "2C 3C"}),
        ("match", {"pack": ""}),
        ("match", {"dealer": 1, "x-why": 1}),
        ("match", []),
        ("match", ...),
        ("steps", []),
        ("steps", {}),
        ("end", {}),
        ("end", []),
        ("end.view", {"seat": 0}),
        ("end.cut", ["", "", "", ""]),
        (f"{FIRST}.seat", 9),
        (f"{FIRST}.breaks", ["5.3"]),
        (f"{FIRST}.legal", {"deal": 2}),
        (f"{FIRST}.act", {"claim": {"seat": 1, "trick": 1}}),
        (f"{FIRST}.act", {"draw": 1}),
        (f"{FIRST}.act", {"cut": "2C"}),
        (f"{FIRST}.act", {"cut": "1C"}),
        (f"{FIRST}.act", {"moon": "self_minus"}),
        (f"{FIRST}.act", {"moon": "self"}),
        (f"{FIRST}.act", {"moon": {"one": 7}}),
        (f"{FIRST}.act", {"mix": {"hands": ["2C"]}}),
        (f"{FIRST}.act", {"mix": {"hands": ["2C"], "kitty": ""}}),
        (f"{FIRST}.act", {"play": "2C"}),
        (f"{FIRST}.act", {"pass": "2C"}),
        (f"{FIRST}.act", {"pass": {"9": "2C"}}),
        (f"{DEALT}.stock", ""),
        (f"{DEALT}.stock", "2C"),
        (f"{DEALT}.kitty", ""),
        (f"{DEALT}.hands", ["2C"]),
        (f"{DEALT}.hands", []),
        ("steps[1].act", {"play": "1C"}),
        ("steps[1].then.turn", [9]),
        ("steps[1].then.trick", []),
        ("steps[1].then.score", [0, 0, 0, 0]),
    ],
    ids=str,
)
def test_what_is_wrong_or_not_ours_is_left_to_the_explanation(
    place: str, value: Any
) -> None:
    plain = plain_of(made(SHORT, 4, Match(2, MOONS)))
    assert not agreed_trace(renamed_if_read(changed(plain, place, value)))


PASSING = (RULESETS[1], "steps[5].act")


@pytest.mark.parametrize(
    ("ruleset", "place", "value"),
    [
        (SHORT, "steps[1].legal", "AH"),
        (SHORT, f"{FIRST}.then", {"dealer": 0}),
        (SHORT, f"{FIRST}.then", {"deal": 1}),
        (SHORT, f"{FIRST}.then", {"hands": ["2C"]}),
        (SHORT, f"{FIRST}.then", {"table": {"leader": 0, "cards": ""}}),
        (SHORT, f"{FIRST}.then", {"trick": {"leader": 0, "cards": "", "winner": 0}}),
        (SHORT, f"{FIRST}.then", {"turn": [0], "x-why": 1}),
        (SHORT, f"{FIRST}.then", {"revokes": [], "turn": 1}),
        (SHORT, "steps[3].then", {"table": {"leader": 0, "cards": ""}}),
        (SHORT, "steps[4].act", {"deal": {"hands": ["2C"], "stock": "2C 2C"}}),
        (SHORT, "steps[4].act", {"mix": {"hands": ["2C"]}}),
        (*PASSING, {"pass": {"1": "2C", "1 ": "3C"}}),
        (*PASSING, {"pass": {"1": "1C"}}),
        (*PASSING, {"pass": {"1": "2C", "2": "2C"}}),
        (*PASSING, {"pass": {"2": "2C", "1": "3C"}}),
        (*PASSING, {"pass": {}}),
        (*PASSING, {"pass": {"1": "2C;"}}),
        (*PASSING, {"pass": {"1": "2C", "2": ""}}),
        (*PASSING, {"pass": {"1": "2C", "x-why": "3C"}}),
        (RULESETS[7], "steps[14].act", {"pass": {"1": "2C"}}),
    ],
    ids=str,
)
def test_what_does_not_belong_there_is_not_agreed_to(
    ruleset: Ruleset, place: str, value: Any
) -> None:
    plain = plain_of(made(ruleset, 2))
    assert not agreed_trace(renamed_if_read(changed(plain, place, value)))


def test_a_true_trace_under_another_id_is_not_agreed_to() -> None:
    plain = plain_of(SMALL)
    assert agreed_trace(line_of(plain))
    assert not agreed_trace(line_of({**plain, "id": NO_ID}))
    silent = changed(plain, "steps[1].legal", ...)  # what is said belongs to the id
    assert not agreed_trace(line_of(silent))
    assert agreed_trace(renamed(silent))


def test_what_is_no_json_is_not_agreed_to() -> None:
    line = write_trace(made(RULESETS[1], 1))
    for old, new in ((b'","2":"', b'";"2":"'), (b',"turn":', b';"turn":')):
        assert old in line
        assert not agreed_trace(line.replace(old, new))


@pytest.mark.parametrize("wordless", [True, False])
@pytest.mark.parametrize("ruleset", [RULESETS[2], RULESETS[5]], ids=repr)
def test_what_is_not_said_is_not_asked(ruleset: Ruleset, wordless: bool) -> None:
    trace = made(ruleset, 3, Match(0))
    steps = tuple(
        attrs.evolve(step, legal=None, then={} if wordless else step.then)
        for step in trace.steps
    )
    bare = attrs.evolve(trace, steps=steps, end={}, name="")
    assert agreed_trace(write_trace(bare)) == trace_id(bare)


SETUP: dict[str, Any] = MOON["setup"]
BEFORE = {"dealer": 3, "deal": 4}


def seats_after_plays(line: bytes) -> bytes:
    """The log with its keys in the order of our writer."""
    return wire.in_our_layout(line, shapes.LogObject)


def test_seats_of_two_figures_are_read_as_well() -> None:
    found = State.open(
        Ruleset("pokerwiner-hearts", 13, {"pass_cycle": []}),
        Setup(dealer=12, hands=[f"{rank}C" for rank in "23456789TJQKA"]),
    )
    state = played(found, Random(1))
    plain = json.loads(write_log(state))
    seats = [act.seat for act in state.acts]
    assert seats == [*range(13)]
    for given in (seats, [*seats[:12], 2], [*seats[:10], 11, 11, 12], seats[:11]):
        line = seats_after_plays(line_of({**plain, "seats": given}))
        assert agreed_log(line) == (given == seats)
        for end in range(len(line)):
            assert not agreed_log(line[:end])


def test_logs_of_different_tables_are_read_one_after_another() -> None:
    """Piles are reused, but no table or wrong line affects the lines after it."""
    lines = []
    for players in (3, 5, 4):
        rng = Random(players)
        found = found_deal(Ruleset("common-hearts", players, {"pass_cycle": []}), rng)
        lines.append(write_log(played(found, rng)))
    for _ in range(2):
        for line in (*lines, lines[0], lines[0]):
            assert agreed_log(line)
            wrong = json.loads(line)
            wrong["score"][0] += 1
            assert not agreed_log(line_of(wrong))


def found_deal(ruleset: Ruleset, rng: Random) -> State:
    """The first deal of a random match, as the opening state of a game of its own."""
    state = dealt(State.open(ruleset, Match(dealer=0)), rng)
    hands = [str(hand) for hand in state.hands]
    stock, kitty = state.stock, state.kitty
    return State.open(ruleset, Setup(dealer=0, hands=hands, stock=stock, kitty=kitty))


def test_logs_of_every_ruleset_are_agreed_to() -> None:
    agreed = 0
    for ruleset in RULESETS:
        rng = Random(4)
        state = played(found_deal(ruleset, rng), rng)
        try:
            line = write_log(state)
        except Malformed:
            continue  # a mix, or passed on unseen
        agreed += agreed_log(line)
        assert replay_log(read_log(line))[0] == []
    assert agreed >= 6


@pytest.mark.parametrize(
    ("more", "agrees"),
    [
        ({}, True),
        ({"moon": None, "score": None, "totals": None}, True),
        ({"score": None}, True),
        ({"moon": None, "plays": "2C 3H", "score": None, "totals": None}, True),
        ({"moon": "self_minus", "score": [-15, 0, 0, 0]}, False),
        ({"moon": "self_minus", "score": [-15, 0, 0, 0], "totals": None}, True),
        ({"log": 2}, False),
        ({"ruleset": {"profile": "whist", "players": 4}}, False),
        ({"moon": "others"}, False),
        ({"moon": "others_plus"}, False),
        ({"moon": {"one": 0}}, False),
        ({"moon": {"one": 4}}, False),
        ({"moon": {"one": 3, "x-why": 1}}, False),
        ({"moon": {"one": 3}, "plays": "2C 3H"}, False),
        ({"score": [0, 0, 15, 0]}, False),
        ({"totals": [0, 0, 15, 0]}, False),
        ({"moon": None}, False),
        ({"plays": ""}, False),
        ({"plays": None}, False),
        ({"plays": "2C 3H QS 2H"}, False),
        ({"plays": "2C 3H 2H QX"}, False),
        ({"plays": "2C,3H,2H,QS"}, False),
        ({"plays": "2C 3H 2H QS QS"}, False),
        ({"pass": []}, False),
        ({"pass": ["2C", "QS", "2H", "3H"]}, False),
        ({"seats": [0, 3, 2, 1]}, True),
        ({"seats": [0, 1, 2, 3]}, False),
        ({"seats": [0, 3, 2, 1, 0]}, False),
        ({"seats": [0, 3, 2]}, False),
        ({"seats": [0, 3, 2, 12]}, False),
        ({"seats": []}, False),
        ({"setup": {**SETUP, "dealer": 4}}, False),
        ({"setup": {**SETUP, "deal": 0}}, False),
        ({"setup": {"deal": 4, **SETUP, "x-why": 1}}, False),
        ({"setup": {**SETUP, "hands": ["2C", "QS", "2H"]}}, False),
        ({"setup": {**SETUP, "hands": ["2C", "QS", "2H", "2H"]}}, False),
        ({"setup": {**SETUP, "hands": "2C"}}, False),
        ({"setup": {**SETUP, "stock": ""}}, False),
        ({"setup": {**SETUP, "stock": "4C"}}, False),
        ({"setup": {**SETUP, "kitty": ""}}, False),
        ({"setup": {**SETUP, "limit_reached": True}}, False),
        ({"setup": {**BEFORE, "totals": [0, 0, 0, 0], "hands": SETUP["hands"]}}, True),
        ({"setup": {**BEFORE, "totals": [0, 1], "hands": SETUP["hands"]}}, False),
        ({"setup": []}, False),
        ({"setup": None}, False),
    ],
    ids=str,
)
def test_a_log_is_agreed_to_or_not(more: dict[str, Any], agrees: bool) -> None:
    line = moon_log(**more)
    if "seats" in more:
        line = seats_after_plays(line)
    assert agreed_log(line) == agrees


@pytest.mark.parametrize("wrong", [{"plays": 5}, {"seats": "0"}, {"setup": None}])
def test_a_log_of_others_that_cannot_be_read_says_where(wrong: dict[str, Any]) -> None:
    plain = json.loads(moon_log())
    line = json.dumps(dict(reversed({**plain, **wrong}.items()))).encode()
    with pytest.raises(Malformed, match=f"^{next(iter(wrong))}: found"):
        judge_line(line)


def test_the_key_of_a_log_within_a_trace_makes_no_log() -> None:
    plain = {"x-note": {"log": 1}, **plain_of(made(SHORT, 4))}
    assert judge_line(json.dumps(plain).encode()).kind == "trace"


def test_seats_stand_after_the_plays() -> None:
    assert not agreed_log(moon_log(seats=[0, 3, 2, 1]))  # here they stand at the end


@pytest.mark.parametrize("more", [{}, {"seats": [0, 3, 2, 1]}])
def test_no_change_of_a_byte_of_a_log_is_agreed_to_without_reason(
    more: dict[str, Any],
) -> None:
    line = seats_after_plays(moon_log(**more))
    assert agreed_log(line)
    rng = Random(5)
    for place in range(len(line)):
        for new in (b"", b" ", bytes([rng.randrange(256)]), b"0", b"4", b"S"):
            other = line[:place] + new + line[place + 1 :]
            if agreed_log(other):
                assert replay_log(read_log(other))[0] == []
    assert not any(agreed_log(line[:end]) for end in range(len(line)))


TWICE = {"dealer": 3, "deal": 4, "hands": ["2C 3C", "4C QS", "2H 5C", "3H 6C"]}
"""A deal of two tricks for heartsgame-tiles, in which play goes counterclockwise."""


@pytest.mark.parametrize(
    ("hands", "seats", "agrees"),
    [
        (["3C 2C", "QS 4C", "2H 5C", "6C 3H"], None, True),
        (["3C 2C", "4C QS", "5C 2H", "3H 6C"], [0, 3, 2, 1], True),
        (["3C 2C", "4C QS", "5C 2H", "3H 6C"], [0, 1, 2, 3], False),
        (["3C 2C", "4C QS", "5C 2H", "3H 6C"], [0, 3, 2], False),
        (["3C 2C", "4C QS", "5C 2H", "3H 6C"], [], False),
        (["3C 2C 3C", "4C QS", "5C 2H", "3H 6C"], None, False),
        (["3C 3C", "4C QS", "5C 2H", "3H 6C"], None, False),
        (["3C 2C ", "4C QS", "5C 2H", "3H 6C"], None, False),
        (["3C  2C", "4C QS", "5C 2H", "3H 6C"], None, False),
        (["3C 2X", "4C QS", "5C 2H", "3H 6C"], None, False),
    ],
)
def test_what_others_log_has_sets_in_any_order_and_seats(
    hands: list[str], seats: list[int] | None, agrees: bool
) -> None:
    own = {"moon": None, "score": None, "totals": None, "plays": "2C 6C 5C 4C"}
    plain = json.loads(moon_log(setup={**TWICE, "hands": hands}, **own))
    if seats is not None:
        plain["seats"] = seats
    assert agreed_log(seats_after_plays(line_of(plain))) == agrees
    turned = json.dumps(dict(reversed(plain.items())), indent=1).encode()
    ours = wire.in_our_layout(turned, shapes.LogObject)
    assert agreed_log(ours) == agrees
    if agrees:
        assert judge_line(turned).outcome == "pass"


def test_the_sets_of_a_trace_are_in_the_order_of_the_book() -> None:
    line = write_trace(SMALL)
    assert agreed_trace(line)
    turned = line.replace(b'["2C 5D",', b'["5D 2C",')
    assert turned != line
    assert not agreed_trace(turned)


PASSED: dict[str, tuple[dict[str, object], list[str], list[Any], Any, str]] = {
    "sets": (
        {"pass_count": 1},
        ["2C 2D", "3C 3D", "4C 4D", "5C 5D"],
        ["2D", "3D", "4D", "5D"],
        "9D",
        "2C 3C 4C 5C",
    ),
    "to each seat": (
        {"pass_cycle": ["scatter"]},
        ["2C 2D 2S", "3C 3D 3S", "4C 4D 4S", "5C 5D 5S"],
        [
            {"1": "2C", "2": "2D", "3": "2S"},
            {"0": "3C", "2": "3D", "3": "3S"},
            {"0": "4C", "1": "4D", "3": "4S"},
            {"0": "5C", "1": "5D", "2": "5S"},
        ],
        {"0": "5C", "1": "5D", "2": "9S"},
        "2C 2D 2S 3C",  # led by seat 1, to whom the lowest club was passed
    ),
}
"""For each way: options, hands, cards passed, a wrong pass of seat 3, and plays."""


@pytest.mark.parametrize("way", PASSED)
def test_a_log_passes_sets_or_to_each_seat(way: str) -> None:
    options, hands, given, other, plays = PASSED[way]
    log = {
        "log": 1,
        "ruleset": {**ESTMESH, "options": options},
        "setup": {"dealer": 3, "deal": 1, "hands": hands},
        "pass": given,
        "plays": plays,
    }
    assert agreed_log(line_of(log))
    for wrong in (given[:3], [*given[:3], other]):
        assert not agreed_log(line_of({**log, "pass": wrong}))


def test_a_ruleset_is_known_in_one_form_only() -> None:
    text = b'{"profile":"estmesh-hearts","players":4}'
    known = rules_written(text)
    assert known is not None
    assert known[1] == canonical(json.loads(text))
    for other in (b'{"players":4,"profile":"estmesh-hearts"}', b"{}", text[:-1]):
        assert rules_written(other) is None


# Reading


def test_a_list_says_just_these_numbers_or_something_else() -> None:
    scan = Scan(b"[-26,0,13],")
    assert scan.skip_if_numbers((-26, 0, 13))
    assert scan.next_byte() == ord(",")
    others = (b"[-26,0]", b"[-26,0,13,0]", b"[-26,0,13", b"[-26,0,14]", b"[-26, 0,13]")
    for text in (*others, b"[]", b"-26,0,13]", b"", b"[-26,0,013]"):
        assert not Scan(text).skip_if_numbers((-26, 0, 13))
    assert not Scan(b"[]").skip_if_numbers(())


def test_numbers_are_read_in_one_form() -> None:
    for text, value in ((b"0", 0), (b"17,", 17), (b"123456789", 123456789)):
        assert Scan(text).read_natural() == Scan(text).read_whole() == value
    for text in (b"", b"x", b"01", b"1234567890", b"-1"):
        assert Scan(text).read_natural() == NO_NUMBER
    assert Scan(b"-26]").read_whole() == -26
    for text in (b"-0", b"-", b"--1"):
        assert Scan(text).read_whole() == NO_NUMBER
    assert Scan(b"[1,-2,0]").read_numbers() == (1, -2, 0)
    for text in (b"", b"[]", b"[1", b"[1,]", b"[1 ,2]", b"1"):
        assert Scan(text).read_numbers() is None


def test_cards_are_read_in_one_form() -> None:
    assert Scan(b"QS").read_card() == 36
    for text in (b"", b"Q", b"QX", b"1S", b"\xffS"):
        assert Scan(text).read_card() == WRONG
    assert Scan(b'""').read_set_of_cards() == EMPTY
    assert Scan(b'"2C 3C"').read_set_of_cards() == 3
    not_in_order = (b'"3C 2C"', b'"2C 2C"', b'"2C  3C"', b'"2C,3C"')
    for text in (b"", b'"', *not_in_order, b'"2C ', b"2C"):
        assert Scan(text).read_set_of_cards() == WRONG_SET
    assert Scan(b'["2C",""]').read_sets_of_cards() == (Mask(1), EMPTY)
    for text in (b"", b"[]", b'["2C"', b'["2C",]', b'["2C";"3C"]', b'"2C"'):
        assert Scan(text).read_sets_of_cards() is None
    assert Scan(b'""').read_sequence() == ()
    assert Scan(b'"3C 2C"').read_sequence() == (1, 0)
    for text in (b"", b'"', b'"3C 3C"', b'"3C,2C"', b'"3C ', b'"3X"'):
        assert Scan(text).read_sequence() is None


def test_text_is_read_where_it_is_plain() -> None:
    assert Scan(b'"a b"').read_text() == b"a b"
    for text in (b"", b'"', b'"a', b'"\\"', b'"\n"', b'"\xe9"', b"a"):
        assert Scan(text).read_text() is None


def test_a_word_is_known_by_its_sum_and_then_compared() -> None:
    assert Scan(b'"ab"').read_word_sum() == Scan(b'"ba"').read_word_sum() == 97 + 98
    for text in (b"", b'"', b'"a', b"a"):
        assert Scan(text).read_word_sum() < 0
    text = write_trace(made(Ruleset("estmesh-hearts"), 1))
    assert agreed_trace(text)
    for name in (b'"tunr":', b'"turo":', b'"ttttt":'):
        assert not agreed_trace(text.replace(b'"turn":', name))


def test_what_is_read_is_written_so() -> None:
    assert (
        scanning.number_text(-5) + scanning.number_text(7) + scanning.number_text(12345)
        == b"-5712345"
    )
    assert scanning.numbers_text(()) == b"[]"
    assert scanning.numbers_text((1, -2)) == b"[1,-2]"
    assert (
        scanning.sets_text((Scan(b'"2C QS"').read_set_of_cards(), EMPTY))
        == b'["2C QS",""]'
    )
    assert scanning.sequence_text((36, 0)) == b'"QS 2C"'


# One list of the fields of an observation


def test_every_reader_knows_the_fields_of_an_observation_and_no_other() -> None:
    assert sorted(OBSERVED) == list(OBSERVED)  # RFC 8785: names in ASCII
    assert {*OBSERVED} == {*FIELDS}
    assert {*OBSERVED, "view"} == {*shapes.Fields.__struct_fields__}
    assert {*OBSERVED} == {*named_clauses.OF_FIELD}
    assert {*OBSERVED} == {*results.FIELDS_FIRST_TO_LAST}


@pytest.mark.interpreted("compiled, the numbers are part of the code")
def test_each_number_of_the_quick_reader_is_the_place_of_its_field() -> None:
    numbers = {
        name[1:].lower(): value
        for name, value in vars(checked_fields).items()
        if name[1:].lower() in OBSERVED
    }
    assert numbers == {name: place for place, name in enumerate(OBSERVED)}


def test_a_log_with_more_passes_than_seats_is_left_to_the_explanation() -> None:
    cards = [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA"]
    found = State.open(
        Ruleset("pokerwiner-hearts", 13, {"pass_cycle": ["left"], "pass_count": 1}),
        Setup(dealer=12, hands=[" ".join(cards[at::13]) for at in range(13)]),
    )
    passed = found.after(*[Pass(seat, cards[seat]) for seat in range(13)])
    line = write_log(passed.apply(passed.random_act(Random(1))))
    assert agreed_log(line)
    plain = json.loads(line)
    assert not agreed_log(line_of({**plain, "pass": [*plain["pass"], "2C"]}))
