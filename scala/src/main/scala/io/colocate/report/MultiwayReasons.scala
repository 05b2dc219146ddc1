package io.colocate.report

import io.colocate.report.ReasonKind._

/** Why joins that form a cycle are executed as one multiway join, or one by one. */
object MultiwayReasons {

  final val Capability = "multiway"

  case object MultiwayJoin
      extends ReasonCode("MULTIWAY_JOIN", Capability, Fact,
        "{inputs} inputs are joined on {variables} variables at once, as {why}; inputs of n rows can" +
          " give at most n^{exponent}",
        "The joins form a cycle, so joins of two inputs each may make many rows that a later one drops. " +
          "The multiway join binds one variable after the other, at the price of the shortest list.")

  case object Acyclic
      extends ReasonCode("ACYCLIC", Capability, Decline, "the joins form no cycle",
        "Joins without a cycle need no rows that are dropped later on, in a good order.")

  case object HintedJoin
      extends ReasonCode("HINTED_JOIN", Capability, Decline,
        "a join of the cycle carries a hint: {hint}",
        "A hint says how Spark is to join; it is respected.")

  case object ManyInputs
      extends ReasonCode("MANY_INPUTS", Capability, Decline,
        "{inputs} inputs are joined, {limit} are looked at",
        "Planning time is bounded. Where the join is asked for, more inputs are looked at: give the hint " +
          "MULTIWAY, or set the mode to force.")

  case object UniqueKey
      extends ReasonCode("UNIQUE_KEY", Capability, Decline, "({key}) is unique in {input}",
        "A join along a unique key makes no more rows than it reads. Set the mode to force, or give the " +
          "hint MULTIWAY, to join at once all the same.")

  case object UnknownDegrees
      extends ReasonCode("UNKNOWN_DEGREES", Capability, Decline,
        "the rows of {input} and the distinct values of its keys are not known",
        "Statistics are missing, and the files do not tell enough, or a filter keeps an unknown share of " +
          "the rows. Run ANALYZE TABLE ... COMPUTE STATISTICS FOR ALL COLUMNS, give the hint MULTIWAY, set " +
          "the mode to force, let more files be looked into: see spark.colocate.multiway.maxFooters and " +
          "spark.colocate.multiway.dictionaryBytes, or let keys be counted: see " +
          "spark.colocate.multiway.countBytes.")

  case object SmallIntermediate
      extends ReasonCode("SMALL_INTERMEDIATE", Capability, Decline,
        "joins of two inputs each make about {rows} rows of the inputs' {inputs}",
        "Spark's own joins are good enough where the intermediate results stay small.")

  case object MayFailEarly
      extends ReasonCode("MAY_FAIL_EARLY", Capability, Decline,
        "{condition} may fail, and would be evaluated on rows that {input} drops",
        "Spark evaluates the condition after this input has been joined; joined at once, the cycle comes " +
          "first. Use try_divide, try_add and the like, which give NULL in place of an error.")

  case object HyperCube
      extends ReasonCode("HYPERCUBE", Capability, Fact,
        "{bytes} would be broadcast, {limit} are allowed; so the inputs are shuffled into {cells} cells," +
          " {sides}, and a row goes to up to {copies} of them",
        "A row goes to every cell that agrees with the variables it has, so that rows which join meet " +
          "in one of them. See spark.colocate.multiway.broadcastBytes.")

  case object CheckedAbove
      extends ReasonCode("CHECKED_ABOVE", Capability, Fact,
        "whether {input} has a row is looked up after the join, as it has {bytes} and the largest input {largest}",
        "An EXISTS or NOT EXISTS over variables of the cycle is part of the multiway join, unless it reads " +
          "more than any input: to bring its rows to each task would cost more than it saves.")

  /** Lazy, because one of the codes may be initialised first. */
  lazy val all: Seq[ReasonCode] = Seq(MultiwayJoin, Acyclic, HintedJoin, ManyInputs, UniqueKey,
    UnknownDegrees, SmallIntermediate, MayFailEarly, HyperCube, CheckedAbove)
}
