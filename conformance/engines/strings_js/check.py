"""Plays random deals through the adapter and compares every answer with a
second reading of the rules: python check.py [deals] [seed]. Needs node; NODE
may say where it is."""

import json
import os
import random
import subprocess
import sys
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
PACK = [r + s for s in "CDSH" for r in "23456789TJQKA"]
RANK = {c: "23456789TJQKA".index(c[0]) for c in PACK}
OPTIONS = {
    "hand_size": 6, "undealt": "stock", "pass_cycle": [], "opening_leader": "left_of_dealer",
    "opening_card": "any", "heart_leads": "free", "survivor_takes_stock": True,
    "no_survivor_stock": "last_to_play", "queen_points": 0, "revokes": "rejected",
    "revoke_points": "all", "limit": "none", "deals": 1, "moon": "none",
}


class Adapter:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.seq = 0

    def ask(self, op, **rest):
        self.seq += 1
        self.process.stdin.write(json.dumps({"seq": self.seq, "op": op, **rest}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert answer.pop("seq") == self.seq and len(answer) == 1, answer
        assert "error" not in answer, answer
        return answer


def as_cards(text):
    return set(text.split())


def hearts(cards):
    return sum(c[1] == "H" for c in cards)


def one_deal(adapter, rng, seen_cases):
    pack = PACK[:]
    rng.shuffle(pack)
    hands, stock = [set(pack[s * 6:s * 6 + 6]) for s in range(4)], pack[24:]
    dealer, totals = rng.randrange(4), [rng.randint(0, 5) for _ in range(4)]
    setup = {"dealer": dealer, "deal": 1, "totals": totals,
             "hands": [" ".join(h) for h in hands], "stock": " ".join(stock)}
    ruleset = {"profile": "pokerwiner-domino", "players": 4, "options": OPTIONS}
    assert adapter.ask("open", ruleset=ruleset, setup=setup) == {"ok": {}}

    taken, won = [set(), set(), set(), set()], [0] * 4
    leader = (dealer + 1) % 4
    while sum(map(bool, hands)) > 1:
        out = [s for s in range(4) if not hands[s]]
        seats = [s % 4 for s in range(leader, leader + 4) if hands[s % 4]]
        assert seats[0] == leader
        trick = []
        for seat in seats:
            drawn = 0
            while True:
                follow = {c for c in hands[seat] if trick and c[1] == trick[0][1]}
                due = bool(trick and stock and not follow)
                legal = adapter.ask("legal")["ok"]
                assert legal.pop("turn") == [seat]
                allowed = set() if due else follow or hands[seat]
                assert legal == {"draw": 1} if due else as_cards(legal["play"]) == allowed, (legal, allowed)
                seen = adapter.ask("observe")["ok"]
                assert [as_cards(h) for h in seen["hands"]] == hands and seen["stock"].split() == stock
                assert [as_cards(t) for t in seen["taken"]] == taken and seen["tricks"] == won
                assert seen["table"] == {"leader": leader, "cards": " ".join(trick)}
                assert seen["phase"] == "play" and not seen["over"]
                assert seen["out"] == [s for s in range(4) if not hands[s]]
                for verb in ("step", "probe"):
                    card = rng.choice(sorted(set(PACK) - allowed))
                    assert "refused" in adapter.ask(verb, seat=seat, act={"play": card})
                    assert "refused" in adapter.ask(verb, seat=(seat + 1) % 4, act={"draw": 1})
                    if not due:
                        assert "refused" in adapter.ask(verb, seat=seat, act={"draw": 1})
                assert adapter.ask("observe")["ok"] == seen
                if not due:
                    break
                assert adapter.ask("probe", seat=seat, act={"draw": 1}) == {"ok": {}}
                assert adapter.ask("step", seat=seat, act={"draw": 1}) == {"ok": {}}
                hands[seat].add(stock.pop(0))
                drawn += 1
            if drawn and not follow:
                seen_cases["stock ran out in a draw"] += 1
            if drawn and sum(map(bool, hands)) == 1:
                seen_cases["a lone player drew to finish the trick"] += 1
            card = rng.choice(sorted(allowed))
            assert adapter.ask("probe", seat=seat, act={"play": card}) == {"ok": {}}
            assert adapter.ask("step", seat=seat, act={"play": card}) == {"ok": {}}
            hands[seat].remove(card)
            trick.append(card)
        top = max((c for c in trick if c[1] == trick[0][1]), key=RANK.get)
        winner = seats[trick.index(top)]
        taken[winner] |= set(trick)
        won[winner] += 1
        leader = next((s % 4 for s in range(winner, winner + 4) if hands[s % 4]), None)
        seen_cases["the winner was out"] += leader not in (winner, None)

    holders = [s for s in range(4) if hands[s]]
    seen_cases["no survivor, stock left"] += bool(not holders and stock)
    seen_cases["survivor took stock"] += bool(holders and stock)
    last = holders[0] if holders else seats[-1]
    hands[last] |= set(stock)
    seen = adapter.ask("observe")["ok"]
    assert seen["over"] and seen["phase"] == "over" and seen["turn"] == [] and seen["stock"] == ""
    assert [as_cards(h) for h in seen["hands"]] == hands
    assert [as_cards(t) for t in seen["taken"]] == taken and seen["tricks"] == won
    score = [hearts(taken[s] | hands[s]) for s in range(4)]
    assert seen["score"] == score and sum(score) == 13
    assert sum(map(len, taken)) + sum(map(len, hands)) == 52
    totals = [t + p for t, p in zip(totals, score)]
    lowest = [s for s in range(4) if totals[s] == min(totals)]
    assert seen["totals"] == totals and seen["match"] == {"over": True, "winners": lowest}
    assert "refused" in adapter.ask("step", seat=last, act={"draw": 1})


def main():
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    adapter = Adapter([os.environ.get("NODE", "node"), os.path.join(HERE, "adapter.mjs")])
    for change in ({"queen_points": 13}, {"survivor_takes_stock": False}, {"revokes": "penalised"}):
        ruleset = {"profile": "pokerwiner-domino", "players": 4, "options": {**OPTIONS, **change}}
        assert "unsupported" in adapter.ask("open", ruleset=ruleset, setup={})
    cases = Counter()
    for _ in range(deals):
        one_deal(adapter, rng, cases)
    print(f"{deals} deals: all right")
    for case, times in cases.items():
        print(f"  {case}: {times} times")
    adapter.process.stdin.close()
    adapter.process.wait()


main()
