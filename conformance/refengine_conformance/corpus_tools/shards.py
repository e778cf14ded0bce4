"""The shards of the corpus: candidates, what each adds, and shrinking. In a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any, Final

import attrs

from refengine.errors import Malformed
from refengine.formats.minideals import Mini, write_mini
from refengine.formats.trace import write_trace
from refengine.game.acts import Draw, Play, Retract
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Setup, Start
from refengine.game.values.cardset import CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.lawbook.options import OPTIONS
from refengine.lawbook.profiles import profile
from refengine_conformance.corpus_tools.evidence import (
    Case,
    case_of,
    diverges,
    fires,
    may_matter,
)
from refengine_conformance.generators.rare_games import games_of_rare_shapes
from refengine_conformance.generators.strategies import (
    TWELVE,
    Move,
    Script,
    mended,
    recorded,
    some_match,
    some_position,
    some_script,
    some_setup,
    some_start,
    values_worth_trying,
)
from refengine_conformance.mutants import designed, source_edits

PATIENCE: Final = 15  # tries after which a surviving mutant is tried less often
MINI_GAMES: Final = 120
FEW: Final = 12
REVOKE_OPTIONS: Final = (
    "revokes",
    "revoke_until",
    "revoke_points",
    "revoke_ends_deal",
)
_ABOUT_REVOKES: Final = ("7.", "8.3b")

Options = dict[str, Any]

_FREE_LEAD: Final = {"opening_leader": "left_of_dealer", "opening_card": "any"}
_UNBROKEN: Final = {"heart_leads": "when_broken", "pass_cycle": ()}
_KITTY: Final = {"undealt": "kitty", "pass_count": 1}
_STOCK: Final = {"undealt": "stock", "hand_size": 2, "pass_cycle": ()}
_LOST: Final = {"moon": "others_plus_unless_losing", "pass_cycle": ()}
_CLAIMED: Final = {"revokes": "penalised", "pass_cycle": ()}
_EARLY: Final = {"deal_ends": "no_points_left", "pass_cycle": ()}
RARE: Final[tuple[tuple[str, Options], ...]] = (
    ("whole", {"undealt": "kitty", "hand_size": "all"}),
    ("whole", {"undealt": "kitty", "hand_size": 10}),
    ("whole", {"removal": "lowest"}),
    ("whole", {"undealt": "none"}),
    ("forward", {"pass_unseen": True, "pass_cycle": ("left",), "pass_count": 1}),
    ("forward", {"pass_unseen": True, "pass_cycle": ("across",), "pass_count": 1}),
    ("deal", {**_KITTY, "mix_kitty": True, "pass_cycle": ("mix",)}),
    ("deal", {**_KITTY, "mix_kitty": False, "pass_cycle": ("mix",)}),
    ("deal", {**_KITTY, **_UNBROKEN}),
    ("deal", {**_KITTY, **_UNBROKEN, "first_trick_points": "allowed"}),
    ("deal", {**_FREE_LEAD, **_UNBROKEN, "hearts_or_queen_leader": "any"}),
    ("deal", {**_FREE_LEAD, **_UNBROKEN, "hearts_or_queen_leader": "queen"}),
    ("deal", {**_UNBROKEN, "first_trick_points": "barred"}),
    ("deal", {"queen_duty": "when_safe", "first_trick_points": "barred"}),
    ("deal", {**_UNBROKEN, "queen_waits": "play", "queen_duty": "when_safe"}),
    ("deal", {**_UNBROKEN, **_FREE_LEAD, "queen_waits": "lead"}),
    ("deal", {**_KITTY, **_UNBROKEN, "kitty_to": "first_trick"}),
    ("deal", {**_KITTY, **_UNBROKEN, "kitty_to": "last_trick"}),
    ("deal", {**_EARLY, "bonus_card": "JD"}),
    ("deal", {**_EARLY, "king_points": 10, "ace_points": 7}),
    ("deal", {**_EARLY, **_CLAIMED, "revoke_until": "next_lead"}),
    ("deal", {"heart_points": "face", "moon": "self_minus"}),
    ("deal", {"queen_points": 0, "moon": "self_minus"}),
    ("deal", {"bonus_card": "JD", "moon_needs_bonus": True, "moon": "others_plus"}),
    ("whole", {"removal": "lowest_no_hearts"}),
    ("deal", {**_LOST, "limit": 14}),
    ("deal", {**_LOST, "limit": 20, "ties": "play_on"}),
    ("deal", {**_LOST, "limit": 16, "exact_limit_becomes": 0}),
    ("deal", {"exact_limit_becomes": 0, "limit": 5, "limit_rule": "reach"}),
    ("deal", {"exact_limit_becomes": 2, "limit": 14, "ties": "play_on"}),
    ("deal", {"ties": "play_on", "limit": 5}),
    ("match", {"ties": "play_on", "limit": 5, "pass_cycle": ()}),
    ("deal", {"bonus_card": "TD", "bonus_points": -1, "moon": "self_minus"}),
    ("deal", {"bonus_card": "JD", "bonus_points": -1, "moon": "others_plus"}),
    ("deal", {**_STOCK, "direction": "counterclockwise"}),
    ("deal", {**_STOCK, **_UNBROKEN, **_FREE_LEAD, "all_hearts_leader": "draw"}),
    ("deal", {**_STOCK, **_UNBROKEN, **_FREE_LEAD, "all_hearts_leader": "lead"}),
    ("deal", {**_STOCK, "hand_size": 1, "no_survivor_stock": "last_to_play"}),
    ("deal", {**_STOCK, "survivor_takes_stock": True, "moon": "self_minus"}),
    ("match", {**_CLAIMED, "revoke_until": "trick_quitted", "revoke_ends_deal": True}),
    ("match", {**_CLAIMED, "revoke_until": "next_lead", "revoke_ends_deal": False}),
    ("deal", {**_CLAIMED, "moon": "self_minus", "revoke_ends_deal": False}),
    ("deal", {**_CLAIMED, **_STOCK, "revoke_until": "next_lead"}),
    ("deal", {**_CLAIMED, **_STOCK, "revoke_until": "trick_quitted"}),
)

Cells = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]
_FLIPPED: Final = "~"  # before a mutant that shows by more than clauses named


_UNTIL_LEAD: Final = {
    **_CLAIMED,
    "revoke_until": "next_lead",
    "revoke_ends_deal": False,
}
_STUCK: Final = {**_UNBROKEN, **_FREE_LEAD}
AIMED: Final[tuple[tuple[str, Options], ...]] = (
    ("hearts", {**_STUCK, "hearts_or_queen_leader": "any"}),
    ("hearts", {**_STUCK, "hearts_or_queen_leader": "queen"}),
    (
        "deal",
        {"opening_leader": "lowest_club", "opening_card": "any_club", "pass_cycle": ()},
    ),
    ("hearts", {**_STUCK, "hand_size": 3, "first_trick_points": "barred"}),
    ("hearts", {**_STUCK, **_STOCK, "all_hearts_leader": "draw"}),
    ("hearts", {**_STUCK, **_STOCK, "all_hearts_leader": "lead"}),
    ("one", {**_LOST, "limit": 14}),
    ("one", {**_LOST, "limit": 20, "ties": "play_on"}),
    ("one", {**_LOST, "limit": 16, "exact_limit_becomes": 0}),
    ("one", {"moon": "others_plus", "limit": 14, "pass_cycle": ()}),
    ("one", {"moon": "choice_one", "sun_points": 52, "pass_cycle": ()}),
    ("one", {"bonus_card": "JD", "moon": "self_minus", "pass_cycle": ()}),
    ("reached", {"ties": "play_on", "limit": 30, "pass_cycle": ()}),
    ("match", {**_CLAIMED, "revoke_ends_deal": True, "limit": "none", "deals": 2}),
    ("match", {**_CLAIMED, "revoke_ends_deal": True, "limit": 30}),
    ("match", {**_UNTIL_LEAD, "limit": "none", "deals": 2}),
    ("match", {**_UNTIL_LEAD, "revoke_until": "trick_quitted", "limit": 30}),
    ("deal", {**_UNTIL_LEAD, "moon": "self_minus"}),
    ("deal", {**_CLAIMED, "revoke_ends_deal": False, "moon": "others_plus"}),
    (
        "hearts",
        {
            **_CLAIMED,
            **_STUCK,
            **_STOCK,
            "all_hearts_leader": "draw",
            "revoke_until": "next_lead",
        },
    ),
)

# Candidates


def candidate_games(
    name: str, family: str, seed: int, depth: int
) -> Iterator[Script | Mini]:
    """The given number of games of a family, always the same for the same seed."""
    if family == "written":
        yield from _written(name)
        return
    if family == "shapes":
        yield from games_of_rare_shapes(name, seed, depth)
        return
    number = 0
    for options, changes in _settings(family, depth):
        rng = Random(f"{seed}/{name}/{family}/{number}")
        number += 1
        for _ in range(4):
            try:
                made = _candidate(rng, name, family, dict(options), changes)
            except (Malformed, Refused):
                continue
            yield made
            break


def _written(name: str) -> Iterator[Script]:
    """Games that chance does not find, written by hand.

    A leader with nothing but hearts draws for the lead while a revoke of the previous
    trick can still be corrected: the draw ends that time under one ruleset, and not
    under the other.
    """
    for until in ("next_lead", "trick_quitted"):
        options = {**_CLAIMED, **_STUCK, **_STOCK, "all_hearts_leader": "draw"}
        try:
            ruleset = Ruleset(name, 2, {**options, "revoke_until": until})
        except (Malformed, Refused):
            return
        start = Setup(dealer=1, hands=["KC 2H", "3C AS"], stock="3H 5D 6D")
        retract = (Retract(1, "AS"),)
        moves = (
            Move(Play(0, "KC")),
            Move(Play(1, "AS")),
            Move(Draw(0), retract),
            Move(Draw(0), retract),
            Move(Play(0, "5D"), retract),
        )
        yield Script(ruleset, start, moves)
        if until == "trick_quitted":
            taken_back = (*moves[:3], Move(Retract(1, "AS")), Move(Play(1, "3C")))
            yield Script(ruleset, start, taken_back)


def _settings(family: str, depth: int) -> Iterator[tuple[Options, int]]:
    if family in ("rare", "aimed"):
        for kind, options in RARE if family == "rare" else AIMED:
            for _ in range(depth):
                yield {"kind": kind, **options}, 0
        return
    if family != "options":
        for number in range(depth):
            yield (
                {},
                {"several": 2 + number % 3, "match": number % 3}.get(
                    family,
                    number % 2 if family in ("position", "revokes", "mini") else 0,
                ),
            )
        return
    for option in OPTIONS:
        for value in values_worth_trying(option):
            for _ in range(depth):
                yield {option.name: value}, 0


def _candidate(
    rng: Random, name: str, family: str, options: Options, changes: int
) -> Script | Mini:
    family = options.pop("kind", family)
    about_revokes = family == "revokes" or bool(options.keys() & set(REVOKE_OPTIONS))
    for option in rng.sample(OPTIONS, changes):
        options.setdefault(option.name, rng.choice(values_worth_trying(option)))
    if family == "revokes":
        for option in OPTIONS:
            if option.name in REVOKE_OPTIONS and rng.random() < 0.7:
                options[option.name] = rng.choice(values_worth_trying(option))
    if about_revokes:
        options.setdefault("revokes", "penalised")
    elif profile(name).options["revokes"] == "penalised":
        options["revokes"] = "rejected"
    if family == "match" and rng.random() < 0.7 and "limit" not in options:
        options |= _short_match(rng)
    if family == "match" and profile(name).options["hand_size"] != "all":
        options.setdefault("hand_size", rng.choice((1, 2)))
    players = rng.choice((0, 0, 0, 1, 1, 2, 3, 6)) + 13 * rng.randrange(2)
    ruleset = mended(name, players, options)
    if family == "mini":
        return Mini(
            ruleset=ruleset, setup=some_setup(rng, ruleset, rng.choice((1, 2, 3)))
        )
    state = State.open(ruleset, _start(rng, family, ruleset))
    wild = rng.choice((0.2, 0.5)) if ruleset.rules.revokes_penalised else 0.0
    most = 24 if family == "whole" else 45
    unseen = rng.choice((0.5, 0.9)) if family == "forward" else 0.2
    script = some_script(rng, state, wild, rng.choice((0.2, 0.5)), most, unseen)
    if family == "whole":  # a deal of 52 cards is long: no more of them than requested
        return attrs.evolve(script, moves=script.moves[: rng.choice((4, 8, 24))])
    return script


def _short_match(rng: Random) -> Options:
    if rng.random() < 0.4:
        return {"limit": "none", "deals": rng.choice((1, 2, 3))}
    return {"limit": rng.choice((5, 13, 14, 20))}


def _start(rng: Random, family: str, ruleset: Ruleset) -> Start:
    if family == "match":
        return some_match(rng, ruleset)
    if family == "whole":
        return some_match(rng, ruleset, whole=True)
    if family == "position":
        return some_position(rng, ruleset)
    if family == "options":
        return some_start(rng, ruleset)
    if family == "hearts":
        return _stuck_leader(rng, ruleset)
    if family in ("one", "reached"):
        return attrs.evolve(
            some_setup(rng, ruleset, 1), limit_reached=family == "reached"
        )
    return some_setup(rng, ruleset)


def _stuck_leader(rng: Random, ruleset: Ruleset) -> Setup:
    """A deal whose opening leader holds hearts, perhaps the queen, and nothing else."""
    setup = some_setup(rng, ruleset)
    players = ruleset.players
    size = len(setup.hands[0])
    if size > 5:
        raise Malformed(f"hands of {size}", "hands that few hearts fill")
    hearts = rng.sample(["2H", "3H", "4H", "5H", "AH"], size)
    if size > 1 and rng.random() < 0.6:
        hearts[0] = "QS"
    rest = [card for card in _REST if card not in hearts]
    needed = size * (players - 1) + len(setup.stock)
    if needed > len(rest):
        raise Malformed(f"{needed} cards", f"at most {len(rest)}")
    others = rng.sample(rest, needed)
    hands = [others[at * size : (at + 1) * size] for at in range(players - 1)]
    hands.insert((setup.dealer + 1) % players, hearts)
    texts = [" ".join(hand) for hand in hands]
    stock = " ".join(others[size * (players - 1) :])
    return attrs.evolve(setup, hands=texts, stock=stock, kitty="")


_REST: Final = [card.value for card in (*TWELVE, *CardSet("4C 5C TD JD 3S 4S 4H 5H"))]


# What a candidate adds


@attrs.define
class Shard:
    """What the lines kept so far cover, and how often each mutant was tried in vain."""

    killed: set[str] = attrs.field(factory=set)
    met: set[tuple[str, str]] = attrs.field(factory=set)
    tried: dict[str, int] = attrs.field(factory=dict)

    def added(self, case: Case) -> Cells:
        """The mutants and pairs that the case is the first to cover."""
        watch = fires(case)
        pairs = () if isinstance(case, Mini) else tuple(sorted(watch.pairs - self.met))
        kills: list[str] = []
        for one in designed.designed_mutants():
            if self._shows(one, case, watch.fired):
                kills += self._ways(one.id, case)
        return tuple(kills), pairs

    def _ways(self, name: str, case: Case) -> Iterator[str]:
        """The mutant, listed twice if it shows by more than the clauses named."""
        if name not in self.killed:
            yield name
        if _FLIPPED + name not in self.killed and diverges(name, case, cited=False):
            yield _FLIPPED + name

    def _shows(self, one: source_edits.Mutant, case: Case, fired: set[str]) -> bool:
        if {one.id, _FLIPPED + one.id} <= self.killed or not may_matter(one.id, case):
            return False
        if one.id.startswith("off:") and one.clauses[0] not in fired:
            return False
        times = self.tried.get(one.id, 0)
        self.tried[one.id] = times + 1
        if times > PATIENCE and times % 8 and not one.id.startswith("off:"):
            return False
        return diverges(one.id, case)


def line_of_candidate(made: Script | Mini) -> bytes:
    """The line of a candidate.

    Raises Malformed or Refused if it cannot be played, or has too many games.
    """
    if isinstance(made, Mini):
        return write_mini(made, MINI_GAMES)
    return write_trace(recorded(made))


def lines_kept_by_shard(
    name: str, family: str, seed: int, depth: int, shrink: bool
) -> list[tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]]:
    """The lines that a shard keeps, with the mutants and pairs that each added."""
    shard = Shard()
    found = []
    for made in candidate_games(name, family, seed, depth):
        try:
            line = line_of_candidate(made)
        except (Malformed, Refused):
            continue
        kills, pairs = shard.added(case_of(line))
        if made.ruleset.rules.revokes_penalised and not _about_revokes(kills, pairs):
            continue
        if not kills and not pairs:
            continue
        if shrink and isinstance(made, Script):
            made = shrink_script(made, kills, pairs)
            line = line_of_candidate(made)
        case_of.cache_clear()
        shard.killed.update(kills)
        shard.met.update(pairs)
        found.append((line.decode(), kills, pairs))
    return found


def _about_revokes(kills: tuple[str, ...], pairs: tuple[tuple[str, str], ...]) -> bool:
    about = [one.partition(":")[2].removeprefix("revoke.") for one in kills] + [
        one for two in pairs for one in two
    ]
    return any(one.startswith((*_ABOUT_REVOKES, "revoke")) for one in about)


# Shrinking


def shrink_script(
    script: Script, kills: tuple[str, ...], pairs: tuple[tuple[str, str], ...]
) -> Script:
    """A script with fewer moves, tries, options and cards that adds the same."""

    def same(other: Script) -> bool:
        try:
            case = case_of(line_of_candidate(other))
        except (Malformed, Refused, AssertionError, IndexError):
            return False
        if pairs and not fires(case).pairs.issuperset(pairs):
            return False
        return all(map(partial(_shows, case), kills))

    script = _shortest(script, same)
    if len(kills) > FEW:  # it is the game itself that adds this
        return script
    for simpler in (_without_tries, _without_options, _without_tricks, _plain_start):
        script = simpler(script, same)
    return script


def _shows(case: Case, one: str) -> bool:
    name = one.removeprefix(_FLIPPED)
    return may_matter(name, case) and diverges(name, case, cited=name == one)


Same = Callable[[Script], bool]


def _shortest(script: Script, same: Same) -> Script:
    low, high = 1, len(script.moves)
    while low < high:
        middle = (low + high) // 2
        if same(attrs.evolve(script, moves=script.moves[:middle])):
            high = middle
        else:
            low = middle + 1
    found = attrs.evolve(script, moves=script.moves[:high])
    return found if same(found) else script


def _without_tries(script: Script, same: Same) -> Script:
    bare = tuple(Move(move.act) for move in script.moves)
    if same(attrs.evolve(script, moves=bare)):
        return attrs.evolve(script, moves=bare)
    for place, move in enumerate(script.moves):
        for fewer in _fewer(move):
            moves = (*script.moves[:place], fewer, *script.moves[place + 1 :])
            if same(attrs.evolve(script, moves=moves)):
                script = attrs.evolve(script, moves=moves)
                break
    return script


def _fewer(move: Move) -> Iterator[Move]:
    if move.tries or move.watcher is not None:
        yield Move(move.act)
    if move.tries and move.watcher is not None:
        yield Move(move.act, (), move.watcher)
    if len(move.tries) > 1:
        for one in move.tries:
            yield Move(move.act, (one,))


def _without_options(script: Script, same: Same) -> Script:
    for option in script.ruleset.changed:
        if option == "revokes":
            continue
        rest = {
            key: value for key, value in script.ruleset.changed.items() if key != option
        }
        ruleset = script.ruleset
        try:
            ruleset = Ruleset(ruleset.profile, ruleset.players, rest)
        except (Malformed, Refused):
            continue
        if same(attrs.evolve(script, ruleset=ruleset)):
            script = attrs.evolve(script, ruleset=ruleset)
    return script


def _without_tricks(script: Script, same: Same) -> Script:
    """Without the cards of some tricks, each played by the seat that held it."""
    start = script.start
    if not isinstance(start, Setup) or start.leader is not None:
        return script
    players = script.ruleset.players
    plays = [move.act.card for move in script.moves if isinstance(move.act, Play)]
    for first in range(len(plays) - players, -1, -1):
        gone = CardSet(set(plays[first : first + players]))
        fewer = tuple(hand - gone for hand in start.hands)
        if len({len(hand) for hand in fewer}) != 1 or not fewer[0]:
            continue
        moves = tuple(
            attrs.evolve(
                move, tries=tuple(one for one in move.tries if not _uses(one, gone))
            )
            for move in script.moves
            if not _uses(move.act, gone)
        )
        other = Script(script.ruleset, attrs.evolve(start, hands=fewer), moves)
        if same(other):
            return _without_tricks(other, same)
    return script


def _uses(act: object, gone: CardSet) -> bool:
    return isinstance(act, Play) and act.card in gone


def _plain_start(script: Script, same: Same) -> Script:
    start = script.start
    changes: list[Options] = [{"dealer": 0}]
    if isinstance(start, Match):
        changes = []
    else:
        changes += [{"totals": None}, {"deal": 1}]
    for change in changes:
        other = attrs.evolve(script, start=attrs.evolve(script.start, **change))
        if other != script and same(other):
            script = other
    return script
