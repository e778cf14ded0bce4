"""What an engine plays, in words."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from refengine.lawbook.options import value_text
from refengine.lawbook.spoken import option_name, profile_said, rule_said
from refengine_conformance.identify.identify import Identified, Named
from refengine_conformance.runner.table import ruleset_flags


def sentences(found: Identified) -> Iterator[str]:
    """The lines that say what was found."""
    games = f"{found.answered} of {found.asked} games answered"
    if found.exit_code == 4:
        yield f"{games}: too few to tell which rules are played."
        return
    first = found.rulesets[0]
    if first.unexplained:
        yield from _nearest(first, games)
    else:
        yield from _rules(first, "It plays")
        begun = "the games"
        if first.explains < found.answered:
            begun = f"the {first.explains} games that can be begun with them"
        yield f"Under these rules everything in {begun} is right ({games})."
    if found.undecided:
        options = ", ".join(
            f"{option_name(name)} ({name}: {' or '.join(map(value_text, values))})"
            for name, values in found.undecided
        )
        yield f"No game asked tells apart: {options}."


def _rules(named: Named, begin: str) -> Iterator[str]:
    ruleset = named.ruleset
    title = profile_said(ruleset.profile)
    changed = ruleset.changed.items()
    end = ", with" if changed else "."
    yield f"{begin} {title}, {ruleset.players} players{end}"
    for name, value in changed:
        yield f"  {rule_said(name, value)}"


def _nearest(named: Named, games: str) -> Iterator[str]:
    yield from _rules(named, "The nearest rules are")
    yield (
        f"Under these rules everything is right in {named.explains} of the games, and "
        f"something is wrong in {named.unexplained} ({games}): a bug, or a rule that "
        "the book does not have. This shows what is wrong:"
    )
    yield f"  refengine conform run {shlex.join(ruleset_flags(named.ruleset))} -- …"
