"""Save a match after each act, load it, take acts back, and write a moment as text."""

from pathlib import Path
from random import Random

from refengine import Ruleset, State, new_deal, new_match
from refengine.formats.positions import read_position, write_position
from refengine.json import load, save, undo


def go_on(path: Path, acts: int, rng: Random) -> State:
    """The match in this file, or a new one, after up to `acts` more acts, all saved."""
    state = load(path) if path.exists() else new_match(Ruleset("common-hearts"))
    for _ in range(acts):
        if state.over:
            break
        state = state.apply(state.random_act(rng))
        save(state, path)  # leaves the old file or the new one, never half of one
    return state


def take_back(path: Path, acts: int) -> State:
    """The match in this file without its last acts; the file is changed too."""
    state = undo(load(path), acts)
    save(state, path)
    return state


def line_of_a_moment() -> str:
    """A moment of a deal as one line of ASCII, for a forum or an address bar."""
    hands = ["2C 3H", "QS 4C", "5C 2H", "3C 5H"]
    state = new_deal(Ruleset("common-hearts"), hands, dealer=3, deal=4).play("2C")
    line = write_position(state)
    assert read_position(line).legal.cards == state.legal.cards
    return line


if __name__ == "__main__":
    match = Path("match.jsonl")
    print(len(go_on(match, 10, Random()).acts), "acts, of which one is taken back")
    print(len(take_back(match, 1).acts), "are left")
    print(line_of_a_moment())
