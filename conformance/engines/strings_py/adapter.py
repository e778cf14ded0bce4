"""Puts domino.py behind the adapter protocol.

The engine draws by itself as soon as somebody gets the turn; in the protocol every
draw is an act. So the adapter reports the engine's draws one at a time: until it has
reported the last one, it says that a draw is due, keeps the cards not yet reported in
the stock, and lets nobody play.
"""

import copy
import json
import sys

import domino


class Unsupported(Exception):
    pass


class Refused(Exception):
    pass


# What the engine plays; a game in which one of these is different is declined.
PLAYED = {
    "direction": "clockwise",
    "removal": "none",
    "hand_size": 6,
    "undealt": "stock",
    "pass_cycle": [],
    "opening_leader": "left_of_dealer",
    "opening_card": "any",
    "heart_leads": "when_broken",
    "queen_breaks_hearts": False,
    "all_hearts_leader": "draw",
    "hearts_or_queen_leader": "queen",
    "first_trick_points": "allowed",
    "queen_duty": "no",
    "survivor_takes_stock": False,
    "no_survivor_stock": "nobody",
    "heart_points": 1,
    "queen_points": 0,
    "bonus_card": "none",
    "moon": "none",
    "sun_points": 0,
    "no_trick_points": 0,
    "revokes": "rejected",
    "limit": 31,
    "limit_rule": "reach",
    "exact_limit_becomes": "none",
    "ties": "shared",
}

# Newer editions of the rules have these too.
PLAYED_IF_NAMED = {"queen_waits": "no", "deal_ends": "all_played", "king_points": 0, "ace_points": 0}

# Nothing is passed, there is no kitty, no bonus card, no moon and no revoke, and there is a limit.
WITHOUT_EFFECT = {
    "mix_kitty",
    "pass_count",
    "pass_unseen",
    "bonus_points",
    "revoke_until",
    "revoke_points",
    "revoke_ends_deal",
    "deals",
    "kitty_to",
    "moon_needs_bonus",
}

HELLO = {
    "protocol": 1,
    "name": "domino hearts in strings",
    "version": "1.0",
    "language": "python",
    "profiles": "any",
    "players": [3],
    "capabilities": ["step", "legal", "probe", "observe", "stock"],
    "deviations": [],
    "tables": [
        {"profile": "gamerules-domino", "players": [3], "options": {}, "hands": "full", "starts": ["deal"]}
    ],
}

PACK = [rank + suit for suit in domino.SUITS for rank in domino.RANKS]


def read_cards(text):
    cards = text.split(" ") if text else []
    for card in cards:
        if card not in PACK:
            raise ValueError("no such card: " + card)
    return cards


def as_set(cards):
    return " ".join(sorted(cards, key=PACK.index))


def check_options(options):
    for name in PLAYED:
        if name not in options:
            raise Unsupported(f"option {name} is not stated")
    for name, value in options.items():
        if name.startswith("x-") or name in WITHOUT_EFFECT:
            continue
        played = {**PLAYED, **PLAYED_IF_NAMED}
        if name not in played:
            raise Unsupported(f"option {name} is not known")
        if type(value) is not type(played[name]) or value != played[name]:
            raise Unsupported(f"{name} is always {json.dumps(played[name])}")


class Table:
    """A round of the engine, with its draws reported one act at a time."""

    def __init__(self, setup):
        self.round = domino.new_round(
            setup["dealer"],
            [read_cards(hand) for hand in setup["hands"]],
            read_cards(setup.get("stock", "")),
            setup.get("totals"),
            setup["deal"],
        )
        self.told = 0  # how much of the engine's log has been told
        self.drawing = []  # what has been drawn in the turn in progress
        self.drew = None  # the same, or after a play, what was drawn before it
        self.trick = None  # completed by the last act

    def draws_to_tell(self):
        return self.round["log"][self.told :]

    def due(self):
        draws = self.draws_to_tell()
        if draws:
            return {"draw": 1, "turn": [draws[0]["player"]]}
        if self.round["over"]:
            return {"over": True, "turn": []}
        return {"play": as_set(domino.playable(self.round)), "turn": [self.round["turn"]]}

    def act(self, seat, act):
        draws = self.draws_to_tell()
        last_trick = self.round["last_trick"]
        if "draw" in act:
            if not draws or draws[0]["player"] != seat:
                raise Refused
            self.drawing.append(draws[0]["drew"])
            self.drew = list(self.drawing)
        elif "play" in act:
            if draws:
                raise Refused
            (card,) = read_cards(act["play"])
            domino.play(self.round, seat, card)
            self.drew, self.drawing = self.drawing, []
        else:
            raise Refused  # nobody passes, cuts or claims here
        self.told += 1
        self.trick = self.round["last_trick"] if self.round["last_trick"] is not last_trick else None

    def observe(self):
        rnd = self.round
        draws = self.draws_to_tell()
        hands = [list(hand) for hand in rnd["hands"]]
        for draw in draws:
            hands[draw["player"]].remove(draw["drew"])
        due = self.due()
        over = "over" in due
        winners = domino.match_winners(rnd) if over else []
        fields = {
            "phase": "over" if over else "play",
            "turn": due["turn"],
            "dealer": rnd["dealer"],
            "deal": rnd["number"],
            "hearts_broken": rnd["broken"],
            "hands": [as_set(hand) for hand in hands],
            "out": [seat for seat, hand in enumerate(hands) if not hand],
            "stock": " ".join([draw["drew"] for draw in draws] + rnd["stock"]),
            "taken": [as_set(won) for won in rnd["won"]],
            "tricks": rnd["tricks"],
            "points": [domino.hearts_in(won) for won in rnd["won"]],
            "totals": rnd["totals"],
            "match": {"over": True, "winners": winners} if winners else {"over": False},
            "over": over,
        }
        if over:
            fields["score"] = rnd["scores"]
        else:
            fields["table"] = {
                "leader": rnd["leader"],
                "cards": " ".join(entry["card"] for entry in rnd["table"]),
            }
        if self.drew is not None:
            fields["drew"] = " ".join(self.drew)
        if self.trick:
            fields["trick"] = {**self.trick, "cards": " ".join(self.trick["cards"])}
        return fields


def open_table(request):
    if "setup" not in request:
        raise Unsupported("single deals only, no matches")
    setup, ruleset = request["setup"], request["ruleset"]
    if ruleset["players"] != domino.PLAYERS:
        raise Unsupported("three players only")
    check_options(ruleset["options"])
    if "phase" in setup:
        raise Unsupported("whole deals only, no positions")
    if setup.get("kitty"):
        raise Unsupported("no kitty")
    if setup.get("limit_reached"):
        raise Unsupported("ties are not played on")
    hands = [read_cards(hand) for hand in setup["hands"]]
    if [len(hand) for hand in hands] != [domino.HAND_SIZE] * domino.PLAYERS:
        raise Unsupported("six cards each only")
    if sorted(sum(hands, read_cards(setup.get("stock", "")))) != sorted(PACK):
        raise Unsupported("the whole pack only")
    return Table(setup)


def answer(table, request):
    """Handle a request; return the table as it is afterwards, and the answer."""
    op = request["op"]
    if op == "hello":
        return table, HELLO
    if op == "open":
        return open_table(request), {}
    if op not in ("legal", "step", "probe", "observe"):
        raise Unsupported("no " + op)
    if table is None:
        raise ValueError("no game is open")
    if op == "legal":
        return table, table.due()
    if op == "observe":
        if "seat" in request:
            raise Unsupported("no views")
        return table, table.observe()
    on = table if op == "step" else copy.deepcopy(table)
    on.act(request["seat"], request["act"])
    return table, {}


def main():
    table = None
    for line in sys.stdin:
        seq = 0
        try:
            request = json.loads(line)
            seq = request["seq"]
            if request["op"] == "bye":
                return
            if request["op"] == "open":
                table = None
            table, content = answer(table, request)
            reply = {"seq": seq, "ok": content}
        except (Refused, domino.IllegalMove):
            reply = {"seq": seq, "refused": {}}
        except Unsupported as why:
            reply = {"seq": seq, "unsupported": str(why)}
        except Exception as why:
            reply = {"seq": seq, "error": f"{type(why).__name__}: {why}"}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
