package io.colocate.fuzz

/** Random settings of a case, so that plans which nobody picks get run too. */
object FuzzSettings {

  /** Settings of all runs of one case. */
  def apply(dice: Dice): Seq[(String, String)] =
    Seq(
      "spark.sql.shuffle.partitions" ->
        dice.weighted(20 -> 7, 10 -> 2, 10 -> 1, 20 -> 5, 1 -> 200).toString,
      "spark.colocate.exchange.mode" ->
        dice.weighted(8 -> "aggressive", 5 -> "conservative", 1 -> "off"),
      // It takes more time than the rest of planning; other suites have it on throughout.
      "spark.sql.planChangeValidation" -> dice.chance(0.1).toString,
      "spark.sql.codegen.wholeStage" -> dice.chance(0.5).toString,
      "spark.sql.join.preferSortMergeJoin" -> dice.chance(0.7).toString) ++
      broadcast(dice) ++ adaptive(dice) ++ rarely(dice)

  /** Settings of a case that must be rewritten. */
  val plain: Seq[(String, String)] = Seq("spark.sql.shuffle.partitions" -> "5",
    "spark.colocate.exchange.mode" -> "aggressive", "spark.sql.codegen.wholeStage" -> "true",
    "spark.sql.planChangeValidation" -> "false", "spark.sql.autoBroadcastJoinThreshold" -> "-1",
    "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "-1")

  /** Where days begin, beside all else; tables are made in UTC. */
  def ofShapes(dice: Dice): Seq[(String, String)] = apply(dice) :+
    "spark.sql.session.timeZone" ->
    dice.weighted(4 -> "UTC", 1 -> "America/New_York", 1 -> "Asia/Kolkata")

  private def broadcast(dice: Dice): Seq[(String, String)] = {
    val planned = dice.weighted(10 -> "-1", 1 -> "3KB", 1 -> "10MB")
    Seq("spark.sql.autoBroadcastJoinThreshold" -> planned,
      "spark.sql.adaptive.autoBroadcastJoinThreshold" -> dice.weighted(5 -> "-1", 2 -> "2KB"))
  }

  /** Thresholds so small that tiny data is coalesced, split and read locally as large data is. */
  private def adaptive(dice: Dice): Seq[(String, String)] = Seq(
    "spark.sql.adaptive.advisoryPartitionSizeInBytes" -> dice.one(Seq("64MB", "2KB", "300B")),
    "spark.sql.adaptive.coalescePartitions.parallelismFirst" -> dice.chance(0.3).toString,
    "spark.sql.adaptive.coalescePartitions.minPartitionSize" -> dice.one(Seq("1B", "1KB", "1MB")),
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes" ->
      dice.one(Seq("256MB", "200B", "1KB")),
    "spark.sql.adaptive.skewJoin.skewedPartitionFactor" -> dice.one(Seq("5.0", "1.0")),
    "spark.sql.adaptive.forceOptimizeSkewedJoin" -> dice.chance(0.15).toString,
    "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold" -> dice.one(Seq("0", "1MB")))

  private def rarely(dice: Dice): Seq[(String, String)] = Seq(
    "spark.sql.requireAllClusterKeysForCoPartition" -> "false",
    "spark.sql.requireAllClusterKeysForDistribution" -> "true",
    "spark.sql.bucketing.coalesceBucketsInJoin.enabled" -> "true",
    "spark.sql.exchange.reuse" -> "false", "spark.sql.maxSinglePartitionBytes" -> "1",
    "spark.sql.execution.replaceHashWithSortAgg" -> "true",
    "spark.sql.optimizer.runtime.bloomFilter.enabled" -> "true",
    "spark.sql.unionOutputPartitioning" -> "false").filter(_ => dice.chance(0.06))
}
