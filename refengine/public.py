"""What is public: names in the package, modules, and older names that still work.

Everything else may change in any version. A public name that is changed keeps working
for two versions, with a DeprecationWarning that gives the new name. Imports stand
within the functions, so that `import refengine` stays quick.
"""

# The public names of `refengine`, by the module that defines them.
NAMES = {
    "errors": "EngineBug Malformed",
    "game.acts": "Act Claim Cut Deal Draw Mix MoonChoice Pass PassUnseen Play QuitTrick"
    " Retract Scatter",
    "game.clubs": "ClubRules club_rules",
    "game.observe": "Event View",
    "game.rulesets": "Ruleset",
    "game.setups": "Match Setup",
    "game.tricks": "Table Trick",
    "game.values.cardset": "WHOLE_PACK Card CardSet Rank Suit card cards",
    "game.values.legal": "Due LegalActs",
    "game.values.state": "RevokeNote State new_deal new_match",
    "game.verdicts": "Irregular Legal Refused Verdict",
    "lawbook.book": "Clause clause clauses",
    "lawbook.options": "OPTIONS Option",
    "lawbook.profiles": "Profile profile profile_names",
    "rulings.explain": "CardRuling Ruling explain",
    "rulings.sentences": "Said",
    "worlds.announcements": "ImpossibleRecord SeenSetup Told",
    "worlds.seat_record": "SeatRecord",
}

# The public modules of `refengine`, by what they are for.
MODULES = {
    "Reading and citing the book": (
        *("lawbook.book", "lawbook.reading", "lawbook.options", "lawbook.profiles"),
        "lawbook.at_the_table",
        "game.rulesets",
    ),
    "Questions and answers": (
        *("rulings.asking.ask", "rulings.asking.questions"),
        *("rulings.asking.answers", "rulings.asking.answer_text"),
    ),
    "Two rulesets side by side": (
        *("comparison.differences", "comparison.option_differences"),
    ),
    "Score sheets": (
        *("rulings.sheets.reading_sheets", "rulings.sheets.judging_sheets"),
        *("rulings.sheets.fitting_sheets", "rulings.sheets.deal_scores"),
    ),
    "Values as JSON, saved games, positions on a line": ("json", "formats.positions"),
    "Traces and logs": (
        *("formats.trace", "formats.annotate", "formats.convert", "formats.generate"),
        "formats.minideals",
        *("formats.logs", "rulings.submitted_game", "rulings.judge", "rulings.records"),
    ),
    "Hidden cards and many games": (
        *("game.world", "game.observe", "machine.playouts", "machine.perft"),
        *("worlds.seat_record", "worlds.announcements", "worlds.record_lines"),
        *("worlds.sampling", "worlds.searching"),
    ),
    "Environments to learn in": (
        *("learning.tables_env", "learning.seat_env", "learning.table_env"),
        *("learning.spiel_state", "learning.episodes", "learning.random_policies"),
        *("learning.actions", "learning.observations", "learning.spaces"),
    ),
    "For people": (
        *("pictures", "formats.showing", "machine.notation", "game.shuffling"),
    ),
}

# The public modules of `refengine_conformance`.
EVIDENCE = (
    *("runner.selection", "runner.runner", "runner.driver", "runner.results"),
    *("runner.known_failures", "report.reports", "report.html_report"),
    *("diagnosis.fitting_rulesets", "diagnosis.inference", "diagnosis.shrinking"),
    "corpus_tools.evidence",
)

# These are public too; they import Hypothesis, so the API reference leaves them out.
FOR_TESTS = ("generators.strategies", "generators.statemachine")

# Older names, which version 0.4 will remove, and what they are called now.
OLD_NAMES = {"Forward": "PassUnseen", "Moon": "MoonChoice", "Quit": "QuitTrick"}
OLD_MODULES = {
    "acts": ("game.acts",),
    "annotate": ("formats.annotate",),
    "book": ("lawbook.book",),
    "bulk": ("machine.playouts", "machine.perft"),
    "cardset": ("game.values.cardset",),
    "convert": ("formats.convert",),
    "generate": ("formats.generate",),
    "legal": ("game.values.legal",),
    "minideals": ("formats.minideals",),
    "notation": ("machine.notation",),
    "observe": ("game.observe",),
    "options": ("lawbook.options",),
    "reading": ("lawbook.reading",),
    "rulesets": ("game.rulesets", "lawbook.profiles"),
    "setups": ("game.setups",),
    "showing": ("formats.showing",),
    "shuffling": ("game.shuffling",),
    "state": ("game.values.state",),
    "trace": ("formats.trace",),
    "tricks": ("game.tricks",),
    "verdicts": ("game.verdicts",),
    "world": ("game.world",),
}


def deprecated(old: str, new: str, depth: int) -> None:
    """Warn that the name `old` is now `new`.

    The warning points to the caller `depth` levels up the stack.
    """
    from warnings import warn

    removed = "the old name will be removed in version 0.4"
    text = f"refengine.{old} is refengine.{new} now; {removed}"
    warn(text, DeprecationWarning, stacklevel=depth + 1)


class OldModules:
    """An import hook that creates the modules in OLD_MODULES.

    Each contains the public names of the modules that replaced it.
    """

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> object:
        """The spec of a module in OLD_MODULES; None for any other module."""
        package, _, module = name.partition(".")
        if package != "refengine" or module not in OLD_MODULES:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self)  # type: ignore[arg-type]  # acts as a loader

    def create_module(self, spec: object) -> None:
        """Return None, so that Python creates the module."""

    def exec_module(self, module: object) -> None:
        """Fill the module from its replacements, and warn that it is deprecated."""
        from importlib import import_module

        old = vars(module)["__name__"].partition(".")[2]
        deprecated(old, " and refengine.".join(OLD_MODULES[old]), depth=2)
        for home in OLD_MODULES[old]:
            vars(module).update(
                {
                    name: value
                    for name, value in vars(import_module(f"refengine.{home}")).items()
                    if not name.startswith("_")
                }
            )
