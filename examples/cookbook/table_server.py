"""The heart of a server: text comes in from a seat, and text goes out to each seat."""

import json
from random import SystemRandom

from refengine import Act, Malformed, Refused, Ruleset, new_match
from refengine.json import read_act, write_event, write_ruleset, write_view

CHANCE = ("cut", "deal", "mix")  # never done by a player


class Table:
    """One match. What carries the text, be it a socket or a web page, is up to you."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.state = new_match(ruleset)

    def welcome(self, seat: int) -> str:
        """What the player of a seat is told on sitting down or coming back."""
        ruleset = write_ruleset(self.state.ruleset)
        view = write_view(self.state.observe(seat))
        return json.dumps({"ruleset": ruleset, "view": view})

    def deal(self) -> list[dict[int, str]]:
        """Cut, deal or mix while that is due; return each act's messages by seat."""
        made = []
        while self.state.phase in CHANCE:
            made.append(self._make(self.state.random_act(SystemRandom())))
        return made

    def receive(self, seat: int, text: str) -> dict[int, str]:
        """Apply the act that a seat has sent; return the messages that follow, by seat.

        A text that is not an act, or an act that is refused, changes nothing: the seat
        that sent it is told why, and nobody else hears of it.
        """
        try:
            act = read_act(seat, text)
            if self.state.phase in CHANCE:
                raise Malformed(act.kind, "no act of a player until cards are dealt")
            return self._make(act)
        except (Malformed, Refused) as error:
            return {seat: json.dumps({"error": str(error)})}

    def _make(self, act: Act) -> dict[int, str]:
        before, self.state = self.state, self.state.apply(act)
        return {
            seat: json.dumps(
                {
                    "event": write_event(before.event(act, seat)),
                    "view": write_view(self.state.observe(seat)),
                }
            )
            for seat in range(self.state.ruleset.players)
        }


if __name__ == "__main__":
    table = Table(Ruleset("common-hearts"))
    table.deal()
    print(table.welcome(0))
    print(table.receive(0, '{"play": "2C"}'))
