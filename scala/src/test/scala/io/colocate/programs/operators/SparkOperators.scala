package io.colocate.programs.operators

import java.lang.reflect.Modifier
import java.util.jar.JarFile

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.spark.sql.execution.SparkPlan

/** The operator classes of the jars of Spark that a plan can have. */
object SparkOperators {

  /** Every class of the jar of Spark SQL that is an operator and not abstract, by name. */
  def all: Seq[Class[_ <: SparkPlan]] = {
    val jar = classOf[SparkPlan].getProtectionDomain.getCodeSource.getLocation.getPath
    Using.resource(new JarFile(jar)) { file =>
      file.entries.asScala.map(_.getName).filter(_.endsWith(".class")).map(named)
        .filter(isOperator).map(_.asSubclass(classOf[SparkPlan])).toSeq.sortBy(_.getName)
    }
  }

  private def named(entry: String): Class[_] =
    Class.forName(entry.stripSuffix(".class").replace('/', '.'), false, getClass.getClassLoader)

  private def isOperator(found: Class[_]): Boolean =
    classOf[SparkPlan].isAssignableFrom(found) && !Modifier.isAbstract(found.getModifiers)
}
