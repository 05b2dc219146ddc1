"""How the inputs of a program may be partitioned so that no operator needs a row from elsewhere."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from colocate import arguments
from colocate.session.functions import as_query, call

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame, Row, SparkSession

COLUMNS = (
    "kind",
    "agreement",
    "position",
    "input",
    "field",
    "form",
    "operator",
    "code",
    "message",
)


@dataclass(frozen=True)
class Why:
    """An operator that moves rows, with the code and the sentence of the reason."""

    operator: str
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.operator}: {self.code}: {self.message}"


@dataclass(frozen=True)
class Agreement:
    """Inputs that must lie alike.

    `positions` has, for each choice, the field of every input. The inputs lie by the fields of one
    position, or of several in the same order, and in the same number of partitions. `operators`
    ask for it.
    """

    positions: list[dict[str, str]]
    operators: str

    @property
    def inputs(self) -> list[str]:
        """The names of the inputs, sorted."""
        return sorted({name for position in self.positions for name in position})


class Partitionings:
    """What `possible_partitionings` has found. A notebook shows it as a table."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = [row.asDict() for row in rows]

    @property
    def possible(self) -> bool:
        """Say whether there is a layout by which no operator needs a row from elsewhere."""
        return not self.impossible

    @property
    def agreements(self) -> list[Agreement]:
        """Inputs that must lie alike; none where it is impossible."""
        found: dict[int, dict[int, dict[str, str]]] = {}
        operators: dict[int, str] = {}
        for row in self._of("together"):
            positions = found.setdefault(row["agreement"], {})
            positions.setdefault(row["position"], {})[row["input"]] = row["field"]
            operators[row["agreement"]] = row["operator"]
        return [Agreement(list(p.values()), operators[at]) for at, p in found.items()]

    @property
    def anyhow(self) -> list[str]:
        """Inputs that may lie in any way."""
        return [row["input"] for row in self._of("anyhow")]

    @property
    def impossible(self) -> list[Why]:
        """The operators that no layout serves."""
        return self._why("impossible")

    @property
    def at_the_end(self) -> list[Why]:
        """The operators that gather or sort the result, however the inputs lie."""
        return self._why("at the end")

    @property
    def text(self) -> str:
        """All of it as plain text."""
        lines = []
        for agreement in self.agreements:
            lines.append(f"together, for {agreement.operators}:")
            lines += [f"  {_sides(position)}" for position in agreement.positions]
        lines += [f"anyhow: {name}" for name in self.anyhow]
        lines += [f"impossible: {why}" for why in self.impossible]
        lines += [f"at the end: {why}" for why in self.at_the_end]
        return "\n".join(lines) or "no operator needs rows together"

    @property
    def mermaid(self) -> str:
        """The inputs as a Mermaid flowchart, with an edge between those that must lie alike."""
        names = sorted({row["input"] for row in self._rows if row["input"]})
        ids = {name: f"i{at}" for at, name in enumerate(names)}
        lines = ["flowchart LR", *(f'  {ids[n]}["{_quoted(n)}"]' for n in names)]
        for at, agreement in enumerate(self.agreements):
            lines.append(f'  a{at}(("{_quoted(agreement.operators)}"))')
            for name in agreement.inputs:
                fields = " or ".join(dict.fromkeys(p[name] for p in agreement.positions))
                lines.append(f'  {ids[name]} -- "{_quoted(fields)}" --- a{at}')
        return "\n".join(lines)

    def to_pandas(self) -> pd.DataFrame:
        """Return a row for each field of each position, and for each reason.

        The columns are kind, agreement, position, input, field, form, operator, code and message.
        """
        import pandas as pd

        return pd.DataFrame(self._rows, columns=list(COLUMNS))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Partitionings: {'possible' if self.possible else 'impossible'}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("", "inputs", "operators"))
        return f"<table><tr>{head}</tr>{''.join(self._html_lines())}</table>"

    def _html_lines(self) -> list[str]:
        lines = []
        for agreement in self.agreements:
            shown = "<br>".join(html.escape(_sides(position)) for position in agreement.positions)
            lines.append(_html("together", shown, html.escape(agreement.operators)))
        lines += [_html("anyhow", html.escape(name), "") for name in self.anyhow]
        for kind, found in (("impossible", self.impossible), ("at the end", self.at_the_end)):
            lines += [
                _html(kind, html.escape(f"{w.code}: {w.message}"), html.escape(w.operator))
                for w in found
            ]
        return lines

    def _of(self, kind: str) -> list[dict[str, Any]]:
        return [row for row in self._rows if row["kind"] == kind]

    def _why(self, kind: str) -> list[Why]:
        return [Why(row["operator"], row["code"], row["message"]) for row in self._of(kind)]


def possible_partitionings(
    frames: DataFrame | Sequence[DataFrame], state: Mapping[str, DataFrame] | None = None
) -> Partitionings:
    """Find by which fields the inputs may lie so that no operator needs a row from elsewhere.

    `frames` is a DataFrame, or several of one session that share their inputs. An input is a table,
    a path or a cached frame, however often it is read. Where there is no answer, the operators that
    make it impossible are named.

    `state` is for a loop of the driver program: a cached frame (or a table) by any name, of which
    the result of the first of the `frames` takes the place in the next turn, its columns found by
    their names; and so on for further entries, in their order.

    The frames are planned, not run. An answer speaks of any data, not of a number of partitions,
    which must be the same for all inputs that must lie alike.

    Raises ValueError for arguments of another kind, ExtensionMissingError where the session has no
    Colocate.
    """
    given = _frames(frames)
    states = [] if state is None else _states(state, len(given))
    spark = given[0].sparkSession
    with ExitStack() as stack:
        queries, handed = (
            [stack.enter_context(as_query(df)) for df in several] for several in (given, states)
        )
        return Partitionings(_asked(spark, queries, handed))


def _asked(spark: SparkSession, queries: list[str], state: list[str]) -> list[Row]:
    more = [json.dumps(state)] if state else []
    return call(spark, "colocate_possible_partitionings", json.dumps(queries), *more)


def _frames(frames: DataFrame | Sequence[DataFrame]) -> list[DataFrame]:
    several = list(frames) if isinstance(frames, (list, tuple)) else [cast("DataFrame", frames)]
    if not several:
        raise ValueError("frames is empty; accepted: a DataFrame, or a list of at least one.")
    return [arguments.frame("frames", df) for df in several]


def _states(state: Mapping[str, DataFrame], most: int) -> list[DataFrame]:
    if not isinstance(state, Mapping):
        raise ValueError(f"state is {state!r}; accepted: a dict of frames by name.")
    if len(state) > most:
        raise ValueError(
            f"state has {len(state)} entries; accepted: at most one for each frame, {most}."
        )
    return [arguments.frame(f"state[{name!r}]", df) for name, df in state.items()]


def _sides(position: dict[str, str]) -> str:
    return ", ".join(f"{name} by {field}" for name, field in position.items())


def _quoted(text: str) -> str:
    return text.replace('"', "'")


def _html(*cells: str) -> str:
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
