"""A judged score sheet, for a terminal and as a page to show to the other players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from refengine.cli.html_page import clauses_html, html_page
from refengine.cli.screen import head
from refengine.errors import counted
from refengine.rulings.match_end import clause_of_the_end
from refengine.rulings.ruling_text import ruleset_words, short_ruleset, wrapped_lines
from refengine.rulings.sentences import Said
from refengine.rulings.sheets.judging_sheets import (
    JudgedRow,
    SheetJudgement,
    SheetRemark,
)
from refengine.rulings.words import list_words

_STYLE: Final = """
table { border-collapse: collapse; margin: 0 0 4mm;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; font-style: italic; margin: 0 0 1.5mm; }
th, td { padding: 0.8mm 3mm; text-align: right; vertical-align: baseline; }
thead th { border-bottom: 1pt solid #1b1d1c; }
tbody th { font-weight: normal; color: #555c58; }
tfoot th, tfoot td { border-top: 1pt solid #1b1d1c; font-weight: bold; }
.total { font-size: 8.5pt; color: #555c58; padding-left: 0; }
.pass { text-align: left; }
.told td { text-align: left; padding-bottom: 1.5mm; }
.told div { margin: 0 0 0.5mm; max-width: 110mm; }
tr.wrong:not(.told) > th::before {
  content: "\\2717\\00a0"; color: #8c1a2b; font-weight: bold; }
.wrong > td, .wrong > th { background: #fbeef0; }
.fault { color: #8c1a2b; font-weight: bold; }
@media (max-width: 480px) { th, td { padding: 0.8mm 1mm; } }
.end { font-size: 12pt; margin: 0 0 2mm; }
""".strip()


Found = Sequence[SheetJudgement]
"""The judgements on a sheet under each ruleset that was tried, the best first."""


def sheets_lines(matches: Sequence[Found], open_rules: bool) -> Iterator[str]:
    """The lines of each sheet of a file, with headings if there are several sheets."""
    for number, found in enumerate(matches, 1):
        if len(matches) > 1:
            yield from [""] * (number > 1)
            yield head(_heading(number, found))
        yield from scores_lines(found, open_rules)


def _heading(number: int, found: Found) -> str:
    return f"Table {number}, from line {found[0].sheet.rows[0].line} on"


def scores_lines(found: Found, open_rules: bool) -> Iterator[str]:
    """The lines of a sheet, as judged under the first of these rulesets.

    `open_rules` says whether no rules were given; if so, all rulesets under which the
    sheet is possible are named.
    """
    best = found[0]
    yield from wrapped_lines(_rules(found, open_rules), "", "  ")
    yield from wrapped_lines(_about(best), "", "  ")
    for number, row in enumerate(best.rows, 1):
        for remark in row.remarks:
            yield from wrapped_lines(f"row {number}: {remark}", "", "  ")
    for said in (*best.remarks, _end(best)):
        yield from wrapped_lines(str(said), "", "  ")
    if best.wrong:
        yield _count(best)


def _rules(found: Found, open_rules: bool) -> str:
    possible = [one for one in found if one.possible]
    if open_rules and possible:
        names = list_words(short_ruleset(one.ruleset) for one in possible)
        return f"Possible under {names}."
    if open_rules:
        nearest = short_ruleset(found[0].ruleset)
        return f"Possible under no game of the book; the nearest is {nearest}."
    return f"Under {ruleset_words(found[0].ruleset)}"


def _about(judgement: SheetJudgement) -> str:
    what = "running totals" if judgement.running else "the points of each deal"
    if judgement.sheet.has_both:
        what = "the points of each deal, and running totals beside them"
    if judgement.sheet.negated:
        what += ", with a minus before them"
    return f"{counted(len(judgement.rows), 'deal')}; the numbers are {what}."


def _end(judgement: SheetJudgement) -> Said:
    """How the match stands, in a sentence with the clause that decides it."""
    names, last = judgement.sheet.names, judgement.ended or len(judgement.rows)
    totals = judgement.rows[last - 1].totals
    stands = list_words(
        f"{name} {total}" for name, total in zip(names, totals, strict=True)
    )
    if not judgement.totals_known:
        return _end_unknown(judgement, stands)
    if not judgement.over:
        clause = clause_of_the_end(judgement.ruleset, judgement.reached)
        return Said(f"The match goes on: {stands}.", (clause,))
    several = len(judgement.winners) > 1
    if last < len(judgement.rows):
        won = "shared the win" if several else "won"
        over = f"The match was over after row {last}"
    else:
        won = "share the win" if several else "wins"
        over = "The match is over"
    if not judgement.winners:
        depends = "who won depends on which total is wrong"
        return Said(f"{over}; {depends}. As written: {stands}.", ("9.5",))
    winners = list_words(names[seat] for seat in judgement.winners)
    return Said(f"{over}, and {winners} {won}: {stands}.", ("9.5",))


def _end_unknown(judgement: SheetJudgement, stands: str) -> Said:
    """What can be said about the end if deals are missing from the sheet.

    `stands` gives the totals without those deals.
    """
    unknown = f"is not known, as deals are missing; without them: {stands}."
    if judgement.over:
        return Said(f"The match is over, and who won {unknown}", ("9.5",))
    clause = clause_of_the_end(judgement.ruleset, judgement.reached)
    if clause == "9.4":
        return Said(f"The match goes on, and how it stands {unknown}", (clause,))
    return Said(f"The match may be over: how it stands {unknown}", (clause,))


def _count(judgement: SheetJudgement) -> str:
    return f"{len(judgement.wrong)} of {len(judgement.rows)} rows cannot be right"


# As a page


def scores_html(matches: Sequence[Found], open_rules: bool) -> str:
    """The sheets as a page of HTML, with the remarks on each row below that row."""
    return html_page("Score sheet", _STYLE, _sheets_html(matches, open_rules))


def _sheets_html(matches: Sequence[Found], open_rules: bool) -> Iterable[str]:
    for number, found in enumerate(matches, 1):
        several = len(matches) > 1
        yield f"<h1>{_heading(number, found) if several else 'Score sheet'}</h1>"
        yield from _body(found, open_rules)


def _body(found: Found, open_rules: bool) -> Iterator[str]:
    best = found[0]
    yield f'<p class="about">{escape(_rules(found, open_rules))}</p>'
    end = _end(best)
    yield f'<p class="end">{escape(end.text)}{clauses_html(end.clauses)}</p>'
    for remark in best.remarks:
        yield f"<p>{_remark(remark)}</p>"
    if best.wrong:
        yield f'<p class="fault">{_count(best)}.</p>'
    yield f"<table>\n<caption>{escape(_caption(best))}</caption>"
    passed = any(one.row.passed for one in best.rows)
    heads = "".join(
        f'<th scope="col" colspan="2">{escape(name)}</th>' for name in best.sheet.names
    )
    before = '<th scope="col">Deal</th>'
    before += '<th scope="col" class="pass">Pass</th>' if passed else ""
    yield f"<thead><tr>{before}{heads}</tr></thead>"
    yield "<tbody>"
    deal = 0
    for one in best.rows:
        deal = one.row.deal or deal + 1
        yield from _rows(deal, one, passed)
    yield "</tbody>\n</table>"


def _caption(judgement: SheetJudgement) -> str:
    beside = "the points of each deal, and in small figures the total after it"
    return f"{_about(judgement)} Shown are {beside}."


def _rows(number: int, one: JudgedRow, passed: bool) -> Iterator[str]:
    """The table row for a deal and, if there are remarks, another row with them."""
    cells = [f'<th scope="row">{number}</th>']
    if passed:
        cells.append(f'<td class="pass">{escape(one.row.passed)}</td>')
    for score, total in zip(one.score, one.totals, strict=True):
        cells.append(f'<td>{score}</td><td class="total">{total}</td>')
    kind = ' class="wrong"' if one.wrong else ""
    yield f"<tr{kind}>{''.join(cells)}</tr>"
    said = [_remark(remark) for remark in one.remarks]
    if one.row.remark:
        said.append(f"\u201c{escape(one.row.remark)}\u201d")
    if said:
        kind = "wrong told" if one.wrong else "told"
        wide = 2 * len(one.score) + passed
        lines = "".join(f"<div>{line}</div>" for line in said)
        yield f'<tr class="{kind}"><th></th><td colspan="{wide}">{lines}</td></tr>'


def _remark(remark: SheetRemark) -> str:
    said = f"{escape(remark.text)}{clauses_html(remark.clauses)}"
    return f'<span class="fault">{said}</span>' if remark.wrong else said
