package io.colocate.rule

import org.apache.spark.sql.execution.SparkPlan

/** A physical operator of Colocate, of any room. Each mixes this in, so that code can test for it. */
trait ColocateNode extends SparkPlan
