"""A second engine for Hearts and Domino Hearts, written from the rules alone.

It serves as a test oracle: it shares no code with the package under test, keeps
its cards as strings in ordinary sets and changes its own state in place.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb, perm
from typing import Any

RANKS = "23456789TJQKA"
SUITS = "CDSH"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
PLACE = {card: place for place, card in enumerate(PACK)}
QUEEN = "QS"
PHASE_OF = {
    "cut": "cut",
    "deal": "deal",
    "pass": "pass",
    "forward": "pass",
    "mix": "mix",
    "draw": "play",
    "play": "play",
    "moon": "moon",
}
BESIDE = ("retract", "quit", "claim")


class Illegal(Exception):
    """Raised when an act is refused; nothing has changed."""


def show(cards: set[str]) -> str:
    """Write a set of cards in the order C D S H, low to high."""
    return " ".join(sorted(cards, key=PLACE.__getitem__))


def read(text: object) -> list[str]:
    """Read cards in the order given; raise Illegal if one is wrong or repeated."""
    if not isinstance(text, str):
        raise Illegal("not a string of cards")
    cards = text.split()
    if len(set(cards)) != len(cards) or any(card not in PLACE for card in cards):
        raise Illegal("not cards, or a card twice")
    return cards


def rank(card: str) -> int:
    """Return the index of the card's rank, 0 for the two."""
    return RANKS.index(card[0])


def of_suit(cards: set[str], suit: str) -> set[str]:
    """Keep the cards of one suit."""
    return {card for card in cards if card[1] == suit}


def cycle_of(options: dict[str, Any], players: int) -> list[str]:
    """List the passes of a cycle that exist for this many players."""
    cycle = list(options["pass_cycle"])
    return [kind for kind in cycle if kind != "across" or players % 2 == 0]


@dataclass
class Board:
    """The cards of a deal and where they are, and whose turn it is."""

    hands: list[set[str]]
    stock: list[str]
    kitty: set[str]
    taken: list[set[str]]
    tricks: list[int]
    leader: int = 0
    order: list[int] = field(default_factory=list)
    table: list[str] = field(default_factory=list)
    broken: bool = False
    first: bool = True
    drew: list[str] = field(default_factory=list)
    winner: int | None = None
    quitted: bool = False
    won_kitty: set[str] = field(default_factory=set)

    def copy(self) -> Board:
        """Make an independent copy of the board."""
        return Board(
            [set(hand) for hand in self.hands],
            list(self.stock),
            set(self.kitty),
            [set(pile) for pile in self.taken],
            list(self.tricks),
            self.leader,
            list(self.order),
            list(self.table),
            self.broken,
            self.first,
            list(self.drew),
            self.winner,
            self.quitted,
            set(self.won_kitty),
        )

    def everything(self) -> set[str]:
        """Collect all cards of the deal, wherever they lie."""
        cards = set(self.stock) | self.kitty | set(self.table)
        return cards.union(*self.hands, *self.taken)

    def holders(self) -> list[int]:
        """List the seats that still hold cards."""
        return [seat for seat, hand in enumerate(self.hands) if hand]

    def holdings(self, seat: int) -> set[str]:
        """Collect the cards that count for a seat once play has ended."""
        return self.taken[seat] | self.hands[seat]


@dataclass
class Revoke:
    """A revoke, together with a copy of the board from before it."""

    seat: int
    trick: int
    card: str
    board: Board
    draws: int
    state: str = "open"


@dataclass
class Standing:
    """The dealer, deal number, totals and limit flag from before a deal was scored."""

    dealer: int
    deal: int
    totals: list[int]
    reached: bool


class Oracle:
    """A deal or a match in progress; acts change it in place."""

    def __init__(
        self,
        options: dict[str, object],
        players: int,
        *,
        setup: dict[str, Any] | None = None,
        match: dict[str, Any] | None = None,
    ) -> None:
        """Open a single deal from `setup`, or a match from `match`."""
        if (setup is None) == (match is None):
            raise ValueError("exactly one of setup and match")
        self.options: dict[str, Any] = dict(options)
        self.players = players
        self.single = setup is not None
        self.phase = "cut"
        self.dealer = 0
        self.deal = 1
        self.totals = [0] * players
        self.reached = False
        self.winners: list[int] | None = None
        self.before: Standing | None = None
        self.cut_due = list(range(players))
        self.cut_used: set[str] = set()
        self.cut_round: dict[int, str] | None = None
        self.board: Board | None = None
        self.completed: dict[str, Any] | None = None
        self.shown_drew: list[str] | None = None
        self._forget_deal()
        if setup is not None:
            self._open_setup(setup)
        else:
            self._open_match(match or {})

    # ------------------------------------------------------------- opening

    def _forget_deal(self) -> None:
        """Clear the fields that belong to a single deal."""
        self.passes: dict[int, Any] = {}
        self.revokes: list[Revoke] = []
        self.draw_log: list[tuple[int, str]] = []
        self.choice: Any = None
        self.score: list[int] | None = None
        self.ended_by: int | None = None
        self.in_play: set[str] = set()
        self.before = None

    def _open_match(self, match: dict[str, Any]) -> None:
        """Begin a match at the cut or at the first deal."""
        named = match.get("pack")
        self.named = named is not None
        self.pack = set(read(named)) if named is not None else self._after_removal()
        self.cut_pack = self.pack if self.named else set(PACK)
        if "dealer" in match:
            self.dealer = match["dealer"]
            self.phase = "deal"

    def _open_setup(self, setup: dict[str, Any]) -> None:
        """Begin with a single deal whose cards are given."""
        self.dealer = setup["dealer"]
        self.deal = setup["deal"]
        self.totals = list(setup.get("totals", self.totals))
        self.reached = bool(setup.get("limit_reached", False))
        hands = [set(read(text)) for text in setup["hands"]]
        stock = read(setup.get("stock", ""))
        kitty = set(read(setup.get("kitty", "")))
        self._lay_out(hands, stock, kitty)
        if setup.get("phase") == "play":
            self._open_position(setup)
        else:
            self._after_deal()

    def _open_position(self, setup: dict[str, Any]) -> None:
        """Begin with a position in the middle of play."""
        board = self._board
        none = [""] * self.players
        board.taken = [set(read(text)) for text in setup.get("taken", none)]
        board.tricks = list(setup.get("tricks", board.tricks))
        board.first = bool(setup.get("first_trick", False))
        trick = read(setup.get("trick", ""))
        stated = bool(setup.get("hearts_broken", False))
        board.broken = stated or any(self._breaks_hearts(card) for card in trick)
        self._begin_play(setup["leader"], trick, setup.get("out", []))

    def _after_removal(self) -> set[str]:
        """Return the pack without the low cards that the ruleset removes."""
        suits = {"none": "", "lowest": "CDSH", "lowest_no_hearts": "DCS"}
        low = [rank + suit for rank in RANKS for suit in suits[self.options["removal"]]]
        return set(PACK) - set(low[: 52 % self.players])

    def _lay_out(
        self, hands: list[set[str]], stock: list[str], kitty: set[str]
    ) -> None:
        """Put the cards of a new deal on the board."""
        self._forget_deal()
        taken: list[set[str]] = [set() for _ in range(self.players)]
        self.board = Board(hands, stock, kitty, taken, [0] * self.players)

    @property
    def _board(self) -> Board:
        """Return the board, which must exist."""
        assert self.board is not None
        return self.board

    # -------------------------------------------------------------- public

    def legal(self) -> dict[str, Any]:
        """Return the seats that are to act, the kind of act due, and the choices."""
        answer: dict[str, Any] = {"turn": self._turn()}
        match self.phase:
            case "cut":
                answer["cut"] = len(self.cut_pack) - len(self.cut_used)
            case "pass":
                answer["pass"] = self._pass_ways()
                if self._may_forward_at_all():
                    answer["forward"] = 1
            case "play":
                self._legal_play(answer)
            case "moon":
                answer["moon"] = self._moon_choices()
            case "over":
                answer["over"] = True
            case phase:
                answer[phase] = 1
        return answer

    def judge(self, seat: int, act: dict[str, Any]) -> str:
        """Return the verdict on an act: legal, irregular or refused."""
        if len(act) != 1 or not 0 <= seat < self.players:
            return "refused"
        try:
            broken = self.broken(seat, act)
        except Illegal:
            return "refused"
        mere_revoke = "play" in act and broken == {"5.3"}
        if mere_revoke and self.options["revokes"] == "penalised":
            return "irregular"
        return "refused" if broken else "legal"

    def broken(self, seat: int, act: dict[str, Any]) -> set[str]:
        """Collect the clauses that an act would break now."""
        [(key, value)] = act.items()
        wrong = set()
        if key not in BESIDE and seat not in self._turn():
            wrong.add("2.3")
        fits = self.phase == PHASE_OF.get(key)
        if key in BESIDE:
            fits = self.phase in ("play", "moon", "deal", "over")
        if not fits:
            wrong.add("2.4")
        return wrong or set(getattr(self, "_wrong_" + key)(seat, value))

    def step(self, seat: int, act: dict[str, Any]) -> str:
        """Apply an act and return the verdict; raise Illegal if it is refused."""
        verdict = self.judge(seat, act)
        if verdict == "refused":
            raise Illegal(f"seat {seat}: {act}")
        [(key, value)] = act.items()
        self.completed = None
        self.shown_drew = None
        if key == "play":
            self._do_play(seat, value, verdict == "irregular")
        else:
            getattr(self, "_do_" + str(key))(seat, value)
        return verdict

    def observe(self) -> dict[str, Any]:
        """Return all facts about the game that can be given now."""
        seen: dict[str, Any] = {"phase": self.phase, "turn": self._turn()}
        if self.phase != "cut":
            seen |= {"dealer": self.dealer, "deal": self.deal}
        if self.cut_round is not None:
            seats = range(self.players)
            seen["cut"] = [self.cut_round.get(seat, "") for seat in seats]
        if self.board is not None:
            seen |= self._observe_board(self.board)
        if self.score is not None:
            seen["score"] = list(self.score)
        seen["totals"] = list(self.totals)
        seen["match"] = {"over": False}
        if self.winners is not None:
            seen["match"] = {"over": True, "winners": list(self.winners)}
        seen["over"] = self.phase == "over"
        return seen

    def _observe_board(self, board: Board) -> dict[str, Any]:
        """Return the facts about the deal on the board."""
        seen: dict[str, Any] = {
            "hearts_broken": board.broken,
            "out": [s for s in range(self.players) if not board.hands[s]],
            "hands": [show(hand) for hand in board.hands],
            "taken": [show(pile) for pile in board.taken],
            "tricks": list(board.tricks),
            "stock": " ".join(board.stock),
            "kitty": show(board.kitty),
            "points": [self._points(pile) for pile in board.taken],
            "revokes": [
                {"seat": r.seat, "trick": r.trick, "state": r.state}
                for r in self.revokes
            ],
        }
        if self.phase == "play":
            seen["table"] = {"leader": board.leader, "cards": " ".join(board.table)}
        if self.completed is not None:
            seen["trick"] = dict(self.completed)
        if self.shown_drew is not None:
            seen["drew"] = " ".join(self.shown_drew)
        return seen

    def view(self, seat: int) -> dict[str, Any]:
        """Return what a seat sees of a deal in play, without its record of plays."""
        board = self._board
        return {
            "seat": seat,
            "hand": show(board.hands[seat]),
            "held": [len(hand) for hand in board.hands],
            "stock": len(board.stock),
            "kitty": len(board.kitty),
            "table": {"leader": board.leader, "cards": " ".join(board.table)},
            "hearts_broken": board.broken,
            "points": [self._points(pile - board.won_kitty) for pile in board.taken],
            "totals": list(self.totals),
        }

    def _turn(self) -> list[int]:
        """List the seats that are to act."""
        match self.phase:
            case "cut":
                return list(self.cut_due)
            case "deal" | "mix":
                return [self.dealer]
            case "pass":
                return [s for s in range(self.players) if s not in self.passes]
            case "play":
                return [self._to_play()]
            case "moon":
                shooter = self.shooter()
                assert shooter is not None
                return [shooter]
        return []

    # ----------------------------------------------------------- the cut

    def _wrong_cut(self, seat: int, card: str) -> set[str]:
        """Collect the clauses that the card drawn in a cut breaks."""
        return set() if card in self.cut_pack - self.cut_used else {"3.1a"}

    def _do_cut(self, seat: int, card: str) -> None:
        """Draw a card in the cut for the first deal."""
        if not self.cut_used or self.cut_round is None:
            self.cut_round = {}
        self.cut_used.add(card)
        self.cut_round[seat] = card
        self.cut_due.remove(seat)
        if not self.cut_due:
            self._end_cut_round(self.cut_round)

    def _end_cut_round(self, cards: dict[int, str]) -> None:
        """Name the dealer, or let the seats with the lowest cards cut again."""
        lowest = min(rank(card) for card in cards.values())
        tied = sorted(s for s, card in cards.items() if rank(card) == lowest)
        if len(tied) > 1:
            self.cut_due = tied
            self.cut_used = set()
        else:
            self.dealer = tied[0]
            self.phase = "deal"

    # ---------------------------------------------------------- the deal

    def _sizes(self) -> tuple[int, int, int]:
        """Return the size of each hand, the size of the stock and that of the kitty."""
        undealt = self.options["undealt"]
        size = self.options["hand_size"]
        if size == "all":
            size = len(self.pack) // self.players
            if undealt == "kitty" and self.players == 4 and not self.named:
                size = 12
        rest = len(self.pack) - size * self.players
        return size, rest * (undealt == "stock"), rest * (undealt == "kitty")

    def _wrong_deal(self, seat: int, deal: dict[str, Any]) -> set[str]:
        """Collect the clauses that a deal breaks."""
        hands = [read(text) for text in deal["hands"]]
        stock, kitty = read(deal.get("stock", "")), read(deal.get("kitty", ""))
        size, to_stock, to_kitty = self._sizes()
        sizes = [len(hand) for hand in hands] == [size] * self.players
        cards = sum(hands, stock + kitty)
        complete = len(cards) == len(self.pack) and set(cards) == self.pack
        beside = (len(stock), len(kitty)) == (to_stock, to_kitty)
        return set() if sizes and beside and complete else {"3.8"}

    def _do_deal(self, seat: int, deal: dict[str, Any]) -> None:
        """Deal the cards."""
        hands = [set(read(text)) for text in deal["hands"]]
        kitty = set(read(deal.get("kitty", "")))
        self._lay_out(hands, read(deal.get("stock", "")), kitty)
        self._after_deal()

    def _after_deal(self) -> None:
        """Go on with the pass, or with play if this deal has no pass."""
        if self._pass_kind() == "hold":
            self._open_play()
        else:
            self.phase = "pass"

    # ---------------------------------------------------------- the pass

    def _pass_kind(self) -> str:
        """Return the kind of pass in this deal."""
        cycle = cycle_of(self.options, self.players)
        return cycle[(self.deal - 1) % len(cycle)] if cycle else "hold"

    def _pass_ways(self) -> int:
        """Count the ways in which the seat to pass can pass cards of its own."""
        size = len(self._board.hands[self._turn()[0]])
        if self._pass_kind() == "scatter":
            return perm(size, self.players - 1)
        return comb(size, self.options["pass_count"])

    def _may_forward_at_all(self) -> bool:
        """Tell whether packets may be passed on unseen in this deal."""
        directed = self._pass_kind() in ("left", "right", "across")
        return directed and bool(self.options["pass_unseen"])

    def _wrong_forward(self, seat: int, value: object) -> set[str]:
        """Collect the clauses that passing a packet on unseen breaks."""
        return set() if self._may_forward_at_all() else {"4.9"}

    def _do_forward(self, seat: int, value: object) -> None:
        """Record that a seat passes on unseen."""
        self._note_pass(seat, None)

    def _wrong_pass(self, seat: int, value: Any) -> set[str]:
        """Collect the clauses that a pass breaks."""
        wrong = set()
        scatter = self._pass_kind() == "scatter"
        others = {str(s) for s in range(self.players) if s != seat}
        if isinstance(value, dict):
            cards = list(value.values())
            if not scatter or set(value) != others:
                wrong.add("4.6")
        else:
            cards = read(value)
            if scatter:
                wrong.add("4.6")
            elif len(cards) != self.options["pass_count"]:
                wrong.add("4.4")
        if not set(cards) <= self._board.hands[seat]:
            wrong.add("4.5")
        return wrong

    def _do_pass(self, seat: int, value: Any) -> None:
        """Record the cards that a seat passes."""
        if isinstance(value, dict):
            self._note_pass(seat, {int(to): card for to, card in value.items()})
        else:
            self._note_pass(seat, set(read(value)))

    def _note_pass(self, seat: int, value: Any) -> None:
        """Record a pass, and move the cards once the last seat has passed."""
        self.passes[seat] = value
        if len(self.passes) < self.players:
            return
        kind = self._pass_kind()
        if kind == "scatter":
            self._move_scatter()
        elif kind == "mix":
            self._collect_discards()
        else:
            self._move_packets(kind)
        if self.phase == "pass":
            self._open_play()

    def _move_scatter(self) -> None:
        """Give the cards of every scatter to their seats."""
        hands = self._board.hands
        for seat, gifts in self.passes.items():
            hands[seat] -= set(gifts.values())
        for gifts in self.passes.values():
            for to, card in gifts.items():
                hands[to].add(card)

    def _collect_discards(self) -> None:
        """Take the discards of a mix out of the hands."""
        for seat, cards in self.passes.items():
            self._board.hands[seat] -= cards
        self.phase = "mix"

    def _move_packets(self, kind: str) -> None:
        """Move packets to the left, to the right or across.

        A packet that reaches a seat that passes on unseen goes on to the next seat.
        """
        hands = self._board.hands
        jump = {"left": 1, "right": -1, "across": self.players // 2}[kind]
        packets = [(s, cards) for s, cards in self.passes.items() if cards is not None]
        for seat, cards in packets:
            hands[seat] -= cards
        for seat, cards in packets:
            to = (seat + jump) % self.players
            while self.passes[to] is None:
                to = (to + jump) % self.players
            hands[to] |= cards

    def _pile(self) -> set[str]:
        """Collect the cards that are dealt back in a mix."""
        pile: set[str] = set().union(*self.passes.values())
        return pile | self._board.kitty if self.options["mix_kitty"] else pile

    def _wrong_mix(self, seat: int, mix: dict[str, Any]) -> set[str]:
        """Collect the clauses that a mix breaks."""
        hands = [read(text) for text in mix["hands"]]
        kitty = read(mix.get("kitty", ""))
        to_kitty = len(self._board.kitty) if self.options["mix_kitty"] else 0
        sizes = [self.options["pass_count"]] * self.players
        fits = [len(hand) for hand in hands] == sizes and len(kitty) == to_kitty
        return set() if fits and set(sum(hands, kitty)) == self._pile() else {"4.10a"}

    def _do_mix(self, seat: int, mix: dict[str, Any]) -> None:
        """Deal back the discards after mixing them."""
        board = self._board
        for hand, text in zip(board.hands, mix["hands"], strict=True):
            hand |= set(read(text))
        if self.options["mix_kitty"]:
            board.kitty = set(read(mix.get("kitty", "")))
        self._open_play()

    # --------------------------------------------------- opening the play

    def _open_play(self) -> None:
        """Find the opening leader and begin the play."""
        leader = (self.dealer + 1) % self.players
        if self.options["opening_leader"] == "lowest_club":
            club = self._lowest_club()
            for seat, hand in enumerate(self._board.hands):
                if club in hand:
                    leader = seat
        self._begin_play(leader, [], [])

    def _begin_play(self, leader: int, trick: list[str], out: list[int]) -> None:
        """Begin the play with this leader and these cards on the table."""
        board = self._board
        self.phase = "play"
        self._start_trick(leader)
        if trick:
            board.table = trick
            board.order = [s for s in self._round_from(leader) if s not in out]
        self.in_play = board.everything()
        if not trick and len(board.holders()) <= 1:
            self._finish_play(leader)

    def _lowest_club(self) -> str | None:
        """Return the lowest club in any hand, or None."""
        hands = self._board.hands
        clubs = of_suit(set().union(*hands), "C")
        return min(clubs, key=rank) if clubs else None

    def _round_from(self, leader: int) -> list[int]:
        """List all seats in the order of play, beginning with the leader."""
        step = 1 if self.options["direction"] == "clockwise" else -1
        return [(leader + step * k) % self.players for k in range(self.players)]

    def _start_trick(self, leader: int) -> None:
        """Let the leader begin a trick among those who hold cards."""
        board = self._board
        board.leader = leader
        board.order = [s for s in self._round_from(leader) if board.hands[s]]
        board.table = []
        board.drew = []

    # ------------------------------------------------- which cards are legal

    def _to_play(self) -> int:
        """Return the seat that is to play."""
        return self._board.order[len(self._board.table)]

    def _legal_play(self, answer: dict[str, Any]) -> None:
        """Add to the answer the acts that are open to the seat that is to play."""
        seat = self._to_play()
        if self._must_draw(seat):
            answer["draw"] = 1
        else:
            answer["play"] = show(self._playable(seat))

    def _must_draw(self, seat: int) -> set[str]:
        """Return the clause that requires the seat to draw, if one does."""
        board = self._board
        hand = board.hands[seat]
        if not board.stock:
            return set()
        if board.table:
            return set() if of_suit(hand, board.table[0][1]) else {"6.1"}
        draws = self.options["all_hearts_leader"] == "draw" and self._hearts_closed()
        return {"6.2"} if draws and of_suit(hand, "H") == hand else set()

    def _hearts_closed(self) -> bool:
        """Tell whether hearts may not yet be led."""
        return self.options["heart_leads"] == "when_broken" and not self._board.broken

    def _playable(self, seat: int) -> set[str]:
        """Narrow a hand down to the cards that may be played."""
        allowed = set(self._board.hands[seat])
        for _, narrow in self._narrowings():
            allowed = narrow(seat, allowed)
        return allowed

    def _narrowings(self) -> list[tuple[str, Any]]:
        """List the rules that restrict which cards may be played, in their order."""
        return [
            ("5.2", self._opening_card),
            ("5.3", self._follow_suit),
            ("5.4", self._heart_lead),
            ("5.5", self._first_trick),
            ("5.5b", self._queen_waits),
            ("5.6", self._queen_duty),
        ]

    def _opening_card(self, seat: int, allowed: set[str]) -> set[str]:
        """Keep the cards that may open the play: the lowest club, or all clubs."""
        board = self._board
        clubs = of_suit(allowed, "C")
        free = self.options["opening_card"] == "any"
        if board.table or not board.first or board.drew or free or not clubs:
            return allowed
        lowest = self.options["opening_card"] == "lowest_club"
        return {min(clubs, key=rank)} if lowest else clubs

    def _follow_suit(self, seat: int, allowed: set[str]) -> set[str]:
        """Keep the cards of the suit led."""
        table = self._board.table
        return (of_suit(allowed, table[0][1]) if table else allowed) or allowed

    def _heart_lead(self, seat: int, allowed: set[str]) -> set[str]:
        """Keep the cards that may be led before hearts are broken."""
        if self._board.table or not self._hearts_closed():
            return allowed
        others = allowed - of_suit(allowed, "H")
        free = self.options["hearts_or_queen_leader"] == "any"
        if free and others == {QUEEN} and not self._board.drew:
            return allowed
        return others or allowed

    def _first_trick(self, seat: int, allowed: set[str]) -> set[str]:
        """Keep cards without penalty on the first trick."""
        barred = self.options["first_trick_points"] == "barred"
        if not barred or not self._board.first:
            return allowed
        return {card for card in allowed if not self._is_penalty(card)} or allowed

    def _queen_waits(self, seat: int, allowed: set[str]) -> set[str]:
        """Hold the queen back until hearts are broken."""
        board = self._board
        binds = {"no": False, "lead": not board.table, "play": True}
        if board.broken or not binds[self.options["queen_waits"]]:
            return allowed
        return allowed - {QUEEN} or allowed

    def _queen_duty(self, seat: int, allowed: set[str]) -> set[str]:
        """Keep only the queen if the seat must get rid of her now."""
        board = self._board
        on_duty = self.options["queen_duty"] == "when_safe"
        if not on_duty or not board.table or QUEEN not in allowed:
            return allowed
        led = board.table[0][1]
        void = not of_suit(board.hands[seat], led)
        covered = led == "S" and bool({"KS", "AS"} & set(board.table))
        return {QUEEN} if void or covered else allowed

    def _wrong_play(self, seat: int, card: str) -> set[str]:
        """Collect the clauses that a play breaks."""
        hand = self._board.hands[seat]
        wrong = self._must_draw(seat) | ({"5.7"} if card not in hand else set())
        if wrong:
            return wrong
        allowed = set(hand)
        for clause, narrow in self._narrowings():
            if card not in narrow(seat, allowed | {card}):
                wrong.add(clause)
            allowed = narrow(seat, allowed)
        return wrong

    # -------------------------------------------------------------- playing

    def _wrong_draw(self, seat: int, value: object) -> set[str]:
        """Collect the clauses that a draw breaks."""
        return set() if self._must_draw(seat) else {"6.3"}

    def _do_draw(self, seat: int, value: object) -> None:
        """Take the top card of the stock."""
        board = self._board
        if not board.table and self.options["revoke_until"] == "next_lead":
            self._end_correction()
        card = board.stock.pop(0)
        board.hands[seat].add(card)
        board.drew.append(card)
        self.draw_log.append((seat, card))
        self.shown_drew = list(board.drew)

    def _do_play(self, seat: int, card: str, irregular: bool) -> None:
        """Play a card."""
        board = self._board
        if not board.table:
            self._end_correction()
        if irregular:
            self._note_revoke(seat, card)
        self.shown_drew = board.drew
        board.drew = []
        board.hands[seat].remove(card)
        board.table.append(card)
        board.broken = board.broken or self._breaks_hearts(card)
        if len(board.table) == len(board.order):
            self._complete_trick()

    def _breaks_hearts(self, card: str) -> bool:
        """Tell whether a card breaks hearts when it is played."""
        queen_breaks = bool(self.options["queen_breaks_hearts"])
        return card[1] == "H" or (card == QUEEN and queen_breaks)

    def _note_revoke(self, seat: int, card: str) -> None:
        """Record a revoke, with a copy of the board from before it."""
        board = self._board
        number = sum(board.tricks) + 1
        revoke = Revoke(seat, number, card, board.copy(), len(self.draw_log))
        self.revokes.append(revoke)

    def _complete_trick(self) -> None:
        """Give the trick to its winner and go on."""
        board = self._board
        led = board.table[0][1]
        best = max((card for card in board.table if card[1] == led), key=rank)
        winner = board.order[board.table.index(best)]
        self._collect(winner)
        self.completed = {
            "leader": board.leader,
            "cards": " ".join(board.table),
            "winner": winner,
        }
        last = board.order[-1]
        board.table = []
        if self.options["revoke_until"] == "trick_complete":
            self._end_correction()
        if self._play_ends():
            self._finish_play(last)
        else:
            self._start_trick(self._next_leader(winner))

    def _play_ends(self) -> bool:
        """Tell whether the play ends with the trick just completed."""
        board = self._board
        if len(board.holders()) <= 1:
            return True
        if self.options["deal_ends"] == "all_played":
            return False
        return not any(self._matters(card) for hand in board.hands for card in hand)

    def _matters(self, card: str) -> bool:
        """Tell whether a card can still change the score."""
        return self._is_penalty(card) or card == self.options["bonus_card"]

    def _collect(self, winner: int) -> None:
        """Let the winner take the trick, and the kitty if this trick wins it."""
        board = self._board
        board.taken[winner] |= set(board.table)
        board.tricks[winner] += 1
        if self._kitty_falls():
            board.taken[winner] |= board.kitty
            board.won_kitty |= board.kitty
            board.kitty = set()
        board.first = False
        board.winner = winner
        board.quitted = False

    def _kitty_falls(self) -> bool:
        """Tell whether the trick just completed wins the kitty."""
        match self.options["kitty_to"]:
            case "first_trick":
                return self._board.first
            case "last_trick":
                return not self._board.holders()
        return any(self._is_penalty(card) for card in self._board.table)

    def _next_leader(self, winner: int) -> int:
        """Return the winner, or the next seat to its left that holds cards."""
        seat = winner
        while not self._board.hands[seat]:
            seat = (seat + 1) % self.players
        return seat

    def _finish_play(self, last: int) -> None:
        """Give the rest of the stock to the seat that gets it, if any, and score."""
        board = self._board
        holders = board.holders()
        if holders:
            takes = bool(self.options["survivor_takes_stock"])
        else:
            takes = self.options["no_survivor_stock"] == "last_to_play"
        if takes:
            taker = holders[0] if holders else last
            board.hands[taker] |= set(board.stock)
            board.stock = []
        self._settle()

    # ------------------------------------------------------------- revokes

    def _end_correction(self) -> None:
        """Close the time for correction: revokes that are still open now stand."""
        for revoke in self.revokes:
            if revoke.state == "open":
                revoke.state = "standing"

    def _find_open(self, seat: int, card: str) -> Revoke | None:
        """Find the revoke that a seat can correct with this card."""
        for revoke in self.revokes:
            if (revoke.seat, revoke.card, revoke.state) == (seat, card, "open"):
                return revoke
        return None

    def _wrong_retract(self, seat: int, card: str) -> set[str]:
        """Collect the clauses that a retraction breaks."""
        mine = [r.state for r in self.revokes if (r.seat, r.card) == (seat, card)]
        if "open" in mine:
            return set()
        return {"7.4"} if "standing" in mine else {"7.3"}

    def _do_retract(self, seat: int, card: str) -> None:
        """Restore the board before the revoke, but keep the cards drawn since."""
        revoke = self._find_open(seat, card)
        assert revoke is not None
        self._unsettle()
        self.choice = None
        drawn = self.draw_log[revoke.draws :]
        board = revoke.board.copy()
        board.stock = board.stock[len(drawn) :]
        for drawer, its_card in drawn:
            board.hands[drawer].add(its_card)
        self.board = board
        self.phase = "play"
        self._drop_later_revokes(revoke)
        revoke.state = "corrected"
        self._show_turn_draws(seat)

    def _drop_later_revokes(self, revoke: Revoke) -> None:
        """Forget the open revokes that came after this one."""
        place = self.revokes.index(revoke) + 1
        later = [r for r in self.revokes[place:] if r.state != "open"]
        self.revokes = self.revokes[:place] + later

    def _show_turn_draws(self, seat: int) -> None:
        """Show what a seat has drawn in its present turn."""
        if self.phase == "play":
            mine = seat == self._to_play()
            self.shown_drew = list(self._board.drew) if mine else []

    def _wrong_quit(self, seat: int, value: object) -> set[str]:
        """Collect the clauses that quitting a trick breaks."""
        board = self.board
        penalised = self.options["revokes"] == "penalised"
        by_quit = self.options["revoke_until"] == "trick_quitted"
        if not penalised or not by_quit or board is None:
            return {"7.6"}
        over = self.ended_by is not None or bool(board.table) or board.quitted
        return {"7.6"} if over or board.winner != seat else set()

    def _do_quit(self, seat: int, value: object) -> None:
        """Quit the trick that was completed last."""
        self._board.quitted = True
        self._end_correction()
        self._show_turn_draws(seat)

    def _is_early(self, trick: int) -> bool:
        """Tell whether a claim about a trick is too early, judged by public facts."""
        board = self.board
        complete = sum(board.tricks) if board is not None else 0
        if board is None or trick > complete:
            return True
        if trick < complete or self.phase != "play":
            return False
        return self._time_runs(board)

    def _time_runs(self, board: Board) -> bool:
        """Tell whether a revoke in the last complete trick could still be corrected."""
        if self.options["revokes"] == "rejected" or board.winner is None:
            return False
        match self.options["revoke_until"]:
            case "trick_quitted":
                return not board.table and not board.quitted
            case "next_lead":
                return not board.table and not board.drew
        return False

    def _find_claimed(self, claim: dict[str, int]) -> Revoke | None:
        """Find the revoke that a claim is about, if there is one."""
        for revoke in self.revokes:
            same = (revoke.seat, revoke.trick) == (claim["seat"], claim["trick"])
            if same and revoke.state in ("open", "standing"):
                return revoke
        return None

    def _wrong_claim(self, seat: int, claim: dict[str, int]) -> set[str]:
        """Collect the clauses that a claim breaks; an early one is not examined."""
        wrong = {"7.7b"} if self.ended_by is not None else set()
        if self._is_early(claim["trick"]):
            wrong.add("7.7")
        elif self._find_claimed(claim) is None:
            wrong.add("7.7a")
        return wrong

    def _do_claim(self, seat: int, claim: dict[str, int]) -> None:
        """Establish the revoke that a claim is about."""
        revoke = self._find_claimed(claim)
        assert revoke is not None
        ends = bool(self.options["revoke_ends_deal"])
        if ends or revoke.state == "open":
            self._end_correction()
        revoke.state = "established"
        if ends:
            self.ended_by = revoke.seat
        if ends or self.phase != "play":
            self._settle()
        self._show_turn_draws(seat)

    # ------------------------------------------------------------- scoring

    def _points_of(self, card: str) -> int:
        """Return the points that a card costs."""
        if card[1] == "H":
            cost = self.options["heart_points"]
            return rank(card) + 2 if cost == "face" else int(cost)
        spades = {QUEEN: "queen_points", "KS": "king_points", "AS": "ace_points"}
        return int(self.options[spades[card]]) if card in spades else 0

    def _is_penalty(self, card: str) -> bool:
        """Tell whether a card costs points."""
        return self._points_of(card) != 0

    def _points(self, cards: set[str]) -> int:
        """Add up the penalty points of cards."""
        return sum(self._points_of(card) for card in cards)

    def shooter(self) -> int | None:
        """Return the seat with every card that a moon needs, if there can be a moon."""
        if not self._moon_exists() or self.ended_by is not None:
            return None
        needed = {card for card in self.in_play if self._is_penalty(card)}
        if self._bonus_needed():
            needed.add(self.options["bonus_card"])
        barred = {r.seat for r in self.revokes if r.state == "established"}
        for seat in range(self.players):
            if seat not in barred and needed <= self._board.holdings(seat):
                return seat
        return None

    def _bonus_needed(self) -> bool:
        """Tell whether a moon needs the bonus card too."""
        asked = bool(self.options["moon_needs_bonus"])
        return asked and self.options["bonus_card"] != "none"

    def _moon_exists(self) -> bool:
        """Tell whether there can be a moon in this deal at all."""
        if self.options["moon"] == "none":
            return False
        if self._bonus_needed() and self.options["bonus_card"] not in self.in_play:
            return False
        hearts = len(of_suit(self.in_play, "H"))
        if self._is_penalty(QUEEN):
            return QUEEN in self.in_play and hearts >= 1
        return hearts >= 2

    def _moon_choices(self) -> list[Any]:
        """List the ways of scoring a moon that the shooter may choose from."""
        if self.options["moon"] == "choice_all":
            return ["self_minus", "others_plus"]
        [shooter] = self._turn()
        ones = [{"one": s} for s in range(self.players) if s != shooter]
        return ["self_minus", *ones]

    def _wrong_moon(self, seat: int, choice: Any) -> set[str]:
        """Collect the clauses that a moon choice breaks."""
        return set() if choice in self._moon_choices() else {"8.6"}

    def _do_moon(self, seat: int, choice: Any) -> None:
        """Score the deal by the choice of the shooter."""
        self.choice = choice
        self._settle()

    def _settle(self) -> None:
        """Score the deal, or ask for the moon choice first."""
        self._unsettle()
        shooter = self.shooter()
        asks = self.options["moon"] in ("choice_all", "choice_one")
        if shooter is not None and asks and self.choice is None:
            self.phase = "moon"
            return
        self.score = self._deal_score(shooter)
        self.before = Standing(self.dealer, self.deal, self.totals, self.reached)
        self.totals, self.reached, self.winners = self._end_with(self.score)
        self.phase = "over"
        if not self.single and self.winners is None:
            self.phase = "deal"
            self.dealer = (self.dealer + 1) % self.players
            self.deal += 1

    def _unsettle(self) -> None:
        """Undo the score of the deal and everything that followed from it."""
        self.score = None
        self.winners = None
        if self.before is not None:
            self.dealer, self.deal = self.before.dealer, self.before.deal
            self.totals, self.reached = self.before.totals, self.before.reached
            self.before = None

    def _revoke_cost(self) -> int:
        """Return what an established revoke costs."""
        cost = self.options["revoke_points"]
        return self._points(self.in_play) if cost == "all" else int(cost)

    def _deal_score(self, shooter: int | None) -> list[int]:
        """Work out what each seat scores in this deal."""
        if self.ended_by is not None:
            score = [0] * self.players
            score[self.ended_by] = self._revoke_cost()
            return score
        if shooter is None:
            return self._with_extras(self._plain_score())
        how = self.choice or self.options["moon"]
        if how == "others_plus_unless_losing":
            plus = self._with_extras(self._moon_score(shooter, "others_plus"))
            winners = self._end_with(plus)[2]
            spoilt = winners is not None and winners != [shooter]
            how = "self_minus" if spoilt else "others_plus"
        return self._with_extras(self._moon_score(shooter, how))

    def _plain_score(self) -> list[int]:
        """Work out the score without a moon.

        It consists of points and of what seats without a trick score.
        """
        board = self._board
        seats = range(self.players)
        score = [self._points(board.holdings(seat)) for seat in seats]
        for seat in seats:
            if board.tricks[seat] == 0:
                score[seat] += self.options["no_trick_points"]
        return score

    def _moon_score(self, shooter: int, how: Any) -> list[int]:
        """Work out the score of a moon or a sun."""
        tricks = self._board.tricks
        sun = self.options["sun_points"]
        amount = self._points(self.in_play)
        if sun and tricks[shooter] == sum(tricks):
            amount = sun
        score = [0] * self.players
        for seat in range(self.players):
            if how == "self_minus" and seat == shooter:
                score[seat] = -amount
            elif how == {"one": seat} or (how == "others_plus" and seat != shooter):
                score[seat] = amount
        return score

    def _with_extras(self, score: list[int]) -> list[int]:
        """Add the bonus card and the established revokes."""
        for seat in range(self.players):
            if self.options["bonus_card"] in self._board.holdings(seat):
                score[seat] += self.options["bonus_points"]
        for revoke in self.revokes:
            if revoke.state == "established":
                score[revoke.seat] += self._revoke_cost()
        return score

    # ----------------------------------------------------- end of the match

    def _end_with(self, score: list[int]) -> tuple[list[int], bool, list[int] | None]:
        """Work out the new totals, whether the limit is reached, and who has won."""
        totals = [t + s for t, s in zip(self.totals, score, strict=True)]
        limit = self.options["limit"]
        becomes = self.options["exact_limit_becomes"]
        if limit != "none" and becomes != "none":
            totals = [becomes if total == limit else total for total in totals]
        lowest = [s for s, total in enumerate(totals) if total == min(totals)]
        if limit == "none":
            over = self.deal >= self.options["deals"]
            return totals, False, lowest if over else None
        reached = self.reached or self._beyond(max(totals), limit)
        played_on = self.options["ties"] == "play_on" and len(lowest) > 1
        over = reached and not played_on
        return totals, reached, lowest if over else None

    def _beyond(self, total: int, limit: int) -> bool:
        """Tell whether a total ends the match."""
        if self.options["limit_rule"] == "reach":
            return total >= limit
        return total > limit
