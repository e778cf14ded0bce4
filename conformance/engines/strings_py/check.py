"""Plays 2,000 random deals behind the adapter and asserts what must hold in every one of them."""

import collections
import random

import adapter
import domino
from adapter import Refused

RNG = random.Random(11)
PACK = set(adapter.PACK)


def refused(table, seat, act):
    before = table.observe(), table.due()
    try:
        table.act(seat, act)
    except (Refused, domino.IllegalMove):
        assert (table.observe(), table.due()) == before
        return
    raise AssertionError((seat, act))


def has(hand, suit):
    return any(card[1] == suit for card in hand)


def play_deal(number, seen):
    dealer = number % 3
    hands, stock = domino.deal_pack(domino.shuffled_pack(RNG), dealer)
    assert [len(h) for h in hands] == [6, 6, 6] and len(stock) == 34
    totals = [RNG.randrange(0, 31) for _ in range(3)]
    setup = {"dealer": dealer, "deal": number + 1, "totals": totals,
             "hands": [adapter.as_set(h) for h in hands], "stock": " ".join(stock)}
    table = adapter.Table(setup)
    taken, broken, leader = [[], [], []], False, (dealer + 1) % 3
    while True:
        trick, order = [], [(leader + i) % 3 for i in range(3) if hands[(leader + i) % 3]]
        for seat in order:
            hand = hands[seat]
            drew = []
            while True:
                due = table.due()
                assert due["turn"] == [seat]
                if trick:
                    stuck = not has(hand, trick[0][1])
                else:
                    stuck = not broken and all(card[1] == "H" for card in hand)
                if not (stuck and stock):
                    break
                assert due["draw"] == 1
                refused(table, seat, {"play": hand[0]})
                refused(table, (seat + 1) % 3, {"draw": 1})
                table.act(seat, {"draw": 1})
                drew.append(stock.pop(0))
                hand.append(drew[-1])
                state = table.observe()
                assert state["drew"] == " ".join(drew) and state["stock"] == " ".join(stock)
                assert [set(h.split()) for h in state["hands"]] == [set(h) for h in hands]
                seen["draws"] += 1
            refused(table, seat, {"draw": 1})
            legal = due["play"].split()
            if trick and has(hand, trick[0][1]):
                expected = [card for card in hand if card[1] == trick[0][1]]
            elif trick or broken or all(card[1] == "H" for card in hand):
                expected = hand
                assert broken or not stock or not all(card[1] == "H" for card in hand)
            else:
                expected = [card for card in hand if card[1] != "H"]
            assert sorted(legal) == sorted(expected)
            for card in RNG.sample(sorted(PACK - set(legal)), 2):
                refused(table, seat, {"play": card})
            card = RNG.choice(legal)
            table.act(seat, {"play": card})
            hand.remove(card)
            trick.append(card)
            broken = broken or card[1] == "H"
            state = table.observe()
            assert state["hearts_broken"] == broken and state["drew"] == " ".join(drew)
            assert [set(h.split()) for h in state["hands"]] == [set(h) for h in hands]
        best = max((c for c in trick if c[1] == trick[0][1]), key=lambda c: "23456789TJQKA".index(c[0]))
        winner = order[trick.index(best)]
        assert state["trick"] == {"leader": leader, "cards": " ".join(trick), "winner": winner}
        taken[winner] += trick
        everything = sum(hands, []) + sum(taken, []) + stock
        assert len(everything) == 52 and set(everything) == PACK
        left = [seat for seat in range(3) if hands[seat]]
        if len(left) <= 1:
            break
        leader = next(s for s in ((winner + i) % 3 for i in range(3)) if s in left)
    assert table.due() == {"over": True, "turn": []} and state["over"]
    score = [sum(c[1] == "H" for c in taken[s] + hands[s]) for s in range(3)]
    assert state["score"] == score and sum(score) == 13 - sum(c[1] == "H" for c in stock)
    totals = [t + s for t, s in zip(totals, score)]
    assert state["totals"] == totals
    if max(totals) >= 31:
        assert state["match"] == {"over": True, "winners": [s for s in range(3) if totals[s] == min(totals)]}
        seen["matches over"] += 1
    else:
        assert state["match"] == {"over": False}
    seen["survivors"] += bool(left)
    seen["stock left"] += bool(stock)


seen = collections.Counter()
for number in range(2000):
    play_deal(number, seen)
print("2000 deals,", dict(seen))
