"""Random matches, some with faults, written down in four ways that must agree.

`python -m tests.support.records_at_large 10000` plays 10000 of them, and reports where
the sheet, the notation or the mapped file is judged differently from the traces.
"""

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import attrs

from refengine import Act, Pass, Play, Ruleset, Setup, State, new_match
from refengine.cli.files import WrittenGames, numbered_games
from refengine.formats.trace import Step, Trace
from refengine.formats.written.completing_written import PartKnown
from refengine.formats.written.mapped_written import mapped_games
from refengine.formats.written.maps_written import game_map
from refengine.formats.written.writing_written import write_written
from refengine.game.verdicts import Refused
from refengine.rulings.judge import Judgement, judge_game
from refengine.rulings.records import DealOnRecord, JudgedRecord, judge_record
from refengine.rulings.sheets.judging_sheets import judge_sheet
from refengine.rulings.sheets.reading_sheets import read_sheet
from refengine.rulings.standing import stood
from refengine.rulings.submitted_game import read_game

PROFILES = (
    ("common-hearts", 3),
    ("common-hearts", 4),
    ("common-hearts", 5),
    ("omnibus-hearts", 4),
    ("spot-hearts", 4),
    ("pokerwiner-hearts", 4),
    ("black-maria", 3),
    ("openspiel-hearts", 4),
)
MOST_DEALS = 3
Fault = tuple[int, str, tuple[str, ...]]
"""The number of the deal, what is wrong, and its clauses or the right value."""


@attrs.define
class PlayedDeal:
    """A deal as it was played, faults included, with its score, totals and tricks."""

    start: Setup
    acts: list[Act]
    score: list[int] = attrs.field(factory=list)
    totals: tuple[int, ...] = ()
    tricks: list[tuple[int, list[str], int]] = attrs.field(factory=list)

    def trace(self, ruleset: Ruleset) -> Trace:
        steps = [Step(act) for act in self.acts]
        end = {"score": self.score, "totals": list(self.totals)}
        return Trace(ruleset=ruleset, start=self.start, steps=tuple(steps), end=end)


def played_deals(ruleset: Ruleset, chance: Random, faults: bool) -> list[PlayedDeal]:
    """The first deals of a random match; if `faults`, some plays may be illegal."""
    state, deals = new_match(ruleset), list[PlayedDeal]()
    while not state.over and len(deals) <= MOST_DEALS:
        if state.phase in ("cut", "deal"):
            if len(deals) == MOST_DEALS:
                break
            act = state.random_act(chance)
            before, state = state, state.apply(act)
            if before.phase == "deal":
                deals.append(PlayedDeal(begun(before, state), []))
            continue
        act = state.random_act(chance)
        if faults and isinstance(act, Play) and chance.random() < 0.05:
            act = wrong_play(state, chance) or act
        deals[-1].acts.append(act)
        before = state
        verdict = state.verdict(act)
        after = stood(state, act) if isinstance(verdict, Refused) else state.apply(act)
        assert after is not None
        state = after
        done = state.completed
        if done is not None and done is not before.completed:
            cards = [str(card) for card in done.cards]
            deals[-1].tricks.append((int(done.leader), cards, int(done.winner)))
        if state.score is not None and before.score is None:
            deals[-1].score, deals[-1].totals = [*state.score], state.totals
    return deals


def begun(before: State, state: State) -> Setup:
    """The setup of a deal, given the states before and after it was dealt."""
    reached = before.core.sheet.reached and before.ruleset.options["ties"] == "play_on"
    return Setup(
        dealer=before.dealer,
        deal=state.deal,
        totals=before.totals,
        hands=state.hands,
        stock=state.stock,
        kitty=state.kitty,
        limit_reached=bool(reached),
    )


def wrong_play(state: State, chance: Random) -> Play | None:
    """An illegal play that would stand if nobody noticed it; None if there is none."""
    seat = state.seat_in_turn
    plays = [Play(seat, card) for card in state.hands[seat]]
    wrong = [one for one in plays if isinstance(state.verdict(one), Refused)]
    wrong = [one for one in wrong if stood(state, one) is not None]
    return chance.choice(wrong) if wrong else None


# Four ways to write it down


def as_text(ruleset: Ruleset, deals: Sequence[PlayedDeal]) -> str:
    """The deals in the notation, as somebody would type them."""
    options = ", ".join(f"{name}={value}" for name, value in OPTIONS.items())
    lines = [f"rules: {ruleset.profile}, {ruleset.players} players, {options}"]
    for deal in deals:
        start = deal.start
        lines += ["", f"deal {start.deal}", f"dealer: seat {start.dealer}"]
        for seat, hand in enumerate(start.hands or ()):
            lines.append(f"hand seat {seat}: {hand}")
        if start.kitty:
            lines.append(f"kitty: {start.kitty}")
        for act in deal.acts:
            if isinstance(act, Pass):
                lines.append(f"passes seat {act.seat}: {act.cards}")
        for number, (leader, cards, winner) in enumerate(deal.tricks, 1):
            trick = f"{number}. seat {leader}: {' '.join(cards)} -> seat {winner}"
            lines.append(trick)
        lines.append(f"score: {' '.join(map(str, deal.score))}")
        lines.append(f"totals: {' '.join(map(str, deal.totals))}")
    return "\n".join(lines) + "\n"


def as_json(deals: Sequence[PlayedDeal]) -> str:
    """The deals in JSON for the map `deals`: one object each, with lists by seat."""
    found: list[dict[str, Any]] = []
    for deal in deals:
        passes = {
            act.seat: str(act.cards) for act in deal.acts if isinstance(act, Pass)
        }
        one: dict[str, Any] = {
            "number": deal.start.deal,
            "dealer": deal.start.dealer,
            "hands": [str(hand) for hand in deal.start.hands or ()],
            "tricks": [
                {"leader": leader, "cards": cards, "winner": winner}
                for leader, cards, winner in deal.tricks
            ],
            "score": deal.score,
            "totals": deal.totals,
        }
        if passes:
            one["passes"] = [passes[seat] for seat in sorted(passes)]
        found.append(one)
    return json.dumps({"deals": found})


def as_sheet(deals: Sequence[PlayedDeal]) -> str:
    """The deals as a score sheet with one row of points for each."""
    players = len(deals[0].score)
    head = ",".join(f"Player {seat}" for seat in range(players))
    return "\n".join([head, *(",".join(map(str, one.score)) for one in deals)])


# What is wrong in each


def faults_of(judgement: Judgement, deal_of: Callable[[int], int]) -> Iterator[Fault]:
    """The illegal acts and wrong statements in a game, each with its deal's number.

    `deal_of` returns the number of the deal for a step.
    """
    for moment in (judgement.illegal, *judgement.further):
        if moment is not None:
            verdict = moment.state.verdict(moment.act)
            assert isinstance(verdict, Refused)
            yield deal_of(moment.place), str(moment.act), tuple(verdict.clauses)
    for one in judgement.wrong:
        what = one.what.removeprefix("end.").removeprefix("then.")
        yield deal_of(one.step), what, (one.found,)


def faults_of_record(record: JudgedRecord) -> list[Fault]:
    """The sorted faults in the deals of a record and in how the deals begin."""
    found: list[Fault] = []
    for number, deal in enumerate(record.deals, 1):
        found += [(number, one.text, one.clauses) for one in deal.begins]
        if isinstance(deal.judgement, Judgement):
            found += faults_of(deal.judgement, partial(_always, number))
        else:  # in these files nothing is missing
            found.append((number, "known in part", ()))
    return sorted(found)


def _always(number: int, _: int) -> int:
    return number


def judged_text(text: str, ruleset: Ruleset, folder: Path) -> list[Fault]:
    """The faults that `refengine judge` would find in a file with this text."""
    path = folder / f"{os.getpid()}.hearts"
    path.write_text(text, "utf-8")
    [(_, written)] = numbered_games(str(path), lambda _: ruleset)
    assert isinstance(written, WrittenGames), written
    if len(written.games) > 1 or len(written.match.deals) == 1:
        deals = []
        for (_, game), deal in zip(written.games, written.match.deals, strict=True):
            assert isinstance(game, (bytes, PartKnown)), game
            read = read_game(game) if isinstance(game, bytes) else game
            deals.append(DealOnRecord.of_written(read, deal))
        return faults_of_record(judge_record(deals))
    [(_, line)] = written.games
    assert isinstance(line, bytes), line
    trace = read_game(line)
    assert isinstance(trace, Trace)
    number, deal_of = 0, [0]
    for step in trace.steps:
        number += type(step.act).__name__ == "Deal"
        deal_of.append(number)
    return sorted(faults_of(judge_game(trace), deal_of.__getitem__))


OPTIONS = {"revokes": "rejected"}


def disagreements(seed: int) -> list[str]:
    """A line for each point on which the four ways disagree in one random match."""
    chance = Random(seed)
    name, players = chance.choice(PROFILES)
    ruleset = Ruleset(name, players, OPTIONS)
    deals = played_deals(ruleset, chance, faults=chance.random() < 0.6)
    scores = [tuple(deal.score) for deal in deals]
    other_score = other_winner = 0
    if chance.random() < 0.5:
        other_score = chance.randrange(len(deals)) + 1
        score = deals[other_score - 1].score
        score[chance.randrange(players)] += chance.choice([-10, -1, 1, 13])
    if chance.random() < 0.3:
        other_winner = 1
        tricks = chance.choice(deals).tricks
        place = chance.randrange(len(tricks))
        leader, cards, winner = tricks[place]
        tricks[place] = (leader, cards, (winner + 1) % players)
    record = judge_record(one.trace(ruleset) for one in deals)
    traced = faults_of_record(record)
    found = []
    if [deal.score for deal in record.deals] != scores:
        found.append(f"{seed}: trace: {record}, not {scores}")
    [(_, match)] = mapped_games(as_json(deals), game_map("deals"))
    written = {"notation": as_text(ruleset, deals), "map": write_written(match)}
    with tempfile.TemporaryDirectory() as folder:
        for what, text in written.items():
            told = judged_text(text, ruleset, Path(folder))
            others = [fault for fault in told if fault[1] != "trick"]
            if others != traced:
                found.append(f"{seed}: {what}: {others}, not {traced}")
            if len(told) - len(others) != other_winner:
                found.append(f"{seed}: {what}: {told}, and {other_winner} winners")
    judged = judge_sheet(read_sheet(as_sheet(deals)), ruleset, running=False)
    if not {*judged.wrong} <= {other_score}:
        found.append(f"{seed}: sheet: rows {judged.wrong} are wrong, not {other_score}")
    same = judged.rows[-1].totals == record.totals and judged.over == record.over
    if not other_score and not same:
        found.append(f"{seed}: sheet: {judged}, not {record}")
    return found


def main() -> int:
    """Compare as many matches as the command line says, and return the exit code."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    wrong = 0
    with ProcessPoolExecutor() as pool:
        for found in pool.map(disagreements, range(number), chunksize=20):
            wrong += bool(found)
            if found:
                print(*found, sep="\n")
    print(f"{number} matches, {wrong} of them judged in ways that do not agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
