"""The search for clauses and questions by the words that people use.

It goes through an index, which is made from plain data (see `search_index`), so that a
page can read it from JSON. The functions are also translated into JavaScript, for the
search page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
_SUITS: Final = {"♣": "clubs", "♦": "diamonds", "♠": "spades", "♥": "hearts"}
_QUOTES: Final = "'\u2019"
_DOUBLED: Final = "bdgmnpt"
_MARKS: Final = ".:;?!()[]§#"  # around the number of a clause
_SENTENCE: Final = 5  # the fewest words that count as a question
_QUESTIONS: Final = 2  # how many questions then come before the clauses
_SHORTEST: Final = 4  # the fewest letters in a word that is corrected
_TITLE: Final = 8  # what a word is worth in each part of an entry
_SAID: Final = 10
_SHORT: Final = 6
_TEXT: Final = 3
_AROUND: Final = 1
_PHRASE: Final = 40
_FEW: Final = 14  # words in a title; a longer one matches words by chance
Stems = tuple[str, ...]


@attrs.frozen
class Entry:
    """A clause or a question, in the form in which it is searched.

    `number` is empty for a question, and `clauses` holds the clauses that answer it.
    `fields` holds pairs of a number of points and a set of stems; a match with a stem
    is worth that many points. `phrases` holds the stems of the title and then those of
    each phrase that people type for the entry. `length` is the number of words in the
    title.
    """

    number: str
    title: str
    says: str
    clauses: tuple[str, ...]
    address: str
    fields: tuple[tuple[int, frozenset[str]], ...]
    phrases: tuple[Stems, ...]
    length: int


@attrs.frozen
class Index:
    """The entries to search, and what the search has to know about words.

    `same` maps words that people type to the words of the book that mean the same,
    `forms` maps words to their basic forms, and `idle` holds words that are ignored
    unless a query has no others. `rarity` maps each stem to its weight, which is higher
    for rarer stems.
    """

    entries: tuple[Entry, ...]
    same: Mapping[str, tuple[str, ...]]
    forms: Mapping[str, str]
    idle: frozenset[str]
    rarity: Mapping[str, int]


def words_of(text: str) -> list[str]:
    """The words of the text, in lower case; the symbol of a suit counts as a word."""
    found: list[str] = []
    word = ""
    for sign in text.lower() + " ":
        if sign in _LETTERS:
            word += sign
            continue
        if sign in _QUOTES and word:
            continue
        if word:
            found.append(word)
        word = ""
        if sign in _SUITS:
            found.append(_SUITS[sign])
    return found


def stem(word: str) -> str:
    """The stem of a word, which is the same for lead, leads and leading."""
    for ending in ("ing", "ers", "er", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: len(word) - len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] in _DOUBLED:
        word = word[: len(word) - 1]
    return word[: len(word) - 1] + "i" if len(word) > 3 and word[-1] == "y" else word


def stems_of(words: Sequence[str], forms: Mapping[str, str]) -> Stems:
    """The stems of these words, each of which is first replaced by its basic form."""
    return tuple([stem(forms.get(word, word)) for word in words])


def one_error(word: str, other: str) -> bool:
    """Whether a single typing error turns one word into the other.

    That is a letter added, lost or wrong, or two neighbouring letters swapped.
    """
    if abs(len(word) - len(other)) > 1 or word == other:
        return False
    at = 0
    while at < min(len(word), len(other)) and word[at] == other[at]:
        at += 1
    rest, seen = word[at:], other[at:]
    if rest[1:] == seen[1:] or rest[1:] == seen or rest == seen[1:]:
        return True
    swapped = rest[1:2] + rest[:1] + rest[2:]
    return len(rest) > 1 and swapped == seen


def made_index(data: Mapping[str, Any]) -> Index:
    """The index made from `data`, which is what `index_data` returns."""
    forms: Mapping[str, str] = data["forms"]
    meanings: Mapping[str, str] = data["same"]
    idle = frozenset(data["idle"])
    entries = [_entry(row, forms, idle) for row in data["entries"]]
    seen: dict[str, int] = {}
    for entry in entries:
        stems = {one for _, field in entry.fields for one in field}
        for one in sorted(stems):
            seen[one] = seen.get(one, 0) + 1
    same = {typed: tuple(words_of(meant)) for typed, meant in meanings.items()}
    rarity = {one: _rarity(count) for one, count in seen.items()}
    return Index(tuple(entries), same, forms, idle, rarity)


def _entry(row: Sequence[Any], forms: Mapping[str, str], idle: frozenset[str]) -> Entry:
    number, title, says, clauses, address, said, text, around = row
    parts = (
        (_SAID, " ".join(said)),
        (_TITLE, title),
        (_SHORT, says),
        (_TEXT, text),
        (_AROUND, around),
    )
    fields = [(worth, frozenset(_busy(part, forms, idle))) for worth, part in parts]
    phrases = [_busy(one, forms, idle) for one in [title, *said]]
    return Entry(
        number,
        title,
        says,
        tuple(clauses),
        address,
        tuple(fields),
        tuple([one for one in phrases if one]),
        len(words_of(title)),
    )


def _busy(text: str, forms: Mapping[str, str], idle: frozenset[str]) -> Stems:
    """The stems of the words in a text, apart from those in `idle`."""
    return stems_of([word for word in words_of(text) if word not in idle], forms)


def _rarity(count: int) -> int:
    """The weight of a stem that occurs in `count` entries, higher for rarer stems."""
    return 5 if count <= 2 else 4 if count <= 6 else 3 if count <= 20 else 2


def terms_of(index: Index, query: str) -> Stems:
    """The stems that a query looks for, with typing errors corrected."""
    words = _replaced(words_of(query), index.same)
    busy = [word for word in words if word not in index.idle] or words
    return tuple([_known(one, index) for one in stems_of(busy, index.forms)])


def _replaced(words: list[str], same: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Replace runs of words that `same` contains by the words of the book for them.

    Of the runs that begin with the same word, the longest is replaced. Runs that
    overlap with an earlier one are not replaced.
    """
    found: list[str] = []
    at = 0
    while at < len(words):
        size = _longest_run(words[at:], same)
        if size:
            found += same[" ".join(words[at : at + size])]
        else:
            found.append(words[at])
        at += size or 1
    return found


def _longest_run(words: list[str], same: Mapping[str, tuple[str, ...]]) -> int:
    """The length, at most 3, of the longest run in `same` that begins these words.

    It is 0 if there is none.
    """
    for size in (3, 2, 1):
        if size <= len(words) and " ".join(words[:size]) in same:
            return size
    return 0


def _known(one: str, index: Index) -> str:
    """Return a stem, corrected if no entry contains it but a single error explains it.

    Of the known stems that are one typing error away, those with the same first letter
    are preferred, and then the most common. A short stem, or one with which a known
    stem begins, is never corrected.
    """
    if one in index.rarity or len(one) < _SHORTEST:
        return one
    if any(known.startswith(one) for known in index.rarity):
        return one
    near = [known for known in index.rarity if one_error(one, known)]
    first = [known for known in near if known[:1] == one[:1]] or near
    return min(first, key=lambda known: (index.rarity[known], known), default=one)


def score(entry: Entry, terms: Stems, rarity: Mapping[str, int]) -> int:
    """How well an entry matches these stems; 0 if fewer than half of them are in it."""
    points = 0
    hits = 0
    for term in terms:
        worth = 0
        for value, field in entry.fields:
            if value > worth and (term in field or _begins(term, field)):
                worth = value
        hits += worth > 0
        points += worth * rarity.get(term, 2)
    if hits * 2 < len(terms):
        return 0
    whole = [len(one) for one in entry.phrases if _has_run(terms, one)]
    points += _PHRASE * max(whole, default=0)
    if any(one == terms for one in entry.phrases):
        points += _PHRASE
    if entry.phrases and entry.phrases[0] == terms:
        points += _PHRASE
    return (points + 10 * hits) * _FEW // (_FEW + max(0, entry.length - _FEW))


def _begins(term: str, field: frozenset[str]) -> bool:
    return len(term) > 2 and any(one.startswith(term) for one in field)


def _has_run(terms: Stems, phrase: Stems) -> bool:
    """Whether the stems of the phrase occur next to each other in `terms`, in order."""
    size = len(phrase)
    starts = range(len(terms) - size + 1)
    return any(terms[at : at + size] == phrase for at in starts)


def _numbered(index: Index, query: str) -> tuple[list[Entry], str]:
    """The clauses whose numbers are in a query, and the rest of the query."""
    numbers: list[str] = []
    rest: list[str] = []
    for word in query.replace(",", " ").split():
        number = word.strip(_MARKS).lower().split("@")[0]
        if number and any(one.number == number for one in index.entries):
            numbers.append(number)
        else:
            rest.append(word)
    exact = [one for one in index.entries if one.number and one.number in numbers]
    if exact:
        rest = [word for word in rest if word.upper() != "HFR"]
    return exact, " ".join(rest)


def is_question(query: str) -> bool:
    """Whether the query counts as a question: it has a `?` or at least five words."""
    return "?" in query or len(words_of(query)) >= _SENTENCE


def search(index: Index, query: str, most: int = 10) -> list[Entry]:
    """The entries that answer a query, at most `most` of them, the best first.

    If the query is itself a question, the two questions nearest to it come before the
    clauses; all other questions come after them. Before everything else come the
    entries whose number is in the query or whose title is the query.
    """
    exact, rest_of_query = _numbered(index, query)
    terms = terms_of(index, rest_of_query)
    if exact and not terms:
        return exact[:most]
    typed = words_of(rest_of_query)
    titled = [one for one in index.entries if typed and words_of(one.title) == typed]
    exact += [one for one in titled if one not in exact]
    scored = [(score(one, terms, index.rarity), one) for one in index.entries]
    ranked = sorted([pair for pair in scored if pair[0]], key=lambda pair: -pair[0])
    clauses = [one for _, one in ranked if one.number and one not in exact]
    questions = [one for _, one in ranked if not (one.number or one in exact)]
    if is_question(query):
        first, rest = questions[:_QUESTIONS], questions[_QUESTIONS:]
        found = [*exact, *first, *clauses, *rest]
    else:
        found = [*exact, *clauses, *questions]
    return found[:most]
