"""The shortest way to call each command that needs an argument."""

from __future__ import annotations

from typing import Final

import click

EXAMPLES: Final = {
    "annotate": "annotate games.jsonl",
    "cite": 'cite "HFR 5.3"',
    "conform identify": "conform identify -- node my_adapter.mjs",
    "conform run": "conform run -- node my_adapter.mjs",
    "convert": "convert openspiel.txt",
    "diff": "diff common-hearts estmesh-hearts",
    "enumerate": "enumerate deals.jsonl",
    "judge": "judge game.jsonl --profile common-hearts",
    "profile": "profile common-hearts",
    "replay": "replay games.jsonl",
    "rule": "rule 5.3",
    "scores": "scores friday.csv",
    "search": "search shoot the moon",
    "show": "show games.jsonl",
    "stamp": "stamp games.jsonl",
}


def said_of_missing(error: click.MissingParameter) -> str:
    """What is missing from a command line and, if known, an example of a full one."""
    context, what = error.ctx, error.param
    if context is None or not isinstance(what, click.Argument):
        return error.format_message()  # for an option, it is already a sentence
    missing = what.make_metavar(context).removesuffix("...")
    words: list[str] = []
    while context.parent is not None:
        words.insert(0, context.info_name or "")
        context = context.parent
    path = " ".join(words)
    example = f", as in refengine {EXAMPLES[path]}" if path in EXAMPLES else ""
    return f"{path} needs {missing}{example}"
