"""Puts engine.py behind the adapter protocol: JSON lines on stdin and stdout."""

import copy
import json
import math
import sys

import engine

ANY = object()  # has no effect given the other options of this table

OPTIONS = {
    "direction": ["clockwise"],
    "removal": ANY,  # four players: there is nothing to take out
    "hand_size": ["all", 13],
    "undealt": ["none"],
    "mix_kitty": ANY,
    "pass_count": [3],
    "pass_cycle": [["left", "right", "across", "hold"]],
    "pass_unseen": [False],
    "opening_leader": ["lowest_club"],
    "opening_card": ["lowest_club"],
    "heart_leads": ["when_broken"],
    "queen_breaks_hearts": [True],
    "all_hearts_leader": ANY,  # no stock
    "hearts_or_queen_leader": ["queen"],
    "first_trick_points": ["barred"],
    "queen_duty": ["no"],
    "queen_waits": ["no"],
    "survivor_takes_stock": ANY,
    "no_survivor_stock": ANY,
    "deal_ends": ["all_played"],
    "kitty_to": ANY,
    "heart_points": [1],
    "queen_points": [13],
    "king_points": [0],
    "ace_points": [0],
    "bonus_card": ["none"],
    "bonus_points": ANY,
    "moon": ["self_minus"],
    "moon_needs_bonus": ANY,
    "sun_points": [0],
    "no_trick_points": [0],
    "revokes": ["rejected"],
    "revoke_until": ANY,
    "revoke_points": ANY,
    "revoke_ends_deal": ANY,
    "limit": [100],
    "limit_rule": ["reach"],
    "exact_limit_becomes": ["none"],
    "ties": ["shared"],
    "deals": ANY,  # there is a limit
}

HELLO = {
    "protocol": 1,
    "name": "Thursday Hearts",
    "version": "0.4",
    "language": "python",
    "profiles": ["estmesh-hearts"],
    "players": [4],
    "capabilities": ["step", "legal", "probe", "observe", "pass"],
    "deviations": [],
    "tables": [{
        "profile": "estmesh-hearts",
        "players": [4],
        "options": {
            "first_trick_points": "barred",
            "queen_breaks_hearts": True,
            "moon": "self_minus",
        },
        "hands": "full",
        "starts": ["deal"],
    }],
}


class Unsupported(Exception):
    pass


class Refused(Exception):
    pass


def same(a, b):
    return type(a) is type(b) and a == b


def check_ruleset(ruleset):
    if ruleset["profile"] != "estmesh-hearts":
        raise Unsupported(f"profile {ruleset['profile']}: only estmesh-hearts is played")
    if ruleset["players"] != 4:
        raise Unsupported("only four can play")
    for name, value in ruleset["options"].items():
        if name not in OPTIONS:
            raise Unsupported(f"option {name} is not known here")
        played = OPTIONS[name]
        if played is not ANY and not any(same(value, p) for p in played):
            raise Unsupported(f"{name}: {json.dumps(value)} is not played")


def as_set(cards):
    return " ".join(engine.in_order(cards))


class Table:
    def __init__(self):
        self.deal = None
        self.opening = None

    def open(self, request):
        self.deal = None
        self.opening = None
        check_ruleset(request["ruleset"])
        setup = request.get("setup")
        if setup is None:
            raise Unsupported("one deal at a time, no matches")
        if "phase" in setup:
            raise Unsupported("a deal has to begin with whole hands")
        if setup.get("stock") or setup.get("kitty") or setup.get("limit_reached"):
            raise Unsupported("no stock, no kitty, and ties are shared")
        hands = [hand.split() for hand in setup["hands"]]
        if sorted(c for hand in hands for c in hand) != sorted(engine.pack()):
            raise Unsupported("the whole pack has to be dealt")
        if any(len(hand) != 13 for hand in hands):
            raise Unsupported("thirteen cards each")
        # The engine need not know the dealer: the two of clubs opens.
        self.deal = engine.new_deal(hands, setup["deal"], setup.get("totals", [0] * 4))
        self.look_for_opening()
        return {}

    def look_for_opening(self):
        """Hide the opening card until somebody plays it through the protocol.

        The engine plays it by itself as soon as the pass is complete, but for the other
        side of the protocol it has not been played yet."""
        if self.deal["trick"]:
            self.opening = self.deal["trick"][0]

    def turn(self):
        deal = self.deal
        if self.opening:
            return [self.opening[0]]
        if deal["phase"] == "pass":
            return [s for s in range(4) if s not in deal["passed"]]
        return [] if deal["turn"] is None else [deal["turn"]]

    def legal(self):
        deal = self.deal
        if deal["phase"] == "over":
            return {"over": True, "turn": []}
        if deal["phase"] == "pass":
            ways = math.comb(len(deal["hands"][0]), engine.PASS_SIZE)
            return {"pass": ways, "turn": self.turn()}
        if self.opening:
            return {"play": self.opening[1], "turn": self.turn()}
        return {"play": as_set(engine.playable(deal, deal["turn"])), "turn": self.turn()}

    def step(self, seat, act):
        if self.opening:
            if (seat, act) != (self.opening[0], {"play": self.opening[1]}):
                raise Refused
            self.opening = None
            return {}
        if "play" in act:
            move = ("play", seat, act["play"])
        elif isinstance(act.get("pass"), str):
            move = ("pass", seat, act["pass"].split())
        else:
            raise Refused  # the engine has no such move
        try:
            engine.play_deal(self.deal, move)
        except engine.NotAllowed as no:
            raise Refused from no
        if "pass" in act:
            self.look_for_opening()
        return {}

    def probe(self, seat, act):
        kept = self.deal, self.opening
        self.deal = copy.deepcopy(self.deal)
        try:
            return self.step(seat, act)
        finally:
            self.deal, self.opening = kept

    def observe(self):
        deal = self.deal
        hands = [set(hand) for hand in deal["hands"]]
        trick = list(deal["trick"])
        if self.opening:
            hands[self.opening[0]].add(self.opening[1])
            trick = []
        seen = {
            "phase": deal["phase"],
            "turn": self.turn(),
            "deal": deal["number"],
            "hands": [as_set(hand) for hand in hands],
            "taken": [as_set(won) for won in deal["won"]],
            "tricks": deal["tricks"],
            "hearts_broken": deal["broken"],
            "over": deal["phase"] == "over",
        }
        if deal["phase"] == "play":
            leader = trick[0][0] if trick else self.turn()[0]
            seen["table"] = {"leader": leader, "cards": " ".join(c for _, c in trick)}
        if deal["last"] and not trick:
            last = deal["last"]
            seen["trick"] = {**last, "cards": " ".join(last["cards"])}
        if deal["phase"] == "over":
            seen["points"] = deal["points"]
            seen["score"] = deal["score"]
            seen["totals"] = deal["scores"]
            winners = deal["winners"]
            seen["match"] = {"over": True, "winners": winners} if winners else {"over": False}
        return seen

    def answer(self, request):
        op = request["op"]
        if op == "hello":
            return HELLO
        if op == "open":
            return self.open(request)
        if op not in ("legal", "step", "probe", "observe"):
            raise Unsupported(f"no {op} here")
        if self.deal is None:
            raise Unsupported("no deal is open")
        if op == "legal":
            return self.legal()
        if op == "step":
            return self.step(request["seat"], request["act"])
        if op == "probe":
            return self.probe(request["seat"], request["act"])
        if "seat" in request:
            raise Unsupported("no views of single seats")
        return self.observe()


def main():
    out, sys.stdout = sys.stdout, sys.stderr
    table = Table()
    for line in sys.stdin:
        reply = {}
        try:
            request = json.loads(line)
            reply["seq"] = request["seq"]
            if request["op"] == "bye":
                return
            reply["ok"] = table.answer(request)
        except Refused:
            reply["refused"] = {}
        except Unsupported as why:
            reply["unsupported"] = str(why)
        except Exception as trouble:
            reply["error"] = f"{type(trouble).__name__}: {trouble}"
        out.write(json.dumps(reply) + "\n")
        out.flush()


main()
