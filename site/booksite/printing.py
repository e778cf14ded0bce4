"""Write the law book for printing: `python -m booksite.printing FOLDER`.

The files are a PDF and an EPUB, named after the edition. The exit code is 3 if a tool
is missing.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from booksite.epub import write_epub
from booksite.pdf import write_pdf
from booksite.volume import Edition, edition_today, volume

MISSING: Final = 3


def file_stem(edition: Edition) -> str:
    """The name of the files for an edition, without the extension."""
    return f"hearts-family-rules-{edition.number}"


def write(folder: Path) -> tuple[Path, Path]:
    """Write both files into a folder, and return their paths, the PDF first.

    Raises ImportError if a tool is missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pages, edition = volume(), edition_today()
    pdf = folder / f"{file_stem(edition)}.pdf"
    epub = folder / f"{file_stem(edition)}.epub"
    work = folder.resolve() / "work"
    write_pdf(pages, edition, work / "pdf", pdf)
    write_epub(pages, edition, work / "epub", epub)
    return pdf, epub


def main() -> None:
    """Write both files into the folder that the command line names."""
    try:
        made = write(Path(sys.argv[1]))
    except ImportError as error:
        said = f"make book needs {error.name}, which is not installed here and which"
        print(f"{said} pip could not get for this platform", file=sys.stderr)
        sys.exit(MISSING)
    print(*made, sep="\n")


if __name__ == "__main__":
    main()
