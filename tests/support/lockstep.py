"""Play a game with our engine and the second one, and compare them after every act."""

import json
import re
from collections.abc import Iterator
from random import Random

from refengine import (
    Act,
    Claim,
    Draw,
    Match,
    Play,
    QuitTrick,
    Refused,
    Retract,
    Ruleset,
    Setup,
    State,
)
from refengine.formats.fields import act_fields, due_fields, state_fields, view_fields
from refengine.lawbook.clause_names import gone_back
from refengine_conformance.generators.strategies import may_be_found
from tests.support.oracle import Oracle
from tests.support.oracle_openings import match_broken, setup_broken
from tests.support.second_opinion import options_of, oracle_of, setup_fields
from tests.support.strategies import broken, moments, some_act, verdict_name

LONGEST = 250
CARD = re.compile(r"\b[2-9TJQKA][CDSH]\b")


def check_fields(state: State, oracle: Oracle) -> None:
    """Check that both engines give the same facts and expect the same acts."""
    assert due_fields(state.legal.due) == oracle.legal()
    ours, theirs = state_fields(state), oracle.observe()
    drew = theirs.pop("drew", None)
    if state.acts and isinstance(state.acts[-1], Draw):
        assert ours["drew"] == drew
    ours.pop("drew", None)
    if "cut" not in theirs:
        assert not any(ours.pop("cut", ()))
    assert ours == theirs


def check_verdict(state: State, oracle: Oracle, act: Act) -> str:
    """The verdict on an act, checked to be that of both engines, as are its clauses.

    The second engine uses the clause numbers of the rules it was written from, in which
    clauses have no parts, so a part that our engine names counts as its whole clause.
    """
    fields = act_fields(act)
    verdict = verdict_name(state, act)
    ours = set(gone_back(broken(state, act)))
    assert ours == oracle.broken(act.seat, fields), act
    assert verdict == oracle.judge(act.seat, fields), act
    return verdict


class Watcher:
    """A seat that watches the game, and the cards that it may have seen so far."""

    def __init__(self, seat: int) -> None:
        """Watch this seat, which has seen nothing yet."""
        self.seat = seat
        self.seen: set[str] = set()

    def check(self, state: State, oracle: Oracle) -> None:
        """Check that both engines show the seat the same and no hidden card."""
        if oracle.board is None or oracle.phase == "cut":
            return
        board = oracle.board
        self.seen |= board.hands[self.seat] | set(board.table)
        for pile in board.taken:
            self.seen |= pile - board.won_kitty
        view = view_fields(state.observe(self.seat))
        if oracle.phase == "play":
            for name, value in oracle.view(self.seat).items():
                assert view[name] == value, name
        view.pop("cut", None)
        shown = board.won_kitty | board.kitty if oracle.score is not None else set()
        assert set(CARD.findall(json.dumps(view))) <= self.seen | shown


def tries(rng: Random, state: State) -> Iterator[Act]:
    """Acts that probably break a clause, or that become possible after a revoke."""
    players = state.ruleset.players
    yield some_act(rng, state)
    seat = state.turn[0] if state.turn else rng.randrange(players)
    if state.phase == "play":
        yield from (Play(seat, card) for card in state.hands[seat])
        if rng.random() < 0.3:
            yield Draw(seat)
    if state.phase in ("cut", "pass", "mix") or rng.random() < 0.5:
        return
    last = len(state.history)
    anybody = rng.randrange(players)
    yield Claim(anybody, rng.randrange(players), last + rng.randint(0, 1) or 1)
    for note in state.revokes:
        yield Claim(anybody, note.seat, note.trick)
    if state.history:
        trick = state.history[-1]
        yield QuitTrick(trick.winner)
        yield Retract(rng.randrange(players), rng.choice(trick.cards))
    cards = [*(state.table.cards if state.table else ())]
    cards += [card for trick in state.history[-1:] for card in trick.cards]
    for note in state.revokes:
        yield from (Retract(note.seat, card) for card in cards)


def play_in_lockstep(state: State, rng: Random, wild: float = 0.5) -> int:
    """Play on and compare to the end or the limit; return the number of acts.

    With the probability `wild`, one of the acts tried is carried out that is neither
    refused nor a legal play, if there is any; otherwise a random legal act.
    """
    oracle = oracle_of(state)
    watcher = Watcher(rng.randrange(state.ruleset.players))
    check_fields(state, oracle)
    acts = 0
    while acts < LONGEST:
        watcher.check(state, oracle)
        accepted = []
        for act in tries(rng, state):
            verdict = check_verdict(state, oracle, act)
            if verdict == "irregular" or (
                verdict == "legal" and not isinstance(act, Play)
            ):
                accepted.append(act)
        if accepted and rng.random() < wild:
            act = rng.choice(accepted)
        elif state.over:
            return acts
        else:
            act = state.random_act(rng)
            assert check_verdict(state, oracle, act) == "legal", act
        acts += 1
        state = state.apply(act)
        oracle.step(act.seat, act_fields(act))
        check_fields(state, oracle)
    return acts


def position_out_of(state: State, rng: Random) -> State:
    """A position that arises later in the game; this state if none is found."""
    found = [state]
    for moment in moments(state, rng, rng.randint(1, 60), wild=0.0):
        if may_be_found(moment):
            found.append(State.open(moment.ruleset, Setup.of(moment)))
    return found[-1]


def opened_by_both(ruleset: Ruleset, start: Match | Setup) -> State | None:
    """The first state of a game; None if both engines refuse it by the same clauses."""
    options = options_of(ruleset)
    if isinstance(start, Setup):
        theirs = setup_broken(options, ruleset.players, setup_fields(start))
    else:
        pack = str(start.pack) if start.pack else None
        theirs = match_broken(options, ruleset.players, pack)
    try:
        state, ours = State.open(ruleset, start), set[str]()
    except Refused as error:
        state, ours = None, set(gone_back(error.clauses))
    assert ours == theirs, start
    return state
