"""Tests of the everyday names of options, and of suggestions for misspelt names."""

import pytest

from refengine import Malformed
from refengine.game.typed import read_option, read_ruleset, read_said_option
from refengine.lawbook.options import OPTIONS, option_named, value_text, value_typed
from refengine.lawbook.profiles import profile, profile_names
from refengine.lawbook.spoken import (
    option_name,
    profile_meant,
    profile_name,
    profile_said,
    rule_words,
    spoken_options,
    spoken_profiles,
    table_said,
    value_meant,
    value_name,
    words_for_options,
    words_for_profiles,
)
from tests.support.refusing import malformed


def test_every_option_has_a_name_that_people_say_in_the_order_of_the_book() -> None:
    assert list(spoken_options()) == [one.name for one in OPTIONS]
    names = [one.name for one in spoken_options().values()]
    assert len(set(names)) == len(names)
    for name in names:
        assert name[0].isupper()
        assert "_" not in name
        assert not name.endswith(".")


def test_other_words_are_in_small_letters() -> None:
    for one in spoken_options().values():
        assert one.also
        assert all(word == word.lower().strip() for word in one.also)


def test_a_name_is_that_of_an_option() -> None:
    assert option_name("first_trick_points") == "Points on the first trick"
    with pytest.raises(Malformed):
        option_name("first_trick")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("first_trick_point", "first_trick_points"),
        ("First-trick-points", "first_trick_points"),
        ("renege", "revokes"),
        ("reneg", "revokes"),
        ("slam", "moon"),
        ("black lady", "queen_points"),
        ("jack of diamonds", "bonus_card"),
        ("points on the first trick", "first_trick_points"),
    ],
)
def test_an_option_that_was_probably_meant_is_named(said: str, meant: str) -> None:
    assert str(malformed(option_named, said)).endswith(f"did you mean {meant}?")


def test_what_is_like_nothing_is_not_guessed_at() -> None:
    for wrong in ("xyzzy", 5, None, "a" * 500):
        assert "did you mean" not in str(malformed(option_named, wrong))


def test_a_profile_that_was_probably_meant_is_named() -> None:
    with pytest.raises(Malformed, match=r"did you mean common-hearts\?"):
        profile("common-heart")


def test_words_lead_to_every_option() -> None:
    assert set(words_for_options().values()) == {one.name for one in OPTIONS}


def test_every_value_that_is_no_number_has_a_name_of_its_own() -> None:
    for option in OPTIONS:
        said = spoken_options()[option.name]
        flags = ("true", "false") if isinstance(option.base, bool) else ()
        typed = {*option.words, *flags, *({""} if option.base == () else ())}
        assert {one for one in said.values if not one.isdecimal()} == typed
        assert len({name.lower() for name in said.values.values()}) == len(said.values)
        assert not any("_" in name for name in said.values.values())
        for text in said.values:
            option.read(value_typed(option, text))


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("first_trick_points", "barred", "Points on the first trick: no"),
        ("queen_breaks_hearts", True, "Queen of spades breaks hearts: yes"),
        ("pass_cycle", ("left", "hold"), "To whom cards are passed: left, no pass"),
        ("pass_cycle", (), "To whom cards are passed: nobody"),
        ("limit", 100, "Points to which a match is played: 100"),
        ("exact_limit_becomes", 50, "A total of exactly the limit: becomes 50"),
        ("queen_points", 0, "Cost of the queen of spades: nothing"),
    ],
)
def test_a_rule_is_said_in_words(option: str, value: object, said: str) -> None:
    assert rule_words(option, option_named(option).read(value)) == said
    assert option_named(option).read(read_said_option(said)[1]) == value


def test_what_is_said_is_read_back_for_every_value_with_a_name() -> None:
    for option in OPTIONS:
        for text in spoken_options()[option.name].values:
            value = option.read(value_typed(option, text))
            said = value_name(option.name, value)
            assert value_meant(option, said.upper()) == value_text(value)


def test_profiles_have_names_that_people_say() -> None:
    assert tuple(spoken_profiles()) == profile_names()
    assert set(words_for_profiles().values()) == set(profile_names())
    names = [one.name for one in spoken_profiles().values()]
    assert len(set(names)) == len(names)
    assert profile_name("friday") == "friday"
    assert profile_said("spot-hearts", "`") == "Spot Hearts (`spot-hearts`)"
    assert profile_meant(" Black  Maria") == "black-maria"
    with pytest.raises(Malformed, match=r"did you mean omnibus-hearts\?"):
        profile("omnibos")


def test_a_table_is_named_and_read_in_words() -> None:
    with pytest.raises(Malformed, match="did you mean queen_breaks_hearts"):
        read_ruleset("Spot Hearts", None, ("queen break hearts=true",))
    found = read_ruleset("estmesh", None, ("points on the first trick=No",))
    assert table_said(found.profile, found.players, found.changed) == (
        "Hearts as the Estmesh tutorial has it (estmesh-hearts), 4 players; "
        "Points on the first trick: no (first_trick_points=barred)"
    )
    with pytest.raises(Malformed, match=r"JD \(the jack of diamonds\)"):
        read_said_option("bonus card: -10")
    with pytest.raises(Malformed, match=r"self_minus \(minus for the shooter\)"):
        read_said_option("Shooting the moon: subtract 26")
    with pytest.raises(Malformed, match="a whole number from"):
        read_said_option("limit=many")
    for read in (read_option, read_said_option):
        with pytest.raises(Malformed, match="name=value"):
            read("points")
