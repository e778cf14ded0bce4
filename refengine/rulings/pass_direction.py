"""Sentences on deals in which cards were not passed as the pass cycle requires."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from refengine.chapters.passing import cycle_at_table, pass_of_deal, receiver
from refengine.game.rulesets import Ruleset
from refengine.lawbook.options import PASSES
from refengine.rulings.sentences import Said

_WAYS: Final = {entry: word for word, entry in PASSES.items()}
_NOT_TO_A_SIDE: Final = {
    "hold": "a deal without a pass",
    "scatter": "a scatter",
    "mix": "a mix",
}


def other_pass(ruleset: Ruleset, deal: int, passed: str) -> Iterator[Said]:
    """A sentence saying that a different pass was due in this deal, if one was (4.1).

    `passed` is left, right, across, hold, scatter or mix, or empty if nobody wrote it
    down; then there is no sentence.
    """
    right = _WAYS[int(pass_of_deal(ruleset.rules, deal))]
    if passed in ("", right) or _to_the_same_seat(ruleset.players, passed, right):
        return
    before = right if deal == 1 else _WAYS[int(pass_of_deal(ruleset.rules, deal - 1))]
    if not cycle_at_table(ruleset.rules):
        due = "no cards are passed in this game"
    elif before != right:
        due = f"{_pass_words(right)} comes after {_pass_words(before)}"
    elif right in _NOT_TO_A_SIDE:
        due = f"there is {_pass_words(right)}"
    else:
        due = f"the pass goes {right}"
    odd_across = passed == "across" and ruleset.players % 2 == 1
    plain = right == _listed(ruleset, deal) and not odd_across
    clauses = ("4.1",) if plain else ("4.1", "4.1a")
    yield Said(f"{_done(passed)}, where {due}", clauses)


def pass_of_no_deal(ruleset: Ruleset, passed: str) -> Iterator[Said]:
    """A sentence saying that no deal has this pass, if none has (4.1)."""
    number_of_passes = len(cycle_at_table(ruleset.rules)) or 1
    deals = range(1, number_of_passes + 1)
    found = [one for deal in deals for one in other_pass(ruleset, deal, passed)]
    if len(found) < number_of_passes:
        return
    if number_of_passes > 1:
        text = f"{_done(passed)}, as in no deal of this game"
        found[0] = Said(text, found[0].clauses)
    yield found[0]


def _done(passed: str) -> str:
    """What was done in words, such as `passed left`."""
    if passed == "hold":
        return "nothing passed"
    return _NOT_TO_A_SIDE.get(passed, f"passed {passed}")


def _to_the_same_seat(players: int, passed: str, right: str) -> bool:
    """Whether two passes go to the same seat, as left and right do with two players."""
    if passed in _NOT_TO_A_SIDE or right in _NOT_TO_A_SIDE:
        return False
    if players % 2 and "across" in (passed, right):
        return False
    given = int(receiver(PASSES[passed], 0, players))
    return given == int(receiver(PASSES[right], 0, players))


def _listed(ruleset: Ruleset, deal: int) -> str:
    """The pass that `pass_cycle` lists for this deal, even if it cannot be made here.

    With an odd number of players, the cycle may list `across`.
    """
    cycle = ruleset.options["pass_cycle"]
    assert isinstance(cycle, tuple)
    return str(cycle[(deal - 1) % len(cycle)]) if cycle else "hold"


def _pass_words(way: str) -> str:
    return _NOT_TO_A_SIDE.get(way, way)
