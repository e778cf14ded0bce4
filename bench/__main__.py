"""`python -m bench`: prints the table and, on request, also writes it as JSON."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import click

from bench.acts import MOST, ActCost, act_costs
from bench.growth import TWICE, Doubled, Grown, all_grown, too_little, too_steep
from bench.measuring import Measured, measured
from bench.rows import ROWS
from refengine.cli.main import version_line

ROUNDS = 9
SIZES = (1, 5, 25)
SHOWN = 5  # how many of the dearest acts are shown


@click.command()
@click.option("--json", "path", type=click.Path(path_type=Path), help="Where to.")
def main(path: Path | None) -> None:
    """Measure each piece of work against its yardstick, one after another."""
    click.echo(f"{version_line()}, {machine()}")
    click.echo(f"  {'work':<40}{'ratio':>8}  {'goal':>10}  {'ours':>12}  compared with")
    table: list[Measured] = []
    for row in ROWS:
        table.append(measured(row, ROUNDS))
        click.echo(line_of(table[-1]))
    costs = act_costs(ROUNDS)
    click.echo(
        f"\nthe dearest acts, compared with one of plain Hearts (at most {MOST:g}):"
    )
    for cost in costs[:SHOWN]:
        click.echo(f"  {cost.ratio:.2f}  {cost.ruleset}")
    grown, doubled = all_grown(SIZES, 3)
    click.echo("\nhow it grows:")
    for one in grown:
        held = f"{one.seconds:8.2f} s {one.megabytes:6.0f} MB"
        click.echo(f"  {one.work:<34}{one.size:>6}{held}")
    click.echo(f"\nwhat two processes do, compared with one (at least {TWICE:g}):")
    for two in doubled:
        click.echo(f"  {two.work:<34}{two.gain:6.2f}")
    results = Results(table, costs, grown, doubled)
    if path is not None:
        path.write_text(json.dumps(results.fields(), indent=1) + "\n")
    wrong = results.missed()
    click.echo("".join(f"\n{one}" for one in wrong) or "\nall goals are met")


def machine() -> str:
    """The Python version and the number of processors, in words."""
    return f"Python {platform.python_version()}, {os.cpu_count()} processors"


def line_of(found: Measured) -> str:
    """A measured row, as a line of the table."""
    row = found.row
    sign = "at most" if row.at_most else "at least"
    goal = "" if row.goal is None else f"{sign} {row.goal:g}"
    ours = f"{found.ours * 1e9:,.0f} ns"
    if found.ours > 1e-3:
        ours = f"{found.ours * 1e3:,.1f} ms"
    return (
        f"  {row.ours.name:<40}{found.ratio:8.2f}  {goal:>12}  "
        f"{ours:>10} per {row.unit}  {row.yardstick.name}"
    )


@attrs.frozen
class Results:
    """Everything that was measured."""

    rows: list[Measured]
    acts: list[ActCost]
    growth: list[Grown]
    two_processes: list[Doubled]

    def missed(self) -> list[str]:
        """A sentence about each goal that was missed."""
        found = [
            f"{one.row.ours.name}: {one.ratio:.2f}, the goal is {one.row.goal}"
            for one in self.rows
            if not one.reached
        ]
        found += [
            f"an act of {cost.ruleset} costs {cost.ratio:.2f} times one of plain Hearts"
            for cost in self.acts
            if cost.ratio > MOST
        ]
        return found + too_steep(self.growth) + too_little(self.two_processes, TWICE)

    def fields(self) -> dict[str, Any]:
        """The results as plain JSON values, with the date and the machine."""
        return {
            "date": datetime.now(UTC).date().isoformat(),
            "version": version_line(),
            "machine": machine(),
            "rows": [row.fields() for row in self.rows],
            "acts": [attrs.asdict(cost) for cost in self.acts],
            "growth": [attrs.asdict(one) for one in self.growth],
            "two processes": [attrs.asdict(one) for one in self.two_processes],
        }


if __name__ == "__main__":
    main()
