"""The tags of articles, kept up from events that a database tells of its rows.

Example: `python -m examples.unpack_cdc --articles 20 --in python`.

An event has an image of the row before and after. The one before goes and the one after comes, both
at the event's time; then each image gives its tags. The chain is written in Columns, which are
compiled, and in Python functions, which run one after the other in one worker.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from colocate import changes
from colocate.changes import emit
from examples.common import View, add_number, add_seed, ended, hold, parser

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_TAGS = ("Rum", "Tea", "tea", "_draft")
_IMAGE = "STRUCT<id: BIGINT, tags: ARRAY<STRING>>"
_EVENT = f"op STRING, ts BIGINT, before {_IMAGE}, after {_IMAGE}"

IN_COLUMNS = (
    changes.map(e=f"from_json(event, '{_EVENT}')")
    .followed_by(
        changes.join_function(
            emit(image="e.before", time="e.ts", diff=-1, when="e.before IS NOT NULL"),
            emit(image="e.after", time="e.ts", diff=1, when="e.after IS NOT NULL"),
        )
    )
    .followed_by(
        changes.flat_map("transform(image.tags, t -> struct(image.id AS id, lower(t) AS tag))")
    )
    .followed_by(changes.filter("NOT startswith(tag, '_')"))
)


def images(row: Any) -> Iterator[tuple[tuple[int, list[str]], int, int]]:
    """Give what an event takes back, and what it brings."""
    event = json.loads(row.event)
    for image, diff in ((event["before"], -1), (event["after"], 1)):
        if image is not None:
            yield (image["id"], image["tags"]), event["ts"], diff


def tags(row: Any) -> list[tuple[int, str]]:
    """Give each tag of an image, in small letters."""
    return [(row.id, tag.lower()) for tag in row.tags]


IN_PYTHON = (
    changes.join_function(images, "id long, tags array<string>")
    .followed_by(changes.flat_map(tags, "id long, tag string"))
    .followed_by(changes.filter(lambda row: not row.tag.startswith("_")))
)

CHAINS = {"columns": IN_COLUMNS, "python": IN_PYTHON}


def told(articles: int, last: int, seed: int) -> list[tuple[str]]:
    """Return events as texts: articles come, change and go, one of them at each time up to last."""
    draw, found = random.Random(seed), []
    there: dict[int, dict[str, Any] | None] = {}
    for ts in range(last + 1):
        number = draw.randrange(articles)
        before, after = there.get(number), None
        if before is None or draw.random() < 0.7:
            after = {"id": number, "tags": draw.choices(_TAGS, k=draw.randrange(4))}
        there[number] = after
        op = "c" if before is None else "d" if after is None else "u"
        found.append((json.dumps({"op": op, "ts": ts, "before": before, "after": after}),))
    return found


def plain(events: DataFrame, at: int) -> DataFrame:
    """Return the tags that are there at a time: those of each article's last image."""
    return events.sparkSession.sql(
        "WITH all AS (SELECT e.*, coalesce(e.after.id, e.before.id) AS id "
        f"FROM (SELECT from_json(event, '{_EVENT}') AS e FROM {{events}}) WHERE e.ts <= {at}), "
        "last AS (SELECT id, max_by(struct(after), ts).after AS image FROM all GROUP BY id) "
        "SELECT id, lower(tag) FROM last LATERAL VIEW explode(image.tags) AS tag "
        "WHERE NOT startswith(tag, '_')",
        events=events,
    )


def unpack(events: DataFrame, chain: str, last: int) -> None:
    """Unpack all events, and look at the tags half way and at the end."""
    # An event says its own time, which is joined with that of its text; no event is before 0.
    unpacked = changes.from_df(events, time=0).join_function(CHAINS[chain])
    view = View()
    for since, at in ((-1, last // 2), (last // 2, last)):
        came, gone = view.apply(unpacked.between(since, at))
        hold(f"up to {at}: {came} tags come, {gone} go", view.rows, plain(events, at))


def main(arguments: Sequence[str] | None = None, spark: SparkSession | None = None) -> int:
    """Run the example; return 0, or 1 where the answer is wrong."""
    made = parser("examples.unpack_cdc", __doc__)
    made.add_argument(
        "--in", dest="chain", choices=CHAINS, default="columns", help="the steps (default: columns)"
    )
    add_number(made, "--articles", 5, (1, 100_000), "articles at most")
    add_number(made, "--last", 30, (1, 100_000), "time of the last event; one at each time")
    add_seed(made)
    options = made.parse_args(arguments)
    events = told(options.articles, options.last, options.seed)
    return ended(
        lambda s: unpack(s.createDataFrame(events, "event STRING"), options.chain, options.last),
        spark,
    )


if __name__ == "__main__":
    sys.exit(main())
