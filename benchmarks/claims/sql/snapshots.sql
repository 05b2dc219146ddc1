--- snapshot-three-channels: what each customer has paid in the store, the catalog and on the web
--- written for: shape
WITH store AS (
  SELECT ss_customer_sk AS customer_sk, sum(ss_net_paid) AS store_paid FROM store_sales GROUP BY 1
), catalog AS (
  SELECT cs_bill_customer_sk AS customer_sk, sum(cs_net_paid) AS catalog_paid FROM catalog_sales GROUP BY 1
), web AS (
  SELECT ws_bill_customer_sk AS customer_sk, sum(ws_net_paid) AS web_paid FROM web_sales GROUP BY 1
)
SELECT customer_sk, coalesce(store_paid, 0) AS store_paid, coalesce(catalog_paid, 0) AS catalog_paid,
  coalesce(web_paid, 0) AS web_paid
FROM store FULL OUTER JOIN catalog USING (customer_sk) FULL OUTER JOIN web USING (customer_sk)
WHERE coalesce(store_paid, 0) + coalesce(catalog_paid, 0) + coalesce(web_paid, 0) > 60000

--- snapshot-five-sources: sales and returns of each customer in one row, from five tables
--- written for: shape
WITH store AS (
  SELECT ss_customer_sk AS customer_sk, sum(ss_net_paid) AS store_paid FROM store_sales GROUP BY 1
), catalog AS (
  SELECT cs_bill_customer_sk AS customer_sk, sum(cs_net_paid) AS catalog_paid FROM catalog_sales GROUP BY 1
), web AS (
  SELECT ws_bill_customer_sk AS customer_sk, sum(ws_net_paid) AS web_paid FROM web_sales GROUP BY 1
), store_back AS (
  SELECT sr_customer_sk AS customer_sk, sum(sr_return_amt) AS store_returned FROM store_returns GROUP BY 1
), web_back AS (
  SELECT wr_returning_customer_sk AS customer_sk, sum(wr_return_amt) AS web_returned FROM web_returns GROUP BY 1
)
SELECT customer_sk, store_paid, catalog_paid, web_paid, store_returned, web_returned
FROM store
  FULL OUTER JOIN catalog USING (customer_sk)
  FULL OUTER JOIN web USING (customer_sk)
  FULL OUTER JOIN store_back USING (customer_sk)
  FULL OUTER JOIN web_back USING (customer_sk)
WHERE coalesce(store_returned, 0) + coalesce(web_returned, 0) > 3000

--- snapshot-item-warehouse: stock, catalog and web quantities by item and warehouse, then by item
--- written for: shape
WITH stock AS (
  SELECT inv_item_sk AS item_sk, inv_warehouse_sk AS warehouse_sk, max(inv_quantity_on_hand) AS on_hand
  FROM inventory GROUP BY 1, 2
), catalog AS (
  SELECT cs_item_sk AS item_sk, cs_warehouse_sk AS warehouse_sk, sum(cs_quantity) AS catalog_sold
  FROM catalog_sales GROUP BY 1, 2
), web AS (
  SELECT ws_item_sk AS item_sk, ws_warehouse_sk AS warehouse_sk, sum(ws_quantity) AS web_sold
  FROM web_sales GROUP BY 1, 2
)
SELECT item_sk, sum(on_hand) AS on_hand, sum(catalog_sold) AS catalog_sold, sum(web_sold) AS web_sold
FROM stock
  FULL OUTER JOIN catalog USING (item_sk, warehouse_sk)
  FULL OUTER JOIN web USING (item_sk, warehouse_sk)
GROUP BY item_sk

--- snapshot-nvl-country: store and web customers put together with NVL, by country of birth
--- written for: shape
WITH store AS (
  SELECT ss_customer_sk AS id, sum(ss_net_profit) AS profit FROM store_sales GROUP BY ss_customer_sk
), web AS (
  SELECT ws_bill_customer_sk AS id, sum(ws_net_profit) AS profit FROM web_sales GROUP BY ws_bill_customer_sk
), everyone AS (
  SELECT nvl(store.id, web.id) AS id, nvl(store.profit, 0) + nvl(web.profit, 0) AS profit
  FROM store FULL OUTER JOIN web ON store.id = web.id
)
SELECT c_birth_country, count(*) AS customers, sum(profit) AS profit
FROM everyone JOIN customer ON everyone.id = c_customer_sk
GROUP BY c_birth_country

--- snapshot-case-running: daily web and store revenue of each item side by side, with running totals
--- written for: shape
WITH web AS (
  SELECT ws_item_sk AS item_sk, d_date, sum(ws_sales_price) AS web_sales
  FROM web_sales JOIN date_dim ON ws_sold_date_sk = d_date_sk WHERE d_year = 2001 GROUP BY ws_item_sk, d_date
), store AS (
  SELECT ss_item_sk AS item_sk, d_date, sum(ss_sales_price) AS store_sales
  FROM store_sales JOIN date_dim ON ss_sold_date_sk = d_date_sk WHERE d_year = 2001 GROUP BY ss_item_sk, d_date
), both AS (
  SELECT CASE WHEN web.item_sk IS NOT NULL THEN web.item_sk ELSE store.item_sk END AS item_sk,
    CASE WHEN web.d_date IS NOT NULL THEN web.d_date ELSE store.d_date END AS d_date, web_sales, store_sales
  FROM web FULL OUTER JOIN store ON web.item_sk = store.item_sk AND web.d_date = store.d_date
), running AS (
  SELECT item_sk, d_date, sum(web_sales) OVER (PARTITION BY item_sk ORDER BY d_date) AS web_so_far,
    sum(store_sales) OVER (PARTITION BY item_sk ORDER BY d_date) AS store_so_far
  FROM both
)
SELECT item_sk, d_date, web_so_far, store_so_far FROM running WHERE web_so_far > 2 * store_so_far

--- stock-changes: how many stock levels are new, gone, changed or the same between two weeks
--- written for: question
WITH earlier AS (
  SELECT inv_item_sk, inv_warehouse_sk, inv_quantity_on_hand FROM inventory
  WHERE inv_date_sk = (SELECT min(inv_date_sk) FROM inventory)
), later AS (
  SELECT inv_item_sk, inv_warehouse_sk, inv_quantity_on_hand FROM inventory
  WHERE inv_date_sk = (SELECT max(inv_date_sk) FROM inventory)
)
SELECT CASE WHEN e.inv_item_sk IS NULL THEN 'new' WHEN l.inv_item_sk IS NULL THEN 'gone'
    WHEN e.inv_quantity_on_hand IS DISTINCT FROM l.inv_quantity_on_hand THEN 'changed' ELSE 'same' END AS status,
  count(*) AS levels
FROM earlier e FULL OUTER JOIN later l
  ON e.inv_item_sk = l.inv_item_sk AND e.inv_warehouse_sk = l.inv_warehouse_sk
GROUP BY 1

--- catalog-return-rate: the share of its catalog sales that comes back, for each item
--- written for: question
SELECT cs_item_sk, count(*) AS sold, count(cr_order_number) AS returned,
  sum(coalesce(cr_return_amount, 0)) AS return_amount
FROM catalog_sales LEFT JOIN catalog_returns ON cs_order_number = cr_order_number AND cs_item_sk = cr_item_sk
GROUP BY cs_item_sk
HAVING count(cr_order_number) > 0

--- customers-in-one-row: what is known of each customer from four tables, with name and birth year
--- written for: shape
WITH store AS (
  SELECT ss_customer_sk AS customer_sk, count(*) AS store_lines, sum(ss_net_paid) AS store_paid FROM store_sales GROUP BY 1
), web AS (
  SELECT ws_bill_customer_sk AS customer_sk, count(*) AS web_lines, sum(ws_net_paid) AS web_paid FROM web_sales GROUP BY 1
), store_back AS (
  SELECT sr_customer_sk AS customer_sk, count(*) AS store_returns FROM store_returns GROUP BY 1
), catalog_back AS (
  SELECT cr_returning_customer_sk AS customer_sk, count(*) AS catalog_returns FROM catalog_returns GROUP BY 1
), everything AS (
  SELECT * FROM store
    FULL OUTER JOIN web USING (customer_sk)
    FULL OUTER JOIN store_back USING (customer_sk)
    FULL OUTER JOIN catalog_back USING (customer_sk)
)
SELECT c_customer_id, c_last_name, c_birth_year, store_lines, store_paid, web_lines, web_paid, store_returns, catalog_returns
FROM everything JOIN customer ON customer_sk = c_customer_sk
WHERE coalesce(store_returns, 0) + coalesce(catalog_returns, 0) > 5

--- suppliers-by-day: what each supplier shipped, had promised and delivered by day of a year, then its worst day
--- written for: shape
WITH shipped AS (
  SELECT l_suppkey, l_shipdate AS day, sum(l_quantity) AS shipped FROM tpch.lineitem
  WHERE year(l_shipdate) = 1998 GROUP BY 1, 2
), promised AS (
  SELECT l_suppkey, l_commitdate AS day, sum(l_quantity) AS promised FROM tpch.lineitem
  WHERE year(l_commitdate) = 1998 GROUP BY 1, 2
), delivered AS (
  SELECT l_suppkey, l_receiptdate AS day, sum(l_quantity) AS delivered FROM tpch.lineitem
  WHERE year(l_receiptdate) = 1998 GROUP BY 1, 2
)
SELECT l_suppkey, count(*) AS days, max(coalesce(promised, 0) - coalesce(delivered, 0)) AS worst_day
FROM shipped FULL OUTER JOIN promised USING (l_suppkey, day) FULL OUTER JOIN delivered USING (l_suppkey, day)
GROUP BY l_suppkey
HAVING max(coalesce(promised, 0) - coalesce(delivered, 0)) > 200
