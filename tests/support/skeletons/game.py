# ruff: noqa: F821 -- it is put into the skeleton, which has the names
from plain_engine import Game as Engine

print("loaded")


class Game:
    MATCHES = True

    def __init__(self, setup):
        print("a new deal")
        if setup["deal"] == 99:
            raise Unsupported(f"deal {setup['deal']}")
        self.engine = Engine(OPTIONS, setup)
        self.match = setup.get("match", False)

    def deal(self, setup):
        if self.due()[0] != "deal":
            raise Refused
        self.engine = Engine(OPTIONS, {**setup, "totals": self.engine.deal.totals})

    def due(self):
        wish = self.engine.wish
        deal = self.engine.deal
        if wish.kind == "over" and self.match and not deal.over():
            return "deal", (deal.dealer + 1) % 4
        if wish.kind == "over":
            return ("over",)
        if wish.kind == "pass":
            return "pass", OPTIONS["pass_count"]
        return wish.kind, wish.seats[0], wish.choices

    def pass_all(self, packets):
        for seat, cards in enumerate(packets):
            self.other(seat, {"pass": " ".join(cards)})

    def play(self, seat, card):
        self.other(seat, {"play": card})

    def other(self, seat, act):
        if "claim" in act:
            raise ValueError(f'seat {seat} "claims"\x01')
        if "quit" in act:
            sys.exit("the engine quits")
        if not self.engine.accepts(seat, act):
            raise Refused
        self.engine.do(seat, act)

    def observe(self):
        found = self.engine.observe()
        if self.due()[0] == "deal":
            found |= {"dealer": self.due()[1], "deal": found["deal"] + 1}
        return found
