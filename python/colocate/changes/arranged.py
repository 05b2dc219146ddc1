"""Collections that lie by their keys, to be met by changes again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from colocate import arguments
from colocate.changes import times
from colocate.changes.collection import Collection
from colocate.changes.steps import TIME, Changes, named

if TYPE_CHECKING:
    from pyspark.sql import Column


class Arranged:
    """A collection whose changes lie by their keys, in Spark's storage, until `release`.

    ::

        with colocate.changes.arrange(prices, "item") as by_item:
            orders.half_join(by_item)
    """

    def __init__(self, collection: Collection, keys: Sequence[str], since: Any = None) -> None:
        self._keys = list(keys)
        self._since = since
        lying = collection.df.repartition(*named(keys)).sortWithinPartitions(*named(keys))
        changes = collection.changes
        self._collection = Collection(Changes(lying.persist(), changes.time, changes.diff))

    @property
    def keys(self) -> list[str]:
        """The columns by which the changes lie."""
        return list(self._keys)

    @property
    def collection(self) -> Collection:
        """The changes, as they are kept."""
        return self._collection

    def compact(self, since: Any) -> Arranged:
        """Add up the changes up to a time, as if all had come at it; this one is released.

        What is there from that time on stays the same; changes before it cannot be joined any
        more. Times of several coordinates, of which one may be before neither, are refused.
        """
        from pyspark.sql import functions as F

        kind = self._collection.changes.time
        if kind.partial:
            raise ValueError(
                f"compact() is applied to times of type {times.shown(kind)}; accepted: times of "
                "which each is before or after any other."
            )
        until = self._collection.given(since, "compact()")
        moved = F.when(kind.less_equal(F.col(TIME), until), until).otherwise(F.col(TIME))
        made = Arranged(self._collection.with_time(moved, kind).consolidate(), self._keys, since)
        self.release()
        return made

    def release(self) -> None:
        """Give the storage back. The collection can still be read; it is computed again then."""
        self._collection.df.unpersist()

    def __enter__(self) -> Arranged:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()

    def not_compacted(self, time: Column) -> Column:
        """Return the time of a change, and raise an error where it is before what is compacted."""
        from pyspark.sql import functions as F

        if self._since is None:
            return time
        since = self._collection.given(self._since, "compact()")
        told = "[COLOCATE_COMPACTED] A change is before the time up to which the other side is."
        reached = self._collection.changes.time.less_equal(since, time)
        return F.when(reached, time).otherwise(F.raise_error(F.lit(told)))


def arrange(collection: Collection, *keys: str) -> Arranged:
    """Let a collection lie by some of its columns, kept in Spark's storage until it is released.

    Raises ValueError where `keys` is empty, or has what is no column of the collection.
    """
    if not isinstance(collection, Collection):
        raise ValueError(
            f"collection is {arguments.described(collection)}; accepted: a collection of changes."
        )
    arguments.columns("keys", keys, collection.columns)
    return Arranged(collection, keys)
