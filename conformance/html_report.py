"""A run as one static HTML page: figures, clauses with their text, games drawn.

The page needs no scripts and no other file, and goes with light and dark.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final

from conformance.reports import capabilities, command_text, figures, percent, troubles
from conformance.results import Group, Outcome, Run
from conformance.shrinking import Shrunk
from refengine import book
from refengine.errors import Malformed
from refengine.fields import ruleset_fields
from refengine.pictures import state_svg, trick_svg
from refengine.state import State
from refengine.trace import Trace, canonical, opened, read_trace
from refengine.verdicts import Refused

_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1c1f1d;--soft:#515954;--page:#fcfdfb;
--line:#ccd3cd;--box:#f2f5f1;--good:#0a6b37;--bad:#ac1420}
@media (prefers-color-scheme:dark){:root{--ink:#eceeec;--soft:#b4bdb6;--page:#141715;
--line:#3e4741;--box:#1d2320;--good:#6fd598;--bad:#ff8f94}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--page);color:var(--ink);
font:1rem/1.5 system-ui,"Segoe UI","DejaVu Sans",sans-serif}
h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.25rem;margin:2.2rem 0 .6rem}
h3{font-size:1.1rem;margin:0 0 .5rem}
table{border-collapse:collapse}th,td{text-align:left;padding:.25rem .9rem .25rem 0;
border-bottom:1px solid var(--line);vertical-align:top}
td.number,th.number{text-align:right}
.figures{display:flex;flex-wrap:wrap;gap:1rem;padding:0;list-style:none}
.figures li{border:1px solid var(--line);border-radius:.5rem;padding:.6rem 1rem;
background:var(--box)}.figures strong{display:block;font-size:1.5rem}
.good{color:var(--good)}.bad{color:var(--bad)}.soft{color:var(--soft)}
article{border:1px solid var(--line);border-radius:.5rem;padding:1rem;margin:1rem 0;
background:var(--box)}
blockquote{margin:.5rem 0;padding-left:.8rem;border-left:.25rem solid var(--line)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem .9rem;margin:.7rem 0}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
pre{overflow-x:auto;border:1px solid var(--line);border-radius:.3rem;padding:.6rem;
background:var(--page)}
.pictures{overflow-x:auto;margin:.7rem 0}.pictures svg{display:block;margin:.4rem 0}
summary{cursor:pointer}th span{display:block;font-weight:400;font-size:.9rem}
""".replace("\n", "")

_WORD: Final = {
    "step": "Plays the games of the corpus, act by act",
    "replay": "Plays them when given as a whole",
    "legal": "Says what is due, the cards that may be played",
    "probe": "Judges acts that are only asked about",
    "clause": "Names one right clause for a refusal",
    "clauses": "Names the exact set of clauses",
    "observe": "Shows tricks, points and scores",
    "views": "Shows each seat what it may know, and no more",
    "enumerate": "Counts all games of a small deal",
}


def html(run: Run, shrunk: Mapping[tuple[str, str], Shrunk] | None = None) -> str:
    """The page of a run.

    `shrunk` has for clause and question of a group its smallest game; a group without
    one shows the trace in which the fault was found.
    """
    name = f"{run.card.name} {run.card.version}" if run.card else "an adapter"
    title = f"{name} against the Hearts Family Rules {run.spec}"
    groups = "".join(_group(run, group, shrunk or {}) for group in run.groups)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
        f"<header><h1>{escape(title)}</h1>{_head(run)}</header><main>"
        f"{_troubles(run)}{_levels(run)}"
        f'<section><h2 id="clauses">Clauses that are not kept</h2>'
        f"{groups or _no_groups(run)}</section>"
        f"{_broken(run)}{_outcomes(run)}</main></body></html>\n"
    )


def _head(run: Run) -> str:
    """The verdict in a word, and the two figures."""
    well = run.exit_code == 0
    verdict = "all well" if well else "not well"
    tone = "good" if well else "bad"
    shares = percent(run.passed, run.scored), percent(run.scored, run.applicable)
    items = [f'<li><strong class="{tone}">{verdict}</strong>exit {run.exit_code}</li>']
    for share, words in zip(shares, figures(run), strict=True):
        items.append(f"<li><strong>{escape(share)}</strong>{escape(words)}</li>")
    made = f"<p class='soft'>Adapter: <code>{escape(' '.join(run.adapter))}</code>"
    if run.selection:
        chosen = ", ".join(f"{key} {value}" for key, value in run.selection.items())
        made += f"; part of the corpus only: {escape(chosen)}"
    return f'<ul class="figures">{"".join(items)}</ul>{made}.</p>'


def _troubles(run: Run) -> str:
    found = "".join(f"<li>{escape(one)}</li>" for one in troubles(run))
    return (
        f'<section><h2>Beside the cases</h2><ul class="bad">{found}</ul></section>'
        if found
        else ""
    )


def _levels(run: Run) -> str:
    """What the adapter can do, and how well."""
    rows = ""
    for kind, passed, scored, applicable in capabilities(run):
        share = percent(passed, scored) if scored else "not scored"
        tone = "good" if scored and passed == scored else "bad" if scored else "soft"
        rows += (
            f"<tr><th scope='row'>{escape(kind)}"
            f"<span class='soft'>{escape(_WORD[kind])}</span></th>"
            f"<td class='number {tone}'>{escape(share)}</td>"
            f"<td class='number'>{passed} of {scored}</td>"
            f"<td class='number'>{applicable}</td></tr>"
        )
    head = (
        "<tr><th scope='col'>level</th>"
        "<th scope='col' class='number'>passed</th>"
        "<th scope='col' class='number'>of scored</th>"
        "<th scope='col' class='number'>applicable</th></tr>"
    )
    return (
        '<section><h2 id="levels">Levels</h2><div class="pictures"><table>'
        f"<thead>{head}</thead><tbody>{rows}</tbody></table></div></section>"
    )


def _no_groups(run: Run) -> str:
    return (
        "<p>None: no answer that was scored goes against a clause.</p>"
        if run.scored
        else "<p>Nothing was scored.</p>"
    )


def _group(run: Run, group: Group, shrunk: Mapping[tuple[str, str], Shrunk]) -> str:
    """One clause with its text, the example drawn, what was asked and answered."""
    case = group.case
    small = shrunk.get((group.clause, group.question))
    line = small.line if small else run.lines.get(case.trace, "")
    fault = small.fault if small else group.fault
    heading = f"{group.clause} {group.title}".strip() or "No clause could be named"
    body = f"<h3>{escape(heading)}</h3>"
    if group.clause in book.clauses():
        text = book.clause(group.clause).text
        body += f"<blockquote>{_with_code(text)}</blockquote>"
    body += (
        f"<p>{group.faults} answers in {group.cases} cases, asked for "
        f"<em>{escape(group.question)}</em>. One of them:</p>"
    )
    trace = _trace(line)
    if trace is not None:
        body += _pictures(trace, fault.step, fault.question)
    facts = {
        "asked": fault.asked,
        "expected": fault.expected,
        "got": fault.got,
        "rules": _rules(trace) if trace else case.profile,
        "acts before": _acts(trace, fault.step) if trace else "",
    }
    rows = "".join(
        f"<dt>{name}</dt><dd>{escape(value)}</dd>"
        for name, value in facts.items()
        if value
    )
    body += f"<dl>{rows}</dl>"
    again = command_text(run, ("--trace", case.trace))
    body += f"<p>Again:</p><pre>{escape(again)}</pre>"
    if line:
        body += (
            "<details><summary>The game as a trace file</summary>"
            f"<pre>{escape(line)}</pre></details>"
        )
    return f"<article>{body}</article>"


def _with_code(text: str) -> str:
    """The text of a clause, with what stands between backticks as code."""
    parts = escape(text).split("`")
    return "".join(
        f"<code>{part}</code>" if place % 2 else part
        for place, part in enumerate(parts)
    )


def _trace(line: str) -> Trace | None:
    """The trace of a line; None for a mini-deal and for what cannot be read."""
    try:
        return read_trace(line.encode()) if line and '"mini"' not in line[:12] else None
    except Malformed:
        return None


def _rules(trace: Trace) -> str:
    ruleset = ruleset_fields(trace.ruleset)
    found = f"{ruleset['profile']}, {ruleset['players']} players"
    for name, value in ruleset.get("options", {}).items():
        found += f", {name} {canonical(value).decode()}"
    return found


def _acts(trace: Trace, step: int) -> str:
    """The acts up to the one asked about, in words."""
    number = step or len(trace.steps)
    told = [f"{one.act.seat}: {one.act}" for one in trace.steps[: number - 1]]
    return ", ".join(told[-24:])


def _pictures(trace: Trace, step: int, question: str) -> str:
    """The moment that was asked about, drawn, and the trick that the act ended."""
    number = step or len(trace.steps)
    try:
        state = opened(trace.ruleset, trace.start)
        for one in trace.steps[: number - 1]:
            state = state.apply(one.act)
        drawn = state_svg(state)
        if question.partition(".")[0] in ("then", "end", "view"):
            drawn += _after(state, trace, number)
    except (Malformed, Refused):
        return ""
    return f'<div class="pictures">{drawn}</div>'


def _after(state: State, trace: Trace, number: int) -> str:
    act = trace.steps[number - 1].act
    after = state.apply(act)
    words = f"<p>Then seat {act.seat}: {escape(str(act))}.</p>"
    trick = trick_svg(after.completed) if after.completed is not None else ""
    return words + trick


def _broken(run: Run) -> str:
    """Conversations that came to an end before their time."""
    rows = "".join(
        f"<li><strong>{case.outcome}</strong> <code>{escape(case.id)}</code> "
        f"{escape(case.note)}</li>"
        for case in run.broken[:20]
    )
    if not rows:
        return ""
    said = ""
    if run.stderr:
        said = f"<p>The end of its standard error:</p><pre>{escape(run.stderr)}</pre>"
    return f"<section><h2>Lost conversations</h2><ul>{rows}</ul>{said}</section>"


def _outcomes(run: Run) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{name.value.replace('_', ' ')}</th>"
        f"<td class='number'>{count}</td><td>{_OUTCOME[name]}</td></tr>"
        for name, count in run.counts.items()
    )
    return (
        '<section><h2 id="outcomes">Outcomes</h2><div class="pictures"><table>'
        "<thead><tr><th scope='col'>outcome</th><th scope='col' class='number'>cases"
        f"</th><th scope='col'></th></tr></thead><tbody>{rows}</tbody></table></div>"
        "</section>"
    )


_OUTCOME: Final = {
    Outcome.PASS: "answered as the book has it",
    Outcome.FAIL: "answered otherwise",
    Outcome.CRASH: "the adapter ended",
    Outcome.TIMEOUT: "no answer in time",
    Outcome.PROTOCOL: "an answer not of the form of the protocol",
    Outcome.UNSUPPORTED: "not declared, not scored",
    Outcome.KNOWN: "listed as a known failure, and failed",
    Outcome.KNOWN_BUT_PASSES: "listed as a known failure, and passed",
    Outcome.RETIRED: "the trace was withdrawn",
    Outcome.NOT_RUN: "nobody came to it",
}
