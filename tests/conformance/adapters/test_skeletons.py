"""The skeletons of adapters: as they are printed, and with an engine put into them."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from click.testing import CliRunner, Result

from refengine import (
    OPTIONS,
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
from refengine.formats.trace import write_trace
from refengine_conformance.commands.adapter_command import SKELETONS
from refengine_conformance.commands.adapter_table import (
    capabilities_for,
    names_without_effect,
)
from refengine_conformance.generators.strategies import (
    Move,
    Script,
    mended,
    recorded,
)
from tests.support import places
from tests.support.compilers import compiled, vetted
from tests.support.node import NODE
from tests.support.strategies import some_value

ENGINES = places.SUPPORT / "skeletons"
YOURS = "---- Your engine\n"
OURS = "---- The protocol"
COMMONEST = {"first_trick_points": "barred", "moon": "others_plus"}
HANDS = [
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
]
FIRST = [hand[:8] for hand in HANDS]
SETUP = {"dealer": 0, "deal": 1, "hands": HANDS}
PYTHON = """
from plain_engine import Game as Engine

print("loaded")


class Game:
    MATCHES = True

    def __init__(self, setup):
        print("a new deal")
        self.engine = Engine(OPTIONS, setup)
        self.match = setup.get("match", False)

    def deal(self, setup):
        if self.due()[0] != "deal":
            raise Refused
        self.engine = Engine(OPTIONS, {**setup, "totals": self.engine.deal.totals})

    def due(self):
        wish = self.engine.wish
        deal = self.engine.deal
        if wish.kind == "over" and self.match and not deal.over():
            return "deal", (deal.dealer + 1) % 4
        if wish.kind == "over":
            return ("over",)
        if wish.kind == "pass":
            return "pass", OPTIONS["pass_count"]
        return wish.kind, wish.seats[0], wish.choices

    def pass_all(self, packets):
        for seat, cards in enumerate(packets):
            self.other(seat, {"pass": " ".join(cards)})

    def play(self, seat, card):
        self.other(seat, {"play": card})

    def other(self, seat, act):
        if "claim" in act:
            raise ValueError(f"seat {seat} claims")
        if "quit" in act:
            sys.exit("the engine quits")
        if not self.engine.accepts(seat, act):
            raise Refused
        self.engine.do(seat, act)

    def observe(self):
        found = self.engine.observe()
        if self.due()[0] == "deal":
            found |= {"dealer": self.due()[1], "deal": found["deal"] + 1}
        return found


"""

Json = dict[str, Any]
Make = Callable[..., list[str]]


def printed(language: str, *words: str) -> str:
    made = CliRunner().invoke(main, ["adapter", "--language", language, *words])
    assert made.exit_code == 0
    return made.stdout


def words_for(options: dict[str, str]) -> list[str]:
    pairs = options.items()
    return [word for name, value in pairs for word in ("--option", f"{name}={value}")]


def filled(language: str, text: str) -> str:
    """The skeleton with an example engine, or a tiny one, in the place left to it."""
    head, _, rest = text.partition(YOURS)
    _, mark, tail = rest.partition(OURS)
    assert mark
    game = ENGINES / Path(SKELETONS[language]).with_stem("game").name
    engine = PYTHON if language == "python" else game.read_text("utf-8")
    sign = "# " if language == "python" else "// "
    return f"{head}{YOURS}\n{engine}\n{sign}{mark}{tail}"


def command(language: str, text: str, folder: Path) -> list[str]:
    """The command that runs an adapter with this text, once it is compiled."""
    source = folder / SKELETONS[language]
    source.write_text(text, "utf-8")
    if language == "python":
        shutil.copy(places.ADAPTERS / "plain_engine.py", folder)
        return [sys.executable, str(source)]
    if language == "js":
        shutil.copy(places.ADAPTERS / "hearts_engine.mjs", folder)
        return [NODE, str(source)]
    return [str(compiled(source))]


@pytest.fixture(scope="module", params=list(SKELETONS))
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def bare(language: str, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of a skeleton as it is printed."""
    return command(language, printed(language), tmp_path_factory.mktemp("bare"))


@pytest.fixture(scope="module")
def played(language: str, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of a skeleton with an engine in it."""
    text = filled(language, printed(language, *words_for(COMMONEST)))
    return command(language, text, tmp_path_factory.mktemp("filled"))


class Talk:
    """A conversation with an adapter."""

    def __init__(self, words: list[str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe)
        self.seq = 0

    def say(self, line: bytes) -> Json:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        answer: Json = json.loads(self.process.stdout.readline())
        return answer

    def ask(self, op: str, **fields: object) -> Json:
        self.seq += 1
        answer = self.say(json.dumps({"seq": self.seq, "op": op, **fields}).encode())
        assert answer.pop("seq") == self.seq
        assert len(answer) == 1
        return answer

    def open(self, setup: Json, options: Json | None = None) -> Json:
        ruleset = ruleset_fields(Ruleset("estmesh-hearts", 4, COMMONEST), every=True)
        ruleset["options"] |= options or {}
        return self.ask("open", ruleset=ruleset, setup=setup)

    def passes(self, seat: int, cards: str, op: str = "step") -> Json:
        return self.ask(op, seat=seat, act={"pass": cards})

    def plays(self, seat: int, card: str, op: str = "step") -> Json:
        return self.ask(op, seat=seat, act={"play": card})

    def end(self) -> tuple[int, str]:
        """Say goodbye; the exit code, and what went to standard error."""
        out, err = self.process.communicate(b'{"seq":0,"op":"bye"}\n', 10)
        assert out == b""
        return self.process.returncode, err.decode()


@pytest.fixture
def talk(played: list[str]) -> Iterator[Talk]:
    found = Talk(played)
    yield found
    if found.process.poll() is None:
        assert found.end()[0] == 0


def conformed(corpus: Path, words: list[str]) -> Result:
    given = ["conform", "run", "--corpus", str(corpus), "--format", "text", "--"]
    return CliRunner().invoke(main, [*given, *words])


@pytest.fixture(scope="module")
def deals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Whole deals under the commonest rules, with refused acts tried at every step."""
    words = ["--from", "deal", "--deals", "8", "--refusals", "3"]
    made = CliRunner().invoke(main, ["generate", *words, *words_for(COMMONEST)])
    path = tmp_path_factory.mktemp("deals") / "deals.jsonl"
    path.write_text(made.stdout, "utf-8")
    return path


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counterexamples go into the current folder."""
    monkeypatch.chdir(tmp_path)


# As they are printed


def test_a_skeleton_runs_as_it_is_and_says_what_is_missing(
    bare: list[str], deals: Path
) -> None:
    plain = deals.with_name("plain.jsonl")
    made = CliRunner().invoke(main, ["generate", "--from", "deal"])
    plain.write_text(made.stdout, "utf-8")
    found = conformed(plain, bare)
    assert found.exit_code == 4, found.output
    assert "my-hearts 0.1.0" in found.output
    assert "the conversation" not in found.output
    assert "not scored: open: unsupported: not written yet" in found.output
    assert "no case was scored" in found.output


@pytest.mark.parametrize("language", SKELETONS)
def test_every_field_that_an_engine_may_tell_is_named(language: str) -> None:
    text = (places.ADAPTERS / SKELETONS[language]).read_text("utf-8")
    said = {name for name in FIELDS if re.search(rf"\b{name}\b", text)}
    # the protocol layer tells phase, turn and over, and a single deal has no cut
    assert said >= {*FIELDS} - {"cut", "phase", "turn", "over"}


def test_hello_names_the_table(bare: list[str], played: list[str]) -> None:
    for words, options in ((bare, {}), (played, COMMONEST)):
        talk = Talk(words)
        card = talk.ask("hello", protocol=1)["ok"]
        assert talk.end()[0] == 0
        assert card["protocol"] == 1
        assert card["profiles"] == ["estmesh-hearts"]
        assert card["players"] == [4]
        ruleset = Ruleset("estmesh-hearts", 4, options)
        starts = ["deal"] if words is bare else ["deal", "match-dealer"]
        able = [] if words is bare else ["match"]
        assert card["capabilities"] == [*capabilities_for(ruleset), *able]
        assert card["tables"] == [
            {
                "profile": "estmesh-hearts",
                "players": [4],
                "options": options,
                "hands": "full",
                "starts": starts,
            }
        ]


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("gamerules-domino", 2, {"limit": 50}),
        ("dominorules-tiles", 5, {}),
        ("pokerwiner-hearts", 13, {"bonus_points": 0, "pass_cycle": "left,scatter"}),
    ],
)
def test_any_ruleset_goes_into_the_table(
    language: str, name: str, players: int, options: dict[str, Any], tmp_path: Path
) -> None:
    words = ["--profile", name, "--players", str(players), *words_for(options)]
    talk = Talk(command(language, printed(language, *words), tmp_path))
    (table,) = talk.ask("hello", protocol=1)["ok"]["tables"]
    given = {key: value for key, value in options.items() if key != "pass_cycle"}
    if "pass_cycle" in options:
        given["pass_cycle"] = options["pass_cycle"].split(",")
    ruleset = Ruleset(name, players, given)
    assert (table["profile"], table["players"]) == (name, [players])
    assert table["options"] == ruleset_fields(ruleset).get("options", {})
    every = ruleset_fields(ruleset, every=True)
    size = {2: 6, 5: 10, 13: 4}[players]
    cards = [f"{rank}{suit}" for suit in "CDSH" for rank in "23456789TJQKA"]
    hands = [" ".join(cards[at * size : (at + 1) * size]) for at in range(players)]
    setup = {"dealer": 0, "deal": 1, "hands": hands}
    answer = talk.ask("open", ruleset=every, setup=setup)
    assert answer == {"unsupported": "not written yet"}
    setup["hands"] = [hand[:-3] for hand in hands]
    assert "hands" in talk.ask("open", ruleset=every, setup=setup)["unsupported"]
    every["options"] |= {"moon": "self_minus", "revokes": "no such value"}
    assert "option" in talk.ask("open", ruleset=every, setup=setup)["unsupported"]
    assert talk.end()[0] == 0


def test_go_has_nothing_against_the_skeleton(tmp_path: Path) -> None:
    for number, text in enumerate(
        (printed("go"), printed("go", "--profile", "gamerules-domino"))
    ):
        source = tmp_path / f"skeleton{number}.go"
        source.write_text(text, "utf-8")
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


def test_capabilities_are_those_that_the_table_needs() -> None:
    least = ["step", "legal", "probe", "observe"]
    for name, options, more in (
        ("estmesh-hearts", {}, ["pass", "moon.choice"]),
        ("estmesh-hearts", COMMONEST | {"pass_unseen": True}, ["pass", "forward"]),
        ("estmesh-hearts", COMMONEST | {"pass_cycle": ["hold"]}, []),
        (
            "estmesh-hearts",
            COMMONEST | {"pass_cycle": ["scatter", "mix"], "undealt": "kitty"},
            ["pass", "scatter", "mix", "kitty"],
        ),
        ("gamerules-domino", {}, ["stock"]),
        ("dominorules-tiles", {"moon": "none"}, ["pass", "revokes"]),
    ):
        assert capabilities_for(Ruleset(name, None, options)) == [*least, *more]


# With an engine


def test_with_an_engine_all_is_green_whatever_it_prints(
    played: list[str], deals: Path
) -> None:
    found = conformed(deals, played)
    assert found.exit_code == 0, found.output
    assert "pass rate 100% (32 of 32 scored cases)" in found.output


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Whole matches; between deals, another dealer and a card are tried."""
    rng = Random(7)
    lines = []
    for dealer in (1, 3):
        moves = []
        state = State.open(Ruleset("estmesh-hearts", 4, COMMONEST), Match(dealer))
        while not state.over:
            act = state.random_act(rng)
            other = (act.seat + 1) % 4
            between = isinstance(act, Deal)
            tries = (attrs.evolve(act, seat=other), Play(act.seat, "2C"))
            moves.append(Move(act, tries if between else ()))
            state = state.apply(act)
        assert state.deal > 3
        script = Script(state.ruleset, Match(dealer), tuple(moves))
        lines.append(write_trace(recorded(script)))
    path = tmp_path_factory.mktemp("matches") / "matches.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def test_matches_are_played_from_the_first_deal_to_the_last(
    played: list[str], matches: Path
) -> None:
    found = conformed(matches, played)
    assert found.exit_code == 0, found.output
    assert "pass rate 100% (8 of 8 scored cases)" in found.output


def test_before_the_first_deal_of_a_match_only_that_deal_is_due(talk: Talk) -> None:
    ruleset = ruleset_fields(Ruleset("estmesh-hearts", 4, COMMONEST), every=True)
    assert talk.ask("open", ruleset=ruleset, match={"dealer": 2}) == {"ok": {}}
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
    assert talk.open(SETUP) == {"ok": {}}
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
        (SETUP, {"bonus_points": -7, "deals": 3, "revoke_until": "next_lead"}, ""),
    ],
)
def test_what_differs_from_the_table_is_declined(
    talk: Talk, setup: Json, options: Json, said: str
) -> None:
    answer = talk.open(setup, options)
    if not said:
        assert answer == {"ok": {}}
        return
    assert (
        said in answer["unsupported"].replace(" ", "")
        or said in (answer["unsupported"])
    )
    assert talk.ask("legal") == {"error": "no game is open"}


def test_some_matches_and_other_numbers_of_players_are_declined(talk: Talk) -> None:
    ruleset = ruleset_fields(Ruleset("estmesh-hearts", 4, COMMONEST), every=True)
    for match in ({}, {"dealer": 1, "pack": "2C 2D 2H 2S"}):
        assert "match" in talk.ask("open", ruleset=ruleset, match=match)["unsupported"]
    ruleset["players"] = 3
    answer = talk.ask("open", ruleset=ruleset, setup=SETUP)
    assert "players" in answer["unsupported"]
    assert "unsupported" in talk.ask("views")
    assert talk.open(SETUP) == {"ok": {}}
    assert "unsupported" in talk.ask("observe", seat=1)


def test_passes_wait_for_the_others_and_the_engine_judges_each(talk: Talk) -> None:
    talk.open(SETUP)
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
    talk.open({**SETUP, "deal": 4})
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
    text = filled("python", printed("python", *words_for(COMMONEST)))
    rule = '            self.other(seat, {"pass": " ".join(cards)})\n'
    lax = "            if len(cards) > 4:\n                raise Refused\n"
    talk = Talk(command("python", without(text, rule, lax), tmp_path))
    talk.open(SETUP)
    assert talk.passes(1, "2D 3D 4D 5D", "probe") == {"ok": {}}
    assert talk.passes(1, "2D 3D 4D 5D 6D") == {"refused": {}}
    assert talk.passes(1, "2D") == {"ok": {}}
    talk.end()


def test_what_an_engine_throws_is_an_error_with_its_message(tmp_path: Path) -> None:
    text = filled("python", printed("python", *words_for(COMMONEST)))
    talk = Talk(command("python", text, tmp_path))
    talk.open({**SETUP, "deal": 4})
    claim = talk.ask("step", seat=2, act={"claim": {"seat": 1, "trick": 1}})
    assert claim == {"error": "ValueError: seat 2 claims"}
    gone = talk.ask("step", seat=2, act={"quit": 1})
    assert gone == {"error": "SystemExit: the engine quits"}
    assert talk.plays(0, "2C") == {"ok": {}}
    assert talk.end()[0] == 0


DECLINED = {
    "python": (
        '        print("a new deal")\n',
        '        if setup["dealer"]:\n'
        """            raise Unsupported(f"dealer {setup['dealer']}")\n""",
    ),
    "js": (
        '    console.log("a new deal");\n',
        "    if (setup.dealer) throw new Unsupported(`dealer ${setup.dealer}`);\n",
    ),
    "go": (
        '\tfmt.Println("a new deal")\n',
        "\tif setup.Dealer != 0 {\n"
        '\t\treturn nil, unsupported("dealer %d", setup.Dealer)\n\t}\n',
    ),
    "c": (
        '    printf("a new deal\\n");\n',
        '    if (setup->dealer) return hfr_unsupported("dealer %d", setup->dealer);\n',
    ),
}


def test_what_the_engine_cannot_do_it_declines_with_a_reason(
    language: str, tmp_path: Path
) -> None:
    text = filled(language, printed(language, *words_for(COMMONEST)))
    rule, declines = DECLINED[language]
    talk = Talk(command(language, without(text, rule, declines), tmp_path))
    assert talk.open(SETUP) == {"ok": {}}
    assert talk.open({**SETUP, "dealer": 2}) == {"unsupported": "dealer 2"}
    assert talk.ask("legal") == {"error": "no game is open"}
    assert talk.end()[0] == 0


@pytest.mark.parametrize(
    ("language", "rule", "throws", "said"),
    [
        (
            "js",
            "const broken = this.engine.breaks(seat, what);",
            'throw new TypeError("no seat " + seat);',
            "TypeError: no seat 1",
        ),
        (
            "go",
            "func (game *Game) other(seat int, act Act) error { return errRefused }",
            "func (game *Game) other(seat int, act Act) error "
            '{ panic(fmt.Sprint("no seat ", seat)) }',
            "no seat 1",
        ),
        (
            "c",
            "    (void)game, (void)seat, (void)act;\n    return HFR_REFUSED;",
            "    return game && act "
            '? hfr_fail("no seat %d \\"\\x01", seat) : HFR_REFUSED;',
            'no seat 1 "\x01',
        ),
    ],
)
def test_so_it_is_in_the_other_languages(
    language: str, rule: str, throws: str, said: str, tmp_path: Path
) -> None:
    text = filled(language, printed(language, *words_for(COMMONEST)))
    talk = Talk(command(language, without(text, rule, throws), tmp_path))
    talk.open({**SETUP, "deal": 4})
    assert talk.ask("step", seat=1, act={"draw": 1}) == {"error": said}
    assert "ok" in talk.ask("legal")
    assert talk.end()[0] == 0


def test_a_revoke_that_the_rules_let_happen_is_said_to_be_one(tmp_path: Path) -> None:
    words = words_for({"revokes": "penalised", "pass_cycle": "hold"})
    talk = Talk(command("js", filled("js", printed("js", *words)), tmp_path))
    options = {"revokes": "penalised", "pass_cycle": ["hold"]}
    ruleset = ruleset_fields(Ruleset("estmesh-hearts", 4, options), every=True)
    hands = [
        " ".join(hand.split()[:2] + HANDS[seat - 1].split()[2:])
        for seat, hand in enumerate(HANDS)
    ]
    setup = {**SETUP, "hands": hands}
    assert talk.ask("open", ruleset=ruleset, setup=setup) == {"ok": {}}
    assert talk.plays(0, "2C") == {"ok": {}}
    for op in ("probe", "step"):
        assert talk.plays(1, "2D", op) == {"ok": {"breaks": ["5.3"]}}
    assert talk.end()[0] == 0


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
    text = filled("c", printed("c", *words_for(COMMONEST)))
    begins = "#include <unistd.h>\n"
    source = without(text, begins, begins + ENGINE_OF_THEIRS)
    talk = Talk(command("c", source, tmp_path))
    assert talk.open(SETUP) == {"ok": {}}
    assert talk.end()[0] == 0


# The reader of JSON in C


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    text = filled("c", printed("c", *words_for(COMMONEST)))
    return command("c", text, tmp_path_factory.mktemp("json"))


@pytest.fixture
def in_c(program: list[str]) -> Iterator[Talk]:
    talk = Talk(program)
    assert talk.open({**SETUP, "deal": 4}) == {"ok": {}}
    yield talk
    assert talk.end()[0] == 0


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
    b'{"seq":07,"op":"legal"}',
    b'{"seq":7.0,"op":"legal"}',
    b'{"seq":7e0,"op":"legal"}',
    b'{"seq":+7,"op":"legal"}',
    b'{"seq":-,"op":"legal"}',
    b'{"seq":99999999999,"op":"legal"}',
    b'{"seq":7,"op":"le\tgal"}',
    b'{"seq":7,"op":"le\\gal"}',
    b'{"seq":7,"op":"\\u12"}',
    b'{"seq":7,"op":"\\u12g4"}',
    b'{"seq":7,"op":"\\u0000"}',
    b'{"seq":7,"op":"\\ud800"}',
    b'{"seq":7,"op":"\\ud800\\u0041"}',
    b'{"seq":7,"op":"\\udc00"}',
    b'{"seq":7,"op":"\xff"}',
    b'{"seq":7,"op":"\xc0\xaf"}',
    b'{"seq":7,"op":"\xe0\x80\x80"}',
    b'{"seq":7,"op":"\xed\xa0\x80"}',
    b'{"seq":7,"op":"\xf4\x90\x80\x80"}',
    b'{"seq":7,"op":"\xe2\x82"}',
    b'{"seq":7,"op":"legal","x":' + b"[" * 1000,
    b'{"seq":7,"op":"legal","x":' + b"[" * 40 + b"]" * 40 + b"}",
    b'{"seq":7,"op":"legal","x":tru}',
    b'{"seq":7,"op":"legal","x":nul',
    b'{"seq":7,"op":"legal","x"',
    b'{"seq":7,"op":"legal","x":[1 2]}',
    b'{"seq":7,"op":"le\x00gal"}',
]


def test_the_reader_in_c_is_strict_and_goes_on(in_c: Talk) -> None:
    for line in BAD:
        assert in_c.say(line) == {"error": "no request"}, line
    assert in_c.plays(0, "2C") == {"ok": {}}


def test_the_reader_in_c_reads_all_of_json_that_the_protocol_has(in_c: Talk) -> None:
    said = [in_c.say(line) for line in GOOD]
    assert [answer["seq"] for answer in said] == [7, 7, 7]
    assert said[0]["unsupported"] == 'the op aé🂡\n"\\/'
    assert said[1]["unsupported"] == "the op aé🂡"
    assert said[2]["unsupported"] == "the op z"


def test_what_is_no_act_is_an_error_in_c(in_c: Talk) -> None:
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
        assert in_c.ask("step", seat=0, act=act) == {"error": "step: not an act"}
    for seat in (-1, 4, "0", None):
        answer = in_c.ask("probe", seat=seat, act={"play": "2C"})
        assert answer == {"error": "probe: not an act"}


def test_what_is_no_setup_is_an_error_in_c(in_c: Talk) -> None:
    for setup in (
        {},
        {**SETUP, "hands": HANDS[:3]},
        {**SETUP, "hands": [*HANDS, ""]},
        {**SETUP, "hands": [*HANDS[:3], 7]},
        {**SETUP, "hands": [*HANDS[:3], "2C,3C"]},
        {**SETUP, "stock": "2"},
    ):
        assert in_c.open(setup) == {"error": "open: not a setup for this table"}
        assert in_c.ask("legal") == {"error": "no game is open"}
    answer = in_c.ask("open", ruleset={"players": 4}, setup=SETUP)
    assert answer == {"error": "open: no ruleset, or not every option"}


def test_every_number_of_players_has_a_skeleton() -> None:
    for name in profile_names():
        for players in profile(name).players:
            words = ["--profile", name, "--players", str(players)]
            for language in SKELETONS:
                text = printed(language, *words)
                assert "<table>" not in text
                assert name in text
