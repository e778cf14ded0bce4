"""Citations of rulesets, such as `estmesh-hearts/4@1.0.0~8a411677 limit=50`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.lawbook.book import version
from refengine.lawbook.editions import profile_fingerprint
from refengine.lawbook.options import (
    OPTIONS,
    Value,
    option_named,
    value_text,
    value_typed,
)
from refengine.lawbook.reading import VERSION

_RULESET: Final = re.compile(
    rf"([a-z0-9-]+)/([1-9][0-9]?)@({VERSION})~([0-9a-f]{{8}})((?: [a-z_]+=[^ ]*)*)"
)
_A_CITATION: Final = (
    "PROFILE/PLAYERS@VERSION~DIGEST and, in the order of 0.4, each option that "
    "differs from the profile, as in estmesh-hearts/4@1.0.0~8a411677 limit=50"
)
_ORDER: Final = {option.name: place for place, option in enumerate(OPTIONS)}


@attrs.frozen
class RulesetCitation:
    """A citation of a ruleset.

    `fingerprint` is the fingerprint of the profile in the `version` of the book that is
    cited. `options` holds the options that differ from the profile, in the order of
    clause 0.4.
    """

    profile: str
    players: int
    version: str
    fingerprint: str
    options: Mapping[str, Value]

    @classmethod
    def read(cls, text: str) -> RulesetCitation:
        """The citation of a ruleset in this text.

        Raises Malformed if the text is not such a citation, if the book has no such
        option or value, or if the options are not in the order of clause 0.4.
        Clause 0.5.
        """
        found = _RULESET.fullmatch(text)
        if found is None:
            raise Malformed(f"{text!r:.80}", _A_CITATION)
        profile, players, version, fingerprint, changes = found.groups()
        options: dict[str, Value] = {}
        for name, _, value in (change.partition("=") for change in changes.split()):
            option = option_named(name)
            options[name] = option.read(value_typed(option, value))
        citation = cls(profile, int(players), version, fingerprint, options)
        if str(citation) != text:
            raise Malformed(f"{text!r:.200}", str(citation))
        return citation

    def __str__(self) -> str:
        ordered = sorted(self.options.items(), key=lambda one: _ORDER[one[0]])
        changes = "".join(f" {name}={value_text(value)}" for name, value in ordered)
        return (
            f"{self.profile}/{self.players}@{self.version}~{self.fingerprint}{changes}"
        )


def citation_of(
    profile: str, players: int, options: Mapping[str, Value]
) -> RulesetCitation:
    """The citation of a profile with these options changed, in the current book."""
    fingerprint = profile_fingerprint(profile)
    return RulesetCitation(profile, players, version(), fingerprint, options)
