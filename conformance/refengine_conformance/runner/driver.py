"""Exchange requests and answers with an adapter, in another process or in this one."""

from __future__ import annotations

import os
import select
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from time import monotonic
from typing import Any, Final, Protocol

import msgspec

from refengine.errors import Malformed, harmless, harmless_lines
from refengine.formats.protocol import HelloOk, TableObject
from refengine.formats.serve import PROTOCOL, Session
from refengine.formats.wire import LONGEST_LINE
from refengine.jobs import signals
from refengine.jobs.own_python import own_command, own_environment
from refengine.lawbook.editions import known_versions
from refengine_conformance.jobs import marked_processes
from refengine_conformance.runner.answers import (
    AnyAnswer,
    FormError,
    OtherProtocolError,
    OutOfStepError,
    engine_card,
    read_answer,
)
from refengine_conformance.runner.conversation_log import ConversationLog, log_file
from refengine_conformance.runner.results import EngineCard, Limits, Outcome
from refengine_conformance.runner.run_time import ENDLESS, RunOverError, RunTime
from refengine_conformance.runner.start_hints import (
    EMPTY_LINE,
    NOT_FLUSHED,
    SEVERAL_LINES,
    STRAY_LINE,
    start_hint,
    unanswered_hint,
)

STDERR_KEPT: Final = 4096
_STDERR_SHOWN: Final = 12  # lines
_CHUNK: Final = 1 << 16
_GRACE: Final = 0.02
_LAST_WORDS: Final = 1.0
_NOT_FOUND: Final = (126, 127)  # the exit codes for a program that cannot be run
_POLL_IN: Final = select.POLLIN | select.POLLHUP | select.POLLERR
_encode: Final = msgspec.json.Encoder().encode


class BrokenError(Exception):
    """Raised when a conversation is over: a crash, a timeout, or a misplaced line.

    `outcome` is `crash`, `timeout` or `protocol`; the error's text is one sentence.
    """

    def __init__(self, outcome: Outcome, sentence: str) -> None:
        super().__init__(harmless(sentence))
        self.outcome: Final = outcome


class CannotRunError(Exception):
    """Raised if the adapter cannot be started or does not answer `hello` as it should.

    The error's text is one sentence.
    """

    def __init__(self, sentence: str, stderr: str = "") -> None:
        super().__init__(harmless(sentence))
        self.stderr: Final = stderr

    @property
    def explained(self) -> str:
        """The sentence, and below it the end of what the adapter wrote to stderr."""
        return "\n".join((str(self), *stderr_paragraph(self.stderr)))


class WrongProtocolError(CannotRunError):
    """Raised if the adapter speaks another version of the protocol."""


class WrongEditionError(CannotRunError):
    """Raised if the adapter names an edition of the book that does not exist."""


def quoted_stderr(said: str) -> list[str]:
    """The last lines of what an adapter wrote to its standard error.

    Every line is marked as quoted, so that it cannot be taken for part of a report.
    """
    return [f"| {line}" for line in harmless_lines(said)[-_STDERR_SHOWN:]]


def stderr_paragraph(said: str) -> list[str]:
    """The lines of `quoted_stderr`, indented under a heading; none if `said` is ""."""
    shown = [f"    {line}" for line in quoted_stderr(said)]
    return ["the end of the adapter's standard error:", *shown] if said else []


class Transport(Protocol):
    """A connection to an adapter, over which each line sent is answered by one line."""

    @property
    def stderr(self) -> bytes:
        """The end of what the adapter wrote to its standard error."""

    def exchange(self, line: bytes, limit: float) -> bytes:
        """Send a line and return the answer; raises BrokenError if none comes."""

    def quiet(self, seconds: float) -> None:
        """Raise BrokenError if the adapter ends or writes unasked within this time."""

    def end(self, line: bytes, limit: float) -> str:
        """Send `bye`; return any fault in how the adapter ended, or an empty text."""

    def kill(self, why: str = "") -> None:
        """End the adapter at once; `why` is for the log, if there is one."""


def _shown(line: bytes | bytearray) -> str:
    """The beginning of a line, in quotes, for a message."""
    text = line[: 4 * 61].decode("utf-8", "replace")  # at most four bytes per character
    return f"{text[:60]!r}{' and so on' if len(text) > 60 else ''}"


def _is_object(line: bytes | bytearray) -> bool:
    """Whether a line begins like a JSON object, after any byte order mark."""
    return line.decode("utf-8-sig", "replace").lstrip().startswith("{")


def _begins_only(line: bytes) -> bool:
    """Whether a line is just the bracket that opens an indented object or array."""
    return line.decode("utf-8-sig", "replace").strip() in ("{", "[")


def _unasked_line(line: bytes | bytearray) -> str:
    """A sentence saying that the adapter wrote a line without being asked."""
    if not line.strip():
        return EMPTY_LINE
    said = f"got a line that nobody asked for: {_shown(line)}"
    return said if _is_object(line) else _joined(said, STRAY_LINE)


def _misplaced_line(sentence: str, line: bytes) -> str:
    """The sentence to report about a line that is not an answer, with any hint."""
    if not line.strip():
        return EMPTY_LINE
    if _begins_only(line):
        return SEVERAL_LINES
    if _is_object(line):
        return sentence
    return _joined(f"{sentence}; the line is {_shown(line)}", STRAY_LINE)


def _joined(said: str, hint: str) -> str:
    """A sentence and, if there is one, the hint that goes with it."""
    return f"{said}; {hint}" if hint else said


class Process:
    """A process that answers on its standard output."""

    def __init__(
        self, command: tuple[str, ...], environment: Mapping[str, str] | None = None
    ) -> None:
        self._mark = marked_processes.new_mark()
        inherited = os.environ if environment is None else environment
        try:
            with signals.held():
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    bufsize=0,
                    start_new_session=True,
                    env={**inherited, self._mark: "1"},
                )
                signals.remember(self, self._end_all)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            said = f"{' '.join(command):.200} cannot be started: {reason}"
            raise CannotRunError(_joined(said, start_hint(command))) from None
        self._command = command
        streams = self._process.stdin, self._process.stdout, self._process.stderr
        self._streams = tuple(stream for stream in streams if stream is not None)
        self._in, self._out, self._err = (one.fileno() for one in self._streams)
        os.set_blocking(self._in, False)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._buffer = bytearray()
        self._has_line = self._ended = self._over = False
        self._answers = 0
        self.stderr = b""
        self.hear_stderr: Callable[[bytes], None] = lambda said: None

    @property
    def number(self) -> int:
        """The process id."""
        return self._process.pid

    def exchange(self, line: bytes, limit: float) -> bytes:
        """Send a line and return the answer; raises BrokenError if none comes."""
        self.quiet(0)
        deadline = monotonic() + limit
        self._send(line, deadline, limit)
        while not self._has_line:
            self._wait(deadline, limit)
        answer, _, rest = bytes(self._buffer).partition(b"\n")
        if rest and _begins_only(answer):
            raise self._broken(Outcome.PROTOCOL, SEVERAL_LINES)
        if rest:
            said = rest if _is_object(answer) else answer
            raise self._broken(Outcome.PROTOCOL, _unasked_line(said))
        self._buffer.clear()
        self._has_line = False
        self._answers += 1
        return answer

    def quiet(self, seconds: float) -> None:
        """Raise BrokenError if the adapter ends or writes unasked within this time."""
        deadline = monotonic() + seconds
        while True:
            self._read(max(0.0, deadline - monotonic()))
            # A line begun before `hello` may come late: it is judged with that answer.
            if self._has_line or (self._buffer and self._answers):
                raise self._broken(Outcome.PROTOCOL, _unasked_line(self._buffer))
            if self._ended:
                raise self._died()
            if monotonic() >= deadline:
                return

    def _send(self, line: bytes, deadline: float, limit: float) -> None:
        """Write a line, if need be bit by bit; raises BrokenError as `_wait` does."""
        while line:
            try:
                line = line[os.write(self._in, line) :]
            except BlockingIOError:
                self._poll.register(self._in, select.POLLOUT)
                try:
                    self._wait(deadline, limit)
                finally:
                    self._poll.unregister(self._in)
            except BrokenPipeError:
                raise self._died() from None

    def _wait(self, deadline: float, limit: float) -> None:
        left = deadline - monotonic()
        if left <= 0:
            raise self._late(limit)
        self._read(left)
        if len(self._buffer) > LONGEST_LINE:
            sentence = "got a line longer than 16 MiB; wanted at most 16 MiB a line"
            raise self._broken(Outcome.PROTOCOL, sentence)
        if self._ended and not self._has_line:
            raise self._died()

    def _late(self, limit: float) -> BrokenError:
        """Kill the adapter, and return the error for an answer that is late."""
        said = f"no answer within {limit:g} s, the time limit"
        may_keep_back = self._answers <= 1  # some flush only the answer to `hello`
        if may_keep_back and self._answers_at_the_end(min(limit, _LAST_WORDS) / 2):
            said = _joined(said, NOT_FLUSHED)
        return self._broken(Outcome.TIMEOUT, said)

    def _answers_at_the_end(self, seconds: float) -> bool:
        """Wait `seconds`, close the input, and say whether only then an answer comes.

        If so, the adapter held the answer back, or waited for the end of its input.
        """
        if self._hears(seconds):
            return False  # it is only slow
        self._streams[0].close()
        return self._hears(seconds) and _is_object(self._buffer)

    def _hears(self, seconds: float) -> bool:
        """Whether a line has already come, or comes within this many seconds."""
        deadline = monotonic() + seconds
        while not (self._has_line or self._ended) and monotonic() < deadline:
            self._read(max(0.0, deadline - monotonic()))
        return self._has_line

    def _read(self, seconds: float) -> None:
        """Read what has come; if there is nothing yet, first wait up to `seconds`."""
        for stream, event in self._poll.poll(seconds * 1000):
            if stream == self._in or not event & _POLL_IN:
                continue  # the next write shows whether this pipe is broken
            read = os.read(stream, _CHUNK)
            if stream == self._err:
                if read:
                    self.hear_stderr(read)
                else:
                    self._poll.unregister(self._err)
                self.stderr = (self.stderr + read)[-STDERR_KEPT:]
            elif read:
                self._buffer += read
                self._has_line = self._has_line or b"\n" in read
            else:
                self._poll.unregister(self._out)
                self._ended = True

    def _died(self) -> BrokenError:
        """Kill the adapter, and return the error that says how it stopped answering."""
        self._drain(1.0)
        where = " in the middle of a line" if self._buffer[-1:] not in b"\n" else ""
        if (code := self._process.poll()) is None:
            closed = "output" if self._ended else "input"
            how = f"closed its {closed}{where}, but goes on running"
        elif code < 0:
            how = f"was killed by {_signal_name(-code)}{where}"
        else:
            how = f"ended with exit code {code}{where}"
        if not self._answers:
            how = _joined(how, unanswered_hint(self._command, code in _NOT_FOUND))
        return self._broken(Outcome.CRASH, f"the adapter {how}")

    def _drain(self, seconds: float) -> None:
        """Wait up to `seconds` for the process to end, keeping some of its output."""
        deadline = monotonic() + seconds
        while self._process.poll() is None and monotonic() < deadline:
            self._read(0.01)
            del self._buffer[_CHUNK:]
        self._read(0)

    def _broken(self, outcome: Outcome, sentence: str) -> BrokenError:
        """Kill the adapter, and return an error with this sentence."""
        self.kill()
        return BrokenError(outcome, sentence)

    def end(self, line: bytes, limit: float) -> str:
        """Send `bye`; return any fault in how the adapter ended, or an empty text."""
        try:
            self._send(line, monotonic() + limit, limit)
            self._drain(limit)
        except BrokenError as error:
            return str(error)
        running, said = self._process.poll() is None, bytes(self._buffer)
        self.kill()
        if running:
            return f"bye: still running after {limit:g} s; it should have ended"
        return f"bye: got the answer {_shown(said)}; wanted none" if said else ""

    def kill(self, why: str = "") -> None:
        """End the adapter and its descendants, even any that have left its session."""
        if self._over:  # the id of its group may have been reused by now
            return
        self._end_all()
        for stream in self._streams:
            stream.close()
        # What runs as another user cannot be killed: the end of its input may end it.
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_WORDS)
        self._over = True
        signals.forget(self)

    def _end_all(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        marked_processes.end_marked(self._mark)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class Builtin:
    """An adapter in this process: a function that takes a request and answers it."""

    def __init__(self, handle: Callable[[bytes], bytes | None]) -> None:
        self._handle = handle
        self.stderr = b""
        self.number = os.getpid()

    def exchange(self, line: bytes, limit: float) -> bytes:
        """The answer; `error` if the function fails, BrokenError if it returns None."""
        try:
            answer = self._handle(line)
        except Exception as error:  # a mutant may fail in any way
            seq = msgspec.json.decode(line)["seq"]
            return _encode({"seq": seq, "error": f"{error!r}"})
        if answer is None:
            raise BrokenError(Outcome.CRASH, "the adapter ended without an answer")
        return answer

    def quiet(self, seconds: float) -> None:
        """Do nothing: a built-in adapter speaks only when asked."""

    def end(self, line: bytes, limit: float) -> str:
        """Send `bye`; return any fault in how the adapter ended, or an empty text."""
        try:
            answer = self._handle(line)
        except Exception as error:  # a mutant may fail in any way
            return f"bye: the adapter raised {error!r}"
        return f"bye: got the answer {_shown(answer)}; wanted none" if answer else ""

    def kill(self, why: str = "") -> None:
        """Do nothing: there is no process."""


class Logged:
    """An adapter whose conversation is logged as it happens."""

    def __init__(self, transport: Process | Builtin, command: tuple[str, ...]) -> None:
        self._transport = transport
        self._log = ConversationLog(transport.number)
        self._log.note("started", shlex.join(command))
        self._is_over = False
        if isinstance(transport, Process):
            transport.hear_stderr = lambda said: self._log.note("stderr", said)

    @property
    def stderr(self) -> bytes:
        """The end of what the adapter wrote to its standard error."""
        return self._transport.stderr

    def exchange(self, line: bytes, limit: float) -> bytes:
        """The adapter's answer; raises BrokenError if there is none."""
        self.quiet(0)  # nothing is sent to an adapter that is gone
        self._log.note("sent", line)
        with self._noting_loss():
            answer = self._transport.exchange(line, limit)
        self._log.note("got", answer)
        return answer

    def quiet(self, seconds: float) -> None:
        """Raise BrokenError if the adapter ends or writes unasked within this time."""
        with self._noting_loss():
            self._transport.quiet(seconds)

    def end(self, line: bytes, limit: float) -> str:
        """Send `bye`; return any fault in how the adapter ended, or an empty text."""
        self._log.note("sent", line)
        fault = self._transport.end(line, limit)
        if fault:
            self._log.note("lost", fault)
        self._close()
        return fault

    def kill(self, why: str = "") -> None:
        """End the adapter at once, and log `why`, if it is given."""
        self._transport.kill()
        if why and not self._is_over:
            self._log.note("lost", why)
        self._close()

    @contextmanager
    def _noting_loss(self) -> Iterator[None]:
        """If a BrokenError is raised, log it and close the log."""
        try:
            yield
        except BrokenError as error:
            self._log.note("lost", str(error))
            self._close()
            raise

    def _close(self) -> None:
        if not self._is_over:
            self._is_over = True
            self._log.close()


def transport_of(command: tuple[str, ...]) -> Transport:
    """A connection to the adapter that a command line names, perhaps `builtin:…`.

    Raises CannotRunError if it cannot be started, Malformed for an unknown built-in.
    """
    found = _bare_transport(command)
    return Logged(found, command) if log_file() else found


def _bare_transport(command: tuple[str, ...]) -> Process | Builtin:
    name = command[0] if len(command) == 1 else ""
    if name == "builtin:reference":
        return Builtin(Session().handle)
    if name.startswith("builtin:mutant:"):
        return _mutant(name.removeprefix("builtin:mutant:"))
    if name.startswith("builtin:"):
        allowed = "builtin:reference or builtin:mutant:ID"
        raise Malformed(f"{name!r:.80}", allowed, "the adapter")
    return Process(command)


def _mutant(name: str) -> Process:
    """A process that serves this mutant; raises Malformed if the mutant is unknown."""
    from refengine_conformance.mutants import catalogue, designed

    try:
        catalogue.mutant_with_id(name)
    except catalogue.UnknownMutantError:
        known = [one.id for one in designed.designed_mutants()]
        near = get_close_matches(name, known, n=3, cutoff=0)
        allowed = f"an id such as {', '.join(near)}"
        raise Malformed(f"{name!r:.60}", allowed, "the mutant") from None
    serving = own_command("-m", "refengine_conformance.mutants.loading", "serve", name)
    return Process(serving, own_environment())


class Adapter:
    """One conversation with an adapter, which checks the form of every answer.

    `faults` are sentences on what was wrong apart from the scored answers, `tables` the
    tables that the adapter declares, and `request` the last line that it was sent. When
    the `time` for the run is up, the adapter is ended and RunOverError is raised. The
    constructor raises CannotRunError unless `hello` is answered as it should be.
    """

    def __init__(
        self, transport: Transport, limits: Limits, time: RunTime = ENDLESS
    ) -> None:
        self.limits: Final = limits
        self.time: Final = time
        self.faults: list[str] = []
        self.requests = 0
        self.request = ""
        self.tables: tuple[TableObject, ...] = ()
        self._transport = transport
        try:
            self.card: Final = self._hello()
        except BaseException:
            self._transport.kill()
            raise

    @property
    def stderr(self) -> str:
        """The end of what the adapter wrote to its standard error, made harmless."""
        said = self._transport.stderr.decode("utf-8", "replace")
        return "\n".join(harmless_lines(said))

    def ask(self, op: str, /, kind: str = "", **fields: Any) -> AnyAnswer:
        """The answer to a request, read in the form of `kind` or, by default, of `op`.

        Raises FormError if the form is wrong but the conversation can go on. If it
        cannot, the adapter is ended, and BrokenError or RunOverError is raised.
        """
        self.requests += 1
        seq = self.requests
        line = _encode({"op": op, "seq": seq, **fields}) + b"\n"
        self.request = line.decode().rstrip()
        answer = self._exchange(line, self.limits.of(op))
        try:
            return read_answer(answer, kind or op, seq)
        except OutOfStepError as error:
            said = _misplaced_line(str(error), answer)
            self._transport.kill(said)
            raise BrokenError(Outcome.PROTOCOL, said) from None

    def _exchange(self, line: bytes, limit: float) -> bytes:
        """The answer to a line; raises BrokenError, or RunOverError if time is up."""
        left = self.time.left
        try:
            self.time.check()
            return self._transport.exchange(line, min(limit, left))
        except BrokenError as error:
            if error.outcome is Outcome.TIMEOUT and left < limit:
                self.time.check()
            raise
        except RunOverError:
            self.kill()
            raise

    def end(self) -> None:
        """Send `bye`, and add to `faults` what is wrong with how the adapter ends."""
        left = self.time.left
        if left <= 0:
            self.kill()
            return
        line = _encode({"op": "bye", "seq": self.requests + 1}) + b"\n"
        try:
            self._transport.quiet(0)  # what was said before `bye` is no answer to it
            fault = self._transport.end(line, min(self.limits.of("bye"), left))
        except BrokenError as error:
            fault = str(error)
        if fault and self.time.left > 0:
            self.faults.append(fault)

    def kill(self) -> None:
        """End the adapter at once."""
        self._transport.kill()

    def _hello(self) -> EngineCard:
        """The card in the answer to `hello`; a wrong answer raises CannotRunError."""
        try:
            answer = self.ask("hello", protocol=PROTOCOL)
            self._transport.quiet(_GRACE)
        except OtherProtocolError as error:
            raise WrongProtocolError(f"hello: {error}", self.stderr) from None
        except FormError as error:
            wrong = WrongEditionError if error.where == "ok.spec" else CannotRunError
            raise wrong(f"hello: {error}", self.stderr) from None
        except BrokenError as error:
            raise CannotRunError(f"hello: {error}", self.stderr) from None
        if isinstance(answer.unsupported, str):
            said = f"hello: the adapter does not speak protocol {PROTOCOL}"
            raise WrongProtocolError(f"{said}: {answer.unsupported:.200}", self.stderr)
        if not isinstance(answer.ok, HelloOk):
            said = f"hello: got error {answer.error!r:.200}; wanted ok"
            raise CannotRunError(said, self.stderr)
        if answer.ok.spec not in known_versions():
            wanted = f"wanted one of {', '.join(known_versions())}"
            said = f"hello: field ok.spec: got {answer.ok.spec!r:.40}; {wanted}"
            raise WrongEditionError(said, self.stderr)
        self.tables = tuple(answer.ok.tables)
        return engine_card(answer.ok)

    def check_unknown_op(self) -> None:
        """Ask for an unknown op; any answer but `unsupported` is added to `faults`."""
        try:
            answer = self.ask("no-such-op")
        except FormError as error:
            self.faults.append(str(error))
            return
        if not isinstance(answer.unsupported, str):
            keys = ("ok", "refused", "error")
            got = next(one for one in keys if getattr(answer, one) is not msgspec.UNSET)
            said = f"an unknown op: got the answer {got}; wanted unsupported"
            self.faults.append(said)
