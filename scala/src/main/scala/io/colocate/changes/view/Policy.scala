package io.colocate.changes.view

import java.util.Locale

/** What a refresh may do where rows cannot be brought up to date from changes. */
private[colocate] object Policy {

  /** The property of a view. */
  val Key: String = "refreshPolicy"

  /** Compute all rows anew, and say why. Only queries that can be maintained are accepted at first. */
  val Incremental: String = "incremental"

  /** Fail. */
  val Strict: String = "incremental_strict"

  /** As incremental, for all queries. */
  val Auto: String = "auto"

  /** Always compute all rows anew. */
  val Full: String = "full"

  val all: Seq[String] = Seq(Auto, Incremental, Strict, Full)

  /** @throws InvalidPolicy for a text that is none */
  def of(text: String): String = {
    val policy = text.trim.toLowerCase(Locale.ROOT)
    if (all.contains(policy)) policy else throw new InvalidPolicy(text)
  }

  /** Whether a view may be made of a query that cannot be maintained. */
  def takesAll(policy: String): Boolean = policy == Auto || policy == Full
}
