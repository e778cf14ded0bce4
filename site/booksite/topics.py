"""The topics of the page of arguments, and which of them an argument belongs to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from refengine.lawbook.reading import chapter_of

TOPICS: Final = {
    "The cut and the deal": ("3", "cut", "deal"),
    "Passing": ("4", "pass", "forward", "mix"),
    "The opening lead and the first trick": ("5.1", "5.2", "5.5"),
    "Leading hearts": ("5.4", "5.9"),
    "The queen of spades": ("5.5b", "5.6"),
    "Following suit, and whose turn it is": ("2", "5"),
    "The kitty": ("5.13",),
    "When the deal is over": ("5.14",),
    "Domino Hearts and the stock": ("6", "draw"),
    "A revoke, and taking it back": ("7", "retract"),
    "Claiming a revoke": ("7.7", "claim"),
    "Turning a trick over": ("7.6", "quit"),
    "What cards cost": ("1", "8"),
    "Shooting the moon": ("8.3", "8.4", "8.5", "8.6", "moon"),
    "The end of the match": ("9",),
}
"""The topics in the order of the page, each with its chapters, clauses and acts."""

_OTHERS: Final = {
    "queen-duty-or-bar": "5.6",
    "queen-under-the-king": "5.6",
    "revoke-that-also-ducks-the-duty": "5.6",
    "heart-thrown-before-my-queen": "5.6",
    "waiting-queen-is-my-only-spade": "5.6",
    "king-on-the-first-trick": "5.5",
    "ace-of-spades-and-the-kitty": "5.13",
    "king-of-spades-keeps-us-playing": "5.14",
    "worthless-heart-still-held": "5.14",
    "moon-and-somebody-elses-jack": "8.3",
    "plus-unless-it-ties": "8.5",
}
"""The clause to use, by argument, if it is not the first clause of the ruling."""


def topic_of(name: str, act: str, ruling: Sequence[str]) -> str:
    """The topic of an argument, given its id, its act and the clauses in its ruling.

    Some ids are assigned to a clause, which then determines the topic. For others it is
    the act or, if no topic lists the act, the first clause of the ruling. A clause is
    looked up by its number, then by its number without the letter, and then by its
    chapter. Raises ValueError if none of these belongs to a topic.
    """
    laid_down = name in _OTHERS
    places = [] if laid_down else [act]
    for clause in [_OTHERS[name]] if laid_down else ruling[:1]:
        places += [clause, re.sub("[a-z]$", "", clause), chapter_of(clause)]
    for place in places:
        for topic, about in TOPICS.items():
            if place in about:
                return topic
    raise ValueError(f"{name}: no topic has {', '.join(places)}")
