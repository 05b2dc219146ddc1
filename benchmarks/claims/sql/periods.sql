--- hour-day-month: store revenue by hour, the busiest hour of each day, and its mean over a month
--- written for: shape
WITH events AS (
  SELECT ss_store_sk, timestamp_seconds(unix_date(d_date) * 86400 + t_time) AS sold_at, ss_net_paid
  FROM store_sales JOIN date_dim ON ss_sold_date_sk = d_date_sk JOIN time_dim ON ss_sold_time_sk = t_time_sk
), hourly AS (
  SELECT ss_store_sk, date_trunc('HOUR', sold_at) AS hour, sum(ss_net_paid) AS paid FROM events GROUP BY 1, 2
), daily AS (
  SELECT ss_store_sk, date_trunc('DAY', hour) AS day, max(paid) AS busiest, sum(paid) AS paid
  FROM hourly GROUP BY 1, 2
)
SELECT ss_store_sk, date_trunc('MONTH', day) AS month, avg(busiest) AS mean_busiest, sum(paid) AS paid
FROM daily GROUP BY 1, 2

--- day-then-month: orders by day, then their mean and greatest day by month
--- written for: shape
WITH daily AS (
  SELECT o_orderdate, sum(o_totalprice) AS revenue, count(*) AS orders FROM tpch.orders GROUP BY o_orderdate
)
SELECT year(o_orderdate) AS year, month(o_orderdate) AS month, avg(revenue) AS mean_day, max(revenue) AS best_day,
  sum(orders) AS orders
FROM daily GROUP BY year(o_orderdate), month(o_orderdate)

--- supplier-month-year: what each supplier ships by month, and the best month of each year
--- written for: shape
WITH monthly AS (
  SELECT l_suppkey, trunc(l_shipdate, 'MM') AS month, sum(l_extendedprice * (1 - l_discount)) AS revenue
  FROM tpch.lineitem GROUP BY l_suppkey, trunc(l_shipdate, 'MM')
)
SELECT l_suppkey, year(month) AS year, max(revenue) AS best_month, sum(revenue) AS revenue
FROM monthly GROUP BY l_suppkey, year(month)
HAVING sum(revenue) > 5000000

--- doubled-items: items whose catalog sales doubled from a month to the next
--- written for: question
WITH monthly AS (
  SELECT cs_item_sk, d_month_seq, sum(cs_quantity) AS sold
  FROM catalog_sales JOIN date_dim ON cs_sold_date_sk = d_date_sk GROUP BY cs_item_sk, d_month_seq
)
SELECT now.cs_item_sk, count(*) AS doublings
FROM monthly now JOIN monthly before
  ON now.cs_item_sk = before.cs_item_sk AND now.d_month_seq = before.d_month_seq + 1
WHERE now.sold >= 2 * before.sold
GROUP BY now.cs_item_sk

--- year-over-year: revenue of each month next to that of the same month a year before
--- written for: question
WITH monthly AS (
  SELECT d_year, d_moy, sum(ss_net_paid) AS paid
  FROM store_sales JOIN date_dim ON ss_sold_date_sk = d_date_sk GROUP BY d_year, d_moy
)
SELECT d_year, d_moy, paid, lag(paid) OVER (PARTITION BY d_moy ORDER BY d_year) AS a_year_before
FROM monthly

--- seven-day-mean: moving mean of seven days for each store
--- written for: question
WITH daily AS (
  SELECT ss_store_sk, d_date, sum(ss_net_paid) AS paid
  FROM store_sales JOIN date_dim ON ss_sold_date_sk = d_date_sk GROUP BY ss_store_sk, d_date
)
SELECT ss_store_sk, d_date, avg(paid) OVER (
  PARTITION BY ss_store_sk ORDER BY d_date ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS seven_days
FROM daily

--- daily-actives: customers on the web by day, and their mean number a day for each month
--- written for: question
WITH daily AS (
  SELECT d_date, d_year, d_moy, count(DISTINCT ws_bill_customer_sk) AS customers
  FROM web_sales JOIN date_dim ON ws_sold_date_sk = d_date_sk GROUP BY d_date, d_year, d_moy
)
SELECT d_year, d_moy, avg(customers) AS mean_customers, max(customers) AS most_customers
FROM daily GROUP BY d_year, d_moy

--- cohorts: orders by the month of a customer's first order and the months since then
--- written for: question
WITH first AS (
  SELECT o_custkey, trunc(min(o_orderdate), 'MM') AS cohort FROM tpch.orders GROUP BY o_custkey
)
SELECT cohort, CAST(months_between(trunc(o_orderdate, 'MM'), cohort) AS INT) AS age, count(*) AS orders,
  count(DISTINCT o.o_custkey) AS customers
FROM tpch.orders o JOIN first ON o.o_custkey = first.o_custkey
GROUP BY 1, 2

--- monthly-trend: orders and revenue by month, in order
--- written for: question
SELECT date_trunc('MONTH', o_orderdate) AS month, count(*) AS orders, sum(o_totalprice) AS revenue
FROM tpch.orders GROUP BY 1 ORDER BY 1

--- supplier-day-month-year: the best day and the best month of each supplier and year
--- written for: shape
WITH daily AS (
  SELECT l_suppkey, l_shipdate AS day, sum(l_extendedprice) AS revenue FROM tpch.lineitem GROUP BY 1, 2
), monthly AS (
  SELECT l_suppkey, trunc(day, 'MM') AS month, sum(revenue) AS revenue, max(revenue) AS best_day
  FROM daily GROUP BY 1, 2
)
SELECT l_suppkey, year(month) AS year, sum(revenue) AS revenue, max(revenue) AS best_month, max(best_day) AS best_day
FROM monthly GROUP BY 1, 2
HAVING max(best_day) > 200000

--- customer-month-quarter: customers whose orders of a quarter all came in one month
--- written for: shape
WITH monthly AS (
  SELECT o_custkey, trunc(o_orderdate, 'MONTH') AS month, count(*) AS orders FROM tpch.orders GROUP BY 1, 2
)
SELECT o_custkey, trunc(month, 'QUARTER') AS quarter, sum(orders) AS orders
FROM monthly GROUP BY 1, 2
HAVING count(*) = 1 AND sum(orders) > 3
