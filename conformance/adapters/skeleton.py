"""Puts an engine of Hearts behind the adapter protocol: JSON lines in, JSON lines out.

Run it with: refengine conform run -- python THIS_FILE
Fill in the functions, and name in CAPABILITIES what they do; nothing else is asked.
Print nothing else to standard output; standard error is free.
"""

import json
import sys

# All: step legal probe clause clauses observe views replay enumerate setup.position
# match pass scatter mix forward stock kitty moon.choice revokes
CAPABILITIES = []
CARD = {"name": "my-hearts", "version": "0.1.0", "language": "Python", "protocol": 1}
CARD |= {"profiles": "any", "players": [4], "capabilities": CAPABILITIES}
game = {}


def start(ruleset, setup=None, match=None):
    """A new game. Every option is named; setup has dealer, deal, hands ["2C 9D", …]."""
    if match is not None or ruleset["options"]["undealt"] != "none":
        return {"unsupported": "matches, stock and kitty"}
    game.update(ruleset=ruleset, setup=setup)  # make your own state here
    return {"ok": {}}


def step(seat, act):
    """An act, such as {"play": "QS"}: {"ok": {}} or {"refused": {"clauses": [...]}}."""
    return {"unsupported": "step"}


def probe(seat, act):
    """The same answer as to step, and nothing changes."""
    return {"unsupported": "probe"}


def legal():
    """What is due: {"ok": {"turn": [2], "play": "5C 7C"}}."""
    return {"unsupported": "legal"}


def observe(seat=None):
    """What is to be seen, {"ok": {"turn": [2]}}; with a seat, what that seat knows."""
    return {"unsupported": "observe"}


OPS = {"open": start, "step": step, "probe": probe, "legal": legal, "observe": observe}
OPS |= {"hello": lambda protocol: {"ok": CARD}, "bye": sys.exit}
for request in map(json.loads, sys.stdin):
    op, seq = request.pop("op"), request.pop("seq")
    try:
        answer = OPS[op](**request) if op in OPS else {"unsupported": op}
    except Exception as error:
        answer = {"error": repr(error)}
    print(json.dumps({"seq": seq, **answer}), flush=True)
