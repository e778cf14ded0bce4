"""Puts an engine of Hearts behind the adapter protocol: JSON lines in, JSON lines out.

Run it with: refengine conform run -- python THIS_FILE
Fill in the methods of Engine, and name in CAPABILITIES what they do. What is not named
there is never asked. Print nothing else to standard output; standard error is free.
"""

import json
import sys

# All: step legal probe clause clauses observe views replay enumerate setup.position
# match pass scatter mix forward stock kitty moon.choice revokes
CAPABILITIES = []
CARD = {"protocol": 1, "name": "my-hearts", "version": "0.1.0", "language": "Python",
        "profiles": "any", "players": [4], "capabilities": CAPABILITIES}


class Engine:
    """What the runner asks; each method returns an answer without its seq."""

    def hello(self, request):
        """Who this is, and what it can do."""
        return {"ok": CARD}

    def open(self, request):
        """A new game: every option, and a setup with dealer, deal and hands."""
        if "match" in request:
            return {"unsupported": "matches"}
        if request["ruleset"]["options"]["undealt"] != "none":
            return {"unsupported": "stock and kitty"}
        self.game = request["setup"]  # make your own state here
        return {"ok": {}}

    def step(self, request):
        """An act of a seat, {"play": "QS"}: {"ok": {}} or {"refused": {}}."""
        return {"unsupported": "step"}

    def probe(self, request):
        """The same answer as to step, but nothing changes."""
        return {"unsupported": "probe"}

    def legal(self, request):
        """What is due: {"ok": {"turn": [2], "play": "5C 7C"}}."""
        return {"unsupported": "legal"}

    def observe(self, request):
        """What is to be seen; with a "seat", what that seat knows."""
        return {"unsupported": "observe"}  # {"ok": {"turn": [2], "over": False}}


engine = Engine()
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "bye":
        break
    try:
        found = getattr(engine, request["op"], lambda _: {"unsupported": "op"})(request)
    except Exception as error:
        found = {"error": repr(error)}
    print(json.dumps({"seq": request["seq"], **found}), flush=True)
