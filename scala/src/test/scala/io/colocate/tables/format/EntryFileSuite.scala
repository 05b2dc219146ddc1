package io.colocate.tables.format

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import scala.collection.mutable.ArrayBuffer

import org.scalatest.funsuite.AnyFunSuite

import io.colocate.tables.commit.LogFixture

class EntryFileSuite extends AnyFunSuite with LogFixture {

  private val actions = Seq(Protocol(1), who().copy(time = 5, id = "x"), metadata, TreeAdded(tree),
    file("x"), file("y", leaf = None))

  private def write(actions: Seq[Action]): Array[Byte] = {
    val out = new ByteArrayOutputStream
    EntryFile.write(out, actions.iterator, metadata.types.get)
    out.toByteArray
  }

  private def read(bytes: Array[Byte]): Seq[Action] = {
    val found = ArrayBuffer.empty[Action]
    EntryFile.read(new ByteArrayInputStream(bytes), "the-file", 7, _ => None)(found += _)
    found.toSeq
  }

  /** An entry as a newer release could have written it, with a right end. */
  private def foreign(lines: String*): Array[Byte] = {
    val crc = new java.util.zip.CRC32
    val text = lines.map(_ + "\n").mkString
    crc.update(text.getBytes("UTF-8"))
    val sum = f"${crc.getValue}%08x"
    s"""$text{"end":{"lines":${lines.length},"crc32":"$sum"}}\n""".getBytes("UTF-8")
  }

  test("an entry comes back, its statistics by the types of its own metadata") {
    assert(read(write(actions)) == actions)
    assert(EntryFile.head(new ByteArrayInputStream(write(actions)), "f", 1) == actions(1))
    assert(EntryFile.head(new ByteArrayInputStream(write(actions.tail)), "f", 1) == actions(1))
  }

  test("an entry that lost any part of its end is damaged") {
    val whole = write(actions)
    for (length <- 0 until whole.length) {
      val e = intercept[LogDamaged](read(whole.take(length)))
      assert(e.getMessage.contains("the-file") && e.getMessage.contains("version 7"))
    }
  }

  test("an entry of which any bit was turned is not read") {
    val whole = write(actions)
    for (i <- whole.indices; bit <- Seq(0, 1, 5)) {
      val turned = whole.clone()
      turned(i) = (turned(i) ^ (1 << bit)).toByte
      intercept[TableException](read(turned))
    }
  }

  test("an entry that goes on after its end is damaged") {
    val e = intercept[LogDamaged](read(write(actions) ++ write(actions)))
    assert(e.getMessage.contains("after its end"))
  }

  test("an action of another release: its name, the file and the version") {
    val e = intercept[UnknownAction](read(foreign("""{"deletionVector":{}}""")))
    Seq("deletionVector", "the-file", "version 7", "fileAdded").foreach(part =>
      assert(e.getMessage.contains(part)))
    assert(e.getCondition == "COLOCATE_TABLE_UNKNOWN_ACTION")
  }

  test("a format of the future: the file, the version and what is accepted") {
    val e = intercept[FutureFormat](read(foreign("""{"protocol":{"formatVersion":2,"more":1}}""",
      """{"deletionVector":{}}""")))
    Seq("format 2", "the-file", "version 7", "up to 1").foreach(part =>
      assert(e.getMessage.contains(part)))
    assert(e.getCondition == "COLOCATE_TABLE_FUTURE_FORMAT")
  }

  test("a foreign entry in our format is read") {
    assert(read(foreign("""{"treeRemoved":{"id":1}}""")) == Seq(TreeRemoved(1)))
  }

  test("lines longer than the buffer") {
    val long = file("p" * 200000)
    assert(read(write(actions :+ long)) == actions :+ long)
  }
}
