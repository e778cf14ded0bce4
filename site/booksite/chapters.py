"""The page of each chapter of the book, with its clauses and all there is on each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape
from string import ascii_lowercase
from typing import Final

from booksite.api import function_link
from booksite.cases import MOST_PEOPLE, cases_html, needs, row_asks
from booksite.elements import (
    copied,
    described,
    element,
    head_and_body,
    link,
    listed,
    row,
    section,
    soft,
    titled,
)
from booksite.faces import hand, in_suits, moment
from booksite.games import Game, ruleset_words
from booksite.marks import (
    CHAPTERS,
    all_profiles,
    clause_link,
    clause_links,
    inline,
    option_link,
    option_said,
    paragraphs,
    profile_links,
    source_link,
)
from refengine.errors import counted
from refengine.game.values.cardset import CARDS, CardSet
from refengine.lawbook.at_the_table import TableRuling, table_rulings
from refengine.lawbook.book import SPEC, Clause, clauses
from refengine.lawbook.citing import citation_today, version_in_words
from refengine.lawbook.history import MOST_GAMES, ClauseChange, Run, clause_history
from refengine.lawbook.in_short import in_short
from refengine.lawbook.options import BY_NAME
from refengine.lawbook.reading import BookTable, Passage, mentions, read_chapter
from refengine.lawbook.spoken import value_name
from refengine.machine.notation import read_sequence

SHOWN: Final = 3
"""How many games the page shows for a clause; the viewer lists all of them."""

FOR_JUDGES: Final = "0.14"
"""The clause that names the clauses written for judges and for machines."""

KIND_WORDS: Final = {
    "define": "defines a word",
    "permit": "permits something",
    "forbid": "binds",
    "effect": "has an effect",
    "unspecified": "leaves something open",
    "procedure": "is for the people at the table",
    "withdrawn": "withdrawn",
}
"""What a clause of each kind does, in words that follow `This clause`."""


def opening(text: str) -> tuple[str, str]:
    """A chapter's heading, such as `# 5 Play`, and any words before its clauses."""
    before = re.split(r"^###", text, maxsplit=1, flags=re.MULTILINE)[0]
    heading, _, words = before.partition("\n")
    return heading, words


def chapter_page(number: str, games: Sequence[Game]) -> str:
    """The page of a chapter as Markdown."""
    path = SPEC / f"{CHAPTERS[number]}.md"
    text = path.read_text("utf-8")
    heading, words = opening(text)
    begun = element(
        "div", paragraphs(words), "opening", data_game=MOST_PEOPLE["profile"]
    )
    parts = [section(heading.removeprefix("# "), begun, level=1)]
    for passage in read_chapter(text, path.name):
        level = 3 if passage.number[-1].isalpha() else 2
        html = clause_html(passage, games)
        # The pieces are written with h4 headings.
        html = re.sub(r"(</?)h4(?=>)", rf"\1h{level + 1}", html)
        parts.append(section(f"{passage.number} {passage.title}", html, level=level))
    return "\n".join(parts)


def clause_html(passage: Passage, games: Sequence[Game]) -> str:
    """The HTML of everything below the heading of a clause."""
    number = passage.number
    return (
        f'<div class="clause {passage.kind}"{needs(number)}>'
        f"{mark_for_judges(number)}"
        f'<p class="in-short">{inline(in_short(number))}</p>'
        f"{law(passage)}"
        f"{asked(table_rulings().get(number))}"
        f"{ruling(passage.ruling)}"
        f"{tables(passage, examples)}"
        f"{cases_html(number)}"
        f"{notes(passage)}"
        f"{in_signs(passage)}"
        f"{played(number, games)}"
        f"{facts(clauses()[number])}"
        f"{history(number, games)}</div>"
    )


def law(passage: Passage) -> str:
    """The HTML of the binding sentences of a clause."""
    return element("div", paragraphs(passage.text), "law")


def mark_for_judges(number: str) -> str:
    """The HTML that marks a clause as one for judges, which a player may skip.

    It is empty for every other clause.
    """
    if not is_for_judges(number):
        return ""
    words = clause_link(FOR_JUDGES, "For judges and machines")
    return element("p", words, "for-judges")


def is_for_judges(number: str) -> bool:
    """Whether a clause is listed in 0.14, or is a lettered part of one listed there."""
    named = mentions(clauses()[FOR_JUDGES].text)
    return number in named or number.rstrip(ascii_lowercase) in named


def notes(passage: Passage) -> str:
    """The HTML of all the notes to a clause."""
    return "".join(map(note, passage.notes))


def note(text: str) -> str:
    """The HTML of one note in the book."""
    return titled("aside", "note", "Note", paragraphs(text))


def in_signs(passage: Passage) -> str:
    """The HTML of the formal lines of a clause; empty if it has none."""
    lines = "".join(f"<code>{escape(line)}</code>" for line in passage.formal)
    return f'<p class="formal"><b>In symbols</b>{lines}</p>' if lines else ""


def ruling(text: str) -> str:
    """The HTML of the reason for a ruling, and of the reading that was rejected.

    Empty if there is no text.
    """
    if not text:
        return ""
    reason, _, other = text.partition("Not taken:")
    said = f"<p>{inline(_sentence(reason))}</p>"
    if other:
        said += f'<p class="other"><b>Not taken:</b> {inline(other.strip())}</p>'
    return titled("aside", "ruling", "Our ruling", said)


def asked(found: TableRuling | None) -> str:
    """The HTML of the question that a clause on procedure settles, with all answers.

    Empty for any other clause.
    """
    if found is None:
        return ""
    rows = []
    for outcome in found.outcomes:
        given = "".join(
            f'<p class="given">{inline(text)} <b>{inline(answer)}.</b></p>'
            for text, answer in found.in_words(outcome)
        )
        links = clause_links(outcome.clauses)
        rows.append(f"{given}<p>{inline(outcome.says)} ({links})</p>")
    ask = link(f"ask.html#ask=table&number={found.number}", "Ask for a ruling")
    inside = f"{listed(rows)}<p>{ask}</p>"
    return titled("section", "asked", inline(found.question), inside)


def _sentence(text: str) -> str:
    """The text with an initial capital, unless it begins with the name of a source.

    A word with an underscore also counts as a name.
    """
    bare = text.strip()
    first = bare.split(" ")[0]
    known = {source for clause in clauses().values() for source in clause.sources}
    return bare if first in known or "_" in first else bare[:1].upper() + bare[1:]


def tables(
    passage: Passage, examples: Callable[[BookTable], str], anchor: str = ""
) -> str:
    """The HTML of the tables of a clause; `examples` makes that of a table of examples.

    If an anchor is given, each row of a table of options has an id: the anchor followed
    by the option.
    """
    return "".join(
        examples(one) if one.of_examples else _plain_table(one, anchor)
        for one in passage.tables
    )


def _plain_table(table: BookTable, anchor: str) -> str:
    head = table.header
    rows = (
        row(
            [_cell(*one) for one in zip(head, cells, strict=True)],
            anchor=f"{anchor}{cells[0]}" if anchor and head[0] == "option" else "",
        )
        for cells in table.rows
    )
    inside = element("table", head_and_body(map(escape, head), rows))
    return element("div", inside, "table-wrapper", tabindex=0)


def _cell(heading: str, text: str) -> str:
    if heading == "option" and text in BY_NAME:
        return option_link(text)
    if heading == "name":
        return f"<code>{escape(text)}</code>"
    return inline(text)


# Examples


def examples(table: BookTable) -> str:
    """The HTML of a table of examples, in which the playable cards of hands are lit."""
    drawing = is_about_drawing(table)
    heading = "When is a draw due?" if drawing else "What may be played?"
    rows = "".join(
        f"<li{row_asks(row, drawing)}>{_example(row, drawing)}</li>"
        for row in table.rows
    )
    return titled("section", "examples", heading, element("ul", rows, "rows"))


def is_about_drawing(table: BookTable) -> bool:
    """Whether a table of examples is about drawing rather than playing a card."""
    return table.header[3] != "may play"


def _example(row: Sequence[str], drawing: bool) -> str:
    held, trick = ([CARDS[one] for one in read_sequence(text)] for text in row[:2])
    lit = None if drawing else CardSet(row[3])
    given = element("span", inline(row[2]), "given") if row[2] else ""
    return (
        moment(trick, "nobody has played: you lead", "in your hand", hand(held, lit))
        + f'<p class="answer">{_answer(row, drawing)}{given}</p>'
    )


def _answer(row: Sequence[str], drawing: bool) -> str:
    if drawing:
        said = "you draw" if row[3] == "yes" else "no draw"
        return f"<span><b>{said}</b></span>"
    return f"<span>may play <b>{in_suits(row[3])}</b></span>"


# Games, facts and citation


def played(number: str, games: Sequence[Game]) -> str:
    """Links to the games in which a clause is shown best.

    If more games show it, a link to a list of all of them follows. Empty if no game
    shows the clause.
    """
    there = [game for game in games if number in {*game.fires, *game.shows}]
    if not there:
        return ""
    shown = "".join(
        f"<li>{_game_link(number, game)}</li>" for game in best(number, there)
    )
    if len(there) > SHOWN:
        every = f"All {len(there)} games that show it"
        shown += f'<li class="all">{link(f"viewer.html#clause={number}", every)}</li>'
    return titled("section", "played", "See it played", f"<ul>{shown}</ul>")


def best(number: str, games: Sequence[Game]) -> list[Game]:
    """The games in which a clause is easiest to see, if possible of different profiles.

    Bundled examples come first, then games in which the clause forbids an act, then
    games that come out wrong without it; among these, games with fewer changed options
    and shorter games come first.
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
    first = {game.profile: game.id for game in reversed(ranked)}
    return sorted(ranked, key=lambda game: game.id != first[game.profile])[:SHOWN]


def _game_link(number: str, game: Game) -> str:
    step = game.shows.get(number)
    where = f"step {step}" if step else counted(len(game.steps), "step")
    if not game.steps:
        where = "counted"
    words = (
        game.name if game.group == "examples" else ruleset_words(game.line["ruleset"])
    )
    return f"{link(game.address(step or 1), escape(words))} {soft(where)}"


def facts(clause: Clause) -> str:
    """The HTML of a list of facts about a clause, with the citation to copy.

    The facts are its kind, its options, its sources, where it takes effect and its
    code.
    """
    rows = {
        "This clause": KIND_WORDS[clause.kind],
        "Options": "".join(map(_option_row, clause.options)),
        "Sources": ", ".join(map(source_link, clause.sources)) or "none: our own",
        "Takes effect in": clause_links(clause.bites),
        "As code": ", ".join(map(function_link, clause.functions)),
        "Cite as": copied(str(citation_today(clause))),
    }
    return described((name, said) for name, said in rows.items() if said)


def _option_row(name: str) -> str:
    """The HTML of an option with its values, each with the profiles that have it."""
    values: dict[str, list[str]] = {}
    for one in all_profiles():
        if BY_NAME[name].bites(one.options):
            said = value_name(name, one.options[name])
            values.setdefault(said, []).append(one.name)
    everywhere = len(all_profiles())
    said = "; ".join(
        f"<b>{escape(value)}</b> in "
        + ("all profiles" if len(names) == everywhere else profile_links(names))
        for value, names in values.items()
    )
    said = said or "without effect in every profile"
    return element("span", f"{option_said(name)}: {said}", "one-option")


def history(number: str, games: Sequence[Game]) -> str:
    """The HTML of what each edition changed in the clause, with the reasons.

    Empty if none changed it.
    """
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
    """The HTML of what one edition changed in the clause."""
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
            link(known[name].address(), name) if name in known else name
            for name in one.games[:MOST_GAMES]
        ]
        if rest := len(one.games) - len(links):
            links.append(f"and {rest} more")
        listed = ", ".join(links)
        said.append(f"<p><b>Games that come out differently:</b> {listed}</p>")
    return "".join(said)


def _runs(runs: Sequence[Run], tag: str) -> str:
    """The HTML of a text given in pieces, with a `tag` around each changed piece."""
    return " ".join(
        f"<{tag}>{escape(run.text)}</{tag}>" if run.changed else escape(run.text)
        for run in runs
    )
