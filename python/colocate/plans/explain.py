"""Shows what the extension does to a query: before and after, reasons, finished plans."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

from colocate import arguments
from colocate.session.functions import as_query, call

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Format = Literal["text", "html", "mermaid"]
FORMATS: tuple[str, ...] = get_args(Format)

REASON_COLUMNS = "capability string, operator string, code string, message string, arguments string"


class Explanation:
    """A query before and after Colocate. A notebook shows it as HTML, or in the format asked for.

    Each format is asked from Spark when it is first read; the session must still run then.
    """

    def __init__(self, df: DataFrame, shown: Format = "html") -> None:
        self._df = df
        self._shown = shown

    @cached_property
    def text(self) -> str:
        """Both plans and the reasons as plain text."""
        return self.render("text")

    @cached_property
    def html(self) -> str:
        """The same as one HTML fragment."""
        return self.render("html")

    @cached_property
    def mermaid(self) -> str:
        """The same as a Mermaid flowchart."""
        return self.render("mermaid")

    def render(self, format: Format) -> str:
        """Ask Spark for one format."""
        with as_query(self._df) as query:
            return report(self._df.sparkSession, query, format)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        # `explain` has printed it; a prompt should not print it once more.
        return "<Explanation with .text, .html and .mermaid>"

    def _repr_html_(self) -> str | None:
        return self.html if self._shown == "html" else None

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """What IPython asks for besides; pages that cannot draw Mermaid show its text."""
        return {"text/vnd.mermaid": self.mermaid} if self._shown == "mermaid" else {}

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        of_its_own = _in_notebook() and self._shown != "html"
        printer.text(getattr(self, self._shown) if of_its_own else repr(self))


@dataclass(frozen=True)
class FinishedQuery:
    """What became of one finished query.

    `exchanges` counts the shuffles that were planned, `stock_exchanges` those that Spark alone
    would have planned; a reused shuffle counts once. `report` ends with the plan that adaptive
    execution ended with.
    """

    execution_id: int
    description: str
    exchanges: int
    stock_exchanges: int
    report: str

    def __str__(self) -> str:
        return self.report


def explain(df: DataFrame, format: Format | None = None) -> Explanation:
    """Print a query's plan without and with Colocate, what was removed, and why or why not.

    The query is planned, not run. `format` is "text", "html" or "mermaid"; another value, and a
    `df` that is no DataFrame, raises ValueError. In a notebook nothing is printed: the returned
    object shows itself, where no format is given as HTML.

    Raises ExtensionMissingError where the session has no Colocate.
    """
    in_notebook = _in_notebook()
    default: Format = "html" if in_notebook else "text"
    chosen = default if format is None else format
    check_format(chosen)
    explanation = Explanation(arguments.frame("df", df), chosen if in_notebook else "html")
    shown = getattr(explanation, chosen)
    if not in_notebook:
        print(shown)
    return explanation


def why_not(df: DataFrame, capability: str | None = None) -> DataFrame:
    """Return why Colocate left parts of a query as they are, one row per operator and reason.

    `capability` limits the rows to one, such as "exchange"; None gives all. The columns are
    capability, operator, code, message and arguments (a JSON object), all strings.

    Raises ExtensionMissingError where the session has no Colocate.
    """
    chosen = [] if capability is None else [capability]
    spark = arguments.frame("df", df).sparkSession
    with as_query(df) as query:
        # Collected here, as the view is gone when the caller looks at the rows.
        rows = call(spark, "colocate_why_not", query, *chosen)
    return spark.createDataFrame(rows, REASON_COLUMNS)


def last_plans(spark: SparkSession, n: int = 10) -> list[FinishedQuery]:
    """Return the reports of the last `n` finished queries, newest first.

    The plans are the final ones, after adaptive execution. The driver remembers as many as
    `spark.colocate.explain.history` says.

    Raises ValueError where `n` is not a whole number from 1, ExtensionMissingError where the
    session has no Colocate.
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise ValueError(f"n is {n!r}; accepted: a whole number from 1.")
    rows = call(spark, "colocate_last_plan", n)
    return [FinishedQuery(**row.asDict()) for row in rows]


def report(spark: SparkSession, query: str, format: Format) -> str:
    """Return before and after of a SQL query in one format."""
    [row] = call(spark, "colocate_explain", query, format)
    text: str = row["report"]
    return text


def check_format(format: str) -> None:
    """Raise ValueError where there is no such format."""
    if format not in FORMATS:
        raise ValueError(f"format is {format!r}; accepted: {', '.join(map(repr, FORMATS))}.")


def _in_notebook() -> bool:
    # An IPython terminal also has get_ipython, but only a kernel renders HTML.
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")
