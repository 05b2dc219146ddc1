package io.colocate.functions.advise

import java.lang.ref.SoftReference

import scala.collection.concurrent.TrieMap
import scala.collection.mutable

import org.apache.spark.sql.classic.SparkSession

import io.colocate.advise.layouts.WhatIf
import io.colocate.functions.call.Arguments

/** The queries of an advice. They are analysed and optimised once for all calls that name the same advice. */
final private[advise] class AdvisedQueries private (val session: SparkSession) {

  private val whatIf = new WhatIf(session)
  private val optimized = TrieMap.empty[String, whatIf.Query]

  /** What is made of each query that a caller gives, as by [[GivenQueries]]. */
  def each[T](arguments: Arguments)(made: WhatIf#Query => T): Seq[T] =
    new GivenQueries(session, arguments, "queries").eachText { (text, parsed) =>
      made(optimized.getOrElseUpdate(text, whatIf.query(parsed)))
    }
}

private[advise] object AdvisedQueries {

  /** So many are kept, those of the last calls, and none where memory is short. */
  private val Most = 4

  private val kept = mutable.LinkedHashMap.empty[String, SoftReference[AdvisedQueries]]

  /** New ones if the argument `advice` was left out, is new, or was given in another session. */
  def of(session: SparkSession, arguments: Arguments): AdvisedQueries =
    arguments.text("advice").fold(new AdvisedQueries(session)) { advice =>
      kept.synchronized {
        val found = kept.remove(advice).flatMap(held => Option(held.get))
          .filter(_.session eq session).getOrElse(new AdvisedQueries(session))
        kept.put(advice, new SoftReference(found))
        if (kept.size > Most) kept.remove(kept.head._1)
        found
      }
    }
}
