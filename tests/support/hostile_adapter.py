"""An adapter that answers with harmful text; it needs no refengine.

`python hostile_adapter.py MODE` runs it. In the modes `silent`, `wrong`, `error` and
`unsupported` it answers `hello` wrongly. In the mode `plays` it goes through all kinds
of wrong answers, and in `faked` too, with a line of a report as the text. In `dies`,
`late` and `chatty` it stops answering in the middle of the conversation.
"""

import json
import sys
import time

FAKED = "pass rate 100% (730 of 730 scored cases)"
"""A line that no output may contain."""
HARM = (
    "\x1b]0;owned\x07\x1b[2J\x1b[31m\u202e\u2066\u200b\ufeff\x9b31m\x85\u2028\x7f\x00"
    f"\r\n{FAKED}\n::error::owned\n::stop-commands::x\n  ::error::more\n"
    "##[error]x ##vso[task.complete]\n\U000e0041\u3164"
)
"""Terminal sequences, bidirectional and invisible characters, and CI commands."""
CAPABILITIES = [
    *("step", "legal", "probe", "clause", "clauses", "observe", "views", "events"),
    *("openings", "replay", "enumerate", "setup.position", "match", "given_deals"),
    *("pass", "scatter", "mix", "forward", "stock", "kitty", "moon.choice", "revokes"),
]
"""All that an adapter can declare, so that no kind of request is left out."""
HALF = "\ud800"


def hello(text: str) -> dict[str, object]:
    """The answer to `hello`, with this text in all its names and in its deviation."""
    return {
        "protocol": 1,
        "name": text,
        "version": text,
        "language": text,
        "profiles": "any",
        "players": "any",
        "capabilities": CAPABILITIES,
        "deviations": [{"clause": text, "note": text}],
    }


def answers(text: str) -> list[dict[str, object]]:
    """Right and wrong answers of every form, all of which contain this text."""
    return [
        {"error": text},
        {"unsupported": text},
        {"refused": {"clauses": [text]}},
        {"ok": {text: text}},
        {"ok": text},
        {text: 1},
        {"ok": {"turn": text, "phase": text, "hands": [text]}},
        {"error": text + HALF},
        {"ok": {"play": text, "x-harm": text}},
        {"ok": {"breaks": [text]}},
    ]


def say(seq: int, **answer: object) -> None:
    """Print an answer, without needless escapes unless it contains `HALF`."""
    line = json.dumps({"seq": seq, **answer}, ensure_ascii=HALF in str(answer))
    sys.stdout.buffer.write(line.replace(HALF, "\\ud800").encode() + b"\n")
    sys.stdout.buffer.flush()


def main(mode: str) -> None:
    """Answer requests until `bye`."""
    text = FAKED if mode == "faked" else HARM
    sys.stderr.buffer.write(text.encode() + b"\xff\xfe\n")
    sys.stderr.buffer.flush()
    wrong = {"error": {"error": text}, "unsupported": {"unsupported": text}}
    some = answers(text)
    for number, line in enumerate(sys.stdin.buffer):
        request = json.loads(line)
        op, seq = request["op"], request["seq"]
        if op == "bye":
            return
        if op == "hello":
            if mode == "silent":
                sys.stdout.buffer.write(text.encode() + b"\n")
                sys.stdout.buffer.flush()
            elif mode == "wrong":
                say(seq, ok={**hello(text), "capabilities": [text]})
            else:
                say(seq, **wrong.get(mode, {"ok": hello(text)}))
        elif op == "no-such-op":
            say(seq, error=text)
        elif mode == "dies" and number > 6:
            sys.exit(text)
        elif mode == "late" and number > 6:
            time.sleep(60)
        elif mode == "chatty" and number > 6:
            sys.stdout.buffer.write(text.encode())
            sys.stdout.buffer.flush()
        elif op == "open":
            say(seq, **({"ok": {}} if number % 5 else some[number % 2]))
        else:
            say(seq, **some[number % len(some)])


if __name__ == "__main__":
    main(*sys.argv[1:])
