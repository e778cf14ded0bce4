"""The front page: who the book is for, a question to begin with, and the contents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from booksite.api import api_pages
from booksite.disputes import Dispute, ruling_html
from booksite.elements import WIDE, element, link, listed, section, toctree
from booksite.faces import hand, moment, picture
from booksite.games import Game
from booksite.guides import AT_THE_TABLE, FOR_ENGINES, FOR_PROGRAMS
from booksite.marks import (
    CHAPTERS,
    MOST_PLAYED,
    chapter_title,
    clause_link,
    clause_titled,
    inline,
    profile_link,
    profile_links,
)
from refengine.game.acts import Play
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import CardSet
from refengine.game.values.state import State, new_deal
from refengine.game.verdicts import Refused
from refengine.lawbook.book import clauses, version
from refengine.lawbook.profiles import profile_names

HANDS: Final = ("2C 9D QH 6S", "5C 8S 3H TD", "JD 4S QS 2H", "7D KC KH 9S")
"""The deal in the question on the front page; the question is put to seat 2."""

PICKED: Final = (
    "first-trick-only-points",
    "hearts-and-queen-lead",
    "queen-breaks-hearts",
    "exactly-a-hundred",
    "revoke-found-two-tricks-later",
    "moon-with-the-jack",
)
"""The disputes that the front page names."""

_ASKED: Final = (
    ("What may I play?", "card"),
    ("Must I draw?", "draw"),
    ("What do we pass?", "pass"),
    ("Who pays what?", "score"),
    ("Is it over?", "end"),
    ("Whose turn is it?", "turn"),
    ("Suit not followed", "revoke"),
    ("How many players?", "opening"),
    ("Something went wrong", "table"),
)
"""What can be asked on the ruling page: each question in words, and its kind."""

_EXAMPLE: Final = (
    "ask.html#ask=card&profile=common-hearts&players=4&first_trick=yes"
    "&hand=4D+9D+QS+2H&card=QS&trick=2C"
)

_ABOUT: Final = {
    "0": "how to read and cite the book",
    "1": "the pack, the ranks, and which cards cost",
    "2": "seats, turns, and who may know what",
    "3": "the cut, the deal, stock and kitty",
    "4": "left, right, across, scatter and mix",
    "5": "leading, following, breaking hearts",
    "6": "games with a stock to draw from",
    "7": "failing to follow suit, and what it costs",
    "8": "points, the moon, the jack",
    "9": "limits, ties and winners",
    "10": "misdeals, exposed cards, plays out of turn, claims",
}


def home_page(disputes: Sequence[Dispute], example: Game, extra: Iterable[str]) -> str:
    """The front page as Markdown.

    `example` is the game that readers are invited to watch, and `extra` names the pages
    of measurements.
    """
    return "\n".join(
        [
            WIDE,
            section("Hearts, rule by rule", _asking(), _opening(example), level=1),
            section("May I play that?", _question()),
            section("Three ways in", _doors()),
            section("Argued about at every table", _arguments(disputes)),
            section("The book", _contents()),
            _trees(extra),
        ]
    )


def _asking() -> str:
    """A box of links to the ruling page: a button, an example and kinds of question."""
    kinds = (link(f"ask.html#ask={kind}", words) for words, kind in _ASKED)
    return (
        '<div class="ask-door"><p class="ask-title"><a class="button" href="ask.html">'
        "Ask for a ruling</a></p><p>What you hold, what lies on the table, what you "
        "play: the answer in one line, why, and the clause to cite. "
        f"{link(_EXAMPLE, 'The queen of spades on the first trick')}, for example.</p>"
        f"{listed(kinds, 'ask-kinds')}</div>"
    )


def _opening(example: Game) -> str:
    fan = "".join(
        picture(card).replace("<span", f'<span style="--turn:{turn}deg"', 1)
        for card, turn in zip(
            CardSet("JD QS 2H QH AH"), range(-34, 35, 17), strict=True
        )
    )
    return (
        '<div class="hero"><p class="lead">A law book for Hearts and Domino Hearts: '
        f"{len(clauses())} numbered clauses, and for every point on which tables "
        "differ the house rule by its name. Each clause can be cited, seen played card "
        "by card, run as a program, and held against any other engine.</p>"
        f'<div class="hero-fan" aria-hidden="true">{fan}</div></div>'
        f'<p class="actions">{link("arguments.html", "Settle an argument", "button")} '
        f"{link(example.address(), 'Watch a game', 'button')} "
        f"{link('5-play.html', 'Read the book', 'button quiet')}</p>"
    )


# The question, answered by the engine


def _state(name: str) -> State:
    state = new_deal(Ruleset(name, 4), list(HANDS), dealer=3, deal=4)
    return state.play("2C").play("5C")


def _question() -> str:
    """A hand and a question about it, with the answers under two rulesets."""
    plain = _state(MOST_PLAYED)
    held = list(plain.hands[2])
    answers = "".join(
        f'<div class="answer-row"><p><b>{words}</b></p>'
        f"{hand(held, state.legal.cards)}<p>{_why(state)}</p></div>"
        for words, state in (
            (f"Hearts as most people play it, {profile_link(MOST_PLAYED)}", plain),
            (
                "Where points may go on the first trick, as in "
                f"{profile_link('estmesh-hearts')}",
                _state("estmesh-hearts"),
            ),
        )
    )
    table = plain.table
    lying = table.cards if table is not None else ()
    return (
        '<div class="puzzle"><p>It is the very first trick. Clubs are led, you have '
        "none, and the queen of spades burns in your hand.</p>"
        f'<div class="moment">{moment(lying, "", "your hand", hand(held))}</div>'
        f"<details><summary>Which of these may you play?</summary>{answers}</details>"
        "</div>"
    )


def _why(state: State) -> str:
    """Which clauses refuse cards of the hand, or why all of its cards may be played."""
    named: dict[str, None] = {}
    for card in state.hands[2]:
        verdict = state.verdict(Play(2, card))
        if isinstance(verdict, Refused):
            named |= dict.fromkeys(verdict.clauses)
    if not named:
        return (
            "All of them: anyone who cannot follow suit plays what they like "
            f"({clause_link('5.3')}), and here nothing keeps points off the first "
            f"trick ({clause_link('5.5')})."
        )
    return f"The dimmed cards are refused by {', '.join(map(clause_titled, named))}."


# Doors, arguments, contents


def _doors() -> str:
    doors = (
        (
            "You play, or direct a game",
            "A ruling with a number to cite, in words a table understands.",
            (
                ("What players argue about", "arguments.html"),
                ("The rules of play", "5-play.html"),
                (f"{len(profile_names())} ways to play, side by side", "profiles.html"),
                ("House rules and their names", "options.html"),
                ("Games written down, and judged", "notation.html"),
            ),
        ),
        (
            "You write programs",
            "An immutable, typed Python library that knows every rule of the book.",
            (
                ("Installing", "installing.html"),
                ("A cookbook", "cookbook.html"),
                ("The game in Python", "api-game.html"),
                ("A bot that knows what its seat knows", "bots.html"),
                ("The rules as code", "api-rules.html"),
                ("Formats of games and deals", "formats.html"),
                ("Environments to learn in", "learning.html"),
            ),
        ),
        (
            "You have an engine of your own",
            "Any engine in any language can be checked against the book, and told "
            "which clauses it breaks, in the shortest game that shows it.",
            (
                ("Writing an adapter", "adapters.html"),
                ("Rows for a first test", "rows.html"),
                ("Games for your own tests", "published-sets.html"),
                ("The corpus of games", "corpus.html"),
                ("Step through any trace file", "viewer.html"),
            ),
        ),
    )
    body = "".join(
        f"<section><h3>{head}</h3><p>{words}</p>"
        f"{listed(link(to, name) for name, to in links)}</section>"
        for head, words, links in doors
    )
    return element("div", body, "doors")


def _arguments(disputes: Sequence[Dispute]) -> str:
    by_id = {one.id: one for one in disputes}
    shown = "".join(
        f"<details><summary>{inline(by_id[name].question)}</summary>"
        f"<p>{ruling_html(by_id[name])}</p>"
        f'<p><a href="arguments.html#{name}">Ruleset by ruleset</a></p></details>'
        for name in PICKED
        if name in by_id
    )
    return (
        f'<div class="questions">{shown}</div>'
        f'<p><a href="arguments.html">All {len(disputes)} of them</a></p>'
    )


def _contents() -> str:
    rows = (
        f"{link(f'{page}.html', f'<b>{number}</b> {escape(chapter_title(number))}')}"
        f" <span>{_ABOUT[number]}</span>"
        for number, page in CHAPTERS.items()
    )
    return (
        f"{listed(rows, 'chapters', 'ol')}"
        f'<p class="soft">Edition {version()}, and its '
        f"{link('open-questions.html', 'open questions')}. "
        f"The games: {profile_links(profile_names())}.</p>"
    )


def _trees(extra: Iterable[str]) -> str:
    trees = {
        "At the table": ["arguments", *AT_THE_TABLE, "viewer"],
        "The rule book": [
            *CHAPTERS.values(),
            *("options", "open-questions", "sources", "bulletin"),
        ],
        "Ways to play": ["profiles", *(f"profile-{name}" for name in profile_names())],
        "For engines": [*FOR_ENGINES, *extra],
        "For programs": [*FOR_PROGRAMS],
        "API reference": [*api_pages()],
    }
    return "\n".join(
        toctree(pages, "hidden:", f"caption: {caption}")
        for caption, pages in trees.items()
    )
