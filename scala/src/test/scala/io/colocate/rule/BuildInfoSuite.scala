package io.colocate.rule

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.SPARK_VERSION

class BuildInfoSuite extends AnyFunSuite {

  private val minor = BuildInfo.spark.split('.').take(2).mkString(".")

  test("the Spark that runs here, and others of its minor, are accepted") {
    for (spark <- Seq(SPARK_VERSION, s"$minor.7", s"$minor.1-SNAPSHOT", s"$minor.0-vendor-2"))
      BuildInfo.requireSpark(spark)
  }

  test("a Spark of another minor is refused in one sentence that names the right jar") {
    for (spark <- Seq("3.5.1", "5.0.0", s"${minor}9.0")) {
      val error = intercept[IllegalArgumentException](BuildInfo.requireSpark(spark))
      val other = spark.split('.').take(2).mkString(".")
      assert(
        error.getMessage == s"[COLOCATE_UNSUPPORTED_SPARK] Spark $spark runs, and this jar of " +
          s"Colocate ${BuildInfo.version} is for Spark $minor; accepted: the jar " +
          s"colocate-spark${other}_2.13-${BuildInfo.version}.jar, if there is one.")
    }
  }
}
