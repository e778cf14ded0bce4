"""Tests of questions about which acts are allowed and who acts, with their answers.

The expected figures come from the sources and rulings, or from games that were
played card by card.
"""

from random import Random

import pytest

from refengine import Ruleset, new_match
from refengine.chapters.cards import EMPTY
from refengine.chapters.deal import match_pack, not_the_pack
from refengine.lawbook.at_the_table import table_rulings
from refengine.rulings.asking.answer_text import answer_lines
from refengine.rulings.asking.answers import answer_fields
from refengine.rulings.asking.questions import (
    MOMENTS,
)
from refengine.rulings.asking.revokes import can_claim, can_correct
from refengine.rulings.explain import ruling_fields
from refengine.rulings.irregularities import moments_after, profiles_with_revokes
from refengine.rulings.page_width import WIDTH
from tests.support.asking import COMMON, ask, column, rules, words_of, wrong

# Revokes


def yes_or_no(said: list[bool]) -> list[str]:
    return ["yes" if one else "no" for one in said]


@pytest.mark.parametrize("until", ["trick_complete", "trick_quitted", "next_lead"])
def test_the_moments_of_a_revoke_are_those_of_a_game_that_is_played(until: str) -> None:
    for base in profiles_with_revokes():
        ruleset = base.having(revoke_until=until)
        played = {one.name: one for one in moments_after(ruleset)}
        names = {
            "trick": "the card has just been played",
            "trick_complete": "the trick is complete",
            "quitted": "the trick is turned face down",
            "next_lead": "the next trick is led",
            "deal_over": "the last card of the deal is played",
        }
        for when, name in names.items():
            if name in played:
                assert can_correct(ruleset, when) is not bool(played[name].correct)
                assert can_claim(ruleset, when) is not bool(played[name].claim)
        said = rules(base.profile, 4, revoke_until=until)
        back = [can_correct(ruleset, one) for one in MOMENTS]
        claim = [can_claim(ruleset, one) for one in MOMENTS]
        assert (back[-1], claim[-1]) == (False, False)  # 7.4a, 7.7c: the next deal
        for when in MOMENTS:
            found = ask("revoke", said, when=when, seat=2)
            assert column(found, "taken back?") == yes_or_no(back)
            assert column(found, "claimed?") == yes_or_no(claim)
            if when != "next_deal":
                soon = "Seat 2 may take the card back without penalty"
                assert found.headline.startswith(soon) is can_correct(ruleset, when)


def test_what_a_revoke_costs_is_said() -> None:
    late = ask("revoke", rules("pokerwiner-hearts"), when="next_lead")
    assert "the deal ends and the player pays 26" in late.headline
    goes_on = ask("revoke", rules("heartsgame-tiles"), when="trick_complete", seat=1)
    assert goes_on.headline.endswith("if somebody claims the revoke, seat 1 pays 13.")
    assert {"7.10", "8.3b", "10.18b", "10.19"} <= set(goes_on.clauses)
    assert "The deal goes on" in words_of(goes_on)
    scored = words_of(ask("revoke", rules("heartsgame-tiles"), when="deal_over"))
    assert "The deal goes on" not in scored
    assert "Cards and tricks stand." in scored
    no_moon = rules("heartsgame-tiles", moon="none")
    assert "8.3b" not in ask("revoke", no_moon, when="next_lead").clauses
    over = ask("revoke", rules("pokerwiner-domino"), when="deal_over")
    assert "7.4a" in over.clauses
    replaced = ask("revoke", rules("pokerwiner-hearts"), when="deal_over")
    assert "pays 26, and nothing else in the deal counts" in replaced.headline
    assert "The claim replaces the score of the deal" in words_of(replaced)
    assert "at once" not in words_of(replaced)
    down = ask(
        "revoke",
        rules("dominorules-tiles", deal_ends="no_points_left"),
        when="deal_over",
    )
    assert "or when the winner turns it face down" in words_of(down)
    gone = ask("revoke", rules("dominorules-tiles"), when="next_deal")
    assert gone.headline == (
        "It is too late: the next deal has been dealt, and the revoke costs nothing."
    )
    drawn = ask("revoke", rules("pokerwiner-domino"), when="trick")
    assert "7.5a" in drawn.clauses
    turned = ask("revoke", rules("pokerwiner-hearts"), when="quitted")
    assert "7.6a" in turned.clauses


@pytest.mark.parametrize("when", MOMENTS)
def test_where_revokes_are_rejected_a_card_that_was_answered_stands(when: str) -> None:
    found = ask("revoke", COMMON, when=when)
    early = when in ("trick", "trick_complete", "quitted")
    assert found.headline.startswith("If no other card has been played") is early
    assert found.headline.endswith("stands as played and costs nothing.") is not early
    assert "10.18" in found.clauses
    assert found.rows == ()


def test_the_last_card_of_a_deal_is_taken_back_even_after_the_deal() -> None:
    """Only under rules by which a revoke in the last trick is possible."""
    drawn = rules("pokerwiner-domino", revokes="rejected")
    late = ask("revoke", drawn, when="deal_over").headline
    assert late.startswith("The last card of the deal is still taken back")
    assert ask("revoke", drawn, when="next_deal").headline.startswith("It is too late")
    assert ask("revoke", COMMON, when="deal_over").headline.startswith("It is too late")


# Passes


def test_a_pass_goes_by_the_number_of_the_deal() -> None:
    heads = [ask("pass", COMMON, deal=deal, seat=1).headline for deal in range(1, 6)]
    assert heads == [
        "In deal 1 seat 1 passes 3 cards to seat 2, on its left.",
        "In deal 2 seat 1 passes 3 cards to seat 0, on its right.",
        "In deal 3 seat 1 passes 3 cards to seat 3, across the table.",
        "No cards are passed in deal 4.",
        "In deal 5 seat 1 passes 3 cards to seat 2, on its left.",
    ]
    odd = ask("pass", rules("common-hearts", 3), deal=3)
    assert odd.headline == "No cards are passed in deal 3."
    assert "4.1a" in odd.clauses
    assert "across" not in odd.why[0].text.split(";")[0]
    alone = ask("pass", rules("common-hearts", 3, pass_cycle=["across"]))
    assert words_of(alone).startswith(
        "No cards are passed. [4.1] With an odd number of players the pass across"
    )
    maria = words_of(ask("pass", rules("black-maria")))
    assert maria.startswith("Every deal has a pass to the right. [4.1]")
    never = ask("pass", rules("pokerwiner-hearts"))
    assert never.headline == "No cards are passed in this game."
    assert never.clauses == ("4.1",)
    assert never.granted == ("it is the first deal of the match",)


def test_a_scatter_a_mix_and_passing_unseen() -> None:
    cycle = ["left", "scatter", "mix", "hold"]
    said = rules("estmesh-hearts", pass_cycle=cycle, pass_unseen=True)
    assert "4.9" in ask("pass", said, deal=1).clauses
    scatter = ask("pass", said, deal=2)
    assert scatter.headline.endswith("passes one card to each of the others.")
    assert "4.9c" in scatter.clauses
    mix = ask("pass", said, deal=3)
    assert mix.headline.startswith("In deal 3 every player gives 3 cards away;")
    assert "4.9" not in ask("pass", said, deal=4).clauses
    hand = "QS KH AH 2C"
    assert ask("pass", said, deal=2, hand=hand, cards="QS KH AH").verdict == "legal"
    few = ask("pass", said, deal=2, hand=hand, cards="QS KH")
    assert (few.verdict, few.why[0].clauses) == ("refused", ("4.6a",))
    assert ask("pass", said, deal=2, hand=hand, cards=hand).verdict == "refused"
    assert ask("pass", said, deal=3, hand=hand, cards="QS KH AH").verdict == "legal"


def test_a_kitty_in_the_mix_is_named_and_may_keep_the_low_club() -> None:
    mixed = rules("estmesh-hearts", undealt="kitty", pass_cycle=["mix"], mix_kitty=True)
    asked = {"hand": "2C 3C 4C 5C", "cards": "2C 3C 4C"}
    told = words_of(ask("pass", mixed, **asked))
    assert "the dealer mixes them with the kitty" in told
    assert "[4.10, 4.10b]" in told
    assert "the lowest club that is not in the kitty leads. [5.1b, 5.1]" in told
    apart = rules("estmesh-hearts", undealt="kitty", pass_cycle=["mix"])
    told = words_of(ask("pass", apart, **asked))
    assert "kitty" not in told
    assert "whoever then holds it leads. [5.1b]" in told


@pytest.mark.parametrize(
    ("players", "cards", "told"),
    [
        (4, "2C 3C 4C", []),  # passed to the left they are three cards, as 4.4 asks
        (4, "2C 3C", ["would still be refused, but for another reason. [4.4]"]),
        (3, "2C 3C", ["would be refused. [4.4]"]),
        (3, "2C 3C 4C", ["would be allowed. [4.6a]"]),
    ],
)
def test_cards_that_are_not_addressed_would_simply_be_passed_elsewhere(
    players: int, cards: str, told: list[str]
) -> None:
    said = rules("common-hearts", players, pass_cycle=["scatter"])
    found = ask("pass", said, hand="2C 3C 4C 5C", cards=cards)
    assert [one.option for one in found.mattered] == ["pass_cycle"] * len(told)
    for one, end in zip(found.mattered, told, strict=True):
        assert str(one.sentence).endswith(f"(pass_cycle=left), it {end}")


def test_cards_to_pass_are_judged() -> None:
    hand = "QS KH AH 2C"
    right = ask("pass", COMMON, hand=hand, cards="QS KH AH", seat=2)
    assert right.headline == "Seat 2 may pass QS KH AH."
    assert right.verdict == "legal"
    wrong_count = ask("pass", COMMON, hand=hand, cards="QS KH")
    assert wrong_count.verdict == "refused"
    assert "4.4" in wrong_count.clauses
    strange = ask("pass", COMMON, hand=hand, cards="QS KH 9D")
    assert "4.5" in strange.clauses
    held = ask("pass", COMMON, hand=hand, cards="QS KH AH", deal=4)
    assert (held.verdict, held.headline) == ("", "No cards are passed in deal 4.")


# Turns


def test_the_turn_goes_round_in_the_direction_of_play() -> None:
    assert ask("turn", leader=3, trick="5C").headline == "It is the turn of seat 0."
    tiles = rules("heartsgame-tiles")
    assert ask("turn", tiles, leader=3, trick="5C").headline == (
        "It is the turn of seat 2."
    )
    domino = rules("gamerules-domino")
    passed = ask("turn", domino, leader=1, trick="5C", out=[2, 2])
    assert passed.headline == "It is the turn of seat 3."
    assert "passed over: seat 2." in words_of(passed)


def test_the_winner_leads_and_for_one_who_is_out_the_left_neighbour() -> None:
    won = ask("turn", leader=1, trick="5C QS KC 9C")
    assert won.headline == "Seat 3 wins the trick and leads."
    assert "with the king of clubs" in words_of(won)
    domino = rules("gamerules-domino")
    three = ask("turn", domino, leader=1, trick="5C 9C 6C", out=[0])
    assert three.headline == "Seat 2 wins the trick and leads."
    assert "6.7" in three.clauses
    follows = "it was not the last trick of the deal"
    assert three.granted == (follows, "seat 2 has cards left")
    assert won.granted == (follows,)
    assert ask("turn", leader=2).headline == "Seat 2 leads."
    gone = ask("turn", domino, leader=2, out=[2, 3])
    assert gone.headline == "Seat 0 leads."
    assert "6.7" in gone.clauses


def test_the_first_lead_is_the_low_club_or_left_of_the_dealer() -> None:
    club = ask("turn", COMMON, dealer=1, seat=2)
    assert club.headline == "Whoever holds the lowest club leads first."
    assert (club.verdict, club.clauses) == ("", ("5.1", "5.1a"))
    poker = rules("pokerwiner-hearts")
    assert ask("turn", poker).headline == (
        "The player on the dealer's left leads first."
    )
    found = ask("turn", poker, dealer=3, seat=0)
    assert (found.headline, found.verdict) == ("Seat 0 leads first.", "legal")


@pytest.mark.parametrize("direction", ["clockwise", "counterclockwise"])
def test_left_is_where_the_neighbour_sits_whichever_way_they_play(
    direction: str,
) -> None:
    for players, dealer in ((2, 1), (4, 0), (4, 3), (13, 5)):
        said = rules("pokerwiner-hearts", players, direction=direction)
        left = (dealer + 1) % players  # 2.1: the numbers go to the left
        found = ask("turn", said, dealer=dealer)
        assert found.headline == f"Seat {left} leads first."


def test_a_card_out_of_turn_is_for_chapter_ten() -> None:
    lead = ask("turn", leader=2, seat=1)
    assert lead.headline == "It is the turn of seat 2, not of seat 1."
    assert (lead.verdict, lead.follows[0].clauses) == ("refused", ("10.14",))
    play = ask("turn", leader=2, trick="5C", seat=1)
    assert (play.verdict, play.follows[0].clauses) == ("refused", ("10.14a",))
    assert ask("turn", leader=2, trick="5C 6C 7C 8C", seat=0).follows[0].clauses == (
        "10.14",
    )


# Openings


@pytest.mark.parametrize(
    ("players", "out"),
    [
        (2, ""),
        (3, "2C"),
        (4, ""),
        (5, "2C 2D"),
        (6, "2C 2D 2S 2H"),
        (7, "2C 2D 2S"),
        (9, "2C 2D 2S 2H 3C 3D 3S"),
        (11, "2C 3C 2D 3D 2S 3S 2H 3H"),
        (13, ""),
    ],
)
def test_what_is_taken_out_for_so_many(players: int, out: str) -> None:
    said = rules("pokerwiner-hearts", players)
    found = ask("opening", said)
    row = next(row for row in found.rows if row[0] == "pokerwiner-hearts")
    assert set(str(row[2]).split()) == set(out.split())
    assert row[1] == (52 - len(out.split())) // players
    assert found.headline.startswith(f"{players} players are dealt {row[1]} cards each")


def test_hearts_are_spared_where_the_rules_say_so() -> None:
    assert ask("opening", COMMON, players=3).headline.endswith("the two of diamonds.")
    assert ask("opening", COMMON, players=5).headline.endswith("2C and 2D.")


def test_a_stock_and_a_kitty_are_what_is_left() -> None:
    domino = ask("opening", rules("gamerules-domino"), players=3)
    assert "6 cards each" in domino.headline
    assert "34 cards" in words_of(domino)
    kitty = ask("opening", rules("estmesh-hearts", 7, undealt="kitty"))
    assert "7 cards each" in kitty.headline
    assert "3 cards" in words_of(kitty)
    assert kitty.rows[-1] == ("estmesh-hearts", 7, "", 3)
    assert kitty.columns[-1] == "left over"


def test_wrong_openings_say_who_may_play() -> None:
    found = ask("opening", players=5)
    assert found.headline == (
        "Hearts as the Estmesh tutorial describes it is for 4 players (3 to 10 with a "
        "kitty), not for 5; the games below are."
    )
    assert [row[0] for row in found.rows] == [  # 2.6
        "common-hearts",
        "dominorules-tiles",
        "heartsgame-tiles",
        "omnibus-hearts",
        "pokerwiner-domino",
        "pokerwiner-hearts",
    ]
    assert ask("opening", rules("estmesh-hearts", 5)) == found
    many = ask("opening", COMMON, players=14)
    assert many.headline == "No game of the book is for 14 players."
    assert many.rows == ()
    told = wrong(rules=rules("black-maria", 5), ask="end", totals=[0] * 5)
    assert told.startswith("rules.players: found 5 players; allowed: 3 or 4 players")
    assert "5 can play common-hearts" in told
    alone = wrong(rules=rules("spot-hearts", 14), ask="end", totals=[0])
    assert alone == (
        "rules.players: found 14 players; allowed: 4 players for spot-hearts "
        "(2.6 Number of players)"
    )


def test_hands_that_were_counted_are_right_or_a_misdeal() -> None:
    right = ask("opening", COMMON, hands=[13, 13, 13, 13])
    assert right.headline == "The deal is right: 13 cards for each player."
    found = ask("opening", COMMON, hands=[13, 14, 12, 13])
    assert found.headline == (
        "This is a misdeal: seat 1 has 14 and seat 2 has 12, and each player should "
        "have 13 cards."
    )
    assert "10.8" in found.clauses


def test_the_row_of_the_own_game_is_as_it_is_played_here() -> None:
    said = rules("common-hearts", undealt="stock", hand_size=7, removal="none")
    rows = ask("opening", said, players=4).rows
    assert ("common-hearts", 7, "", 24) in rows


def test_each_row_of_an_opening_is_a_deal_that_the_rules_accept() -> None:
    for players in range(2, 14):
        for name, size, out, rest in ask("opening", COMMON, players=players).rows:
            ruleset = Ruleset(str(name), players)
            pack = match_pack(ruleset.rules, EMPTY)
            assert int(size) * players + int(rest) + len(str(out).split()) == 52
            state = new_match(ruleset, dealer=0)
            dealt = state.apply(state.random_act(Random(players)))
            assert [len(hand) for hand in dealt.hands] == [size] * players
            hands = tuple(hand.mask for hand in dealt.hands)
            stock = tuple(card.number for card in dealt.stock)
            assert not not_the_pack(pack, hands, stock, dealt.kitty.mask)


# Quarrels


@pytest.mark.parametrize("number", table_rulings())
def test_a_quarrel_is_answered_as_chapter_ten_has_it(number: str) -> None:
    ruling = table_rulings()[number]
    for given in ruling.combinations():
        outcome = ruling.outcome(given)
        found = ask("table", None, number=number, answers=given)
        assert [one.text for one in found.why] == [outcome.says]
        assert found.why[0].clauses == outcome.clauses
        assert outcome.says.startswith(found.headline.removesuffix("."))
        assert not found.asks
    if ruling.ask and len({one.says for one in ruling.outcomes}) > 1:
        found = ask("table", None, number=number)
        assert found.headline == ruling.question
        assert list(found.asks) == [one.name for one in ruling.ask]
        assert {row[1] for row in found.rows} == {one.says for one in ruling.outcomes}
        fields = answer_fields(found)
        assert [one["name"] for one in fields["asks"]] == list(found.asks)


def test_a_quarrel_says_what_it_depends_on() -> None:
    lines = list(answer_lines(ask("table", COMMON, number="10.14")))
    assert "    --answer when=after: after the next card was played" in lines
    assert "What is possible" in lines
    assert "Why" not in lines


def test_a_quarrel_half_answered_leaves_what_is_still_open() -> None:
    found = ask("table", COMMON, number="10.14", answers={"trick": "yes"})
    assert list(found.asks) == ["when"]
    assert len(found.why) == 2
    settled = ask("table", COMMON, number="10.14", answers={"trick": "no"})
    assert settled.headline == "What is done about a trick left out decides."


def test_the_last_trick_is_left_out_and_that_is_said() -> None:
    """Under gamerules-domino a revoke is refused; the answer is about both cases."""
    found = ask("revoke", rules("pokerwiner-domino"), when="deal_over")
    assert found.granted[1:] == ("it was not in the last trick of the deal",)
    assert ask("revoke", rules("gamerules-domino"), when="deal_over").granted[1:] == ()
    assert "last card of a deal" not in words_of(
        ask("revoke", COMMON, when="deal_over")
    )


def test_a_seat_alone_with_cards_leads_no_more() -> None:
    domino = rules("gamerules-domino")
    for trick in ("", "5C"):
        found = wrong(ask="turn", rules=domino, leader=0, out=[1, 2, 3], trick=trick)
        assert found.startswith("out: found every seat but one")
    assert ask("turn", domino, leader=0, out=[1, 2]).headline == "Seat 0 leads."


def test_a_second_card_to_a_trick_does_not_stand() -> None:
    twice = ask("turn", leader=2, trick="5C 9C", seat=2)
    assert twice.verdict == "refused"
    assert twice.follows[0].clauses == ("10.13", "10.15a", "10.15")
    passed = ask("turn", leader=2, trick="5C 9C", seat=1)
    assert passed.follows[0].clauses == ("10.14a",)


def test_a_leader_who_is_not_named_is_taken_for_granted() -> None:
    assert ask("turn", trick="5C").granted == ("seat 0 led",)
    assert ask("turn", trick="5C", leader=0).granted == ()


def test_a_quarrel_asks_only_what_matters() -> None:
    lost = ask("table", None, number="10.9", answers={"why": "lost"})
    assert [*lost.asks] == ["when"]
    look = ask("table", None, number="10.16", answers={"leave": "yes"})
    assert (look.headline, look.asks) == ("Yes.", {})
    assert look.clauses == ("10.16", "10.19")
    turned = ask("table", None, number="10.16", answers={"turned": "yes"})
    assert [*turned.asks] == ["leave"]  # whether or not the next lead was made


@pytest.mark.parametrize(
    ("name", "number", "answers", "says", "cited", "told"),
    [
        # In common-hearts nobody chooses, draws or claims, and hearts must be broken.
        ("common-hearts", "10.20b", "said=no next=seen", "Nobody ch", "8.6", "moon"),
        ("common-hearts", "10.17", "", "There is no stock", "3.6", "undealt"),
        ("common-hearts", "10.17a", "", "There is neither a", "3.7", "undealt"),
        ("common-hearts", "10.19a", "", "There is no revoke", "7.2", "revokes"),
        ("black-maria", "10.18a", "", "Under these rules hearts", "5.4", "heart_leads"),
        ("pokerwiner-hearts", "10.11", "", "No cards are passed", "4.1", "pass_cycle"),
        # What the options settle is taken from them.
        ("estmesh-hearts", "10.18b", "when=late", "Nothing: i", "10.18", "revokes"),
        ("heartsgame-tiles", "10.18b", "when=late", "What any", "7.10", "revokes"),
        ("gamerules-domino", "10.9", "why=nothing", "The hands", "10.9", "undealt"),
        ("spot-hearts", "10.9", "why=nothing when=no", "The deal", "10.1b", "undealt"),
        (
            "dominorules-tiles",
            "10.16a",
            "who=winner",
            "Yes: the",
            "7.6",
            "revoke_until",
        ),
        ("heartsgame-tiles", "10.16a", "", "No: anybody", "10.16a", "revoke_until"),
        ("common-hearts", "10.5", "", "No: nobody scores", "10.5", "revokes"),
    ],
)
def test_the_rules_settle_what_their_options_say(
    name: str, number: str, answers: str, says: str, cited: str, told: str
) -> None:
    given = dict(answer.split("=") for answer in answers.split())
    found = ask("table", rules(name), number=number, answers=given)
    assert found.headline.startswith(says)
    assert not found.asks
    assert cited in found.why[0].clauses
    assert told in [one.option for one in found.mattered]


@pytest.mark.parametrize(("hand", "clause"), [("2H 5H", "5.4a"), ("2H QS", "5.4b")])
def test_only_who_has_the_queen_is_said_to_have_her(hand: str, clause: str) -> None:
    anything = rules("common-hearts", hearts_or_queen_leader="any")
    found = ask("card", anything, hand=hand, card="2H")
    assert [one.clauses for one in found.why] == [(clause,)]


def test_where_any_club_opens_none_is_said_to_be_the_one() -> None:
    free = rules("common-hearts", opening_card="any_club")
    found = ask("card", free, hand="2C 9C KD", card="9C", first_trick=True)
    assert found.why[0].text == "The deal must be opened with a club, and this is one."


def test_no_other_hand_is_given_a_card_that_is_taken_out() -> None:
    """With three players the two of clubs is out, and who has the three leads (5.1)."""
    tiles = rules("heartsgame-tiles", 3)
    asked = {"ask": "hand", "rules": tiles, "first_trick": True, "trick": "5C"}
    said = wrong(**asked, hand="3C 5D 9S")
    assert "no other can have a lower club (5.1)" in said
    ask("hand", tiles, first_trick=True, trick="3C", hand="5C 5D 9S")


def test_the_rules_refuse_an_answer_that_they_do_not_allow() -> None:
    said = {"number": "10.18b", "answers": {"revokes": "penalised", "when": "late"}}
    assert wrong(ask="table", rules=rules("estmesh-hearts"), **said) == (
        "answers.revokes: found 'penalised'; allowed: rejected, since the rules say "
        "revokes=rejected"
    )
    said = {"number": "10.10b", "answers": {"what": "hold"}}
    assert wrong(ask="table", rules=rules("black-maria"), **said) == (
        "answers.what: found 'hold'; allowed: forgot, some, since the rules say "
        "pass_cycle=right"
    )
    mixed = rules("common-hearts", 3, pass_cycle=["across", "mix"])
    said = {"number": "10.10", "answers": {"mix": "player"}}
    assert wrong(ask="table", rules=mixed, **said).endswith("say pass_cycle=mix")
    # With three players nobody sits across (4.1a).
    across = rules("common-hearts", 3, pass_cycle=["across"])
    nothing = ask("table", across, number="10.10")
    assert nothing.headline == "No cards are passed under these rules."


def test_what_the_rules_settle_is_said_only_where_it_matters() -> None:
    lost = ask("table", rules("spot-hearts"), number="10.9", answers={"why": "lost"})
    assert ([*lost.asks], lost.mattered) == (["when"], ())


# Hands in play


def test_a_hand_is_answered_as_explain_answers() -> None:
    said = rules("estmesh-hearts", first_trick_points="barred")
    more = {"hand": "QS JD 2H", "trick": "5C", "first_trick": True}
    card = ask("card", said, card="QS", **more)
    assert card.headline == "Seat 1 may not play QS: 5.5 No points on the first trick"
    fields = answer_fields(card)
    assert card.ruling is not None
    assert {**ruling_fields(card.ruling), "granted": fields["granted"]} == {
        key: value for key, value in fields.items() if key != "cited"
    }
    whole = ask("hand", said, **more)
    assert whole.headline == "Seat 1 may play JD"
    token = WIDTH.set(12)
    try:
        assert next(iter(answer_lines(whole))) == "Seat 1 may"
    finally:
        WIDTH.reset(token)
    assert [one.word for one in whole.cards] == ["yes", "no", "no"]
    domino = rules("gamerules-domino")
    dry = ask("hand", domino, hand="4D QS", trick="2C")
    assert dry.headline == "Seat 1 must draw from the stock"
    assert ask("draw", domino, hand="4D QS", trick="2C").verdict == "legal"
    assert ask("draw", domino, hand="4D QS", trick="2D").verdict == "refused"
    empty = ask("card", domino, hand="4D QS", trick="2C", card="4D", stock=0)
    assert empty.verdict == "legal"


def test_a_seat_says_whose_hand_is_meant() -> None:
    found = ask("hand", COMMON, hand="QS JD", trick="5C 6C", seat=1)
    assert found.headline == "Seat 1 may play JD QS"
    assert found.ruling is not None
    assert found.ruling.before.seats_on_table == [3, 0]
    tiles = ask("hand", rules("heartsgame-tiles"), hand="QS JD", trick="5C", seat=1)
    assert tiles.ruling is not None
    assert tiles.ruling.before.seats_on_table == [2]
    both = ask("hand", COMMON, hand="QS JD", trick="5C", seat=1, leader=0)
    assert both.headline == "Seat 1 may play JD QS"
    assert wrong(ask="hand", hand="QS", trick="5C", seat=3, leader=0) == (
        "seat: found 3; allowed: 1, whose turn it is"
    )
