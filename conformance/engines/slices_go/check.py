"""Plays random deals through the adapter and compares every answer with a
second reading of the rules: python check.py [deals] [seed]. Needs go."""

import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PACK = [r + s for s in "CDSH" for r in "23456789TJQKA"]
RANK = {c: "23456789TJQKA".index(c[0]) for c in PACK}
OPTIONS = {
    "pass_cycle": [], "opening_leader": "left_of_dealer", "opening_card": "any", "heart_leads": "free",
    "revokes": "rejected", "revoke_points": "all", "removal": "lowest", "hand_size": "all", "deals": 1,
    "limit": "none", "moon": "none", "queen_points": 13,
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


def cost(card):
    return 13 if card == "QS" else int(card[1] == "H")


def as_cards(text):
    return set(text.split())


def open_deal(adapter, hands, dealer, totals):
    setup = {"dealer": dealer, "deal": 1, "totals": totals, "hands": [" ".join(h) for h in hands]}
    ruleset = {"profile": "pokerwiner-hearts", "players": 4, "options": OPTIONS}
    assert adapter.ask("open", ruleset=ruleset, setup=setup) == {"ok": {}}


def printed_deal(adapter):
    """The four tricks that the page prints, with harmless cards for the rest."""
    lines = ["2H 4H 3H 8H", "6H 7H TH 9H", "QH KH JH AD", "AH 5H QS QD"]
    hands = [[line.split()[s] for line in lines] for s in range(4)]
    rest = [c for c in PACK if not any(c in h for h in hands)]
    diamonds = [c for c in rest if c[1] == "D"]
    black = [c for c in rest if c[1] != "D"]
    hands[0] += [diamonds.pop()] + [black.pop() for _ in range(8)]
    for hand in hands[1:]:
        while len(hand) < 13:
            hand.append((diamonds or black).pop())
    open_deal(adapter, hands, 3, [0] * 4)
    leader = 0
    for line in lines:
        cards = line.split()
        for i in range(4):
            seat = (leader + i) % 4
            assert adapter.ask("step", seat=seat, act={"play": cards[seat]}) == {"ok": {}}, cards[seat]
        leader = adapter.ask("observe")["ok"]["turn"][0]
    seen = adapter.ask("observe")["ok"]
    assert leader == 0 and seen["points"] == [15, 3, 4, 4] and seen["tricks"] == [1, 1, 1, 1], seen


def one_deal(adapter, rng):
    pack = PACK[:]
    rng.shuffle(pack)
    hands = [set(pack[i::4]) for i in range(4)]
    dealer, totals = rng.randrange(4), [rng.randint(0, 9) for _ in range(4)]
    open_deal(adapter, hands, dealer, totals)
    turn = leader = (dealer + 1) % 4
    trick, taken, won = [], [set(), set(), set(), set()], [0] * 4
    while any(hands):
        allowed = {c for c in hands[turn] if trick and c[1] == trick[0][1]} or hands[turn]
        legal = adapter.ask("legal")["ok"]
        assert legal["turn"] == [turn] and as_cards(legal["play"]) == allowed, (legal, allowed)
        seen = adapter.ask("observe")["ok"]
        assert [as_cards(h) for h in seen["hands"]] == hands
        assert [as_cards(t) for t in seen["taken"]] == taken and seen["tricks"] == won
        assert seen["table"] == {"leader": leader, "cards": " ".join(trick)}
        barred = sorted(set(PACK) - allowed)
        for verb in ("step", "probe"):
            assert "refused" in adapter.ask(verb, seat=turn, act={"play": rng.choice(barred)})
        other = (turn + rng.randint(1, 3)) % 4
        if hands[other]:
            card = rng.choice(sorted(hands[other]))
            assert "refused" in adapter.ask("step", seat=other, act={"play": card})
        assert "refused" in adapter.ask("step", seat=turn, act={"draw": 1})
        assert adapter.ask("observe")["ok"] == seen
        card = rng.choice(sorted(allowed))
        assert adapter.ask("probe", seat=turn, act={"play": card}) == {"ok": {}}
        assert adapter.ask("step", seat=turn, act={"play": card}) == {"ok": {}}
        hands[turn].remove(card)
        trick.append(card)
        turn = (turn + 1) % 4
        if len(trick) == 4:
            top = max((c for c in trick if c[1] == trick[0][1]), key=RANK.get)
            turn = (leader + trick.index(top)) % 4
            taken[turn] |= set(trick)
            won[turn] += 1
            trick, leader = [], turn
    seen = adapter.ask("observe")["ok"]
    assert seen["over"] and seen["phase"] == "over" and seen["turn"] == []
    assert adapter.ask("legal")["ok"]["over"] is True
    points = [sum(map(cost, t)) for t in taken]
    assert sum(points) == 26 and sum(map(len, taken)) == 52 and sum(won) == 13
    totals = [t + p for t, p in zip(totals, points)]
    assert (seen["points"], seen["score"], seen["totals"]) == (points, points, totals)
    lowest = [s for s in range(4) if totals[s] == min(totals)]
    assert seen["match"] == {"over": True, "winners": lowest}
    return len(lowest) > 1


def main():
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.join(folder, "oldhearts")
        subprocess.run(["go", "build", "-o", binary, "."], cwd=HERE, check=True)
        adapter = Adapter([binary])
        for change in ({"moon": "others_plus"}, {"heart_leads": "when_broken"}, {"revokes": "penalised"}):
            ruleset = {"profile": "pokerwiner-hearts", "players": 4, "options": {**OPTIONS, **change}}
            assert "unsupported" in adapter.ask("open", ruleset=ruleset, setup={})
        printed_deal(adapter)
        ties = sum(one_deal(adapter, rng) for _ in range(deals))
        print(f"{deals} deals, {ties} tied, and the printed one: all right")
        adapter.process.stdin.close()
        adapter.process.wait()


main()
