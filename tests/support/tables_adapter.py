"""An adapter for our engine that declares tables: `tables_adapter.py TABLES [KEEP]`.

TABLES is the JSON list that `hello` declares. KEEP lists the capabilities to declare;
without it, all are. The word `wrong` among them makes the adapter accept every act that
is probed, and `fails` makes its second answer to `legal` an error.
"""

import json
import sys

from refengine.formats.serve import Session

_HABITS = ("wrong", "fails")


def main(tables: str, keep: str = "") -> None:
    """Answer requests line by line until `bye`."""
    session, kept, counted = Session(), keep.split(), 0
    for line in sys.stdin.buffer:
        answer = session.handle(line)
        if answer is None:
            return
        asked, said = json.loads(line), json.loads(answer)
        if asked["op"] == "hello":
            said["ok"]["tables"] = json.loads(tables)
            if kept:
                said["ok"]["capabilities"] = [one for one in kept if one not in _HABITS]
        if "wrong" in kept and asked["op"] == "probe":
            said = {"seq": said["seq"], "ok": {}}
        counted += asked["op"] == "legal"
        if "fails" in kept and asked["op"] == "legal" and counted == 2:
            said = {"seq": said["seq"], "error": "DataCloneError"}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
