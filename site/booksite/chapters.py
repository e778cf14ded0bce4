"""One page for each chapter of the book: every clause with all that belongs to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final

from booksite.faces import hand
from booksite.games import Game, ruleset_words
from booksite.marks import (
    CHAPTERS,
    block,
    clause_link,
    inline,
    option_link,
    paragraphs,
    profile_link,
    source_link,
)
from booksite.modules import function_link
from refengine.game.values.cardset import CARDS, CardSet
from refengine.lawbook.book import SPEC, Clause, clauses, registry
from refengine.lawbook.options import BY_NAME, Value
from refengine.lawbook.profiles import profile, profile_names
from refengine.lawbook.reading import BookTable, Citation, Passage, read_chapter
from refengine.machine.notation import read_sequence

SHOWN: Final = 3
"""How many games the page shows for a clause; the viewer lists the others."""

_KIND: Final = {
    "define": "defines a word",
    "permit": "permits",
    "forbid": "binds",
    "effect": "has an effect",
    "unspecified": "leaves open",
    "procedure": "is for the people at the table",
    "withdrawn": "withdrawn",
}


def chapter_page(number: str, games: Sequence[Game]) -> str:
    """The page of a chapter as Markdown."""
    path = SPEC / f"{CHAPTERS[number]}.md"
    text = path.read_text("utf-8")
    opening = re.split(r"^###", text, maxsplit=1, flags=re.MULTILINE)[0]
    heading, _, words = opening.partition("\n")
    parts = [heading, block(f'<div class="opening">{paragraphs(words)}</div>')]
    for passage in read_chapter(text, path.name):
        level = "###" if passage.number[-1].isalpha() else "##"
        parts.append(f"{level} {passage.number} {passage.title}")
        parts.append(block(clause_html(passage, games)))
    return "\n".join(parts)


def clause_html(passage: Passage, games: Sequence[Game]) -> str:
    """Everything under the heading of a clause."""
    clause = clauses()[passage.number]
    tables = "".join(
        examples(table) if table.of_examples else plain_table(table)
        for table in passage.tables
    )
    formal = "".join(f"<code>{escape(line)}</code>" for line in passage.formal)
    notes = "".join(
        f'<aside class="note"><h4>Note</h4>{paragraphs(note)}</aside>'
        for note in passage.notes
    )
    return (
        f'<div class="clause {passage.kind}">'
        f'<div class="law">{paragraphs(passage.text)}</div>'
        f"{ruling(passage.ruling)}{tables}{notes}"
        + (f'<p class="formal"><b>In signs</b>{formal}</p>' if formal else "")
        + f"{played(passage.number, games)}{facts(clause)}</div>"
    )


def ruling(text: str) -> str:
    """The reason of a ruling, and the reading not taken."""
    if not text:
        return ""
    reason, _, other = text.partition("Not taken:")
    rest = (
        f'<p class="other"><b>Not taken:</b> {inline(other.strip())}</p>'
        if other
        else ""
    )
    return (
        '<aside class="ruling"><h4>Our ruling</h4>'
        f"<p>{inline(_sentence(reason))}</p>{rest}</aside>"
    )


def _sentence(text: str) -> str:
    """The text with an initial capital, unless it begins with a name."""
    bare = text.strip()
    first = bare.split(" ")[0]
    known = {source for clause in clauses().values() for source in clause.sources}
    return bare if first in known or "_" in first else bare[:1].upper() + bare[1:]


def plain_table(table: BookTable) -> str:
    """A table that is not a table of examples."""
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.header)
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td>{_cell(table.header[at], cell)}</td>" for at, cell in enumerate(row)
        )
        + "</tr>"
        for row in table.rows
    )
    return (
        f'<div class="table-wrapper" tabindex="0"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cell(heading: str, text: str) -> str:
    if heading == "name":
        return f"<code>{escape(text)}</code>"
    return inline(text)


# Examples


def examples(table: BookTable) -> str:
    """The examples of a clause: hands drawn, with what may be played lit."""
    drawing = table.header[3] != "may play"
    heading = "When is a draw due?" if drawing else "What may be played?"
    rows = "".join(f"<li>{_example(row, drawing)}</li>" for row in table.rows)
    return (
        f'<section class="examples"><h4>{heading}</h4>'
        f'<ul class="rows">{rows}</ul></section>'
    )


def _example(row: Sequence[str], drawing: bool) -> str:
    held, trick = read_sequence(row[0]), read_sequence(row[1])
    lit = None if drawing else CardSet(row[3])
    table = (
        hand(CARDS[number] for number in trick)
        if trick
        else '<span class="empty">nobody has played: you lead</span>'
    )
    answer = _answer(row, drawing)
    given = f'<span class="given">{inline(row[2])}</span>' if row[2] else ""
    return (
        f'<div class="there"><span class="label">on the table</span>{table}</div>'
        f'<div class="held"><span class="label">in your hand</span>'
        f"{hand((CARDS[number] for number in held), lit)}</div>"
        f'<p class="answer">{answer}{given}</p>'
    )


def _answer(row: Sequence[str], drawing: bool) -> str:
    if drawing:
        said = "you draw" if row[3] == "yes" else "no draw"
        return f"<span><b>{said}</b></span>"
    return f"<span>may play <b>{in_suits(row[3])}</b></span>"


def in_suits(text: str) -> str:
    """Cards with the symbols of their suits, `4♣ K♣`.

    >>> in_suits("TC QH")
    '10♣ Q♥'
    """
    signs = str.maketrans("CDSHT", "♣♦♠♥\0")
    return text.translate(signs).replace("\0", "10")


# Games, facts and citation


def played(number: str, games: Sequence[Game]) -> str:
    """Links to the games that show the clause best, and to all of them."""
    there = [game for game in games if number in {*game.fires, *game.shows}]
    if not there:
        return ""
    shown = "".join(
        f"<li>{_game_link(number, game)}</li>" for game in best(number, there)
    )
    every = (
        f'<li class="all"><a href="viewer.html#clause={number}">'
        f"All {len(there)} games that show it</a></li>"
        if len(there) > SHOWN
        else ""
    )
    return (
        '<section class="played"><h4>See it played</h4>'
        f"<ul>{shown}{every}</ul></section>"
    )


def best(number: str, games: Sequence[Game]) -> list[Game]:
    """The games that show a clause most plainly, from different profiles if possible.

    Bundled examples come first, then games in which the clause forbids an act, then
    those that fail without it; the shorter before the longer.
    """

    def rank(game: Game) -> tuple[object, ...]:
        return (
            game.group != "examples",
            number not in game.shows,
            number not in game.necessary,
            len(game.line.get("ruleset", {}).get("options", {})),
            len(game.steps) or 99,
            game.id,
        )

    ranked = sorted(games, key=rank)
    first: dict[str, Game] = {}
    for game in ranked:
        first.setdefault(game.profile, game)
    chosen = list(first.values())[:SHOWN]
    return (
        chosen + [game for game in ranked if game not in chosen][: SHOWN - len(chosen)]
    )


def _game_link(number: str, game: Game) -> str:
    step = game.shows.get(number)
    where = f"step {step}" if step else f"{len(game.steps)} steps"
    if not game.steps:
        where = "counted"
    words = game.name if game.group == "examples" else ruleset_words(game)
    return (
        f'<a href="{escape(game.address(step or 1), quote=True)}">{escape(words)}</a> '
        f'<span class="soft">{where}</span>'
    )


def facts(clause: Clause) -> str:
    """Kind, options, sources, code, and the citation to copy."""
    rows = [("This clause", _KIND[clause.kind])]
    if clause.options:
        rows.append(("Options", "".join(map(_option_row, clause.options))))
    sources = ", ".join(map(source_link, clause.sources))
    rows.append(("Sources", sources or "none: it is ours"))
    if clause.bites:
        rows.append(("Takes effect in", ", ".join(map(clause_link, clause.bites))))
    if clause.functions:
        rows.append(("As code", ", ".join(map(function_link, clause.functions))))
    rows.append(("Cite as", citation(clause)))
    body = "".join(f"<div><dt>{name}</dt><dd>{said}</dd></div>" for name, said in rows)
    return f'<dl class="facts">{body}</dl>'


def _option_row(name: str) -> str:
    """An option with the profiles behind each of its values."""
    values: dict[str, list[str]] = {}
    for one in map(profile, profile_names()):
        if BY_NAME[name].bites(one.options):
            values.setdefault(value_text(one.options[name]), []).append(one.name)
    said = "; ".join(
        f"<b>{escape(value)}</b> in "
        + ("all profiles" if len(names) == len(profile_names()) else _some(names))
        for value, names in values.items()
    )
    without = "" if said else "without effect in every profile"
    return f'<span class="one-option">{option_link(name)}: {said}{without}</span>'


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(profile_link, names))


def value_text(value: Value) -> str:
    """The value of an option, for a person."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(value) or "never"
    return str(value)


def citation(clause: Clause) -> str:
    """The full citation, and a button that copies it."""
    text = str(Citation(clause.number, registry()["version"], clause.fingerprint))
    return (
        f'<code class="cite">{text}</code> '
        f'<button type="button" class="copy" data-copy="{text}">Copy</button>'
    )
