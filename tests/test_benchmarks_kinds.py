"""What all benchmarks share: how they are called, saved and shown. No Spark."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from benchmarks.__main__ import PROGRAMS, main
from benchmarks.common.markdown import row, section, table
from benchmarks.common.outcome import Check, Outcome
from benchmarks.common.page import Page, asked, checked, end, head
from benchmarks.common.sweep import Swept, Tried
from benchmarks.planning.outcome import Planned, PlanningOutcome
from benchmarks.planning.page import PAGE as PLANNING_PAGE

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
RESULTS = ROOT / "benchmarks" / "results"
# Each kind, a result of it, and the page that is made from that.
SAVED = [
    ("queries", "tpcds-sf1", "benchmarks"),
    ("tables", "tables-sf1", "benchmarks-tables"),
    ("joins", "joins-sf1", "benchmarks-joins"),
    ("joins", "joins-sf10", "benchmarks-joins-sf10"),
    ("graphs", "graphs", "benchmarks-graphs"),
    ("claims", "claims", "benchmarks-claims"),
    ("changes", "changes", "benchmarks-changes"),
    ("adapt", "adapt", "benchmarks-adapt"),
    ("versions", "versions", "benchmarks-versions"),
]


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
def test_help_has_a_line_for_each_kind(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    for name, program in PROGRAMS.items():
        assert f"  {name:16} {program.does}" in lines


def test_an_unknown_kind_is_one_line_with_what_is_accepted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["hyperjoin", "--scale", "1"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        "python -m benchmarks: there is no kind 'hyperjoin'; "
        "accepted: queries, tables, joins, graphs, planning, claims, changes, adapt, advise, "
        "versions, demo, data\n"
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_has_options_of_its_own(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*name.split(), "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: python -m benchmarks {name} ")


def test_every_kind_is_a_folder() -> None:
    kinds = {name for name in PROGRAMS if " " not in name} - {"data"}
    assert kinds | {"common"} == {each.parent.name for each in ROOT.glob("benchmarks/*/*.py")}


@pytest.mark.parametrize(("kind", "result", "page"), SAVED)
def test_each_page_is_what_its_result_says(
    kind: str, result: str, page: str, tmp_path: Path
) -> None:
    written = tmp_path / f"{page}.md"
    assert main([kind, "page", str(RESULTS / f"{result}.json"), "--page", str(written)]) == 0
    assert written.read_text(encoding="utf-8") == (DOCS / written.name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_each_result_loads_and_says_how_it_was_measured(path: Path) -> None:
    first = path.stem.partition("-")[0]
    kind = first if first in {kind for kind, _, _ in SAVED} else "queries"
    found: Outcome = importlib.import_module(f"benchmarks.{kind}.page").PAGE.outcome.load(path)
    assert found.name == path.stem and not found.wrong()
    assert found.command.startswith("python -m benchmarks")
    assert {"cpus", "memory_gib", "system"} <= set(found.machine) and "spark" in found.versions


@dataclass
class Part:
    """A part of an outcome."""

    seconds: list[float]
    swept: Swept | None = None


@dataclass
class Some(Outcome):
    """An outcome with parts of every kind."""

    scale: float
    parts: list[Part] = field(default_factory=list)
    by_name: dict[str, list[Part]] = field(default_factory=dict)
    options: dict[str, object] = field(default_factory=dict)
    slow: bool = False
    differs: bool = False

    def checks(self) -> list[Check]:
        return [Check("fast", "slow" if self.slow else "fast", not self.slow)]

    def wrong(self) -> list[str]:
        return ["rows differ"] if self.differs else []


def some(slow: bool = False, differs: bool = False) -> Some:
    """Give an outcome."""
    swept = Swept("q1", "way", [Tried(200, [2.0], False), Tried(16, [1.0])])
    return Some(
        "some",
        "2026-01-01",
        "python -m benchmarks some",
        {"cpus": 2, "memory_gib": 4.0, "system": "Linux"},
        {"spark": "4.2.0", "java": "17"},
        1.0,
        [Part([1.0], swept)],
        {"other": [Part([])]},
        {"queries": [1, 2], "memory": "4g"},
        slow,
        differs,
    )


def test_an_outcome_comes_back_from_json(tmp_path: Path) -> None:
    saved = some(slow=True).save(tmp_path / "results")
    assert saved == tmp_path / "results" / "some.json"
    assert Some.load(saved) == some(slow=True)
    assert [path.name for path in saved.parent.iterdir()] == ["some.json"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"parts": [{"minutes": 1}]}', "Part has no 'minutes'; accepted: seconds, swept"),
        ('{"name": "some"}', "is no Some: .*missing 5 required"),
        ("{", "is no Some"),
    ],
)
def test_another_file_is_refused_with_its_name(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=f"other.json .*{said}"):
        Some.load(path)


@pytest.mark.parametrize(
    ("slow", "differs", "check", "code"),
    [
        (False, False, True, 0),
        (True, False, False, 0),
        (True, False, True, 3),
        (True, True, True, 1),
        (False, True, False, 1),
    ],
)
def test_what_is_missed_or_wrong_gives_the_exit_code(
    slow: bool, differs: bool, check: bool, code: int
) -> None:
    assert some(slow, differs).exit_code(check) == code


def test_the_end_says_what_was_found_and_writes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Options:
        out, page, check = tmp_path, tmp_path / "docs" / "some.md", True

    made = Page("some", "Some", Some, lambda _: "What.", lambda _, __: ["", "More."], Path("x.md"))
    assert end(some(slow=True, differs=True), Options, made) == 1  # type: ignore[arg-type]
    assert capsys.readouterr().out.splitlines() == [
        "  MISSED fast: slow",
        "  WRONG  rows differ",
        f"Results: {tmp_path / 'some.json'}",
        f"Page: {tmp_path / 'docs' / 'some.md'}",
    ]
    generated = "<!-- Generated by `python -m benchmarks some page`; do not edit. -->"
    text = Options.page.read_text(encoding="utf-8")
    assert text == f"# Some\n\n{generated}\n\nWhat.\n\nMore.\n"


def test_the_head_says_when_where_and_how() -> None:
    measured = "2026-01-01, 2 processors, 4.0 GiB, Linux; spark 4.2.0, java 17. "
    assert head(some()) == f"{measured}Measured by `python -m benchmarks some`."
    assert head(some(), "; twice").endswith("Measured by `python -m benchmarks some`; twice.")


def test_what_is_asked_is_met_or_missed() -> None:
    assert asked("Asked: speed", some()) == "Asked: speed. Met."
    assert asked("Asked: speed", some(slow=True)) == "Asked: speed. **Missed** by fast: slow."
    rows = checked([*some().checks(), *some(slow=True).checks()]).splitlines()[2:]
    assert rows == ["| fast | fast | met |", "| fast | slow | **missed** |"]


def test_a_table_aligns_figures_to_the_right() -> None:
    assert table("query | seconds: | ", [("q1", "1.0", ""), ("q2", "", "met")]).splitlines() == [
        "| query | seconds | |",
        "|---|---:|---|",
        "| q1 | 1.0 |  |",
        "| q2 |  | met |",
    ]
    assert row(["a", "b"]) == "| a | b |"


def test_a_section_without_blocks_is_left_out() -> None:
    assert section("Title", []) == []
    assert section("Title", ["a", "b"], level=3) == ["### Title", "a", "b"]


def test_planning_has_a_page_too(tmp_path: Path) -> None:
    fields = vars(some())
    head_of = {name: fields[name] for name in ("name", "date", "command", "machine", "versions")}
    planned = [Planned("200 unions", True, "shuffled", [0.1, 0.2, 0.3], [0.11, 0.22, 0.33])]
    found = PlanningOutcome(**head_of, planned=planned)
    saved = PlanningOutcome.load(found.save(tmp_path))
    assert saved == found
    PLANNING_PAGE.write([saved], tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| 200 unions | on | shuffled | 200 | 220 | 1.10 | 1.10 to 1.10 |" in text
