--- segments: customers by quarter of recency, frequency and spending
--- written for: question
WITH customers AS (
  SELECT o_custkey, max(o_orderdate) AS last_day, count(*) AS orders, sum(o_totalprice) AS spent
  FROM tpch.orders GROUP BY o_custkey
), scored AS (
  SELECT ntile(4) OVER (ORDER BY last_day, o_custkey) AS recency,
    ntile(4) OVER (ORDER BY orders, o_custkey) AS frequency, ntile(4) OVER (ORDER BY spent, o_custkey) AS spending
  FROM customers
)
SELECT recency, frequency, spending, count(*) AS customers FROM scored GROUP BY recency, frequency, spending

--- pareto: the items that make up the first 80 percent of catalog revenue
--- written for: question
WITH revenue AS (
  SELECT cs_item_sk, sum(cs_net_paid) AS paid FROM catalog_sales GROUP BY cs_item_sk
), running AS (
  SELECT cs_item_sk, paid, sum(paid) OVER (ORDER BY paid DESC, cs_item_sk) AS so_far, sum(paid) OVER () AS total
  FROM revenue
)
SELECT count(*) AS items, sum(paid) AS paid FROM running WHERE so_far <= total * 0.8

--- turnover: how often each warehouse has sold its mean stock, from stock and sales by item
--- written for: question
WITH stock AS (
  SELECT inv_warehouse_sk, inv_item_sk, avg(inv_quantity_on_hand) AS on_hand
  FROM inventory GROUP BY inv_warehouse_sk, inv_item_sk
), sold AS (
  SELECT cs_warehouse_sk, cs_item_sk, sum(cs_quantity) AS units FROM catalog_sales GROUP BY cs_warehouse_sk, cs_item_sk
)
SELECT inv_warehouse_sk, count(*) AS items, sum(units) AS units, sum(CAST(on_hand AS DECIMAL(20, 4))) AS on_hand
FROM stock JOIN sold ON inv_warehouse_sk = cs_warehouse_sk AND inv_item_sk = cs_item_sk
GROUP BY inv_warehouse_sk

--- days-between-orders: mean and longest pause between two orders of a customer
--- written for: question
WITH gaps AS (
  SELECT o_custkey, datediff(o_orderdate, lag(o_orderdate) OVER (PARTITION BY o_custkey ORDER BY o_orderdate, o_orderkey)) AS days
  FROM tpch.orders
)
SELECT o_custkey, count(days) AS pauses, sum(days) AS days, max(days) AS longest
FROM gaps GROUP BY o_custkey HAVING max(days) > 1000

--- return-reasons: what is returned for which reason, by class of item
--- written for: question
SELECT r_reason_desc, i_class, count(*) AS returns, sum(sr_return_amt) AS amount
FROM store_returns JOIN reason ON sr_reason_sk = r_reason_sk JOIN item ON sr_item_sk = i_item_sk
GROUP BY r_reason_desc, i_class

--- late-suppliers: suppliers that alone were late with an order of several suppliers
--- written for: question
SELECT l1.l_suppkey, count(*) AS waits
FROM tpch.lineitem l1 JOIN tpch.orders ON o_orderkey = l1.l_orderkey
WHERE o_orderstatus = 'F' AND l1.l_receiptdate > l1.l_commitdate
  AND EXISTS (SELECT 1 FROM tpch.lineitem l2 WHERE l2.l_orderkey = l1.l_orderkey AND l2.l_suppkey <> l1.l_suppkey)
  AND NOT EXISTS (SELECT 1 FROM tpch.lineitem l3 WHERE l3.l_orderkey = l1.l_orderkey
    AND l3.l_suppkey <> l1.l_suppkey AND l3.l_receiptdate > l3.l_commitdate)
GROUP BY l1.l_suppkey

--- large-orders: customers and their orders of over 250 pieces
--- written for: question
SELECT c_name, c_custkey, o_orderkey, o_orderdate, sum(l_quantity) AS pieces
FROM tpch.customer JOIN tpch.orders ON c_custkey = o_custkey JOIN tpch.lineitem ON o_orderkey = l_orderkey
WHERE o_orderkey IN (SELECT l_orderkey FROM tpch.lineitem GROUP BY l_orderkey HAVING sum(l_quantity) > 250)
GROUP BY c_name, c_custkey, o_orderkey, o_orderdate

--- priorities-late: how many lines of each order priority came later than was promised
--- written for: question
SELECT o_orderpriority, count(*) AS late
FROM tpch.orders JOIN tpch.lineitem ON l_orderkey = o_orderkey WHERE l_receiptdate > l_commitdate
GROUP BY o_orderpriority

--- parts-never-ordered: parts of which no line was ever ordered, by brand
--- written for: question
SELECT p_brand, count(*) AS parts
FROM tpch.part LEFT ANTI JOIN tpch.lineitem ON p_partkey = l_partkey GROUP BY p_brand

--- nations-of-suppliers: suppliers and their balance in each nation
--- written for: question
SELECT n_name, count(*) AS suppliers, sum(s_acctbal) AS balance
FROM tpch.supplier JOIN tpch.nation ON s_nationkey = n_nationkey GROUP BY n_name

--- modes-by-year: lines and revenue by ship mode and year
--- written for: question
SELECT l_shipmode, year(l_shipdate) AS year, count(*) AS lines, sum(l_extendedprice) AS revenue
FROM tpch.lineitem GROUP BY l_shipmode, year(l_shipdate)

--- cheapest-offers: the supplier with the cheapest offer of each part
--- written for: question
SELECT ps_partkey, min_by(ps_suppkey, struct(ps_supplycost, ps_suppkey)) AS supplier, min(ps_supplycost) AS cost
FROM tpch.partsupp GROUP BY ps_partkey HAVING min(ps_supplycost) < 5

--- warehouse-stock: what lies in each warehouse at the last count
--- written for: question
SELECT w_warehouse_name, sum(inv_quantity_on_hand) AS on_hand
FROM inventory JOIN warehouse ON inv_warehouse_sk = w_warehouse_sk
WHERE inv_date_sk = (SELECT max(inv_date_sk) FROM inventory) GROUP BY w_warehouse_name

--- web-hours: web sales by hour of the day
--- written for: question
SELECT t_hour, count(*) AS sales FROM web_sales JOIN time_dim ON ws_sold_time_sk = t_time_sk
GROUP BY t_hour ORDER BY t_hour

--- birth-months: customers and how many prefer the shop, by month of birth
--- written for: question
SELECT c_birth_month, count(*) AS customers, count_if(c_preferred_cust_flag = 'Y') AS preferred
FROM customer GROUP BY c_birth_month
