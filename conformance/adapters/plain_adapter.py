"""Connects the example engine in `plain_engine.py` to the adapter protocol."""

from __future__ import annotations

import json
import sys
from typing import Any

from plain_engine import Game, missing  # type: ignore[import-not-found]  # run as a script, beside it

CAPABILITIES = ["step", "legal", "probe", "observe", "pass", "moon.choice"]
HELLO = {
    "protocol": 1,
    "name": "plain-example",
    "version": "1.0.0",
    "language": "Python",
    "profiles": ["estmesh-hearts", "openspiel-hearts"],
    "players": [4],
    "capabilities": CAPABILITIES,
    "deviations": [],
    "tables": [
        {
            "profile": "estmesh-hearts",
            "options": {
                "first_trick_points": "barred",
                "moon": "others_plus",
                "bonus_card": "JD",
            },
            "hands": "full",
            "starts": ["deal"],
        }
    ],
}


class Adapter:
    """Answers requests about one game at a time."""

    game: Game

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request, without the request's sequence number `seq`."""
        op = request["op"]
        if op == "hello":
            return {"ok": HELLO}
        if op == "open":
            return self.open(request["ruleset"], request)
        if op == "legal":
            return {"ok": self.game.legal()}
        if op in ("step", "probe"):
            return self.judge(request["seat"], request["act"], op == "step")
        if op == "observe" and "seat" not in request:
            return {"ok": self.game.observe()}
        return {"unsupported": f"the op {op}"}

    def open(self, ruleset: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
        """Begin a deal if this engine can play it, and return the answer."""
        lacking = missing(ruleset["players"], ruleset["options"])
        if lacking is None and ("match" in request or "leader" in request["setup"]):
            lacking = "whole matches and positions"
        if lacking is not None:
            return {"unsupported": lacking}
        self.game = Game(ruleset["options"], request["setup"])
        return {"ok": {}}

    def judge(self, seat: int, act: dict[str, Any], do: bool) -> dict[str, Any]:
        """Answer whether an act is legal; if it is and `do` is true, apply it."""
        if not self.game.accepts(seat, act):
            return {"refused": {}}
        if do:
            self.game.do(seat, act)
        return {"ok": {}}


def main() -> None:
    """Read requests, one a line, and answer each until `bye` comes."""
    adapter = Adapter()
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "bye":
            return
        answer = {"seq": request["seq"], **adapter.answer(request)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
