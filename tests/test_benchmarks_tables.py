"""The pure parts of the benchmark of robust tables: layouts, pruning, queries, bounds. No Spark."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks.common.conditions import Condition, Query
from benchmarks.common.wide_table import COLUMNS
from benchmarks.tables import (
    column_codes,
    file_bounds,
    layout_names,
    layouts,
    questions,
    write_time,
)
from benchmarks.tables.blocks import Blocks, lower_bound, of_assignment
from benchmarks.tables.column_codes import Table, encode
from benchmarks.tables.layout_result import (
    LayoutResult,
    Questions,
    judge,
    read_over_fewest,
)
from benchmarks.tables.outcome import Planning, TablesOutcome
from benchmarks.tables.page import PAGE
from benchmarks.tables.predicates import CodedQuery, selected
from benchmarks.tables.predicates import coded as in_codes
from benchmarks.tables.tree_cuts import Node, of_cuts

DAY = datetime.date(1995, 1, 1)


def arrow(rows: int = 4096, seed: int = 0) -> pa.Table:
    """Give rows with columns of four types: a key in order, and three that are not."""
    random = Random(seed)
    return pa.table(
        {
            "key": pa.array(range(rows), pa.int64()),
            "price": pa.array(
                [Decimal(random.randrange(1000)) / 100 for _ in range(rows)], pa.decimal128(15, 2)
            ),
            "day": pa.array(
                [DAY + datetime.timedelta(days=random.randrange(365)) for _ in range(rows)]
            ),
            "name": pa.array([random.choice(["ant", "bee", "cat", "Ärger"]) for _ in range(rows)]),
        }
    )


@pytest.fixture(scope="module")
def table() -> Table:
    """Give the coded form of those rows."""
    return encode(arrow())


def one(condition: Condition, table: Table) -> CodedQuery:
    """Give a query of one condition."""
    return in_codes(Query("test", ((condition,),)), table)


def test_codes_have_the_order_of_the_values(table: Table) -> None:
    rows = arrow().to_pydict()
    for name in table.names:
        column = table[name]
        assert [column.value(code) for code in column.codes] == rows[name]
        values = column.values.to_pylist()
        assert values == sorted(set(rows[name]))


def test_codes_of_a_file_are_those_of_its_rows(table: Table, tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    pq.write_table(arrow(), path, row_group_size=1000)
    found = column_codes.read(path, table.names)
    for name in table.names:
        assert found[name].values.equals(table[name].values)
        assert np.array_equal(found[name].codes, table[name].codes)


def test_columns_with_null_are_refused() -> None:
    with pytest.raises(ValueError, match="a has NULLs"):
        encode(pa.table({"a": [1, None]}))


@pytest.mark.parametrize(
    ("condition", "passes"),
    [
        (Condition("price", low=Decimal("2.50"), high=Decimal("3")), lambda p: 2.5 <= p <= 3),
        (Condition("price", low=Decimal("2.50"), below=Decimal("3")), lambda p: 2.5 <= p < 3),
        (Condition("price", below=Decimal("3.001")), lambda p: p < Decimal("3.001")),
        (Condition("price", among=(Decimal("1"), Decimal("77"))), lambda p: p == 1),
        (Condition("price", low=Decimal("77")), lambda p: False),
    ],
)
def test_conditions_select_the_rows_that_pass(
    condition: Condition, passes: Callable[[Decimal], bool], table: Table
) -> None:
    expected = sum(bool(passes(price)) for price in arrow().to_pydict()["price"])
    assert selected(one(condition, table), table) == expected


def test_a_disjunction_selects_each_row_once(table: Table) -> None:
    first = Condition("name", among=("ant", "bee"))
    second = Condition("key", below=100)
    query = in_codes(Query("test", ((first,), (second, first), (second,))), table)
    rows = arrow().to_pydict()
    pairs = zip(rows["name"], rows["key"], strict=True)
    expected = [name in ("ant", "bee") or key < 100 for name, key in pairs]
    assert selected(query, table) == sum(expected)


def test_conditions_are_written_in_sparks_dialect() -> None:
    day = "DATE '1995-01-01'"
    assert Condition("d", low=DAY, below=DAY).sql == f"d >= {day} AND d < {day}"
    assert Condition("s", among=("it's", "b\\c")).sql == r"s IN ('it\'s', 'b\\c')"
    query = Query("q", ((Condition("a", high=1), Condition("b", low=Decimal("0.50"))),) * 2)
    assert query.sql == "(a <= 1 AND b >= 0.50) OR (a <= 1 AND b >= 0.50)"


def every_layout(table: Table) -> dict[str, Blocks]:
    """Give the blocks of every layout that needs no Spark."""
    made = {
        layout_names.ARRIVAL: layouts.arrival(table, 16),
        layout_names.SORTED: layouts.sorted_by(table, "day", 16),
        layout_names.Z_ORDER: layouts.z_order(table, ["day", "price"], 16),
        layout_names.Z_ORDER_ALL: layouts.z_order(table, table.names, 16),
        layout_names.K_D_TREE: layouts.k_d_tree(table, table.names, 16),
    }
    return {name: of_assignment(table, block) for name, block in made.items()}


def test_every_layout_holds_every_row_once(table: Table) -> None:
    for blocks in every_layout(table).values():
        assert blocks.rows.sum() == table.rows
        assert blocks.count == 16


def test_pruning_leaves_out_no_row_that_passes(table: Table) -> None:
    assignment = layouts.z_order(table, table.names, 16)
    blocks = of_assignment(table, assignment)
    for query in [in_codes(each, table) for each in questions.one_column(table, 20, seed=3)]:
        [[(name, intervals)]] = query.either
        codes = table[name].codes
        passing = np.zeros(table.rows, dtype=bool)
        for low, high in intervals:
            passing |= (codes >= low) & (codes <= high)
        assert blocks.read(query)[np.unique(assignment[passing])].all()
        assert passing.sum() == selected(query, table)


def test_a_sort_helps_its_column_and_no_other(table: Table) -> None:
    blocks = every_layout(table)[layout_names.SORTED]
    month = Condition("day", low=DAY, below=datetime.date(1995, 1, 20))
    assert blocks.share(one(month, table)) == 1 / 16
    assert blocks.share(one(Condition("price", below=Decimal(5)), table)) == 1.0
    assert blocks.share(one(Condition("name", among=("dog",)), table)) == 0.0


def test_z_order_halves_by_each_column_in_turn(table: Table) -> None:
    blocks = every_layout(table)[layout_names.Z_ORDER]
    for condition in (Condition("day", high=DAY), Condition("price", high=Decimal(0))):
        assert blocks.share(one(condition, table)) == pytest.approx(1 / 4, abs=1 / 16)


def test_z_order_of_two_bits_is_the_z() -> None:
    square = pa.table({"x": [0, 1, 0, 1], "y": [0, 0, 1, 1]})
    assert layouts.z_order(encode(square), ["y", "x"], 4).tolist() == [0, 1, 2, 3]
    assert layouts.z_order(encode(square), ["x", "y"], 4).tolist() == [0, 2, 1, 3]


def test_k_d_tree_cuts_columns_in_turn_at_the_median() -> None:
    square = pa.table({"x": [1, 2, 3, 4] * 4, "y": [y for y in range(4) for _ in range(4)]})
    coded_square = encode(square)
    blocks = of_assignment(coded_square, layouts.k_d_tree(coded_square, ["x", "y"], 4))
    assert blocks.rows.tolist() == [4, 4, 4, 4]
    assert blocks.share(one(Condition("x", high=1), coded_square)) == 0.5
    assert blocks.share(one(Condition("y", high=1), coded_square)) == 0.5


def test_k_d_tree_passes_over_a_column_of_one_value() -> None:
    rows = encode(pa.table({"same": [1] * 8, "x": list(range(8))}))
    blocks = of_assignment(rows, layouts.k_d_tree(rows, ["same", "x"], 4))
    assert blocks.rows.tolist() == [2, 2, 2, 2]
    constant = encode(pa.table({"same": [1] * 8}))
    assert of_assignment(constant, layouts.k_d_tree(constant, ["same"], 4)).count == 1


def test_files_prune_as_the_rows_in_them(table: Table, tmp_path: Path) -> None:
    assignment = layouts.sorted_by(table, "day", 8)
    paths = []
    for number in range(8):
        paths.append(tmp_path / f"{number}.parquet")
        pq.write_table(arrow().filter(pa.array(assignment == number)), paths[-1])
    found, expected = file_bounds.of_files(table, paths), of_assignment(table, assignment)
    assert np.array_equal(found.rows, expected.rows)
    for name in table.names:
        assert np.array_equal(found.ranges[name].least, expected.ranges[name].least)
        assert np.array_equal(found.ranges[name].greatest, expected.ranges[name].greatest)
    with pytest.raises(ValueError, match="the files hold"):
        file_bounds.of_files(table, paths[1:])


# key <= 2047, then on its left day < 9200 (which is 1995-03-11), on its right name <= 'bee'.
TREE = [
    Node(0, 0, None, "key", "key <= 2047", None, None),
    Node(0, 1, 0, "day", "day < 9200", None, None),
    Node(0, 2, 1, None, None, 0, 1000),
    Node(0, 3, 1, None, None, 1, 1048),
    Node(0, 4, 0, "name", "name <= bee", None, None),
    Node(0, 5, 4, None, None, 2, 1048),
    Node(0, 6, 4, None, None, 3, 1000),
]


@pytest.mark.parametrize(
    ("condition", "leaves"),
    [
        (Condition("key", high=2047), [0, 1]),
        (Condition("key", low=2047), [0, 1, 2, 3]),
        (Condition("key", low=2048), [2, 3]),
        (Condition("day", below=datetime.date(1995, 3, 11)), [0, 2, 3]),
        (Condition("day", high=datetime.date(1995, 3, 11)), [0, 1, 2, 3]),
        (Condition("day", low=datetime.date(1995, 3, 11)), [1, 2, 3]),
        (Condition("name", among=("bee",)), [0, 1, 2]),
        (Condition("name", among=("cat",)), [0, 1, 3]),
        (Condition("price", high=Decimal(0)), [0, 1, 2, 3]),
    ],
)
def test_cuts_alone_prune(condition: Condition, leaves: list[int], table: Table) -> None:
    blocks = of_cuts(table, TREE)
    assert np.flatnonzero(blocks.read(one(condition, table))).tolist() == leaves


def test_a_cut_that_cannot_be_read_is_an_error(table: Table) -> None:
    root = Node(0, 0, None, "key", "key ~ 1", None, None)
    with pytest.raises(ValueError, match="is no cut of key"):
        of_cuts(table, [root, Node(0, 1, 0, None, None, 0, 4096)])


def test_the_fewest_blocks_are_at_least_one(table: Table) -> None:
    blocks = every_layout(table)[layout_names.ARRIVAL]  # 256 rows each
    assert [lower_bound(rows, blocks) for rows in (0, 1, 256, 257, 4096)] == [1, 1, 1, 2, 16]


def test_columns_of_few_values_are_asked_for_one_of_them(table: Table) -> None:
    asked = questions.one_column(table, 5, seed=1)
    assert [query.name for query in asked] == [name for name in table.names for _ in range(5)]
    assert asked == questions.one_column(table, 5, seed=1)
    assert asked != questions.one_column(table, 5, seed=2)
    for query in asked:
        [[condition]] = query.either
        rows = selected(in_codes(query, table), table)
        assert bool(condition.among) == (query.name == "name")
        assert rows > 0 and (condition.among or rows == pytest.approx(410, abs=25))


def test_templates_filter_columns_that_there_are() -> None:
    asked = questions.templates(50, seed=1)
    assert len(asked) == 400 and len({query.name for query in asked}) == 8
    assert asked == questions.templates(50, seed=1)
    conditions = [each for query in asked for all_of in query.either for each in all_of]
    assert {condition.column for condition in conditions} <= set(COLUMNS)
    for condition in conditions:
        if condition.low is not None and condition.below is not None:
            assert condition.low < condition.below
    assert len(COLUMNS) == 32


def some_outcome(table: Table, scale: float = 1.0) -> TablesOutcome:
    """Give an outcome whose robust table is a k-d tree."""
    single = [in_codes(each, table) for each in questions.one_column(table, 3, seed=0)]
    asked = Questions(single, single, [selected(each, table) for each in single])
    found = every_layout(table)
    found[layout_names.ROBUST] = found[layout_names.CUTS_ONLY] = found[layout_names.K_D_TREE]
    outcome = TablesOutcome(
        name="tables-test",
        date="2026-01-01",
        command="python -m benchmarks tables",
        scale=scale,
        rows=table.rows,
        machine={"cpus": 2, "memory_gib": 8, "system": "Linux"},
        versions={"spark": "4.2.0"},
        options={"leaves": 16, "queries": 3, "parameters": 3, "runs": 3},
        layouts=[judge(name, "", blocks, asked) for name, blocks in found.items()],
        writes={
            write_time.PLAIN: [1.0],
            write_time.RANGE: [2.0],
            write_time.ROBUST: [2.0, 3.0, 9.0],
        },
        planning=Planning(100_000, 1 << 20, 3.0, [0.2, 0.3, 2.0], 1 << 20),
    )
    explained = outcome.layout(layout_names.ROBUST)
    outcome.other_sizes["4"] = [*outcome.layouts]
    outcome.layouts.append(
        LayoutResult(layout_names.EXPLAINED, "", 16, explained.columns, explained.templates)
    )
    return outcome


def test_targets_are_met_or_missed(table: Table) -> None:
    met = [check.met for check in some_outcome(table).checks()]
    # The k-d tree does not help twice as many columns as itself, and so on.
    assert met[0] is False and met[2] is False
    assert met[3:] == [False, True]


def test_a_result_comes_back_and_makes_a_page(table: Table, tmp_path: Path) -> None:
    outcome = some_outcome(table, scale=0.1)
    saved = TablesOutcome.load(outcome.save(tmp_path))
    assert saved == outcome
    PAGE.write([saved], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "**missed**" in text and "The targets are meant for scale factor 1." in text
    assert (tmp_path / "assets" / "benchmarks-tables-test.svg").exists()
    sizes = text.split("## With fewer and more blocks")[1].split("##")[0]
    assert "| layout | about 4 blocks | about 16 blocks |" in sizes
    assert sizes.count(f"| {layout_names.ROBUST} |") == 1
    for section in ("All layouts", "Where others read less", "Writing", "Planning over"):
        assert f"## {section}" in text
    assert "nan" not in text


def test_blocks_read_are_never_fewer_than_the_fewest(table: Table) -> None:
    for layout in some_outcome(table).layouts[:-1]:
        if layout.name != layout_names.K_D_TREE:  # its blocks differ in size
            assert min(read_over_fewest(layout).values()) >= 1
