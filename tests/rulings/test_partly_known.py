"""Tests of deals with unknown cards, against all deals that may have been played."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import attrs
import pytest

from refengine import Legal, Malformed, Play, Refused, Ruleset, Setup, State, new_deal
from refengine.formats.written.reading_written import read_written
from refengine.formats.written.written_match import Laid, WrittenDeal, WrittenTrick
from refengine.game.values.cardset import CARDS, Card, CardSet, Suit
from refengine.rulings.partly_known import JudgedPart, judge_part
from refengine.rulings.standing import stood

Place = tuple[int, int]
Shares = list[tuple[Place, Card]]
Plays = list[list[tuple[int, Card | None]]]
TABLES: dict[str, tuple[str, int, dict[str, object]]] = {
    "common": ("common-hearts", 3, {}),
    "spot": ("spot-hearts", 4, {}),
    "left of dealer": ("pokerwiner-hearts", 3, {}),
    "openspiel": ("openspiel-hearts", 4, {}),
    "duty": ("common-hearts", 4, {"queen_duty": "when_safe"}),
    "waits": ("common-hearts", 4, {"queen_waits": "play"}),
    "hearts or queen": ("common-hearts", 4, {"hearts_or_queen_leader": "any"}),
}
RULESETS = {
    name: Ruleset(profile, players, {"pass_cycle": ["hold"], **options})
    for name, (profile, players, options) in TABLES.items()
}
Clauses = tuple[str, ...]


def played(rng: Random, ruleset: Ruleset, size: int) -> tuple[State, Plays]:
    """The first state and the tricks of a small deal; some cards may be illegal."""
    players = ruleset.players
    while True:
        some = rng.sample([c for c in CARDS if c.number % 13 > 6], size * players)
        hands = [CardSet(some[seat::players]) for seat in range(players)]
        try:
            start = new_deal(ruleset, hands, dealer=rng.randrange(players), deal=4)
        except Refused:
            continue
        break
    state = start
    tricks: Plays = []
    while state.legal.due.kind == "play" and not state.over:
        seat = state.seat_in_turn
        hand = [*state.hands[seat]]
        card = rng.choice([act.card for act in state.legal if isinstance(act, Play)])
        if rng.random() < 0.2:
            card = rng.choice(hand)
        if not tricks or len(tricks[-1]) == players:
            tricks.append([])
        tricks[-1].append((seat, card))
        after = following(state, Play(seat, card))
        assert after is not None
        state = after
    return start, tricks


def following(state: State, act: Play) -> State | None:
    """The state after this play, even if it is illegal; None if it cannot stand."""
    if isinstance(state.verdict(act), Refused):
        return stood(state, act)
    return state.apply(act)


def record_of(tricks: Plays) -> WrittenDeal:
    """The deal as somebody would write it down: the leader and cards of each trick."""
    course = tuple(
        WrittenTrick(
            cards=tuple(Laid(card=card) for _, card in trick), leader=trick[0][0]
        )
        for trick in tricks
    )
    return WrittenDeal(number=4, course=course)


def worlds(start: State, tricks: Plays) -> Iterator[tuple[list[CardSet], Plays]]:
    """All deals that this record allows, each given by its hands and its tricks."""
    players = start.ruleset.players
    size = len(start.hands[0])
    known = {card for trick in tricks for _, card in trick if card is not None}
    pack = {card for hand in start.hands for card in hand}
    free = sorted(pack - known, key=lambda card: card.number)
    holes = [
        (number, seat)
        for number, trick in enumerate(tricks)
        for seat, card in trick
        if card is None
    ]
    later = [
        (-1, seat)
        for seat in range(players)
        for _ in range(size - sum(who == seat for t in tricks for who, _ in t))
    ]
    for places in shared_out(free, [*holes, *later]):
        at = {place: card for place, card in places if place[0] >= 0}
        whole: Plays = [
            [(seat, card or at[number, seat]) for seat, card in trick]
            for number, trick in enumerate(tricks)
        ]
        hands = [
            CardSet(
                [card for trick in whole for who, card in trick if who == seat]
                + [card for (number, who), card in places if number < 0 and who == seat]
            )
            for seat in range(players)
        ]
        yield hands, whole


def shared_out(free: list[Card], places: list[Place]) -> Iterator[Shares]:
    """All ways to put the cards in the places; order within equal places is ignored."""
    if not places:
        yield []
        return
    place = places[0]
    alike = places.count(place)
    others = [one for one in places if one != place]
    for cards in combinations(free, alike):
        rest = [card for card in free if card not in cards]
        for more in shared_out(rest, others):
            yield [*((place, card) for card in cards), *more]


def verdicts(start: State, tricks: Plays) -> dict[tuple[int, int], set[Clauses]]:
    """For each play, the clauses that it breaks in each deal with these leaders."""
    found: dict[tuple[int, int], set[Clauses]] = {}
    for hands, whole in worlds(start, tricks):
        assert isinstance(start.start, Setup)
        setup = attrs.evolve(start.start, hands=tuple(hands))
        state: State | None = State.open(start.ruleset, setup)
        seen: dict[tuple[int, int], Clauses] = {}
        for number, trick in enumerate(whole):
            for seat, card in trick:
                assert card is not None
                assert state is not None
                if state.seat_in_turn != seat:
                    # The opening lead is another's, or it is no deal of this record
                    seen = {} if seen else {(number, seat): ("5.1",)}
                    state = None
                    break
                act = Play(seat, card)
                verdict = state.verdict(act)
                broken = () if isinstance(verdict, Legal) else verdict.clauses
                seen[number, seat] = broken
                state = following(state, act)
            if state is None:
                break
        for place, broken in seen.items():
            found.setdefault(place, set()).add(broken)
    return found


def judged(start: State, tricks: Plays) -> JudgedPart:
    pack = CardSet()
    for hand in start.hands:
        pack |= hand
    return judge_part(start.ruleset, record_of(tricks), pack, tricks[0][0][0])


WORDS = {frozenset({True}): "legal", frozenset({False}): "illegal"}


@pytest.mark.parametrize("name", RULESETS)
def test_nothing_is_said_of_a_record_that_breaks_off_but_what_holds(name: str) -> None:
    rng = Random(name)
    ruleset = RULESETS[name]
    found: Counter[tuple[str, str]] = Counter()
    for _ in range(10):
        start, tricks = played(rng, ruleset, 12 // ruleset.players)
        kept = tricks[: rng.randrange(1, len(tricks) + 1)]
        found += compared(start, kept)
    assert {said for said, _ in found} >= {"legal", "unknown"}
    # What an opening lead tells of other hands is not looked for
    careful = found["unknown", "legal"] + found["unknown", "illegal"]
    assert careful <= found.total() // 50


@pytest.mark.parametrize("name", RULESETS)
def test_nothing_is_said_beside_unknown_cards_but_what_holds(name: str) -> None:
    rng = Random(name)
    ruleset = RULESETS[name]
    found: Counter[tuple[str, str]] = Counter()
    for _ in range(60):
        start, tricks = played(rng, ruleset, 12 // ruleset.players)
        for _ in range(rng.randrange(1, 4)):
            trick = rng.choice(tricks)
            place = rng.randrange(len(trick))
            trick[place] = trick[place][0], None
        found += compared(start, tricks)
    assert {said for said, _ in found} == {"legal", "illegal", "unknown"}


def compared(start: State, tricks: Plays) -> Counter[tuple[str, str]]:
    """Count how our judgement of each play compares with its verdict in all deals."""
    found: Counter[tuple[str, str]] = Counter()
    may_be = verdicts(start, tricks)
    for play in judged(start, tricks).plays:
        assert play.seat is not None
        broken = may_be.get((play.trick - 1, play.seat), set())
        right = {not clauses for clauses in broken} or {True, False}
        holds = WORDS.get(frozenset(right), "unknown")
        assert play.standing in (holds, "unknown"), (start, tricks, play)
        assert broken - {()} <= {*play.broken}, (start, tricks, play)
        found[play.standing, holds] += 1
    return found


def standings(text: str) -> list[tuple[str, tuple[str, ...]]]:
    match = read_written(text)
    judged = judge_part(Ruleset("common-hearts"), match.deals[0], match.pack)
    return [(one.standing, one.clauses) for one in judged.plays]


def test_a_card_that_its_seat_cannot_have_had() -> None:
    hands = "deal 4\nhand E: 5C 6C 7C\n"
    assert standings(f"{hands}2C 5C 6C KC\n")[2] == ("illegal", ("5.7",))
    assert standings(f"{hands}2C 8C 9C KC\n")[1] == ("illegal", ("5.7",))
    # Nobody can be asked to follow suit with a card that lies on the table twice
    assert standings("2C 5C 5C KC\nW: 9D\n")[2:] == [
        ("illegal", ("5.7",)),
        ("unknown", ()),
        ("legal", ()),
    ]


def test_a_hand_that_is_known_leaves_nothing_open() -> None:
    hands = "deal 4\nhand E: 5C 6C 7D\nhand S: 5D 6D 7S\n"
    assert standings(f"{hands}2C 7D 7S ??\n")[1:] == [
        ("illegal", ("5.3",)),
        ("legal", ()),
    ]


def test_after_a_trick_that_nobody_knows_who_won_a_leader_helps_again() -> None:
    text = "2C ?? 4C 5C\n5D 6D ?? 8D\nN: AH 2H 3H 4H\n"
    found = standings(text)
    assert [standing for standing, _ in found[3:6]] == ["unknown"] * 3
    assert found[6] == ("unknown", ("5.4",))
    assert [standing for standing, _ in found[7:]] == ["legal"] * 3


def test_more_cards_than_a_hand_has() -> None:
    pack = "pack: 2C 3C 4C 5C 6C 7C 8C 9C\n"
    with pytest.raises(Malformed, match="than the 2 of its hand"):
        standings(f"{pack}2C 3C 4C ??\nW: 6C 7C 8C 9C\nW: 2D 3D 4D 5D\n")


def test_where_cards_are_drawn_there_must_be_hands() -> None:
    deal = read_written("2C 3C 4C 5C\n").deals[0]
    with pytest.raises(Malformed, match="where cards are drawn"):
        judge_part(Ruleset("gamerules-domino"), deal)


def points_of(tricks: Plays) -> list[int]:
    """The points that each seat took for hearts and the queen, counted card by card."""
    found = [0] * 4
    for trick in tricks:
        cards = [(seat, card) for seat, card in trick if card is not None]
        suit = cards[0][1].suit
        winner, _ = max(
            (one for one in cards if one[1].suit is suit),
            key=lambda one: one[1].number,
        )
        found[winner] += sum(
            13 if str(card) == "QS" else card.suit is Suit.HEARTS for _, card in cards
        )
    return found


def noted(tricks: Plays, unknown: set[str], won: bool, score: list[int]) -> str:
    """The deal as somebody writes it down, with some cards replaced by `??`."""
    lines = ["deal 4"]
    for trick, after in zip(tricks, [*tricks[1:], None], strict=True):
        cards = [str(card) for _, card in trick]
        known = " ".join("??" if card in unknown else card for card in cards)
        winner = f" -> seat {after[0][0]}" if won and after else ""
        lines.append(f"seat {trick[0][0]}: {known}{winner}")
    return "\n".join([*lines, f"score: {' '.join(map(str, score))}"])


def test_a_score_is_that_of_the_cards_though_some_are_unknown() -> None:
    """The score is known if all penalty cards and all winners are known (8.1)."""
    ruleset, rng = Ruleset("common-hearts"), Random(5)
    checked = 0
    while checked < 8:
        state = State.open(ruleset, Setup(dealer=3, deal=4, hands=shuffled(rng)))
        tricks: Plays = []
        while state.phase == "play":
            act = state.random_act(rng)
            assert isinstance(act, Play)
            if not tricks or len(tricks[-1]) == 4:
                tricks.append([])
            tricks[-1].append((act.seat, act.card))
            state = state.apply(act)
        right = points_of(tricks)
        if 26 in right or "QS" in [str(trick[0][1]) for trick in tricks]:
            continue  # a moon, or a queen that decides who won
        checked += 1
        leads = {str(trick[0][1]) for trick in tricks}
        free = [
            str(card)
            for trick in tricks[:-1]
            for _, card in trick
            if card and card.suit is not Suit.HEARTS and str(card) not in leads
        ]
        unknown = {*rng.sample([card for card in free if card != "QS"], 2)}
        wrong = [*right[1:], right[0]]
        for score, hidden, won, told in (
            (right, unknown, True, None),
            (wrong, unknown, True, (tuple(wrong), tuple(right))),
            (wrong, unknown, False, None),
            (wrong, {"QS"}, True, None),
        ):
            [deal] = read_written(noted(tricks, hidden, won, score)).deals
            found = judge_part(ruleset, deal).wrong_score
            assert (found and (found.stated, found.right)) == told


def shuffled(rng: Random) -> list[CardSet]:
    cards = rng.sample(CARDS, 52)
    return [CardSet(cards[seat::4]) for seat in range(4)]


def test_where_a_kitty_lies_unseen_any_possible_score_may_be_right() -> None:
    ruleset = Ruleset("pokerwiner-hearts", 5, {"undealt": "kitty", "removal": "none"})
    for score, impossible in (
        ((1, 2, 3, 4, 16), ()),
        ((1, 2, 3, 4, 5), (1, 2, 3, 4, 5)),
    ):
        [deal] = read_written(
            f"2C 3C 4C 5C 6C\nscore: {' '.join(map(str, score))}\n"
        ).deals
        found = judge_part(ruleset, deal)
        assert (found.wrong_score, found.impossible_score) == (None, impossible)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("heartsgame-tiles", "13 5 8 13", "13 5 21 0"),  # 7.10
        ("dominorules-tiles", "0 0 0 13", "13 0 0 0"),  # 7.9
        ("common-hearts", "13 5 8 0", "13 5 8 13"),  # 7.7a
    ],
)
def test_whoever_revoked_pays_though_the_hands_are_unknown(
    name: str, right: str, wrong: str
) -> None:
    for score, possible in ((right, True), ("13 5 8 0", True), (wrong, False)):
        text = (
            f"2C 3C ?? 5C\nseat 0 claims a revoke of seat 3 in trick 1\nscore: {score}"
        )
        [deal] = read_written(text).deals
        judged = judge_part(Ruleset(name, 4), deal)
        assert (judged.impossible_score == ()) is possible, score


def test_who_opens_is_left_of_the_dealer_where_the_rules_say_so() -> None:
    text = "deal 1\ndealer: S\nN: 2C ?? 4C 5C\n"
    deal = read_written(text).deals[0]
    judged = judge_part(Ruleset("pokerwiner-hearts"), deal)
    assert (judged.plays[0].standing, judged.plays[0].clauses) == ("illegal", ("2.3",))
    right = judge_part(
        Ruleset("pokerwiner-hearts"), read_written(text.replace("S", "W")).deals[0]
    )
    assert right.plays[0].standing == "legal"


def test_every_clause_that_a_card_may_break_is_named() -> None:
    """The queen is barred from the first trick, and its seat may also hold a club."""
    assert standings("2C QS 4C 5C\n")[1] == ("unknown", ("5.3", "5.5"))


@pytest.mark.parametrize(
    ("text", "standing", "broken"),
    [
        # East has a club that costs nothing: the queen does not follow, and is barred.
        ("2C QS! 4C 5C\nE: 9C\n", "illegal", [("5.3", "5.5")]),
        # Without a club, East still had another card that costs nothing, or none.
        ("2C QS! 4C 5C\n", "unknown", [("5.5",), ("5.3", "5.5")]),
        # North has the lowest club, or should not have led.
        ("9D! TD JD QD\n", "illegal", [("5.1",), ("5.2",)]),
        ("2H! 3H 4H 5H\n", "illegal", [("5.1",), ("5.2", "5.4", "5.5")]),
    ],
)
def test_clauses_that_are_broken_together_are_kept_together(
    text: str, standing: str, broken: list[tuple[str, ...]]
) -> None:
    """A verdict names every clause that fails (0.7a). The play is marked with `!`."""
    place = text[: text.index("!")].count(" ")
    [deal] = read_written(text.replace("!", "")).deals
    play = judge_part(Ruleset("common-hearts"), deal).plays[place]
    assert (play.standing, [*play.broken]) == (standing, broken)


def test_one_of_two_claims_may_have_been_false() -> None:
    """A false claim costs nothing, whatever the answer to the other claim (7.7a)."""
    text = (
        "2C 3C ?? 5C\nseat 0 claims a revoke of seat 3 in trick 1\n"
        "seat 0 claims a revoke of seat 2 in trick 1\nscore: 13 5 8 13"
    )
    [deal] = read_written(text).deals
    assert judge_part(Ruleset("heartsgame-tiles", 4), deal).impossible_score == ()


def test_a_moon_to_be_settled_does_not_fit_every_score() -> None:
    """Clause 8.5b gives the shooter -26 points, or each of the others 26."""
    ranks = "23456789TJQKA"
    tricks = [f"seat 0: {r}C {r}D {r}S {r}H -> seat 0" for r in ranks]
    tricks[0] = tricks[0].replace("2D", "??")
    for score, possible in (
        ("13 13 0 0", False),
        ("-26 0 0 0", True),
        ("0 26 26 26", True),
    ):
        text = "\n".join(["deal 4", *tricks, f"score: {score}"])
        [deal] = read_written(text).deals
        judged = judge_part(Ruleset("estmesh-hearts", 4), deal)
        assert (judged.impossible_score == ()) is possible


def test_a_claim_may_have_been_false_where_only_totals_are_stated() -> None:
    """Seat 0 takes all 26 points, and seat 3 may have to pay 13 for a revoke (7.7a)."""
    tricks = [f"seat 0: {r}C {r}D {r}S {r}H -> seat 0" for r in "23456789TJQKA"]
    tricks[0] = tricks[0].replace("2D", "??")
    claim = "seat 0 claims a revoke of seat 3 in trick 1"
    [deal] = read_written("\n".join(["deal 4", *tricks, claim])).deals
    ruleset = Ruleset("heartsgame-tiles", 4, {"moon": "none"})
    for totals, right in (
        ((26, 0, 0, 0), None),
        ((26, 0, 0, 13), None),
        ((26, 0, 0, 5), (26, 0, 0, 13)),
    ):
        stated = attrs.evolve(deal, before=(0, 0, 0, 0), totals=totals)
        wrong = judge_part(ruleset, stated).wrong_totals
        assert (wrong and wrong.right) == right
