"""The command `refengine cite`, which looks up citations."""

from __future__ import annotations

from collections.abc import Iterator

import click

from refengine.cli.paragraphs import table_lines
from refengine.cli.shared import json_option, print_json
from refengine.exit_codes import WRONG
from refengine.game.cited_rulesets import CitedRuleset, look_up_ruleset
from refengine.jobs.unread_output import finish_unread
from refengine.lawbook.citing import Cited, look_up_citation
from refengine.lawbook.options import value_text
from refengine.lawbook.reading import plain
from refengine.rulings.ruling_text import wrapped_lines
from refengine.rulings.words import sentence


@click.command("cite")
@click.argument("citations", nargs=-1, required=True)
@json_option
def cite_command(citations: tuple[str, ...], as_json: bool) -> None:
    """Show the clause or the ruleset cited, and whether it still reads the same.

    A clause is cited as 5.3, HFR 5.3, HFR 5.3@1.0.0 or HFR 5.3@1.0.0~ed7a0920, a
    ruleset as estmesh-hearts/4@1.0.0~8a411677 first_trick_points=barred, in quotes.
    """
    finish_unread()
    found = [look_up(one) for one in citations]
    if as_json:
        print_json([one.fields() for one in found])
    else:
        click.echo("\n\n".join("\n".join(_lines(one)) for one in found))
    raise click.exceptions.Exit(0 if all(one.same for one in found) else WRONG)


def look_up(text: str) -> Cited | CitedRuleset:
    """Resolve a citation: of a ruleset if it contains a slash, otherwise of a clause.

    Raises Malformed as `look_up_ruleset` or `look_up_citation` does.
    """
    return look_up_ruleset(text) if "/" in text else look_up_citation(text)


def _lines(one: Cited | CitedRuleset) -> Iterator[str]:
    return _clause_lines(one) if isinstance(one, Cited) else _ruleset_lines(one)


def _ruleset_lines(one: CitedRuleset) -> Iterator[str]:
    yield str(one.citation)
    yield sentence(one.wording)
    if one.ruleset is None:
        return
    yield ""
    yield f"  {one.ruleset.profile} for {one.ruleset.players} players"
    for name, value in one.citation.options.items():
        yield f"  {name}: {value_text(value) or 'an empty list'}"
    if str(one.citation) != one.ruleset.citation:
        yield ""
        yield f"Today it is cited as {one.ruleset.citation}"


def _clause_lines(one: Cited) -> Iterator[str]:
    yield f"{one.in_full}  {one.clause.title}"
    yield sentence(one.wording)
    if one.then is not None:
        yield ""
        yield f"As edition {one.citation.version} has it, {one.then.title}:"
        yield from _sentences(one.then.text)
        yield ""
        yield "As it reads today:"
    else:
        yield ""
    yield from _sentences(one.clause.text)
    for name, text in (("Why", one.reason), ("Not taken", one.not_taken)):
        if text:
            yield ""
            yield from wrapped_lines(f"{name}: {plain(text)}")
    if one.clause.sources:
        yield ""
        yield from wrapped_lines(f"Sources: {', '.join(one.clause.sources)}")
    for table in one.examples:
        yield ""
        yield from table_lines(table.header, table.rows)


def _sentences(text: str) -> Iterator[str]:
    for one in text.splitlines():
        yield from wrapped_lines(plain(one))
