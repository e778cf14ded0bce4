"""Tests of the build, which compiles the rules if it can and records why if not.

Nothing here needs a network: hatchling is already installed. A small project with our
build hook is compiled in seconds; the rules themselves are compiled by `make`, and the
tests whose result compilation may change run on that wheel.
"""

import ast
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from email.parser import Parser
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

import hatch_build
import refengine
from refengine.cli import main
from refengine.lawbook import book
from refengine.lawbook.book import SPEC, registry
from refengine_conformance.commands.conform_command import MAINTAINERS, TOOLS
from refengine_conformance.jobs.imported import files_imported
from tests.support import places
from tests.support.commands import run_process

pytestmark = pytest.mark.interpreted("about building wheels")

PROJECT = tomllib.loads((places.ROOT / "pyproject.toml").read_text("utf-8"))
HATCH = PROJECT["tool"]["hatch"]
HOOK = HATCH["build"]["targets"]["wheel"]["hooks"]["custom"]
VERSION = refengine.__version__
BOOK = f"HFR {registry()['version']} (editions 1.0.0, 1.1.0)"
COMPILED = hatch_build.modules(places.ROOT, HOOK["compile"])

SMALL = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "refengine"
version = "1"

[tool.hatch.build]
dev-mode-dirs = ["."]

[tool.hatch.build.targets.wheel]
packages = ["refengine"]

[tool.hatch.build.targets.wheel.hooks.custom]
compile = ["refengine/sealing.py", "refengine/chapters"]
compile-requires = ["mypy"]
"""
FILES = {
    "pyproject.toml": SMALL,
    "hatch_build.py": (places.ROOT / "hatch_build.py").read_text("utf-8"),
    "refengine/__init__.py": "",
    "refengine/sealing.py": "COMPILED = not __file__.endswith('.py')\n",
    "refengine/other.py": "COMPILED = not __file__.endswith('.py')\n",
    "refengine/chapters/__init__.py": "",
    "refengine/chapters/play.py": "def twice(n: int) -> int:\n    return 2 * n\n",
}
# Stand-ins for the C compiler. Without -I, Python.h is not found; the last one is no
# match for what mypyc writes, which is in files called __native.
COMPILERS = {
    "no C compiler": "exit 1",
    "no Python.h": """
        for word; do
            shift
            case "$word" in -I*) ;; *) set -- "$@" "$word" ;; esac
        done
        exec cc "$@"
    """,
    "the C compiler failed": 'case "$*" in *__native*) exit 1 ;; esac; exec cc "$@"',
}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The folder of a tiny project that uses our build hook."""
    root = tmp_path / "project"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


def run(command: str, root: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """The finished process that runs a line of Python in the folder of a project."""
    kept = {name: value for name, value in os.environ.items() if name != "CC"}
    env = {**kept, "REFENGINE_COMPILE": "", **environ}
    line = f"import hatchling.build as b; {command}"
    return run_process(sys.executable, "-P", "-c", line, cwd=root, env=env)


def built(root: Path, made: str, **environ: str) -> Path:
    """The file that hatchling builds; this must not add or remove project files."""
    folder = root.parent / made
    before = names_in(root)
    done = run(f"b.build_{made}({str(folder)!r})", root, **environ)
    assert done.returncode == 0, done.stdout + done.stderr
    assert names_in(root) == before
    (path,) = folder.iterdir()
    return path


def names_in(root: Path) -> list[str]:
    """The files in the folder of a project, apart from those that Python caches."""
    return sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )


def listed(wheel: Path) -> list[str]:
    with ZipFile(wheel) as packed:
        return packed.namelist()


def note(wheel: Path) -> str:
    with ZipFile(wheel) as packed:
        return packed.read(hatch_build.NOTE).decode()


def modules_of(wheel: Path) -> list[str]:
    """The compiled modules in a wheel, in its order, without platform suffixes."""
    found = [name for name in listed(wheel) if name.endswith((".so", ".pyd"))]
    return [name.partition(".")[0] for name in found]


# Which modules


def test_a_folder_is_its_modules_and_not_the_package_itself() -> None:
    assert "refengine/sealing.py" in COMPILED
    assert "refengine/chapters/play.py" in COMPILED
    assert "refengine/chapters/__init__.py" not in COMPILED
    assert "refengine/game/tricks.py" in COMPILED
    assert "refengine/game/acts.py" not in COMPILED
    assert len(COMPILED) == len(set(COMPILED)) > len(HOOK["compile"])
    assert [name for name in COMPILED if not (places.ROOT / name).is_file()] == []


def test_the_build_installs_all_that_the_compiled_modules_lead_to() -> None:
    # mypyc reads whatever it is led to, for its types and inside functions also.
    needed = {
        Requirement(one).name.replace("-", "_") for one in HOOK["compile-requires"]
    }
    needed |= {"refengine", "librt"}  # librt comes with mypy
    names = [name.removesuffix(".py").replace("/", ".") for name in COMPILED]
    files = files_imported(*names, typed=True)
    missing = {
        f"{path.relative_to(places.ROOT)}: {name}"
        for path in files
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for name in names_imported(node)
        if name not in needed | sys.stdlib_module_names
    }
    assert files
    assert not missing


def names_imported(node: ast.AST) -> list[str]:
    """The packages that one statement imports."""
    match node:
        case ast.Import(names=names):
            return [one.name.partition(".")[0] for one in names]
        case ast.ImportFrom(module=str() as module):
            return [module.partition(".")[0]]
    return []


# Compiled


@pytest.fixture
def compiler() -> None:
    """Skip the test if there is no C compiler."""
    done = subprocess.run(["cc", "--version"], capture_output=True)
    if done.returncode:
        pytest.skip("no C compiler: the fallback is what is tested here")


def test_a_wheel_is_compiled_and_nothing_is_left_in_the_sources(
    small: Path, compiler: None
) -> None:
    wheel = built(small, "wheel", REFENGINE_COMPILE="1")
    assert modules_of(wheel) == [  # in an order that is always the same
        "refengine/rules__mypyc",
        "refengine/sealing",
        "refengine/chapters/play",
    ]
    assert {"refengine/sealing.py", "refengine/chapters/play.py"} <= {*listed(wheel)}
    assert hatch_build.NOTE not in listed(wheel)
    with ZipFile(wheel) as packed:
        fields = Parser().parsestr(packed.read("refengine-1.dist-info/WHEEL").decode())
        packed.extractall(small.parent / "site")
    assert fields["Root-Is-Purelib"] == "false"
    assert not fields["Tag"].endswith("-none-any")
    asked = (
        "import sys; sys.path.insert(0, '../site'); "
        "from refengine import sealing, other; from refengine.chapters import play; "
        "print(sealing.COMPILED, other.COMPILED, play.twice(21))"
    )
    assert run(asked, small.parent / "wheel").stdout == "True False 42\n"


# Not compiled


@pytest.mark.parametrize("why", COMPILERS)
def test_without_what_it_takes_the_wheel_is_pure_and_says_why(
    small: Path, why: str
) -> None:
    wheel = built(small, "wheel", CC=stand_in(small, why))
    assert wheel.name == "refengine-1-py2.py3-none-any.whl"
    assert (note(wheel), modules_of(wheel)) == (f"{why}\n", [])


def test_without_any_program_to_run_the_wheel_is_pure(small: Path) -> None:
    assert note(built(small, "wheel", PATH="")) == "no C compiler\n"


def test_what_mypyc_cannot_compile_stays_interpreted(
    small: Path, compiler: None
) -> None:
    (small / "refengine" / "sealing.py").write_text("COMPILED: int = 'no'\n", "utf-8")
    assert note(built(small, "wheel")) == "mypyc failed\n"


def test_without_mypyc_the_wheel_is_pure(small: Path) -> None:
    hidden = small.parent / "hidden" / "mypyc"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").write_text("raise ImportError(name='mypyc')\n", "utf-8")
    wheel = built(small, "wheel", PYTHONPATH=str(hidden.parent))
    assert note(wheel) == "no mypyc\n"


def test_it_can_be_turned_off_and_then_needs_no_compilers(small: Path) -> None:
    assert note(built(small, "wheel", REFENGINE_COMPILE="0")) == "REFENGINE_COMPILE=0\n"
    asked = "print(b.get_requires_for_build_wheel())"
    assert run(asked, small, REFENGINE_COMPILE="0").stdout == "[]\n"
    assert run(asked, small).stdout == "['mypy']\n"


def test_asked_for_it_is_compiled_or_the_build_fails(small: Path) -> None:
    done = run(
        "b.build_wheel('.')",
        small,
        CC=stand_in(small, "no C compiler"),
        REFENGINE_COMPILE="1",
    )
    assert done.returncode != 0
    assert "the rules cannot be compiled: no C compiler" in done.stdout + done.stderr


def test_another_value_of_the_switch_is_an_error(small: Path) -> None:
    done = run("b.build_wheel('.')", small, REFENGINE_COMPILE="yes")
    assert "REFENGINE_COMPILE is 0 or 1, not 'yes'" in done.stderr


def test_another_python_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    pypy = SimpleNamespace(implementation=SimpleNamespace(name="pypy"))
    monkeypatch.setattr(hatch_build, "sys", pypy)
    monkeypatch.delenv(hatch_build.SWITCH, raising=False)
    with pytest.raises(hatch_build.NotCompiledError, match="not CPython but pypy"):
        hatch_build.compiled(places.ROOT, HOOK["compile"], places.ROOT)


def test_an_editable_install_compiles_nothing(small: Path) -> None:
    wheel = built(small, "editable", REFENGINE_COMPILE="1")
    assert modules_of(wheel) == []
    assert hatch_build.NOTE not in listed(wheel)


def stand_in(small: Path, why: str) -> str:
    """The path of a fake C compiler, with which the build ends as `why` says."""
    path = small.parent / "cc"
    path.write_text(f"#!/bin/sh\n{COMPILERS[why]}\n", "utf-8")
    path.chmod(0o755)
    return str(path)


# What --version says


def test_the_version_says_why_the_rules_are_interpreted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refengine, "__file__", str(tmp_path / "__init__.py"))
    (tmp_path / Path(hatch_build.NOTE).name).write_text("no C compiler\n", "utf-8")
    said = main.version_line()
    assert said == f"refengine {VERSION} (interpreted: no C compiler), {BOOK}"


def test_the_version_says_that_a_checkout_is_no_build() -> None:
    said = main.version_line()
    assert said == f"refengine {VERSION} (interpreted: from source), {BOOK}"


def test_the_version_names_every_edition_that_the_package_holds() -> None:
    frozen = {path.stem for path in (SPEC / "editions").glob("[0-9]*.json")}
    held = re.search(r"\((?:draft; )?editions ([\d., ]+)\)$", main.version_line())
    assert held is not None
    assert set(held[1].split(", ")) == frozen


def test_a_book_that_is_not_published_is_called_a_draft(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(book, "registry", lambda: {"version": "1.2.0"})
    assert main.version_line().endswith("HFR 1.2.0 (draft; editions 1.0.0, 1.1.0)")


# This project


def wheel_of_sdist(root: Path, folder: Path) -> Path:
    """The wheel that is built from the sdist of a project."""
    done = run(f"b.build_sdist({str(folder)!r})", root)
    assert done.returncode == 0, done.stderr
    (packed,) = folder.iterdir()
    with tarfile.open(packed) as sources:
        sources.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    return built(unpacked, "wheel", REFENGINE_COMPILE="0")


def test_the_sdist_holds_what_a_wheel_is_made_of(tmp_path: Path) -> None:
    """A wheel built from the sdist contains only our package, with all its data."""
    names = {*listed(wheel_of_sdist(places.ROOT, tmp_path))}
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"refengine", f"refengine-{VERSION}.dist-info"}
    assert {f"refengine/{name}" for name in ours("spec", places.ROOT)} <= names
    assert [name for name in names if "__pycache__" in name] == []


CONFORMANCE = places.ROOT / "conformance"
# What no module of the package imports: it is run by its name, or people import it.
STARTED = (
    *("plugin.pytest_entry", "plugin.pytest_plugin", "tables.search_process"),
    *("comparison.differences", "comparison.option_differences"),
    *("generators.statemachine", "jobs.tool_process"),
)


@pytest.fixture(scope="module")
def conform_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the conformance package."""
    return wheel_of_sdist(CONFORMANCE, tmp_path_factory.mktemp("conform"))


def test_what_tests_engines_is_a_package_of_its_own(conform_wheel: Path) -> None:
    names = {*listed(conform_wheel)}
    tops = {name.partition("/")[0] for name in names}
    info = f"refengine_conform-{VERSION}.dist-info"
    assert tops == {"refengine_conformance", info}
    folders = "corpus", "adapters", "examples", "events-and-openings"
    data = {f"refengine_conformance/{name}" for one in folders for name in ours(one)}
    assert len(data) > 40
    assert data <= names
    assert [name for name in names if "__pycache__" in name] == []


def test_it_has_the_modules_that_its_commands_lead_to_and_no_others(
    conform_wheel: Path,
) -> None:
    """Modules of the maintainers' commands exist only in the repository."""
    (theirs,) = MAINTAINERS.values()
    commands = {*ours("refengine_conformance/commands")}
    commands -= {
        f"refengine_conformance/commands/conform_{name.replace('-', '_')}_command.py"
        for name in theirs
    }
    group = "refengine_conformance/commands/conform_command.py"
    started = [*STARTED, *(tool.module for tool in TOOLS.values() if tool.packed)]
    files = files_imported(
        *(name.removesuffix(".py").replace("/", ".") for name in commands - {group}),
        *(f"refengine_conformance.{name}" for name in started),
    )
    needed = {
        path.relative_to(CONFORMANCE).as_posix()
        for path in files
        if CONFORMANCE in path.parents
    }
    modules = {
        name
        for name in listed(conform_wheel)
        if name.endswith(".py") and "/adapters/" not in name
    }
    assert len(needed) > 100
    assert modules == needed | {group}


ANSWERS = {
    "matrix 5.3": (0, "5.3 Follow suit"),
    "conform mutants list": (0, "off:5.3"),
    "conform deals --help": (0, "Usage:"),
    "conform proofs": (3, "proofs is not installed here: it belongs to the checkout"),
    "conform selftest": (3, "selftest is not installed here: it belongs to"),
    "conform no-such-thing": (3, "no-such-thing"),
}


@pytest.mark.parametrize("words", ANSWERS)
def test_its_commands_are_those_for_everybody(words: str, conform_wheel: Path) -> None:
    code, said = ANSWERS[words]
    done = from_wheel(conform_wheel, words)
    assert (done.returncode, said in done.stdout + done.stderr) == (code, True)


def test_its_help_lists_what_it_has(conform_wheel: Path) -> None:
    said = from_wheel(conform_wheel, "conform --help").stdout
    assert "  identify " in said
    assert "  mutants " in said
    assert not any(
        f"  {name} " in said for rows in MAINTAINERS.values() for name in rows
    )


def test_an_engine_is_tested_from_it(conform_wheel: Path) -> None:
    words = "conform run --tier smoke --no-shrink --no-infer --format text --"
    served = f"{sys.executable} -m refengine conform mutants serve off:5.3"
    done = from_wheel(conform_wheel, f"{words} {served}")
    assert done.returncode == 1
    assert "5.3" in done.stdout


def from_wheel(wheel: Path, words: str) -> subprocess.CompletedProcess[str]:
    """The finished `refengine` command, run with the conformance package of a wheel."""
    folder = wheel.parent / "installed"
    if not folder.is_dir():
        with ZipFile(wheel) as packed:
            packed.extractall(folder)
    env = {**os.environ, "PYTHONPATH": str(folder)}
    command = (sys.executable, "-m", "refengine", *words.split())
    return run_process(*command, cwd=folder, env=env)


def ours(folder: str, root: Path = CONFORMANCE) -> list[str]:
    """The paths of all files below a folder of data, beginning with that folder."""
    return [f"{folder}/{name}" for name in names_in(root / folder)]


def test_each_extra_that_runs_pytest_has_what_its_strict_options_need() -> None:
    extras: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
    options = PROJECT["tool"]["pytest"]["ini_options"]
    assert "timeout" in options, "an option of pytest-timeout, unknown without it"
    named = {
        extra: {re.split(r"[^\w-]", package)[0] for package in packages}
        for extra, packages in extras.items()
    }
    running = {extra for extra, names in named.items() if "pytest" in names}
    assert running >= {"dev", "site-test"}
    for extra in running:
        assert "pytest-timeout" in named[extra], extra


def extras_of(root: Path) -> set[str]:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    return {*project["project"]["optional-dependencies"]}


def test_each_extra_that_a_page_or_a_message_names_is_of_that_package() -> None:
    """If a package lacks an extra, pip gives only a warning."""
    root = places.ROOT
    texts = [root / "README.md", *(root / "docs").glob("*.md")]
    for package in ("refengine", "conformance/refengine_conformance"):
        texts += (root / package).rglob("*.py")
    named = {
        found
        for path in texts
        for found in re.findall(
            r"pip install (?:--editable )?'([^'\s]*)\[(\w+)\]'", path.read_text("utf-8")
        )
    }
    assert len(named) > 5
    for place, extra in named:
        other = place.endswith(("conformance", "refengine-conform"))
        folder = root / "conformance" if other else root
        assert extra in extras_of(folder), (place, extra)
