"""Tests of writing a game down, which has one form and is read back unchanged."""

import random

import attrs
import pytest

from refengine import Card, CardSet, Malformed, Ruleset, State, new_match, profile_names
from refengine.formats.showing import shown
from refengine.formats.written.reading_written import read_written
from refengine.formats.written.record_written import Record
from refengine.formats.written.writing_written import write_written
from refengine.formats.written.written_match import (
    Laid,
    WrittenDeal,
    WrittenMatch,
    WrittenTrick,
)
from refengine.game import acts
from tests.support.playing import played

NAMES = ("Ann B.", "Ben", "Carl-Otto", "Élodie", "S", "Fay")

EVERYTHING = WrittenMatch(
    name="Friday at Anna's",
    names=NAMES[:4],
    ruleset=Ruleset("common-hearts", 4, {"pass_cycle": ["left", "hold"], "limit": 50}),
    players=4,
    begins=True,
    cuts=(acts.Cut(0, "KS"), acts.Cut(1, "2C")),
    remarks=("a fine evening",),
    deals=(
        WrittenDeal(
            number=3,
            dealer=1,
            direction="left",
            dealt=(CardSet("2C QS"), None, CardSet(), None),
            stock=(Card("5C"), Card("2D")),
            kitty=CardSet(),
            passes=(
                acts.Pass(0, "QS"),
                acts.Scatter(1, {0: "2D", 2: "3D"}),
                acts.PassUnseen(2),
            ),
            mixed=True,
            held=(None, CardSet("QS"), None, None),
            course=(
                WrittenTrick(
                    cards=(
                        Laid(card=Card("2C")),
                        Laid(card=None, drew=2),
                        Laid(card=Card("5D"), revoke=True),
                    ),
                    leader=0,
                ),
                acts.Retract(2, "5D"),
                WrittenTrick(cards=(Laid(card=Card("4C")),), goes_on=True, winner=2),
                acts.Draw(1),
                acts.QuitTrick(2),
                acts.Claim(0, 2, 1),
                WrittenTrick(
                    cards=(
                        Laid(card=Card("6C"), seat=0),
                        Laid(card=Card("7C"), seat=3, drew=1),
                    )
                ),
                acts.MoonChoice(0, "others_plus"),
                acts.MoonChoice(0, 2),
            ),
            score=(-10, 26, 0, 0),
            totals=(1, 2, 3, 4),
            winners=(0, 2),
            remarks=("well", "{ # played }"),
        ),
        WrittenDeal(cuts=(acts.Cut(3, "2H"),)),
        WrittenDeal(course=(WrittenTrick(cards=(Laid(card=None),)),)),
    ),
)

TEXT = """\
match: Friday at Anna's
rules: common-hearts, 4 players, pass_cycle=left,hold, limit=50
players: Ann B., Ben, Carl-Otto, Élodie
# a fine evening
cut Ann B.: KS
cut Ben: 2C

deal 3
dealer: Ben
pass: left
hand Ann B.: 2C QS
hand Carl-Otto: -
stock: 5C 2D
kitty: -
passes Ann B.: QS
scatter Ben: Ann B.=2D, Carl-Otto=3D
forward Carl-Otto
the mix is given back
held Ben: QS
1. Ann B.: 2C ++?? 5D!
retract Carl-Otto: 5D
1... 4C -> Carl-Otto
draw Ben
quit Carl-Otto
claim Ann B.: Carl-Otto in trick 1
2. Ann B.=6C, Élodie=+7C
moon Ann B.: others_plus
moon Ann B.: one Carl-Otto
score: -10 26 0 0
totals: 1 2 3 4
winners: Ann B., Carl-Otto
# well
# { # played }

deal -
cut Élodie: 2H

deal -
1. ??
"""


def test_the_one_form() -> None:
    assert write_written(EVERYTHING) == TEXT
    assert read_written(TEXT) == EVERYTHING


def test_without_names_and_rules() -> None:
    bare = attrs.evolve(EVERYTHING, names=(), ruleset=None)
    text = write_written(bare)
    assert "players: 4" in text
    assert "hand seat 0: 2C QS" in text
    assert read_written(text) == bare
    assert read_written(text.lower().replace("seat", "SEAT")) == attrs.evolve(
        bare, name="friday at anna's"
    )


def test_only_a_trick() -> None:
    only = read_written("2c 3c 4c 5c")
    assert write_written(only) == "deal -\n1. 2C 3C 4C 5C\n"


@pytest.mark.parametrize(
    ("tricks", "said"),
    [
        ((), "no deal"),
        ((WrittenTrick(cards=()),), "a trick without cards"),
        (
            (WrittenTrick(cards=(Laid(card=None),), goes_on=True),),
            "a trick that goes on from none",
        ),
        (
            (WrittenTrick(cards=(Laid(card=None), Laid(card=None, seat=1))),),
            "a trick with a seat for some cards",
        ),
    ],
)
def test_what_no_line_can_say(tricks: tuple[WrittenTrick, ...], said: str) -> None:
    match = WrittenMatch(deals=(WrittenDeal(course=tricks),) if tricks else ())
    with pytest.raises(Malformed, match=f"found {said}; allowed: "):
        write_written(match)


def test_no_line_can_say_that_a_scatter_has_no_cards() -> None:
    match = WrittenMatch(deals=(WrittenDeal(passes=(acts.Scatter(1, {}),)),))
    with pytest.raises(Malformed, match="found a scatter without cards; allowed: "):
        write_written(match)


@pytest.mark.parametrize("name", profile_names())
def test_random_matches_come_back(name: str) -> None:
    ruleset = Ruleset(name)
    state = played(new_match(ruleset, dealer=0), random.Random(11), most=130)
    lines = shown(State.open(ruleset, state.start), state.acts)
    match = read_written("\n".join(["An evening", *lines]))
    named = attrs.evolve(match, names=NAMES[: ruleset.players])
    for one in (match, named):
        text = write_written(one)
        assert read_written(text) == one
        assert write_written(read_written(text)) == text


def test_what_is_written_can_be_read() -> None:
    with pytest.raises(Malformed):
        write_written(WrittenMatch(begins=True))


def test_the_largest_numbers_are_read_again() -> None:
    deal = WrittenDeal(number=2**31 - 1, before=(2**31 - 1, -(2**31), 0, 0))
    match = WrittenMatch(players=4, deals=(deal,))
    assert read_written(write_written(match)) == match


def test_larger_numbers_are_refused() -> None:
    for text in ("2147483648 0 0 0", "0 0 0 -2147483649"):
        with pytest.raises(Malformed, match="a number from"):
            Record().numbers(text)


def test_a_title_may_end_with_a_bar() -> None:
    match = WrittenMatch(name="Friday |", deals=(WrittenDeal(),))
    assert read_written(write_written(match)) == match


@pytest.mark.parametrize(
    "line", ["#" + "x" * 1999, "# " + "\u202e" * 500, "title=" + "x" * 1994]
)
def test_a_line_as_long_as_may_be_comes_back(line: str) -> None:
    match = read_written(f"{line}\n2C 5C JC KC")
    assert read_written(write_written(match)) == match


def test_a_first_dealer_beside_a_cut_comes_back() -> None:
    cuts = (acts.Cut(0, "2C"), acts.Cut(1, "3C"))
    match = WrittenMatch(players=4, begins=True, dealer=0, cuts=cuts)
    assert read_written(write_written(match)) == match
    with pytest.raises(Malformed, match="found a cut or a first dealer"):
        write_written(attrs.evolve(match, begins=False))
