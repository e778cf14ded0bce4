"""The consequences of an act, found by comparing the states before and after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from refengine.chapters.draw import standing_hand
from refengine.chapters.play import opening_leader
from refengine.errors import counted
from refengine.game.acts import (
    Act,
    Claim,
    Cut,
    Deal,
    Draw,
    Mix,
    Pass,
    PassUnseen,
    Play,
    QuitTrick,
    Retract,
    Scatter,
)
from refengine.game.values.cardset import CardSet, Suit
from refengine.game.values.masks import masks_of
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.lawbook.pass_words import passes_at_table
from refengine.machine.due import position_of
from refengine.rulings.score_explained import SETTLED_BY, moon_event, score_sentences
from refengine.rulings.sentences import FACTS, Said, consequence_sentence
from refengine.rulings.standing import stood
from refengine.rulings.words import (
    LAST_WINDOWS,
    WINDOWS,
    card_words,
    cards_words,
    hand_words,
    list_words,
    option_meaning,
    seat_words,
    seats_words,
    suit_words,
)

TURN = frozenset({"5.1", "5.1a", "5.11", "5.12", "6.1", "6.2", "6.6a", "6.7"})
"""The clauses whose sentences say who is to act."""


def turn_words(state: State) -> str:
    """Who is to act, in words such as `seat 1 is to act`."""
    if not state.turn:
        return FACTS["nobody acts"]
    several = len(state.turn) > 1
    return FACTS["act" if several else "acts"].format(seats=seats_words(state.turn))


def is_last_trick(state: State, trick: int) -> bool:
    """Whether this trick is the last of the deal, and play has ended with it."""
    position = state.core.position
    return position is not None and position.turn < 0 and trick == position.piles.done


def consequences(state: State, act: Act, after: State, known: bool) -> Iterator[Said]:
    """What follows from an act that was accepted, one sentence for each consequence.

    Unless all hands are `known`, nothing is said that depends on the other hands.
    """
    match act:
        case Play():
            yield from _after_play(state, act, after, known)
        case Draw(seat):
            yield from _after_draw(seat, after, known)
        case Cut():
            yield from _after_cut(state, after)
        case Deal():
            yield from _before_play(after, known)
        case Pass() | Scatter() | PassUnseen() | Mix():
            yield from _after_pass(act, after, known)
        case Retract():
            yield from _after_retract(state, act, after, known)
        case QuitTrick():
            yield consequence_sentence("quitted")
        case Claim():
            yield from _after_claim(state, act, after)
    if known and after.score is not None and not isinstance(act, QuitTrick):
        yield from score_sentences(after)


# Play


def _after_play(state: State, act: Play, after: State, known: bool) -> Iterator[Said]:
    who = seat_words(act.seat)
    yield from _revoked(state, act, after)
    if after.hearts_broken and not state.hearts_broken:
        queen = act.card.suit is not Suit.HEARTS
        yield consequence_sentence("hearts by queen" if queen else "hearts")
    if state.ruleset.options["undealt"] == "stock" and not after.hands[act.seat]:
        yield consequence_sentence("out", who=who)
    if after.completed is None:
        yield from _next_to_play(after, known)
    else:
        yield from _trick_won(state, act, after, known)


def _trick_won(state: State, act: Play, after: State, known: bool) -> Iterator[Said]:
    """The sentences on who wins the trick that a card completes, and what follows."""
    trick = after.completed
    assert trick is not None
    played_by = [*state.seats_on_table, act.seat]
    seats = dict(zip(trick.cards, played_by, strict=True))
    best = next(card for card, seat in seats.items() if seat == trick.winner)
    winner = seat_words(trick.winner)
    suit = suit_words(trick.cards[0])
    yield consequence_sentence("won", who=winner, card=card_words(best), suit=suit)
    if state.kitty and not after.kitty and known:
        by_points = state.ruleset.options["kitty_to"] == "first_points"
        event = "kitty" if by_points else "kitty by place"
        yield consequence_sentence(event, who=winner, cards=hand_words(state.kitty))
    if not known:
        return
    if after.phase == "play":
        yield from _next_to_lead(after, trick.winner)
    else:
        yield from _end_of_play(after)


def _next_to_play(after: State, known: bool) -> Iterator[Said]:
    seat = after.turn[0]
    holding = [one for one, hand in enumerate(after.hands) if hand]
    alone = holding == [seat] and after.ruleset.options["undealt"] == "stock"
    event = "goes on" if known and alone else "next"
    yield consequence_sentence(event, who=seat_words(seat))
    if known and after.legal.due.kind == "draw":
        yield consequence_sentence("must follow by drawing", who=seat_words(seat))


def _next_to_lead(after: State, winner: int) -> Iterator[Said]:
    leader = after.turn[0]
    event = "leads" if leader == winner else "leads for winner"
    yield consequence_sentence(event, who=seat_words(leader), winner=seat_words(winner))
    if after.legal.due.kind == "draw":
        yield consequence_sentence("must draw to lead", who=seat_words(leader))


def _end_of_play(after: State) -> Iterator[Said]:
    if any(after.hands) and after.ruleset.rules.ends_without_points:
        yield consequence_sentence("ended early")
    else:
        yield consequence_sentence("play ended")
        yield from _left_over(after)
    if after.phase == "moon":
        yield moon_due(after)


def _left_over(after: State) -> Iterator[Said]:
    """The sentences on what is left of a hand and of the stock, if anything."""
    result = after.core.result
    stock_to = -1 if result is None else int(result.stock_to)
    own = [_own_cards(after, seat) for seat in range(after.ruleset.players)]
    left = [seat for seat, hand in enumerate(own) if hand]
    for seat in left:
        cards = hand_words(own[seat])
        yield consequence_sentence("survivor", who=seat_words(seat), cards=cards)
    if stock_to >= 0:
        event = "survivor takes stock" if left else "stock to last"
        yield consequence_sentence(event, who=seat_words(stock_to))
    elif after.stock:
        yield consequence_sentence("stock to nobody", clause="6.8a" if left else "6.8b")


def moon_due(state: State) -> Said:
    """The sentence on who must settle the moon before the deal is scored, and how."""
    clause = SETTLED_BY[str(state.ruleset.options["moon"])]
    who = seat_words(state.turn[0])
    event = moon_event(state.ruleset, "moon due")
    return consequence_sentence(
        event, who=who, choices=choices_words(state), clause=clause
    )


def _own_cards(after: State, seat: int) -> CardSet:
    """The cards that a seat held when play ended, without any stock that it took."""
    return CardSet.of_mask(standing_hand(position_of(after.core), seat, -1))


def choices_words(state: State) -> str:
    """The choices that the shooter has for settling the moon now, in words."""
    return list_words(map(choice_words, state.legal.due.choices), "or")


def choice_words(choice: str | int) -> str:
    """One of the choices for a moon, such as `to give the points to everybody else`."""
    if isinstance(choice, int):
        return FACTS["give one"].format(who=seat_words(choice))
    if choice == "self_minus":
        return FACTS["take off"]
    return FACTS["give all"]


# Revokes


def revoke_window_words(state: State, last: bool = False) -> str:
    """Until when a revoke can be corrected, in words such as `until the next lead`.

    `last` says whether the revoke was in the last trick.
    """
    windows = LAST_WINDOWS if last else WINDOWS
    return windows[str(state.ruleset.options["revoke_until"])]


def _revoked(state: State, act: Play, after: State) -> Iterator[Said]:
    if len(after.revokes) == len(state.revokes):
        return
    note = after.revokes[-1]
    ended, still_open = after.phase != "play", note.state == "open"
    window = revoke_window_words(state, ended and still_open)
    facts = {"who": seat_words(act.seat), "window": window}
    yield consequence_sentence("revoke", **facts)
    event = "revoke open at the end" if ended else "revoke open"
    yield consequence_sentence(event if still_open else "revoke closed", **facts)
    yield consequence_sentence(
        "revoke claimable at once" if ended else "revoke claimable"
    )


def _after_retract(
    state: State, act: Retract, after: State, known: bool
) -> Iterator[Said]:
    """The consequences of taking a card back, one sentence for each.

    Another revoke that is undone with it is mentioned only if all hands are `known`.
    """
    yield consequence_sentence("retracted")
    if state.hearts_broken and not after.hearts_broken:
        yield consequence_sentence("hearts unbroken")
    if after.kitty and not state.kitty:
        yield consequence_sentence("kitty back")
    if any(isinstance(one, Draw) for one in _since(state, act)):
        yield consequence_sentence("drawn stay")
    if known and len(after.revokes) < len(state.revokes):
        yield consequence_sentence("gone with it")
    yield consequence_sentence("plays again", who=seat_words(act.seat))


def _since(state: State, act: Retract) -> tuple[Act, ...]:
    """All acts since the retracted card was played, beginning with that play."""
    acts = state.acts
    places = [at for at, one in enumerate(acts) if one == Play(act.seat, act.card)]
    return acts[max(places) :]


def _after_claim(state: State, act: Claim, after: State) -> Iterator[Said]:
    who = seat_words(act.against)
    yield consequence_sentence("established", who=who, trick=act.trick)
    result = after.core.result
    if result is not None and result.by_claim:
        yield consequence_sentence(
            "ends deal", who=who, points=result.score[act.against]
        )
        return
    cost = after.ruleset.options["revoke_points"]
    points = FACTS["all points"]
    if isinstance(cost, int):
        points = counted(cost, "point")
    event = "plays on" if state.score is None else "pays on top"
    if state.phase == "moon":
        event = "pays in the end"
    yield consequence_sentence(event, who=who, points=points)
    shooter = -1 if state.core.result is None else int(state.core.result.shooter)
    if shooter >= 0:
        yield consequence_sentence(
            "no moon" if shooter == act.against else "moon stands"
        )
    if after.phase == "moon":
        yield moon_due(after)


# Draws, passes, the deal


def _after_draw(seat: int, after: State, known: bool) -> Iterator[Said]:
    who = seat_words(seat)
    if not known:
        yield consequence_sentence("drew unseen", who=who)
        return
    yield consequence_sentence("drew", who=who, card=card_words(after.drew[-1]))
    due = after.legal.due
    if due.kind == "draw":
        leads = after.table is not None and not after.table.cards
        event = "must draw to lead" if leads else "must follow by drawing"
        yield consequence_sentence(event, who=who)
        return
    drawn = after.drew[-1].suit
    fits = drawn is not Suit.HEARTS
    if after.table is not None and after.table.cards:
        fits = drawn is after.table.cards[0].suit
    event = "drew well" if fits else "drew in vain"
    yield consequence_sentence(event, who=who, cards=cards_words(due.cards, "or"))


def _after_cut(state: State, after: State) -> Iterator[Said]:
    if after.phase != "cut":
        assert after.dealer is not None
        yield consequence_sentence("cut won", who=seat_words(after.dealer))
    elif set(after.turn) - set(state.turn):
        yield consequence_sentence("cut again", who=seats_words(after.turn))
    else:
        yield consequence_sentence("cut goes on", who=seats_words(after.turn))


def _before_play(after: State, known: bool) -> Iterator[Said]:
    """The sentences on what happens next, once the cards are dealt.

    They are about the pass or, if there is none in this deal, about who leads.
    """
    cycle = after.ruleset.options["pass_cycle"]
    passes = passes_at_table(cycle, after.ruleset.players)
    if after.phase == "pass":
        ways = option_meaning("pass_cycle", passes)
        yield consequence_sentence("dealt to pass", how=ways)
        return
    never = "4.1" if passes == cycle else "4.1a"
    yield consequence_sentence("no pass", clause="4.3" if passes else never)
    yield _opening(after, known)


def _opening(after: State, known: bool) -> Said:
    """The sentence on who leads to the first trick.

    Unless all hands are `known`, it does not reveal that nobody holds a club.
    """
    leader = after.turn[0]
    by_club = after.ruleset.options["opening_leader"] == "lowest_club"
    clubs = any(card.suit is Suit.CLUBS for hand in after.hands for card in hand)
    default = known and by_club and not clubs
    event = "opening lead by default" if default else "opening lead"
    return consequence_sentence(event, who=seat_words(leader))


def _after_pass(act: Act, after: State, known: bool) -> Iterator[Said]:
    """The consequences of a pass, an unseen pass or a mix, one sentence for each.

    Unless all hands are `known`, the leader is not named if the cards decide who leads.
    """
    if isinstance(act, PassUnseen):
        yield consequence_sentence("forwarded", who=seat_words(act.seat))
    if after.phase == "pass":
        yield consequence_sentence("passing", who=seats_words(after.turn))
        return
    if after.phase == "mix":
        mixed_in = after.core.rules.mix_kitty and len(after.kitty) > 0
        yield consequence_sentence("to mix with kitty" if mixed_in else "to mix")
        return
    if isinstance(act, Mix):
        yield consequence_sentence("mixed")
    else:
        packets = after.core.dealt.packets
        unseen = all(packet is not None and packet.unseen for packet in packets)
        yield consequence_sentence("nothing moves" if unseen else "passed")
    if known or after.ruleset.options["opening_leader"] != "lowest_club":
        yield _opening(after, known)


# Whose turn it is


def whose_turn(state: State, known: bool = True) -> tuple[Said, ...]:
    """The sentences on who is to act now and why.

    Empty if nothing that has happened explains the turn. Unless all hands are `known`,
    nothing is said that depends on the other hands.
    """
    if state.phase != "play":
        return ()
    if not state.acts:
        position = state.core.position
        first = position is not None and position.piles.first
        table = state.table
        leads = table is not None and not table.cards
        if not (first and leads) or (known and not _opens(state)):
            return ()
        return (_opening(state, known),)
    *before, last = state.acts
    told = consequences(_after_all(state, before), last, state, known)
    return tuple(one for one in told if TURN.intersection(one.clauses))


def _opens(state: State) -> bool:
    """Whether the seat to play is the opening leader, going by the hands (5.1, 5.1a).

    A position with a stock may name another seat as the leader (3.12v).
    """
    assert state.dealer is not None
    hands = masks_of(state.hands)
    return state.turn[0] == int(opening_leader(state.core.rules, hands, state.dealer))


def _after_all(state: State, acts: Iterable[Act]) -> State:
    """The state of this game once the given acts, which are its first, have been made.

    An act among them that the rules refuse is one that stands because it was not
    noticed in time (10.18).
    """
    moment = type(state).open(state.ruleset, state.start)
    for act in acts:
        refused = isinstance(moment.verdict(act), Refused)
        after = stood(moment, act) if refused else moment.apply(act)
        assert after is not None
        moment = after
    return moment
