"""Measure the evidence: mutants, theorems, small deals, second opinions, meetings.

`refengine conform strength` reports and keeps the results (`strength.measuring`).

A mutant keeps its recorded fate (what killed it, if anything did) as long as nothing on
which this rests has changed; but each commit tries some of these mutants again. If a
record proves false, the run fails, and all mutants are tried (see `strength.recorded`).
Everything else is measured each time.
"""

from __future__ import annotations

import importlib
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import attrs
from msgspec import json

from refengine.jobs.executors import open_executor
from refengine_conformance.jobs.journals import (
    Journal,
    gather_results,
    open_journal,
    scope_digest,
)
from refengine_conformance.mutants import (
    catalogue,
    designed,
    loading,
    operators,
    source_edits,
)
from refengine_conformance.mutants.source_edits import clause_entries
from refengine_conformance.strength import killed_by_corpus, recorded
from refengine_conformance.strength.arguments import (
    Argument,
    argument_of_each,
    function_changed,
    survivor_arguments,
)
from refengine_conformance.strength.scores import Score, committed_document

FORMAT: Final = 1

CHAPTERS: Final = (
    *("cards", "table", "layout", "deal", "passing", "play"),
    *("draw", "revoke", "score", "match"),
)
MACHINE: Final = (
    *("settings", "options", "core", "position", "due", "opening"),
    *("found_position", "judging", "stepping", "ending", "state", "legal"),
    *("verdicts", "holdings", "observe", "tricks"),
)
RULES: Final = (*CHAPTERS, *MACHINE)
STAGES: Final = ("mutants", "meetings", "opinions", "theorems", "deals")

# Methods that serve Python itself: no outside engine has to answer these.
_PYTHON: Final = re.compile(r"__(?!init__)\w+__|_key|_repr_\w+_")


# Which mutants


def is_rule_mutant(name: str) -> bool:
    """Whether a mutant changes the rules, so that the corpus should kill it."""
    if not name.startswith(operators.PREFIX):
        return True
    module, *inner = function_changed(name).split(".")
    return module in RULES and not any(_PYTHON.fullmatch(one) for one in inner)


@cache
def rule_mutants() -> dict[str, source_edits.Mutant]:
    """The mutants on which the corpus is scored, by id; designed mutants come first."""
    found = {one.id: one for one in designed.designed_mutants()}
    for module in RULES:
        found |= {
            one.id: one
            for one in operators.variants_of_module(module)
            if is_rule_mutant(one.id)
        }
    return found


def module_changed(mutant: source_edits.Mutant) -> str:
    """The name of the module that a mutant changes.

    It is `options` for a mutant that reads an option as another value.
    """
    if mutant.id.startswith("swap:"):
        return "options"
    return mutant.edits[0].function.partition(".")[0]


# Scores


def score_of(
    names: Iterable[str],
    fates: Mapping[str, Sequence[str]],
    place: Mapping[str, int],
    known: Sequence[Argument],
) -> Score:
    """The score of these mutants: how many are killed, and what is known of the others.

    `place` gives, for each survivor, the index in `known` of the argument about it, or
    -1 if there is none. A survivor without an argument counts as a gap.
    """
    score = Score()
    for name in names:
        if fates[name][0]:
            kind = "killed"
        elif place[name] < 0:
            kind = "gap"
        else:
            kind = known[place[name]].verdict
        score += Score(1, **{kind: 1})
    return score


# The stages


def all_fates(
    before: Mapping[str, Any],
    afresh: bool,
    digests: Mapping[str, str],
    journal: Journal,
    pool: Any,
) -> tuple[dict[str, Sequence[str]], list[str]]:
    """The fate of each mutant by its id, and a sentence for each false record.

    The fate says what in the corpus kills the mutant, if anything does. If a record
    proves false, all mutants are tried, as with `afresh`.
    """
    fates, false = fates_under_corpus(before, afresh, digests, journal, pool)
    if false and not afresh:
        print("a record is false: all mutants are tried", flush=True)
        fates, false = fates_under_corpus(before, True, digests, journal, pool)
    return fates, false


def fates_under_corpus(
    before: Mapping[str, Any],
    afresh: bool,
    digests: Mapping[str, str],
    journal: Journal,
    pool: Any,
) -> tuple[dict[str, Sequence[str]], list[str]]:
    """The fate of each mutant by its id, and a sentence for each false record.

    Recorded fates are taken over where possible, unless `afresh` is true. If a record
    proves false, the others are still taken over. `digests` maps the id of each line to
    its digest.
    """
    table = rule_mutants()
    kept = recorded.fates_taken_over(before, table, digests)
    again = set(
        kept if afresh else recorded.tried_again(kept, recorded.seed_of_commit())
    )
    changed = recorded.changed_lines(before, digests)
    alive = {name for name, fate in kept.items() if changed and not fate[0]} - again
    tried = [name for name in table if name not in kept or name in again | alive]
    found = try_mutants(before, tried, dict.fromkeys(alive, changed), journal, pool)
    old = {name: kept[name] for name in again}
    false = recorded.false_records(old, found, changed)
    fates: dict[str, Sequence[str]] = {**kept, **found}
    return {name: fates[name] for name in table}, sorted(false)


def try_mutants(
    before: Mapping[str, Any],
    names: Iterable[str],
    lines: Mapping[str, tuple[str, ...]],
    journal: Journal,
    pool: Any,
) -> dict[str, Sequence[str]]:
    """Try these mutants, and return the fate of each.

    Those that were tried before this run was interrupted are not tried again, but their
    fates are returned, too. `lines` gives the lines to try for each mutant that is not
    tried against all. The journal keeps such a trial apart from a trial against all
    lines or against other lines, since `before` may have changed while the run was
    interrupted.
    """
    killers = recorded.known_killers(before)
    trials = {
        name: killed_by_corpus.Trial(name, killers.get(name, ""), lines.get(name, ()))
        for name in names
    }
    keys = {
        name: f"{name} by lines {scope_digest(one.lines)}" if one.lines else name
        for name, one in trials.items()
    }
    items = {keys[name]: one for name, one in trials.items()}
    work, advance = killed_by_corpus.fate_of_mutant, _progress("mutants", items)
    found = gather_results(items, work, journal, pool, advance)
    return {name: found[key] for name, key in keys.items()}


def digests_of_lines(journal: Journal, pool: Any) -> dict[str, str]:
    """The digest of each line of the corpus by its id, worked out in a worker."""
    items = {"line digests": None}
    found = gather_results(items, killed_by_corpus.line_digests, journal, pool)
    digests: dict[str, str] = found["line digests"]
    return digests


def theorem_titles(_: object) -> list[str]:
    """The titles of all theorems. This loads the rules, in a worker or here."""
    # late: workers load this module before the rules
    from refengine_conformance.proofs import theorems

    return [theorem.title for theorem in theorems()]


def unit_names(_: object) -> list[str]:
    """The names of all units of small deals; for use in a worker.

    A unit is a set of small deals that are walked together.
    """
    from refengine_conformance.exhaustion import scope

    return [
        str(unit) for unit in scope.split_into_units(scope.deal_shapes(False), False)
    ]


def opinion_names() -> list[str]:
    """The names of the mutants, each without one clause, to compare with OpenSpiel."""
    names = [f"{designed.OFF}{one['number']}" for one in source_edits.judging_clauses()]
    return [name for name in names if name in rule_mutants()]


def prove_theorems(
    titles: Iterable[str], journal: Journal, pool: Any
) -> dict[str, dict[str, Any]]:
    """The outcome of each of these theorems, as `prove_one_theorem` returns it."""
    items = {title: title for title in titles}
    return gather_results(
        items, prove_one_theorem, journal, pool, _progress("theorems", items)
    )


def prove_one_theorem(title: str) -> dict[str, Any]:
    """The outcome of one theorem as plain values; `broken` is "" if it is proved."""
    from refengine_conformance import proofs

    titled = {theorem.title: theorem for theorem in proofs.theorems()}
    outcome = proofs.prove(titled[title])
    return {
        "clauses": list(outcome.clauses),
        "paths": outcome.paths,
        "broken": outcome.failure,
    }


def walk_small_deals(journal: Journal, pool: Any) -> dict[str, Any]:
    """Go through all small deals; return counts, pairs of clauses, and faults."""
    from refengine_conformance.exhaustion import scope, small_deals

    work = scope.split_into_units(scope.deal_shapes(False), False)
    tally = small_deals.walk_units(work, journal, pool)
    pairs = small_deals.clause_pairs_fields(tally)
    return {
        "deals": tally.games,
        "walked": tally.deals,
        "positions": tally.positions,
        "ends": tally.ends,
        "decisions": tally.decisions,
        "meet": pairs["meet"],
        "never": pairs["never"],
        "open": pairs["open"],
        "faults": [*tally.faults, *small_deals.disproved_pairs(tally)],
    }


def clause_meetings(_: object) -> list[list[str]]:
    """Pairs of clauses that fire in the same decision in the corpus.

    For use in a worker.
    """
    from refengine_conformance.corpus_tools import evidence

    found: set[tuple[str, str]] = set()
    for name, line in killed_by_corpus.lines_cheapest_first().items():
        if name.startswith("t-"):  # the pairs of a mini-deal mean nothing
            found |= evidence.fires(evidence.case_of(line)).pairs
    return [list(pair) for pair in sorted(found)]


OPINION_DEALS: Final = (64, 192, 512)  # how many: more if fewer reveal nothing
_OPINION_PATIENCE: Final = 20.0  # seconds of processor time for each number of deals
NO_OPENSPIEL: Final = "OpenSpiel is not installed here: no second opinion is sought"


def second_opinions(
    names: Iterable[str], journal: Journal, pool: Any
) -> dict[str, str]:
    """Compare each of these mutants, which lack one clause each, with OpenSpiel.

    The result maps each mutant to what `second_opinion` returns: "" if the two agree,
    as they do if OpenSpiel does not know the clause.
    """
    items = {name: name for name in names}
    return gather_results(
        items, second_opinion, journal, pool, _progress("second opinions", items)
    )


def second_opinion(name: str) -> str:
    """What OpenSpiel and this mutant disagree about, or "" if they agree.

    If the mutant fails, the result is the name of its error, or how its process ended.
    Raises RuntimeError if OpenSpiel cannot be imported. For use in a worker.
    """
    try:
        return killed_by_corpus.run_in_fork(_opinion, name)[0]
    except killed_by_corpus.ForkEndedError as ended:
        return ended.how


def _opinion(name: str) -> list[str]:
    """What OpenSpiel and this mutant disagree about, as a list of that one string.

    The string is "" if they agree, and the name of the error if the mutant fails.
    Raises NotInstalled if OpenSpiel cannot be imported, which is no error of a mutant.
    """
    from refengine_conformance.openspiel import lockstep, one_deal

    one_deal.new_library_game(0)
    with loading.run_as_mutant(name):
        for deals in OPINION_DEALS:
            try:
                with loading.time_limit(_OPINION_PATIENCE):
                    report = lockstep.lockstep(deals)
            except Exception as error:  # a mutant may fail in any way
                return [type(error).__name__]
            if report.disagreements:
                return [report.disagreements[0].what]
    return [""]


def _progress(what: str, items: Mapping[str, object]) -> Callable[[int], None]:
    """A function that prints, about ten times in all, how many items are done.

    It prints nothing if there are none.
    """
    began = time.perf_counter()
    tenth = max(1, -(-len(items) // 10))  # rounded up

    def advance(done: int) -> None:
        if items and (done == len(items) or done % tenth == 0):
            seconds = time.perf_counter() - began
            text = f"{what}: {done} of {len(items)}, {seconds:.0f} s"
            print(text, file=sys.stderr, flush=True)

    return advance


# The document


def clauses_of_theorems(found: Mapping[str, Any]) -> dict[str, list[str]]:
    """The clauses that each theorem proves: none if the theorem is broken."""
    return {
        title: [] if one["broken"] else one["clauses"] for title, one in found.items()
    }


def opinions_by_clause(found: Mapping[str, str]) -> dict[str, str]:
    """For each clause, what an engine without it and OpenSpiel disagree about.

    Clauses without which the two still agree are left out.
    """
    return {name.partition(":")[2]: what for name, what in found.items() if what}


def mutant_results(
    fates: Mapping[str, Sequence[str]], digests: Mapping[str, str]
) -> dict[str, Any]:
    """The results of trying the mutants, in the form that `strength.json` has.

    `digests` maps the id of each line to its digest.
    """
    known = survivor_arguments()
    alive = [name for name, fate in fates.items() if not fate[0]]
    place = argument_of_each(alive, known)
    table = rule_mutants()
    by_module: dict[str, list[str]] = {module: [] for module in RULES}
    by_clause: dict[str, list[str]] = {one["number"]: [] for one in clause_entries()}
    for name, one in table.items():
        by_module.setdefault(module_changed(one), []).append(name)
        for number in one.clauses:
            by_clause[number].append(name)
    return {
        "strength": FORMAT,
        "spec": source_edits.version_of_book(),
        "operators": operators.VERSION,
        "basis": recorded.basis_of_fates(table.values(), digests),
        "mutants": {
            "designed": sum(not one.startswith(operators.PREFIX) for one in table),
            "tree": sum(one.startswith(operators.PREFIX) for one in table),
        },
        "score": attrs.asdict(score_of(table, fates, place, known)),
        "modules": {
            name: attrs.asdict(score_of(ids, fates, place, known))
            for name, ids in by_module.items()
        },
        "clauses": {
            name: attrs.asdict(score_of(ids, fates, place, known))
            for name, ids in by_clause.items()
            if ids
        },
        "survivors": [
            {"id": name, "change": table[name].text, "argument": place[name]}
            for name in alive
        ],
        "arguments": [{"verdict": one.verdict, "why": one.why} for one in known],
        "kills": dict(sorted(_kills_by_line(fates).items())),
    }


def _kills_by_line(
    fates: Mapping[str, Sequence[str]],
) -> dict[str, dict[str, list[str]]]:
    """For each line, the ids of the mutants that it killed, each split in two.

    The ids are grouped by their heads, and each group lists the tails. Head and tail
    are the parts of an id that `split_mutant_id` returns. If something other than a
    line ended a mutant, it takes the place of the line.
    """
    kills: dict[str, dict[str, list[str]]] = {}
    for name, fate in fates.items():
        if fate[0]:
            head, tail = recorded.split_mutant_id(name)
            kills.setdefault(fate[0], {}).setdefault(head, []).append(tail)
    return kills


def document_text(found: Mapping[str, Any]) -> bytes:
    """The bytes that are written to a file for this document."""
    return json.format(json.encode(found), indent=1) + b"\n"


# The run


def measure_stages(
    jobs: int,
    scheduler: str,
    folder: Path | None,
    stages: Sequence[str],
    afresh: bool,
) -> dict[str, Any]:
    """Measure these stages, and return a document with all stages.

    The other stages are as in the last run. Journals are kept in `folder`, if one is
    given. If OpenSpiel is not installed, second opinions stay as they were, and a line
    on stderr says so. Raises Malformed if the folder cannot be made.
    """
    if folder is not None:
        _make_folder(folder)
    before = committed_document()
    journal = partial(open_journal, folder, scope=_scope_of_journals(afresh))
    rests = dict(before["rests"])
    found = dict(before) | {"rests": rests}
    with open_executor(
        jobs, scheduler, loading.become_mutant, (catalogue.UNCHANGED,)
    ) as pool:
        if "mutants" in stages:
            with journal("mutants") as kept:
                digests = digests_of_lines(kept, pool)
                fates, false = all_fates(before, afresh, digests, kept, pool)
                found |= mutant_results(fates, digests) | {"false": false}
        if "meetings" in stages:
            with journal("meetings") as kept:
                items = {"meetings": None}
                found |= gather_results(items, clause_meetings, kept, pool)
        if "opinions" in stages and not openspiel_is_there():
            print(NO_OPENSPIEL, file=sys.stderr)
        elif "opinions" in stages:
            with journal("opinions") as kept:
                opinions = second_opinions(opinion_names(), kept, pool)
                found["opinions"] = opinions_by_clause(opinions)
                rests["opinions"] = recorded.digest_of_work("opinions")
        if "theorems" in stages:
            with journal("theorems") as kept:
                outcomes = prove_theorems(theorem_titles(None), kept, pool)
                found["theorems"] = clauses_of_theorems(outcomes)
                rests["theorems"] = recorded.digest_of_work("theorems")
    if "deals" in stages:
        # The journal is that of `exhaustion.small_deals`, which can run compiled.
        from refengine_conformance.exhaustion import small_deals

        walks = open_journal(folder, "deals", small_deals.journal_scope())
        with open_executor(jobs, scheduler) as pool, walks as kept:
            found["exhaustion"] = walk_small_deals(kept, pool)
            rests["deals"] = recorded.digest_of_work("deals")
    return found


def _make_folder(folder: Path) -> None:
    """Make a folder, unless it exists; raises Malformed if that cannot be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        # late: workers load this module before the rules
        from refengine.errors import unusable_file

        raise unusable_file(error, "written", str(folder)) from None


def _scope_of_journals(afresh: bool) -> str:
    """A digest of what the results of a run rest on.

    Arguments about survivors are left out, since they change only scores.
    """
    tables = (designed.TABLE, source_edits.package_folder() / source_edits.REGISTRY)
    return scope_digest(
        "strength",
        recorded.corpus_digest(),
        *map(recorded.digest_of_work, ("opinions", "theorems", "deals")),
        *[path.read_bytes() for path in tables],
        afresh,
    )


def openspiel_is_there() -> bool:
    """Whether OpenSpiel can be imported, so that second opinions can be obtained."""
    try:
        importlib.import_module("pyspiel")
    except ImportError:
        return False
    return True
