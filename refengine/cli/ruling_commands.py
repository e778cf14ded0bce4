"""The commands for a ruling with a citation: `explain` and `cite`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

import attrs
import click

from refengine.cli.shared import WRONG, json_option, print_json, ruleset_of
from refengine.cli.trace_commands import reading
from refengine.errors import Malformed
from refengine.formats import wire
from refengine.formats.trace import Trace, read_trace
from refengine.game.acts import Draw, Play
from refengine.game.values.cardset import Card
from refengine.lawbook.citing import Cited, cited
from refengine.lawbook.reading import plain
from refengine.rulings import irregularities, typed_position
from refengine.rulings.explain import explain, ruling_fields
from refengine.rulings.failed_case import Failure, failures, is_report
from refengine.rulings.ruling_text import hand_lines, ruling_lines, short_lines, wrapped
from refengine.rulings.submitted_game import asked_beside, moment_at, read_game

# Reading


def lines_in(name: str) -> Iterator[bytes]:
    """The lines of a file; `-` is standard input.

    Raises Malformed at the first that cannot be read.
    """
    with reading(name) as stream:
        for line in wire.lines_of(stream):
            if isinstance(line, Malformed):
                raise line.within(name)
            yield line


def line_of(lines: Iterator[bytes], number: int, name: str) -> bytes:
    """One of these lines, from 1.

    Raises Malformed where there are not so many.
    """
    found = 0
    for line in lines:
        found += 1
        if found == number:
            return line
    raise Malformed(f"{found} lines", f"a line {number}", name)


def _trace_in(file: str | None, name: str) -> Trace:
    """The trace of this id, in a file or in the published corpus."""
    from refengine_conformance.runner.selection import CORPUS

    files = [file] if file else [str(path) for path in sorted(CORPUS.glob("*.jsonl"))]
    sought = f'"{name}"'.encode()
    for one in files:
        for line in lines_in(one):
            if sought in line[:80] and line.startswith(b'{"trace"'):
                return read_trace(line)
    where = file or "the published corpus"
    raise Malformed(f"no trace {name}", f"a trace of {where}; see --corpus", "case")


# explain


@click.command("explain")
@click.argument("file", required=False)
@click.option("--at", type=click.IntRange(1), help="The step, or the card of a log.")
@click.option("--line", type=click.IntRange(1), default=1, help="Of the file, from 1.")
@click.option("--corpus", help="For a case of a report: the file with its trace.")
@click.option("--hand", help='The cards of a hand, as "QS 2H", in place of a file.')
@click.option("--trick", default="", help="The cards on the table, in their order.")
@click.option("--card", help="The card that is asked about; without it all are.")
@click.option("--draw", is_flag=True, help="Ask whether a card may be drawn.")
@click.option("--first-trick", is_flag=True, help="It is the first trick.")
@click.option("--hearts-broken", is_flag=True, help="Hearts have been played.")
@click.option("--leader", type=int, default=0, help="The seat that leads or led.")
@click.option("--drew", default="", help="The cards of the hand drawn in this turn.")
@click.option("--stock", type=click.IntRange(0, 52), help="Cards left in the stock.")
@click.option("--profile", default="estmesh-hearts", help="For a hand: the profile.")
@click.option("--players", type=int, help="For a hand; without it the usual number.")
@click.option("--option", "options", multiple=True, help="For a hand: NAME=VALUE.")
@json_option
def explain_command(
    file: str | None,
    at: int | None,
    line: int,
    corpus: str | None,
    hand: str | None,
    trick: str,
    card: str | None,
    draw: bool,
    first_trick: bool,
    hearts_broken: bool,
    leader: int,
    drew: str,
    stock: int | None,
    profile: str,
    players: int | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Say what happened, why it was or was not allowed, and what follows.

    FILE holds a trace, a log, or a report of `conform run`. Without --at it is the
    first act that is not legal, or the last one. A position can be typed by --hand
    and --trick instead.
    """
    if (file is None) is (hand is None):
        raise Malformed("both or none", "either FILE or --hand")
    if hand is not None:
        typed = typed_position.ByHand(
            ruleset=ruleset_of(profile, players, options),
            hand=hand,
            trick=trick,
            leader=leader,
            first_trick=first_trick,
            hearts_broken=hearts_broken,
            drew=drew,
            stock=stock,
        )
        _explain_typed(typed, card, draw, as_json)
        return
    assert file is not None
    lines = lines_in(file)
    data = line_of(lines, line, file)
    if is_report(data):
        _explain_report(chain([data], lines), corpus, as_json)
        return
    game = read_game(data)
    moment = moment_at(game, at)
    ruling = explain(moment.state, moment.act)
    asked = [explain(moment.state, act) for act in asked_beside(game, moment)]
    if as_json:
        fields = {"at": moment.place, **ruling_fields(ruling)}
        if asked:
            fields["asked"] = [ruling_fields(one) for one in asked]
        print_json(fields)
        return
    click.echo("\n".join(ruling_lines(ruling)))
    if asked:
        click.echo("\nAsked beside it")
        click.echo("\n".join(line for one in asked for line in short_lines(one)))


def _explain_typed(
    typed: typed_position.ByHand, card: str | None, draw: bool, as_json: bool
) -> None:
    state = typed_position.opened(typed)
    seat = state.turn[0]
    if draw or card is not None:
        act = Play(seat, Card(card)) if card is not None else Draw(seat)
        ruling = explain(state, act, known=False)
        lines = ruling_lines(ruling, typed.granted)
    else:
        ruling = explain(state, next(iter(state.legal)), known=False)
        lines = hand_lines(ruling, typed.granted)
    if as_json:
        print_json({"granted": list(typed.granted), **ruling_fields(ruling)})
    else:
        click.echo("\n".join(lines))


def _explain_report(lines: Iterable[bytes], corpus: str | None, as_json: bool) -> None:
    """Explain every case of a report that failed."""
    for line in lines:
        for one in failures(line, lambda name: _trace_in(corpus, name)):
            if as_json:
                fields = attrs.asdict(one, recurse=False)
                ruling = one.ruling and ruling_fields(one.ruling)
                print_json({**fields, "ruling": ruling})
            else:
                click.echo("\n".join([*_failure_lines(one), ""]))


def _failure_lines(one: Failure) -> Iterator[str]:
    where = f"step {one.step}" if one.step else "the end"
    yield f"{one.trace}, {where}: {one.asked}"
    yield f"  the book says   {one.expected}"
    yield f"  the engine says {one.got}"
    if one.ruling is not None:
        yield from short_lines(one.ruling)


# cite


@click.command("cite")
@click.argument("citations", nargs=-1, required=True)
@json_option
def cite_command(citations: tuple[str, ...], as_json: bool) -> None:
    """Show what a citation leads to, and whether the wording is still the same.

    A citation is 5.3, HFR 5.3, HFR 5.3@1.0.0 or HFR 5.3@1.0.0~9f3a21c0.
    """
    found = [cited(one) for one in citations]
    if as_json:
        print_json([one.fields() for one in found])
    else:
        click.echo("\n\n".join("\n".join(_citation_lines(one)) for one in found))
    raise click.exceptions.Exit(0 if all(one.same for one in found) else WRONG)


def _citation_lines(one: Cited) -> Iterator[str]:
    yield f"{one.in_full}  {one.clause.title}"
    yield f"{one.wording[:1].upper()}{one.wording[1:]}."
    yield ""
    for sentence in one.clause.text.splitlines():
        yield from wrapped(plain(sentence))
    for name, text in (("Why", one.reason), ("Not taken", one.not_taken)):
        if text:
            yield ""
            yield from wrapped(f"{name}: {plain(text)}")
    if one.clause.sources:
        yield ""
        yield from wrapped(f"Sources: {', '.join(one.clause.sources)}")
    for table in one.examples:
        yield ""
        rows = [table.header, *table.rows]
        widths = [max(len(row[place]) for row in rows) for place in range(4)]
        for row in rows:
            cells = (f"{cell:{wide}}" for cell, wide in zip(row, widths, strict=True))
            yield f"  {'  '.join(cells)}".rstrip()


# irregularities


@click.command("irregularities")
@click.option("--profile", help="A profile of the book; without it those with revokes.")
@click.option("--option", "options", multiple=True, help="With --profile: NAME=VALUE.")
@click.option("--markdown", is_flag=True, help="The page of all profiles.")
@json_option
def irregularities_command(
    profile: str | None, options: tuple[str, ...], markdown: bool, as_json: bool
) -> None:
    """Say what a revoke is, until when it can be taken back, and what it costs."""
    if markdown:
        click.echo("\n".join(irregularities.chapter()))
        return
    found = irregularities.profiles_with_revokes()
    if profile is not None:
        found = (ruleset_of(profile, 4, options),)
    if as_json:
        print_json([irregularities.fields(one) for one in found])
    else:
        shown = ("\n".join(irregularities.lines(one)) for one in found)
        click.echo("\n\n".join(shown))


COMMANDS: Final = (explain_command, cite_command, irregularities_command)


def register(group: click.Group) -> None:
    """Add the commands to the command line."""
    for command in COMMANDS:
        group.add_command(command)
