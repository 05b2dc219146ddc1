"""Each module of tests is in one share, and the shares are alike."""

from __future__ import annotations

import pytest

from tests import shares

PAGE = """| kind | suite | tests | seconds |
|---|---|---:|---:|
| pytest, rest | test_long | 1 | 142.3 |
| pytest, rest | test_half | 7 | 70.0 |
| pytest, rest | test_rest | 2 | 60.5 |
| pytest, classic | test_half | 3 | 5.5 |
"""


def test_each_module_is_in_one_share_and_a_long_one_is_alone() -> None:
    took = shares.seconds(PAGE, "rest")
    assert took == {"test_long": 142.3, "test_half": 70.0, "test_rest": 60.5}
    modules = ["test_half", "test_long", "test_new", "test_rest"]
    first, second = (shares.share(modules, took, number, 2) for number in (1, 2))
    assert (first, second) == ({"test_long"}, {"test_half", "test_rest", "test_new"})


def test_the_page_names_modules_of_this_run() -> None:
    took = shares.seconds(shares.PAGE.read_text("utf-8"), "rest")
    assert len(took) > 10
    thirds = [sum(took[m] for m in shares.share(took, took, n, 3)) for n in (1, 2, 3)]
    assert max(thirds) < 1.2 * min(thirds)


@pytest.mark.parametrize("text", ["0/2", "3/2", "half", "1/2/3", ""])
def test_a_share_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="accepted: a share such as 1/2"):
        shares.read(text)
