"""Hearts for four, the way we play it on Thursdays.

Pass left, right, across, then keep. The two of clubs opens and nobody has
a say in that, so the program puts it on the table itself. No points on the
first trick. A heart or the queen of spades breaks hearts. Shooting the moon
takes 26 off your score. The game is up when somebody has 100.

A deal is a plain dict. play_deal() takes one move, goes on as far as it can
without asking anybody, and returns the deal.
"""

RANKS = "23456789TJQKA"
SUITS = "CDSH"
PASSES = ("left", "right", "across", "keep")
STEPS = {"left": 1, "across": 2, "right": 3}
PASS_SIZE = 3
QUEEN = "QS"
OPENER = "2C"
GAME = 100


class NotAllowed(Exception):
    """The rules do not let you do that."""


def pack():
    return [rank + suit for suit in SUITS for rank in RANKS]


def in_order(cards):
    return sorted(cards, key=lambda c: (SUITS.index(c[1]), RANKS.index(c[0])))


def is_heart(card):
    return card[1] == "H"


def worth(card):
    if card == QUEEN:
        return 13
    return 1 if is_heart(card) else 0


def holder(hands, card):
    for seat in range(4):
        if card in hands[seat]:
            return seat
    return 0


def fresh():
    """The part of a deal that is the same at the start of every deal."""
    return {
        "phase": "pass",
        "passed": {},
        "trick": [],  # (seat, card), as they were played
        "led": None,
        "last": None,  # the trick turned over most recently
        "count": 0,  # cards played so far
        "turn": None,
        "broken": False,
        "won": [[], [], [], []],
        "tricks": [0, 0, 0, 0],
        "points": None,
        "score": None,
        "winners": None,
    }


def new_deal(hands, number=1, scores=(0, 0, 0, 0)):
    deal = fresh()
    deal["hands"] = [set(hand) for hand in hands]
    deal["dealt"] = [in_order(hand) for hand in hands]
    deal["number"] = number
    deal["scores"] = list(scores)
    deal["direction"] = PASSES[(number - 1) % len(PASSES)]
    return play_deal(deal)


def first_trick(deal):
    return deal["count"] < 4


def playable(deal, seat):
    """The cards that this seat could play if it were its turn."""
    hand = deal["hands"][seat]
    if deal["led"]:
        suit = {c for c in hand if c[1] == deal["led"]}
        if suit:
            return suit
        if first_trick(deal):
            harmless = {c for c in hand if worth(c) == 0}
            return harmless or hand
        return hand
    if deal["broken"]:
        return hand
    others = {c for c in hand if not is_heart(c)}
    return others or hand


def best(trick):
    """The seat whose card wins this trick, or is winning it so far."""
    seat, top = trick[0]
    for s, card in trick[1:]:
        if card[1] == top[1] and RANKS.index(card[0]) > RANKS.index(top[0]):
            seat, top = s, card
    return seat


def put_down(deal, seat, card):
    if not deal["trick"]:
        deal["led"] = card[1]
    deal["hands"][seat] -= {card}
    deal["trick"].append((seat, card))
    deal["count"] += 1
    deal["turn"] = (seat + 1) % 4


def settle(deal):
    points = [sum(worth(c) for c in won) for won in deal["won"]]
    score = list(points)
    if 26 in points:
        score = [-26 if p == 26 else 0 for p in points]
    deal["points"] = points
    deal["score"] = score
    deal["scores"] = [old + new for old, new in zip(deal["scores"], score)]
    if max(deal["scores"]) >= GAME:
        low = min(deal["scores"])
        deal["winners"] = [s for s in range(4) if deal["scores"][s] == low]


def play_deal(deal, move=None):
    """Play on until somebody has to decide, or to the end; `move` is the last decision.

    A move is ("pass", seat, cards) or ("play", seat, card)."""
    while True:
        phase = deal["phase"]

        if phase == "pass":
            if deal["direction"] == "keep":
                deal["phase"] = "open"
                continue
            if move is None:
                return deal
            kind, seat, cards = move
            if kind != "pass":
                raise NotAllowed("we are still passing")
            if seat in deal["passed"]:
                raise NotAllowed("you have passed already")
            if len(set(cards)) != PASS_SIZE:
                raise NotAllowed("pass three cards")
            if not set(cards) <= deal["hands"][seat]:
                raise NotAllowed("pass cards of your own")
            deal["passed"][seat] = set(cards)
            move = None
            if len(deal["passed"]) < 4:
                return deal
            for giver, packet in deal["passed"].items():
                taker = (giver + STEPS[deal["direction"]]) % 4
                deal["hands"][giver] -= packet
                deal["hands"][taker] |= packet
            deal["phase"] = "open"

        elif phase == "open":
            put_down(deal, holder(deal["hands"], OPENER), OPENER)
            deal["phase"] = "play"

        elif phase == "play":
            if len(deal["trick"]) == 4:
                deal["phase"] = "collect"
                continue
            if move is None:
                return deal
            kind, seat, card = move
            if kind != "play":
                raise NotAllowed("the passing is over")
            if seat != deal["turn"]:
                raise NotAllowed("it is not your turn")
            if card not in deal["hands"][seat]:
                raise NotAllowed("you do not hold that card")
            if card not in playable(deal, seat):
                raise NotAllowed("you may not play that card now")
            if is_heart(card) or card == QUEEN:
                deal["broken"] = True
            put_down(deal, seat, card)
            move = None

        elif phase == "collect":
            winner = best(deal["trick"])
            cards = [card for _, card in deal["trick"]]
            deal["last"] = {"leader": deal["trick"][0][0], "cards": cards, "winner": winner}
            deal["won"][winner] += cards
            deal["tricks"][winner] += 1
            deal["trick"] = []
            deal["led"] = None
            deal["turn"] = winner
            deal["phase"] = "score" if deal["count"] == 52 else "play"

        elif phase == "score":
            settle(deal)
            deal["turn"] = None
            deal["phase"] = "over"

        else:
            if move is not None:
                raise NotAllowed("this deal is over")
            return deal
