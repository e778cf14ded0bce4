"""`refengine explain`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

import attrs
import click

from refengine.cli.files import lines_of_file
from refengine.cli.shared import json_option, print_json, ruleset_of
from refengine.errors import Malformed
from refengine.formats.trace import Trace, read_trace
from refengine.game.acts import Draw, Play
from refengine.game.values.cardset import Card
from refengine.rulings import typed_position
from refengine.rulings.explain import explain, ruling_fields
from refengine.rulings.failed_case import Failure, is_report, wrong_answers
from refengine.rulings.ruling_text import hand_lines, ruling_lines, short_lines
from refengine.rulings.submitted_game import moment_at, other_acts_asked, read_game


@click.command("explain")
@click.argument("file", required=False)
@click.option("--at", type=click.IntRange(1), help="Which step, or card of a log.")
@click.option("--line", type=click.IntRange(1), default=1, help="Which line of FILE.")
@click.option("--corpus", help="For a report: the file that has its traces.")
@click.option("--hand", help='The cards of a hand, as "QS 2H", instead of FILE.')
@click.option("--trick", default="", help="The cards on the table, in order.")
@click.option("--card", help="The card in question; by default every card.")
@click.option("--draw", is_flag=True, help="Ask whether a card may be drawn.")
@click.option("--first-trick", is_flag=True, help="It is the first trick.")
@click.option("--hearts-broken", is_flag=True, help="Hearts have been played.")
@click.option("--leader", type=int, default=0, help="The seat that leads or led.")
@click.option("--drew", default="", help="The cards of the hand drawn in this turn.")
@click.option("--stock", type=click.IntRange(0, 52), help="Cards left in the stock.")
@click.option("--profile", default="estmesh-hearts", help="For a hand: the profile.")
@click.option("--players", type=int, help="For a hand: the number of players.")
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

    FILE holds a trace, a log, or a report of `conform run`. Without --at the
    first act that is not legal is explained, or the last one. A position can be typed
    instead, by --hand and --trick.
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
    lines = lines_of_file(file)
    data = _line_of(lines, line, file)
    if is_report(data):
        _explain_report(chain([data], lines), corpus, as_json)
        return
    game = read_game(data)
    moment = moment_at(game, at)
    ruling = explain(moment.state, moment.act)
    asked = [explain(moment.state, act) for act in other_acts_asked(game, moment)]
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


def _line_of(lines: Iterator[bytes], number: int, name: str) -> bytes:
    """The line with this number, from 1.

    Raises Malformed if there are fewer lines.
    """
    found = 0
    for line in lines:
        found += 1
        if found == number:
            return line
    raise Malformed(f"{found} lines", f"a line {number}", name)


def _explain_typed(
    typed: typed_position.ByHand, card: str | None, draw: bool, as_json: bool
) -> None:
    state = typed_position.open_typed_position(typed)
    seat = state.turn[0]
    if draw or card is not None:
        act = Play(seat, Card(card)) if card is not None else Draw(seat)
        ruling = explain(state, act, known=False)
        lines = ruling_lines(ruling, typed.assumptions)
    else:
        ruling = explain(state, next(iter(state.legal)), known=False)
        lines = hand_lines(ruling, typed.assumptions)
    if as_json:
        print_json({"granted": list(typed.assumptions), **ruling_fields(ruling)})
    else:
        click.echo("\n".join(lines))


def _explain_report(lines: Iterable[bytes], corpus: str | None, as_json: bool) -> None:
    """Explain every failed case of a report."""
    head = b""
    for line in lines:
        head = line if line.startswith(b'{"report"') else head
        for one in wrong_answers(line, partial(_asked, corpus, head)):
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


def _asked(file: str | None, head: bytes, name: str) -> Trace:
    """The trace with this id, of the report with this head."""
    from refengine_conformance.tables.table_run import games_of_report  # only reports

    games = {} if file else games_of_report(head)
    return read_trace(games[name]) if name in games else _trace_in(file, name)


def _trace_in(file: str | None, name: str) -> Trace:
    """The trace with this id, from a file or from the published corpus."""
    from refengine_conformance.runner.selection import CORPUS  # only reports need it

    files = [file] if file else [str(path) for path in sorted(CORPUS.glob("*.jsonl"))]
    sought = f'"{name}"'.encode()
    for one in files:
        for line in lines_of_file(one):
            if sought in line[:80] and line.startswith(b'{"trace"'):
                return read_trace(line)
    where = file or "the published corpus"
    raise Malformed(f"no trace {name}", f"a trace of {where}; see --corpus", "case")
