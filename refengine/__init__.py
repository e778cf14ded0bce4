"""refengine: the rules of Hearts and Domino Hearts, clause by clause.

>>> from refengine import Ruleset, new_deal
>>> hands = ["2C", "QS", "2H", "3H"]
>>> state = new_deal(Ruleset("estmesh-hearts"), hands, dealer=3, deal=4)
>>> state.legal.cards
CardSet('2C')
"""

import sys

from refengine import public

TYPE_CHECKING = False  # not from `typing`: importing it costs more than all this
if TYPE_CHECKING:  # the names that `__getattr__` finds, for type checkers
    from refengine.errors import EngineBug as EngineBug
    from refengine.errors import Malformed as Malformed
    from refengine.game.acts import Act as Act
    from refengine.game.acts import Claim as Claim
    from refengine.game.acts import Cut as Cut
    from refengine.game.acts import Deal as Deal
    from refengine.game.acts import Draw as Draw
    from refengine.game.acts import Mix as Mix
    from refengine.game.acts import MoonChoice as MoonChoice
    from refengine.game.acts import Pass as Pass
    from refengine.game.acts import PassUnseen as PassUnseen
    from refengine.game.acts import Play as Play
    from refengine.game.acts import QuitTrick as QuitTrick
    from refengine.game.acts import Retract as Retract
    from refengine.game.acts import Scatter as Scatter
    from refengine.game.clubs import ClubRules as ClubRules
    from refengine.game.clubs import club_rules as club_rules
    from refengine.game.observe import Event as Event
    from refengine.game.observe import View as View
    from refengine.game.rulesets import Ruleset as Ruleset
    from refengine.game.setups import Match as Match
    from refengine.game.setups import Setup as Setup
    from refengine.game.tricks import Table as Table
    from refengine.game.tricks import Trick as Trick
    from refengine.game.values.cardset import WHOLE_PACK as WHOLE_PACK
    from refengine.game.values.cardset import Card as Card
    from refengine.game.values.cardset import CardSet as CardSet
    from refengine.game.values.cardset import Rank as Rank
    from refengine.game.values.cardset import Suit as Suit
    from refengine.game.values.cardset import card as card
    from refengine.game.values.cardset import cards as cards
    from refengine.game.values.legal import Due as Due
    from refengine.game.values.legal import LegalActs as LegalActs
    from refengine.game.values.state import RevokeNote as RevokeNote
    from refengine.game.values.state import State as State
    from refengine.game.values.state import new_deal as new_deal
    from refengine.game.values.state import new_match as new_match
    from refengine.game.verdicts import Irregular as Irregular
    from refengine.game.verdicts import Legal as Legal
    from refengine.game.verdicts import Refused as Refused
    from refengine.game.verdicts import Verdict as Verdict
    from refengine.lawbook.book import Clause as Clause
    from refengine.lawbook.book import clause as clause
    from refengine.lawbook.book import clauses as clauses
    from refengine.lawbook.options import OPTIONS as OPTIONS
    from refengine.lawbook.options import Option as Option
    from refengine.lawbook.profiles import Profile as Profile
    from refengine.lawbook.profiles import profile as profile
    from refengine.lawbook.profiles import profile_names as profile_names
    from refengine.rulings.explain import CardRuling as CardRuling
    from refengine.rulings.explain import Ruling as Ruling
    from refengine.rulings.explain import explain as explain
    from refengine.rulings.sentences import Said as Said
    from refengine.worlds.announcements import ImpossibleRecord as ImpossibleRecord
    from refengine.worlds.announcements import SeenSetup as SeenSetup
    from refengine.worlds.announcements import Told as Told
    from refengine.worlds.seat_record import SeatRecord as SeatRecord

    __mode__: str

__version__ = "0.2.0"

_HOME = {name: home for home, names in public.NAMES.items() for name in names.split()}

__all__ = sorted(_HOME)

sys.meta_path.append(public.OldModules())  # type: ignore[arg-type]  # needs no base


def __getattr__(name: str) -> object:
    """The value of a name in this package; its module is imported on first use."""
    from importlib import import_module

    if name in public.OLD_NAMES:
        public.deprecated(name, public.OLD_NAMES[name], depth=2)
        return __getattr__(public.OLD_NAMES[name])
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
