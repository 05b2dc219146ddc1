package io.colocate.programs.operators

import java.lang.reflect.Modifier
import java.net.URLClassLoader
import java.nio.file.{Files, Path, Paths}
import java.util.jar.JarFile

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.spark.sql.execution.SparkPlan

/** The operator classes of the jars of Spark that a plan can have. */
object SparkOperators {

  /** Every class of the jars of Spark SQL and of its Hive support that is an operator and not abstract, by name. */
  def all: Seq[Class[_ <: SparkPlan]] = {
    val sql =
      Paths.get(classOf[SparkPlan].getProtectionDomain.getCodeSource.getLocation.toURI)
    val hive = distribution.filter(_.getFileName.toString.startsWith("spark-hive_"))
    assert(hive.length == 1)
    (sql +: hive).flatMap(operators).sortBy(_.getName)
  }

  /** The jars of PySpark: tests do without Hive, whose support is only there. */
  private lazy val distribution: Seq[Path] = {
    val environment = Paths.get(sys.props("colocate.python")).getParent.getParent
    Using.resource(Files.newDirectoryStream(environment.resolve("lib"), "python*")) { pythons =>
      pythons.asScala.map(_.resolve("site-packages/pyspark/jars")).filter(Files.isDirectory(_))
        .flatMap(jars => Using.resource(Files.newDirectoryStream(jars, "*.jar"))(_.asScala.toSeq))
        .toSeq
    }
  }

  /** Spark's classes are those of the test, and Hive's are from there. */
  private lazy val loader =
    new URLClassLoader(distribution.map(_.toUri.toURL).toArray, getClass.getClassLoader)

  private def operators(jar: Path): Seq[Class[_ <: SparkPlan]] =
    Using.resource(new JarFile(jar.toFile)) { file =>
      file.entries.asScala.map(_.getName).filter(_.endsWith(".class")).map(named)
        .filter(isOperator).map(_.asSubclass(classOf[SparkPlan])).toSeq
    }

  private def named(entry: String): Class[_] =
    Class.forName(entry.stripSuffix(".class").replace('/', '.'), false, loader)

  private def isOperator(found: Class[_]): Boolean =
    classOf[SparkPlan].isAssignableFrom(found) && !Modifier.isAbstract(found.getModifiers)
}
