"""Compares the engine in both languages: `python -m carrying.differential`.

Games of every profile, with options changed, are played to their scores. On the way,
acts that are probably refused are tried, and so are many starts that are probably
refused. After each act, the requests ask for all that can be seen, and for what one
seat sees. Python answers each request first; the adapter in JavaScript gets the same
lines and must give the same answers. The command goes on until every clause that a
refusal can name has been named often enough, and every option value that matters has
been played.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import attrs

from refengine import Malformed, Refused, State, profile_names
from refengine.formats.fields import (
    act_fields,
    option_fields,
    ruleset_fields,
    start_fields,
)
from refengine.formats.serve import Session
from refengine.formats.shapes import CLAUSE
from refengine.game.acts import Act, Play, QuitTrick, Retract
from refengine.game.setups import Match, Setup, Start
from refengine.game.values.cardset import CARDS, NO_CARDS, CardSet
from refengine.lawbook.options import OPTIONS
from refengine.lawbook.profiles import profile
from refengine_conformance.generators.directed_games import play_directed_games
from refengine_conformance.generators.strategies import (
    TWELVE,
    Script,
    mended,
    some_opening,
    some_position,
    some_ruleset,
    some_script,
    some_start,
    values_worth_trying,
)

ROOT: Final = Path(__file__).resolve().parents[2]
MOST: Final = 400  # acts in a game: enough for a match of small deals
Json = dict[str, Any]

# Options that bring about refusals for clauses which chance names too seldom.
AIMS: Final[tuple[Json, ...]] = (
    {"queen_waits": "lead", "heart_leads": "when_broken", "revokes": "rejected"},
    {"queen_waits": "play", "first_trick_points": "allowed", "revokes": "rejected"},
    {"queen_duty": "when_safe", "queen_waits": "no", "revokes": "rejected"},
    {
        "all_hearts_leader": "draw",
        "heart_leads": "when_broken",
        "undealt": "stock",
        "opening_leader": "left_of_dealer",
        "opening_card": "any",
        "pass_cycle": (),
    },
    {"revokes": "penalised", "revoke_until": "trick_quitted"},
    {"revokes": "penalised", "revoke_until": "trick_quitted", "revoke_ends_deal": True},
    {"pass_cycle": ("scatter",), "pass_count": 1},
    {"moon": "choice_one", "heart_points": 1, "pass_cycle": ()},
    {"undealt": "kitty", "mix_kitty": True, "pass_cycle": ("mix",), "pass_count": 1},
    {"undealt": "kitty", "kitty_to": "first_trick", "pass_cycle": ()},
    {"deal_ends": "no_points_left", "undealt": "none", "pass_cycle": ()},
)
# Options that exclude each other.
CLASHES: Final[tuple[Json, ...]] = (
    {"limit": 13, "exact_limit_becomes": 14},
    {"limit": "none", "exact_limit_becomes": 2},
    {"limit": "none", "ties": "play_on"},
    {"limit": "none", "moon": "others_plus_unless_losing"},
    {"deal_ends": "no_points_left", "moon": "self_minus", "sun_points": 52},
    {"deal_ends": "no_points_left", "no_trick_points": 3},
    {"deal_ends": "no_points_left", "undealt": "kitty"},
    {"hand_size": 26},
    {"heart_points": 0, "moon": "self_minus"},
)
HEARTS: Final = CardSet("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH")
COUNTING: Final = HEARTS | CardSet("TD JD QS KS AS")
_WHOLE: Final = re.compile(CLAUSE)


def nameable_clauses() -> set[str]:
    """The clauses that a refusal can name: those that the code contains as strings."""
    files = [*(ROOT / "refengine" / "machine").glob("*.py")]
    files.append(ROOT / "refengine" / "game" / "rulesets.py")
    return {
        node.value
        for path in files
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and _WHOLE.fullmatch(node.value)
    }


def worthwhile_values() -> set[tuple[str, str]]:
    """The option values that matter in small games, as pairs of a name and JSON."""
    return {
        (one.name, json.dumps(option_fields({one.name: value})[one.name]))
        for one in OPTIONS
        for value in map(one.read, values_worth_trying(one))
    }


class Talk:
    """A series of requests as lines, with Python's answers to them.

    The clauses that refusals name and the option values played are counted on the way.
    """

    def __init__(self) -> None:
        self.session: Final = Session()
        self.requests: Final[list[bytes]] = []
        self.answers: Final[list[bytes]] = []
        self.named: Final[Counter[str]] = Counter()
        self.values: Final[Counter[tuple[str, str]]] = Counter()
        self.games = 0
        self.scores = 0

    def ask(self, op: str, **more: object) -> Json:
        """Record a request and Python's answer to it, and return the answer."""
        line = json.dumps({"seq": len(self.requests) + 1, "op": op, **more}).encode()
        answer = self.session.handle(line)
        assert answer is not None
        self.requests.append(line)
        self.answers.append(answer)
        found: Json = json.loads(answer)
        if "refused" in found:
            self.named.update(found["refused"]["clauses"])
        return found

    def open(self, ruleset: Json, start: Json) -> Json:
        """Python's answer to a request to open a game."""
        self.games += 1
        answer = self.ask("open", ruleset=ruleset, **start)
        if "ok" in answer:
            self.values.update(
                (name, json.dumps(value)) for name, value in ruleset["options"].items()
            )
        return answer

    def play(self, script: Script, rng: Random) -> None:
        """Play a whole game, and ask at each step what is due, refused and seen."""
        self.open(ruleset_fields(script.ruleset, True), start_fields(script.start))
        self.look(rng, script.ruleset.players)
        for move in script.moves:
            for act in move.tries or self.held_back(rng):
                self.try_out(act)
            self.act("step", move.act)
            self.ask("event", seat=rng.randrange(script.ruleset.players))
            self.look(rng, script.ruleset.players)
        for act in self.held_back(rng):
            self.try_out(act)
        self.scores += self.session.state is not None and self.session.state.over

    def held_back(self, rng: Random) -> list[Act]:
        """One time in three, an act that random play makes too seldom, if there is one.

        It plays a card that may not be played, retracts the card of a revoke, or quits
        the last trick.
        """
        state = self.session.state
        if state is None or rng.random() < 0.67:
            return []
        acts: list[Act] = [
            Retract(int(one.seat), CARDS[one.card]) for one in state.core.record.revokes
        ]
        if state.phase == "play":
            (seat,) = state.turn
            cards = state.hands[seat] - state.legal.cards
            acts += [Play(seat, card) for card in cards]
        elif state.history:
            acts.append(QuitTrick(state.history[-1].winner))
        return rng.sample(acts, min(1, len(acts)))

    def look(self, rng: Random, players: int) -> None:
        """Ask what is due, what the whole state is, and what one random seat sees."""
        self.ask("legal")
        self.ask("observe")
        self.ask("observe", seat=rng.randrange(players))

    def try_out(self, act: Act) -> None:
        """Probe an act and, if it is refused, send it as a step as well."""
        if "refused" in self.act("probe", act):
            self.act("step", act)

    def act(self, op: str, act: Act) -> Json:
        """Python's answer to an act, sent with this operation."""
        return self.ask(op, seat=act.seat, act=act_fields(act))


def some_games(rng: Random, name: str, talk: Talk) -> None:
    """Play games of a profile to their scores, and try to start wrong ones."""
    aims = iter(rng.sample(AIMS, 3))
    for begun in (some_opening(rng, name, rng.randrange(7)), *aimed(rng, name, aims)):
        bold = rng.random() < 0.05
        script = some_script(
            rng, begun, rng.choice((0.2, 0.7)), tries=0.2, most=MOST, bold=bold
        )
        talk.play(script, rng)
    for _ in range(25):
        talk.open(*wrong_ruleset(rng, name))
        talk.open(*wrong_start(rng, name))


def aimed(rng: Random, name: str, aims: Iterable[Json]) -> Iterator[State]:
    """The first states of small games, one for each of these sets of options.

    A set of options is left out if its game cannot be opened.
    """
    for options in aims:
        ruleset = mended(name, rng.randrange(6), options)
        with suppress(Malformed, Refused):
            start = some_start(rng, ruleset)
            if "all_hearts_leader" in options and rng.random() < 0.7:
                start = of_hearts(rng, ruleset.players)
            yield State.open(ruleset, start)


def of_hearts(rng: Random, players: int) -> Setup:
    """A deal with nothing but hearts in the hands, and a stock of three other cards."""
    size = 13 // players
    cards = rng.sample(list(HEARTS), size * players)
    hands = [cards[at::players] for at in range(players)]
    stock = rng.sample(list(TWELVE - HEARTS), 3)
    return Setup(dealer=rng.randrange(players), hands=hands, stock=stock)


def wrong_ruleset(rng: Random, name: str) -> tuple[Json, Json]:
    """A ruleset whose options may contradict each other, and the start of a match.

    The number of players need not be one that the profile allows.
    """
    options: Json = dict(profile(name).options)
    for option in rng.sample(OPTIONS, rng.randrange(1, 8)):
        options[option.name] = rng.choice(values_worth_trying(option))
    if rng.random() < 0.3:
        options |= rng.choice(CLASHES)
    fitting = rng.random() < 0.8
    players = rng.choice(profile(name).players if fitting else range(1, 14))
    ruleset = {"profile": name, "players": players, "options": options}
    return ruleset, {"match": {}}


def wrong_start(rng: Random, name: str) -> tuple[Json, Json]:
    """A ruleset and a start, usually changed so that it is probably refused."""
    while True:
        ruleset = some_ruleset(rng, name, rng.randrange(5))
        if rng.random() < 0.3:
            ruleset = mended(name, rng.randrange(6), rng.choice(AIMS[-2:-1]))
        try:
            if rng.random() < 0.6:
                start: Start = some_position(rng, ruleset)
            else:
                start = some_start(rng, ruleset)
            if rng.random() < 0.3:
                ruleset = ruleset.having(deal_ends="no_points_left")
                start = without_points(start)
            elif rng.random() < 0.9:
                start = spoiled(rng, start)
        except (Malformed, Refused):
            continue
        return ruleset_fields(ruleset, True), start_fields(start)


def without_points(start: Start) -> Start:
    """The start; a position loses its trick, and the hands all cards that may count."""
    if isinstance(start, Match) or start.leader is None:
        return start
    hands = [hand - COUNTING for hand in start.hands]
    return attrs.evolve(start, hands=hands, trick=(), first_trick=False)


def spoiled(rng: Random, start: Start) -> Start:
    """The start, changed at random, so that it is probably refused.

    The start of a match is given another pack. In any other start, one or two changes
    are made to the cards or to other fields.
    """
    if isinstance(start, Match):
        size = rng.randrange(1, 12)
        return Match(start.dealer, rng.sample(list(TWELVE), size))
    changes = rng.randrange(1, 3)
    for _ in range(changes):
        start = _changed(rng, start)
    return start


def _changed(rng: Random, start: Setup) -> Setup:
    hands = list(start.hands)
    seat, other = rng.sample(range(len(hands)), 2)
    some = rng.sample(list(hands[seat]), min(1, len(hands[seat])))
    kind = rng.randrange(16 if start.leader is not None else 6)
    if kind == 0:
        hands[seat] -= set(some)
    elif kind == 1:
        hands[other] |= set(some)
    elif kind == 2:
        hands[seat] -= set(hands[seat])
    elif kind == 3:
        return attrs.evolve(start, stock=(*start.stock, *rng.sample(list(TWELVE), 1)))
    elif kind == 4:
        return attrs.evolve(start, kitty=start.kitty | set(rng.sample(list(TWELVE), 1)))
    elif kind == 5:
        return attrs.evolve(start, deal=rng.randint(1, 6))
    elif kind == 6:
        return attrs.evolve(start, leader=other)
    elif kind == 7:
        return attrs.evolve(start, out=sorted({*start.out, seat}))
    elif kind == 8:
        return attrs.evolve(start, out=[one for one in start.out if one != seat])
    elif kind == 9:
        return attrs.evolve(start, trick=(*start.trick, *some))
    elif kind == 10:
        return attrs.evolve(start, trick=start.trick[:-1])
    elif kind == 11:
        return attrs.evolve(start, hearts_broken=not start.hearts_broken)
    elif kind == 12:
        return attrs.evolve(start, first_trick=not start.first_trick)
    elif kind == 13:
        return attrs.evolve(start, tricks=(0,) * len(hands))
    elif kind == 14:  # those who have still to play have no cards
        left = [one for one, hand in enumerate(hands) if len(hand) >= len(hands[seat])]
        hands = [NO_CARDS if one in left else hand for one, hand in enumerate(hands)]
        return attrs.evolve(start, hands=hands, out=sorted({*start.out, *left}))
    elif kind == 15:  # all but one have no cards
        left = [one for one in range(len(hands)) if one != start.leader]
        hands = [NO_CARDS if one in left else hand for one, hand in enumerate(hands)]
        return attrs.evolve(start, hands=hands, out=left, trick=())
    return attrs.evolve(start, hands=hands)


def conversation(seed: object, names: Sequence[str] = ()) -> Talk:
    """Play games of these profiles, and return the requests and Python's answers.

    By default all profiles are played, and two games that are steered to rare
    situations are added.
    """
    talk = Talk()
    for name in names or profile_names():
        some_games(Random(f"{seed}/{name}"), name, talk)
    if not names:
        rng = Random(f"{seed}/directed")
        games = list(play_directed_games(rng.randrange(2**32)))
        for script in rng.sample(games, 2):
            talk.play(script, rng)
    return talk


def differences(talk: Talk, command: Sequence[str]) -> Iterator[tuple[Json, Json, Any]]:
    """Each request that the adapter answers differently, with both answers."""
    done = subprocess.run(
        command, input=b"\n".join(talk.requests), capture_output=True, check=True
    )
    lines = done.stdout.splitlines()
    for at, request in enumerate(talk.requests):
        right = json.loads(talk.answers[at])
        found = json.loads(lines[at]) if at < len(lines) else None
        if found != right:
            yield json.loads(request), right, found


def main(arguments: Sequence[str] | None = None) -> int:
    """Play games until every clause is named often enough and every value is played.

    Returns 1 if an answer differs, 2 if the rounds run out first, and otherwise 0.
    """
    parser = argparse.ArgumentParser(prog="carrying.differential")
    parser.add_argument("--least", type=int, default=100)
    parser.add_argument("--seed", default="2026")
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("adapter", nargs="+")
    asked = parser.parse_args(arguments)
    wanted = nameable_clauses()
    named: Counter[str] = Counter()
    values = worthwhile_values()
    number_of_values = len(values)
    games = scores = requests = 0
    began = time.monotonic()
    for number in range(asked.rounds):
        talk = conversation(f"{asked.seed}/{number}")
        for request, right, found in differences(talk, asked.adapter):
            print(json.dumps({"asked": request, "Python": right, "other": found}))
            return 1
        named += talk.named
        values -= talk.values.keys()
        games, scores = games + talk.games, scores + talk.scores
        requests += len(talk.requests)
        if not values and all(named[one] >= asked.least for one in wanted):
            break
    print(f"{games} games, {scores} of them to their scores, {requests} requests")
    played = number_of_values - len(values)
    print(f"{len(OPTIONS)} options, {played} of {number_of_values} values played")
    seldom = sorted((named[one], one) for one in wanted)[:12]
    print(f"{len(wanted)} clauses named; the seldomest:", *seldom)
    print(f"answered alike in {time.monotonic() - began:.0f} seconds")
    return 0 if seldom[0][0] >= asked.least and not values else 2


if __name__ == "__main__":
    sys.exit(main())
