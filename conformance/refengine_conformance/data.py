"""Where the data of conformance are: beside the package, or inside it in a wheel.

A wheel is for those who test an engine. What measures the evidence for the rules is in
the checkout alone, with the data that nothing else reads.

Nothing here imports `refengine`.
"""

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parent
IN_CHECKOUT: Final = not (_PACKAGE / "corpus").is_dir()
"""Whether we run from a checkout, and not from a wheel."""
_FOLDER: Final = _PACKAGE.parent if IN_CHECKOUT else _PACKAGE


def data(*names: str) -> Path:
    """The path of a file or folder of the data: `data("corpus", "smoke.jsonl")`."""
    return _FOLDER.joinpath(*names)
