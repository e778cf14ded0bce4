"""Many tables played at once, with one choice at each table in every step."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from refengine.chapters.cards import (
    EMPTY,
    PACK,
    Mask,
    card_at,
    cards_in,
    count,
    numbers_of,
    points_of,
)
from refengine.chapters.draw import next_card
from refengine.chapters.layout import Hand, Packet, Position, Talon
from refengine.chapters.score import UNSETTLED
from refengine.chapters.settings import Rules
from refengine.chapters.table import OVER, PASSING, PLAYING
from refengine.learning.fast.accounts import Accounts
from refengine.learning.fast.chance import after_chance, begun
from refengine.learning.fast.choices import (
    DRAW,
    FORWARD,
    NUMBERS,
    addressed,
    cards_to_choose,
    others_to_choose,
    pass_is_whole,
    seat_to_choose,
    settled_by,
)
from refengine.learning.fast.encoding import (
    DREW,
    ORDER,
    RECORD,
    TRICK,
    Rows,
    forget_record,
    write_play,
    write_rest,
    write_standing,
)
from refengine.machine.altered import at_position
from refengine.machine.core import Core
from refengine.machine.position import after_draw, after_play, playable
from refengine.machine.random_numbers import Chance
from refengine.machine.stepping import after_last_trick, after_moon_choice, after_pass

# A word has 64 bits: the cards, then eleven other numbers, then a twelfth as the sign.
_ELEVEN: Final = 2**11 - 1
_SIGN: Final = -(2**63)
_DRAWING: Final = 2**DRAW

Game = tuple[Rules, bool, int, list[Chance]]
Lists = tuple[
    list[tuple[Hand, ...]],
    list[Talon],
    list[Core],
    list[list[int]],
    list[int],
]


@final
class Tables:
    """Many tables of one ruleset, each with its own deal or match.

    Callers read the vectors below, which have an entry, or a group of them, for each
    table. `words` holds the set of numbers that may be chosen, as two words of 64 bits.
    `seats` holds the seat that is to choose, or -1 if the episode is over, in which
    case `ended` holds 1. `scores` holds a number for each seat: its score if the last
    choice ended a deal, else 0. `seen_by` holds the seat whose row in `rows` is up to
    date after `look`: the seat that is to choose or, once the episode is over, the seat
    that chose last.
    """

    def __init__(
        self,
        rules: Rules,
        is_match: bool,
        number: i64,
        chances: list[Chance],
        begin: bool = True,
    ) -> None:
        tables = len(chances)
        players = int(rules.players)
        self.tables: Final[i64] = tables
        self.rules: Final = rules
        self.is_match: Final = is_match
        self.number: Final = number
        self.chances: Final = chances
        self.words: Final = vec[i64]([0] * (2 * tables))
        self.seats: Final = vec[i64]([0] * tables)
        self.ended: Final = vec[u8]([0] * tables)
        self.scores: Final = vec[i64]([0] * (players * tables))
        self.rows: Final = Rows(tables, players)
        self.seen_by: Final = vec[i64]([0] * tables)
        # During play, the state of a table is in its account, its hands and its talon;
        # its core dates from before play.
        self._playing: Final = vec[u8]([0] * tables)
        self._accounts: Final = Accounts(tables, players)
        self._hands: Final[list[tuple[Hand, ...]]] = []
        self._talons: Final[list[Talon]] = []
        self._cores: Final[list[Core]] = []
        self._given: Final[list[list[int]]] = []
        self._scored: Final[list[int]] = []
        self._no_talon: Final = Talon((), 0, EMPTY, -1)
        if not begin:
            return
        for table, chance in enumerate(chances):
            core = begun(rules, is_match, number, chance)
            self._hands.append(())
            self._talons.append(self._no_talon)
            self._cores.append(core)
            self._given.append([])
            self._stand(table, core)

    def __reduce__(self) -> tuple[object, ...]:
        game = (self.rules, self.is_match, int(self.number), self.chances)
        lists = (self._hands, self._talons, self._cores, self._given, self._scored)
        return tables_at, (game, lists, self._vectors())

    def _vectors(self) -> tuple[list[int], ...]:
        return (
            [int(number) for number in self.words],
            [int(number) for number in self.seats],
            [int(number) for number in self.scores],
            [int(number) for number in self.seen_by],
            [int(number) for number in self._accounts.rows],
            [int(number) for number in self.rows.sets],
            [int(number) for number in self.rows.numbers],
            [int(number) for number in self.rows.record],
            [int(number) for number in self.ended],
            [int(number) for number in self._playing],
        )

    def _restore(self, lists: Lists, vectors: tuple[list[int], ...]) -> None:
        hands, talons, cores, given, scored = lists
        self._hands.extend(hands)
        self._talons.extend(talons)
        self._cores.extend(cores)
        self._given.extend(given)
        self._scored.extend(scored)
        words, seats, scores, seen_by, accounts, sets, numbers, *small = vectors
        record, ended, playing = small
        _fill(self.words, words)
        _fill(self.seats, seats)
        _fill(self.scores, scores)
        _fill(self.seen_by, seen_by)
        _fill(self._accounts.rows, accounts)
        _fill(self.rows.sets, sets)
        shown = self.rows.numbers
        for place, number in enumerate(numbers):
            shown[place] = i32(number)
        _fill_small(self.rows.record, record)
        _fill_small(self.ended, ended)
        _fill_small(self._playing, playing)

    def wrong(self, choices: bytes) -> i64:
        """The index of the first table whose choice is not allowed, or -1 if all are.

        `choices` holds a number for each table; any number is allowed at a table whose
        episode is over.
        """
        words = self.words
        ended = self.ended
        table: i64 = 0
        while table < self.tables:
            number: i64 = choices[table]
            if not ended[table]:
                if number >= NUMBERS:
                    return table
                if not (words[2 * table + (number >> 6)] >> (number & 63)) & 1:
                    return table
            table += 1
        return -1

    def step(self, choices: bytes) -> None:
        """Make the choice given for each table, which must be allowed there.

        At a table whose episode is over, a new episode begins and the choice is
        ignored.
        """
        self._forget_scores()
        table: i64 = 0
        while table < self.tables:
            number: i64 = choices[table]
            if self._playing[table]:
                if number == DRAW:
                    self._draw(table)
                else:
                    self._play(table, number)
            elif self.ended[table]:
                self.ended[table] = 0
                self._stand(table, self._begun(table))
            else:
                self._choose(table, number)
            table += 1

    def look(self) -> None:
        """Write into `rows` what the seat in `seen_by` sees at each table."""
        rows = self.rows
        accounts = self._accounts
        table: i64 = 0
        while table < self.tables:
            seat = self.seen_by[table]
            if self._playing[table]:
                cards = Mask(self.words[2 * table] & PACK)
                write_play(accounts, seat, cards, rows, table)
            else:
                write_rest(self._cores[table], accounts, seat, rows, table)
            table += 1

    def _forget_scores(self) -> None:
        for table in self._scored:
            first = i64(table) * self.rules.players
            for seat in range(self.rules.players):
                self.scores[first + seat] = 0
        self._scored.clear()

    # In play

    def _position(self, table: i64) -> Position:
        return self._accounts.moved(self._hands[table], self._talons[table], table)

    def _draw(self, table: i64) -> None:
        before = self._position(table)
        number = next_card(before.talon)
        drawn = count(before.drew) + 1
        self.rows.record[table * RECORD + DREW + number] = u8(drawn)
        after = after_draw(before)  # the same position, changed in place
        self._hands[table] = after.hands
        self._talons[table] = after.talon
        self._accounts.draw(card_at(number), after.turn, table)
        self._accounts.keep(after, table)
        self._accounts.keep_talon(after.talon, table)
        self._write_cards(table, after)

    def _play(self, table: i64, number: i64) -> None:
        accounts = self._accounts
        before = self._position(table)
        self._write_played(table, before, number)
        card = card_at(number)
        accounts.play(card, before.turn, table)
        talon = before.talon
        after = after_play(self.rules, before, card)  # the same object, changed
        accounts.keep(after, table)
        if not after.table:
            trick = after.piles.trick
            points = points_of(self.rules, trick)
            accounts.win(trick, after.piles.winner, points, table)
            if after.talon is not talon:  # the kitty has been taken
                self._talons[table] = after.talon
                accounts.keep_talon(after.talon, table)
        if after.turn >= 0:
            self._write_cards(table, after)
        else:
            last = accounts.last(self._hands[table], self._talons[table], table)
            core = at_position(self._cores[table], last)
            self._go_on(table, after_last_trick(core, UNSETTLED))

    def _write_cards(self, table: i64, position: Position) -> None:
        """Write which seat is to play and which cards it may play, or a draw.

        A draw is written if the seat may play no card.
        """
        self.seats[table] = position.turn
        self.seen_by[table] = position.turn
        word: i64 = playable(self.rules, position)
        if not word:
            word = _DRAWING
        self.words[2 * table] = word

    def _write_played(self, table: i64, position: Position, number: i64) -> None:
        """Write a play into the record, and erase the draws made in the same turn."""
        record = self.rows.record
        at = table * RECORD
        if position.drew:
            for drawn in numbers_of(position.drew):
                record[at + DREW + drawn] = 0
        record[at + ORDER + number] = u8(count(position.played) + 1)
        record[at + TRICK + number] = u8(self._accounts.tricks(table) + 1)

    # Before and after play

    def _choose(self, table: i64, number: i64) -> None:
        """Make a choice in the pass or about a moon, not a play or a draw."""
        core = self._cores[table]
        seat = self.seats[table]
        given = self._given[table]
        if core.phase != PASSING:
            settled = settled_by(seat, number, self.rules.players)
            self._go_on(table, after_moon_choice(core, settled))
            return
        if number == FORWARD:
            self._go_on(table, after_pass(core, seat, Packet(EMPTY, (), True)))
            return
        given.append(int(number))
        cards = cards_in(tuple(given))
        if not pass_is_whole(core, cards):
            write_standing(core, seat, given, self.rows, table)
            self._write_choices(table)
            return
        packet = Packet(cards, addressed(core, seat, given), False)
        given.clear()
        self._go_on(table, after_pass(core, seat, packet))

    def _go_on(self, table: i64, core: Core) -> None:
        """Store the score, if the deal has one, and bring the match to its next choice.

        If no choice is left, the episode is over.
        """
        result = core.result
        if result is not None and result.score:
            self._scored.append(int(table))
            first = table * self.rules.players
            for seat, points in enumerate(result.score):
                self.scores[first + seat] = points
        self._stand(table, after_chance(core, self.chances[table]))

    def _begun(self, table: i64) -> Core:
        return begun(self.rules, self.is_match, self.number, self.chances[table])

    def _stand(self, table: i64, core: Core) -> None:
        """Put this match on the table, and write what does not change during play.

        If the match is in play, that is written for every seat; otherwise only for the
        seat in `seen_by`, since no other seat then looks at the table.
        """
        position = core.position
        if core.result is None or core.result.stock_to >= 0:
            self._accounts.begin(core, table)
        if core.result is None and (position is None or not position.played):
            forget_record(self.rows, table)
        if core.phase == PLAYING and position is not None:
            self._playing[table] = 1
            # The garbage collector would go through a stored position again and again.
            self._cores[table] = at_position(core, None)
            self._hands[table] = position.hands
            self._talons[table] = self._no_talon
            if position.talon.stock or position.talon.kitty:
                self._talons[table] = position.talon
            self.words[2 * table + 1] = 0
            self._write_cards(table, position)
            for seat in range(self.rules.players):
                write_standing(core, seat, self._given[table], self.rows, table)
            return
        self._playing[table] = 0
        self._cores[table] = core if core.phase != OVER else at_position(core, None)
        self._write_choices(table)
        seat = self.seen_by[table]
        write_standing(core, seat, self._given[table], self.rows, table)

    def _write_choices(self, table: i64) -> None:
        """Write which seat is to choose outside play, and which numbers it may choose.

        If no seat is to choose, the episode is marked as over.
        """
        core = self._cores[table]
        seat = seat_to_choose(core)
        self.seats[table] = seat
        word: i64 = 0
        others: i64 = 0
        if seat < 0:
            self.ended[table] = 1
        else:
            self.seen_by[table] = seat
            given = cards_in(tuple(self._given[table]))
            cards = cards_to_choose(core, seat, given)
            others = others_to_choose(core, cards, seat, given)
            word = cards | ((others & _ELEVEN) << 52)
            if others & (_ELEVEN + 1):
                word = word | _SIGN
        self.words[2 * table] = word
        self.words[2 * table + 1] = others >> 12


# These let tables be copied and pickled, which vectors do not allow


def tables_at(game: Game, lists: Lists, vectors: tuple[list[int], ...]) -> Tables:
    """Rebuild a `Tables` object from the contents that were pickled or copied."""
    rules, is_match, number, chances = game
    tables = Tables(rules, is_match, number, chances, False)
    tables._restore(lists, vectors)
    return tables


def _fill(vector: vec[i64], numbers: list[int]) -> None:
    for place, number in enumerate(numbers):
        vector[place] = number


def _fill_small(vector: vec[u8], numbers: list[int]) -> None:
    for place, number in enumerate(numbers):
        vector[place] = u8(number)
