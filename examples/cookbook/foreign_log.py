"""Games in other formats: a text with suit symbols, and OpenSpiel's numbers."""

import json

from refengine import Refused
from refengine.formats.convert import converted
from refengine.rulings.judge import Judgement, judge_game
from refengine.rulings.submitted_game import read_game

SUITS = {"♣": "C", "♦": "D", "♠": "S", "♥": "H"}
SEATS = ("North", "East", "South", "West")

TEXT = """\
North: ♣2 ♥3
East: ♠Q ♥4
South: ♣10 ♥2
West: ♣3 ♥5
Play: ♣2 ♠Q ♣10 ♣3 ♥2 ♥5 ♥3 ♥4
Points: 0 0 13 4
"""


def card(sign: str) -> str:
    """A card of `TEXT` in the notation of the book: ♣10 becomes TC."""
    return sign[1:].replace("10", "T") + SUITS[sign[0]]


def log_line(text: str) -> bytes:
    """A deal written like `TEXT`, as a compact log that the tools of refengine read."""
    rows = dict(row.split(": ", 1) for row in text.splitlines())
    cards = {
        name: " ".join(map(card, row.split()))
        for name, row in rows.items()
        if name != "Points"
    }
    log = {
        "log": 1,
        "ruleset": {"profile": "estmesh-hearts", "players": 4},
        "setup": {"dealer": 3, "deal": 4, "hands": [cards[name] for name in SEATS]},
        "plays": cards["Play"],
        "score": [int(number) for number in rows["Points"].split()],
    }
    return json.dumps(log).encode()


def judged(text: str) -> Judgement:
    """What the book says about a game written like `TEXT`."""
    return judge_game(read_game(log_line(text)))


def openspiel_score(actions: str) -> tuple[int, ...] | None:
    """The score of an OpenSpiel game, or None if the book refuses one of its acts."""
    try:
        state, _ = converted(actions, {})
    except Refused:
        return None
    return state.score


if __name__ == "__main__":
    print(judged(TEXT).fits)
