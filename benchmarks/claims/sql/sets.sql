--- loyal-to-items: how many items each customer has bought both in a store and from the catalog
--- written for: shape
SELECT customer_sk, count(*) AS items FROM (
  SELECT ss_customer_sk AS customer_sk, ss_item_sk AS item_sk FROM store_sales
  INTERSECT
  SELECT cs_bill_customer_sk, cs_item_sk FROM catalog_sales)
WHERE customer_sk IS NOT NULL
GROUP BY customer_sk

--- never-returned: in how many stores an item was sold from which it never came back
--- written for: shape
SELECT item_sk, count(*) AS stores FROM (
  SELECT ss_item_sk AS item_sk, ss_store_sk AS store_sk FROM store_sales
  EXCEPT
  SELECT sr_item_sk, sr_store_sk FROM store_returns)
GROUP BY item_sk

--- promotions-null-safe: store and catalog sales of each item under the same promotion or under none
--- written for: shape
WITH store AS (
  SELECT ss_item_sk, ss_promo_sk, sum(ss_quantity) AS sold FROM store_sales GROUP BY ss_item_sk, ss_promo_sk
), catalog AS (
  SELECT cs_item_sk, cs_promo_sk, sum(cs_quantity) AS sold FROM catalog_sales GROUP BY cs_item_sk, cs_promo_sk
)
SELECT ss_item_sk, count(*) AS promotions, sum(store.sold) AS in_stores, sum(catalog.sold) AS from_catalog
FROM store JOIN catalog ON ss_item_sk <=> cs_item_sk AND ss_promo_sk <=> cs_promo_sk
GROUP BY ss_item_sk

--- names-in-all-channels: people who bought on the same day in all three channels, counted
--- written for: question
SELECT count(*) AS people FROM (
  SELECT c_last_name, c_first_name, d_date FROM store_sales JOIN date_dim ON ss_sold_date_sk = d_date_sk
    JOIN customer ON ss_customer_sk = c_customer_sk
  INTERSECT
  SELECT c_last_name, c_first_name, d_date FROM catalog_sales JOIN date_dim ON cs_sold_date_sk = d_date_sk
    JOIN customer ON cs_bill_customer_sk = c_customer_sk
  INTERSECT
  SELECT c_last_name, c_first_name, d_date FROM web_sales JOIN date_dim ON ws_sold_date_sk = d_date_sk
    JOIN customer ON ws_bill_customer_sk = c_customer_sk)

--- only-in-stores: customers who bought in a store and never from the catalog, by country
--- written for: question
SELECT c_birth_country, count(*) AS customers FROM (
  SELECT ss_customer_sk AS customer_sk FROM store_sales
  EXCEPT
  SELECT cs_bill_customer_sk FROM catalog_sales)
JOIN customer ON customer_sk = c_customer_sk
GROUP BY c_birth_country

--- all-channels-together: sales of all channels one below the other, totals for each customer
--- written for: question
SELECT customer_sk, count(*) AS sales, sum(paid) AS paid FROM (
  SELECT ss_customer_sk AS customer_sk, ss_net_paid AS paid FROM store_sales
  UNION ALL SELECT cs_bill_customer_sk, cs_net_paid FROM catalog_sales
  UNION ALL SELECT ws_bill_customer_sk, ws_net_paid FROM web_sales)
GROUP BY customer_sk
HAVING sum(paid) > 60000

--- offers-shipped: how many of its offers each supplier has shipped
--- written for: shape
SELECT suppkey, count(*) AS parts FROM (
  SELECT ps_suppkey AS suppkey, ps_partkey AS partkey FROM tpch.partsupp
  INTERSECT
  SELECT l_suppkey, l_partkey FROM tpch.lineitem)
GROUP BY suppkey

--- not-bought-again: how many items each customer bought in a store and never on the web
--- written for: shape
SELECT customer_sk, count(*) AS items FROM (
  SELECT ss_customer_sk AS customer_sk, ss_item_sk AS item_sk FROM store_sales WHERE ss_customer_sk IS NOT NULL
  EXCEPT
  SELECT ws_bill_customer_sk, ws_item_sk FROM web_sales)
GROUP BY customer_sk
HAVING count(*) > 100
