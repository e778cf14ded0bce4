"""Tests of a deal in progress as one line: reading it, playing on, and bad lines."""

import re
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refengine import Card, Malformed, Ruleset, Setup, State, new_deal, new_match
from refengine.formats.positions import LONGEST, read_position, write_position
from refengine.game import acts
from refengine.lawbook.profiles import profile, profile_names
from tests.support import places, refusing
from tests.support.depth import depth
from tests.support.playing import cards_played
from tests.support.strategies import domino, hearts, moments, openings

FORMATS = (places.DOCS / "formats.md").read_text("utf-8")
HANDS = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "KC 7D KH"]
TABLES = [
    (name, players) for name in profile_names() for players in profile(name).players
]
IN_A_DEAL = ("pass", "mix", "play", "moon")


def told(state: State) -> tuple[object, ...]:
    """What can be observed of a deal, regardless of the acts that led there."""
    return (
        state.legal.due,
        (state.dealer, state.deal, state.totals, state.score),
        (state.hands, state.stock, state.kitty, state.taken),
        (state.tricks, state.points, state.hearts_broken, state.table, state.out),
    )


def goes_on_alike(state: State, again: State, rng: Random) -> None:
    """Play both deals to the end, and check at each step that they agree."""
    while state.phase in IN_A_DEAL:
        assert told(again) == told(state)
        act = state.random_act(rng)
        state, again = state.apply(act), again.apply(act)
    assert again.over
    assert (again.score, again.totals) == (state.score, state.totals)
    assert again.winners == state.winners
    assert (again.hands, again.taken) == (state.hands, state.taken)


def line_of(state: State) -> str:
    """The line of a state, checked to survive reading and writing and to be short."""
    line = write_position(state)
    assert line.isascii()
    assert line.isprintable()
    assert write_position(read_position(line)) == line
    assert len(line) <= 250 or state.ruleset.changed
    return line


def tail(state: State) -> str:
    """The line of a state without its ruleset."""
    return line_of(state).removeprefix(f"{state.ruleset.citation} ")


def stands_as(state: State, line: str) -> None:
    """Check the line of the state, without its ruleset, and that play goes on alike."""
    assert tail(state) == line
    goes_on_alike(state, read_position(line_of(state)), Random(0))


def malformed(line: Any) -> Malformed:
    error = refusing.malformed(read_position, line)
    found = error.found
    assert error.allowed or "is refused: " in found or "1.0.0 has no" in found
    return error


# Whatever is carried goes on


def every_step_goes_on_alike(opening: State, seed: int) -> None:
    """Check that play goes on unchanged from the line of each state that has one."""
    for state in moments(opening, Random(seed), 25):
        claimed = any(note.state == "established" for note in state.revokes)
        if claimed or state.phase not in IN_A_DEAL:
            assert refusing.malformed(write_position, state).where == "state"
        else:
            goes_on_alike(state, read_position(line_of(state)), Random(seed))


@settings(max_examples=depth(8), deadline=None)
@given(opening=openings(), seed=st.integers(0, 2**16))
def test_a_deal_goes_on_alike_from_its_line_at_every_step(
    opening: State, seed: int
) -> None:
    every_step_goes_on_alike(opening, seed)


@pytest.mark.slow
@settings(max_examples=depth(100), deadline=None)
@given(opening=openings(), seed=st.integers(0, 2**16))
def test_many_deals_go_on_alike_from_their_lines(opening: State, seed: int) -> None:
    every_step_goes_on_alike(opening, seed)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_whole_deals_of_every_profile_go_on_alike_and_their_lines_are_short(
    name: str, players: int
) -> None:
    ruleset = Ruleset(name, players)
    rng = Random(players)
    found = new_match(ruleset, dealer=players - 1)
    dealt = found.random_act(rng)
    assert isinstance(dealt, acts.Deal)
    setup = Setup(
        dealer=rng.randrange(players),
        deal=rng.choice([1, 2, 3, 4, 999]),
        totals=[rng.choice([-99, 99, 0, 50]) for _ in range(players)],
        hands=dealt.hands,
        stock=dealt.stock,
        kitty=dealt.kitty,
        limit_reached=ruleset.options["ties"] == "play_on",
    )
    state = State.open(ruleset, setup)
    at = rng.randrange(40)
    while not state.over:
        line = line_of(state)
        if len(state.acts) in (at, at + 7):
            goes_on_alike(state, read_position(line), rng)
        state = state.apply(state.random_act(rng))


@settings(max_examples=depth(30), deadline=None)
@given(opening=openings(), seed=st.integers(0, 2**16), data=st.data())
def test_a_line_that_is_spoiled_is_read_or_malformed(
    opening: State, seed: int, data: st.DataObject
) -> None:
    lines = [
        write_position(state)
        for state in moments(opening, Random(seed), 12, wild=0)
        if state.phase in IN_A_DEAL
    ]
    line = data.draw(st.sampled_from(lines or ["spot-hearts/4 0 1 - /// -"]))
    words = line.split(" ")
    place = data.draw(st.integers(0, len(words) - 1))
    at = data.draw(st.integers(0, len(words[place])))
    sign = data.draw(
        st.sampled_from([*"0123/-+>?:=bf~@ 29AQKCDSH", "", "QS", "é", "٣"])
    )
    cut = data.draw(st.integers(0, 2))
    words[place] = words[place][:at] + sign + words[place][at + cut :]
    with suppress(Malformed):
        again = read_position(" ".join(words))
        goes_on_alike(again, read_position(write_position(again)), Random(seed))


@settings(max_examples=depth(80), deadline=None)
@given(
    rubbish=st.one_of(st.text(), st.text("/-+>:=bf QS29CH10"), st.integers(), st.none())
)
def test_rubbish_is_malformed(rubbish: Any) -> None:
    malformed(rubbish)
    malformed(f"spot-hearts/4 {rubbish}")


# Field by field


def test_a_deal_as_found_has_five_fields() -> None:
    more: dict[str, Any] = {"dealer": 3, "deal": 1, "totals": [10, -20, 0, 40]}
    state = new_deal(Ruleset("spot-hearts"), HANDS, **more)
    assert state.phase == "pass"
    assert tail(state) == "3 1 10/-20/0/40 2C9DQH/5CQS3H/JD4S2H/KC7DKH -"
    assert read_position(line_of(state)) == state


def test_what_is_passed_stands_behind_what_is_kept() -> None:
    options = {"pass_unseen": True, "pass_count": 2}
    state = new_deal(Ruleset("spot-hearts", 4, options), HANDS, dealer=3)
    state = state.after(acts.Pass(2, "JD 2H"), acts.PassUnseen(0))
    assert tail(state) == "3 1 - 2C9DQH>?/5CQS3H/4S>JD2H/KC7DKH -"
    assert read_position(line_of(state)).turn == (1, 3)
    hands = ["2C 3C 4C", "5C 6C 7C", "8C 9C TC"]
    scatter = new_deal(hearts(3, pass_cycle=["scatter"]), hands)
    scatter = scatter.apply(acts.Scatter(1, {2: "5C", 0: "7C"}))
    assert tail(scatter) == "0 1 - 234C/6C>75C/89TC -"
    scatter = scatter.apply(acts.Scatter(0, {1: "4C", 2: "2C"}))
    assert tail(scatter) == "0 1 - 3C>42C/6C>75C/89TC -"
    assert read_position(line_of(scatter)) == scatter


def test_all_have_given_cards_to_a_mix() -> None:
    state = new_deal(
        hearts(2, pass_cycle=["mix"], pass_count=1), ["2C 9D", "3C 4C"], dealer=1
    ).after(acts.Pass(0, "9D"), acts.Pass(1, "3C"))
    assert state.phase == "mix"
    assert tail(state) == "1 1 - 2C>9D/4C>3C -"
    assert read_position(line_of(state)) == state


def test_a_position_has_ten_fields() -> None:
    ruleset = Ruleset("pokerwiner-domino", 3)
    setup = Setup(
        dealer=2,
        deal=7,
        totals=[0, 5, 0],
        hands=["QS KS", "", "2H"],
        stock="5H 4C 3C 9D",
        leader=2,
        trick="7D",
        out=[1],
        taken=["", "2C 3H 4H", ""],
        tricks=[0, 1, 1],
        hearts_broken=True,
    )
    state = State.open(ruleset, setup)
    assert tail(state) == "2 7 0/5/0 QKS//2H 5H43C9D 2 7D 1 /1:2C34H/1: b"
    assert Setup.of(read_position(line_of(state))) == Setup.of(state)


def test_a_trick_over_and_the_kitty_on_a_line() -> None:
    state = new_deal(
        hearts(2, undealt="kitty", removal="none"),
        ["2C 4D", "3C 5D"],
        kitty="9S",
        deal=2,
        dealer=1,
    )
    assert tail(state) == "1 2 - 2C4D/3C5D 9S 0 - - - f"
    assert tail(state.play("2C")) == "1 2 - 4D/3C5D 9S 0 2C - - f"
    assert tail(state.play("2C").play("3C")) == "1 2 - 4D/5D 9S 1 - - /1:23C -"


def test_what_the_leader_has_drawn_stands_behind_its_hand() -> None:
    ruleset = domino(2, all_hearts_leader="draw")
    state = new_deal(ruleset, ["2H 3H", "4H 5H"], dealer=1, stock="6H 7H 8C 9C")
    assert state.legal.due.kind == "draw"
    drawn = state.draw().draw().draw()
    assert drawn.drew == tuple(map(Card, ("6H", "7H", "8C")))
    assert tail(drawn) == "1 1 - 23H+67H8C/45H 9C 0 - - - f"
    again = read_position(line_of(drawn))
    assert again.drew == drawn.drew
    assert again.legal.cards == drawn.legal.cards


def test_a_followers_draws_are_cards_of_its_hand() -> None:
    state = new_deal(domino(2), ["2C 3D", "4H 5H"], stock="6H 7D 8C", dealer=1)
    state = state.play("2C").draw().draw()
    stands_as(state, "1 1 - 3D/7D456H 8C 0 2C - - f")


def test_a_tie_that_is_played_on_is_marked() -> None:
    ruleset = hearts(2, limit=50, ties="play_on")
    tied: dict[str, Any] = {"totals": [50, 50], "limit_reached": True}
    stands_as(new_deal(ruleset, ["2C", "3C"], **tied), "0 1 50/50+ 2C/3C - 0 - - - f")
    state = new_deal(ruleset, ["2C", "3C"], limit_reached=True)
    stands_as(state, "0 1 0/0+ 2C/3C - 0 - - - f")
    passing = ruleset.having(pass_cycle=["left"], pass_count=1)
    state = new_deal(passing, ["2C", "3C"], **tied)
    assert tail(state) == "0 1 50/50+ 2C/3C -"
    assert read_position(line_of(state)) == state


def test_a_moon_to_be_settled_has_the_whole_last_trick() -> None:
    ruleset = hearts(3, moon="choice_one")
    state = new_deal(ruleset, ["AC AH", "2C QS", "3C 4D"], dealer=0)
    state = cards_played(state, "2C 3C AC AH QS 4D")
    assert state.phase == "moon"
    assert tail(state) == "0 1 - // - 0 AHQS4D - 1:23AC// b"
    again = read_position(line_of(state))
    for choice in ("self_minus", 1, 2):
        act = acts.MoonChoice(0, choice)
        assert again.apply(act).score == state.apply(act).score


def test_a_seat_that_is_out_has_no_part_in_the_last_trick() -> None:
    ruleset = domino(3, moon="choice_one")
    setup = Setup(
        dealer=0,
        hands=["AH", "", "2H"],
        leader=0,
        out=[1],
        taken=["QS 3C 4D", "", ""],
        tricks=[1, 0, 0],
        hearts_broken=True,
    )
    state = State.open(ruleset, setup).play("AH").play("2H")
    assert state.phase == "moon"
    stands_as(state, "0 1 - // - 0 A2H 1 1:3C4DQS// b")


def test_any_other_complete_trick_is_malformed() -> None:
    line = "pokerwiner-hearts/2 1 1 - 4D/5D - 0 23C - - -"
    assert malformed(line).where == "trick"
    assert malformed(line.replace("4D/5D", "/")).found == "a complete trick"


# What is lost, and what is refused


def test_a_revoke_that_nobody_has_claimed_is_lost() -> None:
    state = new_deal(hearts(2, revokes="penalised"), ["2C 4C", "3C 5D"], dealer=1)
    state = state.play("2C").play("5D")
    assert state.revokes
    again = read_position(line_of(state))
    assert again.revokes == ()
    goes_on_alike(state, again, Random(0))


def test_a_revoke_that_has_been_claimed_cannot_be_carried() -> None:
    ruleset = hearts(2, revokes="penalised", revoke_until="trick_complete")
    state = new_deal(ruleset, ["2C 4C", "3C 5D"], dealer=1)
    state = state.play("2C").play("5D").apply(acts.Claim(0, 1, 1))
    with pytest.raises(Malformed, match="state: found an established revoke"):
        write_position(state)


def test_a_card_taken_back_is_forgotten() -> None:
    options = {"revokes": "penalised", "revoke_until": "trick_quitted"}
    state = new_deal(domino(2, **options), ["2C 4C", "3C 5D"], stock="9D", dealer=1)
    state = state.play("2C").play("5D").apply(acts.Retract(1, "5D"))
    stands_as(state, "1 1 - 4C/3C5D 9D 0 2C - - f")


@pytest.mark.parametrize("phase", ["cut", "deal", "over"])
def test_outside_a_deal_there_is_no_line(phase: str) -> None:
    over = new_deal(hearts(2), ["2C", "3C"]).play("2C").play("3C")
    found = {
        "cut": new_match(hearts(2)),
        "deal": new_match(hearts(2), dealer=0),
        "over": over,
    }
    with pytest.raises(Malformed, match=f"state: found the phase {phase}"):
        write_position(found[phase])


def test_the_ruleset_is_a_citation_or_a_short_name() -> None:
    rest = "3 4 - 2C/QS/2H/3H -"
    options = "first_trick_points=barred limit=50"
    short = read_position(f"estmesh-hearts/4 {options} {rest}")
    assert short.ruleset.changed == {"first_trick_points": "barred", "limit": 50}
    assert read_position(f"{short.ruleset.citation} {rest}\r\n") == short
    old = read_position(f"estmesh-hearts/4@1.0.0~8a411677 limit=50 {rest}")
    assert old.ruleset.changed == {"limit": 50}
    assert Ruleset("estmesh-hearts").citation in line_of(
        read_position(f"estmesh-hearts/4@1.0.0~8a411677 {rest}")
    )


def test_sets_are_read_in_any_order() -> None:
    one = read_position("spot-hearts/4 3 4 0/0/0/0 QH9D2C/5C3HQS/2H4SJD/KH7DKC -")
    assert one == new_deal(Ruleset("spot-hearts"), HANDS, dealer=3, deal=4)


LINE = "estmesh-hearts/4 3 4 - 9DQH/5CQS3H/JD4S2H/KC7DKH - 0 2C - - f"
PASSING = "estmesh-hearts/4 3 1 - 29C9DQH/5C2QS3H/JD4S26H/KC78DKH -"
DRAWING = "gamerules-domino/2 all_hearts_leader=draw 1 1 - 2H3H/45H 68C 0 - - - f"


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("", "ruleset"),
        ("spot-hearts", "ruleset"),
        ("spot-hearts/4", ""),
        ("spot-hearts/4 ", ""),
        (LINE.replace("/4", "/04", 1), "ruleset"),
        (LINE.replace("/4", "/5", 1), "ruleset"),
        (LINE.replace("/4", "/4@1.0.0~00000000", 1), "ruleset"),
        (LINE.replace("/4", "/4@7.0.0~8a411677", 1), "ruleset"),
        (LINE.replace("/4", "/4@x", 1), "ruleset"),
        (LINE.replace("/4", "/4 limit=0", 1), "ruleset.options.limit"),
        (LINE.replace("/4", "/4 luck=0", 1), "ruleset.options"),
        (LINE.replace("/4", "/4 limit=5 limit=6", 1), "ruleset.options"),
        (LINE.replace("/4", "/4 moon=none sun_points=5", 1), "ruleset"),
        (LINE.replace("estmesh", "Estmesh"), "ruleset"),
        (LINE.replace("/4 3", "/4  3", 1), ""),
        (LINE + " -", ""),
        (LINE.replace(" f", ""), ""),
        (LINE.replace("/4 3", "/4 4", 1), "setup.dealer"),
        (LINE.replace("/4 3", "/4 13", 1), "dealer"),
        (LINE.replace("/4 3", "/4 03", 1), "dealer"),
        (LINE.replace("/4 3", "/4 ٣", 1), "dealer"),
        (LINE.replace("/4 3 4", "/4 3 0", 1), "deal"),
        (LINE.replace("/4 3 4", "/4 3 9999999999", 1), "deal"),
        (LINE.replace("/4 3 4 -", "/4 3 4 1/2", 1), "setup.totals"),
        (LINE.replace("/4 3 4 -", "/4 3 4 1/2/x/4", 1), "totals[2]"),
        (LINE.replace("/4 3 4 -", "/4 3 4 1/2/3/9999999999", 1), "totals[3]"),
        (LINE.replace("/4 3 4 -", "/4 3 4 1/2/3/4+", 1), "setup.limit_reached"),
        (LINE.replace("/4 3 4 -", "/4 3 4 -+", 1), "totals[0]"),
        (LINE.replace("9DQH/", "9DQHH/"), "hands[0]"),
        (LINE.replace("9DQH/", "9D9D/"), "hands[0]"),
        (LINE.replace("9DQH/", ""), "setup.hands"),
        (LINE.replace("9DQH/", "9D5C/"), "setup"),
        (LINE.replace("7DKH -", "7DKH 3C"), "setup"),
        (LINE.replace("7DKH -", "7DKH x"), "kitty"),
        (LINE.replace("- 0 2C", "- 4 2C"), "setup.leader"),
        (LINE.replace("- 0 2C", "- - 2C"), "leader"),
        (LINE.replace("- 0 2C", "- 1 2C"), "setup"),
        (LINE.replace("- 0 2C", "- 0 2C2C"), "trick"),
        (LINE.replace("- 0 2C", "- 0 2C3C4C6C7C"), "setup.trick"),
        (LINE.replace("- 0 2C", "- 0 2C3C4CKH"), "trick"),
        (LINE.replace("2C - -", "2C 0 -"), "setup"),
        (LINE.replace("2C - -", "2C 4 -"), "setup.out"),
        (LINE.replace("2C - -", "2C x -"), "out[0]"),
        (LINE.replace("2C - -", "2C 0/1/2/3 -"), "setup"),
        (LINE.replace("2C - -", "2C - 1:"), "setup.taken"),
        (LINE.replace("2C - -", "2C - ///:"), "taken[3]"),
        (LINE.replace("2C - -", "2C - ///1"), "taken[3]"),
        (LINE.replace("2C - -", "2C - ///1:"), "setup"),
        (LINE.replace("2C - -", "2C - ///1:0"), "taken[3]"),
        (LINE.replace("2C - -", "2C - ///-1:"), "tricks[3]"),
        (LINE.replace("2C - -", "2C - ///53:"), "setup.tricks"),
        (LINE.replace(" f", " fb"), "marks"),
        (LINE.replace(" f", " b-"), "marks"),
        (LINE.replace("9DQH/", "9D>QH/"), "hands[0]"),
        (LINE.replace("9DQH/", "9D+QH/"), "setup"),
        (PASSING.replace("29C9DQH", "9DQH>29C"), "hands[0]"),
        (PASSING.replace("29C9DQH", "29C9DQH>"), "hands[0]"),
        (PASSING.replace("29C9DQH", "29C9DQH>?"), "hands[0]"),
        (PASSING.replace("29C9DQH", "29C9DQH>2C3C4C"), "hands[0]"),
        (PASSING.replace("29C9DQH", "29C9DQH+"), "hands[0]"),
        (PASSING.replace("29C9DQH", "29C9DQH+?"), "hands[0]"),
        (DRAWING.replace("2H3H", "2H3H+"), "hands[0]"),
        (DRAWING.replace("45H", "4H+5H"), "hands[1]"),
        (DRAWING.replace("45H", "4H+?"), "hands[1]"),
        (DRAWING.replace("2H3H", "2H+3H9C6D"), "hands[0]"),
        ("pokerwiner-hearts/3 pass_cycle=scatter 0 1 - >234C/567C/89TC -", "hands[0]"),
        ("pokerwiner-hearts/3 pass_cycle=scatter 0 1 - 23C>4C/567C/89TC -", "hands[0]"),
        ("x" * (LONGEST + 1), ""),
        (b"spot-hearts/4 0 1 - /// -", ""),
        (None, ""),
    ],
)  # fmt: skip
def test_what_is_no_position_is_malformed(line: Any, where: str) -> None:
    assert malformed(line).where == where


def test_these_lines_are_right_where_they_are_not_spoiled() -> None:
    assert read_position(LINE).turn == (1,)
    assert read_position(PASSING).phase == "pass"
    assert read_position(DRAWING).legal.due.kind == "draw"
    assert read_position(DRAWING).apply(acts.Draw(0)).drew == (Card("6C"),)
    assert read_position(LINE).apply(acts.Play(1, "5C")).turn == (2,)


# The page about it


def test_the_lines_of_the_page_are_right() -> None:
    _, _, section = FORMATS.partition("## Position on a line")
    section = section.partition("\n## ")[0]
    lines = re.findall(r"^[a-z]+-[a-z]+/[0-9].*$", section, re.MULTILINE)
    assert len(lines) >= 3
    for line in lines:
        state = read_position(line)
        short = f"{state.ruleset.profile}/{state.ruleset.players}"
        again = write_position(state)
        assert line in (again, again.replace(state.ruleset.citation, short))
