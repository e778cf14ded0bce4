"""One game under many rulesets: differences, what fits, and what an engine plays.

`differences` searches small deals for the shortest game that two rulesets judge
differently. `fitting` says under which changes of the rules everything that was heard
is explained, nearest first. `infer` finds such changes, so that a house rule is told
from a bug.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import comb
from random import Random
from typing import Any, Final

import attrs

from conformance.driver import Adapter
from conformance.transcripts import Moment, Said, Stepwise, Transcript
from refengine import OPTIONS
from refengine.acts import Act, Claim, Draw, Play, Quit, Retract
from refengine.cardset import CARDS, Card, CardSet
from refengine.errors import Malformed
from refengine.fields import Json, asserted, drawn_by, legal_fields, view_fields
from refengine.options import Option, Value
from refengine.rulesets import Ruleset
from refengine.setups import Match, Setup
from refengine.state import State
from refengine.trace import Trace
from refengine.verdicts import Irregular, Legal, Refused, Verdict

# The cards of the smallest deals, then those of the pack of twelve (1.8) and more.
_EIGHT: Final = "2C AC JD QS KS 2H 3H AH"
_TWENTY: Final = "3C 2D 2S AS TD 3D 3S 4H 4C 4D 4S 5H"
BUDGET: Final = 1_700
_LOOK_ON: Final = 150
_MOST_ACTS: Final = 16
_WORDS: Final = {Legal: "legal", Irregular: "irregular", Refused: "refused"}
_MATCH_OPTIONS: Final = ("limit", "limit_rule", "exact_limit_becomes", "ties", "deals")
_DEAL_OPTIONS: Final = ("removal", "hand_size", "undealt")

Change = Mapping[str, Value]
"""Options that an engine reads otherwise than it was told, whatever it was told."""


# ---- The shortest game that shows a difference


@attrs.frozen
class Difference:
    """One game that two rulesets judge differently.

    That they name other clauses for the same refusal is no difference.
    `acts` are accepted under both. `what` is `act` where the rulesets differ on the act
    `asked` next, `legal` where they differ in what is due, `open` where only one allows
    the beginning, or a field of an observation. `answers` say what each has there.
    """

    start: Setup | Match
    acts: tuple[Act, ...]
    what: str
    answers: tuple[str, str]
    asked: Act | None = None

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that only one of the rulesets names for the act asked."""
        sets = [set(_cited(answer)) for answer in self.answers]
        return tuple(sorted(sets[0] ^ sets[1]))


def _cited(answer: str) -> list[str]:
    clauses = answer.partition(" by ")[2]
    return clauses.split(", ") if clauses else []


@attrs.frozen
class Comparison:
    """The shortest difference found, and how far the search was complete.

    Every deal of up to `complete_to` cards a seat out of a pack of eight was tried
    (2C AC JD QS KS 2H 3H AH); of larger ones, up to `tried_to`, a fixed sample.
    """

    difference: Difference | None
    complete_to: int
    tried_to: int


def differences(
    first: Ruleset,
    second: Ruleset,
    *,
    most_cards: int = 3,
    budget: int = BUDGET,
) -> Comparison:
    """The shortest game on which two rulesets differ, by size of hand, then by acts.

    At most `budget` deals of each size are tried. Raises Malformed where the rulesets
    are not for the same number of players.
    """
    if first.players != second.players:
        found = f"rulesets for {first.players} and {second.players} players"
        raise Malformed(found, "the same number of players")
    if at_once := _differ_in_the_deal(first, second):
        return Comparison(at_once, 0, 0)
    complete = 0
    most_cards = max(most_cards, _cards_to_pass(first, second))
    for size in range(1, most_cards + 1):
        setups, whole = _setups(first, second, size, budget)
        best: Difference | None = None
        left = budget * 100
        for setup in setups:
            most = _MOST_ACTS * size if best is None else len(best.acts) - 1
            if shorter := _in_one_deal(first, second, setup, most):
                best, left = shorter, min(left, _LOOK_ON)
            left -= 1
            if left == 0 or (best is not None and not best.acts):
                break
        if best is not None:
            return Comparison(best, complete, size)
        complete = size if whole and complete == size - 1 else complete
    return Comparison(None, complete, most_cards)


def _cards_to_pass(first: Ruleset, second: Ruleset) -> int:
    """The cards that a hand must have for the passes, where these differ."""
    names = ("pass_cycle", "pass_count", "pass_unseen", "mix_kitty")
    if all(first.options[name] == second.options[name] for name in names):
        return 0
    scatter = "scatter" in _entries(first) + _entries(second)
    counts = [int(str(one.options["pass_count"])) for one in (first, second)]
    return min(8, max(*counts, first.players - 1 if scatter else 0))


def _differ_in_the_deal(first: Ruleset, second: Ruleset) -> Difference | None:
    """A difference in what the dealer deals, where the options speak of it."""
    if all(first.options[name] == second.options[name] for name in _DEAL_OPTIONS):
        return None
    start = Match(dealer=0)
    states = [_opened(ruleset, start) for ruleset in (first, second)]
    if not (isinstance(states[0], State) and isinstance(states[1], State)):
        if isinstance(states[0], State) is isinstance(states[1], State):
            return None
        return Difference(start, (), "open", (_word(states[0]), _word(states[1])))
    deal = states[0].random_act(Random(0))
    said = [
        _answer(state.verdict(deal)) for state in states if isinstance(state, State)
    ]
    if said[0] == said[1]:
        return None
    return Difference(start, (), "act", (said[0], said[1]), deal)


def _opened(ruleset: Ruleset, start: Setup | Match) -> State | Refused | Malformed:
    try:
        return State.open(ruleset, start)
    except (Refused, Malformed) as error:
        return error


def _word(opened: State | Refused | Malformed) -> str:
    if isinstance(opened, Refused):
        return f"refused by {', '.join(opened.clauses)}"
    return "legal" if isinstance(opened, State) else "malformed"


def _answer(verdict: Verdict) -> str:
    if isinstance(verdict, Legal):
        return "legal"
    return f"{_WORDS[type(verdict)]} by {', '.join(verdict.clauses)}"


def _setups(
    first: Ruleset, second: Ruleset, size: int, budget: int
) -> tuple[Iterator[Setup], bool]:
    """The deals of one size to try, and whether these are all of them."""
    beside = _cards_beside(first, second)
    pack = _pack(first, second, max(8, first.players * size + max(beside)))
    frames = list(_frames(first, second))
    need = first.players * size
    if need > len(pack):
        return iter(()), False
    ways = 1
    for place in range(first.players):
        ways *= comb(len(pack) - place * size, size)
    if ways * len(frames) <= budget and max(beside) == 0:
        deals: Iterable[tuple[list[CardSet], list[Card]]] = (
            (hands, []) for hands in _all_hands(pack, first.players, size)
        )
        return _framed(deals, frames, first), True
    sampled = _sampled_hands(pack, first.players, size, beside, budget)
    return islice(_framed(sampled, frames, first), budget), False


def _pack(first: Ruleset, second: Ruleset, number: int) -> list[Card]:
    """So many cards, those on which the rules turn first."""
    cards = f"{_EIGHT} {_TWENTY}".split()
    if "TD" in (first.options["bonus_card"], second.options["bonus_card"]):
        cards = ["TD", *(card for card in cards if card != "TD")]
    cards += [str(card) for card in CARDS if str(card) not in cards]
    return [Card(text) for text in cards[: number if number == 8 else max(12, number)]]


def _cards_beside(first: Ruleset, second: Ruleset) -> tuple[int, ...]:
    """How many cards of a stock or kitty to try."""
    both = {first.options["undealt"], second.options["undealt"]}
    return (0,) if both == {"none"} or len(both) > 1 else (0, 1, 2, 3)


def _all_hands(
    pack: Sequence[Card], players: int, size: int
) -> Iterator[list[CardSet]]:
    if players == 0:
        yield []
        return
    for hand in combinations(pack, size):
        rest = [card for card in pack if card not in hand]
        for others in _all_hands(rest, players - 1, size):
            yield [CardSet(hand), *others]


def _sampled_hands(
    pack: Sequence[Card], players: int, size: int, beside: tuple[int, ...], number: int
) -> Iterator[tuple[list[CardSet], list[Card]]]:
    rng = Random(size)
    for place in range(number):
        rest = beside[place % len(beside)]
        cards = rng.sample(pack, min(len(pack), players * size + rest))
        hands = [
            CardSet(cards[seat * size : (seat + 1) * size]) for seat in range(players)
        ]
        yield hands, cards[players * size :]


def _framed(
    deals: Iterable[tuple[list[CardSet], list[Card]]],
    frames: Sequence[Json],
    ruleset: Ruleset,
) -> Iterator[Setup]:
    kitty = ruleset.options["undealt"] == "kitty"
    for hands, rest in deals:
        more: Json = {"kitty": CardSet(rest)} if kitty else {"stock": rest}
        for frame in frames:
            yield Setup(dealer=0, hands=tuple(hands), **frame, **more)


def _frames(first: Ruleset, second: Ruleset) -> Iterator[Json]:
    """The numbers of the deal and the totals before it that may matter.

    The first is plain, so that a difference that needs no frame is shown without.
    """
    players = first.players
    deals = sorted(_deals(first, second))
    for deal in deals:
        yield {"deal": deal}
    same = all(first.options[name] == second.options[name] for name in _MATCH_OPTIONS)
    losing = "others_plus_unless_losing"
    if same and losing not in (first.options["moon"], second.options["moon"]):
        return
    for ruleset in (first, second):
        limit = ruleset.options["limit"]
        if not isinstance(limit, int):
            continue
        for below in (1, 2, 13, 26):
            yield {"deal": deals[0], "totals": (limit - below,) * players}
            yield {"deal": deals[0], "totals": (limit - below, *[0] * (players - 1))}
            yield {"deal": deals[0], "totals": (0, *[limit - below] * (players - 1))}


def _deals(first: Ruleset, second: Ruleset) -> set[int]:
    """Numbers of deals: one without a pass, and all of the cycle where it differs."""
    cycles = [_entries(first), _entries(second)]
    found = set()
    names = ("pass_cycle", "pass_count", "pass_unseen", "mix_kitty")
    if any(first.options[name] != second.options[name] for name in names):
        found = set(range(1, min(12, len(cycles[0]) * len(cycles[1])) + 1))
    else:
        holds = [place for place, way in enumerate(cycles[0], 1) if way == "hold"]
        found = {holds[0] if holds else 1}
    for ruleset in (first, second):
        if ruleset.options["limit"] == "none":
            found.add(int(str(ruleset.options["deals"])))
    return found


def _entries(ruleset: Ruleset) -> tuple[str, ...]:
    cycle = ruleset.options["pass_cycle"]
    assert isinstance(cycle, tuple)
    odd = ruleset.players % 2 == 1
    left = tuple(way for way in cycle if not (odd and way == "across"))
    return left or ("hold",)


def _in_one_deal(
    first: Ruleset, second: Ruleset, setup: Setup, most: int
) -> Difference | None:
    """The shortest difference in one deal, of at most so many acts."""
    opened = _opened(first, setup), _opened(second, setup)
    if not (isinstance(opened[0], State) and isinstance(opened[1], State)):
        return None  # hands too small for a pass say nothing about the game
    layer = [(opened[0], opened[1])]
    for _ in range(most + 1):
        after: list[tuple[State, State]] = []
        for one, other in layer:
            if found := _at_one_moment(one, other):
                return attrs.evolve(found, start=setup, acts=one.acts)
            after += _followers(one, other)
        layer = after[: 64 if len(setup.hands[0]) == 1 else 8]
        if not layer:
            break
    return None


def _at_one_moment(one: State, other: State) -> Difference | None:
    nowhere = Setup(dealer=0, hands=())
    for name, ask in _SEEN.items():
        said = str(ask(one)), str(ask(other))
        if said[0] != said[1]:
            return Difference(nowhere, (), name, said)
    for act in acts_worth_asking(one):
        verdicts = one.verdict(act), other.verdict(act)
        if type(verdicts[0]) is not type(verdicts[1]):
            said = _answer(verdicts[0]), _answer(verdicts[1])
            return Difference(nowhere, (), "act", said, act)
    return None


_SEEN: Final[dict[str, Callable[[State], object]]] = {
    "legal": lambda state: state.legal.due,
    "points": lambda state: state.points,
    "hearts_broken": lambda state: state.hearts_broken,
    "revokes": lambda state: state.revokes,
    "score": lambda state: state.score,
    "totals": lambda state: state.totals,
    "match": lambda state: state.winners,
    "taken": lambda state: list(map(str, state.taken)),
}


def acts_worth_asking(state: State) -> list[Act]:
    """Acts on which rulesets may differ: each card held, and what is never listed."""
    found: list[Act] = []
    if state.phase == "play":
        seat = state.turn[0]
        found += [Play(seat, card) for card in state.hands[seat]]
        found.append(Draw(seat))
    if state.history:
        found.append(Quit(state.history[-1].winner))
    for note in state.revokes:
        trick = note.trick - 1
        cards = state.history[trick].cards if trick < len(state.history) else ()
        table = state.table.cards if state.table is not None else ()
        found += [Retract(note.seat, card) for card in (*cards, *table)]
        found.append(
            Claim((note.seat + 1) % state.ruleset.players, note.seat, note.trick)
        )
    return found


def _followers(one: State, other: State) -> Iterator[tuple[State, State]]:
    acts: list[Act] = []
    if one.legal.due.kind not in ("deal", "mix", "over"):
        acts += islice(one.legal, 3 if one.phase == "pass" else 20)
    acts += [act for act in acts_worth_asking(one) if act not in acts]
    for act in acts:
        verdict = one.verdict(act)
        if not isinstance(verdict, Refused):
            yield one.apply(act), other.apply(act)


# ---- What fits


@attrs.frozen
class Record:
    """What an engine said to a trace."""

    trace: Trace
    transcript: Transcript


def record_of(trace: Trace) -> Record:
    """A trace taken as what somebody's engine said, all that it states included."""
    moments = tuple(
        Moment(
            answer=Said(True, step.breaks),
            legal=step.legal,
            refuse=tuple((probe, Said(False)) for probe in step.refuse),
            irregular=tuple((probe, Said(True)) for probe in step.irregular),
            then=step.then or None,
        )
        for step in trace.steps
    )
    return Record(trace, Transcript("step", moments, end=trace.end or None))


def heard(adapter: Adapter, trace: Trace) -> Record:
    """What an adapter says to a trace, asked act by act."""
    return Record(trace, Stepwise(adapter, trace).transcript())


def misfits(record: Record, ruleset: Ruleset) -> list[str]:
    """Where the record is not as this ruleset has it: steps and what was asked.

    Clauses that were named do not count, only whether an act was legal, irregular or
    refused. The list ends where the games part.
    """
    return [what for what in _judged(record, ruleset) if what]


def _judged(record: Record, ruleset: Ruleset) -> Iterator[str]:
    """For each answer where it does not fit, or nothing where it does."""
    transcript = record.transcript
    state = _opened(ruleset, record.trace.start)
    if not isinstance(state, State):
        yield "open"
        return
    drew = None
    for number, (step, moment) in enumerate(
        zip(record.trace.steps, transcript.moments, strict=False), 1
    ):
        if isinstance(moment.legal, dict | str):
            yield "" if moment.legal == legal_fields(state) else f"{number} legal"
        for probe, answer in (*moment.refuse, *moment.irregular):
            if isinstance(answer, Said):
                fits = _fits(state, probe.act, answer)
                yield "" if fits else f"{number} {probe.act}"
        if not isinstance(moment.answer, Said):
            return
        fits = _fits(state, step.act, moment.answer)
        yield "" if fits else f"{number} {step.act}"
        if not (fits and moment.answer.accepted):
            return
        before, state = state, state.apply(step.act)
        drew = drawn_by(before, step.act, state)
        yield from _unlike(state, moment.then, drew, f"{number} then")
        yield from _unlike(state, moment.view, drew, f"{number} view", True)
    yield from _unlike(state, transcript.end, drew, "end")


def _fits(state: State, act: Act, answer: Said) -> bool:
    try:
        verdict = state.verdict(act)
    except Malformed:
        return not answer.accepted
    if isinstance(verdict, Refused):
        return not answer.accepted
    return answer.accepted and isinstance(verdict, Irregular) is bool(answer.clauses)


def _unlike(
    state: State, heard: object, drew: Any, where: str, view: bool = False
) -> Iterator[str]:
    if not isinstance(heard, dict):
        return
    seen = view_fields(state.observe(heard["seat"])) if view else None
    for name, value in heard.items():
        if name == "view":
            continue
        ours = asserted(state, name, drew) if seen is None else seen.get(name)
        yield "" if ours == value else f"{where}.{name}"


@attrs.frozen
class Fit:
    """A ruleset that explains a record.

    `away` is how many options it has otherwise than the record was made for;
    `undetermined` are options whose other values would explain it as well.
    """

    ruleset: Ruleset
    away: int
    undetermined: tuple[str, ...]


def fitting(
    records: Sequence[Record] | Record,
    rulesets: Iterable[Ruleset],
    near: Ruleset | None = None,
) -> list[Fit]:
    """The rulesets that explain all records, nearest first.

    `near` is the ruleset from which distance is counted, that of the first record
    unless it is given.
    """
    listed = [records] if isinstance(records, Record) else list(records)
    if not listed:
        return []
    near = near or listed[0].trace.ruleset
    found = [one for one in rulesets if not any(misfits(item, one) for item in listed)]
    fits = [Fit(one, _distance(one, near), _undetermined(listed, one)) for one in found]
    return sorted(fits, key=lambda fit: (fit.away, fit.ruleset.profile))


def _distance(one: Ruleset, other: Ruleset) -> int:
    idle = set(one.without_effect) & set(other.without_effect)
    return sum(
        value != other.options[name] and name not in idle
        for name, value in one.options.items()
    )


def _undetermined(records: Sequence[Record], ruleset: Ruleset) -> tuple[str, ...]:
    found = []
    for option in OPTIONS:
        others = [
            one
            for value in values_to_try(option, ruleset.options[option.name])
            if (one := changed(ruleset, {option.name: value})) is not None
            and one != ruleset
        ]
        if not any(misfits(item, one) for one in others for item in records):
            found.append(option.name)
    return tuple(found)


def changed(ruleset: Ruleset, change: Change) -> Ruleset | None:
    """The ruleset with these options changed, None where the book forbids it."""
    try:
        return ruleset.having(**change)
    except (Refused, Malformed):
        return None


_CYCLES: Final = (
    (),
    ("left",),
    ("right",),
    ("across",),
    ("scatter",),
    ("mix",),
    ("left", "right", "across"),
    ("left", "right", "across", "hold"),
    ("left", "right", "across", "scatter"),
    ("left", "right", "across", "scatter", "hold"),
)
_NUMBERS: Final[dict[str, tuple[int, ...]]] = {
    "hand_size": (1, 2, 3, 4, 5, 6, 12, 13),
    "pass_count": (0, 1, 2, 3, 4),
    "heart_points": (0, 1, 2),
    "queen_points": (0, 1, 5, 12, 13),
    "bonus_points": (-10, -5, 5, 10),
    "sun_points": (0, 52),
    "no_trick_points": (0, -5, 5),
    "revoke_points": (0, 13, 26),
    "limit": (13, 26, 31, 50, 100),
    "exact_limit_becomes": (0, 50),
    "deals": (1, 2, 3, 4),
}


def values_to_try(
    option: Option, now: Value, numbers: Iterable[int] = ()
) -> list[Value]:
    """Values of an option, that it has now among them; `numbers` are tried too."""
    found: list[Value] = [now]
    if isinstance(option.base, bool):
        found += [False, True]
    elif isinstance(option.base, tuple):
        found += list(_CYCLES)
        if isinstance(now, tuple):
            for place in range(len(now)):
                for way in option.words:
                    found.append((*now[:place], way, *now[place + 1 :]))
            found += [(*now, way) for way in option.words] + [now[:-1]]
    else:
        found += list(option.words)
        if option.least is not None:
            wanted = (*_NUMBERS.get(option.name, ()), *numbers)
            found += [one for one in wanted if option.least <= one <= option.most]
    unique: list[Value] = []
    for value in found:
        if not any(
            value is one or (value == one and type(value) is type(one))
            for one in unique
        ):
            unique.append(value)
    return unique


# ---- What an engine plays


class _Judge:
    """How far records agree with changes of the rules, each thing worked out once."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.records: Final = tuple(records)
        self._agreed: dict[tuple[int, tuple[object, ...]], float] = {}

    def agreed(self, record: Record, change: Change) -> float:
        """How far a record agrees with a change of the rules: 1 for wholly."""
        base = record.trace.ruleset
        ruleset = changed(base, change) if change else base
        if ruleset is None:
            return 0.0
        # hearts_broken is stated in every ruleset, also where hearts are free (5.9)
        idle = {*ruleset.without_effect} - {"queen_breaks_hearts"}
        values = ruleset.options.items()
        key = id(record), tuple(value for name, value in values if name not in idle)
        if key not in self._agreed:
            self._agreed[key] = _share(record, ruleset)
        return self._agreed[key]

    def explained(self, record: Record, change: Change) -> bool:
        """Whether all of a record is right under this change of the rules."""
        return self.agreed(record, change) == 1.0

    def explains(self, change: Change) -> bool:
        """Whether all records are right under this change of the rules."""
        return all(self.explained(record, change) for record in self.records)


def _share(record: Record, ruleset: Ruleset) -> float:
    """The share of the answers that are as the ruleset has them."""
    judged = list(_judged(record, ruleset))
    good = sum(not what for what in judged)
    return 1.0 if good == len(judged) else 0.9 * good / max(_answers(record), good, 1)


def _answers(record: Record) -> int:
    """How many answers a record has."""
    number = 0
    for one in record.transcript.moments:
        number += 2 + len(one.refuse) + len(one.irregular)
        number += len(one.then) if isinstance(one.then, dict) else 0
        number += len(one.view) if isinstance(one.view, dict) else 0
    end = record.transcript.end
    return number + (len(end) if isinstance(end, dict) else 0)


@attrs.frozen
class Inference:
    """What explains an engine: changes of the rules under which all it said is right.

    `changes` are those found, nearest first: options that the engine reads so whatever
    it is told; `{}` where it plays as told, none where nothing explains it. For the
    first of them `open_to` has for every option the values that explain everything as
    well. The corpus cannot tell these apart.
    """

    records: tuple[Record, ...]
    changes: tuple[dict[str, Value], ...]
    open_to: dict[str, tuple[Value, ...]]

    @property
    def explained(self) -> bool:
        """Whether there is a change of the rules that explains everything."""
        return bool(self.changes)

    @property
    def undetermined(self) -> tuple[str, ...]:
        """The options of which several values explain everything."""
        return tuple(name for name, values in self.open_to.items() if len(values) > 1)

    def explains(self, change: Change) -> bool:
        """Whether everything is right under this change of the rules."""
        return _Judge(self.records).explains(change)


def infer(records: Iterable[Record], *, most: int = 12) -> Inference:
    """What explains these records, found by single changes and then by several.

    Records of traces that the engine could not open, or in which it fell silent, say
    nothing and are left out. At most so many options are changed.
    """
    judge = _Judge(one for one in records if _tells(one))
    return _Inferring(judge, most).inference()


def _tells(record: Record) -> bool:
    transcript = record.transcript
    return transcript.opened is None and bool(transcript.moments)


def _numbers_in(records: Sequence[Record]) -> tuple[int, ...]:
    """Numbers that were seen in scores: what options with numbers may be."""
    found: Counter[int] = Counter()
    for record in records:
        for one in (*record.transcript.moments, record.transcript.end):
            fields = one.then if isinstance(one, Moment) else one
            if isinstance(fields, dict):
                for name in ("points", "score", "totals"):
                    found.update(set(fields.get(name, ())))
    signed: Counter[int] = Counter()
    for number, often in found.items():
        signed.update({number: often, -number: often, number + 1: 1})
    return tuple(number for number, _ in signed.most_common(_MOST_NUMBERS))


_MOST_NUMBERS: Final = 64
_FEW: Final = 8
_MANY: Final = 40
_WAYS: Final = 4
_VALUES: Final = 6


class _Inferring:
    """The search for changes of the rules that explain all records."""

    def __init__(self, judge: _Judge, most: int) -> None:
        self.judge = judge
        self.most = most
        self.numbers = _numbers_in(judge.records)

    def inference(self) -> Inference:
        """What was found."""
        records = self.judge.records
        changes: list[dict[str, Value]] = []
        wrong = self._wrong({})
        if not wrong:
            changes = [{}]
        elif singles := self._singles(wrong):
            changes = singles
        elif (several := self._climbed()) is not None:
            changes = [several]
        open_to = self._open_to(changes[0]) if changes and records else {}
        return Inference(records, tuple(changes), open_to)

    def _wrong(self, change: Change) -> list[Record]:
        judge = self.judge
        return [one for one in judge.records if not judge.explained(one, change)]

    def _one_more(self, change: Change) -> Iterator[dict[str, Value]]:
        """The change with one option more, or otherwise."""
        base = self.judge.records[0].trace.ruleset
        for option in OPTIONS:
            now = change.get(option.name, base.options[option.name])
            for value in values_to_try(option, now, self.numbers):
                yield {**change, option.name: value}

    def _singles(self, wrong: Sequence[Record]) -> list[dict[str, Value]]:
        """The changes of one option that explain everything."""
        judge = self.judge
        return [
            change
            for change in self._one_more({})
            if all(judge.explained(one, change) for one in wrong)
            and judge.explains(change)
        ]

    def _climbed(self) -> dict[str, Value] | None:
        """A change of several options that explains everything, made one by one.

        Where one way leads nowhere, another is tried without the option that it began
        with: a limit may hide what is really another number of deals.
        """
        shunned: set[str] = set()
        for _ in range(_WAYS):
            path = [*self._path(shunned)]
            if path and not self._wrong(path[-1]):
                return self._pruned(path[-1])
            if not path:
                return None
            shunned |= path[0].keys()
        return None

    def _path(self, shunned: set[str]) -> Iterator[dict[str, Value]]:
        """Changes that agree better and better, each with one option more."""
        change: dict[str, Value] = {}
        for _ in range(3 * self.most):
            wrong = self._wrong(change)
            better = self._step_up(wrong, change, shunned) if wrong else None
            if better is None or len(better) > self.most:
                return
            yield better
            change = better

    def _step_up(
        self, wrong: Sequence[Record], change: dict[str, Value], shunned: set[str]
    ) -> dict[str, Value] | None:
        """The change with one option more that agrees best; None where none does."""
        candidates = [
            tried for tried in self._one_more(change) if not shunned & tried.keys()
        ]
        few = wrong[:: max(1, len(wrong) // _FEW)][:_FEW]
        right = [one for one in self.judge.records if one not in wrong]
        many = [*wrong[:_MANY], *right[:_MANY]]

        def agreed(tried: Change, records: Sequence[Record]) -> float:
            return sum(self.judge.agreed(one, tried) for one in records)

        floor = agreed(change, few) + 1e-9
        ranked = [
            (agreed(tried, few), -place) for place, tried in enumerate(candidates)
        ]
        found: Counter[frozenset[str]] = Counter()
        hopeful: list[int] = []
        for share, place in sorted(ranked, reverse=True):
            option = frozenset(
                name
                for name, value in candidates[-place].items()
                if change.get(name) != value
            )
            found[option] += 1
            if share > floor and found[option] <= _VALUES and len(hopeful) < 3 * _FEW:
                hopeful.append(-place)
        best, most = None, agreed(change, many) + 1e-9
        for place in hopeful:
            if (share := agreed(candidates[place], many)) > most:
                best, most = candidates[place], share
        return best

    def _pruned(self, change: dict[str, Value]) -> dict[str, Value]:
        """The change without the options that it does not need."""
        for name in list(change):
            fewer = {other: one for other, one in change.items() if other != name}
            if self.judge.explains(fewer):
                change = fewer
        return change

    def _open_to(self, change: dict[str, Value]) -> dict[str, tuple[Value, ...]]:
        """For every option the values under which everything is explained as well."""
        base = self.judge.records[0].trace.ruleset
        found = {}
        for option in OPTIONS:
            now = change.get(option.name, base.options[option.name])
            found[option.name] = tuple(
                value
                for value in values_to_try(option, now)
                if value == now or self.judge.explains({**change, option.name: value})
            )
        return found


__all__ = [
    "Comparison",
    "Difference",
    "Fit",
    "Inference",
    "Record",
    "differences",
    "fitting",
    "heard",
    "infer",
    "misfits",
    "record_of",
]
