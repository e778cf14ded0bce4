"""What players argue about: the disputes of the tests as a page, and as games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from random import Random
from typing import Any, Final

import attrs

from booksite.chapters import value_text
from booksite.faces import hand
from booksite.games import ROOT, Game, of_trace
from booksite.marks import block, clause_link, inline, option_link, profile_link
from refengine.formats.trace import Probe, Step, Trace, opened, read_trace, spec_version
from refengine.game.acts import Act, Play
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Refused
from refengine.lawbook.options import Value
from refengine.rulings.explain import explain
from refengine.rulings.sentences import Said
from refengine.rulings.words import card_words, option_meaning

FILE: Final = ROOT / "tests" / "support" / "disputes.jsonl"
Json = dict[str, Any]

_VERDICT: Final = {
    "legal": "Yes",
    "irregular": "Yes, and it is a revoke",
    "refused": "No",
}


@attrs.frozen(kw_only=True)
class Dispute:
    """One dispute: the question, the ruling, and the moment as a game.

    `state` is the moment under the first of its rulesets, `reasons` has for each answer
    why it is so, in plain words.
    """

    id: str
    question: str
    ruling: str
    answers: tuple[Json, ...]
    reasons: tuple[tuple[Said, ...], ...]
    state: State
    act: Act
    game: Game

    @property
    def title(self) -> str:
        """Its id in words."""
        words = self.id.replace("-", " ")
        return words[:1].upper() + words[1:]


def disputes() -> Iterator[Dispute]:
    """All disputes, in the order of their file."""
    for line in FILE.read_bytes().splitlines():
        yield _read(json.loads(line))


def _read(found: Json) -> Dispute:
    """A dispute of the file."""
    trace = _traced(found, found["answers"][0]["ruleset"])
    *before, asked = [step.act for step in trace.steps]
    state = opened(trace.ruleset, trace.start)
    steps: list[Step] = []
    for act in before:
        steps.append(_done(state, act))
        state = state.apply(act)
    steps += _asked(state, asked)
    played = attrs.evolve(trace, steps=tuple(steps), name=found["question"])
    return Dispute(
        id=found["id"],
        question=found["question"],
        ruling=found["ruling"],
        answers=tuple(found["answers"]),
        reasons=tuple(_why(found, answer["ruleset"]) for answer in found["answers"]),
        state=state,
        act=asked,
        game=Game(
            id=found["id"],
            name=found["question"],
            group="disputes",
            line=of_trace(played),
        ),
    )


def _traced(found: Json, ruleset: Json) -> Trace:
    """The acts of a dispute, and the act that is asked about, under a ruleset."""
    bare = {"trace": 1, "id": "t-0000000000000000", "spec": spec_version()}
    bare |= {key: found[key] for key in ("setup", "match") if key in found}
    bare |= {"ruleset": ruleset, "steps": [*found["acts"], found["ask"]]}
    return read_trace(json.dumps(bare).encode())


def _why(found: Json, ruleset: Json) -> tuple[Said, ...]:
    """Why the act is allowed or not under a ruleset, as `refengine explain` says it."""
    trace = _traced(found, ruleset)
    *before, asked = [step.act for step in trace.steps]
    state = opened(trace.ruleset, trace.start)
    for act in before:
        state = state.apply(act)
    return explain(state, asked).why


def _done(state: State, act: Act) -> Step:
    verdict = state.verdict(act)
    breaks = verdict.clauses if isinstance(verdict, Irregular) else ()
    return Step(act=act, breaks=breaks)


def _asked(state: State, act: Act) -> list[Step]:
    """The step in which the act that is asked about is done, or tried."""
    verdict = state.verdict(act)
    if not isinstance(verdict, Refused):
        return [_done(state, act)]
    probe = Probe(act, verdict.clauses)
    if state.legal.cards:
        instead: Act = Play(state.turn[0], next(iter(state.legal.cards)))
        return [Step(act=instead, refuse=(probe,))]
    if state.legal.due.kind in {"deal", "mix"}:  # these are too many to be listed
        return [Step(act=state.random_act(Random(0)), refuse=(probe,))]
    return [Step(act=next(iter(state.legal)), refuse=(probe,))]


def disputes_page(found: list[Dispute]) -> str:
    """The page of all disputes."""
    parts = [
        "# What players argue about",
        block(
            f"<p>{len(found)} questions from the table. Each answer depends on what "
            "your table plays, so each has its rulesets beside it, and the clause that "
            "says so. Every one of them is also a test: the engine must give the same "
            "answer.</p>"
        ),
    ]
    for one in found:
        parts += [f"## {one.title}", block(dispute_html(one))]
    return "\n".join(parts)


def dispute_html(one: Dispute) -> str:
    """One dispute: the moment drawn, the ruling, the answers."""
    rows = "".join(
        f"<tr><th scope='row'>{_ruleset(answer['ruleset'])}</th>"
        f"<td><b class='{answer['verdict']}'>{_VERDICT[answer['verdict']]}.</b> "
        f"{_reason(answer, why)}</td></tr>"
        for answer, why in zip(one.answers, one.reasons, strict=True)
    )
    step = len(one.game.steps) or 1
    see = escape(one.game.address(step), quote=True)
    return (
        f'<blockquote class="question">{inline(one.question)}</blockquote>'
        f"{_moment(one)}"
        f'<p class="ruling-words">{inline(one.ruling)}</p>'
        f'<p class="asked"><b>{_asks(one.act)}</b></p>'
        '<div class="table-wrapper stack" tabindex="0"><table class="answers">'
        '<thead><tr><th scope="col">where they play</th><th scope="col">answer</th>'
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
        f'<p><a href="{see}">See it on the table</a></p>'
    )


def _moment(one: Dispute) -> str:
    """The hand of the seat that acts, and what lies on the table."""
    if not one.state.hands or not isinstance(one.act, Play):
        return ""
    table = one.state.table.cards if one.state.table is not None else ()
    there = hand(table) if table else '<span class="empty">nobody has played yet</span>'
    held = list(one.state.hands[one.act.seat])
    return (
        '<div class="moment"><div class="there"><span class="label">on the table</span>'
        f'{there}</div><div class="held"><span class="label">seat {one.act.seat} holds'
        f"</span>{hand(held)}</div></div>"
    )


def _ruleset(fields: Json) -> str:
    """A ruleset, each changed option with its meaning."""
    changed = "".join(
        f"<br>{option_link(name)} {escape(value_text(_value(value)))}: "
        f'<span class="soft">{escape(option_meaning(name, _value(value)))}</span>'
        for name, value in fields.get("options", {}).items()
    )
    return profile_link(fields["profile"]) + changed


def _value(value: bool | int | str | list[str]) -> Value:
    return tuple(value) if isinstance(value, list) else value


def _asks(act: Act) -> str:
    """The act as a question, `May seat 1 play the queen of spades?`."""
    words = act.phrase
    if isinstance(act, Play):
        words = f"play {card_words(act.card)}"
    return escape(f"May seat {act.seat} {words}?")


def _reason(answer: Json, why: tuple[Said, ...]) -> str:
    """Why, each sentence with its clauses; then the clauses that no sentence names."""
    named = {number for sentence in why for number in sentence.clauses}
    told = [
        f"{inline(sentence.text)} ({', '.join(map(clause_link, sentence.clauses))})"
        if sentence.clauses
        else inline(sentence.text)
        for sentence in why
    ]
    rest = [number for number in answer["clauses"] if number not in named]
    return " ".join([*told, ", ".join(map(clause_link, rest))]).strip()
