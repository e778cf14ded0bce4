"""Compile programs for tests, which fail rather than skip if a compiler is missing."""

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.support import places
from tests.support.commands import run_process
from tests.support.node import tool_of_wheel

CACHE = places.ROOT / "build" / "compilers"
WARNINGS = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror")


def _go() -> str:
    return tool_of_wheel("go", "go", "bin/go", "bin/go.exe")


def _c() -> tuple[str, ...]:
    if found := shutil.which("cc"):
        return (found,)
    if find_spec("ziglang"):
        return (sys.executable, "-m", "ziglang", "cc")
    raise AssertionError("no C compiler: install the extra `zig`, which has one")


def compiled(source: Path) -> Path:
    """The program compiled from a C or Go file, which must compile without warnings."""
    program = source.with_suffix(".exe")
    if source.suffix == ".c":
        command = [*_c(), *WARNINGS, "-O1", "-o", str(program), str(source)]
    else:
        command = [_go(), "build", "-o", str(program), str(source)]
    found = run_process(*command, env=_environment(), timeout=300)
    assert (found.returncode, found.stdout + found.stderr) == (0, "")
    return program


def vetted(source: Path) -> str:
    """The complaints of `go vet` and gofmt about a file; empty if there are none."""
    checks: tuple[tuple[str, ...], ...] = ((_go(), "vet"), (_gofmt(), "-l"))
    found = [run_process(*check, source, env=_environment()) for check in checks]
    return "".join(one.stdout + one.stderr for one in found)


def _gofmt() -> str:
    go = Path(_go())
    return str(go.with_name("gofmt" + go.suffix))


def _environment() -> dict[str, str]:
    """The environment without downloads of Go and with all caches below `build`."""
    return os.environ | {
        "CGO_ENABLED": "0",
        "GOTOOLCHAIN": "local",
        "GOCACHE": str(CACHE / "go"),
        "XDG_CONFIG_HOME": str(CACHE / "config"),
        "ZIG_GLOBAL_CACHE_DIR": str(CACHE / "zig"),
        "ZIG_LOCAL_CACHE_DIR": str(CACHE / "zig"),
    }
