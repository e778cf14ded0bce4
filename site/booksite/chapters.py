"""One page for each chapter of the book: every clause with all that belongs to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from string import ascii_lowercase
from typing import Final

from booksite.cases import MOST_PEOPLE, cases_html, needs, row_asks
from booksite.faces import hand
from booksite.games import Game, ruleset_words
from booksite.marks import (
    CHAPTERS,
    block,
    clause_link,
    inline,
    option_link,
    option_said,
    paragraphs,
    profile_link,
    source_link,
)
from booksite.modules import function_link
from refengine.game.values.cardset import CARDS, CardSet
from refengine.lawbook.at_the_table import TableRuling, table_rulings
from refengine.lawbook.book import SPEC, Clause, clauses
from refengine.lawbook.citing import citation_today, version_in_words
from refengine.lawbook.history import MOST_GAMES, ClauseChange, Run, clause_history
from refengine.lawbook.in_short import in_short
from refengine.lawbook.options import BY_NAME
from refengine.lawbook.profiles import profile, profile_names
from refengine.lawbook.reading import BookTable, Passage, mentions, read_chapter
from refengine.lawbook.spoken import value_name
from refengine.machine.notation import read_sequence

SHOWN: Final = 3
"""How many games the page shows for a clause; the viewer lists the others."""

FOR_JUDGES: Final = "0.14"
"""The clause that names the clauses written for judges and for machines."""

KIND_WORDS: Final = {
    "define": "defines a word",
    "permit": "permits",
    "forbid": "binds",
    "effect": "has an effect",
    "unspecified": "leaves open",
    "procedure": "is for the people at the table",
    "withdrawn": "withdrawn",
}
"""What a clause of each kind does, after `This clause`."""


def opening(text: str) -> tuple[str, str]:
    """The heading of a chapter, `# 5 Play`, and the words before its first clause."""
    before = re.split(r"^###", text, maxsplit=1, flags=re.MULTILINE)[0]
    heading, _, words = before.partition("\n")
    return heading, words


def chapter_page(number: str, games: Sequence[Game]) -> str:
    """The page of a chapter as Markdown."""
    path = SPEC / f"{CHAPTERS[number]}.md"
    text = path.read_text("utf-8")
    heading, words = opening(text)
    game = MOST_PEOPLE["profile"]
    opened = f'<div class="opening" data-game="{game}">{paragraphs(words)}</div>'
    parts = [heading, block(opened)]
    for passage in read_chapter(text, path.name):
        level = "###" if passage.number[-1].isalpha() else "##"
        parts.append(f"{level} {passage.number} {passage.title}")
        inside = f"h{len(level) + 1}"  # the pieces are written with h4
        html = clause_html(passage, games)
        parts.append(block(re.sub(r"(</?)h4(?=>)", rf"\1{inside}", html)))
    return "\n".join(parts)


def clause_html(passage: Passage, games: Sequence[Game]) -> str:
    """Everything under the heading of a clause."""
    clause = clauses()[passage.number]
    tables = "".join(
        examples(table) if table.of_examples else plain_table(table)
        for table in passage.tables
    )
    return (
        f'<div class="clause {passage.kind}"{needs(passage.number)}>'
        f"{mark_for_judges(passage.number)}"
        f'<p class="in-short">{inline(in_short(passage.number))}</p>'
        f'<div class="law">{paragraphs(passage.text)}</div>'
        f"{asked(table_rulings().get(passage.number))}"
        f"{ruling(passage.ruling)}{tables}{cases_html(passage.number)}{notes(passage)}{in_signs(passage)}"
        f"{played(passage.number, games)}{facts(clause)}"
        f"{history(passage.number, games)}</div>"
    )


def mark_for_judges(number: str) -> str:
    """The mark of a clause that a player may skip; empty for every other clause."""
    if not is_for_judges(number):
        return ""
    words = clause_link(FOR_JUDGES, "For judges and machines")
    return f'<p class="for-judges">{words}</p>'


def is_for_judges(number: str) -> bool:
    """Whether 0.14 names the clause, or the clause whose letter it carries."""
    named = mentions(clauses()[FOR_JUDGES].text)
    return number in named or number.rstrip(ascii_lowercase) in named


def notes(passage: Passage) -> str:
    """The notes of a clause."""
    return "".join(
        f'<aside class="note"><h4>Note</h4>{paragraphs(note)}</aside>'
        for note in passage.notes
    )


def in_signs(passage: Passage) -> str:
    """The formal lines of a clause."""
    lines = "".join(f"<code>{escape(line)}</code>" for line in passage.formal)
    return f'<p class="formal"><b>In signs</b>{lines}</p>' if lines else ""


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


def asked(found: TableRuling | None) -> str:
    """The question behind a clause of procedure, and its answers; else nothing."""
    if found is None:
        return ""
    rows = []
    for outcome in found.outcomes:
        given = "".join(
            f'<p class="given">{inline(text)} <b>{inline(answer)}.</b></p>'
            for text, answer in found.in_words(outcome)
        )
        links = ", ".join(map(clause_link, outcome.clauses))
        rows.append(f"<li>{given}<p>{inline(outcome.says)} ({links})</p></li>")
    return (
        f'<section class="asked"><h4>{inline(found.question)}</h4>'
        f"<ul>{''.join(rows)}</ul>"
        f'<p><a href="ask.html#ask=table&amp;number={found.number}">Ask for a ruling'
        "</a></p></section>"
    )


def _sentence(text: str) -> str:
    """The text with an initial capital, unless it begins with a name."""
    bare = text.strip()
    first = bare.split(" ")[0]
    known = {source for clause in clauses().values() for source in clause.sources}
    return bare if first in known or "_" in first else bare[:1].upper() + bare[1:]


def plain_table(table: BookTable, anchor: str = "") -> str:
    """A table that is not a table of examples.

    With an anchor, each row has an id: the anchor with the row's first cell behind it.
    """
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.header)
    rows = "".join(
        (f'<tr id="{anchor}{escape(row[0], quote=True)}">' if anchor else "<tr>")
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
    if heading == "option" and text in BY_NAME:
        return option_link(text)
    if heading == "name":
        return f"<code>{escape(text)}</code>"
    return inline(text)


# Examples


def examples(table: BookTable) -> str:
    """The examples of a clause: hands drawn, with what may be played lit."""
    drawing = table.header[3] != "may play"
    heading = "When is a draw due?" if drawing else "What may be played?"
    rows = "".join(
        f"<li{row_asks(row, drawing)}>{_example(row, drawing)}</li>"
        for row in table.rows
    )
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
    rows = [("This clause", KIND_WORDS[clause.kind])]
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
            said = value_name(name, one.options[name])
            values.setdefault(said, []).append(one.name)
    said = "; ".join(
        f"<b>{escape(value)}</b> in "
        + ("all profiles" if len(names) == len(profile_names()) else _some(names))
        for value, names in values.items()
    )
    without = "" if said else "without effect in every profile"
    return f'<span class="one-option">{option_said(name)}: {said}{without}</span>'


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(profile_link, names))


def history(number: str, games: Sequence[Game]) -> str:
    """What each edition changed in the clause, and why; empty if none did."""
    changes = "".join(
        f"<section>{_change(one, games)}</section>"
        for one in clause_history(number)
        if one.since
    )
    if not changes:
        return ""
    return (
        '<details class="history"><summary>How it has changed</summary>'
        f"{changes}</details>"
    )


def _change(one: ClauseChange, games: Sequence[Game]) -> str:
    """What one edition made of the clause."""
    version = version_in_words(one.version)
    if one.before is None:
        return f"<h4>{version}</h4><p>The clause is new.</p>"
    said = [f"<h4>{version}, after {one.since}</h4>"]
    for name in ("title", "kind"):
        was, now = getattr(one.before, name), getattr(one.after, name)
        if was != now:
            said.append(
                f"<p>The {name} was <del>{escape(was)}</del> "
                f"and is <ins>{escape(now)}</ins>.</p>"
            )
    if one.before.digest != one.after.digest:
        said.append(f"<p><b>Old:</b> {_runs(one.old, 'del')}</p>")
        said.append(f"<p><b>New:</b> {_runs(one.new, 'ins')}</p>")
    for of, why in one.why:
        said.append(f"<p><b>Why</b>, a change of {of}: {inline(why)}</p>")
    if one.games:
        known = {game.id: game for game in games}
        links = [
            f'<a href="{escape(known[name].address(1), quote=True)}">{name}</a>'
            if name in known
            else name
            for name in one.games[:MOST_GAMES]
        ]
        if rest := len(one.games) - len(links):
            links.append(f"and {rest} more")
        listed = ", ".join(links)
        said.append(f"<p><b>Games that come out otherwise:</b> {listed}</p>")
    return "".join(said)


def _runs(runs: Sequence[Run], tag: str) -> str:
    """Words, those that changed in this element."""
    return " ".join(
        f"<{tag}>{escape(run.text)}</{tag}>" if run.changed else escape(run.text)
        for run in runs
    )


def citation(clause: Clause) -> str:
    """The full citation, and a button that copies it."""
    return copied(str(citation_today(clause)))


def copied(text: str) -> str:
    """A citation, and a button that copies it."""
    return (
        f'<code class="cite">{text}</code> '
        f'<button type="button" class="copy" data-copy="{text}">Copy</button>'
    )
