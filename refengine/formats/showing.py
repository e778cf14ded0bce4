"""A game as text for people: hands and passes, a table of tricks, and scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from refengine.errors import harmless
from refengine.formats.trace import Trace, applied, opened
from refengine.formats.written.rules_written import rules_text
from refengine.game.acts import Act, Claim, Cut, Deal, Draw, Mix, Play, Retract
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Refused


class GameSheet:
    """A writer of the lines that show a game, to which the acts are given in order."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.row = ["" for _ in range(state.ruleset.players)]
        self.done = [*self.row]  # the row of the trick completed last
        self.told: tuple[object, ...] = ()  # the score as last printed

    def opening(self) -> Iterator[str]:
        """Yield the ruleset and, if cards have been dealt, the lines of the deal."""
        yield rules_text(self.state.ruleset)
        if self.state.hands:
            yield from self.hands()
        self.lay_out(self.row)

    def hands(self) -> Iterator[str]:
        """Yield the lines of a deal: number, dealer, hands, and any stock or kitty."""
        state = self.state
        yield ""
        yield f"deal {state.deal}, seat {state.dealer} deals"
        for seat, hand in enumerate(state.hands):
            yield f"  seat {seat}  {hand or '-'}"
        if state.stock:
            yield f"  stock   {' '.join(map(str, state.stock))}"
        if state.kitty:
            yield f"  kitty   {state.kitty}"
        if state.phase == "play":
            yield from self.heading()

    def heading(self) -> Iterator[str]:
        """Yield the line with the names of the columns in the table of tricks."""
        seats = "".join(f"{f'seat {seat}':<12}" for seat in range(len(self.row)))
        yield f"  trick  {seats}winner"

    def after(self, act: Act) -> Iterator[str]:
        """Apply an act and yield the lines that show it; raises Refused if refused."""
        before = self.state
        verdict = before.verdict(act)
        self.state = applied(before, act, verdict)
        mark = "!" if isinstance(verdict, Irregular) else ""
        yield from self.act_lines(act, mark, before)
        if before.phase == "pass" and self.state.phase == "play":
            yield from self.hands()
        now = self.state
        scored = () if now.score is None else (now.score, now.totals, now.winners)
        if scored and scored != self.told:
            yield from self.score()
        self.told = scored

    def act_lines(self, act: Act, mark: str, before: State) -> Iterator[str]:
        """Yield the lines for an act that has been applied, without what it leads to.

        `mark` goes behind a card played, and `before` is the state before the act.
        """
        match act:
            case Play(seat, card):
                yield from self.played(seat, f"{card}{mark}", before)
            case Draw(seat):
                self.row[seat] += "+"
            case Deal():
                yield from self.hands()
            case Cut(seat, card):
                yield f"  seat {seat} cuts {card}"
            case Retract(seat, card):
                within = before.table is not None and before.table.cards
                row = self.row if within else self.done  # a whole row is put down
                yield from self.cells("")
                yield f"  seat {seat} takes back {card}"
                self.lay_out(row)
            case Mix():
                yield "  the mix is given back"
                yield from self.hands()
            case Claim():
                if self.state.phase != before.phase:
                    yield from self.cells("")  # the deal ends within the trick
                yield f"  seat {act.seat} says: {act.phrase}"
            case _:
                yield f"  seat {act.seat}: {act}"

    def played(self, seat: int, text: str, before: State) -> Iterator[str]:
        """Put a played card in the column of its seat.

        If the card completes the trick, yield the row of the trick.
        """
        lead = ">" if before.table is not None and not before.table.cards else ""
        self.row[seat] = f"{lead}{self.row[seat]}{text}"
        completed = self.state.completed
        if completed is not None:
            self.done = self.row
            yield from self.cells(f"seat {completed.winner}")

    def cells(self, winner: str) -> Iterator[str]:
        """Yield the current row of the table unless it is empty, and begin another."""
        if any(self.row):
            number = f"{len(self.state.history) if winner else '':>5}  "
            cells = "".join(f"{cell:<12}" for cell in self.row)
            yield f"  {number}{cells}{winner}".rstrip()
        self.row = ["" for _ in self.row]

    def lay_out(self, row: Sequence[str]) -> None:
        """Fill the current row with the cards that are on the table.

        If `row` already has text for the seat of a card, that text is used instead.
        """
        table = self.state.table
        cards = table.cards if table is not None else ()
        for seat, card in zip(self.state.seats_on_table, cards, strict=True):
            lead = "" if any(self.row) else ">"
            self.row[seat] = row[seat] or f"{lead}{card}"

    def score(self) -> Iterator[str]:
        """Yield the lines for the end of a deal: score, totals and any winners."""
        state = self.state
        yield f"  score   {' '.join(map(str, state.score or ()))}"
        yield f"  totals  {' '.join(map(str, state.totals))}"
        if state.winners is not None:
            yield f"  won by  {', '.join(f'seat {seat}' for seat in state.winners)}"


def shown(state: State, acts: Iterable[Act]) -> Iterator[str]:
    """Yield the lines that show a game from `state` on, up to the first act refused."""
    sheet = GameSheet(state)
    yield from sheet.opening()
    for act in acts:
        try:
            yield from sheet.after(act)
        except Refused as refused:
            yield from sheet.cells("")
            yield f"  refused: {refused}"
            return
    yield from sheet.cells("")


def shown_trace(trace: Trace) -> Iterator[str]:
    """Yield the lines that show the game of a trace as people would write it down.

    `>` marks a card that is led and `!` a revoke; each `+` stands for a card drawn.
    Raises Malformed if a seat is not at the table or the game cannot begin.
    """
    yield harmless(trace.name) or trace.id
    acts = [step.act for step in trace.steps]
    yield from shown(opened(trace.ruleset, trace.start), acts)
