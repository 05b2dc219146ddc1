package io.colocate.adapt.cost

import org.scalatest.funsuite.AnyFunSuite

import io.colocate.tables.format.CommitInfo

/** What writing a row costs, as commits have noted it. */
class WriteCostSuite extends AnyFunSuite {

  /** A commit that wrote 100 rows at so many milliseconds each, and read 1000 in one millisecond each. */
  private def adapted(perRow: Long, read: Option[ReadTime] = Some(ReadTime(1000, 1000))) =
    CommitInfo("ADAPT", Map.empty,
      Map("rowsAdded" -> 100L) ++ WriteCost.metrics(Some(100 * perRow), read))

  private val append = CommitInfo("WRITE", Map.empty, Map("rowsAdded" -> 100L))

  private def cost(commits: CommitInfo*): Option[Double] = WriteCost(commits.iterator)

  test("the time of writing a row over that of reading one, the newest as much as all older ones") {
    assert(cost(append, adapted(20), append) == Some(20.0))
    assert(cost(adapted(40), append, adapted(20)) == Some(30.0))
    assert(cost(adapted(40), adapted(20), adapted(10)) == Some(27.5))
  }

  test("nothing was measured") {
    assert(cost() == None && cost(append) == None)
    assert(cost(adapted(20, None)) == None)
    assert(cost(adapted(20, Some(ReadTime(0, 1000)))) == None)
  }

  test("what cannot be is cut off") {
    assert(cost(adapted(100000)) == Some(WriteCost.Most))
    assert(cost(adapted(1)) == Some(WriteCost.Least))
  }
}
