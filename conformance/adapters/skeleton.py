"""Puts a Hearts engine behind the adapter protocol: JSON lines in, JSON lines out.

Write the methods of `Game`, and nothing else has to change. Run it with
    refengine conform run -- python THIS_FILE
What you have not written is answered with `unsupported` and scores nothing, except for
the acts that `other` is for: those are refused.
"""

import json
import os
import sys
from math import comb

# Standard output is for answers alone: what the engine prints goes to standard error.
REQUESTS = os.fdopen(os.dup(0), encoding="utf-8")
ANSWERS = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)
sys.stdout = sys.stderr

# <table>
# The edition of the book whose clauses the adapter names.
SPEC = ""
# The table: what your engine plays, filled in by `refengine adapter`. A game in which
# an option has another value is declined with `unsupported`.
PROFILE = ""
PLAYERS = 0
# Cards dealt to each seat; 0 if your engine also plays smaller deals.
HAND_SIZE = 0
OPTIONS = {}
# Which of these differ from the profile.
CHANGED = []
# Those that have no effect given the others, so that any value will do.
NO_EFFECT = []
# What can be asked; docs/adapters.md lists them all.
CAPABILITIES = []
# </table>

NAME, VERSION, LANGUAGE = "my-hearts", "0.1.0", "Python"


class Refused(Exception):
    """Raise this if your engine does not allow an act."""


class Unsupported(Exception):
    """Raise this, with the reason, if your engine cannot do what is asked of it.

    An example is a dealer that it cannot choose. This is not scored as a mistake.
    """


# ---- Your engine
class Game:
    """One deal in your engine, or one match, if it plays matches.

    Seats count from 0; seat s + 1 is to the left of seat s. A card is its rank and its
    suit: "2C", "TD", "QS", "AH". An exception other than `Refused` and `Unsupported` is
    answered with `error`, which is never scored.
    """

    MATCHES = False  # make it True once `deal` is written, to be given whole matches

    def __init__(self, setup):
        """Deal: `setup` has dealer, deal (from 1), hands (["2C 9D …", …]), totals.

        Totals that are all 0 are left out; a stock and a kitty are there if dealt. In
        the first deal of a match, `setup` also has "match": True, and no totals.
        """
        raise Unsupported("not written yet")

    def deal(self, setup):
        """Begin the next deal of a match: `setup` has its dealer, deal and hands."""
        raise Unsupported("matches")

    def due(self):
        """What is due now, in one of seven forms.

        ("pass", 3), the number of cards; ("play", seat, ["5C", "7C"]), those allowed;
        ("moon", seat, choices); ("draw", seat, 1); ("mix", seat, 1), after a pass
        that the dealer mixes; ("over",); and, after a deal of a match that goes on,
        ("deal", seat), the next dealer.
        """
        raise Unsupported("not written yet")

    def pass_all(self, packets):
        """Pass: `packets` has the cards of each seat, [["QS", "KH", "AH"], …].

        If your engine takes them seat by seat or card by card, loop over them here.
        Raise Refused if your engine does not allow the pass.
        """
        raise Unsupported("not written yet")

    def play(self, seat, card):
        """Play a card, or raise Refused and change nothing.

        Return True for a revoke, if the rules let it happen.
        """
        raise Unsupported("not written yet")

    def other(self, seat, act):
        """Apply any other act, such as {"moon": "self_minus"} or {"draw": 1}.

        Until you write this method, every such act is refused.
        """
        raise Refused

    def observe(self):
        """A dict of what your engine knows; what you leave out is not tested.

        For each seat: hands and taken (["2C 9D", …]), tricks, points, totals and, when
        a deal is over, score (lists of numbers). Of the deal: hearts_broken, dealer,
        deal, kitty ("2C 9D"), table ({"leader": 0, "cards": "2C 9D"}, in the order
        played) and trick, if one was just completed (like table, with "winner": 2 as
        well). If there is a stock: stock and drew ("2C 9D", top first), and out (seats
        without cards, [1, 3]). If revokes are penalised: revokes
        ([{"seat": 1, "trick": 3, "state": "open"}]). Whether the match is over at these
        totals: match ({"over": False} or {"over": True, "winners": [0, 2]}). Between
        two deals of a match, dealer and deal belong to the next one, and everything
        else to the last.
        """
        return {}


# ---- The protocol: nothing from here on has to change


class Conversation:
    """The open game, its acts so far, and the passes that wait for the other seats."""

    def __init__(self, dealer, setup=None):
        self.dealer, self.setup, self.game = dealer, None, None
        self.done, self.packets = [], {}
        if setup is not None:  # a match begins without one: its dealer deals in an act
            self.do(dealer, {"new deal": setup})

    def due(self):
        """What is due; before the first deal of a match, the act of dealing it."""
        return self.game.due() if self.game else ("deal", self.dealer)

    def new_deal(self, seat, cards):
        """The act of dealing, with the setup that the engine gets for the new deal."""
        if tuple(self.due()) != ("deal", seat):
            raise Refused
        if HAND_SIZE and len(cards["hands"][0].split()) != HAND_SIZE:
            raise Unsupported(f"hands of other than {HAND_SIZE} cards")
        number = self.setup["deal"] + 1 if self.setup else 1
        return {"new deal": {"dealer": seat, "deal": number, "match": True, **cards}}

    def do(self, seat, act):
        """Apply an act to the open game, and return what to answer in `ok`."""
        self.game, found = do(self.game, seat, act)
        self.setup = act.get("new deal", self.setup)
        self.packets.clear()
        self.done.append((seat, act))
        return found

    def packets_with(self, seat, cards):
        """The packets of all seats, including this one.

        For a seat that has not passed yet, the first cards of its hand stand in, so
        that your engine can judge this packet before the last seat has passed.
        """
        count = OPTIONS["pass_count"]
        hands = enumerate(self.setup["hands"])
        first = {other: hand.split()[:count] for other, hand in hands}
        found = {**first, **self.packets, seat: cards}
        return [found[other] for other in range(PLAYERS)]

    def try_pass(self, seat, cards):
        """Try a pass in a copy of the game, so that the open one does not change."""
        if seat in self.packets or self.game is None:
            raise Refused
        self.made_anew().pass_all(self.packets_with(seat, cards))

    def made_anew(self):
        """A new game in which the same acts have been done, for trying out an act."""
        game = None
        for seat, act in self.done:
            game, _ = do(game, seat, act)
        return game

    def probe(self, seat, act):
        """Try an act in a copy of the game; return the value of `ok` in the answer."""
        if isinstance(act.get("pass"), str):
            self.try_pass(seat, act["pass"].split())
            return {}
        if "deal" in act:
            act = self.new_deal(seat, act["deal"])
        return do(self.made_anew(), seat, act)[1]

    def step(self, seat, act):
        """Apply an act; a pass waits until all seats have passed."""
        if isinstance(act.get("pass"), str):
            self.try_pass(seat, act["pass"].split())
            self.packets[seat] = act["pass"].split()
            if len(self.packets) < PLAYERS:
                return {}
            act = {"all pass": [self.packets[one] for one in range(PLAYERS)]}
        if "deal" in act:
            act = self.new_deal(seat, act["deal"])
        return self.do(seat, act)

    def legal(self):
        """The answer to `legal`: the seats to act, and what they may do.

        For a pass, it gives only the number of ways to choose the cards.
        """
        kind, *rest = self.due()
        if kind == "over":
            return {"turn": [], "over": True}
        if kind == "pass":
            turn = [seat for seat in range(PLAYERS) if seat not in self.packets]
            size = len(self.setup["hands"][0].split())
            return {"turn": turn, "pass": comb(size, rest[0])}
        seat, what = rest if len(rest) == 2 else (rest[0], 1)
        return {"turn": [seat], kind: " ".join(what) if kind == "play" else what}

    def observe(self, seat=None):
        """What all seats together can see."""
        if seat is not None:
            raise Unsupported("what one seat knows")
        legal = self.legal()
        kind = next(key for key in legal if key != "turn")
        phase = "play" if kind == "draw" else kind
        seen = {"phase": phase, "over": phase == "over", "turn": legal["turn"]}
        return (self.game.observe() if self.game else {}) | seen


def do(game, seat, act):
    """Give an act to the engine; return the game, and what to answer in `ok`."""
    ((kind, what),) = act.items()
    if kind == "new deal":
        if game is None:
            return Game(what), {}
        game.deal(what)
    elif game is None:
        raise Refused
    elif kind == "all pass":
        game.pass_all(what)
    elif kind != "play":
        game.other(seat, act)
    elif game.play(seat, what):
        return game, {"breaks": ["5.3"]}
    return game, {}


def lacking(ruleset, setup=None, match=None):
    """Why a game cannot be played at this table, or None if it can."""
    for name, value in ruleset["options"].items():
        same = json.dumps(value) == json.dumps(OPTIONS.get(name))
        if name not in NO_EFFECT and not same:
            return f"the option {name}={json.dumps(value)}"
    if ruleset["players"] != PLAYERS:
        return f"{ruleset['players']} players"
    if match is not None:
        known = Game.MATCHES and "dealer" in match and "pack" not in match
        return None if known else f"the match {json.dumps(match)}"
    if "leader" in setup:
        return "a position in the middle of a deal"
    if setup.get("limit_reached"):
        return "a match played on after a tie"
    if HAND_SIZE and len(setup["hands"][0].split()) != HAND_SIZE:
        return f"hands of other than {HAND_SIZE} cards"
    return None


def answer(request, open_game):
    """The answer to a request, and the game that is then open."""
    op = request.pop("op")
    if op == "hello":
        starts = ["deal", "match-dealer"] if Game.MATCHES else ["deal"]
        table = {"profile": PROFILE, "players": [PLAYERS], "starts": starts}
        table["options"] = {name: OPTIONS[name] for name in CHANGED}
        table["hands"] = "full" if HAND_SIZE else "any"
        card = {"protocol": 1, "name": NAME, "version": VERSION, "language": LANGUAGE}
        card |= {"spec": SPEC, "profiles": [PROFILE], "players": [PLAYERS]}
        card["capabilities"] = CAPABILITIES + ["match"] * Game.MATCHES
        return {"ok": {**card, "tables": [table]}}, None
    if op == "open":
        if reason := lacking(**request):
            return {"unsupported": reason}, None
        setup = request.get("setup")
        return {"ok": {}}, Conversation((setup or request["match"])["dealer"], setup)
    if op not in ("step", "probe", "legal", "observe"):
        return {"unsupported": f"the op {op}"}, open_game
    if open_game is None:
        return {"error": "no game is open"}, None
    return {"ok": getattr(open_game, op)(**request)}, open_game


def main():
    """Answer line by line until `bye`."""
    game = None
    for line in REQUESTS:
        request = json.loads(line)
        seq = request.pop("seq")
        if request["op"] == "bye":
            return
        if request["op"] == "open":
            game = None
        try:
            found, game = answer(request, game)
        except Refused:
            found = {"refused": {}}
        except Unsupported as error:
            found = {"unsupported": str(error)}
        except (Exception, SystemExit) as error:
            found = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"seq": seq, **found}), file=ANSWERS, flush=True)


main()
