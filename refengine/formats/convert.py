"""Games of OpenSpiel's `hearts` as traces, read from action lists, one game to a line.

A line holds whole numbers: the direction of the pass (0 none, 1 left, 2 across, 3
right), the 52 cards as dealt round the table from seat 0 on, the 12 cards passed (if
there is a pass, three by each seat from seat 0 on), and the cards played. A card is
rank * 4 + suit, with the suits in the order C D H S.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from refengine.errors import Malformed, shown
from refengine.formats.fields import drawn_by, legal_fields, normal_state_fields
from refengine.formats.recording import bare_step
from refengine.formats.trace import Step, Trace, opened
from refengine.game.acts import Act, Pass, Play
from refengine.game.rulesets import Ruleset, changes_given
from refengine.game.setups import Setup
from refengine.game.values.cardset import Card, CardSet
from refengine.game.values.state import State

DIRECTIONS: Final = ("hold", "left", "across", "right")
_RANKS: Final = "23456789TJQKA"
_SUITS: Final = "CDHS"
_PLAYERS: Final = 4
_PASSED: Final = 3


def openspiel_card(action: int) -> Card:
    """The card that one of OpenSpiel's actions stands for."""
    return Card(_RANKS[action // 4] + _SUITS[action % 4])


def _actions(line: str) -> list[int]:
    """The actions in a line; raises Malformed for any that is not from 0 to 51."""
    words = line.replace(",", " ").split()
    found: list[int] = []
    for place, word in enumerate(words):
        if not word.isascii() or not word.isdigit() or len(word) > 2 or int(word) > 51:
            raise Malformed(f"{word!r:.40}", "an action from 0 to 51", f"[{place}]")
        found.append(int(word))
    return found


def converted(
    line: str, options: Mapping[str, object], name: str = ""
) -> tuple[State, Trace]:
    """The final state and the trace of the game that an action list records.

    The game is played under `options`, except that the line itself says how the cards
    are passed; `name` is the name of the trace.
    Raises Malformed if the line is not text, if the list is not one of OpenSpiel's
    games or if an option is not in the book, and Refused if a clause forbids the
    options or the rules refuse an act.
    """
    if not isinstance(line, str):
        raise Malformed(shown(line)[:40], "a line of actions, as text")
    changes = changes_given(options)
    actions = _actions(line)
    if not actions or actions[0] >= len(DIRECTIONS):
        found = f"{actions[0]}" if actions else "nothing"
        raise Malformed(found, "a direction from 0 to 3", "[0]")
    way = DIRECTIONS[actions[0]]
    hands = _hands_dealt(actions[1:53])
    ruleset = Ruleset("openspiel-hearts", _PLAYERS, {**changes, "pass_cycle": [way]})
    setup = Setup(dealer=_PLAYERS - 1, deal=1, hands=hands)
    state = opened(ruleset, setup)
    rest = [openspiel_card(card) for card in actions[53:]]
    steps: list[Step] = []
    if way != "hold":
        given, rest = rest[: _PLAYERS * _PASSED], rest[_PLAYERS * _PASSED :]
        for seat, first in enumerate(range(0, len(given), _PASSED)):
            packet = given[first : first + _PASSED]
            state = _done(steps, state, Pass(seat, packet))
    for card in rest:
        state = _done(steps, state, Play(state.seat_in_turn, card))
    end = normal_state_fields(state)
    return state, Trace(
        ruleset=ruleset, start=setup, steps=tuple(steps), end=end, name=name
    )


def _hands_dealt(dealt: list[int]) -> list[CardSet]:
    """The hands, of cards dealt one by one; raises Malformed unless it is the pack."""
    if len(set(dealt)) < 52:
        raise Malformed(f"{len(set(dealt))} cards dealt", "52 different ones", "[1]")
    return [
        CardSet([openspiel_card(card) for card in dealt[seat::_PLAYERS]])
        for seat in range(_PLAYERS)
    ]


def _done(steps: list[Step], state: State, act: Act) -> State:
    """Add the step of an act to `steps`, and return the state after the act."""
    step, after = bare_step(state, act)
    seen = normal_state_fields(after, drawn_by(state, act, after))
    told = ("trick", "turn", "points")
    then = {name: value for name, value in seen.items() if name in told}
    steps.append(Step(act, legal_fields(state), step.breaks, then=then))
    return after
