"""The designed mutants: a clause off or inverted, an option misread, a known bug.

Their ids are of these kinds: `off:5.4` (the clause is not applied), `inverted:5.4` (its
function answers the opposite), `always:score.shot_the_sun` and `never:` (a condition
always or never holds), `swap:ties=shared>play_on` (one value of an option is read as
another) and `bug:first_seat_wins_tie` (a fault seen in real engines, or an easy
misreading of the book). Mutants that cannot be derived from the source of a function
are listed in `corpus/mutants.toml`.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, Final

from refengine_conformance.mutants.source_edits import (
    CORPUS,
    Edit,
    Mutant,
    clause_entries,
    edits_in,
    function_at,
    judging_clauses,
    spec_folder,
)

TABLE: Final = CORPUS / "mutants.toml"
OFF: Final = "off:"  # begins the id of a mutant in which a clause is not applied
_ALL_ALLOWED: Final = "return allowed"  # the body of a narrowing clause switched off


@cache
def designed_mutants() -> tuple[Mutant, ...]:
    """All designed mutants: clauses off or inverted, fixed conditions, swaps, bugs."""
    data = tomllib.loads(TABLE.read_text("utf-8"))
    found: list[Mutant] = [
        *_switched_off(data["off"]),
        *_inverted(),
        *_decided(data["off"]),
        *_swaps(data["swap"]),
    ]
    for name, entry in data["bug"].items():
        found.append(_mutant(f"bug:{name}", tuple(entry["clauses"]), entry))
    return tuple(found)


def clauses_switched_off(names: Iterable[str]) -> list[str]:
    """The clauses that the `off:` mutants among these mutants switch off."""
    return [name.removeprefix(OFF) for name in names if name.startswith(OFF)]


def _mutant(name: str, numbers: tuple[str, ...], entry: dict[str, Any]) -> Mutant:
    """The mutant that an entry in `mutants.toml` describes."""
    return Mutant(name, entry["text"], numbers, edits_in(entry))


def _switched_off(table: dict[str, Any]) -> Iterator[Mutant]:
    """For each judging clause, a mutant in which the clause is not applied.

    The mutant is taken from the table if it is there, and otherwise derived from the
    first of the clause's functions whose signature is of a known kind. A clause with
    neither has no such mutant.
    """
    for entry in judging_clauses():
        number = entry["number"]
        if number in table:
            yield _mutant(f"{OFF}{number}", (number,), table[number])
            continue
        name = _function_to_neutralise(entry)
        if name:
            text = f"{entry['title']}: the clause is not applied"
            edit = Edit(name, "", _neutral(name))
            yield Mutant(f"{OFF}{number}", text, (number,), (edit,))


def _function_to_neutralise(entry: dict[str, Any]) -> str:
    """The function to change so that a clause is not applied; "" if there is none.

    There is none if the signatures of the clause's functions are of no known kind.
    """
    return next((name for name in entry["functions"] if _neutral(name)), "")


def _inverted() -> Iterator[Mutant]:
    """For each function of a known kind, a mutant in which it answers the opposite.

    A condition is negated; a narrowing clause leaves the other cards, if there are any.
    """
    for entry in judging_clauses():
        number = entry["number"]
        for name in filter(_neutral, entry["functions"]):
            text = f"{entry['title']}: {name} answers the opposite"
            edit = Edit(name, "", _opposite(name))
            suffix = "" if _only_claim(entry, name) else f":{name}"
            yield Mutant(f"inverted:{number}{suffix}", text, (number,), (edit,))


def _opposite(name: str) -> str:
    """The body with which a function of a known kind answers the opposite."""
    narrows = _neutral(name) == _ALL_ALLOWED
    node = function_at(name)
    for one in ast.walk(node):
        if isinstance(one, ast.Return) and one.value is not None:
            old = ast.unparse(one.value)
            new = f"(not ({old}))"
            if narrows:
                new = f"((allowed & ~({old}) or allowed))"
            one.value = ast.parse(new, mode="eval").body
    return "\n".join(ast.unparse(line) for line in node.body)


def _decided(table: dict[str, Any]) -> Iterator[Mutant]:
    """For each condition, the mutants in which it always holds and never holds.

    The second is left out if an `off:` mutant already makes the function, or one place
    in it, return False.
    """
    claims: dict[str, list[dict[str, Any]]] = {}
    never: set[str] = set()
    for entry in judging_clauses():
        for name in filter(_is_condition, entry["functions"]):
            claims.setdefault(name, []).append(entry)
        if entry["number"] in table:
            edits = table[entry["number"]]["edits"]
            never |= {one["in"] for one in edits if one["new"] == "return False"}
        else:
            never.add(_function_to_neutralise(entry))
    for name, entries in claims.items():
        numbers = tuple(entry["number"] for entry in entries)
        title = entries[0]["title"]
        edit = Edit(name, "", "return True")
        yield Mutant(
            f"always:{name}", f"{title}: {name} always holds", numbers, (edit,)
        )
        if name not in never:
            edit = Edit(name, "", "return False")
            text = f"{title}: {name} never holds"
            yield Mutant(f"never:{name}", text, numbers, (edit,))


def _is_condition(name: str) -> bool:
    """Whether this names a module-level function that returns a bool."""
    return _neutral(name) == "return False"


def _only_claim(entry: dict[str, Any], name: str) -> bool:
    """Whether this is the clause's only function with a signature of a known kind."""
    return [one for one in entry["functions"] if _neutral(one)] == [name]


def _neutral(name: str) -> str:
    """The body with which a function has no effect, judging by its signature.

    It is "" if the signature is of no known kind.
    """
    if name.count(".") != 1:
        return ""
    node = function_at(name)
    returns = ast.unparse(node.returns) if node.returns else ""
    if "allowed" in [one.arg for one in node.args.args] and returns == "Mask":
        return _ALL_ALLOWED
    return "return False" if returns == "bool" else ""


def _swaps(table: dict[str, Any]) -> Iterator[Mutant]:
    """The mutants that read one value of an option as another.

    Each word or flag is read as each of the others, and any number as the value that
    the table gives for the option.
    """
    reading: dict[str, list[str]] = {}
    for entry in clause_entries():
        if entry["kind"] == "procedure":  # no game shows what people at a table do
            continue
        for name in entry["options"]:
            reading.setdefault(name, []).append(entry["number"])
    for name, values in option_words().items():
        for old in values:
            for new in values:
                if old == new:
                    continue
                read = f"{new!r} if values[{name!r}] == {old!r} else values[{name!r}]"
                if name == "pass_cycle":
                    entries = f"for entry in values[{name!r}]"
                    read = f"tuple({new!r} if entry == {old!r} else entry {entries})"
                yield _swap(name, word_in_id(old), word_in_id(new), read, reading)
    for name, value in table["numbers"].items():
        read = f"values[{name!r}] if isinstance(values[{name!r}], str) else {value!r}"
        yield _swap(name, "number", word_in_id(value), read, reading)


@cache
def option_words() -> dict[str, tuple[object, ...]]:
    """The values of each option that takes no numbers, from the table of clause 0.4.

    The book is read as text, because the option table of the engine cannot be imported
    in a process that has yet to load a mutant.
    """
    text = (spec_folder() / "0-reading.md").read_text("utf-8")
    table = text.partition("| option | values | base value |")[2].partition("\n\n")[0]
    found: dict[str, tuple[object, ...]] = {}
    for name, values in re.findall(
        r"^\| (\w+) \| (.+?) \| .+ \|$", table, re.MULTILINE
    ):
        if " to " in values:  # numbers
            continue
        words = values.removeprefix("a list of ").replace('"', "").split(", ")
        flag = words == ["true", "false"]
        found[name] = (False, True) if flag else tuple(words)
    return found


def _swap(
    name: str, old: str, new: str, read: str, reading: dict[str, list[str]]
) -> Mutant:
    """The mutant in which the value `old` of an option is read as `new`.

    `read` is the source of the expression by which the mutant reads the option;
    `reading` lists the clauses that read each option.
    """
    lowered = f"return lowered(players, {{**values, {name!r}: {read}}})"
    return Mutant(
        f"swap:{name}={old}>{new}",
        f"{name}: {old} is read as {new}",
        tuple(reading.get(name, ())),
        (Edit("rulesets.checked_rules", "return rules", lowered),),
    )


def word_in_id(value: object) -> str:
    """A value as it is written in the id of a mutant."""
    return str(value).lower() if isinstance(value, bool) else str(value)
