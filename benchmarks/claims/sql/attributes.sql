--- current-item-version: store sales of the newest version of each item, by the id of the item
--- written for: shape
WITH current AS (SELECT i_item_id, max(i_item_sk) AS i_item_sk FROM item GROUP BY i_item_id)
SELECT i_item_id, count(*) AS sales, sum(ss_net_paid) AS paid
FROM store_sales JOIN current ON ss_item_sk = i_item_sk
GROUP BY i_item_id

--- current-item-rank: sales of the version of each item that row_number() calls current, by store
--- written for: shape
WITH current AS (
  SELECT i_item_id, i_item_sk, i_category FROM (
    SELECT *, row_number() OVER (PARTITION BY i_item_id ORDER BY i_rec_start_date DESC NULLS LAST, i_item_sk DESC) AS n
    FROM item)
  WHERE n = 1
)
SELECT i_item_id, ss_store_sk, sum(ss_quantity) AS sold,
  sum(sum(ss_quantity)) OVER (PARTITION BY i_item_id) AS sold_anywhere
FROM store_sales JOIN current ON ss_item_sk = i_item_sk
GROUP BY i_item_id, ss_store_sk

--- clerk-of-last-order: revenue of customers by the clerk and day of the last order of each
--- written for: shape
WITH last AS (
  SELECT o_custkey, max_by(o_clerk, o_orderkey) AS clerk, max(o_orderkey) AS last_order
  FROM tpch.orders GROUP BY o_custkey
)
SELECT last_order, clerk, count(*) AS lines, sum(l_extendedprice) AS price
FROM last JOIN tpch.lineitem ON l_orderkey = last_order
GROUP BY last_order, clerk

--- state-revenue: store revenue by the state and county in which customers live now
--- written for: question
SELECT ca_state, ca_county, count(DISTINCT c_customer_sk) AS customers, sum(ss_net_paid) AS paid
FROM store_sales JOIN customer ON ss_customer_sk = c_customer_sk
  JOIN customer_address ON c_current_addr_sk = ca_address_sk
GROUP BY ca_state, ca_county

--- top-three-items: the three items of each category with the greatest web revenue
--- written for: question
WITH revenue AS (
  SELECT i_category, i_item_sk, i_product_name, sum(ws_net_paid) AS paid
  FROM web_sales JOIN item ON ws_item_sk = i_item_sk GROUP BY i_category, i_item_sk, i_product_name
)
SELECT * FROM (
  SELECT *, row_number() OVER (PARTITION BY i_category ORDER BY paid DESC, i_item_sk) AS place FROM revenue)
WHERE place <= 3

--- best-customers: customers with their address and balance, by revenue of what they sent back
--- written for: question
SELECT c_custkey, c_name, c_acctbal, c_phone, c_address, sum(l_extendedprice * (1 - l_discount)) AS lost
FROM tpch.customer JOIN tpch.orders ON c_custkey = o_custkey JOIN tpch.lineitem ON l_orderkey = o_orderkey
WHERE l_returnflag = 'R'
GROUP BY c_custkey, c_name, c_acctbal, c_phone, c_address
ORDER BY lost DESC, c_custkey LIMIT 100

--- share-of-nation: each customer's share of the revenue of its nation, those above a percent
--- written for: question
WITH spent AS (
  SELECT c_nationkey, c_custkey, sum(o_totalprice) AS total
  FROM tpch.orders JOIN tpch.customer ON o_custkey = c_custkey GROUP BY c_nationkey, c_custkey
)
SELECT * FROM (
  SELECT *, try_divide(total, sum(total) OVER (PARTITION BY c_nationkey)) AS share FROM spent)
WHERE share > 0.001

--- latest-account: web purchases of the latest account of each e-mail address, the largest ones of each
--- written for: shape
WITH latest AS (
  SELECT c_email_address, max(c_customer_sk) AS customer_sk FROM customer GROUP BY c_email_address
)
SELECT * FROM (
  SELECT c_email_address, ws_order_number, ws_item_sk, ws_net_paid,
    rank() OVER (PARTITION BY c_email_address ORDER BY ws_net_paid DESC) AS place
  FROM web_sales JOIN latest ON ws_bill_customer_sk = customer_sk)
WHERE place = 1
