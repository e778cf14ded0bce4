"""The paths of files and folders in the repository, for tests in any folder."""

from pathlib import Path
from typing import Final

SUPPORT: Final = Path(__file__).resolve().parent
ROOT: Final = SUPPORT.parents[1]
DOCS: Final = ROOT / "docs"
ADAPTERS: Final = ROOT / "conformance" / "adapters"
TRACES: Final = SUPPORT / "traces"
DISPUTES: Final = SUPPORT / "disputes.jsonl"
