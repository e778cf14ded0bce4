"""Tests of records kept by people: from memory, incomplete, or with tags."""

import pytest

from refengine import Malformed, Ruleset
from refengine.formats.written.card_words_written import clean_line
from refengine.formats.written.completing_written import completed_parts
from refengine.formats.written.reading_written import read_written
from refengine.formats.written.writing_written import write_written
from tests.support.written import lines_of

COMMON = Ruleset("common-hearts", 4)
LETTER = """\
Dear Eleanor,

here are the last three tricks. Hugh on my left, Ruth opposite me, Peter on my right.
Ruth led the eight of spades. Peter had to play the queen, I played the three and Hugh
threw the king of hearts as well.
Then Peter led the seven of diamonds, I the jack, Hugh played the eight and Ruth threw
the eight of hearts.
I led the eight of clubs, Hugh followed with the jack, Ruth the ace and Peter the queen.
""".replace("Hugh\nthrew", "Hugh threw").replace("threw\nthe", "threw the")
POST = """\
I held the ace, ten and seven of spades, the king of diamonds and the two of clubs.
I passed the seven of spades and the king of diamonds left to Carl.
From Ben I got the king of spades and the ace of hearts.
I led the two of clubs, Carl played the nine, Dora the ten and Ben the king.
"""


def granted(text: str) -> list[str]:
    """The assumptions that are made to complete this record."""
    parts = completed_parts(read_written(text), COMMON)
    return list(dict.fromkeys(said for one in parts for said in one.granted))


def test_the_last_tricks_of_a_deal_are_the_last() -> None:
    assert lines_of(LETTER) == [
        "match: Dear Eleanor,",
        "players: I, Hugh, Ruth, Peter",
        *[f"{number}. ?? ?? ?? ??" for number in range(1, 11)],
        "11. Ruth: Ruth=8S, Peter=QS, I=3S, Hugh=KH",
        "12. Peter: Peter=7D, I=JD, Hugh=8D, Ruth=8H",
        "13. I: I=8C, Hugh=JC, Ruth=AC, Peter=QC",
    ]
    assert "tricks 1 to 10 are not written down" in granted(LETTER)
    two = "players: A, B, C, D\n2. 2C 3C 4C 5C\n3. 6C 7C 8C 9C\n"
    assert lines_of(two)[1:] == ["1. ?? ?? ?? ??", "2. 2C 3C 4C 5C", "3. 6C 7C 8C 9C"]
    assert "trick 1 is not written down" in granted(two)
    for wrong in ("3. 2C 3C 4C", "hand A: 2C 6C\n2. 2C 3C 4C 5C"):
        with pytest.raises(Malformed, match="trick 1"):
            read_written(f"players: A, B, C, D\n{wrong}\n")


def test_a_first_trick_without_a_number_is_the_first() -> None:
    told = (
        "Ann leads 2C, Ben 5C, Cy JC, Dee KC\nTrick 2: Dee 7D, Ann 9D, Ben QS, Cy 4S\n"
    )
    assert lines_of(told)[1:] == [
        "1. Ann: Ann=2C, Ben=5C, Cy=JC, Dee=KC",
        "2. Dee: Dee=7D, Ann=9D, Ben=QS, Cy=4S",
    ]
    assert not any("written down" in one for one in granted(told))
    with pytest.raises(Malformed, match="found trick 3; allowed: trick 2"):
        read_written(told.replace("Trick 2", "Trick 3"))


def test_a_rank_alone_is_of_the_suit_led() -> None:
    told = "Ann led the five of hearts, Ben played the deuce, Carl the ten."
    assert lines_of(f"{told} Dora won with the ace.")[-1] == (
        "1. Ann: Ann=5H, Ben=2H, Carl=TH, Dora=AH -> Dora"
    )


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Dora threw the queen.", "threw the queen"),
        ("Dora got rid of her ten.", "got rid of the ten"),
        ("Dora led the queen.", "led the queen"),
        ("Dora parted with the ace.", "Dora parted with the ace"),
        ("Dora, it seems, parted with QS, of all cards.", "Dora, it seems"),
    ],
)
def test_what_is_not_said_of_a_card_is_asked_for(said: str, found: str) -> None:
    told = "Ann led 5H, Ben played 2H, Carl played TH."
    with pytest.raises(Malformed, match="line 1") as error:
        read_written(f"{told} {said}\n")
    assert found in str(error.value)


def test_words_are_no_cards() -> None:
    assert clean_line("Peter threw a heart, and a spade") == (
        "Peter threw a heart, and a spade"
    )
    assert clean_line("k hearts, a hearts") == "KH, AH"
    assert clean_line("the ace, ten and seven of spades") == "AS TS 7S"
    told = "Ann led 5H, Ben played 2H as well. Carl played TH, Dora 3H."
    assert lines_of(told)[-1] == "1. Ann: Ann=5H, Ben=2H, Carl=TH, Dora=3H"


def test_hands_and_passes_in_sentences() -> None:
    assert lines_of(POST)[1:] == [
        "hand I: 2C KD 7S TS AS",
        "passes I: KD 7S",
        "passes Ben: KS AH",
        "1. I: I=2C, Carl=9C, Dora=TC, Ben=KC",
    ]


TAGS = """\
[Event "Tuesday"]
[South "Petra"]
[West "Quentin"]
[North "Rosa"]
[East "Sam"]

[Deal "1"]
[Pass "left"]
[HandSouth "2C 9D"]
[HandWest "3C 4D"]
[HandNorth "4C 5D"]
[HandEast "5C QS"]
[PassedSouth "9D"]
[PassedWest "4D"]
[PassedNorth "5D"]
[PassedEast "QS"]
[Score "0 0 0 13"]
[Total "0 0 0 13"]

1. S: 2C 3C 4C 5C {Sam is in a hurry}
2. E: 5D QS 9D 4D

[Deal "2"]
[Pass "right"]
[Total "0 13 0 13"]

1. W: 2C 3C 4C QS
"""


def test_a_match_in_tags() -> None:
    written = write_written(read_written(TAGS))
    first, second = written.replace("\n\n", "\n").split("deal 2\n")
    assert first.startswith(
        "match: Tuesday\nplayers: Petra, Quentin, Rosa, Sam\ndeal 1\n"
    )
    assert {
        "hand Sam: 5C QS",
        "passes Petra: 9D",
        "# Sam is in a hurry",
        "score: 0 0 0 13",
        "totals: 0 0 0 13",
        "2. Sam: 5D QS 9D 4D",
    } <= {*first.splitlines()}
    assert second == "pass: right\n1. Quentin: 2C 3C 4C QS\ntotals: 0 13 0 13\n"


ROUND = """\
players: Ann, Ben, Carl, Dora
pack: 2C 3C 4C 5C 4D 5D 9D QS
pass: left
hand Ann: {hand}
passes Ann: 9D
passes Dora: {packet}
1. Ann: 2C 3C 4C 5C
2. Dora: Dora: 5D, {plays}
"""


def test_cards_in_another_order_than_the_turns_are_named() -> None:
    text = ROUND.format(hand="2C 9D", packet="QS", plays="Ann: QS, Ben: 9D, Carl: 4D")
    assert not [one for one in granted(text) if "in turn" in one]
    for plays, named in (
        ("Carl: 4D, Ben: 9D, Ann: QS", False),  # as in a table from right to left
        ("Ben: 9D, Ann: QS, Carl: 4D", True),
    ):
        text = ROUND.format(hand="2C 9D", packet="QS", plays=plays)
        said = "the cards of trick 2 were played in turn"
        assert (said in granted(text)) == named


def test_hands_that_are_not_those_of_the_plays_are_named() -> None:
    plays = "Ann: QS, Ben: 9D, Carl: 4D"
    right = granted(ROUND.format(hand="2C 9D", packet="QS", plays=plays))
    assert not [one for one in right if "did not" in one or "was not" in one]
    dealt = granted(ROUND.format(hand="3C 9D", packet="QS", plays=plays))
    assert "Ann was not dealt 3C, since it is played by Ben" in dealt
    passed = granted(ROUND.format(hand="2C 9D", packet="5D", plays=plays))
    assert "Dora did not pass 5D, since it is played by Dora" in passed
    text = ROUND.format(hand="2C 9D", packet="QS", plays=plays)
    held = granted(text.replace("1. Ann", "held Carl: 4C 5D\n1. Ann"))
    assert "Carl did not hold 5D, since it is played by Dora" in held


def test_a_pass_that_the_plays_deny_is_not_used() -> None:
    plays = "Ann: QS, Ben: 9D, Carl: 4D"
    text = ROUND.format(hand="2C 9D", packet="5D", plays=plays)
    whole = text.replace("1. Ann", "passes Ben: 4D\npasses Carl: 5D\n1. Ann")
    [part] = completed_parts(read_written(whole), COMMON)
    [deal] = part.match.deals
    assert (deal.passes, deal.dealt) == ((), ())
    assert "Dora did not pass 5D, since it is played by Dora" in part.granted


FORWARDED = """\
players: Ann, Ben, Carl, Dora
rules: common-hearts, pass_unseen=true
pack: 2C 3C 4C 5C 4D 5D 9D QS
pass: left
{hands}
passes Ann: {packet}
forward Ben
passes Carl: 5D
passes Dora: QS
1. {first}
2. Dora: Dora: 5D, Ann: QS, Ben: 4D, Carl: {last}
"""
ALL_HANDS = "hand Ann: 2C 9D\nhand Ben: 3C 4D\nhand Carl: 4C 5D\nhand Dora: 5C QS"


@pytest.mark.parametrize(
    ("hands", "packet", "first", "last", "dealer"),
    [
        ("hand Ann: 2C 9D", "9D", "Ann: 2C 3C 4C 5C", "9D", "Dora"),
        (ALL_HANDS, "2C", "2C 5C 9D 3C", "4C", "Ben"),  # Carl has the 2C to lead
    ],
)
def test_a_packet_goes_on_past_a_seat_that_forwards(
    hands: str, packet: str, first: str, last: str, dealer: str
) -> None:
    said = granted(
        FORWARDED.format(hands=hands, packet=packet, first=first, last=last)
    )  # 4.9a: what Ann passes goes on to Carl
    assert f"{dealer} dealt" in said
    assert not [one for one in said if "did not" in one or "was not" in one]


LOG = """\
12:01:07 table 4 opened, game=hearts players=4
12:01:08 deal 4 begins, pass=hold
12:01:08 seat=0 dealt 2C 9D
12:01:08 seat=1 dealt 3C 4D
12:01:08 seat=2 dealt 4C 5D
12:01:08 seat=3 dealt 5C QS
12:01:25 trick 1 starts, leader seat=0
12:01:31 seat=0 plays 2C
12:01:34 seat=1 plays 3C
12:01:38 seat=2 plays 4C
12:01:43 seat=3 plays 5C
12:01:44 trick 1 won by seat=3 points=0
12:01:45 trick 2 starts, leader seat=3
12:01:48 seat=3 plays QS
12:01:53 seat=1 plays 4D
12:02:00 seat=0 plays 9D
12:02:04 seat=2 plays 5D
12:02:05 trick 2 won by seat=3 points=13
12:05:54 deal 4 ends, points seat0=0 seat1=0 seat2=0 seat3=13
"""


def test_the_log_of_a_server() -> None:
    assert lines_of(LOG) == [
        "deal 4",
        "pass: hold",
        "hand seat 0: 2C 9D",
        "hand seat 1: 3C 4D",
        "hand seat 2: 4C 5D",
        "hand seat 3: 5C QS",
        "1. seat 0: seat 0=2C, seat 1=3C, seat 2=4C, seat 3=5C -> seat 3 (0)",
        "2. seat 3: seat 3=QS, seat 1=4D, seat 0=9D, seat 2=5D -> seat 3 (13)",
        "score: 0 0 0 13",
    ]
    assert "the cards of trick 2 were played in turn" in granted(LOG)
    passed = lines_of(
        LOG.replace("hold", "left").replace(
            "12:01:25", "12:01:12 seat=0 passes 9D to seat=1\n12:01:25"
        )
    )
    assert "passes seat 0: 9D" in passed
