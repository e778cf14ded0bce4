"""Shortens the names in the classic script, so that pages load fast on slow lines."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

# A name with its module before it; `$.name` and `$name` have none.
_OURS: Final = re.compile(r"\b[a-z]\w*\$\w+")
_OTHERS: Final = re.compile(r"[^\x00-\x7f]")
_COMMENT: Final = re.compile(r"^ *//.*\n", re.MULTILINE)


def shortened(text: str) -> str:
    """The same program without comments and with shorter names.

    Names that contain a module are replaced by numbers, of which the names used most
    often have the shortest. Every character is ASCII, which browsers read faster and in
    any encoding.
    """
    bare = _COMMENT.sub("", text)
    used = Counter(_OURS.findall(bare))
    ordered = sorted(used, key=lambda name: (-used[name], name))
    short = {name: f"${place}" for place, name in enumerate(ordered)}
    return _OTHERS.sub(_escaped, _OURS.sub(lambda found: short[found[0]], bare))


def _escaped(found: re.Match[str]) -> str:
    code = found[0].encode("utf-16-be").hex()
    return "".join(f"\\u{code[at : at + 4]}" for at in range(0, len(code), 4))
