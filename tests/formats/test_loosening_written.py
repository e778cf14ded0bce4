"""Tests of the forms in which people write games, and how they are normalised."""

import pytest

from refengine import CardSet, Ruleset
from refengine.errors import Malformed
from refengine.formats.written.loosening_written import loosened
from refengine.formats.written.plain_lines_written import plain_lines, tags_apart
from refengine.formats.written.reading_written import read_written
from refengine.formats.written.writing_written import write_written

PLAYERS = "players: Ann, Ben, Carl, Dora"
BARE = ["1. 2C 5C JC KC", "2. 7D 9D QS 2H"]
NAMED = [
    "1. Ann: Ann=2C, Ben=5C, Carl=JC, Dora=KC",
    "2. Dora: Dora=7D, Ann=9D, Ben=QS, Carl=2H",
]
WON = [f"{NAMED[0]} -> Dora", f"{NAMED[1]} -> Ann"]
HANDS_AND_TRICK = [
    "players: Ann, Ben",
    "hand Ann: 2C 9D QH",
    "hand Ben: 5C QS 3H",
    "1. Ann: Ann=2C, Ben=5C",
]
SHAPES = {
    "a phone note": (
        "Hearts, 25 Nov, kitchen table\nAnn, Ben, Carl, Dora\n"
        "1st trick: Ann 2c, Ben 5c, Carl Jc, Dora Kc - Dora takes it\n"
        "2nd: Dora 7d, Ann 9d, Ben Qs, Carl 2h, Ann wins.",
        ["match: Hearts, 25 Nov, kitchen table", PLAYERS, *WON],
    ),
    "a row of seats": (
        "N E S W\n2C 5C JC KC\n9D QS 2H 7D",
        [
            "1. seat 0=2C, seat 1=5C, seat 2=JC, seat 3=KC",
            "2. seat 0=9D, seat 1=QS, seat 2=2H, seat 3=7D",
        ],
    ),
    "hands by suits": (
        "Hands:\nAnn: ♠ AQ2 ♥ K ♦ - ♣ 2\nBen: ♠ K43 ♥ A ♣ 3\nTricks:\n1. Ann: ♣2 ♣3",
        [
            "players: Ann, Ben",
            "hand Ann: 2C 2S QS AS KH",
            "hand Ben: 3C 3S 4S KS AH",
            "1. Ann: 2C 3C",
        ],
    ),
    "a table with stars": (
        "Trick | Ann | Ben | Carl | Dora | Winner\n---|---|---|---|---|---\n"
        "1 | 2C* | 5C | JC | KC | Dora\n2 | 9D | QS | 2H | 7D* | Ann",
        [
            PLAYERS,
            WON[0],
            "2. Dora: Ann=9D, Ben=QS, Carl=2H, Dora=7D -> Ann",
        ],
    ),
    "tags": (
        '[Event "Friday"]\n[Site "home"]\n[North "Ann"]\n[East "Ben"]\n[South "Carl"]\n'
        '[West "Dora"]\n\n1. C2 C5 CJ CK\n2. D7 D9 SQ H2',
        ["match: Friday", PLAYERS, "# Site: home", *BARE],
    ),
    "semicolons": (
        "Ann leads 2C; Ben 5C; Carl JC; Dora KC\n"
        "Dora leads 7D; Ann 9D; Ben QS; Carl 2H",
        [PLAYERS, *NAMED],
    ),
    "a card a line": (
        "trick 1\nAnn 2C\nBen 5C\nCarl JC\nDora KC\n-> Dora\n"
        "trick 2\nDora 7D\nAnn 9D\nBen QS\nCarl 2H\nAnn wins the trick",
        [PLAYERS, *WON],
    ),
    "a card a line, by seats": (
        "trick 1\nN 2C\nE 5C\nS JC\nW KC\nW wins\ntrick 2\nW leads 7D\nN 9D",
        [
            "1. seat 0: seat 0=2C, seat 1=5C, seat 2=JC, seat 3=KC -> seat 3",
            "2. seat 3: seat 3=7D, seat 0=9D",
        ],
    ),
    "a card a line, without headings": (
        "Ann 2C\nBen 5C\nCarl JC\nDora KC\nDora 7D\nAnn 9D\nBen QS\nCarl 2H",
        [PLAYERS, *NAMED],
    ),
    "dashes and a pass": (
        "Players: Ann (N), Ben (E), Carl (S), Dora (W)\nPass: left\n"
        "Ann passes QS KS AS\nT1: 2C-5C-JC-KC\nT2: 7D-9D-QS-2H",
        [PLAYERS, "pass: left", "passes Ann: QS KS AS", *BARE],
    ),
    "numbers for seats": (
        "0: 2C 1: 5C 2: JC 3: KC\n3: 7D 0: 9D 1: QS 2: 2H",
        [
            "1. seat 0: seat 0=2C, seat 1=5C, seat 2=JC, seat 3=KC",
            "2. seat 3: seat 3=7D, seat 0=9D, seat 1=QS, seat 2=2H",
        ],
    ),
    "players by number": (
        "Player 1: 2C, Player 2: 5C\nPlayer 2: 9D, Player 1: 7D",
        [
            "players: Player 1, Player 2",
            "1. Player 1: Player 1=2C, Player 2=5C",
            "2. Player 2: Player 2=9D, Player 1=7D",
        ],
    ),
    "sentences": (
        "# of the cat\nAnn plays 2C. Ben plays 5C. Carl plays JC. Dora plays KC. "
        "Dora wins.\nDora leads the seven of diamonds, Ann follows with the nine of "
        "diamonds, Ben discards the queen of spades and Carl plays the two of hearts.",
        [PLAYERS, "# of the cat", WON[0], NAMED[1]],
    ),
    "winners in brackets": (
        "Tricks:\n1) Ann 2♣, Ben 5♣, Carl J♣, Dora K♣ (Dora)\n"
        "2) Dora 7♦, Ann 9♦, Ben Q♠, Carl 2♥ (Ann)\n"
        "Score: Ann 14, Ben 0, Carl 0, Dora 0",
        [PLAYERS, *WON, "score: 14 0 0 0"],
    ),
    "a whole small deal": (
        "DEAL 4 (no passing)\nWest deals\nN: 2C 9D QH\nE: 5C QS 3H\nS: JD 4S 2H\n"
        "W: KC 7D KH\nN 2C E 5C S JD W KC\nW 7D N 9D E QS S 2H\n"
        "Points: N 14 E 0 S 0 W 3",
        [
            "deal 4",
            "dealer: seat 3",
            "pass: hold",
            "hand seat 0: 2C 9D QH",
            "hand seat 1: 5C QS 3H",
            "hand seat 2: JD 4S 2H",
            "hand seat 3: KC 7D KH",
            "1. seat 0: seat 0=2C, seat 1=5C, seat 2=JD, seat 3=KC",
            "2. seat 3: seat 3=7D, seat 0=9D, seat 1=QS, seat 2=2H",
            "score: 14 0 0 3",
        ],
    ),
    "calls": (
        "Ann: Card(2, c)\nBen: Card(rank=five, suit=clubs)\nAnn: Card(K, D)",
        ["players: Ann, Ben", "1. Ann=2C, Ben=5C", "2. Ann: KD"],
    ),
    "hands by suits in words": (
        "Hands\nAnn: 2 9 c, Q hearts.\nBen: 5 c, Q s\nPlay\nAnn 2 cl, Ben 5 cl",
        [
            "players: Ann, Ben",
            "hand Ann: 2C 9C QH",
            "hand Ben: 5C QS",
            "1. Ann=2C, Ben=5C",
        ],
    ),
    "the suit before the rank": (
        "Trick one is Ann's\nAnn c2, Ben ct, Cy c4\nBen h4, Cy ht, Ann h5",
        [
            "match: Trick one is Ann's",
            "players: Ann, Ben, Cy",
            "1. Ann: Ann=2C, Ben=TC, Cy=4C",
            "2. Ben: Ben=4H, Cy=TH, Ann=5H",
        ],
    ),
    "a player called like a trick": (
        "T 2♣, B 5♣\nB 7♦, T 9♦\nPoints: 0, 3",
        ["players: T, B", "1. T: T=2C, B=5C", "2. B: B=7D, T=9D", "score: 0 3"],
    ),
    "a log with an empty line": (
        "[12:30] Ben sits before Ann\n[12:30] Ann and Ann won\n[12:31]\n"
        "[12:31] Ben 7D\n[12:32] Ann 9D\n[12:33] Ann 2C\n[12:34] Ben 5C",
        [
            "match: Ben sits before Ann",
            "players: Ben, Ann",
            "# Ann and Ann won",
            "1. Ben: Ben=7D, Ann=9D",
            "2. Ann: Ann=2C, Ben=5C",
        ],
    ),
    "a sentence above": (
        "It went to Ben and Ann in the end\nAnn 2C, Ben 5C\nAnn 3C, Ben 6C",
        [
            "match: It went to Ben and Ann in the end",
            "players: Ben, Ann",
            "1. Ann=2C, Ben=5C",
            "2. Ann=3C, Ben=6C",
        ],
    ),
    "numbered from nought": (
        "trick 0\nAnn 2C\nBen 5C\ntrick 1\nBen 7D\nAnn 9D",
        ["players: Ann, Ben", "1. Ann: Ann=2C, Ben=5C", "2. Ben: Ben=7D, Ann=9D"],
    ),
    "a mark beside who led": (
        "Ann 2C, >Ben 5C\nBen 7D, >Ann 9D",
        ["players: Ann, Ben", "1. Ben: Ann=2C, Ben=5C", "2. Ann: Ben=7D, Ann=9D"],
    ),
    "winners by number": (
        "seat 0: 2C\nseat 1: 5C\nwinner=1\nseat 1: 7D\nseat 0: 9D\nwinner: 0",
        [
            "1. seat 0: seat 0=2C, seat 1=5C -> seat 1",
            "2. seat 1: seat 1=7D, seat 0=9D -> seat 0",
        ],
    ),
    "winners by the number of a player": (
        "Player 1: 2C\nPlayer 2: 5C\ntrick winner 2\nPlayer 2: 7D\nPlayer 1: 9D",
        [
            "players: Player 1, Player 2",
            "1. Player 1: Player 1=2C, Player 2=5C -> Player 2",
            "2. Player 2: Player 2=7D, Player 1=9D",
        ],
    ),
    "scores by seat": (
        "Ann 2C, Ben 5C\nAnn 3C, Ben 6C\nScores: 0: 3, 1: 10",
        ["players: Ann, Ben", "1. Ann=2C, Ben=5C", "2. Ann=3C, Ben=6C", "score: 3 10"],
    ),
    "scores and their sum": (
        "N 2C E 5C S JD W KC\nPoints: 3, 0, 0, 10, 13",
        ["1. seat 0=2C, seat 1=5C, seat 2=JD, seat 3=KC", "score: 3 0 0 10"],
    ),
    "a score with a card in it": (
        "Ann 2C, Ben 5C\nAnn 13 with QS, Ben 0",
        [
            "players: Ann, Ben",
            "1. Ann=2C, Ben=5C",
            "score: 13 0",
            "# Ann 13 with QS, Ben 0",
        ],
    ),
    "a server's log": (
        "2024-03-09 20:14:24.325 INFO  [table-7] DEAL 2 start pass=right\n"
        "2024-03-09 20:14:24.334 DEBUG [table-7] HAND Ann C2 C3 D4\n"
        "2024-03-09 20:14:24.340 DEBUG [table-7] HAND Ben C5 D9 H2\n"
        "2024-03-09 20:14:28.697 INFO  [table-7] PASS Ann -> Ben C3\n"
        "2024-03-09 20:14:44.194 INFO  [table-7] PLAY Ann C2\n"
        "2024-03-09 20:14:45.000 WARN  [table-7] slow connection\n"
        "2024-03-09 20:14:47.815 INFO  [table-7] PLAY Ben C5\n"
        "2024-03-09 20:14:51.809 INFO  [table-7] TRICK 1 won by Ben points=0\n"
        "2024-03-09 20:16:46.168 INFO  [table-7] SCORE deal Ann=1 Ben=0\n"
        "2024-03-09 20:16:46.179 INFO  [table-7] SCORE total Ann=15 Ben=1\n",
        [
            "players: Ann, Ben",
            "deal 2",
            "pass: right",
            "hand Ann: 2C 3C 4D",
            "hand Ben: 5C 9D 2H",
            "passes Ann: 3C",
            "1. Ann=2C, Ben=5C -> Ben (0)",
            "score: 1 0",
            "totals: 15 1",
            "# slow connection",
        ],
    ),
    "tags with surnames first, two tricks on a line": (
        '[North "Hall, B."]\n[East "Imre, K."]\n[South "Lund, L."]\n[West "Rao, D."]\n'
        '[Deal "4"]\n[Pass "none"]\n[Before "N 31 E 5 S 24 W 18"]\n'
        '[Points "N 0 E 1 S 0 W 4"]\n[After "N 31 E 6 S 24 W 22"]\n\n'
        "1. W: C2 C3 C6 CA =S  2. S: S5 S2 S3 ST =E+1 {ten}\n",
        [
            "players: B. Hall, K. Imre, L. Lund, D. Rao",
            "deal 4",
            "pass: hold",
            "before: 31 5 24 18",
            "1. D. Rao: 2C 3C 6C AC -> L. Lund",
            "2. L. Lund: 5S 2S 3S TS -> K. Imre (1)",
            "score: 0 1 0 4",
            "totals: 31 6 24 22",
            "# ten",
        ],
    ),
    "a note with points so far": (
        "3rd deal (passed across)\nclockwise: me, jo, kim\n"
        "t1 me: 2c 5c ac > kim\nt2 kim: 2s 5s 4s > jo  ha the lady\n"
        "pts so far me 0, jo 0, kim 0",
        [
            "players: me, jo, kim",
            "deal 3",
            "pass: across",
            "1. me: 2C 5C AC -> kim",
            "2. kim: 2S 5S 4S -> jo",
            "# pts so far me 0, jo 0, kim 0",
        ],
    ),
    "totals before and after on one line": (
        "Ann 2C, Ben 5C\nBefore: Ann 24, Ben 38. After: Ann 25, Ben 38.",
        ["players: Ann, Ben", "before: 24 38", "1. Ann=2C, Ben=5C", "totals: 25 38"],
    ),
    "possessives": (
        "Ann's hand: 2C 9D QH\nBen's hand: 5C QS 3H\nAnn leads 2C, Ben 5C",
        HANDS_AND_TRICK,
    ),
    "possessives after dashes": (
        "– Ann's hand: 2C 9D QH\n– Ben's hand: 5C QS 3H\nAnn leads 2C, Ben 5C",
        HANDS_AND_TRICK,
    ),
    "hands that were dealt, and a trick below them": (
        "Dealt:\nAnn: 2C 9D QH\nBen: 5C QS 3H\nAnn: 2C, Ben: 5C",
        [*HANDS_AND_TRICK[:3], "1. Ann=2C, Ben=5C"],
    ),
    "hands with a heading, and a trick without one": (
        "Hands:\nAnn: 2C 9D QH\nBen: 5C QS 3H\nAnn: 2C, Ben: 5C",
        [*HANDS_AND_TRICK[:3], "1. Ann=2C, Ben=5C"],
    ),
    "hands that were dealt, and plays one to a line": (
        f"{PLAYERS}\nDealt:\nAnn: 2C 9D QH\nBen: 5C QS 3H\nCarl: JD 4S 2H\n"
        "Dora: KC 7D KH\nAnn: 2C\nBen: 5C\nCarl: JD\nDora: KC",
        [
            PLAYERS,
            *("hand Ann: 2C 9D QH", "hand Ben: 5C QS 3H"),
            *("hand Carl: JD 4S 2H", "hand Dora: KC 7D KH"),
            "1. Ann=2C, Ben=5C, Carl=JD, Dora=KC",
        ],
    ),
    "what was passed, the own hand, and the next deal": (
        f"{PLAYERS}\nDeal 1\nPassed:\nAnn: QS KS AS\nAnn's hand: 2C 9D QH\n"
        "Ann leads 2C; Ben 5C; Carl JC; Dora KC\nDeal 2\nAnn: 2C 9D QH\n"
        "Ben: 5C QS 3H\nCarl: JD 4S 2H\nDora: KC 7D KH",
        [
            PLAYERS,
            *("deal 1", "hand Ann: 2C 9D QH", "passes Ann: QS KS AS"),
            *("1. Ann: Ann=2C, Ben=5C, Carl=JC, Dora=KC", "deal 2"),
            "hand Ann: 2C 9D QH",
            *("hand Ben: 5C QS 3H", "hand Carl: JD 4S 2H", "hand Dora: KC 7D KH"),
        ],
    ),
    "hands of players with letters for names, the suit first": (
        "players: A, B, C, D\nHands:\nA: ♣A ♣K ♥2\nB: ♣3 ♣4 ♥5",
        ["players: A, B, C, D", "hand A: KC AC 2H", "hand B: 3C 4C 5H"],
    ),
    "tricks led by a player with an apostrophe before an S": (
        "players: Ann, Ben, Carl, O\u2019Shea\nAnn: 2C 5C JC KC\n"
        "O\u2019Shea: 7D 9D QS 2H\nIt rained all evening",
        [
            "players: Ann, Ben, Carl, O\u2019Shea",
            *("1. Ann: 2C 5C JC KC", "2. O\u2019Shea: 7D 9D QS 2H"),
            "# It rained all evening",
        ],
    ),
    "what was passed below a heading": (
        "Passed:\nAnn: QS KS AS\nBen: 2S 3S 4S\nCarl: 5D 6D 8D\nDora: 8C 9C TC\n"
        "Ann leads 2C; Ben 5C; Carl JC; Dora KC\n"
        "Dora leads 7D; Ann 9D; Ben QS; Carl 2H",
        [
            PLAYERS,
            *("passes Ann: QS KS AS", "passes Ben: 2S 3S 4S"),
            *("passes Carl: 5D 6D 8D", "passes Dora: 8C 9C TC"),
            *NAMED,
        ],
    ),
    "tricks with only their leaders, and a remark": (
        f"{PLAYERS}\nAnn: 2C 5C JC KC\nDora: 7D 9D QS 2H\nAnn: 3D 4D 5D 8D\n"
        "Dora: 9C TC QC AC\nBen: 3C 4C 6C 7C\nAnn: 2S 3S 4S 5S\nIt rained all evening",
        [
            PLAYERS,
            *("1. Ann: 2C 5C JC KC", "2. Dora: 7D 9D QS 2H", "3. Ann: 3D 4D 5D 8D"),
            *("4. Dora: 9C TC QC AC", "5. Ben: 3C 4C 6C 7C", "6. Ann: 2S 3S 4S 5S"),
            "# It rained all evening",
        ],
    ),
    "seats with a sign before their numbers": (
        "Seat=0: 2C 9D QH\nSeat=1: 5C QS 3H\nSeat=2: JD 4S 2H\nSeat=3: KC 7D KH\n"
        "1. 2C 5C JD KC",
        [
            "hand seat 0: 2C 9D QH",
            "hand seat 1: 5C QS 3H",
            "hand seat 2: JD 4S 2H",
            "hand seat 3: KC 7D KH",
            "1. 2C 5C JD KC",
        ],
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_that_people_write(shape: str) -> None:
    text, lines = SHAPES[shape]
    written = write_written(read_written(text))
    assert [one for one in written.splitlines() if one and one != "deal -"] == lines


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2C 5C 4X\n7D 9D", "line 1: found '4X'"),
        ("Ann 2C, Ann 5C, Ben 3C", "line 1: found 'Ann 2C"),
        ("Ann 2C, >Ben 5C, >Carl 6C", "line 1: found"),
        ("Ann Ben Carl\n2C >5C >6C", "line 2: found '>' twice"),
        ("Ann 2C\n>Ben 5C\nCarl leads 6C", "line 3: found Ben and Carl lead"),
        ("mellow\n2C 5C yellow", "line 2: found 'yellow'"),
    ],
)
def test_what_it_cannot_be_is_told_with_its_line(text: str, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        read_written(text)


def test_words_between_cards_that_say_nothing_are_left_out() -> None:
    (deal,) = read_written("Ann >2C and then Ben 5C\nBen >6C and Ann 3C").deals
    assert [[str(one.card) for one in trick.cards] for trick in deal.tricks] == [
        ["2C", "5C"],
        ["6C", "3C"],
    ]


def test_a_pass_to_the_next_but_one_of_five_has_no_word() -> None:
    text = "players: Ann, Ben, Carl, Dora, Emil\nAnn gives Carl 2C 3C\n"
    (deal,) = read_written(f"{text}Ann 6C, Ben 7C, Carl 8C, Dora 9C, Emil TC\n").deals
    assert (deal.direction, len(deal.passes)) == ("", 1)


def test_what_the_reader_knows_already_is_left_alone() -> None:
    lines = [
        (1, "rules: common-hearts"),
        (2, "1. 2C 5C JC KC"),
        (3, "# Ann 2C, Ben 3C"),
    ]
    found = loosened(lines)
    assert (list(found.lines), found.granted) == (lines, ())


def test_players_with_numbers_sit_in_their_order() -> None:
    numbers = range(1, 11)
    cards = ["2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC"]
    laid = [
        f"Player {number}: {card}" for number, card in zip(numbers, cards, strict=True)
    ]
    match = read_written("1. " + ", ".join(laid))
    assert match.names == tuple(f"Player {number}" for number in numbers)


@pytest.mark.parametrize("number", ["1", "1.", "01"])
def test_a_table_may_have_its_numbers_with_a_full_stop(number: str) -> None:
    text = f"| trick | Ann | Ben | Carl | Dora |\n| {number} | >2C | 3C | 4C | 5C |"
    assert len(read_written(text).deals[0].tricks) == 1
    with pytest.raises(Malformed, match="found trick 3; allowed: trick 2"):
        read_written(f"{text}\n| 3. | >2D | 3D | 4D | 5D |")


def test_an_order_of_players_that_is_found_is_granted() -> None:
    text, _ = SHAPES["semicolons"]
    assert read_written(text).granted == ("Ann, Ben, Carl and Dora sit in this order",)
    assert read_written(SHAPES["dashes and a pass"][0]).granted == ()


@pytest.mark.parametrize("heading", ["pts so far", "So far", "running total", "notes"])
def test_a_column_that_is_not_read_is_named(heading: str) -> None:
    head = f"trick | Ann | Ben | Carl | {heading}"
    found = read_written(f"{head}\n1 | 2C | 5C | JC | 0\n2 | 9D | QS | >7D | 13")
    assert found.granted == (f"the column {heading!r} is not read",)
    assert [len(one.cards) for one in found.deals[0].tricks] == [3, 3]


def test_rules_on_the_first_line_are_no_title() -> None:
    text = f"heartsgame-tiles, 4 players\n{SHAPES['semicolons'][0]}"
    match = read_written(text)
    assert match.name == ""
    assert match.ruleset == Ruleset("heartsgame-tiles")


TRICK = "1. Ann 2C, Ben 5C, Carl JC, Dora KC"


REMARKS = (
    *(" (Ben void)", " (Ann had no clubs)", " - Ann void", " – Ben ran out of clubs"),
    *(" - not Ann", ". Poor Ann", ", thanks Ben"),
)
BY_DORA = (
    *(" (Dora)", " - Dora", " -> Dora, of course", " (Dora, 13)", " - Dora 13 points"),
    *(", so Dora", " - Dora takes it", ", trick Dora"),
)


@pytest.mark.parametrize(
    ("behind", "winner"),
    [*((one, None) for one in REMARKS), *((one, 3) for one in BY_DORA)],
)
def test_whoever_is_named_alone_or_with_points_behind_the_cards_has_won(
    behind: str, winner: int | None
) -> None:
    after = "2. Dora 7D, Ann 9D, Ben QS, Carl 2H"
    (deal,) = read_written(f"{TRICK}{behind}\n{after}").deals
    assert deal.tricks[0].winner == winner


@pytest.mark.parametrize(
    ("line", "dealer"),
    [
        ("Round 2: Dora deals, pass left", 3),
        ("Deal 3 (dealer Carl, hold)", 2),
        ("Deal 1 (dealer: Carl)", 2),
        ("Deal 1", None),
    ],
)
def test_the_dealer_may_stand_behind_the_number_of_the_deal(
    line: str, dealer: int | None
) -> None:
    (deal,) = read_written(f"{line}\n{SHAPES['semicolons'][0]}").deals
    assert deal.dealer == dealer


def test_points_before_a_deal_are_no_score_of_it() -> None:
    before = "Before the deal: Ann 30, Ben 40, Carl 20, Dora 14"
    (deal,) = read_written(f"{before}\n{SHAPES['semicolons'][0]}").deals
    assert (deal.before, deal.score) == ((30, 40, 20, 14), ())


@pytest.mark.parametrize("mark", ["'s hand", "\u2019s hand", "'s hand:", " =", ":"])
def test_hands_are_no_tricks_whatever_stands_behind_the_name(mark: str) -> None:
    hands = ["2C 7D", "5C 9D", "JC QS", "KC 2H"]
    names = ["Ann", "Ben", "Carl", "Dora"]
    lines = [f"{name}{mark} {hand}" for name, hand in zip(names, hands, strict=True)]
    text = "\n".join(["Cards:", *lines, SHAPES["semicolons"][0]])
    (deal,) = read_written(text).deals
    assert list(map(str, deal.dealt)) == ["2C 7D", "5C 9D", "JC QS", "KC 2H"]
    assert len(deal.tricks) == 2


LOOSE = "Ann leads 2C; Ben 5C; Carl JC; Dora KC"
AGAIN = "Dora leads 7D; Ann 9D; Ben QS; Carl 2H"


@pytest.mark.parametrize("begun", ["deal -", "Next deal", "new hand:"])
def test_a_deal_without_a_number_begins_in_loose_lines_too(begun: str) -> None:
    text = f"{LOOSE}\n{begun}\n{AGAIN}"
    numbered = list(enumerate(text.split("\n"), 1))
    lines = [line for _, line in loosened(numbered).lines]
    assert lines[0] == PLAYERS
    assert ["2C" in one for one in lines[1:]] == [True, False, False]
    assert lines[2] == "deal -"
    assert "7D" in lines[3]


@pytest.mark.parametrize(
    "line", ["the match begins, dealer Ann", "the limit has been reached", "deal -"]
)
def test_what_we_write_ourselves_is_no_remark_beside_loose_lines(line: str) -> None:
    found = loosened([(1, line), (2, LOOSE)])
    assert line in [text for _, text in found.lines]
    assert not [one for one in found.granted if "remark" in one]


@pytest.mark.parametrize(
    "shape", ["semicolons", "a card a line", "a card a line, by seats"]
)
def test_to_say_how_many_play_spoils_nothing(shape: str) -> None:
    text = SHAPES[shape][0]
    deals = read_written(f"players: 4\n{text}").deals
    assert deals == read_written(text).deals


@pytest.mark.parametrize(
    "hand",
    ["Ann's HAND 2C 9D QH", "Hands:\nANN'S HAND 2C 9D QH", "Ann\u2019s hand 2C 9D QH"],
)
def test_a_hand_in_capitals(hand: str) -> None:
    [deal] = read_written(f"{PLAYERS}\n{hand}\n{LOOSE}\nDora takes it\n").deals
    assert deal.dealt[0] == CardSet("2C 9D QH")


@pytest.mark.parametrize("seats", ["0123", "012"])
def test_seats_that_pass_to_seats_tell_the_way(seats: str) -> None:
    size = len(seats)
    lines = [
        f"seat {at} passes to seat {(at - 1) % size}: {at + 2}C" for at in range(size)
    ]
    trick = " ".join(f"{at}D" for at in range(2, 2 + size))
    text = "\n".join([*lines, f"seat 0: {trick}"])
    assert read_written(text).deals[0].direction == "right"


def test_names_with_hyphens_in_tags() -> None:
    lines = plain_lines(((1, '[Score "Jean-Luc 3, O\'Brien 23"]'),))
    assert lines == [(1, "score: Jean-Luc 3, O'Brien 23")]


def test_a_card_after_a_name_of_many_words_is_no_remark() -> None:
    name = "Jean-Luc du Pont"
    text, lines = SHAPES["a card a line"]
    written = write_written(read_written(f"{PLAYERS}\n{text}".replace("Ann", name)))
    assert [one for one in written.splitlines() if one and one != "deal -"] == [
        one.replace("Ann", name) for one in lines
    ]


def test_a_remark_on_a_player_of_two_words_and_a_card_stays_a_remark() -> None:
    text = f"{PLAYERS}\n{SHAPES['a card a line'][0]}\nAnn fears QS"
    found = read_written(text.replace("Ann", "Ann Lee"))
    assert [one for one in found.granted if "is a remark" in one]


def test_a_table_may_count_from_nought() -> None:
    text = (
        "Trick | Ann | Ben | Carl | Dora\n"
        "0 | >2C | 5C | JC | KC\n1 | 9D | QS | 2H | >7D\n"
    )
    assert len(read_written(text).deals[0].tricks) == 2


def test_each_deal_may_have_a_table_of_its_own() -> None:
    head = "| # | Ann | Ben | Carl | Dora |\n|---|---|---|---|---|\n"
    text = (
        f"{head}| 1 | >2C | 5C | JC | KC |\nDeal 2\n{head}| 1 | 3C | >2C | 4C | 5C |\n"
    )
    first, second = (deal.tricks[0] for deal in read_written(text).deals)
    assert (first.leader, second.leader) == (0, 1)
    assert [one.seat for one in second.cards] == [0, 1, 2, 3]


def test_names_in_the_tags_of_some_sides_are_remarks() -> None:
    lines = ((1, '[North "Ann"]'), (2, '[East "Rao, D."]'), (3, "N: 2C 3C"))
    head, rest = tags_apart(lines)
    assert head == [(1, "# North: Ann"), (2, "# East: Rao, D.")]
    assert rest == [(3, "N: 2C 3C")]


def test_a_grand_total_is_no_score_of_the_deal() -> None:
    after = "Grand total: Ann 30, Ben 40, Carl 20, Dora 14"
    (deal,) = read_written(f"{LOOSE}\n{after}").deals
    assert (deal.score, deal.totals) == ((), (30, 40, 20, 14))


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize(
    "names",
    [
        ["Zoe\u0308", "Ben", "Carl", "Jose\u0301"],
        ["सीता", "राम", "मोहन", "गीता"],
    ],
)
def test_names_with_marks_apart_from_their_letters(
    names: list[str], declared: bool
) -> None:
    one, two, three, four = names
    head = f"players: {', '.join(names)}\n" if declared else ""
    trick = f"{one} leads 2C; {two} 5C; {three} JC; {four} KC -> {four}"
    match = read_written(f"{head}{trick}\nIt rained\n")
    assert len(match.names) == 4
    [found] = match.deals[0].tricks
    assert (found.leader, found.winner) == (0, 3)
    assert read_written(write_written(match)) == match


def test_marks_in_names_where_totals_winners_and_players_are_listed() -> None:
    told = [(1, "before: सीता 1, राम 2"), (2, "won by सीता")]
    assert plain_lines(told) == [told[0], (2, "-> सीता")]
    names = ("राम", "मोहन", "गीता", "सीता")
    one, two, three, four = names
    trick = f"{four} leads 2C; {one} 5C; {two} JC; {three} KC"
    assert read_written(f"{', '.join(names)}\n{trick}\n").names == names


@pytest.mark.parametrize("heading", ["Passes:", "passes", "Passed:"])
def test_passes_below_either_heading(heading: str) -> None:
    text = f"{PLAYERS}\n{heading}\nAnn: QS KS AS\nBen: 2S 3S 4S\n{LOOSE}\n"
    [deal] = read_written(text).deals
    assert [one.seat for one in deal.passes] == [0, 1]
    assert deal.dealt == ()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "players: Ann Ben Carl Dora\nAnn: 2C 5C JC KC\nDora: 7D 9D QS 2H",
            [PLAYERS, "1. Ann: 2C 5C JC KC", "2. Dora: 7D 9D QS 2H"],
        ),
        ("players: Ann Ben Carl Dora\n2C 5C JC KC", [PLAYERS, "1. 2C 5C JC KC"]),
        (
            f"{PLAYERS}\nAnn gives Ben 2C 3C 4C\nBen gives Carl 5C 6C 7C\n2H 3H 4H 5H",
            [
                *(PLAYERS, "pass: left", "passes Ann: 2C 3C 4C"),
                *("passes Ben: 5C 6C 7C", "1. 2H 3H 4H 5H"),
            ],
        ),
        (
            "Friday with Ann and Ben\n2C 5C JC KC",
            ["match: Friday with Ann and Ben", "1. 2C 5C JC KC"],
        ),
    ],
)
def test_words_above_cards_that_are_no_heading(text: str, lines: list[str]) -> None:
    written = write_written(read_written(text))
    assert [one for one in written.splitlines() if one and one != "deal -"] == lines


@pytest.mark.parametrize(
    "text",
    [
        "N  E  S  W\n2C  5C      KC",  # South's card is missing, or West's
        "Ann Ben Carl\n2C 5C 6C\n3C 4C 7C 8C",
        "Ann  Ben  Carl\n2C   5C   6C\n3C        4C",
        "Ann | Ben | Carl\n2C | 5C | 6C | 7C",
        "No. | Ann | Ben | Carl\n2C | 5C | 6C",
    ],
)
def test_a_row_with_a_card_under_nobody_is_an_error(text: str) -> None:
    with pytest.raises(Malformed, match=r"line \d: .*under the name of each player"):
        read_written(text)


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ("Ann | Ben | Carl\n2C | 5C | 6C\n | 3C | 4C", "2. Ben=3C, Carl=4C"),
        ("Ann | Ben | Carl\n2C | 5C | 6C\n | >3C | ", "2. Ben: Ben=3C"),
        (
            "No. | Led | Ann | Ben | Carl\n1 | - | 2C | 5C | 6C\n2 | - | 3C | 4C | 7C",
            "2. Ann=3C, Ben=4C, Carl=7C",
        ),
        (
            "Round | Ann | Ben | Carl\n1 | >2C | 5C | 6C\n2 | 3C | 4C | >7C",
            "2. Carl: Ann=3C, Ben=4C, Carl=7C",
        ),
        (
            "No.  Ann  Ben  Carl\n1 >2C  5C  6C\n2 3C  >4C  7C",
            "2. Ben: Ann=3C, Ben=4C, Carl=7C",
        ),
        ("Ann | Ben | Carl\n| 2C | 5C | 6C |", "1. Ann=2C, Ben=5C, Carl=6C"),
        (" | Ann | Ben | Carl\n1 | 2C | 5C | 6C", "1. Ann=2C, Ben=5C, Carl=6C"),
        ("Ann | Ben | Carl\n2C | 5C | 6C | # no QS", "1. Ann=2C, Ben=5C, Carl=6C"),
        ("Ann Ben Carl\n2C 5C 6C\n>3C 4C", "2. Ann: Ann=3C, Ben=4C"),
        ("Ann  Ben  Carl\n2C   5C   6C\n>3C  4C", "2. Ann: Ann=3C, Ben=4C"),
        ("first second third fourth\n>2C 5C 6C 7C", "1. 2C 5C 6C 7C"),
        (
            "Ann | Ben | Carl\n2C | 5C | 6C\n\nBen | Carl | Ann\n3C | 4C | 7C",
            "2. Ben=3C, Carl=4C, Ann=7C",
        ),
    ],
)
def test_the_cells_of_a_row_are_those_of_their_columns(table: str, row: str) -> None:
    assert row in write_written(read_written(table)).splitlines()


A_TRICK = "Ann 2C, Ben 5C, Carl JC, Dora KC - Dora takes it"


@pytest.mark.parametrize(
    "word", ["Running totals:", "New totals are", "After 2 deals:"]
)
def test_totals_in_other_words_are_no_score_of_the_deal(word: str) -> None:
    said = f"{word} Ann 10, Ben 20, Carl 30, Dora 40"
    (deal,) = read_written(f"{PLAYERS}\n{A_TRICK}\n{said}").deals
    assert (deal.score, deal.totals) == ((), (10, 20, 30, 40))


@pytest.mark.parametrize(
    "head", ["Round 2, pass right, Ben deals", "Round 2 (right), dealer: Ben"]
)
def test_the_dealer_may_come_last_beside_the_number_of_the_deal(head: str) -> None:
    (deal,) = read_written(f"{PLAYERS}\n{head}\n{A_TRICK}").deals
    assert (deal.number, deal.direction, deal.dealer) == (2, "right", 1)


def test_numbers_of_seats_that_are_not_at_the_table_are_no_score() -> None:
    text = "Ann 2C, Ben 5C, Cy 6C\nScores: 0: 3, 5: 10, 7: 0"
    match = read_written(text)
    assert match.deals[0].score == ()
    assert "line 2 is a remark" in match.granted


@pytest.mark.parametrize(
    ("last", "winner"),
    [("Dora takes it with KC", 3), ("Dora wins with KC (13)", 3), ("Dora KC", None)],
)
def test_who_takes_it_with_the_last_card_has_won(last: str, winner: int | None) -> None:
    text = f"{PLAYERS}\nAnn leads 2C; Ben takes it with 5C; Carl QS; {last}"
    [trick] = read_written(text).deals[0].tricks
    assert trick.winner == winner


@pytest.mark.parametrize("word", ["Total for this deal", "Totals for the hand"])
def test_the_totals_of_a_deal_are_its_score(word: str) -> None:
    said = f"{word}: Ann 0, Ben 0, Carl 0, Dora 13"
    (deal,) = read_written(f"{PLAYERS}\n{A_TRICK}\n{said}").deals
    assert (deal.score, deal.totals) == ((0, 0, 0, 13), ())


def test_what_is_said_after_a_trick_is_a_remark() -> None:
    said = "After that trick: Ann 10, Ben 20, Carl 30, Dora 40"
    (deal,) = read_written(f"{PLAYERS}\n{A_TRICK}\n{said}").deals
    assert (deal.score, deal.totals) == ((), ())


def test_who_takes_it_with_a_card_before_the_last_has_not_won() -> None:
    text = f"{PLAYERS}\nAnn leads 2C, Ben takes it with 5C\nCarl QS, Dora KC"
    assert {trick.winner for trick in read_written(text).deals[0].tricks} == {None}


@pytest.mark.parametrize(
    "said", ["players: the usual four", "Seats: N E S W", "players: we are at home"]
)
def test_words_that_are_no_names_are_a_remark(said: str) -> None:
    match = read_written(f"{said}\nAnn leads 2C, Ben 5C, Cy 6C")
    assert match.names == ("Ann", "Ben", "Cy")
    assert "line 1 is a remark" in match.granted


def test_a_name_twice_is_told_in_loose_lines_too() -> None:
    with pytest.raises(Malformed, match="the name 'Ann' twice"):
        read_written("players: Ann, Ann\n2C")


def test_the_players_may_be_named_below_a_line_that_names_one() -> None:
    (deal,) = read_written(f"Deal 2, Ben deals\n{PLAYERS}\n{A_TRICK}").deals
    assert deal.dealer == 1


def test_no_more_tricks_are_unwritten_than_a_pack_has() -> None:
    cards = "Ann 2C, Ben 5C, Cy 6C"  # three players have 17 tricks at most
    assert len(read_written(f"17. {cards}").deals[0].tricks) == 17
    with pytest.raises(Malformed, match="line 1: found trick 18"):
        read_written(f"18. {cards}")


@pytest.mark.parametrize("between", [" ", ": ", " plays "])
def test_a_card_a_line_is_a_trick_whoever_is_declared(between: str) -> None:
    cards = zip(("Ann", "Ben", "Carl", "Dora"), ("2C", "5C", "JC", "KC"), strict=True)
    plays = [f"{who}{between}{card}" for who, card in cards]
    plays.insert(2, "# a remark does not end it")
    match = read_written("\n".join([PLAYERS, "deal 1", *plays]))
    (trick,) = match.deals[0].tricks
    assert [one.seat for one in trick.cards] == [0, 1, 2, 3]
    assert match.deals[0].remarks == ("a remark does not end it",)


def test_leaders_alone_with_their_numbers_are_tricks() -> None:
    (deal,) = read_written(f"{PLAYERS}\n1. Ann: 2C\n2. Dora: 7D").deals
    assert [trick.leader for trick in deal.tricks] == [0, 3]


def test_a_hand_for_each_player_is_no_trick_whoever_is_declared() -> None:
    hands = "Ann: 2C 9D QH\nBen: 5C QS 3H\nCarl: JD 4S 2H\nDora: KC 7D KH"
    (deal,) = read_written(f"{PLAYERS}\n{hands}\nAnn: 2C 5C JD KC").deals
    assert deal.dealt[1] == CardSet("5C QS 3H")
    assert len(deal.tricks) == 1


def test_the_way_of_one_pass_depends_on_how_many_play() -> None:
    passed = "seat 0 passes to seat 2: 2C 3C\nseat 0 leads 5C and seat 1 6C"
    ways = [
        read_written(f"players: {players}\n{passed} and seat 2 7C").deals[0].direction
        for players in (3, 4, 5)
    ]
    assert ways == ["right", "across", ""]
