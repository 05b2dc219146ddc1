"""The oracle of the tables' fuzzer catches what it is there for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.table_fuzz import leaves, predicates
from tests.table_fuzz.columns import Row, values, wrong
from tests.table_fuzz.draw import TRAPS
from tests.table_fuzz.findings import Finding
from tests.table_fuzz.judge import judge
from tests.table_fuzz.operation import Operation, Running
from tests.table_fuzz.oracle import Oracle
from tests.table_fuzz.plan import Drawn
from tests.table_fuzz.record import Record, recorded
from tests.table_fuzz.seen import check
from tests.table_fuzz.state import State

APPEND = Operation(2, "append", {"start": 10, "count": 5, "width": 0})
UPDATE = Operation(3, "overwrite", {"drop": ["mod", 3, 0]})
TYPES = [
    ("id", "long"), ("gen", "integer"), ("w", "integer"), ("l", "long"), ("i", "integer"),
    ("d", "double"), ("m", "decimal(20,4)"), ("dt", "date"), ("ts", "timestamp"), ("s", "string"),
    ("v", "string"), ("p", "struct"), ("a", "array"),
]  # fmt: skip


class Written:
    """A table that is written by hand, and an oracle that looks at it."""

    def __init__(self, table: Path) -> None:
        self.table = table
        (table / "_robust_log").mkdir(parents=True)
        self.oracle = Oracle(table)
        self.files: dict[str, list[dict[str, Any]]] = {}
        fields = [{"name": name, "type": of} for name, of in TYPES]
        options = {"maxLeafRows": "50"}
        metadata = {"schema": json.dumps({"fields": fields}), "options": options}
        first = Operation(1, "create", {"start": 0, "count": 10, "width": 0})
        assert self.commit(first, rows(range(10)), metadata=metadata, treeAdded=tree()) == []

    def commit(
        self,
        op: Operation,
        added: list[dict[str, Any]],
        removes: bool = False,
        since: int | None = None,
        leaf: int = 0,
        **actions: Any,
    ) -> list[Finding]:
        """Write a version; return what the oracle says."""
        number = self.oracle.latest + 1
        name = f"part-{number}.parquet"
        pq.write_table(as_table(added), self.table / name)
        lines: list[dict[str, Any]] = [{"commit": {"user": "writer", "operation": op.kind}}]
        lines += [{action: body} for action, body in actions.items()]
        if removes:
            lines += [{"fileRemoved": {"path": path}} for path in self.oracle.logged.files]
        file = {"path": name, "tree": 0, "leaf": leaf, "rows": len(added), "stats": {}}
        lines.append({"fileAdded": file})
        entry = self.table / "_robust_log" / f"{number:020d}.json"
        entry.write_text("\n".join(map(json.dumps, lines)))
        began = self.oracle.latest if since is None else since
        self.running = Running(op, "writer", began)
        return self.oracle.advance(lambda user: self.running)


def rows(keys: Any, gen: int = 0) -> list[dict[str, Any]]:
    return [dict(values(key, gen, 0)) for key in keys]


def as_table(found: list[dict[str, Any]]) -> pa.Table:
    table = pa.Table.from_pylist(found or rows([0]))
    ts = pa.array(table["ts"].to_pylist(), pa.timestamp("us", tz="UTC"))
    table = table.set_column(table.column_names.index("ts"), "ts", ts)
    return table if found else table.slice(0, 0)


def tree() -> dict[str, Any]:
    """Return a tree that is cut at id 100."""
    cut = {"column": "id", "type": '"long"', "value": "100", "inclusive": False, "nullsLeft": True}
    return {"id": 0, "root": {**cut, "left": {"leaf": 0}, "right": {"leaf": 1}}}


def what(found: list[Finding]) -> list[tuple[str, tuple[int, ...], int | None]]:
    return [(one.what, one.ids, one.fault) for one in found]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    return Written(tmp_path / "table")


def test_a_right_history_is_let_pass(written: Written) -> None:
    assert written.commit(APPEND, rows(range(10, 15))) == []
    kept = rows((k for k in range(15) if k % 3), gen=1)
    assert written.commit(UPDATE, kept, removes=True) == []
    assert written.oracle.rows == {row["id"]: Row(1, 0) for row in kept}


def test_a_lost_row(written: Written) -> None:
    assert what(written.commit(APPEND, rows(range(10, 14)))) == [("lost rows", (14,), None)]


def test_a_doubled_row(written: Written) -> None:
    found = written.commit(APPEND, rows([*range(10, 15), 12]))
    assert what(found) == [("doubled rows", (12,), None)]


def test_a_row_that_is_written_a_second_time(written: Written) -> None:
    found = written.commit(APPEND, rows([*range(9, 15)]))
    assert what(found) == [("doubled rows", (9,), None)]


@pytest.mark.parametrize(
    ("key", "column", "value"),
    [
        (11, "l", 1), (15, "d", 0.0), (14, "d", 0.5), (11, "s", None), (11, "v", "v11 "),
        (11, "a", [1]), (11, "gen", 1), (11, "p", {"x": 5, "y": 11}),
    ],
)  # fmt: skip
def test_a_changed_value(written: Written, key: int, column: str, value: Any) -> None:
    changed = rows(range(10, 16))
    changed[key - 10][column] = value
    [first, *_] = written.commit(Operation(2, "append", {"start": 10, "count": 6}), changed)
    assert first.what == "changed values" and first.ids == (key,)


def test_a_resurrected_row(written: Written) -> None:
    delete = Operation(2, "delete", {"where": ["ids", 0, 4]})
    assert written.commit(delete, rows(range(5, 10)), removes=True) == []
    found = written.commit(APPEND, rows([*range(10, 15), 3]))
    assert what(found) == [("rows that should not be there", (3,), None)]


def test_an_update_that_was_undone(written: Written) -> None:
    kept = [k for k in range(10) if k % 3]
    assert written.commit(UPDATE, rows(kept, gen=1), removes=True) == []
    compact = Operation(4, "compact")
    stale = [*rows(kept[1:], gen=1), *rows(kept[:1])]
    found = written.commit(compact, stale, removes=True)
    assert what(found) == [("rows of another generation", (1,), None)]


def test_the_lost_update_is_told_by_its_name(written: Written) -> None:
    assert written.commit(APPEND, rows(range(10, 15))) == []
    read = rows((k for k in range(10) if k % 3), gen=1)
    [found] = written.commit(UPDATE, read, removes=True, since=0)
    assert found.what == "lost rows" and found.ids == (10, 11, 13, 14) and found.fault == 1
    assert "It read version 0 and removed 1 that came after." in str(found)


def test_rows_under_a_leaf_that_is_not_theirs(written: Written) -> None:
    found = written.commit(APPEND, rows(range(10, 15)), leaf=1)
    assert what(found) == [("rows astray in the tree", (10, 11, 12, 13, 14), 2)]
    assert leaves.astray(rows([10]), leaves.ways(tree()["root"])[0]) == []


def test_a_writer_may_go_by_a_leaf_that_was_cut_meanwhile(written: Written) -> None:
    side = tree()["root"]
    cut = {**side, "left": {**side, "value": "50", "left": {"leaf": 2}, "right": {"leaf": 3}}}
    grown = {"id": 0, "root": cut}
    compact = Operation(4, "compact")
    assert written.commit(compact, rows(range(10)), leaf=2, removes=True, treeAdded=grown) == []
    assert written.commit(APPEND, rows(range(10, 15)), leaf=0) == []
    found = written.commit(Operation(5, "append", {"start": 15, "count": 1}), rows([15]), leaf=3)
    assert what(found) == [("rows astray in the tree", (15,), 2)]


def test_a_leaf_that_never_was(written: Written) -> None:
    assert what(written.commit(APPEND, rows(range(10, 15)), leaf=7)) == [("no such leaf", (), None)]


@pytest.mark.parametrize(
    ("column", "of", "value", "left"),
    [
        ("d", "double", "NaN", [6, 8]),
        ("d", "double", "0.0", [8]),
        ("dt", "date", "18262", [9, 6]),  # 2020-01-01
        ("m", "decimal(20,4)", "0.0217", [6]),
        ("s", "string", "s7", []),
        ("ts", "timestamp", "1600000007000021", [6]),
    ],
)
def test_cuts_of_all_types(column: str, of: str, value: str, left: list[int]) -> None:
    cut: dict[str, Any] = {"column": column, "type": f'"{of}"', "value": value}
    cut |= {"inclusive": column == "d" and value == "0.0", "nullsLeft": False}
    root = {**cut, "left": {"leaf": 0}, "right": {"leaf": 1}}
    found = rows([9, 6, 7, 8])
    right, wrong = (leaves.ways(root)[leaf] for leaf in (1, 0))
    astray = leaves.astray(found, right)
    assert sorted(astray) == sorted(left)
    assert sorted(astray + leaves.astray(found, wrong)) == [6, 7, 8, 9]


def test_a_refused_write_must_not_commit(written: Written) -> None:
    assert written.commit(APPEND, rows(range(10, 15))) == []
    error = {"error": "AnalysisException: [COLOCATE_TABLE_SCHEMA_MISMATCH] ..."}
    found = judge(written.oracle, written.running, error, "")
    assert what(found) == [("told as failed, and committed", (), 12)]
    assert judge(written.oracle, written.running, {"ok": None}, "") == []
    written.running.versions = []
    assert what(judge(written.oracle, written.running, {"ok": None}, "")) == [
        ("told as done, and not committed", (), None)
    ]
    assert judge(written.oracle, written.running, error, "") == []


def test_a_read_sees_one_version(written: Written) -> None:
    assert written.commit(APPEND, rows(range(10, 15))) == []
    seen = [[key, 0, 0] for key in range(15)]
    at = Running(Operation(3, "read"), "reader", 0)
    assert check(written.oracle, at, seen) == check(written.oracle, at, seen[:10]) == []
    assert what(check(written.oracle, at, seen[:12])) == [
        ("rows that should not be there were read", (10, 11), None)
    ]
    old = Running(Operation(3, "read", {"version": 0}), "reader", 0)
    assert check(written.oracle, old, seen[:10]) == [] != check(written.oracle, old, seen)


def test_a_stream_writes_each_batch_once(written: Written) -> None:
    stream = Operation(2, "stream")
    written.oracle.batches = [{k: Row(0, 0) for k in ids} for ids in ((20, 21), (22,))]
    assert written.commit(stream, rows([22])) == []
    assert written.commit(stream, rows([20, 21])) == []
    assert written.commit(stream, rows([22]))[0].what == "doubled rows"


def test_the_same_seed_draws_the_same_operations() -> None:
    def operations(seed: int) -> list[Operation | None]:
        plan, state = Drawn(seed, TRAPS, 50), State(latest=3, rows=100)
        plan.begin()
        return [plan.next(state) for _ in range(20)]

    assert operations(1) == operations(1) != operations(2)


def test_a_record_gives_the_operations_again(tmp_path: Path) -> None:
    record = Record(tmp_path / "operations.jsonl")
    record.given(7, Running(UPDATE, "writer", 0))
    assert list(recorded(record.file)) == [(7, UPDATE)]


def test_python_and_the_values_agree_on_null() -> None:
    row = values(2, 0, 0)
    assert row["d"] is None and wrong(dict(row)) == []
    assert predicates.python(["d", 1.0])(row) is None
    assert predicates.selected({2: Row(0, 0)}, ["d", 1.0], False) == {2: Row(0, 0)}
