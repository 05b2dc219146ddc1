package io.colocate.tables.scan

import java.util.concurrent.{Executors, TimeUnit}

import org.apache.hadoop.fs.Path
import org.scalatest.funsuite.AnyFunSuite

class LeafReadsSuite extends AnyFunSuite {

  private def table(name: String): Path = new Path(s"file:/leaf-reads/$name")

  test("counts of queries that are planned at the same time are all kept") {
    val (threads, rounds) = (4, 2000)
    val pool = Executors.newFixedThreadPool(threads)
    for (_ <- 1 to threads)
      pool.submit((() =>
          for (leaf <- 0 until rounds)
            LeafReads.note(table("busy"), 1, Iterator(leaf, 0, leaf))): Runnable)
    pool.shutdown()
    assert(pool.awaitTermination(60, TimeUnit.SECONDS))
    val reads = LeafReads.of(table("busy"), 1)
    assert(reads(0) == threads * rounds)
    assert((1 until rounds).forall(reads(_) == threads))
  }

  test("what was read longest ago is forgotten, and a tree that nobody read has no counts") {
    LeafReads.note(table("old"), 1, Iterator(3))
    LeafReads.note(table("kept"), 1, Iterator(5))
    for (tree <- 2 to LeafReads.MostTrees) {
      LeafReads.note(table("old"), tree, Iterator(0))
      assert(LeafReads.of(table("kept"), 1) == Map(5 -> 1L))
    }
    assert(LeafReads.of(table("old"), 1).isEmpty)
    assert(LeafReads.of(table("none"), 1).isEmpty)
    LeafReads.note(table("none"), 1, Iterator.empty)
    assert(LeafReads.of(table("none"), 1).isEmpty)
  }
}
