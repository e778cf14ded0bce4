"""Plays 2,000 random deals through the adapter and asserts what must hold in every one of them."""

import collections
import json
import random
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
RANKS, SUITS = "23456789TJQKA", "CDSH"
PACK = [r + s for s in SUITS for r in RANKS]
OPTIONS = {
    "direction": "clockwise", "removal": "none", "hand_size": "all", "undealt": "none", "mix_kitty": False,
    "pass_count": 3, "pass_cycle": ["left", "right", "across", "hold"], "pass_unseen": False,
    "opening_leader": "lowest_club", "opening_card": "lowest_club", "heart_leads": "when_broken",
    "queen_breaks_hearts": False, "all_hearts_leader": "lead", "hearts_or_queen_leader": "queen",
    "first_trick_points": "barred", "queen_duty": "no", "survivor_takes_stock": False,
    "no_survivor_stock": "nobody", "heart_points": 1, "queen_points": 13, "bonus_card": "JD",
    "bonus_points": -10, "moon": "others_plus", "sun_points": 0, "no_trick_points": 0, "revokes": "rejected",
    "revoke_until": "trick_complete", "revoke_points": 13, "revoke_ends_deal": False, "limit": 100,
    "limit_rule": "reach", "exact_limit_becomes": "none", "ties": "shared", "deals": 1,
}

subprocess.run(["cc", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", "adapter", "adapter.c"], cwd=HERE, check=True)
engine = subprocess.Popen(["./adapter"], cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
rng = random.Random(5)
seq = 0


def ask(op, key="ok", **more):
    global seq
    seq += 1
    engine.stdin.write(json.dumps({"seq": seq, "op": op, **more}) + "\n")
    engine.stdin.flush()
    reply = json.loads(engine.stdout.readline())
    assert reply["seq"] == seq and set(reply) == {"seq", key}, (op, more, reply)
    return reply[key]


def suit(card):
    return card[1]


def rank(card):
    return RANKS.index(card[0])


def cost(card):
    return 13 if card == "QS" else int(suit(card) == "H")


def open_deal(deal, hands, totals, changed=None, key="ok", **setup):
    given = {"dealer": (deal - 1) % 4, "deal": deal, "totals": totals, "hands": [" ".join(h) for h in hands], **setup}
    ruleset = {"profile": "estmesh-hearts", "players": 4, "options": OPTIONS | (changed or {})}
    return ask("open", key, ruleset=ruleset, setup=given)


def pass_cards(deal, hands):
    step = [1, 3, 2, 0][(deal - 1) % 4]
    due = ask("legal")
    if step == 0:
        assert "play" in due
        return hands
    packets = {}
    for seat in rng.sample(range(4), 4):
        due = ask("legal")
        assert due == {"pass": 286, "turn": [s for s in range(4) if s not in packets]}
        packets[seat] = rng.sample(hands[seat], 3)
        foreign = rng.choice(hands[(seat + 1) % 4])
        for wrong in (packets[seat][:2], packets[seat][:2] + [foreign], []):
            ask("probe", "refused", seat=seat, act={"pass": " ".join(wrong)})
        ask("step", "refused", seat=seat, act={"play": hands[seat][0]})
        ask("step", seat=seat, act={"pass": " ".join(packets[seat])})
        ask("step", "refused", seat=seat, act={"pass": " ".join(packets[seat])})
    return [
        [c for c in hands[s] if c not in packets[s]] + packets[(s - step) % 4]
        for s in range(4)
    ]


def play_deal(deal, seen):
    cards = rng.sample(PACK, 52)
    hands = [cards[i::4] for i in range(4)]
    totals = [rng.randrange(-30, 100) for _ in range(4)]
    open_deal(deal, hands, totals)
    hands = pass_cards(deal, hands)
    leader = next(s for s in range(4) if "2C" in hands[s])
    broken, taken, tricks = False, [[], [], [], []], [0] * 4
    for trick in range(13):
        table = []
        for i in range(4):
            seat = (leader + i) % 4
            hand = hands[seat]
            due = ask("legal")
            assert due["turn"] == [seat]
            if i == 0 and trick == 0:
                may = ["2C"]
            elif i == 0:
                may = hand if broken else [c for c in hand if suit(c) != "H"] or hand
            else:
                may = [c for c in hand if suit(c) == suit(table[0])]
                if not may and trick == 0:
                    may = [c for c in hand if cost(c) == 0]
                may = may or hand
            assert sorted(due["play"].split()) == sorted(may)
            wrong = [c for c in PACK if c not in may]
            ask("step", "refused", seat=seat, act={"play": rng.choice(wrong)})
            ask("step", "refused", seat=(seat + 1) % 4, act={"play": rng.choice(hands[(seat + 1) % 4] or ["2C"])})
            card = rng.choice(may)
            ask("probe", seat=seat, act={"play": card})
            ask("step", seat=seat, act={"play": card})
            hand.remove(card)
            table.append(card)
            broken = broken or suit(card) == "H"
            if i == 1:
                state = ask("observe")
                assert state["table"] == {"leader": leader, "cards": " ".join(table)}
                assert state["hearts_broken"] == broken
                assert [set(h.split()) for h in state["hands"]] == [set(h) for h in hands]
        best = max((c for c in table if suit(c) == suit(table[0])), key=rank)
        winner = (leader + table.index(best)) % 4
        state = ask("observe")
        assert state["trick"] == {"leader": leader, "cards": " ".join(table), "winner": winner}
        taken[winner] += table
        tricks[winner] += 1
        leader = winner
    assert ask("legal") == {"over": True, "turn": []}
    state = ask("observe")
    points = [sum(map(cost, t)) for t in taken]
    assert sum(points) == 26 and state["points"] == points and state["tricks"] == tricks
    score = list(points)
    if 26 in points:
        score = [26 - p for p in points]
        seen["moons"] += 1
        seen["moons beside the jack"] += "JD" in taken[points.index(26)]
    for s in range(4):
        score[s] -= 10 * ("JD" in taken[s])
    assert state["score"] == score and sum(score) == (68 if 26 in points else 16)
    after = [t + x for t, x in zip(totals, score)]
    assert state["totals"] == after
    match = {"over": False}
    if max(after) >= 100:
        match = {"over": True, "winners": [s for s in range(4) if after[s] == min(after)]}
        seen["matches over"] += 1
    assert state["match"] == match


seen = collections.Counter()
ask("hello", protocol=1)
for number in range(2000):
    play_deal(number % 12 + 1, seen)

plain = [PACK[i::4] for i in range(4)]
for changed in ({"moon": "choice_all"}, {"bonus_card": "none"}, {"bonus_points": -5}, {"limit": "none"},
                {"pass_cycle": ["left"]}, {"revokes": "penalised"}, {"queen_waits": "lead"}, {"unheard_of": 1}):
    open_deal(1, plain, [0] * 4, changed, "unsupported")
for changed in ({"mix_kitty": True}, {"revoke_points": "all"}, {"deals": 7}, {"queen_waits": "no"}, {"x-note": 1}):
    open_deal(1, plain, [0] * 4, changed)
open_deal(1, plain, [0] * 4, None, "unsupported", phase="play", leader=0)
open_deal(1, [h[:12] for h in plain], [0] * 4, None, "unsupported")
engine.stdin.write('{"seq":0,"op":"bye"}\n')
engine.stdin.flush()
assert engine.wait(5) == 0
print("2000 deals,", dict(seen))
