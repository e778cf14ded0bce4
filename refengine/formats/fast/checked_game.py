"""The state of a game while its line is checked, and the expected text of the line."""

from typing import Final, final

from mypy_extensions import i64

from refengine.chapters.cards import card_at
from refengine.chapters.draw import drawn_now
from refengine.chapters.layout import Position
from refengine.chapters.score import UNSETTLED
from refengine.chapters.table import PLAYING
from refengine.formats.fast.observed import OBSERVED
from refengine.formats.fast.scanning import Scan
from refengine.machine.core import Core, Record
from refengine.machine.position import after_play
from refengine.machine.stepping import after_last_trick


def in_play(core: Core, position: Position, record: Record) -> Core:
    """The match in its play phase, with this position and this record of the deal."""
    return Core(
        rules=core.rules,
        pack=core.pack,
        named=core.named,
        single=core.single,
        phase=PLAYING,
        cut=core.cut,
        sheet=core.sheet,
        dealt=core.dealt,
        position=position,
        record=record,
        result=None,
    )


@final
class CheckedGame:
    """A game whose line is being read: the match after the acts so far.

    During play, `position` is ahead of `core`, which holds everything else. `table`
    holds the cards on the table and `trick` those of the last completed trick, both in
    order; `winner` took that trick, and `completed` says whether the last act completed
    it. `moved` is the position before the last act if that act was a play, and None
    otherwise. `texts` holds the parts of the text that the line should have from the
    first step on: that text is compared with the line only once, at the end of the
    line, so what is read on the way may still be wrong. `forms` holds the parts of the
    RFC 8785 form of that text, and `values` the forms of the fields of one moment, by
    field number.
    """

    def __init__(self, scan: Scan, core: Core) -> None:
        self.scan: Final = scan
        self.core: Core = core
        self.position: Position | None = core.position
        self.moved: Position | None = None
        self.table: list[int] = []
        self.trick: list[int] = []
        self.winner: i64 = 0
        self.completed: bool = False
        self.texts: Final[list[bytes]] = []
        self.forms: Final[list[bytes]] = []
        self.values: Final[list[bytes]] = [b""] * len(OBSERVED)

    def expect_text(self, text: bytes) -> None:
        """Expect this text next, and move past it without comparing it yet."""
        self.texts.append(text)
        self.scan.at += len(text)

    def skip_if_next(self, text: bytes) -> bool:
        """Whether this text comes next; if so, it is expected and moved past."""
        if not self.scan.skip_if_next(text):
            return False
        self.texts.append(text)
        return True

    def core_now(self) -> Core:
        """The match at this moment, without a record of the tricks completed so far."""
        position = self.position
        if position is None or position is self.core.position:
            return self.core
        self.core = in_play(self.core, position, Record(None, (), True, True))
        return self.core

    def move_to(self, core: Core) -> None:
        """Move on to `core`, the match after an act other than a play."""
        self.core = core
        self.position = core.position if core.phase == PLAYING else None
        self.moved = None
        self.completed = False

    def play(self, before: Position, card: i64) -> None:
        """Let the seat whose turn it is play this card.

        After the last play, the deal is scored or waits for the shooter's choice.
        """
        position = after_play(self.core.rules, before, card_at(card))
        self.moved = before
        self.position = position
        self.table.append(int(card))
        self.completed = not position.table
        if self.completed:
            self.trick = self.table
            self.table = []
            self.winner = position.winner
            if position.turn < 0:
                self.core = after_last_trick(self.core_now(), UNSETTLED)
                self.position = None

    def cards_drawn(self) -> tuple[int, ...]:
        """The numbers of the cards drawn in its turn by the seat that acted last."""
        if self.moved is not None:
            return drawn_now(self.moved)
        return drawn_now(self.position) if self.position is not None else ()
