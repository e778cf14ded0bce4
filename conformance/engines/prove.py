"""Shows that every fault changes an answer: plays the same deals on the clean
engine and on the faulty one and prints where they first part, in what is
legal, what is accepted or how it is scored.

python prove.py [engine [fault ...]]      NODE may say where node is; go is on PATH
"""

import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
SUITS, RANKS = "CDSH", "23456789TJQKA"
PACK = [r + s for s in SUITS for r in RANKS]
ENOUGH, MOST = 6, 900


class Adapter:
    def __init__(self, folder, kind):
        if kind == "slices_go":
            binary = os.path.join(folder, "engine.bin")
            subprocess.run(["go", "build", "-o", binary, "."], cwd=folder, check=True)
            command = [binary]
        elif kind == "strings_js":
            command = [os.environ.get("NODE", "node"), os.path.join(folder, "adapter.mjs")]
        else:
            command = [sys.executable, os.path.join(folder, "adapter.py")]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps({"seq": 1, **request}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        answer.pop("seq")
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Parted(Exception):
    pass


def shuffled(rng, cards):
    cards = list(cards)
    rng.shuffle(cards)
    return cards


def whole_deal(rng):
    """Hands of thirteen, and a policy: random, or one seat takes all it can."""
    kind = rng.choice(["random", "random", "hearts", "clubs", "top", "almost"])
    shooter = rng.randrange(4)
    hearts = [c for c in PACK if c[1] == "H"]
    if kind == "random":
        own = []
    elif kind == "hearts":
        own = rng.choice([hearts, hearts[1:] + ["QS"], hearts[:-1] + ["QS"], hearts[1:] + ["AC"],
                          hearts[2:] + ["AC", "QS"], hearts[1:-1] + ["QS", "9D"]])
    elif kind == "clubs":
        own = ["AC", "KC", "QC", "JC"] + hearts[:rng.randint(6, 9)]
    elif kind == "top":
        own = [r + s for s in SUITS for r in "AKQ"]
    else:
        own = hearts[2:] + ["AC", "2D"]
    rest = shuffled(rng, [c for c in PACK if c not in own])
    if kind == "almost":  # the queen and two long diamonds beside it stay to the end
        rest.sort(key=lambda c: c[1] == "D")
    hands = [None] * 4
    hands[shooter] = own + [rest.pop() for _ in range(13 - len(own))]
    others = [s for s in range(4) if s != shooter]
    for i, seat in enumerate(others):
        hands[seat] = rest[i::3]
    policy = "random" if kind == "random" or rng.random() < 0.4 else "shoot"
    return hands, "", policy, shooter, kind


def six_each(rng):
    pack = shuffled(rng, PACK)
    if rng.random() < 0.3:  # everybody can follow for long, perhaps to the end
        two = rng.sample(SUITS, 2)
        own = [shuffled(rng, [c for c in PACK if c[1] == s])[:12] for s in two]
        hands = [own[0][s::4] + own[1][s::4] for s in range(4)]
        stock = [c for c in pack if not any(c in h for h in hands)]
    else:
        hands, stock = [pack[s * 6:s * 6 + 6] for s in range(4)], pack[24:]
    return hands, " ".join(stock), "random", 0, "six"


def choose(rng, cards, policy, mine, hand_kind):
    if policy == "random":
        return rng.choice(cards)
    if mine:
        return max(cards, key=lambda c: (c[1] != "D" or hand_kind != "almost", RANKS.index(c[0])))
    return min(cards, key=lambda c: (c == "QS", c[1] == "D", RANKS.index(c[0])))


def play_deal(clean, faulty, table, rng, log):
    def both(label, **request):
        a, b = clean.ask(**request), faulty.ask(**request)
        assert "error" not in a, (request, a)
        if "error" in b:
            raise Parted("error", f"{label}: {b['error']}")
        for answer in (a, b):
            if "play" in answer.get("ok", {}):
                answer["ok"]["play"] = " ".join(sorted(answer["ok"]["play"].split(), key=PACK.index))
        if a != b:
            kind = "legal" if request["op"] == "legal" else "accepted"
            raise Parted(kind, f"{label}: right {json.dumps(a)}, faulty {json.dumps(b)}")
        return a.get("ok")

    domino = table["domino"]
    hands, stock, policy, shooter, kind = six_each(rng) if domino else whole_deal(rng)
    number = 4 if kind == "hearts" else rng.choice([4, 4, 1, 2, 3, 5])
    totals = [rng.choice([74, 80, 87, 94, 99, rng.randint(60, 99)]) for _ in range(4)]
    setup = {"dealer": rng.randrange(4), "deal": number, "totals": totals,
             "hands": [" ".join(h) for h in hands]}
    if stock:
        setup["stock"] = stock
    both("open", op="open", ruleset=table["ruleset"], setup=setup)
    moves = 0
    while True:
        due = both(f"after {moves} acts", op="legal")
        seats = due["turn"]
        if due.get("over"):
            break
        if "pass" in due:
            seat = rng.choice(seats)
            now = clean.ask(op="observe")["ok"]["hands"]
            own = now[seat].split()
            passed = [s for s in range(4) if s not in seats]
            packet = lambda size, cards: {"pass": " ".join(rng.sample(cards, size))}
            both("a short pass", op="step", seat=seat, act=packet(2, own))
            both("a long pass", op="step", seat=seat, act=packet(4, own))
            for giver in passed:
                for card in log["packets"].get(giver, []):
                    bad = {"pass": " ".join([card] + own[:2])}
                    both("a card just received", op="probe", seat=seat, act=bad)
                both("a second pass", op="step", seat=giver, act=packet(3, now[giver].split()))
            act = packet(3, own)
            log["packets"][seat] = act["pass"].split()
            both("pass", op="step", seat=seat, act=act)
            moves += 1
            continue
        seat = seats[0]
        allowed = due.get("play", "").split()
        seen = clean.ask(op="observe")["ok"]
        held = seen["hands"][seat].split()
        for card in held:
            if card not in allowed:
                both("card barred", op="step", seat=seat, act={"play": card})
        both("foreign card", op="step", seat=seat, act={"play": rng.choice([c for c in PACK if c not in held])})
        other = rng.choice([s for s in range(4) if s != seat])
        theirs = seen["hands"][other].split()
        if theirs:
            both("out of turn", op="step", seat=other, act={"play": rng.choice(theirs)})
        if not due.get("draw"):
            both("draw", op="step", seat=seat, act={"draw": 1})
        for card in allowed:
            both(f"card {card}", op="probe", seat=seat, act={"play": card})
        both("legal after refusals", op="legal")
        act = {"draw": 1} if "draw" in due else {
            "play": choose(rng, allowed, policy, seat == shooter, kind)}
        both(f"{act}", op="step", seat=seat, act=act)
        moves += 1
    a, b = clean.ask(op="observe")["ok"], faulty.ask(op="observe")["ok"]
    for field in ("score", "totals", "match"):
        if a[field] != b[field]:
            raise Parted("scored", f"{field} {json.dumps(a[field])}, faulty {json.dumps(b[field])}")


ENGINES = {
    "counting_py": ("engine.py", {"domino": False, "passes": True, "ruleset": {
        "profile": "estmesh-hearts", "players": 4,
        "options": {"first_trick_points": "barred", "queen_breaks_hearts": True, "moon": "self_minus"}}}),
    "slices_go": ("engine.go", {"domino": False, "passes": False, "ruleset": {
        "profile": "pokerwiner-hearts", "players": 4, "options": {"revokes": "rejected"}}}),
    "strings_js": ("engine.mjs", {"domino": True, "passes": False, "ruleset": {
        "profile": "pokerwiner-domino", "players": 4, "options": {"revokes": "rejected"}}}),
}


def prove(name, only):
    engine, table = ENGINES[name]
    folder = os.path.join(HERE, name)
    with open(os.path.join(folder, "faults.toml"), "rb") as file:
        faults = tomllib.load(file)
    with open(os.path.join(folder, engine), encoding="utf-8") as file:
        source = file.read()
    bad = 0
    for fault, what in faults.items():
        if only and fault not in only:
            continue
        assert set(what) == {"text", "clauses", "shape", "old", "new"}, fault
        assert source.count(what["old"]) == 1, (fault, source.count(what["old"]))
        with tempfile.TemporaryDirectory() as temp:
            pair = []
            for side in ("clean", "faulty"):
                copy = os.path.join(temp, side)
                shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("__pycache__"))
                if side == "faulty":
                    with open(os.path.join(copy, engine), "w", encoding="utf-8") as file:
                        file.write(source.replace(what["old"], what["new"]))
                pair.append(Adapter(copy, name))
            rng = random.Random(7)
            kinds, first, games = collections.Counter(), {}, 0
            while sum(kinds.values()) < ENOUGH and games < MOST:
                games += 1
                try:
                    play_deal(*pair, table, rng, {"packets": {}})
                except Parted as parted:
                    kind, text = parted.args
                    kinds[kind] += 1
                    first.setdefault(kind, text)
            for adapter in pair:
                adapter.close()
        shown = [k for k in kinds if k != "error"]
        bad += not shown
        print(f"{'ok  ' if shown else 'MISS'} {name} {fault} {what['clauses']}: "
              f"{sum(kinds.values())} of {games} games {dict(kinds)}", flush=True)
        for kind, text in first.items():
            print(f"       {kind}: {text[:230]}", flush=True)
    return bad


if __name__ == "__main__":
    names = sys.argv[1:2] or list(ENGINES)
    sys.exit(any([prove(n, sys.argv[2:]) for n in names]))
