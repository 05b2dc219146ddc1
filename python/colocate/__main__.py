"""The command line: `python -m colocate doctor`, `jar`, `explain` and `advise`."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from colocate._version import __version__
from colocate.advise.advise import advise
from colocate.advise.forms.hints import BROADCAST_BYTES, checked
from colocate.errors import ColocateError
from colocate.plans import explain_file, parquet
from colocate.plans.explain import Format
from colocate.plans.explain_file import Statement
from colocate.session import doctor, jars
from colocate.session.configure import configure, installed_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return 0 where all is well, 1 where not."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        return code
    except (ColocateError, ValueError, OSError) as error:
        print(f"colocate: {error}", file=sys.stderr)
        return 1


def _parser() -> ArgumentParser:
    parser = ArgumentParser("python -m colocate", description="Fewer shuffles for Apache Spark.")
    parser.add_argument("--version", action="version", version=f"colocate {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    check = commands.add_parser("doctor", help="what is installed, and what to do where it fails")
    check.add_argument(
        "--no-session", action="store_true", help="only look; do not start Spark to try it"
    )
    check.set_defaults(run=_doctor)

    jar = commands.add_parser("jar", help="where the jar for a Spark is: spark-submit --jars PATH")
    jar.add_argument(
        "--spark", metavar="X.Y", help="the Spark it is for (default: the installed PySpark's)"
    )
    jar.set_defaults(run=_jar)

    show = commands.add_parser("explain", help="the plans of a SQL file without and with Colocate")
    show.add_argument("query", type=Path, metavar="QUERY.sql", help="queries, separated by ';'")
    _add_tables(show)
    show.add_argument("--html", type=Path, metavar="FILE", help="write an HTML page as well")
    show.add_argument("--mermaid", action="store_true", help="print Mermaid instead of text")
    show.set_defaults(run=_explain)

    lay = commands.add_parser("advise", help="how to store tables so that queries shuffle least")
    asked = lay.add_mutually_exclusive_group(required=True)
    asked.add_argument("--queries", type=Path, metavar="DIR", help="a folder of .sql files")
    asked.add_argument(
        "--event-log",
        type=Path,
        nargs="+",
        metavar="PATH",
        help="event logs of Spark, or folders of them: the queries that they show",
    )
    lay.add_argument(
        "--broadcast-bytes",
        type=int,
        default=BROADCAST_BYTES,
        metavar="N",
        help="what a query may broadcast by hints, 0 for no hints (default: %(default)s)",
    )
    _add_tables(lay)
    lay.set_defaults(run=_advise)
    return parser


def _add_tables(command: ArgumentParser) -> None:
    command.add_argument(
        "--tables",
        type=Path,
        required=True,
        metavar="DIR",
        help="each Parquet file or folder in it is a table of that name",
    )
    command.add_argument(
        "--conf",
        action="append",
        default=[],
        type=_setting,
        metavar="KEY=VALUE",
        help="a Spark setting; may be repeated",
    )


def _setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise ArgumentTypeError(f"'{text}' is not KEY=VALUE")
    return key, value


def _doctor(options: Namespace) -> int:
    return 0 if doctor.doctor(with_sessions=not options.no_session) else 1


def _jar(options: Namespace) -> int:
    print(jars.jar_for(options.spark or installed_spark()))
    return 0


def _explain(options: Namespace) -> int:
    # All that can be wrong with the arguments is said before Spark starts.
    sql = explain_file.read(options.query)
    tables = parquet.tables_in(options.tables)
    _check_page(options.html)
    with _session(options, tables) as spark:
        parquet.register(spark, tables)
        _show(spark, explain_file.statements(spark, options.query, sql), options)
    return 0


def _advise(options: Namespace) -> int:
    tables = parquet.tables_in(options.tables)
    checked(options.broadcast_bytes)
    if options.queries is not None and not options.queries.is_dir():
        raise ValueError(f"--queries is {options.queries}; accepted: a folder of .sql files.")
    for log in options.event_log or ():
        if not log.exists():
            raise ValueError(f"--event-log is {log}; accepted: a file or folder that is there.")
    with TemporaryDirectory() as folder, _session(options, tables, folder) as spark:
        parquet.catalogue(spark, tables)
        advice = advise(
            spark,
            options.queries,
            event_log=options.event_log,
            broadcast_bytes=options.broadcast_bytes,
        )
        print(advice.report())
    return 0


def _check_page(page: Path | None) -> None:
    if page is not None and (page.is_dir() or not page.parent.is_dir()):
        raise ValueError(f"--html is {page}; accepted: a file in a folder that is there.")


@contextmanager
def _session(
    options: Namespace, tables: dict[str, Path], warehouse: str | None = None
) -> Iterator[SparkSession]:
    """Give a session of its own; what Spark says of the tables becomes one sentence."""
    installed_spark()
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    # PySpark logs each failed query as a page of JSON; the one sentence is printed here.
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)
    builder = SparkSession.builder.master("local[*]").appName("colocate")
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    if warehouse is not None:
        settings["spark.sql.warehouse.dir"] = warehouse
    spark = configure(builder.config(map={**settings, **dict(options.conf)})).getOrCreate()
    try:
        yield spark
    except PySparkException as error:
        raise ValueError(_said(error, tables)) from None
    finally:
        spark.stop()


def _show(spark: SparkSession, found: list[Statement], options: Namespace) -> None:
    printed: Format = "mermaid" if options.mermaid else "text"
    formats: list[Format] = [printed, "html"] if options.html else [printed]
    pages = []
    for query, reports in explain_file.explain_all(spark, found, formats):
        print(f"-- {query.title()}\n{reports[0]}\n")
        pages.append((query.text, reports[-1]))
    if options.html:
        options.html.write_text(explain_file.page(options.query.name, pages), encoding="utf-8")
        print(f"HTML written to {options.html}")


def _said(error: Exception, tables: dict[str, Path]) -> str:
    sentence = str(error).split("\n", 1)[0]
    if "TABLE_OR_VIEW_NOT_FOUND" in sentence:
        return f"{sentence} Tables here: {', '.join(tables)}."
    return sentence


if __name__ == "__main__":
    sys.exit(main())
