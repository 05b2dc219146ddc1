package io.colocate.exchange

/** The keys that the specification of TPC-DS gives its tables, as declarations of Colocate. */
object TpcdsKeys {

  /** By table: the primary key, then other keys, each of one column. */
  private val keys: Map[String, (Seq[String], Seq[String])] = Map(
    "call_center" -> (Seq("cc_call_center_sk") -> Nil),
    "catalog_page" -> (Seq("cp_catalog_page_sk") -> Seq("cp_catalog_page_id")),
    "catalog_returns" -> (Seq("cr_item_sk", "cr_order_number") -> Nil),
    "catalog_sales" -> (Seq("cs_item_sk", "cs_order_number") -> Nil),
    "customer" -> (Seq("c_customer_sk") -> Seq("c_customer_id")),
    "customer_address" -> (Seq("ca_address_sk") -> Seq("ca_address_id")),
    "customer_demographics" -> (Seq("cd_demo_sk") -> Nil),
    "date_dim" -> (Seq("d_date_sk") -> Seq("d_date_id", "d_date")),
    "household_demographics" -> (Seq("hd_demo_sk") -> Nil),
    "income_band" -> (Seq("ib_income_band_sk") -> Nil),
    "inventory" -> (Seq("inv_date_sk", "inv_item_sk", "inv_warehouse_sk") -> Nil),
    "item" -> (Seq("i_item_sk") -> Nil), "promotion" -> (Seq("p_promo_sk") -> Seq("p_promo_id")),
    "reason" -> (Seq("r_reason_sk") -> Seq("r_reason_id")),
    "ship_mode" -> (Seq("sm_ship_mode_sk") -> Seq("sm_ship_mode_id")),
    "store" -> (Seq("s_store_sk") -> Nil),
    "store_returns" -> (Seq("sr_item_sk", "sr_ticket_number") -> Nil),
    "store_sales" -> (Seq("ss_item_sk", "ss_ticket_number") -> Nil),
    "time_dim" -> (Seq("t_time_sk") -> Seq("t_time_id", "t_time")),
    "warehouse" -> (Seq("w_warehouse_sk") -> Seq("w_warehouse_id")),
    "web_page" -> (Seq("wp_web_page_sk") -> Nil),
    "web_returns" -> (Seq("wr_item_sk", "wr_order_number") -> Nil),
    "web_sales" -> (Seq("ws_item_sk", "ws_order_number") -> Nil),
    "web_site" -> (Seq("web_site_sk") -> Nil))

  /** Statements that declare them with the tables. */
  val declarations: Seq[String] = keys.toSeq.map { case (table, (primary, others)) =>
    val declared = (primary +: others.map(Seq(_))).map { columns =>
      columns.mkString("""{"key": ["""", """", """", """"], "rely": true}""")
    }
    s"ALTER TABLE $table SET TBLPROPERTIES " +
      s"('colocate.dependencies' = '${declared.mkString("[", ", ", "]")}')"
  }
}
