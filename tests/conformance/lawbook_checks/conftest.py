"""Copies of the book and of the source, to be spoilt."""

import shutil
from pathlib import Path

import pytest

from refengine.lawbook import book
from refengine_conformance.lawbook_checks import registry


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """A copy of the book that may be spoilt."""
    return Path(shutil.copytree(book.SPEC, tmp_path / "spec"))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the source that may be spoilt, and whose registry may be written."""
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    folder = tmp_path / "refengine"
    return Path(shutil.copytree(registry.PACKAGE, folder, ignore=ignored))
