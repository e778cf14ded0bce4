"""Where the conformance data are: beside the package, or inside it in a wheel.

A wheel is for people who test an engine. The code that measures the evidence for the
rules, and the data that only this code reads, exist only in the checkout.

Nothing here imports `refengine`.
"""

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parent
IN_CHECKOUT: Final = not (_PACKAGE / "corpus").is_dir()
"""Whether the package runs from a checkout rather than from a wheel."""
_FOLDER: Final = _PACKAGE.parent if IN_CHECKOUT else _PACKAGE


def data(*names: str) -> Path:
    """The path of a file or folder of data, as in `data("corpus", "smoke.jsonl")`."""
    return _FOLDER.joinpath(*names)
