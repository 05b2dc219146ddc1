package io.colocate.functions.advise

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.types.{DoubleType, IntegerType, StructType}

import io.colocate.functions.call.{Arguments, ReportFunction}

/** `SELECT * FROM colocate_what_if('["SELECT ..."]', '[[{"table": "t", "columns": ["a"], "buckets": 8}]]')` */
private[colocate] object WhatIfFunction
    extends ReportFunction("colocate_what_if", Seq("queries", "proposals", "advice"),
      "_FUNC_(queries, proposals [, advice]) - The shuffles of queries (a JSON array of texts) if tables lay otherwise, by" +
        " Spark alone and with Colocate, and the estimated bytes that they move: a row for each proposal and" +
        " query, both counted from 0. A proposal is an array of objects with table, columns and buckets, for" +
        " rows in so many buckets by the hash of these columns; other tables are as they are. Calls with" +
        " the same text as `advice` optimise each query once; tables and settings must not change between" +
        " them. Nothing is run or written.",
      new StructType()
        .add("proposal", IntegerType, nullable = false)
        .add("query", IntegerType, nullable = false)
        .add("stock", IntegerType, nullable = false)
        .add("colocate", IntegerType, nullable = false)
        .add("stock_bytes", DoubleType, nullable = false)
        .add("colocate_bytes", DoubleType, nullable = false)) {

  override protected def rows(session: SparkSession, arguments: Arguments): Seq[Seq[Any]] = {
    val proposals = new GivenProposals(session, arguments).proposals
    val queries =
      AdvisedQueries.of(session, arguments).each(arguments)(query => proposals.map(query(_)))
    for ((_, i) <- proposals.zipWithIndex; (plans, j) <- queries.zipWithIndex) yield {
      val planned = plans(i)
      Seq[Any](i, j, planned.stock.count, planned.colocate.count, planned.stock.bytes,
        planned.colocate.bytes)
    }
  }
}
