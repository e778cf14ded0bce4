"""Tests of reading games in files of other programs, whose layout a map describes."""

import json

import pytest

from refengine.errors import Malformed
from refengine.formats.written import mapped_written
from refengine.formats.written.mapped_written import mapped_games
from refengine.formats.written.maps_written import game_map, map_names, map_of_toml
from refengine.formats.written.writing_written import write_written

NAMES = ["Ann", "Ben", "Carl", "Dora"]
HANDS = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "KC 7D KH"]
DEAL = {
    "number": 4,
    "dealer": "Dora",
    "pass": "hold",
    "hands": dict(zip(NAMES, map(str.split, HANDS), strict=True)),
    "tricks": [
        {"leader": "Ann", "cards": ["2C", "5C", "JD", "KC"], "winner": "Dora"},
        {
            "leader": "Dora",
            "cards": [
                {"player": "Dora", "card": "7D"},
                {"player": "Ann", "card": "9D"},
                {"player": "Ben", "card": "QS"},
                {"player": "Carl", "card": "2H"},
            ],
        },
        {
            "leader": "Ann",
            "cards": dict(zip(NAMES, ["QH", "3H", "4S", "KH"], strict=True)),
        },
    ],
    "score": {"Ann": 14, "Ben": 0, "Carl": 0, "Dora": 3},
    "winners": [],
}
PLAYERS = "players: Ann, Ben, Carl, Dora"
WRITTEN = [
    PLAYERS,
    "deal 4",
    "dealer: Dora",
    "pass: hold",
    *(f"hand {name}: {hand}" for name, hand in zip(NAMES, HANDS, strict=True)),
    "1. Ann: 2C 5C JD KC -> Dora",
    "2. Dora: Dora=7D, Ann=9D, Ben=QS, Carl=2H",
    "3. Ann: Ann=QH, Ben=3H, Carl=4S, Dora=KH",
    "score: 14 0 0 3",
]


def written(text: str, name: str) -> list[list[str]]:
    """The lines, in our own form, of each match that this map finds in a text."""
    found = game_map(name) if name in map_names() else map_of_toml(name)
    return [
        [line for line in write_written(match).splitlines() if line]
        for _, match in mapped_games(text, found)
    ]


def test_there_are_three_maps() -> None:
    assert map_names() == ("deals", "plays", "tricks")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"players": NAMES, "deals": [DEAL]}),
        json.dumps({"players": NAMES, "rounds": [DEAL]}, indent=1),
        json.dumps([{**DEAL, "players": NAMES}]),
        json.dumps({"deals": [DEAL]}),
    ],
)
def test_one_object_a_deal(text: str) -> None:
    assert written(text, "deals") == [WRITTEN]


ROWS = (
    "Deal,Leader,Card1,Card2,Card3,Card4,Winner\n"
    "1,North,2C,5C,JC,KC,West\n1,West,7D,,QS,2H,\n2,N,3C,4C,5D,6C,W\n"
)


def test_one_row_a_trick() -> None:
    lines = [
        "deal 1",
        "1. seat 0: 2C 5C JC KC -> seat 3",
        "2. seat 3: 7D ?? QS 2H",
        "deal 2",
        "1. seat 0: 3C 4C 5D 6C -> seat 3",
    ]
    assert written(ROWS, "tricks") == [lines]
    assert written(ROWS.replace(",", "\t"), "tricks") == [lines]


def test_one_row_a_play() -> None:
    plays = ["Ann 2c", "Ben 5c", "Carl Jc", "Dora Kc", "Dora 7d", "Ann 9d"]
    rows = [f"7;{at // 4 + 1};{one.replace(' ', ';')}" for at, one in enumerate(plays)]
    text = "\n".join(["Deal;Trick;Player;Card", *rows])
    [(place, match)] = mapped_games(text, game_map("plays"))
    assert place == "row 2"
    assert match.granted == ("Ann, Ben, Carl and Dora sit in this order",)
    assert written(text, "plays") == [
        [
            PLAYERS,
            "deal 7",
            "1. Ann: Ann=2C, Ben=5C, Carl=JC, Dora=KC",
            "2. Dora: Dora=7D, Ann=9D",
        ]
    ]


PROGRAM = """\
item = "play"
rules = "spot-hearts"
by_match = "game"
by_deal = "hand"
by_trick = "trick"
seats = "right"
first_seat = 1
first_card = 1
deck = "2C 3C 4C 5C 6C"
[deal]
number = "hand"
pass = "dir"
score = "points"
totals = "sums"
before = "old"
winners = "best"
[trick]
winner = "won"
leader = "led"
[play]
player = "seat"
card = "card"
[words]
clockwise = "left"
"""


def test_a_program_that_numbers_everything() -> None:
    place = {"game": 1, "hand": 2, "trick": 1}
    plays: list[dict[str, object]] = [
        {**place, "seat": seat, "card": card, "dir": "clockwise"}
        for seat, card in ((2, 1), (3, 4.0), (4, 3), (1, 2))
    ]
    plays[0]["led"] = 2
    plays[-1] |= {"won": 3, "points": [1, 2, 3, 4], "sums": [5, 6, 7, 8], "best": 1}
    plays[0]["old"] = [4, 4, 4, 4]
    other = {"game": 2, "hand": 1, "trick": 1, "seat": 1, "card": "QS"}
    text = "\n".join(map(json.dumps, [*plays, other]))
    rules = "rules: spot-hearts, 4 players"
    first, second = written(text, PROGRAM)
    assert first == [
        rules,
        "deal 2",
        "pass: left",
        "before: 4 4 4 4",
        "1. seat 3: seat 3=2C, seat 2=5C, seat 1=4C, seat 0=3C -> seat 2",
        "score: 1 4 3 2",
        "totals: 5 8 7 6",
        "winners: seat 0",
    ]
    assert second == [rules, "deal 1", "1. seat 0: seat 0=QS"]


def test_players_that_sit_to_the_right_of_each_other() -> None:
    deal = {"hands": HANDS, "n": None, "points": [14, 0, 1, 2]}
    text = json.dumps({"who": NAMES, "deals": [deal]})
    table = 'item="deal"\nitems="deals"\nplayers="who"\nseats="right"\n[deal]\n'
    [lines] = written(text, f'{table}hands="hands"\nnumber="n"\nscore="points"\n')
    assert lines[0] == "players: Ann, Dora, Carl, Ben"
    assert lines[1:] == [
        "deal -",
        "hand Ann: 2C 9D QH",
        "hand Dora: KC 7D KH",
        "hand Carl: JD 4S 2H",
        "hand Ben: 5C QS 3H",
        "score: 14 2 1 0",
    ]


def test_hands_by_seat_go_to_the_players_whose_numbers_are_named() -> None:
    trick = {2: "JD", 3: "KC", 0: "2C", 1: "5C"}
    plays = [{"s": seat, "c": card} for seat, card in trick.items()]
    deal = {"n": 1, "h": HANDS, "t": [{"plays": plays}]}
    table = (
        'item="deal"\n[deal]\nnumber="n"\nhands="h"\ntricks="t"\n[trick]\ncards="plays"\n'
        '[play]\nplayer="s"\ncard="c"\n'
        '[words]\n0="Ann"\n1="Ben"\n2="Carl"\n3="Dora"\n'
    )
    found = written(json.dumps([deal]), table)
    assert {line for line in found[0] if line.startswith("hand")} == {
        f"hand {name}: {hand}" for name, hand in zip(NAMES, HANDS, strict=True)
    }


WORDED = '[words]\n1="Ann"\n2="Ben"\n3="Carl"\n4="Dora"\n'


@pytest.mark.parametrize("score", [[1, 0, 14, 2], "1 / 0 / 14 / 2"])
@pytest.mark.parametrize("first", [1, 2, 3, 4])
def test_a_score_by_seat_is_that_of_the_players_whose_numbers_are_named(
    score: object, first: int
) -> None:
    seats = [1, 2, 3, 4, 1, 2, 3, 4][first - 1 : first + 3]
    plays = [{"s": seat, "c": f"{seat + 1}C"} for seat in seats]
    table = (
        'item="deal"\nfirst_seat=1\n[deal]\ntricks="t"\nscore="p"\n'
        f'[trick]\ncards="plays"\n[play]\nplayer="s"\ncard="c"\n{WORDED}'
    )
    [lines] = written(json.dumps([{"t": [{"plays": plays}], "p": score}]), table)
    names = lines[0].removeprefix("players: ").split(", ")
    numbers = lines[-1].removeprefix("score: ").split()
    pairs = dict(zip(names, numbers, strict=True))
    assert pairs == {"Ann": "1", "Ben": "0", "Carl": "14", "Dora": "2"}


def test_a_word_for_one_number_is_not_the_name_of_a_seat() -> None:
    table = 'item="deal"\n[deal]\nscore="p"\n[words]\n0="yes"\n'
    assert written('[{"p": [1, 0, 14, 2]}]', table) == [["deal -", "score: 1 0 14 2"]]


@pytest.mark.parametrize(
    ("way", "names"), [("left", NAMES), ("right", ["Ann", "Dora", "Carl", "Ben"])]
)
def test_a_list_by_seat_says_who_sits_where(way: str, names: list[str]) -> None:
    table = f'item="deal"\nfirst_seat=1\nseats="{way}"\n[deal]\nhands="h"\n{WORDED}'
    [lines] = written(json.dumps([{"h": HANDS}]), table)
    hands = {f"hand {name}: {hand}" for name, hand in zip(NAMES, HANDS, strict=True)}
    assert lines[:2] == [f"players: {', '.join(names)}", "deal -"]
    assert {*lines[2:]} == hands


def test_deals_counted_from_nought_may_be_named() -> None:
    table = 'item="deal"\n[deal]\nnumber="n"\n[words]\n0="1"\n1="2"\n'
    assert written('[{"n": 0}, {"n": 1}]', table) == [["deal 1", "deal 2"]]


@pytest.mark.parametrize(
    "words",
    [("1", "2"), ("l", "r"), ("2C", "3C"), ("two of clubs", "♣3"), ("??", "??")],
)
def test_words_that_are_no_names_are_none_of_seats(words: tuple[str, str]) -> None:
    table = f'item="deal"\n[deal]\nhands="h"\n[words]\n0="{words[0]}"\n1="{words[1]}"\n'
    hands = [f"hand seat {seat}: {hand}" for seat, hand in enumerate(HANDS)]
    assert written(json.dumps([{"h": HANDS}]), table) == [["deal -", *hands]]


def test_the_number_of_a_pass_may_be_that_of_a_seat_or_a_score() -> None:
    deal = {"n": 1, "d": 3, "dir": 1, "hands": HANDS, "points": [1, 0, 14, 2]}
    table = (
        f'item="deal"\nplayers={json.dumps(NAMES)}\n[deal]\nnumber="n"\ndealer="d"\n'
        'pass="dir"\nhands="hands"\nscore="points"\n'
        '[words]\n0="left"\n1="right"\n3="opposite"\n'
    )
    hands = (f"hand {name}: {hand}" for name, hand in zip(NAMES, HANDS, strict=True))
    assert written(json.dumps([deal]), table) == [
        [PLAYERS, "deal 1", "dealer: Dora", "pass: right", *hands, "score: 1 0 14 2"]
    ]


def test_a_trick_to_which_nobody_has_played_may_have_a_number() -> None:
    tricks = [{"number": 1, "cards": ["2C", "5C", "JD", "KC"]}]
    tricks.append({"number": 2, "cards": []})
    assert written(json.dumps([{"tricks": tricks}]), "deals") == [
        ["deal -", "1. 2C 5C JD KC", "2. ??"]
    ]


def test_true_and_false_are_words_of_a_file() -> None:
    table = 'item="deal"\n[deal]\npass="p"\n[words]\ntrue="left"\nfalse="hold"\n'
    assert written('[{"p": true}, {"p": false}]', table) == [
        ["deal -", "pass: left", "deal -", "pass: hold"]
    ]


def test_json_lines_may_be_deals_or_whole_matches() -> None:
    match = json.dumps({"players": NAMES, "deals": [DEAL]})
    assert written(f"{match}\n\n{match}\n", "deals") == [WRITTEN, WRITTEN]
    deal = json.dumps({**DEAL, "players": NAMES})
    other = json.dumps({**DEAL, "number": 8, "totals": [28, 0, 0, 6]})
    [lines] = written(f"{deal}\n{other}\n", "deals")
    assert lines == [*WRITTEN, "deal 8", *WRITTEN[2:], "totals: 28 0 0 6"]
    assert written(f"{deal}\n{match}\n", "deals") == [WRITTEN, WRITTEN]


def test_passes_may_be_a_list_of_objects() -> None:
    deal = {"passes": [{"from": "Ben", "to": "Ann", "cards": ["2C", "3C", "4C"]}]}
    table = (
        'item="deal"\n[deal]\npassed="passes"\n[pass]\nplayer="from"\ncards="cards"\n'
    )
    text = json.dumps([{**deal, "who": ["Ann", "Ben"]}])
    assert written(text, f'players="who"\n{table}') == [
        ["players: Ann, Ben", "deal -", "passes Ben: 2C 3C 4C"]
    ]


def test_an_entry_that_is_null_is_the_pass_of_nobody() -> None:
    ben = {"from": "Ben", "cards": ["2C", "3C", "4C"]}
    ann = {"from": "Ann", "cards": ["5C", "6C", "7C"]}
    table = (
        'item="deal"\n[deal]\npassed="passes"\n[pass]\nplayer="from"\ncards="cards"\n'
    )
    passes = ["passes Ben: 2C 3C 4C", "passes Ann: 5C 6C 7C"]
    assert written(json.dumps([{"passes": [None, ben, ann]}]), table) == [
        ["players: Ben, Ann", "deal -", *passes]
    ]


SHEET = """\
# typed in from paper
"Hearts, second deal",,,,,,
Trick,Leads,Card,2nd,Card,Taken by,Pts
1,Ann,2C,Ben,5C,Ben,0
2,Ben,7D,Ann,9D,Ann,0
,,,,,,
Score,Ann,3,Ben,0,,
"""


def test_a_spreadsheet_with_rows_that_are_no_tricks() -> None:
    """Comments and a title come first, headings are repeated, a score comes last."""
    table = (
        'item="trick"\nitems="[?to_number(Trick)]"\nplayers=["Ann", "Ben"]\n'
        "[deal]\nscore=\"[?Trick=='Score'] | [0].[Card, Card2]\"\n"
        '[trick]\nleader="Leads"\ncards="[Card, Card2]"\nwinner="\\"Taken by\\""\n'
    )
    assert written(SHEET, table) == [
        [
            "players: Ann, Ben",
            "deal -",
            "1. Ann: 2C 5C -> Ben",
            "2. Ben: 7D 9D -> Ann",
            "score: 3 0",
        ]
    ]


def test_a_map_may_list_the_players_itself() -> None:
    table = 'item="trick"\nplayers=["Ann", "Ben"]\n[trick]\nleader="L"\ncards="C"\n'
    assert written("L,C\nBen,2C 3C\n", table) == [
        ["players: Ann, Ben", "deal -", "1. Ben: 2C 3C"]
    ]
    columns = written("N,E\n2C,3C\n", 'item="trick"\n')
    assert columns == [["deal -", "1. seat 0=2C, seat 1=3C"]]


def test_a_file_that_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped_written, "_MOST", 10)
    with pytest.raises(Malformed, match="found 11 characters; allowed: at most 10"):
        written("[" + " " * 9 + "]", "deals")


FROM_ONE = 'item="trick"\nfirst_seat=1\n[trick]\ncards="c"\nwinner="w"\n'


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("[]", "deals", "items: found no item; allowed: a deal"),
        ('{"deals": 5}', "deals", "items: found 5; allowed: a list of items"),
        (
            *("Deal,Leader\n1,Eve\n", "tricks"),
            "row 2: found 'Eve'; allowed: a seat, or a player whom the map names",
        ),
        ("{}", "tricks", "items: found an object; allowed: a list of items"),
        ("[" * 200_000, "deals", "found JSON that is nested too deeply"),
        ('{"a": 1}\n{"b"', "deals", "line 2: found no JSON"),
        (
            *('{"deals": [{"tricks": [{"cards": ["2C", "5X"]}]}]}', "deals"),
            "item 1, trick 1",
        ),
        (
            *('{"players": ["Ann", "Ben"], "deals": [{"dealer": "Eve"}]}', "deals"),
            "item 1: found 'Eve'; allowed: a player: Ann, Ben",
        ),
        (
            *('{"deals": [{"tricks": [{"cards": ["2C"]}, ["5C", "3C"]]}]}', "deals"),
            r'item 1, trick 2: found \["5C", "3C"\]; allowed: a trick with some',
        ),
        (
            *('{"deals": [{"tricks": [{"played": ["2C"]}]}]}', "deals"),
            "item 1, trick 1: found .*; allowed: a trick with some",
        ),
        ('[{"dels": []}]', "deals", "item 1: found .*; allowed: a deal with some"),
        ("Deal,Leader\n,\n", "tricks", "items: found no item; allowed: a trick"),
        (
            *('[{"leader": "Ann", "cards": ["2C"]}]', "deals"),
            "item 1: found .*; allowed: a deal with some",
        ),
        ("\nDeal,Leader\n1,Eve\n", "tricks", "row 3: found 'Eve'"),
        ("Deal,Leader\n1,North\n1,Eve\n", "tricks", "row 3: found 'Eve'"),
        (
            *('{"deals": [{"number": 1}, {"number": 2, "tricks": 5}]}', "deals"),
            "item 2: found 5; allowed: a list of deal.tricks",
        ),
        (
            *('[{"c": ["2C"], "w": 0}]', FROM_ONE),
            "item 1: found seat 0; allowed: a seat from 1 on",
        ),
        ("# nothing\n", "tricks", "items: found no item; allowed: a trick"),
        ("a,b\nx,y\n", "tricks", "row 2: found .*; allowed: a trick with something"),
        ("N,E\n-\n", 'item="trick"', "row 2"),
        (
            *('{"deals": [{"passes": [{"from": "Ann", "cards": ["2C"]}]}]}', "deals"),
            "item 1: found .*; allowed: cards",
        ),
        ('[{"a": 5}]', 'item="deal"\n[deal]\nnumber="sum(a)"', "deal.number: found In"),
        (
            *("Deal,Trick,Player,Card\n1,1,Ann,2C\n1,1,,5C\n", "plays"),
            "row 3: found nothing; allowed: a seat, or the name of a player",
        ),
        ("Deal,Leader\n1,\x00\n", "tricks", r"row 2: found '\\x00'"),
        (f"Deal,Leader\n1,{'x' * 200_000}\n", "tricks", "larger than field limit"),
    ],
    ids=lambda one: one[:40],
)
def test_what_cannot_be_brought_in_is_told(text: str, name: str, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        written(text, name)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("[words]\ncw=[1]", r"cw: found \[1\]; allowed: what the wo"),
        ("players=[1]", "players: found 1; allowed: the name of a"),
        ('itms="x"', "found the key 'itms'"),
        ('[deal]\nhand="x"', "deal: found 'hand'"),
        ("items=5", "items: found 5; allowed: an expression"),
        ('items="a["', "items: found .*; allowed: an expression of"),
        ('seats="up"', "seats: found 'up'; allowed: one of left, right"),
        ("seats=5", "seats: found 5; allowed: one of left, right"),
        ('by_match="&x"', "by_match: found '&x'; allowed: an expression with &"),
        ('by_match="not_null(&x)"', "by_match: found .*; allowed: an expression with"),
        ('by_match="map(&(&x), y)"', "by_match: found .*; allowed: an expression with"),
        ('players="[&x]"', r"players: found '\[&x\]'; allowed: an expression with &"),
        ("rules=5", "rules: found 5; allowed: a string"),
        ('first_seat="1"', "first_seat: found '1'; allowed: a whole"),
        ("words=1", "words: found 1; allowed: a table"),
        ('deal="rounds"', "deal: found 'rounds'; allowed: a table"),
    ],
)
def test_what_is_no_map_of_deals_is_told(table: str, said: str) -> None:
    with pytest.raises(Malformed, match=said) as told:
        map_of_toml(f'item="deal"\n{table}')
    assert "\\n" not in str(told.value)  # all of it stands on one line


@pytest.mark.parametrize(
    "text", ["5 8 13 0", "5:8:13:0", "5, 8, 13, 0,", "|5|8|13|0|", "5/8/13/0"]
)
def test_scores_to_the_right_are_turned_round_however_they_are_parted(
    text: str,
) -> None:
    table = 'item="deal"\nseats="right"\n[deal]\nnumber="n"\nscore="s"\n'
    [lines] = written(json.dumps([{"n": 1, "s": text}]), table)
    assert lines[-1] == "score: 5 0 13 8"


def test_several_winners_may_stand_in_one_cell() -> None:
    deal = {"number": 4, "winners": "Ann / Ben"}
    [lines] = written(json.dumps({"players": NAMES, "deals": [deal]}), "deals")
    assert lines[-1] == "winners: Ann, Ben"


@pytest.mark.parametrize("key", ["item", "rules", "items", "deal", "words"])
def test_a_number_too_long_to_be_shown_is_no_part_of_a_map(key: str) -> None:
    item = "" if key == "item" else 'item="deal"\n'
    with pytest.raises(Malformed, match=f"^{key}: found a number too long to be"):
        map_of_toml(f"{item}{key}=0x{'f' * 5000}")


def test_a_map_says_what_its_items_are() -> None:
    said = "item: found 'hand'; allowed: one of deal, trick, play"
    with pytest.raises(Malformed, match=said):
        map_of_toml('item="hand"')
    with pytest.raises(Malformed, match="allowed: a map in TOML"):
        map_of_toml("item=")


def test_a_map_that_is_not_there() -> None:
    with pytest.raises(Malformed, match="did you mean deals"):
        game_map("deal")
    with pytest.raises(Malformed, match="nowhere"):
        game_map("nowhere.toml")


@pytest.mark.parametrize(
    ("hands", "value"),
    [
        ("hands[::0]", HANDS),
        ("ceil(hands)", float("inf")),
        ("floor(hands)", float("nan")),
        ("!" * 3000 + "hands", HANDS),
    ],
)
def test_an_expression_that_cannot_be_worked_out_is_told(
    hands: str, value: object
) -> None:
    table = f'item="deal"\n[deal]\nhands="{hands}"\n'
    with pytest.raises(Malformed, match="hands"):
        written(json.dumps([{"hands": value}]), table)


@pytest.mark.parametrize("levels", [700, 1200])
def test_json_that_python_reads_may_be_too_deep_all_the_same(levels: int) -> None:
    text = f'{{"deals": [{{"tricks": {"[" * levels}{"]" * levels}}}]}}'
    with pytest.raises(Malformed, match="nested too deeply") as told:
        written(text, "deals")
    assert str(told.value).count("found") == 1


def test_players_in_one_text_sit_in_that_order() -> None:
    hands = dict(reversed([*zip(NAMES, map(str.split, HANDS), strict=True)]))
    text = {"players": ", ".join(NAMES), "deals": [{**DEAL, "hands": hands}]}
    assert written(json.dumps(text), "deals")[0][0] == PLAYERS


@pytest.mark.parametrize("players", [[{"name": "Ann"}], ["Smith, A", "Jones, B"], 5])
def test_what_is_no_list_of_names_is_told(players: object) -> None:
    text = json.dumps({"players": players, "deals": [{"number": 1}]})
    with pytest.raises(Malformed, match="players: found"):
        written(text, "deals")


def test_plays_need_something_that_tells_tricks_apart() -> None:
    table = 'item="play"\nby_deal="Deal"\n[play]\nplayer="Player"\ncard="Card"\n'
    with pytest.raises(Malformed, match="by_trick: found nothing"):
        written("Deal,Player,Card\n1,Ann,2C\n1,Ben,5C\n", table)


@pytest.mark.parametrize(
    "deal",
    [
        {"number": 1, "tricks": {"1": {"cards": ["2C"]}}},
        {"number": 1, "hands": "2C 3C / 4C 5C"},
    ],
)
def test_what_does_not_fit_is_never_dropped(deal: dict[str, object]) -> None:
    with pytest.raises(Malformed):
        written(json.dumps({"deals": [deal]}), "deals")


def test_a_hand_that_is_null_is_not_known() -> None:
    deal = {"hands": {"Ann": "2C 9D QH", "Ben": None}}
    [lines] = written(json.dumps({"players": ["Ann", "Ben"], "deals": [deal]}), "deals")
    assert lines == ["players: Ann, Ben", "deal -", "hand Ann: 2C 9D QH"]


def test_a_text_of_numbers_is_turned_round_with_the_seats() -> None:
    text = json.dumps({"who": NAMES, "deals": [{"points": "14 0 1 2"}]})
    table = (
        'item="deal"\nitems="deals"\nplayers="who"\nseats="right"\n'
        '[deal]\nscore="points"\n'
    )
    [lines] = written(text, table)
    assert lines[-1] == "score: 14 2 1 0"


@pytest.mark.parametrize("winner", [0, 6])
def test_there_is_no_such_seat_to_the_right_either(winner: int) -> None:
    table = (
        'item="trick"\nseats="right"\nfirst_seat=1\n[trick]\ncards="c"\nwinner="w"\n'
    )
    with pytest.raises(Malformed):
        written(json.dumps([{"c": ["2C"], "w": winner}]), table)


def test_three_players_to_the_right_of_each_other() -> None:
    table = (
        'item="trick"\nrules="black-maria, 3 players"\nseats="right"\n'
        '[trick]\ncards="c"\nwinner="w"\n'
    )
    [lines] = written(json.dumps([{"c": ["2C", "3C", "4C"], "w": 1}]), table)
    assert lines[-1] == "1. 2C 3C 4C -> seat 2"


@pytest.mark.parametrize(("one", "two"), [("1", "2"), ("", "")])
def test_each_match_has_the_score_in_its_own_row(one: str, two: str) -> None:
    """A match may be named in its first row alone."""
    rows = f"Game,Trick,A,B\n1,1,2C,3C\n{one},Score,1,2\n2,1,4C,5C\n{two},Score,3,4\n"
    table = (
        'item="trick"\nitems="[?to_number(Trick)]"\nby_match="Game"\n[deal]\n'
        'score="[?Trick==\'Score\'] | [0].[A, B]"\n[trick]\ncards="[A, B]"\n'
    )
    found = [lines[-1] for lines in written(rows, table)]
    assert found == ["score: 1 2", "score: 3 4"]


def test_capitals_make_no_difference_in_names_of_a_file() -> None:
    deal = {"dealer": "ann", "tricks": [{"leader": "BEN ", "cards": ["2C", "3C"]}]}
    [lines] = written(json.dumps({"players": ["Ann", "Ben"], "deals": [deal]}), "deals")
    assert lines[2:] == ["dealer: Ann", "1. Ben: 2C 3C"]


def test_headings_may_begin_with_a_number_sign() -> None:
    table = 'item="trick"\n[trick]\nleader="Leader"\ncards="Cards"\n'
    found = written("#,Leader,Cards\n1,North,2C 3C\n", table)
    assert found == [["deal -", "1. seat 0: 2C 3C"]]


def test_a_heading_that_is_repeated_takes_the_name_of_no_other() -> None:
    table = 'item="trick"\n[trick]\ncards="[Card, Card2, Card3]"\n'
    found = written("Card,Card,Card2\n2C,3C,4C\n", table)
    assert found == [["deal -", "1. 2C 4C 3C"]]


def test_hands_by_seat_beside_passes_in_objects() -> None:
    deal = {
        "hands": [["2C", "3C"], ["4C", "5C"]],
        "passes": [{"from": "Ben", "cards": ["4C"]}],
    }
    table = (
        'item="deal"\nplayers=["Ann", "Ben"]\n[deal]\nhands="hands"\npassed="passes"\n'
        '[pass]\nplayer="from"\ncards="cards"\n'
    )
    hands = ["hand Ann: 2C 3C", "hand Ben: 4C 5C"]
    assert written(json.dumps([deal]), table) == [
        ["players: Ann, Ben", "deal -", *hands, "passes Ben: 4C"]
    ]


def test_json_lines_may_be_only_one() -> None:
    table = 'item="deal"\n[deal]\nnumber="n"\n'
    assert written('{"n": 7}\n', table) == [["deal 7"]]
    assert written('{"n": 7}\n{"n": 8}\n', table) == [["deal 7", "deal 8"]]


def test_an_expression_for_a_play_is_not_tried_on_a_deal() -> None:
    plays = [
        {"who": "Ann", "rank": "2", "suit": "C"},
        {"who": "Ben", "rank": "3", "suit": "C"},
    ]
    table = (
        'item="deal"\n[play]\nplayer="who"\ncard="join(\'\', [rank, suit])"\n'
        '[deal]\ntricks="tricks"\n'
    )
    assert written(json.dumps([{"tricks": [plays]}]), table) == [
        ["players: Ann, Ben", "deal -", "1. Ann=2C, Ben=3C"]
    ]


def test_a_line_ends_only_where_a_file_breaks_it() -> None:
    text = '{"n": 7, "note": "one\u2028two"}\n{"n": 8}\n'
    found = written(text, 'item="deal"\n[deal]\nnumber="n"\n')
    assert found == [["deal 7", "deal 8"]]


def test_what_is_said_of_a_deal_may_stand_in_its_first_row() -> None:
    rows = "Leader,C1,C2,Winner,S1,S2\nN,2C,5C,E,0,26\nE,7D,9D,N,,\n"
    table = (
        'item="trick"\n[deal]\nscore="[S1, S2]"\n'
        '[trick]\nleader="Leader"\ncards="[C1, C2]"\nwinner="Winner"\n'
    )
    tricks = ["1. seat 0: 2C 5C -> seat 1", "2. seat 1: 7D 9D -> seat 0"]
    assert written(rows, table) == [["deal -", *tricks, "score: 0 26"]]


def test_who_won_may_stand_in_the_first_row_of_the_trick() -> None:
    table = (
        'item="play"\nby_trick="T"\n[trick]\nwinner="W"\n[play]\nplayer="P"\ncard="C"\n'
    )
    assert written("T,P,C,W\n1,N,2C,E\n1,E,5C,\n", table) == [
        ["deal -", "1. seat 0: seat 0=2C, seat 1=5C -> seat 1"]
    ]


def test_the_number_of_a_deal_or_trick_may_stand_in_its_first_row_alone() -> None:
    rows = "Deal,Trick,P,C\n7,1,N,2C\n,,E,5C\n,2,E,7D\n,,N,9D\n8,1,N,3C\n,,E,4C\n"
    table = (
        'item="play"\nby_deal="Deal"\nby_trick="Trick"\n[deal]\nnumber="Deal"\n'
        '[play]\nplayer="P"\ncard="C"\n'
    )
    first = "1. seat 0: seat 0=2C, seat 1=5C"
    second = "2. seat 1: seat 1=7D, seat 0=9D"
    last = "1. seat 0: seat 0=3C, seat 1=4C"
    assert written(rows, table) == [["deal 7", first, second, "deal 8", last]]


def test_a_line_break_in_a_cell_is_a_blank() -> None:
    table = (
        'item="trick"\n[deal]\nscore="Score"\n'
        '[trick]\nleader="Leader"\ncards="\\"The cards\\""\n'
    )
    rows = 'Leader,"The\ncards",Score\nN,"2C\n5C","0\n26"\n'
    lines = ["deal -", "1. seat 0: 2C 5C", "score: 0 26"]
    assert written(rows, table) == [lines]


def test_an_empty_cell_for_a_hand_is_a_hand_that_is_not_known() -> None:
    table = (
        'item="trick"\n[deal]\nhands="[North, East]"\n'
        '[trick]\nleader="Leader"\ncards="[C1, C2]"\n'
    )
    rows = "North,East,Leader,C1,C2\n2C 3C,,N,2C,5C\n"
    lines = ["deal -", "hand seat 0: 2C 3C", "1. seat 0: 2C 5C"]
    assert written(rows, table) == [lines]


SCORES_FIRST = "Number,Trick,A,B\n1,Score,1,2\n,1,2C,3C\n2,Score,3,4\n,1,4C,5C\n"
OF_TRICKS = (
    'item="trick"\nitems="[?to_number(Trick)]"\n[deal]\n'
    'score="[?Trick==\'Score\'] | [0].[A, B]"\n[trick]\ncards="[A, B]"\n'
)


def test_a_row_that_is_no_item_may_name_the_match_or_the_deal_of_those_below() -> None:
    matches = written(SCORES_FIRST, f'by_match="Number"\n{OF_TRICKS}')
    assert matches == [
        ["deal -", "1. 2C 3C", "score: 1 2"],
        ["deal -", "1. 4C 5C", "score: 3 4"],
    ]
    deals = written(SCORES_FIRST, f'by_deal="Number"\n{OF_TRICKS}')
    assert deals == [["deal -", "1. 2C 3C", "deal -", "1. 4C 5C"]]


def test_a_score_beside_the_items_of_its_match_may_be_in_a_list_too() -> None:
    rows = [
        {"Number": 1, "Trick": 1, "A": "2C", "B": "3C"},
        {"Number": 1, "Trick": "Score", "A": 1, "B": 2},
        {"Number": 2, "Trick": 1, "A": "4C", "B": "5C"},
        {"Number": 2, "Trick": "Score", "A": 3, "B": 4},
    ]
    assert written(json.dumps(rows), f'by_match="Number"\n{OF_TRICKS}') == [
        ["deal -", "1. 2C 3C", "score: 1 2"],
        ["deal -", "1. 4C 5C", "score: 3 4"],
    ]


@pytest.mark.parametrize(
    ("key", "table"), [("join('-', [Date, Table])", "1"), ("Table", "")]
)
def test_a_comment_between_rows_begins_no_match(key: str, table: str) -> None:
    rows = f"Trick,A,B,Date,Table\n1,2C,3C,May,1\nWe had tea\n2,4C,5C,May,{table}\n"
    assert written(rows, f'by_match="{key}"\n{OF_TRICKS}') == [
        ["deal -", "1. 2C 3C", "2. 4C 5C"]
    ]
