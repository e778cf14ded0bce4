"""Judge games that an engine has logged: what was illegal, and which rules fit."""

from collections import Counter
from collections.abc import Iterable, Iterator

from refengine import Malformed
from refengine.rulings.judge import judge_game, judge_under_all_profiles
from refengine.rulings.submitted_game import read_game


def broken_clauses(lines: Iterable[bytes]) -> Counter[str]:
    """How often each clause is broken by the first illegal act of a game."""
    found: Counter[str] = Counter()
    for line in lines:
        found.update(judge_game(read_game(line)).clauses)
    return found


def report(line: bytes) -> Iterator[str]:
    """The findings about one game, given as a trace or a log, in sentences."""
    try:
        game = read_game(line)
    except Malformed as error:
        yield f"cannot be read: {error}"
        return
    judgement = judge_game(game)
    if judgement.fits:
        yield "everything in it is right"
        return
    if judgement.illegal is not None:
        moment = judgement.illegal
        ruling = moment.state.explain(moment.act)
        yield f"card {moment.place}: {ruling.headline}"
        yield from (said.text for said in ruling.why)
    yield from map(str, judgement.wrong)
    fitting = [one for one in judge_under_all_profiles(game) if one.fits]
    yield f"right under {', '.join(one.ruleset.profile for one in fitting) or 'none'}"


GAME = b"""{"log": 1, "ruleset": {"profile": "common-hearts", "players": 4},
 "setup": {"dealer": 3, "deal": 4, "hands": ["2C 3H", "QS 4D", "5C 2H", "3C 5H"]},
 "plays": "2C QS 5C 3C 2H 5H 3H 4D", "score": [0, 0, 13, 3]}""".replace(b"\n", b"")

if __name__ == "__main__":
    print("\n".join(report(GAME)))
    print(broken_clauses([GAME]))
