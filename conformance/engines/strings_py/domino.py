"""Domino Hearts for three: six cards each, and a stock to draw from.

A round is a dictionary; a card is a string such as "QS" or "TH". Nobody has to
draw by hand: whoever gets the turn and cannot play is dealt cards off the stock
until they can play, and round["log"] tells what happened.
"""

import random

RANKS = "23456789TJQKA"
SUITS = "CDSH"
PLAYERS = 3
HAND_SIZE = 6
LIMIT = 31


class IllegalMove(Exception):
    pass


def rank(card):
    return RANKS.index(card[0])


def suit(card):
    return card[1]


def shuffled_pack(rng=random):
    pack = [r + s for s in SUITS for r in RANKS]
    rng.shuffle(pack)
    return pack


def deal_pack(pack, dealer):
    """The hands and the stock, dealt one card at a time from the dealer's left."""
    hands = [[] for _ in range(PLAYERS)]
    for i in range(PLAYERS * HAND_SIZE):
        hands[left_of(dealer + i)].append(pack[i])
    return hands, pack[PLAYERS * HAND_SIZE :]


def left_of(player):
    return (player + 1) % PLAYERS


def new_round(dealer, hands, stock, totals=None, number=1):
    rnd = {
        "dealer": dealer,
        "number": number,
        "hands": [list(hand) for hand in hands],
        "stock": list(stock),
        "won": [[] for _ in range(PLAYERS)],
        "tricks": [0] * PLAYERS,
        "table": [],
        "waiting": [],
        "leader": None,
        "turn": None,
        "broken": False,
        "last_trick": None,
        "log": [],
        "over": False,
        "scores": None,
        "totals": list(totals or [0] * PLAYERS),
    }
    start_trick(rnd, left_of(dealer))
    return rnd


def start_trick(rnd, leader):
    order = [(leader + i) % PLAYERS for i in range(PLAYERS)]
    rnd["leader"] = leader
    rnd["table"] = []
    rnd["waiting"] = [player for player in order if rnd["hands"][player]]
    start_turn(rnd)


def start_turn(rnd):
    player = rnd["turn"] = rnd["waiting"][0]
    while rnd["stock"] and is_stuck(rnd):
        card = rnd["stock"].pop(0)
        rnd["hands"][player].append(card)
        rnd["log"].append({"player": player, "drew": card})


def is_stuck(rnd):
    hand = rnd["hands"][rnd["turn"]]
    if rnd["table"]:
        return led_suit(rnd) not in [suit(card) for card in hand]
    return not rnd["broken"] and all(suit(card) == "H" for card in hand)


def led_suit(rnd):
    return suit(rnd["table"][0]["card"])


def playable(rnd):
    """The cards that the player whose turn it is may play."""
    hand = rnd["hands"][rnd["turn"]]
    if rnd["table"]:
        same = [card for card in hand if suit(card) == led_suit(rnd)]
        return same or hand
    if not rnd["broken"]:
        others = [card for card in hand if suit(card) != "H"]
        return others or hand
    return hand


def play(rnd, player, card):
    if rnd["over"]:
        raise IllegalMove("the round is over")
    if player != rnd["turn"]:
        raise IllegalMove("it is not your turn")
    if card not in playable(rnd):
        raise IllegalMove(card + " cannot be played")
    rnd["hands"][player].remove(card)
    rnd["table"].append({"player": player, "card": card})
    rnd["log"].append({"player": player, "played": card})
    if suit(card) == "H":
        rnd["broken"] = True
    rnd["waiting"].pop(0)
    if rnd["waiting"]:
        start_turn(rnd)
    else:
        finish_trick(rnd)


def finish_trick(rnd):
    following = [entry for entry in rnd["table"] if suit(entry["card"]) == led_suit(rnd)]
    winner = max(following, key=lambda entry: rank(entry["card"]))["player"]
    cards = [entry["card"] for entry in rnd["table"]]
    rnd["won"][winner] += cards
    rnd["tricks"][winner] += 1
    rnd["last_trick"] = {"leader": rnd["leader"], "cards": cards, "winner": winner}
    still_in = [player for player in range(PLAYERS) if rnd["hands"][player]]
    if len(still_in) <= 1:
        finish_round(rnd)
        return
    leader = winner
    while leader not in still_in:
        leader = left_of(leader)
    start_trick(rnd, leader)


def hearts_in(cards):
    return sum(1 for card in cards if suit(card) == "H")


def finish_round(rnd):
    rnd["over"] = True
    rnd["turn"] = None
    rnd["table"] = []
    rnd["scores"] = []
    for player in range(PLAYERS):
        score = hearts_in(rnd["won"][player])
        score += hearts_in(rnd["hands"][player])  # whoever is left with cards pays for them
        rnd["scores"].append(score)
        rnd["totals"][player] += score


def match_winners(rnd):
    """Who has won the match, or nobody while it goes on."""
    totals = rnd["totals"]
    if max(totals) < LIMIT:
        return []
    return [player for player in range(PLAYERS) if totals[player] == min(totals)]


def next_round(rnd, rng=random):
    dealer = left_of(rnd["dealer"])
    hands, stock = deal_pack(shuffled_pack(rng), dealer)
    return new_round(dealer, hands, stock, rnd["totals"], rnd["number"] + 1)
