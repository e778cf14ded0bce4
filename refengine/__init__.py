"""refengine: the rules of Hearts and Domino Hearts, clause by clause.

>>> from refengine import Ruleset, new_deal
>>> hands = ["2C", "QS", "2H", "3H"]
>>> state = new_deal(Ruleset("estmesh-hearts"), hands, dealer=3, deal=4)
>>> state.legal.cards
CardSet('2C')
"""

TYPE_CHECKING = False  # as in `typing`, which costs more than all of this
if TYPE_CHECKING:
    from refengine.errors import EngineBug, Malformed
    from refengine.game.acts import (
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
    from refengine.game.observe import Event, View
    from refengine.game.rulesets import Ruleset
    from refengine.game.setups import Match, Setup
    from refengine.game.tricks import Table, Trick
    from refengine.game.values.cardset import (
        WHOLE_PACK,
        Card,
        CardSet,
        Rank,
        Suit,
        card,
        cards,
    )
    from refengine.game.values.legal import Due, LegalActs
    from refengine.game.values.state import RevokeNote, State, new_deal, new_match
    from refengine.game.verdicts import Irregular, Legal, Refused, Verdict
    from refengine.lawbook.book import Clause, clause, clauses
    from refengine.lawbook.options import OPTIONS, Option
    from refengine.lawbook.profiles import Profile, profile, profile_names

    __mode__: str

__version__ = "0.2.0"

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

_HOMES = {
    "game.acts": "Act Claim Cut Deal Draw Forward Mix Moon Pass Play Quit Retract"
    " Scatter",
    "lawbook.book": "Clause clause clauses",
    "game.values.cardset": "WHOLE_PACK Card CardSet Rank Suit card cards",
    "errors": "EngineBug Malformed",
    "game.values.legal": "Due LegalActs",
    "game.observe": "Event View",
    "lawbook.options": "OPTIONS Option",
    "lawbook.profiles": "Profile profile profile_names",
    "game.rulesets": "Ruleset",
    "game.setups": "Match Setup",
    "game.values.state": "RevokeNote State new_deal new_match",
    "game.tricks": "Table Trick",
    "game.verdicts": "Irregular Legal Refused Verdict",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """A name of the package, whose module is imported when it is first asked for."""
    from importlib import import_module

    if name == "__mode__":
        compiled = import_module("refengine.sealing").COMPILED
        value: object = "compiled" if compiled else "interpreted"
    elif name in _HOME:
        value = getattr(import_module(f"refengine.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), "__mode__", *__all__]
