"""A run as one static HTML page: figures, clauses with their text, games drawn.

The page needs no scripts and no other files, and has a light and a dark theme.
"""

from __future__ import annotations

from html import escape
from typing import Final

from refengine.errors import harmless
from refengine.game.acts import Act
from refengine.game.values.state import State
from refengine.pictures import state_svg, trick_svg
from refengine_conformance.report.findings import (
    Heading,
    findings_of_run,
    inference_sentences,
    state_before_fault,
    verdict,
)
from refengine_conformance.report.reports import (
    adapter_errors,
    capabilities,
    figures,
    partial,
    percent,
    stderr_lines,
    troubles,
    unscored,
)
from refengine_conformance.report.table_words import table_lines, table_name
from refengine_conformance.runner.results import Outcome, Run

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
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));
gap:1rem;padding:0;list-style:none}
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
.pictures{overflow-x:auto;margin:.7rem 0}
.pictures svg{display:block;margin:.4rem 0;max-width:100%;height:auto}
code{overflow-wrap:anywhere}.contents{padding-left:1.2rem}.contents li{margin:.3rem 0}
.contents span{display:inline-block}.why p{max-width:46rem}
@media (max-width:34rem){dl{display:block}dd{margin:0 0 .6rem}}
summary{cursor:pointer}th span{display:block;font-weight:400;font-size:.9rem}
""".replace("\n", "")

_KEPT: Final = "Clauses that are not kept"
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


def html(run: Run) -> str:
    """The page of a run."""
    name = f"{run.card.name} {run.card.version}" if run.card else "an adapter"
    title = f"{name} against the Hearts Family Rules {run.spec}"
    found = findings_of_run(run)
    told = "".join(_finding(place, one) for place, one in enumerate(found, 1))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
        f"<header><h1>{escape(title)}</h1>{_head(run)}</header><main>"
        f"{_errors(run)}{_troubles(run)}{_inference(run)}{_contents(found)}"
        f"{told or _none(run)}{_stderr(run)}{_table(run)}{_levels(run)}{_outcomes(run)}"
        "</main></body></html>\n"
    )


def _head(run: Run) -> str:
    """The verdict in one word, and the figures."""
    well = run.exit_code == 0
    word = "all well" if well else "not well"
    tone = "good" if well else "bad"
    shares = [percent(run.passed, run.scored), percent(run.scored, run.applicable)]
    if run.at_table is not None:
        shares.append(percent(len(run.at_table.asked), len(run.at_table.askable)))
    said = f"{escape(verdict(run))} (exit {run.exit_code})"
    items = [f'<li><strong class="{tone}">{word}</strong>{said}</li>']
    for share, words in zip(shares, figures(run), strict=True):
        items.append(f"<li><strong>{escape(share)}</strong>{escape(words)}</li>")
    command = escape(harmless(" ".join(run.adapter)))
    made = f"<p class='soft'>Adapter: <code>{command}</code>"
    if run.partial:
        made += f"; part of the corpus only: {escape(partial(run))}"
    says = ""
    for clause, note in run.card.deviations if run.card else ():
        says += f"<li>says that it deviates from {escape(clause)}: {escape(note)}</li>"
    says = f"<ul>{says}</ul>" if says else ""
    return f'<ul class="figures">{"".join(items)}</ul>{made}.</p>{says}'


def _errors(run: Run) -> str:
    """The adapter's own errors."""
    found = "".join(f"<li>{escape(one)}</li>" for one in adapter_errors(run))
    return (
        '<section><h2 id="errors">The adapter\'s own errors</h2>'
        f'<ul class="bad">{found}</ul></section>'
        if found
        else ""
    )


def _troubles(run: Run) -> str:
    found = "".join(f"<li>{escape(one)}</li>" for one in troubles(run))
    return (
        f'<section><h2>Beside the cases</h2><ul class="bad">{found}</ul></section>'
        if found
        else ""
    )


def _table(run: Run) -> str:
    """What was asked of the table, and what was not."""
    told = "".join(f"<li>{escape(one)}</li>" for one in table_lines(run))
    if not told:
        return ""
    return (
        f'<section><h2 id="table">The table</h2><p>{escape(table_name(run))}</p>'
        f"<ul>{told}</ul></section>"
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
    reasons = "".join(f"<li>{escape(one)}</li>" for one in unscored(run))
    reasons = f"<ul class='soft'>{reasons}</ul>" if reasons else ""
    return (
        '<section><h2 id="levels">Levels</h2><div class="pictures"><table>'
        f"<thead>{head}</thead><tbody>{rows}</tbody></table></div>{reasons}</section>"
    )


def _inference(run: Run) -> str:
    """Which rules would explain the disagreements."""
    told = "".join(f"<p>{_with_code(one)}</p>" for one in inference_sentences(run))
    return (
        f'<section class="why"><h2>Which rules would explain it</h2>{told}</section>'
        if told
        else ""
    )


def _contents(found: list[Heading]) -> str:
    """The findings as a list, each with a link."""
    if not found:
        return ""
    rows = "".join(
        f'<li><a href="#f{place}">{escape(one.heading)}</a> '
        f"<span class='soft'>{escape(one.counts)}</span></li>"
        for place, one in enumerate(found, 1)
    )
    return (
        f'<section><h2 id="clauses">{_KEPT}</h2>'
        f'<ul class="contents">{rows}</ul></section>'
    )


def _none(run: Run) -> str:
    said = (
        "None: no answer that was scored goes against a clause."
        if run.scored
        else "Nothing was scored."
    )
    return f'<section><h2 id="clauses">{_KEPT}</h2><p>{said}</p></section>'


def _finding(number: int, finding: Heading) -> str:
    """One clause with its text, the example drawn, the question and the answer."""
    body = f"<h3>{escape(finding.heading)}</h3>"
    for place, (clause, title, said) in enumerate(finding.clauses):
        name = f"<strong>{escape(clause)} {escape(title)}.</strong> " if place else ""
        body += f"<blockquote>{name}{_with_code(said)}</blockquote>"
    body += f"<p class='soft'>{escape(finding.counts)}. The smallest found:</p>"
    body += _pictures(finding)
    rows = "".join(
        f"<dt>{name}</dt><dd>{_fact(name, value)}</dd>" for name, value in finding.facts
    )
    body += f"<dl>{rows}</dl>"
    if finding.line:
        body += (
            "<details><summary>The game as a trace file</summary>"
            f"<pre>{escape(finding.line)}</pre></details>"
        )
    return f'<article id="f{number}">{body}</article>'


def _fact(name: str, value: str) -> str:
    tone = {"expected": "good", "got": "bad"}.get(name)
    said = escape(value)
    if name == "again":
        return f"<code>{said}</code>"
    return f"<strong class='{tone}'>{said}</strong>" if tone else said


def _with_code(text: str) -> str:
    """The text of a clause, with backticks turned into code."""
    parts = escape(text).split("`")
    return "".join(
        f"<code>{part}</code>" if place % 2 else part
        for place, part in enumerate(parts)
    )


def _pictures(finding: Heading) -> str:
    """The moment in question, drawn, and the trick that the act ended."""
    trace, fault = finding.trace, finding.fault
    state = None if trace is None else state_before_fault(trace, fault)
    if trace is None or state is None:
        return ""
    drawn = state_svg(state)
    if fault.root in ("then", "end", "view"):
        drawn += _after(state, trace.steps[(fault.step or len(trace.steps)) - 1].act)
    return f'<div class="pictures">{drawn}</div>'


def _after(state: State, act: Act) -> str:
    """The trick that an act ended; empty if it ended none."""
    completed = state.apply(act).completed
    return trick_svg(completed) if completed is not None else ""


def _stderr(run: Run) -> str:
    said = "\n".join(stderr_lines(run))
    return (
        f"<section><h2>The end of its standard error</h2><pre>{escape(said)}</pre>"
        "</section>"
        if said
        else ""
    )


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
    Outcome.PASS: "answered as the book says",
    Outcome.FAIL: "answered otherwise",
    Outcome.CRASH: "the adapter ended",
    Outcome.TIMEOUT: "no answer in time",
    Outcome.PROTOCOL: "an answer that breaks the form of the protocol",
    Outcome.ERROR: "the adapter failed by itself, and the game ended there",
    Outcome.UNSUPPORTED: "not declared, not scored",
    Outcome.KNOWN: "listed as a known failure, and failed",
    Outcome.KNOWN_BUT_PASSES: "listed as a known failure, and passed",
    Outcome.RETIRED: "the trace was withdrawn",
    Outcome.NOT_RUN: "the run did not get to it",
}
