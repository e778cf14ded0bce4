"""The process that searches for aimed games or rows with workers of its own.

It reads one line of JSON, `{"table", "clauses", "seed", "jobs"}`, and writes the answer
as another line. If rows are wanted, `rows` names their kind and `most` limits their
number. The workers load the engine from source and must start without it, so the search
is run in a process of its own, and this module imports nothing that loads the engine.
"""

from __future__ import annotations

import sys
from concurrent.futures import Executor
from typing import Any

from msgspec import json

from refengine_conformance.mutants.loading import mutant_workers


def main() -> int:
    """Search for the games or the rows of one table, write them, and return 0."""
    asked = json.decode(sys.stdin.buffer.readline())
    with mutant_workers(asked["jobs"]) as pool:
        found = _search(pool, asked)
    sys.stdout.buffer.write(json.encode(found) + b"\n")
    return 0


def _search(pool: Executor, asked: dict[str, Any]) -> object:
    """The rows or the aimed games that `asked` calls for, as plain values."""
    from refengine_conformance.tables.aiming import search  # late: see above
    from refengine_conformance.tables.row_search import rows_of

    table, clauses, seed = asked["table"], asked["clauses"], asked["seed"]
    if "rows" in asked:
        return rows_of(pool, table, asked["rows"], clauses, seed, asked["most"])
    return search(pool, table, clauses, seed)


if __name__ == "__main__":
    sys.exit(main())
