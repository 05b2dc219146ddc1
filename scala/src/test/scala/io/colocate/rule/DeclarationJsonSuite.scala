package io.colocate.rule

import org.scalatest.funsuite.AnyFunSuite

/** Declarations as JSON: what is written is read again, and what is not understood is refused. */
class DeclarationJsonSuite extends AnyFunSuite {
  import DeclaredKind._

  private val declared = Seq(Declaration(Key, Seq("a", "b"), Nil, rely = true),
    Declaration(Unique, Seq("u"), Nil, rely = false),
    Declaration(Determines, Seq("a"), Seq("b", "c"), rely = true))

  test("what is written is read again, whatever the names hold") {
    val odd = Declaration(Key, Seq("a,b", "\"", "-> c", "ß"), Nil, rely = true)
    assert(DeclarationJson.read(DeclarationJson.write(declared :+ odd)).contains(declared :+ odd))
    val all = Declarations(Map("parquet.`/data/t`" -> declared, "default.t" -> Seq(odd)))
    assert(DeclarationJson.readAll(all.toString).contains(all))
    assert(Declarations.None.toString == "{}")
  }

  test("who vouches for nothing does not rely") {
    assert(DeclarationJson.read("""[{"key": ["a"]}]""").get.forall(!_.rely))
    assert(DeclarationJson.read("[]").contains(Nil))
  }

  for (text <- Seq("", "{", "{}", "null", "7", """[7]""", """[{}]""", """[{"rely": true}]""",
      """[{"key": []}]""", """[{"key": "a"}]""", """[{"key": [1]}]""", """[{"key": [""]}]""",
      """[{"key": ["a"], "rely": "yes"}]""", """[{"key": ["a"], "unique": ["b"]}]""",
      """[{"key": ["a"], "more": 1}]""", """[{"columns": ["a"]}]""",
      """[{"columns": ["a"], "determine": []}]""", """[{"key": ["a"]}, {"kee": ["b"]}]"""))
    test(s"a table's declarations are not $text") {
      assert(DeclarationJson.read(text).isEmpty)
      assert(DeclarationJson.readAll(s"""{"t": $text}""").isEmpty)
    }

  test("a session's declarations are not those of a table") {
    assert(DeclarationJson.readAll("""[{"key": ["a"]}]""").isEmpty)
    assert(DeclarationJson.readAll("{}").contains(Declarations.None))
  }

  test("declarations as a reader sees them") {
    assert(declared.map(_.text) == Seq("key (a, b)", "unique (u)", "(a) -> (b, c)"))
  }
}
