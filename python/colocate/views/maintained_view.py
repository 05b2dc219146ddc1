"""Makes, opens and refreshes maintained views."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from colocate.session.functions import call, constant, require_extension
from colocate.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame, Row, SparkSession

POLICIES = ("auto", "incremental", "incremental_strict", "full")


@dataclass(frozen=True)
class Refresh:
    """What a refresh did.

    `kind` is "none" where no source had changed, "incremental", or "full", and then `reason` says
    why all rows were computed anew. `version` is the view's afterwards; `rows` came or went.
    """

    kind: str
    version: int
    rows: int
    reason: str | None


@dataclass(frozen=True)
class Source:
    """A source of a view: the version that the view stands for, and the newest one.

    Files of other formats have no versions; both are 0.
    """

    source: str
    applied_version: int
    newest_version: int | None


def maintained_view(
    spark: SparkSession,
    name: str,
    query: str | None = None,
    *,
    policy: str = "incremental",
    options: Mapping[str, str] | None = None,
) -> MaintainedView:
    """Make a view that is kept up to date from changes, or open one.

        v = colocate.maintained_view(spark, "revenue", "SELECT city, sum(price) ... GROUP BY city")
        v.refresh()

    The view is a robust table of the catalog with the rows of the query. Where there is one of this
    name already, it is opened; its query must be the given one.

    Args:
        spark: a session with Colocate, classic or Connect.
        name: of the view, with its database if it is not in the current one.
        query: SQL over tables of the catalog; None to open a view.
        policy: what a refresh does where rows cannot be brought up to date from changes.
            `incremental` computes all rows anew and says why, `incremental_strict` fails; both
            refuse a query that can never be maintained, which `auto` takes. `full` always computes
            all rows anew.
        options: of the table's layout, such as `{"joinKey": "city"}`.

    Raises ValueError for an argument that is not accepted, and Spark's AnalysisException with a
    COLOCATE_VIEW_... class where the query cannot be maintained.

    """
    require_extension(spark)
    _check(policy)
    if query is None and options:
        raise ValueError("options are given without a query; accepted: options of a new view.")
    if query is not None and not spark.catalog.tableExists(name):
        spark.sql(_create(name, query, policy, options or {}))
    view = MaintainedView(spark, name)
    if query is not None and view.query != query.strip():
        raise ValueError(
            f"name is {name!r}, a view with another query, {view.query!r}; accepted: a new name, or"
            " None for the query, to open it."
        )
    return view


def _check(policy: str) -> str:
    """Return the policy as it is; raise ValueError for what is none."""
    if policy not in POLICIES:
        raise ValueError(f"policy is {policy!r}; accepted: {', '.join(POLICIES)}.")
    return policy


def _create(name: str, query: str, policy: str, options: Mapping[str, str]) -> str:
    properties = ", ".join(
        f"{_text(key)} = {_text(value)}"
        for key, value in {"refreshPolicy": policy, **options}.items()
    )
    return f"CREATE MATERIALIZED VIEW {name} USING colocate TBLPROPERTIES ({properties}) AS {query}"


def _text(value: str) -> str:
    """Write a text where SQL takes no expression."""
    if "'" in value or "\\" in value:
        raise ValueError(f"options has {value!r}; accepted: texts without quotes and backslashes.")
    return f"'{value}'"


class MaintainedView:
    """A view that `maintained_view` has made or opened."""

    def __init__(self, spark: SparkSession, name: str) -> None:
        self._spark = spark
        self.name = name
        [row] = call(spark, "colocate_view_definition", name)
        self.query: str = row["query"]
        self.policy: str = row["policy"]

    def __repr__(self) -> str:
        return f"<MaintainedView {self.name}>"

    @property
    def table(self) -> Table:
        """The robust table that holds the rows."""
        return Table(self._spark, self.name)

    def refresh(self, policy: str | None = None) -> Refresh:
        """Bring the rows up to date, in one commit.

        The sources' newest versions are read. A refresh that fails leaves the view as it was; what
        it had read is applied by the next one, once.

        Args:
            policy: another one than the view's, for this time.

        Raises ValueError for another policy, and Spark's AnalysisException with the class
        COLOCATE_VIEW_NOT_MAINTAINABLE where the policy is `incremental_strict` and rows must be
        computed anew.

        """
        given = "" if policy is None else f", '{_check(policy)}'"
        [row] = self._call("refresh", given)
        return Refresh(row["kind"], row["version"], row["rows"], row["reason"])

    def status(self) -> list[Source]:
        """Return the sources, and how far the view is behind them."""
        return [
            Source(row["source"], row["applied_version"], row["newest_version"])
            for row in call(self._spark, "colocate_view_status", self.name)
        ]

    def explain_refresh(self) -> str:
        """Say how the next refresh maintains each operator of the query, or why it does not."""
        whole, *operators = call(self._spark, "colocate_explain_refresh", self.name)
        head = whole["how"] if whole["reason"] is None else f"{whole['how']}: {whole['reason']}"
        return "\n".join(
            [head, *(f"  {row['operator']}: {row['how'] or row['reason']}" for row in operators)]
        )

    def history(self) -> DataFrame:
        """Return the versions of the view, the newest first, with the kind of each refresh."""
        return self.table.history()

    def check(self, most: int = 20) -> list[Row]:
        """Compute the query anew, by Spark alone, and return rows by which the view differs.

        The query is computed over the versions that the view stands for. An empty list proves the
        view equal; otherwise each row is JSON, with how many more of it the view has, or fewer.
        Sums of floating-point numbers may differ in their last digits.

        Raises ValueError where `most` is not a whole number from 1.
        """
        if most < 1:
            raise ValueError(f"most is {most}; accepted: a whole number from 1.")
        return self._call("check_view", f", {most}")

    def _call(self, procedure: str, more: str) -> list[Row]:
        return self._spark.sql(f"CALL colocate.{procedure}({constant(self.name)}{more})").collect()
