"""How a game that a line describes begins: ruleset, match or deal as found."""

from collections.abc import Callable

from mypy_extensions import i64

from refengine.cards import EMPTY
from refengine.core import Core, Sheet
from refengine.opening import match_breaks, open_match, open_setup, setup_breaks
from refengine.rules import Rules
from refengine.scanning import Scan, number_text

Written = tuple[Rules, bytes]
Rulesets = Callable[[bytes], Written | None]
"""From a ruleset as our writer writes it to its rules and its RFC 8785 form."""


def opening(scan: Scan, rulesets: Rulesets) -> tuple[Core | None, bytes]:
    """The first moment of the game, and how it begins in RFC 8785 form."""
    if not scan.takes(b',"ruleset":'):
        return None, b""
    start = scan.at
    end = scan.line.find(b'},"', start)
    if end < 0:
        return None, b""
    text = scan.line[start : end + 1]
    written = rulesets(text)
    if written is None:
        return None, b""
    rules, ruleset = written
    scan.at = end + 1
    if scan.takes(b',"setup":'):
        core, setup = _setup(scan, rules)
        return core, b'"ruleset":' + ruleset + b',"setup":' + setup + b',"steps":['
    if scan.takes(b',"match":'):
        start = scan.at
        core = _match(scan, rules)
        match = scan.since(start)
        return core, b'"match":' + match + b',"ruleset":' + ruleset + b',"steps":['
    return None, b""


def _match(scan: Scan, rules: Rules) -> Core | None:
    """A match from the cut or with a dealer, of 52 cards or a named pack."""
    dealer: i64 = -1
    pack = EMPTY
    if not scan.takes(b"{"):
        return None
    if scan.takes(b'"dealer":'):
        dealer = scan.natural()
        if dealer < 0 or dealer >= rules.players:
            return None
        if scan.takes(b',"pack":'):
            pack = scan.set_of_cards()
            if pack <= 0:
                return None
    elif scan.takes(b'"pack":'):
        pack = scan.set_of_cards()
        if pack <= 0:
            return None
    if not scan.takes(b"}") or match_breaks(rules, pack):
        return None
    return open_match(rules, pack, dealer)


def _setup(scan: Scan, rules: Rules) -> tuple[Core | None, bytes]:
    """A deal as found, and its RFC 8785 form; positions are not read here."""
    if not scan.takes(b'{"dealer":'):
        return None, b""
    dealer = scan.natural()
    if not scan.takes(b',"deal":') or dealer < 0 or dealer >= rules.players:
        return None, b""
    deal = scan.natural()
    if deal < 1:
        return None, b""
    form = b'{"deal":' + number_text(deal) + b',"dealer":' + number_text(dealer)
    totals: tuple[int, ...] = tuple([0 for _ in range(rules.players)])
    rest = b""
    if scan.takes(b',"totals":'):
        start = scan.at
        given = scan.numbers()
        if given is None or given == totals or len(given) != rules.players:
            return None, b""
        totals = given
        rest = b',"totals":' + scan.since(start)
    if not scan.takes(b',"hands":'):
        return None, b""
    start = scan.at
    hands = scan.sets_of_cards()
    if hands is None or len(hands) != rules.players:
        return None, b""
    form += b',"hands":' + scan.since(start)
    stock: tuple[int, ...] = ()
    if scan.takes(b',"stock":'):
        start = scan.at
        cards = scan.sequence()
        if not cards:
            return None, b""
        stock = cards
        rest = b',"stock":' + scan.since(start) + rest
    kitty = EMPTY
    if scan.takes(b',"kitty":'):
        start = scan.at
        kitty = scan.set_of_cards()
        if kitty <= 0:
            return None, b""
        form += b',"kitty":' + scan.since(start)
    reached = scan.takes(b',"limit_reached":true')
    if reached:
        form += b',"limit_reached":true'
    if not scan.takes(b"}") or (reached and not rules.ties_played_on):
        return None, b""
    if setup_breaks(rules, hands, stock, kitty, deal):
        return None, b""
    sheet = Sheet(dealer, deal, totals, reached)
    return open_setup(rules, sheet, hands, stock, kitty), form + rest + b"}"
