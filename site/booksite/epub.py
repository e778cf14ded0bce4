"""The volume as EPUB, made by Sphinx and packed so that its bytes never differ."""

from __future__ import annotations

import os
import shutil
import uuid
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime, time
from html import escape
from pathlib import Path
from typing import Final

from booksite.elements import section, toctree
from booksite.volume import SUBTITLE, TITLE, Edition, Page, with_links

SITE: Final = Path(__file__).resolve().parent.parent
LOOK: Final = SITE / "book" / "book.css"
_IN_ENGLISH: Final = b'<html lang="en" xml:lang="en" xmlns='


def write_epub(pages: Sequence[Page], edition: Edition, work: Path, file: Path) -> None:
    """Write the EPUB; `work` is a folder for what Sphinx reads and makes.

    Raises ImportError if Sphinx is not installed.
    """
    from sphinx.application import Sphinx

    shutil.rmtree(work, ignore_errors=True)
    source, made = work / "source", work / "made"
    (source / "static").mkdir(parents=True)
    shutil.copy(LOOK, source / "static")
    for page in pages:
        (source / f"{page.name}.md").write_text(_markdown(page), "utf-8")
    (source / "index.md").write_text(_title_page(pages, edition), "utf-8")
    midnight = datetime.combine(edition.dated, time(tzinfo=UTC))
    os.environ["SOURCE_DATE_EPOCH"] = str(int(midnight.timestamp()))
    app = Sphinx(
        source,
        SITE,
        made,
        work / "doctrees",
        "epub",
        confoverrides=_settings(edition, file.stem, source / "static"),
        status=None,
        warningiserror=True,
    )
    app.build()
    pack(made / f"{file.stem}.epub", file, edition)


def _settings(edition: Edition, basename: str, static: Path) -> dict[str, object]:
    """The settings that differ from the configuration of the site."""
    name = uuid.uuid5(uuid.NAMESPACE_URL, f"HFR@{edition.number}")
    return {
        "extensions": ["myst_parser"],
        "smartquotes": False,  # the words of the book as they stand
        "templates_path": [],
        "html_static_path": [str(static)],
        "html_css_files": [],
        "html_js_files": [],
        "html_favicon": None,
        "html_additional_pages": {},  # the ruling page is not a page of the book
        "epub_basename": basename,
        "epub_title": f"{TITLE} ({edition.number})",
        "epub_author": "The refengine authors",
        "epub_contributor": "The refengine authors",
        "epub_publisher": "The refengine authors",
        "epub_description": f"{SUBTITLE}. {edition.line}.",
        "epub_identifier": f"urn:uuid:{name}",
        "epub_scheme": "UUID",
        "epub_uid": "edition",
        "epub_css_files": [LOOK.name],
        "epub_show_urls": "no",
        "epub_use_index": False,
        "epub_tocdup": False,
    }


def _markdown(page: Page) -> str:
    """The page as Sphinx reads it: headings in Markdown, everything else as XHTML."""
    return "\n".join(
        section(one.title, with_links(one.body, _address), level=one.level)
        for one in page.parts
    )


def _address(page: str, anchor: str) -> str:
    return f"{page}.xhtml" + (f"#{anchor}" if anchor else "")


def _title_page(pages: Sequence[Page], edition: Edition) -> str:
    lines = "".join(f"<p>{escape(line)}</p>" for line in edition.colophon)
    words = f"<p><b>{SUBTITLE}</b></p><p>{edition.line}</p>{lines}"
    tree = toctree((page.name for page in pages), "maxdepth: 1")
    return f"{section(TITLE, words, level=1)}\n{tree}"


def pack(made: Path, file: Path, edition: Edition) -> None:
    """Repack the EPUB, with the edition in each document and without today's date."""
    foot = f'<footer class="edition"><p>{TITLE}. {edition.line}.</p></footer></body>'
    day = (*edition.dated.timetuple()[:3], 0, 0, 0)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(file, "w") as new:
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename.endswith(".xhtml"):
                content = content.replace(b"</body>", foot.encode())
                if b"xml:lang" not in content:
                    content = content.replace(b"<html xmlns=", _IN_ENGLISH, 1)
            info = zipfile.ZipInfo(entry.filename, day)
            info.compress_type = zipfile.ZIP_STORED  # the same with every zlib
            info.create_system = 3
            info.external_attr = 0o644 << 16
            new.writestr(info, content)
