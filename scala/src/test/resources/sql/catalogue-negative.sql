--- Query shapes whose shuffle looks needless and is not: Colocate must keep it. `force` is the place
--- of that shuffle among the plan's shuffles, top down; the test takes it out by force and demands
--- other rows (or `--- forcer: <name>`, a way of its own in ForcedPlans.scala).
--- Otherwise the format is that of catalogue.sql.

--- n1: left join, then group by the right key (the rows without a match are spread)
--- shuffles: 3 -> 3
--- force: 0
SELECT t2.a, count(*) AS n FROM t1 LEFT JOIN t2 ON t1.a = t2.a AND t1.d = t2.d GROUP BY t2.a

--- n1b: left join on a, then group by the right a
--- shuffles: 3 -> 3
--- force: 0
SELECT y.a, count(*) AS n FROM t1 LEFT JOIN (SELECT * FROM t2 WHERE a < 5) y ON t1.a = y.a GROUP BY y.a

--- n2: left join, then window by the right key
--- shuffles: 3 -> 3
--- force: 0
SELECT t1.a, y.a AS ya, count(*) OVER (PARTITION BY y.a) AS n
FROM t1 LEFT JOIN (SELECT * FROM t2 WHERE a < 5) y ON t1.a = y.a

--- n3: full outer join, then group by one side's key
--- shuffles: 3 -> 3
--- force: 0
SELECT x.a, count(*) AS n
FROM (SELECT * FROM t1 WHERE a > 3) x FULL OUTER JOIN (SELECT * FROM t2 WHERE a < 15) y ON x.a = y.a
GROUP BY x.a

--- n4: rollup over a join on a
--- shuffles: 3 -> 3
--- force: 0
SELECT t1.a, t1.b, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a GROUP BY ROLLUP (t1.a, t1.b)

--- n5: group by lower(s) over a layout on s
--- shuffles: 2 -> 2
--- force: 0
SELECT l, count(*) AS n FROM (SELECT /*+ REPARTITION(8, s) */ lower(s) AS l, s FROM t1) GROUP BY l

--- n6: an aggregate coalesced to two partitions, then joined
--- shuffles: 3 -> 3
--- forcer: coalescedSide
SELECT x.a, x.n, t2.d
FROM (SELECT /*+ COALESCE(2) */ * FROM (SELECT a, count(*) AS n FROM t1 GROUP BY a)) x
     JOIN t2 ON x.a = t2.a

--- n7: null-aware NOT IN, then group by a
--- shuffles: 1 -> 1
--- force: 0
SELECT a, count(*) AS n FROM t1 WHERE b NOT IN (SELECT b FROM t2 WHERE b > 6) GROUP BY a

--- n7b: null-aware NOT IN over pairs, then group by a
--- shuffles: 1 -> 1
--- force: 0
SELECT a, count(*) AS n FROM t1
WHERE (a, b) NOT IN (SELECT a, b FROM t2 WHERE a > 16 AND b IS NOT NULL) GROUP BY a

--- n8: group by x over a layout on the text of x (0.0 and -0.0 are one group and two texts)
--- shuffles: 2 -> 2
--- force: 0
SELECT x, count(*) AS n FROM (SELECT * FROM t1 DISTRIBUTE BY CAST(x AS STRING)) GROUP BY x

--- n8b: group by x over a layout on the inverse of x (0.0 and -0.0 are one group and two inverses)
--- shuffles: 2 -> 2
--- force: 0
SELECT x, count(*) AS n FROM (SELECT * FROM t1 DISTRIBUTE BY pow(x, -1)) GROUP BY x

--- n9: group by a case-blind text over a layout on its bytes
--- shuffles: 2 -> 2
--- force: 0
SELECT lower(CAST(s AS STRING COLLATE UTF8_BINARY)) AS s, n FROM (
  SELECT s COLLATE UTF8_LCASE AS s, count(*) AS n
  FROM (SELECT * FROM t1 DISTRIBUTE BY s) GROUP BY s COLLATE UTF8_LCASE)

--- n10: group by a, then by another column
--- shuffles: 2 -> 2
--- force: 0
SELECT n, count(*) AS m FROM (SELECT a, count(*) AS n FROM t1 GROUP BY a) GROUP BY n

--- n11: join on a, then group by b
--- shuffles: 3 -> 3
--- force: 0
SELECT t1.b, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a GROUP BY t1.b

--- n12: a right join, then group by the left key
--- shuffles: 3 -> 3
--- force: 0
SELECT x.a, count(*) AS n
FROM (SELECT * FROM t1 WHERE a < 5) x RIGHT JOIN t2 ON x.a = t2.a GROUP BY x.a

--- n13: union of an aggregate by a and one by b, group by the first column
--- shuffles: 3 -> 3
--- force: 0
SELECT g, sum(n) AS n, count(*) AS m FROM (
  SELECT a AS g, count(*) AS n FROM t1 GROUP BY a
  UNION ALL
  SELECT max(b) AS g, count(*) AS n FROM t2 GROUP BY c)
GROUP BY g

--- n14: window by a case-blind text, then group by its first character, which may be K or k
--- shuffles: 2 -> 2
--- force: 0
SELECT c, count(*) AS n, max(m) AS m FROM (
  SELECT ascii(s) AS c, m FROM (
    SELECT s, count(*) OVER (PARTITION BY s) AS m
    FROM (SELECT s COLLATE UTF8_LCASE AS s FROM t1)))
GROUP BY c

--- A join whose skewed partitions were split, and a stream, take more than a plan without adaptive
--- execution to force: see HardCasesAdaptiveSuite and HardCasesAroundSuite, "by force".
