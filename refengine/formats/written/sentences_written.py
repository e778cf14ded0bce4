"""Tricks told in sentences, as in a letter or a post: each of them on a line.

A sentence tells of a trick if it says of every card in it who played it: `Dora took it
with the king of clubs and led 7D`. One that asks, supposes or denies is a remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from refengine.formats.written.card_words_written import CARD, has_card
from refengine.formats.written.plain_lines_written import points_beside, without_points
from refengine.formats.written.trick_written import TrickBegun

Lines = Sequence[tuple[int, str]]

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
    r"|(?:throws?|threw|puts?|lays?|laid|gives?|gave)(?:\s+(?:off|away|in|on|down|up))?"
    r"|(?:dump|slough|discard|unload)(?:s|ed)?|(?:drops?|dropped|sheds?)"
    r"|(?:gets?|got)\s+rid\s+of)"
)
_HAD_TO: Final = r"(?:(?:had|has)\s+to\s+)?"
_VERB: Final = rf"{_HAD_TO}(?:{_LEADS}|{_TAKES}|{_PLAYS})"
_WINS: Final = r"(?:takes|took|wins|won|gets|got)\b"
_TOOK: Final = rf"{_WINS}(?:\s+{_TRICK}\b)?"
_MEANWHILE: Final = (
    r"(?:,?\s+(?:then|now|also|next|just|simply|again|immediately|in\s+turn)\b)*,?"
)
_ASIDE: Final = r"(?:,\s+(?:who|having|with|being|void)\b[^,.;:]{1,60},)?"
_ONE: Final = r"(?:(?:the|a|an|his|her|their|my|your)\s+)?"
_PLAYER: Final = re.compile(
    rf"(?<![\w'-])([^\W\d_](?:[\w-]|'(?!s\b))*){_ASIDE}{_MEANWHILE}\s+"
    rf"(?:{_TOOK}\s+and{_MEANWHILE}\s+)?{_VERB}\s+{_ONE}{CARD}",
    re.IGNORECASE,
)
_BESIDE: Final = re.compile(rf"(?<![\w'-])([A-Z][\w-]*)\s+{_ONE}{CARD}")
_NOBODY: Final = re.compile(
    r"and|but|or|he|she|they|we|you|it|who|which|that|then|now|so|as|also|next|just|"
    r"simply|again|immediately|turn|having|had|has|have|was|is|been|be|to|only|dealer|"
    r"player|opponent|partner|left|right|everyone|everybody|nobody|somebody|someone|"
    r"one|other|others|trick|never|not|with|the|a|an|his|her|their|my|your|of|"
    rf"first|second|third|fourth|led|{_VERB}|{_TOOK}",
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
_COUNTED: Final = re.compile(
    r"\s*(?:(?:on|in|at|to)\s+)?(?:(?:the\s+)?"
    rf"(?:(?P<word>{'|'.join(_ORDINALS)})|(?P<nth>\d{{1,2}})(?:st|nd|rd|th))\s+trick"
    rf"|(?:#|t|trick)\s*(?P<number>\d{{1,2}})|trick\s+(?P<count>{'|'.join(_COUNT)}))"
    r"\b[\s:,.)-]*",
    re.IGNORECASE,
)
_END: Final = re.compile(r"[.?!]+[\"”')]*(?:\s+|$)")
_NO_END: Final = re.compile(r"(?:^|\s)(?:#?\d+|[^\W\d_]|t\d+)$", re.IGNORECASE)
_CARD_AND_STOP: Final = re.compile(
    rf"(?<![^\W_]){CARD}[)\"”']*[.!](?:\s|$)", re.IGNORECASE
)
_FILLING: Final = re.compile(r"and|then|but|while|the|with|it|so", re.IGNORECASE)
_FACT: Final = re.compile(r"[\d:=]")


@attrs.frozen
class Told:
    """The lines, one for each trick that is told, and the numbers of the remarks."""

    lines: tuple[tuple[int, str], ...]
    remarks: tuple[int, ...] = ()


def tricks_told(lines: Lines) -> Told:
    """These lines, with what sentences tell of tricks as a line for each trick.

    The lines are as they are where no sentences tell of plays.
    """
    told = [text for _, text in lines if not text.startswith("#")]
    players = _named(_PLAYER, told)
    if players:
        players |= _named(_BESIDE, told)
    if len(players) < 2 or not any(map(_CARD_AND_STOP.search, told)):
        return Told(tuple(lines))
    teller = _Teller([*players])
    whole = tuple(teller.lines(lines))
    return Told(whole, tuple(teller.remarks))


def _named(pattern: re.Pattern[str], lines: Sequence[str]) -> dict[str, None]:
    """Whom such places in these lines name, in lower case, in the order in which."""
    words = (one[1].casefold() for text in lines for one in pattern.finditer(text))
    return dict.fromkeys(one for one in words if not _NOBODY.fullmatch(one))


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
    """The lines of such a text, one after the other, and the trick that is told."""

    def __init__(self, players: Sequence[str]) -> None:
        who = "|".join(map(re.escape, sorted(players, key=len, reverse=True)))
        self.play = re.compile(
            rf"(?<![\w'-])(?:(?P<who>{who})(?![\w-]){_ASIDE}{_MEANWHILE}"
            rf"(?:\s+(?P<won>{_TOOK})\s+and{_MEANWHILE})?\s*[:=]?\s*(?P<does>{_VERB}\b)?"
            rf"|and{_MEANWHILE}\s+(?P<too>{_VERB}\b))"
            rf"\s*{_ONE}(?P<card>{CARD})",
            re.IGNORECASE,
        )
        self.gives = re.compile(
            rf"({who})\s+pass(?:es|ed)\s+{_ONE}({CARD}(?:[\s,]+(?:and\s+)?{_ONE}{CARD})*)"
            rf"\s+to\s+({who})\b",
            re.IGNORECASE,
        )
        self.deals = re.compile(
            rf"\b({who})\s+(?:deals|dealt|was\s+(?:the\s+)?dealer)\b", re.IGNORECASE
        )
        # `Ann took a long time` is said of no trick
        self.takes = re.compile(
            rf"\b({who}){_MEANWHILE}\s+{_WINS}"
            rf"(?:\s+{_TRICK}\b|(?=\W*$|\s*[,;:()]))",
            re.IGNORECASE,
        )
        self.trick: TrickBegun | None = None
        self.who = ""  # who was named last
        self.waiting: list[tuple[int, str]] = []  # until the trick is whole
        self.remarks: list[int] = []

    def lines(self, lines: Lines) -> Iterator[tuple[int, str]]:
        """The lines, with a line for each trick that is told."""
        for number, text in lines:
            if text.startswith("#"):
                self.waiting.append((number, text))
                continue
            sentences = [*_sentences(text)]
            if not any(self.tells(one) or self.gives.search(one) for one in sentences):
                sentences = [text]
            for sentence in sentences:
                yield from self.sentence(number, sentence.strip())
        yield from self.whole()

    def tells(self, text: str) -> bool:
        """Whether a sentence says who played each card in it, and is sure of it."""
        plays = [*self.play.finditer(text)]
        said = self.trick is not None or any(one["does"] for one in plays)
        return bool(plays) and said and not has_card(self.rest(text))

    def rest(self, text: str) -> str:
        """What a sentence says besides."""
        counted = _COUNTED.match(text)
        return self.play.sub(" ", text[counted.end() :] if counted else text)

    def sentence(self, number: int, text: str) -> Iterator[tuple[int, str]]:
        """A sentence, or a line that is none."""
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
            self.remark(number, text)
        else:
            yield from self.whole()
            gives, deals = self.gives.search(text), self.deals.search(text)
            if gives:
                text = f"{gives[1]} passes to {gives[3]}: {_cards(gives[2])}"
            elif deals and plain:
                text = f"{deals[1]} dealt"
            yield number, text

    def remark(self, number: int, text: str) -> None:
        """Keep a sentence as a remark, behind the trick."""
        self.remarks.append(number)
        self.waiting.append((number, f"# {text}"))

    def plays(self, number: int, text: str) -> Iterator[tuple[int, str]]:
        """The tricks of a sentence that says who played what."""
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
                self.trick = TrickBegun(number, _number(counted))
                self.trick.leader = who if leads else ""
                counted = None
                tricks += 1
            self.trick.cards.append((who, one["card"]))
            if re.fullmatch(_HAD_TO + _TAKES, verb, re.IGNORECASE):
                self.trick.winner = who
        rest = self.rest(text)
        took = self.takes.search(rest)
        if self.trick and tricks < 2:  # of several it is not known whose they are
            self.trick.winner = took[1] if took else self.trick.winner
            self.trick.points = points_beside(rest) if self.trick.winner else ""
        besides = without_points(self.takes.sub(" ", rest))
        if not all(map(_FILLING.fullmatch, re.findall(r"[\w'\u2019-]+", besides))):
            self.remark(number, text)

    def whole(self) -> Iterator[tuple[int, str]]:
        """The trick that was begun, if there is one, and what waited for it."""
        if self.trick is not None:
            yield self.trick.at, self.trick.line()
        self.trick = None
        yield from self.waiting
        self.waiting = []


def _cards(text: str) -> str:
    """The cards in such a part of a sentence."""
    return " ".join(one[0] for one in re.finditer(rf"(?<![^\W_]){CARD}", text))


def _number(counted: re.Match[str] | None) -> str:
    """The number of the trick that a sentence begins with; empty if it has none."""
    if counted is None:
        return ""
    for group, words in (("word", _ORDINALS), ("count", _COUNT)):
        if counted[group]:
            return str(words.index(counted[group].lower()) + 1)
    return counted["nth"] or counted["number"]
