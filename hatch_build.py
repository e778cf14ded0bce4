"""Compiles the rules while a wheel is built, where that can be done.

pip and every other front end come through here, so what people install is compiled. The
compiler works on a copy of the sources in a temporary folder and leaves nothing in the
checkout, where Python would load compiled modules in place of the source. For the same
reason an editable install compiles nothing.

If the rules cannot be compiled, the wheel is pure and says why in NOTE, which
`refengine --version` reads. The environment variable `REFENGINE_COMPILE=0` asks for the
pure wheel, and `REFENGINE_COMPILE=1` makes a failure an error.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH: Final = "REFENGINE_COMPILE"
NOTE: Final = "refengine/interpreted.txt"
# Each compiled module is a stub; this library holds the code of all of them. It lies in
# the package; by default, mypyc puts it next to the package, with a hash for a name.
LIBRARY: Final = "refengine.rules"
# What mypyc writes is exported unless told otherwise, and then neither inlined nor
# called directly: hidden and without interposition, random play is half as fast again.
# The first two are flags of Python itself, which CFLAGS in the environment replace.
# mypyc turns warnings into errors, but a newer C compiler may have new warnings.
FASTER: Final = (
    "-DNDEBUG",
    "-fwrapv",
    "-fvisibility=hidden",
    "-fno-semantic-interposition",
    "-Wno-error",
)
# GCC weighs each small function of the rules as if it were written to be called, and
# calls it. With these, random play is a tenth faster; the library grows by as much.
# Other compilers decide for themselves.
INLINED: Final = (
    "--param=max-inline-insns-auto=100",
    "--param=early-inlining-insns=40",
)


class NotCompiledError(Exception):
    """The rules were not compiled; holds the reason and the output of the compilers."""

    def __init__(self, why: str, output: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.output = output


# In the process of the build


class RulesHook(BuildHookInterface):  # type: ignore[type-arg]  # of no use to us
    """The build hook, which hatchling finds by its base class."""

    scratch: TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """The packages to install for the build: none if compiling is not tried."""
        return [] if _not_even_tried() else list(self.config["compile-requires"])

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the compiled modules to the wheel, or the note on why there are none."""
        if version == "editable":
            return
        self.scratch = TemporaryDirectory(prefix="refengine-")
        folder = Path(self.scratch.name)
        try:
            found = compiled(Path(self.root), self.config["compile"], folder)
        except NotCompiledError as error:
            if os.environ.get(SWITCH) == "1":
                self.app.display_error(error.output)
                self.app.abort(f"the rules cannot be compiled: {error.why}")
            self.app.display_warning(f"the rules stay interpreted: {error.why}")
            note = folder / "note"
            note.write_text(error.why + "\n", "utf-8")
            build_data["force_include"][str(note)] = NOTE
        else:
            build_data["force_include"].update(found)
            build_data.update(pure_python=False, infer_tag=True)

    def finalize(self, *_: object) -> None:
        """Remove the temporary folder."""
        if self.scratch is not None:
            self.scratch.cleanup()


def _not_even_tried() -> str:
    """Why compiling is not tried; empty if it is tried."""
    asked = os.environ.get(SWITCH, "")
    if asked not in ("", "0", "1"):
        raise ValueError(f"{SWITCH} is 0 or 1, not {asked!r}")
    if asked == "0":
        return f"{SWITCH}=0"
    if sys.implementation.name != "cpython":
        return f"not CPython but {sys.implementation.name}"
    return ""


def modules(root: Path, named: Iterable[str]) -> list[str]:
    """The files to compile: those named, and those directly in a named folder.

    A package's own `__init__` stays interpreted: it has nothing to gain.
    """
    files: set[Path] = set()
    for path in (root / name for name in named):
        files.update(path.glob("*.py") if path.is_dir() else [path])
    return sorted(
        path.relative_to(root).as_posix()
        for path in files
        if path.name != "__init__.py"
    )


def compiled(root: Path, named: Iterable[str], folder: Path) -> dict[str, str]:
    """The paths of the compiled files, each with its place in the wheel.

    They are made in this folder. Raises NotCompiledError if compiling is not tried or
    fails.
    """
    if untried := _not_even_tried():
        raise NotCompiledError(untried)
    source, made = folder / "source", folder / "made"
    leave = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    shutil.copytree(root / "refengine", source / "refengine", ignore=leave)
    # In a separate process: both compilers write to the terminal, and mypyc may exit.
    # -P keeps it from finding the modules of the checkout beside this file.
    command = [sys.executable, "-P", str(Path(__file__).resolve()), str(made)]
    done = subprocess.run(
        [*command, *modules(source, named)],
        cwd=source,
        env={name: value for name, value in os.environ.items() if name != "MYPYPATH"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode:
        left = source / "why"
        why = left.read_text("utf-8") if left.exists() else "the build failed"
        raise NotCompiledError(why, done.stdout)
    return {
        str(path): path.relative_to(made).as_posix()
        for path in sorted(made.rglob("*"))
        if path.is_file()
    }


# In the process that compiles, in the folder of the copy


def main(target: str, paths: list[str]) -> None:
    """Compile these modules into the folder `target`.

    If that fails, the reason is written to the file `why`.
    """
    try:
        _compile(target, paths)
    except NotCompiledError as error:
        Path("why").write_text(error.why, "utf-8")
        raise


def _compile(target: str, paths: list[str]) -> None:
    try:
        from mypyc.build import mypycify
        from setuptools import Extension
    except ImportError as error:
        raise NotCompiledError(f"no {(error.name or 'mypyc').split('.')[0]}") from error
    # Tried on one line first: mypyc takes a while to get to the C compiler.
    tried = Extension("tried", ["tried.c"])
    if not _builds(tried, "#include <Python.h>"):
        why = "no Python.h" if _builds(tried, "int needed;") else "no C compiler"
        raise NotCompiledError(why)
    faster = FASTER
    tried.extra_compile_args = list(INLINED)
    if os.name == "posix" and _builds(tried, "int inlined;"):
        faster += INLINED
    options = ["--config-file=", "--cache-dir=../cache"]
    docstrings = docstrings_by_symbol(paths)
    for path in paths:
        _keep_docstrings_of_values(Path(path))
    try:
        extensions = mypycify(
            [*options, *paths],
            opt_level="3",
            debug_level="0",
            target_dir="../c",
            group_name=LIBRARY,
        )
    except SystemExit as error:
        raise NotCompiledError("mypyc failed") from error
    for written in Path("../c").rglob("*.c"):
        written.write_text(documented(written.read_text("utf-8"), docstrings), "utf-8")
    if os.name == "posix":
        for extension in extensions:
            extension.extra_compile_args.extend(faster)
    try:
        _build(extensions, target)
    except Exception as error:  # setuptools has no single class for it
        raise NotCompiledError("the C compiler failed") from error


# Docstrings, which mypyc leaves out and `help` should show

_FUNCTION: Final = re.compile(
    r'(CPyPy_(\w+),\s*METH_[A-Z_ |]+,\s*PyDoc_STR\()("(?:[^"\\]|\\.)*")'
)
_PROPERTY: Final = re.compile(r"(\(getter\)(\w+)_get_(\w+),\s*\w+,\s*)NULL(, NULL\})")
_CLASS: Final = re.compile(
    r"(CPyType_(\w+)_template_ = \{(?:(?!\n\s*\};).)*?\.tp_doc = PyDoc_STR\()"
    r'(NULL|"(?:[^"\\]|\\.)*")',
    re.DOTALL,
)


def docstrings_by_symbol(paths: Iterable[str]) -> dict[str, str]:
    """The docstrings of classes, methods, properties and functions in these files.

    The keys are the names that mypyc gives them in C: module, class and function,
    joined by three underscores. If a function has no decorator, its docstring begins
    with its signature and types.
    """
    found: dict[str, str] = {}
    for path in map(Path, paths):
        _gather(ast.parse(path.read_text("utf-8")).body, path.stem, found)
    return found


def _gather(body: list[ast.stmt], place: str, found: dict[str, str]) -> None:
    for node in body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef):
            continue
        name = f"{place}___{node.name}"
        said = ast.get_docstring(node) or ""
        if isinstance(node, ast.ClassDef):
            _gather(node.body, name, found)
        elif not node.decorator_list:
            said = f"{_signature(node)}\n\n{said}".rstrip()
        if said:
            found[name] = said


def _signature(node: ast.FunctionDef) -> str:
    given = ast.unparse(node.args).removeprefix("self").removeprefix(", ")
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({given}){returned}"


def documented(text: str, docstrings: Mapping[str, str]) -> str:
    """The C source that mypyc wrote, with these docstrings put in."""

    def function(match: re.Match[str]) -> str:
        said = docstrings.get(match[2], "")
        return match[1] + match[3] + _literal(said)

    def attribute(match: re.Match[str]) -> str:
        said = _literal(docstrings.get(f"{match[2]}___{match[3]}", ""))
        return match[1] + (f"PyDoc_STR({said})" if said else "NULL") + match[4]

    def kind(match: re.Match[str]) -> str:
        said = _literal(docstrings.get(match[2], ""))
        before = match[3] if match[3] != "NULL" or not said else ""
        return match[1] + before + said

    text = _FUNCTION.sub(function, text)
    return _CLASS.sub(kind, _PROPERTY.sub(attribute, text))


def _literal(said: str) -> str:
    """The text as adjacent C string literals, one for each line; empty for no text."""
    parts = []
    for line in said.splitlines(keepends=True):
        codes = [f"\\{byte:03o}" if byte > 126 else chr(byte) for byte in line.encode()]
        escaped = "".join(
            {'"': '\\"', "\\": "\\\\", "\n": "\\n"}.get(c, c) for c in codes
        )
        parts.append(f' "{escaped}"')
    return "".join(parts)


def _keep_docstrings_of_values(path: Path) -> None:
    """Change this copy of a module so that its attrs classes keep their docstrings.

    Such a class is not native, and mypyc replaces its docstring with a filler; the
    lines that are added assign the docstring again.
    """
    text = path.read_text("utf-8")
    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and _is_of_attrs(node):
            text += f'setattr({node.name}, "__doc__", {ast.get_docstring(node)!r})\n'
    path.write_text(text, "utf-8")


def _is_of_attrs(node: ast.ClassDef) -> bool:
    return any("attrs." in ast.unparse(one) for one in node.decorator_list)


def _builds(tried: Any, text: str) -> bool:
    """Whether this C source can be built into a module on this machine."""
    Path(tried.sources[0]).write_text(text + "\n", "utf-8")
    try:
        _build([tried], "../tried")
    except Exception as error:  # a missing compiler shows in many ways
        print(repr(error))
        return False
    return True


def _build(extensions: list[Any], target: str) -> None:
    from setuptools import Distribution

    command = Distribution({"ext_modules": extensions}).get_command_obj("build_ext")
    command.build_lib = target
    command.build_temp = "../objects"
    command.ensure_finalized()
    command.run()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
