"""Translates `match` statements: each case becomes a condition that sets its names."""

from __future__ import annotations

import ast
from abc import abstractmethod

from carrying.expressions import Expressions, safe


class Patterns(Expressions):
    """Translates `match` statements, as well as expressions, into JavaScript."""

    @abstractmethod
    def _braced(self, body: list[ast.stmt]) -> str:
        """These statements in JavaScript, as a block in braces."""

    def _match(self, node: ast.Match) -> str:
        parts = []
        for case in node.cases:
            tests = self._tests(case.pattern, "$it")
            if case.guard is not None:
                tests.append(self.truth(case.guard))
            asked = " && ".join(tests) or "true"
            parts.append(f"if ({asked}) {self._braced(case.body)}")
        subject = f"const $it = {self.expr(node.subject)};"
        return f"{{\n{subject}\n{' else '.join(parts)}\n}}"

    def _tests(self, pattern: ast.pattern, value: str) -> list[str]:
        """The conditions for a value to match, in order; some of them set names."""
        match pattern:
            case ast.MatchAs(pattern=None, name=None):
                return []
            case ast.MatchAs(pattern=inner, name=name):
                tests = [] if inner is None else self._tests(inner, value)
                return tests + ([self._named(name, value)] if name else [])
            case ast.MatchValue(value=expected):
                return [f"$.equal({value}, {self.expr(expected)})"]
            case ast.MatchSingleton(value=expected):
                return [f"{value} === {self.expr(ast.Constant(expected))}"]
            case ast.MatchOr(patterns=several):
                each = [
                    " && ".join(self._tests(one, value)) or "true" for one in several
                ]
                return [f"({' || '.join(each)})"]
            case ast.MatchClass():
                return self._of_class(pattern, value)
            case ast.MatchSequence(patterns=several):
                return self._of_sequence(several, value)
        raise self.unsupported(pattern)

    @staticmethod
    def _named(name: str, value: str) -> str:
        return f"(({safe(name)} = {value}), true)"

    def _of_class(self, pattern: ast.MatchClass, value: str) -> list[str]:
        called = ast.unparse(pattern.cls)
        if called in ("str", "int", "bool", "list", "tuple", "dict"):
            tests = [f'$.isinstance({value}, "{called}")']
            for inner in pattern.patterns:
                tests += self._tests(inner, value)
            return tests
        kind = self.expr(pattern.cls)
        if kind not in self.module.known.classes:
            raise self.unsupported(pattern)
        tests = [f"{value} instanceof {kind}"]
        names = self.module.known.fields.get(kind, ())
        pairs = [
            *zip(names, pattern.patterns, strict=False),
            *zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True),
        ]
        if len(pattern.patterns) > len(names):
            raise self.unsupported(pattern)
        for name, inner in pairs:
            tests += self._tests(inner, f"{value}.{name}")
        return tests

    def _of_sequence(self, several: list[ast.pattern], value: str) -> list[str]:
        starred = [
            at for at, one in enumerate(several) if isinstance(one, ast.MatchStar)
        ]
        if not starred:
            tests = [f"$.is_row({value}, {len(several)})"]
            for at, inner in enumerate(several):
                tests += self._tests(inner, f"{value}[{at}]")
            return tests
        place, after = starred[0], len(several) - starred[0] - 1
        tests = [f"$.is_row({value}, {len(several) - 1}, true)"]
        for at, inner in enumerate(several):
            if isinstance(inner, ast.MatchStar):
                if inner.name:
                    end = f", -{after}" if after else ""
                    part = f"{value}.slice({place}{end})"
                    tests.append(self._named(inner.name, part))
            elif at < place:
                tests += self._tests(inner, f"{value}[{at}]")
            else:
                tests += self._tests(inner, f"$.item({value}, {at - len(several)})")
        return tests
