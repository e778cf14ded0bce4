"""A match in the terminal: random players, and human ones who type their acts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

from refengine.chapters.passing import cards_needed, pass_of_deal, receiver
from refengine.chapters.settings import ACROSS, LEFT, MIX, SCATTER
from refengine.cli.colours import right, wrong
from refengine.cli.screen import head, soft
from refengine.errors import Malformed, counted
from refengine.game.acts import Act, Draw
from refengine.game.rulesets import Ruleset
from refengine.game.typed import HELP_LINES, read_act
from refengine.game.values.cardset import Card
from refengine.game.values.state import State, new_match
from refengine.game.verdicts import Refused
from refengine.lawbook.book import clause
from refengine.lawbook.in_short import in_short
from refengine.lawbook.spoken import table_said
from refengine.rulings.words import (
    all_words,
    hand_words,
    list_words,
    seat_words,
    seats_words,
)

BEGIN: Final = "Type help to see what can be typed, and quit to leave."
_LEAVING: Final = ("quit", "exit", "leave", "q")
_ASKING: Final = ("?", "help", "h")


def play_match(
    ruleset: Ruleset,
    rng: Random,
    humans: frozenset[int],
    deals: int | None,
    say: Callable[[str], None],
    ask: Callable[[str], str],
) -> State:
    """The state at the end of a match, or once the given number of deals is over.

    Human seats play, pass and settle moons; cutting, dealing and mixing are left to
    chance. What is typed comes from `ask`; everything worth telling goes to `say`. A
    human who types `quit` leaves, and the match is left unfinished.
    """
    state = new_match(ruleset)
    table = table_said(ruleset.profile, ruleset.players, ruleset.changed)
    say(f"{table}; seats 0 to {ruleset.players - 1}, counted round to the left")
    if humans:
        say(BEGIN)
    while not state.over:
        if state.phase == "deal" and deals is not None and state.deal > deals:
            break
        human = humans.intersection(state.turn)
        if human and state.phase in ("pass", "play", "moon"):
            act = ask_for_act(state, min(human), say, ask)
            if act is None:
                break
        else:
            act = state.random_act(rng)
        state = state_after_telling(state, act, humans, say)
    return state


def ask_for_act(
    state: State, seat: int, say: Callable[[str], None], ask: Callable[[str], str]
) -> Act | None:
    """The first typed act that is not refused; None if the seat leaves the match."""
    for line in situation_words(state, seat):
        say(line)
    while True:
        text = ask(f"seat {seat}, {state.legal.due.kind}:").strip()
        words = text.lower().split()
        try:
            if words in [[one] for one in _LEAVING]:
                return None
            if words in [[one] for one in _ASKING]:
                for line in HELP_LINES:
                    say(line)
            elif words[:1] == ["rule"]:
                _tell_rule(text[len("rule") :].strip(), say)
            else:
                act = read_act(seat, text, passing=state.phase == "pass")
                verdict = state.verdict(act)
                if not isinstance(verdict, Refused):
                    return act
                say(wrong(str(verdict)))
                for number in verdict.clauses:
                    say(f"  {number}: {in_short(number)}")
        except Malformed as error:
            say(str(error))


def _tell_rule(words: str, say: Callable[[str], None]) -> None:
    """Show the clause with this number, or the one that best matches the words."""
    from refengine.lawbook.search_index import numbers_meant  # late: it reads the book

    one = clause(numbers_meant(words)[0])
    say(head(f"{one.number} {one.title}: {in_short(one.number)}"))
    say(one.text)


def situation_words(state: State, seat: int) -> Iterator[str]:
    """What a seat needs to know before it acts, line by line."""
    view = state.observe(seat)
    if view.table is not None and view.table.cards:
        order = zip(state.seats_on_table, view.table.cards, strict=True)
        played = [f"{card} by {seat_words(one)}" for one, card in order]
        yield f"on the table: {', '.join(played)}"
    yield f"{seat_words(seat)} holds {hand_words(view.hand)}"
    if state.phase == "pass":
        yield pass_words(state, seat)
    elif state.phase == "moon":
        yield f"you have shot the moon; the totals are {all_words(state.totals)}"
        choices = state.legal.due.choices
        typed = [f"moon {one}" for one in choices if isinstance(one, str)]
        to_one = ["moon one and a seat"] if len(typed) < len(choices) else []
        yield f"type {list_words([*typed, *to_one], 'or')}"
    elif Draw(seat) in state.legal:
        yield right("you must draw: type draw")
    else:
        yield right(f"may be played: {state.legal.cards}")


def _typed_scatter(seat: int, players: int, hand: Sequence[Card]) -> str:
    """An example of how to type a scatter, with the first cards of a hand."""
    others = [other for other in range(players) if other != seat]
    pairs = zip(others, hand, strict=False)
    return " ".join(["scatter", *(f"{to}:{card}" for to, card in pairs)])


def pass_words(state: State, seat: int) -> str:
    """How many cards a seat passes in this deal, to whom, and how that is typed."""
    rules = state.ruleset.rules
    way = int(pass_of_deal(rules, state.deal))
    number = int(cards_needed(rules, way))
    cards = counted(number, "card")
    hand = list(state.observe(seat).hand)
    some = " ".join(map(str, hand[:number]))
    begin = f"deal {state.deal}:"
    if way == SCATTER:
        begin += " pass one card to each of the others, as in "
        return begin + _typed_scatter(seat, rules.players, hand)
    if way == MIX:
        return f"{begin} give {cards} to the mix, as in {some}"
    side = "across" if way == ACROSS else "your left" if way == LEFT else "your right"
    to = seat_words(int(receiver(way, seat, rules.players)))
    where = side if way == ACROSS else f"on {side}"
    unseen = ", or type forward to pass on incoming cards unseen"
    more = unseen if state.ruleset.options["pass_unseen"] else ""
    return f"{begin} pass {cards} to {to}, {where}; type them, as in {some}{more}"


def state_after_telling(
    state: State, act: Act, humans: frozenset[int], say: Callable[[str], None]
) -> State:
    """Report what the humans may know about the act, and return the state after it.

    A human is told all of its own act. If there are no humans, all of every pass and
    scatter is told.
    """
    watcher = act.seat if act.seat in humans or not humans else min(humans)
    event = state.event(act, watcher)
    after = state.apply(act)
    known = str(event.act) if event.act is not None else event.kind
    told = f"seat {act.seat}: {known}"
    say(told if act.seat in humans or not humans else soft(told))
    if state.phase in ("pass", "mix") and after.phase != state.phase:
        for seat in sorted(humans):
            if (got := received_words(after, seat)) != "":
                say(f"seat {seat} received {got}")
    if after.completed is not None:
        say(f"  seat {after.completed.winner} takes the trick")
    if after.score is not None and state.score is None:
        say(head(f"deal {state.deal} is over: {all_words(after.score)}"))
        say(f"the totals are {all_words(after.totals)}")
    if after.winners is not None and state.winners is None:
        say(head(f"the match is over; lowest: {seats_words(after.winners)}"))
    return after


def received_words(state: State, seat: int) -> str:
    """The cards that a seat was passed in this deal; empty if there were none."""
    got = state.observe(seat).received
    if isinstance(got, tuple):
        return ", ".join(f"{card} from {seat_words(giver)}" for giver, card in got)
    return str(got or "")
