"""Puts an engine of Hearts behind the adapter protocol: JSON lines in, JSON lines out.

Run it with: refengine conform run -- python THIS_FILE
Fill in the functions, and name in CAPABILITIES what they do; nothing else is asked.
Print nothing else to standard output; standard error is free.
"""

import json
import sys
from typing import Any

# All: step legal probe clause clauses observe views replay enumerate setup.position
# match pass scatter mix forward stock kitty moon.choice revokes
CAPABILITIES: list[str] = []
CARD: dict[str, Any] = {"name": "my-hearts", "version": "0.1.0", "language": "Python"}
CARD |= {"protocol": 1, "profiles": "any", "players": [4]}
game: dict[str, Any] = {}


def start(ruleset: Any, setup: Any = None, match: Any = None) -> Any:
    """A new game. Every option is named; setup has dealer, deal, hands ["2C 9D", …]."""
    if match is not None or ruleset["options"]["undealt"] != "none":
        # Say so for every option that you do not play: it is then not scored.
        return {"unsupported": "matches, stock and kitty"}
    game.update(ruleset=ruleset, setup=setup)  # make your own state here
    return {"ok": {}}


def step(seat: int, act: dict[str, Any]) -> Any:
    """An act, such as {"play": "QS"}: {"ok": {}} or {"refused": {"clauses": [...]}}."""
    return {"unsupported": "step"}


def probe(seat: int, act: dict[str, Any]) -> Any:
    """The same answer as to step, and nothing changes."""
    return {"unsupported": "probe"}


def legal() -> Any:
    """What is due: {"ok": {"turn": [2], "play": "5C 7C"}}."""
    return {"unsupported": "legal"}


def observe(seat: int | None = None) -> Any:
    """What is to be seen, {"ok": {"turn": [2]}}; with a seat, what that seat knows."""
    return {"unsupported": "observe"}


OPS: dict[str, Any] = {"open": start, "step": step, "probe": probe, "legal": legal}
OPS |= {"observe": observe, "bye": sys.exit}
OPS["hello"] = lambda protocol: {"ok": {**CARD, "capabilities": CAPABILITIES}}
for request in map(json.loads, sys.stdin):
    op, seq = request.pop("op"), request.pop("seq")
    try:
        answer = OPS[op](**request) if op in OPS else {"unsupported": op}
    except Exception as error:  # say it, and serve the next request
        answer = {"error": repr(error)}
    print(json.dumps({"seq": seq, **answer}), flush=True)
