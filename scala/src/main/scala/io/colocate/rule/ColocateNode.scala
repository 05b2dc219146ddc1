package io.colocate.rule

import org.apache.spark.sql.execution.SparkPlan

/** A physical operator of ours, of whatever room. Whoever adds one mixes this in; what asks for ours asks for it. */
trait ColocateNode extends SparkPlan
