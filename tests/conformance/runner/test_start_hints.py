"""Tests that one sentence says why an adapter does not start and what to do."""

import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from refengine_conformance.runner.driver import (
    Adapter,
    BrokenError,
    CannotRunError,
    transport_of,
)
from refengine_conformance.runner.results import Limits
from refengine_conformance.runner.start_hints import shell_hint, unanswered_hint
from tests.support import places

pytestmark = pytest.mark.interpreted("about processes and pipes")

PLAIN = (places.ADAPTERS / "plain_adapter.py").read_text("utf-8")
LIMITS = Limits(op=2.0, hello=2.0, bye=0.5)
HELLO = """
import json, sys
HELLO = {"protocol": 1, "name": "n", "version": "1", "language": "Python",
         "profiles": "any", "players": [4], "capabilities": ["step"]}
def answered(line):
    seq = json.loads(line)["seq"]
    return json.dumps({"seq": seq, "ok": HELLO if seq == 1 else {}})
"""


def running(body: str) -> tuple[str, ...]:
    """The command of an adapter with this source, which may use the name `HELLO`."""
    return sys.executable, "-c", HELLO + body


def cannot_run(*command: str) -> str:
    """The message, on one line, for an adapter that cannot be run."""
    with pytest.raises(CannotRunError) as caught:
        Adapter(transport_of(command), LIMITS).kill()
    said = str(caught.value)
    assert "\n" not in said
    return said


def script(path: Path, text: str, mode: int = 0o755) -> str:
    path.write_bytes(text.encode())
    path.chmod(mode)
    return str(path)


# Commands that the system does not start


@pytest.mark.parametrize(
    ("command", "unquoted"),
    [
        ("{python} my.py", "-- {python} my.py"),
        ("{python}  my.py --fast", "-- {python} my.py --fast"),
        ("./my.py --fast", "-- ./my.py --fast"),
        ("sh -c true", "-- sh -c true"),
    ],
)
def test_a_command_in_quotes_is_to_be_typed_without(
    folder: Path, command: str, unquoted: str
) -> None:
    script(folder / "my.py", "")
    said = cannot_run(command.format(python=sys.executable))
    assert said.endswith(f"leave them out: {unquoted.format(python=sys.executable)}")


@pytest.mark.parametrize(
    ("command", "hint"),
    [
        ("python my.py | tee log", "start one, -- sh -c 'python my.py | tee log'"),
        ("cd here && ./my.py", "start one, -- sh -c 'cd here && ./my.py'"),
        ("./my.py > log", "start one, -- sh -c './my.py > log'"),
        ("./my.py 2>log", "start one, -- sh -c './my.py 2>log'"),
        ("source env; ./my.py", "start one, -- sh -c 'source env; ./my.py'"),
        ("FAST=1 ./my.py", "set variables with -- env FAST=1 ./my.py"),
        ("~/my.py", f"~ is not your home: write -- {Path.home()}/my.py"),
    ],
)
@pytest.mark.parametrize("quoted", [True, False])
def test_what_only_a_shell_understands_is_told_so(
    folder: Path, command: str, hint: str, quoted: bool
) -> None:
    script(folder / "my.py", "import sys; sys.exit(1)")
    words = [command] if quoted else command.split()
    said = cannot_run(*(sys.executable if one == "python" else one for one in words))
    assert said.replace(sys.executable, "python").endswith(hint)
    assert "no shell reads the command" in said


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (
            ("A=1", "./my.py", "two words"),
            "-- env A=1 ./my.py 'two words'",
        ),
        (("./my.py", "two words", "|", "tee", "$HOME/x"), "|"),
        (
            ("python", "~/my own.py", "$HOME/my games", "2>log"),
            "-- sh -c 'python ~/'\"'\"'my own.py'\"'\"' \"$HOME/my games\" 2>log'",
        ),
        (("env", "A=1", "sh", "-c", "cd /nosuch; ./my.py;"), ""),
    ],
)
def test_a_hint_is_a_command_that_works(words: tuple[str, ...], hint: str) -> None:
    said = shell_hint(words)
    if hint == "|":
        (line,) = re.findall(r"-- sh -c (.*)", said)
        assert shlex.split(line) == ["./my.py 'two words' | tee $HOME/x"]
    else:
        assert said.endswith(hint)
        assert bool(said) == bool(hint)


def test_what_a_shell_could_not_read_is_quoted() -> None:
    hint = shell_hint(("node", "$HOME/hearts(1).mjs"))
    assert hint.endswith("""-- sh -c 'node "$HOME/hearts(1).mjs"'""")
    hint = shell_hint(("./my.py", "2>my log"))
    assert shlex.split(hint.partition("sh -c ")[2]) == ["./my.py 2>'my log'"]


def test_a_script_with_a_space_in_its_name_is_quoted(folder: Path) -> None:
    script(folder / "my adapter.py", "import sys\n", 0o644)
    said = cannot_run("./my adapter.py")
    assert "start it with -- python 'my adapter.py'" in said
    assert said.endswith("chmod +x './my adapter.py'")


@pytest.mark.parametrize(
    "words", [("--flag=a;b",), ("x=1",), ("a>b",), ("-c", "|a"), ("-e", "run('a');")]
)
def test_what_an_adapter_may_be_given_is_not_taken_for_a_shells(
    folder: Path, words: tuple[str, ...]
) -> None:
    script(folder / "my.py", "import sys; sys.exit(1)")
    said = cannot_run(sys.executable, "my.py", *words)
    assert said == "hello: the adapter ended with exit code 1"


def test_a_word_may_be_longer_than_the_name_of_a_file(folder: Path) -> None:
    long = "x" * 300
    assert "No such file" in cannot_run(long) or "too long" in cannot_run(long)
    assert "ended" in cannot_run("sh", "-c", f"nobody {long}")


def test_what_to_do_comes_behind_how_the_adapter_ended(folder: Path) -> None:
    """The message first says how the adapter ended, here in the middle of a line."""
    script(folder / "my.py", "import sys; sys.stdout.write('{'); sys.exit(1)")
    said = cannot_run(sys.executable, "my.py", ">log")
    ended = "hello: the adapter ended with exit code 1 in the middle of a line; "
    assert said.startswith(f"{ended}no shell reads the command")


def test_what_a_shell_is_given_is_its_own(folder: Path) -> None:
    script(folder / "my.py", "import sys; sys.exit(1)")
    said = cannot_run("sh", "-c", f"{sys.executable} my.py;")
    assert said == "hello: the adapter ended with exit code 1"


@pytest.mark.parametrize("program", ["~no-such-user/my.py", "./my engine/run.py"])
def test_neither_a_home_of_nobody_nor_a_space_in_a_name_calls_for_a_hint(
    folder: Path, program: str
) -> None:
    (folder / "my").mkdir()  # the folder is no program
    said = f"{program} cannot be started: No such file or directory"
    assert cannot_run(program) == said


@pytest.mark.parametrize(
    ("first", "mode", "cause"),
    [
        ("import sys", 0o644, "it is not executable"),
        ("import sys", 0o755, "its first line does not say, after #!, what runs it"),
        ("#!", 0o755, "its first line does not say, after #!, what runs it"),
        ("#!/no/python", 0o755, "its first line asks for /no/python, which does not"),
    ],
)
def test_a_script_that_the_system_cannot_run_is_to_be_run_by_its_interpreter(
    folder: Path, first: str, mode: int, cause: str
) -> None:
    script(folder / "my.py", f"{first}\n", mode)
    said = cannot_run("./my.py")
    assert said.startswith("./my.py cannot be started: ")
    assert cause in said
    assert "start it with -- python my.py" in said


def test_a_script_on_the_path_is_named_by_its_whole_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = folder / "tools"
    tools.mkdir()
    path = script(tools / "my.py", "import sys\n", 0o644)
    monkeypatch.setenv("PATH", str(tools))
    said = cannot_run("my.py")
    assert said.startswith("my.py cannot be started: Permission denied; it is not ex")
    assert f"start it with -- python {path}" in said
    assert said.endswith(f"chmod +x {path}")


def test_a_folder_here_does_not_hide_a_program_on_the_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = folder / "tools"
    tools.mkdir()
    script(tools / "my.py", "import sys\n", 0o644)
    (folder / "my.py").mkdir()
    monkeypatch.setenv("PATH", str(tools))
    assert "; it is not executable: " in cannot_run("my.py")
    assert cannot_run("my.py --fast").endswith("leave them out: -- my.py --fast")
    assert cannot_run("tools").endswith("; it is a folder: name the program in it")


@pytest.mark.parametrize(
    ("command", "hint"),
    [
        ("no-such-program", "; no program on the PATH has this name"),
        (".", "; it is a folder: name the program in it"),
        ("/dev/null", "; it is neither a file nor a folder: name a program"),
        ("", "; its name is empty: write the program after --"),
        ("my.mjs", "not in this folder: start it with -- node my.mjs"),
    ],
    ids=[
        "none",
        "a folder",
        "a device",
        "no name",
        "a script in this folder, not on the path",
    ],
)
def test_what_is_no_program_is_said(folder: Path, command: str, hint: str) -> None:
    script(folder / "my.mjs", "")
    assert cannot_run(command).endswith(hint)


def test_a_program_in_this_folder_is_to_be_started_as_it_is(folder: Path) -> None:
    script(folder / "my engine", "#!/bin/sh\n")
    said = cannot_run("my engine")
    assert said.endswith("not in this folder: start it with -- './my engine'")
    script(folder / "my-notes", "#!/bin/sh\n", 0o644)
    assert cannot_run("my-notes").endswith("start it with -- INTERPRETER my-notes")


@pytest.mark.parametrize("interpreter", [sys.executable, "/usr/bin/env python3"])
def test_a_carriage_return_after_the_interpreter_is_named(
    folder: Path, interpreter: str
) -> None:
    script(folder / "my.py", f"#!{interpreter}\n{PLAIN}".replace("\n", "\r\n"))
    said = cannot_run("./my.py")
    assert "the first line of ./my.py ends with a carriage return" in said
    assert said.endswith("(dos2unix ./my.py)")


def test_a_program_in_the_home_keeps_what_stands_behind_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(folder))
    script(folder / "my engine.py", "")
    for words, typed in (
        (("~/my engine.py",), f"'{folder}/my engine.py'"),
        (("~/my.py --fast",), f"{folder}/my.py --fast"),
        (("~/my.py", "two words"), f"{folder}/my.py 'two words'"),
        (("~/my.py | tee log",), "sh -c '~/my.py | tee log'"),
        (("A=1", "~/my.py", "|", "tee", "log"), "sh -c 'A=1 ~/my.py | tee log'"),
    ):
        assert shell_hint(words).endswith(f" -- {typed}")


def test_the_signs_in_the_name_of_a_file_are_not_for_a_shell(folder: Path) -> None:
    (folder / "R & D").mkdir()
    script(folder / "R & D" / "my.py", "import sys\n", 0o644)
    said = cannot_run("./R & D/my.py")
    assert "it is not executable: start it with -- python 'R & D/my.py'" in said


@pytest.mark.parametrize(
    ("mode", "hint"),
    [
        (
            0o755,
            "; it is a program, but not one for this system: build it for this one",
        ),
        (0o644, "; it is not executable: allow it with chmod +x ./my-engine"),
    ],
)
def test_a_compiled_program_needs_no_interpreter(
    folder: Path, mode: int, hint: str
) -> None:
    script(folder / "my-engine", "\x7fELF", mode)
    assert cannot_run("./my-engine").endswith(hint)


def test_a_pipe_is_not_read_for_a_hint(folder: Path) -> None:
    os.mkfifo("pipe")
    held = os.open("pipe", os.O_RDWR)  # so that opening it waits for nobody
    os.write(held, b"#!x\r\n" + b" " * 300)
    assert unanswered_hint(("sh", "./pipe"), not_found=True) == ""
    os.close(held)


# Adapters that speak, but not as they should


@pytest.mark.parametrize(
    "body",
    [
        "for line in sys.stdin: print(answered(line))",
        "for line in sys.stdin.readlines(): print(answered(line), flush=True)",
    ],
    ids=["not flushed", "waits for the end of its input"],
)
def test_an_answer_that_is_kept_back_is_told_from_none(
    folder: Path, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    said = cannot_run(*running(body))
    assert said.startswith("hello: no answer within 2 s, the time limit; an answer ca")
    assert "flush=True" in said


def test_an_answer_kept_back_behind_hello_is_told_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    body = "for line in sys.stdin: print(answered(line), flush='hello' in line)"
    adapter = Adapter(transport_of(running(body)), LIMITS)
    with pytest.raises(BrokenError) as caught:
        adapter.ask("legal")
    assert str(caught.value).startswith("no answer within 2 s, the time limit; an answ")
    assert "flush=True" in str(caught.value)


@pytest.mark.parametrize(
    "body", ["sys.stdin.read()", "sys.stdin.read(); print('goodbye')"]
)
def test_an_adapter_that_does_not_answer_at_all_is_not_told_to_flush(
    folder: Path, body: str
) -> None:
    said = cannot_run(sys.executable, "-c", f"import sys; {body}")
    assert said == "hello: no answer within 2 s, the time limit"


@pytest.mark.parametrize(
    "body",
    [
        "print(answered(line) + chr(10), flush=True)",
        "print(chr(10) + answered(line), flush=True)",
        "print(answered(line), end=chr(10) * 2, flush=True)",
        "print(flush=True); print(answered(line), flush=True)",
        "print(answered(line), flush=True); print(flush=True)",
    ],
)
def test_an_empty_line_beside_an_answer_is_called_that(folder: Path, body: str) -> None:
    said = cannot_run(*running(f"for line in sys.stdin: {body}"))
    assert "got an empty line that nobody asked for" in said
    assert "wanted one line break after each answer" in said


def test_an_empty_line_later_is_called_that_too() -> None:
    extra = "(chr(10) if '\"step\"' in line else '')"
    body = f"for line in sys.stdin: print(answered(line) + {extra}, flush=True)"
    adapter = Adapter(transport_of(running(body)), LIMITS)

    def two_steps() -> None:
        for _ in range(2):
            adapter.ask("step", seat=0, act={"play": "QS"})

    with pytest.raises(BrokenError, match="got an empty line that nobody asked for"):
        two_steps()


def test_an_answer_on_several_lines_is_called_that(folder: Path) -> None:
    spread = "json.dumps(json.loads(answered(line)), indent=1)"
    said = cannot_run(*running(f"for line in sys.stdin: print({spread}, flush=True)"))
    assert said.startswith("hello: got an answer that is spread over several lines")


def test_a_byte_order_mark_does_not_hide_that_an_answer_is_on_several_lines() -> None:
    spread = "json.dumps(json.loads(answered(line)), indent=1)"
    marked = rf"b'\xef\xbb\xbf' + {spread}.encode() + b'\n'"
    body = f"for line in sys.stdin: os.write(1, {marked})"
    said = cannot_run(*running(f"import os\n{body}"))
    assert said.startswith("hello: got an answer that is spread over several lines")


@pytest.mark.parametrize("where", ["before", "after"])
def test_words_beside_an_answer_belong_to_standard_error(
    folder: Path, where: str
) -> None:
    answer, words = "print(answered(line), flush=True)", "print('thinking', flush=True)"
    both = (words, answer) if where == "before" else (answer, words)
    said = cannot_run(*running(f"for line in sys.stdin: {'; '.join(both)}"))
    assert "'thinking" in said
    assert said.endswith("write everything else to standard error")
