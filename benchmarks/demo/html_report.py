"""The demo's HTML report: one file that needs nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from benchmarks.common.markdown import mib
from benchmarks.common.query_result import QueryResult, Side, middle
from benchmarks.common.workload import scale_name
from benchmarks.demo.capabilities import Capability

_BAR = 14
_LINE = 46
_LEFT = 130
_WIDE = 420

_STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.55 system-ui,sans-serif;max-width:1100px;margin:2em auto;padding:0 1em}
h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}
table{border-collapse:collapse}th,td{padding:3px 12px 3px 0;text-align:left;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
.note{opacity:.75}
.chart{width:100%;max-width:630px}.chart text{fill:currentColor;font-size:12px}
.wide{overflow-x:auto}
.chart .off{fill:rgba(128,128,128,.5)}.chart .on{fill:rgba(40,160,95,.8)}
"""


@dataclass(frozen=True)
class Shown:
    """A query that the demo ran: its name, what it asks, special settings in words, figures."""

    title: str
    asks: str
    conditions: str
    result: QueryResult


def write(path: Path, page: str) -> None:
    """Writes the report."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8")


def page(
    shown: list[Shown],
    capabilities: list[Capability],
    explained: str,
    explanation: str,
    scale: float,
) -> str:
    """The whole report; `explanation` is the HTML of one query's plans."""
    usual = [each for each in shown if not each.conditions]
    changed = [each for each in shown if each.conditions]
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Colocate: before and after</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>{_STYLE}</style></head>
<body>
<h1>{len(usual)} queries with Spark's default settings: {_shuffles(usual)}</h1>
<p>{len(changed)} more, marked *, with settings changed as the table says: {_shuffles(changed)}.</p>
<p>A shuffle writes all rows of a step to disk and sends them across the cluster, so that rows
with equal keys meet. Spark decides that join by join; Colocate looks at the whole query and drops
the shuffles that an earlier one has made needless. The rows of the answer stay the same.</p>
<h2>Shuffles</h2>
{_chart(shown, lambda side: side.shuffles, str)}
<h2>MiB written by shuffles</h2>
{_chart(shown, _written, lambda value: mib(value))}
<h2>The queries</h2>
{_table(shown)}
<h2>Stored tables, their join, and a pattern</h2>
{_capabilities(capabilities)}
<p class="note">TPC-H and TPC-DS data at scale factor {scale_name(scale)}, one run each on this
machine. Data of this size fits in memory, so times would say little; the benchmarks measure them.
</p>
<h2>One plan: {escape(explained)}</h2>
{explanation}
</body></html>
"""


def _shuffles(shown: list[Shown]) -> str:
    off = sum(each.result.off.shuffles for each in shown)
    on = sum(each.result.on.shuffles for each in shown)
    return f"{off} shuffles without Colocate, {on} with it"


def _written(side: Side) -> float:
    return middle(side.shuffle_bytes) or 0


def _chart(
    shown: list[Shown], value: Callable[[Side], float], label: Callable[[float], str]
) -> str:
    """Two bars for each query: grey without Colocate, green with it."""
    greatest = max((value(each.result.off) for each in shown), default=0) or 1
    drawn = []
    for number, each in enumerate(shown):
        top = number * _LINE + 4
        mark = " *" if each.conditions else ""
        drawn.append(f'<text x="0" y="{top + 20}">{escape(each.title)}{mark}</text>')
        sides = (("off", each.result.off), ("on", each.result.on))
        for place, (side_class, side) in enumerate(sides):
            width = round(_WIDE * value(side) / greatest)
            y = top + place * (_BAR + 3)
            drawn.append(
                f'<rect class="{side_class}" x="{_LEFT}" y="{y}" width="{width}" height="{_BAR}"'
                f' rx="2"/><text x="{_LEFT + width + 6}" y="{y + 11}">{label(value(side))}</text>'
            )
    height = len(shown) * _LINE
    return (
        f'<svg class="chart" role="img" viewBox="0 0 {_LEFT + _WIDE + 80} {height}">'
        "<title>Grey: Spark alone. Green: with Colocate.</title>"
        f"{''.join(drawn)}</svg>\n<p class='note'>Grey: Spark alone. Green: with Colocate.</p>"
    )


def _table(shown: list[Shown]) -> str:
    rows = "\n".join(_row(each) for each in shown)
    return f"""<div class="wide"><table>
<tr><th>query</th><th>asks for</th><th class="n">shuffles</th><th class="n">MiB written</th>
<th class="n">rows written</th><th>answer</th></tr>
{rows}
</table></div>"""


def _capabilities(capabilities: list[Capability]) -> str:
    rows = "\n".join(
        f"<tr><td>{escape(each.title)}</td><td>{escape(each.asks)}</td>"
        f"<td>{escape(each.without)}</td><td>{escape(each.with_it)}</td>"
        f"<td>{'equal' if each.equal else 'rows differ'}</td></tr>"
        for each in capabilities
    )
    return f"""<div class="wide"><table>
<tr><th></th><th>asks for</th><th>without</th><th>with Colocate</th><th>answer</th></tr>
{rows}
</table></div>"""


def _row(each: Shown) -> str:
    off, on = each.result.off, each.result.on
    asks = f"{each.asks} ({each.conditions})" if each.conditions else each.asks
    records = f"{middle(off.shuffle_records) or 0:,.0f} → {middle(on.shuffle_records) or 0:,.0f}"
    return (
        f"<tr><td>{escape(each.title)}</td><td>{escape(asks)}</td>"
        f'<td class="n">{off.shuffles} → {on.shuffles}</td>'
        f'<td class="n">{mib(_written(off))} → {mib(_written(on))}</td>'
        f'<td class="n">{records}</td><td>{escape(each.result.rows)}</td></tr>'
    )
