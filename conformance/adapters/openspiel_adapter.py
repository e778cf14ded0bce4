"""Connects OpenSpiel's Hearts to the adapter protocol: JSON lines in, JSON lines out.

It plays whole deals of 13 cards a seat, under the options that OpenSpiel offers. Where
OpenSpiel does not report something, or means something else by it, the adapter leaves
it out of its answers instead of working it out. This concerns who took the last trick,
the points before moon and bonus, and, if hearts may be led at any time, whether they
are broken.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pyspiel

Json = dict[str, Any]

CARD: Json = {
    "protocol": 1,
    "name": "OpenSpiel hearts",
    "version": getattr(pyspiel, "__version__", "unknown"),
    "language": "C++",
    "profiles": ["openspiel-hearts"],
    "players": [4],
    "capabilities": ["step", "legal", "probe", "observe", "pass"],
    "deviations": [
        {
            "clause": "4.1",
            "note": "with pass_cards=false, legal_actions() of the first chance node is"
            " the hold alone, but chance_outcomes() goes on naming four directions, and"
            " a pass in one of them is accepted",
        }
    ],
    "tables": [
        {"profile": "openspiel-hearts", "hands": "full", "starts": ["deal"]},
        {
            "profile": "openspiel-hearts",
            "options": {"pass_cycle": []},
            "hands": "full",
            "starts": ["deal"],
        },
    ],
}
RANKS, SUITS = "23456789TJQKA", "CDHS"  # action = 4 * rank + suit
ORDER = "CDSH"  # the order in which the protocol writes cards
SEATS = "NESW"
WAYS = ["hold", "left", "across", "right"]
PLAYS: dict[str, tuple[object, ...]] = {
    "direction": ("clockwise",),
    "removal": ("none",),
    "hand_size": ("all", 13),
    "undealt": ("none",),
    "pass_count": (3,),
    "pass_unseen": (False,),
    "opening_leader": ("lowest_club",),
    "opening_card": ("lowest_club", "any_club"),
    "heart_leads": ("when_broken", "free"),
    "queen_breaks_hearts": (False, True),
    "hearts_or_queen_leader": ("queen", "any"),
    "first_trick_points": ("allowed", "barred"),
    "queen_duty": ("no",),
    "heart_points": (1,),
    "queen_points": (13,),
    "bonus_card": ("none", "JD"),
    "bonus_points": (-10,),
    "moon": ("others_plus",),
    "sun_points": (0,),
    "no_trick_points": (0, -5),
    "revokes": ("rejected",),
}
# These have no effect on a single deal, given what is played; `Game` sees to the pass.
AT_ANY_VALUE = {
    "mix_kitty",
    "all_hearts_leader",
    "survivor_takes_stock",
    "no_survivor_stock",
    "revoke_until",
    "revoke_points",
    "revoke_ends_deal",
    "limit",
    "limit_rule",
    "exact_limit_becomes",
    "ties",
    "deals",
    "pass_cycle",
}
PROFILES = Path(__file__).parent / "../corpus/profiles.json"
BASE = json.loads(PROFILES.read_text("utf-8"))["base"] if PROFILES.is_file() else {}


class Unsupported(Exception):
    """Raised for something that OpenSpiel cannot play; `str` says what it is."""


def base_of(name: str) -> list[object]:
    """The base value of an option that OpenSpiel does not know, in a list.

    The list is empty if `BASE` does not contain the option.
    """
    return [BASE[name]] if name in BASE else []


def action(card: str) -> int:
    """The number of OpenSpiel's action for this card."""
    return 4 * RANKS.index(card[0]) + SUITS.index(card[1])


def written(cards: list[str]) -> str:
    """These cards as a string, in the order that the protocol requires of a set."""
    return " ".join(
        sorted(cards, key=lambda one: (ORDER.index(one[1]), RANKS.index(one[0])))
    )


class Game:
    """One deal of OpenSpiel's Hearts."""

    def __init__(self, ruleset: Json, setup: Json) -> None:
        self.options = ruleset["options"]
        for name, value in self.options.items():
            if name not in AT_ANY_VALUE and value not in PLAYS.get(name, base_of(name)):
                raise Unsupported(f"{name} {value!r}")
        hands = [hand.split() for hand in setup["hands"]]
        if len(hands) != 4 or any(len(hand) != 13 for hand in hands):
            raise Unsupported("deals of other than four times thirteen cards")
        if "leader" in setup:
            raise Unsupported("positions")
        cycle = self.options["pass_cycle"]
        way = cycle[(setup["deal"] - 1) % len(cycle)] if cycle else ""
        if way and way not in WAYS:
            raise Unsupported(f"the pass {way}")
        self.state = self.begun(way, setup["deal"], hands)
        self.waiting: dict[int, list[str]] = {}
        self.dealt = hands

    def begun(self, way: str, deal: int, hands: list[list[str]]) -> Any:
        """OpenSpiel's state after these hands have been dealt.

        `way` is the direction of the pass, or `hold`, and OpenSpiel is told to use it.
        If it is empty, cards are never passed, and OpenSpiel's chance outcomes are
        taken in turn from deal to deal.
        """
        options = self.options
        parameters = {
            "pass_cards": bool(way),
            "no_pts_on_first_trick": options["first_trick_points"] == "barred",
            "can_lead_any_club": options["opening_card"] == "any_club",
            "jd_bonus": options["bonus_card"] == "JD",
            "avoid_all_tricks_bonus": options["no_trick_points"] == -5,
            "must_break_hearts": options["heart_leads"] == "when_broken",
            "qs_breaks_hearts": options["queen_breaks_hearts"],
            "can_lead_hearts_instead_of_qs": options["hearts_or_queen_leader"] == "any",
        }
        state = pyspiel.load_game("hearts", parameters).new_initial_state()
        if way:
            state.apply_action(WAYS.index(way))
        else:
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[deal % len(outcomes)][0])
        for place in range(13):
            for hand in hands:
                state.apply_action(action(hand[place]))
        return state

    @property
    def passing(self) -> bool:
        """Whether cards are being passed."""
        return bool(self.state.to_struct().phase == "Pass")

    def turn(self) -> list[int]:
        """The seats that have to act now; none if the deal is over."""
        if self.state.is_terminal():
            return []
        if self.passing:
            return [seat for seat in range(4) if seat not in self.waiting]
        return [self.state.current_player()]

    def legal(self) -> Json:
        """The answer to `legal`: the seats that have to act, and what they may do.

        For a pass, the answer gives only the number of possible choices of cards.
        """
        turn = self.turn()
        if not turn:
            return {"turn": [], "over": True}
        if self.passing:
            return {"turn": turn, "pass": 286}  # three of thirteen
        cards = [self.state.action_to_string(one) for one in self.state.legal_actions()]
        return {"turn": turn, "play": written(cards)}

    def accepts(self, seat: int, act: Json) -> bool:
        """Whether an act is legal now."""
        if seat not in self.turn():
            return False
        if self.passing and "pass" in act and isinstance(act["pass"], str):
            cards = act["pass"].split()
            return len(cards) == 3 and set(cards) <= set(self.dealt[seat])
        if self.passing or "play" not in act:
            return False
        return action(act["play"]) in self.state.legal_actions()

    def do(self, seat: int, act: Json) -> None:
        """Apply a legal act; OpenSpiel gets no pass until all seats have passed."""
        if "play" in act:
            self.state.apply_action(action(act["play"]))
            return
        self.waiting[seat] = act["pass"].split()
        if len(self.waiting) == 4:
            for passing in range(4):
                for card in self.waiting[passing]:
                    self.state.apply_action(action(card))

    def observe(self) -> Json:
        """The answer to `observe`: what OpenSpiel reports about the deal."""
        if self.passing:
            return {"turn": self.turn(), "phase": "pass"}
        shown = self.state.to_struct()
        over = self.state.is_terminal()
        found: Json = {
            "turn": self.turn(),
            "phase": "over" if over else "play",
            "over": over,
            "hands": [written(list(hand)) for hand in shown.hands],
        }
        if self.options["heart_leads"] == "when_broken":
            found["hearts_broken"] = bool(self.state.hearts_broken())
        if over:
            found["score"] = [26 - int(one) for one in self.state.returns()]
            return found
        tricks = [list(trick) for trick in shown.tricks]
        table: list[Any] = tricks[-1] if tricks and len(tricks[-1]) < 4 else []
        leader = SEATS.index(table[0][0]) if table else self.turn()[0]
        found["table"] = {
            "leader": leader,
            "cards": " ".join(card for _, card in table),
        }
        return found


class Adapter:
    """Answers requests about one deal at a time."""

    game: Game

    def answer(self, request: Json) -> Json:
        """The answer to a request, without the request's sequence number `seq`."""
        op = request["op"]
        if op == "hello":
            return {"ok": CARD}
        if op == "open":
            if "match" in request:
                return {"unsupported": "matches: OpenSpiel plays single deals"}
            self.game = Game(request["ruleset"], request["setup"])
            return {"ok": {}}
        if op == "legal":
            return {"ok": self.game.legal()}
        if op in ("step", "probe"):
            if not self.game.accepts(request["seat"], request["act"]):
                return {"refused": {}}
            if op == "step":
                self.game.do(request["seat"], request["act"])
            return {"ok": {}}
        if op == "observe" and "seat" not in request:
            return {"ok": self.game.observe()}
        return {"unsupported": f"the op {op}"}


def main() -> None:
    """Read requests, one a line, and answer each until `bye` comes."""
    adapter = Adapter()
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "bye":
            return
        try:
            found = adapter.answer(request)
        except Unsupported as missing:
            found = {"unsupported": str(missing)}
        print(json.dumps({"seq": request["seq"], **found}), flush=True)


if __name__ == "__main__":
    main()
