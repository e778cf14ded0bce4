"""Lists the functions of refengine that are called while something is done."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from refengine_conformance.mutants import source_edits


def functions_called(work: Callable[..., object], *values: object) -> list[str]:
    """Call `work` with these values; return the functions of refengine that are called.

    Each is named once, in the order of the first calls. A function within another
    counts as the outer one.
    """
    seen: dict[tuple[str, str], None] = {}

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            code = frame.f_code
            seen[code.co_filename, code.co_qualname] = None

    sys.setprofile(note)
    try:
        work(*values)
    finally:
        sys.setprofile(None)
    home = f"{source_edits.package_folder()}{os.sep}"
    names = (
        f"{Path(file).stem}.{name.partition('.<locals>')[0]}"
        for file, name in seen
        if file.startswith(home)
    )
    return list(dict.fromkeys(names))
