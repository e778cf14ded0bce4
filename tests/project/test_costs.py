"""Tests of measuring tests, and of finding those too slow for `make test`."""

import json
from pathlib import Path

import pytest

from tests.support import costs

pytestmark = pytest.mark.interpreted("about the tools of a checkout")
pytest_plugins = ("pytester",)

CHILD = """
import subprocess, sys
def test_dear():
    subprocess.run([sys.executable, "-c", "sum(range(9_000_000))"], check=True)
def test_cheap():
    pass
"""


class Item:
    """A stand-in for a test collected by pytest, with its id and its markers."""

    def __init__(self, nodeid: str) -> None:
        self.nodeid = nodeid
        self.markers: list[str] = []

    def add_marker(self, name: str) -> None:
        self.markers.append(name)


def marked(items: list[Item], deep: set[str], heavy: set[str]) -> set[str]:
    return costs.mark(items, deep, heavy)  # type: ignore[arg-type]  # all that it uses


def test_a_name_stands_for_one_test_or_for_all_of_its_parameters() -> None:
    items = [Item(f"a.py::test_{name}") for name in ("one[1]", "one[2]", "two", "x")]
    met = marked(items, {"a.py::test_one"}, {"a.py::test_one[2]", "a.py::test_two"})
    assert [item.markers for item in items] == [["deep"], ["deep"], ["heavy"], []]
    assert met == {"a.py::test_one", "a.py::test_two"}


def test_a_name_without_a_test_is_found_where_its_file_was_read() -> None:
    items = [Item("a.py::test_one")]
    names = {"a.py::test_one", "a.py::test_gone", "b.py::test_not_read"}
    met = marked(items, names, set())
    gone = costs.lost(items, met, names)  # type: ignore[arg-type]  # as above
    assert gone == ["a.py::test_gone"]


def test_what_was_heavy_stays_heavy_as_long_as_it_exists() -> None:
    measured = {"new": 0.4, "dear": 0.5, "was": 0.1, "deep[1]": 9.0}
    text = costs.heavy_list(measured, {"was", "gone"}, {"deep"})
    rows = [line for line in text.splitlines() if not line.startswith("#")]
    assert rows == ["0.5 dear", "0.1 was"]


def test_a_dear_test_of_make_test_is_named_once_it_is_in_no_list() -> None:
    measured = {"a": 3.1, "b[1]": 5.0, "c": 3.0}
    (said,) = costs.too_dear(measured, {"b"})
    assert said.startswith("a took 3.1 s")


def test_the_file_is_written_from_what_each_mode_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    heavy = tmp_path / "heavy.txt"
    heavy.write_text("# head\n2.5 t::b c\n")
    monkeypatch.setattr(costs, "HEAVY_FILE", heavy)
    runs = [tmp_path / "interpreted", tmp_path / "compiled"]
    runs[0].write_text(json.dumps({"t::a": 1.0, "t::b c": 2.2}))
    runs[1].write_text(json.dumps({"t::a": 3.5}))
    assert costs.main([*map(str, runs)]) == 1
    assert "t::a took 3.5 s" in capsys.readouterr().out
    assert costs.heavy_costs() == {"t::a": 3.5, "t::b c": 2.2}
    assert costs.main([*map(str, runs)]) == 0


@pytest.mark.parametrize("workers", ["0", "1"])
def test_children_are_measured_too_and_workers_send_what_they_measured(
    workers: str, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(CHILD)
    path = pytester.path / "costs.json"
    pytester.makeconftest(
        "from pathlib import Path\n"
        "from tests.support.costs import Measuring\n"
        "def pytest_configure(config):\n"
        f"    config.pluginmanager.register(Measuring(Path({str(path)!r})))\n"
    )
    done = pytester.runpytest_subprocess("-n", workers)
    done.assert_outcomes(passed=2)
    found = {
        name.partition("::")[2]: seconds
        for name, seconds in json.loads(path.read_text()).items()
    }
    assert found.keys() == {"test_dear", "test_cheap"}
    assert found["test_dear"] > found["test_cheap"]


def test_without_a_measurement_the_list_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heavy = tmp_path / "heavy.txt"
    heavy.write_text("2.5 t::b\n", "utf-8")
    monkeypatch.setattr(costs, "HEAVY_FILE", heavy)
    assert costs.main([]) == 2
    assert heavy.read_text("utf-8") == "2.5 t::b\n"
