"""Hints on why an adapter does not start, and what to do about it.

Each hint completes a sentence that says what went wrong. It is empty if nothing is
known beyond what the system says.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path
from typing import Final

_INTERPRETERS: Final = {
    ".cjs": "node",
    ".js": "node",
    ".mjs": "node",
    ".pl": "perl",
    ".py": "python",
    ".rb": "ruby",
    ".sh": "sh",
}
_FIRST_BYTES: Final = 256
_PROGRAMS: Final = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""How the files of programs begin: on Linux, on Windows and, in two ways, on macOS."""
_ASSIGNED: Final = re.compile(r"[A-Za-z_]\w*=")
_OPERATOR: Final = re.compile(
    r"^(\|\|?|&&?|;|[0-9]?>>?.*|<.+|<)$|^[\w./~-]*;$|^\$\(|^`"
)
_VARIABLE: Final = re.compile(r"\$(\w+|\{\w+\})(/|$)")
_PLAIN: Final = re.compile(r"[\w@%+=:,./${}-]+", re.ASCII)
_REDIRECTED: Final = re.compile(r"([0-9]?>>?|<)([^&|<>(].*)")
_HOME: Final = re.compile(r"~[\w.-]*")
_SHELLS: Final = ("sh", "bash", "dash", "ksh", "zsh", "fish")
_BUILT_IN: Final = ("cd", "source", "export", "exec", "ulimit", "set", "alias")

NOT_FLUSHED: Final = (
    "an answer came only when its input was closed: the adapter has to answer each "
    "line as it comes, and flush its output (in Python, print(..., flush=True))"
)
EMPTY_LINE: Final = (
    "got an empty line that nobody asked for; wanted one line break after each answer, "
    "which print and println add by themselves"
)
SEVERAL_LINES: Final = (
    "got an answer that is spread over several lines; wanted all of it on one line, "
    "without indentation"
)
STRAY_LINE: Final = (
    "only answers may go to standard output: write everything else to standard error"
)


def start_hint(command: tuple[str, ...]) -> str:
    """What to do about a command that cannot be started; empty if that is not known."""
    name = command[0]
    if not name.strip():
        return "its name is empty: write the program after --"
    if hint := shell_hint(command):
        return hint
    path = _file_of(name)
    if path is None:
        return _hint_without_file(name)
    if path.is_dir():
        return "it is a folder: name the program in it"
    if not os.path.isfile(path):
        return "it is neither a file nor a folder: name a program"
    # A file found on the PATH is not in this folder: only its whole path leads to it.
    return _hint_for_file(name if "/" in name else str(path), path)


def _hint_for_file(name: str, path: Path) -> str:
    """What to do about a file that cannot be started; empty if that is not known."""
    first = _first_line(path)
    if _ends_as_on_windows(first):
        return _carriage_return(name)
    compiled = first.startswith(_PROGRAMS)
    run = f"start it with -- {_interpreted(path)}"
    named = first[2:] if first.startswith(b"#!") else b""
    words = named.decode("utf-8", "replace").split()
    if words and not os.path.exists(words[0]):  # Path.exists may raise
        where = f"{words[0]}, which does not exist or cannot be reached"
        return f"its first line asks for {where}: {run}"
    if not shutil.which(str(path.absolute())):
        allow = f"allow it with chmod +x {shlex.quote(name)}"
        how = allow if compiled else f"{run}, or {allow}"
        return f"it is not executable: {how}"
    if compiled:
        return "it is a program, but not one for this system: build it for this one"
    if not words:
        return f"its first line does not say, after #!, what runs it: {run}"
    return ""


def shell_hint(command: tuple[str, ...]) -> str:
    """What to do about a command that is written for a shell; empty if it is not."""
    words = _words_of(command)
    in_one = words != [*command]  # it was typed as one word, in quotes
    as_typed = command[0].split(maxsplit=1) if in_one else [*map(_for_a_shell, words)]
    line = " ".join(as_typed)
    in_shell = any(Path(one).name in _SHELLS for one in words)
    if not in_shell and (
        words[0] in _BUILT_IN
        or any(_OPERATOR.search(one) or _VARIABLE.match(one) for one in words)
    ):
        return f"no shell reads the command: start one, -- sh -c {shlex.quote(line)}"
    if _ASSIGNED.match(words[0]):
        whole = line if in_one else shlex.join(words)
        return f"no shell reads the command: set variables with -- env {whole}"
    if not in_shell and (program := _in_a_home(words[0])) is not None:
        whole = " ".join([shlex.quote(str(program)), *as_typed[1:]])
        return f"no shell reads the command, so ~ is not your home: write -- {whole}"
    return ""


def _words_of(command: tuple[str, ...]) -> list[str]:
    """The words of a command, which is split if it was typed as one word in quotes.

    The name of a file that exists is not split, whatever characters are in it.
    """
    name = command[0]
    there = _file_of(name) is not None or os.path.exists(_in_a_home(name) or name)
    return [*command] if len(command) > 1 or there else name.split()


def _for_a_shell(word: str) -> str:
    """Quote a word for a shell if the shell would otherwise misread it.

    An operator, a variable or the ~ of a home folder is left for the shell to read.
    """
    if found := _REDIRECTED.fullmatch(word):
        return f"{found[1]}{_for_a_shell(found[2])}"
    if _OPERATOR.search(word):
        return word
    if _VARIABLE.match(word):
        if _PLAIN.fullmatch(word):
            return word
        return '"' + re.sub(r'(["`\\])', r"\\\1", word) + '"'
    home, slash, rest = word.partition("/")
    if _HOME.fullmatch(home):  # in quotes, it would not be a home
        return f"{home}{slash}{shlex.quote(rest) if rest else ''}"
    return shlex.quote(word)


def unanswered_hint(command: tuple[str, ...], not_found: bool) -> str:
    """What to do about a command that ended before any answer; empty if unknown.

    If `not_found` is true, a program could not be found, which may be the interpreter
    that a script names.
    """
    return shell_hint(command) or (_script_hint(command) if not_found else "")


def _in_a_home(name: str) -> Path | None:
    """The path to which a shell expands a name that begins with ~.

    It is None for any other name, and for the home of a user who does not exist.
    """
    if not name.startswith("~"):
        return None
    try:
        return Path(name).expanduser()
    except RuntimeError:  # there is no such user
        return None


def _script_hint(command: tuple[str, ...]) -> str:
    """What to do if a word of the command is a script saved with Windows line ends.

    The text is empty if there is no such word.
    """
    for word in command:
        path = _file_of(word)
        if path is not None and _ends_as_on_windows(_first_line(path)):
            return _carriage_return(word)
    return ""


def _ends_as_on_windows(first: bytes) -> bool:
    """Whether a line begins with #! and ends with a carriage return, as on Windows."""
    return first.startswith(b"#!") and first.endswith(b"\r")


def _carriage_return(name: str) -> str:
    """What to do about a script whose first line ends with a carriage return."""
    return (
        f"the first line of {name} ends with a carriage return, as on Windows, which "
        "becomes part of the interpreter's name: save the file with line feeds alone "
        f"(dos2unix {shlex.quote(name)})"
    )


def _hint_without_file(name: str) -> str:
    """What to do if there is no program with this name; empty if unknown."""
    words = name.split()
    program = _file_of(words[0])
    if words != [name] and program is not None and not program.is_dir():
        whole = " ".join(words)
        return f"the quotes make it the name of one program; leave them out: -- {whole}"
    if os.path.isfile(name):  # in this folder, which is not on the path
        path = Path(name)
        as_it_is = path.suffix not in _INTERPRETERS and os.access(name, os.X_OK)
        run = shlex.quote(f"./{name}") if as_it_is else _interpreted(path)
        here = "a program is looked for on the PATH, not in this folder"
        return f"{here}: start it with -- {run}"
    return "" if "/" in name else "no program on the PATH has this name"


def _file_of(name: str) -> Path | None:
    """The file or folder that the system would take this name for; None if neither.

    A name without a slash can be a folder in the current one only if no file on the
    PATH has that name.
    """
    if "/" not in name:
        # The system says that it may not run a file that is not executable.
        found = shutil.which(name) or shutil.which(name, os.F_OK)
        if found is not None:
            return Path(found)
        return Path(name) if os.path.isdir(name) else None
    # For a word too long to be a file name, `os.path` says no, while `Path` raises.
    return Path(name) if os.path.exists(name) else None


def _interpreted(path: Path) -> str:
    """The shell command that starts a script with the interpreter for its suffix."""
    interpreter = _INTERPRETERS.get(path.suffix, "INTERPRETER")
    return f"{interpreter} {shlex.quote(str(path))}"


def _first_line(path: Path) -> bytes:
    """The first line of a file, without the line feed; empty if it cannot be read.

    A pipe or a device is not read, as that might take for ever.
    """
    if not os.path.isfile(path):
        return b""
    try:
        with path.open("rb") as stream:
            return stream.read(_FIRST_BYTES).partition(b"\n")[0]
    except OSError:
        return b""
