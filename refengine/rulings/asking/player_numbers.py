"""Questions about the number of players, the hand size and the cards taken out."""

from __future__ import annotations

from refengine.errors import Malformed, counted
from refengine.game.openings_in_words import numbers_words, profiles_for
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import WHOLE_PACK
from refengine.lawbook.profiles import profile
from refengine.rulings.asking.answers import Answer, headline
from refengine.rulings.asking.played_deals import cards_each, pack_of
from refengine.rulings.asking.questions import Question
from refengine.rulings.house_sheet import size_lines
from refengine.rulings.sentences import ALLOWED, COLUMNS, Said, answer_sentence
from refengine.rulings.words import cards_words, list_words


def opening_answer(question: Question) -> Answer:
    """Which profiles can be played by this many players, and what each of them deals.

    The answer includes which cards each profile takes out of the pack. Raises Malformed
    if `hands` does not give one number for each player.
    """
    rules = question.rules
    players = question.number("players", rules.players)
    hands = question.numbers("hands", ())
    if question.has("hands") and len(hands) != players:
        allowed = ALLOWED["each player"].format(players=players)
        raise Malformed(f"{len(hands)} hands", allowed, "hands")
    names = profiles_for(players)
    same = rules.profile if rules.players == players else ""
    rows = [_row(rules if name == same else Ruleset(name, players)) for name in names]
    if same and same not in names:  # with a kitty it may be for other numbers
        rows.append(_row(rules))
    columns = ("profile", "cards each", "taken out", "left over")
    heads = tuple([COLUMNS[name] for name in columns])
    if rules.players != players:
        return _for_other_numbers(rules, players, heads, tuple(rows))
    said, follows = _dealt(question)
    return Answer(
        rules=rules,
        headline=said,
        why=tuple([Said(line.text, line.clauses) for line in size_lines(rules)]),
        follows=follows,
        columns=heads,
        rows=tuple(rows),
    )


def _for_other_numbers(
    rules: Ruleset,
    players: int,
    columns: tuple[str, ...],
    rows: tuple[tuple[str | int, ...], ...],
) -> Answer:
    """The answer if the profile of these rules is not for this number of players.

    `columns` and `rows` are the table of the profiles that are.
    """
    found = profile(rules.profile)
    numbers = numbers_words(found)
    if rows:
        facts = {"numbers": numbers, "title": found.title, "players": players}
        said = headline("not for so many", **facts)
    else:
        said = headline("for nobody", players=counted(players, "player"))
    why = (answer_sentence("number of players", numbers=numbers, title=found.title),)
    return Answer(rules=rules, headline=said, why=why, columns=columns, rows=rows)


def _dealt(question: Question) -> tuple[str, tuple[Said, ...]]:
    """The headline on the deal, and the consequence if the hands are wrong.

    If the question gives the sizes of the hands, the headline says whether they are
    right; otherwise it describes the deal.
    """
    rules = question.rules
    size = cards_each(rules)
    out = WHOLE_PACK - pack_of(rules)
    facts: dict[str, object] = {
        "players": counted(rules.players, "player"),
        "cards": counted(size, "card"),
        "out": cards_words(out),
    }
    name = "deal less" if out else "deal all"
    if not question.has("hands"):
        return headline(name, **facts), ()
    hands = question.numbers("hands", ())
    wrong = [seat for seat, held in enumerate(hands) if held != size]
    if not wrong:
        return headline("deal right", **facts), ()
    facts["counts"] = list_words([f"seat {seat} has {hands[seat]}" for seat in wrong])
    return headline("deal wrong", **facts), (answer_sentence("misdeal"),)


def _row(rules: Ruleset) -> tuple[str | int, ...]:
    """A table row for these rules: profile, hand size, cards removed and left over."""
    pack, size = pack_of(rules), cards_each(rules)
    left = len(pack) - size * rules.players
    return rules.profile, size, str(WHOLE_PACK - pack), left
