"""`python -m bench`: the table on the terminal, and all of it as JSON."""

from __future__ import annotations

import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

import attrs
import click

from bench.acts import MOST, ActCost, act_costs
from bench.growth import TWICE, Doubled, Grown, all_grown, too_little, too_steep
from bench.measuring import Measured, measured
from bench.rows import rows
from refengine.cli.main import version_line

ROUNDS = 9
FEW_ROUNDS = 3
SIZES = (1, 5, 25)
SMALL_SIZES = (1, 5)
SHOWN = 5  # of the dearest acts


@click.command()
@click.option("--check", is_flag=True, help="Quickly, and fail at half of a goal.")
@click.option("--json", "path", type=click.Path(path_type=Path), help="Where to.")
def main(check: bool, path: Path | None) -> None:
    """Measure everything beside its yardstick, one after the other."""
    click.echo(f"{version_line()}, {machine()}")
    click.echo(f"  {'work':<40}{'ratio':>8}  {'goal':>10}  {'ours':>12}  beside")
    table: list[Measured] = []
    for make in rows():
        table.append(measured(make(), FEW_ROUNDS if check else ROUNDS))
        click.echo(line_of(table[-1]))
    costs = act_costs(FEW_ROUNDS if check else ROUNDS, shortest=not check)
    click.echo(f"\nan act beside one of plain Hearts, the dearest (at most {MOST:g}):")
    for cost in costs[:SHOWN]:
        click.echo(f"  {cost.ratio:.2f}  {cost.ruleset}")
    sizes = SMALL_SIZES if check else SIZES
    grown, doubled = all_grown(sizes, 1 if check else 3)
    click.echo("\nhow it grows:")
    for one in grown:
        held = f"{one.seconds:8.2f} s {one.megabytes:6.0f} MB"
        click.echo(f"  {one.work:<34}{one.size:>6}{held}")
    click.echo(f"\nwhat two processes do beside one (at least {TWICE:g}):")
    for two in doubled:
        click.echo(f"  {two.work:<34}{two.gain:6.2f}")
    if path is not None:
        path.write_text(
            json.dumps(fields(table, costs, grown, doubled), indent=1) + "\n"
        )
    wrong = faults(table, costs, grown, doubled, check)
    kept = "nothing falls short of half of a goal"
    well = kept if check else "all goals are met"
    click.echo("".join(f"\n{fault}" for fault in wrong) or f"\n{well}")
    sys.exit(bool(wrong) and check)


def machine() -> str:
    """What this ran on."""
    return f"Python {platform.python_version()}, {os.cpu_count()} processors"


def line_of(row: Measured) -> str:
    """A row as it is shown: the ratio first."""
    sign = "at most" if row.at_most else "at least"
    goal = "" if row.goal is None else f"{sign} {row.goal:g}"
    ours = f"{row.ours * 1e9:,.0f} ns"
    if row.ours > 1e-3:
        ours = f"{row.ours * 1e3:,.1f} ms"
    return (
        f"  {row.name:<40}{row.ratio:8.2f}  {goal:>12}  "
        f"{ours:>10} per {row.unit}  {row.beside}"
    )


def faults(
    table: list[Measured],
    costs: list[ActCost],
    grown: list[Grown],
    doubled: list[Doubled],
    half: bool,
) -> list[str]:
    """Every goal that is not met; with `half`, not even by half."""
    found = [
        f"{row.name}: {row.ratio:.2f}, the goal is {row.goal}"
        for row in table
        if not (row.tolerable if half else row.reached)
    ]
    limit = MOST * 2 if half else MOST
    found += [
        f"an act of {cost.ruleset} costs {cost.ratio:.2f} times one of plain Hearts"
        for cost in costs
        if cost.ratio > limit
    ]
    return found + too_steep(grown) + too_little(doubled, TWICE / 2 if half else TWICE)


def fields(
    table: list[Measured],
    costs: list[ActCost],
    grown: list[Grown],
    doubled: list[Doubled],
) -> dict[str, Any]:
    """All of it as plain JSON values."""
    return {
        "version": version_line(),
        "machine": machine(),
        "rows": [row.fields() for row in table],
        "acts": [attrs.asdict(cost) for cost in costs],
        "growth": [attrs.asdict(one) for one in grown],
        "two processes": [attrs.asdict(one) for one in doubled],
    }


if __name__ == "__main__":
    main()
