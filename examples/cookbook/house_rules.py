"""House rules: change an option, use a club's own file, and cite what is played."""

from pathlib import Path

from refengine import Refused, Ruleset, club_rules

FRIDAY = """\
name = "friday"
title = "Hearts on Friday"
base = "common-hearts"
players = [4]

[options]
queen_waits = "lead"
limit = 50
"""


def friday(folder: Path) -> Ruleset:
    """Write a club's file into this folder; return the ruleset read from it."""
    path = folder / "friday.toml"
    path.write_text(FRIDAY, "utf-8")
    return club_rules(path).ruleset()


def shorter(ruleset: Ruleset) -> Ruleset:
    """The same rules with half the limit, for a shorter match."""
    limit = ruleset.options["limit"]
    assert isinstance(limit, int)
    return ruleset.having(limit=limit // 2)


def why_impossible(profile: str, **options: object) -> tuple[str, ...]:
    """The clauses that forbid these options together, or none if they may be played."""
    try:
        Ruleset(profile, options=options)
    except Refused as refused:
        return refused.clauses
    return ()


if __name__ == "__main__":
    club = friday(Path())
    print(club.changed)  # what differs from the profile
    print(club.citation)  # what to write in a report of a game
    print(shorter(club).options["limit"])
