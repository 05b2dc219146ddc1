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
--- fact: EQUAL_COLUMNS
--- force: 0
SELECT y.a, count(*) AS n FROM t1 LEFT JOIN (SELECT * FROM t2 WHERE a < 5) y ON t1.a = y.a GROUP BY y.a

--- n2: left join, then window by the right key
--- shuffles: 3 -> 3
--- force: 0
SELECT t1.a, y.a AS ya, count(*) OVER (PARTITION BY y.a) AS n
FROM t1 LEFT JOIN (SELECT * FROM t2 WHERE a < 5) y ON t1.a = y.a

--- n3: full outer join, then group by one side's key
--- shuffles: 3 -> 3
--- fact: OUTER_KEY
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
--- fact: MERGED_PARTITIONS
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
--- fact: FUNCTION_OF_KEYS
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

--- n15: join on a + 1, then group by b, of which it is no function
--- shuffles: 3 -> 3
--- fact: FUNCTION_OF_KEYS
--- force: 0
SELECT t1.b, count(*) AS n FROM t1 JOIN t2 ON t1.a + 1 = t2.a GROUP BY t1.b

--- n16: join on a + b, then group by a
--- shuffles: 3 -> 3
--- force: 0
SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a + t1.b = t2.a GROUP BY t1.a

--- n17: group by a case-blind text, joined on its bytes, which one group may have several of
--- shuffles: 3 -> 3
--- force: 0
SELECT lower(CAST(s AS STRING COLLATE UTF8_BINARY)) AS s, n FROM (
  SELECT s, count(*) AS n FROM (
    SELECT t1.s COLLATE UTF8_LCASE AS s
    FROM t1 JOIN t2 ON t1.s = t2.s)
  GROUP BY s)

--- n18: window by day, then group by hour, which a day has many of
--- shuffles: 2 -> 2
--- force: 0
SELECT h, count(*) AS n, max(m) AS m FROM (
  SELECT k % 4 AS h, count(*) OVER (PARTITION BY k DIV 4) AS m FROM t1)
GROUP BY h

--- n19: full outer join on a, then group by COALESCE of other columns
--- shuffles: 3 -> 3
--- fact: OUTER_KEY
--- force: 0
SELECT coalesce(t1.b, t2.b) AS b, count(*) AS n
FROM t1 FULL OUTER JOIN t2 ON t1.a = t2.a GROUP BY 1

--- n20: full outer join, then group by the key that is there in the wrong case
--- shuffles: 3 -> 3
--- force: 0
SELECT CASE WHEN x.a IS NULL THEN x.a ELSE y.a END AS a, count(*) AS n
FROM (SELECT * FROM t1 WHERE a > 3) x FULL OUTER JOIN (SELECT * FROM t2 WHERE a < 15) y ON x.a = y.a
GROUP BY 1

--- n21: full outer join on texts, then group by COALESCE of them without regard to case
--- shuffles: 3 -> 3
--- force: 0
SELECT lower(CAST(s AS STRING COLLATE UTF8_BINARY)) AS s, n FROM (
  SELECT coalesce(t1.s, t2.s) COLLATE UTF8_LCASE AS s, count(*) AS n
  FROM t1 FULL OUTER JOIN t2 ON t1.s = t2.s GROUP BY 1)

--- n22: left join on a, then group by COALESCE of the optional key and another column
--- shuffles: 3 -> 3
--- force: 0
SELECT coalesce(y.a, t1.b) AS a, count(*) AS n
FROM t1 LEFT JOIN (SELECT * FROM t2 WHERE a < 5) y ON t1.a = y.a GROUP BY 1

--- n23: left join whose optional side has a group of NULL, group by that side's d
--- shuffles: 4 -> 4
--- fact: DETERMINED_KEYS
--- force: 0
SELECT x.d, count(*) AS n
FROM (SELECT d, max(a) AS a FROM t2 GROUP BY d) x RIGHT JOIN t1 ON t1.a = x.a GROUP BY x.d

--- n24: join on a that d and b determine together, group by d
--- shuffles: 4 -> 4
--- force: 0
SELECT x.d, count(*) AS n
FROM t1 JOIN (SELECT d, b, max(a) AS a FROM t2 GROUP BY d, b) x ON t1.a = x.a GROUP BY x.d

--- n25: union of two groupings that determine a by d differently, joined on a, group by d
--- shuffles: 5 -> 5
--- force: 0
SELECT x.d, count(*) AS n
FROM t1 JOIN (
  SELECT d, max(a) AS a FROM t2 GROUP BY d
  UNION ALL
  SELECT d, min(a) AS a FROM t3 GROUP BY d) x ON t1.a = x.a
GROUP BY x.d

--- n26: the first rows of each b, of which several may tie, joined on a, group by b
--- shuffles: 4 -> 4
--- fact: DETERMINED_KEYS
--- force: 0
SELECT x.b, count(*) AS n
FROM t1 JOIN (
  SELECT b, a FROM (SELECT b, a, rank() OVER (PARTITION BY b ORDER BY c) AS n FROM t2)
  WHERE n = 1) x ON t1.a = x.a
GROUP BY x.b

--- n27: join on a column that a unique one determines where it is not NULL, group by that, NULL too
--- shuffles: 3 -> 3
--- fact: DECLARED_KEYS
--- force: 0
SELECT x.d, count(*) AS n FROM t1 JOIN unique_d x ON t1.a = x.a GROUP BY x.d

--- n28: join on a that d is declared to determine and does not; the declaration is not relied on
--- shuffles: 3 -> 3
--- force: 0
SELECT x.d, count(*) AS n FROM t1 JOIN doubt_d x ON t1.a = x.a GROUP BY x.d

--- n29: left join on k, then on what d determines on the optional side, where d may be NULL, group by d
--- shuffles: 5 -> 5
--- fact: DECLARED_KEYS
--- force: 0
SELECT x.d, count(*) AS n
FROM t1 LEFT JOIN dep_d x ON t1.k = x.k LEFT JOIN t3 ON x.a = t3.a GROUP BY x.d

--- n30: union of two tables with a key each, joined on what it determines, group by the key
--- shuffles: 3 -> 3
--- force: 0
SELECT x.d, count(*) AS n
FROM t1 JOIN (SELECT d, a FROM key_d UNION ALL SELECT d + 1, b FROM key_d) x ON t1.a = x.a GROUP BY x.d

--- n31: group by x, joined on x as a float, which several x may share
--- fact: NORMALISED_KEY
--- shuffles: 3 -> 3
--- force: 0
SELECT g.f, g.n, y.a
FROM (SELECT x, CAST(x AS FLOAT) AS f, count(*) AS n FROM (SELECT x + a / 1e15 AS x FROM t1) GROUP BY x) g
     JOIN (SELECT CAST(x AS FLOAT) AS f, a FROM t2) y ON g.f = y.f

--- n32: join on a, then grouping sets of which one lacks a
--- fact: EXPANDED_KEYS
--- shuffles: 3 -> 3
--- force: 0
SELECT t1.a, t1.b, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a GROUP BY GROUPING SETS ((t1.a, t1.b), (t1.b))

--- n33: two groupings by d of different tables that both were joined on a, joined on d
--- fact: CARRIED_KEY
--- shuffles: 6 -> 6
--- force: 0
SELECT x.d, x.n, y.m
FROM (SELECT p.d, count(*) AS n FROM key_d p JOIN t1 ON p.a = t1.a GROUP BY p.d) x
     JOIN (SELECT p.d, max(t3.k) AS m FROM dep_d p JOIN t3 ON p.a = t3.a GROUP BY p.d) y ON x.d = y.d

--- n34: group by a over a layout on a and b
--- fact: SUBSET_KEYS
--- shuffles: 2 -> 2
--- force: 0
SELECT a, count(*) AS n FROM (SELECT * FROM t1 DISTRIBUTE BY a, b) GROUP BY a

--- n35: window by a, then by a column computed from a
--- shuffles: 2 -> 2
--- force: 0
SELECT y, n, count(*) OVER (PARTITION BY y) AS m FROM (
  SELECT a % 3 AS y, count(*) OVER (PARTITION BY a) AS n FROM t1)

--- n36: union of two inputs that number their partitions, counted by number
--- fact: PARTITION_ID
--- shuffles: 1 -> 1
--- force: 0
SELECT p, count(*) AS n FROM (
  SELECT spark_partition_id() AS p FROM t1 UNION ALL SELECT spark_partition_id() AS p FROM t2)
GROUP BY p

--- n37: rows that know their partition, joined on a, counted by partition
--- shuffles: 3 -> 3
--- force: 0
SELECT x.p, count(*) AS n
FROM (SELECT a, spark_partition_id() AS p FROM t1) x JOIN t2 y ON x.a = y.a GROUP BY x.p

--- A join whose skewed partitions were split, and a stream, take more than a plan without adaptive
--- execution to force: see HardCasesAdaptiveSuite and HardCasesAroundSuite, "by force".
