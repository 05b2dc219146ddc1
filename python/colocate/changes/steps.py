"""How the steps of a logic become Spark's own operators over changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from colocate import arguments
from colocate.changes import diffs, times
from colocate.changes.logic import Elements, Emission, Emissions, Temporal
from colocate.names import quoted

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

TIME, UNTIL, DIFF = "__time", "__until", "__diff"

# What a step gives beside the columns of its rows.
_OWN_TIME, _OWN_DIFF, _WHEN = "__own_time", "__own_diff", "__when"


_RESERVED = (TIME, UNTIL, DIFF, _OWN_TIME, _OWN_DIFF, _WHEN)
# What steps in Python give goes on with their numbers.
_NUMBERED = (f"{_OWN_TIME}_", f"{_OWN_DIFF}_")


@dataclass(frozen=True)
class Changes:
    """A frame of changes, and what its times and diffs are.

    With a column `__until`, a later time that is never NULL, each row is two changes: `__diff` more
    of the data from `__time` on, and as many less from `__until` on.
    """

    df: DataFrame
    time: times.Time
    diff: diffs.Diff

    @property
    def intervals(self) -> bool:
        """Whether each row is two changes."""
        return UNTIL in self.df.columns

    @property
    def own(self) -> list[str]:
        """The columns that the rows do not have by themselves."""
        return [name for name in (TIME, UNTIL, DIFF) if name in self.df.columns]

    @property
    def data(self) -> list[str]:
        """The columns of the rows that come and go."""
        return [name for name in self.df.columns if name not in (TIME, UNTIL, DIFF)]


def column(value: Any) -> Column:
    """Return a value of the user's as a column: a Column stays, a text is SQL, else a literal."""
    from pyspark.sql import Column
    from pyspark.sql import functions as F

    if isinstance(value, Column):
        return value
    return F.expr(value) if isinstance(value, str) else F.lit(value)


def named(names: Iterable[str]) -> list[Column]:
    """Return columns by their names, whatever these hold."""
    from pyspark.sql import functions as F

    return [F.col(quoted(name)) for name in names]


def allowed(what: str, names: Iterable[str]) -> None:
    """Raise ValueError for a column of rows with a name that changes have for themselves."""
    for name in names:
        if name.lower() in _RESERVED or name.lower().startswith(_NUMBERED):
            raise ValueError(
                f"{what} has the column {name}; accepted: any name but {', '.join(_RESERVED)}, and "
                f"what begins with {' or '.join(_NUMBERED)}."
            )


def distinct(what: str, df: DataFrame) -> None:
    """Raise ValueError where two columns of a frame have names that are one to Spark."""
    arguments.distinct(what, df.sparkSession, df.columns)


def apply(step: Emissions | Elements | Temporal, changes: Changes) -> Changes:
    """Return the changes that a step of Columns gives for each of some changes."""
    if changes.intervals and not _of_data_alone(step, changes):
        changes = paired(changes)
    if isinstance(step, Temporal):
        return _temporal(step, changes)
    if isinstance(step, Elements):
        return combined(step.name, _elements(step, changes), changes)
    allowed(f"{step.name}()", step.rows[0].columns)
    if len(step.rows) == 1:
        return combined(step.name, _one(step.rows[0], changes), changes)
    return combined(step.name, _several(step, changes), changes)


def _of_data_alone(step: Emissions | Elements | Temporal, changes: Changes) -> bool:
    """Say whether a step gives the same rows for both changes of an interval."""
    return resolves(changes.df.select(*named(changes.data)), _expressions(step))


def resolves(df: DataFrame, values: Iterable[Column]) -> bool:
    """Say whether a frame has all that some values are made of."""
    from pyspark.errors import AnalysisException

    try:
        df.select(*values).schema  # noqa: B018
    except AnalysisException:
        return False
    return True


def _expressions(step: Emissions | Elements | Temporal) -> list[Column]:
    if isinstance(step, Temporal):
        given = [step.lower, step.upper]
    elif isinstance(step, Elements):
        given = [step.array]
    else:
        given = [e for r in step.rows for e in (*r.columns.values(), r.time, r.diff, r.when)]
    return [column(each) for each in given if each is not None]


def _one(row: Emission, changes: Changes) -> DataFrame:
    df = changes.df if row.when is None else changes.df.where(column(row.when))
    own = [(row.time, _OWN_TIME), (row.diff, _OWN_DIFF)]
    extra = [column(value).alias(name) for value, name in own if value is not None]
    return df.select(*_values(row, changes), *named(changes.own), *extra)


def _several(step: Emissions, changes: Changes) -> DataFrame:
    """Return the rows of a step; where one alone gives a time, the others get the change's."""
    from pyspark.sql import functions as F

    fill = {
        _OWN_TIME: ("time", F.col(TIME)),
        _OWN_DIFF: ("diff", F.lit(1).cast("bigint")),
        _WHEN: ("when", F.lit(True)),
    }
    used = {n: f for n, f in fill.items() if any(getattr(r, f[0]) is not None for r in step.rows)}

    def struct(row: Emission) -> Column:
        own = []
        for name, (part, default) in used.items():
            value = getattr(row, part)
            own.append((default if value is None else column(value)).alias(name))
        return F.struct(*_values(row, changes, step.rows[0]), *own)

    rows = F.inline(F.array(*(struct(row) for row in step.rows)))
    df = changes.df.select(*named(changes.own), rows)
    return df.where(F.col(_WHEN)).drop(_WHEN) if _WHEN in used else df


def _values(row: Emission, changes: Changes, order: Emission | None = None) -> list[Column]:
    if not row.columns:
        return named(changes.data)
    return [column(row.columns[name]).alias(name) for name in (order or row).columns]


def _elements(step: Elements, changes: Changes) -> DataFrame:
    from pyspark.sql import functions as F
    from pyspark.sql.types import ArrayType, StructType

    array = column(step.array)
    kind = changes.df.select(array.alias("array")).schema["array"].dataType
    if not isinstance(kind, ArrayType):
        raise ValueError(f"{step.name}() is given a {kind.simpleString()}; accepted: an array.")
    if not isinstance(kind.elementType, StructType):
        if step.diff is not None:
            raise ValueError(
                f"{step.name}() is given an array of {kind.elementType.simpleString()}; accepted: "
                f"an array of structs with the field '{step.diff}'."
            )
        name = step.column or "value"
        allowed(f"{step.name}()", [name])
        return changes.df.select(F.explode(array).alias(name), *named(changes.own))
    fields = kind.elementType.names
    if step.column is not None:
        raise ValueError(
            f"{step.name}() is given name={step.column!r} beside structs with the fields {fields}; "
            "accepted: name beside an array of other elements."
        )
    allowed(f"{step.name}()", fields)
    if step.diff is not None and (step.diff not in fields or len(fields) == 1):
        raise ValueError(
            f"{step.name}() is given structs with the fields {fields}; accepted: the field "
            f"'{step.diff}' and others."
        )
    df = changes.df.select(*named(changes.own), F.inline(array))
    return df if step.diff is None else df.withColumnRenamed(step.diff, _OWN_DIFF)


def _temporal(step: Temporal, changes: Changes) -> Changes:
    from pyspark.sql import functions as F

    kind = changes.time
    if not isinstance(kind, times.Scalar):
        raise ValueError(
            f"temporal() is applied to times of type {times.shown(kind)}; accepted: whole numbers, "
            "dates and timestamps."
        )
    now = F.col(TIME)
    lower = now if step.lower is None else _bound("lower", step.lower, changes)
    known = lower.isNotNull()
    if step.upper is None:
        return apply(Emissions(step.name, (Emission(time=lower, when=known),)), changes)
    upper = _bound("upper", step.upper, changes)
    # One by one, so that above a join Spark moves the bounds of one side down to it.
    counts = [known, upper.isNotNull(), lower < upper, now < upper]
    ends = upper
    if changes.intervals:
        counts.append(lower < F.col(UNTIL))
        ends = kind.meet(F.col(UNTIL), upper)
    out = changes.df.where(reduce(lambda a, b: a & b, counts)).select(
        *named(changes.data),
        kind.join(now, lower).alias(TIME),
        ends.alias(UNTIL),
        *named([DIFF]),
    )
    return Changes(out, kind, changes.diff)


def paired(changes: Changes) -> Changes:
    """Return changes of which each is a row of its own."""
    from pyspark.sql import functions as F

    if not changes.intervals:
        return changes
    both = [
        F.struct(F.col(time).alias(TIME), F.lit(sign).cast("bigint").alias(_OWN_DIFF))
        for time, sign in ((TIME, 1), (UNTIL, -1))
    ]
    df = changes.df.select(*named([*changes.data, DIFF]), F.inline(F.array(*both)))
    return combined("temporal", df, Changes(df, changes.time, changes.diff))


def _bound(name: str, value: Any, changes: Changes) -> Column:
    found = changes.df.select(column(value).alias("bound")).schema["bound"].dataType
    if times.kind_of(found, f"the {name} bound of temporal()") != changes.time:
        raise ValueError(
            f"the {name} bound of temporal() is of type {found.simpleString()}; accepted: the type "
            f"of the times, {times.shown(changes.time)}."
        )
    return changes.time.normal(column(value))


def own_columns(number: int) -> tuple[str, str]:
    """Return the names of the time and the diff that one of several steps gives."""
    return tuple(f"{name}{number}" for name in _NUMBERED)  # type: ignore[return-value]


def combined(
    step: str,
    df: DataFrame,
    changes: Changes,
    own: tuple[str, str] = (_OWN_TIME, _OWN_DIFF),
) -> Changes:
    """Join the times that a step gave with those of the changes, and multiply the diffs.

    `own` are the columns of the frame with these, where it has them.
    """
    from pyspark.sql import functions as F

    schema, (own_time, own_diff) = df.schema, own
    own_times = {name: F.col(name) for name in changes.own if name != DIFF}
    diff, kind = F.col(DIFF), changes.diff
    if own_time in schema.names:
        found = schema[own_time].dataType
        if times.kind_of(found, f"the time that {step}() gives") != changes.time:
            raise ValueError(
                f"the time that {step}() gives is of type {found.simpleString()}; accepted: the "
                f"type of the times, {times.shown(changes.time)}."
            )
        given = changes.time.normal(F.col(own_time))
        own_times = {
            name: present(changes.time.join(at, given), changes.time.missing(given), "time")
            for name, at in own_times.items()
        }
    if own_diff in schema.names:
        own_kind = diffs.kind_of(schema[own_diff].dataType, f"the diff that {step}() gives")
        given = own_kind.normal(F.col(own_diff))
        kind, diff = diffs.multiply(kind, diff, own_kind, given)
        diff = present(diff, own_kind.missing(given), "diff")
    data = [name for name in schema.names if name not in (TIME, UNTIL, DIFF, *own)]
    kept = [time.alias(name) for name, time in own_times.items()]
    out = df.select(*named(data), *kept, diff.alias(DIFF))
    if changes.intervals and own_time in schema.names:
        out = out.where(F.col(TIME) < F.col(UNTIL))
    if own_diff in schema.names:
        out = out.where(~kind.is_zero(F.col(DIFF)))
    return Changes(out, changes.time, kind)


def present(value: Column, missing: Column, what: str) -> Column:
    """Return a time or a diff, and raise an error where it is missing."""
    from pyspark.sql import functions as F

    told = f"[COLOCATE_CHANGE_INCOMPLETE] A change has NULL as its {what}."
    return F.when(missing, F.raise_error(F.lit(told))).otherwise(value)
