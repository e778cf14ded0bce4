"""A run as one static HTML page: figures, the text of clauses, pictures of games.

The page needs no scripts and no other files, and has a light and a dark theme.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, NamedTuple

from refengine.errors import counted, harmless
from refengine.game.acts import Act
from refengine.game.values.state import State
from refengine.lawbook import book
from refengine.lawbook.citing import citation_today
from refengine.lawbook.spoken import profile_said
from refengine.pictures import state_svg, trick_svg
from refengine.rulings.words import capital
from refengine_conformance.report.findings import (
    Finding,
    findings_of_run,
    inference_sentences,
    other_failed_cases,
    verdict,
)
from refengine_conformance.report.run_in_words import (
    adapter_errors,
    figures_with_shares,
    levels,
    partial,
    percent,
    stderr_lines,
    table_lines,
    table_name,
    troubles,
    unscored,
)
from refengine_conformance.runner.results import LOST, Case, Outcome
from refengine_conformance.runner.runs import Run

_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1c1f1d;--soft:#515954;--page:#fcfdfb;
--line:#ccd3cd;--box:#f2f5f1;--link:#0b4f9e;--good:#0a6b37;--bad:#ac1420}
@media screen and (prefers-color-scheme:dark){:root{
--ink:#eceeec;--soft:#b4bdb6;--page:#141715;--line:#3e4741;--box:#1d2320;--link:#8fc1ff;--good:#6fd598;--bad:#ff8f94}}
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
pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);
border-radius:.3rem;padding:.6rem;background:var(--page)}
.pictures{margin:.7rem 0}.wide{overflow-x:auto}a{color:var(--link)}
.verdict{font-size:1.25rem;font-weight:600;margin:.6rem 0}.verdict a{color:inherit}
h1,h3,blockquote,.verdict{overflow-wrap:anywhere}
:target{outline:3px solid var(--link);outline-offset:.3rem}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
details{margin:.6rem 0}summary{color:var(--link);min-height:1.5rem}
.cases{width:100%;table-layout:fixed;font-size:.92rem}
.cases th:first-child{width:32%}.cases td,.cases th{overflow-wrap:anywhere}
.law h3{margin:1.4rem 0 .3rem}
.pictures svg{display:block;margin:.4rem 0;max-width:100%;height:auto}
code{overflow-wrap:anywhere}.contents{padding-left:1.2rem}.contents li{margin:.3rem 0}
.contents span{display:inline-block}.why p{max-width:46rem}
@media (max-width:34rem){dl{display:block}dd{margin:0 0 .6rem}
.cases,.cases tbody,.cases tr,.cases th,.cases td{display:block;border:0}
.cases thead{display:none}.cases tr{padding:.5rem 0;border-bottom:1px solid var(--line)}
.cases td::before{content:attr(data-label) ": ";color:var(--soft)}}
@media print{tr,svg{break-inside:avoid}h2,h3{break-after:avoid}}
summary{cursor:pointer}th span{display:block;font-weight:400;font-size:.9rem}
""".replace("\n", "")

_KEPT: Final = "Clauses that are not kept"
_NONE: Final = "None: no answer that was scored goes against a clause."
_NUMBER: Final = re.compile(
    r"(?<![\w.@~-])[0-9]{1,2}\.[1-9][0-9]*[a-z]?(?![\w%]|\.[0-9]| s\b)"
)
_WORD: Final = {
    "step": "Plays the games of the corpus, act by act",
    "replay": "Plays them when given as a whole",
    "legal": "Says what is due, the cards that may be played",
    "probe": "Judges acts that are only asked about",
    "clause": "Names one right clause for a refusal",
    "clauses": "Names the exact set of clauses",
    "observe": "Shows tricks, points and scores",
    "views": "Shows each seat what it may know, and no more",
    "events": "Tells each seat what it may know of an act, and no more",
    "openings": "Refuses games that cannot begin",
    "enumerate": "Counts all games of a small deal",
}


class Cited:
    """Collects the clauses that a page names, and links each to its text at the end."""

    def __init__(self) -> None:
        self.numbers: set[str] = set()

    def linked(self, text: str) -> str:
        """The text as HTML, with the number of each clause as a link.

        The clauses are noted in `numbers`, for `section`.
        """
        parts: list[str] = []
        at = 0
        for found in _NUMBER.finditer(text):
            number = found[0]
            if number in book.clauses():
                self.numbers.add(number)
                parts.append(escape(text[at : found.start()]))
                parts.append(f'<a href="#clause-{number}">{number}</a>')
                at = found.end()
        return "".join([*parts, escape(text[at:])])

    def section(self) -> str:
        """The clauses in the order of the book, each with its text and citation."""
        told = "".join(
            _clause(one)
            for one in book.clauses().values()
            if one.number in self.numbers
        )
        return _section("<h2>The clauses named here</h2>", told, "law")


def _clause(one: book.Clause) -> str:
    """The text of a clause, how to cite it, and the command that shows more of it."""
    command = f"refengine rule {one.number}"
    return (
        f'<h3 id="clause-{one.number}">{one.number} {escape(one.title)}</h3>'
        f"<blockquote>{_with_code(one.text)}</blockquote>"
        f"<p class='soft'>Cite as <code>{citation_today(one)}</code>. "
        f"<code>{command}</code> shows its examples and sources.</p>"
    )


def html(run: Run) -> str:
    """The HTML page for a run."""
    name = f"{run.card.name} {run.card.version}" if run.card else "an adapter"
    title = f"{name} against the Hearts Family Rules {run.spec}"
    cited = Cited()
    body = (
        f"<header><h1>{escape(title)}</h1>{_head(run, cited)}</header><main>"
        f"{_errors(run)}{_troubles(run)}{_inference(run)}{_findings(run, cited)}"
        f"{_stderr(run)}{_table(run, cited)}{_levels(run)}{_outcomes(run)}"
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
        f"{body}{cited.section()}</main></body></html>\n"
    )


def _head(run: Run, cited: Cited) -> str:
    """The result of the run, its figures, the adapter, and the deviations declared."""
    tone = "good" if run.exit_code == 0 else "bad"
    verdict_said = capital(cited.linked(verdict(run)))
    command = escape(harmless(shlex.join(run.adapter)))
    adapter = f"Adapter: <code>{command}</code>"
    if run.partial:
        adapter += f"; partial: {escape(partial(run))}"
    return (
        f'<p class="verdict {tone}">{verdict_said}.</p>'
        f"{_figures(run)}<p class='soft'>{adapter}.</p>{_deviations(run, cited)}"
    )


def _figures(run: Run) -> str:
    """The figures of a run, each preceded by its percentage."""
    items = (
        f"<strong>{escape(share)}</strong>{escape(words)}"
        for share, words in figures_with_shares(run)
    )
    return _list(items, "figures")


def _deviations(run: Run, cited: Cited) -> str:
    """The deviations that the adapter declares, as a list; empty if there are none."""
    return _list(
        f"says that it deviates from {cited.linked(clause)}: {escape(note)}"
        for clause, note in (run.card.deviations if run.card else ())
    )


def _tag(name: str, content: str, kind: str = "") -> str:
    """An HTML element, with `kind` as its class if it is given.

    The result is empty if `content` is.
    """
    start = f'{name} class="{kind}"' if kind else name
    return f"<{start}>{content}</{name}>" if content else ""


def _list(items: Iterable[str], kind: str = "") -> str:
    """An HTML list of these items, which are HTML already; empty if there are none."""
    return _tag("ul", "".join(f"<li>{item}</li>" for item in items), kind)


def _section(heading: str, body: str, kind: str = "") -> str:
    """A section with this heading; empty if `body` is."""
    return _tag("section", f"{heading}{body}" if body else "", kind)


def _errors(run: Run) -> str:
    """A section on the errors that the adapter itself reported; empty if none."""
    items = _list(map(escape, adapter_errors(run)), "bad")
    return _section('<h2 id="errors">The adapter\'s own errors</h2>', items)


def _troubles(run: Run) -> str:
    """A section on what went wrong outside the cases; empty if nothing did."""
    items = _list(map(escape, troubles(run)), "bad")
    return _section("<h2>Other problems</h2>", items)


def _table(run: Run, cited: Cited) -> str:
    """A section on the table; empty if `table_lines` has nothing to say about it.

    It gives the name of the table and those lines.
    """
    heading = f'<h2 id="table">The table</h2><p>{escape(table_name(run))}</p>'
    return _section(heading, _list(map(cited.linked, table_lines(run))))


def _levels(run: Run) -> str:
    """The results for each capability, and the reasons why cases were not scored."""
    rows = ""
    for kind, passed, scored, applicable in levels(run):
        share, tone = "not scored", "soft"
        if scored:
            share = percent(passed, scored)
            tone = "good" if passed == scored else "bad"
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
    reasons = _list(map(escape, unscored(run)), "soft")
    table = _wide("Levels", head, rows) if rows else ""
    return _section('<h2 id="levels">Levels</h2>', f"{table}{reasons}")


def _inference(run: Run) -> str:
    """The section on rules that explain disagreements; empty if none were sought."""
    told = "".join(f"<p>{_with_code(one)}</p>" for one in inference_sentences(run))
    return _section("<h2>Which rules would explain it</h2>", told, "why")


def _wide(label: str, head: str, rows: str) -> str:
    """An HTML table that can be scrolled, also by keyboard, if it is too wide."""
    return (
        f'<div class="wide" tabindex="0" role="group" aria-label="{escape(label)}">'
        f"<table><thead>{head}</thead><tbody>{rows}</tbody></table></div>"
    )


def _findings(run: Run, cited: Cited) -> str:
    """The clauses that are not kept, with all their cases, and other failed cases."""
    found = findings_of_run(run)
    told = "".join(_finding(place, one, cited) for place, one in enumerate(found, 1))
    others = _cases(other_failed_cases(run, found), cited)
    kept = _section(f"<h2>{_KEPT}</h2>", f"{_contents(run, found)}{told}")
    return f"{kept}{_section('<h2>Other cases that failed</h2>', others)}"


def _contents(run: Run, found: list[Finding]) -> str:
    """The findings as a list of links, or a sentence saying that there are none."""
    if not found and run.counts[Outcome.KNOWN]:
        return "<p>None but the known failures.</p>"
    if not found:
        return f"<p>{_NONE if run.scored else 'Nothing was scored.'}</p>"
    rows = (
        f'<a href="#f{place}">{escape(one.heading)}</a> '
        f"<span class='soft'>{escape(one.counts)}</span>"
        for place, one in enumerate(found, 1)
    )
    return _list(rows, "contents")


def _finding(number: int, finding: Finding, cited: Cited) -> str:
    """A finding: its clauses, the example in pictures, its facts, and all its cases."""
    body = f"<h3>{cited.linked(finding.heading)}</h3>{_quoted_clauses(finding, cited)}"
    body += f"<p class='soft'>{escape(finding.counts)}. The smallest found:</p>"
    body += _pictures(finding)
    rows = "".join(
        f"<dt>{label}</dt><dd>{_fact(label, value, cited)}</dd>"
        for label, value in finding.facts
    )
    body += f"<dl>{rows}</dl>"
    if finding.line:
        body += (
            "<details><summary>The game as a trace file</summary>"
            f"<pre>{escape(finding.line)}</pre></details>"
        )
    cases = finding.cases
    several = f"The {len(cases)} cases" if len(cases) > 1 else "The case"
    body += (
        f"<details><summary>{several} that failed</summary>{_cases(cases, cited)}"
        "</details>"
    )
    return f'<article id="f{number}">{body}</article>'


def _quoted_clauses(finding: Finding, cited: Cited) -> str:
    """The texts of a finding's clauses, with titles for all but the first."""
    quoted = ""
    for place, (clause, title, said) in enumerate(finding.clauses):
        name = ""
        if place:
            name = f"<strong>{cited.linked(clause)} {escape(title)}.</strong> "
        quoted += f"<blockquote>{name}{_with_code(said)}</blockquote>"
    return quoted


class _Answer(NamedTuple):
    """What was asked in a case, what was expected, and what came instead."""

    asked: str
    expected: str
    got: str


def _cases(cases: Sequence[Case], cited: Cited) -> str:
    """Cases as a table, each with its first wrong answer; empty if there are none."""
    if not cases:
        return ""
    rows = "".join(_case_row(case, cited) for case in cases)
    heads = "".join(
        f"<th scope='col'>{name}</th>" for name in ("case", *_Answer._fields)
    )
    return (
        f"<table class='cases'><thead><tr>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _case_row(case: Case, cited: Cited) -> str:
    """A row of the table of cases: the id, profile and subject, and the answer."""
    cells = "".join(
        f"<td data-label='{name}'>{cited.linked(said)}</td>"
        for name, said in _answer(case)._asdict().items()
    )
    where = _where(case)
    name = escape(case.id) + (f"<span>{escape(where)}</span>" if where else "")
    return f"<tr><th scope='row'>{name}</th>{cells}</tr>"


def _where(case: Case) -> str:
    """The profile of a case in words, and what its game is about, if they are known."""
    profile = profile_said(case.profile) if case.profile else ""
    return "; ".join(filter(None, (profile, case.about)))


def _answer(case: Case) -> _Answer:
    """The answer in a case that a table shows for it.

    If the conversation was lost, or no answer was wrong, it says how the case ended;
    otherwise it is the first wrong answer.
    """
    if case.outcome is Outcome.KNOWN_BUT_PASSES:
        known = "a known failure, as listed"
        return _Answer(case.loss.asked, known, "a right answer")
    if case.outcome in LOST or not case.faults:
        first = case.loss
        got = ": ".join(filter(None, (str(case.outcome), case.note)))
    else:
        first = case.faults[0]
        got = first.got
        if more := len(case.faults) - 1:
            got += f" (and {counted(more, 'more wrong answer')})"
    step = f"step {first.step}: " if first.step else ""
    return _Answer(f"{step}{first.asked}", first.expected, got)


def _fact(label: str, value: str, cited: Cited) -> str:
    """A fact as HTML, with links to the clauses that it names unless it is code."""
    if label in ("again", "show", "trace file"):
        return f"<code>{escape(value)}</code>"
    said = cited.linked(value)
    tone = {"expected": "good", "got": "bad"}.get(label)
    return f"<strong class='{tone}'>{said}</strong>" if tone else said


def _with_code(text: str) -> str:
    """The text as HTML, with whatever is between backticks as code."""
    parts = escape(text).split("`")
    return "".join(
        f"<code>{part}</code>" if place % 2 else part
        for place, part in enumerate(parts)
    )


def _pictures(finding: Finding) -> str:
    """A picture of the game before the act in question, and of any trick it completed.

    The trick is shown only if the question was asked after the act. The text is empty
    if the state before the act is not known.
    """
    trace, fault, state = finding.trace, finding.fault, finding.state
    if trace is None or state is None:
        return ""
    drawn = state_svg(state)
    if fault.is_after_act and trace.steps:
        drawn += _after(state, trace.steps[fault.step_in(trace) - 1].act)
    return f'<div class="pictures">{drawn}</div>'


def _after(state: State, act: Act) -> str:
    """A picture of the trick that this act completes; empty if it completes none."""
    completed = state.apply(act).completed
    return trick_svg(completed) if completed is not None else ""


def _stderr(run: Run) -> str:
    """A section with the end of the adapter's stderr.

    It is empty unless the adapter was lost or the run stopped.
    """
    said = _tag("pre", escape("\n".join(stderr_lines(run))))
    return _section("<h2>The end of the adapter's standard error</h2>", said)


def _outcomes(run: Run) -> str:
    """A section that tells how many cases had each outcome, and what it means."""
    rows = "".join(
        f"<tr><th scope='row'>{name.value.replace('_', ' ')}</th>"
        f"<td class='number'>{count}</td><td>{_OUTCOME[name]}</td></tr>"
        for name, count in run.counts.items()
    )
    head = (
        "<tr><th scope='col'>outcome</th><th scope='col' class='number'>cases</th>"
        "<th scope='col'>meaning</th></tr>"
    )
    return _section('<h2 id="outcomes">Outcomes</h2>', _wide("Outcomes", head, rows))


_OUTCOME: Final = {
    Outcome.PASS: "answered as the book says",
    Outcome.FAIL: "answered otherwise",
    Outcome.CRASH: "the adapter ended",
    Outcome.TIMEOUT: "no answer in time",
    Outcome.PROTOCOL: "an answer that breaks the form of the protocol",
    Outcome.ERROR: "the adapter itself failed, and the game ended there",
    Outcome.UNSUPPORTED: "not declared, not scored",
    Outcome.KNOWN: "listed as a known failure, and failed",
    Outcome.KNOWN_BUT_PASSES: "listed as a known failure, and passed",
    Outcome.RETIRED: "the trace was withdrawn",
    Outcome.NOT_RUN: "the run did not get to it",
}
