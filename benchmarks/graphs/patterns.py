"""What is counted in graphs, and the ways to count it."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.common.session import MULTIWAY_KEEP, MULTIWAY_MODE

# Spark at its best: each of its three ways to join, by settings. Adaptive execution is on.
BROADCAST, SORT_MERGE, SHUFFLED_HASH = "broadcast", "sort-merge", "shuffled hash"
MOTIF = "edges and vertices"
# The multiway join, its inputs broadcast where they fit; all of them shuffled into cells; and where
# a query before has left its broadcasts.
MULTIWAY, CELLS, KEPT = "multiway", "multiway in cells", "multiway, kept"
WAYS = {
    BROADCAST: {"spark.sql.autoBroadcastJoinThreshold": "1g", MULTIWAY_MODE: "off"},
    SORT_MERGE: {"spark.sql.autoBroadcastJoinThreshold": "-1", MULTIWAY_MODE: "off"},
    SHUFFLED_HASH: {
        "spark.sql.autoBroadcastJoinThreshold": "-1",
        "spark.sql.join.preferSortMergeJoin": "false",
        "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold": "1g",
        MULTIWAY_MODE: "off",
    },
    MOTIF: {"spark.sql.autoBroadcastJoinThreshold": "1g", MULTIWAY_MODE: "off"},
    MULTIWAY: {MULTIWAY_MODE: "force"},
    CELLS: {MULTIWAY_MODE: "force", "spark.colocate.multiway.broadcastBytes": "1"},
    KEPT: {MULTIWAY_MODE: "force", MULTIWAY_KEEP: "64m"},
}
OURS = (MULTIWAY, CELLS, KEPT)
SPARKS = (BROADCAST, SORT_MERGE, SHUFFLED_HASH)

TRIANGLE = "FROM e a, e b, e c WHERE a.dst = b.src AND b.dst = c.dst AND a.src = c.src"
CYCLE = "FROM e a, e b, e c WHERE a.dst = b.src AND b.dst = c.src AND c.dst = a.src"
DIAMOND = (
    "FROM e a, e b, e c, e d, e f WHERE a.src = b.src AND a.dst = c.src AND b.dst = c.dst "
    "AND c.src = d.src AND c.dst = f.src AND d.dst = f.dst"
)
CLIQUE = (
    "FROM e a, e b, e c, e d, e f, e g WHERE a.src = b.src AND a.dst = c.src AND b.dst = c.dst "
    "AND a.src = d.src AND a.dst = f.src AND b.dst = g.src AND d.dst = f.dst AND d.dst = g.dst"
)
SQUARE = (
    "FROM e a, e b, e c, e d WHERE a.src = b.src AND a.dst = c.src AND b.dst = d.src "
    "AND c.dst = d.dst"
)
HOUSE = (
    "FROM e a, e b, e c, e d, e f, e g WHERE a.src = b.src AND a.dst = c.src AND b.dst = d.src "
    "AND c.dst = d.dst AND f.src = a.src AND g.src = a.dst AND f.dst = g.dst"
)
# Loomis and Whitney's: four relations of three columns, each without one of four variables.
LW4 = (
    "FROM e r, e s, e t, e u WHERE r.b = s.b AND r.c = s.c AND s.a = t.a AND r.a = t.b "
    "AND r.c = t.c AND t.a = u.a AND t.b = u.b AND r.b = u.c"
)
# As GraphFrames plans (a)-[]->(b); (b)-[]->(c); (a)-[]->(c): from edge to edge, each joined with
# its vertices on the way.
VERTEX_CHAIN = (
    "SELECT count(*) FROM e a JOIN v x ON a.src = x.id JOIN v y ON a.dst = y.id "
    "JOIN e b ON b.src = y.id JOIN v z ON b.dst = z.id JOIN e c ON c.src = x.id AND c.dst = z.id"
)
KNOWN = {
    14: {"triangle": 2_815_774, "diamond": 98_022_061, "square": 400_723_765},
    16: {"triangle": 15_690_247, "diamond": 862_458_996},
}


# What takes longer is run once: by then all is compiled and loaded.
SLOW_SECONDS = 20


@dataclass(frozen=True)
class Pattern:
    """A query on a graph.

    `known` is its count where that is known, `asked` how many times as fast as the best of Spark's
    ways it is to be, `chain` the query by edges and vertices.
    """

    name: str
    graph: str
    sql: str
    known: int | None = None
    asked: float | None = None
    chain: str | None = None

    def text(self, way: str) -> str:
        """The query for a way."""
        return self.chain if way == MOTIF and self.chain else self.sql


def first(pattern: str) -> str:
    """Stops at 100 rows of a pattern."""
    return f"SELECT count(*) FROM (SELECT a.src {pattern} LIMIT 100)"


def patterns(scale: int, vertices: int) -> list[Pattern]:
    """What is counted, on random graphs of 2^scale vertices and fewer, a broom, a toad, triples."""
    known, random = KNOWN.get(scale, {}), f"rmat-{scale}"
    less, axis = scale - 2, vertices // 4
    fewer, known_fewer = f"rmat-{less}", KNOWN.get(less, {})
    return [
        Pattern(
            "triangle",
            random,
            f"SELECT count(*) {TRIANGLE}",
            known.get("triangle"),
            asked=15,
            chain=VERTEX_CHAIN,
        ),
        Pattern("listed", random, f"SELECT sum(a.src + b.src + c.dst) {TRIANGLE}"),
        Pattern("limit", random, first(TRIANGLE), 100),
        Pattern("limit diamond", random, first(DIAMOND), 100),
        Pattern("limit clique", random, first(CLIQUE), 100),
        Pattern("limit rings", f"rings-{scale}", first(CYCLE), 100, 20),
        Pattern("diamond", random, f"SELECT count(*) {DIAMOND}", known.get("diamond"), 10),
        Pattern("square", fewer, f"SELECT count(*) {SQUARE}", known_fewer.get("square")),
        Pattern("house", f"rmat-{less - 2}", f"SELECT count(*) {HOUSE}"),
        Pattern("clique", fewer, f"SELECT count(*) {CLIQUE}"),
        Pattern("ranked triangle", f"ranked-{scale}", f"SELECT count(*) {TRIANGLE}"),
        Pattern("named triangle", f"named-{less}", f"SELECT count(*) {TRIANGLE}"),
        Pattern(
            "wide triangle",
            f"wide-{less}",
            f"SELECT sum(length(concat(a.note, b.note, c.note))) {TRIANGLE}",
        ),
        Pattern("hub cycle", f"hub-{scale}", f"SELECT count(*) {CYCLE}"),
        Pattern(
            "lattice triangle",
            f"lattice-{vertices}",
            f"SELECT count(*) {TRIANGLE}",
            6 * vertices - 10,
        ),
        Pattern("lw4", f"axes-{axis}", f"SELECT count(*) {LW4}", 4 * axis + 1),
        Pattern("lw4", f"even-{vertices}", f"SELECT count(*) {LW4}"),
        Pattern("broom", f"broom-{vertices}", f"SELECT count(*) {TRIANGLE}", 0, 100),
        Pattern("toad", f"toad-{vertices}", f"SELECT count(*) {CYCLE}", 3 * vertices - 3),
    ]


NAMES = tuple(dict.fromkeys(pattern.name for pattern in patterns(4, 4)))
