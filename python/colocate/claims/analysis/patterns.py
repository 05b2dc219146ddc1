"""Reads `match`: the ways that its cases are, and what their patterns bind."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from colocate.claims.analysis.expressions import Expressions
from colocate.claims.analysis.scope import shown, stored
from colocate.claims.analysis.values import Read, Value, Why, unknown


class Patterns(Expressions):
    """Reads branches, and those of `match`."""

    def run(self, body: Sequence[ast.stmt]) -> bool:
        """Read statements; False if none of the ways through them leads to what follows."""
        raise NotImplementedError

    def branches(self, ways: Sequence[Callable[[], bool]], why: Why) -> bool:
        """Read ways of which one is taken, and meet what they leave; False if none leads on."""
        before = self.env
        left = []
        for way in ways:
            self.env = dict(before)
            if way():
                left.append(self.env)
        if not left:
            self.env = before
            return False
        self.env = left[0]
        for env in left[1:]:
            self.env = self.met(self.env, env, why)
        return True

    def match(self, node: ast.Match) -> bool:
        """Read the cases, each after those before it have failed."""
        subject = self.value(node.subject)
        why = self.why(node, f"`match {shown(node.subject)}` leaves different values")
        if subject.changeable:
            self.changed(why)
            subject = unknown(why)
        ways = [self._way(node.cases[:i], case, subject) for i, case in enumerate(node.cases)]
        last = node.cases[-1]
        if last.guard is not None or not _always(last.pattern):
            ways.append(lambda: self._failed(node.cases))
        return self.branches(ways, why)

    def _way(
        self, before: Sequence[ast.match_case], case: ast.match_case, subject: Value
    ) -> Callable[[], bool]:
        def way() -> bool:
            self._failed(before)
            self.capture(case.pattern, subject)
            if case.guard is not None:
                self.value(case.guard)
            return self.run(case.body)

        return way

    def _failed(self, cases: Sequence[ast.match_case]) -> bool:
        """Note what cases may have bound before their patterns or guards failed."""
        for case in cases:
            why = self.why(case.pattern, "a case before may have bound it")
            self.forget(stored([case.pattern]), why)
            if case.guard is not None:
                self.value(case.guard)
                self.forget(stored([case.guard]), why)
        return True

    def capture(self, pattern: ast.pattern, value: Value) -> None:
        """Bind the names of a pattern that fits a value."""
        why = self.why(pattern, f"`{shown(pattern)}` binds no known part")
        match pattern:
            case ast.MatchAs():
                if pattern.pattern is not None:
                    self.capture(pattern.pattern, value)
                if pattern.name is not None:
                    self.bind(pattern.name, value)
            case ast.MatchSequence():
                self._capture_sequence(pattern, value, why)
            case ast.MatchClass() if not pattern.patterns:
                for name, inner in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
                    plain = not name.startswith("_") and name not in ("count", "index", "asDict")
                    known = plain and value.read is not Read.KEY
                    self.capture(
                        inner, self.lattice.get(value, name, why) if known else unknown(why)
                    )
            case ast.MatchValue() | ast.MatchSingleton():
                pass
            case _:
                self.forget(stored([pattern]), why)

    def _capture_sequence(self, pattern: ast.MatchSequence, value: Value, why: Why) -> None:
        starred = False
        for i, inner in enumerate(pattern.patterns):
            if isinstance(inner, ast.MatchStar):
                starred = True
                self.forget({inner.name} if inner.name else set(), why)
            else:
                known = not starred and value.read is not Read.KEY and value.each is None
                self.capture(inner, self.lattice.get(value, i, why) if known else unknown(why))


def _always(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and (
        pattern.pattern is None or _always(pattern.pattern)
    )
