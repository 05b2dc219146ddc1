package io.colocate.docs

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

import io.colocate.report.{ReasonCodes, ReasonKind}
import io.colocate.rule.ColocateConf
import io.colocate.testing.CaseFile

/** The generated parts of the documentation are those of the code. */
class GenerateDocsSuite extends AnyFunSuite {

  for ((path, text) <- GenerateDocs.pages(GenerateDocs.home)) {
    test(s"docs/${path.getFileName} is up to date") {
      assert(Files.exists(path) && Files.readString(path) == text, "run `make docs` and commit")
    }
  }

  test("every key and every code is documented, once") {
    val pages = GenerateDocs.pages(GenerateDocs.home).map { case (path, text) =>
      path.getFileName.toString -> text
    }.toMap
    ColocateConf.entries.foreach { entry =>
      assert(pages("configuration.md").split("\n").count(_ == s"### `${entry.key}`") == 1,
        entry.key)
    }
    ReasonCodes.all.foreach { code =>
      assert(pages("reading-a-plan.md").split("\n").count(_.startsWith(s"| `${code.name}` |")) == 1,
        code.name)
    }
  }

  test("each example of a fact has a counter-example, and names a fact that there is") {
    def codes(file: String) =
      CaseFile.read(s"sql/$file.sql").flatMap(_.attributes.get("fact")).toSet
    val facts = ReasonCodes.all.filter(_.kind == ReasonKind.Fact).map(_.name).toSet
    assert(codes("catalogue") == codes("catalogue-negative"))
    assert(codes("catalogue").subsetOf(facts))
  }

  test("a page without a place for a table is refused, one with a place is filled") {
    val page = "a\n<!-- generated: x -->\nold\n<!-- end of x -->\nb\n"
    assert(GenerateDocs.replace(page, "x", "new\n") ==
      "a\n<!-- generated: x -->\n\nnew\n\n<!-- end of x -->\nb\n")
    intercept[IllegalArgumentException](GenerateDocs.replace(page, "y", "new"))
  }
}
