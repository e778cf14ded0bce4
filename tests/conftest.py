"""A run states its mode; Hypothesis is the same from run to run where it says ci."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True, database=None, deadline=None)
settings.register_profile("local", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "local"))

MODES = ("interpreted", "compiled")
# Why the tests of a module need no second run on the compiled wheel; of a single test
# its marker `interpreted` says it.
INTERPRETED = {
    "test_adapters": "about adapters in other languages",
    "test_bench": "about measuring",
    "test_booksite": "about pages",
    "test_book": "about the text of the book and of the source",
    "test_build": "about building wheels",
    "test_citing": "about the text of the book",
    "test_compare": "about comparing rulesets; the rules are tested elsewhere",
    "test_corpus": "about the index of the corpus; make conform replays it",
    "test_diff": "about comparing rulesets; the rules are tested elsewhere",
    "test_diagnosis": "about which mutant an engine is like; mutants run from source",
    "test_driver": "about processes and pipes",
    "test_evidence": "about the witnesses that are kept",
    "test_executors": "about processes",
    "test_examples": "about the search for small games; the rules are tested elsewhere",
    "test_exhaustion": "about its bookkeeping; test_minideals counts compiled",
    "test_faults": "about the engine in JavaScript",
    "test_files_docs": "about documentation",
    "test_formats_docs": "about documentation",
    "test_html_report": "about a page",
    "test_irregularities": "about a page; test_revoke is played compiled",
    "test_judge": "about what is said of games; test_explain rules compiled",
    "test_mutation": "a mutant is always loaded from source",
    "test_mutants": "a mutant is always loaded from source",
    "test_openspiel_adapter": "about an adapter; test_openspiel compares compiled",
    "test_pictures": "about drawings",
    "test_proofs": "proofs run the source on symbols",
    "test_pytest_plugin": "about pytest",
    "test_reading": "about the text of the book",
    "test_reports": "about reports",
    "test_runner": "about the runner; test_serve answers compiled",
    "test_selftest": "about adapters that are wrong",
    "test_shrinking": "about the search; the rules are tested elsewhere",
    "test_tested": "a mutant is always loaded from source",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--mode", choices=MODES, default=MODES[0], help="The mode this run is of."
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Compiled, whole modules that the mode cannot change are left out."""
    compiled = config.getoption("mode") == "compiled"
    return True if compiled and collection_path.stem in INTERPRETED else None


def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """The test of the mode comes first; compiled, single tests are left out as well."""
    items.sort(key=lambda item: item.path.stem != "test_mode")
    if config.getoption("mode") == "compiled":
        left = [item for item in items if item.get_closest_marker("interpreted")]
        items[:] = [item for item in items if item not in left]
        config.hook.pytest_deselected(items=left)
