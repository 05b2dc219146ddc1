package io.colocate.adapt.ledger

import java.nio.file.{Files, Path => File}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

import io.colocate.adapt.cost.{Layout, Part}
import io.colocate.tables.pruning.{Bounds, KnownRows}

/** Accounts come back from their files, and damaged files are none. */
class LedgerFilesSuite extends AnyFunSuite {

  private val schema =
    new StructType().add("a", IntegerType).add("s", StringType).add("d", DoubleType)

  private val known: KnownRows = Seq(Bounds.constant(5).copy(max = 9, maxIncluded = false),
    Bounds.constant(UTF8String.fromString("x")).copy(mayBeNull = true), Bounds.OnlyNaN)(_)

  private val ledger = Ledger(Layout(IndexedSeq(Part(10, known))), 7, -1.5,
    Seq(Rewrite(Layout(IndexedSeq(Part(4, known))), Map(3 -> 2.5, 12 -> -1.0))), 99)

  private def inFolder(check: (File, LedgerFiles) => Unit): Unit = {
    val folder = Files.createTempDirectory("ledger")
    check(folder,
      new LedgerFiles(new Path(folder.toUri), new Configuration,
        new LedgerJson(schema, Set("a", "s"))))
  }

  test("an account comes back, with what is known of the columns that are kept") {
    inFolder { (_, files) =>
      assert(files.read(0) == Left(false))
      files.write(0, ledger)
      val Right(found) = files.read(0): @unchecked
      assert((found.rewritten, found.saved, found.until) == ((7L, -1.5, 99L)))
      assert(found.first.rows == 10 && found.rewrites.map(_.owed) == ledger.rewrites.map(_.owed))
      val bounds = found.rewrites.head.replaced.parts.head.known.bounds _
      assert(bounds(0) == known.bounds(0) && bounds(1) == known.bounds(1))
      assert(bounds(2) == Bounds.unknown(floating = true))
      files.write(0, ledger.copy(rewritten = 8))
      assert(files.read(0).map(_.rewritten) == Right(8) && files.read(1) == Left(false))
    }
  }

  test("a damaged file, and one of a later format, are no account") {
    inFolder { (folder, files) =>
      files.write(0, ledger)
      val Seq(file) = Seq(folder.resolve("_queries/baseline-0.json.gz"))
      val bytes = Files.readAllBytes(file)
      Files.write(file, bytes.take(bytes.length / 2))
      Files.deleteIfExists(folder.resolve("_queries/.baseline-0.json.gz.crc"))
      assert(files.read(0) == Left(true))
      val json = new LedgerJson(schema, Set("a"))
      for (text <- Seq("{}", """{"format": 2}""", """{"format": 1}"""))
        assertThrows[IllegalArgumentException](json.read(text))
    }
  }
}
