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


class Illegal(Exception):
    """The act is refused and nothing has changed."""


def show(cards: set[str]) -> str:
    """Write a set of cards in the order C D S H, low to high."""
    return " ".join(sorted(cards, key=PLACE.__getitem__))


def read(text: object) -> list[str]:
    """Read cards in the order given, never one twice."""
    if not isinstance(text, str):
        raise Illegal("not a string of cards")
    cards = text.split()
    if len(set(cards)) != len(cards) or any(card not in PLACE for card in cards):
        raise Illegal("not cards, or a card twice")
    return cards


def rank(card: str) -> int:
    """Say how high a card stands in its suit."""
    return RANKS.index(card[0])


def of_suit(cards: set[str], suit: str) -> set[str]:
    """Keep the cards of one suit."""
    return {card for card in cards if card[1] == suit}


@dataclass
class Board:
    """Where all the cards of a deal lie, and who is to play."""

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

    def copy(self) -> Board:
        """Make a board that shares nothing with this one."""
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
        )

    def everything(self) -> set[str]:
        """Collect all cards of the deal, wherever they lie."""
        cards = set(self.stock) | self.kitty | set(self.table)
        return cards.union(*self.hands, *self.taken)

    def holders(self) -> list[int]:
        """List the seats that hold cards."""
        return [seat for seat, hand in enumerate(self.hands) if hand]

    def holdings(self, seat: int) -> set[str]:
        """Collect what counts for a seat when the play is over."""
        return self.taken[seat] | self.hands[seat]


@dataclass
class Revoke:
    """A failure to follow suit, with the board as it was before it."""

    seat: int
    trick: int
    card: str
    board: Board
    draws: int
    state: str = "open"


@dataclass
class Standing:
    """How the match stood before a deal was scored."""

    dealer: int
    deal: int
    totals: list[int]
    reached: bool


class Oracle:
    """One deal or one match, played by acts."""

    def __init__(
        self,
        options: dict[str, object],
        players: int,
        *,
        setup: dict[str, Any] | None = None,
        match: dict[str, Any] | None = None,
    ) -> None:
        """Open a deal as found, or a match."""
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
        """Clear what belongs to one deal only."""
        self.passes: dict[int, Any] = {}
        self.revokes: list[Revoke] = []
        self.draw_log: list[tuple[int, str]] = []
        self.choice: Any = None
        self.score: list[int] | None = None
        self.ended_by: int | None = None
        self.opening_club: str | None = None
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
        """Begin with one deal as found."""
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
        """Go to the middle of the play of a deal."""
        board = self._board
        none = [""] * self.players
        board.taken = [set(read(text)) for text in setup.get("taken", none)]
        board.tricks = list(setup.get("tricks", board.tricks))
        board.broken = bool(setup.get("hearts_broken", False))
        board.first = bool(setup.get("first_trick", False))
        trick = read(setup.get("trick", ""))
        self._begin_play(setup["leader"], trick, setup.get("out", []))

    def _after_removal(self) -> set[str]:
        """Take the low cards out of the pack that would be left over."""
        if self.options["removal"] != "lowest":
            return set(PACK)
        low = [rank + suit for rank in RANKS for suit in SUITS]
        return set(low[52 % self.players :])

    def _lay_out(
        self, hands: list[set[str]], stock: list[str], kitty: set[str]
    ) -> None:
        """Put the cards of a new deal on the board."""
        self._forget_deal()
        taken: list[set[str]] = [set() for _ in range(self.players)]
        self.board = Board(hands, stock, kitty, taken, [0] * self.players)

    @property
    def _board(self) -> Board:
        """Return the board where there must be one."""
        assert self.board is not None
        return self.board

    # -------------------------------------------------------------- public

    def legal(self) -> dict[str, Any]:
        """Say what is due now."""
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
        """Say whether an act is legal, irregular or refused."""
        if len(act) != 1 or not 0 <= seat < self.players:
            return "refused"
        [(key, value)] = act.items()
        if key == "play":
            return self._judge_play(seat, value)
        check = getattr(self, "_may_" + str(key), None)
        try:
            allowed = check is not None and check(seat, value)
        except Illegal:
            allowed = False
        return "legal" if allowed else "refused"

    def step(self, seat: int, act: dict[str, Any]) -> str:
        """Perform an act, or refuse it and change nothing."""
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
        """State every fact that makes sense now."""
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
        """State the facts of the deal on the board."""
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

    def _may_cut(self, seat: int, card: str) -> bool:
        """Tell whether a seat may draw this card for the deal."""
        open_card = card in self.cut_pack and card not in self.cut_used
        return self.phase == "cut" and seat in self.cut_due and open_card

    def _do_cut(self, seat: int, card: str) -> None:
        """Draw a card for the first deal."""
        if not self.cut_used or self.cut_round is None:
            self.cut_round = {}
        self.cut_used.add(card)
        self.cut_round[seat] = card
        self.cut_due.remove(seat)
        if not self.cut_due:
            self._end_cut_round(self.cut_round)

    def _end_cut_round(self, cards: dict[int, str]) -> None:
        """Find the dealer, or let the lowest cut again."""
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
        """Say how many cards go to each hand, the stock and the kitty."""
        undealt = self.options["undealt"]
        size = self.options["hand_size"]
        if size == "all":
            size = len(self.pack) // self.players
            if undealt == "kitty" and self.players == 4 and not self.named:
                size = 12
        rest = len(self.pack) - size * self.players
        return size, rest * (undealt == "stock"), rest * (undealt == "kitty")

    def _may_deal(self, seat: int, deal: dict[str, Any]) -> bool:
        """Tell whether this is a deal of the pack by the dealer."""
        if self.phase != "deal" or seat != self.dealer:
            return False
        hands = [read(text) for text in deal["hands"]]
        stock, kitty = read(deal.get("stock", "")), read(deal.get("kitty", ""))
        size, to_stock, to_kitty = self._sizes()
        if [len(hand) for hand in hands] != [size] * self.players:
            return False
        if len(stock) != to_stock or len(kitty) != to_kitty:
            return False
        cards = sum(hands, stock + kitty)
        return len(cards) == len(self.pack) and set(cards) == self.pack

    def _do_deal(self, seat: int, deal: dict[str, Any]) -> None:
        """Deal the cards."""
        hands = [set(read(text)) for text in deal["hands"]]
        kitty = set(read(deal.get("kitty", "")))
        self._lay_out(hands, read(deal.get("stock", "")), kitty)
        self._after_deal()

    def _after_deal(self) -> None:
        """Go on with the pass, or with the play where nobody passes."""
        if self._pass_kind() == "hold":
            self._open_play()
        else:
            self.phase = "pass"

    # ---------------------------------------------------------- the pass

    def _pass_kind(self) -> str:
        """Say how cards are passed in this deal."""
        cycle = list(self.options["pass_cycle"])
        if self.players % 2:
            cycle = [kind for kind in cycle if kind != "across"]
        return cycle[(self.deal - 1) % len(cycle)] if cycle else "hold"

    def _pass_ways(self) -> int:
        """Count the ways to pass own cards."""
        size = len(self._board.hands[self._turn()[0]])
        if self._pass_kind() == "scatter":
            return perm(size, self.players - 1)
        return comb(size, self.options["pass_count"])

    def _may_forward_at_all(self) -> bool:
        """Tell whether cards may be passed on unseen in this deal."""
        directed = self._pass_kind() in ("left", "right", "across")
        return directed and bool(self.options["pass_unseen"])

    def _due_to_pass(self, seat: int) -> bool:
        """Tell whether a seat has still to pass."""
        return self.phase == "pass" and seat not in self.passes

    def _may_forward(self, seat: int, value: object) -> bool:
        """Tell whether a seat may pass on unseen."""
        return self._due_to_pass(seat) and self._may_forward_at_all() and value == 1

    def _do_forward(self, seat: int, value: object) -> None:
        """Note that a seat passes on unseen."""
        self._note_pass(seat, None)

    def _may_pass(self, seat: int, value: Any) -> bool:
        """Tell whether a seat may pass these cards."""
        if not self._due_to_pass(seat):
            return False
        scatter = self._pass_kind() == "scatter"
        if isinstance(value, dict) != scatter:
            return False
        if scatter:
            others = {str(s) for s in range(self.players) if s != seat}
            cards = list(value.values())
            good = set(value) == others and len(set(cards)) == len(cards)
        else:
            cards = read(value)
            good = len(cards) == self.options["pass_count"]
        return good and set(cards) <= self._board.hands[seat]

    def _do_pass(self, seat: int, value: Any) -> None:
        """Note what a seat passes."""
        if isinstance(value, dict):
            self._note_pass(seat, {int(to): card for to, card in value.items()})
        else:
            self._note_pass(seat, set(read(value)))

    def _note_pass(self, seat: int, value: Any) -> None:
        """Keep a pass until the last one is in."""
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
        """Give every other player one card."""
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
        """Move the packets left, right or across, through unseen players."""
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
        """Collect the cards that a mix gives back."""
        pile: set[str] = set().union(*self.passes.values())
        return pile | self._board.kitty if self.options["mix_kitty"] else pile

    def _may_mix(self, seat: int, mix: dict[str, Any]) -> bool:
        """Tell whether the dealer may give the discards back like this."""
        if self.phase != "mix" or seat != self.dealer:
            return False
        hands = [read(text) for text in mix["hands"]]
        kitty = read(mix.get("kitty", ""))
        to_kitty = len(self._board.kitty) if self.options["mix_kitty"] else 0
        sizes = [self.options["pass_count"]] * self.players
        if [len(hand) for hand in hands] != sizes or len(kitty) != to_kitty:
            return False
        return set(sum(hands, kitty)) == self._pile()

    def _do_mix(self, seat: int, mix: dict[str, Any]) -> None:
        """Give the discards back, mixed."""
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
        self.opening_club = self._lowest_club()
        self._start_trick(leader)
        if trick:
            board.table = trick
            board.order = [s for s in self._round_from(leader) if s not in out]
        self.in_play = board.everything()
        if not trick and len(board.holders()) <= 1:
            self._finish_play(leader)

    def _lowest_club(self) -> str | None:
        """Find the lowest club in any hand."""
        hands = self._board.hands
        clubs = of_suit(set().union(*hands), "C")
        return min(clubs, key=rank) if clubs else None

    def _round_from(self, leader: int) -> list[int]:
        """List all seats in the order of play."""
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
        """Say whose turn it is in the play."""
        return self._board.order[len(self._board.table)]

    def _legal_play(self, answer: dict[str, Any]) -> None:
        """Say what the player may do."""
        seat = self._to_play()
        if self._draw_due(seat):
            answer["draw"] = 1
        else:
            answer["play"] = show(self._playable(seat))

    def _draw_due(self, seat: int) -> bool:
        """Tell whether the player has to draw."""
        board = self._board
        hand = board.hands[seat]
        if not board.stock:
            return False
        if board.table:
            return not of_suit(hand, board.table[0][1])
        draws = self.options["all_hearts_leader"] == "draw"
        return draws and self._hearts_closed() and of_suit(hand, "H") == hand

    def _hearts_closed(self) -> bool:
        """Tell whether hearts may not be led yet."""
        return self.options["heart_leads"] == "when_broken" and not self._board.broken

    def _playable(self, seat: int) -> set[str]:
        """Narrow a hand down to the cards that may be played."""
        allowed = set(self._board.hands[seat])
        for narrow in self._narrowings():
            allowed = narrow(seat, allowed)
        return allowed

    def _narrowings(self) -> list[Any]:
        """List the narrowing rules in their order."""
        return [
            self._opening_card,
            self._follow_suit,
            self._heart_lead,
            self._first_trick,
            self._queen_duty,
        ]

    def _opening_card(self, seat: int, allowed: set[str]) -> set[str]:
        """Keep the lowest club, or the clubs, for the opening lead."""
        board = self._board
        if board.table or not board.first or self.opening_club is None:
            return allowed
        kept = allowed
        if self.options["opening_card"] == "lowest_club":
            kept = allowed & {self.opening_club}
        elif self.options["opening_card"] == "any_club":
            kept = of_suit(allowed, "C")
        return kept or allowed

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

    def _queen_duty(self, seat: int, allowed: set[str]) -> set[str]:
        """Keep the queen where she can be got rid of."""
        board = self._board
        on_duty = self.options["queen_duty"] == "when_safe"
        if not on_duty or not board.table or QUEEN not in allowed:
            return allowed
        led = board.table[0][1]
        void = not of_suit(board.hands[seat], led)
        covered = led == "S" and bool({"KS", "AS"} & set(board.table))
        return {QUEEN} if void or covered else allowed

    def _judge_play(self, seat: int, card: str) -> str:
        """Judge a card."""
        if self.phase != "play" or seat != self._to_play():
            return "refused"
        if card not in self._board.hands[seat] or self._draw_due(seat):
            return "refused"
        if card in self._playable(seat):
            return "legal"
        penalised = self.options["revokes"] == "penalised"
        return "irregular" if penalised and self._mere_revoke(seat, card) else "refused"

    def _mere_revoke(self, seat: int, card: str) -> bool:
        """Tell whether a card fails to follow suit and breaks no other rule."""
        board = self._board
        if not board.table or card[1] == board.table[0][1]:
            return False
        if not of_suit(board.hands[seat], board.table[0][1]):
            return False
        allowed = set(board.hands[seat])
        for narrow in self._narrowings():
            other = narrow != self._follow_suit
            if other and card not in narrow(seat, allowed | {card}):
                return False
            allowed = narrow(seat, allowed)
        return True

    # -------------------------------------------------------------- playing

    def _may_draw(self, seat: int, value: object) -> bool:
        """Tell whether a seat has to draw."""
        due = self.phase == "play" and seat == self._to_play()
        return due and value == 1 and self._draw_due(seat)

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
        queen_breaks = card == QUEEN and bool(self.options["queen_breaks_hearts"])
        board.broken = board.broken or card[1] == "H" or queen_breaks
        if len(board.table) == len(board.order):
            self._complete_trick()

    def _note_revoke(self, seat: int, card: str) -> None:
        """Keep the board as it was before a revoke."""
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
        if len(board.holders()) <= 1:
            self._finish_play(last)
        else:
            self._start_trick(self._next_leader(winner))

    def _collect(self, winner: int) -> None:
        """Let the winner take the trick, and the kitty where it falls."""
        board = self._board
        board.taken[winner] |= set(board.table)
        board.tricks[winner] += 1
        if any(self._is_penalty(card) for card in board.table):
            board.taken[winner] |= board.kitty
            board.kitty = set()
        board.first = False
        board.winner = winner
        board.quitted = False

    def _next_leader(self, winner: int) -> int:
        """Find the winner, or the next to the left who holds cards."""
        seat = winner
        while not self._board.hands[seat]:
            seat = (seat + 1) % self.players
        return seat

    def _finish_play(self, last: int) -> None:
        """Give the rest of the stock to whom it belongs and score."""
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
        """Let every revoke stand that could be corrected."""
        for revoke in self.revokes:
            if revoke.state == "open":
                revoke.state = "standing"

    def _find_open(self, seat: int, card: str) -> Revoke | None:
        """Find the revoke that a seat can correct with this card."""
        for revoke in self.revokes:
            if (revoke.seat, revoke.card, revoke.state) == (seat, card, "open"):
                return revoke
        return None

    def _may_retract(self, seat: int, card: str) -> bool:
        """Tell whether a seat may take this card back."""
        return self._find_open(seat, card) is not None

    def _do_retract(self, seat: int, card: str) -> None:
        """Go back to before the revoke, keeping what was drawn."""
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
        """Show what a seat drew so far in its present turn."""
        if self.phase == "play":
            mine = seat == self._to_play()
            self.shown_drew = list(self._board.drew) if mine else []

    def _may_quit(self, seat: int, value: object) -> bool:
        """Tell whether a seat may turn down the trick it won."""
        board = self.board
        by_quit = self.options["revoke_until"] == "trick_quitted"
        if self.options["revokes"] != "penalised" or not by_quit or board is None:
            return False
        if self.ended_by is not None or board.table or board.quitted:
            return False
        return value == 1 and board.winner == seat

    def _do_quit(self, seat: int, value: object) -> None:
        """Turn down the trick."""
        self._board.quitted = True
        self._end_correction()
        self._show_turn_draws(seat)

    def _find_claimed(self, claim: dict[str, int]) -> Revoke | None:
        """Find the revoke that is claimed, if it can be established now."""
        if self.ended_by is not None:
            return None
        ripe = ["standing"] if self.phase == "play" else ["standing", "open"]
        for revoke in self.revokes:
            same = (revoke.seat, revoke.trick) == (claim["seat"], claim["trick"])
            if same and revoke.state in ripe:
                return revoke
        return None

    def _may_claim(self, seat: int, claim: dict[str, int]) -> bool:
        """Tell whether the claim is true, and neither early nor a second one."""
        return self._find_claimed(claim) is not None

    def _do_claim(self, seat: int, claim: dict[str, int]) -> None:
        """Establish a revoke."""
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
        """Say what one card costs."""
        if card[1] == "H":
            return int(self.options["heart_points"])
        return int(self.options["queen_points"]) if card == QUEEN else 0

    def _is_penalty(self, card: str) -> bool:
        """Tell whether a card costs points."""
        return self._points_of(card) != 0

    def _points(self, cards: set[str]) -> int:
        """Add up the penalty points of cards."""
        return sum(self._points_of(card) for card in cards)

    def shooter(self) -> int | None:
        """Find who has every penalty card, where that is a moon."""
        if self.options["moon"] == "none" or self.ended_by is not None:
            return None
        penalties = {card for card in self.in_play if self._is_penalty(card)}
        if QUEEN not in penalties or not of_suit(penalties, "H"):
            return None
        barred = {r.seat for r in self.revokes if r.state == "established"}
        for seat in range(self.players):
            if seat not in barred and penalties <= self._board.holdings(seat):
                return seat
        return None

    def _moon_choices(self) -> list[Any]:
        """List what the shooter may choose."""
        if self.options["moon"] == "choice_all":
            return ["self_minus", "others_plus"]
        [shooter] = self._turn()
        ones = [{"one": s} for s in range(self.players) if s != shooter]
        return ["self_minus", *ones]

    def _may_moon(self, seat: int, choice: Any) -> bool:
        """Tell whether the shooter may choose this."""
        if self.phase != "moon" or [seat] != self._turn():
            return False
        return choice in self._moon_choices()

    def _do_moon(self, seat: int, choice: Any) -> None:
        """Resolve the moon as the shooter chose."""
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
        """Take back the score of the deal and all that followed from it."""
        self.score = None
        self.winners = None
        if self.before is not None:
            self.dealer, self.deal = self.before.dealer, self.before.deal
            self.totals, self.reached = self.before.totals, self.before.reached
            self.before = None

    def _revoke_cost(self) -> int:
        """Say what one established revoke costs."""
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
        """Count penalty points, and who took no trick."""
        board = self._board
        seats = range(self.players)
        score = [self._points(board.holdings(seat)) for seat in seats]
        for seat in seats:
            if board.tricks[seat] == 0:
                score[seat] += self.options["no_trick_points"]
        return score

    def _moon_score(self, shooter: int, how: Any) -> list[int]:
        """Count a moon or a sun."""
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
        """Work out totals, whether the limit is reached, and the winners."""
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
