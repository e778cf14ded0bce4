"""An adapter's answer to each request: its form, what is wrong with it, and its fields.

A set of cards in a trace never contains a card twice. An answer that repeats a card in
a hand, the cards taken, the kitty or the cards due is wrong, and the repetition is kept
so that this shows. In any other set, a repeated card breaks the form.
"""

from __future__ import annotations

import json
from typing import Any, Final

from msgspec import UNSET, UnsetType, defstruct, structs

from refengine.errors import Malformed, harmless, whole_number
from refengine.formats import parsing, protocol, shapes, wire
from refengine.formats.normal_form import (
    Json,
    call_with_place,
    call_with_places,
    normal_fields,
)
from refengine.formats.serve import PROTOCOL
from refengine.formats.shapes import Line, Number
from refengine.game.values.cardset import CardSet
from refengine_conformance.runner.results import EngineCard


class AnyAnswer(Line, frozen=True, kw_only=True):
    """The keys of every answer: `seq`, and exactly one of the other four."""

    seq: Number
    ok: Any = UNSET
    refused: protocol.Refusal | UnsetType = UNSET
    unsupported: str | UnsetType = UNSET
    error: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless exactly one of the four keys is given."""
        shapes.check_exactly_one_key(self, ("seq",))


_OK_OF: Final = protocol.OK_OF | {"view": protocol.OK_OF["observe of a seat"]}
_ANSWERS: Final[dict[str, Any]] = {
    op: defstruct(
        f"{op}_answer",
        [("ok", ok | UnsetType, UNSET)],
        bases=(AnyAnswer,),
        frozen=True,
        kw_only=True,
    )
    for op, ok in _OK_OF.items()
}
"""The form of the answer to each op; `view` stands for `observe` with a seat."""
_MAY_REFUSE: Final = ("open", "step", "probe", "replay")


class FormError(Exception):
    """Raised when an answer breaks the form of the protocol; its text says how.

    `where` is the wrong field; it is empty if no single field is wrong, or if the field
    is not known.
    """

    def __init__(self, sentence: str, where: str = "") -> None:
        super().__init__(harmless(sentence))
        self.where: Final = where


class OtherProtocolError(FormError):
    """Raised if `hello` is answered in another protocol; the form is not judged."""


class OutOfStepError(FormError):
    """Raised if a line cannot be the answer, so that the conversation cannot go on."""


def read_answer(line: bytes, op: str, seq: int) -> AnyAnswer:
    """The answer to request number `seq`, read from a line of the adapter's output.

    Raises FormError if its form is wrong, OtherProtocolError if it answers `hello` in
    another protocol, and OutOfStepError if it is not an answer to this request at all.
    """
    asked = "observe with a seat" if op == "view" else op
    place = f"line {seq} of its output, the answer to {asked}, seq {seq}"
    try:
        answer: AnyAnswer = wire.decode(line, _ANSWERS.get(op, AnyAnswer))
    except Malformed as wrong:
        plain = _object_in(line, wrong, place)
        if plain.get("seq") != seq:
            said = form_sentence(place, _seq_fault(plain.get("seq", _ABSENT), seq))
            raise OutOfStepError(said) from None
        if op == "hello":
            ok = plain.get("ok")
            _check_protocol(ok.get("protocol") if isinstance(ok, dict) else None)
        raise FormError(form_sentence(place, wrong), wrong.where) from None
    if answer.seq != seq:
        raise OutOfStepError(form_sentence(place, _seq_fault(answer.seq, seq)))
    if isinstance(answer.ok, protocol.HelloOk):
        _check_protocol(answer.ok.protocol)
    may_refuse = op in _MAY_REFUSE or op not in _ANSWERS
    if not isinstance(answer.refused, UnsetType) and not may_refuse:
        refused = Malformed("refused", "ok, unsupported or error")
        raise FormError(form_sentence(place, refused))
    return answer


def _check_protocol(found: object) -> None:
    """Raise OtherProtocolError if `found` is the number of another protocol."""
    version = whole_number(found)
    if version is not None and version != PROTOCOL:
        said = f"the adapter speaks protocol {found}; wanted {PROTOCOL}"
        raise OtherProtocolError(said, "ok.protocol")


def form_sentence(place: str, wrong: Malformed) -> str:
    """What is wrong with the form of an answer, and where, in one sentence."""
    part = f"field {wrong.where}: " if wrong.where else ""
    return f"{place}: {part}got {wrong.found}; wanted {wrong.allowed}"


_ABSENT: Final = object()


def _seq_fault(found: object, seq: int) -> Malformed:
    """What is wrong with an answer that has the wrong `seq`, or none (`_ABSENT`)."""
    shown = f"the text {found!r:.40}" if isinstance(found, str) else f"{found!r:.40}"
    if found is None:
        shown = "null"
    elif found is _ABSENT:
        shown = "no seq"
    return Malformed(shown, f"the number {seq}, as it was sent", "seq")


def _object_in(line: bytes, wrong: Malformed, place: str) -> dict[str, Any]:
    """The object in a line that is not a well-formed answer.

    JSON that no format allows (a number that is too large, null, a repeated key) is
    merely a wrong answer: its object is returned as it is. Raises OutOfStepError
    if the line is not an object.
    """
    try:
        plain = parsing.parse_line(line)
    except Malformed as unreadable:
        plain = _object_of_any_json(line)
        if plain is None:
            raise OutOfStepError(form_sentence(place, unreadable)) from None
    if not isinstance(plain, dict):
        raise OutOfStepError(form_sentence(place, wrong))
    return plain


def _object_of_any_json(line: bytes) -> dict[str, Any] | None:
    """The object in a line, even if no format allows it; None if there is none."""
    try:
        plain = json.loads(line.decode(), parse_int=_small_number)
    except (ValueError, RecursionError):
        return None
    return plain if isinstance(plain, dict) else None


def _small_number(digits: str) -> int | float:
    """The number written in these digits, as a float if it is very large."""
    return int(digits) if len(digits) < 20 else float(digits)


def engine_card(hello: protocol.HelloOk) -> EngineCard:
    """What an adapter says about itself in its answer to `hello`."""
    return EngineCard(
        spec=hello.spec,
        name=hello.name,
        version=hello.version,
        language=hello.language,
        profiles=("any",) if hello.profiles == "any" else tuple(hello.profiles),
        players=("any",) if hello.players == "any" else tuple(hello.players),
        capabilities=tuple(hello.capabilities),
        deviations=tuple((one.clause, one.note) for one in hello.deviations),
    )


_SETS: Final = ("hands", "taken", "kitty")
"""The fields in which a repeated card is kept."""


def normal_answer(line: shapes.Fields) -> Json:
    """The fields of an answer in normal form.

    Hands, the cards taken and the kitty contain each card as often as their text does.
    Raises Malformed if a word is not the name of a card, if any other field contains a
    card twice, or if a key is not a seat.
    """
    sets: Json = {}
    for name in _SETS:
        said: list[str] | str | UnsetType = getattr(line, name)
        if isinstance(said, str):
            sets[name] = call_with_place(name, cards_in_order, said)
        elif isinstance(said, list):
            sets[name] = call_with_places(name, cards_in_order, said)
    rest = structs.replace(line, **dict.fromkeys(sets, UNSET))
    found = normal_fields(rest) | sets
    return {name: found[name] for name in line.__struct_fields__ if name in found}


def _has_twice(text: str) -> bool:
    """Whether the text of a set contains a card twice."""
    words = [word for word in text.split(" ") if word]
    return len(words) > len({*words})


def cards_in_order(text: str) -> str:
    """The cards of a set in order, each as often as it occurs in the text.

    Raises Malformed if a word is not a card.
    """
    if not _has_twice(text):
        return str(CardSet(text))
    words = text.split(" ")
    cards = CardSet(" ".join(dict.fromkeys(words)))
    return " ".join(
        card.value for card in cards for _ in range(words.count(card.value))
    )
