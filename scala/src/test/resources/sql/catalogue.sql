--- Query shapes whose shuffles can be fewer: the catalogue of the research, section 2.
---
--- One case: `--- <number>: <title>`, `--- shuffles: <Spark alone> -> <with Colocate>`, then a query
--- (or `--- builder: <name>`, a query in CatalogueBuilders.scala, where SQL cannot say it).
--- `plan: varies` marks a query whose plan names columns in chance order even in Spark alone.
--- A reused shuffle is not counted. Broadcast joins are off, 8 shuffle partitions.
--- Tables: t1..t4 (a, b, c, d INT, k BIGINT, s STRING, x DOUBLE), see TestTables.scala.

--- 1: join on (a, b), group by a
--- shuffles: 3 -> 2
SELECT t1.a, count(*) AS n, sum(t2.d) AS d
FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b
GROUP BY t1.a

--- 1b: left join on (a, b), group by the preserved a
--- shuffles: 3 -> 2
SELECT t1.a, count(*) AS n, sum(t2.d) AS d
FROM t1 LEFT JOIN t2 ON t1.a = t2.a AND t1.b = t2.b
GROUP BY t1.a

--- 2: join on (a, b), then on a
--- shuffles: 4 -> 3
SELECT t1.a, t1.b, t2.d, t3.c
FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b JOIN t3 ON t1.a = t3.a

--- 3: join on (a, b), then on (a, c)
--- shuffles: 4 -> 3
SELECT t1.a, t1.b, t2.d, t3.c
FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b JOIN t3 ON t1.a = t3.a AND t1.c = t3.c

--- 4: EXISTS on (a, b) and EXISTS on (a, c)
--- shuffles: 4 -> 3
SELECT a, b, c, d FROM t1
WHERE EXISTS (SELECT 1 FROM t2 WHERE t2.a = t1.a AND t2.b = t1.b)
  AND EXISTS (SELECT 1 FROM t3 WHERE t3.a = t1.a AND t3.c = t1.c)

--- 5: left joins on (a, b), on a, on (a, c)
--- shuffles: 6 -> 4
SELECT t1.a, t1.b, t1.c, t2.d, t4.d AS d4
FROM t1 LEFT JOIN t2 ON t1.a = t2.a AND t1.b = t2.b
        LEFT JOIN t3 ON t1.a = t3.a
        LEFT JOIN t4 ON t1.a = t4.a AND t1.c = t4.c

--- 6: chain of joins on a, on (a, b), on a
--- shuffles: 6 -> 4
SELECT t1.a, t2.b, t3.c, t4.d
FROM t1 JOIN t2 ON t1.a = t2.a JOIN t3 ON t2.a = t3.a AND t2.b = t3.b JOIN t4 ON t3.a = t4.a

--- 7: group by a, joined on (a, max b)
--- shuffles: 3 -> 2
SELECT g.a, g.m, t2.c, t2.d
FROM (SELECT a, max(b) AS m FROM t1 GROUP BY a) g JOIN t2 ON g.a = t2.a AND g.m = t2.b

--- 8: first row of each a, joined on (a, b)
--- shuffles: 3 -> 2
SELECT w.a, w.b, w.c, t2.d
FROM (SELECT a, b, c, row_number() OVER (PARTITION BY a ORDER BY b, c) AS r FROM t1) w
     JOIN t2 ON w.a = t2.a AND w.b = t2.b
WHERE w.r = 1

--- 9: join on (a, b), window partitioned by b
--- shuffles: 3 -> 2
SELECT t1.a, t1.b, sum(t2.d) OVER (PARTITION BY t1.b) AS d
FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b

--- 10: group by (a, b), then by a
--- shuffles: 2 -> 1
SELECT a, count(*) AS groups, max(n) AS m
FROM (SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b) GROUP BY a

--- 10b: distinct (a, b), then group by a
--- shuffles: 2 -> 1
SELECT a, count(*) AS n, max(b) AS m FROM (SELECT DISTINCT a, b FROM t1) GROUP BY a

--- 10c: dropDuplicates on (a, b), then group by a
--- shuffles: 2 -> 1
--- builder: dropDuplicates

--- 10d: pivot
--- shuffles: 2 -> 1
SELECT * FROM (SELECT a, b, d FROM t1) PIVOT (sum(d) FOR b IN (1, 2, 3))

--- 11: one distinct count
--- shuffles: 2 -> 1
SELECT a, count(DISTINCT b) AS bs, sum(d) AS d FROM t1 GROUP BY a

--- 11b: several distinct counts
--- shuffles: 2 -> 1
--- plan: varies
SELECT a, count(DISTINCT b) AS bs, count(DISTINCT c) AS cs, max(d) AS d FROM t1 GROUP BY a

--- 12: group by (a, b), then window by a
--- shuffles: 2 -> 1
SELECT a, b, n, sum(n) OVER (PARTITION BY a) AS total
FROM (SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b)

--- 12b: group by (a, b), then the two highest of each a
--- shuffles: 2 -> 1
SELECT a, b, n, r FROM (
  SELECT a, b, n, rank() OVER (PARTITION BY a ORDER BY n DESC) AS r
  FROM (SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b))
WHERE r <= 2

--- 13: semi join on (a, b), group by a
--- shuffles: 3 -> 2
SELECT t1.a, count(*) AS n FROM t1 LEFT SEMI JOIN t2 ON t1.a = t2.a AND t1.b = t2.b GROUP BY t1.a

--- 13b: anti join on (a, b), group by a
--- shuffles: 3 -> 2
SELECT t1.a, count(*) AS n FROM t1 LEFT ANTI JOIN t2 ON t1.a = t2.a AND t1.b = t2.b GROUP BY t1.a

--- 13c: (a, b) IN subquery, group by a
--- shuffles: 3 -> 2
SELECT a, count(*) AS n FROM t1 WHERE (a, b) IN (SELECT a, b FROM t2) GROUP BY a

--- 14: group by (a, b), joined on a with group by a
--- shuffles: 3 -> 2
SELECT x.a, x.b, x.n, y.m
FROM (SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b) x
     JOIN (SELECT a, count(*) AS m FROM t2 GROUP BY a) y ON x.a = y.a

--- 15: three grains (a, b, c), (a, b), (a) joined
--- shuffles: 5 -> 3
SELECT x.a, x.b, x.c, x.n, y.n AS ny, z.n AS nz
FROM (SELECT a, b, c, count(*) AS n FROM t1 GROUP BY a, b, c) x
     JOIN (SELECT a, b, count(*) AS n FROM t2 GROUP BY a, b) y ON x.a = y.a AND x.b = y.b
     JOIN (SELECT a, count(*) AS n FROM t3 GROUP BY a) z ON x.a = z.a

--- 16: two aggregates by (a, b), joined on (a, b, n) where n is computed
--- shuffles: 4 -> 2
SELECT x.a, x.b, x.n, x.d, y.d AS dy
FROM (SELECT a, b, count(*) AS n, sum(d) AS d FROM t1 GROUP BY a, b) x
     JOIN (SELECT a, b, count(*) AS n, sum(d) AS d FROM t2 GROUP BY a, b) y
       ON x.a = y.a AND x.b = y.b AND x.n = y.n

--- 17: distinct (a, b) joined on a with distinct (a, c)
--- shuffles: 4 -> 2
SELECT x.a, x.b, y.c
FROM (SELECT DISTINCT a, b FROM t1) x JOIN (SELECT DISTINCT a, c FROM t2) y ON x.a = y.a

--- 18: a CTE by (a, b), its maximum by a joined back
--- shuffles: 4 -> 1
WITH sums AS (SELECT a, b, sum(d) AS sd FROM t1 GROUP BY a, b)
SELECT sums.a, sums.b, sums.sd
FROM (SELECT a, max(sd) AS m FROM sums GROUP BY a) top
     JOIN sums ON top.a = sums.a AND top.m = sums.sd

--- 19: a CTE by (a, b), grouped by a and by b, joined on the result
--- shuffles: 5 -> 4
WITH sums AS (SELECT a, b, sum(d) AS sd FROM t1 GROUP BY a, b)
SELECT p.a, q.b, p.m
FROM (SELECT a, max(sd) AS m FROM sums GROUP BY a) p
     JOIN (SELECT b, max(sd) AS m FROM sums GROUP BY b) q ON p.m = q.m

--- 20: EXCEPT ALL, then group by a
--- shuffles: 2 -> 1
SELECT a, count(*) AS n FROM (SELECT a, b FROM t1 EXCEPT ALL SELECT a, b FROM t2) GROUP BY a

--- 20b: INTERSECT ALL, then group by a
--- shuffles: 2 -> 1
SELECT a, count(*) AS n FROM (SELECT a, b FROM t1 INTERSECT ALL SELECT a, b FROM t2) GROUP BY a

--- 21: union of a join on (a, b) and a join on a, group by a
--- shuffles: 5 -> 4
SELECT a, count(*) AS n, sum(d) AS d FROM (
  SELECT t1.a, t2.d FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b
  UNION ALL
  SELECT t3.a, t4.d FROM t3 JOIN t4 ON t3.a = t4.a)
GROUP BY a

--- 22: group by (b, a), joined with group by (a, b)
--- shuffles: 3 -> 2
SELECT x.a, x.b, x.n, y.n AS ny
FROM (SELECT b, a, count(*) AS n FROM t1 GROUP BY b, a) x
     JOIN (SELECT a, b, count(*) AS n FROM t2 GROUP BY a, b) y ON x.a = y.a AND x.b = y.b

--- 23: union of group by (a, b) and group by (b, a), group by (a, b)
--- shuffles: 3 -> 2
SELECT a, b, sum(n) AS n, max(n) AS m FROM (
  SELECT a, b, count(*) AS n FROM t1 GROUP BY a, b
  UNION ALL
  SELECT a, b, count(*) AS n FROM t2 GROUP BY b, a)
GROUP BY a, b

--- 33: join on (a, b) where a is one value, group by b
--- shuffles: 3 -> 2
SELECT t1.b, count(*) AS n
FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b
WHERE t1.a = 1 GROUP BY t1.b

--- 34: join on a where a = b, group by b
--- shuffles: 3 -> 2
SELECT t1.b, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a WHERE t1.a = t1.b GROUP BY t1.b

--- 46: two tables in 8 buckets by a, joined on (a, b)
--- shuffles: 2 -> 0
SELECT x.a, x.b, x.d, y.d AS dy FROM b8_1 x JOIN b8_2 y ON x.a = y.a AND x.b = y.b

--- 47: a table in 8 buckets by a, joined on (a, b) with a plain one
--- shuffles: 2 -> 1
SELECT x.a, x.b, x.d, y.d AS dy FROM b8_1 x JOIN t2 y ON x.a = y.a AND x.b = y.b

--- 47b: two tables in 8 buckets by a, then joined on (a, c) with a plain one, group by a
--- shuffles: 3 -> 1
SELECT x.a, count(*) AS n, max(z.d) AS d
FROM b8_1 x JOIN b8_2 y ON x.a = y.a JOIN t3 z ON x.a = z.a AND x.c = z.c
GROUP BY x.a

--- 47c: two tables in 8 buckets by a joined on (a, b), then on (a, c) with a plain one
--- shuffles: 4 -> 1
SELECT x.a, x.b, x.d, y.d AS dy, z.d AS dz
FROM b8_1 x JOIN b8_2 y ON x.a = y.a AND x.b = y.b JOIN t3 z ON x.a = z.a AND x.c = z.c

--- 49: both sides repartitioned by a, joined on (a, b), group by a
--- shuffles: 3 -> 2
SELECT x.a, count(*) AS n
FROM (SELECT /*+ REPARTITION(8, a) */ * FROM t1) x
     JOIN (SELECT /*+ REPARTITION(8, a) */ * FROM t2) y ON x.a = y.a AND x.b = y.b
GROUP BY x.a

--- 44: union of group by a and a plain table, group by a
--- shuffles: 2 -> 2
--- bytes: fewer
SELECT a, max(m) AS m, count(*) AS n FROM (
  SELECT a, max(d) AS m FROM wide1 GROUP BY a
  UNION ALL
  SELECT a, d AS m FROM narrow)
GROUP BY a

--- 44b: union of three, two of them grouped by a, group by a
--- shuffles: 3 -> 3
--- bytes: fewer
SELECT a, max(m) AS m, count(*) AS n FROM (
  SELECT a, max(d) AS m FROM wide1 GROUP BY a
  UNION ALL
  SELECT a, max(d) AS m FROM wide2 GROUP BY a
  UNION ALL
  SELECT a, d AS m FROM narrow)
GROUP BY a
