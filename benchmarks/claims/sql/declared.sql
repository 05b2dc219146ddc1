--- web-grows-faster: customers whose web spending grew more than that in stores, by their id
--- written for: shape
WITH store AS (
  SELECT c_customer_id AS id, sum(CASE WHEN d_year = 2000 THEN ss_net_paid END) AS before,
    sum(CASE WHEN d_year = 2001 THEN ss_net_paid END) AS now
  FROM declared.customer JOIN declared.store_sales ON c_customer_sk = ss_customer_sk
    JOIN declared.date_dim ON ss_sold_date_sk = d_date_sk
  WHERE d_year IN (2000, 2001) GROUP BY c_customer_id
), web AS (
  SELECT c_customer_id AS id, sum(CASE WHEN d_year = 2000 THEN ws_net_paid END) AS before,
    sum(CASE WHEN d_year = 2001 THEN ws_net_paid END) AS now
  FROM declared.customer JOIN declared.web_sales ON c_customer_sk = ws_bill_customer_sk
    JOIN declared.date_dim ON ws_sold_date_sk = d_date_sk
  WHERE d_year IN (2000, 2001) GROUP BY c_customer_id
)
SELECT store.id, store.now AS in_stores, web.now AS on_the_web FROM store JOIN web ON store.id = web.id
WHERE web.now * store.before > store.now * web.before

--- three-channels-by-id: spending of each customer in three channels, joined by the customer's id
--- written for: shape
WITH store AS (
  SELECT c_customer_id AS id, sum(ss_net_paid) AS paid FROM declared.customer
    JOIN declared.store_sales ON c_customer_sk = ss_customer_sk GROUP BY c_customer_id
), catalog AS (
  SELECT c_customer_id AS id, sum(cs_net_paid) AS paid FROM declared.customer
    JOIN declared.catalog_sales ON c_customer_sk = cs_bill_customer_sk GROUP BY c_customer_id
), web AS (
  SELECT c_customer_id AS id, sum(ws_net_paid) AS paid FROM declared.customer
    JOIN declared.web_sales ON c_customer_sk = ws_bill_customer_sk GROUP BY c_customer_id
)
SELECT id, store.paid AS store_paid, catalog.paid AS catalog_paid, web.paid AS web_paid
FROM store JOIN catalog USING (id) JOIN web USING (id) WHERE web.paid > store.paid

--- customers-by-id: returns of each customer, by what its declared key determines
--- written for: shape
SELECT c_customer_id, c_first_name, c_last_name, count(*) AS returns, sum(sr_return_amt) AS amount
FROM declared.store_returns JOIN declared.customer ON sr_customer_sk = c_customer_sk
GROUP BY c_customer_id, c_first_name, c_last_name
HAVING sum(sr_return_amt) > 5000

--- purchases-numbered: the first web purchase of each customer id, by day and order
--- written for: question
SELECT c_customer_id, ws_order_number, d_date FROM (
  SELECT c_customer_id, ws_order_number, d_date,
    row_number() OVER (PARTITION BY c_customer_id ORDER BY d_date, ws_order_number, ws_item_sk) AS place
  FROM declared.web_sales JOIN declared.customer ON ws_bill_customer_sk = c_customer_sk
    JOIN declared.date_dim ON ws_sold_date_sk = d_date_sk)
WHERE place = 1

--- countries: sales and customers by country of birth, from declared tables
--- written for: question
SELECT c_birth_country, count(*) AS sales, count(DISTINCT c_customer_sk) AS customers
FROM declared.web_sales JOIN declared.customer ON ws_bill_customer_sk = c_customer_sk
GROUP BY c_birth_country
