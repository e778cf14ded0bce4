"""Tests of reading written games in any style, without ever guessing."""

import random
from time import process_time

import pytest

from refengine import CardSet, Malformed, Ruleset, State, new_match, profile_names
from refengine.formats.showing import shown
from refengine.formats.written.cards_written import hand_written, laid_cards
from refengine.formats.written.columns_written import Row, columns_headed, row_of
from refengine.formats.written.reading_written import matches_written, read_written
from refengine.formats.written.record_written import Record
from refengine.formats.written.writing_written import write_written
from refengine.formats.written.written_match import WrittenDeal
from refengine.game import acts
from tests.support.playing import played

TABLE = "players: Ann, Ben, Carl, Dora\n"


def deal_of(text: str) -> WrittenDeal:
    """The only deal in a text."""
    (deal,) = read_written(TABLE + text).deals
    return deal


@pytest.mark.parametrize(
    "line",
    [
        "Ann: 2C 3C TC QS",
        "ann: 2c 3c 10c qs",
        "1. Ann: ♣2 ♣3 ♣10 ♠Q",
        "1) Ann leads 2C, 3C, 10C, Qs",
        "trick 1: Ann 2♣ 3♣ 10♣ Q♠ -> Dora",
        "1 seat 0: c2 c3 ct sq",
        "Ann: two of clubs, three of clubs, ten of clubs, the queen of spades",
        "Ann: Ann=2C, Ben=3C, Carl=TC, Dora=QS",
        "Ann: 2C 3C TC QS # why that?",
        "Ann: 2C 3C TC QS {why that?}",
        "Ann: 2C|3C|10C|QS",
        "trick Ann Ben Carl Dora\n1 >2C 3C TC QS",
        "| trick | Ann | Ben | Carl | Dora | winner |\n|--|--|--|--|--|--|\n"
        "| 1 | >2c | 3c | 10c | qs | Carl |",
    ],
)
def test_one_trick_in_many_styles(line: str) -> None:
    (trick,) = deal_of(line).tricks
    assert [str(one.card) for one in trick.cards] == ["2C", "3C", "TC", "QS"]
    assert trick.leader == 0


def test_points_of_the_compass_where_nobody_has_a_name() -> None:
    match = read_written("E: 2C 3C TC QS -> W")
    assert match.players is None
    (trick,) = match.deals[0].tricks
    assert (trick.leader, trick.winner) == (1, 3)


def test_several_tricks_on_a_line() -> None:
    deal = deal_of("2C 3C TC QS | 4C 5C 6C 7C; Ben: 2D 3D 4D 5D / ?? ?? 6D ??")
    assert [trick.leader for trick in deal.tricks] == [None, None, 1, None]
    assert [len(trick.cards) for trick in deal.tricks] == [4, 4, 4, 4]
    assert [one.card for one in deal.tricks[3].cards].count(None) == 3


def test_cards_each_behind_who_played_it() -> None:
    (trick,) = deal_of("Ben 3C, Carl 10C, Dora QS, Ann 2C").tricks
    assert trick.leader is None
    assert [one.seat for one in trick.cards] == [1, 2, 3, 0]


def test_everything_else_that_a_deal_has() -> None:
    match = read_written(
        "match: Friday\nrules: common-hearts, limit=50\n"
        "players: Ann, Ben, Carl, Dora\n# a fine evening\n"
        "Ann cuts KS\ncut Ben: 2C\n"
        "deal 3, Ann deals, pass left\nhand Ben: ♠ AQ2 ♥ K10\n"
        "Carl's hand: 5D\nDora holds 6D\n"
        "Ben passes AS QS\nforward Carl\nscatter Dora: Ann=6D, Ben=7D\n"
        "the mix is given back\nheld Ben: 2S\n"
        "1. Ben: 2S +3S 4D!\nretract Dora: 4D\n1... 5S ?? -> Dora\n"
        "draw Ann\nquit Dora\nAnn claims a revoke of Dora in trick 1\n"
        "claim Ben: Dora 1\nmoon Ann: self_minus\nmoon Ann: one Ben\n"
        "score 1 16 6 3\ntotals: Ann 1, Ben 16, Carl 6, Dora 3\nwon by Ann and Dora\n"
        "note: late\nrefused: never mind\n"
    )
    assert match.name == "Friday"
    assert match.ruleset == Ruleset("common-hearts", 4, {"limit": 50})
    assert match.cuts == (acts.Cut(0, "KS"), acts.Cut(1, "2C"))
    assert match.remarks == ("a fine evening",)
    (deal,) = match.deals
    assert (deal.number, deal.dealer, deal.direction) == (3, 0, "left")
    assert deal.dealt == (None, CardSet("AS QS 2S KH TH"), CardSet("5D"), CardSet("6D"))
    assert deal.passes == (
        acts.Pass(1, "AS QS"),
        acts.PassUnseen(2),
        acts.Scatter(3, {0: "6D", 1: "7D"}),
    )
    assert deal.mixed
    assert deal.held == (None, CardSet("2S"), None, None)
    assert [one for one in deal.course if not hasattr(one, "cards")] == [
        acts.Retract(3, "4D"),
        acts.Draw(0),
        acts.QuitTrick(3),
        acts.Claim(0, 3, 1),
        acts.Claim(1, 3, 1),
        acts.MoonChoice(0, "self_minus"),
        acts.MoonChoice(0, 1),
    ]
    (trick,) = deal.tricks
    assert [str(one.card) for one in trick.cards] == ["2S", "3S", "5S", "None"]
    assert [one.drew for one in trick.cards] == [0, 1, 0, 0]
    assert (deal.score, deal.totals) == ((1, 16, 6, 3), (1, 16, 6, 3))
    assert deal.winners == (0, 3)
    assert deal.remarks == ("late", "refused: never mind")


def test_a_cut_below_a_deal_that_was_played_is_that_of_the_next() -> None:
    cut, deal = "cut seat 1: 5H\n", "deal 1\n2C 3C 4C 5C\n"
    for text in (f"{cut}{deal}{cut}{deal}", f"deal 1\n{cut}2C\n{cut}{deal}"):
        match = read_written(TABLE + text)
        assert match.cuts == match.deals[1].cuts == (acts.Cut(1, "5H"),)
        assert match.deals[0].cuts == ()
        assert read_written(write_written(match)) == match
    with pytest.raises(Malformed, match="line 4"):
        read_written(f"{TABLE}{deal}{cut}")


def test_a_deal_ends_with_its_score() -> None:
    text = "2C 3C 4C 5C\nscore 0 0 0 0\n2D 3D 4D 5D\ndeal\n2S 3S 4S 5S"
    match = read_written(TABLE + text)
    assert [deal.number for deal in match.deals] == [None, None, None]
    assert [len(deal.tricks) for deal in match.deals] == [1, 1, 1]


def test_a_card_played_twice_is_written_down_all_the_same() -> None:
    (trick,) = deal_of("2C 2C 3C 4C").tricks
    assert [str(one.card) for one in trick.cards] == ["2C", "2C", "3C", "4C"]


def test_hands_by_suit_and_hands_of_nothing() -> None:
    assert hand_written("S: A Q 2 H: K 10") == CardSet("AS QS 2S KH TH")
    for nothing in ("-", "–", "—", "none"):
        assert hand_written(nothing) == CardSet()


TWO = "deal 1\n2C 5C JC KC\nmatch: Saturday\ndeal 1\n3C 6C QC AC"


@pytest.mark.parametrize(
    ("above", "rules"),
    [
        ("", None),
        ("# Club night\n", None),
        ("// Club night\n\n", None),
        ("rules: common-hearts\n", Ruleset("common-hearts")),
        (
            "rules: common-hearts, 4 players, bonus_card=JD\n",
            Ruleset("common-hearts", 4, {"bonus_card": "JD"}),
        ),
        ("players: Ann, Ben, Carl, Dora # the QS again\n", None),
    ],
)
def test_what_stands_above_the_first_title_is_of_its_match(
    above: str, rules: Ruleset | None
) -> None:
    found = list(matches_written(f"{above}match: Friday\n{TWO}"))
    assert [match.name for _, match in found] == ["Friday", "Saturday"]
    assert found[0][1].ruleset == rules
    played = list(matches_written(f"2C 5C JC KC\nmatch: Friday\n{TWO}"))
    assert [match.name for _, match in played] == ["", "Friday", "Saturday"]


WRONG = {
    "Ann: 2C 3C 4X 5C": "line 2",
    "2C 3C 4C 5C 6C": "at most 4",
    "3. 2C 3C 4C": "trick 1",
    "Eve: 2C 3C 4C 5C": "line 2",
    "dealer: Eve": "Ann, Ben, Carl, Dora",
    "dealer: Ann\nBen deals": "a second dealer",
    "kitty: -\nkitty: 4C": "a second kitty",
    "2C 3C 4C 5C\nscore: 1 2 3 4\nscore: 4 3 2 1": "a second line 'score'",
    "2C 3C 4C 5C\ntotals: 0 0 0 0\ntotals: 4 3 2 1": "a second line 'totals'",
    "2C 3C 4C 5C\nwinner: Ann\nwinner: Ben": "a second line of winners",
    "stock: 2C 3C\nstock: 3C 2C": "a second stock",
    "deal 1, Ann deals\nstock: 2C\npassed Ann: 3C\n"
    "deal 1, Ann deals\nstock: 4C": "a second stock",
    "kitty: 2C 3C\nkitty: 4C": "a second kitty",
    "pack: 2C 3C\npack: 4C 5C": "a second pack",
    "the match begins, dealer: Ann\nthe match begins, dealer: Ben": "first dealer",
    "pass left\npass right": "a second direction",
    "dealer: 7": "0 to 3",
    "hand Ann: 2C\nhand Ann: 3C": "a second hand",
    "hand Ann: 2C 2C": "twice",
    "hand Ann: AK": "cards",
    "2C 3C 4C 5C\nAnn passes 2D": "before the first trick",
    "2C 3C 4C 5C\nrules: common-hearts": "before the first deal",
    "players: Ann, Ben": "once",
    "score 1 2 3": "3 numbers",
    "score 1 2 3 many": "line 2",
    "score Ann 1, Ben 2, Ann 3": "each seat",
    "score Ben 1, Carl 2": "each seat",
    "deal 0": "number 0",
    "scatter Ann: Ben": "each of the other seats",
    "scatter Ann: Ben=QS, Carl=KH, Dora": "each of the other seats",
    "moon Ann: perhaps": "self_minus",
    "Ann=2C, Ann=3C": "one card after each player",
    "hello Ann: 2C": "line 2",
    "2C | hello": "line 2",
    "trick : :": "line 2",
    "1.": "line 2",
    "5 players": "as written before",
    "match: A\nmatch: B": "second title",
    "+": "without a card",
    "2C !": "without a card",
    "queen!": "cards",
    "queen +2C": "cards",
    "queen of": "cards",
    "trick Ann Carl Ben Dora": "another order",
    "trick Ann Ben Carl Dora\n1 2C": "under the name",
    "trick Ann Ben Carl Dora\n1 >2C >3C 4C 5C": "twice",
    "trick|Ann|Ben|Carl|Dora\n1|2C 3C|3C|4C|5C": "one card",
    "trick|Ann|Ben|Carl|Dora\n1|2C": "cells",
    "trick|Ann|Ben|Carl|Dora\n1|>2C|3C|4C|5C\n3|>6C|7C|8C|9C": "trick 2",
    "x" * 5000: "5000 characters",
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:30])
def test_what_cannot_be_read(text: str) -> None:
    with pytest.raises(Malformed, match="line ") as error:
        read_written(TABLE + text)
    assert WRONG[text] in str(error.value)


TOLD = "rules: common-hearts, 4 players, "


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no deal"),
        ("players: Ann, Ben", "no deal"),
        ("players: Ann", "names with commas"),
        (f"{TOLD}moon\n2C", "self_minus"),
        ("rules: common-hearts, 99 players\n2C", "found 99 players"),
        ("rules: whist\n2C", "found 'whist'"),
        (
            "rules: spot-hearts, 4 players, limit=50, limit=60\n2C",
            "limit a second time",
        ),
        ("rules: spot-hearts, 4 players, 5 players\n2C", "5 players after 4"),
        (f"{TOLD}with beer\n2C", "found 'with beer'"),
        (f"{TOLD}moon=others_plus, limt=50", "found 'limt'; .* did you mean limit?"),
        (f"{TOLD}pass_cycle (), opening_cHd any", "found ',opening_cHd any'"),
        (f"{TOLD}fifty", "found 'fifty'; allowed: an option, such as limit=50"),
        ("1\n" * 3_000_000, "found 6000000 characters"),
        ("; ;", "line 1"),
        ("score 1", "line 1"),
        (f"score {'1 ' * 14}", "line 1"),
    ],
    ids=lambda one: one[:30],
)
def test_what_holds_no_game(text: str, said: str) -> None:
    with pytest.raises(Malformed, match=said):
        read_written(text)


@pytest.mark.parametrize("name", profile_names())
def test_what_show_prints_is_read(name: str) -> None:
    ruleset = Ruleset(name)
    state = played(new_match(ruleset, dealer=1), random.Random(7), most=130)
    lines = shown(State.open(ruleset, state.start), state.acts)
    match = read_written("\n".join(["An evening", *lines]))
    assert (match.name, match.ruleset) == ("An evening", ruleset)
    plays = [(one.seat, one.card) for one in state.acts if isinstance(one, acts.Play)]
    laid = [
        (one.seat, one.card)
        for deal in match.deals
        for trick in deal.tricks
        for one in trick.cards
    ]
    assert sorted(laid) == sorted(plays)
    passes = [one for one in state.acts if isinstance(one, acts.Pass)]
    assert [one for deal in match.deals for one in deal.passes] == passes


def test_names_over_the_columns_are_the_players() -> None:
    text = "trick|Ann|Ben|Carl|winner\n1|>2C|3C|-|Ben\n {}\n2|++|>+5C|6C|\n |||+|"
    match = read_written(text)
    assert match.names == ("Ann", "Ben", "Carl")
    first, second = match.deals[0].tricks
    assert (first.leader, first.winner) == (0, 1)
    assert [one.seat for one in first.cards] == [0, 1]
    assert (second.leader, second.cards[0].drew) == (1, 1)
    assert match.deals[0].course[2:] == (acts.Draw(0), acts.Draw(0), acts.Draw(2))


def test_a_row_after_a_card_taken_back_has_the_others_once_more() -> None:
    deal = deal_of(
        "trick|Ann|Ben|Carl|Dora\n1|>2C|5D!|||\n"
        "Ben takes back 5D\n |2C|3C|4C|5C|Dora\n"
        "Ben takes back 3C\n |2C||4C|5C|\n"
    )
    (trick,) = deal.tricks
    assert [str(one.card) for one in trick.cards] == ["2C", "4C", "5C"]
    assert trick.leader == 0


def test_a_card_taken_back_before_any_trick() -> None:
    deal = deal_of("trick|Ann|Ben|Carl|Dora\nBen takes back 5D\n |2C||||\n")
    assert [str(one.card) for one in deal.tricks[0].cards] == ["2C"]


def test_hands_listed_once_more_are_those_after_the_pass() -> None:
    deal = deal_of(
        "deal 1, seat 3 deals\n  seat 0  2C 3C\n  stock   5C\n  kitty   4C\n"
        "  seat 0: pass 2C\n"
        "\ndeal 1, seat 3 deals\n  seat 0  3C 7C\n  stock   5C\n  kitty   4C\n"
    )
    assert deal.dealt[0] == CardSet("2C 3C")
    assert deal.held[0] == CardSet("3C 7C")
    assert [str(one) for one in deal.stock] == ["5C"]
    assert deal.kitty == CardSet("4C")


@pytest.mark.parametrize(
    ("written", "cycle"),
    [
        ("pass_cycle ()", ()),
        ("pass_cycle=", ()),
        ("pass_cycle ('mix',), limit 50", ("mix",)),
        ("pass_cycle ('left', 'hold')", ("left", "hold")),
    ],
)
def test_lists_of_the_rules(written: str, cycle: tuple[str, ...]) -> None:
    match = read_written(f"common-hearts, 4 players, {written}\n2C 3C 4C 5C")
    assert match.ruleset is not None
    assert match.ruleset.options["pass_cycle"] == cycle


def test_what_is_said_twice_alike_is_said_once() -> None:
    deal = deal_of("2C 3C 4C 5C\nscore: 1 2 3 20\nscore: 1 2 3 20")
    assert deal.score == (1, 2, 3, 20)


def test_nothing_need_stand_behind_the_last_comma_of_the_rules() -> None:
    match = read_written("rules: spot-hearts, 4 players,\n2C 3C 4C 5C")
    assert match.ruleset == Ruleset("spot-hearts", 4)


@pytest.mark.parametrize("words", ["won by", "winner", "taken by"])
def test_the_last_column_may_have_a_heading_of_two_words(words: str) -> None:
    match = read_written(
        f"trick Ann Ben Carl Dora {words}\n1     >2C 3C  4C   5C   Dora"
    )
    assert match.names == ("Ann", "Ben", "Carl", "Dora")
    assert match.deals[0].tricks[0].winner == 3
    assert match.granted == ()


def test_a_title_may_have_a_number_sign() -> None:
    assert read_written("match: Table #3\n2C 5C JD KC\n").name == "Table 3"


def test_the_dealer_may_be_named_twice() -> None:
    assert deal_of("dealer: Ann\nAnn deals\n2C 3C 4C 5C\n").dealer == 0


def test_a_table_of_two_players_says_who_led() -> None:
    text = "players: Ann, Ben\nAnn   Ben\n>2C   5C\n3D    >7D\n"
    trick = read_written(text).deals[0].tricks[1]
    assert trick.leader == 1
    assert {one.seat: str(one.card) for one in trick.cards} == {0: "3D", 1: "7D"}


def test_semicolons_in_a_trick_whoever_is_declared() -> None:
    [trick] = deal_of("Ann leads 2C; Ben 5C; Carl JC; Dora KC -> Dora\n").tricks
    assert [one.seat for one in trick.cards] == [0, 1, 2, 3]
    assert (trick.leader, trick.winner) == (0, 3)


@pytest.mark.parametrize(
    "hand", ["♠ AK ♥ - ♦ 5", "♠ AK ♥ ♦ 5", "♠AK ♥- ♦5", "s AK h - d 5"]
)
def test_a_void_between_the_suits_of_a_hand(hand: str) -> None:
    assert hand_written(hand) == CardSet("AS KS 5D")


def test_a_hand_that_is_none_is_refused_at_once() -> None:
    began = process_time()
    with pytest.raises(Malformed):
        hand_written("s 2 " * 40 + "x")
    assert process_time() - began < 5


def test_words_that_are_no_cards_are_refused_at_once() -> None:
    began = process_time()
    with pytest.raises(Malformed, match=r"^found 'x x x"):
        laid_cards("x " * 100_000)
    assert process_time() - began < 5


@pytest.mark.parametrize("line", [f"scatter N:{' ' * 1900}x", f"x{' ' * 1900}y"])
def test_blanks_take_no_time(line: str) -> None:
    began = process_time()
    with pytest.raises(Malformed):
        read_written(line)
    assert process_time() - began < 10


def test_a_first_line_that_is_something_is_no_title() -> None:
    rest = "common-hearts, 4 players\n2C 5C JD KC\n"
    assert read_written(f"match: Friday\n{rest}").name == "Friday"
    assert read_written(f"{TABLE}{rest}").names == ("Ann", "Ben", "Carl", "Dora")
    assert read_written(f"# noted\n{rest}").remarks == ("noted",)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2C 5C JD KC", "line 2: found rules; allowed: rules once, before the first"),
        ("Ann: 2C 5C JD KC", "line 1: found 'Ann: 2C 5C JD KC'; allowed: cards"),
    ],
)
def test_a_trick_above_the_rules_is_no_title(line: str, said: str) -> None:
    rest = "common-hearts, 4 players\n7D 9D QS 2H\n"
    with pytest.raises(Malformed, match=said):
        read_written(f"{line}\n{rest}")
    assert read_written(f"The QS\n{rest}").name == "The QS"


def test_a_side_above_a_column_may_be_the_name_of_a_player() -> None:
    turned, right = map(
        columns_headed,
        ("trick North East South West", "trick West North East South"),
    )
    assert turned is not None
    assert right is not None
    sides = Record()
    sides.headed(turned)
    assert (sides.players, sides.names) == (4, ())
    named = Record()
    named.seats("West, North, East, South")
    named.headed(right)
    with pytest.raises(Malformed, match="columns in another order"):
        named.headed(turned)


@pytest.mark.parametrize("line", ["2C, 5C, JD, KC", "seat 0: 2C, 5C, JD, KC"])
def test_a_trick_behind_the_number_of_its_deal(line: str) -> None:
    [deal] = read_written(f"deal 1: {line}\n").deals
    assert len(deal.tricks) == 1


def test_the_totals_before_a_deal_do_not_go_to_the_deal_before() -> None:
    text = "2C 5C JD KC\nscore: 5 8 13 0\nbefore: 5 8 13 0\n7D 9D QS 2H\n"
    first, second = read_written(text).deals
    assert (first.before, second.before) == ((), (5, 8, 13, 0))


@pytest.mark.parametrize("cards", ["2♣ 5♣ A♣ K♣", "♣2 ♣5 ♣A ♣K"])
def test_an_ace_is_not_the_player_a(cards: str) -> None:
    [trick] = read_written(f"players: A, B, C, D\nA: {cards}\n").deals[0].tricks
    assert trick.leader == 0
    assert [str(one.card) for one in trick.cards] == ["2C", "5C", "AC", "KC"]


@pytest.mark.parametrize("sign", ["'", "\u2019"])
def test_a_name_may_have_either_apostrophe(sign: str) -> None:
    text = f"players: Ann, O{sign}Brien\n1. O{sign}Brien: 2C 3C -> Ann\n"
    [trick] = read_written(text).deals[0].tricks
    assert (trick.leader, trick.winner) == (1, 0)


def test_winners_with_and_in_a_name_or_before_the_last() -> None:
    text = "players: Tom and Jo, Cat\n2C 3C\nwinners: Tom and Jo\n"
    assert read_written(text).deals[0].winners == (0,)
    text = "players: Ann, Ben, Carl\n2C 3C 4C\nwinners: Ann, Ben, and Carl\n"
    assert read_written(text).deals[0].winners == (0, 1, 2)


def test_won_by_below_a_trick_is_said_of_the_trick() -> None:
    deal = deal_of("Ann: 2C 5C JD KC\nwon by Dora\nDora: 7D 9D QS 2H\nwon by Ann\n")
    assert [one.winner for one in deal.tricks] == [3, 0]
    assert deal.winners == ()


def test_a_remark_in_braces_belongs_to_the_deal_of_its_line() -> None:
    text = "deal 1\n2C 5C JD KC\ndeal 2 {misdealt}\n7D 9D QS 2H # Ben {host} was late\n"
    first, second = read_written(text).deals
    assert first.remarks == ()
    assert second.remarks == ("misdealt", "Ben {host} was late")


def test_lines_in_the_deal_after_a_table_are_no_rows_of_it() -> None:
    text = (
        f"{TABLE}deal 1\nTrick  Ann   Ben   Carl  Dora\n"
        "1      >2C   5C    JD    KC\ndeal 2\n1. 2C 5C JD KC\n2. 7D 9D QS 2H\n"
    )
    _, deal = read_written(text).deals
    assert [one.seat for one in deal.tricks[1].cards] == [None] * 4


def test_a_narrow_last_column_beside_the_winner() -> None:
    columns = columns_headed("Trick  Ann  Benjamin-Long  Cy  Winner")
    assert columns is not None
    row = row_of(columns, "2      >7D                 9D  Ann")
    assert row == Row("2", (">7D", "", "9D"), "Ann")


@pytest.mark.parametrize("word", ["r\u0131ght", "R\u0130GHT", "oppo\u017fite"])
def test_a_direction_from_any_keyboard(word: str) -> None:
    [deal] = read_written(f"pass: {word}\n2C 5C JD KC\n").deals
    assert deal.direction in ("right", "across")


def test_who_deals_makes_no_hands_of_tricks() -> None:
    deal = deal_of("deal 1, Ann deals\nAnn: 2C 5C JD KC\nDora: 7D 9D QS 2H\n")
    assert (len(deal.tricks), deal.dealt) == (2, ())


@pytest.mark.parametrize(
    "line",
    ["trick 1 Ann 2C; Ben 5C; Carl JC; Dora KC -> Dora", "1 Ann: 2C; 5C; JC; KC"],
)
def test_a_number_without_a_full_stop_before_cards_with_stops(line: str) -> None:
    [trick] = deal_of(line).tricks
    assert [str(one.card) for one in trick.cards] == ["2C", "5C", "JC", "KC"]


LOOSE = "Ann leads 2C; Ben 5C; Carl JC; Dora KC\n"


def test_a_title_above_the_rules_spoils_no_loose_lines() -> None:
    match = read_written(f"An evening\nheartsgame-tiles, 4 players\n{LOOSE}")
    assert (match.name, match.ruleset) == ("An evening", Ruleset("heartsgame-tiles"))
    assert match.names == ("Ann", "Ben", "Carl", "Dora")
    assert len(match.deals[0].tricks) == 1


def test_lines_of_a_later_match_are_numbered_as_in_the_file() -> None:
    text = f"match: Friday\n{LOOSE}match: Saturday\n{LOOSE}Ben was late\n"
    _, (number, match) = matches_written(text)
    assert number == 3
    assert "line 5 is a remark" in match.granted
    with pytest.raises(Malformed, match="line 4: found"):
        list(matches_written(f"match: Friday\n{LOOSE}match: Saturday\nAnn: 2C 5X\n"))


@pytest.mark.parametrize(
    "rules",
    ["rules: Spot-Hearts, 4 Players, LIMIT=50", "SPOT-HEARTS, 4 players, Limit 50"],
)
def test_capitals_make_no_difference_in_rules(rules: str) -> None:
    match = read_written(f"{rules}\n2C 3C 4C 5C")
    assert (match.name, match.ruleset) == ("", Ruleset("spot-hearts", 4, {"limit": 50}))


@pytest.mark.parametrize("head", ["trick", "#"])
def test_a_dash_below_the_winner_is_nobody(head: str) -> None:
    text = (
        f"| {head} | Ann | Ben | Carl | won by |\n| 1 | >2C | 5C | JC | Carl |\n"
        "| 2 | 9D | - | >7D | - |\n"
    )
    first, second = read_written(text).deals[0].tricks
    assert (first.winner, second.leader, second.winner) == (2, 2, None)


def test_what_people_call_a_game_is_a_title() -> None:
    titled = read_written("Hearts, 4 players\nrules: estmesh-hearts\n2C 5C JD KC\n")
    assert titled.name == "Hearts, 4 players"
    assert titled.ruleset == Ruleset("estmesh-hearts", 4)


@pytest.mark.parametrize("between", ["  ", " | "])
def test_columns_of_seats_in_any_order_keep_their_seats(between: str) -> None:
    lines = (["Trick", "N", "S", "E", "W"], ["1", ">2C", "3C", "4C", "5C"])
    text = "\n".join(between.join(f"{one:5}" for one in line) for line in lines)
    match = read_written(text)
    (trick,) = match.deals[0].tricks
    assert match.names == ()
    assert [one.seat for one in trick.cards] == [0, 2, 1, 3]
    assert trick.leader == 0


@pytest.mark.parametrize(
    "head", ["first | second | third | fourth", "1st | 2nd | 3rd | 4th"]
)
def test_columns_in_the_order_played_are_no_players(head: str) -> None:
    match = read_written(f"{TABLE}Trick | {head}\n1 | 2C | 5C | JC | KC -> Dora")
    (trick,) = match.deals[0].tricks
    assert match.names == ("Ann", "Ben", "Carl", "Dora")
    assert [one.seat for one in trick.cards] == [None] * 4
    assert trick.winner == 3


def test_cards_with_numbers_above_them_are_no_players() -> None:
    with pytest.raises(Malformed, match="line 2"):
        read_written("| Trick | Card1 | Card2 |\n| 1 | 2C | 5C |")


def test_the_number_of_a_deal_is_no_title() -> None:
    with pytest.raises(Malformed, match="line 1: found number 0"):
        read_written("deal 0\n2C 3C 4C 5C")
