"""How steps in Python that follow each other become one node of a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from colocate import arguments
from colocate.changes.batch_stages import batch_segment
from colocate.changes.composed import composed
from colocate.changes.python_steps import PythonStep, parsed
from colocate.changes.row_stages import Segment, row_segment
from colocate.changes.steps import DIFF, TIME, Changes, allowed, combined, named, own_columns

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructField, StructType

_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
_LARGE = "spark.sql.execution.arrow.useLargeVarTypes"
_ZONE = "spark.sql.session.timeZone"
# Where the session sets no bound.
_ROWS = 10_000


@dataclass(frozen=True)
class Stage:
    """A step with the schema of the rows that it is given, and of those that it gives."""

    step: PythonStep
    number: int
    told: str
    given: StructType
    gives: StructType
    own: tuple[StructField, ...]
    """Its own time and diff, as far as it gives them."""

    @property
    def columns(self) -> list[StructField]:
        """Its own time and diff under the names that they have in a run."""
        from pyspark.sql.types import StructField

        names = dict(zip((TIME, DIFF), own_columns(self.number), strict=True))
        return [StructField(names[field.name], field.dataType) for field in self.own]


def run(steps: Sequence[tuple[int, PythonStep]], count: int, changes: Changes) -> Changes:
    """Return the changes that steps in Python give which follow each other.

    They run in one node, `mapInArrow`: it hands on what Arrow holds, and mapInPandas would make
    floats of whole numbers beside a NULL. The time and the diff of a change pass by it. The own
    times and diffs of the steps are columns beside them, and are joined and multiplied by Spark one
    after the other, as those of other steps are.

    Args:
        steps: each with its number in the logic.
        count: how many steps the logic has.
        changes: what they are applied to.

    """
    from pyspark.sql.types import StructType

    df = changes.df.select(*named([*changes.data, TIME, DIFF]))
    stages = _stages(steps, count, df, changes)
    passing = [df.schema[TIME], df.schema[DIFF]]
    own = [field for stage in stages for field in stage.columns]
    schema = StructType([*stages[-1].gives.fields, *passing, *own])
    given, gives = list(stages[0].given.names), list(schema.names)
    loop = composed(_segments(stages, df.sparkSession), given, gives)
    out = Changes(_plain(df).mapInArrow(loop, schema), changes.time, changes.diff)
    for stage in stages:
        if stage.own:
            out = combined(stage.step.name, out.df, out, own_columns(stage.number))
    return out


def grouped(steps: Sequence[Any]) -> list[list[tuple[int, Any]]]:
    """Return steps with their numbers, those in Python that follow each other together."""
    found: list[list[tuple[int, Any]]] = []
    for python, group in groupby(enumerate(steps, 1), lambda one: isinstance(one[1], PythonStep)):
        some = list(group)
        found += [some] if python else [[one] for one in some]
    return found


def _stages(
    steps: Sequence[tuple[int, PythonStep]], count: int, df: DataFrame, changes: Changes
) -> list[Stage]:
    from pyspark.sql.types import StructField, StructType

    given = StructType([field for field in df.schema.fields if field.name not in (TIME, DIFF)])
    stages = []
    for number, step in steps:
        declared = given if step.schema is None else parsed(step)
        arguments.distinct(f"the schema of {step.name}()", df.sparkSession, declared.names)
        kinds = _own_kinds(step, declared, df.schema[TIME])
        fields = [field for field in declared.fields if field.name not in kinds]
        allowed(f"{step.name}()", [field.name for field in fields])
        if not fields and step.schema is not None:
            raise ValueError(
                f"the schema of {step.name}() has the columns {declared.names}; accepted: at least "
                "one column of the rows."
            )
        own = tuple(StructField(name, kind) for name, kind in kinds.items())
        gives = StructType(fields)
        told = f"step {number} of {count}, {step.told},"
        _check_sent(step.function, told)
        stages.append(Stage(step, number, told, given, gives, own))
        given = gives
    return stages


def _own_kinds(step: PythonStep, declared: StructType, time: StructField) -> dict[str, Any]:
    """Return the types of the time and the diff that a step gives itself, by their names."""
    from pyspark.sql.types import LongType

    there = {field.name: field.dataType for field in declared.fields}
    if step.batches:
        return {name: there[name] for name in (TIME, DIFF) if name in there}
    # The rows of a function have them beside the columns; the schema may say their types.
    usual = {TIME: time.dataType, DIFF: LongType()}
    return {name: there.get(name, usual[name]) for name in step.own}


def _segments(stages: list[Stage], spark: SparkSession) -> list[Segment]:
    limit = int(str(spark.conf.get(_BATCH)))
    limit = limit if limit > 0 else _ROWS
    large = str(spark.conf.get(_LARGE)).lower() == "true"
    zone = str(spark.conf.get(_ZONE))
    segments: list[Segment] = []
    for batches, group in groupby(stages, lambda stage: stage.step.batches):
        some = list(group)
        if not batches:
            rows = [_row_stage(stage) for stage in some]
            segments.append(row_segment(rows, some[0].given, limit, large))
            continue
        segments += [_batch_segment(stage, limit, zone, large) for stage in some]
    return segments


def _row_stage(stage: Stage) -> tuple[str, Any, str, StructType, list[StructField]]:
    step = stage.step
    return step.name, step.function, stage.told, stage.gives, list(stage.own)


def _batch_segment(stage: Stage, limit: int, zone: str, large: bool) -> Segment:
    from pyspark.sql.types import StructType

    flat = stage.step.name == "flat_map_batches"
    gives = StructType([*stage.gives.fields, *stage.own])
    f, own = stage.step.function, len(stage.own)
    return batch_segment(f, stage.told, flat, stage.given, gives, own, limit, zone, large)


def _plain(df: DataFrame) -> DataFrame:
    """Return the frame with names that mapInArrow can find; PySpark does not quote them."""
    if not any(mark in name for name in df.columns for mark in "`."):
        return df
    return df.toDF(*(f"column_{i}" for i in range(len(df.columns))))


def _check_sent(function: Any, told: str) -> None:
    """Raise ValueError where a function cannot be sent: Spark would not say which one it is."""
    from pyspark import cloudpickle

    try:
        cloudpickle.dumps(function)  # type: ignore[no-untyped-call]
    except Exception as error:
        raise ValueError(
            f"{told} cannot be sent to executors ({type(error).__name__}: {error}); accepted: "
            "a function that can be pickled with what it refers to."
        ) from error
