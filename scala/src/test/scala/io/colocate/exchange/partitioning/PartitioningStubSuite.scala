package io.colocate.exchange.partitioning

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.catalyst.plans.{Inner, JoinType, LeftOuter}
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.joins.SortMergeJoinExec
import org.apache.spark.sql.types.IntegerType

class PartitioningStubSuite extends AnyFunSuite {

  private val (a, b) =
    (AttributeReference("a", IntegerType)(), AttributeReference("b", IntegerType)())

  private def join(joinType: JoinType): SortMergeJoinExec = {
    def side(key: AttributeReference) = PartitioningStub(Seq(key), UnknownPartitioning(0))
    SortMergeJoinExec(Seq(a), Seq(b), joinType, None, side(a), side(b))
  }

  private def partitioning(joinType: JoinType, left: Int, right: Int): Partitioning =
    PartitioningStub.partitioningOf(join(joinType),
      Seq(HashPartitioning(Seq(a), left), HashPartitioning(Seq(b), right)))

  test("an inner join lies like both its sides") {
    assert(partitioning(Inner, 4, 4) ==
      PartitioningCollection(Seq(HashPartitioning(Seq(a), 4), HashPartitioning(Seq(b), 4))))
  }

  test("while its sides have different numbers of partitions, how it lies is not known") {
    assert(partitioning(Inner, 4, 7) == UnknownPartitioning(7))
  }

  test("an outer join lies like the side that it keeps, however many partitions the other has") {
    assert(partitioning(LeftOuter, 4, 7) == HashPartitioning(Seq(a), 4))
  }
}
