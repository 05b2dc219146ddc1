"""Reading a file of SQL as editors write it."""

from __future__ import annotations

from pathlib import Path

import pytest

from colocate import explain_file


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "q.sql"
    file.write_text("SELECT 'é'", encoding=encoding)
    assert explain_file.read(file) == ["SELECT 'é'"]


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "q.sql"
    file.write_bytes("SELECT 'é'".encode("latin-1"))
    with pytest.raises(ValueError, match=r"q\.sql is no text in UTF-8"):
        explain_file.read(file)
