"""An adapter whose engine plays one ruleset, whatever ruleset it is sent.

`python -m refengine_conformance.selftest.masked_engine JSON` declares every profile,
but begins every game under the ruleset given as JSON, just as most engines play only by
rules of their own.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import BinaryIO

from msgspec import json

from refengine.formats.serve import Session


def serve_masked(own: object, lines: Iterable[bytes], answers: BinaryIO) -> None:
    """Answer the requests, but begin each game under the engine's own ruleset.

    `own` is that ruleset in plain JSON values.
    """
    session = Session()
    for line in lines:
        request = json.decode(line)
        if request.get("op") == "open":
            request["ruleset"] = own
        elif request.get("op") == "replay":
            request["trace"]["ruleset"] = own
        answer = session.handle(json.encode(request))
        if answer is None:
            return
        answers.write(answer + b"\n")
        answers.flush()


if __name__ == "__main__":
    serve_masked(json.decode(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer)
