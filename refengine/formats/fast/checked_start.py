"""A fast reader for the start of a game: its ruleset, and its `match` or `setup`."""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

from refengine.chapters.cards import EMPTY
from refengine.chapters.layout import Position
from refengine.chapters.settings import Rules
from refengine.formats.fast.scanning import Scan, number_text
from refengine.machine.core import Core, DealStart
from refengine.machine.moving import MovingPiles, moving_piles
from refengine.machine.opening import match_breaks, open_match, open_setup, setup_breaks

Written = tuple[Rules, bytes]
"""The rules of a ruleset, and its RFC 8785 form."""


@final
class Rulesets:
    """A reader of rulesets that remembers the last one that it read.

    `read` takes the text of a ruleset as the engine's own writer gives it, and returns
    the rules and their RFC 8785 form, or None if it cannot read the text. The last
    ruleset read is kept, because most lines of a file name the same ruleset as the
    line before. `piles` holds the object for the won cards of an earlier log, so that
    it can be used again.
    """

    def __init__(self, read: Callable[[bytes], Written | None]) -> None:
        self.read: Final = read
        self.latest: tuple[bytes, Written] | None = None
        self.piles: MovingPiles | None = None

    def piles_to_use_again(self, position: Position) -> MovingPiles:
        """Return piles for this position, made by an earlier call if possible.

        No trick may have been won in the position yet. The piles belong to the caller
        until the caller assigns them to `self.piles`, where the next call finds them.
        """
        piles = self.piles
        self.piles = None
        if piles is None or len(piles.found_taken) != len(position.hands):
            return moving_piles(position.piles)
        return piles

    def named(self, scan: Scan) -> Written | None:
        """Read a ruleset and move past it; return its rules and their RFC 8785 form.

        If the ruleset is wrong, or is not written as the engine's own writer would
        write it, the scan does not move and the result is None.
        """
        latest = self.latest
        if latest is not None and scan.skip_if_next(latest[0]):
            return latest[1]
        end = scan.line.find(b'},"', scan.at)
        if end < 0:
            return None
        text = scan.line[scan.at : end + 1]
        written = self.read(text)
        if written is not None:
            self.latest = text, written
            scan.at = end + 1
        return written


def read_opening(
    scan: Scan, rulesets: Rulesets, formed: bool
) -> tuple[Core | None, bytes]:
    """Read the ruleset and the start of a game, and return the state at its start.

    The state is None if the ruleset or the start is wrong, or if this fast reader does
    not read it. With `formed`, the second value is the text of both in RFC 8785 form,
    up to and including the opening bracket of `steps`.
    """
    written = rulesets.named(scan)
    if written is None:
        return None, b""
    rules, ruleset = written
    if scan.skip_if_next(b',"setup":{"dealer":'):
        core, setup = _setup(scan, rules, formed)
        if not formed:
            return core, b""
        return core, b'"ruleset":' + ruleset + b',"setup":' + setup + b',"steps":['
    if scan.skip_if_next(b',"match":'):
        start = scan.at
        core = _match(scan, rules)
        match = scan.text_since(start)
        return core, b'"match":' + match + b',"ruleset":' + ruleset + b',"steps":['
    return None, b""


def _match(scan: Scan, rules: Rules) -> Core | None:
    """Read a match and return the state at its start, or None if the match is wrong.

    A match that names no dealer begins with the cut. A match that names no pack is
    played with the usual pack.
    """
    dealer: i64 = -1
    pack = EMPTY
    if not scan.skip_if_next(b"{"):
        return None
    if scan.skip_if_next(b'"dealer":'):
        dealer = scan.read_natural()
        if dealer < 0 or dealer >= rules.players:
            return None
    if scan.skip_if_next(b'"pack":' if dealer < 0 else b',"pack":'):
        pack = scan.read_set_of_cards()
        if pack <= 0:
            return None
    if not scan.skip_if_next(b"}") or match_breaks(rules, pack):
        return None
    return open_match(rules, pack, dealer)


def _setup(scan: Scan, rules: Rules, formed: bool) -> tuple[Core | None, bytes]:
    """Read a `setup` from its dealer on, and return the state at the start of the deal.

    With `formed`, the second value is the RFC 8785 form of the setup. The state is None
    if the setup is wrong, or if this reader does not read it: it reads no position.
    """
    dealer = scan.read_natural()
    if not scan.skip_if_next(b',"deal":') or dealer < 0 or dealer >= rules.players:
        return None, b""
    deal = scan.read_natural()
    if deal < 1:
        return None, b""
    totals = (0,) * rules.players
    rest = b""
    if scan.skip_if_next(b',"totals":'):
        start = scan.at
        given = scan.read_numbers()
        if given is None or len(given) != rules.players:
            return None, b""
        if given == totals and formed:  # the writer and an id leave out totals of 0
            return None, b""
        totals = given
        rest = b',"totals":' + scan.text_since(start)
    if not scan.skip_if_next(b',"hands":'):
        return None, b""
    dealt_at = scan.at
    hands = scan.read_sets_of_cards()
    if hands is None or len(hands) != rules.players:
        return None, b""
    dealt_to = scan.at
    stock: tuple[int, ...] = ()
    if scan.skip_if_next(b',"stock":'):
        start = scan.at
        cards = scan.read_sequence()
        if not cards:
            return None, b""
        stock = cards
        rest = b',"stock":' + scan.text_since(start) + rest
    kitty = EMPTY
    more = b""
    if scan.skip_if_next(b',"kitty":'):
        start = scan.at
        kitty = scan.read_set_of_cards()
        if kitty <= 0:
            return None, b""
        more = b',"kitty":' + scan.text_since(start)
    reached = scan.skip_if_next(b',"limit_reached":true')
    if reached:
        more += b',"limit_reached":true'
    if not scan.skip_if_next(b"}") or (reached and not rules.ties_played_on):
        return None, b""
    if setup_breaks(rules, hands, stock, kitty, deal):
        return None, b""
    core = open_setup(
        rules, DealStart(dealer, deal, totals, reached), hands, stock, kitty
    )
    if not formed:
        return core, b""
    form = b'{"deal":' + number_text(deal) + b',"dealer":' + number_text(dealer)
    form += b',"hands":' + scan.line[dealt_at:dealt_to]
    return core, form + more + rest + b"}"
