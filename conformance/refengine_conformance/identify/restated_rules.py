"""Writes the rules of a ruleset as changes to another profile, as few as possible."""

from __future__ import annotations

from refengine.errors import Malformed
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Refused
from refengine_conformance.diagnosis.effects import (
    OF_THE_DEAL,
    key_of,
    without_change,
)


def as_changes_to(profile: str, ruleset: Ruleset) -> Ruleset | None:
    """The same rules, written as changes to this profile; None if that is not possible.

    All options are changed at once. On their own, some of the changes may be refused by
    the book, and so may the unchanged profile for this number of players.
    """
    try:
        own = Ruleset(profile, ruleset.players, ruleset.options)
    except (Refused, Malformed):
        return None
    return _without_idle(own) if key_of(own) == key_of(ruleset) else None


def _without_idle(ruleset: Ruleset) -> Ruleset:
    """The same rules without changes that make no difference.

    A change is kept if the book would refuse the rules without it, or if it affects
    what is dealt.
    """
    for name in ruleset.changed:
        if name in OF_THE_DEAL:  # what is dealt differs, which no key shows
            continue
        less = without_change(ruleset, name)
        if less is not None and key_of(less) == key_of(ruleset):
            ruleset = less
    return ruleset
