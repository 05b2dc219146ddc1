"""Measures one table: all layouts of its rows, writes, and planning."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.common.terminal import Progress
from benchmarks.tables import (
    baselines,
    delta,
    file_bounds,
    layout_names,
    planning_time,
    predicates,
    questions,
    robust_table,
    tree_cuts,
    write_time,
)
from benchmarks.tables.column_codes import Table
from benchmarks.tables.layout_result import LayoutResult, Questions, judge
from benchmarks.tables.outcome import TablesOutcome

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# How often each template is planned over very many files.
_PLANNINGS = 3


@dataclass(frozen=True)
class Experiment:
    """What all parts need. `source` is the folder with the table's rows, `scratch` is emptied."""

    table: Table
    questions: Questions
    source: Path
    scratch: Path
    leaves: int
    outcome: TablesOutcome
    progress: Progress

    def without_spark(self) -> None:
        """The layouts that are computed here."""
        for result in baselines.measured(self.table, self.questions, self.leaves):
            self._add(result)

    def with_delta(self, cores: int, memory: str) -> None:
        """Delta Lake, where its jars can be had."""
        chosen, out = layout_names.GOOD_GUESS, self.scratch / "delta"
        try:
            found = delta.clustered(self.source, out, chosen, self.leaves, cores, memory)
        except delta.DeltaMissingError as error:
            self.progress(f"Delta Lake is left out:\n{error}")
            self.outcome.notes.append(
                f"Delta Lake is left out: a session with {delta.PACKAGE} did not start, or failed."
            )
            return
        self.outcome.versions["delta"] = delta.PACKAGE.rpartition(":")[-1]
        blocks = file_bounds.of_files(self.table, found)
        self._add(judge(layout_names.DELTA, ", ".join(chosen), blocks, self.questions))
        shutil.rmtree(out)

    def with_colocate(self, spark: SparkSession, runs: int, many_files: int) -> None:
        """Writes, the robust table that the last of them leaves, and planning."""
        frame = spark.read.parquet(str(self.source.absolute()))
        size = robust_table.file_bytes_for(frame, self.table.rows, self.leaves, self.scratch)
        self.outcome.options["targetFileBytes"] = size
        self.outcome.writes, path = write_time.measure(
            frame, size, self.leaves, runs, self.scratch, self.progress
        )
        ours, cuts_only = self._judged(spark, path)
        self._add(ours)
        self._add(cuts_only)
        self._add(
            LayoutResult(
                layout_names.EXPLAINED,
                "",
                ours.blocks,
                robust_table.announced(spark, path, self.questions.one_column),
                robust_table.announced(spark, path, self.questions.templates),
            )
        )
        one_each = {query.name: query for query in self.questions.templates}.values()
        self.outcome.planning = planning_time.measure(
            spark, path, many_files, list(one_each) * _PLANNINGS, self.scratch
        )

    def in_blocks(self, spark: SparkSession, leaves: int) -> None:
        """The layouts without Delta Lake's once more, in fewer or more blocks."""
        frame = spark.read.parquet(str(self.source.absolute()))
        path = self.scratch / "other"
        size = robust_table.file_bytes_for(frame, self.table.rows, leaves, self.scratch)
        robust_table.write(frame, path, size)
        found = [*baselines.measured(self.table, self.questions, leaves)]
        found += self._judged(spark, path)
        shutil.rmtree(path)
        self.outcome.other_sizes[str(leaves)] = found
        for result in found:
            self._say(result)

    def _judged(self, spark: SparkSession, path: Path) -> tuple[LayoutResult, LayoutResult]:
        """The robust table at the path: by its files' statistics, and by its cuts alone."""
        blocks = file_bounds.of_files(self.table, robust_table.files(spark, path))
        leaves = tree_cuts.of_cuts(self.table, robust_table.tree(spark, path))
        return (
            judge(layout_names.ROBUST, "", blocks, self.questions),
            judge(layout_names.CUTS_ONLY, "", leaves, self.questions),
        )

    def _add(self, result: LayoutResult) -> None:
        self.outcome.layouts.append(result)
        self._say(result)

    def _say(self, result: LayoutResult) -> None:
        self.progress(
            f"{result.name:<36} {result.blocks:>4} blocks; rows read: one column "
            f"{result.columns_mean:.3f}, {len(result.helped):>2} helped; "
            f"templates {result.templates_mean:.3f}"
        )


def ask(table: Table, each_column: int, each_template: int, seed: int) -> Questions:
    """The queries, and how many rows pass those of the templates."""
    single = questions.one_column(table, each_column, seed)
    templates = [
        predicates.coded(query, table) for query in questions.templates(each_template, seed)
    ]
    passing = [predicates.selected(query, table) for query in templates]
    return Questions([predicates.coded(query, table) for query in single], templates, passing)
