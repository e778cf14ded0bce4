"""Reading tricks that are told in sentences, as in a letter, and giving each a line.

A sentence describes a trick if it says who played every card in it: `Dora took it with
the king of clubs and led 7D`. A sentence that asks, supposes or denies is a remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from refengine.errors import Malformed, harmless
from refengine.formats.written.card_words_written import (
    CARD,
    RANK_IN_WORDS,
    card_in_words,
    count_cards,
    has_card,
)
from refengine.formats.written.names_written import MARKS
from refengine.formats.written.plain_lines_written import (
    Lines,
    points_beside,
    without_points,
)
from refengine.formats.written.trick_written import TrickBegun
from refengine.machine.cards_typed import cards_typed

# Not within a word, such as before the end of Mary-Ann, but perhaps after a quote
_BEGINS: Final = rf"(?<![\w{MARKS}])(?<![\w{MARKS}]['\u2019-])"
_ENDS: Final = rf"(?![\w{MARKS}-])"
_WORD: Final = rf"[^\W\d_](?:[\w{MARKS}-]|['\u2019](?!s\b))*"
_SMALL: Final = "".join(filter(str.islower, map(chr, range(0x530))))
# With a capital, or in a script that has none
_PROPER: Final = rf"[^\W\d_{_SMALL}][\w{MARKS}-]*"
# The `as` of `as well` is not the ace of spades
_CARD: Final = rf"(?!(?-i:as|ah|ad|ha|da)\b){CARD}"
_RANK: Final = (
    rf"(?:the|his|her|their|my|your)\s+(?P<rank>{RANK_IN_WORDS})\b"
    r"(?!\s+(?:of|cards?|clubs?|diamonds?|hearts?|spades?|tricks?|points?|"
    r"players?|others?|last|more|deals?|times?)\b)"
)
_TRICK: Final = r"(?:it|that|this|them\s+all|the\s+(?:\w+\s+)?trick)"
_LEADS: Final = (
    r"(?:(?:leads?|led|returns?|returned)(?:\s+(?:off|back|out))?(?:\s+with)?"
    r"|(?:opens?|opened|starts?|started|continues?|continued|(?:comes?|came)\s+out)"
    r"\s+with)"
)
_TAKES: Final = (
    rf"(?:(?:takes?|took|wins?|won)(?:\s+{_TRICK})?\s+with"
    r"|(?:overtakes?|overtook)(?:\s+it)?\s+with)"
)
_PLAYS: Final = (
    r"(?:(?:play|follow|duck|cover)(?:s|ed)?(?:\s+suit)?(?:\s+with)?"
    r"|(?:throws?|threw|puts?|lays?|laid)(?:\s+(?:off|away|in|on|down|up))?"
    r"|(?:gives?|gave)(?:\s+(?:up|away|in|him|her|me|us|them))?"
    r"|(?:dump|slough|discard|unload)(?:s|ed)?|(?:pitch|chuck|toss)(?:es|ed|s)?"
    r"|(?:drops?|dropped|sheds?)|(?:gets?|got)\s+rid\s+of"
    r"|(?:tries|tried)|(?:goes|went)\s+up\s+with)"
)
_HAD: Final = r"(?:has|had)(?:\s+(?:only|just|nothing\s+but))?"
_HAD_TO: Final = r"(?:(?:had|has)\s+to\s+)?"
_VERB: Final = rf"{_HAD_TO}(?:{_LEADS}|{_TAKES}|{_PLAYS})"
_WINS: Final = r"(?:takes|took|wins|won|gets|got)\b"
_TOOK: Final = rf"{_WINS}(?:\s+{_TRICK}\b)?"
_MEANWHILE: Final = (
    r"(?:,?\s+(?:then|now|also|next|just|again|still|too|as\s+well|"
    r"of\s+course|once\s+more|in\s+turn|(?-i:[a-z]{3,20}ly))\b)*,?"
)
_ASIDE: Final = r"(?:,\s+(?:who|having|with|being|void)\b[^,.;:]{1,60},)?"
_ONE: Final = r"(?:(?:the|a|an|his|her|their|my|your)\s+)?"
_PLAYER: Final = re.compile(
    rf"{_BEGINS}({_WORD}){_ASIDE}{_MEANWHILE}\s+"
    rf"(?:{_TOOK}\s+and{_MEANWHILE}\s+)?{_VERB}\s+(?:{_ONE}{_CARD}|{_RANK})",
    re.IGNORECASE,
)
_LIST: Final = rf"{_ONE}({_CARD}(?:[\s,]+(?:and\s+)?{_ONE}{_CARD})*)"
_BESIDE: Final = re.compile(
    rf"{_BEGINS}(?!{CARD})({_PROPER})\s+(?:{_ONE}{_CARD}|{_RANK})"
)
_NOBODY: Final = re.compile(
    r"and|but|or|he|she|they|we|you|it|who|which|that|then|now|so|as|also|next|just|"
    r"simply|again|immediately|turn|having|had|has|have|was|is|been|be|to|only|dealer|"
    r"player|opponent|partner|left|right|everyone|everybody|nobody|somebody|someone|"
    r"me|both|each|all|leader|winner|still|too|yet|even|"
    r"one|other|others|trick|never|not|with|the|a|an|his|her|their|my|your|of|"
    rf"first|second|third|fourth|led|{_VERB}|{_TOOK}",
    re.IGNORECASE,
)
# In `Ben himself played` the player is not the word before the verb
_BEFORE_NAME: Final = re.compile(
    rf"(?:^|[^\w\s'\u2019-]|(?<!\w)(?:{_CARD}|\d+|trick(?:\s+\w+)?|and|but|so|then|"
    r"now|when|while|where|first|next|last(?:ly)?|finally))\s*"
    r"(?:(?:a|an|another|the|my|your|his|her|our|their|player)\s+){0,2}$",
    re.IGNORECASE,
)
_DOUBT: Final = re.compile(
    r"\b(?:if|whether|unless|should|could|would|might|must|may|can|cannot|never|not|no"
    r"\s+one|nobody|think|thinks|thought|says?|said|claims?|claimed|believes?|suppose|"
    r"supposed|allowed|instead|wanted|intended|meant|before|after)\b|n['\u2019]t\b|\?",
    re.IGNORECASE,
)
_ORDINALS: Final = re.findall(
    r"\w+",
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth",
)
_COUNT: Final = re.findall(
    r"\w+", "one two three four five six seven eight nine ten eleven twelve thirteen"
)
_LAST: Final = re.compile(
    rf"\blast\s+({'|'.join(_COUNT)}|\d{{1,2}})\s+tricks\b", re.IGNORECASE
)
_TAKEN: Final = re.compile(
    rf"{_WINS}\s+(?:all\s+)?(?:(?:the|his|her|their|my|our)\s+)?$", re.IGNORECASE
)
_COUNTED: Final = re.compile(
    r"\s*(?:(?:on|in|at|to)\s+)?(?:(?:the\s+)?"
    rf"(?:(?P<word>{'|'.join(_ORDINALS)})|(?P<nth>\d{{1,2}})(?:st|nd|rd|th)|last|final)"
    r"(?:\s+trick\b|(?=\s*:))"
    rf"|(?:#|t|trick)\s*(?P<number>\d{{1,2}})\b"
    rf"|trick\s+(?P<count>{'|'.join(_COUNT)})\b)"
    r"[\s:,.)-]*",
    re.IGNORECASE,
)
_END: Final = re.compile(r"[.?!]+[\"”')]*(?:\s+|$)")
_NO_END: Final = re.compile(r"(?:^|\s)(?:#?\d+|[^\W\d_]|t\d+)$", re.IGNORECASE)
_CARD_AND_STOP: Final = re.compile(
    rf"(?<![^\W_]){_CARD}[)\"”']*[.!](?:\s|$)", re.IGNORECASE
)
_SAT: Final = rf"{_BEGINS}({_PROPER})\s+(?:(?:was|is|sat|sits|sitting)\s+)?"
_SIDES: Final = (
    rf"{_SAT}(?:on|to|at)\s+my\s+left\b",
    rf"{_SAT}(?:(?:across|opposite)(?:\s+(?:from\s+)?me)?|facing\s+me)\b",
    rf"{_SAT}(?:on|to|at)\s+my\s+right\b",
)
_WORDS: Final = re.compile(r"(?<![\w'\u2019])[a-z][a-z'\u2019]+(?!\w)")
_ALLOWED: Final = "of each card who played it, as in `Ann led 7D, Ben played 9D`"
_OTHER_SUIT: Final = re.compile(
    r".*\b(?:thr[eo]w|dump|slough|discard|unload|pitch|chuck|toss|drop|shed|g[ai]ve|"
    r"(?:gets?|got)\s+rid).*",
    re.IGNORECASE,
)
_RANK_AND_STOP: Final = re.compile(rf"{_RANK}[.!](?:\s|$)", re.IGNORECASE)
_FILLING: Final = re.compile(r"and|then|but|while|the|with|it|so", re.IGNORECASE)
_FACT: Final = re.compile(r"[\d:=]")


class NotTold(Malformed):
    """Raised if a sentence does not say enough about a card that it mentions."""


@attrs.frozen
class Told:
    """The lines of a record in which each trick told in sentences has become a line.

    `remarks` holds the numbers of the lines with remarks. `granted` holds a phrase for
    each card whose suit is not stated and was inferred from the other cards.
    """

    lines: tuple[tuple[int, str], ...]
    remarks: tuple[int, ...] = ()
    granted: tuple[str, ...] = ()


@attrs.frozen
class _Unsuited:
    """A card of which a line gives only the rank, and the mark that stands for it."""

    line: int
    rank: str
    verb: str
    mark: str


def tricks_told(lines: Lines) -> Told:
    """Return the lines, with the sentences about each trick replaced by a single line.

    If no sentences describe plays, the lines are unchanged. Raises NotTold, which names
    the line, if a sentence that describes plays leaves out a suit or a player.
    """
    told = [text for _, text in lines if not text.startswith("#")]
    players = _named(_PLAYER, told)
    if players:
        players |= _named(_BESIDE, told)
    in_sentences = any(map(_CARD_AND_STOP.search, told)) or any(
        map(_RANK_AND_STOP.search, told)
    )
    if len(players) < 2 or not in_sentences:
        return Told(tuple(lines))
    teller = _Teller([*players.values()])
    whole, granted = teller.with_suits([*teller.lines(lines)])
    around = _around_the_table(told)
    if around and {one.casefold() for one in around} <= {*players}:
        whole.insert(0, (lines[0][0], f"players: {', '.join(around)}"))
    return Told(tuple(whole), tuple(teller.remarks), granted)


def _around_the_table(lines: Sequence[str]) -> tuple[str, ...]:
    """`I` and the other three players in order, if the lines say who sat where.

    The result is empty if they do not say it, or contradict one another.
    """
    found = []
    for side in _SIDES:
        said = [match[1] for text in lines for match in re.finditer(side, text)]
        if len({one.casefold() for one in said}) != 1:
            return ()
        found.append(said[0])
    return "I", *found


def _named(pattern: re.Pattern[str], lines: Sequence[str]) -> dict[str, str]:
    """The names that a pattern finds in these lines, each keyed by its lower case.

    A word in lower case is a name only if a clause begins with it somewhere.
    """
    words = [
        one[1]
        for text in lines
        for one in pattern.finditer(text)
        if not one[1][0].islower()
        or _BEFORE_NAME.search(text, max(0, one.start(1) - 30), one.start(1))
    ]
    return {one.casefold(): one for one in words if not _NOBODY.fullmatch(one)}


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a line, without their full stops, but with question marks."""
    begins = 0
    for one in _END.finditer(text):
        before = text[begins : one.start()]
        if not _NO_END.search(before):
            yield before + one[0].strip().strip(".!\"”')")
            begins = one.end()
    if text[begins:].strip():
        yield text[begins:]


class _Teller:
    """A reader that turns sentences into lines; `trick` is the one being described."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players = len(players)
        words = "|".join(map(re.escape, sorted(players, key=len, reverse=True)))
        who = rf"(?:{words}){_ENDS}"
        self.play = re.compile(
            rf"{_BEGINS}(?:(?P<who>{who}){_ASIDE}{_MEANWHILE}"
            rf"(?:\s+(?P<won>{_TOOK})\s+and{_MEANWHILE})?\s*[:=]?\s*(?P<does>{_VERB}\b)?"
            rf"(?P<had>{_HAD}\b)?"
            rf"|and{_MEANWHILE}\s+(?P<too>{_VERB}\b))"
            rf"\s*(?:{_ONE}(?P<card>{_CARD})|{_RANK})",
            re.IGNORECASE,
        )
        self.gives = re.compile(
            rf"{_BEGINS}({who})\s+pass(?:es|ed)\s+{_LIST}(?:\s+(?:left|right|across))?"
            rf"\s+to\s+({who})",
            re.IGNORECASE,
        )
        self.gets = re.compile(
            rf"\bfrom\s+({who})\s+({who})\s+(?:got|get|received|was\s+passed)\s+{_LIST}",
            re.IGNORECASE,
        )
        self.holds = re.compile(
            rf"{_BEGINS}({who})\s+(?:held|holds?|had|was\s+dealt|picked\s+up)\s+{_LIST}\W*",
            re.IGNORECASE,
        )
        self.deals = re.compile(
            rf"{_BEGINS}({who})\s+(?:deals|dealt|was\s+(?:the\s+)?dealer)\b",
            re.IGNORECASE,
        )
        # `Ann took a long time` does not tell of a trick
        self.takes = re.compile(
            rf"{_BEGINS}({who}){_MEANWHILE}\s+{_WINS}"
            rf"(?:\s+{_TRICK}\b|(?=\W*$|\s*[,;:()]))",
            re.IGNORECASE,
        )
        self.trick: TrickBegun | None = None
        self.first = ""  # the number of the first trick told, if only the last few are
        self.who = ""  # who was named last
        self.waiting: list[tuple[int, str]] = []  # lines, until the trick is whole
        self.remarks: list[int] = []
        self.cards: list[tuple[str, str]] = []  # the cards told, each after its player
        self.unsuited: list[_Unsuited] = []

    def lines(self, lines: Lines) -> Iterator[tuple[int, str]]:
        """Yield the lines, with the sentences about a trick replaced by one line."""
        self.first = _first_of_the_last(lines, 52 // self.players)
        for number, text in lines:
            if text.startswith("#"):
                self.waiting.append((number, text))
                continue
            sentences = [*_sentences(text)]
            if not any(map(self.is_one, sentences)):
                sentences = [text]
            for sentence in sentences:
                yield from self.sentence(number, sentence.strip())
        yield from self.whole()

    def is_one(self, text: str) -> bool:
        """Whether a sentence describes plays, a pass or a hand."""
        besides = (self.gives, self.gets, self.holds)
        return self.tells(text) or any(one.search(text) for one in besides)

    def tells(self, text: str) -> bool:
        """Whether a sentence says who played each card in it."""
        plays = [*self.play.finditer(text)]
        said = self.trick is not None or any(one["does"] for one in plays)
        if not (plays and said) or has_card(self.rest(text)):
            return False
        return self.adds_to_trick(plays)

    def adds_to_trick(self, plays: Sequence[re.Match[str]]) -> bool:
        """Whether a sentence with these cards describes plays to a trick, not a hand.

        If the verb is `had`, as in `Ann had the king`, the card was played to the trick
        only if another card has been mentioned before it and its player has none in the
        trick yet. At least one of the cards must have another verb.
        """
        if all(one["had"] for one in plays):
            return False
        trick = self.trick
        begun = set() if trick is None else {who for who, _ in trick.cards}
        for one in plays:
            who = one["who"] or self.who
            if one["had"] and (not begun or who in begun):
                return False
            begun = {who} if who in begun else {*begun, who}
        return True

    def rest(self, text: str) -> str:
        """What a sentence says besides plays and the number of a trick."""
        counted = _COUNTED.match(text)
        return self.play.sub(" ", text[counted.end() :] if counted else text)

    def sentence(self, number: int, text: str) -> Iterator[tuple[int, str]]:
        """Read a sentence, or a whole line, and yield the lines that are then complete.

        The text is a whole line if none of its sentences describes plays, a pass or a
        hand. Doubt is looked for first, since a question may name the same plays.
        """
        plain = not has_card(text) and not _FACT.search(text)
        took = self.takes.search(text)
        # `Ann took 13 points` may be said of the deal
        of_trick = took and re.search(rf"{_TRICK}$", took[0], re.IGNORECASE)
        fact = _FACT.search(without_points(text) if of_trick else text)
        if _DOUBT.search(text) and (has_card(text) or (took and not fact)):
            self.remark(number, text)
        elif self.tells(text) and not _FACT.search(without_points(self.rest(text))):
            yield from self.plays(number, text)
        elif self.trick and took and not has_card(text) and not fact:
            self.trick.winner, self.trick.points = took[1], points_beside(text)
            yield from self.whole()
        elif self.trick and plain:
            self.check_ranks(number, text)
            self.remark(number, text)
        else:
            yield from self.whole()
            yield from ((number, one) for one in self.besides(number, text, plain))

    def besides(self, number: int, text: str, plain: bool) -> list[str]:
        """The lines for a sentence about a hand, passes or the dealer.

        Any other sentence is returned unchanged. Raises NotTold if such a sentence
        mentions cards and has more than two words in lower case besides its plays, or
        if it is not said who played or passed a card.
        """
        deals = self.deals.search(text) if plain else None
        if deals:
            return [f"{deals[1]} dealt"]
        passes = {
            one.start(): f"{one[1]} passes to {one[to]}: {_cards(one[cards])}"
            for pattern, to, cards in ((self.gives, 3, 2), (self.gets, 2, 3))
            for one in pattern.finditer(text)
        }
        if passes:
            rest = self.gets.sub(" ", self.gives.sub(" ", text)).strip()
            if has_card(rest):
                raise NotTold(harmless(rest, 60), _ALLOWED, f"line {number}")
            return [passes[at] for at in sorted(passes)]
        if holds := self.holds.fullmatch(text):
            return [f"hand {holds[1]}: {_cards(holds[2])}"]
        rest = self.play.sub("", text)
        if self.has_second_card(text, rest) or (
            has_card(text) and len(_WORDS.findall(rest)) > 2
        ):
            raise NotTold(
                harmless(rest.strip() or text, 60), _ALLOWED, f"line {number}"
            )
        return [text]

    def has_second_card(self, text: str, rest: str) -> bool:
        """Whether a player in a sentence has a second card: `Ann led 2C, then 5C`.

        `rest` is what the sentence says besides plays. Cards alone after a lead, as in
        `Ann led 2C, 5C, JC and KC`, are those of the other players.
        """
        verbs = [one["does"] for one in self.play.finditer(text) if one["does"]]
        words = _WORDS.findall(rest)
        if not (verbs and has_card(rest) and all(map(_FILLING.fullmatch, words))):
            return False
        led = any(re.fullmatch(_HAD_TO + _LEADS, one, re.IGNORECASE) for one in verbs)
        cards = count_cards(text)
        return cards != self.players and not (led and (cards > 2 or not words))

    def remark(self, number: int, text: str) -> None:
        """Turn a sentence into a remark, which will come after the trick's line."""
        self.remarks.append(number)
        self.waiting.append((number, f"# {text}"))

    def plays(self, number: int, text: str) -> Iterator[tuple[int, str]]:
        """Read the plays in a sentence, and yield the lines of completed tricks."""
        counted = _COUNTED.match(text)
        if counted:
            yield from self.whole()
        tricks = 0
        for one in self.play.finditer(text):
            who = self.who = one["who"] or self.who
            verb = one["does"] or one["too"] or ""
            if one["won"] and self.trick:
                self.trick.winner = who
            leads = re.fullmatch(_HAD_TO + _LEADS, verb, re.IGNORECASE)
            if leads or self.trick is None or self.trick.has_card_of(who):
                yield from self.whole()
                self.trick = TrickBegun(number, _number(counted) or self.first)
                self.first = ""
                self.trick.leader = who if leads else ""
                counted = None
                tricks += 1
            tricks = max(tricks, 1)  # perhaps the rest of one begun before
            card = one["card"] or self.of_suit_led(one["rank"], verb, number)
            self.cards.append((who, card.upper()))
            self.trick.cards.append((who, card))
            if re.fullmatch(_HAD_TO + _TAKES, verb, re.IGNORECASE):
                self.trick.winner = who
        rest = self.rest(text)
        self.check_ranks(number, rest)
        took = self.takes.search(rest)
        if self.trick and tricks < 2:  # with several, it is unclear which is meant
            self.trick.winner = took[1] if took else self.trick.winner
            self.trick.points = points_beside(rest) if self.trick.winner else ""
        besides = without_points(self.takes.sub(" ", rest))
        if not all(map(_FILLING.fullmatch, re.findall(r"[\w'\u2019-]+", besides))):
            self.remark(number, text)

    def check_ranks(self, number: int, text: str) -> None:
        """Raise NotTold if the text names a rank but not the player or the suit."""
        found = re.search(rf"[^,;]*{_RANK}", text, re.IGNORECASE)
        if found:
            shown = harmless(found[0].strip(), 60)
            raise NotTold(shown, _ALLOWED, f"line {number}")

    def of_suit_led(self, rank: str, verb: str, number: int) -> str:
        """Complete a card of which only the rank is told, by adding the suit led.

        If the verb says that the player did not follow suit, or if the suit led is not
        known, the result is a mark that stands for the card until all others are known.
        """
        led = self.trick.cards[0][1] if self.trick and self.trick.cards else ""
        suit = re.search(r"[cdhs♣♧♦♢♥♡♠♤]", led.lower().removeprefix("??"))
        if suit is None or _OTHER_SUIT.fullmatch(verb):
            mark = f"\x00{len(self.unsuited)}\x00"
            self.unsuited.append(_Unsuited(number, rank, verb, mark))
            return mark
        return card_in_words(rank, suit[0])

    def with_suits(
        self, lines: list[tuple[int, str]]
    ) -> tuple[list[tuple[int, str]], tuple[str, ...]]:
        """The lines, with missing suits filled in from the other cards of the deal.

        If the lines describe a whole deal, a card named only by its rank must be the
        one card of that rank not named elsewhere. Raises NotTold if the deal is not
        whole, or if several cards of that rank are not named.
        """
        if not self.unsuited:
            return lines, ()
        told = [_with_rank_first(card) for _, card in self.cards]
        players = len({who.casefold() for who, _ in self.cards})
        whole = len(told) == len({*told}) == 52 // players * players
        granted = []
        for one in self.unsuited:
            left = {card_in_words(one.rank, suit) for suit in "CDHS"} - {*told}
            others = [two for two in self.unsuited if two.rank == one.rank]
            if not whole or len(left) != 1 or len(others) > 1:
                found = f"{one.verb} the {one.rank}".strip()
                allowed = f"the suit as well, such as the {one.rank} of clubs"
                raise NotTold(found, allowed, f"line {one.line}")
            [card] = left
            lines = [(number, text.replace(one.mark, card)) for number, text in lines]
            said = f"the {one.rank} on line {one.line} is {card}"
            granted.append(f"{said}, since every other {one.rank} is told")
        return lines, tuple(granted)

    def whole(self) -> Iterator[tuple[int, str]]:
        """Yield the line of the trick that was begun, if any, and the waiting lines."""
        if self.trick is not None:
            yield self.trick.at, self.trick.line()
        self.trick = None
        yield from self.waiting
        self.waiting = []


def _with_rank_first(card: str) -> str:
    """A card in the usual notation, or the text unchanged if it is not a card."""
    try:
        return cards_typed(card)
    except Malformed:  # a mark, or a card that nobody wrote down
        return card


def _first_of_the_last(lines: Lines, size: int) -> str:
    """The number of the first trick described, if only the last few are described.

    The result is empty otherwise, and also if the lines merely say who took the last
    few tricks.
    """
    for _, text in lines:
        found = _LAST.search(text)
        if found and not _TAKEN.search(text[: found.start()]):
            number = _place(found[1], _COUNT) or int(found[1])
            return str(size - number + 1) if 0 < number < size else ""
    return ""


def _cards(text: str) -> str:
    """The cards in a part of a sentence."""
    return " ".join(one[0] for one in re.finditer(rf"(?<![^\W_]){_CARD}", text))


def _number(counted: re.Match[str] | None) -> str:
    """The number of the trick with which a sentence begins, or empty if it has none."""
    if counted is None:
        return ""
    for group, words in (("word", _ORDINALS), ("count", _COUNT)):
        if counted[group]:
            return str(_place(counted[group], words))
    return counted["nth"] or counted["number"] or ""


def _place(said: str, words: Sequence[str]) -> int:
    """The place of a word in a list, counted from 1, or 0 if it is not there.

    Each word is a case-insensitive pattern, so an `s` in it also matches a long s.
    """
    for at, word in enumerate(words, 1):
        if re.fullmatch(word, said, re.IGNORECASE):
            return at
    return 0
