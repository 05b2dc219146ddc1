--- Query shapes whose shuffles can be fewer: the catalogue of the research, section 2.
---
--- One case: `--- <number>: <title>`, `--- shuffles: <Spark alone> -> <with Colocate>`, then a query
--- (or `--- builder: <name>`, a query in CatalogueBuilders.scala, where SQL cannot say it).
--- `fact: <code>` makes a case the example of a fact in docs/claims.md; its plan must name the fact.
--- `plan: varies` marks a query whose plan names columns in chance order even in Spark alone.
--- A reused shuffle is not counted. Broadcast joins are off, 8 shuffle partitions.
--- Tables: t1..t4 (a, b, c, d INT, k BIGINT, s STRING, x DOUBLE), see TestTables.scala. Of key_d, unique_d,
--- dep_d and doubt_d something is declared.

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
--- fact: SUBSET_KEYS
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

--- 24: INTERSECT
--- shuffles: 3 -> 2
SELECT a FROM t1 INTERSECT SELECT a FROM t2

--- 24b: EXCEPT
--- shuffles: 3 -> 2
SELECT a, b FROM t1 EXCEPT SELECT a, b FROM t2

--- 24c: INTERSECT of three
--- shuffles: 5 -> 3
SELECT a FROM t1 INTERSECT SELECT a FROM t2 INTERSECT SELECT a FROM t3

--- 24d: INTERSECT of pairs, group by a
--- shuffles: 4 -> 2
SELECT a, count(*) AS n FROM (SELECT a, b FROM t1 INTERSECT SELECT a, b FROM t2) GROUP BY a

--- 24e: EXCEPT of three, group by a
--- shuffles: 6 -> 3
SELECT a, count(*) AS n
FROM (SELECT a, d FROM t1 EXCEPT SELECT a, d FROM t2 EXCEPT SELECT a, d FROM t3) GROUP BY a

--- 25: join on a <=> a and b <=> b, group by a
--- shuffles: 3 -> 2
SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a <=> t2.a AND t1.b <=> t2.b GROUP BY t1.a

--- 26: join int a = bigint k, group by a
--- shuffles: 3 -> 2
SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.k GROUP BY t1.a

--- 27: group by int a, joined on a = bigint k
--- shuffles: 3 -> 2
SELECT x.a, n, t2.d FROM (SELECT a, count(*) AS n FROM t1 GROUP BY a) x JOIN t2 ON x.a = t2.k

--- 28: join on decimals of unlike precision, group by the narrow one
--- shuffles: 3 -> 2
SELECT x.p, count(*) AS n
FROM (SELECT CAST(d AS DECIMAL(10, 2)) AS p FROM t1) x
     JOIN (SELECT CAST(d AS DECIMAL(18, 2)) AS q FROM t2) y ON x.p = y.q
GROUP BY x.p

--- 29: join on a + 1, group by a
--- shuffles: 3 -> 2
--- fact: FUNCTION_OF_KEYS
SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a + 1 = t2.a GROUP BY t1.a

--- 29b: join on the lower case of a text, group by the text
--- shuffles: 3 -> 2
SELECT t1.s, count(*) AS n FROM t1 JOIN t2 ON lower(t1.s) = lower(t2.s) GROUP BY t1.s

--- 29c: join on (a + 1, b), group by a
--- shuffles: 3 -> 2
SELECT t1.a, count(*) AS n FROM t1 JOIN t2 ON t1.a + 1 = t2.a AND t1.b = t2.b GROUP BY t1.a

--- 29d: rows distributed by a % 7, group by a
--- shuffles: 2 -> 1
SELECT a, count(*) AS n FROM (SELECT * FROM t1 DISTRIBUTE BY a % 7) GROUP BY a

--- 30: group by a text, joined on its lower case
--- shuffles: 3 -> 2
SELECT x.s, n, t2.d
FROM (SELECT s, count(*) AS n FROM t1 GROUP BY s) x JOIN t2 ON lower(x.s) = t2.s

--- 31: group by hour, then by day
--- shuffles: 2 -> 1
SELECT date_trunc('DAY', h) AS day, sum(n) AS n, count(*) AS m FROM (
  SELECT date_trunc('HOUR', timestamp_seconds(k * 3000)) AS h, count(*) AS n
  FROM t1 GROUP BY date_trunc('HOUR', timestamp_seconds(k * 3000)))
GROUP BY date_trunc('DAY', h)

--- 31b: group by month, then by year
--- shuffles: 2 -> 1
SELECT year(m) AS y, sum(n) AS n, count(*) AS c FROM (
  SELECT trunc(date_from_unix_date(k * 20), 'MM') AS m, count(*) AS n
  FROM t1 GROUP BY trunc(date_from_unix_date(k * 20), 'MM'))
GROUP BY year(m)

--- 31c: group by a, then by a + 1
--- shuffles: 2 -> 1
SELECT a + 1 AS e, sum(n) AS n, count(*) AS m
FROM (SELECT a, count(*) AS n FROM t1 GROUP BY a) GROUP BY a + 1

--- 32: group by (a, b), then by a structure of both
--- shuffles: 2 -> 1
SELECT st, sum(n) AS n, count(*) AS m FROM (
  SELECT named_struct('a', a, 'b', b) AS st, n
  FROM (SELECT a, b, d, count(*) AS n FROM t1 GROUP BY a, b, d))
GROUP BY st

--- 32b: group by a structure, then by its fields
--- shuffles: 2 -> 1
SELECT st.a, sum(n) AS n, count(*) AS m FROM (
  SELECT st, count(*) AS n FROM (SELECT named_struct('a', a, 'b', b) AS st FROM t1) GROUP BY st)
GROUP BY st.a

--- 33: join on (a, b) where a is one value, group by b
--- shuffles: 3 -> 2
SELECT t1.b, count(*) AS n
FROM t1 JOIN t2 ON t1.a = t2.a AND t1.b = t2.b
WHERE t1.a = 1 GROUP BY t1.b

--- 34: join on a where a = b, group by b
--- shuffles: 3 -> 2
--- fact: EQUAL_COLUMNS
SELECT t1.b, count(*) AS n FROM t1 JOIN t2 ON t1.a = t2.a WHERE t1.a = t1.b GROUP BY t1.b

--- 34b: windows over windows by one column under three names
--- shuffles: 3 -> 1
SELECT z, n, m, rank() OVER (PARTITION BY z ORDER BY k, d, n) AS r FROM (
  SELECT y AS z, k, d, n, sum(d) OVER (PARTITION BY y) AS m FROM (
    SELECT a AS y, k, d, count(*) OVER (PARTITION BY a) AS n FROM t1))

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

--- 35: join on a that d determines, group by d
--- shuffles: 4 -> 3
--- fact: DETERMINED_KEYS
SELECT x.d, count(*) AS n, max(t1.k) AS k
FROM t1 JOIN (SELECT d, max(a) AS a FROM t2 GROUP BY d) x ON t1.a = x.a GROUP BY x.d

--- 35b: join on a that d determines, window by d
--- shuffles: 4 -> 3
SELECT x.d, t1.k, count(*) OVER (PARTITION BY x.d) AS n
FROM t1 JOIN (SELECT d, max(a) AS a FROM t2 GROUP BY d) x ON t1.a = x.a

--- 35d: the first row of each d, joined on its a, group by d
--- shuffles: 4 -> 3
--- fact: DETERMINED_KEYS
SELECT x.d, count(*) AS n
FROM t1 JOIN (
  SELECT d, a FROM (SELECT d, a, row_number() OVER (PARTITION BY d ORDER BY a, b) AS n FROM t2)
  WHERE n = 1) x ON t1.a = x.a
GROUP BY x.d

--- 35k: the first row of each d, both under other names, joined on its a, window by d
--- shuffles: 4 -> 3
SELECT g.e, g.f, sum(t2.c) OVER (PARTITION BY g.e) AS n
FROM (SELECT d AS e, a AS f, row_number() OVER (PARTITION BY d ORDER BY a) AS r FROM t1) g
     JOIN t2 ON g.f = t2.a
WHERE g.r = 1

--- 35e: join on a column computed from k, group by k
--- shuffles: 3 -> 2
SELECT x.k, count(*) AS n
FROM (SELECT k, k % 5 AS r FROM t1) x JOIN (SELECT a % 5L AS r FROM t2) y ON x.r = y.r GROUP BY x.k

--- 35c: join on a column that a declared key determines, group by the key
--- shuffles: 3 -> 2
--- fact: DECLARED_KEYS
SELECT x.d, count(*) AS n, max(t1.k) AS k FROM t1 JOIN key_d x ON t1.a = x.a GROUP BY x.d

--- 35f: join on a key, then on a column that it determines, group by the key
--- shuffles: 5 -> 4
SELECT x.d, count(*) AS n
FROM t1 JOIN key_d x ON t1.d = x.d JOIN (SELECT DISTINCT a FROM t3) y ON x.a = y.a GROUP BY x.d

--- 35g: join on a column that a unique one determines where it is not NULL, group by that
--- shuffles: 3 -> 2
--- fact: DECLARED_KEYS
SELECT x.d, count(*) AS n
FROM t1 JOIN (SELECT * FROM unique_d WHERE d IS NOT NULL) x ON t1.a = x.a GROUP BY x.d

--- 35h: join on a that d is declared to determine, group by d
--- shuffles: 3 -> 2
SELECT x.d, count(*) AS n FROM t1 JOIN dep_d x ON t1.a = x.a GROUP BY x.d

--- 35i: left join on k, then on what the optional side's key determines, group by that key
--- shuffles: 5 -> 4
SELECT x.d, count(*) AS n
FROM t1 LEFT JOIN key_d x ON t1.k = x.k LEFT JOIN t3 ON x.a = t3.a GROUP BY x.d

--- 35j: two groupings by a declared key of a table that both have joined on a, joined on the key
--- fact: CARRIED_KEY
--- shuffles: 5 -> 3
SELECT x.d, x.n, y.m
FROM (SELECT p.d, count(*) AS n FROM key_d p JOIN t1 ON p.a = t1.a GROUP BY p.d) x
     JOIN (SELECT p.d, max(t3.k) AS m FROM key_d p JOIN t3 ON p.a = t3.a GROUP BY p.d) y ON x.d = y.d

--- 36: group by x, joined on x (NaN, and 0.0 as -0.0)
--- fact: NORMALISED_KEY
--- shuffles: 3 -> 2
SELECT g.x, g.n, t2.a, t2.d FROM (SELECT x, count(*) AS n FROM t1 GROUP BY x) g JOIN t2 ON g.x = t2.x

--- 36b: group by x as a float, then a window by it
--- shuffles: 2 -> 1
SELECT f, a, n, sum(n) OVER (PARTITION BY f) AS m
FROM (SELECT CAST(x AS FLOAT) AS f, a, count(*) AS n FROM t1 GROUP BY 1, 2)

--- 38: full outer joins of three tables by USING
--- shuffles: 4 -> 3
SELECT a, t1.d AS d1, t2.d AS d2, t3.d AS d3
FROM t1 FULL OUTER JOIN t2 USING (a) FULL OUTER JOIN t3 USING (a)

--- 38b: full outer joins of four tables by USING, group by the key
--- shuffles: 7 -> 4
SELECT a, count(*) AS n, max(y.m) AS d2, max(z.m) AS d3, max(u.m) AS d4
FROM t1 FULL OUTER JOIN (SELECT a, max(d) AS m FROM t2 GROUP BY a) y USING (a)
     FULL OUTER JOIN (SELECT a, max(d) AS m FROM t3 GROUP BY a) z USING (a)
     FULL OUTER JOIN (SELECT a, max(d) AS m FROM t4 GROUP BY a) u USING (a)
GROUP BY a

--- 38c: full outer join by CASE, then a left join, group by the key
--- shuffles: 4 -> 3
SELECT x.a, count(*) AS n, max(x.d1) AS d1, max(t3.d) AS d3
FROM (SELECT CASE WHEN t1.a IS NOT NULL THEN t1.a ELSE t2.a END AS a, t1.d AS d1
      FROM t1 FULL OUTER JOIN t2 ON t1.a = t2.a) x
     LEFT JOIN t3 ON x.a = t3.a
GROUP BY x.a

--- 39: full outer join by USING, group by its column
--- shuffles: 3 -> 2
SELECT a, count(*) AS n, max(t1.d) AS d1, max(t2.d) AS d2
FROM t1 FULL OUTER JOIN t2 USING (a) GROUP BY a

--- 39b: full outer join, group by both keys
--- shuffles: 3 -> 2
--- fact: OUTER_KEY
SELECT t1.a, t2.a AS ya, count(*) AS n FROM t1 FULL OUTER JOIN t2 ON t1.a = t2.a GROUP BY t1.a, t2.a

--- 39c: full outer join on two keys, group by one of them in another spelling
--- shuffles: 3 -> 2
SELECT if(t1.b IS NULL, t2.b, t1.b) AS b, count(*) AS n
FROM t1 FULL OUTER JOIN t2 ON t1.a = t2.a AND t1.b = t2.b GROUP BY 1

--- 42: left join, group by COALESCE of both keys
--- shuffles: 3 -> 2
SELECT coalesce(t1.a, y.a) AS a, count(*) AS n
FROM t1 LEFT JOIN (SELECT * FROM t2 WHERE a < 5) y ON t1.a = y.a GROUP BY 1

--- 42b: left join, group by COALESCE of both keys, the optional one first
--- shuffles: 3 -> 2
SELECT coalesce(y.a, t1.a) AS a, count(*) AS n
FROM t1 LEFT JOIN (SELECT * FROM t2 WHERE a < 5) y ON t1.a = y.a GROUP BY 1

--- 43: join on a, then grouping sets that all have a
--- fact: EXPANDED_KEYS
--- shuffles: 3 -> 2
SELECT t1.a, t1.b, t1.c, count(*) AS n, sum(t2.d) AS d
FROM t1 JOIN t2 ON t1.a = t2.a GROUP BY GROUPING SETS ((t1.a, t1.b), (t1.a, t1.c))

--- 43b: grouping sets that all have a, then a window by a
--- shuffles: 2 -> 1
SELECT a, b, c, n, sum(n) OVER (PARTITION BY a) AS m FROM (
  SELECT a, b, c, count(*) AS n FROM t1 GROUP BY GROUPING SETS ((a, b), (a, c)))

--- 43c: join on a, then several distinct counts by a
--- shuffles: 4 -> 2
--- plan: varies
SELECT t1.a, count(DISTINCT t1.b) AS b, count(DISTINCT t2.c) AS c, count(*) AS n
FROM t1 JOIN t2 ON t1.a = t2.a GROUP BY t1.a

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

--- 50: join on a, coalesced to three partitions, group by a
--- fact: MERGED_PARTITIONS
--- shuffles: 3 -> 2
SELECT a, count(*) AS n, max(d) AS d
FROM (SELECT /*+ COALESCE(3) */ t1.a, t2.d FROM t1 JOIN t2 ON t1.a = t2.a) GROUP BY a

--- 54: the rows of each partition, counted
--- fact: PARTITION_ID
--- shuffles: 1 -> 0
SELECT p, count(*) AS n FROM (SELECT spark_partition_id() AS p FROM t1) GROUP BY p

--- 54b: the first row of each partition
--- fact: PARTITION_ID
--- shuffles: 1 -> 0
SELECT p, a FROM (
  SELECT p, a, row_number() OVER (PARTITION BY p ORDER BY a) AS r
  FROM (SELECT spark_partition_id() AS p, a FROM t1))
WHERE r = 1
