"""Values as bytes in a canonical form (RFC 8785), and short digests of them."""

from __future__ import annotations

import hashlib

from msgspec import json


def canonical(value: object) -> bytes:
    """The RFC 8785 form of a value (objects, lists, strings, integers and flags)."""
    return json.encode(value, order="sorted")


def plain_value(value: object) -> object:
    """The value of an option in JSON form: a tuple becomes a list."""
    return list(value) if isinstance(value, tuple) else value


def digest_of_value(value: object) -> str:
    """The first eight hexadecimal digits of the SHA-256 of a value's RFC 8785 form.

    Clause 0.5.
    """
    return hashlib.sha256(canonical(value)).hexdigest()[:8]
