"""Try out a wheel that has just been installed: `python release/smoke.py`.

`python release/smoke.py conform` also tries refengine-conform.

The file is run as a script, so that `refengine` is the installed package and never the
checkout. The first failed check ends it with exit code 1 and one line.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import refengine
from refengine import Ruleset, SeatRecord, State, new_deal
from refengine.json import read_state, write_state
from refengine.worlds.sampling import worlds

# Two tricks that can be added up by hand. The queen goes on a club and costs the third
# seat 13; the last trick has the four hearts, and costs the fourth seat 4.
HANDS = ["2C 3H", "QS 4H", "4C 2H", "3C 5H"]
PLAYS = ["2C", "QS", "4C", "3C", "2H", "5H", "3H", "4H"]
SCORE = (0, 0, 13, 4)


class FailedError(Exception):
    """A fault found in the wheel, described by the message."""


def check_compiled() -> None:
    """Raise FailedError unless the rules are compiled."""
    if refengine.__mode__ != "compiled":
        raise FailedError(f"the rules are {refengine.__mode__}, not compiled")


def check_deal() -> State:
    """The state after a complete deal of two tricks.

    After each play, the state is written and read back; unless the deal is over, worlds
    are then dealt from what seat 0 has been told. Raises FailedError if the score or
    any of these is wrong.
    """
    state = new_deal(Ruleset("estmesh-hearts"), HANDS, dealer=3, deal=4)
    for played in PLAYS:
        state = state.play(played)
        if read_state(write_state(state)) != state:
            raise FailedError(f"after {played} the state is not read as written")
        if state.over:
            continue
        for world in worlds(SeatRecord.of(state, 0), 3, seed=1):
            if world.observe(0) != state.observe(0):
                raise FailedError(f"after {played} a world shows seat 0 something else")
    if state.score != SCORE:
        raise FailedError(f"the score is {state.score}, not {SCORE}")
    return state


def check_command(*words: str) -> str:
    """The output of a command of `refengine`.

    Raises FailedError if the command fails.
    """
    # -P: from the folder of the checkout, -m would find the source.
    command = [sys.executable, "-P", "-m", "refengine", *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    if done.returncode:
        raise FailedError(f"refengine {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout


def check_replay() -> str:
    """The output of `refengine replay` for games written by `refengine generate`.

    Raises FailedError if either command fails.
    """
    with TemporaryDirectory() as folder:
        games = Path(folder) / "games.jsonl"
        written = check_command("generate", "--from", "deal", "--deals", "20")
        games.write_text(written, "utf-8")
        return check_command("replay", "--at-least", "20", str(games))


def main(*beside: str) -> None:
    """Try out the wheel, and print which wheel it was; exit with a message if it fails.

    With the word `conform`, the package that tests engines is tried too.
    """
    try:
        check_compiled()
        check_deal()
        said = check_command("--version").strip()
        if "(compiled)" not in said:
            raise FailedError(f"the command says {said}")
        print(said)
        print(check_replay().strip())
        if "conform" in beside:
            print(check_command("conform", "bundled").strip())
    except FailedError as failed:
        sys.exit(f"smoke: {failed}")
    print(f"well on Python {sys.version.split()[0]}, {sys.platform}")


if __name__ == "__main__":
    main(*sys.argv[1:])
