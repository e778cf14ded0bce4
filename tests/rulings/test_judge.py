"""Tests of judging games that others played, under one ruleset and under all."""

import json
from typing import Any

import attrs
import pytest

from refengine import MoonChoice, Play, Ruleset, new_deal
from refengine.cli.judge_text import standing_sentences, told_moments
from refengine.formats.generate import Manner, random_traces
from refengine.formats.logs import Log
from refengine.formats.trace import Step, Trace, write_trace
from refengine.game.nearby_rulesets import options_that_differ
from refengine.rulings import rulesets_of_game
from refengine.rulings.explain import explain
from refengine.rulings.judge import Judgement, judge_game, profiles_for
from refengine.rulings.rulesets_of_game import fits_whole_game, rulesets_that_fit
from refengine.rulings.submitted_game import Moment, read_game
from refengine.rulings.whatif import clauses_of
from tests.rulings.test_games import DEAL, MOON, REVOKING
from tests.support.commands import Runner, error_of
from tests.support.disputed import Dispute, disputes
from tests.support.lines import line_of, played_log, played_trace

pytestmark = pytest.mark.interpreted("about what is said; test_explain rules compiled")

DISPUTES = disputes()


def as_game(dispute: Dispute) -> Trace:
    """The dispute as the trace of somebody who believes that every act was legal."""
    state = dispute.state
    acts = (*state.acts, dispute.act)
    steps = tuple(Step(act) for act in acts)
    return Trace(ruleset=state.ruleset, start=state.start, steps=steps)


@pytest.mark.parametrize("dispute", DISPUTES, ids=lambda one: one.id)
def test_every_dispute_is_judged_as_the_book_was_read(dispute: Dispute) -> None:
    judgement = judge_game(as_game(dispute))
    refused = dispute.verdict == "refused"
    assert judgement.clauses == (dispute.clauses if refused else ())
    assert judgement.legal is not refused
    if refused:
        assert judgement.illegal is not None
        assert judgement.illegal.place == len(dispute.state.acts) + 1
    marked = [one for one in judgement.revokes if one.act == dispute.act]
    assert bool(marked) is (dispute.verdict == "irregular")
    if "score" in dispute.answer.get("then", {}):
        score = dispute.answer["then"]["score"]
        stated = attrs.evolve(as_game(dispute), end={"score": score})
        assert judge_game(stated).fits
        wrong = attrs.evolve(stated, end={"score": [one + 1 for one in score]})
        assert [one.what for one in judge_game(wrong).wrong] == ["end.score"]


def test_one_game_is_judged_under_the_rules_of_every_answer() -> None:
    """The game is that of the first answer to the same dispute."""
    for dispute in DISPUTES:
        first = next(
            one
            for one in DISPUTES
            if one.id.rpartition("-")[0] == dispute.id.rpartition("-")[0]
        )
        judgement = judge_game(as_game(first), dispute.state.ruleset)
        wanted = dispute.clauses if dispute.verdict == "refused" else ()
        assert judgement.clauses == wanted


HOUSE = {"first_trick_points": "barred"}
HANDS = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "7D KC KH"]
SETUP = {"dealer": 3, "deal": 4, "hands": HANDS}
PLAYS = "2C 5C 2H KC KH QH 3H 4S 7D 9D QS JD"


def logged(*score: int, plays: str = PLAYS, **options: Any) -> bytes:
    more = {"score": score, "totals": score} if score else {}
    return played_log("estmesh-hearts", SETUP, plays, options=options, **more)


JUDGED = """\
FILE:1
Under Hearts as the Estmesh tutorial has it (estmesh-hearts), 4 players; Points on the
  first trick: no (first_trick_points=barred)
  card 3: Seat 2 may not play 2H: 5.5 No points on the first trick
    The two of hearts costs points, and no such card may be played to the first trick
    while another one will do, here JD or 4S. [5.5]
    If that was noticed before the next card, it is taken back and seat 2 plays another;
    later it stands as played and costs nothing in itself. The record does not say which
    it was: the card is taken to stand. [10.18]
    Hearts are broken all the same. [5.9]
  With that card standing, the deal is scored like this. [10.18]
  For cards that cost points: seat 2: 13, seat 3: 4. [8.1]
  The score of the deal is seat 0: 0, seat 1: 0, seat 2: 13, seat 3: 4. [8.9]
  The totals are seat 0: 0, seat 1: 0, seat 2: 13, seat 3: 4. [9.1]
  The limit is not reached, so the match goes on. [9.3]
The same game elsewhere
  Black Maria (black-maria): card 1: seat 0 may not play 2C. [2.4]
  Hearts as most people play it (common-hearts), Omnibus Hearts (omnibus-hearts), Hearts
    as OpenSpiel plays it (openspiel-hearts) and Spot Hearts (spot-hearts): card 3: seat
    2 may not play 2H. [5.5]
  Hearts with tiles (dominorules-tiles), Hearts as the Estmesh tutorial has it
    (estmesh-hearts) and Old Hearts (pokerwiner-hearts): legal from the first act to the
    last.
  Domino Hearts (gamerules-domino) and Old-style Domino Hearts (pokerwiner-domino):
    legal, but not all that is stated is right.
  Hearts with tiles, counter-clockwise (heartsgame-tiles): card 2: the cards go round
    the other way. [2.2]
Rules that fit the whole game, nearest first
  Hearts as the Estmesh tutorial has it (estmesh-hearts): differs in Points on the first
  trick (first_trick_points).
  Hearts with tiles (dominorules-tiles): differs in Cards taken out so that the deal
  comes out even (removal), Points on the first trick (first_trick_points), Failing to
  follow suit (revokes), How long a revoke can be taken back (revoke_until), A revoke
  ends the deal (revoke_ends_deal) and The limit, reached or passed (limit_rule).
  Old Hearts (pokerwiner-hearts): differs in Cards taken out so that the deal comes out
  even (removal), To whom cards are passed (pass_cycle), Who leads first
  (opening_leader), First card led (opening_card), Leading hearts (heart_leads), Points
  on the first trick (first_trick_points), Shooting the moon (moon), Failing to follow
  suit (revokes), How long a revoke can be taken back (revoke_until), Cost of a revoke
  (revoke_points), A revoke ends the deal (revoke_ends_deal) and Points to which a match
  is played (limit).
"""


def test_a_game_is_judged_by_its_own_rules_and_by_all_others(judge: Runner) -> None:
    code, out, _ = judge(logged(0, 0, 13, 4, **HOUSE))
    assert (code, out) == (1, JUDGED)
    code, out, _ = judge(logged(0, 0, 13, 4))
    assert code == 0
    assert "Nothing in it is against these rules." in out
    assert "(estmesh-hearts): the rules that are named." in out
    phone = Ruleset("common-hearts").options
    code, out, _ = judge(logged(plays="2C 5C 4S KC", **phone))
    assert out.count("the rules that are named.") == 1
    assert "(common-hearts): the same rules by another name." in " ".join(out.split())
    code, out, _ = judge(logged(0, 0, 13, 4), "--profile", "openspiel-hearts")
    assert (code, "elsewhere" in out) == (1, False)


def test_a_wrong_card_that_nobody_noticed_stands(judge: Runner) -> None:
    """Seat 1 plays a heart on the barred first trick although it holds a spade.

    By ruling 46 the play stands, and the rest of the deal is played and scored.
    """
    setup = {"dealer": 3, "deal": 4, "hands": ["2C 9D", "3H 2S", "4C 7S", "KC 8S"]}
    game = ("estmesh-hearts", setup, "2C 3H 4C KC 8S 9D 2S 7S")
    assert judge_game(read_game(played_log(*game, options={"moon": "none"}))).fits
    code, out, _ = judge(played_log(*game, options={"moon": "none", **HOUSE}), "--json")
    found = json.loads(out)
    assert (code, found["illegal"]["clauses"]) == (1, ["5.5"])
    standing = [one["clauses"] for one in found["illegal"]["standing"]]
    assert standing == [["10.18"], ["5.9"]]
    assert found["score_as_it_stands"] == [0, 0, 0, 1]
    assert found["further"] == []


FREE = {"first_trick_points": "barred", "pass_cycle": []}
QUEEN = {"queen_breaks_hearts": True}


@pytest.mark.parametrize(
    ("profile", "options", "leader", "stock", "play", "breaks", "cited"),
    [
        # Led against 5.4, and where a draw was due: 10.18a is about these alone.
        ("estmesh-hearts", {}, "2C 9H", "", "9H", ["5.2", "5.4"], "10.18a"),
        ("gamerules-domino", {}, "4H 9H", "5D 6C", "9H", ["6.2"], "10.18a"),
        # Hearts are free, and only the first trick is barred to them.
        ("black-maria", FREE, "2C 9H", "", "9H", ["5.5"], "5.9"),
        # The queen breaks hearts too.
        ("black-maria", FREE | QUEEN, "2C QS", "", "QS", ["5.5"], "5.9a"),
    ],
    ids=["a lead", "a draw", "a heart", "the queen"],
)
def test_the_clause_is_named_by_which_a_wrong_card_has_broken_hearts(
    judge: Runner,
    profile: str,
    options: dict[str, Any],
    leader: str,
    stock: str,
    play: str,
    breaks: list[str],
    cited: str,
) -> None:
    hands = [leader, "3C 4D", "8C 5S", "9C 6S"]
    ruleset = Ruleset(profile, 4, options=options)
    state = new_deal(ruleset, hands, stock=stock, dealer=3, deal=4)
    step = Step(Play(0, play))
    trace = Trace(ruleset=ruleset, start=state.start, steps=(step,))
    found = json.loads(judge(write_trace(trace).rstrip(), "--json")[1])
    assert found["illegal"]["clauses"] == breaks
    standing = found["illegal"]["standing"]
    assert [one["clauses"] for one in standing] == [["10.18"], [cited]]
    remedy = "draws from the stock" if breaks == ["6.2"] else "plays another"
    assert f"it is taken back and seat 0 {remedy}; later" in standing[0]["text"]


def test_who_played_where_a_draw_was_due_draws_when_it_is_noticed() -> None:
    """Seat 1 cannot follow, and there is a stock (6.1, 10.18)."""
    ruleset = Ruleset("gamerules-domino", 4)
    hands = ["4C", "4D", "8C", "9C"]
    state = new_deal(ruleset, hands, stock="5D 6C", dealer=3).play("4C")
    remedy, *_ = standing_sentences(Moment(state, Play(1, "4D"), 2))
    assert "taken back and seat 1 draws from the stock; later" in remedy.text
    assert remedy.clauses == ("10.18",)


def test_the_last_card_of_a_deal_is_taken_back_until_the_next_deal_is_dealt() -> None:
    """Seat 3 plays last and owes a draw; no card follows (10.18)."""
    hands = ["4C", "5C", "8C", "4D"]
    state = new_deal(Ruleset("gamerules-domino", 4), hands, stock="5D 6C", dealer=3)
    state = state.play("4C").play("5C").play("8C")
    remedy, *_ = standing_sentences(Moment(state, Play(3, "4D"), 4))
    assert remedy.text.startswith(
        "If that was noticed before the next deal was dealt or the result agreed, it "
        "is taken back and seat 3 draws from the stock; later it stands"
    )


def test_a_late_revoke_with_the_last_card_of_a_deal_cannot_be_claimed() -> None:
    """Seat 3 throws the only heart on the first trick, which ends the deal (5.14a)."""
    options = {"revokes": "penalised", "deal_ends": "no_points_left", **FREE}
    ruleset = Ruleset("estmesh-hearts", 4, options=options)
    hands = ["2C 3D", "3C 4D", "4C 5D", "5C 2H"]
    state = new_deal(ruleset, hands, dealer=3).play("2C").play("3C").play("4C")
    assert clauses_of(state.verdict(Play(3, "2H"))) == ("5.3", "5.5")
    remedy, *_ = standing_sentences(Moment(state, Play(3, "2H"), 4))
    assert "noticed before the next deal was dealt" in remedy.text
    assert "later it stands as played" in remedy.text
    assert remedy.clauses == ("10.18b",)


def two_faults(**more: Any) -> bytes:
    """A game with a heart on the barred first trick and a revoke at card seven."""
    hands = ["2C 9D TD", "3H 2S 4D", "4C 7S 5D", "KC 8S 6D"]
    setup = {"dealer": 3, "deal": 4, "hands": hands}
    plays = "2C 3H 4C KC 8S 9D 4D 7S 6D TD 2S 5D"
    options = {"moon": "none", **HOUSE}
    return played_log("estmesh-hearts", setup, plays, options=options, **more)


def test_further_faults_are_found_after_one_that_stands(judge: Runner) -> None:
    found = json.loads(judge(two_faults(), "--json")[1])
    assert (found["illegal"]["at"], found["illegal"]["clauses"]) == (2, ["5.5"])
    assert [(one["at"], one["clauses"]) for one in found["further"]] == [(7, ["5.3"])]
    assert found["score_as_it_stands"] == [0, 0, 0, 1]
    stated = judge(two_faults(score=[0, 0, 0, 1]), "--json")[1]
    assert json.loads(stated)["wrong"] == []
    code, out, _ = judge(two_faults(score=[0, 0, 1, 0]))
    right = "that is seat 0: 0, seat 1: 0, seat 2: 0, seat 3: 1. [8.1]"
    assert (code, right in " ".join(out.split())) == (1, True)


def test_a_ruling_on_a_fault_after_one_that_stands_can_be_printed() -> None:
    [one] = judge_game(read_game(two_faults())).further
    assert "5.3 Follow suit" in explain(one.state, one.act).text


def test_a_revoke_with_a_second_fault_is_a_revoke_when_noticed_late(
    judge: Runner,
) -> None:
    out = judge(played_log("dominorules-tiles", SETUP, "2C 3H 4S", options=HOUSE))[1]
    assert "later it is a revoke like any other" in " ".join(out.split())
    assert "[10.18b]" in out


def test_a_play_out_of_turn_ends_the_judgement(judge: Runner) -> None:
    line = played_log("estmesh-hearts", SETUP, "2C 5C", seats=[0, 2])
    assert judge_game(read_game(line)).clauses == ("2.3",)
    assert "taken to stand" not in judge(line)[1]


def test_a_wrong_score_is_counted_out(judge: Runner) -> None:
    code, out, _ = judge(logged(0, 0, 0, 17))
    assert code == 1
    for part in (
        "score of the deal as seat 0: 0, seat 1: 0, seat 2: 0, seat 3: 17; ",
        "by these rules that is seat 0: 0, seat 1: 0, seat 2: 13, seat 3: 4. [8.1]",
        "For cards that cost points: seat 2: 13, seat 3: 4. [8.1]",
        "No ruleset of the book fits",
    ):
        assert part in " ".join(out.split())


def test_json_says_the_same(judge: Runner) -> None:
    code, out, _ = judge(logged(0, 0, 13, 4, **HOUSE), "--json")
    found = json.loads(out)
    assert (code, found["outcome"]) == (1, "fail")
    assert (found["illegal"]["at"], found["illegal"]["clauses"]) == (3, ["5.5"])
    under = {one["ruleset"]["profile"]: one for one in found["under"][1:]}
    assert under["openspiel-hearts"]["clauses"] == ["5.5"]
    assert under["dominorules-tiles"]["fits"]
    assert found["fits"][0]["differs"] == ["first_trick_points"]
    wrong = json.loads(judge(logged(0, 0, 0, 17), "--json")[1])["wrong"]
    assert wrong[0]["clauses"] == ["8.1"]


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_the_rules_that_fit_are_sought_once(
    judge: Runner, monkeypatch: pytest.MonkeyPatch, flags: tuple[str, ...]
) -> None:
    asked: list[object] = []

    def found(game: object) -> tuple[()]:
        asked.append(game)
        return ()

    monkeypatch.setattr("refengine.cli.judge_command.rulesets_that_fit", found)
    judge(logged(0, 0, 13, 4), *flags)
    assert len(asked) == 1


def test_a_game_that_cannot_begin_says_why(judge: Runner) -> None:
    setup = {**DEAL, "deal": 1, "hands": ["2C", "3C", "4C", "5C"]}
    code, out, _ = judge(played_log("estmesh-hearts", setup, "2C"))
    assert code == 1
    assert "the game cannot begin" in out
    assert "4.11" in out
    found = json.loads(judge(played_log("estmesh-hearts", setup, "2C"), "--json")[1])
    assert "4.11" in found["cannot_begin"]


def test_what_stands_beside_the_cards_is_judged_too(judge: Runner) -> None:
    def said_of(setup: dict[str, Any], plays: str, **more: Any) -> str:
        line = played_log("estmesh-hearts", setup, plays, **more)
        code, out, _ = judge(line, "--profile", "estmesh-hearts")
        assert code == 1
        return " ".join(out.split())

    passes = ["2C 3C 4C", "5C 6C", "8C 9C TC", "JC QC KC"]
    passed = said_of(DEAL, "2C", **{"pass": passes})
    assert "before the first card: Seat 1 may not pass 5C 6C: 4.4" in passed
    moon = said_of(MOON, "AC QS 2H 3H", moon={"one": 2})
    assert "after the last card: Seat 0 may not choose moon one seat 2" in moon
    early: dict[str, Any] = {"setup": REVOKING, "plays": "2C 5C 7C", "score": [0] * 4}
    assert "by these rules that is not settled yet" in said_of(**early)
    unsettled = said_of(MOON, "AC QS 2H 3H", score=[15, 0, 0, 0])
    assert "Seat 0 has taken every card that costs points" in unsettled
    line = played_log("estmesh-hearts", **early)
    out = judge(line, "--profile", "estmesh-hearts", "--json")[1]
    assert "under" not in json.loads(out)


def test_a_revoke_that_stands_is_told(judge: Runner) -> None:
    line = played_log("dominorules-tiles", REVOKING, "2C QS 7C")
    code, out, _ = judge(line)
    assert code == 0
    assert "card 2: Seat 1 may not play QS, but it is not refused either" in out
    found = json.loads(judge(line, "--json")[1])
    assert found["revokes"] == [{"at": 2, "seat": 1, "act": {"play": "QS"}}]


def test_a_house_rule_is_found_from_a_game_that_shows_it(judge: Runner) -> None:
    played = Ruleset("estmesh-hearts", options={"heart_leads": "free", "limit": 1})
    (trace,) = random_traces(played, 1, 3, Manner(refusals=1))
    claimed = attrs.evolve(trace, ruleset=played.having(heart_leads="when_broken"))
    assert not judge_game(claimed).fits
    assert judge_game(claimed, played).fits
    code, out, _ = judge(write_trace(claimed))
    assert code == 1
    assert "hearts may be led at any time" in " ".join(out.split())
    assert "Before step" in out


def test_two_house_rules_are_found_together(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = ["2C 3H", "QS 5C", "2H 4H", "3C 6C"]
    setup = {"dealer": 3, "deal": 4, "hands": hands, "phase": "play", "leader": 0}
    score = {"score": [14, 0, 0, 1], "totals": [14, 0, 0, 1]}

    def found(plays: str) -> list[set[str]]:
        game = read_game(played_log("estmesh-hearts", setup, plays, **score))
        return [set(fit.differs) for fit in rulesets_that_fit(game)]

    assert {"heart_leads", "queen_points"} in found("3H QS 2H 3C 2C 5C 4H 6C")
    with monkeypatch.context() as patch:
        patch.setattr(rulesets_of_game, "_DEPTH", 1)  # not as far as both
        assert found("3H QS 2H 3C 2C 5C 4H 6C") == []
    assert found("3H QS 2H 3C 2C 6C 5C 4H") == []


def test_a_revoke_stated_where_there_is_none_is_a_wrong_statement() -> None:
    game = read_game(played_log("estmesh-hearts", REVOKING, "2C 5C 7C"))
    assert isinstance(game, Log)
    steps = (Step(Play(0, "2C"), breaks=("5.3",)), Step(Play(1, "QS")))
    trace = Trace(ruleset=game.ruleset, start=game.setup, steps=steps)
    judgement = judge_game(trace)
    assert judgement.clauses == ("5.3",)  # for the second card; its step states nothing
    assert [one.step for one in judgement.wrong] == [1]
    assert judgement.revokes == ()


def test_a_view_and_a_field_are_stated_wrong(judge: Runner) -> None:
    then = {"turn": [3], "view": {"seat": 1, "hand": "QS"}}
    step = {"seat": 0, "act": {"play": "2C"}, "then": then}
    code, out, _ = judge(line_of(played_trace("estmesh-hearts", SETUP, step)))
    assert code == 1
    said = "After step 1 it states who is to act as [3]; by these rules that is [1]."
    assert said in " ".join(out.split())
    assert "it states the hand in the view of a seat as " in " ".join(out.split())


def test_statements_about_an_act_say_which_and_when(judge: Runner) -> None:
    told = {"seat": 2, "kind": "play", "act": {"play": "3C"}}
    refuse = [{"act": {"play": "5C"}, "clauses": ["2.3"]}]
    step = {"seat": 0, "act": {"play": "2C"}, "told": [told], "refuse": refuse}
    trace = json.loads(line_of(played_trace("estmesh-hearts", SETUP, step)))
    _, out, _ = judge(json.dumps(trace | {"spec": "1.1.0"}))
    said = " ".join(out.split())
    assert "Before step 1 it states the verdict on 5C of seat 0 as refused" in said
    assert "At step 1 it states what seat 2 is told as {" in said


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ({"over": True, "winners": [1]}, "over, won by seat 1"),
        ({"over": True, "winners": [0, 2]}, "over, won by seats 0 and 2"),
        ({"over": True}, '{"over":true}'),  # stated by halves, so told as it stands
    ],
)
def test_the_end_of_a_match_is_told_in_words(
    judge: Runner, stated: dict[str, Any], told: str
) -> None:
    step = {"seat": 0, "act": {"play": "2C"}, "then": {"match": stated}}
    line = line_of(played_trace("estmesh-hearts", SETUP, step))
    _, out, _ = judge(line, "--profile", "estmesh-hearts")
    said = f"how the match stands as {told}; by these rules that is not over. ["
    assert said in " ".join(out.split())


def test_the_seats_to_act_are_not_taken_for_numbers_of_the_seats(
    judge: Runner,
) -> None:
    step = {"seat": 0, "act": {"play": "2C"}, "then": {"turn": [0, 1, 2, 3]}}
    line = line_of(played_trace("estmesh-hearts", SETUP, step))
    _, out, _ = judge(line, "--profile", "estmesh-hearts")
    assert "it states who is to act as [0,1,2,3]; by these rules that is [1]." in (
        " ".join(out.split())
    )


def test_rulesets_are_compared_by_what_has_an_effect() -> None:
    profiles = list(profiles_for(6))
    assert [one.profile for one in profiles] == [
        "omnibus-hearts",
        "pokerwiner-domino",
        "pokerwiner-hearts",
    ]
    assert options_that_differ(*profiles[1:])
    assert options_that_differ(profiles[0], profiles[0]) == ()
    game = read_game(logged(0, 0, 13, 4))
    assert not fits_whole_game(game, Ruleset("pokerwiner-hearts", 5))


def test_a_game_that_runs_the_other_way_round_is_named_so(judge: Runner) -> None:
    data = logged(0, 0, 13, 4, direction="counterclockwise")
    code, out, _ = judge(data, "--profile", "estmesh-hearts")
    assert code == 0
    code, out, _ = judge(data)
    assert code == 1
    said = " ".join(out.split())
    assert (
        "From card 2 on the cards go round the other way; here play is "
        "counter-clockwise. [2.2]" in said
    )
    assert "5.7" not in said.partition("The same game elsewhere")[0]
    _, out, _ = judge(data, "--json")
    found = json.loads(out)
    assert [one["clauses"] for one in found["cause"]] == [["2.2"]]
    assert found["under"][0]["clauses"] == ["2.2"]


@pytest.mark.parametrize(
    ("plays", "cause"),
    [
        ("2C KC JD", "2.2"),  # the king is with the neighbour on the right
        ("2C JD", "5.7"),  # the jack sits opposite
    ],
)
def test_only_a_card_of_the_other_neighbour_is_a_matter_of_direction(
    plays: str, cause: str
) -> None:
    judgement = judge_game(read_game(logged(plays=plays)))
    assert (judgement.cause, judgement.clauses) == ((cause,), ("5.7",))


def test_a_position_that_cannot_be_read_the_other_way_keeps_its_clause() -> None:
    start = {
        "dealer": 3,
        "deal": 4,
        "totals": [0, 0, 0, 0],
        "hands": ["9D QH", "QS 3H", "JD 4S 2H", "7D KC KH"],
        "leader": 0,
        "phase": "play",
        "trick": "2C 5C",
        "taken": ["", "", "", ""],
        "tricks": [0, 0, 0, 0],
        "out": [],
        "hearts_broken": False,
        "first_trick": True,
    }
    trace = played_trace("estmesh-hearts", start, {"seat": 2, "act": {"play": "7D"}})
    assert judge_game(read_game(line_of(trace))).cause == ("5.7",)


def test_the_score_of_a_deal_that_is_not_over_is_laid_to_that(judge: Runner) -> None:
    early = logged(0, 0, 13, 4, plays=" ".join(PLAYS.split()[:9]))
    code, out, _ = judge(early, "--profile", "estmesh-hearts")
    assert code == 1
    said = " ".join(out.split())
    assert "8.3a" not in said
    assert "seat 3: 4; by these rules that is not settled yet. [8.1]" in said
    assert (
        "The game stops before the deal is over, with 3 cards in the hands, so nothing "
        "is scored yet. [8.1]" in said
    )


def test_of_a_score_stated_at_the_cut_no_cards_in_hands_are_told(judge: Runner) -> None:
    cut = {"seat": 0, "act": {"cut": "2C"}}
    trace = played_trace("estmesh-hearts", SETUP, cut, end={"score": [0, 0, 13, 4]})
    del trace["setup"]
    _, out, _ = judge(line_of({**trace, "match": {}}), "--profile", "estmesh-hearts")
    said = " ".join(out.split())
    assert "stops before the deal is over, so nothing is scored yet. [8.1]" in said


NO_SEAT = played_log("estmesh-hearts", REVOKING, "2C", seats=[9])


@pytest.mark.parametrize("text", [NO_SEAT, b"{", b'{"mini": 1}', b'{"log": 1}', b"[]"])
def test_what_is_no_game_ends_in_one_message(judge: Runner, text: bytes) -> None:
    error_of(judge, text)


@pytest.mark.parametrize("plays", [0, 1])
def test_a_trick_stated_where_none_is_complete_is_told(
    judge: Runner, plays: int
) -> None:
    """A trick can be stated only when its last seat has played."""
    setup = {"dealer": 3, "deal": 4, "hands": ["2C", "QS", "2H", "3H"]}
    end = {"trick": {"cards": "2C QS 2H 3H", "leader": 0, "winner": 1}}
    trace = played_trace("estmesh-hearts", setup, *["2C"][:plays], end=end)
    code, out, err = judge(line_of(trace), "--profile", "estmesh-hearts")
    assert (code, err) == (1, "")
    assert "it states the trick as" in " ".join(out.split())


def test_what_is_told_of_a_log_ends_with_its_moon() -> None:
    state = new_deal(Ruleset("estmesh-hearts"), ["2C", "QS", "2H", "3H"], deal=4)
    revoke = Moment(state, Play(0, "2C"), 5)
    moon = Moment(state, MoonChoice(0, "self_minus"), 0)
    judgement = Judgement(state.ruleset, moon, (revoke,))
    assert told_moments(judgement) == [revoke, moon]
