package io.colocate.functions.advise

import java.util.concurrent.{ConcurrentHashMap, CountDownLatch, TimeUnit}

import org.scalatest.funsuite.AnyFunSuite

class InParallelSuite extends AnyFunSuite {

  private val cores = Runtime.getRuntime.availableProcessors

  test("the answers are in the order of the items") {
    assert(InParallel(1 to 100)(_ * 2) == (2 to 200 by 2))
    assert(InParallel(Seq.empty[Int])(_ * 2).isEmpty)
  }

  test("on all cores, and one item on the thread that asks") {
    val met = new CountDownLatch(cores)
    assert(InParallel(1 to cores) { _ =>
      met.countDown()
      met.await(60, TimeUnit.SECONDS)
    }.forall(identity))
    assert(InParallel(Seq(1))(_ => Thread.currentThread) == Seq(Thread.currentThread))
  }

  test("of several errors the first, after which no item is begun") {
    val begun = ConcurrentHashMap.newKeySet[Int]
    val error = intercept[IllegalStateException](InParallel(1 to 1000) { i =>
      begun.add(i)
      if (i > 1) Thread.sleep(1)
      throw new IllegalStateException(s"$i")
    })
    assert(error.getMessage == "1" && (cores == 1 || begun.size < 1000))
  }
}
