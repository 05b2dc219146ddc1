package io.colocate.tables.operations

import org.scalatest.funsuite.AnyFunSuite

class ColumnNamesSuite extends AnyFunSuite {

  for ((text, names) <- Seq("a" -> Seq("a"), " a , b c ,d.e" -> Seq("a", "b c", "d.e"),
      "`a,b`, `c=d`,e=f" -> Seq("a,b", "c=d", "e=f"),
      "٣, 'q', \"r\", \\, ;" -> Seq("٣", "'q'", "\"r\"", "\\", ";"),
      "`line\nbreak`, 😀" -> Seq("line\nbreak", "😀")))
    test(s"names in: $text") {
      assert(ColumnNames.list(text).contains(names))
    }

  test("a backtick within a name is itself, at its ends it is doubled") {
    assert(ColumnNames.list("x`y").contains(Seq("x`y")))
    assert(ColumnNames.list("`x``y`, ````").contains(Seq("x`y", "`")))
    assert(ColumnNames.list("` a `").contains(Seq(" a ")))
  }

  test("a long name in backticks") {
    val long = "``," * 20000
    assert(ColumnNames.list(s"`$long`").exists(_.head.length == 40000))
  }

  for (text <- Seq("", ",", "a,", ",a", "a,,b", "a,a", "`a`,a", "`a", "`a`b", "`a``"))
    test(s"no names in: '$text'")(assert(ColumnNames.list(text).isEmpty))

  test("names with values") {
    assert(ColumnNames.valued("a=1, `b,=c` = 2.5,d e= 3")
        .contains(Seq("a" -> "1", "b,=c" -> "2.5", "d e" -> "3")))
  }

  for (text <- Seq("", "a", "a=", "=1", "a=1,", "a=1=2", "a=1, a=2", "`a=1", "a=1 b=2"))
    test(s"no names with values in: '$text'")(assert(ColumnNames.valued(text).isEmpty))
}
