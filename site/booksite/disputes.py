"""Disputes between players, taken from the tests, as a page and as recorded games."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from random import Random
from typing import Any, Final

import attrs

from booksite.elements import WIDE, element, head_and_body, link, listed, section, soft
from booksite.faces import hand, moment
from booksite.games import ROOT, Game, of_trace
from booksite.marks import (
    clause_links,
    inline,
    option_said,
    profile_said,
    profile_titled,
)
from booksite.topics import TOPICS, topic_of
from refengine.formats.recording import bare_step
from refengine.formats.trace import Probe, Step, Trace, opened, read_trace, spec_version
from refengine.game.acts import Act, Claim, Draw, PassUnseen, Play, Retract
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.lawbook.options import option_named
from refengine.lawbook.reading import mentions
from refengine.lawbook.spoken import value_name
from refengine.rulings.explain import explain
from refengine.rulings.sentences import Said
from refengine.rulings.words import card_words, option_meaning

FILE: Final = ROOT / "tests" / "support" / "disputes.jsonl"
Json = dict[str, Any]

_VERDICT: Final = {
    "legal": "Yes",
    "irregular": "No: it is a revoke, but the card stands",
    "refused": "No",
}


_SCORE: Final = ("score", "totals", "match")
_MATCH: Final = ("totals", "match")
_OF_THE_MATCH: Final = "9."  # the chapter on totals, the end and the winners
_ACT_ITSELF: Final = (Claim, Draw, PassUnseen, Retract)  # acts worth a reason


@attrs.frozen
class Answer:
    """An answer to a dispute, and the rulesets that give it.

    It has the verdict, and sentences with their clauses. `rest` holds clauses of the
    verdict that no sentence names.
    """

    rulesets: tuple[Json, ...]
    verdict: str
    says: tuple[Said, ...]
    rest: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Dispute:
    """A dispute: the question, the ruling, and the game in which it arises.

    `state` is the moment under the first of the rulesets. `answers` holds the different
    answers, and `everywhere` what all rulesets say. `asks_verdict` is true if the
    question is whether the act is allowed, rather than what follows from it.
    """

    id: str
    topic: str
    question: str
    ruling: str
    answers: tuple[Answer, ...]
    everywhere: tuple[Said, ...]
    asks_verdict: bool
    state: State
    act: Act
    game: Game

    @property
    def title(self) -> str:
        """The id as a title, with spaces for hyphens and a capital letter."""
        words = self.id.replace("-", " ")
        return words[:1].upper() + words[1:]


@cache
def disputes() -> tuple[Dispute, ...]:
    """All disputes, in the order in which they stand in the file."""
    return tuple(_read(json.loads(line)) for line in FILE.read_bytes().splitlines())


def _read(found: Json) -> Dispute:
    """The dispute that an entry in the file describes."""
    trace, state, act = _played(found, found["answers"][0]["ruleset"])
    asks = {answer["verdict"] for answer in found["answers"]} != {"legal"}
    answers, everywhere = _answers(found, asks)
    name, question = found["id"], found["question"]
    steps = (*trace.steps, _asked(state, act))
    line = of_trace(attrs.evolve(trace, steps=steps, name=question))
    return Dispute(
        id=name,
        topic=topic_of(name, act.kind, mentions(found["ruling"])),
        question=question,
        ruling=found["ruling"],
        answers=answers,
        everywhere=everywhere,
        asks_verdict=asks,
        state=state,
        act=act,
        game=Game(id=name, name=question, group="disputes", line=line),
    )


def _played(found: Json, ruleset: Json) -> tuple[Trace, State, Act]:
    """The game of a dispute played under a ruleset, up to the act at issue.

    The result is the trace, the state reached, and that act.
    """
    bare = {"trace": 1, "id": "t-0000000000000000", "spec": spec_version()}
    bare |= {key: found[key] for key in ("setup", "match") if key in found}
    bare |= {"ruleset": ruleset, "steps": [*found["acts"], found["ask"]]}
    trace = read_trace(json.dumps(bare).encode())
    *before, asked = [step.act for step in trace.steps]
    state = opened(trace.ruleset, trace.start)
    steps = []
    for act in before:
        step, state = bare_step(state, act)
        steps.append(step)
    return attrs.evolve(trace, steps=tuple(steps)), state, asked


def _answers(
    found: Json, asks_verdict: bool
) -> tuple[tuple[Answer, ...], tuple[Said, ...]]:
    """The different answers to a dispute, and the sentences that all rulesets share.

    Rulesets with the same answer are joined. The second part is empty if the question
    is whether an act is allowed, or if the first ruleset says nothing else.
    """
    rows = [(one, _says(found, one, asks_verdict)) for one in found["answers"]]
    first = rows[0][1]
    common = [one for one in first if all(one in says for _, says in rows)]
    if asks_verdict or len(common) == len(first):
        common = []
    groups: dict[tuple[str, tuple[Said, ...], tuple[str, ...]], list[Json]] = {}
    for answer, says in rows:
        named = {number for one in says for number in one.clauses}
        rest = tuple(one for one in answer["clauses"] if one not in named)
        own = tuple(one for one in says if one not in common)
        key = (answer["verdict"], own, rest)
        groups.setdefault(key, []).append(answer["ruleset"])
    answers = [
        Answer(tuple(rulesets), verdict, says, rest)
        for (verdict, says, rest), rulesets in groups.items()
    ]
    return tuple(answers), tuple(common)


def _says(found: Json, answer: Json, asks_verdict: bool) -> tuple[Said, ...]:
    """The sentences that `refengine explain` gives under a ruleset.

    They say why the act is allowed or not, what follows from it, or both, depending on
    the question. Totals and winners are mentioned only if the dispute is about them.
    """
    _, state, asked = _played(found, answer["ruleset"])
    ruling = explain(state, asked)
    stated = {key for one in found["answers"] for key in one.get("then", {})}
    scored = not stated.isdisjoint(_SCORE)
    reasons = ruling.why if asks_verdict or isinstance(asked, _ACT_ITSELF) else ()
    if answer["verdict"] == "refused" or (asks_verdict and not scored):
        return reasons
    matched = not stated.isdisjoint(_MATCH)
    follows = [one for one in ruling.follows if matched or not _of_match(one)]
    return (*reasons, *(one for one in follows if one not in reasons))


def _of_match(one: Said) -> bool:
    """Whether a sentence is only about totals, the end of the match or the winners."""
    numbers = one.clauses
    return bool(numbers) and all(clause.startswith(_OF_THE_MATCH) for clause in numbers)


def _asked(state: State, act: Act) -> Step:
    """A step that carries the act out or, if the act is refused, probes it.

    The step of a refused act carries out some legal act instead.
    """
    verdict = state.verdict(act)
    if not isinstance(verdict, Refused):
        return bare_step(state, act)[0]
    if state.legal.cards:
        instead: Act = Play(state.turn[0], next(iter(state.legal.cards)))
    elif state.legal.due.kind in {"deal", "mix"}:  # too many to be listed
        instead = state.random_act(Random(0))
    else:
        instead = next(iter(state.legal))
    return Step(act=instead, refuse=(Probe(act, verdict.clauses),))


def disputes_page(found: Sequence[Dispute]) -> str:
    """The page of all disputes, topic by topic."""
    topics = {topic: [one for one in found if one.topic == topic] for topic in TOPICS}
    words = (
        f"<p>{len(found)} questions from the table, each with its ruling. Where it "
        "depends on what your table plays, open it: the answers are listed there, "
        "table by table, with the clause that says so. Every one of them is also a "
        "test: the engine must give the same answer.</p>"
    )
    jump = listed(
        (
            f"{link(f'#{address_of_topic(topic)}', topic)} {soft(str(len(some)))}"
            for topic, some in topics.items()
        ),
        "jump",
    )
    parts = [
        WIDE,
        section("What players argue about", f"{words}{_FIND}{jump}", level=1),
    ]
    for topic, some in topics.items():
        parts.append(f"## {topic}")
        parts += [section(one.title, dispute_html(one), level=3) for one in some]
    return "\n".join(parts)


_FIND: Final = (
    '<form class="find" role="search" aria-label="Arguments" hidden>'
    '<label class="field">'
    "<span>Find an argument</span>"
    '<input type="search" name="find" autocomplete="off" '
    'placeholder="renege, black lady, 10 of spades, 5.5 …"></label></form>'
    '<p class="find-count" role="status"></p>'
    '<script defer src="_static/search-words.js"></script>'
    '<script defer src="_static/search.js"></script>'
    '<script defer src="_static/arguments.js"></script>'
)


def address_of_topic(topic: str) -> str:
    """The anchor for a topic on the page."""
    return re.sub("[^a-z]+", "-", topic.lower())


def dispute_html(one: Dispute) -> str:
    """One dispute: the question, the ruling, the moment drawn, and the answers."""
    rows = (
        f"<tr><th scope='row'>{''.join(map(_ruleset, answer.rulesets))}</th>"
        f"<td>{_answer(answer, one.asks_verdict)}</td></tr>"
        for answer in one.answers
    )
    asks = f'<p class="asked"><b>{_asks(one.act)}</b></p>' if one.asks_verdict else ""
    always = f"<p>In every case: {_told(one.everywhere)}</p>" if one.everywhere else ""
    see = link(one.game.address(len(one.game.steps) or 1), "See it on the table")
    drawn = _moment(one)
    shown = "The cards, and the answer" if drawn else "The answer,"
    return (
        f'<blockquote class="question">{inline(one.question)}</blockquote>'
        f'<p class="ruling-words">{ruling_html(one)}</p>'
        f'<details class="argument-answers"><summary>{shown} table by table</summary>'
        f"{drawn}{asks}{always}"
        '<div class="table-wrapper stack"><table class="answers">'
        f'<caption class="sr-only">{escape(one.title)}, table by table</caption>'
        f"{head_and_body(('where they play', 'answer'), rows)}</table></div>"
        f"<p>{see}</p></details>"
    )


def ruling_html(one: Dispute) -> str:
    """The ruling as HTML, with links, and with profiles under their everyday names."""
    return inline(one.ruling, profile_titled)


def _moment(one: Dispute) -> str:
    """A drawing of the cards on the table and of the hand that the act plays from.

    Empty if the act in question is not a play or no hands are known.
    """
    if not one.state.hands or not isinstance(one.act, Play):
        return ""
    table = one.state.table.cards if one.state.table is not None else ()
    seat = one.act.seat
    held = hand(one.state.hands[seat])
    drawn = moment(table, "nobody has played yet", f"seat {seat} holds", held)
    return element("div", drawn, "moment")


def _ruleset(fields: Json) -> str:
    """A ruleset, with the meaning of each changed option."""
    changed = {
        name: option_named(name).read(value)
        for name, value in fields.get("options", {}).items()
    }
    rules = "".join(
        f"<br>{option_said(name)}: <b>{escape(value_name(name, value))}</b>. "
        f"{soft(escape(option_meaning(name, value)))}"
        for name, value in changed.items()
    )
    return f"<div>{profile_said(fields['profile'])}{rules}</div>"


def _asks(act: Act) -> str:
    """The act as a question, such as `May seat 1 play the queen of spades?`."""
    words = act.phrase
    if isinstance(act, Play):
        words = f"play {card_words(act.card)}"
    return escape(f"May seat {act.seat} {words}?")


def _answer(answer: Answer, asks_verdict: bool) -> str:
    """The verdict (if the question asks for it), the reasons and any other clauses."""
    told = [_told(answer.says), clause_links(answer.rest)]
    if asks_verdict:
        verdict = _VERDICT[answer.verdict]
        told.insert(0, f"<b class='{answer.verdict}'>{verdict}.</b>")
    return " ".join(filter(None, told))


def _told(sentences: Iterable[Said]) -> str:
    """The sentences as HTML, each followed by links to the clauses that it rests on."""
    return " ".join(
        inline(one.text) + (f" ({clause_links(one.clauses)})" if one.clauses else "")
        for one in sentences
    )
