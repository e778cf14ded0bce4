"""Convert records that people wrote down to our own form."""

from refengine.formats.written.reading_written import read_written
from refengine.formats.written.writing_written import write_written


def lines_of(text: str) -> list[str]:
    """The lines that are read from a text, apart from empty lines and remarks."""
    written = write_written(read_written(text)).splitlines()
    return [one for one in written if one and one != "deal -" and one[0] != "#"]
