"""The command `refengine rule`, which shows clauses of the book."""

from __future__ import annotations

from collections.abc import Iterator

import attrs
import click

from refengine.cli.completing import clause_numbers
from refengine.cli.paragraphs import paragraphs, table_lines
from refengine.cli.screen import head, soft
from refengine.cli.shared import json_option, print_json
from refengine.lawbook import book
from refengine.lawbook.at_the_table import TableRuling, table_rulings
from refengine.lawbook.book import Clause
from refengine.lawbook.citing import citation_today, passage_of, version_in_words
from refengine.lawbook.history import MOST_GAMES, ClauseChange, clause_history, marked
from refengine.lawbook.in_short import in_short
from refengine.lawbook.search_index import numbers_meant
from refengine.lawbook.spoken import option_name
from refengine.rulings.ruling_text import wrapped_lines


@click.command("rule")
@click.argument("words", nargs=-1, required=True, shell_complete=clause_numbers)
@click.option(
    "--history",
    is_flag=True,
    help="Show what each edition changed in the clause, and why.",
)
@json_option
def rule_command(words: tuple[str, ...], history: bool, as_json: bool) -> None:
    """Show clauses of the book by number, such as 5.3, or find one by words.

    Given words, it shows the clause that `refengine search` finds first, and names the
    next ones below it.
    """
    bare = [word.strip("§#,") for word in " ".join(words).split()]
    typed = [word for word in bare if word]
    if typed[1:] and all(word[:1].isdecimal() for word in typed):
        for place, number in enumerate(typed):
            if place and not as_json:
                click.echo()
            _show(number, [], history, as_json)
        return
    number, *others = numbers_meant(" ".join(typed))
    _show(number, others, history, as_json)


def _show(number: str, others: list[str], history: bool, as_json: bool) -> None:
    """Print a clause and, below it, the numbers of others that may have been meant."""
    clause = book.clause(number)
    asked = table_rulings().get(clause.number)
    changes = clause_history(number) if history else ()
    if as_json:
        fields = attrs.asdict(clause) | {"citation": str(citation_today(clause))}
        fields["in_short"] = in_short(clause.number)
        if asked:
            fields["at_the_table"] = asked.fields()
        if history:
            fields["history"] = [one.fields() for one in changes]
        print_json(fields)
    elif history:
        click.echo(_heading(clause))
        for one in changes:
            click.echo("\n" + "\n".join(_history_lines(one)))
    else:
        click.echo("\n".join(clause_lines(clause, asked)))
        for other in others:
            click.echo(f"see also: {other} {book.title(other)}")


def _heading(clause: Clause) -> str:
    return f"{head(f'{clause.number} {clause.title}')}  {soft(f'[{clause.kind}]')}"


def clause_lines(clause: Clause, asked: TableRuling | None) -> Iterator[str]:
    """A clause as lines for a terminal, from its number and title to its citation.

    `asked` is a ruling at the table to show with it, or None.
    """
    yield _heading(clause)
    yield from wrapped_lines(f"In short: {in_short(clause.number)}", "")
    yield ""
    yield from paragraphs(clause.text)
    for line in clause.formal:
        yield ""
        yield from wrapped_lines(line, "    ", "        ")
    for table in passage_of(clause.number).tables:
        yield ""
        yield from table_lines(table.header, table.rows)
    if clause.ruling:
        yield ""
        yield from paragraphs(f"Ruling: {clause.ruling}")
    if asked:
        yield ""
        for line in asked.lines():
            said = line.lstrip("- ")
            mark = line[: len(line) - len(said)]
            yield from wrapped_lines(said, mark, " " * len(mark))
    rows = (
        ("options", [f"{option_name(name)} ({name})" for name in clause.options]),
        ("sources", clause.sources),
        ("bites in", clause.bites),
        ("part of", (clause.part_of,) if clause.part_of else ()),
        ("parts", book.parts_of(clause.number)),
        ("code", clause.functions),
    )
    yield ""
    for name, values in rows:
        if values:
            yield from wrapped_lines(f"{name}: {', '.join(values)}", "", "  ")
    yield f"cite as: {citation_today(clause)}"


def _history_lines(one: ClauseChange) -> Iterator[str]:
    """How a version changed the clause, with changed words in square brackets."""
    version = version_in_words(one.version)
    if one.before is None:
        yield f"{version}: {'the clause is new' if one.since else 'first edition'}"
        yield from wrapped_lines(marked(one.new))
        return
    yield f"{version}: changed since {one.since}"
    for name in ("title", "kind"):
        was, now = getattr(one.before, name), getattr(one.after, name)
        if was != now:
            yield from wrapped_lines(f"The {name} was {was!r} and is {now!r}.")
    if one.before.digest != one.after.digest:
        yield from wrapped_lines(f"Old: {marked(one.old)}")
        yield from wrapped_lines(f"New: {marked(one.new)}")
    for of, why in one.why:
        yield from wrapped_lines(f"Why, a change of {of}: {why}")
    if one.games:
        named = ", ".join(one.games[:MOST_GAMES])
        rest = len(one.games) - MOST_GAMES
        more = f" and {rest} more (--json lists them all)" if rest > 0 else ""
        yield from wrapped_lines(f"Games that come out differently: {named}{more}")
