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

    They are given by name, in the order of their first calls.
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
    return [
        f"{Path(file).stem}.{name.partition('.<locals>')[0]}"
        for file, name in seen
        if file.startswith(home)
    ]
