"""The process in which aimed games are searched for, with workers of its own.

It reads one line of JSON, `{"table", "clauses", "seed", "jobs"}`, and writes one. Its
workers load the engine from source and must begin without it, so this module imports
nothing that does; that is also why the search is a process of its own.
"""

from __future__ import annotations

import sys

from msgspec import json

from refengine_conformance.mutants.loading import mutant_workers


def main() -> int:
    """Search for the games of one table, and return the exit status."""
    asked = json.decode(sys.stdin.buffer.readline())
    with mutant_workers(asked["jobs"]) as pool:
        from refengine_conformance.tables.aiming import search  # late: see above

        found = search(pool, asked["table"], asked["clauses"], asked["seed"])
    sys.stdout.buffer.write(json.encode(found) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
