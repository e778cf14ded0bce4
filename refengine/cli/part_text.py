"""The judgement of a deal that is known in part, for a terminal and as plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from refengine.cli.judge_text import begins_lines, moment_lines, refused_fields
from refengine.errors import counted
from refengine.formats.fields import ruleset_fields
from refengine.formats.written.written_match import WrittenMatch
from refengine.game.rulesets import Ruleset
from refengine.lawbook.book import title
from refengine.rulings.part_scores import WrongEnd, WrongScore
from refengine.rulings.partly_known import JudgedPart, JudgedPlay
from refengine.rulings.ruling_text import wrapped_lines
from refengine.rulings.sentences import Said
from refengine.rulings.words import card_words, value_words

_PART = (
    "Not every card of this deal is known: a play is legal, or against the rules, if "
    "it is so from every hand that its seat may have held."
)


def part_lines(
    match: WrittenMatch, judged: JudgedPart, begins: Sequence[Said]
) -> Iterator[str]:
    """The judgement of the only deal of this match, as lines for a terminal.

    `begins` holds what is wrong with the way in which the deal begins.
    """
    yield from begins_lines(begins)
    if any(one.standing == "unknown" for one in judged.plays):
        yield from wrapped_lines(_PART)
    for play in judged.plays:
        if play.standing != "legal":
            yield from wrapped_lines(_play_words(match, play), "  ", "    ")
    for act in judged.acts:
        yield from moment_lines(f"step {act.place}", act)
    for one in _wrong_results(match, judged):
        yield from wrapped_lines(str(one), "  ", "    ")
    yield from wrapped_lines(_counted(judged))


def _wrong_results(match: WrittenMatch, judged: JudgedPart) -> Iterator[Said]:
    """What the record says wrongly of tricks, the score, totals and the winners."""
    for one in judged.winners:
        won, stated = map(match.seat_text, (one.won, one.stated))
        text = f"Trick {one.trick}: {won} has won it, but the record says {stated}."
        yield Said(text, ("5.10",))
    by_cards = "as the cards were taken"
    if judged.wrong_score is not None:
        yield _numbers_words("score is", judged.wrong_score, by_cards, "8.1")
    if judged.wrong_totals is not None:
        why = "with this score added" if judged.score is None else by_cards
        yield _numbers_words("totals are", judged.wrong_totals, why, "9.1")
    if judged.wrong_end is not None:
        yield _end_words(judged.wrong_end)
    if judged.impossible_score:
        score = " ".join(map(str, judged.impossible_score))
        text = f"The score {score}: no deal gives these scores together."
        yield Said(text, ("8.1", "8.9"))


def _numbers_words(what: str, wrong: WrongScore, why: str, clause: str) -> Said:
    """The sentence on a wrong score or wrong totals, with the right numbers."""
    stated, right = (" ".join(map(str, one)) for one in (wrong.stated, wrong.right))
    text = f"The record says that the {what} {stated}; {why}: {right}."
    return Said(text, (clause,))


def _end_words(wrong: WrongEnd) -> Said:
    """The sentence on winners who have not won, or not alone, as the totals stand."""
    right = wrong.right
    stated, found = (
        value_words("match", {"over": over, "winners": winners})
        for over, winners in ((True, wrong.stated), (right.over, right.winners))
    )
    text = f"The record says that the match is {stated}; by the totals it is {found}."
    return Said(text, (wrong.clause,))


def _play_words(match: WrittenMatch, play: JudgedPlay) -> str:
    who = "" if play.seat is None else f", {match.seat_text(play.seat)}"
    head = f"Trick {play.trick}{who}: {card_words(play.card)}"
    broken = _clauses_words(play)
    if play.standing == "illegal":
        return f"{head} is against the rules: {broken}."
    if play.seat is None:
        return f"{head} cannot be judged: nothing tells who played it."
    if not broken:
        return f"{head} cannot be judged: it depends on what was wrong before."
    return f"{head} cannot be judged: from some hands it breaks {broken}."


def _clauses_words(play: JudgedPlay) -> str:
    """The clauses that a play breaks, joined by "or" where hands break different ones.

    A clause has its title where it comes first.
    """
    titled: set[str] = set()
    sets: list[str] = []
    for clauses in play.broken:
        named = [one if one in titled else f"{one} {title(one)}" for one in clauses]
        sets.append(" and ".join(named))
        titled.update(clauses)
    several = any(len(clauses) > 1 for clauses in play.broken)
    return (", or " if several else " or ").join(sets)


def _counted(judged: JudgedPart) -> str:
    numbers = Counter(one.standing for one in judged.plays)
    plays = counted(len(judged.plays), "play")
    return (
        f"{plays}: {numbers['legal']} legal, {numbers['illegal']} against the rules, "
        f"{numbers['unknown']} that cannot be judged."
    )


def part_fields(ruleset: Ruleset, judged: JudgedPart) -> dict[str, Any]:
    """The judgement as plain values; every play comes with its standing and clauses."""
    found: dict[str, Any] = {
        "ruleset": ruleset_fields(ruleset),
        "outcome": "pass" if judged.fits else "fail",
        "plays": [_play_fields(one) for one in judged.plays],
    }
    if judged.acts:
        found["acts"] = [refused_fields(one) for one in judged.acts]
    if judged.winners:
        found["winners"] = [
            {"trick": one.trick, "expected": one.won, "got": one.stated}
            for one in judged.winners
        ]
    for key, wrong in (
        ("wrong_score", judged.wrong_score),
        ("wrong_totals", judged.wrong_totals),
    ):
        if wrong:
            found[key] = {"expected": [*wrong.right], "got": [*wrong.stated]}
    if judged.wrong_end:
        right = judged.wrong_end.right
        found["wrong_match"] = {
            "expected": {"over": right.over, "winners": [*right.winners]},
            "got": {"over": True, "winners": [*judged.wrong_end.stated]},
        }
    if judged.impossible_score:
        found["impossible_score"] = list(judged.impossible_score)
    return found


def _play_fields(play: JudgedPlay) -> dict[str, Any]:
    return {
        "trick": play.trick,
        "seat": play.seat,
        "play": str(play.card),
        "standing": play.standing,
        "clauses": list(play.clauses),
    }
