"""What is done about a failure to follow suit, depending on when it is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from refengine.chapters.cards import EMPTY
from refengine.chapters.deal import match_pack
from refengine.chapters.revoke import (
    no_quitting,
    penalty,
    time_to_correct,
    too_early_to_claim,
)
from refengine.game.rulesets import Ruleset
from refengine.rulings.asking.answers import Answer, headline
from refengine.rulings.asking.questions import MOMENTS, Question
from refengine.rulings.irregularities import (
    can_revoke_in_last_trick,
    cost_words,
    knows_revokes,
    last_revoke_lasts,
)
from refengine.rulings.irregularity_words import irregularity_sentence
from refengine.rulings.sentences import COLUMNS, WORDS, Said, answer_sentence
from refengine.rulings.templates import templates
from refengine.rulings.words import WINDOWS, seat_words

_TRICK: Final = 1
"""The trick with the revoke, taken to be the first of the deal."""

_MOMENTS: Final[dict[str, str]] = templates()["moments"]


def revoke_answer(question: Question) -> Answer:
    """Whether the card can be taken back or the revoke claimed, and what it costs."""
    rules = question.rules
    when = question.text("when")
    granted = tuple(_granted(rules, when))
    if not question.has("seat"):
        who = WORDS["the player"]
    else:
        who = seat_words(question.number("seat", 0))
    if not knows_revokes(rules):
        return _rejected(rules, when, granted)
    columns = (COLUMNS["when"], COLUMNS["taken back"], COLUMNS["claimed"])
    rows = tuple(
        [
            (_MOMENTS[one], _yes(can_correct(rules, one)), _yes(can_claim(rules, one)))
            for one in MOMENTS
        ]
    )
    return Answer(
        rules=rules,
        headline=_headline(rules, when, who),
        why=tuple(_why(rules, when)),
        follows=tuple(_follows(rules, when)),
        granted=granted,
        columns=columns,
        rows=rows,
    )


def _granted(rules: Ruleset, when: str) -> Iterator[str]:
    """What the answer assumes: the seat could follow, and it was not the last trick.

    The last trick is mentioned only if it makes a difference.
    """
    yield WORDS["could follow"]
    if when == "deal_over" and knows_revokes(rules) and last_revoke_lasts(rules):
        yield WORDS["not the last trick"]


def can_correct(ruleset: Ruleset, when: str) -> bool:
    """Whether a revoke can still be taken back at this moment (7.4).

    At `deal_over`, the revoke is taken to have been made before the last trick.
    """
    if when == "next_deal":
        return False
    done, table_empty, closed = _moment(ruleset, when)
    return time_to_correct(ruleset.rules, _TRICK, done, table_empty, closed)


def can_claim(ruleset: Ruleset, when: str) -> bool:
    """Whether a revoke can be claimed at this moment (7.7, 7.7c).

    At `deal_over`, the revoke is taken to have been made before the last trick.
    """
    if when == "next_deal":
        return False
    done, _, _ = _moment(ruleset, when)
    correctable = can_correct(ruleset, when)
    return not too_early_to_claim(ruleset.rules, _TRICK, done, correctable, False)


def _moment(ruleset: Ruleset, when: str) -> tuple[int, bool, bool]:
    """The number of tricks done, and whether the table is empty and the trick closed.

    The trick is closed once it is turned face down, if the rules make that an act.
    """
    if when == "trick":
        return 0, False, False
    if when == "trick_complete":
        return 1, True, False
    if when == "quitted":
        return 1, True, not no_quitting(ruleset.rules)
    if when == "next_lead":
        return 1, False, False
    return 2, True, False


def _yes(said: bool) -> str:
    return WORDS["yes" if said else "no"]


def _headline(rules: Ruleset, when: str, who: str) -> str:
    window = WINDOWS[str(rules.options["revoke_until"])]
    facts: dict[str, object] = {"who": who, "window": window}
    if when == "next_deal":
        return headline("revoke too late", **facts)
    if can_correct(rules, when):
        return headline("revoke in time", **facts)
    pack = match_pack(rules.rules, EMPTY)
    facts["points"] = int(penalty(rules.rules, pack))
    if not rules.rules.revoke_ends_deal:
        return headline("revoke claimed", **facts)
    scored = when == "deal_over"
    return headline(f"revoke claimed {'scored' if scored else 'ends'}", **facts)


def _why(rules: Ruleset, when: str) -> list[Said]:
    until = str(rules.options["revoke_until"])
    said = [irregularity_sentence("definition"), irregularity_sentence("stands")]
    if when == "next_deal":
        said.append(irregularity_sentence("claim"))
        return [*said, irregularity_sentence("claim until")]
    said.append(irregularity_sentence(until))
    if when == "deal_over" and last_revoke_lasts(rules):
        quitted = until == "trick_quitted"
        words = WORDS["or turned down"] if quitted else ""
        said.append(irregularity_sentence("last trick", quit=words))
    if when == "quitted" and no_quitting(rules.rules):
        said.append(answer_sentence("turning is no act"))
    if can_correct(rules, when):
        said.append(irregularity_sentence("claim from"))
        return said
    said.append(irregularity_sentence("claim"))
    said.append(irregularity_sentence("claim until"))
    return said


def _follows(rules: Ruleset, when: str) -> list[Said]:
    if when == "next_deal":
        return [irregularity_sentence("unclaimed")]
    said = []
    if can_correct(rules, when):
        said.append(irregularity_sentence("restored"))
        if rules.options["undealt"] == "stock":
            said.append(irregularity_sentence("drawn"))
        said.append(irregularity_sentence("taken with it"))
        return [*said, answer_sentence("another fault")]
    scored = when == "deal_over"
    if rules.rules.revoke_ends_deal:
        event = "ends scored" if scored else "ends"
        said.append(irregularity_sentence(event, points=cost_words(rules)))
    else:
        event = "scored already" if scored else "goes on"
        said.append(irregularity_sentence(event, points=cost_words(rules)))
        if rules.options["moon"] != "none":
            said.append(irregularity_sentence("no moon"))
    if scored:
        said.append(irregularity_sentence("scored anew"))
    said.append(irregularity_sentence("unclaimed"))
    return [*said, answer_sentence("another fault"), answer_sentence("proof")]


def _rejected(rules: Ruleset, when: str, granted: tuple[str, ...]) -> Answer:
    """The answer under rules that refuse a card which fails to follow suit.

    Early on, such a card is taken back; later, it stands, except for the last card of a
    deal, which is taken back until the next deal.
    """
    early = when in ("trick", "trick_complete", "quitted")
    head = "wrong card early" if early else "wrong card late"
    said = [irregularity_sentence("rejected"), answer_sentence("wrong card early")]
    said.append(answer_sentence("wrong card late"))
    if when == "deal_over" and can_revoke_in_last_trick(rules):
        head = "wrong last card"
        said.append(answer_sentence(head))
    return Answer(
        rules=rules,
        headline=headline(head),
        why=tuple(said),
        follows=(answer_sentence("agree on revokes"),),
        granted=granted,
    )
