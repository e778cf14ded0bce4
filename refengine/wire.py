"""The lines of every format as types: decoding, encoding, what is wrong with a line.

A line that our own writer could have written is decoded by msgspec alone. Every other
line takes a second, slower way, which skips keys that begin with `x-` and finds what
msgspec lets pass: repeated keys, numbers out of range, deep nesting, half characters.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Annotated, Any, BinaryIO, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field, inspect, structs

from refengine.errors import Malformed

LONGEST_LINE: Final = 16 * 1024 * 1024
DEEPEST: Final = 16
LARGEST: Final = 2**31 - 1
CLAUSE: Final = r"([0-9])\.([1-9][0-9]{0,2})([a-hjkmnp-z]?)"
ID: Final = r"-[0-9a-f]{16}"
SPEC: Final = r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})"

Number = Annotated[int, Meta(ge=-LARGEST - 1, le=LARGEST)]
Positive = Annotated[int, Meta(ge=1, le=LARGEST)]
Natural = Annotated[int, Meta(ge=0, le=LARGEST)]
Seat = Annotated[int, Meta(ge=0, le=12)]
Mark = Literal[1]
Cards = Annotated[str, Meta(extra_json_schema={"x-is": "cards"})]
OneCard = Annotated[str, Meta(extra_json_schema={"x-is": "card"})]
CardOrNone = Annotated[str, Meta(extra_json_schema={"x-is": "card or none"})]
ClauseNumber = Annotated[str, Meta(extra_json_schema={"x-is": "clause"})]
SpecVersion = Annotated[str, Meta(extra_json_schema={"x-is": "spec"})]
TraceId = Annotated[str, Meta(extra_json_schema={"x-is": "trace id"})]
MiniId = Annotated[str, Meta(extra_json_schema={"x-is": "mini id"})]
BySeat = Annotated[dict[str, OneCard], Meta(extra_json_schema={"x-is": "by seat"})]
OptionValue = bool | Number | str | list[str]

_CLAUSE: Final = re.compile(CLAUSE)


class Line(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What every object of a line is: frozen, without unknown keys."""


@cache
def _attributes(line: type[Line], beside: tuple[str, ...]) -> dict[str, str]:
    pairs = zip(line.__struct_encode_fields__, line.__struct_fields__, strict=True)
    return {key: name for key, name in pairs if key not in beside}


def _one_of(line: Line, beside: tuple[str, ...]) -> None:
    """Raise Malformed unless exactly one key is given, those beside it not counted."""
    values = structs.astuple(line)
    if not beside and values.count(UNSET) == len(values) - 1:
        return
    names = _attributes(type(line), beside)
    given = [key for key, name in names.items() if getattr(line, name) is not UNSET]
    if len(given) != 1:
        found = f"the keys {', '.join(given)}" if given else "none of the keys"
        raise Malformed(found, f"exactly one of {', '.join(names)}")


# Ruleset, setup, match


class Ruleset(Line, frozen=True, kw_only=True):
    """A profile, a number of players, and the options that differ from the profile."""

    profile: str
    players: Positive
    options: dict[str, OptionValue] = {}


class ProfileFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A profile as its file has it, in TOML; its options are read one by one."""

    name: str
    title: str
    summary: str
    sources: list[str]
    players: list[Positive]
    players_with_kitty: list[Positive] | UnsetType = UNSET
    usual_players: Positive
    rulings: list[str] = []
    options: dict[str, Any]


class Match(Line, frozen=True, kw_only=True):
    """A match from the cut, or from the first deal."""

    dealer: Seat | UnsetType = UNSET
    pack: Cards = ""


class Setup(Line, frozen=True, kw_only=True):
    """A deal as found, or with `phase` and `leader` a position."""

    dealer: Seat
    deal: Positive
    totals: list[Number] | UnsetType = UNSET
    hands: list[Cards]
    stock: Cards = ""
    kitty: Cards = ""
    limit_reached: bool = False
    phase: Literal["play"] | UnsetType = UNSET
    leader: Seat | UnsetType = UNSET
    trick: Cards = ""
    out: list[Seat] = []
    taken: list[Cards] | UnsetType = UNSET
    tricks: list[Natural] | UnsetType = UNSET
    hearts_broken: bool = False
    first_trick: bool = False

    def __post_init__(self) -> None:
        """Raise Malformed unless `phase` and `leader` stand together."""
        if (self.phase is UNSET) != (self.leader is UNSET):
            found = "phase without leader" if self.leader is UNSET else "no phase"
            raise Malformed(found, 'in a position "phase": "play" and a leader')


# Acts and what is due


class DealtCards(Line, frozen=True, kw_only=True):
    """The cards as dealt."""

    hands: list[Cards]
    stock: Cards = ""
    kitty: Cards = ""


class MixedCards(Line, frozen=True, kw_only=True):
    """The cards given back from a mix."""

    hands: list[Cards]
    kitty: Cards = ""


class Claimed(Line, frozen=True, kw_only=True):
    """Whom a claim accuses, and of which trick."""

    seat: Seat
    trick: Positive


class OneSeat(Line, frozen=True, kw_only=True):
    """The one seat that pays for the moon."""

    one: Seat


Choice = Literal["self_minus", "others_plus"] | OneSeat


class Act(Line, frozen=True, kw_only=True):
    """An act without its seat: exactly one key."""

    cut: OneCard | UnsetType = UNSET
    deal: DealtCards | UnsetType = UNSET
    pass_: Cards | BySeat | UnsetType = field(name="pass", default=UNSET)
    forward: Mark | UnsetType = UNSET
    mix: MixedCards | UnsetType = UNSET
    draw: Mark | UnsetType = UNSET
    play: OneCard | UnsetType = UNSET
    retract: OneCard | UnsetType = UNSET
    quit: Mark | UnsetType = UNSET
    claim: Claimed | UnsetType = UNSET
    moon: Choice | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless exactly one key is given."""
        _one_of(self, ())


class Due(Line, frozen=True):
    """What is due: exactly one key, beside `forward`."""

    cut: Natural | UnsetType = UNSET
    deal: Mark | UnsetType = UNSET
    pass_: Natural | UnsetType = field(name="pass", default=UNSET)
    forward: Mark | UnsetType = UNSET
    mix: Mark | UnsetType = UNSET
    draw: Mark | UnsetType = UNSET
    play: Cards | UnsetType = UNSET
    moon: list[Choice] | UnsetType = UNSET
    over: bool | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless exactly one thing is due."""
        _one_of(self, ("turn", "forward"))
        if self.forward is not UNSET and self.pass_ is UNSET:
            raise Malformed("forward without pass", "forward beside pass")
        if self.over is False:
            raise Malformed("over: false", "over: true, or no such key")


class DueNow(Due, frozen=True, kw_only=True):
    """What is due, with the seats that are to act."""

    turn: list[Seat]


# What can be seen


class TrickDone(Line, frozen=True, kw_only=True):
    """A completed trick."""

    leader: Seat
    cards: Cards
    winner: Seat


class TableNow(Line, frozen=True, kw_only=True):
    """The trick in progress."""

    leader: Seat
    cards: Cards


class RevokeNote(Line, frozen=True, kw_only=True):
    """A revoke of the deal."""

    seat: Seat
    trick: Positive
    state: Literal["open", "corrected", "standing", "established"]


class MatchNow(Line, frozen=True, kw_only=True):
    """Whether the match is over, and who won."""

    over: bool
    winners: list[Seat] | UnsetType = UNSET


class View(Line, frozen=True, kw_only=True):
    """What one seat knows."""

    seat: Seat
    hand: Cards | UnsetType = UNSET
    held: list[Natural] | UnsetType = UNSET
    stock: Natural | UnsetType = UNSET
    kitty: Natural | UnsetType = UNSET
    passed: Cards | BySeat | UnsetType = UNSET
    received: Cards | BySeat | UnsetType = UNSET
    drew: Cards | UnsetType = UNSET
    table: TableNow | UnsetType = UNSET
    history: list[TrickDone] | UnsetType = UNSET
    hearts_broken: bool | UnsetType = UNSET
    points: list[Number] | UnsetType = UNSET
    legal: DueNow | UnsetType = UNSET
    totals: list[Number] | UnsetType = UNSET
    cut: list[CardOrNone] | UnsetType = UNSET


class Fields(Line, frozen=True, kw_only=True):
    """What is asserted of a moment, or observed."""

    cut: list[CardOrNone] | UnsetType = UNSET
    phase: Literal["cut", "deal", "pass", "mix", "play", "moon", "over"] | UnsetType = (
        UNSET
    )
    turn: list[Seat] | UnsetType = UNSET
    dealer: Seat | UnsetType = UNSET
    deal: Positive | UnsetType = UNSET
    trick: TrickDone | UnsetType = UNSET
    table: TableNow | UnsetType = UNSET
    hearts_broken: bool | UnsetType = UNSET
    drew: Cards | UnsetType = UNSET
    out: list[Seat] | UnsetType = UNSET
    hands: list[Cards] | UnsetType = UNSET
    taken: list[Cards] | UnsetType = UNSET
    tricks: list[Natural] | UnsetType = UNSET
    stock: Cards | UnsetType = UNSET
    kitty: Cards | UnsetType = UNSET
    points: list[Number] | UnsetType = UNSET
    revokes: list[RevokeNote] | UnsetType = UNSET
    score: list[Number] | UnsetType = UNSET
    totals: list[Number] | UnsetType = UNSET
    match: MatchNow | UnsetType = UNSET
    over: bool | UnsetType = UNSET
    view: View | UnsetType = UNSET


# Traces, logs, mini-deals


class Asked(Line, frozen=True, kw_only=True):
    """An act that is only asked about, with the clauses it breaks."""

    act: Act
    clauses: list[ClauseNumber]
    seat: Seat | UnsetType = UNSET


class Question(Line, frozen=True, kw_only=True):
    """An act that is only asked about; clauses, where given, are not looked at."""

    act: Act
    clauses: list[str] = []
    seat: Seat | UnsetType = UNSET


class Step(Line, frozen=True, kw_only=True):
    """One act of a trace, and what is expected before and after it."""

    seat: Seat
    act: Act
    legal: Cards | Due | UnsetType = UNSET
    breaks: list[ClauseNumber] | UnsetType = UNSET
    refuse: list[Asked] = []
    irregular: list[Asked] = []
    then: Fields | UnsetType = UNSET


class BareStep(Line, frozen=True, kw_only=True):
    """One act of a trace sent to be replayed; expectations are not looked at."""

    seat: Seat
    act: Act
    legal: Cards | Due | UnsetType = UNSET
    breaks: list[ClauseNumber] | UnsetType = UNSET
    refuse: list[Question] = []
    irregular: list[Question] = []
    then: Fields | UnsetType = UNSET


class Trace(Line, frozen=True, kw_only=True):
    """A game with what is expected of it."""

    trace: Mark
    id: TraceId
    spec: SpecVersion
    name: str = ""
    ruleset: Ruleset
    setup: Setup | UnsetType = UNSET
    match: Match | UnsetType = UNSET
    steps: list[Step]
    end: Fields | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless there is either a setup or a match."""
        _one_start(self.setup, self.match)


class BareTrace(Line, frozen=True, kw_only=True):
    """A game sent to be replayed."""

    trace: Mark
    id: str = ""
    spec: str = ""
    name: str = ""
    ruleset: Ruleset
    setup: Setup | UnsetType = UNSET
    match: Match | UnsetType = UNSET
    steps: list[BareStep]
    end: Fields | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless there is either a setup or a match."""
        _one_start(self.setup, self.match)


def _one_start(setup: Setup | UnsetType, match: Match | UnsetType) -> None:
    if (setup is UNSET) == (match is UNSET):
        found = "neither setup nor match" if setup is UNSET else "setup and match"
        raise Malformed(found, "exactly one of setup, match")


class Log(Line, frozen=True, kw_only=True):
    """A deal as another program logged it."""

    log: Mark
    ruleset: Ruleset
    setup: Setup
    pass_: list[Cards | BySeat] | UnsetType = field(name="pass", default=UNSET)
    plays: Cards = ""
    seats: list[Seat] | UnsetType = UNSET
    moon: Choice | UnsetType = UNSET
    score: list[Number] | UnsetType = UNSET
    totals: list[Number] | UnsetType = UNSET


class Scored(Line, frozen=True, kw_only=True):
    """A score, and how many games end with it."""

    score: list[Number]
    games: Positive


class Mini(Line, frozen=True, kw_only=True):
    """All games of one small deal."""

    mini: Mark
    id: MiniId
    spec: SpecVersion
    ruleset: Ruleset
    setup: Setup
    games: Natural
    plies: list[Natural]
    divide: dict[str, Natural]
    scores: list[Scored]


class MiniAsked(Line, frozen=True, kw_only=True):
    """A small deal whose games are to be counted."""

    mini: Mark
    id: str = ""
    spec: str = ""
    ruleset: Ruleset
    setup: Setup
    games: Natural = 0
    plies: list[Natural] = []
    divide: dict[str, Natural] = {}
    scores: list[Scored] = []


# Requests of the adapter protocol


class Hello(Line, frozen=True, kw_only=True, tag_field="op", tag="hello"):
    """Who are you."""

    seq: Number
    protocol: Number


class Open(Line, frozen=True, kw_only=True, tag_field="op", tag="open"):
    """Begin a game and forget the one before."""

    seq: Number
    ruleset: Ruleset
    setup: Setup | UnsetType = UNSET
    match: Match | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless there is either a setup or a match."""
        _one_start(self.setup, self.match)


class Legal(Line, frozen=True, kw_only=True, tag_field="op", tag="legal"):
    """What is due."""

    seq: Number


class DoStep(Line, frozen=True, kw_only=True, tag_field="op", tag="step"):
    """Do this act."""

    seq: Number
    seat: Seat
    act: Act


class Probe(Line, frozen=True, kw_only=True, tag_field="op", tag="probe"):
    """What would become of this act."""

    seq: Number
    seat: Seat
    act: Act


class Observe(Line, frozen=True, kw_only=True, tag_field="op", tag="observe"):
    """What is to be seen, of everything or by one seat."""

    seq: Number
    seat: Seat | UnsetType = UNSET


class Replay(Line, frozen=True, kw_only=True, tag_field="op", tag="replay"):
    """Replay a whole trace."""

    seq: Number
    trace: BareTrace


class Enumerate(Line, frozen=True, kw_only=True, tag_field="op", tag="enumerate"):
    """Count all games from here."""

    seq: Number
    limit: Positive


class Bye(Line, frozen=True, kw_only=True, tag_field="op", tag="bye"):
    """The end."""

    seq: Number = 0


Request = Hello | Open | Legal | DoStep | Probe | Observe | Replay | Enumerate | Bye
OPS: Final = (
    "hello",
    "open",
    "legal",
    "step",
    "probe",
    "observe",
    "replay",
    "enumerate",
    "bye",
)

CAPABILITIES: Final = (
    "step",
    "legal",
    "probe",
    "clause",
    "clauses",
    "observe",
    "views",
    "replay",
    "enumerate",
    "setup.position",
    "match",
    "pass",
    "scatter",
    "mix",
    "forward",
    "stock",
    "kitty",
    "moon.choice",
    "revokes",
)
"""What an adapter can declare that it does."""

# Answers of the adapter protocol


class Deviation(Line, frozen=True, kw_only=True):
    """A clause that an engine does not follow, and why."""

    clause: ClauseNumber
    note: str


class HelloOk(Line, frozen=True, kw_only=True):
    """Who answers, and what it can do."""

    protocol: Number
    name: str
    version: str
    language: str
    profiles: list[str] | Literal["any"]
    players: list[Natural] | Literal["any"]
    capabilities: list[str]
    deviations: list[Deviation] = []


class StepOk(Line, frozen=True, kw_only=True):
    """The act is done, or would be; it is irregular where it breaks clauses."""

    breaks: list[ClauseNumber] | UnsetType = UNSET


class Refusal(Line, frozen=True, kw_only=True):
    """The act is refused, and by which clauses."""

    clauses: list[ClauseNumber] | UnsetType = UNSET


class Verdict(Line, frozen=True, kw_only=True):
    """The answer to an act of a trace: exactly one key."""

    ok: StepOk | UnsetType = UNSET
    refused: Refusal | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless exactly one key is given."""
        _one_of(self, ())


class StepReplayed(Line, frozen=True, kw_only=True):
    """What happened at one step of a trace."""

    legal: Due | UnsetType = UNSET
    answer: Verdict
    refuse: list[Verdict] = []
    irregular: list[Verdict] = []
    then: Fields | UnsetType = UNSET


class ReplayOk(Line, frozen=True, kw_only=True):
    """What happened in a trace."""

    steps: list[StepReplayed]
    end: Fields | UnsetType = UNSET


class EnumerateOk(Line, frozen=True, kw_only=True):
    """All games of a small deal, counted."""

    games: Natural
    plies: list[Natural]
    divide: dict[str, Natural]
    scores: list[Scored]


class Empty(Line, frozen=True):
    """Done, and nothing to say."""


class Answer(Line, frozen=True, kw_only=True):
    """An answer: exactly one key beside `seq`; `ok` is read by the op it answers."""

    seq: Number | UnsetType = UNSET
    ok: dict[str, Any] | UnsetType = UNSET
    refused: Refusal | UnsetType = UNSET
    unsupported: str | UnsetType = UNSET
    error: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Raise Malformed unless exactly one key is given."""
        _one_of(self, ("seq",))


OK_OF: Final[dict[str, type[Line]]] = {
    "hello": HelloOk,
    "open": Empty,
    "legal": DueNow,
    "step": StepOk,
    "probe": StepOk,
    "observe": Fields,
    "observe of a seat": View,
    "replay": ReplayOk,
    "enumerate": EnumerateOk,
}
"""What stands in `ok` of the answer to each op."""

# Decoding and encoding

_CLOSED: Final = (Ruleset, Trace, Log, Mini, MiniAsked)

T = TypeVar("T")
_ENCODER: Final = msgspec.json.Encoder()


_DECODERS: Final[dict[Any, msgspec.json.Decoder[Any]]] = {}


def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    if kind not in _DECODERS:
        _DECODERS[kind] = msgspec.json.Decoder(kind)
    return _DECODERS[kind]


def encode(line: object) -> bytes:
    """The line as it is written, without its end."""
    return _ENCODER.encode(line)


def made(kind: type[T], value: object) -> T:
    """The plain value as a line of this kind.

    Raises Malformed where it is none.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _explained(error, value, kind) from None


def decode(line: bytes, kind: type[T]) -> T:
    """The line as a value of this kind.

    Raises Malformed, which says where, what was found and what is allowed.
    """
    line = line.rstrip(b"\r\n")
    try:
        decoded: T = _decoder(kind).decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return made(kind, parsed(line))
    if b'"x-' not in line and _is_whole(decoded, line):
        return decoded
    return made(kind, parsed(line))


def _is_whole(decoded: object, line: bytes) -> bool:
    """Whether all of the line went into what was decoded.

    Written again it is the same; or in a type without `Any`, where no number can become
    longer, it has the size that the line has without the space between its parts. So
    nothing was repeated, skipped or left to a default.
    """
    again = _ENCODER.encode(decoded)
    if again == line:
        return True
    if not isinstance(decoded, _CLOSED):
        return False
    return len(again) == len(msgspec.json.format(line, indent=-1))


def laid_out(line: bytes, kind: Any) -> bytes:
    """The line with the keys and the space that our writer gives it.

    Raises Malformed where it is no line of this kind.
    """
    return encode(decode(line, kind))


def lines_of(stream: BinaryIO) -> Iterator[bytes | Malformed]:
    """The lines of a stream one by one, in place of one that is too long what is wrong.

    Raises Malformed where the stream itself cannot be read on: a truncated gzip file.
    """
    try:
        while line := stream.readline(LONGEST_LINE + 1):
            if len(line) <= LONGEST_LINE:
                yield line
                continue
            size = len(line)
            while line and not line.endswith(b"\n"):
                line = stream.readline(LONGEST_LINE)
                size += len(line)
            yield Malformed(f"a line of {size} bytes", "at most 16 MiB a line")
    except (EOFError, OSError, zlib.error) as error:
        raise Malformed(f"{error}", "a file that can be read to its end") from None


class _Object(list[tuple[str, object]]):
    """The pairs of a JSON object, repeated keys included."""


class _Wrong:
    """A number that no format has."""

    def __init__(self, text: str) -> None:
        self.text = text


def _whole(text: str) -> int | _Wrong:
    if len(text) > 11 or not -LARGEST - 1 <= int(text) <= LARGEST:
        return _Wrong(text)
    return int(text)


def parsed(line: bytes) -> Any:
    """The line as plain values, keys that begin with `x-` left out.

    Raises Malformed where it is no JSON, or JSON that no format has.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = f"byte {line[error.start]:#04x} at place {error.start + 1}"
        raise Malformed(byte, "UTF-8") from None
    if text.startswith("\ufeff"):
        raise Malformed("a byte order mark", "UTF-8 without one")
    if not text.strip(" \t\r\n"):
        raise Malformed("an empty line", "one JSON object a line")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_Object,
            parse_float=_Wrong,
            parse_int=_whole,
            parse_constant=_Wrong,
        )
    except RecursionError:
        raise Malformed("nesting without end", f"at most {DEEPEST} levels") from None
    except json.JSONDecodeError as error:
        found = f"no JSON: {error.msg} at character {error.pos + 1}"
        raise Malformed(found, "one JSON object a line") from None
    return _cleaned(value, "", 1)


def _cleaned(value: object, where: str, depth: int) -> Any:
    """The value without `x-` keys, every part of it checked."""
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise Malformed(f"{value!r:.80}", "whole characters", where) from None
        return value
    if isinstance(value, bool | int):
        return value
    if value is None:
        raise Malformed("null", "the key left out", where)
    if isinstance(value, _Wrong):
        allowed = "a whole number from -2147483648 to 2147483647"
        raise Malformed(f"{value.text:.40}", allowed, where)
    if depth > DEEPEST:
        raise Malformed("deeper nesting", f"at most {DEEPEST} levels", where)
    if isinstance(value, _Object):
        return _cleaned_object(value, where, depth)
    assert isinstance(value, list)
    return [
        _cleaned(one, f"{where}[{place}]", depth + 1) for place, one in enumerate(value)
    ]


def _cleaned_object(pairs: _Object, where: str, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key.startswith("x-"):
            _depth_of_skipped(value, _inside(where, key), depth + 1)
            continue
        inner = _inside(where, _cleaned(key, where, depth))
        if key in found:
            raise Malformed(f"the key {key!r:.40} twice", "each key once", where)
        found[key] = _cleaned(value, inner, depth + 1)
    return found


def _inside(where: str, key: str) -> str:
    """The place behind a key, on one line whatever the key."""
    shown = key[:40]
    return f"{where}.{shown if shown.isprintable() else repr(shown)}".lstrip(".")


def _depth_of_skipped(value: object, where: str, depth: int) -> None:
    """Check the depth of what stands behind a key that is skipped."""
    if not isinstance(value, list):
        return
    if depth > DEEPEST:
        raise Malformed("deeper nesting", f"at most {DEEPEST} levels", where)
    for one in value:
        inner = one[1] if isinstance(value, _Object) else one
        _depth_of_skipped(inner, where, depth + 1)


# What is wrong

_PLACE: Final = re.compile(r"^(.*?)(?: - at `(.*)`)?$", re.DOTALL)
_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[\.\.\.\]")
_JSON_TYPES: Final = {
    "int": int,
    "str": str,
    "array": list,
    "object": dict,
    "bool": bool,
}
_WORDS: Final = {
    "int": "a whole number",
    "str": "text",
    "array": "a list",
    "object": "an object",
    "bool": "true or false",
}


def _explained(error: msgspec.ValidationError, value: object, kind: Any) -> Malformed:
    """What msgspec found, in our words."""
    match = _PLACE.match(str(error))
    assert match is not None
    said, place = match[1], (match[2] or "$")[1:]
    if isinstance(error.__cause__, Malformed):
        where = place.lstrip(".")
        return error.__cause__.within(where) if where else error.__cause__
    types = _types_at(kind, value, list(_STEP.finditer(place)))
    inner, where = _found_at(value, place, said)
    key = re.search(r"`(.*)`", said, re.DOTALL)
    if said.startswith("Object contains unknown field") and key:
        keys = ", ".join(sorted(_keys_of(types)))
        return Malformed(f"the key {key[1]!r:.60}", f"{keys}, or x- and more", where)
    if said.startswith("Object missing required field") and key:
        return Malformed(f"no {key[1]}", f"{key[1]}, which must be given", where)
    return Malformed(_shown(inner), _allowed(said, types), where)


def _found_at(value: Any, place: str, said: str) -> tuple[object, str]:
    """The value at a place, and the place with the keys that msgspec leaves out."""
    got = re.search(r"got `(.*)`", said)
    wanted = _JSON_TYPES.get(got[1]) if got else None
    steps = list(_STEP.finditer(place))
    found = list(_at_steps(value, steps, ""))
    fitting = [one for one in found if type(one[0]) is wanted]
    return (fitting or found)[0]


def _at_steps(
    value: Any, steps: list[re.Match[str]], where: str
) -> Iterator[tuple[object, str]]:
    """The values that these steps may lead to, each with its place."""
    if not steps:
        yield value, where.lstrip(".")
    elif steps[0][2]:
        place = int(steps[0][2])
        if isinstance(value, list) and place < len(value):
            yield from _at_steps(value[place], steps[1:], f"{where}[{place}]")
    else:
        for key in [steps[0][1]] if steps[0][1] else value:
            yield from _at_steps(value[key], steps[1:], _inside(where, key))


def _types_at(
    kind: Any, value: object, steps: list[re.Match[str]]
) -> list[inspect.Type]:
    types = [
        one
        for one in _plain([inspect.type_info(kind)])
        if not isinstance(one, inspect.StructType)
        or one.tag is None
        or (isinstance(value, dict) and value.get("op") == one.tag)
    ]
    for step in steps:
        inner: list[inspect.Type] = []
        for one in types:
            if isinstance(one, inspect.StructType) and step[1]:
                inner += [f.type for f in one.fields if f.encode_name == step[1]]
            elif isinstance(one, inspect.DictType) and not step[1]:
                inner.append(one.value_type)
            elif isinstance(one, inspect.ListType) and not step[1]:
                inner.append(one.item_type)
        types = _plain(inner)
    return types


def _plain(types: list[inspect.Type]) -> list[inspect.Type]:
    """The types with unions and metadata opened."""
    found: list[inspect.Type] = []
    for one in types:
        if isinstance(one, inspect.Metadata):
            found += _plain([one.type])
        elif isinstance(one, inspect.UnionType):
            found += _plain(list(one.types))
        else:
            found.append(one)
    return found


def _keys_of(types: list[inspect.Type]) -> list[str]:
    found: list[str] = []
    for one in types:
        if isinstance(one, inspect.StructType):
            found += [field.encode_name for field in one.fields]
    return found


def _shown(value: object) -> str:
    """The value, shortened."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return f"{json.dumps(value, ensure_ascii=False, default=str):.80}"


def _allowed(said: str, types: list[inspect.Type]) -> str:
    literals = [
        json.dumps(value)
        for one in types
        if isinstance(one, inspect.LiteralType)
        for value in one.values
    ]
    if literals:
        objects = [one for one in types if isinstance(one, inspect.StructType)]
        return " or ".join([*literals, *(["an object"] if objects else [])])
    limit = re.match(r"Expected `int` (<=|>=) (-?\d+)$", said)
    if limit:
        side = "at most" if limit[1] == "<=" else "at least"
        return f"a whole number, {side} {limit[2]}"
    expected = re.match(r"Expected `([^`]+)`", said)
    words = expected[1].split(" | ") if expected else []
    return " or ".join(_WORDS.get(word, word) for word in words) or said


def check_clauses(clauses: list[str], where: str) -> tuple[str, ...]:
    """The clause numbers, each once, in the order of the book.

    Raises Malformed for what is no clause number.
    """
    if not clauses:
        raise Malformed("no clause", "at least one", where)
    for number in clauses:
        if not _order(number):
            raise Malformed(f"{number!r:.40}", "a clause number such as 5.4b", where)
    if len(set(clauses)) != len(clauses):
        raise Malformed("a clause twice", "each clause once", where)
    return tuple(sorted(clauses, key=lambda number: _order(number) or (0, 0, "")))


@lru_cache(1000)
def _order(number: str) -> tuple[int, int, str] | None:
    """What clause numbers are sorted by; None for what is none."""
    match = _CLAUSE.fullmatch(number)
    return (int(match[1]), int(match[2]), match[3]) if match else None
