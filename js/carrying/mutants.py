"""Compares mutants in both languages: `python -m carrying.mutants`.

Some of the designed mutants, drawn by a seed, are translated to JavaScript together:
each changed function is added after the original, and replaces it in a separate copy of
the rules. Both languages then answer requests made from lines of the corpus, beginning
with lines that test the clauses of the mutant. They must give the same answers, even
where those are wrong.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import attrs

from carrying.build import ASKED, ROOT, as_module, rule_modules, with_library
from carrying.build import carried_over as carry
from carrying.differential import wrong_ruleset, wrong_start
from carrying.package import JS
from refengine import profile_names
from refengine.formats.serve import Session
from refengine_conformance.mutants.designed import designed_mutants
from refengine_conformance.mutants.loading import (
    HangsError,
    run_as_mutant,
    time_limit,
)
from refengine_conformance.mutants.source_edits import (
    CORPUS,
    Mutant,
    edited_function,
    file_of_module,
    import_name,
)

LEAST: Final = 6  # lines asked of a mutant, unless ENOUGH come out wrong earlier
ENOUGH: Final = 3  # wrongly answered lines after which no more are tried
MOST: Final = 1000  # the most lines tried to find these: all of them
BATCHES: Final = 30  # the most batches of beginnings, if no line is answered wrongly
PATIENCE: Final = 20.0  # seconds of processor time for the answers of a mutant
# A mutant need not have the right types.
UNTYPED: Final = (
    '# mypy: disable-error-code="union-attr,arg-type,operator,index,return-value"'
)
_BESIDE: Final = re.compile(r"__[0-9]+_[0-9]+$")
FAILED: Final = {"error": "it fails"}

Json = dict[str, Any]


def drawn(seed: object, number: int) -> list[Mutant]:
    """A random sample of `number` designed mutants, the same for the same seed."""
    every = sorted(designed_mutants(), key=lambda one: one.id)
    return Random(f"{seed}").sample(every, number)


# Carried over


def carried_over(mutants: Sequence[Mutant], folder: Path) -> list[Path]:
    """Make a folder for each mutant, with its rules and the adapter in JavaScript.

    Returns the folders, in the order of the mutants.
    """
    source = folder / "source"
    shutil.copytree(ROOT / "refengine", source / "refengine")
    asked = [_beside(source, mutant, at) for at, mutant in enumerate(mutants)]
    names = (one for some in asked for one in some)
    text, told = with_library(*carry(rule_modules(), [*ASKED, *names], source))
    told = [one for one in told if not _BESIDE.search(one)]
    found = []
    for at, mutant in enumerate(mutants):
        home = folder / f"{at}"
        home.mkdir()
        changed = as_module(_changed(text, mutant, at), told)
        (home / "rules.mjs").write_text(changed, "utf-8")
        shutil.copy(JS / "adapter.mjs", home)
        found.append(home)
    return found


def _beside(source: Path, mutant: Mutant, at: int) -> Iterator[str]:
    """Add each changed function after the original in the source.

    Yields the full names of the added functions that are not methods.
    """
    for place, edit in enumerate(mutant.edits):
        module, *inner = edit.function.split(".")
        path = source / "refengine" / file_of_module(module)
        lines = path.read_text("utf-8").splitlines()
        scope: list[ast.stmt] = ast.parse("\n".join(lines)).body
        for name in inner[:-1]:
            scope = _named(scope, name).body
        right = _named(scope, inner[-1])
        node: ast.FunctionDef = _Reached().visit(edited_function(edit))
        node.name = f"{inner[-1]}__{at}_{place}"
        written = textwrap.indent(ast.unparse(node), " " * right.col_offset)
        lines[right.end_lineno : right.end_lineno] = ["", *written.splitlines(), ""]
        lines.append(UNTYPED)
        path.write_text("\n".join(lines) + "\n", "utf-8")
        if len(inner) == 1:
            yield f"{import_name(module)}.{node.name}"


class _Reached(ast.NodeTransformer):
    """Removes code that is never reached, since the type checker gives it no types."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """The function, without the statements after a return in its own body."""
        self.generic_visit(node)
        node.body = _until_return(node.body)
        return node

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        """The branch that is taken if the condition is constant; else the statement."""
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """The value that is taken if the condition is constant; else the expression."""
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """The expression, without the operands that can never matter.

        These are constants that do not decide the result, and all operands after a
        constant that does.
        """
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)
        values: list[ast.expr] = []
        for one in node.values:
            if not isinstance(one, ast.Constant):
                values.append(one)
            elif bool(one.value) == decides:
                values.append(one)
                break
        node.values = values or node.values[-1:]
        return node if len(node.values) > 1 else node.values[0]


def _until_return(body: list[ast.stmt]) -> list[ast.stmt]:
    ends = [at for at, one in enumerate(body) if isinstance(one, ast.Return)]
    return body[: ends[0] + 1] if ends else body


def _named(scope: list[ast.stmt], name: str) -> ast.ClassDef | ast.FunctionDef:
    return next(
        one
        for one in scope
        if isinstance(one, ast.ClassDef | ast.FunctionDef) and one.name == name
    )


def _changed(text: str, mutant: Mutant, at: int) -> str:
    """The rules in JavaScript, with a mutant's functions in place of the originals."""
    for place, edit in enumerate(mutant.edits):
        module, *inner = edit.function.split(".")
        right = inner[-1] if len(inner) > 1 else f"{module}${inner[0]}"
        begin = text.index(f"class {module}${inner[0]}") if len(inner) > 1 else 0
        head, rest = text[:begin], text[begin:]
        for old, new in (
            (right, f"{right}__right"),
            (f"{right}__{at}_{place}", right),
        ):
            defined = rf"^((?:function\*? |const )?){re.escape(old)}(?= = |\()"
            match = re.search(defined, rest, re.MULTILINE)
            assert match, f"{mutant.id}: {old} is not in the text"
            rest = f"{rest[: match.start()]}{match[1]}{new}{rest[match.end() :]}"
        text = head + rest
    return text


# Requests and answers


@cache
def _index() -> tuple[Json, ...]:
    lines = (CORPUS / "index.jsonl").read_text("utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


@cache
def _lines(name: str) -> list[str]:
    return (CORPUS / name).read_text("utf-8").splitlines()


def requests_for(mutant: Mutant, seed: object) -> list[bytes]:
    """The requests for a mutant, made from starts and from lines of the corpus.

    The lines that test its clauses come first, and more are tried until some are found
    that it answers wrongly or enough have been tried. The starts are probably refused.
    Raises HangsError if the mutant does not return.
    """
    rng = Random(f"{seed}/{mutant.id}")
    wanted = set(mutant.clauses)
    entries = list(_index())
    rng.shuffle(entries)
    entries.sort(key=lambda one: wanted.isdisjoint(one["necessary"]))
    found = _beginnings(rng)
    killing = 0
    needing = not wanted.isdisjoint(entries[0]["necessary"])
    for at, entry in enumerate(entries[: MOST if needing else LEAST]):
        if killing == ENOUGH or (at >= LEAST and killing):
            break
        line = _lines(entry["file"])[entry["line"] - 1]
        asked = list(_requests(json.loads(line)))
        wrong = _is_wrong(mutant, asked)
        killing += wrong
        if wrong or at < LEAST:
            found += asked
    for _ in range(BATCHES):
        if killing or _is_wrong(mutant, found):
            break
        found = [*_beginnings(rng), *found]
    return _numbered(found)


def _is_wrong(mutant: Mutant, asked: list[Json]) -> bool:
    requests = _numbered(asked)
    right = python_answers(requests)
    with run_as_mutant(mutant.id), time_limit(PATIENCE):
        return python_answers(requests) != right


def _beginnings(rng: Random) -> list[Json]:
    found: list[Json] = []
    for name in profile_names():
        for make in (wrong_ruleset, wrong_start):
            ruleset, start = make(rng, name)
            found.append({"op": "open", "ruleset": ruleset, **start})
    return found


def _numbered(requests: Iterable[Json]) -> list[bytes]:
    return [json.dumps({"seq": at, **one}).encode() for at, one in enumerate(requests)]


def _requests(trace: Json) -> Iterator[Json]:
    start: Json = {key: trace[key] for key in ("setup", "match") if key in trace}
    yield {"op": "open", "ruleset": trace["ruleset"], **start}
    if "mini" in trace:
        yield {"op": "enumerate", "limit": trace["games"]}
        return
    for step in trace["steps"]:
        yield {"op": "legal"}
        for asked in (*step.get("refuse", ()), *step.get("irregular", ())):
            seat = asked.get("seat", step["seat"])
            yield {"op": "probe", "seat": seat, "act": asked["act"]}
        yield {"op": "step", "seat": step["seat"], "act": step["act"]}
        yield {"op": "observe"}
        for seat in range(trace["ruleset"]["players"]):
            yield {"op": "observe", "seat": seat}


def python_answers(requests: Iterable[bytes]) -> list[Json]:
    """The answers of the loaded engine; an exception is recorded as an error.

    Raises HangsError if the engine takes too long.
    """
    session = Session()
    found: list[Json] = []
    for line in requests:
        try:
            answer = session.handle(line)
            assert answer is not None
            found.append(json.loads(answer))
        except HangsError:
            raise
        except Exception:  # a mutant may fail in any way
            found.append({"seq": json.loads(line)["seq"], **FAILED})
    return found


def javascript_answers(
    home: Path, requests: Iterable[bytes], node: Sequence[str]
) -> list[Json]:
    """The answers of the JavaScript mutant in this folder."""
    done = subprocess.run(
        [*node, str(home / "adapter.mjs")],
        input=b"\n".join(requests),
        capture_output=True,
        check=True,
        timeout=3 * PATIENCE,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@attrs.frozen
class Compared:
    """How a mutant in Python compares with the same mutant in JavaScript.

    `wrong` counts the answers in which the mutant differs from the book, and
    `differing` those in which the languages differ; `first` is the first difference as
    text. If `hangs` is true, Python did not return, so that nothing was compared.
    """

    mutant: str
    answers: int
    wrong: int
    differing: int
    first: str = ""
    hangs: bool = False


def compared(mutant: Mutant, home: Path, seed: object, node: Sequence[str]) -> Compared:
    """The comparison of one mutant with its JavaScript version."""
    requests: list[bytes] = []
    try:
        requests = requests_for(mutant, seed)
        right = python_answers(requests)
        with run_as_mutant(mutant.id), time_limit(PATIENCE):
            expected = python_answers(requests)
    except HangsError:
        return Compared(mutant.id, len(requests), 0, 0, hangs=True)
    found = javascript_answers(home, requests, node)
    found += [{}] * (len(requests) - len(found))
    wrong = sum(one != other for one, other in zip(right, expected, strict=True))
    differing = [
        f"{request.decode()}\n  Python {one}\n  JavaScript {other}"
        for request, one, other in zip(requests, expected, found, strict=True)
        if _alike(one) != _alike(other)
    ]
    first = differing[0] if differing else ""
    return Compared(mutant.id, len(requests), wrong, len(differing), first)


def _alike(answer: Json) -> Json:
    return {"seq": answer["seq"], **FAILED} if "error" in answer else answer


def all_compared(seed: object, number: int, node: Sequence[str]) -> Iterator[Compared]:
    """The comparisons of `number` mutants with their JavaScript versions."""
    mutants = drawn(seed, number)
    with tempfile.TemporaryDirectory() as folder:
        homes = carried_over(mutants, Path(folder))
        for mutant, home in zip(mutants, homes, strict=True):
            yield compared(mutant, home, seed, node)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare some mutants; return 1 if any answers differently in JavaScript."""
    parser = argparse.ArgumentParser(prog="carrying.mutants")
    parser.add_argument("--seed", default="2026")
    parser.add_argument("--number", type=int, default=50)
    parser.add_argument("node", nargs="+", help="the command that runs Node")
    asked = parser.parse_args(arguments)
    found = []
    for one in all_compared(asked.seed, asked.number, asked.node):
        found.append(one)
        print(f"{one.mutant}: {one.wrong} of {one.answers} answers wrong", end="")
        print(f", {one.differing} differ: {one.first}" if one.differing else "")
    wrong = sum(one.wrong > 0 for one in found)
    answers = sum(one.wrong for one in found)
    differing = sum(one.differing > 0 for one in found)
    hanging = sum(one.hangs for one in found)
    print(
        f"{len(found)} mutants, {wrong} of them with {answers} wrong answers;", end=" "
    )
    print(f"{hanging} not to be waited for; {differing} differ in JavaScript")
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
