"""Plays random deals through the adapter and compares every answer with a
second reading of the rules: python check.py [deals] [seed]"""

import json
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PACK = [r + s for s in "CDSH" for r in "23456789TJQKA"]
RANK = {c: "23456789TJQKA".index(c[0]) for c in PACK}
OPTIONS = {
    "pass_count": 3, "pass_cycle": ["left", "right", "across", "hold"],
    "first_trick_points": "barred", "queen_breaks_hearts": True, "moon": "self_minus",
    "limit": 100, "revokes": "rejected", "hand_size": "all", "deals": 1,
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


def may_play(hand, trick, first, broken):
    """Clauses 5.2 to 5.5 one after the other, each leaving at least one card."""
    cards = set(hand)
    if not trick:
        if first:
            cards = {"2C"} & cards or cards
        if not broken:
            cards = {c for c in cards if c[1] != "H"} or cards
    else:
        cards = {c for c in cards if c[1] == trick[0][1]} or cards
    if first:
        cards = {c for c in cards if not cost(c)} or cards
    return cards


def as_cards(text):
    return set(text.split())


def one_deal(adapter, rng):
    if rng.random() < 0.15:  # a hand that has to do with hearts only
        hearts = [c for c in PACK if c[1] == "H"]
        own = hearts if rng.random() < 0.5 else hearts[1:] + [rng.choice(["QS", "AS", "AC", "9D"])]
        rest = [c for c in PACK if c not in own]
        rng.shuffle(rest)
        hands = [own, rest[:13], rest[13:26], rest[26:]]
        rng.shuffle(hands)
    else:
        pack = PACK[:]
        rng.shuffle(pack)
        hands = [pack[i::4] for i in range(4)]
    hands = [set(h) for h in hands]
    number, dealer = rng.randint(1, 9), rng.randrange(4)
    totals = [rng.randint(60, 99) for _ in range(4)]
    setup = {"dealer": dealer, "deal": number, "totals": totals, "hands": [" ".join(h) for h in hands]}
    ruleset = {"profile": "estmesh-hearts", "players": 4, "options": OPTIONS}
    assert adapter.ask("open", ruleset=ruleset, setup=setup) == {"ok": {}}

    step = [1, 3, 2, 0][(number - 1) % 4]
    if step:
        packets = {}
        seats = [0, 1, 2, 3]
        rng.shuffle(seats)
        for i, seat in enumerate(seats):
            assert adapter.ask("legal")["ok"] == {"pass": 286, "turn": sorted(seats[i:])}
            bad = " ".join(rng.sample(sorted(hands[(seat + 1) % 4]), 3))
            assert "refused" in adapter.ask("step", seat=seat, act={"pass": bad})
            packets[seat] = set(rng.sample(sorted(hands[seat]), 3))
            seen = adapter.ask("observe")["ok"]
            assert [as_cards(h) for h in seen["hands"]] == hands and seen["phase"] == "pass"
            assert adapter.ask("step", seat=seat, act={"pass": " ".join(packets[seat])}) == {"ok": {}}
        for seat, packet in packets.items():
            hands[seat] -= packet
            hands[(seat + step) % 4] |= packet

    turn = next(s for s in range(4) if "2C" in hands[s])
    trick, leader, broken, first = [], turn, False, True
    taken, won = [set(), set(), set(), set()], [0] * 4
    while any(hands):
        allowed = may_play(hands[turn], trick, first, broken)
        legal = adapter.ask("legal")["ok"]
        assert legal["turn"] == [turn] and as_cards(legal["play"]) == allowed, (legal, allowed)
        seen = adapter.ask("observe")["ok"]
        assert [as_cards(h) for h in seen["hands"]] == hands
        assert [as_cards(t) for t in seen["taken"]] == taken and seen["tricks"] == won
        assert seen["hearts_broken"] == broken
        assert seen["table"] == {"leader": leader, "cards": " ".join(trick)}
        barred = sorted(set(PACK) - allowed)
        for verb in ("step", "probe"):
            assert "refused" in adapter.ask(verb, seat=turn, act={"play": rng.choice(barred)})
        other = (turn + rng.randint(1, 3)) % 4
        if hands[other]:
            card = rng.choice(sorted(hands[other]))
            assert "refused" in adapter.ask("step", seat=other, act={"play": card})
        assert adapter.ask("observe")["ok"] == seen
        card = rng.choice(sorted(allowed))
        assert adapter.ask("probe", seat=turn, act={"play": card}) == {"ok": {}}
        assert adapter.ask("step", seat=turn, act={"play": card}) == {"ok": {}}
        hands[turn].remove(card)
        trick.append(card)
        broken = broken or card == "QS" or card[1] == "H"
        turn = (turn + 1) % 4
        if len(trick) == 4:
            top = max((c for c in trick if c[1] == trick[0][1]), key=RANK.get)
            turn = (leader + trick.index(top)) % 4
            taken[turn] |= set(trick)
            won[turn] += 1
            trick, leader, first = [], turn, False

    seen = adapter.ask("observe")["ok"]
    assert seen["over"] and seen["phase"] == "over" and seen["turn"] == []
    assert adapter.ask("legal")["ok"]["over"] is True
    points = [sum(map(cost, t)) for t in taken]
    assert sum(points) == 26 and sum(map(len, taken)) == 52 and sum(won) == 13
    score = [-26 if p == 26 else 0 for p in points] if 26 in points else points
    totals = [t + s for t, s in zip(totals, score)]
    assert (seen["points"], seen["score"], seen["totals"]) == (points, score, totals)
    over = max(totals) >= 100
    lowest = [s for s in range(4) if totals[s] == min(totals)]
    assert seen["match"] == ({"over": True, "winners": lowest} if over else {"over": False})
    return 26 in points, over


def main():
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    adapter = Adapter([sys.executable, os.path.join(HERE, "adapter.py")])
    for change in ({"moon": "choice_all"}, {"limit": 50}, {"queen_points": 0}, {"pass_cycle": []}):
        ruleset = {"profile": "estmesh-hearts", "players": 4, "options": {**OPTIONS, **change}}
        assert "unsupported" in adapter.ask("open", ruleset=ruleset, setup={})
    results = [one_deal(adapter, rng) for _ in range(deals)]
    print(f"{deals} deals, {sum(m for m, _ in results)} moons, {sum(o for _, o in results)} matches over: all right")


main()
