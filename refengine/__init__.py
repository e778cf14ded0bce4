"""refengine: the rules of Hearts and Domino Hearts, clause by clause.

>>> from refengine import Ruleset, new_deal
>>> hands = ["2C", "QS", "2H", "3H"]
>>> state = new_deal(Ruleset("estmesh-hearts"), hands, dealer=3, deal=4)
>>> state.legal.cards
CardSet('2C')
"""

from refengine.acts import (
    Act,
    Claim,
    Cut,
    Deal,
    Draw,
    Forward,
    Mix,
    Moon,
    Pass,
    Play,
    Quit,
    Retract,
    Scatter,
)
from refengine.book import Clause, clause, clauses
from refengine.cardset import WHOLE_PACK, Card, CardSet, Rank, Suit, card, cards
from refengine.errors import EngineBug, Malformed
from refengine.legal import Due, LegalActs
from refengine.observe import Event, View
from refengine.options import OPTIONS, Option
from refengine.rulesets import Profile, Ruleset, profile, profile_names
from refengine.sealing import COMPILED
from refengine.setups import Match, Setup
from refengine.state import RevokeNote, State, new_deal, new_match
from refengine.tricks import Table, Trick
from refengine.verdicts import Irregular, Legal, Refused, Verdict

__version__ = "0.1.0"
__mode__ = "compiled" if COMPILED else "interpreted"

__all__ = [
    "OPTIONS",
    "WHOLE_PACK",
    "Act",
    "Card",
    "CardSet",
    "Claim",
    "Clause",
    "Cut",
    "Deal",
    "Draw",
    "Due",
    "EngineBug",
    "Event",
    "Forward",
    "Irregular",
    "Legal",
    "LegalActs",
    "Malformed",
    "Match",
    "Mix",
    "Moon",
    "Option",
    "Pass",
    "Play",
    "Profile",
    "Quit",
    "Rank",
    "Refused",
    "Retract",
    "RevokeNote",
    "Ruleset",
    "Scatter",
    "Setup",
    "State",
    "Suit",
    "Table",
    "Trick",
    "Verdict",
    "View",
    "card",
    "cards",
    "clause",
    "clauses",
    "new_deal",
    "new_match",
    "profile",
    "profile_names",
]
