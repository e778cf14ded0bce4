import gzip
import json
import re
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from refengine import (
    Match,
    Play,
    Retract,
    Ruleset,
    Setup,
    State,
    new_deal,
    profile,
    profile_names,
)
from refengine.formats.annotate import annotated, traced
from refengine.formats.convert import converted, openspiel_card
from refengine.formats.generate import (
    Manner,
    random_deals,
    random_trace,
    random_traces,
)
from refengine.formats.logs import read_log, replay_log, write_log
from refengine.formats.replaying import in_batches
from refengine.formats.showing import shown
from refengine.formats.trace import Step, Trace, read_trace, replay, write_trace
from refengine.machine.notation import CARD_TEXTS
from refengine_conformance.data import data
from tests.support import places
from tests.support.commands import error_of
from tests.support.commands import run_given as run
from tests.support.refusing import malformed
from tests.support.strategies import hearts

EXAMPLES = data("examples")
DRAW = EXAMPLES / "01-draw.jsonl"


# Generating


@pytest.mark.parametrize("name", profile_names())
def test_every_profile_and_number_of_players_goes_through(name: str) -> None:
    manner = Manner(irregular=0.1, refusals=2, most_acts=120)
    for players in profile(name).players:
        for trace in random_traces(Ruleset(name, players), 1, players, manner):
            assert replay(trace) == []
            assert trace.steps


def test_the_same_seed_gives_the_same_traces() -> None:
    table = ("--profile", "gamerules-domino", "--players", 2)
    words = ("generate", *table, "--refusals", 1)
    code, first, _ = run(*words, "--seed", 5)

    assert code == 0
    assert first == run(*words, "--seed", 5)[1]
    assert first != run(*words, "--seed", 6)[1]


def games_in(text: str) -> str:
    """A digest of the setups and acts of these games, which must not change."""
    games = [
        [line.get("setup"), [[step["seat"], step["act"]] for step in line["steps"]]]
        for line in map(json.loads, text.splitlines())
    ]
    return sha256(json.dumps(games).encode()).hexdigest()[:16]


def test_matches_are_what_they_were_before_deals_could_be_made() -> None:
    words = ("generate", "--profile", "gamerules-domino", "--seed", 3, "--matches", 2)
    code, text, _ = run(*words)
    assert code == 0
    assert run(*words, "--from", "match")[1] == text
    assert games_in(text) == "b90bd3c17e75c322"


@pytest.mark.parametrize("name", profile_names())
def test_deals_of_every_profile_and_number_of_players_are_as_found(name: str) -> None:
    manner = Manner(irregular=0.1, refusals=1)
    for players in profile(name).players:
        ruleset = Ruleset(name, players)
        for trace in random_deals(ruleset, 2, players, manner):
            assert isinstance(trace.start, Setup)
            assert trace.start.totals is None
            assert trace.end["over"]
            assert replay(trace) == []


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (4, {}),
        (4, {"undealt": "kitty"}),
        (7, {"undealt": "kitty", "pass_cycle": ["scatter", "mix", "across"]}),
        (4, {"limit": 10, "exact_limit_becomes": 0}),
        (4, {"pass_cycle": []}),
        (4, {"undealt": "stock", "hand_size": 5, "pass_cycle": ["hold"]}),
    ],
    ids=str,
)
def test_a_deal_is_of_the_whole_pack(players: int, options: dict[str, object]) -> None:
    ruleset = Ruleset("estmesh-hearts", players, options)
    for trace in random_deals(ruleset, 6, 1, Manner()):
        start = trace.start
        assert isinstance(start, Setup)
        dealt = [card for hand in start.hands for card in hand]
        assert len({*dealt, *start.stock, *start.kitty}) == 52
        assert read_trace(write_trace(trace)).start == start


@pytest.mark.parametrize(
    ("name", "players", "cycle"),
    [("estmesh-hearts", 4, 4), ("dominorules-tiles", 5, 3), ("gamerules-domino", 3, 1)],
)
def test_deals_go_through_the_cycle_until_every_seat_has_dealt_each(
    name: str, players: int, cycle: int
) -> None:
    made = random_deals(Ruleset(name, players), players * cycle, 1, Manner(most_acts=0))
    starts = [trace.start for trace in made if isinstance(trace.start, Setup)]
    assert [start.deal for start in starts] == [*range(1, cycle + 1)] * players
    assert [start.dealer for start in starts[:2]] == [0, 1]
    assert len({(start.deal, start.dealer) for start in starts}) == players * cycle
    assert len({start.hands for start in starts}) == len(starts)


def test_the_same_seed_gives_the_same_deals_whatever_their_number() -> None:
    words = ("generate", "--from", "deal", "--refusals", 1, "--option", "limit=50")
    code, three, err = run(*words, "--deals", 3, "--seed", 5)
    assert (code, err) == (0, "")
    assert run(*words, "--matches", 2, "--seed", 5)[1] == "".join(
        three.splitlines(keepends=True)[:2]
    )
    assert run(*words, "--deals", 3, "--seed", 6)[1] != three
    assert games_in(three) == "8dc5e1ffe6c56b99"


def test_deals_of_a_ruleset_that_cannot_pass_are_refused() -> None:
    words = ("--option", "pass_count=14", "--option", "pass_cycle=left")
    assert "4.11" in error_of(run, "generate", "--from", "deal", *words)


def test_revokes_are_made_corrected_and_claimed_where_asked_for() -> None:
    manner = Manner(irregular=0.3, refusals=1)
    text = b"".join(
        write_trace(trace)
        for name in ("dominorules-tiles", "heartsgame-tiles", "pokerwiner-domino")
        for trace in random_traces(Ruleset(name, options={"limit": 40}), 4, 3, manner)
    )
    for word in (b'"breaks"', b'"retract"', b'"claim"', b'"quit"', b'"established"'):
        assert word in text
    assert b'"irregular"' in text
    assert b'"7.7a"' in text


def test_without_being_asked_nothing_irregular_is_done() -> None:
    trace = next(random_traces(Ruleset("dominorules-tiles"), 1, 1, Manner()))

    assert not any(step.breaks or step.refuse for step in trace.steps)


@pytest.mark.parametrize(
    "options",
    [
        "pass_cycle=scatter,mix undealt=kitty mix_kitty=true",
        "pass_unseen=true pass_cycle=left",
        "limit=20 exact_limit_becomes=-5 moon=others_plus_unless_losing",
        "pass_cycle= revokes=penalised revoke_points=all",
    ],
)
def test_options_are_given_by_name(options: str, tmp_path: Path) -> None:
    words = ["--profile", "estmesh-hearts", "--refusals", "2", "--irregular", "0.1"]
    for option in options.split():
        words += ["--option", option]
    code, text, _ = run("generate", *words)
    assert code == 0
    path = tmp_path / "made.jsonl"
    path.write_text(text)
    assert run("replay", path)[:2] == (0, "1 as expected, 0 not\n")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("--profile whist", "profile"),
        ("--profile estmesh-hearts --players 5", "2.6"),
        ("--profile estmesh-hearts --option limit", "name=value"),
        ("--profile estmesh-hearts --option limits=1", "limits"),
        ("--profile estmesh-hearts --option mix_kitty=so", "true (yes), false (no)"),
        ("--profile estmesh-hearts --option limit=1000000000000", "limit"),
        ("--profile estmesh-hearts --option pass_count=20", "4.11"),
    ],
)
def test_what_cannot_be_generated_is_said(words: str, found: str) -> None:
    code, _, said = run("generate", *words.split())

    assert code == 3
    assert found in said


# Replaying files


def test_a_bad_line_is_reported_and_the_others_are_still_checked(
    tmp_path: Path,
) -> None:
    good = DRAW.read_text()
    wrong = good.replace('"score":[0,2]', '"score":[1,2]')
    path = tmp_path / "mixed.jsonl"
    path.write_text(good + "[\n" + wrong + '{"x":1}\n' + "[1]\n" + good)
    code, out, err = run("replay", path)

    assert code == 3
    assert "2 as expected, 1 not" in out
    assert f"{path}:3: " in out
    assert "end.score" in out
    assert [f"{path}:{number}" for number in (2, 4, 5)] == [
        line.split(": ")[0] for line in err.splitlines()
    ]


@pytest.mark.parametrize(
    ("change", "code"),
    [(lambda it: it, 0), (lambda it: it.replace("[0,2]", "[1,2]"), 1)],
)
def test_exit_codes_of_a_replay(change: Any, code: int, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(change(DRAW.read_text()))

    assert code == run("replay", path)[0]
    assert run("replay", "--at-least", 2, path)[0] == 4
    assert run("replay", path, tmp_path / "none")[0] == 3


def test_nothing_judged_is_too_few(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("")

    assert run("replay", path)[0] == 4
    assert run("replay", "--at-least", 0, path)[0] == 0


def test_standard_input_and_gzip_are_read(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl.gz"
    path.write_bytes(gzip.compress(DRAW.read_bytes()))

    assert run("replay", path)[0] == 0
    assert run("replay", "-", given=DRAW.read_bytes())[0] == 0
    path.write_bytes(gzip.compress(DRAW.read_bytes() * 50)[:-20])
    code, _, err = run("replay", path)
    assert code == 3
    assert "end" in err
    path.write_bytes(b"no gzip at all")
    assert run("replay", path)[0] == 3


def test_every_example_replays_and_says_so_in_json() -> None:
    code, out, _ = run("replay", "--json", *sorted(EXAMPLES.glob("*.jsonl")))

    assert code == 0
    judged = [json.loads(line) for line in out.splitlines()]
    assert {"trace", "log", "mini"} == {one["kind"] for one in judged}
    assert [one["outcome"] for one in judged] == ["pass"] * 11


def test_keys_may_stand_in_any_order() -> None:
    for path in EXAMPLES.glob("*.jsonl"):
        plain = json.loads(path.read_bytes())
        turned = json.dumps(dict(reversed(plain.items()))).encode()
        assert run("replay", "-", given=turned)[0] == 0


# Showing, annotating, counting, schemas


def test_games_are_shown_as_people_write_them() -> None:
    _, out, _ = run("show", EXAMPLES / "04-correction.jsonl")

    assert "retract seat 1: 3H\n1... 5C 4C KC -> seat 3\n" in out
    assert "score: 0 0 0 1\n" in out
    files = [*EXAMPLES.glob("0*.jsonl"), EXAMPLES / "10-log.jsonl"]
    code, out, _ = run("show", *files)
    assert code == 0
    for text in ("cut seat 0: ", "the mix", "stock: ", "kitty: ", "claim seat 2: "):
        assert text in out
    for text in ("winners: ", ": one seat 3"):
        assert text in out
    traces = sorted(places.TRACES.glob("*.jsonl"))
    assert run("show", *traces)[0] == 0


def test_a_refused_act_ends_what_is_shown() -> None:
    given = DRAW.read_bytes().replace(b'{"play":"7C"}', b'{"play":"9C"}')

    assert "refused: seat 1 may not play 9C" in run("show", "-", given=given)[1]
    assert run("show", "-", given=b"[")[0] == 3


def test_annotations_judge_every_card_of_the_hand(tmp_path: Path) -> None:
    path = tmp_path / "annotated.jsonl"
    path.write_text(run("annotate", EXAMPLES / "04-correction.jsonl")[1])
    assert run("replay", path)[0] == 0
    step = json.loads(path.read_bytes())["steps"][4]
    assert step["irregular"] == [{"act": {"play": "3H"}, "clauses": ["5.3"]}]
    path.write_text(run("annotate", DRAW)[1])
    step = json.loads(path.read_bytes())["steps"][3]
    assert [one["act"]["play"] for one in step["refuse"]] == ["2D", "3H", "4H"]
    spoiled = DRAW.read_bytes().replace(b'{"play":"7C"}', b'{"play":"9C"}')
    code, out, _ = run("annotate", "-", given=spoiled)
    assert code == 0
    assert len(json.loads(out)["steps"]) == 6
    bare = json.loads(DRAW.read_bytes())
    for one in bare["steps"]:
        one.pop("legal")
    out = run("annotate", "-", given=json.dumps(bare).encode())[1]
    assert json.loads(out)["steps"][0]["legal"] == "5C 6D"


def test_the_trace_of_a_log_says_which_clause_a_revoke_breaks() -> None:
    deal = ["2C 2H", "3C 3H"]
    revoked = new_deal(hearts(2, revokes="penalised"), deal).play("2C").play("3H")
    found, trace = traced(read_log(write_log(revoked)))
    assert found == []
    assert [step.breaks for step in trace.steps] == [(), ("5.3",)]
    assert replay(annotated(trace)) == []


def test_what_a_trace_says_is_kept_right_or_wrong_where_it_is_annotated() -> None:
    plain = json.loads(DRAW.read_bytes())
    plain["steps"][3] |= {
        "legal": "2D",
        "refuse": [{"act": {"play": "2D"}, "clauses": ["5.4"]}],
        "then": {"turn": [0]},
    }
    found = annotated(read_trace(json.dumps(plain).encode()), states=True).steps[3]
    assert found.legal == "2D"
    assert found.refuse[0].clauses == ("5.4",)
    assert [str(one.act) for one in found.refuse] == ["2D", "3H", "4H"]
    assert (found.then["turn"], found.then["drew"]) == ([0], "4H 7C")


def test_annotations_with_states_show_the_table_after_every_step() -> None:
    out = run("annotate", "--states", DRAW)[1]
    steps = json.loads(out)["steps"]

    assert run("replay", "-", given=out.encode())[0] == 0
    stocks = ["4H 7C KS", "7C KS", *["KS"] * 4]
    assert [step["then"]["stock"] for step in steps] == stocks
    assert steps[3]["then"]["hands"] == ["6D", "2D 3H 4H"]
    assert steps[3]["then"]["drew"] == "4H 7C"


def test_logs_become_annotated_traces() -> None:
    log = EXAMPLES / "10-log.jsonl"
    out = run("annotate", "--states", log)[1]

    assert run("replay", "-", given=out.encode())[0] == 0
    assert json.loads(out)["steps"][-1]["then"]["score"] == [0, 2]
    wrong = log.read_bytes().replace(b"7C 2D 6D", b"7C 6D 2D")
    code, out, error = run("annotate", "-", given=wrong)
    assert (code, len(json.loads(out)["steps"])) == (1, 4)
    assert error.startswith("-:1: step 3, play 6D of seat 1: expected legal")
    assert run("annotate", EXAMPLES / "11-mini.jsonl")[0] == 3


def test_mini_deals_are_counted(tmp_path: Path) -> None:
    mini = EXAMPLES / "11-mini.jsonl"
    code, out, _ = run("enumerate", mini)

    assert (0, mini.read_text()) == (code, out)
    assert run("enumerate", "--limit", 1, mini)[0] == 3


def test_schemas_are_printed() -> None:
    assert json.loads(run("schema", "trace")[1])["title"] == "trace"
    assert {"trace", "log", "mini", "request"} <= set(json.loads(run("schema")[1]))


@pytest.mark.parametrize("value", ["x", None, float("nan"), -0.1, 1.5, True])
def test_the_chance_of_a_revoke_is_a_probability(value: Any) -> None:
    error = malformed(Manner, irregular=value)
    assert (error.where, error.found) == ("irregular", repr(value))
    assert [Manner(irregular=one).irregular for one in (0, 0.5, 1)] == [0, 0.5, 1]


def test_the_reference_serves() -> None:
    code, out, _ = run("serve", given=b'{"seq":1,"op":"hello","protocol":1}\n')

    assert code == 0
    assert json.loads(out)["ok"]["name"] == "refengine"


# OpenSpiel


def actions_of(way: int) -> str:
    """The actions of an OpenSpiel game where each seat plays its lowest legal card."""
    state, _ = converted(f"{way} " + " ".join(map(str, range(52))), {})
    passes: list[int] = []
    for seat in state.turn if way else ():
        given = list(state.hands[seat])[:3]
        passes += [openspiel_number(str(card)) for card in given]
    acts = [way, *range(52), *passes]
    while True:
        state, _ = converted(" ".join(map(str, acts)), {})
        if state.over:
            return " ".join(map(str, acts))
        acts.append(openspiel_number(str(next(iter(state.legal.cards)))))


def openspiel_number(card: str) -> int:
    return next(one for one in range(52) if str(openspiel_card(one)) == card)


def test_the_cards_of_openspiel_are_ours() -> None:
    first_and_last = [str(openspiel_card(action)) for action in (0, 1, 2, 3, 4, 51)]
    assert first_and_last == ["2C", "2D", "2H", "2S", "3C", "AS"]
    assert set(CARD_TEXTS) == {str(openspiel_card(action)) for action in range(52)}


@pytest.mark.parametrize("line", [b"0 1 2", 5, None, ["0", "1"]])
def test_a_game_of_openspiel_is_text(line: Any) -> None:
    assert malformed(converted, line, {}).found == repr(line)
    assert malformed(converted, "0", [1]).where == "options"


@pytest.mark.parametrize("way", range(4))
def test_a_game_of_openspiel_says_how_many_seats_to_the_left_cards_go(way: int) -> None:
    """Action 0 passes nothing, 1 left, 2 across, 3 right; seat 0 is dealt the clubs."""
    passed = [seat + 4 * rank for seat in range(4) for rank in range(3)] if way else []
    state, _ = converted(" ".join(map(str, [way, *range(52), *passed])), {})
    assert [str(hand)[:2] for hand in state.hands].index("2C") == way


@pytest.mark.parametrize("way", [0, 1])
def test_games_of_openspiel_become_traces_and_logs(way: int, tmp_path: Path) -> None:
    path = tmp_path / "actions.txt"
    path.write_text(actions_of(way) + "\n")
    code, out, _ = run("convert", path)

    assert code == 0
    assert run("replay", "-", given=out.encode())[0] == 0
    log = run("convert", "--log", path)[1].encode()
    assert replay_log(read_log(log))[0] == []


@pytest.mark.parametrize(
    ("line", "code", "found"),
    [
        ("", 3, "found nothing"),
        ("4", 3, "found 4"),
        ("0 1", 3, "1 cards dealt"),
        ("0 " + "1 " * 52, 3, "1 cards dealt"),
        ("0 x", 3, "[1]: found 'x'"),
        ("0 52", 3, "found '52'"),
        ("0 \u00b2", 3, "an action"),
        ("0 " + " ".join(map(str, range(52))) + " 51", 1, "may not play"),
        ("0 " + " ".join(map(str, range(52))) + " 0 0", 1, "may not play"),
    ],
)
def test_what_is_no_game_of_openspiel_is_said(line: str, code: int, found: str) -> None:
    ended, _, err = run("convert", "-", given=(line + "\n").encode())

    assert code == ended
    assert found in err


def test_replaying_says_the_same_with_any_number_of_jobs(tmp_path: Path) -> None:
    good = DRAW.read_bytes().splitlines()[0]
    wrong = good.replace(b'"legal":{"draw":1}', b'"legal":{"deal":1}', 1)
    lines = [good, wrong, *[b"[]"] * 3000, wrong, b"x" * 1_000_001, b"", good]
    path = tmp_path / "many.jsonl"
    path.write_bytes(b"\n".join(lines))
    for more, told in (([], 20), (["--json"], 3002)):
        one = run("replay", path, *more)
        assert run("replay", path, "--jobs", 2, *more) == one
        assert one[0] == 3
        assert one[2].count("many.jsonl:") == told
    assert one[1].count('"fail"') == 2


def test_a_file_that_ends_in_the_middle_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(DRAW.read_bytes())[:-12])
    code, _, err = run("annotate", path)
    assert code == 3
    assert "allowed: a file that can be read to its end" in err


def test_no_lines_make_no_batch() -> None:
    assert list(in_batches([])) == []
    assert list(in_batches([("a:1", b"[]")])) == [[("a:1", b"[]")]]


def test_a_card_taken_back_leaves_those_played_before_the_sheet_began() -> None:
    rules = hearts(3, revokes="penalised", revoke_until="trick_quitted")
    state = new_deal(rules, ["2C 9D", "5C 3H", "KC 8S"]).play("2C").play("3H")
    text = "\n".join(shown(state, [Retract(1, "3H"), Play(1, "5C"), Play(2, "KC")]))
    assert "seat 1 takes back 3H" in text
    assert re.search(r">2C +5C +KC +seat 2", text)


def test_no_trace_has_more_acts_than_its_manner_allows() -> None:
    manner = Manner(irregular=0.9, most_acts=60)
    traces = list(random_traces(Ruleset("heartsgame-tiles"), 20, 1, manner))
    assert max(len(trace.steps) for trace in traces) == 60


def test_house_rules_are_shown_as_the_book_writes_them() -> None:
    changes = {"pass_cycle": ["left", "hold"], "queen_breaks_hearts": True}
    ruleset = Ruleset("estmesh-hearts", 4, changes)
    first = next(shown(State.open(ruleset, Match(dealer=0)), []))
    wanted = "estmesh-hearts, 4 players, pass_cycle=left,hold, queen_breaks_hearts=true"
    assert first == wanted


def test_a_match_that_a_last_claim_opens_again_is_played_on() -> None:
    options = {
        "pass_cycle": [],
        "limit": 1,
        "limit_rule": "reach",
        "revoke_points": 0,
        "moon": "none",
    }
    ruleset = Ruleset("dominorules-tiles", 3, options)
    start = Match(dealer=0, pack="2C 3C 4C 2D 3D 4D 2H 3H 4H")
    for seed in range(60):
        trace = random_trace(ruleset, start, Random(seed), Manner(irregular=0.5))
        assert trace.end["over"] is True


def test_a_seat_not_at_the_table_is_named_with_its_step() -> None:
    step = Step(Play(7, "2C"))
    trace = Trace(ruleset=Ruleset("estmesh-hearts"), start=Match(0), steps=(step,))
    assert malformed(annotated, trace).where.startswith("steps[0]")
