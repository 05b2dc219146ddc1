"""The examples come to the answer of Spark alone, and say so where an answer is another one."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pyspark import cloudpickle
from pyspark.sql import DataFrame, SparkSession

from colocate import changes
from examples import (
    as_of_join,
    encodings,
    four_cliques,
    generic_join,
    motifs,
    product_times,
    triangles,
    unpack_cdc,
)
from tests import fresh, wrong_joins
from tests.modes import classic_only
from tests.nights import turns

# Executors cannot import an example.
cloudpickle.register_pickle_by_value(unpack_cdc)  # type: ignore[no-untyped-call]

ROOT = Path(__file__).parents[1]
GRAPH = ["--scale", "4", "--batches", "1", "--size", "5"]
RIGHT: list[tuple[ModuleType, list[str], str]] = [
    (triangles, GRAPH, "batch 1: 9 triangles come, 6 go; 19 in all"),
    (motifs, ["a-b,b-c,a-c", *GRAPH], "batch 1: 9 motifs come, 6 go; 19 in all"),
    (four_cliques, GRAPH, "batch 1: "),
    (four_cliques, ["--of", "triangles", *GRAPH], "batch 1: "),
    (encodings, GRAPH, "half joins: changes of triangles"),
    (product_times, [], "(5, 6, 7) at (11, 13), +1 once"),
    (product_times, ["--left", "1,2", "--right", "1,2"], "(5, 6, 7) at (1, 2), +1 once"),
    (generic_join, ["--scale", "4"], "a -> c proposes for "),
    (as_of_join, ["--orders", "20"], "orders and cancellations at their prices; "),
    (unpack_cdc, [], "up to 30: "),
    (unpack_cdc, ["--in", "python"], "up to 30: "),
]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("example", "arguments", "told"), turns(RIGHT, every=2))
def test_an_example_comes_to_the_answer_of_spark_alone(
    spark: SparkSession,
    capsys: pytest.CaptureFixture[str],
    example: ModuleType,
    arguments: list[str],
    told: str,
) -> None:
    enabled = spark.conf.get("spark.colocate.enabled", None)
    assert example.main(arguments, spark) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith(told) for line in lines), lines
    assert any(line.endswith(" in all") and not line.endswith("; 0 in all") for line in lines)
    assert lines[-1] == "Each answer is that of Spark alone."
    assert spark.conf.get("spark.colocate.enabled", None) == enabled


def counted_once(extended: DataFrame, extender: Any, vertex: str) -> DataFrame:
    """Validate as if each pair of a relation were there once."""
    pairs = extender.pairs.selectExpr(f"k AS {extender.key}", f"v AS {vertex}")
    return extended.join(pairs, [extender.key, vertex])


WRONG: list[tuple[ModuleType, list[str], Any, str, Any]] = [
    (triangles, GRAPH, changes, "delta_join", wrong_joins.all_old),
    (triangles, GRAPH, changes, "delta_join", wrong_joins.one_rule_less),
    (motifs, ["a-b,b-c", *GRAPH], changes, "delta_join", wrong_joins.all_new),
    (four_cliques, GRAPH, changes, "delta_join", wrong_joins.all_old),
    (four_cliques, ["--of", "triangles", *GRAPH], changes, "delta_join", wrong_joins.all_new),
    (encodings, GRAPH, changes, "less_than", changes.less_equal),
    (product_times, [], changes, "delta_join", wrong_joins.one_rule_less),
    (generic_join, ["--scale", "4"], generic_join, "validate", counted_once),
    (as_of_join, [], changes, "as_of_join", changes.join),
    (
        unpack_cdc,
        [],
        unpack_cdc,
        "CHAINS",
        {"columns": unpack_cdc.IN_COLUMNS.followed_by(changes.filter("tag <> 'rum'"))},
    ),
]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("example", "arguments", "where", "name", "wrong"), turns(WRONG, every=2))
def test_a_wrong_answer_is_seen(
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    example: ModuleType,
    arguments: list[str],
    where: Any,
    name: str,
    wrong: Any,
) -> None:
    """The negative twin: a wrong cut, a rule that is dropped, a validator that does not count."""
    monkeypatch.setattr(where, name, wrong)
    assert example.main(arguments, spark) == 1
    printed = capsys.readouterr()
    assert "Each answer" not in printed.out
    assert "Spark alone finds it" in printed.err


@pytest.mark.parametrize(
    ("example", "arguments", "told"),
    [
        (triangles, ["--scale", "1"], "--scale: '1'; accepted: a whole number from 2 to 16"),
        (triangles, ["--batches", "x"], "--batches: 'x'; accepted: a whole number from 1"),
        (triangles, ["--scale", "4", "--size", "999"], "--size: 999 with --batches 3; accepted: "),
        (triangles, ["--unknown"], "unrecognized arguments: --unknown"),
        (motifs, [], "the following arguments are required: motif"),
        (motifs, ["a-b"], "motif: 'a-b'; accepted: two edges or more"),
        (motifs, ["a-b,c-d"], "motif: 'a-b,c-d'; accepted: two edges or more that hang together"),
        (motifs, ["a-b,a-b"], "each once"),
        (motifs, ["a-a,a-b"], "motif: 'a-a,a-b'; accepted"),
        (motifs, ["a-b,b>c"], "motif: 'a-b,b>c'; accepted"),
        (motifs, ["a-B,B-c"], "motif: 'a-B,B-c'; accepted"),
        (four_cliques, ["--of", "stars"], "argument --of: invalid choice: 'stars'"),
        (encodings, ["--seed", "-1"], "--seed: '-1'; accepted: a whole number from 0"),
        (product_times, ["--left", "3"], "--left: '3'; accepted: two whole numbers"),
        (product_times, ["--right", "3,4,5"], "--right: '3,4,5'; accepted: two whole numbers"),
        (product_times, ["--right", "3,9999999"], "--right: '3,9999999'; accepted"),
        (generic_join, ["--copies", "0"], "--copies: '0'; accepted: a whole number from 1 to 100"),
        (as_of_join, ["--prices", "101"], "--prices: '101'; accepted: a whole number from 1"),
        (unpack_cdc, ["--in", "scala"], "argument --in: invalid choice: 'scala'"),
    ],
)
def test_a_wrong_argument_is_refused(
    capsys: pytest.CaptureFixture[str], example: ModuleType, arguments: list[str], told: str
) -> None:
    with pytest.raises(SystemExit) as end:
        example.main(arguments)
    assert end.value.code == 2
    assert told in capsys.readouterr().err


def test_rings_of_two_and_stars_are_motifs() -> None:
    assert motifs.motif("a-b,b-a") == [("a", "b"), ("b", "a")]
    conditions, vertices = motifs.joined_on(motifs.motif("a-b,b-a"))
    assert conditions == ["e0.dst = e1.src", "e0.src = e1.dst"]
    assert vertices == {"a": "e0.src", "b": "e0.dst"}
    assert len(motifs.motif("c-d,a-b,b-c")) == 3


@classic_only
def test_an_example_is_a_program() -> None:
    done = fresh.run(["-m", "examples.product_times"])
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("Each answer is that of Spark alone.\n")


def test_the_page_has_a_line_for_each_example() -> None:
    page = (ROOT / "docs" / "changes.md").read_text(encoding="utf-8")
    programs = {path.stem for path in (ROOT / "examples").glob("*.py")} - {"__init__", "common"}
    assert programs == {example.__name__.split(".")[1] for example, _, _ in RIGHT}
    missing = [name for name in programs if f"`python -m examples.{name}" not in page]
    assert not missing
