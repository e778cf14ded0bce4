"""A compact notation for a deal in progress, as one line of ASCII.

`docs/formats.md` describes the line field by field. It holds what a `Setup` holds and
also, in the hands, the cards that have been passed and those that the leader has drawn.
From there, play can go on to the score of the deal as it would from the original state.
Earlier passes and tricks are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final, NamedTuple

import attrs

from refengine.chapters.cards import Mask
from refengine.chapters.layout import Packet
from refengine.chapters.revoke import ESTABLISHED
from refengine.chapters.settings import SCATTER, STOCK
from refengine.errors import Malformed, counted, shown
from refengine.formats import shapes
from refengine.formats.fast.checked_game import in_play
from refengine.formats.fields import setup_fields, setup_of
from refengine.formats.normal_form import Json, call_with_place, call_with_places
from refengine.formats.trace import opened
from refengine.formats.wire import convert_to_kind
from refengine.game.acts import Act, Draw, Pass, PassUnseen, Play, Scatter
from refengine.game.cited_rulesets import look_up_ruleset
from refengine.game.openings_in_words import malformed_opening
from refengine.game.rulesets import Ruleset
from refengine.game.seats import round_from
from refengine.game.setups import Setup
from refengine.game.typed import each_once, read_option
from refengine.game.values.cardset import CARDS, CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.machine.core import NO_RECORD, Core
from refengine.machine.notation import write_sequence

LONGEST: Final = 4000  # the most characters in a line that is read

_AS_FOUND: Final = ("dealer", "deal", "totals", "hands", "beside")
_IN_PLAY: Final = (*_AS_FOUND, "leader", "trick", "out", "taken", "marks")
_A_LINE: Final = (
    "dealer, deal, totals, hands, stock or kitty, and in play also leader, trick, out, "
    "taken, marks"
)
_CARDS: Final = re.compile("(?:[2-9TJQKA]+[CDSH])*")
_SUIT: Final = re.compile("([2-9TJQKA]+)([CDSH])")
_NUMBER: Final = re.compile("0|-?[1-9][0-9]{0,9}")
_SHORT: Final = re.compile("([a-z0-9-]+)/([1-9][0-9]?)")

_NOTHING: Final = "-"
_PASSED: Final = ">"
_UNSEEN: Final = "?"
_DRAWN: Final = "+"
_PLAYED_ON: Final = "+"
_WON: Final = ":"
_MARKS: Final = {
    "-": (),
    "b": ("hearts_broken",),
    "f": ("first_trick",),
    "bf": ("hearts_broken", "first_trick"),
}


# Writing


def write_position(state: State) -> str:
    """The line for a deal in progress: in the pass, the mix, the play or a moon choice.

    >>> from refengine import Ruleset, new_deal
    >>> hands = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "7D KC KH"]
    >>> state = new_deal(Ruleset("spot-hearts"), hands, dealer=3, deal=4).play("2C")
    >>> line = write_position(state)
    >>> line.partition(" ")[2]
    '3 4 - 9DQH/5CQS3H/JD4S2H/KC7DKH - 0 2C - - f'
    >>> read_position(line).play("5C").play("JD").legal.cards
    CardSet('KC')

    The line keeps neither what views show of earlier passes and tricks nor the revokes
    that nobody has claimed.
    Raises Malformed outside a deal, and once a claim has been accepted in it.
    """
    core = state.core
    if any(revoke.fate == ESTABLISHED for revoke in core.record.revokes):
        raise Malformed("an established revoke", "a deal without one", "state")
    match state.phase:
        case "pass" | "mix":
            setup = _as_dealt(core)
            hands = list(map(_passing, core.dealt.hands, core.dealt.packets))
        case "play":
            setup = Setup.of(state)
            hands = list(map(_short, map(str, setup.hands)))
            if state.drew and not setup.trick:
                seat = state.turn[0]
                kept = str(setup.hands[seat] - CardSet(state.drew))
                drawn = " ".join(map(str, state.drew))
                hands[seat] = f"{_short(kept)}{_DRAWN}{_short(drawn)}"
        case "moon":
            setup = _whole_last_trick(state)
            hands = list(map(_short, map(str, setup.hands)))
        case phase:
            raise Malformed(f"the phase {phase}", "pass, mix, play or moon", "state")
    fields = _line_fields(setup_fields(setup), "/".join(hands))
    return " ".join([state.ruleset.citation, *fields])


def _short(cards: str) -> str:
    """Cards as text, each run of one suit as its ranks and then the suit: `24KCQS`."""
    words = cards.split()
    return "".join(
        "".join(word[0] for word in together) + suit
        for suit, together in groupby(words, key=lambda word: word[1])
    )


def _as_dealt(core: Core) -> Setup:
    """A setup with the cards as they were dealt, for a deal in the pass or the mix."""
    return Setup(
        dealer=int(core.sheet.dealer),
        deal=int(core.sheet.number),
        totals=core.sheet.totals,
        hands=[CardSet.of_mask(hand) for hand in core.dealt.hands],
        stock=[CARDS[number] for number in core.dealt.stock],
        kitty=CardSet.of_mask(core.dealt.kitty),
        limit_reached=core.sheet.reached and core.rules.ties_played_on,
    )


def _passing(hand: Mask, packet: Packet | None) -> str:
    """A hand as the line shows it during the pass or the mix.

    If the seat has not passed yet, this is the hand as dealt. Otherwise it is the cards
    that the seat kept, a `>`, and the cards that it passed or the sign of an unseen
    pass.
    """
    if packet is None:
        return _short(str(CardSet.of_mask(hand)))
    given = CardSet.of_mask(packet.cards)
    kept = _short(str(CardSet.of_mask(hand) - given))
    if packet.unseen:
        return f"{kept}{_PASSED}{_UNSEEN}"
    numbers = tuple(number for number in packet.addressed if number >= 0)
    return f"{kept}{_PASSED}{_short(write_sequence(numbers) or str(given))}"


def _whole_last_trick(state: State) -> Setup:
    """A position with all the cards of the deal's last trick on the table."""
    core = state.core
    last = core.record.last
    assert last is not None
    before = in_play(core, last.position, NO_RECORD)
    setup = Setup.of(State(state.ruleset, state.start, before))
    card = CardSet.of_mask(last.card)
    return attrs.evolve(
        setup,
        hands=[hand - card for hand in setup.hands],
        trick=(*setup.trick, *card),
    )


def _line_fields(setup: Json, hands: str) -> Iterator[str]:
    """Yield the fields of a line in order, except the ruleset, which comes first."""
    yield str(setup["dealer"])
    yield str(setup["deal"])
    totals = setup.get("totals", [0] * len(setup["hands"]))
    played_on = _PLAYED_ON if "limit_reached" in setup else ""
    told = any(totals) or played_on
    yield "/".join(map(str, totals)) + played_on if told else _NOTHING
    yield hands
    yield _short(setup.get("stock", "") or setup.get("kitty", "")) or _NOTHING
    if "leader" not in setup:
        return
    yield str(setup["leader"])
    yield _short(setup.get("trick", "")) or _NOTHING
    yield "/".join(map(str, setup.get("out", ()))) or _NOTHING
    tricks = setup.get("tricks", [])
    taken = setup.get("taken", [""] * len(tricks))
    piles = [
        f"{won}{_WON}{_short(pile)}" if won or pile else ""
        for won, pile in zip(tricks, taken, strict=True)
    ]
    yield "/".join(piles) or _NOTHING
    marks = tuple(name for name in _MARKS["bf"] if name in setup)
    yield next(mark for mark, names in _MARKS.items() if names == marks)


# Reading


def read_position(line: object) -> State:
    """The state that a line describes, as that of a game with this deal alone.

    The ruleset is given as a citation or, for the current edition of the book, as a
    profile and a number of players, as in `spot-hearts/4`, with any options after them.
    Sets of cards may be in any order.
    Raises Malformed for anything that is not such a line, and for a deal that the book
    does not allow.
    """
    if not isinstance(line, str) or len(line) > LONGEST:
        raise Malformed(shown(line), f"a line of at most {LONGEST} characters")
    words = line.rstrip("\r\n").split(" ")
    given_at = (at for at, one in enumerate(words[1:], 1) if "=" not in one)
    first = next(given_at, len(words))
    ruleset = call_with_place("ruleset", _ruleset, words[:first])
    given = words[first:]
    if len(given) not in (len(_AS_FOUND), len(_IN_PLAY)):
        fields_given = counted(len(given), "field")
        raise Malformed(f"{fields_given} after the ruleset", _A_LINE)
    fields = dict(zip(_IN_PLAY, given, strict=False))
    hands = [_parted(text) for text in fields["hands"].split("/")]
    setup, last = _without_last_card(ruleset, _setup(ruleset, fields, hands))
    state = opened(ruleset, setup)
    for seat, hand in enumerate(hands):
        where = f"hands[{seat}]"
        for act in call_with_place(where, _acts, state, seat, hand):
            state = _after(state, act, where)
    return state if last is None else _with_moon_due(_after(state, last, "trick"))


def _ruleset(words: list[str]) -> Ruleset:
    if "@" in words[0]:
        cited = look_up_ruleset(" ".join(words))
        if cited.ruleset is None:
            raise Malformed(cited.wording, "")
        return cited.ruleset
    found = _SHORT.fullmatch(words[0])
    if found is None:
        allowed = "a citation, or a profile and players as in spot-hearts/4"
        raise Malformed(f"{words[0]!r:.80}", allowed)
    options = each_once(read_option, words[1:])
    try:
        return Ruleset(found[1], int(found[2]), options)
    except Refused as refused:
        raise malformed_opening(refused) from None


class _Hand(NamedTuple):
    """The parts of a hand: the cards before `>` or `+`, that sign, and what follows it.

    `sign` and `more` are empty if the hand has no sign.
    """

    cards: str
    sign: str
    more: str


def _parted(hand: str) -> _Hand:
    return _Hand(*hand.partition(_PASSED if _PASSED in hand else _DRAWN))


def _setup(ruleset: Ruleset, fields: dict[str, str], hands: list[_Hand]) -> Setup:
    """Put the fields of a line into the form of a JSON setup, and read that."""
    totals = fields["totals"]
    found: Json = {
        "dealer": call_with_place("dealer", _number, fields["dealer"]),
        "deal": call_with_place("deal", _number, fields["deal"]),
        "limit_reached": totals.endswith(_PLAYED_ON),
        "hands": call_with_places("hands", _whole_hand, hands),
    }
    if totals != _NOTHING:
        found["totals"] = _numbers("totals", totals.removesuffix(_PLAYED_ON))
    stocked = ruleset.rules.undealt == STOCK
    beside = "stock" if stocked else "kitty"
    found[beside] = call_with_place(beside, _long, _given(fields["beside"]))
    if stocked:
        drawn = call_with_places("hands", _drawn, hands)
        found["stock"] = " ".join([*filter(None, drawn), found["stock"]]).strip()
    if "leader" in fields:
        found |= _play(fields)
    return setup_of(convert_to_kind(shapes.SetupObject, found))


def _play(fields: dict[str, str]) -> Json:
    """The JSON fields of a position that the setup of a whole deal does not have."""
    found: Json = {
        "phase": "play",
        "leader": call_with_place("leader", _number, fields["leader"]),
        "trick": call_with_place("trick", _long, _given(fields["trick"])),
    }
    if fields["out"] != _NOTHING:
        found["out"] = _numbers("out", fields["out"])
    if fields["taken"] != _NOTHING:
        piles = call_with_places("taken", _pile, fields["taken"].split("/"))
        found["tricks"] = [won for won, _ in piles]
        found["taken"] = [pile for _, pile in piles]
    if fields["marks"] not in _MARKS:
        raise Malformed(f"{fields['marks']!r:.40}", "b, f, bf or -", "marks")
    return found | dict.fromkeys(_MARKS[fields["marks"]], True)


def _whole_hand(hand: _Hand) -> str:
    """The cards of a hand, including those just passed, but not those just drawn."""
    cards = [_long(hand.cards)]
    if hand.sign == _PASSED and hand.more != _UNSEEN:
        cards.append(_long(hand.more))
    return " ".join(filter(None, cards))


def _drawn(hand: _Hand) -> str:
    """The cards of a hand that its seat has just drawn."""
    return _long(hand.more) if hand.sign == _DRAWN else ""


def _pile(text: str) -> tuple[int, str]:
    """Read how many tricks a seat has won, and which cards it has taken."""
    if not text:
        return 0, ""
    won, sign, cards = text.partition(_WON)
    if not sign:
        raise Malformed(f"{text!r:.40}", "tricks won and cards taken, as in 2:24KCQS")
    return _number(won), _long(cards)


def _given(text: str) -> str:
    return "" if text == _NOTHING else text


def _long(cards: str) -> str:
    """Cards in the notation of the book; raises Malformed if the text is not cards."""
    if not _CARDS.fullmatch(cards):
        raise Malformed(f"{cards!r:.40}", "cards such as 24KCQS, or - for none")
    return " ".join(
        rank + suit for ranks, suit in _SUIT.findall(cards) for rank in ranks
    )


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise Malformed(f"{text!r:.40}", "a whole number")
    return int(text)


def _numbers(where: str, text: str) -> list[int]:
    return call_with_places(where, _number, text.split("/"))


def _without_last_card(ruleset: Ruleset, setup: Setup) -> tuple[Setup, Play | None]:
    """The setup without the last card of a complete trick, and the play of that card.

    The card is back in the hand of the seat that plays it. If the trick is not complete
    or does not fit the table, the setup is unchanged and the play is None.
    """
    players = ruleset.players
    if setup.leader is None or setup.leader >= players or len(setup.hands) != players:
        return setup, None
    order = round_from(ruleset.rules, setup.leader)
    seats = [seat for seat in order if seat not in setup.out]
    if not seats or len(setup.trick) != len(seats):
        return setup, None
    seat, card = seats[-1], setup.trick[-1]
    hands = list(setup.hands)
    hands[seat] = call_with_place("trick", CardSet, [*hands[seat], card])
    return attrs.evolve(setup, hands=hands, trick=setup.trick[:-1]), Play(seat, card)


def _acts(state: State, seat: int, hand: _Hand) -> list[Act]:
    """The acts that the sign in the hand of a seat stands for: a pass or draws."""
    if not hand.sign:
        return []
    if hand.sign == _PASSED and hand.more == _UNSEEN:
        return [PassUnseen(seat)]
    words = _long(hand.more).split()
    if not words:
        raise Malformed("no cards", f"cards after {hand.sign}")
    if hand.sign == _DRAWN:
        return [Draw(seat) for _ in words]
    if state.core.dealt.way != SCATTER:
        return [Pass(seat, " ".join(words))]
    others = [other for other in range(state.ruleset.players) if other != seat]
    if len(words) != len(others):
        raise Malformed(f"{len(words)} cards", "one for each other seat")
    return [Scatter(seat, dict(zip(others, words, strict=True)))]


def _after(state: State, act: Act, where: str) -> State:
    """The state after an act; raises Malformed, with the place, if it is refused."""
    try:
        return state.apply(act)
    except Refused as refused:
        allowed = "what the book allows"
        raise Malformed(str(refused), allowed, where) from None


def _with_moon_due(state: State) -> State:
    """The state itself; raises Malformed unless a choice for a moon is due in it."""
    if state.phase != "moon":
        allowed = "a trick in progress, or the last one before a moon is settled"
        raise Malformed("a complete trick", allowed, "trick")
    return state
