"""Every sentence of a ruling, in one place: the words are here, the rules elsewhere.

A sentence is a template with the clause that it comes from. The engine finds which
sentences apply and what fills them. In braces, `who` stands for a seat, `card` for a
card in words, `suit` for the suit led, `cards` for the cards that would be allowed, and
`others` for seats.
"""

from __future__ import annotations

from typing import Final

import attrs

from refengine.lawbook import book


@attrs.frozen
class Said:
    """One sentence of a ruling, and the clauses that it cites."""

    text: str
    clauses: tuple[str, ...]

    def __str__(self) -> str:
        beside = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return f"{self.text}{beside}"


def sentence_of(template: str, *clauses: str, **facts: object) -> Said:
    """The sentence that a template makes of these facts, beginning with a capital."""
    text = template.format(**facts)
    return Said(text[:1].upper() + text[1:], clauses)


# Why an act is refused, or irregular: one sentence for each clause that can be named.

WHY_NOT: Final[dict[str, str]] = {
    "2.3": "it is not {who}'s turn: {turn}.",
    "2.4": "this is not the time for it: {phase}.",
    "3.1a": "the card must come from the pack, and nobody else may have drawn it in "
    "this round.",
    "3.8": "the hands and what is left beside them are not what has to be dealt: "
    "{dealt}.",
    "4.4": "that is the wrong number of cards: {passed} must be passed.",
    "4.5": "only cards of the hand as it was dealt can be passed; {who} was dealt "
    "{hand}.",
    "4.6": "{scatter}",
    "4.9": "nobody may push on unseen what comes: {unseen}.",
    "4.10a": "the dealer must give back exactly the cards that were given away, to "
    "each player as many as before, and the kitty has no part in it unless the table "
    "says so.",
    "5.2": "the first lead of the deal must be {cards}.",
    "5.3": "{suit} were led and {who} holds {a_suit}: whoever can follow suit must, "
    "here with {cards}.",
    "5.4": "hearts may not be led before one has been played, as long as the leader "
    "has anything else, here {cards}.",
    "5.5": "{card} costs points, and no such card may go to the first trick while "
    "another one will do, here {cards}.",
    "5.6": "the queen of spades has to be played as soon as it is safe, which it is.",
    "5.7": "{who} does not hold {card}.",
    "6.1": "{suit} were led and {who} has none, so {who} must draw from the stock: "
    "until one comes, or the stock is gone.",
    "6.2": "{who} leads, holds nothing but hearts, and hearts are not broken: {who} "
    "must draw from the stock until another suit comes.",
    "6.3": "{who} does not have to draw, and nobody draws without having to: {draw}.",
    "7.3": "only a card of one's own that wrongly failed to follow suit can be taken "
    "back, and only before somebody has claimed it; {card} is no such card of {who}.",
    "7.4": "it is too late to take the card back: here there is time only {window}.",
    "7.6": "there is no trick that {who} may turn face down now.",
    "7.7": "it is too early to claim this: {early}.",
    "7.7a": "there is no such mistake of {against} in trick {trick} that is still open "
    "to a claim. A false claim costs nothing.",
    "7.7b": "a claim has already ended this deal.",
    "8.6": "that is not open to this player, who may choose {choices}.",
}

# Why a card may be played. The first that applies is told.

WHY: Final[dict[str, tuple[str, str]]] = {
    "opens": ("5.2", "this is the card that must open the deal."),
    "opens freely": ("5.2", "{who} holds no club, so the first lead is free."),
    "drawn suit": (
        "6.4a",
        "it is the card of the suit led that {who} drew for: it must be played.",
    ),
    "drawn lead": (
        "6.4a",
        "it is the card {who} drew for to have something to lead: it must be led.",
    ),
    "follows": ("5.3", "it follows suit: {suit} were led."),
    "stock is gone": (
        "6.5",
        "{suit} were led, {who} has none and the stock is gone: any card will do.",
    ),
    "cannot follow": ("5.8", "{suit} were led and {who} has none: any card will do."),
    "nothing but hearts": (
        "5.4a",
        "{who} holds nothing but hearts, so one may be led although hearts are not "
        "broken.",
    ),
    "hearts or queen": (
        "5.4b",
        "{who} holds nothing but hearts and the queen of spades, and here such a "
        "leader may choose.",
    ),
    "no heart": ("5.4", "hearts cannot be led yet, and this is no heart."),
    "hearts are broken": ("5.9", "a heart has been played, so hearts may be led now."),
    "queen broke hearts": (
        "5.9a",
        "the queen of spades has been played and breaks hearts here, or a heart was: "
        "hearts may be led now.",
    ),
    "nothing but points": (
        "5.5a",
        "points are kept out of the first trick, but {who} has nothing else that could "
        "be played.",
    ),
    "no points": ("5.5", "it costs nothing, so it may go to the first trick."),
    "queen must go": ("5.6", "the queen of spades has to be played now."),
    "leads a spade": (
        "5.8",
        "{who} leads, and spades may be led from the first trick on.",
    ),
    "leads": ("0.12", "{who} leads, and no rule forbids leading this card."),
    "cut": ("3.1a", "nobody else has drawn this card in this round."),
    "deal": ("3.8", "this is what has to be dealt: {dealt}."),
    "pass": ("4.4", "{who} must pass {passed}, and these come from the hand."),
    "scatter": ("4.6", "in this deal every other player gets one card, as here."),
    "forward": ("4.9", "here {unseen}."),
    "mix": (
        "4.10a",
        "every player gets back as many cards as before, out of those given away.",
    ),
    "retract": ("7.4", "there is still time to take the card back, {window}."),
    "quit": ("7.6", "{who} won this trick, and here the winner may turn it face down."),
    "claim": (
        "7.7c",
        "the claim is right, and it comes in time: every player may claim, from the "
        "moment the card can no longer be taken back until the next deal is dealt.",
    ),
    "moon": ("8.6", "it is one of the choices of a player who shot the moon here."),
}

# What the ruling is called, before the reasons.

RULED_LEGAL: Final = "{who} may {act}."
RULED_IRREGULAR: Final = (
    "{who} may not {act}, but it is not refused either: the card stands as a revoke, "
    "a mistake that can be taken back for a while and claimed later."
)
UNCHANGED: Final = "a refused act changes nothing; {turn}."

HOW_TO_READ: Final = Said(
    "Seats are counted from 0, round to the left. A card is its rank, then its suit: "
    "QS is the queen of spades, TD the ten of diamonds.",
    ("2.1", "1.9"),
)

# The option values that mattered.

MATTERED: Final = "at this table {now} ({option}={value})."
_ELSEWHERE: Final = (
    "at this table {now} ({option}={value}). Where {other} ({option}={other_value}), "
)
WOULD_PASS: Final = _ELSEWHERE + "it would be allowed."
WOULD_STILL_FAIL: Final = _ELSEWHERE + "it would at least not be refused for this."
WOULD_STAND: Final = _ELSEWHERE + "it would stand as a mistake to be claimed later."
WOULD_END: Final = "at this table {now} ({option}={value}). Elsewhere: {outcomes}."
OUTCOMES: Final = {
    "score": "with {option}={value} the score of the deal is {numbers}",
    "totals": "with {option}={value} the totals are {numbers}",
    "over": "with {option}={value} the match is over, won by {who}",
    "open": "with {option}={value} the match goes on",
    "choice": "with {option}={value} {who} chooses how the moon counts",
}
WOULD_FAIL: Final = _ELSEWHERE + "it would be refused."

# What follows.

FOLLOWS: Final[dict[str, tuple[str, ...]]] = {
    "revoke": (
        "{who} could have followed suit and did not: that is a revoke. At this table "
        "the card stands for now.",
        "7.1",
        "7.2",
    ),
    "revoke open": ("{who} may still take it back, {window}.", "7.4"),
    "revoke open at the end": (
        "{who} may still take it back, until somebody claims it or the next deal is "
        "dealt.",
        "7.4a",
    ),
    "revoke closed": (
        "it can no longer be taken back: here there is time only {window}.",
        "7.4",
    ),
    "revoke claimable": (
        "once it cannot be taken back any more, anybody may claim it until the next "
        "deal is dealt; if nobody does, it costs nothing.",
        "7.7c",
        "7.8a",
    ),
    "hearts": ("hearts are broken from now on.", "5.9"),
    "hearts by queen": (
        "the queen breaks hearts here: they may be led from now on.",
        "5.9a",
    ),
    "out": ("{who} has no cards left and is out for the rest of the deal.", "6.6"),
    "won": ("{who} wins the trick with {card}, the highest of {suit}.", "5.10"),
    "kitty": (
        "it is the first trick with a card that costs points, so {who} takes the kitty "
        "({cards}) with it.",
        "5.13",
    ),
    "leads": ("{who} leads to the next trick.", "5.11"),
    "leads for winner": (
        "{winner} is out, so the nearest player to that player's left who still has "
        "cards leads: {who}.",
        "6.7",
    ),
    "next": ("{who} is next to play.", "5.12"),
    "goes on": ("{who} still has to play: a trick once begun is finished.", "6.6a"),
    "must follow by drawing": (
        "{who} has no card of the suit led and must draw from the stock.",
        "6.1",
    ),
    "must draw to lead": (
        "{who} has nothing but hearts, which cannot be led yet, and must draw from the "
        "stock.",
        "6.2",
    ),
    "drew": ("{who} draws {card} from the top of the stock and keeps it.", "6.4"),
    "drew in vain": (
        "the stock is gone: {who} may play any card at once, here {cards}.",
        "6.5",
    ),
    "drew well": ("now {cards} must be played.", "6.4a"),
    "play ended": ("that was the last trick of the deal.", "5.14"),
    "survivor": ("the cards left in {who}'s hand ({cards}) count against it.", "6.8"),
    "survivor takes stock": (
        "what is left of the stock goes to {who} and counts as well.",
        "6.8a",
    ),
    "stock to last": (
        "all hands are empty; {who} played last and takes the rest of the stock, which "
        "counts.",
        "6.8b",
    ),
    "stock to nobody": ("what is left of the stock counts for nobody.", "{clause}"),
    "moon due": (
        "{who} has taken every card that costs points (this is called shooting the "
        "moon) and now may choose {choices}.",
        "8.3",
        "{clause}",
    ),
    "retracted": (
        "the card goes back without penalty, and the play goes on from there as if it "
        "and the cards after it had not been played.",
        "7.5",
    ),
    "drawn stay": ("cards drawn from the stock since then stay drawn.", "7.5a"),
    "hearts unbroken": ("hearts are unbroken again.", "7.5"),
    "kitty back": ("the kitty goes back to its place.", "7.5"),
    "gone with it": (
        "another failure to follow suit among the cards taken back is gone with them.",
        "7.5b",
    ),
    "plays again": ("{who} plays another card.", "7.5"),
    "quitted": (
        "the trick is face down: nothing in it can be taken back any more.",
        "7.6",
        "7.4",
    ),
    "established": (
        "{who} could have followed suit in trick {trick} and did not. That is a "
        "revoke, and now it counts.",
        "7.1",
        "7.8",
    ),
    "ends deal": (
        "it ends the deal at once: {who} scores {points}, everybody else 0, and "
        "nothing else counts.",
        "7.9",
    ),
    "plays on": (
        "the deal goes on and the tricks stand; {who} pays {points} when it is scored.",
        "7.10",
    ),
    "no moon": ("a player who revoked cannot shoot the moon in this deal.", "8.3b"),
    "moon stands": ("the moon of the other player stands.", "8.3b"),
    "revoke costs": ("for revokes that were claimed: {each}.", "7.10"),
    "points": ("for cards that cost points: {each}.", "8.1"),
    "moon": (
        "{who} has taken every card that costs points, which is called shooting the "
        "moon.",
        "8.3",
    ),
    "sun": ("{who} has taken every trick as well.", "8.4"),
    "moon settled": ("{settled}: {each}.", "8.5", "{clause}"),
    "bonus": ("for the bonus card: {each}.", "8.7"),
    "no trick": ("for having taken no trick: {each}.", "8.8"),
    "score": ("the score of the deal is {score}.", "8.9"),
    "totals": ("the totals are {totals}.", "9.1"),
    "exactly": (
        "{who} came to exactly {limit}, which becomes {total}.",
        "9.2",
    ),
    "limit reached": ("the limit is reached, so the match is over.", "9.3"),
    "deals over": ("that was the last deal of the match.", "9.4"),
    "won match": ("the lowest total wins: {who}.", "9.5"),
    "shared": ("the lowest total wins, and a tie shares the win: {who}.", "9.5"),
    "played off": ("one player alone has the lowest total: {who} wins.", "9.6"),
    "tie goes on": (
        "the limit is reached, but {who} are level at the bottom: all play on.",
        "9.6",
    ),
    "limit open": ("the limit is not reached, so the match goes on.", "9.3"),
    "more deals": ("more deals are to come.", "9.4"),
    "next dealer": ("{who} deals next.", "3.2"),
    "passing": ("still to pass: {who}.", "4.7"),
    "passed": (
        "all have passed, and the cards change hands at once.",
        "4.8",
    ),
    "to mix": ("all have given their cards away; the dealer mixes them.", "4.10"),
    "dealt to pass": ("every player passes: {how}.", "4.1"),
    "no pass": ("no cards are passed in this deal.", "{clause}"),
    "opening lead": ("{who} leads first.", "5.1"),
    "opening lead by default": (
        "nobody holds a club, so {who}, on the dealer's left, leads first.",
        "5.1a",
    ),
    "cut goes on": ("still to draw for the first deal: {who}.", "3.1"),
    "cut again": ("{who} are tied for the lowest card and draw again.", "3.1c"),
    "cut won": ("{who} drew the lowest card and deals first.", "3.1b"),
    "nothing moves": ("nobody gave a card, so nothing moves.", "4.9b"),
    "no revoke": (
        "only a failure to follow suit can stand as a mistake; this cannot.",
        "7.1a",
    ),
    "forwarded": ("what comes to {who} goes on unseen.", "4.9a"),
}


# Irregularities: each paragraph with what it cites.

IRREGULAR: Final[dict[str, tuple[str, ...]]] = {
    "definition": (
        "A player who holds a card of the suit led and plays one of another suit "
        "revokes.",
        "5.3",
        "7.1",
    ),
    "no revoke": (
        "Nothing else is a revoke: not a card played out of turn, not a heart led too "
        "early, not a draw without need, not a card played instead of drawing. All "
        "these are refused, and a refused act changes nothing.",
        "7.1a",
        "0.10",
    ),
    "second fault": (
        "A card that breaks a second rule as well is refused too, although it fails to "
        "follow suit.",
        "7.2",
    ),
    "stands": (
        "The card is not refused. It stands as played, as at a table where nobody "
        "noticed, until it is taken back.",
        "7.2",
    ),
    "rejected": (
        "The card is refused, so a revoke cannot happen, and there is nothing to take "
        "back and nothing to claim.",
        "7.2",
    ),
    "never listed": (
        "It is never among the cards that may be played.",
        "7.2a",
    ),
    "who corrects": (
        "Only the player who revoked may take the card back, and only this card.",
        "7.3",
    ),
    "trick_complete": (
        "It can be taken back until the last card of the trick is played. Whoever "
        "plays last to a trick cannot take a revoke back.",
        "7.4",
    ),
    "trick_quitted": (
        "It can be taken back until the winner turns the trick face down, or the next "
        "card is led. A card drawn for that lead does not end the time.",
        "7.4",
    ),
    "next_lead": (
        "It can be taken back until the next card is led, or a card is drawn for that "
        "lead.",
        "7.4",
    ),
    "last trick": (
        "In the last trick of a deal, which no lead follows, the time ends with a "
        "claim on that trick or with the next deal{quit}.",
        "7.4a",
    ),
    "quit": (
        "The winner of a trick may turn it face down once, before the next card is "
        "led, whether or not anything can be taken back.",
        "7.6",
    ),
    "restored": (
        "Taking it back costs nothing. The play goes back to the moment before the "
        "card, as if that card and the cards after it had not been played: whose turn "
        "it was, whether hearts were broken, the kitty, who was out, the end of the "
        "deal. The player then plays another card.",
        "7.5",
    ),
    "drawn": (
        "Only cards drawn from the stock since then stay in the hands.",
        "7.5a",
    ),
    "taken with it": (
        "Another revoke among the cards taken back is gone with them.",
        "7.5b",
    ),
    "claim": (
        "A revoke counts once somebody claims it and is right. Every player may claim, "
        "the one who revoked too, and whoever's turn it is.",
        "7.7c",
        "7.8",
    ),
    "claim from": (
        "A claim is possible from the moment the card can no longer be taken back, and "
        "never before the trick is complete.",
        "7.7",
        "7.7c",
    ),
    "claim at once": (
        "On the last trick of a deal it is possible at once, though the card could "
        "still be taken back.",
        "7.7",
    ),
    "claim until": (
        "It is possible until the next deal is dealt, and in a finished match too, on "
        "its last deal.",
        "7.7c",
        "9.9",
    ),
    "false claim": (
        "A claim that is wrong is refused and costs nothing.",
        "7.7a",
    ),
    "unclaimed": (
        "A revoke that nobody claims costs nothing.",
        "7.8a",
    ),
    "suit in hand": (
        "A suit that was denied is still in the hand and must be followed later on. "
        "That is how a revoke comes to light.",
        "7.11",
    ),
    "ends": (
        "The claim ends the deal at once. Who revoked scores {points}, everybody else "
        "0. Cards taken, hands, stock, bonus, moon and other revokes count for nobody.",
        "7.9",
    ),
    "goes on": (
        "The deal goes on, and cards and tricks stand. Each revoke that was claimed "
        "adds {points} to the score of the deal, once.",
        "7.10",
    ),
    "counts as deal": (
        "It counts as a deal for the dealer, the passes and the end of the match.",
        "7.9",
    ),
    "no moon": (
        "Who revoked cannot shoot the moon in that deal; another player's moon stands.",
        "8.3b",
    ),
    "scored anew": (
        "Where the deal had been scored, it is scored anew, and with it the totals and "
        "the end of the match.",
        "7.8",
    ),
}

# What is said of a whole game.

GAME: Final[dict[str, str]] = {
    "legal": "Nothing in it is against these rules.",
    "states": "{place} it states {what} as {stated}; by these rules that is {found}.",
    "legal under": "legal from the first act to the last.",
    "illegal under": "{place}: {who} may not {act}.",
    "states under": "legal, but not all that is stated is right.",
    "cannot begin": "the game cannot begin: {reason}.",
    "no fit": "No ruleset of the book fits, with up to three options changed.",
    "as named": "{ruleset}: the rules that are named.",
    "changed": "{ruleset}: {meant}.",
    "other": "{ruleset}: differs in {options}.",
}
DIFFERS: Final[dict[str, str]] = {
    "no effect": "It has no effect beside the other options of either.",
    "only together": "The book allows no change of this option alone.",
    "none": "No game shows it in {size}.",
    "begins": "may the game begin?",
    "match": "Shown by what is dealt in a match:",
    "shown": "Shown by: {hands}; {more}.",
}
STATED: Final[dict[str, str]] = {
    "score": "the score of the deal",
    "totals": "the totals",
    "match": "how the match stands",
    "legal": "what may be done",
    "revokes": "what becomes of the failure to follow suit",
    "taken": "the cards taken",
    "turn": "who is to act",
    "hearts_broken": "whether hearts are broken",
    "trick": "the trick",
    "points": "the points taken",
}


def irregularity_sentence(name: str, **facts: object) -> Said:
    """A sentence about irregularities."""
    template, *clauses = IRREGULAR[name]
    return Said(template.format(**facts), tuple(clauses))


def game_sentence(event: str, *clauses: str, **facts: object) -> Said:
    """A sentence about a whole game."""
    return Said(GAME[event].format(**facts), clauses)


def why_forbidden(clause: str, **facts: object) -> Said:
    """Why this clause forbids an act; without a template, its first sentence."""
    template = WHY_NOT.get(clause)
    if template is None:
        return Said(book.clause(clause).text.splitlines()[0], (clause,))
    return sentence_of(template, clause, **facts)


def why_allowed(reason: str, **facts: object) -> Said:
    """Why a card may be played."""
    clause, template = WHY[reason]
    return sentence_of(template, clause, **facts)


def consequence_sentence(event: str, **facts: object) -> Said:
    """What follows from an act."""
    template, *clauses = FOLLOWS[event]
    found = [clause.format(**facts) for clause in clauses]
    return sentence_of(template, *(clause for clause in found if clause), **facts)
