"""What the tests of several rooms of conformance share."""

from collections.abc import Iterator
from concurrent.futures import Executor

import pytest

from refengine_conformance.mutants.loading import mutant_workers


@pytest.fixture(scope="module")
def worker() -> Iterator[Executor]:
    """One process that can load the rules as a mutant, for the tests of a module."""
    with mutant_workers(1) as executor:
        yield executor
