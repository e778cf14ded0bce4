"""Looking up the ruleset that a citation names, and whether the citation is true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from refengine.errors import Malformed
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Refused
from refengine.lawbook import book
from refengine.lawbook.canonical import plain_value
from refengine.lawbook.citing import version_in_words
from refengine.lawbook.editions import Edition, edition, edition_today, is_draft
from refengine.lawbook.options import OPTIONS, Value, value_text
from refengine.lawbook.profiles import profile
from refengine.lawbook.ruleset_citation import RulesetCitation


@attrs.frozen
class CitedRuleset:
    """The ruleset that a citation leads to, and whether the citation is true.

    `true` says whether the version cited has this profile, these option values and this
    number of players, and `same` whether the profile is also unchanged today. `wording`
    is a sentence that says both. `ruleset` is the ruleset cited, in the current book;
    it is None if the citation is false, or if the book refuses the ruleset.
    """

    citation: RulesetCitation
    true: bool
    same: bool
    wording: str
    ruleset: Ruleset | None

    def fields(self) -> dict[str, Any]:
        """The citation, whether it is true, and its ruleset, as plain JSON values."""
        found: dict[str, Any] = {
            "cited": str(self.citation),
            "true": self.true,
            "same": self.same,
            "wording": self.wording,
        }
        if self.ruleset is not None:
            found["in_full"] = self.ruleset.citation
            found["ruleset"] = {
                "profile": self.ruleset.profile,
                "players": self.ruleset.players,
                "options": {
                    name: plain_value(value)
                    for name, value in self.ruleset.options.items()
                },
            }
        return found


def look_up_ruleset(text: str) -> CitedRuleset:
    """The ruleset that a citation leads to, and whether the citation is true.

    Raises Malformed if the text is not such a citation, or if an option in it merely
    repeats the value in the profile, and UnknownEdition if it names an edition that
    does not exist.
    """
    citation = RulesetCitation.read(text)
    today = book.version()
    draft = citation.version == today and is_draft(today)
    cited = edition_today() if draft else edition(citation.version)
    if wrong := _untrue(citation, cited):
        return CitedRuleset(citation, False, False, wrong, None)
    fields = cited.members["profiles"][citation.profile]
    for name, value in citation.options.items():
        if fields["options"][name] == plain_value(value):
            found = f"{name}={value_text(value)}, which is what {citation.profile} has"
            raise Malformed(found, "options that differ from the profile")
    return _true(citation, fields["options"])


def _untrue(citation: RulesetCitation, cited: Edition) -> str:
    """Why the citation is false, in words; empty if it is true."""
    version, name = citation.version, citation.profile
    profiles, options = cited.members["profiles"], cited.members["options"]
    if name not in profiles:
        return f"{version} has no profile {name}"
    right = cited.fingerprint("profiles", name)
    if citation.fingerprint != right:
        return f"{version} has no such profile: there {name} is ~{right}"
    for option, value in citation.options.items():
        if option not in options:
            return f"{version} has no option {option}"
        if not _takes(options[option]["values"], value):
            return f"{option} does not take {value_text(value)} in {version}"
    kitty = {**profiles[name]["options"], **citation.options}["undealt"] == "kitty"
    allowed = profiles[name]["players_with_kitty" if kitty else "players"]
    if citation.players not in allowed:
        return f"{name} is not for {citation.players} players in {version}"
    return ""


def _takes(values: list[Any], value: Value) -> bool:
    """Whether an option may have a value, given the `values` that an edition lists."""
    for one in values:
        if isinstance(one, dict) and "list_of" in one:
            return isinstance(value, tuple) and set(value) <= {*one["list_of"]}
        if isinstance(one, dict):
            if type(value) is int and one["from"] <= value <= one["to"]:
                return True
        elif type(one) is type(value) and one == value:
            return True
    return False


def _true(citation: RulesetCitation, options: Mapping[str, Any]) -> CitedRuleset:
    """The result for a citation that is true; `options` are those of its profile then.

    An option that is newer than the version cited has its base value.
    """
    then = {**{one.name: plain_value(one.base) for one in OPTIONS}, **options}
    now = profile(citation.profile).options
    changed = [name for name, value in then.items() if value != plain_value(now[name])]
    values = {**then, **citation.options}
    try:
        ruleset = Ruleset(citation.profile, citation.players, values)
    except Refused as refused:
        said = f"the profile is that of {citation.version}, but {refused}"
        return CitedRuleset(citation, True, not changed, said, None)
    today = book.version()
    words = version_in_words(today)
    if changed:
        listed = ", ".join(changed)
        said = f"the profile has changed since {citation.version}, in {listed}"
    elif citation.version == today:
        said = f"this is the profile of {words}"
    else:
        said = f"the profile of {citation.version} is still that of {words}"
    return CitedRuleset(citation, True, not changed, said, ruleset)
