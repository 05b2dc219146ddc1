--- Query shapes that Spark plans with as few shuffles as there can be: Colocate must not add one.
--- The format is that of catalogue.sql.

--- o1: windows by (a, b), by a and by (a, c)
--- shuffles: 1 -> 1
SELECT a, b, c, count(*) OVER (PARTITION BY a, b) AS n1, count(*) OVER (PARTITION BY a) AS n2,
       count(*) OVER (PARTITION BY a, c) AS n3
FROM t1

--- o2: window by a, then group by (a, b)
--- shuffles: 1 -> 1
SELECT a, b, max(n) AS n FROM (SELECT a, b, count(*) OVER (PARTITION BY a) AS n FROM t1) GROUP BY a, b

--- o3: union of two aggregates by a, group by a
--- shuffles: 2 -> 2
SELECT a, max(n) AS n, count(*) AS m FROM (
  SELECT a, count(*) AS n FROM t1 GROUP BY a UNION ALL SELECT a, count(*) AS n FROM t2 GROUP BY a)
GROUP BY a

--- o4: union of two inner joins on a, group by a
--- shuffles: 4 -> 4
SELECT a, count(*) AS n FROM (
  SELECT t1.a FROM t1 JOIN t2 ON t1.a = t2.a UNION ALL SELECT t3.a FROM t3 JOIN t4 ON t3.a = t4.a)
GROUP BY a

--- o5: explode above an aggregate by a, group by a
--- shuffles: 1 -> 1
SELECT a, max(e) AS e FROM (
  SELECT a, explode(array(n, m)) AS e FROM (
    SELECT a, count(*) AS n, max(b) AS m FROM t1 GROUP BY a))
GROUP BY a

--- o6: a table in buckets by a, group by (a, b)
--- shuffles: 0 -> 0
SELECT a, b, count(*) AS n FROM b8_1 GROUP BY a, b

--- o7: distribute by a, then group by (a, b)
--- shuffles: 1 -> 1
SELECT a, b, count(*) AS n FROM (SELECT * FROM t1 DISTRIBUTE BY a) GROUP BY a, b

--- o8: inner joins on one key
--- shuffles: 3 -> 3
SELECT t1.a, t2.b, t3.c FROM t1 JOIN t2 ON t1.a = t2.a JOIN t3 ON t1.a = t3.a

--- o9: a star of joins on a, on b, on a (no reordering of joins)
--- shuffles: 6 -> 6
SELECT t1.a, t1.b, t2.d, t3.c
FROM t1 JOIN t2 ON t1.a = t2.a JOIN t3 ON t1.b = t3.b JOIN t4 ON t1.a = t4.a
WHERE t1.d < 40

--- o10: one aggregate
--- shuffles: 1 -> 1
SELECT a, count(*) AS n FROM t1 GROUP BY a

--- o11: group by a case-blind text, joined on it
--- shuffles: 2 -> 2
SELECT lower(CAST(g.s AS STRING COLLATE UTF8_BINARY)) AS s, g.n, t2.a, t2.d
FROM (SELECT s, count(*) AS n FROM (SELECT s COLLATE UTF8_LCASE AS s FROM t1) GROUP BY s) g
     JOIN t2 ON g.s = t2.s COLLATE UTF8_LCASE

--- o12: group by a text of a language, joined on it
--- shuffles: 2 -> 2
SELECT lower(CAST(g.s AS STRING COLLATE UTF8_BINARY)) AS s, g.n, t2.a, t2.d
FROM (SELECT s, count(*) AS n FROM (SELECT s COLLATE UNICODE_CI AS s FROM t1) GROUP BY s) g
     JOIN t2 ON g.s = t2.s COLLATE UNICODE_CI
