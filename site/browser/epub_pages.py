"""Read an EPUB, and find duplicate ids and broken links in it."""

import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag
from xml.etree import ElementTree

HTML = "{http://www.w3.org/1999/xhtml}"
OPF = "{http://www.idpf.org/2007/opf}"
WEB = ("https://", "http://")
DUBLIN = "{http://purl.org/dc/elements/1.1/}"


class Volume:
    """An EPUB: its files in order, and its documents as trees.

    Raises ParseError if a document is not well formed.
    """

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as packed:
            self.entries = packed.infolist()
            self.files = {one.filename: packed.read(one) for one in self.entries}
        self.documents = {
            name: ElementTree.fromstring(content)
            for name, content in self.files.items()
            if name.endswith(".xhtml")
        }
        self.package = ElementTree.fromstring(self.files["content.opf"])

    def words(self, name: str) -> str:
        """All text of a document."""
        return "".join(self.documents[name].itertext())

    def ids(self, name: str) -> Counter[str]:
        """The ids in a document, and how often each occurs there."""
        return Counter(
            one.attrib["id"]
            for one in self.documents[name].iter()
            if "id" in one.attrib
        )

    def listed(self) -> dict[str, str]:
        """The files of the manifest by id."""
        return {
            one.attrib["id"]: one.attrib["href"]
            for one in self.package.iter(f"{OPF}item")
        }

    def spine(self) -> list[str]:
        """The documents in the order in which they are read."""
        listed = self.listed()
        return [
            listed[one.attrib["idref"]] for one in self.package.iter(f"{OPF}itemref")
        ]

    def contents(self) -> dict[str, str]:
        """The entries of the table of contents: words and address."""
        return {
            "".join(one.itertext()): one.attrib["href"]
            for one in self.documents["nav.xhtml"].iter(f"{HTML}a")
        }

    def addresses(self, name: str) -> Iterator[str]:
        """The addresses that a document links to or loads."""
        for one in self.documents[name].iter():
            for key in ("href", "src"):
                if key in one.attrib:
                    yield one.attrib[key]

    def broken(self) -> list[str]:
        """The links that lead nowhere, web addresses aside, and the ids given twice."""
        found = []
        for name in self.documents:
            found += [
                f"{name}: id {one} twice" for one, n in self.ids(name).items() if n > 1
            ]
            for address in self.addresses(name):
                if address.startswith(WEB):
                    continue
                file, anchor = map(unquote, urldefrag(address))
                file = file or name
                if file not in self.files:
                    found.append(f"{name}: {address}: no such file")
                elif anchor and anchor not in self.ids(file):
                    found.append(f"{name}: {address}: no such anchor")
        return found
