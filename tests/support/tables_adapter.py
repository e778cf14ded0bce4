"""An adapter of the reference that declares tables: `tables_adapter.py TABLES [KEEP]`.

TABLES is the JSON list that `hello` declares. KEEP are the capabilities to declare, if
not all; `wrong` among them makes it refuse nothing.
"""

import json
import sys

from refengine.formats.serve import Session


def main(tables: str, keep: str = "") -> None:
    """Answer line by line until `bye`."""
    session, kept = Session(), keep.split()
    for line in sys.stdin.buffer:
        answer = session.handle(line)
        if answer is None:
            return
        asked, said = json.loads(line), json.loads(answer)
        if asked["op"] == "hello":
            said["ok"]["tables"] = json.loads(tables)
            if kept:
                said["ok"]["capabilities"] = [one for one in kept if one != "wrong"]
        if "wrong" in kept and asked["op"] == "probe":
            said = {"seq": said["seq"], "ok": {}}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
