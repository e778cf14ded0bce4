"""Makes the npm package: `python -m carrying.package FOLDER`, after `build FOLDER`.

It adds the adapter and the declarations to the folder and packs all of it as
`refengine-VERSION.tgz`. The same files always give the same bytes.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import shutil
import sys
import tarfile
from pathlib import Path
from typing import Any, Final

from carrying.build import ROOT
from carrying.declarations import declarations
from carrying.plain_forms import about

JS: Final = ROOT / "js"
MEMBERS: Final = (
    "README.md",
    "LICENSE",
    "rules.mjs",
    "rules.js",
    "rules.d.mts",
    "adapter.mjs",
)


def manifest() -> dict[str, Any]:
    """The content of `package.json`."""
    return {
        "name": "refengine",
        "version": about()["version"],
        "description": "The rules of Hearts and Domino Hearts, by numbered clauses",
        "keywords": ["hearts", "card game", "rules"],
        "license": "MIT",
        "author": "The refengine authors",
        "exports": {".": {"types": "./rules.d.mts", "default": "./rules.mjs"}},
        "bin": {"refengine-adapter": "adapter.mjs"},
        "files": list(MEMBERS),
        "engines": {"node": ">=18"},
        "editions": about()["editions"],
    }


def readme() -> str:
    """The guide to the library: the first part of `docs/javascript.md`.

    A link to another guide becomes its path in a checkout, as the package lacks it.
    """
    text = (ROOT / "docs" / "javascript.md").read_text("utf-8")
    place = r"\1 (`docs/\2` in a checkout of refengine)"
    return re.sub(
        r"\[([^]]+)\]\(([^)]+)\)", place, text.partition("## How they are")[0]
    )


def packed(folder: Path) -> bytes:
    """The bytes of the package with the files of this folder."""
    files = {"package.json": json.dumps(manifest(), indent=2).encode() + b"\n"}
    files |= {name: (folder / name).read_bytes() for name in MEMBERS}
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(content)
            member.mode = 0o755 if name == "adapter.mjs" else 0o644
            member.mtime = 499162500  # the time that npm itself uses, not the clock's
            tar.addfile(member, io.BytesIO(content))
    return gzip.compress(plain.getvalue(), mtime=0)


def main(target: str) -> None:
    """Add the package's other files to this folder, and write the package there."""
    folder = Path(target)
    (folder / "rules.d.mts").write_text(declarations(), "utf-8", newline="\n")
    (folder / "README.md").write_text(readme(), "utf-8", newline="\n")
    for path in (JS / "adapter.mjs", ROOT / "LICENSE"):
        shutil.copy(path, folder)
    name = f"refengine-{about()['version']}.tgz"
    for old in folder.glob("refengine-*.tgz"):
        old.unlink()
    (folder / name).write_bytes(packed(folder))


if __name__ == "__main__":
    main(sys.argv[1])
