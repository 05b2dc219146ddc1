--- e-mails-lower-case: contacts of a shop system, whose e-mails are in lower case, with the master data
--- written for: shape
WITH shop AS (
  SELECT lower(c_email_address) AS email, sum(ws_net_paid) AS paid
  FROM web_sales JOIN customer ON ws_bill_customer_sk = c_customer_sk GROUP BY lower(c_email_address)
)
SELECT c_email_address, count(*) AS contacts, sum(paid) AS paid
FROM customer JOIN shop ON lower(c_email_address) = email
GROUP BY c_email_address

--- references-as-text: web orders with refunds from a ledger that keeps order numbers as text
--- written for: shape
WITH ledger AS (
  SELECT CAST(wr_order_number AS STRING) AS reference, sum(wr_refunded_cash) AS refunded
  FROM web_returns GROUP BY CAST(wr_order_number AS STRING)
)
SELECT ws_order_number, count(*) AS lines, sum(ws_net_paid) AS paid, max(refunded) AS refunded
FROM web_sales JOIN ledger ON CAST(ws_order_number AS STRING) = reference
GROUP BY ws_order_number

--- price-points: units at each price, read as a double, on the web and from the catalog
--- written for: shape
WITH web AS (
  SELECT CAST(ws_sales_price AS DOUBLE) AS price, sum(ws_quantity) AS units FROM web_sales GROUP BY 1
), catalog AS (
  SELECT CAST(cs_sales_price AS DOUBLE) AS price, sum(cs_quantity) AS units FROM catalog_sales GROUP BY 1
)
SELECT web.price, web.units AS web_units, catalog.units AS catalog_units
FROM web JOIN catalog ON web.price = catalog.price

--- returns-by-item-and-store: returned store sales by item, and by item and store, in one answer
--- written for: shape
SELECT ss_item_sk, ss_store_sk, count(*) AS returned, sum(sr_return_amt) AS amount
FROM store_sales JOIN store_returns ON ss_item_sk = sr_item_sk AND ss_ticket_number = sr_ticket_number
GROUP BY GROUPING SETS ((ss_item_sk), (ss_item_sk, ss_store_sk))

--- distinct-clerks: orders, days and clerks of each customer that has an account in the black
--- written for: shape
SELECT c_custkey, count(DISTINCT o_clerk) AS clerks, count(DISTINCT o_orderdate) AS days
FROM tpch.customer JOIN tpch.orders ON c_custkey = o_custkey
WHERE c_acctbal > 0
GROUP BY c_custkey

--- category-rollup: web profit by category, class and brand with subtotals
--- written for: question
SELECT i_category, i_class, i_brand, sum(ws_net_profit) AS profit
FROM web_sales JOIN item ON ws_item_sk = i_item_sk
GROUP BY ROLLUP (i_category, i_class, i_brand)

--- basket-pairs: items that are often in one basket of the web shop
--- written for: question
SELECT a.ws_item_sk AS item, b.ws_item_sk AS other, count(*) AS baskets
FROM web_sales a JOIN web_sales b ON a.ws_order_number = b.ws_order_number AND a.ws_item_sk < b.ws_item_sk
GROUP BY a.ws_item_sk, b.ws_item_sk
HAVING count(*) > 1

--- price-bands: sales and customers in each band of ten of the price
--- written for: question
SELECT floor(ss_sales_price / 10) AS band, count(*) AS sales, count(DISTINCT ss_customer_sk) AS customers
FROM store_sales GROUP BY floor(ss_sales_price / 10)
