"""Tests of the skeletons of adapters, as printed and with an engine filled in."""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import attrs
import pytest
from click.testing import CliRunner

from refengine import (
    OPTIONS,
    WHOLE_PACK,
    Deal,
    Match,
    Play,
    Ruleset,
    State,
    profile,
    profile_names,
)
from refengine.cli.main import main
from refengine.formats.fields import FIELDS, ruleset_fields
from refengine.formats.generate import Manner, random_deals
from refengine.formats.trace import Trace
from refengine_conformance.commands.adapter_skeleton import (
    LANGUAGES,
    capabilities_for,
    names_without_effect,
)
from refengine_conformance.generators.strategies import Move, mended
from tests.support import places
from tests.support.adapters import Json, Talk, asked, directed
from tests.support.compilers import compiled, vetted
from tests.support.node import NODE
from tests.support.strategies import some_value

ENGINES = places.SUPPORT / "skeletons"
MARKS = re.compile(r"(.*---- (?:Your engine|The protocol).*\n)")
PLAIN = Ruleset("estmesh-hearts")
COMMONEST = {"first_trick_points": "barred", "moon": "others_plus"}
COMMON = Ruleset("estmesh-hearts", 4, COMMONEST)
HANDS = [
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
]
FIRST = [hand[:8] for hand in HANDS]
SETUP = {"dealer": 0, "deal": 1, "hands": HANDS}
HELD = {**SETUP, "deal": 4}


def printed(language: str, ruleset: Ruleset = PLAIN) -> str:
    """The skeleton that the command prints for a language and a ruleset."""
    words = ["--profile", ruleset.profile, "--players", str(ruleset.players)]
    for name, value in ruleset.changed.items():
        text = ",".join(value) if isinstance(value, tuple) else value
        words += ["--option", f"{name}={text}"]
    made = CliRunner().invoke(main, ["adapter", "--language", language, *words])
    assert made.exit_code == 0
    return made.stdout


def filled(language: str, ruleset: Ruleset = COMMON) -> str:
    """The skeleton for a language, with a working engine in the place left for one."""
    game = (ENGINES / LANGUAGES[language].file).with_stem("game").read_text("utf-8")
    head, yours, _, ours, tail = MARKS.split(printed(language, ruleset))
    return f"{head}{yours}\n{game}\n{ours}{tail}"


def command(language: str, text: str, folder: Path) -> list[str]:
    """The command that runs an adapter with this source, compiled for C and Go."""
    source = folder / LANGUAGES[language].file
    source.write_text(text, "utf-8")
    if language in ("c", "go"):
        return [str(compiled(source))]
    for engine in ("plain_engine.py", "hearts_engine.mjs"):
        shutil.copy(places.ADAPTERS / engine, folder)
    return [sys.executable if language == "python" else NODE, str(source)]


@pytest.fixture(scope="module", params=list(LANGUAGES))
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def bare(language: str, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs a skeleton as it is printed."""
    return command(language, printed(language), tmp_path_factory.mktemp("bare"))


@pytest.fixture(scope="module")
def played(language: str, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs a skeleton with an engine filled in."""
    return command(language, filled(language), tmp_path_factory.mktemp("filled"))


@pytest.fixture
def talk(played: list[str]) -> Iterator[Talk]:
    with Talk(played) as found:
        yield found


only_in_c = pytest.mark.parametrize("language", ["c"], indirect=True)
only_in_python = pytest.mark.parametrize("language", ["python"], indirect=True)


# As they are printed


def test_a_skeleton_runs_as_it_is_and_says_what_is_missing(bare: list[str]) -> None:
    found = asked(random_deals(PLAIN, 1, 1, Manner()), bare)
    assert found.exit_code == 4
    assert found.card is not None
    assert (found.card.name, found.card.version) == ("my-hearts", "0.1.0")
    assert found.faults == ()
    said = {case.note for case in found.cases if case.kind in found.card.capabilities}
    assert said == {"open: unsupported: not written yet"}


def test_every_field_that_an_engine_may_tell_is_named(language: str) -> None:
    text = (places.ADAPTERS / LANGUAGES[language].file).read_text("utf-8")
    said = {name for name in FIELDS if re.search(rf"\b{name}\b", text)}
    # the protocol layer tells phase, turn and over, and a single deal has no cut
    assert said >= {*FIELDS} - {"cut", "phase", "turn", "over"}


def test_hello_names_the_table(bare: list[str], played: list[str]) -> None:
    for words, ruleset, match in ((bare, PLAIN, []), (played, COMMON, ["match"])):
        with Talk(words) as talk:
            card = talk.ask("hello", protocol=1)["ok"]
        table = {
            "profile": "estmesh-hearts",
            "players": [4],
            "options": ruleset.changed,
            "hands": "full",
            "starts": ["deal", *(["match-dealer"] if match else [])],
        }
        assert card == card | {
            "protocol": 1,
            "profiles": ["estmesh-hearts"],
            "players": [4],
            "capabilities": [*capabilities_for(ruleset), *match],
            "tables": [table],
        }


@pytest.mark.parametrize(
    ("name", "players", "options", "size"),
    [
        ("gamerules-domino", 2, {"limit": 50}, 6),
        ("dominorules-tiles", 5, {}, 10),
        (
            "pokerwiner-hearts",
            13,
            {"bonus_points": 0, "pass_cycle": ["left", "scatter"]},
            4,
        ),
    ],
)
def test_any_ruleset_goes_into_the_table(
    language: str, name: str, players: int, options: Json, size: int, tmp_path: Path
) -> None:
    ruleset = Ruleset(name, players, options)
    with Talk(command(language, printed(language, ruleset), tmp_path)) as talk:
        (table,) = talk.ask("hello", protocol=1)["ok"]["tables"]
        assert (table["profile"], table["players"]) == (name, [players])
        assert table["options"] == ruleset_fields(ruleset).get("options", {})
        pack = str(WHOLE_PACK).split()
        hands = [" ".join(pack[seat * size :][:size]) for seat in range(players)]
        setup = {"dealer": 0, "deal": 1, "hands": hands}
        assert talk.open(ruleset, setup=setup) == {"unsupported": "not written yet"}
        other = {"moon": "self_minus", "revokes": "no such value"}
        assert "option" in talk.open(ruleset, other, setup=setup)["unsupported"]
        setup["hands"] = [hand[:-3] for hand in hands]
        assert "hands" in talk.open(ruleset, setup=setup)["unsupported"]


def test_go_has_nothing_against_the_skeleton(tmp_path: Path) -> None:
    for ruleset in (PLAIN, Ruleset("gamerules-domino")):
        source = tmp_path / f"{ruleset.profile}.go"
        source.write_text(printed("go", ruleset), "utf-8")
        assert vetted(source) == ""


def test_bad_words_for_a_table_are_named() -> None:
    for words, said in (
        (["--profile", "bridge"], "one of black-maria"),
        (["--option", "moon=blue"], "--option moon"),
        (["--players", "9"], "2.6"),
        (["--language", "cobol"], "cobol"),
    ):
        found = CliRunner().invoke(main, ["adapter", "--language", "c", *words])
        assert (found.exit_code, said in found.stderr) == (3, True)


def test_options_without_effect_stay_so_whatever_their_values() -> None:
    rng = Random(3)
    by_name = {option.name: option for option in OPTIONS}
    idle_seen = set()
    for _ in range(400):
        given = {
            option.name: some_value(rng, option)
            for option in OPTIONS
            if rng.random() < 0.4
        }
        ruleset = mended(rng.choice(profile_names()), rng.randrange(13), given)
        idle = names_without_effect(ruleset)
        idle_seen |= {*idle}
        values = dict(ruleset.options)
        for name in idle:
            values[name] = by_name[name].read(some_value(rng, by_name[name]))
        assert not any(by_name[name].bites(values) for name in idle)
    silent = Ruleset("estmesh-hearts", 4, {"bonus_points": 0})
    assert {"bonus_card", "bonus_points"} <= {*silent.without_effect}
    assert "bonus_points" in names_without_effect(silent)
    assert "bonus_card" not in names_without_effect(silent)
    assert {"deals", "bonus_card", "revoke_points"} <= idle_seen


def test_capabilities_are_those_that_the_table_needs_and_a_skeleton_carries() -> None:
    least = ["step", "legal", "probe", "observe"]
    for name, options, more in (
        ("estmesh-hearts", {}, ["pass", "moon.choice"]),
        ("estmesh-hearts", COMMONEST | {"pass_unseen": True}, ["pass"]),
        ("estmesh-hearts", COMMONEST | {"pass_cycle": ["hold"]}, []),
        (
            "estmesh-hearts",
            COMMONEST | {"pass_cycle": ["scatter", "mix"], "undealt": "kitty"},
            ["pass", "mix", "kitty"],
        ),
        ("gamerules-domino", {}, ["stock"]),
        ("dominorules-tiles", {"moon": "none"}, ["pass", "revokes"]),
    ):
        assert capabilities_for(Ruleset(name, None, options)) == [*least, *more]
    across = {"pass_cycle": ["across"]}  # with three there is no such pass (4.1a)
    found = [capabilities_for(Ruleset("common-hearts", one, across)) for one in (3, 4)]
    assert ["pass" in one for one in found] == [False, True]


# With an engine


def test_with_an_engine_all_is_green_whatever_it_prints(played: list[str]) -> None:
    deals = random_deals(COMMON, 8, 1, Manner(refusals=3))
    found = asked(deals, played)
    assert (found.exit_code, found.passed, found.scored) == (0, 32, 32)


@pytest.fixture(scope="module")
def matches() -> list[Trace]:
    """Two whole matches, with a deal by another seat and a play probed at each deal."""
    rng = Random(7)

    def direct(state: State) -> Move | None:
        if state.over:
            return None
        act = state.random_act(rng)
        if not isinstance(act, Deal):
            return Move(act)
        other = attrs.evolve(act, seat=(act.seat + 1) % 4)
        return Move(act, (other, Play(act.seat, "2C")))

    found = [directed(State.open(COMMON, Match(dealer)), direct) for dealer in (1, 3)]
    assert all(game.end["deal"] > 3 for game in found)
    return found


def test_matches_are_played_from_the_first_deal_to_the_last(
    played: list[str], matches: list[Trace]
) -> None:
    found = asked(matches, played)
    assert (found.exit_code, found.passed, found.scored) == (0, 8, 8)


def test_before_the_first_deal_of_a_match_only_that_deal_is_due(talk: Talk) -> None:
    assert talk.open(COMMON, match={"dealer": 2}) == {"ok": {}}
    assert talk.ask("legal") == {"ok": {"turn": [2], "deal": 1}}
    seen = talk.ask("observe")["ok"]
    assert seen == {"phase": "deal", "over": False, "turn": [2]}
    act = {"deal": {"hands": HANDS}}
    for op in ("probe", "step"):
        assert talk.plays(0, "2C", op) == {"refused": {}}
        assert talk.passes(0, FIRST[0], op) == {"refused": {}}
        assert talk.ask(op, seat=1, act=act) == {"refused": {}}
    small = {"deal": {"hands": FIRST}}
    assert "hands of" in talk.ask("step", seat=2, act=small)["unsupported"]
    assert talk.ask("probe", seat=2, act=act) == {"ok": {}}
    assert talk.ask("legal")["ok"]["turn"] == [2]
    assert talk.ask("step", seat=2, act=act) == {"ok": {}}
    assert talk.ask("legal") == {"ok": {"turn": [0, 1, 2, 3], "pass": 286}}
    assert talk.ask("step", seat=2, act=act) == {"refused": {}}


def test_what_the_engine_prints_goes_to_standard_error(talk: Talk) -> None:
    assert talk.open(COMMON, setup=SETUP) == {"ok": {}}
    assert "a new deal" in talk.end()[1]


@pytest.mark.parametrize(
    ("setup", "options", "said"),
    [
        (SETUP, {"moon": "self_minus"}, 'moon="self_minus"'),
        (SETUP, {"pass_cycle": ["left"]}, "pass_cycle="),
        (SETUP, {"heart_points": True}, "heart_points=true"),
        (SETUP, {"rain": 1}, "rain=1"),
        ({**SETUP, "hands": ["2C", "2D", "2H", "2S"]}, {}, "hands of"),
        ({**SETUP, "phase": "play", "leader": 0}, {}, "position"),
        ({**SETUP, "limit_reached": True}, {}, "played on after a tie"),
        ({**SETUP, "limit_reached": False}, {}, ""),
        (SETUP, {"bonus_points": -7, "deals": 3, "revoke_until": "next_lead"}, ""),
    ],
)
def test_what_differs_from_the_table_is_declined(
    talk: Talk, setup: Json, options: Json, said: str
) -> None:
    answer = talk.open(COMMON, options, setup=setup)
    if not said:
        assert answer == {"ok": {}}
        return
    reason = answer["unsupported"]
    assert said in reason or said in reason.replace(" ", "")
    assert talk.ask("legal") == {"error": "no game is open"}


def test_some_matches_and_other_numbers_of_players_are_declined(talk: Talk) -> None:
    for match in ({}, {"dealer": 1, "pack": "2C 2D 2H 2S"}):
        assert "match" in talk.open(COMMON, match=match)["unsupported"]
    for_three = ruleset_fields(COMMON, every=True) | {"players": 3}
    answer = talk.ask("open", ruleset=for_three, setup=SETUP)
    assert "players" in answer["unsupported"]
    assert "unsupported" in talk.ask("views")
    assert talk.open(COMMON, setup=SETUP) == {"ok": {}}
    assert "unsupported" in talk.ask("observe", seat=1)


def test_passes_wait_for_the_others_and_the_engine_judges_each(talk: Talk) -> None:
    talk.open(COMMON, setup=SETUP)
    assert talk.ask("legal") == {"ok": {"turn": [0, 1, 2, 3], "pass": 286}}
    for wrong in ("2C 3C", "2C 3C 4C 5C", "2D 3D 4D", "2C 3C 2D"):
        assert talk.passes(0, wrong) == {"refused": {}}
        assert talk.passes(0, wrong, "probe") == {"refused": {}}
    assert talk.passes(0, FIRST[0], "probe") == {"ok": {}}
    assert talk.ask("legal")["ok"]["turn"] == [0, 1, 2, 3]
    for seat in (2, 0, 3):
        assert talk.passes(seat, FIRST[seat]) == {"ok": {}}
        assert talk.passes(seat, FIRST[seat]) == {"refused": {}}
        assert talk.plays(0, "2C") == {"refused": {}}
    assert talk.ask("legal") == {"ok": {"turn": [1], "pass": 286}}
    seen = talk.ask("observe")["ok"]
    assert (seen["phase"], seen["turn"], seen["hands"]) == ("pass", [1], HANDS)
    assert talk.passes(1, FIRST[0]) == {"refused": {}}
    assert talk.passes(1, FIRST[1]) == {"ok": {}}
    assert talk.ask("legal") == {"ok": {"turn": [1], "play": "2C"}}
    assert talk.passes(1, FIRST[1]) == {"refused": {}}
    hands = [set(hand.split()) for hand in talk.ask("observe")["ok"]["hands"]]
    assert all({*FIRST[seat - 1].split()} < hands[seat] for seat in range(4))


def test_a_probe_changes_nothing_and_a_refused_step_neither(talk: Talk) -> None:
    talk.open(COMMON, setup=HELD)
    before = talk.ask("observe")
    assert talk.plays(0, "2C", "probe") == {"ok": {}}
    for op in ("probe", "step"):
        assert talk.plays(0, "3C", op) == {"refused": {}}
        assert talk.plays(1, "2D", op) == {"refused": {}}
        assert talk.ask(op, seat=0, act={"moon": "self_minus"}) == {"refused": {}}
    assert talk.ask("observe") == before
    assert talk.plays(0, "2C") == {"ok": {}}
    assert talk.plays(0, "2C", "probe") == {"refused": {}}
    assert talk.ask("legal")["ok"]["turn"] == [1]


def without(text: str, rule: str, instead: str = "") -> str:
    assert text.count(rule) == 1
    return text.replace(rule, instead)


def test_the_rule_of_the_engine_on_passes_is_what_is_asked(tmp_path: Path) -> None:
    rule = '            self.other(seat, {"pass": " ".join(cards)})\n'
    lax = "            if len(cards) > 4:\n                raise Refused\n"
    text = without(filled("python"), rule, lax)
    with Talk(command("python", text, tmp_path)) as talk:
        talk.open(COMMON, setup=SETUP)
        assert talk.passes(1, "2D 3D 4D 5D", "probe") == {"ok": {}}
        assert talk.passes(1, "2D 3D 4D 5D 6D") == {"refused": {}}
        assert talk.passes(1, "2D") == {"ok": {}}


def test_what_an_engine_throws_is_an_error_with_its_message(
    talk: Talk, language: str
) -> None:
    talk.open(COMMON, setup=HELD)
    claim = talk.ask("step", seat=2, act={"claim": {"seat": 1, "trick": 1}})
    thrown = {"python": "ValueError: ", "js": "TypeError: "}.get(language, "")
    assert claim == {"error": f'{thrown}seat 2 "claims"\x01'}
    assert talk.plays(0, "2C") == {"ok": {}}


@only_in_python
def test_an_engine_that_quits_is_an_error_too(talk: Talk) -> None:
    talk.open(COMMON, setup=HELD)
    gone = talk.ask("step", seat=2, act={"quit": 1})
    assert gone == {"error": "SystemExit: the engine quits"}
    assert talk.plays(0, "2C") == {"ok": {}}


def test_what_the_engine_cannot_do_it_declines_with_a_reason(talk: Talk) -> None:
    assert talk.open(COMMON, setup=SETUP) == {"ok": {}}
    declined = talk.open(COMMON, setup={**SETUP, "deal": 99})
    assert declined == {"unsupported": "deal 99"}
    assert talk.ask("legal") == {"error": "no game is open"}


def test_a_revoke_that_the_rules_let_happen_is_said_to_be_one(tmp_path: Path) -> None:
    options = {"revokes": "penalised", "pass_cycle": ["hold"]}
    ruleset = Ruleset("estmesh-hearts", 4, options)
    with Talk(command("js", filled("js", ruleset), tmp_path)) as talk:
        hands = [
            " ".join(hand.split()[:2] + HANDS[seat - 1].split()[2:])
            for seat, hand in enumerate(HANDS)
        ]
        setup = {**SETUP, "hands": hands}
        assert talk.open(ruleset, setup=setup) == {"ok": {}}
        assert talk.plays(0, "2C") == {"ok": {}}
        for op in ("probe", "step"):
            assert talk.plays(1, "2D", op) == {"ok": {"breaks": ["5.3"]}}


# In C


ENGINE_OF_THEIRS = """
#define PLAYERS 5
enum { PLAY, PASS, DEAL, DONE, REFUSED, FAILED, OVER };
typedef struct Game { int totals[PLAYERS]; } Game;
typedef struct Card { int rank, suit; } Card, *Cards;
typedef enum Result { RIGHT, WRONG } Result;
typedef struct Setup Setup;
typedef struct Text Text;
Result play(Game *game, Card card);
Result legal(Game *game), deal(Game *game), observe(Game *game), fail(const char *why);
int option(const char *name), step(void), answer(void), say(const char *text);
extern Game now;
void game_open(Game *game), game_close(Game *game), game_play(Game *game, Card card);
"""


def test_the_names_of_an_engine_do_not_collide_with_ours(tmp_path: Path) -> None:
    begins = "#include <unistd.h>\n"
    source = without(filled("c"), begins, begins + ENGINE_OF_THEIRS)
    with Talk(command("c", source, tmp_path)) as talk:
        assert talk.open(COMMON, setup=SETUP) == {"ok": {}}


# The reader of JSON in C


GOOD = [
    rb'{"seq":7,"op":"\u0061\u00e9\ud83c\udca1\n\"\\\/"}',
    '{"op" : "aé🂡", "seq"\t:7 , "x":[ ],"y":{ } }'.encode(),
    b'  {"seq":7,"op":"z","x":[null,true,false,-1,0,[[{"a":[]}]],"","\x7f"]}\r',
]
BAD = [
    b"",
    b"[]",
    b"7",
    b"null",
    b'{"seq":7,"op":"legal"',
    b'{"seq":7,"op":"legal"}}',
    b'{"seq":7,"op":"legal"} x',
    b'{"seq":7,"op":"legal",}',
    b'{"seq":7,,"op":"legal"}',
    b'{"seq":7 "op":"legal"}',
    b'{"seq":7,"seq":7,"op":"legal"}',
    b'{seq:7,"op":"legal"}',
    b"{'seq':7}",
    b'{"seq":7,"op":"legal","x":' + b"[" * 1000,
    b'{"seq":7,"op":"legal","x":' + b"[" * 40 + b"]" * 40 + b"}",
    b'{"seq":7,"op":"legal","x":tru}',
    b'{"seq":7,"op":"legal","x":nul',
    b'{"seq":7,"op":"legal","x"',
    b'{"seq":7,"op":"legal","x":[1 2]}',
]
BAD_NUMBERS = b"07 7.0 7e0 +7 - 99999999999".split()
BAD_TEXTS = [
    b"le\tgal",
    b"le\x00gal",
    *rb"le\gal \u12 \u12g4 \u0000 \ud800 \ud800\u0041 \udc00".split(),
    *b"\xff \xc0\xaf \xe0\x80\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82".split(),
]


@only_in_c
def test_the_reader_in_c_is_strict_and_goes_on(talk: Talk) -> None:
    talk.open(COMMON, setup=HELD)
    numbers = [b'{"seq":%b,"op":"legal"}' % number for number in BAD_NUMBERS]
    texts = [b'{"seq":7,"op":"%b"}' % text for text in BAD_TEXTS]
    for line in BAD + numbers + texts:
        assert talk.say(line) == {"error": "no request"}, line
    assert talk.plays(0, "2C") == {"ok": {}}


@only_in_c
def test_the_reader_in_c_reads_all_of_json_that_the_protocol_has(talk: Talk) -> None:
    said = [talk.say(line) for line in GOOD]
    assert [answer["seq"] for answer in said] == [7, 7, 7]
    assert said[0]["unsupported"] == 'the op aé🂡\n"\\/'
    assert said[1]["unsupported"] == "the op aé🂡"
    assert said[2]["unsupported"] == "the op z"


@only_in_c
def test_what_is_no_act_is_an_error_in_c(talk: Talk) -> None:
    talk.open(COMMON, setup=HELD)
    acts: list[Json] = [
        {},
        {"play": "QSS"},
        {"play": "SQ"},
        {"play": "QS KS"},
        {"play": ""},
        {"pass": "2C3C"},
        {"pass": " ".join(["2C"] * 53)},
        {"play": "2C", "pass": ""},
    ]
    for act in acts:
        assert talk.ask("step", seat=0, act=act) == {"error": "step: not an act"}
    for seat in (-1, 4, "0", None):
        answer = talk.ask("probe", seat=seat, act={"play": "2C"})
        assert answer == {"error": "probe: not an act"}


@only_in_c
def test_what_is_no_setup_is_an_error_in_c(talk: Talk) -> None:
    for setup in (
        {},
        {**SETUP, "hands": HANDS[:3]},
        {**SETUP, "hands": [*HANDS, ""]},
        {**SETUP, "hands": [*HANDS[:3], 7]},
        {**SETUP, "hands": [*HANDS[:3], "2C,3C"]},
        {**SETUP, "stock": "2"},
    ):
        assert talk.open(COMMON, setup=setup) == {
            "error": "open: not a setup for this table"
        }
        assert talk.ask("legal") == {"error": "no game is open"}
    answer = talk.ask("open", ruleset={"players": 4}, setup=SETUP)
    assert answer == {"error": "open: no ruleset, or not every option"}


def test_every_number_of_players_has_a_skeleton(language: str) -> None:
    for name in profile_names():
        for players in profile(name).players:
            text = printed(language, Ruleset(name, players))
            assert "table>" not in text
            assert name in text
