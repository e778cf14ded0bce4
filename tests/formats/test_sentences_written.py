"""Tests of games told in sentences: all that they say is read, and nothing else."""

from time import process_time

import pytest

from refengine.errors import Malformed
from refengine.formats.written.reading_written import read_written
from refengine.formats.written.sentences_written import NotTold, tricks_told
from tests.support.written import lines_of

QUESTION = """\
Hello,

last night Ann dealt. Ben passed the QS, the KS and AS to Carl.
On the first trick, Ben led the 2C. Carl, who had no clubs, threw the queen of diamonds.
Dora ducked with the 3C, and Ann won the trick with the ace of clubs.
Ann then returned the KD; Ben followed with the 4D, Carl had to play JD and Dora gave up
the ten of hearts.
In the third trick Ann led 5S, Ben played the 6S, Carl the 9S, and Dora took it with the
JS and led 9H.
Should Dora have been allowed to lead 9H?
"""
QUESTION = QUESTION.replace("up\nthe ten", "up the ten").replace("the\nJS", "the JS")
QUOTED = """\
[quote="west"]
West dealt. North led the 2♣, East the 5♣, South the J♣, West the K♣.
> West won and led the 7♦; North 9♦, East Q♠, South 2♦.
[/quote]
North took 13 points.
"""
COUNTED = """\
Trick one: Jo leads the 2C, Max plays the 9C. Lea plays the 10C. Tim plays the AC.
Tim wins the trick.
Everybody sighed.
Trick two: Tim leads the QS, Jo plays the KS, Max plays the 2S, Lea discards the 5H.
Jo takes the trick, 14 points.
3rd trick: Jo led 3C, Max played 4C, Lea played 5C, and Tim won with the 6C (no points).
"""


@pytest.mark.parametrize("sign", ["'", "\u2019"])
def test_an_apostrophe_is_part_of_a_name(sign: str) -> None:
    told = "Ann led 2C. Ben played 5C. Carl played JC. O'Brien played KC."
    text = f"players: Ann, Ben, Carl, O'Brien\n{told}\n".replace("'", sign)
    match = read_written(text)
    assert match.names == ("Ann", "Ben", "Carl", f"O{sign}Brien")
    assert [len(trick.cards) for trick in match.deals[0].tricks] == [4]


@pytest.mark.parametrize(
    "name",
    [
        "\u0930\u093e\u092e",  # Ram: a vowel sign within
        "\u0938\u0940\u0924\u093e",  # Sita: one at its end too
        "\u0e1b\u0e34\u0e48\u0e19",  # Pin, with a tone
        "R\u1eb9\u0301n",  # no single character has both accents
        "Ann\u0320",  # another player's name and an accent
        "Wei\u00df",  # in lower case it is two letters longer
        "\u0130nci",
    ],
)
def test_a_name_has_all_its_letters_and_signs(name: str) -> None:
    told = f"{name} dealt. Ann led 2C. {name} played 5C. Carl had to play JC,"
    text = f"{told} and Dora won with KC. Dora led 3C. {name} took it with the 4C."
    assert lines_of(text) == [
        f"players: Ann, {name}, Carl, Dora",
        f"dealer: {name}",
        f"1. Ann: Ann=2C, {name}=5C, Carl=JC, Dora=KC -> Dora",
        f"2. Dora: Dora=3C, {name}=4C -> {name}",
    ]


@pytest.mark.parametrize("other", ["Mary-Ann", "O'Ann"])
def test_the_end_of_another_name_is_no_player(other: str) -> None:
    told = "Ann led 2C, Ben played 5C."
    assert lines_of(f"{told} {other} took the trick.") == [
        "players: Ann, Ben",
        "1. Ann: Ann=2C, Ben=5C",
    ]


def test_a_player_whose_name_is_a_card_is_none_of_the_cards_played() -> None:
    with pytest.raises(Malformed):
        read_written("Ann led 2C. Ben played 5C. KC played JC.")


@pytest.mark.parametrize("sign", ["'", "\u2019", "-", "- "])
def test_a_sign_before_a_name_is_no_part_of_it(sign: str) -> None:
    told = "Ann passed 2C 3C to Ben. Ann led 2D. Ben played 5D. Ben took it."
    assert lines_of(told.replace(". ", f". {sign}")) == [
        "players: Ann, Ben",
        "passes Ann: 2C 3C",
        "1. Ann: Ann=2D, Ben=5D -> Ben",
    ]


def test_any_capital_begins_a_name() -> None:
    seats = "Éva sat on my left, Óla sat opposite me, and Carl sat on my right."
    told = "I led 2C, Carl 5C, Óla JC, and Éva KC. Éva led 3C. Carl played 4C."
    match = read_written(f"{seats}\n{told}\n")
    assert match.names == ("I", "Éva", "Óla", "Carl")
    assert match.granted == ()


def test_a_question_in_a_forum() -> None:
    assert lines_of(QUESTION) == [
        "match: Hello,",
        "players: Ben, Carl, Dora, Ann",
        "dealer: Ann",
        "pass: left",
        "passes Ben: QS KS AS",
        "1. Ben: Ben=2C, Carl=QD, Dora=3C, Ann=AC -> Ann",
        "2. Ann: Ann=KD, Ben=4D, Carl=JD, Dora=TH",
        "3. Ann: Ann=5S, Ben=6S, Carl=9S, Dora=JS -> Dora",
        "4. Dora: 9H",
    ]
    granted = read_written(QUESTION).granted
    assert granted[0] == "Ben, Carl, Dora and Ann sit in this order"
    assert granted[1].endswith("remark")  # the question at the end


def test_the_quotation_of_a_post_with_points_of_the_compass() -> None:
    assert lines_of(QUOTED) == [
        "dealer: seat 3",
        "1. seat 0: seat 0=2C, seat 1=5C, seat 2=JC, seat 3=KC -> seat 3",
        # Whose 13 points of what is not said
        "2. seat 3: seat 3=7D, seat 0=9D, seat 1=QS, seat 2=2D",
    ]


def test_tricks_with_their_numbers_winners_and_points() -> None:
    assert lines_of(COUNTED) == [
        "players: Jo, Max, Lea, Tim",
        "1. Jo: Jo=2C, Max=9C, Lea=TC, Tim=AC -> Tim",
        "2. Tim: Tim=QS, Jo=KS, Max=2S, Lea=5H -> Jo (14)",
        "3. Jo: Jo=3C, Max=4C, Lea=5C, Tim=6C -> Tim (0)",
    ]


@pytest.mark.parametrize(
    "doubtful",
    [
        "Ann should have led 3C.",
        "If Ann had led 3C, Ben played 4C.",
        "Did Ann play 3C?",
        "Dora says that Ann played 3C.",
        "I think Ben played 3C.",
        "Ann didn't play the 3C.",
        "Ben could not play 3C.",
        "Ann never played 3C.",
        "Ann was allowed to play 3C.",
    ],
)
def test_what_is_asked_supposed_or_denied_was_not_played(doubtful: str) -> None:
    told = "Ann led 2C, Ben played 5C."
    for text in (f"{told} {doubtful}", f"{told}\n{doubtful}\n"):
        found = tricks_told([*enumerate(text.splitlines(), 1)])
        tricks = [one for _, one in found.lines if not one.startswith("#")]
        assert tricks == ["Ann leads 2C, Ben: 5C"]
        assert [one for _, one in found.lines if one.startswith("#")] != []
        assert found.remarks != ()


@pytest.mark.parametrize(
    "said",
    [
        "I think Ann won it.",
        "Did Ann win the trick?",
        "Ben says that Ann took the trick.",
        "Ann took a long time.",
        "Ann wins the match in the end.",
        "Ann got angry.",
    ],
)
def test_who_has_won_is_not_guessed(said: str) -> None:
    told = f"Ann led 2C, Ben played 5C. {said} Ben led 3C, Ann played 4C."
    tricks = ["1. Ann: Ann=2C, Ben=5C", "2. Ben: Ben=3C, Ann=4C"]
    assert lines_of(told) == ["players: Ann, Ben", *tricks]
    won = lines_of(told.replace(said, "Ben won it."))
    assert won[1:] == [f"{tricks[0]} -> Ben", tricks[1]]


@pytest.mark.parametrize(
    "unclear",
    [
        "She led 6D.",
        "Ann led 6D, Ben played 7D (with the AC in his hand).",
        "Ann led 6D and somebody played 7D.",
    ],
)
def test_a_card_of_which_it_is_not_said_who_played_it_is_an_error(unclear: str) -> None:
    with pytest.raises(Malformed):
        read_written(f"Ann led 2C, Ben played 5C. {unclear}")


def test_lines_without_sentences_stay_as_they_are() -> None:
    lines = ((1, "Ann leads 2C; Ben 5C"), (2, "# Ann led 2C, Ben played 3C."))
    assert tricks_told(lines).lines == lines


def test_a_deal_between_two_tricks_stands_where_it_was() -> None:
    told = (
        "Deal 1\nAnn led 2C, Ben played 5C.\nDeal 2\nBen led 2C. Ann won with the KC."
    )
    assert lines_of(told) == [
        "players: Ann, Ben",
        "deal 1",
        "1. Ann: Ann=2C, Ben=5C",
        "deal 2",
        "1. Ben: Ben=2C, Ann=KC -> Ann",
    ]


def test_the_points_of_two_tricks_in_a_sentence_are_nobodys() -> None:
    told = (
        "Ann led 2C, Ben won with the 5C and led 3H, 1 point, Ann took it with the 4H."
    )
    assert lines_of(told) == [
        "players: Ann, Ben",
        "1. Ann: Ann=2C, Ben=5C -> Ben",
        "2. Ben: Ben=3H, Ann=4H -> Ann",
    ]


def test_a_long_line_takes_no_long_time() -> None:
    # Each of these took minutes, or was suspected of it
    told = "Ann led 2C, Ben played 5C.\n"
    began = process_time()
    for word in (
        "Ann then ",
        "Ann, who ",
        "and then ",
        "Ann won the trick and ",
        "Ann ",
    ):
        line = word * (1900 // len(word))
        assert tricks_told([*enumerate(f"{told}{line}".splitlines(), 1)]).lines
    assert process_time() - began < 10


def whole_deal(ten: str, last: str = "KH") -> str:
    """A deal told in sentences, with one suit in each hand.

    `ten` is the sentence about what Ann did with her ten.
    """
    tricks = []
    for at, rank in enumerate("23456789TJQKA"):
        clubs = ten if rank == "T" else f"led {rank}C"
        hearts = last if rank == "K" else f"{rank}H"
        tricks.append(
            f"Trick {at + 1}: Ann {clubs}, Ben threw {rank}D, Carl tried {rank}S and "
            f"Dora {'stupidly put up' if at else 'gave him'} {hearts}."
        )
    return "\n".join(tricks)


def test_a_rank_of_which_one_card_is_left_is_that_card() -> None:
    told = whole_deal("got rid of her ten")
    assert "9. Ann=TC, Ben=TD, Carl=TS, Dora=TH" in lines_of(told)
    assert "1. Ann: Ann=2C, Ben=2D, Carl=2S, Dora=2H" in lines_of(told)
    said = "the ten on line 9 is TC, since every other ten is told"
    assert said in read_written(told).granted


@pytest.mark.parametrize(
    "told",
    [
        whole_deal("got rid of her ten").partition("Trick 13")[0],  # not the whole deal
        whole_deal("got rid of her ten", last="QH"),  # a card is told twice
        whole_deal("got rid of her ten").replace("TD", "her ten"),  # who has which?
        # The other tens are of another deal
        "Deal 1\nAnn led 2C, Ben threw the ten, Carl played TD.\n"
        "Deal 2\nAnn led TH, Ben played 3H, Carl played TS.\n",
    ],
)
def test_a_rank_is_no_card_where_it_may_be_another(told: str) -> None:
    with pytest.raises(Malformed, match="the suit as well"):
        read_written(told)


def test_a_card_that_somebody_had_is_played_where_the_trick_misses_it() -> None:
    told = "Carl led 7D, Ann played 8D, Ben threw the 2H. "
    found = lines_of(told + "Ann led 2C, Ben had the 5C, Carl had nothing but the QC.")
    assert found[2:] == ["2. Ann: Ann=2C, Ben=5C, Carl=QC"]
    # Whose card lies on the table already has another one in the hand
    again = lines_of(told + "Ann led 2C, Ben had the 5C. Ben had the KC.")
    assert again[1:] == ["hand Ben: KC", *again[2:3], "2. Ann: Ann=2C, Ben=5C"]
    for hand in (
        "Ann had the QC, Ben had the KC. Ann led 3C, Ben played 2C.",
        "Ann led 3C, Ben played 2C, Ben had the KC.",
    ):
        with pytest.raises(Malformed, match="line 1"):
            read_written(hand)


TRICK = "Ann led 2D. Ben played 5D. Carl played 6D. Dora played 7D."


def test_a_sentence_may_tell_of_two_passes() -> None:
    told = "From Ben I got QS and KS, and I passed 2C and 3C to Carl. I led 2D. "
    rest = "Ben played 5D, Carl played 6D."
    assert lines_of(f"{told}{rest}") == [
        "players: Ben, I, Carl",
        "pass: left",
        "passes Ben: QS KS",
        "passes I: 2C 3C",
        "1. I: I=2D, Ben=5D, Carl=6D",
    ]
    both = "Ann passed 5C 6C to Ben, and Carl passed 8C 9C to Dora."
    assert lines_of(f"{both} {TRICK}")[2:4] == [
        "passes Ann: 5C 6C",
        "passes Carl: 8C 9C",
    ]


@pytest.mark.parametrize("said", ["Ben played 6D and 8D", "Ben led 6D, then 8D"])
def test_a_second_card_of_a_player_is_not_that_of_another(said: str) -> None:
    with pytest.raises(NotTold, match=r"line 1: .* who played it"):
        read_written(f"{TRICK} {said}.")


@pytest.mark.parametrize("cards", ["2C 5C JC KC", "2C, 5C, JC and KC", "2C, 5C"])
def test_a_whole_trick_may_come_after_its_leader(cards: str) -> None:
    """Those who never lead are named by the line of the players only."""
    plain = cards.replace(",", "").replace("and ", "")
    told = f"players: Ann, Ben, Carl, Dora\nAnn led {cards}.\nDora led 3C, 4C, 6C, 7C."
    assert lines_of(told)[1:] == [f"1. Ann: {plain}", "2. Dora: 3C 4C 6C 7C"]
    assert lines_of(f"{TRICK} Ben led {cards}.")[2:] == [f"2. Ben: {plain}"]


def test_names_that_are_not_known_as_such_may_be_beside_cards() -> None:
    told = "Trick 1: Ann led 2C, ben 5C, carl JC, dora KC.\nDora led 3C.\n"
    [first, *_] = lines_of(f"players: Ann, Ben, Carl, Dora\n{told}")[1:]
    assert first == "1. Ann: Ann=2C, Ben=5C, Carl=JC, Dora=KC"


def test_a_card_beside_a_pass_is_not_dropped() -> None:
    with pytest.raises(NotTold, match="line 1: found , keeping the QS"):
        read_written(f"Ann passed 2C and 3C to Ben, keeping the QS. {TRICK}")


@pytest.mark.parametrize("beside", ["too", "still", "of course", "as well"])
def test_a_word_beside_a_name_is_no_player(beside: str) -> None:
    told = f"Ann led 2C, Ben {beside} played 5C, and carl played KC."
    assert lines_of(told) == [
        "players: Ann, Ben, carl",
        "1. Ann: Ann=2C, Ben=5C, carl=KC",
    ]


@pytest.mark.parametrize(
    "beside",
    ["himself", "at last", "in the end", "as usual", "meanwhile", "and Dora both"],
)
def test_nobody_is_made_up_if_it_is_unclear_who_played(beside: str) -> None:
    with pytest.raises(NotTold):
        read_written(f"Ann led 2C, Ben {beside} played 5C, and Carl played KC.")


def test_a_name_in_lower_case_may_come_after_the_number_of_its_trick() -> None:
    told = "in trick one ann led 2C, ben followed with 5C, and carl took it with KC."
    assert lines_of(f"{told} ben smiled.") == [
        "players: ann, ben, carl",
        "1. ann: ann=2C, ben=5C, carl=KC -> carl",
    ]


def test_a_name_in_lower_case_may_come_after_a_card_or_a_small_word() -> None:
    after = (
        "My sister led 2C ben played 5C, so carl played JC, and finally tim played KC."
    )
    assert lines_of(f"{after} Tim smiled.") == [
        "players: sister, ben, carl, tim",
        "1. sister: sister=2C, ben=5C, carl=JC, tim=KC",
    ]


def test_a_name_is_no_adverb() -> None:
    told = "Sally led 2C, Ben, Emily played 5C. Emily quickly played 3C, Ben the 7C."
    for text in (told, told.replace("Ben, Emily", "and Emily")):
        assert lines_of(text)[1:] == [
            "1. Sally: Sally=2C, Emily=5C",
            "2. Emily: Emily=3C, Ben=7C",
        ]


def test_the_stop_behind_an_initial_ends_no_sentence() -> None:
    told = "J. Bach led 2C, Bach played 3C. On trick 2. Ann led 4C, Bach played 5C."
    with pytest.raises(Malformed):
        read_written(told)
    told = "1. Ann led 2C, Ben played 3C. 2. Ben led 4C, Ann played 5C."
    assert lines_of(told)[1:] == ["1. Ann: Ann=2C, Ben=3C", "2. Ben: Ben=4C, Ann=5C"]


@pytest.mark.parametrize("verb", ["gets rid of", "got rid of", "gives up", "gave up"])
def test_what_is_got_rid_of_is_not_of_the_suit_led(verb: str) -> None:
    with pytest.raises(NotTold):
        tricks_told(((1, f"Ann led 7D, Ben played 9D, Carl {verb} the queen."),))


@pytest.mark.parametrize(
    "said",
    [
        "\u017fecond trick: ",
        "\u017f\u0131xth trick: ",
        "In the last \u017fix tricks Ann led. ",
        "In the last s\u0131x tricks Ann led. ",
    ],
)
def test_a_long_s_does_no_harm(said: str) -> None:
    assert tricks_told(((1, f"{said}Ann led 7D, Ben played 9D."),)).lines


def test_a_winner_named_between_two_tricks_is_not_that_of_the_second() -> None:
    told = "Ann led 2C. Ben played 5C, Ben took it, and led 3H. Ann played 4H."
    assert lines_of(told) == [
        "players: Ann, Ben",
        "1. Ann: Ann=2C, Ben=5C",
        "2. Ben: Ben=3H, Ann=4H",
    ]
