"""Where the data of conformance are: beside the package, or inside it in a wheel.

Nothing here imports `refengine`.
"""

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parent
_FOLDER: Final = _PACKAGE if (_PACKAGE / "corpus").is_dir() else _PACKAGE.parent


def data(*names: str) -> Path:
    """A file or folder of the data: `data("corpus", "smoke.jsonl")`."""
    return _FOLDER.joinpath(*names)
