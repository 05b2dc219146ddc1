"""Asks one query: its plans without adaptive execution, then rows and times with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.claims.questions import Question
from benchmarks.claims.run import Answer
from benchmarks.common import compare
from benchmarks.common.explained import explained, reasons_kept, reasons_saved
from benchmarks.common.measure import Effort, Measured, find_partitions, measure
from benchmarks.common.query_result import EQUAL, NOT_COMPARED, QueryResult
from benchmarks.common.session import Setting, switch
from benchmarks.common.stages import StageReader

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PLAN = Effort(runs=0, warmups=0, plannings=0)


@dataclass(frozen=True)
class Asker:
    """Asks queries in a session; without an effort it only plans them."""

    spark: SparkSession
    stages: StageReader
    effort: Effort | None

    def ask(self, question: Question, setting: Setting) -> Answer:
        """Asks a query under a setting whose adaptive execution is on."""
        setting.apply(self.spark)
        self.spark.conf.set("spark.sql.adaptive.enabled", False)
        plans = measure(self.spark, self.stages, question, _PLAN).result
        switch(self.spark, True)
        text = explained(question.frame(self.spark))
        setting.apply(self.spark)
        return Answer(
            question.name,
            question.asks,
            question.family,
            question.written_for,
            plans.off.planned,
            plans.on.planned,
            reasons_saved(text),
            reasons_kept(text),
            self._run(question, setting, self.effort) if self.effort else None,
        )

    def _run(self, question: Question, setting: Setting, effort: Effort) -> QueryResult:
        """Runs a query at the number of shuffle partitions that suits Spark alone."""
        swept = find_partitions(self.spark, question, setting.counts, effort)
        measured = measure(self.spark, self.stages, question, effort)
        result = measured.result
        result.sweep, result.rows = swept, compared(measured)
        result.row_count = None if measured.off_rows is None else len(measured.off_rows)
        return result


def compared(measured: Measured) -> str:
    """How the rows of both sides compare, every value exactly.

    A query that fails compares as different: each of these must run.
    """
    errors = measured.result.off.error, measured.result.on.error
    if errors != (None, None):
        return f"different: {errors[0]} / {errors[1]}"
    if measured.off_rows is None or measured.on_rows is None:
        return NOT_COMPARED
    difference = compare.exact(measured.off_rows, measured.on_rows)
    return EQUAL if difference is None else f"different: {difference}"
