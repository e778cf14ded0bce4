"""Messages that say why a game cannot begin, and which changes would help.

The text for the refusal of a ruleset, a match, a setup or a position is made only when
it is printed, so that code that merely tries to open a game does not spend time on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, cast

import attrs

from refengine.chapters.cards import EMPTY, HEARTS, Mask, all_of, cards_in, count
from refengine.chapters.deal import hand_size, match_pack
from refengine.chapters.passing import cards_needed, cycle_at_table, pass_of_deal
from refengine.chapters.play import opening_leader
from refengine.chapters.settings import Rules
from refengine.errors import Malformed, counted, shown
from refengine.game.rulesets import Ruleset, refusal_of
from refengine.game.setups import Match, Setup
from refengine.game.values.cardset import WHOLE_PACK, Card, CardSet
from refengine.game.values.masks import masks_of, numbers_in
from refengine.game.verdicts import Refused
from refengine.lawbook.book import headings, title
from refengine.lawbook.options import BY_NAME, Option, Value, lowered, value_text
from refengine.lawbook.profiles import Profile, profile, profile_names
from refengine.machine.found_position import hands_before

_MOST_HELP: Final = 6  # the most ways out that are named


def opening_in_words(refused: Refused) -> Malformed:
    """The error for a refused ruleset.

    If the number of players is wrong, the error names the games for that number.
    """
    if refused.clauses != ("2.6",):
        return malformed_opening(refused, "options")
    base, players, _ = cast(tuple[Profile, int, object], refused.asked)
    allowed = f"{numbers_words(base)} for {base.name} (2.6 {title('2.6')})"
    allowed = "; ".join([allowed, *_who_can_play(players)])
    found = shown(players)[:40]  # it may have a thousand digits
    noun = "player" if players == 1 else "players"
    return Malformed(f"{found} {noun}", allowed, "players")


def malformed_opening(refused: Refused, where: str = "") -> Malformed:
    """The error to raise for text that describes refused rules or a refused start."""
    return Malformed("; ".join([refused.brief, *refused.details]), "", where)


def why_refused(broken: tuple[str, ...], asked: tuple[object, ...]) -> Iterator[str]:
    """Yield a phrase for what breaks each clause, and perhaps one for what would help.

    `broken` and `asked` are the `clauses` and the `asked` of a `Refused`.
    """
    match asked:
        case (Profile() as base, players, values):
            typed = cast(Mapping[str, Value], values)
            yield from _RulesAsked(base, players, typed).why(broken)
        case (Ruleset() as ruleset, Match() as match):
            for number in broken:
                yield _why_no_match(number, ruleset.rules, match)
        case _:
            ruleset, setup = cast(tuple[Ruleset, Setup], asked)
            for number in broken:
                yield _FAILS[number](ruleset.rules, setup)


# Rulesets


@attrs.frozen
class _RulesAsked:
    """A profile, a number of players and option values that are refused together."""

    base: Profile
    players: object
    values: Mapping[str, Value]

    def why(self, broken: tuple[str, ...]) -> Iterator[str]:
        """Yield a phrase for what breaks each clause, and any for what would help."""
        if broken == ("2.6",):
            yield f"{self.base.name} is for {numbers_words(self.base)}"
            yield from _who_can_play(self.players)
            return
        for number in broken:
            yield self._values_of(number)
        if ways := list(self._ways_out(broken)):
            yield f"allowed with {_listed(ways[:_MOST_HELP], 'or')}"

    def _values_of(self, number: str) -> str:
        """A phrase with the option values whose combination a clause forbids.

        For 3.9 and 3.9c, the phrase also counts the cards.
        """
        options = headings()[number].options
        named = _listed([_typed(name, self.values[name]) for name in options])
        told = _COUNTED.get(number)
        if told is None or not isinstance(self.players, int):
            return named
        return f"{named}: {told(lowered(self.players, self.values))}"

    def _ways_out(self, broken: tuple[str, ...]) -> Iterator[str]:
        """Yield changes to these clauses' options, each of which makes the rules legal.

        Each is text such as `limit=50`, and any one of them is enough.
        """
        names = [name for number in broken for name in headings()[number].options]
        for name in dict.fromkeys(names):
            for value in self._other_values(BY_NAME[name]):
                changed = {**self.values, name: value}
                if refusal_of(self.base, self.players, changed) is None:
                    yield _typed(name, value)
                    if not isinstance(value, str):
                        break  # one number is example enough

    def _other_values(self, option: Option) -> Iterator[Value]:
        """Yield values to try instead: the option's words, and the values in profiles.

        For `hand_size`, the size of a hand if all 52 cards are dealt is tried too.
        """
        played = [self.base.options[option.name]]
        played += [profile(name).options[option.name] for name in profile_names()]
        if option.name == "hand_size" and isinstance(self.players, int):
            played.append(52 // self.players)
        numbers = [one for one in played if not isinstance(one, str)]
        for value in dict.fromkeys([*option.words, *numbers]):
            if value != self.values[option.name]:
                yield value


def _listed(words: list[str], last: str = "and") -> str:
    """The words as a list in a sentence: `a`, `a and b` or `a, b and c`."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _typed(name: str, value: Value) -> str:
    return f"{name}={value_text(value)}"


def _left_over(rules: Rules) -> str:
    pack = match_pack(rules, EMPTY)
    size = hand_size(rules, pack, False)
    left = count(pack) - size * rules.players
    return f"{_hands(rules, size)} leave {left} of {count(pack)} cards over"


def _too_few(rules: Rules) -> str:
    need = rules.hand_size * rules.players
    pack = count(match_pack(rules, EMPTY))
    return f"{_hands(rules, rules.hand_size)} need {need} cards, and there are {pack}"


def _hands(rules: Rules, size: int) -> str:
    return f"{rules.players} hands of {counted(size, 'card')}"


_COUNTED: Final[dict[str, Callable[[Rules], str]]] = {
    "3.9": _left_over,
    "3.9c": _too_few,
}


# How many may play


def _who_can_play(players: object) -> Iterator[str]:
    """Yield a phrase that names the profiles for this number of players, if any."""
    without = profiles_for(players)
    with_kitty = [
        f"{name} with undealt=kitty"
        for name in profile_names()
        if name not in without and players in profile(name).players_with_kitty
    ]
    if names := [*without, *with_kitty]:
        yield f"{shown(players)} can play {_listed(names, 'or')}"


def profiles_for(players: object) -> tuple[str, ...]:
    """The profiles that allow this number of players even without a kitty."""
    return tuple(name for name in profile_names() if players in profile(name).players)


def numbers_words(found: Profile) -> str:
    """How many players a profile is for, as in `4 players (3 to 10 with a kitty)`."""
    said = f"{_numbers(found.players)} players"
    if found.players_with_kitty == found.players:
        return said
    return f"{said} ({_numbers(found.players_with_kitty)} with a kitty)"


def _numbers(numbers: Iterable[int]) -> str:
    """One or more numbers, in ascending order, as text such as `3 or 4` or `2 to 8`."""
    *first, last = numbers
    if not first:
        return f"{last}"
    if len(first) > 2 and last - first[0] == len(first):
        return f"{first[0]} to {last}"
    return f"{', '.join(map(str, first))} or {last}"


# Matches, setups and positions


def _why_no_match(number: str, rules: Rules, match: Match) -> str:
    cards = match_pack(rules, match.pack.mask)
    pack = count(cards)
    size = hand_size(rules, cards, bool(match.pack))
    hands = _hands(rules, size)
    if number == "4.11":
        deals = range(1, len(cycle_at_table(rules)) + 1)
        most = max(cards_needed(rules, pass_of_deal(rules, one)) for one in deals)
        return f"{hands}, of which {most} are passed in some deal"
    need = size * rules.players
    if number == "3.9e":
        return f"{counted(pack, 'card')} for {rules.players} players"
    if number == "3.9f":
        return f"{hands} need {need} cards, not {pack}"
    fits = _or_one_more(need, rules)
    return f"{hands} leave {pack - need} of {pack} over; {fits} cards fit"


def _or_one_more(fits: int, rules: Rules) -> str:
    """The sizes of a pack that suit the rules, as text such as `48 or 52`.

    They are `fits` and, unless the rules fix the size of a hand, that number plus one
    card for each player. A number above 52 is left out.
    """
    more = fits if rules.hand_size else fits + rules.players
    found = sorted({fits, more})
    return " or ".join(str(one) for one in found if 0 < one <= len(WHOLE_PACK))


def _sizes(sizes: Iterable[int]) -> str:
    return f"{_listed([str(size) for size in sizes])} cards"


def _seats(seats: Iterable[int]) -> str:
    found = [str(seat) for seat in seats]
    return f"seat {found[0]}" if len(found) == 1 else f"seats {_listed(found)}"


def _twice(start: Setup) -> str:
    """A phrase with the cards that a setup or a position contains more than once."""
    places: list[Iterable[Card]] = [*start.hands, start.kitty, start.stock, start.trick]
    seen: set[Card] = set()
    again: list[Card] = []
    for place in (*places, *(start.taken or ())):
        again += [one for one in place if one in seen]
        seen.update(place)
    verb = "appears" if len({*again}) == 1 else "appear"
    return f"{CardSet({*again})} {verb} in it more than once"


def _before(rules: Rules, start: Setup) -> tuple[Mask, ...]:
    """The hands as they were when the trick began."""
    return hands_before(
        rules,
        masks_of(start.hands),
        start.leader or 0,
        numbers_in(start.trick),
        sum(1 << seat for seat in start.out),
    )


def _before_sizes(rules: Rules, start: Setup) -> str:
    held = _sizes(int(count(hand)) for hand in _before(rules, start))
    return f"the hands had {held} when the trick began, but must all be the same size"


def _seats_before(rules: Rules, start: Setup, *, holding: bool) -> list[int]:
    """The seats that held cards when the trick began; if not `holding`, the others."""
    hands = enumerate(_before(rules, start))
    return [seat for seat, hand in hands if bool(hand) is holding]


def _in_play(rules: Rules, start: Setup) -> str:
    seats = _seats_before(rules, start, holding=True)
    held = f"only {_seats(seats)} held cards" if seats else "nobody held a card"
    return f"{held} when the trick began, but at least two seats must"


def _unstated(rules: Rules, start: Setup) -> str:
    empty = _seats_before(rules, start, holding=False)
    seats = [seat for seat in empty if seat not in start.out]
    return f"{_seats(seats)} had no card when the trick began: out has to say so"


def _right_leader(rules: Rules, start: Setup) -> str:
    seat = opening_leader(rules, _before(rules, start), start.dealer)
    return f"{_seats([int(seat)])} leads to the first trick, not seat {start.leader}"


def _out_with_cards(rules: Rules, start: Setup) -> str:
    held = [(seat, start.hands[seat]) for seat in start.out if start.hands[seat]]
    return ", ".join(f"seat {seat} is out and holds {hand}" for seat, hand in held)


def _hearts_down(rules: Rules, start: Setup) -> str:
    hearts = CardSet.of_mask(Mask(cards_in(numbers_in(start.trick)) & HEARTS))
    return f"on the table: {hearts}; so hearts_broken has to be true"


def _taken(rules: Rules, start: Setup) -> str:
    taken = CardSet.of_mask(all_of(masks_of(start.taken or ())))
    verb = "is" if len(taken) == 1 else "are"
    return f"{taken} {verb} taken, but tricks says that nobody has won one"


def _passes_more(rules: Rules, start: Setup) -> str:
    size = len(start.hands[0])
    need = cards_needed(rules, pass_of_deal(rules, start.deal))
    deals = range(1, len(cycle_at_table(rules)) + 1)
    fits = [
        str(one)
        for one in deals
        if cards_needed(rules, pass_of_deal(rules, one)) <= size
    ]
    said = f"hands of {counted(size, 'card')}, and deal {start.deal} passes {need}"
    return f"{said}; deal {_listed(fits, 'or')} would do" if fits else said


_FAILS: Final[dict[str, Callable[[Rules, Setup], str]]] = {
    "3.12b": lambda rules, start: (
        "no hand holds a card that counts, so the deal ended with the previous trick"
    ),
    "3.12c": lambda rules, start: (
        f"the kitty, {start.kitty}, went with the first trick and belongs in taken"
    ),
    "3.12d": lambda rules, start: (
        f"the hands have {_sizes(len(hand) for hand in start.hands)}"
    ),
    "3.12e": lambda rules, start: (
        f"nothing for {_seats(at for at, hand in enumerate(start.hands) if not hand)}"
    ),
    "3.12f": lambda rules, start: _twice(start),
    "3.12g": lambda rules, start: (
        f"a stock of {counted(len(start.stock), 'card')}; only undealt=stock has one"
    ),
    "3.12h": lambda rules, start: (
        f"a kitty of {counted(len(start.kitty), 'card')}; only undealt=kitty has one"
    ),
    "3.12j": lambda rules, start: _twice(start),
    "3.12k": _out_with_cards,
    "3.12m": lambda rules, start: f"seat {start.leader} leads and is out",
    "3.12n": _hearts_down,
    "3.12p": _taken,
    "3.12q": lambda rules, start: (
        f"first_trick is true, but tricks counts {sum(start.tricks or ())} already"
    ),
    "3.12r": lambda rules, start: (
        f"{counted(len(start.trick), 'card')} on the table "
        f"{'makes' if len(start.trick) == 1 else 'make'} the trick complete"
    ),
    "3.12s": _in_play,
    "3.12t": _unstated,
    "3.12u": _before_sizes,
    "3.12v": _right_leader,
    "4.11": _passes_more,
}
