"""Possible worlds: games that look the same to one seat, with unseen cards redealt.

This is for tests that check that no hidden card leaks, and for programs that hold the
whole state: every world comes from what the seat knows and from the public record of
the deal.
Worlds for a search, all equally likely and made only from what a seat was told, are
dealt by `refengine.worlds.sampling`.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, SupportsIndex

import attrs

from refengine.chapters.cards import HEARTS as HEARTS_MASK
from refengine.chapters.cards import Mask, all_of, card_at, suit_of
from refengine.chapters.passing import receiver
from refengine.chapters.play import breaks_hearts
from refengine.chapters.settings import ANY, HOLD, LOWEST_CLUB, MIX, SCATTER, STOCK
from refengine.errors import EngineBug, Malformed
from refengine.game.acts import Act, Deal, Draw, PassUnseen, Play
from refengine.game.setups import Setup
from refengine.game.shuffling import chosen, random_pass, shuffled
from refengine.game.values.cardset import CARDS, NO_CARDS, WHOLE_PACK, Card, CardSet
from refengine.game.values.masks import random_given, seat_given
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.machine.due import dealer_now, number_now, position_of
from refengine.machine.holdings import stock_now
from refengine.machine.judging import packets_of

HEARTS: Final = CardSet.of_mask(HEARTS_MASK)
TRIES: Final = 1000


@attrs.frozen
class Place:
    """A place for unseen cards, such as a hand: its size, and what cannot be there."""

    size: int
    barred: CardSet


def possible_world(state: State, seat: SupportsIndex, rng: Random) -> State:
    """A random state that this seat cannot tell from the real one.

    It begins with the pass or with the trick in progress and has no record of what came
    before, such as a cut or an earlier trick; a kitty that was taken is among the cards
    taken. If the ruleset rejects revokes, no seat holds a suit in which it has shown
    itself void, unless it has drawn a card since.
    Raises Malformed outside the phases pass, mix and play, if the seat does not exist,
    or if `rng` has no `random()`.
    """
    whose = seat_given(seat, state.ruleset.players)
    rng = random_given(rng)
    if state.phase in ("pass", "mix"):
        return _before_play(state, whose, rng)
    if state.phase != "play":
        raise Malformed(f"the phase {state.phase}", "pass, mix or play")
    for _ in range(TRIES):
        try:
            return _in_play(state, whose, rng)
        except Refused:  # the card that must open was given to another seat
            continue
    raise EngineBug(f"no world found for seat {whose} in {TRIES} tries")


def _in_play(state: State, seat: int, rng: Random) -> State:
    """Make a possible world for a state in the phase of play.

    Raises Refused if the rules would have had another seat lead first in that world.
    """
    core = state.core
    view = state.observe(seat)
    drawn = state.drew
    drawer = state.turn[0]
    known = _known_hands(state, seat)
    voids = _voids(state)
    low = _below_the_opening(state, known)
    # A draw is due only to a seat that holds none of these cards, and only the last
    # card that it drew can be one of them.
    wanted = CardSet.of_mask(position_of(core).led) or WHOLE_PACK - HEARTS
    if drawn:
        voids[drawer] |= wanted
    hidden = () if drawer == seat else drawn
    shown = known[drawer] & CardSet(hidden)  # drawn, played and taken back
    known[drawer] -= shown
    places = [
        Place(held - len(hand) - (drawer == other) * len(drawn), voids[other] | low)
        for other, (held, hand) in enumerate(zip(view.held, known, strict=True))
    ]
    places[seat] = Place(0, NO_CARDS)
    places += _places_of_drawn(hidden, shown, wanted)
    kitty = len(CardSet.of_mask(core.dealt.kitty))
    places += [Place(len(stock_now(core)), NO_CARDS), Place(kitty, NO_CARDS)]
    unseen = CardSet.of_mask(core.pack) - _seen(state, known)
    piles = dealt_anew(unseen, places, rng)
    hands = [hand | CardSet(pile) for hand, pile in zip(known, piles, strict=False)]
    top = [pile[0] for pile in piles[len(known) : -2]] if hidden else list(drawn)
    if drawer == seat:
        hands[seat] -= CardSet(drawn)
    start = _position(state, hands, [*top, *piles[-2]], CardSet(piles[-1]))
    return State.open(state.ruleset, start).after(*[Draw(drawer) for _ in drawn])


def _places_of_drawn(
    drawn: tuple[Card, ...], shown: CardSet, wanted: CardSet
) -> list[Place]:
    """A place for each card that another seat has drawn in this turn.

    A card that everybody has seen is `shown` and stays where it is; of the others, only
    the last can be one of the cards for which the seat draws, those in `wanted`.
    """
    places: list[Place] = []
    for card in drawn:
        barred = NO_CARDS if card is drawn[-1] else wanted
        if card in shown:
            barred = WHOLE_PACK - CardSet([card])
        places.append(Place(1, barred))
    return places


def _below_the_opening(state: State, known: list[CardSet]) -> CardSet:
    """The clubs that the seat knows no hand holds: the holder would have led (5.1).

    `known` holds the cards that the seat knows to be in each hand. Whoever knows the
    leader's whole hand can infer this from it. Anybody can infer it from the lead, if
    that was an act of this game rather than part of the position from which it began:
    if the lowest club had to be led (5.2), or if the lead shows that the leader has no
    club (5.2, 5.4a).
    """
    rules = state.core.rules
    position = position_of(state.core)
    if not position.piles.first or rules.left_of_dealer_leads or rules.undealt == STOCK:
        return NO_CARDS
    led = state.table.cards[:1] if state.table is not None else ()
    hand = CardSet.of_mask(position.hands[position.leader].cards)  # with the card led
    if hand - CardSet(led) == known[position.leader]:
        return CardSet(CARDS[: min([13, *(card.number for card in hand)])])
    setup = state.start if isinstance(state.start, Setup) else None
    if not led or (setup is not None and setup.trick):
        return NO_CARDS
    free = rules.hearts_free or (setup is not None and setup.hearts_broken)
    no_club = led[0].number >= 13 and (
        rules.opening_card != ANY or (led[0] in HEARTS and not free)
    )
    if rules.opening_card != LOWEST_CLUB and not no_club:
        return NO_CARDS
    return CardSet(CARDS[: min(led[0].number, 13)])  # all of them if no club was led


def _seen(state: State, known: list[CardSet]) -> CardSet:
    """All cards that have been played or taken, and those in the `known` hands."""
    position = position_of(state.core)
    seen = CardSet.of_mask(Mask(position.played | all_of(position.piles.taken)))
    for hand in known:
        seen |= hand
    return seen


def _deal_acts(state: State) -> list[Act]:
    """The acts since the cards were last dealt, or all acts if no act dealt them."""
    acts: list[Act] = []
    for act in state.acts:
        acts = [] if isinstance(act, Deal) else [*acts, act]
    return acts


def _known_hands(state: State, seat: int) -> list[CardSet]:
    """The cards that the seat knows to be in each hand.

    These are its own, those it passed, and those that were played and taken back (7.5).
    """
    core = state.core
    hands = state.hands
    known = [NO_CARDS for _ in hands]
    known[seat] = hands[seat]
    for act in _deal_acts(state):
        if isinstance(act, Play) and act.card in hands[act.seat]:
            known[act.seat] |= CardSet([act.card])
    way = core.dealt.way
    packet = core.dealt.packets[seat] if core.dealt.packets else None
    if packet is None or way in (HOLD, MIX):
        return known
    still = CardSet.of_mask(Mask(packet.cards & ~position_of(core).played))
    if way != SCATTER:
        packets = packets_of(core)
        to = int(receiver(way, seat, len(hands)))
        while to != seat and packets[to].unseen:  # 4.9a: everybody saw who forwarded
            to = int(receiver(way, to, len(hands)))
        known[to] |= still
        return known
    for other, card in enumerate(packet.addressed):
        if card >= 0 and CARDS[card] in still:
            known[other] |= CardSet([CARDS[card]])
    return known


def _voids(state: State) -> list[CardSet]:
    """For each seat, the cards that it has shown it does not hold, since it last drew.

    A seat shows this by not following suit (5.3), by leading a heart before hearts were
    broken (5.4a), or by drawing (6.1, 6.2). The cards on the table of a position show
    nothing, since nobody judges how they came there (3.12a).
    """
    rules = state.ruleset.rules
    voids = [NO_CARDS for _ in range(state.ruleset.players)]
    if rules.revokes_penalised:
        return voids
    start = state.start
    free = rules.hearts_free or (isinstance(start, Setup) and start.hearts_broken)
    stated = len(start.trick) if isinstance(start, Setup) else 0
    led: Card | None = None
    drew = -1  # the seat that draws in this turn
    played = 0
    tricks = [len(trick.cards) for trick in state.history]
    for place, (seat, card) in enumerate(_plays_and_draws(state)):
        if card is None:
            voids[seat], drew = NO_CARDS, seat
            continue
        leads = led is None
        led = led or card
        suit = CardSet.of_mask(suit_of(card_at(led.number)))
        off_suit = card not in suit and place >= stated
        # Whoever draws does so until a card can be played, and then plays that card.
        if off_suit or (drew == seat and not leads):
            voids[seat] |= suit
        elif leads and drew == seat:
            voids[seat] |= WHOLE_PACK - HEARTS
        elif leads and card in HEARTS and not free:  # 5.4a, 5.4b
            queen = CardSet("QS") if rules.hearts_or_queen_any else NO_CARDS
            voids[seat] |= WHOLE_PACK - HEARTS - queen
        free = free or bool(breaks_hearts(rules, card_at(card.number)))
        drew = -1
        played += 1
        if tricks and played == tricks[0]:
            tricks.pop(0)
            led, played = None, 0
    return voids


def _plays_and_draws(state: State) -> Iterator[tuple[int, Card | None]]:
    """Yield the seat and card of each play of the deal, and seat and None for a draw.

    If the game began as a position, the cards on its table come first.
    """
    start = state.start
    if isinstance(start, Setup) and start.trick:
        found = State.open(state.ruleset, start)
        yield from zip(found.seats_on_table, start.trick, strict=True)
    for act in _deal_acts(state):
        if isinstance(act, Play):
            yield act.seat, act.card
        elif isinstance(act, Draw):
            yield act.seat, None


def _position(
    state: State, hands: list[CardSet], stock: list[Card], kitty: CardSet
) -> Setup:
    """The position of a state, but with these hands, this stock and this kitty."""
    core = state.core
    position = position_of(core)
    taken = [CardSet.of_mask(pile) for pile in position.piles.taken]
    if position.talon.kitty_to >= 0:
        taken[position.talon.kitty_to] |= kitty
        kitty = NO_CARDS
    return attrs.evolve(
        Setup.of(state), hands=hands, stock=stock, kitty=kitty, taken=taken
    )


def _before_play(state: State, seat: int, rng: Random) -> State:
    """Make a possible world for a state before play, in which the same seats passed.

    The hand of `seat` and its pass are those of the state.
    """
    core = state.core
    own = CardSet.of_mask(core.dealt.hands[seat])
    size = len(own)
    players = state.ruleset.players
    places = [Place(0 if other == seat else size, NO_CARDS) for other in range(players)]
    places += [Place(len(core.dealt.stock), NO_CARDS)]
    places += [Place(len(CardSet.of_mask(core.dealt.kitty)), NO_CARDS)]
    piles = dealt_anew(CardSet.of_mask(core.pack) - own, places, rng)
    hands = [
        own if other == seat else CardSet(piles[other]) for other in range(players)
    ]
    start = Setup(
        dealer=int(dealer_now(core)),
        deal=int(number_now(core)),
        totals=core.sheet.totals,
        limit_reached=core.sheet.reached and core.rules.ties_played_on,
        hands=hands,
        stock=piles[-2],
        kitty=CardSet(piles[-1]),
    )
    world = State.open(state.ruleset, start)
    for act in _deal_acts(state):
        if act.seat == seat or isinstance(act, PassUnseen):
            world = world.apply(act)
        else:  # what another seat passed is not known
            plain = attrs.evolve(world.legal.due, forward=False)
            world = world.apply(random_pass(world.core, act.seat, plain, rng))
    return world


def dealt_anew(unseen: CardSet, places: list[Place], rng: Random) -> list[list[Card]]:
    """Deal the unseen cards at random among the places, and return the cards of each.

    Each place gets at most `size` cards, none of them barred there. Raises EngineBug if
    a card cannot be placed.
    """
    piles: list[list[Card]] = [[] for _ in places]
    for card in shuffled(unseen, rng):
        if not _put(card, piles, places, set(), rng):
            raise EngineBug(f"no place is left for {card}")
    return [shuffled(CardSet(pile), rng) for pile in piles]


def _put(
    card: Card,
    piles: list[list[Card]],
    places: list[Place],
    tried: set[int],
    rng: Random,
) -> bool:
    """Put the card in one of the places, moving other cards to make room if needed.

    Returns whether a place was found. `tried` holds the places that are not to be tried
    again.
    """
    open_places = [
        at
        for at, place in enumerate(places)
        if at not in tried and place.size and card not in place.barred
    ]
    free = [at for at in open_places if len(piles[at]) < places[at].size]
    if free:
        slots = [at for at in free for _ in range(places[at].size - len(piles[at]))]
        piles[chosen(slots, rng)].append(card)
        return True
    for at in open_places:
        tried.add(at)
        for other in list(piles[at]):
            if _put(other, piles, places, tried, rng):
                piles[at].remove(other)
                piles[at].append(card)
                return True
    return False
