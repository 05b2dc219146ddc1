package io.colocate.testing

import java.io.File
import java.nio.file.Paths
import java.util.{Date, Locale, TimeZone}

import scala.collection.mutable
import scala.sys.process.{Process, ProcessLogger}

import org.scalatest.funsuite.AnyFunSuite

/** The rule of `make lint` over calls that depend on the machine (project/ForbiddenCalls.scala). */
class ForbiddenCallsSuite extends AnyFunSuite {

  /** The exit code of the checker over one class of these tests, and what it says. */
  private def check(name: String): (Int, Seq[String]) = {
    val said = mutable.ArrayBuffer.empty[String]
    val classpath = sys.props("java.class.path")
    val folder = Paths.get(getClass.getProtectionDomain.getCodeSource.getLocation.toURI)
    val code = Process(Seq(new File(sys.props("java.home"), "bin/java").getPath, "-cp", classpath,
      "de.thetaphi.forbiddenapis.cli.CliMain", "-d", folder.toString, "-c", classpath, "-i",
      s"io/colocate/testing/$name.class", "-b", "jdk-unsafe-17", "-f",
      sys.props("colocate.forbidden"))) ! ProcessLogger(said += _)
    (code, said.toSeq)
  }

  test("each call that depends on the machine is found") {
    val (code, said) = check("DependsOnTheMachine")
    val found = said.filter(_.contains("Forbidden method invocation"))
    for (call <- Seq("format$extension", "printf", "String#format", "toLowerCase", "getBytes",
        "Locale#getDefault", "TimeZone#getDefault", "LocalDate#now", "Date#toString",
        "Charset#defaultCharset"))
      assert(found.exists(_.contains(call)), s"$call: $said")
    // The interpolator and the method format of a text are one call.
    assert(found.length == 11, found)
    assert(code != 0)
  }

  test("the same with the locale, the zone and the charset named is not") {
    val (code, said) = check("DependsOnNothing")
    assert(code == 0, said)
  }
}

private class DependsOnTheMachine {
  def interpolated(n: Int): String = f"$n%05d"
  def formatted(n: Int): String = "%05d".format(n)
  def printed(n: Int): Unit = printf("%05d", n)
  def ofJava(n: Int): String = String.format("%05d", Int.box(n))
  def lower(text: String): String = text.toLowerCase
  def bytes(text: String): Array[Byte] = text.getBytes
  def locale: Locale = Locale.getDefault
  def zone: TimeZone = TimeZone.getDefault
  def today: java.time.LocalDate = java.time.LocalDate.now()
  def shown(date: Date): String = date.toString
  def charset: java.nio.charset.Charset = java.nio.charset.Charset.defaultCharset
}

private class DependsOnNothing {
  def formatted(n: Int): String = "%05d".formatLocal(Locale.ROOT, n)
  def interpolated(n: Int): String = s"$n"
  def lower(text: String): String = text.toLowerCase(Locale.ROOT)
  def bytes(text: String): Array[Byte] = text.getBytes(java.nio.charset.StandardCharsets.UTF_8)
  def today: java.time.LocalDate = java.time.LocalDate.now(java.time.ZoneOffset.UTC)
}
