"""Questions about what each seat scores for a deal, and how the match then stands."""

from __future__ import annotations

from collections.abc import Iterator

from refengine.chapters.cards import (
    HEARTS,
    SPADES,
    Mask,
    cards_that_count,
    penalty_cards,
    points_of,
)
from refengine.chapters.match import limit_is_reached, match_is_over
from refengine.chapters.score import MINUS, PLUS
from refengine.errors import Malformed, counted
from refengine.game.acts import MoonChoice
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import CardSet
from refengine.game.values.legal import choice_name
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.rulings.asking.answers import Answer, headline
from refengine.rulings.asking.ends import reached_before
from refengine.rulings.asking.played_deals import (
    PlayedDeal,
    all_taken,
    cards_each,
    cards_in_kitty,
    counting_cards,
    pack_of,
    scored_deal,
    scored_elsewhere,
)
from refengine.rulings.asking.questions import Question
from refengine.rulings.consequences import choice_words, choices_words, moon_due
from refengine.rulings.irregularities import cost_words
from refengine.rulings.irregularity_words import irregularity_sentence
from refengine.rulings.match_end import clause_of_the_end
from refengine.rulings.relevance import Mattered, ends_that_mattered
from refengine.rulings.score_explained import (
    SETTLED_BY,
    deal_sentences,
    hauls_of,
    is_sun,
    match_sentences,
    moon_points,
    parts_besides,
    result_of,
    totals_sentences,
    worth_of_moon,
)
from refengine.rulings.sentences import (
    ALLOWED,
    COLUMNS,
    WORDS,
    Said,
    answer_sentence,
    consequence_sentence,
)
from refengine.rulings.words import (
    all_words,
    cards_words,
    each_words,
    list_words,
    option_meaning,
    seat_words,
    seats_words,
)


def score_answer(question: Question) -> Answer:
    """What each seat scores for a deal, and why.

    Raises Malformed if a card is taken twice or is not in the pack, if the revokes
    cannot be claimed, if the match was already over or the limit cannot have been
    reached, if there is nothing to choose or the choice is not allowed, if there are
    too many or too few tricks for a deal or too few for the cards that a seat has, or
    if a card is missing that must have counted for some seat.
    """
    rules = question.rules
    played = _played(question)
    state = scored_deal(rules, played)
    granted = tuple(_granted(question, played, state))
    matched = question.has("totals")
    mattered: tuple[Mattered, ...] = ()
    if question.has("choice"):
        state = _settled(state, question)
    else:
        mattered = _mattered(question, played, state)
    if state.phase == "moon":
        return _choice_due(state, matched, granted, mattered)
    why = [
        *_by_claim(state),
        *deal_sentences(state),
        *_dear_spades(state),
        *_revoker_moon(rules, played),
    ]
    follows: list[Said] = []
    if matched:
        follows = [*totals_sentences(state), *match_sentences(state)]
    columns, rows = _figures(state, matched)
    return Answer(
        rules=rules,
        headline=_headline(state),
        why=tuple(why),
        follows=tuple(follows),
        mattered=mattered,
        granted=granted,
        columns=columns,
        rows=rows,
    )


def _mattered(
    question: Question, played: PlayedDeal, state: State
) -> tuple[Mattered, ...]:
    """The options that mattered to the end of the deal, which is `state`.

    None are given if a claim has ended the deal and cards are missing: how it would
    have ended otherwise is then not known.
    """
    rules = question.rules
    if _ends_deal(played, rules) and _missing(question, played):
        return ()
    matched = question.has("totals")
    chapters = ("1", "7", "8", "9") if matched else ("1", "7", "8")
    others = [
        one
        for one in scored_elsewhere(rules, played, chapters)
        if _reached_under(one.state.ruleset, question) == played.reached
    ]
    return tuple(ends_that_mattered(state, others))


# What the question says


def _played(question: Question) -> PlayedDeal:
    rules = question.rules
    players = rules.players
    taken = tuple([CardSet(one) for one in question.given["taken"]])
    _check_cards(rules, taken)
    revokers = question.numbers("revokes", ())
    if revokers and rules.options["revokes"] == "rejected":
        meant = option_meaning("revokes", "rejected")
        raise Malformed(
            seats_words(revokers), ALLOWED["no seat"].format(meant=meant), "revokes"
        )
    if len(revokers) > 1 and rules.rules.revoke_ends_deal:
        raise Malformed(seats_words(revokers), ALLOWED["one revoke"], "revokes")
    played = PlayedDeal(
        taken=taken,
        tricks=question.numbers("tricks", (1,) * players),
        totals=question.numbers("totals", (0,) * players),
        reached=_reached_earlier(question),
        number=question.number("deal", 1),
        revokers=revokers,
    )
    if question.has("tricks"):
        if not _ends_deal(played, rules):
            _check_takers(rules, played)
        if rules.options["undealt"] != "stock":
            _check_tricks(rules, played)
    missing = _missing(question, played)
    if missing and not _may_count_for_nobody(rules, played, missing):
        found = f"nobody with {cards_words(missing)}"
        raise Malformed(found, ALLOWED["counting"], "taken")
    return played


def _reached_earlier(question: Question) -> bool:
    """Whether the limit had been reached before this deal.

    It had been if the question says so or the totals show it. Raises Malformed if it is
    said to have been reached but ties are not played on, or if the match was over
    before this deal.
    """
    reached_before(question)
    rules, totals = question.rules.rules, question.numbers("totals", ())
    reached = _reached_under(question.rules, question)
    deal = question.number("deal", 1)
    if totals and match_is_over(rules, totals, reached, deal - 1):
        if rules.has_limit:
            raise Malformed(all_words(totals), ALLOWED["goes on"], "totals")
        deals = question.rules.options["deals"]
        raise Malformed(f"{deal}", ALLOWED["deal"].format(deals=deals), "deal")
    return reached


def _reached_under(rules: Ruleset, question: Question) -> bool:
    """Whether the limit that these rules set had been reached before this deal.

    It had been if the question says so, or if the totals show it.
    """
    totals, said = question.numbers("totals", ()), question.flag("reached")
    return bool(limit_is_reached(rules.rules, totals, said)) if totals else said


def _may_count_for_nobody(rules: Ruleset, played: PlayedDeal, missing: CardSet) -> bool:
    """Whether cards that no seat has taken may have counted for nobody (8.2a).

    They may if a claim ended the deal. So may cards in a stock, unless a seat always
    takes what is left of it (6.8a, 6.8b), and cards in a kitty that nobody won because
    no trick held a card that costs points (5.13): all such cards then lie in the kitty.
    """
    if _ends_deal(played, rules):
        return True
    settings = rules.rules
    if rules.options["undealt"] == "stock":
        return not (settings.survivor_takes_stock and settings.last_to_play_takes_stock)
    if rules.options["undealt"] == "none":
        return False
    if rules.options["kitty_to"] != "first_points":
        return False
    costly = CardSet.of_mask(penalty_cards(settings))
    won = bool(costly & all_taken(played.taken))
    return len(missing) <= cards_in_kitty(rules) and not won


def _check_cards(rules: Ruleset, taken: tuple[CardSet, ...]) -> None:
    """Raise Malformed for a card that two seats have taken, or one not in the pack."""
    pack = pack_of(rules)
    for seat, cards in enumerate(taken):
        for card in cards:
            if card in all_taken(taken[:seat]):
                raise Malformed(f"{card} twice", ALLOWED["once"], "taken")
            if card not in pack:
                raise Malformed(f"{card}", ALLOWED["pack"], "taken")


def _check_takers(rules: Ruleset, played: PlayedDeal) -> None:
    """Raise Malformed for cards that a seat cannot have with the tricks it won.

    Its cards come from its tricks and from a kitty won with one of them. But where a
    deal can end early, cards that count for nothing may be left in a hand (5.14a), and
    where there is a stock, one seat may have only the cards in its hand (6.8, 6.8b).
    """
    if not any(played.tricks):
        raise Malformed("no trick for anybody", ALLOWED["tricks"], "tricks")
    stock = rules.options["undealt"] == "stock"
    without = 0
    for seat, taken in enumerate(played.taken):
        cards = taken
        if rules.rules.ends_without_points:
            cards = taken & CardSet.of_mask(cards_that_count(rules.rules))
        if not cards:
            continue
        number = played.tricks[seat]
        if not number:
            without += 1
        if stock:
            amiss = not number and without > 1
        else:
            most = number * rules.players + cards_in_kitty(rules)
            amiss = not number or len(cards) > most
        if amiss:
            tricks = counted(number, "trick") if number else "no trick"
            found = f"{tricks} for {seat_words(seat)}, who has taken {cards}"
            raise Malformed(found, ALLOWED["tricks"], "tricks")


def _check_tricks(rules: Ruleset, played: PlayedDeal) -> None:
    """Raise Malformed unless there are as many tricks as cards in each hand.

    There may be fewer tricks if a deal can end before the last card (5.14a, 7.9).
    """
    found, number = sum(played.tricks), cards_each(rules)
    early = rules.rules.ends_without_points or _ends_deal(played, rules)
    if found > number or (found < number and not early):
        allowed = ALLOWED["most tricks" if early else "all tricks"]
        raise Malformed(f"{found}", allowed.format(number=number), "tricks")


def _missing(question: Question, played: PlayedDeal) -> CardSet:
    return counting_cards(question.rules) - all_taken(played.taken)


def _ends_deal(played: PlayedDeal, rules: Ruleset) -> bool:
    return len(played.revokers) > 0 and rules.rules.revoke_ends_deal


def _granted(question: Question, played: PlayedDeal, state: State) -> Iterator[str]:
    """What the answer assumes about tricks, missing cards, totals and deal number.

    What the question says and what makes no difference are left out.
    """
    rules = question.rules
    ended = _ends_deal(played, rules)
    shot = result_of(state).shooter >= 0
    by_tricks = rules.options["no_trick_points"]
    if shot:  # then only a sun depends on them (8.4, 8.8)
        by_tricks = rules.options["sun_points"]
    if by_tricks and not ended and not question.has("tricks"):
        yield WORDS["everybody took tricks"]
    missing = _missing(question, played)
    if missing and not ended:
        yield WORDS["counts for nobody"].format(cards=cards_words(missing))
    by_totals = rules.options["moon"] == "others_plus_unless_losing"
    if by_totals and shot and not question.has("totals"):
        yield WORDS["totals of 0"]
    counts = question.has("totals") and rules.options["limit"] == "none"
    if counts and not question.has("deal"):
        yield WORDS["number of deal"].format(number=played.number)


def _settled(state: State, question: Question) -> State:
    """The state after the shooter has chosen.

    Raises Malformed if there is nothing to choose or the choice is not allowed.
    """
    choice = question.given["choice"]
    if state.phase != "moon":
        raise Malformed(f"{choice}", ALLOWED["no choice"], "choice")
    try:
        return state.apply(MoonChoice(state.turn[0], choice))
    except Refused as refused:
        allowed = " or ".join([str(one) for one in state.legal.due.choices])
        raise Malformed(str(refused), allowed, "choice") from None


def _by_claim(state: State) -> Iterator[Said]:
    """Say that a claim has ended the deal, if one has."""
    if result_of(state).by_claim:
        yield irregularity_sentence("ends", points=cost_words(state.ruleset))


def _revoker_moon(rules: Ruleset, played: PlayedDeal) -> Iterator[Said]:
    """Say that a revoke has cost a seat its moon, if one has."""
    if not played.revokers or _ends_deal(played, rules):
        return
    honest = PlayedDeal(taken=played.taken, tricks=played.tricks, totals=played.totals)
    result = result_of(scored_deal(rules, honest))
    if result.shooter in played.revokers:
        yield consequence_sentence("no moon")


def _dear_spades(state: State) -> list[Said]:
    """What the king and the ace of spades cost, if either costs anything."""
    options = state.ruleset.options
    dear = options["king_points"] or options["ace_points"]
    if not dear or result_of(state).by_claim:
        return []
    king = option_meaning("king_points", options["king_points"])
    ace = option_meaning("ace_points", options["ace_points"])
    return [answer_sentence("dear spades", king=king, ace=ace)]


# A moon to be settled


def _choice_due(
    state: State,
    matched: bool,
    granted: tuple[str, ...],
    mattered: tuple[Mattered, ...],
) -> Answer:
    """The answer while the shooter has not yet chosen how to settle the moon.

    It says what each of the possible choices would bring.
    """
    shooter = state.turn[0]
    ends = [
        state.apply(MoonChoice(shooter, choice)) for choice in state.legal.due.choices
    ]
    follows = [_would_bring(state, end, matched) for end in ends]
    columns = [COLUMNS["seat"], *(_chosen_words(end) for end in ends)]
    rows: list[tuple[str | int, ...]] = []
    for seat in range(state.ruleset.players):
        rows.append((seat, *(result_of(end).score[seat] for end in ends)))
    who = seat_words(shooter)
    return Answer(
        rules=state.ruleset,
        headline=headline("moon due", who=who, choices=choices_words(state)),
        why=tuple(_why_due(state)),
        follows=tuple(follows),
        mattered=mattered,
        granted=granted,
        columns=tuple(columns),
        rows=tuple(rows),
        asks={
            "choice": (
                WORDS["which choice"].format(who=who),
                {str(one): choice_words(one) for one in state.legal.due.choices},
            )
        },
    )


def _why_due(state: State) -> Iterator[Said]:
    """The sentences on who shot the moon, and on what counts however it is settled."""
    yield moon_due(state)
    if is_sun(state):
        yield consequence_sentence("sun", who=seat_words(state.turn[0]))
    for event, numbers in parts_besides(state):
        if any(numbers):
            yield consequence_sentence(event, each=each_words(numbers))
    yield from _dear_spades(state)


def _chosen_words(end: State) -> str:
    """The column heading for the way in which the moon has been settled."""
    settled = int(result_of(end).settled)
    if settled == MINUS:
        return COLUMNS["minus"]
    if settled == PLUS:
        return COLUMNS["plus"]
    return COLUMNS["one"].format(who=seat_words(settled))


def _would_bring(state: State, end: State, matched: bool) -> Said:
    facts: dict[str, object] = {
        "who": seat_words(state.turn[0]),
        "choice": choice_words(choice_name(int(result_of(end).settled))),
        "score": all_words(result_of(end).score),
        "totals": all_words(end.totals),
        "clause": SETTLED_BY[str(state.ruleset.options["moon"])],
    }
    if not matched:
        return answer_sentence("choice brings", **facts)
    if end.winners is None:
        ends = clause_of_the_end(state.ruleset, bool(result_of(end).reached))
        return answer_sentence("choice goes on", ends=ends, **facts)
    event = "choice wins" if len(end.winners) == 1 else "choice shares"
    return answer_sentence(event, winners=seats_words(end.winners), **facts)


# The headline


def _headline(state: State) -> str:
    result = result_of(state)
    shooter = int(result.shooter)
    if result.by_claim:
        payers = [seat for seat, points in enumerate(result.score) if points]
        if not payers:
            return headline("revoke costs nothing")
        points = result.score[payers[0]]
        return headline("revoke ends", who=seat_words(payers[0]), points=points)
    pays = list_words([_pays(seat, points) for seat, points in enumerate(result.score)])
    if shooter < 0:
        return headline("pays", pays=pays)
    worth, plain = worth_of_moon(state), moon_points(state)
    who = seat_words(shooter)
    shot = WORDS["the sun" if is_sun(state) else "the moon"]
    if tuple(plain) != result.score:
        return headline("moon and more", who=who, shot=shot, pays=pays)
    if result.settled == MINUS:
        return headline("moon minus", who=who, shot=shot, points=worth)
    if result.settled == PLUS and state.ruleset.players > 2:
        return headline("moon plus", who=who, shot=shot, points=worth)
    payer = [seat for seat, points in enumerate(plain) if points]
    other = seat_words(payer[0])
    return headline("moon one", who=who, shot=shot, other=other, points=worth)


def _pays(seat: int, points: int) -> str:
    who = seat_words(seat)
    if points > 0:
        return WORDS["pays"].format(who=who, points=points)
    if points < 0:
        return WORDS["takes off"].format(who=who, points=-points)
    return WORDS["pays nothing"].format(who=who)


# The table of figures


def _figures(
    state: State, matched: bool
) -> tuple[tuple[str, ...], tuple[tuple[str | int, ...], ...]]:
    """The column headings and rows of a table that splits each seat's score into parts.

    Parts in which nobody scores are left out. If `matched`, the totals before and after
    the deal are included.
    """
    result = result_of(state)
    found: list[tuple[str, list[int]]] = []
    if not result.by_claim:
        found = [part for part in _parts(state) if any(part[1])]
    found.append(("deal", list(result.score)))
    if matched:
        found = [("before", list(state.core.sheet.totals)), *found]
        found.append(("after", list(result.totals)))
    columns = [COLUMNS["seat"], *(COLUMNS[name] for name, _ in found)]
    rows: list[tuple[str | int, ...]] = []
    for seat in range(state.ruleset.players):
        rows.append((seat, *(numbers[seat] for _, numbers in found)))
    return tuple(columns), tuple(rows)


def _parts(state: State) -> list[tuple[str, list[int]]]:
    """The parts that make up the score, each with its name and its points by seat.

    They are in the order of the book.
    """
    rules, counted = state.core.rules, hauls_of(state)
    parts: list[tuple[str, list[int]]] = []
    if result_of(state).shooter < 0:
        for name, suit in (("hearts", HEARTS), ("spades", SPADES)):
            points = [int(points_of(rules, Mask(one.cards & suit))) for one in counted]
            parts.append((name, points))
    else:
        parts.append(("sun" if is_sun(state) else "moon", moon_points(state)))
    return [*parts, *parts_besides(state)]
